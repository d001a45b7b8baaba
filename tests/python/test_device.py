"""world.device: the kernels of a GPU, with the processor in its place, have the bits of the processor."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import scree

SCENE = {
    "dimension": 3, "gravity": [0, 0, -9.81], "time": {"step": 2e-3, "end": 0.2},
    "materials": {"stone": {"density": 2600, "friction": 0.5}},
    "walls": {"tank": {"box": {"min": [0, 0, 0], "max": [1, 1, 1]}, "open": "top"}},
    "grains": [{"count": 120, "radius": {"uniform": [0.05, 0.07]}, "fill": {"min": [0, 0, 0], "max": [1, 1, 1]}}]}


def hash_of(**more):
    with scree.load_scene({**SCENE, **more}) as scene:
        scene.run()
        return scene.world.hash()


FAILS = """
import sys, warnings
sys.path.insert(0, {folder!r})
import scree
from test_device import SCENE
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    scene = scree.load_scene({{**SCENE, "device": "auto"}})
    assert scene.world.device_name == "a card that fails"
    assert scene.run().converged.all()
assert "pulled out" in str(told[0].message) and told[0].category is scree.DeviceWarning, told
assert scene.world.device_name is None
print(scene.world.steps)
scene = scree.load_scene({{**SCENE, "device": "gpu"}})
try:
    scene.run()
except scree.DeviceError as problem:
    assert "pulled out" in str(problem)
    assert 0 < scene.world.steps < 100
    scene.world.device = "cpu"
    assert scene.run().converged.all()
print(scene.world.steps)
"""


class Device(unittest.TestCase):
    def test_a_scene_asks_for_it(self):
        self.assertEqual(hash_of(device="emulated"), hash_of())
        with scree.load_scene(SCENE, {"device": "emulated"}) as scene:
            self.assertEqual(scene.world.device, "emulated")
            self.assertTrue(scene.world.device_name)

    def test_a_world_asks_for_it(self):
        """Also while an array looks at its bodies, so that adding some makes the world go on in another place."""
        hashes = []
        for choice in ("cpu", "emulated"):
            world = scree.load_scene(SCENE).world
            world.device = choice
            seen = world.position
            world.add_grains((0.5, 0.5, 1.5), 0.05)
            world.run(0.2)
            self.assertEqual(world.device, choice)
            self.assertEqual(len(seen), 120)
            hashes.append(world.hash())
            world.device = "cpu"
            self.assertIsNone(world.device_name)
        self.assertEqual(hashes[0], hashes[1])

    def test_what_cannot_be_is_said(self):
        world = scree.load_scene(SCENE).world
        with self.assertRaisesRegex(scree.ArgumentError, "cpu, gpu, auto or emulated"):
            world.device = "gpus"
        laws = {**SCENE, "solver": {"criterion": "local"}}
        with self.assertRaisesRegex(scree.ArgumentError, "cannot sweep the criteria local"):
            scree.load_scene({**laws, "device": "emulated"})
        self.assertIsNone(scree.load_scene({**laws, "device": "auto"}).world.device_name)

    @unittest.skipIf((pathlib.Path(os.environ["SCREE_LIBRARY"]).parent / "libscree_cuda.so").exists(), "it is built here")
    def test_without_a_gpu(self):
        world = scree.load_scene(SCENE).world
        with self.assertRaisesRegex(scree.DeviceError, "libscree_cuda.so"):
            world.device = "gpu"
        self.assertEqual(world.device, "cpu")
        world.device = "auto"
        self.assertIsNone(world.device_name)

    def test_a_card_that_is_taken_away(self):
        with tempfile.TemporaryDirectory() as folder:
            library = shutil.copy(os.environ["SCREE_LIBRARY"], folder)
            shutil.copy(os.environ["SCREE_FAILING"], pathlib.Path(folder) / "libscree_cuda.so")
            told = subprocess.run([sys.executable, "-c", FAILS.format(folder=str(pathlib.Path(__file__).parent))],
                                  env={**os.environ, "SCREE_LIBRARY": library}, capture_output=True, text=True,
                                  check=False)
        self.assertEqual(told.stderr, "")
        self.assertEqual(told.stdout.split(), ["100", "100"])


if __name__ == "__main__":
    unittest.main()
