# SPDX-License-Identifier: MIT
"""Text for a terminal, a file or a string: lines, paragraphs and tables, collected on a page.

Names go through `visible` and into `Text` objects, never into markup: `[red]` in a name is shown as `[red]`.
"""

from __future__ import annotations

import os
import shutil
import textwrap
from collections.abc import Iterable, Sequence
from io import StringIO
from typing import TextIO

from rich import box
from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from unisono.report import visible

#: Running text is not wider than this, however wide the terminal.
TEXT_WIDTH = 100
#: Document names get at least this width before they are broken into lines.
NAME_WIDTH = 20
#: No page is narrower than this.
LEAST_WIDTH = 40
#: A narrower page shows the numbers without their explanations.
ROOM_FOR_REMARKS = 76
#: Width where nothing limits it: wider than any table, so that a pipe or a file gets every column whole.
UNLIMITED = 100_000


def plain_table() -> Table:
    """A table without columns yet, with a line below its header and no frame: the look of every table in text."""
    return Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False, header_style="bold", show_edge=False)


class Page:
    """Collects lines, paragraphs and tables and turns them into one string."""

    def __init__(self, *, width: int | None = None, colour: bool = False):
        self.width = width or UNLIMITED
        self._console = Console(
            file=StringIO(),
            width=self.width,
            force_terminal=colour,
            color_system="auto" if colour else None,
            highlight=False,
            markup=False,
            emoji=False,
            legacy_windows=False,
        )

    @classmethod
    def for_stream(cls, stream: TextIO) -> Page:
        """A page as wide and colourful as the stream allows: plain unless it is a terminal and NO_COLOR is unset.

        A pipe or a file has any width, unless COLUMNS says which.
        """
        if not stream.isatty():
            columns = os.environ.get("COLUMNS", "")
            return cls(width=max(LEAST_WIDTH, int(columns)) if columns.isdecimal() and columns.isascii() else None)
        return cls(width=shutil.get_terminal_size().columns, colour=not os.environ.get("NO_COLOR"))

    def add(self, item: RenderableType = "") -> None:
        self._console.print(item)

    def line(self, text: str, style: str = "") -> None:
        """One line that is never broken, so that it can be copied whole."""
        self._console.print(Text(text, style), soft_wrap=True)

    def paragraph(self, text: str, style: str = "", *, indent: str = "") -> None:
        width = min(self.width, TEXT_WIDTH)
        hanging = indent and indent * 2
        self.line(
            textwrap.fill(text, width, initial_indent=indent, subsequent_indent=hanging, break_on_hyphens=False),
            style,
        )

    def __str__(self) -> str:
        file = self._console.file
        assert isinstance(file, StringIO)
        return "".join(f"{line.rstrip()}\n" for line in file.getvalue().splitlines())


def add_rows(page: Page, header: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """A plain table of names, for the lists of measures and formats."""
    table = plain_table()
    for column, key in enumerate(header):
        table.add_column(key, no_wrap=column == 0, overflow="fold")
    for row in rows:
        table.add_row(*(Text(visible(cell)) for cell in row))
    page.add(table)
