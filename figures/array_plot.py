"""What the pictures of the array share."""

from __future__ import annotations

from typing import Any, Sequence

import matplotlib.pyplot as plt

BLUE, ORANGE, GREEN, YELLOW, PURPLE, SKY = "#0072b2", "#d55e00", "#009e73", "#e69f00", "#cc79a7", "#56b4e9"
INK, SOFT, PALE = "#2a2e35", "#7b828c", "#d5d9df"
WIDE, TALL = (6.2, 3.6), (6.2, 5.6)
DOMAINS = ("#eaf2f8", "#fdf3e4", "#eaf5ef")  # backgrounds of modes 1, 2 and 3


def plot_axes(rows: int = 1, columns: int = 1, size: tuple[float, float] = WIDE, **more: Any) -> tuple[Any, Any]:
    return plt.subplots(rows, columns, figsize=size, **more)


def exact_line(axes: Any, x: Sequence[float], y: Sequence[float], label: str | None = "exact solution",
               **more: Any) -> None:
    axes.plot(x, y, color=INK, linewidth=0.8, label=label, **more)


def dots(axes: Any, x: Sequence[float], y: Sequence[float], colour: str, label: str | None = None, size: float = 3.5,
         mark: str = "o", **more: Any) -> None:
    axes.plot(x, y, mark, color=colour, markersize=size, markerfacecolor="white", markeredgewidth=0.9, label=label,
              **more)


def across(axes: Any, y: float, label: str) -> None:
    """A dashed horizontal line, named in the legend."""
    axes.axhline(y, color=SOFT, linewidth=0.8, linestyle=(0, (4, 3)), zorder=0, label=label)


def level(axes: Any, y: float, text: str, x: float = 0.99, above: bool = True) -> None:
    """A dashed horizontal line with its name at the right."""
    axes.axhline(y, color=SOFT, linewidth=0.8, linestyle=(0, (4, 3)), zorder=0)
    axes.annotate(text, (x, y), xycoords=("axes fraction", "data"), xytext=(0, 3 if above else -3),
                  textcoords="offset points", ha="right", va="bottom" if above else "top", color=SOFT, fontsize=8)


def domains(axes: Any, lengths: Sequence[int], start: float = 0.5, names: bool = True) -> None:
    """Shades the domains of the three modes along the array."""
    left = start
    for mode, (length, colour) in enumerate(zip(lengths, DOMAINS), 1):
        axes.axvspan(left, left + length, color=colour, linewidth=0, zorder=-2)
        if names and length:
            axes.annotate(f"mode {mode}", (left + length / 2, 1), xycoords=("data", "axes fraction"), xytext=(0, -3),
                          textcoords="offset points", ha="center", va="top", color=SOFT, fontsize=8)
        left += length


def headroom(axes: Any, part: float = 0.12) -> None:
    """Room at the top for names and legends."""
    low, high = axes.get_ylim()
    axes.set_ylim(low, high + part * (high - low))
