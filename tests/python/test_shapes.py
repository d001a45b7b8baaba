"""Shapes from Python: what is put in comes out, corners are where they should be, pictures show them as they are."""
import math
import pathlib
import tempfile
import unittest

import h5py
import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.collections import PolyCollection

import scree
import scree.plot
from scree import shapes
from scree.plot import flat, pictures, source
from support import run_scene
from test_run import table

HOOK = np.array([(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2.0)])  # area 3, centroid (5/6, 5/6)
SLOT = np.array([(0, 0), (3, 0), (3, 3), (2, 3), (2, 1), (1, 1), (1, 3), (0, 3.0)])
SCENE = """\
dimension: 2
gravity: [0, -10]
time: {step: 2e-3, end: 1.2}
materials: {stone: {density: 2000, friction: 0.5}}
walls: {tank: {box: {min: [0, 0], max: [4, 4]}, open: top}}
shapes:
  hook: {polygon: {vertices: [[0, 0], [2, 0], [2, 1], [1, 1], [1, 2], [0, 2]]}}
  slot: {polygon: {vertices: [[0, 0], [3, 0], [3, 3], [2, 3], [2, 1], [1, 1], [1, 3], [0, 3]], rounding: 0.1}}
grains:
  - {count: 8, shape: hook, scale: 0.25, material: stone, fill: {min: [0, 0], max: [4, 4]}}
  - {count: 5, shape: slot, scale: 0.2, material: stone, fill: {min: [0, 0], max: [4, 4]}}
  - {count: 6, radius: 0.2, material: stone, fill: {min: [0, 0], max: [4, 4]}}
  - {count: 4, compound: [{disk: {radius: 0.2}}, {disk: {radius: 0.15}, center: [0.3, 0]}], material: stone,
     fill: {min: [0, 0], max: [4, 4]}}
output: {every: 0.3}
"""


def plane_world(**settings):
    world = scree.World(dimension=2, time_step=1e-2, **settings)
    world.add_material(density=2, friction=0.5)
    return world


def area(curve):
    x, y = curve.T
    return 0.5 * np.sum(x * np.roll(y, -1) - y * np.roll(x, -1))


def distance(points, corners):
    """The distance of points from the edges of a polygon."""
    start, step = corners, np.roll(corners, -1, axis=0) - corners
    along = ((points[:, None] - start) * step).sum(axis=2) / np.maximum((step * step).sum(axis=1), 1e-300)
    nearest = start + np.clip(along, 0, 1)[..., None] * step
    return np.linalg.norm(points[:, None] - nearest, axis=2).min(axis=1)


