# SPDX-License-Identifier: MIT
"""Measurements, and what is made of them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Header, Query, Request
from fastapi.responses import FileResponse, JSONResponse, Response, StreamingResponse
from starlette.requests import ClientDisconnect

from unisono.errors import Problem
from unisono.io import WRITERS
from unisono.web import models
from unisono.web.jobs import Job, TaskRefusedError
from unisono.web.pool import TaskCancelledError
from unisono.web.routes.common import PATIENCE, At, RefusedError, TheJob, patient, upload_of
from unisono.web.security import REPORT_POLICY
from unisono.web.service import Service

router = APIRouter(tags=["jobs"])

_PENDING: dict[int | str, dict[str, Any]] = {
    202: {"model": models.Pending, "description": "Under way; ask again."},
}
_FILE = {"type": "string", "format": "binary"}

_GOLD = {"json": (".json", "application/json"), "adjudication": (".csv", "text/csv; charset=utf-8")}

Text = Annotated[bool, Query(description="Whether the texts of the documents go into it.")]

Document = Annotated[str | None, Query(max_length=10_000, description="Name of the document; the first if not given.")]


@router.post(
    "/measure",
    response_model=models.ResultModel,
    responses={202: {"model": models.Job, "description": "A job, to be asked for its result or its events."}},
)
async def measure(request: Request, service: At, wanted: models.MeasureRequest) -> Response:
    """Measure an upload: small ones are answered with the result, others with a job.

    The result is the object that `unisono measure --json` prints, to the byte. The header `Location` names the job.
    """
    upload = upload_of(service, wanted.upload)
    if not upload.understood["readable"]:
        problems = [problem for problem in upload.understood["problems"] if problem["severity"] == "error"]
        raise TaskRefusedError(problems)
    is_small = upload.understood["data"]["units"] <= service.limits.small
    waits = is_small if wanted.wait is None else wanted.wait
    job = service.jobs.begin(upload, wanted.settings.model_dump(mode="json"), estimates=not waits)
    if waits:
        try:
            is_done = await patient(request, job.measured.wait(), PATIENCE)
        except ClientDisconnect:
            service.jobs.forget(job)
            raise
        if is_done:
            return _result(job)
    return JSONResponse(_shown(service, job).model_dump(mode="json"), 202, {"location": _path(job)})


@router.get("/jobs/{id}")
async def get_job(service: At, job: TheJob) -> models.Job:
    """How far a job is."""
    return _shown(service, job)


@router.delete("/jobs/{id}", status_code=204)
async def cancel_job(service: At, job: TheJob) -> Response:
    """Cancel a job, if it runs, and delete all that was made of it."""
    service.jobs.forget(job)
    return Response(status_code=204)


@router.get(
    "/jobs/{id}/events",
    response_class=StreamingResponse,
    responses={200: {"content": {"text/event-stream": {"schema": {"type": "string"}}}}},
)
async def events(
    job: TheJob,
    last_event_id: Annotated[str, Header(max_length=20, description="Only what came after this event.")] = "",
) -> Response:
    """What happens to a job, as server-sent events, until it is over.

    `progress` (the object `progress` of a job), `estimate` (the object `estimate`), `result` (as /result has it), and
    one of `done`, `failed`, `cancelled` with `problems` at the end.
    """
    after = int(last_event_id) if last_event_id.isdecimal() and last_event_id.isascii() else 0
    headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
    return StreamingResponse(job.stream(after), media_type="text/event-stream", headers=headers)


@router.get("/jobs/{id}/result", response_model=models.ResultModel)
async def result(job: TheJob) -> Response:
    """The result: the object that `unisono measure --json` prints, to the byte."""
    return _result(job)


@router.get("/jobs/{id}/words", response_model=models.Words)
async def words(job: TheJob) -> Response:
    """The result in words: what the values say, how sure they are, a sentence for a methods section, whom to cite."""
    _check_result(job)
    return FileResponse(job.words, media_type="application/json")


@router.get(
    "/jobs/{id}/alignment",
    responses={
        **_PENDING,
        200: {
            "content": {"application/json": {"schema": {"type": "object"}}, "text/csv": {"schema": {"type": "string"}}}
        },
    },
)
async def alignment(
    request: Request,
    service: At,
    job: TheJob,
    document: Document = None,
    format: Annotated[
        Literal["view", "json", "csv"],
        Query(description="view: for the viewer; json: as `unisono align --json` prints it; csv: as a table."),
    ] = "view",
    every: Annotated[bool, Query(description="All documents in one, for json and csv; not for view.")] = False,
) -> Response:
    """The best alignment of a document under the job's settings; there before the job is done."""
    every = every and format != "view"
    task = {"task": "alignment", "document": document, "format": format, "every": every}
    suffix, kind = (".csv", "text/csv; charset=utf-8") if format == "csv" else (".json", "application/json")
    return await _made(request, service, job, task, suffix, kind, is_long=every)


@router.get(
    "/jobs/{id}/pairwise",
    responses={**_PENDING, 200: {"content": {"application/json": {"schema": {"type": "object"}}}}},
)
async def pairwise(
    request: Request,
    service: At,
    job: TheJob,
    measure: Annotated[str | None, Query(max_length=100, description="The job's first measure if not given.")] = None,
) -> Response:
    """Who agrees with whom: the object that `unisono annotators --json` prints."""
    task = {"task": "pairwise", "measure": measure or job.settings["measures"][0]}
    return await _made(request, service, job, task, ".json", "application/json", is_long=True)


