# SPDX-License-Identifier: MIT
"""The tables of an explanation: the habits of annotators, the categories, the pairs of categories."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from unisono.diagnosis.annotator_cells import HABITS
from unisono.diagnosis.diagnose import CATEGORY_HABITS, Diagnosis
from unisono.diagnosis.habits import habits_as_dict
from unisono.frames import Rows


@dataclass(frozen=True)
class Row:
    """One row of a table of an explanation: a mapping that `to_dict` gives as it is."""

    values: Mapping[str, Any]

    def __getitem__(self, key: str) -> Any:
        return self.values[key]

    def to_dict(self) -> dict[str, Any]:
        return dict(self.values)


def annotator_rows(diagnosis: Diagnosis) -> Rows[Row]:
    """The habits of each annotator."""
    units, judgement = diagnosis.units, diagnosis.judgement
    n = units.n_annotators
    counts = np.bincount(units.annotator, minlength=n)
    documents = np.bincount(units.seat_annotator, minlength=n)
    in_documents = np.bincount(units.document, minlength=len(units.documents))
    others = np.bincount(units.seat_annotator, in_documents[units.seat_document], n) - counts
    seats = np.bincount(units.seat_annotator, units.seats[units.seat_document], n) - documents
    who, theirs, instead, times = diagnosis.by_annotator
    confused: dict[int, list[dict[str, Any]]] = {}
    names = [*units.labels, None]
    for each, category, other, count in zip(
        who.tolist(), theirs.tolist(), instead.tolist(), times.tolist(), strict=True
    ):
        confused.setdefault(each, []).append({"category": names[category], "instead": names[other], "count": count})
    rows = []
    for i, name in enumerate(units.annotators):
        habits = {
            habit: habits_as_dict(
                diagnosis.tables[habit], i, judgement.p[i, column], bool(judgement.stands_out[i, column])
            )
            for column, habit in enumerate(HABITS)
        }
        rows.append(
            Row(
                {
                    "annotator": name,
                    "documents": int(documents[i]),
                    "units": int(counts[i]),
                    "units_per_document": float(counts[i] / documents[i]) if documents[i] else None,
                    "units_per_document_of_others": float(others[i] / seats[i]) if seats[i] else None,
                    **habits,
                    "confusions": confused.get(i, []),
                }
            )
        )
    return Rows(rows)


def category_rows(diagnosis: Diagnosis) -> Rows[Row]:
    """Each category: how often it is missed, seen by one alone, split, badly bounded."""
    table = diagnosis.categories
    names = [*diagnosis.units.labels, None]

    def number(value: float) -> float | None:
        return None if np.isnan(value) else float(value)

    rows = []
    for i, label in enumerate(table.label.tolist()):
        habits = {
            habit: {
                "value": number(getattr(table, habit)[i]),
                "others": number(getattr(table, f"{habit}_others")[i]),
                "p": float(getattr(table, f"p_{habit}")[i]),
                "stands_out": bool(diagnosis.category_stands_out[habit][i]),
            }
            for habit in CATEGORY_HABITS
        }
        rows.append(
            Row(
                {
                    "category": names[label],
                    "units": int(table.units[i]),
                    "annotators": int(table.annotators[i]),
                    **habits,
                }
            )
        )
    return Rows(sorted(rows, key=lambda row: -row["units"]))


def confusion_rows(diagnosis: Diagnosis) -> Rows[Row]:
    """Every two categories that aligned units have, the most disorder first."""
    confusions = diagnosis.confusions
    names = [*diagnosis.units.labels, None]
    return Rows(
        Row(
            {
                "category": names[int(confusions.first[i])],
                "other_category": names[int(confusions.second[i])],
                "pairs": int(confusions.pairs[i]),
                "of": int(confusions.possible[i]),
                "disorder": float(confusions.disorder[i]),
                "p": float(confusions.p[i]),
                "stands_out": bool(diagnosis.confusion_stands_out[i]),
            }
        )
        for i in range(len(confusions))
    )
