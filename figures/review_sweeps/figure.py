"""How many sweeps carry a force through a packing: relaxation by diffusion, and its cost against the number of grains."""

from __future__ import annotations

import math
from typing import Any

import matplotlib.pyplot as plt
import numpy as np

import scree
from review import SOFT_INK, Q, chain, fit_power, mean_and_error, mean_sweep, step_at_rest, wave_number
from scree.plot import PALETTE
from toolkit import Check, Figure, below, close, near

GRAVITY, MORE = 3e-4, 0.1  # and the fraction by which it grows
NAMES = {1: "chain", 2: "disks", 3: "balls"}


# ---------------------------------------------------------------- the chain: q


def slowest_error(order: str, grains: int, sweeps: int, seed: int) -> float:
    """How much of the slowest error is left after some sweeps: a chain at a wall is pushed, and no force is known."""
    world = chain(grains, sweeps, 0.0, 0.01, seed)
    world.set_solver(order=order)
    world.step()
    contacts = world.contacts
    number = np.where(contacts.b < 0, 0, np.maximum(contacts.a, contacts.b))
    shape = np.where(number == 0, 0.5, 1.0) * np.cos(wave_number(grains) * number)
    return float(shape @ (0.01 - contacts.force_normal) / (0.01 * shape.sum()))


def relaxation(quick: bool) -> dict[str, Any]:
    """The slowest error against sweeps, and q from its decay: exp(-q k^2 N) (UK 42 to 46)."""
    grains, seeds = 50, 4 if quick else 12
    counts = np.unique(np.round(np.linspace(0.05, 2.4, 12) * grains ** 2)).astype(int)
    found = {}
    for order in ("random", "fixed"):
        many = range(1, (seeds if order == "random" else 1) + 1)
        left = np.array([[slowest_error(order, grains, int(count), seed) for count in counts] for seed in many])
        late = counts >= 0.4 * grains ** 2
        rates = [-np.polyfit(counts[late], np.log(row[late]), 1)[0] / wave_number(grains) ** 2 for row in left]
        found[order] = {"left": left.mean(axis=0), "q": rates}
    slowest = max(abs(np.linalg.eigvals(mean_sweep(grains))))
    return {"grains": grains, "sweeps": counts, "orders": found, "finite_q": -math.log(slowest) / wave_number(grains) ** 2}


# ---------------------------------------------------------------- packings


