"""Signorini's graph with cohesion (Fig. 1.9), traced by a ball at a wall that is pushed and pulled."""

from __future__ import annotations

from typing import Any

import matplotlib.pyplot as plt
import numpy as np

import scree
from beginners import power_law
from scree.plot import PALETTE
from toolkit import Check, Figure, below, close, near

RADIUS, MASS, TENSION, RANGE = 0.5, 1.0, 1.0, 0.1  # r, m, F_C, d_C
TIGHT = {"tolerance": 1e-13, "iterations": 100000}


def ball(reach: float, time_step: float) -> scree.World:
    """A ball that touches a wall, without gravity."""
    world = scree.World(time_step=time_step, solver=TIGHT)
    world.add_material(cohesion=TENSION, cohesion_range=reach)
    world.add_plane(point=(0, 0, 0), normal=(0, 0, 1))
    world.add_grains((0, 0, RADIUS), RADIUS, mass=MASS)
    return world


def step(world: scree.World, push: float) -> tuple[float, float]:
    """A step under a force towards the wall. The gap at its end, and the force of the contact during it."""
    world.set_force(0, force=(0, 0, -push))
    world.step()
    held = world.contacts
    return float(world.position[0, 2] - RADIUS), float(held.force_normal[0]) if len(held) else 0.0


def stop(world: scree.World) -> None:
    world.set_velocity(0, velocity=(0, 0, 0))


def trace(reach: float, farthest: float) -> dict[str, Any]:
    """Pushed and pulled step by step while closed; then pulled open by a bit more than the largest tension."""
    time_step = float(np.sqrt(reach * MASS / TENSION)) * 0.02
    world = ball(reach, time_step)
    closed = [step(world, push) for push in np.linspace(2.0, -1.0, 25) * TENSION]
    world = ball(reach, time_step)
    opening, way = [], 0.0
    while not opening or opening[-1][0] < max(farthest, 1.6 * reach):
        opening.append(step(world, -1.2 * TENSION))
        if way == 0 and opening[-1][1] == 0:
            way = float(world.velocity[0, 2]) * time_step  # distance of one step when it breaks
    gaps = [point[0] for point in opening]
    shown = np.concatenate([np.linspace(0, reach, 14), np.linspace(reach, 1.6 * reach, 5), np.linspace(0, farthest, 12)])
    chosen = sorted({int(np.searchsorted(gaps, gap)) for gap in shown} & set(range(len(gaps))))
    near_by = [point for point in opening if point[0] < 1.6 * reach]
    return {"range": reach, "closed": closed, "opening": [opening[k] for k in chosen], "all": near_by, "way": way}


def weakened(reach: float) -> list[dict[str, Any]]:
    """Partly opened by a blow too weak to break the bond, then held under smaller loads, then pushed closed."""
    found = []
    for part in (0.2, 0.4, 0.6, 0.8):
        speed = np.sqrt(2 * TENSION * reach * part / MASS)
        world = ball(reach, reach / speed * 1e-3)
        world.set_velocity(0, velocity=(0, 0, speed))
        while world.velocity[0, 2] > 1e-12:
            step(world, 0.0)
        stop(world)
        rest = float(world.position[0, 2] - RADIUS)
        held = [step(world, -load * TENSION) for load in (0.0, 0.25, 0.5, 0.75, 0.999)]
        stop(world)
        for _ in range(100000):
            _, force = step(world, 0.5 * TENSION)
            if force > 0:
                break
        mended = [step(world, push * TENSION) for push in (0.7, -0.2, -0.9)]
        found.append({"part": part, "rest": rest, "held": held, "mended": mended})
    return found


def escapes(time_step: float, speed: float) -> bool:
    """Whether the bond of a ball that is knocked off breaks before the ball has stopped."""
    world = ball(RANGE, time_step)
    world.set_velocity(0, velocity=(0, 0, speed))
    while world.velocity[0, 2] > 1e-12:
        if world.step().bonds == 0:
            return True
    return False


def threshold(time_step: float) -> float:
    """The least speed at which it does, by bisection."""
    low, high = 0.0, 4 * np.sqrt(2 * TENSION * RANGE / MASS)
    for _ in range(34):
        middle = (low + high) / 2
        low, high = (low, middle) if escapes(time_step, middle) else (middle, high)
    return (low + high) / 2


