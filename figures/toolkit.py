"""What every figure uses: what a figure is, checks against the paper, plain data on disk."""

from __future__ import annotations

import json
import math
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Callable

#: The papers, as they are cited.
PAPERS = {
    "experiments": "published experiments and simulations, named with each figure",
    "beginners": "L. Brendel, T. Unger, D. E. Wolf: Contact Dynamics for Beginners",
    "review": "T. Unger, J. Kertész: The contact dynamics method for granular media",
    "array": "F. Radjai, J. Schäfer, S. Dippel, D. Wolf: J. Phys. I France 7 (1997) 1053",
    "variational": "K.-W. Lim: A contact dynamics formulation",
    "neighbours": "B. Muth, M.-K. Müller, P. Eberhard, S. Luding: Contacts between many bodies",
}


@dataclass(frozen=True)
class Check:
    """One statement of the paper beside what was measured, which agrees or does not."""

    what: str
    published: float | str
    measured: float | str
    tolerance: str
    agrees: bool


def close(what: str, published: float, measured: float, relative: float) -> Check:
    """The measured number is the published one, within a fraction of it."""
    agrees = math.isfinite(measured) and abs(measured - published) <= relative * abs(published)
    return Check(what, published, measured, f"{relative:g} of it", agrees)


def near(what: str, published: float, measured: float, absolute: float) -> Check:
    """The measured number is the published one, within a distance."""
    agrees = math.isfinite(measured) and abs(measured - published) <= absolute
    return Check(what, published, measured, f"within {absolute:g}", agrees)


def below(what: str, limit: float, measured: float) -> Check:
    """The measured number is at most a limit."""
    return Check(what, f"at most {limit:g}", measured, "limit", measured <= limit)


def above(what: str, limit: float, measured: float) -> Check:
    """The measured number is at least a limit."""
    return Check(what, f"at least {limit:g}", measured, "limit", measured >= limit)


def holds(what: str, published: str, measured: str, agrees: bool) -> Check:
    """A statement in words."""
    return Check(what, published, measured, "exactly", bool(agrees))


@dataclass(frozen=True)
class Parts:
    """A long measurement in parts, each made in a process of its own and kept on disk.

    `stages(quick)` has their names: those of one stage do not depend on each other. `make(name, quick, done)` gives the
    plain data of one; `done(name)` is that of a part of an earlier stage.
    """

    stages: Callable[[bool], list[list[str]]]
    make: Callable[[str, bool, Callable[[str], dict[str, Any]]], dict[str, Any]]


@dataclass(frozen=True)
class Figure:
    """A figure of a paper, made again.

    `measure(quick)` simulates and returns plain data (numbers, strings, lists, dicts), or is in Parts, and the data are
    those of all parts by name; `draw(data)` makes a matplotlib figure of it; `judge(data, quick)` compares it with the
    paper. With `quick` a smaller measurement is made, whose checks may have wider tolerances; where `small` is false
    there is none, and `--quick` leaves the figure out.
    """

    paper: str  # a key of PAPERS
    figure: str  # "Fig. 3", "eq. 1.34"
    title: str
    text: str  # what is shown, and what was used where the paper has a misprint
    measure: Callable[[bool], dict[str, Any]] | Parts
    draw: Callable[[dict[str, Any]], Any]
    judge: Callable[[dict[str, Any], bool], list[Check]]
    seconds: float = 60  # approximate time of the full measurement on one core
    tags: tuple[str, ...] = field(default=())
    small: bool = True


def plain(value: Any) -> Any:
    """The same as plain Python data, so that it can be written as JSON. What is not finite becomes None."""
    if hasattr(value, "tolist"):
        return plain(value.tolist())
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def write_json(path: Path, value: Any) -> None:
    path.write_text(json.dumps(plain(value), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def verdict(name: str, figure: Figure, checks: list[Check], quick: bool) -> dict[str, Any]:
    """What stands in verdict.json."""
    return {
        "name": name,
        "paper": PAPERS[figure.paper],
        "figure": figure.figure,
        "title": figure.title,
        "quick": quick,
        "checks": [asdict(check) for check in checks],
        "agrees": bool(checks) and all(check.agrees for check in checks),
    }
