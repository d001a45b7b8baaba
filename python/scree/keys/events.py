"""Keys of scenes: events.

Written by tools/scene-keys from the schema in scene/schema/; change it there."""
from __future__ import annotations

from typing import Literal, Sequence, TypedDict

from ._values import Number, Numbers, Whole, Wholes
from .world import Cell, Condition, NumberProgramme
from .walls import Programme, SpinProgramme


class SetVelocity(TypedDict, total=False):
    """Gives a wall a new motion, or grains a new velocity. A piston becomes a wall that moves so; the way back is
    `set_piston`.

    wall: a wall, or all faces of a box or drum (otherwise or grains)
    grains: grains by number (otherwise or wall)
    velocity: new velocity or programme; constant for grains (length/time; otherwise zero for a wall, kept for grains)
    spin: new spin or programme; constant for grains (1/time; otherwise zero for a wall, kept for grains)
    """

    wall: str
    grains: Whole | Wholes | Literal["all"]
    velocity: Numbers | Programme
    spin: Number | Numbers | SpinProgramme


class SetForce(TypedDict, total=False):
    """Changes the force on a piston or on grains.

    wall: a piston (otherwise or grains)
    grains: grains by number (otherwise or wall)
    force: new force (force; otherwise required for a wall, kept for grains)
    torque: new torque on each grain (force length; otherwise kept for grains)
    """

    wall: str
    grains: Whole | Wholes | Literal["all"]
    force: Numbers
    torque: Number | Numbers


class SetPistonNeeded(TypedDict):
    """What has to be in SetPiston."""

    wall: str


class SetPiston(SetPistonNeeded, total=False):
    """Makes a wall a piston, which goes on with the velocity that it has; or gives a piston a new load, by a programme
    if need be. The way back is `set_velocity`.

    wall: any wall
    mass: its mass; 0: far lighter than any grain (mass; >= 0; otherwise kept; else that of a layer of grains)
    direction: direction in which it is free to move (otherwise kept; else the plane's normal)
    force: the force on it; only the component along `direction` acts (force; otherwise or stress)
    stress: as that of a piston; the area is bounded by the walls `between` which the scene has put it, and by the sides
        of the periodic cell (force/length^(d-1); otherwise or force)
    velocity: its velocity across `direction` (length/time; otherwise kept)
    """

    mass: Number
    direction: Numbers
    force: Numbers | Programme
    stress: Number | NumberProgramme
    velocity: Numbers | Programme


class HoldRegion(TypedDict, total=False):
    """A box; what is not given is without bounds.

    x: along x (length; otherwise without bounds)
    y: along y (length; otherwise without bounds)
    z: along z (three dimensions) (length; otherwise without bounds)
    """

    x: Numbers
    y: Numbers
    z: Numbers


class Hold(TypedDict):
    """A wall takes the grains along that are in a region, as if they were parts of it: a rough plate made of a packing
    (docs/plates.md). Grains that a wall holds already stay with it.

    wall: a wall of any shape
    region: where the centres of the grains are
    """

    wall: str
    region: HoldRegion


class SetFrictionNeeded(TypedDict):
    """What has to be in SetFriction."""

    friction: Number


class SetFriction(SetFrictionNeeded, total=False):
    """Changes friction. A law with a single coefficient keeps a single one, unless `friction_static` is given.

    material: its own coefficient, and those of pairs without an explicit friction (otherwise or between)
    between: two materials: that pair only (otherwise or material)
    friction: new Coulomb coefficient (>= 0)
    friction_static: new coefficient of contacts that do not slide; 0: same as friction (>= 0; otherwise unchanged, but
        raised to friction where it would be lower)
    """

    material: str
    between: str | Sequence[str]
    friction_static: Number


class SetGrowth(TypedDict, total=False):
    """Lets grains grow or shrink from now on, or stops it with `rate: 0`.

    material: whose grains (otherwise all)
    rate: of the radii, relative to themselves: after the time t they are exp(rate t) times as large; negative: they
        shrink; 0: they stay (1/time; otherwise or factor)
    factor: the radii follow a programme: between any two times they change as it does, so that only ratios count
        (otherwise or rate)
    keep: density, or mass (otherwise as before)
    """

    material: str
    rate: Number | NumberProgramme
    factor: Number | NumberProgramme
    keep: Literal["density", "mass"]


class Events(TypedDict, total=False):
    """What happens during the run: a list of entries, each with a time `at` or a condition `when`, and one or more
    actions. Each event takes place once, between two steps; events due together are ordered by time, then by their
    position in the list.

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

    at: Number
    when: Condition
    remove: str | Sequence[str]
    set_velocity: SetVelocity
    set_force: SetForce
    set_piston: SetPiston
    hold: Hold
    let_go: str | Sequence[str]
    glue: str | Sequence[str]
    add_bridges: bool
    set_friction: SetFriction
    set_gravity: Numbers
    set_cell: Cell
    set_growth: SetGrowth
    stop: bool
