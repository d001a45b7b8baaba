"""Plots of studies: a measure against what varies, with error bars."""
from __future__ import annotations

import itertools
import math
from typing import Any

from matplotlib.axes import Axes

from ..errors import ArgumentError
from .style import PALETTE, drawn_on

_MARKS = "osD^v<>P"


def _number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def study(given: Any, measure: str, *, against: str | None = None, ax: Axes | None = None,
          table: list[Any] | None = None) -> Axes:
    """A measure of a study against one of the keys that vary, by default the first with numbers; a line for each
    combination of the others. Error bars are standard errors over seeds."""
    if measure not in given.measures:
        raise ArgumentError(f"measure: one of {', '.join(given.measures)} is needed, not {measure!r}")
    rows = given.table() if table is None else table
    numeric = [key for key, values in given.vary.items() if all(map(_number, values))]
    key = against or (numeric[0] if numeric else next(iter(given.vary), None))
    if key is not None and key not in given.vary:
        raise ArgumentError(f"against: one of {', '.join(given.vary)} is needed, not {key!r}")
    others = [name for name in given.vary if name != key]
    with drawn_on(ax, (5.0, 3.6)) as axes:
        def line_of(row: Any) -> tuple[str, ...]:
            return tuple(str(row.values[name]) for name in others)

        groups = itertools.groupby(sorted(rows, key=line_of), key=line_of)
        for number, (line, members) in enumerate(groups):
            _draw(axes, list(members), key, measure, number,
                  ", ".join(f"{name.rpartition('.')[2]} {value}" for name, value in zip(others, line)))
        axes.set_xlabel(key or "")
        text = given.measures[measure]
        axes.set_ylabel(measure if text == measure else f"{measure} = {text}")
        if others:
            axes.legend()
    return axes


def _draw(axes: Axes, rows: list[Any], key: str | None, measure: str, number: int, name: str) -> None:
    at = [row.values[key] if key is not None else "" for row in rows]
    if all(map(_number, at)):
        rows = [row for _, row in sorted(zip(at, rows), key=lambda pair: float(pair[0]))]
        at = sorted(at)
    else:
        at = [str(value) for value in at]
    error = [row.error[measure] for row in rows]
    axes.errorbar(at, [row.mean[measure] for row in rows],
                  yerr=None if any(map(math.isnan, error)) else error, capsize=3, label=name,
                  marker=_MARKS[number % len(_MARKS)], color=PALETTE[number % len(PALETTE)], linewidth=1.2)
