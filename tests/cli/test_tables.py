"""What a run holds: tables, overrides, summaries, export."""
import base64
import csv
import io
import struct
import sys
import unittest
import xml.etree.ElementTree as xml
import zlib

import numpy

from support import ALL_LAWS, ProgramTest, datasets


class Tables(ProgramTest):
    def prepare(self):
        type(self).summary = self.call("run", "heap.yaml").stderr

    def setUp(self):
        super().setUp()
        self.data = datasets(self.path / "heap.h5")

    def table(self, *words):
        return list(csv.DictReader(io.StringIO(self.call("table", "heap.h5", *words).stdout)))

    def test_frames_fall_on_their_times(self):
        numpy.testing.assert_allclose(self.data["frames/time"], 0.05 * numpy.arange(7), rtol=1e-12,
                                      atol=1e-12)
        self.assertEqual(len(self.data["steps/step"]), 150)
        self.assertEqual(list(self.data["steps/step"]), list(range(1, 151)))

    def test_bodies_with_full_precision(self):
        rows = self.table("--what", "bodies")
        self.assertEqual(list(rows[0]), "id material radius mass x y z qw qx qy qz vx vy vz wx wy wz".split())
        self.assertEqual(len(rows), 120)
        for columns, name in [("xyz", "position"), (["qw", "qx", "qy", "qz"], "orientation"),
                              (["vx", "vy", "vz"], "velocity"), (["wx", "wy", "wz"], "spin")]:
            got = numpy.array([[float(row[column]) for column in columns] for row in rows])
            numpy.testing.assert_array_equal(got, self.data["frames/bodies/" + name][-1])
        for i, row in enumerate(rows):
            self.assertEqual(row["id"], str(i))
            self.assertEqual(row["material"], "stone")
            radius = float(row["radius"])
            self.assertTrue(0.06 <= radius <= 0.08)
            mass = 2600 * 4 / 3 * numpy.pi * radius**3
            self.assertAlmostEqual(float(row["mass"]) / mass, 1, delta=1e-12)

    def test_contacts_are_within_their_bounds(self):
        rows = self.table("-w", "contacts")
        self.assertEqual(list(rows[0]), ("a b wall feature state x y z nx ny nz gap force_n force_tx "
                                         "force_ty force_tz torque_x torque_y torque_z opening").split())
        names = self.data["walls/name"]
        for row in rows:
            a, b = int(row["a"]), int(row["b"])
            normal = [float(row[k]) for k in ("nx", "ny", "nz")]
            tangential = [float(row[k]) for k in ("force_tx", "force_ty", "force_tz")]
            force = float(row["force_n"])
            self.assertTrue(0 <= a < 120 and b < 120)
            self.assertEqual(row["wall"], names[-1 - b].decode() if b < 0 else "")
            self.assertAlmostEqual(numpy.linalg.norm(normal), 1, delta=1e-12)
            self.assertIn(row["state"], ["open", "stick", "slip"])
            self.assertEqual(row["state"] == "open", force == 0)
            slide = numpy.linalg.norm(tangential)
            self.assertLessEqual(slide, 0.5 * force * (1 + 1e-9))
            if row["state"] == "slip":
                self.assertAlmostEqual(slide, 0.5 * force, delta=1e-9 * force)
            self.assertEqual([row[k] for k in ("torque_x", "torque_y", "torque_z")], ["0"] * 3)
            self.assertEqual(row["opening"], "-1")

    def test_walls_carry_what_the_contacts_push(self):
        contacts = self.table("-w", "contacts")
        walls = self.table("-w", "walls")
        self.assertEqual(walls[-1]["name"], "gate")
        self.assertEqual(walls[-1]["present"], "0")
        self.assertEqual(self.table("-w", "walls", "--time", "0.1")[-1]["present"], "1")
        for i, wall in enumerate(walls):
            for axis in "xyz":
                load = sum(float(c["force_n"]) * float(c["n" + axis]) + float(c["force_t" + axis])
                           for c in contacts if int(c["b"]) == -1 - i)
                self.assertAlmostEqual(float(wall["force_" + axis]), load, delta=1e-9 * (1 + abs(load)))

    def test_steps_hold_the_certificate(self):
        rows = self.table("--what", "steps")
        self.assertEqual(len(rows), 150)
        self.assertEqual(list(rows[0])[:3], ["step", "time", "contacts"])
        self.assertEqual({"steps/" + name for name in rows[0]},
                         {name for name in self.data if name.startswith("steps/")})
        for name in rows[0]:
            got = numpy.array([float(row[name]) for row in rows])
            numpy.testing.assert_array_equal(got, self.data["steps/" + name].astype(float))
        self.assertTrue(any("residual" in name for name in rows[0]))

    def test_frames_are_chosen_by_number_and_time(self):
        last = self.call("table", "heap.h5").stdout
        self.assertEqual(self.call("table", "heap.h5", "--frame", "6").stdout, last)
        self.assertEqual(self.call("table", "heap.h5", "--frame=-1").stdout, last)
        self.assertEqual(self.call("table", "heap.h5", "--time", "100").stdout, last)
        rows = self.table("--all")
        self.assertEqual(len(rows), 7 * 120)
        self.assertEqual(list(rows[0])[:3], ["frame", "time", "id"])
        self.assertEqual({row["frame"] for row in rows}, {str(i) for i in range(7)})
        second = [row for row in rows if row["frame"] == "2"]
        self.assertEqual([row["x"] for row in second], [row["x"] for row in self.table("--time", "0.11")])
        self.one_error(self.call("table", "heap.h5", "--frame", "7", status=2), "from -7 to 6")
        self.one_error(self.call("table", "heap.h5", "--frame", "1", "--all", status=2), "only one of")
        self.one_error(self.call("table", "heap.h5", "-w", "steps", "-f", "1", status=2), "steps")

    def test_info_and_summary_tell_the_same(self):
        text = self.call("info", "heap.h5").stdout
        for words in ["scene: heap.yaml", "grains: 120", "materials: stone", "frames: 7", "gate",
                      "state: finished", "150 steps"]:
            self.assertIn(words, text)
        iterations = self.data["steps/iterations"]
        for report in (text, self.summary):
            self.assertIn(f"iterations: mean {iterations.mean():.1f}, maximum {iterations.max()}", report)
            self.assertIn("energy balance", report)

    def test_overrides_are_kept(self):
        self.call("run", "heap.yaml", "-q", "-o", "short.h5", "-D", "time.end=0.1", "-D", "seed=5")
        data = datasets(self.path / "short.h5")
        self.assertEqual([o.decode() for o in data["scene/overrides"]], ["time.end=0.1", "seed=5"])
        self.assertEqual(data["frames/time"][-1], data["steps/time"][-1])
        self.assertAlmostEqual(data["frames/time"][-1], 0.1, delta=1e-9)
        self.assertEqual(data["scene/text"].decode(), (self.path / "heap.yaml").read_text())
        self.assertIn("time.end=0.1", self.call("info", "short.h5").stdout)

    def test_result_does_not_depend_on_threads(self):
        self.call("run", "heap.yaml", "-q", "-o", "two.h5", "-j", "2")
        other = datasets(self.path / "two.h5")
        for name, value in self.data.items():
            numpy.testing.assert_array_equal(other[name], value, err_msg=name)


