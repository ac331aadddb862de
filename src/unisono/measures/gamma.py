# SPDX-License-Identifier: MIT
"""γ = 1 - observed disorder / expected disorder (Mathet et al. 2015, Eq. 8)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from unisono.alignment import too_few_annotators
from unisono.alignment.observed import Observed
from unisono.chance import ChanceModel, Shift
from unisono.dissimilarity import CombinedDissimilarity, Dissimilarity
from unisono.measures.resolved import Resolved
from unisono.model import AlignmentBase, Continuum, Corpus
from unisono.results import Interval, MeasureValue, Reason, ReasonCode
from unisono.sampling import Estimate, Expected, Sampling
from unisono.sampling.repeats import ALLOWED

ZERO_EXPECTED = Reason(ReasonCode.ZERO_EXPECTED, "the expected disorder is 0 and the observed one is not")


def gamma(
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
    """γ of one continuum, with the alignment and the random disorders behind it.

    1 is full agreement, 0 the agreement that the chance model gives; values below 0 are less than that.
    Definition: Mathet et al. 2015, Eq. 8. Undefined (None, with the reason): no unit at all; an expected disorder
    of 0 with an observed one above it. Expected and observed both 0: 1. Fewer than two annotators: CorpusError.

    >>> c = Continuum.of({"ann": [(0, 10, "A"), (20, 30, "B")], "bob": [(0, 10, "A"), (20, 30, "B")]})
    >>> gamma(c).value
    1.0
    """
    from unisono.measures.family import gamma_family  # the family imports this module

    if continuum.n_annotators < 2:
        raise too_few_annotators(continuum)
    corpus = Corpus((continuum,))
    settings = Resolved(
        dissimilarity=(dissimilarity or CombinedDissimilarity()).fitted(corpus),
        chance=chance or Shift(),
        sampling=sampling or Sampling(),
        seed=seed,
        threads=threads,
        effort=effort,
        time_limit=time_limit,
        memory_limit=memory_limit,
    )
    return gamma_family(corpus, ["gamma"], settings)["gamma"].documents[0]


def gamma_value(observed: Observed, expected: Expected, settings: Resolved, notes: tuple[str, ...]) -> MeasureValue:
    """γ of a continuum from its best alignment and the disorders of random continua."""
    alignment = observed.alignment
    chance = expected.disorder
    assert chance is not None  # every random continuum has a disorder
    value = one_minus_ratio(alignment.disorder, chance.mean)
    if settings.pairs == "pygamma" and alignment.disorder == 0:
        value = MeasureValue(1.0)
    return replace(
        value,
        observed=alignment.disorder,
        expected=chance.mean,
        n_samples=expected.n_samples,
        intervals=chance_intervals(alignment.disorder, chance, settings.level),
        gap=max(alignment.gap, expected.gap),
        **bounds_and_range(alignment, expected),
        is_settled=is_settled(alignment, expected, settings),
        n_unitary_alignments=len(alignment),
        weight=alignment.continuum.mean_units,
        n_aligned_pairs=observed.n_pairs,
        n_pairs_apart=observed.n_pairs_apart,
        notes=(*notes, *not_proven_notes(alignment, expected)),
        is_precise=expected.is_precise,
        alignment=alignment,
        chance_disorders=expected.disorders,
        **chance_fields(chance),
        chance_case=expected.case,
    )


def chance_fields(chance: Estimate, scale: float = 1.0) -> dict[str, Any]:
    """Fields of a value: how precise its expected disorder is, which is `scale` times the estimate.

    Where the sources of the random continua were taken into account, or more of them were aligned by a short search:
    what that was worth.
    """
    precise: dict[str, Any] = {"chance_sd": chance.sd * scale}
    if chance.is_plain:
        return precise
    reduction = chance.reduction
    return {
        **precise,
        "rough_samples": chance.n_rough or None,
        "chance_df": chance.df,
        "effective_samples": chance.n * reduction,
        "variance_reduction": reduction,
    }


def one_minus_ratio(observed: float, expected: float) -> MeasureValue:
    """1 - observed / expected disorder; 1 where both are 0, undefined where only the expected one is."""
    if expected > 0:
        return MeasureValue(1 - observed / expected)
    return MeasureValue(1.0) if observed == 0 else MeasureValue.undefined(ZERO_EXPECTED)


def chance_intervals(observed: float, chance: Estimate, level: float) -> dict[str, Interval]:
    """The computation error of 1 - observed / expected, from the finite number of random continua.

    Empty where the interval of the expected disorder reaches 0.
    """
    bounds = chance.interval(level)
    if bounds is None or bounds[0] <= 0:
        return {}
    return {"chance": Interval("chance", level, 1 - observed / bounds[0], 1 - observed / bounds[1])}


def guaranteed_range(
    observed: float, observed_bound: float, expected: float, expected_bound: float
) -> tuple[float, float] | None:
    """Where 1 - observed / expected lies, given the samples, if the disorders are only known to be at least the bounds.

    The disorders themselves are upper bounds: they belong to alignments that were found (`expected` is the upper bound
    of a weighted mean, where samples are weighted). None where the lower bound of the expected disorder is 0, which
    leaves the value without a lower end.

    >>> guaranteed_range(0.5, 0.4, 1.0, 0.8)
    (0.375, 0.6)
    """
    if expected_bound <= 0:
        return None
    return 1 - observed / expected_bound, 1 - observed_bound / expected


def bounds_and_range(alignment: AlignmentBase[Any], expected: Expected) -> dict[str, Any]:
    """Fields of a value: the lower bounds of its disorders and the range they leave; empty where all is proven."""
    if alignment.gap == 0 and expected.gap == 0:
        return {}
    chance = expected.disorder
    assert chance is not None  # every random continuum has a disorder
    low, high = expected.range or (chance.mean, chance.mean)
    return {
        "observed_bound": alignment.lower_bound,
        "expected_bound": low,
        # Above the mean only where a sample that is not proven has a negative weight.
        "expected_upper_bound": high if high > chance.mean else None,
        "range": guaranteed_range(alignment.disorder, alignment.lower_bound, max(high, chance.mean), low),
        "chance_bounds": expected.bounds,
    }


def is_settled(alignment: AlignmentBase[Any], expected: Expected, settings: Resolved) -> bool | None:
    """Whether the gaps of unproven alignments are within a tenth of the precision; None where all are proven."""
    gap = max(alignment.gap, expected.gap)
    return gap <= ALLOWED * settings.sampling.tolerated if gap > 0 else None


def not_proven_notes(alignment: AlignmentBase[Any], expected: Expected) -> tuple[str, ...]:
    """Notes on the searches that a limit stopped."""
    notes = []
    if alignment.gap > 0:
        notes.append(
            f"not proven: the {alignment.limit} limit stopped the search for the best alignment; the true observed "
            f"disorder is between {alignment.lower_bound:.6g} and {alignment.disorder:.6g}"
        )
    if expected.gap > 0:
        notes.append(
            f"not proven: the search ended early for {expected.n_unproven} of {expected.n_samples} random continua; "
            f"the expected disorder is too high by at most {expected.gap:.2%}"
        )
    return tuple(notes)
