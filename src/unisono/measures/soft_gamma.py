# SPDX-License-Identifier: MIT
"""soft-γ: γ with soft alignments, in which each unit is in at least one unitary alignment instead of exactly one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from unisono._core import soft_sample
from unisono.alignment import too_few_annotators
from unisono.alignment.kept_alignments import align_softly, align_softly_once
from unisono.alignment.observed import How
from unisono.alignment.soft import SoftAlignment
from unisono.chance import ChanceModel, CoreModel, Shift
from unisono.dissimilarity import CombinedDissimilarity, Dissimilarity, Program2017Dissimilarity
from unisono.dissimilarity.core_documents import CoreDocuments
from unisono.measures.computation import Measured, Progress
from unisono.measures.family import Budget, measure_in_batches, sampling_notes, too_few_samples
from unisono.measures.gamma import (
    bounds_and_range,
    chance_fields,
    chance_intervals,
    is_settled,
    not_proven_notes,
    one_minus_ratio,
)
from unisono.measures.resolved import Resolved
from unisono.measures.spread_draws import SpreadDraws
from unisono.model import Continuum, Corpus
from unisono.results import MeasureValue, Reason, ReasonCode
from unisono.sampling import Expected, Sampling, expected
from unisono.sampling.draws import ContinuumDraws, CoreDraws, Drawn, PythonDraws

_Longs = NDArray[np.int64]


def soft_gamma(
    continuum: Continuum,
    *,
    dissimilarity: Dissimilarity | None = None,
    chance: ChanceModel | None = None,
    sampling: Sampling | None = None,
    seed: int = 0,
    threads: int = 1,
    effort: float | None = None,
    time_limit: float | None = None,
    memory_limit: int | None = None,
) -> MeasureValue:
    """soft-γ of one continuum: 1 - observed / expected disorder, both of best soft alignments.

    Dissimilarity, cost of a unitary alignment (Eq. 6), normalisation (Eq. 7), chance model and random continua are
    those of γ: with the same seed both are measured on the same draws. Both disorders are at most those of γ, so
    soft-γ may be above or below γ. Definition: pygamma-agreement (Titeux and Riad 2021), which has no paper of its own
    for it. Undefined as γ is: no unit at all; an expected disorder of 0 with an observed one above it. Expected and
    observed both 0: 1. Fewer than two annotators: CorpusError.

    >>> c = Continuum.of({"ann": [(0, 20, "A")], "bob": [(0, 9, "A"), (10, 20, "A")]}, extent=(0, 200))
    >>> soft_gamma(c, sampling=Sampling(samples=30)).value > 0
    True
    """
    if continuum.n_annotators < 2:
        raise too_few_annotators(continuum)
    settings = Resolved(
        dissimilarity=(dissimilarity or CombinedDissimilarity()).fitted(Corpus((continuum,))),
        chance=chance or Shift(),
        sampling=sampling or Sampling(),
        seed=seed,
        threads=threads,
        effort=effort,
        time_limit=time_limit,
        memory_limit=memory_limit,
    )
    return soft_gamma_family(Corpus((continuum,)), ["soft-gamma"], settings)["soft-gamma"].documents[0]


def soft_gamma_family(
    corpus: Corpus, names: Sequence[str], settings: Resolved, progress: Progress | None = None
) -> dict[str, Measured]:
    """soft-γ of every document and of the whole corpus, pooled as γ is."""
    return measure_in_batches(corpus, names, settings, progress, _measure_batch)


def _measure_batch(
    continua: Sequence[Continuum], names: Sequence[str], settings: Resolved
) -> Iterator[tuple[dict[str, MeasureValue], bool]]:
    if isinstance(settings.dissimilarity, Program2017Dissimilarity):
        unknown = Reason(ReasonCode.BAD_SETTING, "soft alignments are not known where two empty units cost nothing")
        yield from ((dict.fromkeys(names, MeasureValue.undefined(unknown)), True) for _ in continua)
        return
    chance = settings.chance
    budget = Budget(settings)
    alignments = [align_softly_once(continuum, settings.dissimilarity, budget.observed) for continuum in continua]
    random = expected(
        CoreDocuments.of(continua, settings.dissimilarity, judged=False),
        chance.model_for(continua[0]) if isinstance(chance, CoreModel) else chance,
        settings.sampling,
        seed=settings.seed,
        drawn=soft_draws if settings.executor is None else SpreadDraws.over(settings.executor, soft_draws),
        how=budget.random,
        again=budget.again,
    )
    for continuum, alignment, by_chance in zip(continua, alignments, random, strict=True):
        too_few = too_few_samples(by_chance, settings)
        value = MeasureValue.undefined(too_few) if too_few else _value(continuum, alignment, by_chance, settings)
        yield dict.fromkeys(names, value), too_few is not None or by_chance.is_precise


def _value(continuum: Continuum, alignment: SoftAlignment, random: Expected, settings: Resolved) -> MeasureValue:
    chance = random.disorder
    assert chance is not None  # every random continuum has a disorder
    return replace(
        one_minus_ratio(alignment.disorder, chance.mean),
        observed=alignment.disorder,
        expected=chance.mean,
        n_samples=random.n_samples,
        intervals=chance_intervals(alignment.disorder, chance, settings.level),
        gap=max(alignment.gap, random.gap),
        **bounds_and_range(alignment, random),
        is_settled=is_settled(alignment, random, settings),
        n_unitary_alignments=len(alignment),
        weight=continuum.mean_units,
        notes=(
            *settings.chance.notes(continuum),
            *sampling_notes(random, settings),
            *not_proven_notes(alignment, random),
        ),
        is_precise=random.is_precise,
        chance_disorders=random.disorders,
        **chance_fields(chance),
        chance_case=random.case,
    )


def soft_draws(chance: ChanceModel, columns: CoreDocuments, seed: int) -> ContinuumDraws:
    """The random continua of γ, with soft alignments."""
    if columns.kernel is not None and isinstance(chance, CoreModel):
        return _SoftCoreDraws.of(chance, columns, seed)
    return _SoftPythonDraws(chance, columns, seed)


class _SoftCoreDraws(CoreDraws):
    def sample(self, cases: _Longs, firsts: _Longs, counts: _Longs, how: How) -> Drawn:
        disorders = soft_sample(self.core.model, self.core.kernel, cases, firsts, counts, how.threads, how.limits)
        return (*disorders, np.empty(0), np.empty(0))


class _SoftPythonDraws(PythonDraws):
    def sample(self, cases: _Longs, firsts: _Longs, counts: _Longs, how: How) -> Drawn:
        disorders, bounds = [], []
        for _, continua, how_left in self.random_continua(cases, firsts, counts, how):
            alignments = [align_softly(continuum, self.columns.dissimilarity, how_left) for continuum in continua]
            if how.time_limit is not None and (not alignments or alignments[0].limit == "time"):
                disorders.append(np.nan)
                bounds.append(np.nan)
                continue
            disorders += [each.disorder for each in alignments]
            bounds += [each.lower_bound for each in alignments]
        return (
            np.array(disorders),
            np.array(bounds),
            np.zeros(len(disorders), dtype=np.int64),
            np.empty(0),
            np.empty(0),
        )
