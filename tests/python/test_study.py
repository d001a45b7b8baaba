"""Studies: runs side by side, measured and averaged over seeds."""
import contextlib
import csv
import math
import os
import pathlib
import signal
import statistics
import subprocess
import tempfile
import time
import unittest

import scree

PROGRAM = os.environ["SCREE"]

# Disks on each other press on the floor with their weight, whatever the seed.
COLUMN = """\
dimension: 2
gravity: [0, -10]
time: {step: 1e-2, end: 0.05}
materials: {stone: {density: 1}}
walls: {floor: {plane: {point: [0, 0], normal: [0, 1]}}}
grains: [{radius: 0.5, mass: 2, at: [[0, 0.5], [0, 1.5], [0, 2.5]]}]
solver: {tolerance: 1e-10}
output: {every: 1e-2}
"""

# Grains that fly through a box without gravity: seeds differ.
GAS = """\
dimension: 2
time: {step: 1e-2, end: 0.1}
materials: {stone: {density: 1}}
grains: [{radius: {uniform: [0.05, 0.1]}, count: 9, velocity: [1, 0], fill: {min: [0, 0], max: [1, 1]}}]
output: {every: 2e-2}
"""

# Nothing stops these either, and they leave by a gate with a name that Python keeps for itself.
FLOW = """\
dimension: 2
time: {step: 1e-2, end: 1}
materials: {stone: {density: 1}}
grains: [{radius: 0.01, mass: 2, velocity: [1, 0], at: [[0.65, 0], [0.45, 0], [0.25, 0]]}]
outlets: {in: {plane: {point: [1, 0], normal: [1, 0]}}}
output: {every: 0.1}
"""


class StudyTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name)
        (self.path / "column.yaml").write_text(COLUMN)
        (self.path / "gas.yaml").write_text(GAS)

    def write(self, text, name="study.yaml"):
        (self.path / name).write_text(text)
        return self.path / name

    def call(self, *words, status=0, **more):
        result = subprocess.run([PROGRAM, "study", *words], cwd=self.path, capture_output=True, text=True, timeout=120,
                                env={**os.environ, **more})
        self.assertEqual(result.returncode, status, result.stderr)
        return result

    def rows(self, name):
        with open(self.path / "study-study" / name, newline="") as file:
            return list(csv.DictReader(file))


