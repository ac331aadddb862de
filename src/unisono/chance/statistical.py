# SPDX-License-Identifier: MIT
"""The chance model of pygamma-agreement: new units with the moments of the real ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unisono._core import StatisticalModel
from unisono.chance.chance_model import CoreCases, SingleDocumentModel, extent_of, keys
from unisono.dissimilarity.core_documents import CoreDocuments
from unisono.model import Continuum, FloatArray


@dataclass(frozen=True, slots=True)
class Statistical(SingleDocumentModel):
    """Numbers of units, gaps and lengths drawn from normal laws with the moments of the real ones.

    The law that pygamma-agreement 0.5.9 uses when nothing else is asked for, written down from its source. For each
    annotator: the number of units is the absolute value of a normal number, cut to a whole one (at least 1 for the
    annotator of number 0); each starts at the end of the one before, the first at 0, plus a normal gap, which may be
    negative; its length is the absolute value of a normal number, its labels are those of a real unit drawn at random.
    Means and standard deviations (of the population) are those of the counts of all annotators, of the gaps between
    an annotator's units, of the first starts above 0 and one gap of 0 more, and of the lengths of all units.
    """

    signature: str = field(default="statistical", init=False, repr=False)

    def core_model(self, columns: CoreDocuments, seed: int) -> StatisticalModel:
        return StatisticalModel(
            columns.documents,
            _moments([continuum.counts for continuum in columns.continua]),
            _moments([gaps(continuum) for continuum in columns.continua]),
            _moments([continuum.ends - continuum.starts for continuum in columns.continua]),
            keys(seed, columns.digests),
        )

    def cases(self, columns: CoreDocuments, seed: int) -> CoreCases:
        # The first starts are counted from 0, so samples depend on where a continuum begins.
        cases = SingleDocumentModel.cases(self, columns, seed)
        begins = [extent_of(continuum).start for continuum in columns.continua]
        return replace(cases, identities=lambda: tuple(zip(begins, columns.identities, strict=True)))

    def notes(self, continuum: Continuum) -> tuple[str, ...]:
        extent_of(continuum)
        return ()


def gaps(continuum: Continuum) -> FloatArray:
    """The gaps whose moments the law takes, the odd 0 at the head of the list included."""
    starts = np.asarray(continuum.starts, dtype=np.float64)
    between = starts[1:] - np.asarray(continuum.ends, dtype=np.float64)[:-1]
    is_first = np.ones(len(starts), dtype=bool)
    is_first[1:] = np.diff(continuum.annotator_codes) != 0
    heads = starts[is_first]
    return np.concatenate(([0.0], between[~is_first[1:]], heads[heads > 0]))


def _moments(columns: Sequence[NDArray[Any]]) -> FloatArray:
    """Mean and standard deviation of each, one after the other.

    Of the sorted values, so that the order of the annotators cannot change the sums.
    """
    ordered = [np.sort(column) for column in columns]
    return np.array([moment for column in ordered for moment in (np.mean(column), np.std(column))], dtype=np.float64)
