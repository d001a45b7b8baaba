"""A packing of a thousand disks under a piston oscillates like the chain."""

from __future__ import annotations

import itertools
import math
from typing import Any

import matplotlib.pyplot as plt
import numpy as np

import scree
from review import LID, SOFT_INK, compress, disks_under_lid, fit_first_guess, fit_power, step_at_rest
from scree.plot import PALETTE
from toolkit import Check, Figure, below, near

FRICTION, PRESSURE, STEP_UP = 0.05, 0.01, 0.02
SHOWN = 20


def equilibrium(grains: int, seed: int, patience: int) -> scree.World | None:
    """Compressed until nothing moves any more; then the forces are made exact. None if it does not come to rest: some
    packings give way again and again."""
    world = disks_under_lid(grains, seed, FRICTION, PRESSURE)
    world.set_solver(tolerance=1e-2, iterations=3000)
    compress(world, 1e-2)
    for tolerance, far in ((1e-4, 1e-6), (1e-6, 1e-7)):
        world.set_solver(tolerance=tolerance, iterations=20000)
        for _ in range(patience):
            before = world.wall(LID).point[1]
            step_at_rest(world, 8)
            if abs(world.wall(LID).point[1] - before) < far:
                break
        else:
            return None
    return world


def ring(state: bytes, force: float, sweeps: int) -> dict[str, Any]:
    """The piston after a sudden increase of its force. The fit begins when hardly any contact slides."""
    world = scree.World.load(state)
    world.set_solver(order="random", criterion="fixed", iterations=sweeps)
    world.set_wall_force(LID, (0, -force * (1 + STEP_UP)))
    start, height, sliding, calm = world.wall(LID).point[1], [], [], None
    ahead, length = max(6, round(250 / sweeps)), round(1600 / sweeps) + 16
    while calm is None or len(height) < calm + length:
        report = world.step()
        height.append(world.wall(LID).point[1] - start)
        sliding.append(report.sliding / report.active)
        if calm is None and (len(height) > ahead and np.mean(sliding[-ahead:]) < 0.01 or len(height) > 4000):
            calm = len(height) - ahead // 2
    time = np.arange(calm, calm + length)
    fit = fit_first_guess(time, np.array(height)[calm:calm + length], 0.055 * math.sqrt(sweeps) * np.geomspace(0.3, 3, 40),
                          650 / sweeps * np.geomspace(0.2, 5, 12))
    amplitude = math.hypot(fit.sine, fit.cosine)
    return {"sweeps": sweeps, "height": height, "calm": calm, "length": length, "fit": fit, "misfit": fit.misfit / amplitude,
            "frequency": fit.frequency, "damping_time": fit.damping_time}


def rings(run: dict[str, Any]) -> bool:
    """Whether the piston swings at all: a packing may also give way, and the piston then sinks without return."""
    return run["misfit"] < 0.1


def measure(quick: bool) -> dict[str, Any]:
    grains, wanted, patience = (300, 2, 25) if quick else (1000, 3, 400)
    counts = (5, 10, 20, 40) if quick else (5, 7, 10, 14, 20, 28, 40, 57, 80, 113)
    packings: list[dict[str, Any]] = []
    picture = None
    for seed in itertools.count(1):
        world = equilibrium(grains, seed, patience)
        if world is None:
            continue
        force, state = -float(world.wall(LID).force[1]), world.save()
        runs = [run for run in (ring(state, force, sweeps) for sweeps in counts) if rings(run)]
        if len(runs) < 3:
            continue
        packings.append({"seed": seed, "runs": runs})
        picture = picture or snapshot(world)
        if len(packings) == wanted:
            break
    return {"grains": grains, "packings": packings, "picture": picture}


def snapshot(world: scree.World) -> dict[str, Any]:
    """What is needed to draw the first packing."""
    contacts = world.contacts
    contacts = contacts[(contacts.state != scree.ContactState.OPEN) & (contacts.b >= 0)]
    return {"place": world.position[:, :2].copy(), "radius": world.radius.copy(), "lid": world.wall(LID).point[1],
            "width": world.wall(2).point[0], "pairs": np.column_stack([contacts.a, contacts.b]), "force": contacts.force_normal.copy()}


