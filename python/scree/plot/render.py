"""Balls, solids and walls as a shaded image, by casting a ray through every pixel, with numpy alone.

Everything is in the frame of the camera: x to the right, y up, z towards the eye, so that a ray runs along -z and the
largest z at a pixel is seen. The same raster, seen from the light, tells what lies in shadow."""
from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from .._values import Floats
from .bodies import Body

LIGHT = np.array([-0.40, 0.78, 0.48]) / np.linalg.norm([-0.40, 0.78, 0.48])
FILL = np.array([0.65, 0.05, 0.76]) / np.linalg.norm([0.65, 0.05, 0.76])  # a weak second light, without shadows
AMBIENT, DIFFUSE, FILLING, SHINE = 0.54, 0.52, 0.18, 0.10
NOTHING, WALL, FIRST_BODY = -1, -2, -3  # owners of pixels besides balls; further bodies count downwards
EDGE = np.cos(np.radians(12))  # faces that meet at a larger angle have a line between them
INK = 0.45  # how much darker it is
BAND = 16  # rows of pixels that are lit at a time


@dataclass
class Solids:
    """What can be seen, in the frame of the camera."""

    centre: Floats  # (n, 3) of balls
    radius: Floats  # (n,)
    colour: Floats  # (n, 3)
    polygons: list[tuple[Floats, Floats]] = field(default_factory=list)  # corners (k, 3), colour
    cylinders: list[tuple[Floats, Floats, float, float, bool, Floats]] = field(
        default_factory=list)  # middle, axis, radius, half length, seen from inside, colour
    blocks: list[tuple[Floats, Floats, Floats, Floats]] = field(default_factory=list)  # middle, axes, half, colour
    bodies: list[Body] = field(default_factory=list)

    def grains(self) -> tuple[Floats, Floats]:
        """Centres and radii of balls, and of those that hold bodies."""
        return (np.vstack([self.centre, *(body.place for body in self.bodies)]),
                np.concatenate([self.radius, [body.radius for body in self.bodies]]))


