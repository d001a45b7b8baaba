#!/usr/bin/env python3
"""Nothing is lost by mistake: several processes at one run, closed streams, outputs that are inputs."""
import csv
import json
import os
import random
import signal
import subprocess
import sys
import time
import unittest
import xml.etree.ElementTree

import numpy

from support import PROGRAM, ProgramTest, datasets, limit_files

ENDLESS = ["-q", "-D", "time.end=1000"]


class Together(ProgramTest):
    """Processes that are started at once on one run file."""

    def mark(self):
        """Changes with every start: each puts a file of its own into the place of the run."""
        run = self.path / "heap.h5"
        return run.stat().st_ino if run.exists() else None

    def race(self, count, *words):
        """Starts several; returns the only one that goes on, with what the others said."""
        self.before = self.mark()
        racers = [self.start("run", "heap.yaml", *ENDLESS, *words) for _ in range(count)]
        losers = []
        deadline = time.monotonic() + 60
        while len(losers) < count - 1 and time.monotonic() < deadline:
            losers += [racer for racer in racers if racer not in losers and racer.poll() is not None]
            time.sleep(0.002)
        winners = [racer for racer in racers if racer not in losers]
        self.assertEqual(len(winners), 1, [racer.communicate()[1] for racer in losers])
        for loser in losers:
            said = loser.communicate()[1]
            self.assertEqual(loser.returncode, 1, said)
            self.assertIn(f"heap.h5: is being written by process {winners[0].pid};", said)
        return winners[0]

    def stop(self, winner):
        """Waits until the run has begun and has a checkpoint, then stops it."""
        deadline = time.monotonic() + 60
        while (self.mark() in (None, self.before) or not (self.path / "heap.h5.checkpoint").exists()) \
                and time.monotonic() < deadline:
            time.sleep(0.01)
        winner.send_signal(signal.SIGTERM)
        said = winner.communicate()[1]
        self.assertEqual(winner.returncode, 128 + signal.SIGTERM, said)
        self.whole()

    def whole(self):
        """The run can be read, has all its steps, and nothing else lies beside it."""
        data = datasets(self.path / "heap.h5")
        self.assertEqual(data["ending"][0], 2)
        self.assertEqual(list(data["steps/step"]), list(range(1, len(data["steps/step"]) + 1)))
        self.assertEqual(sorted(os.listdir(self.path)), ["heap.h5", "heap.h5.checkpoint", "heap.yaml"])

    def test_one_of_many_begins(self):
        for count in [2] * 12 + [3] * 4 + [10]:
            self.stop(self.race(count))
            for name in ("heap.h5", "heap.h5.checkpoint"):
                (self.path / name).unlink()

    def test_one_of_many_resumes_or_replaces(self):
        self.stop(self.race(2))
        before = len(datasets(self.path / "heap.h5")["steps/step"])
        for _ in range(8):
            self.stop(self.race(2, "--restart"))
            after = len(datasets(self.path / "heap.h5")["steps/step"])
            self.assertGreaterEqual(after, before)
            before = after
        for _ in range(8):
            self.stop(self.race(2, "--force"))

    def test_a_killed_run_keeps_nobody_out(self):
        killed = self.start("run", "heap.yaml", *ENDLESS)
        while not (self.path / "heap.h5.checkpoint").exists():
            time.sleep(0.01)
        killed.kill()
        killed.communicate()
        self.assertTrue((self.path / "heap.h5.lock").exists())
        for name in ("heap.h5", "heap.h5.checkpoint"):  # killed before they were whole
            self.write(f"{name}.0123456789abcdef.new", "part")
        self.stop(self.race(2, "--restart"))

    def test_a_lock_that_is_no_file_is_refused(self):
        os.mkfifo(self.path / "heap.h5.lock")
        self.one_error(self.call("run", "heap.yaml", status=1), "heap.h5", "lock")
        self.assertFalse((self.path / "heap.h5").exists())


