"""The server refuses what it should, follows a run that goes on, and ends when told."""
import json
import os
import resource
import signal
import socket
import subprocess
import sys
import time
import unittest

import odd_runs
from support import PROGRAM, ProgramTest, Server


class Refusals(ProgramTest):
    def setUp(self):
        super().setUp()
        self.call("run", "heap.yaml", "-q", "-D", "time.end=0.02")
        self.write("secret.txt", "nobody may read this")

    def refused(self, answer, status):
        self.assertEqual(answer[0], status, answer)
        self.assertNotIn(b"nobody may read", answer[2])
        self.assertNotIn(b"<html", answer[2])
        self.assertNotIn("access-control-allow-origin", {name.lower() for name in answer[1]})

    def test_address_is_local_and_secret(self):
        with Server(self, "heap.h5") as server, Server(self, "heap.h5") as other:
            self.assertRegex(server.address, r"^http://127\.0\.0\.1:\d+/[0-9a-f]{32}/$")
            self.assertNotEqual(server.prefix, other.prefix)
            status, headers, page = server.request(server.prefix)
            self.assertEqual(status, 200)
            self.assertIn(b"<!doctype html>", page)
            self.assertNotIn("Access-Control-Allow-Origin", headers)
            self.assertEqual(headers["Cache-Control"], "no-store")
            # the secret of one server is not that of another
            self.refused(server.request(other.prefix), 403)

    def test_wrong_tokens_are_refused(self):
        with Server(self, "heap.h5") as server:
            word = server.prefix.strip("/")
            near = word[:-1] + ("0" if word[-1] != "0" else "1")
            for path in ["/", "", "//", f"/{near}/", f"/{word[:-1]}/", f"/{word}0/", f"/{word}", "/manifest", f"/{near}/manifest",
                         f"/{word.upper()}x/", "/" + 32 * "0" + "/"]:
                if path:
                    self.refused(server.request(path), 403)

    def test_foreign_hosts_are_refused(self):
        with Server(self, "heap.h5") as server:
            for host in ["evil.example", f"evil.example:{server.port}", "127.0.0.1", "127.0.0.1:1", "localhost", "",
                         f"127.0.0.1:{server.port}.evil.example", f"0.0.0.0:{server.port}"]:
                self.refused(server.request(server.prefix, host=host), 403)
            self.assertEqual(server.request(server.prefix, host=f"localhost:{server.port}")[0], 200)

    def test_path_tricks_find_nothing(self):
        with Server(self, "heap.h5") as server:
            for name in ["../secret.txt", "..%2fsecret.txt", "%2e%2e/secret.txt", "secret.txt", "/etc/passwd", "//etc/passwd",
                         "bodies/../secret.txt", "bodies/-1", "bodies/99999", "bodies/0x1", "bodies/01", "bodies/0/", "bodies/ 0",
                         "bodies/", "bodies", "contacts/1e0", "bodies/99999999999999999999999", "exact/0/body/120",
                         "exact/0/body/", "exact/0/body/0/0", "exact/0/nothing/0", "exact//body/0", "manifest/", "manifest%00",
                         "steps/0", "heap.h5", "."]:
                self.refused(server.request(server.prefix + name.replace(" ", "%20")), 404)

    def test_a_second_run_has_names_of_its_own(self):
        self.call("run", "heap.yaml", "-q", "-o", "other.h5", "-D", "time.end=0.01")
        with Server(self, "heap.h5") as server:
            self.refused(server.request(server.prefix + "beside/manifest"), 404)
        with Server(self, "heap.h5", "other.h5") as server:
            first, second = (json.loads(server.request(server.prefix + name)[2]) for name in ("manifest", "beside/manifest"))
            self.assertEqual([first["beside"], second["beside"], second["file"]], [True, False, "other.h5"])
            self.assertEqual([len(first["frames"]["time"]), len(second["frames"]["time"])], [2, 2])
            self.assertEqual(server.request(server.prefix + "beside/bodies/1")[0], 200)
            for name in ["beside/beside/manifest", "beside", "beside/", "beside/bodies/2", "beside//manifest"]:
                self.refused(server.request(server.prefix + name), 404)

    def test_methods_other_than_get_are_refused(self):
        with Server(self, "heap.h5") as server:
            for method in ["POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "HEAD"]:
                answer = server.request(server.prefix, method=method)
                self.refused(answer, 405)
                self.assertEqual(answer[1]["Allow"], "GET")
            answer = server.request(server.prefix + "manifest", method="POST", headers={"Content-Length": "4"}, body=b"true")
            self.refused(answer, 405)

    def test_oversized_requests_are_survived(self):
        with Server(self, "heap.h5") as server:
            for path, headers in [("/" + 200000 * "a", {}), (server.prefix, {"X-Long": 200000 * "a"})]:
                try:
                    status = server.request(path, headers=headers)[0]
                except OSError:
                    continue  # the server hung up
                self.assertIn(status, [400, 403, 413, 414, 431])
            server.get("manifest")  # the server goes on

    def test_other_addresses_are_not_served(self):
        with Server(self, "heap.h5") as server:
            found = subprocess.run(["hostname", "-I"], capture_output=True, text=True)
            for address in ["127.0.0.2", *[a for a in found.stdout.split() if ":" not in a]]:
                with self.assertRaises(OSError):
                    socket.create_connection((address, server.port), timeout=5).close()

    def test_opening_address_works_once(self):
        (self.path / "bin").mkdir()
        opener = self.path / "bin" / "xdg-open"
        opener.write_text('#!/bin/sh\nprintf %s "$1" >"$0.told.new" && mv "$0.told.new" "$0.told"\n')
        opener.chmod(0o755)
        environment = {**os.environ, "PATH": f"{self.path}/bin:{os.environ['PATH']}", "DISPLAY": ":0"}
        process = subprocess.Popen([PROGRAM, "view", "heap.h5"], cwd=self.path, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   text=True, env=environment)
        self.addCleanup(process.communicate)
        self.addCleanup(process.terminate)
        address = process.stdout.readline().strip()
        told = self.path / "bin" / "xdg-open.told"
        for _ in range(200):
            if told.exists():
                break
            time.sleep(0.05)
        opening = told.read_text()
        self.assertNotIn(address.split("/")[3], opening)  # the secret is not among the arguments of a process
        import urllib.request
        with urllib.request.urlopen(opening) as answer:
            self.assertEqual(answer.geturl(), address)
        with self.assertRaises(urllib.error.HTTPError) as caught:
            urllib.request.urlopen(opening)
        self.assertEqual(caught.exception.code, 403)


class Crowds(ProgramTest):
    """Slow clients keep nobody out: half-open ones, those that dribble, those that never read the answer."""
    CROWD = 1000

    def setUp(self):
        super().setUp()
        limits = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = self.CROWD + 100
        if limits[0] < wanted:
            resource.setrlimit(resource.RLIMIT_NOFILE, (min(wanted, limits[1]), limits[1]))
        self.call("run", "heap.yaml", "-q", "-D", "time.end=0.02")
        self.crowd = []

    def tearDown(self):
        for client in self.crowd:
            client.close()
        super().tearDown()

    def knock(self, server, words=b""):
        """One more slow client, which sends these words and then nothing, and never reads."""
        client = socket.socket()
        self.crowd.append(client)
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        client.settimeout(20)
        client.connect(("127.0.0.1", server.port))
        self.send(client, words)

    @staticmethod
    def send(client, words):
        try:
            client.sendall(words)
        except OSError:
            pass  # the server has hung up

    @staticmethod
    def gone(client):
        """Whether the server has hung up, whatever it may have sent before."""
        client.setblocking(False)
        try:
            while client.recv(65536):
                pass
            return True
        except BlockingIOError:
            return False
        except OSError:
            return True

    def honest(self, server, most=5):
        """An honest client is answered; `most` [s] is for a slow machine under load."""
        begin = time.monotonic()
        server.get("manifest")
        self.assertLess(time.monotonic() - begin, most)

    def end(self, server, number=signal.SIGTERM):
        begin = time.monotonic()
        server.process.send_signal(number)
        self.assertEqual(server.process.wait(timeout=10), 0)
        self.assertLess(time.monotonic() - begin, 1)

    def request(self, server, name="", secret=None):
        return f"GET {secret or server.prefix}{name} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n".encode()

    def test_half_open_clients_keep_nobody_out(self):
        with Server(self, "heap.h5") as server:
            for count in range(self.CROWD):
                self.knock(server)
                if count % 100 == 99:
                    self.honest(server)
            self.end(server)

    def test_clients_that_dribble_keep_nobody_out(self):
        with Server(self, "heap.h5") as server:
            words = self.request(server, "manifest")
            for _ in range(self.CROWD):
                self.knock(server, words[:1])
            for position in range(1, 15):
                for client in self.crowd:
                    self.send(client, words[position:position + 1])
                self.honest(server)
                time.sleep(0.1)
            self.end(server)

    def test_clients_that_never_read_keep_nobody_out(self):
        with Server(self, "heap.h5") as server:
            wrong = "/" + 32 * "0" + "/"
            for count in range(self.CROWD):  # with the secret and without; one request, and many in a row
                self.knock(server, self.request(server, secret=wrong if count % 2 else None) * (1 + count % 3))
                if count % 100 == 99:
                    self.honest(server, most=10)
            self.end(server)

    def test_a_crowd_that_keeps_coming_keeps_nobody_out(self):
        flood = """import socket
clients = []
while True:
    clients.append(socket.socket())
    clients[-1].setblocking(False)
    clients[-1].connect_ex(("127.0.0.1", PORT))
    if len(clients) > 400:
        clients.pop(0).close()
"""
        with Server(self, "heap.h5") as server:
            crowd = subprocess.Popen([sys.executable, "-c", flood.replace("PORT", str(server.port))])
            try:
                time.sleep(0.5)
                for _ in range(20):
                    self.honest(server, most=10)
                self.end(server)
            finally:
                crowd.kill()
                crowd.wait()

    def test_few_files_are_enough(self):
        """Where a process may open few files, slow clients do not take the last of them."""
        def limited():
            resource.setrlimit(resource.RLIMIT_NOFILE, (128, 128))

        with Server(self, "heap.h5", preexec_fn=limited) as server:
            for _ in range(300):
                self.knock(server)
            self.honest(server)
            for _ in range(300):
                self.knock(server, self.request(server))
            self.honest(server)
            self.end(server)

    def test_a_request_has_a_deadline_as_a_whole(self):
        """5 seconds, which no byte prolongs."""
        with Server(self, "heap.h5") as server:
            words = self.request(server, "manifest")
            begin = time.monotonic()
            self.knock(server)
            self.knock(server)
            quiet, dribbling = self.crowd
            for position in range(20):
                self.send(dribbling, words[position:position + 1])
                time.sleep(0.2)
                self.assertFalse(self.gone(quiet) or self.gone(dribbling))
                if time.monotonic() - begin > 4:
                    break
            while not (self.gone(quiet) and self.gone(dribbling)):
                self.assertLess(time.monotonic() - begin, 10)
                self.send(dribbling, b"x")
                time.sleep(0.1)
            self.assertGreater(time.monotonic() - begin, 4.9)
            self.end(server)


class Living(ProgramTest):
    def test_signals_end_the_server(self):
        self.call("run", "heap.yaml", "-q", "-D", "time.end=0.02")
        for number in [signal.SIGINT, signal.SIGTERM]:
            with Server(self, "heap.h5") as server:
                server.get("manifest")
                server.process.send_signal(number)
                self.assertEqual(server.process.wait(timeout=10), 0)
                with self.assertRaises(OSError):
                    socket.create_connection(("127.0.0.1", server.port), timeout=5)

    def test_server_follows_a_run(self):
        run = self.start("run", "heap.yaml", "-q", "-D", "time.end=100", "-D", "output.every=0.01")
        self.addCleanup(run.communicate)
        self.addCleanup(run.kill)
        for _ in range(600):
            if (self.path / "heap.h5").exists():
                break
            time.sleep(0.05)
        with Server(self, "heap.h5") as server:
            count, first = 0, None
            for _ in range(600):
                manifest = json.loads(server.get("manifest"))
                count = len(manifest["frames"]["time"])
                self.assertTrue(manifest["going"])
                if count > 0:
                    first = first or (count, server.get("bodies/0"))
                    self.assertEqual(server.get("bodies/0"), first[1])  # what was there stays
                    server.get(f"bodies/{count - 1}")
                    server.get(f"contacts/{count - 1}")
                    server.get("steps")
                if first and count >= first[0] + 3:
                    break
                time.sleep(0.05)
            self.assertGreaterEqual(count, first[0] + 3)
            run.terminate()
            run.wait(timeout=60)
            for _ in range(100):
                manifest = json.loads(server.get("manifest"))
                if not manifest["going"]:
                    break
                time.sleep(0.05)
            self.assertEqual(manifest["ending"], "interrupted by a signal")

    def test_runs_of_one_frame_and_none_are_served(self):
        self.call("run", "heap.yaml", "-q", "-D", "time.end=0.1")
        for kind, frames in [("one-frame", 1), ("no-frame", 0)]:
            odd_runs.make(self.path / "heap.h5", self.path / "odd.h5", kind)
            with Server(self, "odd.h5") as server:
                self.assertEqual(len(json.loads(server.get("manifest"))["frames"]["time"]), frames)
                self.assertEqual(server.request(server.prefix + "bodies/0")[0], 200 if frames else 404)
                server.get("steps")
            self.assertIn(f"{frames} frame", self.call("view", "odd.h5", "--html", "odd.html", "--force").stderr)

    def test_bad_files_are_refused(self):
        for words in [("view", "no.h5"), ("view", "heap.yaml"), ("view", "no.h5", "--html", "x.html")]:
            self.one_error(self.call(*words, status=65), words[1])
        self.assertFalse((self.path / "x.html").exists())
        self.call("run", "heap.yaml", "-q")
        whole = (self.path / "heap.h5").read_bytes()
        for size in [0, 100, 5000, len(whole) // 2]:
            (self.path / "cut.h5").write_bytes(whole[:size])
            self.one_error(self.call("view", "cut.h5", status=65), "cut.h5")

    def test_late_damage_is_an_error_of_its_frame(self):
        """A frame that cannot be read is reported as an error of that frame; the rest still works."""
        self.call("run", "heap.yaml", "-q", "-D", "grains.0.count=300", "-D", "grains.0.radius=0.04")  # packed: damage shows
        whole = bytearray((self.path / "heap.h5").read_bytes())
        import h5py
        with h5py.File(self.path / "heap.h5") as run:
            chunk = run["frames/bodies/position"].id.get_chunk_info(3)
        for k in range(chunk.size):
            whole[chunk.byte_offset + k] ^= 0x5A
        (self.path / "bad.h5").write_bytes(whole)
        with Server(self, "bad.h5") as server:
            server.get("bodies/2")
            status, _, body = server.request(server.prefix + "bodies/3")
            self.assertEqual(status, 500)
            self.assertIn(b"bad.h5", body)
            server.get("bodies/4")


if __name__ == "__main__":
    unittest.main()
