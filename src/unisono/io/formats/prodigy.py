# SPDX-License-Identifier: MIT
"""Prodigy's JSON lines (`db-out`): one task per line, with the spans one annotator marked on a text or a recording.

The annotator is `_annotator_id`, or else `_session_id`, or else taken from the path. The document is `_input_hash`,
which is the same for everybody who worked on the same text. Accepted tasks are read; a task accepted without spans
means that the annotator saw the text and marked nothing. Rejected and ignored tasks are counted and left out, because
their spans are suggestions that nobody confirmed. The single spans of binary recipes (`_is_binary`) are collected into
one annotation of their text. A span that a model suggested has its name in `source`; with `predictions` all of these,
whatever was answered, are the work of an annotator of that name. `audio_spans` are in seconds, positions in texts are
characters. Relations are left out.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping
from typing import Any

from unisono.io.files.jsontree import get, malformed, word
from unisono.io.files.opening import File
from unisono.io.formats.json_spans import add_unit, bounds_of, fields_of, finish, is_unit, note_predictions, objects
from unisono.io.options import Settings
from unisono.io.record import Record, RecordBuilder

_WHAT = "Prodigy"


def read(file: File, settings: Settings) -> Record:
    """The units of all accepted tasks."""
    builder = RecordBuilder(file, "Prodigy JSON lines", decimal_unit="s")
    left_out: Counter[str] = Counter()
    sheets: dict[tuple[str, str | None], int] = {}
    predicted: dict[tuple[str, str], dict[str, Any]] = {}
    for where, task in objects(file, settings, _WHAT):
        _collect_predictions(task, predicted)
        answer = task.get("answer", "accept")
        if answer != "accept":
            left_out[f"task(s) with the answer {word(answer) or 'none'}"] += 1
            continue
        is_audio = "audio_spans" in task
        units = task.get("audio_spans" if is_audio else "spans")
        if units is not None and not isinstance(units, list):
            raise malformed(where, _WHAT, "the spans are not a list")
        annotator = word(task.get("_annotator_id")) or word(task.get("_session_id"))
        document = _document(task)
        key = (document, annotator)
        if task.get("_is_binary") is not True or key not in sheets:
            sheets[key] = builder.sheet(
                document=document,
                annotator=annotator,
                text=None if is_audio else get(task, "text", str),
                fields=fields_of(task, "meta"),
                where=where,
            )
        for number, unit in enumerate(units or (), start=1):
            add_unit(builder, sheets[key], unit, f"{where} span {number}")
        if relations := get(task, "relations", list):
            left_out["relation(s)"] += len(relations)
    if settings.predictions:
        _add_predictions(builder, predicted)
    else:
        models: Counter[str] = Counter()
        for (_, model), spans in predicted.items():
            models[model] += len(spans)
        note_predictions(builder, models)
    remedy = "Export accepted tasks with prodigy db-out."
    return finish(builder, left_out, remedy, called={"annotator": "_annotator_id", "document": "_input_hash"})


def _collect_predictions(task: Mapping[str, Any], predicted: dict[tuple[str, str], dict[str, Any]]) -> None:
    """Add the spans of a task that a model suggested, each once, by document and model."""
    for name in ("spans", "audio_spans"):
        for span in get(task, name, list) or ():
            if isinstance(span, dict) and is_unit(span) and (model := get(span, "source", str)):
                key = repr((*bounds_of(span), span.get("label")))
                predicted.setdefault((_document(task), model), {}).setdefault(key, (task, name, span))


def _add_predictions(builder: RecordBuilder, predicted: Mapping[tuple[str, str], Mapping[str, Any]]) -> None:
    for (document, model), spans in predicted.items():
        task, name, _ = next(iter(spans.values()))
        text = None if name == "audio_spans" else get(task, "text", str)
        sheet = builder.sheet(document=document, annotator=model, text=text, fields=fields_of(task, "meta"))
        for number, (_, _, span) in enumerate(spans.values(), start=1):
            add_unit(builder, sheet, span, f"{builder.file.where} {document} prediction {number}")


def _document(task: Mapping[str, Any]) -> str:
    """A name that is the same for all annotators of a text: Prodigy's hash, or else a hash of the text."""
    known = word(task.get("_input_hash"))
    content = next((task[name] for name in ("text", "audio", "video", "path") if isinstance(task.get(name), str)), "")
    return known or hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()[:12]
