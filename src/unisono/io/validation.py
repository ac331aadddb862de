# SPDX-License-Identifier: MIT
"""What is worth knowing about data that can be read: findings that spoil nothing, one for each kind."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from unisono.errors import Problem, Severity
from unisono.io.assemble import Units
from unisono.io.fixing import NOISE, noise
from unisono.io.labels import look_alikes, repaired, same_but_form
from unisono.io.table import listing
from unisono.model import CATEGORY, Continuum


def findings(units: Units, continua: Sequence[Continuum], where: str) -> tuple[Problem, ...]:
    """Warnings first, then notes; each with a count and the place of the first case."""
    found = [*_participation(units, where), *_similar(units, where), *_repeated(units), *_annotators(units, where)]
    found += [*_look_alikes(units, where), *_wrongly_decoded(units, where), *_noise(units, continua, where)]
    found += [*_overlapping(units), *_points(units), *_without_category(units), *_extents(continua, where)]
    return tuple(sorted(found, key=lambda problem: problem.severity != "warning"))


def counted(n: int, noun: str, plural: str | None = None) -> str:
    """`1 unit`, `3 units`, `12,345 units`."""
    return f"{n:,} {noun if n == 1 else plural or noun + 's'}"


def _participation(units: Units, where: str) -> Iterator[Problem]:
    if units.registered is None:
        return
    keys = units.keys
    n_annotators = len(units.annotators)
    known = np.isin(np.unique(units.document_codes), units.registered // n_annotators)
    if len(known) and not known.any():
        yield Problem(
            "participation-mismatch",
            "warning",
            where,
            "documents that the participation table knows",
            "none of them",
            "compare the documents' names in both",
        )
    strangers = np.flatnonzero(~np.isin(keys, units.registered))
    if len(strangers):
        n_pairs = len(np.unique(keys[strangers]))
        first = int(strangers[np.lexsort((units.origin_row[strangers], units.origin_table[strangers]))[0]])
        annotator = units.annotators[units.annotator_codes[first]]
        document = units.documents[units.document_codes[first]]
        yield Problem(
            "not-in-participation",
            "warning",
            units.place(first),
            "annotators listed in the participation table for the documents they marked",
            f"{counted(n_pairs, 'pair')} of document and annotator not listed, e.g. {document}, {annotator}",
            "their units are kept; add them to the table",
        )


def _similar(units: Units, where: str) -> Iterator[Problem]:
    """Names that differ only by case, inner blanks or Unicode form: mostly slips."""
    for code, noun, names in (
        ("similar-categories", "categories", units.features[CATEGORY].labels),
        ("similar-annotators", "annotators", units.annotators),
    ):
        groups = same_but_form(names)
        if groups:
            shown = listing([" / ".join(repr(name) for name in group) for group in groups], 3)
            expected = f"{noun} that differ by more than case and blanks"
            yield Problem(
                code, "warning", where, expected, shown, "they count as different; make them one if not meant"
            )


def _look_alikes(units: Units, where: str) -> Iterator[Problem]:
    """Labels a letter apart, or broken off: maybe slips."""
    pairs = look_alikes(units.features[CATEGORY].labels)
    if pairs:
        shown = listing([f"{one!r} / {other!r}" for one, other in pairs], 3)
        yield Problem(
            "look-alike-categories",
            "warning",
            where,
            "categories that cannot be taken for each other",
            shown,
            "they count as different; if one is a slip, rename it with --map",
        )


def _wrongly_decoded(units: Units, where: str) -> Iterator[Problem]:
    labels = units.features[CATEGORY].labels
    wrong = [f"{label!r} for {meant!r}" for label in labels if (meant := repaired(label)) is not None]
    if wrong:
        yield Problem(
            "wrong-encoding",
            "warning",
            where,
            "categories decoded rightly",
            listing(wrong, 3),
            "the file was UTF-8 read as something else on its way; validate --fix repairs them",
        )


def _noise(units: Units, continua: Sequence[Continuum], where: str) -> Iterator[Problem]:
    counts = [(continuum.name, len(noise(continuum)[0])) for continuum in continua]
    total = sum(count for _, count in counts)
    if total:
        names = [name for name, count in counts if count]
        yield Problem(
            "micro-overlaps",
            "warning",
            where,
            "units that overlap for real, or not at all",
            f"{counted(total, 'overlap')} of less than {NOISE:g} in {listing(names, 3)}",
            "noise of decimal numbers; validate --fix closes them",
        )


def _repeated(units: Units) -> Iterator[Problem]:
    if len(units.starts) < 2:
        return
    columns = [units.keys, units.starts, units.ends, *(feature.codes for feature in units.features.values())]
    same = np.ones(len(units.starts) - 1, dtype=np.bool_)
    for column in columns:
        same &= column[1:] == column[:-1]
    yield from _at(
        units,
        np.flatnonzero(same) + 1,
        "duplicate-units",
        "warning",
        "units of one annotator that differ",
        "equal to another of the same annotator",
        "kept; remove them if they are slips",
    )


def _overlapping(units: Units) -> Iterator[Problem]:
    """Units that begin before an earlier unit of the same annotator has ended."""
    if len(units.starts) < 2:
        return
    # Ends as ranks, raised by annotator: one running maximum serves all annotators, exactly for any number.
    values, ranks = np.unique(units.ends, return_inverse=True)
    keys = units.keys
    group = np.concatenate(([0], np.cumsum(keys[1:] != keys[:-1]))).astype(np.int64)
    latest = np.maximum.accumulate(ranks + group * len(values))
    same = keys[1:] == keys[:-1]
    covered = units.starts[1:] < values[(latest - group * len(values))[:-1]]
    yield from _at(
        units,
        np.flatnonzero(same & covered) + 1,
        "overlapping-units",
        "note",
        "units of one annotator side by side",
        "overlapping an earlier one",
        "fine if overlaps are part of the scheme",
    )


def _points(units: Units) -> Iterator[Problem]:
    yield from _at(
        units,
        np.flatnonzero(units.starts == units.ends),
        "zero-length-units",
        "note",
        "units with a length",
        "of length zero",
        "fine if they are points",
    )


def _without_category(units: Units) -> Iterator[Problem]:
    category = units.features[CATEGORY]
    if category.labels:
        yield from _at(
            units,
            np.flatnonzero(category.codes < 0),
            "without-category",
            "note",
            "a category for every unit",
            "without one",
            "kept as units without category",
        )


def _at(
    units: Units, index: NDArray[np.intp], code: str, severity: Severity, expected: str, found: str, remedy: str
) -> Iterator[Problem]:
    if len(index):
        # The first in the files, not in the sorted corpus.
        first = index[np.lexsort((units.origin_row[index], units.origin_table[index]))[0]]
        where = units.place(int(first))
        yield Problem(code, severity, where, expected, f"{counted(len(index), 'unit')} {found}", remedy)


def _annotators(units: Units, where: str) -> Iterator[Problem]:
    if len(units.annotators) == 1:
        yield Problem(
            "one-annotator",
            "note",
            where,
            "at least two annotators to measure agreement",
            f"only {units.annotators[0]}",
            "add the others' annotations",
        )
        return
    marked = np.bincount(units.annotator_codes, minlength=len(units.annotators))
    idle = [units.annotators[i] for i in np.flatnonzero(marked == 0).tolist()]
    if idle:
        yield Problem(
            "idle-annotators",
            "note",
            where,
            "annotators with units",
            f"{counted(len(idle), 'annotator')} without any ({listing(idle, 3)})",
            "kept: they saw documents and marked nothing",
        )
    per_document = np.bincount(units.seen // len(units.annotators), minlength=len(units.documents))
    alone = [units.documents[i] for i in np.flatnonzero(per_document == 1).tolist()]
    if alone:
        yield Problem(
            "one-annotator-documents",
            "note",
            where,
            "at least two annotators for a document",
            f"{counted(len(alone), 'document')} with one ({listing(alone, 3)})",
            "they cannot be measured",
        )


def _extents(continua: Sequence[Continuum], where: str) -> Iterator[Problem]:
    guessed = sum(1 for continuum in continua if continuum.extent is not None and continuum.extent.source == "guessed")
    unknown = sum(1 for continuum in continua if continuum.extent is None)
    if guessed:
        yield Problem(
            "guessed-extent",
            "note",
            where,
            "the extent of every document",
            f"{counted(guessed, 'document')} without, taken from the first start to the last end",
            "give it with --documents or --extent",
        )
    if unknown:
        yield Problem(
            "unknown-extent",
            "note",
            where,
            "the extent of every document",
            f"{counted(unknown, 'document')} without units nor extent",
            "give it with --documents or --extent",
        )
