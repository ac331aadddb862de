# SPDX-License-Identifier: MIT
"""Chance models: laws by which random continua are drawn (Mathet et al. 2015, sections 4.8 and 5.2). None aligns.

Random numbers come from a counter-based generator (Philox4x64-10), keyed by the seed and a digest of the document's
content, and counted by the number of the sample. Sample i is the same whatever was drawn before it, on any thread, and
whatever the document, its annotators and its categories are called.
"""

from __future__ import annotations

from unisono.chance.chance_model import ChanceModel, CoreCases, CoreModel, key
from unisono.chance.mosaic import Mosaic
from unisono.chance.positions_kept import PositionsKept
from unisono.chance.shift import Shift
from unisono.chance.statistical import Statistical
from unisono.dissimilarity.numbering import number_like
from unisono.errors import ParameterError

__all__ = [
    "CHANCE_MODELS",
    "ChanceModel",
    "CoreCases",
    "CoreModel",
    "Mosaic",
    "PositionsKept",
    "Shift",
    "Statistical",
    "chance_model",
    "key",
    "number_like",
]

#: Every chance model by name.
CHANCE_MODELS: dict[str, type[Shift] | type[Mosaic] | type[Statistical] | type[PositionsKept]] = {
    "shift": Shift,
    "corpus": Mosaic,
    "statistical": Statistical,
    "positions-kept": PositionsKept,
}


def chance_model(name: str) -> CoreModel:
    """The chance model of that name, with its usual parameters.

    >>> chance_model("shift")
    Shift(minimum_distance='mean')
    >>> chance_model("dice")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    unisono.errors.ParameterError: there is no chance model 'dice'. Choose one of: shift, corpus, ...
    """
    if name not in CHANCE_MODELS:
        raise ParameterError.of(
            f"there is no chance model {name!r}", f"Choose one of: {', '.join(CHANCE_MODELS)}.", code="chance"
        )
    return CHANCE_MODELS[name]()
