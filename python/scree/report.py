"""The certificate of a step."""
from __future__ import annotations

import ctypes
from typing import Annotated, Any, get_args, get_type_hints

import numpy as np

from ._values import Table, counted


class Report(ctypes.Structure):
    """The certificate of a step: what it did, and how well; see docs/certificate.md.

    scree.Report.meaning("residual") gives the meaning and dimension of a field.
    """

    step: Annotated[int, "1", "number of the step, from 1"]
    time: Annotated[float, "time", "time at the end of the step"]
    contacts: Annotated[int, "1", "contacts and candidates in the problem"]
    active: Annotated[int, "1", "contacts that carry an impulse"]
    sliding: Annotated[int, "1", "active contacts that slide"]
    iterations: Annotated[int, "1", "sweeps over all contacts; variational: of interior points, the most of a stride"]
    converged: Annotated[int, "1", "1 when residual and overlap_added are within the solver's limits, else 0"]
    unsettled: Annotated[int, "1", "contacts that neither hold at friction_static nor slide at friction: "
                                   "no solution found"]
    bonds: Annotated[int, "1", "cohesive contacts at the end of the step"]
    glued: Annotated[int, "1", "bonds between grains at the end of the step"]
    broken: Annotated[int, "1", "bonds between grains that have broken in the step"]
    residual: Annotated[float, "1", "natural-map residual, relative, free of units"]
    residual_loads: Annotated[float, "1", "the same relative to the contact forces"]
    residual_velocity: Annotated[float, "1", "the same in velocities, which light bodies do not hide"]
    velocity_error: Annotated[float, "velocity", "by how much any contact misses its law, at most"]
    residual_fclib: Annotated[float, "1", "the same in the normalisation of FCLIB (depends on units)"]
    residual_associated: Annotated[float, "1", "variational engines: the same of the associated law"]
    overlap_added: Annotated[float, "length", "largest overlap that the step adds at a contact"]
    overlap_max: Annotated[float, "length", "largest overlap at the end of the step"]
    overlap_mean: Annotated[float, "length", "overlap averaged over active contacts"]
    kinetic_energy: Annotated[float, "energy", "of all bodies and pistons at the end of the step"]
    work_external: Annotated[float, "energy", "done by gravity and external forces during the step"]
    work_walls: Annotated[float, "energy", "done by moved walls and moving frozen bodies"]
    work_cell: Annotated[float, "energy", "done by what deforms the periodic cell"]
    work_growth: Annotated[float, "energy", "done by bodies that grow, and brought by what they grow by"]
    energy_elastic: Annotated[float, "energy", "stored in springs of contacts and in liquid bridges"]
    dissipation: Annotated[float, "energy", "lost in contacts during the step: the sum of the next five"]
    dissipation_normal: Annotated[float, "energy", "by impact and compression"]
    dissipation_friction: Annotated[float, "energy", "by sliding"]
    dissipation_rolling: Annotated[float, "energy", "by rolling friction"]
    dissipation_torsion: Annotated[float, "energy", "by torsion friction"]
    dissipation_cohesion: Annotated[float, "energy", "by cohesive contacts, bonds, and bridges that break"]
    dissipation_scheme: Annotated[float, "energy", "lost to the first-order time stepping"]
    energy_projected: Annotated[float, "energy", "given to bodies where overlaps were pushed apart against "
                                                 "external forces"]
    energy_error: Annotated[float, "energy", "what the balance of the above leaves over: rounding"]
    motion_max: Annotated[float, "1", "largest motion during the step, in radii of the body"]
    stiffness: Annotated[float, "force/length", "of a contact, implied by the iterations (UK 67)"]
    sound_speed: Annotated[float, "length/time", "implied by the iterations (UK 57)"]
    diffusion_length: Annotated[float, "length", "how far the iterations carry a force (UK 47)"]
    packing_length: Annotated[float, "length", "extent of the largest cluster in contact"]
    spurious_elasticity: Annotated[int, "1", "1 when not converged and the cluster is longer than the "
                                             "diffusion length"]
    cuts: Annotated[int, "1", "cuts of the step where a contact stopped sliding"]
    uncut: Annotated[int, "1", "1 when solver.cuts was too small: forces may have jumped in the step"]
    strides: Annotated[int, "1", "strides of the step beyond the first: of statics, or of a step that was made "
                                 "in halves"]
    rebuilt: Annotated[int, "1", "1 when the neighbour list was rebuilt"]

    def as_dict(self) -> dict[str, int | float]:
        """The fields by name."""
        return {name: getattr(self, name) for name in FIELDS}

    @staticmethod
    def meaning(field: str) -> str:
        """The meaning of a field, and its dimension in brackets."""
        _, dimension, text = FIELDS[field]
        return f"{text} [{dimension}]"

    def __repr__(self) -> str:
        state = "converged" if self.converged else "not converged"
        return (f"<scree.Report: step {self.step}, time {self.time:.6g}, {self.active} of "
                f"{counted(self.contacts, 'contact')} active, {counted(self.iterations, 'sweep')}, "
                f"{state}, residual {self.residual:.3g}>")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Report):
            return NotImplemented
        return bytes(self) == bytes(other)

    __hash__ = None  # type: ignore[assignment]


def _fields() -> dict[str, Any]:
    hints: dict[str, Any] = get_type_hints(Report, include_extras=True)
    return {name: get_args(hint) for name, hint in hints.items() if len(get_args(hint)) == 3}


# name: (type, dimension, meaning), in the order of SCREE_REPORT_MAP in world.h; a test compares the
# two.
FIELDS: dict[str, tuple[type, str, str]] = _fields()

Report._fields_ = [(name, ctypes.c_int64 if kind is int else ctypes.c_double)  # type: ignore[misc]
                   for name, (kind, _, _) in FIELDS.items()]

# The same as a row of a structured array.
REPORT = np.dtype([(name, np.int64 if kind is int else np.float64) for name, (kind, _, _) in FIELDS.items()])


class Reports(Table):
    """The reports of many steps: a table with a field for each number of a Report, as `reports.residual`, and a
    row for each step. It shows itself in a line; scree.data_frame(reports) shows the numbers."""

    def __repr__(self) -> str:
        if self.dtype != REPORT or self.ndim != 1 or len(self) == 0:
            return super().__repr__()
        missed = int((self.converged == 0).sum())
        steps = f"step {self.step[0]}" if len(self) == 1 else f"steps {self.step[0]} to {self.step[-1]}"
        done = f"{missed} not converged" if missed else "all converged"
        return (f"<scree.Reports: {steps}, time {self.time[-1]:.6g}, {done}, "
                f"residual at most {self.residual.max():.3g}, overlap at most {self.overlap_max.max():.3g}>")

    __str__ = __repr__
