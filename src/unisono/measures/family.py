# SPDX-License-Identifier: MIT
"""γ, γcat and γk of a corpus, from one alignment of each document and one set of random continua."""

from __future__ import annotations

import os
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple, Protocol

from unisono.alignment.kept_alignments import observe_once
from unisono.alignment.observed import How, Observed, observe
from unisono.chance import CoreModel
from unisono.dissimilarity import CombinedDissimilarity
from unisono.dissimilarity.core_documents import CoreDocuments
from unisono.errors import PrecisionWarning
from unisono.measures.computation import Measured, Progress
from unisono.measures.gamma import gamma_value
from unisono.measures.gamma_cat import gamma_cat_value, gamma_k_value
from unisono.measures.pooling import overall
from unisono.measures.random_corpora import RandomCorpora, count_low
from unisono.measures.resolved import Resolved
from unisono.measures.spread_draws import SpreadDraws
from unisono.measures.tie_range import with_tie_range
from unisono.measures.undefined import NO_UNITS
from unisono.model import Alignment, Continuum, Corpus
from unisono.nouns import quantity
from unisono.parallel import in_order
from unisono.results import MeasureValue, Reason, ReasonCode
from unisono.sampling import SHORTEST, Expected, Sampling, expected
from unisono.sampling.draws import draws
from unisono.settings import EFFORT

_VALUES: Mapping[str, Callable[[Observed, Expected, Resolved, tuple[str, ...]], MeasureValue]] = {
    "gamma": gamma_value,
    "gamma-cat": gamma_cat_value,
    "gamma-k": gamma_k_value,
}

#: Documents are measured in batches of about this many units, samples included: enough to keep every thread busy,
#: few enough to show progress and to be interrupted.
UNITS_AT_ONCE = 1_000_000

#: Disorders of random continua that a document keeps where it does not keep all: the first ones.
FIRST_SAMPLES = 10

#: Documents are measured at most so many at a time: their samples are in memory until their values are known.
DOCUMENTS_AT_ONCE = 1_000

#: The same for an executor: a batch takes a worker about a second, which is lost if the worker is.
UNITS_TO_SEND = 100_000

#: The share of a document's time limit that the observed alignment may use; the random ones have the rest.
OBSERVED_SHARE = 0.25

#: The shares of the effort that each random alignment has: where only disorders are asked for, where the aligned
#: units themselves matter too (γcat, γk), where one is searched again because of its gap, and where a short search will
#: do (sampling/two_levels.py): a tenth at most of what a search takes that was left open.
DISORDER_SHARE = 0.02
CATEGORY_SHARE = 0.1
AGAIN_SHARE = 0.2
ROUGH_SHARE = 0.0001

#: How many random continua a rough γ takes: as many as its precision asks for, between the first and the cap.
ROUGH: Mapping[str, Any] = {"precision": 0.05, "first": 5, "cap": 30}

#: The share of the precision at which the search of a random alignment may end once it had a twentieth of its effort.
NEAR_ENOUGH = 0.05

#: The share of the machine's memory that the searches of all threads may take where no limit is given.
MEMORY_SHARE = 0.25


class MeasureBatch(Protocol):
    """Measures documents that have one chance model: their values, and whether the precision was reached."""

    def __call__(
        self, continua: Sequence[Continuum], names: Sequence[str], settings: Resolved
    ) -> Iterable[tuple[dict[str, MeasureValue], bool]]: ...


def gamma_family(
    corpus: Corpus, names: Sequence[str], settings: Resolved, progress: Progress | None = None
) -> dict[str, Measured]:
    """γ, γcat and γk, those of `names`, on every document and on the whole corpus."""
    dissimilarity = settings.dissimilarity
    if isinstance(dissimilarity, CombinedDissimilarity) and dissimilarity.beta == 0 and _compares_categories(names):
        # The alignment ignores the categories, but γcat and γk compare them.
        judge = replace(replace(dissimilarity, beta=1.0).fitted(corpus), beta=0.0)
        settings = replace(settings, dissimilarity=judge)
    return measure_in_batches(corpus, names, settings, progress, _measure_batch)


