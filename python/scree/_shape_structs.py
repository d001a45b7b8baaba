"""Vectors and shapes of bodies.h and solids.h, as the shared library has them."""
from __future__ import annotations

import ctypes
from ctypes import c_double, c_int32, c_size_t, c_uint64, c_void_p


class Vec3(ctypes.Structure):
    """ScreeVec3."""

    _fields_ = [("x", c_double), ("y", c_double), ("z", c_double)]


class Quat(ctypes.Structure):
    """ScreeQuat."""

    _fields_ = [("w", c_double), ("x", c_double), ("y", c_double), ("z", c_double)]


class ShapePart(ctypes.Structure):
    """ScreeShapePart."""

    _fields_ = [("corners", c_int32), ("rounding", c_double)]


class ShapeDef(ctypes.Structure):
    """ScreeShapeDef; the pointers as plain addresses."""

    _fields_ = [("part", c_void_p), ("parts", c_size_t), ("corner", c_void_p)]


class Shape(ctypes.Structure):
    """ScreeShape."""

    _fields_ = [("def", ShapeDef), ("corners", c_size_t), ("centroid", Vec3), ("area", c_double),
                ("gyration", c_double), ("radius", c_double), ("solid", c_void_p)]


class SolidPart(ctypes.Structure):
    """ScreeSolidPart."""

    _fields_ = [("vertices", c_size_t), ("faces", c_size_t), ("rounding", c_double), ("kind", c_int32),
                ("form", c_double * 2), ("weight", c_void_p)]


class NurbsSurface(ctypes.Structure):
    """ScreeNurbsSurface; the pointers as plain addresses."""

    _fields_ = [("degree", c_int32 * 2), ("points", c_size_t * 2), ("point", c_void_p), ("weight", c_void_p),
                ("knot", c_void_p * 2)]


class SolidDef(ctypes.Structure):
    """ScreeSolidDef; the pointers as plain addresses."""

    _fields_ = [("part", c_void_p), ("parts", c_size_t), ("vertex", c_void_p), ("corners", c_void_p),
                ("corner", c_void_p)]


class MeshDef(ctypes.Structure):
    """ScreeMeshDef; the pointers as plain addresses."""

    _fields_ = [("vertices", c_size_t), ("triangles", c_size_t), ("vertex", c_void_p), ("corner", c_void_p),
                ("part", c_void_p), ("parts", c_int32)]


class Solid(ctypes.Structure):
    """ScreeSolid."""

    _fields_ = [("def", SolidDef), ("vertices", c_size_t), ("faces", c_size_t), ("corners", c_size_t),
                ("centroid", Vec3), ("volume", c_double), ("radius", c_double), ("gyration", Vec3), ("axes", Quat)]


class RockDef(ctypes.Structure):
    """ScreeRockDef."""

    _fields_ = [("faces", c_int32), ("vertices", c_int32), ("size", c_double), ("elongation", c_double),
                ("flatness", c_double), ("angularity", c_double), ("seed", c_uint64)]


class NurbsDef(ctypes.Structure):
    """ScreeNurbs; the pointers as plain addresses."""

    _fields_ = [("degree", c_int32), ("points", c_size_t), ("knots", c_size_t), ("point", c_void_p),
                ("weight", c_void_p), ("knot", c_void_p)]
