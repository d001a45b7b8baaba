"""What the figures of the review share: the chain before a wall, its theory, a fit of damped oscillations.

Equations (UK 58) are those of Unger and Kertész, "The contact dynamics method for granular media".
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

import scree

# : How fast a sweep in a random order, drawn anew every time, relaxes forces (UK 46).
Q = (4 * math.sqrt(math.e) - 5) / 2

SOFT_INK = "#7b828c"


# ---------------------------------------------------------------- the chain


def chain(grains: int, sweeps: int, gap: float, push: float, seed: int = 1) -> scree.World:
    """Disks in a row behind a wall, pushed towards it at the far end (UK Fig. 6): d = m = dt = 1."""
    solver = {"order": "random", "criterion": "fixed", "iterations": sweeps, "projection": 0}
    world = scree.World(dimension=2, time_step=1, seed=seed, solver=solver)
    world.add_material(friction=0)
    fill_chain(world, grains, gap, push)
    return world


def fill_chain(world: scree.World, grains: int, gap: float, push: float, **wall: Any) -> None:
    """The wall at x = 0 and the disks before it."""
    world.add_plane(point=(0, 0), normal=(1, 0), **wall)
    position, force = np.zeros((grains, 2)), np.zeros((grains, 2))
    position[:, 0] = gap + 0.5 + np.arange(grains)
    force[-1, 0] = -push
    world.add_grains(position, 0.5, mass=1, force=force)


class Mode(NamedTuple):
    """One mode of the chain: angular frequency [1/dt] and damping time [dt]."""

    frequency: float
    damping_time: float


def wave_number(grains: int, mode: int = 0) -> float:
    """The wave number of the standing waves between a wall and a free end; the longest is four chains long."""
    return (2 * mode + 1) * math.pi / (2 * grains)


def continuum(grains: int, sweeps: float) -> Mode:
    """The longest mode by the paper's wave equation (UK 54, 57, 58, 60)."""
    k = wave_number(grains)
    speed_square = diffusion = Q * sweeps
    return Mode(k * math.sqrt(speed_square - (diffusion * k) ** 2 / 4), 2 / (diffusion * k * k))


def mean_sweep(contacts: int) -> np.ndarray:
    """What a sweep in random order makes of the errors of the forces in a chain, averaged over all orders.

    Contact 0 is that with the wall and takes over the error of contact 1; all others take the mean of their two neighbours; beyond the
    last one the force is given. Let contact i look to its left. With the probability 1 - 1/2! its neighbour has not been
    updated yet. With 1/2! it has, from the old error of i itself and from the one beyond; with 1/3! that one had been
    updated before, and so on: m contacts in falling order have the probability 1/m!. Summed over an endless chain this gives (UK 46).
    """
    matrix = np.zeros((contacts, contacts))
    for i in range(contacts):
        for way, weight in ((1, 1.0),) if i == 0 else ((-1, 0.5), (1, 0.5)):
            here, probability, order = i, 1.0, 1
            while 0 <= here + way < contacts and probability > 1e-18:
                there, order = here + way, order + 1
                further = 1 / math.factorial(order)
                matrix[i, there] += (probability - further) * weight  # not updated yet
                at_wall = there == 0
                matrix[i, here] += further * weight * (1 if at_wall else 0.5)
                if at_wall:
                    break
                here, probability, weight = there, further, weight / 2
    return matrix


def finite_chain(grains: int, sweeps: int) -> Mode:
    """The longest mode of the finite chain in finite steps, averaged over the random orders; no continuum.

    The sweeps take the error of the forces down by S^N_I, S the mean sweep; without error they would stop all
    motion: R' = S^N_I R + (1 - S^N_I) R*, v + B R* = 0, and v' = v + B R' (UK 51).
    """
    relaxed = np.linalg.matrix_power(mean_sweep(grains), sweeps)
    balance = np.eye(grains) - np.eye(grains, k=1)  # B: pushed by the contact behind, pushed back by the one in front
    forces = np.hstack([relaxed, -(np.eye(grains) - relaxed) @ np.linalg.inv(balance)])
    step = np.vstack([forces, np.hstack([np.zeros((grains, grains)), np.eye(grains)]) + balance @ forces])
    values = np.linalg.eigvals(step)
    longest = max(values[np.abs(values.imag) > 1e-9], key=abs)
    return Mode(abs(float(np.angle(longest))), -1 / math.log(abs(longest)))


# ---------------------------------------------------------------- damped oscillations


class Swing(NamedTuple):
    """x = offset + exp(-t / damping_time) (sine sin wt + cosine cos wt), as fitted."""

    frequency: float
    damping_time: float
    offset: float
    sine: float
    cosine: float
    misfit: float  # root mean square

    def at(self, time: np.ndarray) -> np.ndarray:
        return columns(time, self.frequency, self.damping_time) @ (self.offset, self.sine, self.cosine)


def columns(time: np.ndarray, frequency: float, damping_time: float) -> np.ndarray:
    """The three functions of the fit in which it is linear."""
    decay = np.exp(-time / damping_time)
    return np.column_stack([np.ones_like(time), decay * np.sin(frequency * time), decay * np.cos(frequency * time)])


def fit_amplitudes(time: np.ndarray, x: np.ndarray, frequency: float, damping_time: float) -> Swing:
    """The fit of offset, amplitude and phase (UK 64) with given frequency and damping time."""
    matrix = columns(time, frequency, damping_time)
    found, *_ = np.linalg.lstsq(matrix, x, rcond=None)
    return Swing(frequency, damping_time, *found, math.sqrt(np.mean((matrix @ found - x) ** 2)))


