# SPDX-License-Identifier: MIT
"""Whole corpora: 16,100 short documents in one call, a long continuum, and a table over real corpora."""

from __future__ import annotations

import os
import resource
import time
from dataclasses import dataclass

import unisono
from kinds import Kind
from measuring import SHARED, Options, Table, verdict

FAMILY = ["gamma", "gamma-cat", "gamma-k"]
SECONDS, MEGABYTES = 120.0, 1000.0


@dataclass(frozen=True)
class RealCorpus:
    """Where a corpus lies."""

    name: str
    units: str
    participation: str
    most: int | None = None

    def read(self) -> unisono.Corpus:
        return unisono.read(
            SHARED / "corpora" / self.units,
            participation=SHARED / "corpora" / self.participation,
            skip_invalid=True,
        )


TOXIC = RealCorpus("toxic_spans", "toxic_spans/units.csv.gz", "toxic_spans/participation.csv.gz")
OTHERS = (
    RealCorpus("conll_mturk_ner", "conll_mturk_ner/units.csv.gz", "conll_mturk_ner/participation.csv.gz"),
    RealCorpus("salami functions", "salami/functions.csv.gz", "salami/participation.csv.gz"),
    RealCorpus(
        "propaganda",
        "llm_span_annotation/propaganda.csv.gz",
        "llm_span_annotation/propaganda_participation.csv.gz",
    ),
    RealCorpus("d2t_iaa", "llm_span_annotation/d2t_iaa.csv.gz", "llm_span_annotation/d2t_iaa_participation.csv.gz"),
)


def run(options: Options) -> Table:
    columns = ("corpus", "documents", "measured", "γ", "γcat", "lowest γk", "gap", "outlier", "seconds", "docs/s", "MB")
    table = Table("corpora", "γ, γcat and every γk of whole corpora, 30 samples a document", columns)
    table.columns += ("verdict",)
    if (SHARED / "corpora").is_dir():
        for corpus in (TOXIC,) if options.is_quick else (TOXIC, *OTHERS):
            options.say(f"  {corpus.name}")
            _add(table, corpus)
    else:
        table.notes.append("the shared corpora are not here: left out")
    _add_long(table)
    table.notes.append(f"toxic_spans must take less than {SECONDS:g} s and {MEGABYTES:g} MB; the others have no bar")
    table.notes.append("outlier: the annotator furthest below the others, γ of every two, 10 samples; - where too many")
    table.notes.append("seconds: wall clock of the measuring, every core; load average after this part: "
                       f"{os.getloadavg()[0]:.1f}")  # fmt: skip
    return table


def _add(table: Table, source: RealCorpus) -> None:
    corpus = source.read()
    before = time.perf_counter()
    result = unisono.measure(corpus, FAMILY, seed=1, samples=30)
    seconds = time.perf_counter() - before
    gamma, cat, per_category = result["gamma"], result["gamma-cat"], result["gamma-k"].per_category or {}
    lowest = min(
        ((value.value, category) for category, value in per_category.items() if value.value is not None),
        default=(None, None),
        key=lambda item: item[0],
    )
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    bar = source is TOXIC
    table.add(
        corpus=source.name,
        documents=len(corpus),
        measured=gamma.documents_measured,
        **{
            "γ": f"{gamma.value:.3f}",
            "γcat": "-" if cat.value is None else f"{cat.value:.3f}",
            "lowest γk": "-" if lowest[0] is None else f"{lowest[1]} {lowest[0]:.3f}",
            "gap": f"{gamma.gap:.2%}",
            "docs/s": f"{len(corpus) / seconds:.0f}",
        },
        outlier=_outlier(corpus),
        seconds=f"{seconds:.1f}",
        MB=f"{megabytes:.0f}",
        verdict=verdict(seconds < SECONDS and megabytes < MEGABYTES) if bar else "",
        values=[seconds, megabytes],
    )
    reasons: dict[str, int] = {}
    for document in result.documents:
        if document["gamma"].value is None:
            reason = document["gamma"].reason or ""
            reasons[reason] = reasons.get(reason, 0) + 1
    for reason, count in reasons.items():
        table.notes.append(f"{source.name}: {count} documents not measured: {reason}")


def _outlier(corpus: unisono.Corpus) -> str:
    """Who is furthest below the others; "-" where there are too many annotators to measure every two."""
    if len(corpus.annotators) > 60:
        return "-"
    found = unisono.pairwise(corpus, samples=10, seed=1).outlier
    return "-" if found is None else found


def _add_long(table: Table) -> None:
    """One long continuum: 3 annotators, 10,000 units each."""
    kind = Kind(3, 10_000, 1.0)
    continuum = kind[0]
    before = time.perf_counter()
    result = unisono.measure(continuum, FAMILY, seed=1, samples=30)
    seconds = time.perf_counter() - before
    table.add(
        corpus=f"one continuum, {kind.name}",
        documents=1,
        measured=1,
        **{"γ": f"{result['gamma'].value:.3f}", "γcat": f"{result['gamma-cat'].value:.3f}"},
        gap=f"{result['gamma'].gap:.2%}",
        seconds=f"{seconds:.1f}",
        MB=f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f}",
        values=[seconds],
    )
