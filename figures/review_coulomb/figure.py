"""Coulomb's graph and cone, traced by driven contacts."""

from __future__ import annotations

from typing import Any

import matplotlib.pyplot as plt
import numpy as np

import scree
from review import SOFT_INK, wall_force
from scree.plot import PALETTE
from toolkit import Check, Figure, above, below

FRICTION = 0.4
LOADS = (0.5, 1.0, 2.0)
PERIOD = 200


def slider(load: float, steps: int) -> dict[str, Any]:
    """A disk that cannot turn, pressed onto a floor and pushed to and fro along it."""
    world = scree.World(dimension=2, time_step=1e-2, solver={"tolerance": 1e-14})
    world.add_material(friction=FRICTION)
    world.add_plane(point=(0, 0), normal=(0, 1))
    world.add_grains((0, 0.5), 0.5, mass=1, frozen=scree.Freeze.ROTATION)
    velocity, force, expected = [], [], []
    for step in range(steps):
        push = 1.5 * FRICTION * load * (np.sin(2 * np.pi * step / PERIOD) + 0.5 * np.sin(0.37 * 2 * np.pi * step / PERIOD))
        free = world.velocity[0, 0] + 1e-2 * push  # without contact
        world.set_force(0, (push, -load))
        world.step()
        velocity.append(world.velocity[0, 0])
        force.append(wall_force(world, 1, 0)[1])
        expected.append(np.clip(-free / 1e-2, -FRICTION * load, FRICTION * load))
    return {"load": load, "velocity": velocity, "force": force, "expected": expected}


def ball(steps: int) -> dict[str, Any]:
    """A ball on a floor in three dimensions, free to turn, under random forces and torques: the cone."""
    random = np.random.default_rng(3)
    world = scree.World(dimension=3, time_step=1e-2, solver={"tolerance": 1e-14})
    world.add_material(friction=FRICTION)
    world.add_plane(point=(0, 0, 0), normal=(0, 0, 1))
    world.add_grains((0, 0, 0.5), 0.5, mass=1)
    normal, tangential, slip = [], [], []
    for step in range(steps):
        if step % 8 == 0:
            load = random.uniform(0.3, 2)
            push, turn = random.normal(0, 0.8 * FRICTION * load, 3), random.normal(0, 0.3 * FRICTION * load, 3)
            push[2], turn[2] = -load, 0
            push[:2] -= 0.5 * world.velocity[0, :2]  # brings the ball back, so that it sticks at times
            world.set_force(0, push, turn)
        world.step()
        force = wall_force(world, 2)
        normal.append(force[0])
        tangential.append(force[1:3])
        slip.append((world.velocity[0] + np.cross(world.spin[0], (0, 0, -0.5)))[:2])
    return {"normal": normal, "tangential": tangential, "slip": slip}


def measure(quick: bool) -> dict[str, Any]:
    steps = 500 if quick else 1500
    return {"slider": [slider(load, steps) for load in LOADS], "ball": ball(1000 if quick else 5000)}


def distance(velocity: np.ndarray, share: np.ndarray) -> float:
    """The largest distance from the graph; share is the force over its limit."""
    on_slope = np.abs(share + np.sign(velocity))
    on_step = np.maximum(np.abs(velocity), np.abs(share) - 1)
    return float(np.max(np.minimum(on_slope, on_step)))


def judge(data: dict[str, Any], quick: bool) -> list[Check]:
    checks = []
    for run in data["slider"]:
        velocity, share = np.array(run["velocity"]), np.array(run["force"]) / (FRICTION * run["load"])
        checks.append(below(f"N = {run['load']:g}: largest distance of (velocity, force) from the graph", 1e-13, distance(velocity, share)))
        checks.append(below(f"N = {run['load']:g}: largest deviation of the force from eq. (34), relative to its limit", 1e-12,
                            float(np.max(np.abs(np.array(run["expected"]) / (FRICTION * run["load"]) - share)))))
    normal, force, slip = (np.array(data["ball"][name]) for name in ("normal", "tangential", "slip"))
    share, speed = np.linalg.norm(force, axis=1) / (FRICTION * normal), np.linalg.norm(slip, axis=1)
    slides = speed > 1e-9
    against = np.linalg.norm(force / np.linalg.norm(force, axis=1)[:, None] + slip / np.maximum(speed, 1e-300)[:, None], axis=1)
    return checks + [
        below("cone, sticking contacts: largest friction relative to its limit", 1 + 1e-12, float(share[~slides].max())),
        below("cone, sticking contacts: largest slip velocity", 1e-12, float(speed[~slides].max())),
        below("cone, sliding contacts: largest deviation of the friction from its limit", 1e-12, float(np.abs(share[slides] - 1).max())),
        below("cone, sliding contacts: largest deviation of the friction from the direction opposite to the motion", 1e-9, float(against[slides].max())),
        above("cone: fraction of steps that stick", 0.1, float(np.mean(~slides))),
        above("cone: fraction of steps that slide", 0.1, float(np.mean(slides))),
    ]


