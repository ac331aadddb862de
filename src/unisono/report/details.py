# SPDX-License-Identifier: MIT
"""What a report shows besides the values: the parts of each disorder, and who agrees with whom.

Computed once, from a result that still has its corpus and its dissimilarity; a saved result keeps it, because a
dissimilarity may be anybody's function and cannot be saved.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from unisono.annotators import leave_one_out, pairwise
from unisono.dissimilarity import CombinedDissimilarity
from unisono.errors import CorpusError, ParameterError
from unisono.measures import MEASURES
from unisono.model import CATEGORY, Alignment, Corpus, FloatArray
from unisono.report.view import parts
from unisono.results import DocumentResult, Result

#: Measured for pairs and for everybody but one, where it is among the measures; else the first that there is.
MAIN_MEASURE = "gamma"
#: Problems that quote the text of a document.
QUOTING = frozenset({"text-mismatch"})
#: Beyond this many annotators the tables of annotators are left out: nobody reads a matrix of hundreds of pairs.
MOST_ANNOTATORS = 20
#: Beyond this many units to be aligned again, every unit counted in every pair, pairs are left out: half a minute.
MOST_PAIRED = 100_000
#: The same for everybody but one. A unit counts once for each annotator and each of the others it may be aligned
#: with: alignments of many annotators take longer than their units tell.
MOST_LEFT = 200_000


@dataclass(frozen=True, slots=True)
class Parts:
    """The disorder of each unitary alignment taken apart (Eq. 6): positions, categories, empty units.

    `positional` and `categorial` are None for a dissimilarity that cannot be taken apart.
    """

    positional: FloatArray | None
    categorial: FloatArray | None
    empty: FloatArray | None


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
    """The details of a result: those it came with, or computed.

    annotators: whether to measure every two annotators and everybody but one; by default if it takes little time.
    """
    if isinstance(result.details, Details):
        return _as_asked(result.details, annotators)
    corpus = corpus_of(result)
    dissimilarity = result.dissimilarity
    table, reason = _annotators(result, corpus, annotators)
    return Details(
        dissimilarity.feature if isinstance(dissimilarity, CombinedDissimilarity) else CATEGORY,
        tuple(_parts(alignment_of(document), dissimilarity) for document in result.documents),
        table,
        reason,
    )


def _as_asked(details: Details, annotators: bool | None) -> Details:
    """Details that a result came with, without the tables of annotators where they are not wanted."""
    if annotators is False:
        return replace(details, annotators=None, annotators_reason="not asked for")
    if annotators and details.annotators is None:
        raise ParameterError.of(
            "a result with its tables of annotators",
            f"one without: {details.annotators_reason}",
            "save it with annotators=True, or run unisono annotators",
            code="saved-annotators",
        )
    return details


def with_details(result: Result, *, annotators: bool | None = None) -> Result:
    """The result with its details, so that saving it and showing it compute them once."""
    return replace(result, details=details_of(result, annotators=annotators))


def without_quotations(result: Result) -> Result:
    """The result with what its problems quote of the texts left out."""
    problems = tuple(
        replace(problem, found="(left out with the texts)") if problem.code in QUOTING else problem
        for problem in result.problems
    )
    return replace(result, problems=problems)


def corpus_of(result: Result) -> Corpus:
    """The corpus behind a result; a result that was read from its JSON has none, and the message says how to get it."""
    if result.corpus is not None:
        return result.corpus
    if "text-gamma" in result.measures:
        raise ParameterError.of(
            "a result of units on one continuum",
            "text-γ, for which every annotator has a text",
            "unisono text --alignment shows what differs",
            code="no-report",
        )
    raise ParameterError.of(
        "a result with its units, alignments and random disorders",
        "values only, as the JSON has them",
        "measure again: unisono.measure(...), or unisono measure DATA --save result.unisono",
        code="light-result",
    )


def alignment_of(document: DocumentResult) -> Alignment | None:
    """The best alignment of a document, whichever measure needed it."""
    found = (value.alignment for value in document.measures.values())
    return next((alignment for alignment in found if isinstance(alignment, Alignment)), None)


def _parts(alignment: Alignment | None, dissimilarity: Any) -> Parts | None:
    if alignment is None:
        return None
    return Parts(**parts(alignment, dissimilarity))


def _annotators(result: Result, corpus: Corpus, wanted: bool | None) -> tuple[dict[str, Any] | None, str | None]:
    """Every two annotators and everybody but one, or why not."""
    measure = MAIN_MEASURE if MAIN_MEASURE in result.measures else next(iter(result.measures))
    names = corpus.annotators
    if wanted is False:
        return None, "not asked for"
    if measure in MEASURES and result[measure].value is None and result[measure].per_category is not None:
        return None, f"{MEASURES[measure].symbol} is given for each category, not for two annotators"
    if wanted is None:
        if len(names) > MOST_ANNOTATORS:
            return None, f"{len(names):,} annotators have too many pairs (the limit is {MOST_ANNOTATORS} annotators)"
        paired = sum((continuum.n_annotators - 1) * continuum.n_units for continuum in corpus)
        if paired > MOST_PAIRED:
            return None, f"they have {paired:,} units to align again (the limit is {MOST_PAIRED:,})"
    options = _options(result)
    table = pairwise(corpus, measure, **options).to_dict()
    rows, reason = _everybody_but_one(corpus, measure, wanted, options)
    return {**table, "leave_one_out": rows, "leave_one_out_reason": reason}, None


def _everybody_but_one(
    corpus: Corpus, measure: str, wanted: bool | None, options: Mapping[str, Any]
) -> tuple[list[dict[str, Any]], str | None]:
    """Agreement without each annotator in turn, or none and the reason."""
    crowded = [continuum for continuum in corpus if continuum.n_annotators >= 3]
    if not crowded:
        return [], None
    work = sum(c.n_annotators * (c.n_annotators - 1) * c.n_units for c in crowded)
    if wanted is None and work > MOST_LEFT:
        return [], f"it would take the alignment of {work:,} units (the limit is {MOST_LEFT:,})"
    try:
        return [each.to_dict() for each in leave_one_out(corpus, measure, **options)], None
    except (CorpusError, ParameterError):
        return [], "the measure is not pooled by weights"


def _options(result: Result) -> dict[str, Any]:
    """How the result was measured, for measuring parts of its corpus in the same way."""
    given = result.parameters
    same = ("preset", "samples", "level", "reference", "step", "atoms", "predefined", "window", "time_limit")
    options = {key: given[key] for key in (*same, "memory_limit") if key in given}
    if given.get("precision") is not None:
        options["precision"] = given["precision"]
    if options.get("reference") is not None:
        del options["reference"]  # two annotators may not have it among them
    return {**options, "seed": result.seed, "dissimilarity": result.dissimilarity, "chance": result.chance_model}
