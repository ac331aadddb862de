# SPDX-License-Identifier: MIT
"""γ under other choices: each row of a small table makes one choice differently, on the same random numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from unisono.chance import CHANCE_MODELS, ChanceModel, Mosaic, number_like
from unisono.dissimilarity import CombinedDissimilarity
from unisono.errors import CorpusError
from unisono.measures.computation import Progress
from unisono.measures.family import gamma_family
from unisono.measures.resolved import Resolved
from unisono.model import Continuum, Corpus, Extent
from unisono.results import MeasureValue, Reason, ReasonCode, Variation
from unisono.sampling import Sampling

#: Random continua of each document, in each row.
SAMPLES = 30
#: How much longer an extent is made, relative to its length.
LONGER = 0.1
#: The weights that are tried.
WEIGHTS = {"alpha": (0.5, 1.0, 2.0, 3.0), "beta": (0.0, 0.5, 1.0, 2.0), "delta_empty": (0.5, 1.0, 2.0)}


@dataclass(frozen=True)
class _Change:
    """One choice made differently: the corpus and the settings to measure it with."""

    setting: str | None
    choice: str
    corpus: Corpus
    settings: Resolved


def gamma_variations(corpus: Corpus, settings: Resolved, progress: Progress | None = None) -> tuple[Variation, ...]:
    """γ as it was measured, with 30 samples of each document, then with each choice made differently.

    alpha, beta and delta_empty have other values; extents are a tenth longer, or guessed from the units where they
    were known; the other chance models; without annotators who marked nothing, where there are any. Every document
    keeps the key of its random numbers, so that two rows differ by the choice and hardly by the numbers drawn.
    """
    given = replace(
        settings,
        sampling=Sampling(samples=SAMPLES, level=settings.level, plain=settings.sampling.plain),
        tie_range=False,
    )
    changes = list(_changes(corpus, given))
    rows: list[Variation] = []
    for change in changes:
        if progress is not None:
            progress(len(rows), len(changes), change.choice)
        rows.append(_row(change, _measure(change), rows[0].value if rows else None))
    if progress is not None:
        progress(len(changes), len(changes), "")
    return tuple(rows)


def _measure(change: _Change) -> MeasureValue:
    try:
        return gamma_family(change.corpus, ["gamma"], change.settings)["gamma"].overall
    except CorpusError as error:  # a chance model that needs several documents
        return MeasureValue.undefined(Reason(ReasonCode.REFUSED, error.problems[0].message))


def _row(change: _Change, value: MeasureValue, base: float | None) -> Variation:
    interval = value.intervals.get("chance")
    return Variation(
        setting=change.setting,
        choice=change.choice,
        value=value.value,
        difference=None if value.value is None or base is None else value.value - base,
        error=None if interval is None else (interval.high - interval.low) / 2,
        documents_measured=value.documents_measured,
        gap=value.gap,
        reason=value.reason,
    )


def _changes(corpus: Corpus, settings: Resolved) -> Iterator[_Change]:
    yield _Change(None, "as measured", corpus, settings)
    yield from _other_weights(corpus, settings)
    yield from _other_extents(corpus, settings)
    for model in other_models(settings.chance):
        if isinstance(model, Mosaic) and len(corpus) < 2:
            continue  # it draws from other documents
        name = model.signature
        yield _Change("chance", f"chance model {name}", corpus, replace(settings, chance=model))
    marked = without_empty_annotators(corpus)
    if marked is not None:
        yield _Change("annotators", "without annotators who marked nothing in a document", marked, settings)


def _other_weights(corpus: Corpus, settings: Resolved) -> Iterator[_Change]:
    """Each weight with its other values; a dissimilarity of the user's own has no such weights."""
    dissimilarity = settings.dissimilarity
    if not isinstance(dissimilarity, CombinedDissimilarity):
        return
    has_categories = bool(corpus.labels(dissimilarity.feature))
    for name, weights in WEIGHTS.items():
        for weight in weights:
            varied = {"alpha": dissimilarity.alpha, "beta": dissimilarity.beta, name: weight}
            if weight == getattr(dissimilarity, name) or varied["alpha"] == varied["beta"] == 0:
                continue
            if name == "beta" and not has_categories:
                continue
            other = replace(dissimilarity, **{name: weight}).fitted(corpus)  # type: ignore[arg-type]
            yield _Change(name, f"{name} = {weight:g}", corpus, replace(settings, dissimilarity=other))


def _other_extents(corpus: Corpus, settings: Resolved) -> Iterator[_Change]:
    if any(continuum.extent is not None and continuum.extent.source != "guessed" for continuum in corpus):
        yield _Change("extent", "extent guessed from the units", _map(corpus, _guess_extent), settings)
    yield _Change("extent", "extent a tenth longer", _map(corpus, lengthen), settings)


def _map(corpus: Corpus, change: Callable[[Continuum], Continuum]) -> Corpus:
    return Corpus(tuple(change(continuum) for continuum in corpus), problems=corpus.problems)


def lengthen(continuum: Continuum) -> Continuum:
    """The continuum with a tenth of its length added at its end, drawn with the same random numbers."""
    extent = continuum.extent
    if extent is None:
        return continuum
    end = extent.end + extent.length * LONGER
    if continuum.has_integer_positions and isinstance(extent.end, int):
        end = extent.end + max(1, round(extent.length * LONGER))
    return number_like(continuum.with_extent(Extent(extent.start, end, extent.source)), continuum)


def _guess_extent(continuum: Continuum) -> Continuum:
    """The continuum as if nothing but its units was known of its extent."""
    if continuum.n_units == 0:
        return continuum
    extent = Extent(continuum.starts.min().item(), continuum.ends.max().item(), "guessed")
    return number_like(continuum.with_extent(extent), continuum)


def other_models(chance: ChanceModel) -> Sequence[ChanceModel]:
    """The chance models of other kinds than this one, with their usual parameters."""
    return [model() for model in CHANCE_MODELS.values() if not isinstance(chance, model)]


def without_empty_annotators(corpus: Corpus) -> Corpus | None:
    """The corpus without annotators in documents where they marked nothing; None if there are none."""
    documents = []
    for continuum in corpus:
        marking = [continuum.annotators[i] for i in np.flatnonzero(continuum.counts).tolist()]
        if 0 < len(marking) < continuum.n_annotators:
            documents.append(number_like(continuum.restrict(marking), continuum))
        else:
            documents.append(continuum)
    if all(new is old for new, old in zip(documents, corpus, strict=True)):
        return None
    return Corpus(tuple(documents), problems=corpus.problems)
