"""Biaxial compression of disks, angular and non-convex grains in the static limit (Figs. 4.3 to 4.7)."""

from __future__ import annotations

from typing import Any, Callable

import numpy as np

from toolkit import Check, Figure, Parts, above, below, near
from variational import GRAINS, KINDS, STRESS, Assembly, Biaxial, packing

STIFFNESS = {"rigid": np.inf, "1e8": 1e8, "1e6": 1e6, "1e5": 1e5}
FRICTION = ("0.5", "0.3")
COLUMNS = ("axial", "volumetric", "q", "servo", "iterations", "converged", "overlap", "motion", "cuts")
NAMES = {"disks": "disks", "angular": "angular, convex", "nonconvex": "non-convex"}
POROSITY = {"disks": 0.176, "angular": 0.152, "nonconvex": 0.152}


def run_name(kind: str, friction: str, stiffness: str) -> str:
    return f"{kind}_{friction}_{stiffness}"


def stages(quick: bool) -> list[list[str]]:
    runs = [run_name(kind, friction, stiffness) for friction in FRICTION for stiffness in STIFFNESS
            for kind in reversed(KINDS)
            if not quick or stiffness == "rigid" or (friction == "0.5" and stiffness != "1e6")]
    return [[f"packing_{kind}" for kind in reversed(KINDS)], runs]


def make(part: str, quick: bool, done: Callable[[str], dict[str, Any]]) -> dict[str, Any]:
    first, *rest = part.split("_")
    if first == "packing":
        return packing(rest[0], 64 if quick else GRAINS).plain()
    packed = Assembly.read(done(f"packing_{first}"))
    friction, stiffness = rest
    test = Biaxial(packed, float(friction), STIFFNESS[stiffness])
    rows = [test.step() for _ in range(30 if quick else 150)]
    found: dict[str, Any] = {name: [row[name] for row in rows] for name in COLUMNS}
    end = test.end()
    if stiffness == "1e8" and friction == "0.5":  # as in Fig. 4.3
        found["end"] = {**end.plain(), "curves": []}
    return found


# ---------------------------------------------------------------- the picture


def draw(data: dict[str, Any]) -> Any:
    import matplotlib.pyplot as plt

    from scree.plot import PALETTE

    figure = plt.figure(figsize=(9.6, 12.4))
    upper, lower = figure.subfigures(2, 1, height_ratios=(1, 2.1))
    draw_grains(upper.subplots(2, 3), data)
    axes = lower.subplots(4, 4, sharex=True, squeeze=False)
    runs = [data[name] for name in stages(False)[1] if name in data]
    stress, strain = max(max(one["q"]) for one in runs), min(min(one["volumetric"]) for one in runs)
    for column, stiffness in enumerate(STIFFNESS):
        for row, friction in enumerate(FRICTION):
            for kind, colour in zip(KINDS, PALETTE):
                one = data.get(run_name(kind, friction, stiffness))
                if one is None:
                    continue
                axial = [0, *one["axial"]]
                axes[row, column].plot(axial, [0, *one["q"]], linewidth=0.8, color=colour, label=NAMES[kind])
                axes[2 + row, column].plot(axial, [0, *one["volumetric"]], linewidth=0.8, color=colour, label=NAMES[kind])
            axes[row, column].set_ylim(-0.05 * stress, 1.1 * stress)
            axes[2 + row, column].set_ylim(1.1 * strain, -0.1 * strain)
            axes[row, column].set_title(rf"$\mu$ = {friction}, " + ("rigid" if stiffness == "rigid" else f"$k_N$ = {stiffness}"),
                                        fontsize=8)
        axes[3, column].set_xlabel(r"$\varepsilon_a$")
    for row, friction in enumerate(FRICTION):
        axes[row, 0].set_ylabel(r"$\sigma_1 - \sigma_3$")
        axes[2 + row, 0].set_ylabel(rf"$\varepsilon_v$, $\mu$ = {friction}")
    axes[0, 0].legend(fontsize=6.5)
    return figure


def draw_grains(axes: Any, data: dict[str, Any]) -> None:
    """The assemblies at the start and at the end, side by side to one scale."""
    from matplotlib.collections import PolyCollection

    for column, kind in enumerate(KINDS):
        start = Assembly.read(data[f"packing_{kind}"])
        end = Assembly.read({**data[run_name(kind, "0.5", "1e8")]["end"], "curves": start.curves})
        for row, grains in enumerate((start, end)):
            axis = axes[row, column]
            axis.add_collection(PolyCollection(grains.outlines(), facecolors="#c9b79c", edgecolors="black", linewidths=0.15))
            axis.set(xlim=(-0.5, 1.5 * start.width), ylim=(-0.5, start.height + 0.5), aspect="equal", xticks=[], yticks=[])
            axis.axis("off")
            axis.set_title(f"{NAMES[kind]}, " + ("start" if row == 0 else "end"), fontsize=8)


# ---------------------------------------------------------------- the verdict


