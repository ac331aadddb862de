# SPDX-License-Identifier: MIT
"""JAMS, annotations of music (JSON; Humphrey et al. 2014); positions in seconds.

Every observation is a unit from `time` to `time + duration`, added as decimals; its `value` is the category. In some
namespaces the value is an object: then `label` (or its only text) is the category and the rest are features. The
namespace is the layer, `annotation_metadata.annotator.name` the annotator. The duration of the file is the extent,
unless units end after it. `data` may be a list of observations, or lists by name (the dense arrays of JAMS 0.3).

The file is read as plain JSON: the library jams depends on signal processing and refuses files of other versions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from unisono.io.files.encoding import decode
from unisono.io.files.jsontree import get, malformed, parse_json, word, words
from unisono.io.files.opening import File
from unisono.io.formats.exact_times import exact_sum
from unisono.io.options import Settings
from unisono.io.record import Record, RecordBuilder
from unisono.model import Extent

_WHAT = "JAMS"


def read(file: File, settings: Settings) -> Record:
    """The observations of all annotations."""
    root = parse_json(decode(file.data(), file.where, settings.encoding), file.where, _WHAT)
    annotations = get(root, "annotations", list)
    if annotations is None:
        raise malformed(file.where, _WHAT, "it has no list of annotations")
    about = get(root, "file_metadata", dict) or {}
    duration = get(about, "duration", (int, float))
    observations = [list(_observations(annotation)) for annotation in annotations]
    ends = [end for group in observations for _, end, _ in group if isinstance(end, int | float)]
    extent = None
    if duration is not None and 0 < duration < 1e15 and max(ends, default=0) <= duration:
        extent = Extent(0, duration, "duration")
    builder = RecordBuilder(file, "JAMS", time_unit="s")
    fields = {name: value for name in ("title", "artist", "release") if (value := get(about, name, str))}
    for number, (annotation, group) in enumerate(zip(annotations, observations, strict=True), start=1):
        where = f"{file.where} annotation {number}"
        namespace = get(annotation, "namespace", str)
        if namespace is None:
            builder.fault("malformed", where, "the annotation has no namespace", "Correct the file.")
            continue
        metadata = get(annotation, "annotation_metadata", dict) or {}
        person = get(metadata, "annotator", dict) or {}
        sheet = builder.sheet(
            annotator=next((n for key in ("name", "email", "id") if (n := word(person.get(key)))), None),
            layer=namespace,
            extent=extent,
            fields=fields | {"annotation": str(number)} | _metadata_fields(metadata),
            where=where,
        )
        for place, (start, end, features) in enumerate(group, start=1):
            builder.unit(sheet, start, end, features, f"{where} observation {place}")
    return builder.record(category="value", called={"annotator": "annotation_metadata", "category": "values"})


def _metadata_fields(metadata: Mapping[str, Any]) -> dict[str, str]:
    names = ("corpus", "version", "annotation_tools", "annotation_rules", "data_source")
    fields = {name: value for name in names if (value := word(metadata.get(name)))}
    curator = get(get(metadata, "curator", dict), "name", str)
    return fields | ({"curator": curator} if curator else {})


def _observations(annotation: Any) -> Iterator[tuple[Any, Any, dict[str, str | None]]]:
    data = annotation.get("data") if isinstance(annotation, dict) else None
    if isinstance(data, dict):
        columns = [get(data, name, list) or [] for name in ("time", "duration", "value", "confidence")]
        longest = max(map(len, columns))
        rows = zip(*(column + [None] * (longest - len(column)) for column in columns), strict=True)
    elif isinstance(data, list):
        names = ("time", "duration", "value", "confidence")
        rows = ((item.get(n) for n in names) if isinstance(item, dict) else (None,) * 4 for item in data)  # type: ignore[assignment]
    else:
        return
    for time, duration, value, confidence in rows:
        yield time, exact_sum(time, 0 if duration is None else duration), _features(value, confidence)


def _features(value: Any, confidence: Any) -> dict[str, str | None]:
    if not isinstance(value, dict):
        return {"value": words(value), "confidence": word(confidence)}
    texts = [name for name, item in value.items() if isinstance(item, str)]
    label = "label" if "label" in value else texts[0] if len(texts) == 1 else None
    others = {name: words(item) for name, item in value.items() if name not in (label, "value", "confidence")}
    return {"value": words(value[label]) if label else None, **others, "confidence": word(confidence)}
