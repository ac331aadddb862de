# SPDX-License-Identifier: MIT
"""The service for ten minutes among bad clients. Oracle: results measured here before; limits, handles, memory after.

Clients upload, cancel, stall, disconnect, send garbage and measure while workers are killed, memory is short and the
storage is nearly full. On the loopback only. UNISONO_SERVICE_SECONDS sets another length.
"""

from __future__ import annotations

import contextlib
import os
import random
import signal
import socket
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any

import httpx
import pytest

import unisono
from serving import Service, serving, table

pytestmark = [pytest.mark.long, pytest.mark.skipif(not Path("/proc").exists(), reason="needs /proc")]

SECONDS = float(os.environ.get("UNISONO_SERVICE_SECONDS", "600"))
STORAGE = 5 * 2**20
KEEP = 15
#: What is measured, and with which settings.
TABLES = [table(size, seed=size) for size in (6, 12, 25, 40, 60)]
MEASURES = ["gamma", "gamma-cat"]


def expected() -> list[dict[str, float | None]]:
    """The values of each table."""
    found = []
    for text in TABLES:
        rows = [row.split(",") for row in text.splitlines()[1:]]
        units: dict[str, list[Any]] = {}
        for annotator, start, end, category in rows:
            units.setdefault(annotator, []).append((int(start), int(end), category))
        corpus = unisono.corpus({"t": units})
        measured = unisono.measure(corpus, MEASURES, seed=5, samples=30)
        found.append({name: measured[name].value for name in MEASURES})
    return found


