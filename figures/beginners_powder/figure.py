"""Compaction of a cohesive powder with and without rolling and torsion friction (sections 1.7 to 1.9)."""

from __future__ import annotations

from typing import Any

import matplotlib.pyplot as plt
import numpy as np

import scree
from beginners import power_law
from scree.plot import PALETTE
from toolkit import Check, Figure, above, below, near

FRICTION, TENSION, RANGE = 0.3, 1.0, 0.02  # mu, F_C, d_C; the diameter is 1
TORQUE = 0.2  # coefficients of rolling and torsion friction, times the reduced radius
CASES = (("no torques", 0.0, 0.0), ("torsion", 0.0, TORQUE), ("rolling", TORQUE, 0.0), ("rolling and torsion", TORQUE, TORQUE))
FROM = 0.1  # the power law is required from this stress on
TIME_STEP, STILL = 0.05, 1e-3  # the powder rests when the piston is slower than this
PICTURE = 2  # the stress whose pictures are drawn


def deposit(count: int, width: float, seed: int) -> np.ndarray:
    """Ballistic deposition: balls come down one by one, straight, and stick where they touch first."""
    random, place = np.random.default_rng(seed), np.zeros((0, 3))
    for _ in range(count):
        spot = random.uniform(0, width, 2)
        apart = np.abs(place[:, :2] - spot)
        under = 1 - np.sum(np.minimum(apart, width - apart) ** 2, axis=1)
        heights = place[under > 0, 2] + np.sqrt(under[under > 0])
        place = np.vstack([place, [*spot, max(0.5, heights.max(initial=0.0))]])
    return place


def compact(place: np.ndarray, width: float, stresses: Any, rolling: float, torsion: float, latest: float) -> dict[str, Any]:
    """The piston is loaded more and more; the porosity once the powder has come to rest."""
    world = scree.World(time_step=TIME_STEP, periodic={"x": (0, width), "y": (0, width)},
                        solver={"tolerance": 3e-2, "iterations": 100, "overlap": 1e-3})
    world.add_material(friction=FRICTION, rolling=rolling, torsion=torsion, cohesion=TENSION, cohesion_range=RANGE)
    smooth = world.add_material()
    world.add_plane(point=(0, 0, 0), normal=(0, 0, 1))
    area = width * width
    piston = world.add_plane(point=(0, 0, place[:, 2].max() + 0.5), normal=(0, 0, -1), mass=0.3 * area, force=(0, 0, 0),
                             material=smooth)
    world.add_grains(place, 0.5)
    solid = len(place) * np.pi / 6
    found: dict[str, Any] = {"porosity": [], "coordination": [], "waited": []}
    for number, stress in enumerate(stresses):
        world.set_wall_force(piston, (0, 0, -stress * area))
        begin, height, before = world.time, np.inf, np.inf
        while world.time - begin < latest:
            world.step(60)
            before, height = height, float(world.wall(piston).point[2])
            if abs(before - height) < STILL * 60 * TIME_STEP:
                break
        found["porosity"].append(1 - solid / (area * height))
        found["coordination"].append(world.coordination())
        found["waited"].append(world.time - begin)
        if number == PICTURE:
            found["picture"] = world.position.tolist()
    return found


def measure(quick: bool) -> dict[str, Any]:
    width, count, seeds, latest = (5.0, 130, 1, 60.0) if quick else (7.0, 340, 2, 120.0)
    stresses = np.geomspace(0.01, 10, 6 if quick else 9)
    data: dict[str, Any] = {"stress": stresses.tolist(), "width": width, "cases": {name: [] for name, _, _ in CASES},
                            "first": []}
    for seed in range(1, seeds + 1):
        place = deposit(count, width, seed)
        data["first"].append(1 - count * np.pi / 6 / (width**2 * (place[:, 2].max() + 0.5)))
        for name, rolling, torsion in CASES:
            data["cases"][name].append(compact(place, width, stresses, rolling, torsion, latest))
    return data


def porosity(data: dict[str, Any], name: str) -> np.ndarray:
    """One row per deposit, one column per stress."""
    return np.array([one["porosity"] for one in data["cases"][name]])


def fit(data: dict[str, Any], name: str) -> tuple[float, float, np.ndarray, np.ndarray, np.ndarray]:
    """Exponent, factor, and the stresses, porosities and values of the power law over the range asked for."""
    stress, mean = np.array(data["stress"]), porosity(data, name).mean(axis=0)
    chosen = stress > FROM
    exponent, _, factor = power_law(stress[chosen], mean[chosen])
    return exponent, factor, stress[chosen], mean[chosen], factor * stress[chosen] ** exponent


def picture(axes: plt.Axes, data: dict[str, Any], name: str, colour: str) -> None:
    world = scree.World(time_step=1.0, gravity=(0, 0, -1))
    world.add_material()
    place = np.array(data["cases"][name][0]["picture"])
    place[:, :2] %= data["width"]
    world.add_grains(place, 0.5)
    scree.plot.grains(world, colour, ax=axes, legend=False, title="", camera=(0.5, -1, 0.35))
    axes.text(0.5, -0.04, f"{name}\n$\\eta$ = {data['cases'][name][0]['porosity'][PICTURE]:.2f} at $\\sigma d^2/F_C$ = "
              f"{data['stress'][PICTURE]:.2g}", transform=axes.transAxes, ha="center", va="top", fontsize=8)


