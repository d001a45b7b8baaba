"""A column of grains collapses: disks, angular and non-convex grains, with and without friction (Figs. 4.8 to 4.13)."""

from __future__ import annotations

from typing import Any, Callable

import numpy as np

from toolkit import Check, Figure, Parts, above, below, near
from variational import ASPECT, BASE, DIAMETERS, GRAINS, GRAVITY, KINDS, THETA, TIME_STEP, Assembly, Drop, column, slope, spread, surface

FRICTION = ("0.5", "0")
NAMES = {"disks": "disks", "angular": "angular, convex", "nonconvex": "non-convex"}
SLOPES = {"disks": 9.0, "angular": 12.0, "nonconvex": 17.0}
WIDER = {"disks": 1.45, "angular": 1.14}
SHOWN = (0, 100, 200, 400, 800)  # steps, and the last one
STEPS = {"0.5": 1600, "0": 6400}
QUICK_STEPS = {"0.5": 400, "0": 1000}
REST = 2e-4  # kinetic energy of a grain


def stages(quick: bool) -> list[list[str]]:
    kinds = tuple(reversed(KINDS)) if not quick else ("nonconvex", "disks")
    return [[f"column_{kind}" for kind in kinds], [f"{kind}_{friction}" for friction in FRICTION for kind in kinds]]


def short(grains: Assembly) -> dict[str, Any]:
    return {"position": np.round(grains.position, 4), "angle": np.round(grains.angle, 4)}


def make(part: str, quick: bool, done: Callable[[str], dict[str, Any]]) -> dict[str, Any]:
    first, second = part.split("_")
    if first == "column":
        return column(second, 36 if quick else GRAINS).plain()
    settled = Assembly.read(done(f"column_{first}"))
    drop = Drop(settled, float(second))
    found: dict[str, Any] = {"frames": {"0": short(settled)}, "step": [], "energy": [], "spread": [], "converged": 1.0,
                             "iterations": 0, "overlap": 0.0}
    converged = []
    for step in range(1, (QUICK_STEPS if quick else STEPS)[second] + 1):
        report = drop.world.step()
        converged.append(report.converged)
        found["iterations"] = max(found["iterations"], report.iterations)
        found["overlap"] = max(found["overlap"], report.overlap_max)
        energy = report.kinetic_energy / len(settled.which)
        if step % 20 == 0:
            state = drop.state()
            for name, value in (("step", step), ("energy", energy), ("spread", spread(state))):
                found[name].append(value)
        if step in SHOWN:
            found["frames"][str(step)] = short(drop.state())
        if step > 200 and (energy < REST or (first == "disks" and upper(drop.state()) < 0.01)):
            break
    found["frames"]["end"] = short(drop.state())
    found["converged"] = float(np.mean(converged))
    found["last"] = step
    return found


def upper(grains: Assembly) -> float:
    """Part of the disks that do not lie on the base: no centre of those that do is higher than the largest radius."""
    return float(np.mean(grains.position[:, 1] > 1.2 * DIAMETERS[-1] / 2))


