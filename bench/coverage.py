# SPDX-License-Identifier: MIT
"""How often the interval over documents covers: the figures of docs/intervals.md.

    python -m bench.coverage [corpora]

A population of 2,000 simulated documents is made and measured for each law; corpora are documents drawn from it
independently, so that the true value is the population's. γ, γcat and γk come from one measurement of the population
(30 samples a document) and the pairs of the drawn documents. α, κ, F1 and 1-WD are computed from statistics of each
document (tables of both annotators' categories, counts of units, counts of windows); the first corpora of each law are
measured by `unisono.measure` too, and must give the same interval.

The laws: `varied`: every document has a quality of its own, Beta(2, 2). `quarter`: in three documents of four the
annotators agree fully. `tenth`: in nine of ten.
"""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable, Sequence

import numpy as np
from scipy import stats

import unisono
from unisono.intervals.attach import SHARES
from unisono.intervals.jackknife import compute_without_each, documents_interval, jackknife_interval
from unisono.intervals.ratios import document_ratios
from unisono.intervals.uncertainty import Uncertainty
from unisono.model import Continuum, Corpus

POPULATION = 2_000
SIZES = (10, 30, 100)
LAWS = {"varied": 1.0, "quarter": 0.25, "tenth": 0.1}
WINDOW = 5
#: Corpora of each law that are measured in full, to check the statistics.
CHECKED = 2

Units = list[tuple[int, int, str]]
Sample = Sequence[int]


def quality(rng: np.random.Generator, imperfect: float) -> float:
    """The quality that the annotators of a document have in common: 1 is full agreement."""
    return float(rng.beta(2, 2)) if rng.random() < imperfect else 1.0


def spans(rng: np.random.Generator, imperfect: float, name: str) -> Continuum:
    """Units that two annotators find, miss, move and label, each with an error that falls with the quality."""
    good = quality(rng, imperfect)
    count = 2 + int(rng.poisson(rng.gamma(1.0, 5.0)))
    length = 20 * count + 20
    starts = np.sort(rng.choice(length - 12, count, replace=False)).tolist()
    widths, labels = rng.integers(3, 12, count).tolist(), rng.integers(0, 3, count).tolist()
    units: dict[str, Units] = {"ann": [], "bob": []}
    for rows in units.values():
        for start, width, label in zip(starts, widths, labels, strict=True):
            if rng.random() < 0.4 * (1 - good):
                continue
            first, last = rng.integers(-2, 3, 2).tolist() if rng.random() < 1 - good else (0, 0)
            begin = max(0, start + first)
            end = min(length, max(begin + 1, start + width + last))
            rows.append((begin, end, "xyz"[int(rng.integers(0, 3)) if rng.random() < 0.5 * (1 - good) else label]))
    return Continuum.of(units, extent=(0, length), name=name)


def items(rng: np.random.Generator, imperfect: float, name: str) -> Continuum:
    """Given units that two annotators label, one of three categories."""
    good = quality(rng, imperfect)
    count = 2 + int(rng.poisson(rng.gamma(1.0, 5.0)))
    true = rng.choice(3, count, p=[0.5, 0.3, 0.2])
    units: dict[str, Units] = {}
    for annotator in ("ann", "bob"):
        labels = np.where(rng.random(count) < 0.6 * (1 - good), rng.integers(0, 3, count), true)
        units[annotator] = [(10 * i, 10 * i + 8, "xyz"[label]) for i, label in enumerate(labels.tolist())]
    return Continuum.of(units, extent=(0, 10 * count), name=name)


def segments(rng: np.random.Generator, imperfect: float, name: str) -> Continuum:
    """Two segmentations of one text; boundaries are missed or moved."""
    good = quality(rng, imperfect)
    length = 30 + int(rng.poisson(rng.gamma(1.0, 60.0)))
    true = np.flatnonzero(rng.random(length - 1) < 0.1) + 1
    units: dict[str, Units] = {}
    for annotator in ("ann", "bob"):
        kept = true[rng.random(len(true)) >= 0.3 * (1 - good)]
        moved = np.where(rng.random(len(kept)) < 1 - good, rng.integers(-3, 4, len(kept)), 0)
        cuts = [0, *np.unique(np.clip(kept + moved, 1, length - 1)).tolist(), length]
        units[annotator] = [(a, b, "s") for a, b in itertools.pairwise(cuts)]
    return Continuum.of(units, extent=(0, length), name=name)


def table(document: Continuum) -> np.ndarray:
    """How often each pair of categories was given to an item."""
    counts = np.zeros((3, 3))
    ann, bob = ([unit.category for unit in document if unit.annotator == name] for name in ("ann", "bob"))
    for a, b in zip(ann, bob, strict=True):
        counts["xyz".index(a), "xyz".index(b)] += 1
    return counts


def kappa(counts: np.ndarray) -> float:
    n = counts.sum()
    expected = 1 - (counts.sum(axis=0) * counts.sum(axis=1)).sum() / n**2
    return 1 - (1 - np.trace(counts) / n) / expected


def alpha(counts: np.ndarray) -> float:
    both = counts + counts.T
    n, totals = both.sum(), both.sum(axis=0)
    return 1 - (n - np.trace(both)) / n * (n - 1) / (n - (totals**2).sum() / n)


