"""Tables as data frames of pandas, and runs and fields as data sets of xarray, where these are installed.

    scree.data_frame(run.certificate)           # any table of the package: a row for each step, contact, bin, ...
    scree.data_frame(frame)                     # the grains of a frame, a world or a scene
    scree.data_set(run)                         # positions, velocities, ... over time, grain and axis
    scree.data_set(scree.measures.grid(world, (20, 10)))   # fields over z, y, x
"""
from __future__ import annotations

import importlib
import itertools
from typing import Any, Iterator

import numpy as np
from numpy.typing import NDArray

from . import _values
from .errors import ArgumentError, Error
from .frames import Frame
from .report import FIELDS
from .run import Run
from .scene import Scene
from .world import World

AXES = "xyz"
QUATERNION = "wxyz"
# What is known of each grain, with its dimension: constants, and what changes from frame to frame.
CONSTANTS = {"radius": "length", "mass": "mass", "material": "1", "shape": "1"}
MOTIONS = {"position": "length", "velocity": "length/time", "spin": "1/time", "orientation": "1"}


def _module(name: str) -> Any:
    """pandas or xarray, which are not needed for anything else."""
    try:
        return importlib.import_module(name)
    except ImportError:
        raise Error(f"this needs {name}, which is not installed: apt install python3-{name}, "
                    f"or pip install {name}") from None


def _letters(width: int) -> str:
    return QUATERNION if width == 4 else AXES[:width] if width <= 3 else ""


def _columns(name: str, values: NDArray[Any]) -> Iterator[tuple[str, NDArray[Any]]]:
    """One column for each component: position_x, stress_xy, and for other arrays name_0, name_1, ..."""
    if values.dtype.names is not None:
        for inner in values.dtype.names:
            yield from _columns(f"{name}_{inner}", values[inner])
        return
    letters = [_letters(width) or [f"_{k}" for k in range(width)] for width in values.shape[1:]]
    endings = ["".join(parts) for parts in itertools.product(*letters)]
    for ending, column in zip(endings, values.reshape(len(values), -1).T):
        yield f"{name}_{ending}".replace("__", "_") if ending else name, column


def _table_columns(table: NDArray[Any]) -> dict[str, NDArray[Any]]:
    found: dict[str, NDArray[Any]] = {}
    for name in table.dtype.names or ():
        found.update(_columns(name, np.atleast_1d(table[name]).reshape(-1, *table.dtype[name].shape)))
    return found


def _grain_columns(moment: Any) -> dict[str, NDArray[Any]]:
    """Copies: what a world has changes with the next step."""
    identity = getattr(moment, "identity", None)
    found = {"grain": np.arange(len(moment.radius)) if identity is None else np.array(identity)}
    for name in (*CONSTANTS, *MOTIONS):
        found.update(_columns(name, np.array(getattr(moment, name))))
    return found


def data_frame(source: Any) -> Any:
    """A pandas.DataFrame with a column for each field; vectors and tensors take one for each component (position_x,
    stress_xy).

    source  a table of the package (certificates, contacts, measures, ...); a World, a Scene or a Frame: its grains; a
            Run: the grains of all frames, with the columns frame and time in front

    >>> import scree
    >>> world = scree.World(dimension=2, gravity=(0, -10), time_step=0.01)
    >>> stone = world.add_material(density=2600)
    >>> grains = world.add_grains([(0, 1), (3, 2)], radius=1)
    >>> scree.data_frame(world)[["grain", "position_x", "position_y", "radius"]].values.tolist()  # doctest: +PANDAS
    [[0.0, 0.0, 1.0, 1.0], [1.0, 3.0, 2.0, 1.0]]
    >>> scree.data_frame(world.step(3)).time.round(6).tolist()                                    # doctest: +PANDAS
    [0.01, 0.02, 0.03]
    """
    pandas = _module("pandas")
    if isinstance(source, np.ndarray) and source.dtype.names:
        return pandas.DataFrame(_table_columns(source))
    if isinstance(source, Run):
        parts = []
        for frame in source.frames:
            part = pandas.DataFrame(_grain_columns(frame))
            part.insert(0, "frame", frame.number)
            part.insert(1, "time", frame.time)
            parts.append(part)
        if not parts:
            raise ArgumentError(f"{source.path}: has no frame yet")
        return pandas.concat(parts, ignore_index=True)
    if isinstance(source, (World, Scene, Frame)):
        return pandas.DataFrame(_grain_columns(source.world if isinstance(source, Scene) else source))
    raise ArgumentError(f"expected a table, a World, a Scene, a Frame or a Run, not {_values.short(source)}")


# ---------------------------------------------------------------- xarray


def data_set(source: Any) -> Any:
    """An xarray.Dataset.

    source  a Run: position, velocity, spin and orientation over time, grain and axis, and the constants of grains;
            a grain that is not there at some time has NaN. Fields of measures.grid: over z, y and x. A table with a
            time (certificates, measures.series): every field over time.
    """
    xarray = _module("xarray")
    if isinstance(source, Run):
        return _of_run(xarray, source)
    if isinstance(source, np.ndarray) and source.dtype.names:
        if "centre" in source.dtype.names and source.ndim == 3:
            return _of_grid(xarray, source)
        if "time" in source.dtype.names and source.ndim == 1:
            return _of_times(xarray, source)
    raise ArgumentError("expected a Run, fields of measures.grid, or a table with a time, not "
                        f"{_values.short(source)}")


def _of_run(xarray: Any, run: Run) -> Any:
    count, frames = len(run.radius), list(run.frames)
    if not frames:
        raise ArgumentError(f"{run.path}: has no frame yet")
    variables: dict[str, Any] = {}
    for name, dimension in CONSTANTS.items():
        variables[name] = ("grain", np.array(getattr(run, name)), {"dimension": dimension})
    for name, dimension in MOTIONS.items():
        letters = QUATERNION if name == "orientation" else AXES
        values = np.full((len(frames), count, len(letters)), np.nan)
        for at, frame in enumerate(frames):
            values[at, frame.identity] = getattr(frame, name)
        axis = "quaternion" if name == "orientation" else "axis"
        variables[name] = (("time", "grain", axis), values, {"dimension": dimension})
    return xarray.Dataset(variables, {"time": np.array(run.times), "grain": np.arange(count), "axis": list(AXES),
                                      "quaternion": list(QUATERNION)}, {"run": run.path})


def _of_grid(xarray: Any, table: NDArray[Any]) -> Any:
    centre = table["centre"]
    places: dict[str, Any] = {"z": centre[:, 0, 0, 2], "y": centre[0, :, 0, 1], "x": centre[0, 0, :, 0]}
    variables: dict[str, Any] = {}
    for name in table.dtype.names or ():
        if name != "centre":
            rank = len(table.dtype[name].shape)
            variables[name] = (("z", "y", "x", "axis", "other")[:3 + rank], np.array(table[name]))
    return xarray.Dataset(variables, {**places, "axis": list(AXES), "other": list(AXES)})


def _of_times(xarray: Any, table: NDArray[Any]) -> Any:
    variables: dict[str, Any] = {}
    for name, values in _table_columns(table).items():
        about = FIELDS.get(name)
        facts: dict[str, str] = {} if about is None else {"dimension": about[1], "long_name": about[2]}
        variables[name] = ("time", values, facts)
    times = variables.pop("time")[1]
    return xarray.Dataset(variables, {"time": times})
