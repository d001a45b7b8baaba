"""Solids of worlds: what the library stores, and where vertices and faces are."""
import unittest

import numpy as np

import scree

CUBE = [(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)]
TETRAHEDRON = scree.Mesh(np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], float),
                         ((0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)))


def volume(mesh):
    """By the divergence theorem, over the triangles."""
    corners = mesh.vertices[mesh.triangles]
    return np.linalg.det(corners).sum() / 6


class Solids(unittest.TestCase):
    def setUp(self):
        self.world = scree.World(dimension=3, gravity=(0, 0, -9.81), time_step=1e-3)
        self.world.add_material(density=3, friction=0.4)

    def test_hulls_have_faces(self):
        number = self.world.add_solid(CUBE)
        solid = self.world.solids[number]
        self.assertEqual([len(face) for face in solid.parts[0].faces], [4] * 6)
        np.testing.assert_allclose(solid.centroid, 0.5, rtol=1e-15)
        self.assertAlmostEqual(solid.volume, 1, delta=1e-15)
        self.assertAlmostEqual(volume(solid.parts[0]), 1, delta=1e-15)
        self.assertAlmostEqual(solid.radius, np.sqrt(0.75), delta=1e-15)
        np.testing.assert_allclose(solid.moments, 1 / 6, rtol=1e-14)
        self.assertEqual(self.world.shapes, [])

    def test_meshes_are_taken_as_given(self):
        number = self.world.add_solid(TETRAHEDRON)
        solid = self.world.solids[number]
        self.assertAlmostEqual(solid.volume, 1 / 6, delta=1e-16)
        np.testing.assert_allclose(solid.centroid, 0.25, rtol=1e-14)
        np.testing.assert_allclose(np.sort(solid.parts[0].vertices + solid.centroid, axis=0),
                                   np.sort(TETRAHEDRON.vertices, axis=0), atol=1e-15)

    def test_single_precision_is_flattened(self):
        """A turned cube of float32 has no plane quadrangle; flattened, it has six."""
        turn = np.array([(2, -1, 2), (2, 2, -1), (-1, 2, 2)]) / 3
        number = self.world.add_solid(CUBE)
        cube = self.world.solids[number].parts[0]
        rounded = scree.Mesh((cube.vertices @ turn.T).astype(np.float32), cube.faces)
        with self.assertRaisesRegex(scree.ArgumentError, "not plane"):
            self.world.add_solid(rounded)
        number = self.world.add_solid(scree.solids.flatten(rounded, 4e-7))
        solid = self.world.solids[number]
        self.assertEqual([len(face) for face in solid.parts[0].faces], [4] * 6)
        self.assertAlmostEqual(solid.volume, 1, delta=1e-6)

    def test_rounded_parts_have_a_surface(self):
        """What lies within r of a unit cube: 1 + 6 r + 3 pi r^2 + 4/3 pi r^3; the drawn one is a little less."""
        r = 0.25
        number = self.world.add_solid(CUBE, rounding=r)
        part = self.world.solids[number].parts[0]
        curved = 3 * np.pi * r**2 + 4 / 3 * np.pi * r**3
        drawn = volume(part.surface)
        self.assertLess(drawn, 1 + 6 * r + curved)
        self.assertGreater(drawn, 1 + 6 * r + 0.96 * curved)

    def test_bodies_have_meshes_where_they_are(self):
        cube, pair = self.world.add_solid(CUBE), self.world.add_solid([(0, 0, 0)], [(2, 0, 0)], rounding=[1, 1])
        self.world.add_grains([(1, 2, 3), (5, 5, 5), (9, 9, 9)], [0, 0, 0.5], shape=[cube, pair, -1],
                              orientation=[(np.cos(np.pi / 8), 0, np.sin(np.pi / 8), 0), (1, 0, 0, 0), (1, 0, 0, 0)])
        meshes = self.world.meshes
        self.assertEqual([len(each) for each in meshes], [1, 2, 0])
        # turned by 45 degrees about y, a cube is sqrt(2) wide and high
        low, high = meshes[0][0].vertices.min(axis=0), meshes[0][0].vertices.max(axis=0)
        np.testing.assert_allclose(high - low, (np.sqrt(2), 1, np.sqrt(2)), rtol=1e-14)
        np.testing.assert_allclose((high + low) / 2, (1, 2, 3), rtol=1e-14)
        np.testing.assert_allclose([part.vertices[0] for part in meshes[1]], [(4, 5, 5), (6, 5, 5)], rtol=1e-14)

    def test_a_block_slides_as_coulomb_says(self):
        """On a plane with friction 0.4, under gravity turned by atan(0.8): a = g (sin - 0.4 cos)."""
        slope = np.arctan(0.8)
        world = scree.World(dimension=3, gravity=(9.81 * np.sin(slope), 0, -9.81 * np.cos(slope)), time_step=1e-3)
        world.add_material(density=3, friction=0.4)
        world.add_plane(point=(0, 0, 0), normal=(0, 0, 1))
        world.add_grains([(0, 0, 0.1)], shape=world.add_solid(np.array(CUBE) * (1, 1, 0.2)))
        world.run(until=0.5)
        self.assertAlmostEqual(world.velocity[0, 0], 9.81 * 0.5 * (np.sin(slope) - 0.4 * np.cos(slope)), delta=1e-8)

    def test_named_solids(self):
        """Edges of regular solids are all alike; a rock has the box and the faces that were asked for."""
        for faces, edges in ((4, 6), (6, 12), (8, 12), (12, 30), (20, 30)):
            number = self.world.add_solid(scree.solids.regular(faces, 2))
            part = self.world.solids[number].parts[0]
            ends = [(face[k - 1], face[k]) for face in part.faces for k in range(len(face))]
            lengths = np.linalg.norm(np.subtract(*part.vertices[np.array(ends)].swapaxes(0, 1)), axis=1)
            self.assertEqual((len(part.faces), len(lengths)), (faces, 2 * edges))
            np.testing.assert_allclose(lengths, lengths[0], rtol=1e-13)
        number = self.world.add_solid(scree.solids.prism(6, 1, 2))
        self.assertAlmostEqual(self.world.solids[number].volume, 3 * np.sqrt(3), delta=1e-13)
        number = self.world.add_solid(scree.solids.box((1, 2, 3)))
        self.assertAlmostEqual(self.world.solids[number].volume, 6, delta=1e-13)
        rock = scree.solids.rock(20, 0.5, elongation=1.5, flatness=2, seed=7)
        np.testing.assert_allclose(np.ptp(rock, axis=0), (0.75, 0.5, 0.25), rtol=1e-12)
        number = self.world.add_solid(rock)
        self.assertEqual(len(self.world.solids[number].parts[0].faces), 20)
        with self.assertRaises(scree.ArgumentError):
            scree.solids.regular(7, 1)
        with self.assertRaises(scree.ArgumentError):
            scree.solids.rock(3, 1)

    def test_what_is_wrong_is_told(self):
        for parts, words in (((), "needs a part"), (([(0, 0, 0), (1, 0, 0), (0, 1, 0)],), "part 0"),
                             ((scree.Mesh(TETRAHEDRON.vertices, TETRAHEDRON.faces[:3]),), "part 0"),
                             ((scree.Mesh(TETRAHEDRON.vertices, ((0, 1),)),), "three or more vertices")):
            with self.assertRaisesRegex(scree.ArgumentError, words):
                self.world.add_solid(*parts)
        with self.assertRaises(scree.Error):
            scree.World(dimension=2, time_step=1).add_solid(CUBE)
        with self.assertRaisesRegex(scree.ArgumentError, "three dimensions"):
            scree.World(dimension=2, time_step=1).meshes


