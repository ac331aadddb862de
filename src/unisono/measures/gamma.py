# SPDX-License-Identifier: MIT
"""γ = 1 - observed disorder / expected disorder (Mathet et al. 2015, Eq. 8)."""

from __future__ import annotations

from unisono.alignment import too_few_annotators
from unisono.alignment.observed import Observed
from unisono.chance import ChanceModel, Shift
from unisono.dissimilarity import CombinedDissimilarity, Dissimilarity
from unisono.expected import Estimate, Expected, Sampling
from unisono.measures.settings import Settings
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
    from unisono.measures.family import gamma_family  # the family is built from this file

    if continuum.n_annotators < 2:
        raise too_few_annotators(continuum)
    corpus = Corpus((continuum,))
    settings = Settings(
        dissimilarity=(dissimilarity or CombinedDissimilarity()).fitted(corpus),
        chance=chance or Shift(),
        sampling=sampling or Sampling(),
        seed=seed,
        threads=threads,
        time_limit=time_limit,
        memory_limit=memory_limit,
    )
    return gamma_family(corpus, ["gamma"], settings)["gamma"].documents[0]


def gamma_value(observed: Observed, expected: Expected, settings: Settings, notes: tuple[str, ...]) -> MeasureValue:
    """γ of a continuum from its best alignment and the disorders of random continua."""
    alignment = observed.alignment
    chance = Estimate.of(expected.disorders)
    assert chance is not None  # every random continuum has a disorder
    value, reason = quotient(alignment.disorder, chance.mean)
    if settings.pairs == "pygamma" and alignment.disorder == 0:
        value, reason = 1.0, None
    return MeasureValue(
        value,
        reason=reason,
        observed=alignment.disorder,
        expected=chance.mean,
        n_samples=expected.n_samples,
        intervals=chance_intervals(alignment.disorder, chance, settings.level),
        gap=max(alignment.gap, expected.gap),
        n_unitary_alignments=len(alignment),
        weight=alignment.continuum.mean_units,
        n_aligned_pairs=observed.n_pairs,
        n_pairs_apart=observed.n_pairs_apart,
        notes=(*notes, *_not_proven(alignment, expected)),
        alignment=alignment,
        chance_disorders=expected.disorders,
        chance_sd=chance.sd,
        chance_case=expected.case,
    )


def quotient(observed: float, expected: float) -> tuple[float | None, str | None]:
    """1 - observed / expected, or the reason why there is none."""
    if expected > 0:
        return 1 - observed / expected, None
    if observed == 0:
        return 1.0, None
    return None, "the expected disorder is 0 and the observed one is not"


def chance_intervals(observed: float, chance: Estimate, level: float) -> dict[str, Interval]:
    """What the finite number of random continua leaves open in 1 - observed / expected; nothing where that may be 0."""
    found = chance.interval(level)
    if found is None or found[0] <= 0:
        return {}
    return {"chance": Interval("chance", level, 1 - observed / found[0], 1 - observed / found[1])}


def _not_proven(alignment: Alignment, expected: Expected) -> tuple[str, ...]:
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
    return tuple(notes)
