# SPDX-License-Identifier: MIT
"""γ, γcat and γk from pygamma-agreement's objects: the core aligns the continuum and the random ones together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ceil, inf

import numpy as np

import unisono
from unisono.alignment import check_alignable
from unisono.alignment.observed import How, observe
from unisono.compat.pygamma.alignment import Alignment, SoftAlignment
from unisono.compat.pygamma.continuum import Continuum
from unisono.compat.pygamma.dissimilarity import AbstractDissimilarity, CombinedCategoricalDissimilarity
from unisono.compat.pygamma.sampler import AbstractContinuumSampler, StatisticalContinuumSampler
from unisono.dissimilarity.core_documents import CoreDocuments
from unisono.parallel import n_threads

#: The precision levels by name; the documentation of pygamma-agreement says 5 % for "low", its code has 10 %.
PRECISION_LEVELS = {"high": 0.01, "medium": 0.02, "low": 0.1}
#: The quantile of the normal law at 95 %, rounded as in pygamma-agreement.
CONFIDENCE = 1.96


@dataclass
class GammaResults:
    """The best alignment, those of the random continua, and the values that follow from them."""

    best_alignment: Alignment
    chance_alignments: Sequence[Alignment]
    dissimilarity: AbstractDissimilarity
    precision_level: float | None = None

    @property
    def n_samples(self) -> int:
        return len(self.chance_alignments)

    @property
    def alignments_nb(self) -> int:
        """The number of unitary alignments in the best alignment."""
        return self.best_alignment.num_unitary_alignments

    @property
    def observed_disorder(self) -> float:
        return self.best_alignment.disorder

    @cached_property
    def expected_disorder(self) -> float:
        return float(np.mean([alignment.disorder for alignment in self.chance_alignments]))

    @property
    def approx_gamma_range(self) -> tuple[float, float]:
        """γ if the expected disorder were lower or higher by the precision level."""
        if self.precision_level is None:
            raise ValueError("there is no precision level, so there is no range of γ: give precision_level")
        low, high = (
            1 - self.observed_disorder / (self.expected_disorder * factor)
            for factor in (1 - self.precision_level, 1 + self.precision_level)
        )
        return low, high

    @property
    def gamma(self) -> float:
        """γ = 1 - observed / expected disorder; 1 without observed disorder, minus infinity without an expected one."""
        observed, expected = self.observed_disorder, self.expected_disorder
        return 1.0 if observed == 0 else -inf if expected == 0 else 1 - observed / expected

    @cached_property
    def gamma_cat(self) -> float:
        """γcat by the rule of pygamma-agreement: 0 where no disagreement on categories is expected."""
        observed, expected = self._categorial_disorders(None)
        return 1.0 if observed == 0 else 0.0 if expected == 0 else 1 - observed / expected

    def gamma_k(self, category: str) -> float:
        """γk of a category by the rule of pygamma-agreement: minus infinity where no disagreement is expected."""
        observed, expected = self._categorial_disorders(category)
        return 1.0 if observed == 0 else -inf if expected == 0 else 1 - observed / expected

    def _categorial_disorders(self, category: str | None) -> tuple[float, float]:
        observed = self.best_alignment.gamma_k_disorder(self.dissimilarity, category)
        if observed == 0:
            return 0.0, 0.0
        chance = [alignment.gamma_k_disorder(self.dissimilarity, category) for alignment in self.chance_alignments]
        return observed, float(np.mean(chance))


def compute_gamma(
    continuum: Continuum,
    dissimilarity: AbstractDissimilarity | None,
    *,
    n_samples: int,
    precision_level: float | str | None,
    ground_truth_annotators: Iterable[str] | None,
    sampler: AbstractContinuumSampler | None,
    fast: bool,
    soft: bool,
) -> GammaResults:
    """What `Continuum.compute_gamma` returns: n_samples random continua, and one more batch if they vary too much."""
    if fast and soft:
        raise NotImplementedError("soft-γ has no fast variant: leave `fast` out, the exact search is fast")
    if isinstance(precision_level, str) and precision_level not in PRECISION_LEVELS:
        raise ValueError(
            f"precision_level is {precision_level!r}, not one of {', '.join(PRECISION_LEVELS)}, or a number"
        )
    precision = PRECISION_LEVELS[precision_level] if isinstance(precision_level, str) else precision_level
    if precision is not None and not 0 < precision < 1:
        raise ValueError(f"precision_level is {precision}, not between 0 and 1")
    dissimilarity = CombinedCategoricalDissimilarity() if dissimilarity is None else dissimilarity
    sampler = StatisticalContinuumSampler() if sampler is None else sampler
    sampler.init_sampling(continuum, ground_truth_annotators)
    align = best_soft_alignments if soft else best_alignments
    drawn = [sampler.sample_from_continuum for _ in range(n_samples)]
    observed, *chance = align([continuum, *drawn], dissimilarity)
    if precision is not None:
        disorders = np.array([alignment.disorder for alignment in chance])
        spread = disorders.std() / disorders.mean() if disorders.any() else 0.0
        required = ceil((spread * CONFIDENCE / precision) ** 2)
        more = [sampler.sample_from_continuum for _ in range(required - n_samples)]
        if more:
            chance += align(more, dissimilarity)
    return GammaResults(observed, chance, dissimilarity, precision)


def best_alignments(continua: Sequence[Continuum], dissimilarity: AbstractDissimilarity) -> list[Alignment]:
    """The best alignment of each continuum, all by one call of the core."""
    own = [_convert_and_check(continuum) for continuum in continua]
    columns = CoreDocuments.of(own, dissimilarity.to_unisono(), judged=False)
    outcomes = observe(columns, How(threads=n_threads(None)))
    return [Alignment._from_unisono(outcome.alignment, it) for outcome, it in zip(outcomes, continua, strict=True)]


def best_soft_alignments(continua: Sequence[Continuum], dissimilarity: AbstractDissimilarity) -> list[Alignment]:
    """The best soft alignment of each continuum."""
    return [best_soft_alignment(continuum, dissimilarity) for continuum in continua]


def best_soft_alignment(continuum: Continuum, dissimilarity: AbstractDissimilarity) -> SoftAlignment:
    """The soft alignment of least disorder."""
    found = unisono.best_soft_alignment(_convert_and_check(continuum), dissimilarity.to_unisono())
    return SoftAlignment._from_unisono(found, continuum)


def _convert_and_check(continuum: Continuum) -> unisono.Continuum:
    own = continuum.to_unisono()
    check_alignable(own)
    return own
