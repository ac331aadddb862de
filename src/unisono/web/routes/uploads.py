# SPDX-License-Identifier: MIT
"""Uploads: files are stored and read."""

from __future__ import annotations

import asyncio
import json
import shutil
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request, Response
from pydantic import ValidationError
from starlette.datastructures import FormData, UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

from unisono.errors import Problem
from unisono.web import models
from unisono.web.derived import problem_of
from unisono.web.jobs import TaskRefusedError
from unisono.web.limits import upload_too_large
from unisono.web.pool import TaskFailedError
from unisono.web.routes.common import At, RefusedError, TheUpload, wait_for
from unisono.web.samples import SAMPLES
from unisono.web.service import Service
from unisono.web.store import Reservation, StorageFullError, StoredUpload, clean_name

router = APIRouter(tags=["uploads"])

_FORM = {
    "requestBody": {
        "required": True,
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "required": ["files"],
                    "properties": {
                        "files": {
                            "type": "array",
                            "items": {"type": "string", "format": "binary"},
                            "description": "One or many files; names may hold folders (ann/letter.ann). Zip archives "
                            "are unpacked.",
                        },
                        "reading": {
                            "type": "string",
                            "description": "How to read them: a JSON object, as in POST /uploads/{id}/reading.",
                        },
                    },
                }
            }
        },
    }
}

#: The description of an upload that could not be read at all.
_NOTHING: dict[str, Any] = {
    "readable": False,
    "skippable": False,
    "understood": "nothing understood",
    "contents": {
        "kinds": {}, "layers": {}, "read_layers": [], "features": [], "fields": [], "columns": [], "sources": {},
    },
    "data": None,
    "annotators": [],
    "categories": [],
    "documents": [],
    "properties": [],
    "advice": [],
}  # fmt: skip


@router.post("/uploads", status_code=201, openapi_extra=_FORM)
async def send_files(request: Request, service: At) -> models.Upload:
    """Send files, a folder or zip archives; the answer says how they were read and lists problems.

    Files that cannot be read are not an error: change how they are read with /uploads/{id}/reading.
    """
    if not request.headers.get("content-type", "").lower().startswith("multipart/form-data"):
        raise HTTPException(415, request.headers.get("content-type", "no content type")[:100])
    with service.store.reserve(_announced_length(request)) as room:
        received = _LimitedRequest(request, room)
        async with received.form(max_files=service.limits.files, max_fields=10) as form:
            reading = _reading(form)
            files = [
                (clean_name(part.filename or ""), part)
                for _, part in form.multi_items()
                if isinstance(part, UploadFile)
            ]
            _check_files(service, [(name, part.size or 0) for name, part in files])
            upload = _new_upload(service)
            try:
                for number, (name, part) in enumerate(files):
                    path = upload.folder / str(number)
                    with path.open("wb") as target:
                        await asyncio.to_thread(shutil.copyfileobj, part.file, target, 2**20)
                    await part.close()
                    upload.files[name] = path
                    upload.size += part.size or 0
            except BaseException:
                service.store.remove(upload)
                raise
        return await _read(request, service, upload, reading, is_new=True)


class _LimitedRequest(Request):
    """The request; receiving its body fails with StorageFullError once there is no more room for it."""

    def __init__(self, request: Request, room: Reservation):
        received = 0

        async def receive() -> Any:
            nonlocal received
            message = await request.receive()
            received += len(message.get("body", b""))
            room.extend(received)
            return message

        super().__init__(request.scope, receive)


def _announced_length(request: Request) -> int:
    """How long the request says that it is; 0 if it does not say so."""
    length = request.headers.get("content-length", "")
    return int(length) if length.isdecimal() and len(length) < 20 else 0


@router.get("/uploads/{id}")
async def get_upload(upload: TheUpload) -> models.Upload:
    """How an upload was read."""
    return _upload_model(upload)


@router.post("/uploads/{id}/reading")
async def read_again(request: Request, service: At, upload: TheUpload, reading: models.Reading) -> models.Upload:
    """Read the files in another way: with another layer, format or column, or other annotators' names."""
    return await _read(request, service, upload, reading, is_new=False)


@router.delete("/uploads/{id}", status_code=204)
async def delete_upload(
    service: At,
    upload: TheUpload,
    after: Annotated[
        float,
        Query(
            ge=0,
            le=600,
            description="Seconds to wait; if it is used meanwhile, it is kept. For a page that is left or reloaded.",
        ),
    ] = 0.0,
) -> Response:
    """Delete the files and everything made from them; running measurements are cancelled."""
    if not after:
        service.jobs.forget(upload)
        return Response(status_code=204)
    since = upload.used

    def forget() -> None:
        if upload.used <= since and service.store.uploads.has(upload):
            service.jobs.forget(upload)

    asyncio.get_running_loop().call_later(after, forget)
    return Response(status_code=204)


