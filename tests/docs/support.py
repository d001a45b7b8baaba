"""What these tests share: pages and tables of runs."""
import os
import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ["SCREE"]
sys.path.insert(0, str(ROOT / "tools"))
import pages  # noqa: F401, for the tests


def compact(text):
    """Without blanks, line ends and comments."""
    return "".join("".join(line.split("#")[0].split()) for line in text.splitlines())


class PageTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)

    def close(self, found, expected, relative, what=""):
        self.assertLessEqual(abs(found - expected), relative * abs(expected), f"{what} {found} instead of {expected}")
