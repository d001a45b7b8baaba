"""From what a caller gives to numbers that the library takes. What does not fit raises ArgumentError.

The library itself judges ranges (a radius must be positive) and finds the words for them; here only types, shapes
and what would be lost in conversion are looked at."""
from __future__ import annotations

import operator
import os
from typing import Any, Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .errors import ArgumentError

INT32_MAX = 2**31 - 1
Floats = NDArray[np.float64]
Table = np.recarray[Any, np.dtype[Any]]


def counted(count: int, one: str, many: str = "") -> str:
    """A count with its word: "1 grain", "2,000 grains"; `many` where that is not `one` and an s."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def short(value: Any) -> str:
    """A value for a message."""
    try:
        text = repr(value)
    except Exception:  # an object may fail in its own way
        text = f"an object of type {type(value).__name__}"
    return text if len(text) <= 60 else text[:57] + "..."


def encoded(text: Any, name: str) -> bytes:
    """Text or a path for the library, which ends it at a zero."""
    try:
        found = os.fsencode(text)
    except (TypeError, ValueError) as problem:
        raise ArgumentError(f"{name}: {problem}") from None
    if b"\0" in found:
        raise ArgumentError(f"{name}: has a zero in it: {short(text)}")
    return found


def array(value: ArrayLike, name: str) -> Floats:
    """An array of doubles."""
    try:
        found = np.asarray(value)
        if found.dtype.kind in "biuf":
            return found.astype(np.float64)
        if found.dtype.kind == "O" and all(isinstance(item, (int, float)) or hasattr(item, "__float__")
                                           for item in found.flat):
            return found.astype(np.float64)
    except (TypeError, ValueError, OverflowError):
        pass
    raise ArgumentError(f"{name}: numbers are needed, not {short(value)}")


def number(value: Any, name: str) -> float:
    """One number; it may be infinite, and a NaN is left to the library to refuse."""
    found = array(value, name)
    if found.shape != ():
        raise ArgumentError(f"{name}: one number is needed, not {short(value)}")
    return float(found)


def end_time(value: Any) -> float:
    """The time until which a world or a scene runs: no name of a file, as some expect."""
    if isinstance(value, (str, os.PathLike)):
        raise ArgumentError(f"until: a time is needed, not {short(value)}; for a run file write "
                            f"'with ....record({short(value)}):' around the run")
    return number(value, "until")


def integer(value: Any, name: str, low: int = -INT32_MAX - 1, high: int = INT32_MAX) -> int:
    """A whole number within limits."""
    try:
        found = operator.index(value)
    except TypeError:
        found = None
    if found is None or isinstance(value, (bool, np.bool_)):
        raise ArgumentError(f"{name}: a whole number is needed, not {short(value)}")
    if not low <= found <= high:
        raise ArgumentError(f"{name}: must lie between {low} and {high}, not {short(value)}")
    return found


def choice(value: Any, name: str, names: Sequence[str]) -> int:
    """The number of a name."""
    if not isinstance(value, str) or value not in names:
        raise ArgumentError(f"{name}: one of {', '.join(names)} is needed, not {short(value)}")
    return list(names).index(value)


def known(given: Mapping[str, Any], names: Sequence[str], what: str) -> Mapping[str, Any]:
    """The settings, once it is clear that all have names that exist."""
    if not isinstance(given, Mapping):
        raise ArgumentError(f"{what}: names with values are needed, not {short(given)}")
    for name in given:
        if name not in names:
            raise ArgumentError(f"{what} has no '{name}'; it has {', '.join(names)}")
    return given


# ---------------------------------------------------------------- vectors


def _checked(found: Floats, name: str) -> Floats:
    if not np.isfinite(found).all():
        raise ArgumentError(f"{name}: values must be finite")
    return found


def vectors(value: ArrayLike, name: str, dimension: int, count: int | None = None) -> Floats:
    """Vectors as rows of three; in two dimensions two numbers are enough. One is repeated `count` times."""
    found = array(value, name)
    wide = found.ndim in (1, 2) and (found.shape[-1] == 3 or (found.shape[-1] == 2 and dimension == 2))
    if not wide:
        raise ArgumentError(f"{name}: {'2 or 3' if dimension == 2 else '3'} numbers each are needed, "
                            f"not an array of shape {found.shape}")
    found = _checked(np.atleast_2d(found), name)
    if found.shape[1] == 2:
        found = np.hstack([found, np.zeros((len(found), 1))])
    return repeated(found, name, count)


def turns(value: ArrayLike, name: str, dimension: int, count: int | None = None) -> Floats:
    """Vectors of rotation (spin, torque). In two dimensions one number is enough, about z, or a column of them:
    a plain list of three could mean both."""
    found = array(value, name)
    if dimension == 2 and (found.ndim == 0 or (found.ndim == 2 and found.shape[1] == 1)):
        flat = _checked(found.reshape(-1), name)
        found = np.zeros((len(flat), 3))
        found[:, 2] = flat
        return repeated(found, name, count)
    if found.ndim not in (1, 2) or found.shape[-1] != 3:
        raise ArgumentError(f"{name}: 3 numbers each are needed{', one, or a column' if dimension == 2 else ''}, "
                            f"not an array of shape {found.shape}")
    return repeated(_checked(np.atleast_2d(found), name), name, count)


def numbers(value: ArrayLike, name: str, count: int) -> Floats:
    """`count` numbers; one is repeated."""
    found = array(value, name)
    if found.ndim > 1:
        raise ArgumentError(f"{name}: one number, or one for each, is needed, not an array of shape {found.shape}")
    return repeated(np.atleast_1d(found), name, count)


def integers(value: ArrayLike, name: str, count: int, low: int, high: int) -> NDArray[np.int64]:
    """`count` whole numbers within limits; one is repeated."""
    try:
        found = np.asarray(value)
    except (TypeError, ValueError) as problem:
        raise ArgumentError(f"{name}: {problem}") from None
    if found.dtype.kind not in "iu" or found.ndim > 1:
        raise ArgumentError(f"{name}: one whole number, or one for each, is needed, not {short(value)}")
    if found.size and (int(found.min()) < low or int(found.max()) > high):
        raise ArgumentError(f"{name}: must lie between {low} and {high}")
    return repeated(np.atleast_1d(found).astype(np.int64), name, count)


def repeated(found: NDArray[Any], name: str, count: int | None) -> NDArray[Any]:
    """The rows, or the only row `count` times."""
    if count is None or len(found) == count:
        return np.ascontiguousarray(found)
    if len(found) != 1:
        raise ArgumentError(f"{name}: 1 or {count} are needed, not {len(found)}")
    return np.repeat(found, count, axis=0)


def vector(value: ArrayLike, name: str, dimension: int) -> Floats:
    """One vector."""
    return _single(value, vectors(value, name, dimension), name)


def turn(value: ArrayLike, name: str, dimension: int) -> Floats:
    """One vector of rotation."""
    return _single(value, turns(value, name, dimension), name)


def _single(value: ArrayLike, found: Floats, name: str) -> Floats:
    if len(found) != 1:
        raise ArgumentError(f"{name}: one vector is needed, not {short(value)}")
    return found[0]


def about_z(value: ArrayLike, name: str, count: int) -> Floats:
    """Quaternions as rows from angles about z."""
    half = _checked(numbers(value, name, count), name) / 2
    found = np.zeros((len(half), 4))
    found[:, 0], found[:, 3] = np.cos(half), np.sin(half)
    return found


def quaternions(value: ArrayLike, name: str, count: int | None) -> Floats:
    """Quaternions w, x, y, z as rows."""
    found = array(value, name)
    if found.ndim not in (1, 2) or found.shape[-1] != 4:
        raise ArgumentError(f"{name}: 4 numbers each (w, x, y, z) are needed, not an array of shape {found.shape}")
    return repeated(_checked(np.atleast_2d(found), name), name, count)
