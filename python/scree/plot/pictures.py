"""Pictures of grains and of the forces between them, in two and three dimensions."""
from __future__ import annotations

import re
from typing import Any, Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.collections import EllipseCollection, PolyCollection
from matplotlib.colors import Colormap, LinearSegmentedColormap, Normalize, is_color_like, to_rgba
from matplotlib.figure import Figure
from matplotlib.patches import Patch
from numpy.typing import ArrayLike, NDArray

from .. import _values, measures
from .._values import Floats, Table
from ..contacts import ContactState
from ..contacts import empty as contact_table
from ..errors import ArgumentError
from . import flat, space
from . import source as sources
from .camera import Camera
from .source import Source, source_of
from .style import BLUE, INK, MATERIALS, NAMED, ORANGE, PAPER, RED, SCALE, WALL, drawn_on, label, style

SIZE = (6.0, 4.6)


Box = tuple[ArrayLike, ArrayLike]


def _box(source: Source, given: Box | None) -> tuple[Floats, Floats]:
    """The corners of what is shown: those given, or around everything."""
    if given is None:
        return sources.bounds(source)
    if not isinstance(given, (tuple, list)) or len(given) != 2:
        raise ArgumentError(f"box: must be two corners, not {_values.short(given)}")
    low, high = (_values.vector(corner, "box", source.dimension) for corner in given)
    if not np.all((high > low)[:source.dimension]):
        raise ArgumentError("box: the second corner must be the upper one")
    return low, high


def _size(source: Source, camera: Camera | None, low: Floats, high: Floats, exact: bool) -> tuple[float, float]:
    """The size of a new figure [inch]: as wide or as high as the picture needs."""
    if camera is not None:
        low, high = space.paper_box(source, camera, low, high, exact)
    wide, tall = max(high[0] - low[0], 1e-300), max(high[1] - low[1], 1e-300)
    shape = min(max(tall / wide, 0.3), 2.2)
    width = min(6.4, 6.8 / shape)
    return width + 0.9, width * shape + 0.6


def _camera(source: Source, eye: ArrayLike | Camera | None) -> Camera | None:
    if source.dimension == 2:
        return None
    return eye if isinstance(eye, Camera) else Camera.looking_from(eye, sources.up_of(source))


def first_colour(source: Source) -> str:
    """What is worth seeing: which grain is of which material, if there are several or the scene has given them colours,
    or else how fast they are."""
    numbers = np.unique(source.material)
    wanted = sources.material_colours(source)
    return "material" if len(numbers) > 1 or any(wanted[number] for number in numbers if wanted) else "speed"


def _fragment_colours(values: Floats) -> Floats:
    """The larger a fragment, the earlier its colour in the list of materials; single grains are pale."""
    names, which, sizes = np.unique(values, return_inverse=True, return_counts=True)
    rank = np.empty(len(names), int)
    rank[np.lexsort((names, -sizes))] = np.arange(len(names))
    tints = np.array([to_rgba(MATERIALS[k % len(MATERIALS)]) if size > 1 else to_rgba(WALL)
                      for k, size in zip(rank, sizes)])
    return np.asarray(tints[which]).reshape(-1, 4)


def _tint(word: str, number: int) -> str:
    """The colour of a material: a code, or a word that tells how it looks, or by its number."""
    if re.fullmatch("#[0-9a-fA-F]{6}", word):
        return word
    return NAMED.get(word, MATERIALS[number % len(MATERIALS)])


def _range(source: Source, values: Floats, name: str) -> tuple[float, float]:
    """The ends of the scale: where all rest, a motion so small that nobody could see it, lest rounding be coloured."""
    good = values[np.isfinite(values)]
    low, high = (float(good.min()), float(good.max())) if len(good) else (0.0, 1.0)
    if name == "speed":
        low = 0.0
    if name in ("speed", "spin") and len(good):
        least = sources.least_speed(source) / (1 if name == "speed" else float(np.mean(source.radius)))
        if max(-low, high) < least:
            low, high = (-least if source.dimension == 2 and name == "spin" else 0.0), least
    return low, high


