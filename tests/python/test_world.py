"""Worlds from Python: what is put in comes out, and the physics of small problems is that of closed forms."""
import copy
import math
import pickle
import threading
import unittest
from unittest import mock

import numpy as np

import scree

G = 9.81


def floor_world(**options):
    """A floor in the plane."""
    world = scree.World(dimension=2, gravity=(0, -G), time_step=1e-3, **options)
    world.add_material(density=2600, friction=0.5)
    world.add_plane((0, 0), (0, 1))
    return world


class Building(unittest.TestCase):
    def test_capabilities_are_told(self):
        """The package works with the whole library; a width belongs to each kind of vector instructions."""
        found = scree.capabilities()
        self.assertTrue(found.files and found.threads)
        self.assertFalse(found.gpu or found.mpi)
        self.assertEqual(found.simd_width, {"none": 1, "neon": 4, "sse2": 4, "avx2": 4, "avx512": 8}[found.simd])
        self.assertIn(found.factor, ("cholmod", "own"))


class Making(unittest.TestCase):
    def test_definition_comes_back(self):
        world = scree.World(dimension=2, gravity=(1, -2), time_step=0.25, theta=0.75, periodic={"x": (-3, 4)},
                            seed=2**64 - 1, threads=2, skin=0.1,
                            solver={"order": "random", "criterion": "fixed", "iterations": 7, "warm_start": False})
        self.assertEqual(world.dimension, 2)
        self.assertEqual(world.engine, "contact_dynamics")
        np.testing.assert_array_equal(world.gravity, [1, -2, 0])
        self.assertEqual((world.time_step, world.theta, world.threads), (0.25, 0.75, 2))
        self.assertEqual(world.periodic, {"x": (-3.0, 4.0)})
        self.assertEqual(world.solver, {"method": "auto", "order": "random", "criterion": "fixed", "iterations": 7,
                                        "warm_start": False, "projection": 0.3, "tolerance": 0.1, "overlap": 2.5e-4,
                                        "small_force": 0.0, "cuts": 0})
        world.set_solver(tolerance=1e-6, order="boxed")
        self.assertEqual((world.solver["tolerance"], world.solver["iterations"], world.solver["order"]),
                         (1e-6, 7, "boxed"))
        world.gravity, world.time_step, world.threads = (0, 3), 0.5, 1
        self.assertEqual((list(world.gravity), world.time_step, world.threads), ([0, 3, 0], 0.5, 1))

    def test_contacts_without_memory_are_an_error(self):
        """A list for which the library had no memory is not mistaken for an empty one."""
        world = floor_world()
        world.add_grains((0, 1), 1)
        world.step()
        lacking = scree._library.ContactView(status=scree.errors.STATUS.index("NO_MEMORY"))
        with mock.patch.object(scree._library.library(), "scree_world_get_contacts", return_value=lacking):
            with self.assertRaises(scree.OutOfMemoryError):
                world.contacts
            with self.assertRaises(scree.OutOfMemoryError):
                scree.measures.state(world)

    def test_laws_come_back_and_mix(self):
        world = scree.World(time_step=1)
        a = world.add_material(density=2, friction=0.5, rolling=0.1, stiffness=1e4)
        b = world.add_material(density=3, law=scree.Law(friction=0.3), torsion=0.2)
        self.assertEqual((a, b), (0, 1))
        self.assertEqual(world.law(a, a), scree.Law(friction=0.5, rolling=0.1, stiffness=1e4))
        self.assertEqual(world.law(b, b), scree.Law(friction=0.3, torsion=0.2))
        mixed = world.law(a, b)
        self.assertEqual((mixed.friction, mixed.rolling, mixed.torsion), (0.3, 0, 0))  # the smaller of both
        self.assertEqual(mixed.stiffness, 2e4)  # harmonic mean with infinity
        world.set_law(a, b, friction=0.7, cohesion=5, cohesion_range=0.1)
        after = world.law(b, a)
        self.assertEqual((after.friction, after.cohesion, after.stiffness), (0.7, 5, 2e4))  # the others stay
        world.set_law(a, b, scree.Law(), friction=0.1)
        self.assertEqual(world.law(a, b), scree.Law(friction=0.1))

    def test_what_a_step_refuses_can_be_asked_before(self):
        world = floor_world(solver={"method": "newton"})
        world.add_grains([(0, 1)], radius=1)
        world.check()
        stone = world.add_material(cohesion=5, cohesion_range=0.1)
        world.check()  # nobody has it yet
        world.add_grains([(0, 3), (0, 5)], radius=1, material=stone)
        with self.assertRaises(scree.ArgumentError) as checked:
            world.check()
        with self.assertRaises(scree.ArgumentError) as stepped:
            world.step()
        self.assertIn("newton cannot solve contacts with cohesion (materials 1 and 1", str(checked.exception))
        self.assertEqual(str(stepped.exception), str(checked.exception))

    def test_grains_come_back(self):
        world = scree.World(time_step=1)
        world.add_material(density=3)
        world.add_material(density=5)
        n, random = 5, np.random.default_rng(0)
        place, speed, spin = (random.normal(size=(n, 3)) for _ in range(3))
        radius = random.uniform(1, 2, n)
        numbers = world.add_grains(place, radius, velocity=speed, spin=spin, material=[0, 1, 0, 1, 0],
                                   frozen=scree.Freeze.X | scree.Freeze.ROTATION, force=(1, 2, 3), torque=(4, 5, 6),
                                   orientation=(2, 0, 0, 0))
        self.assertEqual(numbers, range(0, 5))
        for found, expected in ((world.position, place), (world.velocity, speed), (world.spin, spin),
                                (world.radius, radius), (world.material, [0, 1, 0, 1, 0]), (world.frozen, [57] * n),
                                (world.force, [[1, 2, 3]] * n), (world.torque, [[4, 5, 6]] * n),
                                (world.orientation, [[1, 0, 0, 0]] * n)):
            np.testing.assert_array_equal(found, expected)
        volume = 4 / 3 * math.pi * radius**3
        np.testing.assert_allclose(world.mass, volume * np.array([3, 5, 3, 5, 3]), rtol=1e-15)
        np.testing.assert_allclose(world.inertia, 0.4 * world.mass * radius**2, rtol=1e-15)
        self.assertEqual(world.add_grains((9, 9, 9), 1, mass=7, inertia=8), range(5, 6))
        self.assertEqual((world.mass[5], world.inertia[5], len(world)), (7, 8, 6))

    def test_any_kind_of_number_is_taken(self):
        """Whatever numpy can make of it, without loss."""
        expected = None
        for kind in (np.float64, np.float32, np.int64, np.int8, np.uint16, ">f8", object, list):
            world = scree.World(dimension=2, time_step=1)
            world.add_material()
            place = np.array([[0, 0], [5, 0], [10, 3]])
            place = place.tolist() if kind is list else place.astype(kind)
            radius = np.array([1, 2, 1]) if kind is list else np.array([1, 2, 1]).astype(kind)
            world.add_grains(place, radius, velocity=np.asfortranarray(place))
            expected = expected or world.hash()
            self.assertEqual(world.hash(), expected, kind)
        strided = np.zeros((6, 5))
        strided[::2, :2] = [[0, 0], [5, 0], [10, 3]]
        world = scree.World(dimension=2, time_step=1)
        world.add_material()
        world.add_grains(strided[::2, :2], [1, 2, 1], velocity=strided[::2, :2])
        self.assertEqual(world.hash(), expected)

    def test_adding_no_grains_is_fine(self):
        world = floor_world()
        self.assertEqual(world.add_grains(np.empty((0, 2)), []), range(0, 0))
        self.assertEqual((len(world), world.position.shape, world.radius.shape), (0, (0, 3), (0,)))
        self.assertEqual(len(world.contacts), 0)
        self.assertEqual(world.step().contacts, 0)
        self.assertTrue(world)

    def test_walls_come_back(self):
        world = scree.World(dimension=2, time_step=1e-2)
        steel = world.add_material(friction=0.2)
        plane = world.add_plane((0, -1), (0, 2), material=steel)
        segment = world.add_segment((0, 0), (1, 1), velocity=(1, 0))
        block = world.add_block((5, 5), (1, 2), orientation=(math.cos(0.25), 0, 0, math.sin(0.25)))
        wheel = world.add_cylinder((9, 9), 2, inside=True, spin=3)
        lid = world.add_plane((0, 50), (0, -1), mass=4, force=(0, -8))
        self.assertEqual([plane, segment, block, wheel, lid], [0, 1, 2, 3, 4])
        self.assertEqual([wall.shape for wall in world.walls], ["plane", "segment", "block", "cylinder", "plane"])
        self.assertEqual([wall.motion for wall in world.walls], ["fixed", "moved", "fixed", "moved", "piston"])
        self.assertEqual(world.wall(plane).material, steel)
        np.testing.assert_allclose(world.wall(plane).normal, [0, 1, 0])
        np.testing.assert_array_equal(world.wall(wheel).spin, [0, 0, 3])
        for _ in range(10):
            world.step()
        np.testing.assert_allclose(world.wall(segment).displacement, [0.1, 0, 0], rtol=1e-12)
        # the piston falls freely: v = F t / m, implicit Euler is at a dt^2 n (n + 1) / 2
        np.testing.assert_allclose(world.wall(lid).velocity, [0, -0.2, 0], rtol=1e-12)
        np.testing.assert_allclose(world.wall(lid).displacement, [0, -2 * 1e-4 * 55, 0], rtol=1e-12)
        world.set_wall_velocity(segment, (0, 2), spin=1)
        world.set_wall_force(lid, (0, 0))
        np.testing.assert_array_equal(world.wall(segment).velocity, [0, 2, 0])
        world.remove_wall(block)
        self.assertFalse(world.wall(block).present)
        self.assertEqual(world.wall_count, 5)
        self.assertIn("removed", repr(world.wall(block)))


