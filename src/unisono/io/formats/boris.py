# SPDX-License-Identifier: MIT
"""BORIS: projects (`.boris`, JSON) and exported events (tabular or aggregated, as text); positions in seconds.

An observation is an annotator, as in BORIS's own reliability tests. Its media are the document, or the observation
itself if it was live. The observation, its media and its independent variables are fields, for
`--annotator-from field:observer`. The behaviour is the category; subject, modifiers, behavioural category and comment
are features. State events of the same subject, behaviour and modifiers are paired in turn as start and stop, as in
BORIS; point events are units without length. A state that never stops is an error. An observation without events means
that the media were seen. The length of the media is the extent; the observation's time offset is added to all times.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from unisono.io.files.encoding import decode
from unisono.io.files.jsontree import get, malformed, parse_json, word
from unisono.io.files.opening import File
from unisono.io.formats.exact_times import exact_sum, to_decimal
from unisono.io.formats.sniff import BORIS_KINDS, is_boris_header
from unisono.io.options import Settings
from unisono.io.record import Record, RecordBuilder
from unisono.io.wording import listing, short
from unisono.model import Extent
from unisono.nouns import quantity

_WHAT = "BORIS"
_CALLED = {"annotator": "observations", "document": "media files", "category": "behaviours"}
#: Columns of exported events, aggregated and tabular (before version 8 the column of kinds was called Status).
_COLUMNS = {"Subject": "subject", "Behavioral category": "behavioral_category", "Modifiers": "modifiers"}


def read(file: File, settings: Settings) -> Record:
    """The events of all observations of a project or an export."""
    text = decode(file.data(), file.where, settings.encoding)
    builder = RecordBuilder(file, "BORIS", time_unit="s")
    if text.lstrip()[:1] == "{":
        _add_project(builder, text)
    else:
        _add_export(builder, text)
    return builder.record(category="behavior", called=_CALLED)


class _States:
    """The state events of one observation that have started and not yet stopped."""

    def __init__(self, builder: RecordBuilder, sheet: int):
        self._builder = builder
        self._sheet = sheet
        self._open: dict[tuple[str | None, ...], tuple[Any, dict[str, str | None], str]] = {}

    def add(self, time: Any, features: dict[str, str | None], where: str) -> None:
        key = tuple(features.get(name) for name in ("subject", "behavior", "modifiers"))
        begin = self._open.pop(key, None)
        if begin is None:
            self._open[key] = (time, features, where)
        else:
            start, first, place = begin
            self._builder.unit(self._sheet, start, time, {**features, **{k: v for k, v in first.items() if v}}, place)

    def close(self) -> None:
        """Report the events that never stop."""
        for time, features, where in self._open.values():
            what = " ".join(filter(None, (features.get("subject"), features.get("behavior"))))
            self._builder.fault(
                "missing-position",
                where,
                f"the state event {what} that starts at {word(time)} never stops",
                "Add its stop in BORIS, or leave such events out with [[skip_invalid]].",
            )


def _add_project(builder: RecordBuilder, text: str) -> None:
    where = builder.file.where
    root = parse_json(text, where, _WHAT)
    observations, behaviours = get(root, "observations", dict), get(root, "behaviors_conf", dict)
    if observations is None or behaviours is None:
        raise malformed(where, _WHAT, "it has no observations or no behaviours")
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
            extent=None if length is None else Extent(offset, exact_sum(offset, length), "duration"),
            fields=fields,
            where=place,
        )
        states = _States(builder, sheet)
        for number, event in enumerate(get(observation, "events", list) or [], start=1):
            at = f"{place} event {number}"
            cells = event if isinstance(event, list) else []
            if len(cells) < 3 or word(cells[2]) is None:
                message = f"the event {short(repr(event))} is not a list [time, subject, behaviour, ...]"
                builder.fault("malformed", at, message, "Correct the file, or save it again in BORIS.")
                continue
            behaviour = str(word(cells[2]))
            conf = about.get(behaviour)
            time = exact_sum(cells[0], offset) if offset else cells[0]
            features = {"behavior": behaviour, "behavioral_category": get(conf, "category", str)}
            names = (("subject", 1), ("modifiers", 3), ("comment", 4))
            features |= {k: word(cells[i]) for k, i in names if i < len(cells)}
            if conf is None:
                unknown.add(behaviour)
            if "state" in (get(conf, "type", str) or "").lower():
                states.add(time, features, at)
            else:
                builder.unit(sheet, time, time, features, at)
        states.close()
    if unknown:
        behaviours_are = "behaviour is" if len(unknown) == 1 else "behaviours are"
        message = f"{len(unknown)} {behaviours_are} not in the ethogram ({listing(sorted(unknown), 5)})"
        remedy = "Their events are read as points. Add them to the ethogram if they are states."
        builder.note("unknown-behavior", message, remedy, severity="warning")


def _media(observation: Any) -> str:
    """The names of the media of the first player that has any, without folders and endings."""
    players = get(observation, "file", dict) or {}
    for player in sorted(players):
        if names := [item for item in get(players, player, list) or [] if isinstance(item, str)]:
            return "+".join(PurePosixPath(name.replace("\\", "/")).stem for name in names)
    return ""


def _length(observation: Any) -> float | int | None:
    """The total length of the first player's media; None unless the lengths of all are known."""
    lengths = get(get(observation, "media_info", dict), "length", dict) or {}
    players = get(observation, "file", dict) or {}
    total: Any = 0
    for player in sorted(players):
        names = get(players, player, list) or []
        for name in names:
            length = lengths.get(name) if isinstance(name, str) else None
            seconds = to_decimal(length)
            if seconds is None or seconds <= 0 or seconds > 10**12:
                return None
            total = exact_sum(total, length)
        if names:
            return total if total else None
    return None


