"""Fig. 8: the global friction grows with the driving force."""

from __future__ import annotations

from typing import Any

import numpy as np
from array_exact import Linear, acceleration_range, branch, branches, solve
from array_plot import BLUE, GREEN, INK, ORANGE, across, dots, exact_line, plot_axes
from array_world import THIRTY, follow, random_start, rigid, steady
from toolkit import Check, Figure, above, below, close, holds, near

REFERENCES = {1.0: 0.02803511, 3.0: 0.07451841, 5.0: 0.09354283}
WINDOW = (1.42, 1.49)  # as known independently
ORDERS = ("boxed", "random", "fixed", "alternating", "coloured")


def friction(push: float, acceleration: float) -> float:
    return (push - THIRTY.brake) / THIRTY.count - acceleration


def exact_curve() -> dict[str, Any]:
    found = branches(THIRTY, 0.2, 10.0)
    family = [one for one in found if one.spare is not None]
    corner = sorted({one.low for one in found} | {one.high for one in found})
    return {"push": corner, "mu_g": [friction(push, solve(THIRTY.pushed(push)).acceleration) for push in corner],
            "windows": [[one.low, one.high] for one in family]}


def band(push: float) -> tuple[float, float]:
    """The least and the largest mu_g that the law allows."""
    array = THIRTY.pushed(push)
    linear = Linear(array)
    low, high = acceleration_range(array, branch(array, solve(array, linear=linear).sense, linear), linear)
    return friction(push, high), friction(push, low)


def several(push: float, starts: int) -> dict[str, Any]:
    """mu_g from rest with every order of the sweep, and from small random spins."""
    found = [{"how": "order", "mu_g": steady(THIRTY.pushed(push), order=order)["mu_g"]} for order in ORDERS]
    for seed in range(starts):
        spin = random_start(seed, THIRTY.count, 0.02)
        with rigid(THIRTY.pushed(push), 2e-2, spin=spin, tolerance=1e-12, iterations=20000) as world:
            found.append({"how": "start", "mu_g": follow(world, 16.0)[1][-1]})
    return {"push": push, "band": band(push), "found": found}


def measure(quick: bool) -> dict[str, Any]:
    pushes = sorted({*np.linspace(0.2, 10, 25 if quick else 99).round(4).tolist(), *REFERENCES})
    inside = (1.44, 1.46) if quick else (1.425, 1.435, 1.445, 1.455, 1.465, 1.475, 1.482)
    outside = (1.41, 1.50) if quick else (1.38, 1.41, 1.50, 1.53)
    starts = 2 if quick else 4
    return {"measured": [{"push": push, "mu_g": steady(THIRTY.pushed(push))["mu_g"]} for push in pushes],
            "exact": exact_curve(), "inside": [several(push, starts) for push in inside],
            "outside": [several(push, starts) for push in outside],
            "bands": [[push, *band(push)] for push in np.linspace(WINDOW[0] + 0.0019, WINDOW[1] - 0.0012, 40)]}


def chord(data: dict[str, Any], push: Any) -> Any:
    """The straight line between the ends of the window, subtracted in the zoom."""
    return np.interp(push, data["exact"]["windows"][0],
                     [np.interp(end, data["exact"]["push"],
                                data["exact"]["mu_g"]) for end in data["exact"]["windows"][0]])


