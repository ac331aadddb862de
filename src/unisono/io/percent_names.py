# SPDX-License-Identifier: MIT
"""Names that one file writes percent-encoded (`my%20talk`) and another one plainly (`my talk`)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from urllib.parse import unquote

from unisono.errors import Problem
from unisono.io.labels import Labels
from unisono.io.layout.result import LayoutResult
from unisono.io.tables.documents_table import DocumentExtent
from unisono.io.tables.participation_table import Participation
from unisono.io.wording import listing
from unisono.nouns import quantity

_ENCODED = re.compile("%[0-9A-Fa-f]{2}")


def plain_names(names: Iterable[str]) -> Mapping[str, str]:
    """The percent-encoded names whose plain form is among the names, with that form.

    >>> plain_names(["my%20talk", "my talk", "100%25", "50%"])
    {'my%20talk': 'my talk'}
    """
    known = set(names)
    decoded = {name: unquote(name, errors="strict") for name in sorted(known) if _is_encoded(name)}
    return {name: plain for name, plain in decoded.items() if plain in known}


def _is_encoded(name: str) -> bool:
    if not _ENCODED.search(name):
        return False
    try:
        unquote(name, errors="strict")
    except UnicodeDecodeError:
        return False
    return True


def match_encoded_names(
    result: LayoutResult, participation: Participation | None, about: Mapping[str | None, DocumentExtent]
) -> tuple[Participation | None, Mapping[str | None, DocumentExtent]]:
    """Give documents and annotators their plain names in all rows and tables; a note says which."""
    documents = {name for rows in result.rows for name in rows.documents} | {name for name in about if name}
    annotators = {name for rows in result.rows for name in rows.annotators}
    if participation is not None:
        documents |= set(participation.documents.labels if participation.documents else ())
        annotators |= set(participation.annotators.labels)
    plain_documents, plain_annotators = plain_names(documents), plain_names(annotators)
    if not plain_documents and not plain_annotators:
        return participation, about
    for i, rows in enumerate(result.rows):
        result.rows[i] = replace(
            rows,
            document_labels=_rename_labels(rows.document_labels, plain_documents),
            annotator_labels=_rename_labels(rows.annotator_labels, plain_annotators),
        )
    for old, new in plain_documents.items():
        if old in result.extents:
            result.extents.setdefault(new, result.extents.pop(old))
    for names, what in ((plain_documents, "documents"), (plain_annotators, "annotators")):
        if names:
            shown = listing([f"{old!r} with {new!r}" for old, new in names.items()], 3)
            were = "was" if len(names) == 1 else "were"
            message = f"{quantity(len(names), 'percent-encoded name')} of {what} {were} matched: {shown}"
            result.notes.append(Problem("percent-encoded", "note", "", message))
    if participation is not None:
        participation = replace(
            participation,
            documents=_rename_labels(participation.documents, plain_documents),
            annotators=_rename_labels(participation.annotators, plain_annotators) or participation.annotators,
        )
    return participation, {plain_documents.get(name or "", name): entry for name, entry in about.items()}


def _rename_labels(labels: Labels | None, names: Mapping[str, str]) -> Labels | None:
    """The labels under their plain names."""
    if labels is None or not any(label in names for label in labels.labels):
        return labels
    # A code of -1 is an empty cell: it indexes the last name, which is none.
    cells = [*(names.get(label, label) for label in labels.labels), ""]
    renamed = Labels.of_codes(labels.codes % len(cells), cells)
    return Labels(renamed.codes, renamed.labels, labels.n_stripped)
