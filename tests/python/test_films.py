"""Several runs in one plot, ranges of time, units, and films."""
import contextlib
import io
import pathlib
import shutil
import subprocess
import tempfile
import unittest
import unittest.mock

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import matplotlib.quiver
import matplotlib.text
import numpy as np
from matplotlib.layout_engine import ConstrainedLayoutEngine
from PIL import Image

import scree
import scree.plot
from scree import _command, measures
from scree.plot import films, render, space
from support import call, run_scene, write_heap

FALL = """\
dimension: 2
gravity: [0, -10]
time: {step: 1e-2, end: 0.3}
materials: {stone: {density: 1}}
grains:
  - {position: [0, 1], radius: 0.1}
output: {every: 0.05}
"""

DROP = """\
gravity: [0, 0, -10]
time: {step: 1e-2, end: 0.3}
materials: {stone: {density: 1}}
walls: {floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}}
grains:
  - {at: [[0, 0, 0.1], [0.3, 0, 0.4]], radius: 0.1}
output: {every: 0.1}
"""


class Pictures(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.holder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.holder.cleanup)
        cls.folder = pathlib.Path(cls.holder.name)
        scene = write_heap(cls.folder)
        cls.rough = run_scene(scene, cls.folder)
        cls.smooth = cls.folder / "smooth.h5"
        call("run", scene, "-o", cls.smooth, "-q", "-D", "materials.stone.friction=0")
        cls.ball = cls.folder / "ball.h5"
        (cls.folder / "ball.yaml").write_text(FALL)
        call("run", cls.folder / "ball.yaml", "-o", cls.ball, "-q")
        cls.drop = cls.folder / "drop.h5"
        (cls.folder / "drop.yaml").write_text(DROP)
        call("run", cls.folder / "drop.yaml", "-o", cls.drop, "-q")

    def setUp(self):
        self.runs = [scree.open_run(self.rough), scree.open_run(self.smooth)]
        for run in self.runs:
            self.addCleanup(run.close)
        self.addCleanup(plt.close, "all")


class Several(Pictures):
    def test_curves_are_those_of_the_runs(self):
        figure = scree.plot.compare(self.runs, "packing", units=scree.plot.units("m", "kg", "s", 2))
        for axes, field in zip(figure.axes, ("solid_fraction", "coordination", "sliding")):
            for curve, run in zip(axes.lines, self.runs):
                table = measures.series(run)
                keep = np.isfinite(table[field])
                np.testing.assert_array_equal(curve.get_xdata(), table.time[keep])
                np.testing.assert_array_equal(curve.get_ydata(), table[field][keep])
        self.assertEqual([text.get_text() for text in figure.axes[0].get_legend().get_texts()], ["heap", "smooth"])
        self.assertEqual(figure.axes[-1].get_xlabel(), "time [s]")
        self.assertEqual(len({curve.get_color() for curve in figure.axes[0].lines}), 2)

    def test_pictures_have_one_scale(self):
        figure = scree.plot.compare(self.runs, "grains", colour="speed", frames=[2, 2])
        fastest = max(np.linalg.norm(run.frames[2].velocity, axis=1).max() for run in self.runs)
        bar = figure.axes[-1]
        np.testing.assert_allclose(bar.get_ylim(), (0, fastest))
        titles = [axes.get_title(loc="left") for axes in figure.axes[:2]]
        self.assertEqual(titles, ["heap, $t$ = 0.2", "smooth, $t$ = 0.2"])

    def test_every_kind_is_drawn(self):
        for what in ("chains", "stress", "fabric", "energy", "certificate", "forces", "pairs", "profile"):
            scree.plot.save(scree.plot.compare(self.runs, what), self.folder / "a.png", dots_per_inch=50)
        for wrong, words in ((lambda: scree.plot.compare(self.runs, "fields"), "fields of several runs cannot"),
                             (lambda: scree.plot.compare([], "grains"), "at least one"),
                             (lambda: scree.plot.compare(self.runs, "pairs", names=["a"]), "one for each run")):
            with self.assertRaisesRegex(scree.ArgumentError, words):
                wrong()

    def test_runs_of_one_name_are_told_apart(self):
        other = self.folder / "other"
        other.mkdir(exist_ok=True)
        shutil.copy(self.rough, other)
        with scree.open_run(other / "heap.h5") as same:
            axes = scree.plot.compare([self.runs[0], same], "stress").axes[0]
            self.assertIn("other", axes.get_legend().get_texts()[1].get_text())


