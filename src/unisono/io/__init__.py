# SPDX-License-Identifier: MIT
"""Tables of annotations, in and out: CSV, TSV, JSON lines, Parquet, data frames."""

from unisono.io.columns import Columns
from unisono.io.formats import FORMATS
from unisono.io.reading import Inspection, inspect, read
from unisono.io.source import SIZE_LIMIT
from unisono.io.write import write_table

__all__ = ["FORMATS", "SIZE_LIMIT", "Columns", "Inspection", "inspect", "read", "write_table"]
