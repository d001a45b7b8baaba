#!/usr/bin/env python3
"""Masonry over many steps: what stands must not creep.

    PYTHONPATH=python /usr/bin/python3 bench/masonry.py wall --steps 10000
    PYTHONPATH=python /usr/bin/python3 bench/masonry.py cards --steps 2000

`wall` is a wall of about 500 blocks in running bond, with half blocks at its ends; `dome` is a dome of rings of
blocks, closed by a round stone; `cards` a house of cards in three storeys. Each row tells how far any block has come from
where it was put, its largest speed, and what the last step took.
"""
from __future__ import annotations

import argparse
import math
import time

import numpy as np

import scree

GRAVITY = 9.81


def ground(ask: argparse.Namespace, friction: float) -> scree.World:
    """An empty world with a floor."""
    solver = {} if ask.tolerance is None else {"tolerance": ask.tolerance, "iterations": 20000}
    world = scree.World(dimension=3, gravity=(0, 0, -GRAVITY), time_step=ask.time_step, solver=solver)
    world.add_material(density=2000, friction=friction)
    world.add_plane(point=(0, 0, 0), normal=(0, 0, 1))
    return world


def wall(ask: argparse.Namespace) -> scree.World:
    """Courses in running bond: blocks of 0.4 x 0.2 x 0.2, every other course shifted by half a block."""
    world = ground(ask, 0.6)
    whole, half = (world.add_solid(scree.solids.box((x, 0.2, 0.2))) for x in (0.4, 0.2))
    place: list[tuple[float, float, float]] = []
    shape: list[int] = []
    for course in range(ask.courses):
        z = 0.1 + 0.2 * course
        if course % 2 == 0:
            row = [(0.4 * k, whole) for k in range(ask.blocks)]
        else:
            row = [(-0.1, half), *((0.4 * k + 0.2, whole) for k in range(ask.blocks - 1)),
                   (0.4 * ask.blocks - 0.3, half)]
        place += [(x, 0.0, z) for x, _ in row]
        shape += [kind for _, kind in row]
    world.add_grains(position=place, shape=shape)
    return world


def ring_block(low: tuple[float, float], high: tuple[float, float], angles: tuple[float, float],
               thickness: float) -> np.ndarray:
    """Between two radial joints and two cones: (radius, elevation) of its middle at the lower and the upper joint."""
    corners = []
    for radius, elevation in (low, high):
        for out in (-thickness / 2, thickness / 2):
            r = radius + out
            for turn in angles:
                corners.append((r * math.cos(elevation) * math.cos(turn), r * math.cos(elevation) * math.sin(turn),
                                r * math.sin(elevation)))
    return np.array(corners)


def dome(ask: argparse.Namespace) -> scree.World:
    """Half a sphere of middle radius 1: rings of equal height in angle, whose joints continue from ring to ring."""
    world = ground(ask, 0.6)
    rings, blocks, thickness, top = 9, 16, 0.12, math.radians(80)
    for ring in range(rings):
        low, high = top * ring / rings, top * (ring + 1) / rings
        width = 2 * math.pi / blocks
        part = world.add_solid(ring_block((1, low), (1, high), (-width / 2, width / 2), thickness))
        solid = world.solids[part]
        turns = [k * width for k in range(blocks)]
        centre = np.array([(solid.centroid[0] * math.cos(t) - solid.centroid[1] * math.sin(t),
                            solid.centroid[0] * math.sin(t) + solid.centroid[1] * math.cos(t), solid.centroid[2])
                           for t in turns])
        world.add_grains(position=centre, shape=part,
                         orientation=[(math.cos(t / 2), 0, 0, math.sin(t / 2)) for t in turns])
    stone = [(r * math.cos(top) * math.cos(t), r * math.cos(top) * math.sin(t), r * math.sin(top))
             for r in (1 - thickness / 2, 1 + thickness / 2)
             for t in (2 * math.pi * (k + 0.5) / blocks for k in range(blocks))]
    part = world.add_solid(stone)
    world.add_grains(position=[world.solids[part].centroid], shape=part)
    return world


def cards(ask: argparse.Namespace) -> scree.World:
    """Three storeys of cards, 1 long, 0.6 wide and 0.01 thick, that lean on each other at 20 degrees."""
    world = ground(ask, 0.6)
    lean, thick = 0.35, 0.01
    rise, out = math.cos(lean) + thick * math.sin(lean), 0.5 * (math.sin(lean) + thick * math.cos(lean))
    card, flat = (world.add_solid(scree.solids.box(size)) for size in ((thick, 0.6, 1), (1, 0.6, thick)))
    for storey in range(3):
        pairs, floor = 3 - storey, storey * (rise + thick)
        for k in range(pairs):
            x = k - 0.5 * (pairs - 1)
            for side in (-1, 1):
                world.add_grains(position=[(x + side * out, 0, floor + 0.5 * rise)], shape=card,
                                 orientation=[(math.cos(lean / 2), 0, -side * math.sin(lean / 2), 0)])
        for k in range(pairs - 1):
            world.add_grains(position=[(k - 0.5 * (pairs - 2), 0, floor + rise + 0.5 * thick)], shape=flat)
    return world


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("wall", "dome", "cards"))
    parser.add_argument("--steps", type=int, default=1000)
    parser.add_argument("--every", type=int, default=0, help="steps between two rows; a tenth of all")
    parser.add_argument("--time-step", type=float, default=1e-3)
    parser.add_argument("--tolerance", type=float, help="of the solver, with 20,000 sweeps; default: its own")
    parser.add_argument("--courses", type=int, default=20, help="of the wall")
    parser.add_argument("--blocks", type=int, default=25, help="in each course of the wall")
    ask = parser.parse_args()
    world = {"wall": wall, "dome": dome, "cards": cards}[ask.what](ask)
    start, begin = np.array(world.position), time.process_time()
    print(f"{len(start)} blocks")
    print("   step      farthest         speed  contacts  sweeps  residual   seconds")
    for step in range(1, ask.steps + 1):
        report = world.step()
        if step % (ask.every or max(1, ask.steps // 10)) == 0:
            farthest = np.linalg.norm(np.array(world.position) - start, axis=1).max()
            speed = np.linalg.norm(np.array(world.velocity), axis=1).max()
            print(f"{step:7d}  {farthest:12.4g}  {speed:12.4g}  {report.contacts:8d}  {report.iterations:6d}"
                  f"  {report.residual:8.1e}  {time.process_time() - begin:8.1f}", flush=True)


if __name__ == "__main__":
    main()
