"""scree solve and scree run --dump-problems: solutions are judged with numpy alone."""
import csv
import json
import os
import pathlib
import unittest

import numpy as np

from problem_tools import Problem, block_text, dense_text, problem_text, residual, sparse_text
from support import ProgramTest

PROBLEMS = sorted((pathlib.Path(__file__).resolve().parents[1] / "problems").glob("*.hdf5"))
STORAGES = {
    "dense": lambda matrix, rows, columns: dense_text(matrix),
    "blocks": block_text,
    "columns": lambda matrix, rows, columns: sparse_text(matrix, False),
    "triplets": lambda matrix, rows, columns: sparse_text(matrix, True),
}
DISKS = """\
dimension: 2
gravity: [0, -10]
time: {step: 0.01, end: 0.3}
materials:
  stone: {friction: 0.4}
walls:
  floor: {plane: {point: [0, 0], normal: [0, 1]}}
grains:
  - {lattice: {min: [0, 0], counts: [3, 3]}, radius: 0.5, material: stone}
solver: {tolerance: 1e-10, iterations: 20000}
"""


def read_table(path, block):
    """Impulses and velocities of the table that --out writes."""
    with open(path, newline="") as file:
        rows = list(csv.reader(file))
    numbers = np.array([[float(cell) for cell in row[1:]] for row in rows[1:]])
    return rows[0], numbers[:, :block].flatten(), numbers[:, block:].flatten()


