# SPDX-License-Identifier: MIT
"""Maps of categories: a table of two columns, the old name and the new one."""

from __future__ import annotations

import csv
import os
from collections.abc import Mapping
from typing import Any

from unisono.errors import FormatError, ParameterError, Problem
from unisono.io.files.encoding import decode
from unisono.io.files.lines import split_lines
from unisono.io.files.opening import ReadLimits
from unisono.io.files.search import find_one_file
from unisono.nouns import quantity

#: First rows that name the columns instead of categories.
_HEADERS = {("from", "to"), ("old", "new"), ("category", "new"), ("source", "target")}


def read_category_map(given: Any, limits: ReadLimits, encoding: str | None = None) -> Mapping[str, str]:
    """A mapping as it is, or read from a file of lines `old,new` (or `old<TAB>new`); empty where none is given."""
    if given is None or isinstance(given, Mapping):
        return dict(given or {})
    if not isinstance(given, str | os.PathLike):
        raise ParameterError.of(
            f"[[category_map]] is of type {type(given).__name__}", "Give a mapping from old to new names, or a file."
        )
    file = find_one_file(given, limits)
    lines = split_lines(decode(file.data(), file.where, encoding))
    separator = "\t" if "\t" in lines[0] else ","
    new_names: dict[str, str] = {}
    problems = []
    for number, line in enumerate(lines, start=1):
        where = f"{file.where}:{number}"
        try:
            row = next(csv.reader([line], delimiter=separator, strict=True), [])
        except csv.Error as error:
            message = f"the line cannot be read as two names ({error})"
            problems.append(Problem("category-map", "error", where, message, "Give both, separated by a comma or tab."))
            continue
        cells = [cell.strip() for cell in row]
        if not any(cells) or (number == 1 and tuple(cell.lower() for cell in cells) in _HEADERS):
            continue
        if len(cells) != 2 or not all(cells):
            n_filled = sum(map(bool, cells))
            message = f"the line has {quantity(n_filled, 'name')}, and two are needed: the old one and the new one"
            problems.append(Problem("category-map", "error", where, message, "Give both, separated by a comma or tab."))
        elif new_names.setdefault(cells[0], cells[1]) != cells[1]:
            message = f"{cells[0]!r} has two new names, {new_names[cells[0]]!r} and {cells[1]!r}"
            problems.append(Problem("category-map", "error", where, message, "Keep one of them."))
    if problems:
        raise FormatError(problems)
    return new_names
