# SPDX-License-Identifier: MIT
"""The random continua of a document drawn and aligned by the workers of an executor, a few by each.

Sample i is the same wherever it is drawn, so that numbers do not depend on the executor.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from unisono.alignment.observed import How
from unisono.chance import ChanceModel
from unisono.dissimilarity import Dissimilarity
from unisono.dissimilarity.core_documents import CoreDocuments
from unisono.model import Continuum
from unisono.parallel import in_order
from unisono.sampling.control_variates import Variates
from unisono.sampling.draws import ContinuumDraws, Drawn

_Longs = NDArray[np.int64]

#: Makes the draws, from a chance model, continua and a seed.
Drawing = Callable[[ChanceModel, CoreDocuments, int], ContinuumDraws]

#: Samples are sent in this many pieces: enough for a few dozen workers, and for the last ones to end together.
PIECES = 64


@dataclass(frozen=True)
class SpreadDraws:
    """Draws whose samples are shared out among the workers of an executor."""

    executor: Executor
    drawing: Drawing
    chance: ChanceModel
    columns: CoreDocuments
    seed: int
    here: ContinuumDraws

    @classmethod
    def over(cls, executor: Executor, drawing: Drawing) -> Drawing:
        """The same way to draw, over an executor."""

        def spread(chance: ChanceModel, columns: CoreDocuments, seed: int) -> ContinuumDraws:
            return cls(executor, drawing, chance, columns, seed, drawing(chance, columns, seed))

        return spread

    @property
    def case_of(self) -> _Longs:
        return self.here.case_of

    @property
    def labels(self) -> tuple[tuple[str | None, ...], ...]:
        return self.here.labels

    @property
    def identities(self) -> tuple[Hashable, ...]:
        return self.here.identities

    def variates(self, case: int) -> Variates | None:
        return self.here.variates(case)

    def sample(self, cases: _Longs, firsts: _Longs, counts: _Longs, how: How) -> Drawn:
        pieces = list(_cut(cases, firsts, counts))
        if len(pieces) < 2:
            return self.here.sample(cases, firsts, counts, how)
        work = partial(
            _sample_on_worker,
            drawing=self.drawing,
            chance=self.chance,
            continua=self.columns.continua,
            dissimilarity=self.columns.dissimilarity,
            is_judged=self.columns.is_judged,
            seed=self.seed,
            how=how,
        )
        parts = [drawn for _, drawn in in_order(work, pieces, self.executor)]
        disorders, bounds, redraws, categories, per_label = (
            np.concatenate(columns) for columns in zip(*parts, strict=True)
        )
        return disorders, bounds, redraws, categories, per_label


_Piece = tuple[_Longs, _Longs, _Longs]


def _cut(cases: _Longs, firsts: _Longs, counts: _Longs) -> list[_Piece]:
    """The samples asked for, in pieces of about equal numbers, in their order.

    >>> pieces = _cut(np.array([0, 1]), np.array([5, 0]), np.array([100, 28]))
    >>> len(pieces), pieces[0], pieces[-1]
    (64, (array([0]), array([5]), array([2])), (array([1]), array([26]), array([2])))
    """
    size = max(1, -(-int(counts.sum()) // PIECES))
    pieces = []
    for case, first, count in zip(cases.tolist(), firsts.tolist(), counts.tolist(), strict=True):
        for begin in range(first, first + count, size):
            n = min(size, first + count - begin)
            pieces.append((np.array([case]), np.array([begin]), np.array([n])))
    return pieces


def _sample_on_worker(
    piece: _Piece,
    *,
    drawing: Drawing,
    chance: ChanceModel,
    continua: tuple[Continuum, ...],
    dissimilarity: Dissimilarity,
    is_judged: bool,
    seed: int,
    how: How,
) -> Drawn:
    """Some samples; runs on a worker."""
    columns = CoreDocuments.of(continua, dissimilarity, judged=is_judged)
    return drawing(chance, columns, seed).sample(*piece, how)
