# SPDX-License-Identifier: MIT
"""How far an alignment's disorder is proven: what alignments, soft alignments and text alignments have in common."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


class Proven:
    """What every kind of alignment has: unitary alignments, their disorder, and a proven bound on the best one's."""

    __slots__ = ()

    disorders: NDArray[np.float64]
    disorder: float
    lower_bound: float
    #: "time" or "memory" when a limit stopped the search before the proof.
    limit: str | None

    @property
    def gap(self) -> float:
        """How far the disorder may be above the best, relative to it."""
        return (self.disorder - self.lower_bound) / self.disorder if self.disorder > self.lower_bound else 0.0

    @property
    def is_proven(self) -> bool:
        return self.limit is None

    def __len__(self) -> int:
        return len(self.disorders)
