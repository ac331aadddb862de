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

    @property
    def draws_continua(self) -> bool:
        """Whether its expected disagreement is the mean over random continua: γ, γcat, γk and soft-γ."""
        return self.is_family

    @property
    def citation(self) -> str:
        """The papers that define the measure, as one line of references."""
        return references(self.papers)

    def load(self) -> Any:
        """The function that computes it."""
        module, _, name = self.home.partition(":")
        return getattr(import_module(module), name)
