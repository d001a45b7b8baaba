"""Figs. 12a and 12b: the global friction against the local coefficients."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from array_exact import friction_rolling, inertia_rolling, solve
from array_plot import BLUE, ORANGE, across, dots, exact_line, plot_axes
from array_world import TWELVE, modes, steady
from toolkit import Check, Figure, below, close, holds

FIELDS = {"a": "mu", "b": "mu_plane"}
RANGES = {"a": (2e-3, 0.3), "b": (2e-3, 0.2)}


def friction(acceleration: float) -> float:
    return (TWELVE.push - TWELVE.brake) / TWELVE.count - acceleration


def measure(quick: bool) -> dict[str, Any]:
    data: dict[str, Any] = {}
    for panel, name in FIELDS.items():
        low, high = RANGES[panel]
        grid = np.geomspace(low, high, 12 if quick else 40) if panel == "a" else np.linspace(low, high,
                                                                                             13 if quick else 41)
        points = []
        for value in grid:
            array = replace(TWELVE, **{name: float(value)})
            found = steady(array)
            points.append({"value": value, "mu_g": found["mu_g"],
                           "modes": modes(found["spin_rate"], found["acceleration"], 1e-5),
                           "exact": friction(solve(array).acceleration), "converged": found["converged"]})
        fine = np.linspace(low, high, 60 if quick else 240)
        curve = [friction(solve(replace(TWELVE, **{name: float(value)})).acceleration) for value in fine]
        data[panel] = {"points": points, "fine": fine, "curve": curve}
    return data


def rolling_limit() -> float:
    """mu_g when all disks roll, from (RSDW 7) and (RSDW 8), exact as mu'' = mu."""
    inertia, slow = inertia_rolling(TWELVE.mu, TWELVE.count), friction_rolling(TWELVE.mu, TWELVE.count, TWELVE.brake)
    return friction((TWELVE.push - TWELVE.brake - TWELVE.count * slow) / inertia)


def draw(data: dict[str, Any]) -> Any:
    picture, both = plot_axes(1, 2, (6.8, 3.3), sharey=True)
    for axes, panel in zip(both, "ab"):
        exact_line(axes, data[panel]["fine"], data[panel]["curve"])
        dots(axes, [one["value"] for one in data[panel]["points"]], [one["mu_g"] for one in data[panel]["points"]],
             BLUE,
             "C1, contact dynamics", size=3.2)
        axes.set_title(panel, fontweight="bold", pad=3)
    across(both[0], TWELVE.mu_plane, r"$\mu'$, all in mode 3")
    both[1].plot([0, 0.09], [0, 0.09], color=ORANGE, linewidth=0.9, linestyle=(0, (4, 2)),
                 label=r"$\mu_g=\mu'$, all in mode 3")
    across(both[1], rolling_limit(), "eqs. (7), (8), all in mode 1")
    both[0].set(xlabel=r"between disks $\mu$", ylabel=r"global friction $\mu_g$", xlim=(0, 0.31), ylim=(0, 0.11))
    both[1].set(xlabel=r"at the plane $\mu'$", xlim=(0, 0.205))
    for axes in both:
        axes.legend(loc="lower right")
    return picture


def judge(data: dict[str, Any], quick: bool) -> list[Check]:
    def worst(panel: str) -> float:
        return max(abs(one["mu_g"] / one["exact"] - 1) for one in data[panel]["points"])

    first, last = data["a"]["points"][0], data["a"]["points"][-1]
    low, high = data["b"]["points"][0], data["b"]["points"][-1]
    grows = {panel: bool(np.all(np.diff([one["mu_g"] for one in data[panel]["points"]]) > -1e-9)) for panel in "ab"}
    count = TWELVE.count
    return [
        below("a: largest relative deviation from the exact solution", 1e-6, worst("a")),
        below("b: largest relative deviation from the exact solution", 1e-6, worst("b")),
        holds("a: smallest µ, number of disks in mode 1", f"{count}", f"{first['modes'][0]}", first["modes"][0] == count),
        close("a: largest µ, µ_g tends to µ'", TWELVE.mu_plane, last["mu_g"], 0.03),
        holds("a: largest µ, nearly all disks in mode 3", f"at least {count - 3}", f"{last['modes'][2]}",
              last["modes"][2] >= count - 3),
        close("b: smallest µ', µ_g = µ'", low["value"], low["mu_g"], 1e-3),
        holds("b: smallest µ', number of rolling disks", "0", f"{low['modes'][0]}", low["modes"][0] == 0),
        holds("b: largest µ', number of disks in mode 1", f"{count}", f"{high['modes'][0]}", high["modes"][0] == count),
        close("b: largest µ', µ_g from eqs. (7) and (8)", rolling_limit(), high["mu_g"], 1e-6),
        holds("µ_g grows with µ and with µ'", "grows, grows",
              ", ".join("grows" if grows[p] else "does not" for p in "ab"),
              all(grows.values())),
    ]


FIGURE = Figure(
    paper="array",
    figure="Figs. 12a and 12b",
    title="The global friction against the local friction coefficients",
    text="""
Thirty disks, N_L = 4, N_0 = 0.01, µ'' = 0.01. a: as a function of µ, with µ' = 0.1. b: as a function of µ', with µ =
0.01. Both show the limits that the paper describes: for small µ all disks roll, and for large µ nearly all
counter-rotate and µ_g tends to µ'; for small µ' none rolls and µ_g = µ', and for large µ' all roll and eqs. (7) and (8)
give µ_g exactly, since µ'' = µ.
""",
    measure=measure,
    draw=draw,
    judge=judge,
    seconds=15,
)
