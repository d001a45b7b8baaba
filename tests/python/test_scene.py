"""Scenes from Python: the same bits as 'scree run', the same messages, the same programme."""
import os
import pathlib
import tempfile
import unittest
import warnings

import numpy as np

import scree
from support import EXAMPLES, HEAP, run_scene, write_heap

# Scenes with drives, events, stops and laws; shortened where they take long.
SHORT = {
    "dam": {"time__end": 1.0}, "hopper": {"time__end": 0.9, "events__0__when__after": 0.3}, "drum": {"time__end": 0.4},
    "piston": {"time__end": 0.5}, "vibrated": {"time__end": 0.5}, "all_laws": {"time__end": 0.3},
    "two_coefficients": {}, "collision": {}, "theta": {}, "chain": {"time__end": 30}, "periodic_shear": {"time__end": 0.3},
    "from_csv": {}, "soft": {"time__end": 0.2},
}


class SameAsTheProgram(unittest.TestCase):
    def compare(self, name):
        path = EXAMPLES / f"{name}.yaml"
        with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
            warnings.simplefilter("ignore", scree.ConvergenceWarning)
            run = scree.open_run(run_scene(path, folder, **SHORT[name]))
            scene = scree.load_scene(path, **SHORT[name])
            reports = scene.run()
            frame, world = run.frames[-1], scene.world
            self.assertTrue(scene.finished)
            self.assertEqual(reports.tobytes(), run.certificate.tobytes(), "every report of every step")
            self.assertEqual((world.time, world.steps), (frame.time, frame.step))
            for field in ("position", "orientation", "velocity", "spin", "radius", "mass", "inertia", "material"):
                np.testing.assert_array_equal(getattr(world, field), getattr(frame, field), field)
            self.assertEqual(scene.wall_names, run.wall_names)
            self.assertEqual(scene.material_names, run.material_names)
            for here, there in zip(world.walls, frame.walls):
                for field in ("shape", "present", "point", "load", "load_torque", "displacement", "position", "radius"):
                    np.testing.assert_array_equal(getattr(here, field), getattr(there, field), field)
            if len(frame.contacts):
                self.assertEqual(world.contacts.tobytes(), frame.contacts.tobytes())
            if SHORT[name]:
                self.assertGreater(len(reports), 20)
            for number, first in enumerate(scene.material_names):
                self.assertEqual(world.law(number, number), run.law(first, first))
            run.close()


for _name in SHORT:
    setattr(SameAsTheProgram, f"test_{_name}", lambda self, name=_name: self.compare(name))


