# SPDX-License-Identifier: MIT
"""γ, γcat and γk of a corpus: one alignment of each document and one sampling serve them all."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Protocol

from unisono.alignment.observed import Observed, observed
from unisono.chance import CoreModel
from unisono.dissimilarity import CombinedDissimilarity
from unisono.dissimilarity.columns import CoreDocuments
from unisono.errors import PrecisionWarning
from unisono.expected import Expected, expected
from unisono.measures.gamma import gamma_value
from unisono.measures.gamma_cat import gamma_cat_value, gamma_k_value
from unisono.measures.pooling import overall
from unisono.measures.protocol import Measured, Progress
from unisono.measures.settings import Settings
from unisono.measures.tie_range import with_tie_range
from unisono.model import Continuum, Corpus
from unisono.parallel import in_order
from unisono.results import MeasureValue

_VALUES: Mapping[str, Callable[[Observed, Expected, Settings, tuple[str, ...]], MeasureValue]] = {
    "gamma": gamma_value,
    "gamma-cat": gamma_cat_value,
    "gamma-k": gamma_k_value,
}

#: Documents are measured in handfuls of about this many units, samples included: enough to keep every thread busy,
#: few enough to show progress and to be stopped.
UNITS_AT_ONCE = 1_000_000

#: The same for an executor, whose workers share the handfuls: a second's work or so, and that much lost with a worker.
UNITS_TO_SEND = 100_000

#: How much of a document's time the observed alignment may take; the random ones share the rest.
OBSERVED_SHARE = 0.25


class MeasuresHandful(Protocol):
    """Measures documents that have one chance model: their values, and whether the asked precision was reached."""

    def __call__(
        self, continua: Sequence[Continuum], names: Sequence[str], settings: Settings
    ) -> Iterable[tuple[dict[str, MeasureValue], bool]]: ...


def gamma_family(
    corpus: Corpus, names: Sequence[str], settings: Settings, progress: Progress | None = None
) -> dict[str, Measured]:
    """γ, γcat and γk, those of `names`, on every document and on the whole corpus."""
    dissimilarity = settings.dissimilarity
    if isinstance(dissimilarity, CombinedDissimilarity) and dissimilarity.beta == 0 and _judges(names):
        # The alignment does not look at categories, but γcat and γk do.
        judge = replace(replace(dissimilarity, beta=1.0).fitted(corpus), beta=0.0)
        settings = replace(settings, dissimilarity=judge)
    return by_handfuls(corpus, names, settings, progress, _measured)


def by_handfuls(
    corpus: Corpus, names: Sequence[str], settings: Settings, progress: Progress | None, measured: MeasuresHandful
) -> dict[str, Measured]:
    """Measures that need an alignment and random continua, on a corpus taken handful by handful."""
    chance = settings.chance
    if isinstance(chance, CoreModel):
        settings = replace(settings, chance=chance.fitted(corpus))
    documents: list[dict[str, MeasureValue]] = [{} for _ in corpus]
    measurable = []
    for i, continuum in enumerate(corpus):
        reason = unmeasurable(continuum)
        if reason is None:
            measurable.append(i)
        else:
            documents[i] = {name: MeasureValue(None, reason=reason) for name in names}
    imprecise = 0
    done = len(corpus) - len(measurable)
    work = partial(_work, measured=measured, names=list(names), settings=replace(settings, executor=None))
    handfuls = _handfuls(corpus, measurable, settings)
    pieces = ((handful, [corpus[i] for i in handful]) for handful in _told(handfuls, corpus, done, progress))
    for (handful, _), found in in_order(work, pieces, settings.executor):
        for i, (values, is_precise) in zip(handful, found, strict=True):
            documents[i] = values
            imprecise += not is_precise
    if progress is not None:
        progress(len(corpus), len(corpus), "")
    if imprecise:
        warnings.warn(
            f"the precision of {settings.sampling.precision:g} was not reached in {imprecise} of {len(corpus)} "
            f"documents: the notes of each say how many samples it would take",
            PrecisionWarning,
            stacklevel=3,
        )
    return {
        name: Measured(
            tuple(values[name] for values in documents),
            overall([values[name] for values in documents], settings.level),
        )
        for name in names
    }


def _work(
    piece: tuple[list[int], list[Continuum]], *, measured: MeasuresHandful, names: list[str], settings: Settings
) -> list[tuple[dict[str, MeasureValue], bool]]:
    """One handful, here or in another process."""
    return list(measured(piece[1], names, settings))


def _told(handfuls: Iterable[list[int]], corpus: Corpus, done: int, progress: Progress | None) -> Iterator[list[int]]:
    """The handfuls, each announced when its turn comes."""
    for handful in handfuls:
        if progress is not None:
            progress(done, len(corpus), corpus[handful[0]].name)
        yield handful
        done += len(handful)


def unmeasurable(continuum: Continuum) -> str | None:
    """Why γ and its family have no value on this continuum, if they have none."""
    if continuum.n_annotators < 2:
        return "needs at least two annotators"
    return "nobody marked any unit" if continuum.n_units == 0 else None


def _judges(names: Sequence[str]) -> bool:
    """Whether the categories of aligned units are asked for."""
    return any(name != "gamma" for name in names)


def _handfuls(corpus: Corpus, measurable: Sequence[int], settings: Settings) -> Iterator[list[int]]:
    """Documents to measure in one go; those that share their random continua all together."""
    model = settings.chance
    if isinstance(model, CoreModel):
        groups: dict[CoreModel, list[int]] = {}
        for i in measurable:
            groups.setdefault(model.model_for(corpus[i]), []).append(i)
    else:
        yield from ([i] for i in measurable)
        return
    enough = UNITS_AT_ONCE if settings.executor is None else min(UNITS_AT_ONCE, UNITS_TO_SEND)
    for model_of_group, group in groups.items():
        if model_of_group.is_shared:
            yield group
            continue
        handful: list[int] = []
        size = 0
        for i in group:
            handful.append(i)
            size += corpus[i].n_units * settings.sampling.n_first
            if size >= enough:
                yield handful
                handful, size = [], 0
        if handful:
            yield handful


def _measured(
    continua: Sequence[Continuum], names: Sequence[str], settings: Settings
) -> Iterator[tuple[dict[str, MeasureValue], bool]]:
    """The values of these continua, and whether the asked precision was reached; they have one chance model."""
    chance = settings.chance
    model = chance.model_for(continua[0]) if isinstance(chance, CoreModel) else chance
    columns = CoreDocuments.of(continua, settings.dissimilarity, judged=_judges(names))
    of_observed, of_sample = time_limits(settings)
    found = observed(
        columns,
        pairs=settings.pairs,
        threads=settings.threads,
        time_limit=of_observed,
        memory_limit=settings.memory_limit,
    )
    random = expected(
        columns,
        model,
        settings.sampling,
        seed=settings.seed,
        pairs=settings.pairs,
        threads=settings.threads,
        time_limit=of_sample,
        memory_limit=settings.memory_limit,
    )
    for continuum, of_continuum, by_chance in zip(continua, found, random, strict=True):
        notes = (*chance.notes(continuum), *sampling_notes(by_chance, settings))
        values = {name: _VALUES[name](of_continuum, by_chance, settings, notes) for name in names}
        if settings.tie_range:
            values = with_tie_range(values, of_continuum.alignment, settings)
        yield values, by_chance.is_precise


def time_limits(settings: Settings) -> tuple[float | None, float | None]:
    """Seconds for the observed alignment of a document, and for each of the random ones."""
    limit = settings.time_limit
    if limit is None:
        return None, None
    return limit * OBSERVED_SHARE, limit * (1 - OBSERVED_SHARE) / settings.sampling.n_first


def sampling_notes(random: Expected, settings: Settings) -> tuple[str, ...]:
    """What a reader must know of the random continua."""
    notes = []
    if random.redraws:
        notes.append(f"{random.redraws} random draws had no unit and were repeated")
    if not random.is_precise:
        why = "a limit stopped their alignment" if random.gap > 0 else "the cap"
        notes.append(
            f"the precision of {settings.sampling.precision:g} would take about {random.required:.0f} samples; "
            f"{random.n_samples} were drawn, {why}"
        )
    return tuple(notes)
