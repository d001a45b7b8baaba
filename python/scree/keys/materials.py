"""Keys of scenes: materials.

Written by tools/scene-keys from the schema in scene/schema/; change it there."""
from __future__ import annotations

from typing import Literal, Sequence, TypedDict

from ._values import Number
from .world import NumberProgramme


class Growth(TypedDict, total=False):
    """Grains that grow or shrink (docs/growth.md), with contact dynamics and without restitution. Events stop it:
    `set_growth`.

    rate: of the radii, relative to themselves: after the time t they are exp(rate t) times as large; negative: they
        shrink; 0: they stay (1/time; otherwise or factor)
    factor: the radii follow a programme: between any two times they change as it does, so that only ratios count
        (otherwise or rate)
    keep: density: more matter comes with the velocity of the grain, which keeps velocity and spin; mass: the grain
        keeps its mass and angular momentum (default density)
    """

    rate: Number | NumberProgramme
    factor: Number | NumberProgramme
    keep: Literal["density", "mass"]


class Materials(TypedDict, total=False):
    """What grains and walls are made of, by name, and the contact law of each material with itself. Between two
    different materials, the smaller of each pair of values applies, but the larger contact angle and the harmonic mean
    of stiffness and modulus, unless `pairs` says otherwise. N is the normal force, and r* the reduced radius 1 / (1/r_a
    + 1/r_b) of the two grains (at a flat wall, the radius of the grain; of a solid in space, the distance of its centre
    from the plane of the contact). All laws can be combined, except for liquid bridges with cohesion, and `modulus` and
    the dampings, which belong to the soft engine.

    density: mass per volume (mass/length^3 (2D: mass/length^2); > 0; default 1)
    colour: how pictures show it: "#c04020", or a word: red, orange, yellow, green, blue, violet, white, grey, black, or
        what it looks like, such as sand, wood, steel, glass, gold (otherwise by its name, or by its number)
    friction: Coulomb coefficient: |T| <= friction N (>= 0; default 0)
    friction_static: coefficient while a contact does not slide, at least friction; 0: the same (>= 0; default 0)
    rolling: rolling friction: torque <= rolling r* N (>= 0; default 0)
    rolling_length: the same as a length: torque <= rolling_length N (length; >= 0; default 0)
    rolling_hertz: the same by Hertz: torque <= rolling_hertz (r* N)^(1/3) N, 2D: ^(1/2) (length/(force length)^(1/3),
        2D: ^(1/2); >= 0; default 0)
    torsion: torsion friction: torque about the normal <= torsion r* N (>= 0; default 0)
    torsion_length: the same as a length (length; >= 0; default 0)
    cohesion: largest tension of a contact; friction then acts with N + cohesion (force; >= 0; default 0)
    cohesion_stress: the same per area, where faces of solids lie on each other; it adds to cohesion (force/length^2; >=
        0; default 0)
    cohesion_range: opening at which the contact breaks: energy over force (length; >= 0; default 0)
    bridge_volume: of the liquid bridge between two grains that have touched; 0: dry (length^3; >= 0; default 0)
    bridge_tension: surface tension of the liquid of bridges (force/length; >= 0; default 0)
    bridge_angle: its contact angle, below 90 (degree; >= 0; default 0)
    restitution: normal velocity after an impact over that before (in [0, 1]; default 0)
    restitution_tangential: the same of the tangential velocity, unless it slides (in [0, 1]; default 0)
    restitution_threshold: slower impacts have no restitution (length/time; >= 0; default 0)
    stiffness: normal spring; infinite: rigid (force/length; > 0; otherwise rigid)
    stiffness_tangential: tangential spring; infinite: rigid (soft engine: 2/7 of the normal one) (force/length; > 0;
        otherwise rigid)
    modulus: soft engine: N = 4/3 modulus sqrt(r*) overlap^(3/2) (Hertz); 0: linear spring (force/length^2; >= 0;
        default 0)
    damping: soft engine: normal dashpot; 0: from restitution (mass/time; >= 0; default 0)
    damping_tangential: soft engine: tangential dashpot (mass/time; >= 0; default 0)
    growth: how its disks and spheres grow or shrink (otherwise none)
    """

    density: Number
    colour: str
    friction: Number
    friction_static: Number
    rolling: Number
    rolling_length: Number
    rolling_hertz: Number
    torsion: Number
    torsion_length: Number
    cohesion: Number
    cohesion_stress: Number
    cohesion_range: Number
    bridge_volume: Number
    bridge_tension: Number
    bridge_angle: Number
    restitution: Number
    restitution_tangential: Number
    restitution_threshold: Number
    stiffness: Number
    stiffness_tangential: Number
    modulus: Number
    damping: Number
    damping_tangential: Number
    growth: Growth


