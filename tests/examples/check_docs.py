"""What the documentation names must exist: links, files, functions, commands, options, make targets. Scenes
in the README must be valid, every example must be listed and tested, every field of the certificate explained."""
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ["SCREE"]
PAGES = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "bench" / "README.md",
                *(ROOT / "docs").rglob("*.md")])
ROOMS = ("src", "scene", "io", "cli", "bench", "examples", "tests", "tools", "docs", "include")

FENCE = re.compile(r"^```(\w*)\n(.*?)^```", re.M | re.S)
SPAN = re.compile(r"`([^`\n]+)`")
LINK = re.compile(r"\]\(([^)\s]+)\)")
NAME = re.compile(r"^[a-z][a-z0-9]*(_[a-z0-9]+)+$")


def words_of_sources():
    found = set()
    for room in ("src", "scene", "io", "cli", "include"):
        for path in (ROOT / room).rglob("*.[ch]"):
            found.update(re.findall(r"[A-Za-z_]\w*", path.read_text()))
    for path in (ROOT / "python" / "scree").rglob("*.py"):
        found.update(re.findall(r"^ *def ([a-z]\w*)\(", path.read_text(), re.M))
    return found


def anchor(heading):
    """The anchor that code hosting sites derive from a heading."""
    kept = re.sub(r"[^\w\- ]", "", heading.strip().lower())
    return kept.replace(" ", "-")


def anchors(path):
    text = FENCE.sub("", path.read_text())
    return {anchor(line.lstrip("#")) for line in text.splitlines() if line.startswith("#")}


def blocks(text, *languages):
    return [body for language, body in FENCE.findall(text) if language in languages]


def help_of(*words):
    result = subprocess.run([PROGRAM, *words, "--help"], capture_output=True, text=True, timeout=60)
    return result.stdout + result.stderr


