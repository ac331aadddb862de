# SPDX-License-Identifier: MIT
"""Annotators as text: the matrix of pairs, each against the rest, everybody but one, all against a reference."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.table import Table
from rich.text import Text

from unisono.annotators import ReferenceResult
from unisono.measures import MEASURES
from unisono.report import by_reason, counted, visible
from unisono.report.cells import bounds, count, number, plain_table
from unisono.report.terminal import NAME_WIDTH, Page

if TYPE_CHECKING:
    from unisono.annotators import AnnotatorMatrix, LeftOut
    from unisono.results import Interval

#: Beyond this, or where there is no room, pairs are left to the JSON.
SHOWN_ANNOTATORS = 20


def plain(result: AnnotatorMatrix | ReferenceResult) -> str:
    """What `print(result)` shows."""
    page = Page()
    if isinstance(result, ReferenceResult):
        add_reference(page, result)
    else:
        add_matrix(page, result)
    return str(page).rstrip("\n")


def add_matrix(page: Page, matrix: AnnotatorMatrix, left_out: Sequence[LeftOut] = ()) -> None:
    """The matrix of pairs where there is room, then each against the rest, then everybody but one, outliers first."""
    symbol = _symbol(matrix.measure)
    page.add(Text(f"{symbol} of every two annotators", "bold"))
    page.add()
    names = [visible(name) for name in matrix.annotators]
    table = _pairs(matrix, names, page.width) if len(names) <= SHOWN_ANNOTATORS else None
    if table is not None:
        page.add(table)
    else:
        page.line(f"{counted(len(matrix.values), 'pair')}: no room for a table of them all (--json has them)")
    page.add()
    page.add(Text("Each against the rest", "bold"))
    page.add()
    rows = sorted(matrix.against_rest, key=lambda each: (each.gap is None, -(each.gap or 0.0), each.annotator))
    table = _table(["annotator", symbol, "others", "gap", "interval of the gap", "documents"])
    for each in rows:
        table.add_row(
            Text(visible(each.annotator)),
            Text(number(each.value)),
            Text(number(each.others)),
            Text(number(each.gap)),
            Text(_between(each.gap_interval)),
            Text(count(each.documents)),
        )
    page.add(table)
    if matrix.outlier is not None:
        page.paragraph(
            f"{visible(matrix.outlier)} is furthest below the others. Somebody nearly always is: the gap and its "
            "interval say how far."
        )
    _add_reasons(page, [(each.annotator, each.reason) for each in rows if each.reason])
    if left_out:
        page.add()
        add_leave_one_out(page, matrix.measure, left_out)
    _add_signature(page, matrix.signature, matrix.seed)


def add_leave_one_out(page: Page, measure: str, rows: Sequence[LeftOut]) -> None:
    """Agreement without each annotator in turn, the largest gain first."""
    page.add(Text(f"{_symbol(measure)} without each annotator", "bold"))
    page.add()
    table = _table(["annotator", "without", "everybody", "gain", "interval of the gain", "documents"])
    ordered = sorted(rows, key=lambda each: (each.gain is None, -(each.gain or 0.0), each.annotator))
    for each in ordered:
        table.add_row(
            Text(visible(each.annotator)),
            Text(number(each.without)),
            Text(number(each.everybody)),
            Text(number(each.gain)),
            Text(_between(each.interval)),
            Text(count(each.documents)),
        )
    page.add(table)
    _add_reasons(page, [(each.annotator, each.reason) for each in ordered if each.reason])


def add_reference(page: Page, result: ReferenceResult) -> None:
    """Each annotator with the reference, then the mean, then how categories were mapped."""
    symbol = _symbol(result.measure)
    page.add(Text(f"{symbol} with {visible(result.reference)}, the reference", "bold"))
    page.add()
    table = _table(["annotator", symbol, "chance interval", "documents"])
    for name, value in result.values.items():
        table.add_row(
            Text(visible(name)),
            Text(number(value.value)),
            Text(_between(value.intervals.get("chance"))),
            Text(count(value.documents_measured)),
        )
    table.add_row(Text("mean", "bold"), Text(number(result.mean), "bold"), Text(""), Text(""))
    page.add(table)
    _add_reasons(page, [(name, value.reason) for name, value in result.values.items() if value.reason])
    if result.mapping is not None:
        pairs = [f"{visible(source)} → {visible(target)}" for source, target in result.mapping.items()]
        page.paragraph(f"Categories mapped: {', '.join(pairs) or 'none'}.")
    for note in result.notes:
        page.paragraph(f"Note: {visible(note)}.")
    _add_signature(page, result.signature, result.seed)


def _pairs(matrix: AnnotatorMatrix, names: Sequence[str], width: int) -> Table | None:
    """The matrix; columns by number where names are too long for it; None where there is no room at all."""
    room = width - sum(max(6, cell_len(name)) + 2 for name in names)
    rows, columns = list(names), list(names)
    if room < max(map(cell_len, names)):
        columns = [str(i) for i in range(1, len(names) + 1)]
        room = width - 8 * len(names)
        rows = [f"{i} {name}" for i, name in zip(columns, names, strict=True)]
        if room < min(NAME_WIDTH, max(map(cell_len, rows))):
            return None
    table = _table(["", *columns])
    for name, row in zip(rows, matrix.annotators, strict=True):
        cells = ["" if row == column else number(matrix[row, column].value) for column in matrix.annotators]
        table.add_row(Text(name), *map(Text, cells))
    return table


def _table(header: Sequence[str]) -> Table:
    table = plain_table()
    for column, key in enumerate(header):
        table.add_column(Text(key), justify="right" if column else "left", no_wrap=bool(column), overflow="fold")
    return table


def _symbol(measure: str) -> str:
    return MEASURES[measure].symbol if measure in MEASURES else measure


def _between(interval: Interval | None) -> str:
    return "-" if interval is None else bounds(interval.low, interval.high)


def _add_reasons(page: Page, rows: Sequence[tuple[str, str | None]]) -> None:
    for line in by_reason((name, reason or "") for name, reason in rows):
        page.paragraph(line, indent="  ")


def _add_signature(page: Page, signature: str, seed: int) -> None:
    page.add()
    page.line(f"Signature  {visible(signature)}")
    page.line(f"Seed       {seed}")
