"""Runs that are stopped, killed or find the disk full, and are continued."""
import os
import pathlib
import random
import re
import shutil
import signal
import struct
import subprocess
import sys
import time
import unittest

import numpy

from support import ALL_LAWS, ProgramTest, datasets, limit_files

# A run of about a second, so that it can be stopped on its way: the tolerance is out of reach, and
# every step takes all its sweeps.
LONG = ["-q", "-D", "time.end=0.9", "-D", "output.checkpoint_seconds=0.05",
        "-D", "solver.tolerance=1e-15", "-D", "solver.iterations=300", "-D", "measures={all: {every: 7}}"]


class Solids(ProgramTest):
    def test_solids_killed_go_on(self):
        """Every kind of solid with every law: killed on its way and continued, two runs at once, it has the same bits."""
        scene = str(pathlib.Path(__file__).parents[1] / "bits" / "solids.yaml")
        words = ["run", scene, "-q", "-D", "time.end=0.36", "-D", "output.checkpoint_seconds=0.02"]
        whole = self.start(*words, "-o", "whole.h5")
        killed = self.start(*words, "-o", "run.h5")
        for stop in (0.05, 0.1):
            deadline = time.monotonic() + 30
            while not (self.path / "run.h5.checkpoint").exists() and time.monotonic() < deadline:
                time.sleep(0.005)
            time.sleep(stop)
            killed.kill()
            killed.communicate()
            killed = self.start(*words, "-o", "run.h5", "--restart")
        for process in (whole, killed):
            process.communicate(timeout=60)
            self.assertEqual(process.returncode, 0)
        expected, got = datasets(self.path / "whole.h5"), datasets(self.path / "run.h5")
        self.assertEqual(set(got), set(expected))
        for key, value in expected.items():
            numpy.testing.assert_array_equal(got[key], value, err_msg=key)


