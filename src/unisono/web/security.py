# SPDX-License-Identifier: MIT
"""Who may speak with the service, and what browsers may do with its answers.

Host: a page elsewhere can make its own name point here (DNS rebinding), so only known names are answered. Origin: a
page elsewhere can make a browser send requests, so those that change something must come from our own page or from no
page at all. Token: where it is set, everything needs it. No header ever allows another origin to read an answer.
"""

from __future__ import annotations

import asyncio
import hmac
import ipaddress
import json
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

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
COOKIE = "unisono_token"

#: What our own pages may load: their own files and nothing else, no script or style in the page itself.
PAGE_POLICY = "; ".join([
    "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data: blob:", "font-src 'self'",
    "connect-src 'self'", "form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'",
])  # fmt: skip

#: What a report may do if somebody opens it here instead of saving it: run its own script, without any origin.
REPORT_POLICY = "; ".join([
    "sandbox allow-scripts", "default-src 'none'", "script-src 'unsafe-inline'", "style-src 'unsafe-inline'",
    "img-src data:", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
])  # fmt: skip

#: Bytes and seconds that are still taken of a request that is too long.
_DRAIN = 8 * 2**20
_DRAIN_TIME = 1.0

_HEADERS = {
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
    """Which names the service answers to, and the token it wants."""

    hosts: frozenset[str] = LOOPBACK
    token: str | None = None
    #: Bound to every address: numbers are fine, since only names can be made to point here.
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
        """Whether this is the token; takes the same time whatever is given."""
        return self.token is None or hmac.compare_digest(given.encode(), self.token.encode())


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


class Guard:
    """The door: refuses what may not come in, counts what does, and puts the headers on what goes out."""

    def __init__(self, app: Application, access: Access, largest: Callable[[str], int]):
        self.app = app
        self.access = access
        #: The most bytes that a request to a path may have.
        self.largest = largest

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self.app(scope, receive, send)
            return  # no websockets here

        received, is_too_long = 0, False

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                given = {name.lower() for name, _ in message["headers"]}
                more = [(k.encode(), v.encode()) for k, v in _HEADERS.items() if k.encode() not in given]
                message["headers"] = [*message["headers"], *more]
            elif is_too_long and not message.get("more_body"):
                await send({**message, "more_body": True})
                await _drained(receive)
                message = {"type": "http.response.body"}
            await send(message)

        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        refusal = self._refusal(scope, headers)
        if refusal is not None:
            await refusal(guarded)
            return
        largest = self.largest(scope["path"])
        length = headers.get("content-length", "")
        if length.isdecimal() and int(length) > largest:
            is_too_long = True
            await _refused(413, _too_long(largest))(guarded)
            return

        async def counted() -> Message:
            nonlocal received, is_too_long
            message = await receive()
            received += len(message.get("body", b""))
            if received > largest:
                is_too_long = True
                raise TooLongError(largest)
            return message

        await self.app(scope, counted, guarded)

    def _refusal(self, scope: Scope, headers: dict[str, str]) -> Callable[[Send], Awaitable[None]] | None:
        host = headers.get("host", "")
        names = [name for name, _ in scope["headers"]]
        if names.count(b"host") != 1 or not self.access.is_known(host):
            problem = Problem("foreign-host", "error", "", "a request to one of the names of this service", repr(host),
                              "open the address it printed, or serve with --allow-host NAME")  # fmt: skip
            return _refused(421, problem)
        if scope["method"] not in ("GET", "HEAD") and not _is_own(headers, host):
            problem = Problem("foreign-origin", "error", "", "a request from the service's own page or from a program",
                              f"one from {headers.get('origin', 'another page')!r}")  # fmt: skip
            return _refused(403, problem)
        if self.access.token is None:
            return None
        query = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        in_query = next((value for name, value in query if name == "token"), None)
        if scope["path"] == "/" and scope["method"] == "GET" and in_query and self.access.is_token(in_query):
            rest = urlencode([pair for pair in query if pair[0] != "token"])
            return _redirected(f"/?{rest}" if rest else "/", f"{COOKIE}={in_query}; HttpOnly; SameSite=Strict; Path=/")
        if not self.access.is_token(_token(headers)):
            problem = Problem("token", "error", "", "the token that the service printed", "another one or none",
                              "open the whole address, or send it as Authorization: Bearer TOKEN")  # fmt: skip
            return _refused(401, problem, {"www-authenticate": "Bearer"})
        return None


class TooLongError(HTTPException):
    """A request of more bytes than it may have; noticed while it is read."""

    def __init__(self, largest: int):
        self.problem = _too_long(largest)
        super().__init__(413, str(self.problem), {"connection": "close"})


def _too_long(largest: int) -> Problem:
    return Problem(
        "upload-limit",
        "error",
        "",
        f"at most {readable_size(largest)} in one request",
        "more",
        "send fewer files, or serve with a higher --upload-limit",
    )


async def _drained(receive: Receive) -> None:
    """Take some more of a request that was refused: a caller cut off in mid-sentence may never hear the answer."""
    left = _DRAIN
    with suppress(TimeoutError):
        async with asyncio.timeout(_DRAIN_TIME):
            while left > 0 and (message := await receive())["type"] == "http.request" and message.get("more_body"):
                left -= len(message.get("body", b""))


def _is_own(headers: dict[str, str], host: str) -> bool:
    """Whether a request that changes something comes from our own page, or from no page at all."""
    if headers.get("sec-fetch-site", "none") not in ("same-origin", "none"):
        return False
    origin = headers.get("origin")
    return origin is None or (urlsplit(origin).netloc.lower() == host.lower() and origin != "null")


def _token(headers: dict[str, str]) -> str:
    kind, _, value = headers.get("authorization", "").partition(" ")
    if kind.lower() == "bearer":
        return value.strip()
    for cookie in headers.get("cookie", "").split(";"):
        name, _, value = cookie.strip().partition("=")
        if name == COOKIE:
            return value
    return ""


def _refused(status: int, problem: Problem, more: dict[str, str] | None = None) -> Callable[[Send], Awaitable[None]]:
    body = json.dumps({"problems": [problem.to_dict()]}).encode()
    headers = {"content-type": "application/json", "connection": "close", **(more or {})}
    return _answer(status, headers, body)


def _redirected(to: str, cookie: str) -> Callable[[Send], Awaitable[None]]:
    return _answer(303, {"location": to, "set-cookie": cookie}, b"")


def _answer(status: int, headers: dict[str, str], body: bytes) -> Callable[[Send], Awaitable[None]]:
    async def answer(send: Send) -> None:
        whole = {**headers, "content-length": str(len(body))}
        raw = [(name.encode(), value.encode("latin-1")) for name, value in whole.items()]
        await send({"type": "http.response.start", "status": status, "headers": raw})
        await send({"type": "http.response.body", "body": body})

    return answer
