"""Figs. 6a and 6b: normal forces along eighty disks."""

from __future__ import annotations

from typing import Any

import numpy as np
from array_exact import INERTIA, solve
from array_plot import BLUE, ORANGE, domains, dots, exact_line, headroom, plot_axes
from array_world import EIGHTY, modes, steady
from toolkit import Check, Figure, below, close, holds


def measure(quick: bool) -> dict[str, Any]:
    found, exact = steady(EIGHTY), solve(EIGHTY)
    return {"modes": modes(found["spin_rate"], found["acceleration"]), "acceleration": found["acceleration"],
            "mu_g": found["mu_g"], "pair": found["normal"][EIGHTY.count:], "plane": found["normal"][:EIGHTY.count],
            "exact": {"pair": exact.normal[EIGHTY.count:], "plane": exact.normal[:EIGHTY.count]}}


def rolling(data: dict[str, Any]) -> np.ndarray:
    """N(0) to the end of mode 1 from N(0) alone: N_i (1 - mu) = N_{i-1} (1 + mu) + (1 + I) a, mu'' at the block."""
    force, a = [EIGHTY.brake], data["acceleration"]
    for i in range(1, data["modes"][0] + 1):
        before = EIGHTY.mu_block if i == 1 else EIGHTY.mu
        force.append((force[-1] * (1 + before) + (1 + INERTIA) * a) / (1 - EIGHTY.mu))
    return np.array(force)


def draw(data: dict[str, Any]) -> Any:
    picture, (upper, lower) = plot_axes(2, 1, (6.2, 5.4), sharex=True)
    first, second, _ = data["modes"]
    disk = np.arange(EIGHTY.count + 1)
    for axes, name, x in ((upper, "pair", disk), (lower, "plane", disk[1:])):
        domains(axes, data["modes"])
        exact_line(axes, x, data["exact"][name], zorder=1)
        dots(axes, x, data[name], BLUE, "C1, contact dynamics", size=3)
    slope = (data["acceleration"] + EIGHTY.mu_plane) / (1 - EIGHTY.mu * EIGHTY.mu_plane)
    start = data["pair"][first]
    upper.plot(disk[:first + 1], rolling(data), color=ORANGE, linewidth=3, alpha=0.45, zorder=0,
               label="mode 1, closed form")
    upper.plot([first, first + second], [start, start + second * slope], color=ORANGE, linewidth=3, alpha=0.45,
               zorder=0,
               linestyle=(0, (1.2, 0.6)), label="mode 2, eqs. (9), (10)")
    upper.set(ylabel=r"between disks $N(i)$", ylim=(-0.5, 16))
    upper.legend(loc="lower right")
    headroom(lower, 0.15)
    lower.set(xlim=(-1.5, 81.5), ylabel=r"on the plane $N'(i)$", xlabel="contact $i$, from the braking end")
    for axes, letter in ((upper, "a"), (lower, "b")):
        axes.set_title(letter, fontweight="bold", pad=3)
    return picture


def judge(data: dict[str, Any], quick: bool) -> list[Check]:
    pair, plane = np.array(data["pair"]), np.array(data["plane"])
    first, second, _ = data["modes"]
    slope = np.diff(pair)[first:first + second]
    theory = (data["acceleration"] + EIGHTY.mu_plane) / (1 - EIGHTY.mu * EIGHTY.mu_plane)
    expected = 1 + EIGHTY.mu * theory
    return [
        close("N at the driving block", EIGHTY.push, float(pair[-1]), 1e-6),
        close("N at the braking block", EIGHTY.brake, float(pair[0]), 1e-6),
        below("N(i): largest deviation from the exact solution, relative to N_L", 1e-6,
              float(np.abs(pair - np.array(data["exact"]["pair"])).max() / EIGHTY.push)),
        below("N'(i): largest deviation from the exact solution", 1e-6,
              float(np.abs(plane - np.array(data["exact"]["plane"])).max())),
        below("mode 1: largest relative deviation of N(i) from its closed form", 1e-6,
              float(np.abs(pair[:first + 1] / rolling(data) - 1).max())),
        close("mode 2: N(i) − N(i−1) = (v̇ + µ') / (1 − µµ')", theory, float(slope.mean()), 1e-6),
        below("mode 2: N'(i) is constant; largest deviation from 1 + µ (N(i) − N(i−1)), excluding the ends", 1e-6,
              float(np.abs(plane[first + 1:first + second - 1] - expected).max())),
        holds("N(i) grows along the array", "grows", "grows" if np.all(np.diff(pair) > 0) else "does not",
              bool(np.all(np.diff(pair) > 0))),
    ]


FIGURE = Figure(
    paper="array",
    figure="Figs. 6a and 6b",
    title="Normal forces along the array",
    text="""
The state of Fig. 5 (N_L = 14 and µ = 0.006 instead of the printed 1.4 and 0.06). a: between disks; contact 0 is the one
with the braking block, contact 80 the one with the driving block. b: on the plane.
""",
    measure=measure,
    draw=draw,
    judge=judge,
    seconds=2,
)
