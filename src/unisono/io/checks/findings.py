# SPDX-License-Identifier: MIT
"""Findings about data that can be read: warnings and notes, one for each kind."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from unisono.errors import Problem, Severity
from unisono.io.checks.fixes import TINY, tiny_overlaps
from unisono.io.checks.spellings import form_difference, look_alikes, repair_encoding, same_but_form
from unisono.io.unit_rows import UnitRows
from unisono.io.wording import join_phrases, listing
from unisono.model import CATEGORY, Continuum
from unisono.nouns import quantity

_FIX = "`unisono validate` with [[fix]] writes"


def findings(units: UnitRows, continua: Sequence[Continuum], where: str) -> tuple[Problem, ...]:
    """Warnings first, then notes; each with a count and the place of the first case."""
    problems = [
        *_participation(units, where),
        *_similar_names(units, where),
        *_repeated_units(units),
        *_annotators(units, where),
    ]
    problems += [*_look_alikes(units, where), *_wrong_encoding(units, where), *_tiny_overlaps(continua, where)]
    problems += [
        *_overlapping_units(units),
        *_points(units),
        *_units_without_category(units),
        *_extents(continua, where),
    ]
    return tuple(sorted(problems, key=lambda problem: problem.severity != "warning"))


def _participation(units: UnitRows, where: str) -> Iterator[Problem]:
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
            "none of the documents is in the participation table",
            "Compare the names of documents in both.",
        )
    unlisted = np.flatnonzero(~np.isin(keys, units.registered))
    if len(unlisted):
        n_pairs = len(np.unique(keys[unlisted]))
        first = int(unlisted[np.lexsort((units.origin_row[unlisted], units.origin_file[unlisted]))[0]])
        annotator = units.annotators[units.annotator_codes[first]]
        document = units.documents[units.document_codes[first]]
        pairs_are = "pair of document and annotator is" if n_pairs == 1 else "pairs of document and annotator are"
        example = f"({document}, {annotator})" if n_pairs == 1 else f"(for example {document}, {annotator})"
        yield Problem(
            "not-in-participation",
            "warning",
            units.place(first),
            f"{n_pairs:,} {pairs_are} not in the participation table {example}; the units are kept",
            "Add them to the table.",
        )


def _similar_names(units: UnitRows, where: str) -> Iterator[Problem]:
    """Names that differ only in case, blanks or Unicode form."""
    for code, noun, names, remedy in (
        ("similar-categories", "categories", units.features[CATEGORY].labels, f"{_FIX} them merged."),
        ("similar-annotators", "annotators", units.annotators, "Rename one in the files if they are the same person."),
    ):
        groups = same_but_form(names)
        if not groups:
            continue
        shown = listing([join_phrases([repr(name) for name in group]) for group in groups], 3)
        number = {2: "two "}.get(len(groups[0]), f"{len(groups[0])} ") if len(groups) == 1 else "different "
        yield Problem(
            code,
            "warning",
            where,
            f"{shown} differ only in {form_difference(groups)}; they are counted as {number}{noun}",
            remedy,
            found=listing([" / ".join(repr(name) for name in group) for group in groups], 3),
        )


def _look_alikes(units: UnitRows, where: str) -> Iterator[Problem]:
    """Labels that differ in a letter or two, or of which one is the beginning of the other."""
    pairs = look_alikes(units.features[CATEGORY].labels)
    if pairs:
        shown = listing([f"{one!r} and {other!r}" for one, other in pairs], 3)
        yield Problem(
            "look-alike-categories",
            "warning",
            where,
            f"{shown} look alike; they are counted as different categories",
            "If one is misspelt, rename it with [[category_map]].",
            found=listing([f"{one!r} / {other!r}" for one, other in pairs], 3),
        )


def _wrong_encoding(units: UnitRows, where: str) -> Iterator[Problem]:
    labels = units.features[CATEGORY].labels
    wrong = [(label, meant) for label in labels if (meant := repair_encoding(label)) is not None]
    if wrong:
        shown = listing([f"{label!r} (for {meant!r})" for label, meant in wrong], 3)
        categories_were = "category was" if len(wrong) == 1 else "categories were"
        yield Problem(
            "wrong-encoding",
            "warning",
            where,
            f"{len(wrong):,} {categories_were} UTF-8 that another program read in a wrong encoding: {shown}",
            f"{_FIX} them repaired.",
            found=listing([f"{label!r} for {meant!r}" for label, meant in wrong], 3),
        )


def _tiny_overlaps(continua: Sequence[Continuum], where: str) -> Iterator[Problem]:
    counts = [(continuum.name, len(tiny_overlaps(continuum)[0])) for continuum in continua]
    total = sum(count for _, count in counts)
    if total:
        names = [name for name, count in counts if count]
        units_overlap = "unit overlaps" if total == 1 else "units overlap"
        yield Problem(
            "micro-overlaps",
            "warning",
            where,
            f"{total:,} {units_overlap} the one before by less than {TINY:g}, which is rounding ({listing(names, 3)})",
            f"{_FIX} them side by side.",
            found=f"{quantity(total, 'overlap')} of less than {TINY:g} in {listing(names, 3)}",
        )


def _repeated_units(units: UnitRows) -> Iterator[Problem]:
    if len(units.starts) < 2:
        return
    columns = [units.keys, units.starts, units.ends, *(feature.codes for feature in units.features.values())]
    same = np.ones(len(units.starts) - 1, dtype=np.bool_)
    for column in columns:
        same &= column[1:] == column[:-1]
    yield from _problem_at_first(
        units,
        np.flatnonzero(same) + 1,
        "duplicate-units",
        "warning",
        ("is equal to another unit of the same annotator", "are equal to another unit of the same annotator"),
        f"They are kept. {_FIX} each once.",
    )


def _overlapping_units(units: UnitRows) -> Iterator[Problem]:
    """Units that begin before an earlier unit of the same annotator has ended."""
    if len(units.starts) < 2:
        return
    # Ends are replaced by ranks, raised from one annotator to the next, so that a single running maximum serves all
    # annotators and is exact for any numbers.
    values, ranks = np.unique(units.ends, return_inverse=True)
    keys = units.keys
    group = np.concatenate(([0], np.cumsum(keys[1:] != keys[:-1]))).astype(np.int64)
    latest = np.maximum.accumulate(ranks + group * len(values))
    same = keys[1:] == keys[:-1]
    covered = units.starts[1:] < values[(latest - group * len(values))[:-1]]
    yield from _problem_at_first(
        units,
        np.flatnonzero(same & covered) + 1,
        "overlapping-units",
        "note",
        ("overlaps an earlier unit of the same annotator", "overlap an earlier unit of the same annotator"),
        "Nothing needs to be done if the annotation scheme allows overlaps.",
    )


def _points(units: UnitRows) -> Iterator[Problem]:
    yield from _problem_at_first(
        units,
        np.flatnonzero(units.starts == units.ends),
        "zero-length-units",
        "note",
        ("has no length: it ends where it starts", "have no length: they end where they start"),
        "Nothing needs to be done if points are meant.",
    )


def _units_without_category(units: UnitRows) -> Iterator[Problem]:
    category = units.features[CATEGORY]
    if category.labels:
        yield from _problem_at_first(
            units,
            np.flatnonzero(category.codes < 0),
            "without-category",
            "note",
            ("has no category; it is kept", "have no category; they are kept"),
            "",
        )


def _problem_at_first(
    units: UnitRows,
    index: NDArray[np.intp],
    code: str,
    severity: Severity,
    predicates: tuple[str, str],
    remedy: str,
) -> Iterator[Problem]:
    """A problem of these units, if there are any, at the first of them; predicates for one unit and for several."""
    if len(index):
        # The first in the files, not in the sorted corpus.
        first = index[np.lexsort((units.origin_row[index], units.origin_file[index]))[0]]
        predicate = predicates[0] if len(index) == 1 else predicates[1]
        message = f"{quantity(len(index), 'unit')} {predicate}"
        yield Problem(code, severity, units.place(int(first)), message, remedy)


def _annotators(units: UnitRows, where: str) -> Iterator[Problem]:
    if len(units.annotators) == 1:
        yield Problem(
            "one-annotator",
            "note",
            where,
            f"{units.annotators[0]} is the only annotator, so agreement cannot be measured",
            "Add the annotations of the others.",
        )
        return
    n_units = np.bincount(units.annotator_codes, minlength=len(units.annotators))
    idle = [units.annotators[i] for i in np.flatnonzero(n_units == 0).tolist()]
    if idle:
        yield Problem(
            "idle-annotators",
            "note",
            where,
            f"{quantity(len(idle), 'annotator')} saw documents and marked nothing ({listing(idle, 3)})",
            "Nothing needs to be done if that is right: an empty annotation counts.",
        )
    per_document = np.bincount(units.seen // len(units.annotators), minlength=len(units.documents))
    alone = [units.documents[i] for i in np.flatnonzero(per_document == 1).tolist()]
    if alone:
        documents_have = "document has" if len(alone) == 1 else "documents have"
        yield Problem(
            "one-annotator-documents",
            "note",
            where,
            f"{len(alone):,} {documents_have} only one annotator and cannot be measured ({listing(alone, 3)})",
            "Add the annotations of the others, if there are any.",
        )


def _extents(continua: Sequence[Continuum], where: str) -> Iterator[Problem]:
    guessed = [c.extent for c in continua if c.extent is not None and c.extent.source == "guessed"]
    unknown = sum(1 for continuum in continua if continuum.extent is None)
    if len(guessed) == 1:
        bounds = f"from the first start ({guessed[0].start}) to the last end ({guessed[0].end})"
        message = f"1 document has no extent; it is taken {bounds}"
        yield Problem("guessed-extent", "note", where, message, "Give it with [[extent]] or [[documents]].")
    elif guessed:
        message = f"{len(guessed):,} documents have no extent; each is taken from its first start to its last end"
        yield Problem("guessed-extent", "note", where, message, "Give them with [[documents]] or [[extent]].")
    if unknown:
        documents_have = "document has" if unknown == 1 else "documents have"
        message = f"{unknown:,} {documents_have} neither units nor an extent"
        yield Problem("unknown-extent", "note", where, message, "Give the extent with [[documents]] or [[extent]].")
