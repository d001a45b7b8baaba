"""What can be drawn: anything that has grains, contacts and walls as a World or a Frame has them."""
from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import _values
from .._samples import not_a_moment
from .._values import Floats, Table
from ..contacts import ContactState
from ..errors import ArgumentError
from ..run import Run
from ..scene import Scene
from ..shapes import Shape
from ..cell import Cell
from ..solids import Solid, turns
from ..walls import Wall, surface_of


class Source(Protocol):
    """Grains, contacts and walls at one moment: a World or a Frame."""

    @property
    def dimension(self) -> int: ...
    @property
    def time(self) -> float: ...
    @property
    def periodic(self) -> dict[str, tuple[float, float]]: ...
    @property
    def cell(self) -> Cell: ...
    @property
    def position(self) -> Floats: ...
    @property
    def orientation(self) -> Floats: ...
    @property
    def velocity(self) -> Floats: ...
    @property
    def spin(self) -> Floats: ...
    @property
    def radius(self) -> Floats: ...
    @property
    def material(self) -> NDArray[np.int32]: ...
    @property
    def shape(self) -> NDArray[np.int32]: ...
    @property
    def shapes(self) -> list[Shape]: ...
    @property
    def solids(self) -> list[Solid]: ...
    @property
    def outlines(self) -> list[list[Floats]]: ...
    @property
    def contacts(self) -> Table: ...
    @property
    def walls(self) -> list[Wall]: ...


COLOURS = ("speed", "spin", "radius", "height", "coordination", "material", "fragment")


def source_of(given: Any) -> Source:
    """The thing to draw; a Scene stands for its world."""
    found = given.world if isinstance(given, Scene) else given
    if not all(hasattr(found, name) for name in ("position", "radius", "contacts", "walls", "dimension")):
        raise not_a_moment(given)
    return found


def up_of(source: Source) -> Floats:
    """The direction against gravity; z, and in two dimensions y, without."""
    gravity = getattr(source, "gravity", None)
    if gravity is None:
        gravity = getattr(getattr(source, "run", None), "gravity", None)
    if gravity is not None and np.linalg.norm(gravity) > 0:
        return -np.asarray(gravity) / np.linalg.norm(gravity)
    return np.array([0, 1.0, 0]) if source.dimension == 2 else np.array([0, 0, 1.0])


def oblique_cell(source: Source) -> tuple[Floats, Floats] | None:
    """Corner and edges (in rows; unit vectors where it is not periodic) of a cell that is no box."""
    if not source.cell.oblique:
        return None
    corner = np.array([source.periodic.get(axis, (0.0, 0.0))[0] for axis in "xyz"])
    edges = np.array([source.cell.edges[k] if axis in source.periodic else np.eye(3)[k]
                      for k, axis in enumerate("xyz")])
    return corner, edges


def _whole_edges(source: Source, edges: Floats, vectors: Floats, rounded: Any) -> Floats:
    """How many edges of an oblique cell vectors are long, rounded along periodic directions."""
    count = rounded(vectors @ np.linalg.inv(edges))
    count[:, [axis not in source.periodic for axis in "xyz"]] = 0
    return count @ edges


def wrapped(source: Source) -> Floats:
    """Positions within the periodic cell."""
    position = np.array(source.position)
    oblique = oblique_cell(source)
    if oblique is not None:
        corner, edges = oblique
        return position - _whole_edges(source, edges, position - corner, np.floor)
    for name, (low, high) in source.periodic.items():
        column = position[:, "xyz".index(name)]
        column -= np.floor((column - low) / (high - low)) * (high - low)
    return position


def active(contacts: Table) -> Table:
    """The contacts that carry a force."""
    return contacts[contacts.state != ContactState.OPEN]


def coordination(source: Source) -> Floats:
    """The number of active contacts of each grain."""
    found = active(source.contacts)
    count = np.bincount(found.a, minlength=len(source.radius)).astype(float)
    return count + np.bincount(found.b[found.b >= 0], minlength=len(source.radius)).astype(float)


