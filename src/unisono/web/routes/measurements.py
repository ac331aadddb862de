# SPDX-License-Identifier: MIT
"""Measurements, and the files made from their results."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Header, Query, Request
from fastapi.responses import JSONResponse, Response, StreamingResponse
from starlette.requests import ClientDisconnect

from unisono.errors import Problem
from unisono.io import WRITERS
from unisono.web import models
from unisono.web.jobs import Job, TaskRefusedError
from unisono.web.pool import TaskCancelledError
from unisono.web.routes.common import PATIENCE, At, RefusedError, TheJob, job_of, send_file, upload_of, wait_for
from unisono.web.security import REPORT_POLICY
from unisono.web.service import Service

router = APIRouter(tags=["jobs"])

_PENDING: dict[int | str, dict[str, Any]] = {
    202: {"model": models.Pending, "description": "In progress; ask again."},
}
_FILE = {"type": "string", "format": "binary"}

_GOLD = {"json": (".json", "application/json"), "adjudication": (".csv", "text/csv; charset=utf-8")}

Text = Annotated[bool, Query(description="Whether to include the texts of the documents.")]

Document = Annotated[str | None, Query(max_length=10_000, description="Name of the document; the first if not given.")]


@router.post(
    "/measure",
    response_model=models.ResultModel,
    responses={202: {"model": models.Job, "description": "A job, whose result and events can be requested."}},
)
async def measure(request: Request, service: At, wanted: models.MeasureRequest) -> Response:
    """Measure an upload: the answer is the result if the upload is small, otherwise a job.

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
            is_done = await wait_for(request, job.measured.wait(), PATIENCE)
        except ClientDisconnect:
            service.jobs.forget(job)
            raise
        if is_done:
            return _result(job)
    return JSONResponse(_job_model(service, job).model_dump(mode="json"), 202, {"location": _path(job)})


@router.get("/jobs/{id}")
async def get_job(service: At, job: TheJob) -> models.Job:
    """The state of a job."""
    return _job_model(service, job)


@router.delete("/jobs/{id}", status_code=204)
async def cancel_job(service: At, job: TheJob) -> Response:
    """Cancel a job if it is running, and delete everything made from it."""
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
    """The events of a job, as server-sent events, until it is over.

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
    """The result in words: what the values mean, their intervals, a sentence for a methods section, papers to cite."""
    _check_result(job)
    return send_file(job.words, "application/json")


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
    every: Annotated[bool, Query(description="All documents in one; a list of views once the job is done.")] = False,
) -> Response:
    """The best alignment of a document under the job's settings; the view is available before the job is done."""
    # Once the job is done, the view has the vote on the gold standard, too: it is made anew.
    task = {"task": "alignment", "document": document, "format": format, "every": every, "is_final": job.is_over}
    suffix, kind = (".csv", "text/csv; charset=utf-8") if format == "csv" else (".json", "application/json")
    return await _derive(request, service, job, task, suffix, kind, is_long=every, waits=every or format != "view")


@router.get(
    "/jobs/{id}/overview",
    responses={**_PENDING, 200: {"content": {"application/json": {"schema": {"type": "object"}}}}},
)
async def overview(request: Request, service: At, job: TheJob) -> Response:
    """The numbers behind the charts and the first screen, as the report has them; docs/charts.md lists them."""
    _check_result(job)
    return await _derive(request, service, job, {"task": "overview"}, ".json", "application/json", is_long=True)


@router.get(
    "/jobs/{id}/explanation",
    responses={**_PENDING, 200: {"content": {"application/json": {"schema": {"type": "object"}}}}},
)
async def explanation(request: Request, service: At, job: TheJob) -> Response:
    """What the value means and what to do next: the object that `unisono explain --json` prints."""
    _check_saved(job)
    return await _derive(request, service, job, {"task": "explanation"}, ".json", "application/json", is_long=True)


