"""The tutorial: all its commands and its code run, and its scenes do what the page says."""
import csv
import re
import unittest

import numpy as np

import scree
from support import PROGRAM, ROOT, PageTest, compact, pages

PAGE = ROOT / "docs" / "tutorial.md"
STEPS = ("tutorial_1_pour", "tutorial_2_walls", "tutorial_3_piston", "tutorial_4_compress", "tutorial_5_biaxial",
         "tutorial_6_solids")
GRAVITY = 9.81


class Tutorial(PageTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.told = []
        pages.run(PAGE, PROGRAM, cls.folder, cls.told)

    def end(self, name):
        run = scree.open_run(self.folder / f"{name}.h5")
        self.addCleanup(run.close)
        return run, run.frames[-1]

    def load(self, frame, name, axis):
        """What a wall carries."""
        return {wall.name: wall for wall in frame.walls}[name].load[axis]

    def test_scenes_are_those_of_the_page(self):
        """Every line of YAML that the page shows stands in the scene of its step."""
        parts = re.split(r"^## (?=\d)", PAGE.read_text(), flags=re.M)[1:]
        self.assertEqual(len(parts), len(STEPS))
        for part, name in zip(parts, STEPS):
            scene = compact((ROOT / "examples" / f"{name}.yaml").read_text())
            self.assertIn(f"(../examples/{name}.yaml)", part)
            for text in re.findall(r"^```yaml\n(.*?)^```", part, re.M | re.S):
                for line in text.splitlines():
                    self.assertIn(compact(line), scene, line)

    def test_every_picture_is_made_and_small(self):
        names = pages.pictures(PAGE)
        self.assertEqual(len(names), 8)
        for name in names:
            self.assertGreater((self.folder / name).stat().st_size, 5000, name)
            self.assertLess((ROOT / "docs" / "pictures" / name).stat().st_size, 120_000, name)

    def test_commands_print_what_the_page_shows(self):
        """Word by word, and as many numbers; what the numbers are is for the other tests."""
        printed = 0
        for number, (language, text) in enumerate(pages.blocks(PAGE)):
            if language == "text":
                printed += 1
                self.assertIsNotNone(pages.shown(text, self.told[number - 1]), text)
        self.assertGreater(printed, 8)
        self.assertIsNone(pages.shown("one 1\n...\nfour 4\n", "one 1.5e-3\ntwo\nfive 4\n"))
        self.assertEqual(pages.shown("one 1\n...\nfour  4\n", "one 1.5e-3\ntwo\nfour -5\n"), "one 1.5e-3\n...\nfour -5\n")

    def test_all_steps_converge(self):
        for name in ("pour", "walls", "piston", "compress", "biaxial"):
            run, _ = self.end(name)
            self.assertTrue(np.all(run.certificate.converged == 1), name)
            self.assertLess(run.certificate.overlap_max.max(), 0.01 * 0.02, name)

    def test_rocks_and_the_slab_are_at_rest(self):
        """The tray carries the weight of all, the rocks that of the slab, and overlaps are as small as the page says."""
        run, frame = self.end("solids")
        self.assertTrue(np.all(run.certificate.converged == 1))
        self.assertLess(run.certificate.overlap_max.max(), 1e-3 * frame.radius.mean())
        carried = -sum(wall.load[2] for wall in frame.walls)
        self.close(carried, GRAVITY * frame.mass.sum(), 0.01, "weight")
        with open(self.folder / "contacts.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        slab, up = "100", 0.0
        for row in rows:
            # forces act on b, along the normal from a to b
            side = (row["b"] == slab) - (row["a"] == slab)
            if side:
                up += side * (float(row["force_n"]) * float(row["nz"]) + float(row["force_tz"]))
        self.close(up, GRAVITY * frame.mass[100], 0.01, "weight of the slab")

    def test_floor_and_sides_carry_the_poured_weight(self):
        """The floor and the friction at the sides carry the weight; without friction the packing is denser."""
        _, frame = self.end("pour")
        carried = -sum(wall.load[1] for wall in frame.walls)
        self.close(carried, GRAVITY * frame.mass.sum(), 0.02, "weight")
        rough, slick = (scree.measures.state(self.end(name)[1]) for name in ("pour", "slick"))
        self.assertGreater(slick.solid_fraction, rough.solid_fraction)

    def test_smooth_sides_carry_no_weight(self):
        """Smooth sides carry no weight, floor and hump all of it."""
        _, frame = self.end("walls")
        for side in ("tank.left", "tank.right"):
            self.assertEqual(self.load(frame, side, 1), 0)
        carried = -self.load(frame, "tank.bottom", 1) - self.load(frame, "hump", 1)
        self.close(carried, GRAVITY * frame.mass.sum(), 0.005, "weight")

    def test_stress_under_the_piston_is_force_over_width(self):
        """Force over width; and the moment of the wall forces is the stress times the volume."""
        _, frame = self.end("piston")
        state = scree.measures.state(frame)
        self.close(self.load(frame, "lid", 1), 3000, 0.01, "load on the lid")
        self.close(state.stress_yy, 3000, 0.02, "vertical stress")
        self.assertLess(state.stress_xx, 0.95 * state.stress_yy)  # friction bears part of the difference
        lid = {wall.name: wall for wall in frame.walls}["lid"]
        height = 1.1 + lid.displacement[1]
        side = -self.load(frame, "tank.left", 0), self.load(frame, "tank.right", 0)
        self.close(state.stress_xx, np.mean(side) / height, 0.02, "horizontal stress")

    def test_frictionless_compression_is_nearly_isotropic(self):
        """Frictionless disks bear little difference of stress: less than (1 + sin 8) / (1 - sin 8) = 1.32 of angles in
        degrees. And they are held by as many contacts as they have motions that these can hinder, two for each: on
        average 4 partners, since a contact belongs to two, and less at the walls, where 16 grains lie at each side of
        250: their contacts belong to one."""
        _, frame = self.end("compress")
        state = scree.measures.state(frame)
        self.close(state.stress_xx, 10000, 0.02, "pressure")
        self.assertLess(max(state.stress_xx, state.stress_yy) / min(state.stress_xx, state.stress_yy), 1.32)
        self.assertLess(state.coordination_backbone, 4)
        self.assertGreater(state.coordination_backbone, 4 * (1 - 64 / 250 / 4) - 0.2)

    def test_biaxial_sample_dilates_under_a_higher_stress(self):
        """The side keeps its stress, the plate finds a larger one, and the sample dilates."""
        run, _ = self.end("biaxial")
        rows = scree.measures.recorded(run)["all"]
        test = rows[rows.time >= 1.2]
        self.close(np.mean(test.stress_xx), 10000, 0.02, "stress on the side")
        sine = np.mean((test.stress_yy - test.stress_xx) / (test.stress_yy + test.stress_xx))
        # more than frictionless disks bear, and less than if every contact slid in the worst
        # direction, tan = 0.5
        self.assertGreater(sine, np.sin(np.radians(10)))
        self.assertLess(sine, np.sin(np.arctan(0.5)) + 0.1)
        self.assertLess(test.solid_fraction[-1], test.solid_fraction[0] - 0.003)
        last = {wall.name: wall for wall in run.frames[-1].walls}["plate"]
        self.assertAlmostEqual(last.displacement[1], -0.08, places=9)


if __name__ == "__main__":
    unittest.main()
