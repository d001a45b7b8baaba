"""Strong and weak forces in disks under biaxial compression."""

from __future__ import annotations

from typing import Any, Callable

import numpy as np

from experiments import along_y, block_error, cell_of, compact, contact_parts, deform
from toolkit import Check, Figure, Parts, above, below, near

GRAINS, RATE, STEP = 500, 2e-3, 0.1


def make(part: str, quick: bool, done: Callable[[str], dict[str, Any]]) -> dict[str, Any]:
    scene = cell_of([{"count": GRAINS, "radius": {"uniform": [0.35, 0.65]}}], side=30, friction=0.5, seed=4)
    compact(scene, still=1e-3, longest=100)
    scene.world.time_step = STEP
    rows, forces = [], []
    for _ in deform(scene, "yy", -RATE, "xx", (0.15, 0.45), 100):
        k = contact_parts(scene.world)
        normal = np.sum(k["force"] * k["normal"], axis=1)
        pull = np.einsum("ki,kj->kij", k["force"], k["branch"])
        strong = normal > normal.mean()
        pressure, deviator = pull[:, 0, 0] + pull[:, 1, 1], pull[:, 1, 1] - pull[:, 0, 0]
        rows.append((1 - strong.mean(), pressure[~strong].sum() / pressure.sum(), deviator[~strong].sum() / deviator.sum(),
                     along_y(k["normal"][strong]), along_y(k["normal"][~strong]), deviator.sum() / pressure.sum()))
        forces.append(normal / normal.mean())
    bins = np.arange(0, 6.01, 0.25)
    density, _ = np.histogram(np.concatenate(forces), bins, density=True)
    names = ("weak", "weak_pressure", "weak_deviator", "strong_fabric", "weak_fabric", "ratio")
    return {"bins": bins, "density": density, **{name: block_error(column) for name, column in zip(names, np.array(rows).T)}}


def decay(data: dict[str, Any]) -> float:
    """The exponent b of exp(-b f) of the strong forces, by least squares of logarithms."""
    data = data["run"]
    middle = np.array(data["bins"])[:-1] + 0.125
    chosen = (middle > 1) & (middle < 4.5)
    return float(-np.polyfit(middle[chosen], np.log(np.array(data["density"])[chosen]), 1)[0])


def draw(data: dict[str, Any]) -> Any:
    import matplotlib.pyplot as plt

    data = data["run"]
    picture, axis = plt.subplots()
    middle = np.array(data["bins"])[:-1] + 0.125
    axis.semilogy(middle, data["density"], "o")
    strong = np.linspace(1, 5, 20)
    level = np.interp(1, middle, data["density"])
    axis.semilogy(strong, level * np.exp(1.4 * (1 - strong)), "k-", linewidth=1, label="exp(1.4 (1 - f))")
    axis.set(xlabel="normal force f over its mean", ylabel="probability density")
    axis.legend()
    return picture


def judge(data: dict[str, Any], quick: bool) -> list[Check]:
    strong = decay(data)
    data = data["run"]
    return [
        near("part of the contacts with less than the mean force", 0.6, data["weak"][0], 0.05),
        near("what these carry of the pressure", 0.29, data["weak_pressure"][0], 0.06),
        below("what they carry of the deviatoric stress", 0.15, data["weak_deviator"][0]),
        above("fabric anisotropy of the strong network over that of the weak one, in its direction", 4,
              data["strong_fabric"][0] / max(data["weak_fabric"][0], 1e-3)),
        near("exponent of the strong forces", 1.4, strong, 0.25)]


TEXT = f"""
{GRAINS} disks (radii within 30 % of the mean, friction 0.5) in a periodic cell are compressed along one axis while the other
bears a constant stress. Radjai, Jean, Moreau and Roux (1996) and Radjai, Wolf, Jean and Moreau (1998), with contact
dynamics and up to 4,025 disks, find two networks: contacts with less than the mean force, some 60 %, carry 29 % of the
pressure and next to nothing of the deviatoric stress; the others carry the rest, lie along the compression, and the probability of
their forces falls like $e^{{-1.4 f}}$. In a cell that flows at $I={RATE:g}$ weak contacts lie nearly in all directions.
"""

FIGURE = Figure(paper="experiments", figure="Radjai and others (1996, 1998)", title="Strong and weak networks", text=TEXT,
                measure=Parts(lambda quick: [["run"]], make), draw=draw, judge=judge, seconds=40, small=False)
