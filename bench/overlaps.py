#!/usr/bin/env python3
"""Runs scenes as they are and tells how far grains came to overlap, in mean radii. More than 1e-2 counts as a fault
where the scene has no springs and leaves the solver as it is. A run that takes longer than the limit is stopped, and
judged by what it has made.

    bench/overlaps.py build/release/scree                           # examples and gallery
    bench/overlaps.py build/release/scree --seconds 60 SCENE.yaml   # one of your own
"""

from __future__ import annotations

import argparse
import pathlib
import re
import signal
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
BAR = 1e-2  # of the mean radius


def run(program: str, scene: pathlib.Path, seconds: float, folder: str) -> tuple[str, str]:
    """What became of the run, and its summary."""
    output = pathlib.Path(folder) / "run.h5"
    command = [program, "run", str(scene), "--quiet", "--force", "--output", str(output)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
        state = "whole"
        try:
            _, errors = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGTERM)
            _, errors = process.communicate()
            state = "stopped"
    if process.returncode != 0 and state == "whole":
        return f"failed: {errors.strip().splitlines()[-1] if errors.strip() else process.returncode}", ""
    return state, subprocess.run([program, "info", str(output)], capture_output=True, text=True, check=False).stdout


def excuse(scene: pathlib.Path) -> str:
    """Why grains may overlap more in this scene; empty: they may not."""
    text = re.sub(r"#.*", "", scene.read_text())
    if re.search(r"\bengine: soft\b|\bstiffness:", text):
        return "springs"
    return "a solver of its own" if re.search(r"^solver:", text, re.MULTILINE) else ""


def judge(state: str, summary: str, excused: str) -> tuple[str, bool]:
    """A line, and whether grains overlap by more than they may."""
    overlap = re.search(r"largest overlap: .*?\(([0-9.e+-]+) of the mean radius\)", summary)
    steps = re.search(r"(\d+) steps to time (\S+)", summary)
    missed = re.search(r"(\d+) steps did not converge", summary)
    if overlap is None or steps is None:
        return state if not summary else f"{state}, no overlaps told", False
    largest = float(overlap[1])
    told = f"{state}, {steps[1]} steps to time {steps[2]}, {missed[1] if missed else '?'} not converged"
    fault = largest > BAR and not excused
    mark = f"   ABOVE {BAR}" if fault else f"   ({excused})" if largest > BAR else ""
    return f"{largest:9.2e}  {told}{mark}", fault


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("scenes", nargs="*", type=pathlib.Path)
    parser.add_argument("--seconds", type=float, default=30, help="for each run (default: 30)")
    given = parser.parse_args()
    scenes = given.scenes or sorted(ROOT.glob("examples/*.yaml")) + sorted(ROOT.glob("examples/gallery/*.yaml"))
    faults = 0
    with tempfile.TemporaryDirectory() as folder:
        for scene in scenes:
            line, fault = judge(*run(given.program, scene, given.seconds, folder), excuse(scene))
            faults += fault
            print(f"{scene.stem:24} {line}", flush=True)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
