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

# The scene as it stands in the file, with other values for two of its keys, as -D of the program does.
scene = scree.load_scene(examples / "dam.yaml", time__end=1.2, grains__0__count=400)
print(scene)
print("walls:", ", ".join(scene.wall_names))

# Its steps carry out the events of the scene. What a step did can be looked at after each.
while not scene.finished:
    report = scene.step()
    if scene.news:
        print(scene.news)
        opened = scene.world.time
    if scene.wall("gate").present is False and scene.world.time > opened + 0.25:
        break

world = scene.world
print(f"{len(world)} grains, the fastest at {(world.velocity ** 2).sum(axis=1).max() ** 0.5:.2f} m/s")
scree.plot.save(scree.plot.grains(scene, units={"time": "s", "length/time": "m/s"}), folder / "scene.png",
                dots_per_inch=120)

# The state can be kept, and goes on bit for bit.
twin = scree.World.load(world.save())
twin.step()
world.step()
assert twin.hash() == world.hash()
