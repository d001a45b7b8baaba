"""Keys of scenes: shapes.

Written by tools/scene-keys from the schema in scene/schema/; change it there."""
from __future__ import annotations

from typing import Literal, Sequence, TypedDict

from ._values import Number, Numbers, Points, Whole, Wholes
from .walls import Orientation
from .sizes import Radius
from .solids import (BoxBody, Cone, CylinderBody, Ellipsoid, Mesh, Plate, Polyhedron, Prism, Rock, Sphere,
                     Superellipsoid, Surface, Torus)


class PolygonNeeded(TypedDict):
    """What has to be in Polygon."""

    vertices: Points


class Polygon(PolygonNeeded, total=False):
    """An outline given by its corners, convex or not. It must not cross or touch itself, no corner may appear twice,
    and none may lie on the straight line between its neighbours. Without a source of positions, the body lies where its
    vertices are.

    vertices: at least three corners in order, clockwise or counterclockwise (length)
    rounding: the body is everything within this distance of the polygon, and grows accordingly (length; >= 0; default
        0)
    """

    rounding: Number


class RegularNeeded(TypedDict):
    """What has to be in Regular."""

    radius: Number


class Regular(RegularNeeded, total=False):
    """A regular polygon; unless rotated, it stands on a side. In three dimensions a regular solid: tetrahedron, cube,
    octahedron, dodecahedron or icosahedron.

    corners: number of corners, from 3 to 1000 (two dimensions; otherwise required in 2D)
    faces: number of faces: 4, 6, 8, 12 or 20 (three dimensions; otherwise required in 3D)
    radius: radius of the enclosing circle, in 3D of the enclosing sphere (length; > 0)
    rounding: radius of the corners; included in the given size, so the corners are cut off (length; >= 0; default 0)
    """

    corners: Whole
    faces: Whole
    rounding: Number


class RectangleNeeded(TypedDict):
    """What has to be in Rectangle."""

    size: Numbers


class Rectangle(RectangleNeeded, total=False):
    """A block.

    size: width along x and height along y (length; > 0)
    rounding: radius of the corners; included in the given size, so the corners are cut off (length; >= 0; default 0)
    """

    rounding: Number


class Rod(TypedDict):
    """A straight rod with round ends, along x.

    length: from end to end (length; > 0)
    radius: radius of its round ends; half its thickness (length; > 0)
    """

    length: Number
    radius: Number


class RandomPolygonNeeded(TypedDict):
    """What has to be in RandomPolygon."""

    corners: Whole | Wholes
    radius: Number | Numbers | Radius


class RandomPolygon(RandomPolygonNeeded, total=False):
    """A convex polygon, drawn at random for each grain. Of n corners, corner k lies on a circle at the angle 2 pi (k +
    v + irregularity u) / n, where u is uniform between -1/2 and 1/2 for each corner, and v is uniform between 0 and 1
    for the polygon. The circle is stretched along x into an ellipse, and the polygon is scaled to fit `radius`.

    corners: number of corners, or a range from which it is drawn uniformly
    radius: radius of the enclosing circle about the centroid; not a list (length; > 0)
    irregularity: 0: corners at equal angles; 1: neighbouring corners may come arbitrarily close (in [0, 1]; default
        0.5)
    elongation: aspect ratio of the ellipse on which the corners lie (>= 1; default 1)
    rounding: radius of the corners; included in the given size, so the corners are cut off (length; >= 0; default 0)
    """

    irregularity: Number
    elongation: Number
    rounding: Number


class Disk(TypedDict):
    """A disk as a part of a compound.

    radius: of the disk (length; > 0)
    """

    radius: Number


class Compound(TypedDict, total=False):
    """A list of parts that move as one body; each is one outline, or in three dimensions one solid. Where parts
    overlap, their masses add up; in three dimensions they count once. Without a source of positions, the body lies
    where its parts are.

    disk: a disk (two dimensions; otherwise none)
    polygon: an outline given by its corners (two dimensions; otherwise none)
    regular: a regular polygon or, in 3D, solid (otherwise none)
    rectangle: a block (two dimensions; otherwise none)
    rod: a rod with round ends (otherwise none)
    sphere: a sphere (three dimensions; otherwise none)
    polyhedron: a body given by its vertices (three dimensions; otherwise none)
    box: a box (three dimensions; otherwise none)
    prism: an upright prism (three dimensions; otherwise none)
    plate: a plate with round edges (three dimensions; otherwise none)
    ellipsoid: an ellipsoid (three dimensions; otherwise none)
    superellipsoid: between an ellipsoid and a box or a cylinder (three dimensions; otherwise none)
    cylinder: a cylinder, disk or tablet (three dimensions; otherwise none)
    cone: a cone, or one that is cut off (three dimensions; otherwise none)
    surface: a body within a closed NURBS surface (three dimensions; otherwise none)
    torus: a ring (three dimensions; otherwise none)
    mesh: a body from a mesh file (three dimensions; otherwise none)
    center: centroid of the part (length; otherwise the origin; for vertices, as given by them)
    angle: rotation of the part about its centroid (radian; two dimensions; default 0)
    orientation: rotation of the part about its centroid (three dimensions; otherwise not rotated)
    """

    disk: Disk
    polygon: Polygon
    regular: Regular
    rectangle: Rectangle
    rod: Rod
    sphere: Sphere
    polyhedron: Polyhedron
    box: BoxBody
    prism: Prism
    plate: Plate
    ellipsoid: Ellipsoid
    superellipsoid: Superellipsoid
    cylinder: CylinderBody
    cone: Cone
    surface: Surface
    torus: Torus
    mesh: Mesh
    center: Numbers
    angle: Number
    orientation: Number | Numbers | Orientation