def exponents(data: dict[str, Any]) -> dict[str, tuple[float, float]]:
    """Exponents of frequency, damping time and undamped frequency with N_I: mean over packings, and standard error, of the packings or of
    the fits, whichever is larger."""
    found = {}
    for name in ("frequency", "damping_time", "undamped"):
        powers = []
        for packing in data["packings"]:
            sweeps = [run["sweeps"] for run in packing["runs"]]
            powers.append(fit_power(sweeps, [value(run, name) for run in packing["runs"]]))
        slopes = np.array([power.exponent for power in powers])
        error = math.sqrt(sum(power.error ** 2 for power in powers)) / len(powers)
        if len(slopes) > 1:
            error = max(error, float(slopes.std(ddof=1)) / math.sqrt(len(slopes)))
        found[name] = (float(slopes.mean()), error)
    return found


def value(run: dict[str, Any], name: str) -> float:
    if name == "undamped":
        return math.sqrt(run["frequency"] ** 2 + 1 / run["damping_time"] ** 2)  # c k, by (UK 58) and (UK 60)
    return run[name]


def judge(data: dict[str, Any], quick: bool) -> list[Check]:
    found = exponents(data)
    runs = [run for packing in data["packings"] for run in packing["runs"]]

    def power(what: str, expected: float, name: str, width: float) -> Check:
        slope, error = found[name]
        return near(f"{what} (standard error {error:.3f})", expected, slope, width)

    worst = float(np.median([run["misfit"] for run in runs]))
    return [
        power("exponent of $\\omega$ as a function of $N_I$", 0.5, "frequency", 0.1 if quick else 0.03),
        power("exponent of $\\tau$ as a function of $N_I$", -1.0, "damping_time", 0.25 if quick else 0.08),
        power("exponent of $(\\omega^2 + \\tau^{-2})^{1/2}$ as a function of $N_I$, with the effect of damping removed", 0.5, "undamped",
              0.1 if quick else 0.03),
        below("residual of the damped sine relative to its amplitude (root mean square, median)", 0.1 if quick else 0.05, worst),
    ]


def draw(data: dict[str, Any]) -> Any:
    figure, panels = plt.subplot_mosaic([["grains", "swing"], ["grains", "late"], ["w", "tau"]], figsize=(7.2, 6.0),
                                        width_ratios=(1, 1.15), height_ratios=(1, 1, 1.6))
    draw_grains(panels["grains"], data["picture"])
    runs = data["packings"][0]["runs"]
    draw_swing(panels["swing"], panels["late"], min(runs, key=lambda run: abs(run["sweeps"] - SHOWN)))
    found = exponents(data)
    draw_law(panels["w"], data, "frequency", 0.5, "angular frequency $\\omega$ [$1/\\Delta t$]", found["frequency"])
    draw_law(panels["tau"], data, "damping_time", -1, "damping time $\\tau$ [$\\Delta t$]", found["damping_time"])
    return figure


def draw_grains(axes: Any, picture: dict[str, Any]) -> None:
    positions, radius, force = np.array(picture["place"]), np.array(picture["radius"]), np.array(picture["force"])
    width, lid = picture["width"], picture["lid"]
    axes.add_collection(plt.matplotlib.collections.EllipseCollection(
        2 * radius, 2 * radius, np.zeros(len(radius)), units="xy", offsets=positions, offset_transform=axes.transData, facecolors="#eef1f4",
        edgecolors="#b9c0c9", linewidths=0.3, rasterized=True))
    ends = positions[np.array(picture["pairs"])]
    axes.add_collection(plt.matplotlib.collections.LineCollection(ends, linewidths=np.clip(0.45 * force / force.mean(), 0.02, 2.2),
                                                                  colors=PALETTE[0], capstyle="round", rasterized=True))
    axes.plot([0, 0, width, width], [lid, 0, 0, lid], color=SOFT_INK, linewidth=1.2)
    axes.add_patch(plt.Rectangle((0, lid), width, 0.035 * width, facecolor=PALETTE[3], edgecolor="none"))
    axes.annotate("", (width / 2, 1.04 * lid), (width / 2, 1.15 * lid), arrowprops={"arrowstyle": "-|>", "color": "#2a2e35"})
    axes.text(0.54 * width, 1.07 * lid, "$F + \\Delta F$", fontsize=8)
    axes.set_xlim(-0.5, width + 0.5)
    axes.set_ylim(-0.5, 1.16 * lid)
    axes.set_aspect("equal")
    axes.axis("off")


