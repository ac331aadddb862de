# SPDX-License-Identifier: MIT
"""text-γ = 1 - observed / expected disorder, where annotators also correct the text (Barteld et al. 2016)."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from unisono.errors import CorpusError, ParameterError, PrecisionWarning, Problem, UnitError
from unisono.measures.computation import Measured, Progress
from unisono.measures.family import imprecise_note, unmeasurable, where_imprecise
from unisono.measures.gamma import chance_intervals, one_minus_ratio
from unisono.measures.pooling import overall
from unisono.measures.resolved import Resolved
from unisono.measures.undefined import NO_UNITS, UndefinedError
from unisono.model import CATEGORY, Continuum, Corpus
from unisono.model.versions import MOST_TYPES, OVERLAP, TYPE, OwnTexts, TextVersions, check_measurable, make_versions
from unisono.results import NO_TEXT_DETAILS, TEXT_MEASURE, MeasureValue, Reason, ReasonCode
from unisono.sampling import Estimate, Expected, Sampling, expected_of
from unisono.sampling.kept_samples import keep_samples
from unisono.text.core_text import MEMORY_LIMIT, GapCosts, core_text
from unisono.text.edits import Observations, Prior, Probability, RandomEdits, RandomVersions, Rates
from unisono.text.text_dissimilarity import TextDissimilarity, TextDistance
from unisono.text.version_alignment import TextAlignment, align_versions

MEASURE = TEXT_MEASURE


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
            f"this is a {type(versions).__name__}, not the versions of a text",
            "Give TextVersions, or call measure with the measure text-gamma.",
            code="needs-text-versions",
        )
    how = TextSettings(
        dissimilarity or TextDissimilarity(), chance or RandomEdits(), GapCosts(gap_t, gap_b), count_gaps
    )
    measured = measure_versions(
        versions,
        how,
        sampling or Sampling(),
        seed=seed,
        threads=threads,
        time_limit=time_limit,
        memory_limit=memory_limit,
    )
    if measured.value.is_precise is False:
        warnings.warn(measured.value.notes[-1], PrecisionWarning, stacklevel=2)
    return measured


def measure_versions(
    versions: TextVersions,
    how: TextSettings,
    plan: Sampling,
    *,
    seed: int,
    threads: int,
    time_limit: float | None,
    memory_limit: int | None,
) -> TextGamma:
    """text-γ of the versions of one text, with resolved settings."""
    if versions.n_annotators >= 2 and versions.n_units == 0:
        return TextGamma(MeasureValue.undefined(NO_UNITS), None, None)
    check_measurable(versions)
    model = how.chance
    core = core_text(versions, how.dissimilarity, how.gaps, count_gaps=how.count_gaps)
    alignment = align_versions(core, time_limit=time_limit, memory_limit=memory_limit)
    observations = Observations(core)
    if not observations.bases:
        nothing = Reason(
            ReasonCode.NO_BASE_UNITS, "the pre-annotation has no unit: there is nothing that chance could edit"
        )
        return TextGamma(MeasureValue.undefined(nothing, observed=alignment.disorder), alignment, None)
    rates = observations.rates(model, time_limit=time_limit, memory_limit=memory_limit)
    edits = observations.edit_model(rates, seed=seed, p_further=model.p_further)

    # The settings that a sample depends on; neither the limits nor the number of samples.
    key = (RandomVersions, core.dissimilarity, core.gaps, core.has_gaps, model, rates.signature, seed)
    source = keep_samples(RandomVersions(core, edits), tuple(map(repr, key)))
    (expected,) = expected_of(source, plan, threads=threads, time_limit=time_limit, memory_limit=memory_limit)
    chance_disorder = Estimate.of(expected.disorders)
    assert chance_disorder is not None  # every sample has a disorder
    return TextGamma(
        replace(
            one_minus_ratio(alignment.disorder, chance_disorder.mean),
            observed=alignment.disorder,
            expected=chance_disorder.mean,
            n_samples=expected.n_samples,
            intervals=chance_intervals(alignment.disorder, chance_disorder, plan.level),
            gap=max(alignment.gap, expected.gap),
            n_unitary_alignments=len(alignment),
            weight=versions.mean_units,
            notes=_notes(versions, alignment, rates, expected, plan),
            is_precise=expected.is_precise,
            chance_disorders=expected.disorders,
            chance_sd=chance_disorder.sd,
            chance_case=core.digest.hex(),
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
        notes.append(imprecise_note(expected, plan))
    return tuple(notes)


def text_family(
    corpus: Corpus, names: Sequence[str], settings: Resolved, progress: Progress | None = None
) -> dict[str, Measured]:
    """text-γ of every document and of the whole corpus, pooled as γ is: 1 - Σ w·observed / Σ w·expected.

    w is a document's mean number of units per annotator. Annotators without texts of their own share the text of the
    document. Undefined (None, with the reason): no text; units of one type that overlap; positions that are not whole
    numbers; too many types; a feature asked for that no unit of the document has.
    """
    how = TextSettings.of(settings)
    _check_features(corpus, how)
    values = []
    for i, continuum in enumerate(corpus):
        if progress is not None:
            progress(i, len(corpus), continuum.name)
        values.append(_document_value(continuum, how, settings))
    if progress is not None:
        progress(len(corpus), len(corpus), "")
    n_imprecise = sum(value.is_precise is False for value in values)
    if n_imprecise:
        warnings.warn(
            f"the precision of {settings.sampling.precision:g} was not reached"
            f"{where_imprecise(n_imprecise, len(corpus))} how many samples it would take",
            PrecisionWarning,
            stacklevel=3,
        )
    pooled = overall(values, settings.level)
    if len(values) > 1:
        pooled = replace(pooled, text=_pool_differences(values))
    return {MEASURE: Measured(tuple(values), pooled)}


@dataclass(frozen=True)
class TextSettings:
    """What text-γ makes of the settings of a measurement."""

    dissimilarity: TextDissimilarity
    chance: RandomEdits
    gaps: GapCosts
    count_gaps: bool

    @classmethod
    def of(cls, settings: Resolved) -> TextSettings:
        dissimilarity = settings.text_dissimilarity or TextDissimilarity(
            cast(TextDistance, settings.text_distance),
            settings.feature,
            delta_empty=settings.dissimilarity.delta_empty,
        )
        chance = settings.random_edits or RandomEdits(
            _probability(settings.p_text),
            _probability(settings.p_seg),
            _probability(settings.p_label),
            settings.p_further,
        )
        return cls(dissimilarity, chance, GapCosts(settings.gap_t, settings.gap_b), settings.count_gaps)

    def parameters(self, corpus: Corpus) -> dict[str, Any]:
        """What a result records of them."""
        return {
            "dissimilarity": self._fitted_signature(corpus),
            "delta_empty": self.dissimilarity.delta_empty,
            "gaps": self.gaps.signature,
            "gap_t": self.gaps.gap_t,
            "gap_b": self.gaps.gap_b,
            "count_gaps": self.count_gaps,
            "chance": self.chance.signature,
            "base": any(c.own_texts is not None and c.own_texts.base is not None for c in corpus),
        }

    def words(self, parameters: Mapping[str, Any], *, prefix: str = "") -> dict[str, object]:
        """Their words in the signature."""
        return {
            f"{prefix}d": parameters["dissimilarity"],
            f"{prefix}gaps": parameters["gaps"] + (",counted" if self.count_gaps else ""),
            f"{prefix}chance": parameters["chance"],
            f"{prefix}base": "given" if parameters["base"] else "annotators",
        }

    def _fitted_signature(self, corpus: Corpus) -> str:
        """The signature with the features of the whole corpus; a document's own may be fewer."""
        if self.dissimilarity.features is not None:
            return self.dissimilarity.signature
        return replace(self.dissimilarity, features=_feature_names(corpus)).signature


