"""Contact dynamics against soft spheres (Fig. 1.6, eqs. 1.35 to 1.37): what each costs, and where they cost the same."""

from __future__ import annotations

import time
from typing import Any

import matplotlib.pyplot as plt
import numpy as np

import scree
from beginners import DIAMETER, SPREAD, lattice, power_law
from scree.plot import PALETTE
from toolkit import Check, Figure, above, near

FRICTION, RESTITUTION, PUSH = 0.3, 0.2, 0.1  # PUSH: speed of the side wall, in sqrt(g d)
TIME_STEP = 0.05  # of contact dynamics: a fraction of d / v with v = sqrt(g d)
CLOSING = 1e-4  # sweeps end when no contact closes by more than this fraction of a radius in the step
MASS = np.pi / 4  # of a mean disk
COLUMNS, QUICK = (7, 10, 14, 20, 28), (7, 10, 14)
PACKINGS = 4  # of each size
STIFFNESS = (1e3, 1e4, 1e5, 1e6)
STEPS = 20
RELAX = 1.0  # until the springs carry the weight


def box(columns: int, seed: int, positions: np.ndarray | None, push: float, stiffness: float | None, **world: Any) -> scree.World:
    """Disks in a box with smooth walls; the right one pushes. Soft spheres when a stiffness is given."""
    random = np.random.default_rng(seed)
    pitch = DIAMETER * (1 + SPREAD + 0.02)
    engine = "contact_dynamics" if stiffness is None else "soft"
    made = scree.World(dimension=2, gravity=(0, -1), seed=seed, engine=engine, **world)
    spring = {} if stiffness is None else {"stiffness": stiffness, "restitution": RESTITUTION}
    made.add_material(friction=FRICTION, **spring)
    smooth = made.add_material(**spring)
    made.add_plane(point=(0, 0), normal=(0, 1), material=smooth)
    made.add_plane(point=(0, 0), normal=(1, 0), material=smooth)
    made.add_plane(point=(columns * pitch, 0), normal=(-1, 0), velocity=(-push, 0), material=smooth)
    count = columns**2
    start = lattice(count, columns, 2, pitch) + random.uniform(-0.01, 0.01, (count, 2))
    radius = random.uniform(1 - SPREAD, 1 + SPREAD, count) * DIAMETER / 2
    made.add_grains(start if positions is None else positions, radius, velocity=random.normal(0, 0.5, start.shape) if positions is None else None)
    return made


def settled(columns: int, seed: int) -> np.ndarray:
    """The positions in which the disks come to rest, without overlaps, which would make stiff springs explode."""
    world = box(columns, seed, None, 0.0, None, time_step=TIME_STEP, solver={"method": "gauss_seidel", "tolerance": 1e-2, "iterations": 300})
    world.run(until=25 + columns)
    apart = box(columns, seed, np.array(world.position), 0.0, None, time_step=TIME_STEP, signed_gap=True,
                solver={"method": "gauss_seidel", "tolerance": 1e-3, "overlap": 1e-6, "iterations": 800})
    apart.step(40)
    return np.array(apart.position)


def timed(world: scree.World, steps: int, parts: int) -> dict[str, float]:
    """What steps cost for each unit of simulated time: contact updates, and seconds. For the seconds the fastest of
    several parts counts, the one that other programs disturb least."""
    before, span, seconds = world.cost().updates, steps * world.time_step, []
    for _ in range(parts):
        begin, clock = time.process_time(), world.cost().seconds_total
        reports = world.step(steps)
        seconds.append(min(time.process_time() - begin, world.cost().seconds_total - clock))
    return {"updates": (world.cost().updates - before) / (parts * span), "seconds": min(seconds) / span,
            "overlap": float(reports.overlap_mean[-1]), "energy": world.kinetic_energy() / len(world)}


