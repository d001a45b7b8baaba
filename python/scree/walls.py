"""Walls: planes, segments, blocks, cylinders, cones, plates and surfaces of triangles; fixed, moving, or pistons."""
from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any, Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from . import _library, _memory, _values
from ._library import Quat, Vec3, WallDef, WallState
from ._values import Floats
from .errors import ArgumentError, IdError
from .solids import Mesh


def _zero() -> Floats:
    return np.zeros(3)


@dataclass(frozen=True, eq=False)
class Wall:
    """The state of a wall at one instant; a copy. Values that its shape does not use are zero."""

    number: int
    name: str
    shape: str  # "plane", "segment", "block", "cylinder", "mesh", "cone" (also rings and discs), "plate" or
    # "holder": nothing but the grains that it holds
    present: bool  # False once removed
    point: Floats  # of the plane, start of the segment, centre of block and cylinder, origin of the mesh
    normal: Floats = field(default_factory=_zero)  # of the plane, towards the grains
    end: Floats = field(default_factory=_zero)  # of the segment
    half: Floats = field(default_factory=_zero)  # half sides of the block
    orientation: Floats = field(default_factory=lambda: np.array([1.0, 0, 0, 0]))  # of block, mesh: w, x, y, z
    axis: Floats = field(default_factory=lambda: np.array([0, 0, 1.0]))  # of the cylinder
    radius: float = 0.0
    length: float = 0.0  # of the cylinder, 0 when endless; of the cone, 0: a ring or a disc
    end_radius: float = 0.0  # of the cone, at point + length axis
    holes: tuple[int, int] = (0, 0)  # of the plate, along its x and y, all of the radius
    spacing: tuple[float, float] = (0.0, 0.0)  # of the holes
    inside: bool = False  # the grains are within the cylinder
    position: Floats = field(default_factory=_zero)  # of the pivot
    displacement: Floats = field(default_factory=_zero)  # of the pivot since the wall was made
    velocity: Floats = field(default_factory=_zero)
    spin: Floats = field(default_factory=_zero)
    load: Floats = field(default_factory=_zero)  # force of the grains on it during the last step
    load_torque: Floats = field(default_factory=_zero)  # the same, about the pivot
    motion: str = ""  # "fixed", "moved" or "piston"; run files before version 18 only tell pistons
    material: int = -1  # -1: as the grain that touches it
    mass: float = 0.0  # of a piston; run files before version 18 do not tell it: nan
    stress: float = 0.0  # on a piston
    force: Floats = field(default_factory=_zero)  # on a piston
    direction: Floats = field(default_factory=_zero)  # of a piston
    mesh: Mesh | None = None  # its triangles where they are now, if it is a mesh

    def __repr__(self) -> str:
        gone = "" if self.present else ", removed"
        name = f" '{self.name}'" if self.name else ""
        return f"<scree.Wall {self.number}{name}: {self.shape}{gone}>"


def row(value: Any) -> Floats:
    """A vector of the library as an array."""
    return np.array([getattr(value, name) for name, _ in value._fields_])


def place_mesh(vertices: Floats, triangles: Iterable[NDArray[np.int32]], orientation: Floats, point: Floats) -> Mesh:
    """A surface given in its own frame, where its wall is."""
    w, axis = orientation[0], orientation[1:]
    once = np.cross(axis, vertices)
    return Mesh(vertices + 2 * w * once + 2 * np.cross(axis, once) + point, tuple(triangles))


def _mesh_of(now: WallDef) -> Mesh | None:
    if not now.mesh:
        return None
    found = _library.library().scree_mesh_get(now.mesh)
    vertices = _memory.copied(found.vertex, 3 * found.vertices, np.dtype(float)).reshape(-1, 3)
    triangles = _memory.copied(found.corner, 3 * found.triangles, np.dtype(np.int32)).reshape(-1, 3)
    if found.part and now.part >= 0:
        triangles = triangles[_memory.copied(found.part, found.triangles, np.dtype(np.int32)) == now.part]
    return place_mesh(vertices, triangles, row(now.orientation), row(now.point))


def _circle(centre: Floats, across: Floats, other: Floats, radius: float, count: int) -> Floats:
    turn = 2 * np.pi * np.arange(count) / count
    return centre + radius * (np.cos(turn)[:, None] * across + np.sin(turn)[:, None] * other)


