"""The shared library: where it is, its structs and its functions, as the public headers declare them; those of
problem.h and problem_file.h are in _problem_structs.py, record.h in _record_structs.py, measures.h in
_measure_structs.py, start.h in _take_structs.py, most structs of
indeterminacy.h in _indeterminacy_structs.py, vectors and shapes in _shape_structs.py.

Nothing is loaded before it is needed, so that run files can be read and drawn without the library. The tests compare
every struct and every function here with the header."""
from __future__ import annotations

import ctypes
import functools
import os
from ctypes import POINTER, c_bool, c_char_p, c_double, c_int, c_int32, c_int64, c_size_t, c_uint32, c_uint64, c_void_p
from pathlib import Path
from typing import Any, Iterator

from . import _bond_structs, _growth_structs, _measure_structs, _problem_structs, _record_structs, _take_structs
from ._indeterminacy_structs import ForceRange, Indeterminacy, IndeterminacyDef, Motions
from ._measure_structs import Sample
from ._shape_structs import (MeshDef, NurbsDef, NurbsSurface, Quat, RockDef, Shape, ShapeDef, ShapePart, Solid,
                             SolidDef, SolidPart, Vec3)
from .errors import Error, LibraryError, OutOfMemoryError, error_of
from .laws import CBridge, CLaw
from .report import Report

# Structs that are found here, from whichever file.
__all__ = ["ForceRange", "Indeterminacy", "IndeterminacyDef", "MeshDef", "Motions", "NurbsDef", "NurbsSurface", "Quat",
           "RockDef", "Sample", "Shape", "ShapeDef", "ShapePart", "Solid", "SolidDef", "SolidPart", "Vec3"]

VERSION = "0.1.0"
MESSAGE_SIZE = 256
FILE_MESSAGE_SIZE = 1024

# Names for the numbers of enums, in their order.
ENGINES = ("contact_dynamics", "soft", "variational", "quasistatic")
CELL_CONTROLS = ("rate", "stress")
SEARCHES = ("hierarchical_grid", "linked_cell", "verlet_list", "linked_linear_list")
METHODS = ("auto", "gauss_seidel", "accelerated", "newton", "interior_point")
ORDERS = ("boxed", "random", "fixed", "alternating", "coloured")
CRITERIA = ("residual", "local", "global", "fixed")
INTEGRATORS = ("velocity_verlet", "verlet")
SOFT_FRICTIONS = ("spring", "viscous")
SHAPES = ("plane", "segment", "block", "cylinder", "mesh", "cone", "plate", "holder")
MOTIONS = ("fixed", "moved", "piston")
PART_KINDS = ("polyhedron", "ellipsoid", "cone", "nurbs")
CONTACT_STATES = ("open", "stick", "slip")
POLICIES = ("continue", "warn", "stop")
PROFILE_AXES = ("x", "y", "z", "r")
DISTRIBUTIONS = ("normal", "tangential", "mobilised", "direction", "partners", "pairs")

# ---------------------------------------------------------------- structs
# Ids in structs and arrays are the plain numbers that they are.


class _Id(ctypes.Structure):
    """Ids are structs of one number, passed by value; here a plain number will do."""

    _fields_ = [("index", c_int32)]

    @classmethod
    def from_param(cls, value: Any) -> Any:
        """Called by ctypes for each argument."""
        return value if isinstance(value, cls) else cls(value)


class BodyId(_Id):
    """ScreeBodyId."""


class WallId(_Id):
    """ScreeWallId."""


class ShapeId(_Id):
    """ScreeShapeId."""


class MaterialId(_Id):
    """ScreeMaterialId."""


class Partner(ctypes.Structure):
    """ScreePartner."""

    _fields_ = [("code", c_int32)]


class Capabilities(ctypes.Structure):
    """ScreeCapabilities."""

    _fields_ = [("threads", c_bool), ("files", c_bool), ("gpu", c_bool), ("mpi", c_bool), ("simd_width", c_int32),
                ("simd", c_char_p), ("factor", c_char_p)]


class SolverDef(ctypes.Structure):
    """ScreeSolverDef."""

    _fields_ = [("method", c_int), ("order", c_int), ("criterion", c_int), ("tolerance", c_double),
                ("overlap", c_double), ("small_force", c_double), ("iterations", c_int), ("warm_start", c_bool),
                ("projection", c_double), ("cuts", c_int), ("cookie", c_uint32)]


