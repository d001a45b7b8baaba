"""The scenes of examples/ with solids, against closed forms and conservation laws."""
import math
import pathlib
import unittest

import runs


def voussoirs(thickness):
    """The stones of examples/voussoirs.yaml with another thickness, as entries of a scene."""
    for k in range(11):
        corners = [[r * math.cos(a), y, r * math.sin(a)] for a in (math.pi * k / 11, math.pi * (k + 1) / 11)
                   for r in (1 - thickness / 2, 1 + thickness / 2) for y in (-0.2, 0.2)]
        yield f"  - polyhedron: {{vertices: {corners}}}\n"


def square_of_gyration(path):
    """Of what an OBJ file of triangles encloses, about the axis z: by tetrahedra between the triangles and the origin."""
    lines = [line.split() for line in path.read_text().splitlines()]
    points = [[float(x) for x in words[1:]] for words in lines if words[0] == "v"]
    volume = moment = 0
    for words in lines:
        if words[0] != "f":
            continue
        a, b, c = (points[int(k) - 1] for k in words[1:])
        six = (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2])
               + a[2] * (b[0] * c[1] - b[1] * c[0]))
        volume += six / 6
        for k in (0, 1):
            moment += six / 120 * (a[k]**2 + b[k]**2 + c[k]**2 + (a[k] + b[k] + c[k])**2)
    return moment / volume


