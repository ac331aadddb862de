# SPDX-License-Identifier: MIT
"""Cells that hold lists of units in JSON: `[{"start": 0, "end": 5, "label": "PER"}]` or `[[0, 5, "PER"]]`."""

from __future__ import annotations

import ast
import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from unisono.errors import FormatError, Problem
from unisono.io.faults import Faults
from unisono.io.files.jsontree import guard_stack
from unisono.io.tables.cells import Cells, Table, first_cells
from unisono.io.tables.header_names import match_names
from unisono.io.tables.jsonlines import cells_of_values
from unisono.io.tables.numbers import Numbers
from unisono.io.wording import short
from unisono.model import CATEGORY
from unisono.nouns import quantity

#: This many cells are enough to see whether a column holds lists of units.
_SAMPLE_CELLS = 100

Span = Mapping[str, Any]


def spread_spans(table: Table) -> Table:
    """The table with a row for each unit where a column holds lists of units; an empty list is a row without a unit."""
    column = next((i for i, cells in enumerate(table.columns) if holds_spans(cells)), None)
    if column is None:
        return table
    if table.faults.counts:
        raise FormatError(table.faults.problems)
    cells = table.columns[column]
    assert not isinstance(cells, Numbers)
    origin: list[int] = []
    spans: list[Span] = []
    for row, cell in enumerate(first_cells(cells)):
        if table.faults.bad[row]:  # a blank row
            continue
        members = _parse_spans(cell)
        if members is None:
            raise FormatError.of(
                f"{short(cell.strip())!r} in {table.column_name(column)} is not a list of units such as "
                '[{"start": 0, "end": 5, "label": "PER"}]',
                "Correct it; write [] where nothing was marked.",
                where=table.place(row),
                code="span-cell",
            )
        for span in members or [{}]:
            origin.append(row)
            spans.append(span)
    keys = list(dict.fromkeys(key for span in spans for key in span))
    others = [i for i in range(len(table.names)) if i != column]
    taken = {table.names[i] for i in others}
    names = [table.names[i] for i in others] + [f"{table.names[column]}_{key}" if key in taken else key for key in keys]
    columns = [_take(table.columns[i], origin) for i in others]
    columns += [cells_of_values([span.get(key) for span in spans]) for key in keys]
    message = f"{table.column_name(column)} holds lists of units, {quantity(sum(map(bool, spans)), 'unit')} in all"
    notes = [*table.notes, Problem("span-cells", "note", table.where, message)]
    return replace(
        table,
        names=tuple(names),
        columns=columns,
        n_rows=len(origin),
        place=lambda row: table.place(origin[row]),
        faults=Faults(len(origin)),
        notes=notes,
        has_header=True,
    )


def holds_spans(cells: Cells) -> bool:
    """Whether the first cells of a column are lists of units, not all of them empty."""
    if isinstance(cells, Numbers):
        return False
    filled = [cell for cell in first_cells(cells, _SAMPLE_CELLS) if cell.strip()]
    if not filled or not all(cell.lstrip().startswith("[") for cell in filled):
        return False
    parsed = [_parse_spans(cell) for cell in filled]
    return any(parsed) and sum(members is None for members in parsed) * 2 < len(parsed)


def _parse_spans(cell: str) -> list[Span] | None:
    """The units in a cell; None where it is no list of units."""
    text = cell.strip()
    if not text:
        return []
    try:
        guard_stack(text)
        value = json.loads(text)
    except (ValueError, RecursionError):
        try:  # as Python prints lists, with single quotes
            guard_stack(text)
            value = ast.literal_eval(text)
        except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
            return None
    if not isinstance(value, list | tuple):
        return None
    spans = [_span(member) for member in value]
    return None if None in spans else [span for span in spans if span is not None]


def _span(member: Any) -> Span | None:
    if isinstance(member, dict) and all(isinstance(key, str) for key in member):
        known = match_names(list(member), ("start", "end", "duration"), {})
        return member if "start" in known and ("end" in known or "duration" in known) else None
    if not isinstance(member, list | tuple) or not 2 <= len(member) <= 3:
        return None
    numbers = [value for value in member if isinstance(value, int | float) and not isinstance(value, bool)]
    labels = [value for value in member if isinstance(value, str)]
    if len(numbers) != 2 or len(numbers) + len(labels) != len(member):
        return None
    return {"start": numbers[0], "end": numbers[1], **({CATEGORY: labels[0]} if labels else {})}


def _take(cells: Cells, rows: list[int]) -> Cells:
    if isinstance(cells, Numbers):
        index = np.array(rows, dtype=np.intp)
        return Numbers(cells.values[index], cells.missing[index])
    texts = first_cells(cells)
    return [texts[row] for row in rows]