class Outputs(ProgramTest):
    """An output that is an input is refused, and what exists is replaced only with --force, by a whole file."""

    def prepare(self):
        self.call("run", "heap.yaml", "-q", "-D", "time.end=0.1")
        self.call("run", "heap.yaml", "-q", "-o", "p.h5", "-D", "time.end=0.02", "--dump-problems", "problems:10")

    def setUp(self):
        super().setUp()
        self.problem = sorted((self.path / "problems").iterdir())[0]

    def refuse(self, kept, word, *words):
        """An error, and the file has the bytes that it had."""
        before = (self.path / kept).read_bytes()
        self.one_error(self.call(*words, status=1), kept, word)
        self.assertEqual((self.path / kept).read_bytes(), before)

    def test_inputs_are_never_replaced(self):
        os.link(self.path / "heap.h5", self.path / "heap.png")
        (self.path / "linked.h5").symlink_to("heap.h5")
        (self.path / "out").mkdir()
        os.link(self.path / "heap.h5", self.path / "out" / "bodies_000000.hdf")
        os.link(self.path / "heap.h5", self.path / "out" / "grains.dump")
        for force in ([], ["--force"]):
            self.refuse("heap.h5", "is the input", "view", "heap.h5", "--html", "heap.h5", *force)
            self.refuse("heap.h5", "is the input", "view", "linked.h5", "--html", "heap.h5", *force)
            self.refuse("heap.png", "is the input", "plot", "heap.h5", "-o", "heap.png", *force)
            self.refuse("out/bodies_000000.hdf", "is the input", "export", "heap.h5", "--to", "vtkhdf", "-o", "out",
                        *force)
            self.refuse("out/grains.dump", "is the input", "export", "heap.h5", "--to", "dump", "-o", "out", *force)
            name = str(self.problem)
            self.refuse(name, "is the input", "solve", name, "-o", name, *force)

    def test_a_run_does_not_replace_its_scene(self):
        self.write("grains.csv", "x,y,z,radius\n0.5,0.5,0.5,0.1\n")
        self.write("base.yaml", (self.path / "heap.yaml").read_text() + "signed_gap: true\n")
        self.write("own.yaml", "extends: base.yaml\ngrains: [{file: grains.csv, material: stone}]\n")
        self.call("run", "own.yaml", "-q", "-D", "time.end=0.01")
        for name in ("own.yaml", "base.yaml", "grains.csv"):
            self.refuse(name, "is read from there", "run", "own.yaml", "--force", "-o", name)
            self.refuse(name, "already exists", "run", "own.yaml", "-o", name)
        os.rename(self.path / "grains.csv", self.path / "x.h5.checkpoint")
        self.write("own.yaml", (self.path / "own.yaml").read_text().replace("grains.csv", "x.h5.checkpoint"))
        self.refuse("x.h5.checkpoint", "is read from there", "run", "own.yaml", "-o", "x.h5")

    def test_mistakes_in_a_scene_are_told_before_an_output_that_exists(self):
        self.write("wrong.yaml", (self.path / "heap.yaml").read_text() + "skn: 1\n")
        self.write("wrong.h5", "")
        self.assertIn("unknown key 'skn'", self.call("run", "wrong.yaml", status=65).stderr)

    def test_a_run_in_the_place_of_a_scene_is_told(self):
        for command in ("run", "check"):
            self.one_error(self.call(command, "heap.h5", status=65), f"is a run, and 'scree {command}' takes a scene")

    def test_only_force_replaces(self):
        mine = "my own words\n"
        (self.path / "out").mkdir()
        for name, words in (("a.html", ["view", "heap.h5", "--html", "a.html"]),
                            ("a.csv", ["solve", str(self.problem), "-o", "a.csv"]),
                            ("a.hdf5", ["solve", str(self.problem), "-o", "a.hdf5"]),
                            ("a.svg", ["plot", "heap.h5", "-o", "a.svg"]),
                            ("heap-grains.png", ["plot", "heap.h5"]),
                            ("out/walls_000001.vtp", ["export", "heap.h5", "-o", "out"]),
                            ("out/contacts.pvd", ["export", "heap.h5", "-o", "out"]),
                            ("out/walls_000001.hdf", ["export", "heap.h5", "-o", "out", "--to", "vtkhdf"]),
                            ("out/contacts.dump", ["export", "heap.h5", "-o", "out", "--to", "dump"])):
            with self.subTest(name=name):
                place = self.path / name
                self.write(name, mine)
                before = sorted(os.listdir(place.parent))
                self.refuse(name, "--force", *words)
                self.assertEqual(sorted(os.listdir(place.parent)), before)  # nor is anything begun
                self.call(*words, "--force")
                self.assertNotEqual(place.read_bytes(), mine.encode())
                self.assertEqual([entry for entry in os.listdir(place.parent) if entry.endswith(".new")], [])
                place.unlink()
                for entry in (self.path / "out").iterdir():
                    entry.unlink()

    def test_a_failed_write_leaves_the_old_file(self):
        for name, words in (("a.csv", ["solve", str(self.problem), "-o", "a.csv"]),
                            ("grains.dump", ["export", "heap.h5", "-o", ".", "--to", "dump"]),
                            ("bodies_000000.vtp", ["export", "heap.h5", "-o", "."]),
                            ("bodies_000000.hdf", ["export", "heap.h5", "-o", ".", "--to", "vtkhdf"])):
            with self.subTest(name=name):
                self.write(name, "old")
                self.call(*words, "--force", status=1, preexec_fn=limit_files(100))
                self.assertEqual((self.path / name).read_text(), "old")
                self.assertEqual([entry for entry in os.listdir(self.path) if entry.endswith(".new")], [])


