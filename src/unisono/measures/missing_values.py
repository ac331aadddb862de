# SPDX-License-Identifier: MIT
"""Observed agreement on predefined items when values are missing: the four conceptions of Mathet 2017, section 3.

Items are a matrix of category codes, annotators x items, -1 where an annotator gave no value. An item with n_v values
has n_p = n_v (n_v - 1) / 2 pairs; its agreement is the share of pairs of equal values. The conceptions differ in the
weight of an item: 1 at the level of items (IL), n_v / 2 at the level of values (VL), n_p at the level of pairs (PL);
RM removes every item without a value of every annotator. Krippendorff's α and γcat take VL, the paper's choice.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from unisono.errors import ParameterError

Conception = Literal["VL", "IL", "PL", "RM"]
Array = NDArray[np.float64]

CONCEPTIONS: tuple[Conception, ...] = get_args(Conception)

#: The weight of an item by its number of values and the number of annotators (Table 1, w_u).
_ITEM_WEIGHTS: Mapping[str, Callable[[Array, int], Array]] = {
    "VL": lambda n_values, n: n_values / 2,
    "IL": lambda n_values, n: np.ones_like(n_values),
    "PL": lambda n_values, n: n_values * (n_values - 1) / 2,
    "RM": lambda n_values, n: (n_values == n).astype(np.float64),
}


def item_weights(n_values: ArrayLike, conception: Conception, *, annotators: int | None = None) -> Array:
    """The weight of an item by its number of values; 0 below two values (Mathet 2017, Table 1, w_u).

    `annotators` is the number of annotators, which only RM needs.

    >>> [item_weights([5, 4, 3, 2], conception).tolist() for conception in ("IL", "VL", "PL")]
    [[1.0, 1.0, 1.0, 1.0], [2.5, 2.0, 1.5, 1.0], [10.0, 6.0, 3.0, 1.0]]
    >>> item_weights([5, 4, 3, 2], "RM", annotators=5).tolist()
    [1.0, 0.0, 0.0, 0.0]
    """
    if conception not in CONCEPTIONS:
        raise ParameterError.of(
            f"{conception!r} is not a conception of missing values",
            f"The conceptions are: {', '.join(CONCEPTIONS)}.",
            found=repr(conception),
        )
    if conception == "RM" and annotators is None:
        raise ParameterError.of("RM needs the number of annotators, and [[annotators]] is not given")
    counts = np.asarray(n_values, dtype=np.float64)
    return np.where(counts >= 2, _ITEM_WEIGHTS[conception](counts, annotators or 0), 0.0)


def value_weights(n_values: ArrayLike, conception: Conception, *, annotators: int | None = None) -> Array:
    """The weight of one value of such an item, doubled as in the paper: 2 w_u / n_v (Table 1, w_v).

    >>> value_weights([5, 4, 3, 2], "VL").tolist()
    [1.0, 1.0, 1.0, 1.0]
    """
    counts = np.asarray(n_values, dtype=np.float64)
    return 2 * item_weights(counts, conception, annotators=annotators) / np.maximum(counts, 1)


def pair_weights(n_values: ArrayLike, conception: Conception, *, annotators: int | None = None) -> Array:
    """The weight of one pair of values of such an item: w_u / n_p (Table 1, w_p).

    >>> pair_weights([5, 4, 3, 2], "PL").tolist()
    [1.0, 1.0, 1.0, 1.0]
    """
    counts = np.asarray(n_values, dtype=np.float64)
    return item_weights(counts, conception, annotators=annotators) / np.maximum(counts * (counts - 1) / 2, 1)


def weighted_agreement(items: ArrayLike, conception: Conception) -> tuple[Array, Array]:
    """Summed weight of the agreement and of the items, for one matrix or a stack of them (leading axes).

    Their ratio is the observed agreement; it is undefined where the second is 0.
    """
    codes = _check_codes(items)
    n_values = np.count_nonzero(codes >= 0, axis=-2).astype(np.float64)
    n_pairs = n_values * (n_values - 1) / 2
    agreeing = np.zeros_like(n_values)
    for code in np.unique(codes[codes >= 0]):
        count = np.count_nonzero(codes == code, axis=-2)
        agreeing += count * (count - 1) / 2
    weights = item_weights(n_values, conception, annotators=codes.shape[-2])
    shares = np.divide(agreeing, n_pairs, out=np.zeros_like(n_pairs), where=n_pairs > 0)
    return (weights * shares).sum(axis=-1), weights.sum(axis=-1)


def observed_agreement(items: ArrayLike, conception: Conception = "VL") -> float | None:
    """Observed agreement of one matrix, annotators x items; None where no item can be compared.

    Definition: Mathet 2017, section 3. With VL it is 1 minus the observed disagreement of Krippendorff's nominal α.
    Undefined: no item with two values (RM: none with a value from everyone).

    >>> table = [[0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 1, -1], [0, 0, -1, -1], [0, -1, -1, -1]]  # Table 1
    >>> [round(observed_agreement(table, conception), 3) for conception in ("VL", "IL", "PL", "RM")]
    [0.857, 0.833, 0.9, 1.0]
    >>> observed_agreement([[0, -1], [-1, 0]]) is None
    True
    """
    codes = _check_codes(items)
    if codes.ndim != 2:
        raise ParameterError.of(f"the array has {codes.ndim} dimensions, not those of a matrix of annotators x items")
    agreement, weight = weighted_agreement(codes, conception)
    return float(agreement) / float(weight) if weight > 0 else None


def _check_codes(items: ArrayLike) -> NDArray[Any]:
    codes = np.asarray(items)
    if codes.ndim < 2 or codes.dtype.kind not in "iu":
        raise ParameterError.of(
            f"the items are an array of {codes.dtype} and shape {codes.shape}",
            "Give category codes, annotators x items, and -1 for a missing value.",
        )
    if codes.size and codes.min() < -1:
        raise ParameterError.of(
            f"the code {codes.min()} is below -1", "Category codes start at 0; -1 is for a missing value."
        )
    return codes
