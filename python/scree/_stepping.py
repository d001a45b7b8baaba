"""Many steps, one after the other."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable

import numpy as np

from . import _display, _values
from .errors import ArgumentError
from .report import REPORT, Report, Reports

if TYPE_CHECKING:
    from .world import World


def collect(world: World, over: Callable[[], bool], step: Callable[[], Any],
            progress: Callable[[World, Report], object] | bool | None, end: float) -> Reports:
    """Steps until it is over, at `end` or before, and returns all reports as a table."""
    if progress is True:
        progress = _display.Bar(world.time, end)
    if progress is not None and progress is not False and not callable(progress):
        raise ArgumentError(f"progress: a function is needed, or True, not {_values.short(progress)}")
    data = bytearray()
    while not over():
        report = step()
        data += bytes(report)
        if callable(progress):
            progress(world, report)
    return np.frombuffer(data, REPORT).view(Reports)
