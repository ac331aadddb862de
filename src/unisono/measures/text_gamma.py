# SPDX-License-Identifier: MIT
"""text-γ = 1 - observed / expected disorder, where annotators also correct the text (Barteld et al. 2016)."""

from __future__ import annotations

import warnings
from dataclasses import dataclass

from unisono.errors import CorpusError, PrecisionWarning
from unisono.expected import Estimate, Expected, Sampling, expected_of
from unisono.measures.gamma import chance_intervals, quotient
from unisono.results import MeasureValue
from unisono.text.alignment import TextAlignment, aligned
from unisono.text.columns import MEMORY_LIMIT, GapCosts, core_text
from unisono.text.dissimilarity import TextDissimilarity
from unisono.text.edits import Observations, RandomEdits, RandomVersions, Rates
from unisono.text.versions import TextVersions, check_measurable


@dataclass(frozen=True)
class TextGamma:
    """The value of text-γ with what it rests on: the alignment and the probabilities of the chance model."""

    value: MeasureValue
    alignment: TextAlignment | None
    rates: Rates | None


def text_gamma(
    versions: TextVersions,
    *,
    dissimilarity: TextDissimilarity | None = None,
    chance: RandomEdits | None = None,
    sampling: Sampling | None = None,
    gap_t: float = 1.0,
    gap_b: float = 1.0,
    count_gaps: bool = False,
    seed: int = 0,
    threads: int = 1,
    time_limit: float | None = None,
    memory_limit: int | None = MEMORY_LIMIT,
) -> TextGamma:
    """text-γ of the versions of one text.

    1 is full agreement on text, segmentation and labels; 0 what random edits of the pre-annotation give, below 0 less.
    Definition: Barteld et al. 2016, sections 4 to 6. Undefined (None, with the reason): no unit at all; a
    pre-annotation without units; an expected disorder of 0 with an observed one above it. Expected and observed both
    0: 1. Fewer than two annotators: CorpusError; a limit reached before the alignment was found: SolverLimitError.

    >>> from unisono.text import Version
    >>> one = Version.of("so so", [(0, 2, "ADV"), (3, 5, "KON")])
    >>> other = Version.of("so so", [(0, 2, "ADV"), (3, 5, "ADV")])
    >>> round(text_gamma(TextVersions.of({"ann": one, "bob": one, "cem": other})).value.observed, 6)
    0.166667
    """
    if not isinstance(versions, TextVersions):
        raise CorpusError.of(
            "a version of the text by each annotator",
            "units on one common continuum",
            "measure gamma instead, or read one file per annotator",
            code="needs-text-versions",
        )
    if versions.n_annotators >= 2 and versions.n_units == 0:
        return TextGamma(MeasureValue(None, reason="nobody marked any unit"), None, None)
    check_measurable(versions)
    model, plan = chance or RandomEdits(), sampling or Sampling()
    core = core_text(versions, dissimilarity, GapCosts(gap_t, gap_b), count_gaps=count_gaps)
    alignment = aligned(core, time_limit=time_limit, memory_limit=memory_limit)
    observations = Observations(core)
    if not observations.bases:
        nothing = "the pre-annotation has no unit: there is nothing that chance could edit"
        return TextGamma(MeasureValue(None, reason=nothing, observed=alignment.disorder), alignment, None)
    rates = observations.rates(model, time_limit=time_limit, memory_limit=memory_limit)
    edits = observations.edit_model(rates, seed=seed, p_further=model.p_further)

    (expected,) = expected_of(
        RandomVersions(core, edits), plan, threads=threads, time_limit=time_limit, memory_limit=memory_limit
    )
    chance_disorder = Estimate.of(expected.disorders)
    assert chance_disorder is not None  # every sample has a disorder
    value, reason = quotient(alignment.disorder, chance_disorder.mean)
    return TextGamma(
        MeasureValue(
            value,
            reason=reason,
            observed=alignment.disorder,
            expected=chance_disorder.mean,
            n_samples=expected.n_samples,
            intervals=chance_intervals(alignment.disorder, chance_disorder, plan.level),
            gap=max(alignment.gap, expected.gap),
            n_unitary_alignments=len(alignment),
            weight=versions.mean_units,
            notes=_notes(versions, alignment, rates, expected, plan),
            chance_disorders=expected.disorders,
            chance_sd=chance_disorder.sd,
        ),
        alignment,
        rates,
    )


def _notes(
    versions: TextVersions, alignment: TextAlignment, rates: Rates, expected: Expected, plan: Sampling
) -> tuple[str, ...]:
    notes = [f"chance: {rates.signature}"]
    if versions.base is None:
        notes.append("no pre-annotation was given: each annotator's version served as one in turn")
    if alignment.limit or expected.gap > 0:
        notes.append("not proven: a limit stopped the search for the best alignment")
    if not expected.is_precise:
        text = (
            f"the precision of {plan.precision:g} would take about {expected.required:.0f} samples; "
            f"{expected.n_samples} were drawn, the cap"
        )
        warnings.warn(text, PrecisionWarning, stacklevel=3)
        notes.append(text)
    return tuple(notes)
