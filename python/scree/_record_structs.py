"""What record.h declares."""
from __future__ import annotations

import ctypes
from ctypes import POINTER, c_bool, c_char_p, c_double, c_int, c_int64, c_size_t, c_void_p
from typing import Any

from ._measure_structs import SeriesDef


class Gate(ctypes.Structure):
    """ScreeGate."""

    _fields_ = [("name", c_char_p), ("outlet", c_bool), ("number", c_int64), ("mass", c_double), ("waiting", c_int64)]


class RecordNames(ctypes.Structure):
    """ScreeRecordNames."""

    _fields_ = [("title", c_char_p), ("text", c_char_p), ("change", POINTER(c_char_p)), ("change_count", c_size_t),
                ("material", POINTER(c_char_p)), ("colour", POINTER(c_char_p)), ("wall", POINTER(c_char_p)),
                ("changing", c_bool), ("driven", c_bool), ("growing", c_bool), ("bonds", c_bool), ("steady", c_bool),
                ("bare", c_bool), ("series", POINTER(SeriesDef)), ("series_count", c_size_t), ("gate", POINTER(Gate)),
                ("gate_count", c_size_t)]


STRUCTS: dict[str, type[ctypes.Structure]] = {"ScreeGate": Gate, "ScreeRecordNames": RecordNames}

_world = _record = c_void_p
_status = c_int

# Result and arguments of each function.
FUNCTIONS: dict[str, tuple[Any, list[Any]]] = {
    "scree_record_create": (_status, [c_char_p, _world, POINTER(RecordNames), POINTER(_record), c_char_p]),
    "scree_record_add_step": (_status, [_record, c_void_p, c_char_p]),
    "scree_record_add_gates": (_status, [_record, POINTER(Gate), c_size_t, c_char_p]),
    "scree_record_add_measures": (_status, [_record, _world, c_char_p]),
    "scree_record_add_frame": (_status, [_record, _world, c_char_p]),
    "scree_record_save": (_status, [_record, _world, c_char_p]),
    "scree_record_resume": (_status, [c_char_p, POINTER(_world), POINTER(_record), c_char_p]),
    "scree_record_count_frames": (c_size_t, [_record]),
    "scree_record_close": (_status, [_record, c_char_p]),
}
