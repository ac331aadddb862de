# SPDX-License-Identifier: MIT
"""One file of the input: opened once, gzip unpacked, never more of it read than the limits allow."""

from __future__ import annotations

import contextlib
import gzip
import io
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath
from typing import IO, cast

from unisono.errors import FormatError, InputError, ParameterError
from unisono.nouns import quantity
from unisono.settings import Reading

#: Largest input read, in bytes after decompression: a small compressed file may unpack to more than the memory holds.
SIZE_LIMIT = Reading.size_limit
#: Most files looked at, in folders and archives together.
FILE_LIMIT = Reading.file_limit
#: How deep archives may be nested; an INCEpTION export has two levels.
NESTING_LIMIT = Reading.nesting_limit

#: How many bytes are read to recognise the format of a file.
HEAD_BYTES = 65_536

#: Most files of one folder or archive that stay open between recognising and reading them; others are opened again.
_STREAMS_KEPT = 100
#: Most bytes of their beginnings that are kept meanwhile.
_BYTES_KEPT = 2**28

_GZIP = b"\x1f\x8b"
#: The errors that the standard library raises for damaged archives and compressed files.
DAMAGE = (OSError, EOFError, zlib.error, zipfile.BadZipFile, RuntimeError, NotImplementedError, ValueError)


@dataclass(frozen=True, slots=True)
class ReadLimits:
    """How much is read before an input is refused.

    >>> ReadLimits(size=0)
    Traceback (most recent call last):
    unisono.errors.ParameterError: the size limit is 0. Give size_limit= a number above zero.
    """

    #: Bytes of one file, and of everything in one archive, unpacked.
    size: int = SIZE_LIMIT
    #: Files in folders and archives.
    files: int = FILE_LIMIT
    #: Archives in archives.
    nesting: int = NESTING_LIMIT

    def __post_init__(self) -> None:
        for name, limit in (("size", self.size), ("file", self.files), ("nesting", self.nesting)):
            if limit < 1:
                raise ParameterError.of(
                    f"the {name} limit is {limit}", f"Give [[{name}_limit]] a number above zero.", code="parameter"
                )


@dataclass(slots=True)
class Budget:
    """How much of the limits was used by the files at one path."""

    limits: ReadLimits
    where: str
    files: int = 0
    bytes: int = 0
    #: Open streams and bytes of heads that are kept between recognising and reading the files.
    streams: int = 0
    kept: int = 0

    def count_file(self) -> None:
        self.files += 1
        if self.files > self.limits.files:
            raise FormatError.of(
                f"there are more than {quantity(self.limits.files, 'file')}",
                "Give a folder further down, or raise [[file_limit]].",
                where=self.where,
                code="file-limit",
            )

    def spend(self, n_bytes: int, where: str) -> None:
        self.bytes += n_bytes
        if self.bytes > self.limits.size:
            raise too_large(where, self.limits.size)


class _Reading:
    """What was read of a file so far: its first bytes, and the stream that has the rest."""

    __slots__ = ("budget", "head", "stream")

    def __init__(self, budget: Budget | None) -> None:
        self.budget = budget
        self.head: bytes | None = None
        self.stream: IO[bytes] | None = None

    def keep(self, head: bytes, stream: IO[bytes]) -> None:
        """Keep the first bytes, and the stream open where there is more, as far as the budget allows."""
        if self.budget is not None:
            if self.budget.kept + len(head) > _BYTES_KEPT:
                stream.close()
                return
            self.budget.kept += len(head)
        self.head = head
        if len(head) < HEAD_BYTES or (self.budget is not None and self.budget.streams >= _STREAMS_KEPT):
            stream.close()
            return
        self.stream = stream
        if self.budget is not None:
            self.budget.streams += 1

    def drop(self) -> None:
        """Close the stream and forget the first bytes; after that the file would have to be opened again."""
        if self.stream is not None:
            with contextlib.suppress(*DAMAGE):
                self.stream.close()
            self.stream = None
            if self.budget is not None:
                self.budget.streams -= 1
        if self.head is not None:
            if self.budget is not None:
                self.budget.kept -= len(self.head)
            self.head = None

    def __del__(self) -> None:
        self.drop()