def draw(data: dict[str, Any]) -> Any:
    picture, (axes, zoom) = plot_axes(1, 2, (6.8, 3.5), width_ratios=(1.7, 1))
    low, high = data["exact"]["windows"][0]
    axes.axvspan(low, high, color=ORANGE, alpha=0.3, linewidth=0, label="not unique")
    exact_line(axes, data["exact"]["push"], data["exact"]["mu_g"])
    dots(axes, [one["push"] for one in data["measured"]], [one["mu_g"] for one in data["measured"]], BLUE,
         "C1, contact dynamics", size=3)
    axes.plot(list(REFERENCES), list(REFERENCES.values()), "D", color=GREEN, markersize=4.5, label="independent values")
    across(axes, THIRTY.mu_plane, r"$\mu'$")
    axes.set(xlim=(0, 10), ylim=(0, 0.115), xlabel="driving force $N_L$", ylabel=r"global friction $\mu_g$")
    axes.legend(loc="lower right")
    bands = np.array(data["bands"])
    line = chord(data, bands[:, 0])
    zoom.fill_between(bands[:, 0], 1e6 * (bands[:, 1] - line), 1e6 * (bands[:, 2] - line), color=ORANGE, alpha=0.3,
                      linewidth=0,
                      label="all that the law allows")
    for how, colour, mark, text in (("order", BLUE, "o", "from rest, five orders"),
                                    ("start", INK, "x", "from random spins")):
        points = np.array([(one["push"], found["mu_g"]) for one in data["inside"] for found in one["found"]
                           if found["how"] == how])
        zoom.plot(points[:, 0], 1e6 * (points[:, 1] - chord(data, points[:, 0])), mark, color=colour, markersize=3.5,
                  markerfacecolor="none", markeredgewidth=0.8, label=text)
    zoom.set(xlabel="driving force $N_L$", ylabel=r"$10^6\,(\mu_g-$ chord$)$", title="the indeterminate window")
    bottom, top = zoom.get_ylim()
    zoom.set_ylim(bottom, top + 0.5 * (top - bottom))
    zoom.legend(loc="upper center", fontsize=7)
    return picture


def judge(data: dict[str, Any], quick: bool) -> list[Check]:
    measured = {one["push"]: one["mu_g"] for one in data["measured"]}
    checks = [close(f"µ_g at N_L = {push:g} (independent value)", value, measured[push], 1e-6)
              for push, value in REFERENCES.items()]
    windows = data["exact"]["windows"]
    low, high = windows[0]
    push = np.array([p for p in measured if not low <= p <= high])
    error = np.abs(np.array([measured[p] for p in push]) / np.interp(push, data["exact"]["push"],
                                                                     data["exact"]["mu_g"]) - 1)
    values = np.array(list(measured.values()))

    def spread(one: dict[str, Any]) -> float:
        return float(np.ptp([found["mu_g"] for found in one["found"]]))

    beyond = max(max(one["band"][0] - found["mu_g"], found["mu_g"] - one["band"][1])
                 for one in data["inside"] for found in one["found"])
    return checks + [
        below("largest relative deviation from the exact solution", 1e-6, float(error.max())),
        below("µ_g grows with N_L: largest decrease from one point to the next, relative to µ'", 1e-4,
              float(max(0.0, -np.diff(values).min()) / THIRTY.mu_plane)),
        near("µ_g saturates at µ': value at N_L = 10", THIRTY.mu_plane, float(values[-1]), 2e-3),
        holds("one window of N_L without a unique state", f"{WINDOW[0]} to {WINDOW[1]}", f"{low:.4f} to {high:.4f}",
              len(windows) == 1 and abs(low - WINDOW[0]) < 5e-3 and abs(high - WINDOW[1]) < 5e-3),
        above("within the window: smallest spread of µ_g over orders and starts", 1e-8,
              min(spread(one) for one in data["inside"])),
        below("outside the window: largest spread", 1e-10, max(spread(one) for one in data["outside"])),
        below("within the window: how far µ_g lies outside what the law allows", 1e-9, float(beyond)),
    ]


FIGURE = Figure(
    paper="array",
    figure="Fig. 8",
    title="The global friction grows with the driving force",
    text="""
Thirty disks, N_0 = 0.01, µ = 0.04, µ' = 0.1, µ'' = 0.001: steady states with the law C1, each taken from the first step
after release from rest. Between N_L = 1.422 and 1.489 disk 29 counter-rotates between two rolling neighbours: four
contacts around a loop stick, and Coulomb's law determines neither the forces nor the acceleration. Right: in this
window, all values of µ_g that the law allows (from the exact solution), and those that the simulation finds with
different sweep orders and from different spins.
""",
    measure=measure,
    draw=draw,
    judge=judge,
    seconds=40,
)
