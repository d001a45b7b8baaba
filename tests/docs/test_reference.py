"""Pages written by programs are up to date, and leave nothing out."""
import os
import pathlib
import re
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ["SCREE"]


def printed(*words):
    return subprocess.run(words, capture_output=True, text=True, check=True, timeout=60).stdout


class Reference(unittest.TestCase):
    def same(self, page, text):
        self.assertTrue((ROOT / "docs" / page).read_text() == text, f"docs/{page} is not up to date: make pages")

    def test_commands_page_is_up_to_date(self):
        self.same("commands.md", printed(PROGRAM, "--reference"))

    def test_library_page_is_up_to_date(self):
        self.same("library.md", printed(sys.executable, str(ROOT / "tools" / "library-page")))

    def test_library_has_everything(self):
        """Every function that the library exports, every struct and enum of the headers."""
        page = (ROOT / "docs" / "library.md").read_text()
        code = "\n".join(re.findall(r"^```c\n(.*?)^```", page, re.M | re.S))
        seen = 0
        for header in (ROOT / "include" / "scree").glob("*.h"):
            text = re.sub(r"/\*.*?\*/", "", header.read_text(), flags=re.S)
            functions = re.findall(r"SCREE_API[^;]*?\b(scree_\w+)\(", text)
            seen += len(functions)
            for name in functions:
                self.assertRegex(code, re.compile(rf"^\w[\w ]* \*?{name}\(", re.M))
            for name in re.findall(r"typedef (?:struct|enum) (Scree\w+) ?\{", text):
                self.assertRegex(code, rf"typedef (struct|enum) {name} \{{")
        self.assertGreater(seen, 80)

    def test_maps_are_whole(self):
        """Every entry of the lists of laws and of the certificate is a row."""
        page = (ROOT / "docs" / "library.md").read_text()
        for file, name, pattern in (("laws.h", "SCREE_LAW_MAP", r"X\((\w+),"),
                                    ("world.h", "SCREE_REPORT_MAP", r"X\(\w+, (\w+),")):
            header = (ROOT / "include" / "scree" / file).read_text()
            entries = re.findall(pattern, header.split(f"#define {name}(X)")[1].split("\n\n")[0])
            rows = re.findall(r"^\| `(\w+)` \|", page.split(f"`{name}`:")[1].split("```")[0], re.M)
            self.assertGreater(len(entries), 10)
            self.assertEqual(rows, entries)


if __name__ == "__main__":
    unittest.main()
