"""Shapes of grains in two dimensions: rounded polygons, alone or several as one; and where their corners are."""
from __future__ import annotations

import ctypes
import functools
from dataclasses import dataclass
from typing import Any, Protocol, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _arrays, _library, _memory, _values
from ._values import Floats, Table
from .errors import ArgumentError, error_of

CORNERS = np.dtype([
    ("body", "i4"),
    ("part", "i4"),  # of the body
    ("corner", "i4"),  # of the part, counterclockwise
    ("position", "f8", 2),  # [length] in the world
    ("rounding", "f8"),  # [length] the part is all points within this distance of its polygon
])


@dataclass(frozen=True, eq=False)
class Part:
    """All points within `rounding` of a polygon: one corner makes a disk, two a rod with round ends."""

    corners: Floats  #: (n, 2), counterclockwise, from the centroid of the shape
    rounding: float

    @functools.cached_property
    def curve(self) -> Floats:
        """The outline as a closed curve to draw, (m, 2): the corners, or where it is rounded, arcs of short lines."""
        part, corners = _library.ShapePart(len(self.corners), self.rounding), _in_space(self.corners)
        count = ctypes.c_size_t(0)
        _draw(part, corners, None, count)
        points = np.zeros((count.value, 3))
        _draw(part, corners, points.ctypes.data, count)
        return points[:, :2]


def _in_space(corners: Floats) -> Floats:
    return np.ascontiguousarray(np.column_stack([corners, np.zeros(len(corners))]))


def _draw(part: _library.ShapePart, corners: Floats, points: int | None, count: ctypes.c_size_t) -> None:
    """The points of the curve, as many as `count` says there is room for; their number into `count`."""
    library = _library.library()
    status = library.scree_shape_part_draw(part, corners.ctypes.data, points, count)
    if status:
        raise error_of(status, library.scree_status_get_text(status).decode())


@dataclass(frozen=True, eq=False)
class Shape:
    """A shape as stored by the library: its parts move as one, and where they overlap, their masses add up."""

    parts: tuple[Part, ...]
    area: float
    gyration: float  #: [length^2] inertia about the centroid over mass
    radius: float  #: of the circle about the centroid that holds it
    centroid: Floats  #: (3,) in the coordinates that it was given in


@dataclass(frozen=True, eq=False)
class Nurbs:
    """A closed NURBS curve: the outline of a grain."""

    degree: int
    points: Floats  #: (n, 2) control points
    weights: Floats  #: (n,)
    knots: Floats  #: (n + degree + 1,)

    @classmethod
    def ring(cls, points: ArrayLike, degree: int = 3, weights: ArrayLike | None = None) -> "Nurbs":
        """A closed spline with uniform knots, whose control points form a ring."""
        at = _values.vectors(points, "points", 2)[:, :2]
        weight = np.ones(len(at)) if weights is None else _values.numbers(weights, "weights", len(at))
        again = np.arange(len(at) + degree) % len(at)
        return cls(degree, at[again], weight[again], np.arange(len(at) + 2.0 * degree + 1))


# ---------------------------------------------------------------- from and to the library


def definition(outlines: Sequence[ArrayLike], rounding: ArrayLike) -> tuple[_library.ShapeDef, Any]:
    """The struct for the library, and what must live as long as it does."""
    if not outlines:
        raise ArgumentError("a shape needs an outline")
    corners = [_values.vectors(outline, f"outline {k}", 2) for k, outline in enumerate(outlines)]
    parts = np.zeros(len(corners), _arrays.SHAPE_PART)
    parts["corners"] = [len(each) for each in corners]
    parts["rounding"] = _values.numbers(rounding, "rounding", len(corners))
    every = np.ascontiguousarray(np.vstack(corners))
    return _library.ShapeDef(parts.ctypes.data, len(parts), every.ctypes.data), (parts, every)


def curve_definition(curve: Nurbs) -> tuple[_library.NurbsDef, Any]:
    """The struct of a curve for the library, and what must live as long as it does."""
    points = _values.vectors(curve.points, "points", 2)
    weights = _values.numbers(curve.weights, "weights", len(points))
    knots = _values.numbers(curve.knots, "knots", np.size(curve.knots))
    kept = [np.ascontiguousarray(each) for each in (points, weights, knots)]
    made = _library.NurbsDef(curve.degree, len(points), len(knots), *(each.ctypes.data for each in kept))
    return made, kept


def curve_from_library(found: _library.NurbsDef) -> Nurbs:
    """A copy of a curve of the library."""
    def copy(address: int, count: int) -> Floats:
        return np.frombuffer(ctypes.string_at(address, 8 * count)).copy()

    return Nurbs(found.degree, copy(found.point, 3 * found.points).reshape(-1, 3)[:, :2],
                 copy(found.weight, found.points), copy(found.knot, found.knots))


