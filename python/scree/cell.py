"""The periodic cell, which may deform."""
from __future__ import annotations

from typing import Mapping, NamedTuple

import numpy as np

from . import _values
from ._library import CellDef, CellReport
from ._values import Floats

COMPONENTS = ("xx", "xy", "xz", "yx", "yy", "yz", "zx", "zy", "zz")
_HELD = ("xx", "xy", "xz", "yy", "yz", "zz")


class Cell(NamedTuple):
    """The periodic cell. Matrices are (3, 3): row, column."""

    edges: Floats  # its three edges, one in each row; zero along directions that are not periodic
    rate: Floats  # L of the last step: velocities grow by L dx
    strain: Floats  # the rate integrated over time
    stress: Floats  # mean over the last step, of a cell that deforms; compression is positive

    @property
    def volume(self) -> float:
        """Volume, in the plane area; along directions that are not periodic, per length."""
        whole = np.where(np.any(self.edges != 0, axis=1)[:, None], self.edges, np.eye(3))
        return float(abs(np.linalg.det(whole)))

    @property
    def oblique(self) -> bool:
        """Whether an edge is not along its axis."""
        return bool(np.any(self.edges - np.diag(np.diag(self.edges))))


def of_report(report: CellReport) -> Cell:
    """From what the library tells."""
    edges = np.array([(edge.x, edge.y, edge.z) for edge in report.vector])
    rate, strain, stress = (np.array(values).reshape(3, 3) for values in (report.rate, report.strain, report.stress))
    return Cell(edges, rate, strain, stress)


def _let_go(cell: CellDef) -> None:
    """Nothing is held any more, and what was held stands still."""
    for k in range(9):
        turned = 3 * (k % 3) + k // 3
        if cell.control[k] or (cell.symmetric and cell.control[turned]) or (cell.isotropic and k % 4 == 0):
            cell.rate[k] = 0
    for k in range(9):
        cell.control[k] = 0
    cell.isotropic = False


def change(cell: CellDef, rate: Mapping[str, float], stress: Mapping[str, float], pressure: float | None) -> None:
    """What is given changes, the rest stays as it is."""
    rates = _values.known(rate, COMPONENTS, "rate")
    held = _values.known(stress, _HELD, "stress")
    cell.deforms = True
    if pressure is not None:
        _let_go(cell)
        cell.isotropic, cell.pressure = True, _values.number(pressure, "pressure")
    elif cell.isotropic and (held or {"xx", "yy", "zz"} & set(rates)):
        _let_go(cell)
    for name, value in rates.items():
        cell.control[COMPONENTS.index(name)] = 0
        cell.rate[COMPONENTS.index(name)] = _values.number(value, f"rate.{name}")
    for name, value in held.items():
        cell.control[COMPONENTS.index(name)] = 1
        cell.stress[COMPONENTS.index(name)] = _values.number(value, f"stress.{name}")