def _probability(value: float | tuple[int | float, int | float] | None) -> Probability:
    return Prior(*value) if isinstance(value, tuple) else value


def _document_value(continuum: Continuum, how: TextSettings, settings: Resolved) -> MeasureValue:
    reason = unmeasurable(continuum)
    if reason is not None:
        return MeasureValue.undefined(reason)
    try:
        versions = find_versions(continuum, how.dissimilarity.names or None)
    except UndefinedError as error:
        return MeasureValue.undefined(error.reason)
    if len(versions.types) >= MOST_TYPES:
        sentence = f"needs units of at most {MOST_TYPES - 1} types: there are {len(versions.types)}"
        return MeasureValue.undefined(Reason(ReasonCode.TOO_MANY_TYPES, sentence))
    missing = [name for name in how.dissimilarity.names if name not in versions.feature_names]
    if missing:
        sentence = f"needs units with the feature {missing[0]!r}: no unit of the document has it"
        return MeasureValue.undefined(Reason(ReasonCode.NO_FEATURE, sentence))
    measured = measure_versions(
        versions,
        how,
        settings.sampling,
        seed=settings.seed,
        threads=settings.threads,
        time_limit=settings.time_limit,
        memory_limit=settings.memory_limit or MEMORY_LIMIT,
    )
    alignment, rates = measured.alignment, measured.rates
    if alignment is None:
        return measured.value
    alignment.rates = rates
    details = {
        "differences": dict(alignment.counts),
        "p_text": rates and rates.p_text,
        "p_seg": rates and rates.p_seg,
        "p_label": None if rates is None else dict(rates.p_label),
    }
    return replace(measured.value, text=details, text_alignment=alignment)


