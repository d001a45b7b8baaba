"""Signorini's graph, traced by driven contacts."""

from __future__ import annotations

from typing import Any

import matplotlib.pyplot as plt
import numpy as np

import scree
from review import SOFT_INK, wall_force
from scree.plot import PALETTE
from toolkit import Check, Figure, above, below

FORCE = 0.01  # amplitude of the drive [m d / dt^2]
PERIOD = 50  # of the drive [dt]
ROW = 12


def drive(step: int) -> float:
    """The force that pushes the disk to the wall: two sines, so that the contact opens more and less."""
    phase = 2 * np.pi * step / PERIOD
    return FORCE * (0.35 + 0.7 * np.sin(phase) + 0.3 * np.sin(0.31 * phase))


def single(steps: int) -> dict[str, Any]:
    """One disk at a wall. The force of (UK 34) is computed alongside, from the state before the step."""
    world = scree.World(dimension=2, time_step=1, solver={"tolerance": 1e-14})
    world.add_material()
    world.add_plane(point=(0, 0), normal=(0, 1))
    world.add_grains((0, 0.5), 0.5, mass=1)
    rows = []
    for step in range(steps):
        gap, velocity, push = world.position[0, 1] - 0.5, world.velocity[0, 1], drive(step)
        world.set_force(0, (0, -push))
        world.step()
        expected = max(0.0, -(velocity - push + max(gap, 0.0)))
        rows.append((push, world.position[0, 1] - 0.5, wall_force(world, 1)[0], expected, velocity, world.velocity[0, 1]))
    names = ("push", "gap", "force", "expected", "velocity_before", "velocity")
    return dict(zip(names, np.array(rows).T))


def row_of_disks(steps: int) -> dict[str, Any]:
    """Disks in a row between two walls, pushed at random: all contacts have to be right at once."""
    random = np.random.default_rng(5)
    world = scree.World(dimension=2, time_step=1, solver={"tolerance": 1e-13, "iterations": 100000})
    world.add_material()
    length = ROW + 1.5
    world.add_plane(point=(0, 0), normal=(1, 0))
    world.add_plane(point=(length, 0), normal=(-1, 0))
    positions = np.column_stack([0.6 + 1.1 * np.arange(ROW), np.zeros(ROW)])
    world.add_grains(positions, 0.5, mass=1)
    gaps, forces = [], []
    for step in range(steps):
        if step % 15 == 0:
            common = random.normal(0, 0.2 * FORCE)
            world.set_force(..., np.column_stack([random.normal(common, 0.5 * FORCE, ROW), np.zeros(ROW)]))
        world.step()
        x = world.position[:, 0]
        gaps.append(np.concatenate([[x[0] - 0.5], np.diff(x) - 1, [length - 0.5 - x[-1]]]))
        forces.append(forces_in_row(world))
    return {"gap": np.concatenate(gaps), "force": np.concatenate(forces)}


def forces_in_row(world: scree.World) -> np.ndarray:
    """Normal forces from the left wall to the right one; zero where there is no candidate."""
    force = np.zeros(ROW + 1)
    for contact in world.contacts:
        a, b = int(contact.a), int(contact.b)
        number = 0 if b == -1 else ROW if b == -2 else max(a, b)
        force[number] = contact.force_normal
    return force


def measure(quick: bool) -> dict[str, Any]:
    return {"single": single(600 if quick else 2000), "row": row_of_disks(300 if quick else 1500)}


def distance(gap: np.ndarray, force: np.ndarray) -> float:
    """The largest distance from the graph, with gaps in diameters and forces in amplitudes of the drive."""
    force = force / FORCE
    return float(np.max(np.maximum(np.maximum(-gap, -force), np.minimum(np.abs(gap), np.abs(force)))))


def impacts(one: dict[str, np.ndarray]) -> tuple[int, float]:
    """Impacts: steps in which an open gap closes while the disk still moves. The gap after the first step, the velocity after the second."""
    closes = np.flatnonzero((one["force"][1:-1] > 0) & (one["force"][:-2] == 0)) + 1
    closes = closes[one["gap"][closes - 1] > 1e-6]
    left = np.maximum(np.abs(one["gap"][closes]), np.abs(one["velocity"][closes + 1]))
    return len(closes), float(left.max())


