# SPDX-License-Identifier: MIT
"""Reading and writing annotations: tables, the files of annotation tools, folders and archives of them."""

from unisono.io.files.opening import SIZE_LIMIT, ReadLimits
from unisono.io.files.search import NamedFiles
from unisono.io.formats import FORMATS, Format, Reader, register
from unisono.io.layout.rules import Layout
from unisono.io.read import Inspection, inspect, read
from unisono.io.stream import CorpusStream, stream
from unisono.io.tables.column_roles import Columns
from unisono.io.writers import WRITERS, write
from unisono.io.writers.unit_table import write_table

#: The name of `ReadLimits` before version 0.16.
Limits = ReadLimits

__all__ = [
    "FORMATS",
    "SIZE_LIMIT",
    "WRITERS",
    "Columns",
    "CorpusStream",
    "Format",
    "Inspection",
    "Layout",
    "Limits",
    "NamedFiles",
    "ReadLimits",
    "Reader",
    "inspect",
    "read",
    "register",
    "stream",
    "write",
    "write_table",
]