def settled(grains: int, dimension: int, seed: int) -> scree.World:
    """Grains at rest under gravity on a floor, with periodic sides, about as high as wide; a chain is one column."""
    random = np.random.default_rng(seed)
    up = np.eye(max(dimension, 2))[-1]
    if dimension == 1:
        world = scree.World(dimension=2, time_step=1, seed=seed, gravity=-GRAVITY * up)
        world.add_material()
        world.add_plane(point=0 * up, normal=up)
        world.add_grains(np.column_stack([np.zeros(grains), 0.5 + np.arange(grains)]), 0.5, mass=1)
    else:
        radius = random.uniform(1, 2, grains) / 3 if dimension == 2 else random.uniform(0.4, 0.6, grains)
        share, volume = (0.82, math.pi) if dimension == 2 else (0.6, 4 / 3 * math.pi)
        width = (grains * volume * np.mean(radius ** dimension) / share) ** (1 / dimension)
        spacing = 2.02 * radius.max()
        side = int(width / spacing)
        index = np.arange(grains)
        cells = [index // side ** axis % side for axis in range(dimension - 1)]
        positions = np.column_stack([*((cell + 0.5) * width / side for cell in cells), (index // side ** (dimension - 1) + 0.5) * spacing])
        world = scree.World(dimension=dimension, time_step=1, seed=seed, gravity=-GRAVITY * up,
                            periodic={axis: (0, width) for axis in "xy"[:dimension - 1]})
        world.add_material(friction=0.3)
        world.add_plane(point=0 * up, normal=up)
        world.add_grains(positions, radius, mass=radius ** dimension / np.mean(radius ** dimension), velocity=random.normal(0, 0.02, positions.shape))
        world.set_solver(tolerance=5e-2, overlap=5e-3, iterations=2000)
        while world.steps < 100 or world.kinetic_energy() > 1e-6 * grains and world.steps < 2000:
            world.step(25)
    world.set_solver(tolerance=1e-3, overlap=1e-3, iterations=20000)
    step_at_rest(world, 20)
    return world


def floor_load(state: bytes, gravity: float, sweeps: int) -> float:
    """What the floor carries after one step with this many sweeps under this gravity."""
    world = scree.World.load(state)
    world.set_solver(order="random", criterion="fixed", iterations=sweeps)
    world.gravity = world.gravity * (gravity / GRAVITY)
    world.step()
    return abs(float(world.wall(0).load @ world.gravity)) / gravity


def transmission(grains: int, dimension: int, seed: int) -> dict[str, Any]:
    """Gravity grows by a tenth from one step to the next. Which part of the new weight has reached the floor after N sweeps?"""
    world = settled(grains, dimension, seed)
    state, mass = world.save(), world.mass
    height = world.position[:, 1 if dimension < 3 else 2]
    sweeps, share, count = [], [], 3.0
    while not share or share[-1] < 0.93 and count < 1e5:
        sweeps.append(round(count))
        gained = floor_load(state, (1 + MORE) * GRAVITY, sweeps[-1]) - floor_load(state, GRAVITY, sweeps[-1])
        share.append(gained / (MORE * GRAVITY * float(mass.sum())))
        count *= 1.4
    half, most = np.exp(np.interp([0.5, 0.9], share, np.log(sweeps)))
    return {"grains": grains, "dimension": dimension, "height": 2 * float(height @ mass) / float(mass.sum()), "sweeps": sweeps, "share": share,
            "half": half, "most": most, "contacts": int(world.step().active)}


def measure(quick: bool) -> dict[str, Any]:
    sizes = {1: (10, 20, 40), 2: (64, 144, 324), 3: (64, 125, 343)} if quick else {
        1: (8, 16, 32, 64, 128), 2: (64, 121, 225, 400, 784, 1444), 3: (64, 125, 216, 343, 512, 1000, 1728)}
    runs = []
    for dimension, counts in sizes.items():
        for grains in counts:
            seeds = 2 if dimension == 1 else 3 if quick else 2 if grains > 600 else 4
            runs += [transmission(grains, dimension, seed) for seed in range(1, seeds + 1)]
    return {"relaxation": relaxation(quick), "runs": runs}


def diffusion_curve(scaled: np.ndarray) -> np.ndarray:
    """Share of a new weight that has reached the floor when D t / L^2 = q N_I / (L/d)^2 = scaled.

    At first no force knows of it, so the error is what lies above, 1 - x/L. It diffuses; at the free top it is zero, at the floor its
    slope is: cos(k x), k = (2 j + 1) pi / (2 L), with the weights 8 / (pi (2 j + 1))^2.
    """
    odd = 2 * np.arange(200) + 1
    return 1 - np.exp(-np.outer(scaled, odd ** 2) * math.pi ** 2 / 4) @ (8 / (math.pi * odd) ** 2)


def of(data: dict[str, Any], dimension: int) -> list[dict[str, Any]]:
    return [run for run in data["runs"] if run["dimension"] == dimension]


def effective_q(runs: list[dict[str, Any]]) -> float:
    """The q for which half of the weight arrives as the diffusion equation says."""
    table = np.linspace(0.01, 2, 4000)
    half = np.interp(0.5, diffusion_curve(table), table)
    return float(np.exp(np.mean([math.log(half * run["height"] ** 2 / run["half"]) for run in runs])))


def judge(data: dict[str, Any], quick: bool) -> list[Check]:
    relaxed = data["relaxation"]
    q, error = mean_and_error(relaxed["orders"]["random"]["q"])
    checks = [
        close("$q$ for sweeps in random order, eq. (46)", Q, q, 0.01),
        near("the same, compared with the exact result for the finite chain, within 3 standard errors", relaxed["finite_q"], q, 3 * error),
        close("$q$ for an order that is kept", 1.0, relaxed["orders"]["fixed"]["q"][0], 0.01),
    ]
    for dimension in (1, 2, 3):
        runs = of(data, dimension)
        power = fit_power([run["grains"] for run in runs], [run["most"] for run in runs])
        width = {1: 0.02, 2: 0.12, 3: 0.1}[dimension] * (2.5 if quick else 1)
        checks.append(near(f"{NAMES[dimension]}: exponent of $N_I$ as a function of $n$, $2/{dimension}$, eq. (48) (standard error {power.error:.3f})", 2 / dimension,
                           power.exponent, width))
        if dimension > 1:
            cost = fit_power([run["grains"] for run in runs], [run["most"] * run["contacts"] for run in runs])
            checks.append(near(f"{NAMES[dimension]}: exponent of the updates per step as a function of $n$, eqs. (49) and (50) (standard error {cost.error:.3f})",
                               1 + 2 / dimension, cost.exponent, width))
    runs = [run for run in of(data, 1) if run["grains"] >= 16]
    off = max(np.max(np.abs(np.array(run["share"]) - diffusion_curve(Q * np.array(run["sweeps"]) / run["grains"] ** 2))) for run in runs)
    for dimension in (2, 3):
        q = effective_q(of(data, dimension))
        away = [np.array(run["share"]) - diffusion_curve(q * np.array(run["sweeps"]) / run["height"] ** 2) for run in of(data, dimension)]
        checks.append(below(f"{NAMES[dimension]}: root-mean-square deviation of the load on the floor from the diffusion equation with their own $q$",
                            0.08 if quick else 0.06, float(np.sqrt(np.mean(np.concatenate(away) ** 2)))))
    return checks + [below("chain: largest deviation of the load on the floor from the diffusion equation (42)", 0.08 if quick else 0.05, off)]


def draw(data: dict[str, Any]) -> Any:
    figure, panels = plt.subplot_mosaic([["relax", "share"], ["count", "share"]], figsize=(7.2, 5.2), width_ratios=(1, 1.05))
    draw_relaxation(panels["relax"], data["relaxation"])
    draw_share(panels["share"], data)
    draw_count(panels["count"], data)
    return figure


def draw_relaxation(axes: Any, relaxed: dict[str, Any]) -> None:
    grains = relaxed["grains"]
    scaled = np.array(relaxed["sweeps"]) / grains ** 2
    line = np.linspace(0, scaled.max(), 50)
    for (order, run), colour, q, text in zip(relaxed["orders"].items(), PALETTE, (Q, 1.0), ("random, drawn anew", "kept")):
        left = np.array(run["left"])
        rate = q * math.pi ** 2 / 4
        level = np.exp(np.mean(np.log(left[4:]) + rate * scaled[4:]))
        axes.semilogy(line, level * np.exp(-rate * line), color=colour, linewidth=1)
        axes.plot(scaled, left, "o", color=colour, markersize=3.5, markerfacecolor="none", label=f"{text}: $q$ = {np.mean(run['q']):.3f}")
    axes.set_xlabel("sweeps / $n^2$")
    axes.set_ylabel("slowest error of the forces")
    axes.set_title(f"a chain of {grains}: lines $q$ = {Q:.3f}, 1", fontsize=8.5)
    axes.legend(loc="lower left", title="order of the sweep", title_fontsize=8, alignment="left")


def draw_share(axes: Any, data: dict[str, Any]) -> None:
    scaled = np.geomspace(0.003, 3, 200)
    axes.plot(scaled, diffusion_curve(scaled), color=SOFT_INK, linewidth=4, alpha=0.35, label="diffusion, eq. (42)")
    for dimension, colour, mark in zip((1, 2, 3), PALETTE, "os^"):
        runs, first = of(data, dimension), True
        q = Q if dimension == 1 else effective_q(runs)
        for run in runs:
            size = 2 + 2.5 * (run["grains"] / max(item["grains"] for item in runs)) ** 0.4
            axes.semilogx(q * np.array(run["sweeps"]) / run["height"] ** 2, run["share"], mark, color=colour, markersize=size, markerfacecolor="none",
                          markeredgewidth=0.6, label=f"{NAMES[dimension]}, $q$ = {q:.3f}" if first else None)
            first = False
    axes.set_xlim(0.006, 3)
    axes.set_ylim(-0.02, 1.02)
    axes.set_xlabel("$q N_I\\, (d/L)^2$")
    axes.set_ylabel("share of the new weight at the floor")
    axes.legend(loc="upper left")


def draw_count(axes: Any, data: dict[str, Any]) -> None:
    for dimension, colour, mark in zip((1, 2, 3), PALETTE, "os^"):
        runs = of(data, dimension)
        grains, most = np.array([run["grains"] for run in runs]), np.array([run["most"] for run in runs])
        level = np.exp(np.mean(np.log(most) - 2 / dimension * np.log(grains)))
        x = np.array([0.8 * grains.min(), 1.25 * grains.max()])
        slope = {1: "n^2", 2: "n", 3: "n^{2/3}"}[dimension]
        axes.loglog(x, level * x ** (2 / dimension), color=colour, linewidth=1)
        axes.plot(grains, most, mark, color=colour, markersize=3.5, markerfacecolor="none", label=f"{NAMES[dimension]}, $\\sim {slope}$")
    axes.set_xlabel("number of grains $n$")
    axes.set_ylabel("sweeps until 90 % arrive")
    axes.set_ylim(25, 6e4)
    axes.legend(loc="upper right", bbox_to_anchor=(1.0, 1.03))


FIGURE = Figure(
    paper="review",
    figure="eqs. (46) to (50)",
    title="Forces spread by diffusion, and at what cost",
    text="""
Top left: a chain of fifty disks rests against a wall and is pushed; all forces start at zero. The slowest error falls
by a factor of $\\exp(-q k^2)$ in each sweep, with $q = (4\\sqrt e - 5)/2$ for a random order redrawn every time and
$q = 1$ for an order that is kept. Right: grains at rest on a floor (columns, disks with radii between $r$ and $2r$,
balls with radii within 20 % of the mean; friction 0.3, periodic at the sides, about as wide as they are high); gravity
then grows by a tenth. The share of the additional weight that reaches the floor within the next step is plotted against
the number of sweeps in that step, in units of diffusion over the height $L$ (twice the height of the centre of mass);
larger symbols are larger packings. The line is the solution of (42); for disks and for balls one value of $q$ each is
fitted. Bottom left: the number of sweeps until nine tenths have arrived. The paper gives exponents only:
$N_I \\sim L^2$, that is $n^{2/d}$ in $d$ dimensions, and hence $n^2$ and $n^{5/3}$ updates per step. For disks the
fitted exponent exceeds 1 by more than its standard error; packings this small, from 64 disks upwards, cannot tell
whether that persists.
""",
    measure=measure,
    draw=draw,
    judge=judge,
    seconds=55,
)
