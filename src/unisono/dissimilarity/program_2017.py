# SPDX-License-Identifier: MIT
"""The dissimilarity that the program behind Mathet 2017 may have used: two empty units are alike. Experimental."""

from __future__ import annotations

from dataclasses import dataclass

from unisono._core import Kernel
from unisono.dissimilarity.combined import CombinedDissimilarity


@dataclass(frozen=True)
class Program2017Dissimilarity(CombinedDissimilarity):
    """Eq. 5 with d(empty, empty) = 0, and with it another disorder: the mean over the unitary alignments.

    A hypothesis about the program of 2017, not a definition: docs/validity.md has the evidence and the number of
    trials. Deviations: 2015 says d(empty, empty) = delta_empty (section 4.4.1) and divides the summed disorders by the
    mean number of units (Eq. 7); 2017, section 4.1, says "average disorder of its unitary alignments". The best
    alignment still minimises the sum. Two units stay together when d < 2 delta_empty, for any number of annotators.

    The core knows neither rule, so units are aligned in Python: exact, and slow.

    >>> Program2017Dissimilarity(alpha=3).signature
    'sporadic+nominal,alpha=3,beta=1,delta_empty=1,empty-pairs=0,divisor=alignments'
    """

    @property
    def signature(self) -> str:
        return f"{super().signature},empty-pairs=0,divisor=alignments"

    def kernel(self, labels: tuple[str, ...]) -> Kernel | None:
        """None: the core cannot align with it."""
        return None
