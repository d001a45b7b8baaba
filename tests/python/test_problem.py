"""Contact problems from Python: closed forms, the program's own solutions, files, worlds, and mistakes are told."""
import csv
import pathlib
import tempfile
import unittest

import h5py
import numpy as np

import scree
from support import ROOT, call

PROBLEMS = sorted((ROOT / "tests" / "problems").glob("*.hdf5"))
MASS, GRAVITY, STEP = 2.0, 9.81, 0.01


def block_on_slope(angle, mu):
    """A block without rotation: free velocity g dt along normal and downhill, W the inverse mass."""
    q = STEP * GRAVITY * np.array([-np.cos(angle), np.sin(angle), 0])
    return scree.Problem(mu=[mu], W=np.eye(3) / MASS, q=q)


def disks(count, slope=0.0, mu=0.5):
    """A column of disks across a slope, in global form: degrees of freedom x downhill, y along the normal, spin times
    radius; the moment of inertia is half mass times radius squared. Contact k lies below disk k."""
    H = np.zeros((3 * count, 2 * count))
    for k in range(count):
        H[3 * k + 1, 2 * k] = 1
        H[[3 * k, 3 * k + 2], 2 * k + 1] = 1
        if k > 0:
            H[3 * k - 2, 2 * k] = -1
            H[[3 * k - 3, 3 * k - 1], 2 * k + 1] = -1, 1
    push = MASS * GRAVITY * STEP * np.array([np.sin(slope), -np.cos(slope), 0])
    return scree.Problem(components=2, mu=[mu] * count, M=np.diag([MASS, MASS, MASS / 2] * count), H=H,
                         f=np.tile(push, count), w=np.zeros(2 * count))


class ClosedForms(unittest.TestCase):
    def test_block_on_a_slope_stays_or_slides(self):
        """It stays where tan(angle) <= mu, and slides with g (sin - mu cos) beyond."""
        for angle in (0.1, 0.4, 0.6, 1.2):
            problem = block_on_slope(angle, mu := 0.5)
            push = MASS * GRAVITY * STEP * np.array([np.cos(angle), np.sin(angle)])
            friction = min(push[1], mu * push[0])
            for solver in scree.problem.solvers():
                found = problem.solve(solver, tolerance=1e-12)
                self.assertTrue(found.solved, f"{solver}: {found.reason}")
                self.assertEqual(found.solver, solver)
                self.assertTrue(np.allclose(found.impulses, [[push[0], -friction, 0]], rtol=0, atol=1e-10))
                self.assertTrue(np.allclose(found.velocities, [[0, (push[1] - friction) / MASS, 0]], rtol=0, atol=1e-10))

    def test_disk_on_a_slope_rolls_or_slides(self):
        """Rolling takes a third of the push along the slope; with less friction than tan / 3 it slides, too."""
        for mu in (0.5, 0.05):
            angle, problem = 0.4, disks(1, 0.4, mu)
            found = problem.solve(tolerance=1e-12)
            push = MASS * GRAVITY * STEP
            friction = min(push * np.sin(angle) / 3, mu * push * np.cos(angle))
            self.assertTrue(np.allclose(found.impulses, [[push * np.cos(angle), -friction]], rtol=0, atol=1e-10))
            expected = [(push * np.sin(angle) - friction) / MASS, 0, -2 * friction / MASS]
            self.assertTrue(np.allclose(problem.body_velocities(found.impulses), expected, rtol=0, atol=1e-10))

    def test_stacked_disks_bear_their_weights(self):
        """The lower contact bears two, the upper one; nothing moves."""
        problem = disks(2)
        found = problem.solve("newton", tolerance=1e-12)
        weight = MASS * GRAVITY * STEP
        self.assertTrue(np.allclose(found.impulses, [[2 * weight, 0], [weight, 0]], rtol=0, atol=1e-10))
        self.assertTrue(np.allclose(found.velocities, 0, atol=1e-11))
        self.assertTrue(np.allclose(problem.body_velocities(found.impulses), 0, atol=1e-11))

    def test_rolling_torque_slows_the_spin(self):
        """A ball that spins about an axis along a smooth floor: the torque mu_r r_n slows it."""
        q = np.array([-1.0, 0, 0, 3.0, 0])
        problem = scree.Problem(components=5, mu=[0.0], mu_r=[0.25], W=np.eye(5), q=q)
        found = problem.solve(tolerance=1e-12)
        self.assertTrue(np.allclose(found.impulses, [[1, 0, 0, -0.25, 0]], atol=1e-10))
        self.assertTrue(np.allclose(found.velocities, [[0, 0, 0, 2.75, 0]], atol=1e-10))

    def test_compliance_softens_the_contact(self):
        """s = u + C r vanishes: r = -q / (W + C)."""
        problem = scree.Problem(mu=[0.3], W=np.eye(3), q=[-1, 0, 0], compliance=[3, 0, 0])
        found = problem.solve(tolerance=1e-12)
        self.assertAlmostEqual(found.impulses[0, 0], 1 / 4, 10)
        self.assertEqual(problem.vector("compliance").tolist(), [3, 0, 0])

    def test_residual_is_the_missing_impulse(self):
        """A block with too small an impulse: e is what is missing in the normal part."""
        problem = scree.Problem(mu=[0.5], W=np.eye(3), q=[-4, 0, 0])
        told = problem.residual([[1, 0, 0]])
        self.assertAlmostEqual(told.siconos, 3 / 4)  # u = -3, e = 1 - (1 + 3)
        self.assertAlmostEqual(told.paper, 3 / 4)
        self.assertAlmostEqual(told.fclib, 3 / (1 + 2))
        self.assertAlmostEqual(told.relative, 3 / 4)
        self.assertEqual(problem.velocities([[1, 0, 0]]).tolist(), [[-3, 0, 0]])


