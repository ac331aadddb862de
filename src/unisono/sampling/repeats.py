# SPDX-License-Identifier: MIT
"""Which random continua are searched again: those whose gaps keep the mean from the precision that was asked for.

A search that its effort stopped leaves a gap between the disorder found and the bound proven. What γ feels is the mean
gap over the samples of a document. It may be a tenth of the precision; where it is more, the samples with the largest
gaps are searched again with more effort. The choice depends on the document's own samples alone.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from unisono.model import FloatArray

#: The share of the precision that the mean gap may take.
ALLOWED = 0.1

#: At most this share of a document's samples is searched again, and at least `FEWEST` may be.
SHARE = 0.25
FEWEST = 10


def samples_to_repeat(
    disorders: FloatArray, bounds: FloatArray, is_repeated: NDArray[np.bool_], precision: float
) -> NDArray[np.int64]:
    """The samples to search again, by number; none where the mean gap is small enough, or cannot become so.

    The largest gaps come first, as many as must be closed: a sample is searched again once at most.

    >>> samples_to_repeat(np.array([1.0, 1.0, 1.0]), np.array([1.0, 0.98, 0.99]), np.zeros(3, bool), 0.05)
    array([1])
    """
    gaps = disorders - bounds
    excess = float(gaps.sum()) - ALLOWED * precision * float(disorders.sum())
    if excess <= 0:
        return np.empty(0, dtype=np.int64)
    most = max(FEWEST, int(SHARE * len(gaps))) - int(np.count_nonzero(is_repeated))
    candidates = np.flatnonzero((gaps > 0) & ~is_repeated)
    chosen = candidates[np.argsort(-gaps[candidates], kind="stable")][: max(0, most)]
    enough = np.flatnonzero(np.cumsum(gaps[chosen]) >= excess)
    return np.sort(chosen[: enough[0] + 1]) if len(enough) else np.empty(0, dtype=np.int64)
