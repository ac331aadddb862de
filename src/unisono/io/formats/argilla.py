# SPDX-License-Identifier: MIT
"""Argilla's records as JSON: of 2.x (`dataset.records.to_json`, `to_list(flatten=True)`), and of 1.x.

A response of a user to a span question is an annotation: its spans are units, the question is the layer, the user's id
the annotator, the record the document. Only submitted responses count; drafts and discarded ones are counted and left
out. Other questions mark nothing on a continuum. The text is the record's one text field, or the field named `text`;
with several fields the file does not say which one a span question stands on, and no text travels. Suggestions and
predictions come from models and are no annotators. Positions are characters.

Of 1.x three shapes are read: records of a FeedbackDataset with a list of responses by user; the same as a dataset of
Hugging Face (a column for each question, with `user_id`, `value`, `status`; spans as a list or as one list for each of
their parts); and records of token classification, whose `annotation` has its annotator in `annotation_agent` (spans as
objects or as `[label, start, end]`; records that are not `Validated` have none).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from unisono.io.encoding import decode
from unisono.io.files import File
from unisono.io.formats.marked import (
    LABEL,
    add_unit,
    as_objects,
    fields_of,
    is_unit,
    no_annotations,
    row_object,
    tell_passed_over,
    values,
)
from unisono.io.jsontree import get, malformed, word
from unisono.io.record import Record, RecordBuilder
from unisono.io.settings import Settings

_WHAT = "Argilla"
_FLAT = ".responses"
#: What is no text field in a flattened record.
_OWN = {
    "id", "status", "_server_id", "external_id", "inserted_at", "updated_at", "metadata", "annotation_agent",
    "prediction_agent",
}  # fmt: skip


def read(file: File, settings: Settings) -> Record:
    """The units of all submitted responses."""
    builder = RecordBuilder(file, "Argilla records")
    passed_over: Counter[str] = Counter()
    content = decode(file.data(), file.where, settings.encoding)
    for number, (where, value) in enumerate(values(content, file.where, _WHAT), start=1):
        row = row_object(value, where, _WHAT)
        common = {
            "document": word(get(row, "id", (int, str))) or word(get(row, "external_id", (int, str))) or str(number),
            "text": _text(row),
            "fields": fields_of(row, "metadata", "fields"),
            "where": where,
        }
        seen: set[str | None] = set()
        for question, user, status, spans in _responses(row, where):
            if status not in (None, "submitted"):
                passed_over[f"{status} responses"] += 1
            elif not isinstance(spans, list) or not all(is_unit(span) for span in spans):
                passed_over[f"responses to {question} without positions"] += 1
                # Whoever answered another question has seen the text.
                seen.add(user)
            else:
                seen.add(user)
                sheet = builder.sheet(layer=question, annotator=user, **common)
                for position, span in enumerate(spans, start=1):
                    add_unit(builder, sheet, span, f"{where} {question} span {position}")
        for user in sorted(seen, key=str):
            builder.sheet(annotator=user, **common)
    if not builder.sheets:
        raise no_annotations(builder, passed_over, "export submitted responses with dataset.records.to_json")
    tell_passed_over(builder, passed_over, "responses to span questions")
    return builder.record(category=LABEL, called={"annotator": "user_id", "document": "records"})


def _responses(row: Mapping[str, Any], where: str) -> Iterator[tuple[str, str | None, str | None, Any]]:
    """Question, user, status and value of every response, whichever way the record keeps them."""
    responses = row.get("responses")
    if isinstance(responses, dict):  # 2.x: by question
        for question, answers in responses.items():
            if not isinstance(answers, list):
                raise malformed(where, _WHAT, f"responses to {question} that are no list")
            for answer in answers:
                answer = row_object(answer, where, _WHAT)
                yield question, word(answer.get("user_id")), get(answer, "status", str), answer.get("value")
    elif isinstance(responses, list):  # 1.x: by user
        for response in responses:
            response = row_object(response, where, _WHAT)
            for question, answer in (get(response, "values", dict) or {}).items():
                value = answer.get("value") if isinstance(answer, dict) else answer
                yield question, word(response.get("user_id")), get(response, "status", str), value
    elif responses is not None:
        raise malformed(where, _WHAT, "responses that are neither an object nor a list")
    if "annotation_agent" in row:  # 1.x, token classification
        spans = row.get("annotation")
        if spans is not None or row.get("status") == "Validated":
            status = get(row, "status", str)
            agreed = "submitted" if status in (None, "Validated") else status.lower()
            yield "annotation", word(row.get("annotation_agent")), agreed, _spans(spans or [])
        return
    for name, answers in row.items():  # 1.x, as a dataset: a column for each question
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


def _is_answer(value: Any) -> bool:
    return isinstance(value, dict) and "user_id" in value and "value" in value


def _spans(value: Any) -> Any:
    """Spans as objects, whichever way they were stored.

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
