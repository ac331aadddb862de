# SPDX-License-Identifier: MIT
"""The one door to run work: threads of the core, processes, a Dask cluster, or any executor of concurrent.futures.

Random continua run in threads of the core, which releases the interpreter's lock. With an executor the documents of a
corpus, or the cells of a benchmark, go to it in handfuls. Neither the number of threads nor the executor ever changes a
number.
"""

from __future__ import annotations

import logging
import os
import signal
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Executor, Future, wait
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from unisono.errors import MissingDependencyError, ParameterError, UnisonoError

if TYPE_CHECKING:
    from concurrent.futures import ProcessPoolExecutor

Work = TypeVar("Work")
Done = TypeVar("Done")

#: Pieces of work that wait for an executor at a time: enough to keep it busy, few enough to be kept in memory.
WAITING = 64

#: Seconds until a cluster must have answered, and until it must have a worker.
ANSWER_WITHIN = 10
WORKERS_WITHIN = 60


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


def as_done(
    function: Callable[[Work], Done], pieces: Iterable[Work], executor: Executor | None = None
) -> Iterator[tuple[Work, Done]]:
    """Every piece of work with its result as soon as it is there, in whatever order: here, or by the executor.

    >>> list(as_done(abs, [3, -1]))
    [(3, 3), (-1, 1)]
    """
    if executor is None:
        yield from in_order(function, pieces)
        return
    running: dict[Future[Done], Work] = {}
    left = iter(pieces)
    try:
        while True:
            for piece in left:
                running[executor.submit(function, piece)] = piece
                if len(running) >= WAITING:
                    break
            if not running:
                return
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                yield running.pop(future), future.result()
    finally:
        for future in running:
            future.cancel()


@contextmanager
def processes(jobs: int | None = None) -> Iterator[Executor]:
    """An executor of so many processes, as many as there are processors if None; left early, it ends them at once.

    The processes start afresh ("spawn"), so that no thread of the core is torn by a fork. An interrupt is for this
    process alone: it decides what becomes of the others.
    """
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    executor = ProcessPoolExecutor(
        n_threads(jobs), mp_context=multiprocessing.get_context("spawn"), initializer=_leave_interrupts
    )
    try:
        yield executor
    except BaseException:
        _end(executor)
        raise
    executor.shutdown()


def _leave_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _end(executor: ProcessPoolExecutor) -> None:
    """End an executor's processes without waiting for what they are doing.

    First its manager must have let go of what was cancelled: it would fail, aloud, to tell that its process is gone.
    """
    running = list((executor._processes or {}).values())
    manager: Any = executor._executor_manager_thread
    executor.shutdown(wait=False, cancel_futures=True)
    end = time.monotonic() + 1
    while manager and time.monotonic() < end:
        if not any(item.future.cancelled() for item in list(manager.pending_work_items.values())):
            break
        time.sleep(0.01)
    for process in running:
        process.terminate()


@contextmanager
def cluster(address: str, modules: Sequence[Path] = ()) -> Iterator[Executor]:
    """An executor on the Dask cluster whose scheduler is at that address; `modules` are files its workers will need.

    When a worker is lost, the scheduler gives what it was doing to another one.
    """
    try:
        distributed: Any = import_module("distributed")
    except ImportError:
        raise MissingDependencyError("work on a cluster", "cluster") from None
    _hush("distributed", "tornado")
    try:
        client = distributed.Client(address, timeout=ANSWER_WITHIN, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        raise ParameterError.of(
            "a Dask scheduler at an address such as tcp://127.0.0.1:8786",
            f"{address} ({str(error).splitlines()[0] if str(error) else type(error).__name__})",
            "start one with: dask scheduler",
            code="cluster",
        ) from None
    try:
        _check_workers(client, address)
        for module in modules:
            client.upload_file(str(module))
        with _loss_in_words(address):
            yield client.get_executor()
    finally:  # without waiting for what is still being done: whoever leaves early does not want it
        client.close()


def _hush(*packages: str) -> None:
    """Keep what these packages log off the screen: what there is to say of a lost connection, we say ourselves."""
    for name in list(logging.root.manager.loggerDict):
        if name.partition(".")[0] in packages:
            logging.getLogger(name).setLevel(logging.CRITICAL)


@contextmanager
def _loss_in_words(address: str) -> Iterator[None]:
    """A scheduler that went away, or work that took worker after worker with it, in one line."""
    from distributed import KilledWorker
    from distributed.comm.core import CommClosedError

    try:
        yield
    except (CancelledError, CommClosedError, KilledWorker) as error:
        why = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise UnisonoError(f"the cluster at {address} was lost while it was working: {why}") from error


def _check_workers(client: Any, address: str) -> None:
    """That there are workers, and that they have this version of unisono: others could give other numbers."""
    try:
        client.wait_for_workers(1, timeout=WORKERS_WITHIN)
    except TimeoutError:
        raise ParameterError.of(
            "a cluster with at least one worker",
            f"none at {address} within {WORKERS_WITHIN} seconds",
            f"start one with: dask worker {address}",
            code="cluster",
        ) from None
    strange = {str(found) for found in client.run(_version, on_error="return").values() if found != _version()}
    if strange:
        raise ParameterError.of(
            f"workers with unisono {_version()}",
            ", ".join(sorted(strange)),
            "install the same version on each of them",
            code="cluster",
        )


def _version() -> str:
    from importlib.metadata import version

    return version("unisono")


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
