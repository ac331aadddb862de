# SPDX-License-Identifier: MIT
"""Bootstrap intervals of values that are ratios of sums: over documents, over stretches, of a difference.

All are studentised (bootstrap-t; Efron and Tibshirani 1993, section 12.5): each resample is measured in units of its
own linearised standard error, as a ratio's spread depends on the ratio. Percentile and BCa intervals cover too little
where documents differ much in size; docs/intervals.md has the figures.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from unisono.errors import ParameterError
from unisono.inference.draws import Draws, chunks
from unisono.inference.ratios import Ratios, paired_order
from unisono.model import Alignment, FloatArray
from unisono.results import Interval, IntervalKind

#: Below this a resample is too often one and the same document, drawn again and again, which has no spread.
FEWEST_DOCUMENTS = 5
#: With 1,999 the quantiles of the usual levels fall on whole ranks.
RESAMPLES = 1_999
#: Below this the interval over documents covers less than its level says (docs/intervals.md).
ENOUGH_DOCUMENTS = 30
#: Below this an interval over stretches is not given.
ENOUGH_STRETCHES = 20


@dataclass(frozen=True)
class Bootstrap:
    """An interval, or None and the reason why there is none; notes say what weakens it."""

    interval: Interval | None
    reason: str | None = None
    notes: tuple[str, ...] = ()
    #: The number of documents, or of stretches, that it rests on.
    n: int = 0


@dataclass(frozen=True)
class _Resampled:
    """Shifts of values in resamples, with their linearised variances, and the variance of the values themselves."""

    shifts: FloatArray
    variances: FloatArray
    variance: float


def documents_interval(
    numerators: FloatArray, denominators: FloatArray, *, level: float, seed: int, resamples: int = RESAMPLES
) -> Bootstrap:
    """The interval of 1 - sum(numerators) / sum(denominators), had other documents of the kind been annotated.

    One numerator (weight times observed disorder) and one denominator (weight times expected disorder) for each
    document; documents are drawn with replacement, nothing is aligned again. Annotators are taken as fixed, and so
    are the expected disorders. Documents without any expected disorder weigh nothing and are left out.
    Undefined: fewer than five documents, which make too few distinct samples; no spread, or too little of it.

    >>> from unisono.inference.bootstrap import documents_interval
    >>> documents_interval(np.array([1.0]), np.array([2.0]), level=0.95, seed=1).reason
    'an interval over documents needs at least 5; found 1'
    """
    _check(level, resamples)
    top, bottom = _in_order(*_weighty(numerators, denominators))
    n = len(top)
    if n < FEWEST_DOCUMENTS:
        return Bootstrap(None, f"an interval over documents needs at least {FEWEST_DOCUMENTS}; found {n}", n=n)
    moves = _resampled(top[:, None], bottom[:, None], Draws(seed, "bootstrap"), resamples)
    value = 1.0 - math.fsum(top.tolist()) / math.fsum(bottom.tolist())
    return _interval("documents", value, _single(moves), level, n, highest=1.0)


def difference_interval(
    a: Ratios, b: Ratios, *, paired: bool, level: float, seed: int, resamples: int = RESAMPLES
) -> Bootstrap:
    """The interval of the value of a minus that of b, over documents.

    paired: the same documents in the same order on both sides, drawn together; otherwise each side is drawn by itself.
    Undefined: as for one side.
    """
    _check(level, resamples)
    if a.value is None or b.value is None:
        return Bootstrap(None, "nothing is expected on one of the sides")
    draws = Draws(seed, "bootstrap difference")
    if paired:
        order = paired_order(a, b)
        order = order[(a.denominators > 0)[order] | (b.denominators > 0)[order]]
        top = np.stack([a.numerators[order], b.numerators[order]], axis=1)
        bottom = np.stack([a.denominators[order], b.denominators[order]], axis=1)
        n = fewest = len(top)
    else:
        sides = [_in_order(*_weighty(side.numerators, side.denominators)) for side in (a, b)]
        fewest = min(len(side[0]) for side in sides)
        n = sum(len(side[0]) for side in sides)
    if fewest < FEWEST_DOCUMENTS:
        where = "" if paired else " on each side"
        reason = f"an interval over documents needs at least {FEWEST_DOCUMENTS}{where}; found {fewest}"
        return Bootstrap(None, reason, n=n)
    if paired:
        shifts, covariances, covariance = _resampled(top, bottom, draws, resamples)
        contrast = np.array([1.0, -1.0])
        moves = _Resampled(
            shifts @ contrast, covariances @ contrast @ contrast, float(contrast @ covariance @ contrast)
        )
    else:
        first, second = (_single(_resampled(x[:, None], y[:, None], draws, resamples)) for x, y in sides)
        moves = _Resampled(
            first.shifts - second.shifts, first.variances + second.variances, first.variance + second.variance
        )
    found = _interval("documents", a.value - b.value, moves, level, fewest)
    return Bootstrap(found.interval, found.reason, found.notes, n)


def stretches_interval(
    alignment: Alignment, expected: float, *, level: float, seed: int, resamples: int = RESAMPLES
) -> Bootstrap:
    """The interval of γ of one long continuum, had other stretches of the kind been annotated.

    The continuum is cut wherever no unitary alignment is cut (`stretches`). Each stretch has its disorder and its
    number of units, whose ratio is γ's observed disorder; the expected disorder is taken as fixed. Neighbouring
    stretches resemble each other, so blocks of them are drawn with replacement (`blocks_interval`).
    Undefined: fewer than 20 stretches; an expected disorder of 0.
    """
    stretch = stretches(alignment)
    if expected <= 0:
        return Bootstrap(None, "the expected disorder is 0")
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
) -> Bootstrap:
    """The interval of 1 - sum(numerators) / sum(denominators) of stretches in their order along the continuum.

    Moving-block bootstrap (Künsch 1989) on the stretches laid in a circle (Politis and Romano 1992), so that the
    first and the last are drawn as often as the others. A block is `block_length` stretches long.
    """
    _check(level, resamples)
    top, bottom = _weighty(numerators, denominators)
    count = len(top)
    if count < ENOUGH_STRETCHES:
        reason = (
            f"an interval over stretches needs at least {ENOUGH_STRETCHES} that no unitary alignment crosses; "
            f"found {count}"
        )
        return Bootstrap(None, reason, n=count)
    moves = _resampled(
        top[:, None], bottom[:, None], Draws(seed, "bootstrap stretches"), resamples, length=block_length(count)
    )
    value = 1.0 - math.fsum(top.tolist()) / math.fsum(bottom.tolist())
    found = _interval("stretches", value, _single(moves), level, count, highest=1.0)
    return Bootstrap(found.interval, found.reason, n=count)


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
    found = np.empty(count, dtype=np.int64)
    found[order] = np.concatenate([[0], np.cumsum(cuts)])
    return found


def _check(level: float, resamples: int) -> None:
    if not 0 < level < 1:
        raise ParameterError.of("a level between 0 and 1, such as 0.95", f"level={level}", code="resampling")
    if resamples < 2 / (1 - level) - 1:
        raise ParameterError.of(
            f"at least {math.ceil(2 / (1 - level) - 1)} resamples for a level of {level:g}",
            f"resamples={resamples}",
            code="resampling",
        )


def _weighty(numerators: FloatArray, denominators: FloatArray) -> tuple[FloatArray, FloatArray]:
    """What has a weight: nothing is expected of the rest, and nothing is observed there."""
    top, bottom = np.asarray(numerators, dtype=np.float64), np.asarray(denominators, dtype=np.float64)
    keep = bottom > 0
    return top[keep], bottom[keep]


def _in_order(top: FloatArray, bottom: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Documents sorted by what they are, so that their order in a file cannot change what is drawn."""
    order = np.lexsort((bottom, top))
    return top[order], bottom[order]


