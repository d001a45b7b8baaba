"""Fig. 10: effective friction of five disks with exact and with regularised friction."""

from __future__ import annotations

from typing import Any

import numpy as np
from array_exact import Branch, Linear, acceleration_range, branch, branches, solve
from array_plot import BLUE, GREEN, INK, ORANGE, dots, plot_axes
from array_world import FIVE, effective, follow, legendre, random_start, rigid, soft_steady, steady
from toolkit import Check, Figure, above, below, near

SHEAR, STEP, LOW, HIGH = 1000.0, 5e-5, 0.3, 3.6
EDGES = (1.03, 1.05, 1.47, 1.49)  # just outside and just inside
WINDOW, RATES = (1.039, 1.479), (0.027, 0.064)  # driving forces and accelerations, as known independently


def state(push: float) -> tuple[Linear, Branch]:
    array = FIVE.pushed(push)
    linear = Linear(array)
    return linear, branch(array, solve(array, linear=linear).sense, linear)


def creeping(push: float) -> float:
    """The acceleration of RC1 in the window. There contacts that do not slide creep with T / gamma_s. Around the loop
    of the plane and disks 3, 4, 5 the four creep velocities add up to nothing,
    (v - w3) + (w3 + w4) = (v - w5) + (w5 + w4), so F3 + T34 = F5 + T45, which picks one state of the family."""
    linear, found = state(push)
    assert found.spare is not None
    friction, count = found.friction @ [1, push], FIVE.count
    loop = np.zeros(linear.size)
    loop[[2, count + 3]], loop[[4, count + 4]] = 1, -1
    friction = friction - found.spare * (loop @ friction) / (loop @ found.spare)
    low, high = acceleration_range(FIVE.pushed(push), found, linear)  # beyond, one of the four slides
    return min(max(float(linear.a_row @ friction + linear.a_constant @ [1, push]), low), high)


def levels() -> list[dict[str, Any]]:
    found = []
    for one in branches(FIVE, LOW, HIGH):
        entry: dict[str, Any] = {"push": [one.low, one.high], "unique": one.spare is None}
        if one.spare is None:
            constant, slope = one.acceleration
            entry |= {"rate": [one.at(one.low), one.at(one.high)],
                      "mu_e": (-constant / slope - FIVE.brake) / FIVE.count}
        found.append(entry)
    return found


def regularised(push: float, settle: float) -> dict[str, Any]:
    near_by = [soft_steady(FIVE.pushed(push + change), SHEAR, STEP, settle) for change in (0.0, 4e-3)]
    rate, mu_g = ([float(one[name]) for one in near_by] for name in ("acceleration", "mu_g"))  # type: ignore[arg-type]
    return {"push": push, "acceleration": rate[0], "mu_g": mu_g[0], **legendre(FIVE.count, rate, mu_g)}


def from_spins(push: float, seed: int) -> float:
    """mu_g of C1 in the end, from random spins."""
    spin = random_start(seed, FIVE.count, 0.1)
    with rigid(FIVE.pushed(push), 1e-2, spin=spin, tolerance=1e-12, iterations=20000) as world:
        return float(follow(world, 15.0)[1][-1])


