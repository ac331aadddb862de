# SPDX-License-Identifier: MIT
"""Slow twins of the measures for given items and of the atoms: one value, one pair, one atom at a time.

Items here are a list of `{annotator: value}`, an item the annotators' values; what is not there is missing. Each
measure is written as its paper defines it, as agreement, not as our code does it, as disagreement.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations, permutations
from statistics import fmean

Item = dict[str, str | None]
Distance = Callable[[str | None, str | None], float]


def nominal(a: str | None, b: str | None) -> float:
    return float(a != b)


def categories(items: Sequence[Item]) -> list[str | None]:
    return sorted({value for item in items for value in item.values()}, key=str)


def annotators(items: Sequence[Item]) -> list[str]:
    return sorted({name for item in items for name in item})


def item_agreement(item: Item, distance: Distance = nominal) -> float:
    return fmean(1 - distance(a, b) for a, b in combinations(item.values(), 2))


def percentage(items: Sequence[Item], distance: Distance = nominal) -> float:
    """Every item with two values counts alike."""
    return fmean(item_agreement(item, distance) for item in items if len(item) >= 2)


def chance_corrected(observed: float, expected: float) -> float:
    return (observed - expected) / (1 - expected)


def s(items: Sequence[Item]) -> float:
    return chance_corrected(percentage(items), 1 / len(categories(items)))


def prevalence(items: Sequence[Item], category: str | None) -> float:
    """The mean over items of the share of their values that are the category."""
    return fmean(fmean(value == category for value in item.values()) for item in items if item)


def fleiss_k(items: Sequence[Item]) -> float:
    return chance_corrected(percentage(items), sum(prevalence(items, c) ** 2 for c in categories(items)))


def share(items: Sequence[Item], annotator: str, category: str | None) -> float:
    """Of the values that an annotator gave, the share of a category."""
    return fmean(item[annotator] == category for item in items if annotator in item)


def multi_kappa(items: Sequence[Item]) -> float:
    expected = fmean(
        sum(share(items, a, c) * share(items, b, c) for c in categories(items))
        for a, b in combinations(annotators(items), 2)
    )
    return chance_corrected(percentage(items), expected)


def ac2(items: Sequence[Item], distance: Distance = nominal) -> float:
    labels = categories(items)
    k = len(labels)
    weights = sum(1 - distance(a, b) for a in labels for b in labels)
    spread = sum(prevalence(items, c) * (1 - prevalence(items, c)) for c in labels)
    return chance_corrected(percentage(items, distance), weights / (k * (k - 1)) * spread)


def common(items: Sequence[Item], a: str, b: str) -> list[tuple[str | None, str | None]]:
    return [(item[a], item[b]) for item in items if a in item and b in item]


def pair_kappa(values: Sequence[tuple[str | None, str | None]], distance: Distance = nominal) -> float | None:
    """Cohen's weighted κ of two annotators: every value of the one against every value of the other."""
    observed = fmean(distance(x, y) for x, y in values)
    expected = fmean(distance(x, y) for x, _ in values for _, y in values)
    return 1 - observed / expected if expected else None


def pair_pi(values: Sequence[tuple[str | None, str | None]]) -> float | None:
    """Scott's π of two annotators: every value of both against every value of both."""
    both = [value for pair in values for value in pair]
    expected = fmean(x == y for x in both for y in both)
    return chance_corrected(fmean(x == y for x, y in values), expected) if expected < 1 else None


def mean_over_pairs(
    items: Sequence[Item], measure: Callable[[Sequence[tuple[str | None, str | None]]], float | None]
) -> float | None:
    tables = [common(items, a, b) for a, b in combinations(annotators(items), 2)]
    found = [value for table in tables if table and (value := measure(table)) is not None]
    return fmean(found) if found else None


def merged(items: Sequence[Item], category: str | None) -> list[Item]:
    """The items with all categories but one merged."""
    return [{name: "it" if value == category else "other" for name, value in item.items()} for item in items]


def specific_agreement(items: Sequence[Item], category: str | None) -> float:
    """Of the pairs with a value of the category, how many have two: pairs of an item count 1 / their number."""
    agreeing = having = 0.0
    for item in items:
        pairs = list(permutations(item.values(), 2))
        for a, b in pairs:
            if a == category:
                having += 1 / len(pairs)
                agreeing += (a == b) / len(pairs)
    return agreeing / having


Unit = tuple[float, float, str | None]


def atoms(units: dict[str, list[Unit]], middles: Sequence[float]) -> list[Item]:
    """One item for each middle of an atom: the label of the unit it lies in, "blank" where it lies in none."""

    def label(rows: list[Unit], middle: float) -> str | None:
        return next((category for start, end, category in rows if start <= middle < end), "blank")

    return [{name: label(rows, middle) for name, rows in units.items()} for middle in middles]
