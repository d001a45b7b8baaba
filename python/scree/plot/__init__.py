"""Plots with matplotlib: grains in the plane and in space, force chains, bonds, certificates, distributions, measures.

    import scree.plot
    axes = scree.plot.grains(world, colour="speed")
    scree.plot.save(axes, "heap.png")

Every function accepts a World, a Scene or a Frame of a run file, draws on the given axes or on new ones, and returns
the axes (or the figure) for further changes with matplotlib.
"""
from __future__ import annotations

import io
import os

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ..errors import ArgumentError
from .camera import Camera
from .pictures import bonds, chains, grains, indeterminacy, velocities
from .graphs import certificate, energies, force_distribution, forces, rose, series
from .curves import curve
from .measures import energy, fabric, fields, packing, pairs, profile, stress
from .files import whole
from .films import film
from .several import compare
from .studies import study
from .style import PALETTE, SCALE, style, units

__all__ = ["Camera", "PALETTE", "SCALE", "bonds", "certificate", "chains", "compare", "curve", "energies", "energy",
           "fabric", "fields", "film", "force_distribution", "forces", "grains", "indeterminacy", "packing",
           "pairs", "profile", "rose", "save", "series", "stress", "study", "style", "units", "velocities"]

FORMATS = (".png", ".svg", ".pdf")


def save(picture: Axes | Figure, path: str | os.PathLike[str], *, dots_per_inch: float = 200) -> None:
    """Saves a plot as .png, .svg or .pdf, in the style of the package, and closes its figure."""
    figure = picture.get_figure() if isinstance(picture, Axes) else picture
    if not isinstance(figure, Figure):
        raise ArgumentError("picture: must be matplotlib axes or a figure")
    if os.path.splitext(os.fspath(path))[1].lower() not in FORMATS:
        raise ArgumentError(f"{os.fspath(path)}: the file name must end in {', '.join(FORMATS)}")
    ending = os.path.splitext(os.fspath(path))[1].lower()
    metadata = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}.get(ending, {})
    drawn = io.BytesIO()
    with style():
        figure.savefig(drawn, format=ending[1:], dpi=dots_per_inch, metadata=metadata, bbox_inches="tight",
                       pad_inches=0.06)
    with whole(os.fspath(path)) as aside, open(aside, "wb") as file:
        file.write(drawn.getbuffer())
    plt.close(figure)
