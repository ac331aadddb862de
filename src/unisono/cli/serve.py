# SPDX-License-Identifier: MIT
"""`unisono serve`: the page in the browser, and the JSON service behind it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from unisono.cli.options import option, parsed_size
from unisono.cli.run import FINE, command, say, usage, usage_errors
from unisono.errors import MissingDependencyError

if TYPE_CHECKING:
    from unisono.web.limits import Limits

_LIMITS = "Limits"
_ACCESS = "Access"


@dataclass(frozen=True, slots=True)
class Serving:
    """How much visitors may ask for."""

    upload_limit: Annotated[str, option(_LIMITS, "Largest upload.", "SIZE")] = "200M"
    unpacked_limit: Annotated[str, option(_LIMITS, "Largest upload, unpacked.", "SIZE")] = "1G"
    files_limit: Annotated[int, option(_LIMITS, "Most files of an upload, those in archives included.", "N")] = 20_000
    units_limit: Annotated[int, option(_LIMITS, "Most units of an upload.", "N")] = 1_000_000
    job_time_limit: Annotated[float, option(_LIMITS, "Longest measurement.", "SECONDS")] = 300.0
    reading_time_limit: Annotated[float, option(_LIMITS, "Longest reading of an upload.", "SECONDS")] = 60.0
    job_memory_limit: Annotated[str, option(_LIMITS, "Most memory for one job.", "SIZE")] = "2G"
    jobs_limit: Annotated[
        int | None,
        option(_LIMITS, "Measurements at once; up to 4, as many as there are processors, if not given.", "N"),
    ] = None
    waiting_limit: Annotated[int, option(_LIMITS, "Jobs that may wait for their turn.", "N")] = 256
    storage_limit: Annotated[str, option(_LIMITS, "Most bytes kept of all uploads and results.", "SIZE")] = "4G"
    kept_limit: Annotated[int, option(_LIMITS, "Most uploads and results kept.", "N")] = 10_000
    keep: Annotated[float, option(_LIMITS, "Delete what nobody asked for this long.", "SECONDS")] = 3600.0
    small: Annotated[int, option(_LIMITS, "Units up to which a measurement is answered at once.", "N")] = 2_000

    def limits(self) -> Limits:
        """The same for the service."""
        from unisono.web.limits import Limits

        jobs: dict[str, Any] = {} if self.jobs_limit is None else {"jobs": self.jobs_limit}
        with usage_errors():
            return Limits(
                upload=parsed_size(self.upload_limit, "--upload-limit"),
                unpacked=parsed_size(self.unpacked_limit, "--unpacked-limit"),
                files=self.files_limit,
                units=self.units_limit,
                time=self.job_time_limit,
                reading_time=self.reading_time_limit,
                memory=parsed_size(self.job_memory_limit, "--job-memory-limit"),
                waiting=self.waiting_limit,
                storage=parsed_size(self.storage_limit, "--storage-limit"),
                kept=self.kept_limit,
                keep=self.keep,
                small=self.small,
                **jobs,
            )


@command
def serve(
    *,
    host: Annotated[
        str, option(_ACCESS, "Address to listen on; 0.0.0.0 lets other machines in, with a token.", "HOST")
    ] = "127.0.0.1",
    port: Annotated[int, option(_ACCESS, "Port to listen on; 0 finds a free one.", "N")] = 8417,
    token: Annotated[
        str | None, option(_ACCESS, "What visitors must know; made up if other machines are let in.", "TOKEN")
    ] = None,
    allow_host: Annotated[
        list[str] | None,
        typer.Option(
            "--allow-host",
            metavar="NAME",
            help="A further name the service is reached by; may be given again.",
            rich_help_panel=_ACCESS,
        ),
    ] = None,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Do not open the page in the browser.")] = False,
    serving: Serving,
) -> int:
    """Open a page to drop files on, see the agreement and play with the settings; programs find a JSON service there.

    Works without a network; nothing leaves this machine. What is sent is kept in a private temporary folder, and
    deleted an hour after it was last asked for. Stop with Ctrl-C.

    Exit codes: 0 stopped; 1 an extra is missing; 2 wrong usage, or the port is taken.
    """
    limits = serving.limits()
    if not 0 <= port <= 65535:
        usage(f"--port: expected a number from 0 to 65535, found {port}")
    try:
        import fastapi  # noqa: F401
        import python_multipart  # noqa: F401
        import uvicorn  # noqa: F401
    except ImportError as error:
        raise MissingDependencyError("the web page", "web") from error
    from unisono.web import server

    with usage_errors():
        where = server.address(host, port, token=token, allowed=allow_host or ())
    if where.is_public:
        say(f"warning: other machines can reach this service at {host}; only give the address to those who may use it")
    try:
        server.serve(
            where,
            limits,
            browser=not no_browser,
            started=lambda: say(f"unisono: the page is at {where.url} (stop with Ctrl-C)"),
        )
    except KeyboardInterrupt:
        say("unisono: stopped")
    return FINE
