"""Files of a study. In its folder one study at a time works, and nothing is replaced that no study has made."""
from __future__ import annotations

import contextlib
import fcntl
import os
import re
import time
from pathlib import Path
from typing import Iterator, Sequence

from .errors import Error

MARK = ".study"  #: says that this is the folder of a study, and holds the number of the process that works in it
PATIENCE = 5.0  #: seconds; the runs of a study that was killed have stopped by then


class StudyError(Error):
    """A study file that is not one, or runs that failed."""


@contextlib.contextmanager
def claimed(folder: Path, outputs: Sequence[str]) -> Iterator[int]:
    """Makes the folder and takes its lock, which ends with the last process that has the descriptor, however it ends.
    Where no study has worked yet, what it would write must not be there."""
    folder.mkdir(parents=True, exist_ok=True)
    mark = folder / MARK
    for name in outputs if not mark.exists() else ():
        if os.path.lexists(folder / name):
            raise StudyError(f"{folder / name}: exists, and no study has made it; choose another folder with -o")
    lock = os.open(mark, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK, 0o666)
    try:
        _wait_for(lock, folder)
        os.ftruncate(lock, 0)
        os.pwrite(lock, b"%d\n" % os.getpid(), 0)
        yield lock
    finally:
        os.close(lock)


def _wait_for(lock: int, folder: Path) -> None:
    end = time.monotonic() + PATIENCE
    while True:
        try:
            return fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > end:
                who = os.pread(lock, 20, 0).decode(errors="replace").strip()
                words = f"process {who}" if who.isdigit() else "another process"
                raise StudyError(f"{folder}: {words} works on a study there; "
                                 "wait for it, or choose another folder with -o") from None
        time.sleep(0.05)


def inputs(scene: Path) -> set[Path]:
    """The scene and, as far as its words tell, the files that it names, with those that they name in their turn. One
    too many does no harm: the program itself then looks whether the run is still that of the scene."""
    found, unread = {scene}, [scene]
    while unread:
        file = unread.pop()
        text = file.read_text(encoding="utf-8", errors="replace") if file.stat().st_size < 1 << 20 else ""
        words = {word for word in re.findall(r"[^\s\[\]{},\"'#]+", text) if not re.fullmatch(r"[-+.\deE]+", word)}
        named = {file.parent / word for word in words if len(word) < 256}
        fresh = {path for path in named if path.is_file()} - found
        found |= fresh
        unread += [path for path in fresh if path.suffix in (".yaml", ".yml", ".json")]
    return found
