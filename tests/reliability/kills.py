#!/usr/bin/env python3
"""Kills processes at random moments, and starts several at once on one run.

    kills.py [-j JOBS] [--kills N] [--starts N] [--minutes M] [--seed S] [SCENE...]

A kill (SIGKILL) hits a run, a restart, an export, or the writing of a page, a picture or a film, in scenes of every engine,
law, shape and solver. Afterwards the run must be readable, every output old or new but whole, and the run must
continue to the same bits as one that was left in peace. Two, three or ten processes start within a millisecond, to
begin a run, to resume it or to replace it: the run must come out as if only one had been there, and those that did
not get it must say so.
"""
import argparse
import math
import os
import random
import subprocess
import sys
import time

from rig import EXAMPLES, PROGRAM, SCENES, Place, datasets, difference, has, in_parallel, overrides

OUTPUTS = {
    "html": (["view", "run.h5", "--html", "out/a.html", "--force"], 4),
    "vtk": (["export", "run.h5", "-o", "out", "--force"], 4),
    "vtkhdf": (["export", "run.h5", "-o", "out", "--to", "vtkhdf", "--force"], 4),
    "dump": (["export", "run.h5", "-o", "out", "--to", "dump", "--force"], 4),
    "csv": (["measure", "run.h5"], 1),
    "picture": (["plot", "run.h5", "-o", "out/a.png", "--force"], 30),
    "film": (["film", "run.h5", "-o", "out/a.gif", "--width", "64", "--jobs", "2", "-q", "--force"], 100),
}
STARTS = ("begin", "resume", "replace")
DRAWN = ("picture", "film")


def contents(folder):
    return {entry.name: entry.read_bytes() for entry in sorted(folder.iterdir()) if entry.is_file()}


class Scene:
    """A scene, and what comes of it when nobody disturbs it."""

    def __init__(self, name):
        example, values = SCENES[name]
        self.name = name
        self.words = ["run", str(EXAMPLES / example), "-o", "run.h5", "-q",
                      *overrides(*values, "output.checkpoint_seconds=0.01")]
        self.place = Place()
        (self.place.path / "out").mkdir()
        begin = time.monotonic()
        self.place.good(*self.words)
        self.seconds = time.monotonic() - begin
        self.expected = datasets(self.place.path / "run.h5")

    def again(self, place):
        """How to go on from here."""
        return [*self.words, "--restart" if (place.path / "run.h5.checkpoint").exists() else "--force"]

    def judge_run(self, place):
        """What is wrong with what a kill has left; '' if nothing."""
        if (place.path / "run.h5").exists():
            status, _, said = place.call("info", "run.h5")
            if status != 0:
                return f"unreadable: {said.strip()[-200:]}"
        status, _, said = place.call(*self.again(place))
        if status != 0:
            return f"cannot continue: {said.strip()[-200:]}"
        return self.judge_end(place)

    def judge_end(self, place):
        left = sorted(set(os.listdir(place.path)) - {"run.h5", "run.h5.checkpoint", "out"})
        return f"leaves {left}" if left else difference(place.path / "run.h5", self.expected)


def start(place, words):
    return subprocess.Popen([PROGRAM, *words], cwd=place.path, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                            stderr=subprocess.PIPE, text=True)


def kill_after(place, words, seconds):
    process = start(place, words)
    try:
        process.wait(timeout=seconds)
    except subprocess.TimeoutExpired:
        process.kill()
    process.communicate()


def kill_run(scene, chance):
    """Killed, resumed and killed again, up to four times."""
    with Place() as place:
        for _ in range(chance.choice([1, 1, 2, 4])):
            kill_after(place, scene.again(place), chance.uniform(0, 1.1 * scene.seconds))
        return scene.judge_run(place)


