# SPDX-License-Identifier: MIT
"""Agreement by annotator: every two annotators, each against the rest, all but one, all against a reference.

Every value is the one that `measure` gives for the corpus restricted to those annotators: same documents, same extents,
same seed. Subsets that several tables need are measured once (subsets.py).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np

from unisono.analysis.label_mapping import best_label_mapping, without_collisions
from unisono.analysis.subsets import Pair, Part, Subsets, subsets_of_result
from unisono.api import plan_measurement, split_dissimilarity
from unisono.arrays import repeat
from unisono.dissimilarity import Dissimilarity
from unisono.errors import CorpusError, ParameterError, show_settings
from unisono.frames import Backend, Rows, build_frame, columns_of, pair_columns
from unisono.intervals.bootstrap import difference_interval
from unisono.intervals.jackknife import documents_interval
from unisono.intervals.ratios import Ratios
from unisono.io.read import as_corpus
from unisono.measures.computation import Progress
from unisono.measures.measure_names import measure_name
from unisono.model import Corpus
from unisono.model.units import unknown_annotators
from unisono.results import TEXT_MEASURE, Interval, MeasureValue, Reason, ReasonCode, Result

#: The value of two annotators without a document in common.
NO_COMMON_DOCUMENT = MeasureValue(
    None, reason="no document was seen by both", reason_code="no-common-document", documents_measured=0
)


@dataclass(frozen=True)
class AgainstRest:
    """One annotator: agreement with each of the others, beside that of the others among themselves.

    value: pooled over all pairs of this annotator and another one; others: pooled over the pairs without this
    annotator, on the documents that this annotator saw; gap = others - value, positive if this annotator agrees less;
    contribution: disorder of the pairs of this annotator beyond that of average pairs, weight * (observed - (1 - value
    of all pairs) * expected), summed. Intervals are over documents.
    """

    annotator: str
    value: float | None
    interval: Interval | None
    others: float | None
    gap: float | None
    gap_interval: Interval | None
    documents: int
    reason: str | None = None
    contribution: float | None = None

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
            "contribution": self.contribution,
        }


@dataclass(frozen=True)
class AnnotatorMatrix:
    """The value of every two annotators, on the documents that both saw.

    `values` has the pairs that share a document, names in order; `matrix["bob", "ann"]` works for any two.
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
    def against_rest(self) -> Rows[AgainstRest]:
        """Each annotator against the rest, in the order of the names."""
        return Rows(_against_rest_rows(self))

    @property
    def outlier(self) -> str | None:
        """The annotator whose agreement with the others is furthest below the others' own; None if there is none.

        Needs three annotators. Some annotator is almost always lowest: look at the gap and its interval.
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

    def to_frame(self, shape: Literal["long", "wide"] = "long", *, backend: Backend | None = None) -> Any:
        """ "long": one row for each two annotators; "wide": the values as a square, with a row for each annotator."""
        return build_frame(pair_columns(self.to_dict(), shape), backend)

    def __str__(self) -> str:
        return _text(self)


@dataclass(frozen=True)
class LeftOut:
    """The agreement without one annotator, on the documents that this annotator saw with two others.

    gain = without - everybody, positive if agreement is better without this annotator.
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
    """Each annotator measured with the reference alone, and the unweighted mean of those values."""

    measure: str
    reference: str
    values: Mapping[str, MeasureValue]
    mean: float | None
    #: The categories that were renamed before measuring; None if no mapping was asked for.
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

    def to_frame(self, *, backend: Backend | None = None) -> Any:
        """One row for each annotator, with the value against the reference."""
        return build_frame(columns_of(self.to_dict()["annotators"]), backend)

    def __str__(self) -> str:
        return _text(self)


def pairwise(
    data: Any,
    measure: str = "gamma",
    *,
    dissimilarity: Dissimilarity | None = None,
    progress: Progress | None = None,
    **settings: Any,
) -> AnnotatorMatrix:
    """The value of every two annotators on the documents that both saw; `settings` are those of `measure`.

    data: what `measure` takes, or a Result that it gave, whose settings are used and whose values are not measured
    again. Undefined (None, with the reason): two annotators without a document in common; as `measure` says.

    >>> import unisono
    >>> letters = unisono.corpus({"one": {"ann": [(0, 5)], "bob": [(0, 5)], "cem": [(3, 8)]}})
    >>> pairwise(letters, seed=1, samples=30)["bob", "ann"].value
    1.0
    """
    known = _known_table("matrix", data, measure, dissimilarity, settings)
    return known or matrix_of(_subsets_of(data, measure, dissimilarity, settings), progress)


