"""'scree plot': pictures of a run file from the command line, and what it says when something is missing."""
import contextlib
import io
import os
import pathlib
import re
import stat
import sys
import tempfile
import unittest
import xml.etree.ElementTree

from scree import _command
from support import call, run_scene, write_heap


class Command(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.holder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.holder.cleanup)
        cls.folder = pathlib.Path(cls.holder.name)
        cls.run_path = run_scene(write_heap(cls.folder), cls.folder)
        cls.recorder = cls.folder / "recorder"
        cls.recorder.write_text('#!/bin/sh\nprintf "%s\\0" "$@" >recorded\n')
        cls.recorder.chmod(0o755)

    def draw(self, *arguments):
        """Draws by what the program starts, in this process: loading the libraries takes longer than most pictures."""
        with contextlib.redirect_stderr(io.StringIO()) as said, contextlib.redirect_stdout(io.StringIO()) as printed:
            with contextlib.chdir(self.folder):
                status = _command.main(list(arguments))
        self.assertEqual((status, printed.getvalue()), (0, ""), said.getvalue())
        return said.getvalue()

    def plot_here(self, *words):
        """What the program would start Python with, done here."""
        self.plot(*words, SCREE_PYTHON=str(self.recorder))
        script, *arguments = (self.folder / "recorded").read_text().split("\0")[:-1]
        self.assertTrue(os.path.samefile(script, _command.__file__), script)
        return self.draw(*arguments)

    def plot(self, *words, status=0, **environment):
        return call("plot", *words, status=status, folder=self.folder, **environment)

    def kinds(self):
        """The pictures that the program offers."""
        said = self.plot("heap.h5", "--what", "no such picture", status=2)
        return re.search(r"must be one of ([a-z|]+)", said)[1].split("|")

    def test_every_kind_of_picture_is_drawn(self):
        kinds = self.kinds()
        self.assertEqual(len(kinds), 13)
        kinds.remove("bonds")  # of which a heap has none
        for what in kinds:
            path = self.folder / f"{what}.png"
            said = self.draw(str(self.run_path), "--what", what, "--output", str(path))
            self.assertEqual(path.read_bytes()[:8], b"\x89PNG\r\n\x1a\n")
            self.assertGreater(path.stat().st_size, 10_000)
            self.assertIn(f"{what}.png: {what}", said)
            self.assertEqual(len(said.splitlines()), 1)

    def test_a_run_without_bonds_has_no_picture_of_them(self):
        self.assertIn("nothing is glued", self.plot("heap.h5", "--what", "bonds", status=1))

    def test_the_program_starts_the_drawing(self):
        """And drawing needs no shared library."""
        said = self.plot("heap.h5", "--what", "grains", SCREE_LIBRARY="/no/library.so")
        self.assertEqual((self.folder / "heap-grains.png").read_bytes()[:8], b"\x89PNG\r\n\x1a\n")
        self.assertIn("heap-grains.png: grains", said)
        self.assertEqual(len(said.splitlines()), 1)

    def test_options_choose_frame_and_file(self):
        self.assertIn("time 0.3", self.plot_here("heap.h5", "--time", "0.31", "-o", "a.svg"))
        self.assertTrue(xml.etree.ElementTree.parse(self.folder / "a.svg").getroot().tag.endswith("svg"))
        self.assertIn("time 0.1", self.plot_here("heap.h5", "--frame", "1", "-o", "b.pdf"))
        self.assertIn("time 0.6", self.plot_here("heap.h5", "--frame", "-1", "-o", "b.png"))
        self.assertEqual(self.plot_here("heap.h5", "-q", "-o", "-strange name.png"), "")
        self.assertTrue((self.folder / "-strange name.png").exists())
        (self.folder / "-o.h5").write_bytes(self.run_path.read_bytes())
        self.plot_here("-q", "--", "-o.h5")
        self.assertTrue((self.folder / "-o-grains.png").exists())

    def one_error(self, said, *words):
        self.assertEqual([line for line in said.splitlines() if "error" in line], said.splitlines(), said)
        self.assertEqual(len(said.splitlines()), 1, said)
        for word in words:
            self.assertIn(word, said)

    def test_mistakes_are_told(self):
        self.one_error(self.plot(status=2), "needs RUN.h5")
        self.one_error(self.plot("heap.h5", "--what", "beauty", status=2), "must be one of grains|chains")
        self.one_error(self.plot("heap.h5", "--frame", "99", status=2), "--frame 99")
        self.one_error(self.plot("heap.h5", "--frame", "1", "--time", "1", status=2))
        self.one_error(self.plot("heap.h5", "-o", "a.gif", status=2), "a.gif", ".png, .svg or .pdf")
        self.one_error(self.plot("nowhere.h5", status=65), "nowhere.h5: cannot open")
        self.one_error(self.plot("heap.yaml", status=65), "is not a run of scree")
        self.one_error(self.plot("heap.h5", "-o", "nowhere/a.png", status=1), "nowhere/a.png")
        self.one_error(self.plot("heap.h5", "--what", "forces", "--frame", "0", "--force", status=1), "no contact")

    def test_missing_python_is_told(self):
        self.one_error(self.plot("heap.h5", "--force", status=1, SCREE_PYTHON="/no/python"), "cannot run /no/python",
                       "apt install python3")

    def test_missing_packages_are_told(self):
        """A Python with nothing but its standard library says what it lacks, and how to get it."""
        bare = self.folder / "bare-python"
        bare.write_text(f'#!/bin/sh\nexec "{sys.executable}" -S -E "$@"\n')
        bare.chmod(bare.stat().st_mode | stat.S_IXUSR)
        said = self.plot("heap.h5", "--force", status=1, SCREE_PYTHON=str(bare))
        self.one_error(said, "plots need numpy, h5py, matplotlib",
                       "apt install python3-numpy python3-h5py python3-matplotlib")


if __name__ == "__main__":
    unittest.main()
