# SPDX-License-Identifier: MIT
"""The error laws unit by unit, written to be read beside docs/shuffling.md: Mathet et al. 2015, section 6.3.1.

Units are (start, end, category). Laws that need a fixed number of random numbers take them in the order the columns do,
so that results are equal; the others have the same distribution.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

Unit = tuple[float, float, str | None]


def half_up(x: float) -> int:
    return math.floor(x + 0.5)


def shifted(
    units: Sequence[Unit], magnitude: float, random: np.random.Generator, *, factor: float = 1.0, clip: bool = False
) -> list[Unit]:
    """Position errors, whole positions: rounds of draws for all that have none they can use."""
    result = list(units)
    todo = list(range(len(units)))
    while todo:
        draws = 2 * random.random((2, len(todo))) - 1
        again = []
        for column, i in enumerate(todo):
            start, end, category = units[i]
            reach = factor * magnitude * (end - start)
            new_start, new_end = start + draws[0, column] * reach, end + draws[1, column] * reach
            if clip:
                new_end = max(new_end, new_start + 1)
            if new_end - new_start < 1 - 1e-9:
                again.append(i)
            else:
                result[i] = (half_up(new_start), half_up(new_end), category)
        todo = again
    return result


def shifted_apart(
    units: Sequence[Unit], magnitude: float, random: np.random.Generator, *, factor: float, tries: int = 3000
) -> list[Unit]:
    """Position errors without overlap: in random order, drawn again until nothing placed is overlapped."""
    placed: dict[int, tuple[float, float]] = {}
    for i in random.permutation(len(units)).tolist():
        start, end, _ = units[i]
        reach = factor * magnitude * (end - start)
        while i not in placed:
            for _ in range(tries):
                a, b = start + random.uniform(-reach, reach), end + random.uniform(-reach, reach)
                if b - a >= 1 and all(b <= left or a >= right for left, right in placed.values()):
                    placed[i] = (a, b)
                    break
            else:
                reach *= 2
    return [(half_up(placed[i][0]), half_up(placed[i][1]), units[i][2]) for i in range(len(units))]


def category_matrix(
    magnitude: float,
    prevalence: Mapping[str, float],
    *,
    law: str = "linear",
    to: str = "prevalence",
    immune: Sequence[str] = (),
    overlap: Mapping[str, Mapping[str, float]] | None = None,
) -> dict[str, dict[str, float]]:
    """M(m), cell by cell."""
    f = magnitude if law == "linear" else magnitude * magnitude
    confused = [c for c in prevalence if c not in immune]
    matrix: dict[str, dict[str, float]] = {}
    for row in prevalence:
        matrix[row] = {}
        for column in prevalence:
            same = 1.0 if row == column else 0.0
            if row in immune:
                matrix[row][column] = same
            elif column in immune:
                matrix[row][column] = 0.0
            else:
                chance = 1 / len(confused)
                if to == "prevalence":
                    chance = prevalence[column] / sum(prevalence[c] for c in confused)
                if overlap is None:
                    matrix[row][column] = (1 - f) * same + f * chance
                else:
                    near = overlap[row][column] / sum(overlap[row][c] for c in confused)
                    matrix[row][column] = (1 - f) * same + (f - f**3) * near + f**3 * chance
    return matrix


def recategorised(
    units: Sequence[Unit], matrix: Mapping[str, Mapping[str, float]], random: np.random.Generator
) -> list[Unit]:
    """Category errors: walk along the row until the random number is used up."""
    result = []
    for (start, end, category), draw in zip(units, random.random(len(units)), strict=True):
        new = category
        if category is not None:
            left = draw
            for new, probability in matrix[category].items():  # noqa: B007
                left -= probability
                if left < 0:
                    break
        result.append((start, end, new))
    return result


def missed(units: Sequence[Unit], magnitude: float, random: np.random.Generator) -> list[Unit]:
    """False negatives."""
    return [unit for unit, draw in zip(units, random.random(len(units)), strict=True) if not draw < magnitude]


def added(
    units: Sequence[Unit],
    magnitude: float,
    extent: tuple[int, int],
    random: np.random.Generator,
    *,
    factor: float = 5.0,
) -> list[Unit]:
    """False positives: the new units, without the old ones; whole positions."""
    count = half_up(factor * magnitude * len(units))
    models = [units[i] for i in random.integers(0, len(units), count)]
    lengths = [int(end - start) for start, end, _ in models]
    starts = random.integers(extent[0], [extent[1] - length for length in lengths], endpoint=True).tolist()
    return [(s, s + length, model[2]) for s, length, model in zip(starts, lengths, models, strict=True)]


def split(units: Sequence[Unit], number: int, random: np.random.Generator) -> list[Unit]:
    """Splits: any piece that can be split, anywhere inside; whole positions."""
    pieces = list(units)
    for _ in range(number):
        possible = [i for i, (start, end, _) in enumerate(pieces) if end - start >= 2]
        if not possible:
            break
        i = possible[int(random.integers(0, len(possible)))]
        start, end, category = pieces[i]
        cut = int(random.integers(start + 1, end))
        pieces[i : i + 1] = [(start, cut, category), (cut, end, category)]
    return pieces


def merged(units: Sequence[Unit], magnitude: float, random: np.random.Generator, *, factor: float = 0.5) -> list[Unit]:
    """Merges, the category that of the longest: units in order of start, each joined to the next or not."""
    result: list[list[Unit]] = []
    draws = [1.0, *random.random(max(len(units) - 1, 0)).tolist()]
    for unit, draw in zip(sorted(units, key=lambda u: u[:2]), draws, strict=True):
        if draw < factor * magnitude:
            result[-1].append(unit)
        else:
            result.append([unit])
    return [
        (min(u[0] for u in group), max(u[1] for u in group), max(group, key=lambda u: u[1] - u[0])[2])
        for group in result
    ]


def confused(
    units: Sequence[Unit],
    magnitude: float,
    category: str,
    instead: str,
    random: np.random.Generator,
    *,
    is_mutual: bool = False,
) -> list[Unit]:
    """One category taken for another."""
    becomes = {category: instead, **({instead: category} if is_mutual else {})}
    return [
        (start, end, becomes.get(label, label) if draw < magnitude else label)
        for (start, end, label), draw in zip(units, random.random(len(units)), strict=True)
    ]


def habit(units: Sequence[Unit], magnitude: float, start: float, end: float) -> list[Unit]:
    """Every boundary shifted alike, whole positions; the boundary with the larger shift gives way to the other."""
    result = []
    for first, last, category in units:
        new_first = half_up(first + start * magnitude * (last - first))
        new_last = half_up(last + end * magnitude * (last - first))
        if abs(start) >= abs(end):
            new_first = min(new_first, new_last - 1)
        result.append((new_first, max(new_last, new_first + 1), category))
    return result


def split_each(
    units: Sequence[Unit], magnitude: float, random: np.random.Generator, *, at_least: float = 0
) -> list[Unit]:
    """Each long unit split once or not; the second parts stand after all first parts and units left whole."""
    firsts: list[Unit] = []
    seconds: list[Unit] = []
    which, where = random.random((2, len(units)))
    for (start, end, category), draw, share in zip(units, which, where, strict=True):
        if end - start >= max(2, at_least) and draw < magnitude:
            cut = start + 1 + math.floor(share * (end - start - 1))
            firsts.append((start, cut, category))
            seconds.append((cut, end, category))
        else:
            firsts.append((start, end, category))
    return firsts + seconds


def missed_short(units: Sequence[Unit], magnitude: float, random: np.random.Generator, *, at_most: float) -> list[Unit]:
    """False negatives of short units alone."""
    draws = random.random(len(units))
    return [unit for unit, draw in zip(units, draws, strict=True) if unit[1] - unit[0] > at_most or draw >= magnitude]
