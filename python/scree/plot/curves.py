"""Graphs of anything against anything: expressions of measures, walls, gates and the cell."""
from __future__ import annotations

from typing import Any, Mapping, Sequence

import numpy as np
from matplotlib.figure import Figure

from .. import _expressions, measures
from .._values import Floats
from ..errors import ArgumentError
from ..run import Run
from .graphs import Times
from .several import colours, name_above, names_of, panels_for
from .style import label, style


def _named(text: str) -> tuple[str, str]:
    """"strain: 1 - lid.position_y" is a name for the axis and an expression; without a name that is the expression."""
    name, colon, expression = text.partition(":")
    return (name.strip(), expression.strip()) if colon else (text.strip(), text.strip())


def _frames_of(run: Run, times: Times | None) -> list[int]:
    frames = [number for number, time in enumerate(run.times) if times is None or times[0] <= time <= times[1]]
    if not frames:
        raise ArgumentError(f"times: {run.path} has no frame then")
    return frames


def _text(what: str, expression: str) -> str:
    """Bare words are read as words: solid fraction."""
    return what if what != expression or not expression.isidentifier() else what.replace("_", " ")


def curve(runs: Run | Sequence[Run], what: str | Sequence[str], against: str = "time", *,
          names: Sequence[str] | None = None, region: measures.Region | None = None, times: Times | None = None,
          units: Mapping[str, str] | None = None) -> Figure:
    """Plots an expression against another one, frame by frame, such as the stress ratio against the strain of a test;
    or several, one above the other. Of several runs each has its own colour.

    what     "deviator / pressure", or with a name for the axis "q/p: deviator / pressure"; a list for several
    against  likewise: "1 - lid.position_y", "cell.strain_xy", "time"
    names    of the runs in the legend; by default those of their files

    Expressions are those of studies (docs/guides/studies.md): measures, numbers of walls (lid.load_y), of inlets and
    outlets (hole.mass) and of the cell (cell.strain_xy), + - * / **, abs, sqrt, log and exp, and first(...), the value
    in the first frame of the run: "strain: 1 - lid.position_y / first(lid.position_y)".
    """
    all_runs = [runs] if isinstance(runs, Run) else list(runs)
    if not all_runs or not all(isinstance(run, Run) for run in all_runs):
        raise ArgumentError("runs: a Run is needed, or a list of them")
    wanted = [_named(text) for text in ([what] if isinstance(what, str) else what)]
    across = _named(against)
    if not wanted:
        raise ArgumentError("what: an expression is needed")
    texts = {f"curve {k + 1}": text for k, (_, text) in enumerate(wanted)}
    found: list[dict[str, Floats]] = [
        _expressions.follow(run, _frames_of(run, times), {**texts, "against": across[1]}, region) for run in all_runs]
    with style():
        figure, grid = panels_for(len(wanted))
        for axes, key, (name, text) in zip(grid, texts, wanted):
            for values, title, tone in zip(found, names_of(all_runs) if names is None else names, colours(len(found))):
                keep = np.isfinite(values[key]) & np.isfinite(values["against"])
                axes.plot(values["against"][keep], values[key][keep], color=tone, linewidth=1.0, label=title)
            axes.set_ylabel(_text(name, text))
            last: Any = axes.get_subplotspec()
            bottom = label("time", "time", units) if across == ("time", "time") else _text(*across)
            axes.set_xlabel(bottom if last.is_last_row() else "")
        if len(all_runs) > 1 or names is not None:
            name_above(grid)
        figure.align_ylabels()
    return figure
