# SPDX-License-Identifier: MIT
"""Oracle: RFC 9110, section 8.6: a content-length is a number of any count of digits; and the limit of the service."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from starlette.exceptions import HTTPException

from unisono.web.security import Access, Guard

LARGEST = 1000


def status_of(length: str, body: bytes = b"") -> int:
    """The answer to a request that announces this length; 200 if the application gets to answer."""
    sent: list[Any] = []

    async def application(scope: Any, receive: Any, send: Any) -> None:
        status = 200
        try:
            await receive()
        except HTTPException as error:  # as the framework does
            status = error.status_code
        await send({"type": "http.response.start", "status": status, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {
        "type": "http", "method": "POST", "path": "/api/v1/uploads", "query_string": b"",
        "headers": [(b"host", b"localhost"), (b"content-length", length.encode("latin-1"))],
    }  # fmt: skip
    asyncio.run(Guard(application, Access(), lambda path: LARGEST)(scope, receive, send))
    status: int = sent[0]["status"]
    return status


@pytest.mark.parametrize("length", ["1001", "9" * 18, "9" * 19, "1" + "0" * 5000, "0" * 30 + "1001"])
def test_a_length_beyond_the_limit_is_refused(length: str) -> None:
    """With more than 4300 digits, too, which Python does not turn into a number."""
    assert status_of(length) == 413


@pytest.mark.parametrize("length", ["0", "1000", "0" * 5000, "0" * 5000 + "1000"])
def test_a_length_within_the_limit_is_answered(length: str) -> None:
    assert status_of(length) == 200


@pytest.mark.parametrize("length", ["", "-1", "1e9", "\u00b2", "many"])
def test_what_is_no_length_is_counted_instead(length: str) -> None:
    assert status_of(length) == 200
    assert status_of(length, body=b"0" * (LARGEST + 1)) == 413
