#!/usr/bin/env python3
"""Rocks of 20 faces fall into a box and settle: Scree beside the convex hulls of Bullet.

    bench/peers/rocks.py [--count 1000] [--build DIR] [-o RESULT.json]

Both get the same hulls, places and step, and simulate the same time on one core. Poses are taken ten times over the
run, in both, and judged by one function: Scree's own measure of how deep two bodies lie in each other, which is
exact for convex polyhedra. Bullet takes its own tensor of inertia, that of a box around the hull.
"""
from __future__ import annotations

import argparse
import json
import math
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))

import programs  # noqa: E402

import scree  # noqa: E402

STEP, SAMPLES, FRICTION = 1 / 200, 10, 0.5
#: Bullet's iterations, and the margin around its hulls in sizes of a rock: its own, and a small one.
BULLET = ("iterations=10 margin=0.04", "iterations=10 margin=0.005", "iterations=50 margin=0.005")


def hulls(count: int) -> list[Any]:
    """Vertices of rocks whose sieve size is 1; a hundred differ, then they come again."""
    return [scree.solids.rock(20, 1.0, elongation=1.2, seed=seed) for seed in range(min(count, 100))]


def places(count: int) -> tuple[Any, Any, float]:
    """Places on a loose lattice that is twice as high as wide, with random rotations; the width of the box."""
    random = np.random.default_rng(1)
    spacing = 1.75
    across = max(2, round((count / 2) ** (1 / 3)))
    k = np.arange(count)
    lattice = np.stack([k % across, k // across % across, k // across**2], axis=1)
    turns = random.normal(size=(count, 4))
    turns /= np.linalg.norm(turns, axis=1, keepdims=True)
    return spacing * (lattice + 0.5 + 0.04 * random.uniform(-1, 1, (count, 3))), turns, spacing * across


def world_of(position: Any, turns: Any, width: float) -> scree.World:
    world = scree.World(dimension=3, gravity=(0, 0, -9.81), time_step=STEP, threads=1)
    stone = world.add_material(density=1.0, friction=FRICTION)
    for point, normal in (((0, 0, 0), (0, 0, 1)), ((0, 0, 0), (1, 0, 0)), ((0, 0, 0), (0, 1, 0)),
                          ((width, width, 0), (-1, 0, 0)), ((width, width, 0), (0, -1, 0))):
        world.add_plane(point=point, normal=normal)
    shapes = [world.add_solid(hull) for hull in hulls(len(position))]
    world.add_grains(position, shape=[shapes[i % len(shapes)] for i in range(len(position))], material=stone,
                     orientation=turns)
    return world


def times(p: Any, q: Any) -> Any:
    """The rotations p after q."""
    (a, b, c, d), (e, f, g, h) = p.T, q.T
    return np.stack([a * e - b * f - c * g - d * h, a * f + b * e + c * h - d * g, a * g - b * h + c * e + d * f,
                     a * h + b * g - c * f + d * e], axis=1)


def judged(position: Any, turns: Any, width: float) -> tuple[float, int, float]:
    """The deepest overlap of poses, how many pairs overlap by more than rounding, and the mean height."""
    found = world_of(position, turns, width).find_overlaps()
    return found.depth, found.count, float(np.mean(position[:, 2]))


def row_of(name: str, setting: str, seconds: float, poses: list[tuple[Any, Any]], width: float) -> dict[str, Any]:
    depths = [judged(*pose, width) for pose in poses]
    return {"program": name, "setting": setting, "seconds": seconds, "overlap_max": max(d for d, _, _ in depths),
            "overlap_end": depths[-1][0], "height_end": depths[-1][2]}


def run_scree(position: Any, turns: Any, width: float, duration: float) -> dict[str, Any]:
    world, poses, spent = world_of(position, turns, width), [], 0.0
    for k in range(1, SAMPLES + 1):
        begin = time.process_time()
        world.run(until=duration * k / SAMPLES)
        spent += time.process_time() - begin
        poses.append((np.array(world.position), np.array(world.orientation)))
    return row_of("Scree", "no setting", spent, poses, width)


def run_bullet(setting: str, position: Any, turns: Any, width: float, duration: float, build: Path) -> dict[str, Any]:
    folder = build / "peers"
    world = world_of(position, turns, width)
    lines = [f"{len(position)} {width!r}"]
    for (part,), place, mass in zip(world.meshes, np.array(world.position), np.array(world.mass)):
        lines.append(" ".join(repr(float(x)) for x in (mass, *place)) + f" {len(part.vertices)}")
        lines += [" ".join(repr(float(x)) for x in p - place) for p in part.vertices]
    (folder / "rocks.txt").write_text("\n".join(lines) + "\n")
    command = [str(folder / "bullet_rocks"), str(folder / "rocks.txt"), str(folder / "poses.txt"), repr(STEP),
               str(round(duration / STEP)), str(SAMPLES), *setting.split()]
    said = programs.json_lines(programs.call(command, 3600))[0]
    poses = np.loadtxt(folder / "poses.txt").reshape(SAMPLES, len(position), 7)
    return row_of("Bullet", setting, said["seconds"], [(p[:, :3], times(p[:, 3:], turns)) for p in poses], width)


def compile_driver(build: Path) -> None:
    folder = build / "peers"
    folder.mkdir(parents=True, exist_ok=True)
    flags = subprocess.run(["pkg-config", "--cflags", "--libs", "bullet"], capture_output=True, text=True)
    if flags.returncode != 0:
        raise programs.Failure("Bullet is not installed (package libbullet-dev)")
    subprocess.run(["c++", "-std=c++17", "-O2", str(programs.HERE / "bullet_rocks.cpp"), *flags.stdout.split(), "-o",
                    str(folder / "bullet_rocks")], check=True)


def compare(count: int, build: Path) -> dict[str, Any]:
    position, turns, width = places(count)
    highest = float(position[:, 2].max())
    duration = round(math.sqrt(2 * highest / 9.81) + 1.5, 1)  # the uppermost falls, then there is time to settle
    rows = [run_scree(position, turns, width, duration)]
    try:
        compile_driver(build)
        rows += [run_bullet(setting, position, turns, width, duration, build) for setting in BULLET]
    except programs.Failure as error:
        print(f"left out: {error}", file=sys.stderr)
    return {"count": count, "step": STEP, "duration": duration, "rows": rows}


def table(result: dict[str, Any]) -> str:
    lines = [f"{result['count']:,} rocks of 20 faces fall into a box and settle: {result['duration']:g} s in steps of "
             f"{result['step']:g} s; overlaps in sizes of a rock", "",
             f"{'program':10} {'setting':32} {'CPU s':>8} {'largest overlap':>16} {'at the end':>11} {'mean height':>12}"]
    for row in result["rows"]:
        lines.append(f"{row['program']:10} {row['setting']:32} {row['seconds']:8.1f} {row['overlap_max']:16.1e} "
                     f"{row['overlap_end']:11.1e} {row['height_end']:12.3f}")
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description="Rocks of 20 faces fall into a box: Scree beside Bullet's hulls")
    parser.add_argument("--count", type=int, default=1000, help="how many; 10000 take most of an hour")
    parser.add_argument("--build", type=Path, default=programs.ROOT / "build" / "release", help="where the driver goes")
    parser.add_argument("-o", "--output", type=Path, help="the numbers as JSON")
    options = parser.parse_args()
    result = compare(options.count, options.build.resolve())
    print(table(result))
    if options.output:
        options.output.write_text(json.dumps(result, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