def measure(quick: bool) -> dict[str, Any]:
    steps = np.geomspace(1e-3, 0.3, 6 if quick else 10).tolist()
    return {"finite": trace(RANGE, 0.0), "weakened": weakened(RANGE),
            "zero": [trace(reach, 0.16) for reach in (1e-1, 3e-2, 1e-2, 1e-3, 1e-4)],
            "kick": {"time_step": steps, "speed": [threshold(one) for one in steps]}}


def distance_finite(points: Any) -> np.ndarray:
    """From the graph (b) in units of F_C and d_C: the axis above -F_C, the edge at -F_C, the drop at d_C, zero beyond."""
    gap, force = np.array(points).T[0] / RANGE, np.array(points).T[1] / TENSION
    wall = np.hypot(gap, np.maximum(-1 - force, 0))
    edge = np.hypot(np.maximum(gap - 1, 0), force + 1)
    beyond = np.hypot(np.maximum(1 - gap, 0), force)
    drop = np.hypot(gap - 1, np.maximum(-1 - force, 0) + np.maximum(force, 0))
    return np.min([wall, edge, drop, beyond], axis=0)


def distance_zero(points: Any) -> float:
    """The largest distance from the graph (a), in radii and F_C: the axis above -F_C, and zero beyond."""
    gap, force = np.array(points).T[0] / RADIUS, np.array(points).T[1] / TENSION
    return float(np.min([np.hypot(gap, np.maximum(-1 - force, 0)), np.abs(force)], axis=0).max())


GREY = {"color": "#c3c8cf", "linewidth": 4, "zorder": 1, "solid_capstyle": "butt"}


def draw_zero(axes: plt.Axes, data: dict[str, Any]) -> None:
    axes.plot([0, 0], [2.1, -1], label="Fig. 1.9a", **GREY)
    axes.plot([0, 0.16], [0, 0], **GREY)
    for one, colour, size in zip(data["zero"], PALETTE, (7, 5.8, 4.6, 3.4, 2.2)):
        points = np.array(one["closed"] + one["opening"])
        axes.plot(points[:, 0] / (2 * RADIUS), points[:, 1] / TENSION, "o", markersize=size, markerfacecolor="none",
                  markeredgewidth=0.9, color=colour, label=f"$d_C = {one['range']:g}\\,d$")
    axes.set(xlim=(-0.006, 0.16), ylim=(-1.3, 2.1), xlabel="gap $g$ / diameter $d$", ylabel="normal force $R_n/F_C$",
             xticks=(0, 0.05, 0.1, 0.15))
    axes.set_title("(a) ever smaller range")
    axes.legend(loc="upper right")


def draw_finite(axes: plt.Axes, data: dict[str, Any]) -> None:
    axes.fill([0, 1, 1, 0], [0, 0, -1, -1], color="#eef0f2", zorder=0)
    axes.plot([0, 0, 1, 1], [2.1, -1, -1, 0], label="Fig. 1.9b", **GREY)
    axes.plot([1, 1.7], [0, 0], **GREY)
    finite = data["finite"]
    for name, points, mark, colour in (
            ("pushed and pulled, closed", finite["closed"], "o", PALETTE[0]),
            ("pulled open", finite["opening"], "s", PALETTE[1]),
            ("weakened, then loaded", [p for w in data["weakened"] for p in w["held"]], "D", PALETTE[2]),
            ("pushed closed, then loaded", [p for w in data["weakened"] for p in w["mended"]], "^", PALETTE[4])):
        both = np.array(points)
        axes.plot(both[:, 0] / RANGE, both[:, 1] / TENSION, mark, color=colour, markersize=3.4, markerfacecolor="none",
                  markeredgewidth=0.9, label=name)
    axes.set(xlim=(-0.06, 1.7), ylim=(-1.3, 2.1), xlabel="gap $g/d_C$", ylabel="normal force $R_n/F_C$")
    axes.set_title("(b) finite range")
    axes.legend(loc="upper right")


