#!/usr/bin/env python3
"""Scree against Siconos on contact problems in files: processor time from zero to the same residual, that of Siconos.

    problems.py [--build DIR] [--tol X] [--seconds S] [--least CONTACTS] FOLDER_OR_FILE...

Prints a table: Scree's solver `auto`, the fastest solver of Siconos that gets there, and the ratio of times. Needs the
package libsiconos-numerics-dev, and a build of Scree (DIR: the folder with libscree.a, build/release by default).
"""
from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent


def flags(*names: str) -> list[str]:
    return subprocess.run(["pkg-config", "--cflags", "--libs", *names], capture_output=True, text=True,
                          check=True).stdout.split()


def build_driver(build: Path) -> Path:
    driver = build / "peers" / "problems"
    driver.parent.mkdir(parents=True, exist_ok=True)
    siconos = [word for folder in ("", "/numerics") for word in ("-isystem", f"/usr/include/siconos{folder}")]
    own = [library for library in ("cholmod",) if "SCREE_CHOLMOD:BOOL=ON" in (build / "CMakeCache.txt").read_text()]
    subprocess.run(["c++", "-std=c++17", "-O2", str(HERE / "problems.cpp"), f"-I{ROOT}", f"-I{ROOT / 'include'}", *siconos,
                    str(build / "libscree.a"), "-lsiconos_numerics", "-lsiconos_externals",
                    *flags("hdf5-serial", "yaml-0.1", "zlib"), *(f"-l{name}" for name in own), "-lpthread", "-ldl", "-lm",
                    "-o", str(driver)], check=True)
    return driver


def files_of(given: list[str]) -> list[str]:
    found: list[str] = []
    for name in map(Path, given):
        found += sorted(str(path) for path in name.iterdir() if path.suffix in (".dat", ".hdf5")) if name.is_dir() else [str(name)]
    return found


def milliseconds(seconds: float) -> str:
    return f"{1e3 * seconds:.3g}" if seconds > 0 else "-"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="+", metavar="FOLDER_OR_FILE")
    parser.add_argument("--build", type=Path, default=ROOT / "build" / "release")
    parser.add_argument("--tol", default="1e-8")
    parser.add_argument("--seconds", default="10", help="the most for one call of a solver")
    parser.add_argument("--least", type=int, default=0, help="smaller problems are left out of the table")
    options = parser.parse_args()
    driver = build_driver(options.build)
    one = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    print(f"| problem | contacts | Scree [ms] | Siconos [ms] | by | Siconos / Scree |\n|{' --- |' * 6}")
    lost = 0
    for name in files_of(options.files):
        said = subprocess.run([str(driver), options.tol, options.seconds, name], capture_output=True, text=True, env=one)
        if said.returncode != 0:
            print(f"{name}: {said.stderr.strip()}", file=sys.stderr)
            continue
        row = json.loads(said.stdout)
        if row["contacts"] < options.least:
            continue
        there = {key: value["seconds"] for key, value in row["siconos"].items() if value["seconds"] > 0}
        best = min(there, key=there.get) if there else ""
        own = row["scree"]["seconds"] if row["scree"]["solved"] else 0
        ratio = f"{there[best] / own:.2g}" if best and own else "-"
        lost += not own or bool(best) and there[best] < own
        print(f"| {row['file']} | {row['contacts']} | {milliseconds(own)} | {milliseconds(there.get(best, 0))} | {best} | {ratio} |",
              flush=True)
    print(f"\n{lost} of them slower than Siconos, or not solved")
    return 0


if __name__ == "__main__":
    sys.exit(main())
