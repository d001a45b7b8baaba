"""Numbers of a run as studies and graphs name them: measures, numbers of walls, gates and the cell, and what is
computed from them. In messages `name` says where an expression stands."""
from __future__ import annotations

import ast
import difflib
import functools
import keyword
import operator
import re
from typing import Any, Callable, Iterable, Mapping

import numpy as np

from . import measures
from ._measure_fields import STATE
from ._values import Table
from .errors import ArgumentError
from .run import Run

_BINARY: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.Pow: operator.pow}
_FUNCTIONS: dict[str, Callable[[Any], Any]] = {"abs": abs, "sqrt": np.sqrt, "log": np.log, "exp": np.exp}
_AXES = "xyz"
_WALL = {f"{field}_{axis}": (field, k) for field in ("position", "displacement", "velocity", "load")
         for k, axis in enumerate(_AXES)}
_GATE = ("number", "mass", "waiting", "number_rate", "mass_rate")
_CELL = ("volume", *(f"{kind}_{i}{k}" for kind in ("rate", "strain", "stress") for i in _AXES for k in _AXES))
_SURFACE = tuple(name for name in measures.Surface._fields if name != "uphill")
_PLAIN = ("time", *STATE, *_SURFACE)
# Walls and gates may be called "in" or "from", which Python keeps for itself.
_KEPT = re.compile(rf"(?<!\w)({'|'.join(keyword.kwlist)})(?=\s*\.)")
_MARK = "_a_name"


def _parsed(name: str, text: str) -> ast.expr:
    try:
        return ast.parse(_KEPT.sub(rf"\1{_MARK}", text), mode="eval").body
    except (SyntaxError, ValueError):
        raise ArgumentError(f"{name}: '{text}' is not an expression") from None


def _dotted(node: ast.expr) -> str:
    """lid.load_y, or the name of a wall that has dots itself."""
    if isinstance(node, ast.Attribute):
        return f"{_dotted(node.value)}.{node.attr.removesuffix(_MARK)}"
    return node.id.removesuffix(_MARK) if isinstance(node, ast.Name) else "?"


def _is_known(word: str) -> bool:
    """Whether some run could have it."""
    owner, _, field = word.rpartition(".")
    if not owner:
        return word in _PLAIN
    return field in _WALL or field in _GATE or (owner == "cell" and field in _CELL)


def _near_first(wanted: str, names: Iterable[str]) -> str:
    """All names, those in front that a wrong one may stand for."""
    every = list(names)
    near = difflib.get_close_matches(wanted, every, max(len(every), 1), 0.7)
    return ", ".join([*near, *(each for each in every if each not in near)]) or "none"


def _unknown(name: str, word: str) -> ArgumentError:
    owner, _, field = word.rpartition(".")
    if not owner:
        return ArgumentError(f"{name}: there is no '{word}'; there are {_near_first(word, _PLAIN)}; and "
                             "numbers of walls, gates and the cell, such as WALL.load_y, OUTLET.mass, cell.volume")
    return ArgumentError(
        f"{name}: there is no '{word}'; of a wall there are {_near_first(field, _WALL)}; of an inlet or "
        f"outlet {_near_first(field, _GATE)}; of the cell {_near_first(field, _CELL)}")


def check(name: str, text: str) -> None:
    """Refuses what cannot be computed, whatever the run is."""
    _compute(name, _parsed(name, text), lambda word: 1.0, lambda word: 1.0)


def _compute(name: str, node: ast.expr, value: Callable[[str], Any], start: Callable[[str], Any]) -> Any:
    """`start` gives what a word stands for in the first frame of the run, which is what first(...) is made of."""
    def part(inner: ast.expr) -> Any:
        return _compute(name, inner, value, start)

    if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)) and not isinstance(node.value, bool):
        return float(node.value)
    if isinstance(node, ast.BinOp) and type(node.op) in _BINARY:
        return _BINARY[type(node.op)](part(node.left), part(node.right))
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.UAdd)):
        return -part(node.operand) if isinstance(node.op, ast.USub) else part(node.operand)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _FUNCTIONS \
            and len(node.args) == 1 and not node.keywords:
        return _FUNCTIONS[node.func.id](part(node.args[0]))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "first" \
            and len(node.args) == 1 and not node.keywords:
        return np.ravel(_compute(name, node.args[0], start, start))[0]
    word = _dotted(node)
    if "?" in word:
        raise ArgumentError(f"{name}: names, numbers, + - * / **, abs, sqrt, log, exp, first only")
    if not _is_known(word):
        raise _unknown(name, word)
    return value(word)


