"""Fig. 11: rotations of five disks in the indeterminate state."""

from __future__ import annotations

from typing import Any

import numpy as np
from array_exact import Linear, acceleration_range, branch, solve
from array_plot import BLUE, GREEN, ORANGE, plot_axes
from array_world import FIVE, soft_steady, steady
from toolkit import Check, Figure, below, holds

SHEAR = 1000.0


def measure(quick: bool) -> dict[str, Any]:
    found = steady(FIVE)
    soft = soft_steady(FIVE, SHEAR, 5e-5, 0.4 if quick else 1.0)
    linear = Linear(FIVE)
    exact = branch(FIVE, solve(FIVE).sense, linear)
    return {"C1": found, "RC1": soft, "range": acceleration_range(FIVE, exact, linear),
            "not unique": exact.spare is not None}


def draw(data: dict[str, Any]) -> Any:
    picture, axes = plot_axes(size=(5.2, 3.4))
    disk = np.arange(FIVE.count + 1)
    low, high = data["range"]
    for sign in (1, -1):
        axes.axhspan(sign * low, sign * high, color=ORANGE, alpha=0.25, linewidth=0,
                     label=r"$\pm\dot v$ that C1 allows" if sign > 0 else None)
    for name, colour, shift, text in (("C1", BLUE, -0.17, "C1, contact dynamics, from rest"),
                                      ("RC1", GREEN, 0.17, "RC1, soft disks")):
        axes.bar(disk + shift, [data[name]["acceleration"], *data[name]["spin_rate"]], 0.3, color=colour, label=text)
    axes.axhline(0, color="#7b828c", linewidth=0.7)
    axes.set(xlabel=r"disk $i$; $\dot v$: the array", ylabel=r"angular acceleration $\dot\omega(i)$",
             ylim=(-0.06, 0.085))
    axes.set_xticks(disk, [r"$\dot v$", *map(str, disk[1:])])
    axes.legend(loc="upper left", ncol=2, fontsize=7.5)
    return picture


def judge(data: dict[str, Any], quick: bool) -> list[Check]:
    checks = []
    for name, limit in (("C1", 1e-6), ("RC1", 1e-2)):
        rate = np.array(data[name]["spin_rate"]) / data[name]["acceleration"]
        checks.append(below(f"{name}: all disks turn as fast as the array moves; largest ||ω̇| / v̇ − 1|", limit,
                            float(np.abs(np.abs(rate) - 1).max())))
        signs = "".join("+" if value > 0 else "−" for value in rate)
        checks.append(holds(f"{name}: directions of rotation", "+++−+", signs, signs == "+++−+"))
    low, high = data["range"]
    a = data["C1"]["acceleration"]
    sticking = [data["C1"]["friction"][i] for i in (2, 4, 8, 9)]
    bound = [0.3 * data["C1"]["normal"][i] for i in (2, 4, 8, 9)]
    return checks + [
        holds("four contacts around a loop do not slide: the state is not unique", "a family of states",
              "a family" if data["not unique"] else "one",
              data["not unique"]),
        below("C1: how far the acceleration lies outside what the law allows", 1e-8, max(low - a, a - high)),
        below("C1: largest friction over its bound at these four contacts", 1 + 1e-9,
              max(abs(t) / n for t, n in zip(sticking, bound))),
        below("RC1: how far the acceleration lies outside what the law allows", 1e-6,
              max(low - data["RC1"]["acceleration"], data["RC1"]["acceleration"] - high)),
    ]


FIGURE = Figure(
    paper="array",
    figure="Fig. 11",
    title="Five disks in the state that Coulomb's law leaves open",
    text="""
The array of Fig. 10 at N_L = 1.25, in the middle of the window (the paper's v̇ = 1.05 is a misprint). Disks 1, 2, 3 and
5 roll and disk 4 turns the other way, all as fast as the array moves. The contacts of disks 3 and 5 with the plane and
with disk 4 do not slide; two neighbours that both roll, 2 and 3, must slide on each other, so disk 3 has two such
contacts, not three.
""",
    measure=measure,
    draw=draw,
    judge=judge,
    seconds=3,
)
