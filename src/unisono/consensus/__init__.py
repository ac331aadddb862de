# SPDX-License-Identifier: MIT
"""A gold standard from the best alignment: who marked the same thing votes on what it is and where it is.

Mathet, Widlöcher and Métivier (2015, section 1) name it as a use of the alignment; the rules of the vote are ours, and
docs/gold.md has them with what they achieve. vote.py counts, standard.py holds the outcome.
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
from unisono.alignment.observed import aligned_pairs, observed
from unisono.consensus.standard import REASONS, Gold, GoldDocument, GoldUnit
from unisono.consensus.vote import WEIGHT_UNIT, Ballots, BoundaryRule, whole_votes
from unisono.dissimilarity import CombinedDissimilarity, Dissimilarity
from unisono.dissimilarity.columns import CoreDocuments
from unisono.errors import CorpusError, ParameterError, Problem
from unisono.model import CATEGORY, Alignment, Continuum, Corpus, Feature
from unisono.parallel import n_threads
from unisono.regrouping import as_corpus
from unisono.results import package_version, signature_line

__all__ = ["REASONS", "Gold", "GoldDocument", "GoldUnit", "agreement_with_rest", "gold"]

Vote = Literal["majority", "weighted"]

#: What a unit must have in common with the gold unit, of the union of both, to count for it.
LEAST_OVERLAP = 0.5

_BIT = {reason: 1 << i for i, reason in enumerate(REASONS)}


@dataclass(frozen=True)
class _Rules:
    """What makes a gold unit."""

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
    time_limit: float | None = None,
    memory_limit: int | None = None,
) -> Gold:
    """A consensus of the annotators, made from the best alignment of each document.

    Every unitary alignment that enough annotators marked becomes a gold unit: its category is the one with the most
    votes, its boundaries are the medians of theirs or those with the most votes. Gold units may overlap, as units may.

    data: a Corpus or a Continuum; anything else is given to `read`.
    vote: "majority", one vote each, or "weighted" (the default if weights are given).
    weights: the weight of each annotator's vote; without them, `agreement_with_rest` on these data.
    boundaries: "median" or "majority"; `Ballots.boundaries` has the rules.
    min_annotators: how many must have marked a unit; by default more than half of those who saw the document, or,
    in a weighted vote, annotators with more than half of their weight.
    overlap: a unit counts for the gold unit only if it has this share of the union of both in common with it; units
    that are put together for want of better partners do not make a consensus. 0: whatever overlaps at all.
    same_category: only units of the chosen category count.
    time_limit (seconds), memory_limit (bytes): for each alignment, none by default.

    Documents with fewer than two annotators have no consensus and are listed in `problems`; if there is no other, a
    CorpusError says so. A document in which nobody marked anything has an empty consensus.

    >>> from unisono.model import Continuum
    >>> c = Continuum.of({"ann": [(0, 5, "PER")], "bob": [(0, 6, "PER"), (9, 12, "LOC")], "cem": [(1, 5, "ORG")]})
    >>> [(unit.start, unit.end, unit.category, unit.support) for unit in gold(c).units]
    [(0, 5, 'PER', 3)]
    """
    chosen = _checked(vote, boundaries, min_annotators, weights, overlap)
    rules = _Rules(boundaries, min_annotators, overlap, same_category)
    corpus = as_corpus(data)
    seen = [continuum for continuum in corpus if continuum.n_annotators >= 2]
    alone = [problem for c in corpus if c.n_annotators < 2 for problem in too_few_annotators(c).problems]
    if not seen:
        raise CorpusError(alone) if alone else CorpusError.of("at least one document", "none", code="no-documents")
    fitted = (dissimilarity or CombinedDissimilarity()).fitted(corpus)
    feature = fitted.feature if isinstance(fitted, CombinedDissimilarity) else CATEGORY
    marked = [continuum for continuum in seen if continuum.n_units]
    found = observed(
        CoreDocuments.of(marked, fitted, judged=False),
        threads=n_threads(threads),
        time_limit=time_limit,
        memory_limit=memory_limit,
    )
    alignments = {each.alignment.continuum.name: each.alignment for each in found}
    if chosen == "weighted":
        weights = agreement_with_rest(alignments.values(), fitted) if weights is None else _known(weights, seen)
    popularity = _popularity(marked, feature)
    documents = tuple(
        _empty(continuum, feature)
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
    signature = signature_line(["gold"], parts)
    parameters = {
        "vote": chosen,
        "boundaries": boundaries,
        "min_annotators": min_annotators,
        "overlap": overlap,
        "same_category": same_category,
        "dissimilarity": fitted.signature,
    }
    return Gold(documents, parameters, weights, signature, problems)


def agreement_with_rest(alignments: Any, dissimilarity: Dissimilarity) -> dict[str, float]:
    """How far each annotator's units are those of the others, from 0 (never) to 1 (always), without chance.

    Over all others and all unitary alignments in which one of the two has a unit: 1 - d / delta_empty where both have
    one (not below 0), 0 where only one has; the mean of it. An annotator has no value, and is left out, where neither
    he nor anybody who saw the same documents marked anything.

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
    found = Disagreements.of(alignment, feature)
    labels = found.labels.labels
    votes_of = (
        np.ones(continuum.n_annotators, dtype=np.int64)
        if weights is None
        else whole_votes(weights, continuum.annotators)
    )
    everybody = Ballots.of(found, votes_of)
    # Units that were put together may be far apart: only those near to where most of them are have a say.
    is_near = everybody.near(rules.boundaries, rules.overlap)
    near = everybody.of_those(is_near)
    codes, leading, tied = near.category(np.array([popularity[label] for label in (*labels, None)], dtype=np.int64))
    counts = is_near & (near.labels == codes[near.number]) if rules.same_category else is_near
    counted = near.of_those(counts)
    starts, ends, split = counted.boundaries(rules.boundaries)
    support = counted.count(counts)
    backed = 2 * counted.support > votes_of.sum()
    kept = backed if rules.min_annotators is None else support >= rules.min_annotators
    flags = {
        "support": ~backed,
        "tie": tied,
        "category": ~tied & (2 * leading <= near.support),
        "apart": near.count(is_near) < found.size,
        "boundary-tie": split,
        "twice": _twice(kept, starts, ends, codes),
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


def _twice(kept: NDArray[np.bool_], *columns: NDArray[Any]) -> NDArray[np.bool_]:
    """Which of the units that are kept are equal to another of them."""
    twice = np.zeros(len(kept), dtype=bool)
    numbers = np.flatnonzero(kept)
    order = numbers[np.lexsort([column[numbers] for column in columns])]
    same = np.logical_and.reduce([column[order][1:] == column[order][:-1] for column in columns])
    twice[order[1:][same]] = True
    twice[order[:-1][same]] = True
    return twice


def _empty(continuum: Continuum, feature: str) -> GoldDocument:
    """The consensus that there is nothing to mark."""
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
    """How often each label is used in the corpus, by which ties are broken; None comes last anyway."""
    counts: Counter[str | None] = Counter()
    for continuum in continua:
        if feature in continuum.features:
            column = continuum.features[feature]
            used, times = np.unique(column.codes, return_counts=True)
            for code, n in zip(used.tolist(), times.tolist(), strict=True):
                counts[None if code < 0 else column.labels[code]] += n
    counts[None] = 0
    return counts


def _checked(
    vote: str | None, boundaries: str, least: int | None, weights: Mapping[str, float] | None, overlap: float
) -> Vote:
    """The vote that the options ask for; every option that cannot be met is named."""
    problems = []
    for name, value, known in (
        ("vote", vote, (None, "majority", "weighted")),
        ("boundaries", boundaries, ("median", "majority")),
    ):
        if value not in known:
            expected = f"{name} among: {', '.join(filter(None, known))}"
            problems.append(Problem("gold-option", "error", "", expected, repr(value)))
    if vote == "majority" and weights is not None:
        problems.append(Problem("gold-option", "error", "", "a weighted vote where there are weights", "majority"))
    if least is not None and least < 1:
        problems.append(Problem("gold-option", "error", "", "at least one annotator for a unit", str(least)))
    if not 0 <= overlap <= 1:
        problems.append(Problem("gold-option", "error", "", "an overlap from 0 to 1", str(overlap)))
    if weights is not None:
        bad = {name: weight for name, weight in weights.items() if not 0 <= weight < float("inf")}
        if bad or not any(weights.values()):
            found = ", ".join(f"{name}={weight}" for name, weight in bad.items()) or "none above 0"
            expected = "weights from 0 up, one of them above 0"
            problems.append(Problem("annotator-weights", "error", "", expected, found))
    if problems:
        raise ParameterError(problems)
    return "weighted" if vote == "weighted" or weights is not None else "majority"


def _known(weights: Mapping[str, float], continua: Sequence[Continuum]) -> Mapping[str, float]:
    """The weights, if everybody has one."""
    missing = [name for name in Corpus(tuple(continua)).annotators if name not in weights]
    if missing:
        raise ParameterError.of(
            "a weight for every annotator",
            f"none for {', '.join(map(repr, missing[:10]))}" + (", ..." if len(missing) > 10 else ""),
            "add them; 0 takes the vote away",
            code="annotator-weights",
        )
    return weights
