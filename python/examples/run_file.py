#!/usr/bin/env python3
"""A run file: 'scree run' makes it, Python reads it while or after the run. Writes run_file.png and run_file_load.png.

    PYTHONPATH=python python3 python/examples/run_file.py [FOLDER]

The environment variable SCREE names the program; otherwise it is taken from the path or from the build tree.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import matplotlib.pyplot as plt
import numpy as np

import scree
import scree.plot

folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
root = pathlib.Path(__file__).resolve().parents[2]
program = os.environ.get("SCREE") or shutil.which("scree") or str(root / "build" / "release" / "scree")

with tempfile.TemporaryDirectory() as place:
    path = pathlib.Path(place) / "hopper.h5"
    subprocess.run([program, "run", "--quiet", str(root / "examples" / "hopper.yaml"), "-o", str(path)], check=True)

    run = scree.open_run(path)
    print(f"{len(run.radius)} grains, {len(run.frames)} frames, {run.ending}")
    print("materials:", ", ".join(run.material_names), " friction:", run.law(*2 * run.material_names[:1]).friction)

    # The certificate of every step, as one table.
    steps = run.certificate
    print(f"{len(steps)} steps, {np.count_nonzero(steps.converged == 0)} did not converge")
    scree.plot.save(scree.plot.certificate(run, units={"time": "s", "energy": "J"}), folder / "run_file.png",
                    dots_per_inch=120)

    # How much has flowed out, and the load on the floor, frame by frame.
    weight = 9.81 * run.mass.sum()
    below = [run.mass[frame.position[:, 1] < 0.4].sum() / run.mass.sum() for frame in run.frames]
    floor = run.wall_names.index("bin.bottom")
    load = [-frame.walls[floor].load[1] / weight for frame in run.frames]

    with scree.plot.style():
        figure, axes = plt.subplots(figsize=(5.4, 3.0))
        axes.plot(run.times, below, label="mass below the opening, of all")
        axes.plot(run.times, load, label="load on the floor, of the weight")
        axes.set_xlabel("time [s]")
        axes.set_ylim(bottom=0)
        axes.legend()
        scree.plot.save(axes, folder / "run_file_load.png", dots_per_inch=120)
    run.close()