class Solve(ProgramTest):
    def test_problems_of_every_kind_are_there(self):
        kinds = {(Problem(path).block, path.name.split("-")[0]) for path in PROBLEMS}
        self.assertGreaterEqual({block for block, _ in kinds}, {2, 3, 5})
        self.assertGreater(len(PROBLEMS), 9)

    def test_solutions_hold_by_numpy(self):
        for path in PROBLEMS:
            with self.subTest(path.name):
                problem = Problem(path)
                self.call("solve", str(path), "--force", "--out", "solution.csv")
                head, r, u = read_table(self.path / "solution.csv", problem.block)
                self.assertEqual(len(head), 1 + 2 * problem.block)
                self.assertEqual(len(r), len(problem.q))
                error, velocities = residual(problem, r)
                self.assertLess(error, 1.1e-8)
                self.assertLess(np.abs(u - velocities).max(), 1e-9 * max(np.abs(velocities).max(), np.abs(problem.q).max()))

    def test_solution_is_written_as_fclib(self):
        for path in PROBLEMS[:3]:
            problem = Problem(path)
            self.call("solve", str(path), "--force", "--out", "solution.hdf5")
            with_solution = Problem(self.path / "solution.hdf5")
            r, u, v = (with_solution.solution[name] for name in "ruv")
            self.assertTrue(np.array_equal(problem.W, with_solution.W))
            self.assertTrue(np.array_equal(problem.q, with_solution.q))
            error, velocities = residual(problem, r)
            self.assertLess(error, 1.1e-8)
            scale = np.abs(problem.q).max()
            self.assertLess(np.abs(problem.M @ v - problem.H @ r - problem.f).max(), 1e-9 * np.abs(problem.f).max())
            self.assertLess(np.abs(problem.H.T @ v + problem.w - u).max(), 1e-9 * max(scale, np.abs(u).max()))

    def test_every_storage_of_text(self):
        """The same problem in local and in global form, in every storage, has the same velocities."""
        for path in (p for p in PROBLEMS if p.name.split("-")[0] in ("array", "compliance", "roll")):
            problem = Problem(path)
            found = []
            for name, write in STORAGES.items():
                for local in (True, False):
                    with self.subTest(path.name, storage=name, local=local):
                        self.write("problem.dat", problem_text(problem, write, local))
                        self.call("solve", "problem.dat", "--force", "--out", "solution.csv", "--tol", "1e-11")
                        _, r, u = read_table(self.path / "solution.csv", problem.block)
                        self.assertLess(residual(problem, r)[0], 1e-10)
                        found.append(u)
            scale = np.abs(problem.q).max()
            for u in found[1:]:
                self.assertLess(np.abs(u - found[0]).max(), 1e-7 * scale)

    def test_solvers_agree(self):
        """All solvers that succeed find the same velocities, and the table says which is fastest. (With rolling there
        is more than one solution, so its velocities are not compared.)"""
        for path in (p for p in PROBLEMS if p.name.split("-")[0] in ("array", "dam", "roll")):
            answer = json.loads(self.call("solve", str(path), "--solver", "all", "--json").stdout)["rows"]
            names = [row["solver"] for row in answer]
            self.assertEqual(len(names), len(set(names)))
            self.assertGreaterEqual(len(names), 3)
            solved = [row for row in answer if row["verdict"] == "solved"]
            self.assertIn("auto", [row["solver"] for row in solved])
            winners = [row for row in answer if row["won"] == "yes"]
            self.assertEqual(len(winners), 1)
            self.assertEqual(winners[0]["seconds"], min(row["seconds"] for row in solved))
            problem, found = Problem(path), []
            for row in solved:
                self.assertLessEqual(row["law"], 1e-8)
                self.call("solve", str(path), "--solver", row["solver"], "-F", "--out", "solution.csv", "--tol", "1e-10")
                _, r, u = read_table(self.path / "solution.csv", problem.block)
                self.assertLess(residual(problem, r)[0], 1e-9)
                found.append(u)
            for u in found[1:] if problem.block < 5 else ():
                self.assertLess(np.abs(u - found[0]).max(), 1e-6 * np.abs(problem.q).max())

    def test_bad_files_do_not_stop_the_others(self):
        self.write("bad.dat", "3\n1\n0\n3\n3\n3 3\n1 0 0\n0 one 0\n")
        result = self.call("solve", str(PROBLEMS[0]), "bad.dat", str(PROBLEMS[1]), "--csv", status=65)
        self.assertIn("bad.dat:8: an entry of the matrix should be here, not 'one'", result.stderr)
        self.assertEqual(len(list(csv.DictReader(result.stdout.splitlines()))), 2)
        self.write("scene.yaml", "dimension: 3\n")
        self.assertIn("scene.yaml:1:", self.call("solve", "scene.yaml", status=65).stderr)
        self.assertIn("cannot be opened", self.call("solve", "none.dat", status=1).stderr)
        self.call("run", "heap.yaml", "-q")
        self.assertIn("holds none of fclib_local", self.call("solve", "heap.h5", status=65).stderr)

    def test_wrong_usage_is_told(self):
        path = str(PROBLEMS[0])
        self.assertIn("needs FILE...", self.call("solve", status=2).stderr)
        self.assertIn("must be one of auto, ", self.call("solve", path, "--solver", "magic", status=2).stderr)
        self.assertIn("--out writes the solution of a single file",
                      self.call("solve", path, path, "-o", "x.csv", status=2).stderr)
        for bad in ("0", "-1", "x"):
            self.call("solve", path, "--tol", bad, status=2)
        self.assertIn("cannot be written", self.call("solve", path, "-o", "no/such/x.csv", status=1).stderr)
        self.assertIn("cannot be written", self.call("solve", path, "-o", "no/such/x.hdf5", status=1).stderr)

    def test_what_is_not_reached_is_told(self):
        hard = next(str(p) for p in PROBLEMS if p.name.startswith("dam"))
        result = self.call("solve", hard, "--solver", "gauss_seidel", "--iterations", "2", "--json", status=75)
        (row,) = json.loads(result.stdout)["rows"]
        self.assertEqual((row["verdict"], row["iterations"]), ("not solved", 2))
        self.assertIn("iterations", row["reason"])

    def test_squeezed_bodies_are_told(self):
        """One disk of mass 1 between two walls that approach at 1, and one that falls on a floor: no solution."""
        W = np.zeros((6, 6))
        W[:4, :4] = [[1, 0, -1, 0], [0, 3, 0, 1], [-1, 0, 1, 0], [0, 1, 0, 3]]
        W[4:, 4:] = np.diag([1, 3])
        text = f"2\n3\n{dense_text(W)}\n-1 0 -1 0 -0.5 0.1\n0.3 0.3 0.3\n"
        self.write("squeezed.dat", text)
        result = self.call("solve", "squeezed.dat", "--json", status=75)
        (row,) = json.loads(result.stdout)["rows"]
        self.assertEqual(row["verdict"], "infeasible")
        self.assertIn("contacts 0, 1 close at 1 on average", row["reason"])
        self.write("negated.dat", text.replace(dense_text(W), dense_text(-W)))
        (row,) = json.loads(self.call("solve", "negated.dat", "--json", status=75).stdout)["rows"]
        self.assertEqual(row["verdict"], "unbounded")
        self.assertIn("not positive semi-definite", row["reason"])

    def test_measure_is_checked(self):
        self.assertIn("must be one of law, siconos",
                      self.call("solve", str(PROBLEMS[0]), "--measure", "guess", status=2).stderr)
        self.call("solve", str(PROBLEMS[1]), "--measure", "siconos")


