"""Studies: one scene with values that vary and several seeds, run side by side, measured and averaged.

    study = scree.load_study("friction.yaml")
    study.run()
    for row in study.table():
        print(row.values, row.mean["phi"], row.error["phi"])

'scree study' does the same and draws the plots. docs/guides/studies.md says what a study file holds."""
from __future__ import annotations

import csv
import hashlib
import itertools
import json
import math
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Callable, Mapping, NamedTuple, Sequence

import numpy as np

from . import _expressions
from ._library import library
from ._study_folder import StudyError, claimed, inputs
from ._values import counted
from ._yaml import value_text
from .errors import ArgumentError, Error, RunError
from .run import open_run

KEYS = ("scene", "vary", "seeds", "measures", "average", "region")
MOST_RUNS = 100_000


class Case(NamedTuple):
    """One run of a study."""

    number: int  #: of the combination of values
    values: dict[str, Any]  #: what varies, by its place in the scene
    seed: int
    path: Path  #: of the run file


class Row(NamedTuple):
    """What the runs with one combination of values give."""

    values: dict[str, Any]
    runs: int  #: that were measured
    mean: dict[str, float]
    error: dict[str, float]  #: standard error of the mean over seeds; NaN for one seed


class Progress(NamedTuple):
    """How far a study is."""

    done: int  #: finished runs
    running: int
    failed: int
    total: int
    seconds_left: float  #: NaN until the first run has ended


def load_study(path: str | os.PathLike[str], folder: str | os.PathLike[str] | None = None) -> Study:
    """Reads a study file (YAML or JSON). Runs and results go to `folder`, by default NAME-study in the present one."""
    file = Path(path)
    if file.exists() and not file.is_file():
        raise StudyError(f"{file}: is not a regular file")
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as problem:
        raise StudyError(f"{file}: cannot read the study: {problem}") from None
    given = _parsed(text, str(file))
    if not isinstance(given, dict) or not all(isinstance(key, str) for key in given):
        raise StudyError(f"{file}: a study is a mapping with the keys {', '.join(KEYS)}")
    unknown = [key for key in given if key not in KEYS]
    if unknown:
        raise StudyError(f"{file}: unknown key '{unknown[0]}'; there are {', '.join(KEYS)}")
    if "scene" not in given:
        raise StudyError(f"{file}: 'scene' is missing: the scene to run")
    scene = file.parent / str(given.pop("scene"))
    try:
        return Study(scene, folder=folder or f"{file.stem}-study", **given)
    except ArgumentError as problem:
        raise StudyError(f"{file}: {problem}") from None


