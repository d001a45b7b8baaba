"""Measures of a packing: stress, fabric, coordination, distributions, fields. docs/measures.md has the formulas.

    import scree
    state = scree.measures.state(world, region={"z": (0.1, 0.5)})
    print(state.solid_fraction, scree.measures.tensor(state, "stress"))
    run = scree.open_run("heap.h5")
    print(scree.measures.series(run).pressure)

Every function accepts a World, a Scene or a Frame of a run file. The library measures; nothing is computed here. Stress
is positive in compression. Undefined values, such as the coordination of no grains, are NaN."""
from __future__ import annotations

import ctypes
from typing import Any, NamedTuple, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _arrays, _library, _measure_structs, _values
from ._library import Vec3
from ._measure_fields import ANISOTROPY, ENERGY, INDETERMINACY, MOTION, PROFILE, STATE
from ._samples import Region as Region, bounds, definition_of, sample_of
from ._values import Floats, Table
from .errors import ArgumentError
from .report import REPORT
from .frames import Frame
from .run import Run
from .scene import Scene
from .world import World


class State(np.record):
    """The scalar measures of one moment by name, which prints itself as a table."""

    def __repr__(self) -> str:
        meanings = {"frame": ("1", "number of the frame"), "time": ("time", "its time"),
                    **{name: (dimension, text) for name, (_, dimension, text) in STATE.items()}}
        return "\n".join(f"{name:22}{self[name]:12.6g}  {'[' + meanings[name][0] + ']':20} {meanings[name][1]}".rstrip()
                         for name in self.dtype.names or () if name != "frame" or self[name] >= 0)

    __str__ = __repr__


NUMBERS = np.dtype([("frame", "i8"), ("time", "f8")] + [
    (name, "i8" if kind is int else "f8") for name, (kind, _, _) in STATE.items()])
RECORDS = np.dtype([("step", "i8")] + NUMBERS.descr[1:])
BIN, CELL = _arrays.BIN, _arrays.CELL
DISTRIBUTIONS = _library.DISTRIBUTIONS


class Surface(NamedTuple):
    """The free surface, see measures.h; angles in degrees."""

    columns: int
    lowest: float
    highest: float
    slope: float
    uphill: Floats
    slope_error: float  #: [length] root mean square of heights
    repose: float  #: [degree] of the flank of a heap
    repose_error: float  #: [degree] its standard error


class Flow(NamedTuple):
    """Mass through a plane."""

    rate: float  #: [mass/time] at this moment, positive along the normal
    beyond: float  #: [mass] on the side that the normal points to


class Carrying(NamedTuple):
    """Coordination over windows of time, with standard errors, see docs/measures.md."""

    windows: int
    window: float
    coordination: float  #: mean number of partners at a moment; depends on the time step in flow
    coordination_error: float
    partners: float  #: mean number of different partners in a window
    partners_error: float
    carriers: float  #: mean number of partners that carry the load of a window
    carriers_error: float


class Indeterminacy(NamedTuple):
    """How far forces are indeterminate, see docs/indeterminacy.md."""

    whole: np.record  #: hyperstaticity, shares of contacts, mean spread; scree.measures.meaning() explains each
    contacts: Table  #: for each contact of the source: state, loose, now, least, most, spread, mean, deviation
    networks: Floats  #: (samples, contacts) the sampled normal forces; NaN where a random start led to none


class Motions(NamedTuple):
    """How far the motion of a step is indeterminate, see docs/indeterminacy.md."""

    whole: np.record  #: motion_loose, motion_range, motion_other, ...; scree.measures.meaning() explains each
    bodies: Table  #: for each body: velocity_least, velocity_most, spin_least, spin_most, three numbers each


