"""Shared by the figures of *neighbours*: spheres in a box by the penalty engine, and what their search costs."""

from __future__ import annotations

from typing import Any

import numpy as np

import scree

#: The methods by their names in scenes: in words, as the paper calls them, and where the paper has
#: them.
METHODS = {"verlet_list": "Verlet list", "linked_linear_list": "linked linear list", "linked_cell": "linked cell",
           "hierarchical_grid": "hierarchical grid (default)"}

# : A list lasts for about so many steps: meanwhile the fastest bodies move by half the skin.
STEPS_PER_LIST = 5


def box(method: str, positions: np.ndarray, radius: np.ndarray, side: float, *, stiffness: float, density: float, time_step: float,
        cell: float, skin: float) -> scree.World:
    """Spheres in a cube with walls, in random motion. Springs only: no damping, no friction. The linear lists are made every step, as the
    paper does: their skin is too small for more."""
    own_skin = 1e-3 * skin if method == "linked_linear_list" else skin
    world = scree.World(engine="soft", time_step=time_step, search=method, skin=own_skin, cell=cell if method == "linked_cell" else 0,
                        soft={"integrator": "verlet"})
    world.add_material(density=density, stiffness=stiffness, restitution=1)
    for axis in np.eye(3):
        world.add_plane(point=(0, 0, 0), normal=axis)
        world.add_plane(point=side * axis, normal=-axis)
    random = np.random.default_rng(1)
    drift = random.normal(size=positions.shape)
    drift *= (random.uniform(size=len(positions)) ** (1 / 3) / np.linalg.norm(drift, axis=1))[:, None]
    world.add_grains(positions, radius, velocity=drift * 0.5 * skin / STEPS_PER_LIST / time_step)
    return world


def scattered(positions: np.ndarray, room: np.ndarray) -> np.ndarray:
    """Positions moved at random, each within its room: on a lattice all boxes of a plane would end together."""
    return positions + np.random.default_rng(3).uniform(-1, 1, positions.shape) * np.asarray(room)[:, None]


def operations(method: str, count: int, before: scree.Neighbours, after: scree.Neighbours) -> float:
    """Comparisons and exchanges; each list also looks at every body once, or at the ends of its box along each axis."""
    seen = 6 if method == "linked_linear_list" else 1
    return (after.tested - before.tested) + (after.exchanged - before.exchanged) + seen * count * (after.updates - before.updates)


def search_cost(world: scree.World, method: str, lists: int) -> dict[str, Any]:
    """What the search costs per step, averaged over some lists after the first: operations, and processor time."""
    world.step()
    begin, count, steps = world.neighbours(), len(world.mass), lists * (STEPS_PER_LIST + 1)
    world.step(steps)
    end = world.neighbours()
    return {"count": count, "operations": operations(method, count, begin, end) / steps, "seconds": (end.seconds - begin.seconds) / steps,
            "pairs": end.pairs, "lists": end.updates - begin.updates, "steps": steps, "hash": f"{world.hash():016x}"}


def same_worlds(runs: dict[str, list[dict[str, Any]]]) -> bool:
    """Whether worlds with the same skin and number of steps are the same, bit for bit, whatever the method."""
    skinned = [alike for method, alike in runs.items() if method != "linked_linear_list"]
    for alike in zip(*skinned):
        reference = alike[-1]
        if any(run["hash"] != reference["hash"] for run in alike if run["steps"] == reference["steps"]):
            return False
    return True
