"""Grains that grow or shrink; see docs/growth.md."""
from __future__ import annotations

from typing import NamedTuple

from . import _values
from ._growth_structs import CGrowth
from ._world import WorldBase

KEEPS = ("density", "mass")


class Growth(NamedTuple):
    """How the round grains of a material grow: a step multiplies their radii by 1 + rate * time_step."""

    rate: float
    keep: str


class Growing(WorldBase):
    """What grows in a world."""

    def set_growth(self, rate: float, keep: str = "density", material: int | None = None) -> None:
        """Lets the round grains of a material grow (of all materials if it is None), or shrink at a rate below zero.

        Each step multiplies their radii by 1 + rate * time_step. They keep the "density" of their matter, of which more
        comes with the velocity of the grain, or their "mass"; see docs/growth.md. A rate of 0 stops it.

        >>> import scree
        >>> world = scree.World(dimension=3, time_step=0.01)
        >>> world.add_material(density=2)
        0
        >>> world.add_grains(position=[(0, 0, 0)], radius=1)
        range(0, 1)
        >>> world.set_growth(0.5)
        >>> reports = world.run(until=0.02)
        >>> [round(float(r), 6) for r in world.radius]
        [1.010025]
        """
        with self._lock:
            chosen = range(self._materials()) if material is None else [_values.integer(material, "material", 0)]
            given = CGrowth(_values.number(rate, "rate"), _values.choice(keep, "keep", KEEPS))
            for number in chosen:
                self._do("scree_material_set_growth", number, given)

    def growth(self, material: int = 0) -> Growth:
        """How the grains of a material grow: rate and keep."""
        found = CGrowth()
        self._do("scree_material_get_growth", _values.integer(material, "material", 0), found)
        return Growth(found.rate, KEEPS[found.keeps])

    def _materials(self) -> int:
        count = 0
        while not self._ask("scree_material_get_growth", count, CGrowth()):
            count += 1
        return count

    # ------------------------------------------------------------ walls
