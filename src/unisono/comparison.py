# SPDX-License-Identifier: MIT
"""Two agreements compared: their difference, its interval over documents, and a permutation test.

Three designs, by what is exchangeable if there is no difference: *paired*, the same documents on both sides;
*unpaired*, documents of their own on each side; *annotators*, two groups of annotators on the same documents.
"""

from __future__ import annotations

import itertools
import math
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from unisono.api import LARGEST_SEED
from unisono.api import measure as measured
from unisono.dissimilarity import Dissimilarity
from unisono.errors import CorpusError, ParameterError
from unisono.inference.bootstrap import RESAMPLES, Bootstrap, difference_interval
from unisono.inference.draws import Draws
from unisono.inference.permutation import (
    ENOUGH_PERMUTATIONS,
    Permuted,
    check_permutations,
    exchange_test,
    refused,
    split_test,
    swap_test,
)
from unisono.inference.ratios import Ratios, document_ratios
from unisono.model import Continuum, Corpus, FloatArray
from unisono.regrouping import as_corpus, joined, renamed, restricted
from unisono.results import Interval, Result

#: Measures that have a value for each category, and none for all together.
PER_CATEGORY = frozenset({"gamma-k"})

Design = Literal["paired", "unpaired", "annotators"]
DESIGNS: tuple[Design, ...] = ("paired", "unpaired", "annotators")

#: Version of the JSON of a comparison. 1: the first.
SCHEMA = 1
#: How many permutations are drawn where they cannot all be looked at.
PERMUTATIONS = 9_999
#: The same where each has to be aligned anew.
REALIGNED = 999

#: Parameters of two results that may differ: they change how well a number is known, not what it means.
MAY_DIFFER = frozenset({"measures", "samples", "precision", "level", "extent", "time_limit", "memory_limit", "threads"})


@dataclass(frozen=True)
class Comparison:
    """The value of a minus that of b: how large, how sure, and whether it could be chance.

    `p` is two-sided and None where no test is possible; `reason` then says why. `is_exact` says that every
    permutation was looked at.
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
    #: Documents that count, on each side.
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

    def __str__(self) -> str:
        from importlib import import_module

        # As a result does: shown through the report, loaded by name.
        return str(import_module("unisono.report.compare").plain(self))


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
    have; "annotators" permutes annotators between the groups within each document, and aligns them anew.
    category: for measures that are given per category.
    permutations: how many are drawn, 9,999 if not given (999 for "annotators"); all, if there are no more than that.

    The difference is that of the pooled values, over the documents that count: those both sides could be measured on,
    if paired. Undefined (None, with the reason): a side without a value; fewer than 20 distinct permutations (no p).
    A paired comparison without a common document is a CorpusError.
    """
    if design not in DESIGNS:
        raise ParameterError.of(f"a design among: {', '.join(DESIGNS)}", repr(design), code="design")
    wanted = (REALIGNED if design == "annotators" else PERMUTATIONS) if permutations is None else permutations
    check_permutations(wanted)
    if seed is None:
        seed = int.from_bytes(os.urandom(4), "big")
    elif not 0 <= seed <= LARGEST_SEED:
        raise ParameterError.of("a seed from 0 to 2**64-1", str(seed), code="seed")
    plan = _Plan(measure, category, wanted, resamples, level, seed, {"level": level, **options})
    if design == "annotators":
        return _groups_compared(as_corpus(a), as_corpus(b), plan, dissimilarity)
    first, second = _results(a, b, plan, dissimilarity)
    return _sides_compared(first, second, design, plan)


