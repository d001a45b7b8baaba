"""Recordings: what Python steps is a run file like those of 'scree run'; scenes as dictionaries; the examples of
docstrings."""
import os
import pathlib
import tempfile
import unittest

import numpy as np

import scree
from support import EXAMPLES, HEAP, call, run_scene, write_heap

PAIR = {"dimension": 2, "gravity": [0, -10], "time": {"step": 1e-3, "end": 0.2},
        "materials": {"stone": {"density": 2600, "friction": 0.5}},
        "walls": {"floor": {"plane": {"point": [0, 0], "normal": [0, 1]}}},
        "grains": [{"at": [[0, 0.5], [0.1, 1.6]], "radius": 0.5}], "output": {"every": 0.05}}

MEASURED = """\
measures:
  all: {every: 10}
  low: {every: 100, region: {y: [0, 0.5]}, least_contacts: 3}
"""


def contents(path):
    """All values of a run file by name, but for what no two runs share."""
    import h5py
    found = {}
    with h5py.File(path, "r", libver="latest", swmr=True) as file:
        file.visititems(lambda name, item: found.update({name: item[()]}) if isinstance(item, h5py.Dataset) else None)
        found.update({"@" + name: value for name, value in file.attrs.items() if name not in ("identity", "mark")})
    return found


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

    def test_frames_say_whom_walls_hold(self):
        world = self.fall()
        arm = world.add_holder((3, 0), mass=2, direction=(1, 0), force=(1, 0))
        with world.record("run.h5") as recording:
            world.step()
            world.hold(1, arm)
            recording.frame()
        with scree.open_run("run.h5") as run:
            self.assertEqual([frame.holder.tolist() for frame in run.frames], [[-1, -1], [-1, arm]])
            wall = run.frames[1].walls[arm]
            self.assertEqual((wall.motion, wall.mass, wall.direction.tolist()), ("piston", 2.0, [1.0, 0.0, 0.0]))

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

    def test_the_file_of_a_scene_is_that_of_the_program(self):
        """All of it, to the last bit: gates, colours, overrides, pistons, bonds, growth, and frames without contacts."""
        cases = ((EXAMPLES / "silo_feed.yaml", {"time.end": 0.3, "materials.corn.colour": "sand"}),
                 (EXAMPLES / "conveyor.yaml", {"time.end": 0.1, "output.contacts": False}),
                 (EXAMPLES / "tutorial_3_piston.yaml", {"time.end": 0.02}),
                 (EXAMPLES / "bonded_block.yaml", {"time.end": 0.02}),
                 (EXAMPLES / "measures.yaml", {"time.end": 0.05}),
                 (EXAMPLES / "growing_disks.yaml", {"time.end": 0.1}))
        for path, changes in cases:
            theirs = run_scene(path, self.folder, **{name: str(value).lower() for name, value in changes.items()})
            with scree.load_scene(path, changes) as scene, scene.record("own.h5"):
                scene.run()
            left, right = contents(theirs), contents("own.h5")
            self.assertEqual(sorted(left), sorted(right), path)
            for name, values in left.items():
                np.testing.assert_array_equal(values, right[name], f"{path.name}: {name}")

    def test_what_a_scene_measures_while_it_runs_is_in_it(self):
        path = write_heap(self.folder, HEAP + MEASURED)
        with scree.open_run(run_scene(path, self.folder)) as run:
            theirs = scree.measures.recorded(run)
        with scree.load_scene(path) as scene, scene.record("own.h5"):
            scene.run()
        with scree.open_run("own.h5") as run:
            ours = scree.measures.recorded(run)
        # 300 steps: at the start and at every tenth, or hundredth, of them
        self.assertEqual({name: table.step.tolist() for name, table in ours.items()},
                         {"all": list(range(0, 301, 10)), "low": [0, 100, 200, 300]})
        for name, table in ours.items():
            self.assertEqual(table.tobytes(), theirs[name].tobytes())
        call("measure", "own.h5", "--what", "online")

    def test_a_recording_that_begins_late_measures_from_then_on(self):
        scene = scree.load_scene(write_heap(self.folder, HEAP + MEASURED))
        scene.run(until=0.11)
        with scene.record("own.h5"):
            scene.step(50)
        with scree.open_run("own.h5") as run:
            found = scree.measures.recorded(run)
        self.assertEqual([found[name].step.tolist() for name in ("all", "low")], [[60, 70, 80, 90, 100], [100]])

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


