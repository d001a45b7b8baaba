"""What notebooks and terminals show: pictures with facts, and how far a run has got."""
from __future__ import annotations

import base64
import html
import io
import sys
import time
from typing import TYPE_CHECKING, Any, Mapping

import numpy as np

from ._values import counted

if TYPE_CHECKING:
    from .report import Report
    from .world import World

MOST_DRAWN = 20000  # grains: more would take long
BAR, EVERY = 30, 0.2  # letters; seconds


def png(source: Any) -> bytes | None:
    """A picture of the grains of a world or a frame; None without matplotlib, without grains, or with too many."""
    if not 0 < len(source.radius) <= MOST_DRAWN:
        return None
    try:
        from matplotlib.figure import Figure

        from . import plot
    except ImportError:
        return None
    figure = Figure(figsize=(4.2, 3.4))
    plot.grains(source, ax=figure.add_subplot())
    page = io.BytesIO()
    figure.savefig(page, format="png", dpi=110, bbox_inches="tight")
    return page.getvalue()


def page(title: str, facts: Mapping[str, object], picture: bytes | None) -> str:
    """A picture with a table of facts beside it."""
    rows = "".join(f"<tr><th style='text-align:left'>{html.escape(name)}</th><td>{html.escape(str(value))}</td></tr>"
                   for name, value in facts.items())
    image = "" if picture is None else (
        f"<img alt='' style='max-width:420px' src='data:image/png;base64,{base64.b64encode(picture).decode()}'>")
    return (f"<div style='display:flex;gap:1.5em;align-items:center'>{image}<div><b>{html.escape(title)}</b>"
            f"<table>{rows}</table></div></div>")


def text_page(title: str, text: str) -> str:
    """A text as it stands."""
    return f"<b>{html.escape(title)}</b><pre>{html.escape(text)}</pre>"


def world_facts(world: Any) -> dict[str, object]:
    """What a world is."""
    return {"dimensions": world.dimension, "grains": len(world), "walls": world.wall_count,
            "time": f"{world.time:.6g}", "steps": world.steps, "kinetic energy": f"{world.kinetic_energy():.4g}"}


def certificate_facts(reports: Any) -> dict[str, object]:
    """How well steps were solved."""
    if len(reports) == 0:
        return {"certificate": "no steps"}
    failed = int(np.sum(reports["converged"] == 0))
    return {"steps": len(reports), "converged": "all" if failed == 0 else f"all but {failed}",
            "largest residual": f"{reports['residual'].max():.2g}",
            "largest overlap": f"{reports['overlap_max'].max():.2g}",
            "most sweeps": int(reports["iterations"].max())}


class Bar:
    """A line that tells how far a run has got, for terminals and notebooks: `progress` of World.run, if it is True."""

    def __init__(self, begin: float, end: float) -> None:
        self.begin, self.end = begin, end
        self.started = time.monotonic()
        self.shown = 0.0

    def __call__(self, world: World, report: Report) -> None:
        now, share = time.monotonic(), (report.time - self.begin) / max(self.end - self.begin, 1e-300)
        over = share >= 1 - 1e-9
        if now < self.shown + EVERY and not over:
            return
        self.shown = now
        share = min(1.0, max(share, 1e-9))
        left = (now - self.started) * (1 - share) / share
        full = round(BAR * share)
        bar = "=" * full + " " * (BAR - full)
        line = f"\r[{bar}] time {report.time:.4g}, {counted(report.iterations, 'sweep')}, {left:.0f} s left "
        sys.stderr.write(line + ("\n" if over else ""))
        sys.stderr.flush()