class Results(StudyTest):
    def test_weight_on_the_floor(self):
        """m g for each of three disks: half as much where gravity is half, and no spread over seeds."""
        self.write("scene: column.yaml\nvary:\n  gravity: [[0, -5], [0, -10]]\n  materials.stone.friction: [0, 1e-1]\n"
                   "seeds: [3, 8]\nmeasures: {load: abs(floor.load_y), twice: 2 * floor.load_y, time: time}\n"
                   "average: {from: 0.03}\n")
        said = self.call("study.yaml", "-j", "2").stderr
        self.assertIn("8 of 8 runs done", said)
        table = self.rows("table.csv")
        self.assertEqual([row["gravity"] for row in table], ["[0, -5]", "[0, -5]", "[0, -10]", "[0, -10]"])
        for row in table:
            weight = 30 if row["gravity"] == "[0, -5]" else 60
            self.assertEqual(row["runs"], "2")
            self.assertAlmostEqual(float(row["load"]), weight, places=7)
            self.assertAlmostEqual(float(row["twice"]), -2 * weight, places=7)
            self.assertAlmostEqual(float(row["load_error"]), 0, places=7)
            self.assertAlmostEqual(float(row["time"]), 0.04)  # of the frames at 0.03, 0.04 and 0.05
        self.assertGreater((self.path / "study-study" / "load.png").stat().st_size, 5000)

    def test_means_and_errors_over_seeds(self):
        study = scree.Study(self.path / "gas.yaml", vary={"grains.0.velocity": [[1, 0], [2, 0]]}, seeds=4,
                            measures={"phi": "solid_fraction", "speed": "velocity_x", "root": "sqrt(bodies)"},
                            folder=self.path / "study-study")
        states = []
        study.run(jobs=2, progress=states.append)
        self.assertEqual((states[-1].done, states[-1].failed, states[-1].total), (8, 0, 8))
        study.save()
        runs, table = self.rows("runs.csv"), study.table()
        for number, (row, speed) in enumerate(zip(table, (1, 2))):
            phi = [float(each["phi"]) for each in runs[4 * number:4 * number + 4]]
            self.assertEqual([int(each["seed"]) for each in runs[4 * number:4 * number + 4]], [1, 2, 3, 4])
            self.assertGreater(max(phi) - min(phi), 0.01)
            self.assertAlmostEqual(row.mean["phi"], statistics.fmean(phi), places=12)
            self.assertAlmostEqual(row.error["phi"], statistics.stdev(phi) / 2, places=12)
            self.assertAlmostEqual(row.mean["speed"], speed, places=9)  # nothing stops them
            self.assertAlmostEqual(row.mean["root"], 3, places=12)
        one = scree.Study(self.path / "gas.yaml", vary=study.vary, seeds=1, folder=study.folder)
        self.assertTrue(all(map(one.is_done, one.cases)))
        self.assertTrue(math.isnan(one.table()[0].error["solid_fraction"]))

    def test_what_passes_an_outlet_and_its_flow(self):
        """Three disks at speed 1 pass x = 1 at the times 0.35, 0.55 and 0.75."""
        (self.path / "flow.yaml").write_text(FLOW)
        self.write("scene: flow.yaml\nmeasures: {all: in.mass, count: in.number, flow: in.mass_rate / 2,"
                   " numbers: in.number_rate}\naverage: {from: 0.4, to: 0.8}\n")
        self.call("study.yaml", "-q")
        found = {name: float(value) for name, value in self.rows("runs.csv")[0].items() if name not in ("run", "seed")}
        self.assertEqual(set(found), {"all", "count", "flow", "numbers"})
        # frames at 0.4, 0.5, 0.6, 0.7 and 0.8, by which 1, 1, 2, 2 and 3 of mass 2 have passed
        for name, wanted in (("all", 3.6), ("count", 1.8), ("flow", 5), ("numbers", 5)):
            self.assertAlmostEqual(found[name], wanted, places=9)

    def test_the_slopes_of_a_gable(self):
        """Disks along two lines that fall by 30 degrees, and all of them freely for a moment."""
        slope = math.tan(math.radians(30))
        places = ", ".join(f"[{0.2 * k}, {5 - abs(0.2 * k) * slope}]" for k in range(-20, 21))
        (self.path / "gable.yaml").write_text(
            "dimension: 2\ngravity: [0, -10]\ntime: {step: 1e-6, end: 2e-6}\nmaterials: {stone: {density: 1}}\n"
            f"grains: [{{radius: 0.05, at: [{places}]}}]\noutput: {{every: 1e-6}}\n")
        study = scree.Study(self.path / "gable.yaml", measures=["repose", "highest"], folder=self.path / "gable")
        study.run()
        found = study.table()[0].mean
        self.assertAlmostEqual(found["repose"], 30, delta=0.5)  # columns end beside the tops of disks
        self.assertAlmostEqual(found["highest"], 5.05, places=6)

    def test_the_cell(self):
        (self.path / "cell.yaml").write_text(
            "dimension: 2\ntime: {step: 1e-2, end: 0.1}\nmaterials: {stone: {density: 1}}\n"
            "periodic: {x: [0, 2], y: [0, 3]}\ncell: {rate: {xx: -0.5}}\ngrains: [{radius: 0.1, at: [[1, 1]]}]\n")
        study = scree.Study(self.path / "cell.yaml", measures={"strain": "cell.strain_xx", "volume": "cell.volume",
                                                               "rate": "cell.rate_xx"}, folder=self.path / "cell")
        study.run()
        found = study.table()[0].mean
        self.assertAlmostEqual(found["strain"], -0.05, places=9)
        self.assertAlmostEqual(found["rate"], -0.5, places=9)
        self.assertAlmostEqual(found["volume"], 6 * math.exp(-0.05), delta=6 * 10 * 0.005**2 / 2)  # ten steps of 0.005


