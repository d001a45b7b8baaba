"""Installed under any prefix, program, library and package find each other."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import scree
from support import write_heap


def bare_environment(**more):
    hidden = ("SCREE_LIBRARY", "PYTHONPATH", "SCREE", "LD_LIBRARY_PATH", "LD_PRELOAD")
    return {**{name: value for name, value in os.environ.items() if name not in hidden}, **more}


class Install(unittest.TestCase):
    def test_installed_parts_find_each_other(self):
        with tempfile.TemporaryDirectory() as folder:
            prefix = pathlib.Path(folder) / "some where"
            subprocess.run(["cmake", "--install", os.environ["SCREE_BUILD"], "--prefix", str(prefix)], check=True,
                           capture_output=True)
            packages = list(prefix.glob("lib/python3*/*-packages"))
            self.assertEqual(len(packages), 1)
            self.assertFalse(list(packages[0].rglob("__pycache__")))
            source = pathlib.Path(scree.__file__).parent
            copied = {path.relative_to(packages[0] / "scree") for path in packages[0].rglob("*.py")}
            own = {path.relative_to(source) for path in source.rglob("*.py")}
            self.assertEqual(copied - own, {pathlib.Path("_installed.py")})
            self.assertFalse(own - copied)
            moved = pathlib.Path(folder) / "moved"  # no path in it is absolute
            prefix.rename(moved)
            packages = next(moved.glob("lib/python3*/*-packages"))
            code = ("import scree; world = scree.World(time_step=1); print(scree.__file__); "
                    "import scree._library as l; print(l.library()._name)")
            result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True,
                                    env=bare_environment(PYTHONPATH=str(packages), PYTHONDONTWRITEBYTECODE="1"))
            for path in result.stdout.split("\n")[:2]:
                self.assertTrue(os.path.realpath(path).startswith(os.path.realpath(moved)), path)
            self.draws(moved / "bin" / "scree", folder)

    def draws(self, program, folder):
        write_heap(folder)
        for words in (["run", "heap.yaml", "-q", "-D", "time.end=0.1"], ["plot", "heap.h5"]):
            subprocess.run([str(program), *words], check=True, cwd=folder, env=bare_environment(), capture_output=True)
        self.assertTrue((pathlib.Path(folder) / "heap-grains.png").exists())

    def test_newest_library_of_the_build_tree_is_found(self):
        """Without being told where, it finds the newest library of the build tree that can be loaded."""
        code = "import scree, scree._library as l; scree.World(time_step=1); print(l.library()._name)"
        root = pathlib.Path(scree.__file__).resolve().parents[2]
        result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True,
                                env=bare_environment(PYTHONPATH=str(root / "python"), PYTHONDONTWRITEBYTECODE="1"))
        self.assertTrue(result.stdout.startswith(str(root / "build")), result.stdout)

    def test_missing_library_is_told(self):
        """Importing needs no library; making a world says what was tried."""
        code = "import scree\ntry:\n    scree.World(time_step=1)\nexcept scree.LibraryError as error:\n    print(error)"
        result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True,
                                env={**os.environ, "SCREE_LIBRARY": "/no/libscree.so"})
        self.assertIn("/no/libscree.so", result.stdout)
        self.assertIn("make build", result.stdout)
        with tempfile.TemporaryDirectory() as folder:  # a library of another kind
            other = pathlib.Path(folder) / "libscree.so"
            shutil.copy(next(pathlib.Path(path) for path in ("/lib/x86_64-linux-gnu/libz.so.1",
                                                             "/lib/aarch64-linux-gnu/libz.so.1", sys.executable)
                             if os.path.exists(path)), other)
            result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True,
                                    env={**os.environ, "SCREE_LIBRARY": str(other)})
            self.assertIn(str(other), result.stdout)


if __name__ == "__main__":
    unittest.main()
