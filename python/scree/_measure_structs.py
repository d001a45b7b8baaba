"""Structs and functions of measures.h, as the shared library has them."""
from __future__ import annotations

import ctypes
from ctypes import POINTER, c_bool, c_char_p, c_double, c_int, c_int32, c_int64, c_size_t, c_uint32, c_void_p
from typing import Any

from ._measure_fields import ANISOTROPY, ENERGY, PROFILE, STATE
from ._shape_structs import Vec3


class ContactForce(ctypes.Structure):
    """ScreeContactForce; the same as scree.CONTACTS."""

    _fields_ = [("a", c_int32), ("b", c_int32), ("feature", c_int32), ("state", c_int32), ("point", Vec3),
                ("normal", Vec3), ("gap", c_double), ("force_normal", c_double), ("force_tangential", Vec3),
                ("torque", Vec3), ("opening", c_double)]


class Room(ctypes.Structure):
    """ScreeRoom."""

    _fields_ = [("point", Vec3), ("axis", Vec3), ("radius", c_double), ("low", c_double), ("high", c_double)]


class Sample(ctypes.Structure):
    """ScreeSample; the pointers as plain addresses."""

    _fields_ = [("dimension", c_int), ("periodic", c_bool * 3), ("cell_min", Vec3), ("cell_max", Vec3),
                ("edge", Vec3 * 3), ("rate", c_double * 9), ("gravity", Vec3), ("bodies", c_size_t),
                ("contacts", c_size_t), ("shapes", c_size_t),
                ("materials", c_size_t)] + [(name, c_void_p) for name in (
                    "position", "orientation", "velocity", "spin", "radius", "mass", "inertia", "material", "shape",
                    "holder", "form", "law", "contact")] + [("room", Room)]


class MeasureDef(ctypes.Structure):
    """ScreeMeasureDef."""

    _fields_ = [("min", Vec3), ("max", Vec3), ("least_contacts", c_int32), ("cookie", c_uint32)]


class SeriesDef(ctypes.Structure):
    """ScreeSeriesDef."""

    _fields_ = [("name", c_char_p), ("every", c_int64), ("def", MeasureDef)]


class Measures(ctypes.Structure):
    """ScreeMeasures."""

    _fields_ = [(name, c_int64 if kind is int else c_double) for name, (kind, _, _) in STATE.items()]


class Bin(ctypes.Structure):
    """ScreeBin."""

    _fields_ = [("low", c_double), ("high", c_double), ("count", c_double), ("density", c_double)]


class GridDef(ctypes.Structure):
    """ScreeGridDef."""

    _fields_ = [("min", Vec3), ("max", Vec3), ("cells", c_int32 * 3), ("width", c_double), ("cookie", c_uint32)]


class Cell(ctypes.Structure):
    """ScreeCell."""

    _fields_ = [("centre", Vec3), ("volume", c_double), ("density", c_double), ("solid_fraction", c_double),
                ("momentum", Vec3), ("velocity", Vec3), ("temperature", c_double), ("stress", c_double * 9),
                ("kinetic_stress", c_double * 9)]


class ProfileDef(ctypes.Structure):
    """ScreeProfileDef."""

    _fields_ = [("min", Vec3), ("max", Vec3), ("axis", c_int32), ("bins", c_int32), ("blocks", c_int32),
                ("centre", Vec3), ("direction", Vec3), ("most", c_double), ("cookie", c_uint32)]


class ProfileNumbers(ctypes.Structure):
    """ScreeProfileNumbers."""

    _fields_ = [(name, c_double) for name in PROFILE]


class ProfileBin(ctypes.Structure):
    """ScreeProfileBin."""

    _fields_ = [("low", c_double), ("high", c_double), ("mean", ProfileNumbers), ("error", ProfileNumbers)]


class Surface(ctypes.Structure):
    """ScreeSurface."""

    _fields_ = [("columns", c_int64), ("lowest", c_double), ("highest", c_double), ("slope", c_double),
                ("uphill", Vec3), ("slope_error", c_double), ("repose", c_double), ("repose_error", c_double)]