def meaning(name: str) -> str:
    """What a number of the state, of the energy budget or of the indeterminacy says, and its dimension in brackets; d
    is that of space."""
    known = {**INDETERMINACY, **MOTION, **ENERGY, **ANISOTROPY, **PROFILE, **STATE}
    if name not in known:
        raise ArgumentError(f"there is no measure '{name}'; there are {', '.join(known)}")
    _, dimension, text = known[name]
    return f"{text} [{dimension}]"


# ---------------------------------------------------------------- numbers


def state(source: World | Scene | Frame, region: Region | None = None, *, least: int = 2) -> State:
    """All scalar measures, by name: scree.measures.state(world).solid_fraction; print(scree.measures.state(world)) says
    what each of them is.

    region  a box: {"x": (0, 1), "z": (0.5, np.inf)}; directions that are not named are unbounded
    least   a grain with fewer partners is a rattler

    >>> import scree
    >>> world = scree.World(dimension=2, time_step=0.01)
    >>> stone, grain = world.add_material(), world.add_grains((0, 0), radius=1)
    >>> found = scree.measures.state(world, {"x": (-2, 2), "y": (-2, 2)})
    >>> found.bodies, found.volume, round(float(found.solid_fraction * 16 / np.pi), 12)
    (1, 16.0, 1.0)
    """
    table = np.zeros(1, np.dtype((State, NUMBERS.fields)))
    found = np.zeros(1, _arrays.MEASURES)
    with sample_of(source) as sample:
        _library.call("scree_sample_measure", sample, definition_of(region, least), found.ctypes.data)
    for name in STATE:
        table[name] = found[name]
    given = source.world if isinstance(source, Scene) else source
    table["frame"] = given.number if isinstance(given, Frame) else -1
    table["time"] = given.time
    found_state: State = table[0]
    return found_state


def series(run: Run, region: Region | None = None, *, frames: slice | Sequence[int] = slice(None),
           least: int = 2) -> Table:
    """The state of the frames of a run, one row per frame."""
    if not isinstance(run, Run):
        raise ArgumentError(f"expected a Run, not {_values.short(run)}")
    chosen = run.frames[frames] if isinstance(frames, slice) else [run.frames[number] for number in frames]
    table = np.zeros(len(chosen), NUMBERS).view(np.recarray)
    for row, frame in enumerate(chosen):
        table[row] = state(frame, region, least=least)
    return table


def follow(run: Run, expression: str, region: Region | None = None, *,
           frames: slice | Sequence[int] = slice(None)) -> Floats:
    """An expression, frame by frame, as studies and scree.plot.curve have it: "deviator / pressure", "lid.load_y",
    "cell.strain_xy", "time".

    >>> import scree
    >>> world = scree.World(dimension=2, gravity=(0, -10), time_step=0.01)
    >>> stone, lid = world.add_material(), world.add_plane((0, 4), (0, -1), velocity=(0, -1))
    >>> grain = world.add_grains((0, 1), radius=1)
    >>> with world.record("lid.h5", every=0.1, wall_names=["lid"]):
    ...     reports = world.run(until=0.2)
    >>> scree.measures.follow(scree.open_run("lid.h5"), "1 - lid.position_y / 4").round(9).tolist()
    [0.0, 0.025, 0.05]

    first(...) is the value in the first frame of the run:

    >>> run = scree.open_run("lid.h5")
    >>> scree.measures.follow(run, "1 - lid.position_y / first(lid.position_y)", frames=[1, 2]).round(9).tolist()
    [0.025, 0.05]
    """
    from . import _expressions  # which measures

    if not isinstance(run, Run):
        raise ArgumentError(f"expected a Run, not {_values.short(run)}")
    numbers = list(range(len(run.frames)))[frames] if isinstance(frames, slice) else list(frames)
    found: Floats = _expressions.follow(run, numbers, {"expression": expression}, region)["expression"]
    return found


