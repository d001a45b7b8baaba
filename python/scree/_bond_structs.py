"""The structs and functions of bonds.h."""
from __future__ import annotations

import ctypes
from ctypes import POINTER, c_double, c_int, c_int32, c_int64, c_size_t, c_uint32, c_void_p
from typing import Any


class BondDef(ctypes.Structure):
    """ScreeBondDef."""

    _fields_ = [("a", c_int32), ("b", c_int32), ("wall", c_int32), ("first", c_int32), ("second", c_int32),
                *((name, c_double) for name in ("within", "tension", "shear", "tension_stress", "shear_stress", "neck",
                                                "bending", "torsion")), ("cookie", c_uint32)]


class Bond(ctypes.Structure):
    """ScreeBond."""

    _fields_ = [("a", c_int32), ("b", c_int32), ("number", c_int64),
                *((name, c_double) for name in ("tension", "shear", "bending", "torsion", "gap")),
                ("arm_a", c_double * 3), ("arm_b", c_double * 3), ("turn", c_double * 4), ("load", c_double),
                ("normal", c_double * 3)]


class BondView(ctypes.Structure):
    """ScreeBondView."""

    _fields_ = [("count", c_size_t), ("bond", c_void_p), ("made", c_int64), ("broken", c_int64)]


STRUCTS: dict[str, type[ctypes.Structure]] = {
    "ScreeBondDef": BondDef, "ScreeBond": Bond, "ScreeBondView": BondView}

_world = c_void_p
_status = c_int

# Result and arguments of each function.
FUNCTIONS: dict[str, tuple[Any, list[Any]]] = {
    "scree_bond_def_default": (BondDef, []),
    "scree_world_add_bonds": (_status, [_world, POINTER(BondDef), POINTER(c_size_t)]),
    "scree_world_add_bridges": (_status, [_world, POINTER(c_size_t)]),
    "scree_world_remove_bonds": (None, [_world]),
    "scree_world_get_bonds": (BondView, [_world]),
    "scree_bonds_find_fragments": (c_size_t, [c_void_p, c_void_p, c_size_t, c_size_t, c_void_p]),
}