class Resuming(StudyTest):
    def test_killed_study_goes_on(self):
        """Killed on its way: the runs that were done stay, no run is left behind, and the results are the same."""
        self.write("scene: gas.yaml\nseeds: 6\nmeasures: [solid_fraction, temperature]\n")
        self.undisturbed()
        process = subprocess.Popen([PROGRAM, "study", "study.yaml", "-j", "1", "-q"], cwd=self.path)
        folder = self.path / "study-study"
        deadline = time.monotonic() + 60
        while len(list(folder.glob("*.h5"))) < 2 and time.monotonic() < deadline and process.poll() is None:
            time.sleep(0.005)
        process.send_signal(signal.SIGKILL)
        process.wait()
        first = next(folder.glob("*_seed=1.h5"))
        before = first.stat().st_mtime_ns
        for _ in range(200):  # the run that was going on stops by itself
            if not any((folder.parent / "study-study").glob("*.new")):
                break
            time.sleep(0.01)
        self.call("study.yaml", "-j", "2", "-q")
        self.assertEqual(first.stat().st_mtime_ns, before)
        self.assertEqual((folder / "table.csv").read_text(), (self.path / "whole" / "table.csv").read_text())

    def test_a_killed_run_goes_on_to_the_same_bits(self):
        """A run of the study is killed, then the study itself; called again, it has what an undisturbed one has."""
        self.write("scene: gas.yaml\nseeds: 2\nvary: {time.end: [4]}\nmeasures: [temperature]\n")
        self.undisturbed()
        begin = ["study.yaml", "-q", "-j", "2"]
        for first in (True, False):
            process = subprocess.Popen([PROGRAM, "study", *begin], cwd=self.path, stderr=subprocess.PIPE, text=True)
            run = self.a_run_of(process)
            if first and run:
                os.kill(run, signal.SIGKILL)
                self.assertIn("runs failed", process.communicate(timeout=60)[1])
            else:
                process.kill()
                process.communicate()
        self.call(*begin)  # at once: it waits for the runs that the killed one has left
        whole, again = self.path / "whole", self.path / "study-study"
        self.assertEqual((again / "runs.csv").read_text(), (whole / "runs.csv").read_text())
        for name in sorted(path.name for path in whole.glob("*.h5")):
            with scree.open_run(whole / name) as one, scree.open_run(again / name) as other:
                self.assertEqual(list(one.times), list(other.times))
                for a, b in zip(one.frames, other.frames):
                    self.assertEqual(a.position.tobytes(), b.position.tobytes(), name)

    def undisturbed(self):
        """The same study, elsewhere and left in peace."""
        study = scree.load_study(self.path / "study.yaml", self.path / "whole")
        study.run()
        study.save()

    @staticmethod
    def a_run_of(process):
        """The number of a process that the study has started, as soon as there is one; none if all have ended."""
        deadline = time.monotonic() + 60
        while process.poll() is None and time.monotonic() < deadline:
            for task in pathlib.Path(f"/proc/{process.pid}/task").glob("*/children"):
                with contextlib.suppress(OSError):  # a thread or a process may end at any moment
                    for child in task.read_text().split():
                        if b"run\0" in pathlib.Path(f"/proc/{child}/cmdline").read_bytes():
                            return int(child)
            time.sleep(0.002)
        return None

    def test_two_at_once_in_one_folder(self):
        """The second says who is there, and the first is not disturbed."""
        self.write("scene: gas.yaml\nseeds: 1\nvary: {time.end: [1000]}\n")
        process = subprocess.Popen([PROGRAM, "study", "study.yaml", "-q"], cwd=self.path, stderr=subprocess.DEVNULL)
        self.addCleanup(process.wait)
        self.addCleanup(process.terminate)  # its run ends with it
        self.assertIsNotNone(self.a_run_of(process))
        said = self.call("study.yaml", status=65).stderr
        self.assertIn(f"process {process.pid} works on a study there", said)
        self.assertIsNone(process.poll())

    def test_what_has_changed_is_noticed(self):
        """A scene that was only touched keeps its runs; a changed base of it, or file of grains, is told."""
        (self.path / "grains.csv").write_text("x,y,radius,material\n0,0.5,0.5,stone\n")
        grains = COLUMN.replace("[{radius: 0.5, mass: 2, at: [[0, 0.5], [0, 1.5], [0, 2.5]]}]", "[{file: grains.csv}]")
        (self.path / "base.yaml").write_text(grains)
        (self.path / "top.yaml").write_text("extends: base.yaml\ntime: {end: 0.02}\n")
        self.write("scene: top.yaml\nmeasures: [solid_fraction]\n")
        study = scree.load_study(self.path / "study.yaml", self.path / "here")
        study.run()
        later = time.time() + 10
        os.utime(self.path / "top.yaml", (later, later))
        os.utime(study.cases[0].path, (later - 1, later - 1))
        study.run()
        os.utime(study.cases[0].path, (later, later))
        self.assertEqual(len(study.results()), 1)
        for name, old, new in (("base.yaml", "-10", "-9"), ("grains.csv", "0,0.5,", "0,0.6,")):
            before = (self.path / name).read_text()
            (self.path / name).write_text(before.replace(old, new))
            os.utime(self.path / name, (later + 2, later + 2))
            with self.assertRaisesRegex(scree.StudyError, "have changed since .* choose another folder with -o"):
                study.run()
            self.assertEqual(study.results(), [])
            (self.path / name).write_text(before)
            os.utime(self.path / name, (later - 20, later - 20))

    def test_interrupted_study_tells_how_to_resume(self):
        self.write("scene: gas.yaml\nseeds: 40\nvary: {time.end: [1000]}\n")
        process = subprocess.Popen([PROGRAM, "study", "study.yaml", "-j", "1"], cwd=self.path, stderr=subprocess.PIPE,
                                   text=True)
        deadline = time.monotonic() + 60
        while not list(self.path.glob("study-study/*.checkpoint")) and time.monotonic() < deadline:
            time.sleep(0.005)
        process.send_signal(signal.SIGTERM)
        said = process.communicate(timeout=60)[1]
        self.assertEqual(process.returncode, 128 + signal.SIGTERM)
        self.assertIn("the same command resumes the study", said)


