"""Random close packing of equal spheres."""

from __future__ import annotations

from typing import Any, Callable

import numpy as np

import scree
from experiments import cell_of, compact, mean_and_error
from toolkit import Check, Figure, Parts, holds, near

GRAINS = 500
SEEDS = (1, 2)


def make(part: str, quick: bool, done: Callable[[str], dict[str, Any]]) -> dict[str, Any]:
    scene = cell_of([{"count": GRAINS, "radius": 0.5}], side=(GRAINS * np.pi / 6 / 0.3) ** (1 / 3), dimension=3, seed=int(part),
                    friction=0, tolerance=1e-3, iterations=5000)
    path, rests = [], False
    while not rests and scene.world.time < 100:
        rests = compact(scene, still=1e-6, longest=scene.world.time + 4)
        now = scree.measures.state(scene.world, least=4)
        path.append((scene.world.time, now.solid_fraction))
    return {"solid": now.solid_fraction, "coordination": now.coordination_backbone, "rattlers": now.rattlers, "rests": rests,
            "path": path}


def draw(data: dict[str, Any]) -> Any:
    import matplotlib.pyplot as plt

    picture, axis = plt.subplots()
    for seed in SEEDS:
        time, solid = np.array(data[str(seed)]["path"]).T
        axis.plot(time, solid, label=f"packing {seed}")
    axis.axhspan(0.636, 0.64, color="black", alpha=0.15, linewidth=0, label="published")
    axis.set(xlabel="time", ylabel="solid fraction", ylim=(0.55, 0.66))
    axis.legend()
    return picture


def judge(data: dict[str, Any], quick: bool) -> list[Check]:
    solid, contacts = (mean_and_error([run[name] for run in data.values()])[0] for name in ("solid", "coordination"))
    return [
        near("solid fraction (published: 0.636 to 0.64)", 0.638, solid, 0.004),
        near("coordination without rattlers, isostatic", 6, contacts, 0.1),
        holds("packings at rest", "all", f"{sum(run['rests'] for run in data.values())} of {len(SEEDS)}",
              all(run["rests"] for run in data.values()))]


TEXT = f"""
{GRAINS} equal spheres without friction fall into place in a periodic cell that holds a pressure. Scott and Kilgour (1969)
measured $0.6366\\pm0.0005$ with steel balls; O'Hern and others (2003) find $0.639\\pm0.001$ for soft spheres that just touch,
with six contacts for each sphere that carries. Rattlers are spheres with fewer than four contacts.
"""

FIGURE = Figure(paper="experiments", figure="Scott and Kilgour (1969)", title="Random close packing of spheres", text=TEXT,
                measure=Parts(lambda quick: [[str(seed) for seed in SEEDS]], make), draw=draw, judge=judge, seconds=30,
                small=False)
