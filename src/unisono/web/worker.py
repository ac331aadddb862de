# SPDX-License-Identifier: MIT
"""A worker process: reads one task a line from its standard input, does it, tells about it on its standard output.

Every line is one JSON object, so that nothing a worker says can do more to the service than be read. The work may be
ended from outside at any time: softly by an interrupt, which leaves the worker ready for the next task, or by a kill.
When the service is gone, so is the worker.
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

#: Memory that threads of the core set aside without using it.
_PER_THREAD = 128 * 2**20


class Cancelled(BaseException):
    """Nobody wants the result any more."""


class Interrupts:
    """Interrupts that count only while work is going on, and never while a line is being written."""

    def __init__(self) -> None:
        self._depth = 0
        self._is_wanted = False

    def received(self, number: int, frame: FrameType | None) -> None:
        if self._depth > 0:
            raise Cancelled
        self._is_wanted = True

    @contextmanager
    def counted(self) -> Iterator[None]:
        """Interrupts end what happens in here."""
        self._is_wanted = False
        self._depth = 1
        try:
            yield
        finally:
            self._depth = 0

    @contextmanager
    def deferred(self) -> Iterator[None]:
        """Interrupts wait until this is over."""
        before, self._depth = self._depth, 0
        self._is_wanted = False
        yield
        self._depth = before
        if self._is_wanted and before:
            raise Cancelled


def main() -> int:
    """Do tasks until there are no more."""
    answers, tasks = _channels()
    interrupts = Interrupts()
    signal.signal(signal.SIGINT, interrupts.received)
    from unisono.web.tasks import Workshop  # loads the library: before the first task, not during it

    workshop = Workshop()

    def tell(message: dict[str, Any]) -> None:
        with interrupts.deferred():
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
        try:
            with interrupts.counted():
                outcome = workshop.outcome(task, tell)
        except Cancelled:
            outcome = {"cancelled": True}
        except MemoryError:
            workshop.forget()
            gc.collect()
            outcome = {"out_of_memory": True}
        except BaseException:
            outcome = {"crash": traceback.format_exc(limit=-20)[-20_000:]}
        tell({"end": outcome})
    return 0


def _channels() -> tuple[IO[bytes], queue.SimpleQueue[bytes | None]]:
    """Where answers go, and where tasks come from; whatever else prints or reads gets nothing of either."""
    answers = os.fdopen(os.dup(1), "wb")
    given = os.fdopen(os.dup(0), "rb")
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    tasks: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()

    def listen() -> None:
        if hasattr(signal, "pthread_sigmask"):  # an interrupt must wake the main thread, or it would meet the next task
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        for line in given:
            tasks.put(line)
        os._exit(0)  # the service has gone: nobody waits for what is being done here

    threading.Thread(target=listen, daemon=True).start()
    return answers, tasks


def _limit_memory(limit: int, threads: int) -> None:
    """Refuse memory beyond what the worker has now and the limit of a job; the service watches what is in use."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
        most = pages * resource.getpagesize() + limit + _PER_THREAD * threads
        resource.setrlimit(resource.RLIMIT_AS, (most, resource.getrlimit(resource.RLIMIT_AS)[1]))


if __name__ == "__main__":
    sys.exit(main())
