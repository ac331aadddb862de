# SPDX-License-Identifier: MIT
"""Label Studio's JSON export: a list of tasks with the annotations of every annotator.

An annotation is the work of one annotator on one task. Its regions with a start and an end are units: on text
(`labels`, `hypertextlabels` by their global offsets), audio and video (in seconds), time series, and paragraphs (as
positions on the joined text of the paragraphs). The control's name (`from_name`) is the layer. Choices, ratings and
texts for a region become features under the name of their control. Regions of images and choices for whole tasks have
no position on a continuum; they are counted and left out, as are cancelled annotations. Predictions come from models;
they are read with `predictions`, each as the work of an annotator named after its `model_version`. The minimal export
(JSON_MIN), where a row is one annotation, is read as well.

Positions on texts are characters in recent exports and UTF-16 units in older ones (2021 and before); the stored text of
the regions shows which.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate
from typing import Any

from unisono.io.files.encoding import decode
from unisono.io.files.jsontree import get, malformed, parse_json, parse_json_lines, word, words
from unisono.io.files.lines import split_lines
from unisono.io.files.opening import File
from unisono.io.formats.json_spans import UNNAMED_MODEL, finish, note_predictions
from unisono.io.formats.offsets import code_point_converter, same_text
from unisono.io.options import Settings
from unisono.io.record import Record, RecordBuilder

_WHAT = "Label Studio"
#: Names of data fields that name the document, the likeliest first.
_NAMES = ("document", "document_id", "doc_id", "file_name", "filename", "name", "title")
#: Names of data fields that hold the text, if the region does not say which.
_TEXTS = ("text", "dialogue", "content", "body")
#: Members of the minimal export that describe the annotation; all others are data.
_MINIMAL = {"id", "annotator", "annotation_id", "created_at", "updated_at", "lead_time"}
#: Members of a region's value that are not labels.
_NO_LABELS = {"start", "end", "text", "startOffset", "endOffset", "globalOffsets", "channel", "instant"}


def read(file: File, settings: Settings) -> Record:
    """The units of all tasks in an export."""
    text = decode(file.data(), file.where, settings.encoding)
    builder = RecordBuilder(file, "Label Studio JSON", decimal_unit="s")
    left_out: Counter[str] = Counter()
    models: Counter[str] = Counter()
    for number, task in enumerate(_tasks(text, file.where), start=1):
        where = f"{file.where} task {word(get(task, 'id', (int, str))) or number}"
        if not isinstance(task, dict):
            raise malformed(where, _WHAT, "the task is not an object")
        task = _expand_minimal(task)
        annotations = task.get("annotations", task.get("completions"))
        predictions = _predictions(task, where)
        if annotations is None and not predictions:
            continue
        annotations = [] if annotations is None else annotations
        if not isinstance(annotations, list):
            raise malformed(where, _WHAT, "the annotations are not a list")
        data = _Data(get(task, "data", dict) or {})
        document = _document(task, data, number)
        for annotation in annotations:
            if not isinstance(annotation, dict):
                raise malformed(where, _WHAT, "an annotation is not an object")
            if annotation.get("was_cancelled") is True:
                left_out["cancelled annotation(s)"] += 1
                continue
            _add_annotation(builder, annotation, data, document, where, left_out)
        for prediction in predictions:
            model = word(prediction.get("model_version")) or UNNAMED_MODEL
            if settings.predictions:
                _add_annotation(builder, {**prediction, "completed_by": model}, data, document, where, left_out)
            elif any(isinstance(part, dict) and _bounds(part, data) is not None for part in prediction["result"]):
                models[model] += 1
    note_predictions(builder, models)
    return finish(
        builder,
        left_out,
        "Export finished tasks as JSON.",
        called={"annotator": "completed_by", "document": "tasks"},
        reads="regions on a continuum",
        n_predictions=models.total(),
    )


@dataclass(frozen=True, slots=True)
class _Paragraphs:
    """The paragraphs of a task, and where each begins in their text, joined by line ends."""

    paragraphs: Sequence[str]
    text: str
    starts: Sequence[int]
    #: The results of `code_point_converter`, by the number of the paragraph.
    _converters: dict[int, Callable[[int], int]] = field(default_factory=dict)

    def position(self, number: int, utf16: int) -> int:
        """Where an offset in UTF-16 units, counted from the beginning of a paragraph, is in the joined text."""
        if number not in self._converters:
            self._converters[number] = code_point_converter(self.paragraphs[number])
        return self.starts[number] + self._converters[number](utf16)


class _Data(dict[str, Any]):
    """The data of a task."""

    @cached_property
    def paragraphs(self) -> _Paragraphs | None:
        """The first list of objects with a text; cached, because it may be long and every region needs it."""
        for value in self.values():
            if isinstance(value, list) and value and all(isinstance(item, dict) for item in value):
                texts = [get(item, "text", str) for item in value]
                if all(text is not None for text in texts):
                    starts = accumulate((len(text) + 1 for text in texts[:-1]), initial=0)
                    return _Paragraphs(texts, "\n".join(texts), [*starts])
        return None


def _tasks(text: str, where: str) -> Iterator[Any]:
    """The tasks: a list, a single task, or one task per line."""
    start = text.lstrip()
    if start.startswith("{") and any(line.startswith("{") for line in split_lines(start)[1:]):
        yield from (task for _, task in parse_json_lines(text, where, _WHAT))
        return
    value = parse_json(text, where, _WHAT)
    if isinstance(value, dict):
        yield value
    elif isinstance(value, list):
        yield from value
    else:
        raise malformed(where, _WHAT, "it is neither a list of tasks nor a task")


def _predictions(task: Mapping[str, Any], where: str) -> list[dict[str, Any]]:
    """The predictions of a task that have results."""
    predictions = task.get("predictions")
    if not isinstance(predictions, list):
        return []
    for prediction in predictions:
        # Some exports list only the numbers of predictions.
        if isinstance(prediction, dict) and not isinstance(prediction.get("result", []), list):
            raise malformed(where, _WHAT, "a prediction has no list of results")
    return [each for each in predictions if isinstance(each, dict) and isinstance(each.get("result"), list)]


def _expand_minimal(task: dict[str, Any]) -> dict[str, Any]:
    """A row of the minimal export (JSON_MIN), which is one annotation with its controls beside the data, as a task."""
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
        if value := get(data, name, str):
            return str(value)
    return word(get(task, "id", (int, str))) or str(number)


def _annotator(annotation: Mapping[str, Any]) -> str | None:
    """The annotator: `completed_by` is a number, or an object with the user's address."""
    who = annotation.get("completed_by")
    if isinstance(who, dict):
        return get(who, "email", str) or get(who, "username", str) or word(who.get("id"))
    return word(who)


