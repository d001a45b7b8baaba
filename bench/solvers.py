#!/usr/bin/env python3
"""Tables, fits and the picture of a comparison of solvers (bench/solvers.sh):

    PYTHONPATH=python bench/solvers.py LINES.jsonl [--keep RESULT.json] [--picture PICTURE.png]

LINES may also be a result that was kept. Iterations N^a and times N^b are fitted over the sizes at which all packings came
down to the residual, beside the papers' sweeps N^(2/d).
"""
from __future__ import annotations

import argparse
import json
import platform
import subprocess
from pathlib import Path
from statistics import median
from typing import Any, Iterable

import numpy as np

LEVELS = ("1e-04", "1e-06", "1e-08")
KINDS = {"plane": ("disks", 1.0), "space": ("spheres", 2 / 3), "chain": ("column", 2.0), "array": ("array", 2.0)}  # and the papers' exponent of sweeps
HISTORIES = ("plane-10000-1", "space-10000-1")  # of which the residuals along the way are kept

Line = dict[str, Any]


def read(path: Path) -> tuple[dict[str, str], list[Line]]:
    text = path.read_text()
    if path.suffix == ".json":
        kept = json.loads(text)
        return kept["machine"], kept["lines"]
    return machine(), [json.loads(line) for line in text.splitlines() if line.startswith("{")]


def machine() -> dict[str, str]:
    found = subprocess.run(["lscpu"], capture_output=True, text=True, check=False).stdout
    names = [line.split(":", 1)[1].strip() for line in found.splitlines() if line.startswith("Model name")]
    return {"processor": names[0] if names else platform.machine()}


def keep(path: Path, about: dict[str, str], lines: list[Line]) -> None:
    """One line of the file for each line of the result."""
    short = [{key: value for key, value in line.items() if key != "history" or line["case"] in HISTORIES} for line in lines]
    short.sort(key=lambda line: (line["case"].split("-")[0], line["grains"], line["case"], line["solver"]))
    body = ",\n  ".join(json.dumps(line) for line in short)
    path.write_text(f'{{"machine": {json.dumps(about)},\n "lines": [\n  {body}\n]}}\n')


def kind_of(line: Line) -> str:
    return str(line["case"]).split("-")[0]


def of(lines: Iterable[Line], kind: str, solver: str) -> dict[int, list[Line]]:
    """By number of grains."""
    found: dict[int, list[Line]] = {}
    for line in lines:
        if kind_of(line) == kind and line["solver"] == solver:
            found.setdefault(line["grains"], []).append(line)
    return dict(sorted(found.items()))


def reached(line: Line, scale: str, level: str, held: bool = False) -> tuple[int, float] | None:
    """Iterations and seconds."""
    first, seconds, then, then_seconds = line[scale][level]
    count, time = (then, then_seconds) if held else (first, seconds)
    return (count, time) if count > 0 else None


def complete(found: dict[int, list[Line]], scale: str, level: str) -> dict[int, list[tuple[int, float]]]:
    """Iterations and seconds of all packings of a size, for the sizes where every one of them got there: the easy ones alone
    would make a fit too good."""
    marks = {size: [reached(line, scale, level) for line in group] for size, group in found.items()}
    return {size: [mark for mark in group if mark] for size, group in marks.items() if all(group)}


def middle(lines: list[Line], scale: str, level: str, held: bool = False) -> tuple[float, float] | None:
    """Medians over the seeds, where all of them got there."""
    marks = [reached(line, scale, level, held) for line in lines]
    good = [mark for mark in marks if mark is not None]
    if len(good) < len(marks):
        return None
    return median(mark[0] for mark in good), median(mark[1] for mark in good)


def fit(points: dict[int, list[tuple[int, float]]], what: int) -> str:
    """Exponent with its standard error."""
    x = np.log([size for size, marks in points.items() for _ in marks])
    y = np.log([mark[what] for marks in points.values() for mark in marks])
    if len(points) < 3:
        return "-"
    slope = np.polyfit(x, y, 1)
    rest = y - np.polyval(slope, x)
    error = float(np.sqrt(rest @ rest / (len(x) - 2) / np.sum((x - x.mean()) ** 2)))
    return f"{slope[0]:.2f}({error:.2f})"


def number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 or value == int(value) else f"{value:.3g}"


def table(lines: list[Line], kind: str, scale: str) -> None:
    name, law = KINDS[kind]
    solvers = list(dict.fromkeys(line["solver"] for line in lines if kind_of(line) == kind))
    sizes = sorted({line["grains"] for line in lines if kind_of(line) == kind})
    print(f"\n### {name}, residual over {scale}: iterations to 1e-4, 1e-6, 1e-8; seconds of the processor\n")
    print("| solver | " + " | ".join(number(size) for size in sizes) + " | exponents of iterations | of time |")
    print("| --- |" + " --- |" * (len(sizes) + 2))
    for solver in solvers:
        found = of(lines, kind, solver)
        cells = []
        for size in sizes:
            marks = [middle(found[size], scale, level) for level in LEVELS] if size in found else []
            cells.append("; ".join(", ".join(number(mark[what]) if what == 0 and mark else f"{mark[1]:.2g}" if mark else "-"
                                             for mark in marks) for what in (0, 1)) if marks else "")
        fits = []
        for what in (0, 1):
            fits.append(", ".join(fit(complete(found, scale, level), what) for level in LEVELS))
        print(f"| {solver} | " + " | ".join(cells) + " | " + " | ".join(fits) + " |")
    print(f"\nThe papers: sweeps N^{law:.2g}.")


