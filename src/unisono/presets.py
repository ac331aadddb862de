# SPDX-License-Identifier: MIT
"""Presets: whose numbers. Each names the choices that the papers leave open or that programs made differently."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from unisono.alignment.observed import PairRule
from unisono.chance import CoreModel, Shift, Statistical
from unisono.errors import ParameterError


@dataclass(frozen=True)
class Preset:
    """A set of choices: weight of positions, chance model, how γcat and γk count pairs, fixed number of samples."""

    name: str
    explanation: str
    alpha: float
    chance: CoreModel
    pairs: PairRule
    samples: int | None = None
    #: Whether equal units of one annotator are made one.
    merges_equal_units: bool = False


PRESETS: Mapping[str, Preset] = {
    preset.name: preset
    for preset in (
        Preset(
            "paper",
            "what the papers say: alpha 1, shifts at least the mean length of a unit apart, Algorithm 1 as printed",
            1.0,
            Shift(),
            "once",
        ),
        Preset(
            "greyc",
            "closest to the figures published in 2017: alpha 3, shifts at least half the mean length apart, pairs of "
            "two units of category k counted twice in γk",
            3.0,
            Shift("half-mean"),
            "twice",
        ),
        Preset(
            "pygamma",
            "what pygamma-agreement 0.5.9 computes: its chance model, 30 samples, its γcat with empty units, 1 and 0 "
            "where others are undefined, equal units made one",
            1.0,
            Statistical(),
            "pygamma",
            30,
            True,
        ),
    )
}


def preset(name: str) -> Preset:
    """The preset of that name.

    >>> preset("greyc").alpha
    3.0
    """
    if name not in PRESETS:
        raise ParameterError.of(f"a preset among: {', '.join(PRESETS)}", repr(name), code="preset")
    return PRESETS[name]
