"""A scene made piece by piece, with everything that scene files can say."""
from __future__ import annotations

import copy
import ctypes
import functools
import json
import os
import pathlib
from typing import Any, Mapping

from . import _display, _library, _yaml
from .keys.grain_methods import GrainMethods
from .keys.other_methods import OtherMethods
from .keys.settings import Settings
from .keys.wall_methods import WallMethods
from .scene import Scene, load_scene


@functools.lru_cache(maxsize=None)
def _schema_text() -> str:
    size = ctypes.c_size_t(0)
    library = _library.library()
    library.scree_scene_get_schema(None, size)
    text = ctypes.create_string_buffer(size.value)
    library.scree_scene_get_schema(text, size)
    return text.value.decode()


def schema() -> list[dict[str, Any]]:
    """What can stand in a scene: a list of sections, the scene itself first, each with its `keys`.

    >>> import scree
    >>> [key["meaning"] for key in scree.schema()[0]["keys"] if key["name"] == "seed"]
    ['seed of all random choices; a different seed gives a different packing']

    It is that of the library (scree_scene_get_schema in scene.h), as plain lists and dictionaries. docs/scene.md is
    made of it, and so is scree.Builder."""
    found: list[dict[str, Any]] = json.loads(_schema_text())
    return found


class Builder(Settings, WallMethods, GrainMethods, OtherMethods):
    """A scene made piece by piece, with the words of scene files (docs/scene.md): what they have as a mapping is a
    dictionary here.

    >>> import scree
    >>> tank = scree.Builder(dimension=2, gravity=(0, -9.81), time={"step": 2e-3, "end": 0.5})
    >>> tank.add_material("stone", density=2600, friction=0.5)
    'stone'
    >>> tank.add_box("tank", min=(0, 0), max=(1, 2), open="top")
    'tank'
    >>> tank.fill(min=(0, 0), max=(1, 2), count=60, radius={"uniform": (0.03, 0.05)})
    0
    >>> scene = tank.build()
    >>> len(scene.world), scene.wall_names
    (60, ['tank.left', 'tank.right', 'tank.bottom'])
    >>> tank.save("tank.yaml")

    Each call checks what it is given, and says what is wrong and what would help:

    >>> tank.add_material("ice", frictoin=0.01)
    Traceback (most recent call last):
    ...
    scree.errors.ArgumentError: add_material: there is no argument 'frictoin'; did you mean 'friction'?
    >>> tank.lattice(min=(0, 0), counts=(4, 4), radius=-1)
    Traceback (most recent call last):
    ...
    scree.errors.SceneError: grains[1].radius must be greater than 0, but is '-1'
    """

    def build(self, overrides: Mapping[str, Any] | None = None, **more: Any) -> Scene:
        """Makes the world, and returns the scene, ready to run. Later changes of the builder do not change it, and it
        can be called again, with other values: build(seed=2), build({"materials.stone.friction": 0.3})."""
        return load_scene(self.keys, overrides, **more)

    @property
    def keys(self) -> dict[str, Any]:
        """The scene as a dictionary (a copy), as scree.load_scene takes it."""
        return copy.deepcopy(self._keys)

    def text(self) -> str:
        """The scene as YAML."""
        return _yaml.document(self._keys)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a scene file, for 'scree run' and scree.load_scene. Files that the scene names are found from there as
        they are from here."""
        target = pathlib.Path(os.fspath(path))
        folder = os.path.abspath(target.parent)
        target.write_text(_yaml.document(_moved(self._keys, folder)))

    def __repr__(self) -> str:
        counts = [f"{len(value)} {name}" for name, value in self._keys.items()
                  if name in ("materials", "walls", "grains", "inlets", "events")]
        return f"<scree.Builder: {', '.join(counts) or 'empty'}>"

    def __str__(self) -> str:
        return self.text()

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        return _display.text_page("scree.Builder", self.text())


def _moved(value: Any, folder: str, key: str = "") -> Any:
    """The same with names of files relative to a folder, unless they are absolute."""
    if isinstance(value, Mapping):
        return {name: _moved(item, folder, f"{key}.{name}") for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_moved(item, folder, key) for item in value]
    if isinstance(value, (str, os.PathLike)) and (key.endswith(".file") or key == ".start.run"):
        name = os.fspath(value)
        return name if os.path.isabs(name) or folder == os.getcwd() else os.path.relpath(name, folder)
    return value
