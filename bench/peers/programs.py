"""The programs that are compared: how each is built, found, set and run."""
from __future__ import annotations

import json
import math
import os
import re
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
BLOCKS = 5


class Failure(Exception):
    """A program that cannot be built or does not run to its end."""


@dataclass(frozen=True)
class Case:
    name: str
    text: str
    dimension: int
    across: int
    layers: int
    settle: float    # simulated seconds from the loose lattice
    warm: float      # simulated seconds to come to rest again
    measured: float


@dataclass(frozen=True)
class Program:
    name: str        # as readers know it
    key: str         # of its driver
    case: str
    package: str     # Debian's
    settings: tuple[str, ...]
    quick: tuple[str, ...]
    note: str = ""
    timeout: float = field(default=600)


PROGRAMS = (
    Program("Scree", "scree", "spheres", "", ("tolerance=0.1", "iterations=5", "iterations=10", "iterations=20", "tolerance=1e-2"),
            ("tolerance=0.1", "iterations=10"), "double, exact Coulomb; tolerance=0.1: no setting at all"),
    Program("Bullet", "bullet", "spheres", "libbullet-dev", ("iterations=10", "iterations=40"), ("iterations=10", "iterations=40"),
            "float, one row of friction"),
    Program("Bullet, double", "bullet64", "spheres", "libbullet-dev", ("iterations=10",), ("iterations=10",), "one row of friction"),
    Program("ODE", "ode", "spheres", "libode-dev", ("iterations=10", "iterations=20"), ("iterations=10", "iterations=20"),
            "QuickStep, double, friction pyramid"),
    Program("Scree, soft engine", "scree", "spheres", "", ("stiffness=6e3", "stiffness=6e4", "stiffness=3e5"), ("stiffness=6e4",),
            "double, springs and dashpots"),
    Program("LAMMPS", "lammps", "spheres", "lammps", ("stiffness=6e3", "stiffness=6e4", "stiffness=3e5"), ("stiffness=6e4",),
            "gran/hooke/history, the same springs, dashpots and step"),
    Program("YADE", "yade", "spheres", "yade", ("stiffness=6e3", "stiffness=2e4"), ("stiffness=6e3",),
            "Cundall and Strack, the same springs and step, damping 0.2"),
    Program("Scree", "scree", "disks", "", ("tolerance=0.1", "iterations=5", "iterations=10", "iterations=20", "tolerance=1e-2"),
            ("tolerance=0.1", "iterations=10"), "double, exact Coulomb; tolerance=0.1: no setting at all"),
    Program("Box2D 2.4", "box2d", "disks", "libbox2d-dev", ("iterations=8", "iterations=30"),
            ("iterations=8", "iterations=30"), "float; lets bodies sink in by 0.005 on purpose"),
    Program("Chipmunk", "chipmunk", "disks", "libchipmunk-dev", ("iterations=10", "iterations=30"),
            ("iterations=10", "iterations=30"), "double, slop 0.001; Debian's library has assertions in it"),
)

#: Sweeps over the contact problem of one step, from zero.
SWEEPS, SWEEPS_SICONOS = ("3", "10", "30", "100", "300", "1000"), ("10", "30", "100", "300")
SICONOS = Program("Siconos", "siconos", "problem", "libsiconos-numerics-dev", SWEEPS_SICONOS, SWEEPS_SICONOS[:3],
                  "NSGS with its own local solver, double")


# ---------------------------------------------------------------- building

def _flags(*names: str) -> list[str]:
    answer = subprocess.run(["pkg-config", "--cflags", "--libs", *names], capture_output=True, text=True)
    if answer.returncode != 0:
        raise Failure(f"pkg-config knows no {' '.join(names)}")
    return answer.stdout.split()


def _compile_line(key: str, build: Path) -> list[str]:
    c, cxx = ["cc", "-std=c17", "-D_DEFAULT_SOURCE", "-O2"], ["c++", "-std=c++17", "-O2"]
    at = {name: str(HERE / name) for name in os.listdir(HERE)}
    if key == "scree":
        where = build.resolve()
        return [*c, at["own.c"], f"-I{ROOT / 'include'}", f"-L{where}", f"-Wl,-rpath,{where}", "-lscree", "-lm"]
    if key == "chipmunk":
        return [*c, at["chipmunk.c"], "-lchipmunk", "-lm"]
    if key == "siconos":
        return [*cxx, at["siconos.cpp"], "-I/usr/include/siconos", "-I/usr/include/siconos/numerics", "-lsiconos_numerics",
                "-lsiconos_externals"]
    library = {"bullet": "bullet", "bullet64": "bullet-float64", "ode": "ode", "box2d": "box2d"}[key]
    source = {"bullet64": "bullet"}.get(key, key) + ".cpp"
    return [*cxx, at[source], *_flags(library)]


