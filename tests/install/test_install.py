"""A separate project, built against the installed files; program, Python package and pages are where they belong."""
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest

BUILD, CC = os.environ["SCREE_BUILD"], os.environ.get("CC", "cc")
PROJECT = pathlib.Path(__file__).resolve().parent / "project"
ROOT = PROJECT.parents[2]
HIDDEN = ("SCREE_LIBRARY", "PYTHONPATH", "SCREE", "LD_LIBRARY_PATH", "LD_PRELOAD", "CMAKE_PREFIX_PATH", "DESTDIR")


def call(*words, **more):
    """Runs a command without anything that would help it to find the library elsewhere; returns what it printed."""
    environment = {name: value for name, value in os.environ.items() if name not in HIDDEN}
    result = subprocess.run([str(word) for word in words], env={**environment, **more}, capture_output=True, text=True)
    if result.returncode != 0:
        raise AssertionError(f"{words}: {result.returncode}\n{result.stdout}{result.stderr}")
    return result.stdout


class Install(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        """Staged into one folder, then moved to another with a blank in its name: no path may be absolute."""
        cls.folder = pathlib.Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        call("cmake", "--install", BUILD, "--prefix", "/opt/scree", DESTDIR=str(cls.folder / "stage"))
        cls.prefix = cls.folder / "some where"
        (cls.folder / "stage" / "opt" / "scree").rename(cls.prefix)
        left = [path for path in (cls.folder / "stage").rglob("*") if path.is_file()]
        assert not left, left
        cls.library = next(cls.prefix.rglob("libscree.so")).parent

    def test_every_file_is_installed(self):
        for name in ("bin/scree", "include/scree/scree.h", "share/man/man1/scree.1", "share/doc/scree/LICENSE",
                     "share/bash-completion/completions/scree", "share/zsh/site-functions/_scree",
                     "share/doc/scree/examples/tutorial_1_pour.yaml"):
            self.assertGreater((self.prefix / name).stat().st_size, 100, name)
        for name in ("libscree.a", "pkgconfig/scree.pc", "cmake/scree/scree-config.cmake", "libscree_core.a",
                     "libscree_core.so", "pkgconfig/scree-core.pc"):
            self.assertTrue((self.library / name).exists(), name)
        headers = {path.name for path in (ROOT / "include" / "scree").iterdir()}
        self.assertEqual({path.name for path in (self.prefix / "include" / "scree").iterdir()}, headers)

    def test_nothing_names_the_source(self):
        """No installed text contains the path of the source or of the build."""
        texts = [path for path in self.prefix.rglob("*") if path.is_file() and "bin" not in path.parts
                 and not path.name.startswith("libscree")]
        self.assertGreater(len(texts), 50)
        for path in texts:
            for place in (str(ROOT), BUILD):
                self.assertFalse(place.encode() in path.read_bytes(), f"{path} names {place}")

    def flags(self, *words, package="scree"):
        """The flags of pkg-config as words; a blank in a path is escaped."""
        return shlex.split(call("pkg-config", *words, package, PKG_CONFIG_PATH=str(self.library / "pkgconfig")))

    def runs(self, program, what="files", **more):
        version, fallen, told = call(program, **more).split()
        self.assertEqual(version, self.flags("--modversion")[0])
        self.assertAlmostEqual(float(fallen), 5.05)  # 10 * 1e-4 * 100 * 101 / 2
        self.assertEqual(told, what)

    def needs(self, program):
        """The libraries that a program or library was linked with, by their short names."""
        lines = call("readelf", "-d", program).splitlines()
        return {line.split("[lib")[1].split(".so")[0] for line in lines if "(NEEDED)" in line and "[lib" in line}

    def needs_no_files(self, program):
        """Neither HDF5 nor libyaml nor zlib, by whatever name."""
        found = {name for name in self.needs(program) if name.startswith(("hdf5", "yaml", "z")) or name == "scree"}
        self.assertEqual(found, set())

    def test_pkg_config_builds_a_shared_program(self):
        program = self.folder / "fall"
        call(CC, PROJECT / "fall.c", *self.flags("--cflags", "--libs"), "-lm", "-o", program)
        self.runs(program, LD_LIBRARY_PATH=str(self.library))

    def test_pkg_config_builds_a_static_program(self):
        program = self.folder / "fall-static"
        flags = [self.library / "libscree.a" if flag == "-lscree" else flag
                 for flag in self.flags("--static", "--cflags", "--libs")]
        call(CC, PROJECT / "fall.c", *flags, "-o", program)
        self.runs(program)

    def test_cmake_builds_with_every_library(self):
        build = self.folder / "build"
        call("cmake", "-S", PROJECT, "-B", build, f"-DCMAKE_PREFIX_PATH={self.prefix}", f"-DCMAKE_C_COMPILER={CC}")
        call("cmake", "--build", build)
        self.runs(build / "fall_scree")
        self.runs(build / "fall_static")
        for kind in ("core", "core_static"):
            self.runs(build / f"fall_{kind}", "core")
            self.needs_no_files(build / f"fall_{kind}")
        self.assertLess({"scree_core"}, self.needs(build / "fall_core"))
        self.assertNotIn("scree_core", self.needs(build / "fall_core_static"))

    def test_core_needs_no_file_libraries(self):
        """The core by itself: neither its flags nor its libraries nor what it links with have to do with files."""
        names = self.needs(self.library / "libscree.so")  # shows that the test can see such a library
        self.assertTrue(any(name.startswith("yaml") for name in names), names)
        self.needs_no_files(self.library / "libscree_core.so")
        for kind in ([], ["--static"]):
            flags = self.flags(*kind, "--cflags", "--libs", package="scree-core")
            for word in ("hdf5", "yaml", "-lz"):
                self.assertFalse([flag for flag in flags if flag.startswith("-l") and word in flag], flags)
            program = self.folder / f"fall-core{len(kind)}"
            flags = [self.library / "libscree_core.a" if flag == "-lscree_core" and kind else flag for flag in flags]
            call(CC, PROJECT / "fall.c", "-DCORE", *flags, "-lm", "-o", program)
            self.runs(program, "core", LD_LIBRARY_PATH=str(self.library))
            self.needs_no_files(program)

    def test_installed_python_finds_its_library(self):
        package = next(self.prefix.glob("lib/python3*/*-packages"))
        code = "import scree, scree._library as l; scree.World(time_step=1); print(l.library()._name)"
        where = call(sys.executable, "-c", code, PYTHONPATH=str(package)).strip()
        self.assertEqual(pathlib.Path(where).resolve().parent, self.library.resolve())

    def test_installed_program_runs_a_scene(self):
        scene = self.prefix / "share/doc/scree/examples/collision.yaml"
        call(self.prefix / "bin/scree", "run", scene, "-q", "-o", self.folder / "run.h5")
        self.assertIn("finished", call(self.prefix / "bin/scree", "info", self.folder / "run.h5"))


if __name__ == "__main__":
    unittest.main()
