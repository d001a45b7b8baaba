"""A heap of spheres on a flat plane: it stands with rolling friction and melts without (section 1.7)."""

from __future__ import annotations

from typing import Any

import matplotlib.pyplot as plt
import numpy as np

import scree
from scree.plot import PALETTE
from toolkit import Check, Figure, above, below, holds

PIPE, LIFT = 4.0, 0.5  # radius of the pipe, the speed at which it is lifted
FRICTION, ROLLING, TORSION = 0.6, 0.3, 0.1
SMALL, LARGE = 0.44, 0.5  # radii
COEFFICIENTS = (0.3, 0.1, 0.03, 0.01, 0.0)
QUICK_COEFFICIENTS = (0.3, 0.03, 0.0)
EVERY = 1.0


def filled_pipe(count: int) -> tuple[scree.World, int]:
    """Layers of balls in a pipe, each turned against the one below."""
    world = scree.World(gravity=(0, 0, -1), time_step=0.02, solver={"tolerance": 1e-2, "iterations": 200})
    world.add_material(friction=FRICTION, rolling=ROLLING, torsion=TORSION)
    smooth = world.add_material()
    world.add_plane(point=(0, 0, 0), normal=(0, 0, 1))
    side = np.arange(-4, 5) * 1.03
    layer = np.array([(x, y) for x in side for y in side if np.hypot(x, y) < PIPE - LARGE])
    positions = []
    while len(positions) < count:
        turn = len(positions) * 1.0
        cosine, sine = np.cos(turn), np.sin(turn)
        height = 0.55 + 1.0 * (len(positions) // len(layer))
        positions += [(cosine * x - sine * y, sine * x + cosine * y, height) for x, y in layer]
    radius = np.random.default_rng(1).uniform(SMALL, LARGE, count)
    world.add_grains(positions[:count], radius)
    tall = positions[-1][2] + 2
    pipe = world.add_cylinder(point=(0, 0, tall / 2), radius=PIPE, length=tall, inside=True, material=smooth)
    return world, pipe


def heap(count: int) -> bytes:
    """A heap at rest: the pipe is lifted slowly, and the balls run out below."""
    world, pipe = filled_pipe(count)
    world.run(until=8)
    top = float(world.position[:, 2].max())
    world.set_wall_velocity(pipe, (0, 0, LIFT))
    world.run(until=world.time + 0.9 * top / LIFT)
    world.remove_wall(pipe)
    while world.kinetic_energy() > 1e-9 * count:
        world.run(until=world.time + 4)
    return world.save()


def slope(positions: np.ndarray, radius: np.ndarray) -> float:
    """The angle in degrees of the cone that has the same mean height, H/4, and the same mean square distance, 3R²/10."""
    height = 4 * float(np.mean(positions[:, 2] - radius.mean()))
    across = positions[:, :2] - positions[:, :2].mean(axis=0)
    return float(np.degrees(np.arctan2(height, np.sqrt(np.mean(np.sum(across**2, axis=1)) * 10 / 3))))


def measure(quick: bool) -> dict[str, Any]:
    count, end = (200, 30.0) if quick else (600, 45.0)
    state = heap(count)
    start = scree.World.load(state)
    data: dict[str, Any] = {"radius": start.radius.tolist(), "start": start.position.tolist(), "runs": []}
    for rolling in QUICK_COEFFICIENTS if quick else COEFFICIENTS:
        world = scree.World.load(state)
        world.set_law(0, 0, rolling=rolling)
        begin = world.time
        rows = [(0.0, slope(world.position, world.radius), float(world.position[:, 2].mean()), 0.0)]
        middle = None
        while world.time - begin < end - 1e-9:
            world.run(until=world.time + EVERY)
            rows.append((world.time - begin, slope(world.position, world.radius), float(world.position[:, 2].mean()),
                         world.kinetic_energy() / count))
            if middle is None and world.time - begin > 15:
                middle = world.position.tolist()
        data["runs"].append({"rolling": rolling, "rows": rows, "picture": middle})
    return data


def picture(axes: plt.Axes, data: dict[str, Any], positions: Any, reach: float, title: str) -> None:
    """The balls, coloured by their initial position in the heap."""
    where, radius, first = np.array(positions), np.array(data["radius"]), np.array(data["start"])[:, 2]
    seen = np.hypot(where[:, 0], where[:, 1]) < reach
    world = scree.World(time_step=1.0, gravity=(0, 0, -1))
    world.add_material()
    world.add_grains(where[seen], radius[seen])
    scree.plot.grains(world, first[seen], ax=axes, limits=(0, float(first.max())), legend=False, title="",
                      camera=(0.25, -1, 0.28))
    axes.set(xlim=(-reach - 0.5, reach + 0.5), ylim=(-0.27 * reach, 0.4 * reach))
    axes.set_title(title, y=0.93)


def draw(data: dict[str, Any]) -> plt.Figure:
    figure, axes = plt.subplot_mosaic([["stands", "time"], ["melts", "time"]], figsize=(8.6, 3.7), width_ratios=(1.45, 1))
    across = np.array(data["start"])[:, :2]
    reach = 1.2 * float(np.hypot(*across.T).max())
    stands, melts = data["runs"][0], data["runs"][-1]
    picture(axes["stands"], data, stands["picture"], reach, f"rolling friction {stands['rolling']:g}: it stands")
    picture(axes["melts"], data, melts["picture"], reach, "none, after 15 time units: it melts")
    shades = [PALETTE[k] for k in (0, 2, 3, 4, 1)] if len(data["runs"]) == 5 else [PALETTE[k] for k in (0, 3, 1)]
    for run, shade in zip(data["runs"], shades):
        rows = np.array(run["rows"])
        axes["time"].plot(rows[:, 0], rows[:, 1], color=shade, label=f"{run['rolling']:g}")
    axes["time"].set(xlabel=r"time since the change [$\sqrt{d/g}$]", ylabel="slope of the heap [degrees]", xlim=(0, rows[-1, 0]))
    axes["time"].set_ylim(bottom=0, top=1.35 * data["runs"][0]["rows"][0][1])
    axes["time"].legend(title=r"rolling coefficient $\mu_t/r^*$", ncol=3, loc="upper right", title_fontsize=8)
    return figure


def judge(data: dict[str, Any], quick: bool) -> list[Check]:
    runs = {run["rolling"]: np.array(run["rows"]) for run in data["runs"]}
    stands, melts = runs[ROLLING], runs[0.0]
    radius = float(np.mean(data["radius"]))
    ends = [rows[-1, 1] for rows in runs.values()]
    layer = (melts[-1, 2] - radius) / (melts[0, 2] - radius)
    return [
        below("with rolling friction: relative change in the mean height", 1e-3, float(abs(stands[-1, 2] / stands[0, 2] - 1))),
        below("with rolling friction: final kinetic energy of a ball / (weight times diameter)", 1e-12,
              float(stands[-1, 3] / (4 / 3 * np.pi * radius**3))),
        above("with rolling friction: final slope in degrees", 12.0 if not quick else 10.0, float(stands[-1, 1])),
        below("without rolling friction: final slope in degrees", 3.0 if not quick else 6.0, float(melts[-1, 1])),
        below("without rolling friction: final height of the heap above a single layer, relative to the initial one", 0.25, float(layer)),
        above("without rolling friction the heap is still spreading: kinetic energy of a ball / (weight times diameter)", 1e-4,
              float(melts[-1, 3] / (4 / 3 * np.pi * radius**3))),
        holds("the more rolling friction, the steeper the final heap", "in this order",
              ", ".join(f"{c:g}: {angle:.1f}°" for c, angle in zip(runs, ends)), all(np.diff(ends) < 0)),
    ]


TEXT = f"""
A heap of spheres (radii uniform from {SMALL} to {LARGE}, friction {FRICTION}, rolling friction {ROLLING}, torsion
friction {TORSION}, the last two multiplied by the reduced radius; gravity 1) is built on a flat floor of the same
material by lifting a smooth pipe. From this heap at rest the simulation is then continued with other coefficients of
rolling friction. The paper says that rolling friction is capable of stabilizing a static heap on a flat plane, but
shows no picture of it. With rolling friction nothing moves any more. Without it the outer balls roll away for ever, and
the others follow until little more than one layer is left. The balls are coloured by their initial height in the heap.
The slope is that of the cone with the same mean height and mean square radius.
"""

FIGURE = Figure(paper="beginners", figure="section 1.7", title="A heap of spheres with and without rolling friction", text=TEXT,
                measure=measure, draw=draw, judge=judge, seconds=70)
