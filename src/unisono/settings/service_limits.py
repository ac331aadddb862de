# SPDX-License-Identifier: MIT
"""The settings of `unisono serve`: how much visitors may ask for."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from unisono.settings.bounds import GIB
from unisono.settings.definition import setting
from unisono.settings.parsing import parse_size, show_size

MIB = 2**20

_service = partial(setting, panel="Limits", code="service-limit", above=0)
_service_size = partial(_service, metavar="SIZE", parse=parse_size, show=show_size)


@dataclass(frozen=True, kw_only=True)
class ServiceLimits:
    """How much visitors of a service may ask for."""

    upload: int = _service_size(200 * MIB, "Largest upload.", option="--upload-limit")
    unpacked: int = _service_size(GIB, "Largest upload, unpacked.", option="--unpacked-limit")
    files: int = _service(
        20_000, "Most files of an upload, those in archives included.", metavar="N", option="--files-limit"
    )
    units: int = _service(1_000_000, "Most units of an upload.", metavar="N", option="--units-limit")
    time: float = _service(
        300.0,
        "Longest measurement, report or comparison of annotators.",
        metavar="SECONDS",
        option="--job-time-limit",
    )
    reading_time: float = _service(
        60.0,
        "Longest reading of an upload, or drawing of one alignment.",
        metavar="SECONDS",
        option="--reading-time-limit",
    )
    memory: int = _service_size(2 * GIB, "Most memory for one job.", option="--job-memory-limit")
    jobs: int | None = _service(
        None,
        "Measurements at once; one more process reads uploads meanwhile.",
        metavar="N",
        option="--jobs-limit",
        default_help="as many as processors, up to 4",
    )
    waiting: int = _service(256, "Jobs that may wait for their turn.", metavar="N", option="--waiting-limit")
    storage: int = _service_size(4 * GIB, "Most bytes kept of all uploads and results.", option="--storage-limit")
    connections: int = _service(
        500, "Most connections at once; fewer where the system allows fewer open files.", metavar="N"
    )
    kept: int = _service(10_000, "Most uploads and results kept.", metavar="N", option="--kept-limit")
    keep: float = _service(3600.0, "Seconds after which data that nobody asked for are deleted.", metavar="SECONDS")
    small: int = _service(2_000, "Units up to which a measurement is answered at once.", metavar="N")
