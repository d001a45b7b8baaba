"""Help, wrong usage, exit statuses, bad files."""
import os
import pty
import re
import shutil
import subprocess
import sys
import unittest

from support import PROGRAM, ProgramTest

COMMANDS = ["run", "check", "info", "table", "export", "measure"]


class Help(ProgramTest):
    def test_every_command_has_its_help(self):
        usage = self.call("--help").stdout
        for command in COMMANDS:
            self.assertIn(f"  {command} ", usage)
            text = self.call(command, "--help").stdout
            self.assertTrue(text.startswith(f"Usage: scree {command} "), text)
            self.assertEqual(self.call("help", command).stdout, text)
            self.assertEqual(self.call(command, "-h").stdout, text)

    def test_version_tells_what_the_build_can_do(self):
        lines = self.call("--version").stdout.splitlines()
        self.assertRegex(lines[0], r"^scree \d+\.\d+\.\d+$")
        told = dict(line.split(maxsplit=1) for line in lines[1:])
        self.assertEqual(list(told), ["threads", "simd", "factors", "gpu", "mpi"])
        self.assertEqual((told["threads"], told["gpu"]), ("yes", "no"))
        self.assertIn(told["mpi"], ("yes", "no"))  # yes where MPI was found
        self.assertRegex(told["simd"], r"^(none, 1|neon, 4|sse2, 4|avx2, 4|avx512, 8) contacts at a time$")
        self.assertIn(told["factors"], ("cholmod", "own"))

    def test_no_line_of_help_is_longer_than_a_window(self):
        for command in ("run", "check", "table", "measure", "plot", "film", "study", "solve"):
            for line in self.call(command, "--help").stdout.splitlines():
                self.assertLessEqual(len(line), 100, line)
                self.assertEqual(line, line.rstrip())

    def options(self, command):
        """The options of a command as its help names them."""
        return [line.split("--")[1].split()[0] for line in self.call(command, "--help").stdout.splitlines()
                if line.startswith("  ") and "--" in line[:8]]

    def test_manual_and_completion_name_every_option(self):
        manual = self.call("--manual").stdout
        reference = self.call("--reference").stdout
        shells = {name: self.call("--completion", name).stdout for name in ("bash", "zsh")}
        self.assertTrue(manual.startswith(".TH SCREE 1"))
        for command in COMMANDS:
            for option in self.options(command):
                for text in shells.values():
                    self.assertIn(f"--{option}", text)
                if option != "help":
                    self.assertIn(f"\\-\\-{option}", manual)
                    self.assertRegex(reference.split(f"## scree {command}\n")[1].split("\n## ")[0], f"`--{option}[` ]")
        self.one_error(self.call("--completion", "fish", status=2), "bash and zsh")

    def completed(self, *words):
        """What bash would offer for the last word."""
        line = " ".join(f"'{word}'" for word in words)
        script = (self.call("--completion", "bash").stdout + f"\nCOMP_WORDS=({line}); COMP_CWORD={len(words) - 1}; "
                  "_scree; printf '%s\\n' \"${COMPREPLY[@]}\"")
        return subprocess.run(["bash"], input=script, text=True, check=True, capture_output=True,
                              cwd=self.path).stdout.split()

    def test_bash_completes_words_and_values(self):
        self.assertEqual(self.completed("scree", "me"), ["measure"])
        self.assertEqual(self.completed("scree", "export", "--to", ""), ["vtp", "vtkhdf", "dump"])
        self.assertEqual(self.completed("scree", "table", "-w", "wa"), ["walls"])
        self.assertEqual(self.completed("scree", "plot", "--what", "ch"), ["chains"])
        self.assertEqual(self.completed("scree", "run", "--res"), ["--restart"])
        self.assertEqual(self.completed("scree", "run", "he"), ["heap.yaml"])

    @unittest.skipUnless(shutil.which("zsh"), "there is no zsh")
    def test_zsh_completes_words_and_values(self):
        """What is passed to zsh's own functions, which are replaced by ones that print it."""
        script = self.call("--completion", "zsh").stdout
        stubs = ("compdef() { }; _describe() { print -l ${(P)2} }; _arguments() { print -rl -- \"$@\" }\n" + script)

        def offered(*words):
            line = " ".join(words)
            return subprocess.run(["zsh", "-f"], input=f"{stubs}\nwords=({line} ''); CURRENT={len(words) + 1}; _scree\n",
                                  text=True, check=True, capture_output=True).stdout.splitlines()

        commands = [line.split(":")[0] for line in offered("scree")]
        self.assertEqual([name for name in commands if name in COMMANDS], COMMANDS)
        for command in COMMANDS:
            given = re.findall(r"^(?:\(.*?\)|\*)?--([\w-]+)", "\n".join(offered("scree", command)), re.M)
            self.assertEqual(sorted(given), sorted(self.options(command)))
        export = offered("scree", "export")
        self.assertTrue(any(line.endswith(":FORMAT:(vtp vtkhdf dump)") for line in export), export)
        self.assertTrue(any(line.startswith("*-D+[") for line in offered("scree", "run")))


