# SPDX-License-Identifier: MIT
"""Projects of the VGG Image Annotator, version 3 (sound and video); positions in seconds.

A temporal segment is a unit: its two times, and its attributes as features, options by their names. The category is
the first attribute that belongs to temporal segments. A moment (one time and no region) is a unit without length;
regions in a frame or an image have no place on a continuum. A file of the project is a document, seen even if nothing
is marked.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from unisono.io.encoding import decode
from unisono.io.files import File
from unisono.io.jsontree import get, malformed, parsed, word
from unisono.io.record import Record, RecordBuilder
from unisono.io.settings import Settings
from unisono.io.validation import counted

_WHAT = "VIA 3"


def read(file: File, settings: Settings) -> Record:
    """The temporal segments of a project."""
    root = parsed(decode(file.data(), file.where, settings.encoding), file.where, _WHAT)
    metadata, views = get(root, "metadata", dict), get(root, "view", dict)
    if metadata is None or views is None:
        raise malformed(file.where, _WHAT, "no metadata and views", "save the project in VIA 3")
    attributes = _attributes(get(root, "attribute", dict) or {})
    names = _documents(views, get(root, "file", dict) or {})
    builder = RecordBuilder(file, "VIA 3")
    sheets = {view: builder.sheet(document=name) for view, name in names.items()}
    n_regions = 0
    for key, entry in metadata.items():
        where = f"{file.where} metadata {key}"
        times, view = get(entry, "z", list), word(entry.get("vid")) if isinstance(entry, dict) else None
        if times is None or view not in sheets:
            builder.fault("malformed", where, "a file of the project and times", "one without", "correct the file")
        elif not times or (len(times) == 1 and entry.get("xy")):
            n_regions += 1
        elif len(times) > 2:
            builder.fault("malformed", where, "a segment with two times", f"{len(times)}", "correct the file")
        else:
            values = get(entry, "av", dict) or {}
            features = {attributes[k][0]: _value(v, attributes[k][1]) for k, v in values.items() if k in attributes}
            builder.unit(sheets[view], times[0], times[-1], features, where)
    if n_regions:
        builder.note(
            "passed-over", "temporal segments", f"{counted(n_regions, 'region')} in frames or images", "left out"
        )
    if not sheets:
        builder.note("no-annotations", "files in the project", "none", "is it the right project?", severity="warning")
    category = next((name for name, _ in attributes.values()), None)
    called = {"document": "the project's files"} | ({} if category is None else {"category": f"attribute {category}"})
    return builder.record(category=category, called=called)


def _attributes(attributes: Mapping[str, Any]) -> dict[str, tuple[str, Mapping[str, Any]]]:
    """Names and options of the attributes, those of temporal segments first; two of one name are told apart."""
    ordered = sorted(attributes.items(), key=lambda item: "Z2" not in (get(item[1], "anchor_id", str) or ""))
    found: dict[str, tuple[str, Mapping[str, Any]]] = {}
    taken: set[str] = set()
    for key, attribute in ordered:
        name = get(attribute, "aname", str) or key
        name = f"{name}_{key}" if name in taken else name
        taken.add(name)
        found[key] = name, get(attribute, "options", dict) or {}
    return found


def _value(value: Any, options: Mapping[str, Any]) -> str | None:
    """What was chosen: the names of options, `A|B` if several are ticked; the text itself where there are none."""
    text = word(value)
    if text is None or not options:
        return text
    return "|".join(word(options.get(key, key)) or key for key in text.split(",") if key)


def _documents(views: Mapping[str, Any], files: Mapping[str, Any]) -> dict[str, str]:
    """The names of what each view shows: its files, joined if several are shown side by side."""
    names = {}
    for view, entry in views.items():
        shown = [files.get(key) for key in map(word, get(entry, "fid_list", list) or []) if key]
        named = [name.rpartition("/")[2] for item in shown if (name := get(item, "fname", str))]
        names[view] = "+".join(named) or view
    return names
