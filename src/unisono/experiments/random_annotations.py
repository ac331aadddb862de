# SPDX-License-Identifier: MIT
"""Random annotations: the mean of γ and γcat for annotators who agree only by chance.

A measure that is corrected for chance should be 0 there. A chance model estimates its parameters from the units of the
data, so the mean may be biased, the more so the fewer units there are: this module measures the bias.

Distribution of a document, the same for every annotator, all draws independent: each of 3 annotators marks N units; a
unit starts at a whole number, uniform on [0, 30 N), is 5 to 15 long, uniform on the whole numbers, and has one of four
categories, uniformly. The extent is [0, 30 N), or up to the last end if that is larger. Units of one annotator may
overlap.

Documents are measured in corpora of 20, so that the model `corpus` has continua to draw from; a mean is taken
over the documents of all corpora, its standard error over the corpora, whose documents share random continua there.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from unisono.api import measure
from unisono.model import Continuum, Corpus

N_ANNOTATORS = 3
CATEGORIES = "ABCD"
DOCUMENTS = 20
SAMPLES = 30
MODELS = ("shift", "corpus", "statistical", "positions-kept")
MEASURES = ("gamma", "gamma-cat")

#: How many corpora, by the number of units of each annotator: enough for standard errors of at most 0.005.
CORPORA: Mapping[int, int] = {3: 700, 10: 200, 100: 32}


@dataclass(frozen=True)
class Mean:
    """The mean of a measure over random documents, its standard error, and how many had no value."""

    measure: str
    model: str
    n_units: int
    mean: float
    error: float
    n_documents: int
    n_undefined: int


def random_document(rng: np.random.Generator, n_units: int, name: str) -> Continuum:
    """One document with the distribution above."""
    n, length = N_ANNOTATORS * n_units, 30 * n_units
    starts = rng.integers(0, length, n)
    ends = starts + rng.integers(5, 16, n)
    labels = [CATEGORIES[code] for code in rng.integers(0, len(CATEGORIES), n).tolist()]
    units = list(zip(starts.tolist(), ends.tolist(), labels, strict=True))
    return Continuum.of(
        {f"annotator {a}": units[a * n_units : (a + 1) * n_units] for a in range(N_ANNOTATORS)},
        extent=(0, max(length, int(ends.max()))),
        name=name,
    )


def means(n_units: int, model: str, *, n_corpora: int, seed: int = 0) -> list[Mean]:
    """The means of γ and γcat under a chance model; the same documents for every model."""
    corpus_means: dict[str, list[float]] = {name: [] for name in MEASURES}
    counts = dict.fromkeys(MEASURES, 0)
    sums = dict.fromkeys(MEASURES, 0.0)
    for c in range(n_corpora):
        rng = np.random.default_rng([seed, n_units, c])
        corpus = Corpus(tuple(random_document(rng, n_units, f"{c}/{d}") for d in range(DOCUMENTS)))
        result = measure(corpus, MEASURES, chance=model, samples=SAMPLES, seed=seed)
        for name in MEASURES:
            values = [value for d in result.documents if (value := d[name].value) is not None]
            counts[name] += len(values)
            sums[name] += math.fsum(values)
            if values:
                corpus_means[name].append(float(np.mean(values)))
    return [
        Mean(
            name,
            model,
            n_units,
            sums[name] / counts[name],
            float(np.std(corpus_means[name], ddof=1)) / math.sqrt(len(corpus_means[name])),
            counts[name],
            n_corpora * DOCUMENTS - counts[name],
        )
        for name in MEASURES
    ]


def report(*, models: Sequence[str] = MODELS, corpora: Mapping[int, int] = CORPORA, seed: int = 0) -> str:
    """The table, as `python -m unisono.experiments.random_annotations` prints it."""
    lines = [
        f"Random annotations, {N_ANNOTATORS} annotators, {SAMPLES} samples: mean and its standard error "
        "(documents without a value)",
        f"{'chance model':<16}{'units each':>10}{'documents':>11}{'γ':>20}{'γcat':>28}",
    ]
    for model in models:
        for n_units, n_corpora in corpora.items():
            gamma, cat = means(n_units, model, n_corpora=n_corpora, seed=seed)
            documents = n_corpora * DOCUMENTS
            cells = "".join(f"{m.mean:>12.4f} ± {m.error:.4f} ({m.n_undefined:>4})" for m in (gamma, cat))
            lines.append(f"{model:<16}{n_units:>10}{documents:>11}{cells}")
    return "\n".join(lines)


if __name__ == "__main__":
    print(report())