class Making(unittest.TestCase):
    def test_polygons_are_centred_and_measured(self):
        world = plane_world()
        number = world.add_shape(HOOK + (7, -3))
        other = world.add_shape(HOOK[::-1])
        self.assertEqual((number, other), (0, 1))
        hook, reverse = world.shapes
        np.testing.assert_allclose(hook.centroid, [7 + 5 / 6, -3 + 5 / 6, 0], rtol=1e-14)
        self.assertAlmostEqual(hook.area, 3, places=13)
        self.assertEqual(len(hook.parts), 1)
        np.testing.assert_allclose(hook.parts[0].corners, HOOK - 5 / 6, atol=1e-14)
        self.assertEqual(hook.parts[0].rounding, 0)
        self.assertGreater(area(reverse.parts[0].corners), 0, "counterclockwise whichever way it was given")
        self.assertAlmostEqual(hook.radius, math.hypot(7 / 6, 5 / 6))
        # three unit squares about the common centroid: 1/6 each, and the square of its distance
        away = [(-1 / 3, -1 / 3), (2 / 3, -1 / 3), (-1 / 3, 2 / 3)]
        self.assertAlmostEqual(hook.gyration, np.mean([1 / 6 + x * x + y * y for x, y in away]))

    def test_grains_take_shapes_and_angles(self):
        world = plane_world()
        hook = world.add_shape(HOOK)
        numbers = world.add_grains([(0, 0), (5, 0), (10, 0)], [0, 0, 0.5], shape=[hook, hook, -1], angle=[0, 1, 2])
        self.assertEqual(list(numbers), [0, 1, 2])
        self.assertEqual(list(world.shape), [0, 0, -1])
        np.testing.assert_allclose(world.mass, [6, 6, 2 * math.pi * 0.25])
        np.testing.assert_allclose(world.inertia[:2], 6 * world.shapes[0].gyration)
        np.testing.assert_allclose(world.radius, [world.shapes[0].radius] * 2 + [0.5])
        np.testing.assert_allclose(2 * np.arctan2(world.orientation[:, 3], world.orientation[:, 0]), [0, 1, 2])
        world.set_orientation(1, angle=-0.5)
        np.testing.assert_allclose(world.orientation[1], [math.cos(0.25), 0, 0, -math.sin(0.25)])
        world.orientation = (2, 0, 0, 0)
        np.testing.assert_array_equal(world.orientation, [[1, 0, 0, 0]] * 3)
        again = scree.World.load(world.save())
        self.assertEqual(again.hash(), world.hash())
        np.testing.assert_array_equal(again.shapes[0].parts[0].corners, world.shapes[0].parts[0].corners)
        self.assertEqual(list(again.shape), [0, 0, -1])

    def test_compounds_add_up(self):
        """Two disks: area and centroid of the sum, in which the overlap counts twice."""
        world = plane_world()
        world.add_shape([(0, 0)], [(1, 0)], rounding=[0.7, 0.5])
        shape = world.shapes[0]
        masses = math.pi * np.array([0.49, 0.25])
        self.assertAlmostEqual(shape.area, masses.sum())
        self.assertAlmostEqual(shape.centroid[0], masses[1] / masses.sum())
        self.assertEqual([part.rounding for part in shape.parts], [0.7, 0.5])
        self.assertEqual([part.corners.shape for part in shape.parts], [(1, 2), (1, 2)])

    def test_bad_outlines_are_refused(self):
        world = plane_world()
        for given, words in (((), "needs an outline"), (([(0, 0), (1, 0)],), "round"),
                             (([(0, 0), (1, 1), (1, 0), (0, 1)],), "corner"),
                             (([(0, 0), (1, 0), (2, 0), (0, 1)],), "corner 1"),
                             (([(0, 0), (1, 0), (1, 0), (0, 1)],), "corner"), (("abc",), "outline 0"),
                             (([(0, 0, 1), (1, 0, 0), (0, 1, 0)],), ""),
                             (([(0, math.nan), (1, 0), (0, 1)],), "finite")):
            with self.assertRaisesRegex(scree.ArgumentError, words):
                world.add_shape(*given)
        with self.assertRaises(scree.ArgumentError):
            world.add_shape(HOOK, rounding=[1, 2])
        with self.assertRaises(scree.ArgumentError):
            world.add_shape(HOOK, rounding=-1)
        self.assertEqual(world.shapes, [])
        for settings in ({"shape": 0}, {"shape": -2}, {"shape": 0.5}, {"radius": 1, "angle": math.nan}, {},
                         {"radius": 1, "angle": 1, "orientation": (1, 0, 0, 0)}):
            with self.assertRaises(scree.ArgumentError):
                world.add_grains((0, 0), **settings)
        self.assertEqual(len(world), 0)
        world.add_grains((0, 0), 1)
        for wrong in ((0, 1, 0, 0), (0, 0, 0, 0), (1, 0)):
            with self.assertRaises(scree.ArgumentError):
                world.set_orientation(0, wrong)
        deep = scree.World(time_step=1)
        deep.add_material()
        with self.assertRaises(scree.ArgumentError):
            deep.add_shape(HOOK)
        with self.assertRaises(scree.ArgumentError):
            deep.add_grains((0, 0, 0), 1, angle=1)
        for name in ("corners", "outlines"):
            with self.assertRaises(scree.ArgumentError):
                getattr(deep, name)


