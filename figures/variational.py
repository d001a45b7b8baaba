"""What the figures of the variational formulation share: assemblies of grains, the biaxial test, the column drop.

Equations (L 4.16) and sections are those of Lim, "A contact dynamics formulation". Nothing here draws, so that the long
runs can be made where there is no matplotlib.
"""

from __future__ import annotations

import os
import tempfile
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

import scree

GRAINS = int(os.environ.get("SCREE_GRAINS", 1520))  # of the full measurements
KINDS = ("disks", "angular", "nonconvex")
DIAMETERS = np.linspace(0.7, 1.3, 16)  # one for each shape of the library, and the same for disks
# friction while a packing is made, which sets its porosity; with few grains packings are looser, as
# walls matter more
PREPARED = {"disks": 0.12, "angular": 0.15, "nonconvex": 0.16}
PREPARED_FEW = {"disks": 0.0, "angular": 0.03, "nonconvex": 0.0}

STRESS = 125.0  # sigma_3
INCREMENT = 0.0014  # of the height, each step
LONGEST_STEP = 1e-2  # while an assembly is made

THETA, TIME_STEP, STIFF = 0.7, 0.05, 1e8  # of the column drop
GRAVITY = 1.0
BASE = 0.5
ASPECT = 1.68
SOLID = 0.82  # solid fraction of a heap, about
SETTLED = {"disks": 0.82, "angular": 0.85, "nonconvex": 0.85}  # of a column at rest


# ---------------------------------------------------------------- assemblies


@dataclass
class Assembly:
    """Grains of one kind in a box: its corner at 0, sides `width` and `height`. Plain, so that it can be written."""

    kind: str
    which: list[int]  # of the sixteen sizes and shapes
    position: Any
    angle: Any
    width: float
    height: float
    areas: list[float]  # of the sixteen shapes
    curves: list[dict[str, Any]]  # of the sixteen shapes, NURBS; none of disks

    @classmethod
    def read(cls, data: dict[str, Any]) -> "Assembly":
        return cls(**{**data, "position": np.array(data["position"]), "angle": np.array(data["angle"])})

    def plain(self) -> dict[str, Any]:
        return asdict(self)

    @property
    def mass(self) -> np.ndarray:
        """The mass of each grain: its area."""
        return np.array(self.areas)[self.which]

    @property
    def porosity(self) -> float:
        return 1 - float(self.mass.sum()) / (self.width * self.height)

    def add_to(self, world: scree.World, **more: Any) -> None:
        """Adds the grains to a world."""
        which = np.array(self.which)
        if self.kind == "disks":
            world.add_grains(self.position, DIAMETERS[which] / 2, **more)
        else:
            shapes = np.array([world.add_nurbs(scree.Nurbs(**curve)) for curve in self.curves])
            world.add_grains(self.position, shape=shapes[which], angle=self.angle, **more)

    def outlines(self) -> list[np.ndarray]:
        """The boundaries as polygons, to be drawn."""
        world = scree.World(dimension=2, time_step=1)
        world.add_material()
        self.add_to(world)
        turn = np.linspace(0, 2 * np.pi, 32, endpoint=False)
        circle = np.stack([np.cos(turn), np.sin(turn)], axis=1)
        found = []
        for at, angle, k in zip(self.position, self.angle, self.which):
            c, s = np.cos(angle), np.sin(angle)
            own = DIAMETERS[k] / 2 * circle if self.kind == "disks" else world.shapes[k].parts[0].corners[::3]
            found.append(at + own @ np.array([[c, s], [-s, c]]))
        return found

    def overlap(self) -> float:
        """The largest overlap of grains."""
        world = scree.World(dimension=2, time_step=1)
        world.add_material()
        self.add_to(world)
        return world.find_overlaps().depth

    def follow(self, world: scree.World, width: float, height: float) -> "Assembly":
        """The same grains, where they are in a world."""
        turned = world.orientation
        angle = 2 * np.arctan2(turned[:, 3], turned[:, 0])
        return Assembly(self.kind, self.which, world.position[:, :2].copy(), angle, width, height, self.areas, self.curves)


def library_curves(kind: str) -> tuple[list[dict[str, Any]], list[float]]:
    """The sixteen curves of a set of the library with our mean diameters, and their areas."""
    rows = [f"  - {{library: {{set: {kind}, number: {k + 1}, diameter: {d!r}}}, position: [{3 * k}, 0]}}\n"
            for k, d in enumerate(DIAMETERS.tolist())]
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as scene:
        scene.write("dimension: 2\ntime: {step: 1, end: 1}\nmaterials: {grain: {density: 1}}\ngrains:\n" + "".join(rows))
        scene.flush()
        world = scree.load_scene(scene.name).world
    curves = [world.nurbs(k) for k in range(len(DIAMETERS))]
    plain = [{"degree": c.degree, "points": c.points.tolist(), "weights": c.weights.tolist(), "knots": c.knots.tolist()}
             for c in curves]
    return plain, [shape.area for shape in world.shapes]


