# SPDX-License-Identifier: MIT
"""Krippendorff's metric differences δ²: how much it matters that two annotators gave these two values.

Krippendorff 2013, chapter 12. They come from the categorial dissimilarity, so that one choice serves γ and the
alphas: nominal, ordinal, interval and ratio are his; any other distance (a matrix, sets, trees, a function of the
user's) is taken as the difference itself, as Passonneau (2006) and Artstein and Poesio (2008) do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from unisono.dissimilarity import Categorial, Interval, Ordinal, Ratio
from unisono.errors import InputError
from unisono.model import FloatArray

Kind = Literal["nominal", "ordinal", "values", "matrix"]


@dataclass(frozen=True)
class Metric:
    """δ² over a list of labels. A label of None is a thing of its own, as unlike any other as two labels can be.

    `table` holds nothing (nominal), ranks (ordinal, until `fitted`), numbers (values: their squared difference) or a
    flat matrix; `far` is the difference of None to everything else.
    Deviation: f_cat is γ's and is not applied.

    >>> Metric.of(Interval(), ("1", "2", "4")).between(np.array([0, 1]), np.array([2, 2])).tolist()
    [9.0, 4.0]
    """

    kind: Kind
    table: FloatArray
    is_none: NDArray[np.bool_]
    far: float = 1.0

    @classmethod
    def of(cls, categorial: Categorial, labels: Sequence[str | None]) -> Metric:
        """The differences of these labels; InputError where the labels are not of the kind that it takes."""
        named = [label for label in labels if label is not None]
        is_none = np.array([label is None for label in labels], dtype=bool)
        kind, table = categorial.table(named)
        if kind == "nominal":
            return cls("nominal", np.empty(0), is_none)
        if kind == "matrix":
            matrix = table.reshape(len(named), len(named))
            if is_none.any():
                matrix = np.ones((len(labels), len(labels)))
                matrix[np.ix_(~is_none, ~is_none)] = table.reshape(len(named), len(named))
                np.fill_diagonal(matrix, 0.0)
            return cls("matrix", matrix**2 if isinstance(categorial, Ratio) else matrix, is_none)
        values = np.zeros(len(labels))
        values[~is_none] = table
        if isinstance(categorial, Ordinal):
            return cls("ordinal", values, is_none)
        # In the labels' own unit of measure: the published disagreements are.
        fit = categorial.fitted(named) if isinstance(categorial, Interval) else None
        scale = (fit.high or 0.0) - (fit.low or 0.0) if fit is not None else 1.0
        return cls("values", values * (scale or 1.0), is_none, (scale or 1.0) ** 2)

    def fitted(self, margins: FloatArray) -> Metric:
        """The same for these frequencies of the labels, on which only the ordinal differences depend.

        δ² = (sum of n_g for g from c to k, less half of n_c + n_k)²: the difference of the middles of two ranks.
        """
        if self.kind != "ordinal":
            return self
        n = np.where(self.is_none, 0.0, margins)
        order = np.argsort(self.table, kind="stable")
        middles = np.empty_like(n)
        middles[order] = np.cumsum(n[order]) - n[order] / 2
        named = middles[~self.is_none]
        far = float(np.ptp(named)) ** 2 if len(named) else 1.0
        return replace(self, kind="values", table=middles, far=far or 1.0)

    def between(self, c: NDArray[Any], k: NDArray[Any]) -> FloatArray:
        """δ² of pairs of labels, given by their codes."""
        found: FloatArray
        if self.kind == "nominal":
            found = (c != k).astype(np.float64)
        elif self.kind == "matrix":
            found = self.table[c, k]
        else:
            either_none = self.is_none[c] | self.is_none[k]
            found = np.where(either_none, self.far * (c != k), (self.table[c] - self.table[k]) ** 2)
        return found

    def toward(self, weights: FloatArray) -> FloatArray:
        """For each label c the sum over k of weight_k · δ²_ck, without a matrix where none is needed."""
        found: FloatArray
        if self.kind == "matrix":
            found = self.table @ weights
        elif self.kind == "nominal":
            found = _others(weights)
        else:
            named = np.where(self.is_none, 0.0, weights)
            values = np.where(self.is_none, 0.0, self.table)
            total, of_none = float(named.sum()), float(weights.sum() - named.sum())
            # About the mean, so that numbers far from 0 keep their digits; first about one of them, so that labels
            # which are all alike are exactly 0 apart.
            values = values - values[np.argmax(named)]
            values = values - (float(named @ values) / total if total > 0 else 0.0)
            spread = total * values**2 + float(named @ values**2)
            found = np.where(self.is_none, self.far * _others(weights), spread + self.far * of_none)
        return found


def _others(weights: FloatArray) -> FloatArray:
    """The sum of all other weights, for each; not the total less its own, in which rare labels would lose digits."""
    nothing = np.zeros(1)
    before = np.concatenate((nothing, np.cumsum(weights)))[:-1]
    after = np.concatenate((np.cumsum(weights[::-1])[::-1], nothing))[1:]
    return before + after


def metric_of(categorial: Categorial, labels: Sequence[str | None]) -> Metric | str:
    """The differences of these labels, or which need they do not meet."""
    try:
        return Metric.of(categorial, labels)
    except InputError as error:
        problem = error.problems[0]
        return f"needs {problem.expected}; found {problem.found}"
