# SPDX-License-Identifier: MIT
"""What computes a measure: a function of continua, or a family that measures a whole corpus at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from unisono.measures.settings import Settings
from unisono.model import Continuum, Corpus
from unisono.results import MeasureValue

#: Called as (documents done, documents in all, name of the document at hand).
Progress = Callable[[int, int, str], None]


@dataclass(frozen=True)
class Measured:
    """The values of a measure: one for each document of a corpus, and one for the whole."""

    documents: tuple[MeasureValue, ...]
    overall: MeasureValue


class Measure(Protocol):
    """A measure of one or several continua, as if they lay end to end; it says what it needs and never raises."""

    def __call__(self, continua: Sequence[Continuum], settings: Settings) -> MeasureValue: ...


class Family(Protocol):
    """Measures that share their work: those of `names`, on every document and on the whole."""

    def __call__(
        self, corpus: Corpus, names: Sequence[str], settings: Settings, progress: Progress | None = None
    ) -> Mapping[str, Measured]: ...


def pooled(measure: Measure, corpus: Corpus, settings: Settings) -> Measured:
    """A pooled measure on each document, and on all of them together."""
    documents = tuple(measure((continuum,), settings) for continuum in corpus)
    return Measured(documents, documents[0] if len(documents) == 1 else measure(corpus.continua, settings))
