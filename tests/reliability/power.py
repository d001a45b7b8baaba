#!/usr/bin/env python3
"""Cuts the power instead of killing the process.

    power.py [-j JOBS] [--cuts N] [--tries N] [--sector BYTES] [SCENE...]

A run, and a restart of it, are made once with a library that writes down everything they do to files
(recorded_disk.c). Then the disk is built as it may be after a power failure at any moment. What was synced is there.
Of what was written since, each sector may be there or not, in any order. Of names that were made, renamed and removed
since their folder was synced, any number of the first ones may be there. A checkpoint that was there before must be
there, and the run must continue from it to the same bits: as it is, or with its records given back (io/run/saved.h).

Without --cuts, every moment is tried: as a kill would leave it, with nothing that was not synced, with all but one of
the last sectors, and some times at random.
"""
import argparse
import os
import random
import sys

from rig import EXAMPLES, SCENES, Place, datasets, difference, in_parallel, library, overrides


class Disk:
    """Files by name, as a program sees them, and what of it is certain to survive."""

    def __init__(self, folder, sector):
        self.sector = sector
        self.handle = {}   # of open files: number of the file, or None for the folder
        self.file = []     # by number: (content when last synced, writes since)
        self.names = {}    # as last synced: number by name
        self.changes = []  # of names, since then
        for entry in folder.iterdir():
            if entry.is_file():
                self.names[entry.name] = len(self.file)
                self.file.append((entry.read_bytes(), []))

    def current(self):
        names = dict(self.names)
        for change in self.changes:
            change(names)
        return names

    def do(self, line, data):
        word, *rest = line.split(" ")
        getattr(self, word)(*rest, *([data] if data else []))

    def open(self, handle, flags, name):
        number = self.current().get(name)
        if name == ".":
            number = None
        elif number is None and int(flags) & 1:
            number = len(self.file)
            self.file.append((b"", []))
            self.changes.append(lambda names: names.update({name: number}))
        self.handle[handle] = number
        if int(flags) & 2 and number is not None:
            self.file[number][1].append((None, 0))

    def write(self, handle, offset, size, data):
        """Cut into sectors, each of which reaches the disk whole or not at all."""
        begin, end = int(offset), int(offset) + int(size)
        writes = self.file[self.handle[handle]][1]
        while begin < end:
            stop = min(end, (begin // self.sector + 1) * self.sector)
            writes.append((begin, data[begin - int(offset):stop - int(offset)]))
            begin = stop

    def truncate(self, handle, size):
        self.file[self.handle[handle]][1].append((None, int(size)))

    def sync(self, handle):
        number = self.handle[handle]
        if number is None:
            self.names, self.changes = self.current(), []
        else:
            content, writes = self.file[number]
            self.file[number] = (apply(content, writes), [])

    def rename(self, old, new):
        self.changes.append(lambda names: names.update({new: names.pop(old)}) if old in names else None)

    def unlink(self, name):
        self.changes.append(lambda names: names.pop(name, None))

    def build(self, folder, keep, names_kept):
        """Writes what is left: of the changes of names the first ones, of the sectors those that `keep` takes."""
        names = dict(self.names)
        for change in self.changes[:names_kept]:
            change(names)
        for name, number in names.items():
            content, writes = self.file[number]
            (folder / name).write_bytes(apply(content, [write for write in writes if keep()]))


def apply(content, writes):
    made = bytearray(content)
    for offset, data in writes:
        if offset is None:
            made = made[:data] + bytes(max(0, data - len(made)))
        else:
            made += bytes(max(0, offset - len(made)))
            made[offset:offset + len(data)] = data
    return bytes(made)


def operations(path):
    """Lines and the bytes that belong to them."""
    raw = path.read_bytes()
    at = 0
    while at < len(raw):
        end = raw.index(b"\n", at)
        line = raw[at:end].decode()
        at = end + 1
        size = int(line.split(" ")[3]) if line.startswith("write ") else 0
        yield line, raw[at:at + size]
        at += size


class Story:
    """Something that was done to a folder: where it began, what was done, and the run that must come of it."""

    def __init__(self, name, words, again, before, expected, sector):
        self.name, self.words, self.again, self.before = name, words, again, before
        self.expected, self.sector = expected, sector
        with Place(before.path) as place:
            place.call(*words, preload=library("recorded_disk"), SCREE_RECORD="/".join([str(before.path), "record"]))
        self.operations = list(operations(before.path / "record"))
        (before.path / "record").unlink()
        self.checkpoints = self.find_checkpoints()
        self.damaged = 0  # disks on which the run had to be given back its records

    def disk_at(self, cut):
        disk = Disk(self.before.path, self.sector)
        for line, data in self.operations[:cut]:
            disk.do(line, data)
        return disk

    def find_checkpoints(self):
        """The first cut after which a checkpoint is certain to be there."""
        disk = Disk(self.before.path, self.sector)
        for cut, (line, data) in enumerate(self.operations):
            if "run.h5.checkpoint" in disk.names:
                return cut
            disk.do(line, data)
        return len(self.operations)

    def try_one(self, cut, kind, seed):
        chance = random.Random(seed)
        disk = self.disk_at(cut)
        left = {"kill": lambda: True, "nothing": lambda: False}.get(kind)
        kept = {"kill": len(disk.changes), "nothing": 0}.get(kind, chance.randint(0, len(disk.changes)))
        if left is None:
            share = chance.choice([0.02, 0.5, 0.9, 0.98])
            left = lambda: chance.random() < share  # noqa: E731
        with Place() as place:
            disk.build(place.path, left, kept)
            return self.judge(place, cut)

    def judge(self, place, cut):
        run = place.path / "run.h5"
        if run.exists() and place.call("info", "run.h5")[0] != 0:
            self.damaged += 1
        if (place.path / "run.h5.checkpoint").exists():
            status, _, said = place.call(*self.again, "--restart")
        elif cut >= self.checkpoints:
            return "the checkpoint is lost"
        else:
            status, _, said = place.call(*self.again, "--force")
        if status != 0:
            return f"cannot continue: {said.strip()[-160:]}"
        return difference(run, self.expected)


def stories(name, sector, rare):
    """A run from its beginning to its end, and the restart of one that was stopped half way."""
    example, values = SCENES[name]
    scene = str(EXAMPLES / example)
    more = ["output.checkpoint_seconds=60", "output.every=0.003"] if rare else ["output.checkpoint_seconds=1e-9"]
    words = ["run", scene, "-o", "run.h5", "-q", *overrides(*values, *more)]
    with Place() as whole:
        whole.good(*words)
        expected = datasets(whole.path / "run.h5")
    story = Story(f"{name}: run", words, words, Place(), expected, sector)
    yield story
    half = Place()
    story.disk_at(2 * len(story.operations) // 3).build(half.path, lambda: True, 10**9)
    yield Story(f"{name}: restart", [*words, "--restart"], words, half, expected, sector)


def try_story(story, how):
    chance = random.Random(how.seed)
    total = len(story.operations)
    cuts = range(total + 1) if how.cuts is None else sorted(chance.choices(range(total + 1), k=how.cuts))
    tasks = [(cut, kind, chance.random()) for cut in cuts for kind in ["kill", "nothing", *["some"] * how.tries]]
    wrong = sorted((task, fault) for task, fault in in_parallel(how.jobs, tasks, lambda task: story.try_one(*task))
                   if fault)
    print(f"{story.name}: {total} operations, {len(tasks)} disks, {story.damaged} mended, {len(wrong)} went wrong",
          flush=True)
    for (cut, kind, _), fault in wrong[:how.show]:
        print(f"    after operation {cut} ({story.operations[cut - 1][0]}), {kind}: {fault}")
    return len(wrong)


def main():
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reader.add_argument("scene", nargs="*", help=f"of {', '.join(SCENES)} (default: all)")
    reader.add_argument("-j", "--jobs", type=int, default=os.cpu_count())
    reader.add_argument("--cuts", type=int, help="so many moments, at random (default: all)")
    reader.add_argument("--tries", type=int, default=3, help="disks at random for each moment")
    reader.add_argument("--sector", type=int, default=4096, help="bytes that are written as one")
    reader.add_argument("--rare", action="store_true", help="a checkpoint at the beginning and at the end only")
    reader.add_argument("--seed", type=int, default=1)
    reader.add_argument("--show", type=int, default=10, help="failures to show")
    how = reader.parse_args()
    for name in how.scene:
        if name not in SCENES:
            reader.error(f"{name} is none of {', '.join(SCENES)}")
    wrong = sum(try_story(story, how)
                for name in how.scene or SCENES for story in stories(name, how.sector, how.rare))
    return 1 if wrong > 0 else 0


if __name__ == "__main__":
    sys.exit(main())
