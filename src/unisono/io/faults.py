# SPDX-License-Identifier: MIT
"""The rows of a file that cannot be used, with a problem for each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from unisono.errors import Problem
from unisono.io.wording import count_of

BoolArray = NDArray[np.bool_]

#: After this many faults of one kind in one file the rest are only counted.
FAULTS_OF_A_KIND = 10_000


class Faults:
    """Marks the rows of a file that cannot be used and collects a problem for each."""

    def __init__(self, n_rows: int):
        self.bad: BoolArray = np.zeros(n_rows, dtype=np.bool_)
        self.counts: Counter[str] = Counter()
        self.n_blank = 0
        self._problems: list[tuple[int, Problem]] = []
        self._rest: list[Problem] = []

    def add(self, code: str, rows: Iterable[int], describe: Callable[[int], tuple[str, str, str]]) -> None:
        """Mark rows as bad; `describe(row)` gives where the row is, the message and the remedy."""
        numbers = [int(row) for row in rows]
        if not numbers:
            return
        self.bad[numbers] = True
        self.counts[code] += len(numbers)
        shown = numbers[:FAULTS_OF_A_KIND]
        self._problems += ((row, Problem(code, "error", *describe(row))) for row in shown)
        if len(numbers) > len(shown):
            where, _, remedy = describe(numbers[len(shown)])
            n_more = len(numbers) - len(shown)
            verb = "has" if n_more == 1 else "have"
            message = f"from here on {count_of(n_more, 'more row')} {verb} the same problem ({code})"
            self._rest.append(Problem(code, "error", where, message, remedy))

    def add_together(self, problem: Problem, rows: Sequence[int]) -> None:
        """Mark rows that share one problem, such as a column that is not what it was taken for."""
        self.bad[list(rows)] = True
        self.counts[problem.code] += len(rows)
        self._problems.append((rows[0], problem))

    def leave_out(self, blank: NDArray[np.intp]) -> None:
        """Leave out rows without any content: no fault, but no unit either."""
        self.bad[blank] = True
        self.n_blank = len(blank)

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Every problem in the order of the rows."""
        ordered = sorted(self._problems, key=lambda item: item[0])
        return (*(problem for _, problem in ordered), *self._rest)