def rigid(columns: int, seed: int, positions: np.ndarray, warm: bool) -> dict[str, float]:
    world = box(columns, seed, positions, PUSH, None, time_step=TIME_STEP, solver={"method": "gauss_seidel", "tolerance": 1e-2, "iterations": 1000})
    world.step(STEPS)
    world.set_solver(method="gauss_seidel", tolerance=1.0, overlap=CLOSING, iterations=100_000, warm_start=warm)
    return timed(world, STEPS, 1)


def soft(columns: int, seed: int, positions: np.ndarray, stiffness: float) -> dict[str, float]:
    world = box(columns, seed, positions, PUSH, stiffness, time_step=0)
    world.step()
    world.step(int(RELAX / world.time_step))
    return timed(world, 200, 5)


def measure(quick: bool) -> dict[str, Any]:
    data: dict[str, Any] = {"count": [], "warm": [], "cold": [], "soft": [], "stiffness": STIFFNESS[: 3 if quick else 4]}
    for columns in QUICK if quick else COLUMNS:
        for seed in range(1, 1 + (2 if quick else PACKINGS)):
            positions = settled(columns, seed)
            data["count"].append(columns**2)
            data["warm"].append(rigid(columns, seed, positions, True))
            data["cold"].append(rigid(columns, seed, positions, False))
            data["soft"].append([soft(columns, seed, positions, stiffness) for stiffness in data["stiffness"]])
    return data


def costs(data: dict[str, Any], what: str) -> dict[str, np.ndarray]:
    """Arrays over all packings; that of soft spheres has a column for each stiffness."""
    found = {name: np.array([one[what] for one in data[name]]) for name in ("warm", "cold")}
    return {**found, "soft": np.array([[one[what] for one in row] for row in data["soft"]])}


def soft_laws(data: dict[str, Any], what: str) -> tuple[float, float, float]:
    """Exponents in N and in K, and the factor of cost = factor N^a K^b, by least squares of the logarithms."""
    count, stiff = np.meshgrid(data["count"], data["stiffness"], indexing="ij")
    rows = np.column_stack([np.log(count).ravel(), np.log(stiff).ravel(), np.ones(count.size)])
    found = np.linalg.lstsq(rows, np.log(costs(data, what)["soft"]).ravel(), rcond=None)[0]
    return float(found[0]), float(found[1]), float(np.exp(found[2]))


def crossover(data: dict[str, Any], what: str, kind: str) -> np.ndarray:
    """K r² / (m v²) at which a packing costs both the same: its soft cost grows as sqrt(K) (1.36)."""
    found = costs(data, what)
    level = np.exp(np.mean(np.log(found["soft"] / np.sqrt(data["stiffness"])), axis=1))
    return (found[kind] / level) ** 2 * (DIAMETER / 2) ** 2 / MASS


def draw_costs(axes: plt.Axes, data: dict[str, Any]) -> None:
    count, found = np.array(data["count"], float), costs(data, "updates")
    ends = np.array([count.min() / 1.2, count.max() * 1.2])
    for kind, colour, mark, name in (("cold", PALETTE[1], "s", "contact dynamics, forces from zero"),
                                     ("warm", PALETTE[0], "o", "contact dynamics, forces kept")):
        exponent, error, _ = power_law(count, found[kind])
        axes.plot(count, found[kind], mark, color=colour, markerfacecolor="none",
                  label=f"{name}: $N^{{{exponent:.2f}\\pm{error:.2f}}}$")
        axes.plot(ends, np.exp(np.mean(np.log(found[kind] / count**2))) * ends**2, color=colour, linewidth=0.9)
    shades = scree.plot.SCALE(np.linspace(0.3, 0.75, len(data["stiffness"])))
    for column, (stiffness, shade) in enumerate(zip(data["stiffness"], shades)):
        level = found["soft"][:, column]
        label = f"soft spheres, $K = 10^{{{np.log10(stiffness):.0f}}}\\,\\rho g d$"
        axes.plot(count, level, "^", color=shade, markersize=3.2, label=label)
        axes.plot(ends, np.exp(np.mean(np.log(level / count))) * ends, color=shade, linewidth=0.9)
    axes.set(xscale="log", yscale="log", xlabel="number of grains $N$", ylabel=r"contact updates in a time $\sqrt{d/g}$")
    axes.set_ylim(top=axes.get_ylim()[1] * 300)
    axes.legend(loc="upper left", fontsize=7, labelspacing=0.25)
    axes.set_title("(a) cost; lines: (1.35) $N^2$, (1.36) $N$")