def final_spread(run: dict[str, Any]) -> float:
    """The median over the last fifth of a run: disks that roll along make the thin end of a heap longer and shorter."""
    return float(np.median(run["spread"][-(len(run["spread"]) // 5 + 1):]))


def frame(data: dict[str, Any], kind: str, friction: str, step: str) -> Assembly:
    start = data[f"column_{kind}"]
    return Assembly.read({**start, **data[f"{kind}_{friction}"]["frames"][step]})


# ---------------------------------------------------------------- the picture


def draw(data: dict[str, Any]) -> Any:
    import matplotlib.pyplot as plt
    from matplotlib.collections import PolyCollection

    from scree.plot import PALETTE

    kinds = [kind for kind in KINDS if f"column_{kind}" in data]
    figure = plt.figure(figsize=(9.6, 11.0))
    upper, lower = figure.subfigures(2, 1, height_ratios=(1.2, 1.6))
    axes = upper.subplots(len(SHOWN), 2, sharex=True, squeeze=False)
    widest = 1.15 * max(spread(frame(data, "nonconvex", "0", "end")), spread(frame(data, "disks", "0.5", "end")))
    tall = data["column_disks"]["height"]
    for side, friction in enumerate(FRICTION):
        for row, step in enumerate((*SHOWN[1:], "end")):
            axis = axes[row, side]
            for kind, colour in zip(kinds, PALETTE):
                if str(step) in data[f"{kind}_{friction}"]["frames"]:
                    x, height = surface(frame(data, kind, friction, str(step)))
                    axis.step(x, height, where="mid", linewidth=1.0, color=colour, label=NAMES[kind])
            axis.set(xlim=(0, widest), ylim=(0, 1.1 * tall))
            axis.set_title((rf"$\mu$ = {friction}, " if row == 0 else "") + ("the end" if step == "end" else f"step {step}"),
                           fontsize=7, pad=2)
    axes[0, 0].legend(fontsize=6)
    heaps = lower.subplots(2 * len(kinds), 1, squeeze=False)[:, 0]
    for row, (friction, kind) in enumerate((friction, kind) for friction in FRICTION for kind in kinds):
        grains = frame(data, kind, friction, "end")
        shown = [outline for outline in grains.outlines() if outline[:, 0].min() < widest]
        heaps[row].add_collection(PolyCollection(shown, facecolors="#c9b79c", edgecolors="black", linewidths=0.15))
        heaps[row].set(xlim=(-0.5, widest), ylim=(-0.5, 0.6 * tall), aspect="equal", xticks=[], yticks=[])
        heaps[row].set_title(rf"{NAMES[kind]}, $\mu$ = {friction}, step {data[f'{kind}_{friction}']['last']}: "
                             rf"{max(0.0, slope(grains)):.0f}°", fontsize=7, pad=2)
        heaps[row].axis("off")
    return figure


# ---------------------------------------------------------------- the verdict


def judge(data: dict[str, Any], quick: bool) -> list[Check]:
    kinds = [kind for kind in KINDS if f"column_{kind}" in data]
    rough = {kind: frame(data, kind, "0.5", "end") for kind in kinds}
    smooth = {kind: frame(data, kind, "0", "end") for kind in kinds}
    angle = {kind: slope(rough[kind]) for kind in kinds}
    far = {kind: final_spread(data[f"{kind}_0.5"]) for kind in kinds}
    # Near its walls a column is loose: with n grains it is higher by about 0.8 / sqrt(n), so few of them say nothing here.
    checks = [] if quick else [near(f"{NAMES[kind]}: initial height over width", ASPECT,
                                    data[f"column_{kind}"]["height"] / data[f"column_{kind}"]["width"], 0.08) for kind in kinds]
    if quick:
        checks.append(above("friction 0.5: slope of non-convex grains relative to that of disks", 1.2, angle["nonconvex"] / angle["disks"]))
        checks.append(above("friction 0.5: spread of disks relative to that of non-convex grains", 1.1, far["disks"] / far["nonconvex"]))
    else:
        checks.insert(0, near("number of grains", 1520, len(rough["disks"].which), 0))
        checks += [near(f"{NAMES[kind]}, friction 0.5: final slope in degrees", SLOPES[kind], angle[kind], 3) for kind in kinds]
        checks += [near(f"{NAMES[kind]}, friction 0.5: spread relative to that of non-convex grains", WIDER[kind],
                        far[kind] / far["nonconvex"], 0.2) for kind in WIDER]
        checks.append(above("friction 0: angular grains spread farther than non-convex ones; ratio", 1,
                            spread(smooth["angular"]) / spread(smooth["nonconvex"])))
        checks.append(above("friction 0: slope that remains with angular grains, in degrees", 2, slope(smooth["angular"])))
    runs = [data[f"{kind}_{friction}"] for kind in kinds for friction in FRICTION]
    start = [Assembly.read(data[f"column_{kind}"]) for kind in kinds]
    return checks + [
        below("friction 0: disks collapse to one layer; fraction of them above it", 0.05, upper(smooth["disks"])),
        above("friction 0: slope that remains with non-convex grains, in degrees", 3, slope(smooth["nonconvex"])),
        below("friction 0: non-convex grains have come to rest; final kinetic energy over the largest", 1e-2,
              data["nonconvex_0"]["energy"][-1] / max(data["nonconvex_0"]["energy"])),
        below("largest overlap in the columns and in the heaps, in mean diameters", 5e-3,
              max(grains.overlap() for grains in (*start, *rough.values(), *smooth.values()))),
        above("fraction of steps that converged", 0.99, min(run["converged"] for run in runs)),
        below("largest number of iterations in a step", 40, max(run["iterations"] for run in runs)),
    ]


TEXT = f"""
Grains of the three kinds (number, shapes and sizes as in the biaxial test) have fallen into a box and are at rest
(curves that overlap after the fall are pushed apart by springs of $10^4$, then $10^6$, and come to rest again); then
the right side of the box is removed. The left side is smooth, and the base has a friction of {BASE:g}. The steps are
those of the variational engine with $\\theta = {THETA:g}$, $\\Delta t = {TIME_STEP:g}$, $k_N = 10^8$, $k_T = 2 k_N / 3$
and associated friction. The paper gives neither sizes nor gravity; here the mean diameter and gravity are {GRAVITY:g}.
Without friction the runs continue until the grains are at rest, and for disks until one layer is left. The slope is
that of a line through the heights of the heap out to its spread, which is where the heap first becomes thinner than
half a layer: single disks roll on for ever. The shapes are our own: how strongly the angular ones resist rolling
follows from how much their corners are rounded, which was chosen with small columns in view, so only the slopes of the
disks and of the non-convex grains are independent results.
"""

FIGURE = Figure(paper="variational", figure="Figs. 4.8 to 4.13", title="Collapse of a column of disks, angular and non-convex grains",
                text=TEXT, measure=Parts(stages, make), draw=draw, judge=judge, seconds=3000)
