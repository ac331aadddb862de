# SPDX-License-Identifier: MIT
"""Samples that are kept while a measurement is made again with more of them: each is drawn and aligned only once.

Sample i is the same however many are drawn, so that a run with 10, one with 40 and one until the precision is reached
share theirs. Numbers are the same with and without: what a limit stopped is not kept, for limits differ between runs.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

import numpy as np
from numpy.typing import NDArray

from unisono.alignment.observed import How
from unisono.expected.draws import Drawn, Draws

_Longs = NDArray[np.int64]

#: Numbers kept at most; what goes beyond is drawn again.
LARGEST = 20_000_000

_memory: ContextVar[SampleMemory | None] = ContextVar("samples", default=None)


class SampleMemory:
    """The samples of each case from the first on, as the core gave them."""

    def __init__(self) -> None:
        self._kept: dict[Hashable, Drawn] = {}
        self._size = 0
        #: Samples that were drawn, not found here.
        self.n_drawn = 0

    def get(self, key: Hashable) -> Drawn | None:
        return self._kept.get(key)

    def put(self, key: Hashable, drawn: Drawn) -> None:
        """Keep the samples of a case instead of those kept before."""
        disorders, bounds = drawn[:2]
        before = self._kept.get(key)
        size = sum(map(len, drawn)) - (0 if before is None else sum(map(len, before)))
        if self._size + size <= LARGEST and not np.any(bounds < disorders):
            self._size += size
            self._kept[key] = drawn


@contextmanager
def kept_samples() -> Iterator[SampleMemory]:
    """Inside, measurements of the same data in the same way share their samples, however many each draws."""
    token = _memory.set(SampleMemory())
    memory = _memory.get()
    assert memory is not None
    try:
        yield memory
    finally:
        _memory.reset(token)


def remembered(source: Draws, key: Callable[[], Hashable]) -> Draws:
    """The draws, with what is kept of them where samples are kept; `key` tells them from any others."""
    memory = _memory.get()
    return source if memory is None else _Remembered(source, memory, key())


class _Remembered:
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

    def sample(self, cases: _Longs, firsts: _Longs, counts: _Longs, how: How) -> Drawn:
        known = [self.memory.get((self.key, case)) for case in cases.tolist()]
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
            parts.append(_joined(_rows(before, int(firsts[i]), int(begins[i]), n_labels), fresh))
            if n and (0 if before is None else len(before[0])) == int(begins[i]):
                self.memory.put((self.key, case), _joined(before, fresh))
        return _concatenated(parts)


def _rows(drawn: Drawn | None, begin: int, end: int, n_labels: int) -> Drawn | None:
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


def _joined(first: Drawn | None, second: Drawn) -> Drawn:
    return second if first is None else _concatenated([first, second])


def _concatenated(parts: list[Drawn]) -> Drawn:
    disorders, bounds, redraws, categories, per_label = (
        np.concatenate(columns) for columns in zip(*parts, strict=True)
    )
    return disorders, bounds, redraws, categories, per_label
