"""Runs tell which grains are bonded, frame by frame; restarts and starts go on with them; what is wrong is told."""
import csv
import io
import unittest

import numpy

from support import ProgramTest, datasets

# Five grains of mass 1 hang on a sixth. Their rope of strength 7.5 bears the weight of 5 until gravity is 2, at 0.1: then
# it breaks at the top, in that step. The load of the bond with k grains below it is k g / 7.5.
ROPE = """\
dimension: 2
gravity: [0, -1]
time: {step: 0.01, end: 0.2}
materials: {disk: {density: 1, friction: 0.5}}
grains:
  - {position: [0, 0], radius: 0.1, mass: 1, frozen: all}
  - {radius: 0.1, mass: 1, at: [[0, -0.2], [0, -0.4], [0, -0.6], [0, -0.8], [0, -1]]}
bonds:
  rope: {tension: 7.5, shear: 9, bending: 9}
events:
  - {at: 0.1, set_gravity: [0, -2]}
solver: {tolerance: 1e-10}
output: {every: 0.05}
"""
FRAGMENTS = numpy.array([[0] * 6] * 3 + [[0, 1, 1, 1, 1, 1]] * 2)  # at 0, 0.05, ... 0.2


class Bonds(ProgramTest):
    def run_rope(self, scene=ROPE, *words):
        self.write("rope.yaml", scene)
        self.call("run", "rope.yaml", "-q", *words)
        return datasets(self.path / "rope.h5")

    def table(self, *words):
        return list(csv.DictReader(io.StringIO(self.call("table", *words).stdout)))

    def test_frames_tell_fragments_and_loads(self):
        found = self.run_rope()
        numpy.testing.assert_array_equal(found["frames/bodies/fragment"], FRAGMENTS)
        ends = found["frames/index"][:, 0]
        before, after = slice(ends[1], ends[2]), slice(ends[3], ends[4])
        bond, load = found["frames/contacts/bond"], found["frames/contacts/bond_load"]
        numpy.testing.assert_array_equal(numpy.sort(bond[before]), numpy.arange(5))
        numpy.testing.assert_allclose(load[before], (5 - bond[before]) / 7.5, rtol=1e-8)
        numpy.testing.assert_array_equal(numpy.sort(bond[after])[-4:], [1, 2, 3, 4])
        self.assertLess(numpy.abs(load[after]).max(), 1e-8)  # free fall
        numpy.testing.assert_array_equal(found["steps/broken"], [0] * 10 + [1] + [0] * 9)
        numpy.testing.assert_array_equal(found["steps/glued"], [5] * 10 + [4] * 10)
        # the step that breaks it leaves the row at 0.01 (5 * 2 - 7.5) / 5, and 9 more follow
        fallen = found["frames/bodies/velocity"][-1, 1:, 1]
        numpy.testing.assert_allclose(fallen, -0.01 * (0.5 + 9 * 2), rtol=1e-8)

    def test_tables_and_summaries_tell_it(self):
        self.run_rope()
        rows = self.table("rope.h5", "--all")
        self.assertEqual([int(row["fragment"]) for row in rows], list(FRAGMENTS.flat))
        last = [row for row in self.table("rope.h5", "--what", "contacts") if row["bond"] != "-1"]
        self.assertEqual({(row["a"], row["b"]): row["bond"] for row in last},
                         {("1", "2"): "1", ("2", "3"): "2", ("3", "4"): "3", ("4", "5"): "4"})
        self.assertIn("bonds between grains: 4 hold, 1 has broken", self.call("info", "rope.h5").stdout)
        self.assertIn("5 bonds between grains", self.call("check", "rope.yaml").stdout)

    def test_a_restart_has_the_same_bits(self):
        whole = self.run_rope()
        for end in ("0.05", "0.15"):
            self.run_rope(ROPE, "--force", "-D", f"time.end={end}")
            self.call("run", "rope.yaml", "-q", "--restart", "-D", "time.end=0.2")
            parts = datasets(self.path / "rope.h5")
            self.assertEqual(set(parts), set(whole))
            for name, values in whole.items():
                if not name.startswith("scene/"):
                    numpy.testing.assert_array_equal(parts[name], values, name)

    def test_a_start_goes_on_with_the_bonds_of_the_frame(self):
        """With gravity 2 the row breaks off at once where the frame has five bonds, and where it has four nothing does."""
        self.run_rope()
        head = ROPE[:ROPE.index("grains")].replace("[0, -1]", "[0, -2]").replace("0.2}", "0.01}")
        self.write("next.yaml", head + "start: {run: rope.h5}\n")
        for frame, holds in ((1, 4), (2, 4), (4, 4)):
            self.call("run", "next.yaml", "-q", "--force", "-D", f"start.frame={frame}")
            found = datasets(self.path / "next.h5")
            self.assertEqual(found["steps/broken"][0], int(frame < 3))
            self.assertEqual(found["steps/glued"][0], holds)
            numpy.testing.assert_array_equal(found["frames/bodies/fragment"][-1], FRAGMENTS[-1])

    def test_a_rope_hangs_from_a_wall(self):
        """The ceiling takes the place of the grain that is held; the load of the first bond is on the wall, too."""
        hung = ROPE.replace("  - {position: [0, 0], radius: 0.1, mass: 1, frozen: all}\n", "")
        hung = hung.replace("bonds:\n", "walls: {roof: {plane: {point: [0, -0.1], normal: [0, -1]}}}\nbonds:\n"
                            "  hook: {tension: 7.5, shear: 9, bending: 9, walls: roof}\n")
        found = self.run_rope(hung)
        numpy.testing.assert_array_equal(found["steps/broken"], [0] * 10 + [1] + [0] * 9)
        numpy.testing.assert_array_equal(found["steps/glued"], [5] * 10 + [4] * 10)
        numpy.testing.assert_array_equal(found["frames/bodies/fragment"], [[0] * 5] * 5)
        numpy.testing.assert_allclose(found["frames/walls/load"][1:3, 0, 1], -5, rtol=1e-8)
        self.assertEqual(sum(row["b"] == "wall:roof" or row["b"] == "-1" for row in self.table(
            "rope.h5", "--what", "contacts", "--frame", "1") if row["bond"] != "-1"), 1)
        for end in ("0.05", "0.15"):
            self.run_rope(hung, "--force", "-D", f"time.end={end}")
            self.call("run", "rope.yaml", "-q", "--restart", "-D", "time.end=0.2")
            parts = datasets(self.path / "rope.h5")
            for name in ("frames/bodies/position", "frames/contacts/bond_load", "steps/glued"):
                numpy.testing.assert_array_equal(parts[name], found[name], name)
        head = hung[:hung.index("grains")].replace("[0, -1]", "[0, -2]", 1).replace("0.2}", "0.01}")
        self.write("next.yaml", head + "walls: {roof: {plane: {point: [0, -0.1], normal: [0, -1]}}}\nstart: {run: rope.h5}\n")
        for frame in (1, 4):
            self.call("run", "next.yaml", "-q", "--force", "-D", f"start.frame={frame}")
            found = datasets(self.path / "next.h5")
            self.assertEqual((found["steps/broken"][0], found["steps/glued"][0]), (int(frame == 1), 4))

    def test_an_event_glues_what_touches_then(self):
        """The row swings free of the sixth grain, which nothing holds to it, until the event."""
        late = ROPE.replace("bending: 9}", "bending: 9, at_start: false}").replace(
            "set_gravity: [0, -2]", "glue: rope").replace("gravity: [0, -1]", "gravity: [0, 0]")
        found = self.run_rope(late)
        numpy.testing.assert_array_equal(found["steps/glued"], [0] * 10 + [5] * 10)
        numpy.testing.assert_array_equal(found["frames/bodies/fragment"], [list(range(6))] * 3 + [[0] * 6] * 2)
        self.assertIn("5 bonds 'rope'", self.call("run", "rope.yaml", "--force").stderr)

    def test_an_event_that_never_happens_is_told(self):
        self.write("rope.yaml", ROPE)
        told = "has not happened: its condition has not held"
        said = self.call("run", "rope.yaml", "-D", "events.0.at=null", "-D", "events.0.when={speed_below: 1e-9}").stderr
        self.assertEqual(said.count(told), 1)
        self.assertIn(f"events[0] {told}", said)
        self.assertNotIn(told, self.call("run", "rope.yaml", "--force").stderr)

    def test_other_runs_are_written_as_before(self):
        found = self.run_rope(ROPE.replace("bonds:\n  rope: {tension: 7.5, shear: 9, bending: 9}\n", ""))
        self.assertEqual(found["@version"], 15)
        self.assertNotIn("frames/bodies/fragment", found)
        self.assertNotIn("fragment", self.table("rope.h5")[0])

    def test_what_is_wrong_is_told_with_its_place(self):
        self.write("rope.yaml", ROPE)
        for given, words in (("bonds.rope.tension=0", "tension"), ("bonds.rope.torsion=1", "torsion"),
                             ("bonds.rope.between=[disk, ball]", "ball"), ("bonds.rope.pair=[1, 3]", "touch"),
                             ("bonds.rope.pair=all", "two grains' numbers [a, b]"), ("bonds.rope.pair=1", "two grains' numbers"),
                             ("bonds.rope.pair=[1, 99]", "no body 99: there are"), ("bonds.rope.within=0.2", "within"),
                             ("events.0.glue=cord", "cord"), ("engine=quasistatic", "engine"),
                             ("solver.method=newton", "newton"), ("grains.1.at=[[3, 0]]", "glue them by an event"),
                             ("bonds.rope.at_start=false", "no event glues them"),
                             ("bonds.rope.walls=roof", "there are no walls")):
            said = self.call("check", "rope.yaml", "-D", given, status=65).stderr
            self.assertIn("error: ", said)
            self.assertIn(words, said)

    def test_blocks_are_glued_by_their_edges(self):
        self.write("dice.yaml", """\
dimension: 2
time: {step: 0.01, end: 0.5}
gravity: [0, -2]
materials: {stone: {density: 1}}
grains:
  - {rectangle: {size: [1, 1]}, at: [[0.5, 0.5]], frozen: all}
  - {rectangle: {size: [1, 1]}, at: [[1.5, 0.5], [2.5, 0.5]]}
bonds: {late: {tension_stress: 23, shear_stress: 1e6}}
""")
        # the moment of two blocks is m g 2^2 / 2 = 4, that of the joint s h^2 / 6 = 3.8
        self.call("run", "dice.yaml")
        self.assertIn("1 holds, 1 has broken", self.call("info", "dice.h5").stdout)
        self.call("run", "dice.yaml", "--force", "-D", "bonds.late.tension_stress=25")
        self.assertIn("2 hold, 0 have broken", self.call("info", "dice.h5").stdout)

    def test_damage_is_refused(self):
        import h5py
        self.run_rope()
        with h5py.File(self.path / "rope.h5", "r+") as file:
            file["frames/bodies/fragment"][4, 2] = 5
        self.assertIn("frames/bodies/fragment", self.call("table", "rope.h5", status=65).stderr)


if __name__ == "__main__":
    unittest.main()
