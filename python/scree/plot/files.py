"""Files that are whole or not there: what is written appears under its name when it is complete."""
from __future__ import annotations

import contextlib
import os
import secrets
from typing import Iterator


@contextlib.contextmanager
def whole(path: str) -> Iterator[str]:
    """The name of a file beside the one asked for, which becomes it at the end. If that fails, nothing is left beside
    it, and the error names the file that the user knows."""
    aside = f"{path}.{secrets.token_hex(8)}.new"
    try:
        with open(aside, "xb"):
            pass
        yield aside
        os.replace(aside, path)
    except BaseException as error:
        with contextlib.suppress(OSError):
            os.unlink(aside)
        if isinstance(error, OSError) and error.filename in (aside, None):
            raise OSError(error.errno, error.strerror, path) from None
        raise
