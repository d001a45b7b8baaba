"""The look of all plots: one place for fonts, lines and colours.

The colours of series are those of Okabe and Ito, which people with any kind of colour vision can tell apart; the
colour scale for numbers becomes steadily lighter, so that it also works in grey."""
from __future__ import annotations

import contextlib
from typing import Any, ContextManager, Mapping

import matplotlib
import matplotlib.pyplot as plt
from cycler import cycler
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap

BLUE, ORANGE, GREEN, YELLOW, PURPLE, SKY, RED = (
    "#0072b2", "#d55e00", "#009e73", "#e69f00", "#cc79a7", "#56b4e9", "#a3262a")
PALETTE: tuple[str, ...] = (BLUE, ORANGE, GREEN, YELLOW, PURPLE, SKY)
INK, SOFT_INK, PALE, PAPER = "#2a2e35", "#7b828c", "#d5d9df", "#ffffff"
WALL, WALL_EDGE = "#ebe8e2", "#8d8a83"

# From low to high: night blue, sea, moss, sand.
SCALE = LinearSegmentedColormap.from_list(
    "scree", ["#38549a", "#3a78a8", "#47a0a3", "#86c096", "#cdd690", "#fdf1b8"], N=512)

# What some materials look like, by name, as in the viewer (viewer/src/draw/colours.js).
NAMED: dict[str, str] = {
    "stone": "#a49a8d", "rock": "#9a887a", "granite": "#a18d89", "limestone": "#cfc3ab", "marble": "#e1ddd7",
    "sand": "#d6b98a", "gravel": "#8b857c", "ballast": "#7d726a", "clay": "#b37458", "brick": "#ac543f",
    "wood": "#c9a476", "oak": "#c09567", "concrete": "#acaba7", "steel": "#95a0aa", "iron": "#6c7278",
    "brass": "#caaf59", "copper": "#c67544", "gold": "#deba50", "glass": "#a5cfbf", "bone": "#e7dec4",
    "ivory": "#ede5c7", "pill": "#f2cbdc", "coal": "#303338", "ore": "#855643", "ice": "#c2e5f1", "rubber": "#3b3d41",
    "amber": "#dd9231", "white": "#ecebe8", "black": "#27292b", "grey": "#8d8f92", "red": "#cb473f",
    "orange": "#eb883b", "yellow": "#edd55e", "green": "#4e9a5b", "blue": "#3578b8", "violet": "#835bae",
}

# Other materials, by number.
MATERIALS: tuple[str, ...] = ("#5b7fa6", "#d9a441", "#6a9a7b", "#b56576", "#8e7cc3", "#8a8f98")

_SETTINGS: dict[str, Any] = {
    "font.family": "sans-serif",
    "font.sans-serif": ["Source Sans 3", "Helvetica Neue", "Arial", "DejaVu Sans"],
    "font.size": 9,
    "mathtext.fontset": "dejavusans",
    "axes.titlesize": 10,
    "axes.titleweight": "normal",
    "axes.titlelocation": "left",
    "axes.titlepad": 8,
    "axes.labelsize": 9,
    "axes.labelcolor": INK,
    "axes.edgecolor": SOFT_INK,
    "axes.linewidth": 0.7,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": False,
    "axes.axisbelow": True,
    "axes.prop_cycle": cycler(color=PALETTE),
    "axes.formatter.use_mathtext": True,
    "axes.formatter.limits": (-3, 4),
    "text.color": INK,
    "xtick.color": SOFT_INK,
    "ytick.color": SOFT_INK,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "xtick.labelsize": 8,
    "ytick.labelsize": 8,
    "xtick.major.width": 0.7,
    "ytick.major.width": 0.7,
    "xtick.major.size": 3,
    "ytick.major.size": 3,
    "xtick.minor.size": 1.6,
    "ytick.minor.size": 1.6,
    "xtick.minor.width": 0.5,
    "ytick.minor.width": 0.5,
    "grid.color": PALE,
    "grid.linewidth": 0.6,
    "lines.linewidth": 1.2,
    "lines.markersize": 4,
    "lines.solid_capstyle": "round",
    "legend.frameon": False,
    "legend.fontsize": 8,
    "legend.handlelength": 1.4,
    "figure.facecolor": PAPER,
    "figure.dpi": 120,
    "figure.constrained_layout.use": True,
    "savefig.dpi": 200,
    "savefig.facecolor": PAPER,
    "svg.fonttype": "path",
    "svg.hashsalt": "scree",  # the same picture gives the same file
    "image.cmap": "viridis",
}


def style(settings: Mapping[str, Any] | None = None) -> ContextManager[None]:
    """The style of the package, for your own plots:

        with scree.plot.style():
            figure, axes = plt.subplots()

    `settings` of matplotlib override it. The functions of scree.plot use it automatically.
    """
    return matplotlib.rc_context({**_SETTINGS, **(settings or {})})


@contextlib.contextmanager
def drawn_on(axes: Any, size: tuple[float, float]) -> Any:
    """The axes given, or new ones in the style of the package."""
    with style():
        if axes is None:
            _, axes = plt.subplots(figsize=size)
        yield axes


def label(name: str, dimension: str, units: Mapping[str, str] | None) -> str:
    """A label with its unit, if one is given for the dimension."""
    unit = (units or {}).get(dimension)
    return f"{name} [{unit}]" if unit else name


# Units of force, energy and stress that have names, by those of length, mass and time, and by the dimension of space.
_NAMED_UNITS: dict[tuple[str, str, str, int], tuple[str, str, str]] = {
    ("m", "kg", "s", 3): ("N", "J", "Pa"), ("m", "kg", "s", 2): ("N", "J", "N/m"),
    ("m", "kg/m", "s", 2): ("N/m", "J/m", "Pa"),
}


def units(length: str, mass: str, time: str, dimension: int = 3) -> dict[str, str]:
    """The units of everything that plots show, from those of a scene. In the plane stress is force per length; masses
    per depth are kg/m, and then stress is in Pa.

    >>> units("m", "kg", "s")["stress"], units("m", "kg", "s", dimension=2)["stress"]
    ('Pa', 'N/m')
    >>> units("mm", "g", "ms")["energy"]
    'g mm²/ms²'
    """
    named = _NAMED_UNITS.get((length, mass, time, dimension))
    stress = f"{mass}/({length} {time}²)" if dimension == 3 else f"{mass}/{time}²"
    force, energy, stress = named or (f"{mass} {length}/{time}²", f"{mass} {length}²/{time}²", stress)
    return {"length": length, "mass": mass, "time": time, "length/time": f"{length}/{time}", "1/time": f"1/{time}",
            "length^2/time^2": f"{length}²/{time}²", "force": force, "energy": energy, "stress": stress}


def legend_above(axes: Axes, columns: int = 6) -> None:
    """A legend above the axes, where it hides neither a curve nor the power of ten of the scale."""
    axes.legend(loc="lower left", bbox_to_anchor=(0, 1.06), ncol=columns, borderaxespad=0.2, columnspacing=1.2)
