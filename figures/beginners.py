"""Shared by the figures of *beginners*: packings under gravity, and power laws fitted to them."""

from __future__ import annotations

from typing import Any

import numpy as np

import scree

DIAMETER = 1.0  # mean; gravity and density are also 1
SPREAD = 0.2  # radii are uniform within this fraction of their mean


def lattice(count: int, columns: int, dimension: int, pitch: float) -> np.ndarray:
    """Positions for grains: full layers of `columns` to a side, one above the other."""
    number = np.arange(count)
    place = [number // columns**axis % columns for axis in range(dimension - 1)]
    place.append(number // columns ** (dimension - 1))
    return (np.column_stack(place) + 0.5) * pitch


def packing(dimension: int, columns: int, layers: int, seed: int, **world: Any) -> scree.World:
    """Layers of loose grains over a floor, each of `columns` to a side, with periodic sides."""
    random = np.random.default_rng(seed)
    pitch = DIAMETER * (1 + SPREAD + 0.02)
    count = columns ** (dimension - 1) * layers
    up = np.eye(3)[dimension - 1, :dimension]
    settings: dict[str, Any] = {
        "time_step": 0.05,
        "seed": seed,
        "solver": {"tolerance": 1e-2, "iterations": 300, "overlap": 1e-3},
        **world,
    }
    made = scree.World(dimension=dimension, gravity=-up, **settings,
                       periodic={name: (0, columns * pitch) for name in "xy"[: dimension - 1]})
    made.add_material(friction=0.3)
    made.add_plane(point=0 * up, normal=up)
    place = lattice(count, columns, dimension, pitch) + random.uniform(-0.01, 0.01, (count, dimension))
    radius = random.uniform(1 - SPREAD, 1 + SPREAD, count) * DIAMETER / 2
    made.add_grains(place, radius, velocity=random.normal(0, 0.5, place.shape))
    return made


def settle(world: scree.World, quiet: float = 1e-5, latest: float = 60) -> None:
    """Steps until the kinetic energy of a grain is small compared with its weight times its size, or time is up."""
    weight = float(world.mass.mean())
    while world.time < latest:
        world.step(40)
        if world.time > 12 and world.kinetic_energy() < quiet * weight * len(world):
            return


def power_law(x: Any, y: Any) -> tuple[float, float, float]:
    """Exponent, its standard error, and the factor of y = factor x^exponent, by least squares of the logarithms."""
    across, up = np.log(np.asarray(x, float)), np.log(np.asarray(y, float))
    centred = across - across.mean()
    slope = float(centred @ up / (centred @ centred))
    level = float(up.mean() - slope * across.mean())
    left = up - level - slope * across
    error = float(np.sqrt(left @ left / max(len(left) - 2, 1) / (centred @ centred)))
    return slope, error, float(np.exp(level))