def rough_gamma(corpus: Corpus, settings: Resolved) -> Measured:
    """γ from a few random continua, every alignment with the effort of a random one: to compare with, not to report."""
    sampling = replace(settings.sampling, samples=None, **ROUGH)
    effort = EFFORT if settings.effort is None else settings.effort
    settings = replace(settings, sampling=sampling, effort=effort, is_rough=True)
    return measure_in_batches(corpus, ["gamma"], settings, None, _measure_batch)["gamma"]


def _within_memory(
    continua: Sequence[Continuum], names: Sequence[str], settings: Resolved, *, measure_batch: MeasureBatch
) -> list[tuple[dict[str, MeasureValue], bool]]:
    """The values of these continua; a reason for those whose alignments take more memory than the machine should give.

    Documents that share their random continua have them together, or not at all.
    """
    try:
        return list(measure_batch(continua, names, settings))
    except MemoryError:
        chance = settings.chance
        is_shared = isinstance(chance, CoreModel) and chance.model_for(continua[0]).is_shared
        if len(continua) == 1 or is_shared:
            reason = Reason(
                ReasonCode.MEMORY_LIMIT,
                f"the search for an alignment took more than its share of the machine's memory, "
                f"{_memory_guard(settings) / 2**20:,.0f} MiB",
            )
            return [({name: MeasureValue.undefined(reason) for name in names}, True) for _ in continua]
    return [_within_memory([each], names, settings, measure_batch=measure_batch)[0] for each in continua]


def measure_in_batches(
    corpus: Corpus, names: Sequence[str], settings: Resolved, progress: Progress | None, measure_batch: MeasureBatch
) -> dict[str, Measured]:
    """Measures that need an alignment and random continua, on a corpus taken batch by batch."""
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
            documents[i] = {name: MeasureValue.undefined(reason) for name in names}
    imprecise = 0
    keeper = ChanceKeeper(names, settings, n_documents=len(corpus))
    batches = _announce(_batches(corpus, measurable, settings), corpus, len(corpus) - len(measurable), progress)
    pieces = (_piece(corpus, batch, settings) for batch in batches)
    for batch, results in _measure_pieces(pieces, list(names), settings, measure_batch):
        kept = keeper.take([values for values, _ in results])
        for i, values, (_, is_precise) in zip(batch, kept, results, strict=True):
            documents[i] = values
            imprecise += not is_precise
    if progress is not None:
        progress(len(corpus), len(corpus), "")
    warn_of_precision(imprecise, len(corpus), settings)
    return {
        name: Measured(
            tuple(values[name] for values in documents),
            keeper.add_corpora(name, overall([values[name] for values in documents], settings.level)),
        )
        for name in names
    }


class ChanceKeeper:
    """What stays of the random continua of documents: all disorders, or only what p-values, charts and cautions need.

    The latter are the number of disorders at or below the observed one, whether all are equal, and the sums of the
    random corpora. A single document keeps its disorders.
    """

    def __init__(self, names: Sequence[str], settings: Resolved, *, n_documents: int):
        self._corpora: dict[str, RandomCorpora] = {}
        if not settings.keeps_samples and n_documents > 1:
            self._corpora = {name: RandomCorpora(settings.seed, threads=settings.threads) for name in names}

    def take(self, documents: Sequence[dict[str, MeasureValue]]) -> Sequence[dict[str, MeasureValue]]:
        """The values of documents with what stays."""
        if not self._corpora:
            return documents
        for name, corpora in self._corpora.items():
            corpora.add(values[name] for values in documents)
        return [{name: _without_samples(value) for name, value in values.items()} for values in documents]

    def add_corpora(self, name: str, value: MeasureValue) -> MeasureValue:
        """The value of the corpus with its random corpora, where only they were kept."""
        fields = self._corpora[name].fields() if name in self._corpora else {}
        return value.with_fields(**fields) if fields and value.value is not None else value


