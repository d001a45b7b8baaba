"""What 'scree study' runs: a study file, its runs side by side, a table and plots.

It is run by its path, so that it can say what is missing before anything is imported."""
from __future__ import annotations

import argparse
import os
import signal
import sys
from typing import Any, NoReturn

from _command import BAD_INPUT, DONE, FAILED, complain, lacks, say


class Stopped(BaseException):
    """By a signal."""


def stop(number: int, frame: object) -> NoReturn:
    """The runs are told in their turn, and write their checkpoints."""
    raise Stopped(number)


def duration(seconds: float) -> str:
    """As the program tells it."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


class Line:
    """One line of progress, drawn again and again on a terminal; elsewhere a line for each run that has ended."""

    def __init__(self, quiet: bool) -> None:
        self.quiet, self.terminal, self.last = quiet, sys.stderr.isatty(), ""

    def show(self, state: Any) -> None:
        from scree._values import counted

        text = f"{state.done} of {counted(state.total, 'run')} done"
        text += f", {state.failed} failed" if state.failed else ""
        more = f", {state.running} running" if state.running else ""
        known = state.seconds_left == state.seconds_left  # it is NaN until a run has ended
        more += f", about {duration(state.seconds_left)} left" if known and more else ""
        line = text + more if self.terminal else text
        if self.quiet or line == self.last:
            return
        self.last = line
        say(f"\r\033[Kscree: {line}" if self.terminal else f"scree: {line}", end="" if self.terminal else "\n")

    def clear(self) -> None:
        if self.terminal and self.last:
            say("\r\033[K", end="")


def work(options: argparse.Namespace, line: Line) -> int:
    """Runs, measures, writes and draws."""
    from scree.study import StudyError, load_study

    study = load_study(options.study, options.output)
    status = DONE
    try:
        study.run(options.jobs, line.show)
    except StudyError as problem:
        line.clear()
        if not study.failures:
            raise
        complain(str(problem))
        status = FAILED
    line.clear()
    paths = [*study.save(), *draw(study)]
    if not options.quiet:
        say(f"scree: {study.folder}: " + ", ".join(path.name for path in paths))
    return status


def draw(study: Any) -> list[Any]:
    """A plot of each measure."""
    import matplotlib

    matplotlib.use("Agg")
    from scree import plot

    table = study.table()
    made = []
    for name in study.measures if table else ():
        plot.save(plot.study(study, name, table=table), study.picture(name))
        made.append(study.picture(name))
    return made


def main(arguments: list[str]) -> int:
    """The exit status."""
    parser = argparse.ArgumentParser(prog="scree study")
    parser.add_argument("study")
    parser.add_argument("--output")
    parser.add_argument("--jobs", type=int)
    parser.add_argument("--quiet", action="store_true")
    options = parser.parse_args(arguments)
    if int(os.environ.get("OMPI_COMM_WORLD_SIZE", os.environ.get("PMI_SIZE", "1"))) > 1:
        complain("scree study starts its runs itself; call it without mpirun")
        return FAILED
    if lacks():
        return FAILED
    # the folder of the package, not the package itself
    sys.path[0] = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    from scree.errors import Error
    from scree.study import StudyError

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop)
    line = Line(options.quiet)
    try:
        return work(options, line)
    except Stopped as stopped:
        line.clear()
        say("scree: stopped; the same command resumes the study")
        return 128 + int(stopped.args[0])
    except StudyError as problem:
        complain(str(problem))
        return BAD_INPUT
    except (Error, OSError) as problem:
        complain(str(problem))
        return FAILED


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
