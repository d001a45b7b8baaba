"""Run files: what 'scree run' wrote, as arrays. docs/run-file.md has the layout."""
from __future__ import annotations

import ctypes
import functools
import os
import re
from types import TracebackType
from typing import Any, Mapping

import numpy as np
from numpy.typing import NDArray

from . import _display, _library, _values, shapes, solids, walls
from ._values import Floats, Table
from .errors import ArgumentError, ClosedError, IdError, RunError, RunNotFoundError
from .frames import BEST_PACKING, Frame, Frames
from .laws import MEANING, Law
from .report import REPORT, Reports
from .shapes import Shape
from .solids import Solid

FORMAT, NEWEST, STEADY = "scree-run", 21, 15  # the last: in which grains neither come nor go
READ_ATTEMPTS = 22  # of metadata that a writer may just be changing
_PROBLEMS = (OSError, RuntimeError, KeyError, ValueError, TypeError, IndexError, AttributeError, OverflowError)
ENDINGS = ("still going, or killed", "finished", "interrupted by a signal", "stopped at a step that did not converge",
           "ended by an error")
# Columns of walls: the kind of number, and how many.
_WALL_CONSTANTS = {"shape": ("i", 1), "inside": ("i", 1), "half": ("f", 3), "radius": ("f", 1), "length": ("f", 1)}
_LAWS_SINCE = {"cohesion_stress": 11, "bridge_volume": 20, "bridge_tension": 20, "bridge_angle": 20}
_WALL_CONSTANTS_5 = {"motion": ("i", 1), "material": ("i", 1), "direction": ("f", 3)}  # since version 5
_WALL_CONSTANTS_14 = {"end_radius": ("f", 1), "holes": ("i", 2), "spacing": ("f", 2)}  # since version 14

_SHAPES = {
    "shapes": {"part_end": ("i", 1), "area": ("f", 1), "gyration": ("f", 1), "radius": ("f", 1), "centroid": ("f", 3)},
    "shapes/parts": {"corner_end": ("i", 1), "rounding": ("f", 1)},
    "shapes/corners": {"position": ("f", 3)}}
_SHAPES_10: dict[str, dict[str, tuple[str, int]]] = {  # more of them since version 10
    "shapes": {"volume": ("f", 1), "moments": ("f", 3), "axes": ("f", 4)},
    "shapes/parts": {"face_end": ("i", 1)}, "shapes/corners": {},
    "shapes/faces": {"loop_end": ("i", 1)}, "shapes/loops": {"vertex": ("i", 1)}}
_CORNERS_13 = {"weight": ("f", 1)}  # of shapes/corners, since version 13
_PARTS_12 = {"kind": ("i", 1), "form": ("f", 2)}  # of shapes/parts, since version 12


def _printable(text: str) -> str:
    """Text from a file without what a terminal would obey."""
    return "".join(letter if letter.isprintable() else " " if letter.isspace() else "?" for letter in text)


def open_run(path: str | os.PathLike[str]) -> Run:
    """Opens a run file. It may still be growing, or have been left by a killed run.

    >>> import scree
    >>> world = scree.World(dimension=2, gravity=(0, -10), time_step=0.125)
    >>> stone, grain = world.add_material(), world.add_grains((0, 9), radius=1)
    >>> with world.record("ball.h5", every=0.5):
    ...     reports = world.run(until=1)
    >>> with scree.open_run("ball.h5") as run:
    ...     print(run.times, [frame.velocity[0, 1].item() for frame in run.frames])
    [0.  0.5 1. ] [0.0, -5.0, -10.0]
    """
    return Run(path)


