"""Nothing is left behind: memory of the process after many steps, worlds, scenes, views and pictures."""
import gc
import os
import pathlib
import tempfile
import unittest

import numpy as np

import scree
from support import run_scene, write_heap

PAGE = os.sysconf("SC_PAGE_SIZE")


def memory():
    """Bytes of memory in use by this process."""
    gc.collect()
    return int(pathlib.Path("/proc/self/statm").read_text().split()[1]) * PAGE


def heap(count=60):
    world = scree.World(dimension=2, gravity=(0, -10), time_step=1e-3, solver={"iterations": 20})
    world.add_material(friction=0.4)
    world.add_plane((0, 0), (0, 1))
    world.add_grains([(0.21 * (k % 8), 0.1 + 0.21 * (k // 8)) for k in range(count)], 0.1)
    return world


class Leaks(unittest.TestCase):
    def grows_by_less(self, most, action, times, warm):
        """Repeats the action, after doing it a few times to fill what is kept on purpose."""
        for _ in range(warm):
            action()
        before = memory()
        for _ in range(times):
            action()
        grown = memory() - before
        self.assertLess(grown, most, f"{grown / times:.0f} bytes each time")

    def test_ten_thousand_steps_leave_nothing(self):
        """A report of 264 bytes kept by mistake would be 2.6 MB, and a view of the contacts far more."""
        world = heap()

        def step():
            report = world.step()
            position, contacts, law = world.position, world.contacts, world.law(0, 0)
            assert position[0, 1] < 9 and len(contacts) >= 0 and law.friction == 0.4 and report.step > 0

        self.grows_by_less(1_000_000, step, 10_000, 500)

    def test_steps_in_bulk_leave_nothing(self):
        world = heap()
        self.grows_by_less(1_000_000, lambda: world.step(500), 20, 2)

    def test_worlds_leave_nothing(self):
        self.grows_by_less(2_000_000, lambda: heap(300).step(3), 300, 30)

    def test_views_and_new_grains_leave_nothing(self):
        """Each addition with a view alive makes a new world; the old one goes with the view."""
        def grow():
            world = heap(300)
            for k in range(5):
                view = world.position
                world.add_grains((k, 50), 0.1)
                assert len(view) == 300 + k

        self.grows_by_less(2_000_000, grow, 100, 10)

    def test_failures_leave_nothing(self):
        world = heap()

        def fail():
            view = world.velocity
            for wrong in (lambda: world.add_grains((0, 9), -1), lambda: world.add_material(friction=-1),
                          lambda: scree.World.load(b"x" * 1000), lambda: scree.World(time_step=-1),
                          lambda: world.set_velocity(0, (np.nan, 0)), lambda: scree.load_scene("nowhere.yaml")):
                with self.assertRaises(scree.Error):
                    wrong()
            assert len(view) == 60

        self.grows_by_less(1_000_000, fail, 500, 50)

    def test_saving_leaves_nothing(self):
        world = heap(300)
        world.step(50)
        self.grows_by_less(2_000_000, lambda: world.copy().hash(), 300, 30)

    def test_problems_leave_nothing(self):
        """W alone has 96 kB."""
        def solve():
            problem = scree.Problem(mu=[0.5] * 1000, W=(range(3000), range(3000), [1.0] * 3000), q=[-1.0, 0, 0] * 1000)
            assert problem.solve("gauss_seidel").solved and len(problem.matrix("W").value) == 3000

        self.grows_by_less(2_000_000, solve, 100, 10)

    def test_scenes_and_runs_leave_nothing(self):
        with tempfile.TemporaryDirectory() as folder:
            path = write_heap(folder)
            file = run_scene(path, folder, time__end=0.1)

            def use():
                scree.load_scene(path, time__end=0.02).run()
                with scree.open_run(file) as run:
                    assert len(run.frames[-1].contacts) and len(run.certificate)

            self.grows_by_less(2_000_000, use, 50, 20)


if __name__ == "__main__":
    unittest.main()
