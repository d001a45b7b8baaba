"""The builder says everything that scene files can say, with the same bits and the same messages."""
import inspect
import os
import pathlib
import subprocess
import sys
import tempfile
import typing
import unittest

import numpy as np

import scree
from scree.study import _loader
from support import EXAMPLES, ROOT, call

METHODS = {"materials": ["add_material"], "pairs": ["add_pair"], "shapes": ["add_shape"], "inlets": ["add_inlet"],
           "outlets": ["add_outlet"], "bonds": ["add_bonds"], "events": ["add_event"], "measures": ["add_measure"],
           "grains": ["add_grains", "fill", "lattice"],
           "walls": [f"add_{shape}" for shape in ("plane", "segment", "box", "block", "cylinder", "drum", "mesh", "cone",
                                                  "disc", "plate", "holder")]}


def read(path):
    import yaml

    return yaml.load(pathlib.Path(path).read_text(), Loader=_loader(yaml))


def python_name(key):
    return "from_" if key == "from" else key


def rebuilt(scene):
    """The same scene, made by the methods of the builder."""
    builder = scree.Builder(**{key: value for key, value in scene.items() if key not in METHODS})
    for section, entries in scene.items():
        for name, entry in entries.items() if isinstance(entries, dict) and section in METHODS else enumerate(entries) \
                if section in METHODS else ():
            method, given = METHODS[section][0], dict(entry)
            if section == "walls":
                shape = next(key for key in given if f"add_{key}" in METHODS["walls"])
                method, given = f"add_{shape}", {**given.pop(shape), **given}
            elif section == "grains":
                method = next((key for key in ("fill", "lattice") if key in given), "add_grains")
                given = {**given.pop(method, {}), **given}
            given = {python_name(key): value for key, value in given.items()}
            getattr(builder, method)(*([name] if isinstance(name, str) else []), **given)
    return builder


class EveryKey(unittest.TestCase):
    """Each key of the schema is an argument of a method, or stands in the type of a mapping."""

    @classmethod
    def setUpClass(cls):
        cls.schema = scree.schema()
        cls.root = {key["name"]: key for key in cls.schema[0]["keys"]}

    def arguments(self, method):
        return set(inspect.signature(getattr(scree.Builder, method)).parameters) - {"self", "name"}

    def test_settings(self):
        single = {name for name, key in self.root.items() if key["value"] not in ("a list", "named entries")}
        self.assertEqual(self.arguments("__init__"), single - {"extends"})
        self.assertEqual(self.arguments("set"), single - {"extends", "dimension"})
        self.assertEqual(set(self.root) - single, set(METHODS))

    def test_entries(self):
        for section, methods in METHODS.items():
            wanted = {key["name"]: key for key in self.schema[self.root[section]["section"]]["keys"]}
            reached = set()
            for method in methods:
                part = wanted.get(method.removeprefix("add_") if section == "walls" else method)
                inner = {python_name(key["name"]) for key in self.schema[part["section"]]["keys"]} if part else set()
                arguments = self.arguments(method)
                self.assertLessEqual(inner, arguments, method)
                reached |= (arguments - inner) | ({part["name"]} if part else set())
            self.assertEqual(reached, set(wanted), section)

    def test_mappings(self):
        """Each type of a mapping has the keys of its section, and demands those that the schema demands."""
        kinds = [getattr(scree.keys, name) for name in scree.keys.__all__]
        for section in self.schema:
            names = {key["name"] for key in section["keys"]}
            needed = {key["name"] for key in section["keys"] if key["required"]}
            found = [kind for kind in kinds if set(kind.__annotations__) == names and kind.__required_keys__ == needed]
            self.assertTrue(found, section["name"])
        self.assertEqual(len(kinds), len(self.schema))
        self.assertTrue(typing.get_type_hints(scree.keys.SceneKeys))

    def test_files_are_those_of_the_schema(self):
        subprocess.run([sys.executable, str(ROOT / "tools" / "scene-keys")], check=True)


class Examples(unittest.TestCase):
    def setUp(self):
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(EXAMPLES)

    def test_all_can_be_made(self):
        count = 0
        for path in sorted(EXAMPLES.glob("*.yaml")):
            scene = read(path)
            if "extends" in scene or "materials" not in scene:
                continue
            with self.subTest(path.name):
                self.assertEqual(rebuilt(scene).keys, scene)
                count += 1
        self.assertGreater(count, 50)

    def test_they_have_the_same_bits(self):
        for name in ("hopper", "silo_feed", "drum", "dam", "arch", "vibrated", "from_csv"):
            path = EXAMPLES / f"{name}.yaml"
            with self.subTest(name):
                builder = rebuilt(read(path))
                wanted = scree.load_scene(path)
                self.assertEqual(builder.build().world.hash(), wanted.world.hash())
                with tempfile.TemporaryDirectory() as folder:  # far from the files that it names
                    builder.save(pathlib.Path(folder) / "again.yaml")
                    found = scree.load_scene(pathlib.Path(folder) / "again.yaml")
                self.assertEqual(found.world.hash(), wanted.world.hash())
                self.assertEqual(found.step(5).tobytes(), wanted.step(5).tobytes())