class Matrices(unittest.TestCase):
    def test_matrices_may_be_given_in_many_ways(self):
        """Dense, by entries (repeated ones are added up), as a Matrix, and as anything with tocoo()."""
        class Sparse:
            def tocoo(self):
                self.shape, self.row, self.col, self.data = (2, 2), np.arange(2), np.arange(2), np.array([2.0, 4.0])
                return self

        q = [-1.0, 0.25]
        dense = scree.Problem(components=2, mu=[1], W=np.diag([2.0, 4.0]), q=q)
        entries = ([0, 1, 1], [0, 1, 1], [2.0, 1.0, 3.0])
        for W in (entries, dense.matrix("W"), Sparse()):
            problem = scree.Problem(components=2, mu=[1], W=W, q=q)
            self.assertEqual(problem.matrix("W").dense().tolist(), [[2, 0], [0, 4]])
            self.assertEqual(problem.vector("q").tolist(), q)
            self.assertIsNone(problem.vector("f"))
            self.assertIsNone(problem.matrix("M"))
        self.assertEqual((len(dense), dense.components, dense.is_global, dense.freedoms), (1, 2, False, 0))
        self.assertIn("1 contact of", repr(dense))

    def test_local_form_follows_from_the_global_one(self):
        problem = disks(3, 0.2)
        found = problem.solve(tolerance=1e-12)
        M, H, W = (problem.matrix(name).dense() for name in "MHW")
        self.assertTrue(np.allclose(W, H.T @ np.linalg.solve(M, H), atol=1e-14))
        q = H.T @ np.linalg.solve(M, problem.vector("f")) + problem.vector("w")
        r = np.ones(6)
        self.assertTrue(np.allclose(problem.velocities(r).ravel(), W @ r + q, atol=1e-13))
        local = scree.Problem(components=2, mu=problem.vector("mu"), W=W, q=q)
        self.assertTrue(np.allclose(local.solve(tolerance=1e-12).velocities, found.velocities, atol=1e-10))
        self.assertEqual(problem.residual(found.impulses), found.residual)
        with self.assertRaisesRegex(scree.ArgumentError, "local form"):
            local.body_velocities(r)

    def test_problems_without_contacts_are_solved(self):
        problem = scree.Problem(mu=[], W=np.zeros((0, 0)), q=[])
        found = problem.solve()
        self.assertTrue(found.solved)
        self.assertEqual(found.impulses.shape, (0, 3))
        self.assertTrue(problem)


