"""Eqs. (7) to (11): effective quantities of the modes, and friction in slow motion."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from array_exact import (Array, friction_rolling, friction_slow, friction_sliding, inertia_rolling, inertia_sliding,
                         rolling_array)
from array_plot import BLUE, GREEN, INK, ORANGE, dots, plot_axes
from array_world import EIGHTY, effective, modes, rigid, steady
from toolkit import Check, Figure, below, close, holds

ROLLING = Array(10, 0.0, 0.01, 0.04, 0.1, 0.04)  # mu'' = mu
SLOW = Array(10, 0.0, 0.01, 0.1, 0.2, 0.001)


def rolling(count: int, mu_block: float) -> dict[str, Any]:
    """An array that rolls as a whole: slow enough that the plane holds the last disk."""
    array = replace(ROLLING, count=count, mu_block=mu_block)
    friction, inertia = rolling_array(array)
    push = array.brake + count * friction + 2e-3 * inertia
    found = effective(array.pushed(push), 1e-3 * push)
    return {"count": count, "mu_block": mu_block, "m_e": found["m_e"], "mu_e": found["mu_e"],
            "rolling": modes(found["spin_rate"], found["acceleration"])[0]}


def sliding() -> dict[str, Any]:
    """Mode 2 of the eighty disks: how N grows from disk to disk, for several accelerations."""
    rows = []
    for push in (12.5, 13.0, 13.5, 14.0, 14.5, 15.0):
        found = steady(EIGHTY.pushed(push))
        plane, pair = found["state"][:EIGHTY.count], found["state"][EIGHTY.count:]
        first = plane.index(1)  # disks before it roll
        last = next(i for i in range(first, EIGHTY.count) if pair[i + 1] == 0)  # it turns with its neighbour
        normal = found["normal"][EIGHTY.count:]
        rows.append({"acceleration": found["acceleration"], "length": last - first,
                     "gain": normal[last] - normal[first]})
    return {"rows": rows}


def moves(array: Array) -> bool:
    with rigid(array, tolerance=1e-10, iterations=20000) as world:
        world.step()
        return float(world.velocity[:, 0].mean()) / world.time_step > 1e-7


def slow(count: int) -> dict[str, Any]:
    """mu_g at the least driving force that moves the array, by bisection; and how many disks roll."""
    array = replace(SLOW, count=count)
    low, high = array.brake, array.brake + 1.05 * count * array.mu_plane
    while high - low > 1e-6 * high:
        middle = (low + high) / 2
        low, high = (low, middle) if moves(array.pushed(middle)) else (middle, high)
    found = steady(array.pushed(high * (1 + 1e-4)))
    return {"count": count, "mu_g": (high - array.brake) / count,
            "modes": modes(found["spin_rate"], found["acceleration"], 1e-4)}


def measure(quick: bool) -> dict[str, Any]:
    counts = (5, 15, 30) if quick else (2, 4, 6, 8, 10, 13, 16, 20, 24, 28, 32, 36, 40)
    long = (10, 40) if quick else (5, 10, 15, 20, 26, 32, 40, 50, 60, 80)
    return {"rolling": [rolling(count, mu) for mu in (ROLLING.mu, 0.001) for count in counts], "sliding": sliding(),
            "slow": [slow(count) for count in long]}


def mode_two(data: dict[str, Any]) -> tuple[np.ndarray, np.ndarray]:
    rows = data["sliding"]["rows"]
    return (np.array([row["acceleration"] for row in rows]), np.array([row["gain"] / row["length"] for row in rows]))


def draw(data: dict[str, Any]) -> Any:
    picture, ((inertia, friction), (second, late)) = plot_axes(2, 2, (6.8, 5.6))
    counts = np.arange(1, 42)
    inertia.plot(counts, [inertia_rolling(ROLLING.mu, n) for n in counts], color=INK, linewidth=0.9, label="eq. (7)")
    friction.plot(counts, [friction_rolling(ROLLING.mu, n, ROLLING.brake) for n in counts], color=INK, linewidth=0.9,
                  label="eq. (8)")
    for mu, colour, mark in ((ROLLING.mu, BLUE, "o"), (0.001, ORANGE, "s")):
        rows = [row for row in data["rolling"] if row["mu_block"] == mu]
        text = r"simulation, $\mu''=\mu$" if mu == ROLLING.mu else r"simulation, $\mu''=0.001$"
        dots(inertia, [row["count"] for row in rows], [row["m_e"] for row in rows], colour, text, mark=mark)
        dots(friction, [row["count"] for row in rows], [row["mu_e"] for row in rows], colour, text, mark=mark)
    inertia.set(xlabel="disks $L_1$, all rolling", ylabel=r"$m_e^{(1)}$", yscale="log")
    friction.set(xlabel="disks $L_1$, all rolling", ylabel=r"$\mu_e^{(1)}$")
    rate, gain = mode_two(data)
    line = np.array([0.95 * rate.min(), 1.03 * rate.max()])
    second.plot(line, friction_sliding(EIGHTY.mu, EIGHTY.mu_plane) + line * inertia_sliding(EIGHTY.mu, EIGHTY.mu_plane,
                                                                                            1), color=INK,
                linewidth=0.9, label=r"$\mu_e^{(2)}+\dot v\,m_e^{(2)}/L_2$, eqs. (9), (10)")
    dots(second, rate, gain, GREEN, "simulation, mode 2")
    second.set(xlabel=r"acceleration $\dot v$", ylabel="growth of $N$ per disk")
    rows = data["slow"]
    late.plot([row["count"] for row in rows],
              [friction_slow(SLOW.mu, SLOW.mu_plane, SLOW.brake, row["count"], row["modes"][0]) for row in rows],
              color=INK, linewidth=0.9,
              label="eq. (11)")
    dots(late, [row["count"] for row in rows], [row["mu_g"] for row in rows], BLUE, "simulation")
    late.axhline(SLOW.mu_plane, color="#7b828c", linewidth=0.8, linestyle=(0, (4, 3)), label=r"$\mu'$")
    late.set(xlabel="disks $L$", ylabel=r"$\mu_g$ for $\dot v\to0$", ylim=(0, 0.22), xlim=(0, None))
    for axes in (inertia, friction, second):
        axes.legend(loc="upper left", fontsize=7.5)
    late.legend(loc="lower right", fontsize=7.5)
    return picture


def judge(data: dict[str, Any], quick: bool) -> list[Check]:
    same = [row for row in data["rolling"] if row["mu_block"] == ROLLING.mu]
    other = [row for row in data["rolling"] if row["mu_block"] != ROLLING.mu]
    rate, gain = mode_two(data)
    slope, start = np.polyfit(rate, gain, 1)
    late = [row for row in data["slow"] if row["modes"][0] < 0.8 * row["count"]]
    ratio = [friction_slow(SLOW.mu, SLOW.mu_plane, SLOW.brake, row["count"],
                           row["modes"][0]) / row["mu_g"] for row in late]
    closed = [rolling_array(replace(ROLLING, count=row["count"], mu_block=0.001)) for row in other]
    all_roll = all(row["rolling"] == row["count"] for row in data["rolling"])
    return [
        below("eq. (7), m_e of mode 1, µ'' = µ: largest relative deviation", 1e-5,
              max(abs(row["m_e"] / inertia_rolling(ROLLING.mu, row["count"]) - 1) for row in same)),
        below("eq. (8), µ_e of mode 1, µ'' = µ: largest relative deviation", 1e-5,
              max(abs(row["mu_e"] / friction_rolling(ROLLING.mu, row["count"], ROLLING.brake) - 1) for row in same)),
        below("the same quantities for µ'' = 0.001: largest relative deviation from the closed form with µ'' at the ends", 1e-5,
              max(max(abs(row["mu_e"] / f - 1), abs(row["m_e"] / m - 1)) for row, (f, m) in zip(other, closed))),
        holds("all disks of these arrays roll", "all", "all" if all_roll else "not all", all_roll),
        close("eq. (9), m_e of mode 2 per disk", inertia_sliding(EIGHTY.mu, EIGHTY.mu_plane, 1), float(slope), 1e-6),
        close("eq. (10), µ_e of mode 2", friction_sliding(EIGHTY.mu, EIGHTY.mu_plane), float(start), 1e-6),
        below("eq. (11), µ_g in slow motion, arrays longer than 5/4 of the rolling part: largest relative deviation", 0.06,
              float(np.abs(np.array(ratio) - 1).max())),
        holds("eq. (11) is a few per cent too high", "above 1", f"{min(ratio):.4f} to {max(ratio):.4f}", min(ratio) > 1),
        holds("mode 2 disappears in slow motion", "0 disks", f"{max(row['modes'][1] for row in late)} disks",
              all(row["modes"][1] == 0 for row in late)),
    ]


FIGURE = Figure(
    paper="array",
    figure="Eqs. (7) to (11)",
    title="Effective inertia and friction of the modes",
    text="""
Eqs. (7), (8): arrays that roll as a whole (µ = 0.04, N_0 = 0.01), from differences between two steps as in Fig. 9. The
equations are exact for µ'' = µ only; for µ'' = 0.001 the recursion with µ'' at the two ends is exact. Eqs. (9), (10):
growth of the normal force in mode 2 of the eighty disks of Fig. 5, at several N_L. Eq. (11): the smallest driving force
that keeps an array moving from rest (µ = 0.1, µ' = 0.2, µ'' = 0.001), found by bisection; with the measured number of
rolling disks the formula is a few per cent too high, and 14 % where hardly any disk is left over (L = 26). The static
variant with µ_s is not shown: with two coefficients the force at rest is not unique, and the array may start to move
below it.
""",
    measure=measure,
    draw=draw,
    judge=judge,
    seconds=20,
)
