"""How many sweeps the forces need (eq. 1.34): a chain, packings of disks, packings of spheres."""

from __future__ import annotations

from typing import Any

import matplotlib.pyplot as plt
import numpy as np

import scree
from beginners import packing, power_law, settle
from scree.plot import PALETTE
from toolkit import Check, Figure, near

CONVERGED = 0.9  # fraction of the weight that the floor carries
COLUMNS = {1: (10, 20, 40, 80, 160), 2: (7, 10, 14, 20, 28, 40), 3: (4, 5, 6, 7, 8, 10)}
QUICK = {1: (10, 20, 40), 2: (7, 10, 14, 20), 3: (4, 5, 6, 7)}
RANDOM_SWEEP = float(2 * np.sqrt(np.e) - 2.5)  # q of a random sweep
GROWTH = 1.3  # ratio of successive numbers of sweeps


def chain(count: int, seed: int) -> scree.World:
    """Disks one above the other."""
    world = scree.World(dimension=2, time_step=0.05, gravity=(0, -1), seed=seed)
    world.add_material(friction=0.3)
    world.add_plane(point=(0, 0), normal=(0, 1))
    world.add_grains(np.column_stack([np.zeros(count), np.arange(count) + 0.5]), 0.5)
    return world


def resting(dimension: int, columns: int, seed: int) -> bytes:
    """A packing at rest."""
    if dimension == 1:
        return chain(columns, seed).save()
    world = packing(dimension, columns, (dimension - 1) * columns, seed)
    settle(world)
    return world.save()


def load_after(state: bytes, sweeps: int) -> float:
    """The share of the weight that the floor carries after one step of that many sweeps, starting without any force."""
    world = scree.World.load(state)
    world.set_solver(warm_start=False, order="random", criterion="fixed", iterations=sweeps)
    world.step()
    return float(np.abs(world.wall(0).load).max() / world.mass.sum())


def spreading(state: bytes) -> dict[str, list[float]]:
    """The load on the floor after more and more sweeps, until it is nearly the weight."""
    rows: dict[str, list[float]] = {"sweeps": [1], "load": [load_after(state, 1)]}
    while rows["load"][-1] < 0.93 and rows["sweeps"][-1] < 100_000:
        rows["sweeps"].append(max(rows["sweeps"][-1] + 1, round(rows["sweeps"][-1] * GROWTH)))
        rows["load"].append(load_after(state, int(rows["sweeps"][-1])))
    return rows


def sweeps_until(curve: dict[str, list[float]], part: float) -> float:
    """The sweeps after which the floor carries this share of the weight, interpolated exponentially."""
    missing = -np.log(np.maximum(1 - np.maximum.accumulate(curve["load"]), 1e-6))
    return float(np.interp(-np.log(1 - part), missing, curve["sweeps"]))


def measure(quick: bool) -> dict[str, Any]:
    data: dict[str, Any] = {}
    for dimension, sizes in (QUICK if quick else COLUMNS).items():
        packings = 1 if dimension == 1 or quick else 3
        data[str(dimension)] = [{"count": max(dimension - 1, 1) * columns**dimension, **spreading(resting(dimension, columns, seed))}
                                for columns in sizes for seed in range(1, 1 + (packings if columns**dimension < 600 else 1))]
    return data


def fit(curves: list[dict[str, Any]], part: float = CONVERGED) -> tuple[float, float, float]:
    """The power law of all single measurements."""
    return power_law([curve["count"] for curve in curves], [sweeps_until(curve, part) for curve in curves])


NAMES = {"1": "chain", "2": "disks, $d=2$", "3": "spheres, $d=3$"}


def draw_powers(axes: plt.Axes, data: dict[str, Any]) -> None:
    for (key, curves), colour, mark in zip(data.items(), PALETTE, "osD"):
        exponent, error, _ = fit(curves)
        count = np.array([curve["count"] for curve in curves], float)
        sweeps = np.array([sweeps_until(curve, CONVERGED) for curve in curves])
        axes.plot(count, sweeps, mark, color=colour, markerfacecolor="none",
                  label=rf"{NAMES[key]}: $N^{{{exponent:.2f}\pm{error:.2f}}}$")
        law = 2 / int(key)
        middle = np.exp(np.mean(np.log(sweeps / count**law)))
        ends = np.array([count[0] / 1.4, count[-1] * 1.4])
        name = {"1": "$N^2$", "2": "$N$", "3": "$N^{2/3}$"}[key]
        axes.plot(ends, middle * ends**law, color=colour, linewidth=0.9, label=f"eq. 1.34: {name}")
    axes.set(xscale="log", yscale="log", xlabel="number of grains $N$", ylabel="sweeps until converged, $N_I$", ylim=(10, 2e6))
    axes.legend(loc="upper left", fontsize=7, labelspacing=0.3, ncol=1)
    axes.set_title("(a) sweeps from zero forces")


