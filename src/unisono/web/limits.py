# SPDX-License-Identifier: MIT
"""How much may be asked of the service, each with what is said when it is too much."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields

from unisono.errors import ParameterError, Problem
from unisono.parallel import available_threads

MIB = 2**20
GIB = 2**30


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a service; every one is an option of `unisono serve`.

    >>> Limits(jobs=0)
    Traceback (most recent call last):
    unisono.errors.ParameterError: jobs above 0; found 0
    """

    #: Bytes of one upload, as sent.
    upload: int = 200 * MIB
    #: Bytes of one upload, unpacked.
    unpacked: int = GIB
    #: Files of one upload, those in archives included.
    files: int = 20_000
    #: Units of one upload.
    units: int = 1_000_000
    #: Seconds for one measurement, report or comparison of annotators.
    time: float = 300.0
    #: Seconds for reading an upload or drawing one alignment.
    reading_time: float = 60.0
    #: Bytes of memory for one job.
    memory: int = 2 * GIB
    #: Measurements at once; one more process reads uploads meanwhile.
    jobs: int = max(1, min(4, available_threads()))
    #: Measurements and readings that may wait for their turn.
    waiting: int = 256
    #: Bytes kept of all uploads and results together.
    storage: int = 4 * GIB
    #: Uploads and results kept at once.
    kept: int = 10_000
    #: Seconds after which what nobody asked for is deleted.
    keep: float = 3600.0
    #: Units up to which a measurement is answered at once.
    small: int = 2_000

    def __post_init__(self) -> None:
        for each in fields(self):
            if not getattr(self, each.name) > 0:
                raise ParameterError.of(f"{each.name} above 0", f"{getattr(self, each.name):g}", code="service-limit")

    def to_dict(self) -> dict[str, float]:
        return asdict(self)


def readable_size(n_bytes: float) -> str:
    """Bytes as people say them.

    >>> readable_size(200 * 2**20), readable_size(1536)
    ('200 MiB', '1.5 KiB')
    """
    for unit in ("bytes", "KiB", "MiB"):
        if n_bytes < 1024:
            return f"{n_bytes:.4g} {unit}"
        n_bytes /= 1024
    return f"{n_bytes:.4g} GiB"


def upload_too_large(limits: Limits) -> Problem:
    """More bytes were sent than one upload may have."""
    return Problem(
        "upload-limit",
        "error",
        "",
        f"an upload of at most {readable_size(limits.upload)}",
        "more",
        "send fewer files, or serve with a higher --upload-limit",
    )


def too_many_units(limits: Limits, found: int) -> Problem:
    """A corpus of more units than one may have here."""
    return Problem(
        "units-limit",
        "error",
        "",
        f"at most {limits.units:,} units",
        f"{found:,}",
        "measure them on the command line, or serve with a higher --units-limit",
    )


def took_too_long(seconds: float) -> Problem:
    """The work was ended because of its time."""
    return Problem(
        "job-time-limit",
        "error",
        "",
        f"work of at most {seconds:g} seconds",
        "more",
        "send less, ask for less precision, or serve with a higher --job-time-limit",
    )


def took_too_much_memory(limits: Limits) -> Problem:
    """The work was ended because of its memory."""
    return Problem(
        "job-memory-limit",
        "error",
        "",
        f"work within {readable_size(limits.memory)} of memory",
        "more",
        "send less, or serve with a higher --job-memory-limit",
    )


def too_many_waiting(limits: Limits) -> Problem:
    """The queue is full."""
    return Problem(
        "busy",
        "error",
        "",
        f"at most {limits.waiting} jobs waiting",
        "more",
        "try again in a moment, or serve with a higher --waiting-limit",
    )


def storage_full(limits: Limits) -> Problem:
    """What is kept for all visitors together has reached its limit."""
    return Problem(
        "storage-limit",
        "error",
        "",
        f"at most {readable_size(limits.storage)} and {limits.kept:,} uploads and results kept",
        "more",
        "try again later, or delete what is no longer needed",
    )
