# SPDX-License-Identifier: MIT
"""The measures, one file a family, and their registry: what each needs, what it means, where it is computed.

The registry names the functions instead of importing them: listing the measures loads no numpy.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Protocol

from unisono.measures.info import MeasureInfo

if TYPE_CHECKING:
    from unisono.chance import ChanceModel
    from unisono.dissimilarity import Dissimilarity
    from unisono.expected import Sampling
    from unisono.model import Continuum
    from unisono.results import MeasureValue


class Measure(Protocol):
    """What computes a measure on one continuum; a CorpusError says that the continuum cannot be measured."""

    def __call__(
        self,
        continuum: Continuum,
        *,
        dissimilarity: Dissimilarity,
        chance: ChanceModel,
        sampling: Sampling,
        seed: int,
        threads: int,
        time_limit: float | None,
        memory_limit: int | None,
    ) -> MeasureValue: ...


#: Every measure by name.
MEASURES: Mapping[str, MeasureInfo] = {
    "gamma": MeasureInfo(
        name="gamma",
        symbol="γ",
        needs="at least two annotators, units with a start and an end; categories where there are any",
        explanation=(
            "Agreement on where the units are and on what they are, taken together: 1 when the annotators agree on "
            "everything, 0 at chance level, below 0 when they agree less than by chance."
        ),
        citation=(
            "Yann Mathet, Antoine Widlöcher, Jean-Philippe Métivier (2015). The Unified and Holistic Method Gamma (γ) "
            "for Inter-Annotator Agreement Measure and Alignment. Computational Linguistics 41(3), 437-479."
        ),
        home="unisono.measures.gamma:gamma",
    ),
}
