# SPDX-License-Identifier: MIT
"""The store of the finished cells of a benchmark."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from unisono.experiments.candidates import Value
from unisono.whole_files import make_folder, write_whole

if TYPE_CHECKING:
    from unisono.experiments.benchmark_cells import Block

#: Values of each measure, one for each set of a block.
Cells = Mapping[str, Sequence[Value]]


@dataclass(frozen=True)
class Store:
    """The finished blocks of cells under a folder: for each curve a folder named by its fingerprint.

    A benchmark with more magnitudes reuses stored cells; so does one with more sets, unless sets share random continua.
    """

    folder: Path

    def path(self, block: Block) -> Path:
        """The file of a block."""
        name = f"{block.magnitude!r}_{block.first:04}-{block.last - 1:04}.json"
        return self.folder / block.curve.fingerprint(block.seed, block.sets)[:16] / name

    def load(self, block: Block) -> Cells | None:
        """The cells of a block; None if there is no valid file of it."""
        try:
            data = json.loads(self.path(block).read_text(encoding="utf-8"))
            if data["fingerprint"] != block.curve.fingerprint(block.seed, block.sets):
                return None
            cells = {item.name: [_value(pair) for pair in data["cells"][item.name]] for item in block.curve.measures}
        except (OSError, ValueError, KeyError, TypeError):
            return None
        n_sets = block.last - block.first
        return cells if all(len(values) == n_sets for values in cells.values()) else None

    def save(self, block: Block, cells: Cells) -> None:
        """Store the cells of a block; numbers are written so that reading gives the same numbers."""
        data = {
            "fingerprint": block.curve.fingerprint(block.seed, block.sets),
            "curve": block.curve.name,
            "magnitude": block.magnitude,
            "first": block.first,
            "cells": {name: [list(value) for value in values] for name, values in cells.items()},
        }
        make_folder(self.path(block).parent)
        write_whole(self.path(block), json.dumps(data, ensure_ascii=False, allow_nan=False).encode())


def _value(pair: Any) -> Value:
    value, reason = pair
    if not (isinstance(value, float) and reason is None) and not (value is None and isinstance(reason, str)):
        raise ValueError(pair)
    return value, reason
