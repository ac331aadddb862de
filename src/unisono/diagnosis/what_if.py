# SPDX-License-Identifier: MIT
"""What would γ be if one thing were settled? Changed data, measured again with the original's random numbers.

The gains rank the causes of disagreement. They overlap, because settling one thing moves alignments and disorders of
the others, and do not add up.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np

from unisono.alignment.observed import How, aligned_pairs, observe
from unisono.api import Plan
from unisono.chance import CoreModel, number_like
from unisono.diagnosis.finding import is_elsewhere
from unisono.diagnosis.plans import EXPLAINED, NOT_REPEATABLE, explained_measure, plan_of
from unisono.diagnosis.settled import (
    FEWEST_FOR_MAJORITY,
    add_missed,
    join_splits,
    merge_categories,
    remove_lone,
    settle_boundaries,
    settle_categories,
)
from unisono.dissimilarity import CombinedDissimilarity
from unisono.dissimilarity.categorial import Nominal
from unisono.dissimilarity.core_documents import CoreDocuments
from unisono.intervals.random_words import RandomWords
from unisono.json_objects import to_json
from unisono.measures.gamma import one_minus_ratio
from unisono.measures.pooling import overall
from unisono.model import CATEGORY, Alignment, Continuum, Corpus, FloatArray
from unisono.nouns import called, quantity
from unisono.results import MeasureValue, Result
from unisono.sampling import Sampling

Settled = Literal["categories", "boundaries", "missed", "added", "splits", "annotator", "categories-merged"]

#: At most this many documents are measured again, chosen at random if there are more.
MOST_DOCUMENTS = 2_000
#: Units in random continua up to which the result's own number of samples is drawn again; beyond it, SAMPLES.
MOST_UNITS = 200_000
#: Random continua of each document where the result's own number would take too long.
SAMPLES = 30
#: An expected disorder below this share of that of all documents is only rounding error.
NOTHING_LEFT = 1e-9
#: Pairs of categories that are merged: those that cause the most disorder.
PAIRS = 5

#: Called as (rows done, rows in all, what is settled next).
Progress = Callable[[int, int, str], None]

TWO_ANNOTATORS = "two annotators have no majority"
NO_CATEGORIES = "the units have no categories that are compared"
TEXT_ONLY = "text-γ compares texts: only annotators are left out"


@dataclass(frozen=True)
class WhatIf:
    """What the value would be if one thing were settled, and the gain; None with the reason where it is not defined.

    subject: {"annotator": name} of the one left out, {"category", "other_category"} of those merged; else empty.
    """

    settled: Settled
    subject: Mapping[str, str]
    gamma: float | None
    gain: float | None
    reason: str | None
    sentence: str
    #: The value that the gain begins at: that of the documents measured again, unchanged, with as many random continua.
    now: float | None = None

    def to_dict(self) -> dict[str, Any]:
        return to_json(self)


def what_if(result: Result, *, progress: Progress | None = None) -> tuple[WhatIf, ...]:
    """One row for each thing that could be settled, the largest gain first, rows without a value last.

    categories: units of a unitary alignment get the category of their majority; boundaries: the median ones; missed:
    what a majority marked is added for those who did not; added: units that one annotator alone marked are left out;
    splits: pieces that most others have as one unit are joined; annotator: each is left out in turn;
    categories-merged: the pairs of categories that cause the most disorder become one. The extents stay.

    The changed documents are aligned again and compared with random continua drawn with the original's random numbers:
    as many as the result has, or 30 of each document where these would be many (the values that they are compared with
    are then those of the same 30). Of more than 2,000 documents, 2,000 are chosen at random. A row's gain is its γ
    minus that of the same documents unchanged; leaving an annotator out leaves documents out that only one other saw.

    >>> import unisono
    >>> ann, bob = [(0, 5, "A"), (8, 12, "B"), (20, 26, "A")], [(0, 5, "A"), (8, 12, "A"), (20, 26, "A")]
    >>> rows = what_if(unisono.measure(unisono.continuum({"ann": ann, "bob": bob, "cem": ann}), seed=1))
    >>> rows[0].settled, rows[0].gamma, rows[0].sentence  # doctest: +ELLIPSIS
    ('categories', 1.0, 'If aligned units had the category of their majority, γ would be 1.00 (+0...).')
    """
    measure = explained_measure(result)
    if measure is None or result.corpus is None or result[measure].value is None:
        return ()
    plan = plan_of(result)
    if plan is None:
        return tuple(
            WhatIf(settled, {}, None, None, NOT_REPEATABLE, f"{title}: not known, because {NOT_REPEATABLE}.")
            for settled, title in _TITLES.items()
        )
    work = _Work.of(result, result.corpus, measure, plan)
    changes = list(_changes(work))
    rows = []
    for done, (settled, subject, variants) in enumerate(changes):
        if progress is not None:
            progress(done, len(changes), settled)
        rows.append(work.row(settled, subject, variants))
    rows += work.rows_without_annotators()
    if progress is not None:
        progress(len(changes), len(changes), "")
    return tuple(sorted(rows, key=lambda row: (row.gain is None, -(row.gain or 0.0))))


#: What is settled, in words.
_TITLES: Mapping[Settled, str] = {
    "categories": "If aligned units had the category of their majority",
    "boundaries": "If aligned units had their median boundaries",
    "missed": "If everybody had marked the units that a majority marked",
    "added": "If units that one annotator alone marked were left out",
    "splits": "If units that most others have in one piece were joined",
}

#: The changed documents by number, or the reason why nothing can be settled.
_Variants = Mapping[int, Continuum] | str


@dataclass(frozen=True)
class _Work:
    """The documents that are measured again, their alignments, and their values before any change."""

    corpus: Corpus
    measure: str
    plan: Plan
    numbers: tuple[int, ...]
    alignments: Mapping[int, Alignment]
    base: Mapping[int, MeasureValue]
    feature: str
    #: The value of the result.
    value: float

    @classmethod
    def of(cls, result: Result, corpus: Corpus, measure: str, plan: Plan) -> _Work:
        measured = [i for i, document in enumerate(result.documents) if document[measure].value is not None]
        numbers = _choose(measured, result, measure)
        size = sum((result.documents[i][measure].n_samples or 0) * corpus[i].n_units for i in numbers)
        values = {i: result.documents[i][measure] for i in numbers}
        resolved = replace(plan.resolved, tie_range=False)
        if size > MOST_UNITS:
            given = resolved.sampling.samples
            samples = SAMPLES if given is None else min(given, SAMPLES)
            sampling = Sampling(samples=samples, level=resolved.level, plain=True)  # as the values with fewer samples
            plan = replace(plan, resolved=replace(resolved, sampling=sampling))
            values = _with_fewer_samples(values, sampling.n_first)
        else:
            plan = replace(plan, resolved=resolved)
        dissimilarity = resolved.dissimilarity
        feature = dissimilarity.feature if isinstance(dissimilarity, CombinedDissimilarity) else CATEGORY
        value = result[measure].value
        assert value is not None
        alignments = _alignments(result, corpus, plan, numbers)
        work = cls(corpus, measure, plan, tuple(numbers), alignments, values, feature, value)
        if not work.is_independent or any(value.value is None for value in values.values()):
            return replace(work, base=work.compute({i: corpus[i] for i in numbers}))
        return work

    @property
    def is_independent(self) -> bool:
        """Whether the value of a document does not depend on the others."""
        chance = self.plan.resolved.chance
        return not (isinstance(chance, CoreModel) and chance.is_shared)

    @property
    def has_categories(self) -> bool:
        dissimilarity = self.plan.resolved.dissimilarity
        is_compared = not isinstance(dissimilarity, CombinedDissimilarity) or dissimilarity.beta > 0
        return (is_compared or self.measure == "gamma-cat") and bool(self.corpus.labels(self.feature))

    def compute(self, documents: Mapping[int, Continuum]) -> dict[int, MeasureValue]:
        """The values of changed documents, drawn with the random numbers of those of the corpus."""
        if not documents:
            return {}
        continua = [number_like(changed, self.corpus[i]) for i, changed in documents.items()]
        measured = self.plan.compute(Corpus(tuple(continua)), [self.measure])[self.measure]
        return dict(zip(documents, measured.documents, strict=True))

    def row(self, settled: Settled, subject: Mapping[str, str], variants: _Variants) -> WhatIf:
        """The row of these changes to some of the documents."""
        title = _TITLES.get(settled) or _merged_title(subject)
        if isinstance(variants, str):
            return WhatIf(settled, subject, None, None, variants, f"{title}: not defined, because {variants}.")
        changed = {i: new for i, new in variants.items() if new is not self.corpus[i]}
        if not self.is_independent and changed:
            changed = {i: variants.get(i, self.corpus[i]) for i in self.numbers}
        values = {**self.base, **self.compute(changed)}
        return self._value_row(settled, subject, title, values, bool(changed))

    def rows_without_annotators(self) -> Iterator[WhatIf]:
        """A row for each annotator left out; different annotators' documents are measured together."""
        seen: dict[str, list[int]] = {}
        for i in self.numbers:
            for name in self.corpus[i].annotators:
                seen.setdefault(name, []).append(i)
        values: dict[tuple[int, str], MeasureValue] = {}
        if self.is_independent:
            turns: dict[int, dict[int, str]] = {}
            for i in self.numbers:
                if self.corpus[i].n_annotators > 2:
                    for turn, name in enumerate(self.corpus[i].annotators):
                        turns.setdefault(turn, {})[i] = name
            for chosen in turns.values():
                computed = self.compute({i: _leave_out(self.corpus[i], name) for i, name in chosen.items()})
                values |= {(i, chosen[i]): value for i, value in computed.items()}
        for name in sorted(seen):
            title, subject = f"Without {called('annotator', name)}", {"annotator": name}
            gone = {i for i in seen[name] if self.corpus[i].n_annotators <= 2}
            changed = {i: values[i, name] for i in seen[name] if (i, name) in values}
            if not self.is_independent:
                kept = [i for i in self.numbers if i not in gone]
                mine = set(seen[name])
                changed = self.compute(
                    {i: _leave_out(self.corpus[i], name) if i in mine else self.corpus[i] for i in kept}
                )
            n_kept = len(self.numbers) - len(gone)
            if not n_kept:
                reason = "no document would have two annotators"
                yield WhatIf("annotator", subject, None, None, reason, f"{title}: not defined, because {reason}.")
                continue
            before = self._sums - sum(map(_weighted_disorders, (self.base[i] for i in gone)), np.zeros(2))
            after = before - sum(map(_weighted_disorders, (self.base[i] for i in changed)), np.zeros(2))
            after = after + sum(map(_weighted_disorders, changed.values()), np.zeros(2))
            if min(before[1], after[1]) <= NOTHING_LEFT * self._sums[1]:  # what is left may be undefined
                left = {i: changed.get(i, self.base[i]) for i in self.numbers if i not in gone}
                yield self._value_row("annotator", subject, title, left, True)
                continue
            now, then = _ratio(before), _ratio(after)
            where = self._where("annotator", n_kept, now)
            letters = EXPLAINED[self.measure]
            sentence = f"{title}, {letters} would be {then:.2f} ({then - now:+.2f}){where}."
            yield WhatIf("annotator", subject, then, then - now, None, sentence, now)

    @cached_property
    def _sums(self) -> FloatArray:
        """Weighted observed and expected disorder of all documents unchanged."""
        return np.array(
            [math.fsum(column) for column in zip(*map(_weighted_disorders, self.base.values()), strict=True)]
        )

    def _value_row(
        self,
        settled: Settled,
        subject: Mapping[str, str],
        title: str,
        values: Mapping[int, MeasureValue],
        is_changed: bool,
    ) -> WhatIf:
        level = self.plan.resolved.level
        now = overall([self.base[i] for i in values], level).value
        then = overall(list(values.values()), level) if is_changed else None
        value = now if then is None else then.value
        if value is None or now is None:
            reason = (then.reason if then is not None else None) or "there is no value to compare with"
            return WhatIf(settled, subject, None, None, reason, f"{title}: not defined, because {reason}.")
        gain = value - now
        letters = EXPLAINED[self.measure]
        if not is_changed:
            sentence = f"{title}, nothing would change."
        else:
            sentence = f"{title}, {letters} would be {value:.2f} ({gain:+.2f}){self._where(settled, len(values), now)}."
        return WhatIf(settled, subject, value, gain, None, sentence, now)

    def _where(self, settled: Settled, n_measured: int, now: float) -> str:
        """On which documents, where these are not all; and what the gain begins at, where that is not the value."""
        if len(self.numbers) == MOST_DOCUMENTS < len(self.corpus):
            return (
                f"; measured on {n_measured:,} of {len(self.corpus):,} documents, chosen at random, where it is "
                f"{now:.2f} now"
            )
        if settled == "annotator" and n_measured < len(self.numbers):
            return f"; in the {quantity(n_measured, 'document')} that two others saw, where it is {now:.2f} now"
        few = sum(self.corpus[i].n_annotators < FEWEST_FOR_MAJORITY for i in self.numbers)
        where = ""
        if few and settled in ("categories", "missed", "added"):
            stay = "stays as it is" if few == 1 else "stay as they are"
            where = f"; {quantity(few, 'document')} with two annotators {stay}"
        if is_elsewhere(now, self.value):
            samples = self.plan.resolved.sampling.n_first
            where += f"; measured with {samples} random continua of each document, with which it is {now:.2f} now"
        return where


