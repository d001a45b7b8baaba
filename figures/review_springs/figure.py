"""The chain of rigid disks, with too few sweeps, beside a chain of springs and dashpots in the soft engine."""

from __future__ import annotations

import math
from typing import Any

import matplotlib.pyplot as plt
import numpy as np

import scree
from review import SOFT_INK, Q, chain, continuum, fill_chain, fit_power, fit_swing, mean_and_error, mean_sweep
from scree.plot import PALETTE
from toolkit import Check, Figure, below, close, near

CASES = ((50, 40), (100, 10))  # disks, sweeps
PUSH, OVERLAP = 0.05, 0.05


def rigid(grains: int, sweeps: int, push: float, steps: int, seed: int) -> np.ndarray:
    """How far the last disk has been pushed in after each step of contact dynamics. The disks overlap from the start, so that all gaps
    count as closed, as in (UK 38): overlaps make no forces here."""
    world = chain(grains, sweeps, 0.0, push, seed)
    positions = np.zeros((grains, 2))
    positions[:, 0] = 0.5 - OVERLAP / 2 + (1 - OVERLAP) * np.arange(grains)
    world.position = positions
    pushed = np.empty(steps)
    for step in range(steps):
        world.step()
        pushed[step] = positions[-1, 0] - world.position[-1, 0]
    return pushed


def springs(grains: int, sweeps: int, push: float, steps: int) -> np.ndarray:
    """The same with springs and dashpots (UK 65) of (UK 67, 68). The wall is the mirror of the chain: half a contact, twice as stiff."""
    stiffness = damping = Q * sweeps
    per_unit = math.ceil(200 * sweeps / 40)  # explicit steps must resolve the dashpots
    world = scree.World(dimension=2, time_step=1 / per_unit, engine="soft")
    world.add_material(stiffness=stiffness, damping=damping)
    wall = world.add_material(stiffness=2 * stiffness, damping=2 * damping)
    world.set_law(0, wall, stiffness=2 * stiffness, damping=2 * damping)
    fill_chain(world, grains, 0.0, push, material=wall)
    pushed, start = np.empty(steps), world.position[-1, 0]
    for step in range(steps):
        world.step(per_unit)
        pushed[step] = start - world.position[-1, 0]
    return pushed


def finite_shrinkage(grains: int, sweeps: int) -> float:
    """How far the finite chain is pushed in by the force 1 in the end, averaged over the orders of the sweeps.

    With P = S^N_I (see finite_chain) the forces change by R' - R = (1 - P) (R* - R) and v' = v + F + B R', so
    v' = -B P (1 - P)^-1 (R' - R). Summed over all steps, R has grown from zero to F everywhere.
    """
    relaxed = np.linalg.matrix_power(mean_sweep(grains), sweeps)
    balance = np.eye(grains) - np.eye(grains, k=1)
    return float(abs((balance @ relaxed @ np.linalg.solve(np.eye(grains) - relaxed, np.ones(grains)))[-1]))


def settled(grains: int, sweeps: int, push: float, seed: int) -> float:
    steps = round(9 * continuum(grains, sweeps).damping_time) + 60
    return float(rigid(grains, sweeps, push, steps, seed)[-1])


def trajectory(grains: int, sweeps: int) -> dict[str, Any]:
    steps = round(4.5 * continuum(grains, sweeps).damping_time)
    return {"grains": grains, "sweeps": sweeps, "rigid": rigid(grains, sweeps, PUSH, steps, 1), "springs": springs(grains, sweeps, PUSH, steps)}


def measure(quick: bool) -> dict[str, Any]:
    seeds = range(1, 4 if quick else 9)
    loads = (0.01, 0.02, 0.04) if quick else (0.01, 0.02, 0.03, 0.04, 0.05)
    sizes = {10: (20, 40), 40: (40,)} if quick else {10: (10, 20, 40, 80, 160), 40: (20, 40, 80, 160)}
    lengths = [{"grains": grains, "sweeps": sweeps, "finite": finite_shrinkage(grains, sweeps),
                "shrinkage": [settled(grains, sweeps, PUSH, seed) / PUSH for seed in seeds]} for sweeps, counts in sizes.items() for grains in counts]
    load = [{"sweeps": sweeps, "loads": loads, "shrinkage": [settled(50, sweeps, load, 1) for load in loads]} for sweeps in (10, 20, 40)]
    return {"trajectories": [trajectory(*case) for case in CASES[:1 if quick else 2]], "lengths": lengths, "load": load}


