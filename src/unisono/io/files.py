# SPDX-License-Identifier: MIT
"""From a path to files: single files, folders, gzip, zip archives, standard input. Nothing is ever unpacked to disk."""

from __future__ import annotations

import gzip
import io
import os
import posixpath
import stat
import sys
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import IO

from unisono.errors import FormatError, InputError, ParameterError

#: Largest input read, in bytes after decompression: a compressed bomb must not fill the memory.
SIZE_LIMIT = 2 * 2**30
#: Most files looked at, in folders and archives together.
FILE_LIMIT = 100_000
#: How deep archives may stand in archives; an INCEpTION export has two levels.
NESTING_LIMIT = 3

STDIN = "-"

#: What is looked at to tell the format of a file.
HEAD_BYTES = 65_536

_GZIP = b"\x1f\x8b"
_ZIP = b"PK\x03\x04"
#: Spreadsheets and office files are zip archives too; they hold nothing to read here.
_OFFICE = ("[Content_Types].xml", "mimetype")
#: The errors a damaged archive or packed file can raise in the standard library.
_DAMAGE = (OSError, EOFError, zlib.error, zipfile.BadZipFile, RuntimeError, NotImplementedError, ValueError)
_MESSY = {"__MACOSX", "Thumbs.db", "desktop.ini"}


