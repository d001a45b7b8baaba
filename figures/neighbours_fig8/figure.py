"""The cost of the search while half of the spheres break into ever smaller ones (Fig. 8)."""

from __future__ import annotations

from typing import Any

import matplotlib.pyplot as plt
import numpy as np

from beginners import lattice
from neighbours import METHODS, box, same_worlds, scattered, search_cost
from scree.plot import PALETTE
from toolkit import Check, Figure, below, close, holds, near

RADIUS, STIFFNESS, DENSITY, TIME_STEP, CELL, FRACTION = 0.01, 4e6, 7000.0, 4e-7, 0.033, 0.12  # of the paper, in SI units
COUNTS = {1: 1000, 2: 4451, 3: 14676, 4: 32374, 5: 65480}  # by R/r
SHOWN = ("linked_linear_list", "linked_cell", "hierarchical_grid")


def fracture(ratio: int) -> tuple[np.ndarray, np.ndarray, float]:
    """Places and radii: of 1000 spheres on a lattice so many are replaced by ratio^3 small ones that the paper's number comes out,
    and side of the cube."""
    side = (1000 * 4 / 3 * np.pi * RADIUS**3 / FRACTION) ** (1 / 3)
    pitch = side / 10
    whole = lattice(1000, 10, 3, pitch)
    broken = (COUNTS[ratio] - 1000) // max(ratio**3 - 1, 1)
    chosen = np.random.default_rng(2).permutation(1000)[:broken]
    parts = lattice(ratio**3, ratio, 3, pitch / ratio) - 0.5 * pitch
    small = (whole[chosen][:, None, :] + parts[None, :, :]).reshape(-1, 3)
    large = np.delete(whole, chosen, axis=0)
    radius = np.concatenate([np.full(len(large), RADIUS), np.full(len(small), RADIUS / ratio)])
    return scattered(np.concatenate([large, small]), radius * (0.45 * pitch / RADIUS - 1)), radius, side


def measure(quick: bool) -> dict[str, Any]:
    runs: dict[str, list[Any]] = {method: [] for method in SHOWN}
    ratios = [ratio for ratio in COUNTS if not quick or ratio <= 4]
    for ratio in ratios:
        positions, radius, side = fracture(ratio)
        for method in SHOWN:
            world = box(method, positions, radius, side, stiffness=STIFFNESS, density=DENSITY, time_step=TIME_STEP, cell=CELL,
                        skin=0.2 * RADIUS / ratio)
            run = search_cost(world, method, 4)
            run["volume"] = float((4 / 3 * np.pi * radius**3).sum()) / side**3
            runs[method].append(run)
    return {"ratios": ratios, "runs": runs}


def per_body(runs: list[dict[str, Any]], name: str) -> np.ndarray:
    return np.array([run[name] / run["count"] for run in runs])


def crossing(data: dict[str, Any], name: str) -> float:
    """The ratio of radii above which the linear lists cost less than the linked cells, interpolated in logarithms."""
    gap = np.log(per_body(data["runs"]["linked_cell"], name) / per_body(data["runs"]["linked_linear_list"], name))
    after = np.nonzero(gap > 0)[0]
    if len(after) == 0 or (gap[after[0]:] <= 0).any():
        return float("nan")
    k = after[0]
    if k == 0:
        return float(data["ratios"][0])
    part = -gap[k - 1] / (gap[k] - gap[k - 1])
    return float(data["ratios"][k - 1] + part * (data["ratios"][k] - data["ratios"][k - 1]))


def judge(data: dict[str, Any], quick: bool) -> list[Check]:
    runs = data["runs"]
    counts = [run["count"] for run in runs["linked_cell"]]
    checks = [
        holds("number of spheres", ", ".join(str(COUNTS[ratio]) for ratio in data["ratios"]), ", ".join(map(str, counts)),
              counts == [COUNTS[ratio] for ratio in data["ratios"]]),
        close("volume fraction of the last system", FRACTION, runs["linked_cell"][-1]["volume"], 1e-9),
        near("R/r at which linked cells and linear lists cross, by operations", 2.5, crossing(data, "operations"), 1.0),
    ]
    if not quick:
        checks.append(near("R/r at which linked cells and linear lists cross, by time", 2.5, crossing(data, "seconds"), 2.0))
    for name in ("operations",) if quick else ("operations", "seconds"):
        growth = {method: per_body(runs[method], name)[-1] / per_body(runs[method], name)[0] for method in SHOWN}
        checks += [
            below(f"growth of the cost per sphere, linear lists relative to linked cells, by {name}", 1.0,
                  growth["linked_linear_list"] / growth["linked_cell"]),
            below(f"growth of the cost per sphere, default, by {name}", 3.0, growth["hierarchical_grid"]),
        ]
        for other in SHOWN[:2]:
            ratio = per_body(runs["hierarchical_grid"], name) / per_body(runs[other], name)
            checks.append(below(f"cost of the default relative to the {METHODS[other]}, at the worst R/r of 2 or more, by {name}", 1.0, float(ratio[1:].max())))
    checks.append(holds("states after the same number of steps", "the same bits", "the same bits" if same_worlds(runs) else "different",
                        same_worlds(runs)))
    return checks


def draw(data: dict[str, Any]) -> Any:
    figure, axes = plt.subplots(1, 2, figsize=(7.2, 3.1), layout="constrained")
    for ax, name, unit in zip(axes, ("operations", "seconds"), ("operations", "time [s]")):
        for colour, method in zip(PALETTE[1:], SHOWN):
            ax.semilogy(data["ratios"], per_body(data["runs"][method], name), "o-", color=colour, markersize=4, linewidth=1,
                        label=METHODS[method])
        ax.axvline(2.5, color="#7b828c", linewidth=0.8, linestyle=":")
        ax.set(xlabel="R/r", ylabel=f"{unit} for one step, per sphere", xticks=data["ratios"])
        ax.legend(fontsize=7)
    return figure


FIGURE = Figure(
    paper="neighbours",
    figure="Fig. 8",
    title="Cost of the neighbour search while spheres break",
    text="""
In a walled cube, about half of 1000 spheres are each replaced by 8, 27, 64 or 125 smaller ones with the same total
volume, which gives the paper's numbers exactly. The penalty engine is used with the paper's radius, stiffness, density,
time step and linked-cell size (3.3 R for all systems). The paper does not give the velocities or how often the lists
are renewed: here the skin is a fifth of the smallest radius, and the fastest bodies use it up in five steps; the linear
lists are renewed every step, as in the paper. Lists that last longer shift the crossing to larger R/r. Shown is the
search alone, counted in operations and timed, whereas the paper shows the time of whole runs. The dotted line marks the
paper's crossing; the default method is not in the paper.
""",
    measure=measure,
    draw=draw,
    judge=judge,
    seconds=40,
)