class Stopped(ProgramTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.whole = None

    def same_as_uninterrupted(self, name):
        if Stopped.whole is None:
            self.call("run", "heap.yaml", "-o", "whole.h5", *LONG)
            Stopped.whole = datasets(self.path / "whole.h5")
        got = datasets(self.path / name)
        self.assertEqual(set(got), set(Stopped.whole))
        for key, value in Stopped.whole.items():
            numpy.testing.assert_array_equal(got[key], value, err_msg=key)

    def begin(self):
        """A run that has made its first frames."""
        process = self.start("run", "heap.yaml", "-o", "run.h5", *LONG)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stderr.close)
        deadline = time.monotonic() + 30
        while not (self.path / "run.h5.checkpoint").exists() and time.monotonic() < deadline:
            time.sleep(0.005)
        return process

    def go_on(self):
        self.call("run", "heap.yaml", "-o", "run.h5", "--restart", *LONG)
        self.same_as_uninterrupted("run.h5")

    def stop_by(self, number):
        process = self.begin()
        time.sleep(0.05)
        process.send_signal(number)
        said = process.communicate(timeout=30)[1]
        self.assertEqual(process.returncode, 128 + number, said)
        self.assertIn("--restart", said)
        self.assertIn("interrupted", self.call("info", "run.h5").stdout)
        data = datasets(self.path / "run.h5")
        self.assertEqual(data["frames/step"][-1], data["steps/step"][-1])  # nothing was lost
        self.assertLess(data["frames/time"][-1], 0.9)
        self.go_on()

    def test_interrupted_run_goes_on(self):
        self.stop_by(signal.SIGINT)

    def test_terminated_run_goes_on(self):
        self.stop_by(signal.SIGTERM)

    def test_run_killed_again_and_again_goes_on(self):
        process = self.begin()
        chance = random.Random(3)
        for _ in range(4):
            time.sleep(chance.uniform(0, 0.25))
            process.kill()
            process.communicate()
            self.call("table", "run.h5", "--all")
            process = self.start("run", "heap.yaml", "-o", "run.h5", "--restart", *LONG)
            self.addCleanup(process.stdout.close)
            self.addCleanup(process.stderr.close)
        process.kill()
        process.communicate()
        self.go_on()

    def kept_frames(self):
        """Frames up to the last checkpoint. Those behind it are made again."""
        bytes_of_checkpoint = (self.path / "run.h5.checkpoint").read_bytes()
        return struct.unpack_from("<q", bytes_of_checkpoint, 32)[0]  # io/run/checkpoint.h

    def test_restarts_killed_again_and_again_lose_nothing(self):
        """Kills within the first moments of a restart, while the run is read, copied and renamed."""
        process = self.begin()
        time.sleep(0.1)
        process.kill()
        process.communicate()
        frames, chance = self.kept_frames(), random.Random(7)
        for _ in range(24):
            process = self.start("run", "heap.yaml", "-o", "run.h5", "--restart", *LONG)
            time.sleep(chance.uniform(0, 0.12))
            process.kill()
            process.communicate()
            self.assertGreaterEqual(len(datasets(self.path / "run.h5")["frames/time"]), frames)
        self.go_on()
        self.assertEqual(sorted(name for name in os.listdir(self.path) if not name.startswith("whole")),
                         ["heap.yaml", "run.h5", "run.h5.checkpoint"])

    def test_a_restart_that_is_stopped_at_once_leaves_the_run(self):
        process = self.begin()
        time.sleep(0.1)
        process.kill()
        process.communicate()
        chance = random.Random(11)
        for number in [signal.SIGTERM, signal.SIGINT] * 5:
            process = self.start("run", "heap.yaml", "-o", "run.h5", "--restart", *LONG)
            time.sleep(chance.uniform(0, 0.06))
            begin = time.monotonic()
            process.send_signal(number)
            process.communicate()
            self.assertLess(time.monotonic() - begin, 5)  # a second, on a machine that has other work
            self.assertIn(process.returncode, (128 + number, -number))  # -: before anything was touched
        self.go_on()

    def test_run_can_be_read_while_it_goes_on(self):
        process = self.begin()
        frames = 0
        while process.poll() is None:
            text = self.call("info", "run.h5").stdout
            self.call("table", "run.h5", "--what", "contacts")
            now = int(text.split("frames: ")[1].split(",")[0])
            self.assertGreaterEqual(now, frames)
            frames = now
        self.assertEqual(process.returncode, 0)
        self.same_as_uninterrupted("run.h5")

    def test_two_writers_are_refused(self):
        process = self.begin()
        for option in ("--force", "--restart"):
            self.one_error(self.call("run", "heap.yaml", "-o", "run.h5", option, *LONG, status=1),
                           f"process {process.pid}")
        self.assertIn(f"still running, process {process.pid}", self.call("info", "run.h5").stdout)
        process.kill()
        process.communicate()

    def test_finished_run_stays_as_it_is(self):
        self.call("run", "heap.yaml", "-o", "run.h5", *LONG)
        self.go_on()

    def test_no_run_is_lost_by_mistake(self):
        self.call("run", "heap.yaml", "-q")
        before = (self.path / "heap.h5").read_bytes()
        self.one_error(self.call("run", "heap.yaml", status=1), "--restart", "--force")
        self.assertEqual((self.path / "heap.h5").read_bytes(), before)
        self.call("run", "heap.yaml", "-q", "--force", "-D", "time.end=0.1")
        self.assertEqual(len(datasets(self.path / "heap.h5")["steps/step"]), 50)


class EveryLaw(ProgramTest):
    """Bonds, springs, sticking contacts and torques go on as if the run had never stopped."""

    def goes_on(self, *words):
        self.write("laws.yaml", ALL_LAWS)
        words = ["-q", "-D", "output.checkpoint_seconds=0.02", *words]
        self.call("run", "laws.yaml", "-o", "whole.h5", *words)
        chance = random.Random(5)
        for _ in range(6):
            self.stop_after(chance.uniform(0.02, 0.15), *words)
        self.call("run", "laws.yaml", "-o", "run.h5", self.way_to_begin(), *words)
        whole, got = datasets(self.path / "whole.h5"), datasets(self.path / "run.h5")
        self.assertEqual(set(whole), set(got))
        for key, value in whole.items():
            numpy.testing.assert_array_equal(got[key], value, err_msg=key)
        return whole

    def way_to_begin(self):
        return "--restart" if (self.path / "run.h5.checkpoint").exists() else "--force"

    def stop_after(self, seconds, *words):
        process = self.start("run", "laws.yaml", "-o", "run.h5", self.way_to_begin(), *words)
        time.sleep(seconds)
        process.kill()
        process.communicate()

    def test_contact_dynamics_goes_on_with_every_law(self):
        data = self.goes_on()
        self.assertGreater(data["steps/bonds"].max(), 0)
        self.assertGreater(data["steps/energy_elastic"].max(), 0)

    def test_soft_engine_goes_on_with_every_law(self):
        springs = [f"materials.{name}.stiffness=2e4" for name in ("rubber", "clay")]
        words = [word for value in ["engine=soft", "time={end: 0.2}", *springs] for word in ("-D", value)]
        data = self.goes_on(*words)
        self.assertEqual(data["@engine"], 1)


