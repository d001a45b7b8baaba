"""Keys of scenes: walls.

Written by tools/scene-keys from the schema in scene/schema/; change it there."""
from __future__ import annotations

from typing import Literal, Sequence, TypedDict

from ._values import Number, Numbers, Points, Wholes
from .world import NumberProgramme


class Plane(TypedDict):
    """An infinite plane; everything behind it is solid.

    point: any point on the plane (length)
    normal: points towards the grains; its length does not matter
    """

    point: Numbers
    normal: Numbers


Segment = TypedDict("Segment", {"from": Numbers, "to": Numbers})
"""Two dimensions: a thin line that is solid on both sides.

from: one end (length)
to: the other end (length)
"""


class Box(TypedDict):
    """A container made of planes that face inwards: `tank.left` and `tank.right` (along x), in three dimensions
    `tank.front` and `tank.back` (y), `tank.bottom` and `tank.top` (z, or y in two dimensions). Faces listed under
    `open` are left out. It rotates about its centre.

    min: the lowest corner (length)
    max: the highest corner (length)
    """

    min: Numbers
    max: Numbers


class Orientation(TypedDict, total=False):
    """Rotation of a body in space about its centre of mass: a quaternion [w, x, y, z], or a mapping with `axis` and
    `angle`, or with `angles`. For grains it may also be a list with one rotation for each body of `at`, or the word
    `random`: all orientations are equally likely.

    axis: direction of the axis; need not be a unit vector (three dimensions; otherwise none)
    angle: angle about the axis (radian; default 0)
    angles: about x, then about y, then about z, the axes of the scene (radian; three dimensions; otherwise none)
    """

    axis: Numbers
    angle: Number
    angles: Numbers


class Block(TypedDict, total=False):
    """A solid obstacle with flat sides, given by two corners, or by its centre and half its sides.

    min: the lowest corner (length; otherwise from center and half)
    max: the highest corner (length; otherwise from center and half)
    center: its centre (length; otherwise from min and max)
    half: half its side lengths (length; > 0; otherwise from min and max)
    orientation: rotation about its centre (radian in 2D; otherwise not rotated)
    """

    min: Numbers
    max: Numbers
    center: Numbers
    half: Numbers
    orientation: Number | Numbers | Orientation


class CylinderNeeded(TypedDict):
    """What has to be in Cylinder."""

    point: Numbers
    radius: Number
    side: Literal["outside", "inside"]


class Cylinder(CylinderNeeded, total=False):
    """A round wall (in two dimensions a circle), with grains inside or outside.

    point: the middle of its axis (length)
    axis: direction of the axis (three dimensions); its length does not matter (otherwise along z)
    radius: its radius (length; > 0)
    length: from end to end (three dimensions) (length; > 0; otherwise infinite)
    side: where the grains are
    """

    axis: Numbers
    length: Number


class DrumNeeded(TypedDict):
    """What has to be in Drum."""

    center: Numbers
    radius: Number


class Drum(DrumNeeded, total=False):
    """A closed drum with the grains inside: `drum.shell` and, in three dimensions, the end planes `drum.front` and
    `drum.back` (the far end along the axis). With `spin: 1.5` it rotates about its axis.

    center: its centre (length)
    axis: direction of the axis (three dimensions) (otherwise along y)
    radius: its radius (length; > 0)
    length: from end to end (three dimensions) (length; > 0; otherwise required in 3D)
    """

    axis: Numbers
    length: Number


class WallMesh(TypedDict, total=False):
    """Three dimensions: a surface of triangles, open or closed, from a file (STL, OBJ, PLY, OFF) or as vertices and
    faces. It is thin, and both of its sides are solid, whichever way around its triangles run: a grain stays on the
    side on which it is. If the file has several named parts (`solid` of STL as text, `o` and `g` of OBJ), each is a
    wall with a load of its own: `mixer.blade` and `mixer.drum`.

    file: relative to the scene; its name ends in .stl, .obj, .ply or .off (otherwise or vertices and faces)
    vertices: its vertices (length; otherwise or a file)
    faces: lists of three or more vertices, counted from 0; neighbours share them (otherwise with vertices)
    scale: multiplies its coordinates, as from millimetres to metres (> 0; default 1)
    position: where the origin of its coordinates lies (length; otherwise zero)
    orientation: rotation about that origin (otherwise not rotated)
    """

    file: str
    vertices: Points
    faces: Sequence[Wholes]
    scale: Number
    position: Numbers
    orientation: Number | Numbers | Orientation


WallCone = TypedDict("WallCone", {"from": Numbers, "to": Numbers, "radii": Numbers})
"""Three dimensions: a funnel, the thin shell of a cone that is open at both ends. Both of its sides are solid: grains
run down inside of it, or lie on it from outside. With equal radii it is a piece of tube.

from: the middle of one end (length)
to: the middle of the other end (length)
radii: the radii at both ends; 0 is a tip (length; >= 0)
"""


class DiscNeeded(TypedDict):
    """What has to be in Disc."""

    center: Numbers
    radius: Number


class Disc(DiscNeeded, total=False):
    """Three dimensions: a thin round plate, or a ring. Both of its sides are solid.

    center: its centre (length)
    normal: direction of its axis; its length does not matter (otherwise along z)
    radius: its radius (length; > 0)
    hole: radius of a round hole in the middle, which makes it a ring (length; >= 0; default 0)
    """

    normal: Numbers
    hole: Number


class HolesNeeded(TypedDict):
    """What has to be in Holes."""

    radius: Number


