"""A wrong argument raises, says what is wrong, and changes nothing; it never crashes."""
import datetime
import decimal
import fractions
import random
import unittest

import numpy as np

import scree


class Hostile:
    """Fails at whatever is asked of it."""

    def __repr__(self):
        raise RuntimeError("no name")

    def __array__(self, *_):
        raise RuntimeError("no array")

    def __float__(self):
        raise RuntimeError("no number")

    def __index__(self):
        raise RuntimeError("no whole number")

    def __len__(self):
        return 10**9


NAN, INF = float("nan"), float("inf")
BAD = [None, "x", "", b"abc", NAN, INF, -INF, -1, 0, 1, 1e308, 10**400, 2**31, 2**40, -2**63, 2**64, True, False, (), [],
       {}, {1: 2}, {"x": 1}, object(), 1j, [1, 2], [1, 2, 3], [1, 2, 3, 4], [[1, 2], [3]], [NAN, 0, 0], [[INF, 0, 0]],
       ["a", "b", "c"], [None, None, None], np.zeros((3, 3)), np.zeros((2, 2, 2)), np.zeros((0, 3)), np.zeros((4, 0)),
       np.array(1j), np.array(["1", "2", "3"]), np.array([1, 2, 3], object), np.array([True, False, True]),
       np.array("2020-01-01", "M8"), np.zeros(3, "V8"), np.float16(1), np.ma.masked_array([1, 2, 3], [0, 1, 0]), lambda: 1,
       int, Ellipsis, slice(None), slice(5, 1, -1), range(3), range(10**12), set(), iter([1]), datetime.date(2020, 1, 1),
       fractions.Fraction(1, 3), decimal.Decimal("NaN"), memoryview(b"123"), Exception("x"), Hostile(),
       scree.Law(friction=NAN), scree.Freeze.ALL, np.uint64(2**63), np.longdouble(1) / 3, 5e-324, -0.0]


def world_of(dimension=2):
    world = scree.World(dimension=dimension, gravity=(0, -10, 0), time_step=1e-3, solver={"iterations": 50})
    world.add_material(density=2600, friction=0.5)
    world.add_plane((0, 0, 0), (0, 1, 0))
    world.add_plane((0, 50, 0), (0, -1, 0), mass=1, force=(0, -1, 0))
    world.add_grains([(0, 0.5, 0), (2, 0.5, 0), (4, 2, 0)], 0.5)
    world.step(3)
    return world


# What each function takes; the fuzzer replaces some of it with bad values.
CALLS = [
    ("add_material", (), {"density": 1.0, "friction": 0.1, "stiffness": 1e5, "law": None}),
    ("law", (0, 0), {}),
    ("set_law", (0, 0), {"law": None, "friction": 0.5, "rolling": 0.1}),
    ("add_grains", ([(9, 9, 0)],), {"radius": 0.1, "material": 0, "velocity": (0, 0, 0), "spin": (0, 0, 1), "mass": 1,
                                    "inertia": 1, "frozen": 0, "force": (0, 0, 0), "torque": (0, 0, 0),
                                    "orientation": (1, 0, 0, 0)}),
    ("set_position", (0, (0, 0.5, 0)), {}),
    ("set_velocity", (0,), {"velocity": (0, 0, 0), "spin": (0, 0, 0)}),
    ("set_force", ([0, 1],), {"force": (0, 0, 0), "torque": (0, 0, 0)}),
    ("set_frozen", (0, 0), {}),
    ("add_plane", ((0, -5, 0), (0, 1, 0)), {"material": 0, "velocity": (0, 0, 0), "spin": (0, 0, 0), "pivot": (0, 0, 0),
                                            "motion": "moved"}),
    ("add_segment", ((0, -5, 0), (1, -5, 0)), {"mass": 1, "force": (0, 1, 0), "direction": (0, 1, 0)}),
    ("add_block", ((0, -9, 0), (1, 1, 1)), {"orientation": (1, 0, 0, 0)}),
    ("add_cylinder", ((0, -9, 0), 1), {"axis": (0, 0, 1), "length": 0, "inside": False}),
    ("remove_wall", (7,), {}),
    ("set_wall_velocity", (0,), {"velocity": (0, 0, 0), "spin": (0, 0, 0)}),
    ("set_wall_force", (1, (0, -1, 0)), {}),
    ("wall", (0,), {}),
    ("step", (1,), {}),
    ("run", (0.0,), {"progress": None}),
    ("set_solver", (), {"order": "boxed", "criterion": "fixed", "tolerance": 1e-2, "iterations": 10, "overlap": 1,
                        "warm_start": True, "small_force": 0}),
]
PROPERTIES = ("gravity", "time_step", "threads", "position", "velocity", "spin", "force", "torque", "frozen")
# Arguments that set the number of steps.
LONG = {("step", 0), ("run", 0)}


