# SPDX-License-Identifier: MIT
"""What a reader must know before the values: little was measured, chance is degenerate, the extent was guessed.

A caution has a code and whole sentences; nothing branches on the sentences.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from unisono.alignment import best_alignment
from unisono.chance import CoreModel, PositionsKept
from unisono.chance.chance_model import SingleDocumentModel
from unisono.dissimilarity import CombinedDissimilarity, Nominal
from unisono.dissimilarity.core_documents import CoreDocuments
from unisono.measures import MEASURES
from unisono.measures.computation import Measured, is_measured
from unisono.measures.family import Budget
from unisono.measures.resolved import Resolved
from unisono.measures.sensitivity import lengthen
from unisono.model import Continuum, Corpus
from unisono.nouns import quantity
from unisono.results import Caution, CautionCode, MeasureValue
from unisono.sampling import Sampling, expected

#: A caution is given where fewer than this share of the documents, or of the annotators, was measured.
ENOUGH = 0.5
#: Degenerate chance is mentioned from this share of the documents on.
MENTIONED = 0.1
#: A guessed extent matters if γ changes by this much with an extent a tenth longer.
MATTERS = 0.01
#: Random continua of each document that are drawn again with a longer extent, at most and at least.
MOST_REDRAWN, LEAST_REDRAWN = 10, 4
#: Units that are drawn again with a longer extent: this many, and this share of those drawn for the value, at most.
UNITS_REDRAWN, SHARE_REDRAWN = 20_000, 0.1
#: The expected disorder of the categories is low if it is below this share of what their frequencies alone give.
LOW = 0.5
#: Reasons that one sentence lists.
MOST_REASONS = 3


def cautions_of(corpus: Corpus, values: Mapping[str, Measured], settings: Resolved) -> tuple[Caution, ...]:
    """The cautions about the values of a corpus, those about the amount of data first."""
    cautions = [*_little_measured(corpus, values)]
    if "gamma" in values:
        cautions += _degenerate_chance(corpus, values["gamma"], settings)
        cautions += _guessed_extent(corpus, values["gamma"], settings)
    if "gamma-cat" in values:
        cautions += _chance_of_categories(corpus, values, settings)
    return tuple(cautions)


# -- little measured -------------------------------------------------------------------------------------------------


def _little_measured(corpus: Corpus, values: Mapping[str, Measured]) -> Iterator[Caution]:
    """Measures that rest on fewer than half of the documents or annotators; equal facts share a sentence."""
    few_documents: dict[tuple[int, str], list[str]] = {}
    few_annotators: dict[int, list[str]] = {}
    n_annotators = len(corpus.annotators)
    for name, measured in values.items():
        n = measured.overall.documents_measured
        if len(corpus) < 2 or not n:
            continue  # the reason of an undefined value says it
        if n < ENOUGH * len(corpus):
            few_documents.setdefault((n, _reasons(measured.documents)), []).append(name)
        seen = {
            annotator
            for continuum, value in zip(corpus, measured.documents, strict=True)
            if is_measured(value)
            for annotator in continuum.annotators
        }
        if len(seen) < ENOUGH * n_annotators:
            few_annotators.setdefault(len(seen), []).append(name)
    for (n, reasons), names in few_documents.items():
        what = f"{_symbols(names)} {'rests' if len(names) == 1 else 'rest'} on"
        sentence = f"{what} {n:,} of {quantity(len(corpus), 'document')}. Not measured: {reasons}."
        yield Caution(CautionCode.FEW_DOCUMENTS.value, sentence, tuple(names))
    for n, names in few_annotators.items():
        what = f"{_symbols(names)} {'says' if len(names) == 1 else 'say'} something about"
        sentence = (
            f"{what} {n:,} of {quantity(n_annotators, 'annotator')}: the others have no document that was measured."
        )
        yield Caution(CautionCode.FEW_ANNOTATORS.value, sentence, tuple(names))


def _reasons(values: Sequence[MeasureValue]) -> str:
    """How many documents have no value for which reason, the most frequent first; one sentence for each code."""
    counts = Counter(value.reason_code for value in values if not is_measured(value))
    sentences: dict[str | None, dict[str | None, None]] = {}
    for value in values:
        if not is_measured(value):
            sentences.setdefault(value.reason_code, {})[value.reason] = None
    shown = [
        f"{n:,} ({'for example: ' if len(sentences[code]) > 1 else ''}{next(iter(sentences[code]))})"
        for code, n in counts.most_common(MOST_REASONS)
    ]
    rest = sum(counts.values()) - sum(n for _, n in counts.most_common(MOST_REASONS))
    return ", ".join([*shown, *([f"{rest:,} for other reasons"] if rest else [])])


def _symbols(names: Sequence[str]) -> str:
    """How the measures are written, enumerated."""
    *most, last = [MEASURES[name].symbol for name in names]
    return f"{', '.join(most)} and {last}" if most else last


# -- chance ----------------------------------------------------------------------------------------------------------


def _degenerate_chance(corpus: Corpus, gamma: Measured, settings: Resolved) -> Iterator[Caution]:
    """Documents whose random continua say little: made of one annotator's units, or all of the same disorder."""
    alone = alike = n = 0
    for continuum, value in zip(corpus, gamma.documents, strict=True):
        if value.n_samples is None:
            continue
        n += 1
        if isinstance(settings.chance, SingleDocumentModel) and np.count_nonzero(continuum.counts) < 2:
            alone += 1
        elif value.n_samples > 1 and value.chance_disorders is not None and np.ptp(value.chance_disorders) == 0:
            alike += 1
    if not n or alone + alike < MENTIONED * n:
        return
    reasons = [
        f"in {count:,} {reason}"
        for count, reason in (
            (alone, "only one annotator marked units, so that chance is made of theirs alone"),
            (alike, "every random continuum has the same disorder"),
        )
        if count
    ]
    where = f" of {quantity(n, 'document')}" if n > 1 else ""
    sentence = f"Chance is degenerate{f' in {alone + alike:,}' if where else ''}{where}: {', '.join(reasons)}."
    if not where:
        sentence = f"Chance is degenerate: {reasons[0].split(' ', 2)[2]}."
    yield Caution(CautionCode.DEGENERATE_CHANCE.value, sentence, ("gamma",))


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
        if value.chance_disorders is not None and continuum.extent is not None and continuum.extent.source == "guessed"
    ]
    chosen, n = _redrawn([(c, v) for c, v in guessed if v.expected])
    if not chosen:
        return
    before, after = _expected_sums(chosen, n, settings)
    if not len(before):
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


