"""Keys of scenes: grains.

Written by tools/scene-keys from the schema in scene/schema/; change it there."""
from __future__ import annotations

from typing import Literal, Sequence, TypedDict

from ._values import Number, Numbers, Points, Whole, Wholes
from .walls import Orientation
from .sizes import Radius
from .solids import (BoxBody, Cone, CylinderBody, Ellipsoid, Mesh, Plate, Polyhedron, Prism, Rock, Superellipsoid,
                     Surface, Torus)
from .shapes import Compound, Ellipse, Library, Nurbs, Polygon, RandomPolygon, Rectangle, Regular, Rod


class Angle(TypedDict):
    """Rotation of a body, counterclockwise about its centroid, in radians: a number, a list with one number for each
    body of `at`, the word `random` (all directions are equally likely), or a mapping.

    uniform: all angles between two values are equally likely (radian)
    """

    uniform: Numbers


class LatticeNeeded(TypedDict):
    """What has to be in Lattice."""

    min: Numbers


class Lattice(LatticeNeeded, total=False):
    """Grains on a regular lattice, numbered along x first, then y, then z.

    min: lowest corner; the first centre lies half a spacing inside (length)
    max: highest corner of the region to be filled (length; otherwise from counts)
    counts: number of grains in each direction, instead of max (otherwise from max)
    spacing: distance between nearest centres (length; > 0; otherwise twice the largest radius; for shapes, that of
        their enclosing circle)
    kind: hexagonal is the densest: triangular in 2D, close-packed layers in 3D (otherwise square in 2D, cubic in 3D)
    jitter: random shift of each centre, by at most this much in each direction (length; >= 0; default 0)
    """

    max: Numbers
    counts: Wholes
    spacing: Number
    kind: Literal["square", "cubic", "hexagonal"]
    jitter: Number


class Fill(TypedDict, total=False):
    """Grains at random positions in a region, entirely inside it and clear of each other, of all other grains and of
    walls. Large grains are placed first; grains are then numbered by position, so that neighbours have similar numbers.
    Beyond a solid fraction of about 0.35 (2D: 0.5) there is no room. Shapes are kept apart by their outlines (random
    polygons fit up to 0.55, rods ten times as long as thick up to 0.3); from segments, blocks and the outside of
    cylinders they are kept apart by their enclosing circles. Solids are kept apart by planes along their faces. To fill
    a drum to the half, cut it by max; a point is inside a mesh if an odd number of its triangles lies below it.

    min: lowest corner; required without `inside` (length; otherwise that of the wall inside)
    max: highest corner; required without `inside` (length; otherwise that of the wall inside)
    inside: name of a wall that encloses the region: a box, a drum, a cylinder with side: inside, a cone, or a mesh,
        which may be open above; min and max cut it (otherwise the box of min and max)
    """

    min: Numbers
    max: Numbers
    inside: str


FrozenWords = Literal["x", "y", "z", "rotation_x", "rotation_y", "rotation_z", "position", "rotation", "all"]


