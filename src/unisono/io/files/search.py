# SPDX-License-Identifier: MIT
"""From a path to its files: single files, folders, zip archives, standard input. Nothing is ever unpacked to disk."""

from __future__ import annotations

import io
import os
import posixpath
import stat
import sys
import zipfile
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path

from unisono.errors import FormatError
from unisono.io.files.opening import (
    DAMAGE,
    Budget,
    File,
    ReadLimits,
    damaged_archive,
    read_beyond,
    too_large,
    unreadable,
)
from unisono.io.wording import short
from unisono.nouns import quantity

STDIN = "-"
#: The content of standard input, while it is kept; see `keep_stdin`.
_kept: ContextVar[list[bytes] | None] = ContextVar("_kept", default=None)

_ZIP = b"PK\x03\x04"
#: Members that mark a spreadsheet or an office file, which are zip archives too but hold nothing to read here.
_OFFICE = ("[Content_Types].xml", "mimetype")
#: Files and folders that systems put into archives and folders for themselves.
_SYSTEM_NAMES = {"__MACOSX", "Thumbs.db", "desktop.ini"}


@dataclass(frozen=True, slots=True)
class NamedFiles:
    """Files stored under other names than their own, such as uploads: the names are never used as paths.

    One file is read as itself; several are read like a folder, `ann/letter.ann` in its subfolder ann.

    >>> str(NamedFiles({"letter.csv": Path("kept/17")}))
    'letter.csv'
    """

    files: Mapping[str, Path]

    def __str__(self) -> str:
        return next(iter(self.files)) if len(self.files) == 1 else quantity(len(self.files), "file")


def find_files(path: str | os.PathLike[str] | NamedFiles, limits: ReadLimits) -> Iterator[File]:
    """The files at a path, in the order of their names: the file itself, or all in the folder or archive."""
    if isinstance(path, NamedFiles):
        yield from _files_by_name(path, limits)
        return
    if os.fspath(path) == STDIN:
        data = _read_stdin(limits.size)
        yield File("stdin", ("stdin",), lambda: io.BytesIO(data), limits)
        return
    place = Path(path)
    budget = Budget(limits, str(path))
    try:
        mode = os.stat(path).st_mode  # noqa: PTH116 - unlike Path.is_dir, it says why it fails
    except FileNotFoundError:
        raise FormatError.of(
            "there is no such file", _suggestion(place), where=str(path), code="missing-file"
        ) from None
    except (OSError, ValueError) as error:
        raise unreadable(str(path), error) from None
    if not stat.S_ISDIR(mode):
        yield from _open_archives(_file_on_disk(place, budget, {}, is_named=True), budget, 0)
        return
    is_empty = True
    known: dict[Path, File] = {}
    for folder, names in _walk(place):
        for name in sorted(name for name in names if not _is_hidden(name)):
            file = Path(folder, name)
            if file.is_file():  # pipes and sockets may never end
                is_empty = False
                budget.count_file()
                known[file] = _file_on_disk(file, budget, known, is_named=False)
                yield from _open_archives(known[file], budget, 0)
    if is_empty:
        raise FormatError.of(
            "the folder has no files (other than hidden ones)",
            "Is it the right folder?",
            where=str(path),
            code="empty-folder",
        )


@contextmanager
def keep_stdin() -> Iterator[None]:
    """Keep the content of standard input in this context: it can be read only once, and some inputs are read twice."""
    if _kept.get() is not None:
        yield
        return
    token = _kept.set([])
    try:
        yield
    finally:
        _kept.reset(token)


def _read_stdin(limit: int) -> bytes:
    kept = _kept.get()
    if kept:
        return kept[0]
    data = read_beyond(sys.stdin.buffer, limit)
    if kept is not None:
        kept.append(data)
    return data


def find_one_file(path: str | os.PathLike[str] | NamedFiles, limits: ReadLimits) -> File:
    """The only file at a path, which may be in a folder or an archive; a FormatError where there are several."""
    files = list(find_files(path, limits))
    if len(files) != 1:
        raise FormatError.of(
            f"there are {quantity(len(files), 'file')}, and one table is needed",
            "Give one of them." if files else "Is it the right archive?",
            where=str(path),
            code="directory",
        )
    return files[0]


def _files_by_name(named: NamedFiles, limits: ReadLimits) -> Iterator[File]:
    """Files stored under other names; only stored files are ever opened, whatever the names say."""
    budget = Budget(limits, str(named))
    known: dict[str, File] = {}

    def file_named(name: str) -> File:
        folder = posixpath.dirname(name)

        def beside(other: str) -> File | None:
            neighbour = posixpath.normpath(posixpath.join(folder, other))
            return file_named(neighbour) if neighbour in named.files else None

        if name not in known:
            parts = tuple(part for part in name.removesuffix(".gz").split("/") if part)
            is_named = len(named.files) == 1
            known[name] = File(name, parts, lambda: named.files[name].open("rb"), limits, beside, is_named, budget)
        return known[name]

    for name in sorted(name for name in named.files if not any(map(_is_hidden, name.split("/")))):
        budget.count_file()
        yield from _open_archives(file_named(name), budget, 0)


def _refuse_folder(error: OSError) -> None:
    raise unreadable(str(error.filename), error)


