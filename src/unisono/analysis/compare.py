# SPDX-License-Identifier: MIT
"""Comparison of two agreements: their difference, its interval over documents, and a permutation test.

Three designs, by what is exchanged under the null hypothesis: *paired*, the same documents on both sides; *unpaired*,
different documents on each side; *annotators*, two groups of annotators on the same documents.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from unisono.api import measure as measure_corpus
from unisono.api import split_dissimilarity
from unisono.chance import Mosaic, chance_model
from unisono.dissimilarity import Dissimilarity
from unisono.errors import CorpusError, ParameterError
from unisono.frames import Backend, build_frame, columns_of
from unisono.intervals.bootstrap import RESAMPLES, difference_interval
from unisono.intervals.permutation import (
    ENOUGH_PERMUTATIONS,
    Permuted,
    check_permutations,
    exchange_test,
    split_test,
    swap_test,
    too_few_permutations,
)
from unisono.intervals.random_words import RandomWords
from unisono.intervals.ratios import Ratios, document_ratios
from unisono.intervals.uncertainty import Uncertainty
from unisono.io.read import as_corpus
from unisono.measures import MEASURES
from unisono.measures.measure_names import measure_name
from unisono.model import Continuum, Corpus, FloatArray
from unisono.results import TEXT_MEASURE, Interval, Result
from unisono.settings import draw_seed

Design = Literal["paired", "unpaired", "annotators"]
DESIGNS: tuple[Design, ...] = ("paired", "unpaired", "annotators")

#: Version of the JSON of a comparison. 1: the first.
SCHEMA = 1
#: How many permutations are drawn if there are too many to enumerate.
PERMUTATIONS = 9_999
#: The same if the groups of each must be aligned again.
PERMUTATIONS_OF_ANNOTATORS = 999

#: Parameters that may differ between the two results: they change the precision of a value, not its meaning.
MAY_DIFFER = frozenset(
    {"measures", "samples", "precision", "level", "extent", "effort", "time_limit", "memory_limit", "threads"}
)


@dataclass(frozen=True)
class Comparison:
    """The value of a minus that of b, with its interval and a permutation test.

    `p` is two-sided, and None if no test is possible; `reason` then says why. `is_exact`: all permutations were
    enumerated.
    """

    measure: str
    design: Design
    a: float | None
    b: float | None
    difference: float | None
    interval: Interval | None
    p: float | None
    n_permutations: int
    is_exact: bool
    #: Number of documents compared, on each side.
    documents: tuple[int, int]
    signature: str
    seed: int
    reason: str | None = None
    notes: tuple[str, ...] = ()
    category: str | None = None

    def to_dict(self) -> dict[str, Any]:
        return {
            "schema": SCHEMA,
            "measure": self.measure,
            "category": self.category,
            "design": self.design,
            "a": {"value": self.a, "documents": self.documents[0]},
            "b": {"value": self.b, "documents": self.documents[1]},
            "difference": self.difference,
            "interval": self.interval and self.interval.to_dict(),
            "p": self.p,
            "n_permutations": self.n_permutations,
            "is_exact": self.is_exact,
            "reason": self.reason,
            "notes": list(self.notes),
            "signature": self.signature,
            "seed": self.seed,
        }

    def to_frame(self, *, backend: Backend | None = None) -> Any:
        """A data frame with one row, so that several comparisons can be put below each other."""
        row = {name: value for name, value in self.to_dict().items() if name not in ("schema", "seed")}
        return build_frame(columns_of([row]), backend)

    def __str__(self) -> str:
        from importlib import import_module

        # Imported by name: the report is a layer above.
        return str(import_module("unisono.report.comparison_table").plain(self))


def compare(
    a: Any,
    b: Any,
    *,
    design: Design = "unpaired",
    measure: str = "gamma",
    category: str | None = None,
    permutations: int | None = None,
    resamples: int = RESAMPLES,
    level: float = 0.95,
    seed: int | None = None,
    dissimilarity: Dissimilarity | None = None,
    **options: Any,
) -> Comparison:
    """Compare the agreement of a with that of b.

    a, b: results of `measure`, or anything that `measure` takes (a Corpus, a path), measured here with `dissimilarity`,
    `seed` and `options`. For the design "annotators": data, the units of each group.
    design: "unpaired" exchanges documents between the sides; "paired" swaps a and b within the documents that both
    have; "annotators" permutes annotators between the groups within each document, and aligns them again.
    category: for measures that have one value per category.
    permutations: how many are drawn, by default 9,999 (999 for "annotators"); if there are no more, all of them.

    The difference is that of the pooled values; if paired, over the documents that could be measured on both sides.
    Undefined (None, with the reason): a side without a value; fewer than 20 distinct permutations (no p).
    A paired comparison without a common document raises a CorpusError.
    """
    if design not in DESIGNS:
        raise ParameterError.of(
            f"{design!r} is not a design", f"Choose a [[design]] among {', '.join(DESIGNS)}.", code="design"
        )
    wanted = (
        (PERMUTATIONS_OF_ANNOTATORS if design == "annotators" else PERMUTATIONS)
        if permutations is None
        else permutations
    )
    check_permutations(wanted)
    seed = draw_seed(seed)
    dissimilarity, options = split_dissimilarity(dissimilarity, options)
    plan = _Plan(measure_name(measure), category, wanted, resamples, level, seed, {"level": level, **options})
    if design == "annotators":
        return _compare_groups(plan.corpus(a), plan.corpus(b), plan, dissimilarity)
    first, second = _results(a, b, plan, dissimilarity)
    return _compare_sides(first, second, design, plan)


@dataclass(frozen=True)
class _Plan:
    """The settings of a comparison, in any design."""

    measure: str
    category: str | None
    permutations: int
    resamples: int
    level: float
    seed: int
    options: Mapping[str, Any]

    def corpus(self, data: Any) -> Corpus:
        """The data of one side, read for the measure."""
        return as_corpus(data, for_texts=self.measure == TEXT_MEASURE)

    def result(self, corpus: Corpus, dissimilarity: Dissimilarity | None) -> Result:
        return measure_corpus(
            corpus, self.measure, seed=self.seed, dissimilarity=dissimilarity, intervals=False, **self.options
        )

    def check_category(self, categories: Iterable[str | None], *, is_per_category: bool) -> None:
        """Raise if the measure has values per category and no known category is given, or the other way round."""
        known = sorted({category for category in categories if category is not None})
        listed = ", ".join(map(repr, known[:20])) + (", ..." if len(known) > 20 else "")
        if is_per_category and self.category is None:
            raise ParameterError.of(
                f"{self.measure} has one value for each category, and no category was chosen",
                f"Choose a [[category]] among {listed}.",
                code="no-category",
            )
        if self.category is not None and not is_per_category:
            raise ParameterError.of(
                f"{self.measure} has no value for the category {self.category!r}",
                "Leave the [[category]] out, or choose a measure with values per category, such as gamma-k.",
                code="no-category",
            )
        if self.category is not None and self.category not in known:
            raise ParameterError.of(
                f"there is no category {self.category!r}", f"The categories are {listed}.", code="unknown-category"
            )

    def ratios(self, result: Result) -> Ratios:
        return document_ratios(result, self.measure, self.category)

    def comparison(
        self,
        design: Design,
        a: Ratios,
        b: Ratios,
        test: Permuted,
        interval: Uncertainty,
        signature: str,
        notes: Iterable[str],
    ) -> Comparison:
        difference = None if a.value is None or b.value is None else a.value - b.value
        reason, p = test.reason, test.p
        more = list(notes)
        if difference is None:
            side = "a" if a.value is None else "b"
            reason, p = f"side {side} has no value: the expected disorder is 0 in every document", None
        elif interval.interval is None:
            more.append(f"no interval: {interval.reason}")
        parts = {
            "design": design,
            "permutations": "all" if test.is_exact else test.n_permutations,
            "resamples": self.resamples,
            "level": f"{self.level:g}",
            "test-seed": self.seed,
        }
        return Comparison(
            measure=self.measure,
            design=design,
            a=a.value,
            b=b.value,
            difference=difference,
            interval=interval.interval if difference is not None else None,
            p=p,
            n_permutations=test.n_permutations,
            is_exact=test.is_exact,
            documents=(len(a), len(b)),
            signature="|".join([signature, *(f"{key}:{value}" for key, value in parts.items())]),
            seed=self.seed,
            reason=reason,
            notes=(*more, *interval.notes),
            category=self.category,
        )


def _results(a: Any, b: Any, plan: _Plan, dissimilarity: Dissimilarity | None) -> tuple[Result, Result]:
    """The results of both sides, measured with the same dissimilarity, which is fitted to the data of both."""
    data = [side if isinstance(side, Result) else plan.corpus(side) for side in (a, b)]
    fitted = _fit(dissimilarity, [side for side in data if isinstance(side, Corpus)])
    first, second = (side if isinstance(side, Result) else plan.result(side, fitted) for side in data)
    differing = sorted(
        key
        for key in {*first.parameters, *second.parameters} - MAY_DIFFER
        if first.parameters.get(key) != second.parameters.get(key)
    )
    if differing:
        raise ParameterError.of(
            "the two results were measured with different parameters ("
            + "; ".join(f"{key}: {first.parameters.get(key)} and {second.parameters.get(key)}" for key in differing)
            + ")",
            "Measure one of them again with the parameters of the other.",
            code="compare-parameters",
        )
    return first, second


def _compare_sides(first: Result, second: Result, design: Design, plan: _Plan) -> Comparison:
    values = [result.measures[plan.measure] for result in (first, second) if plan.measure in result.measures]
    plan.check_category(
        (category for value in values for category in value.per_category or ()),
        is_per_category=any(value.per_category for value in values),
    )
    a, b = plan.ratios(first), plan.ratios(second)
    paired = design == "paired"
    notes = []
    if paired:
        known = {document.name for document in first.documents} & {document.name for document in second.documents}
        if not known:
            raise _no_common_document(
                [document.name for document in first.documents], [document.name for document in second.documents]
            )
        total = max(len(first.documents), len(second.documents))
        in_b = set(b.names)
        common = [name for name in a.names if name in in_b]
        a, b = a.take(common), b.take(common)
        if len(common) < total:
            notes.append(f"{len(common)} of {total} documents could be measured on both sides; the others are left out")
    else:
        for name, side, result in (("a", a, first), ("b", b, second)):
            if len(side) < len(result.documents):
                notes.append(f"{len(side)} of {len(result.documents)} documents of {name} could be measured")
    test = (swap_test if paired else exchange_test)(a, b, permutations=plan.permutations, seed=plan.seed)
    interval = difference_interval(a, b, paired=paired, level=plan.level, seed=plan.seed, resamples=plan.resamples)
    return plan.comparison(design, a, b, test, interval, first.signature, notes)


def _compare_groups(first: Corpus, second: Corpus, plan: _Plan, dissimilarity: Dissimilarity | None) -> Comparison:
    """Two groups of annotators: the annotators of each document are split into groups again and again."""
    chance = plan.options.get("chance")
    if isinstance(chance_model(chance) if isinstance(chance, str) else chance, Mosaic):
        raise ParameterError.of(
            "groups of annotators are permuted within documents, and the chance model `corpus` mixes documents",
            "Leave [[chance]] out, or choose a model of single documents, such as shift.",
            code="chance",
        )
    categories = {*first.labels(), *second.labels()}
    plan.check_category(categories, is_per_category=MEASURES[plan.measure].is_per_category)
    fitted = _fit(dissimilarity, [first, second])
    known = {continuum.name for continuum in second}
    # Sorted, so that the permutations drawn do not depend on the order of the documents.
    names = sorted(continuum.name for continuum in first if continuum.name in known)
    if not names:
        raise _no_common_document([c.name for c in first], [c.name for c in second])
    usable = [name for name in names if min(first[name].n_annotators, second[name].n_annotators) >= 2]
    if not usable:
        raise CorpusError.of(
            f"none of the {len(names)} documents of both groups has two annotators in each",
            "Give groups of at least two annotators of the same documents.",
            code="too-few-annotators",
        )
    notes = []
    total = max(len(first), len(second))
    if len(usable) < total:
        notes.append(f"{len(usable)} of {total} documents have two annotators in each group; the others are left out")
    documents = [first[name].join(second[name]) for name in usable]
    groups = [first[name].annotators for name in usable]
    distinct = math.prod(math.comb(d.n_annotators, len(g)) for d, g in zip(documents, groups, strict=True))
    splits, picks = _splits(documents, groups, distinct, plan)
    tables, signature = _split_tables(documents, splits, plan, fitted)
    a, b = (
        Ratios(tuple(usable), *(np.array([table[0, column + i] for table in tables]) for i in (0, 1)))
        for column in (0, 2)
    )
    if picks is None:
        test = too_few_permutations(distinct, f"annotators of {len(usable)} document{'s' * (len(usable) > 1)}")
    else:
        test = split_test(tables, picks, is_exact=distinct - 1 <= plan.permutations)
    interval = difference_interval(a, b, paired=True, level=plan.level, seed=plan.seed, resamples=plan.resamples)
    return plan.comparison("annotators", a, b, test, interval, signature, notes)


#: For each document the possible groups a, the observed one first: rows of annotators' numbers.
_Splits = list[NDArray[np.int64]]


def _splits(
    documents: Sequence[Continuum], groups: Sequence[tuple[str, ...]], distinct: int, plan: _Plan
) -> tuple[_Splits, NDArray[np.int64] | None]:
    """The splits that are needed, and which of them each permutation uses; None if there are too few permutations."""
    observed = [
        np.array([[document.annotators.index(name) for name in group]], dtype=np.int64)
        for document, group in zip(documents, groups, strict=True)
    ]
    if distinct < ENOUGH_PERMUTATIONS:
        return observed, None
    splits: _Splits = []
    columns = []
    draws = RandomWords(plan.seed, "permutation annotators")
    every = distinct - 1 <= plan.permutations
    for document, first in zip(documents, observed, strict=True):
        n, size = document.n_annotators, first.shape[1]
        if every:
            chosen = np.array(list(itertools.combinations(range(n), size)), dtype=np.int64)
        else:
            order = np.argsort(draws.words(plan.permutations * n).reshape(-1, n), axis=1)
            chosen = np.sort(order[:, :size], axis=1)
        rows, place = np.unique(np.concatenate([first, chosen]), axis=0, return_inverse=True)
        place = place.reshape(-1)
        # Put the observed split first.
        rank = np.argsort(np.argsort(np.arange(len(rows)) != place[0], kind="stable"), kind="stable")
        splits.append(rows[np.argsort(rank, kind="stable")])
        columns.append(rank[place[1:]])
    if every:
        grid = itertools.product(*(range(len(rows)) for rows in splits))
        return splits, np.array(list(grid), dtype=np.int64)
    return splits, np.stack(columns, axis=1)


def _split_tables(
    documents: Sequence[Continuum], splits: _Splits, plan: _Plan, dissimilarity: Dissimilarity | None
) -> tuple[list[FloatArray], str]:
    """For each document the ratios of both groups under each of its splits; every group is measured once.

    Each round measures one group of every document, so that documents keep their names and their random numbers.
    """
    sides: list[list[tuple[tuple[int, ...], tuple[int, ...]]]] = []
    for document, rows in zip(documents, splits, strict=True):
        everybody = range(document.n_annotators)
        sides.append([(row, tuple(i for i in everybody if i not in row)) for row in map(tuple, rows.tolist())])
    needed = [list(dict.fromkeys(group for split in rows for group in split)) for rows in sides]
    measured: list[dict[tuple[int, ...], tuple[float, float]]] = [{} for _ in documents]
    signature = ""
    for turn in range(max(map(len, needed))):
        at = {document.name: i for i, document in enumerate(documents) if turn < len(needed[i])}
        groups = [(documents[i], needed[i][turn]) for i in at.values()]
        corpus = Corpus(tuple(c.restrict(c.annotators[code] for code in group) for c, group in groups))
        result = plan.result(corpus, dissimilarity)
        signature = signature or result.signature
        ratios = plan.ratios(result)
        for name, top, bottom in zip(
            ratios.names, ratios.numerators.tolist(), ratios.denominators.tolist(), strict=True
        ):
            measured[at[name]][needed[at[name]][turn]] = top, bottom
    # A group without a value has weight 0, as in every pooled value.
    nothing = (0.0, 0.0)
    return [
        np.array([(*pairs.get(first, nothing), *pairs.get(second, nothing)) for first, second in rows])
        for rows, pairs in zip(sides, measured, strict=True)
    ], signature


def _fit(dissimilarity: Dissimilarity | None, corpora: Sequence[Corpus]) -> Dissimilarity | None:
    """The dissimilarity fitted to all data; None stays None, since the default one is not fitted."""
    if dissimilarity is None:
        return None
    # Only the labels matter here; renamed, because document names must be unique in a corpus.
    continua = [
        continuum.rename(f"{side} {continuum.name}") for side, corpus in enumerate(corpora) for continuum in corpus
    ]
    return dissimilarity.fitted(Corpus(tuple(continua)))


def _no_common_document(first: Sequence[str], second: Sequence[str]) -> CorpusError:
    def some(names: Sequence[str]) -> str:
        return ", ".join(map(repr, names[:3])) + (", ..." if len(names) > 3 else "")

    return CorpusError.of(
        f"the sides have no document in common: {some(first)} against {some(second)}",
        "Give the same documents the same names, or compare different documents with the [[design]] unpaired.",
        code="no-common-document",
    )