@dataclass(frozen=True)
class File:
    """One file of the input, wherever it is; opened when its bytes are asked for, and only once.

    The first bytes are kept, because several questions are asked of them (is it an archive, which format is it);
    the rest is read when `data` is called, from the same stream, and not kept.
    """

    #: The name in messages: `a.csv`, `export.zip!/annotation/x.xmi`.
    where: str
    #: Every folder (and archive) above the file and its own name without `.gz`: names are found here.
    parts: tuple[str, ...]
    opened: Callable[[], IO[bytes]] = field(repr=False)
    limits: ReadLimits = field(repr=False, default_factory=ReadLimits)
    #: The file of that name in the same folder, for formats that keep text and annotations apart.
    beside: Callable[[str], File | None] = field(repr=False, default=lambda name: None)
    #: Whether the user named the file, which must then be readable, rather than a folder or an archive that holds it.
    is_named: bool = True
    budget: Budget | None = field(repr=False, default=None)
    is_archived: bool = False
    _reading: _Reading | None = field(repr=False, compare=False, default=None)

    def __post_init__(self) -> None:
        if self._reading is None:
            object.__setattr__(self, "_reading", _Reading(self.budget))

    @property
    def name(self) -> str:
        return self.parts[-1]

    @property
    def suffix(self) -> str:
        """The ending that hints at the format, in lower case: ".csv", or "" when there is none."""
        return PurePosixPath(self.name).suffix.lower()

    @property
    def stem(self) -> str:
        """The name without its ending."""
        return self.name[: len(self.name) - len(self.suffix)] or self.name

    def with_content(self, data: bytes) -> File:
        """The same file with these bytes instead of its own."""
        return replace(self, opened=lambda: io.BytesIO(data), _reading=None)

    def head(self) -> bytes:
        """The first bytes, unpacked."""
        reading = self._reading
        assert reading is not None
        if reading.head is not None:
            return reading.head
        try:
            stream = self._open()
            try:
                head = _read_up_to(stream, HEAD_BYTES)
            except BaseException:
                stream.close()
                raise
            reading.keep(head, stream)
        except DAMAGE as error:
            raise self._refusal(error) from None
        return head

    def data(self) -> bytes:
        """All bytes, unpacked, within the limits."""
        data = self.head()
        reading = self._reading
        assert reading is not None
        try:
            if len(data) == HEAD_BYTES and reading.stream is not None:
                data += read_beyond(reading.stream, self.limits.size - len(data))
            elif len(data) == HEAD_BYTES:  # closed, as too many files were open
                with self._open() as stream:
                    data = read_beyond(stream, self.limits.size)
        except DAMAGE as error:
            raise self._refusal(error) from None
        finally:
            reading.drop()
        if len(data) > self.limits.size:
            raise too_large(self.where, self.limits.size)
        if self.is_archived and self.budget is not None:
            self.budget.spend(len(data), self.where)
        return data

    def open_unpacked(self) -> IO[bytes]:
        """The stream of the unpacked bytes, of any length: the caller reads a few at a time."""
        return self._open()

    def _open(self) -> IO[bytes]:
        """The stream of the unpacked bytes."""
        stream = self.opened()
        try:
            if isinstance(stream, io.BufferedReader | zipfile.ZipExtFile):
                start = stream.peek(2)  # pipes cannot be read again
            else:
                start = stream.read(2)
                stream.seek(0)
            return cast("IO[bytes]", _Unpacked(stream)) if start.startswith(_GZIP) else stream
        except BaseException:
            stream.close()
            raise

    def _refusal(self, error: Exception) -> InputError:
        if self.is_archived:
            return damaged_archive(self.where, error)
        if isinstance(error, gzip.BadGzipFile | EOFError | zlib.error):
            return FormatError.of(
                f"the gzip file is damaged or incomplete ({error})",
                "Fetch or pack it again.",
                where=self.where,
                code="gzip",
            )
        return unreadable(self.where, error)


class _Unpacked(gzip.GzipFile):
    """A gzip stream that closes the file below it."""

    def __init__(self, packed: IO[bytes]) -> None:
        super().__init__(fileobj=packed, mode="rb")
        self._packed = packed

    def close(self) -> None:
        try:
            super().close()
        finally:
            self._packed.close()


def _read_up_to(stream: IO[bytes], n_bytes: int) -> bytes:
    """The first n bytes, less only where the stream ends."""
    parts = []
    while n_bytes and (part := stream.read(n_bytes)):
        parts.append(part)
        n_bytes -= len(part)
    return b"".join(parts)


def read_beyond(stream: IO[bytes], limit: int) -> bytes:
    """Everything in a stream, but at most one byte beyond the limit.

    Read in steps, because a stream asked for n bytes allocates n bytes before it knows how many there are.
    """
    parts = []
    left = limit + 1
    while left > 0 and (part := stream.read(min(left, 2**24))):
        parts.append(part)
        left -= len(part)
    return b"".join(parts)


def too_large(where: str, size_limit: int) -> InputError:
    """The refusal of an input beyond the size limit."""
    return FormatError.of(
        f"there are more than {size_limit:,} bytes to read (unpacked)",
        "Split the file, or raise [[size_limit]] if you trust it.",
        where=where,
        code="size-limit",
    )


def unreadable(where: str, error: Exception) -> InputError:
    """The refusal of a file that the system does not open."""
    reason = getattr(error, "strerror", None) or str(error)
    return FormatError.of(
        f"the file cannot be opened ({reason})", "Check its name and its permissions.", where=where, code="unreadable"
    )


def damaged_archive(where: str, error: Exception) -> InputError:
    """The refusal of an archive that cannot be unpacked."""
    return FormatError.of(
        f"the zip archive is damaged, incomplete or has a password ({str(error) or type(error).__name__})",
        "Fetch or pack it again, without a password.",
        where=where,
        code="archive",
    )
