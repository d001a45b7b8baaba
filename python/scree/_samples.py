"""Worlds, scenes and frames as the library's measures take them: arrays and a region."""
from __future__ import annotations

import contextlib
import ctypes
from typing import Any, Iterator, Mapping

import numpy as np

from . import _forms, _library, _measure_structs, _values, contacts, laws
from ._library import Vec3
from .errors import ArgumentError
from .frames import Frame
from .scene import Scene
from .world import World

Region = Mapping[str, tuple[float, float]]


@contextlib.contextmanager
def sample_of(source: World | Scene | Frame) -> Iterator[_measure_structs.Sample]:
    """The arrays of a source, as the library takes them."""
    given = source.world if isinstance(source, Scene) else source
    if isinstance(given, World):
        with given._lock:
            library, world = _library.library(), given._pointer()
            room = np.empty(max(contacts.view_of(world).count, 1), contacts.CONTACTS)
            forms = (_library.Shape * max(library.scree_world_get_shape_count(world), 1))()
            made = _measure_structs.Sample()
            library.scree_world_take_sample(world, room.ctypes.data, forms, made)
            yield made
    elif isinstance(given, Frame):
        made, kept = _of_frame(given)
        yield made
        del kept
    else:
        raise not_a_moment(source)


def not_a_moment(source: object) -> ArgumentError:
    """Of a run one frame is needed, of a study none."""
    frames = getattr(source, "frames", None)
    remedy = "" if frames is None else "; take one of its frames, such as run.frames[-1]"
    return ArgumentError(f"expected a World, a Scene or a Frame, not {_values.short(source)}{remedy}")


def _of_frame(frame: Frame) -> tuple[_measure_structs.Sample, list[Any]]:
    """The struct, and what must live as long as it does."""
    run, kept = frame.run, []

    def address(values: Any, kind: str) -> int:
        found = np.ascontiguousarray(values, kind)
        kept.append(found)
        return found.ctypes.data

    low, high = ([ends[k] if ends else 0.0 for ends in map(frame.periodic.get, "xyz")] for k in (0, 1))
    edges = frame.cell.edges if frame.cell.oblique else np.zeros((3, 3))
    touching = np.ascontiguousarray(frame.contacts)
    kept.append(touching)
    made = _measure_structs.Sample(
        dimension=run.dimension, periodic=(ctypes.c_bool * 3)(*(axis in run.periodic for axis in "xyz")),
        cell_min=Vec3(*low), cell_max=Vec3(*high), edge=(Vec3 * 3)(*(Vec3(*edge) for edge in edges)),
        rate=(ctypes.c_double * 9)(*np.asarray(frame.cell.rate, float).ravel()), gravity=Vec3(*run.gravity),
        bodies=len(frame), contacts=len(touching), shapes=_forms.count(run), materials=len(run.material_names),
        material=address(frame.material, "<i4"), shape=address(frame.shape, "<i4"),
        holder=address(frame.holder, "<i4"), contact=touching.ctypes.data,
        **{name: address(getattr(frame, name), "<f8")
           for name in ("position", "orientation", "velocity", "spin", "radius", "mass", "inertia")})
    forms, shapes_kept = _forms.of_run(run)
    made.form = ctypes.addressof(forms)
    names = run.material_names
    table = (laws.CLaw * max(len(names) ** 2, 1))()
    if run.laws:
        for row, first in enumerate(names):
            for column, second in enumerate(names):
                table[row * len(names) + column] = laws.to_c(run.law(first, second))
        made.law = ctypes.addressof(table)
    _find_room(made, frame)
    return made, kept + [forms, shapes_kept, table]


def _find_room(made: _measure_structs.Sample, frame: Frame) -> None:
    """The room that walls enclose, by what the library asks of them."""
    found = frame.walls
    states = (_library.WallState * max(len(found), 1))()
    for state, wall in zip(states, found):
        state.present, now = wall.present, state.now
        now.shape, now.inside = _library.SHAPES.index(wall.shape), wall.inside
        now.point, now.normal, now.axis = (Vec3(*given) for given in (wall.point, wall.normal, wall.axis))
        now.radius, now.length, now.end_radius = wall.radius, wall.length, wall.end_radius
    _library.library().scree_sample_find_room(made, states, len(found))


def bounds(region: Region | None) -> tuple[Vec3, Vec3]:
    low, high = Vec3(-np.inf, -np.inf, -np.inf), Vec3(np.inf, np.inf, np.inf)
    for axis, ends in _values.known(region or {}, "xyz", "region").items():
        found = _values.array(ends, f"region {axis}")
        if found.shape != (2,):
            raise ArgumentError(f"region {axis}: two numbers are needed, not {_values.short(ends)}")
        setattr(low, axis, found[0])
        setattr(high, axis, found[1])
    return low, high


def definition_of(region: Region | None, least: int = 2) -> _measure_structs.MeasureDef:
    made = _library.library().scree_measure_def_default()
    made.min, made.max = bounds(region)
    made.least_contacts = _values.integer(least, "least", 0)
    return made
