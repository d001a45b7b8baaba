"""Three dimensions: shaded balls, solids and walls seen from far away, force chains."""
from __future__ import annotations

import contextlib
import contextvars
from typing import Iterator

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.colors import to_rgb
from numpy.typing import NDArray

from .._values import Floats
from ..solids import turns
from ..walls import Wall, surface_of
from . import source as sources
from .bodies import Body, pieces_of
from .camera import Camera
from .flat import clip
from .render import Solids, image_of
from .source import Source
from .style import SOFT_INK, WALL

DOTS_PER_INCH = 200  # of the image of the grains
_across = contextvars.ContextVar[int]("_across", default=0)  # its pixels across the figure, where they are known

Polygons = list[tuple[Wall, Floats]]


def _vessel_of(plane: Wall, walls: list[Wall]) -> Wall | None:
    """The cylinder that a plane closes: that of its own name, as in a drum, or the only endless one there is. A tube of
    finite length may stand on a floor that goes on outside of it."""
    vessels = [wall for wall in walls if wall.present and wall.shape == "cylinder" and wall.inside and
               abs(wall.axis @ plane.normal) > 0.9999]
    group = plane.name.partition(".")[0]
    own = [wall for wall in vessels if "." in plane.name and wall.name.startswith(f"{group}.")]
    endless = [wall for wall in vessels if wall.length == 0]
    return own[0] if own else endless[0] if len(endless) == 1 else None


def _disc(plane: Wall, vessel: Wall, across: Floats, other: Floats) -> Floats:
    centre = vessel.point - plane.normal * ((vessel.point - plane.point) @ plane.normal)
    turn = np.linspace(0, 2 * np.pi, 360, endpoint=False)[:, None]
    return np.asarray(centre + vessel.radius * (np.cos(turn) * across + np.sin(turn) * other))


def plane_polygons(source: Source, low: Floats, high: Floats) -> Polygons:
    """What is seen of each plane: the part within the box of the picture that inclined planes leave free. Those along
    the axes end with the box, or stand within it, as a gate does; the ends of a drum are discs."""
    walls = source.walls
    planes = [wall for wall in walls if wall.present and wall.shape == "plane"]
    size = float(np.linalg.norm(high - low))
    found = []
    for wall in planes:
        across = np.cross(wall.normal, np.eye(3)[np.abs(wall.normal).argmin()])
        across /= np.linalg.norm(across)
        other = np.cross(wall.normal, across)
        vessel = _vessel_of(wall, walls)
        if vessel is not None:
            found.append((wall, _disc(wall, vessel, across, other)))
            continue
        foot = (low + high) / 2
        foot = foot - wall.normal * ((foot - wall.point) @ wall.normal)
        square = foot + size * np.array([across + other, other - across, -across - other, across - other])
        for axis in range(3):
            direction = np.eye(3)[axis]
            square = clip(square, direction, low[axis] - 1e-9 * size) if len(square) else square
            square = clip(square, -direction, -high[axis] - 1e-9 * size) if len(square) else square
        for neighbour in planes:
            if neighbour is not wall and len(square) and np.abs(neighbour.normal).max() < 0.999:
                square = clip(square, neighbour.normal, float(neighbour.normal @ neighbour.point) - 1e-9 * size)
        if len(square) > 2:
            found.append((wall, square))
    return found


def _cylinder_ends(wall: Wall, low: Floats, high: Floats) -> tuple[Floats, float]:
    """Middle and half length; an endless one ends with the box."""
    if wall.length > 0:
        return wall.point, wall.length / 2
    corner = np.array([[low[0], high[0]], [low[1], high[1]], [low[2], high[2]]])
    grid = np.array(np.meshgrid(*corner)).reshape(3, -1).T
    along = (grid - wall.point) @ wall.axis
    return wall.point + wall.axis * (along.min() + along.max()) / 2, (along.max() - along.min()) / 2


