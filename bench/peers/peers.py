#!/usr/bin/env python3
"""Scree and its peers on the same cases in the same run: processor time, with the overlap of grains beside it.

    bench/peers/peers.py [--quick] [--build DIR] [-o RESULT.json] [--only NAME]...

Every program begins with the same places of the same grains, simulates the same time, and is judged by the same
function. A program that is not installed or fails is named at the end. See bench/README.md.
"""
from __future__ import annotations

import argparse
import datetime
import json
import math
import os
import platform
import re
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

import packing  # noqa: E402
import programs  # noqa: E402
from programs import PROGRAMS, ROOT, SICONOS, Case, Failure, Program  # noqa: E402

FULL = (Case("spheres", "8,000 spheres of radius 0.5 in an open box", 3, 20, 20, 2, 0.5, 0.1),
        Case("disks", "10,000 disks of radius 0.5 to 1 in an open box", 2, 200, 50, 4, 0.8, 0.1))
QUICK = (Case("spheres", "1,728 spheres of radius 0.5 in an open box", 3, 12, 12, 2, 0.5, 0.1),
         Case("disks", "2,000 disks of radius 0.5 to 1 in an open box", 2, 100, 20, 3, 1.0, 0.1))


# ---------------------------------------------------------------- the machine

def _said(*command: str) -> str:
    try:
        return subprocess.run(command, capture_output=True, text=True).stdout
    except OSError:
        return ""


def machine(build: Path) -> dict[str, Any]:
    """What the numbers depend on."""
    facts = dict(line.split(":", 1) for line in _said("lscpu").splitlines() if ":" in line)
    memory = [line.split()[1] for line in Path("/proc/meminfo").read_text().splitlines() if line.startswith("MemTotal")]
    clock = programs.json_lines(programs.call([str(build / "peers" / "scree"), "clock"], 60))[0]["gigahertz"]
    return {"processor": facts.get("Model name", platform.processor()).strip(), "architecture": platform.machine(),
            "cores": os.cpu_count(), "gigahertz_measured": clock,
            "caches": {name: facts[name].strip() for name in ("L1d cache", "L2 cache", "L3 cache") if name in facts},
            "memory_gigabytes": round(int(memory[0]) / 2**20, 1) if memory else None,
            "compiler": (_said("cc", "--version").splitlines() or [""])[0], "system": platform.freedesktop_os_release()["PRETTY_NAME"]}


# ---------------------------------------------------------------- measuring

def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def make_state(case: Case, build: Path) -> Path:
    """The packing that all begin with; kept from run to run as long as the driver is the same."""
    driver, state = build / "peers" / "scree", build / "peers" / f"{case.name}-{case.across}x{case.layers}.txt"
    if not state.exists() or state.stat().st_mtime < Path(programs.HERE / "own.c").stat().st_mtime:
        say(f"{case.text}: making the packing")
        programs.call([str(driver), "settle", *(str(x) for x in (case.dimension, case.across, case.layers, case.settle)), str(state)], 900)
    return state


def measure(program: Program, case: Case, setting: str, state: Path, build: Path) -> dict[str, Any]:
    out = build / "peers" / "out.txt"
    out.unlink(missing_ok=True)
    raw = programs.run(program, case, setting, state, out, build)
    found = packing.overlap(packing.read(out))
    return {"program": program.name, "setting": setting, "seconds_per_second": statistics.median(raw["cpu"]) / raw["simulated"],
            "overlap_mean": found.mean, "overlap_max": found.most, "overlapping_pairs": found.pairs, "note": program.note,
            **{key: raw[key] for key in ("steps", "cpu", "simulated", "contacts", "sweeps", "residual") if key in raw}}


def measure_case(case: Case, chosen: list[Program], quick: bool, deadline: float, build: Path,
                 skipped: list[dict[str, str]]) -> dict[str, Any]:
    state, rows = make_state(case, build), []
    for program in (p for p in chosen if p.case == case.name):
        for setting in program.quick if quick else program.settings:
            say(f"{case.name}: {program.name}, {setting}")
            try:
                if time.monotonic() > deadline:
                    raise Failure("no time left")
                rows.append(measure(program, case, setting, state, build))
            except (Failure, ValueError) as error:
                skipped.append({"program": f"{program.name}, {setting}", "why": str(error)})
    return {"text": case.text, "count": len(packing.read(state).radius), "warm": case.warm, "measured": case.measured, "rows": rows}


