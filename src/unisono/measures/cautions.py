# SPDX-License-Identifier: MIT
"""What a reader must know before the values: little was measured, chance is degenerate, the extent was guessed.

A caution has a code and whole sentences; nothing branches on the sentences.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np

from unisono.alignment import best_alignment
from unisono.chance import CoreModel, PositionsKept
from unisono.chance.chance_model import SingleDocumentModel
from unisono.dissimilarity import CombinedDissimilarity, Nominal, SetValued, Tree
from unisono.dissimilarity.core_documents import CoreDocuments
from unisono.measures import MEASURES
from unisono.measures.computation import Measured, is_measured
from unisono.measures.family import FIRST_SAMPLES, Budget
from unisono.measures.resolved import Resolved
from unisono.measures.sensitivity import lengthen
from unisono.model import Continuum, Corpus
from unisono.nouns import quantity
from unisono.results import Caution, CautionCode, MeasureValue
from unisono.sampling import Sampling, expected

#: A caution is given where fewer than this share of the documents, or of the annotators, was measured.
ENOUGH = 0.5
#: Degenerate chance is mentioned if at least this share of the documents has it.
MENTIONED = 0.1
#: A guessed extent matters if γ changes by this much with an extent a tenth longer.
MATTERS = 0.01
#: Random continua of each document that are drawn again with a longer extent, at most and at least.
MOST_REDRAWN, LEAST_REDRAWN = FIRST_SAMPLES, 4
#: Units that are drawn again with a longer extent: at most this many, and at most this share of those already drawn.
UNITS_REDRAWN, SHARE_REDRAWN = 20_000, 0.1
#: The expected disorder of the categories is low if it is below this share of what their frequencies alone give.
LOW = 0.5
#: Measures that take the categorial dissimilarity.
CATEGORIAL = ("gamma", "gamma-cat", "gamma-k", "soft-gamma")
#: The most reasons that one sentence lists.
MOST_REASONS = 3


def cautions_of(corpus: Corpus, values: Mapping[str, Measured], settings: Resolved) -> tuple[Caution, ...]:
    """The cautions about the values of a corpus, those about the amount of data first."""
    cautions = [*_little_measured_cautions(corpus, values)]
    # Documents may share one table of labels.
    tables = {id(continuum.categories): continuum.categories for continuum in corpus}
    cautions += undivided_categories((label for table in tables.values() for label in table), values, settings)
    if "gamma" in values:
        cautions += _degenerate_chance(corpus, values["gamma"], settings)
        cautions += _guessed_extent(corpus, values["gamma"], settings)
    if "gamma-cat" in values:
        cautions += _chance_of_categories(corpus, values, settings)
    return tuple(cautions)


# -- little measured -------------------------------------------------------------------------------------------------


class MeasuredCounts:
    """How many documents a measure has a value for, by which annotators, and why the others have none."""

    def __init__(self) -> None:
        self.n_measured = 0
        self._annotators: set[str] = set()
        self._reasons: Counter[str | None] = Counter()
        #: The first sentence of each code, and whether there are others.
        self._sentences: dict[str | None, str | None] = {}
        self._varied: set[str | None] = set()

    def add(self, annotators: Sequence[str], value: MeasureValue) -> None:
        """Count one document."""
        if is_measured(value):
            self.n_measured += 1
            self._annotators.update(annotators)
            return
        self._reasons[value.reason_code] += 1
        if self._sentences.setdefault(value.reason_code, value.reason) != value.reason:
            self._varied.add(value.reason_code)

    @property
    def n_annotators(self) -> int:
        """Annotators with a document that was measured."""
        return len(self._annotators)

    @property
    def reasons(self) -> str:
        """How many documents have no value for which reason, the most frequent first; one sentence for each code."""
        shown = [
            f"{n:,} ({'for example: ' if code in self._varied else ''}{self._sentences[code]})"
            for code, n in self._reasons.most_common(MOST_REASONS)
        ]
        rest = sum(self._reasons.values()) - sum(n for _, n in self._reasons.most_common(MOST_REASONS))
        return ", ".join([*shown, *([f"{rest:,} for other reasons"] if rest else [])])


def _little_measured_cautions(corpus: Corpus, values: Mapping[str, Measured]) -> Iterator[Caution]:
    counts = {}
    for name, measured in values.items():
        counts[name] = MeasuredCounts()
        for continuum, value in zip(corpus, measured.documents, strict=True):
            counts[name].add(continuum.annotators, value)
    yield from little_measured(len(corpus), len(corpus.annotators), counts)


def little_measured(n_documents: int, n_annotators: int, counts: Mapping[str, MeasuredCounts]) -> Iterator[Caution]:
    """Measures that rest on fewer than half of the documents or annotators; equal facts share a sentence."""
    few_documents: dict[tuple[int, str], list[str]] = {}
    few_annotators: dict[int, list[str]] = {}
    for name, count in counts.items():
        n = count.n_measured
        if n_documents < 2 or not n:
            continue  # the reason of an undefined value says so already
        if n < ENOUGH * n_documents:
            few_documents.setdefault((n, count.reasons), []).append(name)
        if count.n_annotators < ENOUGH * n_annotators:
            few_annotators.setdefault(count.n_annotators, []).append(name)
    for (n, reasons), names in few_documents.items():
        what = f"{_symbols(names)} {'rests' if len(names) == 1 else 'rest'} on"
        sentence = f"{what} {n:,} of {quantity(n_documents, 'document')}. Not measured: {reasons}."
        yield Caution(CautionCode.FEW_DOCUMENTS.value, sentence, tuple(names))
    for n, names in few_annotators.items():
        what = f"{_symbols(names)} {'says' if len(names) == 1 else 'say'} something about"
        sentence = (
            f"{what} {n:,} of {quantity(n_annotators, 'annotator')}: the others have no document that was measured."
        )
        yield Caution(CautionCode.FEW_ANNOTATORS.value, sentence, tuple(names))


def _symbols(names: Sequence[str]) -> str:
    """How the measures are written, enumerated."""
    *most, last = [MEASURES[name].symbol for name in names]
    return f"{', '.join(most)} and {last}" if most else last


def undivided_categories(labels: Iterable[str], names: Iterable[str], settings: Resolved) -> Iterator[Caution]:
    """A caution if no category contains the separator of paths or sets of labels: then all differ by the same."""
    combined = settings.dissimilarity
    categorial = combined.categorial if isinstance(combined, CombinedDissimilarity) and combined.beta > 0 else None
    measures = tuple(name for name in names if name in CATEGORIAL)
    if not isinstance(categorial, SetValued | Tree) or not measures:
        return
    distinct = set(labels)
    if len(distinct) < 2 or any(categorial.separator in label for label in distinct):
        return
    what, kind = ("a path", "tree") if isinstance(categorial, Tree) else ("a set of labels", categorial.kind)
    yield Caution(
        CautionCode.UNDIVIDED_CATEGORIES.value,
        f"No category contains {categorial.separator!r}, so none is {what} and the categorial dissimilarity {kind} "
        f"treats any two categories as equally different. Give the sign that divides them with [[category_separator]].",
        measures,
    )


# -- chance ----------------------------------------------------------------------------------------------------------


class DegenerateCounts:
    """In how many documents the random continua say little: made of one annotator's units, or all of one disorder."""

    def __init__(self, settings: Resolved):
        self._draws_from_document = isinstance(settings.chance, SingleDocumentModel)
        self._alone = self._alike = self._n = 0

    def add(self, continuum: Continuum, value: MeasureValue) -> None:
        """Count one document by its value of γ."""
        if value.n_samples is None:
            return
        self._n += 1
        if self._draws_from_document and np.count_nonzero(continuum.counts) < 2:
            self._alone += 1
        elif value.n_samples > 1 and _is_constant(value):
            self._alike += 1

    def cautions(self) -> Iterator[Caution]:
        """A caution, if there are many such documents."""
        alone, alike, n = self._alone, self._alike, self._n
        if not n or alone + alike < MENTIONED * n:
            return
        reasons = {
            "only one annotator marked units, so that chance is made of theirs alone": alone,
            "every random continuum has the same disorder": alike,
        }
        if n == 1:
            sentence = f"Chance is degenerate: {next(reason for reason, count in reasons.items() if count)}."
        else:
            counted = ", ".join(f"in {count:,} {reason}" for reason, count in reasons.items() if count)
            sentence = f"Chance is degenerate in {alone + alike:,} of {quantity(n, 'document')}: {counted}."
        yield Caution(CautionCode.DEGENERATE_CHANCE.value, sentence, ("gamma",))