def draw_stiffness(axes: plt.Axes, data: dict[str, Any]) -> None:
    stiffness, count = np.array(data["stiffness"]), np.array(data["count"], float)
    found = costs(data, "updates")["soft"] / count[:, None]
    sizes = sorted(set(data["count"]))
    for size, shade in zip(sizes, scree.plot.SCALE(np.linspace(0, 0.8, len(sizes)))):
        axes.plot(stiffness, np.exp(np.mean(np.log(found[count == size]), axis=0)), "^", color=shade, label=f"$N = {size}$")
    middle = np.exp(np.mean(np.log(found / np.sqrt(stiffness))))
    axes.plot(stiffness, middle * np.sqrt(stiffness), color="#7b828c", linewidth=0.9, label=r"(1.36): $\sqrt{K}$")
    axes.set(xscale="log", yscale="log", xlabel=r"stiffness $K\;[\rho g d]$", ylabel="updates / ($N$ time)")
    axes.legend(loc="upper left", fontsize=7, labelspacing=0.25)
    axes.set_title("(b) soft spheres")


def draw_domains(axes: plt.Axes, data: dict[str, Any]) -> None:
    count = np.array(data["count"], float)
    ends = np.array([count.min() / 1.5, count.max() * 1.5])
    here = crossover(data, "updates", "warm")
    line = np.exp(np.mean(np.log(here / count**2))) * ends**2
    low, high = line[0] / 30, line[1] * 60
    axes.fill_between(ends, line, high, color="#e3edf5", linewidth=0)
    axes.fill_between(ends, low, line, color="#f6ede2", linewidth=0)
    axes.plot(ends, line, color="#7b828c", linewidth=1.0, label=r"Fig. 1.6: $N^{4/d}$")
    for what, kind, mark, colour, name in (("updates", "warm", "o", PALETTE[0], "updates, forces kept"),
                                           ("updates", "cold", "s", PALETTE[1], "updates, forces from zero"),
                                           ("seconds", "warm", "D", PALETTE[2], "seconds, forces kept")):
        axes.plot(count, crossover(data, what, kind), mark, color=colour, markerfacecolor="none", markersize=3.4, label=name)
    axes.text(0.05, 0.64, "contact dynamics\ncosts less", transform=axes.transAxes, color="#33597d", fontsize=8, va="top")
    axes.text(0.97, 0.05, "soft spheres\ncost less", transform=axes.transAxes, color="#8a6a3d", fontsize=8, ha="right")
    axes.set(xscale="log", yscale="log", xlim=ends, ylim=(low, high), xlabel="number of grains $N$", ylabel=r"$K r^2\,/\,m v^2$")
    axes.legend(loc="upper left", fontsize=7, labelspacing=0.25)
    axes.set_title("(c) where both cost the same")


def draw(data: dict[str, Any]) -> plt.Figure:
    figure, (left, middle, right) = plt.subplots(1, 3, figsize=(10.4, 3.7), width_ratios=(1.25, 0.9, 1.1))
    draw_costs(left, data)
    draw_stiffness(middle, data)
    draw_domains(right, data)
    return figure


