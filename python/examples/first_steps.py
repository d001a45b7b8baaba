#!/usr/bin/env python3
"""First steps: disks fall into a box. Writes first_steps.png into the folder given (by default this one).

    PYTHONPATH=python python3 python/examples/first_steps.py [FOLDER]
"""
import pathlib
import sys

import numpy as np

import scree
import scree.plot

folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")

# A world in the plane: metres, kilograms and seconds, but any units will do.
world = scree.World(dimension=2, gravity=(0, -9.81), time_step=2e-3)
stone = world.add_material(density=2600, friction=0.5)

# A floor and two walls; normals point towards the grains.
floor = world.add_plane(point=(0, 0), normal=(0, 1))
world.add_plane(point=(0, 0), normal=(1, 0))
world.add_plane(point=(2, 0), normal=(-1, 0))

# Eighty disks of many sizes, on a lattice above the floor, thrown to the right.
random = np.random.default_rng(1)
column, row = np.meshgrid(np.arange(8), np.arange(10))
place = np.column_stack([0.12 + 0.16 * column.ravel(), 0.2 + 0.2 * row.ravel()])
grains = world.add_grains(position=place, radius=random.uniform(0.04, 0.08, len(place)), material=stone,
                          velocity=(1.0, 0.0))

# Arrays are views of the library's own memory: no copies, and they follow the steps.
position = world.position
print(f"the highest grain starts at {position[:, 1].max():.3f}")
reports = world.run(until=0.75)
print(f"after {len(reports)} steps it is at {position[:, 1].max():.3f}")
scree.plot.save(scree.plot.grains(world, units={"length": "m", "time": "s", "length/time": "m/s"}),
                folder / "first_steps.png", dots_per_inch=120)

# Let them come to rest. The floor then carries what friction at the walls does not.
world.run(until=4)
weight = 9.81 * world.mass.sum()
carried = -sum(wall.load[1] for wall in world.walls)
alone = -world.wall(floor).load[1]
print(f"the walls carry {carried / weight:.4f} of the weight, the floor alone {alone / weight:.4f}")
print(f"largest overlap {world.find_overlaps().depth:.1e}, mean number of contacts {world.coordination():.2f}")
assert abs(carried / weight - 1) < 0.02
