"""Makes a wheel of the Python package with the library and the program in it, as pip and `python3 -m build` ask for it
(PEP 517). It needs CMake, a C compiler and the libraries that the README names, and nothing of Python's registry.

The wheel fits any Python of this kind of machine, since ctypes needs no headers of it. The libraries that it links,
HDF5 above all, are those of the system: what is needed besides the C library is printed, and kept in the wheel's
scree/NEEDED.txt.

    pip install .                                    for this machine
    pip wheel . -C cmake=-DSCREE_CHOLMOD=OFF         with other options of CMake
"""
from __future__ import annotations

import base64
import hashlib
import io
import os
import shlex
import shutil
import stat
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from pathlib import Path
from typing import Any

try:
    import tomllib
except ImportError:
    from pip._vendor import tomli as tomllib  # type: ignore[no-redef]

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build" / "wheel"
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
STEM = f"{PROJECT['name']}-{PROJECT['version']}"
TAG = f"py3-none-{sysconfig.get_platform().replace('-', '_').replace('.', '_')}"
# A date in no file makes the same wheel of the same sources.
EPOCH = (2020, 1, 1, 0, 0, 0)
SYSTEM = ("linux-vdso", "ld-linux", "libc.so", "libm.so", "libpthread.so", "libdl.so")


# ---------------------------------------------------------------- what the build needs

def get_requires_for_build_wheel(config_settings: Any = None) -> list[str]:
    """Nothing from Python's registry."""
    return []


get_requires_for_build_sdist = get_requires_for_build_wheel


def missing_tools() -> list[str]:
    """Programs that the build runs and this machine lacks."""
    return [name for name in ("cmake", "pkg-config") if shutil.which(name) is None]


def compile_all(options: list[str]) -> None:
    """The shared library and the program."""
    if missing_tools():
        raise SystemExit(f"Building Scree needs {' and '.join(missing_tools())}. On Debian and Ubuntu, "
                         "tools/install-packages installs all that is needed.")
    ninja = ["-G", "Ninja"] if shutil.which("ninja") else []
    subprocess.run(["cmake", "-S", ROOT, "-B", BUILD, *ninja, *options], check=True)
    subprocess.run(["cmake", "--build", BUILD, "--parallel", "--target", "scree_shared", "scree_program"], check=True)


# ---------------------------------------------------------------- what goes into the wheel

def metadata() -> str:
    """The METADATA of the wheel, from pyproject.toml."""
    lines = ["Metadata-Version: 2.1", f"Name: {PROJECT['name']}", f"Version: {PROJECT['version']}",
             f"Summary: {PROJECT['description']}", f"License: {PROJECT['license']['text']}",
             f"Keywords: {','.join(PROJECT['keywords'])}", f"Requires-Python: {PROJECT['requires-python']}"]
    lines += [f"Classifier: {text}" for text in PROJECT["classifiers"]]
    lines += [f"Requires-Dist: {text}" for text in PROJECT["dependencies"]]
    for extra, packages in PROJECT["optional-dependencies"].items():
        lines += [f"Provides-Extra: {extra}"] + [f'Requires-Dist: {name}; extra == "{extra}"' for name in packages]
    readme = (ROOT / PROJECT["readme"]).read_text(encoding="utf-8")
    return "\n".join(lines) + "\nDescription-Content-Type: text/markdown\n\n" + readme


def information() -> dict[str, bytes]:
    """The files of the .dist-info folder but for RECORD."""
    scripts = "".join(f"{name} = {target}\n" for name, target in PROJECT["scripts"].items())
    texts = {"METADATA": metadata(), "entry_points.txt": "[console_scripts]\n" + scripts,
             "WHEEL": f"Wheel-Version: 1.0\nGenerator: scree\nRoot-Is-Purelib: false\nTag: {TAG}\n",
             "LICENSE": (ROOT / "LICENSE").read_text(encoding="utf-8")}
    return {f"{STEM}.dist-info/{name}": text.encode() for name, text in texts.items()}


def needed(files: list[Path]) -> list[str]:
    """The libraries that these files ask for themselves, besides the C library."""
    names = set()
    for path in files:
        told = subprocess.run(["objdump", "-p", path], check=True, capture_output=True, text=True).stdout
        names |= {line.split()[1] for line in told.splitlines() if line.split()[:1] == ["NEEDED"]}
    return sorted(name for name in names if not name.startswith(SYSTEM))


def package() -> dict[str, bytes]:
    """The modules, the library and the program."""
    files = {str(path.relative_to(ROOT / "python")): path.read_bytes()
             for path in sorted((ROOT / "python" / "scree").rglob("*")) if path.suffix in (".py", ".typed")}
    library, program = (BUILD / "libscree.so").resolve(), BUILD / "scree"
    wants = needed([library, program])
    print("links these libraries of the system:", ", ".join(wants), flush=True)
    files["scree/NEEDED.txt"] = "".join(f"{name}\n" for name in wants).encode()
    files["scree/_installed.py"] = b'"""Where the library lies, from this file."""\nLIBRARY = "libscree.so"\n'
    files["scree/libscree.so"] = library.read_bytes()
    files["scree/bin/scree"] = program.read_bytes()
    return files


def record(files: dict[str, bytes]) -> bytes:
    """RECORD: the name, digest and length of each file."""
    lines = []
    for name, data in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        lines.append(f"{name},sha256={digest},{len(data)}\n")
    return "".join(lines + [f"{STEM}.dist-info/RECORD,,\n"]).encode()


def build_wheel(wheel_directory: str, config_settings: Any = None, metadata_directory: str | None = None) -> str:
    """Builds everything and packs it; returns the name of the wheel."""
    options = (config_settings or {}).get("cmake", [])
    compile_all(shlex.split(options) if isinstance(options, str) else list(options))
    files = package() | information()
    files[f"{STEM}.dist-info/RECORD"] = record(files)
    name = f"{STEM}-{TAG}.whl"
    with zipfile.ZipFile(os.path.join(wheel_directory, name), "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, data in files.items():
            entry = zipfile.ZipInfo(path, EPOCH)
            entry.external_attr = (stat.S_IFREG | (0o755 if path.startswith("scree/bin/") else 0o644)) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            wheel.writestr(entry, data)
    return name


# ---------------------------------------------------------------- sources

def build_sdist(sdist_directory: str, config_settings: Any = None) -> str:
    """All files under version control; a source tree without it has been made by this function."""
    listed = subprocess.run(["git", "-C", ROOT, "ls-files", "-z"], capture_output=True)
    if listed.returncode != 0:
        raise SystemExit("A source distribution is made from a checkout of the repository.")
    name = f"{STEM}.tar.gz"
    with tarfile.open(os.path.join(sdist_directory, name), "w:gz", format=tarfile.PAX_FORMAT) as archive:
        information_file = tarfile.TarInfo(f"{STEM}/PKG-INFO")
        text = metadata().encode()
        information_file.size = len(text)
        archive.addfile(information_file, io.BytesIO(text))
        for path in filter(None, listed.stdout.decode().split("\0")):
            archive.add(ROOT / path, f"{STEM}/{path}", recursive=False)
    return name


if __name__ == "__main__":
    print(build_wheel(sys.argv[1] if len(sys.argv) > 1 else "."))
