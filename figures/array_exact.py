"""The array of disks of Radjai, Schäfer, Dippel and Wolf solved exactly, without any simulation, for comparison.

Weight, radius and gravity are 1, the inertia of a disk is I = 1/2. Disk 1 is at the braking end, disk L at the driving
end; the array moves forward with v, disk i turns with w_i (positive: as if it rolled forward). No contact opens, so

    forward     N_i - N_{i-1} - F_i = a                  a: acceleration of all
    turning     I w_i' = F_i - T_i - T_{i-1}
    upward      n_i = 1 + T_i - T_{i-1}

with the friction F_i of the plane on disk i (against the motion), its normal force n_i, the normal force N_j
between disks j and j + 1 (0: braking block, L: driving block) and the friction T_j there, which brakes forward turning.
Slip is v - w_i at the plane and w_j + w_{j+1} between disks (blocks do not turn). The unknowns are the 2 L + 1
frictions; all else is linear in them. Where a contact slides, friction is full against the slip. Where it does not,
Coulomb's law in the dynamic sense (RSDW 1) holds for the rate of slip, which is a linear complementarity problem;
Lemke's method solves it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

INERTIA = 0.5


@dataclass(frozen=True)
class Array:
    """The parameters of an array: names as in the paper, mu' is mu_plane, mu'' is mu_block."""

    count: int
    push: float  # N_L
    brake: float  # N_0
    mu: float
    mu_plane: float
    mu_block: float
    static: float = 1.0  # alpha: mu_s / mu_d between disks and at the plane

    def pushed(self, push: float) -> Array:
        return replace(self, push=push)


@dataclass(frozen=True)
class State:
    """Forces and accelerations at one moment; plane contacts 1..L, the others 0..L."""

    acceleration: float
    spin_rate: np.ndarray  # w_i'
    normal: np.ndarray  # of all contacts: plane, then others
    friction: np.ndarray
    slip_rate: np.ndarray
    sense: np.ndarray  # -1, 1: slides that way; 0: does not slide


class Linear:
    """Normal forces and rates of slip of all contacts as linear functions of the frictions: A t + b + N_L c."""

    def __init__(self, array: Array) -> None:
        self.array, L = array, array.count
        self.size = n = 2 * L + 1
        self.mu = np.concatenate([np.full(L, array.mu_plane), [array.mu_block], np.full(L - 1, array.mu),
                                  [array.mu_block]])
        plane, pair = np.eye(n)[:L], np.eye(n)[L:]  # rows that select F_i and T_j
        constant = np.zeros((n, 2))  # columns: 1, N_L
        self.a_row = -plane.sum(axis=0) / L
        self.a_constant = np.array([-array.brake / L, 1 / L])
        self.spin_rows = (plane - pair[1:] - pair[:-1]) / INERTIA
        upward = pair[1:] - pair[:-1]
        across = np.vstack([np.zeros(n), np.cumsum(plane + self.a_row, axis=0)])
        self.normal_rows = np.vstack([upward, across])
        constant[:L, 0] = 1
        constant[L:] = np.arange(L + 1)[:, None] * self.a_constant
        constant[L:, 0] += array.brake
        self.normal_constant = constant
        both = np.vstack([self.spin_rows[:1], self.spin_rows[1:] + self.spin_rows[:-1], self.spin_rows[-1:]])
        self.slip_rows = np.vstack([self.a_row - self.spin_rows, both])
        self.slip_constant = np.zeros((n, 2))
        self.slip_constant[:L] = self.a_constant

    def at(self, push: float) -> tuple[np.ndarray, np.ndarray]:
        """Constants of normal forces and rates of slip for a driving force."""
        factor = np.array([1, push])
        return self.normal_constant @ factor, self.slip_constant @ factor

    def state(self, friction: np.ndarray, push: float) -> State:
        normal_constant, slip_constant = self.at(push)
        rate = self.slip_rows @ friction + slip_constant
        sense = np.where(rate > 1e-9, 1, np.where(rate < -1e-9, -1, 0))
        return State(float(self.a_row @ friction + self.a_constant @ [1, push]), self.spin_rows @ friction,
                     self.normal_rows @ friction + normal_constant, friction, rate, sense)


def lemke(M: np.ndarray, q: np.ndarray) -> np.ndarray | None:
    """z with w = M z + q, w >= 0, z >= 0, w z = 0; None when it ends on a ray. q is shifted in the thirteenth
    digit against ties."""
    n = len(q)
    q = q + 1e-13 * (1 + (np.arange(n) * 37 % 101) / 101)
    if np.all(q >= 0):
        return np.zeros(n)
    table = np.hstack([np.eye(n), -M, -np.ones((n, 1)), q[:, None]])
    basis = np.arange(n)
    out, enter = int(np.argmin(q)), 2 * n
    for _ in range(50 * n):
        table[out] /= table[out, enter]
        factor = table[:, enter].copy()
        factor[out] = 0
        table -= np.outer(factor, table[out])
        left, basis[out] = basis[out], enter
        if left == 2 * n:
            z = np.zeros(2 * n + 1)
            z[basis] = table[:, -1]
            return z[n:2 * n]
        enter = left + n if left < n else left - n
        column = table[:, enter]
        ratio = np.full(n, np.inf)
        np.divide(table[:, -1], column, out=ratio, where=column > 1e-11)
        if not np.isfinite(ratio.min()):
            return None
        out = int(np.argmin(ratio))
        driving = np.flatnonzero(basis == 2 * n)[0]
        if ratio[driving] == ratio[out]:
            out = int(driving)
    return None


