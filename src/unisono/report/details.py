# SPDX-License-Identifier: MIT
"""What a report shows besides the values: the parts of each disorder, and the tables of annotators.

They are computed once, from a result that still has its corpus, its dissimilarity and its plan, and are kept with it. A
saved result keeps them too, because a dissimilarity may be any Python function and cannot be saved.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from unisono.analysis.annotators import left_out_of, matrix_of
from unisono.analysis.subsets import Subsets, subsets_of_result
from unisono.diagnosis.aligned import alignment_of, corpus_of, feature_of
from unisono.errors import CorpusError, ParameterError, Problem
from unisono.measures import MEASURES
from unisono.model import Corpus
from unisono.report.view import Parts, parts_of
from unisono.results import TEXT_MEASURE, Result

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
            tables, reason = _annotators(result, corpus_of(result), annotators, tables)
            details = replace(details, annotators=tables, annotators_reason=reason)
    elif annotators and tables is None:
        raise ParameterError.of(
            f"the saved result has no tables of annotators: {details.annotators_reason}",
            "Save it again with annotators=True, or run unisono annotators.",
            code="saved-annotators",
        )
    # As a cached property would: the result is frozen, and its values do not change.
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
    problems = tuple(_without_quotation(p) if p.code in QUOTING else p for p in result.problems)
    return replace(result, problems=problems)


def _without_quotation(problem: Problem) -> Problem:
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


def _annotators(
    result: Result, corpus: Corpus, wanted: bool | None, known: Mapping[str, Any] | None
) -> tuple[dict[str, Any] | None, str | None]:
    """The tables of annotators, or None and the reason; `known` are those of the pairs, where they were measured."""
    measure = main_measure(result)
    names = corpus.annotators
    if measure in MEASURES and result[measure].value is None and result[measure].per_category is not None:
        return None, f"{MEASURES[measure].symbol} is given for each category, not for two annotators"
    if measure == TEXT_MEASURE and len(result.measures) > 1:
        return None, "text-γ was measured with others; measured alone it has tables of annotators"
    if wanted is None:
        if len(names) > MOST_ANNOTATORS:
            return None, f"{len(names):,} annotators have too many pairs (the limit is {MOST_ANNOTATORS} annotators)"
        # A document of two annotators is its own pair, which has been measured.
        paired = sum((c.n_annotators - 1) * c.n_units for c in corpus if c.n_annotators > 2)
        if paired > MOST_PAIRED:
            return None, f"they have {paired:,} units to align again (the limit is {MOST_PAIRED:,})"
    subsets = subsets_of_result(result, measure)
    tables = matrix_of(subsets).to_dict() if known is None else known
    rows, reason = _all_but_one(subsets, wanted)
    return {**tables, "leave_one_out": rows, "leave_one_out_reason": reason}, None


def _all_but_one(subsets: Subsets, wanted: bool | None) -> tuple[list[dict[str, Any]], str | None]:
    """Agreement without each annotator in turn, or none and the reason."""
    crowded = [continuum for continuum in subsets.corpus if continuum.n_annotators >= 3]
    if not crowded:
        return [], None
    # Without one of three annotators a pair is left, which has been measured.
    work = sum(c.n_annotators * (c.n_annotators - 1) * c.n_units for c in crowded if c.n_annotators > 3)
    if wanted is None and work > MOST_LEFT:
        return [], f"it would take the alignment of {work:,} units (the limit is {MOST_LEFT:,})"
    try:
        return [each.to_dict() for each in left_out_of(subsets)], None
    except (CorpusError, ParameterError):
        return [], "the measure is not pooled by weights"