class Killed(ProgramTest):
    """What is left when a command is killed that writes a file at once, or a run before its first checkpoint."""

    def test_nothing_lies_beside_outputs(self):
        try:
            os.close(os.open(self.path, os.O_TMPFILE | os.O_RDWR))
        except OSError:
            self.skipTest("this file system has no files without a name")
        self.call("run", "heap.yaml", "-q", "-D", "output.every=0.002", "--dump-problems", "d:50")
        self.write("old.html", "old")
        problem = sorted((self.path / "d").iterdir())[0]
        chance = random.Random(13)
        for words in (["view", "heap.h5", "--html", "a.html"], ["view", "heap.h5", "--html", "old.html", "--force"],
                      ["export", "heap.h5", "-o", "vtp", "--frames", "all"], ["solve", problem, "-o", "s.csv"],
                      ["export", "heap.h5", "-o", "hdf", "--to", "vtkhdf", "--frames", "all"],
                      ["export", "heap.h5", "-o", "dump", "--to", "dump", "--frames", "all"],
                      ["solve", problem, "-o", "s.hdf5"]):
            for _ in range(6):
                process = self.start(*words, *(["--force"] if "--force" not in words else []))
                time.sleep(chance.uniform(0, 0.15))
                process.kill()
                process.communicate()
            left = [str(entry) for entry in self.path.rglob("*.new")]
            self.assertEqual(left, [], words)
        self.assertIn((self.path / "old.html").read_text()[:15].lower(), ("old", "<!doctype html>"))

    def replace_and_kill(self):
        """Kills a run that replaces another as soon as its file is there; whether it had a checkpoint by then."""
        run, checkpoint = self.path / "heap.h5", self.path / "heap.h5.checkpoint"
        before, old = run.stat().st_ino, checkpoint.stat().st_ino
        process = self.start("run", "heap.yaml", "--force", "-q", "-D", "time.end=0.06")
        deadline = time.monotonic() + 60
        while run.stat().st_ino == before and time.monotonic() < deadline:
            pass
        process.kill()
        process.communicate()
        return checkpoint.stat().st_ino != old

    def test_a_run_killed_before_its_first_checkpoint_begins_anew(self):
        self.call("run", "heap.yaml", "-q", "-o", "whole.h5", "-D", "time.end=0.06")
        self.call("run", "heap.yaml", "-q", "-D", "time.end=0.02")
        for _ in range(40):
            if not self.replace_and_kill():
                break
        else:
            self.skipTest("every run had its checkpoint before it could be killed")
        told = self.call("run", "heap.yaml", "--restart", "-D", "time.end=0.06")
        self.assertIn("heap.h5: ended before its first checkpoint; it begins anew", told.stderr)
        expected, got = datasets(self.path / "whole.h5"), datasets(self.path / "heap.h5")
        self.assertEqual(got.keys(), expected.keys())
        for name, value in expected.items():
            numpy.testing.assert_array_equal(got[name], value, err_msg=name)
        os.unlink(self.path / "heap.h5.checkpoint")  # of a run that has made steps
        self.one_error(self.call("run", "heap.yaml", "--restart", "-D", "time.end=0.06", status=65),
                       "no checkpoint to resume from", "--force")

    def test_problems_are_replaced_only_with_force(self):
        words = ["run", "heap.yaml", "-q", "-D", "time.end=0.02", "--dump-problems", "d:5"]
        self.call(*words)
        problem = sorted((self.path / "d").iterdir())[0]
        problem.write_text("mine")
        self.one_error(self.call(*words, "-o", "other.h5", status=1), "d/heap-0000", "--force")
        self.assertFalse((self.path / "other.h5").exists())
        self.assertEqual(problem.read_text(), "mine")
        self.write("d/other-000005.hdf5", "another scene's")
        self.call(*words, "--force")
        self.assertNotEqual(problem.read_bytes(), b"mine")
        self.assertEqual((self.path / "d/other-000005.hdf5").read_text(), "another scene's")
        self.call(*words, "--restart")


