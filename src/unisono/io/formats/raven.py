# SPDX-License-Identifier: MIT
"""Raven's selection tables: one line for each selection, columns separated by tabs; positions in seconds.

A selection is a unit from `Begin Time (s)` to `End Time (s)`. Raven has no standard column for what was heard: the
category is the column named Annotation, Species, Label or similar, or else the first column that is not one of Raven's
own. All other columns are features. A selection shown in several views (waveform, spectrogram) has a line for each view
and is one unit. A table without lines means that nothing was marked. Times count from the beginning of the sound as it
was opened, which may consist of several files; `--document-from field:Begin File` makes each a document.
"""

from __future__ import annotations

import re
from collections import Counter

from unisono.io.files.encoding import decode
from unisono.io.files.jsontree import malformed
from unisono.io.files.lines import split_lines
from unisono.io.files.opening import File
from unisono.io.options import Settings
from unisono.io.record import Record, RecordBuilder
from unisono.io.wording import listing, short
from unisono.nouns import quantity

_WHAT = "Raven (selection table)"
START, END = "Begin Time (s)", "End Time (s)"
#: Columns that say what was heard, the most specific name first.
_CATEGORIES = (
    "annotation", "annotations", "species", "species code", "label", "labels", "category", "class", "call type", "call",
    "type", "code", "tag", "tags", "common name",
)  # fmt: skip
#: Raven's own columns, besides measurements.
_OWN = re.compile(
    r"selection|view|channel|occupancy|score|begin file|end file|begin path|end path|begin date.*|begin clock time|"
    r"end clock time|sound file|notes?|comments?",
    re.IGNORECASE,
)


def read(file: File, settings: Settings) -> Record:
    """The selections of one table."""
    lines = split_lines(decode(file.data(), file.where, settings.encoding))
    names = [cell.strip() for cell in lines[0].split("\t")]
    if START not in names or END not in names:
        missing = " and ".join(name for name in (START, END) if name not in names)
        fault = f"among its columns ({listing(names, 8)}) there is no {missing}" if any(names) else "the file is empty"
        raise malformed(file.where, _WHAT, fault, f"The first line must name the columns {START} and {END}.")
    twice = [name for name, n in Counter(names).items() if n > 1]
    if twice:
        fault = f"two columns are named {short(twice[0])!r}" if twice[0] else "two columns have no name"
        raise malformed(f"{file.where}:1", _WHAT, fault, "Rename one of them.")
    builder = RecordBuilder(file, "Raven selections", time_unit="s")
    sheet = builder.sheet()
    seen: set[tuple[str | None, ...]] = set()
    for number, line in enumerate(lines[1:], start=2):
        if not line.strip():
            continue
        where = f"{file.where}:{number}"
        cells = [cell.strip() for cell in line.split("\t")]
        if len(cells) > len(names) and not any(cells[len(names) :]):
            cells = cells[: len(names)]
        if len(cells) > len(names):
            message = f"the line has {quantity(len(cells), 'cell')}, the table {quantity(len(names), 'column')}"
            builder.fault("ragged-row", where, message, "Correct the line.")
            continue
        row = dict(zip(names, cells, strict=False))
        selection = row.get("Selection")
        key = (selection, row.get(START), row.get(END), row.get("Channel"))
        if selection and key in seen:
            continue  # the same selection in another view
        seen.add(key)
        if not row.get(START) or not row.get(END):
            message = f"the line {short(line)!r} has no {START if not row.get(START) else END}"
            builder.fault("missing-position", where, message, "Fill in the time.")
            continue
        features = {name: value for name, value in row.items() if name and name not in (START, END, "View")}
        builder.unit(sheet, row[START], row[END], features, where)
    category = _category(names)
    return builder.record(category=category, called={} if category is None else {"category": f"column {category}"})


def _category(names: list[str]) -> str | None:
    """The column that says what was heard."""
    by_name = {name.lower(): name for name in reversed(names)}
    known = next((by_name[name] for name in _CATEGORIES if name in by_name), None)
    return known or next((name for name in names if name and not _is_raven_column(name)), None)


def _is_raven_column(name: str) -> bool:
    """Whether a column is one of Raven's: the names of measurements end in their unit, in brackets."""
    return _OWN.fullmatch(name) is not None or ("(" in name and name.endswith(")"))
