"""Fig. 4a: Coulomb's law, many starts, one steady state."""

from __future__ import annotations

from typing import Any

import numpy as np
from array_exact import solve
from array_plot import BLUE, ORANGE, across, dots, plot_axes
from array_world import TEN, follow, random_start, rigid
from toolkit import Check, Figure, above, below, holds

SHOWN, END = 8, 25.0


def measure(quick: bool) -> dict[str, Any]:
    """Every start, whether it keeps all contacts closed or not; the first that do are kept as curves."""
    count, step = (12, 1e-2) if quick else (100, 5e-3)
    data: dict[str, Any] = {"steady": (TEN.push - TEN.brake) / TEN.count - solve(TEN).acceleration, "end": END,
                            "first": [], "largest": [], "last": [], "opened": [], "curves": []}
    for seed in range(count):
        with rigid(TEN, step, spin=random_start(seed, TEN.count)) as world:
            time, mu_g, seen = follow(world, END)
        opened = seen["contacts"] < 2 * TEN.count + 1
        for name, value in (("first", mu_g[0]), ("largest", mu_g.max()), ("last", mu_g[-1]), ("opened", opened)):
            data[name].append(value)
        if not opened and len(data["curves"]) < SHOWN:
            data["curves"].append({"seed": seed, "time": time[time < 4], "mu_g": mu_g[time < 4]})
    return data


def draw(data: dict[str, Any]) -> Any:
    from scree.plot import SCALE

    picture, (axes, side) = plot_axes(1, 2, (6.6, 3.5), width_ratios=(2, 1.15))
    for number, curve in enumerate(data["curves"]):
        axes.plot(curve["time"], curve["mu_g"], color=SCALE(0.9 * number / SHOWN), linewidth=1.2, drawstyle="steps-mid")
    across(axes, data["steady"], "exact steady state")
    axes.set(xlim=(0, 1.5), ylim=(-0.1, 0.22), xlabel="time $t$", ylabel=r"global friction $\mu_g$",
             title=f"{len(data['curves'])} of {len(data['last'])} starts")
    axes.legend(loc="lower right")
    error = np.maximum(np.abs(np.array(data["last"]) / data["steady"] - 1), 1e-15)
    opened, seed = np.array(data["opened"]), np.arange(len(error))
    dots(side, seed[~opened], error[~opened], BLUE, "contacts stay closed", size=2.8)
    dots(side, seed[opened], error[opened], ORANGE, "a contact opens", size=2.8, mark="s")
    across(side, 1e-6, "tolerance")
    side.set(yscale="log", ylim=(1e-15, 1e-1), xlabel="number of the start",
             ylabel=r"$|\mu_g/\mu_g^\mathrm{exact}-1|$ in the end",
             title="all starts")
    side.legend(loc="upper left", fontsize=7)
    return picture


def judge(data: dict[str, Any], quick: bool) -> list[Check]:
    last, opened = np.array(data["last"]), np.array(data["opened"])
    return [
        below(f"largest deviation from the exact steady state, {np.sum(~opened)} starts in which no contact opens", 1e-6,
              float(np.abs(last[~opened] / data["steady"] - 1).max())),
        below(f"the same, {np.sum(opened)} starts in which a contact opens for a while", 1e-6,
              float(np.abs(last[opened] / data["steady"] - 1).max())),
        below("µ_g is small at first: its mean over the starts, relative to the steady value", 0.25,
              float(abs(np.mean(data["first"])) / data["steady"])),
        above("µ_g then passes through a maximum above the steady value: fraction of the starts", 0.5,
              float(np.mean(np.array(data["largest"]) > 1.001 * data["steady"]))),
        holds("starts with and without an opening contact both occur", "some random starts open a contact",
              f"{np.sum(opened)} of {len(last)}", 0 < np.sum(opened) < len(last)),
    ]


FIGURE = Figure(
    paper="array",
    figure="Fig. 4a",
    title="Coulomb's law: the steady state is independent of the initial state",
    text="""
As in Fig. 3, with the law C1 and random spins (uniform within ±0.2) from many seeds. Left: the first eight starts in
which no contact opens. Right: the deviation of µ_g at t = 25 from the exact steady state, for all starts. In about a
third of them a contact opens on the way (the paper's description assumes that none does); it closes again, and they end
in the same state.
""",
    measure=measure,
    draw=draw,
    judge=judge,
    seconds=90,
)
