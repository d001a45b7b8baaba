"""Structs of the library that come in arrays, as numpy sees them: vectors are rows. The tests compare them with the
headers."""
from __future__ import annotations

import numpy as np

from ._measure_fields import ANISOTROPY, INDETERMINACY, MOTION, PROFILE, STATE

BODY = np.dtype([("position", "f8", 3), ("orientation", "f8", 4), ("velocity", "f8", 3), ("spin", "f8", 3),
                 ("radius", "f8"), ("shape", "i4"), ("mass", "f8"), ("inertia", "f8"), ("material", "i4"),
                 ("frozen", "u4"), ("force", "f8", 3), ("torque", "f8", 3), ("cookie", "u4")], align=True)
SOLID_PART = np.dtype([("vertices", "u8"), ("faces", "u8"), ("rounding", "f8"), ("kind", "i4"), ("form", "f8", 2),
                       ("weight", "u8")], align=True)
SHAPE_PART = np.dtype([("corners", "i4"), ("rounding", "f8")], align=True)
CONTACT = np.dtype([("a", "i4"), ("b", "i4"), ("feature", "i4"), ("state", "i4"), ("normal", "f8", 3), ("gap", "f8"),
                    ("normal_impulse", "f8"), ("tangential_impulse", "f8", 3)], align=True)
CELL = np.dtype([("centre", "f8", 3), ("volume", "f8"), ("density", "f8"), ("solid_fraction", "f8"),
                 ("momentum", "f8", 3), ("velocity", "f8", 3), ("temperature", "f8"), ("stress", "f8", (3, 3)),
                 ("kinetic_stress", "f8", (3, 3))], align=True)
BIN = np.dtype([("low", "f8"), ("high", "f8"), ("count", "f8"), ("density", "f8")], align=True)
MEASURES = np.dtype([(name, "i8" if kind is int else "f8") for name, (kind, _, _) in STATE.items()])
ANISOTROPIES = np.dtype([(name, "i8" if kind is int else "f8") for name, (kind, _, _) in ANISOTROPY.items()])
PROFILE_NUMBERS = np.dtype([(name, "f8") for name in PROFILE])
PROFILE_BIN = np.dtype([("low", "f8"), ("high", "f8"), ("mean", PROFILE_NUMBERS), ("error", PROFILE_NUMBERS)])
FORCE_RANGE = np.dtype([("state", "i4"), ("loose", "i4"), ("now", "f8"), ("least", "f8"), ("most", "f8"),
                        ("spread", "f8"), ("mean", "f8"), ("deviation", "f8")], align=True)
WHOLE = np.dtype([(name, "i8" if kind is int else "f8") for name, (kind, _, _) in INDETERMINACY.items()])
MOTION_RANGE = np.dtype([(name, "f8", 3) for name in ("velocity_least", "velocity_most", "spin_least", "spin_most")])
MOTION_WHOLE = np.dtype([(name, "i8" if kind is int else "f8") for name, (kind, _, _) in MOTION.items()])
CONTACT_EXTRA = np.dtype([("torque_impulse", "f8", 3), ("opening", "f8")], align=True)

# Arrays of bodies: numbers per body, and their type.
BODY_ARRAYS: dict[str, tuple[int, str]] = {
    "position": (3, "<f8"), "orientation": (4, "<f8"), "velocity": (3, "<f8"), "spin": (3, "<f8"),
    "force": (3, "<f8"), "torque": (3, "<f8"), "radius": (1, "<f8"), "mass": (1, "<f8"), "inertia": (1, "<f8"),
    "material": (1, "<i4"), "frozen": (1, "<u4"), "shape": (1, "<i4")}
