# SPDX-License-Identifier: MIT
"""What is known of a measure without loading it: its names, its needs, its meaning, its source, its home."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any


@dataclass(frozen=True, slots=True)
class MeasureInfo:
    """What a measure is called, what it needs, what its values mean, where it comes from."""

    name: str
    symbol: str
    needs: str
    explanation: str
    citation: str
    #: Where the function is: `module:name`.
    home: str
    #: Whether the function measures whole corpora for several measures at once (`Family`), or is a `Measure`.
    is_family: bool = False

    def load(self) -> Any:
        """The function that computes it."""
        module, _, name = self.home.partition(":")
        return getattr(import_module(module), name)
