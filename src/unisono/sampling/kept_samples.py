# SPDX-License-Identifier: MIT
"""Samples kept while a measurement is repeated with more of them: each is drawn and aligned only once.

Sample i is the same however many are drawn, so a run with 10 samples, one with 40 and one until the precision is
reached share theirs. Samples are kept by the content of the document, not by its name. Numbers are the same with and
without the memory: samples that a limit stopped are not kept, because limits differ between runs.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

import numpy as np
from numpy.typing import NDArray

from unisono.alignment.observed import How
from unisono.sampling.draws import Drawn, Draws

_Longs = NDArray[np.int64]

#: Numbers kept at most; samples beyond that are drawn again.
LARGEST = 20_000_000

_memory: ContextVar[SampleMemory | None] = ContextVar("samples", default=None)


class SampleMemory:
    """The samples of each case from the first on, as the core gave them."""

    def __init__(self) -> None:
        self._kept: dict[Hashable, Drawn] = {}
        self._size = 0
        #: Samples that were drawn because they were not kept.
        self.n_drawn = 0

    def get(self, key: Hashable) -> Drawn | None:
        return self._kept.get(key)

    def put(self, key: Hashable, drawn: Drawn) -> None:
        """Keep the samples of a case instead of those kept before."""
        disorders, bounds = drawn[:2]
        before = self._kept.get(key)
        size = sum(map(len, drawn)) - (0 if before is None else sum(map(len, before)))
        if self._size + size <= LARGEST and bool(np.all(bounds >= disorders)):  # NaN: not drawn
            self._size += size
            self._kept[key] = drawn


@contextmanager
def share_samples() -> Iterator[SampleMemory]:
    """Within this context, measurements of the same data with the same settings share their samples."""
    token = _memory.set(SampleMemory())
    memory = _memory.get()
    assert memory is not None
    try:
        yield memory
    finally:
        _memory.reset(token)


def keep_samples(source: Draws, key: Hashable) -> Draws:
    """The draws, with a memory of their samples inside `share_samples`; `key` has the settings that they depend on."""
    memory = _memory.get()
    return source if memory is None else _KeptDraws(source, memory, key)


class _KeptDraws:
    """Draws that look into the memory first."""

    def __init__(self, source: Draws, memory: SampleMemory, key: Hashable):
        self.source = source
        self.memory = memory
        self.key = key

    @property
    def case_of(self) -> _Longs:
        return self.source.case_of

    @property
    def labels(self) -> tuple[tuple[str | None, ...], ...]:
        return self.source.labels

    @property
    def identities(self) -> tuple[Hashable, ...]:
        return self.source.identities

    def sample(self, cases: _Longs, firsts: _Longs, counts: _Longs, how: How) -> Drawn:
        identities = self.identities
        keys = [(self.key, identities[case]) for case in cases.tolist()]
        known = [self.memory.get(key) for key in keys]
        n_known = np.array([0 if drawn is None else len(drawn[0]) for drawn in known], dtype=np.int64)
        begins = np.maximum(firsts, np.minimum(n_known, firsts + counts))
        missing = firsts + counts - begins
        drawn = self.source.sample(cases, begins, missing, how)
        self.memory.n_drawn += int(missing.sum())
        parts = []
        at = label_at = 0
        for i, case in enumerate(cases.tolist()):
            n_labels = len(self.labels[case]) if len(drawn[3]) or known[i] is not None else 0
            n = int(missing[i])
            disorders, bounds, redraws, categories, per_label = drawn
            these, labels = slice(at, at + n), slice(label_at, label_at + n * n_labels)
            fresh = (disorders[these], bounds[these], redraws[these], categories[these], per_label[labels])
            at, label_at = these.stop, labels.stop
            before = known[i]
            parts.append(_join(_slice_samples(before, int(firsts[i]), int(begins[i]), n_labels), fresh))
            if n and (0 if before is None else len(before[0])) == int(begins[i]):
                self.memory.put(keys[i], _join(before, fresh))
        return _concatenate(parts)


def _slice_samples(drawn: Drawn | None, begin: int, end: int, n_labels: int) -> Drawn | None:
    if drawn is None or begin >= end:
        return None
    disorders, bounds, redraws, categories, per_label = drawn
    these = slice(begin, end)
    return (
        disorders[these],
        bounds[these],
        redraws[these],
        categories[these],
        per_label[begin * n_labels : end * n_labels],
    )


def _join(first: Drawn | None, second: Drawn) -> Drawn:
    return second if first is None else _concatenate([first, second])


def _concatenate(parts: list[Drawn]) -> Drawn:
    disorders, bounds, redraws, categories, per_label = (
        np.concatenate(columns) for columns in zip(*parts, strict=True)
    )
    return disorders, bounds, redraws, categories, per_label
