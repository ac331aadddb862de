# SPDX-License-Identifier: MIT
"""Which category of the other annotators corresponds to which of a reference: the mapping that agrees best."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np

from unisono._core import align_pairs
from unisono.alignment import NO_LIMITS, best_alignment
from unisono.arrays import repeat
from unisono.dissimilarity import CombinedDissimilarity, Dissimilarity
from unisono.io.read import as_corpus
from unisono.model import CATEGORY, Continuum, Corpus, FloatArray, IntArray


def best_label_mapping(data: Any, reference: str, *, dissimilarity: Dissimilarity | None = None) -> dict[str, str]:
    """The one-to-one mapping of the others' categories onto the reference's that agrees best.

    Each annotator is aligned with the reference by positions alone. Every aligned pair of units supports mapping the
    category of the one onto that of the other, with the confidence that γcat gives it: max(0, 1 - d_pos), where d_pos
    is the positional dissimilarity without its weight (Mathet 2017). The mapping is the assignment with the greatest
    sum of confidences, computed exactly. Categories without support are left out.

    dissimilarity: its positional part, alpha and delta_empty are used; the default is the paper's.

    >>> from unisono.model import Continuum
    >>> c = Continuum.of({"ann": [(0, 5, "PERSON"), (9, 12, "X")], "gold": [(0, 5, "PER"), (20, 30, "LOC")]})
    >>> best_label_mapping(Corpus((c,)), "gold")
    {'PERSON': 'PER'}
    """
    return _assignment(label_confidence(as_corpus(data), reference, dissimilarity=dissimilarity))


def label_confidence(
    corpus: Corpus, reference: str, *, dissimilarity: Dissimilarity | None = None
) -> dict[tuple[str, str], float]:
    """Summed confidence of the aligned pairs of each category of the others and each of the reference."""
    whole = dissimilarity if isinstance(dissimilarity, CombinedDissimilarity) else CombinedDissimilarity()
    positions = CombinedDissimilarity(whole.positional, alpha=whole.alpha or 1.0, beta=0, delta_empty=whole.delta_empty)
    distance = CombinedDissimilarity(whole.positional, beta=0)
    confidence: Counter[tuple[str, str]] = Counter()
    for continuum in corpus:
        if reference not in continuum.annotators:
            continue
        for name in continuum.annotators:
            if name == reference:
                continue
            two = continuum.restrict([name, reference])
            if len(two):
                _add_confidence(confidence, two, reference, positions, distance)
    return {labels: weight for labels, weight in sorted(confidence.items()) if weight > 0}


def without_collisions(corpus: Corpus, reference: str, mapping: Mapping[str, str]) -> dict[str, str]:
    """The mapping, with unmapped categories renamed if the reference has a category of the same name.

    Otherwise such a category would count as the reference's.
    """
    theirs = {
        unit_label
        for continuum in corpus
        if reference in continuum.annotators
        for unit_label in continuum.restrict([reference]).features[CATEGORY].compact().labels
    }
    left_out = {label for label in corpus.labels() if label not in mapping and label in theirs}
    return {**mapping, **{label: f"{label} (not mapped)" for label in left_out}}


def _add_confidence(
    total: Counter[tuple[str, str]],
    two: Continuum,
    reference: str,
    positions: CombinedDissimilarity,
    distance: CombinedDissimilarity,
) -> None:
    alignment = best_alignment(two, positions)
    is_reference = two.annotator_codes == two.annotators.index(reference)
    partner = np.full(len(alignment), -1, dtype=np.int32)
    partner[alignment.group[is_reference]] = np.flatnonzero(is_reference)
    units: IntArray = np.flatnonzero(~is_reference).astype(np.int32)
    match: IntArray = partner[alignment.group[units]]
    labels = two.category_codes
    paired = (match >= 0) & (labels[units] >= 0) & (labels[match] >= 0)
    units, match = units[paired], match[paired]
    confidence = np.maximum(0.0, 1.0 - distance.between(two, units, match))
    for one, other, weight in zip(labels[units].tolist(), labels[match].tolist(), confidence.tolist(), strict=True):
        total[two.categories[one], two.categories[other]] += weight


def _assignment(weights: Mapping[tuple[str, str], float]) -> dict[str, str]:
    """The one-to-one assignment of greatest total weight, by the exact matching that aligns two annotators.

    Labels take the place of units: a pair costs 2 - 2 * weight / greatest weight, a single label costs 1, so that the
    least total cost gives the greatest total weight.
    """
    if not weights:
        return {}
    sources = sorted({source for source, _ in weights})
    targets = sorted({target for _, target in weights})
    place = {label: i for i, label in enumerate(sources)}
    place_of_target = {label: len(sources) + i for i, label in enumerate(targets)}
    count = len(sources) + len(targets)
    numbers: FloatArray = np.arange(count, dtype=np.float64)
    codes: IntArray = np.arange(count, dtype=np.int32)
    annotators = repeat(np.array([0, 1], dtype=np.int32), [len(sources), len(targets)])
    greatest = max(weights.values())
    outcome = align_pairs(
        numbers,
        numbers + 1,
        codes,
        codes,
        annotators,
        2,
        1.0,
        np.array([place[source] for source, _ in weights], dtype=np.int32),
        np.array([place_of_target[target] for _, target in weights], dtype=np.int32),
        np.array([2 - 2 * weight / greatest for weight in weights.values()], dtype=np.float64),
        NO_LIMITS,
    )
    group = outcome[0]
    target_of = {int(group[place_of_target[label]]): label for label in targets}
    return {label: target_of[int(group[place[label]])] for label in sources if int(group[place[label]]) in target_of}
