# SPDX-License-Identifier: MIT
"""Alignments as tables: for the terminal, and for other programs as rows, one for each unitary alignment or unit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rich.cells import cell_len
from rich.table import Table
from rich.text import Text

from unisono.alignment.disagreements import Disagreements, by_disorder
from unisono.model import CATEGORY
from unisono.report import counted, visible
from unisono.report.cells import number, plain_table
from unisono.report.tabular import Tabular

if TYPE_CHECKING:
    from unisono.model import Alignment, Unit
    from unisono.report.terminal import Page

#: Version of the JSON of alignments. 1: the first.
SCHEMA = 1


@dataclass(frozen=True)
class Selection:
    """Which unitary alignments are shown, and in which order.

    disagreements: only those with disorder, or, if `kinds` are named, those that differ in one of these; worst_first:
    the greatest disorder first instead of by place.
    """

    disagreements: bool = False
    kinds: tuple[str, ...] = ()
    worst_first: bool = False

    def numbers(self, found: Disagreements) -> list[int]:
        """The numbers of the unitary alignments, from 0."""
        if self.disagreements or self.kinds:
            return [int(i) for i in found.chosen(self.kinds, worst_first=self.worst_first)]
        if self.worst_first:
            return [int(i) for i in by_disorder(found.alignment)]
        return list(range(len(found.alignment)))


EVERYTHING = Selection()


@dataclass(frozen=True)
class Row:
    """One unitary alignment: its document, its number from 1, its disorder, in what it differs, whose units."""

    document: str
    number: int
    disorder: float
    differs_in: tuple[str, ...]
    units: tuple[Unit | None, ...]


def rows(name: str, alignment: Alignment, selection: Selection = EVERYTHING, *, feature: str = CATEGORY) -> list[Row]:
    """The unitary alignments that are wanted, as every way of showing takes them."""
    found = Disagreements.of(alignment, feature)
    continuum = alignment.continuum
    order, firsts, codes = found.order.tolist(), found.firsts.tolist(), continuum.annotator_codes.tolist()
    made = []
    for i in selection.numbers(found):
        units: list[Unit | None] = [None] * continuum.n_annotators
        for unit in order[firsts[i] : firsts[i + 1]]:
            units[codes[unit]] = continuum[unit]
        made.append(Row(name, i + 1, alignment.disorders[i].item(), found.kinds(i), tuple(units)))
    return made


# -- for other programs ----------------------------------------------------------------------------------------------


def by_unitary_alignment(documents: Mapping[str, Alignment], shown: Sequence[Row]) -> Tabular:
    """A row for each unitary alignment, a column for each annotator with `start-end category`.

    A cell is - for an annotator who marked nothing there, and empty for one who did not see the document.
    """
    annotators = sorted({name for alignment in documents.values() for name in alignment.continuum.annotators})
    fixed: dict[str, type | str] = {"document": str, "unitary_alignment": int, "disorder": float, "differs_in": str}
    # An annotator may be called "disorder", and a table has no two columns of one name.
    columns = {f"annotator:{name}" if name in fixed else name: str for name in annotators}
    made = []
    for row in shown:
        units = dict(zip(documents[row.document].continuum.annotators, row.units, strict=True))
        cells = [unit_text(units[annotator]) if annotator in units else None for annotator in annotators]
        made.append([row.document, row.number, row.disorder, " ".join(row.differs_in), *cells])
    return Tabular(fixed | columns, made)


def by_unit(documents: Mapping[str, Alignment], shown: Sequence[Row]) -> Tabular:
    """A row for each unit and for each empty unit, which has neither start nor end; features in columns."""
    names = sorted({name for a in documents.values() for name in a.continuum.features} - {CATEGORY})
    columns: dict[str, type | str] = {
        "document": str, "unitary_alignment": int, "disorder": float, "differs_in": str, "annotator": str,
        "start": "position", "end": "position", CATEGORY: str,
    }  # fmt: skip
    columns |= {f"feature:{name}" if name in columns else name: str for name in names}
    made: list[list[Any]] = []
    for row in shown:
        first = [row.document, row.number, row.disorder, " ".join(row.differs_in)]
        for annotator, unit in zip(documents[row.document].continuum.annotators, row.units, strict=True):
            if unit is None:
                made.append([*first, annotator, None, None, None, *([None] * len(names))])
            else:
                labels = [unit.features.get(name) for name in names]
                made.append([*first, annotator, unit.start, unit.end, unit.category, *labels])
    return Tabular(columns, made)


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

    Where so many annotators have no room side by side, their units are listed one below the other.
    """
    if name:
        page.line(visible(name), "bold")
    shown = rows(name, alignment) if shown is None else shown
    annotators = [visible(annotator) for annotator in alignment.continuum.annotators]
    cells = [[visible(unit_text(unit)) for unit in row.units] for row in shown]
    heads = [(str(row.number), number(row.disorder)) for row in shown]
    # A column may be broken into lines, but not below twelve characters.
    widths = [min(12, max(map(cell_len, column))) for column in zip(annotators, *cells, strict=True)]
    if not shown:
        page.line("no disagreement")
    elif 14 + sum(width + 2 for width in widths) <= page.width:
        page.add(_wide(annotators, heads, cells, widths))
    else:
        page.add(_long(annotators, heads, cells))
    add_proof(page, alignment, n_shown=len(shown))


