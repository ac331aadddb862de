# SPDX-License-Identifier: MIT
"""What every alignment must satisfy, checked with the slow twins, and the twins of a set of weights."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from math import fsum

import numpy as np
import pytest

from generators import Weights
from reference.alignment import Members, members_disorder, members_of
from reference.dissimilarity import Pairwise, combined
from unisono.dissimilarity import CombinedDissimilarity
from unisono.model import Alignment, Continuum


def fast(weights: Weights) -> CombinedDissimilarity:
    """Sporadic and nominal with these weights, as the library computes it."""
    return CombinedDissimilarity(alpha=weights.alpha, beta=weights.beta, delta_empty=weights.delta_empty)


def slow(weights: Weights) -> Pairwise:
    """Sporadic and nominal with these weights, as the slow twin computes it."""
    return combined(alpha=weights.alpha, beta=weights.beta, delta_empty=weights.delta_empty)


def check_alignment(continuum: Continuum, alignment: Alignment, d: Pairwise, delta_empty: float) -> None:
    """A partition with at most one unit of each annotator in a part, its disorders recomputed, its bounds in order."""
    assert len(alignment.group) == len(continuum)
    parts = members_of(alignment.group.tolist())  # fails on a number without units
    assert len(parts) == len(alignment) == len(alignment.disorders)
    recomputed = [members_disorder(continuum, part, d, delta_empty) for part in parts]  # fails on two of one annotator
    np.testing.assert_allclose(alignment.disorders, recomputed, rtol=0, atol=1e-9)
    total = fsum(recomputed) / continuum.mean_units
    assert alignment.disorder == pytest.approx(total, rel=1e-12, abs=1e-12)
    assert alignment.lower_bound <= alignment.disorder
    assert alignment.duals is not None
    assert alignment.duals.shape == (len(continuum),)
    assert fsum(alignment.duals) / continuum.mean_units <= alignment.lower_bound + 1e-9


def check_proven(alignment: Alignment) -> None:
    """No limit stopped the search, and nothing is left between the bound and the disorder."""
    assert alignment.limit is None
    assert alignment.is_proven
    assert alignment.lower_bound == alignment.disorder
    assert alignment.gap == 0


def contents(continuum: Continuum, parts: Iterable[Members]) -> Counter[tuple[tuple[float, float, str], ...]]:
    """The unitary alignments by what is in them, whoever marked it."""
    return Counter(
        tuple(sorted((continuum[i].start, continuum[i].end, continuum[i].category or "") for i in part))
        for part in parts
    )


def contents_of(alignment: Alignment) -> Counter[tuple[tuple[float, float, str], ...]]:
    """The unitary alignments of an alignment by what is in them."""
    return contents(alignment.continuum, members_of(alignment.group.tolist()))
