# SPDX-License-Identifier: MIT
"""A gold standard as text, and the list of units to be checked by a person, for the terminal and other programs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.text import Text

from unisono.analysis.gold import REASONS
from unisono.model.units import unit_text
from unisono.nouns import quantity
from unisono.report import NO_CATEGORY, visible
from unisono.report.notation import number
from unisono.report.tabular import Tabular
from unisono.report.text_page import Page, plain_table

if TYPE_CHECKING:
    from unisono.analysis.gold import Gold, GoldUnit

#: The text of a unit in the list is cut after this many characters.
LONGEST_TEXT = 80


def plain(gold: Gold) -> str:
    """What `print(gold)` shows."""
    page = Page()
    add_gold(page, gold)
    return str(page).rstrip("\n")


def add_gold(page: Page, gold: Gold, *, only_look: bool = False) -> None:
    """Gold units and dropped ones by position, or only those to check, the worst first; then the summary."""
    if only_look:
        shown: Sequence[GoldUnit] = gold.adjudication()
    else:
        shown = [
            unit
            for document in gold.documents
            for unit in (*(document.unit(i) for i in range(len(document))), *document.added_units())
        ]
    if shown:
        page.add(_table(shown, several=len(gold.documents) > 1))
    add_summary(page, gold)


def add_summary(page: Page, gold: Gold) -> None:
    """How many gold units there are, how many were dropped, how many to check and why, the annotators' weights."""
    n_all = sum(len(document) for document in gold.documents)
    page.paragraph(
        f"{quantity(gold.n_units, 'gold unit')} from {quantity(n_all, 'unitary alignment')} in "
        f"{quantity(len(gold.documents), 'document')}; {n_all - gold.n_units:,} dropped"
    )
    if gold.weights is not None:
        names = ", ".join(f"{visible(name)} {number(weight)}" for name, weight in gold.weights.items())
        page.paragraph(f"weights: {names}")
    reasons = np.concatenate([np.zeros(0, dtype=np.int32), *(document.reasons for document in gold.documents)])
    for i, (name, meaning) in enumerate(REASONS.items()):
        n = int(np.count_nonzero(reasons >> i & 1))
        if n:
            page.paragraph(f"{name}: {n:,}  {meaning}", indent="  ")
    if gold.decided is not None:
        further = f", and {quantity(gold.decided.further, 'further decision')}" if gold.decided.further else ""
        page.paragraph(f"{gold.decided.decided:,} of {gold.decided.to_look_at:,} decided by a person{further}")
        for decision in gold.decided.unmet:
            what = "a document" if decision.unit is None else span_text(decision.unit)
            place = f"{visible(decision.document)}: {visible(what)}"
            page.paragraph(f"no such unit: {place} ({decision.decision})", indent="  ")
    for document in gold.documents:
        if document.alignment is not None and document.alignment.gap > 0:
            page.paragraph(
                f"{visible(document.name)}: NOT PROVEN to be the best alignment, a limit stopped the search", "bold red"
            )
    page.add()
    page.line(f"Signature  {visible(gold.signature)}")


def _table(units: Sequence[GoldUnit], *, several: bool) -> Any:
    table = plain_table()
    if several:
        table.add_column("document", overflow="fold")
    table.add_column("", justify="right", no_wrap=True)
    table.add_column("gold unit", overflow="fold", min_width=12)
    table.add_column("support", justify="right", no_wrap=True)
    table.add_column("disorder", justify="right", no_wrap=True)
    table.add_column("look", overflow="fold")
    for unit in units:
        place = span_text((unit.start, unit.end, unit.category))
        cells = [
            Text(str(unit.number) if unit.number else "+"),
            Text(visible(place) if unit.kept else f"({visible(place)})", "" if unit.kept else "dim"),
            Text(f"{unit.support}/{unit.n_annotators}"),
            Text(number(unit.disorder)),
            Text(", ".join(unit.look), "yellow") if unit.decision is None else Text(f"decided: {unit.decision}"),
        ]
        table.add_row(*([Text(visible(unit.document))] if several else []), *cells)
    return table


def span_text(span: tuple[Any, Any, str | None]) -> str:
    """Where a unit is and what it is called: 31-36 City."""
    start, end, category = span
    return f"{start}-{end}" + ("" if category is None else f" {category}")


def adjudication_table(gold: Gold) -> Tabular:
    """A row for each unit to check, the worst first: the consensus, the reasons, and what each annotator marked.

    A cell of an annotator is - where nothing was marked, and empty where the document was not seen.
    """
    annotators = sorted({name for document in gold.documents for name in document.continuum.annotators})
    fixed: dict[str, type | str] = {
        "document": str, "unitary_alignment": int, "disorder": float, "look": str, "kept": str,
        "start": "position", "end": "position", "category": str, "support": str, "votes": str, "text": str,
    }  # fmt: skip
    columns = {f"annotator:{name}" if name in fixed else name: str for name in annotators}
    documents = {document.name: document for document in gold.documents}
    rows: list[list[Any]] = []
    for unit in gold.adjudication():
        document = documents[unit.document]
        theirs = document.theirs(unit.number - 1)
        text = document.continuum.text
        rows.append(
            [
                unit.document,
                unit.number,
                unit.disorder,
                ", ".join(unit.look),
                "yes" if unit.kept else "no",
                unit.start,
                unit.end,
                unit.category,
                f"{unit.support}/{unit.n_annotators}",
                ", ".join(f"{category or NO_CATEGORY} {votes:g}" for category, votes in unit.votes),
                None if text is None else text[int(unit.start) : int(unit.end)][:LONGEST_TEXT],
                *(unit_text(theirs[name]) if name in theirs else None for name in annotators),
            ]
        )
    return Tabular(fixed | columns, rows)
