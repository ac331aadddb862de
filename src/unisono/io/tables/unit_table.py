# SPDX-License-Identifier: MIT
"""Tables of units (CSV, TSV, JSON lines, Parquet, data frames): the reader that takes them like any other format."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, cast

import numpy as np

from unisono.errors import FormatError, Problem
from unisono.io.faults import BoolArray
from unisono.io.files.encoding import decode, decode_to_utf8, require_content
from unisono.io.files.opening import File
from unisono.io.formats import format_of
from unisono.io.formats.sniff import is_excel
from unisono.io.labels import Labels
from unisono.io.options import Settings
from unisono.io.record import Record, Sheet
from unisono.io.tables.cells import Table, distinct_cells, has_colons, labels_of, parse_numbers
from unisono.io.tables.column_roles import ColumnRoles, find_roles
from unisono.io.tables.delimited import KINDS, read_delimited
from unisono.io.tables.header_names import match_names
from unisono.io.tables.jsonlines import read_jsonlines
from unisono.io.tables.numbers import Numbers
from unisono.io.tables.parts import TablePart
from unisono.io.tables.questions import ask_about_columns
from unisono.io.tables.span_cells import spread_spans
from unisono.io.tables.written_numbers import NumberStyle, is_time_code, read_time_code
from unisono.io.unit_rows import UnitRows
from unisono.io.wording import listing, short
from unisono.model import CATEGORY, PositionArray, TimeUnit
from unisono.nouns import quantity

_PARQUET = b"PAR1"
#: The first bytes of Excel files, new and old.
_SPREADSHEETS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{1,2}[./][0-9]{1,2}[./][0-9]{2,4}")
_NOTHING_MARKED = "Leave start and end both empty if the annotator marked nothing."


def read(file: File, settings: Settings) -> Record:
    """The units in a table, or, where a Parquet file has lists of units, in those."""
    data = file.data()
    if data.startswith(_PARQUET):
        from unisono.io.formats import hugging_face
        from unisono.io.tables.parquet import require

        require("reading Parquet")
        if hugging_face.fits(data):
            return hugging_face.record_of(file, data, settings)
    return _read_units(read_table(file, settings, data), settings, file)


def read_data_frame(frame: Any, settings: Settings) -> Record:
    """The units in a data frame, or in a part of a table."""
    from unisono.io.tables.data_frame import read_frame

    return _read_units(frame.table if isinstance(frame, TablePart) else read_frame(frame), settings, None)


def read_table(file: File, settings: Settings, data: bytes | None = None) -> Table:
    """A file as a table, whatever its format, before its columns have roles; `data` where it was read already."""
    wanted = settings.format or format_of(file.suffix)
    data = file.data() if data is None else data
    if data.startswith(_PARQUET) or wanted == "parquet":
        from unisono.io.tables.parquet import read_parquet

        return read_parquet(file, data)
    # Some programs give text the ending of a spreadsheet.
    if settings.format == "xlsx" or is_excel(data) or (wanted == "xlsx" and data.startswith(_SPREADSHEETS)):
        from unisono.io.tables.excel import read_excel

        return read_excel(
            file,
            data,
            sheet=settings.positions.sheet,
            schema=settings.schema,
            given=settings.columns,
            header=settings.header,
        )
    if wanted != "jsonl":
        data = decode_to_utf8(data, file.where, settings.encoding)
        require_content(data, file.where)
    if wanted == "jsonl" or (wanted is None and data.lstrip()[:1] in (b"{", b"[")):
        text = decode(data, file.where, settings.encoding if wanted == "jsonl" else None)
        require_content(text, file.where)
        return read_jsonlines(text, where=file.where, stem=file.stem)
    # A file's ending only suggests the separator; a format given by option prescribes it.
    separators = tuple(KINDS)
    if settings.format == "tsv":
        separators = ("\t",)
    elif settings.format == "csv":
        separators = (",", ";", "|")
    elif wanted == "tsv":
        separators = ("\t", ",", ";", "|")
    return read_delimited(
        data,
        where=file.where,
        stem=file.stem,
        separators=separators,
        schema=settings.schema,
        given=settings.columns,
        header=settings.header,
    )


def _read_units(table: Table, settings: Settings, file: File | None) -> Record:
    """The columns of a table as units; cells that cannot be used become faults of the table."""
    if settings.columns.start is None and not match_names(table.names, ("start",), {}):
        table = spread_spans(table)
    columns = find_roles(table, settings.schema, settings.columns)
    roles = columns.roles
    usable = ~table.faults.bad
    style = number_style(settings)
    starts, ends, is_unit = _bounds(table, roles, usable, style)
    unit = _note_time_codes(table, [roles[role] for role in ("start", "end", "duration") if role in roles], style)
    annotators = _names(table, "annotator", roles["annotator"], usable) if "annotator" in roles else None
    documents = _names(table, "document", roles["document"], usable) if "document" in roles else None
    if documents is None and file is None:
        documents = Labels.constant(table.stem, table.n_rows)
    features, notes, unasked = _features(table, columns)
    missing = [role for role in settings.asked_roles if role not in roles and getattr(settings.columns, role) != ""]
    unasked = {i: labels for i, labels in unasked.items() if table.names[i] not in settings.named_fields}
    ask_about_columns(table, unasked, missing, annotators, starts)
    stripped = (labels.n_stripped for labels in (annotators, documents, *features.values()) if labels is not None)
    if n_stripped := sum(stripped):
        message = f"blanks around names were removed in {quantity(n_stripped, 'cell')}"
        notes.append(Problem("stripped-whitespace", "note", table.where, message))
    kind = table.kind
    if "CSV" in kind or kind == "TSV":
        kind = f"{kind} {'with' if table.has_header else 'without'} header"
    return Record(
        file=file,
        where=table.where,
        kind=kind,
        sheets=(Sheet(where=table.where),),
        sheet_codes=np.zeros(table.n_rows, dtype=np.int32),
        rows=UnitRows.of_file(starts, ends, is_unit, features, table.place, documents, annotators),
        category=CATEGORY,
        faults=table.faults,
        notes=(*table.notes, *columns.notes, *notes),
        called={role: table.column_name(column) for role, column in roles.items()},
        time_unit=unit,
    )


def number_style(settings: Settings) -> NumberStyle:
    """How numbers are written, as the settings say."""
    given = settings.positions
    return NumberStyle(settings.decimal, given.thousands, given.time_unit, given.fps)


def _names(table: Table, role: str, column: int, usable: BoolArray) -> Labels:
    labels = labels_of(table.columns[column])
    check_names(table, role, labels, usable, column)
    return labels


def check_names(table: Table, role: str, labels: Labels, usable: BoolArray, column: int) -> None:
    """Make rows without a name faults."""
    message = f"the {role}'s name is missing in {table.column_name(column)}"
    table.faults.add(
        f"missing-{role}",
        np.flatnonzero(usable & (labels.codes < 0)).tolist(),
        lambda row: (table.place(row), message, "Fill it in."),
    )


def _bounds(
    table: Table, roles: Mapping[str, int], usable: BoolArray, style: NumberStyle
) -> tuple[PositionArray, PositionArray, BoolArray]:
    last = "end" if "end" in roles else "duration"
    first_column, last_column = roles["start"], roles[last]
    first = positions(table, first_column, usable, style, _NOTHING_MARKED)
    second = positions(table, last_column, usable, style, _NOTHING_MARKED)
    sound = usable & ~table.faults.bad
    half = sound & (first.missing != second.missing)

    def describe_half(row: int) -> tuple[str, str, str]:
        there, gone, column = (last, "start", last_column) if first.missing[row] else ("start", last, first_column)
        message = f"the unit has a {there} ({table.cell(column, row)}) but no {gone}"
        return table.place(row), message.replace("a end", "an end"), f"Give the {gone}. {_NOTHING_MARKED}"

    table.faults.add("missing-position", np.flatnonzero(half).tolist(), describe_half)
    starts, ends = first.values, second.values if last == "end" else first.values + second.values
    is_unit = ~(first.missing & second.missing)
    backwards = sound & is_unit & ~half & (ends < starts)

    def describe_backwards(row: int) -> tuple[str, str, str]:
        start, other = table.cell(first_column, row), table.cell(last_column, row)
        if last == "duration":
            return table.place(row), f"the unit has a negative duration ({other})", "Correct it."
        message = f"the unit ends ({other}) before it starts ({start})"
        return table.place(row), message, "Are the two columns swapped?"

    rows = np.flatnonzero(backwards).tolist()
    if last == "end" and len(rows) == int((sound & is_unit & ~half).sum()) > 1:
        names = [table.column_name(column).removeprefix("column ") for column in (last_column, first_column)]
        remedy = f"The two columns are swapped: give [[start_column]] {names[0]} and [[end_column]] {names[1]}."
        first_unit = f"{table.cell(first_column, rows[0])} to {table.cell(last_column, rows[0])}"
        message = f"every unit ends before it starts, beginning with {first_unit}"
        table.faults.add_together(Problem("end-before-start", "error", table.place(rows[0]), message, remedy), rows)
    else:
        table.faults.add("end-before-start", rows, describe_backwards)
    return starts, ends, is_unit


def _note_time_codes(table: Table, columns: Sequence[int], style: NumberStyle) -> TimeUnit | None:
    """The unit that time codes were converted to, None where there are none; a question about numbers among them."""
    if not any(has_colons(table.columns[column]) for column in columns):
        return None
    codes: list[str] = []
    numbers: list[tuple[int, str]] = []
    for column in columns:
        cells = table.columns[column]
        for cell in () if isinstance(cells, Numbers) else dict.fromkeys(map(str.strip, distinct_cells(cells))):
            if ":" in cell and is_time_code(cell):
                codes.append(cell)
            elif cell.strip("0.,+-"):
                numbers.append((column, cell))
        if isinstance(cells, Numbers) and cells.values[~cells.missing].any():
            value = cells.values[~cells.missing & (cells.values != 0)][0]
            numbers.append((column, repr(value.item())))
    if not codes:
        return None
    if numbers and style.time_unit is None:
        column, number = numbers[0]
        raise FormatError.of(
            f"positions are time codes ({codes[0]}) and plain numbers ({short(number)} in {table.column_name(column)})",
            "If the plain numbers are seconds, give [[time_unit]] s; if they are milliseconds, give [[time_unit]] ms.",
            where=table.heading,
            code="question-time-unit",
        )
    unit = style.time_unit or "s"
    words = {"s": "seconds", "ms": "milliseconds", "frames": "frames"}[unit]
    message = f"time codes such as {codes[0]} were read as {words} ({read_time_code(codes[0], style)})"
    table.notes.append(Problem("time-codes", "note", table.where, message, "Choose another unit with [[time_unit]]."))
    return cast("TimeUnit", unit)


def positions(table: Table, column: int, usable: BoolArray, style: NumberStyle, advice: str = "") -> Numbers:
    """A column of positions; cells that are no positions become faults, with some advice on empty cells."""
    parsed, bad = parse_numbers(table.columns[column], style)
    n_filled = int((usable & ~parsed.missing).sum())
    name = table.column_name(column)
    for code, rows in bad.items():
        culprits = [row for row in rows if usable[row]]
        if not culprits:
            continue
        where, message, remedy = _describe_cell(table, column, culprits[0], code, advice)
        if code == "question-number":
            # Not a fault that could be skipped: the numbers that are left would be wrong.
            raise FormatError([_number_question(table, column, culprits, style)])
        if code == "not-a-number" and len(culprits) == n_filled > 1:
            message = f"no cell of {name} is a number, beginning with {_shown_cell(table, column, culprits[0])}"
            remedy = "Is it the right column? If not, name the right one with [[start_column]] or [[end_column]]."
            if _DATE.match(table.cell(column, culprits[0])):
                message = f"the cells of {name} are dates, beginning with {_shown_cell(table, column, culprits[0])}"
                remedy = "Give positions as times from the beginning of the recording, in seconds or as hh:mm:ss."
            table.faults.add_together(Problem(code, "error", where, message, remedy), culprits)
        elif code in ("decimal-comma", "time-code") and len(culprits) > 1:
            others = quantity(len(culprits) - 1, "further cell")
            cell = _shown_cell(table, column, culprits[0])
            have = "have a decimal comma" if code == "decimal-comma" else message.partition(f" in {name} ")[2]
            message = f"{cell} and {others} of {name} {have.replace('is a time code', 'are time codes')}"
            table.faults.add_together(Problem(code, "error", where, message, remedy), culprits)
        else:
            table.faults.add(code, culprits, lambda row, code=code: _describe_cell(table, column, row, code, advice))  # type: ignore[misc]
    return parsed


def _number_question(table: Table, column: int, culprits: Sequence[int], style: NumberStyle) -> Problem:
    """The question whether a sign stands between thousands or before decimals."""
    name, cell = table.column_name(column), table.cell(column, culprits[0])
    sign = "," if "," in cell else "."
    large, small = cell.replace(sign, ""), cell.replace(sign, ".")
    others = f" (and {quantity(len(culprits) - 1, 'further cell')})" if len(culprits) > 1 else ""
    readings = f"may be {large} or {float(small):g}" if small.count(".") == 1 else f"may be {large}"
    message = f"{cell!r} in {name}{others} {readings}"
    if sign == ",":
        remedy = (
            "If the comma stands between thousands, give [[thousands]] ,; if it is the decimal sign, give "
            "[[decimal]] ,."
        )
    elif style.decimal == ",":
        remedy = (
            "If the point stands between thousands, give [[thousands]] .; if it is the decimal sign, leave out "
            "[[decimal]]."
        )
    else:
        remedy = (
            "If the point stands between thousands, give [[thousands]] . and [[decimal]] ,; if it is the decimal sign, "
            "give [[thousands]] ,."
        )
    return Problem("question-number", "error", table.place(culprits[0]), message, remedy)


def _shown_cell(table: Table, column: int, row: int) -> str:
    cell = table.cell(column, row)
    return cell if isinstance(table.columns[column], Numbers) else repr(cell)


def _describe_cell(table: Table, column: int, row: int, code: str, advice: str) -> tuple[str, str, str]:
    name, cell, shown = table.column_name(column), table.cell(column, row), _shown_cell(table, column, row)
    message, remedy = f"{shown} in {name} is not a number", f"Correct it. {advice}".strip()
    if code == "too-large":
        message = f"{shown} in {name} is beyond the largest position, 2**53 (9,007,199,254,740,992)"
        remedy = "Count from a nearer origin."
    elif code == "not-finite":
        message = f"{shown} in {name} is not a finite number"
    elif code == "decimal-comma":
        message = f"{shown} in {name} has a decimal comma"
        remedy = f"Write {cell.replace(',', '.')}, or give [[decimal]] ,."
    elif code == "time-code":
        message = f"{shown} in {name} is a time code with frames"
        remedy = "Give the frames per second with [[fps]]; the frames of a time code must be fewer."
        if cell.count(":") < 3:
            message = f"{shown} in {name} is a time code, and positions are to be frames"
            remedy = "Give the frames per second with [[fps]]."
    elif ":" in cell:
        remedy = f"Write times as mm:ss, hh:mm:ss (each with decimals or not) or hh:mm:ss:ff. {advice}".strip()
    return table.place(row), message, remedy


def _features(table: Table, columns: ColumnRoles) -> tuple[dict[str, Labels], list[Problem], dict[int, Labels]]:
    """The category and every further column that has a name and content; the latter also by their number."""
    roles = columns.roles
    features: dict[str, Labels] = {}
    notes: list[Problem] = []
    if CATEGORY in roles:
        features[CATEGORY] = labels_of(table.columns[roles[CATEGORY]])
    further: dict[int, Labels] = {}
    unnamed, empty = [], []
    for column, name in enumerate(table.names):
        if column in roles.values():
            continue
        if not name:
            unnamed.append(str(column + 1))
            continue
        labels = labels_of(table.columns[column])
        if labels.is_empty:
            empty.append(name)
        else:
            further[column] = labels
            # The name "category" is reserved, even when the category itself comes from another column.
            features[f"{name}_{column + 1}" if name in features or name == CATEGORY else name] = labels
    for code, several, state in (("unnamed-column", unnamed, "no name"), ("empty-column", empty, "no content")):
        if several and (table.n_rows or several is unnamed):
            are = f"column {several[0]} has" if len(several) == 1 else f"columns {listing(several)} have"
            message = f"{are} {state} and {'was' if len(several) == 1 else 'were'} left out"
            notes.append(Problem(code, "note", table.where, message))
    return features, notes, further
