"""The frames of a run file, as arrays."""
from __future__ import annotations

import functools
import os
from typing import TYPE_CHECKING, Any, Iterator, Sequence, overload

import numpy as np
from numpy.typing import NDArray

from . import _library, _values, contacts, walls
from ._bond_table import BONDS
from ._values import Floats, Table
from .cell import Cell
from .shapes import Outlined, Shape
from .solids import Meshed, Solid
from .walls import Wall

if TYPE_CHECKING:
    from .run import Run

BEST_PACKING = 1100  # deflate compresses by at most 1032 to 1
# Columns of walls: the kind of number, and how many.
_WALL_COLUMNS = {"present": ("i", 1), "orientation": ("f", 4), **{name: ("f", 3) for name in (
    "position", "displacement", "velocity", "spin", "load", "load_torque", "point", "normal", "end", "axis")}}
_WALL_DRIVES = {"motion": ("i", 1), "mass": ("f", 1), "direction": ("f", 3)}  # where frames tell of plates
_SEARCH_COLUMNS = {"method": "i", "levels": "i", "cell": "f", "cell_most": "f", "skin": "f", "aim": "f", "pairs": "i"}


class Frames(Sequence["Frame"]):
    """The frames of a run, in their order."""

    def __init__(self, run: Run) -> None:
        self._run = run

    def __len__(self) -> int:
        return len(self._run.times)

    @overload
    def __getitem__(self, at: int) -> Frame: ...

    @overload
    def __getitem__(self, at: slice) -> list[Frame]: ...

    def __getitem__(self, at: int | slice) -> Frame | list[Frame]:
        if isinstance(at, slice):
            return [Frame(self._run, number) for number in range(len(self))[at]]
        number = _values.integer(at, "frame", -2**62, 2**62)
        if not -len(self) <= number < len(self):
            raise IndexError(f"there is no frame {number}; the run has {len(self)}")
        return Frame(self._run, number % len(self))

    def __iter__(self) -> Iterator[Frame]:
        return (Frame(self._run, number) for number in range(len(self)))


