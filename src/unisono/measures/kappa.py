# SPDX-License-Identifier: MIT
"""Agreement on the categories of given items: percentage, S, κ, weighted κ, π, K, multi-κ, AC1, AC2.

Each is 1 - observed disagreement / expected disagreement; they differ in what is expected by chance. Those made for
two annotators (κ, weighted κ, π) are means over the pairs of annotators, each pair on the items that both gave a
value (Light 1971); the others take any number of annotators, and every item with two values counts alike (IL, the
conception of Gwet; see `missing`). The functions of items serve atoms and aligned units as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from unisono.errors import InputError
from unisono.measures.items import (
    Distance,
    Index,
    Items,
    categorial_of,
    distance_of,
    joined_blocks,
    nominal,
    predefined_items,
    summed,
)
from unisono.measures.observed_agreement import NO_PAIRS, item_weights, observed_agreement
from unisono.model import Continuum, FloatArray
from unisono.results import MeasureValue

if TYPE_CHECKING:
    from unisono.measures.settings import Settings


def percentage(continua: Sequence[Continuum], settings: Settings) -> MeasureValue:
    """The share of pairs of values that agree, no chance taken into account."""
    return _on_items(continua, settings, lambda items, _: percentage_of_items(items))


def s(continua: Sequence[Continuum], settings: Settings) -> MeasureValue:
    """S (Bennett, Alpert, Goldstein 1954): by chance, all categories are equally likely."""
    return _on_items(continua, settings, lambda items, _: s_of_items(items))


def kappa(continua: Sequence[Continuum], settings: Settings) -> MeasureValue:
    """κ (Cohen 1960): by chance, each annotator keeps their own frequencies of categories."""
    return _on_items(continua, settings, lambda items, _: kappa_of_items(items))


def weighted_kappa(continua: Sequence[Continuum], settings: Settings) -> MeasureValue:
    """Weighted κ (Cohen 1968): κ with the distances of the categories."""
    return _on_items(continua, settings, weighted_kappa_of_items, weighted=True)


def pi(continua: Sequence[Continuum], settings: Settings) -> MeasureValue:
    """π (Scott 1955): by chance, both annotators share the frequencies of categories."""
    return _on_items(continua, settings, lambda items, _: pi_of_items(items))


def fleiss_k(continua: Sequence[Continuum], settings: Settings) -> MeasureValue:
    """K (Fleiss 1971): π for any number of annotators."""
    return _on_items(continua, settings, lambda items, _: fleiss_k_of_items(items))


def multi_kappa(continua: Sequence[Continuum], settings: Settings) -> MeasureValue:
    """Multi-κ (Conger 1980, Davies and Fleiss 1982): κ for any number of annotators."""
    return _on_items(continua, settings, lambda items, _: multi_kappa_of_items(items))


def ac1(continua: Sequence[Continuum], settings: Settings) -> MeasureValue:
    """AC1 (Gwet 2008): chance strikes on hard items only."""
    return _on_items(continua, settings, lambda items, _: ac1_of_items(items))


def ac2(continua: Sequence[Continuum], settings: Settings) -> MeasureValue:
    """AC2 (Gwet 2014): AC1 with the distances of the categories."""
    return _on_items(continua, settings, ac2_of_items, weighted=True)


def percentage_of_items(items: Items) -> MeasureValue:
    """Observed agreement; of a category, the share of agreeing pairs among those with it (specific agreement).

    The pairwise agreement of Fleiss 1971; for two annotators the share of items with equal values. For each
    category: Cicchetti and Feinstein 1990, p_pos; for more annotators Fleiss' generalisation.
    Undefined: no item has two values; a category that no item with two values has.

    >>> percentage_of_items(Items.of(["AABB", "AABA"])).value
    0.75
    """
    observed = observed_agreement(items, "IL")
    if observed.value is None:
        return _undefined(observed.reason or "", items)
    cell_item, value, count = items.counts
    weight = _pair_weights(items)[cell_item]
    agree = summed(value, weight * count * (count - 1), len(items.labels))
    having = summed(value, weight * count * (items.n_values[cell_item] - 1), len(items.labels))
    per_category = {
        label: MeasureValue(None, reason="no item with two values has it")
        if have == 0
        else MeasureValue(same / have, observed=1 - same / have)
        for label, same, have in zip(items.labels, agree.tolist(), having.tolist(), strict=True)
    }
    return MeasureValue(
        observed.value, observed=observed.observed, per_category=per_category, notes=_notes(items, *_missing(items))
    )


def s_of_items(items: Items) -> MeasureValue:
    """S = (Ao - 1/k) / (1 - 1/k), with k categories in use; for more annotators, Brennan and Prediger 1981.

    Definition: Bennett, Alpert, Goldstein 1954. Undefined: no item has two values; one category only.

    >>> s_of_items(Items.of(["AABB", "AABA"])).value
    0.5
    """
    k = len(items.labels)
    return _corrected(items, nominal, 1 - 1 / k if k else 0.0, notes=(_in_use(k),))


def fleiss_k_of_items(items: Items) -> MeasureValue:
    """K = 1 - Do / De, De = Σ p_j (1 - p_j), p_j the mean share of category j over the items.

    Definition: Fleiss 1971; with missing values Gwet 2014. The value of category j is K with
    all other categories merged (Fleiss 1971). Undefined: no item has two values; one category only.

    >>> round(fleiss_k_of_items(Items.of(["AB", "AB", "AA"])).value, 4)
    0.25
    """
    p = _prevalences(items)
    return _corrected(items, nominal, float(p @ (1 - p)), 2 * p * (1 - p))


def multi_kappa_of_items(items: Items) -> MeasureValue:
    """Multi-κ: De is the mean over pairs of annotators of Σ p_aj (1 - p_bj), from each one's own frequencies.

    Definition: Davies and Fleiss 1982; Artstein and Poesio 2008, section 2.7; the same as Conger 1980. With missing
    values an annotator's frequencies are those of all items with a value (Gwet 2014). Two annotators: Cohen's κ.
    Undefined: no item has two values; one category only; one annotator has all the values.

    >>> round(multi_kappa_of_items(Items.of(["ABB", "ABA", "AAA"])).value, 4)
    0.1429
    """
    k = len(items.labels)
    mass = summed(items.annotator, items.weights[items.item], len(items.annotators))
    n = int((mass > 0).sum())  # annotators who gave no value at all have no frequencies
    keys, place = np.unique(items.annotator.astype(np.int64) * k + items.value, return_inverse=True)
    share = summed(place, items.weights[items.item], 0) / mass[keys // max(k, 1)]
    total = summed(keys % max(k, 1), share, k)
    squares = summed(keys % max(k, 1), share * share, k)
    # The mean over ordered pairs of different annotators of p_aj (1 - p_bj).
    apart = (total * (n - total) - (total - squares)) / max(n * (n - 1), 1)
    return _corrected(items, nominal, float(apart.sum()), 2 * apart)


def ac1_of_items(items: Items) -> MeasureValue:
    """AC1 = 1 - Do / De, De = 1 - Σ p_j (1 - p_j) / (k - 1), with k categories in use.

    Definition: Gwet 2008; with missing values Gwet 2014. Undefined: as K.

    >>> round(ac1_of_items(Items.of(["AAAAAAAB", "AAAAAAAA"])).value, 4)
    0.8584
    """
    return ac2_of_items(items, nominal)


def ac2_of_items(items: Items, distance: Distance) -> MeasureValue:
    """AC2: AC1 with 1 - distance as the weight of two categories, De = 1 - T Σ p_j (1 - p_j) / (k (k - 1)).

    T is the sum of all k x k weights. Definition: Gwet 2014. Undefined: as K.
    """
    k = len(items.labels)
    if k < 2:
        return _corrected(items, distance, 0.0)
    if distance is nominal:
        weights = float(k)
    else:
        codes = np.arange(k)
        weights = k * k - float(sum(distance(np.full(k, code), codes).sum() for code in range(k)))
    p = _prevalences(items)
    return _corrected(items, distance, 1 - weights * float(p @ (1 - p)) / (k * (k - 1)), notes=(_in_use(k),))


def kappa_of_items(items: Items) -> MeasureValue:
    """κ = 1 - Do / De, De = Σ p_aj (1 - p_bj); of a category, κ with all others merged.

    Definition: Cohen 1960. Undefined: no pair of annotators with common items that use more than one category.

    >>> round(kappa_of_items(Items.of(["AABBB", "AABBA"])).value, 4)
    0.6154
    """
    pairs = _Pairs.of(items)
    n = pairs.n[pairs.pair]
    expected = pairs.first * (n - pairs.second) / n**2
    backward = pairs.second * (n - pairs.first) / n**2
    return _mean_over_pairs(items, pairs, pairs.observed(nominal), pairs.summed(expected), expected + backward)


def pi_of_items(items: Items) -> MeasureValue:
    """π = 1 - Do / De, De = Σ p_j (1 - p_j), p_j the share of category j among the values of both.

    Definition: Scott 1955. Undefined: as κ. More annotators: the mean over pairs; K is the generalisation.

    >>> round(pi_of_items(Items.of(["AABBB", "AABBA"])).value, 4)
    0.6
    """
    pairs = _Pairs.of(items)
    p = (pairs.first + pairs.second) / (2 * pairs.n[pairs.pair])
    return _mean_over_pairs(items, pairs, pairs.observed(nominal), pairs.summed(p * (1 - p)), 2 * p * (1 - p))


def weighted_kappa_of_items(items: Items, distance: Distance) -> MeasureValue:
    """Weighted κ = 1 - Σ d o / Σ d e, with d the distance of two categories: κ where the distance is nominal.

    Definition: Cohen 1968. Undefined: as κ; all expected pairs at distance 0.
    """
    if distance is nominal:
        found = kappa_of_items(items)
        return replace(found, notes=(*found.notes, "nominal distance: the same as kappa"))
    pairs = _Pairs.of(items)
    # Every category of the first annotator with every category of the second; rows are sorted by pair.
    n_rows = np.bincount(pairs.pair, minlength=len(pairs.n))
    last = np.cumsum(n_rows)[pairs.pair]
    expected = np.zeros(len(pairs.n))
    for left, right in joined_blocks(last - n_rows[pairs.pair], last):
        apart = distance(pairs.category[left], pairs.category[right])
        expected += summed(pairs.pair[left], pairs.first[left] * pairs.second[right] * apart, len(pairs.n))
    expected /= pairs.n**2
    return _mean_over_pairs(items, pairs, pairs.observed(distance), expected)


def _on_items(
    continua: Sequence[Continuum],
    settings: Settings,
    measure: Callable[[Items, Distance], MeasureValue],
    *,
    weighted: bool = False,
) -> MeasureValue:
    """A measure of items on continua with predefined units, or the reason why they are not such."""
    categorial = categorial_of(settings)
    items = predefined_items(continua, categorial.feature, predefined=settings.predefined)
    if isinstance(items, str):
        return MeasureValue(None, reason=items)
    try:
        distance = distance_of(categorial, items) if weighted else nominal
    except InputError as error:
        return MeasureValue(None, reason=f"needs other categories: {'; '.join(map(str, error.problems))}")
    return measure(items, distance)


def _corrected(
    items: Items,
    distance: Distance,
    expected: float,
    by_category: FloatArray | None = None,
    *,
    notes: tuple[str, ...] = (),
) -> MeasureValue:
    """1 - Do / De for any number of annotators; `by_category` has the expected disagreement on each category."""
    observed = observed_agreement(items, "IL", distance=distance).observed
    if observed is None:
        return _undefined(NO_PAIRS, items)
    if expected <= 0:
        return _undefined(_certain(items), items, observed=observed, expected=0.0)
    per_category = None
    if by_category is not None:
        # Pairs of which one value is the category and the other is not.
        item, value, count = items.counts
        differ = _pair_weights(items)[item] * 2 * count * (items.n_values[item] - count)
        apart = summed(value, differ, len(items.labels)) / item_weights(items, "IL").sum()
        per_category = _by_category(items, apart, by_category)
    return MeasureValue(
        1 - observed / expected,
        observed=observed,
        expected=expected,
        per_category=per_category,
        notes=_notes(items, *notes, *_missing(items)),
    )


def _by_category(items: Items, observed: FloatArray, expected: FloatArray) -> dict[str | None, MeasureValue]:
    """1 - Do / De of each category against all others."""
    return {
        label: MeasureValue(1 - o / e, observed=o, expected=e)
        if e > 0
        else MeasureValue(None, reason="never or always given: nothing to agree on", observed=o, expected=0.0)
        for label, o, e in zip(items.labels, observed.tolist(), expected.tolist(), strict=True)
    }


def _pair_weights(items: Items) -> FloatArray:
    """What an ordered pair of values weighs in each item where every item weighs the same."""
    n_pairs: FloatArray = np.maximum(items.n_values * (items.n_values - 1), 1.0)
    return item_weights(items, "IL") / n_pairs


def _prevalences(items: Items) -> FloatArray:
    """The mean over items of the share of each category among the item's values (Gwet 2014)."""
    item, value, count = items.counts
    shares = summed(value, items.weights[item] * count / items.n_values[item], len(items.labels))
    total = shares.sum()
    return shares / total if total > 0 else shares


