# SPDX-License-Identifier: MIT
"""Documents restricted to some of their annotators: each (document, set of annotators) is measured once.

Pairs and everybody-but-one overlap: without one of three annotators, a pair is left; a document that only two
annotators saw is its own pair, and has been measured if the whole corpus has. Documents without one of their annotators
share random continua where those of the whole document serve them (shared_draws.py).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

from unisono.alignment.kept_alignments import AlignmentMemory, keep_alignments
from unisono.alignment.observed import Observed
from unisono.analysis.shared_draws import FEWEST_ANNOTATORS, DocumentDraws, SharedShift, draws_serve
from unisono.api import Plan
from unisono.chance import CoreModel, Shift
from unisono.errors import CorpusError, ParameterError
from unisono.intervals.ratios import Ratios, ratios_of_values
from unisono.measures import MEASURES
from unisono.measures.computation import Progress
from unisono.measures.pooling import overall
from unisono.model import Alignment, Continuum, Corpus
from unisono.results import DocumentResult, MeasureValue, Result
from unisono.sampling import Sampling

Pair = tuple[str, str]
#: A document by its number in the corpus, and some of its annotators, in the order of the names.
Subset = tuple[int, tuple[str, ...]]
#: Subsets of several documents that are measured as one corpus.
Part = tuple[Subset, ...]

#: The measures whose random continua subsets may share.
SHARING = ("gamma", "gamma-cat", "gamma-k")

#: Full searches at first of a document without one of its annotators, where the whole is known to be hard to align:
#: enough to say what short ones find too much (sampling/two_levels.py).
FIRST_OF_HARD = 8


@dataclass(frozen=True)
class PartValue:
    """The value of a part of the corpus, and those of its documents."""

    overall: MeasureValue
    documents: tuple[MeasureValue, ...]


@dataclass
class Subsets:
    """The values of one measure on subsets of the annotators of each document, under one plan.

    `result` is that of the whole corpus, if there is one: its values are taken and not measured again.
    """

    corpus: Corpus
    plan: Plan
    measure: str
    result: Result | None = None
    _alignments: AlignmentMemory = field(default_factory=AlignmentMemory, init=False)
    _documents: dict[Subset, MeasureValue] = field(default_factory=dict, init=False)
    _parts: dict[Part, PartValue] = field(default_factory=dict, init=False)
    #: The random continua that subsets share.
    _draws: dict[tuple[Any, ...], DocumentDraws] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        if self.result is None:
            return
        resolved = self.plan.resolved
        for document in self.result.documents:
            for value in document.measures.values():
                if value.alignment is not None and value.n_aligned_pairs is not None:
                    observed = Observed(value.alignment, value.n_aligned_pairs, value.n_pairs_apart or 0, None)
                    self._alignments.put(observed, resolved.dissimilarity.signature, resolved.pairs, judged=False)
        if self.measure not in self.result.measures:
            return
        everything = self.part(range(len(self.corpus)))
        values = tuple(document[self.measure] for document in self.result.documents)
        self._parts[everything] = PartValue(self.result[self.measure], values)
        if self._are_independent:
            self._documents = dict(zip(everything, values, strict=True))

    def part(self, documents: Iterable[int], annotators: Iterable[str] | None = None) -> Part:
        """These documents restricted to those of these annotators who saw them; None: to everybody."""
        wanted = None if annotators is None else set(annotators)
        return tuple(
            (i, tuple(name for name in self.corpus[i].annotators if wanted is None or name in wanted))
            for i in documents
        )

    def pairs(self) -> dict[Pair, Part]:
        """The documents of every two annotators who share one; thousands of annotators have millions of other pairs."""
        documents: dict[Pair, list[int]] = {}
        for index, continuum in enumerate(self.corpus):
            for pair in itertools.combinations(continuum.annotators, 2):
                documents.setdefault(pair, []).append(index)
        return {pair: self.part(indices, pair) for pair, indices in sorted(documents.items())}

    def value(self, part: Part) -> PartValue:
        """The value of a part, measured unless it is known; a CorpusError if it cannot be measured."""
        if part not in self._parts:
            self._parts[part] = self._pool(part) if self._are_independent else self._measure(part)
        return self._parts[part]

    def ratios(self, part: Part) -> Ratios:
        """Weighted disorders of the documents of a part; a ParameterError for measures that are not pooled so."""
        values = self.value(part).documents
        documents = [DocumentResult(self.corpus[i].name, names, 0, {}) for i, names in part]
        return ratios_of_values(documents, self.measure, values)

    def signature(self, part: Part) -> str:
        return self.plan.signature(self._restrict(part), [self.measure])

    def measure_all(self, parts: Iterable[Part], progress: Progress | None = None) -> None:
        """Measure whatever these parts need, many documents at a time; `progress` is told how many subsets are done."""
        if not self._are_independent:  # each part is measured by itself
            unmeasured = [part for part in dict.fromkeys(parts) if part and part not in self._parts]
            for done, part in enumerate(unmeasured):
                if progress is not None:
                    progress(done, len(unmeasured), " and ".join(part[0][1]))
                with suppress(CorpusError):  # raised again where the value is asked for
                    self.value(part)
            return
        unknown = [
            subset
            for subset in dict.fromkeys(subset for part in parts for subset in part)
            if subset not in self._documents
        ]
        done = 0

        def report(n: int, _: int, document: str) -> None:
            if progress is not None:
                progress(done + n, len(unknown), document)

        without_one = [subset for subset in unknown if self._lacks_one(subset)]
        # One subset of each document at a time, because the documents of a corpus have names of their own.
        for turn in _turns(each for each in unknown if each not in set(without_one)):
            self._documents.update(zip(turn, self._measure(turn, report).documents, strict=True))
            done += len(turn)
        if without_one:
            self.measure_all([self.part(dict.fromkeys(i for i, _ in without_one))])
        for turn in _turns(without_one):
            for (sampling, is_shared), group in self._by_samples(turn).items():
                values = self._measure_without_one(tuple(group), sampling, report, is_shared=is_shared).documents
                self._documents.update(zip(group, values, strict=True))
                done += len(group)

    def _lacks_one(self, subset: Subset) -> bool:
        """Whether a subset is everybody but one of many annotators, under the shift model."""
        n = self.corpus[subset[0]].n_annotators
        is_shift = self.measure in SHARING and type(self.plan.resolved.chance) is Shift
        return is_shift and n == len(subset[1]) + 1 >= FEWEST_ANNOTATORS

    def _shares(self, subset: Subset) -> bool:
        """Whether such a subset shares its random continua with the others."""
        document, chance = self.corpus[subset[0]], self.plan.resolved.chance
        assert isinstance(chance, Shift)
        return draws_serve(_restrict(document, subset[1]), document, chance)

    def _by_samples(self, part: Part) -> dict[tuple[Sampling, bool], list[Subset]]:
        """Subsets by how many random continua they are given, and whether they share them."""
        groups: dict[tuple[Sampling, bool], list[Subset]] = {}
        for subset in part:
            whole = self._documents[self.part([subset[0]])[0]]
            groups.setdefault((self._sampling_like(whole), self._shares(subset)), []).append(subset)
        return groups

    def _sampling_like(self, whole: MeasureValue) -> Sampling:
        """How many random continua a subset is given.

        The whole document and what is left of it are compared with each other: a subset takes as many as the whole
        document did. Where that took short searches, how many a subset needs of both kinds, its own samples say.
        """
        sampling = self.plan.resolved.sampling
        if whole.rough_samples is not None:
            return replace(sampling, first=min(sampling.first, FIRST_OF_HARD), hard=0.0)
        return replace(sampling, samples=sampling.samples or whole.n_samples)

    @property
    def _are_independent(self) -> bool:
        """Whether the value of a document does not depend on the others, and the pooled value only on theirs."""
        chance = self.plan.resolved.chance
        return MEASURES[self.measure].is_family and not (isinstance(chance, CoreModel) and chance.is_shared)

    def _pool(self, part: Part) -> PartValue:
        self.measure_all([part])
        values = tuple(self._documents[subset] for subset in part)
        return PartValue(overall(values, self.plan.resolved.level), values)

    def _measure(self, part: Part, progress: Progress | None = None, plan: Plan | None = None) -> PartValue:
        with keep_alignments(self._alignments):
            measured = (plan or self.plan).compute(self._restrict(part), [self.measure], progress)[self.measure]
        return PartValue(measured.overall, measured.documents)

    def _measure_without_one(self, part: Part, sampling: Sampling, progress: Progress, *, is_shared: bool) -> PartValue:
        """As `_measure`, for documents without one of their annotators each.

        The search begins with the best alignment of everybody, which halves the time that it takes.
        """
        start = {self.corpus[subset[0]].name: self._alignment_of_everybody(subset) for subset in part}
        known = {name: alignment for name, alignment in start.items() if alignment is not None}
        resolved = replace(self.plan.resolved, sampling=sampling, start=known)
        if is_shared:
            assert isinstance(resolved.chance, Shift)
            draws = SharedShift(resolved.chance, dict(map(self._left_out, part)), self._draws)
            resolved = replace(resolved, chance=draws)
        return self._measure(part, progress, replace(self.plan, resolved=resolved))

    def _alignment_of_everybody(self, subset: Subset) -> Alignment | None:
        """The best alignment of the whole document of a subset; None if it is not proven."""
        whole = self._documents[self.part([subset[0]])[0]].alignment
        return whole if whole is not None and whole.is_proven else None

    def _left_out(self, subset: Subset) -> tuple[str, tuple[Continuum, str]]:
        """The name of a document, the whole of it, and who is left out of the subset."""
        whole = self.corpus[subset[0]]
        return whole.name, (whole, next(name for name in whole.annotators if name not in subset[1]))

    def _restrict(self, part: Part) -> Corpus:
        return Corpus(tuple(_restrict(self.corpus[i], names) for i, names in part))


def subsets_of_result(result: Result, measure: str) -> Subsets:
    """Subsets of the corpus of a result; a ParameterError for a result without its corpus or its settings."""
    if result.corpus is None or result.plan is None:
        raise ParameterError.of(
            "the result was loaded, and its annotators cannot be measured without its dissimilarity",
            "Give the data instead of the result.",
            code="saved-annotators",
        )
    plan = result.plan
    if plan.resolved.reference is not None:  # most subsets do not contain the reference
        plan = Plan(replace(plan.given, reference=None), replace(plan.resolved, reference=None))
        if not MEASURES[measure].is_family:
            return Subsets(result.corpus, plan, measure)
    return Subsets(result.corpus, plan, measure, result)


def _turns(subsets: Iterable[Subset]) -> Iterator[Part]:
    """The first subset of each document, then the second of each, and so on."""
    by_document: dict[int, list[Subset]] = {}
    for subset in subsets:
        by_document.setdefault(subset[0], []).append(subset)
    for turn in itertools.zip_longest(*by_document.values()):
        yield tuple(subset for subset in turn if subset is not None)


def _restrict(continuum: Continuum, names: Sequence[str]) -> Continuum:
    return continuum if len(names) == continuum.n_annotators else continuum.restrict(names)
