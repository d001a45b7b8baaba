"""scree.measures: worlds and frames give the same, closed forms, mistakes are told."""
import json
import pathlib
import subprocess
import tempfile
import unittest

import matplotlib

matplotlib.use("Agg")
import numpy as np

import scree
import scree.plot
from support import EXAMPLES, PROGRAM, run_scene, write_heap

measures = scree.measures

DRUM = """\
dimension: 3
gravity: [0, 0, -10]
time: {step: 1e-2, end: 0.1}
materials: {bead: {density: 1000, friction: 0.5}}
walls: {drum: {drum: {center: [0, 0, 0], radius: 1, length: 0.5}, spin: 1}}
grains: [{count: 12, radius: 0.1, fill: {inside: drum}}]
measures: {all: {every: 10}}
output: {every: 0.1}
"""

SOLIDS = """\
dimension: 3
gravity: [0, 0, -10]
time: {step: 5e-3, end: 0.25}
materials: {stone: {density: 1000, friction: 0.5}}
walls:
  tray: {box: {min: [0, 0, 0], max: [1.2, 0.4, 1]}, open: top}
  rig: {holder: {}}
shapes:
  rock: {rock: {faces: 10, size: 0.3}}
  die: {box: {size: [0.2, 0.2, 0.2], rounding: 0.02}}
  pill: {ellipsoid: {size: [0.3, 0.2, 0.2]}}
  drop: {cone: {radius: 0.1, height: 0.2}}
grains:
  - {shape: rock, position: [0.2, 0.2, 0.2]}
  - {shape: die, position: [0.5, 0.2, 0.15]}
  - {shape: pill, position: [0.8, 0.2, 0.12]}
  - {shape: drop, position: [1.05, 0.2, 0.15]}
  - {shape: rock, held_by: rig, position: [0.5, 0.2, 0.9]}
  - {radius: 0.1, position: [0.52, 0.2, 0.4]}
output: {every: 0.25}
"""