def _faces(source: Source, colour: ArrayLike, limits: tuple[float, float] | None,
           scale: str | Colormap | None) -> tuple[Floats, Any, str, str]:
    """A colour for each grain; and what stands in the legend: a scale, or patches, or nothing."""
    count = len(source.radius)
    if isinstance(colour, str) and colour not in sources.COLOURS and is_color_like(colour):
        return np.tile(to_rgba(colour), (count, 1)), None, "", ""
    values, name, dimension = sources.values_of(source, colour)
    if isinstance(colour, str) and colour == "material":
        names = sources.material_names(source)
        wanted = sources.material_colours(source) or [""] * len(names)
        tints = [_tint(asked or text.lower(), k) for k, (asked, text) in enumerate(zip(wanted, names))]
        faces = np.array([to_rgba(tints[int(v)]) for v in values]).reshape(-1, 4)
        used = sorted({int(v) for v in values})
        patches = [Patch(facecolor=tints[k], label=names[k]) for k in used]
        return faces, patches, name, dimension
    if isinstance(colour, str) and colour == "fragment":
        return _fragment_colours(values), None, "", ""
    low, high = _range(source, values, name) if limits is None else limits
    if not (np.isfinite(low) and np.isfinite(high)):
        raise ArgumentError("limits: must be two numbers")
    chosen = plt.get_cmap(SCALE if scale is None else scale)
    mapped = ScalarMappable(Normalize(low, high if high > low else low + 1), chosen)
    return mapped.to_rgba(values), mapped, name, dimension


def shared_limits(moments: Sequence[Any], colour: ArrayLike | None) -> tuple[float, float] | None:
    """The ends of a scale for several moments: from the least to the largest, and from zero for speeds. None where
    there is no scale."""
    low, high = np.inf, -np.inf
    for moment in moments:
        _, key, name, _ = _faces(moment, first_colour(moment) if colour is None else colour, None, None)
        if not isinstance(key, ScalarMappable):
            return None
        low, high = min(low, key.norm.vmin), max(high, key.norm.vmax)
    return float(low), float(high)


def _legend(axes: Axes, key: Any, text: str) -> None:
    if isinstance(key, ScalarMappable):
        bar = axes.get_figure().colorbar(key, ax=axes, shrink=0.7, aspect=28, pad=0.02)
        bar.set_label(text)
        bar.outline.set_visible(False)
    elif key:
        axes.legend(handles=key, loc="upper left", bbox_to_anchor=(1.0, 1.0), handlelength=0.9, handleheight=0.9)


def _title(axes: Axes, source: Source, title: str | None, units: Mapping[str, str] | None) -> None:
    unit = (units or {}).get("time", "")
    said = f"$t$ = {source.time:.4g} {unit}".rstrip() if title is None else title
    axes.set_title(said, y=1)  # nothing stands above: to look for it means to set every number beside


def _name_axes(axes: Axes, units: Mapping[str, str] | None) -> None:
    axes.set_xlabel(label("$x$", "length", units))
    axes.set_ylabel(label("$y$", "length", units))


def grains(source: Any, colour: ArrayLike | None = None, *, ax: Axes | None = None,
           limits: tuple[float, float] | None = None, scale: str | Colormap | None = None, name: str | None = None,
           walls: bool = True, legend: bool = True, marks: bool = True, camera: ArrayLike | Camera | None = None,
           box: Box | None = None, title: str | None = None, units: Mapping[str, str] | None = None) -> Axes:
    """Draws the grains of a World, a Scene or a Frame, and the walls.

    colour   "speed", "spin", "radius", "height", "coordination", "material", "fragment"; a colour; or a
             number for each grain;
             by default the material, if grains have several or the scene gives its colour, otherwise the speed
    limits   the ends of the colour scale; by default the range of the values; speeds begin at 0, and those below a
             millionth of the run's largest look at rest
    scale    a colour map of matplotlib
    name     the label of the colour scale
    marks    two dimensions: a line in each round grain that shows its rotation
    camera   three dimensions: the direction of view, such as (0.5, -1, 0.6)
    box      two corners of the visible region, e.g. to keep it the same in several plots; by default everything
    units    for labels: {"length": "m", "time": "s", "length/time": "m/s"}
    """
    source = source_of(source)
    view = _camera(source, camera)
    low, high = _box(source, box)
    faces, key, said, dimension = _faces(source, first_colour(source) if colour is None else colour, limits, scale)
    with drawn_on(ax, _size(source, view, low, high, box is not None)) as axes:
        if view is None:
            flat.prepare(axes, low, high)
            if walls:
                flat.draw_walls(axes, source)
            flat.draw_grains(axes, source, faces, marks=marks)
            _name_axes(axes, units)
        else:
            space.draw_grains(axes, source, faces, view, walls, low, high, box is not None)
        if legend:
            _legend(axes, key, label(said, dimension, units) if name is None else name)
        _title(axes, source, title, units)
    return axes


