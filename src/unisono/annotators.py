# SPDX-License-Identifier: MIT
"""Who agrees with whom: every two annotators, each against the rest, everybody but one, all against a reference.

Every value is one that `measure` gives for the corpus as those annotators alone would have made it: same documents,
same extents, same seed.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from unisono.api import measure as measured
from unisono.dissimilarity import Dissimilarity
from unisono.errors import CorpusError, ParameterError
from unisono.inference.bootstrap import difference_interval, documents_interval
from unisono.inference.ratios import Ratios, document_ratios
from unisono.label_mapping import best_label_mapping, without_collisions
from unisono.model import Corpus
from unisono.regrouping import as_corpus, relabelled, restricted
from unisono.results import Interval, MeasureValue, Result

#: Called as (measurements done, measurements in all, what is measured).
Progress = Callable[[int, int, str], None]

Pair = tuple[str, str]

#: The value of two annotators without a document in common.
NO_COMMON_DOCUMENT = MeasureValue(None, reason="no document was seen by both", documents_measured=0)


@dataclass(frozen=True)
class AgainstRest:
    """One annotator: agreement with each of the others, beside that of the others among themselves.

    value: pooled over all pairs of this annotator and another one; others: pooled over the pairs without this
    annotator, on the documents that this annotator saw; gap = others - value, above 0 where this annotator agrees
    less. Intervals are over documents.
    """

    annotator: str
    value: float | None
    interval: Interval | None
    others: float | None
    gap: float | None
    gap_interval: Interval | None
    documents: int
    reason: str | None = None

    def to_dict(self) -> dict[str, Any]:
        return {
            "annotator": self.annotator,
            "value": self.value,
            "interval": self.interval and self.interval.to_dict(),
            "others": self.others,
            "gap": self.gap,
            "gap_interval": self.gap_interval and self.gap_interval.to_dict(),
            "documents": self.documents,
            "reason": self.reason,
        }


@dataclass(frozen=True)
class AnnotatorMatrix:
    """The value of every two annotators, on the documents that both saw.

    `values` has the pairs that share a document, names in order; `matrix["bob", "ann"]` is there for any two.
    """

    measure: str
    annotators: tuple[str, ...]
    values: Mapping[Pair, MeasureValue]
    #: Per-document numerators and denominators behind each value; empty for measures that are not pooled by weights.
    ratios: Mapping[Pair, Ratios]
    level: float
    seed: int
    signature: str

    def __getitem__(self, pair: Pair) -> MeasureValue:
        first, second = sorted(pair)
        if first == second or not {first, second} <= set(self.annotators):
            raise KeyError(pair)
        return self.values.get((first, second), NO_COMMON_DOCUMENT)

    @cached_property
    def against_rest(self) -> tuple[AgainstRest, ...]:
        """Each annotator against the rest, in the order of the names."""
        return _against_rest(self)

    @property
    def outlier(self) -> str | None:
        """The annotator whose agreement with the others is furthest below theirs among themselves; None if nobody's is.

        It takes three annotators to tell. Somebody is nearly always lowest: look at the gap and its interval.
        """
        gaps = [(each.gap, each.annotator) for each in self.against_rest if each.gap is not None and each.gap > 0]
        return max(gaps)[1] if gaps else None

    def to_dict(self) -> dict[str, Any]:
        return {
            "measure": self.measure,
            "annotators": list(self.annotators),
            "pairs": [{"annotators": list(pair), **value.to_dict()} for pair, value in self.values.items()],
            "against_rest": [each.to_dict() for each in self.against_rest],
            "outlier": self.outlier,
            "seed": self.seed,
            "signature": self.signature,
        }

    def __str__(self) -> str:
        return _shown(self)


@dataclass(frozen=True)
class LeftOut:
    """What agreement would be without one annotator, on the documents that this annotator saw with two others.

    gain = without - everybody, above 0 where agreement is better without this annotator.
    """

    annotator: str
    without: float | None
    everybody: float | None
    gain: float | None
    interval: Interval | None
    documents: int
    reason: str | None = None

    def to_dict(self) -> dict[str, Any]:
        return {
            "annotator": self.annotator,
            "without": self.without,
            "everybody": self.everybody,
            "gain": self.gain,
            "interval": self.interval and self.interval.to_dict(),
            "documents": self.documents,
            "reason": self.reason,
        }


@dataclass(frozen=True)
class ReferenceResult:
    """Each annotator with the reference as a continuum of two, and the plain mean of those values."""

    measure: str
    reference: str
    values: Mapping[str, MeasureValue]
    mean: float | None
    #: The categories that were renamed before measuring, or None where nothing was asked for.
    mapping: Mapping[str, str] | None
    seed: int
    signature: str
    reason: str | None = None
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        return {
            "measure": self.measure,
            "reference": self.reference,
            "annotators": [{"annotator": name, **value.to_dict()} for name, value in self.values.items()],
            "mean": self.mean,
            "reason": self.reason,
            "mapping": None if self.mapping is None else dict(self.mapping),
            "notes": list(self.notes),
            "seed": self.seed,
            "signature": self.signature,
        }

    def __str__(self) -> str:
        return _shown(self)


def pairwise(
    data: Any,
    measure: str = "gamma",
    *,
    seed: int | None = None,
    dissimilarity: Dissimilarity | None = None,
    level: float = 0.95,
    progress: Progress | None = None,
    **options: Any,
) -> AnnotatorMatrix:
    """The value of every two annotators on the documents that both saw; what `measure` takes besides is in `options`.

    Undefined (None, with the reason): two annotators without a document in common; as `measure` says.

    >>> import unisono
    >>> letters = unisono.corpus({"one": {"ann": [(0, 5)], "bob": [(0, 5)], "cem": [(3, 8)]}})
    >>> pairwise(letters, seed=1, samples=30)["bob", "ann"].value
    1.0
    """
    plan = _Plan.of(data, measure, seed, dissimilarity, level, options)
    names = plan.corpus.annotators
    if len(names) < 2:
        raise _too_few(names)
    # Thousands of annotators have millions of pairs; only those with a document are looked at.
    seen: dict[Pair, list[int]] = {}
    for index, continuum in enumerate(plan.corpus):
        for pair in itertools.combinations(continuum.annotators, 2):
            seen.setdefault(pair, []).append(index)
    values: dict[Pair, MeasureValue] = {}
    ratios: dict[Pair, Ratios] = {}
    signature = ""
    for done, (pair, documents) in enumerate(sorted(seen.items())):
        if progress is not None:
            progress(done, len(seen), " and ".join(pair))
        values[pair], ratios[pair], line = plan.value(documents, pair)
        signature = signature or line
    if progress is not None:
        progress(len(seen), len(seen), "")
    return AnnotatorMatrix(measure, names, values, ratios, level, plan.seed, signature)


def against_rest(data: Any, measure: str = "gamma", **options: Any) -> tuple[AgainstRest, ...]:
    """Each annotator against the rest: what `pairwise` finds, pooled by annotator; takes what `pairwise` takes."""
    return pairwise(data, measure, **options).against_rest


def leave_one_out(
    data: Any,
    measure: str = "gamma",
    *,
    seed: int | None = None,
    dissimilarity: Dissimilarity | None = None,
    level: float = 0.95,
    progress: Progress | None = None,
    **options: Any,
) -> tuple[LeftOut, ...]:
    """What agreement would be without each annotator in turn, on the documents this annotator saw with two others.

    Undefined (None, with the reason): no such document; a value that `measure` cannot give.
    """
    plan = _Plan.of(data, measure, seed, dissimilarity, level, options)
    names = plan.corpus.annotators
    if len(names) < 3:
        raise _too_few(names, 3)
    crowded = [i for i, continuum in enumerate(plan.corpus) if continuum.n_annotators >= 3]
    whole = document_ratios(plan.measured(plan.corpus[i] for i in crowded), measure) if crowded else Ratios.of([])
    found = []
    for done, name in enumerate(names):
        if progress is not None:
            progress(done, len(names), f"without {name}")
        documents = [i for i in crowded if name in plan.corpus[i].annotators]
        if not documents:
            reason = "no document was seen by this annotator and two others"
            found.append(LeftOut(name, None, None, None, None, 0, reason))
            continue
        others = (restricted(c, set(c.annotators) - {name}) for c in (plan.corpus[i] for i in documents))
        try:
            rest = document_ratios(plan.measured(others), measure)
        except CorpusError as error:
            found.append(LeftOut(name, None, None, None, None, 0, _reason(error)))
            continue
        # Documents that can be measured with this annotator and without.
        both = sorted(set(rest.names) & set(whole.names))
        without, everybody = rest.taken(both), whole.taken(both)
        if without.value is None or everybody.value is None:
            found.append(LeftOut(name, without.value, everybody.value, None, None, len(both), "nothing is expected"))
            continue
        gain = difference_interval(without, everybody, paired=True, level=level, seed=plan.seed)
        found.append(
            LeftOut(name, without.value, everybody.value, without.value - everybody.value, gain.interval, len(both))
        )
    if progress is not None:
        progress(len(names), len(names), "")
    return tuple(found)


def with_reference(
    data: Any,
    reference: str,
    measure: str = "gamma",
    *,
    label_mapping: Mapping[str, str] | str | None = None,
    seed: int | None = None,
    dissimilarity: Dissimilarity | None = None,
    level: float = 0.95,
    **options: Any,
) -> ReferenceResult:
    """The others measured against one annotator, the reference: each with the reference as a continuum of two.

    label_mapping: {category of the others: category of the reference}, or "best" for `best_label_mapping`; others'
    categories that a mapping leaves out stay as they are, marked if the reference uses the same word.
    An annotator who does not exist is a ParameterError; documents that the reference did not see do not count.

    >>> import unisono
    >>> letter = unisono.continuum({"ann": [(0, 5, "PERSON")], "bob": [(9, 12, "CITY")], "gold": [(0, 5, "PER")]})
    >>> result = with_reference(letter, "gold", label_mapping="best", seed=1, samples=30)
    >>> result.mapping, result.values["ann"].observed
    ({'PERSON': 'PER'}, 0.0)
    """
    corpus = as_corpus(data)
    check_annotator(corpus, reference)
    others = [name for name in corpus.annotators if name != reference]
    if not others:
        raise _too_few([reference])
    mapping: Mapping[str, str] | None = None
    notes: list[str] = []
    if label_mapping is not None:
        if isinstance(label_mapping, str):
            if label_mapping != "best":
                raise ParameterError.of("a mapping of categories, or 'best'", repr(label_mapping), code="label-mapping")
            mapping = best_label_mapping(corpus, reference, dissimilarity=dissimilarity)
            notes.append("categories were mapped so as to agree best on these data: the values are optimistic")
        else:
            mapping = label_mapping
        full = without_collisions(corpus, reference, mapping)
        corpus = Corpus(tuple(relabelled(c, full, set(c.annotators) - {reference}) for c in corpus), corpus.problems)
    plan = _Plan.of(corpus, measure, seed, dissimilarity, level, options)
    values: dict[str, MeasureValue] = {}
    signature = ""
    for name in others:
        documents = [i for i, c in enumerate(corpus) if name in c.annotators and reference in c.annotators]
        values[name], _, line = plan.value(documents, (name, reference))
        signature = signature or line
    defined = [value.value for value in values.values() if value.value is not None]
    return ReferenceResult(
        measure,
        reference,
        values,
        sum(defined) / len(defined) if defined else None,
        mapping,
        plan.seed,
        signature,
        None if defined else "no annotator could be measured against the reference",
        tuple(notes),
    )


def check_annotator(corpus: Corpus, name: str) -> None:
    """A ParameterError that lists close names when nobody in the corpus is called so."""
    known = corpus.annotators
    if name in known:
        return
    from difflib import get_close_matches

    close = get_close_matches(name, known, n=3, cutoff=0.5)
    listed = ", ".join(map(repr, known[:10])) + (", ..." if len(known) > 10 else "")
    raise ParameterError.of(
        f"an annotator of the data: {listed}",
        repr(name),
        f"did you mean {' or '.join(map(repr, close))}?" if close else "",
        code="unknown-annotator",
    )


def groups(data: Any, first: Sequence[str], second: Sequence[str]) -> tuple[Corpus, Corpus]:
    """The same documents as each of two groups of annotators made them, for `compare` with design "annotators"."""
    corpus = as_corpus(data)
    for name in (*first, *second):
        check_annotator(corpus, name)
    twice = sorted(set(first) & set(second))
    if twice:
        raise ParameterError.of(
            "annotators that are on one side only", ", ".join(map(repr, twice)), code="annotator-twice"
        )
    made = []
    for group in (set(first), set(second)):
        continua = (restricted(c, group & set(c.annotators)) for c in corpus if group & set(c.annotators))
        made.append(Corpus(tuple(continua), corpus.problems))
    return made[0], made[1]


@dataclass(frozen=True)
class _Plan:
    """The corpus and how every part of it is measured: one seed, one fitted dissimilarity."""

    corpus: Corpus
    measure: str
    seed: int
    dissimilarity: Dissimilarity | None
    level: float
    options: Mapping[str, Any]

    @classmethod
    def of(
        cls,
        data: Any,
        measure: str,
        seed: int | None,
        dissimilarity: Dissimilarity | None,
        level: float,
        options: Mapping[str, Any],
    ) -> _Plan:
        corpus = as_corpus(data)
        drawn = int.from_bytes(os.urandom(4), "big") if seed is None else seed
        # Fitted to everybody's categories, so that all parts are measured on one scale.
        fitted = None if dissimilarity is None else dissimilarity.fitted(corpus)
        return cls(corpus, measure, drawn, fitted, level, options)

    def measured(self, continua: Iterable[Any]) -> Result:
        return measured(
            Corpus(tuple(continua)),
            self.measure,
            seed=self.seed,
            intervals=False,
            dissimilarity=self.dissimilarity,
            level=self.level,
            **self.options,
        )

    def value(self, documents: Sequence[int], pair: Pair) -> tuple[MeasureValue, Ratios, str]:
        """The value of two annotators, the pairs behind it and the signature."""
        nothing = Ratios.of([])
        if not documents:
            return NO_COMMON_DOCUMENT, nothing, ""
        try:
            result = self.measured(restricted(self.corpus[i], pair) for i in documents)
        except CorpusError as error:
            return MeasureValue(None, reason=_reason(error), documents_measured=0), nothing, ""
        value = result[self.measure]
        try:
            return value, document_ratios(result, self.measure), result.signature
        except ParameterError:
            # A measure that is not pooled by weights has its values, and nothing to pool them by.
            return value, nothing, result.signature


def _against_rest(matrix: AnnotatorMatrix) -> tuple[AgainstRest, ...]:
    number = {name: i for i, name in enumerate(matrix.annotators)}
    rows = [(pair, ratios) for pair, ratios in matrix.ratios.items() if len(ratios)]
    names = sorted({name for _, ratios in rows for name in ratios.names})
    place = {name: i for i, name in enumerate(names)}
    # One row for each document of each pair.
    first, second = (
        np.repeat([number[pair[side]] for pair, _ in rows], [len(ratios) for _, ratios in rows]) for side in (0, 1)
    )
    document = np.array([place[name] for _, ratios in rows for name in ratios.names], dtype=np.intp)
    top = np.concatenate([np.empty(0), *(ratios.numerators for _, ratios in rows)])
    bottom = np.concatenate([np.empty(0), *(ratios.denominators for _, ratios in rows)])

    def pooled(chosen: Any, seen: Any) -> Ratios:
        sums = (np.bincount(document[chosen], column[chosen], minlength=len(names))[seen] for column in (top, bottom))
        return Ratios(tuple(names[i] for i in seen.tolist()), *sums)

    found = []
    for name, code in number.items():
        own = (first == code) | (second == code)
        seen = np.unique(document[own])
        mine = pooled(own, seen)
        if mine.value is None:
            found.append(AgainstRest(name, None, None, None, None, None, 0, "no pair with another could be measured"))
            continue
        others = pooled(~own, seen)
        interval = documents_interval(mine.numerators, mine.denominators, level=matrix.level, seed=matrix.seed)
        gap = difference_interval(others, mine, paired=True, level=matrix.level, seed=matrix.seed)
        found.append(
            AgainstRest(
                name,
                mine.value,
                interval.interval,
                others.value,
                None if others.value is None else others.value - mine.value,
                None if others.value is None else gap.interval,
                len(seen),
                "nobody else to compare with: no document with two others" if others.value is None else None,
            )
        )
    return tuple(found)


def _reason(error: CorpusError) -> str:
    """The problems in one phrase: what is missing."""
    return "; ".join(f"needs {problem.expected}" for problem in error.problems)


def _too_few(names: Sequence[str], needed: int = 2) -> CorpusError:
    return CorpusError.of(
        f"at least {'two' if needed == 2 else 'three'} annotators",
        ", ".join(map(repr, names)) or "none",
        code="too-few-annotators",
    )


def _shown(result: AnnotatorMatrix | ReferenceResult) -> str:
    from importlib import import_module

    # As a result does: shown through the report, loaded by name.
    return str(import_module("unisono.report.annotators").plain(result))