def _parsed(text: str, name: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        pass
    try:
        import yaml  # type: ignore[import]
    except ImportError:
        raise StudyError(f"{name}: reading YAML needs python3-yaml; or write the study as JSON") from None
    try:
        return yaml.load(text, Loader=_loader(yaml))
    except yaml.YAMLError as problem:
        raise StudyError(f"{name}: {problem}") from None


def _loader(yaml: Any) -> Any:
    """1e-3 is a number in scenes, and so it is here."""

    class Loader(yaml.SafeLoader):  # type: ignore[misc]  # yaml is imported where it is needed
        pass

    Loader.add_implicit_resolver("tag:yaml.org,2002:float", re.compile(r"^[-+]?(\d+\.?\d*|\.\d+)[eE][-+]?\d+$"),
                                 list("-+.0123456789"))
    return Loader


def find_program() -> str:
    """The program 'scree': where SCREE says, beside the package, in the build tree, or in the path."""
    package = Path(__file__).resolve().parent
    built = sorted(package.parents[1].glob("build/*/scree"), key=lambda path: path.stat().st_mtime, reverse=True)
    for path in (os.environ.get("SCREE"), package / "bin" / "scree", *built, shutil.which("scree")):
        if path and os.access(path, os.X_OK):
            return str(path)
    raise StudyError("the program scree was not found; let the variable SCREE name it")


class Study:
    """A scene with values that vary, by their places in it, and seeds.

    vary      {"materials.stone.friction": [0.1, 0.3]}: all combinations are run
    seeds     how many (1, 2, ...), or a list of them
    measures  names of measures of a state (docs/measures.md), or {"mu": "stress_xy / pressure"}
    average   {"from": t0, "to": t1}: over frames of this span of time; by default the last frame alone counts
    region    {"x": [0, 1]}: where to measure
    """

    def __init__(self, scene: str | os.PathLike[str], vary: Mapping[str, Sequence[Any]] | None = None,
                 seeds: int | Sequence[int] = 1, measures: Sequence[str] | Mapping[str, str] = ("solid_fraction",),
                 average: Mapping[str, float] | None = None, region: Mapping[str, Sequence[float]] | None = None,
                 folder: str | os.PathLike[str] = "study") -> None:
        self.scene, self.folder = Path(scene), Path(folder)
        self.vary = _varied(vary or {})
        self.seeds = _seeds(seeds)
        self.measures = _measures(measures)
        self.average = _span(average)
        self.region = {axis: (float(ends[0]), float(ends[1])) for axis, ends in (region or {}).items()}
        count = math.prod(map(len, self.vary.values())) * len(self.seeds)
        if count > MOST_RUNS:
            raise ArgumentError(f"{count} runs are more than the {MOST_RUNS} that a study may have")
        self.failures: dict[str, str] = {}  #: what failed runs have said, by the names of their files
        combinations = itertools.product(*self.vary.values())
        self.cases = [Case(number, chosen, seed, self.folder / _name(chosen, seed))
                      for number, chosen in enumerate(dict(zip(self.vary, values)) for values in combinations)
                      for seed in self.seeds]

    # ------------------------------------------------------------ running

    def run(self, jobs: int | None = None, progress: Callable[[Progress], object] | None = None) -> None:
        """Makes all runs that are not finished, `jobs` at a time (by default one for each core), each resumed from its
        checkpoint if it has one. Raises a StudyError when some have failed, after all others are done."""
        if not self.scene.is_file():
            raise StudyError(f"{self.scene}: there is no such scene")
        library()  # it measures in the end; better to hear now than after the runs that it is not there
        with claimed(self.folder, [path.name for path in self.outputs()]) as lock:
            _Crew(self, max(1, jobs or os.cpu_count() or 1), progress, lock).work()
        if self.failures:
            name, text = next(iter(self.failures.items()))
            raise StudyError(f"{len(self.failures)} of {counted(len(self.cases), 'run')} failed; {name}: {text}")

    def is_done(self, case: Case) -> bool:
        """Whether the run is finished, and neither the scene nor a file that it names has been touched since."""
        try:
            if case.path.stat().st_mtime < max(path.stat().st_mtime for path in inputs(self.scene)):
                return False
            with open_run(case.path) as run:
                return run.ending == "finished"
        except (Error, OSError):
            return False

    # ------------------------------------------------------------ results

    def outputs(self) -> list[Path]:
        """What is made of the runs: two tables, and a picture of each measure."""
        return [self.folder / "runs.csv", self.folder / "table.csv", *map(self.picture, self.measures)]

    def picture(self, measure: str) -> Path:
        """Where the plot of a measure goes."""
        return self.folder / ("".join(c if c.isalnum() or c in "-_." else "-" for c in measure) + ".png")

    def measure(self, case: Case) -> dict[str, float]:
        """The measures of one run, averaged over time."""
        with open_run(case.path) as run:
            frames = self._frames(run.times)
            if not frames:
                raise StudyError(f"{case.path}: no frame lies in the span of time to average over")
            return _expressions.average(run, frames, self.measures, self.region or None)

    def _frames(self, times: Any) -> list[int]:
        if self.average is None:
            return [len(times) - 1]
        slack = 1e-9 * max(abs(times[-1]), 1e-300)
        low, high = self.average
        return [k for k, t in enumerate(times) if low - slack <= t <= high + slack]

    def results(self) -> list[tuple[Case, dict[str, float]]]:
        """Every finished run with its measures."""
        return [(case, self.measure(case)) for case in self.cases if self.is_done(case)]

    def table(self, results: list[tuple[Case, dict[str, float]]] | None = None) -> list[Row]:
        """A row for each combination of values: means and standard errors over seeds."""
        rows = []
        found = self.results() if results is None else results
        for _, group in itertools.groupby(found, key=lambda pair: pair[0].number):
            runs = list(group)
            columns = {name: np.array([measured[name] for _, measured in runs]) for name in self.measures}
            error = {name: float(np.std(column, ddof=1) / math.sqrt(len(column))) if len(column) > 1 else math.nan
                     for name, column in columns.items()}
            rows.append(Row(runs[0][0].values, len(runs), {name: float(np.mean(column))
                                                           for name, column in columns.items()}, error))
        return rows

    def save(self) -> list[Path]:
        """Writes runs.csv, a line for each run, and table.csv, one for each combination of values; their paths."""
        results = self.results()
        lines = [[case.path.name, *_cells(case.values), case.seed, *(repr(measured[name]) for name in self.measures)]
                 for case, measured in results]
        runs = _write(self.folder / "runs.csv", ["run", *self.vary, "seed", *self.measures], lines)
        lines = [[*_cells(row.values), row.runs,
                  *(repr(number) for name in self.measures for number in (row.mean[name], row.error[name]))]
                 for row in self.table(results)]
        names = [word for name in self.measures for word in (name, f"{name}_error")]
        return [runs, _write(self.folder / "table.csv", [*self.vary, "runs", *names], lines)]


# ---------------------------------------------------------------- what is given


def _varied(vary: Any) -> dict[str, list[Any]]:
    if not isinstance(vary, Mapping):
        raise ArgumentError("vary: keys of the scene with lists of values are needed")
    for key, values in vary.items():
        if not isinstance(values, (list, tuple, np.ndarray)) or len(values) == 0:
            raise ArgumentError(f"vary: {key} needs a list of values")
        if key == "seed":
            raise ArgumentError("vary: seeds have a key of their own, seeds")
    return {str(key): list(values) for key, values in vary.items()}


def _seeds(seeds: Any) -> list[int]:
    if isinstance(seeds, int) and not isinstance(seeds, bool) and 1 <= seeds <= MOST_RUNS:
        return list(range(1, seeds + 1))
    whole = isinstance(seeds, (list, tuple)) and len(seeds) > 0 and all(
        isinstance(seed, int) and not isinstance(seed, bool) and seed >= 0 for seed in seeds)
    if not whole or len(set(seeds)) != len(seeds):
        raise ArgumentError("seeds: how many there are, or a list of different whole numbers, is needed")
    return list(seeds)


def _measures(measures: Any) -> dict[str, str]:
    given = measures if isinstance(measures, Mapping) else {name: name for name in measures}
    if not given or not all(isinstance(text, (str, int, float)) for text in given.values()):
        raise ArgumentError("measures: names, or names with expressions, are needed")
    named = {str(name): str(text) for name, text in given.items()}
    for name, text in named.items():
        _expressions.check(f"measures: {name}", text)
    return named


def _span(average: Any) -> tuple[float, float] | None:
    if average is None:
        return None
    if not isinstance(average, Mapping) or not set(average) <= {"from", "to"}:
        raise ArgumentError("average: {from: time, to: time} is needed")
    return float(average.get("from", -math.inf)), float(average.get("to", math.inf))


def _name(values: Mapping[str, Any], seed: int) -> str:
    """A name that tells the values, and that no other combination has: a study may grow without being run anew."""
    whole = json.dumps([[key, value_text(value)] for key, value in values.items()])
    words = "_".join(f"{key.rpartition('.')[2]}={value_text(value)}" for key, value in values.items()) or "scene"
    plain = re.sub(r"[^A-Za-z0-9.=+_-]+", "-", words)[:80]
    return f"{plain}_{hashlib.sha256(whole.encode()).hexdigest()[:6]}_seed={seed}.h5"


def _cells(values: Mapping[str, Any]) -> list[str]:
    return [value_text(value) if not isinstance(value, float) else repr(value) for value in values.values()]


def _write(path: Path, head: list[str], lines: list[list[Any]]) -> Path:
    """Whole or not at all."""
    aside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with aside.open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([head, *lines])
        aside.replace(path)
    except OSError:
        aside.unlink(missing_ok=True)
        raise
    return path


# ---------------------------------------------------------------- runs side by side


class _Crew:
    """Runs of a study, some at a time, as processes of the program."""

    def __init__(self, study: Study, jobs: int, progress: Callable[[Progress], object] | None, lock: int) -> None:
        self.study, self.jobs, self.progress, self.lock = study, jobs, progress, lock
        self.waiting = [case for case in study.cases if not study.is_done(case)]
        self.done = len(study.cases) - len(self.waiting)
        self.before, self.began = self.done, time.monotonic()
        self.running: list[tuple[Case, subprocess.Popen[str]]] = []
        study.failures.clear()

    def work(self) -> None:
        """To the end, or until a signal: then the runs are told, and write their checkpoints."""
        program = find_program()
        try:
            while self.waiting or self.running:
                while self.waiting and len(self.running) < self.jobs:
                    case = self.waiting.pop(0)
                    self.running.append((case, self._start(program, case)))
                self._look()
                if self.running:
                    time.sleep(0.02)
        except BaseException:
            self._stop()
            raise

    def _start(self, program: str, case: Case) -> subprocess.Popen[str]:
        words = [program, "run", str(self.study.scene), "-o", str(case.path), "-q", "-j", "1"]
        words += ["-D", f"seed={case.seed}"]
        for key, value in case.values.items():
            words += ["-D", f"{key}={value_text(value)}"]
        if case.path.exists():
            words.append("--restart")
        # a run shares the lock of the folder: when the study is killed, the next one waits for its last checkpoint
        return subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                                pass_fds=[self.lock], preexec_fn=_die_with_parent if sys.platform == "linux" else None)

    def _look(self) -> None:
        ended = [pair for pair in self.running if pair[1].poll() is not None]
        self.running = [pair for pair in self.running if pair not in ended]
        for case, process in ended:
            told = process.communicate()[1].strip()
            if process.returncode == 0:
                self.done += 1
                os.utime(case.path)  # one finished before is still that of the scene, whose date may be later
            else:
                errors = [line for line in told.splitlines() if "error" in line] or told.splitlines()[-1:]
                text = errors[0] if errors else f"exit status {process.returncode}"
                self.study.failures[case.path.name] = text.replace("start over with --force, or choose another name",
                                                                   "remove it, or choose another folder")
        if self.progress is not None:
            self.progress(self._state())

    def _state(self) -> Progress:
        made = self.done - self.before + len(self.study.failures)
        spent = time.monotonic() - self.began
        left = len(self.waiting) + 0.5 * len(self.running)
        return Progress(self.done, len(self.running), len(self.study.failures), len(self.study.cases),
                        spent / made * left if made else math.nan)

    def _stop(self) -> None:
        for _, process in self.running:
            process.send_signal(signal.SIGTERM)
        for _, process in self.running:
            process.communicate()


def _die_with_parent() -> None:
    """A study that is killed leaves no runs behind that would go on by themselves: they stop with a checkpoint."""
    import ctypes

    ctypes.CDLL(None).prctl(1, signal.SIGTERM)  # PR_SET_PDEATHSIG


__all__ = ["Case", "Progress", "Row", "RunError", "Study", "StudyError", "find_program", "load_study"]
