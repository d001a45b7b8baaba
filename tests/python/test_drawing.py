"""Pictures show things where they should be, from first principles."""
import math
import unittest

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

import scree
import scree.plot
from scree.plot import flat, render, source, space
from scree.plot.bodies import Body, pieces_of
from scree.plot.camera import Camera
from support import CUBE, balls


def solid_of(*parts, rounding=0.0):
    """A solid as the library keeps it."""
    world = scree.World(gravity=(0, 0, -10), time_step=1e-3)
    world.add_solid(*parts, rounding=rounding)
    return world.solids[0]


class Geometry(unittest.TestCase):
    def raster(self, centre, radius, size=4.0, pixel=0.02):
        made = render.Solids(np.array(centre, float).reshape(-1, 3), np.array(radius, float), np.ones((len(radius), 3)))
        image = render.Raster(np.array([-size, -size]), np.array([size, size]), pixel)
        image.add(made)
        return image

    def test_a_ball_covers_its_disc(self):
        image = self.raster([(0.5, -1, 0)], [1.3])
        seen = np.isfinite(image.depth)
        self.assertAlmostEqual(seen.sum() * 0.02**2, math.pi * 1.3**2, delta=0.02)
        row, column = np.nonzero(seen)
        self.assertAlmostEqual(image.x[column].mean(), 0.5, delta=0.01)
        self.assertAlmostEqual(image.y[row].mean(), -1, delta=0.01)
        self.assertAlmostEqual(image.depth.max(), 1.3, delta=1e-3)
        self.assertAlmostEqual(np.linalg.norm(image.normal[seen], axis=1).min(), 1, delta=1e-5)

    def test_nearer_balls_hide_farther_ones(self):
        image = self.raster([(0, 0, 0), (0.5, 0, 2)], [1, 1])
        self.assertEqual(image.owner[200, 200 + 25], 1)
        self.assertEqual(image.owner[200, 200 - 40], 0)
        lens = 2 * math.acos(0.25) - 0.25 * math.sqrt(4 - 0.25)  # area common to two unit circles 1/2 apart
        self.assertAlmostEqual((image.owner == 0).sum() * 0.02**2, math.pi - lens, delta=0.02)

    def test_spheres_that_meet_part_halfway(self):
        """Where two equal balls intersect, the border is the plane halfway."""
        image = self.raster([(-0.5, 0, 0), (0.5, 0, 0)], [1, 1])
        row = image.owner[200]
        self.assertTrue(np.all(row[(image.x > -1.4) & (image.x < -0.02)] == 0))
        self.assertTrue(np.all(row[(image.x > 0.02) & (image.x < 1.4)] == 1))

    def test_polygons_and_blocks_cover_their_area(self):
        image = self.raster([], [])
        square = np.array([[0, 0, 1], [1, 0, 0], [1, 1, 0], [0, 1, 1.0]])
        image.add_polygon(square, np.ones(3))
        seen = np.isfinite(image.depth)
        self.assertAlmostEqual(seen.sum() * 0.02**2, 1, delta=0.03)
        self.assertAlmostEqual(image.depth[seen].mean(), 0.5, delta=0.02)
        np.testing.assert_allclose(image.normal[seen][0], [math.sqrt(0.5), 0, math.sqrt(0.5)], atol=1e-6)
        behind = self.raster([], [])
        behind.add_polygon(square[::-1], np.ones(3))
        self.assertFalse(np.isfinite(behind.depth).any(), "seen from behind it is not there")
        cube = self.raster([], [])
        turn = Camera.looking_from((1, 1, 1)).axes
        cube.add_block(np.zeros(3), turn.T, np.ones(3), np.ones(3))
        # a cube seen along its diagonal: a hexagon of area sqrt(3) side^2
        self.assertAlmostEqual(np.isfinite(cube.depth).sum() * 0.02**2, math.sqrt(3) * 4, delta=0.06)
        self.assertAlmostEqual(cube.depth.max(), math.sqrt(3), delta=0.03)

    def test_cylinders_cover_their_area(self):
        image = self.raster([], [])
        image.add_cylinder(np.array([0, 0, 0.0]), np.array([0, 1.0, 0]), 0.7, 1.5, False, np.ones(3))
        self.assertAlmostEqual(np.isfinite(image.depth).sum() * 0.02**2, 1.4 * 3, delta=0.05)
        self.assertAlmostEqual(image.depth.max(), 0.7, delta=1e-3)
        inner = self.raster([], [])
        inner.add_cylinder(np.array([0, 0, 0.0]), np.array([0, 1.0, 0]), 0.7, 1.5, True, np.ones(3))
        self.assertAlmostEqual(inner.depth[np.isfinite(inner.depth)].min(), -0.7, delta=1e-3)
        end = self.raster([], [])
        end.add_cylinder(np.array([0, 0, 0.0]), np.array([0, 0, 1.0]), 0.7, 1.5, False, np.ones(3))
        self.assertAlmostEqual(np.isfinite(end.depth).sum() * 0.02**2, math.pi * 0.49, delta=0.02)
        self.assertAlmostEqual(end.depth.max(), 1.5, delta=1e-6)

    def test_balls_cast_shadows(self):
        """A ball between the light and another one darkens it; beside the path of the light it does not."""
        toward = render.LIGHT
        aside = np.cross(toward, [0, 0, 1.0])
        aside /= np.linalg.norm(aside)
        light = []
        for place in (3 * toward, 3 * toward + 3 * aside):
            made = render.Solids(np.array([[0, 0, 0], place]), np.array([1.0, 0.8]), np.ones((2, 3)))
            image = render.Raster(np.array([-6, -6.0]), np.array([6, 6.0]), 0.02)
            image.add(made)
            share = render._lit_share(image, made)
            own = image.owner == 0
            facing = np.zeros(own.shape, bool)
            facing[own] = image.normal[own] @ toward > 0.9
            light.append(share[facing].mean())
        self.assertLess(light[0], 0.1)
        self.assertGreater(light[1], 0.99)

    def body(self, solid, turn=np.eye(3), place=(0, 0, 0)):
        return Body(pieces_of(solid), turn, np.array(place, float), solid.radius, np.ones(3))

    def bodies(self, *found):
        image = render.Raster(np.array([-4.0, -4]), np.array([4.0, 4]), 0.02)
        image.add(render.Solids(np.zeros((0, 3)), np.zeros(0), np.zeros((0, 3)), bodies=list(found)))
        return image

    def test_a_cube_is_a_hexagon_along_its_diagonal(self):
        image = self.bodies(self.body(solid_of(CUBE), Camera.looking_from((1, 1, 1)).axes))
        seen = np.isfinite(image.depth)
        self.assertAlmostEqual(seen.sum() * 0.02**2, math.sqrt(3) * 4, delta=0.06)
        self.assertAlmostEqual(image.depth.max(), math.sqrt(3), delta=0.03)
        self.assertTrue(np.all(image.owner[seen] == render.FIRST_BODY))
        # three faces, each with a third of the area and a normal of its own, at the same angle to the eye
        normals, count = np.unique(image.normal[seen].round(4), axis=0, return_counts=True)
        np.testing.assert_allclose(normals[:, 2], math.sqrt(1 / 3), atol=1e-4)
        np.testing.assert_allclose(count / seen.sum(), 1 / 3, atol=0.01)

    def test_edges_of_bodies_are_found(self):
        turn = Camera.looking_from((1, 1, 1)).axes
        # three edges are seen from the middle to the corners of the hexagon, each as long as 2 sqrt(2/3)
        row, column = np.nonzero(self.bodies(self.body(solid_of(CUBE), turn)).edges())
        place = (np.column_stack([column, row]) + 0.5) * 0.02 - 4
        ends = 2 * turn[:2].T * np.array([1, 1, 1])[:, None] * -1  # where the corners beside (1, 1, 1) are seen
        off = [np.linalg.norm(place - np.clip(place @ end / (end @ end), 0, 1)[:, None] * end, axis=1) for end in ends]
        self.assertLess(np.min(off, axis=0).max(), 0.05)
        for distance in off:
            self.assertGreater((distance < 0.05).sum(), 2 * math.sqrt(2 / 3) / 0.02)
        # a rounding has none, faces of two bodies in one plane have a line between them
        self.assertFalse(self.bodies(self.body(solid_of(CUBE, rounding=0.2), turn)).edges().any())
        pair = self.bodies(self.body(solid_of(CUBE), place=(-1, 0, 0)), self.body(solid_of(CUBE), place=(1, 0, 0)))
        row, column = np.nonzero(pair.edges())
        self.assertLess(np.abs((column + 0.5) * 0.02 - 4).max(), 0.03)
        self.assertAlmostEqual(len(set(row.tolist())) * 0.02, 2, delta=0.05)

    def test_rounded_bodies_cover_their_area(self):
        # from above: the square, four strips beside it and a disk in quarters
        image = self.bodies(self.body(solid_of(CUBE, rounding=0.5)))
        seen = np.isfinite(image.depth)
        self.assertAlmostEqual(seen.sum() * 0.02**2, 4 + 4 * 2 * 0.5 + math.pi * 0.25, delta=0.06)
        self.assertAlmostEqual(image.depth.max(), 1.5, delta=1e-6)
        np.testing.assert_allclose(np.linalg.norm(image.normal[seen], axis=1), 1, atol=1e-5)
        # every point of the surface is as far from the cube as the rounding
        row, column = np.nonzero(seen)
        place = np.column_stack([image.x[column], image.y[row], image.depth[seen]])
        off = place - place.clip(-1, 1)
        np.testing.assert_allclose(np.linalg.norm(off, axis=1), 0.5, atol=1e-9)
        np.testing.assert_allclose(image.normal[seen], off / 0.5, atol=1e-6)
        rod = self.bodies(self.body(solid_of([(-1, 0, 0), (1, 0, 0)], rounding=0.5)))
        self.assertAlmostEqual(np.isfinite(rod.depth).sum() * 0.02**2, 2 + math.pi * 0.25, delta=0.05)

    def test_bodies_turn_about_their_centre(self):
        # a long box turned about z by 30 degrees and moved: the far end of its axis is where the angle says
        solid = solid_of([(2 * x, 0.5 * y, 0.5 * z) for x, y, z in CUBE])
        angle = math.radians(30)
        turn = np.array([[math.cos(angle), -math.sin(angle), 0], [math.sin(angle), math.cos(angle), 0], [0, 0, 1.0]])
        image = self.bodies(self.body(solid, turn, (0.5, -1, 0)))
        row, column = np.nonzero(np.isfinite(image.depth))
        place = np.column_stack([image.x[column] - 0.5, image.y[row] + 1]) @ turn[:2, :2]
        np.testing.assert_allclose(np.abs(place).max(axis=0), [2, 0.5], atol=0.03)
        self.assertAlmostEqual(len(row) * 0.02**2, 4, delta=0.06)

    def test_faces_with_a_notch_are_filled_as_they_are(self):
        outline = [(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)]
        vertices = [(x, y, z) for z in (0, 1) for x, y in outline]
        faces = [[5, 4, 3, 2, 1, 0], [6, 7, 8, 9, 10, 11], *([k, (k + 1) % 6, (k + 1) % 6 + 6, k + 6] for k in range(6))]
        image = self.bodies(self.body(solid_of(scree.Mesh(np.array(vertices, float), tuple(map(np.array, faces))))))
        self.assertAlmostEqual(np.isfinite(image.depth).sum() * 0.02**2, 3, delta=0.06)
        self.assertFalse(image.edges().any(), "the triangles of a face have no lines between them")

    def test_bodies_cast_shadows(self):
        toward, aside = render.LIGHT, np.cross(render.LIGHT, [0, 0, 1.0])
        light = []
        for place in (4 * toward, 4 * toward + 5 * aside / np.linalg.norm(aside)):
            made = render.Solids(np.zeros((1, 3)), np.ones(1), np.ones((1, 3)),
                                 bodies=[self.body(solid_of(CUBE), place=place)])
            image = render.Raster(np.array([-8, -8.0]), np.array([8, 8.0]), 0.02)
            image.add(made)
            own = image.owner == 0
            facing = np.zeros(own.shape, bool)
            facing[own] = image.normal[own] @ toward > 0.9
            light.append(render._lit_share(image, made)[facing].mean())
        self.assertLess(light[0], 0.1)
        self.assertGreater(light[1], 0.99)

    def test_reach_is_that_of_the_vertices(self):
        world = scree.World(gravity=(0, 0, -10), time_step=1e-3)
        world.add_material(friction=0.4)
        world.add_grains([(0, 0, 0)], 0.7)
        half = math.radians(45) / 2
        world.add_grains([(5, 0, 0)], shape=world.add_solid(CUBE, rounding=0.1),
                         orientation=(math.cos(half), 0, 0, math.sin(half)))
        low, high = source.reach_in_space(world, np.eye(3))
        wide = math.sqrt(2) + 0.1
        np.testing.assert_allclose(high, [[0.7, 0.7, 0.7], [wide, wide, 1.1]], rtol=1e-12)
        np.testing.assert_allclose(low, -high, rtol=1e-12)

    def test_camera_axes_are_orthonormal(self):
        camera = Camera.looking_from((0, -1, 0))
        np.testing.assert_allclose(camera.axes, [[1, 0, 0], [0, 0, 1], [0, -1, 0]], atol=1e-15)
        for eye in ((1, 2, 3), (0, 0, 1), (0, 0, -2), (-1, 0, 0)):
            for up in ((0, 0, 1), (0, 1, 0), (1, 1, 1)):
                axes = Camera.looking_from(eye, up).axes
                np.testing.assert_allclose(axes @ axes.T, np.eye(3), atol=1e-12)
                self.assertAlmostEqual(np.linalg.det(axes), 1)
                self.assertGreaterEqual(axes[1] @ up, -1e-12, "up is up")

    def test_disks_lie_where_the_axes_say(self):
        """A disk of radius 1 at (2, 3) is where the axes say, in its colour."""
        world = scree.World(dimension=2, time_step=1)
        world.add_material()
        world.add_grains([(2, 3), (8, 3)], 1)
        axes = scree.plot.grains(world, "#ff0000", marks=False, legend=False)
        figure = axes.get_figure()
        figure.canvas.draw()
        image = np.asarray(figure.canvas.buffer_rgba())[::-1]
        for x, y, red in ((2, 3, True), (2.9, 3, True), (2, 2.1, True), (5, 3, False), (2.8, 3.8, False)):
            column, row = axes.transData.transform((x, y)).astype(int)
            self.assertEqual(tuple(image[row, column, :3]) == (255, 0, 0), red, (x, y))
        plt.close(figure)

    def test_periodic_images_are_drawn(self):
        world = scree.World(dimension=2, time_step=1, periodic={"x": (0, 10), "y": (0, 10)})
        world.add_material()
        world.add_grains([(0.5, 5), (-1, 0.5), (5, 5)], 1)
        centre, owner = flat.images(world)
        found = sorted((int(k), round(x, 9), round(y, 9)) for k, (x, y, _) in zip(owner, centre))
        self.assertEqual(found, [(0, 0.5, 5), (0, 10.5, 5), (1, -1 + 10, 0.5), (1, -1 + 10, 10.5), (2, 5, 5)])

    def test_planes_are_cut_by_each_other(self):
        world = balls()
        world.add_plane((6, 0, 0), (-1, 0, 0))
        low, high = source.bounds(world)
        np.testing.assert_allclose([low[0], high[0], low[2]], [0, 6, 0], atol=1e-4)  # grains sink in a little
        polygons = space.plane_polygons(world, low, high)
        self.assertEqual(len(polygons), 3)
        for wall, polygon in polygons:
            self.assertTrue(np.all(np.abs((polygon - wall.point) @ wall.normal) < 1e-9))
            self.assertGreaterEqual(polygon[:, 0].min(), -1e-6)
            self.assertLessEqual(polygon[:, 0].max(), 6 + 1e-6)

    def drum(self, ends):
        """A cylinder about y and two planes across it, and a ball in it."""
        world = scree.World(time_step=1e-3)
        world.add_material()
        world.add_cylinder((0, 0, 0), 2, axis=(0, 1, 0), inside=True, length=ends)
        world.add_plane((0, -1, 0), (0, 1, 0))
        world.add_plane((0, 1, 0), (0, -1, 0))
        world.add_grains([(0, 0, -1)], 0.5)
        return space.plane_polygons(world, *source.bounds(world))

    def test_the_ends_of_a_drum_are_discs(self):
        polygons = self.drum(0)
        self.assertEqual([wall.normal[1] for wall, _ in polygons], [1, -1])
        for wall, polygon in polygons:
            np.testing.assert_allclose(polygon[:, 1], wall.point[1], atol=1e-12)
            np.testing.assert_allclose(np.hypot(polygon[:, 0], polygon[:, 2]), 2, atol=1e-12)
            turned = np.cross(np.roll(polygon, -1, axis=0) - polygon, wall.normal)  # points outwards, all around
            self.assertTrue(np.all(np.einsum("ij,ij->i", turned, polygon * (1, 0, 1)) > 0))

    def test_the_floor_of_a_tube_goes_on(self):
        for _, polygon in self.drum(2):
            self.assertEqual(len(polygon), 4)

    def test_clipping_keeps_the_right_side(self):
        square = np.array([[0, 0], [1, 0], [1, 1], [0, 1.0]])
        part = flat.clip(square, np.array([1.0, 0]), 0.25)
        self.assertEqual((part[:, 0].min(), part[:, 0].max()), (0.25, 1))
        self.assertEqual(len(flat.clip(square, np.array([1.0, 0]), 2)), 0)


if __name__ == "__main__":
    unittest.main()
