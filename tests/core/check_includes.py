#!/usr/bin/env python3
"""Reads the #include lines of the project and fails on one that runs against the direction.

    base <- math <- shape <- state <- {broad, law, force, measure, linear} <- {narrow, problem}
         <- solve <- engine <- world

A room may use those before it (further left), and itself. The laws stand apart: stateless headers
that know no body, so they use nothing but themselves, and problem, solve and engine use them. io,
scene, cli, bench and examples see the public header only; the command line may use scenes, files and
the benchmarks, and the benchmarks the core as well; view uses files, and the command line uses view.

Usage: check_includes.py ROOT        checks the tree
       check_includes.py --self-test shows that it can fail
"""
import os
import re
import sys
import tempfile

GROUND = {"base", "math", "shape", "state"}
LEFT_OF = {  # what a room in src/ may include, besides itself and the public header
    "base": set(),
    "math": {"base"},
    "shape": {"base", "math"},
    "state": {"base", "math", "shape"},
    "law": set(),  # knows no bodies
    "broad": GROUND,
    "force": GROUND,
    "measure": GROUND,
    "narrow": GROUND | {"broad", "measure"},  # knows no laws
    "linear": {"base", "math"},  # sparse matrices and their factors
    "problem": {"base", "math", "law", "linear"},  # plain data, free of any simulator
    "solve": {"base", "math", "law", "linear", "problem"},  # knows no shapes
    "engine": GROUND | {"law", "broad", "force", "measure", "narrow", "linear", "problem", "solve"},
    "world": GROUND
    | {"law", "broad", "force", "measure", "narrow", "linear", "problem", "solve", "engine"},
}

SHELL = {  # folders outside of src/, and which of each other they may use
    "scene": set(),
    "io": set(),
    "view": {"io"},
    "cli": {"scene", "io", "bench", "view"},
    "bench": {"scene", "io"} | set(LEFT_OF),
    "examples": set(),
}

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def room_of(path):
    """The room of a file given by its path from the root."""
    parts = path.split("/")
    if parts[0] == "src":
        return parts[1] if len(parts) > 2 else "world"
    return parts[0]


def target_room(root, path, name):
    """The room that an included name belongs to, or None when it is not the project's. A quoted name
    is first looked for beside the file, as the compiler does, then from src/ and from the root."""
    beside = os.path.normpath(os.path.join(os.path.dirname(path), name))
    for candidate in (beside, "src/" + name, name):
        if os.path.isfile(os.path.join(root, candidate)):
            return room_of(candidate)
    return None


def faults_of(root, path):
    room = room_of(path)
    found = []
    with open(os.path.join(root, path), encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            match = INCLUDE.match(line)
            if not match:
                continue
            place = f"{path}:{number}"
            if match.group(1) == "<":
                if match.group(2).startswith("scree/") and match.group(2) != "scree/scree.h":
                    found.append(f"{place}: there is one public header, <scree/scree.h>")
                continue
            target = target_room(root, path, match.group(2))
            if target is None:
                found.append(f"{place}: \"{match.group(2)}\" is no file of the project")
                continue
            allowed = LEFT_OF.get(room, SHELL.get(room, set())) | {room}
            if target not in allowed:
                found.append(f"{place}: {room} may not use {target} (\"{match.group(2)}\")")
    return found


def files_of(root):
    for top in ["src"] + sorted(SHELL):
        for folder, _, names in sorted(os.walk(os.path.join(root, top))):
            for name in sorted(names):
                if name.endswith((".c", ".h")):
                    yield os.path.relpath(os.path.join(folder, name), root).replace(os.sep, "/")


def check(root):
    count, found = 0, []
    for path in files_of(root):
        count += 1
        room = room_of(path)
        if room not in LEFT_OF and room not in SHELL:
            found.append(f"{path}: src/{room} is a new room; give it a place in this script")
        found += faults_of(root, path)
    if count == 0:
        found.append(f"{root}: no sources found")
    return count, found


def self_test():
    """A small tree with one fault of each kind: each of them must be found, and nothing else."""
    good = {
        "src/base/memory.h": "",
        "src/math/vec.h": "#include <scree/scree.h>\n",
        "src/law/coulomb.h": '#include "law/slip.h"\n',
        "src/law/slip.h": "#include <math.h>\n",
        "src/state/state.h": '#include "math/vec.h"\n',
        "src/problem/problem.h": '#include "law/coulomb.h"\n#include "math/vec.h"\n',
        "src/solve/sweep.c": '#include "problem/problem.h"\n#include "law/coulomb.h"\n',
        "src/engine/engine.h": '#include "solve/../problem/problem.h"\n',
        "src/world.c": '#include "engine/engine.h"\n',
        "scene/scene.h": "#include <scree/scree.h>\n",
        "io/run.c": '#include "run.h"\n',
        "io/run.h": "",
        "cli/main.c": '#include "scene/scene.h"\n#include "io/run.h"\n',
        "bench/bench.c": '#include "solve/../engine/engine.h"\n',
    }
    bad = {
        "src/base/up.c": '#include "math/vec.h"\n',
        "src/math/up.c": '  #  include "state/state.h"\n',
        "src/state/up.c": '#include "engine/engine.h"\n',
        "src/law/body.h": '#include "state/state.h"\n',
        "src/solve/shapes.c": '#include "state/state.h"\n',
        "src/engine/up.c": '#include "../world.h"\n',
        "src/world.h": "",
        "src/attic/new.c": "",
        "scene/core.c": '#include "../src/math/vec.h"\n',
        "io/scene.c": '#include "scene/scene.h"\n',
        "examples/inside.c": '#include "engine/engine.h"\n',
        "cli/inside.c": '#include "math/vec.h"\n',
        "cli/other.c": "#include <scree/internal.h>\n",
        "io/lost.c": '#include "nowhere.h"\n',
    }
    expected = set(bad) - {"src/world.h"}
    with tempfile.TemporaryDirectory() as root:
        for path, text in {**good, **bad}.items():
            os.makedirs(os.path.dirname(os.path.join(root, path)), exist_ok=True)
            with open(os.path.join(root, path), "w", encoding="utf-8") as file:
                file.write(text)
        _, found = check(root)
    places = {line.split(":")[0] for line in found}
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
    print(f"{count} files, {len(found)} includes against the direction")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