class Refused(ProgramTest):
    def prepare(self):
        self.call("run", "heap.yaml", "-q")

    def setUp(self):
        super().setUp()
        self.checkpoint = self.path / "heap.h5.checkpoint"

    def refuse(self, *words, more=()):
        before = (self.path / "heap.h5").read_bytes()
        self.one_error(self.call("run", "heap.yaml", "--restart", *more, status=65), *words)
        self.assertEqual((self.path / "heap.h5").read_bytes(), before)

    def test_changed_scene_is_refused(self):
        self.refuse("changed", more=["-D", "seed=5"])
        self.write("heap.yaml", (self.path / "heap.yaml").read_text() + "seed: 7\n")
        self.refuse("changed")

    def test_changed_base_is_refused(self):
        """What a scene extends is part of it; the run file needs the base no more."""
        text = (self.path / "heap.yaml").read_text()
        self.write("base.yaml", text)
        self.write("heap.yaml", "extends: base.yaml\nseed: 11\n")
        self.call("run", "heap.yaml", "-q", "--force")
        self.call("run", "heap.yaml", "-q", "--restart")
        self.write("base.yaml", text + "signed_gap: true\n")
        self.refuse("changed")
        (self.path / "base.yaml").unlink()
        self.call("info", "heap.h5")
        self.one_error(self.call("run", "heap.yaml", "--restart", status=65), "heap.yaml:1:10", "cannot read")

    def test_changed_files_of_a_scene_are_refused(self):
        """Grains and curves that a scene reads are part of it, even if their number stays the same."""
        square = "1,0\n1,1\n0,1\n-1,1\n-1,0\n-1,-1\n0,-1\n1,-1\n"
        self.write("grains.csv", "x,y,radius\n0,0,0.5\n3,0,0.5\n")
        self.write("curve.csv", square)
        self.write("heap.yaml", """\
dimension: 2
gravity: [0, -1]
time: {step: 1e-3, end: 0.01}
materials: {stone: {density: 1}}
shapes: {egg: {nurbs: {file: curve.csv}}}
grains:
  - {file: grains.csv}
  - {position: [0, 5], shape: egg}
""")
        self.call("run", "heap.yaml", "-q", "--force")
        self.call("run", "heap.yaml", "-q", "--restart")
        for name, text in (("grains.csv", "x,y,radius\n0,0,0.5\n3,1,0.5\n"),
                           ("curve.csv", square.replace("1,1", "1,2"))):
            before = (self.path / name).read_text()
            self.write(name, text)
            self.refuse("changed")
            self.write(name, before)
        self.call("run", "heap.yaml", "-q", "--restart")

    def test_checkpoint_of_another_run_is_refused(self):
        self.call("run", "heap.yaml", "-q", "-o", "other.h5")
        own = self.checkpoint.read_bytes()
        self.checkpoint.write_bytes((self.path / "other.h5.checkpoint").read_bytes())
        self.refuse("another run")
        self.checkpoint.write_bytes(own)
        self.call("run", "heap.yaml", "-q", "--restart")
        self.call("run", "heap.yaml", "-q", "--restart")  # the identity is kept

    def test_missing_checkpoint_is_told(self):
        self.checkpoint.unlink()
        self.refuse("no checkpoint", "--force")
        (self.path / "heap.h5").unlink()
        self.one_error(self.call("run", "heap.yaml", "--restart", status=65), "without --restart")

    def test_damaged_checkpoint_is_refused(self):
        whole = self.checkpoint.read_bytes()
        self.checkpoint.write_bytes(whole[:-100])
        self.refuse("damaged")
        self.checkpoint.write_bytes(whole[:5000] + b"x" + whole[5001:])
        self.refuse("damaged")
        self.checkpoint.write_bytes(b"something else")
        self.refuse("not a checkpoint")
        self.checkpoint.write_bytes(whole[:8] + b"\xff" + whole[9:])
        self.refuse("newer scree")

    def test_checkpoint_of_a_longer_run_is_refused(self):
        self.call("run", "heap.yaml", "-q", "-o", "other.h5")
        kept = (self.path / "other.h5.checkpoint").read_bytes()
        self.call("run", "heap.yaml", "-q", "-o", "short.h5", "-D", "time.end=0.1")
        shutil.copy(self.path / "short.h5", self.path / "heap.h5")
        self.checkpoint.write_bytes(kept)
        self.refuse()


