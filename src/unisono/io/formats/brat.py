# SPDX-License-Identifier: MIT
"""brat stand-off: `.ann` files beside their `.txt`; https://brat.nlplab.org/standoff.html.

Text-bound annotations (`T`) are units, of category `type`; those of a discontinuous one keep their pieces. Attributes
(`A`, `M`) become features: the value, or `true` for those without one. Events (`E`) put their type's attributes on the
trigger; relations (`R`, `*`) are between units and no units. Notes (`#`) become the feature `note`, normalizations
(`N`) the feature `normalization`. The text's end of line counts as brat counts it: every character of the file.
"""

from __future__ import annotations

import re

from unisono.io.encoding import decode
from unisono.io.files import File
from unisono.io.record import Record, RecordBuilder
from unisono.io.settings import Settings
from unisono.io.table import short

_UNIT = re.compile(r"(T\S+)\t(\S+) ([0-9]+ [0-9]+(?:;[0-9]+ [0-9]+)*)(?:\t(.*))?")
_ATTRIBUTE = re.compile(r"[AM]\S*\t(\S+) (\S+)(?: (.+))?")
_EVENT = re.compile(r"(E\S*)\t(\S+):(\S+)(?: .*)?")
_NORMALIZATION = re.compile(r"N\S*\t\S+ (\S+) (\S+)(?:\t.*)?")
_NOTE = re.compile(r"#\S*\t(\S+) (\S+)\t(.*)")
#: Relations and equivalences: between units, not units.
_BETWEEN = ("R", "*")

#: Features brat's attributes must not overwrite.
_OWN = ("type", "id")


def read(file: File, settings: Settings) -> Record:
    """The units of one `.ann` file; without its `.txt` there is no text to check against, which is noted."""
    builder = RecordBuilder(file, "brat")
    text = _text(file, settings)
    if text is None:
        builder.note("no-text", f"{file.stem}.txt beside it", "none", "positions cannot be checked")
    sheet = builder.sheet(text=text)
    units: dict[str, int] = {}
    events: dict[str, str] = {}
    later: list[tuple[str, str, str, str]] = []  # target, feature, value, place
    lines = decode(file.data(), file.where, settings.encoding).split("\n")
    for number, raw in enumerate(lines, start=1):
        line = raw.removesuffix("\r")
        where = f"{file.where}:{number}"
        if not line.strip():
            continue
        kind = line[0]
        found: re.Match[str] | None = None
        if kind == "T" and (found := _UNIT.fullmatch(line)):
            name, category, bounds, covered = found.groups()
            pieces = [_bounds(piece) for piece in bounds.split(";")] if ";" in bounds else [_bounds(bounds)]
            start, end = pieces[0] if len(pieces) == 1 else (min(p[0] for p in pieces), max(p[1] for p in pieces))
            if any(last < first for first, last in pieces):
                builder.fault("end-before-start", where, "a unit must end after it starts", bounds, "correct the unit")
                continue
            if name in units:
                builder.fault("repeated-id", where, "a name for each annotation", f"{name} again", "rename one of them")
                continue
            units[name] = builder.n_units
            builder.unit(sheet, start, end, {"type": category}, where, covered=_joined(covered, pieces), pieces=pieces)
        elif kind == "E" and (found := _EVENT.fullmatch(line)):
            events[found[1]] = found[3]
        elif kind in "AM" and (found := _ATTRIBUTE.fullmatch(line)):
            later.append((found[2], found[1], found[3] or "true", where))
        elif kind == "N" and (found := _NORMALIZATION.fullmatch(line)):
            later.append((found[1], "normalization", found[2], where))
        elif kind == "#" and (found := _NOTE.fullmatch(line)):
            later.append((found[2], "note", found[3], where))
        elif not line.startswith(_BETWEEN):
            builder.fault(
                "malformed",
                where,
                "a line of brat stand-off, such as T1<TAB>Person 0 5<TAB>Anna",
                repr(short(line)),
                "correct the line",
            )
    for target, feature, value, _ in later:
        row = units.get(events.get(target, target))
        if row is not None:  # attributes of relations have no unit to go to
            builder.feature(row, f"{feature}_attribute" if feature in _OWN else feature, value)
    return builder.record(category="type", called={"category": "type"})


def _bounds(piece: str) -> tuple[int, int]:
    start, end = piece.split()
    # Longer than any position: refused as too large, not by int().
    return (int(start) if len(start) <= 18 else 10**18), (int(end) if len(end) <= 18 else 10**18)


def _joined(covered: str | None, pieces: list[tuple[int, int]]) -> str | None:
    """The stored text, where it can be compared: that of a discontinuous unit leaves out what lies between."""
    return covered if len(pieces) == 1 else None


def _text(file: File, settings: Settings) -> str | None:
    other = file.beside(f"{file.stem}.txt")
    return None if other is None else decode(other.data(), other.where, settings.encoding)
