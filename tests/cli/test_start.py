"""Runs that begin where others have ended, and finished runs that go on."""
import csv
import io
import os
import time
import unittest

import numpy

from support import ProgramTest, datasets

# Ten disks of weight 10 on each other: contact number k from above carries 10 (k + 1).
COLUMN = """\
dimension: 2
gravity: [0, -10]
time: {step: 1e-2, end: 0.1}
materials: {stone: {density: 1, friction: 0.3}}
walls: {floor: {plane: {point: [0, 0], normal: [0, 1]}}}
grains: [{radius: 0.5, mass: 1, material: stone, at: [%s]}]
solver: {tolerance: 1e-10}
""" % ", ".join(f"[0, {k + 0.5}]" for k in range(10))

# A periodic strip that a piston presses together.
STRIP = """\
dimension: 2
time: {step: 5e-3, end: 0.6}
materials: {stone: {density: 2600, friction: 0.4}}
periodic: {x: [0, 1]}
walls:
  floor: {plane: {point: [0, 0], normal: [0, 1]}}
  lid: {plane: {point: [0, 1.1], normal: [0, -1]}, piston: {force: [0, -2e4], mass: 10}}
grains:
  - {count: 60, radius: {uniform: [0.03, 0.05]}, fill: {min: [0, 0], max: [1, 1.05]}}
  - {count: 10, rectangle: {size: [0.12, 0.08]}, fill: {min: [0, 0], max: [1, 1.05]}}
output: {every: 0.1}
"""

# A cell that a pressure shrinks.
CELL = """\
dimension: 2
time: {step: 0.02, end: 3}
materials: {disk: {density: 1, friction: 0.3}}
periodic: {x: [0, 8], y: [0, 8]}
cell: {pressure: 1, viscosity: 2}
grains: [{count: 20, radius: 0.5, fill: {min: [0, 0], max: [8, 8]}}]
output: {every: 1}
"""

SOFT = """\
dimension: 2
engine: soft
gravity: [3, -10]
time: {step: 1e-4, end: 0.2}
materials: {stone: {density: 1, friction: 0.5, stiffness: 1e5, restitution: 0.3, rolling: 0.4}}
walls: {floor: {plane: {point: [0, 0], normal: [0, 1]}}}
grains: [{radius: 0.5, material: stone, at: [[0, 0.5], [1, 0.5], [0.5, 1.3660]]}]
overlap: accept
output: {every: 0.05}
"""


def only(scene, key):
    """The scene without the line, and its continuation, of a key."""
    kept, inside = [], False
    for line in scene.splitlines():
        inside = line.startswith(key) or (inside and line.startswith(" "))
        if not inside:
            kept.append(line)
    return "\n".join(kept) + "\n"


class StartTest(ProgramTest):
    def table(self, run, what):
        return list(csv.DictReader(io.StringIO(self.call("table", run, "--what", what).stdout)))