class Ranges(Pictures):
    def test_times_cut_curves(self):
        run = self.runs[0]
        for axes in (scree.plot.stress(run, times=(0.2, 0.4)), *scree.plot.packing(run, times=(0.2, 0.4)).axes,
                     scree.plot.fabric(run, times=(0.2, 0.4)).axes[0]):
            np.testing.assert_allclose(axes.lines[0].get_xdata(), [0.2, 0.3, 0.4])
        steps = scree.plot.series(run, "iterations", times=(0.2, 0.4)).lines[0].get_xdata()
        self.assertTrue(steps.min() >= 0.2 and steps.max() <= 0.4 and len(steps) >= 100)
        with self.assertRaisesRegex(scree.ArgumentError, "nothing between 7 and 8"):
            scree.plot.stress(run, times=(7, 8))

    def test_units_follow_from_three(self):
        """Force is mass times length over time squared; energy force times length; stress force over area, in the plane
        over length."""
        named = scree.plot.units("cm", "g", "s")
        self.assertEqual([named[key] for key in ("force", "energy", "stress", "length/time")],
                         ["g cm/s²", "g cm²/s²", "g/(cm s²)", "cm/s"])
        self.assertEqual(scree.plot.units("cm", "g", "s", 2)["stress"], "g/s²")
        self.assertEqual(scree.plot.units("m", "kg/m", "s", 2)["stress"], "Pa")
        axes = scree.plot.stress(self.runs[0], units=scree.plot.units("m", "kg", "s", 2))
        self.assertEqual(axes.get_ylabel(), "stress, compression positive [N/m]")

    def test_legends_hide_no_curve(self):
        run = self.runs[0]
        for picture in (scree.plot.stress(run), scree.plot.packing(run), scree.plot.certificate(run)):
            figure = picture.get_figure() if hasattr(picture, "get_ylabel") else picture
            figure.canvas.draw()
            for axes in figure.axes:
                legend = axes.get_legend()
                if legend is not None:
                    self.assertGreaterEqual(legend.get_window_extent().y0, axes.get_window_extent().y1 - 1)

    def test_the_scale_of_arrows_is_on_the_page(self):
        for size in ((4, 1), (1, 4), (1, 1)):  # flat, tall and square heaps
            world = scree.World(dimension=2, time_step=1e-3)
            world.add_material()
            place = np.stack(np.meshgrid(np.arange(6 * size[0]), np.arange(6 * size[1])), axis=-1).reshape(-1, 2)
            world.add_grains(place, 0.4, velocity=0.5 * place[:, ::-1])
            figure = scree.plot.fields(world, units={"length/time": "m/s"})
            figure.canvas.draw()
            text = next(text for text in figure.axes[0].findobj(matplotlib.text.Text) if "longest" in text.get_text())
            self.assertIn("[m/s]", text.get_text())
            extent, page = text.get_window_extent(), figure.bbox
            self.assertTrue(page.x0 <= extent.x0 and extent.x1 <= page.x1 and extent.y1 <= page.y1, size)
            arrows = next(each for each in figure.axes[0].collections if isinstance(each, matplotlib.quiver.Quiver))
            fastest = np.hypot(arrows.U, arrows.V).max()
            self.assertAlmostEqual(float(text.get_text().split()[2]) / fastest, 1, 1)


