# SPDX-License-Identifier: MIT
"""Praat TextGrids, long and short text files, in any encoding with its mark; positions in seconds.

An interval with a text is a unit, an empty one the gap between units; a point is a unit without length. The text is the
category. A tier is an annotator unless the layout says otherwise; tiers of the same name are one, as overlapping units
of one annotator need several.

Read as Praat itself reads: texts in quotation marks, free-standing numbers and flags in angle brackets count, all else
is for people; so the long and the short form are one. Not read with praatio, which refuses tiers of the same name and
puts empty intervals where there were none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from unisono.errors import InputError
from unisono.io.encoding import decode
from unisono.io.files import File
from unisono.io.record import Record, RecordBuilder
from unisono.io.settings import Settings
from unisono.io.table import listing, short
from unisono.io.times import decimal
from unisono.io.xmltree import malformed
from unisono.model import Extent

_WHAT = "Praat (TextGrid as text)"
_SAVE = "open it in Praat and choose Save as text file"
#: What counts: a text in quotation marks (doubled inside), a flag, a free-standing number; `!` begins a comment.
_TOKEN = re.compile(r'"((?:[^"]|"")*)"|(?<!\S)(?:<(\w+)>|([-+]?\.?\d[^\s!]*|--undefined--)(?!\S)|(!)[^\n]*)')


#: What it is, its value, its line.
_Token = tuple[str, str, int]


class _Tokens:
    """The tokens of a file, asked for one by one by what they must be."""

    def __init__(self, text: str, where: str):
        self._tokens = _tokens(text)
        self._where = where
        self.line = 1

    def next(self, kind: str, what: str) -> str:
        token = next(self._tokens, None)
        if token is None:
            raise self.refusal(f"its end where {what} should be")
        found, value, self.line = token
        if found != kind:
            raise self.refusal(f"{short(value)!r} where {what} should be")
        return value

    def refusal(self, found: str) -> InputError:
        return malformed(f"{self._where}:{self.line}", _WHAT, found, _SAVE)

    def count(self, what: str) -> int:
        value = self.next("number", what)
        if not value.isdigit() or len(value) > 9:
            raise self.refusal(f"{short(value)!r} as {what}")
        return int(value)


def _tokens(text: str) -> Iterator[_Token]:
    line, last = 1, 0
    for found in _TOKEN.finditer(text):
        begin = found.start()
        line += text.count("\n", last, begin)
        last = begin
        words, flag, number, _ = found.groups()
        if words is not None:
            yield "text", words.replace('""', '"') if '""' in words else words, line
        elif number is not None:
            yield "number", number, line
        elif flag is not None:
            yield "flag", flag, line


def read(file: File, settings: Settings) -> Record:
    """The labelled intervals and the points on all tiers."""
    data = file.data()
    if data.startswith(b"ooBinaryFile"):
        raise malformed(file.where, _WHAT, "a binary file", _SAVE)
    text = decode(data, file.where, settings.encoding)
    if "chronological" in text[:100]:
        raise malformed(file.where, _WHAT, "a chronological text file", _SAVE)
    tokens = _Tokens(text.replace("\r\n", "\n").replace("\r", "\n"), file.where)
    for wanted in ("ooTextFile", "TextGrid"):
        value = tokens.next("text", f'"{wanted}"')
        if not value.startswith(wanted):
            raise tokens.refusal(f"{short(value)!r} where {wanted!r} should be")
    builder = RecordBuilder(file, "Praat TextGrid")
    start, end = (tokens.next("number", f"the {name} of the time") for name in ("start", "end"))
    extent = _extent(start, end)
    names: list[str] = []
    sheets: dict[str, int] = {}
    if tokens.next("flag", "<exists>") == "exists":
        for number in range(1, tokens.count("the number of tiers") + 1):
            _tier(tokens, builder, extent, names, sheets, number)
    if not names:
        raise malformed(file.where, _WHAT, "no tiers", _SAVE)
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        builder.note(
            "repeated-tier",
            "tiers with names that differ",
            f"several named {listing([repr(name) for name in twice], 5)}",
            "read as one tier of that name",
            severity="warning",
        )
    return builder.record(category="text", called={"category": "the intervals' texts"}, annotator_from="tier")


def _extent(start: str, end: str) -> Extent | None:
    first, last = decimal(start), decimal(end)
    if first is None or last is None or last < first:
        return None  # the units are checked all the same
    return Extent(float(first) + 0.0, float(last) + 0.0, "duration")


def _tier(
    tokens: _Tokens,
    builder: RecordBuilder,
    extent: Extent | None,
    names: list[str],
    sheets: dict[str, int],
    number: int,
) -> None:
    kind = tokens.next("text", "the class of a tier")
    if kind not in ("IntervalTier", "TextTier"):
        raise tokens.refusal(f"a tier of class {short(kind)!r}")
    where = f"{builder.file.where}:{tokens.line}"
    name = tokens.next("text", "the name of a tier").strip() or f"tier {number}"
    names.append(name)
    for what in ("start", "end"):
        tokens.next("number", f"the {what} of a tier")
    if name not in sheets:
        sheets[name] = builder.sheet(layer=name, extent=extent, fields={"class": kind}, where=where)
    sheet = sheets[name]
    for _ in range(tokens.count("the number of intervals or points")):
        start: Any = tokens.next("number", "a time")
        end: Any = tokens.next("number", "a time") if kind == "IntervalTier" else start
        where = f"{builder.file.where}:{tokens.line}"
        label = tokens.next("text", "a text").strip()
        if label or kind == "TextTier":
            builder.unit(sheet, start, end, {"text": label}, where)