def find_versions(continuum: Continuum, features: Sequence[str] | None = None) -> TextVersions:
    """The annotators' versions of the text, their own or the common one; UndefinedError where there are none.

    features: those to compare; by default the versions' own, and for a common text the category.
    """
    own = continuum.own_texts
    if own is None:
        if continuum.text is None:
            raise UndefinedError.of(ReasonCode.NO_TEXT, "needs a text, common or each annotator's own: there is none")
        own = OwnTexts((continuum.text,) * continuum.n_annotators, features=(CATEGORY,))
    if not continuum.has_integer_positions:
        raise UndefinedError.of(ReasonCode.NOT_DISCRETE, "needs positions in characters: some are not whole numbers")
    try:
        return make_versions(continuum, own, features)
    except UnitError as error:
        problem = error.problems[0]
        is_overlap = problem.code == OVERLAP
        code = ReasonCode.OVERLAPPING_UNITS if is_overlap else ReasonCode.NO_TEXT
        what = "units of one type that do not overlap" if is_overlap else "units inside the text"
        where = f"{problem.where}: " if problem.where else ""
        raise UndefinedError.of(code, f"needs {what}: {where}{problem.message}") from None


def _check_features(corpus: Corpus, how: TextSettings) -> None:
    """Refuse features that no unit of the corpus has."""
    wanted = (*how.dissimilarity.names, *how.dissimilarity.weights)
    known = _feature_names(corpus, all_features=True) if wanted else ()
    problems = [
        Problem(
            "unknown-feature",
            "error",
            corpus[0].name if len(corpus) == 1 else "",
            f"no unit has the feature {name!r}",
            f"The features are {', '.join(known)}." if known else "The units have no features.",
        )
        for name in wanted
        if name not in known
    ]
    if problems:
        raise ParameterError(problems)


def _feature_names(corpus: Corpus, *, all_features: bool = False) -> tuple[str, ...]:
    """The features that some unit of the corpus has: those that are compared, or all."""
    names: set[str] = set()
    for continuum in corpus:
        own = continuum.own_texts or OwnTexts((), features=(CATEGORY,))
        for key, feature in continuum.features.items():
            name = own.category if key == CATEGORY else key
            is_compared = all_features or own.features is None or name in own.features
            if key != TYPE and is_compared and (feature.codes >= 0).any():
                names.add(name)
        if own.base is not None and (all_features or own.features is None):
            names |= {name for name, feature in own.base.features.items() if (feature.codes >= 0).any()}
    return tuple(sorted(names))


def _pool_differences(values: Sequence[MeasureValue]) -> dict[str, Any] | None:
    """How many unitary alignments of all documents differ in what."""
    counts: Counter[str] = Counter()
    for value in values:
        if value.text is not None:
            counts.update(value.text["differences"])
    return {**NO_TEXT_DETAILS, "differences": dict(counts)} if counts else None