@router.get(
    "/jobs/{id}/gold",
    responses={
        **_PENDING,
        200: {
            "content": {
                "application/json": {"schema": {"type": "object"}},
                "text/csv": {"schema": {"type": "string"}},
                "application/zip": {"schema": _FILE},
            }
        },
    },
)
async def gold(
    request: Request,
    service: At,
    job: TheJob,
    format: Annotated[
        str,
        Query(
            max_length=100,
            description="json: as `unisono gold --json` prints it; adjudication: a CSV of what a person should look "
            "at; or the name of a format that is written (/formats), whose files come as a zip archive.",
        ),
    ] = "json",
    vote: Annotated[Literal["majority", "weighted"], Query(description="Whose vote counts how much.")] = "majority",
    boundaries: Annotated[Literal["median", "majority"], Query(description="How boundaries are found.")] = "median",
    min_annotators: Annotated[
        int | None, Query(ge=1, le=1_000_000, description="How many must have marked a unit; more than half.")
    ] = None,
) -> Response:
    """A consensus of the annotators from the best alignment."""
    if format not in ("json", "adjudication") and format not in WRITERS:
        problem = Problem("unknown-format", "error", "format", f"json, adjudication or one of {', '.join(WRITERS)}",
                          repr(format))  # fmt: skip
        raise RefusedError(422, problem)
    task = {
        "task": "gold", "format": format, "vote": vote, "boundaries": boundaries, "min_annotators": min_annotators,
    }  # fmt: skip
    suffix, kind = _GOLD.get(format, (".zip", "application/zip"))
    name = "adjudication.csv" if format == "adjudication" else f"gold{suffix}"
    return await _made(request, service, job, task, suffix, kind, is_long=True, headers=_download(name))


@router.get(
    "/jobs/{id}/report", responses={**_PENDING, 200: {"content": {"text/html": {"schema": {"type": "string"}}}}}
)
async def report(request: Request, service: At, job: TheJob, text: Text = True) -> Response:
    """The report: one HTML page that needs nothing else, to be saved."""
    _check_saved(job)
    headers = {**_download("report.html"), "content-security-policy": REPORT_POLICY}
    task = {"task": "report", "form": "page", "text": text}
    kind = "text/html; charset=utf-8"
    return await _made(request, service, job, task, ".html", kind, is_long=True, headers=headers)


@router.get(
    "/jobs/{id}/save", responses={**_PENDING, 200: {"content": {"application/octet-stream": {"schema": _FILE}}}}
)
async def save(request: Request, service: At, job: TheJob, text: Text = True) -> Response:
    """Everything in one file, as `unisono measure --save` writes it; `unisono report` makes pages of it."""
    _check_saved(job)
    task = {"task": "report", "form": "save", "text": text}
    kind = "application/octet-stream"
    headers = _download("result.unisono")
    return await _made(request, service, job, task, ".unisono", kind, is_long=True, headers=headers)


def _shown(service: Service, job: Job) -> models.Job:
    return models.Job.model_validate(
        {
            "id": job.id,
            "upload": job.upload.id,
            "status": job.status,
            "place": None if job.ticket is None else service.pool.place(job.ticket),
            "progress": job.progress,
            "estimate": job.estimate,
            "problems": job.problems,
            "settings": job.settings,
        }
    )


def _download(name: str) -> dict[str, str]:
    return {"content-disposition": f'attachment; filename="{name}"'}


def _path(job: Job) -> str:
    return f"/api/v1/jobs/{job.id}"


def _result(job: Job) -> Response:
    _check_result(job)
    return FileResponse(job.result, media_type="application/json", headers={"location": _path(job)})


def _check_result(job: Job) -> None:
    if job.has_result:
        return
    if job.problems:
        raise TaskRefusedError(job.problems)
    problem = Problem("not-ready", "error", "", "a job that is done", f"one that is {job.status}",
                      "wait for its events, or ask again")  # fmt: skip
    raise RefusedError(409, problem)


def _check_saved(job: Job) -> None:
    """There is a result, and it was kept whole."""
    _check_result(job)
    if not job.saved.exists():
        expected = "a result with its units and alignments"
        found = "one that was not kept" if job.is_over else "one that is still being kept"
        raise RefusedError(409, Problem("not-ready", "error", "", expected, found, "ask again, or measure again"))


async def _made(
    request: Request,
    service: Service,
    job: Job,
    task: dict[str, Any],
    suffix: str,
    kind: str,
    *,
    is_long: bool,
    headers: dict[str, str] | None = None,
) -> Response:
    """The file that a task makes of a job, or word that it is under way."""
    work = service.jobs.made(job, task, suffix, is_long=is_long)
    if not await patient(request, work, PATIENCE):
        return JSONResponse({"status": "running"}, 202, {"retry-after": "1"})
    job.touch()
    path = work.result()
    if not path.exists():  # the job was forgotten meanwhile
        raise TaskCancelledError
    return FileResponse(path, media_type=kind, headers=headers)