def matrix_of(subsets: Subsets, progress: Progress | None = None) -> AnnotatorMatrix:
    """The values of every two annotators."""
    names = subsets.corpus.annotators
    if len(names) < 2:
        raise _too_few_annotators(names)
    parts = subsets.pairs()
    subsets.measure_all(parts.values(), progress)
    values: dict[Pair, MeasureValue] = {}
    ratios: dict[Pair, Ratios] = {}
    signature = ""
    for pair, part in parts.items():
        values[pair], ratios[pair] = _pair_value(subsets, part)
        if not signature and values[pair].reason_code != ReasonCode.REFUSED:
            signature = subsets.signature(part)
    resolved = subsets.plan.resolved
    return AnnotatorMatrix(subsets.measure, names, values, ratios, resolved.level, resolved.seed, signature)


def against_rest(data: Any, measure: str = "gamma", **options: Any) -> Rows[AgainstRest]:
    """Each annotator against the rest: the values of `pairwise`, pooled by annotator; same options."""
    return pairwise(data, measure, **options).against_rest


def leave_one_out(
    data: Any,
    measure: str = "gamma",
    *,
    dissimilarity: Dissimilarity | None = None,
    progress: Progress | None = None,
    **settings: Any,
) -> Rows[LeftOut]:
    """The agreement without each annotator in turn, on the documents that this annotator saw with two others.

    data: as for `pairwise`. Undefined (None, with the reason): no such document; a value that `measure` cannot compute.
    """
    known = _known_table("left_out", data, measure, dissimilarity, settings)
    return known or left_out_of(_subsets_of(data, measure, dissimilarity, settings), progress)


def annotator_tables(
    data: Any,
    measure: str = "gamma",
    *,
    dissimilarity: Dissimilarity | None = None,
    progress: Progress | None = None,
    **settings: Any,
) -> tuple[AnnotatorMatrix, Rows[LeftOut]]:
    """`pairwise` and `leave_one_out` together, which share what they measure; of two annotators nobody is left out."""
    subsets = _subsets_of(data, measure, dissimilarity, settings)
    matrix = matrix_of(subsets, progress)
    return matrix, left_out_of(subsets, progress) if len(matrix.annotators) >= 3 else Rows()


def left_out_of(subsets: Subsets, progress: Progress | None = None) -> Rows[LeftOut]:
    """The agreement without each annotator in turn."""
    corpus, resolved = subsets.corpus, subsets.plan.resolved
    names = corpus.annotators
    if len(names) < 3:
        raise _too_few_annotators(names, 3)
    crowded = [i for i, continuum in enumerate(corpus) if continuum.n_annotators >= 3]
    whole = subsets.part(crowded)
    parts = {
        name: subsets.part([i for i in crowded if name in corpus[i].annotators], set(names) - {name}) for name in names
    }
    subsets.measure_all([whole, *parts.values()], progress)
    of_whole = subsets.ratios(whole) if crowded else Ratios.of([])
    rows = []
    for name, part in parts.items():
        if not part:
            reason = "no document was seen by this annotator and two others"
            rows.append(LeftOut(name, None, None, None, None, 0, reason))
            continue
        try:
            rest = subsets.ratios(part)
        except CorpusError as error:
            rows.append(LeftOut(name, None, None, None, None, 0, _reason(error)))
            continue
        # Documents that can be measured both with and without this annotator.
        both = sorted(set(rest.names) & set(of_whole.names))
        without, everybody = rest.take(both), of_whole.take(both)
        if without.value is None or everybody.value is None:
            reason = "the expected disagreement is 0 in every document"
            rows.append(LeftOut(name, without.value, everybody.value, None, None, len(both), reason))
            continue
        gain = difference_interval(without, everybody, paired=True, level=resolved.level, seed=resolved.seed)
        difference = without.value - everybody.value
        rows.append(LeftOut(name, without.value, everybody.value, difference, gain.interval, len(both)))
    return Rows(rows)


