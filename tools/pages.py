"""Runs what a page of the documentation shows: its commands and its Python code, from top to bottom.

In blocks without a language, lines that begin with 'scree ' are commands. Pages are read by tests/docs, and by
tools/pictures, which keeps the pictures that come out."""
import contextlib
import os
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[1]
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```", re.M | re.S)
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


def call(program, line, folder):
    """Runs a line in bash, where 'scree' is this program; returns what it printed. An error contains what it said."""
    home = os.path.dirname(os.path.abspath(program))
    result = subprocess.run(["bash", "-o", "pipefail", "-c", line], cwd=folder, capture_output=True, text=True, timeout=600,
                            env={**os.environ, "PATH": f"{home}:{os.environ['PATH']}", "MPLBACKEND": "Agg"})
    if result.returncode != 0:
        raise RuntimeError(f"{line}: exit status {result.returncode}\n{result.stderr}")
    return result.stdout


@contextlib.contextmanager
def inside(folder):
    home = os.getcwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(home)


def run(page, program, folder):
    """Runs a page in a folder, which gets a link to examples/; what each command printed."""
    link = pathlib.Path(folder) / "examples"
    if not link.exists():
        link.symlink_to(ROOT / "examples")
    names: dict[str, object] = {}
    printed: list[str] = []
    for number, (language, text) in enumerate(blocks(page)):
        if language == "":
            printed += [call(program, line, folder) for line in commands(text)]
        elif language == "python":
            with inside(folder):
                exec(compile(text, f"{pathlib.Path(page).name}, block {number}", "exec"), names)
    return printed
