# SPDX-License-Identifier: MIT
"""Alignments as tables: on the terminal, and as rows for other programs (one per unitary alignment or per unit)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.cells import cell_len
from rich.table import Table
from rich.text import Text

from unisono.alignment.disagreements import Disagreements, beyond_average, by_disorder, rank
from unisono.model import CATEGORY
from unisono.model.units import unit_text
from unisono.nouns import quantity
from unisono.report import visible
from unisono.report.notation import gap_percent, number
from unisono.report.tabular import Tabular
from unisono.report.text_page import Page, plain_table

if TYPE_CHECKING:
    from unisono.model import Alignment, Unit

#: Version of the JSON of alignments. 1: the first.
SCHEMA = 1
#: Pairs that do not overlap are named up to this number, then counted.
MOST_APART = 2


@dataclass(frozen=True)
class Selection:
    """Which unitary alignments are shown, and in which order.

    disagreements: only those with disorder, or, if `kinds` are named, those that differ in one of these; worst_first:
    those that cost most first (`rank`) instead of by place.
    """

    disagreements: bool = False
    kinds: tuple[str, ...] = ()
    worst_first: bool = False

    def numbers(self, disagreements: Disagreements) -> list[int]:
        """The numbers of the unitary alignments, from 0."""
        if self.disagreements or self.kinds:
            return [int(i) for i in disagreements.select(self.kinds, worst_first=self.worst_first)]
        if self.worst_first:
            return [int(i) for i in by_disorder(disagreements.alignment)]
        return list(range(len(disagreements.alignment)))


EVERYTHING = Selection()


@dataclass(frozen=True)
class Row:
    """One unitary alignment: its document, its number from 1, its disorder, what differs, the units by annotator.

    contribution: the disorder beyond that of an average unitary alignment; apart: the pairs of annotators whose units
    were aligned although they do not overlap.
    """

    document: str
    number: int
    disorder: float
    differs_in: tuple[str, ...]
    units: tuple[Unit | None, ...]
    contribution: float = 0.0
    apart: tuple[tuple[str, str], ...] = ()
    #: Whether a unit overlaps none of the others.
    has_stray: bool = False


def rows(name: str, alignment: Alignment, selection: Selection = EVERYTHING, *, feature: str = CATEGORY) -> list[Row]:
    """The selected unitary alignments, for tables and exports."""
    disagreements = Disagreements.of(alignment, feature)
    continuum = alignment.continuum
    order, firsts = disagreements.order.tolist(), disagreements.firsts.tolist()
    codes = continuum.annotator_codes.tolist()
    contribution = disagreements.contribution.tolist()
    apart: dict[int, list[tuple[str, str]]] = {}
    for u, v in zip(*(column.tolist() for column in disagreements.pairs_apart), strict=True):
        pair = continuum.annotators[codes[u]], continuum.annotators[codes[v]]
        apart.setdefault(int(alignment.group[u]), []).append(pair)
    selected = []
    for i in selection.numbers(disagreements):
        units: list[Unit | None] = [None] * continuum.n_annotators
        for unit in order[firsts[i] : firsts[i + 1]]:
            units[codes[unit]] = continuum[unit]
        selected.append(
            Row(
                name,
                i + 1,
                alignment.disorders[i].item(),
                disagreements.kinds(i),
                tuple(units),
                contribution[i],
                tuple(apart.get(i, ())),
                bool(disagreements.has_stray[i]),
            )
        )
    return selected


def rank_rows(rows: Sequence[Row]) -> list[Row]:
    """The unitary alignments of all documents, worst first; an average one is that of all these rows."""
    disorders = np.array([row.disorder for row in rows])
    contribution = beyond_average(disorders).tolist()
    order = rank(disorders, np.array([row.has_stray for row in rows], dtype=bool))
    return [replace(rows[i], contribution=contribution[i]) for i in order.tolist()]


# -- for other programs ----------------------------------------------------------------------------------------------


def by_unitary_alignment(documents: Mapping[str, Alignment], shown: Sequence[Row]) -> Tabular:
    """A row for each unitary alignment, a column for each annotator with `start-end category`.

    A cell is - for an annotator who marked nothing there, and empty for one who did not see the document. The last
    columns: the disorder beyond that of an average unitary alignment, and how many pairs of units do not overlap.
    """
    annotators = sorted({name for alignment in documents.values() for name in alignment.continuum.annotators})
    fixed: dict[str, type | str] = {"document": str, "unitary_alignment": int, "disorder": float, "differs_in": str}
    # These were added in a later version: new columns come last.
    added: dict[str, type | str] = {"contribution": float, "pairs_apart": int}
    # An annotator may be called "disorder"; column names must be unique.
    columns = {f"annotator:{name}" if name in fixed | added else name: str for name in annotators}
    table = []
    for row in shown:
        units = dict(zip(documents[row.document].continuum.annotators, row.units, strict=True))
        cells = [unit_text(units[annotator]) if annotator in units else None for annotator in annotators]
        table.append([*_head(row), *cells, row.contribution, len(row.apart)])
    return Tabular(fixed | columns | added, table)


def _head(row: Row) -> list[Any]:
    return [row.document, row.number, row.disorder, " ".join(row.differs_in)]


def by_unit(documents: Mapping[str, Alignment], shown: Sequence[Row]) -> Tabular:
    """A row for each unit and for each empty unit, which has neither start nor end; features in columns."""
    names = sorted({name for a in documents.values() for name in a.continuum.features} - {CATEGORY})
    columns: dict[str, type | str] = {
        "document": str, "unitary_alignment": int, "disorder": float, "differs_in": str, "annotator": str,
        "start": "position", "end": "position", CATEGORY: str,
    }  # fmt: skip
    columns |= {f"feature:{name}" if name in columns else name: str for name in names}
    table: list[list[Any]] = []
    for row in shown:
        first = _head(row)
        for annotator, unit in zip(documents[row.document].continuum.annotators, row.units, strict=True):
            if unit is None:
                table.append([*first, annotator, None, None, None, *([None] * len(names))])
            else:
                labels = [unit.features.get(name) for name in names]
                table.append([*first, annotator, unit.start, unit.end, unit.category, *labels])
    return Tabular(columns, table)


def as_dict(documents: Mapping[str, Alignment], shown: Sequence[Row], *, dissimilarity: str) -> dict[str, Any]:
    """The alignments for JSON, units with all their features."""
    from unisono.results import package_version

    of_document: dict[str, list[Row]] = {name: [] for name in documents}
    for row in shown:
        of_document[row.document].append(row)
    return {
        "schema": SCHEMA,
        "unisono": package_version(),
        "dissimilarity": dissimilarity,
        "documents": [
            {
                "name": name,
                "annotators": list(alignment.continuum.annotators),
                "units": alignment.continuum.n_units,
                "disorder": alignment.disorder,
                "lower_bound": alignment.lower_bound,
                "gap": alignment.gap,
                "limit": alignment.limit,
                "unitary_alignments": [
                    {
                        "number": row.number,
                        "disorder": row.disorder,
                        "differs_in": list(row.differs_in),
                        "contribution": row.contribution,
                        "apart": [list(pair) for pair in row.apart],
                        "units": [None if unit is None else _unit(unit) for unit in row.units],
                    }
                    for row in of_document[name]
                ],
            }
            for name, alignment in documents.items()
        ],
    }


def _unit(unit: Unit) -> dict[str, Any]:
    return {
        "annotator": unit.annotator,
        "start": unit.start,
        "end": unit.end,
        "category": unit.category,
        "features": dict(unit.features),
    }


# -- for people ------------------------------------------------------------------------------------------------------


def add_alignment(page: Page, name: str, alignment: Alignment, shown: Sequence[Row] | None = None) -> None:
    """One row for each unitary alignment, one column for each annotator; then the proof.

    If the page is too narrow for the columns, the units are listed one below the other.
    """
    if name:
        page.line(visible(name), "bold")
    shown = rows(name, alignment) if shown is None else shown
    annotators = [visible(annotator) for annotator in alignment.continuum.annotators]
    cells = [[visible(unit_text(unit)) for unit in row.units] for row in shown]
    marks = [_overlap_mark(row) for row in shown]
    heads = [(str(row.number), number(row.disorder)) for row in shown]
    # A column may be broken into lines, but not below twelve characters.
    widths = [min(12, max(map(cell_len, column))) for column in zip(annotators, *cells, strict=True)]
    if not shown:
        page.line("no disagreement")
    elif 14 + sum(width + 2 for width in widths) + max(map(cell_len, marks)) <= page.width:
        page.add(_wide_table(annotators, heads, cells, widths, marks))
    else:
        page.add(_long_table(annotators, heads, cells, marks))
    add_proof(page, alignment, n_shown=len(shown))


def add_proof(page: Page, alignment: Alignment, *, n_shown: int | None = None) -> None:
    """How many unitary alignments are shown, the disorder, and whether it is proven to be the least possible."""
    if n_shown is not None and n_shown < len(alignment):
        page.line(f"{n_shown:,} of {quantity(len(alignment), 'unitary alignment')} shown", "dim")
    page.line(proof(alignment), "" if alignment.gap == 0 else "bold red")
    page.add()


def _overlap_mark(row: Row) -> str:
    """Which units were aligned although they do not overlap: their annotators, or the number of pairs if many."""
    if not row.apart:
        return ""
    n_units = sum(unit is not None for unit in row.units)
    if n_units == 2:
        return "do not overlap"
    if len(row.apart) > MOST_APART:
        return f"{len(row.apart):,} of {quantity(n_units * (n_units - 1) // 2, 'pair')} do not overlap"
    pairs = ", ".join(f"{visible(first)} and {visible(second)}" for first, second in row.apart)
    return f"do not overlap: {pairs}"


def _wide_table(
    annotators: list[str], heads: list[tuple[str, str]], rows: list[list[str]], widths: list[int], marks: list[str]
) -> Table:
    table = plain_table()
    table.add_column("", justify="right", no_wrap=True)
    table.add_column("disorder", justify="right", no_wrap=True)
    for annotator, width in zip(annotators, widths, strict=True):
        table.add_column(Text(annotator), overflow="fold", min_width=width)
    if any(marks):
        table.add_column("", overflow="fold")
    for head, cells, mark in zip(heads, rows, marks, strict=True):
        units = [Text(cell, "dim" if cell == "-" else "") for cell in cells]
        table.add_row(*map(Text, head), *units, *([Text(mark, "bold")] if any(marks) else []))
    return table


def _long_table(annotators: list[str], heads: list[tuple[str, str]], rows: list[list[str]], marks: list[str]) -> Table:
    table = plain_table()
    for header in ("", "disorder"):
        table.add_column(header, justify="right", no_wrap=True)
    for header in ("annotator", "unit"):
        table.add_column(header, overflow="fold")
    for head, cells, mark in zip(heads, rows, marks, strict=True):
        first = head
        for annotator, cell in zip(annotators, cells, strict=True):
            if cell != "-":
                table.add_row(*(Text(text) for text in (*first, annotator, cell)))
                first = ("", "")
        if mark:
            table.add_row("", "", "", Text(mark, "bold"))
    return table


def proof(alignment: Alignment) -> str:
    """One line with the disorder of an alignment and whether it is proven to be the least possible."""
    text = f"disorder {alignment.disorder:.6g}, lower bound {alignment.lower_bound:.6g}, "
    if alignment.gap == 0:
        return text + "gap 0: proven to be the best alignment"
    limit = f"the {alignment.limit} limit" if alignment.limit else "a limit"
    return text + f"gap {gap_percent(alignment.gap)}: NOT PROVEN to be the best, {limit} stopped the search"
