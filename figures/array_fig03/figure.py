"""Fig. 3: the global friction through time with three laws of friction."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from array_exact import motion, solve
from array_plot import BLUE, GREEN, INK, ORANGE, across, plot_axes
from array_world import TEN, follow, random_start, rigid, soft
from toolkit import Check, Figure, above, below, close, holds

SEED, SHEAR, END = 2, 1000.0, 4.0
REFERENCE = 0.16395168  # steady mu_g for mu'' = 0


def measure(quick: bool) -> dict[str, Any]:
    spin, step = random_start(SEED, TEN.count), 4e-3 if quick else 2e-3
    fine = round(step / 5e-5) if quick else round(1e-3 / 5e-5)
    jumps, values, opens = motion(TEN, 0.0, spin, END)
    data: dict[str, Any] = {"step": step, "exact": {"time": jumps, "mu_g": values, "opens": opens},
                            "steady": (TEN.push - TEN.brake) / TEN.count - solve(TEN).acceleration}
    worlds = {
        "C1": (rigid(TEN, step, spin=spin), 1),
        "C2": (rigid(replace(TEN, static=3.0), step, spin=spin, tolerance=1e-11, iterations=50000), 1),
        "RC1": (soft(TEN, 5e-5, SHEAR, spin=spin), fine),
        "smooth blocks": (rigid(replace(TEN, mu_block=0.0), step, spin=spin), 1),
    }
    for name, (world, every) in worlds.items():
        with world:
            time, mu_g, seen = follow(world, END, every)
        data[name] = {"time": time, "mu_g": mu_g, "contacts": seen["contacts"]}
    return data


def away_from_jumps(data: dict[str, Any]) -> np.ndarray:
    """Deviation of C1 from the exact path in steps that are not within three steps of a jump."""
    time, mu_g = (np.array(data["C1"][name]) for name in ("time", "mu_g"))
    jumps, values = np.array(data["exact"]["time"]), np.array(data["exact"]["mu_g"])
    phase = np.searchsorted(jumps, time, side="right") - 1
    near = np.abs(time[:, None] - jumps[None, 1:]).min(axis=1) < 3.5 * data["step"]
    return np.abs(mu_g - values[phase])[~near]


def levels(mu_g: np.ndarray, least: int) -> int:
    """How many values mu_g holds for at least this many steps."""
    same = np.abs(np.diff(mu_g, append=np.nan)) < 1e-7
    kept = np.array([np.all(same[at:at + least - 1]) for at in range(len(mu_g) - least + 1)])
    return len(np.unique(np.round(mu_g[:len(kept)][kept], 6)))


def draw(data: dict[str, Any]) -> Any:
    picture, axes = plot_axes()
    lines = (("C1", BLUE, "C1, contact dynamics", 2.4), ("C2", ORANGE, r"C2, $\mu_s=3\mu_d$, contact dynamics", 1.6),
             ("RC1", GREEN, "RC1, soft disks", 0.9))
    for name, colour, text, width in lines:
        axes.plot(data[name]["time"], data[name]["mu_g"], color=colour, label=text, linewidth=width,
                  drawstyle="default" if name == "RC1" else "steps-mid")
    jumps, values = data["exact"]["time"] + [END], data["exact"]["mu_g"]
    axes.step(jumps, values + values[-1:], where="post", color=INK, linewidth=0.8, linestyle=(0, (1, 1.5)),
              label="C1, exact motion")
    across(axes, data["steady"], "C1, exact steady state")
    axes.set(xlim=(0, 1.6), ylim=(0, 0.24), xlabel="time $t$", ylabel=r"global friction $\mu_g$")
    axes.legend(loc="lower right")
    return picture


def judge(data: dict[str, Any], quick: bool) -> list[Check]:
    last = {name: data[name]["mu_g"][-1] for name in ("C1", "C2", "RC1", "smooth blocks")}
    rc1, time = np.array(data["RC1"]["mu_g"]), np.array(data["RC1"]["time"])
    early, late = np.std(np.diff(rc1[time < 0.05])), np.std(np.diff(rc1[time > END - 1]))
    return [
        close("steady µ_g, C1, µ'' = 0 (independent value)", REFERENCE, last["smooth blocks"], 1e-6),
        close("steady µ_g, C1, µ'' = 0.001 (exact solution)", data["steady"], last["C1"], 1e-6),
        below("C1 is piecewise constant: largest deviation from the exact levels, away from jumps", 1e-6,
              float(away_from_jumps(data).max())),
        close("number of levels on the way to the steady state", levels(np.array(data["exact"]["mu_g"]), 1), levels(np.array(data["C1"]["mu_g"]), 4),
              0.2),
        close("steady µ_g, RC1: very close to C1", last["C1"], last["RC1"], 1e-3),
        above("C2 ends farther from C1 than RC1 does, by a factor of", 10,
              abs(last["C2"] - last["C1"]) / abs(last["RC1"] - last["C1"])),
        above("RC1 begins with elastic oscillations: change between samples at the beginning over that at the end", 100,
              float(early / late)),
        holds("no contact opens", "21 contacts", f"{data['C1']['contacts']} contacts", data["C1"]["contacts"] == 21),
    ]


FIGURE = Figure(
    paper="array",
    figure="Fig. 3",
    title="The approach to the steady state with three friction laws",
    text="""
Ten disks, N_L = 2.5, N_0 = 0.01, µ = 0.1, µ' = 0.2, µ'' = 0.001, starting from rest but with random spins (uniform
within ±0.2; the paper does not specify its initial state). C1 and C2 are computed by contact dynamics; in C2 the static
coefficients are three times as large as the dynamic ones. RC1 is computed with soft disks, with k_n = 2·10⁵ and γ_n =
200 as in the paper and γ_s = 1000 chosen here; its blocks have a fiftieth of the mass of a disk, because explicit steps
cannot move massless ones. The dotted line is the exact motion, solved from event to event without a simulation. The
independent value 0.16395168 is for µ'' = 0.
""",
    measure=measure,
    draw=draw,
    judge=judge,
    seconds=6,
)