def tensor(table: Any, name: str) -> Floats:
    """The 3 x 3 tensor "stress", "kinetic" or "fabric" of a state, or an array (n, 3, 3) of a series.

    >>> import scree
    >>> world = scree.World(dimension=2, time_step=0.01)
    >>> stone, grains = world.add_material(), world.add_grains([(0, 0), (4, 0)], radius=1, velocity=[(1, 0), (-1, 0)])
    >>> kinetic = scree.measures.tensor(scree.measures.state(world), "kinetic")
    >>> volume = 6 * 2                                   # of the box around both
    >>> bool(np.isclose(kinetic[0, 0] * volume, world.mass.sum()))
    True
    """
    if name not in ("stress", "kinetic", "fabric"):
        raise ArgumentError(f"name: one of stress, kinetic, fabric is needed, not {_values.short(name)}")
    rows = []
    for i in "xyz":
        for k in "xyz":
            rows.append(table[f"{name}_{i}{k}" if f"{name}_{i}{k}" in STATE else f"{name}_{k}{i}"])
    found = np.array(rows, float)
    return np.moveaxis(found.reshape((3, 3) + found.shape[1:]), (0, 1), (-2, -1))


def anisotropy(source: World | Scene | Frame, region: Region | None = None) -> np.record:
    """What the stress ratio is made of: a_c, a_n, a_t and a_l, and the strong and weak networks; docs/measures.md has
    the definitions."""
    found = np.zeros(1, _arrays.ANISOTROPIES).view(np.recarray)
    with sample_of(source) as sample:
        _library.call("scree_sample_measure_anisotropy", sample, definition_of(region), found.ctypes.data)
    return found[0]


def partners(source: World | Scene | Frame, region: Region | None = None) -> Floats:
    """Entry [i, j]: the mean number of partners of material j per grain of material i; the last column is for
    walls."""
    with sample_of(source) as sample:
        mean = np.zeros((sample.materials, sample.materials + 1))
        _library.call("scree_sample_measure_partners", sample, definition_of(region), mean.ctypes.data)
    return mean


# ---------------------------------------------------------------- distributions and fields


def distribution(source: World | Scene | Frame, kind: str, *, bins: int = 40, most: float = 0.0,
                 region: Region | None = None) -> Table:
    """Bins with the fields low, high, count and density.

    kind  "normal", "tangential": probability density of forces in units of their mean
          "mobilised": of |T| / (friction N) between grains
          "direction": of contact directions, relative to isotropic; degrees to x, in space to the horizontal
          "partners": fraction of grains with so many
          "pairs": pair correlation; 1 is an ideal gas
    most  the end of the last bin; 0: chosen automatically
    """
    number = _values.choice(kind, "kind", DISTRIBUTIONS)
    table = np.zeros(_values.integer(bins, "bins", 1), BIN)
    with sample_of(source) as sample:
        _library.call("scree_sample_measure_distribution", sample, definition_of(region), number,
                      _values.number(most, "most"), table.ctypes.data, len(table))
    return table.view(np.recarray)


def grid(source: World | Scene | Frame, cells: ArrayLike, *, width: float = 0.0,
         region: Region | None = None) -> Table:
    """Fields by coarse graining, an array of the shape cells[::-1], (z, y, x): centre, volume, density, solid_fraction,
    momentum, velocity, temperature, stress and kinetic_stress of each cell. The kernel is a cubic B-spline of half
    width 2 width, by default two mean radii."""
    counts = [_values.integer(each, "cells", 1) for each in np.atleast_1d(np.asarray(cells)).tolist()]
    counts += [1] * (3 - len(counts))
    if len(counts) != 3 or counts[0] * counts[1] * counts[2] > 10**8:
        raise ArgumentError(f"cells: a number for each direction is needed, not {_values.short(cells)}")
    table = np.zeros(counts[::-1], CELL)
    definition = _library.library().scree_grid_def_default()
    definition.min, definition.max = bounds(region)
    definition.cells[:] = counts
    definition.width = _values.number(width, "width")
    with sample_of(source) as sample:
        _library.call("scree_sample_measure_grid", sample, definition, table.ctypes.data)
    return table.view(np.recarray)


