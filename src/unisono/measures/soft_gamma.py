# SPDX-License-Identifier: MIT
"""soft-γ: γ with soft alignments, in which each unit is in at least one unitary alignment instead of exactly one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from unisono._core import soft_sample
from unisono.alignment import too_few_annotators
from unisono.alignment.observed import How
from unisono.alignment.soft import SoftAlignment, best_soft_alignment
from unisono.chance import ChanceModel, CoreModel, Shift
from unisono.dissimilarity import CombinedDissimilarity, Dissimilarity
from unisono.dissimilarity.columns import CoreDocuments
from unisono.expected import Estimate, Expected, Sampling, expected
from unisono.expected.draws import CoreDraws, Drawn, Draws, PythonDraws
from unisono.measures.family import by_handfuls, sampling_notes, time_limits
from unisono.measures.gamma import chance_intervals, quotient
from unisono.measures.protocol import Measured, Progress
from unisono.measures.settings import Settings
from unisono.model import Continuum, Corpus
from unisono.results import MeasureValue

_Longs = NDArray[np.int64]


def soft_gamma(
    continuum: Continuum,
    *,
    dissimilarity: Dissimilarity | None = None,
    chance: ChanceModel | None = None,
    sampling: Sampling | None = None,
    seed: int = 0,
    threads: int = 1,
    time_limit: float | None = None,
    memory_limit: int | None = None,
) -> MeasureValue:
    """soft-γ of one continuum: 1 - observed / expected disorder, both of best soft alignments.

    Dissimilarity, cost of a unitary alignment (Eq. 6), normalisation (Eq. 7), chance model and random continua are
    those of γ: with the same seed the two are measured on the same draws. Both disorders are at most those of γ, so
    soft-γ may be above or below it. Definition: pygamma-agreement (Titeux and Riad 2021), which has no paper of its own
    for it. Undefined as γ is: no unit at all; an expected disorder of 0 with an observed one above it. Expected and
    observed both 0: 1. Fewer than two annotators: CorpusError.

    >>> c = Continuum.of({"ann": [(0, 20, "A")], "bob": [(0, 9, "A"), (10, 20, "A")]}, extent=(0, 200))
    >>> soft_gamma(c, sampling=Sampling(samples=30)).value > 0
    True
    """
    if continuum.n_annotators < 2:
        raise too_few_annotators(continuum)
    settings = Settings(
        dissimilarity=(dissimilarity or CombinedDissimilarity()).fitted(Corpus((continuum,))),
        chance=chance or Shift(),
        sampling=sampling or Sampling(),
        seed=seed,
        threads=threads,
        time_limit=time_limit,
        memory_limit=memory_limit,
    )
    return soft_gamma_family(Corpus((continuum,)), ["soft-gamma"], settings)["soft-gamma"].documents[0]


def soft_gamma_family(
    corpus: Corpus, names: Sequence[str], settings: Settings, progress: Progress | None = None
) -> dict[str, Measured]:
    """soft-γ of every document and of the whole corpus, pooled as γ is."""
    return by_handfuls(corpus, names, settings, progress, _measured)


def _measured(
    continua: Sequence[Continuum], names: Sequence[str], settings: Settings
) -> Iterator[tuple[dict[str, MeasureValue], bool]]:
    chance = settings.chance
    of_observed, of_sample = time_limits(settings)
    random = expected(
        CoreDocuments.of(continua, settings.dissimilarity, judged=False),
        chance.model_for(continua[0]) if isinstance(chance, CoreModel) else chance,
        settings.sampling,
        seed=settings.seed,
        drawn=soft_draws,
        threads=settings.threads,
        time_limit=of_sample,
        memory_limit=settings.memory_limit,
    )
    for continuum, by_chance in zip(continua, random, strict=True):
        alignment = best_soft_alignment(
            continuum, settings.dissimilarity, time_limit=of_observed, memory_limit=settings.memory_limit
        )
        yield dict.fromkeys(names, _value(continuum, alignment, by_chance, settings)), by_chance.is_precise


def _value(continuum: Continuum, alignment: SoftAlignment, random: Expected, settings: Settings) -> MeasureValue:
    chance = Estimate.of(random.disorders)
    assert chance is not None  # every random continuum has a disorder
    value, reason = quotient(alignment.disorder, chance.mean)
    return MeasureValue(
        value,
        reason=reason,
        observed=alignment.disorder,
        expected=chance.mean,
        n_samples=random.n_samples,
        intervals=chance_intervals(alignment.disorder, chance, settings.level),
        gap=max(alignment.gap, random.gap),
        n_unitary_alignments=len(alignment),
        weight=continuum.mean_units,
        notes=(*settings.chance.notes(continuum), *sampling_notes(random, settings), *_not_proven(alignment, random)),
        chance_disorders=random.disorders,
        chance_sd=chance.sd,
        chance_case=random.case,
    )


def _not_proven(alignment: SoftAlignment, random: Expected) -> tuple[str, ...]:
    notes = []
    if alignment.limit:
        notes.append(
            f"not proven: a {alignment.limit} limit stopped the search for the best soft alignment; the true observed "
            f"disorder is between {alignment.lower_bound:.6g} and {alignment.disorder:.6g}"
        )
    if random.gap > 0:
        notes.append(
            f"not proven: limits stopped the soft alignment of random continua; the expected disorder is too high by "
            f"at most {random.gap:.2%}"
        )
    return tuple(notes)


def soft_draws(chance: ChanceModel, columns: CoreDocuments, seed: int) -> Draws:
    """Random continua as for γ, aligned softly."""
    if columns.kernel is not None and isinstance(chance, CoreModel):
        return _SoftCoreDraws(chance.cases(columns, seed))
    return _SoftPythonDraws(chance, columns, seed)


class _SoftCoreDraws(CoreDraws):
    def sample(self, cases: _Longs, firsts: _Longs, counts: _Longs, how: How) -> Drawn:
        found = soft_sample(self.core.model, self.core.kernel, cases, firsts, counts, how.threads, *how.limits)
        return (*found, np.empty(0), np.empty(0))


class _SoftPythonDraws(PythonDraws):
    def sample(self, cases: _Longs, firsts: _Longs, counts: _Longs, how: How) -> Drawn:
        alignments = [
            best_soft_alignment(
                continuum, self.columns.dissimilarity, time_limit=how.time_limit, memory_limit=how.memory_limit
            )
            for _, random in self.random_continua(cases, firsts, counts)
            for continuum in random
        ]
        return (
            np.array([each.disorder for each in alignments]),
            np.array([each.lower_bound for each in alignments]),
            np.zeros(len(alignments), dtype=np.int64),
            np.empty(0),
            np.empty(0),
        )
