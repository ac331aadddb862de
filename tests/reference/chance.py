# SPDX-License-Identifier: MIT
"""The slow twin of the shift chance model (Mathet et al. 2015, section 5.2.1), drawn with numpy's own Philox.

Where the paper is silent, docs/validity.md says what was decided: this file is that decision, word by word.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, permutations, product
from math import ceil, fsum

import numpy as np

from reference.content import numbers
from unisono.model import Continuum, Position, Unit

WORD = 2**64


class Stream:
    """The random words of one sample: Philox4x64-10 keyed by the seed and the document's digest, counted by sample."""

    def __init__(self, seed: int, digest: bytes, sample: int):
        key = np.frombuffer(hashlib.sha256(f"{seed}\x00".encode() + digest).digest()[:16], dtype="<u8")
        counter = np.array([0, 0, sample, 0], dtype=np.uint64)
        self._generator = np.random.Generator(np.random.Philox(key=key, counter=counter))

    def word(self) -> int:
        return int(self._generator.bit_generator.random_raw())

    def bounded(self, n: int) -> int:
        """A uniform integer below n (Lemire 2019: multiply, reject the few words that would favour some)."""
        while True:
            product_ = self.word() * n
            if product_ % WORD >= (WORD - n) % n:
                return product_ // WORD

    def uniform(self) -> float:
        """A uniform number in [0, 1) of 53 bits."""
        return (self.word() >> 11) * 2.0**-53


@dataclass(frozen=True)
class Drawn:
    """One random continuum: the source and the shift of each new annotator, and the units they give, by names."""

    sources: tuple[int, ...]
    shifts: tuple[Position, ...]
    units: tuple[tuple[Unit, ...], ...]
    redraws: int
    is_constrained: bool


def minimum_distance(continuum: Continuum, rule: str | float = "mean") -> float:
    """The least distance between two shifts: the mean length of all units, half of it, or a number given."""
    if not isinstance(rule, str):
        return float(rule)
    mean = fsum(unit.length for unit in continuum) / len(continuum)
    return {"mean": mean, "half-mean": mean / 2}[rule]


def draw(continuum: Continuum, *, seed: int, sample: int, rule: str | float = "mean") -> Drawn:
    """A random continuum: each new annotator is a real one, drawn with replacement and shifted in a circle.

    Annotators are drawn by their numbers by content; the new one of a number has the name of the real one.
    """
    by_content = numbers(continuum)
    stream = Stream(seed, by_content.digest, sample)
    n = continuum.n_annotators
    redraws = 0
    while True:
        drawn = [by_content.annotators[stream.bounded(n)] for _ in range(n)]
        sources = [continuum.annotators.index(name) for name in drawn]
        if any(continuum.counts[source] for source in sources):
            break
        redraws += 1
    shifts, is_constrained = _shifts(stream, continuum, rule)
    by_name = [by_content.annotators.index(name) for name in continuum.annotators]
    sources, shifts = [sources[i] for i in by_name], [shifts[i] for i in by_name]
    units = tuple(shifted(continuum, source, shift) for source, shift in zip(sources, shifts, strict=True))
    return Drawn(tuple(sources), tuple(shifts), units, redraws, is_constrained)


def _shifts(stream: Stream, continuum: Continuum, rule: str | float) -> tuple[list[Position], bool]:
    assert continuum.extent is not None
    n, length, distance = continuum.n_annotators, continuum.extent.length, minimum_distance(continuum, rule)
    if length == 0:
        return [0] * n, True
    if not continuum.has_integer_positions:
        if (n - 1) * distance < length:
            free = [stream.uniform() * (length - (n - 1) * distance) for _ in range(n)]
            return [t + sum(other < t for other in free) * distance for t in free], True
        return [stream.uniform() * length for _ in range(n)], False
    steps = ceil(distance)
    if not (n - 1) * steps < length:
        return [stream.bounded(length) for _ in range(n)], False
    if steps == 0:
        return [stream.bounded(length) for _ in range(n)], True
    free_: list[int] = []
    for _ in range(n):
        t = stream.bounded(length - (n - 1) * (steps - 1))
        while t in free_:
            t = stream.bounded(length - (n - 1) * (steps - 1))
        free_.append(t)
    return [t + sum(other < t for other in free_) * (steps - 1) for t in free_], True


def shifted(continuum: Continuum, annotator: int, shift: Position) -> tuple[Unit, ...]:
    """The units of an annotator after the part before the split has been moved to the end.

    A unit is kept whole: its start decides the side, its end may overhang the extent.
    """
    assert continuum.extent is not None
    begin, length = continuum.extent.start, continuum.extent.length
    units = []
    for unit in continuum.units_of(continuum.annotators[annotator]):
        start = begin + ((unit.start - begin - shift) % length if length else 0)
        units.append(Unit(start, start + unit.length, unit.category))
    return tuple(sorted(units, key=lambda unit: (unit.start, unit.end, unit.category or "")))


def as_continuum(continuum: Continuum, units: tuple[tuple[Unit, ...], ...]) -> Continuum:
    """A drawn continuum, its annotators under the names of the real ones; the extent is left to be guessed."""
    return Continuum.of(dict(zip(continuum.annotators, units, strict=True)), name=continuum.name)


def admissible_shifts(n: int, length: int, distance: float, *, circular: bool = False) -> Iterator[tuple[int, ...]]:
    """Every labelled choice of n integer shifts that keep the distance, by trying all."""
    for shifts in product(range(length), repeat=n):
        apart = [abs(s - t) for s, t in combinations(shifts, 2)]
        if circular:
            apart = [min(x, length - x) for x in apart]
        if all(x >= distance for x in apart):
            yield shifts


def all_draws(
    continuum: Continuum, distance: float, *, circular: bool = False
) -> Iterator[tuple[tuple[tuple[Unit, ...], ...], int]]:
    """Every random continuum of the shift model on integers, with its multiplicity.

    New annotators are interchangeable, so each multiset of (source, shift) is given once, counted as often as it
    can be labelled.
    """
    assert continuum.extent is not None
    n, length = continuum.n_annotators, int(continuum.extent.length)
    one = {(a, s): shifted(continuum, a, s) for a in range(n) for s in range(length)}
    assert distance > 0, "shifts differ, hence every labelling of a set is another choice"
    labellings = len(list(permutations(range(n))))
    for shifts in admissible_shifts(n, length, distance, circular=circular):
        if list(shifts) == sorted(shifts):
            for sources in product(range(n), repeat=n):
                yield tuple(one[a, s] for a, s in zip(sources, shifts, strict=True)), labellings