class Making(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(folder.name)
        self.tank = scree.Builder(dimension=2, gravity=(0, -10), time={"step": 2e-3, "end": 0.1})
        self.tank.add_material("stone", density=2600, friction=0.5)

    def test_a_scene_from_scratch(self):
        tank = self.tank
        self.assertEqual(tank.add_box("tank", min=np.zeros(2), max=(1, 2), open=["top"]), "tank")
        self.assertEqual(tank.add_segment("ramp", from_=(0.2, 1), to=(0.6, 0.8)), "ramp")
        self.assertEqual(tank.lattice(min=(0.1, 1.2), counts=(4, 3), spacing=0.2, radius=np.float32(0.0625)), 0)
        self.assertEqual(tank.fill(min=(0, 0), max=(1, 0.7), count=np.int64(20),
                                   radius=scree.keys.Radius(uniform=(0.03, 0.05))), 1)
        self.assertEqual(tank.add_event(at=0.05, remove="ramp"), 0)
        tank.set(output={"every": 0.02})
        scene = tank.build()
        self.assertEqual((len(scene.world), scene.output_every), (32, 0.02))
        self.assertEqual(scene.wall_names, ["tank.left", "tank.right", "tank.bottom", "ramp"])
        np.testing.assert_array_equal(scene.world.radius[:12], 0.0625)  # as a lattice has them, in their order
        np.testing.assert_allclose(scene.world.position[:3, 0], [0.2, 0.4, 0.6], atol=1e-15)
        self.assertNotEqual(tank.build(seed=2).world.hash(), scene.world.hash())
        tank.save("tank.yaml")
        call("run", "tank.yaml", "-o", "tank.h5", "--quiet")
        scene.run()
        with scree.open_run("tank.h5") as run:
            np.testing.assert_array_equal(run.frames[-1].position, scene.world.position)
        self.assertIn("from: [0.2, 1]", str(tank))
        self.assertIn("2 walls", repr(tank))
        self.assertIn("<pre>", tank._repr_html_())

    def test_what_was_made_stays(self):
        self.tank.add_grains(at=[[0, 0], [1, 0]], radius=[0.1, 0.2])
        keys, scene = self.tank.keys, self.tank.build()
        keys["grains"][0]["radius"] = 5
        self.assertEqual(self.tank.keys["grains"][0]["radius"], [0.1, 0.2])
        self.tank.add_grains(position=(3, 0), radius=0.3)
        self.assertEqual((len(scene.world), len(self.tank.build().world)), (2, 3))

    def test_mistakes_are_told_where_they_are_made(self):
        tank = self.tank
        tank.add_grains(position=(9, 9), radius=1)
        for use, words in (
                (lambda: tank.add_material("ice", frictoin=1), "add_material: .*'frictoin'; did you mean 'friction'"),
                (lambda: tank.fill(min=(0, 0), max=(1, 1), radius=-1, count=3), r"grains\[1\].radius must be greater than 0"),
                (lambda: tank.fill(min=(0, 0), max=(1, 1), radius={"unifrom": 1}, count=3),
                 r"'unifrom' in grains\[1\].radius; did you mean 'uniform'"),
                (lambda: tank.add_box("tank", min=(0, 0)), "add_box: 'max' is missing"),
                (lambda: tank.add_box("a b", min=(0, 0), max=(1, 1)), "'a b' is not a valid name in walls; use up to"),
                (lambda: tank.add_box(5, min=(0, 0), max=(1, 1)), "name: a text is needed, not 5"),
                (lambda: tank.add_material("stone"), "there is 'stone' in materials already"),
                (lambda: tank.add_grains(position=(0, 1), rock={"faces": 9}), "exists only in three dimensions"),
                (lambda: tank.set(gravity="down"), "gravity must be a list of 2 numbers"),
                (lambda: tank.add_material("x", density=object()), "cannot stand in a scene"),
                (lambda: scree.Builder(dimension=2), "Builder: 'time' is missing"),
                (lambda: scree.Builder(dimension=5, time={"step": 1, "end": 2}), "dimension must be 2 or 3")):
            before = tank.keys
            with self.assertRaisesRegex(scree.ArgumentError, words):
                use()
            self.assertEqual(tank.keys, before, "nothing has changed")
        tank.add_grains(position=(0, 0), radius=0.1, material="stome")
        with self.assertRaisesRegex(scree.SceneError, "(?s)'stome'.*did you mean 'stone'"):  # needs the whole scene
            tank.build()


if __name__ == "__main__":
    unittest.main()
