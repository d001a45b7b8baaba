"""Methods that add materials, shapes, inlets, outlets, bonds, events and measures.

Written by tools/scene-keys from the schema in scene/schema/; change it there."""
from __future__ import annotations

from typing import Literal, Sequence

from ._entries import Entries, words
from ._values import Number, Numbers, Whole, Wholes
from .world import Cell, Condition, Region
from .materials import Growth
from .walls import Orientation
from .sizes import Radius
from .solids import (BoxBody, Cone, CylinderBody, Ellipsoid, Mesh, Plate, Polyhedron, Prism, Rock, Superellipsoid,
                     Surface, Torus)
from .shapes import Compound, Ellipse, Library, Nurbs, Polygon, RandomPolygon, Rectangle, Regular, Rod
from .grains import Angle, InletsRate, InletsRegion, Inside, OutletsPlane
from .events import Hold, SetForce, SetFriction, SetGrowth, SetPiston, SetVelocity


class OtherMethods(Entries):
    """Everything else that a scene has many of."""

    @words
    def add_material(self, name: str, *, density: Number | None = None, colour: str | None = None,
                     friction: Number | None = None, friction_static: Number | None = None,
                     rolling: Number | None = None, rolling_length: Number | None = None,
                     rolling_hertz: Number | None = None, torsion: Number | None = None,
                     torsion_length: Number | None = None, cohesion: Number | None = None,
                     cohesion_stress: Number | None = None, cohesion_range: Number | None = None,
                     bridge_volume: Number | None = None, bridge_tension: Number | None = None,
                     bridge_angle: Number | None = None, restitution: Number | None = None,
                     restitution_tangential: Number | None = None, restitution_threshold: Number | None = None,
                     stiffness: Number | None = None, stiffness_tangential: Number | None = None,
                     modulus: Number | None = None, damping: Number | None = None,
                     damping_tangential: Number | None = None, growth: Growth | None = None) -> str:
        """Adds an entry to `materials`: What grains and walls are made of, by name, and the contact law of each
        material with itself. Between two different materials, the smaller of each pair of values applies, but the
        larger contact angle and the harmonic mean of stiffness and modulus, unless `pairs` says otherwise. N is the
        normal force, and r* the reduced radius 1 / (1/r_a + 1/r_b) of the two grains (at a flat wall, the radius of the
        grain; of a solid in space, the distance of its centre from the plane of the contact). All laws can be combined,
        except for liquid bridges with cohesion, and `modulus` and the dampings, which belong to the soft engine.

        density: mass per volume (mass/length^3 (2D: mass/length^2); > 0; default 1)
        colour: how pictures show it: "#c04020", or a word: red, orange, yellow, green, blue, violet, white, grey,
            black, or what it looks like, such as sand, wood, steel, glass, gold (otherwise by its name, or by its
            number)
        friction: Coulomb coefficient: |T| <= friction N (>= 0; default 0)
        friction_static: coefficient while a contact does not slide, at least friction; 0: the same (>= 0; default 0)
        rolling: rolling friction: torque <= rolling r* N (>= 0; default 0)
        rolling_length: the same as a length: torque <= rolling_length N (length; >= 0; default 0)
        rolling_hertz: the same by Hertz: torque <= rolling_hertz (r* N)^(1/3) N, 2D: ^(1/2) (length/(force
            length)^(1/3), 2D: ^(1/2); >= 0; default 0)
        torsion: torsion friction: torque about the normal <= torsion r* N (>= 0; default 0)
        torsion_length: the same as a length (length; >= 0; default 0)
        cohesion: largest tension of a contact; friction then acts with N + cohesion (force; >= 0; default 0)
        cohesion_stress: the same per area, where faces of solids lie on each other; it adds to cohesion
            (force/length^2; >= 0; default 0)
        cohesion_range: opening at which the contact breaks: energy over force (length; >= 0; default 0)
        bridge_volume: of the liquid bridge between two grains that have touched; 0: dry (length^3; >= 0; default 0)
        bridge_tension: surface tension of the liquid of bridges (force/length; >= 0; default 0)
        bridge_angle: its contact angle, below 90 (degree; >= 0; default 0)
        restitution: normal velocity after an impact over that before (in [0, 1]; default 0)
        restitution_tangential: the same of the tangential velocity, unless it slides (in [0, 1]; default 0)
        restitution_threshold: slower impacts have no restitution (length/time; >= 0; default 0)
        stiffness: normal spring; infinite: rigid (force/length; > 0; otherwise rigid)
        stiffness_tangential: tangential spring; infinite: rigid (soft engine: 2/7 of the normal one) (force/length; >
            0; otherwise rigid)
        modulus: soft engine: N = 4/3 modulus sqrt(r*) overlap^(3/2) (Hertz); 0: linear spring (force/length^2; >= 0;
            default 0)
        damping: soft engine: normal dashpot; 0: from restitution (mass/time; >= 0; default 0)
        damping_tangential: soft engine: tangential dashpot (mass/time; >= 0; default 0)
        growth: how its disks and spheres grow or shrink (otherwise none)
        """
        return self._add("materials", locals())

    @words
    def add_pair(self, between: str | Sequence[str], *, friction: Number | None = None,
                 friction_static: Number | None = None, rolling: Number | None = None,
                 rolling_length: Number | None = None, rolling_hertz: Number | None = None,
                 torsion: Number | None = None, torsion_length: Number | None = None, cohesion: Number | None = None,
                 cohesion_stress: Number | None = None, cohesion_range: Number | None = None,
                 bridge_volume: Number | None = None, bridge_tension: Number | None = None,
                 bridge_angle: Number | None = None, restitution: Number | None = None,
                 restitution_tangential: Number | None = None, restitution_threshold: Number | None = None,
                 stiffness: Number | None = None, stiffness_tangential: Number | None = None,
                 modulus: Number | None = None, damping: Number | None = None,
                 damping_tangential: Number | None = None) -> int:
        """Adds an entry to `pairs`: The contact law between two materials, where it should not follow from their own.
        At least one value must be given; the others follow from the two materials.

        between: the two materials
        friction: Coulomb coefficient: |T| <= friction N (>= 0; otherwise from the two materials)
        friction_static: coefficient while a contact does not slide, at least friction; 0: the same (>= 0; otherwise
            from the two materials)
        rolling: rolling friction: torque <= rolling r* N (>= 0; otherwise from the two materials)
        rolling_length: the same as a length: torque <= rolling_length N (length; >= 0; otherwise from the two
            materials)
        rolling_hertz: the same by Hertz: torque <= rolling_hertz (r* N)^(1/3) N, 2D: ^(1/2) (length/(force
            length)^(1/3), 2D: ^(1/2); >= 0; otherwise from the two materials)
        torsion: torsion friction: torque about the normal <= torsion r* N (>= 0; otherwise from the two materials)
        torsion_length: the same as a length (length; >= 0; otherwise from the two materials)
        cohesion: largest tension of a contact; friction then acts with N + cohesion (force; >= 0; otherwise from the
            two materials)
        cohesion_stress: the same per area, where faces of solids lie on each other; it adds to cohesion
            (force/length^2; >= 0; otherwise from the two materials)
        cohesion_range: opening at which the contact breaks: energy over force (length; >= 0; otherwise from the two
            materials)
        bridge_volume: of the liquid bridge between two grains that have touched; 0: dry (length^3; >= 0; otherwise from
            the two materials)
        bridge_tension: surface tension of the liquid of bridges (force/length; >= 0; otherwise from the two materials)
        bridge_angle: its contact angle, below 90 (degree; >= 0; otherwise from the two materials)
        restitution: normal velocity after an impact over that before (in [0, 1]; otherwise from the two materials)
        restitution_tangential: the same of the tangential velocity, unless it slides (in [0, 1]; otherwise from the two
            materials)
        restitution_threshold: slower impacts have no restitution (length/time; >= 0; otherwise from the two materials)
        stiffness: normal spring; infinite: rigid (force/length; > 0; otherwise from the two materials)
        stiffness_tangential: tangential spring; infinite: rigid (soft engine: 2/7 of the normal one) (force/length; >
            0; otherwise from the two materials)
        modulus: soft engine: N = 4/3 modulus sqrt(r*) overlap^(3/2) (Hertz); 0: linear spring (force/length^2; >= 0;
            otherwise from the two materials)
        damping: soft engine: normal dashpot; 0: from restitution (mass/time; >= 0; otherwise from the two materials)
        damping_tangential: soft engine: tangential dashpot (mass/time; >= 0; otherwise from the two materials)
        """
        return self._add("pairs", locals())

    @words
    def add_shape(self, name: str, *, polygon: Polygon | None = None, regular: Regular | None = None,
                  rectangle: Rectangle | None = None, rod: Rod | None = None,
                  random_polygon: RandomPolygon | None = None, compound: Sequence[Compound] | None = None,
                  nurbs: Nurbs | None = None, ellipse: Ellipse | None = None, library: Library | None = None,
                  polyhedron: Polyhedron | None = None, box: BoxBody | None = None, prism: Prism | None = None,
                  plate: Plate | None = None, ellipsoid: Ellipsoid | None = None,
                  superellipsoid: Superellipsoid | None = None, cylinder: CylinderBody | None = None,
                  cone: Cone | None = None, surface: Surface | None = None, torus: Torus | None = None,
                  mesh: Mesh | None = None, rock: Rock | None = None) -> str:
        """Adds an entry to `shapes`: Shapes by name, to be used by `shape` of grains and the column `shape` of CSV
        files. Each is one of the following; which of them there are depends on the dimension.

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
        return self._add("shapes", locals())

    @words
    def add_inlet(self, name: str, *, region: InletsRegion, rate: InletsRate, start: Number | None = None,
                  end: Number | None = None, count: Whole | None = None, material: str | None = None,
                  radius: Number | Numbers | Radius | None = None, shape: str | None = None,
                  scale: Number | Numbers | Radius | None = None,
                  angle: Number | Numbers | Literal["random"] | Angle | None = None,
                  orientation: Numbers | Sequence[Numbers] | Literal["random"] | Orientation | None = None,
                  velocity: Numbers | None = None, spread: Number | None = None,
                  spread_kind: Literal["normal", "uniform"] | None = None, spin: Number | Numbers | None = None,
                  mass: Number | None = None) -> str:
        """Adds an entry to `inlets`: Where grains appear while the run goes on (inlets.md), by name. A grain appears
        whole within the region, clear of all that is there; grains with a shape are clear with the circle or ball
        around them. When there is no room, it waits, and those after it; the run says so, and the table of steps has
        how many wait. What a grain is follows from the seed, the inlet and the number of the grain alone.

        region: where grains appear, at random places
        rate: how fast they come
        start: when the inlet opens (time; default 0)
        end: when no more become due (time; otherwise never)
        count: how many come in all (> 0; otherwise no limit)
        material: material of the grains (otherwise the only material)
        radius: a number, a list that is gone through again and again, or a distribution (length; > 0; otherwise
            required for round grains)
        shape: shape of the grains: the name of an entry of `shapes` (otherwise round)
        scale: multiplies every length of the shape; of a distribution, or of a shape that is drawn at random, 64 are
            made before the run, and each grain is one of these (otherwise 1)
        angle: rotation of the shape (radian; two dimensions; otherwise random)
        orientation: rotation of the shape (three dimensions; otherwise random)
        velocity: mean velocity of the grains when they appear (length/time; otherwise zero)
        spread: standard deviation of each component of the velocity (length/time; >= 0; default 0)
        spread_kind: how the components of the velocity are spread, as of grains (default normal)
        spin: angular velocity; a single number in two dimensions (1/time; otherwise zero)
        mass: mass of each grain (mass; > 0; otherwise density times volume)
        """
        return self._add("inlets", locals())

    @words
    def add_outlet(self, name: str, *, plane: OutletsPlane | None = None, inside: Inside | None = None,
                   outside: Inside | None = None) -> str:
        """Adds an entry to `outlets`: Where grains are removed and counted (inlets.md), by name: what has its centre
        beyond a plane, in a box or outside of one. The first outlet that a grain has reached counts it.

        plane: removes what has passed this plane (otherwise one is required)
        inside: removes what is in this box (otherwise one is required)
        outside: removes what has left this box (otherwise one is required)
        """
        return self._add("outlets", locals())

    @words
    def add_bonds(self, name: str, *, tension: Number | None = None, shear: Number | None = None,
                  tension_stress: Number | None = None, shear_stress: Number | None = None, neck: Number | None = None,
                  bending: Number | None = None, torsion: Number | None = None,
                  between: str | Sequence[str] | None = None, pair: Wholes | None = None,
                  walls: str | Sequence[str] | None = None, within: Number | None = None,
                  at_start: bool | None = None) -> str:
        """Adds an entry to `bonds`: Glue between grains, or of grains to walls, by name. It holds grains as they are
        until a load breaks it, for good: at the end of the step in which B' / bending - N / tension or S' / shear + T'
        / torsion - N / tension reaches 1, with the normal force N (compression is positive), the shear force S' and the
        torques B' and T'. See bonds.md.

        tension: strength F: the largest pull; with tension_stress it adds up, and one of the two is required (force; >=
            0; default 0)
        shear: strength S: the largest shear force without a normal force; likewise (force; >= 0; default 0)
        tension_stress: the same by the section of the glue (force/length^(d-1); >= 0; default 0)
        shear_stress: the same by the section of the glue (force/length^(d-1); >= 0; default 0)
        neck: radius of the section over the smaller radius of the two grains (> 0; default 1)
        bending: strength B: the largest bending torque without a normal force (force length; > 0; otherwise that of the
            section)
        torsion: strength T: the largest torque about the normal, in three dimensions (force length; > 0; otherwise that
            of the section)
        between: one material, or two: only grains of one and of the other are glued (otherwise any)
        pair: the numbers of two grains, the lower first: only these are glued (otherwise all pairs that touch)
        walls: walls to which the grains that touch them are glued, instead of to each other: `tank` with all its faces,
            or `tank.bottom` alone; of two materials in `between` one is then that of the wall (otherwise to each other)
        within: the gap up to which grains count as touching, over the smaller radius; at most 0.1 (>= 0; default 1e-3)
        at_start: whether grains are glued before the first step; if not, an event does it: `glue` (default true)
        """
        return self._add("bonds", locals())

    @words
    def add_event(self, *, at: Number | None = None, when: Condition | None = None,
                  remove: str | Sequence[str] | None = None, set_velocity: SetVelocity | None = None,
                  set_force: SetForce | None = None, set_piston: SetPiston | None = None, hold: Hold | None = None,
                  let_go: str | Sequence[str] | None = None, glue: str | Sequence[str] | None = None,
                  add_bridges: bool | None = None, set_friction: SetFriction | None = None,
                  set_gravity: Numbers | None = None, set_cell: Cell | None = None, set_growth: SetGrowth | None = None,
                  stop: bool | None = None) -> int:
        """Adds an entry to `events`: What happens during the run: a list of entries, each with a time `at` or a
        condition `when`, and one or more actions. Each event takes place once, between two steps; events due together
        are ordered by time, then by their position in the list.

        at: takes place before the first step that begins at this time or later (time; >= 0; otherwise or when)
        when: takes place as soon as the condition holds (otherwise or at)
        remove: removes walls: `tank` with all its faces, or `tank.right` alone (otherwise one action is required)
        set_velocity: changes a motion (otherwise one action is required)
        set_force: changes a force (otherwise one action is required)
        set_piston: makes a piston, or loads one (otherwise one action is required)
        hold: lets a wall take grains along (otherwise one action is required)
        let_go: walls that let go of all the grains that they hold (otherwise one action is required)
        glue: glues the grains that touch then: entries of `bonds` (otherwise one action is required)
        add_bridges: `true` gives a liquid bridge to all pairs that are near enough then, as `bridges: near` does at the
            start (otherwise one action is required)
        set_friction: changes a friction coefficient (otherwise one action is required)
        set_gravity: changes gravity (length/time^2; otherwise one action is required)
        set_cell: changes how the periodic cell deforms (otherwise one action is required)
        set_growth: changes how grains grow or shrink (otherwise one action is required)
        stop: `true` ends the run (otherwise one action is required)
        """
        return self._add("events", locals())

    @words
    def add_measure(self, name: str, *, every: Whole | None = None, region: Region | None = None,
                    least_contacts: Whole | None = None) -> str:
        """Adds an entry to `measures`: Coordination, solid fraction, stress, fabric and the other numbers of
        measures.md, recorded as time series in the run file; `scree measure RUN.h5 --what online` prints them.

        every: number of steps between records; the first is taken at the start (> 0; default 1)
        region: where to measure (otherwise everything)
        least_contacts: a grain with fewer partners is a rattler (>= 0; default 2)
        """
        return self._add("measures", locals())