def _profile_names(axis: str) -> list[str]:
    """About an axis the components are outwards, around and along it: velocity_r, stress_rt, ..."""
    polar = str.maketrans("xyz", "rta")
    return [f"{name.rsplit('_', 1)[0]}_{name.rsplit('_', 1)[1].translate(polar)}"
            if axis == "r" and name.startswith(("velocity_", "stress_", "kinetic_")) else name for name in PROFILE]


def profile(source: Run | World | Scene | Frame | Sequence[Frame], axis: str = "", *, bins: int = 0,
            times: tuple[float, float] | None = None, region: Region | None = None, blocks: int = 10,
            about: tuple[ArrayLike, ArrayLike] = ((0, 0, 0), (0, 0, 1)), most: float = 0.0) -> Table:
    """Averages over bins along an axis and over frames, with standard errors: low, high, solid_fraction,
    solid_fraction_error, velocity_x, ..., one row per bin; docs/measures.md has the formulas.

    source  a run (the second half of its frames, unless `times` says which), several frames, or a single moment
    axis    "x", "y", "z": slabs; "r": shells about an axis, with the components r (outwards), t (around), a (along);
            by default y, in space z
    bins    their number; 0: one for each mean diameter
    region  where to measure; its bounds along the axis are those of the bins
    blocks  the number of blocks of consecutive frames from which the errors follow
    about   a point and the direction of the axis of shells
    most    the radius of the last shell; 0: as far as grains reach
    """
    moments = _moments(source, times)
    dimension = moments[0].run.dimension if isinstance(moments[0], Frame) else moments[0].dimension
    axis = axis or "xyz"[dimension - 1]
    library = _library.library()
    definition = library.scree_profile_def_default()
    definition.min, definition.max = bounds(region)
    definition.axis = _values.choice(axis, "axis", _library.PROFILE_AXES)
    definition.bins, definition.blocks = _values.integer(bins, "bins", 0), _values.integer(blocks, "blocks", 1)
    definition.centre = Vec3(*_values.vector(about[0], "about", 3))
    definition.direction = Vec3(*_values.vector(about[1], "about", 3))
    definition.most = _values.number(most, "most")
    message = ctypes.create_string_buffer(_library.FILE_MESSAGE_SIZE)
    made = library.scree_profile_new(definition, message)
    if not made:
        raise ArgumentError(message.value.decode(errors="replace"))
    try:
        for take in ("scree_profile_cover", "scree_profile_add"):
            for moment in moments:
                with sample_of(moment) as sample:
                    _library.call(take, made, sample)
        found = np.zeros(library.scree_profile_get_bin_count(made), _arrays.PROFILE_BIN)
        library.scree_profile_get_bins(made, found.ctypes.data)
    finally:
        library.scree_profile_free(made)
    names = _profile_names(axis)
    table = np.zeros(len(found), [("low", "f8"), ("high", "f8")] + [
        (name + ending, "f8") for name in names for ending in ("", "_error")])
    table["low"], table["high"] = found["low"], found["high"]
    for name, number in zip(names, PROFILE):
        table[name], table[f"{name}_error"] = found["mean"][number], found["error"][number]
    return table.view(np.recarray)


def _moments(source: Any, times: tuple[float, float] | None) -> Sequence[Any]:
    """What a profile is averaged over."""
    chosen: Sequence[Any]
    if isinstance(source, Run):
        frames = source.frames
        chosen = frames[len(frames) // 2:] if times is None else [
            frame for frame in frames if times[0] <= frame.time <= times[1]]
    else:
        chosen = list(source) if isinstance(source, (list, tuple)) else [source]
    if not chosen:
        raise ArgumentError("there is no frame to average over" if times is None else
                            f"times: the run has no frame between {times[0]:g} and {times[1]:g}")
    return [each.world if isinstance(each, Scene) else each for each in chosen]


