# SPDX-License-Identifier: MIT
"""The participation table: who saw which document, whether or not they marked anything there."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unisono.errors import InputError
from unisono.io.labels import Labels
from unisono.io.tables.cells import Table, labels_of
from unisono.io.tables.column_roles import Columns, Schema, find_roles
from unisono.io.tables.unit_table import check_names

PARTICIPATION = Schema(
    roles=("annotator", "document"),
    required=(("annotator",),),
    header_signs=(("annotator", "document"),),
    layouts=(("document", "annotator"), ("annotator",)),
    numeric=(),
    remedy="Name the columns document and annotator in the first line.",
    ignores_rest=True,
)


@dataclass(frozen=True, slots=True)
class Participation:
    """Pairs of document and annotator; no documents when the table has no such column."""

    where: str
    documents: Labels | None
    annotators: Labels


def read_participation(table: Table) -> Participation:
    """The pairs in a table; further columns are ignored."""
    roles = find_roles(table, PARTICIPATION, Columns()).roles
    annotators = labels_of(table.columns[roles["annotator"]])
    documents = labels_of(table.columns[roles["document"]]) if "document" in roles else None
    usable = ~table.faults.bad
    check_names(table, "annotator", annotators, usable, roles["annotator"])
    if documents is not None:
        check_names(table, "document", documents, usable, roles["document"])
    if table.faults.counts:
        raise InputError(table.faults.problems)
    filled = np.flatnonzero(usable)  # all but blank rows
    return Participation(table.where, None if documents is None else documents.take(filled), annotators.take(filled))
