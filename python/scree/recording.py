"""Recordings: run files of worlds that Python steps."""
from __future__ import annotations

import ctypes
import os
import time
import weakref
from types import TracebackType
from typing import TYPE_CHECKING, Callable, Sequence

from . import _library, _values
from ._record_structs import Gate, RecordNames
from .errors import ArgumentError, ClosedError, RunError

if TYPE_CHECKING:
    from .world import World


SAVE_SECONDS = 60.0  # from one checkpoint to the next

# Those that are open, by path: the library's locks keep other processes off, but not this one.
_open: weakref.WeakValueDictionary[str, Recording] = weakref.WeakValueDictionary()


def _list_of(names: Sequence[str] | None, count: int, what: str) -> ctypes.Array[ctypes.c_char_p] | None:
    if names is None:
        return None
    if isinstance(names, str) or len(names) != count:
        raise ArgumentError(f"{what}: {count} names are needed, not {_values.short(names)}")
    return (ctypes.c_char_p * max(count, 1))(*(_values.encoded(name, what) for name in names))


def names_of(world: World, title: str, text: str, material_names: Sequence[str] | None,
             wall_names: Sequence[str] | None) -> RecordNames:
    """What a recording is told of a world that no scene describes."""
    materials = 0 if material_names is None else len(material_names)
    return RecordNames(title=_values.encoded(title, "title"), text=_values.encoded(text, "text"),
                       material=_list_of(material_names, materials, "material_names"),
                       wall=_list_of(wall_names, world.wall_count, "wall_names"))


class Recording:
    """Writes the steps of a world into a run file, until it is closed. World.record makes it.

    The file is what 'scree run' writes: scree.open_run, and 'scree view', 'scree plot', 'scree export', 'scree table'
    and 'scree measure' read it, also while it grows. Beside it, in NAME.checkpoint, lies the whole world as it was at
    the end, or within the last minute if the program was killed: scree.resume goes on with it, and scenes can start
    from it (start: {run: NAME}).
    """

    def __init__(self, world: World, path: str | os.PathLike[str], every: float | None, names: RecordNames,
                 tell_gates: Callable[[ctypes.Array[Gate]], None] | None = None) -> None:
        """`tell_gates` fills in what has passed the gates of a scene; it must not keep the scene alive."""
        place = self._prepare(path, every)
        self._gates, self._tell_gates = (Gate * names.gate_count)(), tell_gates
        made = ctypes.c_void_p()
        _library.call("scree_record_create", _values.encoded(self.path, "path"), world._pointer(), names, made,
                      kind=RunError)
        self._begin(world, made.value, place)
        self._measure(world)
        self._add_frame(world)

    def _prepare(self, path: str | os.PathLike[str], every: float | None) -> str:
        """What does not need the file yet. Returns its place."""
        self.path: str = os.fspath(path)
        #: The time between frames; None: only frame() adds any.
        self.every = None if every is None else _values.number(every, "every")
        if self.every is not None and not self.every > 0:
            raise ArgumentError("every: a time above 0 is needed")
        #: How many frames there are so far.
        self.frames = 0
        self._kept: World | None = None
        self._saved = -SAVE_SECONDS
        place = os.path.realpath(self.path)
        if place in _open:
            raise RunError(f"{self.path}: another world is being recorded into it; close that recording first")
        return place

    def _begin(self, world: World, record: int | None, place: str) -> None:
        self._record: int | None = record
        self._finalizer = weakref.finalize(self, _library.library().scree_record_close, record, None)
        self._world = weakref.ref(world)
        _open[place] = self
        self._start = self._last = world.time

    # ------------------------------------------------------------ what the world tells

    def _took_step(self, world: World, report: int) -> None:
        """A step was made, whose report lies at this address."""
        if self._tell_gates is not None:
            self._tell_gates(self._gates)
        _library.call("scree_record_add_gates", self._pointer(), self._gates, len(self._gates), kind=RunError)
        _library.call("scree_record_add_step", self._pointer(), report, kind=RunError)
        self._measure(world)
        if self.every is None:
            return
        # the frame number k is due at start + k every; half a step of slack for rounding
        due = self._start + (round((self._last - self._start) / self.every) + 1) * self.every
        if world.time >= due - 0.5 * world.time_step:
            self._add_frame(world)

    def _measure(self, world: World) -> None:
        """What the scene wants measured while it runs, where that is due now."""
        _library.call("scree_record_add_measures", self._pointer(), world._pointer(), kind=RunError)

    def _add_frame(self, world: World) -> None:
        _library.call("scree_record_add_frame", self._pointer(), world._pointer(), kind=RunError)
        self._last = world.time
        self.frames += 1
        if time.monotonic() >= self._saved + SAVE_SECONDS:
            self._save(world)

    def _save(self, world: World) -> None:
        _library.call("scree_record_save", self._pointer(), world._pointer(), kind=RunError)
        self._saved = time.monotonic()

    def _pointer(self) -> int:
        if self._record is None:
            raise RunError(f"{self.path}: the recording was closed")
        return self._record

    # ------------------------------------------------------------ what users do

    @property
    def world(self) -> World:
        """The world that is recorded."""
        world = self._world()
        if world is None:
            raise ClosedError(f"{self.path}: its world is gone")
        return world

    def frame(self) -> None:
        """Adds a frame of the present state, unless there is one."""
        world = self._world()
        if world is not None and world.time > self._last:
            self._add_frame(world)

    def close(self) -> None:
        """Adds a last frame, and completes the file. It may be called again."""
        world = self._world()
        if self._record is None:
            return
        try:
            if world is not None and not world.closed:
                self.frame()
                self._save(world)
        finally:
            record, self._record = self._record, None
            self._finalizer.detach()
            _open.pop(os.path.realpath(self.path), None)
            if world is not None and world._recording is self:
                world._recording = None
            _library.call("scree_record_close", record, kind=RunError)

    def __enter__(self) -> Recording:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None,
                 trace: TracebackType | None) -> None:
        self.close()

    def __repr__(self) -> str:
        state = "closed" if self._record is None else "open"
        return f"<scree.Recording {self.path!r}, {state}: {_values.counted(self.frames, 'frame')}>"


