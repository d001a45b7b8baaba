"""Methods that add grains.

Written by tools/scene-keys from the schema in scene/schema/; change it there."""
from __future__ import annotations

from typing import Literal, Sequence

from ._entries import Entries, words
from ._values import Number, Numbers, Points, Whole, Wholes
from .walls import Orientation
from .sizes import Radius
from .solids import (BoxBody, Cone, CylinderBody, Ellipsoid, Mesh, Plate, Polyhedron, Prism, Rock, Superellipsoid,
                     Surface, Torus)
from .shapes import Compound, Ellipse, Library, Nurbs, Polygon, RandomPolygon, Rectangle, Regular, Rod
from .grains import Angle, FrozenWords


class GrainMethods(Entries):
    """Grains."""

    @words
    def fill(self, *, min: Numbers | None = None, max: Numbers | None = None, inside: str | None = None,
             material: str | None = None, radius: Number | Numbers | Radius | None = None,
             polygon: Polygon | None = None, regular: Regular | None = None, rectangle: Rectangle | None = None,
             rod: Rod | None = None, random_polygon: RandomPolygon | None = None,
             compound: Sequence[Compound] | None = None, nurbs: Nurbs | None = None, ellipse: Ellipse | None = None,
             library: Library | None = None, polyhedron: Polyhedron | None = None, box: BoxBody | None = None,
             prism: Prism | None = None, plate: Plate | None = None, ellipsoid: Ellipsoid | None = None,
             superellipsoid: Superellipsoid | None = None, cylinder: CylinderBody | None = None,
             cone: Cone | None = None, surface: Surface | None = None, torus: Torus | None = None,
             mesh: Mesh | None = None, rock: Rock | None = None, shape: str | None = None,
             scale: Number | Numbers | Radius | None = None,
             angle: Number | Numbers | Literal["random"] | Angle | None = None,
             orientation: Numbers | Sequence[Numbers] | Literal["random"] | Orientation | None = None,
             count: Whole | None = None, solid_fraction: Number | None = None, velocity: Numbers | None = None,
             spread: Number | None = None, spread_kind: Literal["normal", "uniform"] | None = None,
             spin: Number | Numbers | None = None, mass: Number | None = None, inertia: Number | None = None,
             frozen: FrozenWords | Sequence[FrozenWords] | None = None, held_by: str | None = None,
             force: Numbers | None = None, torque: Number | Numbers | None = None) -> int:
        """Adds grains. Grains at random positions in a region, entirely inside it and clear of each other, of all other
        grains and of walls. Large grains are placed first; grains are then numbered by position, so that neighbours
        have similar numbers. Beyond a solid fraction of about 0.35 (2D: 0.5) there is no room. Shapes are kept apart by
        their outlines (random polygons fit up to 0.55, rods ten times as long as thick up to 0.3); from segments,
        blocks and the outside of cylinders they are kept apart by their enclosing circles. Solids are kept apart by
        planes along their faces. To fill a drum to the half, cut it by max; a point is inside a mesh if an odd number
        of its triangles lies below it. Returns the number of the entry.

        min: lowest corner; required without `inside` (length; otherwise that of the wall inside)
        max: highest corner; required without `inside` (length; otherwise that of the wall inside)
        inside: name of a wall that encloses the region: a box, a drum, a cylinder with side: inside, a cone, or a mesh,
            which may be open above; min and max cut it (otherwise the box of min and max)
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
        superellipsoid: shape of the grains: between an ellipsoid and a box or a cylinder (three dimensions; otherwise
            none)
        cylinder: shape of the grains: a cylinder, disk or tablet (three dimensions; otherwise none)
        cone: shape of the grains: a cone, or one that is cut off (three dimensions; otherwise none)
        surface: shape of the grains: a body within a closed NURBS surface (three dimensions; otherwise none)
        torus: shape of the grains: a ring (three dimensions; otherwise none)
        mesh: shape of the grains: a body from a mesh file (three dimensions; otherwise none)
        rock: shape of the grains: convex rocks, a different one for each grain (three dimensions; otherwise none)
        shape: shape of the grains: the name of an entry of `shapes` (otherwise none)
        scale: multiplies every length of the shape, including its rounding; a number, a list or a distribution, as for
            a radius (otherwise 1)
        angle: rotation of the shape (radian; two dimensions; otherwise 0; random with fill)
        orientation: rotation of the shape (three dimensions; otherwise not rotated; random with fill)
        count: with fill: number of grains (> 0; otherwise or solid_fraction)
        solid_fraction: with fill: volume of the grains divided by that of the region (2D: areas) (in (0, 1]; otherwise
            or count)
        velocity: initial velocity; with a spread its mean (length/time; otherwise zero)
        spread: standard deviation of each component of the velocity: a different one for each grain (length/time; >= 0;
            default 0)
        spread_kind: `normal`: Maxwell's distribution, of a gas in equilibrium; `uniform`: each component is uniform,
            from sqrt(3) spread below its mean to as much above (default normal)
        spin: initial angular velocity; a single number in two dimensions (1/time; otherwise zero)
        mass: mass of each grain (mass; > 0; otherwise density times volume)
        inertia: moment of inertia of each grain (mass length^2; > 0; otherwise 2/5 m r^2, in 2D 1/2 m r^2, exact for
            shapes)
        frozen: motions that forces cannot change (otherwise free)
        held_by: a wall that takes these grains along as a part of itself (docs/plates.md): what acts on them acts on
            the wall (otherwise no wall)
        force: on the centre of each grain, in addition to gravity (force; otherwise zero)
        torque: on each grain; a single number in two dimensions (force length; otherwise zero)
        """
        return self._add("grains", locals(), "fill", ("min", "max", "inside"))

    @words
    def lattice(self, *, min: Numbers, max: Numbers | None = None, counts: Wholes | None = None,
                spacing: Number | None = None, kind: Literal["square", "cubic", "hexagonal"] | None = None,
                jitter: Number | None = None, material: str | None = None,
                radius: Number | Numbers | Radius | None = None, polygon: Polygon | None = None,
                regular: Regular | None = None, rectangle: Rectangle | None = None, rod: Rod | None = None,
                random_polygon: RandomPolygon | None = None, compound: Sequence[Compound] | None = None,
                nurbs: Nurbs | None = None, ellipse: Ellipse | None = None, library: Library | None = None,
                polyhedron: Polyhedron | None = None, box: BoxBody | None = None, prism: Prism | None = None,
                plate: Plate | None = None, ellipsoid: Ellipsoid | None = None,
                superellipsoid: Superellipsoid | None = None, cylinder: CylinderBody | None = None,
                cone: Cone | None = None, surface: Surface | None = None, torus: Torus | None = None,
                mesh: Mesh | None = None, rock: Rock | None = None, shape: str | None = None,
                scale: Number | Numbers | Radius | None = None,
                angle: Number | Numbers | Literal["random"] | Angle | None = None,
                orientation: Numbers | Sequence[Numbers] | Literal["random"] | Orientation | None = None,
                velocity: Numbers | None = None, spread: Number | None = None,
                spread_kind: Literal["normal", "uniform"] | None = None, spin: Number | Numbers | None = None,
                mass: Number | None = None, inertia: Number | None = None,
                frozen: FrozenWords | Sequence[FrozenWords] | None = None, held_by: str | None = None,
                force: Numbers | None = None, torque: Number | Numbers | None = None) -> int:
        """Adds grains. Grains on a regular lattice, numbered along x first, then y, then z. Returns the number of the
        entry.

        min: lowest corner; the first centre lies half a spacing inside (length)
        max: highest corner of the region to be filled (length; otherwise from counts)
        counts: number of grains in each direction, instead of max (otherwise from max)
        spacing: distance between nearest centres (length; > 0; otherwise twice the largest radius; for shapes, that of
            their enclosing circle)
        kind: hexagonal is the densest: triangular in 2D, close-packed layers in 3D (otherwise square in 2D, cubic in
            3D)
        jitter: random shift of each centre, by at most this much in each direction (length; >= 0; default 0)
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
        superellipsoid: shape of the grains: between an ellipsoid and a box or a cylinder (three dimensions; otherwise
            none)
        cylinder: shape of the grains: a cylinder, disk or tablet (three dimensions; otherwise none)
        cone: shape of the grains: a cone, or one that is cut off (three dimensions; otherwise none)
        surface: shape of the grains: a body within a closed NURBS surface (three dimensions; otherwise none)
        torus: shape of the grains: a ring (three dimensions; otherwise none)
        mesh: shape of the grains: a body from a mesh file (three dimensions; otherwise none)
        rock: shape of the grains: convex rocks, a different one for each grain (three dimensions; otherwise none)
        shape: shape of the grains: the name of an entry of `shapes` (otherwise none)
        scale: multiplies every length of the shape, including its rounding; a number, a list or a distribution, as for
            a radius (otherwise 1)
        angle: rotation of the shape (radian; two dimensions; otherwise 0; random with fill)
        orientation: rotation of the shape (three dimensions; otherwise not rotated; random with fill)
        velocity: initial velocity; with a spread its mean (length/time; otherwise zero)
        spread: standard deviation of each component of the velocity: a different one for each grain (length/time; >= 0;
            default 0)
        spread_kind: `normal`: Maxwell's distribution, of a gas in equilibrium; `uniform`: each component is uniform,
            from sqrt(3) spread below its mean to as much above (default normal)
        spin: initial angular velocity; a single number in two dimensions (1/time; otherwise zero)
        mass: mass of each grain (mass; > 0; otherwise density times volume)
        inertia: moment of inertia of each grain (mass length^2; > 0; otherwise 2/5 m r^2, in 2D 1/2 m r^2, exact for
            shapes)
        frozen: motions that forces cannot change (otherwise free)
        held_by: a wall that takes these grains along as a part of itself (docs/plates.md): what acts on them acts on
            the wall (otherwise no wall)
        force: on the centre of each grain, in addition to gravity (force; otherwise zero)
        torque: on each grain; a single number in two dimensions (force length; otherwise zero)
        """
        return self._add("grains", locals(), "lattice", ("min", "max", "counts", "spacing", "kind", "jitter"))

    @words
    def add_grains(self, *, position: Numbers | None = None, at: Points | None = None, file: str | None = None,
                   material: str | None = None, radius: Number | Numbers | Radius | None = None,
                   polygon: Polygon | None = None, regular: Regular | None = None, rectangle: Rectangle | None = None,
                   rod: Rod | None = None, random_polygon: RandomPolygon | None = None,
                   compound: Sequence[Compound] | None = None, nurbs: Nurbs | None = None,
                   ellipse: Ellipse | None = None, library: Library | None = None, polyhedron: Polyhedron | None = None,
                   box: BoxBody | None = None, prism: Prism | None = None, plate: Plate | None = None,
                   ellipsoid: Ellipsoid | None = None, superellipsoid: Superellipsoid | None = None,
                   cylinder: CylinderBody | None = None, cone: Cone | None = None, surface: Surface | None = None,
                   torus: Torus | None = None, mesh: Mesh | None = None, rock: Rock | None = None,
                   shape: str | None = None, scale: Number | Numbers | Radius | None = None,
                   angle: Number | Numbers | Literal["random"] | Angle | None = None,
                   orientation: Numbers | Sequence[Numbers] | Literal["random"] | Orientation | None = None,
                   velocity: Numbers | None = None, spread: Number | None = None,
                   spread_kind: Literal["normal", "uniform"] | None = None, spin: Number | Numbers | None = None,
                   mass: Number | None = None, inertia: Number | None = None,
                   frozen: FrozenWords | Sequence[FrozenWords] | None = None, held_by: str | None = None,
                   force: Numbers | None = None, torque: Number | Numbers | None = None) -> int:
        """Adds grains at given positions: one of position, at and file. Returns the number of the entry.

        position: centre of a single grain; for a shape, its centroid (length; otherwise one source is required)
        at: centres of several grains (length; otherwise one source is required)
        file: a CSV file, relative to the scene. Its first line names the columns: x, y, z (3D), radius, and optionally
            mass, inertia, vx, vy, vz, wx, wy, wz, material, shape, scale, and angle in 2D, a quaternion qw, qx, qy, qz
            in 3D (a row without a shape is round); lines that begin with # are comments (otherwise one source is
            required)
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
        superellipsoid: shape of the grains: between an ellipsoid and a box or a cylinder (three dimensions; otherwise
            none)
        cylinder: shape of the grains: a cylinder, disk or tablet (three dimensions; otherwise none)
        cone: shape of the grains: a cone, or one that is cut off (three dimensions; otherwise none)
        surface: shape of the grains: a body within a closed NURBS surface (three dimensions; otherwise none)
        torus: shape of the grains: a ring (three dimensions; otherwise none)
        mesh: shape of the grains: a body from a mesh file (three dimensions; otherwise none)
        rock: shape of the grains: convex rocks, a different one for each grain (three dimensions; otherwise none)
        shape: shape of the grains: the name of an entry of `shapes` (otherwise none)
        scale: multiplies every length of the shape, including its rounding; a number, a list or a distribution, as for
            a radius (otherwise 1)
        angle: rotation of the shape (radian; two dimensions; otherwise 0; random with fill)
        orientation: rotation of the shape (three dimensions; otherwise not rotated; random with fill)
        velocity: initial velocity; with a spread its mean (length/time; otherwise zero)
        spread: standard deviation of each component of the velocity: a different one for each grain (length/time; >= 0;
            default 0)
        spread_kind: `normal`: Maxwell's distribution, of a gas in equilibrium; `uniform`: each component is uniform,
            from sqrt(3) spread below its mean to as much above (default normal)
        spin: initial angular velocity; a single number in two dimensions (1/time; otherwise zero)
        mass: mass of each grain (mass; > 0; otherwise density times volume)
        inertia: moment of inertia of each grain (mass length^2; > 0; otherwise 2/5 m r^2, in 2D 1/2 m r^2, exact for
            shapes)
        frozen: motions that forces cannot change (otherwise free)
        held_by: a wall that takes these grains along as a part of itself (docs/plates.md): what acts on them acts on
            the wall (otherwise no wall)
        force: on the centre of each grain, in addition to gravity (force; otherwise zero)
        torque: on each grain; a single number in two dimensions (force length; otherwise zero)
        """
        return self._add("grains", locals())