def wait_for(name, place, value):
    """Whether the call would be accepted, and take long."""
    try:
        return (name, place) in LONG and 5 < float(value) < INF
    except Exception:
        return False


class Fuzz(unittest.TestCase):
    def still_works(self, world):
        """Finite, and it can be stepped and saved."""
        self.assertTrue(np.isfinite(world.position).all())
        scree.World.load(world.save())

    def attempt(self, world, function, *words, **more):
        """Makes the call; whatever it raises must be an ordinary exception, and nothing has changed then."""
        before = world.hash()
        try:
            function(*words, **more)
            return True
        except Exception:
            if world.hash() != before:
                self.fail(f"{function} {words} {more} failed, and changed the world")
            return False

    def test_each_bad_argument_is_refused(self):
        for dimension in (2, 3):
            for name, words, more in CALLS:
                world = world_of(dimension)
                refused = 0
                places = list(range(len(words))) + list(more)
                for place in places:
                    for value in BAD:
                        if wait_for(name, place, value):
                            continue
                        given, named = list(words), dict(more)
                        (given if isinstance(place, int) else named)[place] = value
                        if self.attempt(world, getattr(world, name), *given, **named):
                            world = world_of(dimension)  # it was accepted; judge the next one on its own
                        else:
                            refused += 1
                self.assertGreater(refused, len(places) * len(BAD) // 3, name)
                self.still_works(world)

    def test_each_bad_property_is_refused(self):
        for name in PROPERTIES:
            for value in BAD:
                world = world_of()
                if self.attempt(world, setattr, world, name, value):
                    self.still_works(world)

    def test_bad_world_definitions_are_refused(self):
        options = {"dimension": 2, "time_step": 1e-3, "gravity": (0, 0), "engine": "contact_dynamics", "theta": 1,
                   "periodic": {"x": (0, 1)}, "signed_gap": False, "skin": 0, "seed": 1, "threads": 1,
                   "solver": {"order": "boxed"}, "soft": {"friction": "spring"}}
        scree.World(**options)
        for name in options:
            for value in BAD:
                try:
                    scree.World(**{**options, name: value}).close()
                except Exception:
                    pass
        for key, names in (("solver", ("order", "criterion", "tolerance", "overlap", "iterations", "warm_start")),
                           ("soft", ("integrator", "friction")), ("periodic", ("x", "y", "z"))):
            for name in names:
                for value in BAD:
                    try:
                        scree.World(**{**options, key: {name: value}}).close()
                    except Exception:
                        pass

    def test_many_bad_arguments_leave_the_world_working(self):
        """Several bad arguments in many calls on one world, then steps."""
        draw = random.Random(5)
        for turn in range(8):
            world = world_of(2 + turn % 2)
            views = [world.position, world.velocity]
            for _ in range(250):
                name, words, more = draw.choice(CALLS)
                given, named = list(words), dict(more)
                for _ in range(draw.randrange(3)):
                    value = draw.choice(BAD)
                    place = draw.choice(list(range(len(words))) + list(more))
                    if not wait_for(name, place, value):
                        (given if isinstance(place, int) else named)[place] = value
                for key in draw.sample(sorted(named), draw.randrange(len(named) + 1)):
                    named.pop(key)
                self.attempt(world, getattr(world, name), *given, **named)
                if draw.random() < 0.1:
                    views.append(world.position)
            try:
                world.step(3)
            except scree.Error:
                pass
            self.assertTrue(all(view.shape[1] == 3 and np.isfinite(view).all() for view in views))


class Messages(unittest.TestCase):
    """The right exception, with the library's own words where it has them."""

    def refused(self, kind, text, function, *words, **more):
        with self.assertRaises(kind) as caught:
            function(*words, **more)
        self.assertIsInstance(caught.exception, scree.Error)
        self.assertIn(text, str(caught.exception))
        return caught.exception

    def test_messages_are_the_librarys_own(self):
        world = world_of()
        bad, lost = scree.ArgumentError, scree.IdError
        add = world.add_grains
        self.refused(bad, "the radius must be greater than zero", add, (0, 9), -1)
        self.refused(bad, "body 4: the radius must", add, [(0, 9), (0, 11)], [1, 0])
        self.refused(bad, "no such material", add, (0, 9), 1, material=3)
        self.refused(bad, "position: values must be finite", add, (0, NAN), 1)
        self.refused(bad, "position: 2 or 3 numbers", add, [1, 2, 3, 4], 1)
        self.refused(bad, "radius: 1 or 2 are needed, not 3", add, [(0, 9), (0, 11)], [1, 1, 1])
        self.refused(bad, "frozen", add, (0, 9), 1, frozen=True)
        self.refused(bad, "frozen: must lie between 0 and 63", add, (0, 9), 1, frozen=64)
        self.refused(bad, "velocity", add, (0, 9), 1, velocity="fast")
        self.refused(bad, "in two dimensions", add, (0, 9), 1, velocity=(0, 0, 1))
        self.refused(bad, "a law has no 'fricton'", world.add_material, fricton=0.5)
        self.refused(bad, "friction must be a number of at least zero", world.add_material, friction=-1)
        self.refused(bad, "a density must be greater than zero", world.add_material, density=0)
        self.refused(lost, "no such body, wall or material", world.law, 0, 5)
        self.refused(lost, "no body 3", world.set_velocity, [0, 3], (0, 0))
        self.refused(lost, "no body -1", world.set_position, -1, (0, 0))
        self.refused(bad, "grains: numbers of grains", world.set_position, True, (0, 0))
        self.refused(bad, "in two dimensions", world.set_position, [0, 1], [(0, 0, 0), (0, 0, 1)])
        self.refused(lost, "no such body, wall or material", world.wall, 9)
        self.refused(lost, "no wall 9", world.remove_wall, 9)
        self.refused(bad, "is a piston: it does not turn", world.set_wall_velocity, 1, (1, 0), (0, 0, 1))
        self.refused(bad, "only a piston carries a force", world.set_wall_force, 0, (1, 0))
        self.refused(bad, "a wall that is 'fixed' has none", world.add_plane, (0, 0), (0, 1), motion="fixed", mass=1)
        self.refused(bad, "a wall has no 'colour'", world.add_plane, (0, 0), (0, 1), colour="red")
        self.refused(bad, "n: must lie between", world.step, -1)
        self.refused(bad, "until: a finite time", world.run, INF)
        self.refused(bad, "solver has no 'sweeps'", world.set_solver, sweeps=5)
        self.refused(bad, "solver.order: one of boxed", world.set_solver, order="best")
        self.refused(bad, "dimension", scree.World, time_step=1, dimension=4)
        self.refused(bad, "the time step must be greater than zero", scree.World, time_step=0)
        self.refused(bad, "engine: one of contact_dynamics, soft", scree.World, time_step=1, engine="hard")
        self.refused(bad, "periodic has no 'w'", scree.World, time_step=1, periodic={"w": (0, 1)})
        self.refused(scree.SnapshotError, "snapshot", scree.World.load, b"not a world")
        self.assertEqual(self.refused(bad, "", add, (0, 9), 0).status, "BAD_ARGUMENT")
        self.assertEqual(self.refused(lost, "", world.law, 9, 9).status, "BAD_ID")
        with self.assertRaises(TypeError):
            scree.World(dimension=2)
        with self.assertRaises(ValueError):  # every argument error is one
            add((0, 9), -1)

    def test_soft_engine_needs_a_spring(self):
        world = scree.World(time_step=1e-3, engine="soft")
        self.refused(scree.ArgumentError, "finite stiffness", world.add_material, friction=0.1)
        rigid = scree.World(time_step=1e-3)
        self.refused(scree.ArgumentError, "belong to the soft engine", rigid.add_material, modulus=1e6)

    def test_infinite_results_are_errors(self):
        world = scree.World(time_step=1e100)
        world.add_material()
        world.add_grains((0, 0, 0), 1, velocity=(1e250, 0, 0))
        self.refused(scree.NotFiniteError, "", world.step)
        self.assertTrue(np.isfinite(world.position).all())

    def test_closed_worlds_refuse_every_call(self):
        world = world_of()
        world.close()
        self.assertTrue(world.closed)
        self.assertEqual(repr(world), "<scree.World, closed>")
        for name, words, more in CALLS:
            if name == "add_material":
                more = {"density": 1}
            with self.assertRaises(scree.ClosedError, msg=name):
                getattr(world, name)(*words, **more) if name != "step" else world.step()
        for name in PROPERTIES + ("time", "steps", "contacts", "walls", "wall_count", "solver", "periodic", "engine",
                                  "theta", "orientation", "radius", "mass", "inertia", "material"):
            with self.assertRaises(scree.ClosedError, msg=name):
                getattr(world, name)
        for name in ("save", "copy", "hash", "find_overlaps", "coordination", "kinetic_energy", "cost", "neighbours"):
            with self.assertRaises(scree.ClosedError, msg=name):
                getattr(world, name)()
        with self.assertRaises(scree.ClosedError):
            len(world)


if __name__ == "__main__":
    unittest.main()
