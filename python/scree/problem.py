"""Stand-alone contact problems, from arrays, files or the last step of a world: solving and judging them.

    import scree
    problem = scree.load_problem("heap.hdf5")
    found = problem.solve("newton", tolerance=1e-10)
    print(found.verdict, found.reason, found.iterations, found.residual.law)
    problem.save("solved.hdf5", found.impulses)

docs/problems.md has the equations, the residuals and the files. The library solves; nothing is computed here."""
from __future__ import annotations

import ctypes
import os
import threading
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _library, _memory, _problem_structs, _values
from ._values import Floats
from .errors import ArgumentError, ProblemError


class Residual(NamedTuple):
    """How far impulses are from a solution. The tolerance of solvers refers to the first; the others are norms of the
    natural map on four scales."""

    law: float  #: the largest error of any contact, in impulses and velocities of the problem itself
    siconos: float  #: over max(|q|, |r|, |u|)
    paper: float  #: over |q|
    fclib: float  #: over 1 + sqrt |q|
    relative: float  #: free of units


class Solution(NamedTuple):
    """What a solver found."""

    solved: bool  #: every contact obeys the law to the tolerance
    reason: str  #: why it ended, in words
    solver: str
    iterations: int
    seconds: float
    residual: Residual
    impulses: Floats  #: (contacts, components), normal first
    velocities: Floats  #: (contacts, components) relative velocities that follow from the impulses
    verdict: str  #: "solved", "not solved", "infeasible" or "unbounded"
    worst: int  #: the contact that obeys the law least
    proof: Floats | None  #: (contacts, components) infeasible: weights of the squeezed contacts; unbounded: a direction
    impulse_needed: float  #: infeasible: the largest impulse of any solution would be at least this
    closing_velocity: float  #: infeasible: at which the contacts of the proof close, on average


class Matrix(NamedTuple):
    """A sparse matrix: value[k] is at row[k] and column[k]."""

    shape: tuple[int, int]
    row: NDArray[np.int32]
    column: NDArray[np.int32]
    value: Floats

    def dense(self) -> Floats:
        """As a plain array."""
        full = np.zeros(self.shape)
        np.add.at(full, (self.row, self.column), self.value)
        return full


def solvers() -> dict[str, str]:
    """The names of the solvers, with a short description of each."""
    library = _library.library()
    found: dict[str, str] = {}
    while (name := library.scree_problem_solver_get_name(len(found))) is not None:
        found[name.decode()] = library.scree_problem_solver_get_text(len(found)).decode()
    return found


# ---------------------------------------------------------------- from arrays


def _entries(given: Any, name: str) -> tuple[NDArray[Any], tuple[int, int] | None]:
    """A dense array, a sparse matrix of scipy, a Matrix or (row, column, value) as entries, and its shape if known."""
    if hasattr(given, "tocoo"):
        found = given.tocoo()
        shape, row, column, value = found.shape, found.row, found.col, found.data
    elif isinstance(given, Matrix):
        shape, row, column, value = given
    elif isinstance(given, tuple) and len(given) == 3:
        shape, (row, column, value) = None, given
    else:
        full = _values.array(given, name)
        if full.ndim != 2:
            raise ArgumentError(f"{name}: a matrix is needed, not an array of shape {full.shape}")
        shape, (row, column) = full.shape, np.nonzero(full)
        value = full[row, column]
    value = np.atleast_1d(_values.array(value, f"{name}, values"))
    if value.ndim != 1:
        raise ArgumentError(f"{name}: a list of values is needed, not an array of shape {value.shape}")
    table = np.empty(len(value), _problem_structs.ENTRY)
    for part, places in (("row", row), ("column", column)):
        found = _values.integers(places, f"{name}, {part}s", len(value), 0, _values.INT32_MAX) if len(value) else ()
        table[part] = found
    table["value"] = value
    return table, None if shape is None else (int(shape[0]), int(shape[1]))