class NoRoom(ProgramTest):
    def test_full_disk_keeps_every_frame_before(self):
        """The error is told once, and every frame before it can be read."""
        for size in (1000, 60000, 200000, 300000):
            result = self.call("run", "heap.yaml", "-q", "--force", status=1, preexec_fn=limit_files(size))
            self.one_error(result, "File too large")
            if (self.path / "heap.h5").exists():
                if "frames: 0" not in self.call("info", "heap.h5").stdout:
                    self.call("table", "heap.h5", "--all")
        self.assertTrue((self.path / "heap.h5").exists())
        self.call("run", "heap.yaml", "-q", "--restart")
        self.call("run", "heap.yaml", "-q", "-o", "whole.h5")
        whole, got = datasets(self.path / "whole.h5"), datasets(self.path / "heap.h5")
        for key, value in whole.items():
            numpy.testing.assert_array_equal(got[key], value, err_msg=key)

    def test_full_tmpfs_keeps_every_frame_before(self):
        disk = self.path / "disk"
        disk.mkdir()
        mount = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=320k", "none", disk],
                               capture_output=True)
        if mount.returncode != 0:
            self.skipTest("cannot mount a small disk here")
        try:
            result = self.call("run", "heap.yaml", "-q", "-o", "disk/run.h5", status=1)
            self.one_error(result, "No space left on device")
            self.call("table", "disk/run.h5", "--all")
        finally:
            subprocess.run(["umount", disk], check=True)

    def test_unwritable_places_are_told(self):
        folder = self.path / "closed"
        folder.mkdir()
        folder.chmod(0o555)
        target = "closed/run.h5" if os.geteuid() != 0 else "/proc/run.h5"  # root may write anywhere else
        result = self.call("run", "heap.yaml", "-q", "-o", target, status=1)
        self.one_error(result, target, "cannot create the run file")
        self.one_error(self.call("run", "heap.yaml", "-o", "no/folder/run.h5", status=1),
                       "No such file or directory")
        self.one_error(self.call("run", "heap.yaml", "-o", ".", status=1), "not a regular file")


class Overlaps(ProgramTest):
    COLUMN = """
dimension: 2
gravity: [0, -10]
time: {step: 0.01, end: 1}
materials: {stone: {density: 1}}
walls: {floor: {plane: {point: [0, 0], normal: [0, 1]}}}
grains: [{lattice: {min: [0, 0], counts: [1, 12]}, radius: 0.5}]
"""
    HASTY = ["-D", "solver.criterion=fixed", "-D", "solver.iterations=1", "-D", "solver.warm_start=false"]

    def test_rigid_grains_that_sink_into_each_other_are_told_with_the_remedy(self):
        self.write("column.yaml", self.COLUMN)
        said = self.call("run", "column.yaml", "-q", *self.HASTY).stderr
        deepest = datasets(self.path / "column.h5")["steps/overlap_max"].max()
        self.assertGreater(deepest, 0.01 * 0.5)
        for text in (said, self.call("info", "column.h5").stderr):
            self.assertIn(f"grains overlap by up to {deepest:.3g}", text)
            self.assertIn("set solver.overlap to 1e-4", text)

    def test_springs_and_good_solutions_are_not_told(self):
        self.write("column.yaml", self.COLUMN)
        self.assertNotIn("overlap by up to", self.call("run", "column.yaml", "-q").stderr)
        soft = self.call("run", "column.yaml", "-q", "-o", "b.h5", "-D", "materials.stone.stiffness=1000").stderr
        self.assertGreater(datasets(self.path / "b.h5")["steps/overlap_max"].max(), 0.01 * 0.5)
        self.assertNotIn("overlap by up to", soft)


