# SPDX-License-Identifier: MIT
"""Annotators as text: the matrix of pairs, each against the rest, all but one, all against a reference."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.table import Table
from rich.text import Text

from unisono.analysis.annotators import ReferenceResult
from unisono.nouns import quantity
from unisono.report import by_reason, visible
from unisono.report.notation import bounds, count, number, plus_minus
from unisono.report.sentences import computation_error, symbol
from unisono.report.text_page import NAME_WIDTH, Page, plain_table

if TYPE_CHECKING:
    from unisono.analysis.annotators import AnnotatorMatrix, LeftOut

#: With more annotators, or on a narrow page, the pairs are only in the JSON.
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
    """The matrix of pairs if it fits, then each against the rest, then all but one, outliers first."""
    page.add(Text(f"{symbol(matrix.measure)} of every two annotators", "bold"))
    page.add()
    names = [visible(name) for name in matrix.annotators]
    table = _pairs(matrix, names, page.width) if len(names) <= SHOWN_ANNOTATORS else None
    if table is not None:
        page.add(table)
    else:
        page.line(f"{quantity(len(matrix.values), 'pair')}: no room for a table of them all (--json has them)")
    page.add()
    page.add(Text("Each against the rest", "bold"))
    page.add()
    rows = sorted(
        matrix.against_rest, key=lambda each: (each.value is None, -(each.contribution or 0.0), each.annotator)
    )
    headers = ["annotator", symbol(matrix.measure), "others", "gap", "interval of the gap", "documents", "excess"]
    table = _table(headers)
    for each in rows:
        table.add_row(
            Text(visible(each.annotator)),
            Text(number(each.value)),
            Text(number(each.others)),
            Text(number(each.gap)),
            Text(bounds(each.gap_interval)),
            Text(count(each.documents)),
            Text(number(each.contribution, 2)),
        )
    page.add(table)
    page.paragraph("excess: disorder of the annotator's pairs beyond that of average pairs; the largest first", "dim")
    if matrix.outlier is not None:
        page.paragraph(
            f"{visible(matrix.outlier)} is furthest below the others. Some annotator is almost always lowest: the gap "
            "and its interval say how far."
        )
    _add_reasons(page, [(each.annotator, each.reason) for each in rows if each.reason])
    if left_out:
        page.add()
        add_leave_one_out(page, matrix.measure, left_out)
    _add_signature(page, matrix.signature, matrix.seed)


def add_leave_one_out(page: Page, measure: str, rows: Sequence[LeftOut]) -> None:
    """Agreement without each annotator in turn, the largest gain first."""
    page.add(Text(f"{symbol(measure)} without each annotator", "bold"))
    page.add()
    table = _table(["annotator", "without", "everybody", "gain", "interval of the gain", "documents"])
    ordered = sorted(rows, key=lambda each: (each.gain is None, -(each.gain or 0.0), each.annotator))
    for each in ordered:
        table.add_row(
            Text(visible(each.annotator)),
            Text(number(each.without)),
            Text(number(each.everybody)),
            Text(number(each.gain)),
            Text(bounds(each.interval)),
            Text(count(each.documents)),
        )
    page.add(table)
    _add_reasons(page, [(each.annotator, each.reason) for each in ordered if each.reason])


def add_reference(page: Page, result: ReferenceResult) -> None:
    """Each annotator with the reference, then the mean, then how categories were mapped."""
    page.add(Text(f"{symbol(result.measure)} with {visible(result.reference)}, the reference", "bold"))
    page.add()
    table = _table(["annotator", symbol(result.measure), "computation error", "documents"])
    for name, value in result.values.items():
        table.add_row(
            Text(visible(name)),
            Text(number(value.value)),
            Text(plus_minus(computation_error(value))),
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
    """The matrix; columns have numbers where the names are too long; None if the page is too narrow for it."""
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


def _add_reasons(page: Page, rows: Sequence[tuple[str, str | None]]) -> None:
    for line in by_reason((name, reason or "") for name, reason in rows):
        page.paragraph(line, indent="  ")


def _add_signature(page: Page, signature: str, seed: int) -> None:
    page.add()
    page.line(f"Signature  {visible(signature)}")
    page.line(f"Seed       {seed}")