def _without_samples(value: MeasureValue) -> MeasureValue:
    """The value with counts instead of the disorders of its random continua."""
    disorders = value.chance_disorders
    if disorders is None:
        return value
    low = value.chance_bounds if value.chance_bounds is not None else disorders
    return value.with_fields(
        chance_disorders=None,
        chance_bounds=None,
        chance_first=disorders[:FIRST_SAMPLES].copy(),
        chance_low=None if value.observed is None else count_low(low, value.observed),
        chance_is_constant=bool((disorders == disorders[0]).all()) if len(disorders) else None,
    )


class Piece(NamedTuple):
    """Documents that are measured together: their numbers in the corpus, and the alignments to begin with.

    The alignments of a piece go to the worker that measures it; those of the whole corpus would go to every worker.
    """

    numbers: list[int]
    continua: list[Continuum]
    start: Mapping[str, Alignment]


def _piece(corpus: Corpus, numbers: list[int], settings: Resolved) -> Piece:
    continua = [corpus[i] for i in numbers]
    names = [continuum.name for continuum in continua]
    return Piece(numbers, continua, {name: settings.start[name] for name in names if name in settings.start})


def _measure_pieces(
    pieces: Iterable[Piece],
    names: list[str],
    settings: Resolved,
    measure_batch: MeasureBatch,
) -> Iterator[tuple[list[int], list[tuple[dict[str, MeasureValue], bool]]]]:
    """The batches with their values, measured here or by an executor, in any order.

    A document that would keep a worker long is measured here, with its samples spread over the workers.
    """
    executor = settings.executor
    here, there = settings, replace(settings, executor=None, start={})
    work = partial(_work, measure_batch=measure_batch, names=names, settings=there)
    if executor is None:
        for piece, results in in_order(work, pieces):
            yield piece.numbers, results
        return
    long_ones: list[Piece] = []

    def short_ones() -> Iterator[Piece]:
        for piece in pieces:
            if len(piece.continua) == 1 and _is_long(piece.continua[0], settings):
                long_ones.append(piece)
            else:
                yield piece

    for piece, results in in_order(work, short_ones(), executor):
        yield piece.numbers, results
    for piece in long_ones:
        yield piece.numbers, _within_memory(piece.continua, names, here, measure_batch=measure_batch)


def _is_long(continuum: Continuum, settings: Resolved) -> bool:
    """Whether the samples of a document are spread over an executor; a time limit is for one worker."""
    if settings.executor is None or settings.time_limit is not None:
        return False
    return continuum.n_units * continuum.n_annotators * settings.sampling.n_first >= UNITS_TO_SEND


def warn_of_precision(n_imprecise: int, n_documents: int, settings: Resolved) -> None:
    """Warn of documents whose precision was not reached."""
    if n_imprecise:
        samples = "there are" if settings.time_limit is not None else "it would take"
        warnings.warn(
            f"{_promise(settings)}{where_imprecise(n_imprecise, n_documents)} how many samples {samples}",
            PrecisionWarning,
            stacklevel=4,
        )


def where_imprecise(n_imprecise: int, n_documents: int) -> str:
    """In which documents the precision was not reached, and where more is said about it."""
    if n_documents == 1:
        return ": the note says"
    notes = "its note says" if n_imprecise == 1 else "their notes say"
    return f" in {n_imprecise:,} of {n_documents:,} documents: {notes}"


def _promise(settings: Resolved) -> str:
    if settings.sampling.samples is not None:
        return f"there are fewer than {settings.sampling.samples:,} samples"
    return f"the precision of {settings.sampling.precision:g} was not reached"


def _work(
    piece: Piece, *, measure_batch: MeasureBatch, names: list[str], settings: Resolved
) -> list[tuple[dict[str, MeasureValue], bool]]:
    """The values of one batch; runs in this process or in another one."""
    return _within_memory(piece.continua, names, replace(settings, start=piece.start), measure_batch=measure_batch)