def least_speed(source: Source) -> float:
    """Below it motion is rounding: of a run a millionth of the speed at its largest kinetic energy; of a world, whose
    past nobody knows, much less than grains get as they fall by their radius."""
    run, radius = getattr(source, "run", None), np.asarray(source.radius)
    if isinstance(run, Run):
        energy, mass = run.certificate.kinetic_energy.max(initial=0), float(np.sum(run.mass))
        return float(1e-6 * np.sqrt(2 * energy / mass)) if mass > 0 and np.isfinite(energy / mass) else 0.0
    gravity = np.linalg.norm(getattr(source, "gravity", np.zeros(3)))
    return float(1e-9 * np.sqrt(gravity * radius.min())) if len(radius) else 0.0


def values_of(source: Source, colour: ArrayLike) -> tuple[Floats, str, str]:
    """A number for each grain, its name and its dimension."""
    if not isinstance(colour, str):
        return _values.numbers(colour, "colour", len(source.radius)), "", ""
    if colour == "speed":
        return np.linalg.norm(source.velocity, axis=1), "speed", "length/time"
    if colour == "spin":
        spin = source.spin[:, 2] if source.dimension == 2 else np.linalg.norm(source.spin, axis=1)
        return np.array(spin), "spin", "1/time"
    if colour == "radius":
        return np.array(source.radius), "radius", "length"
    if colour == "height":
        return source.position @ up_of(source), "height", "length"
    if colour == "coordination":
        return coordination(source), "contacts per grain", "1"
    if colour == "material":
        return np.array(source.material, float), "material", "1"
    if colour == "fragment":
        return np.array(getattr(source, "fragment", np.arange(len(source.radius))), float), "fragment", "1"
    raise ArgumentError(f"colour: must be one of {', '.join(COLOURS)}, a colour such as '#336699', or a number "
                        f"for each grain, not '{colour}'")


def material_colours(source: Source) -> list[str]:
    """How the scene wants materials to be shown, where it says so."""
    return list(getattr(getattr(source, "run", None), "material_colours", []))


def material_names(source: Source) -> list[str]:
    """Names of materials, where they are known."""
    names = getattr(getattr(source, "run", None), "material_names", None)
    count = int(source.material.max()) + 1 if len(source.material) else 0
    return list(names) if names else [f"material {number}" for number in range(count)]


def corners(planes: list[Wall], dimension: int, low: Floats, high: Floats) -> Floats:
    """Corners of the space that planes leave free, no further from the box low..high than its size."""
    rows = np.array([wall.normal[:dimension] for wall in planes]).reshape(-1, dimension)
    offsets = np.array([wall.normal @ wall.point for wall in planes])
    size = max(float((high - low)[:dimension].max()), 1e-300)
    found = []
    for group in _groups(len(planes), dimension):
        matrix = rows[list(group)]
        if abs(np.linalg.det(matrix)) < 1e-9:
            continue
        corner = np.zeros(3)
        corner[:dimension] = np.linalg.solve(matrix, offsets[list(group)])
        free = np.all(rows @ corner[:dimension] >= offsets - 1e-9 * size)
        near = np.all(corner >= low - 2 * size) and np.all(corner <= high + 2 * size)
        if free and near:
            found.append(corner)
    return np.array(found).reshape(-1, 3)


def _feet(planes: list[Wall], low: Floats, high: Floats) -> Floats:
    """Where planes that stand along the axes meet a box, or come near it."""
    found, size, middle = [], float((high - low).max()), (low + high) / 2
    for wall in planes:
        foot = middle - wall.normal * ((middle - wall.point) @ wall.normal)
        near = np.all(foot >= low - size) and np.all(foot <= high + size)
        if near and np.abs(wall.normal).max() > 0.999:
            found.append(foot)
    return np.array(found).reshape(-1, 3)


def _groups(count: int, size: int) -> list[tuple[int, ...]]:
    from itertools import combinations

    return list(combinations(range(min(count, 24)), size))


def block_corners(wall: Wall) -> Floats:
    """The eight corners of a block."""
    signs = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)
    return wall.point + (signs * wall.half) @ rotation(wall.orientation).T


def rotation(quaternion: Floats) -> Floats:
    """The matrix of a unit quaternion w, x, y, z."""
    w, x, y, z = quaternion
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])


