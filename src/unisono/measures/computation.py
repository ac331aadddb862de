# SPDX-License-Identifier: MIT
"""The two kinds of functions that compute measures: of continua, or of a whole corpus for a family at once."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from unisono.measures.resolved import Resolved
from unisono.model import Continuum, Corpus
from unisono.results import UNMET_NEEDS, MeasureValue

#: Called as (documents done, documents in all, name of the document at hand).
Progress = Callable[[int, int, str], None]


@dataclass(frozen=True)
class Measured:
    """The values of a measure: one for each document of a corpus, and one for the whole."""

    documents: tuple[MeasureValue, ...]
    overall: MeasureValue


class Measure(Protocol):
    """A measure of one or several continua, as if they lay end to end; undefined values have a reason."""

    def __call__(self, continua: Sequence[Continuum], settings: Resolved) -> MeasureValue: ...


class Family(Protocol):
    """Measures that share their work: those of `names`, on every document and on the whole corpus."""

    def __call__(
        self, corpus: Corpus, names: Sequence[str], settings: Resolved, progress: Progress | None = None
    ) -> Mapping[str, Measured]: ...


class Computation(Protocol):
    """How corpora are measured with one set of settings: `unisono.api.Plan`."""

    @property
    def resolved(self) -> Resolved: ...

    def compute(
        self, corpus: Corpus, names: Sequence[str], progress: Progress | None = None
    ) -> Mapping[str, Measured]: ...


def pool_documents(measure: Measure, corpus: Corpus, settings: Resolved) -> Measured:
    """A measure on each document, and on all those documents together that meet its needs."""
    documents = tuple(measure((continuum,), settings) for continuum in corpus)
    if len(documents) == 1:
        return Measured(documents, documents[0])
    fit = [continuum for continuum, value in zip(corpus, documents, strict=True) if not is_unfit(value)]
    if not fit:
        return Measured(documents, replace(documents[0], documents_measured=0))
    whole = measure(fit, settings)
    values = [value.value for value in documents if value.value is not None]
    n_left_out = len(documents) - len(fit)
    left_out = (
        (f"{n_left_out} of {len(documents)} documents left out: they do not meet its needs",) if n_left_out else ()
    )
    overall = replace(
        whole,
        mean_over_documents=math.fsum(values) / len(values) if values else None,
        documents_measured=sum(is_measured(value) for value in documents),
        notes=(*whole.notes, *left_out),
        left_out=(*whole.left_out, *left_out),
    )
    return Measured(documents, overall)


def is_measured(value: MeasureValue) -> bool:
    """Whether a document has a value, or one for some category."""
    return value.value is not None or any(v.value is not None for v in (value.per_category or {}).values())


def is_unfit(value: MeasureValue) -> bool:
    """Whether the document does not meet the needs of the measure, so that it is left out of the pooled value."""
    return value.reason_code in UNMET_NEEDS
