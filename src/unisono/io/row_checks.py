# SPDX-License-Identifier: MIT
"""Problems that show only once the rows of all files are known: extents, skipped rows, tables without documents."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np

from unisono.errors import Problem
from unisono.io.labels import Labels
from unisono.io.layout.result import LayoutResult
from unisono.io.record import Record
from unisono.io.tables.documents_table import DocumentExtent
from unisono.io.tables.participation_table import Participation
from unisono.io.unit_rows import UnitRows
from unisono.io.wording import listing
from unisono.model import CATEGORY, Extent
from unisono.nouns import quantity

#: Most characters of the name of a document, an annotator or a category.
LONGEST_NAME = 10_000

ExtentOf = Callable[[str], tuple[Extent, str | None] | None]


def tables_without_documents(
    parts: Sequence[UnitRows], participation: Participation | None, about: Mapping[str | None, DocumentExtent]
) -> Iterator[Problem]:
    """Participation and documents tables without a document column are only clear if there is a single document."""
    names = {label for rows in parts for label in rows.documents}
    if len(names) <= 1:
        return
    places = [participation.where] if participation is not None and participation.documents is None else []
    places += [about[None].place] if None in about else []
    for place in places:
        message = f"there are {quantity(len(names), 'document')}, and no column says which of them is meant"
        yield Problem("document-column", "error", place, message, "Add a column named document.")


def check_inside(record: Record, rows: UnitRows, extent_of: ExtentOf) -> None:
    """Make units outside the extent of their document faults of the record."""
    assert rows.document_labels is not None
    documents = rows.document_labels
    known = [extent_of(label) for label in documents.labels]
    if not any(known):
        return
    low = np.array([*(entry[0].start if entry else -np.inf for entry in known), -np.inf])
    high = np.array([*(entry[0].end if entry else np.inf for entry in known), np.inf])
    outside = (rows.starts < low[documents.codes]) | (rows.ends > high[documents.codes])
    outside &= rows.is_unit & ~record.faults.bad[rows.origin_row]
    index = {int(rows.origin_row[row]): row for row in np.flatnonzero(outside)[::-1].tolist()}

    def describe(origin: int) -> tuple[str, str, str]:
        row = index[origin]
        code = int(documents.codes[row])
        extent = Extent(low[code].item(), high[code].item())
        entry = known[code]
        if entry is not None:
            extent = entry[0]
        unit, document = f"[{rows.starts[row]}, {rows.ends[row]})", documents.labels[code]
        message = f"the unit {unit} is not inside the extent [{extent.start}, {extent.end}) of {document}"
        return rows.place(row), message, "Correct the unit or the extent."

    record.faults.add("outside-extent", sorted(index), describe)


def check_lengths(record: Record, rows: UnitRows) -> None:
    """Make rows whose document, annotator or category has a name of more than `LONGEST_NAME` characters faults."""
    columns = {"document": rows.document_labels, "annotator": rows.annotator_labels}
    columns["category"] = rows.features.get(CATEGORY)
    for what, labels in columns.items():
        sizes = {code: len(label) for code, label in enumerate(labels.labels)} if labels is not None else {}
        long = [code for code, size in sizes.items() if size > LONGEST_NAME]
        if labels is None or not long:
            continue
        found = np.flatnonzero(np.isin(labels.codes, long) & ~record.faults.bad[rows.origin_row])
        index = {int(rows.origin_row[row]): row for row in found[::-1].tolist()}

        def describe(
            origin: int, what: str = what, labels: Labels = labels, index: dict[int, int] = index
        ) -> tuple[str, str, str]:
            row = index[origin]
            size = len(labels.labels[labels.codes[row]])
            message = f"the {what} has a name of {size:,} characters, more than {LONGEST_NAME:,}"
            return rows.place(row), message, "Is a quote not closed, or is this the column of the text?"

        record.faults.add("long-name", sorted(index), describe)


def skipped_rows(record: Record) -> Problem:
    """The warning about the rows of a record that were left out."""
    faults = record.faults
    n_rows = int(faults.bad.sum()) - faults.n_blank
    reasons = ", ".join(f"{count:,} {code}" for code, count in sorted(faults.counts.items()))
    was = "was" if n_rows == 1 else "were"
    message = f"{quantity(n_rows, 'row')} could not be read and {was} skipped ({reasons})"
    return Problem("skipped-rows", "warning", faults.problems[0].where, message)


def no_units(records: Sequence[Record], result: LayoutResult) -> Problem:
    """The error about an input without a single unit."""
    n_rows = sum(
        int((~record.faults.bad[rows.origin_row]).sum()) for record, rows in zip(records, result.rows, strict=True)
    )
    if n_rows:
        have = "has" if n_rows == 1 else "have"
        message = f"there are no units: {quantity(n_rows, 'row')} {have} neither start nor end"
    elif not any(record.n_rows for record in records):
        message = "there are no rows of data"
    else:
        message = "there are no units: no row can be used"
    shown = [record.where for record in records[:3]]
    where = ", ".join([*shown, *(["..."] if len(records) > 3 else [])])
    return Problem("no-units", "error", where, message, "Is this the right file?")


def reading_notes(
    records: Sequence[Record], result: LayoutResult, units: UnitRows, about: Mapping[str | None, DocumentExtent]
) -> Iterator[Problem]:
    """Notes of the layout, of the readers, and about files and documents."""
    yield from result.notes
    for record in records:
        yield from record.notes
        if not record.n_rows:
            message = "there are no rows below the header"
            yield Problem("no-rows", "warning", record.where, message, "Is the file complete?")
    if result.n_discontinuous:
        is_one = result.n_discontinuous == 1
        how = {
            "hull": f"read as {'its hull' if is_one else 'their hulls'}",
            "pieces": "read as one unit for each piece",
            "skip": "left out",
        }[result.discontinuous]
        are = f"{quantity(result.n_discontinuous, 'discontinuous unit')} {'was' if is_one else 'were'}"
        remedy = "Choose hull, pieces or skip with [[discontinuous]]."
        yield Problem("discontinuous-units", "note", "", f"{are} {how}", remedy)
    stems = Counter(
        record.stem
        for record in records
        if record.rows.annotator_labels is not None and record.rows.document_labels is None
    )
    shared = sorted(stem for stem, count in stems.items() if count > 1)
    if shared:
        message = f"several files are named {listing(shared, 3)}; files of one name were read as one document"
        remedy = "If they are different documents, rename the files or add a column named document."
        yield Problem("merged-documents", "note", "", message, remedy)
    known = set(units.documents)
    unused = sorted(name for name in about if name is not None and name not in known)
    if unused:
        place = min((about[name].place for name in unused), key=len)
        have, were = ("has", "was") if len(unused) == 1 else ("have", "were")
        message = f"{quantity(len(unused), 'document')} {have} no annotators and {were} left out ({listing(unused, 3)})"
        remedy = "List who saw them with [[participation]]."
        yield Problem("unused-documents", "note", place, message, remedy)
