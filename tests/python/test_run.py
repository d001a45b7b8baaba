"""Run files from Python: what the program wrote, whole, growing, old or damaged."""
import csv
import io
import os
import pathlib
import random
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

import h5py
import numpy as np

import scree
from scree import laws
from support import EXAMPLES, HEAP, PROGRAM, run_scene, write_heap


def table(path, what, *options):
    """What 'scree table' says, as rows of texts."""
    clean = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
    result = subprocess.run([PROGRAM, "table", str(path), "--what", what, *options], capture_output=True, text=True,
                            check=True, env=clean)
    return list(csv.DictReader(io.StringIO(result.stdout)))


class Runs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.holder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.holder.cleanup)
        cls.folder = pathlib.Path(cls.holder.name)
        cls.path = run_scene(write_heap(cls.folder), cls.folder)

    def setUp(self):
        self.run_file = scree.open_run(self.path)
        self.addCleanup(self.run_file.close)

    def test_run_tells_what_it_is(self):
        run = self.run_file
        self.assertEqual((run.dimension, run.engine, run.theta, run.time_step), (2, "contact_dynamics", 1, 2e-3))
        self.assertEqual((run.method, run.tolerance), ("auto", 0.1))
        np.testing.assert_array_equal(run.gravity, [0, -10, 0])
        self.assertEqual((run.periodic, run.ending, run.overrides), ({}, "finished", []))
        self.assertEqual(run.scene_text, HEAP)
        self.assertTrue(run.scene_name.endswith("heap.yaml"))
        self.assertEqual(run.material_names, ["stone", "glass"])
        self.assertEqual(run.wall_names, ["tank.left", "tank.right", "tank.bottom", "lid"])
        self.assertEqual(run.law("glass", "stone"), run.law("stone", "glass"))
        self.assertEqual(run.law("stone", "stone"), scree.Law(friction=0.5))
        self.assertEqual(len(run.laws), 3)
        with self.assertRaises(scree.IdError):
            run.law("stone", "wood")
        np.testing.assert_allclose(run.times, 0.1 * np.arange(7), atol=1e-12)
        self.assertEqual(list(run.steps), [0, 50, 100, 150, 200, 250, 300])
        self.assertEqual(len(run.certificate), 300)
        self.assertIn("60 grains, 7 frames", repr(run))

    def test_frames_are_found_by_number_and_time(self):
        run = self.run_file
        self.assertEqual(len(run.frames), 7)
        self.assertEqual([frame.number for frame in run.frames], list(range(7)))
        self.assertEqual(run.frames[-1].number, 6)
        self.assertEqual([frame.number for frame in run.frames[1:4]], [1, 2, 3])
        self.assertEqual(run.frame_at(0.26).number, 3)
        self.assertEqual(run.frame_at(1e9).number, 6)
        for wrong in (7, -8):
            with self.assertRaises(IndexError):
                run.frames[wrong]
        for wrong in ("0", 1.5, None):
            with self.assertRaises(scree.ArgumentError):
                run.frames[wrong]
        with self.assertRaises(scree.ArgumentError):
            run.frame_at(float("nan"))
        self.assertIs(run.frames[2].run, run)
        frame = run.frames[2]
        self.assertIs(frame.position, frame.position, "read once")
        self.assertEqual(run.frames[-1].search["method"], "hierarchical_grid")
        self.assertGreater(run.frames[-1].search["pairs"], 50)

    def test_frames_equal_the_tables(self):
        """'scree table' reads the file with separate code, and writes all digits."""
        run = self.run_file
        for number in (0, 3, 6):
            frame = run.frames[number]
            bodies = table(self.path, "bodies", "--frame", str(number))
            for column, name in enumerate("xyz"):
                np.testing.assert_array_equal(frame.position[:, column], [float(row[name]) for row in bodies])
                np.testing.assert_array_equal(frame.velocity[:, column], [float(row["v" + name]) for row in bodies])
                np.testing.assert_array_equal(frame.spin[:, column], [float(row["w" + name]) for row in bodies])
            np.testing.assert_array_equal(frame.radius, [float(row["radius"]) for row in bodies])
            self.assertEqual([run.material_names[k] for k in frame.material], [row["material"] for row in bodies])
            rows = table(self.path, "contacts", "--frame", str(number))
            self.assertEqual(len(rows), len(frame.contacts))
            np.testing.assert_array_equal(frame.contacts.force_normal, [float(row["force_n"]) for row in rows])
            np.testing.assert_array_equal(frame.contacts.a, [int(row["a"]) for row in rows])
            walls = table(self.path, "walls", "--frame", str(number))
            self.assertEqual([wall.name for wall in frame.walls], [row["name"] for row in walls])
            np.testing.assert_array_equal([wall.load[1] for wall in frame.walls],
                                          [float(row["force_y"]) for row in walls])
        steps = table(self.path, "steps")
        for name in scree.REPORT.names:
            np.testing.assert_array_equal(run.certificate[name], [float(row[name]) for row in steps], name)

    def test_closed_runs_refuse_every_use(self):
        with scree.open_run(self.path) as run:
            frame, kept = run.frames[1], run.frames[1].position
        for use in (lambda: frame.position, lambda: frame.contacts, lambda: frame.walls, lambda: run.certificate,
                    run.refresh, lambda: run.ending):
            with self.assertRaises(scree.ClosedError):
                use()
        self.assertEqual(kept.shape, (60, 3))
        run.close()

    def test_overrides_are_kept(self):
        folder = self.folder / "other"
        folder.mkdir()
        run = scree.open_run(run_scene(write_heap(folder), folder, time__end=0.1, grains__0__count=3))
        self.assertEqual(run.overrides, ["time.end=0.1", "grains.0.count=3"])
        self.assertEqual(len(run.radius), 3)
        run.close()

    def test_periodic_cells_are_read(self):
        run = scree.open_run(run_scene(EXAMPLES / "periodic_shear.yaml", self.folder, time__end=0.02))
        self.assertEqual(list(run.periodic), ["x"])
        self.assertEqual(run.frames[0].periodic, run.periodic)
        run.close()

    def test_growing_runs_are_followed(self):
        """A run that is still going, and that is then killed."""
        path = self.folder / "long.h5"
        clean = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
        process = subprocess.Popen([PROGRAM, "run", str(write_heap(self.folder)), "-o", str(path), "-q", "-D",
                                    "time.end=1e6", "-D", "output.every=0.02"], env=clean)
        try:
            begin, run = time.monotonic(), None
            while time.monotonic() - begin < 60 and (run is None or len(run.frames) < 4):
                time.sleep(0.05)
                if run is None and path.exists():
                    run = scree.open_run(path)
                elif run is not None:
                    run.refresh()
            self.assertGreaterEqual(len(run.frames), 4)
            first = len(run.frames)
            self.assertEqual(run.frames[-1].position.shape, (60, 3))
            while time.monotonic() - begin < 60 and len(run.frames) < first + 3:
                time.sleep(0.05)
                run.refresh()
            self.assertGreaterEqual(len(run.frames), first + 3)
            self.assertEqual(len(run.certificate), run.steps[-1])
            self.assertEqual(run.ending, "still going, or killed")
            run.close()
        finally:
            process.send_signal(signal.SIGKILL)
            process.wait()
        with scree.open_run(path) as left:
            self.assertGreaterEqual(len(left.frames), first + 3)
            self.assertTrue(np.isfinite(left.frames[-1].position).all())
            self.assertEqual(left.certificate.step[-1], left.steps[-1])
            whole = [frame.position for frame in left.frames]
        self.cut_short(path, whole)

    def cut_short(self, path, whole):
        """HDF5 does not know where the file of a killed run ends, and reads zeros past it: they must not come out."""
        data, shorter = path.read_bytes(), self.folder / "shorter.h5"
        refused = 0
        for share in np.linspace(0.3, 0.99, 24):
            shorter.write_bytes(data[:int(share * len(data))])
            try:
                with scree.open_run(shorter) as run:
                    for frame, position in zip(run.frames, whole):
                        np.testing.assert_array_equal(frame.position, position)
            except scree.RunError:
                refused += 1
        self.assertGreater(refused, 0)


