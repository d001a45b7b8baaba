"""Methods that add walls.

Written by tools/scene-keys from the schema in scene/schema/; change it there."""
from __future__ import annotations

from typing import Literal, Sequence

from ._entries import Entries, words
from ._values import Number, Numbers, Points, Wholes
from .walls import Holes, OpenWords, Orientation, Piston, Programme, SpinProgramme


class WallMethods(Entries):
    """Walls, each with a name."""

    @words
    def add_plane(self, name: str, *, point: Numbers, normal: Numbers, material: str | None = None,
                  velocity: Numbers | Programme | None = None, spin: Number | Numbers | SpinProgramme | None = None,
                  pivot: Numbers | None = None, piston: Piston | None = None) -> str:
        """Adds a wall, a plane. An infinite plane; everything behind it is solid. Returns its name.

        point: any point on the plane (length)
        normal: points towards the grains; its length does not matter
        material: name of its material (otherwise that of the touching grain)
        velocity: velocity of the pivot; of a piston, its velocity across its direction (length/time; otherwise zero)
        spin: angular velocity about the pivot (1/time; otherwise zero)
        pivot: the point about which it rotates (length; otherwise its point; the centre of a box, block, segment, drum,
            disc or plate; one end of a cone; the origin of a mesh; the middle of the grains that it is made of)
        piston: makes the wall carry a force instead of following a prescribed motion (otherwise none)
        """
        return self._add("walls", locals(), "plane", ("point", "normal"))

    @words
    def add_segment(self, name: str, *, from_: Numbers, to: Numbers, material: str | None = None,
                    velocity: Numbers | Programme | None = None, spin: Number | Numbers | SpinProgramme | None = None,
                    pivot: Numbers | None = None, piston: Piston | None = None) -> str:
        """Adds a wall, a thin line in two dimensions. Two dimensions: a thin line that is solid on both sides. Returns
        its name.

        from_: one end (length)
        to: the other end (length)
        material: name of its material (otherwise that of the touching grain)
        velocity: velocity of the pivot; of a piston, its velocity across its direction (length/time; otherwise zero)
        spin: angular velocity about the pivot (1/time; otherwise zero)
        pivot: the point about which it rotates (length; otherwise its point; the centre of a box, block, segment, drum,
            disc or plate; one end of a cone; the origin of a mesh; the middle of the grains that it is made of)
        piston: makes the wall carry a force instead of following a prescribed motion (otherwise none)
        """
        return self._add("walls", locals(), "segment", ("from", "to"))

    @words
    def add_box(self, name: str, *, min: Numbers, max: Numbers, open: OpenWords | Sequence[OpenWords] | None = None,
                material: str | None = None, velocity: Numbers | Programme | None = None,
                spin: Number | Numbers | SpinProgramme | None = None, pivot: Numbers | None = None,
                piston: Piston | None = None) -> str:
        """Adds a wall, a container. A container made of planes that face inwards: `tank.left` and `tank.right` (along
        x), in three dimensions `tank.front` and `tank.back` (y), `tank.bottom` and `tank.top` (z, or y in two
        dimensions). Faces listed under `open` are left out. It rotates about its centre. Returns its name.

        min: the lowest corner (length)
        max: the highest corner (length)
        open: faces of a box or drum to leave out (otherwise closed)
        material: name of its material (otherwise that of the touching grain)
        velocity: velocity of the pivot; of a piston, its velocity across its direction (length/time; otherwise zero)
        spin: angular velocity about the pivot (1/time; otherwise zero)
        pivot: the point about which it rotates (length; otherwise its point; the centre of a box, block, segment, drum,
            disc or plate; one end of a cone; the origin of a mesh; the middle of the grains that it is made of)
        piston: makes the wall carry a force instead of following a prescribed motion (otherwise none)
        """
        return self._add("walls", locals(), "box", ("min", "max"))

    @words
    def add_block(self, name: str, *, min: Numbers | None = None, max: Numbers | None = None,
                  center: Numbers | None = None, half: Numbers | None = None,
                  orientation: Number | Numbers | Orientation | None = None, material: str | None = None,
                  velocity: Numbers | Programme | None = None, spin: Number | Numbers | SpinProgramme | None = None,
                  pivot: Numbers | None = None, piston: Piston | None = None) -> str:
        """Adds a wall, a solid obstacle. A solid obstacle with flat sides, given by two corners, or by its centre and
        half its sides. Returns its name.

        min: the lowest corner (length; otherwise from center and half)
        max: the highest corner (length; otherwise from center and half)
        center: its centre (length; otherwise from min and max)
        half: half its side lengths (length; > 0; otherwise from min and max)
        orientation: rotation about its centre (radian in 2D; otherwise not rotated)
        material: name of its material (otherwise that of the touching grain)
        velocity: velocity of the pivot; of a piston, its velocity across its direction (length/time; otherwise zero)
        spin: angular velocity about the pivot (1/time; otherwise zero)
        pivot: the point about which it rotates (length; otherwise its point; the centre of a box, block, segment, drum,
            disc or plate; one end of a cone; the origin of a mesh; the middle of the grains that it is made of)
        piston: makes the wall carry a force instead of following a prescribed motion (otherwise none)
        """
        return self._add("walls", locals(), "block", ("min", "max", "center", "half", "orientation"))

    @words
    def add_cylinder(self, name: str, *, point: Numbers, axis: Numbers | None = None, radius: Number,
                     length: Number | None = None, side: Literal["outside", "inside"], material: str | None = None,
                     velocity: Numbers | Programme | None = None, spin: Number | Numbers | SpinProgramme | None = None,
                     pivot: Numbers | None = None, piston: Piston | None = None) -> str:
        """Adds a wall, a round wall. A round wall (in two dimensions a circle), with grains inside or outside. Returns
        its name.

        point: the middle of its axis (length)
        axis: direction of the axis (three dimensions); its length does not matter (otherwise along z)
        radius: its radius (length; > 0)
        length: from end to end (three dimensions) (length; > 0; otherwise infinite)
        side: where the grains are
        material: name of its material (otherwise that of the touching grain)
        velocity: velocity of the pivot; of a piston, its velocity across its direction (length/time; otherwise zero)
        spin: angular velocity about the pivot (1/time; otherwise zero)
        pivot: the point about which it rotates (length; otherwise its point; the centre of a box, block, segment, drum,
            disc or plate; one end of a cone; the origin of a mesh; the middle of the grains that it is made of)
        piston: makes the wall carry a force instead of following a prescribed motion (otherwise none)
        """
        return self._add("walls", locals(), "cylinder", ("point", "axis", "radius", "length", "side"))

    @words
    def add_drum(self, name: str, *, center: Numbers, axis: Numbers | None = None, radius: Number,
                 length: Number | None = None, open: OpenWords | Sequence[OpenWords] | None = None,
                 material: str | None = None, velocity: Numbers | Programme | None = None,
                 spin: Number | Numbers | SpinProgramme | None = None, pivot: Numbers | None = None,
                 piston: Piston | None = None) -> str:
        """Adds a wall, a closed drum. A closed drum with the grains inside: `drum.shell` and, in three dimensions, the
        end planes `drum.front` and `drum.back` (the far end along the axis). With `spin: 1.5` it rotates about its
        axis. Returns its name.

        center: its centre (length)
        axis: direction of the axis (three dimensions) (otherwise along y)
        radius: its radius (length; > 0)
        length: from end to end (three dimensions) (length; > 0; otherwise required in 3D)
        open: faces of a box or drum to leave out (otherwise closed)
        material: name of its material (otherwise that of the touching grain)
        velocity: velocity of the pivot; of a piston, its velocity across its direction (length/time; otherwise zero)
        spin: angular velocity about the pivot (1/time; otherwise zero)
        pivot: the point about which it rotates (length; otherwise its point; the centre of a box, block, segment, drum,
            disc or plate; one end of a cone; the origin of a mesh; the middle of the grains that it is made of)
        piston: makes the wall carry a force instead of following a prescribed motion (otherwise none)
        """
        return self._add("walls", locals(), "drum", ("center", "axis", "radius", "length"))

    @words
    def add_mesh(self, name: str, *, file: str | None = None, vertices: Points | None = None,
                 faces: Sequence[Wholes] | None = None, scale: Number | None = None, position: Numbers | None = None,
                 orientation: Number | Numbers | Orientation | None = None, material: str | None = None,
                 velocity: Numbers | Programme | None = None, spin: Number | Numbers | SpinProgramme | None = None,
                 pivot: Numbers | None = None, piston: Piston | None = None) -> str:
        """Adds a wall, a surface of triangles. Three dimensions: a surface of triangles, open or closed, from a file
        (STL, OBJ, PLY, OFF) or as vertices and faces. It is thin, and both of its sides are solid, whichever way around
        its triangles run: a grain stays on the side on which it is. If the file has several named parts (`solid` of STL
        as text, `o` and `g` of OBJ), each is a wall with a load of its own: `mixer.blade` and `mixer.drum`. Returns its
        name.

        file: relative to the scene; its name ends in .stl, .obj, .ply or .off (otherwise or vertices and faces)
        vertices: its vertices (length; otherwise or a file)
        faces: lists of three or more vertices, counted from 0; neighbours share them (otherwise with vertices)
        scale: multiplies its coordinates, as from millimetres to metres (> 0; default 1)
        position: where the origin of its coordinates lies (length; otherwise zero)
        orientation: rotation about that origin (otherwise not rotated)
        material: name of its material (otherwise that of the touching grain)
        velocity: velocity of the pivot; of a piston, its velocity across its direction (length/time; otherwise zero)
        spin: angular velocity about the pivot (1/time; otherwise zero)
        pivot: the point about which it rotates (length; otherwise its point; the centre of a box, block, segment, drum,
            disc or plate; one end of a cone; the origin of a mesh; the middle of the grains that it is made of)
        piston: makes the wall carry a force instead of following a prescribed motion (otherwise none)
        """
        return self._add("walls", locals(), "mesh", ("file", "vertices", "faces", "scale", "position",
                         "orientation"))

    @words
    def add_cone(self, name: str, *, from_: Numbers, to: Numbers, radii: Numbers, material: str | None = None,
                 velocity: Numbers | Programme | None = None, spin: Number | Numbers | SpinProgramme | None = None,
                 pivot: Numbers | None = None, piston: Piston | None = None) -> str:
        """Adds a wall, a funnel. Three dimensions: a funnel, the thin shell of a cone that is open at both ends. Both
        of its sides are solid: grains run down inside of it, or lie on it from outside. With equal radii it is a piece
        of tube. Returns its name.

        from_: the middle of one end (length)
        to: the middle of the other end (length)
        radii: the radii at both ends; 0 is a tip (length; >= 0)
        material: name of its material (otherwise that of the touching grain)
        velocity: velocity of the pivot; of a piston, its velocity across its direction (length/time; otherwise zero)
        spin: angular velocity about the pivot (1/time; otherwise zero)
        pivot: the point about which it rotates (length; otherwise its point; the centre of a box, block, segment, drum,
            disc or plate; one end of a cone; the origin of a mesh; the middle of the grains that it is made of)
        piston: makes the wall carry a force instead of following a prescribed motion (otherwise none)
        """
        return self._add("walls", locals(), "cone", ("from", "to", "radii"))

    @words
    def add_disc(self, name: str, *, center: Numbers, normal: Numbers | None = None, radius: Number,
                 hole: Number | None = None, material: str | None = None, velocity: Numbers | Programme | None = None,
                 spin: Number | Numbers | SpinProgramme | None = None, pivot: Numbers | None = None,
                 piston: Piston | None = None) -> str:
        """Adds a wall, a thin round plate, or a ring. Three dimensions: a thin round plate, or a ring. Both of its
        sides are solid. Returns its name.

        center: its centre (length)
        normal: direction of its axis; its length does not matter (otherwise along z)
        radius: its radius (length; > 0)
        hole: radius of a round hole in the middle, which makes it a ring (length; >= 0; default 0)
        material: name of its material (otherwise that of the touching grain)
        velocity: velocity of the pivot; of a piston, its velocity across its direction (length/time; otherwise zero)
        spin: angular velocity about the pivot (1/time; otherwise zero)
        pivot: the point about which it rotates (length; otherwise its point; the centre of a box, block, segment, drum,
            disc or plate; one end of a cone; the origin of a mesh; the middle of the grains that it is made of)
        piston: makes the wall carry a force instead of following a prescribed motion (otherwise none)
        """
        return self._add("walls", locals(), "disc", ("center", "normal", "radius", "hole"))

    @words
    def add_plate(self, name: str, *, center: Numbers, size: Numbers,
                  orientation: Number | Numbers | Orientation | None = None, holes: Holes | None = None,
                  material: str | None = None, velocity: Numbers | Programme | None = None,
                  spin: Number | Numbers | SpinProgramme | None = None, pivot: Numbers | None = None,
                  piston: Piston | None = None) -> str:
        """Adds a wall, a thin rectangle with holes or without. Three dimensions: a thin rectangle across z, or turned,
        with round holes in it or without. Both of its sides are solid. Returns its name.

        center: its centre (length)
        size: its sides along x and y (length; > 0)
        orientation: rotation about its centre (otherwise not rotated)
        holes: round holes in it (otherwise none)
        material: name of its material (otherwise that of the touching grain)
        velocity: velocity of the pivot; of a piston, its velocity across its direction (length/time; otherwise zero)
        spin: angular velocity about the pivot (1/time; otherwise zero)
        pivot: the point about which it rotates (length; otherwise its point; the centre of a box, block, segment, drum,
            disc or plate; one end of a cone; the origin of a mesh; the middle of the grains that it is made of)
        piston: makes the wall carry a force instead of following a prescribed motion (otherwise none)
        """
        return self._add("walls", locals(), "plate", ("center", "size", "orientation", "holes"))

    @words
    def add_holder(self, name: str, *, point: Numbers | None = None, material: str | None = None,
                   velocity: Numbers | Programme | None = None, spin: Number | Numbers | SpinProgramme | None = None,
                   pivot: Numbers | None = None, piston: Piston | None = None) -> str:
        """Adds a wall, nothing but the grains that it holds. Nothing but the grains that are `held_by` the wall
        (plates.md): a rough plate, or a tool of any form. For grains on a plane or a cylinder take that shape. Returns
        its name.

        point: its place, about which it turns unless it has another pivot (length; otherwise the middle of its grains)
        material: name of its material (otherwise that of the touching grain)
        velocity: velocity of the pivot; of a piston, its velocity across its direction (length/time; otherwise zero)
        spin: angular velocity about the pivot (1/time; otherwise zero)
        pivot: the point about which it rotates (length; otherwise its point; the centre of a box, block, segment, drum,
            disc or plate; one end of a cone; the origin of a mesh; the middle of the grains that it is made of)
        piston: makes the wall carry a force instead of following a prescribed motion (otherwise none)
        """
        return self._add("walls", locals(), "holder", ("point",))