class SoftDef(ctypes.Structure):
    """ScreeSoftDef."""

    _fields_ = [("integrator", c_int), ("friction", c_int)]


class VariationalDef(ctypes.Structure):
    """ScreeVariationalDef."""

    _fields_ = [("exact", c_bool), ("tolerance", c_double), ("iterations", c_int), ("range", c_double)]


class CellDef(ctypes.Structure):
    """ScreeCellDef."""

    _fields_ = [("deforms", c_bool), ("vector", Vec3 * 3), ("rate", c_double * 9), ("control", c_int32 * 9),
                ("stress", c_double * 9), ("isotropic", c_bool), ("pressure", c_double), ("symmetric", c_bool),
                ("mass", c_double), ("viscosity", c_double), ("tilted", c_bool), ("unfolded", c_bool),
                ("inverse", c_double * 9)]


class CellReport(ctypes.Structure):
    """ScreeCellReport."""

    _fields_ = [("vector", Vec3 * 3), ("volume", c_double), ("rate", c_double * 9), ("strain", c_double * 9),
                ("stress", c_double * 9)]


class WorldDef(ctypes.Structure):
    """ScreeWorldDef."""

    _fields_ = [("dimension", c_int), ("engine", c_int), ("gravity", Vec3), ("time_step", c_double),
                ("theta", c_double), ("periodic", c_bool * 3), ("cell_min", Vec3), ("cell_max", Vec3),
                ("deform", CellDef), ("signed_gap", c_bool), ("search", c_int), ("skin", c_double), ("cell", c_double),
                ("seed", c_uint64), ("threads", c_int), ("solver", SolverDef), ("soft", SoftDef),
                ("variational", VariationalDef),
                ("cookie", c_uint32)]


class MaterialDef(ctypes.Structure):
    """ScreeMaterialDef."""

    _fields_ = [("density", c_double), ("law", CLaw), ("cookie", c_uint32)]


class BodyDef(ctypes.Structure):
    """ScreeBodyDef."""

    _fields_ = [("position", Vec3), ("orientation", Quat), ("velocity", Vec3), ("spin", Vec3), ("radius", c_double),
                ("shape", c_int32), ("mass", c_double), ("inertia", c_double), ("material", c_int32),
                ("frozen", c_uint32), ("force", Vec3), ("torque", Vec3), ("cookie", c_uint32)]


class BodyView(ctypes.Structure):
    """ScreeBodyView; the pointers as plain addresses."""

    _fields_ = [("count", c_size_t)] + [(name, c_void_p) for name in (
        "position", "orientation", "velocity", "spin", "force", "torque", "radius", "mass", "inertia", "material",
        "frozen", "shape", "identity", "holder")]


class WallDef(ctypes.Structure):
    """ScreeWallDef."""

    _fields_ = [("shape", c_int), ("point", Vec3), ("normal", Vec3), ("end", Vec3), ("half", Vec3),
                ("orientation", Quat), ("mesh", c_void_p), ("part", c_int32), ("axis", Vec3), ("radius", c_double),
                ("length", c_double), ("end_radius", c_double), ("inside", c_bool), ("holes", c_int32 * 2),
                ("spacing", c_double * 2), ("material", c_int32), ("motion", c_int), ("velocity", Vec3),
                ("spin", Vec3), ("pivot", Vec3), ("has_pivot", c_bool), ("mass", c_double), ("force", Vec3),
                ("direction", Vec3), ("stress", c_double), ("between", c_int32 * 4), ("cookie", c_uint32)]


class WallState(ctypes.Structure):
    """ScreeWallState."""

    _fields_ = [("present", c_bool), ("now", WallDef), ("displacement", Vec3), ("load", Vec3), ("load_torque", Vec3)]


class Contact(ctypes.Structure):
    """ScreeContact."""

    _fields_ = [("a", c_int32), ("b", c_int32), ("feature", c_int32), ("state", c_int32), ("normal", Vec3),
                ("gap", c_double), ("normal_impulse", c_double), ("tangential_impulse", Vec3)]