def _resampled(
    top: FloatArray, bottom: FloatArray, draws: Draws, resamples: int, *, length: int = 1
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Ratios of sums in resamples of the rows: (shifts, covariances, covariance), one column of `top` a ratio.

    A shift is how far 1 - sum(top) / sum(bottom) moves. Blocks of `length` rows in a circle are drawn: with length 1,
    the rows themselves. Covariances are linearised: of the residuals r*bottom - top, r being the ratio.
    """
    rows, sides = top.shape
    ratio = top.sum(axis=0) / bottom.sum(axis=0)
    # Around the value itself, so that small differences are not lost in large sums.
    columns = np.concatenate([ratio * bottom - top, bottom], axis=1)
    if length > 1:
        wrapped = np.cumsum(np.concatenate([np.zeros((1, 2 * sides)), columns, columns[: length - 1]]), axis=0)
        columns = wrapped[length:] - wrapped[:-length]
    drawn = max(2, round(rows / length))
    products = (columns[:, :, None] * columns[:, None, :]).reshape(rows, -1)
    table = np.concatenate([columns, products], axis=1)
    pieces = []
    for count in chunks(resamples, max(rows, drawn)):
        picks = draws.integers(count * drawn, rows).reshape(count, drawn)
        picks += rows * np.arange(count)[:, None]
        times = np.bincount(picks.ravel(), minlength=count * rows).reshape(count, rows)
        pieces.append(times @ table)
    sums = np.concatenate(pieces)
    shifts, covariances = _linearised(sums, sides, drawn)
    _, covariance = _linearised(table.sum(axis=0, keepdims=True) * (drawn / rows), sides, drawn)
    # The rows are `rows` long, the resamples `drawn` blocks of `length`.
    return shifts, covariances, covariance[0] * (drawn * length / rows)


def _linearised(sums: FloatArray, sides: int, drawn: int) -> tuple[FloatArray, FloatArray]:
    """Shifts and covariances from the sums of columns and of their products."""
    residuals, bottoms = sums[:, :sides], sums[:, sides : 2 * sides]
    products = sums[:, 2 * sides :].reshape(-1, 2 * sides, 2 * sides)
    with np.errstate(divide="ignore", invalid="ignore"):
        shifts = residuals / bottoms
        # A row's residual in the resample is (its residual - shift * its denominator) / the sum of denominators.
        weights = np.zeros((len(sums), sides, 2 * sides))
        for side in range(sides):
            weights[:, side, side] = 1 / bottoms[:, side]
            weights[:, side, sides + side] = -shifts[:, side] / bottoms[:, side]
        covariances = weights @ products @ weights.transpose(0, 2, 1)
    return shifts, covariances * (drawn / (drawn - 1))


def _single(moves: tuple[FloatArray, FloatArray, FloatArray]) -> _Resampled:
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
) -> Bootstrap:
    """The studentised interval: value - error * t, t between two quantiles of the resamples."""
    # Rounding leaves a trace of a variance where there is none.
    scale = max(abs(1 - value), 1e-300) ** 2
    if moves.variance <= 1e-24 * scale:
        return Bootstrap(None, f"all {n} {kind} are alike: there is no spread to draw from", n=n)
    with np.errstate(divide="ignore", invalid="ignore"):
        errors = np.sqrt(np.where(moves.variances > 1e-24 * scale, moves.variances, 0.0))
        t = np.where(np.abs(moves.shifts) > 1e-12 * math.sqrt(scale), moves.shifts / errors, 0.0)
    # A resample that is undefined could lie on either side.
    undefined = np.isnan(t)
    rank = math.floor((len(t) + 1) * (1 - level) / 2 + 1e-9)
    lowest_t = float(np.sort(np.where(undefined, -np.inf, t))[rank - 1])
    highest_t = float(np.sort(np.where(undefined, np.inf, t))[-rank])
    error = math.sqrt(moves.variance)
    low, high = value - error * highest_t, min(highest, value - error * lowest_t)
    if not (math.isfinite(low) and math.isfinite(high)):
        return Bootstrap(None, f"too few of the {n} {kind} differ: too many resamples have no spread", n=n)
    notes: tuple[str, ...] = ()
    if kind == "documents" and n < ENOUGH_DOCUMENTS:
        notes = (
            f"only {n} documents: an interval over fewer than {ENOUGH_DOCUMENTS} may cover less often than "
            f"its level says",
        )
    return Bootstrap(Interval(kind, level, low, high), notes=notes, n=n)
