# SPDX-License-Identifier: MIT
"""The slow twin of the random edits of text-γ (Barteld et al. 2016, section 6): lists, one change after the other.

For one type of units without gaps. It takes the same words of the generator in the same order as the core does, so that
the two can be compared version by version; everything else is done in the plainest way.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from math import floor

import numpy as np

from unisono._core import philox

#: (values, running sums of their counts)
Observed = tuple[Sequence[int], Sequence[int]]
#: (text, [(start, end, labels), ...]), text as code points
Plain = tuple[list[int], list[tuple[int, int, list[int]]]]


class Dice:
    """The generator's words, turned into numbers as the core does."""

    def __init__(self, key: Sequence[int], counter: Sequence[int]):
        self._key, self._counter = np.array(key, dtype=np.uint64), np.array(counter, dtype=np.uint64)
        self._words: list[int] = []
        self._used = 0

    def word(self) -> int:
        if self._used == len(self._words):
            self._words = philox(self._key, self._counter, max(64, 2 * len(self._words))).tolist()
        self._used += 1
        return int(self._words[self._used - 1])

    def uniform(self) -> float:
        return (self.word() >> 11) * 2.0**-53

    def bounded(self, n: int) -> int:
        reject = (2**64 - n) % n
        while True:
            product = self.word() * n
            if product % 2**64 >= reject:
                return product >> 64

    def observed(self, table: Observed) -> int:
        return table[0][bisect_right(table[1], self.bounded(table[1][-1]))]


class Chosen:
    """Each of `count` things with probability p, or exactly the share p of them."""

    def __init__(self, p: float, count: int, exact: bool):
        self.p, self.left, self.exact = p, count, exact
        self.wanted = floor(p * count + 0.5)

    def next(self, dice: Dice) -> bool:
        if not self.exact:
            return dice.uniform() < self.p
        yes = dice.bounded(self.left) < self.wanted
        self.left -= 1
        self.wanted -= yes
        return yes


def random_version(
    base: Plain,
    dice: Dice,
    *,
    p_text: float,
    p_seg: float,
    p_label: Sequence[float],
    characters: Observed,
    labels: Sequence[Observed],
    p_further: float = 0.0,
    exact: bool = False,
) -> Plain:
    version = base
    if p_text > 0:
        version = _edited_text(version, dice, p_text, p_further, characters, exact)
    if p_seg > 0:
        version = version[0], _edited_units(version[1], dice, p_seg, exact)
    units = [(start, end, list(own)) for start, end, own in version[1]]
    for feature, p in enumerate(p_label):
        chosen = Chosen(p, len(units), exact)
        for _, _, own in units:
            if p < 0 or chosen.next(dice):
                own[feature] = dice.observed(labels[feature])
    return version[0], units


def _edited_text(base: Plain, dice: Dice, p: float, p_further: float, characters: Observed, exact: bool) -> Plain:
    old, units = base
    text: list[int] = []
    moved = []
    at = 0
    chosen = Chosen(p, len(units), exact)
    for start, end, own in units:
        text += old[at:start]
        word = old[start:end]
        if chosen.next(dice):
            word = _edited(word, dice, characters)
            while p_further > 0 and dice.uniform() < p_further:
                word = _edited(word, dice, characters)
        moved.append((len(text), len(text) + len(word), own))
        text += word
        at = end
    return text + old[at:], moved


def _edited(word: list[int], dice: Dice, characters: Observed) -> list[int]:
    kind = dice.bounded(3)
    if kind == 1 and len(word) < 2:
        kind = 2 * dice.bounded(2)
    place = 0
    if kind == 2:
        if word:
            place = dice.bounded(len(word))
        if not word or list(characters[0]) == [word[place]]:
            kind = 0
    if kind == 0:
        place = dice.bounded(len(word) + 1)
        return [*word[:place], dice.observed(characters), *word[place:]]
    if kind == 1:
        place = dice.bounded(len(word))
        return word[:place] + word[place + 1 :]
    other = word[place]
    while other == word[place]:
        other = dice.observed(characters)
    return [*word[:place], other, *word[place + 1 :]]


def _edited_units(
    units: list[tuple[int, int, list[int]]], dice: Dice, p: float, exact: bool
) -> list[tuple[int, int, list[int]]]:
    # The core keeps the living units in the order of their making, with the last in the place of one that is gone.
    text_order = [[start, end, own] for start, end, own in units]
    alive = list(text_order)
    chosen = Chosen(p, len(units), exact)
    for _ in range(sum(chosen.next(dice) for _ in units)):
        can_split = any(end - start > 1 for start, end, _ in alive)
        if len(alive) < 2 and not can_split:
            break
        while True:
            kind = dice.bounded(3)
            if can_split if kind == 0 else len(alive) > 1:
                break
        while True:
            unit = alive[dice.bounded(len(alive))]
            place = next(i for i, other in enumerate(text_order) if other is unit)
            if kind == 0 and unit[1] - unit[0] > 1:
                break
            if (kind == 1 and place > 0) or (kind == 2 and place + 1 < len(text_order)):
                break
        if kind == 0:
            cut = unit[0] + 1 + dice.bounded(unit[1] - unit[0] - 1)
            second = [cut, unit[1], unit[2]]
            unit[1] = cut
            text_order.insert(place + 1, second)
            alive.append(second)
            continue
        gone = text_order.pop(place - 1 if kind == 1 else place + 1)
        unit[0], unit[1] = min(unit[0], gone[0]), max(unit[1], gone[1])
        at = next(i for i, other in enumerate(alive) if other is gone)
        alive[at] = alive[-1]
        alive.pop()
    return [(start, end, own) for start, end, own in text_order]