class Dump(ProgramTest):
    def setUp(self):
        super().setUp()
        self.write("disks.yaml", DISKS)

    def test_files_are_named_by_step(self):
        self.call("run", "disks.yaml", "-q", "--dump-problems", "out:10")
        self.assertEqual(sorted(path.name for path in (self.path / "out").iterdir()),
                         ["disks-000010.hdf5", "disks-000020.hdf5", "disks-000030.hdf5"])

    def test_dumping_does_not_change_the_run(self):
        self.call("run", "disks.yaml", "-q", "-o", "one.h5")
        self.call("run", "disks.yaml", "-q", "-o", "two.h5", "--dump-problems", "out")
        tables = [self.call("table", name, "--all").stdout for name in ("one.h5", "two.h5")]
        self.assertEqual(*tables)

    def test_solution_is_that_of_the_run(self):
        """Nine disks rest on each other in three columns: each carries those above it, m g dt with m = pi / 4."""
        self.call("run", "disks.yaml", "-q", "--dump-problems", "out:30")
        self.call("solve", "out/disks-000030.hdf5", "-o", "solution.csv", "--tol", "1e-11")
        _, r, u = read_table(self.path / "solution.csv", 2)
        weight = np.pi / 4 * 10 * 0.01
        normal = np.sort(r[::2])
        self.assertEqual(len(normal[normal > 1e-9 * weight]), 9)
        self.assertLess(np.abs(normal[-9:] - weight * np.repeat([1, 2, 3], 3)).max(), 1e-6 * weight)
        self.assertLess(np.abs(u[::2][r[::2] > 1e-9 * weight]).max(), 1e-6)

    def test_bridges_press_in_addition(self):
        """One such column, wet: 2 pi R gamma is added to each contact, R = 1/2 between disks and 1 at the floor."""
        wet = f"friction: 0.4, bridge_volume: 0.01, bridge_tension: {2 / np.pi}"
        self.write("wet.yaml", DISKS.replace("friction: 0.4", wet).replace("[3, 3]", "[1, 3]"))
        self.call("run", "wet.yaml", "-q", "--dump-problems", "out:30")
        self.call("solve", "out/wet-000030.hdf5", "-o", "solution.csv", "--tol", "1e-11")
        _, r, u = read_table(self.path / "solution.csv", 2)
        weight, pull = np.pi / 4 * 10 * 0.01, 2 * 0.01
        expected = [pull + weight, pull + 2 * weight, 2 * pull + 3 * weight]
        self.assertLess(np.abs(np.sort(r[::2]) - expected).max(), 1e-6 * weight)
        self.assertLess(np.abs(u[::2]).max(), 1e-6)

    def test_what_cannot_be_written_is_told(self):
        self.write("rolling.yaml", DISKS.replace("friction: 0.4", "friction: 0.4, rolling: 0.1"))
        result = self.call("run", "rolling.yaml", "-q", "--dump-problems", "out", status=1)
        self.assertIn("torques in the plane cannot be expressed in matrices", result.stderr)
        (self.path / "file").write_text("")
        self.call("run", "disks.yaml", "-q", "-F", "--dump-problems", "file/inside", status=1)
        self.call("run", "disks.yaml", "-q", "-F", "--dump-problems", "out:0", status=2)
        for number in ("-5", "+0", "-0"):
            told = self.call("run", "disks.yaml", "-q", "-F", "--dump-problems", f"d:{number}", status=2)
            self.one_error(told, "--dump-problems")
            self.assertFalse((self.path / f"d:{number}").exists() or (self.path / "d").exists())
        self.write("plain", "a file")
        self.one_error(self.call("run", "disks.yaml", "-q", "-F", "--dump-problems", "plain", status=1), "plain",
                       "cannot create the folder")


@unittest.skipUnless(os.environ.get("SCREE_PROBLEMS"), "SCREE_PROBLEMS names no folder with problems")
class Foreign(ProgramTest):
    """Problems of other programs. Their solutions are judged by numpy where they are FCLIB."""

    def test_foreign_problems_are_solved(self):
        folder = pathlib.Path(os.environ["SCREE_PROBLEMS"])
        paths = sorted(path for path in folder.iterdir() if path.suffix in (".dat", ".hdf5"))
        self.assertTrue(paths)
        answer = self.call("solve", *map(str, paths), "--csv").stdout
        for row in csv.DictReader(answer.splitlines()):
            self.assertEqual(row["verdict"], "solved", row["file"])
            self.assertLessEqual(float(row["law"]), 1e-8, row["file"])
        for path in paths:
            if path.suffix == ".hdf5" and path.stat().st_size < 200000:
                problem = Problem(path)
                self.call("solve", str(path), "--force", "-o", "solution.csv")
                self.assertLess(residual(problem, read_table(self.path / "solution.csv", problem.block)[1])[0], 1.1e-8)


if __name__ == "__main__":
    unittest.main()
