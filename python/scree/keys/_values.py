"""Types of values in scenes."""
from __future__ import annotations

from typing import Any, Sequence, Union

import numpy as np
from numpy.typing import NDArray

Number = Union[float, np.floating[Any], np.integer[Any]]
Whole = Union[int, np.integer[Any]]
Numbers = Union[Sequence[Number], NDArray[Any]]
Wholes = Union[Sequence[Whole], NDArray[Any]]
Points = Union[Sequence[Numbers], NDArray[Any]]
