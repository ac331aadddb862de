# SPDX-License-Identifier: MIT
"""Where work runs: in threads of the core, processes, a Dask cluster, or any executor of concurrent.futures.

Random continua run in threads of the core, which releases the interpreter's lock. An executor gets the documents of a
corpus, or the cells of a benchmark, in batches. Results do not depend on the number of threads or on the executor.
"""

from __future__ import annotations

import functools
import hashlib
import logging
import os
import signal
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Executor, Future, wait
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from unisono.errors import ParameterError, UnisonoError, load_optional

if TYPE_CHECKING:
    from concurrent.futures import ProcessPoolExecutor

Work = TypeVar("Work")
Done = TypeVar("Done")

#: Pieces of work submitted to an executor at a time: enough to keep it busy, few enough to fit in memory.
WAITING = 64

#: Whether threads can be started: not by Python in a browser.
HAS_THREADS = sys.platform not in ("emscripten", "wasi")

#: Seconds within which a cluster must answer, and must have a worker.
ANSWER_WITHIN = 10
WORKERS_WITHIN = 60


def in_order(
    function: Callable[[Work], Done], pieces: Iterable[Work], executor: Executor | None = None
) -> Iterator[tuple[Work, Done]]:
    """Every piece of work with its result, in the order of the pieces; computed here or by the executor.

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
    finally:  # the caller stopped early: cancel the work that has not begun
        for _, future in waiting:
            future.cancel()


def as_done(
    function: Callable[[Work], Done], pieces: Iterable[Work], executor: Executor | None = None
) -> Iterator[tuple[Work, Done]]:
    """Every piece of work with its result as soon as it is ready, in any order; computed here or by the executor.

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
    """An executor of this many processes, one for each processor if None; an exception ends them at once.

    The processes are spawned, because a fork would break the threads of the core. They ignore interrupts: this process
    handles them and ends the others.
    """
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    executor = ProcessPoolExecutor(
        n_threads(jobs), mp_context=multiprocessing.get_context("spawn"), initializer=_ignore_interrupts
    )
    try:
        yield executor
    except BaseException:
        _terminate(executor)
        raise
    executor.shutdown()


def _ignore_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _terminate(executor: ProcessPoolExecutor) -> None:
    """End an executor's processes without waiting for their work.

    Cancelled work must be gone from the executor's manager thread first (it is given a second): otherwise that thread
    prints a traceback when it tries to mark the cancelled work as failed.
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
    """An executor on the Dask cluster whose scheduler is at that address; `modules` are files that its workers need.

    If a worker is lost, the scheduler gives its work to another one. Every piece of work checks that its worker has
    the same sources as this program, so that workers that join later are checked, too.
    """
    distributed = load_optional("distributed", "work on a cluster", "cluster")
    _silence("distributed", "tornado")
    try:
        client = distributed.Client(address, timeout=ANSWER_WITHIN, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        raise ParameterError.of(
            f"no Dask scheduler answers at {address} ({_first_line(error)})",
            "Start one with `dask scheduler`, and give its address, such as tcp://127.0.0.1:8786.",
            code="cluster",
            found=address,
        ) from None
    try:
        _check_workers(client, address)
        for module in modules:
            client.upload_file(str(module))
        with _report_loss(address):
            yield _CheckedExecutor(client.get_executor())
    finally:  # without waiting for unfinished work: after an error nobody needs it
        client.close()


def _silence(*packages: str) -> None:
    """Suppress what these packages log: our own messages report a lost connection."""
    for name in list(logging.root.manager.loggerDict):
        if name.partition(".")[0] in packages:
            logging.getLogger(name).setLevel(logging.CRITICAL)


@contextmanager
def _report_loss(address: str) -> Iterator[None]:
    """Raise an error of one line where the scheduler is lost, or the work kills one worker after another."""
    from distributed import KilledWorker
    from distributed.comm.core import CommClosedError

    try:
        yield
    except (CancelledError, CommClosedError, KilledWorker) as error:
        raise UnisonoError(f"the cluster at {address} was lost while it was working: {_first_line(error)}") from error
    except RuntimeError as error:
        if "deserializ" not in str(error):
            raise
        raise _other_sources("sources that cannot load this work", sources()) from error


def _first_line(error: BaseException) -> str:
    return str(error).splitlines()[0] if str(error) else type(error).__name__


def _check_workers(client: Any, address: str) -> None:
    """Check that there are workers, and that they have this version of unisono: others may give other numbers."""
    try:
        client.wait_for_workers(1, timeout=WORKERS_WITHIN)
    except TimeoutError:
        raise ParameterError.of(
            f"the cluster at {address} had no worker within {WORKERS_WITHIN} seconds",
            f"Start one with `dask worker {address}`.",
            code="cluster",
        ) from None
    answers = client.run(sources, on_error="return").values()
    failures = sorted({str(each) for each in answers if isinstance(each, BaseException)})
    others = sorted({each for each in answers if isinstance(each, str) and each != sources()})
    if failures:
        raise ParameterError.of(
            f"some workers cannot load unisono ({', '.join(failures)})",
            _SAME_VERSION,
            code="cluster",
            found=", ".join(failures),
        )
    if others:
        raise _other_sources(", ".join(others), sources())


_SAME_VERSION = "Install the same version on each of them."


def _other_sources(there: str, here: str) -> ParameterError:
    return ParameterError.of(
        f"workers have unisono {there}, and this program is {here}", _SAME_VERSION, code="cluster", found=there
    )


class _CheckedExecutor(Executor):
    """An executor whose work is refused by workers that have other sources."""

    def __init__(self, inner: Any):
        self._inner = inner
        self._sources = sources()

    def submit(self, function: Callable[..., Done], /, *args: Any, **kwargs: Any) -> Future[Done]:
        done: Future[Done] = self._inner.submit(_run_if_same_sources, self._sources, function, *args, **kwargs)
        return done


def _run_if_same_sources(wanted: str, function: Callable[..., Done], /, *args: Any, **kwargs: Any) -> Done:
    """Call a function if this process has these sources; ParameterError otherwise."""
    if sources() != wanted:
        raise _other_sources(sources(), wanted)
    return function(*args, **kwargs)


@functools.cache
def sources() -> str:
    """The version of this package and a digest of its Python sources: workers with others may give other numbers."""
    from importlib.metadata import version

    root = Path(__file__).parent
    total = hashlib.sha256()
    for path in sorted(root.rglob("*.py")):
        total.update(f"{path.relative_to(root).as_posix()}\n".encode() + path.read_bytes())
    return f"{version('unisono')} (sources {total.hexdigest()[:12]})"


def available_threads() -> int:
    """The number of processors that this process may use; a container or `taskset` may grant only some of them."""
    if not HAS_THREADS:
        return 1
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def n_threads(jobs: int | None = None) -> int:
    """The number of threads to use: `jobs`, or all that are available when None; 1 where there can be no others.

    >>> n_threads(3)
    3
    >>> n_threads(0)
    Traceback (most recent call last):
    unisono.errors.ParameterError: the number of threads is 0, below 1. Leave it out to use every processor.
    """
    if jobs is None:
        return available_threads()
    if jobs < 1:
        raise ParameterError.of(
            f"the number of threads is {jobs}, below 1",
            "Leave it out to use every processor.",
            code="threads",
            found=str(jobs),
        )
    return jobs if HAS_THREADS else 1
