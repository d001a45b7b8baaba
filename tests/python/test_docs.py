"""What docs/python.md shows works: its code is run from top to bottom, and its commands too."""
import os
import pathlib
import re
import shlex
import tempfile
import unittest
import xml.etree.ElementTree

import matplotlib

matplotlib.use("Agg")

from support import ROOT, call

PAGE = ROOT / "docs" / "python.md"
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```", re.M | re.S)


class Docs(unittest.TestCase):
    def test_code_of_the_page_runs(self):
        home = os.getcwd()
        self.addCleanup(os.chdir, home)
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            pathlib.Path("examples").symlink_to(ROOT / "examples")
            names, count = {}, 0
            for language, body in BLOCK.findall(PAGE.read_text()):
                if language == "python":
                    exec(compile(body, f"{PAGE.name}, block {count}", "exec"), names)
                    count += 1
                    continue
                for line in body.splitlines():
                    if line.startswith("scree "):
                        call(*shlex.split(line)[1:])
            self.assertGreater(count, 6)
            for name in ("grains.png", "chains.svg", "certificate.png", "forces.png", "energy.png",
                         "hopper-certificate.png"):
                self.assertGreater(pathlib.Path(name).stat().st_size, 5000, name)
            xml.etree.ElementTree.parse("chains.svg")
            names["run"].close()
            os.chdir(home)

    def test_names_on_the_page_exist(self):
        """Every name of the package that the page mentions exists."""
        import scree.plot

        for path in set(re.findall(r"`scree\.([\w.]+)", PAGE.read_text())):
            thing = scree
            for part in path.split("."):
                self.assertTrue(hasattr(thing, part), path)
                thing = getattr(thing, part)

    def test_everything_has_a_docstring(self):
        import scree.plot

        for module in (scree, scree.plot):
            for name in module.__all__:
                thing = getattr(module, name)
                if callable(thing):
                    self.assertTrue(thing.__doc__, name)
        for kind in (scree.World, scree.Scene, scree.Run, scree.Frame, scree.Wall, scree.Problem):
            for name in dir(kind):
                if not name.startswith("_") and (callable(getattr(kind, name)) or
                                                 isinstance(getattr(kind, name), property)):
                    self.assertTrue(getattr(kind, name).__doc__, f"{kind.__name__}.{name}")

    def test_every_function_has_hints(self):
        """Every function of the package says what it takes and returns."""
        import ast

        for path in sorted((ROOT / "python" / "scree").rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.FunctionDef):
                    where = f"{path.name}:{node.lineno} {node.name}"
                    self.assertIsNotNone(node.returns, where)
                    arguments = node.args.posonlyargs + node.args.args + node.args.kwonlyargs
                    for argument in arguments + [extra for extra in (node.args.vararg, node.args.kwarg) if extra]:
                        if argument.arg not in ("self", "cls"):
                            self.assertIsNotNone(argument.annotation, f"{where}: {argument.arg}")

    def test_files_are_short(self):
        for path in sorted((ROOT / "python").rglob("*.py")):
            lines = path.read_text().splitlines()
            self.assertLess(len(lines), 500, path.name)
            self.assertLessEqual(max(map(len, lines), default=0), 120, path.name)


if __name__ == "__main__":
    unittest.main()
