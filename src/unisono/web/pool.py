# SPDX-License-Identifier: MIT
"""The worker processes: each does one task at a time, is killed at its limits and replaced when it dies.

Long tasks (measurements) never occupy all processes, so that uploads can be read and alignments shown at any time.
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

#: Seconds that an interrupted worker has before it is killed.
GRACE = 1.0
#: Seconds between two checks of the memory of the workers.
_MEMORY_CHECK = 0.1
#: Longest message of a worker in bytes.
_LINE = 2**28
#: How often a task is started again when its worker dies.
_RETRIES = 1
#: Consecutive failures to start a worker after which waiting tasks fail.
_FAILED_STARTS = 5
#: Seconds between two tries to start a worker, at most.
_LONGEST_PAUSE = 5.0


class BusyError(Exception):
    """Too many tasks are waiting."""

    def __init__(self, limits: Limits):
        self.problem = too_many_waiting(limits)
        super().__init__(str(self.problem))


class TaskCancelledError(Exception):
    """The task was cancelled."""


class TaskFailedError(Exception):
    """The task or its worker was stopped; the problem says why."""

    def __init__(self, problem: Problem):
        self.problem = problem
        super().__init__(str(problem))


@dataclass(eq=False)
class Ticket:
    """A task that is waiting, running or finished."""

    task: dict[str, Any]
    is_long: bool
    time_limit: float
    #: Called with each message of the worker before the last one.
    tell: Callable[[dict[str, Any]], None]
    #: Called when a worker is about to start it; returns what is added to the task.
    began: Callable[[], dict[str, Any]]
    outcome: asyncio.Future[dict[str, Any]]
    worker: _Worker | None = None
    retries: int = _RETRIES
    #: Why the service stopped it, if it did.
    reason: Exception | None = None
    _timer: asyncio.TimerHandle | None = field(default=None, repr=False)

    def end(self, *, result: dict[str, Any] | None = None, error: Exception | None = None) -> None:
        if self._timer is not None:
            self._timer.cancel()
        if self.outcome.done():
            return
        if error is not None:
            self.outcome.set_exception(error)
            self.outcome.exception()  # mark as retrieved: there may be no waiter left
        else:
            assert result is not None
            self.outcome.set_result(result)


class Pool:
    """The workers, and the tasks that wait for them."""

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

    async def start(self) -> None:
        """Start the workers: one for each concurrent measurement, and one more."""
        self._keep(self._run_worker())
        for _ in range(self.limits.n_workers):  # started later, so that the first is ready sooner
            self._keep(self._run_worker(after=self._first_ready))
        self._keep(self._watch_memory())

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
        began: Callable[[], dict[str, Any]] = dict,
    ) -> Ticket:
        """Put a task in the queue; BusyError if the queue is full."""
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
        """Cancel a task. Its worker is interrupted and keeps the data it read, unless it must be killed."""
        if ticket.outcome.done():
            return
        ticket.reason = TaskCancelledError()
        if ticket.worker is None:
            self._waiting.remove(ticket)
            ticket.end(error=ticket.reason)
            return
        ticket.worker.interrupt()

    def place(self, ticket: Ticket) -> int | None:
        """How many tasks wait before this one; None if it is not waiting."""
        return self._waiting.index(ticket) if ticket.worker is None and ticket in self._waiting else None

    def forget(self, upload: str) -> None:
        """Tell the workers to drop an upload from their memory."""
        for worker in self._workers:
            if upload in worker.uploads:
                worker.uploads.remove(upload)
                worker.write({"forget": upload})

    def _keep(self, coroutine: Any) -> None:
        task = asyncio.get_running_loop().create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _dispatch(self) -> None:
        """Give waiting tasks to idle workers, first come first served, preferring a worker that has read the data."""
        if self._is_closing:
            return
        n_long = sum(worker.ticket is not None and worker.ticket.is_long for worker in self._workers)
        for ticket in list(self._waiting):
            idle = [worker for worker in self._workers if worker.is_ready and worker.ticket is None]
            if not idle:
                return
            if ticket.is_long and n_long >= self.limits.n_workers:
                continue
            n_long += ticket.is_long
            self._waiting.remove(ticket)
            informed = [worker for worker in idle if ticket.task.get("upload") in worker.uploads]
            self._begin(ticket, (informed or idle)[0])

    def _begin(self, ticket: Ticket, worker: _Worker) -> None:
        ticket.worker = worker
        ticket.task |= ticket.began()
        worker.take(ticket)
        loop = asyncio.get_running_loop()
        ticket._timer = loop.call_later(ticket.time_limit, self._end, ticket, took_too_long(ticket.time_limit))

    def _end(self, ticket: Ticket, problem: Problem) -> None:
        """Stop a task that reached a limit by killing its worker."""
        if ticket.worker is not None and not ticket.outcome.done():
            ticket.reason = ticket.reason or TaskFailedError(problem)
            ticket.worker.kill()

    async def _run_worker(self, after: asyncio.Event | None = None) -> None:
        """Keep one worker running: start it, handle its messages, replace it when it dies."""
        if after is not None:
            await after.wait()
        while not self._is_closing:
            try:
                worker = await _Worker.start()
            except OSError as error:  # no memory, too many processes, no file handles
                await self._handle_failed_start(str(error))
                continue
            self._workers.append(worker)
            try:
                async for message in worker.messages():
                    self._handle_message(worker, message)
            finally:
                self._workers.remove(worker)
                await worker.wait()
            if worker.was_ready:
                self._failed_starts = 0
            else:
                await self._handle_failed_start("it ended at once")
            self._handle_death(worker)

    async def _handle_failed_start(self, reason: str) -> None:
        """Wait before the next try, longer each time; after some tries the waiting tasks fail."""
        self._failed_starts += 1
        log.error("a worker could not start: %s", reason)
        if self._failed_starts >= _FAILED_STARTS:
            for waiting in list(self._waiting):
                self._waiting.remove(waiting)
                waiting.end(error=TaskFailedError(_no_workers_problem()))
        await asyncio.sleep(min(_LONGEST_PAUSE, 0.2 * 2**self._failed_starts))

    def _handle_message(self, worker: _Worker, message: dict[str, Any]) -> None:
        ticket = worker.ticket
        if "ready" in message:
            worker.is_ready = worker.was_ready = True
            self._first_ready.set()
            self._dispatch()
        elif ticket is None:
            return
        elif "end" in message:
            worker.ticket = None
            worker.cancel_kill()
            self._finish(ticket, message["end"])
            self._dispatch()
        elif ticket.reason is None:  # messages of a stopped task are about files that may be deleted
            ticket.tell(message)

    def _finish(self, ticket: Ticket, outcome: dict[str, Any]) -> None:
        if ticket.reason is not None:
            ticket.end(error=ticket.reason)
        elif "cancelled" in outcome:
            ticket.end(error=TaskCancelledError())
        elif "out_of_memory" in outcome:
            ticket.end(error=TaskFailedError(took_too_much_memory(self.limits)))
        elif "crash" in outcome:
            log.error("a task failed unexpectedly:\n%s", outcome["crash"])
            ticket.end(error=TaskFailedError(_unexpected_problem(outcome["crash"].strip().rpartition("\n")[2][:300])))
        else:
            ticket.end(result=outcome)

    def _handle_death(self, worker: _Worker) -> None:
        """Start the task of a dead worker again, once, unless the service stopped it on purpose."""
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
                ticket.end(error=TaskFailedError(_worker_died_problem()))
        self._dispatch()

    async def _watch_memory(self) -> None:
        """Stop tasks whose workers use more memory than allowed."""
        while not self._is_closing:
            await asyncio.sleep(_MEMORY_CHECK)
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
        #: The uploads it read last, which are still in its memory.
        self.uploads: deque[str] = deque(maxlen=4)
        self.idle_memory = 0
        self._grace: asyncio.TimerHandle | None = None

    @classmethod
    async def start(cls) -> _Worker:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-P", "-m", "unisono.web.worker",
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            limit=_LINE,
            start_new_session=True,  # Ctrl-C in the terminal must not reach the workers
            env={**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"},
        )  # fmt: skip
        return cls(process)

    @property
    def pid(self) -> int:
        return self._process.pid

    async def messages(self) -> Any:
        """The messages of the worker, until it dies."""
        assert self._process.stdout is not None
        try:
            while line := await self._process.stdout.readline():
                try:
                    message = json.loads(line)
                except ValueError:
                    break  # the worker was killed; its last line is truncated
                yield message
        except ValueError:
            log.error("a worker sent a message above the size limit")
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
        """Send one line. The transport buffers it if the pipe is full; a task has only a few kilobytes."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(message).encode() + b"\n")

    def interrupt(self) -> None:
        """Ask the worker to stop its task, and kill it if it does not stop in time."""
        if os.name == "nt":
            self.kill()
            return
        self._signal(signal.SIGINT)
        self._grace = asyncio.get_running_loop().call_later(GRACE, self.kill)

    def cancel_kill(self) -> None:
        """Do not kill the worker: it stopped in time."""
        if self._grace is not None:
            self._grace.cancel()

    def kill(self) -> None:
        self.is_ready = False
        self._signal(signal.SIGKILL if os.name != "nt" else signal.SIGTERM)

    def _signal(self, number: signal.Signals) -> None:
        if self._process.returncode is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)  # send_signal could consume the exit code that asyncio waits for

    async def wait(self) -> None:
        self.cancel_kill()
        self.kill()
        await self._process.wait()

    def memory(self) -> int:
        """Bytes in use; 0 if the system does not report them."""
        try:
            pages = Path(f"/proc/{self.pid}/statm").read_text(encoding="ascii").split()[1]
        except (OSError, IndexError):
            return 0
        return int(pages) * os.sysconf("SC_PAGESIZE")


def _unexpected_problem(error: str) -> Problem:
    message = f"the program failed on these data and settings with {error}"
    return Problem(
        "unexpected",
        "error",
        "",
        message,
        "Please report it as a bug, with the data if you may share them.",
        found=error,
    )


def _worker_died_problem() -> Problem:
    message = "the worker process was killed or crashed twice during this task"
    return Problem("worker-died", "error", "", message, "Try again, perhaps with less data.")


def _no_workers_problem() -> Problem:
    message = "no worker process could be started"
    return Problem("no-workers", "error", "", message, "The log of the service has the reason.")
