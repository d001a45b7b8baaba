"""What the methods of the builder share: the entries so far, and checks of each one as it comes."""
from __future__ import annotations

import difflib
import functools
import inspect
import re
from typing import Any, Callable, Mapping, TypeVar

from .. import _library, _values
from .._yaml import document
from ..errors import ArgumentError, SceneError

Method = TypeVar("Method", bound=Callable[..., Any])
_PLACE = re.compile(r"\A\S+?(:\d+:\d+)?: error: ")
_HINT = re.compile(r"^ +\| +\^~* {3}(.*)\Z", re.M)


def words(method: Method) -> Method:
    """A method whose unknown and missing arguments are told with what was meant. Its name is that of the call."""
    known = inspect.signature(method).parameters
    needed = [name for name, each in known.items() if each.default is each.empty and name != "self"]
    name = method.__name__.replace("__init__", "Builder")

    @functools.wraps(method)
    def checked(*arguments: Any, **given: Any) -> Any:
        for word in given:
            if word not in known:
                raise ArgumentError(f"{name}: there is no argument '{word}'; {_meant(word, [*known][1:])}")
        try:
            inspect.signature(method).bind(*arguments, **given)
        except TypeError as problem:
            missing = [each for each in needed[max(len(arguments) - 1, 0):] if each not in given]
            raise ArgumentError(f"{name}: '{missing[0]}' is missing" if missing else f"{name}: {problem}") from None
        return method(*arguments, **given)

    return checked  # type: ignore[return-value]


def _meant(word: str, known: list[str]) -> str:
    close = difflib.get_close_matches(word, known, 1, 0.6)
    return f"did you mean '{close[0]}'?" if close else f"there are {', '.join(known)}"


class Entries:
    """A scene as a dictionary, with checks of what is added."""

    def __init__(self) -> None:
        self._keys: dict[str, Any] = {}

    def _set(self, given: Mapping[str, Any]) -> None:
        """Changes keys at the top of the scene, if all of them are good."""
        chosen = {name: value for name, value in given.items()
                  if name not in ("self", "__class__") and value is not None}
        dimension = {"dimension": self._keys["dimension"]} if "dimension" in self._keys else {}
        self._check({**dimension, **chosen}, None)
        self._keys.update(chosen)

    def _add(self, section: str, given: Mapping[str, Any], part: str | None = None,
             inner: tuple[str, ...] = ()) -> Any:
        """Adds an entry to a section; the keys `inner` go into its part of that name. Returns its name or number."""
        entry: dict[str, Any] = {} if part is None else {part: {}}
        for argument, value in given.items():
            key = argument.rstrip("_")
            if argument not in ("self", "name") and value is not None:
                (entry[part] if part is not None and key in inner else entry)[key] = value
        dimension = {"dimension": self._keys["dimension"]} if "dimension" in self._keys else {}
        if "name" in given:
            entries = self._keys.get(section, {})
            name = given["name"]
            if not isinstance(name, str):
                raise ArgumentError(f"name: a text is needed, not {_values.short(name)}")
            if name in entries:
                raise ArgumentError(f"name: there is '{name}' in {section} already; choose another name")
            self._check({**dimension, section: {name: entry}}, None)
            self._keys.setdefault(section, {})[name] = entry
            return name
        number = len(self._keys.get(section, []))
        self._check({**dimension, section: [entry]}, (f"{section}[0]", f"{section}[{number}]"))
        self._keys.setdefault(section, []).append(entry)
        return number

    @staticmethod
    def _check(keys: Mapping[str, Any], place: tuple[str, str] | None) -> None:
        """Raises what the library finds wrong, in one line."""
        text = document(keys).encode()
        try:
            _library.call("scree_scene_check_part", text, len(text), b"scene", kind=SceneError)
        except SceneError as problem:
            told = str(problem)
            hint = _HINT.search(told)
            line = _PLACE.sub("", told.splitlines()[0])
            if place is not None:
                line = line.replace(*place)
            raise SceneError(line + (f"; {hint[1]}" if hint else "")) from None
