# SPDX-License-Identifier: MIT
"""Random numbers for resampling: Philox keyed by the seed and a purpose, read as raw words.

Raw words are the same in every version of numpy; numpy does not promise that for the numbers made of them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from unisono.chance import key

#: Numbers drawn at a time: bounds the memory, whatever the number of documents and resamples.
CHUNK = 1 << 20


class RandomWords:
    """A stream of random numbers for one purpose, keyed by the seed and the purpose."""

    def __init__(self, seed: int, purpose: str):
        self._words = np.random.Philox(key=key(seed, f"\x00{purpose}"))

    def words(self, count: int) -> NDArray[np.uint64]:
        """64 random bits each."""
        return np.asarray(self._words.random_raw(count), dtype=np.uint64)

    def integers(self, count: int, bound: int) -> NDArray[np.int64]:
        """Whole numbers from 0 to bound - 1; the largest departure from equal chances is bound / 2**32."""
        words = self.words((count + 1) // 2)
        halves = np.empty(2 * len(words), dtype=np.uint64)
        halves[0::2] = words & np.uint64(0xFFFFFFFF)
        halves[1::2] = words >> np.uint64(32)
        return ((halves[:count] * np.uint64(bound)) >> np.uint64(32)).astype(np.int64)


def chunks(total: int, width: int) -> list[int]:
    """How many rows of this width to make at a time, so that no piece is larger than CHUNK (or one row).

    >>> chunks(5, CHUNK // 2)
    [2, 2, 1]
    """
    rows = max(1, CHUNK // max(1, width))
    return [min(rows, total - first) for first in range(0, total, rows)]
