"""Keys of scenes: world.

Written by tools/scene-keys from the schema in scene/schema/; change it there."""
from __future__ import annotations

from typing import Literal, TypedDict

from ._values import Number, Numbers, Points, Whole, Wholes


class TimeNeeded(TypedDict):
    """What has to be in Time."""

    end: Number


class Time(TimeNeeded, total=False):
    """The run goes from time 0 to `end` in equal steps. If `step` is omitted, one is chosen in which the smallest grain
    moves at most a tenth of its radius at the greatest speed of walls and of grains as they begin, and a fifth of it at
    the speed of a fall to the bottom, or to which a load can drive the grains; and a periodic cell deforms by at most
    0.002. With `engine: soft` it is a twentieth of the shortest collision of the stiffest pair. A whole number of steps
    lies between two frames. `scree check` tells the step and what it was chosen for.

    step: the time step (time; > 0; otherwise chosen; required by the quasi-static engine)
    end: when the run ends; the last step may go past it (time; > 0)
    theta: bodies move with the velocity theta v_new + (1 - theta) v_old; a value below 1 gives impacts a restitution of
        (1 - theta) / theta if the bodies already touch at the start of the step, and less otherwise (in [1/2, 1];
        default 1)
    """

    step: Number
    theta: Number


class Periodic(TypedDict, total=False):
    """Periodic directions: what leaves the cell on one side re-enters on the other.

    x: the cell along x (length; otherwise not periodic)
    y: the cell along y (length; otherwise not periodic)
    z: the cell along z (three dimensions) (length; otherwise not periodic)
    """

    x: Numbers
    y: Numbers
    z: Numbers


class NumberProgramme(TypedDict, total=False):
    """The same for a rate or a stress of the cell. Each step uses the exact mean over the step, so that the strain
    follows the programme exactly.

    table: rows [time, value], as for a velocity (time, then the value's; otherwise none)
    amplitude: of mean + amplitude sin(2 pi frequency t + phase) (the value's; otherwise none)
    frequency: cycles in a unit of time (1/time; >= 0; otherwise none)
    phase: angle at time 0 (radian; default 0)
    mean: the value it oscillates about (the value's; otherwise zero)
    """

    table: Points
    amplitude: Number
    frequency: Number
    phase: Number
    mean: Number


class Rate(TypedDict, total=False):
    """Rates of the cell that are given; those of components that are not named stay as they are.

    xx: along x; negative: the cell becomes shorter (1/time; otherwise zero)
    xy: simple shear: the velocity along x grows with y (1/time; otherwise zero)
    xz: the velocity along x grows with z (1/time; otherwise zero)
    yx: the velocity along y grows with x (1/time; otherwise zero)
    yy: along y (1/time; otherwise zero)
    yz: the velocity along y grows with z (1/time; otherwise zero)
    zx: the velocity along z grows with x (1/time; otherwise zero)
    zy: the velocity along z grows with y (1/time; otherwise zero)
    zz: along z (1/time; otherwise zero)
    """

    xx: Number | NumberProgramme
    xy: Number | NumberProgramme
    xz: Number | NumberProgramme
    yx: Number | NumberProgramme
    yy: Number | NumberProgramme
    yz: Number | NumberProgramme
    zx: Number | NumberProgramme
    zy: Number | NumberProgramme
    zz: Number | NumberProgramme


class Stress(TypedDict, total=False):
    """Stresses that the cell holds; their rates follow, from those given under rate on. Positive in compression, as in
    the measures.

    xx: compression along x (stress; otherwise not held)
    xy: shear in the plane of x and y (stress; otherwise not held)
    xz: shear of x and z (stress; otherwise not held)
    yy: compression along y (stress; otherwise not held)
    yz: shear of y and z (stress; otherwise not held)
    zz: compression along z (stress; otherwise not held)
    """

    xx: Number | NumberProgramme
    xy: Number | NumberProgramme
    xz: Number | NumberProgramme
    yy: Number | NumberProgramme
    yz: Number | NumberProgramme
    zz: Number | NumberProgramme


class Cell(TypedDict, total=False):
    """How the periodic cell deforms (docs/cell.md); it begins as the box of `periodic`. Velocities of grains are
    relative to it. In an event, only what is given changes.

    rate: rates that are given, by component (otherwise zero)
    stress: stresses that are held, by component (otherwise none)
    pressure: held instead of stresses: the cell grows or shrinks alike in all its directions, apart from rates that are
        given (stress; otherwise not held)
    symmetric: rates of shear stresses that are held are symmetric; else xy alone follows, as in simple shear, and the
        cell does not turn (default false)
    mass: inertia where stress is held, in units of the mass of all grains times their mean diameter squared; less holds
        the stress better in each step, in more sweeps (> 0; default 1)
    viscosity: slows down a cell that holds a stress: loose grains are compacted at a rate of about stress / viscosity
        (stress time; >= 0; default 0)
    """

    rate: Rate
    stress: Stress
    pressure: Number | NumberProgramme
    symmetric: bool
    mass: Number
    viscosity: Number


