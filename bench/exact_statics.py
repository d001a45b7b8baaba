#!/usr/bin/env python3
"""Exact friction in statics: how often it is reached in a biaxial test, and what it costs.

    PYTHONPATH=python:figures /usr/bin/python3 bench/exact_statics.py --grains 1520 --stiffness 1e5

Prints a row of the table in docs/variational.md. The packing of 1520 disks alone takes half a minute.
"""
from __future__ import annotations

import argparse
import time

import variational


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--grains", type=int, default=1520)
    parser.add_argument("--friction", type=float, default=0.5)
    parser.add_argument("--stiffness", type=float, default=1e5, help=f"the stress is {variational.STRESS:g}")
    parser.add_argument("--increments", type=int, default=10)
    ask = parser.parse_args()
    packed = variational.packing("disks", ask.grains)
    test = variational.Biaxial(packed, ask.friction, ask.stiffness, exact=True)
    rows, seconds = [], []
    for _ in range(ask.increments):
        begin = time.process_time()
        rows.append(test.step())
        seconds.append(time.process_time() - begin)
    reached = sum(row["converged"] for row in rows)
    strides = 1 + sum(row["cuts"] for row in rows) / len(rows)
    print(f"{ask.grains} disks, springs of {ask.stiffness:g}, friction {ask.friction:g}: "
          f"reached {reached:.0f} of {len(rows)}, "
          f"{strides:.1f} strides, mean {sum(seconds) / len(rows):.1f} s, largest {max(seconds):.1f} s, "
          f"residual {max(row['residual'] for row in rows):.0e}, q {rows[-1]['q']:.1f}")


if __name__ == "__main__":
    main()