class Carrying(ctypes.Structure):
    """ScreeCarrying."""

    _fields_ = [("windows", c_int64)] + [(name, c_double) for name in (
        "window", "coordination", "coordination_error", "partners", "partners_error", "carriers", "carriers_error")]


class Flow(ctypes.Structure):
    """ScreeFlow."""

    _fields_ = [("rate", c_double), ("beyond", c_double)]


class Anisotropy(ctypes.Structure):
    """ScreeAnisotropy."""

    _fields_ = [(name, c_int64 if kind is int else c_double) for name, (kind, _, _) in ANISOTROPY.items()]


class Energy(ctypes.Structure):
    """ScreeEnergy."""

    _fields_ = [(name, c_double) for name in ENERGY]


STRUCTS: dict[str, type[ctypes.Structure]] = {f"Scree{struct.__name__}": struct for struct in (
    ContactForce, Room, Sample, MeasureDef, SeriesDef, Measures, Anisotropy, Bin, GridDef, Cell, ProfileDef,
    ProfileNumbers, ProfileBin, Carrying, Surface, Flow, Energy)}

_world = c_void_p
_status = c_int

# Result and arguments of each function.
FUNCTIONS: dict[str, tuple[Any, list[Any]]] = {
    "scree_world_take_sample": (None, [_world, c_void_p, c_void_p, POINTER(Sample)]),
    "scree_sample_find_room": (None, [POINTER(Sample), c_void_p, c_size_t]),
    "scree_room_get_box": (None, [POINTER(Room), c_int, POINTER(Vec3), POINTER(Vec3)]),
    "scree_room_get_volume": (c_double, [POINTER(Room), c_int, Vec3, Vec3]),
    "scree_measure_def_default": (MeasureDef, []),
    "scree_grid_def_default": (GridDef, []),
    "scree_sample_measure": (_status, [POINTER(Sample), POINTER(MeasureDef), c_void_p, c_char_p]),
    "scree_sample_measure_partners": (_status, [POINTER(Sample), POINTER(MeasureDef), c_void_p, c_char_p]),
    "scree_sample_measure_distribution": (_status, [POINTER(Sample), POINTER(MeasureDef), c_int, c_double, c_void_p,
                                                    c_size_t, c_char_p]),
    "scree_sample_measure_grid": (_status, [POINTER(Sample), POINTER(GridDef), c_void_p, c_char_p]),
    "scree_sample_measure_surface": (_status, [POINTER(Sample), POINTER(MeasureDef), c_double, POINTER(Surface),
                                               c_char_p]),
    "scree_sample_measure_anisotropy": (_status, [POINTER(Sample), POINTER(MeasureDef), c_void_p, c_char_p]),
    "scree_sample_measure_flow": (_status, [POINTER(Sample), POINTER(MeasureDef), Vec3, Vec3, POINTER(Flow), c_char_p]),
    "scree_profile_def_default": (ProfileDef, []),
    "scree_profile_new": (c_void_p, [POINTER(ProfileDef), c_char_p]),
    "scree_profile_free": (None, [c_void_p]),
    "scree_profile_cover": (_status, [c_void_p, POINTER(Sample), c_char_p]),
    "scree_profile_add": (_status, [c_void_p, POINTER(Sample), c_char_p]),
    "scree_profile_get_bin_count": (c_size_t, [c_void_p]),
    "scree_profile_get_block_count": (c_size_t, [c_void_p]),
    "scree_profile_get_bins": (None, [c_void_p, c_void_p]),
    "scree_carriers_new": (c_void_p, [POINTER(MeasureDef), c_double, c_char_p]),
    "scree_carriers_free": (None, [c_void_p]),
    "scree_carriers_add": (_status, [c_void_p, POINTER(Sample), c_double, c_char_p]),
    "scree_carriers_get": (Carrying, [c_void_p]),
    "scree_energy_add": (None, [POINTER(Energy), c_void_p]),
}