def draw(data: dict[str, Any]) -> Any:
    figure, (graph, cone) = plt.subplots(1, 2, figsize=(7.2, 3.4), width_ratios=(1.25, 1))
    draw_graph(graph, data["slider"])
    draw_cone(cone, data["ball"])
    return figure


def draw_graph(axes: Any, runs: list[dict[str, Any]]) -> None:
    fastest = 1.06 * max(np.max(np.abs(run["velocity"])) for run in runs)
    for run, colour in zip(reversed(runs), PALETTE):
        limit = FRICTION * run["load"]
        axes.plot([-2 * fastest, 0, 0, 2 * fastest], [limit, limit, -limit, -limit], color=colour, linewidth=5, alpha=0.2,
                  solid_joinstyle="miter")
        axes.plot(run["velocity"][::3], run["force"][::3], "o", color=colour, markersize=2.6, markerfacecolor="none", markeredgewidth=0.6, rasterized=True,
                  label=f"$R_n$ = {run['load']:g}")
    axes.set_xlim(-fastest, fastest)
    axes.set_ylim(-1.15 * FRICTION * LOADS[-1], 1.15 * FRICTION * LOADS[-1])
    axes.set_xlabel("tangential velocity $V_t$ [$v_0$]")
    axes.set_ylabel("friction force $R_t$ [$m v_0 / t_0$]")
    axes.plot([], [], color=SOFT_INK, linewidth=5, alpha=0.3, label="Coulomb's graph")
    axes.legend(loc="upper right")


def draw_cone(axes: Any, run: dict[str, Any]) -> None:
    normal, force, slip = (np.array(run[name]) for name in ("normal", "tangential", "slip"))
    share, slides = force / (FRICTION * normal)[:, None], np.linalg.norm(slip, axis=1) > 1e-9
    axes.add_patch(plt.Circle((0, 0), 1, fill=False, edgecolor=SOFT_INK, linewidth=5, alpha=0.28))
    axes.plot(*share[~slides].T, ".", color=PALETTE[0], markersize=2.5, alpha=0.6, markeredgewidth=0, rasterized=True, label="stick")
    shown = np.flatnonzero(slides)[::max(1, int(slides.sum()) // 150)]
    axes.plot(*share[shown].T, "o", color=PALETTE[1], markersize=2.2, label="slide")
    arrow = slip[shown[::3]] / np.linalg.norm(slip[shown[::3]], axis=1)[:, None]
    axes.quiver(*share[shown[::3]].T, *(0.22 * arrow).T, color=PALETTE[1], angles="xy", scale_units="xy", scale=1, width=0.004,
                headwidth=5, headlength=5, headaxislength=4.5)
    axes.set_aspect("equal")
    axes.set_xlim(-1.35, 1.35)
    axes.set_ylim(-1.35, 1.35)
    axes.set_xticks([-1, 0, 1])
    axes.set_yticks([-1, 0, 1])
    axes.set_xlabel("$R_x / \\mu R_n$")
    axes.set_ylabel("$R_y / \\mu R_n$")
    axes.legend(loc="upper right", handletextpad=0.2, borderaxespad=0)


FIGURE = Figure(
    paper="review",
    figure="Fig. 2",
    title="Coulomb's graph, traced by contacts",
    text="""
Tangential velocity of a contact at the end of a step and the friction force during that step. Left: a disk that cannot
turn is pressed onto a floor with three different loads and pushed back and forth along it; every third step is drawn.
The steep part is infinitely steep: below the limit there is no velocity at all. Right: the same in three dimensions,
for a free ball under random loads, forces and torques. In units of the limit $\\mu R_n$, the friction of sticking
contacts lies anywhere inside the circle and that of sliding contacts on it; the arrows show the direction of motion,
which friction opposes. $\\mu = 0.4$; mass and diameter are 1; velocities are in diameters per unit of time.
""",
    measure=measure,
    draw=draw,
    judge=judge,
    seconds=5,
)
