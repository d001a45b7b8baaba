"""What the server sends is what is in the run file, to the last bit that the format has room for."""
import json
import unittest

import h5py
import numpy as np
from support import FLAT, SCENE, ProgramTest, Server, decode


class Blocks(ProgramTest):
    def same(self, column, truth, what):
        truth = np.asarray(truth, dtype=float).reshape(column.values.shape)
        error = np.abs(column.values - truth)
        self.assertTrue((error <= column.bound(truth)).all(), f"{what}: off by {error.max(initial=0)}")

    def compare(self, scene):
        self.write("heap.yaml", scene)
        self.call("run", "heap.yaml", "-q")
        with Server(self, "heap.h5") as server, h5py.File(self.path / "heap.h5") as run:
            manifest = json.loads(server.get("manifest"))
            origin = np.array(manifest["origin"])
            flat = run.attrs["dimension"] == 2
            self.assertEqual(manifest["frames"]["time"], list(run["frames/time"][:]))
            self.assertEqual(manifest["bodies"], len(run["bodies/radius"]))
            self.assertEqual(manifest["scene_text"], scene)
            constants = decode(server.get("constants"))
            for name in ["radius", "mass", "inertia", "material"]:
                self.same(constants[name], run[f"bodies/{name}"][:], name)
            begin = 0
            for k in range(len(run["frames/time"])):
                end = run["frames/index"][k, 0]
                self.bodies(server, run, k, flat, origin, slice(begin, end))
                self.contacts(server, run, k, flat, origin, slice(begin, end))
                begin = end

    def part(self, values, flat, turning=False):
        """Two numbers of a vector in the plane, one of a spin or torque."""
        if not flat or values.ndim < 2:
            return values
        return values[:, 2:] if turning else values[:, :2]

    def bodies(self, server, run, k, flat, origin, rows):
        block = decode(server.get(f"bodies/{k}"))

        def get(name):
            return run[f"frames/bodies/{name}"][k]

        position = self.part(get("position") - origin, flat)
        # rounding of the difference itself: the server subtracts before it rounds
        self.assertLess(np.abs(block["position"].values - position).max(), 1e-6)
        self.same(block["velocity"], self.part(get("velocity"), flat), "velocity")
        self.same(block["spin"], self.part(get("spin"), flat, True), "spin")
        self.same(block["orientation"], get("orientation"), "orientation")
        for name in ["velocity", "spin", "load", "load_torque", "normal", "displacement"]:
            self.same(block[f"w.{name}"], run[f"frames/walls/{name}"][k], name)
        # coordination and force of each grain, by counting
        a, b = run["frames/contacts/a"][rows], run["frames/contacts/b"][rows]
        active = run["frames/contacts/state"][rows] != 0
        force = np.abs(run["frames/contacts/force_normal"][rows])
        count, total = np.zeros(len(position)), np.zeros(len(position))
        for side in (a, b):
            chosen = active & (side >= 0)
            np.add.at(count, side[chosen], 1)
            np.add.at(total, side[chosen], force[chosen])
        self.same(block["coordination"], count, "coordination")
        self.same(block["force"], total, "force")

    def contacts(self, server, run, k, flat, origin, rows):
        block = decode(server.get(f"contacts/{k}"))

        def get(name):
            return run[f"frames/contacts/{name}"][rows]

        for name in ["a", "b", "state", "gap", "force_normal"]:
            self.same(block[name], get(name), name)
        for name in ["normal", "force_tangential"]:
            self.same(block[name], self.part(get(name), flat), name)
        if len(get("a")) > 0:
            self.assertLess(np.abs(block["point"].values - self.part(get("point") - origin, flat)).max(), 1e-6)
        for name, there in [("torque", np.any(get("torque") != 0)), ("opening", np.any(get("opening") >= 0))]:
            self.assertEqual(name in block, bool(there), name)
            if there:
                self.same(block[name], self.part(get(name), flat, True), name)

    def test_blocks_in_space_hold_the_run(self):
        self.compare(SCENE)

    def test_blocks_in_the_plane_hold_the_run(self):
        self.compare(FLAT)

    def test_exact_rows_have_every_bit(self):
        self.call("run", "heap.yaml", "-q")
        with Server(self, "heap.h5") as server, h5py.File(self.path / "heap.h5") as run:
            for body in [0, 7, 119]:
                row = json.loads(server.get(f"exact/3/body/{body}"))
                for name in ["position", "velocity", "spin", "orientation"]:
                    self.assertEqual(row[name], list(run[f"frames/bodies/{name}"][3, body]))
            first = run["frames/index"][5, 0]
            row = json.loads(server.get("exact/6/contact/4"))
            self.assertEqual(row["force_normal"], run["frames/contacts/force_normal"][first + 4])
            row = json.loads(server.get("exact/6/wall/0"))
            self.assertEqual(row["load"], list(run["frames/walls/load"][6, 0]))

    def test_certificate_is_sent_whole(self):
        self.call("run", "heap.yaml", "-q")
        with Server(self, "heap.h5") as server, h5py.File(self.path / "heap.h5") as run:
            steps = decode(server.get("steps"))
            self.same(steps["time.end"], run["steps/time"][:], "time")  # 150 steps: one piece each
            self.same(steps["residual.h"], run["steps/residual"][:], "residual")
            self.same(steps["iterations.l"], run["steps/iterations"][:], "iterations")
            lost = np.cumsum(run["steps/dissipation"][:] + run["steps/dissipation_scheme"][:])
            self.assertLess(np.abs(steps["dissipation.h"].values[:, 0] - lost).max(), 1e-6 * lost[-1])

    def run_few_steps(self, gravity, walls_and_grains):
        self.write("heap.yaml", f"""\
dimension: {gravity.count(",") + 1}
gravity: {gravity}
time: {{step: 2e-3, end: 0.004}}
materials:
  stone: {{density: 2600, friction: 0.5}}
{walls_and_grains}""")
        self.call("run", "heap.yaml", "-q")

    def test_bonds_are_sent(self):
        """A row of five hangs on a frozen disk."""
        self.write("row.yaml", """\
dimension: 2
gravity: [0, -1]
time: {step: 0.01, end: 0.02}
materials: {stone: {density: 100, friction: 0.5}}
grains:
  - {radius: 0.1, position: [0, 0], frozen: all}
  - {radius: 0.1, at: [[0, -0.2], [0, -0.4], [0, -0.6], [0, -0.8], [0, -1]]}
bonds: {glue: {tension: 100, shear: 100}}
output: {every: 0.01}
""")
        self.call("run", "row.yaml", "-q")
        with Server(self, "row.h5") as server, h5py.File(self.path / "row.h5") as run:
            block = decode(server.get("contacts/2"))
            begin, end = run["frames/index"][1, 0], run["frames/index"][2, 0]
            load = run["frames/contacts/bond_load"][begin:end]
            self.assertEqual(len(load), 5)
            self.assertTrue((block["bond"].values == 1).all())
            self.same(block["bond_load"], load, "loads")
            self.assertNotIn("bond", decode(server.get("contacts/0")))  # no contacts yet

    def test_corners_of_polygons_are_sent(self):
        self.run_few_steps("[0, -9.81]", """\
walls:
  floor: {plane: {point: [0, 0], normal: [0, 1]}}
grains:
  - {random_polygon: {corners: [5, 8], radius: {uniform: [0.02, 0.04]}}, count: 9, fill: {min: [0, 0], max: [1, 1]}}
""")
        with Server(self, "heap.h5") as server, h5py.File(self.path / "heap.h5") as run:
            constants = decode(server.get("constants"))
            corners = [name for name in run["shapes"] if "corner" in name] if "shapes" in run else []
            self.assertTrue(corners or "shapes" in run, list(run))
            ends = constants["part.corner_end"].values[:, 0]
            self.assertEqual(ends[-1], len(constants["corner"].values))
            self.assertEqual(sorted(constants["shape"].values[:, 0]), list(range(9)))
            # every corner lies within the circle that holds the shape, and one of them on it
            begin = 0
            for shape, end in enumerate(ends.astype(int)):
                reach = np.hypot(*constants["corner"].values[begin:end].T).max()
                body = int(np.flatnonzero(constants["shape"].values[:, 0] == shape)[0])
                self.assertAlmostEqual(reach, constants["radius"].values[body, 0], places=6)
                begin = end

    def test_faces_of_solids_are_sent_once(self):
        self.run_few_steps("[0, 0, -9.81]", """\
walls:
  floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}
grains:
  - {box: {size: [0.2, 0.4, 0.6], rounding: 0.05}, at: [[0, 0, 1], [1, 0, 1], [2, 0, 1]]}
  - {radius: 0.1, position: [0, 1, 1]}
  - {regular: {faces: 12, radius: 0.1}, position: [1, 1, 1]}
""")
        with Server(self, "heap.h5") as server:
            constants = {name: column.values for name, column in decode(server.get("constants")).items()}
        shape = constants["shape"][:, 0].astype(int)
        self.assertEqual(len(set(shape[:3])), 1)
        self.assertEqual(shape[3], -1)
        self.assertEqual(len(constants["shape.part_end"]), 2)
        part = int(constants["shape.part_end"][shape[0], 0]) - 1  # each has one part
        self.assertAlmostEqual(constants["part.rounding"][part, 0], 0.05, places=7)
        ends = [np.concatenate([[0], constants[name][:, 0]]).astype(int)
                for name in ("part.corner_end", "part.face_end", "face.loop_end")]
        for body, (corners, faces, size) in {0: (8, 6, 4), 4: (20, 12, 5)}.items():
            number = int(constants["shape.part_end"][shape[body], 0]) - 1
            place = constants["corner"][ends[0][number]:ends[0][number + 1]]
            loops = [constants["loop.vertex"][ends[2][face]:ends[2][face + 1], 0].astype(int)
                     for face in range(ends[1][number], ends[1][number + 1])]
            self.assertEqual((len(place), len(loops), {len(loop) for loop in loops}), (corners, faces, {size}))
            for loop in loops:  # counterclockwise seen from outside
                a, b, c = place[loop[:3]]
                self.assertGreater(np.cross(b - a, c - b) @ place[loop].mean(axis=0), 0)
            if body == 0:  # without its rounding, which comes on top
                np.testing.assert_allclose(np.abs(place), [[0.05, 0.15, 0.25]] * 8, atol=1e-7)

    def test_the_cell_of_each_frame_is_sent(self):
        self.write("cell.yaml", """\
dimension: 2
time: {step: 0.1, end: 1}
periodic: {x: [0, 4], y: [0, 5]}
cell: {rate: {xy: 0.3, yy: 0.1}}
materials: {disk: {density: 1}}
grains: [{position: [1, 1], radius: 0.5}]
output: {every: 0.5}
""")
        self.call("run", "cell.yaml", "-q")
        with Server(self, "cell.h5") as server:
            edges = decode(server.get("bodies/2"))["cell.edge"].values
        height = 5 * 1.01**10  # each step h -> (1 + L dt) h
        lean = sum(0.03 * 5 * 1.01**k for k in range(10))
        np.testing.assert_allclose(edges, [[4, 0, 0], [lean, height, 0], [0, 0, 0]], rtol=1e-6)

    def test_walls_of_triangles_are_sent(self):
        self.run_few_steps("[0, 0, -9.81]", """\
walls:
  floor: {plane: {point: [0, 0, -1], normal: [0, 0, 1]}}
  roof: {mesh: {vertices: [[0, 0, 0], [1, 0, 0], [1, 1, 0.5], [0, 1, 0.5]], faces: [[0, 1, 2], [0, 2, 3]]}}
  sheet: {mesh: {vertices: [[3, 0, 0], [4, 0, 0], [4, 0, 1]], faces: [[0, 1, 2]]}}
grains:
  - {radius: 0.1, position: [0.5, 0.5, 1]}
""")
        with Server(self, "heap.h5") as server, h5py.File(self.path / "heap.h5") as run:
            constants = decode(server.get("constants"))
            self.same(constants["mesh.vertex"], run["meshes/vertices/position"][:], "vertices")
            self.same(constants["mesh.corner"], run["meshes/triangles/corner"][:].reshape(-1, 1), "corners")
            self.same(constants["wall.mesh"], [-1, 0, 1], "meshes of walls")
            self.same(constants["mesh.vertex_end"], [4, 7], "vertices up to each mesh")
            self.same(constants["mesh.face_end"], [2, 3], "triangles up to each mesh")


if __name__ == "__main__":
    unittest.main()
