"""Recordings: what Python steps is a run file like those of 'scree run'; scenes as dictionaries; the examples of
docstrings."""
import doctest
import importlib
import os
import pathlib
import pkgutil
import tempfile
import unittest

import numpy as np

import scree
from support import call, run_scene, write_heap

PAIR = {"dimension": 2, "gravity": [0, -10], "time": {"step": 1e-3, "end": 0.2},
        "materials": {"stone": {"density": 2600, "friction": 0.5}},
        "walls": {"floor": {"plane": {"point": [0, 0], "normal": [0, 1]}}},
        "grains": [{"at": [[0, 0.5], [0.1, 1.6]], "radius": 0.5}], "output": {"every": 0.05}}


class InFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(folder.name)
        self.folder = pathlib.Path(folder.name)


class Recordings(InFolder):
    def fall(self):
        """A ball that falls freely, beside one that is held."""
        world = scree.World(dimension=2, gravity=(0, -10), time_step=1e-3)
        stone = world.add_material(friction=0.5)
        world.add_plane(point=(0, -5), normal=(0, 1))
        world.add_grains(position=[(0, 0), (3, 0)], radius=0.5, material=stone)
        return world

    def test_frames_and_reports_are_those_of_the_world(self):
        world = self.fall()
        with world.record("run.h5", every=0.02, title="fall") as recording:
            reports = world.run(until=0.1)
            self.assertIn("open", repr(recording))
        world.step()
        with scree.open_run("run.h5") as run:
            self.assertEqual(len(run.frames), 6)
            np.testing.assert_allclose([frame.time for frame in run.frames], 0.02 * np.arange(6), atol=1e-12)
            self.assertEqual(run.certificate.tobytes(), reports.tobytes())
            # implicit Euler: after n steps the ball has fallen by g dt^2 n (n + 1) / 2
            np.testing.assert_allclose([frame.position[0, 1] for frame in run.frames],
                                       [-10 * 1e-6 * n * (n + 1) / 2 for n in range(0, 101, 20)], atol=1e-12)
            self.assertEqual(run.ending, "finished")

    def test_grains_that_come_and_go(self):
        world, seen = self.fall(), []
        with self.assertRaisesRegex(scree.Error, "added or removed"):
            with world.record("steady.h5") as recording:
                world.step()
                world.remove_grains(0)
                recording.frame()
        world = self.fall()
        with world.record("run.h5", changing=True) as recording:
            for k in range(6):
                world.step(3)
                recording.frame()
                seen.append((world.identity, world.position.copy(), world.radius.copy()))
                world.add_grains(position=[(k, 4), (k, 8)], radius=[0.1 + 0.01 * k, 0.3])
                world.remove_grains([0, len(world) - 2] if k % 2 else 0)
        with scree.open_run("run.h5") as run:
            self.assertTrue(run.changing)
            self.assertEqual(len(run.frames), 7)  # the first is that of the start
            for frame, (identity, position, radius) in zip(list(run.frames)[1:], seen):
                np.testing.assert_array_equal(frame.identity, identity)
                np.testing.assert_array_equal(frame.position, position)
                np.testing.assert_array_equal(frame.radius, radius)
                self.assertEqual(len(frame), len(identity))
                self.assertEqual(scree.measures.state(frame).bodies, len(identity))
        call("view", "run.h5", "--html", "run.html", "--quiet")
        for kind in ("vtp", "dump"):
            call("export", "run.h5", "--to", kind, "-o", kind, "--quiet")
        frames = next(pathlib.Path("dump").glob("grains*")).read_text().split("ITEM: TIME\n")[1:]
        rows = frames[3].split("ITEM: ATOMS id")[1].splitlines()[1:]
        self.assertEqual([int(row.split()[0]) - 1 for row in rows], list(seen[2][0]))

    def test_a_recorded_scene_is_what_the_program_writes(self):
        path = write_heap(self.folder)
        theirs = scree.open_run(run_scene(path, self.folder))
        scene = scree.load_scene(path)
        with scene.record("own.h5"):
            scene.run()
        with scree.open_run("own.h5") as ours:
            self.assertEqual(len(ours.frames), len(theirs.frames))
            self.assertEqual((ours.material_names, ours.wall_names), (theirs.material_names, theirs.wall_names))
            self.assertEqual(ours.certificate.tobytes(), theirs.certificate.tobytes())
            for mine, other in zip(ours.frames, theirs.frames):
                self.assertEqual((mine.time, mine.step), (other.time, other.step))
                np.testing.assert_array_equal(mine.position, other.position)
                self.assertEqual(mine.contacts.tobytes(), other.contacts.tobytes())
        theirs.close()

    def test_the_program_reads_it(self):
        world = self.fall()
        with world.record("run.h5", every=0.05):
            world.run(until=0.1)
        call("info", "run.h5")
        call("view", "run.h5", "--html", "run.html", "--quiet")
        call("export", "run.h5", "--to", "vtp", "-o", "vtp", "--quiet")
        self.assertGreater(pathlib.Path("run.html").stat().st_size, 100000)
        self.assertTrue(any(pathlib.Path("vtp").iterdir()))

    def test_what_cannot_be_recorded_is_refused(self):
        world = self.fall()
        with self.assertRaisesRegex(scree.RunError, "nowhere"):
            world.record("nowhere/run.h5")
        with self.assertRaisesRegex(scree.ArgumentError, "every"):
            world.record("run.h5", every=0)
        with self.assertRaisesRegex(scree.ArgumentError, "wall_names"):
            world.record("run.h5", wall_names=["a", "b"])
        recording = world.record("run.h5", every=0.01)
        with self.assertRaisesRegex(scree.ArgumentError, "is being recorded"):
            world.record("other.h5")
        with self.assertRaisesRegex(scree.RunError, "another world is being recorded"):
            self.fall().record("run.h5")
        world.step(5)
        world.add_grains(position=[(6, 0)], radius=0.5)
        with self.assertRaisesRegex(scree.RunError, "added or removed"):
            world.step(20)
        with self.assertRaises(scree.RunError):
            recording.close()
        recording.close()
        with scree.open_run("run.h5") as run:
            self.assertEqual(len(run.frames), 1)
        with world.record("run.h5"):
            world.step()

    def test_a_recording_that_is_dropped_leaves_a_whole_file(self):
        world = self.fall()
        world.record("run.h5", every=0.01)
        world.run(until=0.05)
        del world
        with scree.open_run("run.h5") as run:
            self.assertEqual(len(run.frames), 6)


