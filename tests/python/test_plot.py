"""Pictures: files of the right kind and size, not blank, and showing things where they should be."""
import math
import pathlib
import struct
import tempfile
import unittest
import unittest.mock
import xml.etree.ElementTree

import matplotlib

matplotlib.use("Agg")
import matplotlib.image
import matplotlib.pyplot as plt
import numpy as np

import scree
import scree.plot
from scree.plot import flat, graphs, render, source, space
from scree.plot.bodies import Body, pieces_of
from scree.plot.camera import Camera
from support import EXAMPLES, run_scene, write_heap


def pixels(path):
    """The image without transparency."""
    image = matplotlib.image.imread(path)
    return image[..., :3] * image[..., 3:] + 1 - image[..., 3:] if image.shape[2] == 4 else image


def packing():
    """Disks in a box, at rest, with some contacts that slide."""
    scene = scree.load_scene(EXAMPLES / "piston.yaml", time__end=0.5, solver__on_failure="continue")
    scene.run()
    return scene.world


def balls():
    world = scree.World(gravity=(0, 0, -10), time_step=1e-3)
    world.add_material(friction=0.4)
    world.add_material(friction=0.4)
    world.add_plane((0, 0, 0), (0, 0, 1))
    world.add_plane((0, 0, 0), (1, 0, 0))
    world.add_block((3, 3, 0.5), (0.5, 0.5, 0.5))
    world.add_cylinder((5, 1, 0), 0.3)
    place = [(1 + (k % 3), 1 + k // 3 % 3, 0.5 + k // 9) for k in range(18)]
    world.add_grains(place, 0.5, material=[k % 2 for k in range(18)], velocity=[(0, 0, -0.1 * k) for k in range(18)])
    world.step(5)
    return world


CUBE = [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]  # of side 2


def solid_of(*parts, rounding=0.0):
    """A solid as the library keeps it."""
    world = scree.World(gravity=(0, 0, -10), time_step=1e-3)
    world.add_solid(*parts, rounding=rounding)
    return world.solids[0]


def rocks():
    """Solids and balls on a plane."""
    world = scree.World(gravity=(0, 0, -10), time_step=1e-3)
    world.add_material(friction=0.4)
    world.add_plane((0, 0, -1), (0, 0, 1))
    shapes = [world.add_solid(CUBE), world.add_solid(CUBE[:3] + CUBE[4:], rounding=0.2),
              world.add_solid([(-1, 0, 0), (1, 0, 0)], rounding=0.5),
              world.add_solid(CUBE[:4] + [(2, 0, 0)], [(-1, 0, 0)], rounding=[0, 0.8])]
    world.add_grains([(4 * k, 0, 0.2) for k in range(8)], shape=[*shapes, *shapes[::-1]],
                     orientation=[(math.cos(k), 0.6 * math.sin(k), 0, 0.8 * math.sin(k)) for k in range(8)])
    world.add_grains([(0, 4, 0), (6, 4, 0)], 1.0)
    world.step(3)
    return world


class Files(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.holder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.holder.cleanup)
        cls.folder = pathlib.Path(cls.holder.name)
        cls.flat, cls.deep = packing(), balls()
        cls.enterClassContext(unittest.mock.patch.object(space, "DOTS_PER_INCH", 60))  # finer ones take longer
        cls.run_path = run_scene(write_heap(cls.folder), cls.folder)

    def tearDown(self):
        self.assertEqual(plt.get_fignums(), [], "every figure was closed")

    def check(self, picture, least=0.01):
        """Saves it; the file is as large as the figure, cut to what is drawn, and not blank."""
        figure = picture if isinstance(picture, matplotlib.figure.Figure) else picture.get_figure()
        path = self.folder / "picture.png"
        scree.plot.save(picture, path, dots_per_inch=60)
        head = path.read_bytes()[:24]
        self.assertEqual(head[:8], b"\x89PNG\r\n\x1a\n")
        for pixel, size in zip(struct.unpack(">II", head[16:24]), figure.get_size_inches()):
            self.assertTrue(0.3 * size < pixel / 60 < 1.3 * size, (pixel, size))
        image = pixels(path)
        share = np.mean(np.abs(image - image[0, 0]).max(axis=2) > 0.1)
        self.assertTrue(least < share < 0.99, share)

    def test_every_format_is_written(self):
        for world in (self.flat, self.deep):
            svg, pdf, png = (self.folder / f"picture.{ending}" for ending in ("svg", "pdf", "png"))
            for path in (svg, pdf, png):
                scree.plot.save(scree.plot.grains(world), str(path))
            self.assertTrue(xml.etree.ElementTree.parse(svg).getroot().tag.endswith("svg"))
            self.assertEqual(pdf.read_bytes()[:5], b"%PDF-")
            self.assertGreater(pixels(png).shape[1], 900)  # 200 dots an inch

    def test_grains_are_coloured_by_anything(self):
        for colour in ("speed", "spin", "radius", "height", "coordination", "material", "#336699",
                       np.arange(len(self.flat))):
            self.check(scree.plot.grains(self.flat, colour), 0.05)
        for colour in ("spin", "material", np.arange(len(self.deep))):
            self.check(scree.plot.grains(self.deep, colour), 0.05)

    def test_options_are_taken(self):
        self.check(scree.plot.grains(self.flat, limits=(0, 3), scale="cividis", name="my own", walls=False, legend=False,
                                     marks=False, title="a title", units={"length": "m", "time": "s"}))
        self.check(scree.plot.grains(self.deep, camera=(0, 0, 1), walls=False))
        self.check(scree.plot.grains(self.deep, camera=Camera.looking_from((1, 1, 1))))
        with scree.plot.style():
            figure, (left, right) = plt.subplots(1, 2, figsize=(8, 4))
        self.assertIs(scree.plot.grains(self.flat, ax=left), left)
        self.assertIs(scree.plot.chains(self.flat, ax=right), right)
        scree.plot.velocities(self.flat, ax=left)
        self.check(figure)

    def test_chains_are_drawn(self):
        self.check(scree.plot.chains(self.flat))
        self.check(scree.plot.chains(self.deep, width=2))
        scene = scree.load_scene(EXAMPLES / "periodic_shear.yaml")
        scene.run(until=0.3)
        self.check(scree.plot.chains(scene))
        self.check(scree.plot.grains(scene))

    def test_every_example_can_be_drawn(self):
        """All shapes of walls, in two and three dimensions, from the first moment on, with no contact yet."""
        for name in ("drum", "hopper", "heap_rolling", "array_blocks"):
            scene = scree.load_scene(EXAMPLES / f"{name}.yaml")
            self.check(scree.plot.grains(scene), 0.005)
            self.check(scree.plot.chains(scene), 0.001)

    def test_solids_are_drawn(self):
        world = rocks()
        for colour in ("speed", "material", "#336699"):
            self.check(scree.plot.grains(world, colour, camera=(0.5, -1, 0.6)))
        self.check(scree.plot.grains(world, walls=False))
        self.check(scree.plot.chains(world), least=0.002)

    def test_run_files_are_drawn(self):
        with scree.open_run(self.run_path) as run:
            self.check(scree.plot.grains(run.frames[-1], "material"))
            self.check(scree.plot.chains(run.frame_at(0.3)))
            self.check(scree.plot.certificate(run))
            self.check(scree.plot.certificate(run.certificate, radius=0.05, title="mine", units={"time": "s"}))
            self.check(scree.plot.series(run, "residual", log=True))
            self.check(scree.plot.series(run.certificate, "kinetic_energy", "dissipation"))
            self.check(scree.plot.energies(run))
            self.check(scree.plot.forces(run.frames[-1], title="forces"))

    def test_distributions_are_drawn(self):
        self.check(scree.plot.force_distribution(self.flat))
        self.check(scree.plot.force_distribution(np.random.default_rng(0).exponential(3, 5000), width=0.1))
        self.check(scree.plot.force_distribution(self.flat.contacts, name="box"))
        self.check(scree.plot.rose(self.flat))
        self.check(scree.plot.rose(self.deep, bins=24))

    def test_empty_worlds_are_drawn_or_refused(self):
        for dimension in (2, 3):
            world = scree.World(dimension=dimension, time_step=1)
            for draw in (scree.plot.grains, scree.plot.chains):
                scree.plot.save(draw(world), self.folder / "empty.png", dots_per_inch=40)
            for draw in (scree.plot.forces, scree.plot.rose, scree.plot.force_distribution):
                with self.assertRaises(scree.ArgumentError):
                    draw(world)
                plt.close("all")

    def test_the_same_picture_is_the_same_file(self):
        paths = [self.folder / name for name in ("a.svg", "b.svg")]
        for path in paths:
            scree.plot.save(scree.plot.grains(self.flat), path)
        self.assertEqual(paths[0].read_bytes(), paths[1].read_bytes())

    def test_wrong_arguments_are_refused(self):
        bad = scree.ArgumentError
        axes = scree.plot.grains(self.flat)
        for wrong in ("a.gif", "a", "a.png.txt"):
            with self.assertRaises(bad):
                scree.plot.save(axes, wrong)
        with self.assertRaises(FileNotFoundError):
            scree.plot.save(axes, self.folder / "nowhere" / "a.png")
        with self.assertRaises(bad):
            scree.plot.save("axes", "a.png")
        cases = [lambda: scree.plot.grains(5), lambda: scree.plot.grains(None), lambda: scree.plot.chains("world"),
                 lambda: scree.plot.grains(self.flat, "beauty"), lambda: scree.plot.grains(self.flat, [1, 2]),
                 lambda: scree.plot.grains(self.flat, limits=(0, math.nan)),
                 lambda: scree.plot.grains(self.deep, camera=(0, 0, 0)),
                 lambda: scree.plot.grains(self.deep, camera=(1, 2)), lambda: scree.plot.chains(self.flat, width=0),
                 lambda: scree.plot.certificate([1, 2]), lambda: scree.plot.certificate(np.zeros(0, scree.REPORT)),
                 lambda: scree.plot.series(np.zeros(3, scree.REPORT), "beauty"),
                 lambda: scree.plot.force_distribution([]), lambda: scree.plot.force_distribution([1, 2], width=0),
                 lambda: scree.plot.rose(self.flat, bins=0), lambda: scree.plot.rose(self.flat, ax=axes),
                 lambda: scree.plot.velocities(self.deep, ax=axes)]
        for case in cases:
            with self.assertRaises(bad):
                case()
        plt.close("all")


class Geometry(unittest.TestCase):
    """What is where, from first principles."""

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

    def test_clipping_keeps_the_right_side(self):
        square = np.array([[0, 0], [1, 0], [1, 1], [0, 1.0]])
        part = flat.clip(square, np.array([1.0, 0]), 0.25)
        self.assertEqual((part[:, 0].min(), part[:, 0].max()), (0.25, 1))
        self.assertEqual(len(flat.clip(square, np.array([1.0, 0]), 2)), 0)


class Statistics(unittest.TestCase):
    def test_density_of_forces_has_mean_one(self):
        """It is a probability density with mean 1, whatever the bins."""
        force = np.random.default_rng(0).exponential(5.0, 20000)
        for width in (0.05, 0.25, 1.0):
            share = force / force.mean()
            edges = graphs._edges(share, width)
            count, _ = np.histogram(share, bins=edges)
            self.assertEqual(count.sum(), len(force))
            self.assertGreaterEqual(count.min(), 5)
            np.testing.assert_allclose(np.diff(edges) / width, np.round(np.diff(edges) / width), atol=1e-9)
        axes = scree.plot.force_distribution(force)
        x, y = axes.containers[0][0].get_data()
        np.testing.assert_allclose(y[:6], np.exp(-x[:6]), rtol=0.1)  # the bins are narrow there
        plt.close("all")

    def test_rose_in_the_plane_has_its_strength(self):
        """All contacts along one direction: 1 + 2 cos 2 (angle - angle_0). All directions alike: a circle."""
        along = np.tile([math.cos(0.5), math.sin(0.5), 0], (100, 1))
        density, middle, strength, direction = graphs._flat_rose(along, 36)
        self.assertAlmostEqual(strength, 2)
        self.assertAlmostEqual(direction, 0.5)
        self.assertEqual(np.count_nonzero(density), 2)
        turn = (np.arange(3600) + 0.5) / 3600 * 2 * math.pi
        density, _, strength, _ = graphs._flat_rose(np.column_stack([np.cos(turn), np.sin(turn), 0 * turn]), 36)
        np.testing.assert_allclose(density, 1, atol=0.03)
        self.assertAlmostEqual(strength, 0, delta=1e-9)

    def test_rose_in_space_has_its_strength(self):
        normal = np.random.default_rng(1).normal(size=(200000, 3))
        normal /= np.linalg.norm(normal, axis=1, keepdims=True)
        up = np.array([0, 0, 1.0])
        density, _, strength = graphs._deep_rose(normal, up, 36)
        np.testing.assert_allclose(density[:7], 1, atol=0.03)
        self.assertAlmostEqual(strength, 0, delta=0.02)
        self.assertAlmostEqual(graphs._deep_rose(np.tile(up, (9, 1)), up, 36)[2], 5)  # 5 P2(1)
        flat_ones = normal * (1, 1, 0)
        flat_ones /= np.linalg.norm(flat_ones, axis=1, keepdims=True)
        self.assertAlmostEqual(graphs._deep_rose(flat_ones, up, 36)[2], -2.5)  # 5 P2(0)

    def test_envelope_keeps_peaks(self):
        time = np.arange(100000.0)
        values = np.zeros(100000)
        values[54321], values[777] = 7, -3
        few, shown = graphs._envelope(time, values)
        self.assertLessEqual(len(few), graphs.POINTS_MOST)
        self.assertEqual((shown.max(), shown.min()), (7, -3))
        self.assertTrue(np.all(np.diff(few) > 0))

    def test_the_scale_grows_lighter(self):
        """So that it reads in grey and for every kind of colour vision."""
        colours = scree.plot.SCALE(np.linspace(0, 1, 64))[:, :3]
        linear = np.where(colours <= 0.04045, colours / 12.92, ((colours + 0.055) / 1.055) ** 2.4)
        lightness = 116 * np.cbrt(linear @ (0.2126, 0.7152, 0.0722)) - 16
        steps = np.diff(lightness)
        self.assertTrue(np.all(steps > 0))
        self.assertGreater(lightness[-1] - lightness[0], 55)
        self.assertLess(steps.max() / steps.mean(), 2)

    def test_style_leaves_no_trace(self):
        before = dict(matplotlib.rcParams)
        with scree.plot.style({"lines.linewidth": 9}):
            self.assertEqual(matplotlib.rcParams["lines.linewidth"], 9)
        self.assertEqual(dict(matplotlib.rcParams), before)


if __name__ == "__main__":
    unittest.main()
