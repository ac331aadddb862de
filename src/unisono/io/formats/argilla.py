# SPDX-License-Identifier: MIT
"""Argilla's records as JSON: from 2.x (`dataset.records.to_json`, `to_list(flatten=True)`) and from 1.x.

A user's response to a span question is an annotation: its spans are units, the question is the layer, the user's id the
annotator, the record the document. Only submitted responses are read; drafts and discarded ones are counted and left
out, as are answers to other questions, which have no positions. The text is the field named `text`, or the record's
only text field; with several fields the file does not say which one a span question is about, so no text is read.
Suggestions and predictions come from models; they are read with `predictions`, as annotators named after their agents.
Positions are characters.

Three layouts of 1.x are read: records of a FeedbackDataset with a list of responses by user; the same as a Hugging Face
data set (a column for each question, with `user_id`, `value`, `status`; spans as a list, or as one list for each of
their members); and records of token classification, whose annotator is in `annotation_agent` (spans as objects or as
`[label, start, end]`; only records with the status `Validated` have an annotation).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from unisono.io.files.jsontree import get, malformed, word
from unisono.io.files.opening import File
from unisono.io.formats.json_spans import (
    LABEL,
    UNNAMED_MODEL,
    add_unit,
    as_objects,
    fields_of,
    finish,
    is_unit,
    note_predictions,
    objects,
    require_object,
)
from unisono.io.options import Settings
from unisono.io.record import Record, RecordBuilder

_WHAT = "Argilla"
_FLAT = ".responses"
_SUGGESTED = (".suggestion", "-suggestion")
#: Members of a flattened record that are not text fields.
_OWN = {
    "id", "status", "_server_id", "external_id", "inserted_at", "updated_at", "metadata", "annotation_agent",
    "prediction_agent",
}  # fmt: skip


def read(file: File, settings: Settings) -> Record:
    """The units of all submitted responses."""
    builder = RecordBuilder(file, "Argilla records")
    left_out: Counter[str] = Counter()
    models: Counter[str] = Counter()
    for number, (where, row) in enumerate(objects(file, settings, _WHAT), start=1):
        common = {
            "document": word(get(row, "id", (int, str))) or word(get(row, "external_id", (int, str))) or str(number),
            "text": _text(row),
            "fields": fields_of(row, "metadata", "fields"),
            "where": where,
        }
        seen: set[str | None] = set()
        for question, user, status, spans in _responses(row, where):
            if status not in (None, "submitted"):
                left_out[f"{status} response(s)"] += 1
            elif question is None:
                seen.add(user)
            elif not isinstance(spans, list) or (spans and not any(map(is_unit, spans))):
                left_out[f"response(s) to {question} without positions"] += 1
                seen.add(user)  # a user who answered another question has seen the text
            else:
                seen.add(user)
                sheet = builder.sheet(layer=question, annotator=user, **common)
                for position, span in enumerate(spans, start=1):
                    add_unit(builder, sheet, span, f"{where} {question} span {position}")
        for question, model, spans in _suggestions(row):
            if not settings.predictions:
                models[model] += 1
                continue
            seen.add(model)
            sheet = builder.sheet(layer=question, annotator=model, **common)
            for position, span in enumerate(spans, start=1):
                add_unit(builder, sheet, span, f"{where} {question} suggestion {position}")
        for user in sorted(seen, key=str):
            builder.sheet(annotator=user, **common)
    note_predictions(builder, models)
    return finish(
        builder,
        left_out,
        "Export submitted responses with dataset.records.to_json.",
        called={"annotator": "user_id", "document": "records"},
        reads="submitted responses to span questions",
        n_predictions=models.total(),
    )


def _responses(row: Mapping[str, Any], where: str) -> Iterator[tuple[str | None, str | None, str | None, Any]]:
    """Question (None where no question was answered), user, status and value of every response, in any layout."""
    responses = row.get("responses")
    if isinstance(responses, dict):  # 2.x: by question
        for question, answers in responses.items():
            if not isinstance(answers, list):
                raise malformed(where, _WHAT, f"the responses to {question} are not a list")
            for answer in answers:
                answer = require_object(answer, where, _WHAT)
                yield question, word(answer.get("user_id")), get(answer, "status", str), answer.get("value")
    elif isinstance(responses, list):  # 1.x: by user
        for response in responses:
            response = require_object(response, where, _WHAT)
            user, status = word(response.get("user_id")), get(response, "status", str)
            answers = get(response, "values", dict) or {}
            for question, answer in answers.items():
                yield question, user, status, answer.get("value") if isinstance(answer, dict) else answer
            if not answers:
                yield None, user, status, None  # seen, and nothing answered
    elif responses is not None:
        raise malformed(where, _WHAT, "the responses are neither an object nor a list")
    if "annotation_agent" in row:  # 1.x, token classification
        spans = row.get("annotation")
        if spans is not None or row.get("status") == "Validated":
            status = get(row, "status", str)
            status = "submitted" if status in (None, "Validated") else status.lower()
            yield "annotation", word(row.get("annotation_agent")), status, _spans(spans or [])
        return
    for name, answers in row.items():  # 1.x, as a data set: a column for each question
        if name != "responses" and isinstance(answers, list) and answers and all(map(_is_answer, answers)):
            for answer in answers:
                yield name, word(answer["user_id"]), get(answer, "status", str), _spans(answer["value"])
    for name, answers in row.items():  # flattened
        if name.endswith(_FLAT) and isinstance(answers, list):
            users, statuses = (get(row, f"{name}.{part}", list) or [] for part in ("users", "status"))
            for number, value in enumerate(answers):
                yield (
                    name.removesuffix(_FLAT),
                    word(users[number]) if number < len(users) else None,
                    word(statuses[number]) if number < len(statuses) else None,
                    value,
                )


def _suggestions(row: Mapping[str, Any]) -> Iterator[tuple[str, str, list[Any]]]:
    """Question, model and spans of every suggestion of spans, in any of the layouts."""
    suggestions = row.get("suggestions")
    found: list[tuple[str, Any, Any]] = []
    if isinstance(suggestions, dict):  # 2.x: by question
        found += [(name, s.get("agent"), s.get("value")) for name, s in suggestions.items() if isinstance(s, dict)]
    elif isinstance(suggestions, list):  # 1.x: a list with the questions' names
        for s in suggestions:
            if isinstance(s, dict):
                found.append((word(s.get("question_name")) or "suggestion", s.get("agent"), s.get("value")))
    for name, value in row.items():  # flattened, and columns of a data set
        if name.endswith(_SUGGESTED):
            agent = row.get(f"{name}.agent", (get(row, f"{name}-metadata", dict) or {}).get("agent"))
            found.append((name.removesuffix(_SUGGESTED[0]).removesuffix(_SUGGESTED[1]), agent, value))
    if row.get("prediction") is not None:  # 1.x, token classification
        found.append(("annotation", row.get("prediction_agent"), row["prediction"]))
    for question, agent, value in found:
        spans = _spans(value)
        if isinstance(spans, list) and spans and all(map(is_unit, spans)):
            yield question, word(agent) or UNNAMED_MODEL, spans


def _is_answer(value: Any) -> bool:
    return isinstance(value, dict) and "user_id" in value and "value" in value


def _spans(value: Any) -> Any:
    """Spans as objects, in whichever of the three ways they are stored.

    >>> _spans([["PER", 0, 4]])
    [{'label': 'PER', 'start': 0, 'end': 4}]
    """
    spans = as_objects(value)
    if not isinstance(spans, list):
        return spans
    return [
        dict(zip((LABEL, "start", "end"), span, strict=False))
        if isinstance(span, list) and len(span) in (3, 4) and isinstance(span[0], str)
        else span
        for span in spans
    ]


def _text(row: Mapping[str, Any]) -> str | None:
    fields = get(row, "fields", dict)
    if fields is None:
        fields = {name: value for name, value in row.items() if name not in _OWN and "." not in name}
    texts = {name: value for name, value in fields.items() if isinstance(value, str)}
    if "text" in texts:
        return str(texts["text"])
    return next(iter(texts.values())) if len(texts) == 1 else None
