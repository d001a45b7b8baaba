"""Several runs in one plot: graphs in one colour for each run, pictures side by side."""
from __future__ import annotations

import os
from typing import Any, Callable, Mapping, NamedTuple, Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import ArrayLike

from .. import measures
from .._values import Floats
from ..errors import ArgumentError
from ..run import Run
from . import pictures
from .graphs import Times, force_distribution, mean_radius, line, steps_of, work_of
from .measures import pairs, series_of
from .style import PALETTE, label, style

Units = Mapping[str, str]


class Panel(NamedTuple):
    """One graph: its name, its dimension, whether it is logarithmic, and the value for each row."""

    name: str
    dimension: str
    log: bool
    value: Callable[[Any], Floats]


def _field(name: str, dimension: str = "1", text: str = "", log: bool = False) -> Panel:
    return Panel(text or name.replace("_", " "), dimension, log, lambda table: np.asarray(table[name], float))


# Of frames:
MEASURED: dict[str, list[Panel]] = {
    "stress": [_field("pressure", "stress"), _field("deviator", "stress")],
    "fabric": [_field("anisotropy", text="anisotropy of the fabric")],
    "packing": [_field("solid_fraction"), _field("coordination"), _field("sliding", text="share of sliding contacts")],
}
# Of steps:
REPORTED: dict[str, list[Panel]] = {
    "certificate": [_field("iterations", text="sweeps"), _field("residual", log=True)],
    "energy": [_field("kinetic_energy", "energy"),
               Panel("work done", "energy", False, work_of)],
}
# Of bins along an axis; the velocity is added below, since its name depends on the axis.
PROFILES: list[tuple[str, str]] = [("solid_fraction", "1"), ("pressure", "stress"), ("mu", "1"),
                                   ("temperature", "length^2/time^2"), ("inertial_number", "1")]
PICTURES: dict[str, Callable[..., Axes]] = {"chains": pictures.chains, "bonds": pictures.bonds}  # besides grains
COMPARED = ("grains", *PICTURES, *MEASURED, *REPORTED, "forces", "pairs", "profile")


def names_of(runs: Sequence[Run]) -> list[str]:
    """What tells the runs apart: the names of their files, with folders where these are needed."""
    short = [os.path.splitext(os.path.basename(run.path))[0] for run in runs]
    return short if len(set(short)) == len(short) else [os.path.splitext(run.path)[0] for run in runs]


def compare(runs: Sequence[Run], what: str = "grains", *, names: Sequence[str] | None = None,
            frames: Sequence[int] | None = None, times: Times | None = None, axis: str = "",
            region: measures.Region | None = None, colour: ArrayLike | None = None,
            limits: tuple[float, float] | None = None, camera: ArrayLike | None = None,
            units: Units | None = None) -> Figure:
    """Draws several runs together.

    what    "grains", "chains", "bonds": side by side; "stress", "fabric", "packing", "energy", "certificate": against
            time; "forces", "pairs", "profile": a curve for each run
    names   of the runs in the legend; by default those of their files
    frames  a frame of each run, for what shows a moment; by default the last
    times   the first and last time of graphs against time, and of profiles
    """
    if not runs:
        raise ArgumentError("runs: at least one is needed")
    if what not in COMPARED:
        raise ArgumentError(f"{what} of several runs cannot be drawn in one plot; {', '.join(COMPARED)} can")
    names = names_of(runs) if names is None else list(names)
    chosen = [-1] * len(runs) if frames is None else list(frames)
    if len(names) != len(runs) or len(chosen) != len(runs):
        raise ArgumentError("names, frames: there must be one for each run")
    moments = [run.frames[number] for run, number in zip(runs, chosen)]
    with style():
        if what == "grains" or what in PICTURES:
            return _side_by_side(moments, what, names, colour, limits, camera, units)
        if what in MEASURED:
            return _against_time([series_of(run, region, times)[0] for run in runs], MEASURED[what], names, units)
        if what in REPORTED:
            panels = list(REPORTED[what])
            if what == "certificate":
                panels.append(_overlap(runs))
            return _against_time([steps_of(run, times) for run in runs], panels, names, units)
        if what == "profile":
            return _profiles(runs, axis, times, region, names, units)
        return _curves(moments, what, region, names)


def colours(count: int) -> list[Any]:
    """One for each run: those of the palette, or of a scale if there are more."""
    if count <= len(PALETTE):
        return list(PALETTE[:count])
    return list(plt.get_cmap("viridis")(np.linspace(0, 0.92, count)))