class Beginning(ProgramTest):
    def test_new_scenes_run_without_a_warning(self):
        self.assertIn("scree new heap.yaml", self.call("--help").stdout)
        for what in ("tank", "silo", "drum"):
            told = self.call("new", f"{what}.yaml", "-w", what).stdout
            self.assertIn(f"scree run {what}.yaml\n    scree view {what}.h5\n", told)
            result = self.call("run", f"{what}.yaml", "-q", "-D", "time.end=0.1", "-D", "events=[]")
            self.assertEqual(result.stdout + result.stderr, "")
        self.assertEqual(self.call("new", "tank.yaml", "-q", "-F").stdout, "")

    def test_a_scene_that_is_there_is_kept(self):
        (self.path / "mine.yaml").write_text("mine")
        self.one_error(self.call("new", "mine.yaml", status=2), "already exists", "--force")
        self.assertEqual((self.path / "mine.yaml").read_text(), "mine")
        self.one_error(self.call("new", "mine", status=2), "heap.yaml")
        self.one_error(self.call("new", "nowhere/mine.yaml", status=1), "cannot write")

    def test_a_file_in_the_place_of_a_command(self):
        self.one_error(self.call("mine.yaml", status=2), "'scree run mine.yaml'")
        self.one_error(self.call("mine.h5", status=2), "'scree view mine.h5'")


class WrongUsage(ProgramTest):
    def test_misspelled_words_get_a_suggestion(self):
        self.one_error(self.call("rnu", status=2), "did you mean 'run'?")
        self.one_error(self.call("run", "heap.yaml", "--restrat", status=2), "did you mean '--restart'?")
        self.one_error(self.call("run", "heap.yaml", "-x", status=2), "'-x'")
        self.one_error(self.call("zzzzzz", status=2), "zzzzzz", "--help")
        self.one_error(self.call("--verison", status=2), "--verison")

    def test_missing_and_surplus_words_are_told(self):
        self.assertIn("Usage", self.call(status=2).stderr)
        self.one_error(self.call("run", status=2), "needs SCENE.yaml")
        self.one_error(self.call("info", "a", "b", status=2), "unexpected argument")
        self.one_error(self.call("run", "heap.yaml", "-o", status=2), "needs a value")

    def test_bad_values_are_refused(self):
        for threads in ["0", "-3", "2x", ""]:
            self.one_error(self.call("run", "heap.yaml", "-j", threads, status=2), "whole number")
        self.assertFalse((self.path / "heap.h5").exists())
        self.one_error(self.call("table", "x.h5", "--what", "grains", status=2),
                       "bodies|contacts|walls|steps|laws")
        self.one_error(self.call("run", "heap.yaml", "--restart", "--force", status=2), "one of them")