class ContactExtra(ctypes.Structure):
    """ScreeContactExtra."""

    _fields_ = [("torque_impulse", Vec3), ("opening", c_double)]


class ContactView(ctypes.Structure):
    """ScreeContactView; the pointers as plain addresses."""

    _fields_ = [("count", c_size_t), ("contact", c_void_p), ("extra", c_void_p), ("time_step", c_double),
                ("status", c_int)]


class Overlap(ctypes.Structure):
    """ScreeOverlap."""

    _fields_ = [("count", c_size_t), ("a", c_int32), ("b", c_int32), ("depth", c_double)]


class Cost(ctypes.Structure):
    """ScreeCost."""

    _fields_ = [("seconds_total", c_double), ("seconds_solver", c_double), ("updates", c_double),
                ("bytes_bodies", c_size_t), ("bytes_contacts", c_size_t), ("contacts", c_size_t)]


class Miss(ctypes.Structure):
    """ScreeMiss."""

    _fields_ = [("what", c_char_p), ("value", c_double), ("limit", c_double)]


class SearchReport(ctypes.Structure):
    """ScreeSearchReport."""

    _fields_ = [("method", c_int32), ("levels", c_int32), ("cell", c_double), ("cell_most", c_double),
                ("skin", c_double), ("aim", c_double), ("pairs", c_int64), ("updates", c_int64),
                ("renewals", c_int64), ("tested", c_int64), ("exchanged", c_int64), ("kept", c_int64),
                ("seconds", c_double)]


class SampleWall(ctypes.Structure):
    """ScreeSampleWall."""

    _fields_ = [("material", c_int32), ("mass", c_double), ("piston", Vec3), ("pivot", Vec3), ("velocity", Vec3),
                ("spin", Vec3)]


class Surroundings(ctypes.Structure):
    """ScreeSurroundings; the pointers as plain addresses."""

    _fields_ = [("time_step", c_double), ("frozen", c_void_p), ("walls", c_size_t), ("wall", c_void_p),
                ("holder", c_void_p)]


class MotionRange(ctypes.Structure):
    """ScreeMotionRange."""

    _fields_ = [(name, Vec3) for name in ("velocity_least", "velocity_most", "spin_least", "spin_most")]


class SceneInfo(ctypes.Structure):
    """ScreeSceneInfo."""

    _fields_ = [("materials", c_size_t), ("walls", c_size_t), ("end", c_double), ("output_every", c_double),
                ("policy", c_int), ("gates", c_size_t), ("device", c_int), ("grows", c_bool),
                ("series", c_size_t)]


STRUCTS: dict[str, type[ctypes.Structure]] = {f"Scree{struct.__name__}": struct for struct in (
    BodyId, WallId, ShapeId, MaterialId, Partner, Capabilities, Vec3, Quat, SolverDef, SoftDef, VariationalDef, CellDef,
    CellReport, WorldDef, MaterialDef, ShapePart, ShapeDef, Shape, SolidPart, SolidDef, MeshDef, Solid, RockDef,
    BodyDef, BodyView, WallDef, WallState, Contact, ContactExtra, ContactView, Report, Overlap, Cost, Miss,
    SearchReport, SceneInfo, SampleWall, Surroundings, IndeterminacyDef, ForceRange, Indeterminacy, MotionRange,
    Motions)}
STRUCTS.update(ScreeLaw=CLaw, ScreeBridge=CBridge, ScreeNurbs=NurbsDef, ScreeNurbsSurface=NurbsSurface,
               **_problem_structs.STRUCTS, **_record_structs.STRUCTS, **_take_structs.STRUCTS, **_bond_structs.STRUCTS,
               **_growth_structs.STRUCTS,
               **_measure_structs.STRUCTS)

# ---------------------------------------------------------------- functions

_world = _scene = c_void_p
_status = c_int

