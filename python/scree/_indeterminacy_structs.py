"""Structs of indeterminacy.h that need no others, as the shared library has them."""
from __future__ import annotations

import ctypes
from ctypes import c_bool, c_double, c_int32, c_int64, c_size_t, c_uint32, c_uint64

from ._measure_fields import INDETERMINACY, MOTION


class IndeterminacyDef(ctypes.Structure):
    """ScreeIndeterminacyDef."""

    _fields_ = [("extremes", c_bool), ("samples", c_size_t), ("amplitude", c_double), ("tolerance", c_double),
                ("still", c_double), ("seed", c_uint64), ("cookie", c_uint32)]


class ForceRange(ctypes.Structure):
    """ScreeForceRange."""

    _fields_ = [("state", c_int32), ("loose", c_int32)] + [(name, c_double) for name in (
        "now", "least", "most", "spread", "mean", "deviation")]


class Indeterminacy(ctypes.Structure):
    """ScreeIndeterminacy."""

    _fields_ = [(name, c_int64 if kind is int else c_double) for name, (kind, _, _) in INDETERMINACY.items()]


class Motions(ctypes.Structure):
    """ScreeMotions."""

    _fields_ = [(name, c_int64 if kind is int else c_double) for name, (kind, _, _) in MOTION.items()]