def solve(array: Array, sense: np.ndarray | None = None, linear: Linear | None = None) -> State:
    """Forces when contacts with sense 1 or -1 slide so, and the others have no slip yet (by default: all, the array at
    rest). The sense of the state is that of the rate of slip for the latter."""
    linear = linear or Linear(array)
    n, mu = linear.size, linear.mu
    given = np.zeros(n, int) if sense is None else np.asarray(sense)
    free = np.flatnonzero(given == 0)
    side = np.where(given == 0, 1, given) * mu  # t = side N - x, with x only where it does not slide
    normal_constant, slip_constant = linear.at(array.push)
    inverse = np.linalg.inv(np.eye(n) - side[:, None] * linear.normal_rows)
    fixed, by_x = inverse @ (side * normal_constant), -inverse[:, free]
    slip_q, slip_M = linear.slip_rows[free] @ fixed + slip_constant[free], linear.slip_rows[free] @ by_x
    normal_q = linear.normal_rows[free] @ fixed + normal_constant[free]
    normal_M = linear.normal_rows[free] @ by_x
    one, twice = np.eye(len(free)), 2 * mu[free]
    z = lemke(np.block([[slip_M, one], [twice[:, None] * normal_M - one, np.zeros_like(one)]]),
              np.concatenate([slip_q, twice * normal_q]))
    if z is None:
        raise ArithmeticError("Lemke's method ended on a ray")
    state = linear.state(fixed + by_x @ z[:len(free)], array.push)
    return replace(state, sense=np.where(given == 0, state.sense, given))


# ---------------------------------------------------------------- steady states against the driving force


@dataclass(frozen=True)
class Branch:
    """Driving forces between which no contact changes its state: everything is linear in N_L there. Where four
    contacts around a loop stick, forces are not unique: a family t = friction(N_L) + s spare."""

    low: float
    high: float
    sense: np.ndarray
    friction: np.ndarray  # (contacts, 2): constant and slope in N_L
    acceleration: np.ndarray  # the same
    spare: np.ndarray | None  # a direction of frictions that changes no condition

    def at(self, push: float) -> float:
        return float(self.acceleration @ [1, push])