# ---------------------------------------------------------------- force chains

KINDS = (("sticks", BLUE), ("slides", ORANGE), ("pulls", RED))


def _kinds(contacts: Table) -> NDArray[Any]:
    """0 sticks, 1 slides, 2 pulls."""
    return np.where(contacts.force_normal < 0, 2, np.where(contacts.state == ContactState.SLIP, 1, 0))


def _branches(source: Source, contacts: Table) -> tuple[Floats, Floats, NDArray[Any]]:
    """From the centres of the grains to the contact points: starts, ends, and whose contact it is."""
    pair = np.flatnonzero(contacts.b >= 0)
    owner = np.concatenate([np.arange(len(contacts)), pair])
    start = sources.wrapped(source)[np.concatenate([contacts.a, contacts.b[pair]])]
    end = start + sources.nearest(source, contacts.point[owner] - start)
    if sources.oblique_cell(source) is not None:
        return start, end, owner
    for name, (low, high) in source.periodic.items():  # what leaves on one side enters on the other
        axis = "xyz".index(name)
        over, under = end[:, axis] > high, end[:, axis] < low
        shift = np.eye(3)[axis] * (high - low)
        start = np.vstack([start, start[over] - shift, start[under] + shift])
        end = np.vstack([end, end[over] - shift, end[under] + shift])
        owner = np.concatenate([owner, owner[over], owner[under]])
    return start, end, owner


def _bars(start: Floats, end: Floats, width: Floats) -> Floats:
    """Lines as thin rectangles, their width a length of the picture."""
    along = end - start
    size = np.maximum(np.linalg.norm(along, axis=1, keepdims=True), 1e-300)
    across = np.column_stack([-along[:, 1], along[:, 0]]) / size * width[:, None] / 2
    return np.stack([start - across, start + across, end + across, end - across], axis=1)


def _network(axes: Axes, source: Source, found: Table, force: Floats, tones: Floats, width: float,
             view: Camera | None, low: Floats, high: Floats, exact: bool, walls: bool,
             units: Mapping[str, str] | None) -> None:
    """Draws forces as lines from the centres to the contact points, in a tone for each contact."""
    start, end, owner = _branches(source, found)
    mean = force.mean() if len(force) and force.mean() > 0 else 1.0
    size = float(np.median(source.radius)) if len(source.radius) else 1.0
    wide = np.clip(0.16 * size * width * force / mean, 0.008 * size, 0.95 * size)[owner]
    colour = tones[owner]
    if view is None:
        flat.prepare(axes, low, high)
        if walls:
            flat.draw_walls(axes, source)
        flat.draw_grains(axes, source, np.tile(to_rgba("#eef0f2"), (len(source.radius), 1)), edge="#b9bec6",
                         width=0.4, marks=False)
        order = np.argsort(wide)
        _name_axes(axes, units)
    else:
        space.prepare(axes, *space.paper_box(source, view, low, high, exact))
        before, behind = space.outlines(source, view, low, high, solid=True)
        space.draw_lines(axes, before + behind if walls else [], 1, 0.45)
        start, end = view.see(start), view.see(end)
        colour, order = _faded(colour, (start + end)[:, 2]), np.argsort((start + end)[:, 2])
    inner = order[found.b[owner[order]] >= 0]  # lines to polygons bend at the contact point
    joint, rows = np.vstack([start[order, :2], end[inner, :2]]), np.concatenate([order, inner])
    for drawn in (PolyCollection(_bars(start[:, :2], end[:, :2], wide)[order], facecolors=colour[order],
                                 linewidths=0, zorder=4),
                  EllipseCollection(wide[rows], wide[rows], np.zeros(len(rows)), units="xy", offsets=joint,
                                    offset_transform=axes.transData, facecolors=colour[rows], linewidths=0,
                                    zorder=3.9)):
        axes.add_collection(drawn)
        if view is None:
            flat.clip_to_cell(axes, source, drawn)


