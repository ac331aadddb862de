# SPDX-License-Identifier: MIT
"""Observed alignments that are kept while the same documents are measured again with more samples or other measures.

The alignment of a document depends on its units and on the dissimilarity only, so estimates, the result, measures that
start from the alignment and the tables of annotators share it. Alignments that a limit stopped are not kept, because
limits differ between runs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace

from unisono.alignment.observed import How, Observed, PairRule, observe
from unisono.alignment.soft import SoftAlignment, best_soft_alignment
from unisono.dissimilarity import Dissimilarity
from unisono.dissimilarity.core_documents import CoreDocuments
from unisono.model import Alignment, Continuum

#: Units whose alignments are kept at most; further documents are aligned again when they are asked for again.
MOST_UNITS = 5_000_000

_memory: ContextVar[AlignmentMemory | None] = ContextVar("alignments", default=None)


class AlignmentMemory:
    """The alignments of documents, by document and dissimilarity."""

    def __init__(self) -> None:
        #: Each with a flag: whether its categories were judged.
        self._observed: dict[tuple[Continuum, str, PairRule], tuple[Observed, bool]] = {}
        self._soft: dict[tuple[Continuum, str], SoftAlignment] = {}
        self._n_units = 0

    def get(self, continuum: Continuum, signature: str, pairs: PairRule, *, judged: bool) -> Observed | None:
        """What is kept of a document; None if nothing is, or if its categories are wanted and were not judged."""
        kept, is_judged = self._observed.get((continuum, signature, pairs), (None, False))
        if kept is None or (judged and not is_judged):
            return None
        return kept if judged else replace(kept, categories=None)

    def put(self, observed: Observed, signature: str, pairs: PairRule, *, judged: bool) -> None:
        key = observed.alignment.continuum, signature, pairs
        if observed.alignment.is_proven and (key in self._observed or self._has_room(key[0])):
            self._observed[key] = observed, judged

    def get_soft(self, continuum: Continuum, signature: str) -> SoftAlignment | None:
        return self._soft.get((continuum, signature))

    def put_soft(self, alignment: SoftAlignment, signature: str) -> None:
        if alignment.is_proven and self._has_room(alignment.continuum):
            self._soft[alignment.continuum, signature] = alignment

    def _has_room(self, continuum: Continuum) -> bool:
        """Whether one more document may be kept; it is counted if so."""
        has_room = self._n_units + len(continuum) <= MOST_UNITS
        self._n_units += len(continuum) if has_room else 0
        return has_room


@contextmanager
def keep_alignments(memory: AlignmentMemory | None = None) -> Iterator[None]:
    """Inside, every document is aligned once; a block within another one shares the memory of the outer one."""
    if _memory.get() is not None:
        yield
        return
    token = _memory.set(AlignmentMemory() if memory is None else memory)
    try:
        yield
    finally:
        _memory.reset(token)


def observe_once(
    columns: CoreDocuments, how: How | None = None, start: Sequence[Alignment | None] = ()
) -> list[Observed]:
    """As `observe`, without aligning again what is kept."""
    how = how or How()
    memory, signature, pairs = _memory.get(), columns.dissimilarity.signature, how.pairs
    results: dict[int, Observed] = {}
    if memory is not None:
        for i, continuum in enumerate(columns.continua):
            kept = memory.get(continuum, signature, pairs, judged=columns.is_judged)
            if kept is not None:
                results[i] = kept
    missing = [i for i in range(len(columns.continua)) if i not in results]
    if results and missing:
        continua = [columns.continua[i] for i in missing]
        columns = CoreDocuments.of(continua, columns.dissimilarity, judged=columns.is_judged)
        start = [start[i] for i in missing] if start else ()
    if missing:
        fresh = observe(columns, how, start=start)
        results |= zip(missing, fresh, strict=True)
        if memory is not None:
            for observed in fresh:
                memory.put(observed, signature, pairs, judged=columns.is_judged)
    return [results[i] for i in sorted(results)]


def align_softly(continuum: Continuum, dissimilarity: Dissimilarity, how: How) -> SoftAlignment:
    """The best soft alignment within the limits of `how`."""
    return best_soft_alignment(
        continuum, dissimilarity, effort=how.effort, time_limit=how.time_limit, memory_limit=how.memory_limit
    )


def align_softly_once(continuum: Continuum, dissimilarity: Dissimilarity, how: How) -> SoftAlignment:
    """As `align_softly`, without aligning again what is kept."""
    memory, signature = _memory.get(), dissimilarity.signature
    kept = None if memory is None else memory.get_soft(continuum, signature)
    if kept is not None:
        return kept
    alignment = align_softly(continuum, dissimilarity, how)
    if memory is not None:
        memory.put_soft(alignment, signature)
    return alignment
