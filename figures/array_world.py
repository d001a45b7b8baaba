"""The array of disks of Radjai, Schäfer, Dippel and Wolf in the simulator, and what its figures share.

Disk i of the paper (1 at the braking end) is grain i - 1. The array moves along x; the blocks are planes that move
along x only, with hardly any mass. Spins are given as the paper has them: positive as if the disk rolled forward.
"""

from __future__ import annotations

from typing import Any, Sequence

import numpy as np
import scree
from array_exact import Array

PLANE, DRIVER, BRAKE = 0, 1, 2  # walls
TIGHT = {"tolerance": 1e-13, "iterations": 1_000_000}
BLOCK_MASS = 1e-9

#: Figs. 3 and 4; the figures about steady states; Figs. 10 and 11; Fig. 12.
TEN = Array(10, 2.5, 0.01, 0.1, 0.2, 0.001)
THIRTY = Array(30, 3.0, 0.01, 0.04, 0.1, 0.001)
EIGHTY = Array(80, 14.0, 0.01, 0.006, 0.1, 0.001)
FIVE = Array(5, 1.25, 0.01, 0.3, 0.3, 0.01)
TWELVE = Array(30, 4.0, 0.01, 0.01, 0.1, 0.01)

#: Stiffness and damping of the normal spring in the paper's molecular dynamics, its appendix B.
STIFFNESS, DAMPING = 2e5, 200.0


def _materials(world: scree.World, array: Array, law: dict[str, float]) -> tuple[int, int]:
    """Materials of the plane and of the blocks; disks have the first material."""
    def friction(mu: float, alpha: float) -> dict[str, float]:
        return {"friction": mu, "friction_static": alpha * mu if alpha > 1 else 0.0, **law}

    disk = world.add_material(**friction(array.mu, array.static))
    plane, block = (world.add_material(**law) for _ in range(2))
    world.set_law(disk, plane, **friction(array.mu_plane, array.static))
    world.set_law(disk, block, **friction(array.mu_block, 1.0))
    return plane, block


def _fill(world: scree.World, array: Array, velocity: float, spin: Sequence[float] | None, law: dict[str, float],
          block_mass: float, overlap: np.ndarray) -> None:
    """`overlap`: the initial overlaps of the contacts: plane 1..L, then 0..L."""
    plane, block = _materials(world, array, law)
    count = array.count
    height, between = 1 - overlap[:count], overlap[count:]
    along = np.concatenate([[0.0], -np.cumsum(2 - between[1:-1])])
    world.add_plane((0, 0), (0, 1), material=plane)
    for side, force, x in ((1, array.push, along[-1] - 1 + between[-1]), (-1, -array.brake, 1 - between[0])):
        world.add_plane((x, 0), (side, 0), material=block, mass=block_mass, force=(force, 0),
                        velocity=(velocity, 0))
    turn = np.zeros(count) if spin is None else -np.asarray(spin, float)
    world.add_grains(np.column_stack([along, height]), 1.0, mass=1.0, material=0, velocity=(velocity, 0),
                     spin=turn[:, None])


def rigid(array: Array, time_step: float = 0.01, velocity: float = 0.0, spin: Sequence[float] | None = None,
          seed: int = 1, **solver: Any) -> scree.World:
    """The array by contact dynamics: the laws C1 and, with static above 1, C2."""
    world = scree.World(dimension=2, gravity=(0, -1), time_step=time_step, seed=seed, solver={**TIGHT, **solver})
    _fill(world, array, velocity, spin, {}, BLOCK_MASS, np.zeros(2 * array.count + 1))
    return world


def soft(array: Array, time_step: float, shear: float, velocity: float = 0.0, spin: Sequence[float] | None = None,
         block_mass: float = 0.02, normal: Sequence[float] | None = None) -> scree.World:
    """The array by soft disks with the regularised law RC1; `shear` is gamma_s. Explicit steps cannot move massless
    blocks; these have a fiftieth of a disk. Springs begin with the forces `normal`, by default with the weight on the
    plane only."""
    world = scree.World(dimension=2, gravity=(0, -1), time_step=time_step, engine="soft", soft={"friction": "viscous"})
    law = {"stiffness": STIFFNESS, "damping": DAMPING, "damping_tangential": shear}
    force = np.repeat([1.0, 0.0], [array.count, array.count + 1]) if normal is None else np.asarray(normal)
    _fill(world, array, velocity, spin, law, block_mass, force / STIFFNESS)
    return world


def global_friction(world: scree.World) -> float:
    """mu_g in the last step: the friction of the plane over the weight."""
    return float(world.wall(PLANE).load[0]) / len(world)


def steady(array: Array, time_step: float = 0.01, **solver: Any) -> dict[str, Any]:
    """The steady state: forces and accelerations of the first step from rest. Numbers are the paper's."""
    with rigid(array, time_step, **solver) as world:
        report = world.step()
        return {**read_forces(world, array), "residual": report.residual, "sweeps": report.iterations,
                "converged": bool(report.converged)}


