#!/usr/bin/env python3
"""Makes every allocation fail in turn: our own, and those of HDF5, libyaml, zlib and CHOLMOD.

    faults.py [-j JOBS] [--own] [--stacks] [--sample N] [--minutes M] [--done FILE] [CASE...]

A case is a command (run, restart, export, ...) on a small scene. It is run once to count its allocations. Then it is
run again, and at each allocation a copy of the process and of its folder goes on in which that one fails; in a second
copy, all that follow fail too. Each time there must be a message and exit status 1, or the same result as without a
failure; the run must be readable, and continue from its checkpoint to the same bits. Without options, every call
fails; with --own, those of the program itself; with --stacks, one call for each way through the functions; with
--sample, so many at random. With --minutes it ends in time, with calls tried all over each case; with --done it keeps
what has been tried in a file, and leaves it out the next time.
"""
import argparse
import array
import collections
import concurrent.futures
import hashlib
import json
import math
import multiprocessing
import os
import random
import shutil
import socket
import subprocess
import sys
import time

from rig import EXAMPLES, PROGRAM, ROOT, Folder, Place, datasets, difference, library, overrides, settings

PART = 150  # calls that one process tries
CASES = {}  # of a worker, as they were when it was forked

SCENE = """\
dimension: 3
gravity: [0, 0, -9.81]
time: {step: 2e-3, end: 0.04}
materials: {stone: {density: 2600, friction: 0.5}}
walls:
  tank: {box: {min: [0, 0, 0], max: [2, 1, 3]}, open: top}
grains:
  - {count: 20, radius: {uniform: [0.06, 0.08]}, material: stone, fill: {min: [0, 0, 0], max: [1, 1, 2.5]}}
  - {file: grains.csv, material: stone}
output: {every: 0.02, checkpoint_seconds: 1e-9}
measures: {all: {every: 7}}
"""
CURVED = """\
dimension: 2
engine: ENGINE
gravity: [0, -9.81]
time: {step: 2e-3, end: 0.02}
materials: {stone: {density: 2600, friction: 0.5}}
shapes:
  egg: {nurbs: {degree: 2, points: [[1, 0], [0, 1], [-1, 0], [0, -0.7]]}}
walls:
  floor: {plane: {point: [0, 0], normal: [0, 1]}}
grains:
  - {position: [0, 1.1], shape: egg}
  - {position: [3, 1.1], radius: 1}
  - {rectangle: {size: [2, 1]}, position: [6, 0.5]}
output: {every: 0.02, checkpoint_seconds: 1e-9}
"""
FLOW = """\
dimension: 2
gravity: [0, -9.81]
time: {step: 2e-3, end: 0.04}
materials: {stone: {density: 2600, friction: 0.5}}
walls: {floor: {plane: {point: [0, 0], normal: [0, 1]}}}
inlets: {feed: {region: {x: [0, 1], y: [0.5, 0.9]}, rate: {number: 1000}, radius: 0.05, velocity: [0, -9]}}
outlets: {hole: {inside: {y: [0, 0.4], x: [0, 0.7]}}}
stop: {expression: "hole.number > 3 and quantile(y, 0.5) < 0.1 or coordination > 5"}
output: {every: 0.01, checkpoint_seconds: 1e-9}
"""
RUN = ["run", "scene.yaml", "-o", "run.h5", "-q"]
PROBLEM = str(ROOT / "tests" / "problems" / "chain-000600.hdf5")