class Neighbours(TypedDict, total=False):
    """How to find the pairs of grains that may soon touch. All methods give the same results, bit for bit; they differ
    only in speed.

    method: the default suits every case; the others are taken from the literature, see [neighbours.md](neighbours.md)
        (default hierarchical_grid)
    skin: how far the neighbour list reaches beyond contact; 0: chosen and adapted automatically (length; >= 0; default
        0)
    cell: width of the (smallest) cells; 0: chosen and adapted automatically (length; >= 0; default 0)
    """

    method: Literal["hierarchical_grid", "linked_cell", "verlet_list", "linked_linear_list"]
    skin: Number
    cell: Number


class StartNeeded(TypedDict):
    """What has to be in Start."""

    run: str


class Start(StartNeeded, total=False):
    """Begins with the grains of another run: their shapes, positions and velocities, and their contacts with forces,
    bonds and springs; see the guide. Time begins at 0. Materials are matched by their names, and what this scene says
    of them counts: laws, and densities, by which masses change in proportion. The periodic cell is the one that the run
    has left, unless the scene gives another than the scene of the run did. More grains may be added. A scene that
    `extends` the one of the run says `grains: null`.

    run: run file, with its checkpoint beside it; a relative path starts from the folder of the scene
    frame: which frame of that run, counted from 0 (>= 0; default last)
    walls: `run`: a wall that is written as in the scene of that run, under the same name, stands where the run has left
        it, and is absent if the run has removed it; `scene`: every wall stands where this scene puts it (default run)
    replicate: how many copies of a periodic packing lie side by side along each direction (otherwise once)
    """

    frame: Whole | Literal["last"]
    walls: Literal["run", "scene"]
    replicate: Wholes


class Overlap(TypedDict):
    """What to do about grains that overlap each other or a wall at the start: `refuse` the scene, `accept` all of them,
    or accept them up to a given depth. Overlaps of the order of rounding errors are ignored.

    tolerate: overlaps up to this depth are accepted (length; >= 0)
    """

    tolerate: Number


class Condition(TypedDict, total=False):
    """What `when` and `stop` wait for; everything listed must hold at the same time. The condition is checked after
    every step. Unless `after` is given, it must have been false after some earlier step, so that grains that have not
    yet begun to fall are not mistaken for settled ones.

    An `expression` compares numbers: any measure of everything (`solid_fraction`) or of an entry of `measures`
    (`middle.stress_zz`); `lid.position_z`, `displacement`, `velocity` and `load` of a wall; `cell.strain_xy`, `rate`,
    `stress` and `cell.volume`; `hole.number`, `mass` and `waiting` of an inlet or outlet, since the start; `time`,
    `kinetic_energy`, `speed_max`; and `quantile(speed, 0.9)`, which 90 % of the grains do not exceed, of `x`, `y`, `z`,
    `speed` and `radius`, frozen grains left out. They may be combined by `+ - * / **`, `abs`, `sqrt`, `log`, `exp`, and
    comparisons by `and`, `or`, `not` and parentheses. What is not defined (the mean force of no contacts) makes no
    comparison true. Put the text in quotes.

    kinetic_energy_below: total of all grains and pistons (energy; > 0; otherwise not asked)
    speed_below: speed of the fastest grain that is not frozen (length/time; > 0; otherwise not asked)
    coordination_above: mean number of contacts of the grains that have any (>= 0; otherwise not asked)
    coordination_below: the same (> 0; otherwise not asked)
    time_after: the run has reached this time (time; >= 0; otherwise not asked)
    converged: whether the last step converged (otherwise not asked)
    expression: a comparison, or several joined by `and`, `or`, `not`: `lid.load_z > 5 and solid_fraction < 0.6`; see
        below (otherwise not asked)
    every: steps from one check to the next: measures of many grains take time (> 0; default 1)
    after: ignore the condition before this time (time; >= 0; otherwise see above)
    hold: how long it must hold without interruption (time; >= 0; default 0)
    """

    kinetic_energy_below: Number
    speed_below: Number
    coordination_above: Number
    coordination_below: Number
    time_after: Number
    converged: bool
    expression: str
    every: Whole
    after: Number
    hold: Number


