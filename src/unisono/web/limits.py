# SPDX-License-Identifier: MIT
"""How much may be asked of the service, and the problem for each limit that is exceeded."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from unisono.errors import Problem
from unisono.parallel import available_threads
from unisono.settings import ServiceLimits, check

MIB = 2**20


@dataclass(frozen=True, kw_only=True)
class Limits(ServiceLimits):
    """The limits of a service, checked; every one is an option of `unisono serve`.

    >>> Limits(jobs=0)
    Traceback (most recent call last):
    unisono.errors.ParameterError: 0 is not a valid value of jobs=. Give a whole number above 0.
    """

    def __post_init__(self) -> None:
        check(self)

    @property
    def n_workers(self) -> int:
        """Measurements at once."""
        return max(1, min(4, available_threads())) if self.jobs is None else self.jobs

    def to_dict(self) -> dict[str, float]:
        return {**asdict(self), "jobs": self.n_workers}


def readable_size(n_bytes: float) -> str:
    """Bytes as text for people.

    >>> readable_size(200 * 2**20), readable_size(1536)
    ('200 MiB', '1.5 KiB')
    """
    for unit in ("bytes", "KiB", "MiB"):
        if n_bytes < 1024:
            return f"{n_bytes:.4g} {unit}"
        n_bytes /= 1024
    return f"{n_bytes:.4g} GiB"


def _problem(code: str, message: str, remedy: str) -> Problem:
    return Problem(code, "error", "", message, remedy)


def upload_too_large(limits: Limits) -> Problem:
    """More bytes were sent than one upload may have."""
    return _problem(
        "upload-limit",
        f"the upload is larger than {readable_size(limits.upload)}",
        "Send fewer files, or serve with a higher [[upload]].",
    )


def too_many_units(limits: Limits, n_units: int) -> Problem:
    """A corpus has more units than one may have here."""
    return _problem(
        "units-limit",
        f"there are {n_units:,} units, more than the {limits.units:,} that are allowed here",
        "Measure them on the command line, or serve with a higher [[units]].",
    )


def took_too_long(seconds: float) -> Problem:
    """The work was stopped at its time limit."""
    return _problem(
        "job-time-limit",
        f"the work took longer than {seconds:g} seconds",
        "Send less, ask for less precision, or serve with a higher [[time]].",
    )


def took_too_much_memory(limits: Limits) -> Problem:
    """The work was stopped at its memory limit."""
    return _problem(
        "job-memory-limit",
        f"the work needed more than {readable_size(limits.memory)} of memory",
        "Send less, or serve with a higher [[memory]].",
    )


def too_many_waiting(limits: Limits) -> Problem:
    """The queue is full."""
    return _problem(
        "busy",
        f"more than {limits.waiting} jobs are waiting",
        "Try again in a moment, or serve with a higher [[waiting]].",
    )


def storage_full(limits: Limits) -> Problem:
    """What is kept for all visitors together has reached its limit."""
    return _problem(
        "storage-limit",
        f"the service keeps {readable_size(limits.storage)} or {limits.kept:,} uploads and results already",
        "Try again later, or delete what is no longer needed.",
    )
