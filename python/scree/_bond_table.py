"""Bonds as one table, the same for worlds and for frames of run files."""
from __future__ import annotations

import numpy as np

BONDS = np.dtype([
    ("a", "i4"),  # bodies, a < b
    ("b", "i4"),  # or -1 less the number of a wall
    ("number", "i8"),  # how many had been made before
    ("tension", "f8"),  # [force] strengths
    ("shear", "f8"),  # [force]
    ("bending", "f8"),  # [force length]
    ("torsion", "f8"),  # [force length]
    ("gap", "f8"),  # [length] when it was made
    ("load", "f8"),  # at 1 it breaks
])
