"""--device: sweeps on a GPU, here on its kernels with the processor in the GPU's place."""
import pathlib
import unittest

import numpy

from support import ALL_LAWS, PROGRAM, ProgramTest, datasets


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

    def test_what_it_cannot_sweep_is_refused(self):
        self.write("laws.yaml", ALL_LAWS)
        for command in ("check", "run"):
            result = self.call(command, "laws.yaml", "--device", "emulated", status=65)
            self.one_error(result, "laws.yaml", "cannot sweep", "run without --device")
        self.assertFalse((self.path / "laws.h5").exists())
        self.call("check", "laws.yaml", "--device", "cpu")

    @unittest.skipIf((pathlib.Path(PROGRAM).parent / "libscree_cuda.so").exists(), "it is built here")
    def test_without_the_library_there_is_a_message(self):
        result = self.call("run", "heap.yaml", "--device", "gpu", status=1)
        self.one_error(result, "libscree_cuda.so", "make cuda", "run without --device")
        self.assertFalse((self.path / "heap.h5").exists())


if __name__ == "__main__":
    unittest.main()
