# SPDX-License-Identifier: MIT
"""Operations of numpy that need care on 32-bit machines, such as a browser."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray


def repeat(values: ArrayLike, counts: ArrayLike) -> NDArray[Any]:
    """Each value as often as its count says: `np.repeat`, which refuses 64-bit counts where addresses have 32 bits.

    >>> repeat([7, 8, 9], np.array([2, 0, 1], dtype=np.int64))
    array([7, 7, 9])
    """
    return np.repeat(values, np.asarray(counts).astype(np.intp, copy=False))
