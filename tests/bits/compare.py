#!/usr/bin/env python3
"""The same bits everywhere: runs the scenes of scenes.txt with the core and scenes as compiled in several ways, and
compares the hashes of their states at the start, the states half-way, byte for byte, and the hashes at the end. Each
way goes on from the state that the first one has written half-way, so checkpoints move from machine to machine as well.

    compare.py [--build FOLDER] [--threads N,N] [--part N] [--list FILE] [--expect FILE] [--program FILE] WAY...

WAY is one of those below; one whose compiler or emulator is missing is left out, with a word; 'foreign' is whichever of
aarch64 and x86-64 this machine is not, under an emulator. --program is a program
scree_bits that is already there, and comes first. The list of hashes that all share is written to --list, and compared
with the list of another machine if --expect names one. --part 4 makes a quarter of the steps.
"""
import argparse
import filecmp
import os
import platform
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
SCENES = os.path.join(HERE, "scenes.txt")


def flags(text):
    """A kind of build of its own: the flags of the others are fixed."""
    return ["-DCMAKE_BUILD_TYPE=Bits", "-DCMAKE_C_FLAGS_BITS=" + text]


def toolchain(name):
    return ["-DCMAKE_TOOLCHAIN_FILE=" + os.path.join(ROOT, "cmake", name)]


def machine(name, text, *cpu):
    """A build for another machine, which an emulator runs; on such a machine itself neither is needed."""
    if platform.machine() == name:
        return (["-DCMAKE_C_COMPILER=gcc"] + flags(text), ["gcc"], [])
    qemu = f"qemu-{name}"
    return (toolchain(f"{name}.cmake") + flags(text), [f"{name}-linux-gnu-gcc", qemu],
            [qemu, "-L", f"/usr/{name}-linux-gnu", *cpu])


WAYS = {  # what cmake is told, what must be there, and what runs the program
    "gcc": (["-DCMAKE_C_COMPILER=gcc"], ["gcc"], []),
    "gcc-O0": (["-DCMAKE_C_COMPILER=gcc"] + flags("-O0"), ["gcc"], []),
    "gcc-O2": (["-DCMAKE_C_COMPILER=gcc"] + flags("-O2"), ["gcc"], []),
    "gcc-scalar": (["-DCMAKE_C_COMPILER=gcc"] + flags("-O1 -DSCREE_SCALAR"), ["gcc"], []),
    "clang": (["-DCMAKE_C_COMPILER=clang"] + flags("-O2"), ["clang"], []),
    "clang-scalar": (["-DCMAKE_C_COMPILER=clang"] + flags("-O1 -DSCREE_SCALAR"), ["clang"], []),
    "aarch64": machine("aarch64", "-O1"),
    "x86-64": machine("x86_64", "-O1"),
    "x86-64-v3": machine("x86_64", "-O2 -march=x86-64-v3", "-cpu", "max"),
    "wasm32": (toolchain("wasm32.cmake") + flags("-O1"),
               ["clang", "wasm-ld", "node", "/usr/include/wasm32-wasi/stdio.h"],
               ["node", "--no-warnings", os.path.join(HERE, "wasi.mjs")]),
}
if platform.machine() == "x86_64":  # on such a machine itself
    for level in ("x86-64", "x86-64-v2", "x86-64-v3", "x86-64-v4"):
        WAYS["gcc-" + level] = (["-DCMAKE_C_COMPILER=gcc"] + flags("-O3 -march=" + level), ["gcc"], [])


WAYS["foreign"] = WAYS["aarch64" if platform.machine() == "x86_64" else "x86-64"]


def missing_of(way):
    return [name for name in WAYS[way][1] if shutil.which(name) is None and not os.path.exists(name)]


