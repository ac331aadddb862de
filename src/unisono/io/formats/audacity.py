# SPDX-License-Identifier: MIT
"""Audacity's label files: one line `start<TAB>end<TAB>label` for each label; positions in seconds.

A label is a unit, without length if start and end are equal; its text is the category. Lines that begin with a
backslash give the frequencies of the label above (features `low` and `high`, in hertz). Times may have a decimal comma.
"""

from __future__ import annotations

import re

from unisono.io.files.encoding import decode
from unisono.io.files.lines import split_lines
from unisono.io.files.opening import File
from unisono.io.options import Settings
from unisono.io.record import Record, RecordBuilder
from unisono.io.wording import short

_COMMA = re.compile(r"-?\d+,\d+")


def read(file: File, settings: Settings) -> Record:
    """The labels of one track."""
    builder = RecordBuilder(file, "Audacity labels", time_unit="s")
    sheet = builder.sheet()
    is_unit_above = False
    for number, line in enumerate(split_lines(decode(file.data(), file.where, settings.encoding)), start=1):
        if not line.strip():
            continue
        where = f"{file.where}:{number}"
        cells = line.split("\t", 2)
        if cells[0] == "\\" and len(cells) == 3:
            if is_unit_above:
                for name, value in zip(("low", "high"), cells[1:], strict=True):
                    builder.feature(builder.n_units - 1, name, value.strip() or "0")
            is_unit_above = False
            continue
        is_unit_above = len(cells) >= 2
        if is_unit_above:
            start, end = (cell.replace(",", ".") if _COMMA.fullmatch(cell) else cell for cell in cells[:2])
            builder.unit(sheet, start, end, {"label": cells[2].strip() if len(cells) == 3 else ""}, where)
        else:
            builder.fault(
                "malformed",
                where,
                f"the line {short(line)!r} has no tab between start, end and label",
                "Write it like 1.5<TAB>2.25<TAB>laughter.",
            )
    return builder.record(category="label", called={"category": "labels"})
