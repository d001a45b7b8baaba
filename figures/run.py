#!/usr/bin/python3
"""Makes the published figures again: data, picture and verdict of each.

    run.py [NAME...] [-o DIR] [-j JOBS] [--quick] [--list] [--page FILE] [--resume] [--parts]

Every folder beside this file that has a figure.py with a FIGURE is one. Figures run side by side, each in a
process of its own, and so do the parts of long ones, whose results are in DIR/NAME/parts. In DIR/NAME there are
then data.json, figure.svg, figure.png and verdict.json, and in DIR an index.md with all of them. The exit status
is 0 when every verdict agrees, 1 when one does not, 2 for a name that there is not.

With --resume, parts whose results are there are not made again. With --parts nothing but parts is made: they need no
matplotlib, so that another machine can make them.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import multiprocessing.connection
import os
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE)]
if importlib.util.find_spec("scree") is None:
    sys.path[:0] = [str(HERE.parent / "python")]

from page import write_page  # noqa: E402
from toolkit import Figure, Parts, verdict, write_json  # noqa: E402


def names() -> list[str]:
    return sorted(path.parent.name for path in HERE.glob("*/figure.py"))


def load(name: str) -> Figure:
    """The FIGURE of a folder."""
    folder = HERE / name
    spec = importlib.util.spec_from_file_location(f"figure_{name}", folder / "figure.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module.FIGURE


# ---------------------------------------------------------------- in this process


def part_path(folder: Path, part: str, quick: bool) -> Path:
    return folder / ("parts-quick" if quick else "parts") / f"{part}.json"


def read_part(folder: Path, part: str, quick: bool) -> dict[str, Any]:
    return json.loads(part_path(folder, part, quick).read_text(encoding="utf-8"))


def make_part(name: str, part: str, folder: Path, quick: bool) -> None:
    """Makes one part of a figure; its file appears once it is complete."""
    parts = load(name).measure
    assert isinstance(parts, Parts)
    path = part_path(folder, part, quick)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_json(path.with_suffix(".new"), parts.make(part, quick, lambda other: read_part(folder, other, quick)))
    path.with_suffix(".new").replace(path)


def measured(figure: Figure, folder: Path, quick: bool) -> dict[str, Any]:
    if isinstance(figure.measure, Parts):
        return {part: read_part(folder, part, quick) for stage in figure.measure.stages(quick) for part in stage}
    return figure.measure(quick)


def make(name: str, folder: Path, quick: bool) -> None:
    """Makes one figure, all of whose parts exist."""
    import matplotlib

    matplotlib.use("Agg")
    from scree import plot

    figure = load(name)
    folder.mkdir(parents=True, exist_ok=True)
    write_json(folder / "data.json", measured(figure, folder, quick))
    data = json.loads((folder / "data.json").read_text(encoding="utf-8"))  # only what is on disk is judged
    with plot.style():
        picture = figure.draw(data)
        picture.savefig(folder / "figure.svg", metadata={"Date": None})
        picture.set_layout_engine("none")  # both have the layout of the first, which takes as long as drawing
        picture.savefig(folder / "figure.png", dpi=150)
    write_json(folder / "verdict.json", verdict(name, figure, figure.judge(data, quick), quick))


# ---------------------------------------------------------------- in other processes


def make_alone(name: str, part: str, folder: Path, quick: bool, said: str) -> None:
    """Makes a figure, or one part of it, in a process of its own, whose messages go to the file `said`."""
    with open(said, "w", encoding="utf-8") as messages:
        for stream in (1, 2):
            os.dup2(messages.fileno(), stream)
    if part:
        make_part(name, part, folder, quick)
    else:
        make(name, folder, quick)


class Workshop:
    """Makes figures and parts, a number of them at a time."""

    def __init__(self, given: argparse.Namespace) -> None:
        self.given = given
        self.free = threading.Semaphore(given.jobs)
        self.turn = threading.Lock()  # starting a process also looks after those that have ended
        # Processes start as copies of one that has loaded the libraries, which takes as long as a small figure. Figures
        # run side by side, so none starts threads of its own.
        os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")
        self.processes = multiprocessing.get_context("forkserver")
        self.processes.set_forkserver_preload(["__main__", "scree", "matplotlib.pyplot", "scree.plot"])

    def run(self, name: str, part: str = "") -> str:
        """Makes one figure, or one part of it, in another process; returns what went wrong."""
        with self.free, tempfile.NamedTemporaryFile("r", encoding="utf-8", errors="replace") as said:
            begin = time.monotonic()
            process = self.processes.Process(target=make_alone, args=(name, part, self.given.output / name,
                                                                      self.given.quick, said.name))
            with self.turn:
                process.start()
            multiprocessing.connection.wait([process.sentinel])
            with self.turn:
                process.join()
            error = "" if process.exitcode == 0 else said.read().strip() or f"ended with status {process.exitcode}"
        if part and not self.given.quick:
            print(f"{name:28} {part}: {time.monotonic() - begin:.0f} s {error}", file=sys.stderr, flush=True)
        return error

    def parts(self, name: str) -> str:
        """Makes the parts of a figure, stage by stage; returns what went wrong."""
        parts = load(name).measure
        for stage in parts.stages(self.given.quick) if isinstance(parts, Parts) else []:
            wanted = [part for part in stage
                      if not (self.given.resume and part_path(self.given.output / name, part, self.given.quick).exists())]
            with ThreadPoolExecutor(max(1, len(wanted))) as pool:
                errors = [error for error in pool.map(lambda part: self.run(name, part), wanted) if error]
            if errors:
                return "\n".join(errors)
        return ""

    def figure(self, name: str) -> tuple[str, float, str]:
        """Makes a figure; returns its name, the seconds that it took, and what went wrong."""
        begin = time.monotonic()
        error = self.parts(name)
        if not error and not self.given.parts:
            error = self.run(name)
        return name, time.monotonic() - begin, error


def report(name: str, seconds: float, error: str, folder: Path) -> bool:
    """Prints one line about a finished figure; returns whether it agrees."""
    if error:
        print(f"{name:28} FAILED after {seconds:.0f} s\n{error}", file=sys.stderr)
        return False
    result = json.loads((folder / "verdict.json").read_text(encoding="utf-8"))
    good = sum(check["agrees"] for check in result["checks"])
    word = "agrees" if result["agrees"] else "DOES NOT AGREE"
    print(f"{name:28} {word}, {good} of {len(result['checks'])} checks, {seconds:.0f} s", file=sys.stderr)
    for check in result["checks"]:
        if not check["agrees"]:
            print(f"    {check['what']}: published {check['published']}, measured {check['measured']}", file=sys.stderr)
    return result["agrees"]


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="scree figures", description="reproduce the published figures")
    parser.add_argument("name", nargs="*", help="figures to make (default: all)")
    parser.add_argument("-o", "--output", type=Path, default=Path("figures-out"), help="folder for the results")
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count() or 1, help="number of figures made in parallel")
    parser.add_argument("--quick", action="store_true", help="smaller measurements, wider tolerances; leaves out figures that have no small form")
    parser.add_argument("--list", action="store_true", help="list the figures and exit")
    parser.add_argument("--page", type=Path, help="write a page with all figures here, with the pictures next to it")
    parser.add_argument("--resume", action="store_true", help="keep existing parts of long figures")
    parser.add_argument("--parts", action="store_true", help="make only the parts of long figures")
    return parser.parse_args()


def main() -> int:
    given = arguments()
    unknown = [name for name in given.name if name not in names()]
    if unknown:
        print(f"scree figures: there is no figure {unknown[0]!r}; --list names them", file=sys.stderr)
        return 2
    chosen = given.name or [name for name in names() if load(name).small or not given.quick]
    whole = [name for name in chosen if given.quick and not load(name).small]
    if whole:
        print(f"scree figures: {whole[0]} has no small form: leave out --quick", file=sys.stderr)
        return 2
    if given.list:
        for name in chosen:
            figure = load(name)
            print(f"{name:28} {figure.paper}, {figure.figure}: {figure.title}")
        return 0
    if given.jobs < 1:
        print(f"scree figures: -j {given.jobs}: must be at least 1", file=sys.stderr)
        return 2
    try:
        given.output.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        print(f"scree figures: {given.output}: cannot create the folder: {error.strerror}", file=sys.stderr)
        return 1
    chosen.sort(key=lambda name: -load(name).seconds)  # the long ones first
    good = True
    with ThreadPoolExecutor(len(chosen)) as pool:
        for name, seconds, error in pool.map(Workshop(given).figure, chosen):
            good = (not error if given.parts else report(name, seconds, error, given.output / name)) and good
    if not given.parts:
        write_page(given.page or given.output / "index.md", given.output, {name: load(name) for name in names()}, chosen)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