def _redrawn(
    guessed: Sequence[tuple[Continuum, MeasureValue]],
) -> tuple[list[tuple[Continuum, MeasureValue]], int]:
    """The documents that are drawn again, small and large ones as they come, and how many samples of each."""
    if not guessed:
        return [], 0
    drawn = sum(continuum.n_units * (value.n_samples or 0) for continuum, value in guessed)
    budget = min(UNITS_REDRAWN, SHARE_REDRAWN * drawn)
    mean_units = sum(continuum.n_units for continuum, _ in guessed) / len(guessed)
    fewest = min(len(value.chance_disorders) for _, value in guessed if value.chance_disorders is not None)
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
        assert value.chance_disorders is not None
        if redrawn.n_samples < n:  # a time limit ended the sampling: nothing can be compared
            return before[:0], after[:0]
        before += (value.weight or 0.0) * value.chance_disorders[:n]
        after += (value.weight or 0.0) * redrawn.disorders
    return before, after


def _chance_of_categories(corpus: Corpus, values: Mapping[str, Measured], settings: Resolved) -> Iterator[Caution]:
    """γcat where random alignments hardly ever join different categories: a small observed disagreement is then large.

    The case of Figure 7 of 2017: units of different categories are so different in length that they are rarely
    aligned. α on the same alignments, which expects what the frequencies of the categories give, stands beside it.
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
        math.fsum((value.weight or 0.0) * _differing(continuum, dissimilarity.feature) for continuum, value in judged)
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
        f"categories alone would give {_percent(by_frequency)}: γcat then takes few disagreements for many "
        f"({_percent(overall.observed / dissimilarity.delta_empty)} of the pairs differ).{beside}",
        ("gamma-cat",),
    )


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %" if share < 0.01 else f"{100 * share:.0f} %"


def _differing(continuum: Continuum, feature: str) -> float:
    """The probability that two units of a document, drawn at random, differ in category."""
    column = continuum.features.get(feature)
    codes = np.zeros(0, dtype=np.int32) if column is None else column.codes[column.codes >= 0]
    n = len(codes)
    if n < 2:
        return 0.0
    counts = np.bincount(codes).astype(np.float64)
    return float(1 - (counts * (counts - 1)).sum() / (n * (n - 1)))
