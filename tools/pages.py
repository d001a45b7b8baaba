"""Runs what a page of the documentation shows: its commands and its Python code, from top to bottom.

In blocks without a language, lines that begin with 'scree ' are commands. A block 'text' shows what the commands, or the
Python, of the block before it print; '...' stands for lines that are left out. Pages are read by tests/docs, and by
tools/pictures, which keeps the pictures that come out and writes what is printed anew."""
import contextlib
import io
import os
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[1]
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```", re.M | re.S)
NUMBER = re.compile(r"(?<![\w.])-?\d[\d.]*(e[-+]?\d+)?(?![\w.]*\w*\.h5)")
PICTURE = re.compile(r"!\[[^\]]*\]\(pictures/([\w-]+\.png)\)")


def blocks(page):
    """Languages and texts of the blocks of a page, in their order."""
    return BLOCK.findall(pathlib.Path(page).read_text())


def commands(text):
    """The commands of a block."""
    return [line for line in text.splitlines() if line.startswith("scree ")]


def pictures(page):
    """The pictures that a page shows."""
    return set(PICTURE.findall(pathlib.Path(page).read_text()))


def form(line):
    """A line with its numbers and its spacing left out: what stays the same when the last bits of a run do not."""
    return " ".join(NUMBER.sub("#", line).split())


def shown(text, printed):
    """What a block would show now: its lines with the numbers that were printed. None if the lines are not there."""
    rest, lines = printed.splitlines(), []
    for line in text.splitlines():
        if line != "...":
            while rest and form(rest[0]) != form(line):
                rest.pop(0)
            if not rest:
                return None
            line = rest.pop(0).rstrip()
        lines.append(line)
    return "".join(f"{line}\n" for line in lines)


def hear(program, line, folder):
    """Runs a line in bash, where 'scree' is this program; what it said and what it printed."""
    home = os.path.dirname(os.path.abspath(program))
    result = subprocess.run(["bash", "-o", "pipefail", "-c", line], cwd=folder, capture_output=True, text=True, timeout=600,
                            env={**os.environ, "PATH": f"{home}:{os.environ['PATH']}", "MPLBACKEND": "Agg"})
    if result.returncode != 0:
        raise RuntimeError(f"{line}: exit status {result.returncode}\n{result.stderr}")
    return result.stderr, result.stdout


def call(program, line, folder):
    """Runs a line; returns what it printed. An error contains what it said."""
    return hear(program, line, folder)[1]


@contextlib.contextmanager
def inside(folder):
    home = os.getcwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(home)


def run(page, program, folder, told=None):
    """Runs a page in a folder, which gets a link to examples/; what each command printed. `told` gets, for each block of
    the page, all that it said and printed."""
    link = pathlib.Path(folder) / "examples"
    if not link.exists():
        link.symlink_to(ROOT / "examples")
    names: dict[str, object] = {}
    printed: list[str] = []
    for number, (language, text) in enumerate(blocks(page)):
        block = io.StringIO()
        if language == "":
            for line in commands(text):
                said, out = hear(program, line, folder)
                printed.append(out)
                block.write(said + out)
        elif language == "python":
            with inside(folder), contextlib.redirect_stdout(block):
                exec(compile(text, f"{pathlib.Path(page).name}, block {number}", "exec"), names)
        if told is not None:
            told.append(block.getvalue())
    return printed


def refresh(page, told):
    """Writes what a page shows anew."""
    text = pathlib.Path(page).read_text()
    for number, (language, block) in enumerate(blocks(page)):
        if language == "text":
            now = shown(block, told[number - 1])
            if now is None:
                raise RuntimeError(f"{page}: lines that no command prints:\n{block}")
            text = text.replace(f"```text\n{block}```", f"```text\n{now}```")
    pathlib.Path(page).write_text(text)