class OfWorlds(unittest.TestCase):
    def test_measures_have_their_closed_forms(self):
        with scree.World(time_step=1e-3) as world:
            world.add_material(density=2)
            world.add_grains([(0, 0, 0), (5, 0, 0)], radius=1, velocity=[(1, 0, 0), (3, 0, 0)])
            state = measures.state(world, {"x": (0, np.inf)})
            self.assertAlmostEqual(state.volume, 6 * 2 * 2)
            self.assertAlmostEqual(state.solid_fraction, 2 * np.pi / 24)
            self.assertAlmostEqual(state.velocity_x, (1 + 2 * 3) / 3)
            self.assertTrue(np.isnan(state.force_mean))
            self.assertEqual(measures.tensor(state, "kinetic").shape, (3, 3))
            flow = measures.flow(world, (5, 0, 0), (1, 0, 0))
            self.assertAlmostEqual(flow.rate, 2 * np.pi * 3)
            self.assertAlmostEqual(flow.beyond, 4 / 3 * np.pi)
            cells = measures.grid(world, (8, 4, 3))
            self.assertEqual(cells.shape, (3, 4, 8))
            self.assertAlmostEqual((cells.density * cells.volume).sum(), world.mass.sum(), 12)
            self.assertLess(cells.centre[0, 0, 0, 0], cells.centre[0, 0, 1, 0])
            self.assertEqual(measures.distribution(world, "partners", bins=3).count.tolist(), [2, 0, 0])
            self.assertEqual(measures.partners(world).tolist(), [[0, 0]])
            self.assertIn("compress", measures.meaning("dissipation_normal"))

    def test_lattice_under_load_has_its_stress(self):
        """Columns of disks under a lid of force 6 on a width of 2."""
        with scree.World(dimension=2, time_step=1e-3, solver={"tolerance": 1e-10}) as world:
            world.add_material(friction=0.3)
            world.add_plane((0, 0), (0, 1))
            world.add_plane((0, 1.2), (0, -1), mass=1, force=(0, -6))
            x, y = np.meshgrid(np.arange(10) * 0.2 + 0.1, np.arange(6) * 0.2 + 0.1)
            world.add_grains(np.column_stack([x.ravel(), y.ravel()]), radius=0.1 - 1e-9)
            world.step(20)
            stress = measures.tensor(measures.state(world), "stress")
            self.assertAlmostEqual(stress[1, 1], 3, 5)
            self.assertAlmostEqual(stress[0, 0], 0, 5)
            energy = measures.energy(world.step(5))
            self.assertAlmostEqual(energy["kinetic_energy"], world.kinetic_energy(), 12)

    def test_beam_on_four_supports_has_its_extremes(self):
        """A beam on four supports without friction: two balances, so extremes have two forces at most."""
        with scree.World(dimension=2, time_step=1e-2, gravity=(0, -10), solver={"tolerance": 1e-12}) as world:
            world.add_material(density=1, friction=0)
            world.add_grains([(x, 0) for x in (-2, -1, 1, 2)], radius=0.1, frozen=scree.Freeze.ALL)
            beam = world.add_shape([(-3, -0.1), (3, -0.1), (3, 0.1), (-3, 0.1)])
            world.add_grains([(0, 0.2)], shape=beam)
            world.step(5)
            found = measures.indeterminacy(world, samples=8)
            weight = 10 * world.mass[-1]
            self.assertEqual((found.whole.contacts, found.whole.hyperstaticity), (4, 2))
            rows = np.flatnonzero(found.contacts.state > 0)
            place = np.round(world.contacts.point[rows, 0]).astype(int)
            most = {abs(x): value / weight for x, value in zip(place, found.contacts.most[rows])}
            self.assertAlmostEqual(most[2], 1 / 2, 6)
            self.assertAlmostEqual(most[1], 2 / 3, 6)
            self.assertTrue(np.all(np.abs(found.contacts.least[rows]) < 1e-6 * weight))
            self.assertEqual(found.networks.shape, (8, len(found.contacts)))
            self.assertTrue(np.allclose(found.networks.sum(axis=1), weight, rtol=1e-6))
            self.assertTrue(np.all(found.networks <= found.contacts.most + 1e-6 * weight))
            self.assertIn("[1]", measures.meaning("hyperstaticity"))
            with self.assertRaises(scree.ArgumentError):
                measures.indeterminacy(world, amplitude=-1)

    def test_motion_between_plates_is_undetermined(self):
        """A disk falls between two plates at its own distance: any braking force obeys the law, so every velocity
        between the present one and none does."""
        with scree.World(dimension=2, gravity=(0, -1), time_step=0.01) as world:
            stone = world.add_material(friction=0.3)
            world.add_plane((0, 0), (1, 0), material=stone)
            world.add_plane((2, 0), (-1, 0), material=stone)
            world.add_grains([(1, 0)], 1.0, mass=1.0, material=stone)
            for _ in range(3):
                world.step()
            found = measures.motions(world, samples=5)
            self.assertEqual((found.whole.motion_loose, found.whole.motion_other, found.whole.motion_unsure), (1, 0, 0))
            self.assertAlmostEqual(found.whole.motion_range, 3, 6)
            self.assertTrue(np.allclose(found.bodies.velocity_least, [[0, -0.03, 0]], atol=1e-9))
            self.assertTrue(np.allclose(found.bodies.velocity_most, 0, atol=1e-9))
            self.assertTrue(np.allclose(found.bodies.spin_most, found.bodies.spin_least))
            self.assertIn("[acceleration]", measures.meaning("motion_range"))

    def test_mistakes_are_told(self):
        with scree.World(time_step=1e-3, periodic={"z": (0, 4)}) as world:
            world.add_material()
            for region in ({"x": (1, 0)}, {"x": (np.nan, 1)}, {"z": (0, 5)}, {"w": (0, 1)}, {"x": 3}, 7):
                with self.assertRaises(scree.ArgumentError):
                    measures.state(world, region)
            for wrong in (lambda: measures.state(3), lambda: measures.distribution(world, "beauty"),
                          lambda: measures.distribution(world, "normal", bins=0),
                          lambda: measures.grid(world, (0, 1, 1)), lambda: measures.grid(world, (1, 1, 1, 1)),
                          lambda: measures.surface(world, column=-1),
                          lambda: measures.flow(world, (0, 0, 0), (0, 0, 0)), lambda: measures.energy([1, 2]),
                          lambda: measures.series(world), lambda: measures.recorded(world),
                          lambda: measures.tensor(measures.state(world), "beauty"), lambda: measures.meaning("x"),
                          lambda: scree.plot.stress(world), lambda: scree.plot.fields(world)):
                self.assertRaises(scree.ArgumentError, wrong)
            self.assertTrue(np.isnan(measures.state(world).coordination))
        self.assertRaises(scree.ClosedError, measures.state, world)