class Laws(ProgramTest):
    """A run that uses every law, and what each of them shows."""

    def prepare(self):
        self.write("laws.yaml", ALL_LAWS)
        type(self).summary = self.call("run", "laws.yaml", "-o", "laws.h5").stderr
        type(self).info = self.call("info", "laws.h5").stdout

    def setUp(self):
        super().setUp()
        self.data = datasets(self.path / "laws.h5")

    def last_contacts(self, name):
        begin, end = self.data["frames/index"][-2:, 0]
        return self.data["frames/contacts/" + name][begin:end]

    def test_contacts_show_torques_and_openings(self):
        rows = list(csv.DictReader(io.StringIO(self.call("table", "laws.h5", "-w", "contacts").stdout)))
        torque = numpy.array([[float(row["torque_" + k]) for k in "xyz"] for row in rows])
        opening = numpy.array([float(row["opening"]) for row in rows])
        numpy.testing.assert_array_equal(torque, self.last_contacts("torque"))
        numpy.testing.assert_array_equal(opening, self.last_contacts("opening"))
        self.assertGreater(numpy.abs(torque).max(), 0)
        self.assertTrue((opening >= 0).any() and (opening < 0).any())
        # rubber has neither cohesion nor torques with itself
        material = self.data["bodies/material"]
        for row, turns, open_by in zip(rows, torque, opening):
            a, b = int(row["a"]), int(row["b"])
            if material[a] == 0 and b >= 0 and material[b] == 0:
                self.assertEqual((turns.tolist(), open_by), ([0, 0, 0], -1))
        self.assertEqual(self.data["steps/bonds"][-1], (opening >= 0).sum())

    def test_torques_are_within_their_bounds(self):
        """Torsion about the normal, rolling across it, each within its coefficient times N + F_C."""
        names = ("a", "b", "normal", "force_normal", "torque")
        for a, b, normal, force, torque in zip(*(self.last_contacts(name) for name in names)):
            about = abs(numpy.dot(torque, normal))
            across = numpy.linalg.norm(torque - numpy.dot(torque, normal) * normal)
            pressure = max(force + 10, 0)  # the largest cohesion
            reduced = 1 / (1 / 0.05 - 1 / 0.4)  # at most: the largest ball inside the drum
            bound = (0.1 * reduced + 1e-3 + 1e-3 * (reduced * pressure) ** (1 / 3)) * pressure
            self.assertLessEqual(across, bound * (1 + 1e-9))
            self.assertLessEqual(about, (0.1 * reduced + 1e-3) * pressure * (1 + 1e-9))

    def test_laws_are_kept(self):
        names = [name.decode() for name in self.data["materials/name"]]
        pairs = [(names[a], names[b]) for a, b in zip(self.data["laws/first"], self.data["laws/second"])]
        self.assertEqual(pairs, [("rubber", "rubber"), ("rubber", "clay"), ("clay", "clay")])
        law = {name[5:]: value for name, value in self.data.items() if name.startswith("laws/")}
        self.assertEqual(len(law), 21 + 2)
        numpy.testing.assert_array_equal(law["friction"], [0.5, 0.4, 0.4])  # the smaller one
        numpy.testing.assert_array_equal(law["friction_static"], [0.7, 0.5, 0.5])
        numpy.testing.assert_array_equal(law["cohesion"], [0, 2, 10])
        numpy.testing.assert_array_equal(law["stiffness"], [5e4, 1e5, numpy.inf])
        numpy.testing.assert_allclose(law["stiffness_tangential"], [3e4, 6e4, numpy.inf])  # 2 / (1/k + 0)
        self.assertEqual((self.data["@engine"], self.data["@theta"]), (0, 0.75))
        rows = list(csv.DictReader(io.StringIO(self.call("table", "laws.h5", "-w", "laws").stdout)))
        self.assertEqual([(row.pop("first"), row.pop("second")) for row in rows], pairs)
        for name in rows[0]:
            numpy.testing.assert_array_equal([float(row[name]) for row in rows], law[name])
        self.assertEqual(len(rows[0]), 21)
        self.one_error(self.call("table", "laws.h5", "-w", "laws", "--all", status=2), "laws")

    def test_info_tells_the_laws(self):
        for words in ["engine: contact dynamics, method auto, tolerance",
                      "theta 0.75: impacts have a restitution of up to 0.333333", "laws at the start:"]:
            self.assertIn(words, self.info)
        lines = self.info.splitlines()
        titles = next(line for line in lines if "friction_static" in line).split()
        row = next(line for line in lines if line.strip().startswith("rubber - clay")).split()[3:]
        table = dict(zip(titles, row))
        self.assertEqual(len(titles), len(row))
        self.assertEqual((table["friction"], table["cohesion"], table["rolling"]), ("0.4", "2", "0.05"))
        self.assertNotIn("damping", titles)  # no pair has any
        clay = next(line for line in lines if line.strip().startswith("clay - clay"))
        self.assertIn("rigid", clay)

    def test_dissipation_is_told_by_law(self):
        names = ["normal", "friction", "rolling", "torsion", "cohesion"]
        sums = [self.data["steps/dissipation_" + name].sum() for name in names]
        parts = ", ".join(f"{name} {value:.4g}" for name, value in zip(names, sums))
        total = self.data["steps/dissipation"].sum()
        self.assertAlmostEqual(sum(sums), total, delta=1e-9 * total)
        for text in (self.info, self.summary):
            self.assertIn(f"dissipation: {total:.4g} in contacts: {parts}", text)
            self.assertIn(f"bonds: {self.data['steps/bonds'][-1]} at the end, "
                          f"{self.data['steps/bonds'].max()} at most", text)
            self.assertIn(f"elastic energy at the end: {self.data['steps/energy_elastic'][-1]:.4g}", text)

    def test_export_holds_torques_and_openings(self):
        self.call("export", "laws.h5", "-o", "out", "--frame=-1")
        arrays, _ = read_vtp(self.path / f"out/contacts_{len(self.data['frames/time']) - 1:06}.vtp")
        numpy.testing.assert_array_equal(arrays["torque"], self.last_contacts("torque"))
        numpy.testing.assert_array_equal(arrays["opening"][:, 0], self.last_contacts("opening"))