class Frame(Outlined, Meshed):
    """One instant of a run. Arrays are read when first used, and kept."""

    def __init__(self, run: Run, number: int) -> None:
        self._run = run
        self.number = number
        self.time = float(run.times[number])
        self.step = int(run.steps[number])

    def __repr__(self) -> str:
        return f"<scree.Frame {self.number} of '{self._run.path}', time {self.time:.6g}>"

    def __len__(self) -> int:
        """The number of grains."""
        return len(self.identity)

    def __bool__(self) -> bool:
        return True

    @property
    def run(self) -> Run:
        """The run to which the frame belongs."""
        return self._run

    @property
    def dimension(self) -> int:
        """2 or 3."""
        return self._run.dimension

    @property
    def periodic(self) -> dict[str, tuple[float, float]]:
        """The cell along periodic directions; of an oblique one, where its edges end along their axes."""
        found = dict(self._run.periodic)
        for axis, (low, high) in found.items():
            along = float(self.cell.edges["xyz".index(axis)]["xyz".index(axis)])
            found[axis] = (low, high if along == high - low else low + along)
        return found

    @functools.cached_property
    def cell(self) -> Cell:
        """The periodic cell, which may have deformed."""
        if self._run.version < 15:
            edges = np.diag([high - low for low, high in (self._run.periodic.get(axis, (0.0, 0.0)) for axis in "xyz")])
            return Cell(edges, *np.zeros((3, 3, 3)))
        rows = slice(self.number, self.number + 1)
        return Cell(*(self._run._data(f"frames/cell/{name}", rows, shape=(1, 9)).reshape(3, 3)
                      for name in ("edge", "rate", "strain", "stress")))

    def _rows(self) -> slice:
        """Where the grains of the frame stand, in a run in which they come and go."""
        flow, number = self._run._flow, self.number
        return slice(int(flow[number - 1, 0]) if number > 0 else 0, int(flow[number, 0]))

    @functools.cached_property
    def identity(self) -> NDArray[np.int32]:
        """What tells grains apart in all frames of the run, (n,), rising; without gaps unless they come and go."""
        if not self._run.changing:
            return np.arange(len(self._run.radius), dtype=np.int32)
        rows = self._rows()
        if rows.stop - rows.start > (os.path.getsize(self._run.path) + 4096) * BEST_PACKING:
            raise self._run._damaged("frames/flow")
        found: NDArray[np.int32] = self._run._data("frames/bodies/identity", rows, "i", (rows.stop - rows.start,))
        if len(found) and not (found[0] >= 0 and np.all(np.diff(found) > 0) and found[-1] < len(self._run.radius)):
            raise self._run._damaged("frames/bodies/identity")
        return found

    def _of(self, values: NDArray[Any]) -> NDArray[Any]:
        """Those of the grains that are there, of the values of all times."""
        return values[self.identity] if self._run.changing else values

    @functools.cached_property
    def _sizes(self) -> dict[str, Floats]:
        """What is known of the sizes in this frame alone."""
        return {}

    def _size(self, name: str) -> Floats:
        """Of the grains in this frame; what they are made of stays the same, but they may grow."""
        if not self._run.growing:
            return self._of(getattr(self._run, name))
        if name not in self._sizes:
            rows = self._rows() if self._run.changing else slice(self.number, self.number + 1)
            shape = (len(self),) if self._run.changing else (1, len(self))
            self._sizes[name] = self._run._data(f"frames/bodies/{name}", rows, shape=shape).reshape(-1)
        return self._sizes[name]

    @property
    def radius(self) -> Floats:
        """Radii, (n,); for grains with a shape, those of their enclosing circles."""
        return self._size("radius")

    @property
    def mass(self) -> Floats:
        """Masses, (n,)."""
        return self._size("mass")

    @property
    def inertia(self) -> Floats:
        """Moments of inertia, (n,)."""
        return self._size("inertia")

    @property
    def material(self) -> NDArray[np.int32]:
        """Numbers of the materials, (n,)."""
        return self._of(self._run.material)

    @property
    def shape(self) -> NDArray[np.int32]:
        """Numbers of the shapes, (n,); -1: round."""
        return self._of(self._run.shape)

    @property
    def frozen(self) -> NDArray[np.int32]:
        """Freeze bits, (n,)."""
        return self._of(self._run.frozen)

    @functools.cached_property
    def holder(self) -> NDArray[np.int32]:
        """Numbers of the walls that hold grains, (n,); -1: none does. Files before version 18 do not say."""
        if not self._run.plates:
            return np.full(len(self), -1, np.int32)
        if self._run.changing:
            found: NDArray[np.int32] = self._run._data("frames/bodies/holder", self._rows(), "i", (len(self),))
        else:
            rows = slice(self.number, self.number + 1)
            found = self._run._data("frames/bodies/holder", rows, "i", (1, len(self)))[0]
        if np.any((found < -1) | (found >= len(self._run.wall_names))):
            raise self._run._damaged("frames/bodies/holder")
        return found

    @functools.cached_property
    def fragment(self) -> NDArray[np.int32]:
        """What bonds hold together, (n,): the lowest number, or identity, of the grains in the fragment of each."""
        if not self._run.bonds:
            return np.array(self.identity, np.int32)
        if self._run.changing:
            found: NDArray[np.int32] = self._run._data("frames/bodies/fragment", self._rows(), "i", (len(self),))
        else:
            rows = slice(self.number, self.number + 1)
            found = self._run._data("frames/bodies/fragment", rows, "i", (1, len(self)))[0]
        if np.any((found < 0) | (found > self.identity)):
            raise self._run._damaged("frames/bodies/fragment")
        return found

    @functools.cached_property
    def bonds(self) -> Table:
        """The bonds that hold, as a table with the fields of scree.BONDS, whose gap is that of the frame."""
        touching = self.contacts
        if not self._run.bonds:
            return np.zeros(0, BONDS).view(np.recarray)
        run, number = self._run, self.number
        begin = int(run._ends[number - 1, 0]) if number > 0 else 0
        rows, shape = slice(begin, begin + len(touching)), (len(touching),)
        bond = run._data("frames/contacts/bond", rows, "i", shape)
        table = np.zeros(len(touching), BONDS).view(np.recarray)
        table.a, table.b, table.gap, table.number = touching.a, touching.b, touching.gap, bond
        for name in ("tension", "shear", "bending", "torsion", "load"):
            table[name] = run._data(f"frames/contacts/bond_{name}", rows, "f", shape)
        return table[bond >= 0].view(np.recarray)

    @property
    def shapes(self) -> list[Shape]:
        """All shapes of the run, in two dimensions."""
        return self._run.shapes

    @property
    def solids(self) -> list[Solid]:
        """All solids of the run: its shapes in three dimensions."""
        return self._run.solids

    def _bodies(self, name: str, width: int) -> Floats:
        if self._run.changing:
            return self._run._data(f"frames/bodies/{name}", self._rows(), shape=(len(self), width))
        rows = slice(self.number, self.number + 1)
        return self._run._data(f"frames/bodies/{name}", rows, shape=(1, len(self), width))[0]

    @functools.cached_property
    def position(self) -> Floats:
        """Centres, (n, 3)."""
        return self._bodies("position", 3)

    @functools.cached_property
    def orientation(self) -> Floats:
        """Unit quaternions w, x, y, z, (n, 4)."""
        return self._bodies("orientation", 4)

    @functools.cached_property
    def velocity(self) -> Floats:
        """Velocities of the centres, (n, 3)."""
        return self._bodies("velocity", 3)

    @functools.cached_property
    def spin(self) -> Floats:
        """Angular velocities, (n, 3)."""
        return self._bodies("spin", 3)

    @functools.cached_property
    def contacts(self) -> Table:
        """Contacts and candidates, as a table with the fields of scree.CONTACTS."""
        run, number = self._run, self.number
        begin = int(run._ends[number - 1, 0]) if number > 0 else 0
        end = int(run._ends[number, 0])
        if end - begin > (os.path.getsize(run.path) + 4096) * BEST_PACKING:
            raise run._damaged("frames/contacts")
        table = contacts.empty(end - begin)
        run._fill(table, "frames/contacts", slice(begin, end))
        return table

    @functools.cached_property
    def search(self) -> dict[str, Any]:
        """What the neighbour search had chosen, by name: method, levels, cell, cell_most, skin, aim, pairs; empty
        in files of versions 1 and 2."""
        rows = slice(self.number, self.number + 1)
        if self._run.version < 3:
            return {}
        found = {name: self._run._data(f"frames/search/{name}", rows, kind, (1,))[0].item()
                 for name, kind in _SEARCH_COLUMNS.items()}
        if not 0 <= found["method"] < len(_library.SEARCHES):
            raise self._run._damaged("frames/search/method")
        return {**found, "method": _library.SEARCHES[found["method"]]}

    @functools.cached_property
    def walls(self) -> list[Wall]:
        """All walls, including removed ones."""
        run = self._run
        columns = run._walls("frames/walls", _WALL_COLUMNS, slice(self.number, self.number + 1))
        if run.plates:
            columns.update(run._walls("frames/walls", _WALL_DRIVES, slice(self.number, self.number + 1)))
            if np.any((columns["motion"] < 0) | (columns["motion"] >= len(_library.MOTIONS))):
                raise run._damaged("frames/walls/motion")
        shapes = run._wall_constants["shape"]
        if np.any((shapes < 0) | (shapes >= len(_library.SHAPES))):
            raise run._damaged("walls/shape")
        return walls.Walls(
            walls.from_run(number, name, {key: value[number] for key, value in run._wall_constants.items()},
                           {key: value[0, number] for key, value in columns.items()}, run._surfaces[number])
            for number, name in enumerate(run.wall_names))

    def wall(self, name: str) -> Wall:
        """A wall, by name, as the scene gives it; a box has several, such as "tank.left"."""
        return self.walls[walls.number_of(name, self._run.wall_names)]
