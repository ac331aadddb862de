# SPDX-License-Identifier: MIT
"""BORIS: projects (`.boris`, JSON) and exported events (tabular or aggregated, as text); positions in seconds.

An observation is an annotator, as in BORIS's own reliability tests, and its media are the document (the observation
itself where it was live); the observation, its media and its independent variables are fields, for
`--annotator-from field:observer`. The behaviour is the category; subject, modifiers, behavioural category and comment
are features. State events are paired, start and stop of the same subject, behaviour and modifiers in turn, as BORIS
does; point events are units without length. A state that never stops is an error. An observation without events was
seen. The length of the media is the extent; the observation's time offset is added to all times.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from unisono.io.encoding import decode
from unisono.io.files import File
from unisono.io.jsontree import get, malformed, parsed, word
from unisono.io.record import Record, RecordBuilder
from unisono.io.settings import Settings
from unisono.io.table import listing, short
from unisono.io.times import decimal, summed
from unisono.model import Extent

_WHAT = "BORIS"
_CALLED = {"annotator": "observations", "document": "media files", "category": "behaviours"}
#: Columns of the exports: of aggregated events, and of tabular ones (before version 8 the kind was called Status).
AGGREGATED = ("Behavior", "Start (s)", "Stop (s)")
TABULAR = ("Time", "Behavior")
_KINDS = ("Behavior type", "Status")
_COLUMNS = {"Subject": "subject", "Behavioral category": "behavioral_category", "Modifiers": "modifiers"}


def read(file: File, settings: Settings) -> Record:
    """The events of all observations of a project or an export."""
    text = decode(file.data(), file.where, settings.encoding)
    builder = RecordBuilder(file, "BORIS")
    if text.lstrip()[:1] == "{":
        _project(builder, text)
    else:
        _export(builder, text)
    return builder.record(category="behavior", called=_CALLED)


class _States:
    """State events of one observation: a start waits here for its stop."""

    def __init__(self, builder: RecordBuilder, sheet: int):
        self._builder = builder
        self._sheet = sheet
        self._open: dict[tuple[str | None, ...], tuple[Any, dict[str, str | None], str]] = {}

    def event(self, time: Any, features: dict[str, str | None], where: str) -> None:
        key = tuple(features.get(name) for name in ("subject", "behavior", "modifiers"))
        begun = self._open.pop(key, None)
        if begun is None:
            self._open[key] = (time, features, where)
        else:
            start, first, place = begun
            self._builder.unit(self._sheet, start, time, {**features, **{k: v for k, v in first.items() if v}}, place)

    def close(self) -> None:
        for time, features, where in self._open.values():
            what = " ".join(filter(None, (features.get("subject"), features.get("behavior"))))
            self._builder.fault(
                "missing-position",
                where,
                "a stop for every state event",
                f"{what} from {word(time)} without one",
                "add it in BORIS, or leave the event out with --skip-invalid",
            )


def _project(builder: RecordBuilder, text: str) -> None:
    where = builder.file.where
    root = parsed(text, where, _WHAT)
    observations, behaviours = get(root, "observations", dict), get(root, "behaviors_conf", dict)
    if observations is None or behaviours is None:
        raise malformed(where, _WHAT, "no observations and behaviours")
    about = {code: conf for conf in behaviours.values() if (code := get(conf, "code", str))}
    unknown: set[str] = set()
    for name, observation in observations.items():
        place = f"{where} observation {name}"
        media = _media(observation)
        offset = get(observation, "time offset", (int, float)) or 0
        variables = get(observation, "independent_variables", dict) or {}
        fields = {k: v for k, item in variables.items() if (v := word(item))}
        fields |= {"observation": name} | ({"media": media} if media else {})
        length = _length(observation)
        sheet = builder.sheet(
            annotator=name,
            document=media or name,
            extent=None if length is None else Extent(offset, summed(offset, length), "duration"),
            fields=fields,
            where=place,
        )
        states = _States(builder, sheet)
        for number, event in enumerate(get(observation, "events", list) or [], start=1):
            at = f"{place} event {number}"
            cells = event if isinstance(event, list) else []
            if len(cells) < 3 or word(cells[2]) is None:
                builder.fault("malformed", at, "an event [time, subject, behaviour, ...]", short(repr(event)), "")
                continue
            behaviour = str(word(cells[2]))
            conf = about.get(behaviour)
            time = summed(cells[0], offset) if offset else cells[0]
            features = {"behavior": behaviour, "behavioral_category": get(conf, "category", str)}
            names = (("subject", 1), ("modifiers", 3), ("comment", 4))
            features |= {k: word(cells[i]) for k, i in names if i < len(cells)}
            if conf is None:
                unknown.add(behaviour)
            if "state" in (get(conf, "type", str) or "").lower():
                states.event(time, features, at)
            else:
                builder.unit(sheet, time, time, features, at)
        states.close()
    if unknown:
        found = listing(sorted(unknown), 5)
        builder.note("unknown-behavior", "behaviours of the ethogram", found, "read as points", severity="warning")


def _media(observation: Any) -> str:
    """The names of the media of the first player that has some, without folders and endings."""
    players = get(observation, "file", dict) or {}
    for player in sorted(players):
        if names := [item for item in get(players, player, list) or [] if isinstance(item, str)]:
            return "+".join(PurePosixPath(name.replace("\\", "/")).stem for name in names)
    return ""


def _length(observation: Any) -> float | int | None:
    """How long the media of the first player are, one after the other; None where that is not known of all."""
    lengths = get(get(observation, "media_info", dict), "length", dict) or {}
    players = get(observation, "file", dict) or {}
    total: Any = 0
    for player in sorted(players):
        names = get(players, player, list) or []
        for name in names:
            length = lengths.get(name) if isinstance(name, str) else None
            known = decimal(length)
            if known is None or known <= 0 or known > 10**12:
                return None
            total = summed(total, length)
        if names:
            return total if total else None
    return None


def _export(builder: RecordBuilder, text: str) -> None:
    """Events as text, parted by tabs or commas; above the columns there may be a description of the observation."""
    where = builder.file.where
    separator = "\t" if "\t" in text[:2000] else ","
    try:
        rows = list(csv.reader(io.StringIO(text), delimiter=separator))
    except csv.Error as error:
        raise malformed(where, _WHAT, f"what is no table ({error})") from None
    first, names = _header(rows)
    if first is None:
        raise malformed(where, _WHAT, "no line with the columns Behavior and Start (s), Stop (s), or Time")
    above = {row[0].strip(): row[1].strip() for row in rows[:first] if len(row) > 1 and row[0].strip()}
    sheets: dict[str | None, int] = {}
    states: dict[str | None, _States] = {}
    kind = next((name for name in _KINDS if name in names), None)
    for number, cells in enumerate(rows[first + 1 :], start=first + 2):
        if not any(cell.strip() for cell in cells):
            continue
        row = {name: cell.strip() for name, cell in zip(names, cells, strict=False) if name}
        observation = row.get("Observation id") or above.get("Observation id") or None
        if observation not in sheets:
            media = (
                row.get("Media file") or row.get("Media file path") or row.get("Source") or row.get("Media file name")
            )
            document = PurePosixPath((media or "").replace("\\", "/")).stem or observation
            fields = {"observation": observation} if observation else {}
            sheets[observation] = builder.sheet(annotator=observation, document=document, fields=fields)
            states[observation] = _States(builder, sheets[observation])
        _exported(builder, sheets[observation], states[observation], row, kind, f"{where}:{number}")
    for waiting in states.values():
        waiting.close()
    if not sheets:
        builder.sheet(annotator=above.get("Observation id") or None)


def _exported(
    builder: RecordBuilder, sheet: int, states: _States, row: Mapping[str, str], kind: str | None, where: str
) -> None:
    features: dict[str, str | None] = {"behavior": row.get("Behavior")}
    features |= {name: row.get(column) for column, name in _COLUMNS.items()}
    if features["subject"] == "No focal subject":
        features["subject"] = None
    comments = (row.get(name) for name in ("Comment", "Comment start", "Comment stop"))
    features["comment"] = " ".join(filter(None, comments))
    if "Start (s)" in row or "Stop (s)" in row:
        start = row.get("Start (s)") or None
        stop = row.get("Stop (s)") or None
        # A point event has no duration; older versions leave its stop out.
        is_point = (row.get(kind or "") or "").upper() == "POINT"
        builder.unit(sheet, start, start if is_point and stop in (None, "NA") else stop, features, where)
    elif kind is not None and row.get(kind, "").upper() in ("START", "STOP"):
        states.event(row.get("Time"), features, where)
    else:
        builder.unit(sheet, row.get("Time"), row.get("Time"), features, where)


def _header(rows: Sequence[Sequence[str]]) -> tuple[int | None, list[str]]:
    """The line with the names of the columns."""
    for number, row in enumerate(rows[:200]):
        names = [cell.strip() for cell in row]
        if is_header(names):
            return number, names
    return None, []


def is_header(names: Iterable[str]) -> bool:
    """Whether these are the columns of an export.

    >>> is_header(["Time", "Subject", "Behavior", "Status"]), is_header(["Time", "Behavior"])
    (True, False)
    """
    known = set(names)
    return known >= set(AGGREGATED) or (known >= set(TABULAR) and bool(known & set(_KINDS)))