def carriers(frames: Run | Sequence[Frame], window: float = 0.0, *, times: tuple[float, float] | None = None,
             region: Region | None = None) -> Carrying:
    """Coordination in flow that does not depend on the time step: how many partners carry the load of a window of
    time. The frames should be those of every step: of a run, the second half, unless `times` says which. Without a
    window it is a tenth of their time."""
    moments = _moments(frames, times)
    span = float(moments[-1].time - moments[0].time)
    message = ctypes.create_string_buffer(_library.FILE_MESSAGE_SIZE)
    made = _library.library().scree_carriers_new(definition_of(region), _values.number(window, "window") or span / 10,
                                                 message)
    if not made:
        raise ArgumentError(message.value.decode(errors="replace"))
    try:
        for moment in moments:
            with sample_of(moment) as sample:
                _library.call("scree_carriers_add", made, sample, float(moment.time))
        found = _library.library().scree_carriers_get(made)
    finally:
        _library.library().scree_carriers_free(made)
    return Carrying(*(getattr(found, name) for name in Carrying._fields))


def surface(source: World | Scene | Frame, *, column: float = 0.0, region: Region | None = None) -> Surface:
    """The free surface: its slope, and the angle of repose of a heap with its standard error, in degrees. `column` is
    the width of the columns in which the highest point is sought, by default two mean diameters."""
    found = _measure_structs.Surface()
    with sample_of(source) as sample:
        _library.call("scree_sample_measure_surface", sample, definition_of(region),
                      _values.number(column, "column"), found)
    uphill = np.array([found.uphill.x, found.uphill.y, found.uphill.z])
    return Surface(found.columns, found.lowest, found.highest, found.slope, uphill, found.slope_error, found.repose,
                   found.repose_error)


def flow(source: World | Scene | Frame, point: ArrayLike, normal: ArrayLike, region: Region | None = None) -> Flow:
    """The current mass flux through a plane, and the mass beyond it."""
    found = _measure_structs.Flow()
    with sample_of(source) as sample:
        places = [Vec3(*_values.vector(each, name, sample.dimension)) for each, name in
                  ((point, "point"), (normal, "normal"))]
        _library.call("scree_sample_measure_flow", sample, definition_of(region), *places, found)
    return Flow(found.rate, found.beyond)


def energy(reports: NDArray[Any] | Run) -> dict[str, float]:
    """The energy budget by cause: sums over the reports of steps, or over all steps of a run."""
    table = reports.certificate if isinstance(reports, Run) else np.atleast_1d(np.asarray(reports))
    if table.dtype != REPORT:
        raise ArgumentError("reports: a table of reports or a Run is needed")
    rows, found = np.ascontiguousarray(table), _measure_structs.Energy()
    add = _library.library().scree_energy_add
    for row in range(len(rows)):
        add(found, rows.ctypes.data + row * REPORT.itemsize)
    return {name: getattr(found, name) for name in ENERGY}


# ---------------------------------------------------------------- recorded during a run


def recorded(run: Run) -> dict[str, Table]:
    """What the scene recorded while it ran, by name: tables with step, time and the scalars of the state. Empty if it
    recorded nothing."""
    if not isinstance(run, Run):
        raise ArgumentError(f"expected a Run, not {_values.short(run)}")
    if "measures" not in run._open():
        return {}
    names = run._texts("measures/name")
    steps = run._data("measures/rows/step", kind="i")
    count = int(np.searchsorted(steps, run.steps[-1], side="right")) if len(run.steps) else 0
    table = np.zeros(count, RECORDS)
    for name in table.dtype.names or ():
        kind = "i" if table.dtype[name].kind == "i" else "f"
        table[name] = run._data(f"measures/rows/{name}", slice(0, count), kind, (count,))
    number = run._data("measures/rows/series", slice(0, count), "i", (count,))
    return {name: table[number == row].view(np.recarray) for row, name in enumerate(names)}


# ---------------------------------------------------------------- indeterminacy