class Columns(StartTest):
    def prepare(self):
        self.write("column.yaml", COLUMN)
        self.write("next.yaml", only(COLUMN, "grains") + "start: {run: column.h5}\n")
        self.call("run", "column.yaml", "-q")

    def loads(self, run):
        return sorted(float(row["force_n"]) for row in self.table(run, "contacts"))

    def test_the_first_frame_is_the_last_one(self):
        self.call("run", "next.yaml", "-q")
        old, new = datasets(self.path / "column.h5"), datasets(self.path / "next.h5")
        for name in ("position", "velocity", "spin", "orientation"):
            numpy.testing.assert_array_equal(old[f"frames/bodies/{name}"][-1], new[f"frames/bodies/{name}"][0], name)
        count = len(self.loads("column.h5"))
        for name in ("a", "b", "normal", "force_normal", "force_tangential"):
            numpy.testing.assert_array_equal(old[f"frames/contacts/{name}"][-count:],
                                             new[f"frames/contacts/{name}"][:count], name)
        self.assertEqual(new["frames/time"][0], 0)

    def test_forces_need_not_be_found_again(self):
        """One sweep with the forces of the run satisfies the law; from nothing they would spread by one grain a sweep."""
        self.call("run", "next.yaml", "-q")
        self.assertLess(datasets(self.path / "next.h5")["steps/iterations"][0],
                        datasets(self.path / "column.h5")["steps/iterations"][0] / 2)

    def test_density_and_gravity_are_those_of_the_new_scene(self):
        self.call("run", "next.yaml", "-q", "-D", "materials.stone.density=3", "-D", "gravity=[0, -20]")
        numpy.testing.assert_allclose(self.loads("next.h5"), [60 * (k + 1) for k in range(10)], rtol=1e-8)

    def test_an_earlier_frame(self):
        self.call("run", "next.yaml", "-q", "-D", "start.frame=3")
        old, new = datasets(self.path / "column.h5"), datasets(self.path / "next.h5")
        numpy.testing.assert_array_equal(old["frames/bodies/position"][3], new["frames/bodies/position"][0])
        numpy.testing.assert_allclose(self.loads("next.h5"), [10 * (k + 1) for k in range(10)], rtol=1e-8)

    def test_more_grains_find_their_place(self):
        top = "grains=[{position: [0, 10.5], radius: 0.5, mass: 2, material: stone}]"
        self.call("run", "next.yaml", "-q", "-D", top)
        numpy.testing.assert_allclose(self.loads("next.h5"), [20 + 10 * k for k in range(11)], rtol=1e-8)
        taken = "grains=[{position: [0, 5.2], radius: 0.5, material: stone}]"
        self.one_error(self.call("check", "next.yaml", "-D", taken, status=65), "of the run that the scene starts from",
                       "overlap by")

    def test_what_cannot_be_taken_is_said(self):
        for define, words in (("start.run=none.h5", "none.h5: cannot open"), ("start.frame=99", "the last is 10"),
                              ("start.frame=first", "`last`, or a frame's number"),
                              ("materials={rock: {density: 1}}", "a material that this scene lacks"),
                              ("start.replicate=[2, 1]", "not periodic along x")):
            self.one_error(self.call("check", "next.yaml", "-D", define, status=65), words)
        self.one_error(self.call("run", "next.yaml", "-o", "column.h5", "--force", status=1), "would replace it")
        os.mkfifo(self.path / "pipe")
        for name in ("pipe", "/dev/zero", "."):
            told = self.call("check", "next.yaml", "-D", f"start.run={name}", status=65)
            self.one_error(told, "is not a regular file")
        (self.path / "column.h5.checkpoint").unlink()
        self.one_error(self.call("check", "next.yaml", status=65), "cannot open the checkpoint")

    def test_a_run_that_is_being_written_can_be_taken(self):
        """Its last frame, whenever it is looked at, and also after a kill."""
        going = self.start("run", "column.yaml", "-q", "-o", "going.h5", "-D", "time.end=1000",
                           "-D", "output.checkpoint_seconds=0.01")
        deadline = time.monotonic() + 30
        while not (self.path / "going.h5.checkpoint").exists() and time.monotonic() < deadline:
            time.sleep(0.01)
        for kill in (False, True):
            if kill:
                going.kill()
                going.communicate()
            self.call("run", "next.yaml", "-q", "--force", "-D", "start.run=going.h5", "-D", "time.end=0.02")
            numpy.testing.assert_allclose(self.loads("next.h5"), [10 * (k + 1) for k in range(10)], rtol=1e-8)

    def test_a_finished_run_goes_on(self):
        self.call("run", "column.yaml", "-q", "-o", "whole.h5", "-D", "time.end=0.2", "-D", "output.every=1e-3")
        self.call("run", "column.yaml", "-q", "-o", "parts.h5", "-D", "output.every=1e-3")
        for end in ("0.15", "0.2"):
            self.call("run", "column.yaml", "-q", "-o", "parts.h5", "--restart", "-D", "output.every=1e-3",
                      "-D", f"time.end={end}")
        whole, parts = datasets(self.path / "whole.h5"), datasets(self.path / "parts.h5")
        for name, values in whole.items():
            if name.startswith(("frames/", "steps/")):
                numpy.testing.assert_array_equal(values, parts[name], name)
        self.one_error(self.call("run", "column.yaml", "-o", "parts.h5", "--restart", "-D", "time.end=0.2", status=65),
                       "not only time.end")
        told = self.call("run", "column.yaml", "-o", "parts.h5", "--restart", "-D", "output.every=1e-3",
                         "-D", "time.end=0.05")
        self.assertIn("ends at time 0.05; its scene ended at", told.stderr)
        self.assertEqual(len(datasets(self.path / "parts.h5")["frames/time"]), len(whole["frames/time"]))


