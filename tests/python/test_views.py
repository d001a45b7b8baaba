"""Arrays of a world are views of the library's memory: not copied, not writable, valid as long as they live."""
import gc
import itertools
import unittest
import weakref

import numpy as np

import scree
from scree import _arrays, _library

NAMES = tuple(_arrays.BODY_ARRAYS)


def heap(count=50, engine="contact_dynamics"):
    world = scree.World(dimension=2, gravity=(0, -10), time_step=1e-3 if engine != "soft" else 2e-4, engine=engine)
    world.add_material(friction=0.4, density=100, stiffness=1e5 if engine == "soft" else np.inf)
    world.add_plane((0, 0), (0, 1))
    world.add_grains([(0.3 * (k % 7), 0.2 + 0.3 * (k // 7)) for k in range(count)], 0.1,
                     velocity=[(0.1 * (k % 3), 0) for k in range(count)])
    return world


def address(array):
    return array.__array_interface__["data"][0]


class Views(unittest.TestCase):
    def test_views_are_not_copies(self):
        world = heap()
        for name in NAMES:
            found = getattr(world, name)
            inside = getattr(_library.library().scree_world_get_bodies(world._handle.pointer), name)
            self.assertEqual(address(found), inside, name)
            self.assertEqual(address(found), address(getattr(world, name)), name)
            self.assertFalse(found.flags.owndata, name)

    def test_views_follow_the_world(self):
        world = heap()
        position, velocity = world.position, world.velocity
        row, column = position[3], position[:, 1]
        before = position.copy()
        world.step(20)
        self.assertTrue(np.any(position != before))
        np.testing.assert_array_equal(position, world.position)
        np.testing.assert_array_equal(row, world.position[3])
        np.testing.assert_array_equal(column, world.position[:, 1])
        world.set_velocity(0, (3, 0))
        self.assertEqual(velocity[0, 0], 3)

    def test_views_cannot_be_written(self):
        world = heap()
        for name in NAMES:
            array = getattr(world, name)
            with self.assertRaises(ValueError):
                array[0] = 0
            with self.assertRaises(ValueError):
                array.flags.writeable = True
            with self.assertRaises(ValueError):
                array[:1].flags.writeable = True
            with self.assertRaises(ValueError):
                array += 1
        with self.assertRaises(ValueError):
            world.velocity *= 2
        with self.assertRaises(AttributeError):
            world.radius = 1

    def test_adding_grains_keeps_old_views(self):
        """The old array shows the state just before, in memory that is still its own; the world goes on as if nobody
        had looked."""
        for engine in ("contact_dynamics", "soft"):
            with self.subTest(engine):
                self.grains_are_added(heap(engine=engine), heap(engine=engine))

    def grains_are_added(self, watched, alone):
        views = {name: getattr(watched, name) for name in NAMES}
        slices = [views["position"][::3], views["velocity"].T, views["radius"].reshape(5, 10)]
        for world in (watched, alone):
            world.step(300)
        before = {name: view.copy() for name, view in views.items()}
        sliced = [part.copy() for part in slices]
        numbers = [world.add_grains([(0, 20), (1, 20)], 0.1) for world in (watched, alone)]
        self.assertEqual(numbers, [range(50, 52)] * 2)
        for world in (watched, alone):
            world.step(200)
        self.assertEqual(watched.hash(), alone.hash())
        for name, view in views.items():
            np.testing.assert_array_equal(view, before[name])
            self.assertEqual(len(getattr(watched, name)), 52)
        for part, kept in zip(slices, sliced):
            np.testing.assert_array_equal(part, kept)

    def test_removing_grains_keeps_old_views(self):
        for engine in ("contact_dynamics", "soft"):
            watched, alone = heap(engine=engine), heap(engine=engine)
            for world in (watched, alone):
                world.step(300)
            view = watched.position
            before = view.copy()
            gone = np.arange(50) % 7 == 3
            for world in (watched, alone):
                world.remove_grains(gone)
                world.add_grains((0, 20), 0.1)
                np.testing.assert_array_equal(world.identity, np.append(np.flatnonzero(~gone), 50))
                np.testing.assert_array_equal(world.position[:-1], before[~gone])
                world.step(100)
            self.assertEqual(watched.hash(), alone.hash())
            np.testing.assert_array_equal(view, before)

    def test_failed_removal_changes_nothing(self):
        world = heap()
        before = world.hash()
        for wrong in (50, [3, 3], [0, -1]):
            with self.assertRaises(scree.Error):
                world.remove_grains(wrong)
        self.assertEqual(world.hash(), before)
        world.remove_grains([])
        self.assertEqual(world.hash(), before)
        np.testing.assert_array_equal(world.identity, np.arange(50))

    def test_views_survive_many_additions(self):
        world, kept = heap(4), []
        for k in range(60):
            kept.append((world.position, world.position.copy()))
            world.add_grains((k, 30), 0.1)
            world.step()
        gc.collect()
        for view, expected in kept[::2]:
            np.testing.assert_array_equal(view, expected)

    def test_failed_adding_changes_nothing(self):
        world = heap()
        view, before = world.position, world.hash()
        for arguments in ({"radius": -1}, {"radius": 1, "material": 7}, {"radius": 1, "velocity": (np.nan, 0)}):
            with self.assertRaises(scree.ArgumentError):
                world.add_grains((0, 9), **arguments)
        self.assertEqual(world.hash(), before)
        self.assertEqual(address(view), address(world.position))

    def test_without_views_nothing_is_copied(self):
        world = heap()
        handle = weakref.ref(world._handle)
        world.position, world.velocity  # looked at, and let go
        gc.collect()
        world.add_grains((0, 20), 0.1)
        self.assertIs(handle(), world._handle)

    def test_views_outlive_the_world(self):
        for end in ("close", "del", "with"):
            world = heap()
            view, part = world.position, world.radius[10:20]
            expected, expected_part = view.copy(), part.copy()
            handle = weakref.ref(world._handle)
            if end == "close":
                world.close()
                world.close()
            elif end == "with":
                with world:
                    pass
            del world
            gc.collect()
            junk = [np.full(200, 7.0) for _ in range(100)]  # would be given freed memory
            np.testing.assert_array_equal(view, expected)
            np.testing.assert_array_equal(part, expected_part)
            self.assertIsNotNone(handle())
            del view, junk
            gc.collect()
            self.assertIsNotNone(handle(), "a slice is left")
            del part
            gc.collect()
            self.assertIsNone(handle(), "memory is freed with the last array")

    def test_views_may_be_dropped_in_any_order(self):
        for order in itertools.permutations(range(4)):
            world = heap(5)
            things = [world, world.position, world.mass[1:], None]
            world.add_grains((0, 9), 0.1)
            things[3] = world.velocity
            handles = [weakref.ref(world._handle)]
            del world
            for number in order:
                things[number] = None
                gc.collect()
            self.assertIsNone(handles[0]())

    def test_contacts_are_copies(self):
        world = heap()
        world.step(300)
        contacts = world.contacts
        kept = contacts.copy()
        self.assertGreater(len(contacts), 5)
        contacts.gap[0] = 5  # the copy is one's own
        world.step(50)
        world.close()
        gc.collect()
        np.testing.assert_array_equal(contacts[1:], kept[1:])

    def test_reference_cycles_are_freed(self):
        world = heap()
        handle = weakref.ref(world._handle)
        world.myself = world
        world.view = world.position
        del world
        gc.collect()
        self.assertIsNone(handle())


if __name__ == "__main__":
    unittest.main()
