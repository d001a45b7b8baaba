"""What the published experiments share: grains in a periodic cell that is compacted and sheared.

Units: the mean diameter, the density of grains and the pressure are 1, so that a shear rate is the inertial number.
"""

from __future__ import annotations

import math
from typing import Any, Iterator

import numpy as np

import scree


def cell_of(grains: list[dict[str, Any]], *, side: float, dimension: int = 2, friction: float = 0.4, step: float = 0.02,
            seed: int = 1, tolerance: float = 0.1, iterations: int = 2000, viscosity: float = 2.0) -> scree.Scene:
    """Grains that fall into place at random, loosely, in a cell that holds a pressure of 1."""
    axes = "xyz"[:dimension]
    region = {"min": [0] * dimension, "max": [side] * dimension}
    return scree.load_scene({
        "dimension": dimension, "seed": seed, "time": {"step": step, "end": 1e9},
        "periodic": {axis: [0, side] for axis in axes}, "cell": {"pressure": 1, "viscosity": viscosity},
        "materials": {"grain": {"density": 1, "friction": friction}},
        "solver": {"tolerance": tolerance, "iterations": iterations},
        "grains": [{**kind, "fill": region} for kind in grains]})


def compact(scene: scree.Scene, *, still: float, longest: float, every: int = 50) -> bool:
    """Steps until the cell changes by less than `still` of itself in a unit of time, three times in a row; returns
    whether it did before the time `longest`."""
    slow = 0
    while scene.world.time < longest and slow < 3:
        before = scene.world.cell.volume
        scene.step(every)
        rate = abs(scene.world.cell.volume / before - 1) / (every * scene.world.time_step)
        slow = slow + 1 if rate < still else 0
    return slow >= 3


def deform(scene: scree.Scene, name: str, rate: float, stress: str, strain: tuple[float, float], moments: int) -> Iterator[float]:
    """Deforms the cell at the rate of one component, with a stress of 1 held at another: yields the strain at so many
    moments between two strains."""
    world = scene.world
    world.set_cell(rate={name: rate}, stress={stress: 1}, viscosity=0)
    to_steps = 1 / (abs(rate) * world.time_step)
    scene.step(max(1, round(strain[0] * to_steps)))
    each = max(1, round((strain[1] - strain[0]) * to_steps / moments))
    row, column = ("xyz".index(axis) for axis in name)
    for _ in range(moments):
        scene.step(each)
        yield float(world.cell.strain[row, column])


def block_error(values: Any, blocks: int = 5) -> tuple[float, float]:
    """The mean of a series, and its standard error from the means of blocks, which are independent if they are long."""
    values = np.asarray(values, float)
    means = np.array([part.mean() for part in np.array_split(values, blocks)])
    return float(values.mean()), float(means.std(ddof=1) / math.sqrt(blocks))


def mean_and_error(values: Any) -> tuple[float, float]:
    """The mean of independent values, and its standard error."""
    values = np.asarray(values, float)
    return float(values.mean()), float(values.std(ddof=1) / math.sqrt(len(values)))


def contact_parts(world: scree.World) -> dict[str, np.ndarray]:
    """Pairs of grains in the plane that bear a force: their branch vectors, the force of all their points together, and
    how many points there are."""
    contact = world.contacts
    contact = contact[contact.force_normal > 0]
    force = contact.force_normal[:, None] * contact.normal[:, :2] + contact.force_tangential[:, :2]
    pair, of, points = np.unique(np.column_stack([contact.a, contact.b]), axis=0, return_inverse=True, return_counts=True)
    total, normal = np.zeros((len(pair), 2)), np.zeros((len(pair), 2))
    np.add.at(total, of.ravel(), force)
    np.add.at(normal, of.ravel(), contact.normal[:, :2])
    branch = world.position[pair[:, 1], :2] - world.position[pair[:, 0], :2]
    edges = world.cell.edges[:2, :2]
    branch -= np.rint(branch @ np.linalg.inv(edges)) @ edges
    return {"branch": branch, "force": total, "normal": normal, "points": points}


def along_y(direction: np.ndarray, weight: np.ndarray | float = 1.0) -> float:
    """The anisotropy of directions in the plane, positive if more of them lie along y: a of 1 - a cos 2 angle."""
    unit = direction / np.linalg.norm(direction, axis=1)[:, None]
    weight = np.broadcast_to(weight, len(unit))
    return float(2 * np.average(unit[:, 1] ** 2 - unit[:, 0] ** 2, weights=weight))
