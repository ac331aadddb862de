# SPDX-License-Identifier: MIT
"""The application: the service's parts put together, what is said when something goes wrong, the page."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, JSONResponse, Response
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.staticfiles import StaticFiles

from unisono.errors import Problem
from unisono.results import package_version
from unisono.web.jobs import TaskRefusedError
from unisono.web.limits import MIB, Limits
from unisono.web.pool import BusyError, TaskCancelledError, TaskFailedError
from unisono.web.routes import router
from unisono.web.security import Access, Guard
from unisono.web.service import Service
from unisono.web.store import BadNameError, StorageFullError

log = logging.getLogger("unisono.web")

#: The most bytes of a request that is no upload: settings with a matrix of a thousand categories.
_SETTINGS_SIZE = 32 * MIB

#: Bytes around the files of an upload: boundaries and names.
_WRAPPING = MIB

_PAGE = Path(__file__).parent / "page"
_VIEWER = Path(__file__).parents[1] / "report" / "viewer"
_STYLE = Path(__file__).parents[1] / "report" / "templates" / "page.css"

_DESCRIPTION = """How far do annotators agree when they mark units on a continuum? Send files, get γ and its kin, with
the alignment behind them. Results are the same objects, with the same numbers and signatures, as those of the command
line. Every answer that is no success has the form `{"problems": [...]}`. Ids are the only key to what was sent:
keep them to yourself."""

#: What is said for statuses that the framework gives by itself.
_WORDS = {
    400: ("request", "a request that can be understood"),
    404: ("not-found", "something that is there"),
    405: ("method", "a method this path knows"),
    415: ("media-type", "files as multipart/form-data, settings as application/json"),
}


def create_app(limits: Limits | None = None, access: Access | None = None) -> FastAPI:
    """The application, ready to be served by one process."""
    limits, access = limits or Limits(), access or Access()
    service = Service(limits)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        await service.pool.start()
        sweeping = asyncio.create_task(service.store.swept(service.jobs.forget))
        try:
            yield
        finally:
            sweeping.cancel()
            with suppress(asyncio.CancelledError):
                await sweeping
            await service.pool.close()
            service.store.close()

    app = FastAPI(
        title="unisono",
        version=package_version(),
        description=_DESCRIPTION,
        docs_url=None,  # those pages load scripts from elsewhere
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
    app.add_route("/report.css", _style)
    if _VIEWER.is_dir():
        app.mount("/viewer", StaticFiles(directory=_VIEWER), name="viewer")
    app.mount("/", StaticFiles(directory=_PAGE, html=True), name="page")
    return app


async def _style(request: Request) -> Response:
    """The report's stylesheet, which the page shares."""
    return FileResponse(_STYLE, media_type="text/css")


def _handle_errors(app: FastAPI) -> None:
    """Every way to fail, in words."""

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> Response:
        return _answer(422, [_invalid(each) for each in error.errors()[:100]])

    @app.exception_handler(HTTPException)
    async def http(request: Request, error: HTTPException) -> Response:
        problem = getattr(error, "problem", None)
        if problem is None:
            code, expected = _WORDS.get(error.status_code, ("request", "a request that can be answered"))
            problem = Problem(code, "error", request.url.path[:200], expected, str(error.detail)[:300])
        return _answer(error.status_code, [problem], error.headers)

    @app.exception_handler(BusyError)
    async def busy(request: Request, error: BusyError) -> Response:
        return _answer(429, [error.problem], {"retry-after": "2"})

    @app.exception_handler(StorageFullError)
    async def full(request: Request, error: StorageFullError) -> Response:
        return _answer(507, [error.problem], {"retry-after": "60"})

    @app.exception_handler(BadNameError)
    async def bad_name(request: Request, error: BadNameError) -> Response:
        return _answer(422, [error.problem])

    @app.exception_handler(TaskFailedError)
    async def failed(request: Request, error: TaskFailedError) -> Response:
        return _answer(503 if error.problem.code in ("worker-died", "no-workers") else 422, [error.problem])

    @app.exception_handler(TaskRefusedError)
    async def refused(request: Request, error: TaskRefusedError) -> Response:
        return JSONResponse({"problems": error.problems}, 422)

    @app.exception_handler(TaskCancelledError)
    async def cancelled(request: Request, error: TaskCancelledError) -> Response:
        return _answer(409, [Problem("cancelled", "error", "", "a task that goes on", "one that was cancelled")])

    @app.exception_handler(ClientDisconnect)
    async def gone(request: Request, error: ClientDisconnect) -> Response:
        return Response(status_code=499)  # nobody is there to read it

    @app.exception_handler(Exception)
    async def unexpected(request: Request, error: Exception) -> Response:
        log.exception("unexpected", exc_info=error)
        problem = Problem("unexpected", "error", "", "a request the service knows to handle", type(error).__name__,
                          "please report it")  # fmt: skip
        return _answer(500, [problem])


def _invalid(error: dict[str, Any]) -> Problem:
    where = ".".join(str(part) for part in error["loc"])[:200]
    found = repr(error.get("input"))[:100] if error["type"] != "missing" else "nothing"
    return Problem("request", "error", where, str(error["msg"])[:300], found)


def _answer(status: int, problems: list[Problem], headers: Any = None) -> Response:
    return JSONResponse({"problems": [problem.to_dict() for problem in problems]}, status, headers)