class Raster:
    """For each pixel how near the nearest surface is, its normal and its colour."""

    def __init__(self, low: Floats, high: Floats, pixel: float) -> None:
        self.low, self.pixel = np.asarray(low, float), pixel
        self.width = max(int(np.ceil((high[0] - low[0]) / pixel)), 1)
        self.height = max(int(np.ceil((high[1] - low[1]) / pixel)), 1)
        self.x = low[0] + (np.arange(self.width) + 0.5) * pixel
        self.y = low[1] + (np.arange(self.height) + 0.5) * pixel
        self.depth = np.full((self.height, self.width), -np.inf)
        self.owner = np.full((self.height, self.width), NOTHING, np.int32)  # a ball, or one of the above
        self.flat = np.zeros((self.height, self.width), bool)  # a face is seen there
        self.normal = np.zeros((self.height, self.width, 3), np.float32)
        self.colour = np.zeros((self.height, self.width, 3), np.float32)

    def span(self, low: float, high: float, axis: int) -> slice:
        """The pixels between two places."""
        size = self.width if axis == 0 else self.height
        begin = int(np.floor((low - self.low[axis]) / self.pixel))
        end = int(np.ceil((high - self.low[axis]) / self.pixel)) + 1
        return slice(min(max(begin, 0), size), min(max(end, 0), size))

    def add_balls(self, centre: Floats, radius: Floats) -> None:
        """Balls; only depth and owner, since the rest follows from the owner. Near ones first: those that are
        hidden then cost one comparison."""
        for ball in np.argsort(-(centre[:, 2] + radius)):
            (x, y, z), r = centre[ball], radius[ball]
            columns, rows = self.span(x - r, x + r, 0), self.span(y - r, y + r, 1)
            depth = self.depth[rows, columns]
            if depth.size == 0 or depth.min() >= z + r:
                continue
            under = r * r - (self.x[columns] - x)[None, :] ** 2 - (self.y[rows] - y)[:, None] ** 2
            seen = np.where(under > 0, z + np.sqrt(np.maximum(under, 0)), -np.inf)
            nearer = seen > depth
            depth[nearer] = seen[nearer]
            self.owner[rows, columns][nearer] = ball

    def finish_balls(self, solids: Solids) -> None:
        """Normals and colours of the balls."""
        at = np.flatnonzero(self.owner >= 0)
        ball, (row, column) = self.owner.ravel()[at], np.divmod(at, self.width)
        normal = np.empty((len(at), 3), np.float32)
        for k, place in enumerate((self.x[column], self.y[row], self.depth.ravel()[at])):
            normal[:, k] = (place - solids.centre[ball, k]) / solids.radius[ball]
        self.normal.reshape(-1, 3)[at] = normal
        self.colour.reshape(-1, 3)[at] = solids.colour.astype(np.float32)[ball]

    def put(self, rows: slice, columns: slice, depth: Floats, normal: Floats, colour: Floats, owner: int) -> None:
        """A surface over a part of the image; depth is -inf where it is not."""
        nearer = depth > self.depth[rows, columns]
        np.copyto(self.depth[rows, columns], depth, where=nearer)
        np.copyto(self.owner[rows, columns], owner, where=nearer)
        np.copyto(self.flat[rows, columns], normal.ndim == 1, where=nearer)
        for k in range(3):
            np.copyto(self.normal[rows, columns, k], normal[..., k], where=nearer, casting="same_kind")
            np.copyto(self.colour[rows, columns, k], colour[k], where=nearer, casting="same_kind")

    def add_polygon(self, corner: Floats, colour: Floats) -> None:
        """A flat convex polygon; its corners turn left as seen from its front. Only the front is seen."""
        normal = np.cross(corner[1] - corner[0], corner[2] - corner[0])
        for k in range(1, len(corner) - 1):  # the largest triangle gives the most accurate direction
            other = np.cross(corner[k] - corner[0], corner[k + 1] - corner[0])
            normal = other if other @ other > normal @ normal else normal
        if normal @ normal == 0 or normal[2] <= 1e-6 * np.linalg.norm(normal):
            return
        self.fill(corner, normal / np.linalg.norm(normal), colour, WALL)

    def fill(self, corner: Floats, normal: Floats, colour: Floats, owner: int) -> None:
        """The same with its normal, which looks this way."""
        low, high = corner.min(axis=0), corner.max(axis=0)
        columns, rows = self.span(low[0], high[0], 0), self.span(low[1], high[1], 1)
        x, y = self.x[columns][None, :], self.y[rows][:, None]
        inside = np.ones((y.shape[0], x.shape[1]), bool)
        for here, there in zip(corner, np.roll(corner, -1, axis=0)):
            inside &= (there[0] - here[0]) * (y - here[1]) - (there[1] - here[1]) * (x - here[0]) >= 0
        depth = corner[0, 2] - (normal[0] * (x - corner[0, 0]) + normal[1] * (y - corner[0, 1])) / normal[2]
        self.put(rows, columns, np.where(inside, depth, -np.inf), normal, colour, owner)

    def fill_patch(self, corner: Floats, normal: Floats, colour: Floats, owner: int) -> None:
        """A triangle of a smooth surface, whose normals are those at its corners and run evenly between them."""
        low, high = corner.min(axis=0), corner.max(axis=0)
        columns, rows = self.span(low[0], high[0], 0), self.span(low[1], high[1], 1)
        x, y = self.x[columns][None, :], self.y[rows][:, None]
        weight = []
        for k in range(3):  # twice the area between the pixel and the side opposite to corner k
            here, there = corner[(k + 1) % 3], corner[(k + 2) % 3]
            weight.append((there[0] - here[0]) * (y - here[1]) - (there[1] - here[1]) * (x - here[0]))
        share = np.stack(weight, -1)
        whole = share.sum(axis=-1, keepdims=True)
        share = share / np.where(whole > 0, whole, 1)
        found = share @ normal
        size = np.linalg.norm(found, axis=-1, keepdims=True)
        inside = (share >= -1e-9).all(axis=-1) & (whole[..., 0] > 0)
        self.put(rows, columns, np.where(inside, share @ corner[:, 2], -np.inf), found / np.where(size > 0, size, 1),
                 colour, owner)

    def add_cylinder(self, middle: Floats, axis: Floats, radius: float, half: float, inside: bool,
                     colour: Floats, owner: int = WALL) -> None:
        """A round wall. From outside its nearer side and its ends are seen; from inside its further side. The ends of
        what belongs to a body lie in balls."""
        reach = np.abs(axis) * half + radius * np.sqrt(np.maximum(1 - axis**2, 0))
        columns = self.span(middle[0] - reach[0], middle[0] + reach[0], 0)
        rows = self.span(middle[1] - reach[1], middle[1] + reach[1], 1)
        x, y = np.meshgrid(self.x[columns] - middle[0], self.y[rows] - middle[1])
        flat = 1 - axis[2] ** 2  # |ray x axis|^2
        if flat > 1e-9:
            # point (x, y, z) - axis (axis . point) has length radius: flat z^2 - 2 b z + c = 0
            across = x * axis[0] + y * axis[1]
            b, c = axis[2] * across, x**2 + y**2 - across**2 - radius**2
            root = b**2 - flat * c
            z = (b + (-1 if inside else 1) * np.sqrt(np.maximum(root, 0))) / flat
            along = across + axis[2] * z
            depth = np.where((root > 0) & (np.abs(along) <= half), z + middle[2], -np.inf)
            normal = np.stack([x, y, z], -1) - along[..., None] * axis
            self.put(rows, columns, depth, (-1 if inside else 1) * normal / radius, colour, owner)
        if owner == WALL and not inside and abs(axis[2]) > 1e-6:
            end = axis * np.sign(axis[2])
            z = (half - x * end[0] - y * end[1]) / end[2]
            point = np.stack([x, y, z], -1) - half * end
            depth = np.where((point**2).sum(-1) <= radius**2, z + middle[2], -np.inf)
            self.put(rows, columns, depth, end, colour, owner)

    def add_block(self, middle: Floats, axes: Floats, half: Floats, colour: Floats) -> None:
        """A box: the three faces that look this way. Rows of `axes` are its directions."""
        for k in range(3):
            i, j = (k + 1) % 3, (k + 2) % 3
            for side in (-1, 1):
                u, v = axes[i] * half[i], axes[j] * half[j]
                face = middle + side * half[k] * axes[k]
                turn = [u + v, v - u, -u - v, u - v]
                self.add_polygon(face + np.array(turn if side > 0 else turn[::-1]), colour)

    def add_ball(self, centre: Floats, radius: float, colour: Floats, owner: int) -> None:
        """A ball that belongs to a body."""
        (x, y, z), r = centre, radius
        columns, rows = self.span(x - r, x + r, 0), self.span(y - r, y + r, 1)
        x, y = np.meshgrid(self.x[columns] - x, self.y[rows] - y)
        under = r * r - x * x - y * y
        height = np.sqrt(np.maximum(under, 0))
        self.put(rows, columns, np.where(under > 0, z + height, -np.inf), np.stack([x, y, height], -1) / r, colour,
                 owner)

    def add_bodies(self, bodies: list[Body]) -> None:
        """Solids, near ones first: those that are hidden then cost one comparison."""
        for number in np.argsort([-(body.place[2] + body.radius) for body in bodies]):
            body = bodies[number]
            (x, y, z), r = body.place, body.radius
            depth = self.depth[self.span(y - r, y + r, 1), self.span(x - r, x + r, 0)]
            if depth.size == 0 or depth.min() >= z + r:
                continue
            pieces, owner = body.surface(), FIRST_BODY - int(number)
            for corner, normal in pieces.faces:
                self.fill(corner, normal, body.colour, owner)
            for corner, normal in pieces.patches:
                self.fill_patch(corner, normal, body.colour, owner)
            for middle, axis, radius, half in pieces.tubes:
                self.add_cylinder(middle, axis, radius, half, False, body.colour, owner)
            for centre, radius in pieces.balls:
                self.add_ball(centre, radius, body.colour, owner)

    def edges(self) -> NDArray[np.bool_]:
        """Pixels of flat faces next to which another one begins, of the same body or of another."""
        found = np.zeros(self.owner.shape, bool)
        for here, there in ((np.s_[:, 1:], np.s_[:, :-1]), (np.s_[1:, :], np.s_[:-1, :])):
            cosine = (self.normal[here] * self.normal[there]).sum(-1)
            both = self.flat[here] & self.flat[there] & (np.maximum(self.owner[here], self.owner[there]) <= FIRST_BODY)
            both &= (cosine < EDGE) | (self.owner[here] != self.owner[there])
            found[here] |= both
            found[there] |= both
        return found

    def add(self, solids: Solids) -> None:
        """Everything."""
        self.add_balls(solids.centre, solids.radius)
        self.finish_balls(solids)
        self.add_bodies(solids.bodies)
        for corner, colour in solids.polygons:
            self.add_polygon(corner, colour)
        for cylinder in solids.cylinders:
            self.add_cylinder(*cylinder)
        for block in solids.blocks:
            self.add_block(*block)


