"""--device, and `device` in a scene: sweeps on a GPU, here on its kernels with the processor in the GPU's place."""
import os
import pathlib
import shutil
import unittest

import numpy

from support import ALL_LAWS, EXAMPLES, PROGRAM, ProgramTest, datasets

# Those that are cheap, and until when.
EXAMPLES_TO_COMPARE = {"all_laws": 0.2, "cohesion": 0.2, "heap_rolling": 0.1, "restitution": 0.3, "rolling_hertz": 0.2,
                       "torsion": 0.2, "theta": 0.2, "column": 0.1}


class Device(ProgramTest):
    def same(self, one, other):
        expected, got = datasets(self.path / one), datasets(self.path / other)
        self.assertEqual(set(got), set(expected))
        for key, value in expected.items():
            numpy.testing.assert_array_equal(got[key], value, err_msg=key)

    def test_a_run_is_the_same(self):
        self.call("run", "heap.yaml", "-q", "-D", "time.end=0.1", "-o", "own.h5")
        self.call("run", "heap.yaml", "-q", "-D", "time.end=0.1", "-o", "there.h5", "--device", "emulated")
        self.same("own.h5", "there.h5")

    def test_the_scene_asks_for_it(self):
        """With the same result but for what the scene says; --device has the last word."""
        self.call("run", "heap.yaml", "-q", "-D", "time.end=0.1", "-o", "own.h5")
        self.call("run", "heap.yaml", "-q", "-D", "time.end=0.1", "-D", "device=emulated", "-o", "there.h5")
        expected, got = datasets(self.path / "own.h5"), datasets(self.path / "there.h5")
        changed = {key for key, value in expected.items() if not numpy.array_equal(got[key], value)}
        self.assertLessEqual(changed, {key for key in expected if key.startswith("scene")})
        self.assertIn("device: emulated", self.call("check", "heap.yaml", "-D", "device=emulated").stdout)
        result = self.call("check", "heap.yaml", "-D", "device=gpus", status=65)
        self.assertIn("did you mean 'gpu'", result.stderr)
        self.write("laws.yaml", "device: gpu\n" + ALL_LAWS)
        self.call("check", "laws.yaml", "-D", "solver.criterion=local", status=65)
        self.call("check", "laws.yaml", "-D", "solver.criterion=local", "--device", "cpu")

    def test_what_it_cannot_sweep_is_refused(self):
        local = ("-D", "solver.criterion=local")
        for command in ("check", "run"):
            result = self.call(command, "heap.yaml", *local, "--device", "emulated", status=65)
            self.one_error(result, "heap.yaml", "cannot sweep", "--device cpu")
        self.assertFalse((self.path / "heap.h5").exists())
        self.call("check", "heap.yaml", *local, "--device", "cpu")
        self.assertIn("the processor, since", self.call("check", "heap.yaml", *local, "--device", "auto").stdout)
        result = self.call("run", "heap.yaml", *local, "--device", "auto", "-D", "time.end=1e-2")
        self.assertIn("the processor sweeps, since a GPU cannot sweep", result.stderr)

    def test_examples_are_the_same(self):
        """With laws of every kind."""
        for name, end in EXAMPLES_TO_COMPARE.items():
            shutil.copy(EXAMPLES / f"{name}.yaml", self.path)
            run = ("run", f"{name}.yaml", "-q", "-D", f"time.end={end}")
            self.call(*run, "-o", f"{name}-own.h5")
            self.call(*run, "-o", f"{name}-there.h5", "--device", "emulated")
            self.same(f"{name}-own.h5", f"{name}-there.h5")

    @unittest.skipIf((pathlib.Path(PROGRAM).parent / "libscree_cuda.so").exists(), "it is built here")
    def test_without_the_library_there_is_a_message(self):
        result = self.call("run", "heap.yaml", "--device", "gpu", status=1)
        self.one_error(result, "libscree_cuda.so", "make cuda", "--device cpu")
        self.assertFalse((self.path / "heap.h5").exists())
        result = self.call("run", "heap.yaml", "-D", "time.end=0.1", "-D", "device=auto", "-o", "auto.h5")
        self.assertIn("the processor sweeps, since libscree_cuda.so", result.stderr)
        self.call("run", "heap.yaml", "-q", "-D", "time.end=0.1", "-D", "device=auto", "-o", "other.h5", "--device", "cpu")
        self.same("auto.h5", "other.h5")

    def test_a_card_that_is_taken_away(self):
        """With `gpu` the run ends there, and can be resumed without it; with `auto` the processor goes on."""
        shutil.copy(PROGRAM, self.path / "scree")
        shutil.copy(os.environ["SCREE_FAILING"], self.path / "libscree_cuda.so")
        words = ("-q", "-D", "time.end=0.1", "-D", "output.every=0.01", "-D", "output.checkpoint_seconds=1e-9")
        self.call("run", "heap.yaml", *words, "-o", "own.h5")
        run = ("run", "heap.yaml", *words)
        result = self.call(*run, "-o", "gpu.h5", "--device", "gpu", status=1, program=self.path / "scree")
        self.assertIn("it was pulled out", result.stderr)
        self.call(*run, "-o", "gpu.h5", "--restart")
        self.same("own.h5", "gpu.h5")
        result = self.call(*run, "-o", "auto.h5", "--device", "auto", program=self.path / "scree")
        self.assertIn("it was pulled out; from now on the processor sweeps", result.stderr)
        expected, got = datasets(self.path / "own.h5"), datasets(self.path / "auto.h5")
        self.assertEqual({key: value.shape for key, value in got.items() if key.startswith("steps")},
                         {key: value.shape for key, value in expected.items() if key.startswith("steps")})


if __name__ == "__main__":
    unittest.main()