def from_library(found: _library.Shape) -> Shape:
    """A copy of a shape of the library."""
    given = getattr(found, "def")
    parts = _memory.copied(given.part, given.parts, _arrays.SHAPE_PART)
    corners = np.frombuffer(ctypes.string_at(given.corner, 24 * found.corners)).reshape(-1, 3)
    return Shape(_parts(corners, np.cumsum(parts["corners"]), parts["rounding"]), found.area, found.gyration,
                 found.radius, np.array([found.centroid.x, found.centroid.y, found.centroid.z]))


def from_run(columns: dict[str, NDArray[Any]]) -> list[Shape]:
    """The shapes of a run file from its columns, which fit together."""
    parts = _parts(columns["position"], columns["corner_end"], columns["rounding"])
    begin, found = 0, []
    for row, end in enumerate(columns["part_end"].tolist()):
        area, gyration, radius = (float(columns[name][row]) for name in ("area", "gyration", "radius"))
        found.append(Shape(parts[begin:end], area, gyration, radius, columns["centroid"][row]))
        begin = end
    return found


def _parts(corners: Floats, ends: NDArray[Any], rounding: Floats) -> tuple[Part, ...]:
    begins = np.concatenate([[0], ends[:-1]]) if len(ends) else ends
    return tuple(Part(np.array(corners[begin:end, :2]), float(radius))
                 for begin, end, radius in zip(begins.tolist(), ends.tolist(), rounding))


# ---------------------------------------------------------------- where they are


class Placed(Protocol):
    """Where bodies are, how they are turned, and which shape each has: a World or a Frame says so."""

    @property
    def dimension(self) -> int: ...
    @property
    def position(self) -> Floats: ...
    @property
    def orientation(self) -> Floats: ...
    @property
    def shape(self) -> NDArray[np.int32]: ...


class Bodies(Placed, Protocol):
    """What corners and outlines follow from."""

    @property
    def radius(self) -> Floats: ...
    @property
    def shapes(self) -> list[Shape]: ...


def turns(orientation: Floats) -> Floats:
    """The matrices (n, 2, 2) of quaternions that turn about z."""
    w, z = orientation[:, 0], orientation[:, 3]
    cosine, sine = w * w - z * z, 2 * w * z
    return np.stack([np.stack([cosine, -sine], axis=1), np.stack([sine, cosine], axis=1)], axis=1)


def _flat(bodies: Bodies) -> None:
    if bodies.dimension != 2:
        raise ArgumentError("grains have corners and outlines in two dimensions only")


def corners_of(bodies: Bodies) -> Table:
    """A table of all corners; a round grain has one, its centre, and its radius as rounding."""
    _flat(bodies)
    numbers = np.asarray(bodies.shape)
    parts = [(k, part) for shape in bodies.shapes for k, part in enumerate(shape.parts)]
    parts.append((0, Part(np.zeros((1, 2)), 0.0)))  # for round ones, whose shape is -1: the last
    corner = np.vstack([part.corners for _, part in parts])
    lengths = np.array([len(part.corners) for _, part in parts])
    sizes = np.array([sum(len(part.corners) for part in shape.parts) for shape in bodies.shapes] + [1])
    count = sizes[numbers]
    table = np.zeros(int(count.sum()), CORNERS).view(np.recarray)
    body = np.repeat(np.arange(len(numbers)), count)
    own = np.arange(len(table)) - np.repeat(np.cumsum(count) - count, count)
    row = (np.cumsum(sizes) - sizes)[numbers][body] + own  # among the corners of all shapes
    turned = np.einsum("nij,nj->ni", turns(np.asarray(bodies.orientation))[body], corner[row])
    table.body = body
    table.part = np.repeat([k for k, _ in parts], lengths)[row]
    table.corner = (np.arange(len(corner)) - np.repeat(np.cumsum(lengths) - lengths, lengths))[row]
    table.position = np.asarray(bodies.position)[body, :2] + turned
    table.rounding = np.where(numbers[body] < 0, np.asarray(bodies.radius)[body],
                              np.repeat([part.rounding for _, part in parts], lengths)[row])
    return table


def outlines_of(bodies: Bodies) -> list[list[Floats]]:
    """The closed curves of all grains, one for each part."""
    _flat(bodies)
    shapes, turn = bodies.shapes, turns(np.asarray(bodies.orientation))
    circle = Part(np.zeros((1, 2)), 1.0).curve
    return [[at + radius * circle] if number < 0 else [at + part.curve @ rotation.T for part in shapes[number].parts]
            for at, rotation, radius, number in zip(np.asarray(bodies.position)[:, :2], turn, bodies.radius,
                                                    np.asarray(bodies.shape).tolist())]


class Outlined:
    """Corners and outlines for whatever has positions, orientations, radii and shapes."""

    @property
    def corners(self: Bodies) -> Table:
        """The current corners of all grains, as a table with the fields of scree.CORNERS. A grain consists of all
        points within the rounding of its polygons; a round one has a single corner, its centre, and its radius as
        rounding. Two dimensions only."""
        return corners_of(self)

    @property
    def outlines(self: Bodies) -> list[list[Floats]]:
        """For each grain the closed curves (m, 2) of its parts, to be drawn: what is round is made of short lines. Two
        dimensions only."""
        return outlines_of(self)