def bounds(source: Source) -> tuple[Floats, Floats]:
    """The corners of a box around grains, walls of finite size, the cell, and corners of the planes near by."""
    position = wrapped(source)
    low_reach, high_reach = reach(source) if source.dimension == 2 else reach_in_space(source, np.eye(3))
    points = [position + low_reach, position + high_reach]
    present = [wall for wall in source.walls if wall.present]
    for wall in present:
        if wall.shape == "segment":
            points.append(np.array([wall.point, wall.end]))
        elif wall.shape == "block":
            points.append(block_corners(wall))
        elif wall.shape == "cylinder":
            points.append(_cylinder_box(wall, source.dimension))
        elif (surface := surface_of(wall)) is not None and _is_near(surface.vertices, points):
            points.append(surface.vertices)
    every = np.vstack([group for group in points if len(group)] or [np.array([[-1.0, -1, -1], [1, 1, 1]])])
    low, high = every.min(axis=0), every.max(axis=0)
    oblique = oblique_cell(source)
    for name, ends in source.periodic.items():
        axis = "xyz".index(name)
        if oblique is not None:  # from the least to the largest of all its corners
            along = [oblique[1]["xyz".index(other)][axis] for other in source.periodic]
            ends = (ends[0] + sum(min(part, 0) for part in along), ends[0] + sum(max(part, 0) for part in along))
        low[axis], high[axis] = ends
    planes = [wall for wall in present if wall.shape == "plane"]
    every = np.vstack([low, high, corners(planes, source.dimension, low, high), _feet(planes, low, high)])
    low, high = every.min(axis=0), every.max(axis=0)
    if source.dimension == 2:
        low[2] = high[2] = 0
    return low, high


def reach(source: Source) -> tuple[Floats, Floats]:
    """In two dimensions, how far each grain reaches from its centre, to the lower left and to the upper right."""
    radius = np.repeat(np.asarray(source.radius)[:, None], 3, axis=1)
    low, high = -radius, radius.copy()
    if np.any(np.asarray(source.shape) >= 0):
        centre = np.asarray(source.position)[:, :2]
        for number, curves in enumerate(source.outlines):
            points = np.vstack(curves) - centre[number]
            low[number, :2], high[number, :2] = points.min(axis=0), points.max(axis=0)
    return low, high


def reach_in_space(source: Source, axes: Floats) -> tuple[Floats, Floats]:
    """How far each grain reaches from its centre along three axes (rows), to both sides."""
    radius = np.repeat(np.asarray(source.radius)[:, None], 3, axis=1)
    low, high, shape, solids = -radius, radius.copy(), np.asarray(source.shape), source.solids
    order = np.argsort(shape, kind="stable")
    for grains in np.split(order, np.flatnonzero(np.diff(shape[order])) + 1):
        number = int(shape[grains[0]]) if len(grains) else -1
        if number < 0:
            continue
        turn = axes @ turns(np.asarray(source.orientation)[grains])
        ends = [(np.einsum("gij,vj->gvi", turn, part.surface.vertices if part.kind else part.vertices),
                 0.0 if part.kind else part.rounding) for part in solids[number].parts]
        low[grains] = np.min([points.min(axis=1) - rounding for points, rounding in ends], axis=0)
        high[grains] = np.max([points.max(axis=1) + rounding for points, rounding in ends], axis=0)
    return low, high


def nearest(source: Source, offset: Floats) -> Floats:
    """Differences of places in a periodic cell, each as short as it can be."""
    oblique = oblique_cell(source)
    if oblique is not None:
        return offset - _whole_edges(source, oblique[1], np.asarray(offset), np.round)
    offset = np.array(offset)
    for name, (low, high) in source.periodic.items():
        column = offset[:, "xyz".index(name)]
        column -= np.round(column / (high - low)) * (high - low)
    return offset


def _is_near(surface: Floats, points: list[Floats]) -> bool:
    """Whether a surface is not far larger than what lies in it: a terrain is cut off, a vessel is not."""
    size = [np.ptp(np.vstack(group), axis=0).max() for group in (points, [surface]) if sum(map(len, group))]
    return len(size) < 2 or bool(size[1] <= 4 * size[0])


def _cylinder_box(wall: Wall, dimension: int) -> Floats:
    axis = np.array([0, 0, 1.0]) if dimension == 2 else wall.axis
    across = wall.radius * np.sqrt(np.maximum(1 - axis**2, 0))
    along = wall.length / 2 * np.abs(axis)
    return np.array([wall.point - across - along, wall.point + across + along])
