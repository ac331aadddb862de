# SPDX-License-Identifier: MIT
"""Measurements: their states, their events, and the files made from their results."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from unisono.errors import Problem
from unisono.settings import draw_seed
from unisono.web.limits import storage_full
from unisono.web.pool import Pool, TaskCancelledError, TaskFailedError, Ticket
from unisono.web.store import Kept, Reservation, StorageFullError, Store, StoredUpload
from unisono.whole_files import clear_leftovers

Status = Literal["waiting", "running", "done", "failed", "cancelled"]

#: Seconds without an event after which a stream sends a comment to keep the connection open.
_KEEPALIVE = 10.0
#: How many files made from one result are kept: views of documents, reports, comparisons.
_DERIVED = 200


@dataclass(frozen=True, slots=True)
class Event:
    """One event of a job, in the format `text/event-stream`."""

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
    #: Room for what the measurement writes, while it runs.
    room: Reservation | None = None
    #: Files made from the data and the result, by the task that makes them.
    derived: dict[str, asyncio.Task[Path]] = field(default_factory=dict)
    events: list[Event] = field(default_factory=list)
    has_result: bool = False
    n_derived: int = 0
    #: Set when there is a result, or when it is certain that there will be none.
    measured: asyncio.Event = field(default_factory=asyncio.Event)
    #: Set when the job is over, and its result is saved if there is one.
    over: asyncio.Event = field(default_factory=asyncio.Event)
    #: Held by a task that may measure the annotators, so that the next one finds what it kept.
    measuring_annotators: asyncio.Lock = field(default_factory=asyncio.Lock)
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
        """Send an event to all present and future listeners; only the latest progress is kept."""
        self._n_events += 1
        if name == "progress" and self.events and self.events[-1].name == "progress":
            self.events.pop()
        text = data if isinstance(data, str) else json.dumps(data, ensure_ascii=False)
        self.events.append(Event(self._n_events, name, text))
        self._changed.set()
        self._changed = asyncio.Event()

    async def stream(self, after: int) -> AsyncIterator[str]:
        """The events after a number, as they occur, until the job is over."""
        while True:
            self.touch()
            changed, is_over = self._changed, self.is_over
            for event in list(self.events):
                if event.number > after:
                    after = event.number
                    if event.name == "result":  # read only when sent: results can be large
                        try:
                            text = await asyncio.to_thread(self.result.read_text, "utf-8")
                        except FileNotFoundError:  # the job was deleted; `cancelled` or `done` is the next event
                            continue
                        event = Event(event.number, event.name, text)
                    yield event.text
            if is_over:
                return
            try:
                await asyncio.wait_for(changed.wait(), _KEEPALIVE)
            except TimeoutError:
                yield ": still here\n\n"


class Jobs:
    """All measurements, and the files made from them."""

    def __init__(self, store: Store, pool: Pool):
        self.store = store
        self.pool = pool
        self._tasks: set[asyncio.Task[None]] = set()

    def begin(self, upload: StoredUpload, settings: dict[str, Any], *, estimates: bool) -> Job:
        """Put a measurement in the queue."""
        self.store.check_room()
        # Drawn here, so that estimates, result and comparisons share it.
        settings = {**settings, "seed": draw_seed(settings["seed"])}
        id, folder = self.store.new_folder()
        job = Job(id, folder, upload=upload, reading=upload.reading, settings=settings)
        task = {**self._task(job), "task": "measure", "estimates": estimates, "folder": str(folder)}

        def began() -> dict[str, Any]:
            job.status = "running"
            job.room = job.room or self.store.reserve_share()
            return {"room": job.room.n_bytes}

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
        self._keep(self._follow(job))
        return job

    def forget(self, item: Kept) -> None:
        """Stop the work on an upload or a job and delete it; an upload is deleted with its jobs."""
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
                job.over.set()
            self.store.remove(job)
        if not isinstance(item, Job):
            self.pool.forget(item.id)
            self.store.remove(item)

    def derive(
        self, job: Job, task: dict[str, Any], suffix: str, *, is_long: bool, waits: bool = True
    ) -> asyncio.Task[Path]:
        """The file that a task makes from a job. It is made once; concurrent requests wait for the same task.

        waits: until the job is over, so that the task finds the saved result and measures nothing again.
        """
        key = json.dumps(task, sort_keys=True)
        known = job.derived.get(key)
        if known is None or (known.done() and (known.cancelled() or known.exception() is not None)):
            job.n_derived += 1
            path = job.folder / f"derived-{job.n_derived}{suffix}"
            known = asyncio.get_running_loop().create_task(self._make(job, task, path, is_long=is_long, waits=waits))
            known.add_done_callback(lambda done: done.cancelled() or done.exception())
            job.derived[key] = known
        return known

    async def _make(self, job: Job, task: dict[str, Any], path: Path, *, is_long: bool, waits: bool) -> Path:
        full = {**self._task(job), **task, "saved": str(job.saved), "to": str(path)}
        if not self.store.room:
            raise StorageFullError(self.store.limits)
        rooms: list[Reservation] = []
        try:
            return await self._make_in(job, task, full, path, rooms, is_long=is_long, waits=waits)
        finally:
            for room in rooms:
                room.release()

    async def _make_in(
        self,
        job: Job,
        task: dict[str, Any],
        full: dict[str, Any],
        path: Path,
        rooms: list[Reservation],
        *,
        is_long: bool,
        waits: bool,
    ) -> Path:
        try:
            if waits:
                await job.over.wait()
            if task["task"] in ("pairwise", "report", "overview"):
                async with job.measuring_annotators:
                    outcome = await self._run(full, rooms, is_long=is_long)
            else:
                outcome = await self._run(full, rooms, is_long=is_long)
        except asyncio.CancelledError:
            raise TaskCancelledError from None
        except TaskFailedError:
            clear_leftovers(job.folder)  # of the worker that was killed
            raise
        if outcome.get("problems"):
            if any(problem["code"] == "unwritable" for problem in outcome["problems"]):
                raise StorageFullError(self.store.limits)  # more than the room that it had
            raise TaskRefusedError(outcome["problems"])
        try:
            job.size += path.stat().st_size + outcome.get("kept", 0)
        except FileNotFoundError:  # the job was deleted in the meantime
            raise TaskCancelledError from None
        while len(job.derived) > _DERIVED:  # the oldest first
            oldest = next(iter(job.derived))
            done = job.derived.pop(oldest)
            if done.done() and not done.cancelled() and done.exception() is None:
                done.result().unlink(missing_ok=True)
        return path

    async def _run(self, task: dict[str, Any], rooms: list[Reservation], *, is_long: bool) -> dict[str, Any]:
        """The outcome of a task; the task is cancelled with its request. The room it has is added to `rooms`."""

        def began() -> dict[str, Any]:
            if not rooms:
                rooms.append(self.store.reserve_share())
            return {"room": rooms[0].n_bytes}

        ticket = self.pool.submit(task, is_long=is_long, began=began)
        try:
            await asyncio.wait({ticket.outcome})  # asyncio.shield would log the outcome of a cancelled task as an error
        except asyncio.CancelledError:
            self.pool.cancel(ticket)
            raise
        return ticket.outcome.result()

    def _task(self, job: Job) -> dict[str, Any]:
        """The part that all tasks of a job have in common."""
        return {
            "upload": job.upload.id,
            "files": {name: str(path) for name, path in job.upload.files.items()},
            "reading": job.reading,
            "settings": job.settings,
        }

    async def _follow(self, job: Job) -> None:
        """Wait until the job ends, then record its outcome."""
        assert job.ticket is not None
        try:
            outcome = await job.ticket.outcome
        except TaskCancelledError:
            outcome, status, problems = {}, "cancelled", []
        except TaskFailedError as failure:
            clear_leftovers(job.folder)  # of the worker that was killed
            outcome, status, problems = {}, "failed", [failure.problem.to_dict()]
        else:
            problems = outcome["problems"]
            status = "failed" if problems else "done"
        if job.is_over:
            self._give_up_room(job)
            return
        if any(problem["code"] == "unwritable" for problem in problems):  # more than the room that it had
            problems = [storage_full(self.store.limits).to_dict()]
        if job.has_result and status == "failed":  # the result exists; only saving it failed
            status = "done"
        warnings = [Problem("measuring", "warning", "", text).to_dict() for text in outcome.get("warnings", ())]
        job.problems = [*problems, *warnings]
        job.status = status  # type: ignore[assignment]
        if job.saved.exists():
            job.size += job.saved.stat().st_size
        self._give_up_room(job)
        job.publish(status, {"problems": job.problems})
        job.measured.set()
        job.over.set()

    def _give_up_room(self, job: Job) -> None:
        """End the reservation of a job: what it wrote is counted, or deleted."""
        if job.room is not None:
            job.room.release()
            job.room = None

    def _keep(self, coroutine: Any) -> None:
        task = asyncio.get_running_loop().create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


class TaskRefusedError(Exception):
    """A task that the data or the settings do not allow; the problems say why."""

    def __init__(self, problems: list[dict[str, Any]]):
        self.problems = problems
        super().__init__(str(problems[:1]))