def panels_for(count: int) -> tuple[Figure, list[Axes]]:
    rows, columns = (count, 1) if count <= 3 else (-(-count // 2), 2)
    figure, grid = plt.subplots(rows, columns, figsize=(5.4 if columns == 1 else 7.6, 1.9 * rows + 0.9), sharex=True)
    return figure, list(np.atleast_1d(grid).T.ravel())


def name_above(axes: list[Axes], columns: int = 3) -> None:
    """One legend for all panels, above the first, where it hides nothing."""
    axes[0].legend(loc="lower left", bbox_to_anchor=(0, 1.02), ncol=columns, borderaxespad=0)


def _against_time(tables: Sequence[Any], panels: Sequence[Panel], names: Sequence[str], units: Units | None) -> Figure:
    figure, grid = panels_for(len(panels))
    for axes, panel in zip(grid, panels):
        for table, name, tone in zip(tables, names, colours(len(tables))):
            values = panel.value(table)
            values = np.where(values > 0, values, np.nan) if panel.log else values
            keep = np.isfinite(values)
            line(axes, table[keep], values[keep], color=tone, linewidth=0.9, label=name)
        if panel.log and any(len(curve.get_xdata()) for curve in axes.lines):
            axes.set_yscale("log")
        axes.set_ylabel(panel.name if panel.dimension == "1" else label(panel.name, panel.dimension, units))
        axes.set_xlabel(label("time", "time", units) if axes.get_subplotspec().is_last_row() else "")
    name_above(grid)
    figure.align_ylabels()
    return figure


def _overlap(runs: Sequence[Run]) -> Panel:
    """The largest overlap, in radii if all runs have the same."""
    radii = {mean_radius(run) for run in runs}
    radius = radii.pop() if len(radii) == 1 else None
    return Panel("overlap / radius" if radius else "largest overlap", "1" if radius else "length", True,
                 lambda table: np.asarray(table.overlap_max / (radius or 1.0), float))


def _profiles(runs: Sequence[Run], axis: str, times: Times | None, region: measures.Region | None,
              names: Sequence[str], units: Units | None) -> Figure:
    axis = axis or "xyz"[runs[0].dimension - 1]
    along = "t" if axis == "r" else next(letter for letter in "xyz" if letter != axis)
    fields = [(f"velocity_{along}", "length/time"), *PROFILES]
    figure, grid = panels_for(len(fields))
    for run, name, tone in zip(runs, names, colours(len(runs))):
        table = measures.profile(run, axis, times=times, region=region)
        for axes, (field, dimension) in zip(grid, fields):
            axes.errorbar((table.low + table.high) / 2, table[field], table[f"{field}_error"], color=tone,
                          linewidth=1.0, marker="o", markersize=2.5, capsize=1.5, elinewidth=0.8, label=name)
            text = {"mu": "friction"}.get(field, field.replace("_", " "))
            axes.set_ylabel(text if dimension == "1" else label(text, dimension, units))
    for axes in grid:
        axes.set_xlabel(label(axis, "length", units) if axes.get_subplotspec().is_last_row() else "")
    name_above(grid)
    figure.align_ylabels()
    return figure


def _curves(moments: Sequence[Any], what: str, region: measures.Region | None, names: Sequence[str]) -> Figure:
    """Distributions of forces, or pair correlations."""
    figure, axes = plt.subplots(figsize=(5.4, 3.6))
    for moment, name, tone in zip(moments, names, colours(len(moments))):
        if what == "forces":
            force_distribution(moment, ax=axes, colour=tone, name=name)
        else:
            pairs(moment, region, ax=axes, colour=tone, name=name)
    _one_of_each(axes)
    return figure


def _one_of_each(axes: Axes) -> None:
    """A legend in which no name stands twice."""
    handles, texts = axes.get_legend_handles_labels()
    once = {text: handle for handle, text in zip(handles, texts)}
    axes.legend(once.values(), once.keys(), loc="upper right")


def _side_by_side(moments: Sequence[Any], what: str, names: Sequence[str], colour: ArrayLike | None,
                  limits: tuple[float, float] | None, camera: ArrayLike | None, units: Units | None) -> Figure:
    """With the same scale of colours."""
    columns = min(len(moments), 4)
    rows = -(-len(moments) // columns)
    figure, grid = plt.subplots(rows, columns, figsize=(3.6 * columns + 0.9, 3.6 * rows), squeeze=False)
    last = len(moments) - 1
    if what == "grains" and limits is None:
        limits = pictures.shared_limits(moments, colour)
    for k, (moment, name) in enumerate(zip(moments, names)):
        title = f"{name}, $t$ = {moment.time:.4g} {(units or {}).get('time', '')}".rstrip()
        look: dict[str, Any] = {"ax": grid.ravel()[k], "title": title, "camera": camera, "units": units,
                                "legend": k == last}
        if what == "grains":
            pictures.grains(moment, colour, limits=limits, **look)
        else:
            PICTURES[what](moment, **look)
    for axes in grid.ravel()[len(moments):]:
        axes.set_visible(False)
    return figure
