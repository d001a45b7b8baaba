"""What 'scree plot' runs: a picture of a run file. The program has checked the options and chosen the frame.

It is run by its path, so that it can say what is missing before anything is imported."""
from __future__ import annotations

import argparse
import contextlib
import importlib.util
import os
import sys

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


def draw(path: str, what: str, frame: int, output: str, axis: str = "") -> str:
    """Draws the picture and says what it shows."""
    import matplotlib

    matplotlib.use("Agg")
    import scree
    import scree.plot

    with scree.open_run(path) as run:
        if what == "certificate":
            scree.plot.save(scree.plot.certificate(run), output)
            return f"{what} of {len(run.certificate)} steps"
        if what in ("stress", "fabric", "packing", "energy"):
            scree.plot.save(getattr(scree.plot, what)(run), output)
            return f"{what} of {len(run.frames)} frames"
        if what == "profile":
            scree.plot.save(scree.plot.profile(run, axis), output)
            return f"{what} of {len(run.frames) - len(run.frames) // 2} frames"
        moment = run.frames[frame]
        time = f"time {moment.time:.6g}"
        if what == "grains":
            scree.plot.save(scree.plot.grains(moment), output)
        elif what in ("chains", "pairs", "fields", "indeterminacy"):
            scree.plot.save(getattr(scree.plot, what)(moment), output)
        else:
            scree.plot.save(scree.plot.forces(moment, title=time), output)
        return f"{what} at {time}"


def main(arguments: list[str]) -> int:
    """Draws, and gives the exit status."""
    parser = argparse.ArgumentParser(prog="scree plot")
    parser.add_argument("run")
    parser.add_argument("--what", default="grains", choices=(
        "grains", "chains", "certificate", "forces", "stress", "fabric", "packing", "energy", "pairs", "fields",
        "profile", "indeterminacy"))
    parser.add_argument("--axis", default="")
    parser.add_argument("--frame", type=int, default=-1)
    parser.add_argument("--output", required=True)
    parser.add_argument("--quiet", action="store_true")
    options = parser.parse_args(arguments)
    if os.path.splitext(options.output)[1].lower() not in (".png", ".svg", ".pdf"):
        complain(f"-o {options.output}: the file name must end in .png, .svg or .pdf")
        return USAGE
    if lacks():
        return FAILED
    # the folder of the package, not the package itself
    sys.path[0] = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    from scree.errors import Error, RunError

    try:
        said = draw(options.run, options.what, options.frame, options.output, options.axis)
    except RunError as problem:
        complain(str(problem))
        return BAD_INPUT
    except (Error, OSError) as problem:
        complain(str(problem))
        return FAILED
    if not options.quiet:
        print(f"scree: {options.output}: {said}", file=sys.stderr)
    return DONE


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
