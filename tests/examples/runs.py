"""Runs a scene of examples/ into a temporary folder and reads its tables."""
import csv
import os
import pathlib
import subprocess
import tempfile
import unittest

PROGRAM = os.environ["SCREE"]
ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"


def number(text):
    try:
        return float(text)
    except ValueError:
        return text


class Run:
    """One run: tables are lists of rows, and a row gives its columns by name as numbers or words."""

    def __init__(self, name, folder, define=()):
        self.path = str(pathlib.Path(folder) / (pathlib.Path(name).name + ".h5"))
        words = [word for value in define for word in ("-D", value)]
        call("check", "-q", str(EXAMPLES / (name + ".yaml")), *words)
        self.messages = call("run", str(EXAMPLES / (name + ".yaml")), "-o", self.path, "--force",
                             *words).stderr

    def table(self, what, *options):
        text = call("table", self.path, "--what", what, *options).stdout
        return [{key: number(value) for key, value in row.items()}
                for row in csv.DictReader(text.splitlines())]

    def frames(self, what):
        """All frames: a list of (time, rows)."""
        found = {}
        for row in self.table(what, "--all"):
            found.setdefault(row["frame"], (row["time"], []))[1].append(row)
        return [found[key] for key in sorted(found)]


def call(*words):
    result = subprocess.run([PROGRAM, *words], capture_output=True, text=True, timeout=600)
    if result.returncode != 0:
        raise AssertionError(f"scree {' '.join(words)}: exit status {result.returncode}\n{result.stderr}")
    return result


class ExampleTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def run_example(self, name, *define):
        return Run(name, self.folder, define)

    def near(self, found, expected, within, what=""):
        """Equal up to an absolute error."""
        self.assertLessEqual(abs(found - expected), within, f"{what} {found} instead of {expected}")

    def close(self, found, expected, relative, what=""):
        self.near(found, expected, relative * abs(expected), what)

    def energy_is_balanced(self, run, gravity, axis="y"):
        """Work of gravity is the loss of height (exactly so in implicit Euler), and the certificate's
        balance leaves rounding only."""
        steps, frames = run.table("steps"), run.frames("bodies")
        first, last = frames[0][1], frames[-1][1]
        fallen = sum(a["mass"] * (a[axis] - b[axis]) for a, b in zip(first, last))
        work = sum(step["work_external"] for step in steps)
        lifted = sum(step["energy_projected"] for step in steps)  # where overlaps were pushed apart
        largest = max(abs(step["kinetic_energy"]) for step in steps) + abs(work)
        self.near(work - lifted, gravity * fallen, 1e-9 * largest, "work of gravity")
        self.near(sum(abs(step["energy_error"]) for step in steps), 0, 1e-9 * largest, "energy error")
        # contacts only ever take energy away, as far as the steps converged
        fastest = max(step["kinetic_energy"] for step in steps)
        self.assertGreaterEqual(min(step["dissipation"] for step in steps), -1e-4 * fastest)
