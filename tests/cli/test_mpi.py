"""Runs that several processes make together, under mpirun."""
import os
import pathlib
import signal
import subprocess
import time
import unittest

import numpy

from support import PROGRAM, ProgramTest, datasets

SCENE = """
gravity: [0, 0, -300]
time: {step: 5e-4, end: 0.01}
materials: {grain: {density: 2500, friction: 0.4}}
walls:
  tank: {box: {min: [0, 0, 0], max: [0.2, 0.06, 1]}, open: top}
  lid: {plane: {point: [0, 0, 0.2], normal: [0, 0, -1]}, piston: {mass: 1, force: [0, 0, -200]}}
grains:
  - {radius: {uniform: [0.004, 0.006]}, count: 900, fill: {min: [0, 0, 0], max: [0.2, 0.06, 0.15]}}
solver: {iterations: 30}
output: {every: 0.005, checkpoint_seconds: 0.05}
measures: {all: {every: 3}}
"""

SHAPES = """
dimension: 2
gravity: [0, -9.81]
time: {step: 1e-3, end: 0.05}
materials: {gravel: {density: 2600, friction: 0.5}}
walls:
  tank: {box: {min: [0, 0], max: [1.5, 7]}, open: top}
grains:
  - {random_polygon: {corners: [5, 8], radius: {uniform: [0.02, 0.04]}}, count: 200, velocity: [0, -3],
     fill: {min: [0, 0], max: [1.5, 0.8]}}
  - {radius: 0.4, at: [[0.7, 1.3]], velocity: [0, -8]}
output: {every: 0.01, checkpoint_seconds: 0.05}
"""


def mpirun(count):
    return ["mpirun", "--allow-run-as-root", "--oversubscribe", "--mca", "btl_vader_single_copy_mechanism", "none",
            "--mca", "mpi_yield_when_idle", "1", "-n", str(count), PROGRAM]


class Processes(ProgramTest):
    def setUp(self):
        super().setUp()
        (self.path / "scene.yaml").write_text(SCENE)

    def together(self, count, *words, **options):
        return subprocess.run(mpirun(count) + list(words), cwd=self.path, capture_output=True, text=True, timeout=500,
                              check=False, **options)

    def same(self, one, other):
        expected, got = datasets(self.path / one), datasets(self.path / other)
        self.assertEqual(set(got), set(expected))
        for key, value in expected.items():
            numpy.testing.assert_array_equal(got[key], value, err_msg=key)

    def test_any_number_gives_the_same_run(self):
        self.call("run", "scene.yaml", "-q", "-o", "one.h5")
        for count in (2, 3, 4):
            done = self.together(count, "run", "scene.yaml", "-q", "-o", f"{count}.h5")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.same("one.h5", f"{count}.h5")

    def test_shapes_and_giants_are_shared(self):
        (self.path / "scene.yaml").write_text(SHAPES)
        self.call("run", "scene.yaml", "-q", "-o", "one.h5")
        done = self.together(3, "run", "scene.yaml", "-o", "3.h5")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("by each process", done.stderr)
        self.same("one.h5", "3.h5")

    def test_another_number_resumes(self):
        """Killed on its way, all at once by the death of one, and resumed by another number of processes."""
        words = ["run", "scene.yaml", "-q", "-D", "time.end=0.03"]
        self.call(*words, "-o", "one.h5")
        process = subprocess.Popen(mpirun(3) + words + ["-o", "run.h5"], cwd=self.path, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        deadline = time.monotonic() + 30
        while not (self.path / "run.h5.checkpoint").exists() and time.monotonic() < deadline:
            time.sleep(0.01)
        for child in pathlib.Path("/proc").glob("[0-9]*/stat"):
            fields = child.read_text().rpartition(")")[2].split()
            name = (child.parent / "comm").read_text().strip()
            if int(fields[1]) == process.pid and name == "scree":
                os.kill(int(child.parent.name), signal.SIGKILL)
                break
        _, told = process.communicate(timeout=60)
        self.assertNotEqual(process.returncode, 0, told)
        self.assertIn("signal 9", told)
        done = self.together(2, *words, "-o", "run.h5", "--restart")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.same("one.h5", "run.h5")

    def test_errors_are_told_once(self):
        (self.path / "bad.yaml").write_text(SCENE.replace("gravity", "gravitty"))
        done = self.together(3, "run", "bad.yaml", "-q")
        self.assertNotEqual(done.returncode, 0)
        self.assertEqual(done.stderr.count("unknown key"), 1, done.stderr)
        (self.path / "run.h5").write_text("in the way")
        done = self.together(2, "run", "scene.yaml", "-q", "-o", "run.h5")
        self.assertNotEqual(done.returncode, 0)
        self.assertEqual(done.stderr.count("already exists"), 1)


if __name__ == "__main__":
    unittest.main()