@router.get("/uploads/{id}/decisions")
async def get_decisions(upload: TheUpload) -> models.Decisions:
    """The decisions of a person that are kept with the upload."""
    return models.Decisions.model_validate(upload.decisions or {"schema": 1, "data": None, "decisions": []})


@router.put("/uploads/{id}/decisions", status_code=204)
async def keep_decisions(service: At, upload: TheUpload, decisions: models.Decisions) -> Response:
    """Keep decisions with the upload, replacing those kept before; `unisono gold --decisions` reads the same."""
    kept = decisions.model_dump(mode="json", by_alias=True)
    size = len(json.dumps(kept))
    growth = size - upload.decisions_size
    if growth > service.store.room:
        raise StorageFullError(service.limits)
    upload.size += growth
    upload.decisions, upload.decisions_size = kept, size
    return Response(status_code=204)


@router.get("/samples")
async def samples() -> list[models.Sample]:
    """Sample data."""
    return [
        models.Sample(name=sample.name, title=sample.title, description=sample.description)
        for sample in SAMPLES.values()
    ]


@router.post("/samples/{name}", status_code=201)
async def send_sample(
    request: Request, service: At, name: Annotated[str, Path(max_length=100, description="Name of the sample.")]
) -> models.Upload:
    """Use a sample as if its files had been sent."""
    sample = SAMPLES.get(name)
    if sample is None:
        message, remedy = f"there is no sample called {name[:100]!r}", f"Choose one of {', '.join(SAMPLES)}."
        raise RefusedError(404, Problem("not-found", "error", "", message, remedy))
    files = sample.files()
    with service.store.reserve(sum(map(len, files.values()))):
        upload = _new_upload(service)
        for number, (called, data) in enumerate(files.items()):
            upload.files[called] = upload.folder / str(number)
            upload.files[called].write_bytes(data)
            upload.size += len(data)
        reading = models.Reading.model_validate(sample.reading)
        return await _read(request, service, upload, reading, is_new=True)


def _reading(form: FormData) -> models.Reading:
    text = form.get("reading")
    if text is None:
        return models.Reading()
    try:
        reading: models.Reading = models.Reading.model_validate_json(text if isinstance(text, str) else "")
        return reading
    except ValidationError as error:
        raise TaskRefusedError([problem_of(each, ("reading",)).to_dict() for each in error.errors()[:100]]) from None


def _check_files(service: Service, files: list[tuple[str, int]]) -> None:
    names = [name for name, _ in files]
    if not names:
        raise RefusedError(
            422,
            Problem("no-files", "error", "", "no files were sent", "Send at least one file with annotations."),
        )
    twice = sorted({name for name in names if names.count(name) > 1}) if len(set(names)) < len(names) else []
    if twice:
        raise RefusedError(
            422, Problem("repeated-path", "error", twice[0], "this file was sent twice", "Send each file once.")
        )
    size = sum(n_bytes for _, n_bytes in files)
    if size > service.limits.upload:
        raise RefusedError(413, upload_too_large(service.limits))


def _new_upload(service: Service) -> StoredUpload:
    id, folder = service.store.new_folder()
    return StoredUpload(id, folder)


async def _read(
    request: Request, service: Service, upload: StoredUpload, reading: models.Reading, *, is_new: bool
) -> models.Upload:
    """Read the files; a new upload is deleted if its client disconnects or its settings are wrong."""
    settings = reading.model_dump(mode="json")
    task = {
        "task": "read",
        "upload": upload.id,
        "files": {name: str(path) for name, path in upload.files.items()},
        "reading": settings,
    }
    try:
        ticket = service.pool.submit(task, is_long=False)
        try:
            await wait_for(request, ticket.outcome)
        except ClientDisconnect:
            service.pool.cancel(ticket)
            raise
        try:
            outcome = ticket.outcome.result()
        except TaskFailedError as failure:
            outcome = {**_NOTHING, "problems": [failure.problem.to_dict()], "n_problems": 1}
        if "readable" not in outcome:
            raise TaskRefusedError(outcome["problems"])
    except BaseException:
        if is_new:
            service.store.remove(upload)
        raise
    upload.reading, upload.understood = settings, outcome
    if is_new:
        service.store.uploads.add(upload)
    return _upload_model(upload)


def _upload_model(upload: StoredUpload) -> models.Upload:
    return models.Upload.model_validate(
        {"id": upload.id, "files": sorted(upload.files), "reading": upload.reading, **upload.understood}
    )