# ---------------------------------------------------------------- light


def _lit_share(raster: Raster, solids: Solids, coarse: int = 2) -> NDArray[np.float32]:
    """How much of the light reaches each pixel: nine looks at the depth as the light sees it, for every second ray."""
    across = np.cross([0, 1.0, 0], LIGHT)
    across /= np.linalg.norm(across)
    axes = np.array([across, np.cross(LIGHT, across), LIGHT])
    centre, around = solids.grains()
    centre, size = centre @ axes.T, float(np.median(around)) if len(around) else 0.0
    depth, normal = raster.depth[::coarse, ::coarse], raster.normal[::coarse, ::coarse]
    share = np.ones(depth.shape, np.float32)
    seen = np.isfinite(depth)
    if not len(centre) or not seen.any():
        return _spread(share, coarse, raster.depth.shape)
    extent = centre.max(axis=0) - centre.min(axis=0) + 2 * around.max()
    pixel = max(raster.pixel * 1.5, extent[:2].max() / 2500)
    around = around[:, None] + 4 * pixel
    map_of = Raster((centre[:, :2] - around).min(axis=0), (centre[:, :2] + around).max(axis=0), pixel)
    map_of.add_balls(solids.centre @ axes.T, solids.radius)
    map_of.add_bodies([body.seen(axes) for body in solids.bodies])
    for middle, axis, radius, half, inside, colour in solids.cylinders:
        if not inside:
            map_of.add_cylinder(axes @ middle, axes @ axis, radius, half, inside, colour)
    for middle, block, halves, colour in solids.blocks:
        map_of.add_block(axes @ middle, block @ axes.T, halves, colour)
    row, column = np.nonzero(seen)
    place = np.column_stack([raster.x[::coarse][column], raster.y[::coarse][row], depth[seen]])
    place += 0.1 * size * normal[seen]  # off its own surface
    place = place @ axes.T
    blur = max(1.0, 0.10 * size / pixel)
    light = np.zeros(len(place), np.float32)
    at = (place[:, :2] - map_of.low[:2]) / pixel
    shifts = (-blur, 0.0, blur)
    columns = [(at[:, 0] + shift).astype(np.int64).clip(0, map_of.width - 1) for shift in shifts]
    rows = [(at[:, 1] + shift).astype(np.int64).clip(0, map_of.height - 1) * map_of.width for shift in shifts]
    nearest, own = map_of.depth.ravel(), place[:, 2] + 3 * pixel
    for column in columns:
        for first in rows:
            light += nearest[first + column] <= own
    share[seen] = light / 9
    return _spread(share, coarse, raster.depth.shape)


