"""Structs and functions of problem.h, as the shared library has them."""
from __future__ import annotations

import ctypes
from ctypes import POINTER, c_bool, c_char_p, c_double, c_int, c_int32, c_size_t, c_uint32, c_void_p
from typing import Any

import numpy as np


class Entry(ctypes.Structure):
    """ScreeEntry."""

    _fields_ = [("row", c_int32), ("column", c_int32), ("value", c_double)]


class Entries(ctypes.Structure):
    """ScreeEntries; the pointer as a plain address."""

    _fields_ = [("entry", c_void_p), ("count", c_size_t)]


class ProblemDef(ctypes.Structure):
    """ScreeProblemDef; the pointers as plain addresses."""

    _fields_ = [("components", c_int32), ("contacts", c_size_t), ("global", c_bool), ("freedoms", c_size_t),
                ("M", Entries), ("H", Entries), ("f", c_void_p), ("w", c_void_p), ("W", Entries), ("q", c_void_p),
                ("mu", c_void_p), ("mu_r", c_void_p), ("compliance", c_void_p), ("cookie", c_uint32)]


class Matrix(ctypes.Structure):
    """ScreeMatrix; the pointers as plain addresses."""

    _fields_ = [("rows", c_int32), ("columns", c_int32), ("start", c_void_p), ("row", c_void_p), ("value", c_void_p)]


class ProblemView(ctypes.Structure):
    """ScreeProblemView; the pointers as plain addresses."""

    _fields_ = [("components", c_int32), ("contacts", c_size_t), ("freedoms", c_size_t), ("global", c_bool),
                ("M", Matrix), ("H", Matrix), ("f", c_void_p), ("w", c_void_p), ("W", Matrix), ("q", c_void_p),
                ("mu", c_void_p), ("mu_r", c_void_p), ("compliance", c_void_p)]


class ProblemResidual(ctypes.Structure):
    """ScreeProblemResidual."""

    _fields_ = [(name, c_double) for name in ("law", "siconos", "paper", "fclib", "relative")]


class ProblemSettings(ctypes.Structure):
    """ScreeProblemSettings."""

    _fields_ = [("solver", c_char_p), ("tolerance", c_double), ("measure", c_char_p), ("iterations", c_int),
                ("seconds", c_double), ("cookie", c_uint32)]


class ProblemReport(ctypes.Structure):
    """ScreeProblemReport."""

    _fields_ = [("solved", c_bool), ("verdict", c_int), ("iterations", c_int), ("seconds", c_double),
                ("residual", ProblemResidual), ("worst", c_size_t), ("reason", c_char_p), ("impulse_needed", c_double),
                ("closing_velocity", c_double)]


VERDICTS = ("not_solved", "solved", "infeasible", "unbounded")

ENTRY = np.dtype([("row", "i4"), ("column", "i4"), ("value", "f8")], align=True)

STRUCTS: dict[str, type[ctypes.Structure]] = {
    "ScreeEntry": Entry, "ScreeEntries": Entries, "ScreeProblemDef": ProblemDef, "ScreeMatrix": Matrix,
    "ScreeProblemView": ProblemView, "ScreeProblemResidual": ProblemResidual,
    "ScreeProblemSettings": ProblemSettings, "ScreeProblemReport": ProblemReport}

_world = _problem = c_void_p
_status = c_int

# Result and arguments of each function.
FUNCTIONS: dict[str, tuple[Any, list[Any]]] = {
    "scree_problem_def_default": (ProblemDef, []),
    "scree_problem_create": (_status, [POINTER(ProblemDef), POINTER(_problem), c_char_p]),
    "scree_problem_destroy": (None, [_problem]),
    "scree_problem_load": (_status, [c_char_p, POINTER(_problem), c_char_p]),
    "scree_problem_save": (_status, [_problem, c_char_p, c_void_p, c_char_p]),
    "scree_world_keep_problem": (None, [_world, c_bool]),
    "scree_world_create_problem": (_status, [_world, POINTER(_problem), c_char_p]),
    "scree_problem_get_view": (ProblemView, [_problem]),
    "scree_problem_compute_residual": (_status, [_problem, c_void_p, c_void_p, POINTER(ProblemResidual), c_char_p]),
    "scree_problem_compute_velocities": (_status, [_problem, c_void_p, c_void_p, c_char_p]),
    "scree_problem_settings_default": (ProblemSettings, []),
    "scree_problem_solve": (_status, [_problem, POINTER(ProblemSettings), c_void_p, POINTER(ProblemReport),
                                      c_char_p]),
    "scree_problem_get_proof": (c_void_p, [_problem]),
    "scree_problem_verdict_get_name": (c_char_p, [c_int]),
    "scree_problem_solver_get_name": (c_char_p, [c_size_t]),
    "scree_problem_solver_get_text": (c_char_p, [c_size_t]),
}
