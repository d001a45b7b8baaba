"""Graphs of measures: stress, fabric, packing and energy against time; pair correlation; fields on a grid."""
from __future__ import annotations

from typing import Any, Mapping

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from .. import _values, measures
from .._values import Floats, Table
from ..errors import ArgumentError
from ..frames import Frame
from ..run import Run
from .graphs import Times, line, rose, steps_of, within, work_of
from .source import active, source_of, up_of
from .style import BLUE, GREEN, INK, ORANGE, PURPLE, SCALE, SKY, SOFT_INK, YELLOW, drawn_on, label, legend_above, style

Units = Mapping[str, str]
Source = Any


def series_of(given: Any, region: measures.Region | None, times: Times | None = None) -> tuple[Table, int]:
    """Numbers against time, and the dimension: of a run, or of a table that measures.series or recorded made."""
    if isinstance(given, Frame):
        given = given.run
    if isinstance(given, Run):
        chosen = range(len(given.frames)) if times is None else [
            number for number, time in enumerate(given.times) if times[0] <= time <= times[1]]
        table, times = measures.series(given, region, frames=chosen), None if len(chosen) else times
        dimension = given.dimension
    else:
        table = given
        if not isinstance(table, np.ndarray) or "stress_xx" not in (table.dtype.names or ()):
            raise ArgumentError(f"expected a Run or a table of measures, not {_values.short(given)}")
        dimension = 3 if np.any(np.nan_to_num(table["stress_zz"])) or np.any(table["kinetic_zz"]) else 2
    table = within(table.view(np.recarray), times)
    if not len(table):
        raise ArgumentError("there is nothing to draw")
    return table, dimension


def stress(source: Any, region: measures.Region | None = None, *, times: Times | None = None,
           ax: Axes | None = None, units: Units | None = None) -> Axes:
    """Plots the diagonal of the contact stress, the pressure and the deviator against time; compression is positive."""
    table, dimension = series_of(source, region, times)
    with drawn_on(ax, (5.4, 3.4)) as axes:
        axes.plot(table.time, table.pressure, color=INK, linewidth=1.6, label="pressure")
        axes.plot(table.time, table.deviator, color=SOFT_INK, linestyle=(0, (4, 3)), label="deviator")
        for name, tone in list(zip("xyz", (BLUE, ORANGE, GREEN)))[:dimension]:
            axes.plot(table.time, table[f"stress_{name}{name}"], color=tone, linewidth=1.0,
                      label=rf"$\sigma_{{{name}{name}}}$")
        axes.axhline(0, color=SOFT_INK, linewidth=0.5, zorder=0)
        axes.set_xlabel(label("time", "time", units))
        axes.set_ylabel(label("stress, compression positive", "stress", units))
        legend_above(axes)
    return axes


def fabric(source: Any, region: measures.Region | None = None, *, times: Times | None = None,
           units: Units | None = None) -> Figure:
    """Plots the fabric anisotropy against time, and the rose diagram of contacts of the last frame that has any."""
    table, _ = series_of(source, region, times)
    frames = source.run.frames if isinstance(source, Frame) else source.frames if isinstance(source, Run) else []
    last = next((frame for frame in reversed(list(frames)) if np.any(active(frame.contacts).b >= 0)), None)
    with style():
        figure = plt.figure(figsize=(7.6, 3.5) if last else (4.4, 3.4))
        left = figure.add_subplot(1, 2 if last else 1, 1)
        left.plot(table.time, table.anisotropy, color=BLUE)
        left.set_ylim(bottom=0)
        left.set_xlabel(label("time", "time", units))
        left.set_ylabel("anisotropy of the fabric")
        if last is not None:
            rose(last, ax=figure.add_subplot(1, 2, 2, projection="polar"))
    return figure


