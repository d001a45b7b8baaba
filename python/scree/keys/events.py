"""Keys of scenes: events.

Written by tools/scene-keys from the schema in scene/schema/; change it there."""
from __future__ import annotations

from typing import Literal, Sequence, TypedDict

from ._values import Number, Numbers, Whole, Wholes
from .world import Cell, Condition
from .walls import Programme, SpinProgramme


class SetVelocity(TypedDict, total=False):
    """Gives a wall a new motion, or grains a new velocity.

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


class Events(TypedDict, total=False):
    """What happens during the run: a list of entries, each with a time `at` or a condition `when`, and one or more
    actions. Each event takes place once, between two steps; events due together are ordered by time, then by their
    position in the list.

    at: takes place before the first step that begins at this time or later (time; >= 0; otherwise or when)
    when: takes place as soon as the condition holds (otherwise or at)
    remove: removes walls: `tank` with all its faces, or `tank.right` alone (otherwise one action is required)
    set_velocity: changes a motion (otherwise one action is required)
    set_force: changes a force (otherwise one action is required)
    set_friction: changes a friction coefficient (otherwise one action is required)
    set_gravity: changes gravity (length/time^2; otherwise one action is required)
    set_cell: changes how the periodic cell deforms (otherwise one action is required)
    stop: `true` ends the run (otherwise one action is required)
    """

    at: Number
    when: Condition
    remove: str | Sequence[str]
    set_velocity: SetVelocity
    set_force: SetForce
    set_friction: SetFriction
    set_gravity: Numbers
    set_cell: Cell
    stop: bool
