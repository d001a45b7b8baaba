"""The scenes of examples/ that show one law each, against its closed form. Every expected value is
derived in the comment beside it or in the scene itself."""
import math
import sys
import unittest

import runs


def dissipated(steps, law):
    return sum(step["dissipation_" + law] for step in steps)


LAWS = ("normal", "friction", "rolling", "torsion", "cohesion")


class Laws(runs.ExampleTest):
    def parts_add_up(self, run):
        """The dissipation is the sum of the laws' parts, and energy is balanced step by step."""
        steps = run.table("steps")
        scale = max(abs(step["work_external"]) + abs(step["work_walls"]) + step["kinetic_energy"] +
                    step["energy_elastic"] + abs(step["dissipation"]) for step in steps)
        for before, step in zip([None] + steps, steps):
            parts = [step["dissipation_" + law] for law in LAWS]
            self.near(sum(parts), step["dissipation"], 1e-12 * sum(abs(part) for part in parts) + 1e-14 * scale)
            self.near(step["energy_error"], 0, 1e-12 * scale)
            if before:
                gained = sum(step[name] - before[name] for name in ("kinetic_energy", "energy_elastic"))
                lost = step["dissipation"] + step["dissipation_scheme"]
                self.near(gained, step["work_external"] + step["work_walls"] - lost, 1e-12 * scale)

    def test_two_coefficients_hold_or_slide(self):
        run = self.run_example("two_coefficients")
        g, dt = 10, 1e-3
        pull = [(0.55, 0.5), (0.45, 1), (0.3, 2)]  # of the weight, until
        for time, (still, moving) in run.frames("bodies"):
            self.near(still["vx"], 0, 1e-12)
            self.near(still["x"], 0, 1e-12)
            speed, before = 0, 0
            for share, until in pull:
                speed += (share - 0.4) * g * (min(time, until) - before)
                before = min(time, until)
            self.near(moving["vx"], speed, 1e-9, f"at {time}")
        held = [c for c in run.table("contacts") if c["a"] == 0][0]
        self.assertEqual(held["state"], "stick")
        self.close(abs(held["force_tx"]), 4.5, 1e-9)  # more than friction 0.4 could
        # implicit Euler: each step moves by v_new dt, which is the distance of the mean velocity
        # plus v dt / 2 for each change
        moving = run.table("bodies")[1]
        way = 1.5 * 0.5 ** 2 / 2 + (0.75 + 1) / 2 * 0.5 + 1 / 2
        self.near(moving["x"] - 3, way, 1e-9)  # it begins and ends at rest, so the halves cancel
        # force times distance: 0.4 of the weight all along
        self.close(dissipated(run.table("steps"), "friction"), 4 * way, 1.5 * dt)
        self.parts_add_up(run)

    def test_one_coefficient_slides(self):
        run = self.run_example("two_coefficients", "materials.wood.friction_static=0.4")
        still, moving = run.table("bodies")
        self.close(still["vx"], 0.5 * 2.5, 1e-9)  # (0.45 - 0.4) g t

    def test_rolling_friction_stops_the_ball(self):
        run = self.run_example("rolling_friction")
        r, dt, a = 0.5, 1e-3, 0.07 * 10 / 1.4
        for time, (rubber, steel) in run.frames("bodies"):
            self.near(rubber["vx"], max(1 - a * time, 0), 1e-9)
            self.near(rubber["wy"], rubber["vx"] / r, 1e-9)
            self.near(steel["vx"], 1, 1e-10)
        self.near(rubber["x"], 1 - dt / 2, 1e-8)  # implicit Euler: n dt - a dt^2 n (n + 1) / 2
        self.close(dissipated(run.table("steps"), "rolling"), 0.7 * rubber["mass"], 1e-6)
        held = [c for c in run.table("contacts") if c["a"] == 0][0]
        self.near(math.hypot(held["torque_x"], held["torque_y"]), 0, 1e-9)  # at rest on a flat floor
        self.parts_add_up(run)

    def test_rolling_friction_holds_on_a_slope(self):
        """A torque of r times the force along the slope holds the ball, up to rolling r N."""
        gravity = "gravity=[{}, 0, -10]"
        rest = ("grains.0.velocity=[0, 0, 0]", "grains.0.spin=[0, 0, 0]")
        run = self.run_example("rolling_friction", gravity.format(0.69), *rest)
        ball = run.table("bodies")[0]
        self.near(ball["vx"], 0, 1e-10)
        held = [c for c in run.table("contacts") if c["a"] == 0][0]
        self.close(abs(held["torque_y"]), 0.69 * 0.5 * ball["mass"], 1e-9)

    def test_ball_rolls_down_a_steeper_slope(self):
        rest = ("grains.0.velocity=[0, 0, 0]", "grains.0.spin=[0, 0, 0]")
        run = self.run_example("rolling_friction", "gravity=[0.84, 0, -10]", *rest)
        self.close(run.table("bodies")[0]["vx"], (0.84 - 0.7) / 1.4 * 2.5, 1e-9)

    def test_hertz_rolling_grows_with_the_load(self):
        run = self.run_example("rolling_hertz")
        g, r = 10, 0.5
        for time, balls in run.frames("bodies"):
            for ball in balls:
                a = 0.035 * (r * ball["mass"] * g) ** (1 / 3) * g / (1.4 * r)
                self.near(ball["vx"], max(1 - a * time, 0), 1e-8)
        self.parts_add_up(run)

    def test_torsion_stops_the_spin(self):
        run = self.run_example("torsion")
        for time, (rubber, steel) in run.frames("bodies"):
            self.near(rubber["wz"], max(10 - 5 * time, 0), 1e-9)
            self.near(steel["wz"], 10, 1e-12)
            if 0 < time < 2:
                contact = [c for c in run.table("contacts", "--time", str(time)) if c["a"] == 0][0]
                self.close(abs(contact["torque_z"]), 0.1 * 0.5 * rubber["mass"] * 10, 1e-9)
        energy = 0.5 * 0.4 * rubber["mass"] * 0.25 * 100  # I w^2 / 2
        self.close(dissipated(run.table("steps"), "torsion"), energy, 1e-9)
        self.parts_add_up(run)

    def test_heap_stands_by_rolling_friction(self):
        run = self.run_example("heap_rolling")
        balls = run.table("bodies")
        floor = run.table("walls")[0]
        weight = 10 * sum(ball["mass"] for ball in balls)
        self.close(-floor["force_z"], weight, 1e-2)  # at rest, to the tolerance of the scene
        self.assertLess(run.table("steps")[-1]["kinetic_energy"], 1e-4 * weight * 0.05)
        self.assertGreater(max(ball["z"] for ball in balls), 3 * 0.05)  # at least a third layer
        self.assertGreater(dissipated(run.table("steps"), "rolling"), 0)
        self.energy_is_balanced(run, 10, "z")
        self.parts_add_up(run)

    def test_heap_spreads_without_rolling_friction(self):
        balls = self.run_example("heap_rolling", "materials.gravel.rolling=0").table("bodies")
        flat = [ball for ball in balls if ball["z"] < 0.05 * 1.1]
        self.assertGreater(len(flat), 0.95 * len(balls))  # one layer
        self.assertGreater(max(math.hypot(ball["vx"], ball["vy"]) for ball in flat), 0.5)

    def test_three_disks_stand_by_rolling_friction(self):
        """examples/three_disks.yaml with a friction of 0.1 between the disks, too little to stand. The
        upper contacts then slide, T = mu N, and carry the weight: 2 N (cos 30 + mu sin 30) = 1. Balance of
        a lower disk along the floor gives its friction there, N sin 30 - T cos 30, and the torques that
        keep it from turning are that less T, at most rolling (N / 2 + 3/2): r* is 1/2 above, 1 below."""
        mu, c, s = 0.1, math.cos(math.radians(30)), 0.5
        normal = 1 / (2 * (c + mu * s))
        needed = (normal * s - mu * normal * c - mu * normal) / (normal / 2 + 1.5)

        def top(rolling):
            values = [f"materials.{name}.rolling={rolling}" for name in ("wood", "floor")]
            run = self.run_example("three_disks", "materials.wood.friction=0.1", *values)
            return run.table("bodies")[2]["y"]

        self.near(top(1.02 * needed), 1 + math.sqrt(3), 1e-6)
        self.assertLess(top(0.98 * needed), 1 + math.sqrt(3) - 1e-3)

    def test_cohesion_holds_stops_and_lets_go(self):
        run = self.run_example("cohesion")
        frames = run.frames("bodies")
        dt, tension, reach = 1e-3, 25, 0.06
        held, pulled, stopped, free = frames[-1][1][:4]
        self.near(held["z"], -0.5, 1e-12)
        self.near(stopped["vz"], 0, 1e-12)
        # v dt / 2 is what implicit Euler loses on the way: v_n = 1 - 25 n dt, 40 steps
        self.near(-0.5 - stopped["z"], 0.02 - dt / 2, 1e-9)
        self.close(-free["vz"], 1, 1e-9)
        leaves = math.sqrt(2 * reach / 5)
        for time, balls in frames:
            expected = 5 * time if time < leaves else 5 * leaves + 30 * (time - leaves)
            self.near(-balls[1]["vz"], expected, 30 * dt)
            for ball, before in zip(balls[4:], frames[0][1][4:]):
                self.near(ball["z"], before["z"], 1e-9)
        contacts = {(c["a"], c["b"]): c for c in run.table("contacts")}
        self.close(contacts[0, -1]["force_n"], -20, 1e-9)
        self.near(contacts[0, -1]["opening"], 0, 1e-9)
        self.close(contacts[2, -1]["opening"], 0.5 / tension, 1e-9)
        chain = [c for (a, b), c in contacts.items() if a >= 4 and c["opening"] >= 0]
        self.assertEqual(len(chain), 5)
        for contact in chain:
            self.close(contact["force_n"], -20, 1e-9)
        self.assertEqual(run.table("steps")[-1]["bonds"], 7)  # two are broken
        for gone in (1, 3):
            self.assertTrue(contacts.get((gone, -1), {"opening": -1})["opening"] < 0)
        # two bonds broken, and one opened by 0.02
        self.close(dissipated(run.table("steps"), "cohesion"), 2 * 25 * 0.06 + 0.5, 1e-3)
        self.parts_add_up(run)

    def test_restitution_follows_newtons_law(self):
        run = self.run_example("restitution")
        frames = run.frames("bodies")
        dt, e = 1e-3, (0.9, 0.5, 0)
        for k in range(3):
            speeds = [balls[k]["vz"] for _, balls in frames]
            heights = [balls[k]["z"] - 0.1 for _, balls in frames]
            hit = next(i for i in range(1, len(speeds)) if speeds[i] > speeds[i - 1] + 0.1)
            self.near(frames[hit][0], 0.3, 1.5 * dt)
            self.near(-speeds[hit - 1], 3, 15 * dt)
            if k < 2:
                self.close(speeds[hit], -e[k] * speeds[hit - 1], 1e-12, "Newton's law")
                rise = max(heights[hit:hit + 600])
                self.close(rise, e[k] ** 2 * 0.45, 0.02)
        self.near(frames[-1][1][1]["vz"], 0, 1e-12)
        # sqrt(2 h / g) (1 + e) / (1 - e) = 0.9, up to an error of a step per bounce
        rest = next(t for t, balls in frames if all(abs(b["vz"]) < 1e-9 for b in balls[1:2]) and t > 0.1)
        self.near(rest, 0.9, 0.05)
        self.near(frames[-1][1][2]["z"], 0.1, 1e-9)
        self.parts_add_up(run)

    def test_cradles_with_and_without_gaps(self):
        run = self.run_example("cradle")
        start = [-0.02, 1.001, 2.002, 3.003, 4.004]
        for time, balls in run.frames("bodies")[1:]:
            for k in range(5):
                last = k == 4
                self.near(balls[k]["vx"], float(last), 1e-12)
                met = start[k + 1] - 1 if not last else start[k] + time - 0.024
                self.near(balls[k]["x"], met, 1e-12)
                self.near(balls[5 + k]["vx"], -0.6 if k == 0 else 0.4, 1e-9)
        for step in run.table("steps"):
            self.near(step["dissipation"], 0, 1e-9)
        self.parts_add_up(run)

    def theta_case(self, theta, *values):
        run = self.run_example("theta", *values)
        e, h, a = (1 - theta) / theta, 0.01, 2
        for n, (time, balls) in enumerate(run.frames("bodies")):
            if n > 0:
                self.close(balls[0]["vx"], e, 1e-12)
                self.close(balls[1]["vx"], -e / 2, 1e-12)
                self.close(balls[2]["vx"], e / 2, 1e-12)
            self.near(balls[3]["x"], 4 + a * h * h * n * (n - 1 + 2 * theta) / 2, 1e-13)
        self.parts_add_up(run)

    def test_theta_sets_the_restitution(self):
        self.theta_case(0.6)

    def test_theta_one_half_is_elastic(self):
        self.theta_case(0.5, "time.theta=0.5")

    def test_springs_sink_by_their_load(self):
        run = self.run_example("compliance")
        balls = run.table("bodies")
        height = 0
        for k, ball in enumerate(balls[:5]):
            height += (0.1 if k == 0 else 0.2) - (5 - k) * 10 / 2e4  # contact below 5 - k balls
            self.near(ball["z"], height, 1e-9)
        self.near(balls[5]["x"] - 1, 2 / 1e4, 1e-9)
        self.near(balls[5]["z"], 0.1 - 10 / 2e4, 1e-9)
        # N^2 / 2k of every contact, and T^2 / 2k_t of the crate's
        stored = sum((10 * k) ** 2 for k in range(1, 6)) / 4e4 + 100 / 4e4 + 4 / 2e4
        self.close(run.table("steps")[-1]["energy_elastic"], stored, 1e-8)
        self.parts_add_up(run)

    def test_array_with_blocks_has_the_exact_force(self):
        # independent value, found without an iterative solver; the blocks weigh a millionth of a disk
        run = self.run_example("array_blocks")
        for _, (plane, driver, brake) in run.frames("walls")[1:]:
            self.close(plane["force_x"] / 30, 0.07451841, 1e-7)
            self.close(driver["force_x"], -3, 1e-6)
            self.close(brake["force_x"], 0.01, 1e-4)

    def test_all_laws_dissipate_and_stay_within_bounds(self):
        run = self.run_example("all_laws")
        self.parts_add_up(run)
        steps = run.table("steps")
        for law in LAWS:
            self.assertGreater(dissipated(steps, law), 0, law)
        self.assertGreater(max(step["bonds"] for step in steps), 0)
        self.assertGreater(max(step["energy_elastic"] for step in steps), 0)
        self.assertEqual({step["unsettled"] for step in steps}, {0})
        for contact in run.table("contacts"):
            bound = 0.7 * (max(contact["force_n"], 0) + 10)  # the largest friction, and cohesion
            slide = math.hypot(contact["force_tx"], contact["force_ty"], contact["force_tz"])
            self.assertLessEqual(slide, bound)


class Soft(runs.ExampleTest):
    def test_soft_ball_slides_then_rolls(self):
        run = self.run_example("soft")
        self.assertIn("chosen for the stiffest pair", run.messages)
        v0, mu, g, r = 7, 0.2, 10, 0.5
        for time, (ball,) in run.frames("bodies"):
            if 0.05 < time < 0.95:
                self.close(ball["vx"], v0 - mu * g * time, 1e-3)
            elif time > 1.05:
                self.close(ball["vx"], 5 / 7 * v0, 1e-3)
                self.close(ball["wy"], 5 / 7 * v0 / r, 1e-2)
        self.close(0.5 - ball["z"], g / 1e5, 1e-2)  # m g / stiffness


if __name__ == "__main__":
    sys.exit(unittest.main())