def _cone_surface(wall: Wall, count: int = 96) -> Mesh:
    across = np.cross(wall.axis, np.eye(3)[np.abs(wall.axis).argmin()])
    across /= np.linalg.norm(across)
    other = np.cross(wall.axis, across)
    ends = [_circle(wall.point + along * wall.axis, across, other, radius, count)
            for along, radius in ((0.0, wall.radius), (wall.length, wall.end_radius))]
    next_one = np.roll(np.arange(count), -1)
    faces = np.column_stack([np.arange(count), next_one, next_one + count, np.arange(count) + count])
    if not wall.radius or not wall.end_radius:  # a tip
        faces = faces[:, [0, 2, 3]] if not wall.radius else faces[:, :3]
    return Mesh(np.vstack(ends), tuple(faces.astype(np.int32)))


def _ends_of_row(half: float, count: int, spacing: float) -> Floats:
    """Where a plate is cut between its holes."""
    inner = (np.arange(1, count) - count / 2) * spacing
    return np.concatenate([[-half], inner, [half]])


def _plate_surface(wall: Wall) -> Mesh:
    """Cut into rectangles, one for each hole, and each of these into quads between the hole and its outline."""
    half = wall.half[:2]
    if not wall.holes[0] * wall.holes[1]:
        flat = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half
        faces: list[NDArray[np.int32]] = [np.arange(4, dtype=np.int32)]
    else:
        cuts = [_ends_of_row(half[k], wall.holes[k], wall.spacing[k]) for k in range(2)]
        middles = [(np.arange(count) - (count - 1) / 2) * space for count, space in zip(wall.holes, wall.spacing)]
        side = np.linspace(-1, 1, 9)[:-1]
        square = np.vstack([np.column_stack([side, -np.ones(8)]), np.column_stack([np.ones(8), side]),
                            np.column_stack([-side, np.ones(8)]), np.column_stack([-np.ones(8), -side])])
        pieces: list[Floats] = []
        faces = []
        for (i, x), (j, y) in ((one, two) for one in enumerate(middles[0]) for two in enumerate(middles[1])):
            low, high = np.array([cuts[0][i], cuts[1][j]]), np.array([cuts[0][i + 1], cuts[1][j + 1]])
            outline = (low + high) / 2 + square * (high - low) / 2
            away = outline - [x, y]
            rim = [x, y] + wall.radius * away / np.linalg.norm(away, axis=1)[:, None]
            first, turn = 64 * len(pieces), np.arange(32)
            faces += list((first + np.column_stack([turn, (turn + 1) % 32, (turn + 1) % 32 + 32, turn + 32])
                           ).astype(np.int32))
            pieces.append(np.vstack([outline, rim]))
        flat = np.vstack(pieces)
    return place_mesh(np.column_stack([flat, np.zeros(len(flat))]), tuple(faces), wall.orientation, wall.point)


def surface_of(wall: Wall) -> Mesh | None:
    """What to draw of a mesh, a cone or a plate, whose circles are polygons here; None for other walls."""
    if wall.shape == "cone":
        return _cone_surface(wall)
    return _plate_surface(wall) if wall.shape == "plate" else wall.mesh


def from_state(number: int, state: WallState, name: str = "") -> Wall:
    """A wall of a world."""
    now = state.now
    vectors = {name: row(getattr(now, name)) for name in ("point", "normal", "end", "half", "orientation", "axis",
                                                          "velocity", "spin", "force", "direction")}
    vectors.update({name: row(getattr(state, name)) for name in ("displacement", "load", "load_torque")})
    return Wall(number=number, name=name, shape=_library.SHAPES[now.shape], present=state.present,
                radius=now.radius, length=now.length, end_radius=now.end_radius, inside=now.inside,
                holes=(now.holes[0], now.holes[1]), spacing=(now.spacing[0], now.spacing[1]),
                motion=_library.MOTIONS[now.motion], material=now.material, mass=now.mass, stress=now.stress,
                position=row(now.pivot if now.has_pivot else now.point), mesh=_mesh_of(now),
                **vectors)