class Case:
    """A command, what must be there before it, and what it leaves when nothing fails."""

    def __init__(self, name, words, scene=SCENE, run=None, restart=False, outputs=()):
        self.name, self.words, self.scene, self.run, self.outputs = name, words, scene, run, outputs
        self.restart = restart
        self.place = Place()
        self.expected, self.calls, self.result = None, [], None

    def prepare(self, brief):
        (self.place.path / "scene.yaml").write_text(self.scene)
        (self.place.path / "grains.csv").write_text("x,y,z,radius\n1.5,0.5,0.5,0.1\n1.5,0.5,0.8,0.1\n")
        (self.place.path / "out").mkdir()
        if self.run is not None:
            with Place(self.place.path) as whole:
                whole.good(*self.run)
                self.expected = datasets(whole.path / "run.h5")
        if self.restart:
            self.leave_behind(len(self.list_calls(self.place, self.run)))
        elif self.run not in (None, self.words):
            self.place.good(*self.run)
        with Place(self.place.path) as whole:
            self.calls = self.list_calls(whole, self.words, brief)
            self.result = self.left_by(whole, whole.good(*self.words))
        return self

    def leave_behind(self, calls):
        """A run that has a checkpoint, but has not come to its end."""
        for number in range(calls - 1, 0, -50):
            self.place.call(*self.run, "--force", preload=library("failing_memory"), SCREE_FAIL_AT=str(number))
            if difference(self.place.path / "run.h5", self.expected):
                return

    def list_calls(self, place, words, brief=True):
        """For each call a number, which is the same for calls by the same way, and that way; or nothing about them."""
        with Place(place.path) as other:
            status, _, said = other.call(*words, preload=library("failing_memory"), SCREE_FAIL_LIST="calls.txt",
                                         **({"SCREE_FAIL_BRIEF": "1"} if brief else {}))
            if status != 0:
                raise RuntimeError(f"{self.name}: status {status}: {said}")
            return [(line.split()[1], " ".join(line.split()[2:])) for line in open(other.path / "calls.txt")]

    def left_by(self, place, said):
        """What there is to show for it. Solvers tell the time that they took; 'auto' may find memory for another method
        than the first, whose solution then differs within the tolerance."""
        files = {name: (place.path / name).read_bytes() for name in self.outputs if (place.path / name).exists()}
        if self.words[0] == "solve":
            return " solved " in said, files.keys()
        return said, files

    def is_own(self, number):
        """Whether the program itself made the call; the first two names are those of functions that stand in."""
        return self.calls[number - 1][1].split()[2].startswith("scree:")

    def numbers(self, how, chance):
        chosen = range(1, len(self.calls) + 1)
        if how.own:
            chosen = [number for number in chosen if self.is_own(number)]
        if how.stacks:
            chosen = sorted({self.calls[number - 1][0]: number for number in chosen}.values())
        if how.sample is not None:
            chosen = sorted(chance.sample(chosen, min(how.sample, len(chosen))))
        return chosen

    def try_calls(self, numbers):
        """What is wrong when each of these calls fails, alone and with all that follow; '' if nothing."""
        with Place() as copies, Place(self.place.path) as place:
            ours, theirs = socket.socketpair()
            (copies.path / "numbers").write_bytes(array.array("l", numbers).tobytes())
            environment = settings(library("failing_memory"), SCREE_FAIL_EACH=str(copies.path / "numbers"),
                                   SCREE_FAIL_COPIES=str(copies.path), SCREE_FAIL_SOCKET=str(theirs.fileno()))
            with open(copies.path / "0.1", "wb") as out, open(copies.path / "0.2", "wb") as said:
                process = subprocess.Popen([PROGRAM, *self.words], cwd=place.path, env=environment, stdout=out,
                                           stderr=said, stdin=subprocess.DEVNULL, pass_fds=[theirs.fileno()])
            theirs.close()
            verdicts = {}
            with ours, ours.makefile("r") as ends:
                for line in ends:
                    number, after, status = (int(word) for word in line.split())
                    folder = Folder(copies.path / (f"{number}-on" if after else f"{number}"))
                    yield (number, after), self.verdict(folder, status, verdicts)
                    ours.sendall(b".")
            if process.wait() != 0:
                raise RuntimeError(f"{self.name}: status {process.returncode} with nothing failing")

    def verdict(self, place, status, verdicts):
        """What is wrong with this end of a copy. Most leave the same files as the one before, and say the same."""
        out, said = ((place.path.parent / f"{place.path.name}.{stream}") for stream in (1, 2))
        left = hashlib.sha1(f"{status} {out.read_bytes()} {said.read_bytes()}".encode())
        for path in sorted(path for path in place.path.rglob("*") if path.is_file()):
            left.update(f"{path.relative_to(place.path)} {path.stat().st_size} ".encode() + path.read_bytes())
        if left.digest() not in verdicts:
            verdicts[left.digest()] = self.fault(place, status, out.read_text(errors="replace"),
                                                 said.read_text(errors="replace"))
        shutil.rmtree(place.path)
        out.unlink()
        said.unlink()
        return verdicts[left.digest()]

    def fault(self, place, status, out, said):
        if status < 0 or status > 128:
            return f"status {status}: {said[-200:]}"
        if status not in (0, 1):
            return f"status {status} instead of 1: {said[-200:]}"
        if status == 1 and "error" not in said:
            return f"no message: {said[-200:]!r}"
        if status == 0 and self.left_by(place, out) != self.result:
            return f"status 0, but not the result: {said[-200:]}"
        return self.goes_on(place) if self.run is not None else ""

    def goes_on(self, place):
        """What is wrong with the run that is left, and with continuing it; '' if nothing."""
        path = place.path / "run.h5"
        if path.exists():
            status, _, said = place.call("info", "run.h5")
            if status != 0:
                return f"unreadable run: {said[-200:]}"
        if (place.path / "run.h5.checkpoint").exists():
            status, _, said = place.call(*self.run, "--restart")
        elif self.restart:
            return "the checkpoint is gone"
        else:
            status, _, said = place.call(*self.run, "--force")
        if status != 0:
            return f"cannot continue: {said[-200:]}"
        left = [name for name in os.listdir(place.path) if name.startswith("run.h5") and name[-4:] in (".new", "lock")]
        return f"leaves {left}" if left else difference(path, self.expected)