def _changes(work: _Work) -> Iterator[tuple[Settled, Mapping[str, str], _Variants]]:
    """What is settled, with the changed documents."""
    if work.measure not in ("gamma", "gamma-cat"):
        for settled in _TITLES:
            yield settled, {}, TEXT_ONLY
        return
    voting = [i for i in work.numbers if work.corpus[i].n_annotators >= FEWEST_FOR_MAJORITY]
    alignments, feature = work.alignments, work.feature

    def each(change: Callable[[Alignment], Continuum], numbers: Iterable[int]) -> dict[int, Continuum]:
        return {i: change(alignments[i]) for i in numbers if i in alignments}

    if not work.has_categories:
        yield "categories", {}, NO_CATEGORIES
    else:
        yield "categories", {}, each(lambda a: settle_categories(a, feature), voting) if voting else TWO_ANNOTATORS
    yield "boundaries", {}, each(settle_boundaries, work.numbers)
    yield "missed", {}, each(lambda a: add_missed(a, feature), voting) if voting else TWO_ANNOTATORS
    yield "added", {}, each(remove_lone, voting) if voting else TWO_ANNOTATORS
    yield "splits", {}, {i: join_splits(work.corpus[i], feature) for i in work.numbers}
    if work.has_categories:
        for one, other in confused_pairs(work):
            mapping = {other: one}
            merged = {i: merge_categories(work.corpus[i], mapping, feature) for i in work.numbers}
            first, second = sorted((one, other))
            yield "categories-merged", {"category": first, "other_category": second}, merged


