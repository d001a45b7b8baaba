"""Solids: shapes of grains in space, made of polyhedra; and where their faces are."""
from __future__ import annotations

import ctypes
import functools
from dataclasses import dataclass
from typing import Any, Iterable, Protocol, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _arrays, _library, _memory, _values
from ._values import Floats
from .errors import ArgumentError, error_of
from .shapes import Placed

Integers = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Mesh:
    """A surface: vertices, and faces that are polygons of them."""

    vertices: Floats  #: (n, 3)
    faces: tuple[Integers, ...]  #: each a list of vertices, counterclockwise seen from outside

    @property
    def triangles(self) -> Integers:
        """The faces cut into triangles (m, 3) that share the first corner of their face."""
        found = [np.column_stack([np.full(len(face) - 2, face[0]), face[1:-1], face[2:]]) for face in self.faces]
        return np.vstack(found) if found else np.zeros((0, 3), np.int32)


POLYHEDRON, ELLIPSOID, CONE, NURBS = range(len(_library.PART_KINDS))


@dataclass(frozen=True, eq=False)
class Smooth:
    """A smooth part of a solid, for add_solid: see ellipsoid, superellipsoid, cylinder, cone and nurbs."""

    vertices: Floats  #: centre and ends of three half axes, the centres of two caps, or control points of patches
    kind: int
    form: tuple[float, float]  #: exponents, the radii of the caps, or the degrees
    weights: Floats | None = None  #: of control points


@dataclass(frozen=True, eq=False)
class SolidPart(Mesh):
    """All points within `rounding` of a polyhedron: one vertex makes a ball, two a rod with round ends. Or a smooth
    part, whose vertices are as those of Smooth."""

    rounding: float
    kind: int = POLYHEDRON
    form: tuple[float, float] = (0.0, 0.0)
    weights: Floats | None = None  #: of the control points of a NURBS surface

    @functools.cached_property
    def surface(self) -> Mesh:
        """The surface in triangles, to draw: the faces, and where it is rounded, pieces of cylinders and balls."""
        weights = None if self.weights is None else np.ascontiguousarray(self.weights)
        part = _library.SolidPart(len(self.vertices), len(self.faces), self.rounding, self.kind, self.form,
                                  None if weights is None else weights.ctypes.data)
        given = (np.ascontiguousarray(self.vertices), np.array([len(face) for face in self.faces], np.int32),
                 np.concatenate(self.faces).astype(np.int32) if self.faces else np.zeros(0, np.int32))
        points, triangles = ctypes.c_size_t(0), ctypes.c_size_t(0)
        _draw(part, given, None, points, None, triangles)
        point, triangle = np.zeros((points.value, 3)), np.zeros((triangles.value, 3), np.int32)
        _draw(part, given, point.ctypes.data, points, triangle.ctypes.data, triangles)
        return Mesh(point, tuple(triangle))


def _draw(part: _library.SolidPart, given: tuple[NDArray[Any], ...], point: int | None, points: ctypes.c_size_t,
          triangle: int | None, triangles: ctypes.c_size_t) -> None:
    """Points and triangles, as many as there is room for; their numbers into the last two."""
    library = _library.library()
    status = library.scree_solid_part_draw(part, *(each.ctypes.data for each in given), point, points, triangle,
                                           triangles)
    if status:
        raise error_of(status, library.scree_status_get_text(status).decode())


@dataclass(frozen=True, eq=False)
class Solid:
    """A solid as stored by the library: its parts move as one. Vertices are relative to the centre of mass."""

    parts: tuple[SolidPart, ...]
    volume: float
    radius: float  #: of the ball about the centre of mass that holds it
    centroid: Floats  #: (3,) the centre of mass in the coordinates that the solid was given in
    moments: Floats  #: (3,) principal moments of inertia over mass
    axes: Floats  #: (4,) a quaternion that turns x, y and z into the principal axes


# ---------------------------------------------------------------- by name, as vertices of a hull


