# SPDX-License-Identifier: MIT
"""CHAT transcripts (CHILDES, TalkBank); positions in milliseconds.

An utterance with a time bullet is a unit; the speaker is the category. Postcodes (`[+ id]`) are the feature `postcode`,
what dependent tiers say (`%cod`, `%add`, ...) are features named after them, the words the feature `utterance`.
Utterances without a time are counted and left out. Transcriber, coder and media are fields, for
`--annotator-from field:transcriber`.

Parsed here, not with pylangacq: that library refuses whole files for what does not matter here, such as a file that is
not named after its media, and takes addresses for paths.
"""

from __future__ import annotations

import re

from unisono.io.encoding import decode
from unisono.io.files import File
from unisono.io.record import Record, RecordBuilder
from unisono.io.settings import Settings
from unisono.io.table import short
from unisono.io.validation import counted
from unisono.io.xmltree import malformed

_WHAT = "CHAT"
#: A time bullet, as it is now and as it was: with the media's name before the times.
_BULLET = re.compile('\x15(?:%(?:snd|mov):"[^"\x15]*"_)?([0-9]+)_([0-9]+)-?\x15|\u2022([0-9]+)_([0-9]+)\u2022')
_LINE = re.compile(r"([*%@])([^:\s]+):?\s*(.*)", re.DOTALL)
_POSTCODE = re.compile(r"\[\+ ?([^\]]+)\]")
_FIELDS = {"Transcriber": "transcriber", "Coder": "coder", "Media": "media", "Date": "date", "Situation": "situation"}
#: Features that dependent tiers must not overwrite.
_OWN = ("speaker", "utterance", "postcode")


def read(file: File, settings: Settings) -> Record:
    """The utterances with times."""
    builder = RecordBuilder(file, "CHAT")
    lines = _joined(decode(file.data(), file.where, settings.encoding))
    fields: dict[str, str] = {}
    for _, text in lines:
        found = _LINE.fullmatch(text)
        if found and found[1] == "@" and found[2] in _FIELDS:
            fields.setdefault(_FIELDS[found[2]], found[3].split(",")[0].strip())
    if not any(text.startswith("@Begin") for _, text in lines[:20]):
        raise malformed(file.where, _WHAT, "no line @Begin at its beginning", "is it a CHAT transcript?")
    sheet = builder.sheet(fields={name: value for name, value in fields.items() if value})
    row: int | None = None
    n_untimed = 0
    for number, text in lines:
        found = _LINE.fullmatch(text)
        where = f"{file.where}:{number}"
        if found is None:
            builder.fault("malformed", where, "a line that begins with *, % or @", repr(short(text)), "correct it")
            row = None
        elif found[1] == "*":
            row = _utterance(builder, sheet, found[2], found[3], where)
            n_untimed += row is None
        elif found[1] == "%" and row is not None:
            value = _BULLET.sub("", found[3]).strip()
            if value:
                builder.feature(row, f"{found[2]}_tier" if found[2] in _OWN else found[2], value)
    if n_untimed:
        builder.note(
            "passed-over", "utterances with a time bullet", f"{counted(n_untimed, 'utterance')} without", "left out"
        )
    return builder.record(category="speaker", called={"category": "speakers"})


def _utterance(builder: RecordBuilder, sheet: int, speaker: str, words: str, where: str) -> int | None:
    """Add an utterance; its row, or None if it has no time. Several bullets are one stretch, first to last."""
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


def _joined(text: str) -> list[tuple[int, str]]:
    """Lines with their numbers; those that begin with a tab or a blank go on from the one before."""
    lines: list[tuple[int, list[str]]] = []
    for number, raw in enumerate(text.split("\n"), start=1):
        line = raw.rstrip("\r").rstrip()
        if not line:
            continue
        if line[0] in "\t " and lines:
            lines[-1][1].append(line.strip())
        else:
            lines.append((number, [line]))
    return [(number, " ".join(parts)) for number, parts in lines]
