"""Numbers of a run as a study names them: measures of a state, numbers of walls, and what is computed from them."""
from __future__ import annotations

import ast
import operator
from typing import Any, Callable, Mapping

import numpy as np

from . import measures
from ._measure_fields import STATE
from .errors import ArgumentError
from .run import Run

_BINARY: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.Pow: operator.pow}
_FUNCTIONS: dict[str, Callable[[Any], Any]] = {"abs": abs, "sqrt": np.sqrt, "log": np.log, "exp": np.exp}
_WALL = {f"{field}_{axis}": (field, k) for field in ("position", "displacement", "velocity", "load")
         for k, axis in enumerate("xyz")}


def _parsed(name: str, text: str) -> ast.expr:
    try:
        return ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError):
        raise ArgumentError(f"measures: {name}: '{text}' is not an expression") from None


def _dotted(node: ast.expr) -> str:
    """lid.load_y, or the name of a wall that has dots itself."""
    if isinstance(node, ast.Attribute):
        return f"{_dotted(node.value)}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else "?"


def check(name: str, text: str) -> None:
    """Refuses what cannot be computed, whatever the run is."""
    _compute(name, _parsed(name, text), lambda word: 1.0)


def _compute(name: str, node: ast.expr, value: Callable[[str], Any]) -> Any:
    def part(inner: ast.expr) -> Any:
        return _compute(name, inner, value)

    if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)) and not isinstance(node.value, bool):
        return float(node.value)
    if isinstance(node, ast.BinOp) and type(node.op) in _BINARY:
        return _BINARY[type(node.op)](part(node.left), part(node.right))
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.UAdd)):
        return -part(node.operand) if isinstance(node.op, ast.USub) else part(node.operand)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _FUNCTIONS \
            and len(node.args) == 1 and not node.keywords:
        return _FUNCTIONS[node.func.id](part(node.args[0]))
    if isinstance(node, ast.Name) and (node.id in STATE or node.id == "time"):
        return value(node.id)
    if isinstance(node, ast.Attribute) and node.attr in _WALL:
        return value(_dotted(node))
    word = _dotted(node)
    raise ArgumentError(f"measures: {name}: there is no '{word}'; see docs/measures.md, and WALL.load_y for a wall"
                        if word != "?" else f"measures: {name}: names, numbers, + - * / **, abs, sqrt, log, exp only")


def evaluate(run: Run, frames: list[int], wanted: Mapping[str, str], region: Any) -> dict[str, float]:
    """The mean over the frames of each expression."""
    table = measures.series(run, region, frames=frames)

    def value(word: str) -> Any:
        if "." not in word:
            return np.asarray(table[word], float)
        wall, _, field = word.rpartition(".")
        names = [each.name for each in run.frames[frames[0]].walls]
        if wall not in names:
            raise ArgumentError(f"measures: there is no wall '{wall}'; there are {', '.join(names) or 'none'}")
        kind, axis = _WALL[field]
        return np.array([getattr(run.frames[k].walls[names.index(wall)], kind)[axis] for k in frames])

    with np.errstate(all="ignore"):
        return {name: float(np.mean(_compute(name, _parsed(name, text), value))) for name, text in wanted.items()}