class OfRuns(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.holder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.holder.cleanup)
        cls.folder = pathlib.Path(cls.holder.name)

    def same(self, world, frame, region):
        """All measures of a world and of its frame in a file agree, bit for bit."""
        left, right = measures.state(world, region), measures.state(frame, region)
        for name in left.dtype.names:
            if name != "frame":
                np.testing.assert_array_equal(left[name], right[name], name)
        for kind in ("normal", "tangential", "mobilised", "direction", "pairs"):
            np.testing.assert_array_equal(measures.distribution(world, kind, bins=9).density,
                                          measures.distribution(frame, kind, bins=9).density, kind)
        cells = (5, 4) if world.dimension == 2 else (5, 4, 3)
        np.testing.assert_array_equal(measures.grid(world, cells).stress, measures.grid(frame, cells).stress)
        self.assertEqual(str(measures.surface(world)), str(measures.surface(frame)))
        self.assertEqual(str(measures.profile(world, "x", bins=5)), str(measures.profile(frame, "x", bins=5)))
        self.assertEqual(str(measures.anisotropy(world)), str(measures.anisotropy(frame)))
        np.testing.assert_array_equal(measures.partners(world), measures.partners(frame))

    def test_heap_measures_alike_live_and_recorded(self):
        path = write_heap(self.folder)
        with scree.open_run(run_scene(path, self.folder)) as run, scree.load_scene(path) as scene:
            scene.run()
            self.same(scene.world, run.frames[-1], {"y": (0.1, 0.4)})
            table = measures.series(run, frames=slice(0, None, 2))
            np.testing.assert_array_equal(table.time, run.times[::2])
            self.assertEqual(measures.tensor(table, "stress").shape, (len(table), 3, 3))
            self.assertEqual(measures.series(run, frames=[-1]).frame[0], len(run.frames) - 1)
            energy = measures.energy(run)
            self.assertAlmostEqual(energy["gained"], energy["kinetic_energy"], 9)
            self.assertEqual(measures.recorded(run), {})
            for picture in (scree.plot.stress(run), scree.plot.stress(table), scree.plot.fabric(run),
                            scree.plot.packing(run), scree.plot.energy(run), scree.plot.pairs(run.frames[-1]),
                            scree.plot.fields(run.frames[-1]), scree.plot.profile(run),
                            scree.plot.profile(run.frames[2:], "r", about=((0, 0, 0), (0, 0, 1)))):
                scree.plot.save(picture, self.folder / "a.png", dots_per_inch=20)

    def test_sheared_layers_carry_the_load_of_their_piston(self):
        """Without gravity, all slabs between the plates carry the force of the piston, 1 on a width of 1, but for the
        momentum that they gain; the lower plate drags what is near it."""
        with scree.open_run(run_scene(EXAMPLES / "periodic_shear.yaml", self.folder)) as run:
            table = measures.profile(run, "y", bins=4, times=(1, 2), region={"y": (0.05, 0.3)})
            normal = table.stress_yy + table.kinetic_yy
            self.assertLess(np.abs(normal - 1).max(), 0.05)
            self.assertTrue((np.abs(normal - 1) < 4 * table.stress_yy_error + 0.01).all())
            self.assertGreater(table.velocity_x[0], table.velocity_x[-1])
            self.assertEqual(table.dtype.names[:4], ("low", "high", "bodies", "bodies_error"))
            one = measures.profile(run.frames[-1], "y", bins=1, region={"y": (0.2, 0.4)})
            state = measures.state(run.frames[-1], {"y": (0.2, 0.4)})
            for name in ("solid_fraction", "velocity_x", "stress_xy"):
                self.assertAlmostEqual(one[name][0], state[name], 12)
            self.assertTrue(np.isnan(one.mu_error[0]))
            found = measures.carriers(run, 0.05, times=(1.8, 2))
            self.assertEqual((found.windows, found.window), (4, 0.05))
            moments = [measures.state(frame).coordination for frame in run.frames if 1.8 < frame.time <= 2]
            self.assertAlmostEqual(found.coordination, np.mean(moments), 12)
            self.assertGreater(found.partners, found.coordination)
            with self.assertRaisesRegex(scree.ArgumentError, "no frame between 5 and 6"):
                measures.profile(run, times=(5, 6))

    def test_polygons_measure_alike_live_and_recorded(self):
        with scree.open_run(run_scene(EXAMPLES / "hook.yaml", self.folder, time__end=0.2)) as run, \
                scree.load_scene(EXAMPLES / "hook.yaml", time__end=0.2) as scene:
            scene.run()
            self.same(scene.world, run.frames[-1], {"x": (0, 1)})

    def test_solids_measure_alike_live_and_recorded_and_by_the_program(self):
        """Solids of several kinds, one of them a part of a wall, which is no body."""
        path = self.folder / "solids.yaml"
        path.write_text(SOLIDS)
        with scree.open_run(run_scene(path, self.folder)) as run, scree.load_scene(path) as scene:
            scene.run()
            frame = run.frames[-1]
            self.same(scene.world, frame, {"x": (0.1, 1), "z": (0, 0.2)})
            state = measures.state(frame)
            self.assertEqual(state.bodies, 5)
            free = [run.solids[shape].volume for shape in frame.shape[:4]] + [4 / 3 * np.pi * 1e-3]
            self.assertAlmostEqual(state.solid_fraction * state.volume, sum(free), 12)
            said = subprocess.check_output([PROGRAM, "measure", str(self.folder / "solids.h5"), "--json"])
            for name, number in json.loads(said)["rows"][0].items():
                np.testing.assert_equal(state[name], np.nan if number is None else number, name)
            lines = str(state).splitlines()
            self.assertEqual([line.split()[0] for line in lines], list(state.dtype.names))
            self.assertIn(f"{state.stress_zz:.6g}", lines[state.dtype.names.index("stress_zz")])
            for moment in (measures.state, scree.plot.grains):
                with self.assertRaisesRegex(scree.ArgumentError, r"such as run\.frames\[-1\]"):
                    moment(run)
            axes = scree.plot.stress(run)
            self.assertEqual(len(axes.figure.axes[0].lines[0].get_xdata()), len(run.frames))

    def test_solid_fraction_of_a_drum_is_that_of_the_drum(self):
        """Balls in a drum of radius 1 and length 0.5, in the world, in Python and by the program; bins across it are
        segments of its circle, and one bin that is all of it is all of the fraction."""
        path = self.folder / "drum.yaml"
        path.write_text(DRUM)
        with scree.open_run(run_scene(path, self.folder)) as run, scree.load_scene(path) as scene:
            scene.run()
            frame, ball = run.frames[-1], 4 / 3 * np.pi * 1e-3
            self.same(scene.world, frame, {"z": (-0.5, 0)})
            state = measures.state(frame)
            self.assertAlmostEqual(state.volume, np.pi / 2, 13)
            self.assertAlmostEqual(state.solid_fraction, 12 * ball / (np.pi / 2), 12)
            said = subprocess.check_output([PROGRAM, "measure", str(self.folder / "drum.h5"), "--json"])
            self.assertEqual(json.loads(said)["rows"][0]["solid_fraction"], state.solid_fraction)
            self.assertAlmostEqual(measures.recorded(run)["all"].solid_fraction[-1], state.solid_fraction, 12)
            bins = measures.profile(frame, "z", bins=4, region={"z": (-1, 1)})
            segment = np.pi / 3 - np.sqrt(3) / 4  # beyond half the radius
            parts = bins.solid_fraction * 0.5 * np.array([segment, np.pi / 2 - segment, np.pi / 2 - segment, segment])
            self.assertAlmostEqual(parts.sum(), 12 * ball, 11)
            shells = measures.profile(frame, "r", bins=1, most=1.5, about=((0, 0, 0), (0, 1, 0)))
            self.assertAlmostEqual(shells.solid_fraction[0], state.solid_fraction, 11)

    def test_recorded_measures_are_read(self):
        with scree.open_run(run_scene(EXAMPLES / "measures.yaml", self.folder)) as run:
            found = measures.recorded(run)
            self.assertEqual({name: len(table) for name, table in found.items()}, {"all": 11, "core": 6})
            self.assertAlmostEqual(found["core"].stress_yy[-1], 6, 3)
            self.assertEqual(found["all"].step.tolist(), list(range(0, 101, 10)))
            scree.plot.save(scree.plot.stress(found["all"]), self.folder / "b.png")


if __name__ == "__main__":
    unittest.main()