def _degenerate_chance(corpus: Corpus, gamma: Measured, settings: Resolved) -> Iterator[Caution]:
    counts = DegenerateCounts(settings)
    for continuum, value in zip(corpus, gamma.documents, strict=True):
        counts.add(continuum, value)
    yield from counts.cautions()


def _is_constant(value: MeasureValue) -> bool:
    """Whether all random continua have the same disorder."""
    if value.chance_disorders is None:
        return bool(value.chance_is_constant)
    return bool(np.ptp(value.chance_disorders) == 0)


def _guessed_extent(corpus: Corpus, gamma: Measured, settings: Resolved) -> Iterator[Caution]:
    """Where extents were guessed: γ with extents a tenth longer, if that makes a difference.

    The ratio of the expected disorders is estimated from some of the random continua, drawn again with the same random
    numbers, of some of the documents. Models that draw from the whole corpus are left out.
    """
    overall, chance = gamma.overall, settings.chance
    if overall.value is None or not overall.is_near_enough or isinstance(chance, PositionsKept):
        return
    if not isinstance(chance, SingleDocumentModel):
        return
    guessed = [
        (continuum, value)
        for continuum, value in zip(corpus, gamma.documents, strict=True)
        if (value.chance_disorders is not None or value.chance_first is not None)
        and continuum.extent is not None
        and continuum.extent.source == "guessed"
    ]
    chosen, n = _choose_documents_to_redraw([(c, v) for c, v in guessed if v.expected])
    if not chosen:
        return
    before, after = _expected_sums(chosen, n, settings)
    if not (before.sum() > 0 and after.sum() > 0):  # in a few random continua, every disorder may be 0
        return
    ratio = float(after.sum() / before.sum())
    share = math.fsum((v.weight or 0.0) * (v.expected or 0.0) for _, v in guessed) / (
        math.fsum((v.weight or 0.0) * (v.expected or 0.0) for v in gamma.documents) or 1.0
    )
    longer = 1 - (1 - overall.value) / (1 + share * (ratio - 1))
    # The standard error of a ratio of two means that were drawn together.
    noise = float(np.std(after - ratio * before, ddof=1)) / math.sqrt(n) / float(before.mean())
    change = abs(longer - overall.value)
    if change < MATTERS or change < 2 * (1 - overall.value) * share * noise / ratio**2:
        return
    whose = "of the document" if len(corpus) == 1 else f"of {len(guessed):,} of {quantity(len(corpus), 'document')}"
    yield Caution(
        CautionCode.GUESSED_EXTENT.value,
        f"The extent {whose} was guessed from the units, and it matters: were it a tenth longer, γ would be about "
        f"{longer:.2f} instead of {overall.value:.2f}. Give it with [[extent]] or [[documents]].",
        ("gamma",),
    )


