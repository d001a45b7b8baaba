"""Solids as they are seen: flat faces and, where they are rounded, tubes along edges and balls at corners."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .._values import Floats
from ..solids import POLYHEDRON, Solid, SolidPart

_ROW = 25  # points of a row of a smooth surface, as the library draws it
Tube = tuple[Floats, Floats, float, float]  # middle, axis, radius, half length


@dataclass(frozen=True)
class Pieces:
    """The surface of a solid. All points within r of a polyhedron are bounded by its faces moved out by r, by tubes
    of radius r about its edges and by balls about its corners; what lies inside of the others is not seen."""

    faces: list[tuple[Floats, Floats]]  # corners (k, 3) of convex polygons, counterclockwise from outside; normal
    tubes: list[Tube]
    balls: list[tuple[Floats, float]]
    patches: list[tuple[Floats, Floats]]  # triangles (3, 3) of smooth surfaces, and the normals at their corners

    def seen(self, turn: Floats, place: Floats) -> Pieces:
        """Turned about the origin, then moved; without faces that look away from z."""
        return Pieces([(corner @ turn.T + place, turn @ normal) for corner, normal in self.faces
                       if turn[2] @ normal > 1e-6],
                      [(turn @ middle + place, turn @ axis, radius, half) for middle, axis, radius, half in self.tubes],
                      [(turn @ centre + place, radius) for centre, radius in self.balls],
                      [(corner @ turn.T + place, normal @ turn.T) for corner, normal in self.patches
                       if turn[2] @ _area(corner) > 0])


@dataclass(frozen=True)
class Body:
    """A solid somewhere; its pieces are shared, and placed only when they are drawn."""

    pieces: Pieces
    turn: Floats  # (3, 3)
    place: Floats  # (3,)
    radius: float  # of the ball that holds it
    colour: Floats

    def seen(self, axes: Floats) -> Body:
        """The same in another frame, whose axes are the rows."""
        return Body(self.pieces, axes @ self.turn, axes @ self.place, self.radius, self.colour)

    def surface(self) -> Pieces:
        """What of it can be seen from z."""
        return self.pieces.seen(self.turn, self.place)


def pieces_of(solid: Solid) -> Pieces:
    """The pieces of all parts of a solid, in its own frame."""
    made = Pieces([], [], [], [])
    for part in solid.parts:
        if part.kind != POLYHEDRON:
            made.patches.extend(_patches(part))
            continue
        made.faces.extend(_faces(part))
        if part.rounding > 0:
            made.tubes.extend(_tubes(part))
            made.balls.extend((corner, part.rounding) for corner in part.vertices)
    return made


def _patches(part: SolidPart) -> list[tuple[Floats, Floats]]:
    """The triangles of a smooth surface. A normal at a corner is the mean of those of its triangles; pieces that meet
    at an angle have corners of their own. Where a piece closes around, its first and last corners are in one place."""
    surface = part.surface
    triangles = np.array(surface.faces)
    area = np.array([_area(corner) for corner in surface.vertices[triangles]])
    normal = np.zeros_like(surface.vertices)
    np.add.at(normal, triangles.ravel(), np.repeat(area, 3, axis=0))
    row = _ROW  # points of a row, the last of which is the first again
    for first in range(0, len(normal) - row + 1, row):
        normal[first] = normal[first + row - 1] = normal[first] + normal[first + row - 1]
    size = np.linalg.norm(normal, axis=1, keepdims=True)
    normal = normal / np.where(size > 0, size, 1)
    return [(surface.vertices[triangle], normal[triangle]) for triangle in triangles[(area**2).sum(axis=1) > 0]]


def _area(corner: Floats) -> Floats:
    """Twice the area of a polygon, along its normal."""
    return np.cross(corner - corner[0], np.roll(corner, -1, axis=0) - corner[0]).sum(axis=0)


def _unit(vector: Floats) -> Floats:
    return vector / max(float(np.linalg.norm(vector)), 1e-300)


def _faces(part: SolidPart) -> list[tuple[Floats, Floats]]:
    """Convex faces as they are; if there are others, all as the triangles that they are cut into to be drawn, which
    come first among those of the surface."""
    found = []
    for face in part.faces:
        corner = part.vertices[face]
        side = np.roll(corner, -1, axis=0) - corner
        normal = _unit(_area(corner))
        bend = np.cross(side, np.roll(side, -1, axis=0)) @ normal
        if np.any(bend < -1e-9 * np.abs(bend).max()):
            surface = part.surface
            count = sum(len(face) - 2 for face in part.faces)
            cut = [surface.vertices[triangle] for triangle in surface.triangles[:count]]
            return [(corner, _unit(_area(corner))) for corner in cut]
        found.append((corner + part.rounding * normal, normal))
    return found


def _tubes(part: SolidPart) -> list[Tube]:
    pairs = {(min(a, b), max(a, b)) for face in part.faces for a, b in zip(face.tolist(), np.roll(face, -1).tolist())}
    if len(part.vertices) == 2:
        pairs = {(0, 1)}
    found = []
    for a, b in sorted(pairs):
        along = part.vertices[b] - part.vertices[a]
        size = float(np.linalg.norm(along))
        if size > 0:
            found.append(((part.vertices[a] + part.vertices[b]) / 2, along / size, part.rounding, size / 2))
    return found
