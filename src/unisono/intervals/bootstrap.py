# SPDX-License-Identifier: MIT
"""Bootstrap intervals of values that are ratios of sums: over stretches, and of a difference over documents.

Both are studentised (bootstrap-t; Efron and Tibshirani 1993, section 12.5): each resample is measured in units of its
own linearised standard error, as a ratio's spread depends on the ratio. A resample whose spread is rounding noise is
undefined; too many of these give a reason instead of an interval.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from unisono._core import resample_sums
from unisono.intervals.jackknife import ENOUGH_DOCUMENTS, FEWEST_DOCUMENTS, weak_interval
from unisono.intervals.random_words import RandomWords, chunks
from unisono.intervals.ratios import Ratios, paired_order
from unisono.intervals.uncertainty import NOISE, WIDEST, Uncertainty, check_resamples
from unisono.model import Alignment, FloatArray
from unisono.nouns import there_are
from unisono.results import Interval, IntervalKind, UncertaintyCode

#: A resample with less than this share of the spread of the data has no spread but rounding noise.
SMALL_SPREAD = 1e-5
#: With 1,999 the quantiles of the usual levels fall on whole ranks.
RESAMPLES = 1_999
#: Below this an interval over stretches is not given.
ENOUGH_STRETCHES = 20


@dataclass(frozen=True)
class _Resampled:
    """Shifts of values in resamples, with their linearised variances, and the variance of the values themselves."""

    shifts: FloatArray
    variances: FloatArray
    variance: float


def difference_interval(
    a: Ratios, b: Ratios, *, paired: bool, level: float, seed: int, resamples: int = RESAMPLES
) -> Uncertainty:
    """The interval of the value of a minus that of b, over documents.

    paired: the same documents in the same order on both sides, drawn together; otherwise each side is drawn by itself.
    Undefined: as for one side.
    """
    check_resamples(level, resamples)
    if a.value is None or b.value is None:
        return Uncertainty.unknown(UncertaintyCode.ZERO_EXPECTED, "nothing is expected on one of the sides")
    draws = RandomWords(seed, "bootstrap difference")
    if paired:
        order = paired_order(a, b)
        order = order[(a.denominators > 0)[order] | (b.denominators > 0)[order]]
        top = np.stack([a.numerators[order], b.numerators[order]], axis=1)
        bottom = np.stack([a.denominators[order], b.denominators[order]], axis=1)
        n = fewest = len(top)
    else:
        sides = [_sort_documents(*_drop_weightless(side.numerators, side.denominators)) for side in (a, b)]
        fewest = min(len(side[0]) for side in sides)
        n = sum(len(side[0]) for side in sides)
    if fewest < FEWEST_DOCUMENTS:
        where = "" if paired else " on each side"
        reason = f"an interval over documents needs at least {FEWEST_DOCUMENTS}{where}; {there_are(fewest)}"
        return Uncertainty.unknown(UncertaintyCode.TOO_FEW_DOCUMENTS, reason, n)
    if paired:
        shifts, covariances, covariance = _resample(top, bottom, draws, resamples)
        moves = _Resampled(
            shifts[:, 0] - shifts[:, 1],
            _variance_of_difference(covariances),
            float(_variance_of_difference(covariance)),
        )
    else:
        first, second = (_single_ratio(_resample(x[:, None], y[:, None], draws, resamples)) for x, y in sides)
        moves = _Resampled(
            first.shifts - second.shifts, first.variances + second.variances, first.variance + second.variance
        )
    return replace(_interval("documents", a.value - b.value, moves, level, fewest), n=n)


def stretches_interval(
    alignment: Alignment, expected: float, *, level: float, seed: int, resamples: int = RESAMPLES
) -> Uncertainty:
    """The interval of γ of one long continuum: the uncertainty over its stretches.

    The continuum is cut wherever no unitary alignment is cut (`stretches`). Each stretch has its disorder and its
    number of units, whose ratio is γ's observed disorder; the expected disorder is taken as fixed. Neighbouring
    stretches resemble each other, so blocks of them are drawn with replacement (`blocks_interval`).
    Undefined: fewer than 20 stretches; an expected disorder of 0.
    """
    stretch = stretches(alignment)
    if expected <= 0:
        return Uncertainty.unknown(UncertaintyCode.ZERO_EXPECTED, "the expected disorder is 0")
    continuum = alignment.continuum
    count = int(stretch.max()) + 1
    disorders: FloatArray = np.bincount(stretch, weights=alignment.disorders, minlength=count).astype(np.float64)
    # Eq. 7: the observed disorder is the summed one times n over the number of units.
    units = np.bincount(stretch[alignment.group], minlength=count).astype(np.float64)
    return blocks_interval(
        disorders * continuum.n_annotators, units * expected, level=level, seed=seed, resamples=resamples
    )


def blocks_interval(
    numerators: FloatArray, denominators: FloatArray, *, level: float, seed: int, resamples: int = RESAMPLES
) -> Uncertainty:
    """The interval of 1 - sum(numerators) / sum(denominators) of stretches in their order along the continuum.

    Moving-block bootstrap (Künsch 1989) on the stretches laid in a circle (Politis and Romano 1992), so that the
    first and the last are drawn as often as the others. A block is `block_length` stretches long.
    """
    check_resamples(level, resamples)
    top, bottom = _drop_weightless(numerators, denominators)
    count = len(top)
    if count < ENOUGH_STRETCHES:
        reason = (
            f"an interval over stretches needs at least {ENOUGH_STRETCHES} that no unitary alignment crosses; "
            f"{there_are(count)}"
        )
        return Uncertainty.unknown(UncertaintyCode.TOO_FEW_STRETCHES, reason, count)
    moves = _resample(
        top[:, None], bottom[:, None], RandomWords(seed, "bootstrap stretches"), resamples, length=block_length(count)
    )
    value = 1.0 - math.fsum(top.tolist()) / math.fsum(bottom.tolist())
    return _interval("stretches", value, _single_ratio(moves), level, count, highest=1.0)


def block_length(count: int) -> int:
    """How many stretches a block has: the cube root of their number, rounded up.

    The order n**(1/3) is the best for a variance (Hall, Horowitz and Jing 1995).

    >>> [block_length(count) for count in (20, 27, 1000)]
    [3, 3, 10]
    """
    length = round(math.cbrt(count))
    return length if length**3 >= count else length + 1


def stretches(alignment: Alignment) -> NDArray[np.int64]:
    """The number of the stretch that each unitary alignment lies in, from 0 along the continuum.

    A position cuts when every unitary alignment lies before it (all its units start before it and end there at the
    latest) or after it (none starts before it); stretches are what lies between two cuts. One sort, then linear.

    >>> from unisono.alignment import best_alignment
    >>> from unisono.model import Continuum
    >>> c = Continuum.of({"ann": [(0, 4), (3, 9), (9, 12)], "bob": [(0, 5), (4, 9), (20, 24)]})
    >>> stretches(best_alignment(c)).tolist()
    [0, 0, 1, 2]
    """
    continuum, group, count = alignment.continuum, alignment.group, len(alignment)
    first = np.full(count, np.inf)
    last = np.full(count, -np.inf)
    np.minimum.at(first, group, continuum.starts)
    np.maximum.at(last, group, continuum.ends)
    order = np.lexsort((last, first))
    reached = np.maximum.accumulate(last[order])
    # Unitary alignments that start at one position stay together, or a point there would lie on both sides.
    cuts = (first[order][1:] >= reached[:-1]) & (first[order][1:] > first[order][:-1])
    numbers = np.empty(count, dtype=np.int64)
    numbers[order] = np.concatenate([[0], np.cumsum(cuts)])
    return numbers


def _drop_weightless(numerators: FloatArray, denominators: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The pairs with an expected disorder; the others have no observed one either."""
    top, bottom = np.asarray(numerators, dtype=np.float64), np.asarray(denominators, dtype=np.float64)
    keep = bottom > 0
    return top[keep], bottom[keep]