class NotConverged(ProgramTest):
    SLOPPY = ["-D", "solver.iterations=2", "-D", "solver.tolerance=1e-12"]

    def test_stop_ends_at_the_first_failed_step(self):
        result = self.call("run", "heap.yaml", *self.SLOPPY, "-D", "solver.on_failure=stop", status=75)
        self.assertIn("did not converge", result.stderr)
        data = datasets(self.path / "heap.h5")
        self.assertEqual(data["steps/converged"][-1], 0)
        self.assertTrue(all(data["steps/converged"][:-1] == 1))
        self.assertEqual(data["frames/step"][-1], data["steps/step"][-1])
        self.assertIn("stopped", self.call("info", "heap.h5").stdout)

    def test_the_limit_that_was_missed_is_told(self):
        """Of all limits of docs/certificate.md the one that the step went beyond, also where it did so in a stride only, and
        the sum of all strides is within it."""
        radius = 0.06  # the smallest grain has hardly more
        told = set()
        for setting, limit in (("solver.tolerance=1e-12", 1e-12), ("solver.overlap=1e-8", 1e-8 * radius)):
            said = self.call("run", "heap.yaml", "-F", "-D", "solver.iterations=3", "-D", setting,
                             "-D", "solver.on_failure=warn").stderr
            lines = re.findall(r"warning: step \d+ did not converge: ([a-z ]+) (\S+), allowed (\S+); \d+ sweeps( in)?", said)
            self.assertEqual(len(lines), 5, said)
            for what, value, allowed, _ in lines:
                self.assertGreater(float(value), float(allowed), said)
                if what in ("residual", "overlap added"):
                    self.assertLess(abs(float(allowed) / limit - 1), 0.01, said)
                told.add(what)
        self.assertLessEqual({"residual", "overlap added", "overlap added in a stride"}, told)

    def test_warn_and_continue_go_on(self):
        result = self.call("run", "heap.yaml", *self.SLOPPY, "-D", "solver.on_failure=warn")
        self.assertEqual(result.stderr.count("warning: step "), 5)
        count = int((datasets(self.path / "heap.h5")["steps/converged"] == 0).sum())
        self.assertIn(f"{count} steps did not converge", result.stderr)
        quiet = self.call("run", "heap.yaml", "-q", "-o", "b.h5", *self.SLOPPY, "-D",
                          "solver.on_failure=continue")
        self.assertEqual(quiet.stderr.count("warning: step "), 0)
        self.assertIn("did not converge", quiet.stderr)  # told once, at the end, even with -q

    def test_spurious_elasticity_is_told(self):
        self.call("run", "heap.yaml", "-q", *self.SLOPPY, "-D", "time.end=0.8")
        steps = datasets(self.path / "heap.h5")
        spurious = int(steps["steps/spurious_elasticity"].sum())
        said = self.call("info", "heap.h5").stderr
        self.assertGreater(spurious, 0)
        self.assertIn(f"in {spurious} of 400 steps", said)
        self.assertIn("stiffness", said)

    def test_unsettled_contacts_are_told(self):
        """A row of disks with two coefficients of friction, and too few sweeps to find out which contacts slide."""
        self.write("row.yaml", """\
dimension: 2
gravity: [0, -1]
time: {step: 0.01, end: 0.5}
materials: {disk: {friction: 0.1, friction_static: 0.5}}
walls: {plane: {plane: {point: [0, 0], normal: [0, 1]}}}
grains:
  - {position: [1, 1], radius: 1, mass: 1, force: [6, 0]}
  - {lattice: {min: [2, 0], counts: [20, 1]}, radius: 1, mass: 1}
solver: {tolerance: 1e-10, iterations: 3}
""")
        said = self.call("run", "row.yaml").stderr
        unsettled = datasets(self.path / "row.h5")["steps/unsettled"]
        self.assertGreater(unsettled.max(), 0)
        first = unsettled.nonzero()[0][0]
        self.assertLess(first, 5)  # only the first five are told one by one
        # five tries of three sweeps: the step, its half, quarter and eighth, and then what is left
        self.assertIn(f"did not converge: {unsettled[first]} contacts unsettled; 15 sweeps in 2 strides and tries before them",
                      said)
        for text in (said, self.call("info", "row.h5").stderr):
            self.assertIn(f"in {(unsettled > 0).sum()} of 50 steps up to {unsettled.max()} contacts neither stuck",
                          text)
        self.assertIn(f"unsettled: {(unsettled > 0).sum()} steps", self.call("info", "row.h5").stdout)
        stopped = self.call("run", "row.yaml", "-o", "b.h5", "-D", "solver.on_failure=stop", status=75)
        self.assertIn("did not converge", stopped.stderr)

    def test_large_motion_is_told(self):
        result = self.call("run", "heap.yaml", "-D", "time.step=0.1", "-D", "time.end=1")
        self.assertIn("radii in one step: reduce time.step", result.stderr)


if __name__ == "__main__":
    sys.exit(unittest.main())
