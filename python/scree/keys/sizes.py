"""Keys of scenes: sizes.

Written by tools/scene-keys from the schema in scene/schema/; change it there."""
from __future__ import annotations

from typing import Literal, TypedDict

from ._values import Number, Numbers


class Power(TypedDict):
    """A power law between two radii.

    min: smallest radius (length; > 0)
    max: largest radius (length; > 0)
    exponent: the number of grains falls as radius^-exponent
    """

    min: Number
    max: Number
    exponent: Number


class TwoNeeded(TypedDict):
    """What has to be in Two."""

    small: Number
    large: Number
    fraction: Number


class Two(TwoNeeded, total=False):
    """Two sizes.

    small: the smaller radius (length; > 0)
    large: the larger radius (length; > 0)
    fraction: fraction of large grains (in [0, 1])
    by: whether the fraction is by number or by volume (default number)
    """

    by: Literal["number", "volume"]


class NormalNeeded(TypedDict):
    """What has to be in Normal."""

    mean: Number
    deviation: Number


class Normal(NormalNeeded, total=False):
    """A normal distribution, truncated at both ends.

    mean: mean radius (before truncation) (length; > 0)
    deviation: standard deviation (length; > 0)
    cut: smallest and largest radius (length; > 0; otherwise three deviations to each side)
    """

    cut: Numbers


class LognormalNeeded(TypedDict):
    """What has to be in Lognormal."""

    median: Number
    deviation: Number


class Lognormal(LognormalNeeded, total=False):
    """A lognormal distribution, truncated at both ends.

    median: median radius (before truncation) (length; > 0)
    deviation: standard deviation of ln(radius) (> 0)
    cut: smallest and largest radius (length; > 0; otherwise three deviations to each side)
    """

    cut: Numbers


class Radius(TypedDict, total=False):
    """A number, a list with one number for each grain of `at`, or a mapping with one of the following.

    uniform: all radii between two values are equally likely (length; > 0; otherwise none)
    uniform_volume: equal intervals of the radius hold equal volumes (2D: areas) of grains (length; > 0; otherwise none)
    power: a power law (otherwise none)
    two: two sizes (otherwise none)
    normal: a normal distribution (otherwise none)
    lognormal: a lognormal distribution (otherwise none)
    """

    uniform: Numbers
    uniform_volume: Numbers
    power: Power
    two: Two
    normal: Normal
    lognormal: Lognormal
