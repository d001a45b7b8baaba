#!/usr/bin/env python3
"""One problem, two engines: a ball slides over a floor until it rolls. Writes two_engines.png into the folder given.

    PYTHONPATH=python python3 python/examples/two_engines.py [FOLDER]

A ball set down with the velocity v0 and without spin is braked by friction, v = v0 - mu g t, until it rolls at 5/7 v0,
at the time t = 2 v0 / (7 mu g). Contact dynamics takes rigid bodies and long steps. The soft engine has a spring at
the contact and must resolve its vibration: the stiffer, the shorter its steps.
"""
import pathlib
import sys

import matplotlib.pyplot as plt
import numpy as np

import scree
import scree.plot

folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
SPEED, FRICTION, GRAVITY, RADIUS, MASS, STIFFNESS = 7.0, 0.2, 9.81, 0.5, 1.0, 1e5


def slide(engine: str, time_step: float, **law: float) -> np.ndarray:
    """Times, velocities and spins of the ball, as rows."""
    with scree.World(gravity=(0, 0, -GRAVITY), time_step=time_step, engine=engine) as world:
        world.add_material(friction=FRICTION, **law)
        world.add_plane(point=(0, 0, 0), normal=(0, 0, 1))
        sunk = MASS * GRAVITY / STIFFNESS if engine == "soft" else 0.0  # where spring and weight balance
        world.add_grains((0, 0, RADIUS - sunk), RADIUS, mass=MASS, velocity=(SPEED, 0, 0))
        velocity, spin, rows = world.velocity, world.spin, []
        world.run(until=1.6, progress=lambda now, report: rows.append((report.time, velocity[0, 0], spin[0, 1])))
    return np.array(rows)


rigid = slide("contact_dynamics", 1e-2)
soft = slide("soft", 0.05 * np.pi * np.sqrt(MASS / STIFFNESS), stiffness=STIFFNESS, restitution=0.5)
print(f"contact dynamics: {len(rigid)} steps, soft spheres: {len(soft)} steps")

rolls = 2 * SPEED / (7 * FRICTION * GRAVITY)
for name, rows in (("contact dynamics", rigid), ("soft spheres", soft)):
    print(f"{name}: rolls at {rows[-1, 1] / SPEED:.5f} of the first velocity (5/7 = {5 / 7:.5f})")
    assert abs(rows[-1, 1] / SPEED - 5 / 7) < 5e-3

with scree.plot.style():
    figure, axes = plt.subplots(figsize=(5.4, 3.4))
    time = np.array([0, rolls, 1.6])
    axes.plot(time, [SPEED, 5 / 7 * SPEED, 5 / 7 * SPEED], color=scree.plot.PALETTE[0], label="velocity, theory")
    axes.plot(time, [0, 5 / 7 * SPEED, 5 / 7 * SPEED], color=scree.plot.PALETTE[1], label="spin × radius, theory")
    for rows, mark, name in ((rigid[::8], "o", "contact dynamics"), (soft[40::len(soft) // 20], "+", "soft spheres")):
        axes.plot(rows[:, 0], rows[:, 1], mark, color=scree.plot.PALETTE[0], markerfacecolor="none", label=name)
        axes.plot(rows[:, 0], RADIUS * rows[:, 2], mark, color=scree.plot.PALETTE[1], markerfacecolor="none")
    axes.axvline(rolls, color="#7b828c", linewidth=0.7, linestyle=(0, (4, 3)))
    axes.annotate("rolls", (rolls, 0.6), xytext=(4, 0), textcoords="offset points", color="#7b828c")
    axes.set_xlabel("time [s]")
    axes.set_ylabel("velocity [m/s]")
    axes.set_ylim(0, 7.4)
    axes.legend(loc="lower right")
    scree.plot.save(axes, folder / "two_engines.png", dots_per_inch=120)
