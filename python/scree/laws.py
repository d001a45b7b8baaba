"""What happens where two materials touch."""
from __future__ import annotations

import ctypes
from dataclasses import dataclass, fields
from math import inf
from typing import Annotated, Any, Mapping, NamedTuple, get_args, get_type_hints

from . import _values
from .errors import ArgumentError


class Bridge(NamedTuple):
    """A liquid bridge between two round surfaces at a gap (docs/bridges.md)."""

    force: float  # with which it pulls; 0 from the rupture on
    energy: float  # the work that has drawn it out from no gap to this one
    reach: float  # [length] the gap at which it breaks; 0: the law has no bridges


@dataclass(frozen=True)
class Law:
    """The parameters of a contact law, see docs/laws.md; by default rigid, frictionless and inelastic.

    N is the normal force, r* = 1 / (1/r_a + 1/r_b) the reduced radius of the pair. scree.Law.meaning("rolling") gives
    the meaning and dimension of a parameter.
    """

    friction: Annotated[float, "1", "Coulomb coefficient: |T| <= friction N"] = 0.0
    friction_static: Annotated[float, "1", "coefficient while a contact does not slide, at least friction; "
                                           "0: the same"] = 0.0
    rolling: Annotated[float, "1", "rolling friction: torque <= rolling r* N"] = 0.0
    rolling_length: Annotated[float, "length", "the same as a length: torque <= rolling_length N"] = 0.0
    rolling_hertz: Annotated[float, "length/(force length)^(1/3), 2D: ^(1/2)",
                             "the same by Hertz: torque <= rolling_hertz (r* N)^(1/3) N, 2D: ^(1/2)"] = 0.0
    torsion: Annotated[float, "1", "torsion friction: torque about the normal <= torsion r* N"] = 0.0
    torsion_length: Annotated[float, "length", "the same as a length"] = 0.0
    cohesion: Annotated[float, "force", "largest tension of a contact; friction then acts with N + cohesion"] = 0.0
    cohesion_stress: Annotated[float, "force/length^2", "the same per area, where faces of solids lie on each other; "
                                                        "it adds to cohesion"] = 0.0
    cohesion_range: Annotated[float, "length", "opening at which the contact breaks: energy over force"] = 0.0
    bridge_volume: Annotated[float, "length^3", "of the liquid bridge between two grains that have touched; "
                                                "0: dry"] = 0.0
    bridge_tension: Annotated[float, "force/length", "surface tension of the liquid of bridges"] = 0.0
    bridge_angle: Annotated[float, "degree", "its contact angle, below 90"] = 0.0
    restitution: Annotated[float, "1", "normal velocity after an impact over that before"] = 0.0
    restitution_tangential: Annotated[float, "1", "the same of the tangential velocity, unless it slides"] = 0.0
    restitution_threshold: Annotated[float, "length/time", "slower impacts have no restitution"] = 0.0
    stiffness: Annotated[float, "force/length", "normal spring; infinite: rigid"] = inf
    stiffness_tangential: Annotated[float, "force/length", "tangential spring; infinite: rigid (soft engine: 2/7 "
                                                           "of the normal one)"] = inf
    modulus: Annotated[float, "force/length^2", "soft engine: N = 4/3 modulus sqrt(r*) overlap^(3/2) (Hertz); "
                                                "0: linear spring"] = 0.0
    damping: Annotated[float, "mass/time", "soft engine: normal dashpot; 0: from restitution"] = 0.0
    damping_tangential: Annotated[float, "mass/time", "soft engine: tangential dashpot"] = 0.0

    def bridge(self, radius_a: float, radius_b: float = inf, gap: float = 0.0) -> Bridge:
        """The liquid bridge between two grains of this law at a gap; by default between one and a plane."""
        from . import _library  # which needs this module

        told = _library.library().scree_law_get_bridge(
            to_c(self), *(_values.number(value, name) for value, name in
                          ((radius_a, "radius_a"), (radius_b, "radius_b"), (gap, "gap"))))
        return Bridge(told.force, told.energy, told.reach)

    @staticmethod
    def meaning(field: str) -> str:
        """The meaning of a parameter, and its dimension in brackets."""
        dimension, text = MEANING[field]
        return f"{text} [{dimension}]"


def _meanings() -> dict[str, Any]:
    hints: dict[str, Any] = get_type_hints(Law, include_extras=True)
    return {name: get_args(hint)[1:] for name, hint in hints.items()}


# name: (dimension, meaning), in the order of SCREE_LAW_MAP in laws.h; a test compares the two.
MEANING: dict[str, tuple[str, str]] = _meanings()


class CBridge(ctypes.Structure):
    """ScreeBridge."""

    _fields_ = [(name, ctypes.c_double) for name in Bridge._fields]


class CLaw(ctypes.Structure):
    """ScreeLaw."""

    _fields_ = [(name, ctypes.c_double) for name in MEANING]


def to_c(law: Law) -> CLaw:
    """The law as the library takes it."""
    return CLaw(*(_values.number(getattr(law, field.name), field.name) for field in fields(Law)))


def from_c(law: CLaw) -> Law:
    """The law as the library gave it."""
    return Law(*(getattr(law, name) for name in MEANING))


def changed(law: Law, numbers: Mapping[str, float]) -> Law:
    """The law with some of its numbers changed."""
    for name in numbers:
        if name not in MEANING:
            raise ArgumentError(f"a law has no '{name}'; its numbers are {', '.join(MEANING)}")
    values = {name: getattr(law, name) for name in MEANING}
    values.update({name: _values.number(value, name) for name, value in numbers.items()})
    return Law(**values)
