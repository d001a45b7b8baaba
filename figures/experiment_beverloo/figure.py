"""The flow out of a silo (Beverloo's law) in the plane."""

from __future__ import annotations

import math
from typing import Any, Callable

import numpy as np

import scree
from toolkit import Check, Figure, Parts, above, near

GRAINS, WIDTH, STEP = 600, 24.0, 0.02
OPENINGS = (5.0, 6.0, 7.5, 9.0, 11.0)
DEPTH = 3.0  # below the bottom, where grains are taken away


def silo(opening: float) -> scree.World:
    """Walls and bottom, with a plug in the hole as the last wall."""
    world = scree.World(dimension=2, time_step=STEP, gravity=(0, -1))
    world.add_material(density=4 / math.pi, friction=0.5)
    for x, side in ((0, 1), (WIDTH, -1)):
        world.add_plane((x, 0), (side, 0))
    half = (WIDTH - opening) / 4
    for x in (half, WIDTH - half):
        world.add_block((x, -0.5), (half, 0.5))
    if opening > 0:
        world.add_block((WIDTH / 2, -0.5), (opening / 2, 0.5))
    return world


def make(part: str, quick: bool, done: Callable[[str], dict[str, Any]]) -> dict[str, Any]:
    if part == "fill":
        world, random = silo(0.0), np.random.default_rng(1)
        columns, index = int(WIDTH / 1.25), np.arange(GRAINS)
        place = np.column_stack([(index % columns + 0.5) * WIDTH / columns, 0.7 + 1.25 * (index // columns)])
        world.add_grains(place + random.uniform(-0.02, 0.02, place.shape), random.uniform(0.4, 0.6, GRAINS),
                         velocity=random.normal(0, 0.3, place.shape))
        world.step(1500)
        return {"position": world.position[:, :2].copy(), "radius": world.radius.copy()}
    filled = done("fill")
    world = silo(float(part))
    world.add_grains(np.array(filled["position"]), np.array(filled["radius"]))
    world.step(10)
    world.remove_wall(world.wall_count - 1)
    time, out, left = [0.0], [0.0], 0.0
    while len(world) > 0.35 * GRAINS and world.time < 150:
        world.step(10)
        gone = world.position[:, 1] < -DEPTH
        left += float(world.mass[gone].sum())
        world.remove_grains(gone)
        time.append(world.time)
        out.append(left)
    return {"time": time, "out": out}


def flow(run: dict[str, Any], between: tuple[float, float] = (0.1, 0.6)) -> float:
    """The mass that leaves in a unit of time, while it goes from one part of the filling to another."""
    time, out = np.array(run["time"]), np.array(run["out"])
    chosen = (out >= between[0] * GRAINS) & (out <= between[1] * GRAINS)
    return float(np.polyfit(time[chosen], out[chosen], 1)[0]) if chosen.sum() > 2 else 0.0  # it has clogged


def line(data: dict[str, Any]) -> tuple[float, float, float]:
    """W^(2/3) against the opening: slope, where it vanishes, and the correlation."""
    root = [flow(data[f"{opening:g}"]) ** (2 / 3) for opening in OPENINGS]
    slope, level = np.polyfit(OPENINGS, root, 1)
    return float(slope), float(-level / slope), float(np.corrcoef(OPENINGS, root)[0, 1])


def draw(data: dict[str, Any]) -> Any:
    import matplotlib.pyplot as plt

    picture, (left, right) = plt.subplots(1, 2, figsize=(7.2, 3.2))
    for opening in OPENINGS:
        run = data[f"{opening:g}"]
        left.plot(run["time"], run["out"], label=f"D = {opening:g} d")
    left.set(xlabel=r"time $\sqrt{g/d}$", ylabel="grains that have left")
    left.legend()
    slope, zero, _ = line(data)
    right.plot(OPENINGS, [flow(data[f"{opening:g}"]) ** (2 / 3) for opening in OPENINGS], "o")
    wide = np.array([zero, OPENINGS[-1]])
    right.plot(wide, slope * (wide - zero), "k-", linewidth=1, label=rf"$(D - {zero:.2f}\,d)^{{3/2}}$")
    right.set(xlabel="opening D/d", ylabel=r"$W^{2/3}$", xlim=(0, None), ylim=(0, None))
    right.legend()
    return picture


def judge(data: dict[str, Any], quick: bool) -> list[Check]:
    slope, zero, correlation = line(data)
    early = np.array([flow(data[f"{opening:g}"], (0.1, 0.35)) for opening in OPENINGS])
    late = np.array([flow(data[f"{opening:g}"], (0.35, 0.6)) for opening in OPENINGS])
    bulk = 0.82 * 4 / math.pi  # mass over area of the filling
    return [
        above("correlation of W^(2/3) with the opening: the exponent is 3/2", 0.995, correlation),
        near("opening at which the flow would stop, k (published: 1 to 2 diameters)", 1.5, zero, 0.5),
        near("C of W = C rho sqrt(g) (D - k d)^(3/2); falling freely from an arch over the hole gives 0.87", 0.87,
             slope ** 1.5 / bulk, 0.2),
        near("flow while the height halves, late over early", 1, float(np.mean(late / early)), 0.1)]


TEXT = f"""
{GRAINS} disks (radii within 20 % of the mean, friction 0.5) fall out of a flat silo, {WIDTH:g} diameters wide, through
holes of 5 to 11 diameters (one of 4 clogs); units are the mean diameter, its mass and gravity. Beverloo, Leniger and van de Velde (1961)
found for round holes $W\\sim(D-kd)^{{5/2}}$ with $k\\approx1.4$, whatever the height of the filling; in the plane it is
$(D-kd)^{{3/2}}$ (Mankoc and others 2007, who compare experiments and simulations in both; $k$ depends on which openings are
compared). Grains that fall freely from rest out of a half circle over the hole would leave at $0.87\\,\\rho\\sqrt{{g}}\\,D^{{3/2}}$.
"""

FIGURE = Figure(paper="experiments", figure="Beverloo and others (1961), Mankoc and others (2007)", title="The flow out of a silo",
                text=TEXT, measure=Parts(lambda quick: [["fill"], [f"{opening:g}" for opening in OPENINGS]], make), draw=draw,
                judge=judge, seconds=60, small=False)
