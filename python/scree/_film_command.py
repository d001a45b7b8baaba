"""What 'scree film' runs: pictures of all frames of a run file as a film. The program has checked that it is one.

It is run by its path, so that it can say what is missing before anything is imported."""
from __future__ import annotations

import argparse
import os
import signal
import sys

from _command import USAGE, BadOption, add_look, complain, ends, guarded, look_of, say

ENDINGS = (".mp4", ".webm", ".gif")


def show(done: int, total: int) -> None:
    """A line on a terminal that tells how far the film has got."""
    if sys.stderr.isatty():
        say("\r\033[K" if done == total else f"\r\033[Kscree: {done} of {total} pictures", end="")


def make(options: argparse.Namespace) -> str:
    """Makes the film and says what it shows."""
    import matplotlib

    matplotlib.use("Agg")
    import scree
    import scree.plot
    from scree._values import counted

    times = ends("times", options.times, "FROM:TO, such as 0.5:2 or 0.5:")
    with scree.open_run(options.run) as run:
        look = look_of(options, run.dimension)
        if options.what != "grains" and {"colour", "limits"} & set(look):
            raise BadOption(f"--colour, --range: say nothing about --what {options.what}")
        count = scree.plot.film(run, options.output, options.what, times=times, fps=options.fps, width=options.width,
                                jobs=options.jobs or os.cpu_count() or 1,
                                progress=None if options.quiet else show, **look)
    return f"{counted(count, 'frame')}, {count / options.fps:.3g} s"


def main(arguments: list[str]) -> int:
    """The exit status."""
    parser = argparse.ArgumentParser(prog="scree film")
    parser.add_argument("run")
    parser.add_argument("--what", default="grains")
    for name, default in (("fps", 25), ("width", 960), ("jobs", 0)):
        parser.add_argument(f"--{name}", type=int, default=default)
    add_look(parser)
    options = parser.parse_args(arguments)
    if os.path.splitext(options.output)[1].lower() not in ENDINGS:
        complain(f"-o {options.output}: the file name must end in .mp4, .webm or .gif")
        return USAGE
    try:
        return guarded(lambda: make(options), options)
    except KeyboardInterrupt:
        say("scree: stopped; there is no film")
        return 128 + signal.SIGINT


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
