# SPDX-License-Identifier: MIT
"""Agreement on the categories of given items: percentage, S, κ, weighted κ, π, K, multi-κ, AC1, AC2.

Each is 1 - observed disagreement / expected disagreement; they differ in what is expected by chance. Those made for
two annotators (κ, weighted κ, π) are means over the pairs of annotators, each pair on the items that both gave a
value (Light 1971); the others take any number of annotators, and every item with two values has the same weight (IL,
the conception of Gwet; see missing_values.py). The functions of items serve atoms and aligned units too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from unisono.errors import InputError
from unisono.measures.chunks import Index, range_blocks, sum_by_code
from unisono.measures.items import (
    Distance,
    Items,
    categorial_of,
    distance_of,
    nominal,
    predefined_items,
)
from unisono.measures.observed_agreement import NO_PAIRS, item_weights, observed_agreement
from unisono.measures.undefined import returns_undefined, wrong_labels
from unisono.model import Continuum, FloatArray
from unisono.results import MeasureValue, Reason, ReasonCode

if TYPE_CHECKING:
    from unisono.measures.resolved import Resolved

_NOT_SHARED = Reason(ReasonCode.CATEGORY_ABSENT, "no item with two values has it")
_NO_ALTERNATIVE = Reason(ReasonCode.CATEGORY_ABSENT, "never or always given: nothing to agree on")


@returns_undefined
def percentage(continua: Sequence[Continuum], settings: Resolved) -> MeasureValue:
    """The share of pairs of values that agree, not corrected for chance."""
    return _measure_predefined(continua, settings, lambda items, _: percentage_of_items(items))


@returns_undefined
def s(continua: Sequence[Continuum], settings: Resolved) -> MeasureValue:
    """S (Bennett, Alpert, Goldstein 1954): by chance, all categories are equally likely."""
    return _measure_predefined(continua, settings, lambda items, _: s_of_items(items))


@returns_undefined
def kappa(continua: Sequence[Continuum], settings: Resolved) -> MeasureValue:
    """κ (Cohen 1960): by chance, each annotator keeps their own frequencies of categories."""
    return _measure_predefined(continua, settings, lambda items, _: kappa_of_items(items))


@returns_undefined
def weighted_kappa(continua: Sequence[Continuum], settings: Resolved) -> MeasureValue:
    """Weighted κ (Cohen 1968): κ with the distances of the categories."""
    return _measure_predefined(continua, settings, weighted_kappa_of_items, weighted=True)


@returns_undefined
def pi(continua: Sequence[Continuum], settings: Resolved) -> MeasureValue:
    """π (Scott 1955): by chance, both annotators share the frequencies of categories."""
    return _measure_predefined(continua, settings, lambda items, _: pi_of_items(items))


@returns_undefined
def fleiss_k(continua: Sequence[Continuum], settings: Resolved) -> MeasureValue:
    """K (Fleiss 1971): π for any number of annotators."""
    return _measure_predefined(continua, settings, lambda items, _: fleiss_k_of_items(items))


@returns_undefined
def multi_kappa(continua: Sequence[Continuum], settings: Resolved) -> MeasureValue:
    """Multi-κ (Conger 1980, Davies and Fleiss 1982): κ for any number of annotators."""
    return _measure_predefined(continua, settings, lambda items, _: multi_kappa_of_items(items))


@returns_undefined
def ac1(continua: Sequence[Continuum], settings: Resolved) -> MeasureValue:
    """AC1 (Gwet 2008): by chance, annotators agree on items that are hard to classify only."""
    return _measure_predefined(continua, settings, lambda items, _: ac1_of_items(items))


@returns_undefined
def ac2(continua: Sequence[Continuum], settings: Resolved) -> MeasureValue:
    """AC2 (Gwet 2014): AC1 with the distances of the categories."""
    return _measure_predefined(continua, settings, ac2_of_items, weighted=True)


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
        return MeasureValue.undefined(NO_PAIRS, notes=items.notes)
    cell_item, value, count = items.counts
    weight = _pair_weights(items)[cell_item]
    agree = sum_by_code(value, weight * count * (count - 1), len(items.labels))
    having = sum_by_code(value, weight * count * (items.n_values[cell_item] - 1), len(items.labels))
    per_category = {
        label: MeasureValue.undefined(_NOT_SHARED) if have == 0 else MeasureValue(same / have, observed=1 - same / have)
        for label, same, have in zip(items.labels, agree.tolist(), having.tolist(), strict=True)
    }
    return MeasureValue(
        observed.value,
        observed=observed.observed,
        per_category=per_category,
        notes=_notes(items, *_missing_value_note(items)),
    )


def s_of_items(items: Items) -> MeasureValue:
    """S = (Ao - 1/k) / (1 - 1/k), with k categories in use; for more annotators, Brennan and Prediger 1981.

    Definition: Bennett, Alpert, Goldstein 1954. Undefined: no item has two values; one category only.

    >>> s_of_items(Items.of(["AABB", "AABA"])).value
    0.5
    """
    k = len(items.labels)
    return _correct_for_chance(items, nominal, 1 - 1 / k if k else 0.0, notes=(_labels_in_use(k),))


def fleiss_k_of_items(items: Items) -> MeasureValue:
    """K = 1 - Do / De, De = Σ p_j (1 - p_j), p_j the mean share of category j over the items.

    Definition: Fleiss 1971; with missing values Gwet 2014. The value of category j is K with
    all other categories merged (Fleiss 1971). Undefined: no item has two values; one category only.

    >>> round(fleiss_k_of_items(Items.of(["AB", "AB", "AA"])).value, 4)
    0.25
    """
    p = _prevalences(items)
    return _correct_for_chance(items, nominal, float((p * (1 - p)).sum()), 2 * p * (1 - p))


def multi_kappa_of_items(items: Items) -> MeasureValue:
    """Multi-κ: De is the mean over pairs of annotators of Σ p_aj (1 - p_bj), from each one's own frequencies.

    Definition: Davies and Fleiss 1982; Artstein and Poesio 2008, section 2.7; the same as Conger 1980. With missing
    values an annotator's frequencies are those of all items with a value (Gwet 2014). Two annotators: Cohen's κ.
    Undefined: no item has two values; one category only; one annotator has all the values.

    >>> round(multi_kappa_of_items(Items.of(["ABB", "ABA", "AAA"])).value, 4)
    0.1429
    """
    k = len(items.labels)
    mass = sum_by_code(items.annotator, items.weights[items.item], len(items.annotators))
    n = int((mass > 0).sum())  # annotators who gave no value at all have no frequencies
    keys, place = np.unique(items.annotator.astype(np.int64) * k + items.value, return_inverse=True)
    share = sum_by_code(place, items.weights[items.item], 0) / mass[keys // max(k, 1)]
    total = sum_by_code(keys % max(k, 1), share, k)
    squares = sum_by_code(keys % max(k, 1), share * share, k)
    # The mean over ordered pairs of different annotators of p_aj (1 - p_bj).
    apart = (total * (n - total) - (total - squares)) / max(n * (n - 1), 1)
    return _correct_for_chance(items, nominal, float(apart.sum()), 2 * apart)


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
        return _correct_for_chance(items, distance, 0.0)
    if distance is nominal:
        weights = float(k)
    else:
        codes = np.arange(k)
        weights = k * k - float(sum(distance(np.full(k, code), codes).sum() for code in range(k)))
    p = _prevalences(items)
    return _correct_for_chance(
        items, distance, 1 - weights * float((p * (1 - p)).sum()) / (k * (k - 1)), notes=(_labels_in_use(k),)
    )


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
    return _mean_over_pairs(items, pairs, pairs.observed(nominal), pairs.sum_per_pair(expected), expected + backward)


def pi_of_items(items: Items) -> MeasureValue:
    """π = 1 - Do / De, De = Σ p_j (1 - p_j), p_j the share of category j among the values of both.

    Definition: Scott 1955. Undefined: as κ. More annotators: the mean over pairs; K is the generalisation.

    >>> round(pi_of_items(Items.of(["AABBB", "AABBA"])).value, 4)
    0.6
    """
    pairs = _Pairs.of(items)
    p = (pairs.first + pairs.second) / (2 * pairs.n[pairs.pair])
    return _mean_over_pairs(items, pairs, pairs.observed(nominal), pairs.sum_per_pair(p * (1 - p)), 2 * p * (1 - p))


def weighted_kappa_of_items(items: Items, distance: Distance) -> MeasureValue:
    """Weighted κ = 1 - Σ d o / Σ d e, with d the distance of two categories: κ where the distance is nominal.

    Definition: Cohen 1968. Undefined: as κ; all expected pairs at distance 0.
    """
    if distance is nominal:
        value = kappa_of_items(items)
        return replace(value, notes=(*value.notes, "nominal distance: the same as kappa"))
    pairs = _Pairs.of(items)
    # Every category of the first annotator with every category of the second; rows are sorted by pair.
    n_rows = np.bincount(pairs.pair, minlength=len(pairs.n))
    last = np.cumsum(n_rows)[pairs.pair]
    expected = np.zeros(len(pairs.n))
    for left, right in range_blocks(last - n_rows[pairs.pair], last):
        apart = distance(pairs.category[left], pairs.category[right])
        expected += sum_by_code(pairs.pair[left], pairs.first[left] * pairs.second[right] * apart, len(pairs.n))
    expected /= pairs.n**2
    return _mean_over_pairs(items, pairs, pairs.observed(distance), expected)


def _measure_predefined(
    continua: Sequence[Continuum],
    settings: Resolved,
    measure: Callable[[Items, Distance], MeasureValue],
    *,
    weighted: bool = False,
) -> MeasureValue:
    """A measure of items on continua with predefined units; UndefinedError where the units are not predefined."""
    categorial = categorial_of(settings)
    items = predefined_items(continua, categorial.feature, predefined=settings.predefined)
    try:
        distance = distance_of(categorial, items) if weighted else nominal
    except InputError as error:
        raise wrong_labels(error) from None
    return measure(items, distance)


def _correct_for_chance(
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
        return MeasureValue.undefined(NO_PAIRS, notes=items.notes)
    if expected <= 0:
        return MeasureValue.undefined(_certain_agreement(items), observed=observed, expected=0.0, notes=items.notes)
    per_category = None
    if by_category is not None:
        # Pairs of which one value is the category and the other is not.
        item, value, count = items.counts
        differ = _pair_weights(items)[item] * 2 * count * (items.n_values[item] - count)
        apart = sum_by_code(value, differ, len(items.labels)) / item_weights(items, "IL").sum()
        per_category = _category_values(items, apart, by_category)
    return MeasureValue(
        1 - observed / expected,
        observed=observed,
        expected=expected,
        per_category=per_category,
        notes=_notes(items, *notes, *_missing_value_note(items)),
    )


def _category_values(items: Items, observed: FloatArray, expected: FloatArray) -> dict[str | None, MeasureValue]:
    """1 - Do / De of each category against all others."""
    return {
        label: MeasureValue(1 - o / e, observed=o, expected=e)
        if e > 0
        else MeasureValue.undefined(_NO_ALTERNATIVE, observed=o, expected=0.0)
        for label, o, e in zip(items.labels, observed.tolist(), expected.tolist(), strict=True)
    }


def _pair_weights(items: Items) -> FloatArray:
    """The weight of an ordered pair of values in each item, where every item has the same weight."""
    n_pairs: FloatArray = np.maximum(items.n_values * (items.n_values - 1), 1.0)
    return item_weights(items, "IL") / n_pairs


def _prevalences(items: Items) -> FloatArray:
    """The mean over items of the share of each category among the item's values (Gwet 2014)."""
    item, value, count = items.counts
    shares = sum_by_code(value, items.weights[item] * count / items.n_values[item], len(items.labels))
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
        n = sum_by_code(pair, weight, 0)
        keys, place = np.unique(np.concatenate((pair * k + u, pair * k + v)), return_inverse=True)
        mine, theirs = place[: len(u)], place[len(u) :]
        first = sum_by_code(mine, weight, len(keys))
        second = sum_by_code(theirs, weight, len(keys))
        both = sum_by_code(mine, weight * (u == v), len(keys))
        return cls(n, keys // k, keys % k, first, second, both, table)

    def observed(self, distance: Distance) -> FloatArray:
        """The mean distance of the two values of an item, for each pair."""
        pair, u, v, weight = self.table
        return sum_by_code(pair, weight * distance(u, v), len(self.n)) / self.n

    def sum_per_pair(self, rows: FloatArray) -> FloatArray:
        """A column of the rows (pair, category), summed for each pair."""
        return sum_by_code(self.pair, rows, len(self.n))


def _confusions(items: Items) -> tuple[Index, Index, Index, FloatArray]:
    """The confusion matrices of all pairs of annotators, in long form: pair, two values, weight."""
    k, n_annotators = max(len(items.labels), 1), len(items.annotators)
    columns: list[list[Index]] = [[], [], []]
    masses: list[FloatArray] = []
    last = np.cumsum(items.n_values)[items.item]  # rows are sorted by item, then annotator
    for left, right in range_blocks(np.arange(1, len(last) + 1), last):
        pair = items.annotator[left].astype(np.int64) * n_annotators + items.annotator[right]
        names, number = np.unique(pair, return_inverse=True)
        keys, place = np.unique((number * k + items.value[left]) * k + items.value[right], return_inverse=True)
        masses.append(sum_by_code(place, items.weights[items.item[left]], 0))
        for column, codes in zip(columns, (names[keys // (k * k)], keys // k % k, keys % k), strict=True):
            column.append(codes)
    if not masses:
        empty = np.empty(0, dtype=np.int64)
        return empty, empty, empty, np.empty(0)
    pair, u, v = (np.concatenate(column) for column in columns)
    number = np.unique(pair, return_inverse=True)[1]
    keys, place = np.unique((number * k + u) * k + v, return_inverse=True)
    return keys // (k * k), keys // k % k, keys % k, sum_by_code(place, np.concatenate(masses), 0)


def _mean_over_pairs(
    items: Items,
    pairs: _Pairs,
    observed: FloatArray,
    expected: FloatArray,
    by_category: FloatArray | None = None,
) -> MeasureValue:
    """The mean over pairs of annotators of 1 - Do / De; pairs with De = 0 have no value, which a note mentions."""
    defined = expected > 0
    if len(observed) == 0:
        return MeasureValue.undefined(NO_PAIRS, notes=items.notes)
    if not defined.any():
        return MeasureValue.undefined(_certain_agreement(items), notes=items.notes)
    value = float(np.mean(1 - observed[defined] / expected[defined]))
    per_category = None if by_category is None else _category_means(items, pairs, by_category)
    n, n_defined = len(observed), int(defined.sum())
    notes = []
    if n > 1:
        which = f"{n}" if n == n_defined else f"{n_defined} of {n}"
        notes.append(f"mean over {which} pairs of annotators")
    if n > n_defined:
        notes.append(f"{n - n_defined} pairs have no value: one category only on their common items")
    return MeasureValue(
        value,
        observed=float(observed[0]) if n == 1 else None,
        expected=float(expected[0]) if n == 1 else None,
        per_category=per_category,
        notes=_notes(items, *notes, *_missing_value_note(items, of_pairs=True)),
    )


def _category_means(items: Items, pairs: _Pairs, expected: FloatArray) -> dict[str | None, MeasureValue]:
    """1 - Do / De of each category against all others, the mean over the pairs of annotators that have it."""
    k = len(items.labels)
    observed = (pairs.first + pairs.second - 2 * pairs.both) / pairs.n[pairs.pair]
    if len(pairs.n) == 1:
        one = [sum_by_code(pairs.category, rows, k) for rows in (observed, expected)]
        return _category_values(items, *one)
    defined = expected > 0
    category = pairs.category[defined]
    total = sum_by_code(category, 1 - observed[defined] / expected[defined], k)
    count = np.bincount(category, minlength=k)
    return {
        label: MeasureValue(t / n) if n else MeasureValue.undefined(_NO_ALTERNATIVE)
        for label, t, n in zip(items.labels, total.tolist(), count.tolist(), strict=True)
    }


def _certain_agreement(items: Items) -> Reason:
    """Why chance would agree on everything."""
    what = f"every value is {items.labels[0]!r}" if len(items.labels) == 1 else "no disagreement is expected"
    return Reason(ReasonCode.NO_EXPECTED_DISAGREEMENT, f"{what}: agreement by chance is certain")


def _labels_in_use(k: int) -> str:
    return f"{k} categories in use"


def _missing_value_note(items: Items, *, of_pairs: bool = False) -> Iterator[str]:
    """A note about missing values, where there are any."""
    if len(items.item) < items.n_items * len(items.annotators):
        yield "missing values: " + (
            "each pair of annotators on the items they share"
            if of_pairs
            else "every item with two values or more counts alike"
        )


def _notes(items: Items, *more: str) -> tuple[str, ...]:
    return (*items.notes, *more)
