# SPDX-License-Identifier: MIT
"""Krippendorff's metric differences δ² of two values.

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
from unisono.model import FloatArray

Kind = Literal["nominal", "ordinal", "values", "matrix"]


@dataclass(frozen=True)
class Metric:
    """δ² over a list of labels. None is a label of its own, as far from every other as two labels can be.

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
        """The differences of these labels; InputError where the dissimilarity cannot take them."""
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
        # In the unit of the labels themselves, as the published disagreements are.
        fit = categorial.fitted(named) if isinstance(categorial, Interval) else None
        scale = (fit.high or 0.0) - (fit.low or 0.0) if fit is not None else 1.0
        return cls("values", values * (scale or 1.0), is_none, (scale or 1.0) ** 2)

    def fitted(self, margins: FloatArray) -> Metric:
        """The metric for these frequencies of the labels; only the ordinal differences depend on them.

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
        result: FloatArray
        if self.kind == "nominal":
            result = (c != k).astype(np.float64)
        elif self.kind == "matrix":
            result = self.table[c, k]
        else:
            either_none = self.is_none[c] | self.is_none[k]
            result = np.where(either_none, self.far * (c != k), (self.table[c] - self.table[k]) ** 2)
        return result

    def toward(self, weights: FloatArray) -> FloatArray:
        """For each label c the sum over k of weight_k · δ²_ck; builds no matrix unless the metric is one."""
        result: FloatArray
        if self.kind == "matrix":
            result = (self.table * weights).sum(axis=1)
        elif self.kind == "nominal":
            result = _others(weights)
        else:
            named = np.where(self.is_none, 0.0, weights)
            values = np.where(self.is_none, 0.0, self.table)
            total, of_none = float(named.sum()), float(weights.sum() - named.sum())
            # Centred at the mean, so that numbers far from 0 keep their digits; first at one of the labels, so that
            # equal labels are exactly 0 apart.
            values = values - values[np.argmax(named)]
            values = values - (float((named * values).sum()) / total if total > 0 else 0.0)
            spread = total * values**2 + float((named * values**2).sum())
            result = np.where(self.is_none, self.far * _others(weights), spread + self.far * of_none)
        return result


def _others(weights: FloatArray) -> FloatArray:
    """The sum of all other weights, for each label; computed without subtraction, which would cost digits."""
    nothing = np.zeros(1)
    before = np.concatenate((nothing, np.cumsum(weights)))[:-1]
    after = np.concatenate((np.cumsum(weights[::-1])[::-1], nothing))[1:]
    return before + after
