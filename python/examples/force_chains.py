#!/usr/bin/env python3
"""Force chains in a packing under a piston, and how forces are distributed.
Writes force_chains.png and force_distribution.png into the folder given.

    PYTHONPATH=python python3 python/examples/force_chains.py [FOLDER]
"""
import pathlib
import sys

import numpy as np

import scree
import scree.plot

folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
random = np.random.default_rng(4)

# The piston presses; gravity is so weak that it only brings loose grains to rest. Periodic from
# left to right, so that no side walls disturb.
world = scree.World(dimension=2, gravity=(0, -0.02), time_step=1e-2, periodic={"x": (0, 32)},
                    solver={"tolerance": 1e-3, "iterations": 5000})
disk = world.add_material(density=1, friction=0.3)
world.add_plane(point=(0, 0), normal=(0, 1))
column, row = np.meshgrid(np.arange(16), np.arange(16))
place = np.column_stack([1 + 2 * column.ravel() + row.ravel() % 2, 1 + 1.8 * row.ravel()])
place += random.uniform(-0.25, 0.25, place.shape)
world.add_grains(place, random.uniform(0.45, 0.7, len(place)), material=disk, velocity=random.normal(0, 1, place.shape))
lid = world.add_plane(point=(0, place[:, 1].max() + 1), normal=(0, -1), mass=40, force=(0, -32))

# Until the packing is at rest, except for a grain that may rattle in a hole.
while world.kinetic_energy() > 2e-3 or world.steps < 500:
    reports = world.step(50)
    assert world.time < 60
reports = world.step(1000)  # the lid is heavy and oscillates a little longer
contacts = world.contacts
active = contacts[contacts.state != scree.ContactState.OPEN]
print(f"at rest at {world.time:.2f}: {len(active)} contacts carry forces, {reports.sliding[-1]} of them slide")

# The piston's force is handed down: each row of the stress tensor is the sum of force times branch.
held = contacts[contacts.b == -1 - lid]
print(f"the lid carries {held.force_normal.sum():.4f}")
assert abs(held.force_normal.sum() - 32) < 0.05

scree.plot.save(scree.plot.chains(world, title="Force chains under a piston"), folder / "force_chains.png",
                dots_per_inch=120)
scree.plot.save(scree.plot.forces(world), folder / "force_distribution.png", dots_per_inch=120)
