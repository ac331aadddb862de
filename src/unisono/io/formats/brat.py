# SPDX-License-Identifier: MIT
"""brat stand-off: `.ann` files beside their `.txt`; https://brat.nlplab.org/standoff.html.

Text-bound annotations (`T`) are units of category `type`; a discontinuous one keeps its pieces. Attributes (`A`, `M`)
become features with their value, or `true` if they have none. Attributes of an event (`E`) go to its trigger. Relations
(`R`, `*`) are not read. Notes (`#`) become the feature `note`, normalizations (`N`) the feature `normalization`. As in
brat, every character of the text counts, also each of the two characters of a CRLF.
"""

from __future__ import annotations

import re

from unisono.io.files.encoding import decode
from unisono.io.files.lines import split_lines
from unisono.io.files.opening import File
from unisono.io.options import Settings
from unisono.io.record import Record, RecordBuilder
from unisono.io.wording import short

_UNIT = re.compile(r"(T\S+)\t(\S+) ([0-9]+ [0-9]+(?:;[0-9]+ [0-9]+)*)(?:\t(.*))?")
_ATTRIBUTE = re.compile(r"[AM]\S*\t(\S+) (\S+)(?: (.+))?")
_EVENT = re.compile(r"(E\S*)\t\S+:([^\s:]+)(?: .*)?")
_NORMALIZATION = re.compile(r"N\S*\t\S+ (\S+) (\S+)(?:\t.*)?")
_NOTE = re.compile(r"#\S*\t(\S+) (\S+)\t(.*)")
#: Relations and equivalences, which are not units.
_RELATIONS = ("R", "*")

#: Features that attributes of the same name must not overwrite.
_OWN = ("type", "id")


def read(file: File, settings: Settings) -> Record:
    """The units of one `.ann` file; if its `.txt` is missing, positions cannot be checked, which is noted."""
    builder = RecordBuilder(file, "brat")
    text = _text(file, settings)
    if text is None:
        builder.note(
            "no-text",
            f"there is no {file.stem}.txt beside it, so positions cannot be checked against the text",
            "Put the text there, or give it with [[documents]].",
        )
    sheet = builder.sheet(text=text)
    units: dict[str, int] = {}
    events: dict[str, str] = {}
    later: list[tuple[str, str, str]] = []  # target, feature, value
    for number, line in enumerate(split_lines(decode(file.data(), file.where, settings.encoding)), start=1):
        where = f"{file.where}:{number}"
        if not line.strip():
            continue
        kind = line[0]
        match: re.Match[str] | None = None
        if kind == "T" and (match := _UNIT.fullmatch(line)):
            name, category, bounds, covered = match.groups()
            pieces = sorted(map(_bounds, bounds.split(";")))
            start, end = pieces[0][0], max(last for _, last in pieces)
            if any(last < first for first, last in pieces):
                first, last = next((first, last) for first, last in pieces if last < first)
                message = f"the unit ends ({last}) before it starts ({first})"
                builder.fault("end-before-start", where, message, "Correct the unit.")
                continue
            if name in units:
                message = f"{name} is the name of two annotations"
                builder.fault("repeated-id", where, message, "Rename one of them.")
                continue
            units[name] = builder.n_units
            # The stored text of a discontinuous unit leaves out what lies between the pieces: it is not compared.
            covered = covered if len(pieces) == 1 else None
            builder.unit(sheet, start, end, {"type": category}, where, covered=covered, pieces=pieces)
        elif kind == "E" and (match := _EVENT.fullmatch(line)):
            events[match[1]] = match[2]
        elif kind in "AM" and (match := _ATTRIBUTE.fullmatch(line)):
            later.append((match[2], match[1], match[3] or "true"))
        elif kind == "N" and (match := _NORMALIZATION.fullmatch(line)):
            later.append((match[1], "normalization", match[2]))
        elif kind == "#" and (match := _NOTE.fullmatch(line)):
            later.append((match[2], "note", match[3]))
        elif not line.startswith(_RELATIONS):
            builder.fault(
                "malformed",
                where,
                f"the line {short(line)!r} is not brat stand-off",
                "Write it like T1<TAB>Person 0 5<TAB>Anna.",
            )
    for target, feature, value in later:
        row = units.get(events.get(target, target))
        if row is not None:  # attributes of relations are not read
            builder.feature(row, f"{feature}_attribute" if feature in _OWN else feature, value)
    return builder.record(category="type", called={"category": "type"})


def _bounds(piece: str) -> tuple[int, int]:
    start, end = piece.split()
    # A number of more than 18 digits is beyond any position; it is cut, so that it is reported as too large.
    return (int(start) if len(start) <= 18 else 10**18), (int(end) if len(end) <= 18 else 10**18)


def _text(file: File, settings: Settings) -> str | None:
    other = file.beside(f"{file.stem}.txt")
    return None if other is None else decode(other.data(), other.where, settings.encoding)
