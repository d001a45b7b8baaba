"""Every script in python/examples runs, draws its pictures, and is named on the page."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import matplotlib.image
import numpy as np

from support import ROOT

SCRIPTS = sorted((ROOT / "python" / "examples").glob("*.py"))


class Examples(unittest.TestCase):
    def run_script(self, script):
        named = set(re.findall(r'"([\w-]+\.png)"', script.read_text()))
        self.assertTrue(named, script.name)
        with tempfile.TemporaryDirectory() as folder:
            result = subprocess.run([sys.executable, str(script), folder], capture_output=True, text=True, timeout=250,
                                    env=dict(os.environ))
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertTrue(result.stdout)
            self.assertEqual({path.name for path in pathlib.Path(folder).iterdir()}, named)
            for name in named:
                image = matplotlib.image.imread(pathlib.Path(folder) / name)[..., :3]
                self.assertGreater(min(image.shape[:2]), 200, name)
                self.assertGreater(np.mean(np.abs(image - image[0, 0]).max(axis=2) > 0.1), 0.01, name)

    def test_all_examples_are_on_the_page(self):
        page = (ROOT / "docs" / "python.md").read_text()
        self.assertGreaterEqual(len(SCRIPTS), 5)
        for script in SCRIPTS:
            self.assertIn(f"(../python/examples/{script.name})", page)


for _script in SCRIPTS:
    setattr(Examples, f"test_{_script.stem}", lambda self, script=_script: self.run_script(script))


if __name__ == "__main__":
    unittest.main()
