"""Grains with shapes: tables, export, and continuing after a kill."""
import csv
import io
import signal
import sys
import time
import unittest
import xml.etree.ElementTree as xml

import numpy

from support import ProgramTest, datasets
from test_tables import read_vtp

SCENE = """\
dimension: 2
gravity: [0, -10]
time: {step: 2e-3, end: 0.6}
materials: {stone: {density: 2000, friction: 0.5}}
walls: {tank: {box: {min: [0, 0], max: [4, 4]}, open: top}}
shapes:
  hook: {polygon: {vertices: [[0, 0], [2, 0], [2, 1], [1, 1], [1, 2], [0, 2]]}}
  slot: {polygon: {vertices: [[0, 0], [3, 0], [3, 3], [2, 3], [2, 1], [1, 1], [1, 3], [0, 3]], rounding: 0.1}}
  dumbbell: {compound: [{disk: {radius: 1}}, {disk: {radius: 0.8}, center: [3, 0]}, {rectangle: {size: [3, 0.5]},
             center: [1.5, 0]}]}
grains:
  - {count: 8, shape: hook, scale: 0.25, material: stone, fill: {min: [0, 0], max: [4, 4]}}
  - {count: 5, shape: slot, scale: 0.2, material: stone, fill: {min: [0, 0], max: [4, 4]}}
  - {count: 6, radius: 0.2, material: stone, fill: {min: [0, 0], max: [4, 4]}}
  - {count: 4, shape: dumbbell, scale: 0.15, material: stone, fill: {min: [0, 0], max: [4, 4]}}
output: {every: 0.1, checkpoint_seconds: 0.05}
"""
HOOKS, SLOTS, DISKS = range(8), range(8, 13), range(13, 19)


def area(points):
    x, y = points[:, 0], points[:, 1]
    return 0.5 * numpy.sum(x * numpy.roll(y, -1) - y * numpy.roll(x, -1))