def box(sides: ArrayLike) -> Floats:
    """The eight vertices of a box with these sides along x, y and z.

    >>> box((1, 2, 3)).max(axis=0).tolist()
    [0.5, 1.0, 1.5]
    """
    x, y, z = _values.vectors(np.atleast_2d(np.asarray(sides)), "sides", 3)[0]
    found = np.zeros((8, 3))
    _library.library().scree_solid_make_box(_library.Vec3(x, y, z), found.ctypes.data)
    return found


def regular(faces: int, radius: float) -> Floats:
    """The vertices of the regular solid with 4, 6, 8, 12 or 20 faces, so far from its centre."""
    found = np.zeros((20, 3))
    count = _library.library().scree_solid_make_regular(_values.integer(faces, "faces"),
                                                        _values.number(radius, "radius"), found.ctypes.data)
    if count == 0:
        raise ArgumentError(f"faces: a regular solid has 4, 6, 8, 12 or 20, not {_values.short(faces)}")
    return found[:count]


def prism(corners: int, radius: float, height: float) -> Floats:
    """The vertices of an upright prism on a regular polygon, whose first corner lies along x."""
    number = _values.integer(corners, "corners", 3, 100000)
    found = np.zeros((2 * number, 3))
    _library.library().scree_solid_make_prism(number, _values.number(radius, "radius"),
                                              _values.number(height, "height"), found.ctypes.data)
    return found


def rock(faces: int, size: float, *, elongation: float = 1.0, flatness: float = 1.0, angularity: float = 0.5,
         seed: int = 0) -> Floats:
    """The vertices of a convex rock, drawn at random.

    size         side along y of the box around it: what a sieve would measure
    elongation   its side along x over that along y
    flatness     its side along y over that along z
    angularity   from 0, faces as even as possible, to 1

    >>> bool(np.isclose(np.ptp(rock(12, 0.2, seed=3)[:, 1]), 0.2))
    True
    """
    given = _library.RockDef(_values.integer(faces, "faces"), 0, _values.number(size, "size"),
                             _values.number(elongation, "elongation"), _values.number(flatness, "flatness"),
                             _values.number(angularity, "angularity"), _values.integer(seed, "seed", 0, 2**63))
    count = ctypes.c_size_t(0)
    _library.call("scree_solid_make_rock", given, None, count)
    found = np.zeros((count.value, 3))
    _library.call("scree_solid_make_rock", given, found.ctypes.data, count)
    return found


def flatten(mesh: Mesh, tolerance: float) -> Mesh:
    """The surface with its faces plane again, where they were so before their coordinates were rounded.

    Neighbours that lie in one plane to within the tolerance, a length, are moved into it. In single precision a few
    times 1e-7 of the largest coordinate is right. Surfaces that are not closed stay as they are.
    """
    vertices = np.array(_values.vectors(mesh.vertices, "vertices", 3))
    faces = [_corners(face, 0) for face in mesh.faces]
    corners = np.array([len(face) for face in faces], np.int32)
    corner = np.concatenate(faces) if faces else np.zeros(0, np.int32)
    library = _library.library()
    status = library.scree_solid_flatten(corners.ctypes.data, len(faces), corner.ctypes.data,
                                         _values.number(tolerance, "tolerance"), vertices.ctypes.data, len(vertices))
    if status:
        raise error_of(status, library.scree_status_get_text(status).decode())
    return Mesh(vertices, mesh.faces)


# ---------------------------------------------------------------- smooth parts


def ellipsoid(lengths: ArrayLike) -> Smooth:
    """An ellipsoid with these lengths along x, y and z."""
    return superellipsoid(lengths, (2.0, 2.0))


def superellipsoid(lengths: ArrayLike, exponents: ArrayLike) -> Smooth:
    """The body (|x/a|^n2 + |y/b|^n2)^(n1/n2) + |z/c|^n1 = 1 with 2a, 2b, 2c for the lengths and exponents [n1, n2],
    each from 2 to 32."""
    x, y, z = _values.vectors(np.atleast_2d(np.asarray(lengths)), "lengths", 3)[0]
    one, other = _values.numbers(exponents, "exponents", 2)
    found = np.zeros((4, 3))
    _library.library().scree_solid_make_ellipsoid(_library.Vec3(x, y, z), found.ctypes.data)
    return Smooth(found, ELLIPSOID, (float(one), float(other)))