def judge(data: dict[str, Any], quick: bool) -> list[Check]:
    one = {name: np.array(values) for name, values in data["single"].items()}
    row_gap, row_force = np.array(data["row"]["gap"]), np.array(data["row"]["force"])
    count, left = impacts(one)
    return [
        below("one contact: largest distance of (gap, force) from the graph", 1e-13, distance(one["gap"], one["force"])),
        below("one contact: largest deviation from the smallest force that prevents overlap, eq. (34), relative to the drive", 1e-12,
              float(np.max(np.abs(one["force"] - one["expected"]))) / FORCE),
        above("one contact: number of impacts seen", 3 if quick else 10, count),
        below("impacts: largest gap after the first step or velocity after the second", 1e-13, left),
        below(f"row of {ROW}: largest distance from the graph", 1e-9, distance(row_gap, row_force)),
        above("row: fraction of points on the contact branch", 0.1, float(np.mean(row_force > 0))),
        above("row: fraction of points on the open branch", 0.1, float(np.mean(row_gap > 1e-6))),
    ]


def draw(data: dict[str, Any]) -> Any:
    one = {name: np.array(values) for name, values in data["single"].items()}
    row_gap, row_force = np.array(data["row"]["gap"]), np.array(data["row"]["force"]) / FORCE
    figure, panels = plt.subplot_mosaic([["graph", "force"], ["graph", "gap"]], figsize=(7.2, 3.5), width_ratios=(1, 1.35),
                                        height_ratios=(1.6, 1))
    graph = panels["graph"]
    top, right = 2.0 * (one["force"] / FORCE).max(), 1.0
    graph.plot([0, 0, right * 1.1], [top * 1.1, 0, 0], color=SOFT_INK, linewidth=5, alpha=0.28, solid_joinstyle="miter",
               label="Signorini's graph")
    graph.plot(row_gap, row_force, "o", color=PALETTE[0], markersize=2, markeredgewidth=0, rasterized=True,
               label=f"row of {ROW} disks")
    graph.plot(one["gap"][::4], one["force"][::4] / FORCE, "o", color=PALETTE[1], markersize=3.2, markerfacecolor="none",
               markeredgewidth=0.7, label="one disk at a wall")
    graph.set_xlim(-0.06 * right, right)
    graph.set_ylim(-0.06 * top, top)
    graph.set_xlabel("gap $g$ [diameters]")
    graph.set_ylabel("normal force $R_n$ [amplitude of the drive]")
    graph.legend(loc="upper right")
    draw_series(panels["force"], panels["gap"], one)
    return figure


def draw_series(force: Any, gap: Any, one: dict[str, np.ndarray]) -> None:
    steps = np.arange(min(400, len(one["gap"])))
    force.plot(steps, one["push"][steps] / FORCE, color=SOFT_INK, linewidth=0.9, label="drive")
    force.plot(steps, one["force"][steps] / FORCE, ".", color=PALETTE[1], markersize=3, label="normal force $R_n$")
    force.sharex(gap)
    force.tick_params(labelbottom=False)
    force.set_ylabel("force [ampl.]")
    force.set_ylim(-1.5, 1.25 * one["force"][steps].max() / FORCE)
    force.legend(loc="upper right", ncols=2)
    gap.fill_between(steps, one["gap"][steps], color=PALETTE[0], alpha=0.25, linewidth=0)
    gap.plot(steps, one["gap"][steps], color=PALETTE[0], linewidth=0.9)
    gap.set_ylabel("gap $g$ [diam.]")
    gap.set_ylim(bottom=0)
    gap.set_xlabel("time [$\\Delta t$]")


FIGURE = Figure(
    paper="review",
    figure="Fig. 1",
    title="Signorini's graph, traced by contacts",
    text="""
Gap at the end of a step and the normal force during that step. A single disk is pushed against a wall and pulled off
again by a force that varies in time, and twelve disks in a row between two walls are pushed about at random, so that
the solver has to put all contacts on the graph at once. Every step is a point. No point lies between the branches:
there is either a gap or a force (impacts in the row reach beyond the top of the picture). Right: the single disk as a
function of time; the peaks in the force are impacts. An impact takes two steps: one closes the gap exactly and the next
ends the motion. The time step is $\\Delta t = 1$, mass and diameter are 1, and the amplitude of the drive is 0.01.
""",
    measure=measure,
    draw=draw,
    judge=judge,
    seconds=5,
)