def _system(linear: Linear, sense: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Sliding: t - sense mu N = 0; otherwise: rate of slip 0."""
    slides = sense != 0
    side = (sense * linear.mu)[:, None]
    rows = np.where(slides[:, None], np.eye(linear.size) - side * linear.normal_rows, linear.slip_rows)
    right = np.where(slides[:, None], side * linear.normal_constant, -linear.slip_constant)
    return rows, right


def conditions(linear: Linear, sense: np.ndarray, friction: np.ndarray) -> np.ndarray:
    """What must not be negative, as (constant, slope): normal forces, friction below its bound where it does not slide,
    the rate of slip along its sense where it does."""
    normal = linear.normal_rows @ friction + linear.normal_constant
    rate = linear.slip_rows @ friction + linear.slip_constant
    bound = linear.mu[:, None] * normal
    sticks = sense == 0
    return np.vstack([normal, (bound - friction)[sticks], (bound + friction)[sticks],
                      (sense[:, None] * rate)[~sticks]])


def branch(array: Array, sense: np.ndarray, linear: Linear | None = None) -> Branch:
    """The branch of a steady state with these contact states."""
    linear = linear or Linear(array)
    rows, right = _system(linear, sense)
    _, value, turned = np.linalg.svd(rows)
    spare = turned[-1] if value[-1] < 1e-10 * value[0] else None
    friction = np.linalg.lstsq(rows, right, rcond=1e-12)[0]
    low, high = -np.inf, np.inf
    if spare is None:
        for constant, slope in conditions(linear, sense, friction):
            if slope > 1e-13:
                low = max(low, -constant / slope)
            elif slope < -1e-13:
                high = min(high, -constant / slope)
    acceleration = linear.a_row @ friction + linear.a_constant
    return Branch(low, high, sense, friction, acceleration, spare)


def spare_range(array: Array, found: Branch, linear: Linear | None = None) -> tuple[float, float]:
    """The range of s in which a family of forces obeys the law at N_L = array.push; empty when the first is larger."""
    linear = linear or Linear(array)
    assert found.spare is not None
    factor = np.array([1, array.push])
    constant = conditions(linear, found.sense, found.friction) @ factor
    moved = conditions(linear, found.sense, found.friction + np.outer(found.spare, [1, 0])) @ factor
    slope = moved - constant
    low = max((-c / s for c, s in zip(constant, slope) if s > 1e-12), default=-np.inf)
    high = min((-c / s for c, s in zip(constant, slope) if s < -1e-12), default=np.inf)
    return low, high


def acceleration_range(array: Array, found: Branch, linear: Linear | None = None) -> tuple[float, float]:
    """The least and the largest acceleration that the law allows on a branch at N_L = array.push."""
    linear = linear or Linear(array)
    now = found.at(array.push)
    if found.spare is None:
        return now, now
    low, high = spare_range(array, found, linear)
    ends = sorted(now + s * float(linear.a_row @ found.spare) for s in (low, high))
    return ends[0], ends[1]


def branches(array: Array, low: float, high: float, least: float = 1e-7) -> list[Branch]:
    """All branches of steady states from rest between two driving forces, one after another; the array must move at the
    first. Families are as wide as the law allows."""
    linear, found, push = Linear(array), [], low
    while push < high:
        state = solve(array.pushed(push + least), linear=linear)
        now = branch(array, state.sense, linear)
        if now.spare is not None:
            now = replace(now, low=push, high=_family_end(array, now, linear, push + least, high))
        push_next = max(now.high, push + least)
        if found and np.array_equal(found[-1].sense, now.sense):
            found[-1] = replace(found[-1], high=min(push_next, high))
        else:
            found.append(replace(now, low=max(now.low, push), high=min(now.high, high)))
        push = push_next
    return found


def _family_end(array: Array, found: Branch, linear: Linear, start: float, limit: float) -> float:
    """The largest N_L at which a family exists, by bisection."""
    def exists(push: float) -> bool:
        low, high = spare_range(array.pushed(push), found, linear)
        return low <= high

    good, step = start, 1e-3
    while good + step < limit and exists(good + step):
        good += step
    bad = good + step
    while bad - good > 1e-12:
        middle = (good + bad) / 2
        good, bad = (middle, bad) if exists(middle) else (good, middle)
    return good


# ---------------------------------------------------------------- motion from given spins


def slips(velocity: float, spin: np.ndarray) -> np.ndarray:
    """Velocities of slip of all contacts."""
    return np.concatenate([velocity - spin, [spin[0]], spin[1:] + spin[:-1], [spin[-1]]])


def motion(array: Array, velocity: float, spin: np.ndarray, end: float) -> tuple[np.ndarray, np.ndarray, bool]:
    """Times at which mu_g jumps and its values from there on, for one coefficient of friction; and whether it ends
    early because a contact would open. Between events all accelerations are constant."""
    linear, time, spin = Linear(array), 0.0, np.array(spin, float)
    slip = slips(velocity, spin)
    sense = np.sign(slip).astype(int)
    times, values = [], []
    while True:
        state = solve(array, sense, linear)
        if state.normal.min() < 0:
            return np.array(times), np.array(values), True
        times.append(time)
        values.append((array.push - array.brake) / array.count - state.acceleration)
        closing = (sense != 0) & (sense * state.slip_rate < -1e-12)
        wait = np.where(closing, -slip / np.where(closing, state.slip_rate, 1), np.inf)
        first = float(wait.min())
        if time + first >= end:
            return np.array(times), np.array(values), False
        velocity += state.acceleration * first
        spin += state.spin_rate * first
        time += first
        slip = slips(velocity, spin)
        met = closing & (wait <= first + 1e-12)
        sense = np.where(met, 0, np.where(sense == 0, state.sense, sense))
        slip[sense == 0] = 0


# ---------------------------------------------------------------- the paper's formulas


def growth(mu: float) -> float:
    return (1 + mu) / (1 - mu)


def inertia_rolling(mu: float, length: float) -> float:
    """m_e of mode 1 (RSDW 7)."""
    return (1 + INERTIA) / (2 * mu) * (growth(mu) ** length - 1)


def friction_rolling(mu: float, length: float, brake: float) -> float:
    """mu_e of mode 1 (RSDW 8)."""
    return (growth(mu) ** length - 1) * brake / length


def inertia_sliding(mu: float, mu_plane: float, length: float) -> float:
    """m_e of mode 2 (RSDW 9)."""
    return length / (1 - mu * mu_plane)


def friction_sliding(mu: float, mu_plane: float) -> float:
    """mu_e of mode 2 (RSDW 10)."""
    return mu_plane / (1 - mu * mu_plane)


def friction_slow(mu: float, mu_plane: float, brake: float, count: int, rolling: int) -> float:
    """mu_g of an array in slow motion, its first disks rolling (RSDW 11)."""
    return ((growth(mu) ** rolling - 1) * brake + (count - rolling) * mu_plane) / count


def rolling_array(array: Array) -> tuple[float, float]:
    """mu_e and m_e of an array that rolls as a whole, with mu'' at its ends: N_i (1 - m_i) = N_{i-1} (1 + m_{i-1}) +
    (1 + I) a, where m_i is mu, at the blocks mu''. For mu'' = mu these are (RSDW 8) and (RSDW 7)."""
    force = np.array([array.brake, 0.0])  # N_i as (constant, times a)
    for i in range(1, array.count + 1):
        before = array.mu_block if i == 1 else array.mu
        after = array.mu_block if i == array.count else array.mu
        force = (force * (1 + before) + [0, 1 + INERTIA]) / (1 - after)
    return (force[0] - array.brake) / array.count, force[1]