class Cells(StartTest):
    def prepare(self):
        self.write("cell.yaml", CELL)
        self.write("next.yaml", "extends: cell.yaml\ngrains: null\nstart: {run: cell.h5}\n")
        self.call("run", "cell.yaml", "-q")

    def width(self, run, frame):
        return datasets(self.path / run)["frames/cell/edge"][frame][0]

    def test_a_cell_goes_on_as_the_run_has_left_it(self):
        self.call("run", "next.yaml", "-q", "-D", "time.end=0.1")
        left = self.width("cell.h5", -1)
        self.assertLess(left, 7)
        self.assertEqual(self.width("next.h5", 0), left)
        old, new = datasets(self.path / "cell.h5"), datasets(self.path / "next.h5")
        numpy.testing.assert_array_equal(new["frames/bodies/position"][0], old["frames/bodies/position"][-1])

    def test_another_cell_is_taken_as_written(self):
        self.call("run", "next.yaml", "-q", "-D", "time.end=0.1", "-D", "periodic.x=[0, 9]")
        self.assertEqual(self.width("next.h5", 0), 9)


class Strips(StartTest):
    def prepare(self):
        self.write("strip.yaml", STRIP)
        self.write("wide.yaml", only(only(STRIP, "grains"), "periodic") + "start: {run: strip.h5, replicate: [3, 1]}\n")
        self.call("run", "strip.yaml", "-q")

    def contacts(self, data, frame):
        ends = data["frames/index"][:, 0]
        rows = slice(ends[frame - 1] if frame else 0, ends[frame])
        return {name: data[f"frames/contacts/{name}"][rows] for name in ("a", "b", "normal", "gap", "force_normal")}

    def test_copies_lie_side_by_side(self):
        self.call("run", "wide.yaml", "-q", "-D", "walls.lid.piston.force=[0, -6e4]", "-D", "time.end=0.01")
        old, new = datasets(self.path / "strip.h5"), datasets(self.path / "wide.h5")
        at, wide = old["frames/bodies/position"][-1], new["frames/bodies/position"][0]
        self.assertEqual(len(wide), 3 * len(at))
        for copy in range(3):
            numpy.testing.assert_array_equal(wide[copy::3], at + [copy, 0, 0])
        self.assertEqual(new["frames/walls/point"][0][1][1], old["frames/walls/point"][-1][1][1])
        few, many = self.contacts(old, len(old["frames/index"]) - 1), self.contacts(new, 0)
        self.assertEqual(len(many["a"]), 3 * len(few["a"]))
        shape = lambda rows, copies: sorted(  # noqa: E731
            (a // copies, b // copies if b >= 0 else b, g, f) for a, b, g, f in
            zip(rows["a"], rows["b"], rows["gap"], rows["force_normal"]))
        self.assertEqual(shape(many, 3), sorted(3 * shape(few, 1)))
        # the copy of b is the one beside that of a: of round grains the gap tells the distance
        round_ones = old["bodies/shape"][:] < 0
        radius = numpy.repeat(old["bodies/radius"][:], 3)
        seen = 0
        for a, b, normal in zip(many["a"], many["b"], many["normal"]):
            if b >= 0 and round_ones[a // 3] and round_ones[b // 3]:
                d = wide[b] - wide[a]
                d[0] -= 3 * round(d[0] / 3)
                self.assertLess(numpy.linalg.norm(d), 1.5 * (radius[a] + radius[b]))
                self.assertGreater(numpy.dot(d, normal), 0.9 * numpy.linalg.norm(d))
                seen += abs(wide[b][0] - wide[a][0]) > 1.5
        self.assertGreater(seen, 0, "no contact crosses the border")

    def test_walls_written_otherwise_stand_as_written(self):
        plain = ["run", "wide.yaml", "-q", "--force", "-D", "time.end=5e-3", "-D", "start.replicate=[1, 1]"]
        lid = datasets(self.path / "strip.h5")["frames/walls/point"][-1][1][1]
        places = {}
        for name, define in (("run", []), ("scene", ["-D", "start.walls=scene"]),
                             ("moved", ["-D", "walls.lid.plane.point=[0, 1.2]"])):
            self.call(*plain, *define)
            places[name] = datasets(self.path / "wide.h5")["frames/walls/point"][0][1][1]
        self.assertEqual(places, {"run": lid, "scene": 1.1, "moved": 1.2})

    def test_a_wall_that_is_gone_stays_away(self):
        events = ["-D", "events=[{at: 5e-3, remove: lid}]"]
        self.call("run", "wide.yaml", "-q", "-o", "open.h5", "-D", "time.end=0.02", *events)
        self.call("run", "wide.yaml", "-q", "-D", "time.end=0.02", "-D", "start={run: open.h5}")
        self.assertEqual(datasets(self.path / "wide.h5")["frames/walls/present"][0].tolist(), [1, 0])

    def test_a_killed_one_resumes(self):
        more = ["-D", "time.end=0.1", "-D", "output.every=5e-3", "-D", "output.checkpoint_seconds=1e-3"]
        self.call("run", "wide.yaml", "-q", "-o", "whole.h5", *more)
        process = self.start("run", "wide.yaml", "-q", "-o", "parts.h5", *more)
        while not (self.path / "parts.h5.checkpoint").exists() and process.poll() is None:
            pass
        process.kill()
        process.communicate()
        self.call("run", "wide.yaml", "-q", "-o", "parts.h5", "--restart", *more)
        whole, parts = datasets(self.path / "whole.h5"), datasets(self.path / "parts.h5")
        for name, values in whole.items():
            if name.startswith(("frames/", "steps/")):
                numpy.testing.assert_array_equal(values, parts[name], name)


# Two balls far apart in a cell that a rate opens until 0.5, and that goes on by itself, as no stress holds it.
OPENING = """\
time: {step: 0.01, end: 1}
materials: {m: {density: 1}}
periodic: {x: [0, 10], y: [0, 10], z: [0, 10]}
cell: {rate: {xx: 0.2}}
grains: [{at: [[1, 1, 1], [5, 5, 5]], radius: 0.5}]
events: [{at: 0.5, set_cell: {stress: {xx: 0}}}]
output: {every: 0.1}
"""


class Opening(StartTest):
    def test_a_cell_goes_on_from_any_frame_as_it_was_then(self):
        """With its edges of that frame, and at the rate that it has: e^(0.2 t)."""
        self.write("open.yaml", OPENING)
        self.call("run", "open.yaml", "-q")
        free = only(only(OPENING, "grains"), "events").replace("rate: {xx: 0.2}", "stress: {xx: 0}")
        for frame in (3, 7, 10):
            self.write("next.yaml", free + f"start: {{run: open.h5, frame: {frame}}}\n")
            self.call("run", "next.yaml", "-q", "-F", "-D", "time.end=0.5")
            edges = datasets(self.path / "next.h5")["frames/cell/edge"].reshape(-1, 3, 3)[:, 0, 0]
            before = datasets(self.path / "open.h5")["frames/cell/edge"].reshape(-1, 3, 3)[frame, 0, 0]
            self.assertEqual(edges[0], before)
            numpy.testing.assert_allclose(edges, 10 * numpy.exp(0.02 * (frame + numpy.arange(6))), rtol=2e-3)


class Springs(StartTest):
    def test_soft_springs_are_kept(self):
        """Two grains rest on rolling friction and carry a third: going on is the same as never having stopped."""
        self.write("soft.yaml", SOFT)
        self.write("next.yaml", only(only(SOFT, "grains"), "overlap") + "start: {run: soft.h5}\n")
        self.call("run", "soft.yaml", "-q", "-o", "whole.h5", "-D", "time.end=0.4")
        self.call("run", "soft.yaml", "-q")
        self.call("run", "next.yaml", "-q")
        whole, parts = datasets(self.path / "whole.h5"), datasets(self.path / "next.h5")
        numpy.testing.assert_allclose(whole["frames/bodies/position"][-1], parts["frames/bodies/position"][-1],
                                      rtol=1e-12, atol=1e-12)


if __name__ == "__main__":
    unittest.main()
