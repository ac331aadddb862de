# SPDX-License-Identifier: MIT
"""Raven's selection tables: a line for each selection, columns parted by tabs; positions in seconds.

A selection is a unit from `Begin Time (s)` to `End Time (s)`. Raven has no column of its own for what was heard: the
category is the column named Annotation, Species, Label or the like, or else the first that is none of Raven's. All
other columns are features. A selection shown in several views (waveform, spectrogram) has a line in each and is one
unit. A table without lines says that nothing was heard. Times count from the beginning of the sound as it was opened,
whatever files it came from; `--document-from field:Begin File` parts them.
"""

from __future__ import annotations

import re

from unisono.io.encoding import decode
from unisono.io.files import File
from unisono.io.record import Record, RecordBuilder
from unisono.io.settings import Settings
from unisono.io.table import listing
from unisono.io.xmltree import malformed

_WHAT = "Raven (selection table)"
START, END = "Begin Time (s)", "End Time (s)"
#: Columns that name what was heard, the most telling first.
_TELLING = (
    "annotation", "annotations", "species", "species code", "label", "labels", "category", "class", "call type", "call",
    "type", "code", "tag", "tags", "common name",
)  # fmt: skip
#: Raven's own columns; measurements carry their unit in brackets.
_OWN = re.compile(
    r"selection|view|channel|occupancy|score|begin file|end file|begin path|end path|begin date.*|begin clock time|"
    r"end clock time|sound file|notes?|comments?|.*\(.*\)",
    re.IGNORECASE,
)


def read(file: File, settings: Settings) -> Record:
    """The selections of one table."""
    lines = decode(file.data(), file.where, settings.encoding).splitlines()
    names = [cell.strip() for cell in lines[0].split("\t")] if lines else []
    if START not in names or END not in names:
        found = f"the columns {listing(names, 8)}" if any(names) else "an empty file"
        raise malformed(file.where, _WHAT, found, f"the first line needs {START} and {END}")
    if len(set(names)) < len(names):
        raise malformed(f"{file.where}:1", _WHAT, "a column twice", "rename one of them")
    builder = RecordBuilder(file, "Raven selections")
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
            found = f"{len(cells)} in a table of {len(names)} columns"
            builder.fault("ragged-row", where, "a cell for each column", found, "correct the line")
            continue
        row = dict(zip(names, cells, strict=False))
        selection = row.get("Selection")
        key = (selection, row.get(START), row.get(END), row.get("Channel"))
        if selection and key in seen:
            continue  # the same selection in another view
        seen.add(key)
        if not row.get(START) or not row.get(END):
            builder.fault("missing-position", where, "a begin and an end time", repr(line[:40]), "correct the line")
            continue
        features = {name: value for name, value in row.items() if name and name not in (START, END, "View")}
        builder.unit(sheet, row[START], row[END], features, where)
    category = _category(names)
    return builder.record(category=category, called={} if category is None else {"category": f"column {category}"})


def _category(names: list[str]) -> str | None:
    """The column that says what was heard."""
    by_name = {name.lower(): name for name in reversed(names)}
    telling = next((by_name[name] for name in _TELLING if name in by_name), None)
    return telling or next((name for name in names if name and not _OWN.fullmatch(name)), None)
