"""Graphs: certificates against time, distributions of forces and directions."""
from __future__ import annotations

from typing import Any, Mapping

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from .. import _values
from .._values import Floats, Table
from ..errors import ArgumentError
from ..report import REPORT
from ..frames import Frame
from ..run import Run
from . import source as sources
from .source import source_of
from .style import BLUE, GREEN, INK, ORANGE, PURPLE, SKY, SOFT_INK, YELLOW, drawn_on, label, legend_above, style

POINTS_MOST = 3000


def _envelope(time: Floats, values: Floats) -> tuple[Floats, Floats]:
    """Of very many points the largest and smallest of each stretch, in their order: peaks stay visible."""
    if len(time) <= POINTS_MOST:
        return time, values
    edges = np.linspace(0, len(time), POINTS_MOST // 2 + 1).astype(int)
    picks = []
    for begin, end in zip(edges[:-1], edges[1:]):
        part = values[begin:end]
        picks += sorted({begin + int(part.argmin()), begin + int(part.argmax())})
    return time[picks], values[picks]


Times = tuple[float, float]


def within(table: Table, times: Times | None) -> Table:
    """The rows of these times, ends included."""
    if times is None:
        return table
    low, high = times
    chosen = table[(table["time"] >= low) & (table["time"] <= high)]
    if not len(chosen):
        raise ArgumentError(f"times: there is nothing between {low:g} and {high:g}")
    return chosen


def steps_of(reports: Any, times: Times | None = None) -> Table:
    """Reports of steps: of a Run, of a frame's run, or those given."""
    if isinstance(reports, Frame):
        reports = reports.run
    table = reports.certificate if isinstance(reports, Run) else reports
    if not isinstance(table, np.ndarray) or table.dtype.names != REPORT.names:
        raise ArgumentError(f"expected reports of steps or a Run, not {_values.short(reports)}")
    if not len(table):
        raise ArgumentError("there are no steps to draw")
    return within(table.view(np.recarray), times)


def work_of(table: Table) -> Floats:
    """What has been done on grains since the first of the steps, by whatever does work."""
    return np.cumsum(table.work_external + table.work_walls + table.work_cell + table.work_growth)


def line(axes: Axes, table: Table, values: Floats, **look: Any) -> None:
    axes.plot(*_envelope(table.time, np.asarray(values, float)), **look)


def mean_radius(reports: Any) -> float | None:
    """That of the grains of a run; of a mere table nobody knows."""
    if not isinstance(reports, Run) or not len(reports.radius):
        return None
    return float(reports.radius[reports.radius > 0].mean())  # 0: in no frame


def certificate(reports: Any, *, radius: float | None = None, title: str | None = None, times: Times | None = None,
                units: Mapping[str, str] | None = None) -> Figure:
    """Plots how well each step was solved: sweeps, residual, overlaps and energy against time.

    `reports` is a Run, or what World.run, Scene.run or step(n) returned. With `radius`, overlaps are shown in radii;
    `times` are the first and last to be shown.
    """
    table = steps_of(reports, times)
    radius = mean_radius(reports) if radius is None else radius
    with style():
        figure, panels = plt.subplots(2, 2, figsize=(7.2, 4.8), sharex=True)
        _draw_sweeps(panels[0, 0], table)
        _draw_residual(panels[0, 1], table)
        _draw_overlap(panels[1, 0], table, radius, units)
        _draw_energy(panels[1, 1], table, units)
        for axes in panels[1]:
            axes.set_xlabel(label("time", "time", units))
        figure.suptitle(_summary(table) if title is None else title, x=0.01, ha="left", fontsize=10)
        figure.align_ylabels()
    return figure


def _summary(table: Table) -> str:
    failed = int((table.converged == 0).sum())
    verdict = "all converged" if failed == 0 else f"{failed:,} did not converge"
    work = np.abs(work_of(table)).max()
    error = np.abs(table.energy_error).sum() / max(work, table.kinetic_energy.max(), 1e-300)
    return f"{_values.counted(len(table), 'step')}, {verdict}; relative energy error {error:.0e}"


def _draw_sweeps(axes: Axes, table: Table) -> None:
    line(axes, table, table.iterations, color=BLUE, linewidth=0.8)
    axes.set_ylabel("sweeps")
    axes.set_ylim(bottom=0)
    twin = axes.twinx()
    twin.spines["right"].set_visible(True)
    line(twin, table, table.active, color=SOFT_INK, linewidth=0.8)
    twin.set_ylabel("active contacts", color=SOFT_INK)
    twin.tick_params(labelcolor=SOFT_INK)
    twin.set_ylim(bottom=0)
    axes.set_zorder(twin.get_zorder() + 1)
    axes.patch.set_visible(False)
    axes.yaxis.label.set_color(BLUE)


def _draw_residual(axes: Axes, table: Table) -> None:
    shown = np.where(table.residual > 0, table.residual, np.nan)
    keep = np.isfinite(shown)
    if keep.any():
        line(axes, table[keep], shown[keep], color=BLUE, linewidth=0.8)
        axes.set_yscale("log")
        axes.set_ylim(bottom=max(np.nanmin(shown) / 1.5, 1e-4 * np.nanmax(shown)))  # a few exact steps say nothing
    failed = (table.converged == 0) & keep
    if failed.any():
        axes.plot(table.time[failed], table.residual[failed], ".", color=ORANGE, markersize=3,
                  label="not converged")
        legend_above(axes)
    axes.set_ylabel("residual")


def _draw_overlap(axes: Axes, table: Table, radius: float | None, units: Mapping[str, str] | None) -> None:
    unit = radius if radius else 1.0
    for name, tone, text in (("overlap_max", BLUE, "largest"), ("overlap_mean", SKY, "mean")):
        values = table[name] / unit
        keep = values > 0
        if keep.any():
            line(axes, table[keep], values[keep], color=tone, linewidth=0.8, label=text)
    if axes.lines:
        axes.set_yscale("log")
        most = table.overlap_max.max() / unit
        axes.set_ylim(bottom=max(axes.get_ylim()[0], 1e-5 * most))  # what lies below is rounding
        legend_above(axes)
    axes.set_ylabel("overlap / radius" if radius else label("overlap", "length", units))


def _draw_energy(axes: Axes, table: Table, units: Mapping[str, str] | None) -> None:
    lost = np.cumsum(table.dissipation + table.dissipation_scheme)
    work = work_of(table)
    for values, tone, text in ((work, GREEN, "work done"), (lost, ORANGE, "dissipated"),
                               (table.kinetic_energy, BLUE, "kinetic"), (table.energy_elastic, PURPLE, "elastic")):
        if np.any(values):
            line(axes, table, values, color=tone, label=text)
    if axes.lines:
        legend_above(axes)
    axes.set_ylabel(label("energy", "energy", units))


def series(reports: Any, *fields: str, ax: Axes | None = None, log: bool = False, times: Times | None = None,
           units: Mapping[str, str] | None = None) -> Axes:
    """Plots fields of the certificate against time."""
    table = steps_of(reports, times)
    for name in fields:
        if name not in (REPORT.names or ()):
            raise ArgumentError(f"a report has no '{name}'; it has {', '.join(REPORT.names or ())}")
    with drawn_on(ax, (5.4, 3.2)) as axes:
        for name in fields:
            line(axes, table, table[name], label=name.replace("_", " "))
        if log:
            axes.set_yscale("log")
        axes.set_xlabel(label("time", "time", units))
        axes.set_ylabel(fields[0].replace("_", " ") if len(fields) == 1 else "")
        if len(fields) > 1:
            legend_above(axes)
    return axes


# ---------------------------------------------------------------- distributions


def _forces(given: Any) -> Floats:
    """Normal forces of contacts that push: of a World, a Frame, a table of contacts, or plain numbers."""
    if isinstance(given, np.ndarray) and given.dtype.names and "force_normal" in given.dtype.names:
        forces = np.asarray(given["force_normal"])
    elif isinstance(given, np.ndarray) or isinstance(given, (list, tuple)):
        forces = _values.array(given, "forces")
    else:
        forces = np.asarray(source_of(given).contacts.force_normal)
    forces = forces[np.isfinite(forces) & (forces > 0)]
    if forces.ndim != 1 or not len(forces):
        raise ArgumentError("there is no contact with a compressive force")
    return forces


def _edges(force: Floats, width: float, least: int = 5) -> Floats:
    """Ends of bins: as wide as asked for, and wider in the tail, so that each holds some contacts."""
    ordered = np.sort(force)
    edges, done = [0.0], 0
    while done < len(ordered):
        enough = ordered[min(done + least, len(ordered)) - 1]
        count = max(int(np.ceil((enough - edges[-1]) / width + 1e-9)), 1)
        if len(ordered) - done < 2 * least:
            count = max(int(np.ceil((ordered[-1] - edges[-1]) / width + 1e-9)), 1)
        edges.append(edges[-1] + count * width)
        done = int(np.searchsorted(ordered, edges[-1], side="right"))
    return np.array(edges)


def force_distribution(source: Any, *, ax: Axes | None = None, width: float = 0.25, colour: str = BLUE,
                       name: str | None = None) -> Axes:
    """Plots the probability density P(f) of the normal force in units of its mean, with statistical errors; the
    dashed line is an exponential with the same mean. Bins have the given width, and are wider in the tail."""
    force = _forces(source)
    force = force / force.mean()
    if not 1e-4 <= _values.number(width, "width") < np.inf:
        raise ArgumentError("width: must be at least 1e-4")
    count, edges = np.histogram(force, bins=_edges(force, float(width)))
    size = len(force) * np.diff(edges)
    middle, density, kept = (edges[:-1] + edges[1:]) / 2, count / size, count > 0
    error = np.sqrt(count) / size
    with drawn_on(ax, (4.4, 3.4)) as axes:
        reach = np.linspace(0, edges[-1], 50)
        axes.plot(reach, np.exp(-reach), linestyle=(0, (4, 3)), color=SOFT_INK, linewidth=0.9, zorder=1,
                  label=r"$e^{-f}$")
        axes.errorbar(middle[kept], density[kept], yerr=np.minimum(error, 0.7 * density)[kept], fmt="o",
                      color=colour, markersize=3.6, elinewidth=0.7, zorder=2,
                      label=_values.counted(len(force), "contact") if name is None else name)
        axes.set_yscale("log")
        axes.set_ylim(bottom=0.3 * density[kept].min())
        axes.set_xlim(0, None)
        axes.set_xlabel(r"$f = N / \langle N \rangle$")
        axes.set_ylabel(r"$P(f)$")
        axes.legend(loc="upper right")  # it falls
    return axes


def _normals(source: Any) -> tuple[Floats, int, Floats]:
    """Directions of the contacts between grains that carry a force, the dimension, and which way is up."""
    thing = source_of(source)
    found = sources.active(thing.contacts)
    normal = np.asarray(found.normal[found.b >= 0])
    if not len(normal):
        raise ArgumentError("there is no contact between grains that carries a force")
    return normal, thing.dimension, sources.up_of(thing)


def _flat_rose(normal: Floats, bins: int) -> tuple[Floats, Floats, float, float]:
    """Density of directions in the plane times 2 pi, the middle of the bins, and the second harmonic."""
    angle = np.arctan2(normal[:, 1], normal[:, 0])
    angle = np.concatenate([angle, angle + np.pi])
    place = np.round(angle / (2 * np.pi) * bins).astype(int) % bins
    count = np.bincount(place, minlength=bins)
    moment = 2 * np.exp(2j * angle).mean()
    return count * bins / len(angle), np.arange(bins) * 2 * np.pi / bins, float(np.abs(moment)), float(
        np.angle(moment) / 2)


def _deep_rose(normal: Floats, up: Floats, bins: int) -> tuple[Floats, Floats, float]:
    """Density of directions in space times 4 pi against the angle to the horizontal; and a of
    1 + a (3 sin^2 - 1) / 2, whose mean over directions gives a = 5 <(3 sin^2 - 1) / 2>. A bin of elevations between e
    and e' covers the share sin e' - sin e of the half sphere."""
    quarter = max(bins // 4, 1)
    rise = np.clip(np.abs(normal @ up), 0, 1)
    edges = np.linspace(0, np.pi / 2, quarter + 1)
    count, _ = np.histogram(np.arcsin(rise), bins=edges)
    density = count / len(rise) / np.diff(np.sin(edges))
    middle = (edges[:-1] + edges[1:]) / 2
    turns = np.concatenate([middle, np.pi - middle, np.pi + middle, 2 * np.pi - middle])
    return np.tile(density, 4), turns, float(5 * ((3 * rise**2 - 1) / 2).mean())


def _axis_name(up: Floats) -> str:
    """The vertical, by the axis along which it is."""
    axis = int(np.abs(up).argmax())
    return f"${'xyz'[axis]}$" if np.abs(up[axis]) > 1 - 1e-9 else "up"


def rose(source: Any, *, ax: Axes | None = None, bins: int = 36, colour: str = SKY) -> Axes:
    """Plots the directions of contacts between grains as a rose diagram. The dashed circle is the isotropic
    distribution. The line is the lowest harmonic: 1 + a cos 2 (angle - angle_0) in the plane; in space, where the angle
    is that to the horizontal, 1 + a (3 sin^2 angle - 1) / 2: all vertical planes are laid on each other."""
    normal, dimension, up = _normals(source)
    _values.integer(bins, "bins", 4, 3600)
    turn = np.linspace(0, 2 * np.pi, 361)
    if dimension == 2:
        density, middle, strength, direction = _flat_rose(normal, bins)
        wave = 1 + strength * np.cos(2 * (turn - direction))
        text = f"$a$ = {strength:.2f} at {np.degrees(direction) % 180:.0f}°"
        names = ["$x$", "$y$", "", ""]
    else:
        density, middle, strength = _deep_rose(normal, up, bins)
        wave, text = 1 + strength * (3 * np.sin(turn) ** 2 - 1) / 2, f"$a$ = {strength:.2f}"
        names = ["horizontal", _axis_name(up), "", ""]
    with style():
        if ax is None:
            _, ax = plt.subplots(figsize=(3.6, 3.6), subplot_kw={"projection": "polar"})
        if ax.name != "polar":
            raise ArgumentError("ax: must be polar axes")
        ax.bar(middle, density, width=2 * np.pi / len(middle), color=colour, alpha=0.7, edgecolor="white",
               linewidth=0.5)
        ax.plot(turn, np.ones_like(turn), color=SOFT_INK, linewidth=0.8, linestyle=(0, (4, 3)))
        ax.plot(turn, wave, color=INK, linewidth=1.0)
        ax.set_yticks([])
        ax.set_xticks(np.arange(4) * np.pi / 2, names)
        ax.spines["polar"].set_visible(False)
        ax.grid(linewidth=0.4)
        ax.set_title(f"contact directions, {text}", fontsize=9)
    return ax


def forces(source: Any, *, title: str | None = None) -> Figure:
    """The distribution of forces and the rose of contacts side by side."""
    with style():
        figure = plt.figure(figsize=(7.6, 3.5))
        left = figure.add_subplot(1, 2, 1)
        right = figure.add_subplot(1, 2, 2, projection="polar")
        force_distribution(source, ax=left)
        rose(source, ax=right)
        if title is not None:
            figure.suptitle(title, x=0.01, ha="left", fontsize=10)
    return figure


def energies(reports: Any, *, ax: Axes | None = None, times: Times | None = None,
             units: Mapping[str, str] | None = None) -> Axes:
    """Plots the cumulative dissipated energy, law by law."""
    table = steps_of(reports, times)
    parts = (("normal", BLUE), ("friction", ORANGE), ("rolling", GREEN), ("torsion", YELLOW), ("cohesion", PURPLE))
    with drawn_on(ax, (5.4, 3.2)) as axes:
        for name, tone in parts:
            lost = np.cumsum(table["dissipation_" + name])
            if np.any(lost):
                line(axes, table, lost, color=tone, label=name)
        axes.set_xlabel(label("time", "time", units))
        axes.set_ylabel(label("dissipated energy", "energy", units))
        if axes.lines:
            legend_above(axes)
    return axes
