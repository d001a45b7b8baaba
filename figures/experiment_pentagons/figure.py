"""What makes pentagons stronger than disks."""

from __future__ import annotations

from typing import Any, Callable

import numpy as np

import scree
from experiments import along_y, block_error, cell_of, compact, contact_parts, deform
from toolkit import Check, Figure, Parts, above, below

GRAINS, RATE, STEP, MOMENTS = 500, 2e-3, 0.1, 100
SIZES = ((0.16, 2.0), (0.34, 1.5), (0.5, 1.0))  # parts of the grains, and their radii over the least one
LEAST = 0.345


def make(part: str, quick: bool, done: Callable[[str], dict[str, Any]]) -> dict[str, Any]:
    def kind(radius: float) -> dict[str, Any]:
        return {"radius": radius} if part == "disks" else {"regular": {"corners": 5, "radius": radius}}

    scene = cell_of([{"count": round(share * GRAINS), **kind(LEAST * size)} for share, size in SIZES],
                    side=(1.9 * GRAINS) ** 0.5, friction=0.05, seed=1)
    compact(scene, still=1e-3, longest=100)
    world = scene.world
    world.set_law(0, 0, friction=0.4)
    world.time_step = STEP
    rows = []
    for _ in deform(scene, "yy", -RATE, "xx", (0.2, 0.5), MOMENTS):
        now, own, k = scree.measures.state(world), scree.measures.anisotropy(world), contact_parts(world)
        single, faces = k["points"] == 1, k["points"] > 1
        rows.append((now.deviator / now.pressure, own.a_n, own.a_t, own.a_c, along_y(k["normal"]), along_y(k["branch"]),
                     along_y(k["branch"][single]), along_y(k["branch"][faces]) if faces.any() else 0.0, faces.mean()))
    names = ("ratio", "a_n", "a_t", "points", "pairs", "branches", "single", "faces", "share")
    return {name: block_error(column) for name, column in zip(names, np.array(rows).T)}


def draw(data: dict[str, Any]) -> Any:
    import matplotlib.pyplot as plt

    shown = {"ratio": "strength", "a_n": "normal\nforces", "a_t": "tangential\nforces", "branches": "fabric:\nbranches",
             "pairs": "fabric:\nnormals", "points": "fabric:\npoints", "single": "fabric: branches\nof single points"}
    picture, axis = plt.subplots(figsize=(7.2, 3.4))
    place = np.arange(len(shown))
    for side, kind in ((-0.2, "disks"), (0.2, "pentagons")):
        found = np.array([data[kind][name] for name in shown])
        axis.bar(place + side, found[:, 0], 0.38, yerr=2 * found[:, 1], label=kind)
    axis.set_xticks(place, list(shown.values()), fontsize=7)
    axis.set_ylabel("anisotropy")
    axis.legend()
    return picture


def judge(data: dict[str, Any], quick: bool) -> list[Check]:
    disks, pentagons = data["disks"], data["pentagons"]

    def over(name: str) -> float:
        return pentagons[name][0] / disks[name][0]

    return [
        above("strength q/p of pentagons over that of disks", 1.2, over("ratio")),
        above("anisotropy of tangential forces, likewise", 2, over("a_t")),
        above("anisotropy of normal forces along branches or normals, likewise", 1, over("a_n")),
        below("anisotropy of the branches of pairs that touch at one point, likewise", 1, over("single")),
        below("anisotropy of the branches of all pairs, likewise", 1, over("branches"))]


TEXT = f"""
{GRAINS} pentagons and as many disks (three sizes 1 : 1.5 : 2, friction 0.4) in a periodic cell are compressed along one axis
at $I={RATE:g}$ while the other bears a constant stress, from a dense state. Azéma, Radjai, Peyroux and Saussine (2007) compared 14,400
of each between walls with contact dynamics: pentagons are stronger, their force anisotropies are higher, but their
fabric is *less* anisotropic. The first two are found here as well. The third depends on what is counted. Sides that
lie on each other bear at two points, and their branch vectors are the most anisotropic by far (0.85); so the fabric is the
more anisotropic the more they count: 0.60 by points, 0.50 by the normals of pairs, 0.34 by the branches of pairs, and
0.17 for the three pairs in four that touch at one point, beside 0.28 for disks. It is not the way of deforming: in simple shear the
branches have 0.33. The rate has a part in it: 0.37 at $I=0.005$, 0.34 at 0.002, 0.32 (0.03) at 0.001, while that of
disks stays.
The strength is made up of these anisotropies exactly ([measures.md](measures.md)), however they are counted.
"""

FIGURE = Figure(paper="experiments", figure="Azéma and others (2007)", title="Pentagons against disks", text=TEXT,
                measure=Parts(lambda quick: [["disks", "pentagons"]], make), draw=draw, judge=judge, seconds=80, small=False)
