"""The graphs of rolling and torsion friction (Fig. 1.8), traced by driven balls."""

from __future__ import annotations

from typing import Any

import matplotlib.pyplot as plt
import numpy as np

import scree
from beginners import power_law
from scree import Freeze
from scree.plot import PALETTE
from toolkit import Check, Figure, below, near

RADIUS, MASS = 0.5, 1.0
ROLLING, TORSION = 0.06, 0.04  # mu_t and mu_n, lengths (1.40)
TIGHT = {"tolerance": 1e-13, "iterations": 100000}
STEPS = 5


HEAVY = 1e12  # a moment of inertia that no torque changes


def ball(push: float, friction: float = 0.0, dimension: int = 3, inertia: float = 0.0, **law: float) -> scree.World:
    """A ball on a floor, pressed down by a force."""
    world = scree.World(time_step=0.02, dimension=dimension, solver=TIGHT)
    world.add_material(friction=friction, **law)
    up = np.eye(3)[dimension - 1, :dimension]
    world.add_plane(point=0 * up, normal=up)
    world.add_grains(RADIUS * up, RADIUS, mass=MASS, inertia=inertia, force=-push * up)
    return world


def contact(world: scree.World) -> dict[str, list[float]]:
    """The torque on the ball and its spin against the floor, after a step."""
    held = world.contacts[0]
    return {"normal": float(held.force_normal), "torque": (-held.torque).tolist(), "spin": world.spin[0].tolist()}


def driven(push: float, axis: np.ndarray, torque: float) -> list[dict[str, Any]]:
    """A ball that cannot slip away, under a torque, from rest; friction-free, so that the contact torque acts alone."""
    world = ball(push, rolling_length=ROLLING, torsion_length=TORSION)
    world.set_frozen(0, Freeze.X | Freeze.Y)
    world.set_force(0, torque=torque * axis)
    rows = []
    for _ in range(STEPS):
        world.step()
        rows.append(contact(world))
    return rows


def turned(push: float, spin: np.ndarray) -> list[dict[str, Any]]:
    """A ball that is turned at a given rate."""
    world = ball(push, inertia=HEAVY, rolling_length=ROLLING, torsion_length=TORSION)
    world.set_frozen(0, Freeze.X | Freeze.Y)
    world.set_velocity(0, spin=spin)
    world.step()
    return [contact(world)]


def pushed(push: float, side: np.ndarray, pull: float) -> list[dict[str, Any]]:
    """A ball with friction, pulled sideways: it rolls when pull times radius exceeds the torque."""
    world = ball(push, friction=0.9, rolling_length=ROLLING, torsion_length=TORSION)
    world.set_force(0, force=np.array([0, 0, -push]) + pull * side)
    rows = []
    for _ in range(STEPS):
        world.step()
        rows.append(contact(world))
    return rows


def largest(dimension: int, push: float, **law: float) -> float:
    """The torque of a ball that is turned."""
    world = ball(push, dimension=dimension, inertia=HEAVY, **law)
    world.set_frozen(0, Freeze.X if dimension == 2 else Freeze.X | Freeze.Y)
    world.set_velocity(0, spin=1.0 if dimension == 2 else (0.0, 1.0, 0.0))
    world.step()
    return float(np.linalg.norm(world.contacts[0].torque))


def measure(quick: bool) -> dict[str, Any]:
    random = np.random.default_rng(18)
    loads = (0.5, 2.0, 8.0)
    parts = np.linspace(0.1, 0.95, 5).tolist() + [1.15, 1.5, 2.0]
    data: dict[str, Any] = {"rolling": [], "torsion": []}
    for push in loads:
        for part in parts:
            share = part - 0.1 if part < 1 else part - 0.05  # so that no two kinds of symbols hide each other
            angle = random.uniform(0, 2 * np.pi)
            side = np.array([np.cos(angle), np.sin(angle), 0])
            data["rolling"] += [{"how": "torque", **row} for row in driven(push, side, part * ROLLING * push)]
            data["rolling"] += [{"how": "pull", **row} for row in pushed(push, side, share * ROLLING * push / RADIUS)]
            for sign in (-1, 1):
                axis = np.array([0, 0, float(sign)])
                data["torsion"] += [{"how": "torque", **row} for row in driven(push, axis, part * TORSION * push)]
        for rate in (0.02, 0.1, 0.25, 0.4):
            angle = random.uniform(0, 2 * np.pi)
            spin = rate * np.array([np.cos(angle), np.sin(angle), 0])
            data["rolling"] += [{"how": "turned", **row} for row in turned(push, spin)]
            for sign in (-1, 1):
                data["torsion"] += [{"how": "turned", **row} for row in turned(push, np.array([0, 0, sign * rate]))]
    pushes = np.geomspace(0.01, 100, 9)
    data["bounds"] = {
        "normal": pushes.tolist(),
        "fixed length (1.40)": [largest(3, push, rolling_length=ROLLING) for push in pushes],
        "spheres, Hertz (1.45)": [largest(3, push, rolling_hertz=0.05) for push in pushes],
        "disks, Hertz (1.44)": [largest(2, push, rolling_hertz=0.02) for push in pushes],
    }
    return data


def rolling_points(data: dict[str, Any]) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[str]]:
    """|Omega_t|, |T_t| / (mu_t R_n), and how far the torque is from opposing the spin, times the torque."""
    spin = np.array([row["spin"] for row in data["rolling"]])[:, :2]
    torque = np.array([row["torque"] for row in data["rolling"]])[:, :2]
    scaled = torque / (ROLLING * np.array([row["normal"] for row in data["rolling"]]))[:, None]
    rate = np.linalg.norm(spin, axis=1)
    along = spin / np.maximum(rate, 1e-300)[:, None]
    aside = np.where(rate > 1e-9, np.linalg.norm(scaled + along * np.linalg.norm(scaled, axis=1)[:, None], axis=1), 0)
    return rate, np.linalg.norm(scaled, axis=1), aside, [row["how"] for row in data["rolling"]]


