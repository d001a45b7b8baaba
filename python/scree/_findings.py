"""What a world tells of itself: overlaps, neighbours, costs."""
from __future__ import annotations

from typing import NamedTuple


class Overlap(NamedTuple):
    """Current overlaps of the grains: the number of pairs, and the deepest one; b is -1 - w for a wall w."""

    count: int  # type: ignore[assignment]  # hides the method of tuples
    a: int
    b: int
    depth: float


class Cost(NamedTuple):
    """Wall-clock time and memory used since the world was created, see world.h."""

    seconds_total: float
    seconds_solver: float
    updates: float
    bytes_bodies: int
    bytes_contacts: int
    contacts: int


class Neighbours(NamedTuple):
    """What the neighbour search has chosen and done since the world was created or loaded, see world.h."""

    method: str
    levels: int
    cell: float
    cell_most: float
    skin: float
    aim: float
    pairs: int
    updates: int
    renewals: int
    tested: int
    exchanged: int
    kept: int
    seconds: float