@dataclass(frozen=True, slots=True)
class Limits:
    """How much is read before an input is refused.

    >>> Limits(size=0)
    Traceback (most recent call last):
    unisono.errors.ParameterError: a size limit above zero; found 0
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
                raise ParameterError.of(f"a {name} limit above zero", str(limit), code="parameter")


@dataclass(frozen=True, slots=True)
class NamedFiles:
    """Files known by other names than those they are kept under, such as what strangers sent: names are never paths.

    One file stands for itself; several are read as if they lay in a folder, `ann/letter.ann` in its subfolder ann.

    >>> str(NamedFiles({"letter.csv": Path("kept/17")}))
    'letter.csv'
    """

    files: Mapping[str, Path]

    def __str__(self) -> str:
        return next(iter(self.files)) if len(self.files) == 1 else f"{len(self.files)} files"


@dataclass(slots=True)
class _Budget:
    """What is left of the limits while one path is opened."""

    limits: Limits
    where: str
    files: int = 0
    bytes: int = 0

    def count_file(self) -> None:
        self.files += 1
        if self.files > self.limits.files:
            raise FormatError.of(
                f"at most {self.limits.files} files",
                "more",
                "give a folder further down, or raise --file-limit",
                where=self.where,
                code="file-limit",
            )

    def spend(self, n_bytes: int, where: str) -> None:
        self.bytes += n_bytes
        if self.bytes > self.limits.size:
            raise too_large("more", where, self.limits.size)


@dataclass(frozen=True)
class File:
    """One file of the input, wherever it lies; opened when asked for, never kept in memory."""

    #: How messages call it: `a.csv`, `export.zip!/annotation/x.xmi`.
    where: str
    #: Every folder (and archive) above it and its own name, `.gz` left out: what layouts look at.
    parts: tuple[str, ...]
    opened: Callable[[], IO[bytes]] = field(repr=False)
    limits: Limits = field(repr=False, default_factory=Limits)
    #: The file of that name in the same folder, for formats that keep text and annotations apart.
    beside: Callable[[str], File | None] = field(repr=False, default=lambda name: None)
    #: Named by the user, not found in a folder or an archive: then it must be readable.
    is_named: bool = True
    _budget: _Budget | None = field(repr=False, default=None)

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

    def head(self) -> bytes:
        """The first bytes."""
        return self._guarded(lambda stream: stream.read(HEAD_BYTES))

    def data(self) -> bytes:
        """All bytes, within the limits."""
        data = self._guarded(lambda stream: read_beyond(stream, self.limits.size))
        if len(data) > self.limits.size:
            raise too_large("more", self.where, self.limits.size)
        if self._budget is not None:
            self._budget.spend(len(data), self.where)
        return data

    def _guarded(self, read: Callable[[IO[bytes]], bytes]) -> bytes:
        try:
            with self.opened() as stream:
                data = read(stream)
                if not data.startswith(_GZIP) or len(data) > self.limits.size:
                    return data
            with self.opened() as stream, gzip.open(stream) as unpacked:
                return read(unpacked)  # type: ignore[arg-type]
        except InputError:
            raise
        except _DAMAGE as error:
            raise self._refusal(error) from None

    def _refusal(self, error: Exception) -> InputError:
        if isinstance(error, gzip.BadGzipFile | EOFError | zlib.error) and self._budget is None:
            return FormatError.of(
                "a complete gzip file",
                f"one that breaks off or is damaged ({error})",
                "fetch or pack it again",
                where=self.where,
                code="gzip",
            )
        if self._budget is not None:
            return damaged_archive(self.where, error)
        return unreadable(self.where, error)


def read_beyond(stream: IO[bytes], limit: int) -> bytes:
    """All that is in a stream, but no more than one byte beyond the limit.

    Read in steps: a stream asked for n bytes sets n bytes of memory aside before it looks how many there are.
    """
    parts = []
    left = limit + 1
    while left and (part := stream.read(min(left, 2**24))):
        parts.append(part)
        left -= len(part)
    return b"".join(parts)


def too_large(found: str, where: str, size_limit: int) -> InputError:
    """The refusal of an input beyond the limit."""
    remedy = "split the file, or raise --size-limit if you trust it"
    return FormatError.of(f"at most {size_limit} bytes (unpacked)", found, remedy, where=where, code="size-limit")


def unreadable(where: str, error: Exception) -> InputError:
    """The refusal of a file the system does not open."""
    reason = getattr(error, "strerror", None) or str(error)
    return FormatError.of(
        "a file that can be read",
        f"an error: {reason}",
        "check its name and its permissions",
        where=where,
        code="unreadable",
    )


def damaged_archive(where: str, error: Exception) -> InputError:
    """The refusal of an archive that cannot be unpacked."""
    return FormatError.of(
        "a complete zip archive without password",
        f"one that cannot be unpacked ({str(error) or type(error).__name__})",
        "fetch or pack it again",
        where=where,
        code="archive",
    )


def files_of(path: str | os.PathLike[str] | NamedFiles, limits: Limits) -> Iterator[File]:
    """The files at a path, in the order of their names: the file itself, or all in the folder or archive."""
    if isinstance(path, NamedFiles):
        yield from _named(path, limits)
        return
    name = os.fspath(path)
    if name == STDIN:
        data = read_beyond(sys.stdin.buffer, limits.size)
        yield File("stdin", ("stdin",), lambda: io.BytesIO(data), limits)
        return
    place = Path(path)
    budget = _Budget(limits, str(path))
    try:
        mode = os.stat(path).st_mode  # noqa: PTH116 - unlike Path.is_dir it tells why not
    except FileNotFoundError:
        raise FormatError.of(
            "a file", "nothing of that name", _neighbours(place), where=str(path), code="missing-file"
        ) from None
    except (OSError, ValueError) as error:
        raise unreadable(str(path), error) from None
    if not stat.S_ISDIR(mode):
        yield from _opened(_plain(place, limits, is_named=True), budget, 0)
        return
    found = False
    for folder, folders, names in os.walk(place, onerror=_refuse_folder):
        folders[:] = sorted(name for name in folders if not _is_hidden(name))
        for name in sorted(name for name in names if not _is_hidden(name)):
            file = Path(folder, name)
            if file.is_file():  # no pipes, no sockets: they may never end
                found = True
                budget.count_file()
                yield from _opened(_plain(file, limits, is_named=False), budget, 0)
    if not found:
        raise FormatError.of(
            "a folder with files", "an empty one", "is it the right folder?", where=str(path), code="empty-folder"
        )


def _named(named: NamedFiles, limits: Limits) -> Iterator[File]:
    """Files kept under other names; only what is kept is ever opened, whatever the names say."""
    budget = _Budget(limits, str(named))

    def made(name: str) -> File:
        folder = posixpath.dirname(name)

        def beside(other: str) -> File | None:
            neighbour = posixpath.normpath(posixpath.join(folder, other))
            return made(neighbour) if neighbour in named.files else None

        parts = tuple(part for part in name.removesuffix(".gz").split("/") if part)
        return File(name, parts, lambda: named.files[name].open("rb"), limits, beside, is_named=len(named.files) == 1)

    visible = sorted(name for name in named.files if not any(map(_is_hidden, name.split("/"))))
    for name in visible:
        budget.count_file()
        yield from _opened(made(name), budget, 0)


def _refuse_folder(error: OSError) -> None:
    raise unreadable(str(error.filename), error)


def _is_hidden(name: str) -> bool:
    return name.startswith((".", "~$")) or name in _MESSY


def _plain(path: Path, limits: Limits, *, is_named: bool) -> File:
    """A file on disk; its parts are absolute, so that the folder's name is known even for a bare name."""
    parts = Path(os.path.abspath(path)).parts  # noqa: PTH100 - resolve() would follow links to other names

    def beside(name: str) -> File | None:
        neighbour = path.parent / name
        return _plain(neighbour, limits, is_named=False) if neighbour.is_file() else None

    return File(
        str(path), (*parts[1:-1], parts[-1].removesuffix(".gz")), lambda: path.open("rb"), limits, beside, is_named
    )


