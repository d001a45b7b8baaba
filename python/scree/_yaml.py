"""Scenes as YAML."""
from __future__ import annotations

import json
import math
import os
import re
from typing import Any, Callable, Mapping

import numpy as np

from . import _values
from .errors import ArgumentError

# What needs no quotes: a word that YAML takes for nothing else.
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_./-]*\Z")
_NOT_WORDS = {"true", "false", "null", "yes", "no", "on", "off", "nan", "inf", "infinity"}
_WIDE = 100


def document(scene: Mapping[str, Any]) -> str:
    """A scene as YAML, one entry of a section in a line where it fits, so that messages can show the place."""
    if not scene:
        return "{}\n"
    lines = []
    for key, value in _plain_tree(scene, "scene").items():
        entries = isinstance(value, dict) and any(isinstance(item, dict) for item in value.values())
        if isinstance(value, dict) and (entries or len(flow(value)) > _WIDE):
            lines.append(f"{_text(key)}:")
            for name, item in value.items():
                lines += _entry(f"  {_text(name)}: ", item, "    ")
        elif isinstance(value, list) and value and isinstance(value[0], dict):
            lines.append(f"{_text(key)}:")
            for item in value:
                lines += _entry("  - ", item, "    ")
        else:
            lines.append(f"{_text(key)}: {flow(value)}")
    return "\n".join(lines) + "\n"


def value_text(value: Any) -> str:
    """A value as a scene file would have it; text is taken as it stands. Names of studies' runs depend on it."""
    return value if isinstance(value, str) else flow(_plain_tree(value, "overrides"), json.dumps)


def _entry(head: str, value: Any, indent: str) -> list[str]:
    """An entry in one line, or with a line for each of its keys."""
    line = head + flow(value)
    if len(line) <= _WIDE or not isinstance(value, dict) or not value:
        return [line]
    lines = [f"{indent}{_text(key)}: {flow(item)}" for key, item in value.items()]
    return [head + lines[0].lstrip(), *lines[1:]] if head.endswith("- ") else [head.rstrip(), *lines]


def _plain_tree(value: Any, what: str) -> Any:
    """Dictionaries, lists, numbers and texts alone."""
    try:
        return json.loads(json.dumps(dict(value) if isinstance(value, Mapping) else value, default=_plain))
    except (TypeError, ValueError, RecursionError) as problem:
        raise ArgumentError(f"{what}: {_values.short(value)} cannot stand in a scene: {problem}") from None


def _plain(value: Any) -> Any:
    """Numbers and arrays of numpy, paths and other mappings for json."""
    if isinstance(value, (np.ndarray, np.generic)):
        return value.tolist()
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    raise TypeError(f"it is of type {type(value).__name__}")


def _text(text: str) -> str:
    return text if _WORD.match(text) and text.lower() not in _NOT_WORDS else json.dumps(text)


def flow(value: Any, text: Callable[[str], str] = _text) -> str:
    """A plain value in one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{text(key)}: {flow(item, text)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(flow(item, text) for item in value) + "]"
    if isinstance(value, float) and not math.isfinite(value):
        return ".nan" if math.isnan(value) else ".inf" if value > 0 else "-.inf"
    return text(value) if isinstance(value, str) else json.dumps(value)
