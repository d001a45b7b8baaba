"""Packings as the drivers write them, and how far their grains overlap. One function judges all programs."""
from __future__ import annotations

import itertools
from dataclasses import dataclass
from pathlib import Path

import numpy as np


@dataclass(frozen=True)
class Packing:
    dimension: int
    width: float
    place: np.ndarray  # [count, 3]
    radius: np.ndarray


@dataclass(frozen=True)
class Overlap:
    """In mean radii, over all pairs that overlap, walls included."""
    mean: float
    most: float
    pairs: int


def read(path: Path) -> Packing:
    with path.open() as file:
        dimension, count, width = file.readline().split()
        table = np.loadtxt(file, ndmin=2)
    if table.shape != (int(count), 4) or not np.isfinite(table).all():
        raise ValueError(f"{path.name}: not {count} grains at finite places")
    return Packing(int(dimension), float(width), table[:, :3], table[:, 3])


def _close_pairs(packing: Packing) -> tuple[np.ndarray, np.ndarray]:
    """Pairs of grains in the same or in neighbouring cells as wide as the largest grain, each once."""
    cell = np.floor((packing.place - packing.place.min(axis=0)) / (2 * packing.radius.max())).astype(np.int64) + 1
    stride = np.array([1, cell[:, 0].max() + 2, (cell[:, 0].max() + 2) * (cell[:, 1].max() + 2)])
    key = cell @ stride
    order = np.argsort(key, kind="stable")
    ranked = key[order]
    first, second = [], []
    for way in itertools.product((-1, 0, 1), repeat=3):
        jump = int(np.dot(way, stride))
        if jump < 0 or (jump == 0 and any(way)):
            continue
        begin, end = np.searchsorted(ranked, ranked + jump), np.searchsorted(ranked, ranked + jump, side="right")
        if jump == 0:
            begin = np.arange(len(order)) + 1
        many = np.maximum(end - begin, 0)
        first.append(np.repeat(order, many))
        offset = np.arange(many.sum()) - np.repeat(np.cumsum(many) - many, many)
        second.append(order[np.repeat(begin, many) + offset])
    return np.concatenate(first), np.concatenate(second)


def overlap(packing: Packing) -> Overlap:
    a, b = _close_pairs(packing)
    radius, place = packing.radius, packing.place
    between = radius[a] + radius[b] - np.linalg.norm(place[a] - place[b], axis=1)
    walls = [radius - place[:, axis] for axis in range(packing.dimension)]
    walls += [radius + place[:, axis] - packing.width for axis in range(packing.dimension - 1)]
    depth = np.concatenate([between, *walls])
    depth = depth[depth > 0] / radius.mean()
    return Overlap(float(depth.mean()), float(depth.max()), len(depth)) if len(depth) else Overlap(0.0, 0.0, 0)
