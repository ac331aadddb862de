# SPDX-License-Identifier: MIT
"""Label Studio's JSON export: a list of tasks with the annotations of every annotator.

An annotation is what one annotator left on one task; its regions with a start and an end are units: text (`labels`,
`hypertextlabels` by their global offsets), audio and video in seconds, time series, paragraphs (turned into positions
on the paragraphs' joined text). The control's name (`from_name`) is the layer. Per-region choices, ratings and texts
become features under their control's name. Regions of images and whole-task choices have no position on a continuum
and are counted, not read; cancelled annotations are left out; predictions are nobody's and are not read. The minimal
export (JSON_MIN), where a row is one annotation, is read as well.

Positions of texts are characters in recent exports and UTF-16 units in older ones (2021 and before): the stored
text of the regions tells which.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from unisono.errors import FormatError
from unisono.io.encoding import decode
from unisono.io.files import File
from unisono.io.jsontree import get, malformed, parsed, parsed_lines, word, words
from unisono.io.record import Record, RecordBuilder
from unisono.io.settings import Settings

_WHAT = "Label Studio"
#: Names of data fields that tell the document, the likeliest first.
_NAMES = ("document", "document_id", "doc_id", "file_name", "filename", "name", "title")
#: Names of data fields that hold the text, where the region does not say which.
_TEXTS = ("text", "dialogue", "content", "body")
#: What the minimal export says about an annotation, beside the data.
_MINIMAL = {"id", "annotator", "annotation_id", "created_at", "updated_at", "lead_time"}
#: Members of a region's value that are no labels.
_NO_LABELS = {"start", "end", "text", "startOffset", "endOffset", "globalOffsets", "channel", "instant"}


def read(file: File, settings: Settings) -> Record:
    """The units of all tasks in an export."""
    text = decode(file.data(), file.where, settings.encoding)
    builder = RecordBuilder(file, "Label Studio JSON")
    passed_over: Counter[str] = Counter()
    for number, task in enumerate(_tasks(text, file.where), start=1):
        where = f"{file.where} task {word(get(task, 'id', (int, str))) or number}"
        if not isinstance(task, dict):
            raise malformed(where, _WHAT, "a task that is no object")
        task = _full(task)
        annotations = task.get("annotations", task.get("completions"))
        if annotations is None:
            continue
        if not isinstance(annotations, list):
            raise malformed(where, _WHAT, "annotations that are no list")
        data = get(task, "data", dict) or {}
        document = _document(task, data, number)
        for annotation in annotations:
            if not isinstance(annotation, dict):
                raise malformed(where, _WHAT, "an annotation that is no object")
            if annotation.get("was_cancelled") is True:
                passed_over["cancelled annotations"] += 1
                continue
            _annotation(builder, annotation, data, document, where, passed_over)
    if not builder.sheets:
        raise FormatError.of(
            "annotations of tasks",
            f"none ({_counted(passed_over)})" if passed_over else "none",
            "export finished tasks as JSON",
            where=file.where,
            code="no-annotations",
        )
    if passed_over:
        builder.note("passed-over", "regions on a continuum", _counted(passed_over), "left out")
    return builder.record(category="label", called={"annotator": "completed_by", "document": "tasks"})


def _counted(passed_over: Counter[str]) -> str:
    return ", ".join(f"{count} {what}" for what, count in sorted(passed_over.items()))


def _tasks(text: str, where: str) -> Iterator[Any]:
    """The tasks: a list, one task, or a task a line."""
    start = text.lstrip()
    if start.startswith("{") and "\n{" in start.rstrip():
        yield from (task for _, task in parsed_lines(text, where, _WHAT))
        return
    value = parsed(text, where, _WHAT)
    if isinstance(value, dict):
        yield value
    elif isinstance(value, list):
        yield from value
    else:
        raise malformed(where, _WHAT, "neither a list of tasks nor a task")


def _full(task: dict[str, Any]) -> dict[str, Any]:
    """A row of the minimal export (JSON_MIN) as a task: there a row is one annotation, controls beside the data."""
    if "annotations" in task or "completions" in task or "annotation_id" not in task:
        return task
    results: list[dict[str, Any]] = []
    data: dict[str, Any] = {}
    for name, value in task.items():
        if isinstance(value, list) and value and all(isinstance(item, dict) and "start" in item for item in value):
            results += [{"id": f"{name} {i}", "from_name": name, "value": item} for i, item in enumerate(value)]
        elif name not in _MINIMAL:
            data[name] = value
    annotation = {"id": task["annotation_id"], "completed_by": task.get("annotator"), "result": results}
    return {"id": task.get("id"), "data": data, "annotations": [annotation]}


def _document(task: Mapping[str, Any], data: Mapping[str, Any], number: int) -> str:
    for name in _NAMES:
        if found := get(data, name, str):
            return str(found)
    return word(get(task, "id", (int, str))) or str(number)


def _annotator(annotation: Mapping[str, Any]) -> str | None:
    """completed_by is a number, or an object with the user's address."""
    who = annotation.get("completed_by")
    if isinstance(who, dict):
        return get(who, "email", str) or get(who, "username", str) or word(who.get("id"))
    return word(who)