def fit_swing(time: np.ndarray, x: np.ndarray, frequency: float, damping_time: float) -> Swing:
    """The fit of all five numbers of (UK 64), from a guess: Gauss and Newton's steps, shortened when they do not help."""
    time, x = np.asarray(time, float), np.asarray(x, float)
    start = time[0]  # amplitudes are counted from here, so that they are of the size of the data
    best = fit_amplitudes(time - start, x, frequency, damping_time)
    damping = 1e-3
    for _ in range(200):
        since = time - start
        base = columns(since, best.frequency, best.damping_time)
        swing = best.sine * base[:, 1] + best.cosine * base[:, 2]
        slope = np.column_stack([base, since * (best.sine * base[:, 2] - best.cosine * base[:, 1]),
                                 swing * since / best.damping_time ** 2])
        scale = np.linalg.norm(slope, axis=0)
        square = (slope / scale).T @ (slope / scale)
        step = np.linalg.solve(square + damping * np.eye(5), (slope / scale).T @ (x - best.at(since))) / scale
        trial_frequency, trial_time = best.frequency + step[3], best.damping_time + step[4]
        trial = best
        if trial_frequency > 0 and trial_time > 0:
            trial = fit_amplitudes(since, x, trial_frequency, trial_time)
        if trial.misfit < best.misfit:
            better = best.misfit - trial.misfit
            best, damping = trial, damping / 10
            if better < 1e-12 * best.misfit:
                break
        elif damping > 1e6:
            break
        else:
            damping *= 10
    return best


def fit_first_guess(time: np.ndarray, x: np.ndarray, frequencies: np.ndarray, damping_times: np.ndarray) -> Swing:
    """The fit from the best guess of a table of frequencies and damping times."""
    since = np.asarray(time, float) - time[0]
    guesses = [fit_amplitudes(since, np.asarray(x), w, tau) for w in frequencies for tau in damping_times]
    best = min(guesses, key=lambda guess: guess.misfit)
    return fit_swing(time, x, best.frequency, best.damping_time)


class Power(NamedTuple):
    """y = factor x^exponent."""

    exponent: float
    error: float  # of the exponent: standard deviation
    factor: float


def fit_power(x: Any, y: Any) -> Power:
    """A straight line through logarithms; its error from the scatter about it."""
    (slope, level), spread = np.polyfit(np.log(x), np.log(y), 1), math.nan
    if len(x) > 2:
        _, covariance = np.polyfit(np.log(x), np.log(y), 1, cov=True)
        spread = math.sqrt(covariance[0, 0])
    return Power(float(slope), spread, float(np.exp(level)))


def mean_and_error(values: Any) -> tuple[float, float]:
    """The mean of independent values and its standard error."""
    values = np.asarray(values, float)
    return float(values.mean()), float(values.std(ddof=1) / math.sqrt(len(values)))


# ---------------------------------------------------------------- one contact


def wall_force(world: scree.World, up: int, *along: int) -> np.ndarray:
    """The force of wall 0 on the grain before it: normal part, then the tangential ones along the axes given (all others of the three when
    none is given); zeros when they do not touch."""
    axes = along or tuple(axis for axis in range(3) if axis != up)
    found = world.contacts
    if len(found) == 0:
        return np.zeros(1 + len(axes))
    return np.array([found.force_normal[0], *(-found.force_tangential[0, axis] for axis in axes)])


# ---------------------------------------------------------------- packings of disks

LID = 3  # the wall that is the piston of disks_under_lid; 2 is the right side


def disks_under_lid(grains: int, seed: int, friction: float, pressure: float) -> scree.World:
    """Disks with radii between r and 2 r (mean diameter and mean mass 1) on a loose lattice in a box, and a lid that presses them together. The
    box will be about as high as wide then. There is no gravity."""
    random = np.random.default_rng(seed)
    radius = random.uniform(1, 2, grains) / 3
    width = math.sqrt(grains * math.pi * np.mean(radius ** 2) / 0.82)
    spacing = 2.04 * radius.max()
    columns, index = int(width / spacing), np.arange(grains)
    positions = np.column_stack([(index % columns + 0.5) * width / columns, (index // columns + 0.5) * spacing])
    world = scree.World(dimension=2, time_step=1, seed=seed, solver={"projection": 0})  # overlaps are what is studied
    world.add_material(friction=friction)
    for point, normal in (((0, 0), (0, 1)), ((0, 0), (1, 0)), ((width, 0), (-1, 0))):
        world.add_plane(point=point, normal=normal)
    world.add_grains(positions, radius, mass=radius ** 2 / np.mean(radius ** 2), velocity=random.normal(0, 0.02, positions.shape))
    world.add_plane(point=(0, positions[:, 1].max() + spacing), normal=(0, -1), mass=2 * width, force=(0, -pressure * width))
    return world


def compress(world: scree.World, close: float) -> None:
    """Lets the lid come down until it moves less than this distance in 25 steps."""
    moved = math.inf
    while moved > close and world.steps < 3000:
        before = world.wall(LID).point[1]
        world.step(25)
        moved = abs(world.wall(LID).point[1] - before)


def step_at_rest(world: scree.World, steps: int) -> None:
    """Steps that relax the forces of a packing at rest. All motion is removed after each: grains that carry nothing
    would move on for ever."""
    still = np.zeros((len(world), 3))
    for _ in range(steps):
        world.step()
        world.set_velocity(..., still, still)
