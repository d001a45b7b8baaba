"""What goes wrong under mpirun: one message, all processes stop, and the last checkpoint stands."""
import os
import pathlib
import resource
import signal
import subprocess
import time
import unittest

from support import ProgramTest
import test_mpi

RUN = ["run", "scene.yaml", "-q", "-D", "time.end=0.02", "-o", "run.h5"]


def process_of(starter, rank):
    """The first one writes."""
    mark = f"OMPI_COMM_WORLD_RANK={rank}\0".encode()
    for child in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(child.read_text().rpartition(")")[2].split()[1])
            if parent == starter.pid and mark in (child.parent / "environ").read_bytes():
                return int(child.parent.name)
        except (FileNotFoundError, ProcessLookupError):
            pass
    raise AssertionError("the process is not there")


class Faults(ProgramTest):
    same = test_mpi.Processes.same
    together = test_mpi.Processes.together

    def setUp(self):
        super().setUp()
        (self.path / "scene.yaml").write_text(test_mpi.SCENE)

    def begin(self, count, *more):
        """Runs until there is a checkpoint."""
        process = subprocess.Popen(test_mpi.mpirun(count) + RUN + list(more), cwd=self.path, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        deadline = time.monotonic() + 60
        while not (self.path / "run.h5.checkpoint").exists() and time.monotonic() < deadline:
            time.sleep(0.005)
        return process

    def goes_on(self, count):
        done = self.together(count, *RUN, "--restart")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.call(*RUN[:-1], "one.h5")
        self.same("one.h5", "run.h5")

    def stops(self, process):
        _, told = process.communicate(timeout=120)
        self.assertNotEqual(process.returncode, 0, told)
        self.assertEqual(told.count("stopped at step"), 1, told)
        self.assertNotIn("error", told)

    def test_a_signal_to_one_stops_all(self):
        process = self.begin(3)
        os.kill(process_of(process, 2), signal.SIGTERM)
        self.stops(process)
        self.goes_on(2)

    def test_mpirun_passes_signals_on(self):
        """A second later, as SIGTERM."""
        process = self.begin(2, "-D", "time.end=1000")
        process.send_signal(signal.SIGINT)
        self.stops(process)

    def test_full_disk_stops_all(self):
        process = self.begin(2)
        size = (self.path / "run.h5").stat().st_size
        resource.prlimit(process_of(process, 0), resource.RLIMIT_FSIZE, (size, size))
        _, told = process.communicate(timeout=120)
        self.assertNotEqual(process.returncode, 0, told)
        self.assertEqual(told.count("scree: error"), 1, told)
        self.goes_on(3)

    def test_bad_words_are_told_once(self):
        done = self.together(3, "run", "scene.yaml", "--nonsense")
        self.assertNotEqual(done.returncode, 0)
        self.assertEqual(done.stderr.count("nonsense"), 1, done.stderr)

    def test_unshared_worlds_say_so(self):
        self.write("ordered.yaml", test_mpi.SCENE.replace("iterations: 30", "iterations: 30, order: fixed"))
        done = self.together(2, "run", "ordered.yaml", "-q", "-D", "time.end=0.001")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr.count("each of the 2 processes"), 1, done.stderr)
        self.assertNotIn("processes", self.call("check", "ordered.yaml").stdout)  # for so few grains
        for order, words in (("fixed", "all grains, since the order of its sweeps is not boxed"),
                             ("boxed", "they share the grains")):
            self.write("many.yaml", "time: {step: 1e-3, end: 1}\n"
                       f"solver: {{order: {order}}}\n"
                       "materials: {m: {density: 1, restitution: 0.5}}\n"
                       "grains: [{lattice: {min: [0, 0, 0], counts: [22, 22, 22]}, radius: 0.4}]\n")
            self.assertIn(words, self.call("check", "many.yaml").stdout)


if __name__ == "__main__":
    unittest.main()
