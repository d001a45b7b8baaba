"""The guides: their commands run, in a separate folder for each page, and the numbers that they state are checked."""
import csv
import math
import unittest

import numpy as np

import scree
from support import PROGRAM, ROOT, PageTest, compact, pages

GUIDES = ROOT / "docs" / "guides"


class Guides(PageTest):
    def run_page(self, name):
        folder = self.folder / name
        folder.mkdir()
        return folder, pages.run(GUIDES / f"{name}.md", PROGRAM, folder)

    def test_every_guide_has_a_test(self):
        tested = {name.removeprefix("test_guide_") for name in dir(self) if name.startswith("test_guide_")}
        self.assertEqual({path.stem for path in GUIDES.glob("*.md")}, tested)

    def test_guide_choosing(self):
        """The chain's numbers: l = sqrt(4 q N) d, kappa = q m N / dt^2, c = sqrt(q N) d / dt."""
        folder, _ = self.run_page("choosing")
        q, sweeps = (4 * math.sqrt(math.e) - 5) / 2, 40
        with scree.open_run(folder / "chain.h5") as run:
            last = run.certificate[-1]
        text = (GUIDES / "choosing.md").read_text()
        for name, value, shown in (("diffusion_length", math.sqrt(4 * q * sweeps), "l = 11.3"),
                                   ("stiffness", q * sweeps, "κ = 31.9"), ("sound_speed", math.sqrt(q * sweeps), "c = 5.65")):
            self.close(last[name], value, 1e-12, name)
            self.assertIn(shown, text)
            self.close(float(shown.split()[-1]), value, 2e-3, name)

    def test_guide_certificate(self):
        folder, _ = self.run_page("certificate")
        self.assertGreater((folder / "certificate.png").stat().st_size, 5000)

    def test_guide_materials(self):
        self.run_page("materials")

    def test_guide_restarts(self):
        """Restarting a finished run adds nothing; another scene reads a packing with all digits."""
        folder = self.folder / "restarts"
        folder.mkdir()
        (folder / "examples").symlink_to(ROOT / "examples")
        first, again, later, compress, unload, table = (
            line for language, text in pages.blocks(GUIDES / "restarts.md") if language == ""
            for line in pages.commands(text))
        self.assertEqual(again.split("#")[0].split(), [*first.split("#")[0].split(), "--restart"])
        pages.call(PROGRAM, first.split("#")[0] + "-D time.end=0.1", folder)
        before = (folder / "dam.h5").stat().st_size
        pages.call(PROGRAM, again.split("#")[0] + "-D time.end=0.1", folder)
        with scree.open_run(folder / "dam.h5") as run:
            self.assertAlmostEqual(run.times[-1], 0.1)
        self.assertLess(abs((folder / "dam.h5").stat().st_size - before), 0.2 * before)
        pages.call(PROGRAM, later, folder)
        with scree.open_run(folder / "dam.h5") as run:
            self.assertAlmostEqual(run.times[-1], 0.2)
        pages.call(PROGRAM, compress, folder)
        scenes = [text for language, text in pages.blocks(GUIDES / "restarts.md") if language == "yaml"]
        (folder / "unload.yaml").write_text(scenes[0])
        pages.call(PROGRAM, unload + " -q", folder)
        with scree.open_run(folder / "compress.h5") as old, scree.open_run(folder / "unload.h5") as new:
            np.testing.assert_array_equal(old.frames[-1].position, new.frames[0].position)
            self.assertGreater(new.frames[-1].position[:, 0].max(), 1.2)  # the heap runs out where the piston was
        pages.call(PROGRAM, table, folder)
        scene = (ROOT / "examples" / "tutorial_4_compress.yaml").read_text()
        (folder / "again.yaml").write_text(scene.split("grains:")[0].replace("[1.1, 0]", "[0.8, 0]") + scenes[-1])
        pages.call(PROGRAM, "scree run again.yaml -D time.end=0.02 -q", folder)
        with scree.open_run(folder / "compress.h5") as old, scree.open_run(folder / "again.h5") as new:
            np.testing.assert_array_equal(old.frames[-1].position, new.frames[0].position)
            np.testing.assert_array_equal(old.frames[-1].velocity, new.frames[0].velocity)

    def test_guide_studies(self):
        """At rest, the floor carries the grains and the force on the piston, whatever the friction."""
        folder, _ = self.run_page("studies")
        with open(folder / "friction" / "runs.csv", newline="") as file:
            runs = list(csv.DictReader(file))
        self.assertEqual(len(runs), 6)
        for row in runs:
            with scree.open_run(folder / "friction" / row["run"]) as run:
                self.close(float(row["floor"]), run.frames[-1].mass.sum() * 9.81 + 2000, 1e-3, row["run"])
        phi = [np.mean([float(row["phi"]) for row in runs[at:at + 2]]) for at in (0, 2, 4)]
        self.assertGreater(phi[0], phi[2])  # smooth grains pack more densely
        example = (ROOT / "examples" / "studies" / "friction.yaml").read_text()
        shown = next(text for language, text in pages.blocks(GUIDES / "studies.md") if language == "yaml")
        self.assertEqual(compact(shown), compact(example))

    def test_guide_paraview_ovito(self):
        folder, _ = self.run_page("paraview_ovito")
        for name in ("hopper-vtp/bodies.pvd", "hopper-vtkhdf/bodies_000000.hdf", "hopper-dump/grains.dump"):
            self.assertTrue((folder / name).exists(), name)


if __name__ == "__main__":
    unittest.main()
