# Oracle: the library itself, and the command line's --json; the service by HTTP is tested in tests/web/test_service.py.
"""The service without a server, as the worker of a page runs it: here in a process without threads."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import sys
import threading
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import anyio.to_thread
import pytest

import unisono
from unisono.errors import name_settings_by
from unisono.report import json_text
from unisono.settings import option_name
from unisono.web.in_browser import Backend

EXAMPLES = Path(__file__).parents[2] / "examples"
BOUNDARY = "a-boundary"


@dataclass
class Answer:
    status: int = 0
    headers: dict[str, str] = field(default_factory=dict)
    content: bytes = b""

    @property
    def json(self) -> Any:
        return json.loads(self.content)


@dataclass
class Page:
    """What the page's side of the worker does."""

    posted: list[dict[str, Any]] = field(default_factory=list)
    backend: Backend = field(init=False)

    def post(self, message: dict[str, Any]) -> None:
        self.posted.append(message)

    async def ask(self, method: str, target: str, body: Any = None, kind: str = "", gone: Any = None) -> Answer:
        answer, pieces = Answer(), []

        def begin(status: int, headers: Any) -> None:
            answer.status, answer.headers = status, dict(headers)

        if body is not None and not kind:
            body, kind = json.dumps(body).encode(), "application/json"
        await self.backend.answer(method, target, kind, body or b"", begin, pieces.append, gone)
        answer.content = b"".join(pieces)
        return answer

    async def send(self, files: dict[str, bytes], **reading: Any) -> Answer:
        parts = [
            f'--{BOUNDARY}\r\ncontent-disposition: form-data; name="files"; filename="{name}"\r\n\r\n'.encode() + data
            for name, data in files.items()
        ]
        if reading:
            head = f'--{BOUNDARY}\r\ncontent-disposition: form-data; name="reading"\r\n\r\n'
            parts.append(head.encode() + json.dumps(reading).encode())
        body = b"\r\n".join([*parts, f"--{BOUNDARY}--\r\n".encode()])
        return await self.ask("POST", "/uploads", body, f"multipart/form-data; boundary={BOUNDARY}")

    async def ready(self, target: str) -> Answer:
        """The answer as soon as it is no longer 202."""
        while True:
            answer = await self.ask("GET", target)
            if answer.status != 202:
                return answer
            await asyncio.sleep(0.05)