def resume(path: str | os.PathLike[str], every: float | None = None) -> Recording:
    """Goes on with a run file of World.record: its world, as it was when it was last saved, bit for bit.

    >>> import scree
    >>> world = scree.World(dimension=2, gravity=(0, -9.81), time_step=1e-3)
    >>> stone, floor = world.add_material(friction=0.5), world.add_plane(point=(0, 0), normal=(0, 1))
    >>> grains = world.add_grains(position=[(0, 0.6), (0.1, 1.7)], radius=0.5)
    >>> with world.record("run.h5", every=0.1):
    ...     reports = world.run(until=0.2)

    and later, perhaps elsewhere:

    >>> with scree.resume("run.h5", every=0.1) as recording:
    ...     reports = recording.world.run(until=0.5)
    >>> scree.open_run("run.h5").times.round(6).tolist()
    [0.0, 0.1, 0.2, 0.3, 0.4, 0.5]

    What was recorded of a scene has no programme in its file: start another scene from it, with start: {run: ...}, or
    take the world alone by scree.World.from_run.
    """
    from .world import World

    recording = Recording.__new__(Recording)
    place = recording._prepare(path, every)
    made, record = ctypes.c_void_p(), ctypes.c_void_p()
    _library.call("scree_record_resume", _values.encoded(recording.path, "path"), made, record, kind=RunError)
    world = World.__new__(World)
    world._adopt(made.value)
    recording._gates, recording._tell_gates = (Gate * 0)(), None
    recording._begin(world, record.value, place)
    recording._kept = world  # nobody else has it yet
    recording.frames = _library.library().scree_record_count_frames(record)
    world._recording = recording
    return recording