def commands():
    export = ["export", "run.h5", "-o", "out", "--force"]
    newton = [*RUN, *overrides("solver.method=newton")]
    return [
        Case("check", ["check", "scene.yaml"]),
        Case("run", RUN, run=RUN),
        Case("run-newton", newton, run=newton),
        Case("restart", [*RUN, "--restart"], run=RUN, restart=True),
        Case("export-vtk", export, run=RUN, outputs=["out/bodies.pvd", "out/bodies_000001.vtp"]),
        Case("export-vtkhdf", [*export, "--to", "vtkhdf"], run=RUN),
        Case("export-dump", [*export, "--to", "dump"], run=RUN, outputs=["out/grains.dump"]),
        Case("html", ["view", "run.h5", "--html", "a.html", "--force"], run=RUN, outputs=["a.html"]),
        Case("measure", ["measure", "run.h5"], run=RUN),
        Case("table", ["table", "run.h5", "--what", "contacts", "--all"], run=RUN),
        Case("info", ["info", "run.h5"], run=RUN),
        Case("indeterminacy", ["indeterminacy", "run.h5"], run=RUN),
        Case("solve", ["solve", PROBLEM, "-o", "a.csv", "--force"], outputs=["a.csv"]),
        Case("solve-newton", ["solve", PROBLEM, "-s", "newton", "-o", "a.hdf5", "--force"], outputs=["a.hdf5"]),
        Case("solve-interior", ["solve", PROBLEM, "-s", "interior_point"]),
    ]


def engines():
    for engine in ("contact_dynamics", "soft", "variational"):
        scene = CURVED.replace("ENGINE", engine)
        if engine == "soft":
            scene = scene.replace("friction: 0.5", "friction: 0.5, stiffness: 1e6").replace("step: 2e-3, ", "")
        yield Case(f"run-{engine}", RUN, scene=scene, run=RUN)
    yield Case("run-flow", RUN, scene=FLOW, run=RUN)
    yield Case("restart-flow", [*RUN, "--restart"], scene=FLOW, run=RUN, restart=True)
    yield Case("run-quasistatic", RUN, scene=(EXAMPLES / "quasistatic.yaml").read_text(), run=RUN)


