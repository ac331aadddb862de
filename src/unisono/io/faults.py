# SPDX-License-Identifier: MIT
"""The rows of a file that cannot be used, with a problem for each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from unisono.errors import Problem
from unisono.nouns import quantity

BoolArray = NDArray[np.bool_]

#: After this many faults of one kind in one file the rest are only counted.
FAULTS_OF_A_KIND = 10_000


@dataclass(frozen=True, slots=True)
class _Group:
    """Rows with faults of one kind, found together."""

    code: str
    rows: list[int]
    #: The problem of each row, of the first of them if there are very many, or one problem that all rows share.
    problems: list[tuple[int, Problem]]
    #: The place of the first row whose problem is not listed, and the remedy.
    rest: Problem | None = None
    is_shared: bool = False

    def without(self, bad: BoolArray) -> _Group:
        """The group without the rows that are no longer bad."""
        rows = [row for row in self.rows if bad[row]]
        kept = self.problems if self.is_shared else [item for item in self.problems if bad[item[0]]]
        return replace(self, rows=rows, problems=kept)

    @property
    def rest_problem(self) -> Problem | None:
        """How many rows more have the same problem."""
        n_more = 0 if self.rest is None else len(self.rows) - len(self.problems)
        if self.rest is None or n_more == 0:
            return None
        verb = "has" if n_more == 1 else "have"
        message = f"from here on {quantity(n_more, 'more row')} {verb} the same problem ({self.code})"
        return replace(self.rest, message=message)


class Faults:
    """Marks the rows of a file that cannot be used and collects a problem for each."""

    def __init__(self, n_rows: int):
        self.bad: BoolArray = np.zeros(n_rows, dtype=np.bool_)
        self.counts: Counter[str] = Counter()
        self.n_blank = 0
        self._groups: list[_Group] = []

    def add(self, code: str, rows: Iterable[int], describe: Callable[[int], tuple[str, str, str]]) -> None:
        """Mark rows as bad; `describe(row)` gives where the row is, the message and the remedy."""
        numbers = [int(row) for row in rows]
        if not numbers:
            return
        self.bad[numbers] = True
        self.counts[code] += len(numbers)
        shown = numbers[:FAULTS_OF_A_KIND]
        problems = [(row, Problem(code, "error", *describe(row))) for row in shown]
        rest = None
        if len(numbers) > len(shown):
            where, _, remedy = describe(numbers[len(shown)])
            rest = Problem(code, "error", where, "", remedy)
        self._groups.append(_Group(code, numbers, problems, rest))

    def add_together(self, problem: Problem, rows: Sequence[int]) -> None:
        """Mark rows that share one problem, such as a column that is not what it was taken for."""
        self.bad[list(rows)] = True
        self.counts[problem.code] += len(rows)
        self._groups.append(_Group(problem.code, list(rows), [(rows[0], problem)], is_shared=True))

    def forget(self, rows: NDArray[np.intp]) -> None:
        """Take back the faults of rows that are not read."""
        if not self.bad[rows].any():
            return
        self.bad[rows] = False
        self._groups = [group for each in self._groups if (group := each.without(self.bad)).rows]
        self.counts = Counter()
        for group in self._groups:
            self.counts[group.code] += len(group.rows)

    def leave_out(self, blank: NDArray[np.intp]) -> None:
        """Leave out rows without any content: no fault, but no unit either."""
        self.bad[blank] = True
        self.n_blank = len(blank)

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Every problem in the order of the rows."""
        ordered = sorted((item for group in self._groups for item in group.problems), key=lambda item: item[0])
        rest = (problem for group in self._groups if (problem := group.rest_problem) is not None)
        return (*(problem for _, problem in ordered), *rest)