def draw_spreading(axes: plt.Axes, curves: list[dict[str, Any]], law: float, title: str, label: str) -> None:
    sizes = sorted({curve["count"] for curve in curves})
    shade = dict(zip(sizes, scree.plot.SCALE(np.linspace(0.0, 0.8, len(sizes)))))
    for size in sizes:
        curve = next(one for one in curves if one["count"] == size)
        axes.plot(np.array(curve["sweeps"]) / size**law, curve["load"], "o-", color=shade[size], markersize=2.2,
                  linewidth=0.9, label=f"$N = {size}$")
    axes.axhline(CONVERGED, xmin=0.5, color="#7b828c", linewidth=0.7, linestyle=(0, (4, 3)))
    axes.set(xscale="log", ylim=(0, 1.04), xlabel=label, ylabel="load on the floor / weight")
    axes.legend(loc="upper left", fontsize=7, labelspacing=0.25)
    axes.set_title(title)


def draw(data: dict[str, Any]) -> plt.Figure:
    figure, (left, middle, right) = plt.subplots(1, 3, figsize=(9.6, 3.3), width_ratios=(1.25, 1, 1))
    draw_powers(left, data)
    draw_spreading(middle, data["2"], 1, "(b) disks", r"sweeps $/\,N$")
    draw_spreading(right, data["3"], 2 / 3, "(c) spheres", r"sweeps $/\,N^{2/3}$")
    return figure


def judge(data: dict[str, Any], quick: bool) -> list[Check]:
    slack = {"1": 0.03, "2": 0.15, "3": 0.15} if not quick else {"1": 0.06, "2": 0.35, "3": 0.35}
    names = {"1": "chain", "2": "disks", "3": "spheres"}
    checks = []
    for key, curves in data.items():
        for part in (CONVERGED, 0.5):
            exponent, error, _ = fit(curves, part)
            checks.append(near(f"{names[key]}: exponent 2/d of the number of sweeps until the floor carries {part:.0%} of the weight "
                               f"(standard error {error:.3f})", 2 / int(key), exponent, slack[key]))
    slowest = 4 * np.log(8 / np.pi**2 / (1 - CONVERGED)) / np.pi**2 / RANDOM_SWEEP
    longest = data["1"][-1]
    checks.append(near(f"chain of {longest['count']} disks: sweeps / N², compared with the theory for q = {RANDOM_SWEEP:.3f}", slowest,
                       sweeps_until(longest, CONVERGED) / longest["count"] ** 2, 0.02 * slowest * (2 if quick else 1)))
    return checks


TEXT = """
The number of sweeps that one time step needs when it starts from zero forces, in a random order redrawn for every
sweep. The packings rest on a floor under gravity and are about as high as they are wide: $L^2$ disks or $2L^3$ spheres
in a cell of width $L$ (radii uniform within 20 %, friction 0.3, periodic at the sides; up to three packings of each
size); the chain is a column of $N$ disks, $d=1$. The forces count as converged when the floor carries 90 % of the
weight, because only then has the floor felt all the grains. The paper argues that forces spread by diffusion, so that
$N_I \\sim N^{2/d}$ (1.34). (a) Each symbol is a single packing; the lines have the paper's exponent. (b, c) The load on
the floor after a given number of sweeps: the curves for all sizes collapse when the number of sweeps is divided by
$N^{2/d}$. For the chain the number itself is known: the slowest mode of the column decays by a factor of
$\\exp(-q\\pi^2/4N^2)$ per sweep, with $q=(4\\sqrt e-5)/2=0.797$ for random sweeps. The exponent measured for spheres is
slightly high: these packings are only 5 to 12 grains high, and corrections for the ends are not small.
"""

FIGURE = Figure(paper="beginners", figure="eq. 1.34", title="Sweeps against the number of grains", text=TEXT, measure=measure,
                draw=draw, judge=judge, seconds=50)