class PairsNeeded(TypedDict):
    """What has to be in Pairs."""

    between: str | Sequence[str]


class Pairs(PairsNeeded, total=False):
    """The contact law between two materials, where it should not follow from their own. At least one value must be
    given; the others follow from the two materials.

    between: the two materials
    friction: Coulomb coefficient: |T| <= friction N (>= 0; otherwise from the two materials)
    friction_static: coefficient while a contact does not slide, at least friction; 0: the same (>= 0; otherwise from
        the two materials)
    rolling: rolling friction: torque <= rolling r* N (>= 0; otherwise from the two materials)
    rolling_length: the same as a length: torque <= rolling_length N (length; >= 0; otherwise from the two materials)
    rolling_hertz: the same by Hertz: torque <= rolling_hertz (r* N)^(1/3) N, 2D: ^(1/2) (length/(force length)^(1/3),
        2D: ^(1/2); >= 0; otherwise from the two materials)
    torsion: torsion friction: torque about the normal <= torsion r* N (>= 0; otherwise from the two materials)
    torsion_length: the same as a length (length; >= 0; otherwise from the two materials)
    cohesion: largest tension of a contact; friction then acts with N + cohesion (force; >= 0; otherwise from the two
        materials)
    cohesion_stress: the same per area, where faces of solids lie on each other; it adds to cohesion (force/length^2; >=
        0; otherwise from the two materials)
    cohesion_range: opening at which the contact breaks: energy over force (length; >= 0; otherwise from the two
        materials)
    bridge_volume: of the liquid bridge between two grains that have touched; 0: dry (length^3; >= 0; otherwise from the
        two materials)
    bridge_tension: surface tension of the liquid of bridges (force/length; >= 0; otherwise from the two materials)
    bridge_angle: its contact angle, below 90 (degree; >= 0; otherwise from the two materials)
    restitution: normal velocity after an impact over that before (in [0, 1]; otherwise from the two materials)
    restitution_tangential: the same of the tangential velocity, unless it slides (in [0, 1]; otherwise from the two
        materials)
    restitution_threshold: slower impacts have no restitution (length/time; >= 0; otherwise from the two materials)
    stiffness: normal spring; infinite: rigid (force/length; > 0; otherwise from the two materials)
    stiffness_tangential: tangential spring; infinite: rigid (soft engine: 2/7 of the normal one) (force/length; > 0;
        otherwise from the two materials)
    modulus: soft engine: N = 4/3 modulus sqrt(r*) overlap^(3/2) (Hertz); 0: linear spring (force/length^2; >= 0;
        otherwise from the two materials)
    damping: soft engine: normal dashpot; 0: from restitution (mass/time; >= 0; otherwise from the two materials)
    damping_tangential: soft engine: tangential dashpot (mass/time; >= 0; otherwise from the two materials)
    """

    friction: Number
    friction_static: Number
    rolling: Number
    rolling_length: Number
    rolling_hertz: Number
    torsion: Number
    torsion_length: Number
    cohesion: Number
    cohesion_stress: Number
    cohesion_range: Number
    bridge_volume: Number
    bridge_tension: Number
    bridge_angle: Number
    restitution: Number
    restitution_tangential: Number
    restitution_threshold: Number
    stiffness: Number
    stiffness_tangential: Number
    modulus: Number
    damping: Number
    damping_tangential: Number