def _flat(value: ArrayLike, name: str, count: int | None = None) -> Floats:
    """Numbers one after another, as many as are needed."""
    found = np.ascontiguousarray(_values.array(value, name).reshape(-1))
    if count is not None and len(found) != count:
        raise ArgumentError(f"{name}: {count} numbers are needed, not {len(found)}")
    return found


def _filled(definition: _problem_structs.ProblemDef, lists: dict[str, Any], matrices: dict[str, Any],
            sizes: dict[str, int]) -> list[Any]:
    """Sets the pointers of a definition; gives back what must live as long as it does."""
    kept: list[Any] = []
    for name, value in lists.items():
        if value is not None:
            kept.append(_flat(value, name, sizes[name]))
            setattr(definition, name, kept[-1].ctypes.data)
    for name, (value, shape) in matrices.items():
        table, found = _entries(value, name)
        if found is not None and found != shape:
            raise ArgumentError(f"{name}: {shape[0]} x {shape[1]} numbers are needed, not {found[0]} x {found[1]}")
        kept.append(table)
        setattr(definition, name, _problem_structs.Entries(table.ctypes.data, len(table)))
    return kept


class Problem:
    """A contact problem. Impulses r and relative velocities u of the contacts, normal first, obey Coulomb's law and

        local form    u = W r + q
        global form   M v = H r + f,  u = H^T v + w,  v the velocities of the bodies

    A ball of mass 2 that flies at a floor with 3 and along it with 0.1; friction stops it:

    >>> problem = Problem(mu=[0.5], components=2, W=[[1 / 2, 0], [0, 1 / 2]], q=[-3, 0.1])
    >>> found = problem.solve()
    >>> found.verdict, found.impulses.round(6).tolist()
    ('solved', [[6.0, -0.2]])
    """

    def __init__(self, *, mu: ArrayLike, components: int = 3, W: Any = None, q: ArrayLike | None = None,
                 M: Any = None, H: Any = None, f: ArrayLike | None = None, w: ArrayLike | None = None,
                 mu_r: ArrayLike | None = None, compliance: ArrayLike | None = None) -> None:
        """A problem from arrays: W and q, or M, H, f and w.

        mu          coefficient of friction of each contact
        components  of a contact: 2 in the plane, 3 in space, 5 with two rolling torques, which need mu_r
        compliance  of each component; none if not given
        Matrices are arrays, sparse matrices of scipy, or (row, column, value); entries of one place are added up.
        """
        local, whole = (W, q), (M, H, f, w)
        is_global = all(part is not None for part in whole) and all(part is None for part in local)
        if not is_global and not (all(part is not None for part in local) and all(part is None for part in whole)):
            raise ArgumentError("a problem needs W and q, or M, H, f and w")
        definition = _library.library().scree_problem_def_default()
        definition.components = _values.integer(components, "components")
        friction = _flat(mu, "mu")
        definition.contacts, m = len(friction), max(definition.components, 0) * len(friction)
        lists: dict[str, Any] = {"mu": friction, "mu_r": mu_r, "compliance": compliance}
        sizes = {"mu": len(friction), "mu_r": len(friction), "compliance": m, "q": m, "w": m}
        if mu_r is None and definition.components == 5:
            raise ArgumentError("mu_r: is needed with 5 components")
        if is_global:
            setattr(definition, "global", True)
            lists.update(f=_flat(f, "f"), w=w)  # type: ignore[arg-type]
            definition.freedoms = n = sizes["f"] = len(lists["f"])
            matrices = {"M": (M, (n, n)), "H": (H, (n, m))}
        else:
            lists["q"] = q
            matrices = {"W": (W, (m, m))}
        kept = _filled(definition, lists, matrices, sizes)
        made = ctypes.c_void_p()
        _library.call("scree_problem_create", definition, made)
        del kept
        self._adopt(made.value)

    def _adopt(self, pointer: int | None) -> None:
        assert pointer
        self._handle = _memory.Owner(pointer, "scree_problem_destroy")
        self._lock = threading.RLock()
        view = _library.library().scree_problem_get_view(pointer)
        self._shape = (int(view.contacts), int(view.components))
        self._freedoms = int(view.freedoms)
        self._global = bool(getattr(view, "global"))

    @classmethod
    def _of(cls, pointer: int | None) -> Problem:
        problem = cls.__new__(cls)
        problem._adopt(pointer)
        return problem

    def __repr__(self) -> str:
        form = f"global form, {self._freedoms} freedoms" if self._global else "local form"
        contacts = _values.counted(self._shape[0], "contact")
        return f"<scree.Problem: {contacts} of {_values.counted(self._shape[1], 'component')}, {form}>"

    def __len__(self) -> int:
        """The number of contacts."""
        return self._shape[0]

    def __bool__(self) -> bool:
        """A problem without contacts is one, too."""
        return True

    # ------------------------------------------------------------ what it holds

    @property
    def components(self) -> int:
        """The number of components of a contact: 2, 3 or 5."""
        return self._shape[1]

    @property
    def is_global(self) -> bool:
        """Whether it is in global form."""
        return self._global

    @property
    def freedoms(self) -> int:
        """The number of velocities v of the global form."""
        return self._freedoms

    def vector(self, name: str) -> Floats | None:
        """A copy of "q", "f", "w", "mu", "mu_r" or "compliance"; None if the problem has none."""
        m = self._shape[0] * self._shape[1]
        sizes = {"q": m, "f": self._freedoms, "w": m, "mu": self._shape[0], "mu_r": self._shape[0], "compliance": m}
        if name not in sizes:
            raise ArgumentError(f"name: one of {', '.join(sizes)} is needed, not {_values.short(name)}")
        with self._lock:
            return _copy(getattr(self._view(), name), sizes[name], np.dtype("f8"))

    def matrix(self, name: str) -> Matrix | None:
        """A copy of "W", "M" or "H"; None if the problem has none. W of a global form is computed when the problem is
        first solved or judged."""
        if name not in ("W", "M", "H"):
            raise ArgumentError(f"name: one of W, M, H is needed, not {_values.short(name)}")
        with self._lock:
            held = getattr(self._view(), name)
            start = _copy(held.start, held.columns + 1, np.dtype("i4"))
            if start is None:
                return None
            row = _copy(held.row, int(start[-1]), np.dtype("i4"))
            value = _copy(held.value, int(start[-1]), np.dtype("f8"))
            column = np.repeat(np.arange(held.columns, dtype="i4"), np.diff(start))
            return Matrix((held.rows, held.columns), np.empty(0, "i4") if row is None else row, column,
                          np.empty(0) if value is None else value)

    def _view(self) -> _problem_structs.ProblemView:
        return _library.library().scree_problem_get_view(self._handle.pointer)

    # ------------------------------------------------------------ solving and judging

    def _impulses(self, given: ArrayLike | None, name: str) -> Floats:
        m = self._shape[0] * self._shape[1]
        return np.zeros(m) if given is None else _flat(given, name, m).copy()

    def solve(self, solver: str = "auto", *, tolerance: float = 1e-8, iterations: int = 0, seconds: float = 0.0,
              start: ArrayLike | None = None, measure: str = "law") -> Solution:
        """Solves the problem. Failing to reach the tolerance is not an error; see `verdict` and `reason`.

        solver      a name of scree.problem.solvers()
        tolerance   of the measure
        iterations  the maximum; 0: the solver's own limit
        seconds     the maximum; 0: no limit. With a limit, the result depends on the machine
        start       initial impulses; zero by default
        measure     which residual ends the solver: a field of Residual. Whichever it is, a problem is called solved
                    only if `law` meets the tolerance, too
        """
        _values.choice(solver, "solver", list(solvers()))
        _values.choice(measure, "measure", list(Residual._fields))
        settings = _library.library().scree_problem_settings_default()
        settings.solver, settings.tolerance = solver.encode(), _values.number(tolerance, "tolerance")
        settings.measure, settings.iterations = measure.encode(), _values.integer(iterations, "iterations", 0)
        settings.seconds = _values.number(seconds, "seconds")
        if not settings.tolerance > 0:
            raise ArgumentError(f"tolerance: must be positive, not {settings.tolerance:g}")
        if not settings.seconds >= 0:
            raise ArgumentError(f"seconds: must not be negative, not {settings.seconds:g}")
        r, report = self._impulses(start, "start"), _problem_structs.ProblemReport()
        with self._lock:
            _library.call("scree_problem_solve", self._handle.pointer, settings, r.ctypes.data, report)
            residual, velocities = self._judge(r)
            proof = _copy(_library.library().scree_problem_get_proof(self._handle.pointer), len(r), np.dtype("f8"))
        verdict = _problem_structs.VERDICTS[report.verdict].replace("_", " ")
        return Solution(bool(report.solved), report.reason.decode(), solver, report.iterations, report.seconds,
                        residual, r.reshape(self._shape), velocities, verdict, report.worst,
                        None if proof is None else proof.reshape(self._shape), report.impulse_needed,
                        report.closing_velocity)

    def _judge(self, r: Floats) -> tuple[Residual, Floats]:
        found, u = _problem_structs.ProblemResidual(), np.zeros(len(r))
        with self._lock:
            _library.call("scree_problem_compute_residual", self._handle.pointer, r.ctypes.data, u.ctypes.data, found)
        return Residual(*(getattr(found, name) for name in Residual._fields)), u.reshape(self._shape)

    def residual(self, impulses: ArrayLike) -> Residual:
        """How far impulses are from a solution."""
        return self._judge(self._impulses(impulses, "impulses"))[0]

    def velocities(self, impulses: ArrayLike) -> Floats:
        """(contacts, components) relative velocities u that follow from impulses."""
        return self._judge(self._impulses(impulses, "impulses"))[1]

    def body_velocities(self, impulses: ArrayLike) -> Floats:
        """(freedoms,) velocities v of the bodies that follow from impulses; global form only."""
        r, v = self._impulses(impulses, "impulses"), np.zeros(self._freedoms)
        with self._lock:
            _library.call("scree_problem_compute_velocities", self._handle.pointer, r.ctypes.data, v.ctypes.data)
        return v

    def save(self, path: str | os.PathLike[str], impulses: ArrayLike | None = None) -> None:
        """Writes FCLIB (HDF5), with impulses and what follows from them as the solution. An existing file is replaced
        only if all went well."""
        r = None if impulses is None else self._impulses(impulses, "impulses")
        with self._lock, _FILES:
            _library.call("scree_problem_save", self._handle.pointer, _values.encoded(path, "path"),
                          None if r is None else r.ctypes.data, kind=ProblemError)


_FILES = threading.Lock()  # HDF5 is called by one thread at a time


def _copy(address: int | None, count: int, kind: np.dtype[Any]) -> NDArray[Any] | None:
    if address is None:
        return None
    return np.frombuffer(ctypes.string_at(address, count * kind.itemsize), kind).copy()


def load_problem(path: str | os.PathLike[str]) -> Problem:
    """Reads a problem from a file: FCLIB (HDF5) or Siconos .dat, recognised by its content."""
    made = ctypes.c_void_p()
    with _FILES:
        _library.call("scree_problem_load", _values.encoded(path, "path"), made, kind=ProblemError)
    return Problem._of(made.value)


def of_world(world: int) -> Problem:
    """The problem of the last step of a world of the library."""
    made = ctypes.c_void_p()
    _library.call("scree_world_create_problem", world, made)
    return Problem._of(made.value)
