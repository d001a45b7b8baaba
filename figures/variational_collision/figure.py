"""Binary collisions with the theta method, by the variational engine (section 4.2.3)."""

from __future__ import annotations

from typing import Any

import matplotlib.pyplot as plt
import numpy as np

import scree
from scree.plot import PALETTE
from toolkit import Check, Figure, below, close

TIME_STEP = 0.01


def collide(theta: float, dimension: int, ratio: float, gap: float) -> dict[str, float]:
    """A ball of mass 1 runs at speed 1 into one of mass `ratio` at rest, `gap` times the distance of a step away."""
    world = scree.World(dimension=dimension, time_step=TIME_STEP, theta=theta, engine="variational")
    world.add_material(friction=0.3)
    at = np.eye(dimension)[0]
    world.add_grains(np.array([-0.5, 0.5 + gap * TIME_STEP])[:, None] * at, 0.5, mass=[1.0, ratio],
                     velocity=np.array([1.0, 0.0])[:, None] * at)
    for _ in range(3):
        world.step()
    after = world.velocity[:, 0]
    energy = float(0.5 * (after[0] ** 2 + ratio * after[1] ** 2)) / 0.5
    return {"e": float(after[1] - after[0]), "momentum": float(after[0] + ratio * after[1]), "energy": energy}


def measure(quick: bool) -> dict[str, Any]:
    thetas = np.linspace(0.5, 1, 6 if quick else 21).tolist()
    data: dict[str, Any] = {"theta": thetas, "touching": [], "apart": []}
    for theta in thetas:
        data["touching"].append([collide(theta, dimension, ratio, 0) for dimension in (2, 3) for ratio in (1.0, 5.0)])
        data["apart"].append(collide(theta, 2, 1.0, 0.5))
    return data


def law(theta: np.ndarray) -> np.ndarray:
    return (1 - theta) / theta


def draw(data: dict[str, Any]) -> plt.Figure:
    figure, (left, right) = plt.subplots(1, 2, figsize=(7.2, 3.1))
    theta = np.array(data["theta"])
    fine = np.linspace(0.5, 1, 200)
    left.plot(fine, law(fine), color="#b9bec6", linewidth=4, label=r"$(1-\theta)/\theta$", zorder=1)
    left.plot(theta, [row[0]["e"] for row in data["touching"]], "o", color=PALETTE[0], markersize=4,
              markerfacecolor="none", label="touching at the start of the step")
    left.plot(theta, [row["e"] for row in data["apart"]], "s", color=PALETTE[1], markersize=4, markerfacecolor="none",
              label="half a step's way apart")
    left.set(xlabel=r"$\theta$", ylabel="restitution $e$")
    left.legend()
    right.plot(fine, 0.5 * (1 + law(fine) ** 2), color="#b9bec6", linewidth=4, label=r"$(1+e^2)/2$", zorder=1)
    right.plot(theta, [row[0]["energy"] for row in data["touching"]], "o", color=PALETTE[0], markersize=4,
               markerfacecolor="none", label="equal masses")
    right.set(xlabel=r"$\theta$", ylabel="kinetic energy after / before")
    right.legend()
    return figure


def judge(data: dict[str, Any], quick: bool) -> list[Check]:
    theta = np.array(data["theta"])
    error = max(abs(one["e"] - law(t)) for t, row in zip(theta, data["touching"]) for one in row)
    momentum = max(abs(one["momentum"] - 1) for row in data["touching"] for one in row)
    ends = [data["touching"][0][0]["energy"], data["touching"][-1][0]["energy"]]
    return [below("largest deviation from e = (1 - theta) / theta (4.7), disks and spheres with two mass ratios", 1e-6, error),
            below("change in momentum", 1e-6, momentum),
            close("theta = 1/2 is elastic: kinetic energy after / before", 1, ends[0], 1e-6),
            close("theta = 1 is perfectly inelastic: the same ratio for equal masses", 0.5, ends[1], 1e-6)]


TEXT = """
Two balls collide in one step of the variational engine. If they touch at the start of the step, they separate with the
restitution of (4.7): elastic for $\\theta = 1/2$, plastic for $\\theta = 1$. If they meet within the step, the
remaining distance is used up first and the restitution is smaller: the relation is a property of the discrete scheme,
not of the material.
"""

FIGURE = Figure(paper="variational", figure="Eq. 4.7", title="Restitution by the theta method", text=TEXT, measure=measure,
                draw=draw, judge=judge, seconds=2)
