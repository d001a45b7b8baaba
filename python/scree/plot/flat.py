"""Two dimensions: grains as they are, walls."""
from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import EllipseCollection, LineCollection, PolyCollection
from matplotlib.patches import Circle, Polygon, Rectangle
from numpy.typing import NDArray

from .._values import Floats
from ..walls import Wall
from . import source as sources
from .source import Source
from .style import INK, SOFT_INK, WALL, WALL_EDGE

MARKS_MOST = 4000  # with more grains the marks of rotation would be dust


def prepare(axes: Axes, low: Floats, high: Floats) -> None:
    """Limits with some air, the same scale both ways."""
    air = 0.035 * max((high - low)[:2].max(), 1e-300)
    axes.set_xlim(low[0] - air, high[0] + air)
    axes.set_ylim(low[1] - air, high[1] + air)
    axes.set_aspect("equal")


def _outline(corner: Floats, edges: Floats) -> Floats:
    """The corners of an oblique cell in the plane."""
    return np.array([corner, corner + edges[0], corner + edges[0] + edges[1], corner + edges[1]])[:, :2]


def clip_to_cell(axes: Axes, source: Source, artist: Any) -> None:
    """Cuts what is drawn at the ends of a periodic cell."""
    if not source.periodic:
        return
    oblique = sources.oblique_cell(source)
    if oblique is not None and len(source.periodic) > 1:
        artist.set_clip_path(Polygon(_outline(*oblique), transform=axes.transData))
        return
    (left, right), (bottom, top) = axes.get_xlim(), axes.get_ylim()
    left, right = source.periodic.get("x", (left, right))
    bottom, top = source.periodic.get("y", (bottom, top))
    artist.set_clip_path(Rectangle((left, bottom), right - left, top - bottom, transform=axes.transData))


def _oblique_images(source: Source, corner: Floats, edges: Floats, centre: Floats) -> tuple[Floats, NDArray[Any]]:
    """The same in an oblique cell: whatever is nearer to its faces than a radius, on either side."""
    inverse = np.linalg.inv(edges)
    reach = np.asarray(source.radius)[:, None] * np.linalg.norm(inverse, axis=0)
    around = [(-1, 0, 1) if axis in source.periodic else (0,) for axis in "xyz"]
    copies, owners = [], []
    for shift in np.array(np.meshgrid(*around)).reshape(3, -1).T:
        at = (centre - corner) @ inverse + shift
        near = np.all(((at > -reach) & (at < 1 + reach))[:, [axis in source.periodic for axis in "xyz"]], axis=1)
        copies.append(centre[near] + shift @ edges)
        owners.append(np.flatnonzero(near))
    return np.vstack(copies), np.concatenate(owners)


def images(source: Source) -> tuple[Floats, NDArray[Any]]:
    """Centres with the periodic images that reach into the cell, and whose they are."""
    centre, owner = sources.wrapped(source), np.arange(len(source.radius))
    oblique = sources.oblique_cell(source)
    if oblique is not None:
        return _oblique_images(source, *oblique, centre)
    for name, (low, high) in source.periodic.items():
        axis, radius = "xyz".index(name), np.asarray(source.radius)[owner]
        copies, owners = [centre], [owner]
        for shift, reaches in ((high - low, centre[:, axis] - radius < low),
                               (low - high, centre[:, axis] + radius > high)):
            copy = centre[reaches].copy()
            copy[:, axis] += shift
            copies.append(copy)
            owners.append(owner[reaches])
        centre, owner = np.vstack(copies), np.concatenate(owners)
    return centre, owner


def draw_grains(axes: Axes, source: Source, faces: Floats, *, edge: str = INK, width: float | None = None,
                marks: bool = True) -> None:
    """Circles in one collection, with a line in each that shows how far it has turned; polygons in another."""
    centre, owner = images(source)
    if width is None:
        width = 0.6 if len(owner) < 500 else 0.35 if len(owner) < 3000 else 0.15
    round_ones = np.asarray(source.shape)[owner] < 0
    _draw_disks(axes, source, centre[round_ones], owner[round_ones], faces, edge, width, marks)
    if not round_ones.all():
        _draw_polygons(axes, source, centre[~round_ones], owner[~round_ones], faces, edge, width)


def _draw_polygons(axes: Axes, source: Source, centre: Floats, owner: NDArray[Any], faces: Floats, edge: str,
                   width: float) -> None:
    """Each part with its edge; of several parts once more without, so that no edge shows inside. There the inner half
    of the edge is covered, so it is drawn twice as wide."""
    outlines, place = source.outlines, np.asarray(source.position)[:, :2]
    curves: list[Floats] = []
    owners: list[int] = []
    widths: list[float] = []
    for at, number in zip(centre[:, :2], owner.tolist()):
        parts = [curve + (at - place[number]) for curve in outlines[number]]
        for wide in (width,) if len(parts) == 1 else (2 * width, 0.0):
            curves += parts
            owners += [number] * len(parts)
            widths += [wide] * len(parts)
    polygons = PolyCollection(curves, facecolors=faces[owners], edgecolors=edge, linewidths=widths, joinstyle="round",
                              zorder=2)
    axes.add_collection(polygons)
    clip_to_cell(axes, source, polygons)