def read_forces(world: scree.World, array: Array) -> dict[str, Any]:
    """Forces of the last step in the paper's numbers and signs (array_exact.py), and accelerations when that step began
    at rest. States: 0 does not slide, 1 and -1 slides so, None open."""
    count, step = array.count, world.time_step
    normal, friction = np.zeros(2 * count + 1), np.zeros(2 * count + 1)
    state: list[int | None] = [None] * (2 * count + 1)
    for contact in world.contacts:
        if contact.state == scree.ContactState.OPEN:
            continue
        number, force = _number_of(contact, count)
        normal[number], friction[number] = contact.force_normal, force
        state[number] = 0 if contact.state == scree.ContactState.STICK else int(np.sign(force))
    return {
        "mu_g": global_friction(world),
        "acceleration": float(world.velocity[:, 0].mean()) / step,
        "spin_rate": (-world.spin[:, 2] / step).tolist(),
        "normal": normal.tolist(),
        "friction": friction.tolist(),
        "state": state,
    }


def _number_of(contact: Any, count: int) -> tuple[int, float]:
    """The number of a contact (plane 0..L-1, then blocks and pairs from the brake on) and its friction, signed so that
    it is positive against forward motion and forward turning."""
    on_b = contact.force_tangential
    if contact.b == -1 - PLANE:
        return int(contact.a), float(on_b[0])
    if contact.b == -1 - DRIVER:
        return 2 * count, float(on_b[1])
    if contact.b == -1 - BRAKE:
        return count, float(-on_b[1])
    first = min(contact.a, contact.b)
    return count + 1 + int(first), float(on_b[1] if contact.b > contact.a else -on_b[1])


def modes(spin_rate: Sequence[float], acceleration: float, tolerance: float = 1e-6) -> tuple[int, int, int]:
    """Lengths of the three domains: disks that roll from the braking end on, then those that turn with neither
    neighbour, then pairs that turn against each other up to the driving end."""
    rate = np.asarray(spin_rate)
    scale = tolerance * abs(acceleration)
    rolls = np.abs(rate - acceleration) < scale
    first = int(np.argmin(rolls)) if not rolls.all() else len(rate)
    against = np.abs(rate[1:] + rate[:-1]) < scale
    last = 0
    while last < len(against) and against[len(against) - 1 - last]:
        last += 1
    third = min(last + 1, len(rate) - first) if last else 0
    return first, len(rate) - first - third, third


def follow(world: scree.World, end: float, every: int = 1) -> tuple[np.ndarray, np.ndarray, dict[str, int]]:
    """mu_g through time: t in the middle of the steps and mu_g, of each `every`th step; and of all steps the least
    number of contacts that carried a force, and how many contacts found no solution of the law."""
    steps, step = round(end / world.time_step), world.time_step
    times, values, seen = [], [], {"contacts": 3 * len(world), "unsettled": 0}
    for at in range(0, steps, every):
        report = world.step(every)
        seen["contacts"] = min(seen["contacts"], int(np.min(report.active)))
        seen["unsettled"] += int(np.sum(report.unsettled))
        times.append((at + every - 0.5) * step)
        values.append(global_friction(world))
    return np.array(times), np.array(values), seen


def random_start(seed: int, count: int, spread: float = 0.2) -> np.ndarray:
    """Spins of the disks, uniform between -spread and spread."""
    return np.random.default_rng(seed).uniform(-spread, spread, count)


def effective(array: Array, change: float = 1e-3) -> dict[str, Any]:
    """The steady state, and the Legendre transform of F_g (RSDW 5, 6) from a second step with a slightly larger N_L: a
    is the change of F_g over that of the acceleration."""
    with rigid(array) as world:
        world.step()
        first = read_forces(world, array)
        world.set_wall_force(DRIVER, (array.push + change, 0))
        before = float(world.velocity[:, 0].mean())
        world.step()
        second = read_forces(world, array)
        rate = (float(world.velocity[:, 0].mean()) - before) / world.time_step
    return {**first, "push": array.push, "same_states": first["state"] == second["state"],
            **legendre(array.count, (first["acceleration"], rate), (first["mu_g"], second["mu_g"]))}


def legendre(count: int, rate: Sequence[float], mu_g: Sequence[float]) -> dict[str, float]:
    """mu_e and m_e from two neighbouring steady states: accelerations and mu_g."""
    slope = (mu_g[1] - mu_g[0]) / (rate[1] - rate[0])
    return {"mu_e": mu_g[0] - slope * rate[0], "m_e": count * (1 + slope)}


def soft_steady(array: Array, shear: float, time_step: float, settle: float,
                normal: Sequence[float] | None = None) -> dict[str, float | list[float]]:
    """The steady state by soft disks from rest: runs, gives the blocks what their own masses take (M a), and runs
    again; then measures over the last part."""
    with soft(array, time_step, shear, normal=normal) as world:
        steps, mass = round(settle / time_step), world.wall(DRIVER).mass
        velocity, spin = world.velocity, world.spin

        def run(count: int) -> tuple[float, np.ndarray, float]:
            before, turned = float(velocity[:, 0].mean()), spin[:, 2].copy()
            world.step(count)
            span = count * time_step
            return (float(velocity[:, 0].mean()) - before) / span, -(spin[:, 2] - turned) / span, global_friction(world)

        world.step(steps)
        for _ in range(2):
            rate = run(steps // 4)[0]
            world.set_wall_force(DRIVER, (array.push + mass * rate, 0))
            world.set_wall_force(BRAKE, (-array.brake + mass * rate, 0))
        world.step(steps // 2)
        rate, turning, friction = run(steps // 4)
        return {"push": array.push, "acceleration": rate, "mu_g": friction, "spin_rate": turning.tolist()}