# Result and arguments of each function.
FUNCTIONS: dict[str, tuple[Any, list[Any]]] = {
    "scree_get_version": (c_char_p, []),
    "scree_get_capabilities": (Capabilities, []),
    "scree_status_get_text": (c_char_p, [_status]),
    "scree_solver_def_default": (SolverDef, []),
    "scree_world_def_default": (WorldDef, []),
    "scree_world_create": (_status, [POINTER(WorldDef), POINTER(_world), c_char_p]),
    "scree_world_destroy": (None, [_world]),
    "scree_world_get_message": (c_char_p, [_world]),
    "scree_world_get_def": (WorldDef, [_world]),
    "scree_world_get_time": (c_double, [_world]),
    "scree_world_get_step_count": (c_uint64, [_world]),
    "scree_world_set_gravity": (_status, [_world, Vec3]),
    "scree_world_set_time_step": (_status, [_world, c_double]),
    "scree_world_check": (_status, [_world]),
    "scree_world_advise_time_step": (c_double, [_world]),
    "scree_world_set_solver": (_status, [_world, POINTER(SolverDef)]),
    "scree_world_set_cell": (_status, [_world, POINTER(CellDef)]),
    "scree_world_set_cell_edges": (_status, [_world, POINTER(Vec3)]),
    "scree_world_get_cell": (CellReport, [_world]),
    "scree_cell_get_component": (c_char_p, [c_int]),
    "scree_world_set_threads": (_status, [_world, c_int]),
    "scree_world_set_device": (_status, [_world, c_void_p]),
    "scree_world_check_device": (_status, [_world]),
    "scree_law_default": (CLaw, []),
    "scree_law_get_bridge": (CBridge, [POINTER(CLaw), c_double, c_double, c_double]),
    "scree_material_def_default": (MaterialDef, []),
    "scree_world_add_material": (_status, [_world, POINTER(MaterialDef), POINTER(MaterialId)]),
    "scree_law_set": (_status, [_world, MaterialId, MaterialId, POINTER(CLaw)]),
    "scree_law_get": (_status, [_world, MaterialId, MaterialId, POINTER(CLaw)]),
    "scree_world_add_shape": (_status, [_world, POINTER(ShapeDef), POINTER(ShapeId)]),
    "scree_world_get_shape_count": (c_size_t, [_world]),
    "scree_shape_get": (_status, [_world, ShapeId, POINTER(Shape)]),
    "scree_shape_def_measure": (_status, [POINTER(ShapeDef), POINTER(Shape), c_char_p]),
    "scree_shape_part_draw": (_status, [POINTER(ShapePart), c_void_p, c_void_p, POINTER(c_size_t)]),
    "scree_outline_fill": (_status, [c_void_p, c_size_t, c_void_p, POINTER(c_size_t)]),
    "scree_world_add_nurbs": (_status, [_world, POINTER(NurbsDef), POINTER(ShapeId)]),
    "scree_world_add_solid": (_status, [_world, POINTER(SolidDef), POINTER(ShapeId)]),
    "scree_shape_get_solid": (_status, [_world, ShapeId, POINTER(Solid)]),
    "scree_solid_make_box": (None, [Vec3, c_void_p]),
    "scree_solid_make_regular": (c_size_t, [c_int32, c_double, c_void_p]),
    "scree_solid_make_prism": (None, [c_int32, c_double, c_double, c_void_p]),
    "scree_solid_make_rod": (None, [c_double, c_void_p]),
    "scree_solid_make_plate": (None, [c_double, c_double, c_void_p]),
    "scree_solid_make_ellipsoid": (None, [Vec3, c_void_p]),
    "scree_solid_make_cylinder": (None, [c_double, c_void_p]),
    "scree_solid_part_support": (_status, [POINTER(SolidPart), c_void_p, Vec3, POINTER(Vec3)]),
    "scree_solid_make_rock": (_status, [POINTER(RockDef), c_void_p, POINTER(c_size_t), c_char_p]),
    "scree_solid_flatten": (_status, [c_void_p, c_size_t, c_void_p, c_double, c_void_p, c_size_t]),
    "scree_solid_def_measure": (_status, [POINTER(SolidDef), POINTER(Solid), c_char_p]),
    "scree_solid_cut_nurbs": (_status, [POINTER(NurbsSurface), c_void_p, c_void_p, POINTER(c_size_t), c_char_p]),
    "scree_solid_part_draw": (_status, [POINTER(SolidPart), c_void_p, c_void_p, c_void_p, c_void_p, POINTER(c_size_t),
                                        c_void_p, POINTER(c_size_t)]),
    "scree_shape_get_nurbs": (_status, [_world, ShapeId, POINTER(NurbsDef)]),
    "scree_nurbs_measure": (_status, [POINTER(NurbsDef), POINTER(Shape), c_void_p, POINTER(c_size_t), c_char_p]),
    "scree_body_def_default": (BodyDef, []),
    "scree_world_add_bodies": (_status, [_world, c_void_p, c_size_t, POINTER(BodyId)]),
    "scree_world_remove_bodies": (_status, [_world, c_void_p, c_size_t]),
    "scree_body_get_identity": (c_int32, [_world, BodyId]), "scree_world_get_identity_count": (c_int64, [_world]),
    "scree_world_find_body": (BodyId, [_world, c_int32]),
    "scree_body_set_position": (_status, [_world, BodyId, Vec3]),
    "scree_body_set_orientation": (_status, [_world, BodyId, Quat]),
    "scree_body_set_velocity": (_status, [_world, BodyId, Vec3, Vec3]),
    "scree_body_set_force": (_status, [_world, BodyId, Vec3, Vec3]),
    "scree_growth_default": (_growth_structs.CGrowth, []),
    "scree_material_set_growth": (_status, [_world, MaterialId, POINTER(_growth_structs.CGrowth)]),
    "scree_material_get_growth": (_status, [_world, MaterialId, POINTER(_growth_structs.CGrowth)]),
    "scree_body_set_size": (_status, [_world, BodyId, c_double, c_double, c_double]),
    "scree_body_set_frozen": (_status, [_world, BodyId, c_uint32]),
    "scree_body_set_holder": (_status, [_world, BodyId, WallId]),
    "scree_world_get_bodies": (BodyView, [_world]),
    "scree_wall_def_default": (WallDef, []),
    "scree_world_add_wall": (_status, [_world, POINTER(WallDef), POINTER(WallId)]),
    "scree_mesh_create": (c_void_p, [POINTER(MeshDef), c_char_p]),
    "scree_mesh_destroy": (None, [c_void_p]),
    "scree_mesh_get": (MeshDef, [c_void_p]),
    "scree_mesh_get_bytes": (c_size_t, [c_void_p]),
    "scree_world_get_mesh_count": (c_size_t, [_world]),
    "scree_world_get_mesh": (c_void_p, [_world, c_size_t]),
    "scree_wall_def_get_distance": (c_double, [POINTER(WallDef), Vec3]),
    "scree_wall_remove": (_status, [_world, WallId]),
    "scree_wall_set_velocity": (_status, [_world, WallId, Vec3, Vec3]),
    "scree_wall_set_force": (_status, [_world, WallId, Vec3]),
    "scree_wall_set_stress": (_status, [_world, WallId, c_double]),
    "scree_wall_make_piston": (_status, [_world, WallId, c_double, Vec3]),
    "scree_wall_make_moved": (_status, [_world, WallId]),
    "scree_world_get_wall_count": (c_size_t, [_world]),
    "scree_wall_get_state": (_status, [_world, WallId, POINTER(WallState)]),
    "scree_world_get_contacts": (ContactView, [_world]),
    "scree_contact_get_point": (Vec3, [_world, c_void_p]),
    "scree_world_step": (_status, [_world, c_void_p]),
    "scree_world_find_overlaps": (_status, [_world, POINTER(Overlap)]),
    "scree_world_get_coordination": (c_double, [_world]),
    "scree_world_get_kinetic_energy": (c_double, [_world]),
    "scree_world_get_cost": (Cost, [_world]),
    "scree_world_get_miss": (Miss, [_world]),
    "scree_world_get_search": (SearchReport, [_world]),
    "scree_search_get_name": (c_char_p, [c_int32]),
    "scree_engine_get_name": (c_char_p, [c_int32]),
    "scree_method_get_name": (c_char_p, [c_int32]),
    "scree_world_take_surroundings": (None, [_world, c_void_p, POINTER(Surroundings)]),
    "scree_indeterminacy_def_default": (IndeterminacyDef, []),
    "scree_sample_measure_motions": (_status, [POINTER(Sample), POINTER(Surroundings), POINTER(IndeterminacyDef),
                                               c_void_p, c_void_p, c_char_p]),
    "scree_sample_measure_indeterminacy": (_status, [POINTER(Sample), POINTER(Surroundings), POINTER(IndeterminacyDef),
                                                     c_void_p, c_void_p, c_void_p, c_char_p]),
    "scree_world_save": (_status, [_world, c_void_p, POINTER(c_size_t)]),
    "scree_world_load": (_status, [c_char_p, c_size_t, POINTER(_world), c_char_p]),
    "scree_world_hash": (c_uint64, [_world]),
    "scree_scene_load": (_status, [c_char_p, POINTER(c_char_p), c_size_t, POINTER(_scene), c_char_p]),
    "scree_scene_parse": (_status, [c_char_p, c_size_t, c_char_p, POINTER(c_char_p), c_size_t, POINTER(_scene),
                                    c_char_p]),
    "scree_scene_destroy": (None, [_scene]),
    "scree_scene_check_part": (_status, [c_char_p, c_size_t, c_char_p, c_char_p]),
    "scree_scene_get_schema": (_status, [c_char_p, POINTER(c_size_t)]),
    "scree_scene_build": (_status, [_scene, POINTER(_world), c_char_p]),
    "scree_scene_step": (_status, [_scene, _world, c_void_p]),
    "scree_scene_is_finished": (c_bool, [_scene, _world]),
    "scree_scene_get_message": (c_char_p, [_scene]),
    "scree_scene_get_news": (c_char_p, [_scene]),
    "scree_scene_get_info": (SceneInfo, [_scene]),
    "scree_scene_get_material_name": (c_char_p, [_scene, MaterialId]),
    "scree_scene_get_material_colour": (c_char_p, [_scene, MaterialId]),
    "scree_scene_get_wall_name": (c_char_p, [_scene, WallId]),
    "scree_scene_get_gates": (None, [_scene, POINTER(_record_structs.Gate)]),
    "scree_scene_get_record_names": (_status, [_scene, POINTER(_record_structs.RecordNames)]),
    "scree_scene_get_series": (_status, [_scene, c_size_t, POINTER(_measure_structs.SeriesDef)]),
    **_problem_structs.FUNCTIONS, **_record_structs.FUNCTIONS, **_take_structs.FUNCTIONS,
    **_bond_structs.FUNCTIONS,
    **_measure_structs.FUNCTIONS}