class Places(unittest.TestCase):
    def test_corners_follow_their_grains(self):
        """Turned and moved by complex numbers."""
        world = plane_world()
        pair = world.add_shape([(0, 0)], HOOK, rounding=[0.3, 0.1])
        hook = world.add_shape(HOOK)
        place, angle, kind = [(1, 2), (8, -3), (0, 9), (-7, 0)], [0.3, -2, 1.1, 4], [hook, -1, pair, hook]
        world.add_grains(place, 0.4, shape=kind, angle=angle)
        table = world.corners
        self.assertEqual(table.dtype.names, scree.CORNERS.names)
        self.assertEqual(np.bincount(table.body).tolist(), [6, 1, 7, 6])
        for row in table:
            x, y = place[row.body]
            if kind[row.body] < 0:
                expected, rounding, given = complex(x, y), 0.4, None
            else:
                part = world.shapes[kind[row.body]].parts[row.part]
                given, rounding = complex(*part.corners[row.corner]), part.rounding
                expected = complex(x, y) + given * np.exp(1j * angle[row.body])
            self.assertAlmostEqual(complex(*row.position), expected, places=12)
            self.assertEqual(row.rounding, rounding)
        own = table[table.body == 2]
        self.assertEqual(list(own.part), [0] + [1] * 6)
        self.assertEqual(list(own.corner), [0] + list(range(6)))
        curves = world.outlines
        self.assertEqual([len(parts) for parts in curves], [1, 1, 2, 1])
        np.testing.assert_allclose(curves[0][0], table[table.body == 0].position, atol=1e-12)
        np.testing.assert_allclose(np.linalg.norm(curves[1][0] - place[1], axis=1), 0.4)
        self.assertAlmostEqual(area(curves[3][0]), 3)

    def test_worlds_without_shapes_have_no_corners(self):
        world = plane_world()
        self.assertEqual((len(world.corners), world.outlines, world.shapes), (0, [], []))

    def test_rounded_outlines_keep_their_distance(self):
        """As far from the polygon as the rounding says; the area is that of the formula of Steiner, with
        r^2 tan(turn / 2) less where the outline turns right."""
        def arc(turn):
            return 0.5 * round(turn * 24 / math.pi) * math.sin(turn / round(turn * 24 / math.pi))

        quarter = arc(math.pi / 2)
        for corners, rounding, extra in ((HOOK, 0.3, 5 * quarter - 1), (SLOT, 0.45, 6 * quarter - 2),
                                         (HOOK[:3], 0.2, None)):
            curve = shapes.Part(corners, rounding).curve
            away = distance(curve, corners)
            self.assertLess(np.abs(away - rounding).max(), 1e-12)
            if extra is not None:
                length = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1).sum()
                self.assertAlmostEqual(area(curve), area(corners) + rounding * length + rounding**2 * extra)
        self.assertEqual(len(shapes.Part(HOOK, 0.0).curve), 6)

    def test_closing_slots_are_filled(self):
        """One wide: with a rounding of more than one half it is filled, and only a notch stays at its mouth."""
        curve = shapes.Part(SLOT, 0.7).curve
        away = distance(curve, SLOT)
        self.assertLess(away.max(), 0.7 + 1e-12)
        self.assertGreater(away.min(), 0.7 * math.cos(math.pi / 48) - 1e-12)
        inside = (curve[:, 0] > 1.3) & (curve[:, 0] < 1.7)
        self.assertGreater(curve[inside & (curve[:, 1] > 0)][:, 1].min(), 3 + math.sqrt(0.49 - 0.25) - 0.01)