def _add_export(builder: RecordBuilder, text: str) -> None:
    """Add events from a text table; lines above the header may describe the observation."""
    where = builder.file.where
    separator = "\t" if "\t" in text[:2000] else ","
    rows, lines = [], [1]  # the line on which each row begins: a cell may have several lines
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    try:
        for cells in reader:
            rows.append(cells)
            lines.append(reader.line_num + 1)
    except csv.Error as error:
        raise malformed(where, _WHAT, f"it is not a table ({error})") from None
    first, names = _header(rows)
    if first is None:
        raise malformed(where, _WHAT, "no line names the columns Behavior and either Time or Start (s) and Stop (s)")
    above = {row[0].strip(): row[1].strip() for row in rows[:first] if len(row) > 1 and row[0].strip()}
    sheets: dict[str | None, int] = {}
    states: dict[str | None, _States] = {}
    kind = next((name for name in BORIS_KINDS if name in names), None)
    for number, cells in zip(lines[first + 1 :], rows[first + 1 :], strict=False):
        if not any(cell.strip() for cell in cells):
            continue
        if any(cell.strip() for cell in cells[len(names) :]):
            message = f"the line has {quantity(len(cells), 'cell')}, the table {quantity(len(names), 'column')}"
            builder.fault("ragged-row", f"{where}:{number}", message, "Correct the line.")
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
        _add_row(builder, sheets[observation], states[observation], row, kind, f"{where}:{number}")
    for open_states in states.values():
        open_states.close()
    if not sheets:
        builder.sheet(annotator=above.get("Observation id") or None)


def _add_row(
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
        # A point event has no duration, and older versions leave its stop empty.
        is_point = (row.get(kind or "") or "").upper() == "POINT"
        builder.unit(sheet, start, start if is_point and stop in (None, "NA") else stop, features, where)
    elif kind is not None and row.get(kind, "").upper() in ("START", "STOP"):
        states.add(row.get("Time"), features, where)
    else:
        builder.unit(sheet, row.get("Time"), row.get("Time"), features, where)


def _header(rows: Sequence[Sequence[str]]) -> tuple[int | None, list[str]]:
    """The number of the line with the names of the columns, and these names."""
    for number, row in enumerate(rows[:200]):
        names = [cell.strip() for cell in row]
        if is_boris_header(names):
            return number, names
    return None, []