def matches(document: Continuum) -> np.ndarray:
    """Units that only one annotator has, and all units."""
    ann, bob = (
        {(unit.start, unit.end, unit.category) for unit in document if unit.annotator == name}
        for name in ("ann", "bob")
    )
    return np.array([len(ann ^ bob), len(ann) + len(bob)], dtype=float)


def windows(document: Continuum) -> np.ndarray:
    """Windows whose numbers of boundaries differ, and all windows."""
    assert document.extent is not None
    length = int(document.extent.end)
    marks = np.zeros((2, length + 1))
    for row, name in enumerate(("ann", "bob")):
        for unit in document:
            if unit.annotator == name and unit.start > 0:
                marks[row, int(unit.start)] = 1
    sums = np.cumsum(marks, axis=1)
    counts = sums[:, WINDOW:length] - sums[:, : length - WINDOW]
    return np.array([(counts[0] != counts[1]).sum(), length - WINDOW], dtype=float)


def share(counts: np.ndarray) -> float:
    return 1 - counts[0] / counts[1]


def recomputed(
    name: str, statistics: np.ndarray, value: Callable[[np.ndarray], float]
) -> Callable[[Sample], Uncertainty]:
    """The interval of a measure that is a function of summed statistics."""

    def interval(drawn: Sample) -> Uncertainty:
        rows = statistics[np.asarray(drawn)]
        left_out = compute_without_each(lambda kept: value(rows[np.asarray(kept)].sum(axis=0)), range(len(drawn)))
        whole = value(rows.sum(axis=0))
        return jackknife_interval(whole, left_out, n=len(drawn), level=0.95, is_share=name in SHARES)

    return interval


def report(law: str, name: str, truth: float, interval: Callable[[Sample], Uncertainty], corpora: int) -> None:
    for n in SIZES:
        rng = np.random.default_rng([n, *f"{law} {name}".encode()])
        covered, widths, unknown = 0, [], 0
        for _ in range(corpora):
            bounds = interval(rng.integers(0, POPULATION, n).tolist()).interval
            if bounds is None:
                unknown += 1
                continue
            widths.append(bounds.high - bounds.low)
            covered += bounds.low <= truth <= bounds.high
        known = corpora - unknown
        exact = stats.binomtest(covered, known).proportion_ci(0.95)
        print(
            f"{law:8} {name:12} {truth:6.3f} {n:4} documents: {covered / known:.3f} [{exact.low:.3f}, {exact.high:.3f}]"
            f"  undefined {unknown / corpora:.3f}  median width {np.median(widths):.3f}  widest {max(widths):.2f}",
            flush=True,
        )


def check(name: str, population: Sequence[Continuum], interval: Callable[[Sample], Uncertainty], seed: int) -> None:
    """The interval of a drawn corpus is the one that `measure` gives."""
    rng = np.random.default_rng(seed)
    drawn = rng.integers(0, POPULATION, 30).tolist()
    corpus = Corpus(
        tuple(
            Continuum.of(
                {
                    annotator: [(u.start, u.end, u.category) for u in population[i] if u.annotator == annotator]
                    for annotator in ("ann", "bob")
                },
                extent=population[i].extent,
                name=f"{place:03}",
            )
            for place, i in enumerate(drawn)
        )
    )
    measured = unisono.measure(corpus, name, seed=1, window=WINDOW)[name].intervals["documents"]
    known = interval(drawn).interval
    assert known is not None
    assert np.allclose((measured.low, measured.high), (known.low, known.high), rtol=1e-9), (name, measured, known)


def main(corpora: int) -> None:
    for law, imperfect in LAWS.items():
        rng = np.random.default_rng(20261117)
        population = [spans(rng, imperfect, f"{i:04}") for i in range(POPULATION)]
        names = ["gamma", "gamma-cat", "gamma-k"]
        result = unisono.measure(Corpus(tuple(population)), names, seed=1, samples=30, intervals=False)
        for name in names:
            ratios = document_ratios(result, name, "x" if name == "gamma-k" else None)
            place = {document: i for i, document in enumerate(ratios.names)}
            top, bottom = np.zeros(POPULATION), np.zeros(POPULATION)
            index = [int(document) for document in place]
            top[index], bottom[index] = ratios.numerators, ratios.denominators

            def interval(drawn: Sample, top: np.ndarray = top, bottom: np.ndarray = bottom) -> Uncertainty:
                return documents_interval(top[np.asarray(drawn)], bottom[np.asarray(drawn)], level=0.95)

            report(law, name, 1 - top.sum() / bottom.sum(), interval, corpora)
        labelled = [items(rng, imperfect, f"{i:04}") for i in range(POPULATION)]
        cut = [segments(rng, imperfect, f"{i:04}") for i in range(POPULATION)]
        for name, documents, of_document, value in (
            ("alpha", labelled, table, alpha),
            ("kappa", labelled, table, kappa),
            ("f1-exact", population, matches, share),
            ("window-diff", cut, windows, share),
        ):
            statistics = np.array([of_document(document) for document in documents])
            by_sums = recomputed(name, statistics, value)
            for seed in range(CHECKED):
                check(name, documents, by_sums, seed)
            report(law, name, value(statistics.sum(axis=0)), by_sums, corpora)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 500)