class Trial:
    """The clients of one service, and what happened to them."""

    def __init__(self, service: Service, root: Path):
        self.service, self.root = service, root
        self.over = threading.Event()
        self.counts: Counter[str] = Counter()
        self.faults: list[str] = []
        self.most_stored = self.most_handles = self.most_memory = 0
        self.expected = expected()

    def client(self) -> httpx.Client:
        return httpx.Client(base_url=f"{self.service.url}api/v1", timeout=60, trust_env=False)

    def loop(self, what: Any, pause: float) -> None:
        """Do something again and again until the time is over; what goes wrong unexpectedly is a fault."""
        draw = random.Random(threading.get_ident())
        while not self.over.is_set():
            try:
                what(draw)
            except Exception as error:
                self.faults.append(f"{what.__name__}: {type(error).__name__}: {error}")
            self.over.wait(pause * draw.uniform(0.5, 1.5))

    # -- correct requests

    def measure(self, draw: random.Random) -> None:
        """Upload, measure, compare; again where the service says that it is busy, full, or lost a worker twice."""
        which = draw.randrange(len(TABLES))
        for _ in range(60):
            with self.client() as client, contextlib.suppress(httpx.TransportError):
                done = self._measure_once(client, which, draw)
                if done:
                    return
            self.counts["asked again"] += 1
            if self.over.wait(1):
                return
        self.faults.append("a correct request was not answered in sixty attempts")

    def _measure_once(self, client: httpx.Client, which: int, draw: random.Random) -> bool:
        sent = client.post("/uploads", files=[("files", ("t.csv", TABLES[which]))])
        if sent.status_code in (429, 503, 507):
            self.counts[f"upload {sent.status_code}"] += 1
            return False
        if sent.status_code != 201 or not sent.json()["readable"]:
            codes = {problem["code"] for problem in sent.json().get("problems", ())}
            if codes & {"worker-died", "job-memory-limit", "job-time-limit"}:
                self.counts["reading lost its worker"] += 1
                return False
            self.faults.append(f"upload: {sent.status_code} {sent.text[:300]}")
            return True
        upload = sent.json()["id"]
        asked = {
            "upload": upload,
            "settings": {"measures": MEASURES, "seed": 5, "samples": 30},
            "wait": draw.random() < 0.7,
        }
        answer = client.post("/measure", json=asked)
        until = time.monotonic() + 60
        while answer.status_code == 202 and time.monotonic() < until:
            job = answer.headers.get("location", "").removeprefix("/api/v1") or f"/jobs/{answer.json()['id']}"
            state = client.get(job).json()
            if state.get("status") in ("done", "failed", "cancelled"):
                answer = client.get(f"{job}/result")
                break
            time.sleep(0.2)
        if answer.status_code != 200:
            codes = {problem["code"] for problem in answer.json().get("problems", ())}
            if not codes & {"busy", "storage-limit", "worker-died", "job-time-limit"} and answer.status_code != 202:
                self.faults.append(f"measure: {answer.status_code} {answer.text[:300]}")
            self.counts[f"measure {answer.status_code}"] += 1
            return False
        values = {name: answer.json()["measures"][name]["value"] for name in MEASURES}
        if values != self.expected[which]:
            self.faults.append(f"a mixed-up result: {values} instead of {self.expected[which]}")
        self.counts["answered rightly"] += 1
        client.delete(f"/uploads/{upload}")
        return True

    # -- the others

    def fill(self, draw: random.Random) -> None:
        """Uploads that nobody deletes, sometimes cut off in the middle."""
        body = table(20_000, "ab", seed=draw.randrange(1000)).encode()
        head = b'--cut\r\ncontent-disposition: form-data; name="files"; filename="a.csv"\r\n\r\n'
        whole = head + body + b"\r\n--cut--\r\n"
        with contextlib.suppress(OSError), self._connect() as connection:
            request = f"POST /api/v1/uploads HTTP/1.1\r\nhost: localhost\r\ncontent-length: {len(whole)}\r\n"
            request += "content-type: multipart/form-data; boundary=cut\r\n\r\n"
            connection.sendall(request.encode())
            connection.sendall(whole if draw.random() < 0.6 else whole[: draw.randrange(len(whole))])
            self.counts["uploads left lying"] += 1
            if draw.random() < 0.8:
                connection.settimeout(20)
                connection.recv(65536)

    def cancel(self, draw: random.Random) -> None:
        with self.client() as client, contextlib.suppress(httpx.TransportError):
            sent = client.post("/uploads", files=[("files", ("t.csv", table(300)))])
            if sent.status_code != 201:
                return
            asked = {"upload": sent.json()["id"], "settings": {"samples": 20_000}, "wait": False}
            begun = client.post("/measure", json=asked)
            if begun.status_code == 202:
                time.sleep(draw.uniform(0, 1.5))
                client.delete(f"/jobs/{begun.json()['id']}")
                self.counts["cancelled"] += 1
            client.delete(f"/uploads/{sent.json()['id']}")

    def hog(self, draw: random.Random) -> None:
        """More than the memory of a job."""
        with self.client() as client, contextlib.suppress(httpx.TransportError):
            sent = client.post("/uploads", files=[("files", ("t.csv", table(120_000, "ab")))])
            problems = sent.json().get("problems", ())
            self.counts[f"hog: {problems[0]['code'] if problems else sent.status_code}"] += 1
            if sent.status_code == 201:
                client.delete(f"/uploads/{sent.json()['id']}")

    def stall(self, draw: random.Random) -> None:
        with contextlib.suppress(OSError), self._connect() as connection:
            request = b"POST /api/v1/measure HTTP/1.1\r\nhost: localhost\r\ncontent-length: 900\r\n\r\n{"
            connection.sendall(request[: draw.randrange(1, len(request))])
            self.counts["stalled"] += 1
            self.over.wait(draw.uniform(0, 25))

    def garble(self, draw: random.Random) -> None:
        with contextlib.suppress(OSError), self._connect() as connection:
            junk = draw.choice([
                draw.randbytes(draw.randrange(1, 4000)),
                b"GET /" + draw.randbytes(50) + b" HTTP/1.1\r\n\r\n",
                b"POST /api/v1/uploads HTTP/1.1\r\nhost: localhost\r\norigin: http://[\r\n\r\n",
                b"POST /api/v1/uploads HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n",
                b"GET / HTTP/1.1\r\nhost: " + b"a" * 100_000,
            ])  # fmt: skip
            connection.sendall(junk)
            connection.settimeout(2)
            self.counts["garbage"] += 1
            connection.recv(65536)

    def kill(self, draw: random.Random) -> None:
        workers = self.service.workers
        if workers:
            with contextlib.suppress(ProcessLookupError):
                os.kill(draw.choice(workers), signal.SIGKILL)
                self.counts["workers killed"] += 1

    def watch(self, draw: random.Random) -> None:
        stored = 0
        for folder, _, names in os.walk(self.root):  # which passes over folders that are deleted meanwhile
            for name in names:
                with contextlib.suppress(FileNotFoundError):
                    stored += (Path(folder) / name).stat().st_size
        self.most_stored = max(self.most_stored, stored)
        self.most_handles = max(self.most_handles, handles(self.service))
        self.most_memory = max(self.most_memory, self.service.memory)

    def _connect(self) -> socket.socket:
        host, _, port = self.service.url.removeprefix("http://").rstrip("/").partition(":")
        return socket.create_connection((host, int(port)), timeout=10)


