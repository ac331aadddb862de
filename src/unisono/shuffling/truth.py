# SPDX-License-Identifier: MIT
"""The truth about a shuffled continuum: what happened to every unit of the reference, and which units were added."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unisono.model import CATEGORY, Continuum
from unisono.shuffling.sheet import Done

_WORDS = {
    Done.MOVED: "moved",
    Done.CATEGORY: "category",
    Done.SPLIT: "split",
    Done.MERGED: "merged",
    Done.MISSED: "missed",
    Done.ADDED: "added",
}
#: The words for every combination of flags, by its number.
_WHAT = tuple(
    "+".join(word for flag, word in _WORDS.items() if number & flag) or "kept" for number in range(2 * Done.ADDED)
)

#: The columns of a table of the truth.
COLUMNS = (
    "document",
    "annotator",
    "reference",
    "what",
    "start_before",
    "end_before",
    "category_before",
    "start_after",
    "end_after",
    "category_after",
)


@dataclass(frozen=True)
class Truth:
    """A table in columns with a row for each pair of a reference unit and an annotator's unit that comes from it.

    annotators: codes into the continuum's annotators. references: numbers of units of the reference, -1 for units that
    were added. units: numbers of units of the continuum, -1 for units that were missed. done: `Done` flags, 0: kept.
    A unit that was split has a row for each piece, merged ones have a row each with the same unit.
    """

    continuum: Continuum
    reference: Continuum
    annotators: NDArray[np.int64]
    references: NDArray[np.int64]
    units: NDArray[np.int64]
    done: NDArray[np.uint8]

    def __len__(self) -> int:
        return len(self.done)

    @property
    def what(self) -> tuple[str, ...]:
        """What was done, in words: `kept`, `moved`, `moved+category`, `missed`, ..."""
        return tuple(_WHAT[number] for number in self.done.tolist())

    def counts(self) -> Counter[str]:
        """The number of rows with each of the words; a row with two words counts for both."""
        counts = Counter({word: int(np.count_nonzero(self.done & flag)) for flag, word in _WORDS.items()})
        counts["kept"] = int(np.count_nonzero(self.done == 0))
        return counts

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """The rows of the table, with the columns of `COLUMNS`; None in cells of units that do not exist."""
        names = self.continuum.annotators
        before = _cells(self.reference, self.references)
        after = _cells(self.continuum, self.units)
        for annotator, number, what, old, new in zip(
            self.annotators.tolist(), self.references.tolist(), self.what, before, after, strict=True
        ):
            yield (self.continuum.name, names[annotator], number, what, *old, *new)


def _cells(continuum: Continuum, units: NDArray[np.int64]) -> list[tuple[Any, Any, Any]]:
    """Start, end and category of units; three times None for -1."""
    labels = (*continuum.features[CATEGORY].labels, None)
    cells = [
        (start, end, labels[code])
        for start, end, code in zip(
            continuum.starts.tolist(), continuum.ends.tolist(), continuum.category_codes.tolist(), strict=True
        )
    ]
    cells.append((None, None, None))
    return [cells[unit] for unit in units.tolist()]