class NoFiles(ProgramTest):
    """What a scene names must be a regular file: a pipe may never answer, a device never end."""

    def test_pipes_and_devices_are_refused(self):
        os.mkfifo(self.path / "pipe")
        for section in ("grains: [{file: NAME}]",
                        "grains: [{position: [0, 0], shape: egg}]\nshapes: {egg: {nurbs: {file: NAME}}}"):
            for name in ("pipe", "/dev/zero", "/dev/null", "."):
                self.write("scene.yaml", "dimension: 2\ntime: {step: 1, end: 1}\nmaterials: {stone: {density: 1}}\n"
                           + section.replace("NAME", name) + "\n")
                told = self.call("check", "scene.yaml", status=65)
                self.one_error(told, "scene.yaml", f"cannot read '{name}': it is not a regular file")

    def test_pipes_in_place_of_runs_and_checkpoints_do_not_hang(self):
        self.call("run", "heap.yaml", "-q", "-D", "time.end=0.02")
        os.mkfifo(self.path / "pipe.h5")
        self.one_error(self.call("solve", "/dev/zero", status=65), "/dev/zero: is not a regular file")
        for words in (["info", "pipe.h5"], ["view", "pipe.h5"], ["export", "pipe.h5"], ["table", "pipe.h5"],
                      ["solve", "pipe.h5"]):
            self.one_error(self.call(*words, status=65), "pipe.h5: is not a regular file")
        os.unlink(self.path / "heap.h5.checkpoint")
        os.mkfifo(self.path / "heap.h5.checkpoint")
        self.one_error(self.call("run", "heap.yaml", "--restart", "-D", "time.end=0.02", status=65),
                       "heap.h5.checkpoint: cannot open the checkpoint")


class ClosedStreams(ProgramTest):
    """The run file must not get the number of a stream on which something is said."""

    def run_without(self, closed, *words):
        command = [PROGRAM, "run", "heap.yaml", *words]
        streams = " ".join(f"{number}{'<' if number == 0 else '>'}&-" for number in closed)
        return subprocess.run(["/bin/sh", "-c", f'exec "$@" {streams}', "sh", *command], cwd=self.path,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False).returncode

    def test_the_run_is_the_same(self):
        loud = ["-v", "-D", "solver.iterations=2", "-D", "solver.on_failure=warn"]  # says much
        self.call("run", "heap.yaml", "-o", "open.h5", *loud)
        expected = datasets(self.path / "open.h5")
        for closed in ([2], [1, 2], [0, 1, 2], [0], [0, 2]):
            with self.subTest(closed=closed):
                self.run_without(closed, "--force", *loud)
                got = datasets(self.path / "heap.h5")
                self.assertEqual(got.keys(), expected.keys())
                for name, value in expected.items():
                    numpy.testing.assert_array_equal(got[name], value, err_msg=name)

    def test_output_that_cannot_be_written_is_an_error(self):
        self.call("run", "heap.yaml", "-q", "-D", "time.end=0.02")
        told = subprocess.run(["/bin/sh", "-c", 'exec "$@" >&-', "sh", PROGRAM, "info", "heap.h5"], cwd=self.path,
                              capture_output=True, text=True, check=False)
        self.assertEqual(told.returncode, 1)
        self.one_error(told, "cannot write to standard output")


