"""Liquid bridges in Python: the force of a law, and grains that hang by it."""
import math
import unittest

import numpy as np

import scree

VOLUME, TENSION, ANGLE = 1e-5, 0.5, 15.0
WET = {"bridge_volume": VOLUME, "bridge_tension": TENSION, "bridge_angle": ANGLE}


def published(radius, gap):
    """Willett and others (2000)."""
    x = gap / 2 * math.sqrt(radius / VOLUME)
    return 2 * math.pi * radius * TENSION * math.cos(math.radians(ANGLE)) / (1 + 2.1 * x + 10 * x * x)


class Bridges(unittest.TestCase):
    def test_a_law_tells_its_bridge(self):
        law = scree.Law(**WET)
        reach = (1 + math.radians(ANGLE) / 2) * VOLUME ** (1 / 3)
        gaps = np.linspace(0, reach, 2001)
        for a, b, radius in ((0.1, 0.3, 0.15), (0.2, math.inf, 0.4)):
            bridge = law.bridge(a, b, 0.4 * reach)
            self.assertAlmostEqual(bridge.force / published(radius, 0.4 * reach), 1, 12)
            self.assertAlmostEqual(bridge.reach / reach, 1, 12)
            work = np.trapezoid([published(radius, gap) for gap in gaps], gaps) if hasattr(np, "trapezoid") else \
                np.trapz([published(radius, gap) for gap in gaps], gaps)
            self.assertAlmostEqual(law.bridge(a, b, 2 * reach).energy / work, 1, 5)
            self.assertEqual(law.bridge(a, b, reach).force, 0)
        self.assertEqual(scree.Law().bridge(0.1), (0, 0, 0))

    def test_a_row_hangs_from_a_wall_until_it_is_too_heavy(self):
        hold = scree.Law(**WET).bridge(0.1, 0.1).force  # between two balls: half of that to the wall
        for weights, held in ((4.1, True), (3.9, False)):
            world = scree.World(gravity=(0, 0, -2), time_step=1e-2)
            sand = world.add_material(**WET)
            world.add_plane(point=(0, 0, 0), normal=(0, 0, -1))
            world.add_grains(position=[(0, 0, -0.1 - 0.2 * k) for k in range(5)], radius=0.1,
                             mass=hold / 2 / weights, material=sand)
            world.run(0.2)
            self.assertEqual(abs(world.position[1, 2] - world.position[0, 2]) < 0.2001, held)
            pulls = -world.contacts.force_normal
            if held:
                np.testing.assert_allclose(np.sort(pulls), hold / weights * np.arange(1, 6), rtol=1e-2)
                self.assertTrue(np.all(np.abs(world.contacts.opening) < 1e-9))


if __name__ == "__main__":
    unittest.main()