def same_accuracy(data: dict[str, Any]) -> float:
    """Mean overlap of contact dynamics over that of soft spheres of equal cost (in updates), geometric mean over packings."""
    overlaps, logs = costs(data, "overlap"), np.log(data["stiffness"])
    equal = np.log(crossover(data, "updates", "warm") * MASS / (DIAMETER / 2) ** 2)
    springs = [float(np.polyval(np.polyfit(logs, np.log(row), 1), here)) for row, here in zip(overlaps["soft"], equal)]
    return float(np.exp(np.mean(np.log(overlaps["warm"]) - springs)))


def judge(data: dict[str, Any], quick: bool) -> list[Check]:
    wide = 2.0 if quick else 1.0
    found, count = costs(data, "updates"), data["count"]
    checks = []
    for kind, name, slack in (("cold", "from zero", 0.2), ("warm", "kept", 0.3)):
        exponent, error, _ = power_law(count, found[kind])
        checks.append(near(f"(1.35) contact dynamics, forces {name}: exponent 1 + 2/d in N of the number of updates (standard error {error:.2f})",
                           2.0, exponent, slack * wide))
        exponent, error, _ = power_law(count, crossover(data, "updates", kind))
        checks.append(near(f"(1.37) and Fig. 1.6, forces {name}: exponent 4/d in N of the stiffness at which both need equally many updates "
                           f"(standard error {error:.2f})", 2.0, exponent, 2 * slack * wide))
    in_count, in_stiffness, _ = soft_laws(data, "updates")
    checks.append(near("(1.36) soft spheres: exponent in N of the number of updates", 1.0, in_count, 0.1 * wide))
    checks.append(near("(1.36) soft spheres: exponent in K of the number of updates", 0.5, in_stiffness, 0.05 * wide))
    if not quick:
        exponent, error, _ = power_law(count, crossover(data, "seconds", "warm"))
        checks.append(above(f"Fig. 1.6, forces kept: exponent in N of the stiffness at which both take the same number of seconds (standard error {error:.2f})",
                            1.0, exponent))
    checks.append(near("same accuracy: logarithm of the ratio of mean overlaps, contact dynamics over soft spheres of equal cost", 0.0,
                       float(np.log(same_accuracy(data))), float(np.log(4)) * wide))
    return checks


TEXT = f"""
Both engines solve the same two-dimensional problem: $N$ disks (radii uniform within 20 %, friction {FRICTION}) lie in a
box under gravity, and the right wall pushes them together at a speed of ${PUSH}\\sqrt{{gd}}$. The cost is counted in
contact updates (one force computed at one contact) per simulated time $\\sqrt{{d/g}}$, a measure that no other program
on the machine can disturb; in (c) it is also given in seconds. Contact dynamics takes steps of ${TIME_STEP}\\,d/v$ with
$v=\\sqrt{{gd}}$ and sweeps until no contact closes by more than $10^{{-4}}$ radii in the step; the forces are either
kept from the previous step or found anew from zero. Soft spheres (linear springs $K$, restitution {RESTITUTION};
$\\rho$ is the mass per area, $m=\\pi\\rho d^2/4$) take steps of a twentieth of a collision; at the stiffness of equal
cost their mean overlap is about that of contact dynamics (a few $10^{{-5}}\\,d$). The paper expects
$T^{{CD}}\\sim N^{{1+2/d}}$ (1.35) and $T^{{MD}}\\sim N\\sqrt{{K/m}}$ (1.36), and hence the line $N^{{4/d}}$ between the
two domains in Fig. 1.6. The lines in (a) to (c) have the paper's exponents and a fitted height. The estimate (1.34) is
for forces found from zero; keeping the forces pays off slightly more in larger packings, which lowers the exponent. The
seconds depend on the program: an update in contact dynamics takes only a fraction of the time of an update for soft
spheres, a fraction that is smaller still in large packings, so contact dynamics wins earlier.
"""

FIGURE = Figure(paper="beginners", figure="Fig. 1.6", title="Contact dynamics or soft spheres: the crossover", text=TEXT,
                measure=measure, draw=draw, judge=judge, seconds=90)
