# SPDX-License-Identifier: MIT
"""Files that are there whole or not at all, and the finished cells of a benchmark kept in such files."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from unisono.experiments.candidates import Value
from unisono.io.writers import refusals

if TYPE_CHECKING:
    from unisono.experiments.cells import Block

#: Values of each measure, one for each set of a block.
Cells = Mapping[str, Sequence[Value]]


def write_whole(path: Path, data: bytes) -> None:
    """Write a file so that whoever looks sees the old one or the new one, even if the machine stops half-way."""
    with refusals(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        beside = path.with_name(f".{path.name}.{os.getpid()}")
        try:
            with beside.open("wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            beside.replace(path)
        finally:
            beside.unlink(missing_ok=True)
        if os.name == "posix":  # the new name must reach the disk too
            folder = os.open(path.parent, os.O_RDONLY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)


@dataclass(frozen=True)
class Store:
    """The finished blocks of cells under a folder: for each curve a folder named by its fingerprint.

    A benchmark with more magnitudes, or (but for the chance model of a corpus) with more sets, takes what is there.
    """

    folder: Path

    def path(self, block: Block) -> Path:
        """Where a block is, or will be."""
        name = f"{block.magnitude!r}_{block.first:04}-{block.last - 1:04}.json"
        return self.folder / block.curve.fingerprint(block.seed, block.sets)[:16] / name

    def load(self, block: Block) -> Cells | None:
        """The cells of a block, if they are there; what is not a block's file, whole and sound, is none."""
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
        """Keep the cells of a block; numbers are written so that reading them gives the same ones."""
        data = {
            "fingerprint": block.curve.fingerprint(block.seed, block.sets),
            "curve": block.curve.name,
            "magnitude": block.magnitude,
            "first": block.first,
            "cells": {name: [list(value) for value in values] for name, values in cells.items()},
        }
        write_whole(self.path(block), json.dumps(data, ensure_ascii=False, allow_nan=False).encode())


def _value(pair: Any) -> Value:
    value, reason = pair
    if not (isinstance(value, float) and reason is None) and not (value is None and isinstance(reason, str)):
        raise ValueError(pair)
    return value, reason