def build(way, folder):
    """Compiles the program; the command that runs it."""
    options, _, runner = WAYS[way]
    yaml = os.path.join(ROOT, "build", "libyaml")
    command = ["cmake", "-S", ROOT, "-B", folder, "-DSCREE_FILES=OFF"] + options
    if os.path.isdir(yaml):
        command.append("-DSCREE_YAML_SOURCE=" + yaml)
    if shutil.which("ninja"):
        command += ["-G", "Ninja"]
    if shutil.which("ccache"):
        command.append("-DCMAKE_C_COMPILER_LAUNCHER=ccache")
    for step in (command, ["cmake", "--build", folder, "--parallel"]):
        done = subprocess.run(step, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        if done.returncode != 0:
            sys.exit(f"{way}: {' '.join(step)}\n{done.stdout}")
    return runner + [os.path.join(folder, "tests", "bits", "scree_bits")]


def hashes(command, *options):
    """What the program prints, as a dictionary by scene."""
    done = subprocess.run(command + list(options) + [SCENES], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: status {done.returncode}\n{done.stderr}")
    return by_scene(done.stdout.splitlines())


def by_scene(lines):
    return {scene: (start, end) for start, end, scene in (line.split() for line in lines)}


class Comparison:
    """The first list and its states half-way, and how the others differ from them."""

    def __init__(self, states):
        self.first, self.name, self.states, self.faults = None, None, states, 0

    def run(self, name, command, *options):
        """Runs a program; all but the first go on from the first one's states."""
        if self.first is None:
            self.add(name, hashes(command, "-w", self.states, *options))
            return
        with tempfile.TemporaryDirectory() as own:
            found = hashes(command, "-w", own, "-r", self.states, *options)
            _, differ, lost = filecmp.cmpfiles(self.states, own, os.listdir(self.states), shallow=False)
        for scene in differ + lost:
            print(f"{name}: {scene}: another state half-way")
        self.faults += len(differ + lost)
        self.add(name, found)

    def add(self, name, found):
        if self.first is None:
            self.first, self.name = found, name
            print(f"{name}: {len(found)} scenes", flush=True)
            return
        scenes = sorted(self.first.keys() | found.keys())
        differ = [scene for scene in scenes if self.first.get(scene) != found.get(scene)]
        for scene in differ:
            print(f"{name}: {scene}: {found.get(scene)}, {self.name}: {self.first.get(scene)}")
        print(f"{name}: {'the same' if not differ else f'{len(differ)} differ'}", flush=True)
        self.faults += len(differ)


def programs(options):
    """The programs to compare, one after the other: their names, and the commands that run them."""
    if options.program:
        yield "the program", [options.program]
    for way in options.way:
        if missing_of(way):
            print(f"{way}: left out, there is no {' and no '.join(missing_of(way))}")
        else:
            yield way, build(way, os.path.join(options.build, way))


def compare(options, states):
    comparison = Comparison(states)
    for name, command in programs(options):
        command = [*command, "-p", options.part]
        comparison.run(name, command)
        for threads in options.threads.split(",") if options.threads and name != "wasm32" else []:
            comparison.run(f"{name}, {threads} threads", command, "-t", threads)
    if comparison.first is None:
        sys.exit("nothing to compare")
    return comparison


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("way", nargs="*", metavar="WAY", help=", ".join(sorted(WAYS)))
    parser.add_argument("--build", default=os.path.join(ROOT, "build", "bits"))
    parser.add_argument("--threads", default="")
    parser.add_argument("--part", default="1")
    parser.add_argument("--list")
    parser.add_argument("--expect")
    parser.add_argument("--program")
    options = parser.parse_args()
    for way in options.way:
        if way not in WAYS:
            parser.error(f"{way} is none of {', '.join(sorted(WAYS))}")
    with tempfile.TemporaryDirectory() as states:
        comparison = compare(options, states)
    if options.expect:
        with open(options.expect, encoding="utf-8") as file:
            comparison.add(options.expect, by_scene(file.read().splitlines()))
    if options.list:
        with open(options.list, "w", encoding="utf-8") as file:
            file.writelines(f"{start} {end} {scene}\n" for scene, (start, end) in sorted(comparison.first.items()))
    return 1 if comparison.faults else 0


if __name__ == "__main__":
    sys.exit(main())