def _walk(top: Path) -> Iterator[tuple[str, list[str]]]:
    """A folder and those below it that are not hidden, each once and with the names of its files.

    A link to a folder is followed if it leads elsewhere: a folder below `top`, or below one that a link led to, is read
    under its own name, and a link to a folder above would go in circles.
    """
    home = Path(os.path.realpath(top))
    visited, roots = {home}, {home}

    def is_read(folder: Path) -> bool:
        target = Path(os.path.realpath(folder))
        if target in visited:
            return False
        if folder.is_symlink():
            if _is_seen_below(roots, target):
                return False
            if home.is_relative_to(target) or Path(os.path.realpath(folder.parent)).is_relative_to(target):
                return False
            roots.add(target)
        visited.add(target)
        return True

    for folder, folders, names in os.walk(top, onerror=_refuse_folder, followlinks=True):
        folders[:] = [name for name in sorted(folders) if not _is_hidden(name) and is_read(Path(folder, name))]
        yield folder, names


def _is_seen_below(roots: set[Path], path: Path) -> bool:
    """Whether a path is below one of the folders, and no folder on the way to it is hidden."""
    while not _is_hidden(path.name) and path != path.parent:
        path = path.parent
        if path in roots:
            return True
    return False


def _is_hidden(name: str) -> bool:
    return name.startswith((".", "~$")) or name in _SYSTEM_NAMES


def _file_on_disk(path: Path, budget: Budget, known: Mapping[Path, File], *, is_named: bool) -> File:
    """A file on disk; its parts are absolute, so that the folder's name is known even for a bare file name.

    `known` has the files found so far: a file that is read for its text may be open already.
    """
    parts = Path(os.path.abspath(path)).parts  # noqa: PTH100 - resolve() would follow links to other names

    def beside(name: str) -> File | None:
        neighbour = path.parent / name
        if neighbour in known:
            return known[neighbour]
        return _file_on_disk(neighbour, budget, known, is_named=False) if neighbour.is_file() else None

    names = (*parts[1:-1], parts[-1].removesuffix(".gz"))
    return File(str(path), names, lambda: path.open("rb"), budget.limits, beside, is_named, budget)


def _open_archives(file: File, budget: Budget, depth: int) -> Iterator[File]:
    """The file itself, or the files in it if it is a zip archive."""
    if not file.head().startswith(_ZIP):
        yield file
        return
    where = file.where
    if depth >= budget.limits.nesting:
        raise FormatError.of(
            f"archives are nested more than {quantity(budget.limits.nesting, 'level')} deep",
            "Unpack it first, or raise [[nesting_limit]].",
            where=where,
            code="nesting-limit",
        )
    data = file.data()
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
        entries = [entry for entry in archive.infolist() if not entry.is_dir()]
    except DAMAGE as error:
        raise damaged_archive(where, error) from None
    names = {entry.filename for entry in entries}
    if names & set(_OFFICE):
        # A spreadsheet or an office file: the reader of tables reads it, or says what it is.
        yield file.with_content(data)
        return
    for name in sorted(names):
        if name.startswith("/") or "\\" in name or "\0" in name or ".." in name.split("/") or ":" in name.split("/")[0]:
            raise FormatError.of(
                f"the name {short(name)!r} in the archive points outside of it",
                "Do not trust this archive.",
                where=where,
                code="archive-path",
            )
    if sum(entry.file_size for entry in entries) > budget.limits.size:
        raise too_large(where, budget.limits.size)
    # A hidden folder hides everything below it, as on disk.
    visible = sorted(name for name in names if not any(map(_is_hidden, name.split("/"))))
    contents = {(entry.filename, entry.CRC, entry.file_size) for entry in entries}
    n_contents = Counter(name for name, _, _ in contents)
    if several := [name for name in visible if n_contents[name] > 1]:
        raise FormatError.of(
            f"the archive has {n_contents[several[0]]} different files named {short(several[0])!r}",
            "Pack it again, with each file once: only one of them could be read.",
            where=where,
            code="archive",
        )
    above = (*file.parts[:-1], file.stem)
    known: dict[str, File] = {}

    def member(name: str) -> File:
        folder = name.rpartition("/")[0]

        def beside(other: str) -> File | None:
            path = posixpath.normpath(f"{folder}/{other}" if folder else other)
            return member(path) if path in names else None

        if name not in known:
            known[name] = File(
                f"{where}!/{name}",
                (*above, *(part for part in name.removesuffix(".gz").split("/") if part)),
                lambda: archive.open(name),
                budget.limits,
                beside,
                is_named=False,
                budget=budget,
                is_archived=True,
            )
        return known[name]

    for name in visible:
        budget.count_file()
        yield from _open_archives(member(name), budget, depth + 1)


def _suggestion(file: Path) -> str:
    """The remedy for a missing file: a file beside it with a similar name, where there is one."""
    from difflib import get_close_matches

    try:
        names = [entry.name for entry in file.parent.iterdir()] if file.parent.is_dir() else None
    except OSError:
        names = []
    if names is None:
        return f"There is no folder {file.parent} either."
    close = get_close_matches(file.name, names, n=1, cutoff=0.8)
    return f"Did you mean {file.parent / close[0]}?" if close else "Check the path."