def draw(data: dict[str, Any]) -> plt.Figure:
    figure, (left, middle, right) = plt.subplots(1, 3, figsize=(9.2, 3.2))
    draw_zero(left, data)
    draw_finite(middle, data)
    unit = np.sqrt(RANGE * MASS / TENSION)
    steps, speeds = np.array(data["kick"]["time_step"]), np.array(data["kick"]["speed"])
    right.plot(steps / unit, 0 * steps + np.sqrt(2), color="#c3c8cf", linewidth=4, zorder=1, label=r"energy: $mV^2/2 = F_C d_C$")
    right.plot(steps / unit, speeds * unit / RANGE, "o", color=PALETTE[0], markerfacecolor="none",
               label="measured, range $d_C$")
    right.plot(steps / unit, steps / unit, color=PALETTE[1], linestyle=(0, (5, 3)), label=r"law (a): $V = F_C\Delta t/m$")
    right.set(xscale="log", yscale="log", xlabel=r"time step $\Delta t\,/\sqrt{m d_C/F_C}$",
              ylabel=r"speed to escape $V\,/\sqrt{F_C d_C/m}$", ylim=(2e-3, 6))
    right.set_title("(c) why a range is needed")
    right.legend(loc="lower right")
    return figure


def judge(data: dict[str, Any], quick: bool) -> list[Check]:
    finite = data["finite"]
    way = finite["way"] / RANGE
    points = finite["closed"] + finite["all"]
    closed = distance_finite(finite["closed"]).max()
    opening = distance_finite(points).max()
    held = np.array([point for one in data["weakened"] for point in one["held"]])
    rest = np.repeat([one["rest"] for one in data["weakened"]], len(data["weakened"][0]["held"]))
    loads = np.tile([0.0, 0.25, 0.5, 0.75, 0.999], len(data["weakened"]))
    mended = np.array([point for one in data["weakened"] for point in one["mended"]])
    checks = [
        below(f"(b) closed contact: largest distance of {len(finite['closed'])} points from the graph", 1e-9, float(closed)),
        below(f"(b) all {len(points)} points, including those while it opens: largest distance from the graph / range (limit: the distance moved in one and a half steps)",
              float(1.5 * way),
              float(opening)),
        below("(b) weakened contacts are not pulled back: largest change in gap / range", 1e-9,
              float(np.abs(held[:, 0] - rest).max() / RANGE)),
        below("(b) weakened contacts carry any load in the rectangle: largest error of the force / F_C", 1e-9,
              float(np.abs(held[:, 1] + loads * TENSION).max() / TENSION)),
        below("(b) once pushed closed, they hold again: largest gap / range under a pull of up to 0.9 F_C", 1e-9, float(mended[:, 0].max() / RANGE)),
    ]
    for one in data["weakened"]:
        checks.append(close(f"(b) gap g/d_C at which the ball stops after a blow with {one['part']:g} of the energy F_C d_C", one["part"],
                            one["rest"] / RANGE, 3e-3))
    apart = [distance_zero(one["closed"] + one["all"]) for one in data["zero"]]
    ranges = [one["range"] for one in data["zero"]]
    checks.append(near("(a) distance from the zero-range graph as a power of the range: exponent", 1.0,
                       power_law(ranges, apart)[0], 0.05))
    checks.append(below("(a) distance from the zero-range graph at the smallest range", 5e-4, apart[-1]))
    speeds = np.array(data["kick"]["speed"]) / np.sqrt(2 * TENSION * RANGE / MASS)
    checks.append(below("(c) escape speed for any time step: largest relative deviation from the energy balance", 1e-6,
                        float(np.abs(speeds - 1).max())))
    return checks


TEXT = """
A ball in contact with a wall is pushed, pulled or struck; each symbol gives the gap at the end of a time step and the
force during that step. $F_C = 1$, mass 1. (b) The graph for a finite range $d_C$ (the shaded rectangle is allowed): the
contact stays closed under any load down to $-F_C$, exerts a constant tension $F_C$ while it opens, and exerts no force
beyond $d_C$. (The contact measures its opening by the work done, whereas the positions follow from implicit Euler and
are half a step ahead.) Points inside the rectangle are weakened contacts: opened part of the way by a blow with less
energy than $F_C d_C$, they stay where they are under any smaller load and hold again once they have been pushed closed.
(a) Ranges from $0.1$ down to $10^{-4}$ diameters: the graph for zero range is the limit. (c) With zero range a contact
would open when $mV/\\Delta t > F_C$ (dashed), so the time step would decide; with a finite range the speed needed to
separate the two is $\\sqrt{2F_Cd_C/m}$ for every time step.
"""

FIGURE = Figure(paper="beginners", figure="Fig. 1.9", title="Signorini's graph with cohesion", text=TEXT, measure=measure,
                draw=draw, judge=judge, seconds=6)