def build_driver(program: Program, build: Path) -> None:
    """Compiles a driver into build/peers, or looks for the program itself."""
    own = {"lammps": "lmp", "yade": "yade"}.get(program.key)
    if own is not None:
        if shutil.which(own) is None:
            raise Failure(f"{own} is not installed (package {program.package})")
        return
    folder = build / "peers"
    folder.mkdir(parents=True, exist_ok=True)
    done = subprocess.run([*_compile_line(program.key, build), "-o", str(folder / program.key)], capture_output=True, text=True)
    if done.returncode != 0:
        wrong = [line for line in done.stderr.splitlines() if "error" in line] or done.stderr.splitlines() or ["no message"]
        raise Failure(f"does not compile (package {program.package}): {wrong[0]}")


def version(program: Program) -> str:
    """Debian's version of its package."""
    if not program.package:
        return ""
    said = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", program.package], capture_output=True, text=True)
    return said.stdout.strip()


# ---------------------------------------------------------------- running

def call(command: list[str], timeout: float) -> str:
    """What a command prints; one thread wherever a library would take more."""
    one = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=timeout, env=one)
    except subprocess.TimeoutExpired:
        raise Failure(f"not done after {timeout:g} s") from None
    except OSError as error:
        raise Failure(str(error)) from None
    if done.returncode != 0:
        said = (done.stderr.strip() or done.stdout.strip() or "no message").splitlines()
        raise Failure(f"exit status {done.returncode}: {said[-1]}")
    return done.stdout


def json_lines(text: str) -> list[dict[str, Any]]:
    found = [json.loads(line) for line in text.splitlines() if line.startswith("{")]
    if not found:
        raise Failure("it printed no result")
    return found


def run(program: Program, case: Case, setting: str, state: Path, out: Path, build: Path) -> dict[str, Any]:
    """One measurement: processor seconds of each block, and what was simulated in it."""
    if program.key == "lammps":
        return _run_lammps(case, float(setting.partition("=")[2]), state, out, program.timeout)
    task = [str(state), str(out), repr(case.warm), repr(case.measured), setting]
    if program.key == "yade":
        command = ["yade", "-n", "-x", "-j1", str(HERE / "yade_spheres.py"), *task]
    else:
        command = [str(build / "peers" / program.key), *task]
    return json_lines(call(command, program.timeout))[-1]


# ---------------------------------------------------------------- LAMMPS, by an input file

def _lammps_input(case: Case, stiffness: float, state: Path, data: Path, places: Path) -> tuple[str, int, float]:
    with state.open() as file:
        _, count, width = file.readline().split()
        grains = [line.split() for line in file]
    side, high = float(width), 10 * float(width)
    rows = "\n".join(f"{i + 1} 1 {2 * float(r)!r} 1 {x} {y} {z}" for i, (x, y, z, r) in enumerate(grains))
    data.write_text(f"spheres\n\n{count} atoms\n1 atom types\n\n-0.1 {side + 0.1!r} xlo xhi\n-0.1 {side + 0.1!r} ylo yhi\n"
                    f"-0.1 {high!r} zlo zhi\n\nAtoms # sphere\n\n{rows}\n")
    reduced = 4 / 3 * math.pi * float(grains[0][3]) ** 3 / 2
    step = math.pi * math.sqrt(reduced / stiffness) / 20
    # Its dashpot is gamma times the reduced mass: a fifth of critical damping.
    law = f"hooke/history {stiffness!r} {2 / 7 * stiffness!r} {0.4 * math.sqrt(stiffness / reduced)!r} 0 0.5 0"
    steps = max(1, round(case.measured / step / BLOCKS))
    text = f"""units lj
atom_style sphere
boundary f f f
newton off
comm_modify vel yes
read_data {data}
pair_style gran/{law}
pair_coeff * *
neighbor 0.1 bin
neigh_modify delay 0 every 1 check yes
fix 1 all gravity 9.81 vector 0 0 -1
fix 2 all nve/sphere
fix 3 all wall/gran {law} xplane 0 {side!r}
fix 4 all wall/gran {law} yplane 0 {side!r}
fix 5 all wall/gran {law} zplane 0 NULL
timestep {step!r}
thermo 1000000
run {round(case.warm / step)}
""" + f"run {steps}\n" * BLOCKS + f"""write_dump all custom {places} x y z radius modify format float %.17g sort id
"""
    return text, steps, step


def _run_lammps(case: Case, stiffness: float, state: Path, out: Path, timeout: float) -> dict[str, Any]:
    """It prints 'Loop time of SECONDS ...' and 'P% CPU use ...' after every run."""
    data, script, places = (out.with_suffix(f".lammps.{end}") for end in ("data", "in", "dump"))
    text, steps, step = _lammps_input(case, stiffness, state, data, places)
    script.write_text(text)
    said = call(["lmp", "-in", str(script), "-log", "none"], timeout)
    loops = [float(x) for x in re.findall(r"Loop time of (\S+) on", said)]
    shares = [float(x) / 100 for x in re.findall(r"(\S+)% CPU use", said)]
    if len(loops) != BLOCKS + 1 or len(shares) != len(loops):
        raise Failure("it printed no times")
    rows = places.read_text().split("ITEM: ATOMS x y z radius\n")[1]
    out.write_text(state.read_text().splitlines()[0] + "\n" + rows)
    return {"simulated": steps * step, "steps": steps, "cpu": [a * b for a, b in zip(loops, shares)][1:]}