@dataclass(frozen=True)
class _Plan:
    """What is asked for, whatever the design."""

    measure: str
    category: str | None
    permutations: int
    resamples: int
    level: float
    seed: int
    options: Mapping[str, Any]

    def result(self, corpus: Corpus, dissimilarity: Dissimilarity | None) -> Result:
        return measured(
            corpus, self.measure, seed=self.seed, dissimilarity=dissimilarity, intervals=False, **self.options
        )

    def check_category(self, categories: Iterable[str | None], *, is_per_category: bool) -> None:
        """A category where the measure is given per category, and one that there is; none elsewhere."""
        known = sorted({category for category in categories if category is not None})
        listed = ", ".join(map(repr, known[:20])) + (", ..." if len(known) > 20 else "")
        if is_per_category and self.category is None:
            raise ParameterError.of(
                f"a category, as {self.measure} is given per category: {listed}", "none", code="no-category"
            )
        if self.category is not None and not is_per_category:
            raise ParameterError.of(
                f"a measure that is given per category, such as gamma-k, for a category of {self.category!r}",
                self.measure,
                code="no-category",
            )
        if self.category is not None and self.category not in known:
            raise ParameterError.of(f"a category among: {listed}", repr(self.category), code="unknown-category")

    def ratios(self, result: Result) -> Ratios:
        return document_ratios(result, self.measure, self.category)

    def comparison(
        self,
        design: Design,
        a: Ratios,
        b: Ratios,
        test: Permuted,
        interval: Bootstrap,
        signature: str,
        notes: Iterable[str],
    ) -> Comparison:
        difference = None if a.value is None or b.value is None else a.value - b.value
        reason, p = test.reason, test.p
        more = list(notes)
        if difference is None:
            side = "a" if a.value is None else "b"
            reason, p = f"side {side} has no value: no document with any expected disorder", None
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
    """Both sides measured, in the same way: a scale that a dissimilarity takes from the data is taken from both."""
    data = [side if isinstance(side, Result) else as_corpus(side) for side in (a, b)]
    fitted = _fitted(dissimilarity, [side for side in data if isinstance(side, Corpus)])
    first, second = (side if isinstance(side, Result) else plan.result(side, fitted) for side in data)
    differing = sorted(
        key
        for key in {*first.parameters, *second.parameters} - MAY_DIFFER
        if first.parameters.get(key) != second.parameters.get(key)
    )
    if differing:
        raise ParameterError.of(
            "both sides measured with the same parameters",
            "; ".join(f"{key}: {first.parameters.get(key)} and {second.parameters.get(key)}" for key in differing),
            "measure one of them anew",
            code="compare-parameters",
        )
    return first, second


def _sides_compared(first: Result, second: Result, design: Design, plan: _Plan) -> Comparison:
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
            raise _no_common(
                [document.name for document in first.documents], [document.name for document in second.documents]
            )
        total = max(len(first.documents), len(second.documents))
        in_b = set(b.names)
        common = [name for name in a.names if name in in_b]
        a, b = a.taken(common), b.taken(common)
        if len(common) < total:
            notes.append(f"{len(common)} of {total} documents could be measured on both sides; the others do not count")
    else:
        for name, side, result in (("a", a, first), ("b", b, second)):
            if len(side) < len(result.documents):
                notes.append(f"{len(side)} of {len(result.documents)} documents of {name} could be measured")
    test = (swap_test if paired else exchange_test)(a, b, permutations=plan.permutations, seed=plan.seed)
    interval = difference_interval(a, b, paired=paired, level=plan.level, seed=plan.seed, resamples=plan.resamples)
    return plan.comparison(design, a, b, test, interval, first.signature, notes)


def _groups_compared(first: Corpus, second: Corpus, plan: _Plan, dissimilarity: Dissimilarity | None) -> Comparison:
    """Two groups of annotators: every document joined, then split anew."""
    chance = plan.options.get("chance")
    if (chance if isinstance(chance, str) else getattr(chance, "signature", "")).startswith("corpus"):
        raise ParameterError.of(
            "a chance model that looks at one document at a time, such as shift",
            "corpus",
            "groups are permuted within documents; leave the chance model out",
            code="chance",
        )
    plan.check_category({*first.labels(), *second.labels()}, is_per_category=plan.measure in PER_CATEGORY)
    fitted = _fitted(dissimilarity, [first, second])
    known = {continuum.name for continuum in second}
    # Sorted, so that their order in a file cannot change what is drawn.
    names = sorted(continuum.name for continuum in first if continuum.name in known)
    if not names:
        raise _no_common([c.name for c in first], [c.name for c in second])
    usable = [name for name in names if min(first[name].n_annotators, second[name].n_annotators) >= 2]
    if not usable:
        raise CorpusError.of(
            "a document with at least two annotators in each group",
            f"none among {len(names)} that both groups have",
            code="too-few-annotators",
        )
    notes = []
    total = max(len(first), len(second))
    if len(usable) < total:
        notes.append(f"{len(usable)} of {total} documents have two annotators in each group; the others do not count")
    documents = [joined(first[name], second[name]) for name in usable]
    groups = [first[name].annotators for name in usable]
    distinct = math.prod(math.comb(d.n_annotators, len(g)) for d, g in zip(documents, groups, strict=True))
    splits, picks = _splits(documents, groups, distinct, plan)
    tables, signature = _split_tables(documents, splits, plan, fitted)
    a, b = (
        Ratios(tuple(usable), *(np.array([table[0, column + i] for table in tables]) for i in (0, 1)))
        for column in (0, 2)
    )
    if picks is None:
        test = refused(distinct, f"annotators of {len(usable)} document{'s' * (len(usable) > 1)}")
    else:
        test = split_test(tables, picks, is_exact=distinct - 1 <= plan.permutations)
    interval = difference_interval(a, b, paired=True, level=plan.level, seed=plan.seed, resamples=plan.resamples)
    return plan.comparison("annotators", a, b, test, interval, signature, notes)


