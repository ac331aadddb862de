# SPDX-License-Identifier: MIT
"""What all routes share: dependencies, refusals, waiting."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Iterator
from pathlib import Path
from typing import Annotated, Any, BinaryIO

from fastapi import Depends, Request
from fastapi import Path as InPath
from fastapi.responses import StreamingResponse
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

from unisono.errors import Problem
from unisono.web import models
from unisono.web.jobs import Job
from unisono.web.pool import TaskCancelledError
from unisono.web.service import Service
from unisono.web.store import StoredUpload

#: Seconds a request waits for a result before it is answered with a job, or with status 202.
PATIENCE = 10.0
#: Seconds between two checks whether the client is still connected.
_CHECK = 0.1
#: Bytes of a file that are sent at a time.
_CHUNK = 256 * 1024

FAILURES: dict[int | str, dict[str, Any]] = {
    status: {"model": models.Problems, "description": words}
    for status, words in {
        400: "The request cannot be understood.",
        401: "The token is missing or wrong.",
        403: "The request comes from a page elsewhere.",
        404: "The id is unknown or has expired.",
        405: "The path does not support the method.",
        409: "Not available yet, or no longer.",
        413: "The request is too large.",
        415: "The content type is not supported.",
        421: "The request is for another host name.",
        422: "The data or the settings cannot be used; every problem is listed.",
        429: "Too many jobs are waiting; try again.",
        503: "The worker process failed.",
        507: "The storage is full; try again later.",
    }.items()
}


class RefusedError(HTTPException):
    """A refusal, with its problem."""

    def __init__(self, status: int, problem: Problem):
        self.problem = problem
        super().__init__(status, str(problem))


def _service(request: Request) -> Service:
    service: Service = request.app.state.service
    return service


At = Annotated[Service, Depends(_service)]
Id = Annotated[str, InPath(max_length=200, description="The id from an earlier answer.")]


def upload_of(service: At, id: Id) -> StoredUpload:
    """The upload of that id."""
    upload = service.store.uploads.get(id)
    if upload is None:
        raise _unknown_id("upload", "Send the files again.")
    return upload


def job_of(service: At, id: Id) -> Job:
    """The job of that id."""
    job: Job | None = service.store.jobs.get(id)
    if job is None:
        raise _unknown_id("job", "Measure again.")
    job.upload.touch()
    return job


def _unknown_id(what: str, remedy: str) -> RefusedError:
    message = f"there is no {what} with this id, or it has expired"
    return RefusedError(404, Problem("not-found", "error", "", message, remedy))


TheUpload = Annotated[StoredUpload, Depends(upload_of)]
TheJob = Annotated[Job, Depends(job_of)]


async def wait_for(request: Request, work: Awaitable[Any], seconds: float | None = None) -> bool:
    """Wait for work: whether it is done in time; ClientDisconnect if the client disconnects."""
    future = asyncio.ensure_future(work)
    loop = asyncio.get_running_loop()
    until = None if seconds is None else loop.time() + seconds
    while not future.done():
        left = _CHECK if until is None else min(_CHECK, until - loop.time())
        if left <= 0:
            return False
        await asyncio.wait({future}, timeout=left)
        if not future.done() and await request.is_disconnected():
            raise ClientDisconnect
    return True


def send_file(path: Path, kind: str, headers: dict[str, str] | None = None) -> StreamingResponse:
    """A response with the content of a job's file.

    The file is opened before the response begins: a job that is deleted while its file is being sent takes nothing
    away from the client, and one deleted before is refused as cancelled. (Starlette's FileResponse opens the file
    only while it sends, when it is too late to refuse.)
    """
    try:
        file = path.open("rb")
    except FileNotFoundError:
        raise TaskCancelledError from None
    size = str(os.fstat(file.fileno()).st_size)
    return StreamingResponse(_chunks(file), media_type=kind, headers={**(headers or {}), "content-length": size})


def _chunks(file: BinaryIO) -> Iterator[bytes]:
    with file:
        while chunk := file.read(_CHUNK):
            yield chunk
