"""Films of runs: every frame a picture with the same view and the same scale of colours."""
from __future__ import annotations

import collections
import os
import shutil
import subprocess
import tempfile
from concurrent.futures import Future, ProcessPoolExecutor
from typing import IO, Any, Callable, Iterator, Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from numpy.typing import ArrayLike, NDArray

from .. import _values
from .._values import Floats
from ..errors import ArgumentError, Error
from ..run import Run, open_run
from . import pictures, space
from . import source as sources
from .files import whole
from .graphs import Times
from .style import style

Image = NDArray[np.uint8]

# By the ending of the file; what ffmpeg is told, and the encoder that it needs for that.
FORMATS: dict[str, tuple[str, str, list[str]]] = {
    ".mp4": ("mp4", "libx264", ["-crf", "18", "-movflags", "+faststart"]),
    ".webm": ("webm", "libvpx-vp9", ["-crf", "28", "-b:v", "0"]),
}
PICTURES: dict[str, Callable[..., Any]] = {"grains": pictures.grains, "chains": pictures.chains,
                                           "bonds": pictures.bonds}
LOOKED_AT = 9    # frames whose values give the scale of colours, spread over the film
AHEAD = 4        # pictures that each process may be ahead of the film
QUICKEST = 0.02  # seconds: browsers show a GIF's frames for longer if they are told less


def film(run: Run, path: str | os.PathLike[str], what: str = "grains", *, times: Times | None = None, fps: float = 25,
         width: int = 960, jobs: int = 1, progress: Callable[[int, int], None] | None = None, **look: Any) -> int:
    """Makes a film of a run: .mp4 or .webm by the program ffmpeg, or .gif without it. Returns the number of frames.

    what      "grains", "chains" or "bonds"
    times     the first and last time; by default the whole run
    fps       frames of the run per second of the film
    width     in pixels
    jobs      pictures drawn at a time, by as many processes
    progress  called with the number of pictures made, and of all
    look      options of scree.plot.grains, chains or bonds: colour, limits, camera, box, units, ...
    """
    ending = os.path.splitext(os.fspath(path))[1].lower()
    if ending not in (*FORMATS, ".gif"):
        raise ArgumentError(f"{os.fspath(path)}: the file name must end in {', '.join(FORMATS)} or .gif")
    if what not in PICTURES:
        raise ArgumentError(f"what: must be one of {', '.join(PICTURES)}, not {_values.short(what)}")
    if not 1 <= _values.number(fps, "fps") <= 240:
        raise ArgumentError("fps: must be from 1 to 240")
    size = _values.integer(width, "width", 64, 8192)
    chosen = [number for number, time in enumerate(run.times) if times is None or times[0] <= time <= times[1]]
    if not chosen:
        raise ArgumentError("the run has no frame" if times is None else
                            f"times: the run has no frame between {times[0]:g} and {times[1]:g}")
    look = {**look, "box": _box(run, chosen) if look.get("box") is None else look["box"]}
    if what == "grains" and look.get("limits") is None:
        look["limits"] = _limits(run, chosen, look.get("colour"))
    encoder = _ffmpeg(ending) if ending in FORMATS else None
    places = _places(run.frames[chosen[-1]], (what, size, look, []))
    images = _pictures(run, chosen, (what, size, look, places), jobs)
    images = _counted(images, len(chosen), progress) if progress is not None else images
    with whole(os.fspath(path)) as aside:
        if encoder is None:
            _write_gif(aside, images, float(fps))
        else:
            _write_video(aside, images, float(fps), [*encoder, "-f", FORMATS[ending][0]])
    return len(chosen)


# ---------------------------------------------------------------- the same view throughout


def _box(run: Run, chosen: Sequence[int]) -> tuple[Floats, Floats]:
    """Around everything that is seen in any of the frames."""
    corners = [sources.bounds(run.frames[number]) for number in chosen]
    return np.min([low for low, _ in corners], axis=0), np.max([high for _, high in corners], axis=0)


def _limits(run: Run, chosen: Sequence[int], colour: ArrayLike | None) -> tuple[float, float] | None:
    """From the values of some frames, without the outermost per cent at each end: one grain that flies away would
    leave all others in one colour."""
    picks = np.unique(np.linspace(0, len(chosen) - 1, LOOKED_AT).round().astype(int))
    moments = [run.frames[chosen[pick]] for pick in picks]
    ends = pictures.shared_limits(moments, colour)
    if ends is None:
        return None
    shown = pictures.first_colour(moments[-1]) if colour is None else colour
    values = np.concatenate([sources.values_of(moment, shown)[0] for moment in moments])
    low, high = np.percentile(values[np.isfinite(values)], [1, 99])
    low = ends[0] if ends[0] <= 0 <= ends[1] else low  # a scale that begins at zero goes on to do so
    return float(low), float(high if high > low else ends[1])


# ---------------------------------------------------------------- pictures

Place = tuple[float, float, float, float]  # of axes in a figure: left, bottom, width, height
Task = tuple[str, int, dict[str, Any], list[Place]]
SHOWN = 0.85  # of a picture's width is what the grains take beside a legend
SKETCH = 64  # pixels across a picture of which only the layout counts


