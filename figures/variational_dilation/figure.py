"""A block slides to rest: the dilation of associated sliding, and its absence with the exact law (section 4.2.5)."""

from __future__ import annotations

from typing import Any

import matplotlib.pyplot as plt
import numpy as np

import scree
from scree.plot import PALETTE
from toolkit import Check, Figure, above, below, close

FRICTION, GRAVITY, SPEED, THETA = 0.3, 10.0, 1.0, 0.7
STEPS = (0.02, 0.01, 0.005)


def slide(step: float, exact: bool, time: float) -> dict[str, Any]:
    """A flat block on a floor, from speed 1 until `time`."""
    world = scree.World(dimension=2, time_step=step, gravity=(0, -GRAVITY), theta=THETA, engine="variational",
                        variational={"exact": exact})
    world.add_material(friction=FRICTION)
    world.add_plane((0, 0), (0, 1))
    shape = world.add_shape([(-2, -0.05), (2, -0.05), (2, 0.05), (-2, 0.05)])
    world.add_grains((0, 0.05), shape=shape, mass=1, velocity=(SPEED, 0), frozen=scree.Freeze.ROTATION)
    rows: dict[str, Any] = {"t": [0.0], "x": [0.0], "rise": [0.0], "residual": [], "associated": []}
    for _ in range(int(round(time / step))):
        report = world.step()
        rows["t"].append(world.time)
        rows["x"].append(float(world.position[0, 0]))
        rows["rise"].append(float(world.position[0, 1]) - 0.05)
        rows["residual"].append(report.residual)
        rows["associated"].append(report.residual_associated)
    return rows


def measure(quick: bool) -> dict[str, Any]:
    time = 0.5
    return {"associated": [slide(step, False, time) for step in STEPS], "exact": [slide(step, True, time) for step in STEPS]}


def draw(data: dict[str, Any]) -> plt.Figure:
    figure, (left, right) = plt.subplots(1, 2, figsize=(7.2, 3.1))
    for step, run, colour in zip(STEPS, data["associated"], PALETTE):
        left.plot(run["t"], run["rise"], "o-", markersize=2, linewidth=0.8, color=colour, label=f"associated, dt = {step:g}")
        right.plot(run["t"], run["x"], linewidth=0.8, color=colour, label=f"associated, dt = {step:g}")
    left.plot(data["exact"][1]["t"], data["exact"][1]["rise"], color="black", linewidth=1.2, label="exact")
    right.plot(data["exact"][1]["t"], data["exact"][1]["x"], color="black", linewidth=1.2, label="exact")
    left.set(xlabel="time", ylabel="height above the floor")
    right.set(xlabel="time", ylabel="way")
    left.legend(fontsize=7)
    right.legend(fontsize=7)
    return figure


def judge(data: dict[str, Any], quick: bool) -> list[Check]:
    way = SPEED**2 / (2 * FRICTION * GRAVITY)
    checks = [close(f"associated, dt = {step:g}: rise over slip in the first step equals the friction coefficient", FRICTION,
                    run["rise"][1] / run["x"][1], 1e-3) for step, run in zip(STEPS, data["associated"])]
    ends = [run["rise"][-1] for run in data["associated"]]
    checks.append(below("associated: the final height falls with the time step; ratio", 0.7, ends[2] / ends[1]))
    checks.append(above("associated: the highest point does not; ratio of dt = 0.005 to dt = 0.02", 0.5,
                        max(data["associated"][2]["rise"]) / max(data["associated"][0]["rise"])))
    rise = max(np.abs(run["rise"]).max() / run["x"][-1] for run in data["exact"])
    checks.append(below("exact: largest height over the distance travelled", 1e-6, float(rise)))
    checks.append(close("exact: stopping distance, v^2 / (2 mu g)", way, data["exact"][2]["x"][-1], 0.02))
    return checks


TEXT = """
A block with friction 0.3 slides on a floor with an initial speed of 1, $\\theta = 0.7$. With the associated law it is
lifted by 0.3 of its slip in the first step, whatever the time step, takes off, and comes down again: a shorter step
does not lower the highest point, only the height that is left at the end. With the exact law it stays on the floor and
stops after a distance of $v^2 / 2 \\mu g$.
"""

FIGURE = Figure(paper="variational", figure="Section 4.2.5", title="Dilation of associated sliding", text=TEXT, measure=measure,
                draw=draw, judge=judge, seconds=5)
