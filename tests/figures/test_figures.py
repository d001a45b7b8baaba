"""The figures in their small form: every one is made, judged and agrees; the command behaves."""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "figures"), str(ROOT / "python")]

import page  # noqa: E402
import run  # noqa: E402
import toolkit  # noqa: E402


def scree(*words: str) -> subprocess.CompletedProcess:
    return subprocess.run([os.environ["SCREE"], *words], capture_output=True, text=True)


class Checks(unittest.TestCase):
    """A check can fail."""

    def test_checks_can_pass_and_fail(self) -> None:
        nan = float("nan")
        self.assertTrue(toolkit.close("x", 2.0, 2.02, 0.011).agrees)
        self.assertFalse(toolkit.close("x", 2.0, 2.03, 0.011).agrees)
        self.assertFalse(toolkit.close("x", 2.0, nan, 1e9).agrees)
        self.assertTrue(toolkit.near("x", 0.0, -0.1, 0.11).agrees)
        self.assertFalse(toolkit.near("x", 0.0, -0.12, 0.11).agrees)
        self.assertFalse(toolkit.near("x", 0.0, nan, 1.0).agrees)
        self.assertTrue(toolkit.below("x", 1.0, 1.0).agrees)
        self.assertFalse(toolkit.below("x", 1.0, nan).agrees)
        self.assertTrue(toolkit.above("x", 1.0, 1.0).agrees)
        self.assertFalse(toolkit.above("x", 1.0, 0.9).agrees)
        self.assertFalse(toolkit.holds("x", "a", "b", False).agrees)

    def test_no_checks_is_no_agreement(self) -> None:
        figure = toolkit.Figure("array", "Fig. 0", "none", "", lambda quick: {}, lambda data: None, lambda data, quick: [])
        self.assertFalse(toolkit.verdict("none", figure, [], True)["agrees"])


