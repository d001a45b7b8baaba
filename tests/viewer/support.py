"""What the tests of the viewer share: scenes, a decoder of blocks of its own, a running server."""
import http.client
import importlib.util
import pathlib
import struct
import urllib.parse

import numpy as np

_path = pathlib.Path(__file__).resolve().parents[1] / "cli" / "support.py"
_spec = importlib.util.spec_from_file_location("program_support", _path)
_program = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(_program)
PROGRAM, SCENE, ProgramTest = _program.PROGRAM, _program.SCENE, _program.ProgramTest

FLAT = """\
dimension: 2
gravity: [0, -9.81]
time: {step: 2e-3, end: 0.2}
materials:
  stone: {density: 2600, friction: 0.5, rolling: 0.05, cohesion: 1, cohesion_range: 1e-3}
walls:
  tank: {box: {min: [0, 0], max: [2, 3]}, open: top}
grains:
  - {count: 60, radius: {uniform: [0.06, 0.08]}, material: stone, fill: {min: [0, 0], max: [2, 1]}}
output: {every: 0.05}
solver: {on_failure: continue}
"""

KINDS = {0: "<f4", 1: "u1", 2: "<i2", 3: "<i4", 4: "<u2", 5: "<f2", 6: "<i2"}
F32, U8, I16, I32, GRID16, HALF, UNIT16 = range(7)


class Column:
    """A column of a block: its values, and how far they may be from the truth."""

    def __init__(self, data, kind, width, rows, offset, low, scale):
        raw = np.frombuffer(data, KINDS[kind], width * rows, offset).reshape(rows, width)
        self.kind, self.scale, raw = kind, scale, raw.astype(float)
        if kind == GRID16:
            self.values = np.array(low)[:width] + scale * raw
        elif kind == HALF:
            self.values = scale * raw
        elif kind == UNIT16:
            self.values = raw / 32767
        else:
            self.values = raw

    def bound(self, truth):
        """The rounding that the format allows, from its number of bits."""
        size = np.abs(truth)
        if self.kind == F32:
            return 2.0 ** -24 * size + 1e-300
        if self.kind == HALF:  # 11 bits; below 2^-14 steps of 2^-24
            return np.maximum(2.0 ** -11 * size, 0.5 * self.scale * 2.0 ** -24)
        if self.kind == GRID16:
            return 0.5001 * self.scale + 1e-12 * size
        if self.kind == UNIT16:
            return 0.5001 / 32767
        return 0 * size


def decode(data):
    """The columns of a block by name."""
    magic, count = struct.unpack_from("<4sI", data)
    assert magic == b"SCRB", magic
    columns = {}
    for i in range(count):
        name, kind, width, rows, offset, a, b, c, scale = struct.unpack_from("<16sIIII4d", data, 8 + 64 * i)
        assert offset % 8 == 0
        columns[name.rstrip(b"\0").decode()] = Column(data, kind, width, rows, offset, (a, b, c), scale)
    return columns


class Server:
    """'scree view' on a run, for the length of a with statement."""

    def __init__(self, test, run, *words, **others):
        self.process = test.start("view", run, "--no-browser", *words, **others)
        self.address = self.process.stdout.readline().strip()
        parts = urllib.parse.urlsplit(self.address)
        self.port, self.prefix = parts.port, parts.path

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.terminate()
        self.process.communicate(timeout=30)

    def request(self, path, method="GET", host=None, headers=None, body=None):
        """Status, headers and body of the response to a request sent exactly as written here."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        if host != "":
            connection.putheader("Host", host or f"127.0.0.1:{self.port}")
        for name, value in (headers or {}).items():
            connection.putheader(name, value)
        connection.endheaders(body)
        answer = connection.getresponse()
        result = answer.status, dict(answer.getheaders()), answer.read()
        connection.close()
        return result

    def get(self, name):
        status, _, body = self.request(self.prefix + name)
        assert status == 200, (name, status, body)
        return body
