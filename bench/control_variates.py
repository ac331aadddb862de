# SPDX-License-Identifier: MIT
"""What control variates save, and whether the computation error keeps its promise.

    python bench/control_variates.py coverage [SEEDS [SAMPLES [NUMBER]]]
    python bench/control_variates.py samples [EVERY]

coverage: how often the 95 % interval of the expected disorder, at the default precision, holds the true one, on six
continua of 2 to 12 annotators; the truth is a plain mean over a million samples. samples: how many are drawn at the
default precision, plainly and with control variates, on every EVERY-th document of toxic_spans and on 50 simulated
documents of five annotators (`five_annotators`). NUMBER is that of one of the six continua, from 0.
`make bench` has both as rows, a quick run the samples alone.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable, Iterator, Sequence

import numpy as np

import unisono
from kinds import CATEGORIES, Kind
from measuring import SHARED, Options, Table, verdict
from unisono import Continuum
from unisono.alignment.observed import How
from unisono.chance import Shift
from unisono.dissimilarity import CombinedDissimilarity
from unisono.dissimilarity.core_documents import CoreDocuments
from unisono.measures.family import DISORDER_SHARE, NEAR_ENOUGH
from unisono.model import Corpus
from unisono.sampling import Expected, Sampling, expected
from unisono.settings import EFFORT, PRECISION

SEEDS, TRUTH = 2_000, 1_000_000
#: Of toxic_spans, one document in so many is sampled.
EVERY = 16
MODES = (True, False)
#: Samples of the truth that are drawn at once.
AT_ONCE = 50_000
HOW = How("once", 1, EFFORT * DISORDER_SHARE, near_enough=NEAR_ENOUGH * PRECISION)


def five_annotators(number: int, *, annotators: int = 5, seed: int = 2015) -> Continuum:
    """Segments of a piece of music, without gaps, by annotators who cut it more or less finely.

    A reference has 6 to 12 segments with lengths from an exponential law. Each annotator keeps each cut with a
    probability of their own between 0.4 and 1, moves it by normal noise (sigma 0.5 % of the whole), and adds cuts of
    their own: a Poisson number whose mean is between 0.5 and 60, equally likely on a logarithmic scale. Segments longer
    than a quarter of the whole are cut there. A segment has the reference's category at its middle, or with probability
    0.2 a random one.
    """
    rng = np.random.default_rng([seed, annotators, number, 5])
    whole = 300.0
    lengths = rng.exponential(1.0, int(rng.integers(6, 13)))
    reference = np.cumsum(lengths)[:-1] / lengths.sum() * whole
    labels = rng.integers(len(CATEGORIES), size=len(lengths))
    marked: dict[str, list[tuple[float, float, str]]] = {}
    for a in range(annotators):
        kept = reference[rng.random(len(reference)) < rng.uniform(0.4, 1.0)]
        kept = kept + rng.normal(0.0, 0.005 * whole, len(kept))
        own = rng.uniform(0.0, whole, rng.poisson(0.5 * 120 ** rng.random()))
        cuts = np.round(np.concatenate([kept, own]).clip(0.0, whole), 2)
        segments = marked[f"annotator {a}"] = []
        start = 0.0
        for end in np.unique([*cuts, whole]).tolist():
            while end > start:
                stop = min(end, start + whole / 4)
                label = labels[int(np.searchsorted(reference, (start + stop) / 2))]
                if rng.random() < 0.2:
                    label = rng.integers(len(CATEGORIES))
                segments.append((start, stop, CATEGORIES[label]))
                start = stop
    return Continuum.of(marked, extent=(0.0, whole), name=f"segments {annotators} number {number}")


def _add_silent_annotators(continuum: Continuum, silent: int) -> Continuum:
    """The continuum with `silent` more annotators, who marked nothing."""
    units: dict[str, list[tuple[float, float, str]]] = {
        name: [(unit.start, unit.end, str(unit.category)) for unit in continuum.units_of(name)]
        for name in continuum.annotators
    }
    units |= {f"silent {i}": [] for i in range(silent)}
    assert continuum.extent is not None
    return Continuum.of(
        units, extent=(continuum.extent.start, continuum.extent.end), name=f"{continuum.name}, {silent} silent"
    )


#: Six continua of 2 to 12 annotators; in the third a ninth of the draws have no unit and are repeated.
CONTINUA: dict[str, Callable[[], Continuum]] = {
    "2x8": lambda: Kind(2, 8, 1.0)[0],
    "3x6": lambda: Kind(3, 6, 1.0)[1],
    "1 and 2 silent": lambda: _add_silent_annotators(Kind(2, 4, 0.5)[2], 2),
    "5x3 without gaps": lambda: Kind(5, 3, 0.0)[3],
    "7x2": lambda: Kind(7, 2, 1.0)[4],
    "12x2": lambda: Kind(12, 2, 1.0)[5],
}


def sample(continua: Sequence[Continuum], plan: Sampling, seed: int) -> list[Expected]:
    """The random continua of each continuum, as γ draws and searches them."""
    columns = CoreDocuments.of(continua, CombinedDissimilarity().fitted(Corpus(tuple(continua))), judged=False)
    return expected(columns, Shift(), plan, seed=seed, how=HOW)


def true_disorder(continuum: Continuum, samples: int) -> tuple[float, float]:
    """The plain mean over so many samples, and its standard error."""
    parts = [
        sample([continuum], Sampling(samples=min(AT_ONCE, samples - at), plain=True), 10**6 + at)[0].disorders
        for at in range(0, samples, AT_ONCE)
    ]
    values = np.concatenate(parts)
    return float(values.mean()), float(values.std(ddof=1)) / math.sqrt(len(values))


def coverage(seeds: int, truth: int, number: int | None = None) -> Iterator[dict[str, object]]:
    """A row for each continuum, or for one: how often the interval holds the truth, plain and with control variates."""
    chosen = list(CONTINUA.items())
    for name, make in chosen if number is None else chosen[number : number + 1]:
        continuum = make()
        true, error = true_disorder(continuum, truth)
        row: dict[str, object] = {"case": name, "expected": f"{true:.4f} ± {error:.4f}"}
        for plain in MODES:
            estimates = [sample([continuum], Sampling(plain=plain), seed)[0].disorder for seed in range(seeds)]
            found = [each for each in estimates if each is not None]
            inside = [low <= true <= high for low, high in (each.interval(0.95) or (0, 0) for each in found)]
            errors = np.array([each.mean - true for each in found])
            what = "plain" if plain else "variates"
            row[f"held, {what}"] = f"{np.mean(inside):.3f}"
            row[f"samples, {what}"] = int(np.median([each.n for each in found]))
            row[f"bias in s.e., {what}"] = f"{errors.mean() / errors.std():+.3f}"
        yield row


def samples(every: int) -> Iterator[dict[str, object]]:
    """A row for each corpus: the median number of samples at the default precision, and the CPU time."""
    toxic = SHARED / "corpora" / "toxic_spans"
    corpora: dict[str, list[Continuum]] = {"five annotators": [five_annotators(i) for i in range(50)]}
    if toxic.is_dir():
        corpus = unisono.read(toxic / "units.csv.gz", participation=toxic / "participation.csv.gz")
        chosen = [corpus[i] for i in range(0, len(corpus), every)]
        measurable = [each for each in chosen if 1 < each.n_annotators < 100 and each.n_units]
        corpora[f"toxic_spans, every {every}th"] = measurable
    for name, continua in corpora.items():
        row: dict[str, object] = {"case": name, "documents": len(continua)}
        for plain in (True, False):
            before = time.process_time()
            drawn = [each.n_samples for each in sample(continua, Sampling(plain=plain), 1)]
            what = "plain" if plain else "variates"
            row[f"median, {what}"], row[f"all, {what}"] = int(np.median(drawn)), sum(drawn)
            row[f"CPU s, {what}"] = f"{time.process_time() - before:.1f}"
        yield row


def run(options: Options) -> Table:
    """The table of `make bench`."""
    table = Table("control_variates", "Fewer samples", ("case", "plain", "with control variates", "bar", "verdict"))
    options.say("  samples at the default precision")
    for row in samples(EVERY):
        plain, fewer = (int(str(row[f"median, {what}"])) for what in ("plain", "variates"))
        table.add(
            case=f"{row['case']}: median number of samples",
            plain=plain,
            **{"with control variates": fewer},
            bar="half of the plain ones",
            verdict=verdict(fewer <= plain / 2),
            values=[plain, fewer],
        )
    for number in () if options.is_quick else range(len(CONTINUA)):
        options.say(f"  coverage, continuum {number + 1} of {len(CONTINUA)}")
        (row,) = coverage(SEEDS, TRUTH, number)
        plain_share, share = (float(str(row[f"held, {what}"])) for what in ("plain", "variates"))
        table.add(
            case=f"{row['case']}: intervals of {SEEDS:,} that hold the truth",
            plain=f"{plain_share:.3f}",
            **{"with control variates": f"{share:.3f}"},
            bar="0.93 to 0.97",
            verdict=verdict(0.93 <= share <= 0.97),
            values=[plain_share, share],
        )
    if not (SHARED / "corpora").is_dir():
        table.notes.append("toxic_spans was skipped: no corpora at hand (UNISONO_SHARED)")
    return table


def main() -> None:
    what, *numbers = sys.argv[1:] or ["coverage"]
    given = [int(number) for number in numbers]
    rows = samples(*given or [EVERY]) if what == "samples" else coverage(*[*given, *(SEEDS, TRUTH)[len(given) :]])
    for i, row in enumerate(rows):
        if i == 0:
            print(*row, sep=" | ")
        print(*row.values(), sep=" | ", flush=True)


if __name__ == "__main__":
    main()
