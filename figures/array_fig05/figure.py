"""Fig. 5: angular accelerations along eighty disks: three modes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from array_exact import solve
from array_plot import BLUE, GREEN, INK, domains, dots, headroom, plot_axes
from array_world import EIGHTY, modes, soft_steady, steady
from toolkit import Check, Figure, below, close, holds

REFERENCE, LENGTHS, SHEAR = 0.08859859, (30, 20, 30), 1000.0


def measure(quick: bool) -> dict[str, Any]:
    found = steady(EIGHTY)
    exact = solve(EIGHTY)
    printed = steady(replace(EIGHTY, push=1.4, mu=0.06), tolerance=1e-11)
    soft = soft_steady(EIGHTY, SHEAR, 5e-5, 0.3 if quick else 2.0, found["normal"])
    return {"C1": found, "modes": modes(found["spin_rate"], found["acceleration"]), "RC1": soft,
            "modes RC1": modes(soft["spin_rate"], soft["acceleration"], 2e-3),
            "exact": {"acceleration": exact.acceleration, "spin_rate": exact.spin_rate},
            "as printed": printed["acceleration"]}


def draw(data: dict[str, Any]) -> Any:
    picture, axes = plot_axes()
    domains(axes, data["modes"])
    disk = np.arange(len(data["C1"]["spin_rate"]) + 1)
    axes.plot(disk[1:], data["exact"]["spin_rate"], color=INK, linewidth=0.7, label="exact solution", zorder=1)
    axes.plot(disk, [data["RC1"]["acceleration"], *data["RC1"]["spin_rate"]], "+", color=GREEN, markersize=6,
              markeredgewidth=0.8, label="RC1, soft disks")
    dots(axes, disk, [data["C1"]["acceleration"], *data["C1"]["spin_rate"]], BLUE, "C1, contact dynamics", size=3.6)
    axes.annotate(r"$\dot v$ of the array, at 0", (0, data["C1"]["acceleration"]), xytext=(2, 0.06), color="#7b828c",
                  fontsize=8,
                  arrowprops={"arrowstyle": "-", "color": "#7b828c", "linewidth": 0.6})
    axes.axhline(0, color="#d5d9df", linewidth=0.7, zorder=0)
    headroom(axes)
    axes.set(xlim=(-1.5, 81.5), xlabel="disk $i$, from the braking end", ylabel=r"angular acceleration $\dot\omega(i)$")
    axes.legend(loc="lower left")
    inset = axes.inset_axes((0.665, 0.3, 0.31, 0.45))
    inset.plot(disk[1:], data["exact"]["spin_rate"], color=INK, linewidth=0.7)
    dots(inset, disk[1:], data["C1"]["spin_rate"], BLUE, size=2.8)
    inset.set(xlim=(49.5, 80.5), ylim=(-6e-4, 6e-4))
    inset.set_title("mode 3", fontsize=8)
    inset.tick_params(labelsize=7)
    inset.yaxis.get_offset_text().set_fontsize(7)
    return picture


def judge(data: dict[str, Any], quick: bool) -> list[Check]:
    rate, a = np.array(data["C1"]["spin_rate"]), data["C1"]["acceleration"]
    first, second, _ = data["modes"]
    lengths = " / ".join(map(str, LENGTHS))
    sliding, counter = rate[first:first + second], rate[first + second:]
    soft = np.array(data["RC1"]["spin_rate"])
    return [
        close("µ_g (independent value)", REFERENCE, data["C1"]["mu_g"], 1e-6),
        holds("lengths of the modes, C1", lengths, " / ".join(map(str, data["modes"])),
              tuple(data["modes"]) == LENGTHS),
        below("all accelerations: largest deviation from the exact solution, relative to v̇", 1e-6,
              float(np.abs(rate - np.array(data["exact"]["spin_rate"])).max() / a)),
        below("mode 1: largest |ω̇ − v̇| / v̇", 1e-6, float(np.abs(rate[:first] / a - 1).max())),
        holds("mode 2: ω̇ decreases along the array", "decreases",
              "decreases" if np.all(np.diff(sliding) < 0) else "does not",
              bool(np.all(np.diff(sliding) < 0))),
        below("mode 3: largest |ω̇(i) + ω̇(i+1)| / v̇", 1e-6, float(np.abs(counter[1:] + counter[:-1]).max() / a)),
        holds("lengths of the modes, RC1", lengths, " / ".join(map(str, data["modes RC1"])),
              tuple(data["modes RC1"]) == LENGTHS),
        below("RC1 compared with C1: largest |Δω̇| / v̇", 2e-3 if quick else 1e-3, float(np.abs(soft - rate).max() / a)),
        below("the printed N_L = 1.4 and µ = 0.06 do not move the array: v̇", 1e-8, abs(data["as printed"])),
    ]


FIGURE = Figure(
    paper="array",
    figure="Fig. 5",
    title="Three modes of rotation along the array",
    text="""
Eighty disks, N_0 = 0.01, µ' = 0.1, µ'' = 0.001. The printed values N_L = 1.4 and µ = 0.06 cannot move eighty disks
(checked); N_L = 14 and µ = 0.006 were used instead, which reproduce the published picture. Disks in mode 1 roll, those
in mode 2 slide at every contact, and those in mode 3 rotate against each other. Forces and accelerations are those of
the first step from rest. RC1: γ_s = 1000, and the springs start with the rigid forces; here a disk counts as rolling or
counter-rotating when it does so to within 0.2 % of v̇, because RC1 has no contact that truly does not slide.
""",
    measure=measure,
    draw=draw,
    judge=judge,
    seconds=6,
)
