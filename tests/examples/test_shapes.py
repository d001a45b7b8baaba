"""The scenes of examples/ with polygons and compounds, against closed forms."""
import math
import unittest

import runs


def angle(body):
    """The angle of a body in two dimensions."""
    return 2 * math.atan2(body["qz"], body["qw"])


class Shapes(runs.ExampleTest):
    def test_blocks_carry_the_weight_above(self):
        run = self.run_example("blocks")
        weight = 2000 * 10
        joints = {}
        for contact in run.table("contacts"):
            lower = -1 if contact["wall"] == "floor" else int(min(contact["a"], contact["b"]))
            force, moment = joints.get(lower, (0, 0))
            joints[lower] = (force + contact["force_n"], moment + contact["force_n"] * contact["x"])
        self.assertEqual(len(joints), 10)
        for lower, (force, moment) in joints.items():
            self.close(force, weight * (9 - lower), 1e-6)
            self.near(moment / force, 0, 1e-6, "the resultant lies below the middle")
        for k, body in enumerate(run.table("bodies")):
            self.near(math.hypot(body["x"], body["y"] - k - 0.5), 0, 1e-8, "drift")
            self.near(angle(body), 0, 1e-8)

    def test_ladder_stands(self):
        run = self.run_example("ladder")
        l, a, r = 2, math.radians(60), 0.1
        weight = 700 * (2 * r * l + math.pi * r * r) * 10
        friction = weight * l * math.cos(a) / (2 * (l * math.sin(a) + r))  # torque about the feet
        contacts = {c["wall"]: c for c in run.table("contacts")}
        self.close(contacts["floor"]["force_n"], weight, 1e-9)
        self.close(abs(contacts["floor"]["force_tx"]), friction, 1e-9)
        self.close(contacts["wall"]["force_n"], friction, 1e-9)
        self.near(run.table("bodies")[0]["x"], 0.5, 1e-9)

    def test_ladder_slides_below_its_friction(self):
        # it takes a friction of 0.2729
        ladder = self.run_example("ladder", "materials.wood.friction=0.25").table("bodies")[0]
        self.assertLess(angle(ladder), math.radians(45))
        almost = self.run_example("ladder", "materials.wood.friction=0.274").table("bodies")[0]
        self.near(angle(almost), math.radians(60), 1e-9)

    def test_dominoes_fall_one_after_the_other(self):
        run = self.run_example("dominoes")
        self.energy_is_balanced(run, 10)
        frames = run.frames("bodies")
        fallen = [next(time for time, rows in frames if angle(rows[k]) < -0.2) for k in range(10)]
        self.assertEqual(fallen, sorted(set(fallen)))
        last = frames[-1][1]
        # the last one lies flat, the others lean on their neighbours
        self.near(angle(last[9]), -math.pi / 2, 1e-3)
        for body in last[:9]:
            self.assertLess(angle(body), -math.pi / 4)

    def test_domino_falls_back(self):
        # sqrt(2 m g (d - h) / 2 / I) with the inertia I = m (b^2 + h^2) / 3 about the foot
        b, h, g = 0.2, 1, 10
        limit = math.sqrt(g * (math.hypot(b, h) - h) * 3 / (b * b + h * h))
        self.near(limit, 0.756, 5e-4)
        for factor, falls in ((0.95, False), (1.05, True)):
            spin = -factor * limit
            run = self.run_example("dominoes", f"grains.0.spin={spin}",
                                   f"grains.0.velocity=[{-0.5 * spin}, {-0.1 * spin}]")
            first, second = run.frames("bodies")[-1][1][:2]
            self.assertEqual(angle(first) < -0.5, falls, f"spin {spin}")
            self.assertEqual(angle(second) < -0.5, falls)

    def arch(self, thickness, stones=17):
        """Overrides that give the arch another thickness: the same construction as in the scene."""
        a, low, high = math.pi / stones, 1 - thickness / 2, 1 + thickness / 2
        c, s = math.cos(a / 2), math.sin(a / 2)
        # centroid of a trapezoid, from its shorter side
        middle = (low + thickness * (low + 2 * high) / (3 * (low + high))) * c
        vertices = [[low * c, -low * s], [high * c, -high * s], [high * c, high * s], [low * c, low * s]]
        places = [[middle * math.cos(a * (k + 0.5)), middle * math.sin(a * (k + 0.5))] for k in range(stones)]
        return (f"shapes.voussoir.polygon.vertices={vertices}", f"grains.0.at={places}")

    def top(self, run):
        return [max(body["y"] for body in rows) for _, rows in run.frames("bodies")]

    def test_arch_stands(self):
        heights = self.top(self.run_example("arch"))
        self.near(heights[-1], heights[0], 1e-6)

    def test_thin_arch_falls(self):
        # between the two lies 0.1075, the smallest ratio of thickness to radius with which an arch
        # can stand
        heights = self.top(self.run_example("arch", *self.arch(0.09), "time.end=1.5"))
        self.assertLess(heights[-1], 0.8 * heights[0])
        heights = self.top(self.run_example("arch", *self.arch(0.125)))
        self.near(heights[-1], heights[0], 1e-6)

    def test_hook_hangs_by_its_arm(self):
        run = self.run_example("hook")
        first, last = run.frames("bodies")[0][1][1], run.table("bodies")[1]
        # the arm lies 0.2 above the foot; bar and arm are 0.3 thick
        self.near(last["y"], first["y"] - 0.2, 1e-5)
        self.near(angle(last), 0, 1e-5)
        arm, bar = 1.25 * 0.3, 1.4 * 0.3
        middle = (arm * 0.725 + bar * 1.2) / (arm + bar)
        self.near(last["x"], middle, 1e-9)
        weight = 7800 * (arm + bar) * 10
        # two points carry it, at the ends 0.1 and 1 of the common edge
        forces = sorted((c["x"], c["force_n"]) for c in run.table("contacts") if c["force_n"] > 0)
        self.assertEqual(len(forces), 2)
        self.near(forces[0][0], 0.1, 1e-5)
        self.near(forces[1][0], 1, 1e-5)
        self.close(forces[1][1], weight * (middle - 0.1) / 0.9, 1e-4)
        self.close(forces[0][1] + forces[1][1], weight, 1e-4)

    def test_rounder_polygons_roll(self):
        run = self.run_example("rounded")
        first, last = run.frames("bodies")[0][1], run.frames("bodies")[-1][1]
        slope = math.tan(math.radians(20))
        for rounding, before, after in zip((0, 0.2, 0.5, 0.8), first, last):
            side, height = (1 - rounding) * math.sin(math.pi / 6), (1 - rounding) * math.cos(math.pi / 6) + rounding
            self.near(before["y"], height, 1e-12)
            if slope > side / height:
                self.assertGreater(after["x"], before["x"] + 0.1)
                self.assertLess(angle(after), -0.1)
            else:
                self.near(after["x"], before["x"], 1e-9)
        self.assertGreater(last[3]["vx"], last[2]["vx"])  # the rounder the faster

    def test_roly_poly_swings_with_its_period(self):
        run = self.run_example("roly_poly")
        R, r, c, g = 1, 0.35, 0.6, 10
        mass = R * R + r * r  # in units of pi times the density
        d = c * r * r / mass
        body = run.table("bodies")[0]
        self.close(body["mass"], 700 * math.pi * mass, 1e-12)
        inertia = R ** 4 / 2 + R * R * d * d + r ** 4 / 2 + r * r * (c - d) ** 2
        series = [(time, angle(rows[0])) for time, rows in run.frames("bodies")]
        crossings = [t0 + (t1 - t0) * a0 / (a0 - a1) for (t0, a0), (t1, a1) in zip(series, series[1:]) if a0 * a1 < 0]
        period = 2 * math.pi / math.sqrt(g * d / (inertia / mass + (R - d) ** 2))
        # Amplitude 0.2: a pendulum's period grows by 1/16 of its square, 0.25 %. The inertia about
        # the floor grows too, as 2 R d (1 - cos) over 1.3: some hundredths of a per cent.
        self.near(period, 9.06, 5e-3)
        self.close(2 * (crossings[-1] - crossings[0]) / (len(crossings) - 1), period, 0.005)

    def check_chips(self, run):
        for _, rows in run.frames("bodies"):
            for body in rows:
                self.assertTrue(0 < body["x"] < 0.14 and body["y"] > 0)
        # the deepest overlap is small beside the arms, which are 2 to 4 thousandths wide
        self.assertLess(max(step["overlap_max"] for step in run.table("steps")), 6e-4)

    def test_rigid_and_soft_chips_settle_alike(self):
        rigid, soft = self.run_example("chips"), self.run_example("chips_soft")
        self.energy_is_balanced(rigid, 9.81)
        self.check_chips(rigid)
        self.check_chips(soft)
        a, b = rigid.frames("bodies"), soft.frames("bodies")
        for one, two in zip(a[0][1], b[0][1]):
            self.assertEqual(one, {**two})  # the same chips at the same places

        def height(rows):
            return sum(row["mass"] * row["y"] for row in rows) / sum(row["mass"] for row in rows)

        start = height(a[0][1])
        for (time, one), (_, two) in zip(a, b):
            self.near(height(one), height(two), 0.01)
            self.assertGreaterEqual(height(one), start - 9.81 * time * (time + 1e-4) / 2 - 1e-9)
        self.assertLess(height(a[-1][1]), start - 0.08)  # they came down

    def test_polygons_settle_densely(self):
        # a small part of the scene; at full size it is a benchmark
        run = self.run_example("polygons", "grains.0.count=300", "walls.tank.box.max=[1.2, 7]",
                               "grains.0.fill.max=[1.2, 1.1]")
        self.energy_is_balanced(run, 9.81)
        rows = run.table("bodies")
        self.assertEqual(len(rows), 300)
        weight = sum(row["mass"] for row in rows) * 9.81
        walls = {wall["name"]: wall for wall in run.table("walls")}
        self.close(-sum(wall["force_y"] for wall in walls.values()), weight, 0.02)
        for row in rows:
            self.assertTrue(0 < row["x"] < 1.2 and row["y"] > 0)
        # settled polygons fill more than the circles around them could, and less than everything
        area, top = sum(row["mass"] for row in rows) / 2600, max(row["y"] for row in rows)
        self.assertTrue(0.65 < area / (1.2 * top) < 0.95, f"solid fraction {area / (1.2 * top)}")

    def test_ellipses_rock_with_their_period(self):
        run = self.run_example("rocker")
        self.energy_is_balanced(run, 10)
        frames = run.frames("bodies")
        for k, b in enumerate((0.8, 0.6, 0.4)):
            omega = math.sqrt(10 * (1 / b - b) / ((1 + b * b) / 4 + b * b))
            series = [(time, angle(rows[k])) for time, rows in frames]
            crossings = [t0 + (t1 - t0) * a0 / (a0 - a1) for (t0, a0), (t1, a1) in zip(series, series[1:])
                         if a0 * a1 < 0]
            self.close(omega * crossings[0], math.pi / 2, 4e-3)  # a first-order step damps a little
        self.assertLess(max(step["overlap_max"] for step in run.table("steps")), 1e-6)

    def test_library_grains_stay_in_their_boxes(self):
        run = self.run_example("library")
        self.energy_is_balanced(run, 9.81)
        rows = run.table("bodies")
        self.assertEqual(len(rows), 210)
        weight = sum(row["mass"] for row in rows) * 9.81
        self.close(-sum(wall["force_y"] for wall in run.table("walls")), weight, 0.05)
        for k, row in enumerate(rows):
            self.assertTrue(k // 70 < row["x"] < k // 70 + 1 and row["y"] > 0, f"grain {k} has left its box")
        # for a given mean diameter a disk has the largest area, then come the convex grains
        mass = [sum(row["mass"] for row in rows[70 * k:70 * k + 70]) for k in range(3)]
        self.close(mass[0], 70 * 2600 * math.pi * 0.04 ** 2, 1e-12)
        self.assertTrue(mass[0] > mass[1] > mass[2])


if __name__ == "__main__":
    unittest.main()
