# SPDX-License-Identifier: MIT
"""The application: the parts of the service put together, the answers to errors, the page."""

from __future__ import annotations

import asyncio
import errno
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.staticfiles import StaticFiles

from unisono.errors import Problem, name_settings_by
from unisono.report import assets
from unisono.results import package_version
from unisono.settings import control_name
from unisono.web.derived import problem_of
from unisono.web.jobs import TaskRefusedError
from unisono.web.limits import MIB, Limits
from unisono.web.pool import BusyError, Pool, TaskCancelledError, TaskFailedError
from unisono.web.routes import router
from unisono.web.security import Access, Guard
from unisono.web.service import Service
from unisono.web.store import BadNameError, StorageFullError

log = logging.getLogger("unisono.web")

#: Largest request in bytes that is not an upload: settings with a matrix of a thousand categories.
_SETTINGS_SIZE = 32 * MIB

#: Bytes of an upload besides its files: boundaries and names.
_WRAPPING = MIB

_DESCRIPTION = """How far do annotators agree when they mark units on a continuum? Send files, get γ and related
measures with the alignment behind them. Results are the same objects, with the same numbers and signatures,
as those of the command line. Every answer that reports an error has the form `{"problems": [...]}`. Whoever knows an id
can read what was sent: keep ids secret."""

#: Code and message for statuses that the framework sets.
_MESSAGES = {
    400: ("request", "the request cannot be understood"),
    404: ("not-found", "there is nothing at this path"),
    405: ("method", "this path does not support the method of the request"),
    415: ("media-type", "the content type of the request is not supported"),
}
_MEDIA_TYPE_REMEDY = "Send files as multipart/form-data and settings as application/json."


def create_app(limits: Limits | None = None, access: Access | None = None, pool: Pool | None = None) -> FastAPI:
    """The application, ready to be served by one process; `pool` does the tasks, by default in worker processes."""
    limits, access = limits or Limits(), access or Access()
    service = Service(limits, pool)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        await service.pool.start()
        before = name_settings_by(control_name)
        sweeping = asyncio.create_task(service.store.remove_expired_regularly(service.jobs.forget))
        try:
            yield
        finally:
            sweeping.cancel()
            with suppress(asyncio.CancelledError):
                await sweeping
            await service.pool.close()
            service.store.close()
            name_settings_by(before)

    app = FastAPI(
        title="unisono",
        version=package_version(),
        description=_DESCRIPTION,
        docs_url=None,  # the framework's pages load scripts from other servers
        redoc_url=None,
        openapi_url="/api/v1/openapi.json",
        lifespan=lifespan,
        license_info={"name": "MIT"},
    )
    app.state.service = service

    def largest(path: str) -> int:
        return limits.upload + _WRAPPING if path.rstrip("/") == "/api/v1/uploads" else _SETTINGS_SIZE

    app.add_middleware(Guard, access=access, largest=largest)
    _handle_errors(app)
    app.include_router(router, prefix="/api/v1")
    app.mount("/", StaticFiles(directory=assets.FOLDER, html=True), name="page")
    return app


def _handle_errors(app: FastAPI) -> None:
    """Answer every kind of error with its problems."""

    @app.exception_handler(RequestValidationError)
    async def answer_invalid(request: Request, error: RequestValidationError) -> Response:
        return _answer(422, [problem_of(each) for each in error.errors()[:100]])

    @app.exception_handler(HTTPException)
    async def answer_http(request: Request, error: HTTPException) -> Response:
        problem = getattr(error, "problem", None)
        if problem is None:
            code, message = _MESSAGES.get(error.status_code, ("request", "the request cannot be answered"))
            remedy = _MEDIA_TYPE_REMEDY if error.status_code == 415 else ""
            detail = str(error.detail)[:300]
            problem = Problem(code, "error", request.url.path[:200], f"{message} ({detail})", remedy, found=detail)
        return _answer(error.status_code, [problem], error.headers)

    @app.exception_handler(BusyError)
    async def answer_busy(request: Request, error: BusyError) -> Response:
        return _answer(429, [error.problem], {"retry-after": "2"})

    @app.exception_handler(StorageFullError)
    async def answer_full(request: Request, error: StorageFullError) -> Response:
        return _answer(507, [error.problem], {"retry-after": "60"})

    @app.exception_handler(BadNameError)
    async def answer_bad_name(request: Request, error: BadNameError) -> Response:
        return _answer(422, [error.problem])

    @app.exception_handler(TaskFailedError)
    async def answer_failed(request: Request, error: TaskFailedError) -> Response:
        return _answer(503 if error.problem.code in ("worker-died", "no-workers") else 422, [error.problem])

    @app.exception_handler(TaskRefusedError)
    async def answer_refused(request: Request, error: TaskRefusedError) -> Response:
        return JSONResponse({"problems": error.problems}, 422)

    @app.exception_handler(TaskCancelledError)
    async def answer_cancelled(request: Request, error: TaskCancelledError) -> Response:
        return _answer(409, [Problem("cancelled", "error", "", "the task was cancelled")])

    @app.exception_handler(ClientDisconnect)
    async def answer_gone(request: Request, error: ClientDisconnect) -> Response:
        return Response(status_code=499)  # the client has disconnected and will not read it

    @app.exception_handler(OSError)
    async def answer_system(request: Request, error: OSError) -> Response:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            problem = Problem("storage-limit", "error", "", "the disk of the service is full", "Try again later.")
            return _answer(507, [problem], {"retry-after": "60"})
        if error.errno in (errno.EMFILE, errno.ENFILE):
            message = "the service has as many files open as the system allows"
            return _answer(503, [Problem("busy", "error", "", message, "Try again in a moment.")], {"retry-after": "2"})
        return await answer_unexpected(request, error)

    @app.exception_handler(Exception)
    async def answer_unexpected(request: Request, error: Exception) -> Response:
        log.exception("unexpected", exc_info=error)
        message = f"the service failed with {type(error).__name__}"
        return _answer(500, [Problem("unexpected", "error", "", message, "Please report it as a bug.")])


def _answer(status: int, problems: list[Problem], headers: Any = None) -> Response:
    return JSONResponse({"problems": [problem.to_dict() for problem in problems]}, status, headers)
