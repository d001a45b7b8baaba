"""The command `scree` of a package that pip installed: becomes the program that lies in it."""
from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import NoReturn


def main() -> NoReturn:
    """Plots are drawn by the Python that this is."""
    program = Path(__file__).resolve().parent / "bin" / "scree"
    os.environ.setdefault("SCREE_PYTHON", sys.executable)
    try:
        os.execv(program, ["scree", *sys.argv[1:]])
    except OSError as problem:
        raise SystemExit(f"scree: cannot run {program}: {problem.strerror}; this package holds no program, "
                         "only a wheel or 'pip install' of the sources has one") from None
