"""The grains of a world: adding them, their arrays, changing their state."""
from __future__ import annotations

import enum
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _arrays, _library, _memory, _values, shapes, solids, walls
from ._library import Quat, Vec3
from ._values import Floats
from ._world import WorldBase, loaded
from .errors import STATUS, ArgumentError, error_of
from .shapes import Nurbs, Outlined, Shape
from .solids import Mesh, Meshed, Smooth, Solid


class Freeze(enum.IntFlag):
    """Degrees of freedom of a grain that forces cannot change."""

    X = 1
    Y = 2
    Z = 4
    ROTATION_X = 8
    ROTATION_Y = 16
    ROTATION_Z = 32
    POSITION = 7
    ROTATION = 56
    ALL = 63


class Grains(WorldBase, Outlined, Meshed):
    """What a World can do with its grains."""

    def add_shape(self, *outlines: ArrayLike, rounding: ArrayLike = 0.0) -> int:
        """Two dimensions: adds a shape, for any number of grains, and returns its number.

            world.add_shape([(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)])  # any origin, either orientation
            world.add_shape([(0, 0), (1, 0), (0, 1)], rounding=0.1)            # all points within 0.1 of a triangle
            world.add_shape([(0, 0)], [(1, 0)], rounding=[0.7, 0.5])           # two disks that move as one

        outlines   corners (n, 2) of polygons; one corner makes a disk, two a rod with round ends
        rounding   one for all, or one for each
        Where outlines overlap, their masses add up. The position of a grain is that of its shape's centroid.
        """
        made, kept = shapes.definition(outlines, rounding)
        number = _library.ShapeId(-1)
        self._do("scree_world_add_shape", made, number)
        del kept
        return number.index

    def add_nurbs(self, curve: Nurbs | ArrayLike, degree: int = 3) -> int:
        """Two dimensions: adds a shape bounded by a closed NURBS curve, and returns its number.

            world.add_nurbs([(0, 0), (2, 0), (2.5, 1), (1, 0.6), (0, 2)])     # a ring of control points
            world.add_nurbs(scree.Nurbs(degree, points, weights, knots))

        The curve must be closed, and not cross or touch itself.
        """
        given = curve if isinstance(curve, Nurbs) else Nurbs.ring(curve, degree)
        made, kept = shapes.curve_definition(given)
        number = _library.ShapeId(-1)
        self._do("scree_world_add_nurbs", made, number)
        del kept
        return number.index

    def nurbs(self, shape: int) -> Nurbs | None:
        """The curve of a shape as the library stores it: counterclockwise, about the centroid; None for polygons."""
        with self._lock:
            found = _library.NurbsDef()
            if not 0 <= shape < self._ask("scree_world_get_shape_count"):
                raise ArgumentError(f"there is no shape {shape}")
            status = self._ask("scree_shape_get_nurbs", shape, found)
            return None if status != 0 else shapes.curve_from_library(found)

    @property
    def shapes(self) -> list[Shape]:
        """All shapes as stored by the library: corners counterclockwise, relative to the centroid. Two dimensions;
        in three the shapes are `solids`."""
        if self._dimension != 2:
            return []
        with self._lock:
            known: list[Shape] = self.__dict__.setdefault("_shapes", [])  # they stay as they are
            for number in range(len(known), self._ask("scree_world_get_shape_count")):
                found = _library.Shape()
                self._do("scree_shape_get", number, found)
                known.append(shapes.from_library(found))
            return list(known)

    def add_solid(self, *parts: Mesh | Smooth | ArrayLike, rounding: ArrayLike = 0.0) -> int:
        """Three dimensions: adds a solid, for any number of grains, and returns its number.

            world.add_solid([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)])      # the convex hull of points
            world.add_solid(scree.Mesh(vertices, faces), rounding=0.1)         # all points within 0.1 of a polyhedron
            world.add_solid([(0, 0, 0)], [(1, 0, 0)], rounding=[0.7, 0.5])     # two balls that move as one
            world.add_solid(scree.solids.ellipsoid((1.25, 1, 0.8)))            # a smooth part

        parts      vertices (n, 3), whose hull is taken, a Mesh with faces, or a smooth part (scree.solids); one vertex
                   makes a ball, two a rod
        rounding   one for all, or one for each
        The position of a grain is that of its solid's centre of mass.
        """
        made, kept = solids.definition(parts, rounding)
        number = _library.ShapeId(-1)
        self._do("scree_world_add_solid", made, number)
        del kept
        return number.index

    @property
    def solids(self) -> list[Solid]:
        """All solids as stored by the library: vertices relative to the centre of mass, hulls with their faces. Three
        dimensions; in two the shapes are `shapes`."""
        if self._dimension != 3:
            return []
        with self._lock:
            known: list[Solid] = self.__dict__.setdefault("_solids", [])  # they stay as they are
            for number in range(len(known), self._ask("scree_world_get_shape_count")):
                found = _library.Solid()
                self._do("scree_shape_get_solid", number, found)
                known.append(solids.from_library(found))
            return list(known)

    def add_grains(self, position: ArrayLike, radius: ArrayLike | None = None, *, shape: ArrayLike = -1,
                   material: ArrayLike = 0, velocity: ArrayLike | None = None, spin: ArrayLike | None = None,
                   orientation: ArrayLike | None = None, angle: ArrayLike | None = None, mass: ArrayLike = 0.0,
                   inertia: ArrayLike = 0.0, frozen: ArrayLike = 0, force: ArrayLike | None = None,
                   torque: ArrayLike | None = None) -> range:
        """Adds grains, all or none, and returns their numbers.

        position   one for each grain: an array (n, 3), in two dimensions also (n, 2)
        radius     of round grains
        shape      a number from add_shape or add_solid; -1: round
        orientation, angle: rotation, as quaternions or, in two dimensions, angles
        mass, inertia: 0: computed from density and size
        frozen     Freeze bits
        force, torque: external, until changed
        Everything but the position may be given once for all grains, or for each.
        """
        dimension = self._dimension
        place = _values.vectors(position, "position", dimension)
        count = len(place)
        bodies = np.zeros(count, _arrays.BODY)
        bodies["cookie"] = _library.library().scree_body_def_default().cookie
        bodies["position"] = place
        bodies["orientation"] = self._turned(orientation, angle, count)
        for name, value in (("velocity", velocity), ("force", force)):
            if value is not None:
                bodies[name] = _values.vectors(value, name, dimension, count)
        for name, value in (("spin", spin), ("torque", torque)):
            if value is not None:
                bodies[name] = _values.turns(value, name, dimension, count)
        for name, number in (("radius", 0.0 if radius is None else radius), ("mass", mass), ("inertia", inertia)):
            bodies[name] = _values.numbers(number, name, count)
        bodies["shape"] = _values.integers(shape, "shape", count, -1, _values.INT32_MAX)
        bodies["material"] = _values.integers(material, "material", count, 0, _values.INT32_MAX)
        bodies["frozen"] = _values.integers(frozen, "frozen", count, 0, Freeze.ALL)
        return self._add_bodies(bodies)

    def _turned(self, orientation: ArrayLike | None, angle: ArrayLike | None, count: int) -> Floats:
        """Quaternions as rows from what was given."""
        if angle is None:
            return _values.quaternions((1, 0, 0, 0) if orientation is None else orientation, "orientation", count)
        if orientation is not None or self._dimension != 2:
            raise ArgumentError("angle: is for two dimensions, and instead of an orientation")
        return _values.about_z(angle, "angle", count)

    def _add_bodies(self, bodies: NDArray[Any]) -> range:
        first = _library.BodyId(0)
        self._change_bodies("scree_world_add_bodies", bodies.ctypes.data, len(bodies), first)
        return range(first.index, first.index + len(bodies))

    def remove_grains(self, grains: Any) -> None:
        """Removes grains, with their contacts: an index, several, a slice, or a boolean mask.

        Those that remain close ranks and get new numbers; what they keep is their `identity`.
        """
        with self._lock:
            numbers = self._numbers(grains).astype(np.int32)
            self._change_bodies("scree_world_remove_bodies", numbers.ctypes.data, len(numbers))

    def _change_bodies(self, function: str, *arguments: Any) -> None:
        """Calls a function after which arrays of bodies lie elsewhere, or have another length."""
        with self._lock:
            before, watched = self._handle, self._handle is not None and self._handle.has_windows()
            try:
                if watched:  # the arrays keep the memory that they show, and the world goes on elsewhere
                    self._handle = _memory.Handle(loaded(self.save()))
                    self._ask("scree_world_keep_problem", self._keeps_problem)
                    self._lend(self._device)
                self._do(function, *arguments)
            except BaseException:
                self._handle = before
                raise

    def _numbers(self, grains: Any) -> NDArray[np.int64]:
        """The grains selected by an index, several, a slice, or a boolean mask."""
        count = len(self)
        if isinstance(grains, slice) or grains is Ellipsis:
            return np.arange(count)[grains]
        if isinstance(grains, (np.ndarray, list, tuple)):
            mask = np.asarray(grains)
            if mask.dtype == bool and mask.shape == (count,):
                return np.flatnonzero(mask)
            if mask.size == 0:
                return np.empty(0, np.int64)
        found = np.asarray(grains)
        if isinstance(grains, bool) or found.dtype.kind not in "iu" or found.ndim > 1:
            raise ArgumentError(f"grains: numbers of grains are needed, not {_values.short(grains)}")
        found = np.atleast_1d(found)
        wrong = found[(found < 0) | (found >= count)]
        if len(wrong):
            raise error_of(STATUS.index("BAD_ID"), f"no body {wrong[0]}")
        return found.astype(np.int64)

    def _vec3(self, value: ArrayLike, name: str) -> Vec3:
        return walls.vec3(value, name, self._dimension)

    def set_position(self, grains: Any, position: ArrayLike) -> None:
        """Moves grains. `grains` is an index, several, a slice, or a boolean mask."""
        with self._lock:
            numbers = self._numbers(grains)
            values = _values.vectors(position, "position", self._dimension, len(numbers))
            self._each("scree_body_set_position", numbers, self._in_plane(values, "position"))

    def set_orientation(self, grains: Any, orientation: ArrayLike | None = None, *,
                        angle: ArrayLike | None = None) -> None:
        """Sets the orientation of grains: quaternions, or angles in two dimensions."""
        with self._lock:
            numbers = self._numbers(grains)
            values = self._turned(orientation, angle, len(numbers))
            if self._dimension == 2 and np.any(values[:, 1:3]):  # before anything is changed
                raise ArgumentError("orientation: in two dimensions bodies turn about z")
            if not np.all(np.any(values, axis=1)):
                raise ArgumentError("orientation: must be a quaternion other than zero")
            for number, row in zip(numbers.tolist(), values.tolist()):
                self._do("scree_body_set_orientation", number, Quat(*row))

    def set_velocity(self, grains: Any, velocity: ArrayLike | None = None, spin: ArrayLike | None = None) -> None:
        """Sets the velocity or the spin of grains, or both; what is not given is kept."""
        with self._lock:
            numbers = self._numbers(grains)
            self._each("scree_body_set_velocity", numbers, self._or_now(velocity, "velocity", numbers),
                       self._or_now(spin, "spin", numbers))

    def set_force(self, grains: Any, force: ArrayLike | None = None, torque: ArrayLike | None = None) -> None:
        """Sets the external force or torque on grains, or both, until changed; what is not given is kept."""
        with self._lock:
            numbers = self._numbers(grains)
            self._each("scree_body_set_force", numbers, self._or_now(force, "force", numbers),
                       self._or_now(torque, "torque", numbers))

    def set_frozen(self, grains: Any, frozen: ArrayLike) -> None:
        """Sets the Freeze bits of grains."""
        with self._lock:
            numbers = self._numbers(grains)
            bits = _values.integers(frozen, "frozen", len(numbers), 0, Freeze.ALL)
            for number, bit in zip(numbers, bits):
                self._do("scree_body_set_frozen", int(number), int(bit))

    def set_size(self, grains: Any, radius: ArrayLike, mass: ArrayLike = 0.0, inertia: ArrayLike = 0.0) -> None:
        """Gives round grains another size, where they are: growth by a law of one's own. A mass of 0 takes the density
        of their material, and an inertia of 0 follows from the mass."""
        with self._lock:
            numbers = self._numbers(grains)
            columns = [_values.numbers(value, name, len(numbers)).tolist()
                       for value, name in ((radius, "radius"), (mass, "mass"), (inertia, "inertia"))]
            for number, *size in zip(numbers.tolist(), *columns):
                self._do("scree_body_set_size", number, *size)

    def hold(self, grains: Any, wall: int | None) -> None:
        """A wall takes grains along from now on, wherever they are on it; None lets them go."""
        with self._lock:
            number = -1 if wall is None else _values.integer(wall, "wall", 0)
            for grain in self._numbers(grains):
                self._do("scree_body_set_holder", int(grain), number)

    def _or_now(self, value: ArrayLike | None, name: str, numbers: NDArray[np.int64]) -> Floats:
        """The values given, or those that the grains have."""
        if value is None:
            return np.ascontiguousarray(self._array(name)[numbers])
        turning = name in ("spin", "torque")
        convert = _values.turns if turning else _values.vectors
        return self._in_plane(convert(value, name, self._dimension, len(numbers)), name)

    def _in_plane(self, values: Floats, name: str) -> Floats:
        """Refuses, before anything is changed, what the library would refuse for one grain of many."""
        out = values[:, :2] if name in ("spin", "torque") else values[:, 2:]
        if self._dimension == 2 and np.any(out):
            raise ArgumentError(f"{name}: in two dimensions bodies move in x, y and turn about z")
        return values

    def _each(self, function: str, numbers: NDArray[np.int64], *columns: Floats) -> None:
        """Calls a function for each grain with its row of each column."""
        rows = [(Vec3 * len(numbers)).from_buffer_copy(column.data) for column in columns]
        for at, number in enumerate(numbers.tolist()):
            self._do(function, number, *(row[at] for row in rows))

    # ------------------------------------------------------------ arrays

    def _array(self, name: str) -> NDArray[Any]:
        with self._lock:
            self._pointer()
            assert self._handle is not None
            return _memory.body_array(self._handle, name)

    @property
    def position(self) -> Floats:
        """Centres, (n, 3); can be set as a whole."""
        return self._array("position")

    @position.setter
    def position(self, value: ArrayLike) -> None:
        self.set_position(..., value)

    @property
    def velocity(self) -> Floats:
        """Velocities of the centres, (n, 3); can be set as a whole."""
        return self._array("velocity")

    @velocity.setter
    def velocity(self, value: ArrayLike) -> None:
        self.set_velocity(..., value)

    @property
    def spin(self) -> Floats:
        """Angular velocities, (n, 3); can be set as a whole."""
        return self._array("spin")

    @spin.setter
    def spin(self, value: ArrayLike) -> None:
        self.set_velocity(..., None, value)

    @property
    def force(self) -> Floats:
        """External forces, (n, 3); can be set as a whole."""
        return self._array("force")

    @force.setter
    def force(self, value: ArrayLike) -> None:
        self.set_force(..., value)

    @property
    def torque(self) -> Floats:
        """External torques, (n, 3); can be set as a whole."""
        return self._array("torque")

    @torque.setter
    def torque(self, value: ArrayLike) -> None:
        self.set_force(..., None, value)

    @property
    def orientation(self) -> Floats:
        """Unit quaternions w, x, y, z, (n, 4); can be set as a whole."""
        return self._array("orientation")

    @orientation.setter
    def orientation(self, value: ArrayLike) -> None:
        self.set_orientation(..., value)

    @property
    def radius(self) -> Floats:
        """Radii, (n,); for grains with a shape, those of their enclosing circles."""
        return self._array("radius")

    @property
    def mass(self) -> Floats:
        """Masses, (n,)."""
        return self._array("mass")

    @property
    def inertia(self) -> Floats:
        """Moments of inertia, (n,)."""
        return self._array("inertia")

    @property
    def material(self) -> NDArray[np.int32]:
        """Numbers of the materials, (n,)."""
        return self._array("material")

    @property
    def shape(self) -> NDArray[np.int32]:
        """Numbers of the shapes, (n,); -1: round."""
        return self._array("shape")

    @property
    def identity(self) -> NDArray[np.int32]:
        """What tells grains apart as long as the world lives, (n,), rising: how many had been added before. Never
        given again when a grain is removed. A copy."""
        with self._lock:
            view = self._ask("scree_world_get_bodies")
            if not view.identity:
                return np.arange(view.count, dtype=np.int32)
            return _memory.copied(view.identity, view.count, np.dtype(np.int32))

    @property
    def holder(self) -> NDArray[np.int32]:
        """Numbers of the walls that hold grains, (n,); -1: none does. A copy."""
        with self._lock:
            view = self._ask("scree_world_get_bodies")
            if not view.holder:
                return np.full(view.count, -1, dtype=np.int32)
            return _memory.copied(view.holder, view.count, np.dtype(np.int32))

    @property
    def frozen(self) -> NDArray[np.uint32]:
        """Freeze bits, (n,); can be set as a whole."""
        return self._array("frozen")

    @frozen.setter
    def frozen(self, value: ArrayLike) -> None:
        self.set_frozen(..., value)