def cylinder(radius: float, height: float) -> Smooth:
    """A cylinder with flat ends along z; a rounding makes it larger all around."""
    return cone(radius, height, radius)


def cone(radius: float, height: float, top: float = 0.0) -> Smooth:
    """A cone along z with its base below and, unless it has an apex, this radius at its top."""
    found = np.zeros((2, 3))
    _library.library().scree_solid_make_cylinder(_values.number(height, "height"), found.ctypes.data)
    return Smooth(found, CONE, (_values.number(radius, "radius"), _values.number(top, "top")))


def nurbs(points: ArrayLike, degree: ArrayLike = (3, 3), weights: ArrayLike | None = None,
          knots: Sequence[ArrayLike | None] = (None, None)) -> Smooth:
    """A closed NURBS surface: a body without edges, convex or not. Seen from outside, v runs to the left of u.

    points    control points (m, n, 3), along u and v
    degree    along u and v, 1 to 7; of degree 1 it must consist of plane patches, and is a polyhedron
    weights   (m, n), 1e-6 to 1e6; all 1
    knots     m + p + 1 numbers along u and n + q + 1 along v; None: the points are a closed ring in this direction

    Surfaces that close around a body together, side by side, are joined: nurbs_join([one, other]).
    """
    net = np.asarray(points, float)
    if net.ndim != 3 or net.shape[2] != 3:
        raise ArgumentError(f"points: a net (m, n, 3), not {net.shape}")
    orders = [int(each) for each in _values.numbers(degree, "degree", 2)]
    mass = np.ones(net.shape[:2]) if weights is None else np.asarray(weights, float)
    if mass.shape != net.shape[:2]:
        raise ArgumentError(f"weights: one for each point {net.shape[:2]}, not {mass.shape}")
    found = []
    for axis, (order, given) in enumerate(zip(orders, knots)):
        if given is None:  # the first points once more at the end
            around = np.arange(net.shape[axis] + order) % net.shape[axis]
            net, mass = np.take(net, around, axis), np.take(mass, around, axis)
            found.append(np.arange(net.shape[axis] + order + 1, dtype=float))
        else:
            found.append(np.ascontiguousarray(np.asarray(given, float).ravel()))
            if len(found[-1]) != net.shape[axis] + order + 1:
                raise ArgumentError(f"knots[{axis}]: {net.shape[axis]} points of degree {order} take "
                                    f"{net.shape[axis] + order + 1} knots, not {len(found[-1])}")
    net, mass = np.ascontiguousarray(net), np.ascontiguousarray(mass)
    given_surface = _library.NurbsSurface((ctypes.c_int32 * 2)(*orders), (ctypes.c_size_t * 2)(*net.shape[:2]),
                                          net.ctypes.data, mass.ctypes.data,
                                          (ctypes.c_void_p * 2)(*(each.ctypes.data for each in found)))
    count = ctypes.c_size_t(0)
    _library.call("scree_solid_cut_nurbs", given_surface, None, None, count)
    vertices, cut = np.zeros((count.value, 3)), np.zeros(count.value)
    _library.call("scree_solid_cut_nurbs", given_surface, vertices.ctypes.data, cut.ctypes.data, count)
    return Smooth(vertices, NURBS, (float(orders[0]), float(orders[1])), cut)


def nurbs_join(surfaces: Iterable[Smooth]) -> Smooth:
    """Several NURBS surfaces of the same degrees as one: together they close around a body."""
    given = list(surfaces)
    if not given or any(each.kind != NURBS or each.form != given[0].form or each.weights is None for each in given):
        raise ArgumentError("surfaces: NURBS surfaces of the same degrees")
    return Smooth(np.vstack([each.vertices for each in given]), NURBS, given[0].form,
                  np.concatenate([each.weights for each in given if each.weights is not None]))