def _annotation(
    builder: RecordBuilder,
    annotation: Mapping[str, Any],
    data: Mapping[str, Any],
    document: str,
    where: str,
    passed_over: Counter[str],
) -> None:
    results = annotation.get("result")
    if not isinstance(results, list):
        raise malformed(where, _WHAT, "an annotation without a list of results")
    fields = {
        key: value
        for key, value in ((name, word(annotation.get(name))) for name in ("id", "created_username", "unique_id"))
        if value
    }
    fields |= {f"data.{key}": value for key, value in ((k, word(v)) for k, v in data.items()) if value}
    common = {"document": document, "annotator": _annotator(annotation), "fields": fields, "where": where}
    regions: dict[str, list[Mapping[str, Any]]] = {}
    for i, result in enumerate(results):
        if not isinstance(result, dict):
            raise malformed(where, _WHAT, "a result that is no object")
        regions.setdefault(word(result.get("id")) or f"#{i}", []).append(result)
    layers: dict[str, int] = {}
    texts: dict[str, str | None] = {}
    for parts in regions.values():
        placed = [(part, bounds) for part in parts if (bounds := _bounds(part, data)) is not None]
        if not placed:
            for part in parts:
                passed_over[f"{word(part.get('type')) or 'unknown'} without a position on a continuum"] += 1
            continue
        # A region with labels goes first; a choice or a rating for the same region comes with it.
        main, bounds = placed[0] if len(placed) == 1 else next((p for p in placed if _labels(p[0])), placed[0])
        layer = word(main.get("from_name")) or ""
        if layer not in layers:
            texts[layer] = _text(main, data)
            layers[layer] = builder.sheet(layer=layer, text=texts[layer], **common)
        value = get(main, "value", dict) or {}
        features: dict[str, str | None] = {"label": _labels(main)}
        for part in parts:
            if part is not main and (name := word(part.get("from_name"))):
                features[name] = _other(part)
        builder.unit(
            layers[layer],
            *bounds,
            features,
            f"{where} region {word(main.get('id')) or '?'}",
            covered=get(value, "text", str) if texts[layer] is not None else None,
        )
    # Without a layer: whoever was here has seen the document, whatever layer is asked for.
    builder.sheet(text=next(iter(texts.values()), None) or _whole_text(data), **common)


def _bounds(result: Mapping[str, Any], data: Mapping[str, Any]) -> tuple[Any, Any] | None:
    """Start and end of a region on its continuum, None where it has none."""
    value = get(result, "value", dict)
    if value is None:
        return None
    offsets = get(value, "globalOffsets", dict)
    if offsets is not None:
        return offsets.get("start"), offsets.get("end")
    if "start" not in value or "end" not in value:
        ranges = get(value, "ranges", list)  # video timelines: frames, counted from 1, the last one included
        if ranges and len(ranges) == 1 and isinstance(ranges[0], dict):
            start, end = ranges[0].get("start"), ranges[0].get("end")
            if isinstance(start, int) and isinstance(end, int):
                return start - 1, end
        return None
    if word(result.get("type")) == "paragraphlabels" or "startOffset" in value:
        return _on_paragraphs(value, data)
    return value["start"], value["end"]


def _on_paragraphs(value: Mapping[str, Any], data: Mapping[str, Any]) -> tuple[Any, Any] | None:
    """Paragraphs are told by number and offset: positions on their texts, joined by line ends."""
    lines = _paragraphs(data)
    try:
        first, last = int(value["start"]), int(value["end"])
        start, end = int(value["startOffset"]), int(value["endOffset"])
        if lines is None or not 0 <= first <= last < len(lines):
            return None
    except (KeyError, TypeError, ValueError):
        return None
    return sum(len(line) + 1 for line in lines[:first]) + start, sum(len(line) + 1 for line in lines[:last]) + end


def _paragraphs(data: Mapping[str, Any]) -> list[str] | None:
    for value in data.values():
        if isinstance(value, list) and value and all(isinstance(item, dict) for item in value):
            texts = [get(item, "text", str) for item in value]
            if all(text is not None for text in texts):
                return [str(text) for text in texts]
    return None


def _text(result: Mapping[str, Any], data: Mapping[str, Any]) -> str | None:
    """The text a region stands on; none for sound, video and hypertext, whose text is not the stored one."""
    kind = word(result.get("type")) or ""
    value = get(result, "value", dict) or {}
    if "startOffset" in value:
        lines = _paragraphs(data)
        return None if lines is None or kind == "hypertextlabels" else "\n".join(lines)
    if "channel" in value or kind in ("hypertextlabels", "timeserieslabels", "timelinelabels"):
        return None
    if "text" in value:
        return _whole_text(data)
    # Without its text, a region may stand on sound as well: whole positions on a field called text do not.
    counts = isinstance(value.get("start"), int) and isinstance(value.get("end"), int)
    return _whole_text(data) if counts and any(isinstance(data.get(name), str) for name in _TEXTS) else None


def _whole_text(data: Mapping[str, Any]) -> str | None:
    names = [*_TEXTS, *(name for name in data if name not in _TEXTS)]
    texts = [data[name] for name in names if isinstance(data.get(name), str)]
    known = [data[name] for name in _TEXTS if isinstance(data.get(name), str)]
    if known:
        return str(known[0])
    prose = [text for text in texts if not text.startswith(("http://", "https://", "/", "s3://", "gs://"))]
    return prose[0] if len(prose) == 1 else None


def _labels(result: Mapping[str, Any]) -> str | None:
    """The labels of a region: the one list in its value, `A|B` if several."""
    value = get(result, "value", dict) or {}
    kind = word(result.get("type")) or ""
    if kind in value:
        return words(value[kind])
    return next((words(v) for k, v in value.items() if k.endswith("labels") and isinstance(v, list)), None)


def _other(result: Mapping[str, Any]) -> str | None:
    """What a per-region control says: choices, a rating, a text."""
    value = get(result, "value", dict) or {}
    return next((words(v) for k, v in value.items() if k not in _NO_LABELS or k == result.get("type")), None) or words(
        value.get("text")
    )