class Scenes(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.path = write_heap(self.folder)

    def test_scene_tells_what_it_is(self):
        scene = scree.load_scene(self.path)
        self.assertEqual(scene.material_names, ["stone", "glass"])
        self.assertEqual(scene.wall_names, ["tank.left", "tank.right", "tank.bottom", "lid"])
        self.assertEqual((scene.end_time, scene.output_every, scene.on_failure), (0.6, 0.1, "continue"))
        self.assertEqual(len(scene.world), 60)
        self.assertEqual((scene.wall("lid").motion, scene.wall("lid").name), ("piston", "lid"))
        self.assertFalse(scene.finished)
        self.assertEqual(scene.news, "")
        with self.assertRaises(scree.IdError):
            scene.wall("roof")

    def test_overrides_may_be_given_in_many_ways(self):
        ways = [scree.load_scene(self.path, {"time.end": 0.01, "grains.0.count": 5}),
                scree.load_scene(self.path, time__end=0.01, grains__0__count=np.int64(5)),
                scree.load_scene(str(self.path), **{"time.end": "0.01", "grains.0": {
                    "count": 5, "radius": {"uniform": np.array([0.04, 0.06])}, "material": "stone",
                    "fill": {"min": (0, 0), "max": [1, 1.3]}}})]
        hashes = set()
        for scene in ways:
            self.assertEqual((len(scene.world), scene.end_time), (5, 0.01))
            self.assertEqual(len(scene.run()), 5)
            hashes.add(scene.world.hash())
        self.assertEqual(len(hashes), 1)
        rigid = scree.load_scene(self.path, materials__stone__stiffness=float("inf"), solver__warm_start=False)
        self.assertFalse(rigid.world.solver["warm_start"])

    def test_messages_are_those_of_the_program(self):
        """As the program prints them: location, line, suggestion."""
        bad = write_heap(self.folder, HEAP.replace("uniform:", "unifrom:"))
        with self.assertRaises(scree.SceneError) as caught:
            scree.load_scene(bad)
        text = str(caught.exception)
        self.assertIn("heap.yaml:11:", text)
        self.assertIn("did you mean 'uniform'?", text)
        self.assertFalse(text.endswith("\n"))
        self.assertEqual(caught.exception.status, "BAD_ARGUMENT")
        with self.assertRaisesRegex(scree.SceneError, "cannot read the scene: No such file"):
            scree.load_scene(self.folder / "nowhere.yaml")
        write_heap(self.folder)
        with self.assertRaisesRegex(scree.SceneError, "unknown key 'ende' in time"):
            scree.load_scene(self.path, time__ende=1)
        for wrong in (None, 5, b"\xff\0", "a\0b", object(), "", "."):
            with self.assertRaises(scree.Error):
                scree.load_scene(wrong)
        for wrong in ({"time.end": object()}, {"a": 1}, {"": 1}, {"time.end": "1\0"}, {"time.end": {1, 2}},
                      {"time.end": float("nan")}, {"time.end": None}, {5: 6}, [1], "time.end=1"):
            with self.assertRaises(scree.Error):
                scree.load_scene(self.path, wrong)
        circle = []
        circle.append(circle)
        with self.assertRaises(scree.Error):
            scree.load_scene(self.path, time__end=circle)

    def test_steps_in_bulk_equal_single_ones(self):
        one, many = scree.load_scene(self.path), scree.load_scene(self.path)
        reports = [one.step() for _ in range(10)]
        table = many.step(10)
        self.assertEqual(b"".join(bytes(report) for report in reports), table.tobytes())
        self.assertEqual(one.world.hash(), many.world.hash())
        part = many.run(until=0.1)
        self.assertEqual(len(part), 40)
        seen = []
        rest = many.run(progress=lambda world, report: seen.append(report.step))
        self.assertEqual(seen, list(rest.step))
        self.assertTrue(many.finished)
        self.assertEqual(len(many.run()), 0)
        many.step()  # nothing forbids going on
        for wrong in (-1, 1.5, "2", None):
            with self.assertRaises(scree.ArgumentError):
                many.step(wrong)

    def test_scene_goes_on_with_a_changed_world(self):
        scene = scree.load_scene(self.path)
        view = scene.world.position
        scene.world.add_grains([(0.5, 1.9)], 0.01)
        self.assertEqual(len(view), 60)
        scene.step(5)
        self.assertEqual(len(scene.world), 61)
        scene.world.remove_wall(scene.wall_names.index("lid"))
        scene.step(2)

    def test_failure_policy_is_obeyed(self):
        hard = {"solver.iterations": 1, "solver.tolerance": 1e-12}
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            scree.load_scene(self.path, hard).run()
        self.assertEqual(len(told), 0)
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            scree.load_scene(self.path, hard, solver__on_failure="warn").run()
        self.assertEqual([warning.category for warning in told], [scree.ConvergenceWarning])
        scene = scree.load_scene(self.path, hard, solver__on_failure="stop")
        with self.assertRaisesRegex(scree.ConvergenceError, "did not converge"):
            scene.run()
        self.assertGreater(scene.world.steps, 0)

    def test_closed_scenes_refuse_every_use(self):
        with scree.load_scene(self.path) as scene:
            view = scene.world.position
            kept = view.copy()
        for use in (scene.step, scene.run, lambda: scene.finished, lambda: scene.wall_names, lambda: scene.news):
            with self.assertRaises(scree.ClosedError):
                use()
        np.testing.assert_array_equal(view, kept)
        other = scree.load_scene(self.path)
        other.world.close()
        with self.assertRaises(scree.ClosedError):
            other.step()
        world = scree.load_scene(self.path).world  # the scene is gone, its world stays
        world.step(3)


class Gates(unittest.TestCase):
    """Scenes whose steps add and remove grains."""

    FLOW = {"dimension": 2, "gravity": [0, -10], "time": {"step": 5e-3, "end": 2},
            "materials": {"stone": {"density": 2, "friction": 0.3}},
            "inlets": {"feed": {"region": {"x": [0, 2], "y": [2, 3]}, "rate": {"number": 40}, "radius": 0.1}},
            "outlets": {"floor": {"plane": {"point": [0, 0], "normal": [0, -1]}}}, "output": {"every": 0.25}}

    def test_arrays_are_copies_that_stay_sound(self):
        scene = scree.load_scene(self.FLOW)
        kept = []
        for _ in range(40):
            scene.step(10)
            kept.append((scene.world.position, scene.world.position.copy()))
        for array, copy in kept:
            np.testing.assert_array_equal(array, copy)
        self.assertGreater(len({len(array) for array, _ in kept}), 5)

    def test_a_recording_follows(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "flow.h5")
            scene = scree.load_scene(self.FLOW)
            with scene.record(path):
                scene.run()
            with scree.open_run(path) as run:
                self.assertTrue(run.changing)
                np.testing.assert_array_equal(run.frames[-1].identity, scene.world.identity)
                np.testing.assert_array_equal(run.frames[-1].position, scene.world.position)


if __name__ == "__main__":
    unittest.main()
