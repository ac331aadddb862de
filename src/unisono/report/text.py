# SPDX-License-Identifier: MIT
"""Versions of a text side by side: which units correspond, what sets them apart; for the terminal, as CSV, as JSON."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Any

from unisono.report import counted, visible
from unisono.report.terminal import Page, add_result, add_rows

if TYPE_CHECKING:
    from unisono.text import TextAlignment, TextUnit
    from unisono.texts import TextResult

#: Version of the JSON of an alignment of texts. 1: the first.
SCHEMA = 1
#: A unit's text is cut after so many characters on the terminal.
LONGEST_TEXT = 40


def add_text_result(page: Page, result: TextResult, *, alignment: bool = False, differences_only: bool = True) -> None:
    """text-γ and the numbers behind it, how many units differ in what, and, if asked for, the versions side by side."""
    add_result(page, result)
    if result.alignment is None:
        return
    page.add()
    add_counts(page, result.alignment)
    if alignment:
        add_text_alignment(page, result.alignment, differences_only=differences_only)


def add_counts(page: Page, alignment: TextAlignment) -> None:
    """How many unitary alignments differ in what."""
    counts = alignment.counts
    rows = [("nothing" if name == "equal" else name, f"{count:,}") for name, count in counts.items() if name != "all"]
    add_rows(page, ("differ in", "unitary alignments"), rows)
    page.line(f"{counted(counts['all'], 'unitary alignment')} in all; one may differ in several respects")
    page.add()


def add_text_alignment(page: Page, alignment: TextAlignment, *, differences_only: bool = False) -> None:
    """One row for each unitary alignment, one column for each annotator; what differs stands at the end."""
    rows = []
    for number, unitary in enumerate(alignment.unitary_alignments, start=1):
        if differences_only and not unitary.differences:
            continue
        cells = [
            "-" if unit is None or text is None else _cell(unit, text, unitary.differences)
            for unit, text in zip(unitary.units, unitary.texts, strict=True)
        ]
        rows.append((str(number), f"{unitary.disorder:.3f}", *cells, ", ".join(unitary.differences)))
    add_rows(page, ("", "disorder", *map(visible, alignment.versions.annotators), "differs in"), rows)
    left_out = len(alignment) - len(rows)
    if left_out:
        page.line(f"{counted(left_out, 'unitary alignment')} without any difference not shown")
    page.line(f"disorder {alignment.disorder:.6g}")
    page.add()


def as_csv(alignment: TextAlignment) -> str:
    """A row for each unitary alignment: what differs, then for each annotator start, end, text and features."""
    names = alignment.core.dissimilarity.names
    file = io.StringIO()
    rows = csv.writer(file, lineterminator="\n")
    header = ["unitary_alignment", "type", "disorder", "differences"]
    for annotator in alignment.versions.annotators:
        header += [f"{annotator}:{column}" for column in ("start", "end", "text", *names)]
    rows.writerow(map(visible, header))
    for number, unitary in enumerate(alignment.unitary_alignments, start=1):
        kind = next(unit.type for unit in unitary.units if unit is not None)
        row: list[object] = [number, kind, repr(unitary.disorder), " ".join(unitary.differences)]
        for unit, text in zip(unitary.units, unitary.texts, strict=True):
            if unit is None:
                row += [""] * (3 + len(names))
            else:
                row += [
                    unit.start,
                    unit.end,
                    visible(text or ""),
                    *(visible(unit.features[name] or "") for name in names),
                ]
        rows.writerow(row)
    return file.getvalue()


def as_dict(alignment: TextAlignment) -> dict[str, Any]:
    """The alignment for JSON."""
    return {
        "schema": SCHEMA,
        "name": alignment.versions.name,
        "annotators": list(alignment.versions.annotators),
        "disorder": alignment.disorder,
        "differences": dict(alignment.counts),
        "unitary_alignments": [
            {
                "disorder": unitary.disorder,
                "differences": list(unitary.differences),
                "units": [
                    None
                    if unit is None
                    else {
                        "start": unit.start,
                        "end": unit.end,
                        "type": unit.type,
                        "text": text,
                        "features": dict(unit.features),
                    }
                    for unit, text in zip(unitary.units, unitary.texts, strict=True)
                ],
            }
            for unitary in alignment.unitary_alignments
        ],
    }


def _cell(unit: TextUnit, text: str, differences: tuple[str, ...]) -> str:
    """A unit in a cell: its text, and the labels of the features that differ."""
    shown = text if len(text) <= LONGEST_TEXT else text[: LONGEST_TEXT - 1] + "…"
    labels = [f"{name}={unit.features[name] or '-'}" for name in differences if name in unit.features]
    return " ".join([shown, *labels])
