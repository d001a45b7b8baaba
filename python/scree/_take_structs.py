"""The structs and functions by which one world takes over from another or a run: start.h, and a part of world.h."""
from __future__ import annotations

import ctypes
from ctypes import POINTER, c_bool, c_char_p, c_double, c_int, c_int32, c_int64, c_size_t, c_uint32, c_void_p
from typing import Any


class TakeDef(ctypes.Structure):
    """ScreeTakeDef; the pointers as plain addresses."""

    _fields_ = [("material", c_void_p), ("wall", c_void_p), ("copies", c_int32 * 3), ("cookie", c_uint32)]


class Start(ctypes.Structure):
    """ScreeStart; the pointers as plain addresses."""

    _fields_ = [("world", c_void_p), ("exact", c_bool), ("frame", c_int64), ("step", c_int64), ("time", c_double),
                ("materials", c_size_t), ("walls", c_size_t), ("material", POINTER(c_char_p)),
                ("wall", POINTER(c_char_p)), ("state", c_void_p), ("scene_name", c_char_p), ("scene_text", c_char_p),
                ("overrides", POINTER(c_char_p)), ("override_count", c_size_t),
                ("holder", c_void_p)]


STRUCTS: dict[str, type[ctypes.Structure]] = {"ScreeTakeDef": TakeDef, "ScreeStart": Start}

_world = c_void_p
_status = c_int

# Result and arguments of each function.
FUNCTIONS: dict[str, tuple[Any, list[Any]]] = {
    "scree_take_def_default": (TakeDef, []),
    "scree_world_take_bodies": (_status, [_world, _world, POINTER(TakeDef)]),
    "scree_world_take_contacts": (_status, [_world, _world, POINTER(TakeDef)]),
    "scree_world_set_contacts": (_status, [_world, c_void_p]),
    "scree_start_load": (_status, [c_char_p, c_int64, POINTER(POINTER(Start)), c_char_p]),
    "scree_start_destroy": (None, [POINTER(Start)]),
}