class Shapes(ProgramTest):
    def prepare(self):
        self.write("shapes.yaml", SCENE)
        self.call("run", "shapes.yaml", "-q")

    def setUp(self):
        super().setUp()
        self.data = datasets(self.path / "shapes.h5")

    def table(self, *words):
        return list(csv.DictReader(io.StringIO(self.call("table", "shapes.h5", *words).stdout)))

    def test_tables_hold_shapes_and_corners(self):
        bodies = self.table()
        self.assertEqual(list(bodies[0])[-1], "shape")
        self.assertEqual([int(row["shape"]) for row in bodies], list(self.data["bodies/shape"]))
        self.assertEqual({row["shape"] for row in bodies[13:19]}, {"-1"})
        rows = self.table("-w", "corners")
        self.assertEqual(len(rows), 8 * 6 + 5 * 8 + 6 + 4 * 6)
        for body in HOOKS:  # however it fell, its sides are what they were
            corners = numpy.array([[float(row["x"]), float(row["y"])] for row in rows if row["body"] == str(body)])
            sides = numpy.linalg.norm(numpy.roll(corners, -1, axis=0) - corners, axis=1)
            numpy.testing.assert_allclose(sides, numpy.array([2, 1, 1, 1, 1, 2]) * 0.25, rtol=1e-12)
            self.assertAlmostEqual(area(corners), 3 * 0.25**2)
        disk = [row for row in rows if row["body"] == "13"]
        self.assertEqual([(row["part"], row["corner"], float(row["rounding"])) for row in disk], [("0", "0", 0.2)])
        shapes = self.table("--what", "shapes")
        self.assertEqual(list(shapes[0]), ["shape", "part", "corner", "x", "y", "rounding"])
        self.assertEqual(len(shapes), len(self.data["shapes/corners/position"]))
        every = self.table("-w", "corners", "--all")
        self.assertEqual(list(every[0])[:3], ["frame", "time", "body"])
        self.assertEqual(len(every), len(rows) * len(self.data["frames/time"]))
        self.one_error(self.call("table", "shapes.h5", "-w", "shapes", "-f", "1", status=2), "shapes")

    def test_runs_without_shapes_show_none(self):
        self.call("run", "heap.yaml", "-q", "-D", "time.end=0.02")
        self.assertEqual(self.call("table", "heap.h5", "-w", "shapes").stdout, "shape,part,corner,x,y,z,rounding\n")
        self.assertNotIn("shape", self.call("table", "heap.h5").stdout.splitlines()[0])
        self.assertNotIn("shapes:", self.call("info", "heap.h5").stdout)
        self.call("export", "heap.h5", "-o", "out")
        self.assertFalse((self.path / "out/outlines.pvd").exists())

    def test_info_counts_shapes(self):
        count, corners = len(self.data["shapes/area"]), len(self.data["shapes/corners/position"])
        self.assertIn(f"shapes: {count} with {corners} corners, used by 17 grains; the other 6 are round\n",
                      self.call("info", "shapes.h5").stdout)

    def test_info_names_solids_without_corners(self):
        self.write("lentil.yaml", "time: {step: 1e-3, end: 2e-3}\nmaterials: {a: {density: 1}}\ngrains:\n"
                                  "  - {at: [[0, 0, 0], [0, 0, 3]], ellipsoid: {size: [1, 1, 0.5]}}\n")
        self.call("run", "lentil.yaml", "-q")
        self.assertIn("shapes: 1 with 1 ellipsoid, used by 2 grains", self.call("info", "lentil.h5").stdout)

    def test_export_draws_the_outlines(self):
        said = self.call("export", "shapes.h5", "-o", "out").stderr
        self.assertIn("outlines.pvd", said)
        sets = xml.parse(self.path / "out/outlines.pvd").getroot().findall("Collection/DataSet")
        self.assertEqual([float(s.get("timestep")) for s in sets], list(self.data["frames/time"]))
        arrays, cells = read_vtp(self.path / "out" / sets[-1].get("file"))
        connectivity, ends = cells["Polys"]
        polygons = [arrays["Points"][part] for part in numpy.split(connectivity, ends[:-1])]
        owner = arrays["id"][:, 0]
        self.assertEqual(len(polygons), len(owner))
        found = numpy.zeros(len(self.data["bodies/mass"]))
        for body, polygon in zip(owner, polygons):
            found[body] += area(polygon)
            fan = polygon[1:-1] - polygon[0], polygon[2:] - polygon[0]  # as VTK fills it
            self.assertGreaterEqual((fan[0][:, 0] * fan[1][:, 1] - fan[0][:, 1] * fan[1][:, 0]).min(), -1e-15)
        # where parts overlap, both the mass and these areas count twice; arcs are polygons and a
        # little smaller
        numpy.testing.assert_allclose(found, self.data["bodies/mass"] / 2000, rtol=5e-3)
        numpy.testing.assert_allclose(found[HOOKS], 3 * 0.25**2, rtol=1e-12)
        self.assertEqual([(owner == body).sum() for body in HOOKS], [1] * 8, "a hook is one polygon")
        for name in ("velocity", "spin"):
            numpy.testing.assert_array_equal(arrays[name], self.data["frames/bodies/" + name][-1][owner])
        numpy.testing.assert_array_equal(arrays["shape"][:, 0], self.data["bodies/shape"][owner])
        numpy.testing.assert_array_equal(arrays["material"][:, 0], self.data["bodies/material"][owner])
        self.lines_go_through_the_points()

    def lines_go_through_the_points(self):
        frames = len(self.data["frames/time"])
        arrays, cells = read_vtp(self.path / f"out/contacts_{frames - 1:06}.vtp")
        begin, end = self.data["frames/index"][-2:, 0]
        point = self.data["frames/contacts/point"][begin:end]
        centre = self.data["frames/bodies/position"][-1]
        numpy.testing.assert_array_equal(arrays["feature"][:, 0], self.data["frames/contacts/feature"][begin:end])
        lines = numpy.split(cells["Lines"][0], cells["Lines"][1][:-1])
        self.assertEqual(len(lines), end - begin)
        for i, line in enumerate(lines):
            a, b = arrays["a"][i, 0], arrays["b"][i, 0]
            expected = [centre[a], point[i]] + ([centre[b]] if b >= 0 else [])
            numpy.testing.assert_array_equal(arrays["Points"][line], expected)

    def test_killed_run_goes_on_with_the_same_values(self):
        """A run that was killed and continued has the same values in its file as one that was not. The
        tolerance is out of reach, so that the run lasts."""
        long = ["-q", "-D", "time.end=1.2", "-D", "solver.tolerance=1e-15", "-D", "solver.iterations=300"]
        begin = time.monotonic()
        self.call("run", "shapes.yaml", "-o", "whole.h5", *long)
        took = time.monotonic() - begin
        process = self.start("run", "shapes.yaml", "-o", "killed.h5", *long)
        deadline = time.monotonic() + 30
        while not (self.path / "killed.h5.checkpoint").exists() and time.monotonic() < deadline:
            time.sleep(0.005)
        time.sleep(0.1 * took)
        process.kill()
        process.communicate()
        self.assertEqual(process.returncode, -signal.SIGKILL, "it was over before it could be killed")
        self.assertIn("shapes: ", self.call("info", "killed.h5").stdout)
        self.call("run", "shapes.yaml", "-o", "killed.h5", "--restart", *long)
        whole, other = datasets(self.path / "whole.h5"), datasets(self.path / "killed.h5")
        self.assertEqual(set(other), set(whole))
        for name, value in whole.items():
            numpy.testing.assert_array_equal(other[name], value, err_msg=name)

    def test_result_does_not_depend_on_threads(self):
        self.call("run", "shapes.yaml", "-q", "-o", "two.h5", "-j", "2")
        other = datasets(self.path / "two.h5")
        for name, value in self.data.items():
            numpy.testing.assert_array_equal(other[name], value, err_msg=name)


if __name__ == "__main__":
    sys.exit(unittest.main())
