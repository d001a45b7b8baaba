"""The shapes of a run as the library takes them."""
from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _arrays, _library, solids
from ._library import Vec3

if TYPE_CHECKING:
    from .run import Run
    from .shapes import Shape
    from .solids import Solid


def count(run: Run) -> int:
    return len(run.solids) if run.dimension == 3 else len(run.shapes)


def of_run(run: Run) -> tuple[Any, list[Any]]:
    """An array of structs, and what must live as long as it does. The shapes of a run stay the same, so both are made
    once."""
    if run._forms is None:
        made = (_library.Shape * max(count(run), 1))()
        kept: list[Any] = []
        for row, solid in enumerate(run.solids):
            made[row] = _solid(solid, kept)
        for row, shape in enumerate(run.shapes):
            made[row] = _outlines(shape, kept)
        run._forms = made, kept
    return run._forms


def _outlines(shape: Shape, kept: list[Any]) -> _library.Shape:
    corners = np.vstack([np.column_stack([part.corners, np.zeros(len(part.corners))]) for part in shape.parts])
    parts = np.zeros(len(shape.parts), _arrays.SHAPE_PART)
    parts["corners"], parts["rounding"] = zip(*((len(part.corners), part.rounding) for part in shape.parts))
    kept += [parts, corners]
    return _library.Shape(_library.ShapeDef(parts.ctypes.data, len(parts), corners.ctypes.data), len(corners),
                          Vec3(*shape.centroid), shape.area, shape.gyration, shape.radius)


def _solid(solid: Solid, kept: list[Any]) -> _library.Shape:
    given, own = solids.definition(solid.parts, [part.rounding for part in solid.parts])
    faces = [len(face) for part in solid.parts for face in part.faces]
    made = _library.Solid(given, sum(len(part.vertices) for part in solid.parts), len(faces), sum(faces),
                          Vec3(*solid.centroid), solid.volume, solid.radius, Vec3(*solid.moments),
                          _library.Quat(*solid.axes))
    kept += [own, made]
    return _library.Shape(_library.ShapeDef(), 0, Vec3(*solid.centroid), solid.volume, float(np.mean(solid.moments)),
                          solid.radius, ctypes.addressof(made))
