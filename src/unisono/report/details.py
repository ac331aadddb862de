# SPDX-License-Identifier: MIT
"""What a report shows besides the values: the parts of each disorder, and the tables of annotators.

They are computed once, from a result that still has its corpus, its dissimilarity and its plan, and are kept with it. A
saved result keeps them too, because a dissimilarity may be any Python function and cannot be saved.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from unisono.analysis.annotators import AnnotatorMatrix, LeftOut, left_out_of, matrix_of
from unisono.analysis.subsets import Subsets, subsets_of_result
from unisono.diagnosis.alignment_columns import alignment_of, corpus_of, feature_of
from unisono.errors import CorpusError, ParameterError, Problem
from unisono.frames import Rows
from unisono.measures import MEASURES
from unisono.report.view import Parts, parts_of
from unisono.results import Result

#: Measured for the tables of annotators if it is among the measures; otherwise the first measure is.
MAIN_MEASURE = "gamma"
#: Problems that quote the text of a document.
QUOTING = frozenset({"text-mismatch"})
#: With more annotators, the tables of annotators are left out: a matrix of hundreds of pairs is unreadable.
MOST_ANNOTATORS = 60
#: Pairs are left out if more units than this must be aligned again (each unit once per pair): about half a minute.
MOST_PAIRED = 100_000
#: The same for all but one. A unit counts once for each annotator and each other one it may be aligned with, because
#: the time of an alignment grows faster than its number of units.
MOST_LEFT = 200_000


@dataclass(frozen=True)
class Details:
    """What a report shows besides the values, and a saved result keeps."""

    #: Which labels of the units are the categories.
    feature: str
    #: One for each document; None where there is no alignment.
    parts: tuple[Parts | None, ...]
    #: What `unisono annotators --json` prints, or None and the reason.
    annotators: Mapping[str, Any] | None
    annotators_reason: str | None = None
    #: The same tables as objects, which `pairwise` and `leave_one_out` return; None for a result that was loaded.
    matrix: AnnotatorMatrix | None = None
    left_out: Rows[LeftOut] | None = None


def details_of(result: Result, *, annotators: bool | None = None) -> Details:
    """The details of a result: those it has, or computed now and kept with it.

    annotators: whether to measure every two annotators and all but one; by default only if it takes little time.
    """
    details = result.details
    if not isinstance(details, Details):
        details = _details_without_annotators(result)
    tables = details.annotators
    if annotators is not False and result.plan is not None:
        if tables is None or (annotators and tables["leave_one_out_reason"] is not None):
            details = _add_annotators(details, result, annotators)
            tables = details.annotators
    elif annotators and tables is None:
        raise ParameterError.of(
            f"the saved result has no tables of annotators: {details.annotators_reason}",
            "Save it again with annotators=True, or run unisono annotators.",
            code="saved-annotators",
        )
    # The result is frozen; this caches what was computed, and changes none of its values.
    object.__setattr__(result, "details", details)
    if annotators is False:
        return replace(details, annotators=None, annotators_reason="not asked for")
    return details


def with_details(result: Result, *, annotators: bool | None = None) -> Result:
    """The result with its details, so that saving and showing it compute nothing."""
    details = details_of(result, annotators=annotators)
    return replace(result, details=details)


def _details_without_annotators(result: Result) -> Details:
    corpus_of(result)
    dissimilarity = result.dissimilarity
    return Details(
        feature_of(dissimilarity),
        tuple(None if each is None else parts_of(each, dissimilarity) for each in map(alignment_of, result.documents)),
        None,
        "not asked for",
    )


def without_quotations(result: Result) -> Result:
    """The result without the passages of text that its problems quote."""
    problems = tuple(_remove_quotation(p) if p.code in QUOTING else p for p in result.problems)
    return replace(result, problems=problems)


def _remove_quotation(problem: Problem) -> Problem:
    return replace(
        problem,
        message="a unit does not cover the text stored with it",
        remedy="The quotations are left out with the texts.",
        expected="",
        found="(left out with the texts)",
    )


def main_measure(result: Result) -> str:
    """The measure that annotators are compared by: γ if it was measured, otherwise the first."""
    return MAIN_MEASURE if MAIN_MEASURE in result.measures else next(iter(result.measures))


def _add_annotators(details: Details, result: Result, wanted: bool | None) -> Details:
    """The details with the tables of annotators, or with the reason why there are none; known pairs are kept."""
    measure = main_measure(result)
    reason = _reason_for_no_tables(result, measure, wanted)
    if reason is not None:
        return replace(details, annotators=None, annotators_reason=reason)
    subsets = subsets_of_result(result, measure)
    matrix, pairs = details.matrix, details.annotators
    if pairs is None:
        matrix = matrix_of(subsets)
        pairs = matrix.to_dict()
    left_out, why = _all_but_one(subsets, wanted)
    rows = [each.to_dict() for each in left_out or ()]
    tables = {**pairs, "leave_one_out": rows, "leave_one_out_reason": why}
    return replace(details, annotators=tables, annotators_reason=None, matrix=matrix, left_out=left_out)


def _reason_for_no_tables(result: Result, measure: str, wanted: bool | None) -> str | None:
    """Why there are no tables of annotators: they would have no values, or, unless they are wanted, take long."""
    if measure in MEASURES and result[measure].value is None and result[measure].per_category is not None:
        return f"{MEASURES[measure].symbol} is given for each category, not for two annotators"
    if wanted is not None:
        return None
    corpus = corpus_of(result)
    n = len(corpus.annotators)
    if n > MOST_ANNOTATORS:
        return f"{n:,} annotators have too many pairs (the limit is {MOST_ANNOTATORS} annotators)"
    # A document of two annotators is its own pair, which has been measured.
    paired = sum((c.n_annotators - 1) * c.n_units for c in corpus if c.n_annotators > 2)
    return f"they have {paired:,} units to align again (the limit is {MOST_PAIRED:,})" if paired > MOST_PAIRED else None


def _all_but_one(subsets: Subsets, wanted: bool | None) -> tuple[Rows[LeftOut] | None, str | None]:
    """Agreement without each annotator in turn, or None and the reason."""
    crowded = [continuum for continuum in subsets.corpus if continuum.n_annotators >= 3]
    if not crowded:
        return None, None
    # Without one of three annotators a pair is left, which has been measured.
    work = sum(c.n_annotators * (c.n_annotators - 1) * c.n_units for c in crowded if c.n_annotators > 3)
    if wanted is None and work > MOST_LEFT:
        return None, f"it would take the alignment of {work:,} units (the limit is {MOST_LEFT:,})"
    try:
        return left_out_of(subsets), None
    except (CorpusError, ParameterError):
        return None, "the measure is not pooled by weights"
