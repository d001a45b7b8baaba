#!/usr/bin/env python3
"""A scene file from Python: balls behind a gate that is lifted. Writes scene.png into the folder given.

    PYTHONPATH=python python3 python/examples/scene.py [FOLDER]
"""
import pathlib
import sys

import scree
import scree.plot

folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
examples = pathlib.Path(__file__).resolve().parents[2] / "examples"

# The scene from the file, with some of its values overridden, as with -D of the program.
scene = scree.load_scene(examples / "dam.yaml", {"grains.0.count": 450, "grains.0.radius": {"uniform": [0.05, 0.08]},
                                                 "walls.tank.box.max": [3, 1, 3]})
print(scene)
print("walls:", ", ".join(scene.wall_names))

# Its steps trigger the events of the scene: once the grains have come to rest, the gate is removed.
while scene.wall("gate").present and not scene.finished:
    scene.step()
print(scene.news)
reports = scene.run(until=scene.world.time + 0.5)
print(f"{len(reports)} steps more, {reports.iterations.mean():.0f} sweeps each, largest residual "
      f"{reports.residual.max():.2g}")

world = scene.world
print(f"{len(world)} grains, the fastest at {(world.velocity ** 2).sum(axis=1).max() ** 0.5:.2f} m/s")
scree.plot.save(scree.plot.grains(scene, units={"time": "s", "length/time": "m/s"}), folder / "scene.png",
                dots_per_inch=120)

# The state can be saved, and resumes bit for bit.
twin = scree.World.load(world.save())
twin.step()
world.step()
assert twin.hash() == world.hash()
