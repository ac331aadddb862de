# SPDX-License-Identifier: MIT
"""Access control and response headers.

Host: a foreign page can make its own host name resolve to this machine (DNS rebinding), so only known names are
answered. Origin: a foreign page can make a browser send requests, so requests that change something must come from our
own page or from a program. Token: if one is set, every request needs it. No header ever allows another origin to read
an answer.
"""

from __future__ import annotations

import asyncio
import hmac
import ipaddress
import json
import logging
from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

from starlette.exceptions import HTTPException

from unisono.errors import Problem
from unisono.web.limits import readable_size

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

log = logging.getLogger("unisono.web")

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
COOKIE = "unisono_token"

#: Policy of our own pages: they load only files of this service; no inline scripts or styles.
PAGE_POLICY = "; ".join([
    "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data: blob:", "font-src 'self'",
    "connect-src 'self'", "form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'",
])  # fmt: skip

#: Policy of a report that is opened here instead of saved: it runs its own script in a sandbox without an origin.
REPORT_POLICY = "; ".join([
    "sandbox allow-scripts", "default-src 'none'", "script-src 'unsafe-inline'", "style-src 'unsafe-inline'",
    "img-src data:", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
])  # fmt: skip

#: How much of a request that is too long is still read after the refusal, in bytes and seconds.
_DRAIN = 8 * 2**20
_DRAIN_TIME = 1.0

#: Headers of every answer.
HEADERS = {
    "content-security-policy": PAGE_POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "cache-control": "no-store",
}


@dataclass(frozen=True)
class Access:
    """The host names that the service answers to, and its token."""

    hosts: frozenset[str] = LOOPBACK
    token: str | None = None
    #: Bound to every address: numeric hosts are accepted, since DNS rebinding needs a name.
    any_address: bool = False

    def is_known(self, host: str) -> bool:
        """Whether the service answers to this name (with or without a port).

        >>> Access().is_known("localhost:8417"), Access().is_known("evil.example"), Access().is_known("[::1]:80")
        (True, False, True)
        """
        try:
            name = urlsplit(f"//{host}").hostname
        except ValueError:
            return False
        if name is None or any(char in host for char in "/?#@\\ "):
            return False
        return name.lower().rstrip(".") in self.hosts or (self.any_address and _is_address(name))

    def is_token(self, given: str) -> bool:
        """Whether this is the token; compared in constant time."""
        return self.token is None or hmac.compare_digest(given.encode(), self.token.encode())


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


class Guard:
    """Middleware: refuses requests without access, limits their size, and adds the headers to answers."""

    def __init__(self, app: Application, access: Access, largest: Callable[[str], int]):
        self.app = app
        self.access = access
        #: The largest size in bytes of a request to a path.
        self.largest = largest

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self.app(scope, receive, send)
            return  # websockets are not supported

        received, is_too_long, has_begun = 0, False, False

        async def send_guarded(message: Message) -> None:
            nonlocal has_begun
            if message["type"] == "http.response.start":
                has_begun = True
                given = {name.lower() for name, _ in message["headers"]}
                more = [(k.encode(), v.encode()) for k, v in HEADERS.items() if k.encode() not in given]
                message["headers"] = [*message["headers"], *more]
            elif is_too_long and not message.get("more_body"):
                await send({**message, "more_body": True})
                await _drain(receive)
                message = {"type": "http.response.body"}
            await send(message)

        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        try:
            refusal = self._refusal(scope, headers)
        except Exception as error:  # any malformed request gets an answer, with our usual headers
            log.exception("a request could not be checked", exc_info=error)
            refusal = _refuse(400, Problem("request", "error", "", "the request cannot be understood"))
        if refusal is not None:
            await refusal(send_guarded)
            return
        largest = self.largest(scope["path"])
        length = headers.get("content-length", "").lstrip("0")
        if length.isdecimal() and (len(length) > 18 or int(length) > largest):
            is_too_long = True
            await _refuse(413, _too_long_problem(largest))(send_guarded)
            return

        async def receive_counted() -> Message:
            nonlocal received, is_too_long
            message = await receive()
            received += len(message.get("body", b""))
            if received > largest:
                is_too_long = True
                raise TooLongError(largest)
            return message

        try:
            await self.app(scope, receive_counted, send_guarded)
        except Exception as error:
            if has_begun:
                raise
            log.exception("unexpected", exc_info=error)
            message = f"the service failed with {type(error).__name__}"
            await _refuse(500, Problem("unexpected", "error", "", message, "Please report it as a bug."))(send_guarded)

    def _refusal(self, scope: Scope, headers: dict[str, str]) -> Callable[[Send], Awaitable[None]] | None:
        host = headers.get("host", "")
        names = [name for name, _ in scope["headers"]]
        if names.count(b"host") != 1 or not self.access.is_known(host):
            message = f"the request is for the host {host!r}, which is not a name of this service"
            remedy = "Open the address that the service printed, or allow the name with [[allow_host]]."
            return _refuse(421, Problem("foreign-host", "error", "", message, remedy, found=repr(host)))
        if scope["method"] not in ("GET", "HEAD") and not _is_own_request(headers, host):
            message = f"the request comes from {headers.get('origin', 'another page')!r}"
            remedy = "Send it from the page of this service, or from a program."
            return _refuse(403, Problem("foreign-origin", "error", "", message, remedy))
        if self.access.token is None:
            return None
        query = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        in_query = next((value for name, value in query if name == "token"), None)
        if scope["path"] == "/" and scope["method"] == "GET" and in_query and self.access.is_token(in_query):
            rest = urlencode([pair for pair in query if pair[0] != "token"])
            return _redirect(f"/?{rest}" if rest else "/", f"{COOKIE}={in_query}; HttpOnly; SameSite=Strict; Path=/")
        if not self.access.is_token(_token(headers)):
            message = "the request has no token, or a wrong one"
            remedy = "Open the whole address that the service printed, or send `Authorization: Bearer TOKEN`."
            return _refuse(401, Problem("token", "error", "", message, remedy), {"www-authenticate": "Bearer"})
        return None


