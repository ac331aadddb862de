# SPDX-License-Identifier: MIT
"""A real service in a process of its own, for tests: `with serving("--keep", "1") as service: ...`."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx


@dataclass
class Service:
    """A running service and a client for it."""

    process: subprocess.Popen[str]
    url: str
    client: httpx.Client
    said: list[str] = field(default_factory=list)

    @property
    def workers(self) -> list[int]:
        """The processes that work for it."""
        text = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text(encoding="ascii")
        return [int(pid) for pid in text.split()]

    @property
    def memory(self) -> int:
        """Bytes that the service itself uses, without its workers."""
        pages = int(Path(f"/proc/{self.process.pid}/statm").read_text(encoding="ascii").split()[1])
        return pages * os.sysconf("SC_PAGESIZE")

    def send(self, files: dict[str, bytes | str], **reading: Any) -> dict[str, Any]:
        """Upload files by name; how they were understood."""
        data = {"reading": json.dumps(reading)} if reading else {}
        answer = self.client.post("/uploads", files=[("files", item) for item in files.items()], data=data)
        assert answer.status_code == 201, answer.text
        found: dict[str, Any] = answer.json()
        return found

    def begin(self, upload: dict[str, Any], **settings: Any) -> str:
        """Begin a measurement; the path of the job."""
        asked = {"upload": upload["id"], "settings": settings, "wait": False}
        answer = self.client.post("/measure", json=asked)
        assert answer.status_code == 202, answer.text
        return f"/jobs/{answer.json()['id']}"

    def events(self, job: str) -> Iterator[tuple[str, dict[str, Any]]]:
        """The events of a job until it is over."""
        with self.client.stream("GET", f"{job}/events") as stream:
            name, data = "", []
            for line in stream.iter_lines():
                if line.startswith("event: "):
                    name = line.removeprefix("event: ")
                elif line.startswith("data: "):
                    data.append(line.removeprefix("data: "))
                elif not line and name:
                    yield name, json.loads("\n".join(data))
                    name, data = "", []

    def end(self, job: str) -> tuple[str, dict[str, Any]]:
        """The last event of a job."""
        return list(self.events(job))[-1]

    def wait(self, condition: Any, seconds: float = 60.0) -> None:
        """Wait until a condition on the health of the service holds."""
        until = time.monotonic() + seconds
        while not condition(health := self.client.get("/health").json()):
            assert time.monotonic() < until, health
            time.sleep(0.05)


@contextmanager
def serving(
    *options: str,
    token: str | None = None,
    preexec: Callable[[], None] | None = None,
    program: Sequence[str] = ("-m", "unisono"),
) -> Iterator[Service]:
    """A service with these options on a free port of this machine, ready to work."""
    arguments = [sys.executable, *program, "serve", "--port", "0", "--no-browser", *options]
    process = subprocess.Popen(arguments, stderr=subprocess.PIPE, text=True, preexec_fn=preexec)
    assert process.stderr is not None
    said: list[str] = []
    try:
        for line in process.stderr:
            said.append(line)
            if found := re.search(r"http://\S+/", line):
                break
        else:
            raise AssertionError("".join(said))
        rest = threading.Thread(target=lambda: said.extend(process.stderr or ()), daemon=True)
        rest.start()
        headers = {"authorization": f"Bearer {token}"} if token else {}
        with httpx.Client(base_url=f"{found[0]}api/v1", headers=headers, timeout=60, trust_env=False) as client:
            service = Service(process, found[0], client, said)
            service.wait(lambda health: health["workers"] >= 1)
            yield service
    finally:
        process.send_signal(signal.SIGINT)
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        process.stderr.close()


def table(n_units: int, annotators: str = "abc", seed: int = 1) -> str:
    """A table of so many units for each annotator, who agree as far as chance has it."""
    draw = random.Random(seed)
    rows = ["annotator,start,end,category"]
    for annotator in annotators:
        place = 0
        for _ in range(n_units):
            start = place + draw.randint(1, 12)
            place = start + draw.randint(3, 15)
            rows.append(f"{annotator},{start},{place},{draw.choice('XYZ')}")
    return "\n".join(rows)
