"""The cost of the search against the number of spheres, in a box that grows with them (Fig. 6)."""

from __future__ import annotations

from typing import Any

import matplotlib.pyplot as plt
import numpy as np

from beginners import lattice, power_law
from neighbours import METHODS, box, same_worlds, scattered, search_cost
from scree.plot import PALETTE
from toolkit import Check, Figure, below, holds, near

RADIUS, STIFFNESS, DENSITY, TIME_STEP, CELL = 5e-4, 1e5, 1e10, 1e-5, 2e-3  # of the paper, in SI units
SIDES = (8, 13, 18, 23, 28, 33, 39)  # spheres along each side: 512 to 59,319; the paper's last is 59,320
QUICK_SIDES = (8, 11, 15, 20)
PUBLISHED = {"verlet_list": 1.8, "linked_linear_list": 1.36, "linked_cell": 1.15}


def measure(quick: bool) -> dict[str, Any]:
    runs: dict[str, list[Any]] = {method: [] for method in METHODS}
    for n in QUICK_SIDES if quick else SIDES:
        place = scattered(lattice(n**3, n, 3, CELL), np.full(n**3, 0.45 * CELL - RADIUS))
        for method in METHODS:
            lists = 2 if method == "verlet_list" and n > 30 else 4
            world = box(method, place, np.full(n**3, RADIUS), n * CELL, stiffness=STIFFNESS, density=DENSITY, time_step=TIME_STEP,
                        cell=CELL, skin=0.2 * RADIUS)
            runs[method].append(search_cost(world, method, lists))
    return {"runs": runs}


def exponent(runs: list[dict[str, Any]], name: str) -> float:
    return power_law([run["count"] for run in runs], [run[name] for run in runs])[0]


def judge(data: dict[str, Any], quick: bool) -> list[Check]:
    runs = data["runs"]
    checks = []
    for method, published in PUBLISHED.items():
        checks.append(near(f"{METHODS[method]}: exponent of the number of operations", published, exponent(runs[method], "operations"), 0.3))
        if not quick:
            checks.append(near(f"{METHODS[method]}: exponent of the time", published, exponent(runs[method], "seconds"), 0.5))
    default = runs["hierarchical_grid"]
    last = {method: alike[-1] for method, alike in runs.items()}
    order = sorted(PUBLISHED, key=lambda method: -last[method]["operations"])
    checks += [
        below("default: exponent of the number of operations", 1.15, exponent(default, "operations")),
        holds("order from most to fewest operations at the largest number of spheres", "Verlet list, linked linear list, linked cell",
              ", ".join(METHODS[method] for method in order), order == list(PUBLISHED)),
        below("default: operations at the largest number of spheres, relative to the linked cells", 1.1,
              last["hierarchical_grid"]["operations"] / last["linked_cell"]["operations"]),
        holds("states after the same number of steps", "the same bits", "the same bits" if same_worlds(runs) else "different",
              same_worlds(runs)),
    ]
    if not quick:
        checks.append(below("default: exponent of the time", 1.5, exponent(default, "seconds")))
    return checks


def draw(data: dict[str, Any]) -> Any:
    figure, axes = plt.subplots(1, 2, figsize=(7.2, 3.3), layout="constrained")
    for ax, name, unit in zip(axes, ("operations", "seconds"), ("operations", "time [s]")):
        for colour, (method, words) in zip(PALETTE, METHODS.items()):
            runs = data["runs"][method]
            count, value = [run["count"] for run in runs], [run[name] for run in runs]
            slope, _, factor = power_law(count, value)
            ax.loglog(count, value, "o", color=colour, markersize=4)
            ax.loglog(count, factor * np.asarray(count, float) ** slope, color=colour, linewidth=1, label=f"{words}: {slope:.2f}")
        ax.set(xlabel="spheres", ylabel=f"{unit} for one step")
        ax.legend(fontsize=7, title="exponents", title_fontsize=7)
    return figure


FIGURE = Figure(
    paper="neighbours",
    figure="Fig. 6",
    title="Cost of the neighbour search in a growing box",
    text="""
Equal spheres in a walled cube that grows with their number, simulated by the penalty engine with the paper's radius,
stiffness, density, time step and linked-cell size. The paper does not give the velocities, the density of the packing,
or how often the lists are renewed: here there is one sphere per linked cell (7 % of the volume), the skin is a fifth of
a radius, and the fastest bodies use it up in five steps; the linear lists are renewed every step, as in the paper. The
paper plots the time of whole runs, scaled to start from one point; shown here is the search alone, counted in
operations and timed. The Verlet list compares all pairs, so its count grows with the square of the number of spheres,
whereas the paper's curve still contains a linear part. In the linear lists a body exchanges ends with all bodies that
lie beside it along one axis, $n^{2/3}$ of them, in addition to a walk along the lists: the exponent lies between 1 and
5/3 and depends on how far bodies move in a step. The default method is not in the paper.
""",
    measure=measure,
    draw=draw,
    judge=judge,
    seconds=90,
)
