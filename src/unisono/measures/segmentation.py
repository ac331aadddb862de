# SPDX-License-Identifier: MIT
"""Measures of segmentation: WindowDiff, Pk, Generalized Hamming Distance, B and S with their π* and κ*.

They compare the boundaries of units that cover the continuum, not categories. A distance becomes an agreement, 1 minus
the distance, and is given as the observed disagreement. With more than two annotators, or a pair
without a reference: the mean over the pairs, in both directions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from unisono.measures.boundaries import Segmentations
from unisono.measures.chunks import Index, ranges, sum_by_code
from unisono.measures.comparisons import mean_over_pairs
from unisono.measures.matching import least_cost_matching
from unisono.measures.resolved import Resolved
from unisono.measures.undefined import returns_undefined
from unisono.model import Continuum, FloatArray
from unisono.results import MeasureValue, Reason, ReasonCode

_NO_BOUNDARY = Reason(ReasonCode.NO_BOUNDARY, "neither annotator placed a boundary inside the continuum")
_TOO_SHORT = Reason(ReasonCode.TOO_SHORT, "no document has room for a boundary")
_WITHIN_WINDOW = Reason(ReasonCode.TOO_SHORT, "no document is longer than the window")
_BOUNDARIES_EVERYWHERE = Reason(
    ReasonCode.NO_EXPECTED_DISAGREEMENT,
    "everybody placed a boundary wherever one could be: chance would agree as well",
)
_CONTINUOUS = "positions that are not integers are taken as they are, without a step"

Counts = NDArray[np.int64]


@returns_undefined
def window_diff(continua: Sequence[Continuum], settings: Resolved) -> MeasureValue:
    """1 - WindowDiff: the share of the windows in which both annotators placed the same number of boundaries.

    Definition: Pevzner and Hearst 2002: N - k windows over k potential boundaries each, k being half the mean unit of
    the reference. Undefined: units that overlap or do not cover the continuum; no document longer than the window.
    Deviations: each annotator of a pair is the reference in turn; without integers, the limit of ever smaller atoms.

    >>> c = Continuum.of({"ann": [(0, 4), (4, 11), (11, 13)], "bob": [(0, 5), (5, 10), (10, 13)]})
    >>> round(window_diff([c], Resolved(window=3)).observed, 12)
    0.3
    """
    return _share_of_windows(continua, settings, lambda reference, other: reference != other)


@returns_undefined
def pk(continua: Sequence[Continuum], settings: Resolved) -> MeasureValue:
    """1 - Pk: the share of the windows for which both agree whether its two ends lie in one unit.

    Definition: Beeferman, Berger and Lafferty 1999. Undefined and deviations: as WindowDiff.

    >>> c = Continuum.of({"ann": [(0, 4), (4, 11), (11, 13)], "bob": [(0, 5), (5, 10), (10, 13)]})
    >>> round(pk([c], Resolved(window=3)).value, 12)
    0.7
    """
    return _share_of_windows(continua, settings, lambda reference, other: (reference > 0) != (other > 0))


@returns_undefined
def ghd(continua: Sequence[Continuum], settings: Resolved) -> MeasureValue:
    """1 - GHD / number of boundaries of both: few boundaries have to be moved, inserted or deleted where it is high.

    Definition: Bookstein, Kulyukin and Raita 2002, with insertion and deletion at 1 and a shift by half the mean
    unit of the reference at 2, where deletion and insertion cost the same; the 2015 paper names that limit (section
    4.2.3) but not its scale; the division by the number of boundaries is ours. Undefined: units that overlap
    or do not cover the continuum; no boundary at all.

    >>> c = Continuum.of({"ann": [(0, 10), (10, 20)], "bob": [(0, 11), (11, 20)]})
    >>> ghd([c], Resolved()).value
    0.8
    """
    cut = Segmentations.of(continua, settings)
    pairs = cut.comparisons
    n_boundaries = cut.n_boundaries[pairs.first] + cut.n_boundaries[pairs.second]
    below = pairs.per_pair(n_boundaries)
    first, a = cut.boundaries_of(pairs.first)
    second, b = cut.boundaries_of(pairs.second)
    parts = []
    for rows in _references(cut):
        window = cut.windows(rows)
        saved = _savings_of_shifts(first, a, second, b, window=window)
        parts.append((below - pairs.per_pair(saved), below))
    notes = [_CONTINUOUS] if cut.is_continuous else []
    return mean_over_pairs(pairs, parts, is_distance=True, empty=_NO_BOUNDARY, notes=notes)


def generalized_hamming_distance(
    reference: ArrayLike, other: ArrayLike, *, insertion: float = 1.0, deletion: float = 1.0, shift: float
) -> float:
    """The least cost of turning one set of boundaries into that of the reference; `shift` is the cost per position.

    Definition: Bookstein, Kulyukin and Raita 2002.

    >>> generalized_hamming_distance([0, 1, 4], [0, 1, 5], shift=0.5)
    0.5
    """
    first, second = (np.sort(np.asarray(side, dtype=np.float64)) for side in (reference, other))
    zeros = [np.zeros(len(side), dtype=np.int64) for side in (first, second)]
    unit = (insertion + deletion) / 2  # only the sum decides what is moved
    window = np.array([2 * unit / shift if shift > 0 else np.inf])
    saved = _savings_of_shifts(zeros[0], first, zeros[1], second, window=window)
    return insertion * len(first) + deletion * len(second) - unit * float(saved[0])


@returns_undefined
def boundary_similarity(continua: Sequence[Continuum], settings: Resolved) -> MeasureValue:
    """B: the mean correctness of the boundaries that either annotator placed; a near miss is half right.

    Definition: Fournier 2013, on one type of boundary, near misses within n_t = 2 potential boundaries. Undefined:
    units that overlap or do not cover the continuum; positions without atoms; no boundary at all (segeval says 1).

    >>> c = Continuum.of({"ann": [(0, 2), (2, 5), (5, 11)], "bob": [(0, 2), (2, 4), (4, 11)]})
    >>> boundary_similarity([c], Resolved()).value
    0.75
    """
    return _similarity(continua, settings, _Edits.boundary_similarity, _NO_BOUNDARY)


@returns_undefined
def segmentation_similarity(continua: Sequence[Continuum], settings: Resolved) -> MeasureValue:
    """S: the share of the potential boundaries that need no edit; high wherever boundaries are rare.

    Definition: Fournier and Inkpen 2012, by the boundary edit distance of Fournier 2013. Undefined: units that
    overlap or do not cover the continuum; positions without atoms; no potential boundary.

    >>> c = Continuum.of({"ann": [(0, 2), (2, 5), (5, 11)], "bob": [(0, 2), (2, 4), (4, 11)]})
    >>> segmentation_similarity([c], Resolved()).value
    0.95
    """
    return _similarity(continua, settings, _Edits.segmentation_similarity, _TOO_SHORT)


@returns_undefined
def boundary_similarity_pi(continua: Sequence[Continuum], settings: Resolved) -> MeasureValue:
    """π* by B: chance places boundaries as often as all annotators together did.

    Definition: Fournier and Inkpen 2012, Fournier 2013: (A_a - A_e) / (1 - A_e), A_e the square of the share of
    potential boundaries in use. Undefined: as B; every potential boundary in use. The shares of several documents
    are pooled, as the definition has it; segeval takes their mean.

    >>> c = Continuum.of({"ann": [(0, 2), (2, 10), (10, 12), (12, 13)], "bob": [(0, 11), (11, 13)]})
    >>> round(boundary_similarity_pi([c], Resolved()).value, 4)
    0.1429
    """
    return _correct_for_chance(continua, settings, _Edits.boundary_similarity, _NO_BOUNDARY, _pooled_share)


@returns_undefined
def boundary_similarity_kappa(continua: Sequence[Continuum], settings: Resolved) -> MeasureValue:
    """κ* by B: chance places boundaries as often as each annotator did.

    Definition: Fournier and Inkpen 2012, Fournier 2013; for more than two annotators the mean over the pairs of the
    product of their shares (Davies and Fleiss 1982). Undefined: as π*.

    >>> c = Continuum.of({"ann": [(0, 2), (2, 10), (10, 12), (12, 13)], "bob": [(0, 11), (11, 13)]})
    >>> round(boundary_similarity_kappa([c], Resolved()).value, 4)
    0.1489
    """
    return _correct_for_chance(continua, settings, _Edits.boundary_similarity, _NO_BOUNDARY, _own_shares)


@returns_undefined
def segmentation_similarity_pi(continua: Sequence[Continuum], settings: Resolved) -> MeasureValue:
    """π* by S, as it was first proposed. Definition, undefined, deviations: as π* by B."""
    return _correct_for_chance(continua, settings, _Edits.segmentation_similarity, _TOO_SHORT, _pooled_share)


@returns_undefined
def segmentation_similarity_kappa(continua: Sequence[Continuum], settings: Resolved) -> MeasureValue:
    """κ* by S, as it was first proposed. Definition and undefined: as κ* by B."""
    return _correct_for_chance(continua, settings, _Edits.segmentation_similarity, _TOO_SHORT, _own_shares)


def _references(cut: Segmentations) -> tuple[Index, ...]:
    """The rows that are the reference: those of the reference annotator, or of each of a pair in turn."""
    pairs = cut.comparisons
    return (pairs.first,) if pairs.reference is not None else (pairs.first, pairs.second)


def _share_of_windows(
    continua: Sequence[Continuum], settings: Resolved, differ: Callable[[Counts, Counts], NDArray[np.bool_]]
) -> MeasureValue:
    """1 - the share of windows whose counts of boundaries differ.

    The window that begins at t holds the boundaries in (t, t + k]. Its counts change only where a boundary enters
    (t = b - k) or leaves (t = b), so that the share is a sum over these events. For whole numbers it equals the share
    of the N - k windows of the definition, t being the atom before the first potential boundary of the window.
    """
    cut = Segmentations.of(continua, settings)
    pairs = cut.comparisons
    first, a = cut.boundaries_of(pairs.first)
    second, b = cut.boundaries_of(pairs.second)
    comparison = np.concatenate((first, second, first, second))
    boundary = np.concatenate((a, b))
    change = np.zeros((2, len(comparison)), dtype=np.int64)
    n_first, n = len(a), len(boundary)
    change[0, :n_first], change[1, n_first:n] = 1, 1
    change[0, n : n + n_first], change[1, n + n_first :] = -1, -1
    parts = []
    for rows in _references(cut):
        window = cut.windows(rows)
        room = np.maximum(cut.lengths[pairs.document] - window, 0.0)
        enters = boundary - window[comparison[:n]]
        time = np.clip(np.concatenate((enters, boundary)), 0.0, room[comparison])
        order = np.lexsort((time, comparison))
        counts = np.cumsum(change[:, order], axis=1)  # 0 at the end of each comparison
        differs = differ(counts[0, :-1], counts[1, :-1])
        lasting = np.where(differs, np.diff(time[order]), 0.0)
        wrong = sum_by_code(comparison[order][:-1], lasting, len(pairs.first))
        parts.append((pairs.per_pair(wrong), pairs.per_pair(room)))
    notes = [_CONTINUOUS] if cut.is_continuous else []
    return mean_over_pairs(pairs, parts, is_distance=True, empty=_WITHIN_WINDOW, notes=notes)


def _savings_of_shifts(first: Index, a: FloatArray, second: Index, b: FloatArray, *, window: FloatArray) -> FloatArray:
    """The cost that shifts save in each comparison, compared with deleting and inserting all boundaries at 1 each.

    Boundary a[i] belongs to comparison first[i], b[j] to second[j]; both ascend within their comparison. A shift by a
    window costs 2, as much as deleting and inserting: only boundaries closer than that need to be compared.
    """
    reach = window[first]
    _, rank = np.unique(np.concatenate((b, a - reach, a + reach)), return_inverse=True)
    rank = rank.reshape(-1)
    width = len(rank) + 1
    keys = second * width + rank[: len(b)]
    low = np.searchsorted(keys, first * width + rank[len(b) : len(b) + len(a)], side="right")
    high = np.searchsorted(keys, first * width + rank[len(b) + len(a) :], side="left")
    u, v = ranges(low, high)
    cost = 2 * np.abs(a[u] - b[v]) / reach[u]
    chosen = least_cost_matching((a, a), (b, b), u, v, cost, alone=1.0)
    return sum_by_code(first[u[chosen]], 2 - cost[chosen], len(window))


@dataclass(frozen=True)
class _Edits:
    """The edits that turn one annotator's boundaries into the other's, for each comparison (boundary edit distance)."""

    matches: FloatArray
    additions: FloatArray
    transpositions: FloatArray
    #: The sum of the transpositions' weights: their spans over n_t.
    weight: FloatArray
    potential: FloatArray

    @classmethod
    def of(cls, cut: Segmentations) -> _Edits:
        """Fournier 2013: equal boundaries match; the shortest transpositions come first, from left to right."""
        pairs = cut.comparisons
        n = len(pairs.first)
        n_t = 2 if cut.window is None else max(round(cut.window), 1)
        first, a = cut.boundaries_of(pairs.first)
        second, b = cut.boundaries_of(pairs.second)
        comparison, position = np.concatenate((first, second)), np.concatenate((a, b)).astype(np.int64)
        is_second = np.arange(len(position)) >= len(a)
        order = np.lexsort((position, comparison))
        comparison, position, is_second = comparison[order], position[order], is_second[order]
        left, right = _neighbours(comparison, position, is_second, 0)
        matches = np.bincount(comparison[left], minlength=n)
        transpositions, weight = np.zeros(n), np.zeros(n)
        for span in range(1, n_t):
            kept = np.ones(len(position), dtype=bool)
            kept[left] = kept[right] = False
            comparison, position, is_second = comparison[kept], position[kept], is_second[kept]
            if is_second.all() or not is_second.any():
                break
            left, right = _neighbours(comparison, position, is_second, span)
            count = np.bincount(comparison[left], minlength=n)
            transpositions += count
            weight += count * span / n_t
        total = cut.n_boundaries[pairs.first] + cut.n_boundaries[pairs.second]
        additions = total - 2 * matches - 2 * transpositions
        potential = np.maximum(cut.lengths[pairs.document] - 1, 0.0)
        return cls(matches.astype(np.float64), additions, transpositions, weight, potential)

    def boundary_similarity(self) -> tuple[FloatArray, FloatArray]:
        """B of each comparison, as numerator and denominator."""
        below = self.matches + self.additions + self.transpositions
        return below - self.additions - self.weight, below

    def segmentation_similarity(self) -> tuple[FloatArray, FloatArray]:
        """S of each comparison, as numerator and denominator."""
        return self.potential - self.additions - self.weight, self.potential


def _neighbours(comparison: Index, position: Index, is_second: NDArray[np.bool_], span: int) -> tuple[Index, Index]:
    """Pairs of boundaries of the two annotators that lie `span` apart, formed from left to right, each used once."""
    order = np.lexsort((position, position % max(span, 1), comparison))
    c, p, s = comparison[order], position[order], is_second[order]
    linked = (c[1:] == c[:-1]) & (p[1:] - p[:-1] == span) & (s[1:] != s[:-1])
    # In a chain of linked boundaries the first is paired with the second, the third with the fourth, and so on.
    begins = np.concatenate(([True], ~linked))[: len(order)]
    place = np.arange(len(order)) - np.maximum.accumulate(np.where(begins, np.arange(len(order)), 0))
    pairs = np.flatnonzero(linked & (place[:-1] % 2 == 0))
    return order[pairs], order[pairs + 1]


_Similarity = Callable[[_Edits], tuple[FloatArray, FloatArray]]


def _cut_for_edits(continua: Sequence[Continuum], settings: Resolved) -> Segmentations:
    cut = Segmentations.of(continua, settings)
    cut.check_discrete()
    return cut


def _similarity(
    continua: Sequence[Continuum], settings: Resolved, similarity: _Similarity, empty: Reason
) -> MeasureValue:
    cut = _cut_for_edits(continua, settings)
    above, below = similarity(_Edits.of(cut))
    pairs = cut.comparisons
    return mean_over_pairs(pairs, [(pairs.per_pair(above), pairs.per_pair(below))], is_distance=False, empty=empty)


def _correct_for_chance(
    continua: Sequence[Continuum],
    settings: Resolved,
    similarity: _Similarity,
    empty: Reason,
    chance: Callable[[Segmentations], float],
) -> MeasureValue:
    """(A_a - A_e) / (1 - A_e): A_a over all comparisons and documents together, A_e by chance."""
    cut = _cut_for_edits(continua, settings)
    above, below = (float(part.sum()) for part in similarity(_Edits.of(cut)))
    left_out = cut.comparisons.left_out
    if below == 0:
        return MeasureValue.undefined(empty, notes=left_out, left_out=left_out)
    observed, expected = 1 - above / below, 1 - chance(cut)
    if expected == 0:
        return MeasureValue.undefined(
            _BOUNDARIES_EVERYWHERE, observed=observed, expected=expected, notes=left_out, left_out=left_out
        )
    return MeasureValue(
        1 - observed / expected,
        observed=observed,
        expected=expected,
        documents_measured=cut.comparisons.documents_measured,
        notes=left_out,
        left_out=left_out,
    )


def _pooled_share(cut: Segmentations) -> float:
    """A_e of π*: the square of the share of the potential boundaries that are in use."""
    rows = cut.comparisons.rows
    potential = cut.lengths[cut.comparisons.row_document[rows]] - 1
    return float(cut.n_boundaries[rows].sum() / potential.sum()) ** 2


def _own_shares(cut: Segmentations) -> float:
    """A_e of κ*: the mean over the pairs of annotators, where boundaries could be, of the product of their shares."""
    pairs = cut.comparisons
    rows = pairs.rows
    annotator, n = pairs.row_annotator, len(pairs.annotators)
    used = sum_by_code(annotator[rows], cut.n_boundaries[rows], n)
    potential = sum_by_code(annotator[rows], cut.lengths[pairs.row_document[rows]] - 1, n)
    _, one = np.unique(pairs.pair, return_index=True)  # a comparison of each pair
    first, second = annotator[pairs.first[one]], annotator[pairs.second[one]]
    known = (potential[first] > 0) & (potential[second] > 0)
    share = used / np.maximum(potential, 1)
    return float(np.mean((share[first] * share[second])[known]))
