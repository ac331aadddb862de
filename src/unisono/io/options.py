# SPDX-License-Identifier: MIT
"""The settings of reading that a format's reader needs."""

from __future__ import annotations

from dataclasses import dataclass, field

from unisono.io.files.opening import ReadLimits
from unisono.io.tables.column_roles import UNITS, Columns, Schema
from unisono.settings.table_positions import Positions


@dataclass(frozen=True, slots=True)
class Settings:
    """How files are read; `unisono.settings.Reading` defines the settings."""

    #: The format asked for; None if it is detected from the files.
    format: str | None = None
    encoding: str | None = None
    limits: ReadLimits = field(default_factory=ReadLimits)
    #: Whether the curated documents of a project export are read too.
    curation: bool = False
    #: Whether predictions of models are read too.
    predictions: bool = False
    # For annotators' versions of a text:
    #: Whether each file is the version of one annotator.
    versions: bool = False
    text_from: str | None = None
    split_symbol: str = "|"
    merge_symbol: str = "#"
    sentences: bool = False
    token_columns: tuple[str, ...] | None = None
    # For tables:
    columns: Columns = field(default_factory=Columns)
    header: bool | None = None
    decimal: str = "."
    schema: Schema = UNITS
    #: What columns and positions mean.
    positions: Positions = field(default_factory=Positions)
    #: The roles without a column that are asked about where a column is left over that could have them.
    asked_roles: tuple[str, ...] = ("category", "document")
    #: Columns that the layout names as fields: nothing is asked about them.
    named_fields: frozenset[str] = frozenset()
