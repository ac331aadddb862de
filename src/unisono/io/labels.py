# SPDX-License-Identifier: MIT
"""Columns of names: codes into the distinct names."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unisono.model import IntArray

Indices = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Labels:
    """A column of names as codes into the distinct names; -1 is an empty cell."""

    codes: IntArray
    labels: tuple[str, ...]
    #: How many cells had blanks around the name.
    n_stripped: int = 0

    @classmethod
    def constant(cls, label: str, n_rows: int) -> Labels:
        return cls(np.zeros(n_rows, dtype=np.int32), (label,))

    @classmethod
    def of(cls, cells: Sequence[str]) -> Labels:
        """The names in a list of cells, without the blanks around them."""
        position = {cell: i for i, cell in enumerate(dict.fromkeys(cells))}
        return cls.of_codes(np.fromiter(map(position.__getitem__, cells), np.int32, len(cells)), list(position))

    @classmethod
    def of_codes(cls, codes: IntArray, cells: Sequence[str]) -> Labels:
        """The names in a column that is given as codes into its distinct cells."""
        names = [cell.strip() for cell in cells]
        code = {name: i for i, name in enumerate(dict.fromkeys(name for name in names if name))}
        if names == list(code):
            return cls(codes, tuple(code))
        new_code = np.array([code.get(name, -1) for name in names], dtype=np.int32)
        changed = np.array([name != cell for name, cell in zip(names, cells, strict=True)], dtype=np.bool_)
        n_stripped = int(changed[codes].sum()) if len(codes) and changed.any() else 0
        return cls(new_code[codes] if len(codes) else codes, tuple(code), n_stripped)

    @property
    def is_empty(self) -> bool:
        return not len(self.codes) or int(self.codes.max()) < 0

    def take(self, rows: Indices) -> Labels:
        """The labels of some rows."""
        return Labels(self.codes[rows], self.labels, self.n_stripped)

    def at(self, row: int) -> str | None:
        """The name in one row, None for an empty cell."""
        code = int(self.codes[row])
        return None if code < 0 else self.labels[code]


def merge_labels(
    parts: Sequence[Labels], *, key: Callable[[str], Any] | None = None
) -> tuple[list[IntArray], tuple[str, ...]]:
    """The names in use in any of the columns, sorted, and each column's codes into them."""
    used: set[str] = set()
    for part in parts:
        counts = np.bincount(part.codes + 1, minlength=len(part.labels) + 1)[1:]
        used.update(part.labels if counts.all() else (part.labels[i] for i in np.flatnonzero(counts).tolist()))
    labels = tuple(sorted(used, key=key))
    code = {label: i for i, label in enumerate(labels)}
    columns = []
    for part in parts:
        # The last entry maps the code -1 (an empty cell) to -1.
        new_code = np.array([*(code.get(label, -1) for label in part.labels), -1], dtype=np.int32)
        columns.append(new_code[part.codes])
    return columns, labels
