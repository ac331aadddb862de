# SPDX-License-Identifier: MIT
"""Maps of categories: a table of two columns, the old name and the new one."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Mapping
from typing import Any

from unisono.errors import FormatError, Problem
from unisono.io.encoding import decode
from unisono.io.files import Limits, files_of

#: First rows that name the columns instead of categories.
_HEADERS = {("from", "to"), ("old", "new"), ("category", "new"), ("source", "target")}


def category_map(given: Any, limits: Limits) -> Mapping[str, str]:
    """A mapping as it is, or read from a file of lines `old,new` (or `old<TAB>new`)."""
    if not isinstance(given, str | os.PathLike):
        return dict(given)
    file = next(iter(files_of(given, limits)))
    text = decode(file.data(), file.where, None)
    separator = "\t" if "\t" in text.partition("\n")[0] else ","
    found: dict[str, str] = {}
    problems = []
    rows = csv.reader(io.StringIO(text), delimiter=separator)
    for row in rows:
        cells = [cell.strip() for cell in row]
        if not any(cells) or (rows.line_num == 1 and tuple(cell.lower() for cell in cells) in _HEADERS):
            continue
        where = f"{file.where}:{rows.line_num}"
        if len(cells) != 2 or not all(cells):
            problems.append(
                Problem(
                    "category-map", "error", where, "the old name and the new one", f"{len(cells)} cells", "give both"
                )
            )
        elif found.setdefault(cells[0], cells[1]) != cells[1]:
            expected = "one new name for each category"
            shown = f"{found[cells[0]]!r} and {cells[1]!r} for {cells[0]!r}"
            problems.append(Problem("category-map", "error", where, expected, shown, "keep one of them"))
    if problems:
        raise FormatError(problems)
    return found