class Dictionaries(InFolder):
    def test_a_dictionary_is_the_same_scene_as_a_file(self):
        import json

        pathlib.Path("pair.yaml").write_text(json.dumps(PAIR))
        file, given = scree.load_scene("pair.yaml"), scree.load_scene(PAIR)
        self.assertEqual(file.run().tobytes(), given.run().tobytes())
        self.assertEqual(file.world.hash(), given.world.hash())

    def test_arrays_and_overrides_are_taken(self):
        given = {**PAIR, "grains": [{"at": np.array([[0, 0.5], [0.1, 1.6]]), "radius": np.float64(0.5)}]}
        self.assertEqual(scree.load_scene(given, time__end=0.1).end_time, 0.1)
        self.assertEqual(scree.load_scene(given).world.hash(), scree.load_scene(PAIR).world.hash())

    def test_messages_are_those_of_files(self):
        with self.assertRaisesRegex(scree.SceneError, "(?s)scene:.*unknown key 'frction'.*did you mean 'friction'"):
            scree.load_scene({**PAIR, "materials": {"stone": {"frction": 0.5}}})
        with self.assertRaisesRegex(scree.SceneError, "time"):
            scree.load_scene({name: value for name, value in PAIR.items() if name != "time"})
        with self.assertRaisesRegex(scree.ArgumentError, "of type object"):
            scree.load_scene({**PAIR, "gravity": object()})


class Displays(InFolder):
    def test_notebooks_show_pictures_and_certificates(self):
        scene = scree.load_scene(PAIR)
        with scene.record("run.h5"):
            scene.run()
        run = scree.open_run("run.h5")
        for thing, words in ((scene, "until"), (scene.world, "kinetic energy"), (run, "converged")):
            shown = thing._repr_html_()
            self.assertIn(words, shown)
            self.assertIn("data:image/png;base64,iVBOR", shown)
        self.assertNotIn("<img", scree.World(time_step=1)._repr_html_())

    def test_a_bar_tells_how_far_a_run_has_got(self):
        import contextlib
        import io

        out = io.StringIO()
        with contextlib.redirect_stderr(out):
            scree.load_scene(PAIR).run(progress=True)
        self.assertRegex(out.getvalue(), r"\[={30}\] time 0.2, \d+ sweeps, 0 s left \n$")


class Docstrings(InFolder):
    def test_their_examples_run(self):
        count = 0
        for found in pkgutil.iter_modules(scree.__path__):
            if found.name in ("plot", "_installed") or found.name.endswith("_command"):  # those are programs
                continue
            module = importlib.import_module(f"scree.{found.name}")
            result = doctest.testmod(module)
            self.assertEqual(result.failed, 0, module.__name__)
            count += result.attempted
        self.assertGreater(count, 5)


if __name__ == "__main__":
    unittest.main()
