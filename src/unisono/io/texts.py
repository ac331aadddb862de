# SPDX-License-Identifier: MIT
"""Texts with the units on them, annotator by annotator: for text-γ, which lets each annotator have their own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Unpack

import numpy as np

from unisono.errors import FormatError, InputError, Problem
from unisono.io.arrangement import UnitRows
from unisono.io.files import SIZE_LIMIT
from unisono.io.layout import LayoutOptions
from unisono.io.reading import arranged_input
from unisono.io.table import Labels

Unit = tuple[int | float, int | float, dict[str, str | None]]


@dataclass(frozen=True, slots=True)
class AnnotatedText:
    """One annotator's text of a document, with their units: start, end, features."""

    document: str
    annotator: str
    text: str
    units: tuple[Unit, ...]
    where: str


def read_texts(
    paths: Any,
    *,
    format: str | None = None,
    encoding: str | None = None,
    size_limit: int = SIZE_LIMIT,
    **layout: Unpack[LayoutOptions],
) -> tuple[list[AnnotatedText], tuple[Problem, ...]]:
    """The texts in files of any format that has them, with every annotator's units, and what was noticed.

    Unlike the continua of a corpus, the annotators of one document may have different texts.
    """
    records, found = arranged_input(paths, format=format, encoding=encoding, size_limit=size_limit, **layout)
    faults = [problem for record in records for problem in record.faults.problems]
    if faults:
        raise FormatError(faults)
    parts: dict[tuple[str, str], list[tuple[UnitRows, list[int]]]] = {}
    for rows in found.rows:
        keys = rows.documents.codes.astype(np.int64) * len(rows.annotators.labels) + rows.annotators.codes
        order = np.argsort(keys, kind="stable")
        for group in np.split(order, np.flatnonzero(np.diff(keys[order])) + 1):
            if len(group):
                first = int(group[0])
                name = _label(rows.documents, first) or "", _label(rows.annotators, first) or ""
                parts.setdefault(name, []).append((rows, group.tolist()))
    texts = [_text(document, annotator, several) for (document, annotator), several in sorted(parts.items())]
    differing = (problem for problem in found.notes if problem.code != "differing-texts")  # that is what they are for
    return texts, (*(note for record in records for note in record.notes), *differing)


def _text(document: str, annotator: str, parts: list[tuple[UnitRows, list[int]]]) -> AnnotatedText:
    """What one annotator has of one document, maybe on several layers; it must be one text."""
    known: dict[str | None, str] = {}
    units: list[Unit] = []
    for rows, group in parts:
        record = rows.record
        for row in group:
            sheet = record.sheets[record.sheet_codes[rows.origin[row]]]
            known.setdefault(sheet.text, sheet.where)
            if rows.is_unit[row]:
                features = {name: _label(labels, row) for name, labels in rows.features.items()}
                units.append((rows.starts[row].item(), rows.ends[row].item(), features))
    if len(known) > 1 or None in known:
        raise _refusal(document, annotator, known)
    ((text, where),) = known.items()
    return AnnotatedText(document, annotator, text or "", tuple(units), where)


def _refusal(document: str, annotator: str, known: dict[str | None, str]) -> InputError:
    found = "none" if None in known else f"{len(known)} that differ"
    where = known[None] if None in known else next(iter(known.values()))
    expected = f"one text of {document}, with all units of {annotator} on it"
    return FormatError.of(expected, found, "text-γ compares texts", where=where, code="no-text")


def _label(labels: Labels, row: int) -> str | None:
    code = int(labels.codes[row])
    return None if code < 0 else labels.labels[code]