# How packings are made by contact dynamics: the static limit takes away what overlaps.
PREPARING = {"tolerance": 1e-3, "overlap": 1e-3, "projection": 0, "iterations": 200}


def loose(kind: str, grains: int, columns: int, seed: int) -> Assembly:
    """Grains on a wide lattice, every size and shape equally often, turned at random."""
    random = np.random.default_rng(seed)
    curves, areas = ([], (np.pi * DIAMETERS**2 / 4).tolist()) if kind == "disks" else library_curves(kind)
    cell = 1.35 if kind == "disks" else 1.8
    rows = -(-grains // columns)
    which = random.permutation(np.arange(grains) % len(DIAMETERS))
    at = np.stack([np.arange(grains) % columns, np.arange(grains) // columns], axis=1)
    position = cell * (at + 0.5) + random.uniform(-0.02, 0.02, (grains, 2))
    return Assembly(kind, which.tolist(), position, random.uniform(0, 2 * np.pi, grains), cell * columns, cell * rows,
                    areas, curves)


def settle(world: scree.World, least: float, most: float) -> None:
    """Steps until the grains rest, nearly; for so many units of time. In a step nothing moves farther than a small part of
    a grain, so that none sinks into another."""
    way = 0.05 if len(world) > 1000 else 0.13
    begin = world.time
    while world.time - begin < most:
        moving = np.concatenate([world.velocity, [wall.velocity for wall in world.walls]])
        world.time_step = min(LONGEST_STEP, way / max(float(np.linalg.norm(moving, axis=1).max()), 1e-9))
        world.step()
        if world.time - begin > least and world.kinetic_energy() < 1e-4 * len(world):
            break


# ---------------------------------------------------------------- biaxial test


def box(world: scree.World, sides: Assembly, smooth: int, driven: float | None) -> tuple[int, int]:
    """Four walls; a stress on the right one, and on the top one too unless it is driven down so far in each step."""
    left = world.add_plane((0, 0), (1, 0), material=smooth)
    bottom = world.add_plane((0, 0), (0, 1), material=smooth)
    mass = 50.0  # with dynamics: they reach loose grains of any number after about three units of time
    right = world.add_plane((sides.width, 0), (-1, 0), material=smooth, mass=mass, stress=STRESS,
                            between=(bottom, bottom + 2))
    motion = {"mass": mass, "stress": STRESS, "between": (left, right)} if driven is None else {"velocity": (0, -driven)}
    return right, world.add_plane((0, sides.height), (0, -1), material=smooth, **motion)


def inside(world: scree.World, grains: Assembly, right: int, top: int) -> Assembly:
    return grains.follow(world, float(world.wall(right).point[0]), float(world.wall(top).point[1]))


def packing(kind: str, grains: int, seed: int = 1) -> Assembly:
    """A dense packing. Loose grains run together with a uniform rate, by contact dynamics, and are pressed by two pistons
    until they rest; then the static limit, with friction, takes away what overlaps."""
    start = loose(kind, grains, int(round(np.sqrt(grains))), seed)
    world = scree.World(dimension=2, time_step=LONGEST_STEP, solver=PREPARING)
    world.add_material(density=1, friction=(PREPARED if grains > 1000 else PREPARED_FEW)[kind])
    start.add_to(world, velocity=-0.3 * start.position)
    right, top = box(world, start, world.add_material(density=1, friction=0), None)
    for wall in (right, top):
        world.set_wall_stress(wall, 5.0)
    settle(world, 6, 25)
    return rest(inside(world, start, right, top), 0.5, np.inf, 4)


def static_world(grains: Assembly, friction: float, stiffness: float, driven: float | None,
                 **settings: Any) -> tuple[scree.World, int, int]:
    world = scree.World(dimension=2, time_step=1, engine="quasistatic", solver={"overlap": 1e-3}, variational=settings)
    springs = {"stiffness": stiffness, "stiffness_tangential": 2 * stiffness / 3}
    world.add_material(density=1, friction=friction, **springs)
    grains.add_to(world)
    return world, *box(world, grains, world.add_material(density=1, friction=0, **springs), driven)


def rest(grains: Assembly, friction: float, stiffness: float, increments: int) -> Assembly:
    """Brings it to rest under the stress on both sides."""
    world, right, top = static_world(grains, friction, stiffness, None)
    for _ in range(increments):
        world.step()
    return inside(world, grains, right, top)


class Biaxial:
    """The biaxial test (L 4.4.1): left and bottom fixed, a stress on the right, the top moved down; smooth walls."""

    def __init__(self, packed: Assembly, friction: float, stiffness: float = np.inf, **settings: Any) -> None:
        self.packed = packed = rest(packed, friction, stiffness, 2) if np.isfinite(stiffness) else packed
        self.world, self.right, self.top = static_world(packed, friction, stiffness, INCREMENT * packed.height, **settings)

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
                "motion": report.motion_max, "cuts": report.strides, "residual": report.residual,
                "associated": report.residual_associated}

    def end(self) -> Assembly:
        return inside(self.world, self.packed, self.right, self.top)


# ---------------------------------------------------------------- column drop


def fall(start: Assembly, width: float, stiffness: float, **more: Any) -> tuple[Assembly, float]:
    """The grains at rest in a box, under their weight; how far they overlap."""
    world = scree.World(dimension=2, time_step=LONGEST_STEP, gravity=(0, -GRAVITY),
                        solver=PREPARING)
    world.add_material(density=1, friction=0.1, stiffness=stiffness)
    smooth = world.add_material(density=1, friction=0, stiffness=stiffness)
    start.add_to(world, **more)
    world.add_plane((0, 0), (0, 1))
    for x, normal in ((0, 1), (width, -1)):
        world.add_plane((x, 0), (normal, 0), material=smooth)
    settle(world, 6, 30)
    found = start.follow(world, width, 0.0)
    found.height = 2 * float(np.average(found.position[:, 1], weights=found.mass))
    return found, world.find_overlaps().depth


def column(kind: str, grains: int, seed: int = 1) -> Assembly:
    """Grains that have fallen into a box and rest there, ASPECT times as high as wide. Curves that meet fast overlap, and
    rigid ones would stay so: soft springs push them apart, and stiffer ones leave next to nothing."""
    cell = loose(kind, grains, 1, seed)
    width = float(np.sqrt(cell.mass.sum() / (ASPECT * SETTLED[kind])))
    start = loose(kind, grains, int(width / cell.width), seed)
    start.position[:, 0] *= width / start.width
    found, overlap = fall(start, width, np.inf, velocity=-0.2 * start.position * (0, 1))
    for stiffness in (1e4, 1e6):
        if overlap > 1e-3:
            found, overlap = fall(found, width, stiffness)
    return found


class Drop:
    """The column drop (L 4.4.2): the right side of the box is gone; the left one is smooth, the base rough."""

    def __init__(self, settled: Assembly, friction: float) -> None:
        self.settled = settled
        self.world = world = scree.World(dimension=2, time_step=TIME_STEP, theta=THETA, gravity=(0, -GRAVITY),
                                         engine="variational")
        springs = {"stiffness": STIFF, "stiffness_tangential": 2 * STIFF / 3}
        grain = world.add_material(density=1, friction=friction, **springs)
        base = world.add_material(density=1, friction=BASE, **springs)
        smooth = world.add_material(density=1, friction=0, **springs)
        world.set_law(grain, base, friction=BASE)
        world.set_law(grain, smooth, friction=0)
        settled.add_to(world)
        world.add_plane((0, 0), (0, 1), material=base)
        world.add_plane((0, 0), (1, 0), material=smooth)

    def state(self) -> Assembly:
        return self.settled.follow(self.world, self.settled.width, self.settled.height)


def surface(grains: Assembly, width: float = 2.0) -> tuple[np.ndarray, np.ndarray]:
    """Height of the heap over strips of two grains' width: that which the grains fill, with the usual pores."""
    x = grains.position[:, 0]
    edge = np.arange(0, x.max() + width, width)
    filled, _ = np.histogram(x, edge, weights=grains.mass)
    return 0.5 * (edge[1:] + edge[:-1]), filled / (SOLID * width)


def spread(grains: Assembly) -> float:
    """How far the heap reaches from the smooth wall: to the first strip that is filled by less than half a layer. What has
    rolled away from it does not count."""
    x, height = surface(grains)
    thin = np.flatnonzero(height < 0.5)
    return float(x[thin[0]] - x[0] if len(thin) else x[-1] + x[0])


def slope(grains: Assembly) -> float:
    """Angle of the surface in degrees: a line through its heights out to the spread; 0 when there is no heap."""
    x, height = surface(grains)
    part = x < spread(grains)
    return 0.0 if part.sum() < 2 else float(np.degrees(np.arctan(-np.polyfit(x[part], height[part], 1)[0])))
