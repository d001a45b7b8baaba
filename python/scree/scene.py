"""Scenes: a world from a file, with its programme of drives and events."""
from __future__ import annotations

import ctypes
import dataclasses
import math
import os
import warnings
import weakref
from types import TracebackType
from typing import Any, Callable, Mapping

import numpy as np

from . import _display, _library, _memory, _values, _yaml, device as devices, walls
from ._record_structs import Gate, RecordNames
from ._stepping import collect
from .errors import (STATUS, ArgumentError, ClosedError, ConvergenceError, ConvergenceWarning, SceneError, error_of)
from .recording import Recording
from .report import REPORT, Report, Reports
from .walls import Wall
from .world import World


def load_scene(scene: str | os.PathLike[str] | Mapping[str, Any], overrides: Mapping[str, Any] | None = None,
               **more: Any) -> Scene:
    """Reads a scene file (docs/scene.md), or takes a scene as a dictionary with the same keys, and builds its world.

    >>> import scree
    >>> scene = scree.load_scene({
    ...     "dimension": 2, "gravity": [0, -9.81], "time": {"step": 1e-3, "end": 0.5},
    ...     "materials": {"stone": {"density": 2600, "friction": 0.5}},
    ...     "walls": {"tank": {"box": {"min": [0, 0], "max": [1, 2]}, "open": "top"}},
    ...     "grains": [{"count": 30, "radius": {"uniform": [0.03, 0.05]}, "fill": {"min": [0, 0], "max": [1, 2]}}]})
    >>> len(scene.world), scene.wall_names
    (30, ['tank.left', 'tank.right', 'tank.bottom'])

    Values in the file can be overridden, as with -D of the program: load_scene("heap.yaml", {"time.end": 2}), or by
    name with two underscores for a dot: load_scene("heap.yaml", time__end=2, materials__stone__friction=0.1).
    """
    if overrides is not None and not isinstance(overrides, Mapping):
        raise ArgumentError(f"overrides: names with values are needed, not {_values.short(overrides)}")
    given = {**(overrides or {}), **{name.replace("__", "."): value for name, value in more.items()}}
    return Scene(scene, [f"{name}={_yaml.value_text(value)}" for name, value in given.items()])


