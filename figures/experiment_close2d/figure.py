"""Random close packing of disks."""

from __future__ import annotations

import math
from typing import Any, Callable

import numpy as np

import scree
from experiments import cell_of, compact, mean_and_error
from toolkit import Check, Figure, Parts, holds, near

GRAINS = 400
SEEDS = (1, 2, 3)


def make(part: str, quick: bool, done: Callable[[str], dict[str, Any]]) -> dict[str, Any]:
    half = GRAINS // 2
    scene = cell_of([{"count": half, "radius": 0.7 / 1.2}, {"count": half, "radius": 0.5 / 1.2}],
                    side=math.sqrt(GRAINS * 0.822 / 0.5), friction=0, seed=int(part), tolerance=1e-3, iterations=5000)
    rests = compact(scene, still=1e-6, longest=200)
    world = scene.world
    now = scree.measures.state(world, least=3)
    return {"solid": now.solid_fraction, "coordination": now.coordination_backbone, "rattlers": now.rattlers, "rests": rests,
            "position": np.round(world.position[:, :2], 3), "radius": np.round(world.radius, 4),
            "edges": world.cell.edges[:2, :2]}


def draw(data: dict[str, Any]) -> Any:
    import matplotlib.pyplot as plt
    from matplotlib.collections import EllipseCollection

    picture, axis = plt.subplots(figsize=(4.2, 4.4))
    run = data["1"]
    position, diameter = np.array(run["position"]), 2 * np.array(run["radius"])
    axis.add_collection(EllipseCollection(diameter, diameter, 0 * diameter, units="x", offsets=position, facecolors="#c9b79c",
                                          edgecolors="black", linewidths=0.2, offset_transform=axis.transData))
    axis.set(xlim=(0, run["edges"][0][0]), ylim=(0, run["edges"][1][1]), aspect="equal", xticks=[], yticks=[])
    axis.set_title(rf"$\phi$ = {run['solid']:.4f}, Z = {run['coordination']:.2f}", fontsize=8)
    return picture


def judge(data: dict[str, Any], quick: bool) -> list[Check]:
    solid, contacts = (mean_and_error([run[name] for run in data.values()])[0] for name in ("solid", "coordination"))
    width = 0.16 * GRAINS ** -0.55
    shift = 0.12 * GRAINS ** (-1 / (2 * 0.71))
    return [
        near(f"solid fraction, mean of {len(SEEDS)} (published: 0.842, less {shift:.4f} for {GRAINS} disks; single packings "
             f"have a width of {width:.4f})", 0.842 - shift, solid, width),
        near("coordination without rattlers, isostatic", 4, contacts, 0.08),
        holds("packings at rest", "all", f"{sum(run['rests'] for run in data.values())} of {len(SEEDS)}",
              all(run["rests"] for run in data.values()))]


TEXT = f"""
{GRAINS} disks of two sizes (1 : 1.4, half of each) without friction fall into place in a periodic cell that holds a pressure.
O'Hern, Silbert, Liu and Nagel (2003) find, with soft disks brought to the point where they just touch, a solid
fraction of 0.842 for large systems, how it depends on their number $N$ ($0.12\\,N^{{-0.70}}$ less, in the plane) and how
wide single packings scatter ($0.16\\,N^{{-0.55}}$). The number of contacts of those that carry is 4, as many as there are
unknowns.
"""

FIGURE = Figure(paper="experiments", figure="O'Hern and others (2003)", title="Random close packing of disks", text=TEXT,
                measure=Parts(lambda quick: [[str(seed) for seed in SEEDS]], make), draw=draw, judge=judge, seconds=25,
                small=False)
