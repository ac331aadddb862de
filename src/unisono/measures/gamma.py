# SPDX-License-Identifier: MIT
"""γ = 1 - observed disorder / expected disorder (Mathet et al. 2015, Eq. 8)."""

from __future__ import annotations

import warnings

from unisono.alignment import best_alignment, check_alignable
from unisono.chance import ChanceModel, Shift
from unisono.dissimilarity import CombinedDissimilarity, Dissimilarity
from unisono.errors import PrecisionWarning
from unisono.expected import ExpectedDisorder, Sampling, expected_disorder
from unisono.model import Alignment, Continuum, Corpus
from unisono.results import Interval, MeasureValue


def gamma(
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
    """γ of one continuum, with the alignment and the random disorders behind it.

    1 is full agreement, 0 what the chance model gives, below 0 less than that.
    Definition: Mathet et al. 2015, Eq. 8. Undefined (None, with the reason): no unit at all; an expected disorder
    of 0 with an observed one above it. Expected and observed both 0: 1. Fewer than two annotators: CorpusError.

    >>> c = Continuum.of({"ann": [(0, 10, "A"), (20, 30, "B")], "bob": [(0, 10, "A"), (20, 30, "B")]})
    >>> gamma(c).value
    1.0
    """
    if continuum.n_annotators >= 2 and continuum.n_units == 0:
        return MeasureValue(None, reason="nobody marked any unit")
    check_alignable(continuum)
    fitted = (dissimilarity or CombinedDissimilarity()).fitted(Corpus((continuum,)))
    model, plan = chance or Shift(), sampling or Sampling()
    alignment = best_alignment(continuum, fitted, time_limit=time_limit, memory_limit=memory_limit)
    expected = expected_disorder(
        continuum, fitted, model, plan, seed=seed, threads=threads, time_limit=time_limit, memory_limit=memory_limit
    )
    observed, mean = alignment.disorder, expected.mean
    value: float | None
    reason = None
    if mean > 0:
        value = 1 - observed / mean
    elif observed == 0:
        value = 1.0
    else:
        value, reason = None, "the expected disorder is 0 and the observed one is not"
    return MeasureValue(
        value,
        reason=reason,
        observed=observed,
        expected=mean,
        n_samples=len(expected.disorders),
        intervals=_intervals(observed, expected, plan.level),
        gap=max(alignment.gap, expected.gap),
        n_unitary_alignments=len(alignment),
        notes=(*model.notes(continuum), *_notes(alignment, expected, plan)),
        alignment=alignment,
        chance_disorders=expected.disorders,
    )


def _intervals(observed: float, expected: ExpectedDisorder, level: float) -> dict[str, Interval]:
    """What the finite number of random continua leaves open in γ; nothing where the mean may be 0."""
    low, high = expected.interval(level)
    if low <= 0:
        return {}
    return {"chance": Interval("chance", level, 1 - observed / low, 1 - observed / high)}


def _notes(alignment: Alignment, expected: ExpectedDisorder, plan: Sampling) -> tuple[str, ...]:
    notes = []
    if alignment.limit:
        notes.append(
            f"not proven: a {alignment.limit} limit stopped the search for the best alignment; the true observed "
            f"disorder is between {alignment.lower_bound:.6g} and {alignment.disorder:.6g}"
        )
    if expected.gap > 0:
        notes.append(
            f"not proven: limits stopped the alignment of random continua; the expected disorder is too high by "
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
