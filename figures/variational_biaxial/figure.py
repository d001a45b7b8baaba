"""The biaxial test of disks in the static limit (Figs. 4.4 to 4.7)."""

from __future__ import annotations

from typing import Any

import matplotlib.pyplot as plt
import numpy as np

from scree.plot import PALETTE
from toolkit import Check, Figure, above, below, near
from variational import STRESS, Biaxial, packing

STIFFNESS = {"rigid": np.inf, "1e8": 1e8, "1e6": 1e6, "1e5": 1e5}
COLUMNS = ("axial", "volumetric", "q", "servo", "iterations", "converged", "overlap", "motion")


def run(packed: Any, friction: float, stiffness: float, steps: int) -> dict[str, list[float]]:
    test = Biaxial(packed, friction, stiffness)
    rows = [test.step() for _ in range(steps)]
    return {name: [row[name] for row in rows] for name in COLUMNS}


def measure(quick: bool) -> dict[str, Any]:
    packed = packing(64 if quick else 1520)
    steps = 40 if quick else 150
    data: dict[str, Any] = {"porosity": packed.porosity, "diameter": float(2 * packed.radius.mean()), "runs": {}}
    for friction in (0.5, 0.3):
        for name in ("rigid",) if quick and friction == 0.3 else STIFFNESS:
            data["runs"][f"{friction:g} {name}"] = run(packed, friction, STIFFNESS[name], steps)
    return data


def draw(data: dict[str, Any]) -> plt.Figure:
    figure, axes = plt.subplots(2, 2, figsize=(7.6, 5.6), sharex=True)
    for column, friction in enumerate(("0.5", "0.3")):
        for name, colour in zip(STIFFNESS, PALETTE):
            one = data["runs"].get(f"{friction} {name}")
            if one is None:
                continue
            label = name if name == "rigid" else f"$k_N$ = {name}"
            axes[0, column].plot(one["axial"], one["q"], linewidth=0.9, color=colour, label=label)
            axes[1, column].plot(one["axial"], one["volumetric"], linewidth=0.9, color=colour, label=label)
        axes[0, column].set_title(rf"$\mu$ = {friction}")
        axes[1, column].set_xlabel(r"axial strain $\varepsilon_a$")
    axes[0, 0].set_ylabel(r"$\sigma_1 - \sigma_3$")
    axes[1, 0].set_ylabel(r"volumetric strain $\varepsilon_v$")
    axes[0, 0].legend(fontsize=7)
    return figure


def late(one: dict[str, list[float]]) -> float:
    """Mean deviatoric stress over the last half."""
    return float(np.mean(one["q"][len(one["q"]) // 2:]))


def judge(data: dict[str, Any], quick: bool) -> list[Check]:
    runs = data["runs"]
    rigid, stiff, soft = runs["0.5 rigid"], runs["0.5 1e8"], runs["0.5 1e5"]
    everything = list(runs.values())
    noise = 0.35 if quick else 0.2  # of one packing: the stress jumps from step to step
    spread = max(abs(late(runs[f"0.5 {name}"]) / late(rigid) - 1) for name in STIFFNESS)
    return [
        near("initial porosity", 0.176, data["porosity"], 0.05 if quick else 0.015),
        below("most iterations of an increment", 35, max(max(one["iterations"]) for one in everything)),
        above("smallest `converged`", 1, min(min(one["converged"]) for one in everything)),
        below("stress on the right wall, relative error", 1e-6, max(np.abs(one["servo"]).max() for one in everything)),
        below("largest overlap of rigid disks, in diameters", 1e-6, max(rigid["overlap"]) / data["diameter"]),
        above("rigid: the first increment carries nearly the peak of the first ten, part", 0.6, rigid["q"][0] / max(rigid["q"][:10])),
        below("k = 1e5: an initial slope: the first increment's part of the peak", 0.35, soft["q"][0] / max(soft["q"])),
        above("k = 1e5: compaction first, largest volumetric strain", 1e-3, max(soft["volumetric"])),
        below("rigid: no compaction, largest volumetric strain", 1e-3, max(rigid["volumetric"])),
        below("all dilate in the end: largest volumetric strain at the end", -0.005, max(one["volumetric"][-1] for one in everything)),
        below("final strength does not depend on stiffness, relative spread", noise, spread),
        below("1e8 is close to rigid: first increment's q, relative difference", 0.02, abs(stiff["q"][0] / rigid["q"][0] - 1)),
        above("the first peak grows with friction: 0.5 over 0.3", 1.0, max(rigid["q"][:5]) / max(runs["0.3 rigid"]["q"][:5])),
    ]


TEXT = f"""
Disks between smooth walls: left and bottom fixed, $\\sigma_3 = {STRESS:g}$ on the right, the top moved down by 0.0014 of the height in each
increment. Each increment is one static programme (4.16) with associated friction and $k_T = 2 k_N / 3$. The full measurement has 1520 disks and
150 increments, the small one 64 and 40. Radii are spread evenly from 0.35 to 0.65; the paper gives none, and no number of its curves, so what is judged
is what its text says. The stress of a single packing jumps by some 20 % from increment to increment.
"""

FIGURE = Figure(paper="variational", figure="Figs. 4.4 to 4.7", title="Biaxial compression of disks in the static limit", text=TEXT,
                measure=measure, draw=draw, judge=judge, seconds=2400)
