# SPDX-License-Identifier: MIT
"""Corpora with planted faults: how often the first finding names the fault, and how often findings name nothing there.

python bench/planted_faults.py [--corpora N] [--like NAME,...] [--faults abcdef] [--seed N] [--annotators N] [--units N]
                               [--vary]

Corpora are simulated like real ones (`ReferenceModel.fitted`), each with as many documents as give 300 units of the
reference, four annotators, and errors of everyday size: 5-10 % of the units missed, one boundary in four to ten off by
up to 10-40 % of the unit's length. The faults are those of docs/explain.md. Needs the corpora in $UNISONO_SHARED.
--vary: every corpus has a shape of its own: three, four, five or eight annotators, two to all categories, faults of 25,
30 or 45 %, starts early or late or ends early or late, splits above the 40 to 80 % quantile of the lengths, short units
up to the 20 to 35 % quantile.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from dataclasses import dataclass, replace

import numpy as np
from bench.measuring import SHARED

import unisono
from unisono.alignment.observed import observe
from unisono.diagnosis.alignment_columns import AlignedUnits
from unisono.diagnosis.costs import Costs
from unisono.diagnosis.diagnose import Diagnosis, diagnose_units
from unisono.diagnosis.explanation import findings_without_values
from unisono.diagnosis.finding import Finding
from unisono.dissimilarity.core_documents import CoreDocuments
from unisono.shuffling import (
    BoundaryHabit,
    CategoryConfusion,
    Errors,
    FalseNegatives,
    PositionErrors,
    ReferenceModel,
    Splits,
    shuffled_sets,
)

CORPORA = {
    "conll_mturk_ner": "conll_mturk_ner/units.csv.gz",
    "propaganda": "llm_span_annotation/propaganda.csv.gz",
    "salami": "salami/functions.csv.gz",
    "d2t_test": "llm_span_annotation/d2t_test.csv.gz",
    "toxic_spans": "toxic_spans/units.csv.gz",
}
#: What each fault is.
FAULTS = {
    "a": "one annotator misses 30 % more",
    "b": "two categories are confused in 30 % of their units, by all",
    "c": "one annotator starts every unit a fifth of its length early",
    "d": "one annotator splits long units",
    "e": "all miss short units",
    "f": "nothing",
}
#: All magnitude factors below are shares times ten.
MAGNITUDE = 0.1


@dataclass(frozen=True)
class Planted:
    """A fault: the errors that make it, and how a finding names it."""

    errors: tuple[Errors, ...]
    kind: str
    subject: frozenset[str]

    def is_named_by(self, finding: Finding) -> bool:
        named = frozenset(str(value) for value in finding.subject.values())
        return finding.kind == self.kind and self.subject <= named


@dataclass(frozen=True)
class Shape:
    """What may differ from one planted corpus to the next; the default is that of docs/explain.md."""

    annotators: int = 4
    #: Units missed, categories confused, in tenths.
    size: float = 3.0
    start: float = -1.0
    end: float = 0.0
    #: Quantiles of the lengths: units above the one are split, up to the other missed.
    long: float = 0.6
    short: float = 0.25
    #: Categories kept at most: the most frequent ones.
    categories: int | None = None

    @classmethod
    def drawn(cls, random: np.random.Generator) -> Shape:
        start, end = ((-1.0, 0.0), (1.0, 0.0), (0.0, -1.0), (0.0, 1.0))[random.integers(4)]
        return cls(
            annotators=int(random.choice([3, 4, 5, 8])),
            size=float(random.choice([2.5, 3.0, 4.5])),
            start=start,
            end=end,
            long=float(random.choice([0.4, 0.6, 0.8])),
            short=float(random.choice([0.2, 0.25, 0.35])),
            categories=[2, 3, 6, None][random.integers(4)],
        )

    def model(self, model: ReferenceModel, *, at_least: int) -> ReferenceModel:
        """The model with its most frequent categories."""
        if self.categories is None or len(model.prevalence) <= self.categories:
            return model
        names = sorted(model.prevalence, key=lambda name: -model.prevalence[name])[: max(self.categories, at_least)]
        return replace(model, categories={name: model.categories[name] for name in names})


def plant(
    fault: str, model: ReferenceModel, lengths: np.ndarray, random: np.random.Generator, who: str, shape: Shape
) -> Planted:
    """A fault of the size that docs/explain.md says, or of the shape."""
    if fault == "a":
        return Planted((FalseNegatives(by=(who,), magnitude_factor=shape.size),), "annotator-misses", frozenset({who}))
    if fault == "b":
        total = sum(model.prevalence.values())
        frequent = sorted(name for name, share in model.prevalence.items() if share >= 0.05 * total)
        one, other = random.choice(frequent, 2, replace=False)
        errors = CategoryConfusion(category=str(one), instead=str(other), is_mutual=True, magnitude_factor=shape.size)
        return Planted((errors,), "categories-confused", frozenset({str(one), str(other)}))
    if fault == "c":
        habit = BoundaryHabit(start=shape.start, end=shape.end, by=(who,), magnitude_factor=2)
        return Planted((habit,), "annotator-boundaries", frozenset({who}))
    if fault == "d":
        long = Splits(law="each", by=(who,), at_least=float(np.quantile(lengths, shape.long)), magnitude_factor=5)
        return Planted((long,), "annotator-splits", frozenset({who}))
    if fault == "e":
        short = FalseNegatives(at_most=float(np.quantile(lengths, shape.short)), magnitude_factor=4)
        return Planted((short,), "short-units-missed", frozenset())
    return Planted((), "", frozenset())


def everyday_errors(random: np.random.Generator) -> tuple[Errors, ...]:
    """5-10 % of the units missed, boundaries off now and then."""
    missed = FalseNegatives(magnitude_factor=random.uniform(0.5, 1.0))
    off = PositionErrors(share=random.uniform(0.1, 0.25), magnitude_factor=random.uniform(1, 4))
    return missed, off


def make_corpus(
    model: ReferenceModel, errors: tuple[Errors, ...], *, seed: int, annotators: int, units: int
) -> unisono.Corpus:
    """As many documents as have this number of units in their references."""
    documents, count, number = [], 0, 0
    while count < units:
        number += 1
        (shuffled,) = shuffled_sets(model, errors, MAGNITUDE, sets=[number], annotators=annotators, seed=seed)
        documents.append(shuffled.continuum)
        count += len(shuffled.reference)
    return unisono.Corpus(tuple(documents))


def diagnose_corpus(corpus: unisono.Corpus) -> Diagnosis:
    """The diagnosis from the alignment alone: without γ, which no finding about annotators or categories needs."""
    dissimilarity = unisono.CombinedDissimilarity()
    continua = [continuum for continuum in corpus if continuum.n_annotators >= 2 and len(continuum)]
    observed = observe(CoreDocuments.of(continua, dissimilarity, judged=False))
    units = AlignedUnits.of_alignments([each.alignment for each in observed])
    return diagnose_units(units, Costs.of(units, dissimilarity))


def find(corpus: unisono.Corpus) -> list[Finding]:
    """The findings that the alignment gives."""
    return list(findings_without_values(diagnose_corpus(corpus), corpus))


def names_somebody(finding: Finding) -> bool:
    """Whether a finding names an annotator, two categories or short units."""
    return finding.names_something


def interval(count: int, n: int) -> str:
    """The exact binomial interval at 95 %."""
    from scipy.stats import binomtest

    low, high = binomtest(count, n).proportion_ci()
    return f"{100 * count / n:.1f} % ({100 * low:.1f}-{100 * high:.1f})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpora", type=int, default=200)
    parser.add_argument("--like", default="conll_mturk_ner,propaganda,salami")
    parser.add_argument("--faults", default="abcdef")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--annotators", type=int, default=4)
    parser.add_argument("--units", type=int, default=300)
    parser.add_argument("--vary", action="store_true", help="a shape of its own for every corpus")
    parser.add_argument("--verbose", action="store_true", help="print the shapes where the fault is not named first")
    options = parser.parse_args()
    print("| planted | like | named | first | among the first two | names something else first | CPU |")
    print("|---|---|---|---|---|---|---|")
    for name in options.like.split(","):
        model = ReferenceModel.fitted(unisono.read(SHARED / "corpora" / CORPORA[name], skip_invalid=True))
        drawn = [model.draw(options.seed, name=f"lengths-{i}") for i in range(300)]
        lengths = np.concatenate([continuum.ends - continuum.starts for continuum in drawn])
        for fault in options.faults:
            counts: Counter[str] = Counter()
            started = time.process_time()
            for number in range(options.corpora):
                random = np.random.default_rng([options.seed, number, ord(fault)])
                shape = Shape.drawn(random) if options.vary else Shape(annotators=options.annotators)
                # Two categories alone have nothing to be compared with.
                like = shape.model(model, at_least=3 if fault == "b" else 1)
                who = f"annotator-{random.integers(1, shape.annotators + 1)}"
                planted = plant(fault, like, lengths, random, who, shape)
                seed = int(random.integers(2**32))
                errors = (*everyday_errors(random), *planted.errors)
                corpus = make_corpus(like, errors, seed=seed, annotators=shape.annotators, units=options.units)
                findings = find(corpus)
                places = [place for place, finding in enumerate(findings) if planted.is_named_by(finding)]
                counts["named"] += bool(places)
                counts["first"] += places[:1] == [0]
                if options.verbose and (
                    places[:1] != [0] if fault != "f" else findings and findings[0].names_something
                ):
                    print(fault, number, who, shape, [finding.sentence for finding in findings[:3]])
                counts["two"] += bool(places) and places[0] < 2
                counts["else"] += bool(findings) and names_somebody(findings[0]) and places[:1] != [0]
            cost = (time.process_time() - started) / options.corpora
            cells = [interval(counts[key], options.corpora) for key in ("named", "first", "two", "else")]
            if fault == "f":
                cells[:3] = ["", "", ""]
            print(f"| ({fault}) {FAULTS[fault]} | {name} | {' | '.join(cells)} | {1000 * cost:.0f} ms |", flush=True)


if __name__ == "__main__":
    main()
