"""Runs say whom walls hold and what moves walls, frame by frame; tables and summaries tell it, and starts go on so."""
import csv
import io
import unittest

import numpy

from support import ProgramTest, datasets

# Grain 0 is held all the time, grains 1 and 2 are from 0.1 to 0.3, grain 3 is free; all lie apart, and do not meet.
SCENE = """\
dimension: 2
time: {step: 0.01, end: 0.4}
materials: {disk: {density: 1, friction: 0.5}}
walls:
  floor: {plane: {point: [0, -9], normal: [0, 1]}}
  arm: {holder: {}, velocity: [0.5, 0]}
grains:
  - {held_by: arm, position: [0, 0], radius: 0.4}
  - {radius: 0.3, velocity: [0, 0.25], at: [[4, 0], [5, 0], [9, 0]]}
events:
  - {at: 0.1, hold: {wall: arm, region: {x: [3, 6]}}}
  - {at: 0.2, set_piston: {wall: arm, mass: 8, direction: [0, 2], force: [0, 4]}}
  - {at: 0.3, let_go: arm}
output: {every: 0.05}
"""
HELD = numpy.array([[1, -1, -1, -1]] * 3 + [[1, 1, 1, -1]] * 4 + [[-1] * 4] * 2)  # at 0, 0.05, ... 0.4


class Plates(ProgramTest):
    def run_arm(self, scene=SCENE, *words):
        self.write("arm.yaml", scene)
        self.call("run", "arm.yaml", "-q", *words)
        return datasets(self.path / "arm.h5")

    def table(self, *words):
        return list(csv.DictReader(io.StringIO(self.call("table", *words).stdout)))

    def test_frames_say_whom_walls_hold_and_what_moves_them(self):
        found = self.run_arm()
        numpy.testing.assert_array_equal(found["frames/bodies/holder"], HELD)
        numpy.testing.assert_array_equal(found["frames/walls/motion"], [[0, 1]] * 5 + [[0, 2]] * 4)
        numpy.testing.assert_array_equal(found["frames/walls/mass"][:, 1], [0] * 5 + [8] * 4)
        numpy.testing.assert_array_equal(found["frames/walls/direction"][-1, 1], [0, 1, 0])

    def test_tables_and_summaries_tell_it(self):
        self.run_arm()
        names = {-1: "", 1: "arm"}
        rows = self.table("arm.h5", "--all")
        self.assertEqual([row["held_by"] for row in rows], [names[holder] for holder in HELD.flat])
        self.assertNotIn("held by walls", self.call("info", "arm.h5").stdout)
        self.call("run", "arm.yaml", "-q", "--force", "-D", "time.end=0.2")
        self.assertIn("held by walls in the last frame: arm 3\n", self.call("info", "arm.h5").stdout)

    def test_other_runs_are_written_as_before(self):
        lines = SCENE.splitlines()
        self.write("free.yaml", "\n".join(line for line in lines if "arm" not in line and "events" not in line))
        self.call("run", "free.yaml", "-q")
        found = datasets(self.path / "free.h5")
        self.assertNotIn("frames/bodies/holder", found)
        self.assertNotIn("held_by", self.table("free.h5")[0])

    def test_a_start_holds_what_the_frame_held(self):
        """In frame 4 the arm holds three grains, in frame 1 one; at the end, of which the checkpoint is, none."""
        self.run_arm()
        lines = SCENE[:SCENE.index("grains")] + "start: {run: arm.h5}\noutput: {every: 0.05}\n"
        self.write("next.yaml", lines.replace("0.4}", "0.05}"))
        for frame in (1, 4, 8):
            self.call("run", "next.yaml", "-q", "--force", "-D", f"start.frame={frame}")
            found = datasets(self.path / "next.h5")
            holder = found.get("frames/bodies/holder", numpy.full((1, 4), -1))[0]
            numpy.testing.assert_array_equal(holder, HELD[frame])
            self.assertEqual(set(found["bodies/frozen"][HELD[frame] < 0]), {self.free})

    @property
    def free(self):
        """The bits of what can move freely in the plane."""
        return datasets(self.path / "arm.h5")["bodies/frozen"][3]

    def test_with_inlets_rows_are_those_of_the_grains_that_are_there(self):
        inlet = "inlets: {feed: {region: {x: [-8, -6], y: [0, 2]}, rate: {number: 30}, radius: 0.2}}\n"
        found = self.run_arm(SCENE + inlet + "outlets: {out: {inside: {x: [8, 10]}}}\n")
        ends, rows = found["frames/flow"][:, 0], found["frames/bodies/holder"]
        self.assertEqual(len(rows), ends[-1])
        for frame, part in enumerate(numpy.split(rows, ends[:-1])):
            identity = numpy.split(found["frames/bodies/identity"], ends[:-1])[frame]
            self.assertTrue(identity[-1] > 3 or frame < 2)
            for holder, grain in zip(part, identity):
                self.assertEqual(holder, HELD[frame][grain] if grain < 4 else -1)

    def test_a_damaged_holder_is_refused(self):
        import h5py
        self.run_arm()
        with h5py.File(self.path / "arm.h5", "r+") as file:
            file["frames/bodies/holder"][8, 2] = 7
        said = self.call("table", "arm.h5", status=65).stderr
        self.assertIn("frames/bodies/holder", said)


if __name__ == "__main__":
    unittest.main()
