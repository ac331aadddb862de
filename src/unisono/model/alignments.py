# SPDX-License-Identifier: MIT
"""A partition of a continuum's units into unitary alignments, with its disorder and a proven lower bound."""

from __future__ import annotations

import importlib
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, TypeVar, overload

from unisono.frames import Backend, build_frame
from unisono.model.continuum import Continuum
from unisono.model.frame_columns import alignment_columns
from unisono.model.units import FloatArray, IntArray, Unit, freeze
from unisono.nouns import quantity

Unitary = TypeVar("Unitary", covariant=True)


@dataclass(frozen=True, slots=True)
class UnitaryAlignment:
    """At most one unit of each annotator, held to mark the same thing; None is the empty unit (section 4.5)."""

    units: tuple[Unit | None, ...]
    disorder: float


class AlignmentBase(Sequence[Unitary]):
    """What alignments, soft alignments and text alignments have in common.

    Each is a sequence of unitary alignments with their disorder and a proven lower bound on that of the best one.
    """

    __slots__ = ()

    disorders: FloatArray
    disorder: float
    lower_bound: float
    #: "effort", "time" or "memory" if a limit stopped the search before the proof.
    limit: str | None

    @property
    @abstractmethod
    def unitary_alignments(self) -> tuple[Unitary, ...]:
        """The unitary alignments, in the order of the continuum, complete with empty units."""

    @property
    def gap(self) -> float:
        """How far the disorder may be above the best, relative to it."""
        return (self.disorder - self.lower_bound) / self.disorder if self.disorder > self.lower_bound else 0.0

    @property
    def is_proven(self) -> bool:
        return self.limit is None

    def __len__(self) -> int:
        return len(self.disorders)

    @overload
    def __getitem__(self, index: int) -> Unitary: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Unitary, ...]: ...
    def __getitem__(self, index: int | slice) -> Unitary | tuple[Unitary, ...]:
        return self.unitary_alignments[index]


class Alignment(AlignmentBase[UnitaryAlignment]):
    """A partition of a continuum's units into unitary alignments, with its disorder and a proven lower bound.

    `group[i]` is the number of the unitary alignment that unit i belongs to, `disorders` has one value for each
    (Eq. 6); `disorder` is their sum over the mean number of units per annotator (Eq. 7). `lower_bound` is a proven
    bound on the disorder of every alignment; `gap` is how far the disorder may be above the best, relative to it:
    0.0 when the alignment is proven to be the best. `duals` (one value per unit, no unitary alignment cheaper than
    the sum of its units' values) is what the bound rests on; where it does not reach the disorder, an exhaustive
    search closed the difference.

    An alignment is a sequence: `alignment[0]` is its first unitary alignment.
    """

    __slots__ = ("__dict__", "continuum", "disorder", "disorders", "duals", "group", "limit", "lower_bound")

    def __init__(
        self,
        continuum: Continuum,
        group: IntArray,
        disorders: FloatArray,
        *,
        disorder: float,
        lower_bound: float,
        duals: FloatArray | None = None,
        limit: str | None = None,
        dissimilarity: Any = None,
    ):
        self.continuum = continuum
        self.group = freeze(group)
        self.disorders = freeze(disorders)
        self.disorder = disorder
        self.lower_bound = lower_bound
        self.duals = duals
        self.limit = limit
        #: The dissimilarity it was made with, if known: reports use it to say what a disorder is made of.
        self.dissimilarity = dissimilarity

    @cached_property
    def unitary_alignments(self) -> tuple[UnitaryAlignment, ...]:
        """The unitary alignments, in the order of the continuum, complete with empty units."""
        rows: list[list[Unit | None]] = [[None] * self.continuum.n_annotators for _ in range(len(self))]
        for unit, (group, annotator) in enumerate(
            zip(self.group.tolist(), self.continuum.annotator_codes.tolist(), strict=True)
        ):
            rows[group][annotator] = self.continuum[unit]
        return tuple(UnitaryAlignment(tuple(row), d) for row, d in zip(rows, self.disorders.tolist(), strict=True))

    def to_frame(
        self, rows: Literal["units", "unitary alignments"] = "units", *, backend: Backend | None = None
    ) -> Any:
        """The alignment as a data frame of pandas, polars or pyarrow: `backend`, or the first that is installed.

        rows: "units", one row for each unit with the number (from 1) and the disorder of its unitary alignment;
        "unitary alignments", one row for each of them with its range and disorder, and a column for each annotator with
        `start-end category` of the unit, nothing for the empty unit.
        """
        return build_frame(alignment_columns(self, rows), backend, empty=str)

    def __repr__(self) -> str:
        size = quantity(len(self), "unitary alignment")
        return f"<Alignment: {size}, disorder {self.disorder:.6g}, gap {self.gap:.2g}>"

    def _repr_html_(self) -> str:
        # An exception to the layers: the report, which makes the HTML, is loaded by name.
        return str(importlib.import_module("unisono.report.notebook").html(self))
