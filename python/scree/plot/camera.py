"""From space to paper: an orthographic view."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from .. import _values
from .._values import Floats
from ..errors import ArgumentError


@dataclass(frozen=True)
class Camera:
    """Where the eye is: rows of `axes` point right, up, and towards the eye."""

    axes: Floats

    @staticmethod
    def looking_from(eye: ArrayLike | None = None, up: ArrayLike = (0, 0, 1)) -> Camera:
        """A camera that looks from the direction `eye`, far away; by default from the front, the right and above."""
        upward = _values.vector(up, "up", 3)
        if not np.linalg.norm(upward) > 0:
            raise ArgumentError("up: must not be zero")
        upward = upward / np.linalg.norm(upward)
        near = _values.vector(_default_eye(upward) if eye is None else eye, "camera", 3)
        if not np.linalg.norm(near) > 0:
            raise ArgumentError("camera: the eye must not be at zero")
        near = near / np.linalg.norm(near)
        right = np.cross(upward, near)
        if np.linalg.norm(right) < 1e-9:  # straight from above
            right = np.cross(_across(upward), near)
        right = right / np.linalg.norm(right)
        return Camera(np.array([right, np.cross(near, right), near]))

    def see(self, points: ArrayLike) -> Floats:
        """Points (n, 3) as right, up and nearness."""
        return np.asarray(points) @ self.axes.T


def _across(upward: Floats) -> Floats:
    """A direction that is not the given one: y, or for that x."""
    return np.array([0, 1.0, 0]) if abs(upward[1]) < 0.9 else np.array([1.0, 0, 0])


def _default_eye(upward: Floats) -> Floats:
    across = _across(upward)
    away = across - upward * (across @ upward)
    away /= np.linalg.norm(away)
    return 0.55 * np.cross(away, upward) - away + 0.55 * upward
