"""Chips that are not convex glide down an arrangement of walls, by both engines (Fig. 9)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.collections import LineCollection, PolyCollection

import scree
from scree.plot import PALETTE
from toolkit import Check, Figure, below, holds, near

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
SCENES = {"contact dynamics": "chips.yaml", "soft, penalty forces": "chips_soft.yaml"}
TIMES = (0.0, 0.05, 0.1, 0.13, 0.22, 0.3)  # of the paper, in seconds
QUICK_TIMES = (0.0, 0.05, 0.1)
SIZE = 0.01  # of a chip, in metres: they are 7.5 to 15 mm long
WIDTH = 0.14  # between the side walls


def glide(name: str, times: tuple[float, ...]) -> dict[str, Any]:
    """Outlines at the times, and what happened in between."""
    scene = scree.load_scene(EXAMPLES / SCENES[name])
    world = scene.world
    frames, rows, overlap, error, scale = [], [], 0.0, 0.0, 0.0
    for time in times:
        while world.time < time - 0.5 * world.time_step:
            report = world.step()
            overlap = max(overlap, report.overlap_max)
            error = max(error, abs(report.energy_error))
            scale = max(scale, report.kinetic_energy)
        frames.append([np.asarray(curves[0]) for curves in world.outlines])
        rows.append((world.time, float(np.average(world.position[:, 1], weights=world.mass)), world.kinetic_energy()))
    return {"frames": frames, "rows": rows, "overlap": overlap, "error": error / scale, "chips": len(world.mass)}


def measure(quick: bool) -> dict[str, Any]:
    times = QUICK_TIMES if quick else TIMES
    return {"times": times, "runs": {name: glide(name, times) for name in SCENES}}


def walls() -> list[Any]:
    return [((0, 0.26), (0, 0), (WIDTH, 0), (WIDTH, 0.26)), ((0, 0.2), (0.08, 0.15)), ((0.14, 0.135), (0.06, 0.085)),
            ((0, 0.075), (0.08, 0.025))]


def draw(data: dict[str, Any]) -> Any:
    count = len(data["times"])
    figure, axes = plt.subplots(2, count, figsize=(1.6 * count, 6.2), squeeze=False, layout="constrained")
    for top, row, (name, run) in zip((True, False), axes, data["runs"].items()):
        for ax, time, frame in zip(row, data["times"], run["frames"]):
            colours = [PALETTE[k * 3 // len(frame)] for k in range(len(frame))]
            ax.add_collection(PolyCollection([np.asarray(curve) for curve in frame], facecolors=colours,
                                             edgecolors="#222222", linewidths=0.4))
            ax.add_collection(LineCollection(walls(), colors="#222222", linewidths=1.4))
            ax.set(xlim=(-0.004, WIDTH + 0.004), ylim=(-0.004, 0.275), aspect="equal", xticks=[], yticks=[])
            if top:
                ax.set_title(f"t = {time:g} s", fontsize=9)
            ax.spines[:].set_visible(False)
        row[0].set_ylabel(name, fontsize=9)
    return figure


def inside(frame: list[Any]) -> float:
    """How far the outermost corner is beyond the side walls and the floor, in units of a chip's size."""
    corner = np.vstack([np.asarray(curve) for curve in frame])
    return float(max((-corner).max(), corner[:, 0].max() - WIDTH, 0)) / SIZE


def judge(data: dict[str, Any], quick: bool) -> list[Check]:
    checks = []
    heights = {}
    for name, run in data["runs"].items():
        rows = np.asarray(run["rows"])
        heights[name] = rows[:, 1]
        soft = name.startswith("soft")
        checks += [
            holds(f"{name}: the chips move down", "all the time", f"mean height {rows[0, 1]:.3f} to {rows[-1, 1]:.3f} m",
                  bool(np.all(np.diff(rows[:, 1]) < 0))),
            below(f"{name}: largest overlap / size of a chip", 0.1 if soft else 0.01, run["overlap"] / SIZE),
            below(f"{name}: largest excursion beyond the walls / size of a chip", 0.1 if soft else 0.01,
                  max(inside(frame) for frame in run["frames"])),
            below(f"{name}: error in the energy balance of a step / largest kinetic energy", 5e-3 if soft else 1e-9,
                  run["error"]),
        ]
    rigid, soft_heights = heights.values()
    fallen = rigid[0] - rigid[-1]
    checks.append(near("difference in final mean height between the two engines / distance that the chips have descended", 0.0,
                       float((soft_heights[-1] - rigid[-1]) / fallen), 0.15))
    return checks


TEXT = """
The paper shows six moments of an animation and gives neither the sizes of the chips nor the layout of the walls, so
only the kind of motion can be compared: bodies with notches slide along inclined walls, tumble over their ends, hook
into each other and come apart. The same scene is run with contact dynamics, where the chips are rigid and friction is
exact, and with the paper's method, in which corners that have sunk into an edge are pushed out along its normal by a
spring and a dashpot. There are 30 chips of three shapes, 7.5 to 15 mm long, with friction 0.1. Both engines start from
the same state. Later, individual chips follow different paths, because collisions between corners amplify the smallest
differences, but the mean heights agree.
"""

FIGURE = Figure(
    paper="neighbours",
    figure="Fig. 9",
    title="Non-convex chips slide down an arrangement of walls",
    text=TEXT,
    measure=measure,
    draw=draw,
    judge=judge,
    seconds=40,
)
