# SPDX-License-Identifier: MIT
"""The participation table: who saw which document, whether or not they marked anything there."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unisono.errors import InputError
from unisono.io.columns import Columns, Schema, resolve
from unisono.io.table import Labels, Table

PARTICIPATION = Schema(
    roles=("annotator", "document"),
    required=(("annotator",),),
    header_signs=(("annotator", "document"),),
    layouts=(("document", "annotator"), ("annotator",)),
    numeric=(),
    remedy="name the columns document and annotator in the first line",
    ignores_rest=True,
)


@dataclass(frozen=True, slots=True)
class Participation:
    """Pairs of document and annotator; no documents when the table has no such column."""

    table: Table
    documents: Labels | None
    annotators: Labels


def read_participation(table: Table) -> Participation:
    """The pairs in a table; further columns are ignored."""
    roles = resolve(
        table.names,
        table.columns,
        has_header=table.has_header,
        schema=PARTICIPATION,
        given=Columns(),
        where=table.heading,
    ).roles
    annotators = Labels.of(table.columns[roles["annotator"]])
    documents = Labels.of(table.columns[roles["document"]]) if "document" in roles else None
    usable = ~table.faults.bad
    for role, labels in (("annotator", annotators), ("document", documents)):
        if labels is not None:
            expected = f"the {role}'s name in {table.called(roles[role])}"
            table.faults.add(
                f"missing-{role}",
                np.flatnonzero(usable & (labels.codes < 0)).tolist(),
                lambda row, expected=expected, role=role: (  # type: ignore[misc]
                    table.place(row),
                    expected,
                    "an empty cell",
                    f"name the {role}",
                ),
            )
    if table.faults.counts:
        raise InputError(table.faults.problems)
    if not usable.all():  # blank rows
        annotators = Labels(annotators.codes[usable], annotators.labels)
        documents = None if documents is None else Labels(documents.codes[usable], documents.labels)
    return Participation(table, documents, annotators)