def measure(quick: bool) -> dict[str, Any]:
    exact = levels()
    low, high = next(one["push"] for one in exact if not one["unique"])
    middle = [sum(one["push"]) / 2 for one in exact]
    inside = np.linspace(low, high, 4 if quick else 8)[1:-1].tolist()
    ends = np.array([one["push"] for one in exact]).ravel()
    away = [push for push in np.linspace(0.4, 3.5, 16).round(3).tolist() if np.abs(ends - push).min() > 0.02]
    soft = sorted({*middle, *inside, *(() if quick else away)})
    rigid_pushes = sorted({*middle, *inside, *np.linspace(0.35, 3.55, 9 if quick else 41).round(3).tolist()})
    c1 = []
    for push in rigid_pushes:
        ends = next(one["push"] for one in exact if one["push"][0] <= push <= one["push"][1])
        found = effective(FIVE.pushed(push), min(1e-3, 0.4 * (ends[1] - push)))
        c1.append({name: found[name] for name in ("push", "acceleration", "mu_g", "mu_e", "same_states")})
    return {
        "exact": exact, "C1": c1, "RC1": [regularised(push, 0.4 if quick else 1.0) for push in soft],
        "creeping": [[push, creeping(push)] for push in np.linspace(low + 1e-6, high - 1e-6, 25)],
        "bands": [[push, *acceleration_range(FIVE.pushed(push), state(push)[1])] for push in np.linspace(low + 1e-6,
                                                                                                         high - 1e-6,
                                                                                                         25)],
        "inside": [{"push": push, "mu_g": [from_spins(push,
                                                      seed) for seed in range(3 if quick else 8)]} for push in inside],
        "edges": {push: [from_spins(push, seed) for seed in range(4)] for push in EDGES},
        "ends": [steady(FIVE.pushed(push))["acceleration"] for push in WINDOW],
    }


def friction(push: Any, rate: Any) -> Any:
    return (np.asarray(push) - FIVE.brake) / FIVE.count - rate


def draw(data: dict[str, Any]) -> Any:
    picture, (axes, zoom) = plot_axes(1, 2, (6.8, 3.6), width_ratios=(1.35, 1))
    axes.axvspan(*RATES, color=ORANGE, alpha=0.25, linewidth=0, label="not unique with C1")
    x, y = [], []
    for one in data["exact"]:
        x += one.get("rate", [np.nan])
        y += [one["mu_e"]] * 2 if one["unique"] else [np.nan]
    axes.plot(x, y, color=INK, linewidth=0.8, label="C1, exact")
    for name, colour, mark, text in (("C1", BLUE, "o", "C1, contact dynamics"), ("RC1", GREEN, "s", "RC1, soft disks")):
        dots(axes, [one["acceleration"] for one in data[name]], [one["mu_e"] for one in data[name]], colour, text,
             size=3 if name == "C1" else 4.6, mark=mark, zorder=4 if name == "C1" else 3)
    axes.set(xlim=(0, 0.42), ylim=(0, 0.34), xlabel=r"acceleration $\dot v$", ylabel=r"effective friction $\mu_e$")
    axes.legend(loc="lower right")
    bands = np.array(data["bands"])
    outline_x, outline_y = np.concatenate([bands[:, 1], bands[::-1, 2]]), np.concatenate(
        [friction(bands[:, 0], bands[:, 1]), friction(bands[::-1, 0], bands[::-1, 2])])
    zoom.fill(outline_x, outline_y, color=ORANGE, alpha=0.25, linewidth=0, label="all that C1 allows")
    for one in data["inside"]:
        zoom.plot(friction(one["push"], np.array(one["mu_g"])), one["mu_g"], "x", color=BLUE, markersize=4,
                  markeredgewidth=0.9,
                  label="C1, random spins" if one is data["inside"][0] else None)
    creep = np.array(data["creeping"])
    zoom.plot(creep[:, 1], friction(creep[:, 0], creep[:, 1]), color=GREEN, linewidth=0.9, label="RC1, theory")
    dots(zoom, [one["acceleration"] for one in data["RC1"]], [one["mu_g"] for one in data["RC1"]], GREEN,
         "RC1, soft disks", mark="s")
    zoom.set(xlim=(0.024, 0.068), ylim=(0.17, 0.237), xlabel=r"acceleration $\dot v$",
             ylabel=r"global friction $\mu_g$",
             title="the window")
    zoom.legend(loc="lower right", fontsize=7)
    return picture