class Command(Pictures):
    def draw(self, *words, status=0):
        with contextlib.redirect_stderr(io.StringIO()) as said, contextlib.chdir(self.folder):
            self.assertEqual(_command.main([*words, "--output=out.png"]), status, said.getvalue())
        return said.getvalue()

    def test_options(self):
        for words in (("heap.h5", "--colour=radius", "--range=0:0.1", "--units=m,kg,s"), ("heap.h5", "--colour=#336699"),
                      ("heap.h5", "smooth.h5", "--what=stress", "--times=0.1:0.5", "--frame=1,1"),
                      ("heap.h5", "--what=energy", "--times=0.1:")):
            self.draw(*words)
        self.assertIn("3 frames", self.draw("heap.h5", "--what=stress", "--times=0.2:0.4"))

    def test_mistakes(self):
        for words, status, said in (
                (("heap.h5", "--camera=1,0,0"), 2, "a plane is always seen from the front"),
                (("heap.h5", "--units=m,kg"), 2, "units of length, mass and time"),
                (("heap.h5", "--range=2"), 2, "LOW:HIGH"), (("heap.h5", "--range=2:1"), 2, "LOW:HIGH"),
                (("heap.h5", "--colour=beauty"), 1, "must be one of speed"),
                (("heap.h5", "--what=stress", "--colour=speed"), 2, "--colour: says nothing about --what stress"),
                (("heap.h5", "--times=1:2"), 2, "--times: says nothing about --what grains"),
                (("heap.h5", "--what=stress", "--times=7:8"), 1, "nothing between 7 and 8"),
                (("heap.h5", "smooth.h5", "--what=fields"), 1, "cannot be drawn in one plot")):
            self.assertIn(said, self.draw(*words, status=status))

    def test_the_program_takes_several_runs(self):
        call("plot", "heap.h5", "smooth.h5", "--time", "0.3", "-o", "both.png", folder=self.folder)
        self.assertGreater((self.folder / "both.png").stat().st_size, 10_000)
        said = call("plot", "smooth.h5", "heap.h5", "-o", "heap.h5", "--force", folder=self.folder, status=1)
        self.assertIn("heap.h5", said)
        self.assertIn("nowhere.h5", call("plot", "heap.h5", "nowhere.h5", folder=self.folder, status=65))