def confused_pairs(work: _Work) -> list[tuple[str, str]]:
    """The pairs of categories that cause the most disorder, each with the more frequent one first."""
    disorder: dict[tuple[str, str], float] = {}
    frequency: dict[str, int] = {}
    dissimilarity = work.plan.resolved.dissimilarity
    judge = None
    if isinstance(dissimilarity, CombinedDissimilarity) and not isinstance(dissimilarity.categorial, Nominal):
        judge = replace(dissimilarity, alpha=0.0, beta=1.0)
    for i, alignment in work.alignments.items():
        continuum = work.corpus[i]
        column = continuum.features.get(work.feature)
        if column is None:
            continue
        for code, count in enumerate(np.bincount(column.codes[column.codes >= 0]).tolist()):
            if count:
                frequency[column.labels[code]] = frequency.get(column.labels[code], 0) + count
        u, v, _ = aligned_pairs(alignment)
        differ = (column.codes[u] != column.codes[v]) & (column.codes[u] >= 0) & (column.codes[v] >= 0)
        u, v = u[differ], v[differ]
        if not len(u):
            continue
        cost = np.ones(len(u)) if judge is None else judge.between(continuum, u, v)
        cost = cost / (continuum.n_annotators * (continuum.n_annotators - 1) / 2)
        low, high = np.minimum(column.codes[u], column.codes[v]), np.maximum(column.codes[u], column.codes[v])
        keys, place = np.unique(low.astype(np.int64) * len(column.labels) + high, return_inverse=True)
        for key, total in zip(keys.tolist(), np.bincount(place.reshape(-1), weights=cost).tolist(), strict=True):
            names = column.labels[key // len(column.labels)], column.labels[key % len(column.labels)]
            pair = (min(names), max(names))
            disorder[pair] = disorder.get(pair, 0.0) + total
    worst = sorted(disorder, key=lambda pair: (-disorder[pair], pair))[:PAIRS]
    return [(a, b) if frequency.get(a, 0) >= frequency.get(b, 0) else (b, a) for a, b in worst]


def _choose(measured: Sequence[int], result: Result, measure: str) -> list[int]:
    """The documents that are measured again: all, or as many as allowed, chosen at random."""
    if len(measured) <= MOST_DOCUMENTS:
        return list(measured)
    # Sorted by content, so that names and order do not change the choice.
    ordered = sorted(measured, key=lambda i: (result.documents[i][measure].chance_case or "", i))
    words = RandomWords(result.seed, "what if documents").words(len(ordered))
    return sorted(ordered[place] for place in np.argsort(words, kind="stable")[:MOST_DOCUMENTS].tolist())


def _alignments(result: Result, corpus: Corpus, plan: Plan, numbers: Sequence[int]) -> dict[int, Alignment]:
    """The alignments of these documents: those of γ where the result has them, others are made."""
    known: dict[int, Alignment] = {}
    if "gamma" in result.measures:
        for i in numbers:
            alignment = result.documents[i]["gamma"].alignment
            if alignment is not None:
                known[i] = alignment
    missing = [i for i in numbers if i not in known]
    if missing and "gamma-cat" in result.measures:
        resolved = plan.resolved
        columns = CoreDocuments.of([corpus[i] for i in missing], resolved.dissimilarity, judged=False)
        observed = observe(columns, How(resolved.pairs, resolved.threads, resolved.effort))
        known |= {i: each.alignment for i, each in zip(missing, observed, strict=True)}
    return known


def _with_fewer_samples(values: Mapping[int, MeasureValue], samples: int) -> dict[int, MeasureValue]:
    """The values as the first samples of each document give them; undefined where these were not kept."""
    fewer = {}
    for i, value in values.items():
        drawn = value.chance_disorders
        if drawn is None or value.observed is None:
            fewer[i] = MeasureValue(None, reason="the random disorders were not kept")
            continue
        expected = float(np.mean(drawn[:samples]))
        again = one_minus_ratio(value.observed, expected)
        fewer[i] = replace(
            again,
            observed=value.observed,
            expected=expected,
            weight=value.weight,
            gap=value.gap,
            n_samples=min(samples, len(drawn)),
        )
    return fewer


def _weighted_disorders(value: MeasureValue) -> FloatArray:
    """Weighted observed and expected disorder; nothing where there is no value."""
    if value.value is None or value.observed is None or value.expected is None:
        return np.zeros(2)
    return (value.weight or 0.0) * np.array([value.observed, value.expected])


def _ratio(sums: FloatArray) -> float:
    """The pooled value, as `measures.pooling.overall` defines it where there is some expected disorder."""
    return float(1 - sums[0] / sums[1])


def _leave_out(continuum: Continuum, name: str) -> Continuum:
    return continuum.restrict(set(continuum.annotators) - {name})


def _merged_title(subject: Mapping[str, str]) -> str:
    first, second = (called("category", subject[name]) for name in ("category", "other_category"))
    return f"If {first} and {second} were one category"