class ForeignText(ProgramTest):
    """Names and paths from elsewhere reach terminals, tables and pages without what those would obey."""
    NASTY = [b"\x1b]0;mine\x07", b"=1+1", b"@x\r\n=2", "\u202eetag".encode(), b"\xff\x9b2J</script>\"", b"+1"]

    def prepare(self):
        self.write("heap.yaml", (self.path / "heap.yaml").read_text().replace("stone", "s" * 20)
                   + "measures: {" + "m" * 20 + ": {every: 5}}\n")
        self.call("run", "heap.yaml", "-q", "-D", "time.end=0.05", "-D", "grains.0.material=" + "s" * 20)
        import h5py
        with h5py.File(self.path / "heap.h5", "r+") as run:
            for name in ("materials/name", "walls/name", "measures/name", "scene/overrides"):
                count = len(run[name])
                del run[name]
                run.create_dataset(name, data=numpy.array([self.NASTY[k % len(self.NASTY)] for k in range(count)],
                                                          dtype="S24"))
            del run["scene/name"]
            run.create_dataset("scene/name", data=numpy.array(b"\x1b[2Jheap.yaml\n", dtype="S24"))

    def harmless(self, text):
        """No control characters but ends of lines, and none that turn a line around."""
        self.assertTrue(all(letter.isprintable() or letter == "\n" for letter in text), ascii(text))

    def output(self, *words):
        told = self.call(*words)
        self.harmless(told.stdout)
        self.harmless(told.stderr)
        return told.stdout

    def test_terminals_and_tables_get_plain_names(self):
        self.assertIn("scene: ?[2Jheap.yaml", self.output("info", "heap.h5"))
        tables = [["table", "heap.h5", "--what", what] for what in ("bodies", "walls", "contacts", "laws")]
        measures = [["measure", "heap.h5", "--what", what] for what in ("partners", "materials", "online", "state")]
        for words in tables + [words + ["--csv"] for words in measures]:
            for row in csv.reader(self.output(*words).splitlines()):
                for cell in row:
                    self.assertNotIn(cell[:1], list("=+@"))
        for words in measures:
            self.output(*words)
            json.loads(self.output(*words, "--json"))

    def test_pages_and_exports_are_sound(self):
        self.call("view", "heap.h5", "--html", "heap.html", "-q")
        page = (self.path / "heap.html").read_bytes().decode()  # fails if it is not UTF-8
        self.assertNotIn("\x1b", page)
        self.assertNotIn("J</script>", page)
        for kind in ("vtp", "vtkhdf", "dump"):
            self.call("export", "heap.h5", "--to", kind, "-o", kind)
            for entry in (self.path / kind).iterdir():
                if entry.suffix in (".vtp", ".pvd"):
                    xml.etree.ElementTree.parse(entry)
                for nasty in (b"\x1b]0", b"=1+1", b"=2"):
                    self.assertNotIn(nasty, entry.read_bytes() if kind == "dump" else b"")

    def test_messages_about_odd_paths_are_plain(self):
        name = "a\x1b[31m\u202e.h5"
        for words in (["info", name], ["run", name], ["check", name], ["export", name], ["view", name],
                      ["solve", name], ["run", "heap.yaml", "-D", "x\x1b[2J=1"], [name], ["info", "--" + name]):
            told = subprocess.run([PROGRAM, *words], cwd=self.path, capture_output=True, text=True, check=False)
            self.assertNotEqual(told.returncode, 0)
            self.assertNotEqual(told.stderr, "")
            self.harmless(told.stderr.replace("\t", " "))
        self.write("odd.yaml", "dimension: 2\nfo\x1b[2Jo: 1\n")
        told = self.call("check", "odd.yaml", status=65)
        self.harmless(told.stderr)
        os.rename(self.path / "heap.yaml", self.path / "h\x1b[31m.yaml")
        self.harmless(self.call("check", "h\x1b[31m.yaml").stdout)


if __name__ == "__main__":
    sys.exit(unittest.main())