class BadFiles(ProgramTest):
    def test_missing_files_are_told(self):
        self.one_error(self.call("run", "nothing.yaml", status=65), "nothing.yaml")
        self.one_error(self.call("check", "nothing.yaml", status=65), "nothing.yaml")
        for command in ["info", "table", "export"]:
            self.one_error(self.call(command, "no.h5", status=65), "no.h5", "No such file")

    def test_foreign_files_are_refused(self):
        for command in ["info", "table", "export"]:
            self.one_error(self.call(command, "heap.yaml", status=65), "not a run of scree")
            self.one_error(self.call(command, ".", status=65), "not a regular file")

    def test_truncated_runs_are_refused(self):
        self.call("run", "heap.yaml", "-q")
        whole = (self.path / "heap.h5").read_bytes()
        for size in [0, 7, 100, 5000, len(whole) // 2]:
            (self.path / "cut.h5").write_bytes(whole[:size])
            for command in ["info", "table"]:
                self.one_error(self.call(command, "cut.h5", status=65), "cut.h5")

    def test_bad_scenes_are_told_with_their_place(self):
        self.write("bad.yaml", "dimension: 3\nraduis: 4\n")
        result = self.call("check", "bad.yaml", status=65)
        self.assertIn("bad.yaml:2:1: error: ", result.stderr)
        result = self.call("run", "bad.yaml", status=65)
        self.assertIn("bad.yaml:2:1: error: ", result.stderr)
        self.assertFalse((self.path / "bad.h5").exists())

    def test_check_counts_the_grains(self):
        text = self.call("check", "heap.yaml").stdout
        self.assertIn("scene OK", text)
        self.assertIn("120 grains", text)
        self.assertEqual(self.call("check", "heap.yaml", "-q").stdout, "")
        self.assertIn("7 grains", self.call("check", "heap.yaml", "-D", "grains.0.count=7").stdout)


class Output(ProgramTest):
    def test_check_names_the_gates_that_there_are(self):
        inlet = "inlets: {feed: {region: {x: [0, 1], y: [0, 1]}, rate: {number: 5}, radius: 0.1}}\n"
        outlet = "outlets: {hole: {plane: {point: [0, -1], normal: [0, -1]}}}\n"
        scene = "dimension: 2\ntime: {step: 0.01, end: 1}\nmaterials: {stone: {density: 1}}\n"
        scene += "grains: [{position: [5, 0], radius: 0.1}]\n"
        for text, said in ((inlet, "    1 inlet: grains come\n"), (outlet, "    1 outlet: grains leave\n"),
                           (inlet + outlet, "    1 inlet and 1 outlet: grains come and go\n")):
            self.write("gates.yaml", scene + text)
            self.assertIn(said, self.call("check", "gates.yaml").stdout)

    def test_one_of_a_kind_is_singular(self):
        """One grain on one wall, one step and one frame: wherever they are counted."""
        self.write("one.yaml", """\
dimension: 2
gravity: [0, -1]
time: {step: 1, end: 1}
materials: {stone: {density: 1}}
walls: {floor: {plane: {point: [0, 0], normal: [0, 1]}}}
grains: [{at: [[0, 1]], radius: 1}]
output: {every: 1}
""")
        said = [self.call("check", "one.yaml"), self.call("run", "one.yaml")]
        for words in (["info", "one.h5"], ["measure", "one.h5", "--what", "profile", "--frames", "1"], ["measure", "one.h5"],
                      ["view", "one.h5", "--html", "one.html"], ["export", "one.h5", "--to", "dump", "-o", "d"],
                      ["plot", "one.h5", "--what", "certificate", "-o", "one.png"]):
            said.append(self.call(*words))
        text = "\n".join(each.stdout + each.stderr for each in said)
        self.assertNotRegex(text, r"\b1 (\w+ of )?(steps|sweeps|grains|frames|contacts|walls|materials|pairs|blocks)\b")
        for words in ("1 grain, 1 wall, 1 material", "1 step to time 1", "1 contact in the last", "from 1 block"):
            self.assertIn(words, text)

    def test_reader_that_goes_away_is_no_error(self):
        self.call("run", "heap.yaml", "-q")
        for what in ["bodies", "steps"]:
            result = subprocess.run(
                ["bash", "-o", "pipefail", "-c",
                 f'"{PROGRAM}" table heap.h5 --all --what {what} | head -1'],
                cwd=self.path, capture_output=True, text=True, timeout=60)
            self.assertEqual(result.stderr, "")
            self.assertEqual(result.returncode, 0)
            self.assertEqual(len(result.stdout.splitlines()), 1)

    def test_full_standard_output_is_told(self):
        self.call("run", "heap.yaml", "-q")
        with open("/dev/full", "w") as full:
            result = subprocess.run([PROGRAM, "table", "heap.h5"], cwd=self.path, stdout=full,
                                    stderr=subprocess.PIPE, text=True, timeout=60)
        self.assertEqual(result.returncode, 1)
        self.assertIn("standard output", result.stderr)

    def on_terminal(self, extra):
        """What the program writes when standard error is a terminal."""
        leader, follower = pty.openpty()
        # long enough to show progress: the tolerance is out of reach, so every step takes its 300
        # sweeps
        process = subprocess.Popen([PROGRAM, "run", "heap.yaml", "--force", "-D", "time.end=1.5",
                                    "-D", "solver.tolerance=1e-15", "-D", "solver.iterations=300",
                                    "-D", "solver.on_failure=continue"],
                                   cwd=self.path, stderr=follower, env=self.environment(extra))
        os.close(follower)
        text = b""
        while True:
            try:
                part = os.read(leader, 4096)
            except OSError:
                break
            if not part:
                break
            text += part
        os.close(leader)
        self.assertEqual(process.wait(timeout=60), 0)
        return text.decode()

    def test_progress_bar_shows_on_a_terminal_only(self):
        self.assertIn("\r\033[K[", self.on_terminal({"TERM": "xterm"}))
        self.assertNotIn("\033", self.on_terminal({"TERM": "dumb"}))

    def test_no_color_is_obeyed(self):
        leader, follower = pty.openpty()
        subprocess.run([PROGRAM, "rnu"], stderr=follower, env=self.environment({"TERM": "xterm"}))
        self.assertIn(b"\033[1;31m", os.read(leader, 4096))
        subprocess.run([PROGRAM, "rnu"], stderr=follower,
                       env=self.environment({"TERM": "xterm", "NO_COLOR": "1"}))
        self.assertNotIn(b"\033", os.read(leader, 4096))
        os.close(leader)
        os.close(follower)

    def test_quiet_is_silent_and_verbose_tells_frames(self):
        self.assertEqual(self.call("run", "heap.yaml", "-q").stderr, "")
        loud = self.call("run", "heap.yaml", "-v", "--force")
        self.assertIn("frame 6 at time 0.3", loud.stderr)
        self.assertIn("gate", loud.stderr)
        self.assertEqual(loud.stdout, "")
        self.assertNotIn("\033", loud.stderr)


if __name__ == "__main__":
    sys.exit(unittest.main())
