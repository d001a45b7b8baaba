"""Scenes in which grains grow: programmes, run files, tables, restarts and starts; what is wrong is told."""
import csv
import io
import unittest

import numpy

from support import ProgramTest, datasets

# Disks of two materials that never touch: the seeds by a rate, then by a factor, the stones not before an event.
SCENE = """\
dimension: 2
time: {step: 0.01, end: 2}
materials:
  seed: {density: 3, growth: {rate: {table: [[0, 0], [1, 0.4]]}}}
  stone: {density: 2}
grains:
  - {position: [0, 0], radius: 0.5, material: seed, spin: 2}
  - {position: [9, 0], radius: 0.25, material: stone, spin: 2}
events:
  - {at: 1, set_growth: {material: seed, factor: {table: [[1, 2], [2, 1.8]]}, keep: mass}}
  - {at: 1.5, set_growth: {material: stone, rate: -0.2}}
output: {every: 0.5}
"""


class Growth(ProgramTest):
    def run_scene(self, scene=SCENE, *words):
        self.write("grow.yaml", scene)
        self.call("run", "grow.yaml", "-q", *words)
        return datasets(self.path / "grow.h5")

    def test_radii_follow_programmes_whatever_the_step(self):
        # the integral of 0.4 t until 0.5 and 1; then a factor from 2 to 1.8; exp(-0.2 / 2) for the stone
        seed = 0.5 * numpy.array([1, numpy.exp(0.05), numpy.exp(0.2), numpy.exp(0.2) * 0.95, numpy.exp(0.2) * 0.9])
        stone = 0.25 * numpy.array([1, 1, 1, 1, numpy.exp(-0.1)])
        for step in (0.01, 0.005):
            found = self.run_scene(SCENE, "--force", "-D", f"time.step={step}")
            radius, mass = found["frames/bodies/radius"], found["frames/bodies/mass"]
            numpy.testing.assert_allclose(radius[:, 0], seed, rtol=1e-12)
            numpy.testing.assert_allclose(radius[:, 1], stone, rtol=1e-12)
            numpy.testing.assert_allclose(mass[:3, 0], 3 * numpy.pi * seed[:3] ** 2, rtol=1e-12)
            numpy.testing.assert_allclose(mass[3:, 0], mass[2, 0], rtol=0)
            numpy.testing.assert_allclose(mass[:, 1], 2 * numpy.pi * stone ** 2, rtol=1e-12)
            numpy.testing.assert_allclose(found["frames/bodies/inertia"], mass * radius ** 2 / 2, rtol=1e-12)
            spin = found["frames/bodies/spin"][:, :, 2]
            numpy.testing.assert_allclose(spin[:, 0], 2 * (seed[2] / seed) ** [0, 0, 0, 2, 2],
                                          rtol=1e-12)
            numpy.testing.assert_allclose(spin[:, 1], 2)
            numpy.testing.assert_array_equal(found["bodies/radius"], [0.5, 0.25])

    def test_tables_have_radii_of_the_frame(self):
        found = self.run_scene()
        rows = list(csv.DictReader(io.StringIO(self.call("table", "grow.h5", "--all").stdout)))
        numpy.testing.assert_allclose([float(row["radius"]) for row in rows], found["frames/bodies/radius"].flat,
                                      rtol=1e-6)

    def test_a_restart_has_the_same_bits(self):
        whole = self.run_scene()
        for end in ("0.5", "1", "1.5"):
            self.run_scene(SCENE, "--force", "-D", f"time.end={end}")
            self.call("run", "grow.yaml", "-q", "--restart", "-D", "time.end=2")
            parts = datasets(self.path / "grow.h5")
            self.assertEqual(set(parts), set(whole))
            for name, values in whole.items():
                if not name.startswith("scene/"):
                    numpy.testing.assert_array_equal(parts[name], values, name)

    def test_a_start_takes_sizes_from_the_frame(self):
        found = self.run_scene()
        for frame in (0, 2, 4):
            self.write("on.yaml", "dimension: 2\ntime: {step: 0.01, end: 0.01}\n"
                       "materials: {seed: {density: 3}, stone: {density: 2}}\n"
                       f"start: {{run: grow.h5, frame: {frame}}}\n")
            self.call("run", "on.yaml", "-q", "--force")
            on = datasets(self.path / "on.h5")
            for name in ("radius", "mass", "inertia"):
                numpy.testing.assert_array_equal(on[f"bodies/{name}"], found[f"frames/bodies/{name}"][frame])

    def test_faults_are_told(self):
        wrong = {
            "materials.seed.growth={rate: 1, factor: {table: [[0, 1], [1, 2]]}}": "either 'rate' or 'factor'",
            "materials.seed.growth={factor: {table: [[0, 1], [1, 0]]}}": "above 0",
            "materials.seed.growth={factor: {amplitude: 1, mean: 1, frequency: 1}}": "above 0",
            "materials.seed.growth={factor: 2}": "makes nothing grow",
            "materials.seed.growth={rate: 11}": "shorter time step",
            "materials.seed.growth={rates: 1}": "rate",
            "materials.stone.restitution=0.5": "restitution",
            "engine=quasistatic": "engine",
            "events.0.set_growth.material=clay": "clay",
            "grains.1={position: [9, 0], shape: s, material: stone}": "disks and spheres",
        }
        self.write("grow.yaml", SCENE + "shapes: {s: {regular: {corners: 5, radius: 0.2}}}\n")
        for change, word in wrong.items():
            told = self.call("check", "grow.yaml", "-D", change, status=65)
            self.assertIn(word, told.stderr, change)


if __name__ == "__main__":
    unittest.main()
