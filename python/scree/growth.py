"""Grains that grow or shrink; see docs/growth.md."""
from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from . import _values
from ._growth_structs import CGrowth

if TYPE_CHECKING:
    from .world import World

KEEPS = ("density", "mass")


class Growth(NamedTuple):
    """How the round grains of a material grow: a step multiplies their radii by 1 + rate * time_step."""

    rate: float
    keep: str


def set_growth(world: World, rate: float, keep: str, materials: range) -> None:
    """Of some materials."""
    given = CGrowth(_values.number(rate, "rate"), _values.choice(keep, "keep", KEEPS))
    for number in materials:
        world._do("scree_material_set_growth", number, given)


def growth_of(world: World, material: int) -> Growth:
    """Of one material."""
    found = CGrowth()
    world._do("scree_material_get_growth", material, found)
    return Growth(found.rate, KEEPS[found.keeps])


def material_count(world: World) -> int:
    """How many materials there are."""
    count = 0
    while not world._ask("scree_material_get_growth", count, CGrowth()):
        count += 1
    return count