def packing(source: Any, region: measures.Region | None = None, *, times: Times | None = None,
            units: Units | None = None) -> Figure:
    """Plots solid fraction, coordination with and without rattlers, sliding fraction and mobilised friction."""
    table, _ = series_of(source, region, times)
    with style():
        figure, panels = plt.subplots(3, 1, figsize=(5.4, 5.4), sharex=True)
        panels[0].plot(table.time, table.solid_fraction, color=BLUE)
        panels[0].set_ylabel("solid fraction")
        panels[1].plot(table.time, table.coordination, color=BLUE, label="all grains")
        panels[1].plot(table.time, table.coordination_backbone, color=ORANGE, label="without rattlers")
        panels[1].set_ylabel("coordination")
        panels[2].plot(table.time, table.sliding, color=BLUE, label="sliding contacts")
        panels[2].plot(table.time, table.mobilisation, color=ORANGE, label="mobilised friction")
        panels[2].plot(table.time, table.rattlers, color=GREEN, label="rattlers")
        panels[2].set_ylabel("fraction")
        panels[2].set_ylim(0, 1.02)
        for axes in panels[1:]:
            legend_above(axes)
        panels[2].set_xlabel(label("time", "time", units))
        figure.align_ylabels()
    return figure


LOSSES = (("dissipation_normal", BLUE, "impact"), ("dissipation_friction", ORANGE, "sliding"),
          ("dissipation_rolling", GREEN, "rolling"), ("dissipation_torsion", YELLOW, "torsion"),
          ("dissipation_cohesion", PURPLE, "cohesion"), ("dissipation_scheme", SOFT_INK, "time stepping"))


def _carried(table: Table) -> Floats:
    """What does not come from work, as `carried` of scree.measures.energy: the energy with which the first step began,
    and what grains that came or left between steps brought or took since."""
    there = table.kinetic_energy + table.energy_elastic
    lost = table.dissipation + table.dissipation_scheme
    carried: Floats = there - work_of(table) + np.cumsum(lost - table.energy_error)
    return carried