class Scene:
    """A running scene, created by load_scene.

    scene.step() and scene.run() move walls and trigger events as 'scree run' does, bit for bit; scene.world is an
    ordinary World, whose own step() does not.
    """

    def __init__(self, scene: str | os.PathLike[str] | Mapping[str, Any], overrides: list[str]) -> None:
        texts = [_values.encoded(text, "overrides") for text in overrides]
        list_of = (ctypes.c_char_p * max(len(texts), 1))(*texts)
        made, world = ctypes.c_void_p(), ctypes.c_void_p()
        if isinstance(scene, Mapping):
            text = _yaml.document(scene).encode()
            _library.call("scree_scene_parse", text, len(text), b"scene", list_of, len(texts), made, kind=SceneError)
            self._title = "scene"
        else:
            _library.call("scree_scene_load", _values.encoded(scene, "path"), list_of, len(texts), made,
                          kind=SceneError)
            self._title = os.path.basename(os.fspath(scene))
        assert made.value
        self._handle: _memory.Owner | None = _memory.Owner(made.value, "scree_scene_destroy")
        _library.call("scree_scene_build", made, world, kind=SceneError)
        self._world = World.__new__(World)
        self._world._adopt(world.value)
        self._info = _library.library().scree_scene_get_info(made)
        assert self._world._handle
        self._world._handle.copies = self._info.gates > 0
        self._warned = False
        self._world.device = devices.CHOICES[self._info.device]

    # ------------------------------------------------------------ life

    def close(self) -> None:
        """Releases the scene and its world."""
        self._handle = None
        self._world.close()

    def __enter__(self) -> Scene:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None,
                 trace: TracebackType | None) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<scree.Scene until {self.end_time:.6g}: {self._world!r}>"

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        facts: dict[str, object] = {"until": f"{self.end_time:.6g}", **_display.world_facts(self._world),
                                    "materials": ", ".join(self.material_names)}
        return _display.page(f"scree.Scene {self._title}", facts, _display.png(self._world))

    def _pointers(self) -> tuple[int, int]:
        if self._handle is None:
            raise ClosedError("the scene was closed")
        return self._handle.pointer, self._world._pointer()

    # ------------------------------------------------------------ what it is

    @property
    def world(self) -> World:
        """The world of the scene."""
        return self._world

    @property
    def end_time(self) -> float:
        """When the run ends, unless a condition of the scene ends it earlier."""
        return self._info.end

    @property
    def output_every(self) -> float:
        """The time between frames of a run file."""
        return self._info.output_every

    @property
    def on_failure(self) -> str:
        """What to do if a step does not converge: "continue", "warn" or "stop"."""
        return _library.POLICIES[self._info.policy]

    @property
    def material_names(self) -> list[str]:
        """The names of the materials, by number."""
        return self._names("scree_scene_get_material_name", self._info.materials)

    @property
    def material_colours(self) -> list[str]:
        """How pictures show the materials, by number: "#rrggbb", a word such as "sand", or "" where the scene does not
        say."""
        return self._names("scree_scene_get_material_colour", self._info.materials)

    @property
    def wall_names(self) -> list[str]:
        """The names of the walls, by number; a box has several, such as "tank.left"."""
        return self._names("scree_scene_get_wall_name", self._info.walls)

    def _names(self, function: str, count: int) -> list[str]:
        scene, _ = self._pointers()
        ask = getattr(_library.library(), function)
        return [(ask(scene, number) or b"").decode(errors="replace") for number in range(count)]

    def wall(self, name: str) -> Wall:
        """The current state of a wall, by name."""
        return dataclasses.replace(self._world.wall(walls.number_of(name, self.wall_names)), name=name)

    # ------------------------------------------------------------ running

    @property
    def finished(self) -> bool:
        """Whether the end time has been reached, or a condition of the scene has ended the run."""
        with self._world._lock:
            return _library.library().scree_scene_is_finished(*self._pointers())

    @property
    def news(self) -> str:
        """The events of the last step, one per line."""
        scene, _ = self._pointers()
        return _library.library().scree_scene_get_news(scene).decode(errors="replace").rstrip("\n")

    def step(self, n: int = 1) -> Report | Reports:
        """Makes a step and returns its report; or n steps, and returns a table of reports. It may go past the end."""
        if _values.integer(n, "n", 0, 2**62) == 1:
            report = Report()
            self._step(ctypes.addressof(report))
            return report
        reports = np.zeros(n, REPORT)
        for at in range(n):
            self._step(reports.ctypes.data + at * REPORT.itemsize)
        return reports.view(Reports)

    def _step(self, report: int) -> None:
        with self._world._lock:
            self._world._with_device(lambda: self._try_step(report))
            self._world._stepped(report)

    def _try_step(self, report: int) -> None:
        library = _library.library()
        scene, world = self._pointers()
        status = library.scree_scene_step(scene, world, report)
        if status:
            text = library.scree_scene_get_message(scene).decode(errors="replace")
            raise SceneError(text) if STATUS[status] == "BAD_ARGUMENT" else error_of(status, text)

    def record(self, path: str | os.PathLike[str], every: float | None = None) -> Recording:
        """Writes a run file from now on, which is that of 'scree run'; see World.record. Frames come as often as the
        scene says, unless `every` is given, and so does what it measures while it runs."""
        names, scene, itself = RecordNames(), self._pointers()[0], weakref.ref(self)
        status = _library.library().scree_scene_get_record_names(scene, names)
        if status:
            raise error_of(status, "")

        def tell_gates(gates: ctypes.Array[Gate]) -> None:
            """As long as the scene lives; a world that goes on without it passes no gates."""
            scene = itself()
            if scene is not None and scene._handle is not None:
                _library.library().scree_scene_get_gates(scene._handle.pointer, gates)

        return self._world._record(path, self.output_every if every is None else every, names, tell_gates)

    def run(self, until: float | None = None,
            progress: Callable[[World, Report], object] | bool | None = None) -> Reports:
        """Runs to the end of the scene, or to an earlier time, and returns all reports. `progress` is called after each
        step; True shows a bar. Steps that do not converge are treated as the scene specifies: with a warning, or a
        ConvergenceError."""
        end = math.inf if until is None else _values.end_time(until)
        if math.isnan(end):
            raise ArgumentError("until: a time is needed")
        world = self._world
        return collect(world, lambda: end - world.time <= 1e-6 * world.time_step or self.finished, self._judged_step,
                       progress, min(end, self.end_time))

    def _why(self, report: Report) -> str:
        """The limit that a step went beyond, as `scree run` tells it."""
        miss = self._world._ask("scree_world_get_miss")
        if report.unsettled:
            return f"{_values.counted(report.unsettled, 'contact')} unsettled"
        if miss.what is None:
            return f"residual {report.residual:.3g}"
        what: str = miss.what.decode()
        return f"{what} {miss.value:.3g}, allowed {miss.limit:.3g}" if miss.limit else what

    def _judged_step(self) -> Report:
        report = self.step()
        assert isinstance(report, Report)
        if self.on_failure == "continue" or (report.converged and not report.unsettled):
            return report
        sweeps = _values.counted(report.iterations, "sweep")
        text = f"step {report.step} did not converge: {self._why(report)}; {sweeps}"
        if report.strides:
            text += f" in {report.strides + 1} strides and tries before them"
        if self.on_failure == "stop":
            raise ConvergenceError(text + "; the scene says to stop there. Raise solver.iterations, or reduce "
                                          "time.step")
        if not self._warned:
            self._warned = True
            warnings.warn(text + " (further warnings are suppressed)", ConvergenceWarning, stacklevel=4)
        return report