class OldAndDamaged(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.holder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.holder.cleanup)
        cls.folder = pathlib.Path(cls.holder.name)
        cls.path = run_scene(write_heap(cls.folder), cls.folder, time__end=0.2)
        cls.copy = cls.folder / "copy.h5"  # one that h5py can write to, with everything in it
        with h5py.File(cls.path, "r", libver="latest", swmr=True) as source, h5py.File(cls.copy, "w") as target:
            for name in source:
                source.copy(name, target)
            for name, value in source.attrs.items():
                target.attrs[name] = value

    def changed(self, change):
        """A changed copy of the run file."""
        path = self.folder / "changed.h5"
        shutil.copyfile(self.copy, path)
        with h5py.File(path, "r+") as target:
            change(target)
        return path

    def look_at_everything(self, path):
        with scree.open_run(path) as run:
            run.certificate, run.laws, run.ending
            for frame in run.frames:
                frame.position, frame.orientation, frame.velocity, frame.spin, frame.contacts, frame.walls
                frame.search, frame.cell, frame.holder

    def test_copied_run_is_sound(self):
        self.look_at_everything(self.changed(lambda file: None))

    def test_first_version_is_read(self):
        """Files of version 1 have no laws, no torques, and fewer columns of steps."""
        def make_old(file):
            file.attrs["version"] = 1
            del file["laws"], file.attrs["theta"], file.attrs["engine"], file.attrs["method"], file.attrs["tolerance"]
            for name in ("torque", "opening"):
                del file["frames/contacts"][name]
            for name in ("bonds", "unsettled", "dissipation_rolling"):
                del file["steps"][name]

        with scree.open_run(self.changed(make_old)) as run:
            self.assertEqual((run.version, run.theta, run.engine, run.laws), (1, 1.0, "contact_dynamics", {}))
            self.assertEqual((run.method, run.tolerance), (None, None))
            self.assertEqual(set(run.certificate.bonds), {0})
            contacts = run.frames[-1].contacts
            self.assertEqual(set(contacts.opening), {-1})
            self.assertFalse(contacts.torque.any())
            self.assertTrue(contacts.force_normal.any())
            self.assertEqual(len(run.certificate), 100)

    def test_names_are_harmless(self):
        """What no scene could give as a name would reach terminals and spreadsheets."""
        def spoil(file):
            for name, text in (("materials/name", b"=1+1"), ("walls/name", b"\x1b[2J"), ("scene/overrides", b"\x1b[2J=\n")):
                count = max(len(file[name]), 1)
                del file[name]
                file.create_dataset(name, data=np.array([text] * count, dtype="S8"))
            del file["scene/name"]
            file.create_dataset("scene/name", data=np.array("\u202eheap\u9b2b".encode(), dtype="S16"))

        with scree.open_run(self.changed(spoil)) as run:
            self.assertEqual(set(run.material_names), {"?1+1"})
            self.assertEqual(set(run.wall_names), {"?[2J"})
            self.assertEqual(set(run.overrides), {"?[2J= "})
            self.assertEqual(run.scene_name, "?heap\u9b2b")

    def test_other_files_are_refused(self):
        for text in (b"", b"nonsense", b"\x89HDF\r\n\x1a\n" + b"\0" * 500):
            path = self.folder / "bad.h5"
            path.write_bytes(text)
            with self.assertRaises(scree.RunError):
                scree.open_run(path)
        with h5py.File(self.folder / "other.h5", "w") as file:
            file["x"] = [1, 2, 3]
        with self.assertRaisesRegex(scree.RunError, "is an HDF5 file, but not a run"):
            scree.open_run(self.folder / "other.h5")
        for kind in (FileNotFoundError, scree.RunError, scree.RunNotFoundError):
            with self.assertRaisesRegex(kind, "nowhere.h5") as caught:
                scree.open_run(self.folder / "nowhere.h5")
            self.assertEqual(caught.exception.filename, str(self.folder / "nowhere.h5"))
        with self.assertRaises(IsADirectoryError):
            scree.open_run(self.folder)
        for wrong in (None, 5, object(), b"bytes.h5", "a\0b"):
            with self.assertRaises((TypeError, ValueError, OSError)):
                scree.open_run(wrong)

    def test_newer_versions_are_refused(self):
        with self.assertRaisesRegex(scree.RunError, "use a newer scree"):
            scree.open_run(self.changed(lambda file: file.attrs.modify("version", 99)))

    def test_missing_parts_are_damage(self):
        """A file that lacks any of its datasets, or has one of another shape or kind, is damaged."""
        names = []
        with h5py.File(self.path, "r", libver="latest", swmr=True) as file:
            file.visititems(lambda name, item: names.append(name) if isinstance(item, h5py.Dataset) else None)
        self.assertGreater(len(names), 50 + len(laws.MEANING))
        for number, name in enumerate(names):
            def strange(file):
                del file[name]
                if number % 2:
                    file[name] = np.zeros((2, 5), "S3")
            with self.assertRaises(scree.RunError, msg=name):
                self.look_at_everything(self.changed(strange))

    def test_random_damage_never_reads_wrong(self):
        """Bytes changed or cut off: what can still be read of a truncated file is what was there."""
        draw, data = random.Random(2), self.path.read_bytes()
        path = self.folder / "damaged.h5"
        with scree.open_run(self.path) as run:
            whole = [(frame.position, frame.contacts.tobytes()) for frame in run.frames]
        read = 0
        for turn in range(100):
            broken = bytearray(data)
            if turn % 2 == 0:
                broken = broken[:draw.randrange(len(data))]
            for _ in range(draw.randrange(1, 20) if turn % 2 else 0):
                broken[draw.randrange(len(broken))] = draw.randrange(256)
            path.write_bytes(bytes(broken))
            try:
                with scree.open_run(path) as run:
                    for (position, contacts), frame in zip(whole, run.frames):
                        found = frame.position, frame.contacts.tobytes()
                        if turn % 2 == 0:
                            np.testing.assert_array_equal(found[0], position)
                            self.assertEqual(found[1], contacts)
                        read += 1
                self.look_at_everything(path)
            except scree.RunError:
                pass
        self.assertGreater(read, 0)


