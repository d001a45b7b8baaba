"""Fig. 4c: two coefficients of friction; the steady state depends on the start."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from array_plot import BLUE, INK, across, dots, plot_axes
from array_world import TEN, follow, random_start, rigid
from toolkit import Check, Figure, above, below, holds

SHOWN, END, ALPHA = 8, 12.0, 3.0


def run(alpha: float, seed: int, step: float) -> dict[str, Any]:
    array = replace(TEN, static=alpha)
    with rigid(array, step, spin=random_start(seed, TEN.count), tolerance=1e-11, iterations=50000) as world:
        time, mu_g, seen = follow(world, END)
    return {"seed": seed, "time": time[time < 4], "mu_g": mu_g[time < 4], "last": mu_g[-1], **seen,
            "shift": float(np.ptp(mu_g[-len(mu_g) // 10:]))}


def measure(quick: bool) -> dict[str, Any]:
    step, count = (1e-2, 8) if quick else (4e-3, 24)
    alphas = (1.0, ALPHA, 10.0) if quick else (1.0, 1.25, 1.5, 2.0, ALPHA, 5.0, 10.0)
    runs = {alpha: [run(alpha, seed, step) for seed in range(count)] for alpha in alphas}
    keep = ("last", "unsettled", "shift", "contacts")
    return {
        "curves": [one for one in runs[ALPHA] if one["contacts"] == 2 * TEN.count + 1][:SHOWN],
        "alphas": [{"alpha": alpha, "runs": [{name: one[name] for name in keep} for one in found]}
                   for alpha, found in runs.items()],
    }


def lasts(data: dict[str, Any], alpha: float) -> np.ndarray:
    """Steady values of the starts that open no contact."""
    runs = next(entry["runs"] for entry in data["alphas"] if entry["alpha"] == alpha)
    return np.array([one["last"] for one in runs if one["contacts"] == 2 * TEN.count + 1])


def draw(data: dict[str, Any]) -> Any:
    from scree.plot import SCALE

    picture, (axes, side) = plot_axes(1, 2, (6.6, 3.5), width_ratios=(2, 1.1))
    for number, curve in enumerate(data["curves"]):
        axes.plot(curve["time"], curve["mu_g"], color=SCALE(0.9 * number / SHOWN), linewidth=1.2, drawstyle="steps-mid")
    single = float(lasts(data, 1.0).mean())
    across(axes, single, "steady state of C1")
    axes.legend(loc="lower right")
    axes.set(xlim=(0, 1.5), ylim=(-0.1, 0.24), xlabel="time $t$", ylabel=r"global friction $\mu_g$",
             title=r"C2, $\alpha=\mu_s/\mu_d=3$")
    for entry in data["alphas"]:
        last = lasts(data, entry["alpha"])
        dots(side, np.full(len(last), entry["alpha"]), last, BLUE, size=3)
    means = [(entry["alpha"], lasts(data, entry["alpha"]).mean()) for entry in data["alphas"]]
    side.plot(*zip(*means), color=INK, linewidth=0.8, label="mean")
    side.set(xscale="log", xlabel=r"$\alpha=\mu_s/\mu_d$", ylabel=r"steady $\mu_g$", title="each start a circle")
    side.set_xticks([1, 2, 3, 5, 10], ["1", "2", "3", "5", "10"])
    side.minorticks_off()
    side.legend(loc="upper left")
    return picture


def judge(data: dict[str, Any], quick: bool) -> list[Check]:
    three = lasts(data, ALPHA)
    spread = {entry["alpha"]: float(np.std(lasts(data, entry["alpha"]))) for entry in data["alphas"]}
    rising = spread[1.0] < spread[ALPHA] < spread[10.0]
    unsettled = sum(one["unsettled"] for entry in data["alphas"] for one in entry["runs"])
    shift = np.array([one["shift"] for entry in data["alphas"] for one in entry["runs"] if entry["alpha"] == ALPHA])
    return [
        above("the steady state depends on the start: spread of µ_g over its mean, α = 3", 1e-2,
              float(np.ptp(three) / three.mean())),
        below("yet the values are close to each other: standard deviation over mean, α = 3", 0.15,
              spread[ALPHA] / float(three.mean())),
        below("α = 1 is C1: spread of µ_g over its mean", 1e-6,
              float(np.ptp(lasts(data, 1.0)) / lasts(data, 1.0).mean())),
        holds("the smaller α, the weaker the dependence: spread at α = 1, 3, 10", "rises with α",
              ", ".join(f"{spread[alpha]:.2g}" for alpha in (1.0, ALPHA, 10.0)), rising),
        above("fraction of the starts that become steady, α = 3", 0.8, float(np.mean(shift < 1e-6))),
        holds("every step solves the law with two coefficients", "0 contacts unsettled", f"{unsettled}",
              unsettled == 0),
    ]


FIGURE = Figure(
    paper="array",
    figure="Fig. 4c",
    title="Two friction coefficients: the steady state depends on the initial state",
    text="""
As in Fig. 4a, but with the law C2: the static coefficients between disks and at the plane are α times the dynamic ones
(µ'' = 0.001 is unchanged). Left: eight starts with α = 3. Right: the steady values for several α; with α = 1 all starts
end in the same state, and the larger α is, the more they differ. The paper calls the values for α = 3 very close to
each other; here their standard deviation is about 6 % of the mean, and their full spread about 20 %. Starts in which a
contact opens are left out.
""",
    measure=measure,
    draw=draw,
    judge=judge,
    seconds=60,
)
