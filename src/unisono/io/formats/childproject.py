# SPDX-License-Identifier: MIT
"""ChildProject's converted annotations: `annotations/SET/converted/RECORDING.csv`; positions in milliseconds.

A line is a unit from `segment_onset` to `segment_offset`; `speaker_type` is the category, every other column a
feature, `NA` an empty cell. The set is the annotator: it is not in these files but in the path. Tables in which it is
a column are tables like any other.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from unisono.io import tables
from unisono.io.columns import UNITS_OF_ONE
from unisono.io.files import File
from unisono.io.record import Record, RecordBuilder
from unisono.io.settings import Settings
from unisono.io.table import Labels

_KIND = "ChildProject annotations"


def read(file: File, settings: Settings) -> Record:
    """The lines of one set for one recording."""
    record = tables.read(file, replace(settings, format="csv", schema=UNITS_OF_ONE))
    if not record.n_rows:
        builder = RecordBuilder(file, _KIND)
        builder.sheet()  # names of columns and nothing below: heard, and nothing to annotate
        return builder.record()
    return replace(record, kind=_KIND, features={name: _filled(values) for name, values in record.features.items()})


def _filled(values: Labels) -> Labels:
    """A column in which NA is an empty cell."""
    if "NA" not in values.labels:
        return values
    missing = values.codes == values.labels.index("NA")
    return replace(values, codes=np.where(missing, np.int32(-1), values.codes))
