#!/usr/bin/env python3
"""What a run gives with no solver setting at all, beside runs that are a hundred times as accurate.

    bench/defaults.py --program build/release/scree --jobs 2 --seeds 8 collapse hopper

Each scene of bench/defaults is run from several starts with the defaults and, as `reference`, with tolerance 1e-3 and
overlap 3e-5; prints means with their standard errors. docs/guides/choosing.md has the table. All of it takes hours of
one core; --minutes ends it earlier, and only what is finished is counted.
"""
from __future__ import annotations

import argparse
import csv
import io
import itertools
import math
import pathlib
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

SCENES = pathlib.Path(__file__).parent / "defaults"
VARIANTS = {"default": [], "reference": ["-D", "solver.tolerance=1e-3", "-D", "solver.overlap=3e-5"]}
Row = dict[str, float]


class Run:
    """The tables of a finished run, all numbers."""

    def __init__(self, program: str, path: pathlib.Path) -> None:
        self.program, self.path = program, path

    def table(self, what: str, *options: str) -> list[Row]:
        """The rows of a table; what is no number is left out."""
        told = subprocess.run([self.program, "table", str(self.path), "-w", what, *options], check=True,
                              capture_output=True, text=True).stdout
        return [{key: float(value) for key, value in row.items() if key not in ("name", "material")}
                for row in csv.DictReader(io.StringIO(told))]

    def walls(self, number: int) -> list[Row]:
        """One wall through all frames."""
        return [row for row in self.table("walls", "-a") if row["id"] == number]

    def centres(self, axis: str, since: float = 0) -> list[float]:
        """The centre of mass in each frame after `since`."""
        frames = itertools.groupby(self.table("bodies", "-a"), lambda row: row["time"])
        return [centre(list(rows), axis) for at, rows in frames if at > since]


def centre(rows: list[Row], axis: str) -> float:
    """The mean of a coordinate, weighted by mass."""
    return sum(row["mass"] * row[axis] for row in rows) / sum(row["mass"] for row in rows)


def dilatancy(tall: float, speed: float = 0.05, begin: float = 1.0) -> Callable[[Run], Row]:
    """Volumetric strain in per cent at two axial strains of a biaxial test between pistons 1 and 2 below wall 3."""
    def observe(run: Run) -> Row:
        left, right, top = (run.walls(number) for number in (1, 2, 3))
        area = {round(b["time"], 6): (b["x"] - a["x"]) * c["y"] for a, b, c in zip(left, right, top)}

        def at(moment: float) -> float:
            return area[min(area, key=lambda known: abs(known - moment))]
        return {f"strain at {axial:g} %": 100 * (at(begin + axial / 100 * tall / speed) / at(begin) - 1)
                for axial in (2.5, 10)}
    return observe


def discharged(run: Run) -> Row:
    """The part of the mass that passed below 0.35 between 1.1 and 1.5."""
    def below(moment: float) -> float:
        rows = run.table("bodies", "-t", str(moment))
        return sum(row["mass"] for row in rows if row["y"] < 0.35) / sum(row["mass"] for row in rows)
    return {"discharged": below(1.5) - below(1.1)}


def spread(run: Run) -> Row:
    """The standard deviation of x, weighted by mass, at the end."""
    rows = run.table("bodies")
    middle = centre(rows, "x")
    return {"spread": math.sqrt(centre([row | {"x": (row["x"] - middle)**2} for row in rows], "x"))}


def height(axis: str, since: float | None = None) -> Callable[[Run], Row]:
    """The height of the centre of mass: at the end, or its mean after `since`."""
    def observe(run: Run) -> Row:
        last = centre(run.table("bodies"), axis) if since is None else statistics.fmean(run.centres(axis, since))
        return {"height of the centre": last}
    return observe


def torque(run: Run) -> Row:
    """The mean torque on the drum after three seconds."""
    return {"torque": statistics.fmean(row["torque_z"] for row in run.walls(0) if row["time"] > 3)}


