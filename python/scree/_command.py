"""What 'scree plot' runs: a picture of a run file. The program has checked the options and chosen the frame.

It is run by its path, so that it can say what is missing before anything is imported."""
from __future__ import annotations

import argparse
import contextlib
import importlib.util
import os
import sys
import warnings
from typing import Any, Callable

DONE, FAILED, USAGE, BAD_INPUT = 0, 1, 2, 65  # as those of the program
NEEDED = ("numpy", "h5py", "matplotlib")


def say(text: str, end: str = "\n") -> None:
    """On standard error. That it is closed, or a pipe that nobody reads, is no reason to fail, as in the program."""
    with contextlib.suppress(OSError):
        print(text, end=end, file=sys.stderr, flush=True)


def complain(text: str) -> None:
    """One line, as the program says it."""
    say(f"scree: error: {text}")


def lacks() -> bool:
    """Says what this Python lacks, if anything."""
    missing = [name for name in NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        packages = " ".join("python3-" + name for name in missing)
        complain(f"plots need {', '.join(missing)}, which {sys.executable} does not have; install with: "
                 f"apt install {packages} (or set SCREE_PYTHON to a Python that has all of "
                 f"{', '.join(NEEDED)})")
    return bool(missing)


MOMENTS = ("grains", "chains", "bonds", "forces", "pairs", "fields", "indeterminacy")
AGAINST_TIME = ("stress", "fabric", "packing", "energy", "certificate", "profile", "curve")


class BadOption(Exception):
    """An option that makes no sense; the text says why."""


def numbers(option: str, text: str, between: str, form: str, count: int) -> list[float]:
    """Numbers between commas or colons."""
    try:
        found = [float(part) for part in text.split(between)]
    except ValueError:
        found = []
    if len(found) != count or not all(abs(value) < float("inf") for value in found):
        raise BadOption(f"--{option} {text}: must be {form}")
    return found


def ends(option: str, text: str | None, example: str) -> tuple[float, float] | None:
    """FROM:TO, either of which may be left out for times."""
    if text is None:
        return None
    low, _, high = text.partition(":")
    if option == "times" and ":" in text:
        low, high = low or "-1e300", high or "1e300"
    first, last = numbers(option, f"{low}:{high}" if ":" in text else text, ":", example, 2)
    if not (first < last or (option == "times" and first == last)):
        raise BadOption(f"--{option} {text}: must be {example}")
    return first, last


def look_of(options: argparse.Namespace, dimension: int) -> dict[str, Any]:
    """What pictures of grains look like: colour, limits, camera and units."""
    found: dict[str, Any] = {}
    if options.colour is not None:
        found["colour"] = options.colour
    if options.range is not None:
        found["limits"] = ends("range", options.range, "LOW:HIGH, such as 0:2")
    if options.camera is not None:
        if dimension == 2:
            raise BadOption("--camera: a plane is always seen from the front")
        found["camera"] = numbers("camera", options.camera, ",", "a direction, such as 1,-2,1", 3)
    if options.units is not None:
        from scree.plot import units

        names = [name.strip() for name in options.units.split(",")]
        if len(names) != 3 or not all(names):
            raise BadOption(f"--units {options.units}: must be the units of length, mass and time, such as m,kg,s")
        length, mass, time = names
        found["units"] = units(length, mass, time, dimension)
    return found


def refuse_idle(options: argparse.Namespace) -> None:
    """Options that would change nothing are mistakes."""
    idle = {"colour": options.what != "grains", "range": options.what != "grains",
            "camera": options.what not in ("grains", "chains", "bonds", "indeterminacy"),
            "times": options.what not in AGAINST_TIME, "axis": options.what != "profile",
            "units": options.what in ("fabric", "forces", "pairs")}
    for name, useless in idle.items():
        if useless and getattr(options, name) not in (None, ""):
            raise BadOption(f"--{name}: says nothing about --what {options.what}")


def draw(options: argparse.Namespace) -> str:
    """Draws the picture and says what it shows."""
    import matplotlib

    matplotlib.use("Agg")
    import scree
    import scree.plot
    from scree._values import counted

    what, times = options.what, ends("times", options.times, "FROM:TO, such as 0.5:2 or 0.5:")
    with contextlib.ExitStack() as opened:
        runs = [opened.enter_context(scree.open_run(path)) for path in options.run]
        look = look_of(options, runs[0].dimension)
        if what == "curve":
            picture = scree.plot.curve(runs, options.curve.split(","), options.against, times=times, **look)
            said = f"{options.curve} against {options.against}"
        elif len(runs) > 1:
            picture = scree.plot.compare(runs, what, frames=options.frame, times=times, axis=options.axis or "", **look)
            said = f"{what} of {counted(len(runs), 'run')}"
        elif what in MOMENTS:
            moment = runs[0].frames[options.frame[0]]
            picture, said = draw_moment(moment, what, look), f"{what} at time {moment.time:.6g}"
        else:
            picture, said = draw_series(runs[0], what, times, options.axis or "", look)
        scree.plot.save(picture, options.output)
    return said


def draw_moment(moment: Any, what: str, look: dict[str, Any]) -> Any:
    """One frame."""
    import scree.plot

    if what == "forces":
        return scree.plot.forces(moment, title=f"time {moment.time:.6g}")
    return getattr(scree.plot, what)(moment, **look)


def draw_series(run: Any, what: str, times: tuple[float, float] | None, axis: str,
                look: dict[str, Any]) -> tuple[Any, str]:
    """What many frames or steps show, and how many."""
    import scree.plot
    from scree._values import counted

    within = [time for time in run.times if times is None or times[0] <= time <= times[1]]
    if what == "profile":
        count = len(run.frames) - len(run.frames) // 2 if times is None else len(within)
        return scree.plot.profile(run, axis, times=times, **look), f"{what} of {counted(count, 'frame')}"
    picture = getattr(scree.plot, what)(run, times=times, **look)
    if what == "certificate":
        steps = run.certificate.time
        count = len(steps) if times is None else int(((steps >= times[0]) & (steps <= times[1])).sum())
        return picture, f"{what} of {counted(count, 'step')}"
    return picture, f"{what} of {counted(len(within), 'frame')}"


def add_look(parser: argparse.ArgumentParser) -> None:
    """The options that plots and films share."""
    for name in ("colour", "range", "camera", "units", "times"):
        parser.add_argument(f"--{name}")
    parser.add_argument("--frame", type=lambda text: [int(part) for part in text.split(",")], default=[-1])
    parser.add_argument("--output", required=True)
    parser.add_argument("--quiet", action="store_true")


def guarded(make: Callable[[], str], options: argparse.Namespace) -> int:
    """The exit status of what is made, and what there is to say about it."""
    if lacks():
        return FAILED
    # the folder of the package, not the package itself
    sys.path[0] = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    from scree.errors import Error, RunError

    if not sys.warnoptions:
        warnings.simplefilter("ignore")  # of libraries: nothing that a user of the program could mend
    try:
        said = make()
    except BadOption as problem:
        complain(str(problem))
        return USAGE
    except RunError as problem:
        complain(str(problem))
        return BAD_INPUT
    except (Error, OSError) as problem:
        complain(str(problem))
        return FAILED
    if not options.quiet:
        say(f"scree: {options.output}: {said}")
    return DONE


def main(arguments: list[str]) -> int:
    """Draws, and gives the exit status."""
    parser = argparse.ArgumentParser(prog="scree plot")
    parser.add_argument("run", nargs="+")
    parser.add_argument("--what", default="grains", choices=MOMENTS + AGAINST_TIME)
    parser.add_argument("--axis")
    parser.add_argument("--curve")
    parser.add_argument("--against", default="time")
    add_look(parser)
    options = parser.parse_args(arguments)
    options.what = "curve" if options.curve is not None else options.what
    if os.path.splitext(options.output)[1].lower() not in (".png", ".svg", ".pdf"):
        complain(f"-o {options.output}: the file name must end in .png, .svg or .pdf")
        return USAGE
    try:
        refuse_idle(options)
    except BadOption as problem:
        complain(str(problem))
        return USAGE
    return guarded(lambda: draw(options), options)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