def _spread(values: NDArray[np.float32], coarse: int, shape: tuple[int, ...]) -> NDArray[np.float32]:
    """Values of every second ray for all rays."""
    return np.repeat(np.repeat(values, coarse, axis=0), coarse, axis=1)[:shape[0], :shape[1]]


def _open_share(raster: Raster, reach: float, coarse: int = 2) -> NDArray[np.float32]:
    """How open the surroundings of each pixel are: crevices between balls are darker. A neighbour hides light as far
    as it stands above the tangent plane. Looked at on every second ray only: it changes slowly."""
    depth = raster.depth[::coarse, ::coarse].astype(np.float32)
    normal = raster.normal[::coarse, ::coarse]
    seen = np.isfinite(depth)
    pixel = raster.pixel * coarse
    steps = max(reach / pixel, 1.0)
    closed = np.zeros(depth.shape, np.float32)
    looks = [(np.cos(turn) * share, np.sin(turn) * share)
             for share in (0.35, 0.7, 1.0) for turn in np.arange(8) * np.pi / 4 + share]
    edge = int(np.ceil(steps))
    far = np.pad(np.where(seen, depth, np.float32(-1e30)), edge, constant_values=-1e30)
    x, y, z = (np.ascontiguousarray(normal[..., k]) for k in range(3))
    tall, wide = depth.shape
    for first in range(0, tall, BAND):
        rows, last = slice(first, first + BAND), min(first + BAND, tall)
        here = far[edge + first:edge + last, edge:edge + wide]
        for dx, dy in looks:
            i, j = int(round(dx * steps)), int(round(dy * steps))
            rise = far[edge + j + first:edge + j + last, edge + i:edge + i + wide] - here
            above = rise * z[rows]
            above += np.float32(i * pixel) * x[rows] + np.float32(j * pixel) * y[rows]
            above *= np.abs(rise) < 3 * reach
            np.maximum(above, 0, out=above)
            closed[rows] += np.minimum(above, reach, out=above)
    closed /= reach
    share = np.where(seen, 1 - 1.15 * closed / len(looks), 1)
    return _spread(share, coarse, raster.depth.shape)