class TooLongError(HTTPException):
    """A request above the size limit, noticed while it is read."""

    def __init__(self, largest: int):
        self.problem = _too_long_problem(largest)
        super().__init__(413, str(self.problem), {"connection": "close"})


def _too_long_problem(largest: int) -> Problem:
    message = f"the request is larger than {readable_size(largest)}"
    return Problem("upload-limit", "error", "", message, "Send fewer files, or serve with a higher [[upload_limit]].")


async def _drain(receive: Receive) -> None:
    """Read on for a while after a refusal: a client whose request is cut off may not read the answer."""
    left = _DRAIN
    with suppress(TimeoutError):
        async with asyncio.timeout(_DRAIN_TIME):
            while left > 0 and (message := await receive())["type"] == "http.request" and message.get("more_body"):
                left -= len(message.get("body", b""))


def _is_own_request(headers: dict[str, str], host: str) -> bool:
    """Whether a request comes from our own page, or from a program rather than a page."""
    if headers.get("sec-fetch-site", "none") not in ("same-origin", "none"):
        return False
    origin = headers.get("origin")
    if origin is None:
        return True
    try:
        return urlsplit(origin).netloc.lower() == host.lower() and origin != "null"
    except ValueError:  # not an address
        return False


def _token(headers: dict[str, str]) -> str:
    kind, _, value = headers.get("authorization", "").partition(" ")
    if kind.lower() == "bearer":
        return value.strip()
    for cookie in headers.get("cookie", "").split(";"):
        name, _, value = cookie.strip().partition("=")
        if name == COOKIE:
            return value
    return ""


def _refuse(status: int, problem: Problem, more: dict[str, str] | None = None) -> Callable[[Send], Awaitable[None]]:
    body = json.dumps({"problems": [problem.to_dict()]}).encode()
    headers = {"content-type": "application/json", "connection": "close", **(more or {})}
    return _answer(status, headers, body)


def _redirect(to: str, cookie: str) -> Callable[[Send], Awaitable[None]]:
    return _answer(303, {"location": to, "set-cookie": cookie}, b"")


def _answer(status: int, headers: dict[str, str], body: bytes) -> Callable[[Send], Awaitable[None]]:
    async def answer(send: Send) -> None:
        whole = {**headers, "content-length": str(len(body))}
        raw = [(name.encode(), value.encode("latin-1")) for name, value in whole.items()]
        await send({"type": "http.response.start", "status": status, "headers": raw})
        await send({"type": "http.response.body", "body": body})

    return answer