def draw(data: dict[str, Any]) -> plt.Figure:
    figure, axes = plt.subplot_mosaic([["graph", "plain", "torques"]], figsize=(8.8, 3.6), width_ratios=(1.5, 0.8, 0.8))
    stress = np.array(data["stress"])
    for (name, _, _), colour, mark in zip(CASES, (PALETTE[1], PALETTE[3], PALETTE[2], PALETTE[0]), "osD^"):
        rows = porosity(data, name)
        mean, spread = rows.mean(axis=0), rows.std(axis=0)
        exponent, factor, fitted, _, law = fit(data, name)
        axes["graph"].errorbar(stress, mean, spread, fmt=mark, color=colour, markerfacecolor="none", elinewidth=0.8,
                               label=f"{name}: $\\sigma^{{{exponent:.3f}}}$")
        axes["graph"].plot(fitted, law, color=colour, linewidth=0.9)
        whole = np.geomspace(fitted[0] / 12, fitted[0], 2)
        axes["graph"].plot(whole, factor * whole**exponent, color=colour, linewidth=0.7, linestyle=(0, (1, 2)))
    axes["graph"].axhline(np.mean(data["first"]), color="#7b828c", linewidth=0.7, linestyle=(0, (4, 3)))
    axes["graph"].annotate("as deposited", (stress[-1], np.mean(data["first"])), xytext=(0, -3), textcoords="offset points",
                           ha="right", va="top", fontsize=7, color="#7b828c")
    axes["graph"].set(xscale="log", yscale="log", xlabel=r"stress of the piston $\sigma\,d^2/F_C$", ylabel=r"porosity $\eta$",
                      yticks=(0.4, 0.5, 0.6, 0.7, 0.8, 0.9), ylim=(0.38, 0.95))
    axes["graph"].minorticks_off()
    axes["graph"].set_yticklabels(["0.4", "0.5", "0.6", "0.7", "0.8", "0.9"])
    axes["graph"].legend(loc="lower left")
    picture(axes["plain"], data, "no torques", "#e0a37a")
    picture(axes["torques"], data, "rolling and torsion", "#7aa6c8")
    low = min(axes[name].get_ylim()[0] for name in ("plain", "torques"))
    high = max(axes[name].get_ylim()[1] for name in ("plain", "torques"))
    for name in ("plain", "torques"):
        axes[name].set_ylim(low, high)
    return figure


def judge(data: dict[str, Any], quick: bool) -> list[Check]:
    mean = {name: porosity(data, name).mean(axis=0) for name, _, _ in CASES}
    plain, both = mean["no torques"], mean["rolling and torsion"]
    checks = [above(f"porosity with {name} minus porosity without torques: smallest value over all stresses", 0.0 if not quick else -0.03,
                    float((mean[name] - plain).min())) for name in ("torsion", "rolling", "rolling and torsion")]
    checks += [above(f"porosity with both torques minus porosity with {name} alone: mean over all stresses", 0.0,
                     float((both - mean[name]).mean())) for name in ("torsion", "rolling")]
    single = mean["rolling"] + mean["torsion"] - 2 * plain
    checks.append(near("effects are about additive: gain from both torques over the sum of the separate gains, summed over all stresses", 1.0,
                       float((both - plain).sum() / single.sum()), 0.35 if not quick else 0.6))
    for name, _, _ in CASES:
        exponent, _, _, found, law = fit(data, name)
        checks.append(above(f"power law, {name}, exponent {exponent:.3f}: squared correlation of the logarithms",
                            0.97 if not quick else 0.85, float(np.corrcoef(np.log(law), np.log(found))[0, 1] ** 2)))
        checks.append(below(f"power law, {name}: largest relative deviation", 0.03 if not quick else 0.08,
                            float(np.abs(found / law - 1).max())))
    return checks


TEXT = f"""
Equal spheres of diameter $d=1$ are deposited ballistically between a floor and a piston (periodic at the sides, no
gravity) and then compacted: the stress $\\sigma$ of the piston is raised step by step, and each time the piston is left
to come to rest. Cohesion $F_C={TENSION:g}$ with a range of ${RANGE}$, friction ${FRICTION}$; the coefficients of
rolling and torsion friction are $0$ or ${TORQUE}$ (times $r^*$). Symbols are means over deposits, bars show their
scatter, and full lines are power laws. The paper has no picture of this. Its section 1.9 cites simulations of the
effect of rolling and torsion friction on the compaction of porous cohesive powders [3], whose abstract calls both
effects significant and approximately additive. The section also names a power law between compacting stress and
porosity as the key result of [4]. Here the power law is tested from $\\sigma d^2/F_C = 0.1$ upwards: the loose deposit
collapses under the first load, however small, and is then not compacted any further until the stress has grown to what
that state can carry.
"""

FIGURE = Figure(paper="beginners", figure="sections 1.7 to 1.9", title="Cohesive powder under a piston", text=TEXT, measure=measure,
                draw=draw, judge=judge, seconds=100)
