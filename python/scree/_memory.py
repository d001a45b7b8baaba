"""Who owns the library's memory, and arrays that look at it.

An array of a world's bodies is a window on the library's own memory: nothing is copied, it cannot be written, and
after a step it shows the new state. The memory must then outlive the array:

- A Handle owns one world of the library and frees it when nobody refers to it any more. Every array refers to its
  handle, so an array may outlive the World it came from, closed or not.
- Adding or removing bodies may move the arrays to another place, or what is in them. If there are arrays that look at
  the old place, this is done to a copy of the world (saved and loaded: it goes on bit for bit), and the World goes on
  with the copy. The old arrays keep the old memory, and show the state as it was just before.
"""
from __future__ import annotations

import ctypes
import weakref
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _arrays, _library


class Owner:
    """Owns something of the library, and destroys it in the end."""

    __slots__ = ("pointer", "_destroy")

    def __init__(self, pointer: int, destroy: str) -> None:
        self._destroy = getattr(_library.library(), destroy)
        self.pointer = pointer

    def __del__(self) -> None:
        self._destroy(self.pointer)


class Handle(Owner):
    """Owns a world of the library."""

    __slots__ = ("windows", "copies", "__weakref__")

    def __init__(self, pointer: int) -> None:
        super().__init__(pointer, "scree_world_destroy")
        self.windows: weakref.WeakSet[Window] = weakref.WeakSet()
        #: Whether the library itself adds and removes bodies: then arrays are copies.
        self.copies = False

    def has_windows(self) -> bool:
        """Whether some array still looks at the bodies."""
        return len(self.windows) > 0


class Window:
    """A stretch of memory as numpy wants it told; the arrays made of it refer to it, and it to the handle."""

    __slots__ = ("_handle", "__array_interface__", "__weakref__")

    def __init__(self, handle: Handle, address: int, shape: tuple[int, ...], kind: str) -> None:
        self._handle = handle
        self.__array_interface__ = {"version": 3, "shape": shape, "typestr": kind, "data": (address, True)}
        handle.windows.add(self)


def body_array(handle: Handle, name: str) -> NDArray[Any]:
    """An array of the bodies, not copied unless it must be."""
    width, kind = _arrays.BODY_ARRAYS[name]
    view = _library.library().scree_world_get_bodies(handle.pointer)
    shape = (view.count,) if width == 1 else (view.count, width)
    if view.count == 0:
        empty = np.empty(shape, kind)
        empty.flags.writeable = False
        return empty
    if handle.copies:
        found = copied(getattr(view, name), view.count * width, np.dtype(kind)).reshape(shape)
        found.flags.writeable = False
        return found
    return np.asarray(Window(handle, getattr(view, name), shape, kind))


def copied(address: int, count: int, kind: np.dtype[Any]) -> NDArray[Any]:
    """A copy of structs of the library."""
    if count == 0:
        return np.empty(0, kind)
    return np.frombuffer(ctypes.string_at(address, count * kind.itemsize), kind)
