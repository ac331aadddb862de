# SPDX-License-Identifier: MIT
"""The processes that do the work: one task at a time each, watched, ended at their limits, replaced when they die.

Long tasks (measurements) never take all of the processes, so that uploads are read and alignments shown meanwhile.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import signal
import sys
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from unisono.errors import Problem
from unisono.parallel import available_threads
from unisono.web.limits import Limits, too_many_waiting, took_too_long, took_too_much_memory

log = logging.getLogger("unisono.web")

#: Seconds that an interrupted worker has to stop by itself.
GRACE = 1.0
#: Seconds between two looks at the memory of the workers.
_GLANCE = 0.1
#: Longest line of a worker.
_LINE = 2**28
#: How often a task is begun again when its worker dies.
_RETRIES = 1
#: Workers in a row that may fail to start before waiting tasks are given up.
_FAILED_STARTS = 5


class BusyError(Exception):
    """Too many tasks are waiting."""

    def __init__(self, limits: Limits):
        self.problem = too_many_waiting(limits)
        super().__init__(str(self.problem))


class TaskCancelledError(Exception):
    """The task was ended because nobody wants it any more."""


class TaskFailedError(Exception):
    """The task was ended, or its worker was; the problem says why."""

    def __init__(self, problem: Problem):
        self.problem = problem
        super().__init__(str(problem))


@dataclass(eq=False)
class Ticket:
    """A task that waits, runs, or has ended."""

    task: dict[str, Any]
    is_long: bool
    time_limit: float
    #: Called with whatever the worker tells before the end.
    tell: Callable[[dict[str, Any]], None]
    #: Called when a worker begins with it.
    began: Callable[[], None]
    outcome: asyncio.Future[dict[str, Any]]
    worker: _Worker | None = None
    retries: int = _RETRIES
    #: Why it was ended from here, if it was.
    reason: Exception | None = None
    _timer: asyncio.TimerHandle | None = field(default=None, repr=False)

    def end(self, *, result: dict[str, Any] | None = None, error: Exception | None = None) -> None:
        if self._timer is not None:
            self._timer.cancel()
        if self.outcome.done():
            return
        if error is not None:
            self.outcome.set_exception(error)
            self.outcome.exception()  # looked at: nobody may be waiting any more
        else:
            assert result is not None
            self.outcome.set_result(result)


class Pool:
    """Workers and the tasks that wait for them."""

    def __init__(self, limits: Limits):
        self.limits = limits
        self.threads = available_threads()
        self._workers: list[_Worker] = []
        self._waiting: deque[Ticket] = deque()
        self._tasks: set[asyncio.Task[None]] = set()
        self._failed_starts = 0
        self._is_closing = False
        self._first_ready = asyncio.Event()

    @property
    def n_workers(self) -> int:
        return sum(worker.is_ready for worker in self._workers)

    @property
    def n_running(self) -> int:
        return sum(worker.ticket is not None for worker in self._workers)

    @property
    def n_waiting(self) -> int:
        return len(self._waiting)

    def pids(self) -> list[int]:
        """The processes, for those who watch them."""
        return [worker.pid for worker in self._workers if worker.is_ready]

    async def start(self) -> None:
        """Start the workers: one for each measurement at once, and one more."""
        self._keep(self._staffed())
        for _ in range(self.limits.jobs):  # the first is ready sooner when the others do not start beside it
            self._keep(self._staffed(after=self._first_ready))
        self._keep(self._watched())

    async def close(self) -> None:
        """End every worker and every task."""
        self._is_closing = True
        for ticket in [*self._waiting, *(w.ticket for w in self._workers if w.ticket)]:
            ticket.end(error=TaskCancelledError())
        self._waiting.clear()
        for worker in list(self._workers):
            worker.kill()
        for task in list(self._tasks):
            if task is not asyncio.current_task():
                task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def submit(
        self,
        task: dict[str, Any],
        *,
        is_long: bool,
        tell: Callable[[dict[str, Any]], None] = lambda message: None,
        began: Callable[[], None] = lambda: None,
    ) -> Ticket:
        """Put a task in the queue; BusyError if too many wait already."""
        if len(self._waiting) >= self.limits.waiting:
            raise BusyError(self.limits)
        full = {**task, "threads": self.threads, "memory": self.limits.memory, "limits": self.limits.to_dict()}
        outcome = asyncio.get_running_loop().create_future()
        limit = self.limits.time if is_long else self.limits.reading_time
        ticket = Ticket(full, is_long, limit, tell, began, outcome)
        self._waiting.append(ticket)
        self._dispatch()
        return ticket

    def cancel(self, ticket: Ticket) -> None:
        """End a task that nobody wants: its worker may keep what it read, if it stops soon."""
        if ticket.outcome.done():
            return
        ticket.reason = TaskCancelledError()
        if ticket.worker is None:
            self._waiting.remove(ticket)
            ticket.end(error=ticket.reason)
            return
        ticket.worker.interrupt()

    def place(self, ticket: Ticket) -> int | None:
        """How many tasks wait before this one; None if it does not wait."""
        return self._waiting.index(ticket) if ticket.worker is None and ticket in self._waiting else None

    def forget(self, upload: str) -> None:
        """Let workers give up what they remember of an upload."""
        for worker in self._workers:
            if upload in worker.uploads:
                worker.uploads.remove(upload)
                worker.write({"forget": upload})

    def _keep(self, coroutine: Any) -> None:
        task = asyncio.get_running_loop().create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _dispatch(self) -> None:
        """Give waiting tasks to idle workers, in the order they came, to one that knows the data if there is one."""
        if self._is_closing:
            return
        n_long = sum(worker.ticket is not None and worker.ticket.is_long for worker in self._workers)
        for ticket in list(self._waiting):
            idle = [worker for worker in self._workers if worker.is_ready and worker.ticket is None]
            if not idle:
                return
            if ticket.is_long and n_long >= self.limits.jobs:
                continue
            n_long += ticket.is_long
            self._waiting.remove(ticket)
            knowing = [worker for worker in idle if ticket.task.get("upload") in worker.uploads]
            self._begin(ticket, (knowing or idle)[0])

    def _begin(self, ticket: Ticket, worker: _Worker) -> None:
        ticket.worker = worker
        worker.take(ticket)
        loop = asyncio.get_running_loop()
        ticket._timer = loop.call_later(ticket.time_limit, self._end, ticket, took_too_long(ticket.time_limit))
        ticket.began()

    def _end(self, ticket: Ticket, problem: Problem) -> None:
        """End a task at one of its limits, together with its worker."""
        if ticket.worker is not None and not ticket.outcome.done():
            ticket.reason = ticket.reason or TaskFailedError(problem)
            ticket.worker.kill()

    async def _staffed(self, after: asyncio.Event | None = None) -> None:
        """One place for a worker, filled again whenever the worker dies."""
        if after is not None:
            await after.wait()
        while not self._is_closing:
            worker = await _Worker.started()
            self._workers.append(worker)
            try:
                async for message in worker.messages():
                    self._heard(worker, message)
            finally:
                self._workers.remove(worker)
                await worker.wait()
            if worker.was_ready:
                self._failed_starts = 0
            else:
                self._failed_starts += 1
                log.error("a worker could not start")
                await asyncio.sleep(min(5.0, 0.2 * 2**self._failed_starts))
            self._died(worker)

    def _heard(self, worker: _Worker, message: dict[str, Any]) -> None:
        ticket = worker.ticket
        if "ready" in message:
            worker.is_ready = worker.was_ready = True
            self._first_ready.set()
            self._dispatch()
        elif ticket is None:
            return
        elif "end" in message:
            worker.ticket = None
            worker.forgive()
            self._ended(ticket, message["end"])
            self._dispatch()
        else:
            ticket.tell(message)

    def _ended(self, ticket: Ticket, outcome: dict[str, Any]) -> None:
        if ticket.reason is not None:
            ticket.end(error=ticket.reason)
        elif "cancelled" in outcome:
            ticket.end(error=TaskCancelledError())
        elif "out_of_memory" in outcome:
            ticket.end(error=TaskFailedError(took_too_much_memory(self.limits)))
        elif "crash" in outcome:
            log.error("a task failed unexpectedly:\n%s", outcome["crash"])
            ticket.end(error=TaskFailedError(_stumbled(outcome["crash"].strip().rpartition("\n")[2][:300])))
        else:
            ticket.end(result=outcome)

    def _died(self, worker: _Worker) -> None:
        """What becomes of the task of a worker that is no more: begun again once, unless it was ended on purpose."""
        ticket, worker.ticket = worker.ticket, None
        if ticket is not None and not ticket.outcome.done():
            if ticket._timer is not None:
                ticket._timer.cancel()
            ticket.worker = None
            if ticket.reason is not None:
                ticket.end(error=ticket.reason)
            elif ticket.retries > 0:
                ticket.retries -= 1
                self._waiting.appendleft(ticket)
            else:
                ticket.end(error=TaskFailedError(_died()))
        if self._failed_starts >= _FAILED_STARTS:
            for waiting in list(self._waiting):
                self._waiting.remove(waiting)
                waiting.end(error=TaskFailedError(_nobody()))
        self._dispatch()

    async def _watched(self) -> None:
        """End tasks whose workers use more memory than they may."""
        while not self._is_closing:
            await asyncio.sleep(_GLANCE)
            for worker in list(self._workers):
                if worker.ticket is not None and worker.memory() > self.limits.memory + worker.idle_memory:
                    self._end(worker.ticket, took_too_much_memory(self.limits))


class _Worker:
    """One process."""

    def __init__(self, process: asyncio.subprocess.Process):
        self._process = process
        self.ticket: Ticket | None = None
        self.is_ready = False
        self.was_ready = False
        #: Uploads it has read; the last few are still in its memory.
        self.uploads: deque[str] = deque(maxlen=4)
        self.idle_memory = 0
        self._grace: asyncio.TimerHandle | None = None

    @classmethod
    async def started(cls) -> _Worker:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-P", "-m", "unisono.web.worker",
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            limit=_LINE,
            start_new_session=True,  # Ctrl-C in the terminal is for the service alone
            env={**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"},
        )  # fmt: skip
        return cls(process)

    @property
    def pid(self) -> int:
        return self._process.pid

    async def messages(self) -> Any:
        """What the worker tells, until it is no more."""
        assert self._process.stdout is not None
        try:
            while line := await self._process.stdout.readline():
                try:
                    message = json.loads(line)
                except ValueError:
                    break  # half a line: it was ended while it spoke
                yield message
        except ValueError:
            log.error("a worker said too much at once")
        self.is_ready = False
        self.kill()

    def take(self, ticket: Ticket) -> None:
        self.ticket = ticket
        self.idle_memory = self.memory()
        if upload := ticket.task.get("upload"):
            if upload in self.uploads:
                self.uploads.remove(upload)
            self.uploads.append(upload)
        self.write(ticket.task)

    def write(self, message: dict[str, Any]) -> None:
        """Send a line; the transport keeps what the pipe does not take, for a task is a few kilobytes."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(message).encode() + b"\n")

    def interrupt(self) -> None:
        """Ask it to stop what it does, and make it stop if it does not."""
        if os.name == "nt":
            self.kill()
            return
        self._signal(signal.SIGINT)
        self._grace = asyncio.get_running_loop().call_later(GRACE, self.kill)

    def forgive(self) -> None:
        """It stopped by itself."""
        if self._grace is not None:
            self._grace.cancel()

    def kill(self) -> None:
        self.is_ready = False
        self._signal(signal.SIGKILL if os.name != "nt" else signal.SIGTERM)

    def _signal(self, number: signal.Signals) -> None:
        if self._process.returncode is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)  # not send_signal, which may take the exit code that asyncio waits for

    async def wait(self) -> None:
        self.forgive()
        self.kill()
        await self._process.wait()

    def memory(self) -> int:
        """Bytes in use; 0 where the system does not say."""
        try:
            pages = Path(f"/proc/{self.pid}/statm").read_text(encoding="ascii").split()[1]
        except (OSError, IndexError):
            return 0
        return int(pages) * os.sysconf("SC_PAGESIZE")


def _stumbled(found: str) -> Problem:
    expected = "data and settings the program knows to handle"
    return Problem("unexpected", "error", "", expected, found, "please report it, with the data if you may")


def _died() -> Problem:
    found = "one that was ended from outside or broke down, twice"
    return Problem(
        "worker-died", "error", "", "a worker process that ends its task", found, "try again, with less data?"
    )


def _nobody() -> Problem:
    remedy = "whoever runs the service finds the reason in its log"
    return Problem("no-workers", "error", "", "worker processes", "none that starts", remedy)
