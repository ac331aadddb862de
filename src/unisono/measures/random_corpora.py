# SPDX-License-Identifier: MIT
"""Random corpora: in each of them every document is represented by one of its random continua.

The samples of a document are drawn by random numbers keyed by the seed, its content and how many documents of that
content came before, so that documents with equal samples are drawn independently. Sums are exact: neither names nor
the order of the documents, nor how many of them are added at a time, change a bit.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable
from typing import Any

import numpy as np

from unisono._core import add_to_corpora
from unisono.chance.chance_model import key, keys
from unisono.model import FloatArray
from unisono.results import MeasureValue, Result

#: Random corpora that the pooled disorder is compared with.
CORPORA = 9_999
#: Disorders closer than this to the observed one, relative to it, count as equal: rounding must not decide.
TOLERANCE = 1e-10


def count_low(random: FloatArray, observed: float) -> int:
    """How many random disorders are at or below the observed one.

    >>> count_low(np.array([1.0, 2.0, 3.0]), 2.0)
    2
    """
    return int(np.count_nonzero(random <= observed + TOLERANCE * max(1.0, abs(observed))))


def has_samples(value: MeasureValue) -> bool:
    """Whether a document has a value and the disorders of its random continua."""
    return (
        value.value is not None
        and value.observed is not None
        and value.chance_disorders is not None
        and len(value.chance_disorders) > 0
    )


class RandomCorpora:
    """The weighted disorders of the random corpora, summed over documents, which need not be kept once added."""

    def __init__(self, seed: int, *, threads: int = 1):
        self._seed = seed
        self._threads = threads
        self._sums = _Sums()
        #: How far the lower bounds of stopped alignments are below the disorders; None where all are proven.
        self._deficits: _Sums | None = None
        self._weights = array("d")
        self._observed = array("d")
        #: The contents seen so far, and how often each was seen again; by a hash of 64 bits.
        self._seen: set[int] = set()
        self._times: dict[int, int] = {}

    def __len__(self) -> int:
        """How many documents were added."""
        return len(self._weights)

    def add(self, values: Iterable[MeasureValue]) -> None:
        """Add documents, those that have samples."""
        documents = [value for value in values if has_samples(value)]
        if not documents:
            return
        words = keys(self._seed, map(self._purpose, documents))
        weights = np.array([value.weight or 0.0 for value in documents])
        samples = [value.chance_disorders for value in documents if value.chance_disorders is not None]
        self._sums.add(samples, weights, words, self._threads)
        stopped = [i for i, value in enumerate(documents) if value.chance_bounds is not None]
        if stopped:
            self._deficits = self._deficits or _Sums()
            gaps = [samples[i] - bounds for i in stopped if (bounds := documents[i].chance_bounds) is not None]
            self._deficits.add(gaps, weights[stopped], words.reshape(-1, 2)[stopped].reshape(-1), self._threads)
        self._weights.extend(weights.tolist())
        self._observed.extend(w * (value.observed or 0.0) for w, value in zip(weights.tolist(), documents, strict=True))

    def fields(self) -> dict[str, Any]:
        """What the value of the corpus says of them: disorders, lower bounds, how many are as low as the observed one.

        Empty where there are not two documents of some weight.
        """
        weight = math.fsum(self._weights)
        if len(self) < 2 or weight <= 0:
            return {}
        sums = self._sums.total
        bounds = sums if self._deficits is None else sums - self._deficits.total
        return {
            "chance_disorders": sums / weight,
            "chance_bounds": None if self._deficits is None else bounds / weight,
            "chance_low": count_low(bounds, math.fsum(self._observed)),
        }

    def _purpose(self, value: MeasureValue) -> str:
        """What the draws of a document are keyed by: its content, and how many with that content came before."""
        assert value.observed is not None
        assert value.chance_disorders is not None
        content = (
            f"\x00significance {value.chance_case or ''} {(value.weight or 0.0).hex()} {value.observed.hex()} "
            f"{len(value.chance_disorders)}"
        )
        place = int(key(0, content)[0])
        if place not in self._seen:
            self._seen.add(place)
            return content
        self._times[place] = self._times.get(place, 0) + 1
        return f"{content} {self._times[place]}"


class _Sums:
    """Exact sums, one for each random corpus, in two parts (random_corpora.hpp)."""

    def __init__(self) -> None:
        self._high, self._low = np.zeros(CORPORA), np.zeros(CORPORA)

    def add(self, samples: list[FloatArray], weights: FloatArray, words: Any, threads: int) -> None:
        firsts = np.cumsum([0, *map(len, samples)], dtype=np.int64)
        add_to_corpora(self._high, self._low, np.concatenate(samples), firsts, weights, words, threads)

    @property
    def total(self) -> FloatArray:
        return self._high + self._low


def pooled_chance(result: Result, measure: str) -> MeasureValue | None:
    """The overall value of several documents with its random corpora; None where there are none.

    They were gathered while the documents were measured, or are drawn now from the samples that the documents kept.
    """
    overall = result[measure]
    if overall.chance_disorders is not None and overall.chance_low is not None:
        return overall
    corpora = RandomCorpora(result.seed)
    corpora.add(document[measure] for document in result.documents)
    fields = corpora.fields()
    return overall.with_fields(**fields) if fields else None
