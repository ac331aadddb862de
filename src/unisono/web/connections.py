# SPDX-License-Identifier: MIT
"""Connections: how many there may be and how long a request may take to arrive; a log that cannot fill the disk.

A request that is sent byte by byte, or half and no more, keeps a connection and a file handle. So headers have a time
within which they must be complete, bodies a least speed, answers a time within which some of them must be read; and
where there are as many connections as there may be, one that waits for its client gives way to a new one.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Iterable
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from unisono.errors import Problem
from unisono.web.security import HEADERS

#: Seconds within which the headers of a request must be complete.
HEADER_TIME = 10.0
#: Seconds a body may take, and bytes a second at which it must come if it takes longer.
BODY_TIME = 20.0
BODY_RATE = 16 * 1024
#: Seconds without any progress after which a connection may give way to a new one: before a request, and in its body.
SILENT = 0.5
STALLED = 2.0
#: Seconds in which a client must read some of its answer.
READ_TIME = 60.0

#: File handles that are not for connections, and those of each worker; a connection may need three (upload, its copy).
_OWN_HANDLES = 40
_PER_WORKER = 6
_PER_CONNECTION = 3


def most_connections(limit: int, n_workers: int) -> int:
    """How many connections there may be: the limit, or what the file handles of this process allow if that is less."""
    try:
        import resource
    except ImportError:
        return limit
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _OWN_HANDLES + _PER_WORKER * (n_workers + 1) + _PER_CONNECTION * limit
    if soft != resource.RLIM_INFINITY and soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    if soft == resource.RLIM_INFINITY:
        return limit
    return max(4, min(limit, (soft - _OWN_HANDLES - _PER_WORKER * (n_workers + 1)) // _PER_CONNECTION))


class BoundedProtocol(H11Protocol):
    """HTTP with limits on connections and times. `check` is called for each connection about once a second."""

    #: Set by the server before it starts.
    most = 500

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        #: Since when it waits for the headers of a request and for its body; below, for the client to read.
        self.since = self.body_since = self.last_data = time.monotonic()
        self.unread_since: float | None = None
        self.closing_since: float | None = None
        self.n_received = 0
        if len(self.connections) > self.most and not self._make_room():
            self._refuse(503, _too_many_problem(self.most))

    def data_received(self, data: bytes) -> None:
        self.last_data = time.monotonic()
        before = self.cycle
        self.n_received += len(data)
        super().data_received(data)
        if self.cycle is not before:
            self.body_since, self.n_received = self.last_data, 0

    def on_response_complete(self) -> None:
        self.since = time.monotonic()
        super().on_response_complete()

    def pause_writing(self) -> None:
        self.unread_since = time.monotonic()
        super().pause_writing()

    def resume_writing(self) -> None:
        self.unread_since = None
        super().resume_writing()

    def send_400_response(self, msg: str) -> None:
        """Answer data that are not HTTP: with JSON, and with the headers of every answer."""
        self._refuse(400, Problem("request", "error", "", "this is not a request in HTTP", "Use a browser or curl."))

    @property
    def waits_for_request(self) -> bool:
        """Whether no request is being received or answered, only the beginning of one at most."""
        return self.conn.their_state is h11.IDLE and (self.cycle is None or self.cycle.response_complete)

    @property
    def waits_for_body(self) -> bool:
        return self.conn.their_state is h11.SEND_BODY and not self.flow.read_paused

    def check(self, now: float) -> None:
        """Close the connection if the client takes longer than it may."""
        if self.transport.is_closing():
            self.closing_since = self.closing_since or now
            if now - self.closing_since > READ_TIME:
                self.transport.abort()
        elif self.unread_since is not None and now - self.unread_since > READ_TIME:
            self.transport.abort()
        elif self.waits_for_request:
            if now - self.since > HEADER_TIME:
                self._refuse(408, _too_slow_problem("headers", HEADER_TIME))
        elif self.waits_for_body and now - self.body_since > BODY_TIME + self.n_received / BODY_RATE:
            self._refuse(408, _too_slow_problem("body", BODY_TIME))

    def _make_room(self) -> bool:
        """Close the connection that waits longest for its client; False if all are at work."""
        others = [each for each in self.connections if each is not self and isinstance(each, BoundedProtocol)]
        others = [each for each in others if not each.transport.is_closing()]
        now = time.monotonic()
        waiting = [each for each in others if each.waits_for_request and now - each.last_data > SILENT] or [
            each for each in others if each.waits_for_body and now - each.last_data > STALLED
        ]
        if not waiting:
            return len(others) < self.most
        min(waiting, key=lambda each: each.last_data).transport.abort()
        return True

    def _refuse(self, status: int, problem: Problem) -> None:
        """Answer with a problem and close, whatever state the request is in."""
        if self.cycle is not None and not self.cycle.response_complete:
            self.cycle.disconnected = True
            self.cycle.message_event.set()
            if self.cycle.response_started:
                self.transport.abort()
                return
        body = json.dumps({"problems": [problem.to_dict()]}).encode()
        head = {"content-type": "application/json", "content-length": str(len(body)), "connection": "close", **HEADERS}
        try:
            events: Iterable[Any] = (
                h11.Response(status_code=status, headers=list(head.items())),
                h11.Data(data=body),
                h11.EndOfMessage(),
            )
            for event in events:
                self.transport.write(self.conn.send(event) or b"")
        except h11.LocalProtocolError:
            self.transport.abort()
            return
        self.transport.close()


def check_connections(connections: Iterable[Any]) -> None:
    """Close those whose clients are too slow."""
    now = time.monotonic()
    for each in list(connections):
        if isinstance(each, BoundedProtocol):
            each.check(now)


def _too_many_problem(most: int) -> Problem:
    message = f"there are {most} connections already, and all are in use"
    return Problem("busy", "error", "", message, "Try again in a moment, or serve with a higher [[connections]].")


def _too_slow_problem(what: str, seconds: float) -> Problem:
    message = f"the {what} of the request did not arrive within {seconds:g} seconds"
    return Problem("slow-request", "error", "", message, "Send the whole request at once.")


class ShortLog(logging.Filter):
    """Lets some messages through in each minute and counts the rest: strangers can cause messages at any rate."""

    MOST = 30
    MINUTE = 60.0

    def __init__(self) -> None:
        super().__init__()
        self._begin = 0.0
        self._n = 0

    def filter(self, record: logging.LogRecord) -> bool:
        now = time.monotonic()
        if now - self._begin >= self.MINUTE:
            left_out, self._begin, self._n = max(0, self._n - self.MOST), now, 0
            if left_out:
                record.msg, record.args = f"({left_out} messages were left out before this) {record.getMessage()}", ()
        self._n += 1
        return self._n <= self.MOST


class ShortFormatter(logging.Formatter):
    """Messages of one length at most, tracebacks included."""

    LONGEST = 4_000

    def format(self, record: logging.LogRecord) -> str:
        text = super().format(record)
        return text if len(text) <= self.LONGEST else f"{text[: self.LONGEST // 2]}\n...\n{text[-self.LONGEST // 2 :]}"


#: What the service logs: warnings and errors, to standard error.
LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {"short": {"()": ShortLog}},
    "formatters": {"short": {"()": ShortFormatter, "format": "%(asctime)s %(levelname)s: %(message)s"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "filters": ["short"], "formatter": "short"}},
    "root": {"handlers": ["stderr"], "level": "WARNING"},
}
