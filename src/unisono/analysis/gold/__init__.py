# SPDX-License-Identifier: MIT
"""A gold standard from the best alignment: aligned units vote on the category and the boundaries of the gold unit.

Mathet, Widlöcher and Métivier (2015, section 7) name it as a use of the alignment; the rules of the vote are ours, and
docs/gold.md explains and evaluates them. vote.py counts the votes, standard.py holds the outcome.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from unisono.alignment import too_few_annotators
from unisono.alignment.disagreements import Disagreements
from unisono.alignment.observed import How, aligned_pairs, observe
from unisono.analysis.gold.decisions import Decided, Decision, Decisions, apply_decisions
from unisono.analysis.gold.standard import REASONS, Gold, GoldDocument, GoldUnit
from unisono.analysis.gold.vote import WEIGHT_UNIT, Ballots, BoundaryRule, whole_votes
from unisono.data_summary import DataSummary
from unisono.dissimilarity import CombinedDissimilarity, Dissimilarity
from unisono.dissimilarity.core_documents import CoreDocuments
from unisono.errors import CorpusError, ParameterError, Problem
from unisono.io.read import as_corpus
from unisono.model import CATEGORY, Alignment, Continuum, Corpus, Feature
from unisono.parallel import n_threads
from unisono.results import Result, package_version, signature_line

__all__ = [
    "REASONS",
    "Decided",
    "Decision",
    "Decisions",
    "Gold",
    "GoldDocument",
    "GoldUnit",
    "agreement_with_rest",
    "gold",
    "vote_on",
]

Vote = Literal["majority", "weighted"]

#: A unit counts for the gold unit if their intersection is at least this share of their union.
LEAST_OVERLAP = 0.5

_BIT = {reason: 1 << i for i, reason in enumerate(REASONS)}


@dataclass(frozen=True)
class _Rules:
    """The rules for gold units."""

    boundaries: BoundaryRule
    min_annotators: int | None
    overlap: float
    same_category: bool


def gold(
    data: Any,
    *,
    vote: Vote | None = None,
    boundaries: BoundaryRule = "median",
    min_annotators: int | None = None,
    weights: Mapping[str, float] | None = None,
    overlap: float = LEAST_OVERLAP,
    same_category: bool = False,
    dissimilarity: Dissimilarity | None = None,
    threads: int | None = None,
    effort: float | None = None,
    time_limit: float | None = None,
    memory_limit: int | None = None,
    decisions: Any = None,
) -> Gold:
    """A consensus of the annotators, made from the best alignment of each document.

    Every unitary alignment that enough annotators marked becomes a gold unit: its category is the one with the most
    votes, its boundaries are the medians of theirs or those with the most votes. Gold units may overlap, as units may.

    data: a Corpus or a Continuum, or the Result of measuring them, whose alignments are then used if they are proven
    and were made with this dissimilarity (by default the result's own); anything else is given to `read`.
    vote: "majority", one vote each, or "weighted" (the default if weights are given).
    weights: the weight of each annotator's vote; without them, `agreement_with_rest` on these data.
    boundaries: "median" or "majority"; `Ballots.boundaries` has the rules.
    min_annotators: how many must have marked a unit; by default more than half of those who saw the document, or,
    in a weighted vote, annotators with more than half of their weight.
    overlap: a unit counts for the gold unit only if their intersection is at least this share of their union, since
    units may be aligned only because there are no better partners. 0: any overlap counts.
    same_category: only units of the chosen category count.
    effort (millions of steps), time_limit (seconds), memory_limit (bytes): for each alignment, none by default.
    decisions: what a person decided, a path of a decisions file or its object; a decision beats the vote.

    Documents with fewer than two annotators have no consensus and are listed in `problems`; if there is no other, a
    CorpusError says so. A document in which nobody marked anything has an empty consensus.

    >>> from unisono.model import Continuum
    >>> c = Continuum.of({"ann": [(0, 5, "PER")], "bob": [(0, 6, "PER"), (9, 12, "LOC")], "cem": [(1, 5, "ORG")]})
    >>> [(unit.start, unit.end, unit.category, unit.support) for unit in gold(c).units]
    [(0, 5, 'PER', 3)]
    """
    chosen = _choose_vote(vote, boundaries, min_annotators, weights, overlap)
    rules = _Rules(boundaries, min_annotators, overlap, same_category)
    if isinstance(data, Result) and data.corpus is not None:
        corpus, dissimilarity = data.corpus, dissimilarity or data.dissimilarity
    else:
        corpus = as_corpus(data)
    _check_one_text(corpus)
    seen = [continuum for continuum in corpus if continuum.n_annotators >= 2]
    alone = [problem for c in corpus if c.n_annotators < 2 for problem in too_few_annotators(c).problems]
    if not seen:
        raise (
            CorpusError(alone)
            if alone
            else CorpusError.of("there is no document", "Give at least one.", code="no-documents")
        )
    fitted = (dissimilarity or CombinedDissimilarity()).fitted(corpus)
    feature = fitted.feature if isinstance(fitted, CombinedDissimilarity) else CATEGORY
    marked = [continuum for continuum in seen if continuum.n_units]
    alignments = _proven_alignments(data, fitted) if isinstance(data, Result) else {}
    how = How(threads=n_threads(threads), effort=effort, time_limit=time_limit, memory_limit=memory_limit)
    missing = [each for each in marked if each.name not in alignments]
    # A time limit is that of one call of `observe`.
    batches = [missing] if time_limit is None else [[continuum] for continuum in missing]
    outcomes = [each for batch in batches for each in observe(CoreDocuments.of(batch, fitted, judged=False), how)]
    alignments |= {each.alignment.continuum.name: each.alignment for each in outcomes}
    if chosen == "weighted" and weights is None:
        weights = agreement_with_rest([alignments[each.name] for each in marked], fitted)
    elif weights is not None:
        weights = _check_weights(weights, seen)
    popularity = _popularity(marked, feature)
    documents = tuple(
        _empty_consensus(continuum, feature)
        if continuum.name not in alignments
        else _document(alignments[continuum.name], feature, weights, rules, popularity)
        for continuum in seen
    )
    parts = {
        "v": package_version(),
        "d": fitted.signature,
        "vote": chosen,
        "boundaries": boundaries,
        "min": "majority" if min_annotators is None else min_annotators,
        "overlap": f"{overlap:g}",
    }
    if same_category:
        parts["same-category"] = "yes"
    if weights is not None:
        parts["weights"] = ",".join(f"{name}={weights[name]:.6g}" for name in sorted(weights))
    problems = (*corpus.problems, *alone)
    decided = None
    if decisions is not None:
        made = Decisions.of(decisions)
        documents, decided = apply_decisions(documents, made)
        problems += _other_data_warnings(made, corpus)
    signature = signature_line(["gold"], parts)
    parameters = {
        "vote": chosen,
        "boundaries": boundaries,
        "min_annotators": min_annotators,
        "overlap": overlap,
        "same_category": same_category,
        "dissimilarity": fitted.signature,
    }
    return Gold(documents, parameters, weights, signature, problems, decided)


def vote_on(alignments: Sequence[Alignment | None], feature: str) -> tuple[GoldDocument | None, ...]:
    """The consensus on documents that are aligned already, by the default rules; None where there is no alignment."""
    rules = _Rules("median", None, LEAST_OVERLAP, same_category=False)
    popularity = _popularity([each.continuum for each in alignments if each is not None], feature)
    return tuple(None if each is None else _document(each, feature, None, rules, popularity) for each in alignments)


def _other_data_warnings(decisions: Decisions, corpus: Corpus) -> tuple[Problem, ...]:
    """A warning if the decisions were made on other data."""
    if decisions.data is None or decisions.data == DataSummary.of(corpus).sha256:
        return ()
    message = "the decisions were made on other data, or on these before they were changed"
    return (Problem("decisions-data", "warning", "", message, "Check the decisions that met no unit."),)


def _proven_alignments(result: Result, dissimilarity: Dissimilarity) -> dict[str, Alignment]:
    """The best alignments that the result has, by document, if they were made with this dissimilarity."""
    if result.parameters.get("dissimilarity") != dissimilarity.signature:
        return {}
    values = ((document.name, value) for document in result.documents for value in document.measures.values())
    return {
        name: value.alignment for name, value in values if value.alignment is not None and value.alignment.is_proven
    }


def agreement_with_rest(alignments: Any, dissimilarity: Dissimilarity) -> dict[str, float]:
    """How well each annotator's units match those of the others, from 0 (never) to 1 (always), not chance-corrected.

    The mean, over all other annotators and all unitary alignments in which one of the two has a unit, of
    1 - d / delta_empty (at least 0) if both have one, and of 0 if only one has. An annotator is left out if nobody who
    saw the same documents marked anything.

    >>> from unisono.alignment import best_alignment
    >>> c = Continuum.of({"ann": [(0, 5, "A")], "bob": [(0, 5, "A")], "cem": [(0, 5, "B")]})
    >>> agreement_with_rest([best_alignment(c)], CombinedDissimilarity())
    {'ann': 0.5, 'bob': 0.5, 'cem': 0.0}
    """
    earned: Counter[str] = Counter()
    asked: Counter[str] = Counter()
    for alignment in alignments:
        continuum = alignment.continuum
        u, v, _ = aligned_pairs(alignment)
        d, delta_empty = dissimilarity.between(continuum, u, v), dissimilarity.delta_empty
        credit = np.maximum(0.0, 1 - d / delta_empty) if delta_empty > 0 else (d == 0).astype(float)
        who = np.concatenate((continuum.annotator_codes[u], continuum.annotator_codes[v]))
        n = continuum.n_annotators
        own = np.bincount(who, np.concatenate((credit, credit)), minlength=n)
        together = np.bincount(who, minlength=n)
        either = (n - 2) * continuum.counts + continuum.n_units - together
        for name, got, of in zip(continuum.annotators, own.tolist(), either.tolist(), strict=True):
            earned[name] += got
            asked[name] += of
    return {name: earned[name] / asked[name] for name in sorted(asked) if asked[name]}


def _document(
    alignment: Alignment,
    feature: str,
    weights: Mapping[str, float] | None,
    rules: _Rules,
    popularity: Mapping[str | None, int],
) -> GoldDocument:
    continuum = alignment.continuum
    disagreements = Disagreements.of(alignment, feature)
    labels = disagreements.labels.labels
    votes_of = (
        np.ones(continuum.n_annotators, dtype=np.int64)
        if weights is None
        else whole_votes(weights, continuum.annotators)
    )
    everybody = Ballots.of(disagreements, votes_of)
    # Aligned units may be far apart: only those near the majority's boundaries vote.
    is_near = everybody.near(rules.boundaries, rules.overlap)
    near = everybody.select(is_near)
    codes, leading, tied = near.category(np.array([popularity[label] for label in (*labels, None)], dtype=np.int64))
    counts = is_near & (near.labels == codes[near.number]) if rules.same_category else is_near
    counting = near.select(counts)
    starts, ends, split = counting.boundaries(rules.boundaries)
    support = counting.count(counts)
    has_majority = 2 * counting.support > votes_of.sum()
    kept = has_majority if rules.min_annotators is None else support >= rules.min_annotators
    flags = {
        "support": ~has_majority,
        "tie": tied,
        "category": ~tied & (2 * leading <= near.support),
        "apart": near.count(is_near) < disagreements.size,
        "boundary-tie": split,
        "twice": _find_equal(kept, starts, ends, codes),
    }
    reasons = np.where(kept, sum(flag * _BIT[name] for name, flag in flags.items()), _BIT["dropped"])
    return GoldDocument(
        continuum,
        alignment,
        feature,
        starts,
        ends,
        Feature(codes.astype(np.int32), labels),
        kept,
        support,
        reasons.astype(np.int32),
        near.votes,
        1.0 if weights is None else (max(weights.values(), default=0.0) or 1.0) / WEIGHT_UNIT,
        counts,
    )


def _find_equal(kept: NDArray[np.bool_], *columns: NDArray[Any]) -> NDArray[np.bool_]:
    """Which of the kept units are equal to another kept unit."""
    twice = np.zeros(len(kept), dtype=bool)
    numbers = np.flatnonzero(kept)
    order = numbers[np.lexsort([column[numbers] for column in columns])]
    same = np.logical_and.reduce([column[order][1:] == column[order][:-1] for column in columns])
    twice[order[1:][same]] = True
    twice[order[:-1][same]] = True
    return twice


def _check_one_text(corpus: Corpus) -> None:
    """Refuse documents whose annotators have different texts: there is no text that gold units could be on."""
    problems = [
        Problem(
            "differing-texts",
            "error",
            continuum.name,
            "the annotators have different texts, and a gold standard is one set of units on one text",
            "Decide on one text first; text-gamma measures how far the versions agree.",
        )
        for continuum in corpus
        if continuum.own_texts is not None and len(set(continuum.own_texts.texts)) > 1
    ]
    if problems:
        raise CorpusError(problems)


def _empty_consensus(continuum: Continuum, feature: str) -> GoldDocument:
    """The consensus that there are no units."""
    nothing = np.zeros(0, dtype=np.int32)
    return GoldDocument(
        continuum,
        None,
        feature,
        continuum.starts[:0],
        continuum.ends[:0],
        Feature(nothing, ()),
        np.zeros(0, dtype=bool),
        np.zeros(0, dtype=np.int64),
        nothing,
        np.zeros(0, dtype=np.int64),
        1.0,
        np.zeros(0, dtype=bool),
    )


def _popularity(continua: Sequence[Continuum], feature: str) -> Counter[str | None]:
    """How often each label is used in the corpus, to break ties; units without a label lose every tie."""
    counts: Counter[str | None] = Counter()
    for continuum in continua:
        if feature in continuum.features:
            column = continuum.features[feature]
            used, times = np.unique(column.codes, return_counts=True)
            for code, n in zip(used.tolist(), times.tolist(), strict=True):
                counts[None if code < 0 else column.labels[code]] += n
    counts[None] = 0
    return counts


def _choose_vote(
    vote: str | None, boundaries: str, least: int | None, weights: Mapping[str, float] | None, overlap: float
) -> Vote:
    """The kind of vote; a ParameterError that lists every invalid option."""
    problems = []
    for name, value, known in (
        ("vote", vote, (None, "majority", "weighted")),
        ("boundaries", boundaries, ("median", "majority")),
    ):
        if value not in known:
            message, remedy = (
                f"{value!r} is not a choice for {name}",
                f"Choose [[{name}]] among {', '.join(filter(None, known))}.",
            )
            problems.append(Problem("gold-option", "error", "", message, remedy))
    if vote == "majority" and weights is not None:
        message, remedy = "weights are given, but a majority vote ignores them", "Leave [[weights]] or [[vote]] out."
        problems.append(Problem("gold-option", "error", "", message, remedy))
    if least is not None and least < 1:
        message, remedy = f"the least number of annotators of a unit is {least}", "Give [[min_annotators]] from 1 up."
        problems.append(Problem("gold-option", "error", "", message, remedy))
    if not 0 <= overlap <= 1:
        problems.append(
            Problem("gold-option", "error", "", f"the overlap is {overlap}", "Give [[overlap]] from 0 to 1.")
        )
    if weights is not None:
        bad = {name: weight for name, weight in weights.items() if not 0 <= weight < float("inf")}
        if bad or not any(weights.values()):
            listed = ", ".join(f"{name}={weight}" for name, weight in bad.items())
            message = f"weights must not be negative or infinite: {listed}" if bad else "all weights are 0"
            remedy = "Give [[weights]] from 0 up, at least one of them above 0."
            problems.append(Problem("annotator-weights", "error", "", message, remedy))
    if problems:
        raise ParameterError(problems)
    return "weighted" if vote == "weighted" or weights is not None else "majority"


def _check_weights(weights: Mapping[str, float], continua: Sequence[Continuum]) -> Mapping[str, float]:
    """The weights; a ParameterError if an annotator has none."""
    missing = [name for name in Corpus(tuple(continua)).annotators if name not in weights]
    if missing:
        raise ParameterError.of(
            f"there is no weight for {', '.join(map(repr, missing[:10]))}" + (", ..." if len(missing) > 10 else ""),
            "Add them to [[weights]]; an annotator of weight 0 has no vote.",
            code="annotator-weights",
        )
    return weights
