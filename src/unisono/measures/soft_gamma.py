# SPDX-License-Identifier: MIT
"""soft-γ: γ with soft alignments, in which each unit is in at least one unitary alignment instead of exactly one."""

from __future__ import annotations

import math
import warnings

import numpy as np

from unisono._core import soft_disorders
from unisono.alignment import check_alignable, core_limits
from unisono.alignment.soft import SoftAlignment, best_soft_alignment
from unisono.chance import ChanceModel, Shift
from unisono.dissimilarity import CombinedDissimilarity, Dissimilarity
from unisono.dissimilarity.columns import CoreColumns
from unisono.errors import PrecisionWarning
from unisono.expected import ExpectedDisorder, Sampling, required_samples
from unisono.model import Continuum, Corpus, FloatArray
from unisono.results import Interval, MeasureValue


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
    if continuum.n_annotators >= 2 and continuum.n_units == 0:
        return MeasureValue(None, reason="nobody marked any unit")
    check_alignable(continuum)
    fitted = (dissimilarity or CombinedDissimilarity()).fitted(Corpus((continuum,)))
    model, plan = chance or Shift(), sampling or Sampling()
    alignment = best_soft_alignment(continuum, fitted, time_limit=time_limit, memory_limit=memory_limit)
    expected = _expected(continuum, fitted, model, plan, seed, threads, time_limit, memory_limit)
    observed, mean = alignment.disorder, expected.mean
    value: float | None
    reason = None
    if mean > 0:
        value = 1 - observed / mean
    elif observed == 0:
        value = 1.0
    else:
        value, reason = None, "the expected disorder is 0 and the observed one is not"
    low, high = expected.interval(plan.level)
    intervals = {"chance": Interval("chance", plan.level, 1 - observed / low, 1 - observed / high)} if low > 0 else {}
    return MeasureValue(
        value,
        reason=reason,
        observed=observed,
        expected=mean,
        n_samples=len(expected.disorders),
        intervals=intervals,
        gap=max(alignment.gap, expected.gap),
        n_unitary_alignments=len(alignment),
        notes=(*model.notes(continuum), *_notes(alignment, expected, plan)),
        chance_disorders=expected.disorders,
    )


def _expected(
    continuum: Continuum,
    dissimilarity: Dissimilarity,
    chance: ChanceModel,
    sampling: Sampling,
    seed: int,
    threads: int,
    time_limit: float | None,
    memory_limit: int | None,
) -> ExpectedDisorder:
    """Random continua drawn and aligned softly, until the precision is reached, as for γ (section 5.3)."""
    disorders, bounds, redraws = np.empty(0), np.empty(0), 0
    required: float | None = None
    wanted = sampling.first if sampling.samples is None else sampling.samples
    while len(disorders) < wanted:
        first = len(disorders)
        more = _disorders(
            continuum, dissimilarity, chance, seed, first, wanted - first, threads, time_limit, memory_limit
        )
        disorders, bounds = np.concatenate([disorders, more[0]]), np.concatenate([bounds, more[1]])
        redraws += more[2]
        if sampling.samples is None:
            mean, sd = float(np.mean(disorders)), float(np.std(disorders))
            required = required_samples(mean, sd, wanted, precision=sampling.precision, level=sampling.level)
            wanted = min(max(wanted, math.ceil(required)), sampling.cap)
    return ExpectedDisorder(disorders, bounds, redraws, required)


def _disorders(
    continuum: Continuum,
    dissimilarity: Dissimilarity,
    chance: ChanceModel,
    seed: int,
    first: int,
    count: int,
    threads: int,
    time_limit: float | None,
    memory_limit: int | None,
) -> tuple[FloatArray, FloatArray, int]:
    """Soft disorders of samples first .. first + count - 1, their lower bounds, and how many draws were repeated."""
    columns = CoreColumns.of(continuum, dissimilarity)
    if isinstance(chance, Shift) and columns.kernel is not None:
        disorders, bounds, redraws = soft_disorders(
            columns.kernel,
            *columns.units,
            *chance.core_arguments(continuum, seed),
            first,
            count,
            threads,
            *core_limits(time_limit, memory_limit),
        )
        return disorders, bounds, int(redraws.sum())
    # A model or a dissimilarity written in Python: one by one.
    alignments = [
        best_soft_alignment(
            chance.draw(continuum, seed=seed, sample=sample),
            dissimilarity,
            time_limit=time_limit,
            memory_limit=memory_limit,
        )
        for sample in range(first, first + count)
    ]
    return np.array([each.disorder for each in alignments]), np.array([each.lower_bound for each in alignments]), 0


def _notes(alignment: SoftAlignment, expected: ExpectedDisorder, plan: Sampling) -> tuple[str, ...]:
    notes = []
    if alignment.limit:
        notes.append(
            f"not proven: a {alignment.limit} limit stopped the search for the best soft alignment; the true observed "
            f"disorder is between {alignment.lower_bound:.6g} and {alignment.disorder:.6g}"
        )
    if expected.gap > 0:
        notes.append(
            f"not proven: limits stopped the soft alignment of random continua; the expected disorder is too high by "
            f"at most {expected.gap:.2%}"
        )
    if expected.redraws:
        notes.append(f"{expected.redraws} random draws had no unit and were repeated")
    if not expected.is_precise:
        text = (
            f"the precision of {plan.precision:g} would take about {expected.required:.0f} samples; "
            f"{len(expected.disorders)} were drawn, the cap"
        )
        warnings.warn(text, PrecisionWarning, stacklevel=3)
        notes.append(text)
    return tuple(notes)
