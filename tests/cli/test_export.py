"""Export as VTKHDF and as LAMMPS dumps: what is written is what the run holds, in the formats' own layouts."""
import shutil
import subprocess
import unittest

import h5py
import numpy

from support import EXAMPLES, ProgramTest, datasets, limit_files
from test_tables import read_vtp

VERTEX, POLY_LINE, POLYGON = 1, 4, 7  # VTK's numbers of cells


def read_vtkhdf(path):
    """An unstructured grid of VTKHDF 1.0: values by name, cells as lists of points, types."""
    with h5py.File(path) as file:
        root = file["VTKHDF"]
        assert list(root.attrs["Version"]) == [1, 0]
        kind = root.attrs.get_id("Type").get_type()
        assert not kind.is_variable_str() and root.attrs["Type"] == b"UnstructuredGrid"
        count = {name: int(root[f"NumberOf{name}"][0]) for name in ("Points", "Cells", "ConnectivityIds")}
        points, offsets, corners = root["Points"][:], root["Offsets"][:], root["Connectivity"][:]
        assert points.shape == (count["Points"], 3) and len(offsets) == count["Cells"] + 1
        assert len(corners) == count["ConnectivityIds"] == offsets[-1] and offsets[0] == 0
        types = root["Types"][:]
        assert types.dtype == numpy.uint8 and len(types) == count["Cells"]
        values = {name: data[:] for part in ("PointData", "CellData") if part in root for name, data in root[part].items()}
        lengths = {count["Cells"] if "CellData" in root else count["Points"]}
        assert {len(data) for data in values.values()} == lengths
    return values, points, [corners[a:b] for a, b in zip(offsets[:-1], offsets[1:])], types


def read_dump(path, rows):
    """The frames of a dump: a dictionary each, with the columns as arrays."""
    lines, frames = iter(path.read_text().splitlines()), []
    for line in lines:
        assert line == "ITEM: TIME", line
        frame = {"time": float(next(lines))}
        assert next(lines) == "ITEM: TIMESTEP"
        frame["step"] = int(next(lines))
        assert next(lines) == f"ITEM: NUMBER OF {rows}"
        count = int(next(lines))
        *head, x, y, z = next(lines).split()
        assert head == ["ITEM:", "BOX", "BOUNDS"]
        frame["ends"] = [x, y, z]
        frame["box"] = numpy.array([next(lines).split() for _ in range(3)], float)
        names = next(lines).split()
        assert names[:2] == ["ITEM:", rows]
        table = numpy.array([next(lines).split() for _ in range(count)], float).reshape(count, len(names) - 2)
        frame.update(zip(names[2:], table.T))
        frames.append(frame)
    return frames