class Files(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.holder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.holder.cleanup)
        cls.folder = pathlib.Path(cls.holder.name)
        (cls.folder / "shapes.yaml").write_text(SCENE)
        cls.path = run_scene(cls.folder / "shapes.yaml", cls.folder)

    def test_frames_equal_the_world(self):
        scene = scree.load_scene(self.folder / "shapes.yaml")
        scene.run()
        with scree.open_run(self.path) as run:
            frame, world = run.frames[-1], scene.world
            for name in ("shape", "position", "orientation", "radius", "mass"):
                np.testing.assert_array_equal(getattr(frame, name), getattr(world, name), name)
            self.assertEqual(len(run.shapes), len(world.shapes))
            for ours, theirs in zip(run.shapes, world.shapes):
                self.assertEqual((ours.area, ours.gyration, ours.radius), (theirs.area, theirs.gyration, theirs.radius))
                np.testing.assert_array_equal(ours.centroid, theirs.centroid)
                for one, other in zip(ours.parts, theirs.parts):
                    np.testing.assert_array_equal(one.corners, other.corners)
                    self.assertEqual(one.rounding, other.rounding)
            np.testing.assert_array_equal(frame.corners, world.corners)
            np.testing.assert_array_equal(frame.contacts.point, world.contacts.point)
            np.testing.assert_array_equal(frame.contacts.feature, world.contacts.feature)
            pairs = list(zip(frame.contacts.a, frame.contacts.b))
            self.assertGreater(len(pairs), len(set(pairs)), "some pairs touch at several points")
            self.assertEqual(len(set(zip(pairs, frame.contacts.feature))), len(pairs), "told apart by their feature")

    def test_frames_equal_the_tables(self):
        with scree.open_run(self.path) as run:
            frame = run.frames[2]
            rows, ours = table(self.path, "corners", "--frame", "2"), frame.corners
            self.assertEqual(list(rows[0]), ["body", "part", "corner", "x", "y", "rounding"])
            for name in ("body", "part", "corner", "rounding"):
                np.testing.assert_array_equal([float(row[name]) for row in rows], ours[name], name)
            np.testing.assert_allclose([[float(row["x"]), float(row["y"])] for row in rows], ours.position, rtol=1e-14,
                                       atol=1e-14)
            rows = iter(table(self.path, "shapes"))
            for number, shape in enumerate(run.shapes):
                for part, one in enumerate(shape.parts):
                    for corner, at in enumerate(one.corners):
                        row = next(rows)
                        self.assertEqual([float(value) for value in row.values()],
                                         [number, part, corner, *at, one.rounding])
            self.assertIsNone(next(rows, None))
            bodies = table(self.path, "bodies")
            self.assertEqual([int(row["shape"]) for row in bodies], list(frame.shape))

    def test_contacts_lie_on_outlines(self):
        """A contact point is within half its gap of both surfaces, up to the motion of the step."""
        with scree.open_run(self.path) as run:
            frame, parts = run.frames[-1], {}
            for row in frame.corners:
                parts.setdefault(row.body, {}).setdefault(row.part, ([], row.rounding))[0].append(row.position)
            found = frame.contacts[frame.contacts.state != scree.ContactState.OPEN]
            self.assertGreater(len(found), 20)
            for contact in found:
                for body in (contact.a, contact.b):
                    if body >= 0:
                        away = min(abs(distance(contact.point[None, :2], np.array(corners))[0] - rounding)
                                   for corners, rounding in parts[body].values())
                        self.assertLess(away, 0.01, contact)

    def test_older_files_are_read_and_damaged_ones_refused(self):
        def changed(name, change):
            path = self.folder / name
            path.write_bytes(self.path.read_bytes())
            with h5py.File(path, "r+", libver="latest") as file:
                change(file)
            return path

        def older(file):
            file.attrs["version"] = 2
            del file["shapes"], file["bodies/shape"]

        with scree.open_run(changed("old.h5", older)) as run:
            self.assertEqual((run.shapes, set(run.shape)), ([], {-1}))
            self.assertEqual(len(run.frames[0].corners), len(run.radius))
        for name, at, value in (("shapes/part_end", 0, 0), ("shapes/part_end", -1, 99),
                                ("shapes/parts/corner_end", 1, 6), ("bodies/shape", 0, 50), ("bodies/shape", 3, -2)):
            def spoil(file):
                file[name][at] = value
            with self.assertRaises(scree.RunError, msg=name):
                scree.open_run(changed("bad.h5", spoil))
        for name in ("shapes/area", "shapes/corners/position", "bodies/shape"):
            def remove(file):
                del file[name]
            with self.assertRaises(scree.RunError, msg=name):
                scree.open_run(changed("less.h5", remove))