def handles(service: Service) -> int:
    return len(list(Path(f"/proc/{service.process.pid}/fd").iterdir()))


def test_ten_minutes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    with serving(
        "--storage-limit", str(STORAGE), "--jobs-limit", "2", "--keep", str(KEEP), "--job-memory-limit", "48M",
        "--connections", "60", "--waiting-limit", "30", "--job-time-limit", "30", "--reading-time-limit", "30",
    ) as service:  # fmt: skip
        service.wait(lambda health: health["workers"] == 3, 60)
        (root,) = tmp_path.glob("unisono-serve-*")
        trial = Trial(service, root)
        trial.measure(random.Random(1))
        handles_before, memory_before = handles(service), service.memory
        clients = [
            *[(trial.measure, 0.1)] * 4, *[(trial.fill, 1.0)] * 2, *[(trial.stall, 0.1)] * 20, (trial.cancel, 1.0),
            (trial.garble, 0.2), (trial.garble, 0.2), (trial.hog, 20.0), (trial.kill, 5.0), (trial.watch, 0.3),
        ]  # fmt: skip
        threads = [threading.Thread(target=trial.loop, args=each, daemon=True) for each in clients]
        for thread in threads:
            thread.start()
        time.sleep(SECONDS)
        trial.over.set()
        for thread in threads:
            thread.join(120)
        assert not any(thread.is_alive() for thread in threads)
        service.wait(lambda health: health["running"] == health["waiting"] == 0 and health["workers"] == 3, 90)
        until = time.monotonic() + 4 * KEEP + 60
        while time.monotonic() < until and (list(root.iterdir()) or handles(service) > handles_before + 3):
            time.sleep(0.5)
        print(f"\n{SECONDS:g} s: {dict(trial.counts)}")
        print(f"most stored {trial.most_stored:,} of {STORAGE:,} bytes; handles {handles_before} before, "
              f"{trial.most_handles} at most, {handles(service)} after; memory {memory_before / 1e6:.0f} MB before, "
              f"{trial.most_memory / 1e6:.0f} at most, {service.memory / 1e6:.0f} after; "
              f"log {len(''.join(service.said)):,} characters; faults {len(trial.faults)}")  # fmt: skip
        assert trial.faults == [], "\n".join(trial.faults[:20])
        assert trial.counts["answered rightly"] > SECONDS / 10
        happened = {name for name, n in trial.counts.items() if n}
        assert {"workers killed", "stalled", "garbage", "cancelled", "uploads left lying"} <= happened
        assert any(name.startswith("hog: ") for name in happened)
        assert trial.most_stored <= STORAGE
        assert list(root.iterdir()) == []
        assert handles(service) <= handles_before + 3
        assert len(service.workers) == 3
        assert service.memory < memory_before + 64_000_000
        assert len("".join(service.said)) < 1_000_000
        last = Trial(service, root)
        last.measure(random.Random(2))
        assert last.faults == []
        assert last.counts["answered rightly"] == 1
    assert not list(tmp_path.glob("unisono-*"))