def torsion_points(data: dict[str, Any]) -> tuple[np.ndarray, np.ndarray, list[str]]:
    """Omega_n and -T_n / (mu_n R_n)."""
    spin = np.array([row["spin"][2] for row in data["torsion"]])
    torque = np.array([row["torque"][2] / (TORSION * row["normal"]) for row in data["torsion"]])
    return spin, -torque, [row["how"] for row in data["torsion"]]


def distance(rate: np.ndarray, torque: np.ndarray) -> np.ndarray:
    """How far points are from the graph: |rate| on the wall |torque| <= 1, | |torque| - 1 | on the flat part of its sign."""
    wall = np.hypot(rate, np.maximum(np.abs(torque) - 1, 0))
    flat = np.hypot(torque - np.sign(rate), 0 * rate)
    return np.minimum(wall, np.where(rate == 0, wall, flat))


MARKS = {"torque": ("o", PALETTE[0], "torque given"), "pull": ("s", PALETTE[2], "pulled sideways, rolls"),
         "turned": ("^", PALETTE[1], "turned at a rate")}


def scatter(axes: plt.Axes, rate: np.ndarray, torque: np.ndarray, how: list[str]) -> None:
    for kind, (mark, colour, name) in MARKS.items():
        chosen = np.array([one == kind for one in how])
        if chosen.any():
            axes.plot(rate[chosen], torque[chosen], mark, color=colour, markersize=3.4, markerfacecolor="none",
                      markeredgewidth=0.8, label=name)


def draw(data: dict[str, Any]) -> plt.Figure:
    figure, (left, middle, right) = plt.subplots(1, 3, figsize=(9.2, 3.1))
    rate, torque, _, how = rolling_points(data)
    left.plot([0, 0, 0.5], [0, 1, 1], color="#b9bec6", linewidth=4, label="Fig. 1.8", zorder=1)
    scatter(left, rate, torque, how)
    left.set(xlim=(-0.02, 0.5), ylim=(0, 1.2), xlabel=r"rolling $|\Omega_t|$ [1/time]", ylabel=r"$|T_t|\,/\,\mu_t R_n$")
    left.set_title("(a) rolling friction")
    left.legend(loc="lower right")
    rate, torque, how = torsion_points(data)
    middle.plot([-0.5, 0, 0, 0.5], [-1, -1, 1, 1], color="#b9bec6", linewidth=4, zorder=1)
    scatter(middle, rate, torque, how)
    middle.set(xlim=(-0.5, 0.5), ylim=(-1.25, 1.25), xlabel=r"torsion $\Omega_n$ [1/time]", ylabel=r"$-T_n\,/\,\mu_n R_n$")
    middle.set_title("(b) torsion friction")
    normal = np.array(data["bounds"]["normal"])
    for (name, values), colour, mark in zip(list(data["bounds"].items())[1:], PALETTE, "osD"):
        exponent, _, factor = power_law(normal, values)
        right.plot(normal, factor * normal**exponent, color=colour, linewidth=0.8)
        right.plot(normal, values, mark, color=colour, markerfacecolor="none", label=f"{name}: $R_n^{{{exponent:.3f}}}$")
    right.set(xscale="log", yscale="log", xlabel=r"normal force $R_n$ [force]", ylabel="largest torque [force length]")
    right.legend(loc="upper left", fontsize=7)
    right.set_title("(c) the bound")
    return figure


def judge(data: dict[str, Any], quick: bool) -> list[Check]:
    rate, torque, aside, _ = rolling_points(data)
    checks = [below(f"rolling: largest distance of {len(rate)} points from the graph", 1e-9, float(distance(rate, torque).max())),
              below("rolling: largest deviation of the torque from opposing the rolling", 1e-9, float(aside.max()))]
    rate, torque, _ = torsion_points(data)
    checks.append(below(f"torsion: largest distance of {len(rate)} points from the graph", 1e-9, float(distance(rate, torque).max())))
    normal = data["bounds"]["normal"]
    for (name, values), exponent in zip(list(data["bounds"].items())[1:], (1, 4 / 3, 3 / 2)):
        checks.append(near(f"exponent of the largest torque as a function of the normal force: {name}", exponent, power_law(normal, values)[0], 1e-6))
    return checks


TEXT = f"""
Each symbol is one time step of a ball on a floor, pressed down with a force of 0.5, 2 or 8, with $\\mu_t = {ROLLING}$
and $\\mu_n = {TORSION}$ (lengths, see 1.40). The ball is subjected to a torque (it stays at rest below the bound and is
accelerated above it), is turned at a fixed rate, or is pulled sideways with friction so that it really rolls. For
rolling, torque and spin are vectors in the tangent plane (the directions are drawn at random, the magnitudes are
shown); for torsion they are signed numbers. The grey line is the graph in the paper. (c) The largest torque for a fixed
length (1.40) and for a Hertzian contact, whose width grows with the load: $R_n^{{4/3}}$ for spheres (1.43, 1.45) and
$R_n^{{3/2}}$ for disks (1.44).
"""

FIGURE = Figure(paper="beginners", figure="Fig. 1.8", title="Graphs of rolling and torsion friction", text=TEXT, measure=measure,
                draw=draw, judge=judge, seconds=2)
