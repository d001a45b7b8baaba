"""The life of a world, and how the library is called."""
from __future__ import annotations

import ctypes
import os
import threading
import warnings
from types import TracebackType
from typing import TYPE_CHECKING, Any, Callable, Mapping, TypeVar

from . import _library, _memory, _take_structs, _values, cell as cells, device as devices
from .cell import Cell
from .errors import ArgumentError, ClosedError, DeviceError, DeviceWarning, RunError, error_of

Self = TypeVar("Self", bound="WorldBase")
Kind = TypeVar("Kind")

# Functions that fail without leaving a message in the world.
_SILENT = ("scree_law_get", "scree_shape_get", "scree_shape_get_solid", "scree_wall_get_state", "scree_world_save")

if TYPE_CHECKING:
    from .recording import Recording


def loaded(data: bytes) -> int:
    """A world of the library from saved bytes."""
    made = ctypes.c_void_p()
    _library.call("scree_world_load", data, len(data), made)
    assert made.value
    return made.value


class WorldBase:
    """Owns a handle. All calls of one world go through one lock, since the library lets several threads use
    several worlds, but not one."""

    def _adopt(self, pointer: int | None) -> None:
        assert pointer
        self._handle: _memory.Handle | None = _memory.Handle(pointer)
        self._lock = threading.RLock()
        self._keeps_problem = False  # is not saved with the world
        self._recording: Recording | None = None
        self._device: devices.Device | None = None  # is not saved either
        self._device_choice = "cpu"
        self._dimension: int = _library.library().scree_world_get_def(pointer).dimension

    def close(self) -> None:
        """Lets go of the world. Its memory is freed when no array looks at it any more."""
        with self._lock:
            self._handle = None

    @property
    def closed(self) -> bool:
        """Whether the world was closed."""
        return self._handle is None

    def __enter__(self: Self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None,
                 trace: TracebackType | None) -> None:
        self.close()

    def __repr__(self) -> str:
        if self.closed:
            return "<scree.World, closed>"
        walls = self._ask("scree_world_get_wall_count")
        return (f"<scree.World: {self._dimension} dimensions, {_values.counted(len(self), 'grain')}, "
                f"{_values.counted(walls, 'wall')}, time {self._ask('scree_world_get_time'):.6g}>")

    def __len__(self) -> int:
        """The number of grains."""
        return self._ask("scree_world_get_bodies").count

    def __bool__(self) -> bool:
        """A world without grains is one, too."""
        return True

    def save(self) -> bytes:
        """The whole state; World.load makes a world of it that goes on bit for bit."""
        with self._lock:
            size = ctypes.c_size_t(0)
            self._do("scree_world_save", None, size)
            buffer = ctypes.create_string_buffer(size.value)
            self._do("scree_world_save", buffer, size)
            return buffer.raw[:size.value]

    @classmethod
    def load(cls: type[Self], data: bytes) -> Self:
        """A world from what save() gave."""
        if not isinstance(data, (bytes, bytearray, memoryview)):
            raise ArgumentError(f"bytes of a saved world are needed, not {_values.short(data)}")
        world = cls.__new__(cls)
        world._adopt(loaded(bytes(data)))
        return world

    @classmethod
    def from_run(cls: type[Self], path: str | os.PathLike[str]) -> Self:
        """The world at the end of a run, whole: it goes on bit for bit. The run's checkpoint must lie beside it. What
        drove it (the programme of a scene) is left behind."""
        start = ctypes.POINTER(_take_structs.Start)()
        library = _library.library()
        _library.call("scree_start_load", _values.encoded(path, "path"), -1, start, kind=RunError)
        try:
            if not start.contents.exact:
                raise RunError(f"{os.fspath(path)}: its last frame was not saved whole, since the run was cut short: "
                               "resume the run first, by scree.resume or 'scree run --restart'")
            size = ctypes.c_size_t(0)
            library.scree_world_save(start.contents.world, None, size)
            buffer = ctypes.create_string_buffer(size.value)
            library.scree_world_save(start.contents.world, buffer, size)
            return cls.load(buffer.raw[:size.value])
        finally:
            library.scree_start_destroy(start)

    def copy(self: Self) -> Self:
        """Another world in the same state."""
        return type(self).load(self.save())

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self).load, (self.save(),)

    def hash(self) -> int:
        """A number that two worlds share when all their state agrees, bit for bit."""
        return self._ask("scree_world_hash")

    @property
    def cell(self) -> Cell:
        """The periodic cell as it stands."""
        return cells.of_report(self._ask("scree_world_get_cell"))

    def set_cell(self, *, rate: Mapping[str, float] | None = None, stress: Mapping[str, float] | None = None,
                 pressure: float | None = None, symmetric: bool | None = None, mass: float | None = None,
                 viscosity: float | None = None) -> None:
        """Changes how the periodic cell deforms: rates that are given and stresses that are held, by component
        ({"xy": 0.1}), or a pressure. What is not given stays as it is."""
        definition = self._ask("scree_world_get_def").deform
        cells.change(definition, rate or {}, stress or {}, pressure)
        if symmetric is not None:
            definition.symmetric = bool(symmetric)
        if mass is not None:
            definition.mass = _values.number(mass, "mass")
        if viscosity is not None:
            definition.viscosity = _values.number(viscosity, "viscosity")
        self._do("scree_world_set_cell", ctypes.byref(definition))

    @property
    def device(self) -> str:
        """What sweeps: "cpu", "gpu", "auto" (a GPU if there is one and it can, else the processor) or, for tests,
        "emulated"; can be set, see docs/gpu.md. The result does not depend on it."""
        return self._device_choice

    @device.setter
    def device(self, value: str) -> None:
        choice, device = devices.checked(value), None
        with self._lock:
            try:
                if choice != "cpu":
                    self._do("scree_world_check_device")
                    device = devices.Device(choice)
            except (ArgumentError, DeviceError):
                if choice != "auto":
                    raise
            self._lend(device)
            self._device_choice = choice

    @property
    def device_name(self) -> str | None:
        """The name of the card that sweeps; None where the processor does."""
        return None if self._device is None else self._device.name

    def _lend(self, device: devices.Device | None) -> None:
        self._do("scree_world_set_device", None if device is None else device.pointer)
        self._device = device

    def _with_device(self, step: Callable[[], Kind]) -> Kind:
        """Makes a step. If the device fails, nothing has moved, and with "auto" the processor goes on from there; but
        the impulses of the step before are lost, so the result is no longer the same to the last bit."""
        try:
            return step()
        except DeviceError as problem:
            if self._device_choice != "auto":
                raise
            warnings.warn(f"{problem}; from now on the processor sweeps", DeviceWarning,
                          stacklevel=4)
            self._lend(None)
        return step()

    def _pointer(self) -> int:
        if self._handle is None:
            raise ClosedError("the world was closed")
        return self._handle.pointer

    def _ask(self, function: str, *arguments: Any) -> Any:
        """A function that cannot fail."""
        with self._lock:
            return getattr(_library.library(), function)(self._pointer(), *arguments)

    def _do(self, function: str, *arguments: Any) -> None:
        """A function that gives a status."""
        with self._lock:
            pointer = self._pointer()
            library = _library.library()
            status = getattr(library, function)(pointer, *arguments)
            if status:
                told = function not in _SILENT
                text = library.scree_world_get_message(pointer) if told else b""
                raise error_of(status, (text or library.scree_status_get_text(status)).decode())
