"""A granular gas cools (Haff's law)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

import scree
from experiments import mean_and_error
from toolkit import Check, Figure, below, close, near

GRAINS, SOLID, RESTITUTION = 500, 0.2, 0.9
STEP, STEPS = 0.04, 2000
SEEDS = {False: (1, 2, 3, 4), True: (1,)}


def collision_rate() -> float:
    """Of one disk of diameter and mass 1 at the temperature m v_x^2 = 1, by Enskog's theory:
    2 sqrt(pi) n d g, with the pair correlation at contact g = (1 - 7 phi / 16) / (1 - phi)^2."""
    density = SOLID / (math.pi / 4)
    return 2 * math.sqrt(math.pi) * density * (1 - 7 * SOLID / 16) / (1 - SOLID) ** 2


#: Each collision costs (1 - e^2) T of the mean energy T of two disks: dT/dt = -(1 - e^2) w T / 2 with w ~ sqrt(T).
TAU = 4 / ((1 - RESTITUTION ** 2) * collision_rate())


def cool(seed: int, steps: int) -> list[list[float]]:
    """Time over tau and temperature over the first one."""
    random = np.random.default_rng(seed)
    side = math.sqrt(GRAINS * math.pi / 4 / SOLID)
    scene = scree.load_scene({
        "dimension": 2, "seed": seed, "time": {"step": STEP, "end": 1e9}, "periodic": {"x": [0, side], "y": [0, side]},
        "materials": {"grain": {"density": 4 / math.pi, "restitution": RESTITUTION}},
        "grains": [{"count": GRAINS, "radius": 0.5, "fill": {"min": [0, 0], "max": [side, side]}}]})
    world = scene.world
    velocity = random.normal(size=(GRAINS, 2))
    velocity -= velocity.mean(axis=0)
    world.set_velocity(..., velocity / math.sqrt(np.mean(velocity ** 2)))
    energy = np.concatenate([[GRAINS], world.step(steps).kinetic_energy]) / GRAINS
    every = steps // 100
    return [(np.arange(0, steps + 1, every) * STEP / TAU).tolist(), energy[::every].tolist()]


def measure(quick: bool) -> dict[str, Any]:
    return {"run": [cool(seed, STEPS // 2 if quick else STEPS) for seed in SEEDS[quick]]}


def fitted(run: list[list[float]], longest: float = math.inf) -> tuple[float, float]:
    """T = (1 + s t)^-2 is a straight line of 1 / sqrt(T): s tau, and how far the line is off at most, relative."""
    t, root = (np.array(values)[np.array(run[0]) <= longest] for values in (run[0], 1 / np.sqrt(run[1])))
    slope = float(np.sum(t * (root - 1)) / np.sum(t * t))
    return slope, float(np.max(np.abs(root / (1 + slope * t) - 1)))


def draw(data: dict[str, Any]) -> Any:
    import matplotlib.pyplot as plt

    picture, axis = plt.subplots()
    for run in data["run"]:
        axis.loglog(1 + np.array(run[0]), run[1], ".", markersize=4, alpha=0.6)
    t = np.geomspace(1, 1 + data["run"][0][0][-1], 50)
    axis.loglog(t, t ** -2, "k-", linewidth=1, label=r"Haff: $(1+t/\tau)^{-2}$, $\tau$ from Enskog's theory")
    axis.set(xlabel=r"$1 + t/\tau$", ylabel=r"$T/T_0$")
    axis.legend()
    return picture


def judge(data: dict[str, Any], quick: bool) -> list[Check]:
    fits = np.array([fitted(run) for run in data["run"]])
    first = np.array([fitted(run, 0.6)[0] for run in data["run"]])
    late = [np.polyfit(np.log(1 + np.array(run[0]))[10:], np.log(run[1])[10:], 1)[0] for run in data["run"]]
    checks = [near("exponent of the temperature over 1 + t/tau", -2, float(np.mean(late)), 0.15 if quick else 0.1),
              close("rate of cooling up to 0.6 tau over that of Enskog's theory", 1, float(first.mean()), 0.1 if quick else 0.04),
              close("the same of whole runs, in which velocities become correlated", 1, float(fits[:, 0].mean()), 0.1),
              below("largest distance of a run from Haff's law, relative, in 1/sqrt(T)", 0.1, float(fits[:, 1].max()))]
    if not quick:
        checks.append(below("standard error of the first rate over the seeds", 0.03, mean_and_error(first)[1]))
    return checks


TEXT = f"""
{GRAINS} smooth disks with restitution {RESTITUTION:g} at a solid fraction of {SOLID:g} in a periodic box lose energy in
collisions only. Haff (1983) derived $T=T_0(1+t/\\tau)^{{-2}}$ for the homogeneous gas; with Enskog's rate of collisions
$\\omega_0=2\\sqrt{{\\pi}}\\,n d\\,g\\sqrt{{T_0/m}}$, $g=(1-7\\phi/16)/(1-\\phi)^2$, and a loss of $(1-e^2)T$ in each (Jenkins
and Richman 1985; Luding and Herrmann 1999 compare it with simulations), $1/\\tau=(1-e^2)\\omega_0/4$ without a free
parameter. Velocities of neighbours become correlated on the way, which theory leaves out: collisions are rarer then, by
some 5 %. Runs end before clusters form. The time step of {STEP:g} is a tenth of the time between collisions of a disk
at the start.
"""

FIGURE = Figure(paper="experiments", figure="Haff (1983)", title="A granular gas cools", text=TEXT, measure=measure,
                draw=draw, judge=judge, seconds=20)