def judge(data: dict[str, Any], quick: bool) -> list[Check]:
    low, high = next(one["push"] for one in data["exact"] if not one["unique"])
    unique = [one for one in data["exact"] if one["unique"]]

    def level(push: float) -> float:
        return next(one["mu_e"] for one in unique if one["push"][0] <= push <= one["push"][1])

    c1 = [one for one in data["C1"] if not low <= one["push"] <= high and one["same_states"]]
    rc1 = [one for one in data["RC1"] if not low <= one["push"] <= high]
    elsewhere = max(abs(one["mu_e"] - level(one["push"])) for one in rc1)
    within = [one for one in data["RC1"] if low < one["push"] < high]
    rigid_within = {one["push"]: one["mu_e"] for one in data["C1"] if low < one["push"] < high}
    creep = np.array(data["creeping"])
    apart = [abs(one["mu_e"] - rigid_within[one["push"]]) for one in within if one["push"] in rigid_within]
    edge = [float(np.ptp(data["edges"][str(push)])) for push in EDGES]
    beyond = []
    bands = np.array(data["bands"])
    for one in data["inside"]:
        rate = friction(one["push"], np.array(one["mu_g"]))
        least, most = (np.interp(one["push"], bands[:, 0], bands[:, side]) for side in (1, 2))
        beyond += [max(least - rate.min(), rate.max() - most)]
    return [
        near("window without a unique state: lowest N_L (independent value)", WINDOW[0], low, 1e-3),
        near("window without a unique state: highest N_L (independent value)", WINDOW[1], high, 1e-3),
        near("acceleration of C1 at N_L = 1.039 (independent value)", RATES[0], data["ends"][0], 1e-3),
        near("acceleration of C1 at N_L = 1.479 (independent value)", RATES[1], data["ends"][1], 1e-3),
        below("C1 outside the window: largest deviation of µ_e from the exact solution", 1e-5,
              max(abs(one["mu_e"] - level(one["push"])) for one in c1)),
        below("RC1 outside the window: largest deviation of µ_e from C1", 1e-3, elsewhere),
        above("within the window: RC1 and C1 from rest differ; difference in µ_e over the largest one outside", 10,
              max(apart) / elsewhere),
        above("within the window: largest spread of µ_g over random spins, C1", 1e-3,
              max(np.ptp(one["mu_g"]) for one in data["inside"])),
        above("just inside the window, N_L = 1.05 and 1.47: smaller of the two spreads", 1e-6, min(edge[1], edge[2])),
        below("just outside the window, N_L = 1.03 and 1.49: larger of the two spreads", 1e-8, max(edge[0], edge[3])),
        below("within the window: how far the accelerations of C1 lie outside what the law allows", 2e-4, float(max(beyond))),
        below("within the window: largest deviation of the acceleration of RC1 from its theory, equal creep around the loop", 1e-3,
              max(abs(one["acceleration"] / np.interp(one["push"], creep[:, 0], creep[:, 1]) - 1) for one in within)),
    ]


FIGURE = Figure(
    paper="array",
    figure="Fig. 10",
    title="Where exact and regularised friction disagree",
    text="""
Five disks, N_0 = 0.01, µ = µ' = 0.3, µ'' = 0.01. The paper prints N_L = 0.9 and says that the methods disagree around
v̇ = 1.05, but the two values are incompatible; the state that it describes exists only for N_L from 1.039 to 1.479,
with accelerations from 0.027 to 0.064. Here N_L therefore runs from 0.3 to 3.6. In that window disk 4 counter-rotates
between rolling neighbours as fast as they roll; four contacts around a loop stick, and C1 leaves the forces and the
acceleration undetermined (right: shaded; crosses: final states from random spins). RC1 is determinate there, because
sticking contacts creep at T/γ_s and equal creep around the loop selects one state. Elsewhere the two agree. RC1: k_n =
2·10⁵, γ_n = 200, γ_s = 1000; the blocks are given the extra force that their own small mass needs.
""",
    measure=measure,
    draw=draw,
    judge=judge,
    seconds=60,
)