_CIRCLE = np.array([(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1), (1, 0)], float)
_CIRCLE_WEIGHTS = np.array([1, 0.5**0.5] * 4 + [1])
_CIRCLE_KNOTS = np.array([0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 4], float)


def nurbs_turned(profile: ArrayLike, degree: int = 2, weights: ArrayLike | None = None,
                 knots: ArrayLike | None = None) -> Smooth:
    """The surface that a curve makes as it turns about z, exact as a circle is.

    profile   control points (n, 2), distance from the axis and height, counterclockwise: upwards on the outside
    knots     n + degree + 1 numbers, for a curve from pole to pole; None: a closed ring, away from the axis
    """
    curve = _values.vectors(profile, "profile", 2)
    mass = np.ones(len(curve)) if weights is None else np.asarray(weights, float)
    net = np.array([[(r * x, r * y, z) for r, z, *_ in curve] for x, y in _CIRCLE])
    return nurbs(net, (2, degree), np.outer(_CIRCLE_WEIGHTS, mass), (_CIRCLE_KNOTS, knots))


def torus(radius: float, thickness: float) -> Smooth:
    """A ring about z: the circle through its middle has this radius, its section a diameter of `thickness`."""
    half = 0.5 * _values.number(thickness, "thickness")
    return nurbs_turned(half * _CIRCLE + (_values.number(radius, "radius"), 0.0), 2, _CIRCLE_WEIGHTS, _CIRCLE_KNOTS)


# ---------------------------------------------------------------- from and to the library


def definition(parts: Sequence[Mesh | Smooth | ArrayLike], rounding: ArrayLike) -> tuple[_library.SolidDef, Any]:
    """The struct for the library, and what must live as long as it does."""
    if not parts:
        raise ArgumentError("a solid needs a part")
    rows = np.zeros(len(parts), _arrays.SOLID_PART)
    vertices, corners, corner, weights = [], [], [], []
    for k, part in enumerate(parts):
        given = part.vertices if isinstance(part, (Mesh, Smooth)) else part
        if isinstance(part, (Smooth, SolidPart)):
            rows[k]["kind"], rows[k]["form"] = part.kind, part.form
            if part.weights is not None:
                weights.append(np.ascontiguousarray(_values.numbers(part.weights, "weights", len(part.vertices))))
                rows[k]["weight"] = weights[-1].ctypes.data
        vertices.append(_values.vectors(given, f"part {k}", 3))
        faces = [_corners(face, k) for face in part.faces] if isinstance(part, Mesh) else []
        corners += [len(face) for face in faces]
        corner += faces
        rows[k]["vertices"], rows[k]["faces"] = len(vertices[-1]), len(faces)
    rows["rounding"] = _values.numbers(rounding, "rounding", len(rows))
    kept = [rows, np.ascontiguousarray(np.vstack(vertices)), np.array(corners, np.int32),
            np.concatenate(corner) if corner else np.zeros(0, np.int32)]
    first, *others = (each.ctypes.data for each in kept)
    return _library.SolidDef(first, len(rows), *others), (kept, weights)


def _corners(face: ArrayLike, part: int) -> Integers:
    found = np.asarray(face)
    if found.ndim != 1 or found.dtype.kind not in "iu" or len(found) < 3:
        raise ArgumentError(f"part {part}: a face is a list of three or more vertices, not {_values.short(face)}")
    return np.ascontiguousarray(found, np.int32)


def from_library(found: _library.Solid) -> Solid:
    """A copy of a solid of the library."""
    given = getattr(found, "def")
    parts = _memory.copied(given.part, given.parts, _arrays.SOLID_PART)
    vertices = np.frombuffer(ctypes.string_at(given.vertex, 24 * found.vertices)).reshape(-1, 3)
    corners = _memory.copied(given.corners, found.faces, np.dtype(np.int32))
    corner = _memory.copied(given.corner, found.corners, np.dtype(np.int32))
    weights = [_memory.copied(int(part["weight"]), int(part["vertices"]), np.dtype(float)) if part["weight"] else
               np.ones(int(part["vertices"])) for part in parts]
    made = _parts(vertices, np.cumsum(parts["vertices"]), np.cumsum(parts["faces"]), parts["rounding"],
                  np.cumsum(corners), corner, parts["kind"], parts["form"], np.concatenate(weights))
    return Solid(made, found.volume, found.radius, _row(found.centroid), _row(found.gyration),
                 np.array([found.axes.w, found.axes.x, found.axes.y, found.axes.z]))


