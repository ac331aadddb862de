# SPDX-License-Identifier: MIT
"""The service without a server: the same application answers the requests of a page, in the page's own worker.

Python in a browser has one thread and no processes. Tasks are done between requests, one after the other; their
messages are posted to the page at once, since no request is answered while a task runs.
"""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

import anyio.to_thread

from unisono.web.app import create_app
from unisono.web.limits import Limits
from unisono.web.pool import Pool, Ticket
from unisono.web.tasks import Workshop
from unisono.web.worker import Interrupts, perform

if TYPE_CHECKING:
    from unisono.web.jobs import Job

#: Seconds before a task begins: the request that asked for it is answered first.
_PAUSE = 0.02

#: Seconds that data are kept without being used: as long as the page is open.
_KEEP = 1e9

#: Messages that a page must not wait for until the task is done.
_AT_ONCE = ("progress", "estimate")

Post = Callable[[dict[str, Any]], None]


class LocalPool(Pool):
    """Does tasks in this thread; `post` is called with each task that starts, sends a message or ends."""

    def __init__(self, limits: Limits, post: Callable[[Ticket, bool], None]):
        super().__init__(limits)
        self.threads = 1
        self._post = post
        self._workshop = Workshop()
        self._interrupts = Interrupts()
        self._next: asyncio.TimerHandle | None = None

    @property
    def n_workers(self) -> int:
        return 1

    @property
    def n_running(self) -> int:
        return 0  # no request is answered while a task runs

    async def start(self) -> None:
        signal.signal(signal.SIGINT, self._interrupts.handle)

    async def close(self) -> None:
        self._is_closing = True
        if self._next is not None:
            self._next.cancel()
        await super().close()

    def forget(self, upload: str) -> None:
        self._workshop.forget(upload)

    def _dispatch(self) -> None:
        if self._next is None and self._waiting and not self._is_closing:
            self._next = asyncio.get_running_loop().call_later(_PAUSE, self._do_next)

    def _do_next(self) -> None:
        self._next = None
        if self._waiting and not self._is_closing:
            self._do(self._waiting.popleft())
        self._dispatch()

    def _do(self, ticket: Ticket) -> None:
        task = {**ticket.task, **ticket.began()}

        def tell(message: dict[str, Any]) -> None:
            with self._interrupts.defer():
                ticket.tell(message)
                self._post(ticket, True)

        self._post(ticket, True)
        outcome = perform(self._workshop, self._interrupts, task, tell)
        self._post(ticket, False)
        self._finish(ticket, outcome)


class Backend:
    """Answers the requests of a page. `post` gets objects for it: which task runs, and events of its job."""

    def __init__(self, post: Post):
        self._tell_page = post
        limits = Limits(jobs=1, keep=_KEEP)
        self.app = create_app(limits, pool=LocalPool(limits, self._post))
        self._open = AsyncExitStack()

    async def start(self) -> None:
        """Get ready to answer; the thread pool that the framework uses is replaced by this thread."""
        anyio.to_thread.run_sync = _run_here  # type: ignore[assignment]
        await self._open.enter_async_context(self.app.router.lifespan_context(self.app))

    async def close(self) -> None:
        await self._open.aclose()

    async def answer(
        self,
        method: str,
        target: str,
        kind: str,
        body: bytes,
        begin: Callable[[int, Sequence[tuple[str, str]]], None],
        send: Callable[[bytes], None],
        gone: asyncio.Event | None = None,
    ) -> None:
        """Answer a request to a path below /api/v1: `begin` gets status and headers, `send` the content in pieces.

        kind: the content type of the body, empty if there is none. gone: set when the page no longer waits.
        """
        path, _, query = target.partition("?")
        scope = {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": "2.3"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": unquote(f"/api/v1{path}"),
            "raw_path": f"/api/v1{path}".encode(),
            "query_string": query.encode(),
            "root_path": "",
            "headers": [(b"host", b"localhost"), *([(b"content-type", kind.encode())] if kind else [])],
            "client": ("localhost", 1),
            "server": ("localhost", 80),
        }
        gone = gone or asyncio.Event()
        parts = [{"type": "http.request", "body": body, "more_body": False}]

        async def receive() -> dict[str, Any]:
            if parts:
                return parts.pop()
            await gone.wait()
            return {"type": "http.disconnect"}

        async def give(message: Any) -> None:
            if message["type"] == "http.response.start":
                begin(
                    message["status"], [(name.decode(), value.decode("latin-1")) for name, value in message["headers"]]
                )
            elif message.get("body"):
                send(message["body"])

        await self.app(scope, receive, give)

    def _post(self, ticket: Ticket, runs: bool) -> None:
        """Tell the page which job is at work, and its latest event if that must not wait."""
        job = self._job(ticket)
        running = {"upload": ticket.task.get("upload"), "job": job and job.id} if runs else None
        event = job.events[-1] if runs and job and job.events and job.events[-1].name in _AT_ONCE else None
        self._tell_page({"running": running, "event": event and event.text})

    def _job(self, ticket: Ticket) -> Job | None:
        """The job that a task belongs to: its files are in the folder of the job."""
        folder = ticket.task.get("folder") or (ticket.task.get("saved") and str(Path(ticket.task["saved"]).parent))
        return next((job for job in self.app.state.service.store.jobs if str(job.folder) == folder), None)


async def _run_here(function: Callable[..., Any], *arguments: Any, **_: Any) -> Any:
    """Call a function in this thread, where the framework would use another one."""
    return function(*arguments)
