#!/usr/bin/env python3
"""Polygons: two arches of wedges, one thick enough to stand and one too thin, and non-convex hooks.
Writes arches.png and hooks.png into the folder given.

    PYTHONPATH=python python3 python/examples/polygons.py [FOLDER]
"""
import pathlib
import sys

import numpy as np

import scree
import scree.plot

folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")


def add_arch(world, middle, thickness, wedges=15):
    """A semicircular arch of radius 1; gives the numbers of its grains."""
    numbers = []
    for angle in np.linspace(0, np.pi, wedges + 1)[:-1]:
        ends = np.array([angle, angle + np.pi / wedges])
        inner, outer = (radius * np.column_stack([np.cos(ends), np.sin(ends)])
                        for radius in (1 - thickness / 2, 1 + thickness / 2))
        shape = world.add_shape(np.vstack([inner, outer[::-1]]))
        # A shape may be given relative to any origin; a grain's position is that of its centroid.
        numbers += world.add_grains(np.array([middle, 0, 0]) + world.shapes[shape].centroid, shape=shape)
    return numbers


# An arch whose stones cannot slide stands if it is thicker than 0.1075 of its radius (Heyman 1969):
# only then does the line of thrust fit inside.
world = scree.World(dimension=2, gravity=(0, -9.81), time_step=1e-3, solver={"tolerance": 1e-4, "iterations": 20000})
world.add_material(density=2400, friction=1.0)
floor = world.add_plane(point=(0, 0), normal=(0, 1))
thick, thin = add_arch(world, 0, 0.16), add_arch(world, 2.6, 0.08)
before = world.position.copy()
world.run(until=0.35)
moved = np.linalg.norm(world.position - before, axis=1)
print(f"after {world.time:.2f}: the thick arch has moved by {moved[thick].max():.1e}, the thin one by "
      f"{moved[thin].max():.2f}")
assert moved[thick].max() < 1e-3 and moved[thin].max() > 0.1

# Two wedges touch at two points. The line of thrust is where the sum of their forces acts.
axes = scree.plot.grains(world, "#dcd6c8", title="Arches, 0.16 and 0.08 of the radius thick; the line of thrust")
held = world.contacts[np.isin(world.contacts.a, thick)]
pairs, which = np.unique(np.column_stack([held.a, held.b]), axis=0, return_inverse=True)
force, moment = np.zeros(len(pairs)), np.zeros((len(pairs), 2))
np.add.at(force, which, held.force_normal)
np.add.at(moment, which, held.force_normal[:, None] * held.point[:, :2])
thrust = moment / force[:, None]
axes.plot(*thrust[np.argsort(thrust[:, 0])].T, "o-", color="#d55e00", markersize=3, zorder=5)
scree.plot.save(axes, folder / "arches.png", dots_per_inch=120)

# Hooks, rounded triangles and dumbbells fall into a box. A grain is all points within the rounding
# of its polygon.
world = scree.World(dimension=2, gravity=(0, -9.81), time_step=2e-3)
world.add_material(density=2400, friction=0.5)
for point, normal in (((0, 0), (0, 1)), ((0, 0), (1, 0)), ((3, 0), (-1, 0))):
    world.add_plane(point, normal)
hook = world.add_shape([(0, 0), (0.3, 0), (0.3, 0.1), (0.1, 0.1), (0.1, 0.3), (0, 0.3)])
chip = world.add_shape([(0, 0), (0.2, 0), (0.1, 0.18)], rounding=0.04)
dumbbell = world.add_shape([(0, 0)], [(0.25, 0)], [(0, 0), (0.25, 0)], rounding=[0.1, 0.1, 0.04])
random = np.random.default_rng(2)
column, row = np.meshgrid(np.arange(7), np.arange(10))
place = np.column_stack([0.25 + 0.41 * column.ravel(), 0.3 + 0.42 * row.ravel()])
kinds = random.choice([hook, chip, dumbbell], len(place))
world.add_grains(place, shape=kinds, angle=random.uniform(0, 2 * np.pi, len(place)))
world.run(until=2)

contacts = world.contacts[world.contacts.state != scree.ContactState.OPEN]
pairs = len(set(zip(contacts.a.tolist(), contacts.b.tolist())))
print(f"{len(contacts)} contact points of {pairs} pairs; the highest corner is at "
      f"{world.corners.position[:, 1].max():.2f}, the largest overlap {world.find_overlaps().depth:.1e}")
assert pairs < len(contacts)
scree.plot.save(scree.plot.grains(world, kinds, legend=False), folder / "hooks.png", dots_per_inch=120)