def parts_of(case, chosen):
    """The calls of a case in parts, each spread over the whole of it; with how much of the case precedes them."""
    count = max(1, math.ceil(len(chosen) / PART))
    return [(part / count, case.name, f"{part} of {count} of {len(chosen)}", chosen[part::count]) for part in range(count)]


def try_part(name, numbers, end):
    """What was tried and what went wrong; nothing when the time is over."""
    if time.time() > end:
        return None
    results = []
    try:
        for result in CASES[name].try_calls(numbers):
            results.append(result)
    except (RuntimeError, OSError) as error:  # of the harness, or the command with nothing failing: 0 for the call
        results.append(((0, 0), str(error)))
    return {"tried": len(results), "wrong": [[*call, fault] for call, fault in results if fault]}


def read_done(path):
    if path is None or not os.path.exists(path):
        return {}
    with open(path) as file:
        return {(row["case"], row["part"]): row for row in map(json.loads, file)}


def try_all(cases, how):
    """One row for each part of each case that has been tried, now or before."""
    chance = random.Random(how.seed)
    parts = sorted(part for case in cases for part in parts_of(case, case.numbers(how, chance)))
    rows = read_done(how.done)
    rows = {key: row for key, row in rows.items() if key in {(name, part) for _, name, part, _ in parts}}
    with concurrent.futures.ProcessPoolExecutor(how.jobs, multiprocessing.get_context("fork"), CASES.update,
                                                ({case.name: case for case in cases},)) as pool:
        waiting = {pool.submit(try_part, name, numbers, how.end): (name, part)
                   for _, name, part, numbers in parts if (name, part) not in rows}
        for future in concurrent.futures.as_completed(waiting):
            if future.result() is not None:
                name, part = waiting[future]
                row = rows[name, part] = {"case": name, "part": part, **future.result()}
                if how.done is not None:
                    with open(how.done, "a") as file:
                        file.write(json.dumps(row) + "\n")
    return rows.values()


def tell(case, rows, show):
    """The number of failures after which something was wrong."""
    wrong = sorted(one for row in rows for one in row["wrong"])
    print(f"{case.name}: {len(case.calls)} allocations, {sum(row['tried'] for row in rows)} failures injected, "
          f"{len(wrong)} went wrong", flush=True)
    for number, after, fault in wrong[:show]:
        print(f"    call {number}{' and all after' if after else ''}: {fault}\n        {case.calls[number - 1][1]}")
    return len(wrong)


def campaign(how):
    known = {case.name: case for case in [*commands(), *engines()]}
    for name in how.case:
        if name not in known:
            sys.exit(f"faults.py: error: {name} is none of {', '.join(known)}")
    cases = [case for name, case in known.items() if not how.case or name in how.case]
    with concurrent.futures.ThreadPoolExecutor(how.jobs) as pool:
        list(pool.map(lambda case: case.prepare(not how.own and not how.stacks), cases))
    tried = collections.defaultdict(list)
    for row in try_all(cases, how):
        tried[row["case"]].append(row)
    return sum(tell(case, tried[case.name], how.show) for case in cases)


def main():
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reader.add_argument("case", nargs="*", help="run, restart, export-vtk, ... (default: all)")
    reader.add_argument("-j", "--jobs", type=int, default=os.cpu_count())
    reader.add_argument("--sample", type=int, help="so many calls of each case, at random")
    reader.add_argument("--stacks", action="store_true", help="one call for each way that leads to an allocation")
    reader.add_argument("--own", action="store_true", help="only calls by the program itself, not by libraries")
    reader.add_argument("--seed", type=int, default=1)
    reader.add_argument("--minutes", type=float, default=math.inf, help="begin nothing new after that")
    reader.add_argument("--done", help="a file that keeps what has been tried")
    reader.add_argument("--show", type=int, default=10, help="failures to show of each case")
    how = reader.parse_args()
    how.end = time.time() + 60 * how.minutes
    return 1 if campaign(how) > 0 else 0


if __name__ == "__main__":
    sys.exit(main())