def _draw_disks(axes: Axes, source: Source, centre: Floats, owner: NDArray[Any], faces: Floats, edge: str,
                width: float, marks: bool) -> None:
    radius = np.asarray(source.radius)[owner]
    if not len(radius):  # matplotlib would draw one all the same
        return
    circles = EllipseCollection(2 * radius, 2 * radius, np.zeros(len(radius)), units="xy", offsets=centre[:, :2],
                                offset_transform=axes.transData, facecolors=faces[owner], edgecolors=edge,
                                linewidths=width, zorder=2)
    axes.add_collection(circles)
    clip_to_cell(axes, source, circles)
    if marks and len(radius) <= MARKS_MOST:
        turned = 2 * np.arctan2(source.orientation[owner, 3], source.orientation[owner, 0])
        tip = centre[:, :2] + 0.78 * radius[:, None] * np.column_stack([np.cos(turned), np.sin(turned)])
        start = centre[:, :2] + 0.3 * (tip - centre[:, :2])
        dark = faces[owner, :3] @ (0.3, 0.59, 0.11) > 0.55
        lines = LineCollection(np.stack([start, tip], axis=1), linewidths=max(2.2 * width, 0.5),
                               colors=np.where(dark[:, None], (0.12, 0.14, 0.18, 0.4), (1, 1, 1, 0.55)),
                               capstyle="round", zorder=2.1)
        axes.add_collection(lines)
        clip_to_cell(axes, source, lines)


# ---------------------------------------------------------------- walls


def draw_walls(axes: Axes, source: Source) -> None:
    """Walls that are there: solid where no grain can be."""
    (left, right), (bottom, top) = axes.get_xlim(), axes.get_ylim()
    view = np.array([[left, bottom], [right, bottom], [right, top], [left, top]])
    present = [wall for wall in source.walls if wall.present]
    planes = [wall for wall in present if wall.shape == "plane"]
    for wall in present:
        if wall.shape == "plane":
            _draw_plane(axes, wall, [other for other in planes if other is not wall], view)
        else:
            _draw_wall(axes, wall)
    oblique = sources.oblique_cell(source)
    if oblique is not None and len(source.periodic) > 1:
        axes.add_patch(Polygon(_outline(*oblique), fill=False, edgecolor=SOFT_INK, linewidth=0.8,
                               linestyle=(0, (4, 3)), zorder=3))
        return
    for name, ends in source.periodic.items():
        line = axes.axvline if name == "x" else axes.axhline
        for end in ends if name != "z" else ():
            line(end, color=SOFT_INK, linewidth=0.8, linestyle=(0, (4, 3)), zorder=3)


def _draw_plane(axes: Axes, wall: Wall, others: list[Wall], view: Floats) -> None:
    """The half space behind it, and its edge where no other plane covers it."""
    normal, offset = wall.normal[:2], float(wall.normal[:2] @ wall.point[:2])
    behind = clip(view, -normal, -offset)
    if len(behind) < 3:
        return
    axes.add_patch(Polygon(behind, facecolor=WALL, edgecolor="none", zorder=1))
    size = np.ptp(view, axis=0).max()
    along = np.array([-normal[1], normal[0]]) * size * 2
    middle = wall.point[:2] + along * ((view.mean(axis=0) - wall.point[:2]) @ along) / (along @ along)
    line = np.array([middle - along, middle + along])
    for other in others:
        line = clip(line, other.normal[:2], float(other.normal[:2] @ other.point[:2]) - 1e-9 * size)
        if len(line) < 2:
            return
    axes.plot(*line[:2].T, color=WALL_EDGE, linewidth=1.0, zorder=1.1, scalex=False, scaley=False,
              solid_capstyle="butt")


def _draw_wall(axes: Axes, wall: Wall) -> None:
    solid = {"facecolor": WALL, "edgecolor": WALL_EDGE, "linewidth": 1.0, "zorder": 1, "clip_on": True}
    if wall.shape == "segment":
        axes.plot([wall.point[0], wall.end[0]], [wall.point[1], wall.end[1]], color=WALL_EDGE, linewidth=2.2,
                  zorder=3, solid_capstyle="round")
    elif wall.shape == "block":
        turn = sources.rotation(wall.orientation)[:2, :2]
        square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * wall.half[:2]
        axes.add_patch(Polygon(wall.point[:2] + square @ turn.T, **solid))
    elif wall.inside:
        axes.add_patch(Circle(wall.point[:2], wall.radius, fill=False, edgecolor=WALL_EDGE, linewidth=1.6, zorder=1))
    else:
        axes.add_patch(Circle(wall.point[:2], wall.radius, **solid))


def clip(polygon: Floats, normal: Floats, offset: float) -> Floats:
    """The part of a convex polygon where normal . x >= offset."""
    kept: list[Floats] = []
    side = polygon @ normal - offset
    for here in range(len(polygon)):
        there = (here + 1) % len(polygon)
        if side[here] >= 0:
            kept.append(polygon[here])
        if (side[here] >= 0) != (side[there] >= 0):
            share = side[here] / (side[here] - side[there])
            kept.append(polygon[here] + share * (polygon[there] - polygon[here]))
    return np.array(kept).reshape(-1, polygon.shape[1])
