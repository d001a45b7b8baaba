"""Tables for pandas and xarray; and the examples in the docstrings of the whole package."""
import doctest
import importlib
import os
import pathlib
import pkgutil
import tempfile
import unittest

import numpy as np

import scree
from support import EXAMPLES, balls, run_scene, write_heap

try:
    import pandas
except ImportError:
    pandas = None
try:
    import xarray
except ImportError:
    xarray = None

PANDAS = doctest.register_optionflag("PANDAS")  # examples that need it


class Tables(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.holder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.holder.cleanup)
        cls.folder = pathlib.Path(cls.holder.name)
        cls.run_path = run_scene(write_heap(cls.folder), cls.folder)

    def setUp(self):
        self.run_file = scree.open_run(self.run_path)
        self.addCleanup(self.run_file.close)


@unittest.skipUnless(pandas, "pandas is not here")
class Frames(Tables):
    def test_reports_and_contacts(self):
        reports = self.run_file.certificate
        found = scree.data_frame(reports)
        self.assertEqual(list(found.columns), list(reports.dtype.names))
        np.testing.assert_array_equal(found.iterations, reports.iterations)
        contacts = self.run_file.frames[-1].contacts
        found = scree.data_frame(contacts)
        np.testing.assert_array_equal(found[["normal_x", "normal_y", "normal_z"]], contacts.normal)
        self.assertEqual(len(found), len(contacts))

    def test_tensors_have_two_letters(self):
        fields = scree.measures.grid(self.run_file.frames[-1], (3, 2))
        found = scree.data_frame(fields)
        self.assertEqual(len(found), 6)
        np.testing.assert_array_equal(found.stress_xy, fields.stress[..., 0, 1].ravel())

    def test_grains_of_all_frames(self):
        found = scree.data_frame(self.run_file)
        frame = self.run_file.frames[2]
        rows = found[found.frame == 2]
        np.testing.assert_array_equal(rows[["position_x", "position_y", "position_z"]], frame.position)
        np.testing.assert_array_equal(rows.orientation_w, frame.orientation[:, 0])
        self.assertEqual(set(rows.time), {frame.time})
        self.assertEqual(len(found), sum(len(frame) for frame in self.run_file.frames))

    def test_a_world_is_copied(self):
        world = balls()
        found = scree.data_frame(world)
        before = world.position.copy()
        world.step(5)
        np.testing.assert_array_equal(found[["position_x", "position_y", "position_z"]], before)

    def test_mistakes(self):
        for wrong in (3, np.zeros(3), "run.h5"):
            with self.assertRaisesRegex(scree.ArgumentError, "expected a table"):
                scree.data_frame(wrong)


@unittest.skipUnless(xarray, "xarray is not here")
class Sets(Tables):
    def test_a_run(self):
        run = self.run_file
        found = scree.data_set(run)
        self.assertEqual(found.position.dims, ("time", "grain", "axis"))
        np.testing.assert_array_equal(found.position.sel(time=0.3, method="nearest"), run.frame_at(0.3).position)
        np.testing.assert_array_equal(found.velocity.sel(axis="y")[-1], run.frames[-1].velocity[:, 1])
        np.testing.assert_array_equal(found.mass, run.mass)
        self.assertEqual(found.velocity.attrs["dimension"], "length/time")

    def test_grains_that_come_and_go(self):
        path = run_scene(EXAMPLES / "silo_feed.yaml", self.folder, time__end=1)
        with scree.open_run(path) as run:
            self.assertTrue(run.changing)
            found, last = scree.data_set(run), run.frames[-1]
            there = ~np.isnan(found.position[-1, :, 0].values)
            np.testing.assert_array_equal(np.flatnonzero(there), last.identity)
            np.testing.assert_array_equal(found.position[-1].values[there], last.position)

    def test_fields(self):
        fields = scree.measures.grid(balls(), (4, 3, 2))
        found = scree.data_set(fields)
        self.assertEqual(dict(found.density.sizes), {"z": 2, "y": 3, "x": 4})
        at = {axis: fields.centre[1, 2, 3, k] for k, axis in enumerate("xyz")}
        np.testing.assert_array_equal(found.stress.sel(at), fields.stress[1, 2, 3])
        self.assertAlmostEqual(float((found.density * found.volume).sum() / balls().mass.sum()), 1, 12)

    def test_certificates(self):
        found = scree.data_set(self.run_file.certificate)
        self.assertEqual(found.residual.dims, ("time",))
        self.assertEqual(found.kinetic_energy.attrs["dimension"], "energy")
        with self.assertRaisesRegex(scree.ArgumentError, "expected a Run"):
            scree.data_set(self.run_file.frames[0])


class Without(unittest.TestCase):
    def test_what_is_missing_is_said(self):
        from scree import tables

        with self.assertRaisesRegex(scree.Error, "apt install python3-no_such_thing"):
            tables._module("no_such_thing")


class Examples(unittest.TestCase):
    """Every example in a docstring runs and prints what stands there."""

    def test_docstrings(self):
        finder, home = doctest.DocTestFinder(exclude_empty=True), os.getcwd()
        self.addCleanup(os.chdir, home)
        names = ["scree"] + [f"scree.{each.name}" for each in pkgutil.walk_packages(scree.__path__)
                             if not each.name.startswith("_study_command") and "_command" not in each.name]
        count = 0
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            for name in names + ["scree.plot.style"]:
                module = importlib.import_module(name)
                for test in finder.find(module, module=module):
                    if pandas is None:
                        test.examples = [each for each in test.examples if not each.options.get(PANDAS)]
                    said = []
                    runner = doctest.DocTestRunner(verbose=False)
                    result = runner.run(test, out=said.append)
                    self.assertEqual(result.failed, 0, "".join(said))
                    count += result.attempted
            os.chdir(home)
        self.assertGreater(count, 60)


if __name__ == "__main__":
    unittest.main()
