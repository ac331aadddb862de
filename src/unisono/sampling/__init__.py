# SPDX-License-Identifier: MIT
"""The expected disorder: draw random continua, align each, average, until the precision is reached (section 5.3).

One sampling serves γ, γcat and every γk: each random continuum gives the disorder of its best alignment and the
disorder of the categories of its aligned units.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from unisono._core import ControlVariates
from unisono.alignment.observed import How
from unisono.chance import ChanceModel, CoreModel
from unisono.dissimilarity.core_documents import CoreDocuments
from unisono.model import FloatArray
from unisono.sampling.control_variates import Variates, average, samples_before
from unisono.sampling.draws import ContinuumDraws, Drawn, Draws, draws
from unisono.sampling.estimate import Estimate, Expected, Moments, range_of_mean
from unisono.sampling.kept_samples import keep_samples
from unisono.sampling.plan import Sampling, required_samples, samples_for
from unisono.sampling.repeats import samples_to_repeat
from unisono.sampling.two_levels import MOST_GROWTH, TwoLevels

__all__ = ["Estimate", "Expected", "Sampling", "expected", "expected_of", "required_samples"]

#: Numbers kept of one call of the core, at most: bounds the memory, whatever the number of categories and samples.
LARGEST_BATCH = 4_000_000

#: Disorders of single labels kept of one case, at most: beyond that γk is averaged plainly, from moments.
MOST_LABEL_DISORDERS = 1_000_000

#: From this many samples on a plain mean has the normal law, as in the paper.
NORMAL = 30

#: A time limit that is as good as over, in seconds.
SHORTEST = 1e-6


def expected(
    columns: CoreDocuments,
    chance: ChanceModel,
    sampling: Sampling,
    *,
    seed: int,
    drawn: Callable[[ChanceModel, CoreDocuments, int], ContinuumDraws] = draws,
    how: How | None = None,
    again: How | None = None,
    rough: How | None = None,
) -> list[Expected]:
    """The expected disorders of each continuum under a chance model (sections 4.8 and 5.3).

    A first batch of 30 estimates how many samples the precision needs, for the disorder and, where categories are
    judged, for theirs; as many are added and the estimate is made anew, until it holds or the cap is reached. Sample i
    is the same however many are drawn. Where searches left gaps that the precision would feel, the worst samples are
    searched again at the end of each batch, as `again` says (see `repeats`). Where documents are hard to align, further
    samples are searched as `rough` says, and a mean over them is corrected (see `two_levels`), unless the sampling is
    plain, the chance model is not the shift, or categories are judged. Once short searches were tried, the number of
    full ones is doubled at most before the estimate is made anew. Where the time of `how` is over, sampling ends with
    the samples finished by then. `drawn` says how random continua are drawn and aligned. Documents with equal random
    numbers, because their content is equal, have equal entries in `case`. Where the chance model is the shift, the
    sources of the samples are taken into account (see `control_variates`) unless the sampling is plain.
    """
    how = how or How()
    # The settings that a sample depends on; neither the limits of time and memory nor the number of samples.
    key = (
        (drawn, chance.signature, columns.dissimilarity.signature, columns.is_judged, seed, how.pairs),
        (how.effort, how.near_enough),
    )
    source = drawn(chance, columns, seed)
    is_shift = isinstance(chance, CoreModel) and chance.is_shift
    afresh = _Afresh(source, again, rough if is_shift and not sampling.plain and not columns.is_judged else None)
    variates = None if sampling.plain else source.variates
    results = _sample_cases(keep_samples(source, key), sampling, how, afresh, variates)
    shared_by = chance.shared_by(columns) if isinstance(chance, CoreModel) else (None,) * len(columns.continua)
    # Continua of one case share the arrays themselves.
    return [
        replace(results[case], case=shared) for case, shared in zip(source.case_of.tolist(), shared_by, strict=True)
    ]


def expected_of(
    source: Draws,
    sampling: Sampling,
    *,
    threads: int = 1,
    time_limit: float | None = None,
    memory_limit: int | None = None,
) -> list[Expected]:
    """The same for random draws of any other kind, versions of a text for example; one result for each case."""
    return _sample_cases(source, sampling, How("once", threads, time_limit=time_limit, memory_limit=memory_limit))


@dataclass(frozen=True)
class _Afresh:
    """Other searches of the same samples: a longer one of those with large gaps, a short one; None: there is none."""

    source: Draws
    again: How | None
    rough: How | None


def _sample_cases(
    source: Draws,
    sampling: Sampling,
    how: How,
    afresh: _Afresh | None = None,
    variates: Callable[[int], Variates | None] | None = None,
) -> list[Expected]:
    """Sample every case until the precision is reached; `variates` has the sources of a case's samples."""
    n_cases = len(source.labels)
    samples = [
        _CaseSamples(labels, sampling, None if variates is None else variates(case))
        for case, labels in enumerate(source.labels)
    ]
    # Cases are numbered from 0. (np.unique would load numpy.ma, which takes longer than a small measurement.)
    pending = np.flatnonzero(np.bincount(source.case_of, minlength=n_cases))
    done = np.zeros(n_cases, dtype=np.int64)
    wanted = np.full(n_cases, sampling.n_first, dtype=np.int64)
    end = None if how.time_limit is None else time.monotonic() + how.time_limit
    while len(pending):
        for batch, counts in _batches(pending, wanted - done, source):
            if end is not None:
                how = replace(how, time_limit=max(SHORTEST, end - time.monotonic()))
            _draw(source, batch, done[batch], counts, samples, how)
            done[batch] += counts
            if any(samples[case].is_cut for case in batch.tolist()):
                return [each.cut_short() for each in samples]
        if afresh is not None:
            for case in pending.tolist():
                _search_afresh(afresh, case, samples[case], sampling, end)
            if any(samples[case].is_cut for case in pending.tolist()):
                return [each.cut_short() for each in samples]
        if sampling.samples is not None:
            break
        for case in pending.tolist():
            wanted[case] = samples[case].wanted()
        pending = pending[wanted[pending] > done[pending]]
    return [each.result() for each in samples]


