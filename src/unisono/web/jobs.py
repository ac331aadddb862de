# SPDX-License-Identifier: MIT
"""Measurements under way: their states, the events that tell of them, and what is made of their results."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from unisono.errors import Problem
from unisono.web.pool import Pool, TaskCancelledError, TaskFailedError, Ticket
from unisono.web.store import Kept, Store, StoredUpload

Status = Literal["waiting", "running", "done", "failed", "cancelled"]

#: Seconds of silence after which a stream of events says that it is still there.
_KEEPALIVE = 10.0
#: Things made of one result that are kept: a view for each document, reports, comparisons.
_DERIVED = 200


@dataclass(frozen=True, slots=True)
class Event:
    """One event of a job, as `text/event-stream` has it."""

    number: int
    name: str
    data: str

    @property
    def text(self) -> str:
        lines = "".join(f"data: {line}\n" for line in self.data.splitlines())
        return f"id: {self.number}\nevent: {self.name}\n{lines}\n"


@dataclass(eq=False)
class Job(Kept):
    """One measurement."""

    upload: StoredUpload = field(kw_only=True)
    reading: dict[str, Any] = field(kw_only=True)
    settings: dict[str, Any] = field(kw_only=True)
    status: Status = "waiting"
    progress: dict[str, Any] | None = None
    estimate: dict[str, Any] | None = None
    problems: list[dict[str, Any]] = field(default_factory=list)
    ticket: Ticket | None = None
    #: Things made of the data and the result, by what was asked for.
    derived: dict[str, asyncio.Task[Path]] = field(default_factory=dict)
    events: list[Event] = field(default_factory=list)
    has_result: bool = False
    n_made: int = 0
    #: Set when there is a result, or there will be none.
    measured: asyncio.Event = field(default_factory=asyncio.Event)
    _n_events: int = 0
    _changed: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def result(self) -> Path:
        return self.folder / "result.json"

    @property
    def words(self) -> Path:
        return self.folder / "words.json"

    @property
    def saved(self) -> Path:
        return self.folder / "result.unisono"

    @property
    def is_over(self) -> bool:
        return self.status in ("done", "failed", "cancelled")

    def publish(self, name: str, data: dict[str, Any] | str) -> None:
        """Tell everybody who listens, now or later; of progress only the last word is kept."""
        self._n_events += 1
        if name == "progress" and self.events and self.events[-1].name == "progress":
            self.events.pop()
        text = data if isinstance(data, str) else json.dumps(data, ensure_ascii=False)
        self.events.append(Event(self._n_events, name, text))
        self._changed.set()
        self._changed = asyncio.Event()

    async def stream(self, after: int) -> AsyncIterator[str]:
        """The events after a number, as they come, until the job is over."""
        while True:
            self.touch()
            changed, is_over = self._changed, self.is_over
            for event in list(self.events):
                if event.number > after:
                    after = event.number
                    if event.name == "result":  # read when it is sent: results can be large
                        text = await asyncio.to_thread(self.result.read_text, "utf-8")
                        event = Event(event.number, event.name, text)
                    yield event.text
            if is_over:
                return
            try:
                await asyncio.wait_for(changed.wait(), _KEEPALIVE)
            except TimeoutError:
                yield ": still here\n\n"


class Jobs:
    """All measurements, and what is made of them."""

    def __init__(self, store: Store, pool: Pool):
        self.store = store
        self.pool = pool
        self._tasks: set[asyncio.Task[None]] = set()

    def begin(self, upload: StoredUpload, settings: dict[str, Any], *, estimates: bool) -> Job:
        """Put a measurement in the queue."""
        self.store.check_room()
        if settings["seed"] is None:  # drawn here, so that estimates, result and comparisons share it
            settings = {**settings, "seed": secrets.randbits(32)}
        id, folder = self.store.new_folder()
        job = Job(id, folder, upload=upload, reading=upload.reading, settings=settings)
        task = {**self._task(job), "task": "measure", "estimates": estimates, "folder": str(folder)}

        def began() -> None:
            job.status = "running"

        def tell(message: dict[str, Any]) -> None:
            name = message.pop("event")
            if name == "progress":
                job.progress = message
            elif name == "estimate":
                job.estimate = message
            elif name == "result":
                job.has_result = True
                job.measured.set()
                job.size += job.result.stat().st_size + job.words.stat().st_size
                message = {}
            job.publish(name, message)

        try:
            job.ticket = self.pool.submit(task, is_long=True, tell=tell, began=began)
        except Exception:
            self.store.remove(job)
            raise
        self.store.jobs.add(job)
        self._keep(self._followed(job))
        return job

    def forget(self, item: Kept) -> None:
        """End what is under way for something kept, and delete it; with an upload goes all that was made of it."""
        jobs = [item] if isinstance(item, Job) else [job for job in self.store.jobs if job.upload is item]
        for job in jobs:
            if job.ticket is not None:
                self.pool.cancel(job.ticket)
            for derived in job.derived.values():
                derived.cancel()
            if not job.is_over:
                job.status = "cancelled"
                job.publish("cancelled", {"problems": []})
                job.measured.set()
            self.store.remove(job)
        if not isinstance(item, Job):
            self.pool.forget(item.id)
            self.store.remove(item)

    def made(self, job: Job, task: dict[str, Any], suffix: str, *, is_long: bool) -> asyncio.Task[Path]:
        """The file that a task makes of a job, made once; whoever asks meanwhile waits for the same."""
        key = json.dumps(task, sort_keys=True)
        known = job.derived.get(key)
        if known is None or (known.done() and (known.cancelled() or known.exception() is not None)):
            job.n_made += 1
            path = job.folder / f"made-{job.n_made}{suffix}"
            known = asyncio.get_running_loop().create_task(self._make(job, task, path, is_long=is_long))
            known.add_done_callback(lambda done: done.cancelled() or done.exception())
            job.derived[key] = known
        return known

    async def _make(self, job: Job, task: dict[str, Any], path: Path, *, is_long: bool) -> Path:
        full = {**self._task(job), **task, "saved": str(job.saved), "to": str(path)}
        ticket = self.pool.submit(full, is_long=is_long)
        try:
            outcome = await asyncio.shield(ticket.outcome)
        except asyncio.CancelledError:
            self.pool.cancel(ticket)
            raise TaskCancelledError from None
        if outcome.get("problems"):
            raise TaskRefusedError(outcome["problems"])
        try:
            job.size += path.stat().st_size
        except FileNotFoundError:  # the job was forgotten meanwhile
            raise TaskCancelledError from None
        while len(job.derived) > _DERIVED:  # the oldest first
            oldest = next(iter(job.derived))
            done = job.derived.pop(oldest)
            if done.done() and not done.cancelled() and done.exception() is None:
                done.result().unlink(missing_ok=True)
        return path

    def _task(self, job: Job) -> dict[str, Any]:
        """What every task about a job must know."""
        return {
            "upload": job.upload.id,
            "files": {name: str(path) for name, path in job.upload.files.items()},
            "reading": job.reading,
            "settings": job.settings,
        }

    async def _followed(self, job: Job) -> None:
        """The job to its end."""
        assert job.ticket is not None
        try:
            outcome = await job.ticket.outcome
        except TaskCancelledError:
            outcome, status, problems = {}, "cancelled", []
        except TaskFailedError as failure:
            outcome, status, problems = {}, "failed", [failure.problem.to_dict()]
        else:
            problems = outcome["problems"]
            status = "failed" if problems else "done"
        if job.is_over:
            return
        if job.has_result and status == "failed":  # the result is there; what failed is only its keeping
            status = "done"
        warned = [Problem("measuring", "warning", "", text).to_dict() for text in outcome.get("warnings", ())]
        job.problems = [*problems, *warned]
        job.status = status  # type: ignore[assignment]
        if job.saved.exists():
            job.size += job.saved.stat().st_size
        job.publish(status, {"problems": job.problems})
        job.measured.set()

    def _keep(self, coroutine: Any) -> None:
        task = asyncio.get_running_loop().create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


class TaskRefusedError(Exception):
    """The data or the settings do not allow it; the problems say why."""

    def __init__(self, problems: list[dict[str, Any]]):
        self.problems = problems
        super().__init__(str(problems[:1]))
