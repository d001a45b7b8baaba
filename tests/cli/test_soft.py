"""The soft engine as a user meets it: its time step, chosen or given."""
import csv
import io
import re
import sys
import unittest

import numpy

from support import ProgramTest, datasets

SCENE = """\
engine: soft
gravity: [0, 0, -10]
time: {end: 0.1}
materials: {ball: {friction: 0.2, stiffness: 1e5, restitution: 0.5}}
walls: {table: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}}
grains: [{position: [0, 0, 0.5], radius: 0.5, mass: 1}, {position: [2, 0, 0.5], radius: 0.5, mass: 4}]
output: {every: 0.02}
"""


class TimeStep(ProgramTest):
    def setUp(self):
        super().setUp()
        self.write("soft.yaml", SCENE)

    def chosen(self, text):
        return float(re.search(r"time step ([-+.e0-9]+), chosen", text).group(1))

    def test_step_is_chosen_for_the_stiffest_pair(self):
        step = self.chosen(self.call("run", "soft.yaml").stderr)
        data = datasets(self.path / "soft.h5")
        self.assertAlmostEqual(step / data["@time_step"], 1, delta=0.01)
        # the light ball on the table is the stiffest pair: half a period is pi sqrt(m / k) = 0.0099
        self.assertLess(data["@time_step"], 0.0099 / 10)
        self.assertGreater(data["@time_step"], 0.0099 / 80)
        # frames and the end fall on their times
        numpy.testing.assert_allclose(data["frames/time"], 0.02 * numpy.arange(6), rtol=1e-12, atol=1e-15)
        self.assertIn("engine: soft", self.call("info", "soft.h5").stdout)
        self.assertIn("(chosen for the stiffest pair of grains)", self.call("check", "soft.yaml").stdout)
        self.assertNotIn("time step", self.call("run", "soft.yaml", "-q", "-o", "quiet.h5").stderr)

    def test_stiffer_springs_shorten_the_step(self):
        """The step is proportional to the square root of mass over stiffness."""
        steps = []
        for stiffness in ("1e5", "4e5"):
            name = f"k{stiffness}.h5"
            self.call("run", "soft.yaml", "-q", "-o", name, "-D", "materials.ball.stiffness=" + stiffness)
            steps.append(datasets(self.path / name)["@time_step"])
        self.assertAlmostEqual(steps[0] / steps[1], 2, delta=0.1)  # both are shortened so as to divide 0.02

    def test_too_long_steps_are_told(self):
        """The light ball on the table is the stiffest pair: half a period is pi sqrt(m / k) = 0.0099, a twentieth of it
        is advised, and a tenth is still stable."""
        words = ["-D", "time={step: 0.001, end: 0.1}"]
        warned = r"time step 0.001 is ([.0-9]+) times the advised ([-+.e0-9]+): the springs will not be resolved"
        for command in (["check", "soft.yaml"], ["run", "soft.yaml", "-q"]):
            said = self.call(*command, *words).stderr
            times, advised = (float(text) for text in re.search(warned, said).groups())
            self.assertAlmostEqual(times * advised / 0.001, 1, delta=0.05)
            self.assertIn("omit time.step", said)
        self.assertRegex(said, "in [0-9]+ of [0-9]+ steps the springs were not resolved")
        self.assertNotIn("solver.", said)

    def test_unstable_steps_are_refused_unless_wanted(self):
        words = ["-D", "time={step: 0.02, end: 0.1}"]
        refused = r"a time step of 0.02 is ([.0-9]+) times as long as the contacts advise"
        for command in (["check", "soft.yaml"], ["run", "soft.yaml", "-q"]):
            said = self.call(*command, *words, status=65).stderr
            times = float(re.search(refused, said).group(1))
            stable, chosen = (float(text) for text in re.search(r"at most (\S+), omit it to have (\S+) chosen",
                                                                said).groups())
            self.assertAlmostEqual(times * chosen / 0.02, 1, delta=0.05)
            self.assertAlmostEqual(stable / chosen, 4, delta=0.02)
        self.assertFalse((self.path / "soft.h5").exists())
        said = self.call("run", "soft.yaml", "-q", *words, "-D", "soft={long_step: warn}").stderr
        self.assertIn("the springs will not be resolved", said)
        self.call("check", "soft.yaml", "-D", f"time={{step: {0.99 * stable}, end: 0.1}}")

    def test_lost_energy_is_told(self):
        """A ball falls on springs that it does not resolve: the balance, which is kept whatever happens, shows it."""
        said = self.call("run", "soft.yaml", "-q", "-D", "time={step: 0.02, end: 0.1}", "-D", "soft={long_step: warn}",
                         "-D", "grains.0.position=[0, 0, 0.4]", "-D", "overlap=accept").stderr
        self.assertIn("the energy balance is off by", said)
        good = self.call("run", "soft.yaml", "-F", "-D", "grains.0.position=[0, 0, 0.4]", "-D", "overlap=accept").stderr
        self.assertNotIn("warning", good)

    def test_balance_is_compared_with_the_energy_of_the_springs_too(self):
        """Three balls at one point hold 3 k (2 r)^2 / 2 in springs and nothing else. The error is of second order in
        the step, a twentieth of a collision, and so less than a hundredth of that."""
        self.write("burst.yaml", SCENE.replace("gravity: [0, 0, -10]\n", "overlap: accept\n").replace(
            SCENE.splitlines()[5], "grains: [{at: [[0, 0, 9], [0, 0, 9], [0, 0, 9]], radius: 0.1, mass: 1}]"))
        said = self.call("run", "burst.yaml").stderr
        off, part = (float(text) for text in re.search(r"off by (\S+) \((\S+) of the work", said).groups())
        self.assertLess(part, 0.01)
        self.assertAlmostEqual(off / part / (1.5 * 1e5 * 0.2**2), 1, delta=0.05)

    def test_good_step_is_not_judged(self):
        step = self.chosen(self.call("run", "soft.yaml").stderr)
        for factor in (0.5, 1.9):
            said = self.call("check", "soft.yaml", "-D", f"time={{step: {factor * step}, end: 0.1}}").stderr
            self.assertEqual(said, "")

    def test_contact_dynamics_is_not_judged(self):
        self.call("run", "heap.yaml", "-q")
        self.assertEqual(self.call("check", "heap.yaml", "-q").stderr, "")

    def test_contacts_carry_the_weight(self):
        self.call("run", "soft.yaml", "-q")
        rows = list(csv.DictReader(io.StringIO(self.call("table", "soft.h5", "-w", "contacts").stdout)))
        self.assertEqual({row["wall"] for row in rows}, {"table"})
        for row in rows:  # m g, within what is left of the bouncing
            mass = {"0": 1, "1": 4}[row["a"]]
            self.assertGreater(float(row["force_n"]), 0)
            self.assertLess(float(row["force_n"]), 3 * mass * 10)


if __name__ == "__main__":
    sys.exit(unittest.main())
