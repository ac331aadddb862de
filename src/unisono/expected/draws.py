# SPDX-License-Identifier: MIT
"""Random continua drawn and aligned: in the core where it can, one by one in Python for a user's own functions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from unisono.alignment.observed import How, observed
from unisono.chance import ChanceModel, CoreCases, CoreModel
from unisono.dissimilarity.columns import CoreDocuments
from unisono.model import Continuum, FloatArray

_Longs = NDArray[np.int64]

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

    def sample(self, cases: _Longs, firsts: _Longs, counts: _Longs, how: How) -> Drawn:
        """Samples firsts .. firsts + counts - 1 of each of the cases, aligned, case by case."""


def draws(chance: ChanceModel, columns: CoreDocuments, seed: int) -> Draws:
    """The random continua of these continua under a chance model."""
    if columns.kernel is not None and isinstance(chance, CoreModel):
        return CoreDraws(chance.cases(columns, seed))
    return PythonDraws(chance, columns, seed)


@dataclass(frozen=True)
class CoreDraws:
    """A model that the core draws by itself."""

    core: CoreCases

    @property
    def case_of(self) -> _Longs:
        return self.core.case_of

    @property
    def labels(self) -> tuple[tuple[str | None, ...], ...]:
        return self.core.labels

    def sample(self, cases: _Longs, firsts: _Longs, counts: _Longs, how: How) -> Drawn:
        core = self.core
        return core.model.sample(
            core.kernel, cases, firsts, counts, core.categories, how.pairs, how.threads, *how.limits
        )


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

    def random_continua(self, cases: _Longs, firsts: _Longs, counts: _Longs) -> Iterator[tuple[int, list[Continuum]]]:
        """The samples asked for, case by case."""
        for case, first, count in zip(cases.tolist(), firsts.tolist(), counts.tolist(), strict=True):
            continuum = self.columns.continua[case]
            samples = range(first, first + count)
            yield case, [self.chance.draw(continuum, seed=self.seed, sample=sample) for sample in samples]

    def sample(self, cases: _Longs, firsts: _Longs, counts: _Longs, how: How) -> Drawn:
        disorders, bounds, categories, per_label = [], [], [], []
        for case, random in self.random_continua(cases, firsts, counts):
            place = {label: i for i, label in enumerate(self.labels[case])}
            drawn = CoreDocuments.of(random, self.columns.dissimilarity, judged=self.columns.is_judged)
            for found in observed(
                drawn,
                pairs=how.pairs,
                threads=how.threads,
                time_limit=how.time_limit,
                memory_limit=how.memory_limit,
            ):
                disorders.append(found.alignment.disorder)
                bounds.append(found.alignment.lower_bound)
                if found.categories is None:
                    continue
                mean = found.categories.mean
                categories.append(np.nan if mean is None else mean)
                # pygamma-agreement: 1 for a category without any unit.
                row = np.full(len(place), 1.0 if how.pairs == "pygamma" else np.nan)
                for label, weight, disorder in zip(
                    found.categories.labels, found.categories.weights, found.categories.disorders, strict=True
                ):
                    # A user's model may invent labels; they have no γk.
                    if weight > 0 and label in place:
                        row[place[label]] = disorder / weight
                per_label.append(row)
        return (
            np.array(disorders),
            np.array(bounds),
            np.zeros(len(disorders), dtype=np.int64),
            np.array(categories),
            np.concatenate([np.empty(0), *per_label]),
        )
