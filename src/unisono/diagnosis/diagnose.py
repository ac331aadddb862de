# SPDX-License-Identifier: MIT
"""A diagnosis: the habits of annotators and categories, judged together, and the findings that follow from them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from unisono.diagnosis.alignment_columns import AlignedUnits, Flags, Indices
from unisono.diagnosis.annotator_cells import Cells, cells_of
from unisono.diagnosis.confusions import CategoryTable, Confusions
from unisono.diagnosis.costs import Costs, dissimilarity_of
from unisono.diagnosis.everybody import ShortUnits, short_units
from unisono.diagnosis.habits import LEVEL, HabitTable, Judgement, confusions_by_annotator, habit_tables, judge
from unisono.diagnosis.pieces import Pieces
from unisono.diagnosis.significance import benjamini_hochberg
from unisono.results import Result


@dataclass(frozen=True)
class Diagnosis:
    """Everything that the alignment says about annotators and categories; findings are made from it."""

    units: AlignedUnits
    costs: Costs
    cells: Mapping[str, Cells]
    tables: Mapping[str, HabitTable]
    judgement: Judgement
    #: Annotator, category of most others, category they give instead, how often; the most frequent first.
    by_annotator: tuple[Indices, Indices, Indices, Indices]
    confusions: Confusions
    confusion_stands_out: Flags
    categories: CategoryTable
    #: By column of the table of categories: missed, alone, boundaries, split.
    category_stands_out: Mapping[str, Flags]
    short: ShortUnits | None
    short_stands_out: bool
    #: Which units are pieces of what most others mark as one.
    pieces: Flags

    @property
    def is_pair(self) -> bool:
        """Whether there are two annotators in all: whatever one does more, the other does less."""
        return self.units.n_annotators == 2


CATEGORY_HABITS = ("missed", "alone", "boundaries", "split")


def diagnose(result: Result) -> Diagnosis | None:
    """The diagnosis of a measured corpus; None if no document has an alignment."""
    units = AlignedUnits.of(result)
    if not len(units):
        return None
    return diagnose_units(units, Costs.of(units, dissimilarity_of(result)))


def diagnose_units(units: AlignedUnits, costs: Costs) -> Diagnosis:
    """The diagnosis of aligned units."""
    cells = cells_of(units)
    confusions = Confusions.of(costs)
    pieces = Pieces.of(units)
    categories = CategoryTable.of(costs, np.unique(pieces.whole))
    is_piece, _ = pieces.split_units(units)
    short = short_units(costs, is_piece)
    of_categories = np.concatenate([getattr(categories, f"p_{habit}") for habit in CATEGORY_HABITS])
    passed = benjamini_hochberg(of_categories, LEVEL).reshape(len(CATEGORY_HABITS), -1)
    stands_out = {habit: out & categories.differs(habit) for habit, out in zip(CATEGORY_HABITS, passed, strict=True)}
    tables = habit_tables(units, cells)
    judgement = judge(units, cells, tables)
    return Diagnosis(
        units,
        costs,
        cells,
        tables,
        judgement,
        confusions_by_annotator(units),
        confusions,
        confusions.stand_out(LEVEL),
        categories,
        stands_out,
        short,
        short is not None and short.p <= LEVEL,
        is_piece,
    )