def late(one: dict[str, Any]) -> float:
    """Mean deviatoric stress over the last third."""
    return float(np.mean(one["q"][2 * len(one["q"]) // 3:]))


def peak(one: dict[str, Any]) -> float:
    """The largest mean deviatoric stress over ten increments: a single one jumps."""
    return float(np.convolve(one["q"], np.full(10, 0.1), "valid").max())


def judge_kind(data: dict[str, Any], kind: str, quick: bool) -> list[Check]:
    """What the text says of each assembly."""
    runs = {name: data[run_name(kind, "0.5", name)] for name in STIFFNESS if run_name(kind, "0.5", name) in data}
    rigid, soft = runs["rigid"], runs["1e5"]
    first = {name: abs(run["q"][0]) / max(rigid["q"][:10]) for name, run in runs.items()}
    who = NAMES[kind]
    return [
        near(f"{who}: initial porosity", POROSITY[kind], Assembly.read(data[f"packing_{kind}"]).porosity,
             0.05 if quick else 0.02),
        below(f"{who}: an initial slope; stress in the first increment at k = 1e5 over that of rigid grains", 0.5,
              first["1e5"] / first["rigid"]),
        near(f"{who}: the same ratio at k = 1e8, close to rigid", 1, first["1e8"] / first["rigid"], 0.3 if quick else 0.05),
        near(f"{who}: peak stress at k = 1e8 over that of rigid grains", 1, peak(runs["1e8"]) / peak(rigid), 0.4 if quick else 0.15),
        above(f"{who}, k = 1e5: compaction comes first; largest volumetric strain", 5e-4, max(soft["volumetric"])),
        below(f"{who}, rigid: no compaction; largest volumetric strain", 5e-4, max(rigid["volumetric"])),
    ]


def judge(data: dict[str, Any], quick: bool) -> list[Check]:
    runs = {name: data[name] for name in stages(quick)[1]}
    packed = {kind: Assembly.read(data[f"packing_{kind}"]) for kind in KINDS}
    checks = [check for kind in KINDS for check in judge_kind(data, kind, quick)]
    if not quick:
        checks.insert(0, near("number of grains", 1520, len(packed["disks"].which), 0))
        for kind in KINDS:
            final = [late(runs[run_name(kind, "0.5", name)]) for name in STIFFNESS]
            checks.append(below(f"{NAMES[kind]}: final strength does not depend on stiffness; standard deviation over mean", 0.15,
                                float(np.std(final) / np.mean(final))))
    for friction in FRICTION[:1] if quick else FRICTION:
        some = [name for name in STIFFNESS if run_name("disks", friction, name) in runs]
        strength = [np.mean([peak(runs[run_name(kind, friction, name)]) for name in some]) for kind in KINDS]
        dilation = [np.mean([-runs[run_name(kind, friction, name)]["volumetric"][-1] for name in some]) for kind in KINDS]
        for what, value in (("peak strength", strength), ("dilatancy", dilation)):
            if quick:
                checks.append(above(f"{what} grows with angularity; mean of angular and non-convex grains over disks", 1,
                                    (value[1] + value[2]) / (2 * value[0])))
                continue
            checks.append(above(f"friction {friction}: {what} grows with angularity; angular grains over disks", 1, value[1] / value[0]))
            checks.append(above(f"friction {friction}: {what} grows with angularity; non-convex over angular grains", 1, value[2] / value[1]))
    rigid = [runs[run_name(kind, "0.5", "rigid")] for kind in KINDS]
    weak = [runs[run_name(kind, "0.3", "rigid")] for kind in KINDS]
    everything = list(runs.values())
    stronger = [peak(a) / peak(b) for a, b in zip(rigid, weak)]
    return checks + [
        # the peak of one packing of 64 grains tells too little
        above("strength grows with friction; mean of the three ratios, friction 0.5 over 0.3", 1, float(np.mean(stronger)))
        if quick else
        above("strength grows with friction; smallest of the three ratios, friction 0.5 over 0.3", 1, min(stronger)),
        below("largest number of iterations in an increment", 35, max(max(one["iterations"]) for one in everything)),
        above("fraction of increments that converged", 1,
              float(np.mean([value for one in everything for value in one["converged"]]))),
        below("largest relative error in the stress on the right wall", 1e-6,
              max(np.abs(one["servo"]).max() for one in everything)),
        below("largest overlap in the initial packings, in mean diameters", 1e-5,
              max(grains.overlap() for grains in packed.values())),
        below("largest overlap of rigid disks", 1e-6, max(rigid[0]["overlap"])),
        below("the same for rigid angular and non-convex grains, median over the increments", 1e-3,
              max(float(np.median(one["overlap"])) for one in rigid[1:])),
        below("the same, largest over all increments", 0.02, max(max(one["overlap"]) for one in rigid[1:] + ([] if quick else weak[1:]))),
    ]


TEXT = f"""
Grains between smooth walls (1520 of them, unless `SCREE_GRAINS` asked for another number; see the first check): the
left and bottom walls are fixed, $\\sigma_3 = {STRESS:g}$ acts on the right wall, and the top wall moves down by 0.0014
of the height in each of 150 increments. Each increment is one static program (4.16) with associated friction and
$k_T = 2 k_N / 3$. There are sixteen shapes of each kind from the [library](nurbs.md#the-library), with mean diameters
from 0.7 to 1.3, and disks of the same diameters, all equally frequent. The packings are compressed by pistons, with a
friction between 0.12 and 0.16 that gives about the paper's porosity; before a test with springs they are brought to
rest under $\\sigma_3$ with those springs. The paper gives no sizes, no shapes and no numerical values for its curves,
so what is judged is what its text says. The stress of a single packing jumps by some 20 % from one increment to the
next, so the peak is taken as the largest mean over ten increments, and the final strength as the mean over the last
third. Where grains would come to overlap as they turn, an increment is made in [strides](variational.md#statics).
"""

FIGURE = Figure(paper="variational", figure="Figs. 4.3 to 4.7", title="Biaxial compression of disks, angular and non-convex grains",
                text=TEXT, measure=Parts(stages, make), draw=draw, judge=judge, seconds=6000)
