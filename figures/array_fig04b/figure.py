"""Fig. 4b: the regularised law by soft disks, several starts."""

from __future__ import annotations

from typing import Any

import numpy as np
from array_exact import motion, solve
from array_plot import across, plot_axes
from array_world import TEN, follow, random_start, soft
from toolkit import Check, Figure, above, below

SHEAR, STEP = 1000.0, 5e-5
STARTS = (0, 1, 2, 3, 7, 8)  # seeds that open no contact with rigid disks


def measure(quick: bool) -> dict[str, Any]:
    end = 3.0 if quick else 6.0
    curves = []
    for seed in STARTS[:3] if quick else STARTS:
        spin = random_start(seed, TEN.count)
        with soft(TEN, STEP, SHEAR, spin=spin) as world:
            time, mu_g, _ = follow(world, end, 20)
        jumps, values, _ = motion(TEN, 0.0, spin, end)
        curves.append({"seed": seed, "time": time, "mu_g": mu_g, "rigid_time": jumps, "rigid": values})
    return {"steady": (TEN.push - TEN.brake) / TEN.count - solve(TEN).acceleration, "curves": curves}


def late(curve: dict[str, Any]) -> np.ndarray:
    mu_g = np.array(curve["mu_g"])
    return mu_g[-len(mu_g) // 6:]


def draw(data: dict[str, Any]) -> Any:
    from scree.plot import SCALE

    picture, axes = plot_axes()
    for number, curve in enumerate(data["curves"]):
        axes.plot(curve["time"], curve["mu_g"], color=SCALE(0.85 * number / len(data["curves"])), linewidth=0.8)
    across(axes, data["steady"], "exact steady state of C1")
    axes.legend(loc="upper right")
    axes.set(xlim=(0, 1.5), ylim=(-0.1, 0.24), xlabel="time $t$", ylabel=r"global friction $\mu_g$",
             title="RC1, soft disks")
    inset = axes.inset_axes((0.52, 0.1, 0.46, 0.42))
    curve = data["curves"][0]
    inset.plot(curve["time"], curve["mu_g"], color=SCALE(0.0), linewidth=0.8)
    inset.step(curve["rigid_time"] + [3], curve["rigid"] + curve["rigid"][-1:], where="post", color="#2a2e35",
               linewidth=0.8,
               linestyle=(0, (2, 1.5)))
    inset.set(xlim=(0, 0.3), ylim=(-0.1, 0.22))
    inset.set_title("the first start; dashed: C1, exact", fontsize=8)
    inset.tick_params(labelsize=7)
    return picture


def judge(data: dict[str, Any], quick: bool) -> list[Check]:
    means = np.array([late(curve).mean() for curve in data["curves"]])
    shaking = max(float(np.std(late(curve))) for curve in data["curves"]) / data["steady"]
    first = np.array([np.abs(np.array(curve["mu_g"])[:50] - curve["rigid"][0]).mean() for curve in data["curves"]])
    return [
        below("steady µ_g of each start: largest relative deviation from C1", 3e-3 if quick else 2e-4,
              float(np.abs(means / data["steady"] - 1).max())),
        below("relative spread over the starts", 3e-3 if quick else 2e-4, float(np.ptp(means) / data["steady"])),
        below("relative fluctuations that remain at the end", 1e-3, shaking),
        above("the path differs at first: mean distance from that of rigid disks up to t = 0.05, relative to the steady µ_g",
              0.1,
              float(first.mean() / data["steady"])),
    ]


FIGURE = Figure(
    paper="array",
    figure="Fig. 4b",
    title="The regularised law: the same steady state from every initial state",
    text="""
As in Fig. 4a, but with soft disks and the law RC1: k_n = 2·10⁵ and γ_n = 200 (the paper's values), γ_s = 1000 (chosen
here), a time step of 5·10⁻⁵, and blocks with a fiftieth of the mass of a disk. The initial state is not in equilibrium,
so elastic oscillations come first; then friction takes over and the path follows that of rigid disks.
""",
    measure=measure,
    draw=draw,
    judge=judge,
    seconds=20,
)