class _Numbers:
    """What names stand for: a number for each of the frames."""

    def __init__(self, run: Run, frames: list[int], region: Any, flow: Callable[[Any, Any], Any]) -> None:
        self._run, self._region, self._numbers, self._flow = run, region, frames, flow
        self._frames = [run.frames[number] for number in frames]

    @functools.cached_property
    def _state(self) -> Table:
        return measures.series(self._run, self._region, frames=self._numbers)

    @functools.cached_property
    def _surface(self) -> list[measures.Surface]:
        return [measures.surface(frame, region=self._region) for frame in self._frames]

    def value(self, word: str) -> Any:
        owner, _, field = word.rpartition(".")
        if not owner:
            return (np.array([getattr(each, word) for each in self._surface]) if word in _SURFACE else
                    np.asarray(self._state[word], float))
        if field in _WALL:
            return self._of_wall(owner, field)
        return self._of_gate(owner, field) if field in _GATE else self._of_cell(field)

    def _of_wall(self, wall: str, field: str) -> Any:
        names = self._run.wall_names
        if wall not in names:
            raise ArgumentError(f"there is no wall '{wall}'; there are {_near_first(wall, names)}")
        kind, axis = _WALL[field]
        return np.array([getattr(frame.walls[names.index(wall)], kind)[axis] for frame in self._frames])

    def _of_gate(self, gate: str, field: str) -> Any:
        gates = self._run.gates
        if gate not in gates:
            raise ArgumentError(f"there is no inlet or outlet '{gate}'; there are "
                                f"{_near_first(gate, gates)}")
        kind, rate, _ = field.partition("_rate")
        # before the first step nothing has passed
        passed = np.concatenate([[0.0], gates[gate][kind]])[[self._run._ends[number, 1] for number in self._numbers]]
        if not rate:
            return passed
        times = self._run.times[self._numbers]
        if len(times) < 2:
            raise ArgumentError(f"{gate}.{field} is the flow between two frames at least: give their span, "
                                "as in average: {from: 1, to: 2}")
        return self._flow(passed, times)

    def _of_cell(self, field: str) -> Any:
        kind, _, place = field.partition("_")
        return np.array([frame.cell.volume if not place else
                         getattr(frame.cell, kind)[_AXES.index(place[0]), _AXES.index(place[1])]
                         for frame in self._frames])


def _values_of(run: Run, frames: list[int], region: Any, flow: Callable[[Any, Any], Any]) \
        -> tuple[Callable[[str], Any], Callable[[str], Any]]:
    """What words stand for in these frames, and in the first of the run."""
    return _Numbers(run, frames, region, flow).value, _Numbers(run, [0], region, flow).value


def _flow_of_all(passed: Any, times: Any) -> Any:
    """From the first frame to the last."""
    return np.full(len(times), (passed[-1] - passed[0]) / (times[-1] - times[0]))


def average(run: Run, frames: list[int], wanted: Mapping[str, str], region: Any) -> dict[str, float]:
    """The mean over the frames of each expression."""
    words = _values_of(run, frames, region, _flow_of_all)
    with np.errstate(all="ignore"):
        return {name: float(np.mean(_compute(f"measures: {name}", _parsed(f"measures: {name}", text), *words)))
                for name, text in wanted.items()}


def follow(run: Run, frames: list[int], wanted: Mapping[str, str], region: Any) -> dict[str, Any]:
    """Each expression, named by where it stands, frame by frame; flows are those from frame to frame."""
    words = _values_of(run, frames, region, np.gradient)
    with np.errstate(all="ignore"):
        return {name: np.broadcast_to(_compute(name, _parsed(name, text), *words), len(frames))
                for name, text in wanted.items()}
