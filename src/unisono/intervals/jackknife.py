# SPDX-License-Identifier: MIT
"""The interval over documents: the jackknife on the logarithm of the disagreement.

Each document is left out in turn. The spread of the values gives the standard error of the disagreement R = 1 - value;
the interval is symmetric in log R, so that it never passes full agreement and is longer towards disagreement, where the
spread is larger. Student's t has fewer degrees of freedom where a few documents make most of the spread. Nothing is
random. docs/intervals.md compares it with other methods.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np

from unisono.intervals.random_words import RandomWords
from unisono.intervals.uncertainty import NOISE, WIDEST, Uncertainty, check_level
from unisono.model import FloatArray
from unisono.nouns import there_are
from unisono.results import Interval, UncertaintyCode
from unisono.sampling.student import student_quantile

#: Fewer documents give no usable estimate of their spread.
FEWEST_DOCUMENTS = 5
#: Below this the interval may cover less often than its level says (docs/intervals.md).
ENOUGH_DOCUMENTS = 30
#: A measure that must be computed again without each document is computed at most this often.
MOST_GROUPS = 30

T = TypeVar("T")
V = TypeVar("V")


def documents_interval(numerators: FloatArray, denominators: FloatArray, *, level: float) -> Uncertainty:
    """The interval of 1 - sum(numerators) / sum(denominators): the uncertainty over documents.

    One numerator (weight times observed disorder) and one denominator (weight times expected disorder) for each
    document; nothing is aligned again. Annotators are taken as fixed, and so are the expected disorders. Documents
    without any expected disorder weigh nothing and are left out.
    Undefined: fewer than five documents; no spread; an interval wider than 2.

    >>> documents_interval(np.array([1.0]), np.array([2.0]), level=0.95).reason
    'an interval over documents needs at least 5 documents with a value; there is 1'
    """
    top, bottom = np.asarray(numerators, dtype=np.float64), np.asarray(denominators, dtype=np.float64)
    top, bottom = top[bottom > 0], bottom[bottom > 0]
    n = len(top)
    if n < FEWEST_DOCUMENTS:
        check_level(level)
        return too_few_documents(n)
    all_top, all_bottom = math.fsum(top.tolist()), math.fsum(bottom.tolist())
    # Sorted, so that the order of the documents in a file does not change the last digits.
    left_out = np.sort((all_top - top) / (all_bottom - bottom))
    return jackknife_interval(1 - all_top / all_bottom, 1 - left_out, n=n, level=level)


def jackknife_interval(
    value: float, left_out: Sequence[float] | FloatArray, *, n: int, level: float, is_share: bool = False
) -> Uncertainty:
    """The interval of a value, from the values without each document (or without each group of documents).

    `n` is the number of documents. `is_share`: the value cannot be below 0; the interval is then symmetric in the
    logarithm of the odds R / (1 - R), and in log R otherwise.
    """
    check_level(level)
    disagreement = 1 - value
    values = np.asarray(left_out, dtype=np.float64)
    count = len(values)
    deviations = values - math.fsum(values.tolist()) / count
    squares = deviations * deviations
    error = math.sqrt((count - 1) / count * math.fsum(squares.tolist()))
    if disagreement <= NOISE:
        return Uncertainty.unknown(
            UncertaintyCode.NO_SPREAD, f"all {n} documents agree fully: there is no spread to estimate it from", n
        )
    if error <= NOISE * disagreement or (is_share and value <= NOISE):
        return Uncertainty.unknown(
            UncertaintyCode.NO_SPREAD, f"all {n} documents are alike: there is no spread to estimate it from", n
        )
    t = _quantile((1 + level) / 2, _degrees_of_freedom(squares))
    if is_share:
        low, high = (_shift_odds(disagreement, side * t * error) for side in (1, -1))
    else:
        # Capped, so that exp cannot overflow; such an interval is too wide anyway.
        shift = min(t * error / disagreement, 100.0)
        low, high = disagreement * math.exp(shift), disagreement * math.exp(-shift)
    if low - high > WIDEST:
        return Uncertainty.unknown(
            UncertaintyCode.TOO_WIDE,
            f"too few documents to say: an interval from these {n} would be wider than {WIDEST:g}",
            n,
        )
    notes: tuple[str, ...] = ()
    if n < ENOUGH_DOCUMENTS:
        notes = (weak_interval(n),)
    return Uncertainty(Interval("documents", level, 1 - low, 1 - high), notes=notes, n=n)


def weak_interval(n: int) -> str:
    """The note on an interval over few documents."""
    return (
        f"only {n} documents: an interval over fewer than {ENOUGH_DOCUMENTS} may cover less often than its level says"
    )


def too_few_documents(n: int) -> Uncertainty:
    """No interval, because fewer than five documents have a value."""
    reason = f"an interval over documents needs at least {FEWEST_DOCUMENTS} documents with a value; {there_are(n)}"
    return Uncertainty.unknown(UncertaintyCode.TOO_FEW_DOCUMENTS, reason, n)


def compute_without_each(measure: Callable[[Sequence[T]], V], documents: Sequence[T]) -> list[V]:
    """What the measure gives without each document, or without each group of them where there are many.

    Groups are chosen at random, always the same ones for a number of documents, and differ by one document at most.
    """
    n = len(documents)
    group = np.arange(n)
    if n > MOST_GROUPS:
        order = np.argsort(RandomWords(0, "jackknife groups").words(n), kind="stable")
        group[order] = np.arange(n) % MOST_GROUPS
    return [
        measure([document for document, its in zip(documents, group.tolist(), strict=True) if its != number])
        for number in range(min(n, MOST_GROUPS))
    ]


def _degrees_of_freedom(squares: FloatArray) -> float:
    """Between n - 1 and Satterthwaite's number S, 2 / (the squared relative error of the variance): a weighted mean.

    n - 1 are too many where a few documents make most of the spread: intervals cover too seldom. S, at least 2, is
    estimated from the same few documents and comes out too small: they cover too often. The geometric mean with S
    counted twice keeps between both (docs/intervals.md has the figures).
    """
    count = len(squares)
    mean = math.fsum(squares.tolist()) / count
    spread = math.fsum(((squares / mean - 1) ** 2).tolist()) / (count - 1) / count
    satterthwaite = max(2.0, min(count - 1, 2 / spread if spread > 0 else math.inf))
    return math.cbrt((count - 1) * satterthwaite**2)


def _quantile(p: float, df: float) -> float:
    """Student's quantile for any number of degrees of freedom: linear in 1 / df between whole numbers."""
    below = math.floor(df)
    low = student_quantile(p, below)
    if df == below:
        return low
    share = (1 / below - 1 / df) / (1 / below - 1 / (below + 1))
    return low + share * (student_quantile(p, below + 1) - low)


def _shift_odds(share: float, shift: float) -> float:
    """The share whose log odds are those of this one plus shift / (share * (1 - share))."""
    odds = math.log(share / (1 - share)) + max(-100.0, min(100.0, shift / (share * (1 - share))))
    return 1 / (1 + math.exp(-odds))