def with_reference(
    data: Any,
    reference: str,
    measure: str = "gamma",
    *,
    label_mapping: Mapping[str, str] | str | None = None,
    dissimilarity: Dissimilarity | None = None,
    **settings: Any,
) -> ReferenceResult:
    """Each annotator measured with one of them, the reference, on the documents that both saw.

    label_mapping: {category of the others: category of the reference}, or "best" for `best_label_mapping`; categories
    that a mapping leaves out stay as they are, and are marked if the reference has a category of the same name.
    An unknown annotator raises a ParameterError.

    >>> import unisono
    >>> letter = unisono.continuum({"ann": [(0, 5, "PERSON")], "bob": [(9, 12, "CITY")], "gold": [(0, 5, "PER")]})
    >>> result = with_reference(letter, "gold", label_mapping="best", seed=1, samples=30)
    >>> result.mapping, result.values["ann"].observed
    ({'PERSON': 'PER'}, 0.0)
    """
    dissimilarity, settings = split_dissimilarity(dissimilarity, settings)
    corpus = as_corpus(data, for_texts=measure_name(measure) == TEXT_MEASURE)
    check_annotator(corpus, reference)
    others = [name for name in corpus.annotators if name != reference]
    if not others:
        raise _too_few_annotators([reference])
    mapping: Mapping[str, str] | None = None
    notes: list[str] = []
    if label_mapping is not None:
        if isinstance(label_mapping, str):
            if label_mapping != "best":
                raise ParameterError.of(
                    f"the label mapping is {label_mapping!r}",
                    "Give a mapping of categories, or 'best', as [[label_mapping]].",
                    code="label-mapping",
                )
            mapping = best_label_mapping(corpus, reference, dissimilarity=dissimilarity)
            notes.append("the mapping of categories was chosen to agree best on these data: the values are optimistic")
        else:
            mapping = label_mapping
        full = without_collisions(corpus, reference, mapping)
        corpus = corpus.relabel(full, set(corpus.annotators) - {reference})
    subsets = _subsets_of(corpus, measure, dissimilarity, settings)
    parts = {
        name: subsets.part(
            [i for i, c in enumerate(subsets.corpus) if {name, reference} <= set(c.annotators)], (name, reference)
        )
        for name in others
    }
    subsets.measure_all(parts.values())
    values = {name: _pair_value(subsets, part)[0] for name, part in parts.items()}
    measured = [part for name, part in parts.items() if part and values[name].reason_code != ReasonCode.REFUSED]
    signature = subsets.signature(measured[0]) if measured else ""
    defined = [value.value for value in values.values() if value.value is not None]
    return ReferenceResult(
        subsets.measure,
        reference,
        values,
        sum(defined) / len(defined) if defined else None,
        mapping,
        subsets.plan.resolved.seed,
        signature,
        None if defined else "no annotator could be measured against the reference",
        tuple(notes),
    )


def check_annotator(corpus: Corpus, name: str) -> None:
    """Raise a ParameterError that suggests similar names if the corpus has no annotator of that name."""
    if name not in corpus.annotators:
        raise unknown_annotators([name], corpus.annotators)


def groups(data: Any, first: Sequence[str], second: Sequence[str]) -> tuple[Corpus, Corpus]:
    """The corpus restricted to each of two groups of annotators, for `compare` with design "annotators"."""
    corpus = as_corpus(data)
    for name in (*first, *second):
        check_annotator(corpus, name)
    twice = sorted(set(first) & set(second))
    if twice:
        raise ParameterError.of(
            f"{', '.join(map(repr, twice))} {'is' if len(twice) == 1 else 'are'} in both groups",
            "Name each annotator in one group only.",
            code="annotator-twice",
        )
    return corpus.restrict(first), corpus.restrict(second)


def _subsets_of(data: Any, measure: str, dissimilarity: Dissimilarity | None, settings: Mapping[str, Any]) -> Subsets:
    """What to measure subsets of: the corpus of a result, with its values, or data with settings of their own."""
    measure = measure_name(measure)
    if not isinstance(data, Result):
        executor, settings = settings.get("executor"), {k: v for k, v in settings.items() if k != "executor"}
        return Subsets(*plan_measurement(data, [measure], dissimilarity, executor, settings), measure)
    if settings or dissimilarity is not None:
        given = [*settings, *(() if dissimilarity is None else ("dissimilarity",))]
        raise ParameterError.of(
            f"a result has its own settings, and {', '.join(f'[[{name}]]' for name in given)} cannot be changed",
            "Give the data instead of the result.",
            code="settings-of-result",
        )
    return subsets_of_result(data, measure)