def measure_problem(state: Path, chosen: list[Program], quick: bool, build: Path, skipped: list[dict[str, str]]) -> dict[str, Any]:
    """The contact problem of one step, from zero: time against residual."""
    file, driver = build / "peers" / "problem.txt", build / "peers"
    say("problem: Scree")
    lines = programs.json_lines(programs.call([str(driver / "scree"), "problem", str(state), str(file), "0.5", *programs.SWEEPS], 600))
    rows = [{"program": "Scree", **line} for line in lines]
    if SICONOS in chosen:
        say("problem: Siconos")
        sweeps = SICONOS.quick if quick else SICONOS.settings
        try:
            lines = programs.json_lines(programs.call([str(driver / "siconos"), str(file), *sweeps], SICONOS.timeout))
            rows += [{"program": SICONOS.name, **line} for line in lines]
        except Failure as error:
            skipped.append({"program": SICONOS.name, "why": str(error)})
    return {"text": "the contact problem of one step of the spheres, from zero", "rows": rows}


# ---------------------------------------------------------------- what follows from the numbers

def add_ratios(rows: list[dict[str, Any]]) -> None:
    """Time over that of the cheapest setting of Scree whose mean and largest overlaps are no larger."""
    own = [row for row in rows if row["program"].startswith("Scree")]
    for row in rows:
        exact = [o for o in own if o["overlap_mean"] <= row["overlap_mean"] and o["overlap_max"] <= row["overlap_max"]]
        best = min(exact, key=lambda o: o["seconds_per_second"], default=None)
        if row not in own:
            row["ratio"] = row["seconds_per_second"] / best["seconds_per_second"] if best else None
            row["ratio_to"] = f"{best['program']}, {best['setting']}" if best else None


def add_update_cost(rows: list[dict[str, Any]], time_step: float = 1 / 200) -> None:
    """ns for one contact in one sweep: from the least and the largest number of iterations of a program."""
    for name in {row["program"] for row in rows}:
        swept = [row for row in rows if row["program"] == name and row["setting"].startswith("iterations=") and "contacts" in row]
        if len(swept) > 1:
            few, many = swept[0], swept[-1]
            sweeps = [float(row["setting"].partition("=")[2]) for row in (few, many)]
            contacts = (few["contacts"] + many["contacts"]) / 2
            spent = (many["seconds_per_second"] - few["seconds_per_second"]) * time_step
            for row in swept:
                row["update_ns"] = 1e9 * spent / (sweeps[1] - sweeps[0]) / contacts


def add_problem_ratios(rows: list[dict[str, Any]]) -> None:
    """Time over that of Scree to the same residual, between its numbers of sweeps on a power law."""
    own = sorted((math.log(row["residual"]), math.log(row["seconds"])) for row in rows if row["program"] == "Scree")
    for row in (row for row in rows if row["program"] != "Scree"):
        goal, row["ratio"] = math.log(row["residual"]), None
        for (low, slow), (high, fast) in zip(own, own[1:]):
            if low <= goal <= high and low < high:
                row["ratio"] = row["seconds"] / math.exp(slow + (fast - slow) * (goal - low) / (high - low))


# ---------------------------------------------------------------- the table

def _ratio(row: dict[str, Any]) -> str:
    if "ratio" not in row:
        return ""
    return f"{row['ratio']:.1f}" if row["ratio"] is not None else "none as accurate"


def case_table(case: dict[str, Any]) -> str:
    lines = [f"{case['text']}: processor seconds for a simulated second at rest, overlap in mean radii", "",
             f"{'program':20} {'setting':16} {'s/s':>8} {'mean':>9} {'largest':>9} {'ns/update':>10}  relative to Scree"]
    for row in case["rows"]:
        update = f"{row['update_ns']:.0f}" if "update_ns" in row else ""
        lines.append(f"{row['program']:20} {row['setting']:16} {row['seconds_per_second']:8.2f} {row['overlap_mean']:9.1e} "
                     f"{row['overlap_max']:9.1e} {update:>10}  {_ratio(row)}".rstrip())
    return "\n".join(lines)


def problem_table(problem: dict[str, Any]) -> str:
    lines = [f"{problem['text']}: {problem['rows'][0]['contacts']} contacts", "",
             f"{'program':20} {'sweeps':16} {'ms':>8} {'residual':>9} {'':9} {'ns/update':>10}  over Scree"]
    for row in problem["rows"]:
        update = 1e9 * row["seconds"] / row["sweeps"] / row["contacts"]
        lines.append(f"{row['program']:20} {row['sweeps']:<16} {1e3 * row['seconds']:8.1f} {row['residual']:9.1e} {'':9} "
                     f"{update:10.0f}  {_ratio(row)}".rstrip())
    return "\n".join(lines)