class Refused(StudyTest):
    def test_what_no_study_has_made_is_not_replaced(self):
        self.write("scene: column.yaml\nmeasures: [solid_fraction]\n")
        study = scree.load_study(self.path / "study.yaml", self.path)
        for name in ("runs.csv", "table.csv", "solid_fraction.png"):
            (self.path / name).write_text("precious")
            with self.assertRaisesRegex(scree.StudyError, f"{name}: exists, and no study has made it"):
                study.run()
            self.assertEqual((self.path / name).read_text(), "precious")
            (self.path / name).unlink()
        self.assertEqual(list(self.path.glob("*.h5")), [])

    def test_a_missing_library_is_told_before_any_run(self):
        self.write("scene: column.yaml\n")
        said = self.call("study.yaml", status=1, SCREE_LIBRARY=str(self.path / "none.so")).stderr
        self.assertIn("libscree.so was not found", said)
        self.assertFalse((self.path / "study-study").exists())

    def test_devices_and_pipes_are_no_studies(self):
        os.mkfifo(self.path / "pipe.yaml")
        for path in (self.path / "pipe.yaml", "/dev/zero"):
            with self.assertRaisesRegex(scree.StudyError, "is not a regular file"):
                scree.load_study(path)

    def test_a_standard_error_that_nobody_reads_harms_nothing(self):
        """Closed from the start, or a pipe whose reader goes away at the first line."""
        for number, streams in enumerate(("2>&- >&- <&-", "2>&1 | head -1")):
            self.write(f"scene: column.yaml\nseeds: {number + 1}\n")
            subprocess.run(["sh", "-c", f"{PROGRAM} study study.yaml {streams}"], cwd=self.path,
                           stdout=subprocess.DEVNULL)
            self.assertEqual(self.rows("table.csv")[0]["runs"], str(number + 1))

    def refuse(self, text, words):
        with self.assertRaisesRegex(scree.StudyError, words):
            scree.load_study(self.write(text), self.path / "refused").run()

    def test_what_is_wrong_is_said(self):
        self.refuse("- 1\n", "a study is a mapping")
        self.refuse("vary: {}\n", "'scene' is missing")
        self.refuse("scene: column.yaml\nvery: {}\n", "unknown key 'very'")
        self.refuse("scene: none.yaml\n", "none.yaml: there is no such scene")
        self.refuse("scene: column.yaml\nvary: {gravity: 3}\n", "gravity needs a list of values")
        self.refuse("scene: column.yaml\nseeds: 0\n", "seeds: how many")
        many = ", ".join(map(str, range(1, 1001)))
        self.refuse(f"scene: column.yaml\nvary: {{a: [{many}], b: [{many}], c: [{many}]}}\n", "1000000000 runs are")
        self.refuse("scene: column.yaml\nmeasures: [solid_fractoin]\n", "there is no 'solid_fractoin'")
        self.refuse("scene: column.yaml\nmeasures: [solid_fractoin]\n", "there are solid_fraction, .*coordination")
        self.refuse("scene: column.yaml\nmeasures: [floor.lod_y]\n", "of a wall there are load_y, ")
        self.refuse("scene: column.yaml\nmeasures: {a: __import__('os')}\n", "names, numbers,")
        self.refuse("scene: {\n", "study.yaml")
        self.write("scene: none.yaml\n")
        self.assertIn("error: none.yaml: there is no such scene", self.call("study.yaml", status=65).stderr)

    def test_walls_and_gates_that_the_run_does_not_have_are_told(self):
        (self.path / "flow.yaml").write_text(FLOW)
        for scene, word, told in (("column", "flor.load_y", "there is no wall 'flor'; there are floor"),
                                  ("column", "out.mass", "no inlet or outlet 'out'; there are none"),
                                  ("flow", "im.mass", "no inlet or outlet 'im'; there are in"),
                                  ("flow", "in.mass_rate", "between two frames at least")):
            study = scree.Study(self.path / f"{scene}.yaml", measures=[word], folder=self.path / scene)
            study.run()
            with self.assertRaisesRegex(scree.ArgumentError, told):
                study.results()

    def test_failed_runs_are_told(self):
        self.write("scene: column.yaml\nvary: {materials.stone.friction: [0.1, -1]}\n")
        said = self.call("study.yaml", status=1).stderr
        self.assertIn("1 of 2 runs failed", said)
        self.assertIn("0 or greater", said)
        self.assertEqual(len(self.rows("table.csv")), 1)

    def test_several_processes_are_refused(self):
        self.write("scene: column.yaml\n")
        self.assertIn("without mpirun", self.call("study.yaml", status=1, OMPI_COMM_WORLD_SIZE="2").stderr)


if __name__ == "__main__":
    unittest.main()
