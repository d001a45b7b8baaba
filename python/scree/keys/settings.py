"""What a scene has one of.

Written by tools/scene-keys from the schema in scene/schema/; change it there."""
from __future__ import annotations

from typing import Literal

from ._entries import Entries, words
from ._values import Number, Numbers, Whole
from .world import Cell, Condition, Neighbours, Output, Overlap, Periodic, Soft, Solver, Start, Time, Variational


class Settings(Entries):
    """The keys of a scene other than its entries."""

    @words
    def __init__(self, *, dimension: Whole | None = None,
                 engine: Literal["contact_dynamics", "soft", "variational", "quasistatic"] | None = None,
                 device: Literal["cpu", "gpu", "auto", "emulated"] | None = None, gravity: Numbers | None = None,
                 time: Time, seed: Whole | None = None, periodic: Periodic | None = None, cell: Cell | None = None,
                 signed_gap: bool | None = None, skin: Number | None = None, neighbours: Neighbours | None = None,
                 start: Start | None = None, bridges: Literal["touching", "near"] | None = None,
                 overlap: Literal["refuse", "accept"] | Overlap | None = None, stop: Condition | None = None,
                 solver: Solver | None = None, soft: Soft | None = None, variational: Variational | None = None,
                 output: Output | None = None) -> None:
        """An empty scene with these settings.

        dimension: 3: spheres and solids; 2: disks and other shapes in the x-y plane, with vectors of two numbers (> 0;
            default 3)
        engine: rigid grains with exact friction; soft grains with springs; rigid grains by convex programming; the same
            without inertia (default contact_dynamics)
        device: what sweeps, see [gpu.md](gpu.md): the processor; a GPU, or the run does not begin; a GPU if there is
            one and it can, else the processor; for tests, the GPU's kernels on the processor. Results do not depend on
            it (default cpu)
        gravity: acceleration of every grain (length/time^2; otherwise zero)
        time: time step and end
        seed: seed of all random choices; a different seed gives a different packing (>= 0; default 1)
        periodic: periodic directions (otherwise none)
        cell: how the periodic cell deforms (otherwise it stays as it is)
        signed_gap: push overlapping grains apart; this creates energy (default false)
        skin: shorthand for neighbours.skin (length; >= 0; default 0)
        neighbours: how neighbours are found; results do not depend on the method (otherwise see below)
        start: a run to begin from (otherwise from nothing)
        bridges: who has a liquid bridge at the start, where materials have liquid: grains that touch; or `near`: all
            that are nearer than the gap at which their bridge would break ([bridges.md](bridges.md)) (default touching)
        overlap: policy for overlaps at the start (otherwise refuse)
        stop: a condition that ends the run early (otherwise at the end time)
        solver: settings of the solver (otherwise see below)
        soft: settings of the soft engine (otherwise see below)
        variational: settings of the variational and quasi-static engines (otherwise see below)
        output: frames and checkpoints (otherwise see below)
        """
        super().__init__()
        self._set(locals())

    @words
    def set(self, *, engine: Literal["contact_dynamics", "soft", "variational", "quasistatic"] | None = None,
            device: Literal["cpu", "gpu", "auto", "emulated"] | None = None, gravity: Numbers | None = None,
            time: Time | None = None, seed: Whole | None = None, periodic: Periodic | None = None,
            cell: Cell | None = None, signed_gap: bool | None = None, skin: Number | None = None,
            neighbours: Neighbours | None = None, start: Start | None = None,
            bridges: Literal["touching", "near"] | None = None,
            overlap: Literal["refuse", "accept"] | Overlap | None = None, stop: Condition | None = None,
            solver: Solver | None = None, soft: Soft | None = None, variational: Variational | None = None,
            output: Output | None = None) -> None:
        """Changes settings: those that are given.

        engine: rigid grains with exact friction; soft grains with springs; rigid grains by convex programming; the same
            without inertia (default contact_dynamics)
        device: what sweeps, see [gpu.md](gpu.md): the processor; a GPU, or the run does not begin; a GPU if there is
            one and it can, else the processor; for tests, the GPU's kernels on the processor. Results do not depend on
            it (default cpu)
        gravity: acceleration of every grain (length/time^2; otherwise zero)
        time: time step and end
        seed: seed of all random choices; a different seed gives a different packing (>= 0; default 1)
        periodic: periodic directions (otherwise none)
        cell: how the periodic cell deforms (otherwise it stays as it is)
        signed_gap: push overlapping grains apart; this creates energy (default false)
        skin: shorthand for neighbours.skin (length; >= 0; default 0)
        neighbours: how neighbours are found; results do not depend on the method (otherwise see below)
        start: a run to begin from (otherwise from nothing)
        bridges: who has a liquid bridge at the start, where materials have liquid: grains that touch; or `near`: all
            that are nearer than the gap at which their bridge would break ([bridges.md](bridges.md)) (default touching)
        overlap: policy for overlaps at the start (otherwise refuse)
        stop: a condition that ends the run early (otherwise at the end time)
        solver: settings of the solver (otherwise see below)
        soft: settings of the soft engine (otherwise see below)
        variational: settings of the variational and quasi-static engines (otherwise see below)
        output: frames and checkpoints (otherwise see below)
        """
        self._set(locals())