def report(result: dict[str, Any]) -> str:
    m = result["machine"]
    parts = [f"{m['processor']}, {m['gigahertz_measured']:.2f} GHz, one core of {m['cores']}; {m['memory_gigabytes']} GB; {m['compiler']}; "
             f"{m['system']}; {'shared with others: ' if result['shared'] else ''}load {result['load']['before']:.1f} before, "
             f"{result['load']['after']:.1f} after; the first measurement repeated at the end took {result['drift']:.2f} times as long"]
    parts += [case_table(case) for case in result["cases"].values()] + [problem_table(result["problem"])]
    parts += [f"left out: {s['program']}: {s['why']}" for s in result["skipped"]]
    return "\n\n".join(parts)


# ---------------------------------------------------------------- all of it

def choose(only: list[str], build: Path, skipped: list[dict[str, str]]) -> list[Program]:
    """The programs that can be built; Scree must."""
    chosen, tried = [], {}
    for program in (*PROGRAMS, SICONOS):
        own = program.name.startswith("Scree")
        if only and not own and program.key not in only:
            continue
        if program.key not in tried:
            try:
                programs.build_driver(program, build)
                tried[program.key] = True
            except Failure as error:
                if own:
                    raise
                tried[program.key] = False
                skipped.append({"program": program.name, "why": str(error)})
        if tried[program.key]:
            chosen.append(program)
    return chosen


def compare(quick: bool, only: list[str], limit: float, build: Path) -> dict[str, Any]:
    skipped: list[dict[str, str]] = []
    chosen, load = choose(only, build, skipped), os.getloadavg()[0]
    cases = QUICK if quick else FULL
    states = {case.name: make_state(case, build) for case in cases}
    deadline = time.monotonic() + limit
    done = {case.name: measure_case(case, chosen, quick, deadline, build, skipped) for case in cases}
    problem = measure_problem(states["spheres"], chosen, quick, build, skipped)
    first = done["spheres"]["rows"][0]
    again = measure(chosen[0], cases[0], first["setting"], states["spheres"], build)
    for case in done.values():
        add_ratios(case["rows"])
        add_update_cost(case["rows"])
    add_problem_ratios(problem["rows"])
    return {"machine": machine(build), "date": datetime.date.today().isoformat(), "quick": quick,
            "load": {"before": load, "after": os.getloadavg()[0]}, "shared": load > 1, "drift": again["seconds_per_second"] / first["seconds_per_second"],
            "versions": {p.name: programs.version(p) for p in chosen if p.package}, "cases": done, "problem": problem, "skipped": skipped}


def keep(result: dict[str, Any], output: Path | None, aside: Path | None) -> None:
    """Writes the numbers, and the picture of them."""
    name = re.sub(r"[^a-z0-9]+", "-", result["machine"]["processor"].lower()).strip("-")
    path = output or (aside / "results.json" if aside else ROOT / "bench" / "results" / f"peers-{name}.json")
    picture = ROOT / "docs" / "pictures" / "peers.png" if output is None and aside is None else path.with_suffix(".png")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(result, indent=1) + "\n")
    say(f"written: {path}")
    try:
        import plot
    except ImportError as error:
        say(f"no picture: {error}")
        return
    plot.draw(result, picture)
    say(f"written: {picture}")


def main() -> int:
    parser = argparse.ArgumentParser(description="Scree and its peers on the same cases in the same run")
    parser.add_argument("--quick", action="store_true", help="small cases, fewer settings")
    parser.add_argument("--build", type=Path, default=ROOT / "build" / "release", help="where libscree.a is; drivers go beside it")
    parser.add_argument("-o", "--output", type=Path,
                        help="the numbers as JSON; by default in bench/results, named after the processor, with a picture for the README "
                             "(--quick and --only: beside the drivers)")
    parser.add_argument("--only", action="append", default=[], metavar="NAME",
                        help="only this peer: " + ", ".join(sorted({p.key for p in PROGRAMS if p.package} | {"siconos"})))
    parser.add_argument("--limit", type=float, default=math.inf, metavar="SECONDS", help="begin no measurement of a case after so long")
    options = parser.parse_args()
    try:
        result = compare(options.quick, options.only, options.limit, options.build.resolve())
    except Failure as error:
        print(f"peers: Scree: {error}", file=sys.stderr)
        return 1
    print(report(result))
    keep(result, options.output, options.build / "peers" if options.quick or options.only else None)
    return 0


if __name__ == "__main__":
    sys.exit(main())
