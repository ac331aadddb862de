# SPDX-License-Identifier: MIT
"""Permutation tests of a difference of two pooled values: documents swapped, exchanged, or split anew.

p = (1 + extreme) / (1 + permutations), two-sided: the observed arrangement is one of the permutations. Where there are
few, all are enumerated, each once, and p is exact.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from unisono.errors import ParameterError
from unisono.intervals.random_words import RandomWords, chunks
from unisono.intervals.ratios import Ratios, paired_order
from unisono.model import FloatArray

#: With fewer distinct permutations than this no p below 0.05 is possible, and none is given.
ENOUGH_PERMUTATIONS = 20
#: Differences closer than this to the observed one are as extreme: rounding must not decide.
TOLERANCE = 1e-10


@dataclass(frozen=True)
class Permuted:
    """p, or None and the reason; how many permutations were counted besides the observed one, and whether all were."""

    p: float | None
    n_permutations: int
    is_exact: bool
    reason: str | None = None


#: Sums of both sides, one row a permutation: numerators and denominators of a, then of b.
_Sums = Iterator[FloatArray]


def swap_test(a: Ratios, b: Ratios, *, permutations: int, seed: int) -> Permuted:
    """Paired: the same documents in the same order on both sides; a and b are swapped within documents.

    If it made no difference which side is which, each document could as well have had its two pairs swapped. Only
    documents whose pairs differ count: 2 to their number permutations exist.
    """
    sides = np.stack([a.numerators, a.denominators, b.numerators, b.denominators], axis=1)[paired_order(a, b)]
    swapped = sides[:, [2, 3, 0, 1]] - sides
    differing = np.flatnonzero(swapped.any(axis=1))
    distinct = 2 ** len(differing)
    if distinct < ENOUGH_PERMUTATIONS:
        return too_few_permutations(distinct, f"the sides differ in {len(differing)} of {len(a)} documents")
    start, moves = sides.sum(axis=0), swapped[differing]
    if distinct - 1 <= permutations:
        return _count_extreme(start, _all_swaps(start, moves), distinct - 1, is_exact=True)
    return _count_extreme(start, _random_swaps(start, moves, permutations, seed), permutations, is_exact=False)


def exchange_test(a: Ratios, b: Ratios, *, permutations: int, seed: int) -> Permuted:
    """Unpaired: documents are exchanged between the sides, which keep their numbers of documents."""
    # The test is two-sided, so that it does not matter which side is chosen: the smaller one is.
    small, large = sorted((a, b), key=len)
    documents = np.concatenate([np.stack([side.numerators, side.denominators], axis=1) for side in (small, large)])
    n, size = len(documents), len(small)
    distinct = _distinct_choices(documents, size)
    if distinct < ENOUGH_PERMUTATIONS:
        return too_few_permutations(distinct, f"{len(a)} documents against {len(b)}")
    whole = documents.sum(axis=0)
    first = documents[:size].sum(axis=0)
    start = np.concatenate([first, whole - first])
    # Sorted by their values, so that their order in a file cannot change which are drawn.
    documents = documents[np.lexsort(documents.T)]
    every = math.comb(n, size)
    if every - 1 <= permutations:
        return _count_extreme(start, _exchange(documents, whole, _all_choices(n, size)), every - 1, is_exact=True)
    chosen = _random_choices(n, size, permutations, seed)
    return _count_extreme(start, _exchange(documents, whole, chosen), permutations, is_exact=False)


def split_test(splits: Sequence[FloatArray], picks: NDArray[np.int64], *, is_exact: bool) -> Permuted:
    """Annotators: for each document a table of its splits into two groups, the observed one first.

    A row of a table has numerator and denominator of group a, then of group b; a row of `picks` has, for each
    document, the row of its table: one permutation. Where `picks` has all of them, p is exact.
    """
    start = np.sum([table[0] for table in splits], axis=0)

    def sums() -> _Sums:
        done = 0
        for count in chunks(len(picks), 4 * len(splits)):
            rows = picks[done : done + count]
            yield np.sum([table[rows[:, i]] for i, table in enumerate(splits)], axis=0)
            done += count

    return _count_extreme(start, sums(), len(picks) - int(is_exact), is_exact=is_exact)


def check_permutations(permutations: int) -> None:
    """At least 19, or no p could be as low as 0.05."""
    if permutations < ENOUGH_PERMUTATIONS - 1:
        raise ParameterError.of(
            f"{permutations} {'permutation is' if permutations == 1 else 'permutations are'} too few for a test",
            f"Draw at least {ENOUGH_PERMUTATIONS - 1} ([[permutations]]).",
            code="resampling",
        )


def too_few_permutations(distinct: int, detail: str) -> Permuted:
    """No p, because too few distinct permutations exist."""
    noun = "permutation exists" if distinct == 1 else "permutations exist"
    reason = f"only {distinct} distinct {noun} ({detail}); a test needs at least {ENOUGH_PERMUTATIONS}"
    return Permuted(None, distinct - 1, True, reason)


def _count_extreme(start: FloatArray, permuted: _Sums, count: int, *, is_exact: bool) -> Permuted:
    """Count permutations whose difference is at least the observed one; undefined ones count as extreme."""
    observed = abs(float(_differences(start[None])[0]))
    extreme = 0
    for sums in permuted:
        differences = np.abs(_differences(sums))
        extreme += int(np.count_nonzero(~(differences < observed - TOLERANCE * max(1.0, observed))))
    # An enumeration includes the observed arrangement, which is counted already.
    extreme -= int(is_exact)
    return Permuted((1 + extreme) / (1 + count), count, is_exact)


def _differences(sums: FloatArray) -> FloatArray:
    with np.errstate(divide="ignore", invalid="ignore"):
        return sums[:, 2] / sums[:, 3] - sums[:, 0] / sums[:, 1]


def _all_swaps(start: FloatArray, moves: FloatArray) -> _Sums:
    n, done = len(moves), 0
    for count in chunks(2**n, n):
        numbers = np.arange(done, done + count)
        yield start + np.einsum("rn,nk->rk", numbers[:, None] >> np.arange(n) & 1, moves)
        done += count


def _random_swaps(start: FloatArray, moves: FloatArray, permutations: int, seed: int) -> _Sums:
    draws, n = RandomWords(seed, "permutation paired"), len(moves)
    for count in chunks(permutations, n):
        yield start + np.einsum("rn,nk->rk", draws.integers(count * n, 2).reshape(count, n), moves)


def _all_choices(n: int, size: int) -> Iterator[NDArray[np.int64]]:
    combinations = itertools.combinations(range(n), size)
    for count in chunks(math.comb(n, size), size):
        flat = itertools.chain.from_iterable(itertools.islice(combinations, count))
        yield np.fromiter(flat, dtype=np.int64, count=count * size).reshape(count, size)


def _random_choices(n: int, size: int, permutations: int, seed: int) -> Iterator[NDArray[np.int64]]:
    draws = RandomWords(seed, "permutation unpaired")
    for count in chunks(permutations, n):
        yield np.argpartition(draws.words(count * n).reshape(count, n), size - 1, axis=1)[:, :size]


def _exchange(documents: FloatArray, whole: FloatArray, chosen: Iterator[NDArray[np.int64]]) -> _Sums:
    for choice in chosen:
        first = documents[choice].sum(axis=1)
        yield np.concatenate([first, whole - first], axis=1)


def _distinct_choices(documents: FloatArray, size: int) -> int:
    """How many distinct ways there are to choose `size` documents, equal ones being interchangeable; counts to 20.

    Kinds of documents are taken in turn: `ways[j]` choices of j documents among the kinds so far. Whatever the kinds
    to come, each can be completed if enough documents are left, so that it often suffices to look at a few.
    """
    left = len(documents)
    if not 0 < size < left:
        return 1
    ways = np.zeros(size + 1)
    ways[0] = 1
    completable = 1
    for copies in Counter(map(tuple, documents.tolist())).values():
        left -= copies
        sums = np.concatenate([np.zeros(copies + 1), np.cumsum(ways)])
        ways = np.minimum(sums[copies + 1 :] - sums[: size + 1], ENOUGH_PERMUTATIONS)
        completable = int(ways[max(0, size - left) :].sum())
        if completable >= ENOUGH_PERMUTATIONS:
            break
    return completable