@router.get(
    "/jobs/{id}/comparison",
    responses={**_PENDING, 200: {"content": {"application/json": {"schema": {"type": "object"}}}}},
)
async def comparison(
    request: Request,
    service: At,
    job: TheJob,
    other: Annotated[str, Query(alias="with", max_length=200, description="The job of the first side.")],
    first: Annotated[str, Query(max_length=200, description="What the first side is called.")] = "A",
    second: Annotated[str, Query(max_length=200, description="What the second side, this job, is called.")] = "B",
) -> Response:
    """This job beside another one: the difference, its interval, and what got better and worse."""
    _check_saved(job)
    before = job_of(service, other)
    _check_saved(before)
    task = {"task": "comparison", "with": str(before.saved), "names": [first, second]}
    return await _derive(request, service, job, task, ".json", "application/json", is_long=True)


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
    """The agreement of every two annotators: the object that `unisono annotators --json` prints."""
    task = {"task": "pairwise", "measure": measure or job.settings["measures"][0]}
    return await _derive(request, service, job, task, ".json", "application/json", is_long=True)


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
            description="json: as `unisono gold --json` prints it; adjudication: a CSV of the units to be checked by a "
            "person; or the name of a format that is written (/formats), whose files come in a zip archive.",
        ),
    ] = "json",
    vote: Annotated[Literal["majority", "weighted"], Query(description="How votes are weighted.")] = "majority",
    boundaries: Annotated[Literal["median", "majority"], Query(description="How boundaries are chosen.")] = "median",
    min_annotators: Annotated[
        int | None,
        Query(
            ge=1, le=1_000_000, description="How many annotators must have marked a unit; by default more than half."
        ),
    ] = None,
) -> Response:
    """A gold standard: the consensus of the annotators, from the best alignment."""
    if format not in ("json", "adjudication") and format not in WRITERS:
        message, remedy = f"{format!r} is not a format", f"Choose json, adjudication or one of {', '.join(WRITERS)}."
        raise RefusedError(422, Problem("unknown-format", "error", "format", message, remedy, found=repr(format)))
    task = {
        "task": "gold", "format": format, "vote": vote, "boundaries": boundaries, "min_annotators": min_annotators,
    }  # fmt: skip
    suffix, kind = _GOLD.get(format, (".zip", "application/zip"))
    name = "adjudication.csv" if format == "adjudication" else f"gold{suffix}"
    return await _derive(request, service, job, task, suffix, kind, is_long=True, headers=_download(name))


@router.get(
    "/jobs/{id}/report", responses={**_PENDING, 200: {"content": {"text/html": {"schema": {"type": "string"}}}}}
)
async def report(request: Request, service: At, job: TheJob, text: Text = True) -> Response:
    """The report: one self-contained HTML page, as a download."""
    _check_saved(job)
    headers = {**_download("report.html"), "content-security-policy": REPORT_POLICY}
    task = {"task": "report", "form": "page", "text": text}
    kind = "text/html; charset=utf-8"
    return await _derive(request, service, job, task, ".html", kind, is_long=True, headers=headers)


@router.get(
    "/jobs/{id}/save", responses={**_PENDING, 200: {"content": {"application/octet-stream": {"schema": _FILE}}}}
)
async def save(request: Request, service: At, job: TheJob, text: Text = True) -> Response:
    """The saved result, as `unisono measure --save` writes it; `unisono report` makes a report from it."""
    _check_saved(job)
    task = {"task": "report", "form": "save", "text": text}
    kind = "application/octet-stream"
    headers = _download("result.unisono")
    return await _derive(request, service, job, task, ".unisono", kind, is_long=True, headers=headers)


def _job_model(service: Service, job: Job) -> models.Job:
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
    return send_file(job.result, "application/json", {"location": _path(job)})


def _check_result(job: Job) -> None:
    if job.has_result:
        return
    if job.problems:
        raise TaskRefusedError(job.problems)
    message, remedy = f"the job has no result yet: it is {job.status}", "Wait for its events, or ask again."
    raise RefusedError(409, Problem("not-ready", "error", "", message, remedy))


def _check_saved(job: Job) -> None:
    """Refuse if there is no result, or if it was not saved with its units and alignments."""
    _check_result(job)
    if not job.saved.exists():
        message = "the result was not saved" if job.is_over else "the result is still being saved"
        raise RefusedError(409, Problem("not-ready", "error", "", message, "Ask again, or measure again."))


async def _derive(
    request: Request,
    service: Service,
    job: Job,
    task: dict[str, Any],
    suffix: str,
    kind: str,
    *,
    is_long: bool,
    waits: bool = True,
    headers: dict[str, str] | None = None,
) -> Response:
    """The file that a task makes from a job, or status 202 while it is in progress."""
    work = service.jobs.derive(job, task, suffix, is_long=is_long, waits=waits)
    if not await wait_for(request, work, PATIENCE):
        return JSONResponse({"status": "running"}, 202, {"retry-after": "1"})
    job.touch()
    if work.cancelled():  # the job was deleted before the work began
        raise TaskCancelledError
    return send_file(work.result(), kind, headers)