def _add_annotation(
    builder: RecordBuilder,
    annotation: Mapping[str, Any],
    data: _Data,
    document: str,
    where: str,
    left_out: Counter[str],
) -> None:
    """Add the units of one annotation, and note that its annotator has seen the document."""
    results = annotation.get("result")
    if not isinstance(results, list):
        raise malformed(where, _WHAT, "an annotation has no list of results")
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
            raise malformed(where, _WHAT, "a result is not an object")
        regions.setdefault(word(result.get("id")) or f"#{i}", []).append(result)
    layers: dict[str, int] = {}
    texts: dict[str, str | None] = {}
    for parts in regions.values():
        placed = [(part, bounds) for part in parts if (bounds := _bounds(part, data)) is not None]
        if not placed:
            for part in parts:
                left_out[f"result(s) of type {word(part.get('type')) or 'unknown'} without a position"] += 1
            continue
        # The unit is the part with labels; choices and ratings for the same region become its features.
        main, bounds = placed[0] if len(placed) == 1 else next((p for p in placed if _labels(p[0])), placed[0])
        layer = word(main.get("from_name")) or ""
        if layer not in layers:
            texts[layer] = _text(main, data)
            layers[layer] = builder.sheet(layer=layer, text=texts[layer], **common)
        value = get(main, "value", dict) or {}
        features: dict[str, str | None] = {"label": _labels(main)}
        for part in parts:
            if part is not main and (name := word(part.get("from_name"))):
                features[name] = _value_of_control(part)
        builder.unit(
            layers[layer],
            *bounds,
            features,
            f"{where} region {word(main.get('id')) or '?'}",
            covered=get(value, "text", str) if texts[layer] is not None else None,
        )
    # A sheet without a layer: the annotator has seen the document, whichever layer is read.
    builder.sheet(text=next(iter(texts.values()), None) or _whole_text(data), **common)


