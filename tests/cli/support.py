"""What the tests of the program share: scenes, calls, comparison of run files."""
import os
import pathlib
import resource
import shutil
import subprocess
import tempfile
import unittest

PROGRAM = os.environ["SCREE"]
SANITIZED = "SCREE_SANITIZED" in os.environ  # what is slow then, and leads through no new code, is left out
EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"
ALL_LAWS = (EXAMPLES / "all_laws.yaml").read_text()

SCENE = """\
dimension: 3
gravity: [0, 0, -9.81]
time: {step: 2e-3, end: 0.3}
materials:
  stone: {density: 2600, friction: 0.5}
walls:
  tank: {box: {min: [0, 0, 0], max: [2, 1, 3]}, open: top}
  gate: {plane: {point: [1, 0, 0], normal: [-1, 0, 0]}}
grains:
  - {count: 120, radius: {uniform: [0.06, 0.08]}, material: stone, fill: {min: [0, 0, 0], max: [1, 1, 2.5]}}
events:
  - {at: 0.2, remove: gate}
output: {every: 0.05}
solver: {on_failure: continue}
"""


def limit_files(size):
    """For preexec_fn: no file may grow beyond this size, as on a full disk."""
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


class ProgramTest(unittest.TestCase):
    """Each test has a folder of its own, with the scene and with what prepare() left there."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(self.folder.name)
        mine = type(self)
        if "prepared" in vars(mine):
            shutil.copytree(mine.prepared, self.path, dirs_exist_ok=True)
            return
        self.write("heap.yaml", SCENE)
        self.prepare()
        kept = tempfile.TemporaryDirectory()
        mine.addClassCleanup(kept.cleanup)
        shutil.copytree(self.path, kept.name, dirs_exist_ok=True)
        mine.prepared = kept.name

    def prepare(self):
        """Runs that all tests of a class begin with; made once, and copied for each test. What they said is kept in the
        class."""

    def write(self, name, text):
        (self.path / name).write_text(text)

    def environment(self, extra=None):
        environment = dict(os.environ)
        environment.pop("NO_COLOR", None)
        environment.update(extra or {})
        return environment

    def call(self, *words, status=0, program=PROGRAM, **options):
        """Runs the program, expects an exit status, returns what it said."""
        result = subprocess.run([program, *words], cwd=self.path, capture_output=True, text=True,
                                timeout=300, env=self.environment(), **options)
        self.assertEqual(result.returncode, status, f"scree {' '.join(words)}: {result.stderr}")
        return result

    def start(self, *words, **options):
        return subprocess.Popen([PROGRAM, *words], cwd=self.path, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True, env=self.environment(), **options)

    def one_error(self, result, *words):
        """One line that says 'error' and contains these words, and nothing on standard output."""
        lines = [line for line in result.stderr.splitlines() if "error" in line]
        self.assertEqual(len(lines), 1, result.stderr)
        for word in words:
            self.assertIn(word, result.stderr)
        self.assertEqual(result.stdout, "")


def datasets(path):
    """All values of a run file by name, but for its identity and its mark, which no two runs and no two files share."""
    import h5py
    found = {}
    with h5py.File(path, "r", libver="latest", swmr=True) as file:
        file.visititems(lambda name, item: found.update({name: item[()]})
                        if isinstance(item, h5py.Dataset) else None)
        found.update({"@" + name: value for name, value in file.attrs.items()
                      if name not in ("identity", "mark")})
    return found
