# SPDX-License-Identifier: MIT
"""What all paths share: whom they ask, how they refuse, how long they wait."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import Annotated, Any

from fastapi import Depends, Request
from fastapi import Path as InPath
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

from unisono.errors import Problem
from unisono.web import models
from unisono.web.jobs import Job
from unisono.web.service import Service
from unisono.web.store import StoredUpload

#: Seconds a caller waits for an answer before a job, or word that it is under way, is given instead.
PATIENCE = 10.0
#: Seconds between two looks whether the caller is still there.
_GLANCE = 0.1

FAILURES: dict[int | str, dict[str, Any]] = {
    status: {"model": models.Problems, "description": words}
    for status, words in {
        400: "The request cannot be understood.",
        401: "The token is missing or wrong.",
        403: "The request comes from a page elsewhere.",
        404: "Nothing of that id, or no longer.",
        405: "The path does not know the method.",
        409: "Not yet, or no longer, to be had.",
        413: "Larger than allowed.",
        415: "Sent in a form that is not read here.",
        421: "Sent to a name the service does not know.",
        422: "The data or the settings cannot be used; every problem is listed.",
        429: "Too much is waiting; try again.",
        503: "The work broke down.",
        507: "Too much is kept; try again later.",
    }.items()
}


class RefusedError(HTTPException):
    """An answer that is no success, with its problem."""

    def __init__(self, status: int, problem: Problem):
        self.problem = problem
        super().__init__(status, str(problem))


def _service(request: Request) -> Service:
    service: Service = request.app.state.service
    return service


At = Annotated[Service, Depends(_service)]
Id = Annotated[str, InPath(max_length=200, description="The id that was given.")]


def upload_of(service: At, id: Id) -> StoredUpload:
    """The upload of that id."""
    upload = service.store.uploads.get(id)
    if upload is None:
        raise _unknown("upload", "send the files again")
    return upload


def job_of(service: At, id: Id) -> Job:
    """The job of that id."""
    job: Job | None = service.store.jobs.get(id)
    if job is None:
        raise _unknown("job", "measure again")
    job.upload.touch()
    return job


def _unknown(what: str, remedy: str) -> RefusedError:
    found = "nothing of that id, or no longer"
    return RefusedError(404, Problem("not-found", "error", "", f"the id of an existing {what}", found, remedy))


TheUpload = Annotated[StoredUpload, Depends(upload_of)]
TheJob = Annotated[Job, Depends(job_of)]


async def patient(request: Request, work: Awaitable[Any], seconds: float | None = None) -> bool:
    """Wait for work while the caller waits: whether it is done in time; ClientDisconnect if the caller left."""
    future = asyncio.ensure_future(work)
    loop = asyncio.get_running_loop()
    until = None if seconds is None else loop.time() + seconds
    while not future.done():
        left = _GLANCE if until is None else min(_GLANCE, until - loop.time())
        if left <= 0:
            return False
        await asyncio.wait({future}, timeout=left)
        if not future.done() and await request.is_disconnected():
            raise ClientDisconnect
    return True
