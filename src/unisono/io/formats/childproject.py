# SPDX-License-Identifier: MIT
"""ChildProject's converted annotations: `annotations/SET/converted/RECORDING.csv`; positions in milliseconds.

A line is a unit from `segment_onset` to `segment_offset`; `speaker_type` is the category, every other column a
feature, `NA` an empty cell. The set is the annotator; it is taken from the path. A table with the set as a column is
read as an ordinary table.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from unisono.io.files.opening import File
from unisono.io.labels import Labels
from unisono.io.options import Settings
from unisono.io.record import Record, RecordBuilder
from unisono.io.tables import unit_table
from unisono.io.tables.column_roles import UNITS_OF_ONE

_KIND = "ChildProject annotations"


def read(file: File, settings: Settings) -> Record:
    """The lines of one set for one recording."""
    record = unit_table.read(file, replace(settings, format="csv", schema=UNITS_OF_ONE, asked_roles=()))
    if not record.n_rows:
        builder = RecordBuilder(file, _KIND, time_unit="ms")
        builder.sheet()  # a header without rows: the recording was heard, and nothing was marked
        return builder.record()
    features = {name: _without_na(values) for name, values in record.rows.features.items()}
    rows = replace(record.rows, features=features)
    return replace(record, kind=_KIND, rows=rows, time_unit=record.time_unit or "ms")


def _without_na(values: Labels) -> Labels:
    """The column with its cells `NA` empty."""
    if "NA" not in values.labels:
        return values
    missing = values.codes == values.labels.index("NA")
    return replace(values, codes=np.where(missing, np.int32(-1), values.codes))
