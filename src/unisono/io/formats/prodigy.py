# SPDX-License-Identifier: MIT
"""Prodigy's JSON lines (`db-out`): a task a line, with the spans one annotator marked on a text or a recording.

The annotator is `_annotator_id`, else `_session_id`, else told by the path; the document is `_input_hash`, which is the
same for all who worked on the same text. Accepted tasks are read; one that was accepted without spans was seen and left
empty. Rejected and ignored tasks are counted and left out: what they show is nobody's annotation. The single spans that
binary recipes ask about (`_is_binary`) go to one annotation of that text. `audio_spans` are in seconds. Positions in
texts are characters; relations are no units.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping
from typing import Any

from unisono.io.encoding import decode
from unisono.io.files import File
from unisono.io.formats.marked import (
    LABEL,
    add_unit,
    fields_of,
    no_annotations,
    row_object,
    tell_passed_over,
    values,
)
from unisono.io.jsontree import get, malformed, word
from unisono.io.record import Record, RecordBuilder
from unisono.io.settings import Settings

_WHAT = "Prodigy"


def read(file: File, settings: Settings) -> Record:
    """The units of all accepted tasks."""
    builder = RecordBuilder(file, "Prodigy JSON lines")
    passed_over: Counter[str] = Counter()
    binary: dict[tuple[str, str | None], int] = {}
    text = decode(file.data(), file.where, settings.encoding)
    for where, value in values(text, file.where, _WHAT):
        task = row_object(value, where, _WHAT)
        answer = task.get("answer", "accept")
        if answer != "accept":
            passed_over[f"tasks answered {word(answer) or 'with nothing'}"] += 1
            continue
        is_audio = "audio_spans" in task
        units = task.get("audio_spans" if is_audio else "spans")
        if units is not None and not isinstance(units, list):
            raise malformed(where, _WHAT, "spans that are no list")
        annotator = word(task.get("_annotator_id")) or word(task.get("_session_id"))
        document = _document(task)
        key = (document, annotator)
        if task.get("_is_binary") is not True or key not in binary:
            binary[key] = builder.sheet(
                document=document,
                annotator=annotator,
                text=None if is_audio else get(task, "text", str),
                fields=fields_of(task, "meta"),
                where=where,
            )
        for number, unit in enumerate(units or (), start=1):
            add_unit(builder, binary[key], unit, f"{where} span {number}")
        if relations := get(task, "relations", list):
            passed_over["relations"] += len(relations)
    if not builder.sheets:
        raise no_annotations(builder, passed_over, "export accepted tasks with prodigy db-out")
    tell_passed_over(builder, passed_over)
    return builder.record(category=LABEL, called={"annotator": "_annotator_id", "document": "_input_hash"})


def _document(task: Mapping[str, Any]) -> str:
    """What ties the annotators of a text together; without Prodigy's own hash, one of the text itself."""
    known = word(task.get("_input_hash"))
    content = next((task[name] for name in ("text", "audio", "video", "path") if isinstance(task.get(name), str)), "")
    return known or hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()[:12]
