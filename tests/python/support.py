"""What the tests of the package share."""
import os
import pathlib
import subprocess

import scree

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
PROGRAM = os.environ["SCREE"]
CUBE = [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]  # of side 2


def call(*words, status=0, folder=None, **environment):
    """Runs the program, expects an exit status, and returns what it printed on standard error."""
    result = subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True, timeout=300, cwd=folder,
                            env={**os.environ, **environment})
    if result.returncode != status:
        raise AssertionError(f"scree {' '.join(map(str, words))}: exit status {result.returncode}\n{result.stderr}")
    return result.stderr


def run_scene(path, folder, **define):
    """Makes a run file of a scene; values as load_scene takes them."""
    target = pathlib.Path(folder) / (pathlib.Path(path).stem + ".h5")
    words = [word for name, value in define.items() for word in ("-D", f"{name.replace('__', '.')}={value}")]
    call("run", path, "-o", target, "--force", "--quiet", *words)
    return target


HEAP = """\
dimension: 2
gravity: [0, -10]
time: {step: 2e-3, end: 0.6}
materials:
  stone: {density: 2600, friction: 0.5}
  glass: {density: 2500, friction: 0.1}
walls:
  tank: {box: {min: [0, 0], max: [1, 2]}, open: top, material: glass}
  lid: {plane: {point: [0, 1.4], normal: [0, -1]}, piston: {mass: 50, force: [0, -500]}}
grains:
  - {count: 60, radius: {uniform: [0.04, 0.06]}, material: stone, fill: {min: [0, 0], max: [1, 1.3]}}
output: {every: 0.1}
solver: {on_failure: continue}
"""


def write_heap(folder, text=HEAP):
    path = pathlib.Path(folder) / "heap.yaml"
    path.write_text(text)
    return path


def balls():
    """Balls in layers on a plane, beside a wall, a block and a cylinder."""
    world = scree.World(gravity=(0, 0, -10), time_step=1e-3)
    world.add_material(friction=0.4)
    world.add_material(friction=0.4)
    world.add_plane((0, 0, 0), (0, 0, 1))
    world.add_plane((0, 0, 0), (1, 0, 0))
    world.add_block((3, 3, 0.5), (0.5, 0.5, 0.5))
    world.add_cylinder((5, 1, 0), 0.3)
    place = [(1 + (k % 3), 1 + k // 3 % 3, 0.5 + k // 9) for k in range(18)]
    world.add_grains(place, 0.5, material=[k % 2 for k in range(18)], velocity=[(0, 0, -0.1 * k) for k in range(18)])
    world.step(5)
    return world
