"""The pressure at the bottom of a silo saturates (Janssen)."""

from __future__ import annotations

import math
from typing import Any, Callable

import numpy as np

import scree
from toolkit import Check, Figure, Parts, below, near

WIDTH, FRICTION, STEP = 10.0, 0.5, 0.02
FILLINGS = (50, 100, 200, 300, 450, 600)  # disks of mean mass 1
SPEED, WAY = 0.02, 0.6  # of the bottom, downwards
FLOOR = 2  # wall number


def make(part: str, quick: bool, done: Callable[[str], dict[str, Any]]) -> dict[str, Any]:
    grains = int(part)
    random = np.random.default_rng(grains)
    world = scree.World(dimension=2, time_step=STEP, gravity=(0, -1))
    world.add_material(density=4 / math.pi, friction=FRICTION)
    for point, normal in (((0, 0), (1, 0)), ((WIDTH, 0), (-1, 0)), ((0, 0), (0, 1))):
        world.add_plane(point, normal)
    columns, index = int(WIDTH / 1.25), np.arange(grains)
    place = np.column_stack([(index % columns + 0.5) * WIDTH / columns, 0.7 + 1.25 * (index // columns)])
    world.add_grains(place + random.uniform(-0.02, 0.02, place.shape), random.uniform(0.4, 0.6, grains),
                     velocity=random.normal(0, 0.3, place.shape))
    while world.time < 15 or (world.time < 60 and world.kinetic_energy() > 1e-4 * grains):
        world.step(50)
    height = float(world.position[:, 1].max() + 0.5)
    world.set_wall_velocity(FLOOR, (0, -SPEED))
    floor, sides, mobilised = [], [], []
    for _ in range(round(WAY / SPEED / STEP / 10)):
        world.step(10)
        floor.append(-float(world.wall(FLOOR).load[1]))
        load = [world.wall(side).load for side in (0, 1)]
        sides.append(sum(abs(float(each[0])) for each in load))
        mobilised.append(-sum(float(each[1]) for each in load) / (FRICTION * sides[-1]))
    late = slice(len(floor) // 3, None)
    return {"mass": float(world.mass.sum()), "floor": float(np.mean(floor[late])), "scatter": float(np.std(floor[late])),
            "sides": float(np.mean(sides[late])), "mobilised": float(np.mean(mobilised[late])), "height": height}


def fit(runs: list[dict[str, Any]]) -> float:
    """The saturation F of F (1 - exp(-M / F)), by least squares of relative distances."""
    mass, floor = (np.array([run[name] for run in runs]) for name in ("mass", "floor"))
    trial = np.geomspace(10, 1000, 4000)[:, None]
    return float(trial[np.argmin(np.sum((trial * (1 - np.exp(-mass / trial)) / floor - 1) ** 2, axis=1)), 0])


def draw(data: dict[str, Any]) -> Any:
    import matplotlib.pyplot as plt

    runs = list(data.values())
    full = fit(runs)
    picture, axis = plt.subplots()
    axis.errorbar([run["mass"] for run in runs], [run["floor"] for run in runs], [run["scatter"] for run in runs], fmt="o",
                  label="Scree, and how it varies in time")
    mass = np.linspace(0, max(run["mass"] for run in runs), 100)
    axis.plot(mass, full * (1 - np.exp(-mass / full)), "k-", linewidth=1, label=f"Janssen, saturation at {full:.0f}")
    axis.plot(mass, mass, "k:", linewidth=0.8, label="without walls")
    axis.set(xlabel="mass in the silo", ylabel="load of the bottom", ylim=(0, 2.2 * full))
    axis.legend()
    return picture


def judge(data: dict[str, Any], quick: bool) -> list[Check]:
    runs = sorted(data.values(), key=lambda run: run["mass"])
    full = fit(runs)
    off = [run["floor"] / (full * (1 - math.exp(-run["mass"] / full))) - 1 for run in runs]
    tallest = runs[-1]
    # With the friction of the walls fully mobilised, dF/dM = 1 - F / F_full with F_full = rho g L^2 / (2 mu K).
    density = tallest["mass"] / (WIDTH * tallest["height"])
    ratio = density * WIDTH ** 2 / (2 * FRICTION * full)
    return [
        below("largest distance from F (1 - exp(-M / F)), relative", 0.15, max(abs(x) for x in off)),
        below("bottom load of the tallest filling over its weight", 0.4, tallest["floor"] / tallest["mass"]),
        near("K from the saturation, as if friction were fully mobilised (published: 0.5 to 1)", 0.75, ratio, 0.25)]


TEXT = f"""
Disks (radii within 20 % of the mean, friction {FRICTION:g}, also of the walls) stand in a silo {WIDTH:g} diameters wide. Its
bottom goes down slowly, which makes the walls bear more and more until it is constant. Janssen (1895) assumed that the horizontal
stress is $K$ times the vertical one, from which the load of the bottom follows as $F(1-e^{{-M/F}})$ with the mass $M$
of the filling and $F=\\rho g L^2/2\\mu K$ in the plane. Vanel and Clément (1999) and Ovarlez, Fond and Clément (2003) found
just this in silos that are moved slowly, with $K$ from 0.5 to 1 according to how densely they are packed, if friction is
taken as fully mobilised. Here disks roll down the walls, which bear 0.56 of what their friction could, and the
horizontal stress is that much higher than this $K$ says.
"""

FIGURE = Figure(paper="experiments", figure="Janssen (1895), Ovarlez and others (2003)", title="The bottom of a silo bears only a part",
                text=TEXT, measure=Parts(lambda quick: [[str(count) for count in FILLINGS]], make), draw=draw, judge=judge,
                seconds=60, small=False)
