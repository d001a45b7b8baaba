"""A world of grains: creating, filling, stepping and inspecting it."""
from __future__ import annotations

import ctypes
import os
from typing import Any, Callable, Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike

from . import _definition, _display, _library, _values, contacts, laws, walls
from ._findings import Cost, Neighbours, Overlap
from ._record_structs import Gate, RecordNames
from ._stepping import collect
from ._values import Floats, Table
from .bonds import Bonded
from .errors import ArgumentError
from .grains import Grains
from .growth import Growing
from .laws import Law
from .problem import Problem, of_world
from .recording import Recording, names_of
from .report import REPORT, Report, Reports
from .solids import Mesh
from .walls import Wall


def _law(given: Law | None) -> Law:
    if given is not None and not isinstance(given, Law):
        raise ArgumentError(f"law: a scree.Law is needed, not {_values.short(given)}")
    return Law() if given is None else given


class World(Grains, Bonded, Growing):
    """Rigid grains in two or three dimensions.

    Units are up to you. Vectors are sequences of three numbers, or of two or three in two dimensions; spins and torques
    are single numbers in two dimensions. Anything that fails raises an Error and changes nothing.

    Arrays such as world.position are read-only views of the library's memory, and show the new state after each step.
    Take a copy to keep a state. When grains are added or removed, arrays taken before keep their values and no longer
    follow the world.

    >>> import scree
    >>> world = scree.World(dimension=2, gravity=(0, -10), time_step=0.01)
    >>> stone = world.add_material(density=2600, friction=0.5)
    >>> floor = world.add_plane(point=(0, 0), normal=(0, 1))
    >>> grains = world.add_grains([(0, 0.5), (0, 1.5)], radius=0.5, material=stone)
    >>> reports = world.run(until=0.2)
    >>> bool(reports.converged.all()), round(float(world.wall(floor).load[1] / world.mass.sum()), 2)
    (True, -10.0)
    """

    def __init__(self, *, time_step: float, dimension: int = 3, gravity: ArrayLike = (0, 0, 0),
                 engine: str = "contact_dynamics", theta: float = 1.0,
                 periodic: Mapping[str, tuple[float, float]] | None = None, signed_gap: bool = False,
                 search: str = "hierarchical_grid", skin: float = 0.0, cell: float = 0.0, seed: int = 1,
                 threads: int = 1, solver: Mapping[str, Any] | None = None,
                 soft: Mapping[str, Any] | None = None, variational: Mapping[str, Any] | None = None) -> None:
        """An empty world.

        time_step  the time step; 0 lets the soft engine choose
        engine     "contact_dynamics": rigid grains; "soft": springs and dashpots, for comparison;
                   "variational": by an interior-point method; "quasistatic": the same without inertia
        theta      parameter of the theta method, 1/2 to 1
        periodic   the cell along periodic directions: {"x": (0, 10)}
        search     how neighbours are found: "hierarchical_grid", "linked_cell", "verlet_list" or
                   "linked_linear_list"; the result does not depend on it
        signed_gap, skin, cell, seed, threads: see ScreeWorldDef in world.h
        solver     {"order": "random", "criterion": "fixed", "tolerance": 0.1, "overlap": 2.5e-4,
                   "small_force": 0, "iterations": 2000, "warm_start": True, "projection": 0.3, "cuts": 0}
        soft       {"integrator": "verlet", "friction": "viscous"}
        variational {"exact": False, "tolerance": 1e-8, "iterations": 100, "range": 0.1}
        """
        definition = _definition.world_def(
            dimension=dimension, time_step=time_step, gravity=gravity, engine=engine, theta=theta, periodic=periodic,
            signed_gap=signed_gap, search=search, skin=skin, cell=cell, seed=seed, threads=threads, solver=solver,
            soft=soft, variational=variational)
        made = ctypes.c_void_p()
        _library.call("scree_world_create", definition, made)
        self._adopt(made.value)

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        if self.closed:
            return _display.page("scree.World, closed", {}, None)
        return _display.page("scree.World", _display.world_facts(self), _display.png(self))

    # ------------------------------------------------------------ definition

    @property
    def dimension(self) -> int:
        """2 or 3."""
        return self._dimension

    @property
    def engine(self) -> str:
        """contact_dynamics", "soft", "variational" or "quasistatic"."""
        return _library.ENGINES[self._ask("scree_world_get_def").engine]

    @property
    def theta(self) -> float:
        """The parameter of the theta method."""
        return self._ask("scree_world_get_def").theta

    @property
    def time(self) -> float:
        """The current time."""
        return self._ask("scree_world_get_time")

    @property
    def steps(self) -> int:
        """The number of steps done so far."""
        return self._ask("scree_world_get_step_count")

    @property
    def gravity(self) -> Floats:
        """The acceleration of gravity; can be set."""
        return walls.row(self._ask("scree_world_get_def").gravity)

    @gravity.setter
    def gravity(self, value: ArrayLike) -> None:
        self._do("scree_world_set_gravity", self._vec3(value, "gravity"))

    @property
    def time_step(self) -> float:
        """The time step; can be set."""
        return self._ask("scree_world_get_def").time_step

    @time_step.setter
    def time_step(self, value: float) -> None:
        self._do("scree_world_set_time_step", _values.number(value, "time_step"))

    @property
    def advised_time_step(self) -> float:
        """The soft engine's own choice; 0 for contact dynamics, or without grains."""
        return self._ask("scree_world_advise_time_step")

    @property
    def threads(self) -> int:
        """The number of threads; can be set. The result does not depend on it."""
        return self._ask("scree_world_get_def").threads

    @threads.setter
    def threads(self, value: int) -> None:
        self._do("scree_world_set_threads", _values.integer(value, "threads", 1, _definition.THREADS_MOST))

    @property
    def periodic(self) -> dict[str, tuple[float, float]]:
        """The cell along periodic directions: {"x": (0.0, 10.0)}."""
        return _definition.cell(self._ask("scree_world_get_def"))

    @property
    def search(self) -> str:
        """How neighbours are found."""
        return _library.SEARCHES[self._ask("scree_world_get_def").search]

    @property
    def solver(self) -> dict[str, Any]:
        """The settings of the solver by name, as accepted by World()."""
        return _definition.solver_settings(self._ask("scree_world_get_def").solver)

    def set_solver(self, **settings: Any) -> None:
        """Changes settings of the solver; the others are kept."""
        with self._lock:
            solver = self._ask("scree_world_get_def").solver
            _definition.change_solver(solver, settings)
            self._do("scree_world_set_solver", solver)

    # ------------------------------------------------------------ materials and laws

    def add_material(self, *, density: float = 1.0, law: Law | None = None, **numbers: float) -> int:
        """Adds a material and returns its number. Its law with itself: parameters of scree.Law, or a Law."""
        chosen = laws.changed(_law(law), numbers)
        definition = _library.library().scree_material_def_default()
        definition.density, definition.law = _values.number(density, "density"), laws.to_c(chosen)
        number = _library.MaterialId(-1)
        self._do("scree_world_add_material", definition, number)
        return number.index

    def law(self, a: int, b: int) -> Law:
        """The law of a pair of materials."""
        found = laws.CLaw()
        self._do("scree_law_get", _values.integer(a, "a"), _values.integer(b, "b"), found)
        return laws.from_c(found)

    def set_law(self, a: int, b: int, law: Law | None = None, **numbers: float) -> None:
        """Sets the law of a pair of materials: a Law, or some of its parameters; the others are kept."""
        with self._lock:
            before = self.law(a, b)
            chosen = laws.changed(before if law is None else _law(law), numbers)
            self._do("scree_law_set", a, b, laws.to_c(chosen))

    def add_plane(self, point: ArrayLike, normal: ArrayLike, **motion: Any) -> int:
        """Adds the half space behind `point`; `normal` points towards the grains. Returns the number of the wall.

        The arguments `motion` are common to all walls:
        material   a number; None: that of the touching grain
        velocity, spin, pivot: prescribed motion; the wall rotates about the pivot (by default its point)
        mass, force, direction, velocity: makes the wall a piston that carries a force along a direction
        stress, between: a piston that carries a stress, on the area between two other planes (in space
                   four, opposite ones in pairs)
        motion     "fixed", "moved" or "piston", if it does not follow from the other arguments
        """
        return self._add_wall("plane", motion, {"point": point, "normal": normal})

    def add_segment(self, point: ArrayLike, end: ArrayLike, **motion: Any) -> int:
        """Two dimensions: adds a thin wall from `point` to `end`, solid on both sides."""
        return self._add_wall("segment", motion, {"point": point, "end": end})

    def add_block(self, point: ArrayLike, half: ArrayLike, *, orientation: ArrayLike | None = None,
                  **motion: Any) -> int:
        """Adds a solid box, given by its centre, half its side lengths, and a quaternion."""
        return self._add_wall("block", motion, {"point": point, "half": half}, orientation=orientation)

    def add_cylinder(self, point: ArrayLike, radius: float, *, axis: ArrayLike = (0, 0, 1), length: float = 0.0,
                     inside: bool = False, **motion: Any) -> int:
        """Adds a cylinder about the line through `point` along `axis`, infinite if the length is 0. Grains are outside,
        or inside, in which case a finite cylinder is a thin shell."""
        return self._add_wall("cylinder", motion, {"point": point, "axis": axis}, radius=radius, length=length,
                              inside=inside)

    def add_cone(self, point: ArrayLike, end: ArrayLike, radii: tuple[float, float], **motion: Any) -> int:
        """Three dimensions: adds a funnel, the thin shell between two circles of these radii about `point` and `end`.
        Both of its sides are solid."""
        start, stop = np.asarray(point, float), np.asarray(end, float)
        away = float(np.linalg.norm(stop - start))
        if not away > 0:
            raise ArgumentError("end: it must differ from the point; add_disc makes flat rings")
        return self._add_wall("cone", motion, {"point": point, "axis": (stop - start) / away}, radius=radii[0],
                              length=away, end_radius=radii[1])

    def add_disc(self, point: ArrayLike, radius: float, *, normal: ArrayLike = (0, 0, 1), hole: float = 0.0,
                 **motion: Any) -> int:
        """Three dimensions: adds a thin round plate, with a round hole in its middle or without. Both of its sides are
        solid."""
        return self._add_wall("cone", motion, {"point": point, "axis": normal}, radius=hole, end_radius=radius)

    def add_plate(self, point: ArrayLike, size: tuple[float, float], *, orientation: ArrayLike | None = None,
                  hole: float = 0.0, holes: tuple[int, int] = (1, 1), spacing: tuple[float, float] = (0.0, 0.0),
                  **motion: Any) -> int:
        """Three dimensions: adds a thin rectangle across z, both sides of which are solid.

        point         its centre
        size          its sides along x and y
        orientation   a quaternion, by which it is turned
        hole          radius of round holes, in rows along x and y
        holes         how many there are along x and y
        spacing       from the middle of one to that of the next
        """
        half = (size[0] / 2, size[1] / 2, 0)
        return self._add_wall("plate", motion, {"point": point, "half": half}, orientation=orientation, radius=hole,
                              holes=holes if hole else (0, 0), spacing=spacing)

    def add_holder(self, point: ArrayLike, **motion: Any) -> int:
        """Adds a wall that is nothing but the grains that it comes to hold (`hold`), about a point."""
        return self._add_wall("holder", motion, {"point": point})

    def add_mesh(self, mesh: Mesh, *, point: ArrayLike = (0, 0, 0), orientation: ArrayLike | None = None,
                 part: ArrayLike | None = None, **motion: Any) -> int:
        """Adds a surface of triangles, open or closed, both sides of which are solid: bodies stay where they are.

        mesh          scree.Mesh(vertices, faces); neighbours have vertices in common
        point         where the origin of its coordinates is, and about which it turns unless there is a pivot
        orientation   a quaternion, by which it is turned there
        part          a number for each triangle, from 0: each part is a wall of its own, with the next number and a
                      load of its own; the first is returned
        """
        corners = np.ascontiguousarray(mesh.triangles, np.int32)
        vertices = np.ascontiguousarray(_values.vectors(mesh.vertices, "vertices", 3))
        numbers = None if part is None else np.ascontiguousarray(part, np.int32)
        if numbers is not None and numbers.shape != (len(corners),):
            raise ArgumentError(f"part: {len(corners)} numbers are needed, one for each triangle")
        parts = 1 if numbers is None else int(numbers.max()) + 1
        made = _library.MeshDef(len(vertices), len(corners), vertices.ctypes.data, corners.ctypes.data,
                                None if numbers is None else numbers.ctypes.data, parts)
        library = _library.library()
        message = ctypes.create_string_buffer(_library.MESSAGE_SIZE)
        handle = library.scree_mesh_create(made, message)
        if not handle:
            raise ArgumentError(message.value.decode())
        try:
            found = [self._add_wall("mesh", motion, {"point": point}, orientation=orientation, mesh=handle,
                                    part=-1 if numbers is None else k) for k in range(parts)]
        finally:
            library.scree_mesh_destroy(handle)
        return found[0]

    def _add_wall(self, shape: str, motion: Mapping[str, Any], vectors: Mapping[str, Any], *,
                  orientation: ArrayLike | None = None, radius: float = 0.0, length: float = 0.0,
                  end_radius: float = 0.0, holes: tuple[int, int] = (0, 0), spacing: tuple[float, float] = (0.0, 0.0),
                  inside: bool = False, mesh: int | None = None, part: int = -1) -> int:
        wall = _library.library().scree_wall_def_default()
        wall.shape = _library.SHAPES.index(shape)
        for name, value in vectors.items():
            setattr(wall, name, self._vec3(value, name))
        if orientation is not None:
            wall.orientation = walls.quat(orientation, "orientation")
        wall.radius = _values.number(radius, "radius")
        wall.length = _values.number(length, "length")
        wall.end_radius = _values.number(end_radius, "end_radius")
        wall.holes[:] = [_values.integer(number, "holes", 0) for number in holes]
        wall.spacing[:] = [_values.number(number, "spacing") for number in spacing]
        wall.inside = _definition.truth(inside, "inside")
        wall.mesh, wall.part = mesh, part
        walls.set_motion(wall, motion, self._dimension)
        number = _library.WallId(-1)
        self._do("scree_world_add_wall", wall, number)
        return number.index

    def remove_wall(self, wall: int) -> None:
        """Removes a wall; its number is not used again."""
        self._do("scree_wall_remove", _values.integer(wall, "wall"))

    def set_wall_velocity(self, wall: int, velocity: ArrayLike = (0, 0, 0), spin: ArrayLike = (0, 0, 0)) -> None:
        """Sets the motion of a wall from now on; of a piston, its velocity across its direction."""
        self._do("scree_wall_set_velocity", _values.integer(wall, "wall"), self._vec3(velocity, "velocity"),
                 walls.axial3(spin, "spin", self._dimension))

    def set_wall_force(self, wall: int, force: ArrayLike) -> None:
        """Sets the force that a piston carries."""
        self._do("scree_wall_set_force", _values.integer(wall, "wall"), self._vec3(force, "force"))

    def set_wall_stress(self, wall: int, stress: float) -> None:
        """Sets the stress that a piston carries between its walls."""
        self._do("scree_wall_set_stress", _values.integer(wall, "wall"), _values.number(stress, "stress"))

    def make_piston(self, wall: int, mass: float, direction: ArrayLike = (0, 0, 0)) -> None:
        """Makes a wall a piston of this mass, free along a direction (zero: the normal of a plane). It goes on with its
        velocity, and carries no force until it is given one."""
        self._do("scree_wall_make_piston", _values.integer(wall, "wall"), _values.number(mass, "mass"),
                 self._vec3(direction, "direction"))

    def make_moved(self, wall: int) -> None:
        """Makes a piston a moved wall, which stands still until it is given a velocity."""
        self._do("scree_wall_make_moved", _values.integer(wall, "wall"))

    @property
    def wall_count(self) -> int:
        """The number of walls, including removed ones."""
        return self._ask("scree_world_get_wall_count")

    def wall(self, wall: int) -> Wall:
        """The current state of a wall."""
        state = _library.WallState()
        number = _values.integer(wall, "wall")
        self._do("scree_wall_get_state", number, state)
        return walls.from_state(number, state)

    @property
    def walls(self) -> list[Wall]:
        """The current state of all walls, including removed ones."""
        with self._lock:
            return walls.Walls(self.wall(number) for number in range(self.wall_count))

    # ------------------------------------------------------------ stepping

    def check(self) -> None:
        """Raises what the next step would refuse before it begins: laws that the engine or the solver cannot solve."""
        self._do("scree_world_check")

    def step(self, n: int = 1) -> Report | Reports:
        """Makes a step and returns its report; or n steps, and returns the reports as a table.

        >>> import scree
        >>> world = scree.World(dimension=2, gravity=(0, -10), time_step=0.25)
        >>> stone, grain = world.add_material(), world.add_grains((0, 9), radius=1)
        >>> world.step().kinetic_energy == 0.5 * world.mass[0] * 2.5**2
        True
        >>> world.step(3).time.tolist()
        [0.5, 0.75, 1.0]
        """
        if _values.integer(n, "n", 0, 2**62) == 1:
            report = Report()
            self._make_step(ctypes.addressof(report))
            return report
        reports = np.zeros(n, REPORT)
        for at in range(n):
            self._make_step(reports.ctypes.data + at * REPORT.itemsize)
        return reports.view(Reports)

    def _make_step(self, report: int) -> None:
        with self._lock:
            self._with_device(lambda: self._do("scree_world_step", report))
            self._stepped(report)

    def _stepped(self, report: int) -> None:
        """A step was made, whose report lies at this address."""
        if self._recording is not None:
            self._recording._took_step(self, report)

    def run(self, until: float, progress: Callable[[World, Report], object] | bool | None = None) -> Reports:
        """Steps until a time is reached, and returns all reports. `progress` is called after each step; True shows a
        bar."""
        end = _values.end_time(until)
        if not np.isfinite(end):
            raise ArgumentError("until: a finite time is needed")
        return collect(self, lambda: end - self.time <= 1e-6 * self.time_step, self.step, progress, end)

    def record(self, path: str | os.PathLike[str], every: float | None = None, *, title: str = "world", text: str = "",
               material_names: Sequence[str] | None = None, wall_names: Sequence[str] | None = None,
               changing: bool = False, growing: bool = False) -> Recording:
        """Writes a run file from now on: the report of every step, and a frame now, every so often, and at the end.

        >>> import scree
        >>> world = scree.World(dimension=2, gravity=(0, -9.81), time_step=1e-3)
        >>> world.add_plane(point=(0, 0), normal=(0, 1))
        0
        >>> world.add_material(friction=0.5)
        0
        >>> world.add_grains(position=[(0, 0.6), (0.1, 1.7)], radius=0.5)
        range(0, 2)
        >>> with world.record("run.h5", every=0.1):
        ...     reports = world.run(until=0.5)
        >>> len(scree.open_run("run.h5").frames)
        6

        A file that is there is replaced. Walls cannot be added while it is open, and grains only be added or removed
        if they are said to be `changing`. That they are `growing` must be said if no material grows yet. `title`
        and `text` stand in the place of a scene's name and text.
        """
        names = names_of(self, title, text, material_names, wall_names)
        names.changing, names.growing = bool(changing), bool(growing)
        return self._record(path, every, names)

    def _record(self, path: str | os.PathLike[str], every: float | None, names: RecordNames,
                tell_gates: Callable[[ctypes.Array[Gate]], None] | None = None) -> Recording:
        if self._recording is not None:
            raise ArgumentError(f"this world is being recorded into {self._recording.path!r}; close that first")
        with self._lock:
            self._recording = Recording(self, path, every, names, tell_gates)
            return self._recording

    def take(self, other: World, copies: tuple[int, int, int] = (1, 1, 1)) -> None:
        """Takes grains with their shapes, and contacts with their forces, from another world of the same dimension.

        This world must have as many materials as that one, which stand for the same, but neither grains nor shapes
        yet; walls count by their numbers, and contacts with a wall that is not here are dropped. Of a periodic world,
        copies can be laid side by side: copy c of grain i, counted along x first, gets the number i n + c of n copies.
        """
        if not isinstance(other, World):
            raise ArgumentError(f"other: a world is needed, not {_values.short(other)}")
        how = _library.library().scree_take_def_default()
        how.copies[:] = [_values.integer(n, "copies", 1, 2**20) for n in copies]
        with self._lock, other._lock:
            here = self._ask("scree_world_get_wall_count")
            there = other._ask("scree_world_get_wall_count")
            wall = (ctypes.c_int32 * max(there, 1))(*[i if i < here else -1 for i in range(there)])
            how.wall = ctypes.addressof(wall)
            self._do("scree_world_take_bodies", other._pointer(), how)
            self._do("scree_world_take_contacts", other._pointer(), how)

    def keep_problem(self, keep: bool = True) -> None:
        """Sets whether the world keeps the contact problem of each step for problem(). Copies of the world do not."""
        with self._lock:
            self._ask("scree_world_keep_problem", bool(keep))
            self._keeps_problem = bool(keep)

    def problem(self) -> Problem:
        """The contact problem of the last step, in global form; see scree_world_create_problem in problem.h. Needs
        keep_problem() before the step."""
        with self._lock:
            return of_world(self._pointer())

    # ------------------------------------------------------------ measures

    @property
    def contacts(self) -> Table:
        """Contacts and candidates of the last step, as a table (a copy) with the fields of scree.CONTACTS."""
        with self._lock:
            return contacts.of_world(self._pointer())

    def find_overlaps(self) -> Overlap:
        """The current overlaps of the grains with each other and with walls."""
        found = _library.Overlap()
        self._do("scree_world_find_overlaps", found)
        return Overlap(found.count, found.a, found.b, found.depth)

    def coordination(self) -> float:
        """Mean number of active contacts of the grains that have any."""
        return self._ask("scree_world_get_coordination")

    def kinetic_energy(self) -> float:
        """The kinetic energy of all grains and pistons."""
        return self._ask("scree_world_get_kinetic_energy")

    def neighbours(self) -> Neighbours:
        """What the neighbour search has chosen and done so far."""
        found = self._ask("scree_world_get_search")
        method, *rest = (getattr(found, name) for name in Neighbours._fields)
        return Neighbours(_library.SEARCHES[method], *rest)

    def cost(self) -> Cost:
        """The time and memory used so far."""
        found = self._ask("scree_world_get_cost")
        return Cost(*(getattr(found, name) for name in Cost._fields))