def solids_of(source: Source, camera: Camera, faces: Floats, low: Floats, high: Floats, walls: bool) -> Solids:
    """Everything that is seen, in the frame of the camera."""
    colour = np.array(to_rgb(WALL))
    centre, tones, shape = camera.see(sources.wrapped(source)), np.asarray(faces)[:, :3], np.asarray(source.shape)
    round_ones = shape < 0
    made = Solids(centre[round_ones], np.array(source.radius)[round_ones], tones[round_ones],
                  bodies=_bodies(source, camera, centre, tones))
    if not walls:
        return made
    for wall, polygon in plane_polygons(source, low, high):
        if wall.normal @ camera.axes[2] > 1e-9:  # it lies behind the grains
            made.polygons.append((camera.see(polygon), colour))
    for wall in source.walls:
        if wall.present and wall.shape == "cylinder":
            middle, half = _cylinder_ends(wall, low, high)
            made.cylinders.append((camera.see(middle), camera.axes @ wall.axis, wall.radius, half, wall.inside, colour))
        elif wall.present and wall.shape == "block":
            axes = sources.rotation(wall.orientation).T @ camera.axes.T
            made.blocks.append((camera.see(wall.point), axes, wall.half, colour))
        elif wall.present and (surface := surface_of(wall)) is not None:
            corners = camera.see(surface.vertices)[surface.triangles]
            made.polygons += [(corner, colour) for corner in _facing(corners[~_hides(corners, source, camera)])]
    return made


def _facing(corner: Floats) -> Floats:
    """Triangles (n, 3, 3) in the frame of the camera, turned to look this way."""
    turned = np.cross(corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0])[:, 2] < 0
    return np.asarray(np.where(turned[:, None, None], corner[:, ::-1], corner))


def _hides(corner: Floats, source: Source, camera: Camera) -> NDArray[np.bool_]:
    """Which triangles hide the middle of a grain, or lie before it: of these only the edges are drawn."""
    middle, nearest = corner.mean(axis=1), corner[:, :, 2].min(axis=1)
    side = np.roll(corner, -1, axis=1)[:, :, :2] - corner[:, :, :2]
    hides = np.zeros(len(corner), bool)
    for (x, y, z), radius in zip(camera.see(sources.wrapped(source)), np.asarray(source.radius)):
        to = np.array([x, y]) - corner[:, :, :2]
        turn = side[:, :, 0] * to[:, :, 1] - side[:, :, 1] * to[:, :, 0]
        over = (turn > 0).all(axis=1) | (turn < 0).all(axis=1)
        hides |= (over | (np.hypot(middle[:, 0] - x, middle[:, 1] - y) < radius)) & (nearest > z)
    return hides


def _bare_edges(triangles: NDArray[np.int32], corner: Floats, bare: NDArray[np.bool_]) -> list[Floats]:
    """The edges of bare triangles, as lines on paper: rims, and those where the surface bends."""
    normal = np.cross(corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0])
    normal /= np.linalg.norm(normal, axis=1)[:, None]
    beside: dict[tuple[int, int], list[int]] = {}
    for number, (a, b, c) in enumerate(triangles.tolist()):
        for one, other in ((a, b), (b, c), (c, a)):
            beside.setdefault((min(one, other), max(one, other)), []).append(number)
    place = {vertex: corner[number, k, :2] for number, three in enumerate(triangles.tolist())
             for k, vertex in enumerate(three)}
    return [np.array([place[one], place[other]]) for (one, other), faces in beside.items()
            if bare[faces].any() and (len(faces) != 2 or abs(normal[faces[0]] @ normal[faces[1]]) < 0.9998)]


def _bodies(source: Source, camera: Camera, centre: Floats, tones: Floats) -> list[Body]:
    """The grains that are solids."""
    shape, solids = np.asarray(source.shape), source.solids
    chosen = np.flatnonzero(shape >= 0)
    pieces = {number: pieces_of(solids[number]) for number in np.unique(shape[chosen]).tolist()}
    turn = camera.axes @ turns(np.asarray(source.orientation)[chosen])
    radius = np.asarray(source.radius)
    return [Body(pieces[shape[grain]], matrix, centre[grain], float(radius[grain]), tones[grain])
            for grain, matrix in zip(chosen.tolist(), turn)]