def chains(source: Any, *, ax: Axes | None = None, width: float = 1.0, walls: bool = True, legend: bool = True,
           camera: ArrayLike | Camera | None = None, box: Box | None = None, title: str | None = None,
           units: Mapping[str, str] | None = None) -> Axes:
    """Draws the forces between grains: lines from the centres to the contact points (polygons may touch at several),
    with widths proportional to the normal force. Colours distinguish contacts that stick, slide, and pull (cohesion).
    `width` makes all lines wider or thinner."""
    source = source_of(source)
    if not _values.number(width, "width") > 0:
        raise ArgumentError("width: must be greater than zero")
    view = _camera(source, camera)
    low, high = _box(source, box)
    found = sources.active(source.contacts)
    kinds, force = _kinds(found), np.abs(found.force_normal)
    tones = np.array([to_rgba(tone) for _, tone in KINDS])[kinds]
    with drawn_on(ax, _size(source, view, low, high, box is not None)) as axes:
        _network(axes, source, found, force, tones, width, view, low, high, box is not None, walls, units)
        if legend:
            shown = [Patch(facecolor=tone, label=text) for k, (text, tone) in enumerate(KINDS) if np.any(kinds == k)]
            _legend(axes, shown, "")
        _title(axes, source, title, units)
    return axes


LOAD = LinearSegmentedColormap.from_list("load", ["#8297ad", "#c2ab55", "#e0862c", "#c3321f"], N=256)


def _glued(source: Source) -> tuple[Table, Floats]:
    """The bonds that hold, as contacts whose point is between the centres, or on the wall; and their loads."""
    held = getattr(source, "bonds", None)
    if held is None or not getattr(getattr(source, "run", None), "bonds", True):
        raise ArgumentError("there are no bonds: nothing is glued in this run")
    found = contact_table(len(held))
    a, b = np.asarray(held.a, int), np.asarray(held.b, int)
    position, radius = sources.wrapped(source), np.asarray(source.radius, float)
    branch = sources.nearest(source, position[b] - position[a])
    found.a, found.b = a, b
    point = position[a] + branch * (radius[a] / (radius[a] + radius[b]))[:, None]
    if np.any(b < 0):
        touching = source.contacts
        place = dict(zip(zip(touching.a.tolist(), touching.b.tolist()), touching.point))
        for k in np.flatnonzero(b < 0):
            point[k] = place.get((int(a[k]), int(b[k])), position[a[k]])
    found.point = point
    return found, np.clip(np.array(held.load, float), 0.0, 1.0)


def bonds(source: Any, *, ax: Axes | None = None, width: float = 1.0, walls: bool = True, legend: bool = True,
          camera: ArrayLike | Camera | None = None, box: Box | None = None, title: str | None = None,
          units: Mapping[str, str] | None = None) -> Axes:
    """Draws the bonds that hold: lines between the centres of grains that are glued, coloured by their loads, from 0
    (also where a bond is under pressure) to 1, at which it breaks. `width` makes all lines wider or thinner."""
    source = source_of(source)
    if not _values.number(width, "width") > 0:
        raise ArgumentError("width: must be greater than zero")
    found, load = _glued(source)
    view = _camera(source, camera)
    low, high = _box(source, box)
    with drawn_on(ax, _size(source, view, low, high, box is not None)) as axes:
        _network(axes, source, found, np.ones(len(found)), LOAD(load).reshape(-1, 4), 1.6 * width, view, low, high,
                 box is not None, walls, units)
        if legend:
            _legend(axes, ScalarMappable(Normalize(0, 1), LOAD), "load of the bond")
        _title(axes, source, title, units)
    return axes


def _faded(colour: Floats, nearness: Floats) -> Floats:
    """Far lines are paler."""
    spread = float(np.ptp(nearness)) if len(nearness) else 0.0
    share = ((nearness - nearness.min()) / spread if spread > 0 else np.ones(len(nearness)))[:, None]
    return colour * (0.3 + 0.7 * share) + np.array(to_rgba(PAPER)) * 0.7 * (1 - share)


