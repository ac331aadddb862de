# SPDX-License-Identifier: MIT
"""Stretches of one continuum for γcat and γk: the weights and disorders of aligned pairs, stretch by stretch."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from unisono.alignment.observed import PairRule, aligned_pairs, pair_weights, plain_distances
from unisono.dissimilarity import CombinedDissimilarity
from unisono.intervals.bootstrap import stretches
from unisono.model import Alignment, FloatArray


@dataclass(frozen=True)
class CategoryStretches:
    """Sums over the aligned pairs of each stretch, along the continuum: of all pairs, and of those with a category."""

    disorders: FloatArray
    weights: FloatArray
    by_category: Mapping[str | None, tuple[FloatArray, FloatArray]]


def category_stretches(
    alignment: Alignment, dissimilarity: CombinedDissimilarity, pairs: PairRule
) -> CategoryStretches:
    """The parts of γcat and γk in each stretch; Σ disorders / Σ weights is the observed δcat (2017, Algorithm 1)."""
    continuum = alignment.continuum
    u, v, real = aligned_pairs(alignment)
    d_pos, d_cat = plain_distances(dissimilarity, continuum, u, v)
    weights = pair_weights(d_pos, real)
    numbers = stretches(alignment)
    stretch, count = numbers[alignment.group[u]], int(numbers.max()) + 1

    def sums(times: FloatArray) -> tuple[FloatArray, FloatArray]:
        weighted = times * weights
        return sum_by_stretch(weighted * d_cat), sum_by_stretch(weighted)

    def sum_by_stretch(values: FloatArray) -> FloatArray:
        # In the order of the values: that of the pairs depends on the annotators' names.
        order = np.lexsort((values, stretch))
        return np.bincount(stretch[order], weights=values[order], minlength=count).astype(np.float64)

    feature = continuum.features[dissimilarity.feature]
    by_category = {}
    for code in np.unique(feature.codes).tolist():
        first, second = feature.codes[u] == code, feature.codes[v] == code
        times = first.astype(np.float64) + second if pairs == "twice" else (first | second).astype(np.float64)
        by_category[None if code < 0 else feature.labels[code]] = sums(times)
    return CategoryStretches(*sums(np.ones(len(u))), by_category)
