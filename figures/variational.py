"""What the figures of the variational formulation share: packings between four walls, and the biaxial test.

Equations (L 4.16) are those of Lim, "A contact dynamics formulation".
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

import scree

STRESS = 125.0  # sigma_3
INCREMENT = 0.0014  # of the height, each step


class Packing(NamedTuple):
    """Disks that touch each other and four walls: the corner at 0, sides `width` and `height`."""

    position: np.ndarray
    radius: np.ndarray
    width: float
    height: float

    @property
    def porosity(self) -> float:
        return 1 - float(np.pi * (self.radius**2).sum()) / (self.width * self.height)


def packing(grains: int, seed: int = 1) -> Packing:
    """Disks with radii from 0.35 to 0.65, compressed without friction by contact dynamics between two pistons."""
    random = np.random.default_rng(seed)
    columns = int(round(np.sqrt(grains)))
    rows = -(-grains // columns)
    radius = random.uniform(0.35, 0.65, grains)
    cell = np.stack([np.arange(grains) % columns, np.arange(grains) // columns], axis=1)
    position = 0.7 + 1.35 * cell + random.uniform(-0.02, 0.02, (grains, 2))
    world = scree.World(dimension=2, time_step=4e-3, solver={"tolerance": 1e-3, "iterations": 200})
    world.add_material(density=1, friction=0)
    world.add_grains(position, radius)
    left = world.add_plane((0, 0), (1, 0))
    bottom = world.add_plane((0, 0), (0, 1))
    mass = 0.1 * grains
    right = world.add_plane((1.35 * columns + 0.1, 0), (-1, 0), mass=mass, stress=STRESS, between=(bottom, bottom + 2))
    top = world.add_plane((0, 1.35 * rows + 0.1), (0, -1), mass=mass, stress=STRESS, between=(left, right))
    for _ in range(4000):
        world.step()
    return Packing(world.position[:, :2].copy(), radius, float(world.wall(right).point[0]),
                   float(world.wall(top).point[1]))


class Biaxial:
    """The biaxial test (L 4.4.1): left and bottom fixed, a stress on the right, the top moved down; smooth walls."""

    def __init__(self, packed: Packing, friction: float, stiffness: float = np.inf, **settings: Any) -> None:
        self.packed = packed
        self.world = world = scree.World(dimension=2, time_step=1, engine="quasistatic", variational=settings)
        springs = {"stiffness": stiffness, "stiffness_tangential": 2 * stiffness / 3}
        world.add_material(density=1, friction=friction, **springs)
        smooth = world.add_material(density=1, friction=0, **springs)
        world.add_grains(packed.position, packed.radius)
        world.add_plane((0, 0), (1, 0), material=smooth)
        bottom = world.add_plane((0, 0), (0, 1), material=smooth)
        self.top = world.add_plane((0, packed.height), (0, -1), material=smooth,
                                   velocity=(0, -INCREMENT * packed.height))
        self.right = world.add_plane((packed.width, 0), (-1, 0), material=smooth, mass=1, stress=STRESS,
                                     between=(bottom, self.top))

    def step(self) -> dict[str, float]:
        """One increment; strains are positive in compression, q is sigma_1 - sigma_3."""
        report = self.world.step()
        top, right = self.world.wall(self.top), self.world.wall(self.right)
        height, width = float(top.point[1]), float(right.point[0])
        return {"axial": 1 - height / self.packed.height,
                "volumetric": 1 - width * height / (self.packed.width * self.packed.height),
                "q": float(top.load[1]) / width - float(right.load[0]) / height,
                "servo": float(right.load[0]) / (STRESS * height) - 1,
                "iterations": report.iterations, "converged": report.converged, "overlap": report.overlap_max,
                "motion": report.motion_max, "residual": report.residual,
                "associated": report.residual_associated}
