"""What the library was built with."""
from __future__ import annotations

from dataclasses import dataclass

from . import _library


@dataclass(frozen=True)
class Capabilities:
    """What this build of the library can do, see base.h."""

    threads: bool  # a world can use several
    files: bool  # scenes and problem files
    gpu: bool
    mpi: bool
    simd_width: int  # number of contacts that the sweep works on at a time
    simd: str  # vector instructions: "neon", "sse2", "avx2", "avx512" or "none"
    factor: str  # what factors sparse matrices: "cholmod" or "own"


def capabilities() -> Capabilities:
    """What this build of the library can do.

    >>> capabilities().threads
    True
    """
    found = _library.library().scree_get_capabilities()
    return Capabilities(found.threads, found.files, found.gpu, found.mpi, found.simd_width, found.simd.decode(),
                        found.factor.decode())