#: For each document its ways to make group a, the observed one first: rows of annotators' numbers.
_Splits = list[NDArray[np.int64]]


def _splits(
    documents: Sequence[Continuum], groups: Sequence[tuple[str, ...]], distinct: int, plan: _Plan
) -> tuple[_Splits, NDArray[np.int64] | None]:
    """The splits that are needed, and which of them each permutation takes; None where there are too few."""
    observed = [
        np.array([[document.annotators.index(name) for name in group]], dtype=np.int64)
        for document, group in zip(documents, groups, strict=True)
    ]
    if distinct < ENOUGH_PERMUTATIONS:
        return observed, None
    splits: _Splits = []
    columns = []
    draws = Draws(plan.seed, "permutation annotators")
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
        # The observed split to the front.
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
    """For each document the pairs of both groups under each of its splits, every group measured once.

    Round by round, each document once a round: documents keep their names, and with them their random numbers.
    """
    sides: list[list[tuple[tuple[int, ...], tuple[int, ...]]]] = []
    for document, rows in zip(documents, splits, strict=True):
        everybody = range(document.n_annotators)
        sides.append([(row, tuple(i for i in everybody if i not in row)) for row in map(tuple, rows.tolist())])
    needed = [list(dict.fromkeys(group for split in rows for group in split)) for rows in sides]
    found: list[dict[tuple[int, ...], tuple[float, float]]] = [{} for _ in documents]
    signature = ""
    for turn in range(max(map(len, needed))):
        at = {document.name: i for i, document in enumerate(documents) if turn < len(needed[i])}
        groups = [(documents[i], needed[i][turn]) for i in at.values()]
        corpus = Corpus(tuple(restricted(c, (c.annotators[code] for code in group)) for c, group in groups))
        result = plan.result(corpus, dissimilarity)
        signature = signature or result.signature
        ratios = plan.ratios(result)
        for name, top, bottom in zip(
            ratios.names, ratios.numerators.tolist(), ratios.denominators.tolist(), strict=True
        ):
            found[at[name]][needed[at[name]][turn]] = top, bottom
    # A group without a value weighs nothing, as in every pooled value.
    nothing = (0.0, 0.0)
    return [
        np.array([(*pairs.get(first, nothing), *pairs.get(second, nothing)) for first, second in rows])
        for rows, pairs in zip(sides, found, strict=True)
    ], signature


def _fitted(dissimilarity: Dissimilarity | None, corpora: Sequence[Corpus]) -> Dissimilarity | None:
    """The dissimilarity with what it takes from the data, taken from all of them; the usual one takes nothing."""
    if dissimilarity is None:
        return None
    # Only the labels matter here; names must differ in one corpus.
    continua = [
        renamed(continuum, f"{side} {continuum.name}") for side, corpus in enumerate(corpora) for continuum in corpus
    ]
    return dissimilarity.fitted(Corpus(tuple(continua)))


def _no_common(first: Sequence[str], second: Sequence[str]) -> CorpusError:
    def some(names: Sequence[str]) -> str:
        return ", ".join(map(repr, names[:3])) + (", ..." if len(names) > 3 else "")

    return CorpusError.of(
        "documents of the same name on both sides",
        f"{some(first)} against {some(second)}",
        "name them alike, or compare documents that are not the same with the unpaired design",
        code="no-common-document",
    )
