# SPDX-License-Identifier: MIT
"""Presets: whose numbers to reproduce. Each fixes choices that papers leave open, or that programs made differently."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from unisono.alignment.observed import PairRule
from unisono.chance import CoreModel, Shift, Statistical
from unisono.dissimilarity import CombinedDissimilarity, Program2017Dissimilarity
from unisono.dissimilarity.from_settings import make_dissimilarity
from unisono.settings import Comparing, Estimating, check_values


@dataclass(frozen=True)
class Preset:
    """A set of choices: weight of positions, chance model, how γcat and γk count pairs, fixed number of samples.

    Only the preset `paper` takes the sources of random continua into account; the others have plain means, like
    the programs whose numbers they reproduce.
    """

    name: str
    explanation: str
    alpha: float
    chance: CoreModel
    pairs: PairRule
    samples: int | None = None
    #: Whether equal units of one annotator are merged into one.
    merges_equal_units: bool = False
    #: The class of dissimilarity that is made from the weights and distances of the settings.
    kind: type[CombinedDissimilarity] = CombinedDissimilarity

    @property
    def has_plain_sampling(self) -> bool:
        """Whether the expected disorder is a plain mean over the samples."""
        return self.name != "paper"

    def make_dissimilarity(self, settings: Comparing) -> CombinedDissimilarity:
        """The dissimilarity that the settings describe, with the preset's weight of positions where they give none."""
        return make_dissimilarity(settings, alpha=self.alpha, kind=self.kind)


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
            "greyc-2017",
            "experimental, a hypothesis about the program behind the figures of 2017: as greyc, but two empty units "
            "cost nothing, and the disorder of an alignment is the mean over its unitary alignments; slow, for small "
            "data",
            3.0,
            Shift("half-mean"),
            "twice",
            kind=Program2017Dissimilarity,
        ),
        Preset(
            "pygamma",
            "what pygamma-agreement 0.5.9 computes: its chance model, 30 samples, its γcat with empty units, 1 and 0 "
            "where others are undefined, equal units merged",
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
    check_values(Estimating, {"preset": name})
    return PRESETS[name]
