# SPDX-License-Identifier: MIT
"""Annotations, in and out: tables, the files of annotation tools, folders and archives of them."""

from unisono.io.columns import Columns
from unisono.io.files import SIZE_LIMIT, Limits, NamedFiles
from unisono.io.formats import FORMATS, Format, Reader, register
from unisono.io.layout import Layout
from unisono.io.reading import Inspection, inspect, read
from unisono.io.write import write_table
from unisono.io.writers import WRITERS, write

__all__ = [
    "FORMATS",
    "SIZE_LIMIT",
    "WRITERS",
    "Columns",
    "Format",
    "Inspection",
    "Layout",
    "Limits",
    "NamedFiles",
    "Reader",
    "inspect",
    "read",
    "register",
    "write",
    "write_table",
]