def _draw_losses(axes: Axes, table: Table) -> Floats:
    """Losses by cause, one upon the other; returns their sum."""
    lost, step = np.zeros(len(table)), max(len(table) // 2000, 1)
    for name, tone, text in LOSSES:
        part = np.cumsum(table[name])
        if np.any(part):
            axes.fill_between(table.time[::step], lost[::step], (lost + part)[::step], color=tone, alpha=0.75,
                              linewidth=0, label=text)
            lost = lost + part
    return lost


def energy(reports: Any, *, ax: Axes | None = None, times: Times | None = None, units: Units | None = None) -> Axes:
    """Plots where energy came from and went: losses by cause, and upon them what grains and springs have; and what it
    all comes from: the work done, and what grains had at the start, brought as they came or took as they left."""
    table = steps_of(reports, times)
    work, carried = work_of(table), _carried(table)
    size = max(np.abs(work).max(), table.kinetic_energy.max(), table.energy_elastic.max())
    changes = np.ptp(carried) > 1e-9 * size  # else a sum of rounding
    with drawn_on(ax, (5.8, 3.6)) as axes:
        lost = _draw_losses(axes, table)
        sources = "work done"
        if changes or np.abs(carried).max() > 1e-9 * size:
            text = "carried in − out" if changes else "kinetic at the start"
            line(axes, table, carried, color=SOFT_INK, linewidth=0.9, linestyle=(0, (1, 1.5)), label=text)
            sources = f"work done + {text}"
            work = work + carried
        line(axes, table, work, color=INK, linewidth=1.4, label=sources)
        line(axes, table, lost + table.kinetic_energy + table.energy_elastic, color=SKY, linewidth=0.9,
             linestyle=(0, (3, 2)), label="losses + kinetic + elastic")
        axes.set_xlabel(label("time", "time", units))
        axes.set_ylabel(label("energy", "energy", units))
        axes.legend(loc="upper left", bbox_to_anchor=(1, 1))
    return axes


def pairs(source: Source, region: measures.Region | None = None, *, ax: Axes | None = None, bins: int = 120,
          most: float = 0.0, colour: str = BLUE, name: str | None = None) -> Axes:
    """Plots the pair correlation of the centres; 1 is an ideal gas that fills the region. Without one that is the box
    around all centres (or the periodic cell): where grains leave parts of it empty, as in a heap, give a region."""
    table = measures.distribution(source, "pairs", bins=bins, most=most, region=region)
    if not np.isfinite(table.density).any():
        raise ArgumentError("a pair correlation needs at least two grains")
    diameter = 2 * float(np.mean(source_of(source).radius))
    with drawn_on(ax, (5.0, 3.2)) as axes:
        axes.axhline(1, color=SOFT_INK, linewidth=0.7, linestyle=(0, (4, 3)))
        axes.step((table.low + table.high) / 2 / diameter, table.density, where="mid", color=colour, label=name)
        axes.set_xlim(0, table.high[-1] / diameter)
        axes.set_ylim(bottom=0, auto=True)
        axes.set_xlabel("distance / mean diameter")
        own = region is not None or source_of(source).dimension == len(source_of(source).periodic)
        axes.set_ylabel("g" if own else "g, relative to the box of all centres")
    return axes


def _with_errors(axes: Axes, place: Floats, values: Floats, errors: Floats, tone: str, text: str) -> None:
    """A line, and errors where they are known: of one frame, and of a bin that is empty for a while, nobody knows them,
    and matplotlib warns of bars without an end."""
    known = np.isfinite(values) & np.isfinite(errors)
    axes.plot(place, values, color=tone, linewidth=1.0, marker="o", markersize=2.5, label=text or None)
    if known.any():
        axes.errorbar(place[known], values[known], errors[known], fmt="none", ecolor=tone, capsize=1.5, elinewidth=0.8)


def profile(source: Any, axis: str = "", *, units: Units | None = None, **options: Any) -> Figure:
    """Plots averages over bins along an axis and over time, with error bars: velocity, temperature, solid fraction,
    stress, friction and inertial number. The options are those of measures.profile."""
    if isinstance(source, Frame):
        source = source.run
    table = measures.profile(source, axis, **options)
    shells = "velocity_r" in (table.dtype.names or ())
    first: Any = source[0] if isinstance(source, (list, tuple)) else source
    thing: Any = first if isinstance(first, Run) else source_of(first)
    axis = axis or "xyz"[thing.dimension - 1]
    letters = ("rta" if shells else "xyz")[:thing.dimension]
    place = (table.low + table.high) / 2
    tones = (BLUE, ORANGE, GREEN)
    panels = (("velocity", "length/time", [(f"velocity_{each}", each) for each in letters]),
              ("solid fraction", "1", [("solid_fraction", "")]),
              ("temperature", "length^2/time^2", [("temperature", "")]),
              ("stress", "stress", [("pressure", "pressure")] + [
                  (f"stress_{each}", rf"$\sigma_{{{each}}}$") for each in (letters[0] * 2, letters[1] * 2)]),
              ("friction", "1", [("mu", "")]), ("inertial number", "1", [("inertial_number", "")]))
    with style():
        figure, grid = plt.subplots(3, 2, figsize=(7.6, 6.6), sharex=True, layout="constrained")
        for axes, (name, dimension, lines) in zip(grid.T.ravel(), panels):
            for (field, text), tone in zip(lines, (INK, BLUE, ORANGE) if name == "stress" else tones):
                _with_errors(axes, place, table[field], table[f"{field}_error"], tone, text)
            axes.set_ylabel(name if dimension == "1" else label(name, dimension, units))
            if len(lines) > 1:
                legend_above(axes)
        for axes in grid[-1]:
            axes.set_xlabel(label(axis, "length", units))
        figure.align_ylabels()
    return figure


def _plane(source: Source) -> tuple[str, str]:
    """The directions across and up: in space the longer horizontal one and the vertical."""
    thing = source_of(source)
    if thing.dimension == 2:
        return "x", "y"
    up = "xyz"[int(np.abs(up_of(thing)).argmax())]
    extent = np.ptp(np.asarray(thing.position), axis=0) if len(thing.radius) else np.ones(3)
    return max((axis for axis in "xyz" if axis != up), key=lambda axis: extent["xyz".index(axis)]), up


def fields(source: Source, region: measures.Region | None = None, *, cells: int = 40, width: float = 0.0,
           units: Units | None = None) -> Figure:
    """Plots solid fraction with velocity arrows, and the pressure, on a grid; in space, averaged over the depth."""
    across, up = _plane(source)
    thing = source_of(source)
    if not len(thing.radius):
        raise ArgumentError("there are no grains")
    wide, tall = (max(float(np.ptp(np.asarray(thing.position)[:, "xyz".index(axis)])), 1e-300) for axis in (across, up))
    counts = {across: _cells(cells, wide / tall), up: _cells(cells, tall / wide)}
    table: Any = measures.grid(source, [counts.get(axis, 1) for axis in "xyz"], width=width, region=region)
    table = table.reshape([counts[axis] for axis in sorted((across, up), reverse=True)])  # x runs fastest
    table = table.T if across < up else table
    place = [table.centre[..., "xyz".index(axis)] for axis in (across, up)]
    pressure = np.trace(table.stress + table.kinetic_stress, axis1=-2, axis2=-1) / thing.dimension
    shape = np.ptp(place[1]) / max(np.ptp(place[0]), 1e-300) if min(counts.values()) > 1 else 1.0
    across_page = shape > 0.6  # side by side, or one above the other
    with style():
        size = (8.4, min(3.2 * shape + 0.8, 7.0)) if across_page else (6.4, 2 * max(5.2 * shape, 0.8) + 1.2)
        grid = (1, 2) if across_page else (2, 1)
        figure, (left, right) = plt.subplots(*grid, figsize=size, sharex=True, sharey=True)
        _map(figure, left, place, table.solid_fraction, "solid fraction")
        _map(figure, right, place, pressure, label("pressure", "stress", units))
        _arrows(left, table, place, (across, up), units)
        for axes in (left, right) if across_page else (right,):
            axes.set_xlabel(label(across, "length", units))
        for axes in (left,) if across_page else (left, right):
            axes.set_ylabel(label(up, "length", units))
    return figure


def _cells(most: int, share: float) -> int:
    """Cells along one side, for cells that are about as wide as high."""
    return max(int(round(most * min(share, 1.0))), min(most, 4))


def _arrows(axes: Axes, table: Any, place: list[Floats], names: tuple[str, str], units: Units | None) -> None:
    """Velocities, the fastest one and a half times as long as their distance; above stands what it is."""
    step = max(max(table.shape) // 16, 1)
    some = (slice(step // 2, None, step),) * 2
    seen = table.density[some] > 0.05 * np.nanmax(table.density)
    speed = [np.where(seen, table.velocity[some][..., "xyz".index(axis)], np.nan) for axis in names]
    fastest = float(np.nanmax(np.hypot(*speed), initial=0))
    spacing = step * max(float(np.diff(along, axis=axis).max(initial=0)) for axis, along in enumerate(place))
    if not (fastest > 0 and spacing > 0):
        return
    axes.quiver(place[0][some], place[1][some], *speed, color=INK, width=0.004, pivot="middle", angles="xy",
                scale_units="xy", scale=fastest / (1.5 * spacing))
    axes.set_title(label(f"longest arrow: {fastest:.2g}", "length/time", units), loc="right", fontsize=7, pad=4)


def _map(figure: Figure, axes: Axes, place: list[Floats], values: Floats, name: str) -> None:
    picture = axes.pcolormesh(*place, values, cmap=SCALE, shading="nearest", rasterized=True)
    figure.colorbar(picture, ax=axes, label=name, fraction=0.05)
    axes.set_aspect("equal")
