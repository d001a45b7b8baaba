"""Exceptions. Every exception of the package is an Error, with the message of the library."""
from __future__ import annotations

import builtins
import errno
import os

# As SCREE_STATUS_MAP in base.h has them; a test compares the two.
STATUS: tuple[str, ...] = ("OK", "NO_MEMORY", "BAD_ARGUMENT", "BAD_ID", "TOO_CROWDED", "NOT_FINITE",
                           "BAD_SNAPSHOT", "NEWER_SNAPSHOT", "NO_SOLUTION", "DEVICE_FAILED")


class Error(Exception):
    """A call failed. `status` is the name of the library's status, such as "BAD_ID"; str(error) is its message."""

    status: str = ""

    def __init__(self, text: str, status: str | None = None) -> None:
        super().__init__(text)
        if status is not None:
            self.status = status


class ArgumentError(Error, ValueError):
    """An argument has the wrong type or shape, or is outside its allowed range."""

    status = "BAD_ARGUMENT"


class SceneError(ArgumentError):
    """A scene cannot be read or built; the message gives the place, the line and a hint."""


class ProblemError(ArgumentError):
    """A contact problem cannot be read or written; the message gives the file and the place."""


class IdError(Error, LookupError):
    """No such body, wall or material."""

    status = "BAD_ID"


class OutOfMemoryError(Error, builtins.MemoryError):
    """The library ran out of memory."""

    status = "NO_MEMORY"


class CrowdedError(Error, ArithmeticError):
    """Too many grains in one place."""

    status = "TOO_CROWDED"


class NotFiniteError(Error, ArithmeticError):
    """A position or velocity is no longer finite."""

    status = "NOT_FINITE"


class NoSolutionError(Error, ArithmeticError):
    """The step has no solution: no equilibrium, or rigid grains are squeezed."""

    status = "NO_SOLUTION"


class DeviceError(Error, RuntimeError):
    """The device that sweeps has failed."""

    status = "DEVICE_FAILED"


class DeviceWarning(UserWarning):
    """The device that sweeps has failed, and the processor goes on."""


class SnapshotError(Error, ValueError):
    """The bytes are not a saved world, or are damaged, or were written by a newer version."""

    status = "BAD_SNAPSHOT"


class ConvergenceError(Error, ArithmeticError):
    """A step did not converge, and the scene asks to stop."""


class ConvergenceWarning(UserWarning):
    """A step did not converge, and the scene asks for a warning."""


class ClosedError(Error, ValueError):
    """The world, scene or run was closed."""


class RunError(Error, ValueError):
    """The file is not a run of scree, or is damaged."""


class RunNotFoundError(RunError, FileNotFoundError):
    """There is no such run file; `filename` is its name, as Python's own error has it."""

    def __init__(self, path: str) -> None:
        FileNotFoundError.__init__(self, errno.ENOENT, os.strerror(errno.ENOENT), path)


class LibraryError(Error, ImportError):
    """The shared library was not found, or does not match the package."""


_CLASS: dict[str, type[Error]] = {
    "NO_MEMORY": OutOfMemoryError,
    "BAD_ARGUMENT": ArgumentError,
    "BAD_ID": IdError,
    "TOO_CROWDED": CrowdedError,
    "NOT_FINITE": NotFiniteError,
    "BAD_SNAPSHOT": SnapshotError,
    "NEWER_SNAPSHOT": SnapshotError,
    "NO_SOLUTION": NoSolutionError,
    "DEVICE_FAILED": DeviceError,
}


def error_of(status: int, text: str) -> Error:
    """The exception for a status other than 0 that the library gave back."""
    name = STATUS[status] if 0 <= status < len(STATUS) else "UNKNOWN"
    return _CLASS.get(name, Error)(text, name)