def _open_file(path: str) -> Any:
    """The file as h5py has it, in the mode for files that are being written. In this mode HDF5 reads what seems
    damaged again, a hundred times, and waits twice as long each time: for ever. h5py cannot change that, but its
    library can."""
    import h5py  # only here, so that worlds can be used without it

    access = h5py.h5p.create(h5py.h5p.FILE_ACCESS)
    access.set_libver_bounds(h5py.h5f.LIBVER_LATEST, h5py.h5f.LIBVER_LATEST)
    access.set_fclose_degree(h5py.h5f.CLOSE_STRONG)
    try:
        set_attempts = ctypes.CDLL(h5py.h5p.__file__).H5Pset_metadata_read_attempts
        set_attempts.argtypes = [ctypes.c_int64, ctypes.c_uint]
        set_attempts(access.id, READ_ATTEMPTS)
    except (OSError, AttributeError):  # elsewhere the library may be hidden
        pass
    flags = h5py.h5f.ACC_RDONLY | h5py.h5f.ACC_SWMR_READ
    return h5py.File(h5py.h5f.open(os.fsencode(path), flags, fapl=access))


class Run:
    """A run file: frames, the certificate of every step, and the setup of the run."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path: str = os.fspath(path)
        if not isinstance(self.path, str):
            raise ArgumentError(f"path: a name is needed, not {_values.short(path)}")
        try:
            with open(self.path, "rb"):  # a file that cannot be opened is reported as Python does
                pass
        except FileNotFoundError:
            raise RunNotFoundError(self.path) from None
        try:
            self._file: Any = _open_file(self.path)
        except _PROBLEMS as problem:
            raise RunError(f"{self.path}: is not a run of scree, or is damaged: {problem}") from None
        try:
            self._read_header()
        except RunError:
            self.close()
            raise
        except _PROBLEMS as problem:
            self.close()
            raise self._damaged(problem) from None

    # ------------------------------------------------------------ life

    def close(self) -> None:
        """Closes the file. Arrays that have been read remain valid."""
        if self._file is not None:
            self._file.close()
        self._file = None

    def __enter__(self) -> Run:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None,
                 trace: TracebackType | None) -> None:
        self.close()

    def __repr__(self) -> str:
        grains, frames = _values.counted(len(self.radius), "grain"), _values.counted(len(self.frames), "frame")
        return f"<scree.Run '{self.path}': {grains}, {frames}>"

    def _repr_html_(self) -> str:
        """What a notebook shows: the last frame, and how well the steps were solved."""
        facts: dict[str, object] = {"grains": len(self.radius), "frames": len(self.frames),
                                    **_display.certificate_facts(self.certificate)}
        picture = _display.png(self.frames[-1]) if len(self.frames) else None
        return _display.page(f"scree.Run {os.path.basename(self.path)}", facts, picture)

    def _damaged(self, problem: object) -> RunError:
        return RunError(f"{self.path}: the run file is damaged or truncated: {problem}")

    def _open(self) -> Any:
        if self._file is None:
            raise ClosedError(f"{self.path}: was closed")
        return self._file

    def _data(self, name: str, rows: slice | None = None, kind: str = "f", shape: tuple[int, ...] | None = None) -> Any:
        """Values of a dataset, or some of its rows: numbers "f", whole numbers "i" or texts "S", of this shape."""
        file = self._open()
        try:
            data = file[name]
            data.id.refresh()
            begin, end = (0, data.shape[0] if data.shape else 1) if rows is None else (rows.start, rows.stop)
            if not self._on_disk(data, begin, end):
                raise self._damaged(f"{name}: a part of it is missing")
            found = data[()] if rows is None else data[rows]
        except RunError:
            raise
        except _PROBLEMS as problem:
            raise self._damaged(f"{name}: {problem}") from None
        if np.asarray(found).dtype.kind != kind or (shape is not None and np.shape(found) != shape):
            raise self._damaged(f"{name}: is not what it should be")
        return found

    def _has(self, name: str) -> bool:
        """Whether there is a dataset of that name."""
        file = self._open()
        try:
            return name in file
        except _PROBLEMS as problem:
            raise self._damaged(f"{name}: {problem}") from None

    def _on_disk(self, data: Any, begin: int, end: int) -> bool:
        """Whether all that these rows need lies within the file: HDF5 reads zeros past the end of a truncated one."""
        size = os.path.getsize(self.path)
        if data.size * data.dtype.itemsize > (size + 4096) * BEST_PACKING:
            return False
        if data.chunks is None:
            place = data.id.get_offset()
            return place is None or place + data.id.get_storage_size() <= size
        second = range(0, data.shape[1], data.chunks[1]) if data.ndim > 1 else range(1)
        for row in range(begin // data.chunks[0] * data.chunks[0], end, data.chunks[0]):
            for column in second:
                chunk = data.id.get_chunk_info_by_coord((row, column, 0)[:data.ndim])
                if chunk.byte_offset is None or chunk.byte_offset + chunk.size > size:
                    return False
        return True

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
        method = int(attributes.get("method", -1))
        self.method: str | None = _library.METHODS[method] if 0 <= method < len(_library.METHODS) else None
        self.tolerance = float(attributes["tolerance"]) if self.method else None
        self.theta = float(attributes.get("theta", 1.0))
        self.time_step = float(attributes["time_step"])
        self.gravity: Floats = np.array(attributes["gravity"], float)
        self.periodic: dict[str, tuple[float, float]] = {
            axis: (float(attributes["cell_min"][k]), float(attributes["cell_max"][k]))
            for k, axis in enumerate("xyz") if attributes["periodic"][k]}
        self.scene_name = _printable(self._text("scene/name"))
        self.scene_text = self._text("scene/text")
        self.overrides = [_printable(text) for text in self._texts("scene/overrides")]
        self.material_names = self._names("materials/name")
        #: How pictures show the materials, by number: "#rrggbb", a word such as "sand", or "". Empty if none has one.
        self.material_colours = self._texts("materials/colour") if "materials/colour" in self._file else []
        self.wall_names = self._names("walls/name")
        #: Whether grains come and go. Then the arrays of the run have those of all times, by their identities.
        self.changing = self.version > STEADY and bool(attributes["changing"])
        #: Whether walls hold grains or are pistons, or may come to. Then frames tell of it.
        self.plates = self.version > 17 and bool(attributes["plates"])
        #: Whether grains are bonded, or may come to be. Then frames tell of it.
        self.bonds = self.version > 18 and bool(attributes["bonds"])
        #: Whether grains grow or shrink, or may come to. Then frames tell how large they are.
        self.growing = self.version > 20 and bool(attributes["growing"])
        self.shapes: list[Shape] = []
        self.solids: list[Solid] = []
        self._forms: tuple[Any, list[Any]] | None = None  # these as the library takes them
        if self.version > 2:
            self._read_shapes()
        if not self.changing:
            self._read_grains(None)
        self._wall_constants = self._walls("walls", _WALL_CONSTANTS)
        if self.version > 4:
            self._wall_constants.update(self._walls("walls", _WALL_CONSTANTS_5))
        if self.version > 13:
            self._wall_constants.update(self._walls("walls", _WALL_CONSTANTS_14))
        self._surfaces = self._read_surfaces()
        self.refresh()

    def _read_grains(self, rows: slice | None) -> None:
        """What grains keep as long as they are there: of all, or of those that frames refer to."""
        self.radius: Floats = self._data("bodies/radius", rows)
        grains = (len(self.radius),)
        self.mass: Floats = self._data("bodies/mass", rows, shape=grains)
        self.inertia: Floats = self._data("bodies/inertia", rows, shape=grains)
        self.material: NDArray[np.int32] = self._data("bodies/material", rows, "i", grains)
        self.shape: NDArray[np.int32] = (self._data("bodies/shape", rows, "i", grains) if self.version > 2 else
                                         np.full(grains, -1, np.int32))
        if np.any((self.shape < -1) | (self.shape >= max(len(self.shapes), len(self.solids)))):
            raise self._damaged("bodies/shape")
        self.frozen: NDArray[np.int32] = (self._data("bodies/frozen", rows, "i", grains) if self.version > 4 else
                                          np.zeros(grains, np.int32))

    def _read_surfaces(self) -> list[tuple[Floats, NDArray[np.int32]] | None]:
        """Vertices and triangles of the walls that are meshes."""
        count = len(self.wall_names)
        if "meshes" not in self._open():
            return [None] * count
        vertices = self._data("meshes/vertices/position", kind="f").reshape(-1, 3)
        corners = self._data("meshes/triangles/corner", kind="i").reshape(-1, 3)
        parts = self._data("meshes/triangles/part", kind="i", shape=(len(corners),))
        ends = [np.concatenate([[0], self._data(f"meshes/{name}_end", kind="i")])
                for name in ("vertex", "triangle")]
        number, own = (self._data(f"meshes/walls/{name}", kind="i", shape=(count,)) for name in ("mesh", "part"))
        found: list[tuple[Floats, NDArray[np.int32]] | None] = []
        for mesh, part in zip(number.tolist(), own.tolist()):
            if not -1 <= mesh < len(ends[0]) - 1:
                raise self._damaged("meshes/walls/mesh")
            if mesh < 0:
                found.append(None)
                continue
            rows = slice(ends[1][mesh], ends[1][mesh + 1])
            chosen = corners[rows] if part < 0 else corners[rows][parts[rows] == part]
            points = vertices[ends[0][mesh]:ends[0][mesh + 1]]
            if len(chosen) and not (0 <= chosen.min() and chosen.max() < len(points)):
                raise self._damaged("meshes/triangles/corner")
            found.append((points, chosen))
        return found

    def _read_shapes(self) -> None:
        space = self.dimension == 3
        tables = _SHAPES if self.version < 10 else {group: {**_SHAPES.get(group, {}), **more}
                                                    for group, more in _SHAPES_10.items()}
        if self.version > 11:
            tables["shapes/parts"] = {**tables["shapes/parts"], **_PARTS_12}
        if self.version > 12:
            tables["shapes/corners"] = {**tables["shapes/corners"], **_CORNERS_13}
        columns: dict[str, NDArray[Any]] = {}
        for group, fields in tables.items():
            count: int | None = None
            for name, (kind, width) in fields.items():
                columns[name] = self._data(f"{group}/{name}", kind=kind)
                count = len(columns[name]) if count is None else count
                if columns[name].shape != ((count,) if width == 1 else (count, width)):
                    raise self._damaged(f"{group}/{name}")
        for ends, things, least in (("part_end", "corner_end", 1), ("corner_end", "position", 1),
                                    ("face_end", "loop_end", 0), ("loop_end", "vertex", 3)):
            found = columns.get(ends, np.zeros(0, np.int64))
            missing = len(columns.get(things, ())) - (int(found[-1]) if len(found) else 0)
            if missing or np.any(found < 0) or np.any(np.diff(found, prepend=0) < least):
                raise self._damaged("shapes")
        if not space:
            self.shapes = shapes.from_run(columns)
        elif self.version > 9:
            self._check_loops(columns)
            self._check_kinds(columns)
            self.solids = solids.from_run(columns)

    def _check_kinds(self, columns: dict[str, NDArray[Any]]) -> None:
        """A smooth part has as many corners as tell it."""
        wanted = np.array([0, 4, 2, 0])  # a polyhedron may have any number, and a NURBS surface many
        kind = columns.get("kind", np.zeros(0, int))
        if np.any((kind < 0) | (kind >= len(wanted))):
            raise self._damaged("shapes/parts/kind")
        corners = np.diff(columns["corner_end"], prepend=0)[:len(kind)]
        if np.any((wanted[kind] > 0) & (corners != wanted[kind])):
            raise self._damaged("shapes/parts/kind")

    def _check_loops(self, columns: dict[str, NDArray[Any]]) -> None:
        """Corners of faces must be vertices of their part."""
        faces = np.diff(columns["face_end"], prepend=0)
        vertices = np.repeat(np.diff(columns["corner_end"], prepend=0), faces)  # of the part of each face
        most = np.repeat(vertices, np.diff(columns["loop_end"], prepend=0))
        if np.any((columns["vertex"] < 0) | (columns["vertex"] >= most)):
            raise self._damaged("shapes/loops/vertex")

    def _walls(self, group: str, columns: Mapping[str, tuple[str, int]], rows: slice | None = None) -> dict[str, Any]:
        """Columns of the walls."""
        lead = () if rows is None else (1,)
        return {name: self._data(f"{group}/{name}", rows, kind,
                                 lead + (len(self.wall_names),) + ((width,) if width > 1 else ()))
                for name, (kind, width) in columns.items()}

    def _text(self, name: str) -> str:
        return bytes(self._data(name, kind="S", shape=())).rstrip(b"\0").decode(errors="replace")

    def _texts(self, name: str) -> list[str]:
        found = self._data(name, kind="S")
        if np.ndim(found) != 1:
            raise self._damaged(f"{name}: is not what it should be")
        return [bytes(text).rstrip(b"\0").decode(errors="replace") for text in found]

    def _names(self, name: str) -> list[str]:
        """Names without what terminals obey, or spreadsheets: "=1+1"."""
        formula = re.compile(r"[=+@ -](?=.*[^A-Za-z0-9_.-])|[=+@ ]")
        return [formula.sub("?", _printable(text), count=1) if formula.match(_printable(text)) else _printable(text)
                for text in self._texts(name)]

    def refresh(self) -> None:
        """Checks how far the run has got, if it is still in progress."""
        index = self._data("frames/index", kind="i")
        if index.ndim != 2 or index.shape[1] != 3:
            raise self._damaged("frames/index")
        missing = np.flatnonzero(index[:, 2] == 0)  # there is room for the entry, but it is not written yet
        count = int(missing[0]) if len(missing) else len(index)
        index = index[:count]
        if np.any(index[:, 2] != np.arange(1, count + 1)) or np.any(np.diff(index[:, :2], axis=0, prepend=0) < 0):
            raise self._damaged("frames/index")
        self._ends: NDArray[np.int64] = index[:, :2]
        if self.changing:
            self._flow: NDArray[np.int64] = self._data("frames/flow", slice(0, count), "i", (count, 2))
            if np.any(np.diff(self._flow, axis=0, prepend=0) < 0):
                raise self._damaged("frames/flow")
            self._read_grains(slice(0, int(self._flow[-1, 1]) if count else 0))
        self.times: Floats = self._data("frames/time", slice(0, count), shape=(count,))
        self.steps: NDArray[np.int64] = self._data("frames/step", slice(0, count), "i", (count,))
        self.__dict__.pop("certificate", None)
        self.__dict__.pop("gates", None)

    @property
    def ending(self) -> str:
        """How the run ended, in words."""
        found = self._data("ending", kind="i").reshape(-1)
        number = int(found[0]) if len(found) else 0
        return ENDINGS[number] if 0 <= number < len(ENDINGS) else "unknown"

    # ------------------------------------------------------------ laws

    @functools.cached_property
    def laws(self) -> dict[tuple[str, str], Law]:
        """The law of each pair of materials at the start, by their names."""
        if self.version < 2:
            return {}
        names = self.material_names
        pairs = (len(names) * (len(names) + 1) // 2,)
        first, second = (self._data(f"laws/{name}", kind="i", shape=pairs) for name in ("first", "second"))
        wet = any(self._has(f"laws/{name}") for name in MEANING if name.startswith("bridge_"))
        since = {name: 0 if wet and name.startswith("bridge_") else number for name, number in _LAWS_SINCE.items()}
        numbers = [np.zeros(pairs) if self.version < since.get(name, 2) else
                   self._data(f"laws/{name}", shape=pairs) for name in MEANING]
        if np.any((first < 0) | (second < 0) | (first >= len(names)) | (second >= len(names))):
            raise self._damaged("laws")
        return {(names[first[row]], names[second[row]]): Law(*(float(column[row]) for column in numbers))
                for row in range(len(first))}

    def law(self, a: str, b: str) -> Law:
        """The law of two materials by name, in either order."""
        for pair in ((a, b), (b, a)):
            if pair in self.laws:
                return self.laws[pair]
        raise IdError(f"no law between '{a}' and '{b}'; the materials are {', '.join(self.material_names)}")

    # ------------------------------------------------------------ steps and frames

    @functools.cached_property
    def certificate(self) -> Reports:
        """The report of every step up to the last frame, as a table; fields that the file does not have are 0."""
        count = int(self._ends[-1, 1]) if len(self._ends) else 0
        if count > (os.path.getsize(self.path) + 4096) * BEST_PACKING:
            raise self._damaged("steps")
        table = np.zeros(count, REPORT)
        self._fill(table, "steps", slice(0, count))
        return table.view(Reports)

    @functools.cached_property
    def gates(self) -> dict[str, Table]:
        """What has passed the inlets and outlets of the scene by each step, by name: tables with the columns `time`,
        `number` and `mass`, both since the start, and `waiting` at an inlet that is full. The mean flow between two
        steps is the difference of two masses over that of their times."""
        if self.version <= STEADY or "gates" not in self._open():
            return {}
        names, count = self._names("gates/name"), len(self.certificate)
        columns = {name: self._data(f"gates/steps/{name}", slice(0, count * len(names)), kind,
                                    (count * len(names),)).reshape(count, len(names))
                   for name, kind in (("number", "i"), ("mass", "f"), ("waiting", "i"))}
        tables = {}
        for k, name in enumerate(names):
            table = np.zeros(count, [("time", "f8"), ("number", "i8"), ("mass", "f8"), ("waiting", "i8")])
            table["time"] = self.certificate.time
            for column, values in columns.items():
                table[column] = values[:, k]
            tables[name] = table.view(np.recarray)
        return tables

    def _fill(self, table: NDArray[Any], group: str, rows: slice) -> None:
        """Fills a table with columns of a group; an older file lacks those that came later."""
        counted = self.version >= 19 or self._has("steps/glued") or self._has("steps/broken")
        for field in table.dtype.names or ():
            name = f"{group}/{field}"
            older = self.version < STEADY or (not counted and field in ("glued", "broken")) or (
                self.version < 21 and field == "work_growth")
            if not older or self._has(name):
                kind, shape = table[field].dtype.kind, table[field].shape
                table[field] = self._data(name, rows, kind, shape)

    @property
    def frames(self) -> Frames:
        """The frames, which are read when used."""
        return Frames(self)

    def walls(self, name: str) -> Table:
        """A wall over time, by name: a row for each frame with `time`, `frame`, whether it is `present`, `position` and
        `displacement` of its pivot, `velocity`, `spin`, and the `load` and `load_torque` of the grains on it. As
        scree.data_frame(run.walls("tank.bottom")) its columns are load_x, load_y, ...

        >>> import scree
        >>> world = scree.World(dimension=2, gravity=(0, -10), time_step=0.01)
        >>> stone, floor = world.add_material(), world.add_plane((0, 0), (0, 1))
        >>> grain = world.add_grains((0, 1), radius=1, mass=3)
        >>> with world.record("load.h5", every=0.1, wall_names=["floor"]):
        ...     reports = world.run(until=0.2)
        >>> scree.open_run("load.h5").walls("floor").load[:, 1].round(9).tolist()
        [0.0, -30.0, -30.0]
        """
        number = walls.number_of(name, self.wall_names)
        table = np.zeros(len(self.times), walls.HISTORY)
        table["time"], table["frame"] = self.times, np.arange(len(self.times))
        shape = (len(self.times), len(self.wall_names))
        for field in walls.HISTORY.names[2:] if walls.HISTORY.names else ():
            kind, width = ("i", ()) if field == "present" else ("f", (3,))
            column = self._data(f"frames/walls/{field}", slice(0, len(self.times)), kind, shape + width)
            table[field] = column[:, number]
        return table.view(np.recarray)

    def frame_at(self, time: float) -> Frame:
        """The frame nearest to a time."""
        wanted = _values.number(time, "time")
        if np.isnan(wanted) or not len(self.times):
            raise ArgumentError("there is no frame" if not len(self.times) else "time: a number is needed")
        return self.frames[int(np.abs(self.times - wanted).argmin())]