def ideal(grains: int, sweeps: int) -> float:
    """Shrinkage of the springs for the force 1: n - 1 contacts and the half one at the wall."""
    return (grains - 0.5) / (Q * sweeps)


def blur(grains: int, sweeps: int) -> float:
    """The diffusion length (UK 47) over the length of the chain: on larger scales the two chains ought to be the same."""
    return math.sqrt(4 * Q * sweeps) / grains


def judge(data: dict[str, Any], quick: bool) -> list[Check]:
    checks = []
    for run in data["trajectories"]:
        grains, sweeps = run["grains"], run["sweeps"]
        name, theory = f"$n$ = {grains}, $N_I$ = {sweeps}", continuum(grains, sweeps)
        begin = round(0.7 * theory.damping_time)
        time = np.arange(begin, len(run["springs"]))
        for engine, text, part in (("springs", "springs", 0.01), ("rigid", "contact dynamics", 0.02)):
            fit = fit_swing(time, np.array(run[engine])[begin:], *theory)
            checks.append(close(f"{name}, {text}: frequency, eq. (58)", theory.frequency, fit.frequency, 0.01))
            checks.append(close(f"{name}, {text}: damping time, eq. (60)", theory.damping_time, fit.damping_time, part))
        end = PUSH * ideal(grains, sweeps)
        apart = np.max(np.abs(np.array(run["rigid"]) - np.array(run["springs"]))) / end
        checks.append(below(f"{name}: largest difference between the two, relative to the shrinkage; limit: diffusion length over chain length",
                            blur(grains, sweeps), float(apart)))
    for run in data["load"]:
        power = fit_power(run["loads"], run["shrinkage"])
        checks.append(near(f"$N_I$ = {run['sweeps']}: shrinkage is proportional to the load; exponent", 1.0, power.exponent, 1e-6))
    for run in data["lengths"]:
        value, error = mean_and_error(run["shrinkage"])
        name = f"$n$ = {run['grains']}, $N_I$ = {run['sweeps']}"
        checks.append(near(f"{name}: shrinkage under unit force, compared with the exact result for the finite chain, within 4 standard errors", run["finite"], value, 4 * error))
    longest = max((run for run in data["lengths"] if run["sweeps"] == 10), key=lambda run: run["grains"])
    checks.append(close(f"$n$ = {longest['grains']}, $N_I$ = 10: shrinkage under unit force, compared with the springs of eq. (67)", ideal(longest["grains"], 10),
                        mean_and_error(longest["shrinkage"])[0], blur(longest["grains"], 10)))
    return checks


def draw(data: dict[str, Any]) -> Any:
    figure, axes = plt.subplots(2, 2, figsize=(7.2, 5.4))
    for panel, run in zip(axes[0], data["trajectories"]):
        draw_trajectory(panel, run)
    if len(data["trajectories"]) < 2:
        axes[0, 1].axis("off")
    draw_load(axes[1, 0], data["load"])
    draw_lengths(axes[1, 1], data["lengths"])
    return figure


