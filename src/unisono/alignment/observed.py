# SPDX-License-Identifier: MIT
"""The best alignments of continua: their disorders, and how much the categories of aligned units differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from unisono._core import align_documents, category_disorder
from unisono.alignment import CoreLimits, best_alignment, core_limits
from unisono.arrays import repeat
from unisono.dissimilarity import CombinedDissimilarity
from unisono.dissimilarity.core_documents import CoreDocuments
from unisono.dissimilarity.numbering import number_continua
from unisono.model import Alignment, Continuum, FloatArray, IntArray

#: How a pair of units of one category counts for that category: once, as printed; twice, as in the figures published
#: in 2017; or by the rule of pygamma-agreement, which includes pairs with an empty unit.
PairRule = Literal["once", "twice", "pygamma"]

_LIMITS = (None, "time", "memory", "effort", "near-enough")


@dataclass(frozen=True, slots=True)
class How:
    """How alignments are made: the rule for pairs, the number of threads, the limits.

    effort (millions of steps) and memory_limit (bytes) are those of each alignment, time_limit (seconds) is for all
    alignments together. near_enough: a relative gap at which a search may end before its effort is over; guard: bytes
    of one alignment beyond which there is no result but MemoryError.
    """

    pairs: PairRule = "once"
    threads: int = 1
    effort: float | None = None
    time_limit: float | None = None
    memory_limit: int | None = None
    near_enough: float = 0.0
    guard: int = 0

    @property
    def limits(self) -> CoreLimits:
        """The limits as the core takes them."""
        return core_limits(
            self.time_limit, self.memory_limit, self.effort, near_enough=self.near_enough, guard=self.guard
        )


@dataclass(frozen=True)
class CategoryDisorder:
    """How much the categories of aligned units differ (Algorithm 1 of Mathet 2017), and the weight behind it.

    weight is the sum of the pairs' weights, disorder their weighted dissimilarities; `weights` and `disorders` are
    the same over the pairs that contain a unit of each of the `labels`.
    """

    weight: float
    disorder: float
    labels: tuple[str | None, ...]
    weights: FloatArray
    disorders: FloatArray

    @property
    def mean(self) -> float | None:
        """δcat; None where no aligned pair overlaps."""
        return self.disorder / self.weight if self.weight > 0 else None


@dataclass(frozen=True)
class Observed:
    """The best alignment of a continuum; `categories` is None where they were not asked for or cannot be judged."""

    alignment: Alignment
    #: Pairs of units in one unitary alignment, and those among them that do not overlap.
    n_pairs: int
    n_pairs_apart: int
    categories: CategoryDisorder | None


def observe(
    columns: CoreDocuments,
    how: How | None = None,
    *,
    ties_matter: bool = True,
    start: Sequence[Alignment | None] = (),
) -> list[Observed]:
    """The best alignment of each continuum, and the disorder of its categories if the columns hold categories.

    Without `ties_matter` any of the tied best alignments may be taken, which is faster. `start` may have, for each
    continuum, an alignment of it with more annotators to begin with; it changes no alignment that is proven, except
    that units of one annotator with equal content may change places.
    """
    how = how or How()
    if columns.kernel is None:
        return [_observe_in_python(continuum, columns, how) for continuum in columns.continua]
    outcome = align_documents(
        columns.kernel,
        columns.documents,
        columns.categories,
        how.pairs,
        ties_matter,
        how.threads,
        how.limits,
        *_first_columns(columns, start),
    )
    judged = columns.categories is not None
    totals, bounds, limits = outcome["totals"].tolist(), outcome["bounds"].tolist(), outcome["limits"].tolist()
    n_pairs, n_apart = outcome["pairs"].tolist(), outcome["apart"].tolist()
    weights, categories, firsts = (
        outcome["weights"].tolist(),
        outcome["categories"].tolist(),
        outcome["firsts"].tolist(),
    )
    groups, duals = columns.by_unit(outcome["groups"]), columns.by_unit(outcome["duals"])
    results = []
    unit = label = 0
    for d, continuum in enumerate(columns.continua):
        units, labels = slice(unit, unit + len(continuum)), slice(label, label + len(columns.labels[d]))
        unit, label = units.stop, labels.stop
        mean_units = continuum.mean_units
        alignment = Alignment(
            continuum,
            groups[units],
            outcome["disorders"][firsts[d] : firsts[d + 1]],
            disorder=totals[d] / mean_units,
            lower_bound=bounds[d] / mean_units,
            duals=duals[units],
            limit=_LIMITS[limits[d]],
        )
        judgement = None
        if judged:
            judgement = CategoryDisorder(
                weights[d],
                categories[d],
                columns.labels[d],
                outcome["label_weights"][labels],
                outcome["label_categories"][labels],
            )
        results.append(Observed(alignment, n_pairs[d], n_apart[d], judgement))
    return results


def _first_columns(columns: CoreDocuments, start: Sequence[Alignment | None]) -> tuple[IntArray, FloatArray]:
    """The alignments to begin with as the core takes them: group and dual of each unit."""
    if all(known is None for known in start):
        return np.empty(0, dtype=np.int32), np.empty(0)
    groups, duals = [], []
    for continuum, known in zip(columns.continua, start, strict=True):
        if known is None or known.duals is None:
            groups.append(np.full(len(continuum), -1, dtype=np.int32))
            duals.append(np.zeros(len(continuum)))
            continue
        whole = known.continuum
        places = [place for place, name in enumerate(whole.annotators) if name in continuum.annotators]
        is_kept = np.isin(whole.annotator_codes, places)
        groups.append(np.unique(known.group[is_kept], return_inverse=True)[1].astype(np.int32))
        duals.append(known.duals[is_kept])
    order = columns.numbers.order
    return np.concatenate(groups)[order], np.concatenate(duals)[order]


def _observe_in_python(continuum: Continuum, columns: CoreDocuments, how: How) -> Observed:
    """As `observe`, for a dissimilarity written in Python; the core still compares the categories."""
    dissimilarity = columns.dissimilarity
    alignment = best_alignment(
        continuum, dissimilarity, effort=how.effort, time_limit=how.time_limit, memory_limit=how.memory_limit
    )
    # By content, not by name: the order of the pairs is the order in which they are summed.
    u, v, real = aligned_pairs(alignment, number_continua((continuum,)).order)
    n_apart = int(np.count_nonzero(are_apart(continuum, u, v)))
    judgement = None
    if columns.is_judged and isinstance(dissimilarity, CombinedDissimilarity):
        d_pos, d_cat = plain_distances(dissimilarity, continuum, u, v)
        feature = continuum.features[dissimilarity.feature]
        used, place = np.unique(feature.codes, return_inverse=True)
        codes = place.reshape(-1).astype(np.int32)
        labels = tuple(None if code < 0 else feature.labels[code] for code in used.tolist())
        aligned = (real, d_pos, d_cat, codes[u], codes[v])
        if how.pairs == "pygamma":
            judgement = _pygamma_disorder(alignment, aligned, codes, labels, dissimilarity.alpha)
        else:
            weight, disorder, weights, disorders = category_disorder(*aligned, len(labels), how.pairs)
            judgement = CategoryDisorder(weight, disorder, labels, weights, disorders)
    return Observed(alignment, len(u), n_apart, judgement)


def _pygamma_disorder(
    alignment: Alignment,
    pairs: tuple[IntArray, FloatArray, FloatArray, IntArray, IntArray],
    codes: IntArray,
    labels: tuple[str | None, ...],
    alpha: float,
) -> CategoryDisorder:
    """The rule of pygamma-agreement (category_disorder.hpp).

    alpha is part of the confidence; a pair with an empty unit is a full disagreement of full weight; the disorder is 0
    without any pair of real units, and 1 without any pair.
    """
    real, d_pos, d_cat, label_u, label_v = pairs
    sizes = np.bincount(alignment.group)[alignment.group]
    empty = repeat(codes, alignment.continuum.n_annotators - sizes)  # the label of the real unit of such a pair
    weight, disorder, weights, disorders = category_disorder(
        np.concatenate((real, np.full(len(empty), 2, np.int32))),
        np.concatenate((alpha * d_pos, np.zeros(len(empty)))),
        np.concatenate((d_cat, np.ones(len(empty)))),
        np.concatenate((label_u, empty)),
        np.concatenate((label_v, empty)),
        len(labels),
        "once",
    )
    met = np.concatenate(([len(real) > 0], np.isin(np.arange(len(labels)), np.concatenate((label_u, label_v)))))
    all_weights, all_disorders = np.append(weight, weights), np.append(disorder, disorders)
    all_disorders = np.where(met, all_disorders, np.where(all_weights > 0, 0.0, 1.0))
    all_weights = np.where(met & (all_weights > 0), all_weights, 1.0)
    return CategoryDisorder(float(all_weights[0]), float(all_disorders[0]), labels, all_weights[1:], all_disorders[1:])


def aligned_pairs(alignment: Alignment, units: NDArray[np.int64] | None = None) -> tuple[IntArray, IntArray, IntArray]:
    """Every pair of units in one unitary alignment, by index, and its number of real units.

    The units of each unitary alignment come in their own order, or in that of `units`, which has all of them.
    """
    order = np.argsort(alignment.group if units is None else alignment.group[units], kind="stable").astype(np.int32)
    if units is not None:
        order = units[order].astype(np.int32)
    sizes = np.bincount(alignment.group, minlength=len(alignment))
    firsts = np.concatenate(([0], np.cumsum(sizes)))
    us, vs, reals = [], [], []
    for size in np.flatnonzero(np.bincount(sizes[sizes > 1])).tolist():
        members = order[firsts[:-1][sizes == size][:, None] + np.arange(size)]
        i, j = np.triu_indices(size, k=1)
        us.append(members[:, i].reshape(-1))
        vs.append(members[:, j].reshape(-1))
        reals.append(np.full(us[-1].size, size, dtype=np.int32))
    if not us:
        return np.empty(0, np.int32), np.empty(0, np.int32), np.empty(0, np.int32)
    return np.concatenate(us), np.concatenate(vs), np.concatenate(reals)


def are_apart(continuum: Continuum, u: IntArray, v: IntArray) -> NDArray[np.bool_]:
    """Whether the units of each pair share no length; two equal points do overlap."""
    starts, ends = continuum.starts, continuum.ends
    first, last = np.maximum(starts[u], starts[v]), np.minimum(ends[u], ends[v])
    has_length = (ends[u] > starts[u]) | (ends[v] > starts[v])
    return np.asarray((first > last) | ((first == last) & has_length))


def plain_distances(
    dissimilarity: CombinedDissimilarity, continuum: Continuum, u: IntArray, v: IntArray
) -> tuple[FloatArray, FloatArray]:
    """d_pos and d_cat of each pair of units, without the weights, in multiples of delta_empty (2017, Algorithm 1)."""
    positions = replace(dissimilarity, alpha=1.0, beta=0.0, delta_empty=1.0)
    categories = replace(dissimilarity, alpha=0.0, beta=1.0, delta_empty=1.0)
    return positions.between(continuum, u, v), categories.between(continuum, u, v)


def pair_weights(d_pos: FloatArray, n_real: NDArray[Any]) -> FloatArray:
    """w of Mathet 2017, Algorithm 1: max(0, 1 - d_pos) / (n_real - 1), with n_real units in the unitary alignment."""
    weights: FloatArray = np.maximum(0.0, 1.0 - d_pos) / np.maximum(n_real - 1, 1)
    return weights
