# SPDX-License-Identifier: MIT
"""`unisono serve`: the page in the browser, and the JSON service behind it."""

from __future__ import annotations

from typing import Annotated

import typer

from unisono.cli.command_options import option
from unisono.cli.run import FINE, command, say, usage, usage_errors
from unisono.cli.working import keywords
from unisono.errors import load_optional
from unisono.settings import ServiceLimits

_ACCESS = "Access"


@command
def serve(
    *,
    host: Annotated[
        str, option(_ACCESS, "Address to listen on; 0.0.0.0 lets other machines in, with a token.", "HOST")
    ] = "127.0.0.1",
    port: Annotated[int, option(_ACCESS, "Port to listen on; 0 finds a free one.", "N")] = 8417,
    token: Annotated[
        str | None, option(_ACCESS, "Secret that visitors must give; generated if other machines are let in.", "TOKEN")
    ] = None,
    allow_host: Annotated[
        list[str] | None,
        typer.Option(
            "--allow-host",
            metavar="NAME",
            help="A further name that the service is reached by. May be given again.",
            rich_help_panel=_ACCESS,
        ),
    ] = None,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Do not open the page in the browser.")] = False,
    limits: ServiceLimits,
) -> int:
    """Open a page to drop files on, see the agreement and play with the settings; programs find a JSON service there.

    Works without a network; nothing leaves this machine. What is sent is kept in a private temporary folder, and
    deleted an hour after it was last asked for. Stop with Ctrl-C.

    Exit codes: 0 stopped; 1 an extra is missing; 2 wrong usage, or the port is taken.
    """
    if not 0 <= port <= 65535:
        usage(f"{port} is not a valid value of --port. Give a whole number from 0 to 65535.")
    for library in ("fastapi", "python_multipart", "uvicorn"):
        load_optional(library, "the web page", "web")
    from unisono.web import server
    from unisono.web.limits import Limits

    with usage_errors():
        where = server.address(host, port, token=token, allowed=allow_host or ())
    if where.is_public:
        say(f"warning: other machines can reach this service at {host}; only give the address to those who may use it")
    try:
        server.serve(
            where,
            Limits(**keywords(limits)),
            browser=not no_browser,
            started=lambda: say(f"unisono: the page is at {where.url} (stop with Ctrl-C)"),
        )
    except KeyboardInterrupt:
        say("unisono: stopped")
    return FINE