def _known_table(
    table: str, data: Any, measure: str, dissimilarity: Dissimilarity | None, settings: Mapping[str, Any]
) -> Any:
    """What a report on a result measured: the table of this name of its `details`; None if there is none."""
    if not isinstance(data, Result) or settings or dissimilarity is not None:
        return None
    matrix = getattr(data.details, "matrix", None)
    is_of_measure = matrix is not None and matrix.measure == measure_name(measure)
    return getattr(data.details, table) if is_of_measure else None


def _pair_value(subsets: Subsets, part: Part) -> tuple[MeasureValue, Ratios]:
    """The value of two annotators, and the weighted disorders behind it."""
    nothing = Ratios.of([])
    if not part:
        return NO_COMMON_DOCUMENT, nothing
    try:
        value = subsets.value(part).overall
    except CorpusError as error:
        return MeasureValue.undefined(Reason(ReasonCode.REFUSED, _reason(error)), documents_measured=0), nothing
    try:
        return value, subsets.ratios(part)
    except ParameterError:
        return value, nothing  # a measure that is not pooled by weights


def _against_rest_rows(matrix: AnnotatorMatrix) -> tuple[AgainstRest, ...]:
    number = {name: i for i, name in enumerate(matrix.annotators)}
    rows = [(pair, ratios) for pair, ratios in matrix.ratios.items() if len(ratios)]
    names = sorted({name for _, ratios in rows for name in ratios.names})
    place = {name: i for i, name in enumerate(names)}
    # One row for each document of each pair.
    first, second = (
        repeat([number[pair[side]] for pair, _ in rows], [len(ratios) for _, ratios in rows]) for side in (0, 1)
    )
    document = np.array([place[name] for _, ratios in rows for name in ratios.names], dtype=np.intp)
    top = np.concatenate([np.empty(0), *(ratios.numerators for _, ratios in rows)])
    bottom = np.concatenate([np.empty(0), *(ratios.denominators for _, ratios in rows)])

    def pool(chosen: Any, seen: Any) -> Ratios:
        sums = (np.bincount(document[chosen], column[chosen], minlength=len(names))[seen] for column in (top, bottom))
        return Ratios(tuple(names[i] for i in seen.tolist()), *sums)

    results = []
    everybody = pool(np.ones(len(document), dtype=bool), np.arange(len(names)))
    for name, code in number.items():
        own = (first == code) | (second == code)
        seen = np.unique(document[own])
        mine = pool(own, seen)
        if mine.value is None:
            reason = "no pair with another annotator could be measured"
            results.append(AgainstRest(name, None, None, None, None, None, 0, reason))
            continue
        others = pool(~own, seen)
        interval = documents_interval(mine.numerators, mine.denominators, level=matrix.level)
        gap = difference_interval(others, mine, paired=True, level=matrix.level, seed=matrix.seed)
        results.append(
            AgainstRest(
                name,
                mine.value,
                interval.interval,
                others.value,
                None if others.value is None else others.value - mine.value,
                None if others.value is None else gap.interval,
                len(seen),
                "no document was also seen by two others" if others.value is None else None,
                None if everybody.value is None else mine.beyond(everybody.value),
            )
        )
    return tuple(results)


def _reason(error: CorpusError) -> str:
    """The problems as the reason of an undefined value."""
    return "; ".join(show_settings(problem.message or f"needs {problem.expected}") for problem in error.problems)


def _too_few_annotators(names: Sequence[str], needed: int = 2) -> CorpusError:
    count = f"only {', '.join(map(repr, names))}" if names else "no annotator"
    message = f"the data have {count}; at least {'two' if needed == 2 else 'three'} annotators are needed"
    return CorpusError.of(message, code="too-few-annotators")


def _text(result: AnnotatorMatrix | ReferenceResult) -> str:
    from importlib import import_module

    # Imported by name: the report is a layer above.
    return str(import_module("unisono.report.annotator_tables").plain(result))