def outlines(source: Source, camera: Camera, low: Floats, high: Floats,
             solid: bool = False) -> tuple[list[Floats], list[Floats]]:
    """Edges of walls before the grains, and of those behind them, as lines on paper; with `solid` also those of
    walls that the image shows as bodies."""
    before: list[Floats] = []
    behind: list[Floats] = []
    for wall, polygon in plane_polygons(source, low, high):
        line = camera.see(np.vstack([polygon, polygon[:1]]))[:, :2]
        (behind if wall.normal @ camera.axes[2] > 1e-9 else before).append(line)
    for wall in source.walls:
        if wall.present and wall.shape == "cylinder" and (wall.inside or solid):
            middle, half = _cylinder_ends(wall, low, high)
            for side, ring in zip((-1, 1), _rings(wall, camera, middle, half)):
                (before if side * (wall.axis @ camera.axes[2]) > 0 else behind).append(ring)
            before += _sides(wall, camera, middle, half)
        elif wall.present and wall.shape == "block" and solid:
            corner = camera.see(sources.block_corners(wall))[:, :2]
            before += [corner[[k, k ^ bit]] for bit in (1, 2, 4) for k in range(8) if not k & bit]
        elif wall.present and (surface := surface_of(wall)) is not None:
            corners = camera.see(surface.vertices)[surface.triangles]
            before += _bare_edges(surface.triangles, corners, _hides(corners, source, camera))
    return before, behind


def _rings(wall: Wall, camera: Camera, middle: Floats, half: float) -> list[Floats]:
    """The two ends of a cylinder on paper."""
    turn = np.linspace(0, 2 * np.pi, 121)
    across = np.cross(wall.axis, np.eye(3)[np.abs(wall.axis).argmin()])
    across /= np.linalg.norm(across)
    other = np.cross(wall.axis, across)
    ring = wall.radius * (np.cos(turn)[:, None] * across + np.sin(turn)[:, None] * other)
    return [camera.see(middle + side * half * wall.axis + ring)[:, :2] for side in (-1, 1)]


def _sides(wall: Wall, camera: Camera, middle: Floats, half: float) -> list[Floats]:
    """The outline of a cylinder between its ends, as seen."""
    edge = np.cross(wall.axis, camera.axes[2])
    if np.linalg.norm(edge) < 1e-6:
        return []
    edge = wall.radius * edge / np.linalg.norm(edge)
    ends = np.array([-half * wall.axis, half * wall.axis])
    return [camera.see(middle + side * edge + ends)[:, :2] for side in (-1, 1)]


def paper_box(source: Source, camera: Camera, low: Floats, high: Floats,
              exact: bool = False) -> tuple[Floats, Floats]:
    """The part of the paper that is needed; with `exact` that of the box low..high, whatever lies outside of it."""
    grid = np.array(np.meshgrid(*np.array([low, high]).T)).reshape(3, -1).T
    centre = camera.see(sources.wrapped(source))[:, :2]
    points = [] if exact else [centre + reach[:, :2] for reach in sources.reach_in_space(source, camera.axes)]
    if exact or any(wall.present for wall in source.walls) or not len(centre):
        points.append(camera.see(grid)[:, :2])
    every = np.vstack(points)
    air = 0.02 * np.ptp(every, axis=0).max()
    return every.min(axis=0) - air, every.max(axis=0) + air


def prepare(axes: Axes, low: Floats, high: Floats) -> None:
    """Bare paper."""
    axes.set_xlim(low[0], high[0])
    axes.set_ylim(low[1], high[1])
    axes.set_aspect("equal")
    axes.set_axis_off()


def draw_lines(axes: Axes, lines: list[Floats], zorder: float, strength: float) -> None:
    """Thin lines for edges."""
    axes.add_collection(LineCollection(lines, colors=SOFT_INK, linewidths=0.7, alpha=strength, zorder=zorder))


@contextlib.contextmanager
def pixels_across(count: int) -> Iterator[None]:
    """What is drawn here need not be finer than a figure of so many pixels shows."""
    token = _across.set(count)
    try:
        yield
    finally:
        _across.reset(token)


def draw_grains(axes: Axes, source: Source, faces: Floats, camera: Camera, walls: bool, low: Floats,
                high: Floats, exact: bool) -> None:
    """The whole picture on axes whose limits are set here; planes are shown within the box low..high."""
    left, right = paper_box(source, camera, low, high, exact)
    prepare(axes, left, right)
    figure = axes.get_figure()
    width = _across.get() or figure.get_size_inches()[0] * axes.get_position().width * DOTS_PER_INCH
    pixel = max(float((right - left).max()) / max(width, 200), 1e-300)
    image = image_of(solids_of(source, camera, faces, low, high, walls), left, right, pixel)
    extent = (left[0], left[0] + image.shape[1] * pixel, left[1], left[1] + image.shape[0] * pixel)
    axes.imshow(image, origin="lower", extent=extent, interpolation="antialiased", zorder=2)
    prepare(axes, left, right)
    if walls:
        draw_lines(axes, outlines(source, camera, low, high)[0], 3, 0.45)
