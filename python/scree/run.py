"""Run files: what 'scree run' wrote, as arrays. docs/run-file.md has the layout."""
from __future__ import annotations

import functools
import os
from types import TracebackType
from typing import Any, Iterator, Sequence, overload

import numpy as np
from numpy.typing import NDArray

from . import _library, _values, contacts, walls
from ._values import Floats
from .errors import ArgumentError, ClosedError, IdError, RunError
from .laws import MEANING, Law
from .report import REPORT
from .walls import Wall

FORMAT, NEWEST = "scree-run", 2
ENDINGS = ("still going, or killed", "finished", "interrupted by a signal", "stopped at a step that did not converge",
           "ended by an error")
_WALL_CONSTANTS = ("shape", "inside", "half", "radius", "length")
_WALL_COLUMNS = ("present", "position", "displacement", "velocity", "spin", "load", "load_torque", "point", "normal",
                 "end", "axis", "orientation")


def open_run(path: str | os.PathLike[str]) -> Run:
    """Opens a run file. It may still be growing, and it may have been left by a killed run."""
    return Run(path)


class Run:
    """A run file: frames, the certificate of every step, and what the run was made of."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        import h5py  # only here, so that worlds can be used without it

        self.path: str = os.fspath(path)
        if not isinstance(self.path, str):
            raise ArgumentError(f"path: a name is needed, not {_values.short(path)}")
        with open(self.path, "rb"):  # a file that cannot be opened is told as Python does
            pass
        try:
            self._file: Any = h5py.File(self.path, "r", libver="latest", swmr=True)
        except (OSError, ValueError) as problem:
            raise RunError(f"{self.path}: is not a run of scree, or is damaged: {problem}") from None
        try:
            self._read_header()
        except (OSError, KeyError, ValueError, TypeError, IndexError) as problem:
            self.close()
            raise problem if isinstance(problem, RunError) else self._damaged(problem) from None
        except BaseException:
            self.close()
            raise

    # ------------------------------------------------------------ life

    def close(self) -> None:
        """Closes the file. Arrays that were read stay."""
        if self._file is not None:
            self._file.close()
        self._file = None

    def __enter__(self) -> Run:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None,
                 trace: TracebackType | None) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<scree.Run '{self.path}': {len(self.radius)} grains, {len(self.frames)} frames>"

    def _damaged(self, problem: object) -> RunError:
        return RunError(f"{self.path}: the run file is damaged or truncated: {problem}")

    def _open(self) -> Any:
        if self._file is None:
            raise ClosedError(f"{self.path}: was closed")
        return self._file

    def _data(self, name: str, part: Any = ()) -> Any:
        """Values of a dataset."""
        try:
            return self._open()[name][part]
        except ClosedError:
            raise
        except (OSError, KeyError, ValueError, TypeError, IndexError) as problem:
            raise self._damaged(f"{name}: {problem}") from None

    # ------------------------------------------------------------ the beginning

    def _read_header(self) -> None:
        attributes = self._file.attrs
        kind = attributes.get("format")
        if (kind.decode(errors="replace") if isinstance(kind, bytes) else kind) != FORMAT:
            raise RunError(f"{self.path}: is an HDF5 file, but not a run of scree")
        self.version = int(attributes["version"])
        if self.version > NEWEST:
            raise RunError(f"{self.path}: has format version {self.version}, but this scree reads up to version "
                           f"{NEWEST}; use a newer scree")
        self.dimension = int(attributes["dimension"])
        self.engine: str = _library.ENGINES[int(attributes.get("engine", 0))]
        self.theta = float(attributes.get("theta", 1.0))
        self.time_step = float(attributes["time_step"])
        self.gravity: Floats = np.array(attributes["gravity"], float)
        self.periodic: dict[str, tuple[float, float]] = {
            axis: (float(attributes["cell_min"][k]), float(attributes["cell_max"][k]))
            for k, axis in enumerate("xyz") if attributes["periodic"][k]}
        self.scene_name = self._text("scene/name")
        self.scene_text = self._text("scene/text")
        self.overrides = self._texts("scene/overrides")
        self.material_names = self._texts("materials/name")
        self.wall_names = self._texts("walls/name")
        self.radius: Floats = self._data("bodies/radius")
        self.mass: Floats = self._data("bodies/mass")
        self.inertia: Floats = self._data("bodies/inertia")
        self.material: NDArray[np.int32] = self._data("bodies/material")
        self._wall_constants = {name: self._data(f"walls/{name}") for name in _WALL_CONSTANTS}
        self.refresh()

    def _text(self, name: str) -> str:
        found = self._data(name)
        return bytes(found).rstrip(b"\0").decode(errors="replace")

    def _texts(self, name: str) -> list[str]:
        return [bytes(text).rstrip(b"\0").decode(errors="replace") for text in self._data(name)]

    def refresh(self) -> None:
        """Looks again how far the run has got, when it is still going."""
        file = self._open()
        for name in ("frames/index", "frames/time", "frames/step", "ending"):
            file[name].id.refresh()
        index = self._data("frames/index")
        written = np.flatnonzero(index[:, 2] == 0)  # room was made, but the entry is not there
        count = int(written[0]) if len(written) else len(index)
        index = index[:count]
        if np.any(index[:, 2] != np.arange(1, count + 1)) or np.any(np.diff(index[:, :2], axis=0, prepend=0) < 0):
            raise self._damaged("frames/index")
        self._ends: NDArray[np.int64] = index[:, :2]
        self.times: Floats = self._data("frames/time", slice(0, count))
        self.steps: NDArray[np.int64] = self._data("frames/step", slice(0, count))
        if len(self.times) != count or len(self.steps) != count:
            raise self._damaged("frames/time")
        self.__dict__.pop("certificate", None)

    @property
    def ending(self) -> str:
        """How the run ended, in words."""
        found = self._data("ending")
        number = int(found[0]) if len(found) else 0
        return ENDINGS[number] if 0 <= number < len(ENDINGS) else "unknown"

    # ------------------------------------------------------------ laws

    @functools.cached_property
    def laws(self) -> dict[tuple[str, str], Law]:
        """The law of each pair of materials at the start, by their names."""
        if self.version < 2:
            return {}
        columns = {name: self._data(f"laws/{name}") for name in ("first", "second", *MEANING)}
        names = self.material_names
        try:
            return {(names[columns["first"][row]], names[columns["second"][row]]):
                    Law(*(float(columns[name][row]) for name in MEANING)) for row in range(len(columns["first"]))}
        except IndexError as problem:
            raise self._damaged(f"laws: {problem}") from None

    def law(self, a: str, b: str) -> Law:
        """The law of two materials by name, in either order."""
        for pair in ((a, b), (b, a)):
            if pair in self.laws:
                return self.laws[pair]
        raise IdError(f"no law between '{a}' and '{b}'; the materials are {', '.join(self.material_names)}")

    # ------------------------------------------------------------ steps and frames

    @functools.cached_property
    def certificate(self) -> np.recarray:
        """The report of every step up to the last frame, as a table; fields that the file does not have are 0."""
        count = int(self._ends[-1, 1]) if len(self._ends) else 0
        table = np.zeros(count, REPORT)
        there = self._open()["steps"]
        for name in REPORT.names or ():
            if name in there or self.version == NEWEST:
                self._fill(table, name, f"steps/{name}", slice(0, count))
        return table.view(np.recarray)

    def _fill(self, table: NDArray[Any], field: str, name: str, part: slice) -> None:
        try:
            self._open()[name].id.refresh()
            table[field] = self._data(name, part)
        except (KeyError, ValueError, TypeError) as problem:
            raise problem if isinstance(problem, RunError) else self._damaged(f"{name}: {problem}") from None

    @property
    def frames(self) -> Frames:
        """The frames; read when they are looked at."""
        return Frames(self)

    def frame_at(self, time: float) -> Frame:
        """The frame nearest to a time."""
        wanted = _values.number(time, "time")
        if np.isnan(wanted) or not len(self.times):
            raise ArgumentError("there is no frame" if not len(self.times) else "time: a number is needed")
        return self.frames[int(np.abs(self.times - wanted).argmin())]


class Frames(Sequence["Frame"]):
    """The frames of a run, in their order."""

    def __init__(self, run: Run) -> None:
        self._run = run

    def __len__(self) -> int:
        return len(self._run.times)

    @overload
    def __getitem__(self, at: int) -> Frame: ...

    @overload
    def __getitem__(self, at: slice) -> list[Frame]: ...

    def __getitem__(self, at: int | slice) -> Frame | list[Frame]:
        if isinstance(at, slice):
            return [Frame(self._run, number) for number in range(len(self))[at]]
        number = _values.integer(at, "frame", -2**62, 2**62)
        if not -len(self) <= number < len(self):
            raise IndexError(f"there is no frame {number}; the run has {len(self)}")
        return Frame(self._run, number % len(self))

    def __iter__(self) -> Iterator[Frame]:
        return (Frame(self._run, number) for number in range(len(self)))


class Frame:
    """One moment of a run. Arrays are read when first asked for, and kept."""

    def __init__(self, run: Run, number: int) -> None:
        self._run = run
        self.number = number
        self.time = float(run.times[number])
        self.step = int(run.steps[number])

    def __repr__(self) -> str:
        return f"<scree.Frame {self.number} of '{self._run.path}', time {self.time:.6g}>"

    def __len__(self) -> int:
        """The number of grains."""
        return len(self._run.radius)

    def __bool__(self) -> bool:
        return True

    @property
    def run(self) -> Run:
        """The run that it belongs to."""
        return self._run

    @property
    def dimension(self) -> int:
        """2 or 3."""
        return self._run.dimension

    @property
    def periodic(self) -> dict[str, tuple[float, float]]:
        """The cell along periodic directions."""
        return self._run.periodic

    @property
    def radius(self) -> Floats:
        """Radii, (n,)."""
        return self._run.radius

    @property
    def mass(self) -> Floats:
        """Masses, (n,)."""
        return self._run.mass

    @property
    def inertia(self) -> Floats:
        """Moments of inertia, (n,)."""
        return self._run.inertia

    @property
    def material(self) -> NDArray[np.int32]:
        """Numbers of the materials, (n,)."""
        return self._run.material

    def _bodies(self, name: str, width: int) -> Floats:
        run = self._run
        run._open()[f"frames/bodies/{name}"].id.refresh()
        found = run._data(f"frames/bodies/{name}", self.number)
        if found.shape != (len(self), width):
            raise run._damaged(f"frames/bodies/{name}")
        return found

    @functools.cached_property
    def position(self) -> Floats:
        """Centres, (n, 3)."""
        return self._bodies("position", 3)

    @functools.cached_property
    def orientation(self) -> Floats:
        """Unit quaternions w, x, y, z, (n, 4)."""
        return self._bodies("orientation", 4)

    @functools.cached_property
    def velocity(self) -> Floats:
        """Velocities of the centres, (n, 3)."""
        return self._bodies("velocity", 3)

    @functools.cached_property
    def spin(self) -> Floats:
        """Angular velocities, (n, 3)."""
        return self._bodies("spin", 3)

    @functools.cached_property
    def contacts(self) -> np.recarray:
        """Contacts and candidates, as a table with the fields of scree.CONTACTS."""
        run, number = self._run, self.number
        begin = int(run._ends[number - 1, 0]) if number > 0 else 0
        end = int(run._ends[number, 0])
        table = contacts.empty(end - begin)
        there = run._open()["frames/contacts"]
        for name in contacts.CONTACTS.names or ():
            if name in there or run.version == NEWEST:
                run._fill(table, name, f"frames/contacts/{name}", slice(begin, end))
        return table

    @functools.cached_property
    def walls(self) -> list[Wall]:
        """All walls, removed ones included."""
        run = self._run
        for name in _WALL_COLUMNS:
            run._open()[f"frames/walls/{name}"].id.refresh()
        columns = {name: run._data(f"frames/walls/{name}", self.number) for name in _WALL_COLUMNS}
        try:
            return [walls.from_run(number, run.wall_names[number],
                                   {name: run._wall_constants[name][number] for name in _WALL_CONSTANTS},
                                   {name: columns[name][number] for name in _WALL_COLUMNS})
                    for number in range(len(run.wall_names))]
        except IndexError as problem:
            raise run._damaged(f"walls: {problem}") from None
