# SPDX-License-Identifier: MIT
"""Our own JSON form of versions of a text, read and written.

One version: `{"text": "so so", "units": [{"start": 0, "end": 2, "type": "token", "features": {"pos": "ADV"}}, ...]}`.
All of them: `{"name": "...", "annotators": {"ann": VERSION, ...}, "base": VERSION}`.
Type, features and base are optional.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from unisono.errors import FormatError, Problem
from unisono.text.versions import TOKEN, TextUnit, TextVersions, Version


def json_versions(text: str, where: str, *, features: Sequence[str] | None = None) -> Version | TextVersions:
    """One version, or all of them, from JSON; every fault is listed."""
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        raise FormatError.of("JSON", error.msg, where=f"{where}:{error.lineno}", code="text-json") from None
    if not isinstance(data, dict) or not ("text" in data or "annotators" in data):
        raise FormatError.of(
            'an object with "text" and "units", or with "annotators"',
            type(data).__name__,
            where=where,
            code="text-json",
        )
    if "annotators" not in data:
        return _version(data, where, features)
    annotators = data["annotators"]
    if not isinstance(annotators, dict):
        raise FormatError.of(
            '"annotators": an object, a version for each name', repr(annotators)[:60], where=where, code="text-json"
        )
    versions = {str(name): _version(item, f"{where}: {name}", features) for name, item in annotators.items()}
    base = data.get("base")
    return TextVersions.of(
        versions,
        base=None if base is None else _version(base, f"{where}: base", features),
        name=str(data.get("name", "")),
    )


def as_dict(versions: TextVersions) -> dict[str, Any]:
    """Versions as the object that `json_versions` reads."""
    data: dict[str, Any] = {
        "name": versions.name,
        "annotators": {name: _as_dict(versions[name]) for name in versions.annotators},
    }
    if versions.base is not None:
        data["base"] = _as_dict(versions.base)
    return data


def _as_dict(version: Version) -> dict[str, Any]:
    units = []
    for index in range(len(version)):
        unit = version[index]
        labels = {name: label for name, label in unit.features.items() if label is not None}
        units.append({"start": unit.start, "end": unit.end, "type": unit.type, "features": labels})
    return {"text": version.text, "units": units}


def _version(data: Any, where: str, features: Sequence[str] | None) -> Version:
    if not isinstance(data, dict) or not isinstance(data.get("text"), str) or not isinstance(data.get("units"), list):
        raise FormatError.of('an object with "text" and a list "units"', repr(data)[:60], where=where, code="text-json")
    units = []
    problems = []
    for number, item in enumerate(data["units"], start=1):
        unit = _unit(item, features)
        if unit is None:
            expected = 'a unit: {"start": 0, "end": 2, "type": "token", "features": {"pos": "ADV"}}'
            problems.append(Problem("text-json", "error", f"{where}, unit {number}", expected, repr(item)[:80]))
        else:
            units.append(unit)
    if problems:
        raise FormatError(problems)
    return Version.of(data["text"], units, where=where)


def _unit(item: Any, features: Sequence[str] | None) -> TextUnit | None:
    if not isinstance(item, dict):
        return None
    start, end, kind, labels = item.get("start"), item.get("end"), item.get("type", TOKEN), item.get("features", {})
    if not isinstance(start, int) or not isinstance(end, int) or isinstance(start, bool) or isinstance(end, bool):
        return None
    if not isinstance(kind, str) or not isinstance(labels, dict):
        return None
    if not all(label is None or isinstance(label, str) for label in labels.values()):
        return None
    kept = {name: label for name, label in labels.items() if features is None or name in features}
    return TextUnit(start, end, kind, kept)