# ---------------------------------------------------------------- loading


def _candidates() -> Iterator[Path]:
    """Where the library may lie: where SCREE_LIBRARY says, where it was installed, in the build tree."""
    told = os.environ.get("SCREE_LIBRARY")
    if told:
        yield Path(told)
        return
    package = Path(__file__).resolve().parent
    try:
        from ._installed import LIBRARY
        yield package / LIBRARY
    except ImportError:
        built = [path for path in package.parents[1].glob("build/*/libscree.so") if path.exists()]
        yield from sorted(built, key=lambda path: path.stat().st_mtime, reverse=True)


def _declare(found: ctypes.CDLL) -> ctypes.CDLL:
    for name, (result, arguments) in FUNCTIONS.items():
        function = getattr(found, name)
        function.restype = result
        function.argtypes = arguments
    version = found.scree_get_version().decode()
    if version != VERSION:
        raise OSError(f"it has version {version}, and the package has {VERSION}")
    return found


@functools.lru_cache(maxsize=None)
def library() -> ctypes.CDLL:
    """The library, loaded when first asked for."""
    reasons = []
    for path in _candidates():
        try:
            return _declare(ctypes.CDLL(str(path)))
        except (OSError, AttributeError) as problem:
            reasons.append(f"{path}: {problem}")
    raise LibraryError("the library libscree.so was not found" + "".join(f"\n    {reason}" for reason in reasons) +
                       "\nBuild it with 'make build', or let SCREE_LIBRARY name the file.")


def call(name: str, *arguments: Any, kind: type[Error] | None = None) -> None:
    """Calls a function whose last argument is the place for words. An error other than of memory is of the `kind`."""
    message = ctypes.create_string_buffer(FILE_MESSAGE_SIZE)
    status = getattr(library(), name)(*arguments, message)
    if status:
        text = message.value or library().scree_status_get_text(status)
        error = error_of(status, text.decode(errors="replace"))
        raise error if kind is None or isinstance(error, OutOfMemoryError) else kind(str(error))
