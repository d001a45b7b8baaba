"""Devices that sweep for a world: the libraries that drive them, as the program loads them for --device."""
from __future__ import annotations

import ctypes
import weakref
from pathlib import Path

from . import _library
from .errors import ArgumentError, DeviceError

#: What may be asked to sweep, by its number in the library.
CHOICES = ("cpu", "gpu", "auto", "emulated")

_FILES = {"gpu": "libscree_cuda.so", "auto": "libscree_cuda.so", "emulated": "libscree_emulated.so"}


class _Table(ctypes.Structure):
    """ScreeDevice: of its functions only the last is called from here."""

    _fields_ = [("context", ctypes.c_void_p)] + \
        [(name, ctypes.c_void_p) for name in ("reserve", "put_bodies", "put_rows", "begin", "sweep", "judge", "lift",
                                              "keep", "recall", "get_bodies", "get_impulses")] + \
        [("name", ctypes.CFUNCTYPE(ctypes.c_char_p, ctypes.c_void_p)), ("fault", ctypes.c_void_p),
         ("close", ctypes.CFUNCTYPE(None, ctypes.c_void_p)), ("steps", ctypes.c_void_p)]


class Device:
    """An open device; it is given back when nobody refers to it any more."""

    def __init__(self, choice: str) -> None:
        self.pointer, self.name = _open(choice)
        weakref.finalize(self, _close, self.pointer)


def checked(choice: object) -> str:
    """One of the names of devices."""
    if choice not in CHOICES:
        raise ArgumentError(f"device: {', '.join(CHOICES[:-1])} or {CHOICES[-1]}, not {choice!r}")
    assert isinstance(choice, str)
    return choice


def _open(choice: str) -> tuple[int, str]:
    beside = Path(_library.library()._name).resolve().parent
    file = _FILES[choice]
    reason = f"{file}, which drives it, is not there: 'make cuda' builds it where nvcc is, see docs/gpu.md"
    for path in (beside / file, beside / "scree" / file):
        if not path.exists():
            continue
        try:
            opens = ctypes.CDLL(str(path)).scree_device_open
        except (OSError, AttributeError) as problem:
            reason = str(problem)
            continue
        message = ctypes.create_string_buffer(_library.MESSAGE_SIZE)
        opens.restype, opens.argtypes = ctypes.c_void_p, [ctypes.c_char_p]
        pointer = opens(message)
        if pointer:
            table = _Table.from_address(pointer)
            return pointer, table.name(table.context).decode(errors="replace")
        reason = message.value.decode(errors="replace")
    raise DeviceError(f"device: there is none to be used: {reason}; with \"cpu\" or \"auto\" the processor sweeps, "
                      "with the same result")


def _close(pointer: int) -> None:
    table = _Table.from_address(pointer)
    table.close(table.context)
