#!/usr/bin/env python3
"""The interior-point solver beside CVXOPT, on random problems.

    minimise v'Mv/2 + r'Cr/2 + w'r  subject to  M v - H r = f,  r in the friction cones

is what the associated law solves. Both must find the same least value, and where it is unique (with
compliance) the same impulses. Usage: test_interior_point_oracle.py BENCH_PROGRAM. Ends with 77, which
means skipped, where CVXOPT is not installed.
"""
import json
import subprocess
import sys

import numpy as np

try:
    from cvxopt import matrix, solvers
except ImportError:
    print("CVXOPT is not installed")
    sys.exit(77)


def dense(entries, rows, columns):
    a = np.zeros((rows, columns))
    for i, j, x in entries:
        a[i, j] += x
    return a


def groups(p, contact):
    """Coefficient and components of each cone of a contact."""
    block = p["block"]
    found = [(p["mu"][contact], range(1, min(block, 3)))]
    if block == 5:
        found.append((p["rolling"][contact], range(3, 5)))
    return found


def solve(p):
    n, m, block = len(p["f"]), len(p["w"]), p["block"]
    mass, h = dense(p["mass"], n, n), dense(p["h"], n, m)
    compliance = np.array(p["compliance"]) if p["compliance"] else np.zeros(m)
    quadratic = np.zeros((n + m, n + m))
    quadratic[:n, :n] = mass
    quadratic[n:, n:] = np.diag(compliance)
    linear = np.concatenate([np.zeros(n), p["w"]])
    equal = [np.hstack([mass, -h])]
    right = [np.array(p["f"])]
    line, cones = [], []
    for c in range(m // block):
        free = True
        for mu, components in groups(p, c):
            if mu > 0:
                cone = np.zeros((1 + len(components), n + m))
                cone[0, n + c * block] = -mu
                for k, component in enumerate(components):
                    cone[1 + k, n + c * block + component] = -1
                cones.append(cone)
                free = False
            else:
                for component in components:  # held at zero
                    row = np.zeros((1, n + m))
                    row[0, n + c * block + component] = 1
                    equal.append(row)
                    right.append(np.zeros(1))
        if free:
            row = np.zeros((1, n + m))
            row[0, n + c * block] = -1
            line.append(row)
    g = np.vstack(line + cones)
    a, b = np.vstack(equal), np.concatenate(right)
    if not p["mass"]:  # then v is not an unknown of the programme
        quadratic, linear, g, a = quadratic[n:, n:], linear[n:], g[:, n:], a[:, n:]
    dims = {"l": len(line), "q": [len(c) for c in cones], "s": []}
    solvers.options.update(show_progress=False, abstol=1e-10, reltol=1e-10, feastol=1e-10)
    result = solvers.coneqp(matrix(quadratic), matrix(linear), matrix(g), matrix(np.zeros(len(g))),
                            dims, matrix(a), matrix(b))
    x = np.array(result["x"]).ravel()
    v = x[:-m] if p["mass"] else np.zeros(n)

    def value(v, r):
        return 0.5 * v @ mass @ v + 0.5 * r @ (compliance * r) + np.array(p["w"]) @ r

    return result["status"], value, v, x[-m:]


def main(program):
    lines = subprocess.run([program, "sample", "18"], check=True, capture_output=True, text=True)
    problems = [json.loads(line) for line in lines.stdout.splitlines()]
    assert len(problems) == 18
    compared = unique = 0
    for i, p in enumerate(problems):
        assert p["solved"], f"problem {i} was not solved"
        try:
            status, value, v, r = solve(p)
        except (ArithmeticError, ValueError) as error:
            print(f"problem {i}: CVXOPT gave up: {error}")
            continue
        if status != "optimal":
            print(f"problem {i}: CVXOPT ended as {status}")
            continue
        mine, other = value(np.array(p["v"]), np.array(p["r"])), value(v, r)
        scale = max(abs(other), np.abs(p["w"]) @ np.abs(r))
        assert abs(mine - other) < 1e-6 * scale, f"problem {i}: {mine} against {other}"
        compared += 1
        if p["compliance"]:
            difference = np.abs(r - p["r"]).max() / np.abs(r).max()
            assert difference < 1e-4, f"problem {i}: impulses differ by {difference}"
            unique += 1
    print(f"{compared} of {len(problems)} compared, {unique} with unique impulses")
    assert compared >= 12 and unique >= 3


if __name__ == "__main__":
    main(sys.argv[1])
