"""Figs. 7a and 7b: friction forces along eighty disks."""

from __future__ import annotations

from typing import Any

import numpy as np
from array_exact import solve
from array_plot import BLUE, SKY, domains, dots, exact_line, headroom, plot_axes
from array_world import EIGHTY, modes, steady
from toolkit import Check, Figure, above, below, close, holds


def measure(quick: bool) -> dict[str, Any]:
    found, exact, count = steady(EIGHTY), solve(EIGHTY), EIGHTY.count
    return {"modes": modes(found["spin_rate"], found["acceleration"]), "mu_g": found["mu_g"],
            "pair": found["friction"][count:], "plane": found["friction"][:count],
            "pair normal": found["normal"][count:], "plane normal": found["normal"][:count],
            "exact": {"pair": exact.friction[count:], "plane": exact.friction[:count]}}


def mobilised(data: dict[str, Any], name: str) -> np.ndarray:
    """eta = |T| / (mu N)."""
    mu = np.full(EIGHTY.count + 1, EIGHTY.mu) if name == "pair" else np.full(EIGHTY.count, EIGHTY.mu_plane)
    if name == "pair":
        mu[[0, -1]] = EIGHTY.mu_block
    return np.abs(np.array(data[name])) / (mu * np.array(data[f"{name} normal"]))


def draw(data: dict[str, Any]) -> Any:
    picture, (upper, lower) = plot_axes(2, 1, (6.2, 5.4), sharex=True)
    disk = np.arange(EIGHTY.count + 1)
    for axes, name, x, mu in ((upper, "pair", disk, EIGHTY.mu), (lower, "plane", disk[1:], EIGHTY.mu_plane)):
        domains(axes, data["modes"])
        bound = mu * np.array(data[f"{name} normal"])
        axes.plot(x[1:-1], bound[1:-1], color=SKY, linewidth=2.6, alpha=0.5, zorder=0,
                  label=r"bound $\mu N(i)$" if name == "pair" else r"bound $\mu' N'(i)$")
        exact_line(axes, x, data["exact"][name], zorder=1)
        dots(axes, x, data[name], BLUE, "C1, contact dynamics", size=3)
        headroom(axes, 0.15)
    upper.legend(loc="upper left", bbox_to_anchor=(0, 0.9))
    upper.set(ylabel=r"between disks $T(i)$")
    lower.legend(loc="lower right")
    lower.set(xlim=(-1.5, 81.5), ylabel=r"at the plane $T'(i)$", xlabel="contact $i$, from the braking end")
    for axes, letter in ((upper, "a"), (lower, "b")):
        axes.set_title(letter, fontweight="bold", pad=3)
    return picture


def judge(data: dict[str, Any], quick: bool) -> list[Check]:
    pair, plane = np.array(data["pair"]), np.array(data["plane"])
    eta, eta_plane = mobilised(data, "pair"), mobilised(data, "plane")
    first, second, _ = data["modes"]
    rolling = eta_plane[:first]
    sliding = slice(first, first + second)
    third = eta[first + second + 1:-1]
    # in mode 1 T'_i = I a + mu (N_i + N_{i-1}), whose differences grow by (1 + mu) / (1 - mu) from
    # disk to disk
    steps = np.diff(plane[1:first])
    ratio = (steps[1:] / steps[:-1])[2:-1]
    growth = (1 + EIGHTY.mu) / (1 - EIGHTY.mu)
    turns = np.diff(pair[first + second + 1:-1])
    return [
        close("sum of T' divided by the weight is µ_g (independent value)", 0.08859859, float(plane.sum() / EIGHTY.count),
              1e-6),
        below("T(i) and T'(i): largest deviation from the exact solution", 1e-6,
              float(max(np.abs(pair - data["exact"]["pair"]).max(), np.abs(plane - data["exact"]["plane"]).max()))),
        below("mode 1, between disks: friction is fully mobilised; largest |η − 1|", 1e-6, float(np.abs(eta[1:first] - 1).max())),
        holds("mode 1, plane: η < 1 and grows", "η grows to 1", f"η from {rolling[0]:.3f} to {rolling[-1]:.3f}",
              bool(np.all(np.diff(rolling) > 0) and rolling[-1] < 1)),
        close("mode 1, plane: T'(i) grows exponentially; growth factor, (1 + µ) / (1 − µ)", growth,
              float(ratio.mean()), 1e-5),
        below("plane, from mode 2 on: η = 1; largest |η − 1|", 1e-6, float(np.abs(eta_plane[first:] - 1).max())),
        holds("mode 2: T(i) grows, T'(i) is constant", "grows, constant",
              f"{pair[first + 1]:.4f} to {pair[first + second]:.4f}, within {np.ptp(plane[sliding][1:-1]):.1g}",
              bool(np.all(np.diff(pair[sliding]) > 0) and np.ptp(plane[sliding][1:-1]) < 1e-6)),
        above("mode 3: T(i) oscillates; fraction of the contacts at which it turns back", 0.9,
              float(np.mean(turns[1:] * turns[:-1] < 0))),
        below("mode 3, between disks: η stays below 1; largest value", 1 - 1e-9, float(third.max())),
    ]


FIGURE = Figure(
    paper="array",
    figure="Figs. 7a and 7b",
    title="Friction forces along the array",
    text="""
The state of Fig. 5. a: between disks, positive where friction brakes forward rotation. b: at the plane, positive
against the motion. In mode 1 the friction at the plane is only partly mobilised, more and more so along the array,
until it is fully mobilised where mode 2 begins. In mode 3 the friction between disks oscillates within its bound.
""",
    measure=measure,
    draw=draw,
    judge=judge,
    seconds=2,
)