def from_run(number: int, name: str, constant: Mapping[str, Any], now: Mapping[str, Any],
             surface: tuple[Floats, NDArray[np.int32]] | None) -> Wall:
    """A wall of a frame of a run file: its columns, and vertices and triangles of its mesh."""
    values: dict[str, Any] = {**constant, **now}
    if surface is not None:
        values["mesh"] = place_mesh(*surface, now["orientation"], now["point"])
    values["shape"] = _library.SHAPES[int(values["shape"])]
    for flag in ("present", "inside"):
        values[flag] = bool(values[flag])
    for scalar in ("radius", "length", "end_radius"):
        values[scalar] = float(values.get(scalar, 0))  # the last one since version 14
    values["holes"] = tuple(int(number) for number in values.get("holes", (0, 0)))
    values["spacing"] = tuple(float(number) for number in values.get("spacing", (0, 0)))
    if "motion" in values:  # since version 5
        motion = int(values["motion"])
        told = "motion" in now or motion == _library.MOTIONS.index("piston")  # constants are those of the start
        values.update(motion=_library.MOTIONS[motion] if told else "", material=int(values["material"]))
        values["mass"] = float(values.get("mass", np.nan if motion == _library.MOTIONS.index("piston") else 0))
    known = {item.name for item in fields(Wall)}
    return Wall(number=number, name=name, **{key: value for key, value in values.items() if key in known})


# ---------------------------------------------------------------- making

# What a wall may be given besides its shape.
MOTION_KEYS = ("material", "motion", "velocity", "spin", "pivot", "mass", "force", "direction", "stress",
               "between")


def vec3(value: Any, name: str, dimension: int) -> Vec3:
    """A vector for the library."""
    return Vec3(*_values.vector(value, name, dimension))


def axial3(value: Any, name: str, dimension: int) -> Vec3:
    """A vector of rotation for the library."""
    return Vec3(*_values.turn(value, name, dimension))


def quat(value: Any, name: str) -> Quat:
    """A quaternion for the library."""
    found = _values.quaternions(value, name, None)
    if len(found) != 1:
        raise ArgumentError(f"{name}: one quaternion is needed")
    return Quat(*found[0])


_PISTON = ("mass", "force", "direction", "stress", "between")


def _motion(given: Mapping[str, Any]) -> int:
    """The motion that was asked for, or the one that the other arguments speak of."""
    if given.get("motion") is not None:
        return _values.choice(given["motion"], "motion", _library.MOTIONS)
    if any(given.get(name) is not None for name in _PISTON):
        return _library.MOTIONS.index("piston")
    if any(given.get(name) is not None for name in ("velocity", "spin")):
        return _library.MOTIONS.index("moved")
    return _library.MOTIONS.index("fixed")


# What has no meaning for a motion.
_FOREIGN = (("velocity", "spin") + _PISTON, _PISTON, ("spin",))


def _set_between(wall: WallDef, numbers: Any, dimension: int) -> None:
    if numbers is None:
        return
    found = [_values.integer(number, "between", -1) for number in numbers]
    if len(found) != 2 * (dimension - 1):
        raise ArgumentError(f"between: {2 * (dimension - 1)} walls are needed, not {len(found)}")
    wall.between[:len(found)] = found


def set_motion(wall: WallDef, given: Mapping[str, Any], dimension: int) -> None:
    """Fills in material and motion."""
    _values.known(given, MOTION_KEYS, "a wall")
    wall.motion = _motion(given)
    for name in _FOREIGN[wall.motion]:
        if given.get(name) is not None:
            raise ArgumentError(f"{name}: a wall that is '{_library.MOTIONS[wall.motion]}' has none")
    if given.get("material") is not None:
        wall.material = _values.integer(given["material"], "material", -1)
    for name in ("velocity", "force", "direction", "pivot"):
        if given.get(name) is not None:
            setattr(wall, name, vec3(given[name], name, dimension))
    wall.has_pivot = given.get("pivot") is not None
    if given.get("spin") is not None:
        wall.spin = axial3(given["spin"], "spin", dimension)
    if given.get("mass") is not None:
        wall.mass = _values.number(given["mass"], "mass")
    if given.get("stress") is not None:
        wall.stress = _values.number(given["stress"], "stress")
    _set_between(wall, given.get("between"), dimension)


#: Columns of the table of one wall over time.
HISTORY = np.dtype([("time", "f8"), ("frame", "i8"), ("present", "?"), *(
    (name, "f8", (3,)) for name in ("position", "displacement", "velocity", "spin", "load", "load_torque"))])


class Walls(list[Wall]):
    """The walls of a world or a frame, by number."""

    def __getitem__(self, number: Any) -> Any:
        if isinstance(number, str):
            raise ArgumentError(f'walls["{number}"]: walls are listed by number; by name it is frame.wall("{number}") '
                                f'or scene.wall("{number}")')
        return super().__getitem__(number)


def number_of(name: object, names: Sequence[str]) -> int:
    """Of the wall with that name."""
    if name not in names:
        raise IdError(f"no wall '{_values.short(name) if not isinstance(name, str) else name}'; there are "
                      f"{', '.join(names) or 'none'}")
    return list(names).index(str(name))
