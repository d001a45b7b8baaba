"""The struct of laws.h that lets grains grow."""
from __future__ import annotations

import ctypes
from ctypes import c_double, c_int


class CGrowth(ctypes.Structure):
    """ScreeGrowth."""

    _fields_ = [("rate", c_double), ("keeps", c_int)]


STRUCTS: dict[str, type[ctypes.Structure]] = {"ScreeGrowth": CGrowth}