def _choose_documents_to_redraw(
    guessed: Sequence[tuple[Continuum, MeasureValue]],
) -> tuple[list[tuple[Continuum, MeasureValue]], int]:
    """The documents to draw again, small and large ones in proportion, and the number of samples of each."""
    if not guessed:
        return [], 0
    drawn = sum(continuum.n_units * (value.n_samples or 0) for continuum, value in guessed)
    budget = min(UNITS_REDRAWN, SHARE_REDRAWN * drawn)
    mean_units = sum(continuum.n_units for continuum, _ in guessed) / len(guessed)
    fewest = min(value.n_samples or 0 for _, value in guessed)
    n = min(fewest, max(LEAST_REDRAWN, min(MOST_REDRAWN, int(budget // mean_units))))
    n_documents = min(len(guessed), max(1, int(budget // (n * mean_units))))

    def size(each: tuple[Continuum, MeasureValue]) -> tuple[float, ...]:
        return each[1].weight or 0.0, each[1].observed or 0.0, each[1].expected or 0.0

    # Evenly spaced in the order of their weights; the content decides between equal ones, not the order of a file.
    ordered = sorted(guessed, key=size)
    places = (np.arange(n_documents) + 0.5) * len(ordered) / n_documents
    return ([ordered[int(place)] for place in places], n) if n > 1 else ([], 0)


def _expected_sums(
    chosen: Sequence[tuple[Continuum, MeasureValue]], n: int, settings: Resolved
) -> tuple[np.ndarray[tuple[int], np.dtype[np.float64]], np.ndarray[tuple[int], np.dtype[np.float64]]]:
    """The weighted disorders of each of n random corpora, with the extents as they are and a tenth longer."""
    chance = settings.chance
    assert isinstance(chance, CoreModel)
    columns = CoreDocuments.of([lengthen(continuum) for continuum, _ in chosen], settings.dissimilarity, judged=False)
    plan = Sampling(samples=n, level=settings.level, plain=True)
    longer = expected(columns, chance, plan, seed=settings.seed, how=Budget(settings).random)
    before, after = np.zeros(n), np.zeros(n)
    for (_, value), redrawn in zip(chosen, longer, strict=True):
        first = value.chance_first if value.chance_disorders is None else value.chance_disorders
        assert first is not None
        if redrawn.n_samples < n:  # a time limit ended the sampling: nothing can be compared
            return before[:0], after[:0]
        before += (value.weight or 0.0) * first[:n]
        after += (value.weight or 0.0) * redrawn.disorders
    return before, after


def _chance_of_categories(corpus: Corpus, values: Mapping[str, Measured], settings: Resolved) -> Iterator[Caution]:
    """γcat where random alignments hardly ever join different categories: few disagreements then lower it a lot.

    The case of Figure 7 of 2017: units of different categories are so different in length that they are rarely
    aligned. α on the same alignments, which expects what the frequencies of the categories give, is quoted too.
    """
    measured, dissimilarity = values["gamma-cat"], settings.dissimilarity
    overall = measured.overall
    if overall.observed is None or overall.expected is None or settings.pairs == "pygamma":
        return
    if not isinstance(dissimilarity, CombinedDissimilarity) or not isinstance(dissimilarity.categorial, Nominal):
        return
    judged = [
        (continuum, value)
        for continuum, value in zip(corpus, measured.documents, strict=True)
        if value.expected is not None and value.weight
    ]
    total = math.fsum(value.weight or 0.0 for _, value in judged)
    if total <= 0:
        return
    by_frequency = (
        math.fsum(
            (value.weight or 0.0) * _probability_of_differing(continuum, dissimilarity.feature)
            for continuum, value in judged
        )
        / total
    )
    by_chance = overall.expected / dissimilarity.delta_empty
    if not 0 < by_chance < LOW * by_frequency:
        return
    gamma = values["gamma"].documents if "gamma" in values else [None] * len(corpus)
    alignments = [
        value.alignment
        if value is not None and value.alignment is not None
        else best_alignment(
            continuum, dissimilarity, time_limit=settings.time_limit, memory_limit=settings.memory_limit
        )
        for continuum, value, own in zip(corpus, gamma, measured.documents, strict=True)
        if own.expected is not None
    ]
    from unisono.measures.aligned import alpha_of_alignments  # few results need it

    alpha = alpha_of_alignments(alignments, settings)
    beside = "" if alpha.value is None else f" α(γ), on the same alignments, is {alpha.value:.2f}."
    yield Caution(
        CautionCode.CHANCE_OF_CATEGORIES.value,
        f"By chance only {_percent(by_chance)} of the aligned pairs differ in category, where the frequencies of the "
        f"categories alone would give {_percent(by_frequency)}, so that few disagreements lower γcat a lot "
        f"({_percent(overall.observed / dissimilarity.delta_empty)} of the pairs differ).{beside}",
        ("gamma-cat",),
    )


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %" if share < 0.01 else f"{100 * share:.0f} %"


def _probability_of_differing(continuum: Continuum, feature: str) -> float:
    """The probability that two units of a document, drawn at random, differ in category."""
    column = continuum.features.get(feature)
    codes = np.zeros(0, dtype=np.int32) if column is None else column.codes[column.codes >= 0]
    n = len(codes)
    if n < 2:
        return 0.0
    counts = np.bincount(codes).astype(np.float64)
    return float(1 - (counts * (counts - 1)).sum() / (n * (n - 1)))
