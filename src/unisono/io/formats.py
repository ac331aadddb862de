# SPDX-License-Identifier: MIT
"""The formats of tables: what they are called and how their files' names end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Format:
    """One format of files."""

    name: str
    #: Endings of file names; each may be followed by `.gz`.
    suffixes: tuple[str, ...]
    description: str


#: Every format by name.
FORMATS: Mapping[str, Format] = {
    format.name: format
    for format in (
        Format(
            "csv", (".csv",), "a table as text, columns parted by commas, semicolons or |, with or without a header"
        ),
        Format("tsv", (".tsv", ".tab"), "a table as text, columns parted by tabs, with or without a header"),
        Format(
            "jsonl", (".jsonl", ".ndjson"), "one JSON object for each unit, one per line; or a list of such objects"
        ),
        Format("parquet", (".parquet", ".pq"), "a table in binary form; needs pip install 'unisono[tables]'"),
    )
}

_BY_SUFFIX = {suffix: format.name for format in FORMATS.values() for suffix in format.suffixes}


def format_of(suffix: str) -> str | None:
    """The format whose files end so, if there is one.

    >>> format_of(".TAB"), format_of(".xlsx")
    ('tsv', None)
    """
    return _BY_SUFFIX.get(suffix.lower())