def _announce(
    batches: Iterable[list[int]], corpus: Corpus, done: int, progress: Progress | None
) -> Iterator[list[int]]:
    """The batches, each reported to `progress` before it is measured."""
    for batch in batches:
        if progress is not None:
            progress(done, len(corpus), corpus[batch[0]].name)
        yield batch
        done += len(batch)


def unmeasurable(continuum: Continuum) -> Reason | None:
    """Why γ and its family have no value on this continuum; None where they have one."""
    if continuum.n_annotators < 2:
        return Reason(ReasonCode.TOO_FEW_ANNOTATORS, "needs at least two annotators")
    return NO_UNITS if continuum.n_units == 0 else None


def _compares_categories(names: Sequence[str]) -> bool:
    """Whether a measure compares the categories of aligned units."""
    return any(name != "gamma" for name in names)


def _batches(corpus: Corpus, measurable: Sequence[int], settings: Resolved) -> Iterator[list[int]]:
    """Documents to measure together, by number; documents that share their random continua are in one batch."""
    model = settings.chance
    if isinstance(model, CoreModel) and (settings.time_limit is None or model.is_shared):
        # By signature: the hash of a model with a corpus takes a walk over all of its documents.
        groups: dict[str, tuple[CoreModel, list[int]]] = {}
        for i in measurable:
            of_document = model.model_for(corpus[i])
            groups.setdefault(of_document.signature, (of_document, []))[1].append(i)
    else:
        yield from ([i] for i in measurable)
        return
    enough = UNITS_AT_ONCE if settings.executor is None else min(UNITS_AT_ONCE, UNITS_TO_SEND)
    for model_of_group, group in groups.values():
        if model_of_group.is_shared:
            yield group
            continue
        batch: list[int] = []
        size = 0
        # Documents with equal content come together, so that their random continua are drawn once.
        for i in sorted(group, key=lambda i: _shape(corpus[i])):
            if _is_long(corpus[i], settings):
                yield [i]
                continue
            batch.append(i)
            size += corpus[i].n_units * settings.sampling.n_first
            if size >= enough or len(batch) >= DOCUMENTS_AT_ONCE:
                yield sorted(batch)
                batch, size = [], 0
        if batch:
            yield sorted(batch)


def _shape(continuum: Continuum) -> tuple[float, ...]:
    """Numbers that are nearly always equal for continua of equal content: a hint which documents to put together."""
    length, begin = (0, 0) if continuum.extent is None else (continuum.extent.length, continuum.extent.start)
    return (
        continuum.n_annotators,
        continuum.n_units,
        length,
        float((continuum.starts - begin).sum()),
        float((continuum.ends - begin).sum()),
    )


def _measure_batch(
    continua: Sequence[Continuum], names: Sequence[str], settings: Resolved
) -> Iterator[tuple[dict[str, MeasureValue], bool]]:
    """The values of these continua, which have one chance model, and whether the precision was reached."""
    chance = settings.chance
    model = chance.model_for(continua[0]) if isinstance(chance, CoreModel) else chance
    is_judged = _compares_categories(names)
    columns = CoreDocuments.of(continua, settings.dissimilarity, judged=is_judged)
    budget = Budget(settings, is_judged=is_judged)
    start = [settings.start.get(continuum.name) for continuum in continua]
    alignments = observe(columns, budget.random) if settings.is_rough else observe_once(columns, budget.observed, start)
    random = expected(
        columns,
        model,
        settings.sampling,
        seed=settings.seed,
        drawn=draws if settings.executor is None else SpreadDraws.over(settings.executor, draws),
        how=budget.random,
        again=budget.again,
        rough=budget.rough,
    )
    for continuum, of_continuum, by_chance in zip(continua, alignments, random, strict=True):
        notes = (*chance.notes(continuum), *sampling_notes(by_chance, settings))
        reason = too_few_samples(by_chance, settings)
        if reason is not None:
            yield {name: MeasureValue.undefined(reason) for name in names}, True  # an undefined value has no precision
            continue
        values = {name: _VALUES[name](of_continuum, by_chance, settings, notes) for name in names}
        if settings.tie_range:
            values = with_tie_range(values, of_continuum.alignment, settings)
        yield values, by_chance.is_precise


