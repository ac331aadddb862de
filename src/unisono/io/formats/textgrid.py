# SPDX-License-Identifier: MIT
"""Praat TextGrids, long and short text files, in any encoding with a byte order mark; positions in seconds.

An interval with a text is a unit, an empty one is a gap between units; a point is a unit without length. The text is
the category. A tier is an annotator unless the layout says otherwise; tiers of the same name are read as one, because
overlapping units of one annotator need several tiers.

The file is read as Praat reads it: texts in quotation marks, free-standing numbers and flags in angle brackets count,
everything else is a comment, so the long and the short form need no distinction. praatio is not used: it refuses tiers
of the same name and adds empty intervals.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from unisono.errors import InputError
from unisono.io.files.encoding import decode
from unisono.io.files.jsontree import malformed
from unisono.io.files.opening import File
from unisono.io.formats.exact_times import to_decimal
from unisono.io.options import Settings
from unisono.io.record import Record, RecordBuilder
from unisono.io.wording import listing, short
from unisono.model import Extent

_WHAT = "Praat (TextGrid as text)"
_SAVE = "Open it in Praat and choose Save as text file."
#: A text in quotation marks (doubled inside), a flag, or a free-standing number; `!` begins a comment.
_TOKEN = re.compile(r'"((?:[^"]|"")*)"|(?<!\S)(?:<(\w+)>|([-+]?\.?\d[^\s!]*|--undefined--)(?!\S)|(!)[^\n]*)')


#: Kind (text, number or flag), value and line.
_Token = tuple[str, str, int]


class _Tokens:
    """The tokens of a file, taken one by one; a token of another kind than expected is refused."""

    def __init__(self, text: str, where: str):
        self._tokens = _tokens(text)
        self._where = where
        self.line = 1

    def next(self, kind: str, what: str) -> str:
        token = next(self._tokens, None)
        if token is None:
            raise self.refusal(f"the file ends where {what} should be")
        actual, value, self.line = token
        if actual != kind:
            raise self.refusal(f"there is {short(value)!r} where {what} should be")
        return value

    def refusal(self, fault: str) -> InputError:
        return malformed(f"{self._where}:{self.line}", _WHAT, fault, _SAVE)

    def count(self, what: str) -> int:
        value = self.next("number", what)
        if not value.isdecimal() or len(value) > 9:
            raise self.refusal(f"{short(value)!r} cannot be {what}")
        return int(value)


def _tokens(text: str) -> Iterator[_Token]:
    line, last = 1, 0
    for match in _TOKEN.finditer(text):
        begin = match.start()
        line += text.count("\n", last, begin)
        last = begin
        words, flag, number, _ = match.groups()
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
        raise malformed(file.where, _WHAT, "it is a binary TextGrid", _SAVE)
    text = decode(data, file.where, settings.encoding)
    if "chronological" in text[:100]:
        raise malformed(file.where, _WHAT, "it is a chronological text file", _SAVE)
    tokens = _Tokens(text.replace("\r\n", "\n").replace("\r", "\n"), file.where)
    for wanted in ("ooTextFile", "TextGrid"):
        value = tokens.next("text", f'"{wanted}"')
        if not value.startswith(wanted):
            raise tokens.refusal(f"there is {short(value)!r} where {wanted!r} should be")
    builder = RecordBuilder(file, "Praat TextGrid", time_unit="s")
    start, end = (tokens.next("number", f"the {name} of the time") for name in ("start", "end"))
    extent = _extent(start, end)
    names: list[str] = []
    sheets: dict[str, int] = {}
    if tokens.next("flag", "<exists>") == "exists":
        for number in range(1, tokens.count("the number of tiers") + 1):
            _add_tier(tokens, builder, extent, names, sheets, number)
    if not names:
        raise malformed(file.where, _WHAT, "it has no tiers", _SAVE)
    twice = sorted(name for name, n in Counter(names).items() if n > 1)
    if twice:
        builder.note(
            "repeated-tier",
            f"several tiers are named {listing([repr(name) for name in twice], 5)}; they are read as one tier",
            "Rename them if they belong to different annotators.",
            severity="warning",
        )
    return builder.record(category="text", called={"category": "the intervals' texts"}, annotator_from="tier")


def _extent(start: str, end: str) -> Extent | None:
    first, last = to_decimal(start), to_decimal(end)
    if first is None or last is None or last < first:
        return None  # the units are checked nevertheless
    return Extent(float(first) + 0.0, float(last) + 0.0, "duration")


def _add_tier(
    tokens: _Tokens,
    builder: RecordBuilder,
    extent: Extent | None,
    names: list[str],
    sheets: dict[str, int],
    number: int,
) -> None:
    kind = tokens.next("text", "the class of a tier")
    if kind not in ("IntervalTier", "TextTier"):
        raise tokens.refusal(f"the class of a tier is {short(kind)!r}, not IntervalTier or TextTier")
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
