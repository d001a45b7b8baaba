#!/usr/bin/env python3
"""What a sweep is predicted to take on many processes: the model of docs/scale.md.

Usage: scale.py [--update NS]   [--update: measured ns of one contact update; 10 and 17 if not given]
"""
import argparse
import math

GRAINS, CONTACTS_EACH, VOLUME = 1e5, 3.5, 0.824  # of a process; contacts a grain; d^3 a grain
BYTES_PER_AREA, PACK_NS = 48.5, 0.62  # measured: bytes per d^2 of face and sweep; ns a byte to pack and unpack
MESSAGE, LATENCY, NODE, EACH = 0.5e-6, 1.5e-6, 12e9, 64  # assumed: CPU time a message, latency, B/s and processes a node
MESSAGES, GROUPS = 56, 8  # of a process in a sweep: 4 a face, 2 an edge, 1 a corner; groups of boxes
TO_ALL = 1.15  # bytes if velocities go to all users instead of the next
SUM = 2  # what an exact sum of 0.5 kB takes, in sums of one number
SIDE = (GRAINS * VOLUME) ** (1 / 3)  # of a process's part, in diameters
INNER = max(0.0, (SIDE / 5.5 - 2) / (SIDE / 5.5)) ** 3  # share of boxes that touch no border


def sweep(update, processes, jitter, balance, overlap, pistons=0):
    """Seconds of work and of a whole sweep."""
    work = GRAINS * CONTACTS_EACH * update * 1e-9
    sent = 6 * SIDE ** 2 * BYTES_PER_AREA * (1 if overlap else TO_ALL)
    wire = sent / EACH ** (1 / 3) * EACH / NODE
    exposed = max(0.0, wire - INNER * work) if overlap else wire
    stages = 2 * math.log2(processes) * LATENCY
    sums = stages * SUM * (1 + GROUPS * pistons)
    whole = (work / balance * (1 + jitter) + sent * PACK_NS * 1e-9 + 2 * MESSAGES * MESSAGE + GROUPS * LATENCY
             + exposed + sums)
    return work, whole


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--update", type=float)
    update = parser.parse_args().update
    print(f"a part of {SIDE:.1f} d, {INNER:.2f} of its boxes inside")
    for ns in [update] if update else (10, 17):
        for processes, jitter in ((1e3, 0.03), (1e4, 0.06), (1e5, 0.10)):
            row = [f"{ns:4.0f} ns {processes:8.0e}"]
            for overlap in (False, True):
                for balance in (0.82, 0.98):
                    work, whole = sweep(ns, processes, jitter, balance, overlap)
                    row.append(f"{work / whole:.2f}")
            work, whole = sweep(ns, processes, jitter, 0.82, False, pistons=1)
            row.append(f"{work / whole:.2f}")
            print("  ".join(row))


if __name__ == "__main__":
    main()