def _sort_documents(top: FloatArray, bottom: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Documents sorted by their values, so that their order in a file cannot change which are drawn."""
    order = np.lexsort((bottom, top))
    return top[order], bottom[order]


def _resample(
    top: FloatArray, bottom: FloatArray, draws: RandomWords, resamples: int, *, length: int = 1
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Ratios of sums in resamples of the rows: (shifts, covariances, covariance), one column of `top` a ratio.

    A shift is how far 1 - sum(top) / sum(bottom) moves. Blocks of `length` rows in a circle are drawn: with length 1,
    the rows themselves. Covariances are linearised: of the residuals r*bottom - top, r being the ratio.
    """
    rows, sides = top.shape
    ratio = top.sum(axis=0) / bottom.sum(axis=0)
    # Residuals from the value itself: small differences are not lost in large sums.
    columns = np.concatenate([ratio * bottom - top, bottom], axis=1)
    if length > 1:
        wrapped = np.cumsum(np.concatenate([np.zeros((1, 2 * sides)), columns, columns[: length - 1]]), axis=0)
        columns = wrapped[length:] - wrapped[:-length]
    drawn = max(2, round(rows / length))
    first, second = _products(sides)
    table = np.concatenate([columns, columns[:, first] * columns[:, second]], axis=1)
    pieces = []
    for count in chunks(resamples, max(rows, drawn)):
        picks = draws.integers(count * drawn, rows)
        pieces.append(resample_sums(np.ravel(table), table.shape[1], picks, drawn))
    shifts, covariances = _linearise(np.concatenate(pieces).reshape(resamples, -1), sides, drawn)
    _, covariance = _linearise(table.sum(axis=0, keepdims=True) * (drawn / rows), sides, drawn)
    # The rows are `rows` long, the resamples `drawn` blocks of `length`.
    return shifts, covariances, covariance[0] * (drawn * length / rows)


def _products(sides: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The pairs of columns whose products are summed: each pair once."""
    return np.triu_indices(2 * sides)


def _linearise(sums: FloatArray, sides: int, drawn: int) -> tuple[FloatArray, FloatArray]:
    """Shifts and covariances from the sums of columns and of their products."""
    residuals, bottoms = sums[:, :sides], sums[:, sides : 2 * sides]
    first, second = _products(sides)
    products = np.empty((len(sums), 2 * sides, 2 * sides))
    products[:, first, second] = products[:, second, first] = sums[:, 2 * sides :]
    covariances = np.empty((len(sums), sides, sides))
    with np.errstate(divide="ignore", invalid="ignore"):
        shifts = residuals / bottoms
        # A row's residual in the resample is (its residual - shift * its denominator) / the sum of denominators.
        for i in range(sides):
            for j in range(sides):
                total = products[:, i, j] + shifts[:, i] * shifts[:, j] * products[:, sides + i, sides + j]
                mixed = shifts[:, j] * products[:, i, sides + j] + shifts[:, i] * products[:, sides + i, j]
                covariances[:, i, j] = (total - mixed) / (bottoms[:, i] * bottoms[:, j])
    return shifts, covariances * (drawn / (drawn - 1))


def _variance_of_difference(covariances: FloatArray) -> FloatArray:
    """The variance of the difference of two sides, from their covariances."""
    return (covariances[..., 0, 0] - covariances[..., 0, 1]) + (covariances[..., 1, 1] - covariances[..., 1, 0])


def _single_ratio(moves: tuple[FloatArray, FloatArray, FloatArray]) -> _Resampled:
    shifts, covariances, covariance = moves
    return _Resampled(shifts[:, 0], covariances[:, 0, 0], float(covariance[0, 0]))


def _interval(
    kind: IntervalKind,
    value: float,
    moves: _Resampled,
    level: float,
    n: int,
    *,
    highest: float = math.inf,
) -> Uncertainty:
    """The studentised interval: value - error * t, t between two quantiles of the resamples.

    `value` is the one whose disagreement 1 - value sets the scale of rounding noise.
    """
    error = math.sqrt(max(0.0, moves.variance))
    if error <= NOISE * max(abs(1 - value), NOISE):
        return Uncertainty.unknown(
            UncertaintyCode.NO_SPREAD, f"all {n} {kind} are alike: there is no spread to estimate it from", n
        )
    with np.errstate(divide="ignore", invalid="ignore"):
        errors = np.sqrt(np.maximum(moves.variances, 0.0))
        # Sums of squares leave about the square root of the rounding error where there is no spread.
        t = np.where(errors > SMALL_SPREAD * error, moves.shifts / errors, np.nan)
    # An undefined resample counts against both limits.
    undefined = np.isnan(t)
    rank = math.floor((len(t) + 1) * (1 - level) / 2 + 1e-9)
    lowest_t = float(np.sort(np.where(undefined, -np.inf, t))[rank - 1])
    highest_t = float(np.sort(np.where(undefined, np.inf, t))[-rank])
    low, high = value - error * highest_t, min(highest, value - error * lowest_t)
    if not (math.isfinite(low) and math.isfinite(high)):
        reason = f"too few of the {n} {kind} differ: too many resamples have no spread"
        return Uncertainty.unknown(UncertaintyCode.NO_SPREAD, reason, n)
    if high - low > WIDEST:
        reason = f"too few {kind} to say: an interval from these {n} would be wider than {WIDEST:g}"
        return Uncertainty.unknown(UncertaintyCode.TOO_WIDE, reason, n)
    notes: tuple[str, ...] = ()
    if kind == "documents" and n < ENOUGH_DOCUMENTS:
        notes = (weak_interval(n),)
    return Uncertainty(Interval(kind, level, low, high), notes=notes, n=n)