def gain(lines: list[Line], kind: str, scale: str, held: bool) -> None:
    """Time of the random sweep over that of the accelerated one; where the random one did not get there, at least what it
    was given."""
    slow, fast = of(lines, kind, "random"), of(lines, kind, "accelerated")
    for size in slow:
        cells = []
        for level in LEVELS:
            ratios, bound = [], False
            for line in slow[size]:
                other = [f for f in fast.get(size, []) if f["case"] == line["case"]]
                mark = reached(other[0], scale, level, held) if other else None
                if mark is None:
                    continue
                there = reached(line, scale, level, held)
                bound = bound or there is None
                ratios.append((there[1] if there else line["seconds"]) / mark[1])
            cells.append((">" if bound else "") + f"{min(ratios):.3g}" if ratios else "-")
        print(f"| {KINDS[kind][0]} | {number(size)} | " + " | ".join(cells) + " |")


def gains(lines: list[Line]) -> None:
    for scale in ("weights", "loads"):
        for held in (False, True):
            print(f"\n### Time of random-sweep Gauss-Seidel over accelerated, residual over {scale}, "
                  f"{'held' if held else 'first touch'}, least of the seeds\n")
            print("| | N | 1e-4 | 1e-6 | 1e-8 |\n| --- | --- | --- | --- | --- |")
            for kind in ("plane", "space", "chain", "array"):
                gain(lines, kind, scale, held)


def settled(lines: list[Line]) -> None:
    print("\n### How settled\n\n| case | contacts per grain | steps | rms velocity over g dt |\n| --- | --- | --- | --- |")
    seen = {line["case"]: line for line in lines if kind_of(line) in ("plane", "space")}
    for name, line in sorted(seen.items(), key=lambda item: (kind_of(item[1]), item[1]["grains"], item[0])):
        print(f"| {name} | {line['contacts'] / line['grains']:.2f} | {line['steps']} | {line['unrest']:.3g} |")


def draw(lines: list[Line], about: dict[str, str], path: Path) -> None:
    """Iterations above, times below, of the residual over loads; points are packings, lines medians over complete sizes."""
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    import scree.plot
    from scree.plot.style import BLUE, GREEN, ORANGE, PURPLE, RED, SOFT_INK

    look = {"random": (RED, "s"), "boxed": (ORANGE, "^"), "accelerated": (BLUE, "o"), "matrix_newton": (GREEN, "D"),
            "matrix_interior_point": (PURPLE, "v")}
    with scree.plot.style():
        figure, panels = plt.subplots(2, 3, figsize=(11.5, 7))
        for column, kind in enumerate(("plane", "space", "chain")):
            for row, what in enumerate(("iterations", "processor seconds")):
                axes = panels[row][column]
                for solver, (colour, mark) in look.items():
                    for level, line_style, face in (("1e-04", ":", "white"), ("1e-06", "-", colour)):
                        found = of(lines, kind, solver)
                        points = [(line["grains"], m[row]) for group in found.values() for line in group
                                  if (m := reached(line, "loads", level))]
                        axes.plot([x for x, _ in points], [y for _, y in points], mark, color=colour, markersize=4,
                                  markerfacecolor=face)
                        whole = complete(found, "loads", level)
                        axes.plot(list(found), [median(m[row] for m in whole[size]) if size in whole else np.nan
                                                for size in found], line_style, color=colour, linewidth=1.2,
                                  label=solver.replace("matrix_", "").replace("_", " ") if level == "1e-06" else None)
                axes.set(xscale="log", yscale="log", xlabel="grains", ylabel=what,
                         title=f"{KINDS[kind][0]}; papers: $N^{{{KINDS[kind][1] + row:.2g}}}$")
                axes.grid(True, which="major")
        panels[0][2].legend(loc="upper left", fontsize=7)
        figure.suptitle(f"From zero impulses to a residual (over loads) of 1e-6 (full) and 1e-4 (dotted), one core of {about['processor']}",
                        fontsize=9, color=SOFT_INK)
        scree.plot.save(figure, path, dots_per_inch=110)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("lines", type=Path)
    options.add_argument("--keep", type=Path)
    options.add_argument("--picture", type=Path)
    options.add_argument("--processor", help="its name, when it was another machine")
    given = options.parse_args()
    about, lines = read(given.lines)
    if given.processor:
        about["processor"] = given.processor
    if given.keep:
        keep(given.keep, about, lines)
    settled(lines)
    for kind in KINDS:
        for scale in ("weights", "loads"):
            table(lines, kind, scale)
    gains(lines)
    if given.picture:
        draw(lines, about, given.picture)


if __name__ == "__main__":
    main()
