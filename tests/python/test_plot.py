"""Pictures: files of the right kind and size, not blank, and the statistics that they show."""
import math
import pathlib
import re
import struct
import tempfile
import unittest
import unittest.mock
import warnings
import xml.etree.ElementTree

import matplotlib

matplotlib.use("Agg")
import matplotlib.image
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.colors import to_rgb

import scree
import scree.plot
from scree.plot import graphs, space
from scree.plot.camera import Camera
from scree.plot.style import NAMED
from support import CUBE, EXAMPLES, ROOT, balls, call, run_scene, write_heap


def pixels(path):
    """The image without transparency."""
    image = matplotlib.image.imread(path)
    return image[..., :3] * image[..., 3:] + 1 - image[..., 3:] if image.shape[2] == 4 else image


def packing():
    """Disks in a box, at rest, with some contacts that slide."""
    scene = scree.load_scene(EXAMPLES / "piston.yaml", time__end=0.5, solver__on_failure="continue")
    scene.run()
    return scene.world


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

    def test_energies_close_where_grains_come_and_go(self):
        """A grain of mass 2 flies freely at 3, another one of mass 4 comes at 1 after a step, and then the first one leaves: at
        first there is 9, then 11, then 2, and no work is done."""
        world = scree.World(dimension=2, gravity=(0, 0), time_step=0.01)
        world.add_material()
        world.add_grains((0, 0), 1, mass=2, velocity=(3, 0))
        with world.record(str(self.folder / "energy.h5"), changing=True):
            world.step(2)
            world.add_grains((20, 0), 1, mass=4, velocity=(0, 1))
            world.step()
            world.remove_grains([0])
            world.step()
        with scree.open_run(self.folder / "energy.h5") as run:
            budget = scree.measures.energy(run)
            self.assertAlmostEqual(budget["carried"], 2, places=12)
            self.assertAlmostEqual(budget["gained"] + budget["carried"], budget["kinetic_energy"], places=12)
            axes = scree.plot.energy(run)
        drawn = {line.get_label(): line.get_ydata() for line in axes.lines}
        np.testing.assert_allclose(drawn["carried in − out"], [9, 9, 11, 2], atol=1e-12)
        np.testing.assert_allclose(drawn["work done + carried in − out"], drawn["losses + kinetic + elastic"], atol=1e-12)
        plt.close(axes.figure)

    def test_energies_count_what_a_cell_does(self):
        """A cell that shrinks presses disks: its work is the loss and what they have."""
        world = scree.World(dimension=2, gravity=(0, 0), time_step=0.01, periodic={"x": (0, 3.3), "y": (0, 3.3)})
        world.add_material()
        world.add_grains([(1.1 * x, 1.1 * y) for x in range(3) for y in range(3)], 0.54)
        world.set_cell(rate={"xx": -0.5, "yy": -0.5})
        with world.record(str(self.folder / "cell.h5")):
            world.step(8)
        with scree.open_run(self.folder / "cell.h5") as run:
            axes = scree.plot.energy(run)
            drawn = {line.get_label(): line.get_ydata() for line in axes.lines}
            work = run.certificate.work_cell.sum()
        self.assertGreater(work, 0)
        self.assertAlmostEqual(drawn["work done"][-1] / work, 1, places=12)
        plt.close(axes.figure)

    def test_curves_of_anything_against_anything(self):
        """A lid comes down at 1 on a disk that fills the width below it: the strain is the time over its height."""
        scene = {"dimension": 2, "gravity": [0, 0], "time": {"step": 0.01, "end": 0.5},
                 "materials": {"stone": {"density": 1}},
                 "walls": {"lid": {"plane": {"point": [0, 4], "normal": [0, -1]}, "velocity": [0, -1]}},
                 "grains": [{"at": [[0, 1], [3, 1]], "radius": 1}], "output": {"every": 0.1}}
        paths = [str(self.folder / f"{name}.h5") for name in ("one", "two")]
        for path, end in zip(paths, (0.5, 0.3)):
            with scree.load_scene(scene, {"time.end": end}) as made, made.record(path):
                made.run()
        with scree.open_run(paths[0]) as run, scree.open_run(paths[1]) as other:
            picture = scree.plot.curve([run, other], ["h: lid.position_y", "solid_fraction"], "strain: -lid.displacement_y / 4")
            upper, lower = picture.axes
            for axes, values in ((upper, [4, 3.9, 3.8, 3.7]), (lower, [math.pi / 5] * 4)):  # a box of 5 x 2
                np.testing.assert_allclose(axes.lines[1].get_xdata(), [0, 0.025, 0.05, 0.075], atol=1e-12)
                np.testing.assert_allclose(axes.lines[1].get_ydata(), values, rtol=1e-12)
            self.assertEqual((upper.get_ylabel(), lower.get_ylabel(), lower.get_xlabel()), ("h", "solid fraction", "strain"))
            plt.close(picture)
            for what, against, said in ((["lid.position_q"], "time", "curve 1: there is no 'lid.position_q'"),
                                        ("time", "lib.position_y", "there is no wall 'lib'"), ([], "time", "expression")):
                with self.assertRaisesRegex(scree.ArgumentError, said):
                    scree.plot.curve(run, what, against)
        call("plot", paths[0], "--curve", "lid.position_y", "--against", "time", "-o", self.folder / "curve.png")
        call("plot", paths[0], "--what", "stress", "--against", "time", status=2)
        call("plot", paths[0], "--what", "stress", "--curve", "time", status=2)

    def test_few_grains_and_frames_give_no_warning(self):
        """No grain, one that floats alone, and one frame, of which nobody knows an error."""
        for grains, steps in ((0, 2), (1, 0), (1, 4)):
            world = scree.World(dimension=2, gravity=(0, -10), time_step=1e-2)
            world.add_material()
            world.add_grains(np.zeros((grains, 2)), 1)
            with world.record(str(self.folder / "few.h5"), every=0.01, changing=True):
                world.step(steps)
            with scree.open_run(self.folder / "few.h5") as run, warnings.catch_warnings():
                warnings.simplefilter("error")
                for name in ("profile", "stress", "fabric", "packing", "energy", "certificate"):
                    try:
                        picture = getattr(scree.plot, name)(run)
                        if steps == 4:  # laying it out may warn as well, and takes longer
                            scree.plot.save(picture, str(self.folder / "few.png"), dots_per_inch=20)
                    except scree.ArgumentError:  # there is nothing to draw, which is said
                        self.assertTrue(grains == 0 or steps == 0, name)
            plt.close("all")

    def test_what_rests_looks_at_rest(self):
        """A grain falls by a thousand of its radii, so at a speed of 140; then nobody moves faster than rounding."""
        world = scree.World(dimension=2, gravity=(0, -10), time_step=1e-2)
        world.add_material()
        world.add_grains([(0, 0), (9, 0)], 1)
        with world.record(str(self.folder / "rest.h5")):
            world.run(until=14)
            world.set_velocity([0, 1], [(1e-19, 0), (2e-18, 0)], [[1e-19], [2e-19]])
            world.gravity = (0, 0)
            world.step()
            world.gravity = (0, -10)
        with scree.open_run(self.folder / "rest.h5") as run:
            for moment, least in ((run.frames[-1], 1e-5), (world, 1e-10)):
                for colour in ("speed", "spin"):
                    axes = scree.plot.grains(moment, colour)
                    low, high = axes.figure.axes[1].get_ylim()
                    self.assertTrue(high > least and low in (0, -high), (low, high))
                    plt.close(axes.figure)
            axes = scree.plot.grains(run.frames[0], "speed", limits=(0, 1e-18))  # but who asks for them gets them
            self.assertEqual(axes.figure.axes[1].get_ylim(), (0, 1e-18))
            plt.close(axes.figure)

    def test_materials_look_as_in_the_viewer(self):
        """The page gives lightness, chroma and hue in OKLab; here they are made sRGB by its published matrices."""
        source = (ROOT / "viewer" / "src" / "draw" / "colours.js").read_text().split("const KNOWN = {")[1].split("};")[0]
        known = re.findall(r"(\w+): \[([\d.]+), ([\d.]+), ([\d.]+)\]", source)
        self.assertEqual(sorted(name for name, *_ in known), sorted(NAMED))
        for name, *numbers in known:
            lightness, chroma, hue = map(float, numbers)
            a, b = chroma * math.cos(math.radians(hue)), chroma * math.sin(math.radians(hue))
            lms = np.array([[1, 0.3963377774, 0.2158037573], [1, -0.1055613458, -0.0638541728],
                            [1, -0.0894841775, -1.291485548]]) @ (lightness, a, b)
            linear = np.clip(np.array([[4.0767416621, -3.3077115913, 0.2309699292],
                                       [-1.2684380046, 2.6097574011, -0.3413193965],
                                       [-0.0041960863, -0.7034186147, 1.707614701]]) @ lms**3, 0, 1)
            rgb = np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear**(1 / 2.4) - 0.055)
            np.testing.assert_allclose(to_rgb(NAMED[name]), rgb, atol=0.51 / 255, err_msg=name)

    def test_materials_have_the_colours_of_the_scene(self):
        """In the scene, in the run file and in the picture; the words are those that the viewer and the plots know."""
        path = self.folder / "two.yaml"
        path.write_text("dimension: 2\ngravity: [0, 0]\ntime: {step: 0.01, end: 0.01}\noutput: {every: 0.01}\n"
                        "materials: {stone: {colour: '#12A0f4'}, sand: {colour: copper}, wood: {}}\ngrains:\n"
                        + "".join(f"  - {{at: [[{3 * k}, 0]], radius: 1, material: {name}}}\n"
                                  for k, name in enumerate(("stone", "sand", "wood"))))
        self.assertEqual(scree.load_scene(path).material_colours, ["#12A0f4", "copper", ""])
        with scree.open_run(run_scene(path, self.folder)) as run:
            self.assertEqual(run.material_colours, ["#12A0f4", "copper", ""])
            scree.plot.save(scree.plot.grains(run.frames[-1]).figure, self.folder / "two.png")
        seen = {tuple(colour) for colour in np.round(255 * pixels(self.folder / "two.png").reshape(-1, 3)).astype(int)}
        for word in ("#12a0f4", NAMED["copper"], NAMED["wood"]):
            self.assertIn(tuple(np.round(255 * np.array(to_rgb(word))).astype(int)), seen, word)
        for word in NAMED:
            scree.load_scene({"time": {"step": 1, "end": 1}, "materials": {"a": {"colour": word}},
                              "grains": [{"position": [0, 0, 0], "radius": 1}]})

    def test_several_materials_are_seen_at_first(self):
        world = scree.World(dimension=3, gravity=(0, 0, 0), time_step=1e-3)
        for _ in range(2):
            world.add_material(density=1)
        world.add_grains([(0, 0, 0), (3, 0, 0)], radius=1, material=[0, 1])
        axes = scree.plot.grains(world)
        self.assertEqual([text.get_text() for text in axes.get_legend().get_texts()], ["material 0", "material 1"])
        world.add_grains([(6, 0, 0)], radius=1, material=0)
        self.assertIsNone(scree.plot.grains(world, "speed").get_legend())
        plt.close("all")

    def test_colours_that_the_scene_gives_are_seen_at_first(self):
        for colour, seen in (("green", ["pea"]), (None, None)):
            pea = {"density": 1} if colour is None else {"density": 1, "colour": colour}
            scene = scree.load_scene({"dimension": 2, "time": {"step": 1, "end": 1}, "materials": {"pea": pea},
                                      "grains": [{"position": [0, 0], "radius": 1}]})
            path = self.folder / f"pea-{colour}.h5"
            with scene.record(path, every=1):
                scene.run()
            legend = scree.plot.grains(scree.open_run(path).frames[-1]).get_legend()
            self.assertEqual(legend and [text.get_text() for text in legend.get_texts()], seen)
        plt.close("all")

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

    def test_bonds_have_the_colours_of_their_loads(self):
        """Four disks of weight 2 hang on a frozen one by glue that bears 10."""
        world = scree.World(dimension=2, gravity=(0, -2), time_step=1e-2)
        stone = world.add_material(friction=0.5)
        world.add_grains(position=[(0, -0.2 * k) for k in range(5)], radius=0.1, mass=1, material=stone)
        world.set_frozen(0, scree.Freeze.ALL)
        world.add_bonds(tension=10, shear=10)
        world.step(1)
        axes = scree.plot.bonds(world)
        bars = axes.collections[-2].get_facecolor()  # two for each bond; then their joints
        expected = scree.plot.pictures.LOAD([0.8, 0.6, 0.4, 0.2])
        np.testing.assert_allclose(np.unique(bars.round(6), axis=0), np.unique(expected, axis=0), atol=0.01)
        self.assertEqual(len(bars), 8)
        self.check(axes)
        self.assertRaisesRegex(scree.ArgumentError, "greater than zero", scree.plot.bonds, world, width=0)
        with scree.open_run(self.run_path) as run:
            self.assertRaisesRegex(scree.ArgumentError, "nothing is glued", scree.plot.bonds, run.frames[-1])

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
