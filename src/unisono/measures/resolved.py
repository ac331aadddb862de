# SPDX-License-Identifier: MIT
"""How to measure: the settings of single measures with what the others were resolved to."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from unisono.alignment.observed import PairRule
from unisono.chance import ChanceModel, Shift
from unisono.dissimilarity import CombinedDissimilarity, Dissimilarity
from unisono.model import Alignment
from unisono.sampling import Sampling
from unisono.settings import Correcting, Measuring

if TYPE_CHECKING:
    from unisono.text.edits import RandomEdits
    from unisono.text.text_dissimilarity import TextDissimilarity


@dataclass(frozen=True, kw_only=True)
class Resolved(Correcting, Measuring):
    """What a measurement depends on besides the data; each measure looks at what it needs.

    dissimilarity: fitted to the corpus; chance, sampling, seed: how the expected disorder is estimated;
    text_dissimilarity, random_edits: the same for text-γ, where they are given as objects;
    pairs: how γcat and γk count pairs of units (`once` as printed, `twice` as in the figures published in 2017,
    `pygamma` as that program does);
    effort: millions of elementary steps for the observed alignment of a document, a share of it for each random one;
    time_limit: seconds for all the alignments of one document; memory_limit: bytes for one alignment;
    threads, executor: where the work is done; they change no number;
    start: alignments to begin with, by document: the best ones of documents with more annotators;
    keeps_samples: whether the documents of a corpus keep the disorders of their random continua;
    is_rough: whether the observed alignment has only the effort of a random one, and none is searched again.
    """

    dissimilarity: Dissimilarity = field(default_factory=CombinedDissimilarity)
    chance: ChanceModel = field(default_factory=Shift)
    sampling: Sampling = field(default_factory=Sampling)
    seed: int = 0
    text_dissimilarity: TextDissimilarity | None = None
    random_edits: RandomEdits | None = None
    pairs: PairRule = "once"
    threads: int = 1
    executor: Executor | None = None
    start: Mapping[str, Alignment] = field(default_factory=dict)
    keeps_samples: bool = True
    is_rough: bool = False
    effort: float | None = None
    time_limit: float | None = None
    memory_limit: int | None = None

    @property
    def level(self) -> float:
        """The level of confidence of every interval."""
        return self.sampling.level
