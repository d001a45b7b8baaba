"""Grains that grow, in Python: worlds, recordings, scenes."""
import os
import tempfile
import unittest

import numpy as np

import scree


def pair(**given):
    """Two disks that touch."""
    world = scree.World(dimension=2, time_step=0.01, **given)
    world.add_material(density=3)
    world.add_grains(position=[(0, 0), (1, 0)], radius=0.5)
    return world


class Growth(unittest.TestCase):
    def test_a_pair_parts_as_fast_as_it_grows(self):
        world = pair()
        world.set_growth(0.2)
        self.assertEqual(world.growth(), scree.Growth(0.2, "density"))
        report = world.step()
        np.testing.assert_allclose(np.diff(world.velocity[:, 0]), 2 * 0.2 * 0.5, rtol=1e-12)
        np.testing.assert_allclose(world.radius, 0.5 * 1.002, rtol=1e-14)
        np.testing.assert_allclose(world.mass, 3 * np.pi * world.radius ** 2, rtol=1e-13)
        self.assertGreater(report.work_growth, 0)
        world.set_growth(0, material=0)
        world.step()
        np.testing.assert_allclose(world.radius, 0.5 * 1.002, rtol=1e-14)

    def test_recordings_have_the_sizes_of_each_frame(self):
        world = pair()
        world.set_growth(-0.3, keep="mass")
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "pair.h5")
            with world.record(path, every=0.02):
                world.run(0.04)
            with scree.open_run(path) as run:
                self.assertTrue(run.growing)
                for k, frame in enumerate(run.frames):
                    np.testing.assert_allclose(frame.radius, 0.5 * 0.997 ** (2 * k), rtol=1e-13)
                    np.testing.assert_allclose(frame.mass, 0.75 * np.pi, rtol=1e-14)
                    np.testing.assert_allclose(frame.inertia, frame.mass * frame.radius ** 2 / 2, rtol=1e-13)

    def test_sizes_can_be_set(self):
        world = pair()
        world.set_size(1, 0.25)
        world.set_size([0], 0.4, mass=2, inertia=7)
        np.testing.assert_array_equal(world.radius, [0.4, 0.25])
        np.testing.assert_allclose(world.mass, [2, 3 * np.pi / 16], rtol=1e-14)
        np.testing.assert_allclose(world.inertia, [7, 3 * np.pi / 16 / 32], rtol=1e-14)
        for wrong in (0, -1, np.nan):
            with self.assertRaises(scree.ArgumentError):
                world.set_size(0, wrong)

    def test_faults_are_told(self):
        world = pair()
        with self.assertRaisesRegex(scree.ArgumentError, "density"):
            world.set_growth(1, keep="volume")
        with self.assertRaises(scree.Error):
            world.set_growth(1, material=4)
        with self.assertRaises(scree.ArgumentError):
            world.set_growth(np.inf)
        world.set_growth(20)
        with self.assertRaisesRegex(scree.ArgumentError, "time step"):
            world.step()


if __name__ == "__main__":
    unittest.main()
