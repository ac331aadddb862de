# SPDX-License-Identifier: MIT
"""The one door to run work: threads of the core, or any executor of concurrent.futures (processes, Dask's, ...).

Random continua run in threads of the core, which releases the interpreter's lock. With an executor the documents of a
corpus go to it in handfuls. Neither the number of threads nor the executor ever changes a number.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future
from typing import TypeVar

from unisono.errors import ParameterError

Work = TypeVar("Work")
Done = TypeVar("Done")

#: Pieces of work that wait for an executor at a time: enough to keep it busy, few enough to be kept in memory.
WAITING = 64


def in_order(
    function: Callable[[Work], Done], pieces: Iterable[Work], executor: Executor | None = None
) -> Iterator[tuple[Work, Done]]:
    """Every piece of work with its result, in the order of the pieces: here, or by the executor.

    >>> list(in_order(abs, [3, -1]))
    [(3, 3), (-1, 1)]
    """
    if executor is None:
        for piece in pieces:
            yield piece, function(piece)
        return
    waiting: deque[tuple[Work, Future[Done]]] = deque()
    try:
        for piece in pieces:
            waiting.append((piece, executor.submit(function, piece)))
            if len(waiting) >= WAITING:
                first, future = waiting.popleft()
                yield first, future.result()
        while waiting:
            first, future = waiting.popleft()
            yield first, future.result()
    finally:  # stopped early: what has not begun need not begin
        for _, future in waiting:
            future.cancel()


def available_threads() -> int:
    """The processors this process may run on (a container or `taskset` may grant fewer than the machine has)."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def n_threads(jobs: int | None = None) -> int:
    """The number of threads to use: `jobs`, or all that are available when None.

    >>> n_threads(3)
    3
    >>> n_threads(0)
    Traceback (most recent call last):
    unisono.errors.ParameterError: a number of threads of at least 1; found 0; leave it out to use every processor
    """
    if jobs is None:
        return available_threads()
    if jobs < 1:
        raise ParameterError.of(
            "a number of threads of at least 1", str(jobs), "leave it out to use every processor", code="threads"
        )
    return jobs