class Physics(unittest.TestCase):
    def test_free_fall_is_that_of_implicit_euler(self):
        """Implicit Euler: v_n = -g n dt, y_n = y_0 - g dt^2 n (n + 1) / 2."""
        world = floor_world()
        world.add_grains([(0, 1), (3, 2)], 0.1)
        reports = world.step(100)
        self.assertEqual(list(reports.step), list(range(1, 101)))
        np.testing.assert_allclose(reports.time, 1e-3 * np.arange(1, 101), rtol=1e-12)
        np.testing.assert_allclose(world.velocity[:, 1], -G * 0.1, rtol=1e-12)
        np.testing.assert_allclose(world.position[:, 1], np.array([1, 2]) - G * 1e-6 * 5050, rtol=1e-12)
        mass = world.mass.sum()
        self.assertAlmostEqual(world.kinetic_energy(), mass * (G * 0.1) ** 2 / 2, delta=1e-9 * mass)

    def test_column_carries_the_weight_above(self):
        """Each contact of a column carries the weight above it."""
        world = floor_world(solver={"tolerance": 1e-10})
        world.add_grains([(0, 0.5 + k) for k in range(4)], 0.5)
        world.step(20)
        contacts = world.contacts
        weight = world.mass[0] * G
        for contact in contacts[contacts.state != scree.ContactState.OPEN]:
            above = 4 if contact.b < 0 else 4 - max(contact.a, contact.b)
            self.assertAlmostEqual(contact.force_normal / (above * weight), 1, delta=1e-8)
            lower = 0.0 if contact.b < 0 else float(max(contact.a, contact.b))
            np.testing.assert_allclose(contact.point, [0, lower, 0], atol=1e-6)
            self.assertLess(contact.opening, 0)
        np.testing.assert_allclose(world.wall(0).load, [0, -4 * weight, 0], rtol=1e-8, atol=1e-6)
        self.assertAlmostEqual(world.coordination(), (3 * 2 + 1) / 4)

    def test_contacts_show_torques_and_bonds(self):
        """Rolling friction on a slope holds a ball by the torque r F; a cohesive contact pulls."""
        world = scree.World(gravity=(0.5, 0, -10), time_step=1e-3, solver={"tolerance": 1e-10})
        world.add_material(friction=0.5, rolling=0.1, cohesion=3, cohesion_range=0.1)
        world.add_plane((0, 0, 0), (0, 0, 1))
        world.add_grains((0, 0, 0.5), 0.5, mass=1)
        world.step(20)
        contact = world.contacts[0]
        self.assertAlmostEqual(abs(contact.torque[1]), 0.5 * 0.5, delta=1e-8)
        self.assertEqual(contact.opening, 0)
        world.gravity = (0, 0, 2)
        world.step(3)
        self.assertAlmostEqual(world.contacts[0].force_normal, -2, delta=1e-8)
        self.assertEqual(world.step().bonds, 1)

    def test_run_until_stops_on_time(self):
        world = floor_world()
        world.add_grains((0, 0.5), 0.5)
        seen = []
        reports = world.run(until=0.05, progress=lambda at, report: seen.append((at is world, report.step)))
        self.assertEqual(len(reports), 50)
        self.assertEqual(seen, [(True, k) for k in range(1, 51)])
        self.assertEqual(len(world.run(until=0.05)), 0)
        self.assertEqual(len(world.run(until=0.01)), 0)
        self.assertAlmostEqual(world.time, 0.05)
        self.assertEqual(world.steps, 50)
        with self.assertRaises(KeyboardInterrupt):
            world.run(until=1, progress=self.interrupt)
        self.assertEqual(world.steps, 51)

    @staticmethod
    def interrupt(world, report):
        raise KeyboardInterrupt

    def test_report_tells_the_step(self):
        world = floor_world()
        world.add_grains((0, 0.5), 0.5)
        report = world.step()
        self.assertIsInstance(report, scree.Report)
        self.assertEqual((report.step, report.converged, report.active), (1, 1, 1))
        self.assertEqual(report.as_dict()["step"], 1)
        self.assertIn("converged", repr(report))
        self.assertEqual(len(world.step(0)), 0)
        table = world.step(2)
        self.assertEqual(table.dtype.names, scree.REPORT.names)
        self.assertEqual(list(table["step"]), [2, 3])

    def test_reports_show_themselves_in_a_line(self):
        world = floor_world()
        world.add_grains((0, 0.5), 0.5)
        reports = world.step(3)
        self.assertRegex(repr(reports), r"^<scree.Reports: steps 1 to 3, time .*, all converged, residual at most .*>$")
        self.assertEqual(str(reports), repr(reports))
        self.assertIn("Reports: step 2, ", repr(reports[1:2]))
        reports.converged[1] = 0
        self.assertIn("1 not converged", repr(reports))
        self.assertIn("1 grain, 1 wall,", repr(world))
        for part in (reports[:0], reports[["time", "residual"]]):
            self.assertIn("residual", repr(part))
        copy = pickle.loads(pickle.dumps(reports))
        self.assertEqual((repr(copy), type(copy)), (repr(reports), scree.Reports))

    def test_a_time_is_no_file(self):
        world = floor_world()
        with self.assertRaisesRegex(scree.ArgumentError, "until: a time is needed, not 'a.h5'; .*record"):
            world.run("a.h5")

    def test_state_can_be_set(self):
        world = scree.World(dimension=2, time_step=1)
        world.add_material()
        world.add_grains([(0, 0), (10, 0), (20, 0)], 1)
        world.set_velocity(1, (1, 2))
        world.set_velocity([0, 2], spin=4)
        np.testing.assert_array_equal(world.velocity, [[0, 0, 0], [1, 2, 0], [0, 0, 0]])
        np.testing.assert_array_equal(world.spin[:, 2], [4, 0, 4])
        world.set_velocity(world.spin[:, 2] > 0, [[5, 5], [6, 6]], [[1], [2]])
        np.testing.assert_array_equal(world.velocity, [[5, 5, 0], [1, 2, 0], [6, 6, 0]])
        np.testing.assert_array_equal(world.spin[:, 2], [1, 0, 2])
        world.set_force(slice(0, 2), (7, 0))
        world.set_force(range(1, 3), torque=(0, 0, 3))
        np.testing.assert_array_equal(world.force[:, 0], [7, 7, 0])
        np.testing.assert_array_equal(world.torque[:, 2], [0, 3, 3])
        world.set_position(np.int64(2), (30, 1))
        np.testing.assert_array_equal(world.position[2], [30, 1, 0])
        world.set_frozen(..., scree.Freeze.ALL)
        np.testing.assert_array_equal(world.frozen, [63] * 3)
        world.set_velocity([], np.empty((0, 2)))
        world.velocity = (1, 0)
        world.position = world.position + (0, 1, 0)
        world.spin, world.force, world.torque, world.frozen = 0, (0, 0), 0, 0
        np.testing.assert_array_equal(world.position, [[0, 1, 0], [10, 1, 0], [30, 2, 0]])
        np.testing.assert_array_equal(world.velocity, [[1, 0, 0]] * 3)
        self.assertFalse(world.force.any() or world.torque.any() or world.spin.any())
        world.step()
        np.testing.assert_array_equal(world.position[:, 0], [1, 11, 31])

    def test_overlaps_are_found(self):
        world = floor_world()
        world.add_grains([(0, 0.4), (0, 1.2), (9, 9)], 0.5)
        found = world.find_overlaps()
        self.assertEqual((found.count, found.a, found.b), (2, 0, 1))
        self.assertAlmostEqual(found.depth, 0.2)
        self.assertEqual(world.cost().contacts, 0)
        world.step()
        self.assertGreater(world.cost().bytes_bodies, 0)

    def test_neighbours_tell_their_cost(self):
        for method in ("hierarchical_grid", "linked_cell", "verlet_list", "linked_linear_list"):
            world = scree.World(time_step=0.1, search=method, skin=0.4)
            world.add_material(density=1)
            world.add_grains([(0, 0, 0), (1.1, 0, 0), (5, 0, 0)], 0.5)
            self.assertEqual(world.neighbours().updates, 0)
            world.step()
            found = world.neighbours()
            self.assertEqual((found.method, found.pairs, found.updates, found.kept), (method, 1, 1, 1))
            self.assertAlmostEqual(found.skin, 0.4)
            self.assertEqual(found.levels, 0 if "list" in method else 1)
            self.assertGreater(found.cell + (found.levels == 0), 0.9)