class Walls(unittest.TestCase):
    """A floor that bears two balls, and a lid that is driven."""
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        path = pathlib.Path(cls.folder.name) / "walls.yaml"
        path.write_text("dimension: 2\ngravity: [0, -10]\ntime: {step: 0.01, end: 0.2}\noutput: {every: 0.05}\n"
                        "materials: {stone: {density: 1}}\nwalls:\n  floor: {plane: {point: [0, 0], normal: [0, 1]}}\n"
                        "  lid: {plane: {point: [0, 5], normal: [0, -1]}, velocity: [0, -2]}\n"
                        "grains: [{radius: 0.5, mass: 3, at: [[0, 0.5], [2, 0.5]]}]\n")
        cls.run_file = scree.open_run(run_scene(path, cls.folder.name))

    @classmethod
    def tearDownClass(cls):
        cls.run_file.close()
        cls.folder.cleanup()

    def test_a_wall_over_time(self):
        floor, lid = self.run_file.walls("floor"), self.run_file.walls("lid")
        np.testing.assert_allclose(floor.time, [0, 0.05, 0.1, 0.15, 0.2], atol=1e-12)
        self.assertEqual(floor.frame.tolist(), [0, 1, 2, 3, 4])
        np.testing.assert_allclose(floor.load[1:, 1], -60, rtol=1e-9)  # the weight of both
        np.testing.assert_allclose(lid.displacement[:, 1], -2 * lid.time, atol=1e-12)
        self.assertTrue(lid.present.all())
        last = self.run_file.frames[-1]
        np.testing.assert_array_equal(last.wall("lid").position, lid.position[-1])
        self.assertEqual(last.wall("floor").number, 0)
        with self.assertRaisesRegex(scree.ArgumentError, r'frame\.wall\("lid"\)'):
            last.walls["lid"]
        self.assertEqual([wall.number for wall in last.walls[:2]], [0, 1])

    def test_walls_that_are_not_there_are_told(self):
        for ask in (self.run_file.walls, self.run_file.frames[0].wall):
            with self.assertRaisesRegex(scree.IdError, "no wall 'top'; there are floor, lid"):
                ask("top")


if __name__ == "__main__":
    unittest.main()