class Export(ProgramTest):
    def run_heap(self, *words):
        self.call("run", "heap.yaml", "-q", *words)
        return datasets(self.path / "heap.h5")

    def test_vtkhdf_holds_the_run(self):
        data = self.run_heap()
        self.assertIn("series", self.call("export", "heap.h5", "--to", "vtkhdf").stderr)
        out = self.path / "heap-vtkhdf"
        self.assertEqual(len(list(out.iterdir())), 3 * len(data["frames/time"]))
        values, points, cells, types = read_vtkhdf(out / "bodies_000006.hdf")
        numpy.testing.assert_array_equal(points, data["frames/bodies/position"][6])
        numpy.testing.assert_array_equal(values["velocity"], data["frames/bodies/velocity"][6])
        numpy.testing.assert_array_equal(values["radius"], data["bodies/radius"])
        numpy.testing.assert_array_equal(numpy.concatenate(cells), numpy.arange(120))
        self.assertEqual(set(types), {VERTEX})

    def test_both_formats_of_vtk_hold_the_same(self):
        self.call("run", str(EXAMPLES / "arch.yaml"), "-q", "-D", "time.end=0.02", "-o", "arch.h5")
        self.call("export", "arch.h5", "--frame=-1", "-o", "vtp", "-q")
        self.call("export", "arch.h5", "--frame=-1", "--to", "vtkhdf", "-o", "hdf", "-q")
        for kind, tag, cell in (("bodies", "Verts", VERTEX), ("contacts", "Lines", POLY_LINE),
                                ("walls", "Lines", POLY_LINE), ("outlines", "Polys", POLYGON)):
            name = next((self.path / "vtp").glob(f"{kind}_*.vtp")).stem
            arrays, lists = read_vtp(self.path / "vtp" / f"{name}.vtp")
            values, points, cells, types = read_vtkhdf(self.path / "hdf" / f"{name}.hdf")
            self.assertEqual(set(types), {cell}, kind)
            numpy.testing.assert_array_equal(points, arrays.pop("Points"))
            numpy.testing.assert_array_equal(numpy.concatenate(cells), lists[tag][0])
            numpy.testing.assert_array_equal(numpy.cumsum([len(one) for one in cells]), lists[tag][1])
            self.assertEqual(set(values), set(arrays))
            for field, found in values.items():
                numpy.testing.assert_array_equal(found.reshape(arrays[field].shape), arrays[field], field)

    def test_dump_holds_the_grains(self):
        data = self.run_heap()
        self.assertIn("OVITO", self.call("export", "heap.h5", "--to", "dump").stderr)
        frames = read_dump(self.path / "heap-dump/grains.dump", "ATOMS")
        self.assertEqual([frame["time"] for frame in frames], list(data["frames/time"]))
        self.assertEqual([frame["step"] for frame in frames], list(data["frames/step"]))
        numpy.testing.assert_array_equal(frames[6]["id"], numpy.arange(1, 121))
        numpy.testing.assert_array_equal(frames[6]["type"], data["bodies/material"] + 1)
        numpy.testing.assert_array_equal(frames[6]["radius"], data["bodies/radius"])
        for names, field in (("x y z", "position"), ("vx vy vz", "velocity"), ("omegax omegay omegaz", "spin"),
                             ("quatw quati quatj quatk", "orientation")):
            found = numpy.column_stack([frames[6][name] for name in names.split()])
            numpy.testing.assert_array_equal(found, data[f"frames/bodies/{field}"][6])
        place, radius = data["frames/bodies/position"][6], data["bodies/radius"][:, None]
        numpy.testing.assert_array_equal(frames[6]["box"][:, 0], (place - radius).min(axis=0))
        numpy.testing.assert_array_equal(frames[6]["box"][:, 1], (place + radius).max(axis=0))
        self.assertEqual(frames[6]["ends"], ["ff"] * 3)

    def test_dump_holds_the_contacts_that_press(self):
        data = self.run_heap()
        self.call("export", "heap.h5", "--to", "dump", "-o", "out", "--frame=-1")
        (frame,) = read_dump(self.path / "out/contacts.dump", "BONDS")
        rows = slice(data["frames/index"][-2, 0], data["frames/index"][-1, 0])
        b, state = data["frames/contacts/b"][rows], data["frames/contacts/state"][rows]
        kept = (b >= 0) & (state != 0)
        self.assertTrue(0 < kept.sum() < len(b))
        for name, field in (("batom1", "a"), ("batom2", "b")):
            numpy.testing.assert_array_equal(frame[name], data[f"frames/contacts/{field}"][rows][kept] + 1)
        numpy.testing.assert_array_equal(frame["force_normal"], data["frames/contacts/force_normal"][rows][kept])
        tangential = numpy.linalg.norm(data["frames/contacts/force_tangential"][rows][kept], axis=1)
        numpy.testing.assert_allclose(frame["force_tangential"], tangential, rtol=1e-14)
        numpy.testing.assert_array_equal(frame["sliding"], state[kept] == 2)

    def test_solids_are_surfaces(self):
        """Bars are closed surfaces of their volume wherever they are; OVITO gets one mesh for their type."""
        self.call("run", str(EXAMPLES / "tower.yaml"), "-q", "-D", "time.end=0.1", "-o", "tower.h5")
        self.call("export", "tower.h5", "-o", "out", "-q")
        arrays, cells = read_vtp(self.path / "out/outlines_000001.vtp")
        triangles = arrays["Points"][cells["Polys"][0].reshape(-1, 3)]
        owner = arrays["id"][:, 0]
        volumes = numpy.bincount(owner, numpy.linalg.det(triangles) / 6)
        numpy.testing.assert_allclose(volumes, [0.75 * 0.25 * 0.15] * 15, rtol=1e-5)
        self.call("export", "tower.h5", "--to", "dump", "-o", "dump", "-q", "--frame=-1")
        (frame,) = read_dump(self.path / "dump/grains.dump", "ATOMS")
        self.assertEqual(set(frame["type"]) | set(frame["material"]), {1})
        rows = [line.split() for line in (self.path / "dump/shape-1.obj").read_text().splitlines()]
        points = numpy.array([row[1:] for row in rows if row[0] == "v"], float) * frame["radius"][0]
        faces = numpy.array([row[1:] for row in rows if row[0] == "f"], int) - 1
        self.assertAlmostEqual(numpy.linalg.det(points[faces]).sum() / 6, 0.75 * 0.25 * 0.15, places=9)
        self.assertFalse((self.path / "dump/shape-2.obj").exists())
        corners = self.call("table", "tower.h5", "-w", "corners", "--frame=0").stdout.splitlines()
        self.assertEqual((corners[0], len(corners)), ("body,part,corner,x,y,z,rounding", 1 + 15 * 8))

    def test_dump_marks_periodic_directions(self):
        self.call("run", str(EXAMPLES / "periodic_shear.yaml"), "-q", "-D", "time.end=0.05", "-o", "shear.h5")
        self.call("export", "shear.h5", "--to", "dump", "-o", "out", "--frame=-1", "-q")
        (frame,) = read_dump(self.path / "out/grains.dump", "ATOMS")
        self.assertEqual(frame["ends"], ["pp", "ff", "ff"])
        numpy.testing.assert_array_equal(frame["box"][0], [0, 1])

    def test_full_disk_is_one_error(self):
        self.run_heap("-D", "time.end=0.1")
        for form, name in (("vtkhdf", "hdf"), ("dump", "dump"), ("vtp", "vtp")):
            self.one_error(self.call("export", "heap.h5", "--to", form, "-o", "out", status=1,
                                     preexec_fn=limit_files(4096)), f".{name}")

    def test_other_formats_are_refused(self):
        self.run_heap("-D", "time.end=0.01")
        self.one_error(self.call("export", "heap.h5", "--to", "stl", status=2), "vtp|vtkhdf|dump")

    @unittest.skipUnless(shutil.which("lmp"), "there is no LAMMPS")
    def test_lammps_reads_the_dump(self):
        data = self.run_heap("-D", "time.end=0.1")
        self.call("export", "heap.h5", "--to", "dump", "-o", "out", "-q")
        last = int(data["frames/step"][-1])
        self.write("in.lmp", "units si\natom_style sphere\nboundary f f f\nregion b block -1 3 -1 2 -1 4\n"
                   f"create_box 1 b\nread_dump out/grains.dump {last} x y z vx vy vz box yes add keep\n"
                   "variable n equal count(all)\nvariable z equal xcm(all,z)\nprint \"FOUND $n ${z}\"\n")
        said = subprocess.run(["lmp", "-in", "in.lmp", "-log", "none"], cwd=self.path, capture_output=True, text=True,
                              timeout=60).stdout
        count, height = said.split("FOUND ")[-1].split()[:2]
        self.assertEqual(int(count), 120)
        self.assertAlmostEqual(float(height), data["frames/bodies/position"][-1][:, 2].mean(), places=5)


if __name__ == "__main__":
    unittest.main()