def _bounds(result: Mapping[str, Any], data: _Data) -> tuple[Any, Any] | None:
    """Start and end of a region on its continuum; None if it has no position there."""
    value = get(result, "value", dict)
    if value is None:
        return None
    offsets = get(value, "globalOffsets", dict)
    if offsets is not None:
        return offsets.get("start"), offsets.get("end")
    if "start" not in value or "end" not in value:
        ranges = get(value, "ranges", list)  # video timelines: frames from 1, both ends included
        if ranges and len(ranges) == 1 and isinstance(ranges[0], dict):
            start, end = ranges[0].get("start"), ranges[0].get("end")
            if isinstance(start, int) and isinstance(end, int):
                return start - 1, end
        return None
    if word(result.get("type")) == "paragraphlabels" or "startOffset" in value:
        return _bounds_on_paragraphs(value, data.paragraphs)
    return value["start"], value["end"]


def _bounds_on_paragraphs(value: Mapping[str, Any], paragraphs: _Paragraphs | None) -> tuple[Any, Any] | None:
    """Bounds given as numbers of paragraphs and offsets, as positions on the paragraphs joined by line ends.

    Label Studio counts UTF-16 units from the beginning of the paragraph, in all versions; units made by other programs
    may count characters, as their stored texts show.
    """
    try:
        first, last = int(value["start"]), int(value["end"])
        start, end = int(value["startOffset"]), int(value["endOffset"])
    except (KeyError, TypeError, ValueError, OverflowError):
        return None
    if paragraphs is None or not 0 <= first <= last < len(paragraphs.starts):
        return None
    counted = paragraphs.position(first, start), paragraphs.position(last, end)
    stored = get(value, "text", str)
    if stored is not None and not same_text(paragraphs.text[slice(*counted)], stored):
        plain = paragraphs.starts[first] + start, paragraphs.starts[last] + end
        return plain if same_text(paragraphs.text[slice(*plain)], stored) else counted
    return counted


def _text(result: Mapping[str, Any], data: _Data) -> str | None:
    """The text a region is on; none for sound and video, nor for hypertext, whose positions skip the markup."""
    kind = word(result.get("type")) or ""
    value = get(result, "value", dict) or {}
    if "startOffset" in value:
        return None if data.paragraphs is None or kind == "hypertextlabels" else data.paragraphs.text
    if "channel" in value or kind in ("hypertextlabels", "timeserieslabels", "timelinelabels"):
        return None
    if "text" in value:
        return _whole_text(data)
    # A region that does not store its text may be on sound; whole numbers and a field with a text speak for text.
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
    """The labels of a region: the list in its value, as `A|B` if there are several."""
    value = get(result, "value", dict) or {}
    kind = word(result.get("type")) or ""
    if kind in value:
        return words(value[kind])
    return next((words(v) for k, v in value.items() if k.endswith("labels") and isinstance(v, list)), None)


def _value_of_control(result: Mapping[str, Any]) -> str | None:
    """What another control says about a region: choices, a rating, a text."""
    value = get(result, "value", dict) or {}
    return next((words(v) for k, v in value.items() if k not in _NO_LABELS or k == result.get("type")), None) or words(
        value.get("text")
    )
