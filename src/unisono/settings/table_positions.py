# SPDX-License-Identifier: MIT
"""The settings of tables and positions that answer what a file leaves open."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from unisono.errors import Problem
from unisono.settings.bounds import LARGEST_POSITION, conflict
from unisono.settings.definition import setting

_table = partial(setting, panel="Columns of a table", in_benchmark=False, is_recorded=False)
_position = partial(setting, panel="Positions", in_benchmark=False, is_recorded=False)


@dataclass(frozen=True, kw_only=True)
class Positions:
    """What the columns of a table and its positions mean; a part of `Reading`."""

    no_category: bool = _table(
        False, "The units have no category; no column is asked about.", control="The units have no category"
    )
    one_document: bool = _table(
        False, "A table is one document; no column is asked about.", control="A table is one document"
    )
    sheet: str | None = _table(
        None,
        "Name or number of the sheet of an Excel file.",
        metavar="SHEET",
        default_help="the first sheet",
        control="Sheet of an Excel file",
    )
    thousands: str | None = _position(
        None,
        "Sign between groups of three digits; with a comma, 1,000 is a thousand.",
        metavar="SIGN",
        choices=(",", ".", "'", " "),
        choice_labels={",": "comma", ".": "point", "'": "apostrophe", " ": "blank"},
        requirement="a comma, a point, an apostrophe or a blank",
        default_help="detected from the file, or asked about",
        control="Sign between thousands",
    )
    time_unit: str | None = _position(
        None,
        "What the positions count; time codes are converted to it.",
        metavar="UNIT",
        choices=("ms", "s", "frames"),
        choice_labels={"ms": "milliseconds (ms)", "s": "seconds (s)"},
        default_help="what the format says; time codes become seconds",
        control="Unit of time",
    )
    fps: float | None = _position(
        None,
        "Frames per second: for time codes such as 00:01:02:12, and for positions in frames.",
        metavar="N",
        above=0,
        high=1_000_000,
        control="Frames per second",
    )
    inclusive_ends: bool = _position(
        False,
        "The end of a unit is its last position instead of the first one after it: ends are raised by 1.",
        control="Ends are inclusive",
    )
    one_based: bool = _position(
        False, "Positions count from 1 instead of 0: all are lowered by 1.", control="Positions count from 1"
    )

    def conflicts(self: Any) -> Iterator[Problem]:
        if self.extent is not None and max(map(abs, self.extent)) > LARGEST_POSITION:
            start, end = self.extent
            message = f"[[extent]], {start:g} to {end:g}, passes the largest position, 2**53 (9,007,199,254,740,992)"
            yield conflict(message, "Count from a nearer origin.")
        for switch, column in (("no_category", "category_column"), ("one_document", "document_column")):
            if getattr(self, switch) and getattr(self, column) is not None:
                yield conflict(f"[[{switch}]] and [[{column}]] exclude each other")
        if self.thousands is not None and self.thousands == self.decimal:
            yield conflict(f"[[thousands]] and [[decimal]] are both {self.decimal!r}", "Give them different signs.")
