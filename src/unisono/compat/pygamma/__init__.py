# SPDX-License-Identifier: MIT
"""The names of pygamma-agreement 0.5.9, computed by unisono: for its users, the import is the only line to change.

    from unisono.compat.pygamma import Continuum, CombinedCategoricalDissimilarity   # was: from pygamma_agreement

Random continua come from numpy's global generator, in the order in which pygamma-agreement asks for them: after
`np.random.seed(42)` both draw the same continua and find the same disorders, up to the 32-bit floats that it computes
with. Where its numbers differ from its documentation, so do these, with a warning that says what to do.
docs/coming-from-pygamma.md lists every name and every difference.

>>> import numpy as np
>>> from unisono.compat.pygamma import CombinedCategoricalDissimilarity, Continuum, Segment
>>> continuum = Continuum()
>>> continuum.add("Annotator1", Segment(2.5, 4.3), "Maureen")
>>> continuum.add("Annotator1", Segment(4.6, 7.4), "Marvin")
>>> continuum.add("Annotator2", Segment(2.3, 4.5), "Maureen")
>>> continuum.add("Annotator2", Segment(4.3, 7.2), "Robin")
>>> np.random.seed(42)
>>> results = continuum.compute_gamma(CombinedCategoricalDissimilarity(alpha=1, beta=2))
>>> results.n_samples, round(results.observed_disorder, 4)
(30, 1.005)
"""

from __future__ import annotations

from unisono.compat.pygamma.alignment import Alignment, SetPartitionError, SoftAlignment, UnitaryAlignment
from unisono.compat.pygamma.continuum import Continuum
from unisono.compat.pygamma.dissimilarity import (
    AbsoluteCategoricalDissimilarity,
    AbstractDissimilarity,
    CategoricalDissimilarity,
    CombinedCategoricalDissimilarity,
    LambdaCategoricalDissimilarity,
    LevenshteinCategoricalDissimilarity,
    NumericalCategoricalDissimilarity,
    OrdinalCategoricalDissimilarity,
    PositionalSporadicDissimilarity,
    PrecomputedCategoricalDissimilarity,
    dissimilarity_dec,
)
from unisono.compat.pygamma.gamma import GammaResults
from unisono.compat.pygamma.notebook import show_alignment, show_continuum
from unisono.compat.pygamma.sampler import (
    AbstractContinuumSampler,
    ShuffleContinuumSampler,
    StatisticalContinuumSampler,
)
from unisono.compat.pygamma.units import Segment, SortedSet, Unit

__all__ = [
    "AbsoluteCategoricalDissimilarity",
    "AbstractContinuumSampler",
    "AbstractDissimilarity",
    "Alignment",
    "CategoricalDissimilarity",
    "CombinedCategoricalDissimilarity",
    "Continuum",
    "GammaResults",
    "LambdaCategoricalDissimilarity",
    "LevenshteinCategoricalDissimilarity",
    "NumericalCategoricalDissimilarity",
    "OrdinalCategoricalDissimilarity",
    "PositionalSporadicDissimilarity",
    "PrecomputedCategoricalDissimilarity",
    "Segment",
    "SetPartitionError",
    "ShuffleContinuumSampler",
    "SoftAlignment",
    "SortedSet",
    "StatisticalContinuumSampler",
    "Unit",
    "UnitaryAlignment",
    "dissimilarity_dec",
    "show_alignment",
    "show_continuum",
]