class Grains(TypedDict, total=False):
    """A list of entries. Each has one source of positions: `position`, `at`, `file`, `lattice` or `fill`. Grains are
    numbered from 0 in the order of the entries. They are round and have a `radius`, or they have a `shape`, or are
    given by one of `polygon`, `regular`, `rectangle`, `rod`, `random_polygon`, `compound`, `nurbs`, `ellipse` and
    `library` in two dimensions, and of `polyhedron`, `box`, `regular`, `prism`, `rod`, `plate`, `ellipsoid`,
    `superellipsoid`, `cylinder`, `cone`, `surface`, `torus`, `mesh`, `rock` and `compound` in three. A single polygon,
    polyhedron, mesh, compound, NURBS curve or surface needs no source of positions.

    material: name of the material (otherwise the only material)
    radius: of the spheres, or disks in two dimensions (length; > 0; otherwise this or a shape, except with file)
    polygon: shape of the grains: an outline given by its corners (two dimensions; otherwise none)
    regular: shape of the grains: a regular polygon or, in 3D, solid (otherwise none)
    rectangle: shape of the grains: a block (two dimensions; otherwise none)
    rod: shape of the grains: a rod with round ends (otherwise none)
    random_polygon: shape of the grains: convex polygons, a different one for each grain (two dimensions; otherwise
        none)
    compound: shape of the grains: several outlines or solids as one body (otherwise none)
    nurbs: shape of the grains: a closed NURBS curve (two dimensions; otherwise none)
    ellipse: shape of the grains: an ellipse (two dimensions; otherwise none)
    library: shape of the grains: from the library (two dimensions; otherwise none)
    polyhedron: shape of the grains: a body given by its vertices (three dimensions; otherwise none)
    box: shape of the grains: a box (three dimensions; otherwise none)
    prism: shape of the grains: an upright prism (three dimensions; otherwise none)
    plate: shape of the grains: a plate with round edges (three dimensions; otherwise none)
    ellipsoid: shape of the grains: an ellipsoid (three dimensions; otherwise none)
    superellipsoid: shape of the grains: between an ellipsoid and a box or a cylinder (three dimensions; otherwise none)
    cylinder: shape of the grains: a cylinder, disk or tablet (three dimensions; otherwise none)
    cone: shape of the grains: a cone, or one that is cut off (three dimensions; otherwise none)
    surface: shape of the grains: a body within a closed NURBS surface (three dimensions; otherwise none)
    torus: shape of the grains: a ring (three dimensions; otherwise none)
    mesh: shape of the grains: a body from a mesh file (three dimensions; otherwise none)
    rock: shape of the grains: convex rocks, a different one for each grain (three dimensions; otherwise none)
    shape: shape of the grains: the name of an entry of `shapes` (otherwise none)
    scale: multiplies every length of the shape, including its rounding; a number, a list or a distribution, as for a
        radius (otherwise 1)
    angle: rotation of the shape (radian; two dimensions; otherwise 0; random with fill)
    orientation: rotation of the shape (three dimensions; otherwise not rotated; random with fill)
    position: centre of a single grain; for a shape, its centroid (length; otherwise one source is required)
    at: centres of several grains (length; otherwise one source is required)
    file: a CSV file, relative to the scene. Its first line names the columns: x, y, z (3D), radius, and optionally
        mass, inertia, vx, vy, vz, wx, wy, wz, material, shape, scale, and angle in 2D, a quaternion qw, qx, qy, qz in
        3D (a row without a shape is round); lines that begin with # are comments (otherwise one source is required)
    lattice: grains on a lattice (otherwise one source is required)
    fill: grains at random positions (otherwise one source is required)
    count: with fill: number of grains (> 0; otherwise or solid_fraction)
    solid_fraction: with fill: volume of the grains divided by that of the region (2D: areas) (in (0, 1]; otherwise or
        count)
    velocity: initial velocity; with a spread its mean (length/time; otherwise zero)
    spread: standard deviation of each component of the velocity: a different one for each grain (length/time; >= 0;
        default 0)
    spread_kind: `normal`: Maxwell's distribution, of a gas in equilibrium; `uniform`: each component is uniform, from
        sqrt(3) spread below its mean to as much above (default normal)
    spin: initial angular velocity; a single number in two dimensions (1/time; otherwise zero)
    mass: mass of each grain (mass; > 0; otherwise density times volume)
    inertia: moment of inertia of each grain (mass length^2; > 0; otherwise 2/5 m r^2, in 2D 1/2 m r^2, exact for
        shapes)
    frozen: motions that forces cannot change (otherwise free)
    held_by: a wall that takes these grains along as a part of itself (docs/plates.md): what acts on them acts on the
        wall (otherwise no wall)
    force: on the centre of each grain, in addition to gravity (force; otherwise zero)
    torque: on each grain; a single number in two dimensions (force length; otherwise zero)
    """

    material: str
    radius: Number | Numbers | Radius
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
    shape: str
    scale: Number | Numbers | Radius
    angle: Number | Numbers | Literal["random"] | Angle
    orientation: Numbers | Sequence[Numbers] | Literal["random"] | Orientation
    position: Numbers
    at: Points
    file: str
    lattice: Lattice
    fill: Fill
    count: Whole
    solid_fraction: Number
    velocity: Numbers
    spread: Number
    spread_kind: Literal["normal", "uniform"]
    spin: Number | Numbers
    mass: Number
    inertia: Number
    frozen: FrozenWords | Sequence[FrozenWords]
    held_by: str
    force: Numbers
    torque: Number | Numbers


class InletsRegion(TypedDict, total=False):
    """A box in which grains appear whole. It has bounds along every axis, but for periodic ones.

    x: along x (length; otherwise without bounds)
    y: along y (length; otherwise without bounds)
    z: along z (three dimensions) (length; otherwise without bounds)
    """

    x: Numbers
    y: Numbers
    z: Numbers


class InletsRate(TypedDict, total=False):
    """How fast grains come, by number, mass or volume.

    number: grains per unit of time (1/time; > 0; otherwise one is required)
    mass: mass per unit of time (mass/time; > 0; otherwise one is required)
    volume: volume of grains per unit of time; in two dimensions area (length^3/time; > 0; otherwise one is required)
    """

    number: Number
    mass: Number
    volume: Number


class InletsNeeded(TypedDict):
    """What has to be in Inlets."""

    region: InletsRegion
    rate: InletsRate