class Meshes(unittest.TestCase):
    """Walls of triangles."""

    SQUARE = scree.Mesh(np.array([(-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0)], float), ((0, 1, 2), (0, 2, 3)))

    def world(self):
        world = scree.World(dimension=3, gravity=(0, 0, -10), time_step=1e-3)
        world.add_material(density=3, friction=0.4)
        return world

    def test_ball_rests_on_its_part(self):
        world = self.world()
        first = world.add_mesh(self.SQUARE, point=(0, 0, 1), part=[0, 1])
        world.add_grains(position=[(0.5, -0.5, 1.2)], radius=0.2, mass=2)  # over the first triangle
        world.step(5)
        walls = world.walls
        self.assertEqual([wall.shape for wall in walls], ["mesh", "mesh"])
        self.assertAlmostEqual(walls[first].load[2], -20, delta=1e-9)
        self.assertEqual(np.abs(walls[first + 1].load).max(), 0)
        self.assertEqual([len(wall.mesh.faces) for wall in walls], [1, 1])
        np.testing.assert_allclose(walls[first].mesh.vertices[:, 2], 1, rtol=1e-15)

    def test_turned_about_its_pivot(self):
        world = self.world()
        world.add_mesh(self.SQUARE, spin=(0, 0, np.pi / 2))
        world.step(1000)  # a quarter of a turn: x becomes y
        np.testing.assert_allclose(world.walls[0].mesh.vertices[1], (1, 1, 0), atol=1e-9)

    def test_refused(self):
        with self.assertRaisesRegex(scree.ArgumentError, "triangle 0: it has no area"):
            self.world().add_mesh(scree.Mesh(np.array([(0, 0, 0), (1, 0, 0), (2, 0, 0)], float), ((0, 1, 2),)))
        with self.assertRaisesRegex(scree.ArgumentError, "2 numbers are needed"):
            self.world().add_mesh(self.SQUARE, part=[0])


