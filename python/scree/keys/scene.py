"""A whole scene as a dictionary.

Written by tools/scene-keys from the schema in scene/schema/; change it there."""
from __future__ import annotations

from typing import Literal, Mapping, Sequence, TypedDict

from ._values import Number, Numbers, Whole
from .world import (Cell, Condition, Measures, Neighbours, Output, Overlap, Periodic, Soft, Solver, Start, Time,
                    Variational)
from .materials import Materials, Pairs
from .walls import Walls
from .shapes import Shapes
from .grains import Bonds, Grains, Inlets, Outlets
from .events import Events


class SceneKeysNeeded(TypedDict):
    """What has to be in SceneKeys."""

    time: Time
    materials: Mapping[str, Materials]


class SceneKeys(SceneKeysNeeded, total=False):
    """The top-level keys of a scene.

    extends: file of a scene that this one is based on: mappings are merged key by key, anything else is replaced, and
        `null` removes a key; a relative path starts from the folder of the file that contains it (otherwise none)
    dimension: 3: spheres and solids; 2: disks and other shapes in the x-y plane, with vectors of two numbers (> 0;
        default 3)
    engine: rigid grains with exact friction; soft grains with springs; rigid grains by convex programming; the same
        without inertia (default contact_dynamics)
    device: what sweeps, see [gpu.md](gpu.md): the processor; a GPU, or the run does not begin; a GPU if there is one
        and it can, else the processor; for tests, the GPU's kernels on the processor. Results do not depend on it
        (default cpu)
    gravity: acceleration of every grain (length/time^2; otherwise zero)
    time: time step and end
    seed: seed of all random choices; a different seed gives a different packing (>= 0; default 1)
    periodic: periodic directions (otherwise none)
    cell: how the periodic cell deforms (otherwise it stays as it is)
    signed_gap: push overlapping grains apart; this creates energy (default false)
    skin: shorthand for neighbours.skin (length; >= 0; default 0)
    neighbours: how neighbours are found; results do not depend on the method (otherwise see below)
    materials: materials by name
    pairs: contact laws between pairs of materials (otherwise none)
    walls: walls by name (otherwise none)
    shapes: shapes by name (otherwise none)
    start: a run to begin from (otherwise from nothing)
    grains: grains, in one or more entries (otherwise none, if there is start or an inlet)
    inlets: where grains appear during the run, by name (otherwise none)
    outlets: where grains are removed, by name (otherwise none)
    bonds: glue between grains, by name (otherwise none)
    bridges: who has a liquid bridge at the start, where materials have liquid: grains that touch; or `near`: all that
        are nearer than the gap at which their bridge would break ([bridges.md](bridges.md)) (default touching)
    overlap: policy for overlaps at the start (otherwise refuse)
    events: what happens during the run (otherwise none)
    stop: a condition that ends the run early (otherwise at the end time)
    solver: settings of the solver (otherwise see below)
    soft: settings of the soft engine (otherwise see below)
    variational: settings of the variational and quasi-static engines (otherwise see below)
    output: frames and checkpoints (otherwise see below)
    measures: measures to record during the run, by name (otherwise none)
    """

    extends: str
    dimension: Whole
    engine: Literal["contact_dynamics", "soft", "variational", "quasistatic"]
    device: Literal["cpu", "gpu", "auto", "emulated"]
    gravity: Numbers
    seed: Whole
    periodic: Periodic
    cell: Cell
    signed_gap: bool
    skin: Number
    neighbours: Neighbours
    pairs: Sequence[Pairs]
    walls: Mapping[str, Walls]
    shapes: Mapping[str, Shapes]
    start: Start
    grains: Sequence[Grains]
    inlets: Mapping[str, Inlets]
    outlets: Mapping[str, Outlets]
    bonds: Mapping[str, Bonds]
    bridges: Literal["touching", "near"]
    overlap: Literal["refuse", "accept"] | Overlap
    events: Sequence[Events]
    stop: Condition
    solver: Solver
    soft: Soft
    variational: Variational
    output: Output
    measures: Mapping[str, Measures]