class LongFigures(unittest.TestCase):
    """A measurement in parts: each is stored separately, later stages see earlier ones, and existing parts are kept."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.output = pathlib.Path(folder.name)
        parts = toolkit.Parts(lambda quick: [["two", "three"], ["product"]], self.make)
        self.figure = toolkit.Figure("array", "Fig. 0", "none", "", parts, lambda data: None, lambda data, quick: [])
        patch = unittest.mock.patch.object(run, "load", lambda name: self.figure)
        patch.start()
        self.addCleanup(patch.stop)

    @staticmethod
    def make(name, quick, done):
        if name == "product":
            return {"value": done("two")["value"] * done("three")["value"]}
        return {"value": {"two": 2, "three": 3}[name]}

    def workshop(self, resume: bool) -> tuple[run.Workshop, list[str]]:
        made = []
        given = argparse.Namespace(output=self.output, jobs=2, quick=True, resume=resume, parts=True)

        def here(self: run.Workshop, name: str, part: str) -> str:
            made.append(part)
            run.make_part(name, part, given.output / name, given.quick)
            return ""

        patch = unittest.mock.patch.object(run.Workshop, "run", here)
        patch.start()
        self.addCleanup(patch.stop)
        return run.Workshop(given), made

    def test_later_stages_see_earlier_ones(self) -> None:
        workshop, made = self.workshop(resume=False)
        self.assertEqual(workshop.parts("none"), "")
        self.assertEqual(sorted(made[:2]), ["three", "two"])
        self.assertEqual(made[2:], ["product"])
        data = run.measured(self.figure, self.output / "none", True)
        self.assertEqual({name: part["value"] for name, part in data.items()}, {"two": 2, "three": 3, "product": 6})

    def test_resume_keeps_finished_parts(self) -> None:
        run.make_part("none", "two", self.output / "none", True)
        workshop, made = self.workshop(resume=True)
        workshop.parts("none")
        self.assertEqual(made, ["three", "product"])
        workshop, made = self.workshop(resume=False)
        workshop.parts("none")
        self.assertEqual(len(made), 3)


class Page(unittest.TestCase):
    def test_figures_not_made_again_keep_their_sections(self) -> None:
        def figure(title: str) -> toolkit.Figure:
            return toolkit.Figure("review", "Fig. 1", title, f"About {title}.", lambda quick: {}, lambda data: None,
                                  lambda data, quick: [])

        figures = {"one": figure("A figure"), "two": figure("Another")}
        with tempfile.TemporaryDirectory() as folder:
            output, docs = pathlib.Path(folder) / "out", pathlib.Path(folder) / "docs"
            docs.mkdir()

            def judged(name: str, measured: float) -> None:
                (output / name).mkdir(parents=True, exist_ok=True)
                (output / name / "figure.svg").write_text("<svg/>")
                checks = [toolkit.near("a number", 1, measured, 0.1)]
                toolkit.write_json(output / name / "verdict.json", toolkit.verdict(name, figures[name], checks, False))

            judged("one", 1.0)
            judged("two", 1.0)
            page.write_page(docs / "page.md", output, figures, ["one", "two"])
            before = (docs / "page.md").read_text(encoding="utf-8")
            self.assertIn("2 of 2 agree.", before)
            judged("two", 2.0)
            page.write_page(docs / "page.md", output, figures, ["two"])
            after = (docs / "page.md").read_text(encoding="utf-8")
            self.assertIn("1 of 2 agree.", after)
            begin, end = before.index("### Fig. 1: A figure"), before.index("### Fig. 1: Another")
            self.assertIn(before[begin:end], after)
            self.assertIn("| a number | 1 | 2 | within 0.1 | **does not agree** |", after)
            judged("two", 1.0)
            page.write_page(docs / "page.md", output, figures, ["two"])
            self.assertEqual((docs / "page.md").read_text(encoding="utf-8"), before)


class Command(unittest.TestCase):
    def test_list_names_every_figure(self) -> None:
        done = scree("figures", "--list")
        self.assertEqual(done.returncode, 0, done.stderr)
        names = [line.split()[0] for line in done.stdout.splitlines()]
        self.assertEqual(names, sorted(path.parent.name for path in (ROOT / "figures").glob("*/figure.py")))

    def test_unknown_figures_are_refused(self) -> None:
        done = scree("figures", "no_such_figure")
        self.assertEqual(done.returncode, 2)
        self.assertIn("no_such_figure", done.stderr)

    def test_figures_without_a_small_form_are_left_out_of_quick_runs(self) -> None:
        done = scree("figures", "--quick", "--list")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("experiment_haff", done.stdout)
        self.assertNotIn("experiment_rheology", done.stdout)
        done = scree("figures", "--quick", "experiment_rheology")
        self.assertEqual(done.returncode, 2)
        self.assertIn("experiment_rheology has no small form: leave out --quick", done.stderr)

    def test_bad_folders_and_job_counts_are_refused(self) -> None:
        done = scree("figures", "array_fig06", "-o", "/proc/nowhere")
        self.assertEqual(done.returncode, 1)
        self.assertIn("/proc/nowhere: cannot create the folder", done.stderr)
        self.assertNotIn("Traceback", done.stderr)
        done = scree("figures", "array_fig06", "-j", "0")
        self.assertEqual(done.returncode, 2)
        self.assertIn("at least 1", done.stderr)

    def test_every_quick_figure_agrees(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            output = pathlib.Path(folder)
            done = scree("figures", "--quick", "-o", folder)
            self.assertEqual(done.returncode, 0, done.stderr)
            made = sorted(path.parent for path in output.glob("*/verdict.json"))
            self.assertEqual([path.name for path in made], [name for name in run.names() if run.load(name).small])
            for figure in made:
                verdict = json.loads((figure / "verdict.json").read_text(encoding="utf-8"))
                self.assertEqual(set(verdict), {"name", "paper", "figure", "title", "quick", "checks", "agrees"})
                self.assertTrue(verdict["checks"])
                for name in ("data.json", "figure.svg", "figure.png"):
                    self.assertGreater((figure / name).stat().st_size, 200, figure / name)
                self.assertIn(f"scree figures {figure.name}`", (output / "index.md").read_text(encoding="utf-8"))


if __name__ == "__main__":
    unittest.main()
