# SPDX-License-Identifier: MIT
"""From a table to a record of units: documents, annotators, positions, features; every faulty cell reported."""

from __future__ import annotations

import re
from collections.abc import Mapping

import numpy as np

from unisono.errors import Problem
from unisono.io.columns import Resolved
from unisono.io.files import File
from unisono.io.record import Record, Sheet
from unisono.io.table import BoolArray, Labels, Numbers, Table, listing, numbers
from unisono.model import CATEGORY, PositionArray

_CLOCK = re.compile(r"[0-9]+:[0-9]{1,2}(?::[0-9]{1,2})?(?:[.,][0-9]+)?")
_NOTHING_MARKED = "leave start and end both empty if the annotator marked nothing"


def unit_record(table: Table, resolved: Resolved, file: File | None, *, decimal: str) -> Record:
    """Read the columns of a table as units; what is wrong goes to the table's faults."""
    roles = resolved.roles
    usable = ~table.faults.bad
    starts, ends, is_unit = _bounds(table, roles, usable, decimal)
    annotators = _named(table, "annotator", roles["annotator"], usable) if "annotator" in roles else None
    documents = _named(table, "document", roles["document"], usable) if "document" in roles else None
    if documents is None and file is None:
        documents = Labels.constant(table.stem, table.n_rows)
    features, notes = _features(table, roles)
    named = [labels for labels in (annotators, documents) if labels is not None]
    n_stripped = sum(labels.n_stripped for labels in (*named, *features.values()))
    if n_stripped:
        count = f"{n_stripped} cells with blanks" if n_stripped > 1 else "one cell with blanks"
        notes.append(
            Problem("stripped-whitespace", "note", table.where, "names without blanks around them", count, "taken off")
        )
    kind = table.kind
    if "CSV" in kind or kind == "TSV":
        kind = f"{kind} {'with' if table.has_header else 'without'} header"
    return Record(
        file=file,
        where=table.where,
        kind=kind,
        sheets=(Sheet(where=table.where),),
        sheet_codes=np.zeros(table.n_rows, dtype=np.int32),
        starts=starts,
        ends=ends,
        is_unit=is_unit,
        features=features,
        category=CATEGORY,
        place=table.place,
        faults=table.faults,
        notes=(*table.notes, *resolved.notes, *notes),
        documents=documents,
        annotators=annotators,
        called={role: table.called(column) for role, column in roles.items()},
    )


def _named(table: Table, role: str, column: int, usable: BoolArray) -> Labels:
    labels = Labels.of(table.columns[column])
    expected = f"the {role}'s name in {table.called(column)}"
    table.faults.add(
        f"missing-{role}",
        np.flatnonzero(usable & (labels.codes < 0)).tolist(),
        lambda row: (table.place(row), expected, "an empty cell", f"name the {role}"),
    )
    return labels


def _bounds(
    table: Table, roles: Mapping[str, int], usable: BoolArray, decimal: str
) -> tuple[PositionArray, PositionArray, BoolArray]:
    last = "end" if "end" in roles else "duration"
    first_column, last_column = roles["start"], roles[last]
    first = positions(table, first_column, usable, decimal)
    second = positions(table, last_column, usable, decimal)
    sound = usable & ~table.faults.bad
    half = sound & (first.missing != second.missing)

    def halved(row: int) -> tuple[str, str, str, str]:
        there, gone, column = (last, "start", last_column) if first.missing[row] else ("start", last, first_column)
        found = f"{there}={table.cell(column, row)} without {gone}"
        return table.place(row), f"both start and {last}, or neither", found, f"give the {gone}; {_NOTHING_MARKED}"

    table.faults.add("missing-position", np.flatnonzero(half).tolist(), halved)
    starts, ends = first.values, second.values if last == "end" else first.values + second.values
    is_unit = ~(first.missing & second.missing)
    backwards = sound & is_unit & ~half & (ends < starts)

    def reversed_(row: int) -> tuple[str, str, str, str]:
        found = f"start={table.cell(first_column, row)}, {last}={table.cell(last_column, row)}"
        remedy = "swap the columns?" if last == "end" else "a duration is not negative"
        return table.place(row), "a unit must end after it starts", found, remedy

    table.faults.add("end-before-start", np.flatnonzero(backwards).tolist(), reversed_)
    return starts, ends, is_unit


def positions(table: Table, column: int, usable: BoolArray, decimal: str) -> Numbers:
    """A column of positions; cells that are none become faults."""
    parsed, bad = numbers(table.columns[column], decimal=decimal)
    n_filled = int((usable & ~parsed.missing).sum())
    name = table.called(column)
    for code, rows in bad.items():
        culprits = [row for row in rows if usable[row]]
        if not culprits:
            continue
        whole_column = code == "not-a-number" and len(culprits) == n_filled > 1
        if whole_column or (code == "decimal-comma" and len(culprits) > 1):
            where, _, found, remedy = _bad_cell(table, column, culprits[0], code)
            if whole_column:
                found, remedy = (
                    f"text in every row, e.g. {found}",
                    "is it the right column? if not, name it: --start-column, --end-column",
                )
            else:
                found = f"{found} and {len(culprits) - 1} more with a comma"
            problem = Problem(code, "error", where, f"numbers in {name}", found, remedy)
            table.faults.add_together(problem, culprits)
        else:
            table.faults.add(code, culprits, lambda row, code=code: _bad_cell(table, column, row, code))  # type: ignore[misc]
    return parsed


def _bad_cell(table: Table, column: int, row: int, code: str) -> tuple[str, str, str, str]:
    name, cell = table.called(column), table.cell(column, row)
    expected, remedy = f"a number in {name}", f"correct it; {_NOTHING_MARKED}"
    if code == "too-large":
        expected, remedy = f"a position between -2**53 and 2**53 in {name}", "count from a nearer origin"
    elif code == "not-finite":
        expected = f"a finite number in {name}"
    elif code == "decimal-comma":
        remedy = f"write {cell.replace(',', '.')}, or say --decimal ,"
    elif _CLOCK.fullmatch(cell):
        remedy = f"write it as one number, e.g. {_seconds(cell)} (seconds)"
    return table.place(row), expected, cell if isinstance(table.columns[column], Numbers) else repr(cell), remedy


def _seconds(clock: str) -> str:
    total = 0.0
    for part in clock.replace(",", ".").split(":"):
        total = 60 * total + float(part)
    return f"{total:.10g}"


def _features(table: Table, roles: Mapping[str, int]) -> tuple[dict[str, Labels], list[Problem]]:
    features: dict[str, Labels] = {}
    notes: list[Problem] = []
    if CATEGORY in roles:
        features[CATEGORY] = Labels.of(table.columns[roles[CATEGORY]])
    unnamed, empty = [], []
    for column, name in enumerate(table.names):
        if column in roles.values():
            continue
        if not name:
            unnamed.append(str(column + 1))
            continue
        labels = Labels.of(table.columns[column])
        if labels.is_empty:
            empty.append(name)
        else:
            # The name "category" is taken, even when the category itself comes from elsewhere.
            features[f"{name}_{column + 1}" if name in features or name == CATEGORY else name] = labels
    if unnamed:
        found = f"column {listing(unnamed)} without one"
        notes.append(Problem("unnamed-column", "note", table.where, "a name for every column", found, "left out"))
    if empty and table.n_rows:
        found = f"nothing in {listing(empty)}"
        notes.append(Problem("empty-column", "note", table.where, "columns with cells filled", found, "left out"))
    return features, notes