class Nurbs(TypedDict, total=False):
    """A closed NURBS curve. It must not cross or touch itself. Without a source of positions, the body lies where its
    points are.

    degree: degree of the spline, 1 to 7 (> 0; default 3)
    points: control points in order, clockwise or counterclockwise (length; otherwise this or file)
    weights: one for each point (otherwise all 1)
    knots: nondecreasing, points + degree + 1 of them; the curve runs from knot number `degree` to knot number `points`,
        counted from 0, and must end where it begins (otherwise uniform, with the points closed into a ring)
    file: a text file, relative to the scene, with a point on each line: x, y or x, y, weight; lines that begin with #
        are comments (otherwise this or points)
    """

    degree: Whole
    points: Points
    weights: Numbers
    knots: Numbers
    file: str


class Ellipse(TypedDict, total=False):
    """An exact ellipse: a NURBS curve with nine control points.

    size: lengths along x and y (length; > 0; otherwise required, or `half`)
    half: instead of `size`: semi-axes along x and y (length; > 0; otherwise half of `size`)
    """

    size: Numbers
    half: Numbers


class LibraryNeeded(TypedDict):
    """What has to be in Library."""

    set: Literal["nonconvex", "angular"]


class Library(LibraryNeeded, total=False):
    """Grains described by NURBS curves, made for Scree. All have the same mean diameter, so that assemblies of the two
    sets and of disks can be compared (nurbs.md).

    set: sixteen rounded shapes with notches, or sixteen convex shapes with sides and corners
    number: number of the shape, 1 to 16 (> 0; otherwise all of them, equally often)
    diameter: mean diameter: the width between parallel tangents, averaged over all directions; for a disk, twice its
        radius. Not a list (length; > 0; otherwise 1)
    """

    number: Whole
    diameter: Number | Numbers | Radius


class Shapes(TypedDict, total=False):
    """Shapes by name, to be used by `shape` of grains and the column `shape` of CSV files. Each is one of the
    following; which of them there are depends on the dimension.

    polygon: an outline given by its corners (two dimensions; otherwise none)
    regular: a regular polygon or, in 3D, solid (otherwise none)
    rectangle: a block (two dimensions; otherwise none)
    rod: a rod with round ends (otherwise none)
    random_polygon: convex polygons, a different one for each grain (two dimensions; otherwise none)
    compound: several outlines or solids as one body (otherwise none)
    nurbs: a closed NURBS curve (two dimensions; otherwise none)
    ellipse: an ellipse (two dimensions; otherwise none)
    library: a shape from the library of grains, or all of them (two dimensions; otherwise none)
    polyhedron: a body given by its vertices (three dimensions; otherwise none)
    box: a box (three dimensions; otherwise none)
    prism: an upright prism (three dimensions; otherwise none)
    plate: a plate with round edges (three dimensions; otherwise none)
    ellipsoid: an ellipsoid (three dimensions; otherwise none)
    superellipsoid: between an ellipsoid and a box or a cylinder (three dimensions; otherwise none)
    cylinder: a cylinder, disk or tablet (three dimensions; otherwise none)
    cone: a cone, or one that is cut off (three dimensions; otherwise none)
    surface: a body within a closed NURBS surface (three dimensions; otherwise none)
    torus: a ring (three dimensions; otherwise none)
    mesh: a body from a mesh file (three dimensions; otherwise none)
    rock: convex rocks, a different one for each grain (three dimensions; otherwise none)
    """

    polygon: Polygon
    regular: Regular
    rectangle: Rectangle
    rod: Rod
    random_polygon: RandomPolygon
    compound: Sequence[Compound]
    nurbs: Nurbs
    ellipse: Ellipse
    library: Library
    polyhedron: Polyhedron
    box: BoxBody
    prism: Prism
    plate: Plate
    ellipsoid: Ellipsoid
    superellipsoid: Superellipsoid
    cylinder: CylinderBody
    cone: Cone
    surface: Surface
    torus: Torus
    mesh: Mesh
    rock: Rock