class Solver(TypedDict, total=False):
    """How the contact forces are found.

    method: how impulses are found: `gauss_seidel` sweeps over the contacts; `accelerated` sweeps with momentum;
        `newton` and `interior_point` factorise matrices, and fall back on sweeps if they fail to converge; `auto` is
        `accelerated` with the criterion `residual`, and `gauss_seidel` otherwise (default auto)
    order: order in which a sweep visits the contacts: by boxes of neighbours, redrawn in each step; in a new random
        permutation in each sweep; as found; as found, alternately forwards and backwards; by independent sets (default
        boxed)
    criterion: when the sweeps end: by the residual of the exact problem; by the change of every contact force; by the
        change of the mean force; after a fixed number (default residual)
    tolerance: relative accuracy at which a step counts as converged (> 0; default 0.1)
    overlap: overlap that a step may add at any contact and still count as converged, in radii of the smallest grain;
        statics: the overlap of outlines beyond which an increment is split into strides (> 0; default 2.5e-4)
    small_force: smaller changes are ignored by the local criterion (force; >= 0; default 0)
    iterations: number of sweeps with the fixed criterion, maximum number with the others: each time that a problem is
        solved, and a step may need that several times, above all where it is made in strides (> 0; default 2000)
    warm_start: start from the forces of the previous step (default true)
    projection: part of every overlap that is taken back after a step, by moving grains apart without changing
        velocities; at most 1; 0: none (>= 0; default 0.3)
    cuts: maximum number of times that a step is cut where a contact stops sliding and forces jump; takes effect only if
        the tolerance is 1e-6 or less (>= 0; default 0)
    on_failure: what to do if a step does not converge (default warn)
    """

    method: Literal["auto", "gauss_seidel", "accelerated", "newton", "interior_point"]
    order: Literal["boxed", "random", "fixed", "alternating", "coloured"]
    criterion: Literal["residual", "local", "global", "fixed"]
    tolerance: Number
    overlap: Number
    small_force: Number
    iterations: Whole
    warm_start: bool
    projection: Number
    cuts: Whole
    on_failure: Literal["continue", "warn", "stop"]


class Soft(TypedDict, total=False):
    """Settings of `engine: soft`, in which grains overlap slightly and repel each other through springs and dashpots,
    integrated explicitly. It is meant for comparison. Every material needs a `stiffness` or a `modulus`.

    integrator: `verlet` advances positions from the current and the previous ones, without velocities (default
        velocity_verlet)
    friction: `spring` remembers the shear displacement of a contact; `viscous` is min(damping_tangential v, friction N)
        (default spring)
    long_step: what to do about a `time.step` of more than four times the one that would be chosen, with which a packing
        may blow up: `warn` runs it all the same (default refuse)
    """

    integrator: Literal["velocity_verlet", "verlet"]
    friction: Literal["spring", "viscous"]
    long_step: Literal["refuse", "warn"]


class Variational(TypedDict, total=False):
    """Settings of `engine: variational` and `engine: quasistatic`, see variational.md. The latter has no inertia: time
    merely counts the increments of walls and loads.

    friction: `associated`: a convex problem, in which a sliding contact also dilates by `friction` times its slip;
        `exact`: Coulomb's law, as a sequence of such problems (default associated)
    tolerance: for balance, kinematics and complementarity, relative to typical forces and motions (> 0; default 1e-8)
    iterations: maximum for each convex problem; about twenty are typical (> 0; default 100)
    range: pairs closer than this fraction of a radius are candidates for contact; more distant ones are added if they
        are about to touch (>= 0; default 0.1)
    """

    friction: Literal["associated", "exact"]
    tolerance: Number
    iterations: Whole
    range: Number


class Output(TypedDict, total=False):
    """What is written to the run file.

    every: time between frames (time; > 0; otherwise a hundredth of the run)
    contacts: whether to write the contacts of every frame (default true)
    checkpoint_seconds: wall-clock time between checkpoints (s; > 0; default 60)
    """

    every: Number
    contacts: bool
    checkpoint_seconds: Number


class Region(TypedDict, total=False):
    """A box. Grains that straddle its boundary count by the part inside. Without bounds everything counts, and the
    volume is that of the periodic cell, or of the bounding box of all grains.

    x: along x (length; otherwise without bounds)
    y: along y (length; otherwise without bounds)
    z: along z (three dimensions) (length; otherwise without bounds)
    """

    x: Numbers
    y: Numbers
    z: Numbers


class Measures(TypedDict, total=False):
    """Coordination, solid fraction, stress, fabric and the other numbers of measures.md, recorded as time series in the
    run file; `scree measure RUN.h5 --what online` prints them.

    every: number of steps between records; the first is taken at the start (> 0; default 1)
    region: where to measure (otherwise everything)
    least_contacts: a grain with fewer partners is a rattler (>= 0; default 2)
    """

    every: Whole
    region: Region
    least_contacts: Whole