def read_array(element):
    """A binary DataArray as VTK writes it."""
    kind = {"Float64": "f8", "Int32": "i4", "Int64": "i8"}[element.get("type")]
    text = element.text.strip()
    blocks, size, last = struct.unpack("<3Q", base64.b64decode(text[:32]))
    head = 4 * -(-8 * (3 + blocks) // 3)
    packed = struct.unpack(f"<{blocks}Q", base64.b64decode(text[:head])[24:])
    body, plain = base64.b64decode(text[head:]), b""
    for i, length in enumerate(packed):
        part, body = zlib.decompress(body[:length]), body[length:]
        assert len(part) == (last if i == blocks - 1 and last else size)
        plain += part
    assert body == b""
    return numpy.frombuffer(plain, "<" + kind).reshape(-1, int(element.get("NumberOfComponents")))


def read_vtp(path):
    root = xml.parse(path).getroot()
    assert root.get("type") == "PolyData" and root.get("compressor") == "vtkZLibDataCompressor"
    assert root.get("header_type") == "UInt64" and root.get("byte_order") == "LittleEndian"
    piece = root.find("PolyData/Piece")
    arrays = {a.get("Name"): read_array(a) for a in piece.iter("DataArray")
              if a.get("Name") not in ("connectivity", "offsets")}
    cells = {}
    for tag in ("Verts", "Lines", "Polys"):
        connectivity, offsets = (read_array(a)[:, 0] for a in piece.find(tag))
        cells[tag] = (connectivity, offsets)
        assert len(offsets) == int(piece.get("NumberOf" + tag))
        assert len(connectivity) == (offsets[-1] if len(offsets) else 0)
        assert len(connectivity) == 0 or connectivity.max() < int(piece.get("NumberOfPoints"))
    assert len(arrays["Points"]) == int(piece.get("NumberOfPoints"))
    return arrays, cells


class Export(ProgramTest):
    def test_vtp_holds_every_frame(self):
        self.call("run", "heap.yaml", "-q")
        self.call("export", "heap.h5", "--to", "vtp", "-o", "out")
        data = datasets(self.path / "heap.h5")
        for kind in ("bodies", "contacts", "walls"):
            sets = xml.parse(self.path / "out" / f"{kind}.pvd").getroot().findall("Collection/DataSet")
            self.assertEqual([float(s.get("timestep")) for s in sets], list(data["frames/time"]))
            for entry in sets:
                read_vtp(self.path / "out" / entry.get("file"))
        arrays, cells = read_vtp(self.path / "out/bodies_000006.vtp")
        numpy.testing.assert_array_equal(arrays["Points"], data["frames/bodies/position"][6])
        numpy.testing.assert_array_equal(arrays["velocity"], data["frames/bodies/velocity"][6])
        numpy.testing.assert_array_equal(arrays["radius"][:, 0], data["bodies/radius"])
        self.assertEqual(len(cells["Verts"][1]), 120)
        arrays, cells = read_vtp(self.path / "out/contacts_000006.vtp")
        begin, end = data["frames/index"][5, 0], data["frames/index"][6, 0]
        numpy.testing.assert_array_equal(arrays["force_normal"][:, 0],
                                         data["frames/contacts/force_normal"][begin:end])
        self.line_ends_are_centres(arrays, cells, data)
        arrays, cells = read_vtp(self.path / "out/walls_000006.vtp")
        self.assertEqual(set(arrays["wall"][:, 0]), {0, 1, 2, 3, 4})  # the gate has gone
        self.assertEqual(len(cells["Polys"][1]), 5)
        low = arrays["Points"][cells["Polys"][0][16:20]]  # the bottom
        numpy.testing.assert_allclose(low[:, 2], 0, atol=1e-12)

    def line_ends_are_centres(self, arrays, cells, data):
        centres, points = data["frames/bodies/position"][6], arrays["Points"]
        lines = numpy.split(cells["Lines"][0], cells["Lines"][1][:-1])
        for line, at, a, b in zip(lines, arrays["point"], arrays["a"][:, 0], arrays["b"][:, 0]):
            expected = [centres[a], at] + ([centres[b]] if b >= 0 else [])
            numpy.testing.assert_array_equal(points[line], expected)

    def test_unwritable_folders_are_told(self):
        self.call("run", "heap.yaml", "-q", "-D", "time.end=0.02")
        self.one_error(self.call("export", "heap.h5", "-o", "no/such/folder", status=1), "no/such/folder")
        self.one_error(self.call("export", "heap.h5", "-o", "heap.yaml", status=1), "heap.yaml")


if __name__ == "__main__":
    sys.exit(unittest.main())
