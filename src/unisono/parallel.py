# SPDX-License-Identifier: MIT
"""How much of the machine the work may use: the one place where a number of threads is decided.

Today the random continua of the chance model run in threads of the core, which releases the interpreter's lock.
The number of threads never changes a number.
"""

from __future__ import annotations

import os

from unisono.errors import ParameterError


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
