"""Measures recorded while a scene runs, against closed forms."""
import csv
import math
import unittest

import runs


class Measures(runs.ExampleTest):
    def test_lattice_under_a_piston_has_its_stress(self):
        run = self.run_example("measures")
        text = runs.call("measure", run.path, "--what", "online", "--csv").stdout
        rows = [{key: runs.number(value) for key, value in row.items()} for row in csv.DictReader(text.splitlines())]
        self.assertEqual([row["step"] for row in rows if row["series"] == "all"], list(range(0, 101, 10)))
        self.assertEqual([row["step"] for row in rows if row["series"] == "core"], list(range(0, 101, 20)))
        for row in rows:
            self.close(row["solid_fraction"], math.pi / 4, 1e-3)
            if row["step"] > 0:
                self.close(row["stress_yy"], 6, 1e-3)
                self.near(row["stress_xx"], 0, 1e-6)
        last = {row["series"]: row for row in rows}
        self.assertEqual((last["all"]["bodies"], last["core"]["bodies"]), (60, 30))
        self.close(last["core"]["volume"], 2 * 0.6, 1e-6)
        self.assertGreaterEqual(last["all"]["coordination"], 2)

    def test_groove_has_its_closed_range(self):
        """Two sides at 45 degrees, which press with W / (2 cos a (1 +- mu))."""
        run = self.run_example("groove")
        text = runs.call("indeterminacy", run.path, "--what", "contacts", "--csv").stdout
        rows = [{key: runs.number(value) for key, value in row.items()} for row in csv.DictReader(text.splitlines())]
        self.assertEqual(len(rows), 2)
        for row in rows:
            self.close(row["least"], 100 / math.sqrt(2) / 1.3, 1e-7)
            self.close(row["most"], 100 / math.sqrt(2) / 0.7, 1e-7)


if __name__ == "__main__":
    unittest.main()
