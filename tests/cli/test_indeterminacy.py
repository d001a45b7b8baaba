"""scree indeterminacy: a disk in a groove against its closed form, scenes and runs, mistakes are told."""
import csv
import json
import math
import shutil
import unittest

from support import EXAMPLES, ProgramTest

WEIGHT = 100.0
FIVE = """
dimension: 2
gravity: [0, -1]
time: {step: 0.01, end: 0.01}
materials: {disk: {friction: 0.3}, block: {friction: 0.01}}
walls:
  plane: {plane: {point: [0, 0], normal: [0, 1]}, material: disk}
  driver: {plane: {point: [0, 0], normal: [1, 0]}, material: block, piston: {mass: 0, force: [1.259, 0]}}
  brake: {plane: {point: [10, 0], normal: [-1, 0]}, material: block, piston: {mass: 0, force: [-0.01, 0]}}
grains:
  - {lattice: {min: [0, 0], counts: [5, 1]}, radius: 1, mass: 1, material: disk}
solver: {tolerance: 1e-13, iterations: 200000}
"""


def rows(text):
    return list(csv.DictReader(text.splitlines()))


class Indeterminacy(ProgramTest):
    def setUp(self):
        super().setUp()
        shutil.copy(EXAMPLES / "groove.yaml", self.path)

    def table(self, *words):
        return rows(self.call("indeterminacy", *words, "--what", "contacts", "--csv").stdout)

    def test_groove_has_its_closed_range(self):
        """2 (N cos a + T sin a) = W, |T| <= friction N, a = 45 degrees."""
        for friction in (0.1, 0.3, 0.8):
            for row in self.table("groove.yaml", "-D", f"materials.rubber.friction={friction}"):
                least, most = (WEIGHT / math.sqrt(2) / (1 + sign * friction) for sign in (1, -1))
                self.assertAlmostEqual(float(row["least"]), least, 5)
                self.assertAlmostEqual(float(row["most"]), most, 5)
                self.assertAlmostEqual(float(row["spread"]), friction, 6)
                self.assertTrue(least - 1e-5 <= float(row["mean"]) <= most + 1e-5)
                self.assertEqual((row["a"], row["state"], row["loose"]), ("0", "stick", "1"))
        wedged = self.table("groove.yaml", "-D", "materials.rubber.friction=1.1")
        self.assertEqual([row["most"] for row in wedged], ["inf", "inf"])

    def test_run_and_scene_agree(self):
        self.call("run", "groove.yaml", "-q")
        for words in ((), ("--time", "0.3")):
            self.assertEqual(self.table("groove.yaml", *words), self.table("groove.h5", *words))
        self.assertEqual(self.table("groove.h5", "--frame", "0"), [])

    def test_summary_counts_unknowns_and_samples(self):
        found, = json.loads(self.call("indeterminacy", "groove.yaml", "--json", "-s", "7").stdout)["rows"]
        self.assertEqual((found["contacts"], found["unknowns"], found["rank"], found["hyperstaticity"]), (2, 4, 3, 1))
        self.assertEqual((found["samples"], found["failed"], found["unsure"]), (7, 0, 0))
        text = self.call("indeterminacy", "groove.yaml", "--no-extremes").stdout
        self.assertRegex(text, r"spread +- ")
        self.assertIn("hyperstaticity", text)

    def test_piston_determines_what_a_fixed_plate_does_not(self):
        """A disk of weight W between plates at rest: a piston determines the force of the upper one, a fixed plate not.
        Friction is that of the walls' material."""
        scene = """
dimension: 2
gravity: [0, -10]
time: {step: 0.002, end: 0.2}
materials: {stone: {density: 10, friction: 0.5}, ice: {friction: 0}}
walls:
  floor: {plane: {point: [0, 0], normal: [0, 1]}, material: ice}
  lid: {plane: {point: [0, 1.1283791670955126], normal: [0, -1]}, material: ice%s}
grains:
  - {position: [0, 0.5641895835477563], radius: 0.5641895835477563, material: stone}
solver: {tolerance: 1e-12}
"""
        for piston, most in ((", piston: {mass: 1, force: [0, -40]}", 140), ("", math.inf)):
            self.write("lid.yaml", scene % piston)
            self.call("run", "lid.yaml", "-q", "-F")
            for path in ("lid.yaml", "lid.h5"):
                whole = rows(self.call("indeterminacy", path, "--csv").stdout)[0]
                self.assertEqual(int(whole["unknowns"]), 2)  # no friction on ice
                self.assertEqual(int(whole["hyperstaticity"]), 0 if piston else 1)
                floor = [row for row in self.table(path) if row["b"] == "-1"][0]
                self.assertAlmostEqual(float(floor["most"]), most, 4)

    def test_a_plate_and_the_grains_that_it_holds_are_one_body(self):
        """Two grains, stuck on a plate at 45 degrees to either side of a disk on ice, press it down with a force F in all:
        2 (N cos a + T sin a) = F with |T| <= friction N, as in the groove. A plate that is fixed, or moves as told, may
        press at will."""
        scene = """
dimension: 2
time: {step: 0.002, end: 0.2}
materials: {stone: {density: 10, friction: 0.3}, ice: {friction: 0}}
walls:
  floor: {plane: {point: [0, 0], normal: [0, 1]}, material: ice%s}
  lid: {holder: {}%s}
grains:
  - {position: [0, 1], radius: 1, material: stone}
  - {held_by: lid, radius: 1, material: stone, at: [[-1.4142135623730951, 2.414213562373095],
                                                     [1.4142135623730951, 2.414213562373095]]}
solver: {tolerance: 1e-12}
"""
        force = 40
        least, most = (force / math.sqrt(2) / (1 + sign * 0.3) for sign in (1, -1))
        for floor, lid, free in (("", ", piston: {mass: 1, force: [0, -40], direction: [0, 1]}", 1), ("", "", 2),
                                 (", velocity: [0, 0.3]", ", velocity: [0, 0.3]", 2)):
            self.write("lid.yaml", scene % (floor, lid))
            self.call("run", "lid.yaml", "-q", "-F")
            for path in ("lid.yaml", "lid.h5"):
                whole = rows(self.call("indeterminacy", path, "--csv").stdout)[0]
                self.assertEqual([int(whole[name]) for name in ("contacts", "unknowns", "hyperstaticity", "failed")],
                                 [3, 5, free, 0])
                table = self.table(path)
                for row in table:
                    held = row["b"] != "-1"
                    limits = (least, most) if held else (force, force)
                    for name, limit in zip(("least", "most"), limits if free == 1 else (0, math.inf)):
                        self.assertAlmostEqual(float(row[name]), limit, 4)

    def test_five_disks_may_accelerate_within_a_range(self):
        """Fig. 10 of Radjai et al. (1997) at N_L = 1.259: between 0.0458 and 0.0533."""
        self.write("five.yaml", FIVE)
        whole = rows(self.call("indeterminacy", "five.yaml", "--csv").stdout)[0]
        self.assertEqual([int(whole["motion_" + name]) for name in ("loose", "other", "failed", "unsure")], [10, 0, 0, 0])
        self.assertAlmostEqual(float(whole["motion_range"]), 0.0533 - 0.0458, delta=1e-4)
        bodies = rows(self.call("indeterminacy", "five.yaml", "--what", "bodies", "--csv").stdout)
        self.assertEqual([row["body"] for row in bodies], ["0", "1", "2", "3", "4"])
        for row in bodies:
            for name, rate in (("vx_least", 0.0458), ("vx_most", 0.0533)):
                self.assertAlmostEqual(float(row[name]) / 0.01, rate, delta=5e-5)
        self.call("run", "five.yaml", "-q")  # which records the masses of the pistons
        self.assertEqual(rows(self.call("indeterminacy", "five.h5", "--csv").stdout), [whole])

    def test_mistakes_are_told(self):
        self.call("run", "groove.yaml", "-q")
        for words, status, said in (
                (("groove.h5", "-D", "time.end=1"), 2, "-D changes a scene"),
                (("groove.yaml", "--frame", "3"), 2, "a scene has no frames"),
                (("groove.yaml", "--amplitude", "0"), 2, "must be positive"),
                (("groove.yaml", "--samples", "x"), 2, "--samples"),
                (("nothing.yaml",), 65, "nothing.yaml"),
                (("groove.yaml", "-D", "materials.rubber.rolling=0.1"), 65, "rolling")):
            self.assertIn(said, self.call("indeterminacy", *words, status=status).stderr)


if __name__ == "__main__":
    unittest.main()
