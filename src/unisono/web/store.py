# SPDX-License-Identifier: MIT
"""Uploads and results: kept in a private folder under ids that cannot be guessed, until they expire.

File names sent by visitors are stored as text and never used as paths: files on disk are numbered.
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

#: Prefix of the private folders; the process id follows.
_PREFIX = "unisono-serve-"

#: Longest file name accepted.
_NAME = 1_000


class StorageFullError(Exception):
    """The storage limit is reached."""

    def __init__(self, limits: Limits):
        self.problem = storage_full(limits)
        super().__init__(str(self.problem))


class BadNameError(Exception):
    """A file name that cannot be used."""

    def __init__(self, name: str, message: str):
        remedy = "Send files under their names, with their folders if needed."
        self.problem = Problem("file-name", "error", name[:100], message, remedy)
        super().__init__(str(self.problem))


@dataclass(eq=False)
class Kept:
    """An upload or a job: its folder, its size, and when it was last used."""

    id: str
    folder: Path
    size: int = 0
    used: float = field(default_factory=time.monotonic)

    def touch(self) -> None:
        self.used = time.monotonic()


@dataclass(eq=False)
class StoredUpload(Kept):
    """The files of one upload by name, how they are read, and what was found in them."""

    files: dict[str, Path] = field(default_factory=dict)
    reading: dict[str, Any] = field(default_factory=dict)
    understood: dict[str, Any] = field(default_factory=dict)
    #: Decisions of a person on a gold standard of these data, and their size in bytes.
    decisions: dict[str, Any] | None = None
    decisions_size: int = 0


Item = TypeVar("Item", bound=Kept)


class Shelf(Generic[Item]):
    """Uploads or jobs by id; getting one renews its time."""

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

    def has(self, item: Item) -> bool:
        """Whether it is still kept; does not renew its time."""
        return self._items.get(item.id) is item

    def add(self, item: Item) -> None:
        self._items[item.id] = item

    def pop(self, id: str) -> Item | None:
        return self._items.pop(id, None)


class Reservation:
    """Bytes of the storage that nobody else gets, until they are kept or given up."""

    def __init__(self, store: Store, n_bytes: int, *, is_item: bool):
        self._store = store
        self.n_bytes = n_bytes
        self.is_item = is_item
        store._reservations.add(self)

    def extend(self, n_bytes: int) -> None:
        """Reserve so many bytes in all, if that is more than before; StorageFullError if there is not enough room."""
        if n_bytes - self.n_bytes > self._store.room:
            raise StorageFullError(self._store.limits)
        self.n_bytes = max(self.n_bytes, n_bytes)

    def release(self) -> None:
        self._store._reservations.discard(self)

    def __enter__(self) -> Reservation:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()


class Store:
    """The private folder and its uploads and jobs."""

    def __init__(self, limits: Limits):
        self.limits = limits
        _remove_orphans()
        self.root = Path(tempfile.mkdtemp(prefix=f"{_PREFIX}{os.getpid()}-"))  # readable by this user only
        self.uploads: Shelf[StoredUpload] = Shelf()
        self.jobs: Shelf[Any] = Shelf()
        self._reservations: set[Reservation] = set()

    @property
    def size(self) -> int:
        """Bytes kept."""
        return sum(item.size for shelf in (self.uploads, self.jobs) for item in shelf)

    @property
    def room(self) -> int:
        """Bytes that are neither kept nor reserved."""
        return max(0, self.limits.storage - self.size - sum(each.n_bytes for each in self._reservations))

    def check_room(self, n_bytes: int = 0) -> None:
        """StorageFullError if that many more bytes exceed the limit."""
        n_coming = sum(each.is_item for each in self._reservations)
        if n_bytes > self.room or len(self.uploads) + len(self.jobs) + n_coming >= self.limits.kept:
            raise StorageFullError(self.limits)

    def reserve(self, n_bytes: int) -> Reservation:
        """Room for an upload that is coming, before it is received; StorageFullError if there is not enough."""
        self.check_room(n_bytes)
        return Reservation(self, n_bytes, is_item=True)

    def reserve_share(self) -> Reservation:
        """Room for what a task will write: a part of what is left, so that all tasks at once fit."""
        return Reservation(self, self.room // (self.limits.n_workers + 2), is_item=False)

    def new_folder(self) -> tuple[str, Path]:
        """A new id and a new folder, under an independent random name."""
        folder = self.root / secrets.token_hex(16)
        folder.mkdir(mode=0o700)
        return secrets.token_urlsafe(32), folder

    def remove(self, item: Kept) -> None:
        """Remove an upload or job, with its folder."""
        self.uploads.pop(item.id)
        self.jobs.pop(item.id)
        shutil.rmtree(item.folder, ignore_errors=True)

    def expired(self) -> list[Kept]:
        """Uploads and jobs that were not used for the time they are kept; never those in progress."""
        before = time.monotonic() - self.limits.keep
        busy = {item for job in self.jobs if not job.is_over for item in (job, job.upload)}
        kept = [*self.uploads, *self.jobs]
        return [item for item in kept if item.used < before and item not in busy]

    async def remove_expired_regularly(self, forget: Callable[[Kept], None]) -> None:
        """Remove expired uploads and jobs from time to time, forever."""
        while True:
            await asyncio.sleep(min(60.0, self.limits.keep / 4))
            for item in self.expired():
                forget(item)

    def close(self) -> None:
        shutil.rmtree(self.root, ignore_errors=True)


def _remove_orphans() -> None:
    """Delete the folders of this user's services that were killed before they could delete them."""
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
    r"""The normalised name of an uploaded file with its folders; BadNameError if it points outside of them.

    >>> clean_name("ann/letter 1.txt"), clean_name("C:\\data\\a.csv"), clean_name("./b.csv")
    ('ann/letter 1.txt', 'data/a.csv', 'b.csv')
    """
    plain = re.sub(r"^[A-Za-z]:", "", name.replace("\\", "/"))
    parts = [part for part in plain.split("/") if part not in ("", ".")]
    if not parts:
        raise BadNameError(name, "the name of the file is empty")
    if ".." in parts:
        raise BadNameError(name, "the name of the file points outside of its folder")
    if len(plain) > _NAME:
        raise BadNameError(name, f"the name of the file has {len(plain):,} characters")
    if any(unicodedata.category(char) in ("Cc", "Cs") for char in plain):
        escaped = name.encode("unicode_escape", "surrogatepass").decode("ascii")
        raise BadNameError(escaped, "the name of the file has control characters")
    return "/".join(parts)