# ---------------------------------------------------------------- indeterminacy

SPREAD = LinearSegmentedColormap.from_list("spread", [BLUE, "#8fb7cf", "#ecd9b0", ORANGE], N=256)


def indeterminacy(source: Any, *, found: measures.Indeterminacy | None = None, width: float = 1.0, walls: bool = True,
                  camera: ArrayLike | Camera | None = None, box: Box | None = None, title: str | None = None,
                  units: Mapping[str, str] | None = None, **options: Any) -> Figure:
    """Draws how far forces are indeterminate: the network, with widths proportional to the mean force, from blue
    (determined) to orange (fully undetermined); and next to it the range of force of each contact, ranked by present
    force, with the mean of the sampled networks. `found` is what scree.measures.indeterminacy returned; if omitted, it
    is called with `options`."""
    result = measures.indeterminacy(source, **options) if found is None else found
    source = source_of(source)
    view = _camera(source, camera)
    low, high = _box(source, box)
    rows = np.flatnonzero(result.contacts.state != ContactState.OPEN)
    ranges = result.contacts[rows]
    force = np.where(np.isfinite(ranges["mean"]), ranges["mean"], ranges.now)
    spread = np.where(np.isfinite(ranges.spread), ranges.spread, 0.0)
    wide, tall = _size(source, view, low, high, box is not None)
    with style():
        figure, (left, right) = plt.subplots(1, 2, figsize=(wide + 4.0, max(tall, 3.6)),
                                             width_ratios=(max(wide - 0.6, 2.0), 3.4))
        _network(left, source, source.contacts[rows], force, SPREAD(spread), width, view, low, high, box is not None,
                 walls, units)
        _legend(left, ScalarMappable(Normalize(0, 1), SPREAD), "(max $-$ min) / (max + min)")
        _title(left, source, title, units)
        _ranges(right, ranges, force, units)
    return figure


def _ranges(axes: Axes, ranges: Table, force: Floats, units: Mapping[str, str] | None) -> None:
    """What each contact can carry, over the mean of all, sorted by what it carries now. What has no bound leaves the
    picture."""
    mean = ranges.now.mean() if len(ranges) and ranges.now.mean() > 0 else 1.0
    order = np.argsort(ranges.now, kind="stable")
    place = np.arange(len(order))
    known = ranges[order[np.isfinite(ranges.least[order])]]
    bounded = ranges.most[np.isfinite(ranges.most)]
    top = 1.08 * max(bounded.max(initial=0.0), force.max(initial=0.0), ranges.now.max(initial=0.0)) / mean or 1.0
    if len(known):
        axes.vlines(place, known.least / mean, np.minimum(known.most / mean, 2 * top), linewidth=0.8,
                    color=SPREAD(known.spread), zorder=1)
    axes.plot(place, ranges.now[order] / mean, color=INK, linewidth=1.0, label="now", zorder=3)
    if np.isfinite(ranges["mean"]).any():
        axes.plot(place, ranges["mean"][order] / mean, ".", color=INK, markersize=2.2, label="mean of samples",
                  zorder=2)
    axes.set_ylim(0, top)
    axes.set_xlim(-1, max(len(order), 1))
    axes.set_xlabel("contacts, ranked by present force")
    axes.set_ylabel("normal force / mean")
    axes.legend(loc="upper left")


def velocities(source: Any, *, ax: Axes, length: float | None = None, colour: str = INK) -> None:
    """Adds velocity arrows to a plot in two dimensions; `length` is that of the longest one, in data units."""
    source = source_of(source)
    if source.dimension != 2:
        raise ArgumentError("arrows of velocity are drawn in two dimensions only")
    speed = np.linalg.norm(source.velocity, axis=1).max(initial=0)
    longest = 3 * float(np.median(source.radius)) if length is None else _values.number(length, "length")
    centre = sources.wrapped(source)
    ax.quiver(centre[:, 0], centre[:, 1], source.velocity[:, 0], source.velocity[:, 1], color=colour, zorder=5,
              angles="xy", scale_units="xy", scale=max(speed, sources.least_speed(source), 1e-300) / longest,
              width=0.0025)
