# SPDX-License-Identifier: MIT
"""Tables read part by part: rows of a Parquet file or of a delimited text, as many at a time as fit in memory."""

from __future__ import annotations

import codecs
from collections.abc import Callable, Iterator, Sized
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from unisono._core import Delimited
from unisono.errors import FormatError
from unisono.io.files.encoding import not_in_encoding, require_content, text_encoding
from unisono.io.files.opening import DAMAGE, File
from unisono.io.options import Settings
from unisono.io.tables.cells import Table
from unisono.io.tables.data_frame import read_frame
from unisono.io.tables.delimited import KINDS, LeftOut, choose_separator, read_delimited
from unisono.io.tables.parquet import require, unreadable_parquet
from unisono.io.wording import short

_PARQUET = b"PAR1"
#: Approximate bytes of a row of a delimited text.
_BYTES_OF_A_ROW = 64

Piece = TypeVar("Piece", bound=Sized)

_READ_WHOLE = "Read the corpus into memory."


@dataclass(frozen=True)
class TablePart:
    """Consecutive rows of a table; rows that are given back are read again at the beginning of the next part."""

    table: Table
    is_last: bool
    _give_back: Callable[[int], None]
    _first: Callable[[int], Table]

    @property
    def n_rows(self) -> int:
        return self.table.n_rows

    def give_back(self, row: int) -> None:
        """Let the next part begin at this row."""
        self._give_back(row)

    def first(self, n_rows: int) -> TablePart:
        """The part with only its first rows."""
        return self if n_rows == self.n_rows else replace(self, table=self._first(n_rows))


def cut_table(file: File, settings: Settings, rows: int) -> Iterator[TablePart]:
    """The rows of a table, about `rows` at a time.

    FormatError where the file is not a table that can be read part by part.
    """
    if file.is_archived:
        raise _refusal(file, "a file in an archive cannot be read as a stream", "Unpack the archive.")
    head = file.head()
    if head.startswith(_PARQUET):
        yield from _cut_parquet(file, rows)
    elif file.suffix in (".csv", ".tsv", ".txt", ".tab", "") or settings.format in ("csv", "tsv"):
        yield from _cut_delimited(file, settings, rows)
    else:
        raise _refusal(
            file,
            "only tables of units (CSV, TSV, Parquet) can be read as a stream",
            f"Convert it with unisono convert. {_READ_WHOLE}",
        )


def _refusal(file: File, message: str, remedy: str) -> FormatError:
    return FormatError.of(message, remedy, where=file.where, code="stream")


# -- Parquet ---------------------------------------------------------------------------------------------------------


def _cut_parquet(file: File, rows: int) -> Iterator[TablePart]:
    pyarrow, parquet = require("reading Parquet"), require("reading Parquet", "pyarrow.parquet")
    try:
        with file.opened() as stream:
            batches = parquet.ParquetFile(stream).iter_batches(batch_size=rows)
            yield from _parquet_parts(file, map(pyarrow.Table.from_batches, ([batch] for batch in batches)))
    except (pyarrow.ArrowException, OSError, UnicodeDecodeError) as error:
        raise unreadable_parquet(file, error) from None


def _parquet_parts(file: File, tables: Iterator[Any]) -> Iterator[TablePart]:
    pyarrow = require("reading Parquet")
    kept, following = next(tables, None), next(tables, None)
    first_row = 0
    while kept is not None:
        kept.validate(full=True)
        rest = kept.slice(kept.num_rows)

        def table_of(n_rows: int, kept: Any = kept, first_row: int = first_row) -> Table:
            return read_frame(
                kept.slice(0, n_rows),
                where=file.where,
                stem=file.stem,
                kind="Parquet",
                place=lambda row: f"{file.where} row {first_row + row + 1}",
            )

        def give_back(row: int, kept: Any = kept) -> None:
            nonlocal rest
            rest = kept.slice(row)

        yield TablePart(table_of(kept.num_rows), following is None, give_back, table_of)
        first_row += kept.num_rows - rest.num_rows
        kept = None if following is None else pyarrow.concat_tables([rest, following])
        more = _take_at_least(tables, rest.num_rows)
        following = pyarrow.concat_tables(more) if more else None


# -- delimited text --------------------------------------------------------------------------------------------------


def _cut_delimited(file: File, settings: Settings, rows: int) -> Iterator[TablePart]:
    """Whole lines of a text, each part under the header of the file."""
    blocks = _utf8_blocks(file, settings.encoding, rows * _BYTES_OF_A_ROW)
    text, following = _Text(file, settings, next(blocks, b"")), next(blocks, b"")
    require_content(text.kept, file.where)
    while text.kept:
        part = text.part(is_last=not following)
        if part is not None:
            yield part
        if not following:
            return
        n_left = len(text.kept)
        text.kept += following
        following = b"".join(_take_at_least(blocks, n_left))