def _batches(
    cases: NDArray[np.int64], counts: NDArray[np.int64], source: Draws
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """The cases in groups whose results fit the memory, each with its numbers of samples; large cases come in parts."""
    size_of = [4 + len(source.labels[case]) for case in cases.tolist()]
    sizes = np.cumsum(counts[cases] * np.array(size_of, dtype=np.int64))
    for batch in np.split(cases, np.flatnonzero(np.diff(sizes // LARGEST_BATCH)) + 1):
        if len(batch) > 1:
            yield batch, counts[batch]
            continue
        left = int(counts[batch[0]])
        most = max(1, LARGEST_BATCH // (4 + len(source.labels[int(batch[0])])))
        while left:
            yield batch, np.array([min(left, most)], dtype=np.int64)
            left -= min(left, most)


def _draw(
    source: Draws,
    cases: NDArray[np.int64],
    firsts: NDArray[np.int64],
    counts: NDArray[np.int64],
    samples: list[_CaseSamples],
    how: How,
) -> None:
    disorders, bounds, redraws, categories, per_label = source.sample(cases, firsts, counts, how)
    at = label_at = 0
    for case, count in zip(cases.tolist(), counts.tolist(), strict=True):
        n_labels = len(source.labels[case])
        # Samples are finished out of order where there are several threads: the first ones without a hole are kept.
        missing = np.flatnonzero(np.isnan(disorders[at : at + count]))
        n = int(missing[0]) if len(missing) else count
        these, labels = slice(at, at + n), slice(label_at, label_at + n * n_labels)
        judged = len(categories) > 0
        samples[case].is_cut |= n < count
        samples[case].add(
            disorders[these],
            bounds[these],
            int(redraws[these].sum()),
            categories[these] if judged else None,
            per_label[labels].reshape(n, n_labels) if judged else None,
        )
        at, label_at = at + count, label_at + count * n_labels


def _search_afresh(afresh: _Afresh, case: int, samples: _CaseSamples, sampling: Sampling, end: float | None) -> None:
    """Search samples of a case in other ways: the worst again, others roughly, as far as the precision asks for it.

    A sample is searched again until the mean gap is small enough or none may be chosen.
    """

    def in_time(how: How) -> How:
        return replace(how, time_limit=None if end is None else max(SHORTEST, end - time.monotonic()))

    if afresh.again is not None:
        while len(chosen := samples.to_repeat(sampling.tolerated)):
            ones = np.ones(len(chosen), dtype=np.int64)
            samples.improve(chosen, afresh.source.sample(case * ones, chosen, ones, in_time(afresh.again)))
    if afresh.rough is not None and sampling.samples is None and samples.is_hard:
        while (count := samples.rough_wanted()) > samples.n_rough:
            firsts, counts = (
                np.array([number], dtype=np.int64) for number in (samples.n_rough, count - samples.n_rough)
            )
            drawn = afresh.source.sample(np.array([case], dtype=np.int64), firsts, counts, in_time(afresh.rough))
            if np.isnan(drawn[0]).any():  # the time limit was reached
                samples.is_cut = True
                return
            samples.add_rough(drawn[0])


@dataclass(frozen=True)
class _Averages:
    """The means over the samples of a case, and the sources of these where they are known."""

    variates: ControlVariates | None
    disorder: Estimate | None
    category: Estimate | None


class _CaseSamples:
    """The samples of one case that were drawn so far.

    Many cases are sampled together. So the sources of a case, which may take many times the memory of its disorders,
    are forgotten between two looks at it, and with its result.
    """

    def __init__(self, labels: tuple[str | None, ...], sampling: Sampling, variates: Variates | None):
        self.labels = labels
        self.sampling = sampling
        self.variates = variates
        self.disorders: list[FloatArray] = []
        self.bounds: list[FloatArray] = []
        self.categories: list[FloatArray] = []
        self.redraws = 0
        self.is_cut = False  # whether the time limit left samples out
        self.required: float | None = None
        self.moments: Moments | None = None  # of each label, without those of `open_rows`
        self.open_rows: dict[int, FloatArray] = {}  # the labels of samples that are not proven, by number
        self.rows: list[FloatArray] | None = None if variates is None else []  # the labels of every sample
        self.repeated: set[int] = set()
        self.n_open = 0  # samples that were not proven at first
        self.levels: TwoLevels | None = None  # the samples by a short search, where there are such
        self.averages: _Averages | None = None  # of the samples drawn so far; None once they have changed
        self.found: Expected | None = None  # the result, once no more samples are wanted
        self.n = 0

    def add(
        self,
        disorders: FloatArray,
        bounds: FloatArray,
        redraws: int,
        categories: FloatArray | None,
        per_label: FloatArray | None,
    ) -> None:
        self.averages = None
        self.disorders.append(disorders)
        self.bounds.append(bounds)
        self.redraws += redraws
        open_ones = np.flatnonzero(bounds < disorders)
        self.n_open += len(open_ones)
        if categories is not None and per_label is not None:
            self.categories.append(categories)
            for i in open_ones.tolist():
                self.open_rows[self.n + i] = per_label[i]
            moments = Moments.of(np.delete(per_label, open_ones, axis=0) if len(open_ones) else per_label)
            self.moments = moments if self.moments is None else self.moments.and_also(moments)
            if (self.n + len(disorders)) * per_label.shape[1] > MOST_LABEL_DISORDERS:
                self.rows = None
            if self.rows is not None:
                self.rows.append(per_label)
        self.n += len(disorders)

    def to_repeat(self, precision: float) -> NDArray[np.int64]:
        """The samples to search again, by number."""
        if not self.n_open:
            return np.empty(0, dtype=np.int64)
        self._join()
        is_repeated = np.zeros(self.n, dtype=np.bool_)
        is_repeated[list(self.repeated)] = True
        return samples_to_repeat(self.disorders[0], self.bounds[0], is_repeated, precision)

    def improve(self, chosen: NDArray[np.int64], drawn: Drawn) -> None:
        """Take over what another search of these samples found: lower disorders, higher bounds."""
        self.averages = None
        disorders, bounds, _, categories, per_label = drawn
        rows = per_label.reshape(len(chosen), -1)
        for at, i in enumerate(chosen.tolist()):
            self.repeated.add(i)
            if np.isnan(disorders[at]):  # the time limit was reached
                continue
            is_better = disorders[at] < self.disorders[0][i] or bounds[at] >= disorders[at]
            self.disorders[0][i] = min(disorders[at], self.disorders[0][i])
            self.bounds[0][i] = min(self.disorders[0][i], max(bounds[at], self.bounds[0][i]))
            if is_better and len(categories):
                self.categories[0][i] = categories[at]
                self.open_rows[i] = rows[at]
                if self.rows is not None:
                    self.rows[0][i] = rows[at]

    @property
    def is_hard(self) -> bool:
        """Whether searches often end without a proof, or did so when short ones began: these have to go on then."""
        return self.levels is not None or self.n_open >= self.sampling.hard * self.n

    @property
    def n_rough(self) -> int:
        """How many samples were searched roughly, from the first on."""
        return 0 if self.levels is None else len(self.levels.rough)

    def add_rough(self, disorders: FloatArray) -> None:
        """Take the disorders that a short search found for the next samples."""
        assert self.levels is not None
        self.averages = None
        self.levels.add(disorders)

    def rough_wanted(self) -> int:
        """How many samples should be searched roughly: none where the full searches are precise by themselves."""
        required = self._required_alone()
        if self.levels is None and required > self.n:
            self.levels = TwoLevels(self.sampling, self.variates)
        if self.levels is None:
            return 0
        wanted = self.levels.allocate(self.disorders[0], required) if required > self.n else None
        self.levels.is_used = wanted is not None and wanted.is_less is True
        self.averages = None
        return self.n_rough if wanted is None or wanted.is_less is False else wanted.n_rough

    def _required_alone(self) -> float:
        """How many full searches would reach the precision without short ones."""
        self._join()
        variates = self.variates and self.variates(0, self.n)
        return _required(average(self.disorders[0], variates), self.n, self.sampling)

    def _join(self) -> None:
        """Make one array of the batches, which may be changed."""
        self.disorders, self.bounds = [np.concatenate(self.disorders)], [np.concatenate(self.bounds)]
        if self.categories:
            self.categories = [np.concatenate(self.categories)]
        if self.rows:
            self.rows = [np.concatenate(self.rows)]

    def wanted(self) -> int:
        """How many samples there should be in all, estimated from those drawn so far.

        Where fewer allow a richer regression on the sources, so many at first.
        """
        averages, sampling = self._average(), self.sampling
        self.required = max(_required(found, self.n, sampling) for found in (averages.disorder, averages.category))
        wanted = min(max(self.n, math.ceil(self.required)), max(sampling.cap, self.n))
        if self.levels is not None and self.levels.is_used:
            if wanted > self.n or self.levels.tells_little(self.disorders[0]):
                wanted = self.levels.allocate(self.disorders[0], self._required_alone()).n_exact
        else:
            if averages.variates is not None:
                wanted = samples_before(wanted, averages.variates, self.n)
            if self.levels is not None:  # full searches are dear, and short ones may pay once more are known
                wanted = min(wanted, MOST_GROWTH * self.n)
        if wanted > self.n:
            self.averages = None
        else:
            self.result()
        return wanted

    def _average(self) -> _Averages:
        """The means of the disorders and of the categories' disorders."""
        if self.averages is None:
            self._join()
            variates = self.variates and self.variates(0, self.n)
            if self.levels is not None and self.levels.is_used:
                disorder: Estimate | None = self.levels.estimate(self.disorders[0])
            else:
                disorder = average(self.disorders[0], variates)
            category = average(self.categories[0], variates) if self.categories else None
            self.averages = _Averages(variates, disorder, category)
        return self.averages

    def cut_short(self) -> Expected:
        """The result where the time limit ended the sampling of this case or of one beside it."""
        if self.found is None:
            if self.sampling.samples is not None:
                self.is_cut |= self.n < self.sampling.samples
            else:
                self.is_cut |= (
                    self.n < 2 or self.wanted() > self.n or self.n < min(self.required or 0, self.sampling.cap)
                )
        return replace(self.result(), is_cut=self.is_cut)

    def result(self) -> Expected:
        """What the samples say; no more can be added."""
        if self.found is None:
            self.found = self._result()
            self.averages = self.rows = None
        return self.found

    def _result(self) -> Expected:
        if not self.disorders:  # a case that no document has
            return Expected(np.empty(0), np.empty(0), 0, None, is_cut=self.is_cut)
        averages = self._average()
        return Expected(
            self.disorders[0],
            self.bounds[0],
            self.redraws,
            self.required,
            self.categories[0] if self.categories else None,
            self.labels,
            self._of_labels(averages.variates),
            self.is_cut,
            disorder=averages.disorder,
            category=averages.category,
            range=self._range(averages) if self.n_open else None,
        )

    def _range(self, averages: _Averages) -> tuple[float, float] | None:
        """Where the mean of the disorders lies, as far as they are proven."""
        if self.levels is not None and self.levels.is_used:
            return self.levels.range(self.disorders[0], self.bounds[0])
        variates, step = averages.variates, averages.disorder.step if averages.disorder else None
        weights = None if variates is None or step is None else variates.weights(step)
        return range_of_mean(self.disorders[0], self.bounds[0], weights)

    def _of_labels(self, variates: ControlVariates | None) -> tuple[Estimate | None, ...]:
        """The estimate of each label."""
        if self.moments is None:
            return ()
        if variates is None or not self.rows:
            return self._all_moments(self.moments).estimates()
        columns = np.ascontiguousarray(self.rows[0].T)
        return tuple(average(column, variates) for column in columns)

    def _all_moments(self, proven: Moments) -> Moments:
        """The moments of each label over all samples."""
        if not self.open_rows:
            return proven
        return proven.and_also(Moments.of(np.stack([self.open_rows[i] for i in sorted(self.open_rows)])))


def _required(found: Estimate | None, n: int, sampling: Sampling) -> float:
    """The number of samples the precision asks for, those of the n counted in that gave no value."""
    if found is None or found.n < 2:
        return 0.0
    precision, level = sampling.precision, sampling.level
    df = found.df if found.freedom is not None or found.n < NORMAL else None
    return samples_for(found.mean, found.sd, precision=precision, level=level, df=df) * n / found.n
