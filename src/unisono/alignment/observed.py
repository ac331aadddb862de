# SPDX-License-Identifier: MIT
"""What the measures take from best alignments: disorders, and how far the categories of aligned units differ."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from unisono._core import align_documents, category_disorder
from unisono.alignment import best_alignment, core_limits
from unisono.dissimilarity import CombinedDissimilarity
from unisono.dissimilarity.columns import CoreDocuments
from unisono.model import Alignment, Continuum, FloatArray, IntArray

#: How pairs of units of one category count for that category: as printed (once), as in the figures published in 2017
#: (twice); or all as pygamma-agreement does it, pairs with an empty unit included.
PairRule = Literal["once", "twice", "pygamma"]

_LIMITS = (None, "time", "memory")


@dataclass(frozen=True, slots=True)
class How:
    """How many alignments are made: how pairs count, on how many threads, with which limits for each."""

    pairs: PairRule = "once"
    threads: int = 1
    time_limit: float | None = None
    memory_limit: int | None = None

    @property
    def limits(self) -> tuple[float, int]:
        """The limits as the core takes them."""
        return core_limits(self.time_limit, self.memory_limit)


@dataclass(frozen=True)
class CategoryDisorder:
    """How far the categories of aligned units differ (Algorithm 1 of Mathet 2017), and how much that rests on.

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
    #: Pairs of units in one unitary alignment, and those among them that do not even overlap.
    n_pairs: int
    n_pairs_apart: int
    categories: CategoryDisorder | None


def observed(
    columns: CoreDocuments,
    *,
    pairs: PairRule = "once",
    ties_matter: bool = True,
    threads: int = 1,
    time_limit: float | None = None,
    memory_limit: int | None = None,
) -> list[Observed]:
    """The best alignment of each continuum, and the disorder of its categories where the columns are for judging.

    Without `ties_matter` any of several best alignments may be taken, sooner. The limits are those of one alignment.
    """
    if columns.kernel is None:
        return [_by_python(continuum, columns, pairs, time_limit, memory_limit) for continuum in columns.continua]
    found = align_documents(
        columns.kernel,
        columns.documents,
        columns.categories,
        pairs,
        ties_matter,
        threads,
        *core_limits(time_limit, memory_limit),
    )
    judged = columns.categories is not None
    totals, bounds, limits = found["totals"].tolist(), found["bounds"].tolist(), found["limits"].tolist()
    n_pairs, n_apart = found["pairs"].tolist(), found["apart"].tolist()
    weights, categories, firsts = found["weights"].tolist(), found["categories"].tolist(), found["firsts"].tolist()
    results = []
    unit = label = 0
    for d, continuum in enumerate(columns.continua):
        units, labels = slice(unit, unit + len(continuum)), slice(label, label + len(columns.labels[d]))
        unit, label = units.stop, labels.stop
        mean_units = continuum.mean_units
        alignment = Alignment(
            continuum,
            found["groups"][units],
            found["disorders"][firsts[d] : firsts[d + 1]],
            disorder=totals[d] / mean_units,
            lower_bound=bounds[d] / mean_units,
            duals=found["duals"][units],
            limit=_LIMITS[limits[d]],
        )
        judgement = None
        if judged:
            judgement = CategoryDisorder(
                weights[d],
                categories[d],
                columns.labels[d],
                found["label_weights"][labels],
                found["label_categories"][labels],
            )
        results.append(Observed(alignment, n_pairs[d], n_apart[d], judgement))
    return results


def _by_python(
    continuum: Continuum,
    columns: CoreDocuments,
    pairs: PairRule,
    time_limit: float | None,
    memory_limit: int | None,
) -> Observed:
    """The same where only Python can compare units; the rule for the categories is still the core's."""
    dissimilarity = columns.dissimilarity
    alignment = best_alignment(continuum, dissimilarity, time_limit=time_limit, memory_limit=memory_limit)
    u, v, real = aligned_pairs(alignment)
    from_, to = np.maximum(continuum.starts[u], continuum.starts[v]), np.minimum(continuum.ends[u], continuum.ends[v])
    lengths = (continuum.ends - continuum.starts)[u] + (continuum.ends - continuum.starts)[v]
    n_apart = int(np.count_nonzero((from_ > to) | ((from_ == to) & (lengths > 0))))
    judgement = None
    if columns.is_judged and isinstance(dissimilarity, CombinedDissimilarity):
        d_pos = replace(dissimilarity, alpha=1.0, beta=0.0, delta_empty=1.0).between(continuum, u, v)
        d_cat = replace(dissimilarity, alpha=0.0, beta=1.0, delta_empty=1.0).between(continuum, u, v)
        feature = continuum.features[dissimilarity.feature]
        used, place = np.unique(feature.codes, return_inverse=True)
        codes = place.reshape(-1).astype(np.int32)
        labels = tuple(None if code < 0 else feature.labels[code] for code in used.tolist())
        pairs_found = (real, d_pos, d_cat, codes[u], codes[v])
        if pairs == "pygamma":
            judgement = _as_pygamma(alignment, pairs_found, codes, labels, dissimilarity.alpha)
        else:
            weight, disorder, weights, disorders = category_disorder(*pairs_found, len(labels), pairs)
            judgement = CategoryDisorder(weight, disorder, labels, weights, disorders)
    return Observed(alignment, len(u), n_apart, judgement)


def _as_pygamma(
    alignment: Alignment,
    pairs: tuple[IntArray, FloatArray, FloatArray, IntArray, IntArray],
    codes: IntArray,
    labels: tuple[str | None, ...],
    alpha: float,
) -> CategoryDisorder:
    """The rule of pygamma-agreement (category_disorder.hpp): alpha in the confidence, a pair with an empty unit is a
    full disagreement of full weight; without any pair of real units it is 0, and 1 where there is no pair at all."""
    real, d_pos, d_cat, label_u, label_v = pairs
    sizes = np.bincount(alignment.group)[alignment.group]
    empty = np.repeat(codes, alignment.continuum.n_annotators - sizes)  # the label of the real unit of such a pair
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


def aligned_pairs(alignment: Alignment) -> tuple[IntArray, IntArray, IntArray]:
    """Every pair of units in one unitary alignment, by index, and how many real units that has."""
    order = np.argsort(alignment.group, kind="stable").astype(np.int32)
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
