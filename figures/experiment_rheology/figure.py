"""The friction and the solid fraction of sheared disks against the inertial number."""

from __future__ import annotations

from typing import Any, Callable

import numpy as np

import scree
from experiments import block_error, cell_of, compact, deform
from toolkit import Check, Figure, Parts, near

GRAINS = 400
NUMBERS = (0.2, 0.1, 0.05, 0.02, 0.01, 0.005)  # inertial numbers
MOMENTS = 200


def friction(number: Any) -> Any:
    """Da Cruz and others: effective friction against the inertial number."""
    return 0.25 + 1.1 * np.asarray(number)


def solid(number: Any) -> Any:
    return 0.81 - 0.3 * np.asarray(number)


def make(part: str, quick: bool, done: Callable[[str], dict[str, Any]]) -> dict[str, Any]:
    number = float(part)
    strain = (1.0, 5.0) if number > 0.015 else (0.5, 3.5)
    scene = cell_of([{"count": GRAINS, "radius": {"uniform": [0.4, 0.6]}}], side=26, step=0.02, seed=round(1e4 * number))
    compact(scene, still=1e-3, longest=200)
    scene.world.time_step = min(0.1, max(0.02, 5e-4 / number))
    rows = []
    for _ in deform(scene, "xy", number, "yy", strain, MOMENTS):
        now = scree.measures.state(scene.world)
        rows.append((-now.stress_xy - now.kinetic_xy, now.stress_yy + now.kinetic_yy, now.solid_fraction))
    shear, normal, packed = np.array(rows).T
    level, error = block_error(shear)
    return {"number": number, "friction": level / normal.mean(), "error": error / normal.mean(), "solid": block_error(packed)}


def draw(data: dict[str, Any]) -> Any:
    import matplotlib.pyplot as plt

    runs = list(data.values())
    number = [run["number"] for run in runs]
    picture, (left, right) = plt.subplots(1, 2, figsize=(7.2, 3.2))
    line = np.geomspace(min(number), max(number), 50)
    left.errorbar(number, [run["friction"] for run in runs], [2 * run["error"] for run in runs], fmt="o", label="Scree")
    left.semilogx(line, friction(line), "k-", linewidth=1, label="0.25 + 1.1 I")
    left.set(xlabel="inertial number I", ylabel=r"$\sigma_{xy}/\sigma_{yy}$")
    left.legend(loc="upper left")
    right.errorbar(number, [run["solid"][0] for run in runs], [2 * run["solid"][1] for run in runs], fmt="o", label="Scree")
    right.semilogx(line, solid(line), "k-", linewidth=1, label="0.81 - 0.3 I")
    right.set(xlabel="inertial number I", ylabel="solid fraction")
    right.legend(loc="lower left")
    return picture


def judge(data: dict[str, Any], quick: bool) -> list[Check]:
    runs = sorted(data.values(), key=lambda run: run["number"])
    number = np.array([run["number"] for run in runs])
    found = np.array([run["friction"] for run in runs])
    slope, level = np.polyfit(number, found, 1)
    checks = [near("friction without inertia, from a straight line", 0.25, float(level), 0.02),
              near("its slope", 1.1, float(slope), 0.3)]
    checks += [near(f"friction at I = {run['number']:g} (standard error {run['error']:.3f})", float(friction(run["number"])),
                    run["friction"], 0.04) for run in runs]
    return checks + [near(f"solid fraction at I = {run['number']:g}", float(solid(run["number"])), run["solid"][0], 0.01)
                     for run in runs]


TEXT = f"""
{GRAINS} disks (radii within 20 % of the mean, friction 0.4) are sheared in a periodic cell, without walls, at a given
rate and a constant stress across it. Da Cruz and others (2005) sheared such disks between rough walls and found
$\\mu\\approx0.25+1.1\\,I$ and $\\phi\\approx0.81-0.3\\,I$ up to $I\\approx0.2$, with soft disks and whatever their stiffness and
restitution. How far published measurements scatter about such laws is seen in the collection of GDR MiDi (2004): by
some 0.05 in $\\mu$. Points bend upwards from a straight line where $I$ is small, in their figures as well. Means are
over strains from 1 to 5, where $I$ is 0.01 or less from 0.5 to 3.5; errors are those of five blocks.
"""

FIGURE = Figure(paper="experiments", figure="Da Cruz and others (2005)", title="Friction and solid fraction of flowing disks",
                text=TEXT, measure=Parts(lambda quick: [[str(number) for number in NUMBERS]], make), draw=draw, judge=judge,
                seconds=100, small=False)
