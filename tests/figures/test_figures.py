"""The figures in their small form: every one is made, judged and agrees; the command behaves."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "figures"), str(ROOT / "python")]

import toolkit  # noqa: E402


def scree(*words: str) -> subprocess.CompletedProcess:
    return subprocess.run([os.environ["SCREE"], *words], capture_output=True, text=True)


class Checks(unittest.TestCase):
    """A check can fail."""

    def test_both_ways(self) -> None:
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


class Command(unittest.TestCase):
    def test_list(self) -> None:
        done = scree("figures", "--list")
        self.assertEqual(done.returncode, 0, done.stderr)
        names = [line.split()[0] for line in done.stdout.splitlines()]
        self.assertEqual(names, sorted(path.parent.name for path in (ROOT / "figures").glob("*/figure.py")))

    def test_unknown(self) -> None:
        done = scree("figures", "no_such_figure")
        self.assertEqual(done.returncode, 2)
        self.assertIn("no_such_figure", done.stderr)

    def test_bad_folder_and_jobs(self) -> None:
        done = scree("figures", "array_fig06", "-o", "/proc/nowhere")
        self.assertEqual(done.returncode, 1)
        self.assertIn("/proc/nowhere: cannot make the folder", done.stderr)
        self.assertNotIn("Traceback", done.stderr)
        done = scree("figures", "array_fig06", "-j", "0")
        self.assertEqual(done.returncode, 2)
        self.assertIn("at least 1", done.stderr)

    def test_every_figure(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            output = pathlib.Path(folder)
            done = scree("figures", "--quick", "-o", folder)
            self.assertEqual(done.returncode, 0, done.stderr)
            made = sorted(path.parent for path in output.glob("*/verdict.json"))
            self.assertEqual(len(made), len(list((ROOT / "figures").glob("*/figure.py"))))
            for figure in made:
                verdict = json.loads((figure / "verdict.json").read_text(encoding="utf-8"))
                self.assertEqual(set(verdict), {"name", "paper", "figure", "title", "quick", "checks", "agrees"})
                self.assertTrue(verdict["checks"])
                for name in ("data.json", "figure.svg", "figure.png"):
                    self.assertGreater((figure / name).stat().st_size, 200, figure / name)
                self.assertIn(f"scree figures {figure.name}`", (output / "index.md").read_text(encoding="utf-8"))


if __name__ == "__main__":
    unittest.main()