class Surfaces(unittest.TestCase):
    """Closed NURBS surfaces."""

    def setUp(self):
        self.world = scree.World(dimension=3, gravity=(0, 0, -9.81), time_step=1e-3)
        self.world.add_material(density=2000, friction=0.5)

    def test_a_ring_is_kept_and_drawn(self):
        number = self.world.add_solid(scree.solids.torus(0.1, 0.04))
        solid = self.world.solids[number]
        volume = 2 * np.pi**2 * 0.1 * 0.02**2
        self.assertAlmostEqual(solid.volume / volume, 1, delta=1e-13)
        self.assertEqual(solid.parts[0].kind, scree.solids.NURBS)
        self.assertAlmostEqual(solid.parts[0].weights.min(), 0.5, delta=1e-15)
        surface = solid.parts[0].surface
        a, b, c = (surface.vertices[surface.triangles[:, k]] for k in range(3))
        enclosed = np.einsum("ij,ij->", a, np.cross(b, c)) / 6
        self.assertTrue(0.9 * volume < enclosed < volume)

    def test_a_patchwork_is_a_body(self):
        # a ball of two halves; poles are rows of one point
        half = 0.5**0.5
        lower = scree.solids.nurbs_turned([(0, -1), (1, -1), (1, 0)], 2, [1, half, 1], [0, 0, 0, 1, 1, 1])
        upper = scree.solids.nurbs_turned([(1, 0), (1, 1), (0, 1)], 2, [1, half, 1], [0, 0, 0, 1, 1, 1])
        number = self.world.add_solid(scree.solids.nurbs_join([lower, upper]))
        self.assertAlmostEqual(self.world.solids[number].volume, 4 / 3 * np.pi, delta=1e-12)
        with self.assertRaisesRegex(scree.ArgumentError, "side v = 1: the surface is open"):
            self.world.add_solid(lower)

    def test_a_snapshot_goes_on(self):
        self.world.add_plane(point=(0, 0, 0), normal=(0, 0, 1))
        ring = self.world.add_solid(scree.solids.torus(0.1, 0.04))
        self.world.add_grains(position=[(0, 0, 0.1)], shape=ring, spin=[(1, 2, 3)])
        self.world.run(until=0.02)
        other = scree.World.load(self.world.save())
        for world in (self.world, other):
            world.run(until=0.2)
        np.testing.assert_array_equal(self.world.position, other.position)
        np.testing.assert_array_equal(self.world.orientation, other.orientation)

    def test_nets_are_checked(self):
        for given, words in (((np.zeros((4, 4)),), "a net"), ((np.zeros((4, 4, 3)), (3, 3), np.ones(3)), "weights"),
                             ((np.zeros((4, 4, 3)), (3, 3), None, ([0, 1], None)), "take 8 knots")):
            with self.assertRaisesRegex(scree.ArgumentError, words):
                scree.solids.nurbs(*given)


if __name__ == "__main__":
    unittest.main()