class Saving(unittest.TestCase):
    def heap(self):
        world = floor_world(solver={"tolerance": 1e-4})
        random = np.random.default_rng(3)
        place = np.array([(0.4 * k % 3.1, 0.3 + 0.11 * k) for k in range(40)])
        world.add_grains(place, random.uniform(0.05, 0.08, 40), velocity=random.normal(size=(40, 2)))
        world.add_plane((-0.5, 0), (1, 0))
        world.add_plane((4, 0), (-1, 0))
        world.step(200)
        return world

    def test_loaded_worlds_go_on_bit_for_bit(self):
        world = self.heap()
        again = scree.World.load(world.save())
        self.assertEqual(world.hash(), again.hash())
        world.step(100)
        self.assertNotEqual(world.hash(), again.hash())
        again.step(100)
        self.assertEqual(world.hash(), again.hash())
        np.testing.assert_array_equal(world.position, again.position)
        for other in (world.copy(), copy.copy(world), copy.deepcopy(world), pickle.loads(pickle.dumps(world)),
                      scree.World.load(bytearray(world.save())), scree.World.load(memoryview(world.save()))):
            self.assertEqual(other.hash(), world.hash())
            self.assertIsInstance(other, scree.World)

    def test_damaged_snapshots_are_refused(self):
        data = self.heap().save()
        random = np.random.default_rng(1)
        for size in (0, 1, 7, len(data) // 2, len(data) - 1):
            with self.assertRaises(scree.SnapshotError):
                scree.World.load(data[:size])
        for _ in range(200):
            broken = bytearray(data)
            for place in random.integers(0, len(data), 3):
                broken[place] ^= 1 << int(random.integers(0, 8))
            try:
                scree.World.load(bytes(broken)).step(2)
            except scree.Error:
                pass

    def test_threads_do_not_matter(self):
        worlds = [self.heap(), self.heap()]
        worlds[1].threads = 2
        for world in worlds:
            world.step(50)
        self.assertEqual(worlds[0].hash(), worlds[1].hash())

    def test_threads_take_turns_on_one_world(self):
        """One world used by several threads at once: calls take turns, and it comes to no harm."""
        world, failures = self.heap(), []

        def work(number):
            try:
                for k in range(60):
                    world.step()
                    world.add_grains((0.2 * number, 10 + k), 0.05)
                    self.assertGreater(world.position[:, 1].max(), 0)
                    world.set_velocity(0, (0, 0))
                    len(world.contacts), world.save()
            except Exception as problem:
                failures.append(problem)

        threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(failures, [])
        self.assertEqual((world.steps, len(world)), (200 + 240, 40 + 240))


class Taking(unittest.TestCase):
    def world(self, side=6.0, **more):
        world = scree.World(dimension=2, time_step=1e-2, periodic={"x": (0, side)}, gravity=(0, -10), **more)
        world.add_material(density=1, friction=0.5)
        return world

    def test_a_packing_goes_on_in_another_world(self):
        """Six disks in a periodic row on a floor: each presses with its weight, in three copies as in one."""
        old = self.world()
        old.add_grains(position=[(k + 0.5, 0.5) for k in range(6)], radius=0.5, mass=2)
        old.add_plane(point=(0, 0), normal=(0, 1))
        old.step(3)
        new = self.world(18.0)
        new.add_plane(point=(0, 0), normal=(0, 1))
        new.take(old, copies=(3, 1, 1))
        self.assertEqual(len(new), 18)
        np.testing.assert_array_equal(new.position[1::3], old.position + [6, 0, 0])
        before = [(c.a, c.b) for c in old.contacts]
        taken = [(c.a, c.b) for c in new.contacts]
        self.assertEqual(sorted((a // 3, b // 3 if b >= 0 else b) for a, b in taken), sorted(3 * before))
        new.step()
        self.assertAlmostEqual(new.walls[0].load[1], -18 * 20, places=6)

    def test_what_cannot_be_taken(self):
        old, full = self.world(), self.world()
        for world in (old, full):
            world.add_grains(position=(1, 1), radius=0.5)
        with self.assertRaisesRegex(scree.ArgumentError, "neither bodies nor shapes"):
            full.take(old)
        with self.assertRaisesRegex(scree.ArgumentError, "periodic along an axis"):
            self.world().take(old, copies=(1, 2, 1))
        with self.assertRaisesRegex(scree.ArgumentError, "different dimensions"):
            scree.World(dimension=3, time_step=1e-2).take(old)
        with self.assertRaisesRegex(scree.ArgumentError, "material that is not in this world"):
            scree.World(dimension=2, time_step=1e-2).take(old)
        with self.assertRaisesRegex(scree.ArgumentError, "largest grain"):
            self.world(0.9).take(old)


if __name__ == "__main__":
    unittest.main()
