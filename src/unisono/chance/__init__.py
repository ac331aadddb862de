# SPDX-License-Identifier: MIT
"""Chance models: laws by which random continua are drawn (Mathet et al. 2015, sections 4.8 and 5.2). None aligns.

Random numbers come from a counter-based generator (Philox4x64-10), keyed by (seed, document name) and counted by the
number of the sample: sample i is the same whatever was drawn before it, on any thread.
"""

from __future__ import annotations

from unisono.chance.mosaic import Mosaic
from unisono.chance.positions_kept import PositionsKept
from unisono.chance.protocol import ChanceModel, CoreCases, CoreModel, key
from unisono.chance.shift import Shift
from unisono.chance.statistical import Statistical
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
    >>> chance_model("dice")
    Traceback (most recent call last):
    unisono.errors.ParameterError: a chance model among: shift, corpus, statistical, positions-kept; found 'dice'
    """
    if name not in CHANCE_MODELS:
        raise ParameterError.of(f"a chance model among: {', '.join(CHANCE_MODELS)}", repr(name), code="chance")
    return CHANCE_MODELS[name]()