def draw_trajectory(axes: Any, run: dict[str, Any]) -> None:
    shown = len(run["rigid"]) if run["sweeps"] == 40 else len(run["rigid"]) // 3
    every = max(1, shown // 140)
    time = np.arange(1, len(run["rigid"]) + 1)
    axes.set_xlim(0, shown)
    axes.plot(time, run["springs"], color=PALETTE[1], label="springs and dashpots, soft engine")
    axes.plot(time[::every], run["rigid"][::every], "o", color=PALETTE[0], markersize=2.4, markeredgewidth=0, label="contact dynamics")
    axes.axhline(PUSH * ideal(run["grains"], run["sweeps"]), color=SOFT_INK, linewidth=0.7, linestyle=(0, (4, 3)))
    axes.set_title(f"$n$ = {run['grains']}, $N_I$ = {run['sweeps']}", fontsize=8.5)
    axes.set_xlabel("time [$\\Delta t$]")
    axes.set_ylabel("last disk pushed in by [$d$]")
    axes.set_ylim(0, 1.2 * np.max(run["springs"]))
    axes.legend(loc="lower right")


def draw_load(axes: Any, runs: list[dict[str, Any]]) -> None:
    for run, colour, mark in zip(runs, PALETTE, "os^"):
        loads = np.array([0, 1.1 * run["loads"][-1]])
        axes.plot(loads, ideal(50, run["sweeps"]) * loads, color=colour, linewidth=1)
        axes.plot(run["loads"], run["shrinkage"], mark, color=colour, markersize=4, markerfacecolor="none", label=f"$N_I$ = {run['sweeps']}")
    axes.plot([], [], color=SOFT_INK, linewidth=1, label="$(n - ½) F / \\kappa$, eq. (67)")
    axes.set_xlim(left=0)
    axes.set_ylim(bottom=0)
    axes.set_xlabel("load $F$ [$m d/\\Delta t^2$]")
    axes.set_ylabel("shrinkage of 50 disks [$d$]")
    axes.legend(loc="upper left")


def draw_lengths(axes: Any, runs: list[dict[str, Any]]) -> None:
    axes.axhline(1, color=PALETTE[1], linewidth=1.2, label="springs, eq. (67)")
    for sweeps, colour, mark in zip((10, 40), (PALETTE[0], PALETTE[2]), "os"):
        chosen = [run for run in runs if run["sweeps"] == sweeps]
        x = np.array([run["grains"] for run in chosen]) / math.sqrt(4 * Q * sweeps)
        scale = np.array([ideal(run["grains"], sweeps) for run in chosen])
        values = np.array([mean_and_error(run["shrinkage"]) for run in chosen])
        axes.errorbar(x, values[:, 0] / scale, values[:, 1] / scale, fmt=mark, color=colour, markersize=4, markerfacecolor="none", elinewidth=0.8,
                      label=f"$N_I$ = {sweeps}")
        axes.plot(x, [run["finite"] for run in chosen] / scale, "_", color="#2a2e35", markersize=9, markeredgewidth=1)
    axes.plot([], [], "_", color="#2a2e35", markersize=9, label="finite chain, exactly")
    axes.set_xscale("log")
    axes.set_xticks([2, 5, 10, 20], ["2", "5", "10", "20"])
    axes.minorticks_off()
    axes.set_xlabel("length of the chain / diffusion length")
    axes.set_ylabel("shrinkage / $(n - ½) F \\kappa^{-1}$")
    axes.legend(loc="lower right")


FIGURE = Figure(
    paper="review",
    figure="eqs. (65) to (68)",
    title="The incomplete iteration as springs and dashpots",
    text="""
The chain of Fig. 7 rests against the wall and is pushed by $F = 0.05$ from $t = 0$ on. Points: contact dynamics with
$N_I$ sweeps per step. Lines: the soft engine with the stiffness $\\kappa = qmN_I/\\Delta t^2$ and the damping
$\\gamma = qmN_I/\\Delta t$ of (67) and (68) at each contact; the wall counts as the mirror image of the chain, so its
contact is twice as stiff. Nothing is fitted. Bottom left: the rigid chain shrinks in proportion to the load. Bottom
right: the paper claims that the correspondence holds on large scales, and it does: the load enters over about one
diffusion length $\\sqrt{4qN_I}\\,d$, where the chain is stiffer, and the longer the chain, the less this matters. The
dashed lines are the finite chain averaged over all sweep orders, without a fit. In contact dynamics the disks overlap
by 0.05 from the start, which produces no force, so that all contacts count as closed, as the theory assumes.
""",
    measure=measure,
    draw=draw,
    judge=judge,
    seconds=45,
)