class _Text:
    """The text that was read but not yet returned as part of a table; it starts at the beginning of a line."""

    def __init__(self, file: File, settings: Settings, kept: bytes):
        self.file = file
        self.settings = settings
        self.kept = kept
        separators = {"tsv": ("\t",), "csv": (",", ";", "|")}.get(settings.format or "", tuple(KINDS))
        self.separator = choose_separator(kept, separators, settings.schema)
        self.header: bytes | None = None
        self.n_lines_before = 0

    def part(self, *, is_last: bool) -> TablePart | None:
        """The complete rows read so far, which are removed from `kept`; None where there is only the header yet."""
        end = len(self.kept) if is_last else _whole_rows_length(self.kept, self.separator)
        if self.header is None:
            if not end:
                return None
            self._find_header(self.kept[:end])
            end -= len(self.header or b"")
        body, beyond = self.kept[:end], self.kept[end:]
        if not body.strip():
            self.kept = b"" if is_last else self.kept
            return None
        table, starts = self._table(body), _line_starts(body)
        lines_before = self.n_lines_before
        self.n_lines_before += len(starts) - 1
        self.kept = beyond

        def offset(row: int) -> int:
            """Where a row begins in the body."""
            return int(starts[_line_of(table.place(row)) - lines_before - 1]) if row < table.n_rows else len(body)

        def give_back(row: int) -> None:
            self.kept = body[offset(row) :] + beyond
            self.n_lines_before = lines_before + int(np.searchsorted(starts, offset(row)))

        return TablePart(table, is_last, give_back, lambda n_rows: self._table(body[: offset(n_rows)], lines_before))

    def _find_header(self, data: bytes) -> None:
        """Remove the header from `kept` and remember it."""
        table = self._read(data, self.settings.header)
        self.header = b""
        if table.has_header:
            starts = _line_starts(data)
            first = _line_of(table.place(0)) if table.n_rows else len(starts)
            self.header = data[: int(starts[first - 1])] if table.n_rows else data
            self.n_lines_before = first - 1
        self.kept = self.kept[len(self.header) :]

    def _table(self, body: bytes, lines_before: int | None = None) -> Table:
        header = self.header or b""
        n_header = len(_line_starts(header)) - 1
        n_before = self.n_lines_before if lines_before is None else lines_before
        return self._read(header + body, bool(header), LeftOut(n_header, n_before - n_header))

    def _read(self, data: bytes, header: bool | None, left_out: LeftOut | None = None) -> Table:
        settings = self.settings
        return read_delimited(
            data,
            where=self.file.where,
            stem=self.file.stem,
            separators=(self.separator,),
            schema=settings.schema,
            given=settings.columns,
            header=header,
            left_out=left_out,
        )


def _utf8_blocks(file: File, encoding: str | None, size: int) -> Iterator[bytes]:
    """The text of a file as UTF-8, some bytes at a time."""
    name, begin = text_encoding(file.head(), file.where, encoding)
    decoder = codecs.getincrementaldecoder(name or "utf-8")()
    n_read = n_lines = 0
    try:
        with file.open_unpacked() as stream:
            n_read += len(stream.read(begin))
            while block := stream.read(size):
                n_read += len(block)
                yield decoder.decode(block).encode("utf-8", "surrogatepass")
                n_lines += block.count(b"\n")
            yield decoder.decode(b"", final=True).encode("utf-8", "surrogatepass")
    except UnicodeDecodeError as error:
        before = n_read - len(error.object)  # it begins with what was left of the block before
        raise not_in_encoding(error, name, file.where, offset=before, n_lines=n_lines) from None
    except DAMAGE as error:
        raise _refusal(file, f"the file cannot be read ({short(str(error)) or 'damaged'})", "Copy it again.") from None


def _take_at_least(pieces: Iterator[Piece], n: int) -> list[Piece]:
    """The next pieces, together at least as large as the n left over from before; fewer only at the end.

    A document or a cell that spans many pieces is thus scanned again only when its known part has doubled.
    """
    more: list[Piece] = []
    for piece in pieces:
        more.append(piece)
        n -= len(piece)
        if n <= 0:
            break
    return more


def _whole_rows_length(data: bytes, separator: str) -> int:
    """The length of the rows that are whole, as the reader of tables finds them."""
    scan = Delimited(data, separator, True)
    if scan.fault == "after":
        return data.rfind(b"\n") + 1  # reading more of the text would not help: the reader reports it
    if data.endswith(b"\n") and not scan.fault:
        return len(data)
    lines = scan.lines()
    return int(_line_starts(data)[lines[-1] - 1]) if len(lines) else 0


def _line_starts(data: bytes) -> NDArray[np.int64]:
    """Where each line begins, and the end of the text if it ends with a line."""
    column = np.frombuffer(data, dtype=np.uint8)
    is_end = column == ord("\n")
    returns = np.flatnonzero(column == ord("\r"))
    after = column[np.minimum(returns + 1, max(0, len(column) - 1))] if len(column) else column
    is_end[returns[(returns + 1 >= len(column)) | (after != ord("\n"))]] = True
    return np.concatenate(([0], np.flatnonzero(is_end) + 1)).astype(np.int64)


def _line_of(place: str) -> int:
    return int(place.rpartition(":")[2])
