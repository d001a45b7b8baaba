"""Bonds between grains, and of grains with walls: glue that loads break for good."""
from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _bond_structs, _library, _memory
from ._bond_table import BONDS
from ._values import Table
from ._world import WorldBase
from .errors import ArgumentError

_AMOUNTS = ("within", "tension", "shear", "tension_stress", "shear_stress", "neck", "bending", "torsion")


def fragments_of(a: NDArray[np.int32], b: NDArray[np.int32], grains: int) -> NDArray[np.int32]:
    """The fragment of each grain where these pairs are bonded, called by the lowest of its grains."""
    first, second = (np.ascontiguousarray(side, np.int32) for side in (a, b))
    found = np.zeros(grains, np.int32)
    _library.library().scree_bonds_find_fragments(first.ctypes.data, second.ctypes.data, len(first), grains,
                                                  found.ctypes.data)
    return found


class Bonded(WorldBase):
    """The bonds of a world."""

    def add_bonds(self, *, pair: tuple[int, int] | None = None, between: tuple[int, int] | int | None = None,
                  wall: int | None = None, grain: int | None = None, **strengths: float) -> int:
        """Glues all pairs of grains that touch, those between two materials (their numbers), or one pair, as they
        stand; or, with the number of a wall, all grains that touch it, or one grain. Returns how many bonds there are
        more. The strengths are those of a scene: tension, shear, tension_stress, shear_stress, neck, bending, torsion;
        and within, the gap up to which grains touch, over the smaller radius. See docs/bonds.md.

        >>> import scree
        >>> world = scree.World(time_step=1e-3)
        >>> stone = world.add_material(density=1)
        >>> _ = world.add_grains([[0, 0, 0], [1, 0, 0], [2, 0, 0]], radius=0.5)
        >>> world.add_bonds(tension=1, shear=1)
        2
        """
        made, given = ctypes.c_size_t(), _library.library().scree_bond_def_default()
        for name, value in strengths.items():
            if name not in _AMOUNTS:
                raise ArgumentError(f"add_bonds: there is no {name!r}; there are {', '.join(_AMOUNTS)}")
            setattr(given, name, float(value))
        if pair is not None:
            given.a, given.b = (int(number) for number in pair)
        if wall is not None:
            given.wall = int(wall)
        if grain is not None:
            if wall is None or pair is not None:
                raise ArgumentError("add_bonds: 'grain' is glued to a wall: give 'wall' as well, and no 'pair'")
            given.a = int(grain)
        if between is not None:
            given.first, given.second = (between, between) if isinstance(between, int) else between
        self._do("scree_world_add_bonds", given, ctypes.byref(made))
        return made.value

    def remove_bonds(self) -> None:
        """Takes all bonds away; they do not count as broken."""
        self._ask("scree_world_remove_bonds")

    def add_bridges(self) -> int:
        """Gives a liquid bridge to every pair of round grains, or of one with a wall, that is nearer than the gap at
        which theirs would break, whether it has touched or not; returns how many there are more (docs/bridges.md)."""
        made = ctypes.c_size_t()
        self._do("scree_world_add_bridges", ctypes.byref(made))
        return made.value

    def _bond_view(self) -> Any:
        return self._ask("scree_world_get_bonds")

    @property
    def bonds(self) -> Table:
        """The bonds that hold, as a table (a copy) with the fields of scree.BONDS."""
        with self._lock:
            view = self._bond_view()
            raw = _memory.copied(view.bond, view.count, np.dtype(_bond_structs.Bond))
        table = np.zeros(view.count, BONDS).view(np.recarray)
        for name in BONDS.names or ():
            table[name] = raw[name]
        return table

    @property
    def bonds_made(self) -> int:
        """How many bonds have been made since the beginning."""
        return int(self._bond_view().made)

    @property
    def bonds_broken(self) -> int:
        """How many of them have broken."""
        return int(self._bond_view().broken)

    @property
    def fragment(self) -> NDArray[np.int32]:
        """What bonds hold together: for each grain the lowest number of the grains in its fragment."""
        bonds = self.bonds
        return fragments_of(bonds.a, bonds.b, int(self._ask("scree_world_get_bodies").count))