def _shaded(fine: Raster, rows: slice, lit: NDArray[np.float32], opened: NDArray[np.float32],
            edges: NDArray[np.bool_] | None) -> NDArray[np.float32]:
    """Of some rows of rays the three colours and whether anything is seen: colours are 0 where nothing is."""
    x, y, z = (np.ascontiguousarray(fine.normal[rows, :, k]) for k in range(3))
    lit, opened = lit[rows], opened[rows]

    def along(light: Floats) -> NDArray[np.float32]:
        return np.maximum(x * np.float32(light[0]) + y * np.float32(light[1]) + z * np.float32(light[2]), 0)

    facing = along(LIGHT)
    light = (AMBIENT + FILLING * along(FILL)) * opened + DIFFUSE * facing * lit
    if edges is not None:
        light[edges[rows]] *= 1 - INK
    half = LIGHT + [0, 0, 1]
    gleam = along(half / np.linalg.norm(half)) ** 2
    gleam = gleam * gleam * gleam  # to the 6th, then to the 24th
    gleam = SHINE * (gleam * gleam) ** 2 * lit
    wall = fine.owner[rows] == WALL
    if wall.any():
        flat = 0.93 + 0.08 * y  # walls are quiet: their tone shows their direction
        lit_wall = lit * np.minimum(facing / 0.3, 1)  # near the edge of its own shade the map is too coarse
        light = np.where(wall, flat * (0.86 + 0.14 * lit_wall) * (0.5 + 0.5 * opened), light)
        gleam[wall] = 0
    seen = np.isfinite(fine.depth[rows])
    colours = [np.clip(fine.colour[rows, :, k] * light + gleam, 0, 1) * seen for k in range(3)]
    return np.stack([*colours, seen])


def image_of(solids: Solids, low: Floats, high: Floats, pixel: float, samples: int = 2) -> NDArray[np.float32]:
    """An image with transparency, rows from below; `samples` squared rays a pixel smooth the edges. Light is found for
    a few rows at a time, which stay in the processor's cache."""
    width = max(int(np.ceil((high[0] - low[0]) / pixel)), 1)
    height = max(int(np.ceil((high[1] - low[1]) / pixel)), 1)
    fine = Raster(low, low + np.array([width, height]) * pixel * (1 - 1e-12), pixel / samples)
    fine.add(solids)
    around = solids.grains()[1]
    lit = _lit_share(fine, solids)
    opened = _open_share(fine, 0.9 * float(np.median(around)) if len(around) else 20 * pixel)
    edges = fine.edges() if solids.bodies else None
    image = np.empty((height, width, 4), np.float32)
    for first in range(0, height, BAND):
        last = min(first + BAND, height)
        full = _shaded(fine, slice(first * samples, last * samples), lit, opened, edges)[:, :, :width * samples]
        rows = np.add.reduce([full[:, k::samples] for k in range(samples)])
        small = np.add.reduce([rows[:, :, k::samples] for k in range(samples)]) / np.float32(samples**2)
        small[:3] = np.where(small[3] > 0, small[:3] / np.maximum(small[3], 1e-6), 0.9)
        image[first:last] = np.moveaxis(small, 0, -1).clip(0, 1)
    return image