class Docs(unittest.TestCase):
    def pages(self):
        return [(path, path.read_text()) for path in PAGES]

    def has(self, found, where, what):
        self.assertTrue(found, f"{where.relative_to(ROOT)}: {what}")

    def test_links_lead_somewhere(self):
        for path, text in self.pages():
            for target in LINK.findall(FENCE.sub("", text)):
                if re.match(r"https?://", target):
                    continue
                name, _, place = target.partition("#")
                file = (path.parent / name).resolve() if name else path
                self.has(file.exists(), path, f"no file for the link {target}")
                if place:
                    self.has(place in anchors(file), path, f"no heading for the link {target}")

    def test_paths_exist(self):
        for path, text in self.pages():
            for span in SPAN.findall(FENCE.sub("", text)):
                for word in span.split():
                    if word.split("/")[0] in ROOMS and "/" in word:
                        exists = list(ROOT.glob(word.rstrip("/,:"))) or self.is_run_file_path(word)
                        self.has(exists, path, f"no file {word}")

    def is_run_file_path(self, word):
        """Names of datasets in docs/run-file.md look like paths, too."""
        return f"`{word}`" in (ROOT / "docs" / "run-file.md").read_text()

    def test_functions_exist(self):
        known = words_of_sources()
        for path, text in self.pages():
            for span in SPAN.findall(FENCE.sub("", text)):
                if NAME.match(span):
                    self.has(span in known, path, f"no function or field {span}")

    def test_functions_stand_in_the_files_that_pages_name(self):
        named = re.compile(r"((?:`\w+`(?:,| and)? )+)in `(\w+/[\w/]+\.[ch])`")
        found = 0
        for path, text in self.pages():
            for functions, file in named.findall(text):
                words = set(re.findall(r"\w+", (ROOT / file).read_text()))
                for function in re.findall(r"`(\w+)`", functions):
                    found += 1
                    self.has(function in words, path, f"no {function} in {file}")
        self.assertGreater(found, 10)

    def test_commands_and_options_exist(self):
        commands = re.findall(r"^  (\w+) ", help_of(), re.M)
        self.assertIn("run", commands)
        helps = {command: help_of(command) for command in commands}
        for path, text in self.pages():
            lines = [line for body in blocks(text, "") for line in body.splitlines()]
            for line in lines + SPAN.findall(FENCE.sub("", text)):
                match = re.match(r"^(?:\$ )?(?:build/release/)?scree ([a-z]+)\b(.*)$", line)
                if not match or match.group(1) == "COMMAND":
                    continue
                self.has(match.group(1) in commands, path, f"no such command: {line}")
                for option in re.findall(r"(?<![\w-])--[a-z-]+", match.group(2).split("|")[0]):
                    self.has(option in helps[match.group(1)], path, f"no option {option}: {line}")

    def test_make_targets_exist(self):
        makefile = (ROOT / "Makefile").read_text()
        targets = set(re.search(r"^\.PHONY: (.*)$", makefile, re.M).group(1).split())
        for path, text in self.pages():
            lines = [line for body in blocks(text, "") for line in body.splitlines()]
            for line in lines + SPAN.findall(FENCE.sub("", text)):
                match = re.match(r"^make ([a-z-]+)", line)
                if match:
                    self.has(match.group(1) in targets, path, f"no such target: {line}")

    def test_scenes_of_the_readme_are_valid(self):
        scenes = blocks((ROOT / "README.md").read_text(), "yaml")
        self.assertTrue(scenes)
        with tempfile.TemporaryDirectory() as folder:
            for number, scene in enumerate(scenes):
                path = pathlib.Path(folder) / f"scene{number}.yaml"
                path.write_text(scene)
                result = subprocess.run([PROGRAM, "check", str(path)], capture_output=True, text=True, timeout=60)
                self.assertEqual(result.returncode, 0, result.stderr)

    def test_every_example_is_listed_and_tested(self):
        index = (ROOT / "docs" / "README.md").read_text()
        tests = "".join(path.read_text() for path in (ROOT / "tests" / "examples").glob("test_*.py"))
        tutorial = (ROOT / "tests" / "docs" / "test_tutorial.py").read_text()
        for path in sorted((ROOT / "examples").glob("*.yaml")):
            self.assertIn(f"(../examples/{path.name})", index)
            if path.stem.startswith("tutorial_"):
                self.assertIn(f'"{path.stem}"', tutorial)
            else:
                self.assertIn(f'run_example("{path.stem}"', tests)
        for path in (ROOT / "examples").glob("*.c"):
            self.assertIn(f"(../examples/{path.name})", index)

    def test_scenes_of_the_gallery_are_shown_and_sound(self):
        page = (ROOT / "docs" / "gallery.md").read_text()
        scenes = sorted((ROOT / "examples" / "gallery").glob("*.yaml"))
        self.assertGreaterEqual(len(scenes), 8)
        for path in scenes:
            self.assertIn(f"scree run examples/gallery/{path.name} ", page)
            result = subprocess.run([PROGRAM, "check", "-q", str(path)], capture_output=True, text=True, timeout=60)
            self.assertEqual(result.returncode, 0, result.stderr)

    def test_every_field_of_the_certificate_is_explained(self):
        header = (ROOT / "include" / "scree" / "world.h").read_text()
        listed = header.split("#define SCREE_REPORT_MAP(X)")[1].split("typedef")[0]
        fields = re.findall(r"X\((?:int64_t|double), (\w+),", listed)
        self.assertGreater(len(fields), 20)
        page = (ROOT / "docs" / "certificate.md").read_text()
        for field in fields:
            self.assertIn(f"`{field}`", page)

    def test_every_preset_and_page_is_named(self):
        presets = re.findall(r'"configurePreset": "(\w+)"', (ROOT / "CMakePresets.json").read_text())
        text = (ROOT / "CONTRIBUTING.md").read_text()
        for preset in presets:
            self.assertIn(f"`{preset}`", text)
        index = (ROOT / "docs" / "README.md").read_text()
        for path in (ROOT / "docs").rglob("*.md"):
            if path.name != "README.md":
                self.assertIn(f"({path.relative_to(ROOT / 'docs')})", index)

    def test_pictures_are_small(self):
        for path in (ROOT / "docs" / "pictures").iterdir():
            self.assertLess(path.stat().st_size, 300_000, path.name)

    def test_pictures_are_shown(self):
        """None is left over from a page that no longer exists."""
        text = "".join(text for _, text in self.pages()) + (ROOT / "viewer" / "README.md").read_text()
        for path in (ROOT / "docs" / "pictures").glob("*.png"):
            self.assertIn(f"pictures/{path.name})", text)


if __name__ == "__main__":
    unittest.main()
