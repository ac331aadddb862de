# SPDX-License-Identifier: MIT
"""The description of a measure, which does not load it: names, needs, meaning, source, function."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any

from unisono.measures.papers import Paper, references


@dataclass(frozen=True, slots=True)
class MeasureInfo:
    """The name of a measure, what it needs, what its values mean, where it was published."""

    name: str
    symbol: str
    needs: str
    explanation: str
    papers: tuple[Paper, ...]
    #: The function: `module:name`.
    home: str
    #: Whether the function is a `Family`, which computes several measures of a corpus at once, or a `Measure`.
    is_family: bool = False
    #: Whether it is corrected for chance, so that 0 is chance level.
    is_corrected: bool = True
    #: Whether its values are shares, from 0 to 1.
    is_share: bool = False
    #: Whether it has a value for each category, and none for all of them together.
    is_per_category: bool = False

    @property
    def draws_continua(self) -> bool:
        """Whether its expected disagreement is a mean over random draws: γ, γcat, γk, soft-γ and text-γ."""
        return self.is_family

    @property
    def citation(self) -> str:
        """The papers that define the measure, as one line of references."""
        return references(self.papers)

    def load(self) -> Any:
        """The function that computes it."""
        module, _, name = self.home.partition(":")
        return getattr(import_module(module), name)