def _opened(file: File, budget: _Budget, depth: int) -> Iterator[File]:
    """The file itself, or what is in it if it is an archive."""
    if not file.head().startswith(_ZIP):
        yield file
        return
    where = file.where
    if depth >= budget.limits.nesting:
        raise FormatError.of(
            f"archives in archives at most {budget.limits.nesting} deep",
            "more",
            "unpack it first, or raise --nesting-limit",
            where=where,
            code="nesting-limit",
        )
    try:
        archive = zipfile.ZipFile(io.BytesIO(file.data()))
        entries = [entry for entry in archive.infolist() if not entry.is_dir()]
    except InputError:
        raise
    except _DAMAGE as error:
        raise damaged_archive(where, error) from None
    names = {entry.filename for entry in entries}
    if names & set(_OFFICE):
        yield file  # a spreadsheet, an office file: refused by its own name
        return
    for name in sorted(names):
        if name.startswith("/") or "\\" in name or "\0" in name or ".." in name.split("/") or ":" in name.split("/")[0]:
            raise FormatError.of(
                "names inside the archive",
                f"{name[:60]!r}, which points outside",
                "do not trust this archive",
                where=where,
                code="archive-path",
            )
    size = sum(entry.file_size for entry in entries)
    if size > budget.limits.size:
        raise too_large(f"{size} bytes", where, budget.limits.size)
    # Parts of a path that are hidden hide what is below them, as in a folder.
    visible = sorted(name for name in names if not any(map(_is_hidden, name.split("/"))))
    above = (*file.parts[:-1], file.stem)

    def member(name: str) -> File:
        parts = tuple(part for part in name.removesuffix(".gz").split("/") if part)
        folder = name.rpartition("/")[0]

        def beside(other: str) -> File | None:
            path = posixpath.normpath(f"{folder}/{other}" if folder else other)
            return member(path) if path in names else None

        return File(
            f"{where}!/{name}",
            (*above, *parts),
            lambda: archive.open(name),
            budget.limits,
            beside,
            is_named=False,
            _budget=budget,
        )

    for name in visible:
        budget.count_file()
        yield from _opened(member(name), budget, depth + 1)


def _neighbours(file: Path) -> str:
    """The remedy for a missing file: a file beside it whose name is close, where there is one."""
    from difflib import get_close_matches

    try:
        names = [entry.name for entry in file.parent.iterdir()] if file.parent.is_dir() else None
    except OSError:
        names = []
    if names is None:
        return f"there is no directory {file.parent} either"
    close = get_close_matches(file.name, names, n=1, cutoff=0.8)
    return f"did you mean {file.parent / close[0]}?" if close else "check the path"