class Solids(runs.ExampleTest):
    def test_tower_carries_the_weight_above(self):
        run = self.run_example("tower")
        bodies, weight = run.table("bodies"), 3 * 500 * 0.75 * 0.25 * 0.15 * 10  # of a layer
        layers = [0.0] * 5
        for contact in run.table("contacts"):
            lower = -1 if contact["wall"] == "floor" else int(min(contact["a"], contact["b"])) // 3
            upper = int(contact["a"]) // 3 if lower < 0 else int(max(contact["a"], contact["b"])) // 3
            if upper > lower:  # those side by side may press each other a little: friction above and below holds them
                layers[upper] += contact["force_n"]
        for upper, force in enumerate(layers):
            self.close(force, weight * (5 - upper), 1e-7)
        for k, body in enumerate(bodies):
            beside = -0.25 + 0.25 * (k % 3)
            place = (0, beside) if k // 3 % 2 == 0 else (beside, 0)
            for found, expected in zip((body["x"], body["y"], body["z"]), (*place, 0.075 + 0.15 * (k // 3))):
                self.near(found, expected, 1e-8, "drift")

    def test_arch_stands(self):
        run = self.run_example("voussoirs")
        first, last = run.frames("bodies")[0][1], run.table("bodies")
        for before, after in zip(first, last):
            for axis in "xyz":
                self.near(after[axis], before[axis], 1e-8, "drift")
        feet = [contact for contact in run.table("contacts") if contact["wall"] == "floor"]
        self.close(sum(contact["force_n"] for contact in feet), 9.81 * sum(body["mass"] for body in last), 1e-7)
        # a stone is a piece of a ring, less what the chords cut off: sin(a) / a of it remains
        self.close(last[0]["mass"], 2000 * 0.4 * 0.16 * math.sin(math.pi / 11), 1e-9)

    def test_a_thinner_arch_falls(self):
        text = (runs.EXAMPLES / "voussoirs.yaml").read_text()
        path = pathlib.Path(self.folder) / "thin.yaml"
        path.write_text(text[:text.index("grains:")] + "grains:\n" + "".join(voussoirs(0.1)))
        runs.call("run", str(path), "-o", str(path.with_suffix(".h5")), "-q", "-D", "time.end=0.8",
                  "-D", "solver.tolerance=1e-4")
        top = runs.call("table", str(path.with_suffix(".h5")), "--what", "bodies").stdout.splitlines()
        names, row = top[0].split(","), top[6].split(",")
        self.assertLess(float(row[names.index("z")]), 0.9)

    def test_dice_tumble_and_rest(self):
        run = self.run_example("dice")
        self.energy_is_balanced(run, 9.81, axis="z")
        steps, last = run.table("steps"), run.table("bodies")
        side, rounding = 0.016, 0.002
        # a cube with round edges: planes, quarter cylinders, a ball (Steiner)
        flat = side - 2 * rounding
        volume = flat**3 + 6 * flat**2 * rounding + 3 * 3.141592653589793 * rounding**2 * flat
        volume += 4 / 3 * 3.141592653589793 * rounding**3
        for body in last:
            self.close(body["mass"], 1800 * volume, 1e-12)
            for axis, most in (("x", 0.1), ("y", 0.1), ("z", 0.4)):
                self.assertTrue(0.45 * side < body[axis] < most - 0.45 * side, body)
        self.assertLess(max(step["overlap_max"] for step in steps), 2e-3 * side)
        fallen = max(step["kinetic_energy"] for step in steps)
        self.assertLess(steps[-1]["kinetic_energy"], 1e-4 * fallen)

    def test_soft_clumps_rods_and_dice_come_to_rest(self):
        run = self.run_example("clumps")
        steps, last = run.table("steps"), run.table("bodies")
        weight = 9.81 * sum(body["mass"] for body in last)
        rod = [body for body in last if body["shape"] == 1]
        for body in rod:  # a cylinder and two half balls
            self.close(body["mass"], 1200 * math.pi * 0.003**2 * (0.016 + 4 / 3 * 0.003), 1e-9)
        for body in last:
            for axis in "xy":
                self.assertTrue(0.002 < body[axis] < 0.058 and body["z"] > 0.002, body)
        self.close(-sum(wall["force_z"] for wall in run.table("walls")), weight, 0.02)
        error = sum(step["energy_error"] for step in steps)
        self.assertLess(abs(error), 1e-3 * sum(step["dissipation"] for step in steps))
        # deeper than this, the cores of two sticks would meet
        self.assertLess(max(step["overlap_max"] for step in steps), 0.003)

    def test_tablets_tumble_in_their_drum(self):
        run = self.run_example("tablets")
        self.energy_is_balanced(run, 9.81, axis="z")
        last = run.table("bodies")
        # a cylinder with round edges is one within the rounding r of a smaller one: V + S r + M r^2 + 4/3 pi r^3
        r, radius, height = 0.0005, 0.0035, 0.0025
        volume = math.pi * radius**2 * height + 2 * math.pi * radius * (radius + height) * r
        volume += math.pi * (height + math.pi * radius) * r**2 + 4 / 3 * math.pi * r**3
        for number, body in enumerate(last):
            whole = volume if number < 24 else math.pi / 6 * 0.012 * 0.006 * 0.006
            self.close(body["mass"], 1300 * whole, 1e-12)
            self.assertLess(math.hypot(body["x"], body["z"]), 0.04 - 0.0016)
            self.assertLess(abs(body["y"]), 0.02 - 0.0016)
        self.assertLess(max(step["overlap_max"] for step in run.table("steps")), 2e-3 * 2 * 0.004)

    def test_rings_hang_in_each_other(self):
        run = self.run_example("rings")
        self.energy_is_balanced(run, 9.81, axis="z")
        last, steps = run.table("bodies"), run.table("steps")
        away, r = 0.05, 0.0125
        for number in range(4):  # Pappus
            self.close(last[number]["mass"], 7800 * 2 * math.pi**2 * away * r**2, 1e-12)
        for upper, lower in zip(last[:3], last[1:4]):  # centres of links that hold are no farther apart than that
            gap = math.dist(*([body[axis] for axis in "xyz"] for body in (upper, lower)))
            self.assertTrue(1.9 * (away - r) < gap < 2 * (away - r) + 1e-6, gap)
        self.assertTrue(0.02 < last[4]["z"] < 0.05, last[4])
        self.assertLess(max(step["overlap_max"] for step in steps), 1e-4 * r)

    def test_nut_goes_down_its_bolt_by_the_lead_of_the_thread(self):
        run = self.run_example("gallery/nut", "time.step=2e-3", "time.end=0.15")
        self.energy_is_balanced(run, 9.81, axis="z")
        steps, frames = run.table("steps"), run.frames("bodies")
        lead, play, across = 0.012, 0.0003, 0.032
        turned, before = 0, 0
        for time, (bolt, nut) in frames:
            half = math.atan2(nut["qz"], nut["qw"])
            turned += math.remainder(2 * half - before, 2 * math.pi)
            before = 2 * half
            # from where it lies on the thread, lower by the play; flat pieces of the thread are off by up to
            # r (1 - cos(pi / 24)) from a screw, 0.1 mm, on either side
            down = frames[0][1][1]["z"] - nut["z"] + lead * turned / (2 * math.pi)
            self.assertTrue(time < 0.04 or abs(down - play) < 0.2e-3, (time, down))
            self.assertLess(math.hypot(nut["x"], nut["y"]), 0.0005)  # its play across the axis is 0.4 mm
        self.assertGreater(lead * -turned / (2 * math.pi), 5 * play)
        # of the weight's work a share 1 : (2 pi k / lead)^2 goes into falling and turning; flat pieces take some away
        square = square_of_gyration(runs.EXAMPLES / "gallery" / "nut.obj") * (2 * math.pi / lead) ** 2
        rate = 2 * math.pi / lead * 9.81 / (1 + square)
        self.assertTrue(0.9 * rate < -nut["wz"] / time < rate, (nut["wz"] / time, rate))
        self.assertLess(max(step["overlap_max"] for step in steps), 1e-3 * across)
        self.assertTrue(all(step["converged"] for step in steps))

    def test_bolt_may_be_a_wall(self):
        """A bolt that turns drives a nut that cannot, by its lead; as a wall of triangles just as the body does."""
        text = ("time: {{step: 1e-3, end: 0.025}}\ngravity: [0, 0, -9.81]\n"
                "materials: {{steel: {{density: 7800, friction: 0.1}}}}\n"
                "shapes: {{nut: {{mesh: {{file: {0}/nut.obj}}}}, bolt: {{mesh: {{file: {0}/bolt.obj}}}}}}\n"
                "output: {{every: 0.025}}\n{1}\n")
        nuts = []
        for name, bolt in (("wall", f"walls: {{bolt: {{mesh: {{file: {runs.EXAMPLES}/gallery/bolt.obj}}, spin: [0, 0, 30]}}}}\n"
                                    "grains: [{shape: nut, frozen: rotation}]"),
                           ("body", "grains: [{shape: bolt, frozen: all, spin: [0, 0, 30]}, {shape: nut, frozen: rotation}]")):
            path = pathlib.Path(self.folder) / name
            path.with_suffix(".yaml").write_text(text.format(runs.EXAMPLES / "gallery", bolt))
            run = self.run_example(str(path))
            self.assertTrue(all(step["converged"] for step in run.table("steps")))
            frames = run.frames("bodies")
            high = frames[0][1][-1]["z"]
            nuts.append(frames[-1][1][-1])
        self.near(nuts[0]["z"], nuts[1]["z"], 1e-6)  # sweeps end at a tolerance
        # down by its lead, but for its play of 0.3 mm and flat pieces of the thread that are off by 0.1 mm
        self.near(nuts[0]["z"], high - 0.012 * 30 / (2 * math.pi) * 0.025, 0.4e-3)


if __name__ == "__main__":
    unittest.main()