class GoingOn(InFolder):
    """A recording is taken up where it ended, bit for bit; scenes and worlds can start from it."""

    def pile(self):
        world = scree.World(dimension=2, gravity=(0, -10), time_step=2e-3)
        world.add_material(density=2, friction=0.4)
        world.add_plane(point=(0, 0), normal=(0, 1))
        world.add_plane(point=(1, 0), normal=(-1, 0), velocity=(-0.3, 0))
        world.add_grains(position=[(0.25 * (k % 3), 0.15 + 0.25 * (k // 3)) for k in range(9)],
                         radius=[0.1 + 0.001 * k for k in range(9)])
        return world

    def test_it_is_as_if_it_had_never_ended(self):
        whole, cut = self.pile(), self.pile()
        with whole.record("whole.h5", every=0.1):
            whole.run(until=1)
        with cut.record("cut.h5", every=0.1):
            cut.run(until=0.4)
        cut.close()
        with scree.resume("cut.h5", every=0.1) as recording:
            self.assertEqual((recording.frames, recording.world.steps), (5, 200))
            recording.world.run(until=1)
            self.assertEqual(recording.world.hash(), whole.hash())
            self.assertEqual(recording.frames, 11)
        with scree.open_run("whole.h5") as one, scree.open_run("cut.h5") as other:
            self.assertEqual(one.certificate.tobytes(), other.certificate.tobytes())
            np.testing.assert_array_equal(one.times, other.times)
            for here, there in zip(one.frames, other.frames):
                np.testing.assert_array_equal(here.position, there.position)
                self.assertEqual(here.contacts.tobytes(), there.contacts.tobytes())

    def test_a_killed_program_loses_little(self):
        """What came after the last checkpoint is dropped from the file, and made again."""
        import subprocess
        import sys
        import textwrap

        program = textwrap.dedent("""
            import os, sys
            sys.path.insert(0, sys.argv[1])
            import scree, scree.recording
            from test_record import GoingOn
            world = GoingOn.pile(None)
            world.record("run.h5", every=0.1)
            world.run(until=0.35)
            scree.recording.SAVE_SECONDS = 0  # a checkpoint with the next frame
            world.run(until=0.4)
            scree.recording.SAVE_SECONDS = 1e9
            world.run(until=0.75)
            os.kill(os.getpid(), 9)""")
        here = str(pathlib.Path(__file__).parent)
        ended = subprocess.run([sys.executable, "-c", program, here], env={**os.environ})
        self.assertEqual(ended.returncode, -9)
        with scree.resume("run.h5", every=0.1) as recording:
            self.assertEqual((recording.frames, recording.world.steps), (5, 200))
            recording.world.run(until=1)
        whole = self.pile()
        reports = whole.run(until=1)
        with scree.open_run("run.h5") as run:
            self.assertEqual(run.certificate.tobytes(), reports.tobytes())
            np.testing.assert_allclose(run.times, 0.1 * np.arange(11), atol=1e-12)
            np.testing.assert_array_equal(run.frames[-1].position, whole.position)

    def test_grains_that_come_and_go(self):
        world = self.pile()
        with world.record("run.h5", changing=True):
            world.step(20)
            world.remove_grains(3)
            world.add_grains(position=[(0, 3)], radius=0.2)
            world.step(20)
        with scree.resume("run.h5") as recording:
            for each in (world, recording.world):
                each.remove_grains(0)
                each.step(10)
            self.assertEqual(world.hash(), recording.world.hash())
        with scree.open_run("run.h5") as run:
            self.assertEqual([len(frame) for frame in run.frames], [9, 9, 8])
            np.testing.assert_array_equal(run.frames[-1].identity, world.identity)

    def test_worlds_and_scenes_start_from_it(self):
        world = self.pile()
        with world.record("run.h5", material_names=["stone"], wall_names=["floor", "side"]):
            world.run(until=0.3)
        self.assertEqual(scree.World.from_run("run.h5").hash(), world.hash())
        begun = scree.load_scene({"dimension": 2, "gravity": [0, -10], "time": {"step": 2e-3, "end": 0.2},
                                  "materials": {"stone": {"density": 4, "friction": 0.4}},
                                  "walls": {"floor": {"plane": {"point": [0, 0], "normal": [0, 1]}}},
                                  "start": {"run": "run.h5"}})
        np.testing.assert_array_equal(begun.world.position, world.position)
        np.testing.assert_allclose(begun.world.mass, 2 * world.mass, rtol=1e-14)  # twice the density
        begun.run()
        self.assertIsInstance(scree.World.from_run("run.h5"), scree.World)

    def test_what_cannot_go_on_is_refused(self):
        scene = scree.load_scene(PAIR)
        with scene.record("scene.h5"):
            scene.run(until=0.1)
        with self.assertRaisesRegex(scree.RunError, "scene moved this world.*start: {run"):
            scree.resume("scene.h5")
        self.assertEqual(scree.World.from_run("scene.h5").hash(), scene.world.hash())
        with scree.open_run("scene.h5") as run:
            self.assertIn("friction: 0.5", run.scene_text)
        call("run", write_heap(self.folder), "-o", "run.h5", "-D", "time.end=0.01", "--quiet")
        with self.assertRaisesRegex(scree.RunError, "--restart"):
            scree.resume("run.h5")
        for name in ("nowhere.h5", "."):
            with self.assertRaises(scree.RunError):
                scree.resume(name)
            with self.assertRaises(scree.RunError):
                scree.World.from_run(name)
        world = self.pile()
        with world.record("own.h5"):
            world.step(5)
            with self.assertRaisesRegex(scree.RunError, "another world is being recorded"):
                scree.resume("own.h5")
        os.rename("own.h5.checkpoint", "other.h5.checkpoint")
        with self.assertRaisesRegex(scree.RunError, "checkpoint"):
            scree.resume("own.h5")
        with self.assertRaisesRegex(scree.RunError, "checkpoint"):
            scree.World.from_run("own.h5")
        with world.record("other.h5"):
            world.step(5)
        os.replace("other.h5.checkpoint", "own.h5.checkpoint")
        with self.assertRaisesRegex(scree.RunError, "another run"):
            scree.resume("own.h5")


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


if __name__ == "__main__":
    unittest.main()