def kill_output(scene, chance, kind):
    """Killed while it replaces what an earlier call has written."""
    words, slower = OUTPUTS[kind]
    with Place(scene.place.path) as place:
        run, out = place.path / "run.h5", place.path / "out"
        before = run.read_bytes()
        status, _, said = place.call(*words, timeout=600)  # films take long on a busy machine
        if status != 0:
            return f"cannot be made: {said[-200:]}"
        good = contents(out)
        for name in good:
            (out / name).write_bytes(b"old")
        kill_after(place, words, chance.uniform(0, 0.02 * slower + scene.seconds))
        found = {name: data for name, data in contents(out).items() if not name.endswith(".new")}
        damaged = [name for name, data in found.items() if data not in (b"old", good.get(name))]
        if run.read_bytes() != before or damaged or found.keys() != good.keys():
            return f"damaged: {damaged or ('the run' if run.read_bytes() != before else sorted(found))}"
        status, _, said = place.call(*words, timeout=600)
        found = {name: data for name, data in contents(out).items() if not name.endswith(".new")}
        return "" if status == 0 and found == good else f"cannot be made again: {said[-200:]}"


def start_together(scene, chance, how):
    """Several at once, on a new run, one that was killed, or one to be replaced."""
    count = chance.choice([2, 2, 3, 10])
    with Place() as place:
        (place.path / "out").mkdir()
        words = scene.words
        if how != "begin":
            kill_after(place, words, chance.uniform(0, scene.seconds))
            words = [*words, "--force"] if how == "replace" else scene.again(place)
        together = [start(place, words) for _ in range(count)]
        ends = [(process.communicate(timeout=300)[1], process.returncode) for process in together]
        for said, status in ends:
            told = status == 1 and ("is being written by process" in said or "already exists" in said)
            if status != 0 and not told:
                return f"{count} to {how}: status {status}: {said[-200:]}"
        if all(status != 0 for _, status in ends):
            return f"{count} to {how}: none got it"
        return scene.judge_end(place)


def try_one(scenes, task, end=math.inf):
    """What went wrong; '' if nothing, None if the time was over."""
    kind, name, seed = task
    if time.monotonic() > end:
        return None
    chance = random.Random(seed)
    scene = scenes[name]
    if kind in OUTPUTS:
        return kill_output(scene, chance, kind)
    return kill_run(scene, chance) if kind == "run" else start_together(scene, chance, kind)


def main():
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reader.add_argument("scene", nargs="*", help=f"of {', '.join(SCENES)} (default: all)")
    reader.add_argument("-j", "--jobs", type=int, default=os.cpu_count())
    reader.add_argument("--kills", type=int, default=100)
    reader.add_argument("--starts", type=int, default=100)
    reader.add_argument("--minutes", type=float, default=math.inf, help="begin nothing new after that")
    reader.add_argument("--seed", type=int, default=1)
    how = reader.parse_args()
    for name in how.scene:
        if name not in SCENES:
            reader.error(f"{name} is none of {', '.join(SCENES)}")
    chance = random.Random(how.seed)
    scenes = {name: Scene(name) for name in how.scene or SCENES}
    end = time.monotonic() + 60 * how.minutes
    kinds = ["run"] * 10 + ["html", "vtk", "vtkhdf", "dump", "csv"] * 2 + list(DRAWN) * has("matplotlib")
    tasks = [(kinds[i % len(kinds)], chance.choice(list(scenes)), chance.random()) for i in range(how.kills)]
    tasks += [(chance.choice(STARTS), chance.choice(list(scenes)), chance.random())
              for _ in range(how.starts)]
    chance.shuffle(tasks)  # so that a campaign that ends early has tried some of all
    done = [(task, fault) for task, fault in in_parallel(how.jobs, tasks, lambda task: try_one(scenes, task, end))
            if fault is not None]
    wrong = [(task, fault) for task, fault in done if fault]
    for scene in scenes.values():
        scene.place.__exit__()
    starts = sum(task[0] in STARTS for task, _ in done)
    print(f"{len(done) - starts} kills, {starts} starts at once, {len(wrong)} went wrong")
    for task, fault in wrong:
        print(f"    {task[0]} {task[1]} (seed {task[2]}): {fault}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
