# SPDX-License-Identifier: MIT
"""What is kept of visitors, under ids nobody can guess, in a private folder, until it is no longer asked for.

Names of files are kept as text and never become paths: on disk everything has a number.
"""

from __future__ import annotations

import asyncio
import os
import re
import secrets
import shutil
import stat
import tempfile
import time
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, TypeVar

from unisono.errors import Problem
from unisono.web.limits import Limits, storage_full

#: Beginning of the names of private folders; the number of the process follows.
_PREFIX = "unisono-serve-"

#: Longest name of a file that is kept.
_NAME = 1_000


class StorageFullError(Exception):
    """No room for more."""

    def __init__(self, limits: Limits):
        self.problem = storage_full(limits)
        super().__init__(str(self.problem))


class BadNameError(Exception):
    """A file's name that cannot stand for a place in a folder."""

    def __init__(self, name: str, found: str):
        self.problem = Problem("file-name", "error", name[:100], "names of files, with folders if need be", found)
        super().__init__(str(self.problem))


@dataclass(eq=False)
class Kept:
    """Something kept: where, how large, and when it was last asked for."""

    id: str
    folder: Path
    size: int = 0
    used: float = field(default_factory=time.monotonic)

    def touch(self) -> None:
        self.used = time.monotonic()


@dataclass(eq=False)
class StoredUpload(Kept):
    """The files of one upload by their names, how they are read, and what was understood."""

    files: dict[str, Path] = field(default_factory=dict)
    reading: dict[str, Any] = field(default_factory=dict)
    understood: dict[str, Any] = field(default_factory=dict)


Item = TypeVar("Item", bound=Kept)


class Shelf(Generic[Item]):
    """Kept things by id; asking for one keeps it for another while."""

    def __init__(self) -> None:
        self._items: dict[str, Item] = {}

    def __len__(self) -> int:
        return len(self._items)

    def __iter__(self) -> Iterator[Item]:
        return iter(list(self._items.values()))

    def get(self, id: str) -> Item | None:
        item = self._items.get(id)
        if item is not None:
            item.touch()
        return item

    def add(self, item: Item) -> None:
        self._items[item.id] = item

    def pop(self, id: str) -> Item | None:
        return self._items.pop(id, None)


class Store:
    """The private folder and what is in it."""

    def __init__(self, limits: Limits):
        self.limits = limits
        _remove_orphans()
        self.root = Path(tempfile.mkdtemp(prefix=f"{_PREFIX}{os.getpid()}-"))  # for this user's eyes only
        self.uploads: Shelf[StoredUpload] = Shelf()
        self.jobs: Shelf[Any] = Shelf()

    @property
    def size(self) -> int:
        """Bytes kept."""
        return sum(item.size for shelf in (self.uploads, self.jobs) for item in shelf)

    def check_room(self, n_bytes: int = 0) -> None:
        """StorageFullError if that many bytes more are too many."""
        if self.size + n_bytes > self.limits.storage or len(self.uploads) + len(self.jobs) >= self.limits.kept:
            raise StorageFullError(self.limits)

    def new_folder(self) -> tuple[str, Path]:
        """An id that nobody can guess, and a folder whose name is another one."""
        folder = self.root / secrets.token_hex(16)
        folder.mkdir(mode=0o700)
        return secrets.token_urlsafe(32), folder

    def remove(self, item: Kept) -> None:
        """Forget something, on disk too."""
        self.uploads.pop(item.id)
        self.jobs.pop(item.id)
        shutil.rmtree(item.folder, ignore_errors=True)

    def expired(self) -> list[Kept]:
        """What nobody asked for as long as things are kept; never what is being worked on."""
        before = time.monotonic() - self.limits.keep
        busy = {item for job in self.jobs if not job.is_over for item in (job, job.upload)}
        kept = [*self.uploads, *self.jobs]
        return [item for item in kept if item.used < before and item not in busy]

    async def swept(self, forget: Callable[[Kept], None]) -> None:
        """Forget what has expired, again and again."""
        while True:
            await asyncio.sleep(min(60.0, self.limits.keep / 4))
            for item in self.expired():
                forget(item)

    def close(self) -> None:
        shutil.rmtree(self.root, ignore_errors=True)


def _remove_orphans() -> None:
    """Delete what services of this user left behind that were killed before they could."""
    if os.name != "posix":
        return
    for folder in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*-*"):
        pid = folder.name.removeprefix(_PREFIX).partition("-")[0]
        with suppress(OSError):
            what = folder.lstat()
            if (
                pid.isdecimal()
                and stat.S_ISDIR(what.st_mode)
                and what.st_uid == os.getuid()
                and not _is_alive(int(pid))
            ):
                shutil.rmtree(folder, ignore_errors=True)


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True


def clean_name(name: str) -> str:
    r"""The name of a sent file with its folders, or BadNameError where it points outside of them.

    >>> clean_name("ann/letter 1.txt"), clean_name("C:\\data\\a.csv"), clean_name("./b.csv")
    ('ann/letter 1.txt', 'data/a.csv', 'b.csv')
    """
    plain = re.sub(r"^[A-Za-z]:", "", name.replace("\\", "/"))
    parts = [part for part in plain.split("/") if part not in ("", ".")]
    if not parts:
        raise BadNameError(name, "an empty one")
    if ".." in parts:
        raise BadNameError(name, "one that points outside")
    if len(plain) > _NAME:
        raise BadNameError(name, f"one of {len(plain):,} characters")
    if any(unicodedata.category(char) in ("Cc", "Cs") for char in plain):
        raise BadNameError(name.encode("unicode_escape", "surrogatepass").decode("ascii"), "control characters")
    return "/".join(parts)
