# SPDX-License-Identifier: MIT
"""Is the agreement more than chance? The share of random continua with a disorder as low as the observed one.

p = (1 + number of random disorders at or below the observed one) / (1 + samples). For a corpus the pooled disorder is
compared with those of 9,999 random corpora, in which each document is represented by one of its samples, drawn
independently of the others, also where documents share their samples.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unisono.intervals.random_words import Draws
from unisono.json_objects import to_json
from unisono.model import FloatArray
from unisono.results import MeasureValue, Result

#: Random corpora that the pooled disorder is compared with.
CORPORA = 9_999
#: The share of false discoveries among the documents that are called significant.
LEVEL = 0.05
#: Disorders closer than this to the observed one, relative to it, are as low: rounding must not decide.
TOLERANCE = 1e-10
#: Measures with a disorder for each random continuum, the preferred one first.
MEASURES = ("gamma", "text-gamma", "soft-gamma")


@dataclass(frozen=True, slots=True)
class DocumentSignificance:
    """How often chance does as well in one document; `smallest_p` is the lowest that its samples allow."""

    document: str
    p: float
    smallest_p: float
    #: Whether it is significant among all documents (Benjamini and Hochberg 1995).
    is_significant: bool

    def to_dict(self) -> dict[str, Any]:
        return to_json(self)


@dataclass(frozen=True)
class Significance:
    """How often chance does as well as the annotators: over the corpus, and in each document with a value.

    p is None, with the reason, where no measure of the result has random disorders.
    """

    measure: str | None
    p: float | None
    smallest_p: float | None
    #: Random corpora that were compared, or random continua where there is one document.
    n_random: int
    #: Documents that were tested, and how many of them are significant at `level` after Benjamini and Hochberg.
    n_documents: int
    n_significant: int
    level: float
    sentence: str
    reason: str | None = None
    documents: tuple[DocumentSignificance, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        return to_json(self)


@dataclass(frozen=True)
class _Document:
    name: str
    weight: float
    observed: float
    random: FloatArray
    case: str

    @classmethod
    def of(cls, name: str, value: MeasureValue) -> _Document | None:
        """What is compared of a document; None where it has no value, or its random disorders were not kept."""
        if value.value is None or value.observed is None or value.chance_disorders is None:
            return None
        # Where a limit stopped the alignment of a random continuum, its lower bound is on the safe side.
        random = value.chance_disorders if value.chance_bounds is None else value.chance_bounds
        if not len(random):
            return None
        return cls(name, value.weight or 0.0, value.observed, random, value.chance_case or "")

    @property
    def p(self) -> float:
        return (1 + _count_low(self.random, self.observed)) / (1 + len(self.random))

    @property
    def smallest_p(self) -> float:
        return 1 / (1 + len(self.random))


def significance(result: Result) -> Significance:
    """How often chance does as well as the annotators, from the random continua that the result was measured with.

    The corpus: p = (1 + random corpora whose pooled disorder is at or below the observed one) / 10,000; it is never
    below 1 / Π(1 + samples of a document), which is all that few samples of few documents can show. One document: the p
    of that document. Undefined (None, with the reason): no measure with random disorders, or no document with a value.

    >>> import unisono
    >>> units = [(10 * i, 10 * i + 6, "AB"[i % 2]) for i in range(6)]
    >>> found = significance(unisono.measure(unisono.continuum({"ann": units, "bob": units}), seed=1, samples=99))
    >>> found.p, found.smallest_p, found.n_random
    (0.01, 0.01, 99)
    >>> found.sentence  # doctest: +ELLIPSIS
    'Chance does as well in 1 % of cases (p = 0.01, the smallest that 99 samples can show). More than chance is not...'
    """
    measure = next((name for name in MEASURES if name in result.measures), None)
    kept = [] if measure is None else [_Document.of(each.name, each[measure]) for each in result.documents]
    documents = [document for document in kept if document is not None]
    if not documents:
        reason = (
            "no measure of the result is compared with random continua"
            if measure is None
            else "no document has a value and the random continua that it was compared with"
        )
        return Significance(measure, None, None, 0, 0, 0, LEVEL, f"Not known: {reason}.", reason)
    p_values = np.array([document.p for document in documents])
    significant = benjamini_hochberg(p_values, LEVEL)
    if len(documents) == 1:
        p, smallest, n_random = documents[0].p, documents[0].smallest_p, len(documents[0].random)
    else:
        lowest = math.exp(-math.fsum(math.log1p(len(document.random)) for document in documents))
        smallest, n_random = max(1 / (1 + CORPORA), lowest), CORPORA
        p = max(smallest, (1 + _count_low_corpora(documents, result.seed)) / (1 + CORPORA))
    rows = tuple(
        DocumentSignificance(document.name, document.p, document.smallest_p, bool(is_significant))
        for document, is_significant in zip(documents, significant, strict=True)
    )
    found = int(significant.sum())
    # A document alone among many needs a p of LEVEL / documents.
    can_show = max(document.smallest_p for document in documents) <= LEVEL / len(documents)
    sentence = _sentence(p, smallest, n_random, len(documents), found, can_show=can_show)
    return Significance(measure, p, smallest, n_random, len(documents), found, LEVEL, sentence, None, rows)


def benjamini_hochberg(p_values: FloatArray, level: float) -> NDArray[np.bool_]:
    """Which of the tests are significant, when the share of false discoveries among those shall be `level` at most.

    >>> benjamini_hochberg(np.array([0.04, 0.001, 0.2, 0.02]), 0.05).tolist()
    [False, True, False, True]
    """
    count = len(p_values)
    order = np.argsort(p_values, kind="stable")
    # The largest rank k with p(k) <= k / count * level; all up to it are significant.
    passing = np.flatnonzero(p_values[order] <= np.arange(1, count + 1) / max(count, 1) * level * (1 + TOLERANCE))
    chosen = np.zeros(count, dtype=bool)
    chosen[order[: passing[-1] + 1 if len(passing) else 0]] = True
    return chosen


def _count_low(random: FloatArray, observed: float) -> int:
    return int(np.count_nonzero(random <= observed + TOLERANCE * max(1.0, abs(observed))))


def _count_low_corpora(documents: Sequence[_Document], seed: int) -> int:
    """The number of random corpora whose pooled disorder is at or below the observed one."""
    # Sorted by content, so that neither names nor the order in a file change what is drawn.
    ordered = sorted(documents, key=lambda each: (each.case, each.weight, each.observed, len(each.random)))
    draws = Draws(seed, "significance")
    pooled = np.zeros(CORPORA)
    for document in ordered:
        # One document at a time: the memory does not grow with the number of documents.
        pooled += document.weight * document.random[draws.integers(CORPORA, len(document.random))]
    return _count_low(pooled, math.fsum(document.weight * document.observed for document in ordered))


def _sentence(p: float, smallest: float, n_random: int, n_documents: int, n_significant: int, *, can_show: bool) -> str:
    samples = f"{n_random:,} samples" if n_documents == 1 else f"{n_random:,} random corpora"
    bound = f", the smallest that {samples} can show" if p <= smallest * (1 + TOLERANCE) else ""
    if n_documents > 1 and smallest > 1 / (1 + CORPORA):
        bound = ", the smallest that so few samples can show" if bound else ""
    parts = [f"Chance does as well in {_percent(p)} of cases (p = {p:.2g}{bound})."]
    if n_documents > 1:
        parts.append(
            f"Taken one by one, {n_significant:,} of {n_documents:,} documents are above chance "
            f"(Benjamini and Hochberg, {_percent(LEVEL)} false discoveries)"
            f"{'' if can_show else '; more could not be shown with so few samples of each'}."
        )
    return " ".join([*parts, "More than chance is not yet good." if p <= LEVEL else "This may be chance."])


def _percent(share: float) -> str:
    return f"{100 * share:.2g} %"
