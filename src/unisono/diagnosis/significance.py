# SPDX-License-Identifier: MIT
"""Is the agreement more than chance? The share of random continua with a disorder as low as the observed one.

p = (1 + number of random disorders at or below the observed one) / (1 + samples). For a corpus the pooled disorder is
compared with those of 9,999 random corpora, in which each document is represented by one of its samples, drawn
independently of the others, also where documents share their samples (`measures.random_corpora`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unisono.json_objects import to_json
from unisono.measures.random_corpora import CORPORA, TOLERANCE, count_low, pooled_chance
from unisono.model import FloatArray
from unisono.results import MeasureValue, Result

#: The share of false discoveries among the documents that are called significant.
LEVEL = 0.05
#: Measures with a disorder for each random continuum, the preferred one first.
MEASURES = ("gamma", "text-gamma", "soft-gamma")

_TOO_FEW_SAMPLES = "; if only one of them were, so few samples could not show it"


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
    #: Random disorders, and how many of them are at or below the observed one.
    n: int
    n_low: int

    @classmethod
    def of(cls, name: str, value: MeasureValue) -> _Document | None:
        """What is compared of a document; None where it has no value, or nothing was kept of its random disorders."""
        if value.value is None or value.observed is None or not value.n_samples:
            return None
        # Where a limit stopped the alignment of a random continuum, its lower bound is on the safe side.
        random = value.chance_disorders if value.chance_bounds is None else value.chance_bounds
        if random is None:
            return None if value.chance_low is None else cls(name, value.n_samples, value.chance_low)
        return cls(name, len(random), count_low(random, value.observed)) if len(random) else None

    @property
    def p(self) -> float:
        return (1 + self.n_low) / (1 + self.n)

    @property
    def smallest_p(self) -> float:
        return 1 / (1 + self.n)


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
            "no measure of the result has a disorder for each random continuum, as γ has"
            if measure is None
            else "no document has a value and the random continua that it was compared with"
        )
        return Significance(measure, None, None, 0, 0, 0, LEVEL, f"Not known: {reason}.", reason)
    p_values = np.array([document.p for document in documents])
    significant = benjamini_hochberg(p_values, LEVEL)
    if len(documents) == 1:
        p, smallest, n_random = documents[0].p, documents[0].smallest_p, documents[0].n
    else:
        lowest = math.exp(-math.fsum(math.log1p(document.n) for document in documents))
        smallest, n_random = max(1 / (1 + CORPORA), lowest), CORPORA
        pooled = None if measure is None else pooled_chance(result, measure)
        # Documents without any weight say nothing: whatever is drawn is as low.
        n_low = CORPORA if pooled is None or pooled.chance_low is None else pooled.chance_low
        p = max(smallest, (1 + n_low) / (1 + CORPORA))
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
            f"{'' if can_show or n_significant else _TOO_FEW_SAMPLES}."
        )
    return " ".join([*parts, "More than chance is not yet good." if p <= LEVEL else "This may be chance."])


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %" if share >= 0.1 else f"{100 * share:.2g} %"
