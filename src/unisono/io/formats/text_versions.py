# SPDX-License-Identifier: MIT
"""JSON of annotators' versions of a text, one of them or all.

One version: `{"text": "so so", "units": [{"start": 0, "end": 2, "type": "token", "features": {"pos": "ADV"}}, ...]}`.
All of them: `{"name": "...", "annotators": {"ann": VERSION, ...}, "base": VERSION}`.
Type, features, name and base are optional.
"""

from __future__ import annotations

from typing import Any

from unisono.errors import FormatError, InputError
from unisono.io.files.encoding import decode
from unisono.io.files.jsontree import parse_json
from unisono.io.files.opening import File
from unisono.io.options import Settings
from unisono.io.record import Record, RecordBuilder
from unisono.io.wording import short
from unisono.model import CATEGORY
from unisono.model.versions import TOKEN, TYPE, TextUnit, TextVersions, Version

_WHAT = "JSON of versions of a text"


def read(file: File, settings: Settings) -> Record:
    """The units of the version, or of those of all annotators."""
    data = parse_json(decode(file.data(), file.where, settings.encoding), file.where, _WHAT)
    if not isinstance(data, dict) or not ("text" in data or "annotators" in data):
        raise _refusal('this is not an object with "text" and "units", or with "annotators"', file.where)
    builder = RecordBuilder(file, _WHAT)
    bases = {}
    if "annotators" not in data:
        _add_version(builder, data, file.where)
    else:
        annotators, name = data["annotators"], str(data.get("name") or "")
        if not isinstance(annotators, dict):
            raise _refusal(f'"annotators" is {short(repr(annotators))}, not an object', file.where)
        for annotator, version in annotators.items():
            _add_version(builder, version, f"{file.where}: {annotator}", annotator=annotator, document=name or None)
        if data.get("base") is not None:
            bases[name] = _version(data["base"], f"{file.where}: base")
    return builder.record(category=CATEGORY, is_version=True, bases=bases)


def as_dict(versions: TextVersions) -> dict[str, Any]:
    """Versions as the object that this format reads."""
    data: dict[str, Any] = {
        "name": versions.name,
        "annotators": {name: version_as_dict(versions[name]) for name in versions.annotators},
    }
    if versions.base is not None:
        data["base"] = version_as_dict(versions.base)
    return data


def version_as_dict(version: Version) -> dict[str, Any]:
    """One version as the object that this format reads."""
    units = []
    for unit in version:
        labels = {name: label for name, label in unit.features.items() if label is not None}
        units.append({"start": unit.start, "end": unit.end, "type": unit.type, "features": labels})
    return {"text": version.text, "units": units}


def version_from_dict(data: Any, where: str) -> Version:
    """The version that `version_as_dict` wrote; a FormatError for anything else."""
    return _version(data, where)


def _add_version(builder: RecordBuilder, data: Any, where: str, **names: str | None) -> None:
    text, units = _parts(data, where)
    sheet = builder.sheet(text=text, where=where, **names)
    for number, item in enumerate(units, start=1):
        unit = _unit(item)
        place = f"{where}, unit {number}"
        if unit is None:
            builder.fault("text-json", place, *_bad_unit(item))
        elif not 0 <= unit.start <= unit.end <= len(text):
            message = f"the unit {unit.start}-{unit.end} is not inside the text, which has {len(text):,} characters"
            builder.fault("outside-text", place, message, "Is it the right text?")
        else:
            kind = {TYPE: unit.type} if unit.type != TOKEN else {}
            builder.unit(sheet, unit.start, unit.end, {**unit.features, **kind}, place)


def _version(data: Any, where: str) -> Version:
    text, items = _parts(data, where)
    units = []
    for number, item in enumerate(items, start=1):
        unit = _unit(item)
        if unit is None:
            message, remedy = _bad_unit(item)
            raise FormatError.of(message, remedy, where=f"{where}, unit {number}", code="text-json")
        units.append(unit)
    return Version.of(text, units, where=where)


def _parts(data: Any, where: str) -> tuple[str, list[Any]]:
    if not isinstance(data, dict) or not isinstance(data.get("text"), str) or not isinstance(data.get("units"), list):
        message = f"the version is {short(repr(data))}, not an object with a text and units"
        raise _refusal(message, where, 'Give an object with "text" and a list "units".')
    return data["text"], data["units"]


def _bad_unit(item: Any) -> tuple[str, str]:
    remedy = 'Write it like {"start": 0, "end": 2, "type": "token", "features": {"pos": "ADV"}}.'
    return f"{short(repr(item))} is not a unit", remedy


def _refusal(message: str, where: str, remedy: str = "docs/formats.md describes the format.") -> InputError:
    return FormatError.of(message, remedy, where=where, code="text-json")


def _unit(item: Any) -> TextUnit | None:
    if not isinstance(item, dict):
        return None
    start, end, kind, labels = item.get("start"), item.get("end"), item.get("type", TOKEN), item.get("features", {})
    if not isinstance(start, int) or not isinstance(end, int) or isinstance(start, bool) or isinstance(end, bool):
        return None
    if not isinstance(kind, str) or not isinstance(labels, dict):
        return None
    if not all(label is None or isinstance(label, str) for label in labels.values()):
        return None
    return TextUnit(start, end, kind, labels)
