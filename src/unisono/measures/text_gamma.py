# SPDX-License-Identifier: MIT
"""text-γ = 1 - observed / expected disorder, where annotators also correct the text (Barteld et al. 2016)."""

from __future__ import annotations

import warnings
from dataclasses import dataclass

from unisono.errors import CorpusError, PrecisionWarning
from unisono.expected import ExpectedDisorder, Sampling, until_precise
from unisono.model import FloatArray
from unisono.results import Interval, MeasureValue
from unisono.text.alignment import TextAlignment, aligned
from unisono.text.columns import MEMORY_LIMIT, GapCosts, core_text
from unisono.text.dissimilarity import TextDissimilarity
from unisono.text.edits import Observations, RandomEdits, Rates, random_disorders
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

    def disorders(first: int, count: int) -> tuple[FloatArray, FloatArray, int]:
        return random_disorders(
            core, edits, first=first, count=count, threads=threads, time_limit=time_limit, memory_limit=memory_limit
        )

    expected = until_precise(disorders, plan)
    observed, mean = alignment.disorder, expected.mean
    value: float | None = None
    reason = None
    if mean > 0:
        value = 1 - observed / mean
    elif observed == 0:
        value = 1.0
    else:
        reason = "the expected disorder is 0 and the observed one is not"
    low, high = expected.interval(plan.level)
    return TextGamma(
        MeasureValue(
            value,
            reason=reason,
            observed=observed,
            expected=mean,
            n_samples=len(expected.disorders),
            intervals={"chance": Interval("chance", plan.level, 1 - observed / low, 1 - observed / high)}
            if low > 0
            else {},
            gap=max(alignment.gap, expected.gap),
            n_unitary_alignments=len(alignment),
            notes=_notes(versions, alignment, rates, expected, plan),
            chance_disorders=expected.disorders,
        ),
        alignment,
        rates,
    )


def _notes(
    versions: TextVersions, alignment: TextAlignment, rates: Rates, expected: ExpectedDisorder, plan: Sampling
) -> tuple[str, ...]:
    notes = [f"chance: {rates.signature}"]
    if versions.base is None:
        notes.append("no pre-annotation was given: each annotator's version served as one in turn")
    if alignment.limit or expected.gap > 0:
        notes.append("not proven: a limit stopped the search for the best alignment")
    if not expected.is_precise:
        text = (
            f"the precision of {plan.precision:g} would take about {expected.required:.0f} samples; "
            f"{len(expected.disorders)} were drawn, the cap"
        )
        warnings.warn(text, PrecisionWarning, stacklevel=3)
        notes.append(text)
    return tuple(notes)