class Budget:
    """How the alignments of a document are limited.

    Each random alignment has a fixed share of the effort, whatever the others needed: so the same signature gives the
    same number on any machine. A time limit is for a document, or for documents that share their random continua.
    is_judged: whether the aligned units matter (γcat, γk), not only the disorders.
    """

    def __init__(self, settings: Resolved, *, is_judged: bool = False):
        self._settings = settings
        self._is_judged = is_judged
        self._begin = time.monotonic()

    @property
    def observed(self) -> How:
        """The limits of the observed alignment."""
        limit = self._settings.time_limit
        return self._how(self._settings.effort, None if limit is None else limit * OBSERVED_SHARE)

    @property
    def random(self) -> How:
        """The limits of each random alignment; the time that is left now is for all of them."""
        limit, effort = self._settings.time_limit, self._settings.effort
        left = None if limit is None else max(SHORTEST, limit - (time.monotonic() - self._begin))
        how = self._how(self._share(CATEGORY_SHARE if self._is_judged else DISORDER_SHARE), left)
        return how if effort is None else replace(how, near_enough=NEAR_ENOUGH * self._settings.sampling.tolerated)

    @property
    def again(self) -> How | None:
        """The limits of a random alignment that is searched again; None where none is."""
        effort = self._share(AGAIN_SHARE)
        return None if effort is None or self._settings.is_rough else self._how(effort, None)

    @property
    def rough(self) -> How | None:
        """The limits of a short search, where a document is hard to align; None where there is none."""
        effort = self._share(ROUGH_SHARE)
        return None if effort is None or self._is_judged else self._how(effort, None)

    def _share(self, share: float) -> float | None:
        return None if self._settings.effort is None else self._settings.effort * share

    def _how(self, effort: float | None, time_limit: float | None) -> How:
        settings = self._settings
        how = How(settings.pairs, settings.threads, effort, time_limit, settings.memory_limit)
        return replace(how, guard=_memory_guard(settings))


def _memory_guard(settings: Resolved) -> int:
    """Bytes of one search beyond which its document has no value; 0 where a limit is given, which then holds."""
    if settings.memory_limit is not None:
        return 0
    try:
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):  # a system that does not say
        return 0
    return max(1, int(MEMORY_SHARE * memory / max(1, settings.threads)))


def too_few_samples(random: Expected, settings: Resolved) -> Reason | None:
    """Why there is no value: the time limit left fewer samples than a first estimate needs. None where there is one."""
    wanted = settings.sampling.n_first
    if not random.is_cut or random.n_samples >= min(wanted, settings.sampling.first):
        return None
    return Reason(
        ReasonCode.TIME_LIMIT,
        f"the time limit of {settings.time_limit:g} s ended after {random.n_samples} of {wanted:,} random continua",
    )


def sampling_notes(random: Expected, settings: Resolved) -> tuple[str, ...]:
    """Notes on the random continua: repeated draws, and a precision that was not reached."""
    notes = []
    if random.redraws:
        were = "was" if random.redraws == 1 else "were"
        notes.append(f"{quantity(random.redraws, 'random draw')} had no unit and {were} repeated")
    if random.is_cut:
        notes.append(
            f"the time limit of {settings.time_limit:g} s ended the sampling after {random.n_samples:,} random continua"
        )
    elif not random.is_precise:
        notes.append(imprecise_note(random, settings.sampling))
    return tuple(notes)


def imprecise_note(random: Expected, sampling: Sampling) -> str:
    """The note on a precision that was not reached."""
    if random.disorder is not None and random.disorder.n_rough:
        return (
            f"the precision of {sampling.precision:g} was not reached with full searches of {random.n_samples:,} "
            f"random continua and short ones of {random.disorder.n_rough:,}, the most that are drawn"
        )
    return (
        f"the precision of {sampling.precision:g} would take about {random.required or 0:.0f} samples; "
        f"{random.n_samples} were drawn, the most that are drawn"
    )