class Holes(HolesNeeded, total=False):
    """Round holes of one size in rows, as in a sieve.

    radius: of each hole (length; > 0)
    count: how many there are along x and y (> 0; otherwise one hole)
    spacing: from the middle of one to that of the next, along x and y; the middle of all is that of the plate (length;
        >= 0; otherwise with several holes)
    """

    count: Numbers
    spacing: Numbers


class WallPlateNeeded(TypedDict):
    """What has to be in WallPlate."""

    center: Numbers
    size: Numbers


class WallPlate(WallPlateNeeded, total=False):
    """Three dimensions: a thin rectangle across z, or turned, with round holes in it or without. Both of its sides are
    solid.

    center: its centre (length)
    size: its sides along x and y (length; > 0)
    orientation: rotation about its centre (otherwise not rotated)
    holes: round holes in it (otherwise none)
    """

    orientation: Number | Numbers | Orientation
    holes: Holes


class Holder(TypedDict, total=False):
    """Nothing but the grains that are `held_by` the wall (plates.md): a rough plate, or a tool of any form. For grains
    on a plane or a cylinder take that shape.

    point: its place, about which it turns unless it has another pivot (length; otherwise the middle of its grains)
    """

    point: Numbers


class Programme(TypedDict, total=False):
    """A velocity or force that changes with time: a table or an oscillation. Times are those of the run. Each step uses
    the exact mean over the step, so that the position of a wall follows the programme exactly.

    table: values at given times, interpolated linearly, and constant before the first and after the last; two rows with
        the same time make a jump (time, then the value's; otherwise none)
    amplitude: of mean + amplitude sin(2 pi frequency t + phase) (the value's; otherwise none)
    frequency: cycles in a unit of time (1/time; >= 0; otherwise none)
    phase: angle at time 0 (radian; default 0)
    mean: the value it oscillates about (the value's; otherwise zero)
    """

    table: Points
    amplitude: Numbers
    frequency: Number
    phase: Number
    mean: Numbers


class SpinProgramme(TypedDict, total=False):
    """The same for a spin, in radians per unit of time. A single number turns about z in two dimensions, and in three
    about the wall's own axis (cylinder, drum, cone, disc, plate).

    table: as for a velocity, with rows [time, spin] or, in 3D, [time, x, y, z] (time, then 1/time; otherwise none)
    amplitude: of mean + amplitude sin(2 pi frequency t + phase) (1/time; otherwise none)
    frequency: cycles in a unit of time (1/time; >= 0; otherwise none)
    phase: angle at time 0 (radian; default 0)
    mean: the spin it oscillates about (1/time; otherwise zero)
    """

    table: Points
    amplitude: Number | Numbers
    frequency: Number
    phase: Number
    mean: Number | Numbers


class Piston(TypedDict, total=False):
    """A wall that carries a force and is free to move in one direction only.

    mass: its inertia: gravity does not act on it, and at rest it hands on its force, whatever its mass; 0: far lighter
        than any grain, a billionth of the lightest (soft engine: a hundredth), for walls that touch few grains (mass;
        >= 0; otherwise that of a layer of grains)
    force: the force on it; only the component along `direction` acts (force; otherwise or stress)
    stress: pushes the plane towards the grains with this stress times its area, which other walls and the sides of the
        periodic cell bound; grains that are a piston it pushes along `direction` (force/length^(d-1); otherwise or
        force)
    between: the planes that bound the area of its stress: two, in space four, opposite ones in pairs; none along
        directions in which the cell is periodic (otherwise the planes that stand across it)
    direction: direction in which it is free to move (otherwise the plane's normal)
    velocity: initial velocity; its part across `direction` stays as it is (length/time; otherwise zero)
    """

    mass: Number
    force: Numbers | Programme
    stress: Number | NumberProgramme
    between: str | Sequence[str]
    direction: Numbers
    velocity: Numbers


OpenWords = Literal["left", "right", "front", "back", "top", "bottom"]


class Walls(TypedDict, total=False):
    """Walls by name. Each has one shape, and is fixed, moves as prescribed, or is a piston.

    plane: a plane (otherwise one shape is required)
    segment: a thin line in two dimensions (otherwise one shape is required)
    box: a container (otherwise one shape is required)
    block: a solid obstacle (otherwise one shape is required)
    cylinder: a round wall (otherwise one shape is required)
    drum: a closed drum (otherwise one shape is required)
    mesh: a surface of triangles (otherwise one shape is required)
    cone: a funnel (otherwise one shape is required)
    disc: a thin round plate, or a ring (otherwise one shape is required)
    plate: a thin rectangle with holes or without (otherwise one shape is required)
    holder: nothing but the grains that it holds (otherwise one shape is required)
    open: faces of a box or drum to leave out (otherwise closed)
    material: name of its material (otherwise that of the touching grain)
    velocity: velocity of the pivot; of a piston, its velocity across its direction (length/time; otherwise zero)
    spin: angular velocity about the pivot (1/time; otherwise zero)
    pivot: the point about which it rotates (length; otherwise its point; the centre of a box, block, segment, drum,
        disc or plate; one end of a cone; the origin of a mesh; the middle of the grains that it is made of)
    piston: makes the wall carry a force instead of following a prescribed motion (otherwise none)
    """

    plane: Plane
    segment: Segment
    box: Box
    block: Block
    cylinder: Cylinder
    drum: Drum
    mesh: WallMesh
    cone: WallCone
    disc: Disc
    plate: WallPlate
    holder: Holder
    open: OpenWords | Sequence[OpenWords]
    material: str
    velocity: Numbers | Programme
    spin: Number | Numbers | SpinProgramme
    pivot: Numbers
    piston: Piston
