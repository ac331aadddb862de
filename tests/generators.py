# SPDX-License-Identifier: MIT
"""Random continua for the tests: tiny ones full of ties and odd cases, and the "p x q gap g" kinds.

Everything takes a numpy Generator, so that a failing case can be had again from its seed.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np

from unisono.model import Continuum, Extent

NAMES = ("ann", "bob", "cem", "dee", "eve", "fay", "gus", "hal", "ivy", "jon", "kim", "lea")


@dataclass(frozen=True)
class Weights:
    """Parameters of the combined dissimilarity."""

    alpha: float = 1.0
    beta: float = 1.0
    delta_empty: float = 1.0


def random_weights(rng: np.random.Generator) -> Weights:
    """Weights among the usual and the unusual ones; never both zero, which is no dissimilarity."""
    while True:
        alpha = float(rng.choice([0.0, 0.5, 1.0, 3.0], p=[0.1, 0.2, 0.4, 0.3]))
        beta = float(rng.choice([0.0, 1.0, 2.0]))
        if alpha or beta:
            return Weights(alpha, beta, float(rng.choice([0.5, 1.0, 2.0])))


def tiny_continuum(rng: np.random.Generator, *, most_units: int = 8, most_annotators: int = 5) -> Continuum:
    """A few units by 2 to 5 annotators on few integer positions: ties, overlaps, nesting, duplicates, empty sets.

    Some units are points, some have no category, some repeat one of the same annotator.
    """
    n_annotators = int(rng.integers(2, most_annotators + 1))
    n_units = int(max(rng.integers(1, most_units + 1, size=2)))
    width = int(rng.choice([4, 8, 12, 30]))
    categories = [None, "A", "B", "C"][: int(rng.integers(1, 5))]
    units: dict[str, list[tuple[int, int, str | None]]] = {name: [] for name in NAMES[:n_annotators]}
    annotators = list(units)
    if rng.random() < 0.2:  # those left out mark nothing
        annotators = annotators[: int(rng.integers(1, n_annotators + 1))]
    for _ in range(n_units):
        annotator = annotators[int(rng.integers(len(annotators)))]
        if units[annotator] and rng.random() < 0.1:
            units[annotator].append(units[annotator][int(rng.integers(len(units[annotator])))])
            continue
        start = int(rng.integers(0, width))
        length = 0 if rng.random() < 0.08 else int(rng.integers(1, max(2, width // 2)))
        units[annotator].append((start, start + length, categories[int(rng.integers(len(categories)))]))
    return Continuum.of(units, name="tiny")


def crowded_continuum(rng: np.random.Generator, p: int, q: int) -> Continuum:
    """q units of each of p annotators on top of one another: nearly every unitary alignment is worth a thought."""
    rows = {}
    for a in range(p):
        starts, lengths, labels = rng.integers(0, 7, q), rng.integers(3, 10, q), rng.integers(0, 3, q)
        rows[f"a{a:02}"] = [
            (s, s + n, "ABC"[c]) for s, n, c in zip(starts.tolist(), lengths.tolist(), labels.tolist(), strict=True)
        ]
    return Continuum.of(rows, name=f"crowded {p}x{q}")


def spread_continuum(
    p: int, q: int, gap: float, *, seed: int, categories: int = 4, integers: bool = False
) -> Continuum:
    """The kind "p x q gap g": p annotators, about q units each, mean gap g times the mean length.

    A reference of q units with exponential gaps; each annotator moves every boundary by a fifth of the mean length
    (standard deviation), mistakes one category in ten, misses one unit in ten.
    """
    rng = np.random.default_rng(seed)
    lengths = rng.uniform(5, 15, q)
    gaps = rng.exponential(10 * gap, q) if gap else np.zeros(q)
    starts = np.cumsum(gaps + lengths) - lengths
    labels = rng.integers(0, categories, q)
    units: dict[str, list[tuple[float, float, str]]] = {}
    for a in range(p):
        rows = []
        for start, length, label in zip(starts, lengths, labels, strict=True):
            first, last = sorted((start + rng.normal(0, 2), start + length + rng.normal(0, 2)))
            wrong, missed = rng.random() < 0.1, rng.random() < 0.1
            category = int(rng.integers(categories)) if wrong else int(label)
            if not missed:
                rows.append((first, max(last, first + 0.5), f"c{category}"))
        units[f"a{a:02}"] = rows
    if integers:
        units = {
            name: [(round(10 * start), max(round(10 * end), round(10 * start) + 1), c) for start, end, c in rows]
            for name, rows in units.items()
        }
    return Continuum.of(units, name=f"{p}x{q} gap {gap:g} seed {seed}")


def long_segments(annotators: int, units: int, *, seed: int) -> Continuum:
    """Segments without gaps, as in music: heavy-tailed lengths up to a quarter of the whole, half of the cuts shared.

    Lengths are log-normal (sigma 2.6); every annotator has some of the cuts of one reference and others of their own.
    """
    rng = np.random.default_rng([2026, annotators, units, seed])
    whole = 300.0

    def cuts() -> np.ndarray:
        lengths = rng.lognormal(0.0, 2.6, units)
        return np.cumsum(lengths) / lengths.sum() * whole

    reference = cuts()
    by_annotator: dict[str, list[tuple[float, float, str]]] = {}
    for a in range(annotators):
        shared, own = reference[rng.random(units) < 0.5], cuts()
        ends = np.unique(np.round(np.concatenate((shared, own[rng.random(units) < 0.5], [whole])), 2)).tolist()
        marked = []
        start = 0.0
        for end in ends:
            while end > start:
                stop = min(end, start + whole / 4)
                marked.append((start, stop, "ABCDE"[rng.integers(5)]))
                start = stop
        by_annotator[f"annotator {a}"] = marked
    return Continuum.of(by_annotator, extent=(0.0, whole), name=f"{annotators}x{units} long segments {seed}")


def mirrored(continuum: Continuum) -> Continuum:
    """The continuum from its end to its start, with the annotators in reverse order."""
    names = continuum.annotators
    return Continuum.of(
        {
            names[-1 - i]: [(-unit.end, -unit.start, unit.category) for unit in continuum.units_of(name)]
            for i, name in enumerate(names)
        },
        name=f"{continuum.name}, mirrored",
    )


def moved(continuum: Continuum, *, shift: int | float = 0, scale: int = 1) -> Continuum:
    """The same continuum elsewhere, or larger, its extent with it."""
    extent = continuum.extent
    return Continuum(
        starts=continuum.starts * scale + shift,
        ends=continuum.ends * scale + shift,
        annotator_codes=continuum.annotator_codes,
        annotators=continuum.annotators,
        features=continuum.features,
        extent=extent and Extent(extent.start * scale + shift, extent.end * scale + shift, extent.source),
        name=continuum.name,
    )


def renamed(continuum: Continuum, names: dict[str, str]) -> Continuum:
    """The same units under other annotators' names (a bijection), hence in another canonical order."""
    return Continuum(
        starts=continuum.starts,
        ends=continuum.ends,
        annotator_codes=continuum.annotator_codes,
        annotators=[names[name] for name in continuum.annotators],
        features=continuum.features,
        extent=continuum.extent,
        name=continuum.name,
    )


def described(continuum: Continuum) -> str:
    """The continuum as the Python expression that makes it again, for the message of a failing test."""
    units = {
        name: [(unit.start, unit.end, unit.category) for unit in continuum.units_of(name)]
        for name in continuum.annotators
    }
    extent = continuum.extent
    place = "" if extent is None else f", extent=({extent.start}, {extent.end})"
    return f"Continuum.of({units!r}{place}, name={continuum.name!r})"


@contextmanager
def note_case(title: str, continuum: Continuum) -> Iterator[None]:
    """Add the case that failed, and the continuum as Python, to the error that leaves the block."""
    try:
        yield
    except Exception as error:
        error.add_note(f"{title}\n{described(continuum)}")
        raise
