#!/usr/bin/env python3
"""Reads the #include lines of the project and fails on one that runs against the direction, or on a circle.

    base <- math <- shape <- state <- {broad, measure} <- narrow
    base <- math <- {law, linear} <- problem <- {sweep, matrix} <- {interior, network} <- solvers
    all of these <- {dynamics, soft} <- statics <- api

A room may use those that its row below names, and itself. The laws stand apart: stateless headers that know no body. scene, io,
cli, bench and examples see the public header only, besides what their rows say and a few headers for all; within scene, io and
cli the folders have a direction too. No two files of a room may need each other's headers: a table of methods and the type that
the methods work on are different headers.

Usage: check_includes.py ROOT        checks the tree
       check_includes.py --self-test shows that it can fail
"""
import os
import re
import sys
import tempfile

GROUND = {"base", "math", "shape", "state"}
ALGEBRA = {"base", "math", "law", "linear", "problem"}
CORE = GROUND | ALGEBRA | {"broad", "measure", "narrow", "sweep", "matrix", "interior"}
MAY_USE = {  # rooms of src/
    "base": set(),
    "math": {"base"},
    "shape": {"base", "math"},
    "state": {"base", "math", "shape"},
    "law": {"math"},  # knows no bodies
    "broad": GROUND,
    "measure": GROUND,
    "narrow": GROUND | {"broad", "measure"},  # knows no laws
    "linear": {"base", "math"},
    "problem": {"base", "math", "law", "linear"},  # plain data, free of any simulator
    "sweep": ALGEBRA,  # solvers know no shapes
    "matrix": ALGEBRA,
    "interior": ALGEBRA | {"matrix"},
    "network": ALGEBRA | {"matrix", "interior"},
    "solvers": ALGEBRA | {"matrix", "interior"},
    "dynamics": CORE,  # knows no statics
    "soft": GROUND | {"broad", "measure", "narrow"},
    "statics": CORE | {"dynamics"},
    "api": CORE | {"network", "solvers", "dynamics", "soft", "statics"},
    # outside of src/: a folder, and those below it that have a direction of their own
    "scene": {"scene/read", "scene/schema", "scene/make", "scene/play"},
    "scene/read": {"scene"},
    "scene/schema": {"scene", "scene/read"},
    "scene/make": {"scene", "scene/read", "scene/schema"},
    "scene/play": {"scene", "scene/read", "scene/make"},
    "io": set(),
    "io/run": {"io"},
    "io/problem": {"io"},
    "io/export": {"io", "io/run"},
    "view": {"io", "io/run", "io/export"},
    "playground": {"io", "io/run", "view"},
    "cli": {"cli/command", "cli/job", "backend", "bench", "io", "io/run"},
    "cli/job": {"cli", "scene", "io", "io/run", "io/problem"},
    "cli/command": {"cli", "cli/job", "scene", "io", "io/run", "io/problem", "io/export", "view", "bench"},
    "examples": set(),
    "backend": set(),  # what passes messages: sees the public header, and is seen by the program
    "backend/mpi": {"backend"},
    # the laws, and what a step does with one body or contact, are the same source on a GPU
    "backend/cuda": {"backend", "base", "math", "law", "dynamics", "sweep"},
}
MAY_USE["bench"] = {room for room in MAY_USE if room.split("/")[0] not in ("view", "playground", "cli", "examples")}
FOR_ALL = {"src/base/guess.h", "src/base/plural.h", "src/base/printable.h",  # words and arithmetic, of no simulator
           "src/base/random.h", "src/math/elementary.h", "src/math/vec.h"}
OUTSIDE = ("scene", "io", "view", "playground", "cli", "bench", "examples", "backend")
TOPS = ["src"] + sorted({room for room in MAY_USE if room.split("/")[0] in OUTSIDE
                         and "/" not in room})

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def room_of(path):
    """The room of a file given by its path from the root."""
    parts = path.split("/")
    if parts[0] == "src":
        return parts[1] if len(parts) > 2 else "src"
    below = "/".join(parts[:2])
    return below if len(parts) > 2 and below in MAY_USE else parts[0]


def file_of(root, path, name):
    """The file that an included name stands for, or None when it is not the project's. A quoted name is first looked for beside
    the file, as the compiler does, then from src/ and from the root."""
    beside = os.path.normpath(os.path.join(os.path.dirname(path), name))
    for candidate in (beside, "src/" + name, name):
        if os.path.isfile(os.path.join(root, candidate)):
            return candidate
    return None