class Files(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)

    def test_solutions_have_the_bits_of_the_program(self):
        """The same bits as 'scree solve' writes."""
        table = self.folder / "solution.csv"
        self.assertGreater(len(PROBLEMS), 9)
        for path in PROBLEMS:
            problem = scree.load_problem(path)
            for solver in ("auto", "gauss_seidel"):
                with self.subTest(path.name, solver=solver):
                    words = ("--solver", solver, "--tol", 1e-6, "--iterations", 3000)
                    found = problem.solve(solver, tolerance=1e-6, iterations=3000)
                    call("solve", path, "--force", "--out", table, *words, status=0 if found.solved else 75)
                    with open(table, newline="") as file:
                        rows = np.array([[float(cell) for cell in row[1:]] for row in list(csv.reader(file))[1:]])
                    self.assertTrue(np.array_equal(np.hstack([found.impulses, found.velocities]), rows))

    def test_problems_are_read_back(self):
        for problem in (disks(2, 0.1), block_on_slope(0.3, 0.5)):
            found, path = problem.solve(tolerance=1e-12), self.folder / "é problem.hdf5"
            problem.save(path, found.impulses)
            again = scree.load_problem(path)
            self.assertEqual(again.is_global, problem.is_global)
            for name in ("q", "f", "w", "mu", "mu_r", "compliance"):
                if not (problem.is_global and name == "q"):  # computed when solved
                    self.assertTrue(np.array_equal(problem.vector(name), again.vector(name)), name)
            self.assertTrue(np.array_equal(again.solve(tolerance=1e-12).impulses, found.impulses))
            with h5py.File(path) as file:
                self.assertTrue(np.array_equal(file["solution/r"][:], found.impulses.ravel()))
                self.assertTrue(np.array_equal(file["solution/u"][:], found.velocities.ravel()))
                if problem.is_global:
                    self.assertTrue(np.array_equal(file["solution/v"][:], problem.body_velocities(found.impulses)))
            problem.save(path)  # replaces the file, without a solution
            with h5py.File(path) as file:
                self.assertNotIn("solution", file)
            call("solve", path)

    def test_siconos_text_is_read(self):
        path = self.folder / "one.dat"
        path.write_text("3\n1\n0\n3\n3\n3\t3\n2 0 0\n0 4 0\n0 0 4\n-1 0 0\n0.4\n")
        problem = scree.load_problem(str(path))
        self.assertTrue(np.allclose(problem.solve(tolerance=1e-12).impulses, [[0.5, 0, 0]]))
        self.assertEqual(problem.vector("mu").tolist(), [0.4])

    def test_damaged_files_are_refused(self):
        whole = PROBLEMS[0].read_bytes()
        for name, content, words in (("text.dat", b"3\n1\nsoup\n", "text.dat:3"),
                                     ("short.hdf5", whole[:len(whole) // 2], "short.hdf5"), ("empty", b"", "empty")):
            path = self.folder / name
            path.write_bytes(content)
            with self.assertRaisesRegex(scree.ProblemError, words):
                scree.load_problem(path)
        with self.assertRaisesRegex(scree.ProblemError, "nowhere.*No such file"):
            scree.load_problem(self.folder / "nowhere")
        with self.assertRaisesRegex(scree.ProblemError, "cannot be"):
            block_on_slope(0.1, 0.5).save(self.folder / "no" / "folder.hdf5")
        for path in (3.5, None, "a\0b"):
            self.assertRaises(scree.ArgumentError, scree.load_problem, path)


class Worlds(unittest.TestCase):
    def test_problem_of_a_step_bears_the_weights(self):
        """The problem of a step has the impulses of the contacts as its solution: the weights above times the step."""
        with scree.World(dimension=2, time_step=STEP, gravity=(0, -GRAVITY), solver={"tolerance": 1e-12}) as world:
            world.add_material(density=1, friction=0.5)
            world.add_plane((0, 0), (0, 1))
            position = world.position  # with a view of the bodies alive, adding some makes a new world
            world.keep_problem()
            world.add_grains([(0, 0.5), (0, 1.5)], radius=0.5)
            self.assertEqual(len(position), 0)
            for _ in range(5):
                world.step()
            problem = world.problem()
            self.assertEqual((len(problem), problem.components, problem.freedoms), (2, 2, 6))
            found = problem.solve(tolerance=1e-12)
            weight = world.mass[0] * GRAVITY * STEP
            self.assertTrue(np.allclose(np.sort(found.impulses[:, 0]), [weight, 2 * weight], rtol=1e-9))
            self.assertTrue(np.allclose(found.impulses[:, 1], 0, atol=1e-10))
            watched = world.position
            world.add_grains([(0, 2.5)], radius=0.5)
            world.step()
            self.assertEqual(len(world.problem()), 3)
            self.assertEqual(len(watched), 2)
            world.keep_problem(False)
            with self.assertRaisesRegex(scree.ArgumentError, "no step has been made"):
                world.problem()
        self.assertEqual(len(problem), 2)  # outlives its world
        self.assertRaises(scree.ClosedError, world.problem)

    def test_soft_worlds_have_no_problem(self):
        with scree.World(dimension=2, time_step=1e-4, engine="soft") as world:
            with self.assertRaisesRegex(scree.ArgumentError, "soft"):
                world.problem()


class Mistakes(unittest.TestCase):
    def test_bad_definitions_are_refused(self):
        W, q = np.eye(3), [-1.0, 0, 0]
        for words, given in (("W and q, or", {"mu": [1]}), ("W and q, or", {"mu": [1], "W": W}),
                             ("W and q, or", {"mu": [1], "W": W, "q": q, "M": W}),
                             ("q: 3 numbers", {"mu": [1], "W": W, "q": [1, 2]}),
                             ("W: 6 x 6", {"mu": [1, 1], "W": W, "q": q * 2}),
                             ("W: a matrix", {"mu": [1], "W": [1, 2, 3], "q": q}),
                             ("mu_r: is needed", {"mu": [1], "W": np.eye(5), "q": q + [0, 0], "components": 5}),
                             ("2, 3 or 5", {"mu": [1], "W": np.eye(4), "q": q + [0], "components": 4}),
                             ("mu must be", {"mu": [-1], "W": W, "q": q}),
                             ("W has an entry", {"mu": [1], "W": W * np.nan, "q": q}),
                             ("W.*entr", {"mu": [1], "W": ([0], [7], [1.0]), "q": q}),
                             ("rows", {"mu": [1], "W": ([-1], [0], [1.0]), "q": q}),
                             ("H: 2 x 3", {"mu": [1], "M": np.eye(2), "H": W, "f": [0, 0], "w": q}),
                             ("", {"mu": [1], "M": np.zeros((2, 2)), "H": np.ones((2, 3)), "f": [0, 0], "w": q})):
            with self.subTest(words), self.assertRaisesRegex(scree.ArgumentError, words):
                scree.Problem(**given).solve()

    def test_bad_calls_are_refused(self):
        problem = block_on_slope(0.3, 0.5)
        for words, wrong in (("solver: one of auto", lambda: problem.solve("magic")),
                             ("tolerance", lambda: problem.solve(tolerance=0)),
                             ("tolerance", lambda: problem.solve(tolerance=np.nan)),
                             ("iterations", lambda: problem.solve(iterations=-1)),
                             ("seconds", lambda: problem.solve(seconds=-1)),
                             ("start: 3 numbers", lambda: problem.solve(start=[1, 2])),
                             ("finite", lambda: problem.solve(start=[np.nan, 0, 0])),
                             ("impulses: 3 numbers", lambda: problem.residual([1])),
                             ("one of W, M, H", lambda: problem.matrix("Q")),
                             ("one of q, f", lambda: problem.vector("x"))):
            with self.subTest(words), self.assertRaisesRegex(scree.ArgumentError, words):
                wrong()

    def test_not_solved_is_told(self):
        problem = scree.load_problem(max(PROBLEMS, key=lambda path: path.stat().st_size))
        found = problem.solve("gauss_seidel", tolerance=1e-14, iterations=2)
        self.assertFalse(found.solved)
        self.assertEqual(found.verdict, "not solved")
        self.assertGreater(found.residual.law, 1e-14)
        self.assertLessEqual(found.iterations, 2)
        self.assertGreater(len(found.reason), 5)
        better = problem.solve("gauss_seidel", tolerance=1e-14, iterations=50, start=found.impulses)
        self.assertLess(better.residual.law, found.residual.law)


def held_sphere(closing, friction=0.3, mass=1.0):
    """A disk between a floor and a ceiling, of which the latter comes down; a second one lies beside it on the floor."""
    H = np.zeros((6, 8))
    for column, body, sign in ((0, 0, 1), (2, 0, -1), (4, 1, 1)):
        H[3 * body + 1, column] = sign       # along the normal
        H[3 * body, column + 1] = sign       # along the tangent, with the spin that it causes
        H[3 * body + 2, column + 1] = 1
    H[[0, 3], 6] = 1, -1                      # side by side
    H[[1, 4], 7] = 1, -1
    H[[2, 5], 7] = -1
    masses = np.array([mass, mass, mass / 2, 1, 1, 0.5])
    return scree.Problem(components=2, mu=[friction] * 4, M=np.diag(masses), H=H,
                         f=masses * np.array([0.01, -0.1, 0, 0, -0.1, 0]), w=[0, 0, -closing, 0, 0, 0, 0, 0])


def law_by_hand(problem, r):
    """How far the contacts are from the law in velocities of the problem, without projections: the worst of what
    closes, of what opens under load and of what slides although it could be held."""
    W, q = problem.matrix("W").dense(), problem.vector("q")
    u = (W @ r.ravel() + q).reshape(r.shape)
    most, worst = np.abs(q).max(), 0.0
    for mu, pushed, moves in zip(problem.vector("mu"), r, u):
        tangent, slip = np.linalg.norm(pushed[1:3]), np.linalg.norm(moves[1:3])
        loaded = pushed[0] > 1e-6 * np.abs(r).max()
        worst = max(worst, -moves[0] / most, moves[0] / most if loaded else 0)
        worst = max(worst, slip / most if loaded and tangent < (1 - 1e-6) * mu * pushed[0] else 0)
        worst = max(worst, (tangent - mu * pushed[0]) / np.abs(r).max())
    return worst


class Verdicts(unittest.TestCase):
    def test_squeezed_disk_is_named(self):
        """The proof, checked with numpy: normal weights in balance on every body, and closing."""
        for mass in (1e-3, 1, 1e6):
            problem = held_sphere(1.0, mass=mass)
            for solver in scree.problem.solvers():
                found = problem.solve(solver)
                self.assertEqual((found.verdict, found.solved), ("infeasible", False), solver)
                self.assertEqual(np.flatnonzero(found.proof.any(1)).tolist(), [0, 1])
                self.assertLess(np.abs(problem.matrix("H").dense() @ found.proof.ravel()).max(), 1e-14)
                self.assertLess(found.proof.ravel() @ problem.vector("w"), 0)
                self.assertAlmostEqual(found.closing_velocity, 0.5)
                self.assertGreater(found.impulse_needed, 1e12 * mass)

    def test_ceiling_that_recedes_is_solved(self):
        found = held_sphere(-0.5).solve()
        self.assertEqual((found.verdict, found.proof), ("solved", None))

    def test_negated_matrix_is_unbounded(self):
        W = held_sphere(0.0)
        W.residual(np.zeros((4, 2)))
        negated = scree.Problem(components=2, mu=[0.3] * 4, W=-W.matrix("W").dense(), q=W.vector("q"))
        found = negated.solve()
        self.assertEqual(found.verdict, "unbounded")
        x = found.proof.ravel()
        self.assertLess(x @ negated.matrix("W").dense() @ x, 0)

    def test_half_a_matrix_is_refused_in_either_form(self):
        lower = np.array([[2.0, 0], [1.5, 2.0]])
        for words, wrong in (("W is unsymmetric", lambda: scree.Problem(components=2, mu=[0.3], W=lower, q=[-1, 0])),
                             ("M is unsymmetric", lambda: scree.Problem(components=2, mu=[0.3], M=lower, H=np.eye(2),
                                                                        f=[-1, 0], w=[0, 0]))):
            with self.assertRaisesRegex(scree.ArgumentError, words):
                wrong()
        small = np.diag([1e-3, 1e-3, 1.0])
        small[0, 1], small[1, 0] = 0.05, -0.05  # a twentieth of the largest entry, but not of its own
        hidden = scree.Problem(components=3, mu=[0.3], M=small, H=np.eye(3), f=[-1, 0, 0], w=[0, 0, 0])
        with self.assertRaisesRegex(scree.ArgumentError, "as W: W is unsymmetric"):
            hidden.solve()

    def test_every_order_and_unit_of_the_files_is_solved(self):
        """Five orders of the contacts: each solved, by numpy. Powers of two: the same bits."""
        draw = np.random.default_rng(20)
        for path in PROBLEMS:
            problem = scree.load_problem(path)
            found, d = problem.solve(), problem.components
            self.assertTrue(found.solved, path.name)
            self.assertLess(law_by_hand(problem, found.impulses), 1e-7, path.name)
            W, q, mu, mu_r = problem.matrix("W").dense(), problem.vector("q"), problem.vector("mu"), problem.vector("mu_r")
            for _ in range(5):
                order = draw.permutation(len(problem))
                rows = (d * order[:, None] + np.arange(d)).ravel()
                other = scree.Problem(components=d, mu=mu[order], W=W[np.ix_(rows, rows)], q=q[rows],
                                      mu_r=None if mu_r is None else mu_r[order])
                turned = other.solve()
                self.assertTrue(turned.solved, f"{path.name}: {turned.reason}")
                self.assertLess(law_by_hand(other, turned.impulses), 1e-7, path.name)
            plain = scree.Problem(components=d, mu=mu, W=W, q=q, mu_r=mu_r).solve()
            for mass, velocity in ((1, 0), (0, 1), (-9, 4)):
                scaled = scree.Problem(components=d, mu=mu, W=W * 2.0**-mass, q=q * 2.0**velocity, mu_r=mu_r).solve()
                self.assertTrue(np.array_equal(scaled.impulses, plain.impulses * 2.0**(mass + velocity)), path.name)

    def test_another_measure_calls_nothing_solved_alone(self):
        problem = held_sphere(1.0)
        found = problem.solve("proximal", measure="siconos", tolerance=1e-6)
        self.assertLess(found.residual.siconos, 1e-6)
        self.assertEqual(found.verdict, "infeasible")
        with self.assertRaisesRegex(scree.ArgumentError, "measure"):
            problem.solve(measure="guess")

    def test_last_digits_are_reached_and_told(self):
        """A tolerance that no impulses reach: it goes on to the last digits, and says so."""
        problem = scree.load_problem(next(path for path in PROBLEMS if path.name.startswith("drum")))
        found = problem.solve(tolerance=1e-30, seconds=0.3)
        self.assertEqual(found.verdict, "not solved")
        self.assertIn("last digits", found.reason)
        self.assertLess(found.residual.law, 1e-13)


if __name__ == "__main__":
    unittest.main()
