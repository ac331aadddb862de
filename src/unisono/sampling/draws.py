# SPDX-License-Identifier: MIT
"""Random continua drawn and aligned: in the core where it can, one by one in Python for a user's own functions."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Protocol, Self, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from unisono._core import ShiftModel
from unisono.alignment.observed import CategoryDisorder, How, Observed, PairRule, observe
from unisono.chance import ChanceModel, CoreCases, CoreModel, Shift
from unisono.dissimilarity.core_documents import CoreDocuments
from unisono.model import Continuum, FloatArray
from unisono.sampling.control_variates import Variates, source_counts

_Longs = NDArray[np.int64]

#: Random continua that are drawn in Python and aligned by one call.
GROUP = 200

#: Disorders, their lower bounds, repeated draws, disorders of the categories, and those of each label of the case.
Drawn = tuple[FloatArray, FloatArray, _Longs, FloatArray, FloatArray]


class Draws(Protocol):
    """Random continua of a number of cases, each the case of one or more continua."""

    @property
    def case_of(self) -> _Longs:
        """The case of each continuum."""

    @property
    def labels(self) -> tuple[tuple[str | None, ...], ...]:
        """The categories of each case."""

    @property
    def identities(self) -> tuple[Hashable, ...]:
        """For each case everything that its samples depend on besides the settings."""

    def sample(self, cases: _Longs, firsts: _Longs, counts: _Longs, how: How) -> Drawn:
        """Samples firsts .. firsts + counts - 1 of each of the cases, aligned, case by case.

        The disorders of samples that the time limit left out are NaN.
        """


@runtime_checkable
class HasSources(Protocol):
    """A model that draws real annotators in a way of its own."""

    def variates(self, case: int) -> Variates | None:
        """The sources of samples of a case."""


class ContinuumDraws(Draws, Protocol):
    """Random continua that may be known to be made of real annotators."""

    def variates(self, case: int) -> Variates | None:
        """The sources of samples of a case; None where the chance model has none."""


def draws(chance: ChanceModel, columns: CoreDocuments, seed: int) -> ContinuumDraws:
    """The random continua of these continua under a chance model."""
    if columns.kernel is not None and isinstance(chance, CoreModel):
        return CoreDraws.of(chance, columns, seed)
    return PythonDraws(chance, columns, seed)


@dataclass(frozen=True)
class CoreDraws:
    """A model that the core draws by itself; continua with equal samples are one case, which is drawn once."""

    core: CoreCases
    case_of: _Longs

    @classmethod
    def of(cls, chance: CoreModel, columns: CoreDocuments, seed: int) -> Self:
        core = chance.cases(columns, seed)
        return cls(core, core.case_of if chance.is_shared else _first_of_equals(columns.digests, core.identities))

    @property
    def labels(self) -> tuple[tuple[str | None, ...], ...]:
        return self.core.labels

    @property
    def identities(self) -> tuple[Hashable, ...]:
        return self.core.identities()

    def variates(self, case: int) -> Variates | None:
        model = self.core.model
        if isinstance(model, ShiftModel):
            return partial(source_counts, model, case)
        return model.variates(case) if isinstance(model, HasSources) else None

    def sample(self, cases: _Longs, firsts: _Longs, counts: _Longs, how: How) -> Drawn:
        core = self.core
        return core.model.sample(
            core.kernel, cases, firsts, counts, core.categories, how.pairs, how.threads, how.limits
        )


def _first_of_equals(digests: Sequence[bytes], identities: Callable[[], tuple[Hashable, ...]]) -> _Longs:
    """For each continuum the first one with the same samples.

    Equal digests are a hint: what else the samples depend on, the names of labels for example, is in the identities.

    >>> _first_of_equals([b"a", b"b", b"a", b"a"], lambda: ("x", "y", "z", "x")).tolist()
    [0, 1, 2, 0]
    """
    if len(set(digests)) == len(digests):
        return np.arange(len(digests), dtype=np.int64)
    first: dict[Hashable, int] = {}
    return np.array([first.setdefault(each, i) for i, each in enumerate(identities())], dtype=np.int64)


@dataclass(frozen=True)
class PythonDraws:
    """A model or a dissimilarity written in Python; every continuum is a case of its own."""

    chance: ChanceModel
    columns: CoreDocuments
    seed: int

    @property
    def case_of(self) -> _Longs:
        return np.arange(len(self.columns.continua), dtype=np.int64)

    @property
    def labels(self) -> tuple[tuple[str | None, ...], ...]:
        return self.columns.labels

    @property
    def identities(self) -> tuple[Hashable, ...]:
        # A user's model may draw by the name of the document, and look at where it begins.
        places = ((continuum.name, continuum.extent) for continuum in self.columns.continua)
        return tuple(zip(places, self.columns.identities, strict=True))

    @cached_property
    def _shift_model(self) -> ShiftModel | None:
        """The model that knows the sources; one for all cases."""
        return self.chance.core_model(self.columns, self.seed) if isinstance(self.chance, Shift) else None

    def variates(self, case: int) -> Variates | None:
        return None if self._shift_model is None else partial(source_counts, self._shift_model, case)

    def random_continua(
        self, cases: _Longs, firsts: _Longs, counts: _Longs, how: How
    ) -> Iterator[tuple[int, list[Continuum], How]]:
        """The samples asked for, in groups of one case, each with how to align it; those left out come as no continua.

        Where there is a time limit, each sample is a group, and what is left of the time is its own limit.
        """
        end = None if how.time_limit is None else time.monotonic() + how.time_limit
        size = GROUP if end is None else 1
        for case, first, count in zip(cases.tolist(), firsts.tolist(), counts.tolist(), strict=True):
            draw = self._sampler(self.columns.continua[case])
            for begin in range(first, first + count, size):
                left = None if end is None else end - time.monotonic()
                if left is not None and left <= 0:
                    yield case, [], how
                    continue
                samples = range(begin, min(begin + size, first + count))
                yield case, [draw(sample) for sample in samples], replace(how, time_limit=left)

    def _sampler(self, continuum: Continuum) -> Callable[[int], Continuum]:
        if isinstance(self.chance, CoreModel):
            return self.chance.sampler(continuum, seed=self.seed)
        return lambda sample: self.chance.draw(continuum, seed=self.seed, sample=sample)

    def sample(self, cases: _Longs, firsts: _Longs, counts: _Longs, how: How) -> Drawn:
        disorders, bounds, categories, per_label = [], [], [], []
        for case, continua, how_left in self.random_continua(cases, firsts, counts, how):
            outcomes: list[Observed] = []
            if continua:
                drawn = CoreDocuments.of(continua, self.columns.dissimilarity, judged=self.columns.is_judged)
                outcomes = observe(drawn, how_left)
            if how.time_limit is not None and (not outcomes or outcomes[0].alignment.limit == "time"):
                disorders.append(np.nan)
                bounds.append(np.nan)
                if self.columns.is_judged:
                    categories.append(np.nan)
                    per_label.append(np.full(len(self.labels[case]), np.nan))
                continue
            for observed in outcomes:
                disorders.append(observed.alignment.disorder)
                bounds.append(observed.alignment.lower_bound)
                if observed.categories is not None:
                    mean = observed.categories.mean
                    categories.append(np.nan if mean is None else mean)
                    per_label.append(self._of_labels(case, observed.categories, how.pairs))
        return (
            np.array(disorders),
            np.array(bounds),
            np.zeros(len(disorders), dtype=np.int64),
            np.array(categories),
            np.concatenate([np.empty(0), *per_label]),
        )

    def _of_labels(self, case: int, categories: CategoryDisorder, pairs: PairRule) -> FloatArray:
        """The disorder of each label of the case, NaN where no pair has it."""
        place = {label: i for i, label in enumerate(self.labels[case])}
        # pygamma-agreement: 1 for a category without any unit.
        row = np.full(len(place), 1.0 if pairs == "pygamma" else np.nan)
        for label, weight, disorder in zip(categories.labels, categories.weights, categories.disorders, strict=True):
            # A user's model may invent labels; they have no γk.
            if weight > 0 and label in place:
                row[place[label]] = disorder / weight
        return row
