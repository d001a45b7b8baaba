"""NURBS curves from Python: what is put in comes out, outlines are drawn on the curve, runs hold them."""
import math
import pathlib
import tempfile
import unittest

import numpy as np

import scree
from support import run_scene

ROOT = math.sqrt(0.5)
CIRCLE = scree.Nurbs(2, np.array([(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1), (1, 0.0)]),
                     np.array([1, ROOT, 1, ROOT, 1, ROOT, 1, ROOT, 1]),
                     np.array([0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 4.0]))
SCENE = """\
dimension: 2
gravity: [0, -10]
time: {step: 2e-3, end: 0.1}
materials: {stone: {density: 2000, friction: 0.5}}
walls: {tank: {box: {min: [0, 0], max: [4, 4]}, open: top}}
grains:
  - {count: 6, library: {set: nonconvex, diameter: 0.4}, fill: {min: [0, 0], max: [4, 4]}}
  - {count: 3, ellipse: {half: [0.3, 0.2]}, fill: {min: [0, 0], max: [4, 4]}}
output: {every: 0.1}
"""


def flat_world():
    world = scree.World(dimension=2, time_step=1e-2)
    world.add_material(density=2, friction=0.5)
    return world


class Curves(unittest.TestCase):
    def test_circle_comes_back(self):
        world = flat_world()
        number = world.add_nurbs(CIRCLE)
        shape, curve = world.shapes[number], world.nurbs(number)
        self.assertAlmostEqual(shape.area, math.pi, delta=1e-13)
        self.assertAlmostEqual(shape.gyration, 0.5, delta=1e-13)
        np.testing.assert_allclose(np.linalg.norm(shape.parts[0].corners, axis=1), 1, atol=1e-14)
        np.testing.assert_allclose(curve.points, CIRCLE.points, atol=1e-15)
        np.testing.assert_array_equal(curve.weights, CIRCLE.weights)
        np.testing.assert_array_equal(curve.knots, CIRCLE.knots)
        world.add_grains([(0, 0)], shape=number)
        np.testing.assert_allclose(np.linalg.norm(world.outlines[0][0], axis=1), 1, atol=1e-14)

    def test_ring_of_degree_one_is_a_polygon(self):
        # of degree 1 it is the polygon
        world = flat_world()
        number = world.add_nurbs([(0, 0), (2, 0), (2, 1), (0, 1)], degree=1)
        self.assertAlmostEqual(world.shapes[number].area, 2, delta=1e-14)
        self.assertEqual(world.nurbs(number).degree, 1)
        self.assertIsNone(world.nurbs(world.add_shape([(0, 0), (1, 0), (0, 1)])))

    def test_bad_curves_are_refused(self):
        world = flat_world()
        with self.assertRaisesRegex(scree.ArgumentError, "weight 1: a weight is from"):
            world.add_nurbs(scree.Nurbs.ring([(0, 0), (2, 0), (2, 1), (0, 1)], weights=[1, -1, 1, 1]))
        with self.assertRaisesRegex(scree.ArgumentError, "meets itself"):
            world.add_nurbs([(-2, -1), (2, 1), (2, -1), (-2, 1)])
        with self.assertRaisesRegex(scree.ArgumentError, "no shape 5"):
            world.nurbs(5)

    def test_runs_hold_curves(self):
        with tempfile.TemporaryDirectory() as folder:
            scene = pathlib.Path(folder) / "curves.yaml"
            scene.write_text(SCENE)
            with scree.open_run(run_scene(scene, folder)) as run:
                shapes = [run.shapes[number] for number in run.frames[-1].shape]
                self.assertEqual(len(shapes), 9)
                for shape in shapes[6:]:
                    self.assertAlmostEqual(shape.area, math.pi * 0.06, delta=1e-13)
                    x, y = shape.parts[0].corners.T
                    np.testing.assert_allclose((x / 0.3) ** 2 + (y / 0.2) ** 2, 1, atol=1e-12)


if __name__ == "__main__":
    unittest.main()
