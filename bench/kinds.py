# SPDX-License-Identifier: MIT
"""The kinds of continua the bench runs on: "p x q gap g", observed or shuffled, each a pure function of its seed.

p annotators with about q units each (0.9 q, or q to the unit for the peers' instances); the mean gap between
neighbouring units is g times the mean unit length. Observed: everyone marks the units of one reference, with noise
at both ends, wrong categories, units missed and units added. Shuffled: a random continuum of the shift chance model,
drawn from the observed one. At 3x100 to 5x100 these kinds have as many candidate unitary alignments as those that
the floors and targets were measured on.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from unisono.chance import Shift
from unisono.model import CATEGORY, Continuum, Feature

CATEGORIES = ("act", "event", "person", "place", "thing")
MEAN_LENGTH = 20.0
END_NOISE = 0.15  # standard deviation of both ends, in mean lengths
WRONG_CATEGORY = 0.15
MISSED = 0.12
ADDED = 0.02


@dataclass(frozen=True)
class Kind:
    """One row of a table: its continua are numbered, and number i is always the same continuum."""

    annotators: int
    units: int
    gap: float
    is_shuffled: bool = False
    #: Integer positions (pygamma-agreement computes with 32-bit floats), and exactly q units for every annotator.
    is_for_peers: bool = False
    seed: int = 2015

    @property
    def name(self) -> str:
        form = "shuffled" if self.is_shuffled else "observed"
        return f"{self.annotators}x{self.units} gap {self.gap:g} {form}"

    def __getitem__(self, number: int) -> Continuum:
        continuum = observed(self, number)
        return shuffled(continuum, seed=self.seed, sample=number) if self.is_shuffled else continuum

    def first(self, count: int) -> Iterator[Continuum]:
        return (self[number] for number in range(count))


def observed(kind: Kind, number: int) -> Continuum:
    """Annotators who all saw one reference, and did not mark it alike."""
    rng = np.random.default_rng([kind.seed, kind.annotators, kind.units, round(100 * kind.gap), number])
    # Gamma-distributed lengths (a few units three times as long as the mean), exponential gaps.
    lengths = MEAN_LENGTH * rng.gamma(4.0, 0.25, kind.units)
    gaps = kind.gap * MEAN_LENGTH * rng.exponential(1.0, kind.units)
    starts = np.cumsum(gaps + lengths) - lengths + MEAN_LENGTH
    ends = starts + lengths
    labels = rng.integers(len(CATEGORIES), size=kind.units)
    columns = [_annotator(rng, starts, ends, labels, kind) for _ in range(kind.annotators)]
    return Continuum(
        starts=np.concatenate([column[0] for column in columns]),
        ends=np.concatenate([column[1] for column in columns]),
        annotator_codes=np.repeat(np.arange(kind.annotators), [len(column[0]) for column in columns]),
        annotators=[f"annotator {i:02d}" for i in range(kind.annotators)],
        features={CATEGORY: Feature(np.concatenate([column[2] for column in columns]).astype(np.int32), CATEGORIES)},
        name=f"{kind.annotators}x{kind.units} gap {kind.gap:g} number {number}",
    )


def long_segments(number: int, *, annotators: int = 5, seed: int = 2015) -> Continuum:
    """Segments without gaps, as in music: heavy-tailed lengths up to a quarter of the whole, half of the cuts shared.

    Lengths are log-normal (sigma 2.6, 60 to 160 of them); every annotator has some of the cuts of one reference and
    others of their own, and a random category for each segment.
    """
    rng = np.random.default_rng([seed, annotators, number])
    whole = 300.0

    def cuts() -> np.ndarray:
        lengths = rng.lognormal(0.0, 2.6, int(rng.integers(60, 160)))
        ends: np.ndarray = np.cumsum(lengths) / lengths.sum() * whole
        return ends

    reference = cuts()
    marked: dict[str, list[tuple[float, float, str]]] = {}
    for a in range(annotators):
        own = cuts()
        kept = np.concatenate((reference[rng.random(len(reference)) < 0.5], own[rng.random(len(own)) < 0.5], [whole]))
        segments = marked[f"annotator {a}"] = []
        start = 0.0
        for end in np.unique(np.round(kept, 2)).tolist():
            while end > start:
                stop = min(end, start + whole / 4)
                segments.append((start, stop, CATEGORIES[rng.integers(len(CATEGORIES))]))
                start = stop
    return Continuum.of(marked, extent=(0.0, whole), name=f"long segments {annotators} number {number}")


def crowd(number: int, annotators: int, *, share: float = 1.0, few: bool = False, seed: int = 2015) -> Continuum:
    """Many annotators of a short text, each of whom marks few and different places, as those of d2t_iaa do.

    500 to 1,599 characters with 10 to 40 places of log-normal length (median 37). A place is marked with a probability
    of its own (Beta 0.6, 1.5) times the annotator's zeal (Gamma of shape 1.2, mean 1); half of the ends are moved
    (normal, 12 characters), two in five categories are random. share: a factor of these probabilities. few: 10 to
    40 units in all, by the same probabilities.
    """
    rng = np.random.default_rng([seed, annotators, number, int(few)])
    n_places, whole = int(rng.integers(10, 41)), int(rng.integers(500, 1600))
    starts = np.sort(rng.integers(0, whole - 60, n_places))
    lengths = np.clip(rng.lognormal(3.6, 0.8, n_places), 3, 200).astype(int)
    labels = rng.integers(len(CATEGORIES), size=n_places)
    appeal, zeal = rng.beta(0.6, 1.5, n_places), rng.gamma(1.2, 1 / 1.2, annotators)
    chances = share * np.outer(zeal, appeal)
    if few:
        weights = (chances / chances.sum()).ravel()
        marked = rng.choice(chances.size, int(rng.integers(10, 41)), replace=False, p=weights)
    else:
        marked = np.flatnonzero(rng.random(chances.size) < np.minimum(0.95, chances).ravel())
    units: dict[str, list[tuple[int, int, str]]] = {f"annotator {a:03d}": [] for a in range(annotators)}
    for a, k in zip((marked // n_places).tolist(), (marked % n_places).tolist(), strict=True):
        moved = np.where(rng.random(2) < 0.5, rng.normal(0, 12, 2), 0).astype(int)
        start = int(np.clip(starts[k] + moved[0], 0, whole - 2))
        end = int(np.clip(starts[k] + lengths[k] + moved[1], start + 2, whole))
        category = labels[k] if rng.random() < 0.6 else rng.integers(len(CATEGORIES))
        units[f"annotator {a:03d}"].append((start, end, CATEGORIES[category]))
    return Continuum.of(units, extent=(0, whole), name=f"crowd {annotators} number {number}")


def shuffled(continuum: Continuum, *, seed: int, sample: int) -> Continuum:
    """A random continuum of the shift chance model."""
    return Shift().draw(continuum, seed=seed, sample=sample)


def _annotator(
    rng: np.random.Generator, starts: np.ndarray, ends: np.ndarray, labels: np.ndarray, kind: Kind
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    seen = np.flatnonzero(rng.random(kind.units) >= MISSED)
    count = kind.units - len(seen) if kind.is_for_peers else rng.binomial(kind.units, ADDED)
    # An added unit is a copy of a reference unit, moved to anywhere: right length, wrong place.
    added = rng.integers(kind.units, size=count)
    moved = rng.uniform(starts[0], starts[-1], len(added))
    first = np.concatenate([starts[seen], moved])
    last = np.concatenate([ends[seen], moved + ends[added] - starts[added]])
    category = np.concatenate([labels[seen], labels[added]])
    first = first + rng.normal(0.0, END_NOISE * MEAN_LENGTH, len(first))
    last = last + rng.normal(0.0, END_NOISE * MEAN_LENGTH, len(last))
    wrong = rng.random(len(category)) < WRONG_CATEGORY
    category = np.where(wrong, rng.integers(len(CATEGORIES), size=len(category)), category)
    if kind.is_for_peers:
        first, last = np.rint(first).astype(np.int64), np.rint(last).astype(np.int64)
    first, last = np.minimum(first, last), np.maximum(first, last)
    last = np.maximum(last, first + 1)
    # Equal units of one annotator are fine for us, but pygamma-agreement would silently drop one of them.
    _, distinct = np.unique(np.stack([first, last, category]), axis=1, return_index=True)
    return first[distinct], last[distinct], category[distinct]