class Inlets(InletsNeeded, total=False):
    """Where grains appear while the run goes on (inlets.md), by name. A grain appears whole within the region, clear of
    all that is there; grains with a shape are clear with the circle or ball around them. When there is no room, it
    waits, and those after it; the run says so, and the table of steps has how many wait. What a grain is follows from
    the seed, the inlet and the number of the grain alone.

    region: where grains appear, at random places
    rate: how fast they come
    start: when the inlet opens (time; default 0)
    end: when no more become due (time; otherwise never)
    count: how many come in all (> 0; otherwise no limit)
    material: material of the grains (otherwise the only material)
    radius: a number, a list that is gone through again and again, or a distribution (length; > 0; otherwise required
        for round grains)
    shape: shape of the grains: the name of an entry of `shapes` (otherwise round)
    scale: multiplies every length of the shape; of a distribution, or of a shape that is drawn at random, 64 are made
        before the run, and each grain is one of these (otherwise 1)
    angle: rotation of the shape (radian; two dimensions; otherwise random)
    orientation: rotation of the shape (three dimensions; otherwise random)
    velocity: mean velocity of the grains when they appear (length/time; otherwise zero)
    spread: standard deviation of each component of the velocity (length/time; >= 0; default 0)
    spread_kind: how the components of the velocity are spread, as of grains (default normal)
    spin: angular velocity; a single number in two dimensions (1/time; otherwise zero)
    mass: mass of each grain (mass; > 0; otherwise density times volume)
    """

    start: Number
    end: Number
    count: Whole
    material: str
    radius: Number | Numbers | Radius
    shape: str
    scale: Number | Numbers | Radius
    angle: Number | Numbers | Literal["random"] | Angle
    orientation: Numbers | Sequence[Numbers] | Literal["random"] | Orientation
    velocity: Numbers
    spread: Number
    spread_kind: Literal["normal", "uniform"]
    spin: Number | Numbers
    mass: Number


class OutletsPlane(TypedDict):
    """A plane that grains pass.

    point: any point on the plane (length)
    normal: points to where grains are removed; its length does not matter
    """

    point: Numbers
    normal: Numbers


class Inside(TypedDict, total=False):
    """A box; what is not given is without bounds.

    x: along x (length; otherwise without bounds)
    y: along y (length; otherwise without bounds)
    z: along z (three dimensions) (length; otherwise without bounds)
    """

    x: Numbers
    y: Numbers
    z: Numbers


class Outlets(TypedDict, total=False):
    """Where grains are removed and counted (inlets.md), by name: what has its centre beyond a plane, in a box or
    outside of one. The first outlet that a grain has reached counts it.

    plane: removes what has passed this plane (otherwise one is required)
    inside: removes what is in this box (otherwise one is required)
    outside: removes what has left this box (otherwise one is required)
    """

    plane: OutletsPlane
    inside: Inside
    outside: Inside


class Bonds(TypedDict, total=False):
    """Glue between grains, or of grains to walls, by name. It holds grains as they are until a load breaks it, for
    good: at the end of the step in which B' / bending - N / tension or S' / shear + T' / torsion - N / tension reaches
    1, with the normal force N (compression is positive), the shear force S' and the torques B' and T'. See bonds.md.

    tension: strength F: the largest pull; with tension_stress it adds up, and one of the two is required (force; >= 0;
        default 0)
    shear: strength S: the largest shear force without a normal force; likewise (force; >= 0; default 0)
    tension_stress: the same by the section of the glue (force/length^(d-1); >= 0; default 0)
    shear_stress: the same by the section of the glue (force/length^(d-1); >= 0; default 0)
    neck: radius of the section over the smaller radius of the two grains (> 0; default 1)
    bending: strength B: the largest bending torque without a normal force (force length; > 0; otherwise that of the
        section)
    torsion: strength T: the largest torque about the normal, in three dimensions (force length; > 0; otherwise that of
        the section)
    between: one material, or two: only grains of one and of the other are glued (otherwise any)
    pair: the numbers of two grains, the lower first: only these are glued (otherwise all pairs that touch)
    walls: walls to which the grains that touch them are glued, instead of to each other: `tank` with all its faces, or
        `tank.bottom` alone; of two materials in `between` one is then that of the wall (otherwise to each other)
    within: the gap up to which grains count as touching, over the smaller radius; at most 0.1 (>= 0; default 1e-3)
    at_start: whether grains are glued before the first step; if not, an event does it: `glue` (default true)
    """

    tension: Number
    shear: Number
    tension_stress: Number
    shear_stress: Number
    neck: Number
    bending: Number
    torsion: Number
    between: str | Sequence[str]
    pair: Wholes
    walls: str | Sequence[str]
    within: Number
    at_start: bool