class Pictures(unittest.TestCase):
    def tearDown(self):
        plt.close("all")

    def test_polygons_are_filled_but_not_their_notches(self):
        """A hook, turned by a quarter: filled where it is, and not in its notch."""
        world = plane_world()
        hook, both = world.add_shape(HOOK), world.add_shape([(0, 0)], [(1, 0)], rounding=[0.7, 0.7])
        world.add_grains([(0, 0), (5, 0), (9, 0)], 0.5, shape=[hook, -1, both], angle=[math.pi / 2, 0, 0])
        axes = scree.plot.grains(world, "#ff0000", marks=False, legend=False)
        axes.figure.canvas.draw()
        image = np.asarray(axes.figure.canvas.buffer_rgba())[::-1]
        centroid = 5 / 6

        def colour(x, y):
            column, row = axes.transData.transform((x, y)).astype(int)
            return tuple(image[row, column, :3])

        for x, y, inside in ((0.5, 0.5, True), (1.8, 0.5, True), (0.5, 1.8, True), (1.5, 1.5, False),
                             (1.2, 1.2, False), (2.2, 0.5, False)):
            turned = (centroid - y, x - centroid)  # by a quarter about the centroid
            self.assertEqual(colour(*turned) == (255, 0, 0), inside, (x, y))
        for x in (8.8, 9.2):
            self.assertEqual(colour(x, 0), (255, 0, 0), "no edge of one part within the other")
        self.assertEqual(colour(5.3, 0.3), (255, 0, 0))

    def test_bounds_fit_the_outlines(self):
        world = plane_world()
        world.add_grains((3, 4), shape=world.add_shape([(0, 0), (4, 0), (4, 0.5), (0, 0.5)]))
        low, high = source.bounds(world)
        np.testing.assert_allclose([low[:2], high[:2]], [[1, 3.75], [5, 4.25]])

    def test_periodic_images_are_drawn(self):
        """What sticks out on one side is drawn on the other, too."""
        world = plane_world(periodic={"x": (0, 10)})
        world.add_grains([(9.5, 0)], shape=world.add_shape([(0, 0), (2, 0), (2, 1), (0, 1)]))
        axes = scree.plot.grains(world)
        curves = [path.vertices for drawn in axes.collections if isinstance(drawn, PolyCollection)
                  for path in drawn.get_paths()]
        found = sorted((round(curve[:, 0].min(), 9), round(curve[:, 0].max(), 9)) for curve in curves)
        self.assertEqual(found, [(-1.5, 0.5), (8.5, 10.5)])
        self.assertEqual(len(flat.images(world)[1]), 2)

    def test_chains_go_through_the_contact_points(self):
        """A block on a floor carries at its two lower corners."""
        world = plane_world(gravity=(0, -1), periodic={"x": (0, 10)})
        world.add_plane((0, 0), (0, 1))
        world.add_grains([(9.7, 0.5)], shape=world.add_shape([(0, 0), (2, 0), (2, 1), (0, 1)]))
        world.step(20)
        found = source.active(world.contacts)
        self.assertEqual(len(found), 2)
        self.assertEqual(len(set(found.feature)), 2)
        start, end, owner = pictures._branches(world, found)
        direct = np.array(sorted((end - start)[:2, :2].tolist()))
        np.testing.assert_allclose(direct, [[-1, -0.5], [1, -0.5]], atol=1e-3)
        self.assertAlmostEqual(found.force_normal.sum(), world.mass[0], delta=1e-6)
        scree.plot.chains(world)


if __name__ == "__main__":
    unittest.main()
