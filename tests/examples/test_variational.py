"""The scenes of examples/ for the variational and the quasi-static engine, against closed forms."""
import unittest

import runs


class Variational(runs.ExampleTest):
    def test_springs_press_with_their_closed_forms(self):
        run = self.run_example("quasistatic")
        for time, walls in run.frames("walls"):
            wall = {row["name"]: row for row in walls}
            if time == 0:
                continue
            height = 5 - 1e-3 * time
            self.close(wall["lid"]["force_y"], 5 * 1e4 * 1e-3 * time / 6, 1e-5, f"at {time}")
            self.close(wall["right"]["force_x"], 20 * height, 1e-6)
            self.close(5 - wall["right"]["x"], 20 * height / 5 * 6 / 1e4, 1e-6)
        for step in run.table("steps"):
            self.assertEqual(step["converged"], 1)
            self.assertEqual(step["kinetic_energy"], 0)
            self.assertLessEqual(step["iterations"], 35)

    def slides(self, *overrides):
        run = self.run_example("variational", *overrides)
        block, left, right = run.table("bodies")
        self.near(right["vx"] - left["vx"], 2 * 3 / 7, 1e-6)
        self.near(left["vx"] + right["vx"], 0, 1e-6)
        return (block["y"] - 0.05) / block["x"], run.table("steps")[-1]

    def test_associated_block_rises(self):
        rise, step = self.slides()
        self.close(rise, 0.3, 1e-3)
        self.assertLess(step["residual_associated"], 1e-4)
        self.assertGreater(step["residual"], 1e-3)

    def test_exact_block_does_not_rise(self):
        rise, step = self.slides("variational.friction=exact")
        self.near(rise, 0, 1e-6)
        self.assertLess(step["residual"], 1e-6)
        self.assertGreater(step["residual_associated"], 1e-3)


if __name__ == "__main__":
    unittest.main()
