"""The HTML file: it holds the run, stays within its budget, says what it left out, and asks for nothing."""
import base64
import json
import pathlib
import re
import unittest
import zlib

import h5py
import numpy as np
import odd_runs
from support import SCENE, GRID16, ProgramTest, decode

PAGE = pathlib.Path(__file__).resolve().parents[2] / "viewer" / "dist" / "viewer.html"
ELEMENT = re.compile(r'<script type="text/plain" data-scree="([^"]+)">([^<]*)</script>')


def content(text):
    return {name: zlib.decompress(base64.b64decode(data, validate=True)) for name, data in ELEMENT.findall(text)}


class Html(ProgramTest):
    def setUp(self):
        super().setUp()
        self.write("heap.yaml", SCENE.replace("output: {every: 0.05}", "output: {every: 0.002}"))

    def write_html(self, *words, status=0):
        result = self.call("view", "heap.h5", "--html", "heap.html", "--force", *words, status=status)
        text = (self.path / "heap.html").read_text() if status == 0 else ""
        return text, result.stderr

    def test_page_holds_the_whole_run(self):
        self.call("run", "heap.yaml", "-q")
        text, said = self.write_html()
        self.assertIn("151 frames", said)
        self.assertNotIn("kept", said)
        parts = content(text)
        manifest = json.loads(parts["manifest"])
        with h5py.File(self.path / "heap.h5") as run:
            self.assertEqual(manifest["frames"]["time"], list(run["frames/time"][:]))
            origin, least = np.array(manifest["origin"]), run["bodies/radius"][:].min()
            for k in [0, 17, 150]:
                block = decode(parts[f"bodies/{k}"])
                error = np.abs(block["position"].values + origin - run["frames/bodies/position"][k]).max()
                self.assertEqual(block["position"].kind, GRID16)  # 16 bits, since the difference does not show
                self.assertLess(error, 1e-3 * least)
                rows = slice(run["frames/index"][k - 1, 0] if k else 0, run["frames/index"][k, 0])
                active = run["frames/contacts/state"][rows] != 0
                contacts = decode(parts[f"contacts/{k}"])
                self.assertEqual(list(contacts["a"].values[:, 0]), list(run["frames/contacts/a"][rows][active]))
                self.assertEqual(list(contacts["row"].values[:, 0]), list(np.flatnonzero(active)))

    def test_page_asks_for_nothing(self):
        self.call("run", "heap.yaml", "-q", "-D", "time.end=0.02")
        text, _ = self.write_html()
        head = text[:text.index("<style>")]
        self.assertIn("default-src 'none'", head)
        page = ELEMENT.sub("", text)
        self.assertNotRegex(page, r'<(script|link|img|iframe)[^>]+(src|href)="(?!data:,")')
        self.assertIn("Permission is hereby granted", text)  # the licence of three.js

    def test_budget_thins_the_frames_evenly(self):
        self.call("run", "heap.yaml", "-q", "-D", "grains.0.count=150", "-D", "grains.0.fill.max=[1, 1, 3]")
        whole, page = len(self.write_html()[0]), PAGE.stat().st_size
        self.assertEqual(whole, len(self.write_html("--budget", "100")[0]))
        budget = page + 0.7 * (whole - page)
        fewer = self.write_html("--budget", f"{1e-6 * budget:.5f}")
        self.assertLessEqual(len(fewer[0]), budget)
        self.assertRegex(fewer[1], r"\d+ of 151 frames were kept")
        manifest = json.loads(content(fewer[0])["manifest"])
        numbers = manifest["frames"]["number"]
        self.assertEqual((numbers[0], numbers[-1]), (0, 150))
        self.assertEqual(manifest["total_frames"], 151)
        gaps = np.diff(numbers)
        self.assertLessEqual(gaps.max() - gaps.min(), 1)  # evenly
        self.assertGreater(len(fewer[0]), page + 0.5 * (whole - page))  # and not many more than needed
        # too little for anything
        self.one_error(self.call("view", "heap.h5", "--html", "no.html", "--budget", f"{1e-6 * page:.5f}", status=1), "budget")
        self.assertFalse((self.path / "no.html").exists())

    def test_contacts_are_left_out_weakest_first(self):
        self.call("run", "heap.yaml", "-q", "-D", "output.every=0.05", "-D", "time.end=1.5", "-D", "grains.0.count=200",
                  "-D", "grains.0.fill.max=[1, 1, 3]")
        whole, page, thinned = len(self.write_html()[0]), PAGE.stat().st_size, 0
        for share in [0.9, 0.8, 0.7, 0.6]:
            budget = page + share * (whole - page)
            text, said = self.write_html("--budget", f"{1e-6 * budget:.5f}")
            self.assertLessEqual(len(text), budget)
            if "strongest" in said:
                thinned += 1
                parts = content(text)
                kept = json.loads(parts["manifest"])["contact_share"][0]
                with h5py.File(self.path / "heap.h5") as run:
                    k = json.loads(parts["manifest"])["frames"]["number"][-1]
                    rows = slice(run["frames/index"][k - 1, 0], run["frames/index"][k, 0])
                    force = np.abs(run["frames/contacts/force_normal"][rows])
                    active = run["frames/contacts/state"][rows] != 0
                    block = decode(parts[f"contacts/{len(json.loads(parts['manifest'])['frames']['number']) - 1}"])
                    chosen = block["row"].values[:, 0].astype(int)
                    self.assertEqual(len(chosen), int(kept * active.sum()))
                    left = np.setdiff1d(np.flatnonzero(active), chosen)
                    self.assertGreaterEqual(force[chosen].min(), force[left].max())
        self.assertGreater(thinned, 0, "no budget made contacts be left out")

    def test_odd_runs_get_a_page_or_an_error(self):
        """One frame, no frame, no grains: there is a page all the same; a damaged run gets an error."""
        self.call("run", "heap.yaml", "-q", "-D", "time.end=0.02")
        for kind, frames, grains in (("one-frame", 1, 120), ("no-frame", 0, 120), ("no-grain", 11, 0)):
            odd_runs.make(self.path / "heap.h5", self.path / f"{kind}.h5", kind)
            self.call("view", f"{kind}.h5", "--html", f"{kind}.html")
            manifest = json.loads(content((self.path / f"{kind}.html").read_text())["manifest"])
            self.assertEqual((len(manifest["frames"]["time"]), manifest["bodies"]), (frames, grains))
        whole = (self.path / "heap.h5").read_bytes()
        (self.path / "torn.h5").write_bytes(whole[: len(whole) // 2])
        self.one_error(self.call("view", "torn.h5", "--html", "torn.html", status=65), "torn.h5")
        self.assertFalse((self.path / "torn.html").exists())

    def test_wrong_usage_is_told(self):
        self.call("run", "heap.yaml", "-q", "-D", "time.end=0.01")
        for budget in ["0", "-1", "x", "nan"]:
            self.one_error(self.call("view", "heap.h5", "--html", "x.html", "--budget", budget, status=2), "--budget")
        self.one_error(self.call("view", "heap.h5", "--budget", "5", status=2), "--html")
        self.one_error(self.call("view", "heap.h5", "--html", "nowhere/x.html", status=1), "nowhere/x.html")

    def test_two_runs_share_a_page_and_its_budget(self):
        self.call("run", "heap.yaml", "-q")
        self.call("run", "heap.yaml", "-q", "-o", "short.h5", "-D", "time.end=0.02")
        alone = {}
        for name in ("heap", "short"):
            self.call("view", f"{name}.h5", "--html", "one.html", "--force")
            alone[name] = len((self.path / "one.html").read_text())
        page = PAGE.stat().st_size
        both = page + sum(size - page for size in alone.values())
        # half of the room is too little for one of them, but the other leaves enough
        for budget, frames in ((page + 1.15 * (both - page), 151), (both - 0.3 * (alone["heap"] - page), None)):
            self.call("view", "short.h5", "heap.h5", "--html", "two.html", "--force", "--budget", f"{1e-6 * budget:.6f}")
            text = (self.path / "two.html").read_text()
            self.assertLessEqual(len(text), budget)
            parts = content(text)
            first, second = (json.loads(parts[name]) for name in ("manifest", "beside/manifest"))
            self.assertEqual((first["file"], first["beside"], second["file"], second["beside"]),
                             ("short.h5", True, "heap.h5", False))
            self.assertEqual(len(first["frames"]["time"]), 11)
            kept = len(second["frames"]["time"])
            self.assertTrue(kept == frames if frames else 60 <= kept < 151, kept)
            for prefix, count in (("", 11), ("beside/", kept)):
                self.assertEqual(sum(name.startswith(f"{prefix}bodies/") for name in parts), count)
        self.one_error(self.call("view", "heap.h5", "./heap.h5", status=2), "one file")
        self.one_error(self.call("view", "heap.h5", "short.h5", "heap.h5", status=2), "at most two")
        self.one_error(self.call("view", "short.h5", "heap.h5", "--html", "heap.h5", "--force", status=1), "the input itself")

    def test_text_of_the_scene_stays_text(self):
        self.write("heap.yaml", SCENE + "# </script><script>alert(1)</script> <!-- \"quoted\" \\ \u00e9\n")
        self.call("run", "heap.yaml", "-q", "-D", "time.end=0.01")
        text, _ = self.write_html()
        self.assertNotIn("alert(1)", text)
        self.assertIn("alert(1)</script> <!-- \"quoted\" \\ \u00e9", json.loads(content(text)["manifest"])["scene_text"])


if __name__ == "__main__":
    unittest.main()