def _surroundings(source: World | Scene | Frame) -> tuple[_library.Surroundings, list[Any]]:
    """What holds the grains, and what must live as long as the struct does."""
    given = source.world if isinstance(source, Scene) else source
    made = _library.Surroundings()
    if isinstance(given, World):
        library, world = _library.library(), given._pointer()
        walls = (_library.SampleWall * max(library.scree_world_get_wall_count(world), 1))()
        library.scree_world_take_surroundings(world, ctypes.addressof(walls), made)
        return made, [walls]
    frozen = np.ascontiguousarray(given.frozen, "<u4")
    walls = (_library.SampleWall * max(len(given.walls), 1))()
    for row, wall in enumerate(given.walls):
        piston = wall.direction if wall.motion == "piston" and wall.present else np.zeros(3)
        walls[row] = _library.SampleWall(wall.material, wall.mass, Vec3(*piston), Vec3(*wall.position),
                                         Vec3(*wall.velocity), Vec3(*wall.spin))
    holder = np.ascontiguousarray(given.holder, "<i4")
    made = _library.Surroundings(given.run.time_step, frozen.ctypes.data, len(given.walls), ctypes.addressof(walls),
                                 holder.ctypes.data)
    return made, [frozen, walls, holder]


def _asked(extremes: bool, samples: int, amplitude: float, still: float, seed: int) -> _library.IndeterminacyDef:
    made = _library.library().scree_indeterminacy_def_default()
    made.extremes, made.samples = bool(extremes), _values.integer(samples, "samples", 0)
    made.amplitude = _values.number(amplitude, "amplitude")
    made.still, made.seed = _values.number(still, "still"), _values.integer(seed, "seed", 0)
    return made


def indeterminacy(source: World | Scene | Frame, *, extremes: bool = True, samples: int = 50, amplitude: float = 1.0,
                  still: float = 1e-5, seed: int = 1) -> Indeterminacy:
    """How far the forces are indeterminate: the normal force of each contact over all force networks compatible with
    the same motion.

    extremes   the minimum and maximum force that each contact can carry; the slowest part
    samples    the number of networks sampled from random starts
    amplitude  mean random force divided by the mean present force
    still      motion of less than this many radii in a step counts as none
    """
    with sample_of(source) as sample:
        around, kept = _surroundings(source)
        definition = _asked(extremes, samples, amplitude, still, seed)
        ranges = np.zeros(max(sample.contacts, 1), _arrays.FORCE_RANGE)
        whole = np.zeros(1, _arrays.WHOLE)
        networks = np.zeros((definition.samples, sample.contacts))
        _library.call("scree_sample_measure_indeterminacy", sample, around, definition, ranges.ctypes.data,
                      whole.ctypes.data, networks.ctypes.data)
        del kept
    return Indeterminacy(whole.view(np.recarray)[0], ranges[:networks.shape[1]].view(np.recarray), networks)


def motions(source: World | Scene | Frame, *, extremes: bool = True, samples: int = 50, amplitude: float = 1.0,
            still: float = 1e-5, seed: int = 1) -> Motions:
    """How far the motion of the last step is indeterminate: the velocity of each body over all motions in which the
    same contacts hold, slide and stay open, and over those with other contact states found from random starts. The
    arguments are those of indeterminacy(). Runs before version 18 do not record the masses
    of pistons, so there must be none.
    """
    with sample_of(source) as sample:
        around, kept = _surroundings(source)
        definition = _asked(extremes, samples, amplitude, still, seed)
        ranges = np.zeros(max(sample.bodies, 1), _arrays.MOTION_RANGE)
        whole = np.zeros(1, _arrays.MOTION_WHOLE)
        _library.call("scree_sample_measure_motions", sample, around, definition, ranges.ctypes.data, whole.ctypes.data)
        bodies = sample.bodies
        del kept
    return Motions(whole.view(np.recarray)[0], ranges[:bodies].view(np.recarray))
