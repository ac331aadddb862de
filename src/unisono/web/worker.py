# SPDX-License-Identifier: MIT
"""A worker process: reads one task per line from its standard input and writes messages to its standard output.

Every line is one JSON object, which the service only parses. A task can be stopped at any time: by an interrupt, after
which the worker is ready for the next task, or by killing the worker. When the service exits, the worker exits too.
"""

from __future__ import annotations

import gc
import json
import os
import queue
import signal
import sys
import threading
import traceback
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType

    from unisono.web.tasks import Tell, Workshop

#: Address space that a thread of the core reserves without using it.
_PER_THREAD = 128 * 2**20


class Cancelled(BaseException):
    """The task was cancelled."""


class Interrupts:
    """Handles interrupts: they stop a running task, but never while a line is being written."""

    def __init__(self) -> None:
        self._depth = 0
        self._is_pending = False

    def handle(self, number: int, frame: FrameType | None) -> None:
        if self._depth > 0:
            raise Cancelled
        self._is_pending = True

    @contextmanager
    def enable(self) -> Iterator[None]:
        """Interrupts stop what runs inside."""
        self._is_pending = False
        self._depth = 1
        try:
            yield
        finally:
            self._depth = 0

    @contextmanager
    def defer(self) -> Iterator[None]:
        """Interrupts take effect at the end."""
        before, self._depth = self._depth, 0
        self._is_pending = False
        yield
        self._depth = before
        if self._is_pending and before:
            raise Cancelled


def main() -> int:
    """Do tasks until there are no more."""
    answers, tasks = _channels()
    interrupts = Interrupts()
    signal.signal(signal.SIGINT, interrupts.handle)
    from unisono.errors import name_settings_by
    from unisono.settings import control_name
    from unisono.web.tasks import Workshop  # loads the library before the first task

    name_settings_by(control_name)
    workshop = Workshop()

    def tell(message: dict[str, Any]) -> None:
        with interrupts.defer():
            answers.write(json.dumps(message).encode() + b"\n")
            answers.flush()

    tell({"ready": True, "pid": os.getpid()})
    while (line := tasks.get()) is not None:
        task = json.loads(line)
        if "forget" in task:
            workshop.forget(task["forget"])
            continue
        if limit := task.pop("memory", None):
            _limit_memory(limit, task["threads"])
        _limit_files(task.pop("room", None))
        tell({"end": perform(workshop, interrupts, task, tell)})
    return 0


def perform(workshop: Workshop, interrupts: Interrupts, task: dict[str, Any], tell: Tell) -> dict[str, Any]:
    """The outcome of a task, or how it ended instead."""
    try:
        with interrupts.enable():
            return workshop.outcome(task, tell)
    except Cancelled:
        return {"cancelled": True}
    except MemoryError:
        workshop.forget()
        gc.collect()
        return {"out_of_memory": True}
    except BaseException:
        return {"crash": traceback.format_exc(limit=-20)[-20_000:]}


def _channels() -> tuple[IO[bytes], queue.SimpleQueue[bytes | None]]:
    """The stream for answers and the queue of tasks; anything else that prints or reads cannot touch them."""
    answers = os.fdopen(os.dup(1), "wb")
    given = os.fdopen(os.dup(0), "rb")
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    tasks: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()

    def listen() -> None:
        if hasattr(signal, "pthread_sigmask"):  # interrupts must reach the main thread
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        for line in given:
            tasks.put(line)
        os._exit(0)  # the service has exited

    threading.Thread(target=listen, daemon=True).start()
    return answers, tasks


def _limit_memory(limit: int, threads: int) -> None:
    """Limit the address space to the present size plus the limit of a job; the service checks memory in use."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
        most = pages * resource.getpagesize() + limit + _PER_THREAD * threads
        resource.setrlimit(resource.RLIMIT_AS, (most, resource.getrlimit(resource.RLIMIT_AS)[1]))


def _limit_files(room: int | None) -> None:
    """Limit what a task may write: a quarter of its room for each file, since it writes a few; None is no limit."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (hard if room is None else room // 4, hard))


if __name__ == "__main__":
    sys.exit(main())
