"""Bonds in Python: of worlds, and of frames of their recordings."""
import os
import tempfile
import unittest

import numpy as np

import scree


def row(count, **bonds):
    """Spheres of mass 1 that hang on a first one, without loads yet."""
    world = scree.World(gravity=(0, 0, -2), time_step=1e-2)
    stone = world.add_material(friction=0.5)
    world.add_grains(position=[(0, 0, -0.2 * k) for k in range(count)], radius=0.1, mass=1, material=stone)
    world.set_frozen(0, scree.Freeze.ALL)
    made = world.add_bonds(**bonds)
    return world, made


class Bonds(unittest.TestCase):
    def test_loads_are_the_weights_below(self):
        world, made = row(5, tension=100, shear=50)
        self.assertEqual(made, 4)
        world.run(0.03)
        bonds = world.bonds
        self.assertEqual(list(bonds.number), [0, 1, 2, 3])
        np.testing.assert_allclose(bonds.load, 2 * np.arange(4, 0, -1) / 100, rtol=1e-3)
        np.testing.assert_allclose(bonds.bending, 100 * 0.1 / 4)
        np.testing.assert_allclose(bonds.torsion, 50 * 0.1 / 2)
        self.assertEqual((world.bonds_made, world.bonds_broken), (4, 0))
        np.testing.assert_array_equal(world.fragment, 0)

    def test_recordings_have_bonds_and_fragments(self):
        world, _ = row(4, tension=5, shear=5)  # bears less than the weight of three, 6
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "row.h5")
            with world.record(path, every=0.02):
                world.run(0.04)
            with scree.open_run(path) as run:
                self.assertTrue(run.bonds)
                self.assertEqual(list(run.certificate.broken), [1, 0, 0, 0])
                np.testing.assert_array_equal(run.frames[0].fragment, 0)
                last = run.frames[-1]
                np.testing.assert_array_equal(last.fragment, [0, 1, 1, 1])
                np.testing.assert_array_equal(last.fragment, world.fragment)
                np.testing.assert_array_equal(np.sort(last.bonds.number), [1, 2])
                np.testing.assert_allclose(last.bonds.tension, 5)
        self.assertEqual(world.bonds_broken, 1)

    def test_pairs_materials_and_removal(self):
        world, made = row(4, pair=(1, 2), tension=1, shear=1)
        self.assertEqual(made, 1)
        self.assertEqual(world.add_bonds(between=0, tension=1, shear=1), 2)
        world.remove_bonds()
        self.assertEqual((len(world.bonds), world.bonds_made, world.bonds_broken), (0, 3, 0))
        np.testing.assert_array_equal(world.fragment, np.arange(4))

    def test_wrong_arguments_are_told(self):
        world, _ = row(3, pair=(1, 2), tension=1, shear=1)
        for words, given in (("tenson", {"tenson": 1}), ("shear", {"tension": 1}),
                             ("touch", {"pair": (0, 2), "tension": 1, "shear": 1})):
            with self.assertRaisesRegex(scree.ArgumentError, words):
                world.add_bonds(**given)


if __name__ == "__main__":
    unittest.main()
