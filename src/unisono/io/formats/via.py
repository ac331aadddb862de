# SPDX-License-Identifier: MIT
"""Projects of the VGG Image Annotator, version 3 (sound and video); positions in seconds.

A temporal segment is a unit from its first to its second time; its attributes are features, with the names of their
options as values. The category is the first attribute of temporal segments. A moment (one time and no region) is a unit
without length. Regions in a frame or an image have no position on a continuum; they are counted and left out. Every
file of the project is a document that the annotator has seen, even if nothing is marked in it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from unisono.io.files.encoding import decode
from unisono.io.files.jsontree import get, malformed, parse_json, word
from unisono.io.files.opening import File
from unisono.io.formats.json_spans import note_left_out
from unisono.io.options import Settings
from unisono.io.record import Record, RecordBuilder

_WHAT = "VIA 3"


def read(file: File, settings: Settings) -> Record:
    """The temporal segments of a project."""
    root = parse_json(decode(file.data(), file.where, settings.encoding), file.where, _WHAT)
    metadata, views = get(root, "metadata", dict), get(root, "view", dict)
    if metadata is None or views is None:
        raise malformed(file.where, _WHAT, "it has no metadata or no views", "Save the project in VIA 3.")
    attributes = _attributes(get(root, "attribute", dict) or {})
    names = _documents(views, get(root, "file", dict) or {})
    builder = RecordBuilder(file, "VIA 3", time_unit="s")
    sheets = {view: builder.sheet(document=name) for view, name in names.items()}
    n_regions = 0
    for key, entry in metadata.items():
        where = f"{file.where} metadata {key}"
        times, view = get(entry, "z", list), word(entry.get("vid")) if isinstance(entry, dict) else None
        if times is None or view not in sheets:
            message = "the entry has no times" if times is None else "the entry belongs to no view of the project"
            builder.fault("malformed", where, message, "Correct the file, or save it again in VIA 3.")
        elif not times or (len(times) == 1 and entry.get("xy")):
            n_regions += 1
        elif len(times) > 2:
            message = f"the segment has {len(times)} times instead of two"
            builder.fault("malformed", where, message, "Correct the file, or save it again in VIA 3.")
        else:
            values = get(entry, "av", dict) or {}
            features = {attributes[k][0]: _value(v, attributes[k][1]) for k, v in values.items() if k in attributes}
            builder.unit(sheets[view], times[0], times[-1], features, where)
    if n_regions:
        note_left_out(builder, Counter({"region(s) in frames or images": n_regions}), "temporal segments")
    if not sheets:
        message = "there are no files in this project"
        builder.note("no-annotations", message, "Is it the right project?", severity="warning")
    category = next((name for name, _ in attributes.values()), None)
    called = {"document": "the project's files"} | ({} if category is None else {"category": f"attribute {category}"})
    return builder.record(category=category, called=called)


def _attributes(attributes: Mapping[str, Any]) -> dict[str, tuple[str, Mapping[str, Any]]]:
    """Names and options of the attributes, those of temporal segments first; a repeated name gets its key as suffix."""
    ordered = sorted(attributes.items(), key=lambda item: "Z2" not in (get(item[1], "anchor_id", str) or ""))
    named: dict[str, tuple[str, Mapping[str, Any]]] = {}
    taken: set[str] = set()
    for key, attribute in ordered:
        name = get(attribute, "aname", str) or key
        name = f"{name}_{key}" if name in taken else name
        taken.add(name)
        named[key] = name, get(attribute, "options", dict) or {}
    return named


def _value(value: Any, options: Mapping[str, Any]) -> str | None:
    """The value of an attribute: the names of the chosen options as `A|B`, or the text if there are no options."""
    text = word(value)
    if text is None or not options:
        return text
    return "|".join(word(options.get(key, key)) or key for key in text.split(",") if key)


def _documents(views: Mapping[str, Any], files: Mapping[str, Any]) -> dict[str, str]:
    """The document of each view: the name of its file, or the joined names of files shown side by side."""
    names = {}
    for view, entry in views.items():
        shown = [files.get(key) for key in map(word, get(entry, "fid_list", list) or []) if key]
        named = [name.rpartition("/")[2] for item in shown if (name := get(item, "fname", str))]
        names[view] = "+".join(named) or view
    return names