def draw_swing(top: Any, bottom: Any, run: dict[str, Any]) -> None:
    height, calm, length = 1000 * np.array(run["height"]), run["calm"], run["length"]
    time = np.arange(1, len(height) + 1)
    fine = np.arange(calm, calm + length, 0.5)
    frequency, damping_time, offset, sine, cosine, _ = run["fit"]
    decay = np.exp(-(fine - calm) / damping_time)
    curve = 1000 * (offset + decay * (sine * np.sin(frequency * (fine - calm)) + cosine * np.cos(frequency * (fine - calm))))
    for axes in (top, bottom):
        axes.plot(time, height, "o", color=PALETTE[0], markersize=2, markeredgewidth=0, label="piston")
        axes.plot(fine + 1, curve, color=PALETTE[1], linewidth=1.1, label="damped sine, fitted")
    top.set_ylabel("height [$10^{-3} d$]")
    top.set_xlim(0, len(height))
    top.legend(loc="upper right")
    bottom.set_xlim(calm, len(height))
    late = height[calm:]
    air = 0.15 * np.ptp(late)
    bottom.set_ylim(late.min() - air, late.max() + air)
    bottom.set_ylabel("the same, enlarged")
    bottom.set_xlabel(f"time [$\\Delta t$]    ($N_I$ = {run['sweeps']})")


def draw_law(axes: Any, data: dict[str, Any], name: str, expected: float, text: str, found: tuple[float, float]) -> None:
    for packing, colour, mark in zip(data["packings"], PALETTE, "os^"):
        sweeps = np.array([run["sweeps"] for run in packing["runs"]])
        axes.loglog(sweeps, [run[name] for run in packing["runs"]], mark, color=colour, markersize=4, markerfacecolor="none",
                    label=f"packing {packing['seed']}")
    every = [(run["sweeps"], run[name]) for packing in data["packings"] for run in packing["runs"]]
    level = np.exp(np.mean([math.log(y) - expected * math.log(x) for x, y in every]))
    x = np.array([0.8 * sweeps.min(), 1.25 * sweeps.max()])
    axes.plot(x, level * x ** expected, color=SOFT_INK, linewidth=1, label="$\\sim \\sqrt{N_I}$" if expected > 0 else "$\\sim 1/N_I$", zorder=1)
    axes.set_xlabel("sweeps per step $N_I$")
    axes.set_ylabel(text)
    ticks = [5, 10, 20, 40, 80]
    axes.set_xticks(ticks, [str(tick) for tick in ticks])
    heights = [0.1, 0.2, 0.4, 0.8] if expected > 0 else [5, 10, 20, 40, 80, 160]
    axes.set_yticks(heights, [f"{tick:g}" for tick in heights])
    axes.minorticks_off()
    axes.legend(loc="upper left" if expected > 0 else "upper right")
    axes.text(0.97 if expected > 0 else 0.03, 0.05, f"exponent {found[0]:.3f} ± {found[1]:.3f}".replace("-", "−"), transform=axes.transAxes,
              ha="right" if expected > 0 else "left", color="#2a2e35", fontsize=8)


FIGURE = Figure(
    paper="review",
    figure="Figs. 5 and 8",
    title="A packing of rigid disks oscillates under a piston",
    text="""
A thousand disks with radii uniform between $r$ and $2r$, masses proportional to their areas, friction 0.05 at all
contacts and no gravity are compressed by a piston from a loose state until they are in equilibrium. Then the force on
the piston suddenly grows by 2 %, and only $N_I$ sweeps are made per step. The piston settles, at first with many
sliding contacts; after this transient a damped sine remains (top right; enlarged below). Its frequency and damping time
are both fitted, starting when fewer than 1 % of the contacts slide. The paper gives the scaling with $N_I$ but no
numbers: $\\omega \\sim \\sqrt{N_I}$, $\\tau \\sim 1/N_I$. The lines have these exponents; the symbols are independent
packings. The standard errors come from these three packings only; packings prepared slightly differently gave exponents
from $-0.96$ to $-1.00$ for $\\tau$, so the tolerance is wider. The force chains drawn are those of the first packing.
Mean diameter, mean mass and $\\Delta t$ are 1, the pressure is 0.01, and the piston weighs as much as 64 disks. With
strong damping, eq. (58) deviates from the square root; the check on $(\\omega^2 + \\tau^{-2})^{1/2} = ck$ removes this
effect. (The quick version has 300 disks.)
""",
    measure=measure,
    draw=draw,
    judge=judge,
    seconds=75,
)
