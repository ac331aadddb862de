# SPDX-License-Identifier: MIT
"""Random continua that serve several subsets of a document's annotators: everybody but one, for each of them.

Under the shift model a random continuum of n - 1 annotators is made of n - 1 sources, drawn with replacement. Drawn
from all n annotators, it lacks some of them. Given that it lacks one, its sources are independent and equally likely
among the others, and its shifts do not depend on the sources: it is then a random continuum of the document without
that annotator. (1 - 1/n)**(n - 1) of them, more than a third, serve each annotator who is left out, so that n subsets
take less than three times the alignments of one. Each subset takes the first draws that serve it, whatever the others
take.

One thing may not be as in a measurement of the subset alone: the minimum distance between shifts, if it is the mean
length of units, is that of the whole document. Where that matters the subset is measured alone (`draws_serve`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from unisono._core import ChanceModel as CoreChanceModel
from unisono._core import ControlVariates, Kernel, ShiftModel
from unisono.alignment import CoreLimits
from unisono.chance import CoreCases, CoreModel, Shift
from unisono.chance.chance_model import Sampler, extent_of
from unisono.dissimilarity import Dissimilarity
from unisono.dissimilarity.core_documents import CoreDocuments
from unisono.dissimilarity.numbering import numbering_of
from unisono.model import Continuum, Corpus, FloatArray, IntArray
from unisono.sampling.control_variates import Variates

_Longs = NDArray[np.int64]

#: Documents with fewer annotators are measured without sharing: it would save little.
FEWEST_ANNOTATORS = 5

#: The minimum distance between shifts may differ by this share from that of the whole document: the expected disorder
#: then differs by some 0.2 %, a tenth of the usual precision.
SMALL = 0.05

#: Draws whose sources are looked at together.
BLOCK = 256


def draws_serve(subset: Continuum, whole: Continuum, shift: Shift) -> bool:
    """Whether draws from the whole document may serve this subset: its own shifts would have almost the same law."""
    if subset.n_units == 0:
        return False
    n_distances, length = subset.n_annotators - 1, extent_of(whole).length
    own, theirs = n_distances * shift.needed(subset), n_distances * shift.needed(whole)
    if (own < length) != (theirs < length):  # one has no room for the minimum distance and is drawn without it
        return False
    return own >= length or abs(own - theirs) <= SMALL * own


class DocumentDraws:
    """The random continua of one document, drawn from all its annotators, with one row fewer than it has annotators."""

    def __init__(self, document: Continuum, chance: Shift, dissimilarity: Dissimilarity, seed: int, *, judged: bool):
        self.columns = CoreDocuments.of((document,), dissimilarity, judged=judged)
        self._n = document.n_annotators
        self._model = chance.core_model(self.columns, seed, rows=np.array([self._n - 1], dtype=np.int32))
        self.number = self._number_annotators(document)
        self._lacks = np.empty((0, self._n), dtype=bool)
        self._sources = np.empty((0, self._n - 1), dtype=np.int32)
        self._aligned: dict[tuple[Any, ...], _Aligned] = {}

    def _number_annotators(self, document: Continuum) -> dict[str, int]:
        """The number of each annotator; equal annotators share one, so that leaving out either gives one value."""
        numbers, order = self.columns.numbers, self.columns.numbers.order
        rows = [column[order] for column in (numbers.starts, numbers.ends, numbers.contents)]
        firsts = np.searchsorted(numbers.annotators[order], np.arange(self._n + 1)).tolist()
        keys = [tuple(row[a:b].tobytes() for row in rows) for a, b in pairwise(firsts)]
        names = numbers.numbering(0).annotators
        return {name: keys.index(keys[number]) for number, name in enumerate(names)}

    def without(self, annotator: str, first: int, count: int) -> _Longs:
        """The draws number first .. first + count - 1 of those that lack this annotator."""
        number = self.number[annotator]
        while True:
            found = np.flatnonzero(self._lacks[:, number])
            if len(found) >= first + count:
                return found[first : first + count].astype(np.int64)
            n_known = len(self._lacks)
            n_more = max(BLOCK, n_known)
            sources = self._model.sources(0, n_known, n_more).reshape(n_more, self._n - 1)
            lacks = np.ones((n_more, self._n), dtype=bool)
            lacks[np.arange(n_more)[:, None], sources] = False
            self._lacks = np.concatenate([self._lacks, lacks])
            self._sources = np.concatenate([self._sources, sources])

    def sources(self, annotator: str, first: int, count: int, numbers: Mapping[str, int]) -> IntArray:
        """The sources of the draws that `without` gives, in the numbers of the document without this annotator.

        Where equal annotators share a number, the one left out may itself be drawn: its equal stands for it.
        """
        names = self.columns.numbers.numbering(0).annotators
        other = names[self.number[annotator]]
        own = [numbers.get(other if name == annotator else name, -1) for name in names]
        draws = self.without(annotator, first, count)
        return np.array(own, dtype=np.int32)[self._sources[draws]].ravel()

    def align(self, draws: _Longs, pairs: str, threads: int, limits: CoreLimits) -> _Aligned:
        """The outcomes of these draws, aligned unless they are known; those that the time limit left out are NaN."""
        steps, memory, _, near_enough, guard = limits
        settings = (pairs, steps, memory, near_enough, guard)
        columns = self.columns
        n_labels = len(columns.labels[0]) if columns.categories is not None else 0
        known = self._aligned.setdefault(settings, _Aligned.nothing(n_labels)).room_for(int(draws.max(initial=-1)) + 1)
        self._aligned[settings] = known
        missing = draws[np.isnan(known.disorders[draws])]
        if len(missing):
            assert columns.kernel is not None
            ones = np.ones(len(missing), dtype=np.int64)
            known.put(
                missing,
                self._model.sample(columns.kernel, 0 * ones, missing, ones, columns.categories, pairs, threads, limits),
            )
        return known.take(draws)


@dataclass(frozen=True)
class _Aligned:
    """Disorders of draws with their bounds, repeated draws and the disorders of categories; one row for each draw."""

    disorders: FloatArray
    bounds: FloatArray
    redraws: _Longs
    categories: FloatArray
    per_label: FloatArray

    @classmethod
    def nothing(cls, n_labels: int) -> _Aligned:
        return cls(np.empty(0), np.empty(0), np.empty(0, np.int64), np.empty(0), np.empty((0, n_labels)))

    @property
    def _columns(self) -> tuple[NDArray[Any], ...]:
        return self.disorders, self.bounds, self.redraws, self.categories, self.per_label

    def room_for(self, n: int) -> _Aligned:
        """The same with at least n rows; those that are not known are NaN."""
        more = max(n - len(self.disorders), 0)
        if more == 0:
            return self
        more = max(more, len(self.disorders))
        columns = []
        for column in self._columns:
            blank = np.full((more, *column.shape[1:]), np.nan if column.dtype.kind == "f" else 0, dtype=column.dtype)
            columns.append(np.concatenate([column, blank]))
        return _Aligned(*columns)

    def put(self, rows: _Longs, drawn: tuple[NDArray[Any], ...]) -> None:
        disorders, bounds, redraws, categories, per_label = drawn
        self.disorders[rows], self.bounds[rows], self.redraws[rows] = disorders, bounds, redraws
        if len(categories):
            self.categories[rows] = categories
            self.per_label[rows] = per_label.reshape(len(rows), -1)

    def take(self, rows: _Longs) -> _Aligned:
        return _Aligned(*(column[rows] for column in self._columns))


@dataclass(frozen=True, eq=False)
class SharedShift(CoreModel):
    """The shift model for documents without one of their annotators each, drawn from the whole documents.

    left_out: by name, the whole document and who is left out of it. The object keeps the draws of a document for the
    next annotator who is left out.
    """

    shift: Shift
    left_out: Mapping[str, tuple[Continuum, str]]
    kept: dict[tuple[Any, ...], DocumentDraws] = field(default_factory=dict)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "kept": {}}  # objects of the core cannot be sent to another process

    @property
    def signature(self) -> str:
        return self.shift.signature

    @property
    def is_shared(self) -> bool:
        return False

    @property
    def is_shift(self) -> bool:
        return True

    def fitted(self, corpus: Corpus) -> SharedShift:
        return self

    def model_for(self, continuum: Continuum) -> SharedShift:
        return self

    def notes(self, continuum: Continuum) -> tuple[str, ...]:
        return self.shift.notes(continuum)

    def sampler(self, continuum: Continuum, *, seed: int) -> Sampler:
        return self.shift.sampler(continuum, seed=seed)

    def shared_by(self, columns: CoreDocuments) -> tuple[str, ...]:
        wholes = [self.left_out[continuum.name][0] for continuum in columns.continua]
        return tuple(f"{self.signature} {numbering_of(whole).digest[:8].hex()} shared" for whole in wholes)

    def cases(self, columns: CoreDocuments, seed: int) -> CoreCases:
        assert columns.kernel is not None
        cases = [self._case(columns, d, seed) for d in range(len(columns.continua))]
        alone = self.shift.core_model(columns, seed)
        return CoreCases(
            cast(CoreChanceModel, _SharedModel(tuple(cases), alone)),
            np.arange(len(cases), dtype=np.int64),
            columns.labels,
            lambda: tuple(
                (*identity, "shared", case.key) for identity, case in zip(columns.identities, cases, strict=True)
            ),
            columns.kernel,
            columns.categories,
        )

    def _case(self, columns: CoreDocuments, d: int, seed: int) -> _Case:
        continuum = columns.continua[d]
        whole, annotator = self.left_out[continuum.name]
        key = (continuum.name, columns.dissimilarity.signature, columns.is_judged, seed)
        draws = self.kept.get(key)
        if draws is None:
            draws = DocumentDraws(whole, self.shift, columns.dissimilarity, seed, judged=columns.is_judged)
            self.kept[key] = draws
        place = {label: i for i, label in enumerate(draws.columns.labels[0])}
        labels = np.array([place[label] for label in columns.labels[d]], dtype=np.int32)
        numbers = {name: number for number, name in enumerate(columns.numbers.numbering(d).annotators)}
        return _Case(draws, annotator, labels, numbers, bool(np.any(continuum.counts == 0)))


@dataclass(frozen=True)
class _Case:
    """A document without one annotator: which draws serve it, and which labels of the whole document it has."""

    draws: DocumentDraws
    annotator: str
    labels: IntArray
    #: The number of each annotator who is left.
    numbers: Mapping[str, int]
    #: Whether somebody marked nothing, so that draws without any unit are possible.
    can_be_empty: bool

    @property
    def key(self) -> tuple[bytes, int]:
        """What tells its samples from those of other subsets, besides its own content."""
        return self.draws.columns.digests[0], self.draws.number[self.annotator]


@dataclass(frozen=True)
class _SharedModel:
    """Stands in for a chance model of the core: it has the methods that sampling calls.

    alone: the shift model of the documents by themselves, whose law the draws have.
    """

    of_cases: tuple[_Case, ...]
    alone: ShiftModel

    def variates(self, case: int) -> Variates:
        """The sources of samples of a case."""
        of_case = self.of_cases[case]

        def of_samples(first: int, count: int) -> ControlVariates:
            sources = of_case.draws.sources(of_case.annotator, first, count, of_case.numbers)
            return ControlVariates(self.alone, case, sources)

        return of_samples

    def sample(
        self,
        kernel: Kernel,
        cases: _Longs,
        firsts: _Longs,
        counts: _Longs,
        categories: Kernel | None,
        pairs: str,
        threads: int,
        limits: CoreLimits,
    ) -> tuple[FloatArray, FloatArray, _Longs, FloatArray, FloatArray]:
        """Samples firsts .. firsts + counts - 1 of each of the cases, one case after the other."""
        found = []
        for case, first, count in zip(cases.tolist(), firsts.tolist(), counts.tolist(), strict=True):
            of_case = self.of_cases[case]
            draws = of_case.draws.without(of_case.annotator, first, count)
            aligned = of_case.draws.align(draws, pairs, threads, limits)
            judged = (np.empty(0), np.empty(0))
            if categories is not None:
                judged = (aligned.categories, aligned.per_label[:, of_case.labels].ravel())
            found.append((aligned.disorders, aligned.bounds, aligned.redraws * of_case.can_be_empty, *judged))
        disorders, bounds, redraws, of_categories, per_label = map(np.concatenate, zip(*found, strict=True))
        return disorders, bounds, redraws, of_categories, per_label
