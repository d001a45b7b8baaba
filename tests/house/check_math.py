#!/usr/bin/env python3
"""Fails when the core or scenes call a function of the C library whose last bit depends on the library.

The C standard leaves the accuracy of sin, exp, hypot, ... open, and lets fmax(0, -0) have either sign. What decides a
state takes src/math/elementary.h instead. Sources are searched for calls, compiled objects for symbols: a compiler
makes calls of its own (sincos, fma), and inlines others (fmax).

Usage: check_math.py ROOT [OBJECT...]   checks the sources, and the objects by nm
       check_math.py --self-test        shows that it can fail
"""
import os
import re
import subprocess
import sys
import tempfile

BARE = """sin cos tan sincos asin acos atan atan2 sinh cosh tanh asinh acosh atanh sinpi cospi exp exp2 exp10 expm1
    log log2 log10 log1p pow cbrt hypot erf erfc tgamma lgamma j0 j1 jn y0 y1 yn fma fmax fmin fdim rsqrt""".split()
NAMES = {name + suffix for name in BARE for suffix in ("", "f", "l")} | {"rand", "random", "drand48"}
CALL = re.compile(r"(?<![\w.>])(?:__builtin_)?(" + "|".join(sorted(NAMES, key=len, reverse=True)) + r")\s*\(")
WIDE = re.compile(r"\b(vfm[as]\w*|_mm\w*_f(?:n)?m(?:add|sub)\w*|wasm_\w*relaxed\w*|long\s+double)\b")
NOT_CODE = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"', re.DOTALL)


def code_of(text):
    """The text without comments and strings, on the same lines."""
    return NOT_CODE.sub(lambda match: "\n" * match.group().count("\n"), text)


def faults_of_source(path, text):
    found = []
    for number, line in enumerate(code_of(text).split("\n"), 1):
        for match in list(CALL.finditer(line)) + list(WIDE.finditer(line)):
            found.append(f"{path}:{number}: {match.group(1)} differs between machines; see src/math/elementary.h")
    return found


def check_sources(root):
    count, found = 0, []
    for top in ("src", "scene"):
        for folder, _, names in sorted(os.walk(os.path.join(root, top))):
            for name in sorted(names):
                if name.endswith((".c", ".h")):
                    path = os.path.join(folder, name)
                    with open(path, encoding="utf-8") as file:
                        found += faults_of_source(os.path.relpath(path, root).replace(os.sep, "/"), file.read())
                    count += 1
    return count, found


def faults_of_symbols(listing):
    """What `nm -A -u` says of objects: 'FILE: U NAME', perhaps with a version behind the name."""
    found = []
    for line in listing.splitlines():
        place, _, symbol = line.rpartition(" U ")
        name = symbol.split("@")[0].strip()
        if name in NAMES:
            found.append(f"{place.strip()} calls {name} of the C library")
    return found


def check(root, objects):
    count, found = check_sources(root)
    if count == 0:
        found.append(f"{root}: no sources found")
    if objects:
        listing = subprocess.run(["nm", "-A", "-u"] + objects, check=True, capture_output=True, text=True).stdout
        found += faults_of_symbols(listing)
    return f"{count} files and {len(objects)} objects", found


def self_test():
    """One fault of each kind in a tree and in a compiled object: each must be found, and nothing else."""
    good = '/* sin(x) */ double scr_sin(double);\nconst char *text = "cos(x)";\n' \
           'double f(double x) { return sqrt(x) + scr_sin(x) + s.exp(x) + p->log(x); }\n'
    bad = ["y = sin(x);", "y = __builtin_fma(a, b, c);", "y = fmax (a, b);", "v = vfmaq_f64(a, b, c);",
           "v = _mm256_fmadd_pd(a, b, c);", "long double sum;", "y = powf(x, 2);", "y = rand();"]
    with tempfile.TemporaryDirectory() as root:
        os.makedirs(os.path.join(root, "src", "law"))
        with open(os.path.join(root, "src", "law", "good.h"), "w", encoding="utf-8") as file:
            file.write(good)
        assert check_sources(root) == (1, []), check_sources(root)
        with open(os.path.join(root, "src", "law", "bad.c"), "w", encoding="utf-8") as file:
            file.write("\n".join(bad))
        found = check_sources(root)[1]
        assert [fault.split(":")[1] for fault in found] == [str(k + 1) for k in range(len(bad))], found
    found = faults_of_symbols("a.o:          U sincos\nb.o:          U sqrt\nlib.so:          U cbrt@GLIBC_2.17 (3)\n")
    assert [fault.split()[-5] for fault in found] == ["sincos", "cbrt"], found
    return f"{len(bad) + 2} faults, all found", []


def main(arguments):
    if not arguments:
        sys.exit(__doc__)
    what, found = self_test() if arguments[0] == "--self-test" else check(arguments[0], arguments[1:])
    for fault in found:
        print(fault, file=sys.stderr)
    print(f"{what}: {len(found)} faults")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
