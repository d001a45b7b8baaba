"""The definition of a world, from names and numbers to the library's struct and back."""
from __future__ import annotations

from typing import Any, Mapping

from numpy.typing import ArrayLike

from . import _library, _values
from ._library import SoftDef, SolverDef, VariationalDef, Vec3, WorldDef
from .errors import ArgumentError

THREADS_MOST = 1024
SOLVER = ("method", "order", "criterion", "tolerance", "overlap", "small_force", "iterations", "warm_start",
          "projection", "cuts")
SOFT = ("integrator", "friction")
VARIATIONAL = ("exact", "tolerance", "iterations", "range")


def truth(value: Any, name: str) -> bool:
    """True or False, and nothing that merely looks like it."""
    if value is not True and value is not False:
        raise ArgumentError(f"{name}: True or False is needed, not {_values.short(value)}")
    return value


_CHOICES = {"solver.method": _library.METHODS, "solver.order": _library.ORDERS, "solver.criterion": _library.CRITERIA,
            "soft.integrator": _library.INTEGRATORS, "soft.friction": _library.SOFT_FRICTIONS}


def _change(part: SolverDef | SoftDef | VariationalDef, settings: Mapping[str, Any] | None, names: tuple[str, ...],
            where: str) -> None:
    """Fills in the settings that are given, each of the type that the struct has."""
    for name, value in _values.known({} if settings is None else settings, names, where).items():
        place, now = f"{where}.{name}", getattr(part, name)
        found: Any
        if place in _CHOICES:
            found = _values.choice(value, place, _CHOICES[place])
        elif isinstance(now, bool):
            found = truth(value, place)
        else:
            found = _values.integer(value, place) if isinstance(now, int) else _values.number(value, place)
        setattr(part, name, found)


def change_solver(solver: SolverDef, settings: Mapping[str, Any] | None) -> None:
    """Fills in the settings that are given."""
    _change(solver, settings, SOLVER, "solver")


def solver_settings(solver: SolverDef) -> dict[str, Any]:
    """The settings by name."""
    found = {name: getattr(solver, name) for name in SOLVER}
    for name in ("method", "order", "criterion"):
        found[name] = _CHOICES[f"solver.{name}"][found[name]]
    return found


def _change_cell(definition: WorldDef, periodic: Mapping[str, tuple[float, float]]) -> None:
    for name, ends in _values.known(periodic, ("x", "y", "z"), "periodic").items():
        pair = _values.array(ends, f"periodic.{name}")
        if pair.shape != (2,):
            raise ArgumentError(f"periodic.{name}: two numbers are needed, not {_values.short(ends)}")
        definition.periodic["xyz".index(name)] = True
        setattr(definition.cell_min, name, float(pair[0]))
        setattr(definition.cell_max, name, float(pair[1]))


def cell(definition: WorldDef) -> dict[str, tuple[float, float]]:
    """The ends of the cell along periodic directions."""
    return {name: (getattr(definition.cell_min, name), getattr(definition.cell_max, name))
            for axis, name in enumerate("xyz") if definition.periodic[axis]}


def world_def(*, dimension: int, time_step: float, gravity: ArrayLike, engine: str, theta: float,
              periodic: Mapping[str, tuple[float, float]] | None, signed_gap: bool, search: str, skin: float,
              cell: float, seed: int, threads: int, solver: Mapping[str, Any] | None,
              soft: Mapping[str, Any] | None, variational: Mapping[str, Any] | None) -> WorldDef:
    """The struct for the library; it judges the ranges itself."""
    made = _library.library().scree_world_def_default()
    made.dimension = _values.integer(dimension, "dimension")
    made.engine = _values.choice(engine, "engine", _library.ENGINES)
    made.gravity = Vec3(*_values.vector(gravity, "gravity", made.dimension))
    made.time_step = _values.number(time_step, "time_step")
    made.theta = _values.number(theta, "theta")
    made.signed_gap = truth(signed_gap, "signed_gap")
    made.search = _values.choice(search, "search", _library.SEARCHES)
    made.skin = _values.number(skin, "skin")
    made.cell = _values.number(cell, "cell")
    made.seed = _values.integer(seed, "seed", 0, 2**64 - 1)
    made.threads = _values.integer(threads, "threads", 1, THREADS_MOST)
    _change_cell(made, {} if periodic is None else periodic)
    change_solver(made.solver, solver)
    _change(made.soft, soft, SOFT, "soft")
    _change(made.variational, variational, VARIATIONAL, "variational")
    return made