@pytest.fixture(autouse=True)
def no_threads(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A browser has no threads: whoever starts one fails. What is replaced for it is put back."""

    def refuse(thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    class Here(asyncio.SelectorEventLoop):
        """As the loop of Pyodide: what would run in an executor runs here."""

        def run_in_executor(self, executor: Any, function: Any, *args: Any) -> Any:
            future = self.create_future()
            future.set_result(function(*args))
            return future

    monkeypatch.setattr(threading.Thread, "start", refuse)
    monkeypatch.setattr(anyio.to_thread, "run_sync", anyio.to_thread.run_sync)
    monkeypatch.setattr("asyncio.SelectorEventLoop", Here)
    before = signal.getsignal(signal.SIGINT)
    yield
    signal.signal(signal.SIGINT, before)


def run(work: Callable[[Page], Awaitable[None]]) -> Page:
    """Do something with a page whose back end has started."""
    page = Page()

    async def main() -> None:
        page.backend = Backend(page.post)
        await page.backend.start()
        try:
            await work(page)
        finally:
            await page.backend.close()

    loop = asyncio.SelectorEventLoop()
    try:
        loop.run_until_complete(asyncio.wait_for(main(), 120))
    finally:
        loop.close()
    return page


SETTINGS = {"measures": ["gamma", "gamma-cat"], "seed": 42, "samples": 30}

#: What a finished job can be asked for, and how the answer begins.
FILES = {
    "words": b"{", "overview": b"{", "pairwise": b"{", "explanation": b"{", "alignment": b"{", "gold": b"{",
    "alignment?format=csv&every=true": b"document", "gold?format=adjudication": b"document",
    "gold?format=brat": b"PK", "report": b"<!doctype html>", "save": b"PK",
}  # fmt: skip


async def measure_and_ask_for_everything(page: Page) -> str:
    """Measure an example, ask for every file that the page offers; the result."""
    sent = await page.send({"entities.csv": (EXAMPLES / "entities.csv").read_bytes()})
    assert sent.status == 201
    assert sent.json["readable"]
    begun = await page.ask("POST", "/measure", {"upload": sent.json["id"], "settings": SETTINGS, "wait": False})
    assert begun.status == 202
    job = begun.json["id"]
    events = (await page.ask("GET", f"/jobs/{job}/events")).content.decode()
    assert "event: result" in events
    assert "event: done" in events
    for what, begin in FILES.items():
        answer = await page.ready(f"/jobs/{job}/{what}")
        assert answer.status == 200, (what, answer.content[:500])
        assert answer.content.startswith(begin), what
    return (await page.ask("GET", f"/jobs/{job}/result")).content.decode()


def test_a_measurement_has_the_bytes_of_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(EXAMPLES)
    results = []

    async def work(page: Page) -> None:
        results.append(await measure_and_ask_for_everything(page))

    page = run(work)
    expected = unisono.measure("entities.csv", ["gamma", "gamma-cat"], seed=42, samples=30)
    before = name_settings_by(option_name)  # the service has the words of the command line in it
    assert results == [json_text(expected.to_dict()) + "\n"]
    name_settings_by(before)
    told = [message for message in page.posted if message["event"]]
    assert any("event: progress" in message["event"] for message in told)
    assert any("event: estimate" in message["event"] for message in told)
    assert page.posted[-1]["running"] is None
    assert {message["running"]["upload"] for message in told} == {told[0]["running"]["upload"]}


#: Libraries that the page without a server does not have (tools/static_page.py).
MISSING = ("typer", "click", "lxml", "narwhals", "uvicorn", "pygments", "markdown_it", "mdurl", "shellingham")

_WITHOUT = """
import sys
sys.path.insert(0, sys.argv[1])
import pytest  # it needs some of them itself
sys.modules.update(dict.fromkeys(sys.argv[2:]))
import asyncio, test_in_browser as here
async def work(page):
    await here.measure_and_ask_for_everything(page)
here.run(work)
"""


def test_nothing_that_the_page_asks_for_needs_a_library_that_it_does_not_have() -> None:
    arguments = [sys.executable, "-c", _WITHOUT, str(Path(__file__).parent), *MISSING]
    done = subprocess.run(arguments, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("path", ["/formats", "/measures", "/presets", "/limits", "/samples", "/health"])
def test_what_the_page_asks_first_is_there(path: str) -> None:
    async def work(page: Page) -> None:
        answer = await page.ask("GET", path)
        assert answer.status == 200
        assert answer.json

    run(work)


def test_reading_again_samples_and_deleting() -> None:
    async def work(page: Page) -> None:
        name = (await page.ask("GET", "/samples")).json[0]["name"]
        sample = (await page.ask("POST", f"/samples/{name}")).json
        again = await page.ask("POST", f"/uploads/{sample['id']}/reading", {"skip_invalid": True})
        assert again.json["reading"]["skip_invalid"] is True
        assert (await page.ask("DELETE", f"/uploads/{sample['id']}")).status == 204
        assert (await page.ask("GET", f"/uploads/{sample['id']}")).status == 404

    run(work)


def test_files_and_settings_that_cannot_be_used_are_refused_as_by_the_service() -> None:
    async def work(page: Page) -> None:
        nothing = await page.send({"a.txt": b"no table at all"})
        assert not nothing.json["readable"]
        assert nothing.json["problems"]
        data = (EXAMPLES / "entities.csv").read_bytes()
        upload = (await page.send({"entities.csv": data})).json["id"]
        wrong = {"upload": upload, "settings": {"samples": -3}}
        answer = await page.ask("POST", "/measure", wrong)
        assert answer.status == 422
        assert "samples" in answer.json["problems"][0]["where"]

    run(work)


def test_an_interrupt_cancels_the_task_at_work_and_the_next_one_is_done() -> None:
    """The page writes to memory that it shares with Python, which takes it for Ctrl-C."""
    data = (EXAMPLES / "entities.csv").read_bytes()

    async def work(page: Page) -> None:
        upload = (await page.send({"entities.csv": data})).json["id"]
        slow = {"upload": upload, "settings": SETTINGS | {"samples": 100_000}, "wait": False}
        seen = page.post

        def post(message: dict[str, Any]) -> None:
            seen(message)
            if message["event"] and "event: progress" in message["event"]:
                signal.raise_signal(signal.SIGINT)

        page.backend._tell_page = post
        job = (await page.ask("POST", "/measure", slow)).json["id"]
        events = (await page.ask("GET", f"/jobs/{job}/events")).content.decode()
        assert "event: cancelled" in events
        assert "event: done" not in events
        page.backend._tell_page = seen
        signal.raise_signal(signal.SIGINT)  # too late: nothing is at work
        quick = {"upload": upload, "settings": SETTINGS, "wait": True}
        assert (await page.ask("POST", "/measure", quick)).status == 200

    run(work)


def test_a_page_that_no_longer_waits_ends_its_request() -> None:
    """The events of a job go on until it is done, unless the page has gone; the job itself goes on."""
    data = (EXAMPLES / "entities.csv").read_bytes()

    async def work(page: Page) -> None:
        upload = (await page.send({"entities.csv": data})).json["id"]
        job = (await page.ask("POST", "/measure", {"upload": upload, "settings": SETTINGS, "wait": False})).json["id"]
        gone = asyncio.Event()
        gone.set()
        assert b"event: done" not in (await page.ask("GET", f"/jobs/{job}/events", gone=gone)).content
        assert b"event: done" in (await page.ask("GET", f"/jobs/{job}/events")).content

    run(work)
