"""Scree from Python: rigid grains with exact Coulomb friction, by the contact dynamics method.

    import scree
    world = scree.World(dimension=2, gravity=(0, -9.81), time_step=1e-3)
    stone = world.add_material(density=2600, friction=0.5)
    world.add_plane(point=(0, 0), normal=(0, 1))
    world.add_grains(position=[(0, 1), (0.1, 2.1)], radius=0.5, material=stone)
    reports = world.run(until=1)
    print(world.position, reports.residual.max())

World       a world of grains; World.load restores a saved one
Builder     a scene made piece by piece: materials, walls, grains that fill a region, events
load_scene  a scene file or a dictionary, with its programme of drives and events
World.record  a run file of what Python does, to be viewed, exported and measured
resume      goes on with a run file that World.record wrote
open_run    a run file that 'scree run' wrote
load_study, Study  one scene with values that vary and several seeds
load_problem, Problem  stand-alone contact problems, from files or arrays
solids      shapes of grains in space: boxes, regular solids, prisms, rocks
measures    stress, fabric, packing, forces and fields of a world or a frame
capabilities  what this build of the library can do
data_frame, data_set  tables for pandas, runs and fields for xarray, where these are installed
plot        plots: grains, force chains, certificates, distributions (scree.plot needs matplotlib)

docs/python.md is a tour.
"""
from __future__ import annotations

from . import keys, measures, problem, solids
from ._capabilities import Capabilities, capabilities
from ._library import VERSION as __version__
from ._bond_table import BONDS
from .builder import Builder, schema
from ._findings import Cost, Neighbours, Overlap
from .cell import Cell
from .contacts import CONTACTS, ContactState
from .errors import (ArgumentError, ClosedError, ConvergenceError, ConvergenceWarning, CrowdedError, DeviceError,
                     DeviceWarning, Error, IdError, LibraryError, NoSolutionError, NotFiniteError, OutOfMemoryError,
                     ProblemError, RunError, RunNotFoundError, SceneError, SnapshotError)
from .frames import Frame
from .grains import Freeze
from .growth import Growth
from .laws import Law
from .problem import Problem, load_problem
from .recording import Recording, resume
from .report import REPORT, Report, Reports
from .run import Run, open_run
from .scene import Scene, load_scene
from .shapes import CORNERS, Nurbs, Part, Shape
from .solids import Mesh, Solid, SolidPart
from .study import Study, StudyError, load_study
from .tables import data_frame, data_set
from .walls import Wall
from .world import World

__all__ = [
    "ArgumentError", "BONDS", "Builder", "CONTACTS", "CORNERS", "Capabilities", "Cell", "ClosedError",
    "ContactState", "ConvergenceError", "ConvergenceWarning", "Cost", "CrowdedError", "DeviceError",
    "DeviceWarning", "Error", "Frame", "Freeze", "Growth", "IdError", "Law", "LibraryError", "Mesh", "Neighbours",
    "NoSolutionError", "NotFiniteError", "Nurbs", "OutOfMemoryError", "Overlap", "Part", "Problem", "ProblemError",
    "REPORT", "Recording", "Report", "Reports", "Run", "RunError", "RunNotFoundError", "Scene", "SceneError",
    "Shape", "SnapshotError", "Solid", "SolidPart", "Study", "StudyError", "Wall", "World", "__version__",
    "capabilities", "data_frame", "data_set", "keys", "load_problem", "load_scene", "load_study", "measures",
    "open_run", "plot", "problem", "resume", "schema", "solids"]


def __getattr__(name: str) -> object:
    """Loads scree.plot when it is first used, since matplotlib takes a while."""
    if name == "plot":
        import importlib

        return importlib.import_module(".plot", __name__)
    raise AttributeError(f"module 'scree' has no attribute '{name}'")
