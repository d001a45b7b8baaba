"""Figs. 9a and 9b: effective friction and effective inertia against the acceleration."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from array_exact import branches, inertia_rolling, rolling_array
from array_plot import BLUE, ORANGE, across, dots, plot_axes
from array_world import THIRTY, effective
from toolkit import Check, Figure, above, below, close, holds, near

LOW, HIGH = 0.2, 19.5


def levels() -> list[dict[str, Any]]:
    """The exact solution: within a branch F_g is linear in the acceleration, so mu_e and m_e are constant."""
    found = []
    for one in branches(THIRTY, LOW, HIGH):
        if one.high - one.low < 1e-6:
            continue
        entry = {"push": [one.low, one.high], "block": int(one.sense[-1]), "unique": one.spare is None,
                 "rolling": int(np.sum(one.sense[:THIRTY.count] == 0))}
        if one.spare is None:
            constant, slope = one.acceleration
            entry |= {"rate": [one.at(one.low), one.at(one.high)], "m_e": 1 / slope,
                      "mu_e": (-constant / slope - THIRTY.brake) / THIRTY.count}
        found.append(entry)
    return found


def measure(quick: bool) -> dict[str, Any]:
    exact = levels()
    unique = [one for one in exact if one["unique"]]
    spikes = [one for one in unique if one["block"] == 0]
    middle = [sum(one["push"]) / 2 for one in unique]
    grid = np.linspace(0.3, 10, 6 if quick else 121).tolist()
    measured = []
    around = {at for i, one in enumerate(unique) if one["block"] == 0 for at in (i - 1, i, i + 1) if at < len(unique)}
    chosen = {0, *around, len(unique) - 1} if quick else range(len(unique))
    for push in sorted({*(middle[at] for at in chosen), *grid}):
        level = next(one for one in exact if one["push"][0] <= push <= one["push"][1])
        room = min(push - level["push"][0], level["push"][1] - push)
        if level["unique"] and room > 1e-4:
            found = effective(THIRTY.pushed(push), min(1e-2, 0.4 * room))
            at = middle.index(push) if push in middle else None
            measured.append({"branch": at} | {name: found[name] for name in ("push", "acceleration", "mu_e", "m_e",
                                                                             "same_states")}
                            | {"block": found["state"][-1], "exact": [level["mu_e"], level["m_e"]]})
    smooth = [effective(replace(THIRTY, mu_block=0.0, push=sum(one["push"]) / 2))["m_e"] for one in spikes]
    return {"exact": exact, "measured": measured, "smooth": smooth}


def stairs(data: dict[str, Any], name: str) -> tuple[list[float], list[float]]:
    x, y = [], []
    for one in data["exact"]:
        if one["unique"]:
            x += one["rate"]
            y += [one[name]] * 2
        else:
            x.append(np.nan)
            y.append(np.nan)
    return x, y


def draw(data: dict[str, Any]) -> Any:
    picture, both = plot_axes(2, 1, (6.4, 5.8), sharex=True)
    gap = [i for i, one in enumerate(data["exact"]) if not one["unique"]]
    for axes, name, limit, text in ((both[0], "mu_e", THIRTY.mu_plane, r"$\mu'$"),
                                    (both[1], "m_e", THIRTY.count, r"$m_g$")):
        for at in gap:
            axes.axvspan(data["exact"][at - 1]["rate"][1], data["exact"][at + 1]["rate"][0], color=ORANGE, alpha=0.35,
                         linewidth=0,
                         label="not unique")
        axes.plot(*stairs(data, name), color="#2a2e35", linewidth=0.8, label="exact solution")
        dots(axes, [one["acceleration"] for one in data["measured"]], [one[name] for one in data["measured"]], BLUE,
             "C1, contact dynamics", size=2.8)
        across(axes, limit, text)
    both[0].set(ylabel=r"effective friction $\mu_e$", ylim=(0, 0.125))
    both[1].set(ylabel=r"effective inertia $m_e$", xlabel=r"acceleration $\dot v$", xlim=(0, 0.22), ylim=(0, 195))
    both[0].legend(loc="lower right")
    both[1].legend(loc="upper right")
    inset = both[1].inset_axes((0.3, 0.3, 0.42, 0.55))
    inset.plot(*stairs(data, "m_e"), color="#2a2e35", linewidth=0.8)
    dots(inset, [one["acceleration"] for one in data["measured"]], [one["m_e"] for one in data["measured"]], BLUE,
         size=2.8)
    inset.set(xlim=(0.028, 0.06), ylim=(34, 59))
    inset.set_title("steps and spikes", fontsize=8)
    inset.tick_params(labelsize=7)
    for axes, letter in zip(both, "ab"):
        axes.set_title(letter, fontweight="bold", pad=3)
    return picture


def judge(data: dict[str, Any], quick: bool) -> list[Check]:
    measured = [one for one in data["measured"] if one["same_states"]]
    unique = [one for one in data["exact"] if one["unique"]]
    level = {one["branch"]: one for one in measured if one["branch"] is not None}
    spikes = [i for i, one in enumerate(unique) if one["block"] == 0]
    hit = sum(i in level and level[i]["block"] == 0 for i in spikes)
    # those with measured levels on both sides, between which no other contact changes
    plain = [i for i in spikes if {i - 1, i, i + 1} <= level.keys()
             and unique[i - 1]["rolling"] == unique[i + 1]["rolling"]
             and level[i - 1]["block"] and level[i + 1]["block"]]
    back = max(abs(level[i + 1]["m_e"] / level[i - 1]["m_e"] - 1) for i in plain)
    height = min(abs(level[i]["m_e"] / level[i - 1]["m_e"] - 1) for i in plain)
    reversed_ = all(level[i - 1]["block"] == -level[i + 1]["block"] for i in plain)
    low, high = measured[0], measured[-1]
    friction, inertia = rolling_array(THIRTY)
    smooth = [abs(data["smooth"][spikes.index(i)] / level[i - 1]["m_e"] - 1) for i in plain]
    return [
        below("µ_e: largest deviation from the exact solution", 1e-5,
              max(abs(one["mu_e"] - one["exact"][0]) for one in measured)),
        below("m_e: largest relative deviation from the exact solution", 1e-5,
              max(abs(one["m_e"] / one["exact"][1] - 1) for one in measured)),
        holds("points whose contact states stay the same while N_L changes", "all",
              f"{len(measured)} of {len(data['measured'])}",
              len(measured) == len(data["measured"])),
        near("slow: m_e over m_g, 'almost six times'", 6.0, low["m_e"] / THIRTY.count, 0.1),
        close("slow: m_e from the closed form with µ'' at the ends", inertia, low["m_e"], 1e-5),
        close("slow: µ_e from the closed form with µ'' at the ends", friction, low["mu_e"], 1e-5),
        close("slow: m_e from eq. (7), which assumes µ'' = µ", inertia_rolling(THIRTY.mu, THIRTY.count), low["m_e"], 0.05),
        close("fast: m_e = m_g", THIRTY.count, high["m_e"], 1e-3),
        close("fast: µ_e = µ'", THIRTY.mu_plane, high["mu_e"], 1e-2),
        holds("spikes at which the simulated disk 30 does not slide on the driving block", f"{len(spikes)}", f"{hit}",
              hit == len(spikes)),
        above(f"each of {len(plain)} spikes stands out from its level; smallest relative height", 0.04, height),
        below("after a spike m_e is back at almost the same level; largest relative change", 1e-2, back),
        holds("after a spike the disks of mode 3 turn the other way", "reversed", "reversed" if reversed_ else "not always",
              reversed_),
        below("without friction at the blocks (µ'' = 0) the spikes are gone: largest deviation of m_e from its level",
              1e-2,
              float(max(smooth))),
    ]


FIGURE = Figure(
    paper="array",
    figure="Figs. 9a and 9b",
    title="Effective friction and effective inertia: steps and spikes",
    text="""
The Legendre transform (eq. 5) of F_g(v̇) for the array of Fig. 8. Circles: the simulation. One step from rest is made
with N_L and another with a slightly larger N_L (by 10⁻², or less where contacts would change); the differences in F_g
and v̇ between them give the derivative, since F_g is piecewise linear. Line: the exact solution, branch by branch. A
step occurs at each change of the contacts between disks or with the plane, and a spike where disk 30 stops sliding on
the driving block and mode 3 reverses its direction. The window of Fig. 8 without a unique state is left out.
""",
    measure=measure,
    draw=draw,
    judge=judge,
    seconds=40,
)
