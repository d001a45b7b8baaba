"""scree measure: tables, CSV, JSON, regions and frames; mistakes are told."""
import csv
import json
import math
import re
import unittest

from support import EXAMPLES, SANITIZED, ProgramTest

KINDS = ("state", "profile", "forces", "directions", "anisotropy", "partners", "materials", "pairs", "fields",
         "surface", "energy")

# Two balls that float in space, and a third one: all volumes are known.
SPHERES = """\
dimension: 3
time: {step: 1e-3, end: 0.003}
materials:
  stone: {density: 3, friction: 0.5}
  ice: {density: 1}
grains:
  - {position: [0, 0, 0], radius: 1, material: stone, velocity: [1, 0, 0]}
  - {position: [4, 0, 0], radius: 1, material: ice}
output: {every: 1e-3}
measures:
  left: {region: {x: [-1, 0]}}
"""


class Measure(ProgramTest):
    def test_a_heap_that_moves_has_no_angle_of_repose(self):
        """Balls of radius 0.1 that fall at 1 could be lifted by v^2 / (2 g) = 0.05, half of it; at 0.1 by 0.005."""
        for speed, warned in ((1, True), (0.1, False)):
            self.write("fall.yaml", f"""\
gravity: [0, 0, -10]
time: {{step: 1e-6, end: 1e-6}}
materials: {{stone: {{density: 1}}}}
grains:
  - {{at: [[0, 0, 0], [1, 0, 0], [0, 1, 0.2], [1, 1, 0.2]], radius: 0.1, velocity: [0, 0, -{speed}]}}
""")
            self.call("run", "fall.yaml", "-q", "--force")
            said = self.call("measure", "fall.h5", "--what", "surface").stderr
            self.assertEqual("lift them by 0.5 of their radius" in said, warned, said)
            self.assertEqual("still move" in said, warned, said)

    def test_a_heap_of_few_layers_has_an_uncertain_angle_of_repose(self):
        """Hexagonal heaps of balls in the plane: 9 rows rise by 8 sqrt(3)/2 = 6.9 diameters, 20 by 16.5."""
        for rows, warned in ((9, True), (20, False)):
            places = ", ".join(f"[{k + 0.5 * row}, {row * math.sqrt(0.75)}]"
                               for row in range(rows) for k in range(rows - row))
            self.write("few.yaml", f"""\
dimension: 2
gravity: [0, -10]
time: {{step: 1e-6, end: 1e-6}}
materials: {{stone: {{density: 1}}}}
grains:
  - {{at: [{places}], radius: 0.4999}}
""")
            self.call("run", "few.yaml", "-q", "--force")
            found = self.call("measure", "few.h5", "--what", "surface", "--json")
            row = json.loads(found.stdout)["rows"][0]
            self.assertLess(abs(row["repose"] - 60), 2 * row["repose_error"], row)
            self.assertEqual("layers of grains only" in found.stderr, warned, found.stderr)

    def prepare(self):
        self.write("spheres.yaml", SPHERES)
        self.call("run", "spheres.yaml", "-q")
        self.call("run", "heap.yaml", "-q")

    def rows(self, *words, run="spheres.h5"):
        """The same as CSV and as JSON, which must agree."""
        table = list(csv.DictReader(self.call("measure", run, *words, "--csv").stdout.splitlines()))
        found = json.loads(self.call("measure", run, *words, "--json").stdout)
        self.assertEqual(len(table), len(found["rows"]))
        for left, right in zip(table, found["rows"]):
            self.assertEqual(list(left), list(right))
            self.assertEqual(list(found["dimensions"]), list(right))
            for key, value in right.items():
                self.assertEqual(left[key], "" if value is None else left[key])
                if isinstance(value, (int, float)):
                    self.assertEqual(float(left[key]), value)
        return found["rows"]

    def test_state_of_two_balls_has_its_closed_form(self):
        first, last = self.rows("--frames", "0:3:3")
        self.assertEqual((first["frame"], last["frame"], last["bodies"]), (0, 3, 2))
        self.assertAlmostEqual(first["volume"], 6 * 2 * 2, 12)
        self.assertAlmostEqual(first["solid_fraction"], 2 * 4 / 3 * math.pi / 24, 12)
        self.assertAlmostEqual(last["velocity_x"], 3 / 4, 12)
        self.assertAlmostEqual(last["temperature"], (3 * 0.0625 + 0.5625) / 4 / 3, 12)
        self.assertIsNone(last["force_mean"])
        half = self.rows("--region", "-5:0,,0:", "--frames", "0")[0]
        self.assertAlmostEqual(half["solid_fraction"], math.pi / 3 / (5 * 2 * 1), 12)

    def test_the_cell_has_its_strain_and_rate(self):
        self.write("cell.yaml", """\
dimension: 2
time: {step: 0.01, end: 2}
periodic: {x: [0, 4], y: [0, 5]}
cell: {rate: {xy: 0.5, xx: 0.1}}
materials: {disk: {density: 1}}
grains: [{position: [1, 1], radius: 0.5}]
output: {every: 1}
""")
        self.call("run", "cell.yaml", "-q")
        first, last = self.rows("--what", "cell", "--frames", "0:2:2", run="cell.h5")
        self.assertEqual((first["volume"], first["strain_xy"], first["edge_yy"]), (20, 0, 5))
        self.assertAlmostEqual(last["strain_xy"], 1, 12)
        self.assertAlmostEqual(last["edge_xx"], 4 * 1.001**200, 11)
        # D = [[0.1 - 0.05, 0.25], [0.25, -0.05]]
        self.assertAlmostEqual(last["shear_rate"], math.sqrt(2 * (2 * 0.05**2 + 2 * 0.25**2)), 12)
        self.assertIsNone(last["inertial_number"])
        self.one_error(self.call("measure", "spheres.h5", "--what", "cell", status=2), "no periodic cell")

    def test_profiles_have_their_closed_form(self):
        """The balls stand apart by 4: in slabs of thickness 1 each is two halves, for all time."""
        said = self.call("measure", "spheres.h5", "--what", "profile", "--axis", "x", "--bins", "6", "--frames", "all",
                         "--region", "-1:5", "--csv").stdout
        rows = list(csv.DictReader(said.splitlines()))
        self.assertEqual(len(rows), 6)
        # the first ball moves by 0 to 0.003, in four frames: the volume left of x = 0 is 2 pi/3 - pi (u - u^3/3)
        left = sum(2 * math.pi / 3 - math.pi * (u - u**3 / 3) for u in (0, 1e-3, 2e-3, 3e-3)) / 4
        self.assertAlmostEqual(float(rows[0]["solid_fraction"]), left / 4, 12)
        self.assertAlmostEqual(float(rows[5]["solid_fraction"]), math.pi / 6, 12)
        self.assertEqual(float(rows[0]["velocity_x"]), 1)
        self.assertAlmostEqual(float(rows[0]["velocity_x_error"]), 0, 14)
        self.assertGreater(float(rows[0]["solid_fraction_error"]), 0)
        self.assertEqual((rows[3]["solid_fraction"], rows[3]["velocity_x"]), ("0", ""))
        said = self.call("measure", "spheres.h5", "--what", "profile", "--axis", "r", "--about", "0,0,0:1,0,0",
                         "--bins", "1", "--times", "0:0.0015", "--json").stdout
        row, = json.loads(said)["rows"]
        self.assertAlmostEqual(row["velocity_a"], 3 / 4, 14)  # masses 3 and 1
        self.assertAlmostEqual(row["high"], 1, 14)
        text = self.call("measure", "spheres.h5", "--what", "profile").stdout
        self.assertIn("profile along z, 2 frames from time 0.002 to 0.003, errors from 2 blocks", text)

    def test_every_kind_prints_in_every_format(self):
        for run in ("spheres.h5", "heap.h5"):
            for kind in KINDS:
                rows = self.rows("--what", kind, "--frames", "all", "--grid", "3,2,2", "--bins", "7", run=run)
                text = self.call("measure", run, "--what", kind, "--grid", "3,2,2").stdout
                self.assertGreaterEqual(len(text.splitlines()), 3, kind)
                self.assertIn("[", text)
                self.assertTrue(rows or kind == "partners", kind)
        self.assertEqual(len(self.rows("--what", "flow", "--plane", "0,0,0:1,0,0")), 1)

    def test_lists_of_numbers_are_aligned(self):
        """What numbers mean begins in one column, whatever their dimensions."""
        lines = self.call("measure", "spheres.h5").stdout.splitlines()[1:]
        begin = {re.match(r"\S+ +\S+  \[.*?\] +", line).end() for line in lines}
        self.assertEqual(len(begin), 1, begin)

    def test_flow_fields_and_energy_agree_with_the_run(self):
        rows = self.rows("--what", "flow", "--plane", "0,0,0:2,0,0", "--frames", "0")
        self.assertAlmostEqual(rows[0]["rate"], 3 * math.pi, 12)
        self.assertAlmostEqual(rows[0]["beyond"], 2 * math.pi + 4 / 3 * math.pi, 12)
        cells = self.rows("--what", "fields", "--grid", "9,5,5", "--frames", "0")
        mass = sum(cell["density"] * cell["volume"] for cell in cells)
        self.assertAlmostEqual(mass, 4 * 4 / 3 * math.pi, 11)
        energy = self.rows("--what", "energy", run="heap.h5")[0]
        state = self.rows(run="heap.h5")[0]
        self.assertAlmostEqual(energy["gained"], state["energy_translation"] + state["energy_rotation"], 9)
        materials = self.rows("--what", "materials")
        self.assertEqual([(row["body"], row["partner"], row["mean"]) for row in materials],
                         [(a, b, 0) for a in ("stone", "ice") for b in ("stone", "ice", "(walls)")])

    def test_online_measures_follow_the_ball(self):
        rows = self.rows("--what", "online")
        self.assertEqual([(row["series"], row["step"]) for row in rows], [("left", step) for step in range(4)])
        for row in rows:
            d = row["time"]  # the ball has moved to the right: a cap of height 1 - d is left
            self.assertAlmostEqual(row["solid_fraction"] * row["volume"], math.pi / 3 * (1 - d) ** 2 * (2 + d), 12)
        self.write("plain.yaml", SPHERES.split("measures:")[0])
        self.call("run", "plain.yaml", "-q")
        self.one_error(self.call("measure", "plain.h5", "--what", "online", status=65), "measures")

    def test_runs_without_contacts_say_so(self):
        """A run that was told not to write contacts says so; measures recorded on the way still know them."""
        self.write("bare.yaml", SPHERES.replace("x: [-1, 0]", "").replace("output: {", "output: {contacts: false, ")
                   .replace("[4, 0, 0]", "[2, 0, 0]"))
        self.call("run", "bare.yaml", "-q")
        self.assertIn("hold no contacts", self.call("measure", "bare.h5", "--frames", "1").stderr)
        self.assertEqual(self.call("measure", "spheres.h5").stderr, "")
        self.assertEqual(self.rows("--what", "online", run="bare.h5")[1]["points"], 1)
        self.assertIn("measures: left", self.call("info", "bare.h5").stdout)

    def test_a_region_without_grains_has_no_stress(self):
        """The first ball reaches from -1 to 1 + 0.003: beyond it there is nothing up to 3, where the second one begins."""
        for words in (["--frames", "0:3"], ["--what", "profile", "--axis", "y", "--frames", "0:3"]):
            said = self.call("measure", "spheres.h5", "--region", "1.5:2.5", "--json", *words)
            self.assertIn("warning: there is nothing in the region, neither part of a grain nor a force: "
                          "the centres of grains are within 0.003:4,0:0,0:0", said.stderr)
            self.assertEqual(len(said.stderr.splitlines()), 1)
            self.assertEqual(json.loads(said.stdout)["rows"][0]["solid_fraction"], 0)
        for row in json.loads(self.call("measure", "spheres.h5", "--region", "1.5:2.5", "--json").stdout)["rows"]:
            self.assertEqual((row["pressure"], row["stress_xx"], row["kinetic_xx"]), (None, None, None))
        part = self.call("measure", "spheres.h5", "--region", "1.0015:2", "--frames", "all", "--json")
        self.assertIn("nothing in the region in 2 of 4 frames", part.stderr)
        self.assertEqual([row["stress_xx"] for row in json.loads(part.stdout)["rows"]], [None, None, 0, 0])
        corner = self.call("measure", "spheres.h5", "--region", "0.9:2", "--json")  # a cap, though no centre
        self.assertEqual((corner.stderr, json.loads(corner.stdout)["rows"][0]["stress_xx"]), ("", 0))

    def test_a_pair_correlation_tells_where_its_box_is_empty(self):
        """Disks on a square lattice fill a square; without those above its diagonal half of it is empty."""
        for kept, warned in ((lambda x, y: True, False), (lambda x, y: y <= x, True)):
            places = ", ".join(f"[{x}, {y}]" for x in range(30) for y in range(30) if kept(x, y))
            self.write("lattice.yaml", f"""\
dimension: 2
gravity: [0, 0]
time: {{step: 1e-6, end: 1e-6}}
materials: {{stone: {{density: 1}}}}
grains: [{{at: [{places}], radius: 0.49}}]
""")
            self.call("run", "lattice.yaml", "-q", "--force")
            said = self.call("measure", "lattice.h5", "--what", "pairs").stderr
            self.assertEqual("of the box 0:29,0:29, to which g refers" in said, warned, said)
            said = self.call("measure", "lattice.h5", "--what", "pairs", "--region", "15:29,0:14").stderr
            self.assertEqual(said, "")

    def test_mistakes_are_told(self):
        for words, said in ((["--region", "1:0"], "--region 1:0"), (["--region", "a:b"], "--region"),
                            (["--region", "0:1,0:1,0:1,0:1"], "--region"), (["--frames", "9"], "4 frames"),
                            (["--frames", "2:1"], "--frames"), (["--frames", "0:3:0"], "--frames"),
                            (["--what", "beauty"], "must be one of state"), (["--what", "flow"], "--plane"),
                            (["--plane", "1,2:3"], "--plane"), (["--grid", "0,1,1"], "--grid"),
                            (["--grid", "1,1"], "--grid"), (["--bins", "0"], "--bins"), (["--width", "-1"], "--width"),
                            (["--most", "x"], "--most"), (["--csv", "--json"], "only one of")):
            self.one_error(self.call("measure", "spheres.h5", *words, status=2), said)
        self.one_error(self.call("measure", "spheres.h5", "--what", "fields", "--grid", "1000,1000,1000", status=2),
                       "1e8")
        self.one_error(self.call("measure", "nowhere.h5", status=65), "cannot open")
        self.one_error(self.call("measure", "spheres.yaml", status=65), "is not a run of scree")

    def test_carriers_of_a_heap_at_rest_are_its_partners(self):
        """Where contacts last, windows have the partners of every moment; frames of several steps are told."""
        done = self.call("measure", "heap.h5", "--what", "carriers", "--frames", "-4:-1", "--json")
        row, = json.loads(done.stdout)["rows"]
        self.assertAlmostEqual(row["coordination"], row["partners"], 12)
        self.assertLess(row["carriers"], row["partners"])
        self.assertGreater(row["carriers"], 0)
        self.assertIn("steps from frame to frame", done.stderr)
        self.one_error(self.call("measure", "heap.h5", "--what", "carriers", "--frames", "-1", status=2),
                       "several frames")

    @unittest.skipIf(SANITIZED, "slow")
    def test_carriers_of_a_flow_do_not_depend_on_the_time_step(self):
        """Coordination does, by far more than its error."""
        found = []
        for step in ("0.1", "0.025"):
            self.call("run", str(EXAMPLES / "cell_shear.yaml"), "-o", "flow.h5", "-qF", "-D", f"time.step={step}",
                      "-D", f"output.every={step}", "-D", "time.end=35")
            found += self.rows("--what", "carriers", "--times", "19:35", "--window", "1", run="flow.h5")
        coarse, fine = found
        self.assertEqual((coarse["windows"], fine["windows"]), (16, 16))
        self.assertGreater(coarse["coordination"] - fine["coordination"], 5 * fine["coordination_error"])
        apart = abs(coarse["carriers"] - fine["carriers"])
        self.assertLess(apart, 3 * math.hypot(coarse["carriers_error"], fine["carriers_error"]))
        self.assertLess(apart, 0.2)

    def test_mistakes_about_profiles_are_told(self):
        for words, said in ((("--times", "7:8"), "no frame then; its 4 are from time 0 to 0.003"),
                            (("--times", "2"), "must be FROM:TO"),
                            (("--times", "0:1", "--frames", "all"), "only one of --frames and --times"),
                            (("--axis", "r", "--about", "0,0"), "a point and a direction"),
                            (("--axis", "r", "--region", "0:1"), "bounds along the axis only"),
                            (("--blocks", "1"), "--blocks")):
            self.one_error(self.call("measure", "spheres.h5", "--what", "profile", *words, status=2), said)

    def test_bad_measures_in_scenes_are_refused(self):
        for line, said in (("left: {every: 0}", "every"), ("left: {region: {x: [1, 0]}}", "from below to"),
                           ("left: {regoin: {x: [0, 1]}}", "did you mean 'region'?"),
                           ("left: {least_contacts: -1}", "least_contacts")):
            self.write("bad.yaml", SPHERES.replace("left: {region: {x: [-1, 0]}}", line))
            self.assertIn(said, self.call("check", "bad.yaml", status=65).stderr)
        self.write("bad.yaml", SPHERES.replace("x: [-1, 0]", "x: [0, 21]") + "periodic: {x: [0, 20]}\n")
        self.assertIn("periodic cell, 20", self.call("check", "bad.yaml", status=65).stderr)
        self.write("bad.yaml", "dimension: 2\ntime: {step: 1, end: 1}\nmaterials: {a: {}}\n"
                   "grains: [{position: [0, 0], radius: 1}]\nmeasures: {b: {region: {z: [0, 1]}}}\n")
        self.assertIn("no bounds along z", self.call("check", "bad.yaml", status=65).stderr)


if __name__ == "__main__":
    unittest.main()
