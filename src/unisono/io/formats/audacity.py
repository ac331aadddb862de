# SPDX-License-Identifier: MIT
"""Audacity's label files: `start<TAB>end<TAB>label` a line; positions in seconds.

A label is a unit, of no length where start and end are the same; its text is the category. Lines that begin with a
backslash give the frequencies of the label above (features `low` and `high`, in hertz). Times with a decimal comma, as
some languages write them, are read too.
"""

from __future__ import annotations

import re

from unisono.io.encoding import decode
from unisono.io.files import File
from unisono.io.record import Record, RecordBuilder
from unisono.io.settings import Settings
from unisono.io.table import short

_COMMA = re.compile(r"-?\d+,\d+")


def read(file: File, settings: Settings) -> Record:
    """The labels of one track."""
    builder = RecordBuilder(file, "Audacity labels")
    sheet = builder.sheet()
    above = False
    for number, raw in enumerate(decode(file.data(), file.where, settings.encoding).split("\n"), start=1):
        line = raw.removesuffix("\r")
        if not line.strip():
            continue
        where = f"{file.where}:{number}"
        cells = line.split("\t", 2)
        if cells[0] == "\\" and len(cells) == 3:
            if above:
                for name, value in zip(("low", "high"), cells[1:], strict=True):
                    builder.feature(builder.n_units - 1, name, value.strip() or "0")
            above = False
            continue
        above = len(cells) >= 2
        if above:
            start, end = (cell.replace(",", ".") if _COMMA.fullmatch(cell) else cell for cell in cells[:2])
            builder.unit(sheet, start, end, {"label": cells[2].strip() if len(cells) == 3 else ""}, where)
        else:
            expected = "a label, such as 1.5<TAB>2.25<TAB>laughter"
            builder.fault("malformed", where, expected, repr(short(line)), "correct the line")
    return builder.record(category="label", called={"category": "labels"})
