"""YADE: springs with Cundall and Strack's friction, and its usual damping of all motion; run by yade itself:

    yade -n -x -j1 yade_spheres.py STATE OUT WARM MEASURED stiffness=K
"""
# The names O, utils, sphere, ... are put there by yade.
import json
import math
import sys
import time

BLOCKS = 5
state, out, warm, measured = sys.argv[1], sys.argv[2], float(sys.argv[3]), float(sys.argv[4])
setting = dict(text.split("=") for text in sys.argv[5:])
stiffness = float(setting["stiffness"])

with open(state) as file:
    dimension, count, width = file.readline().split()
    grains = [tuple(map(float, line.split())) for line in file]
radius = grains[0][3]
mass = 4 / 3 * math.pi * radius ** 3

# The spring between two equal spheres is young times radius; `poisson` is the ratio of the tangential one.
stuff = O.materials.append(FrictMat(young=stiffness / radius, poisson=2 / 7, frictionAngle=math.atan(0.5), density=1))
for axis in range(3):
    O.bodies.append(utils.wall(0, axis=axis, sense=1, material=stuff))
for axis in range(2):
    O.bodies.append(utils.wall(float(width), axis=axis, sense=-1, material=stuff))
ids = [O.bodies.append(sphere((x, y, z), r, material=stuff)) for x, y, z, r in grains]

O.engines = [
    ForceResetter(),
    InsertionSortCollider([Bo1_Sphere_Aabb(), Bo1_Wall_Aabb()], verletDist=0.1 * radius),
    InteractionLoop([Ig2_Sphere_Sphere_ScGeom(), Ig2_Wall_Sphere_ScGeom()], [Ip2_FrictMat_FrictMat_FrictPhys()],
                    [Law2_ScGeom_FrictPhys_CundallStrack()]),
    NewtonIntegrator(gravity=(0, 0, -9.81), damping=0.2),
]
O.dt = math.pi * math.sqrt(mass / 2 / stiffness) / 20  # a twentieth of a collision, as for the others

O.run(round(warm / O.dt), wait=True)
steps, seconds = max(1, round(measured / O.dt / BLOCKS)), []
for _ in range(BLOCKS):
    begin = time.process_time()
    O.run(steps, wait=True)
    seconds.append(time.process_time() - begin)

with open(out, "w") as file:
    print(dimension, count, width, file=file)
    for i in ids:
        x, r = O.bodies[i].state.pos, O.bodies[i].shape.radius
        print(repr(x[0]), repr(x[1]), repr(x[2]), r, file=file)
print(json.dumps({"simulated": steps * O.dt, "steps": steps, "cpu": seconds, "contacts": O.interactions.countReal()}))
