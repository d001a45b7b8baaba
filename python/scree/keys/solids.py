"""Keys of scenes: solids.

Written by tools/scene-keys from the schema in scene/schema/; change it there."""
from __future__ import annotations

from typing import Sequence, TypedDict

from ._values import Number, Numbers, Points, Whole, Wholes
from .sizes import Radius


class Sphere(TypedDict):
    """A sphere as a part of a compound.

    radius: of the sphere (length; > 0)
    """

    radius: Number


class PolyhedronNeeded(TypedDict):
    """What has to be in Polyhedron."""

    vertices: Points


class Polyhedron(PolyhedronNeeded, total=False):
    """A body in space given by its vertices: their convex hull, or whatever the faces close around. Without a source of
    positions, the body lies where its vertices are.

    vertices: its corners, in any order (length)
    faces: plane polygons that close around the body, not necessarily a convex one: vertices counted from 0,
        counterclockwise seen from outside (otherwise the convex hull)
    rounding: the body is everything within this distance of the polyhedron, and grows accordingly (length; >= 0;
        default 0)
    """

    faces: Sequence[Wholes]
    rounding: Number


class BoxBodyNeeded(TypedDict):
    """What has to be in BoxBody."""

    size: Numbers


class BoxBody(BoxBodyNeeded, total=False):
    """A body with six rectangular faces.

    size: lengths along x, y and z (length; > 0)
    rounding: radius of edges and corners; included in the given size, so they are cut off (length; >= 0; default 0)
    """

    rounding: Number


class PrismNeeded(TypedDict):
    """What has to be in Prism."""

    corners: Whole
    radius: Number
    height: Number


class Prism(PrismNeeded, total=False):
    """An upright prism on a regular polygon, whose first corner lies along x.

    corners: corners of its base, from 3 to 1000 (> 0)
    radius: radius of the circle around the base (length; > 0)
    height: along z (length; > 0)
    rounding: radius of edges and corners; included in the given size, so they are cut off (length; >= 0; default 0)
    """

    rounding: Number


class Plate(TypedDict):
    """A rectangular plate whose edges are round: everything within half its thickness of a rectangle. With sharp edges
    it is a `box`.

    size: lengths along x and y, and the thickness, which is the least (length; > 0)
    """

    size: Numbers


class Ellipsoid(TypedDict):
    """An exact ellipsoid.

    size: lengths along x, y and z (length; > 0)
    """

    size: Numbers


class Superellipsoid(TypedDict):
    """The body (|x/a|^n2 + |y/b|^n2)^(n1/n2) + |z/c|^n1 = 1, with a, b, c half of its size. Exponents [2, 2] make an
    ellipsoid, [8, 8] nearly a box, [8, 2] nearly a cylinder along z.

    size: lengths along x, y and z (length; > 0)
    exponents: n1 and n2, each from 2 to 32: where the body is convex and not too sharp (> 0)
    """

    size: Numbers
    exponents: Numbers


class CylinderBodyNeeded(TypedDict):
    """What has to be in CylinderBody."""

    radius: Number
    height: Number


class CylinderBody(CylinderBodyNeeded, total=False):
    """An exact cylinder with flat ends along z: a disk or tablet if it is low. With round ends it is a `rod`.

    radius: of the cylinder (length; > 0)
    height: along z (length; > 0)
    rounding: radius of its two edges; included in the given size (length; >= 0; default 0)
    """

    rounding: Number


class ConeNeeded(TypedDict):
    """What has to be in Cone."""

    radius: Number
    height: Number


class Cone(ConeNeeded, total=False):
    """An exact cone along z, its base below.

    radius: of its base (length; > 0)
    top: radius at the upper end; 0: an apex (length; >= 0; default 0)
    height: along z (length; > 0)
    rounding: the body is everything within this distance of the cone, and grows accordingly (length; >= 0; default 0)
    """

    top: Number
    rounding: Number


class SurfaceNeeded(TypedDict):
    """What has to be in Surface."""

    across: Whole


class Surface(SurfaceNeeded, total=False):
    """A body within one NURBS surface, convex or not, that closes around it: as a ring in one or both directions, and
    with poles, where all points of a row are the same. It must be smooth; only of degree [1, 1], with plane patches, it
    is a polyhedron and has edges. Without a source of positions, the body lies where its points are (solids.md).

    degree: degrees of the splines along u and v, 1 to 7 (> 0; otherwise [3, 3])
    points: control points row by row: those along v one after the other, then the next along u. Seen from outside, v
        runs to the left of u (length; otherwise this or file)
    across: points in a row, along v (> 0)
    weights: one for each point, 1e-6 to 1e6 (otherwise all 1)
    knots_u: along u, nondecreasing: points along u + degree + 1 of them (otherwise uniform, with the points closed into
        a ring along u)
    knots_v: along v, nondecreasing: `across` + degree + 1 of them (otherwise uniform, with the points closed into a
        ring along v)
    file: a text file, relative to the scene, with a point on each line: x, y, z or x, y, z, weight; lines that begin
        with # are comments (otherwise this or points)
    """

    degree: Numbers
    points: Points
    weights: Numbers
    knots_u: Numbers
    knots_v: Numbers
    file: str


class Torus(TypedDict):
    """An exact ring about z: a NURBS surface of 81 control points.

    radius: of the circle through its middle, around z (length; > 0)
    thickness: diameter of its section (length; > 0)
    """

    radius: Number
    thickness: Number


class MeshNeeded(TypedDict):
    """What has to be in Mesh."""

    file: str


class Mesh(MeshNeeded, total=False):
    """A body whose surface stands in a file: STL, OBJ, PLY or OFF, as text or binary (OFF as text only). The surface
    must be closed, and its faces counterclockwise seen from outside. Vertices closer than 1e-9 of the size of the mesh
    are taken for one. Without a source of positions, the body lies where its vertices are.

    file: relative to the scene; its name ends in .stl, .obj, .ply or .off
    scale: multiplies the coordinates of the file, as from millimetres to metres (> 0; default 1)
    hull: true: the convex hull of the vertices; the faces then mean nothing (default false)
    precision: how much coordinates may have been rounded, relative to the largest; faces that may have been plane
        before are made so. A file with six digits needs 1e-5 (>= 0; default 1e-7)
    rounding: the body is everything within this distance of the polyhedron, and grows accordingly (length; >= 0;
        default 0)
    """

    scale: Number
    hull: bool
    precision: Number
    rounding: Number


class RockNeeded(TypedDict):
    """What has to be in Rock."""

    faces: Whole | Wholes
    size: Number | Numbers | Radius


class Rock(RockNeeded, total=False):
    """A convex rock, drawn at random for each grain from the `seed` of the scene: a ball cut by planes and stretched.
    Its length lies along x, its width along y, its height along z.

    faces: number of faces, or a range from which it is drawn uniformly
    size: what a sieve measures: the middle one of its length, width and height; not a list (length; > 0)
    elongation: length over width (>= 1; default 1)
    flatness: width over height (>= 1; default 1)
    angularity: 0: faces as even as their number allows; 1: as uneven as they can be (in [0, 1]; default 0.5)
    rounding: radius of edges and corners; included in the given size, so they are cut off (length; >= 0; default 0)
    """

    elongation: Number
    flatness: Number
    angularity: Number
    rounding: Number