def includes_of(root, path):
    """The lines of a file that include something: (number, kind, name)."""
    with open(os.path.join(root, path), encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            match = INCLUDE.match(line)
            if match:
                yield number, match.group(1), match.group(2)


def faults_of(root, path):
    room = room_of(path)
    found = []
    for number, kind, name in includes_of(root, path):
        place = f"{path}:{number}"
        if kind == "<":
            if name.startswith("scree/") and name != "scree/scree.h":
                found.append(f"{place}: sources take the public headers by <scree/scree.h>")
            continue
        target = file_of(root, path, name)
        if target is None:
            found.append(f"{place}: \"{name}\" is no file of the project")
        elif room_of(target) not in MAY_USE.get(room, set()) | {room} and (target not in FOR_ALL or path.startswith("src/")):
            found.append(f"{place}: {room} may not use {room_of(target)} (\"{name}\")")
    return found


def circles(root, paths):
    """Files that need each other: a .c file and its .h file count as one."""
    unit = {path: path.rsplit(".", 1)[0] for path in paths}
    uses = {}
    for path in paths:
        for _, kind, name in includes_of(root, path):
            target = file_of(root, path, name) if kind == '"' else None
            if target in unit and unit[target] != unit[path]:
                uses.setdefault(unit[path], set()).add(unit[target])
    found, done, trail = [], set(), []

    def visit(node):
        if node in trail:
            found.append("circle: " + " -> ".join(trail[trail.index(node):] + [node]))
        elif node not in done:
            trail.append(node)
            for target in sorted(uses.get(node, ())):
                visit(target)
            trail.pop()
            done.add(node)

    for node in sorted(uses):
        visit(node)
    return found


def files_of(root):
    for top in TOPS:
        for folder, _, names in sorted(os.walk(os.path.join(root, top))):
            for name in sorted(names):
                if name.endswith((".c", ".h")):
                    yield os.path.relpath(os.path.join(folder, name), root).replace(os.sep, "/")


def check(root):
    paths, found = list(files_of(root)), []
    for path in paths:
        if room_of(path) not in MAY_USE:
            found.append(f"{path}: src/{room_of(path)} is a new room; give it a place in this script")
        found += faults_of(root, path)
    found += circles(root, paths)
    if not paths:
        found.append(f"{root}: no sources found")
    return len(paths), found


def self_test():
    """A small tree with one fault of each kind: each of them must be found, and nothing else."""
    good = {
        "src/base/memory.h": "",
        "src/math/vec.h": "#include <scree/scree.h>\n",
        "src/law/coulomb.h": '#include "law/slip.h"\n',
        "src/law/slip.h": "#include <math.h>\n",
        "src/state/state.h": '#include "math/vec.h"\n',
        "src/problem/problem.h": '#include "law/coulomb.h"\n#include "math/vec.h"\n',
        "src/sweep/sweep.c": '#include "problem/problem.h"\n#include "law/coulomb.h"\n#include "sweep/sweep.h"\n',
        "src/sweep/sweep.h": "",
        "src/dynamics/engine.h": '#include "sweep/../problem/problem.h"\n',
        "src/statics/strides.h": '#include "dynamics/engine.h"\n',
        "src/api/world.c": '#include "dynamics/engine.h"\n',
        "scene/scene.h": "#include <scree/scree.h>\n",
        "scene/read/reader.h": '#include "scene/scene.h"\n',
        "io/run/run.c": '#include "run.h"\n',
        "io/run/run.h": "",
        "cli/job/job.c": '#include "scene/scene.h"\n#include "io/run/run.h"\n',
        "bench/bench.c": '#include "sweep/../dynamics/engine.h"\n',
    }
    bad = {
        "src/base/up.c": '#include "math/vec.h"\n',
        "src/math/up.c": '  #  include "state/state.h"\n',
        "src/state/up.c": '#include "dynamics/engine.h"\n',
        "src/law/body.h": '#include "state/state.h"\n',
        "src/sweep/shapes.c": '#include "state/state.h"\n',
        "src/dynamics/up.c": '#include "statics/strides.h"\n',
        "src/attic/new.c": "",
        "src/loose.c": "",
        "scene/core.c": '#include "../src/base/memory.h"\n',
        "scene/read/up.c": '#include "scene/make/grains.h"\n',
        "io/scene.c": '#include "scene/scene.h"\n',
        "examples/inside.c": '#include "dynamics/engine.h"\n',
        "cli/inside.c": '#include "state/state.h"\n',
        "cli/other.c": "#include <scree/internal.h>\n",
        "io/lost.c": '#include "nowhere.h"\n',
    }
    knot = {"src/sweep/table.c": '#include "sweep/method.h"\n', "src/sweep/table.h": "",
            "src/sweep/method.h": '#include "sweep/table.h"\n', "scene/make/grains.h": ""}
    with tempfile.TemporaryDirectory() as root:
        for path, text in {**good, **bad, **knot}.items():
            os.makedirs(os.path.dirname(os.path.join(root, path)), exist_ok=True)
            with open(os.path.join(root, path), "w", encoding="utf-8") as file:
                file.write(text)
        _, found = check(root)
    places = {line.split(":")[0] for line in found}
    expected = set(bad) | {"circle"}
    if places != expected:
        print("missed:", sorted(expected - places), "wrongly found:", sorted(places - expected))
        return 1
    with tempfile.TemporaryDirectory() as root:
        if not check(root)[1]:
            print("an empty tree passes")
            return 1
    print(f"self-test: {len(expected)} faults found")
    return 0


def main(arguments):
    if arguments == ["--self-test"]:
        return self_test()
    if len(arguments) != 1:
        print(__doc__)
        return 2
    count, found = check(arguments[0])
    for line in found:
        print(line)
    print(f"{count} files, {len(found)} faults")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
