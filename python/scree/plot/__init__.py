"""Plots with matplotlib: grains in two and three dimensions, force chains, certificates, distributions, measures.

    import scree.plot
    axes = scree.plot.grains(world, colour="speed")
    scree.plot.save(axes, "heap.png")

Every function accepts a World, a Scene or a Frame of a run file, draws on the given axes or on new ones, and returns
the axes (or the figure) for further changes with matplotlib.
"""
from __future__ import annotations

import contextlib
import io
import os
import secrets

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ..errors import ArgumentError
from .camera import Camera
from .pictures import chains, grains, indeterminacy, velocities
from .graphs import certificate, energies, force_distribution, forces, rose, series
from .measures import energy, fabric, fields, packing, pairs, profile, stress
from .studies import study
from .style import PALETTE, SCALE, style

__all__ = ["Camera", "PALETTE", "SCALE", "certificate", "chains", "energies", "energy", "fabric", "fields",
           "force_distribution", "forces", "grains", "indeterminacy", "packing", "pairs", "profile", "rose", "save",
           "series", "stress", "study", "style", "velocities"]

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
    _write_whole(os.fspath(path), drawn.getbuffer())
    plt.close(figure)


def _write_whole(path: str, data: memoryview) -> None:
    """Writes a file beside its place and renames it when it is whole. If that fails, nothing is left beside it."""
    aside = f"{path}.{secrets.token_hex(8)}.new"
    try:
        with open(aside, "xb") as file:
            file.write(data)
        os.replace(aside, path)
    except BaseException as error:
        with contextlib.suppress(OSError):
            os.unlink(aside)
        if isinstance(error, OSError):  # name the file that the user knows
            raise OSError(error.errno, error.strerror, path) from None
        raise
