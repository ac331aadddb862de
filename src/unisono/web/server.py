# SPDX-License-Identifier: MIT
"""Run the service: bind an address, create a token if needed, open the browser, start uvicorn."""

from __future__ import annotations

import errno
import ipaddress
import re
import secrets
import socket
import threading
import webbrowser
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from unisono.errors import ParameterError
from unisono.web.limits import Limits
from unisono.web.security import LOOPBACK, Access

#: The default port.
PORT = 8417

#: Seconds that open connections have to end when the service stops.
_SHUTDOWN = 2

#: Connections that wait for the service to accept them.
_BACKLOG = 128


@dataclass(frozen=True)
class Address:
    """The socket the service listens on, its access rules and its URL."""

    sock: socket.socket
    access: Access
    url: str
    is_public: bool


def address(
    host: str = "127.0.0.1", port: int = PORT, *, token: str | None = None, allowed: Sequence[str] = ()
) -> Address:
    """Listen on an address; ParameterError if that fails. An address that others can reach gets a token."""
    if token is not None and not re.fullmatch(r"[A-Za-z0-9_\-]{8,200}", token):
        raise ParameterError.of(
            "the token is too short or has other characters than letters, digits, - and _",
            "Give 8 to 200 of these characters.",
            code="token",
        )
    sock = _listen(host, port)
    bound = sock.getsockname()
    number = ipaddress.ip_address(bound[0].partition("%")[0])
    is_public = not number.is_loopback
    if is_public and token is None:
        token = secrets.token_urlsafe(24)
    hosts = LOOPBACK | {host.lower(), str(number)} | {name.lower() for name in allowed}
    if number.is_unspecified:
        hosts |= {socket.gethostname().lower(), socket.getfqdn().lower()}
    shown = "localhost" if number.is_unspecified else host
    url = f"http://{f'[{shown}]' if ':' in shown else shown}:{bound[1]}/"
    return Address(
        sock,
        Access(frozenset(hosts), token, number.is_unspecified),
        url + (f"?token={token}" if token else ""),
        is_public,
    )


def _listen(host: str, port: int) -> socket.socket:
    try:
        family, kind, _, _, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except (OSError, UnicodeError, OverflowError) as error:
        raise ParameterError.of(
            f"{host}:{port} is not an address of this machine ({error})", "Give another host or port.", code="address"
        ) from None
    sock = socket.socket(family, kind)
    try:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.bind(place)
        sock.listen(512)
    except OSError as error:
        sock.close()
        if error.errno == errno.EADDRINUSE:
            raise ParameterError.of(
                f"port {port} is in use by another program, perhaps by unisono itself",
                "Open its page, or choose another [[port]]: 0 finds a free one.",
                code="address",
            ) from None
        raise ParameterError.of(
            f"the service cannot listen on {host}:{port}: {error.strerror or error}",
            "Choose another host or [[port]].",
            code="address",
        ) from None
    except OverflowError:
        sock.close()
        raise ParameterError.of(f"{port} is not a port", "Give a [[port]] from 0 to 65535.", code="address") from None
    return sock


def serve(where: Address, limits: Limits, *, browser: bool, started: Callable[[], None] = lambda: None) -> None:
    """Run the service until it is interrupted."""
    import uvicorn

    from unisono.web.app import create_app
    from unisono.web.connections import LOGGING, BoundedProtocol, check_connections, most_connections

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            started()
            if browser:
                threading.Thread(target=webbrowser.open, args=(where.url,), daemon=True).start()

        async def on_tick(self, counter: int) -> bool:
            if counter % 10 == 0:  # ten ticks are a second
                check_connections(self.server_state.connections)
            return await super().on_tick(counter)

    BoundedProtocol.most = most_connections(limits.connections, limits.n_workers)

    config = uvicorn.Config(
        create_app(limits, where.access),
        access_log=False,  # URLs contain ids and tokens
        log_config=LOGGING,
        http=BoundedProtocol,
        backlog=_BACKLOG,
        server_header=False,
        timeout_graceful_shutdown=_SHUTDOWN,
        ws="none",
    )
    Server(config).run(sockets=[where.sock])
