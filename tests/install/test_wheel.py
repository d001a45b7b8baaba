"""The wheel, made of the library and program that are built, works in an environment of its own, far from the sources."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import tomllib
import unittest
import venv
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python" / "wheel"))
import backend  # noqa: E402

HIDDEN = ("SCREE_LIBRARY", "PYTHONPATH", "SCREE", "SCREE_PYTHON", "LD_LIBRARY_PATH", "LD_PRELOAD")
WORLD = """
import scree
world = scree.World(time_step=0.1, gravity=(0, 0, -10))
world.add_grains([[0, 0, 1]], radius=0.1, material=world.add_material(density=1))
world.step()
print(scree.__file__, world.velocity[0, 2])
"""


class Wheel(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp()).resolve()
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        backend.BUILD = pathlib.Path(os.environ["SCREE_BUILD"])
        backend.compile_all = lambda options: None  # the build that is there
        cls.wheel = cls.folder / backend.build_wheel(str(cls.folder))
        venv.create(cls.folder / "env", system_site_packages=True, with_pip=True)
        cls.call("python", "-m", "pip", "install", "--no-index", "--no-deps", str(cls.wheel))

    @classmethod
    def call(cls, program, *words):
        """Runs a program of the environment; returns what it printed."""
        environment = {name: value for name, value in os.environ.items() if name not in HIDDEN}
        result = subprocess.run([str(cls.folder / "env" / "bin" / program), *words], env=environment, cwd=cls.folder,
                                capture_output=True, text=True)
        if result.returncode != 0:
            raise AssertionError(f"{program} {words}: {result.returncode}\n{result.stdout}{result.stderr}")
        return result.stdout + result.stderr

    def test_the_package_finds_its_library(self):
        place, speed = self.call("python", "-c", WORLD).split()
        self.assertTrue(place.startswith(str(self.folder)), place)
        self.assertAlmostEqual(float(speed), -1)

    def test_the_program_runs_and_draws(self):
        scene = ROOT / "examples" / "collision.yaml"
        self.call("scree", "run", str(scene), "-o", "hit.h5", "-q")
        self.call("scree", "plot", "hit.h5", "-o", "hit.png")
        self.assertEqual((self.folder / "hit.png").read_bytes()[:4], b"\x89PNG")

    def test_pip_knows_and_checks_every_file(self):
        told = self.call("python", "-m", "pip", "show", "--files", "scree")
        for name in ("scree/libscree.so", "scree/bin/scree", "scree/py.typed", "scree/plot/__init__.py"):
            self.assertIn(name, told)

    def test_the_system_s_libraries_are_told(self):
        """By another program than the one that made the list."""
        with zipfile.ZipFile(self.wheel) as files:
            listed = set(files.read("scree/NEEDED.txt").decode().split())
        told = self.call("python", "-c", "import subprocess, scree, pathlib; print(subprocess.run(['readelf', '-d', "
                         "pathlib.Path(scree.__file__).parent / 'libscree.so'], capture_output=True, text=True).stdout)")
        wanted = {line.split("[")[1].rstrip("]") for line in told.splitlines() if "(NEEDED)" in line}
        self.assertTrue(any(name.startswith("libhdf5") for name in listed), listed)
        self.assertEqual({name for name in wanted if not name.startswith(backend.SYSTEM)} - listed, set())

    def test_versions_agree(self):
        with open(ROOT / "pyproject.toml", "rb") as file:
            version = tomllib.load(file)["project"]["version"]
        self.assertIn(f"scree {version}", self.call("scree", "--version"))


if __name__ == "__main__":
    unittest.main()