@dataclass(frozen=True)
class _Pairs:
    """Every pair of annotators who have items in common, on those items.

    `n` is the weight of the common items of each pair. Rows (pair, category) say how often the first and the second
    annotator of the pair gave the category, and how often both did. `table` is the confusion matrix of every pair:
    columns pair, category of the first, category of the second, weight.
    """

    n: FloatArray
    pair: Index
    category: Index
    first: FloatArray
    second: FloatArray
    both: FloatArray
    table: tuple[Index, Index, Index, FloatArray]

    @classmethod
    def of(cls, items: Items) -> _Pairs:
        k = max(len(items.labels), 1)
        pair, u, v, weight = table = _confusions(items)
        n = summed(pair, weight, 0)
        keys, place = np.unique(np.concatenate((pair * k + u, pair * k + v)), return_inverse=True)
        mine, theirs = place[: len(u)], place[len(u) :]
        first = summed(mine, weight, len(keys))
        second = summed(theirs, weight, len(keys))
        both = summed(mine, weight * (u == v), len(keys))
        return cls(n, keys // k, keys % k, first, second, both, table)

    def observed(self, distance: Distance) -> FloatArray:
        """The mean distance of the two values of an item, for each pair."""
        pair, u, v, weight = self.table
        return summed(pair, weight * distance(u, v), len(self.n)) / self.n

    def summed(self, rows: FloatArray) -> FloatArray:
        """A column of the rows (pair, category), summed for each pair."""
        return summed(self.pair, rows, len(self.n))


def _confusions(items: Items) -> tuple[Index, Index, Index, FloatArray]:
    """The confusion matrices of all pairs of annotators, in long form: pair, two values, weight."""
    k, n_annotators = max(len(items.labels), 1), len(items.annotators)
    columns: list[list[Index]] = [[], [], []]
    masses: list[FloatArray] = []
    last = np.cumsum(items.n_values)[items.item]  # rows are sorted by item, then annotator
    for left, right in joined_blocks(np.arange(1, len(last) + 1), last):
        pair = items.annotator[left].astype(np.int64) * n_annotators + items.annotator[right]
        names, number = np.unique(pair, return_inverse=True)
        keys, place = np.unique((number * k + items.value[left]) * k + items.value[right], return_inverse=True)
        masses.append(summed(place, items.weights[items.item[left]], 0))
        for column, codes in zip(columns, (names[keys // (k * k)], keys // k % k, keys % k), strict=True):
            column.append(codes)
    if not masses:
        empty = np.empty(0, dtype=np.int64)
        return empty, empty, empty, np.empty(0)
    pair, u, v = (np.concatenate(column) for column in columns)
    number = np.unique(pair, return_inverse=True)[1]
    keys, place = np.unique((number * k + u) * k + v, return_inverse=True)
    return keys // (k * k), keys // k % k, keys % k, summed(place, np.concatenate(masses), 0)


def _mean_over_pairs(
    items: Items,
    pairs: _Pairs,
    observed: FloatArray,
    expected: FloatArray,
    by_category: FloatArray | None = None,
) -> MeasureValue:
    """The mean over pairs of annotators of 1 - Do / De; a pair with De = 0 has no value, and is said to have none."""
    defined = expected > 0
    if len(observed) == 0:
        return _undefined(NO_PAIRS, items)
    if not defined.any():
        return _undefined(_certain(items), items)
    value = float(np.mean(1 - observed[defined] / expected[defined]))
    per_category = None if by_category is None else _category_means(items, pairs, by_category)
    n, n_defined = len(observed), int(defined.sum())
    notes: tuple[str, ...] = ()
    if n > 1:
        which = f"{n}" if n == n_defined else f"{n_defined} of {n}"
        notes = (f"mean over {which} pairs of annotators", *notes)
    if n > n_defined:
        notes = (*notes, f"{n - n_defined} pairs have no value: one category only on their common items")
    return MeasureValue(
        value,
        observed=float(observed[0]) if n == 1 else None,
        expected=float(expected[0]) if n == 1 else None,
        per_category=per_category,
        notes=_notes(items, *notes, *_missing(items, of_pairs=True)),
    )


def _category_means(items: Items, pairs: _Pairs, expected: FloatArray) -> dict[str | None, MeasureValue]:
    """1 - Do / De of each category against all others, the mean over the pairs of annotators that have it."""
    k = len(items.labels)
    observed = (pairs.first + pairs.second - 2 * pairs.both) / pairs.n[pairs.pair]
    if len(pairs.n) == 1:
        one = [summed(pairs.category, rows, k) for rows in (observed, expected)]
        return _by_category(items, *one)
    defined = expected > 0
    category = pairs.category[defined]
    total = summed(category, 1 - observed[defined] / expected[defined], k)
    count = np.bincount(category, minlength=k)
    return {
        label: MeasureValue(t / n) if n else MeasureValue(None, reason="never or always given: nothing to agree on")
        for label, t, n in zip(items.labels, total.tolist(), count.tolist(), strict=True)
    }


def _undefined(
    reason: str, items: Items, *, observed: float | None = None, expected: float | None = None
) -> MeasureValue:
    return MeasureValue(None, reason=reason, observed=observed, expected=expected, notes=items.notes)


def _certain(items: Items) -> str:
    """Why nothing is left to agree on beyond chance."""
    if len(items.labels) == 1:
        return f"every value is {items.labels[0]!r}: agreement by chance is certain"
    return "no disagreement is expected: agreement by chance is certain"


def _in_use(k: int) -> str:
    return f"{k} categories in use"


def _missing(items: Items, *, of_pairs: bool = False) -> Iterator[str]:
    """A note about missing values, where there are any."""
    if len(items.item) < items.n_items * len(items.annotators):
        yield "missing values: " + (
            "each pair of annotators on the items they share"
            if of_pairs
            else "every item with two values or more counts alike"
        )


def _notes(items: Items, *more: str) -> tuple[str, ...]:
    return (*items.notes, *more)
