#!/usr/bin/env python3
"""The picture of a comparison with peers:

    PYTHONPATH=python bench/peers/plot.py RESULT.json PICTURE.png
"""
from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt  # noqa: E402
from matplotlib.axes import Axes  # noqa: E402
from matplotlib.ticker import FuncFormatter, NullFormatter  # noqa: E402

import scree.plot  # noqa: E402
from scree.plot.style import BLUE, GREEN, INK, ORANGE, PURPLE, RED, SKY, SOFT_INK, YELLOW  # noqa: E402

LOOK = {"Scree": (BLUE, "o"), "Scree, soft engine": (SKY, "o"), "Bullet": (ORANGE, "s"), "Bullet, double": (ORANGE, "D"),
        "ODE": (GREEN, "^"), "LAMMPS": (PURPLE, "v"), "YADE": (YELLOW, "P"), "Box2D 2.4": (GREEN, "s"), "Chipmunk": (ORANGE, "^"),
        "Siconos": (RED, "s")}


def _curve(axes: Axes, name: str, x: list[float], y: list[float]) -> None:
    colour, mark = LOOK.get(name, (INK, "x"))
    own = name == "Scree"
    order = sorted(range(len(x)), key=x.__getitem__)
    axes.plot([x[i] for i in order], [y[i] for i in order], mark, linestyle="-", color=colour, markersize=5.5 if own else 4.5,
              linewidth=2 if own else 1, zorder=3 if own else 2, markeredgecolor="white", markeredgewidth=0.5, label=name)


def _frame(axes: Axes, title: str, x: str, y: str) -> None:
    axes.set(xscale="log", yscale="log", xlabel=x, ylabel=y, title=title)
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.yaxis.set_minor_formatter(NullFormatter())
    axes.set_ylim(axes.get_ylim()[0] / 1.3, axes.get_ylim()[1] * 1.3)
    axes.grid(True, which="major")
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.17), ncol=2)


def draw(result: dict[str, Any], path: Path) -> None:
    with scree.plot.style():
        figure, panels = plt.subplots(1, 3, figsize=(11.5, 4.6))
        for axes, case in zip(panels, result["cases"].values()):
            for name in dict.fromkeys(row["program"] for row in case["rows"]):
                rows = [row for row in case["rows"] if row["program"] == name]
                _curve(axes, name, [row["overlap_mean"] for row in rows], [row["seconds_per_second"] for row in rows])
            kind = "spheres" if "spheres" in case["text"] else "disks"
            _frame(axes, f"{case['count']:,} {kind}", "mean overlap, in radii", "processor seconds per simulated second")
        problem = result["problem"]["rows"]
        for name in dict.fromkeys(row["program"] for row in problem):
            rows = [row for row in problem if row["program"] == name]
            _curve(panels[2], name, [row["residual"] for row in rows], [1e3 * row["seconds"] for row in rows])
        _frame(panels[2], f"One step, {problem[0]['contacts']:,} contacts, from zero", "residual", "milliseconds")
        machine = result["machine"]
        figure.suptitle(f"What exactness costs, on one core of a {machine['processor']} at {machine['gigahertz_measured']:.1f} GHz: left is "
                        "more exact, below is faster", fontsize=9, color=SOFT_INK)
        scree.plot.save(figure, path, dots_per_inch=160)


if __name__ == "__main__":
    draw(json.loads(Path(sys.argv[1]).read_text()), Path(sys.argv[2]))
