# SPDX-License-Identifier: MIT
"""Versions of a text side by side: which units correspond and how they differ; for terminal, page, CSV and JSON.

Everything is drawn from the object that `TextAlignment.to_dict` gives, which saved results keep.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from unisono.io.writers.formulas import escape_formula
from unisono.nouns import quantity
from unisono.report import visible
from unisono.report.notation import count, number
from unisono.results import TEXT_MEASURE

if TYPE_CHECKING:
    from unisono.report.text_page import Page
    from unisono.results import Result
    from unisono.text import TextAlignment

    #: An alignment, or the object that its `to_dict` gives.
    AnyAlignment = TextAlignment | Mapping[str, Any]

#: The text of a unit is cut after this many characters on the terminal and on the page.
LONGEST_TEXT = 40
#: Documents on a page, and rows of each.
MOST_TABLES = 20
MOST_ROWS = 200
#: Keys of the numbers of differences that are no features.
_NO_FEATURES = ("all", "equal", "segmentation", "text")


def add_text_result(
    page: Page, result: Result, *, alignment: bool = False, differences_only: bool = True, all_documents: bool = False
) -> None:
    """text-γ and the numbers behind it, how many units differ in what, and, if asked for, the versions side by side."""
    from unisono.report.terminal import add_result  # saving a result does without it

    add_result(page, result, all_documents=all_documents)
    if len(result.documents) > 1 and not alignment:
        return
    for document in result.documents:
        aligned = document[TEXT_MEASURE].text_alignment
        if aligned is None:
            continue
        page.add()
        if len(result.documents) > 1:
            page.line(visible(document.name), "bold")
        add_counts(page, as_dict(aligned)["differences"])
        if alignment:
            add_text_alignment(page, aligned, differences_only=differences_only)


def add_counts(page: Page, counts: Mapping[str, int]) -> None:
    """How many unitary alignments differ in what."""
    from unisono.report.text_page import add_rows

    add_rows(page, ("differ in", "unitary alignments"), count_rows(counts))
    page.line(f"{quantity(counts['all'], 'unitary alignment')} in all; one may differ in several respects")
    page.add()


def count_rows(counts: Mapping[str, int]) -> list[tuple[str, str]]:
    """What unitary alignments differ in, and how many do."""
    return [("nothing" if name == "equal" else name, count(n)) for name, n in counts.items() if name != "all"]


def add_text_alignment(page: Page, alignment: AnyAlignment, *, differences_only: bool = False) -> None:
    """One row for each unitary alignment, one column for each annotator; the last column says what differs."""
    from unisono.report.text_page import add_rows

    data = as_dict(alignment)
    rows = side_by_side(data, differences_only=differences_only)
    add_rows(page, ("", "disorder", *map(visible, data["annotators"]), "differs in"), rows)
    left_out = len(data["unitary_alignments"]) - len(rows)
    if left_out:
        page.line(f"{quantity(left_out, 'unitary alignment')} without any difference not shown")
    page.line(f"disorder {data['disorder']:.6g}")
    page.add()


def side_by_side(data: Mapping[str, Any], *, differences_only: bool) -> list[tuple[str, ...]]:
    """The rows of the table: number, disorder, the unit of each annotator, what differs."""
    rows = []
    for place, unitary in enumerate(data["unitary_alignments"], start=1):
        differences = unitary["differences"]
        if differences or not differences_only:
            cells = ["-" if unit is None else _cell(unit, differences) for unit in unitary["units"]]
            rows.append((str(place), number(unitary["disorder"]), *cells, ", ".join(differences)))
    return rows


def version_tables(result: Result, order: Sequence[int]) -> list[dict[str, Any]]:
    """The tables of a page: what differs side by side, for the first documents in this order."""
    tables: list[dict[str, Any]] = []
    for document in (result.documents[i] for i in order):
        aligned = document.measures[TEXT_MEASURE].text_alignment if TEXT_MEASURE in document.measures else None
        if aligned is None or len(tables) == MOST_TABLES:
            continue
        data = as_dict(aligned)
        rows = side_by_side(data, differences_only=True)
        tables.append(
            {
                "name": document.name,
                "annotators": data["annotators"],
                "counts": count_rows(data["differences"]),
                "total": data["differences"]["all"],
                "rows": rows[:MOST_ROWS],
                "n_more": len(rows[MOST_ROWS:]),
            }
        )
    return tables


def as_csv(alignment: AnyAlignment, *, escape_formulas: bool = False) -> str:
    """A row for each unitary alignment: what differs, then for each annotator start, end, text and features.

    escape_formulas: whether texts that a spreadsheet would take for formulas get an apostrophe before them.
    """
    data = as_dict(alignment)
    names = [name for name in data["differences"] if name not in _NO_FEATURES]
    file = io.StringIO()
    rows = csv.writer(file, lineterminator="\n")
    header = ["unitary_alignment", "type", "disorder", "differences"]
    for annotator in data["annotators"]:
        header += [f"{annotator}:{column}" for column in ("start", "end", "text", *names)]
    escape = escape_formula if escape_formulas else lambda cell: cell
    rows.writerow(map(visible, map(escape, header)))
    for place, unitary in enumerate(data["unitary_alignments"], start=1):
        kind = next(unit["type"] for unit in unitary["units"] if unit is not None)
        row: list[object] = [place, kind, repr(unitary["disorder"]), " ".join(unitary["differences"])]
        for unit in unitary["units"]:
            if unit is None:
                row += [""] * (3 + len(names))
            else:
                labels = (visible(unit["features"].get(name) or "") for name in names)
                row += [unit["start"], unit["end"], visible(unit["text"] or ""), *labels]
        rows.writerow(map(escape, row))
    return file.getvalue()


def as_dict(alignment: AnyAlignment) -> Mapping[str, Any]:
    """The alignment for JSON."""
    return alignment if isinstance(alignment, Mapping) else alignment.to_dict()


def _cell(unit: Mapping[str, Any], differences: Sequence[str]) -> str:
    """A unit in a cell: its text, and the labels of the features that differ."""
    text = unit["text"] or ""
    shown = text if len(text) <= LONGEST_TEXT else text[: LONGEST_TEXT - 1] + "…"
    features = unit["features"]
    return " ".join([shown, *(f"{name}={features[name] or '-'}" for name in differences if name in features)])
