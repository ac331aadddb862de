# SPDX-License-Identifier: MIT
"""How to measure: one bundle of settings for every measure, each of which looks at what it needs."""

from __future__ import annotations

from concurrent.futures import Executor
from dataclasses import dataclass, field
from typing import Literal

from unisono.alignment.observed import PairRule
from unisono.chance import ChanceModel, Shift
from unisono.dissimilarity import CombinedDissimilarity, Dissimilarity
from unisono.expected import Sampling


@dataclass(frozen=True, kw_only=True)
class Settings:
    """What a measurement depends on besides the data.

    dissimilarity: fitted to the corpus; chance, sampling, seed: how the expected disorder is estimated;
    pairs: how γcat and γk count pairs of units (`once` as printed, `twice` as in the figures published in 2017,
    `pygamma` as that program does); categories: those that γk is wanted for, all if None;
    tie_range: whether γcat and γk come with their range over tied best alignments;
    time_limit: seconds for all the alignments of one document; memory_limit: bytes for one alignment.
    threads, executor: where the work is done; they change no number.
    reference: the annotator who is right by definition, for measures that know one;
    step, atoms, predefined, window: for measures on a continuum cut into atoms, on given items, and in windows.
    """

    dissimilarity: Dissimilarity = field(default_factory=CombinedDissimilarity)
    chance: ChanceModel = field(default_factory=Shift)
    sampling: Sampling = field(default_factory=Sampling)
    seed: int = 0
    pairs: PairRule = "once"
    categories: tuple[str, ...] | None = None
    tie_range: bool = False
    threads: int = 1
    executor: Executor | None = None
    time_limit: float | None = None
    memory_limit: int | None = None
    reference: str | None = None
    step: float | None = None
    atoms: Literal["position", "word"] = "position"
    predefined: bool | None = None
    window: float | None = None

    @property
    def level(self) -> float:
        """The level of confidence of every interval."""
        return self.sampling.level
