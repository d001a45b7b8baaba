"""What the campaigns share: where the program is, small scenes of every kind, folders, comparison of runs."""
import concurrent.futures
import importlib.util
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("SCREE_BUILD", ROOT / "build" / "release"))
os.environ.setdefault("SCREE", str(BUILD / "scree"))
PROGRAM = os.environ["SCREE"]
EXAMPLES = ROOT / "examples"

sys.path.insert(0, str(ROOT / "tests" / "cli"))
import support  # noqa: E402  needs SCREE

TABLES = {"bodies": ["--all"], "contacts": ["--all"], "walls": ["--all"], "steps": [], "laws": [], "shapes": []}


def datasets(path):
    """All values of a run by name; without h5py, all tables of the program with their 17 digits."""
    if has("h5py"):
        return support.datasets(path)
    return {name: subprocess.run([PROGRAM, "table", str(path), "--what", name, *frames], check=True,
                                 capture_output=True, text=True).stdout for name, frames in TABLES.items()}


def has(module):
    return importlib.util.find_spec(module) is not None


# Every engine, every law, every kind of shape and solver, each in some tens of steps: an example with other values.
SCENES = {
    "laws": ("all_laws.yaml", ["time.end=0.05"]),
    "soft": ("all_laws.yaml", ["engine=soft", "time={end: 0.02}", "materials.rubber.stiffness=2e4",
                               "materials.clay.stiffness=2e4"]),
    "newton": ("tutorial_1_pour.yaml", ["time.end=0.05", "solver.method=newton", "solver.on_failure=continue"]),
    "interior": ("column.yaml", ["time.end=0.05", "solver.method=interior_point", "solver.on_failure=continue"]),
    "variational": ("theta.yaml", ["engine=variational", "time.end=0.1"]),
    "quasistatic": ("quasistatic.yaml", []),
    "polygons": ("arch.yaml", ["time.end=0.1"]),
    "curves": ("rocker.yaml", ["time.end=0.1"]),
    "solids": ("../tests/bits/solids.yaml", ["time.end=0.3"]),
    "measures": ("measures.yaml", ["time.end=0.1"]),
    "periodic": ("periodic_shear.yaml", ["time.end=0.05"]),
    "cell": ("cell_shear.yaml", ["time.end=2", "events.0.at=1"]),
    "plates": ("../tests/reliability/plates.yaml", []),
    "gates": ("silo_feed.yaml", ["time.end=0.4", "outlets.hole.plane.point=[0, 0.5]"]),
}


def library(name):
    """A library to be loaded before all others, as CMake built it."""
    path = pathlib.Path(os.environ.get("SCREE_PRELOAD", BUILD / "tests" / "reliability")) / f"lib{name}.so"
    if not path.exists():
        sys.exit(f"{path} is missing: build the tests first")
    return str(path)


def overrides(*values):
    return [word for value in values for word in ("-D", value)]


def settings(preload=None, **environment):
    """The environment of a call."""
    loaded = {} if preload is None else {"LD_PRELOAD": preload}
    return {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", **loaded, **environment}


class Folder:
    """A folder in which the program is called."""

    def __init__(self, path):
        self.path = pathlib.Path(path)

    def call(self, *words, preload=None, timeout=120, **environment):
        """Exit status (negative: the signal; None: it hangs) and what was said."""
        try:
            done = subprocess.run([PROGRAM, *words], cwd=self.path, env=settings(preload, **environment),
                                  timeout=timeout, check=False, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        except subprocess.TimeoutExpired:
            return None, "", "it hangs"
        return done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")

    def good(self, *words, **options):
        status, out, said = self.call(*words, **options)
        if status != 0:
            raise RuntimeError(f"scree {' '.join(words)}: status {status}: {said}")
        return out


class Place(Folder):
    """One of its own, removed at the end."""

    def __init__(self, source=None):
        memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # where a sync takes no time
        self.folder = tempfile.TemporaryDirectory(prefix="scree-", dir=os.environ.get("TMPDIR", memory))
        super().__init__(self.folder.name)
        if source is not None:
            shutil.copytree(source, self.path, dirs_exist_ok=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.folder.cleanup()


def bits(value):
    """Bytes of numbers and of texts of fixed length; texts of any length as they are."""
    if getattr(getattr(value, "dtype", None), "hasobject", False):
        return list(value)
    return value.tobytes() if hasattr(value, "tobytes") else value


def difference(path, expected):
    """Which value of a run is not the expected one, bit for bit; '' if there is none."""
    got = datasets(path)
    if got.keys() != expected.keys():
        return f"{sorted(got.keys() ^ expected.keys())}: only in one of the runs"
    for name, value in expected.items():
        if bits(got[name]) != bits(value):
            return f"{name} differs"
    return ""


def in_parallel(jobs, tasks, work):
    """The results of work(task) for all tasks, as they come."""
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        waiting = {pool.submit(work, task): task for task in tasks}
        for future in concurrent.futures.as_completed(waiting):
            yield waiting[future], future.result()
