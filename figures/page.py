"""The page with all figures, their text and their verdicts."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

from toolkit import PAPERS, Figure

LARGEST_SVG = 250_000  # bytes; a picture of very many parts is shown as PNG

INTRODUCTION = """# The published figures again

Each figure below was made by `scree figures`, from a scene or a short script in `figures/`, with the paper's parameters. Beside it stands what the
paper says, what was measured, and whether the two agree within the tolerance. The checks are computed from the data and can fail.
"""


def number(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.8g}"
    return str(value)


def verdict_table(result: dict[str, Any]) -> str:
    lines = ["| check | published | measured | tolerance | |", "| --- | --- | --- | --- | --- |"]
    for check in result["checks"]:
        mark = "agrees" if check["agrees"] else "**does not agree**"
        cells = [check["what"], number(check["published"]), number(check["measured"]), check["tolerance"], mark]
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(lines)


def section(name: str, figure: Figure, result: dict[str, Any], picture: str) -> str:
    return (
        f"### {figure.figure}: {figure.title}\n\n{figure.text.strip()}\n\n![{figure.title}]({picture})\n\n"
        f"{verdict_table(result)}\n\n`scree figures {name}`\n"
    )


def overview(results: dict[str, dict[str, Any]], figures: dict[str, Figure]) -> str:
    agree = sum(result["agrees"] for result in results.values())
    lines = [f"{agree} of {len(results)} agree.", "", "| figure | shows | checks | |", "| --- | --- | --- | --- |"]
    for name, result in results.items():
        good = sum(check["agrees"] for check in result["checks"])
        mark = "agrees" if result["agrees"] else "**does not agree**"
        figure = figures[name]
        lines.append(f"| {figure.paper}, {figure.figure} | {figure.title} | {good} of {len(result['checks'])} | {mark} |")
    return "\n".join(lines)


def write_page(page: Path, output: Path, figures: dict[str, Figure]) -> None:
    """Writes the page; pictures are copied beside it when it lies outside of the output."""
    results = {}
    for name in figures:
        path = output / name / "verdict.json"
        if path.exists():
            results[name] = json.loads(path.read_text(encoding="utf-8"))
    parts = [INTRODUCTION, overview(results, figures)]
    for paper, citation in PAPERS.items():
        chosen = [name for name in results if figures[name].paper == paper]
        if chosen:
            parts.append(f"## *{paper}*: {citation}")
        for name in chosen:
            source = output / name / "figure.svg"
            if source.stat().st_size > LARGEST_SVG:
                source = source.with_suffix(".png")
            if page.parent.resolve() == output.resolve():
                picture = os.path.relpath(source, page.parent)
            else:
                folder = page.parent / "pictures" / "figures"
                folder.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(source, folder / f"{name}{source.suffix}")
                picture = f"pictures/figures/{name}{source.suffix}"
            parts.append(section(name, figures[name], results[name], picture))
    page.write_text("\n\n".join(part.strip() for part in parts) + "\n", encoding="utf-8")