class Films(Pictures):
    def disk(self, image):
        """Middle and height, in pixels, of what has the colour of the grain."""
        rows = np.flatnonzero((np.abs(np.asarray(image.convert("RGB"), float) - (255, 0, 0)).sum(axis=2) < 120).any(axis=1))
        return (rows[0] + rows[-1]) / 2, rows[-1] - rows[0] + 1

    def test_a_falling_disk(self):
        """It falls by as many diameters in the film as in the run, and the view stands still."""
        path = self.folder / "ball.gif"
        with scree.open_run(self.ball) as run:
            count = scree.plot.film(run, path, colour="#ff0000", fps=20, width=300)
            self.assertEqual(count, len(run.frames))
            height = np.array([frame.position[0, 1] for frame in run.frames])
        with Image.open(path) as gif:
            self.assertEqual((gif.n_frames, gif.width), (count, 300))
            seen = []
            for number in range(count):
                gif.seek(number)
                self.assertEqual(gif.info["duration"], 50)
                seen.append(self.disk(gif))
        middle, tall = np.array(seen).T
        tall += 2  # its edge is of another colour
        np.testing.assert_allclose((middle - middle[0]) / tall.mean(), (height[0] - height) / 0.2, atol=1.5 / tall.mean(),
                                   rtol=1 / tall.mean())
        self.assertLessEqual(np.ptp(tall), 3)

    def test_processes_draw_the_same(self):
        found = []
        for jobs in (1, 2):
            with scree.open_run(self.ball) as run:
                told = []
                scree.plot.film(run, self.folder / "a.gif", times=(0.05, 0.2), width=128, jobs=jobs,
                                progress=lambda done, total: told.append((done, total)))
            self.assertEqual(told, [(k, 4) for k in range(1, 5)])
            found.append((self.folder / "a.gif").read_bytes())
        self.assertEqual(*found)

    def test_balls_in_space_and_chains(self):
        """Grains are drawn as finely as they are shown, and pictures are laid out once for all frames."""
        images = []

        def image_of(*given):
            images.append(render.image_of(*given))
            return images[-1]

        lay_out = ConstrainedLayoutEngine.execute
        with unittest.mock.patch.object(space, "image_of", image_of), scree.open_run(self.drop) as run, \
                unittest.mock.patch.object(ConstrainedLayoutEngine, "execute", autospec=True, side_effect=lay_out) as laid:
            count = scree.plot.film(run, self.folder / "b.gif", width=300)
            self.assertEqual(laid.call_count, 1)
            self.assertEqual(len(images), 1 + count)
            for image in images[1:]:
                self.assertAlmostEqual(max(image.shape), films.SHOWN * 300, delta=1)
            scree.plot.film(run, self.folder / "b.gif", "chains", times=(0.2, 0.3), width=160)

    def test_one_grain_that_flies_away_takes_no_colours(self):
        """Of 60 grains in nine frames the fastest is beyond the outermost per cent."""
        low, high = films._limits(self.runs[0], range(len(self.runs[0].frames)), "speed")
        speeds = np.sort(np.concatenate([np.linalg.norm(frame.velocity, axis=1) for frame in self.runs[0].frames]))
        self.assertEqual(low, 0)
        self.assertAlmostEqual(high, np.percentile(speeds, 99))

    def test_mistakes(self):
        run = self.runs[0]
        for wrong, words in ((lambda: scree.plot.film(run, "a.avi"), "must end in .mp4, .webm or .gif"),
                             (lambda: scree.plot.film(run, "a.gif", "stress"), "grains, chains"),
                             (lambda: scree.plot.film(run, "a.gif", fps=0), "fps"),
                             (lambda: scree.plot.film(run, "a.gif", times=(7, 8)), "no frame between 7 and 8")):
            with self.assertRaisesRegex(scree.ArgumentError, words):
                wrong()
        with unittest.mock.patch("shutil.which", return_value=None), self.assertRaisesRegex(scree.Error, "ask for a .gif"):
            scree.plot.film(run, self.folder / "a.mp4")

    def test_the_program(self):
        said = call("film", "ball.h5", "-o", "film.gif", "--width", "100", "-j", "1", folder=self.folder)
        self.assertIn("film.gif: 7 frames, 0.28 s", said)
        self.assertIn("exists", call("film", "ball.h5", "-o", "film.gif", folder=self.folder, status=1))
        self.assertIn("--fps 0", call("film", "ball.h5", "--fps", "0", folder=self.folder, status=2))
        self.assertIn(".mp4, .webm or .gif", call("film", "ball.h5", "-o", "a.png", folder=self.folder, status=2))
        self.assertEqual(list(self.folder.glob("*.new")), [])

    def test_failures_of_ffmpeg_are_told(self):
        fake = self.folder / "ffmpeg"
        fake.write_text("#!/bin/sh\necho no such codec >&2\nexit 1\n")
        fake.chmod(0o755)
        with unittest.mock.patch("shutil.which", return_value=str(fake)), scree.open_run(self.ball) as run:
            with self.assertRaisesRegex(scree.Error, "ffmpeg: no such codec"):
                scree.plot.film(run, self.folder / "fails.mp4", width=100)
        self.assertFalse((self.folder / "fails.mp4").exists())

    @unittest.skipUnless(shutil.which("ffmpeg"), "ffmpeg is not here")
    def test_videos(self):
        for ending in ("mp4", "webm"):
            path = self.folder / f"video.{ending}"
            with scree.open_run(self.ball) as run:
                scree.plot.film(run, path, colour="#ff0000", width=200, fps=10)
            subprocess.run(["ffmpeg", "-v", "error", "-y", "-i", path, self.folder / f"{ending}-%d.png"], check=True)
            frames = sorted(self.folder.glob(f"{ending}-*.png"))
            self.assertEqual(len(frames), 7)
            first, last = (self.disk(Image.open(self.folder / f"{ending}-{k}.png")) for k in (1, 7))
            self.assertAlmostEqual((last[0] - first[0]) / first[1], (0.5 * 10 * 0.3**2) / 0.2, delta=0.2)


if __name__ == "__main__":
    unittest.main()
