# SPDX-License-Identifier: MIT
"""How files are read: what the options say, for every reader alike."""

from __future__ import annotations

from dataclasses import dataclass, field

from unisono.io.columns import UNITS, Columns, Schema
from unisono.io.files import Limits


@dataclass(frozen=True, slots=True)
class Settings:
    """The options of reading that readers need."""

    #: The format asked for, None where it is to be found out.
    format: str | None = None
    encoding: str | None = None
    limits: Limits = field(default_factory=Limits)
    #: Whether the curated documents of a project export are read too.
    curation: bool = False
    # For tables:
    columns: Columns = field(default_factory=Columns)
    header: bool | None = None
    decimal: str = "."
    schema: Schema = UNITS
