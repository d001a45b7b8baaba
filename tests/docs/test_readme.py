"""The README: its scene, its commands and the message about a mistake; then commands of other pages on the same run."""
import re
import subprocess
import unittest

from support import PROGRAM, ROOT, PageTest, pages

PAGE = ROOT / "README.md"


class Readme(PageTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        scene = next(text for language, text in pages.blocks(PAGE) if language == "yaml")
        (cls.folder / "heap.yaml").write_text(scene)
        (cls.folder / "bad.yaml").write_text(scene.replace("radius", "raduis"))
        (cls.folder / "examples").symlink_to(ROOT / "examples")
        cls.shown = {text.splitlines()[0][2:]: text.splitlines()[1:] for language, text in pages.blocks(PAGE)
                     if language == "" and text.startswith("$ scree ")}
        cls.said = {line: subprocess.run([PROGRAM, *line.split("|")[0].split()[1:]], cwd=cls.folder, capture_output=True,
                                         text=True, timeout=120) for line in cls.shown}

    def one(self, start):
        """What the page shows after the command that begins like this, and what the command printed."""
        line = next(line for line in self.shown if line.startswith(start))
        return self.shown[line], self.said[line]

    def test_run_prints_the_lines_shown(self):
        """The same lines apart from the numbers; all steps converge."""
        shown, said = self.one("scree run heap.yaml")
        self.assertEqual(said.returncode, 0)
        lines = said.stderr.splitlines()
        for line in shown[1:]:
            self.assertTrue(any(found.split(":")[0].strip(" 0123456789") == line.split(":")[0].strip(" 0123456789")
                                for found in lines), line)
        self.assertIn("0 steps did not converge", said.stderr)

    def test_table_has_the_columns_shown(self):
        """The command's columns are those shown, and the walls are those of a tank that is open above."""
        line = next(line for line in self.shown if line.startswith("scree table heap.h5"))
        found = pages.call(PROGRAM, line, self.folder).splitlines()
        self.assertEqual([row.split(",")[0] for row in found], [row.split(",")[0] for row in self.shown[line]])
        self.assertEqual(found[0], self.shown[line][0])

    def test_mistake_gets_the_message_shown(self):
        """To the letter, as the page shows it."""
        shown, said = self.one("scree check bad.yaml")
        self.assertEqual(said.returncode, 65)
        self.assertEqual(said.stderr.splitlines(), shown)

    def test_warning_states_the_numbers_shown(self):
        """The chain's stiffness and sound speed."""
        shown, said = self.one("scree run examples/chain.yaml")
        for number in (r"a stiffness of [\d.]+", r"a sound speed of [\d.]+", r"a length of only [\d.]+"):
            self.assertEqual(re.search(number, said.stderr).group(), re.search(number, "\n".join(shown)).group())

    def test_commands_of_other_pages_run_on_this_heap(self):
        """The commands of measures.md and viewer.md run on this heap; the page in the browser has its own tests."""
        count = 0
        for name in ("measures.md", "viewer.md"):
            for language, text in pages.blocks(ROOT / "docs" / name):
                for line in pages.commands(text) if language == "" else ():
                    if not line.startswith("scree view") or "--html" in line:
                        pages.call(PROGRAM, line, self.folder)
                        count += 1
        self.assertGreater(count, 5)

    def test_commands_in_the_prose_run(self):
        for line in re.findall(r"`(scree (?:plot|measure|run) heap[^`]*)`", PAGE.read_text()):
            pages.call(PROGRAM, line, self.folder)


if __name__ == "__main__":
    unittest.main()
