"""The page with all figures, their text and their verdicts."""

from __future__ import annotations

import json
import os
import re
import shutil
from pathlib import Path
from typing import Any

from toolkit import PAPERS, Figure

LARGEST_SVG = 250_000  # bytes; a picture of very many parts is shown as PNG

INTRODUCTION = """# Published figures, reproduced

Each figure below was made by `scree figures`, from a scene or a short script in `figures/`. The first part compares
experiments and simulations that are well known with runs of some hundred grains, which take minutes; the others are
figures of the papers that Scree follows, with their parameters. The table next to each lists what is published, what
was measured, and whether the two agree within the tolerance. The checks are computed from the data, and they can fail.
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


def overview_row(figure: Figure, result: dict[str, Any]) -> str:
    good = sum(check["agrees"] for check in result["checks"])
    mark = "agrees" if result["agrees"] else "**does not agree**"
    return f"| {figure.paper}, {figure.figure} | {figure.title} | {good} of {len(result['checks'])} | {mark} |"


def overview(rows: list[str]) -> str:
    agree = sum(row.endswith("| agrees |") for row in rows)
    return "\n".join([f"{agree} of {len(rows)} agree.", "", "| figure | shows | checks | |", "| --- | --- | --- | --- |", *rows])


def read_page(page: Path, figures: dict[str, Figure]) -> dict[str, tuple[str, str]]:
    """Row and section of every figure that is already on a page."""
    text = page.read_text(encoding="utf-8") if page.exists() else ""
    rows = {row.split(" | ")[1]: row for row in text.splitlines() if re.match(r"\| \w+, .* of \d+ \| ", row)}
    found = {}
    for part in re.split(r"(?m)^(?=##)", text):
        name = re.search(r"(?m)^`scree figures (\w+)`$", part)
        if name and name[1] in figures and figures[name[1]].title in rows:
            found[name[1]] = (rows[figures[name[1]].title], part.strip() + "\n")
    return found


def place_picture(page: Path, output: Path, name: str) -> str:
    """Where the page finds the picture, which is copied beside it when the page lies outside of the output."""
    source = output / name / "figure.svg"
    if source.stat().st_size > LARGEST_SVG:
        source = source.with_suffix(".png")
    if page.parent.resolve() == output.resolve():
        return os.path.relpath(source, page.parent)
    folder = page.parent / "pictures" / "figures"
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, folder / f"{name}{source.suffix}")
    return f"pictures/figures/{name}{source.suffix}"


def write_page(page: Path, output: Path, figures: dict[str, Figure], chosen: list[str]) -> None:
    """Writes the page with the chosen figures; the others remain on it unchanged."""
    known = {} if page.parent.resolve() == output.resolve() else read_page(page, figures)
    for name in chosen:
        path = output / name / "verdict.json"
        if path.exists():
            result = json.loads(path.read_text(encoding="utf-8"))
            known[name] = (overview_row(figures[name], result),
                           section(name, figures[name], result, place_picture(page, output, name)))
    parts = [INTRODUCTION, overview([known[name][0] for name in sorted(known)])]
    for paper, citation in PAPERS.items():
        names = [name for name in sorted(known) if figures[name].paper == paper]
        if names:
            parts.append(f"## *{paper}*: {citation}")
        parts += [known[name][1] for name in names]
    page.write_text("\n\n".join(part.strip() for part in parts) + "\n", encoding="utf-8")
