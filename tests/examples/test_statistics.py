"""Scenes of examples/ whose values are statistics or fits, against theory."""
import math
import unittest

import runs


def solve(matrix):
    """Gauss-Jordan with the right side as last column."""
    n = len(matrix)
    for k in range(n):
        pivot = max(range(k, n), key=lambda i: abs(matrix[i][k]))
        matrix[k], matrix[pivot] = matrix[pivot], matrix[k]
        for i in range(n):
            if i != k:
                factor = matrix[i][k] / matrix[k][k]
                matrix[i] = [a - factor * b for a, b in zip(matrix[i], matrix[k])]
    return [matrix[k][n] / matrix[k][k] for k in range(n)]


class Statistics(runs.ExampleTest):
    def misfit(self, series, w, tau):
        """What remains of the series after the best fit x0 + exp(-t / tau) (A sin wt + B cos wt)."""
        shapes = []
        for t, x in series:
            decay = math.exp(-(t - series[0][0]) / tau)
            shapes.append(((1, decay * math.sin(w * t), decay * math.cos(w * t)), x))
        matrix = [[sum(f[i] * f[j] for f, _ in shapes) for j in range(3)] +
                  [sum(f[i] * x for f, x in shapes)] for i in range(3)]
        c = solve(matrix)
        return sum((x - sum(a * b for a, b in zip(c, f))) ** 2 for f, x in shapes)

    def test_chain_swings_as_theory_says(self):
        run = self.run_example("chain")
        steps = run.table("steps")
        # Unger and Kertesz, eqs 46, 54, 57, 58 and 60, for the quarter wave of a row of 50
        q, n = (4 * math.sqrt(math.e) - 5) / 2, 40
        k = 2 * math.pi / (4 * 50)
        D = c2 = q * n
        w, tau = k * math.sqrt(c2 - D * D * k * k / 4), 2 / (D * k * k)
        last = steps[-1]
        self.close(last["sound_speed"], math.sqrt(q * n), 1e-12)
        self.close(last["stiffness"], q * n, 1e-12)
        self.close(last["diffusion_length"], math.sqrt(4 * q * n), 1e-12)
        # one damping time after the row last opened, only this wave is left
        begin = max(s["time"] for s in steps if s["active"] < 50) + tau
        series = [(time, rows[49]["x"]) for time, rows in run.frames("bodies") if begin < time < begin + 300]
        best, width = (0.17, 55.0), (0.03, 25.0)
        for _ in range(5):
            grid = [(best[0] + i * width[0] / 4, best[1] + j * width[1] / 4)
                    for i in range(-4, 5) for j in range(-4, 5)]
            best = min(grid, key=lambda p: self.misfit(series, *p))
            width = (width[0] / 3, width[1] / 3)
        self.close(best[0], w, 0.01, "frequency")
        self.close(best[1], tau, 0.05, "damping time")
        self.assertIn("grains behaved as if", run.messages)

    def test_sizes_follow_their_distributions(self):
        radii = {}
        for body in self.run_example("sizes").table("bodies"):
            radii.setdefault(body["material"], []).append(body["radius"])
        self.assertEqual(set(radii["one"]), {0.1})

        def follows(name, share):
            """Kolmogorov and Smirnov: the largest distance from the share of grains below a radius
            exceeds 1.95 / sqrt(n) once in a thousand times."""
            r = sorted(radii[name])
            worst = max(max(abs(share(x) - k / len(r)), abs(share(x) - (k + 1) / len(r)))
                        for k, x in enumerate(r))
            self.assertLess(worst, 1.95 / math.sqrt(len(r)), name)

        def power(low, high, exponent):
            e = 1 - exponent
            return lambda r: (r ** e - low ** e) / (high ** e - low ** e)

        def bell(x, cut=3):
            def phi(y):
                return (1 + math.erf(y / math.sqrt(2))) / 2

            return (phi(x) - phi(-cut)) / (phi(cut) - phi(-cut))

        follows("uniform", lambda r: (r - 0.05) / 0.05)
        follows("uniform_volume", power(0.05, 0.1, 3))  # volume r^3 times number r^-3 is constant
        follows("power", power(0.03, 0.3, 3))
        follows("normal", lambda r: bell((r - 0.08) / 0.01))
        follows("lognormal", lambda r: bell(math.log(r / 0.05) / 0.3))
        large = radii["two_by_number"].count(0.1)
        self.near(large, 200, 4 * math.sqrt(1000 * 0.2 * 0.8) + 1)
        # equal volumes: eight small ones for each large one
        large = radii["two_by_volume"].count(0.1)
        self.near(large, 1000 / 9, 4 * math.sqrt(1000 * 8 / 81) + 1)


if __name__ == "__main__":
    unittest.main()