def add_proof(page: Page, alignment: Alignment, *, n_shown: int | None = None) -> None:
    """What was left out, the disorder, and how sure it is the least possible."""
    if n_shown is not None and n_shown < len(alignment):
        page.line(f"{n_shown:,} of {counted(len(alignment), 'unitary alignment')} shown", "dim")
    page.line(proof(alignment), "" if alignment.gap == 0 else "bold red")
    page.add()


def _wide(annotators: list[str], heads: list[tuple[str, str]], rows: list[list[str]], widths: list[int]) -> Table:
    table = plain_table()
    table.add_column("", justify="right", no_wrap=True)
    table.add_column("disorder", justify="right", no_wrap=True)
    for annotator, width in zip(annotators, widths, strict=True):
        table.add_column(Text(annotator), overflow="fold", min_width=width)
    for head, cells in zip(heads, rows, strict=True):
        units = [Text(cell, "dim" if cell == "-" else "") for cell in cells]
        table.add_row(*map(Text, head), *units)
    return table


def _long(annotators: list[str], heads: list[tuple[str, str]], rows: list[list[str]]) -> Table:
    table = plain_table()
    for header in ("", "disorder"):
        table.add_column(header, justify="right", no_wrap=True)
    for header in ("annotator", "unit"):
        table.add_column(header, overflow="fold")
    for head, cells in zip(heads, rows, strict=True):
        first = head
        for annotator, cell in zip(annotators, cells, strict=True):
            if cell != "-":
                table.add_row(*(Text(text) for text in (*first, annotator, cell)))
                first = ("", "")
    return table


def unit_text(unit: Unit | None) -> str:
    """A unit in a cell: `start-end category`, or `-` for the empty unit.

    >>> from unisono.model import Unit
    >>> unit_text(Unit(3, 9, "Person")), unit_text(None)
    ('3-9 Person', '-')
    """
    if unit is None:
        return "-"
    return f"{unit.start}-{unit.end}" + ("" if unit.category is None else f" {unit.category}")


def proof(alignment: Alignment) -> str:
    """One line on the disorder of an alignment and how sure it is the least possible."""
    text = f"disorder {alignment.disorder:.6g}, lower bound {alignment.lower_bound:.6g}, "
    if alignment.gap == 0:
        return text + "gap 0: proven to be the best alignment"
    limit = f"the {alignment.limit} limit" if alignment.limit else "a limit"
    return text + f"gap {100 * alignment.gap:.3g} %: NOT PROVEN to be the best, {limit} stopped the search"
