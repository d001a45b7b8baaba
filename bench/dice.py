#!/usr/bin/env python3
"""Dice of 4, 6, 8, 12 and 20 faces poured into a box without side walls: how densely they lie.

    /usr/bin/python3 bench/dice.py --program build/release/scree --count 400 6 12

Baker and Kudrolli (PRE 82, 061304) fluidized such dice, of plastic, and found that they settle at 0.51, 0.54, 0.52,
0.51 and 0.50, to 0.01: as loosely as they lie at all. Poured ones are to lie above that. All have the volume of a cube
of 16 mm here, and turn at random at first. Takes minutes.
`--cylinder 0.06` pours them into a glass of that radius; what counts then is the middle half of its height, with its
walls.
"""
from __future__ import annotations

import argparse
import csv
import json
import math
import pathlib
import subprocess
import tempfile

FOUND = {4: 0.51, 6: 0.54, 8: 0.52, 12: 0.51, 20: 0.50}
VOLUME = 0.016**3
GOLDEN = (1 + math.sqrt(5)) / 2
# volume of the regular solid in the unit ball
INSCRIBED = {4: 8 * math.sqrt(3) / 27, 6: 8 * math.sqrt(3) / 9, 8: 4 / 3,
             12: (15 + 7 * math.sqrt(5)) / 4 * (2 / (math.sqrt(3) * GOLDEN))**3,
             20: 5 * (3 + math.sqrt(5)) / 12 * (1 / math.sin(2 * math.pi / 5))**3}
SIDE = 0.12

SCENE = """
gravity: [0, 0, -9.81]
time: {{step: {step}, end: {end}}}
seed: {seed}
periodic: {{x: [0, {side}], y: [0, {side}]}}
materials: {{plastic: {{density: 1200, friction: {friction}}}}}
walls: {{floor: {{plane: {{point: [0, 0, 0], normal: [0, 0, 1]}}}}}}
grains:
  - {{count: {count}, {shape},
      fill: {{min: [0, 0, 0], max: [{side}, {side}, {top}]}}}}
output: {{every: {end}}}
"""


def poured(ask: argparse.Namespace, shape: str, volume: float, loose: float, dense: float,
           folder: pathlib.Path) -> dict[str, float]:
    """Measures of what lies between a fifth and seven tenths of the height that the fraction `dense` would have; grains
    begin with the fraction `loose`."""
    area = ask.count * volume / SIDE**2
    scene, run = folder / "poured.yaml", folder / "poured.h5"
    scene.write_text(SCENE.format(step=ask.step, end=ask.end, seed=ask.seed, side=SIDE, friction=ask.friction,
                                  count=ask.count, shape=shape, top=area / loose))
    subprocess.run([ask.program, "run", str(scene), "-o", str(run), "-q", "--force"], check=True)
    height = area / dense
    told = subprocess.run([ask.program, "measure", str(run), "--json", "-r", f":,:,{0.2 * height}:{0.7 * height}"],
                          check=True, capture_output=True, text=True).stdout
    found: dict[str, float] = json.loads(told)["rows"][-1]
    return found


GLASS = """
gravity: [0, 0, -9.81]
time: {{step: 1e-3, end: {end}}}
seed: {seed}
materials: {{plastic: {{density: 1200, friction: {friction}}}}}
walls:
  floor: {{plane: {{point: [0, 0, 0], normal: [0, 0, 1]}}}}
  glass: {{cylinder: {{point: [0, 0, 0], axis: [0, 0, 1], radius: {glass}, side: inside}}}}
grains:
  - {{count: {count}, regular: {{faces: {faces}, radius: {radius}}},
      fill: {{min: [-{side}, -{side}, 0], max: [{side}, {side}, {top}]}}}}
output: {{every: {end}}}
"""


def in_glass(ask: argparse.Namespace, faces: int, folder: pathlib.Path) -> float:
    """The volume of the dice whose middles lie at such heights, over that of the cylinder there."""
    side, base = 0.7 * ask.cylinder, math.pi * ask.cylinder**2
    top = ask.count * VOLUME / (0.12 if faces == 4 else 0.16) / (2 * side)**2
    scene = folder / f"glass{faces}.yaml"
    scene.write_text(GLASS.format(end=ask.end, seed=ask.seed, side=side, friction=ask.friction, count=ask.count,
                                  faces=faces, radius=(VOLUME / INSCRIBED[faces])**(1 / 3), top=top,
                                  glass=ask.cylinder))
    run = scene.with_suffix(".h5")
    subprocess.run([ask.program, "run", str(scene), "-o", str(run), "-q"], check=True)
    told = subprocess.run([ask.program, "table", str(run), "--what", "bodies"], check=True, capture_output=True,
                          text=True).stdout
    height = ask.count * VOLUME / 0.5 / base
    inside = sum(0.2 * height < float(row["z"]) < 0.7 * height for row in csv.DictReader(told.splitlines()))
    return inside * VOLUME / (0.5 * height * base)


def arguments(text: str | None, friction: float) -> argparse.ArgumentParser:
    """What all packings may be asked for."""
    parser = argparse.ArgumentParser(description=text, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="build/release/scree")
    parser.add_argument("--count", type=int, default=400)
    parser.add_argument("--friction", type=float, default=friction)
    parser.add_argument("--step", type=float, default=1e-3)
    parser.add_argument("--end", type=float, default=2.0)
    parser.add_argument("--seed", type=int, default=1)
    return parser


def main() -> None:
    parser = arguments(__doc__, 0.4)
    parser.add_argument("faces", type=int, nargs="*", choices=[[], *FOUND], default=[])
    parser.add_argument("--cylinder", type=float, default=0.0, metavar="RADIUS")
    ask = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for faces in ask.faces or FOUND:
            if ask.cylinder > 0:
                print(f"{faces:2d} faces: {in_glass(ask, faces, pathlib.Path(folder)):.3f} "
                      f"(experiment {FOUND[faces]:.2f})", flush=True)
                continue
            shape = f"regular: {{faces: {faces}, radius: {(VOLUME / INSCRIBED[faces])**(1 / 3)}}}"
            row = poured(ask, shape, VOLUME, 0.12 if faces == 4 else 0.18, 0.5, pathlib.Path(folder))
            print(f"{faces:2d} faces: {row['solid_fraction']:.3f} (experiment {FOUND[faces]:.2f}), "
                  f"{row['coordination']:.2f} partners", flush=True)


if __name__ == "__main__":
    main()
