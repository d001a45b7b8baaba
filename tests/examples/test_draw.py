"""tools/draw.py draws what it is given, leaves out what cannot be seen, and says what is wrong."""
import pathlib
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

DRAW = pathlib.Path(__file__).resolve().parents[2] / "tools" / "draw.py"
HEAD = "id,material,radius,mass,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz\n"
SVG = "{http://www.w3.org/2000/svg}"


def grain(x, y, z, radius, speed=0.0):
    return f"0,stone,{radius},1,{x},{y},{z},1,0,0,0,{speed},0,0,0,0,0\n"


class Draw(unittest.TestCase):
    def draw(self, text, *options, status=0):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = pathlib.Path(folder.name) / "picture.svg"
        result = subprocess.run([sys.executable, str(DRAW), "-o", str(path), *options], input=text,
                                capture_output=True, text=True, timeout=60)
        self.assertEqual(result.returncode, status, result.stderr)
        if status != 0:
            self.assertFalse(path.exists())
            return result.stderr
        return xml.etree.ElementTree.parse(path).getroot()

    def circles(self, picture):
        return list(picture.iter(SVG + "circle"))

    def test_places_and_sizes(self):
        # seen along y: x to the right, z up; far apart, so nothing is hidden
        circles = self.circles(self.draw(HEAD + grain(0, 0, 0, 1) + grain(6, 0, 3, 2), "--view", "0,-1,0"))
        self.assertEqual(len(circles), 2)
        x = [float(c.get("cx")) for c in circles]
        y = [float(c.get("cy")) for c in circles]
        r = [float(c.get("r")) for c in circles]
        small, large = sorted(range(2), key=lambda i: r[i])
        self.assertAlmostEqual(r[large] / r[small], 2, delta=0.02)
        self.assertAlmostEqual((x[large] - x[small]) / r[small], 6, delta=0.02)
        self.assertAlmostEqual((y[small] - y[large]) / r[small], 3, delta=0.02)

    def test_near_ones_cover_far_ones(self):
        text = HEAD + grain(0, -3, 0, 1) + grain(0.4, 0, 0.2, 1) + grain(0, 3, 0, 0.1)
        circles = self.circles(self.draw(text, "--view", "0,-1,0"))
        self.assertEqual(len(circles), 2)  # the small one is hidden behind the others
        self.assertLess(float(circles[1].get("cx")), float(circles[0].get("cx")))  # the near one comes last

    def test_colours_follow_speed(self):
        text = HEAD + grain(0, 0, 0, 1, 0) + grain(3, 0, 0, 1, 1) + grain(6, 0, 0, 1, 5)
        fills = [c.get("fill") for c in self.circles(self.draw(text, "--range", "0,1", "--view", "0,-1,0"))]
        self.assertEqual(sorted(fills), ["url(#c0)", "url(#c31)", "url(#c31)"])

    def test_two_dimensions_show_the_turning(self):
        picture = self.draw(HEAD + grain(0, 0, 0, 1) + grain(2, 1, 0, 1))
        self.assertEqual(len(list(picture.iter(SVG + "polyline"))), 2)

    def test_what_is_wrong(self):
        self.assertIn("no column 'radius'", self.draw("a,b\n1,2\n", status=1))
        self.assertIn("no grains", self.draw(HEAD, status=1))
        self.assertIn("line 3", self.draw(HEAD + grain(0, 0, 0, 1) + "1,stone,x\n", status=1))
        self.assertIn("3 numbers", self.draw("", "--view", "1,2", status=2))
        self.assertIn("No such file", self.draw("", "nowhere.csv", status=1))


if __name__ == "__main__":
    unittest.main()