def _row(vector: _library.Vec3) -> Floats:
    return np.array([vector.x, vector.y, vector.z])


def from_run(columns: dict[str, NDArray[Any]]) -> list[Solid]:
    """The solids of a run file from its columns, which fit together."""
    parts = _parts(columns["position"], columns["corner_end"], columns["face_end"], columns["rounding"],
                   columns["loop_end"], columns["vertex"], columns.get("kind"), columns.get("form"),
                   columns.get("weight"))
    begin, found = 0, []
    for row, end in enumerate(columns["part_end"].tolist()):
        found.append(Solid(parts[begin:end], float(columns["volume"][row]), float(columns["radius"][row]),
                           *(columns[name][row] for name in ("centroid", "moments", "axes"))))
        begin = end
    return found


def _parts(vertices: Floats, vertex_ends: NDArray[Any], face_ends: NDArray[Any], rounding: Floats,
           loop_ends: NDArray[Any], loops: Integers, kinds: NDArray[Any] | None,
           forms: Floats | None, weights: Floats | None) -> tuple[SolidPart, ...]:
    faces = [np.array(face) for face in np.split(loops, loop_ends[:-1])] if len(loop_ends) else []
    made, vertex, face = [], 0, 0
    kinds = np.zeros(len(rounding), int) if kinds is None else kinds
    forms = np.zeros((len(rounding), 2)) if forms is None else forms
    for vertex_end, face_end, radius, kind, (one, other) in zip(vertex_ends.tolist(), face_ends.tolist(), rounding,
                                                                kinds.tolist(), forms.tolist()):
        own = np.array(weights[vertex:vertex_end]) if kind == NURBS and weights is not None else None
        made.append(SolidPart(np.array(vertices[vertex:vertex_end]), tuple(faces[face:face_end]), float(radius), kind,
                              (one, other), own))
        vertex, face = vertex_end, face_end
    return tuple(made)


# ---------------------------------------------------------------- where they are


class Bodies(Placed, Protocol):
    """What meshes follow from."""

    @property
    def solids(self) -> list[Solid]: ...


def turns(orientation: ArrayLike) -> Floats:
    """The matrices (n, 3, 3) of unit quaternions."""
    w, x, y, z = np.moveaxis(np.asarray(orientation, float), -1, 0)
    rows = [[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def meshes_of(bodies: Bodies, grains: Iterable[int] | None = None) -> list[list[SolidPart]]:
    """The parts of grains where they are now; a round grain has none."""
    if bodies.dimension != 3:
        raise ArgumentError("grains have meshes in three dimensions only; in two they have outlines")
    numbers, solids = np.asarray(bodies.shape), bodies.solids
    chosen = np.arange(len(numbers)) if grains is None else np.asarray(list(grains), int)
    turn, place = turns(np.asarray(bodies.orientation)[chosen]), np.asarray(bodies.position)[chosen]
    return [[SolidPart(at + part.vertices @ rotation.T, part.faces, part.rounding, part.kind, part.form, part.weights)
             for part in (solids[number].parts if number >= 0 else ())]
            for number, rotation, at in zip(numbers[chosen].tolist(), turn, place)]


class Meshed:
    """Meshes for whatever has positions, orientations and solids."""

    @property
    def meshes(self: Bodies) -> list[list[SolidPart]]:
        """For each grain the parts of its solid, with vertices where they are now; round grains have none. A grain
        consists of all points within the rounding of its parts. Three dimensions only."""
        return meshes_of(self)
