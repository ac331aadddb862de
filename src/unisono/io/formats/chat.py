# SPDX-License-Identifier: MIT
"""CHAT transcripts (CHILDES, TalkBank); positions in milliseconds.

An utterance with a time bullet is a unit; the speaker is the category. Postcodes (`[+ id]`) become the feature
`postcode`, dependent tiers (`%cod`, `%add`, ...) features named after them, the words the feature `utterance`.
Utterances without a time are counted and left out. Transcriber, coder and media are fields, for
`--annotator-from field:transcriber`.

pylangacq is not used: it refuses whole files for reasons that do not matter here, such as a file that is not named
after its media, and it opens addresses as well as paths.
"""

from __future__ import annotations

import re
from collections import Counter

from unisono.io.files.encoding import decode
from unisono.io.files.jsontree import malformed
from unisono.io.files.lines import split_lines
from unisono.io.files.opening import File
from unisono.io.formats.json_spans import note_left_out
from unisono.io.options import Settings
from unisono.io.record import Record, RecordBuilder
from unisono.io.wording import short

_WHAT = "CHAT"
#: A time bullet in its present form, or in the old form with the media's name before the times.
_BULLET = re.compile('\x15(?:%(?:snd|mov):"[^"\x15]*"_)?([0-9]+)_([0-9]+)-?\x15|\u2022([0-9]+)_([0-9]+)\u2022')
_LINE = re.compile(r"([*%@])([^:\s]+):?\s*(.*)", re.DOTALL)
_POSTCODE = re.compile(r"\[\+ ?([^\[\]]+)\]")
_FIELDS = {"Transcriber": "transcriber", "Coder": "coder", "Media": "media", "Date": "date", "Situation": "situation"}
#: Features that dependent tiers of the same name must not overwrite.
_OWN = ("speaker", "utterance", "postcode")


def read(file: File, settings: Settings) -> Record:
    """The utterances with times."""
    builder = RecordBuilder(file, "CHAT", time_unit="ms")
    lines = _logical_lines(decode(file.data(), file.where, settings.encoding))
    fields: dict[str, str] = {}
    for _, text in lines:
        match = _LINE.fullmatch(text)
        if match and match[1] == "@" and match[2] in _FIELDS:
            fields.setdefault(_FIELDS[match[2]], match[3].split(",")[0].strip())
    if not any(text.startswith("@Begin") for _, text in lines[:20]):
        raise malformed(file.where, _WHAT, "it does not begin with a line @Begin", "Is it a CHAT transcript?")
    sheet = builder.sheet(fields={name: value for name, value in fields.items() if value})
    row: int | None = None
    n_untimed = 0
    for number, text in lines:
        match = _LINE.fullmatch(text)
        where = f"{file.where}:{number}"
        if match is None:
            message = f"the line {short(text)!r} does not begin with *, % or @"
            builder.fault("malformed", where, message, "Correct the line.")
            row = None
        elif match[1] == "*":
            row = _add_utterance(builder, sheet, match[2], match[3], where)
            n_untimed += row is None
        elif match[1] == "%" and row is not None:
            value = _BULLET.sub("", match[3]).strip()
            if value:
                builder.feature(row, f"{match[2]}_tier" if match[2] in _OWN else match[2], value)
    if n_untimed:
        note_left_out(builder, Counter({"utterance(s) without a time bullet": n_untimed}), "utterances with one")
    return builder.record(category="speaker", called={"category": "speakers"})


def _add_utterance(builder: RecordBuilder, sheet: int, speaker: str, words: str, where: str) -> int | None:
    """Add an utterance, from its first to its last bullet, and return its row; None if it has no time."""
    bullets = list(_BULLET.finditer(words))
    if not bullets:
        return None
    first, last = bullets[0], bullets[-1]
    plain = " ".join(_POSTCODE.sub("", _BULLET.sub("", words)).split())
    codes = "|".join(dict.fromkeys(code.strip() for code in _POSTCODE.findall(words)))
    builder.unit(
        sheet,
        first[1] or first[3],
        last[2] or last[4],
        {"speaker": speaker, "postcode": codes, "utterance": plain},
        where,
    )
    return builder.n_units - 1


def _logical_lines(text: str) -> list[tuple[int, str]]:
    """Lines with their numbers; a line that begins with a tab or a blank continues the one before."""
    lines: list[tuple[int, list[str]]] = []
    for number, raw in enumerate(split_lines(text), start=1):
        line = raw.rstrip()
        if not line:
            continue
        if line[0] in "\t " and lines:
            lines[-1][1].append(line.strip())
        else:
            lines.append((number, [line]))
    return [(number, " ".join(parts)) for number, parts in lines]
