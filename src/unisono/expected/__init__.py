# SPDX-License-Identifier: MIT
"""The expected disorder: draw random continua, align each, average, until the precision is reached (section 5.3).

One sampling serves γ, γcat and every γk: each random continuum gives the disorder of its best alignment and the
disorder of the categories of its aligned units.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from unisono.alignment.observed import How, PairRule
from unisono.chance import ChanceModel, CoreModel
from unisono.dissimilarity.columns import CoreDocuments
from unisono.expected.draws import Draws, draws
from unisono.expected.estimate import Estimate, Expected, Moments
from unisono.expected.memory import remembered
from unisono.expected.plan import Sampling, required_samples
from unisono.model import FloatArray

__all__ = ["Estimate", "Expected", "Sampling", "expected", "expected_of", "required_samples"]

#: Numbers kept of one call of the core, at most: bounds the memory, whatever the number of categories and samples.
LARGEST_BATCH = 4_000_000


def expected(
    columns: CoreDocuments,
    chance: ChanceModel,
    sampling: Sampling,
    *,
    seed: int,
    pairs: PairRule = "once",
    drawn: Callable[[ChanceModel, CoreDocuments, int], Draws] = draws,
    threads: int = 1,
    time_limit: float | None = None,
    memory_limit: int | None = None,
) -> list[Expected]:
    """The expected disorders of each continuum under a chance model (sections 4.8 and 5.3).

    A first batch of 30 estimates how many samples the precision needs, for the disorder and, where categories are
    judged, for theirs; as many are added and the estimate is made anew, until it holds or the cap is reached. Sample
    i is the same however many are drawn. Where a limit stopped an alignment of the first batch, no more are drawn.
    The limits are those of one alignment; `drawn` says how random continua are drawn and aligned.
    """
    # Not what the limits are, nor how many are wanted: everything else that a sample depends on.
    source = remembered(
        drawn(chance, columns, seed),
        lambda: (drawn, chance.signature, columns.dissimilarity.signature, columns.is_judged, seed, pairs,
                 tuple(continuum.name for continuum in columns.continua)),
    )  # fmt: skip
    found = _sampled(source, sampling, How(pairs, threads, time_limit, memory_limit))
    shared = isinstance(chance, CoreModel) and chance.is_shared
    results = [
        entry.result(labels, f"{chance.signature} {case}" if shared else None)
        for case, (entry, labels) in enumerate(zip(found, source.labels, strict=True))
    ]
    return [results[case] for case in source.case_of.tolist()]


def expected_of(
    source: Draws,
    sampling: Sampling,
    *,
    threads: int = 1,
    time_limit: float | None = None,
    memory_limit: int | None = None,
) -> list[Expected]:
    """The same for random draws of any other kind, versions of a text for example; one result for each case."""
    found = _sampled(source, sampling, How("once", threads, time_limit, memory_limit))
    return [entry.result(labels, None) for entry, labels in zip(found, source.labels, strict=True)]


def _sampled(source: Draws, sampling: Sampling, how: How) -> list[_Found]:
    """Every case sampled until the precision is reached."""
    n_cases = len(source.labels)
    found = [_Found() for _ in range(n_cases)]
    # Cases are numbered from 0. (np.unique would load numpy.ma, which takes longer than a small measurement.)
    pending = np.flatnonzero(np.bincount(source.case_of, minlength=n_cases))
    done = np.zeros(n_cases, dtype=np.int64)
    wanted = np.full(n_cases, sampling.n_first, dtype=np.int64)
    while len(pending):
        for batch in _batches(pending, wanted - done, source):
            _draw(source, batch, done[batch], wanted[batch] - done[batch], found, how)
        done[pending] = wanted[pending]
        if sampling.samples is not None:
            break
        for case in pending.tolist():
            wanted[case] = found[case].wanted(sampling)
        pending = pending[wanted[pending] > done[pending]]
    return found


def _batches(cases: NDArray[np.int64], counts: NDArray[np.int64], source: Draws) -> Sequence[NDArray[np.int64]]:
    """The cases in groups whose results fit the memory; a single case may still be larger."""
    sizes = np.cumsum([int(counts[case]) * (4 + len(source.labels[case])) for case in cases.tolist()])
    return np.split(cases, np.flatnonzero(np.diff(sizes // LARGEST_BATCH)) + 1)


def _draw(
    source: Draws,
    cases: NDArray[np.int64],
    firsts: NDArray[np.int64],
    counts: NDArray[np.int64],
    found: list[_Found],
    how: How,
) -> None:
    disorders, bounds, redraws, categories, per_label = source.sample(cases, firsts, counts, how)
    at = label_at = 0
    for case, count in zip(cases.tolist(), counts.tolist(), strict=True):
        these, n_labels = slice(at, at + count), len(source.labels[case])
        labels = slice(label_at, label_at + count * n_labels)
        judged = len(categories) > 0
        found[case].add(
            disorders[these],
            bounds[these],
            int(redraws[these].sum()),
            categories[these] if judged else None,
            per_label[labels].reshape(count, n_labels) if judged else None,
        )
        at, label_at = these.stop, labels.stop


class _Found:
    """What was drawn so far of one case."""

    def __init__(self) -> None:
        self.disorders: list[FloatArray] = []
        self.bounds: list[FloatArray] = []
        self.categories: list[FloatArray] = []
        self.redraws = 0
        self.required: float | None = None
        self.moments: Moments | None = None  # of each label

    def add(
        self,
        disorders: FloatArray,
        bounds: FloatArray,
        redraws: int,
        categories: FloatArray | None,
        per_label: FloatArray | None,
    ) -> None:
        self.disorders.append(disorders)
        self.bounds.append(bounds)
        self.redraws += redraws
        if categories is not None and per_label is not None:
            self.categories.append(categories)
            moments = Moments.of(per_label)
            self.moments = moments if self.moments is None else self.moments.and_also(moments)

    def wanted(self, sampling: Sampling) -> int:
        """How many samples there should be in all, by what was found so far."""
        disorders = np.concatenate(self.disorders)
        done = len(disorders)
        self.required = _required(disorders, sampling)
        if self.categories:
            self.required = max(self.required, _required(np.concatenate(self.categories), sampling))
        if np.any(np.concatenate(self.bounds) < disorders):
            return done
        return min(max(done, math.ceil(self.required)), max(sampling.cap, done))

    def result(self, labels: tuple[str | None, ...], case: str | None) -> Expected:
        if not self.disorders:  # a case that no document has
            return Expected(np.empty(0), np.empty(0), 0, None)
        return Expected(
            np.concatenate(self.disorders),
            np.concatenate(self.bounds),
            self.redraws,
            self.required,
            np.concatenate(self.categories) if self.categories else None,
            labels,
            () if self.moments is None else self.moments.estimates(),
            case,
        )


def _required(values: FloatArray, sampling: Sampling) -> float:
    """The number of samples the precision asks for, those counted in that gave no value."""
    kept = values[~np.isnan(values)]
    if len(kept) < 2:
        return 0.0
    mean, sd = float(np.mean(kept)), float(np.std(kept))
    n0 = required_samples(mean, sd, len(kept), precision=sampling.precision, level=sampling.level)
    return n0 * len(values) / len(kept)