def friction(run: Run) -> Row:
    """The ratio of the mean forces on the moving plate."""
    late = [row for row in run.walls(0) if row["time"] > 4]
    return {"friction": sum(row["force_x"] for row in late) / sum(row["force_y"] for row in late)}


OBSERVE: dict[str, Callable[[Run], Row]] = {
    "biaxial": dilatancy(2), "biaxial_light_pistons": dilatancy(2), "biaxial_pentagons": dilatancy(1.2),
    "hopper": discharged, "hopper_polygons": discharged, "drum": torque, "shear": friction,
    "collapse": spread, "collapse_rough": spread, "rolling": spread, "cohesion": spread,
    "settle": height("z"), "rocks": height("z"), "sizes": height("y"), "boulder": height("y"),
    "ellipses": height("y"), "vibrated": height("y", 1.0),
}


def certificate(run: Run) -> Row:
    """What the steps say of themselves."""
    steps = run.table("steps")
    bodies = run.table("bodies")
    radius = statistics.fmean(row["radius"] for row in bodies)
    return {"sweeps": statistics.fmean(row["iterations"] for row in steps),
            "steps": len(steps), "not converged": sum(row["converged"] == 0 for row in steps),
            "largest overlap": max(row["overlap_max"] for row in steps) / radius}


def run_one(ask: argparse.Namespace, folder: pathlib.Path, job: tuple[str, str, int]) -> Row | None:
    """One run and what is seen in it; None if time is up."""
    scene, variant, seed = job
    path = folder / f"{scene}-{variant}-{seed}.h5"
    left = ask.until - time.monotonic()
    if left <= 0:
        return None
    try:
        made = subprocess.run([ask.program, "run", str(SCENES / f"{scene}.yaml"), "-D", f"seed={seed}",
                               *VARIANTS[variant], "-o", str(path), "-q"], timeout=left, capture_output=True, text=True)
        if made.returncode != 0:
            raise SystemExit(made.stderr)
        run = Run(ask.program, path)
        return OBSERVE[scene](run) | certificate(run)
    except subprocess.TimeoutExpired:
        return None
    finally:
        path.unlink(missing_ok=True)


def told(rows: list[Row]) -> str:
    """Means and their standard errors, then the certificate of all runs together."""
    parts = []
    for key in rows[0]:
        values = [row[key] for row in rows]
        if key in ("steps", "not converged"):
            parts.append(f"{key} {sum(values):.0f}")
        elif key == "largest overlap":
            parts.append(f"{key} {max(values):.2g}")
        elif key == "sweeps":
            parts.append(f"{key} {statistics.fmean(values):.0f}")
        else:
            error = statistics.stdev(values) / math.sqrt(len(values)) if len(values) > 1 else math.nan
            parts.append(f"{key} {statistics.fmean(values):.4g} ± {error:.1g}")
    return "; ".join(parts)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scenes", nargs="*", choices=[*OBSERVE, []], metavar="SCENE", help=", ".join(OBSERVE))
    parser.add_argument("--program", default="scree")
    parser.add_argument("--variant", choices=VARIANTS, action="append")
    parser.add_argument("--seeds", type=int, default=8)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=1440)
    ask = parser.parse_args()
    ask.until = time.monotonic() + 60 * ask.minutes
    cases = [(scene, variant) for variant in ask.variant or VARIANTS for scene in ask.scenes or OBSERVE]
    jobs = [(scene, variant, seed) for seed in range(1, ask.seeds + 1) for scene, variant in cases]
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(ask.jobs) as pool:
        seen = list(pool.map(lambda job: run_one(ask, pathlib.Path(folder), job), jobs))
    for case in cases:
        rows = [row for job, row in zip(jobs, seen) if job[:2] == case and row is not None]
        print(f"{case[0]}, {case[1]}, {len(rows)} runs: {told(rows) if rows else 'none finished'}", flush=True)


if __name__ == "__main__":
    main()