def _figure(moment: Any, task: Task, across: int) -> Figure:
    """One picture, with an even width and height in pixels, as encoders need it."""
    what, width, look, _ = task
    with space.pixels_across(across):
        figure = PICTURES[what](moment, **look).get_figure()
    wide, tall = figure.get_size_inches()
    dots = width // 2 * 2 / wide
    figure.set_size_inches(wide, round(tall * dots / 2) * 2 / dots)
    figure.set_dpi(dots)
    return figure


def _places(moment: Any, task: Task) -> list[Place]:
    """Where the parts of each picture are. They are laid out once for all frames: so nothing moves when the time above
    the picture becomes wider, and laying out takes as long as drawing all that is not grains."""
    before = plt.get_backend()
    plt.switch_backend("Agg")
    try:
        with style():
            figure = _figure(moment, task, SKETCH)
            figure.draw_without_rendering()
            places = [axes.get_position(original=True).bounds for axes in figure.axes]
            plt.close(figure)
    finally:
        plt.switch_backend(before)
    return places


def _draw(moment: Any, task: Task) -> Image:
    """One picture as pixels."""
    _, width, _, places = task
    with style():
        figure = _figure(moment, task, round(SHOWN * width))
        if len(places) == len(figure.axes):
            figure.set_layout_engine("none")
            for axes, place in zip(figure.axes, places):
                axes.set_position(place)
        figure.canvas.draw()
        image = np.array(figure.canvas.buffer_rgba())[:, :, :3]
        plt.close(figure)
    return image[:image.shape[0] // 2 * 2, :image.shape[1] // 2 * 2]


_opened: dict[str, Run] = {}  # in each process that draws


def _draw_there(path: str, number: int, task: Task) -> Image:
    if path not in _opened:
        plt.switch_backend("Agg")
        _opened[path] = open_run(path)
    return _draw(_opened[path].frames[number], task)


def _pictures(run: Run, chosen: Sequence[int], task: Task, jobs: int) -> Iterator[Image]:
    """In their order, however many processes draw them."""
    if jobs <= 1 or len(chosen) == 1:
        before = plt.get_backend()
        plt.switch_backend("Agg")
        try:
            for number in chosen:
                yield _draw(run.frames[number], task)
        finally:
            plt.switch_backend(before)
        return
    with ProcessPoolExecutor(min(jobs, len(chosen))) as pool:
        waiting: collections.deque[Future[Image]] = collections.deque()
        try:
            for number in chosen:
                waiting.append(pool.submit(_draw_there, run.path, number, task))
                if len(waiting) >= AHEAD * jobs:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            pool.shutdown(cancel_futures=True)


def _counted(images: Iterator[Image], total: int, progress: Callable[[int, int], None]) -> Iterator[Image]:
    for done, image in enumerate(images):
        yield image
        progress(done + 1, total)


# ---------------------------------------------------------------- files


def _write_gif(path: str, images: Iterator[Image], fps: float) -> None:
    """All frames share one palette, made of five of them."""
    from PIL import Image as Images

    kept = list(images)
    some = np.concatenate([kept[k] for k in np.unique(np.linspace(0, len(kept) - 1, 5).astype(int))])
    palette = Images.fromarray(some).quantize(255, method=Images.Quantize.MEDIANCUT)
    frames = [Images.fromarray(image).quantize(palette=palette, dither=Images.Dither.NONE) for image in kept]
    frames[0].save(path, format="gif", save_all=True, append_images=frames[1:], loop=0,
                   duration=round(1000 * max(1 / fps, QUICKEST)))


def _ffmpeg(ending: str) -> list[str]:
    """How ffmpeg is to be called, but for its files."""
    program = shutil.which("ffmpeg")
    if program is None:
        raise Error(f"films as {ending} are made by ffmpeg, which is not here: apt install ffmpeg, or ask for a .gif")
    known = subprocess.run([program, "-hide_banner", "-encoders"], capture_output=True, text=True, check=False).stdout
    _, encoder, options = FORMATS[ending]
    return [program, *(["-c:v", encoder, *options] if f" {encoder} " in known else [])]


def _write_video(path: str, images: Iterator[Image], fps: float, words: Sequence[str]) -> None:
    first = next(images)
    tall, wide = first.shape[:2]
    program, *options = words
    with tempfile.TemporaryFile() as said:
        taken = ["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{wide}x{tall}", "-framerate", f"{fps:g}", "-i", "-"]
        with subprocess.Popen([program, "-hide_banner", "-loglevel", "error", "-y", *taken, "-pix_fmt", "yuv420p",
                               *options, f"file:{path}"], stdin=subprocess.PIPE, stdout=said, stderr=said) as process:
            pipe = process.stdin
            assert pipe is not None
            try:
                pipe.write(first.tobytes())
                for image in images:
                    pipe.write(image.tobytes())
                pipe.close()
            except BrokenPipeError:
                pass  # it says below why it has ended
            except BaseException:
                process.kill()
                raise
        if process.returncode != 0:
            raise Error(f"ffmpeg: {_last_line(said)}")


def _last_line(file: IO[bytes]) -> str:
    file.seek(0)
    lines = file.read().decode(errors="replace").split("\n")
    return next((text.strip() for text in reversed(lines) if text.strip()), "failed without saying why")
