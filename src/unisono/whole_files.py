# SPDX-License-Identifier: MIT
"""Files and folders that are written whole: readers see what was there before or all of what is new.

What is written goes to a scratch folder beside the target and is moved into place when it is complete: a program that
is killed, a full disk or a second program that writes to the same path never leaves a part of a file. The scratch
folder of a program that was killed is removed by the next one that writes there. Pipes, terminals and other devices
cannot be replaced: they get the whole content at the end. So does a file that its folder does not allow
to be replaced, with a warning.
"""

from __future__ import annotations

import errno
import os
import secrets
import shutil
import stat
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import FileIO
from pathlib import Path

from unisono.errors import FormatError, UnisonoWarning

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

#: Names of scratch folders begin with this.
SCRATCH = ".unisono-draft-"

#: Places whose links lead to open files of this process.
_OPEN_FILES = ("/dev/stdout", "/dev/stderr", "/dev/stdin", "/dev/fd/", "/proc/")

#: Errors for a file that may be written but not replaced: because of its folder, in a folder where only owners may
#: replace files (/tmp), on a mount point (in a container), or from a scratch folder on another file system.
_NOT_REPLACED = (errno.EACCES, errno.EPERM, errno.EROFS, errno.EBUSY, errno.EXDEV)

#: Folders in which this process has looked for the scratch folders of others.
_cleared: set[Path] = set()


@contextmanager
def replacement(
    path: str | os.PathLike[str], *, folder: bool = False, replace: bool = True, durable: bool = True
) -> Iterator[Path]:
    """A path of the same name to write to, in a scratch folder; what was written replaces `path` at the end.

    After an exception nothing was changed. Files written beside that path are moved too, before it. A link stays a
    link: the file it leads to is replaced. The new file has the permissions and, if possible, the owner of the old one.
    A file that may be written but not replaced is overwritten when the new content is complete, with a warning.
    folder: the target is a folder, which must be new or empty. replace: whether an older file may be replaced.
    durable: whether the content is on the disk, not only in buffers, before it replaces anything. FormatError with the
    code `unwritable` where something cannot be written, `exists` where something exists that may not be replaced.
    """
    if not folder and is_stream(path):
        with refusals(path), tempfile.TemporaryDirectory(prefix=SCRATCH.lstrip(".")) as scratch:
            beside = Path(scratch) / (Path(path).name or "output")
            yield beside
            _copy_to_stream(beside, path)
        return
    target = Path(os.path.realpath(path))
    with refusals(path):
        place = _check_target(target, folder=folder)
        with _scratch_folder(place) as scratch:
            try:
                goal = scratch / (target.name or "output")
                if folder:
                    goal.mkdir()
                yield goal
                if durable:
                    _sync_all(scratch)
            except OSError as error:
                raise _name_target(error, scratch, path) from None
            if folder:
                _put_folder(goal, target, place)
            else:
                _put_files(scratch, target, replace=replace)
            if durable:
                _sync(place)


def write_whole(path: str | os.PathLike[str], data: str | bytes, *, replace: bool = True, durable: bool = True) -> None:
    """Write a file whole; text as UTF-8, line ends as they are."""
    with replacement(path, replace=replace, durable=durable) as draft:
        draft.write_bytes(data.encode() if isinstance(data, str) else data)


def make_folder(path: str | os.PathLike[str]) -> None:
    """Make a folder and its missing parents; FormatError if that fails."""
    with refusals(path):
        Path(path).mkdir(parents=True, exist_ok=True)


def is_stream(path: str | os.PathLike[str]) -> bool:
    """Whether the path is a pipe, a terminal or another device, or leads to an open file of this process.

    >>> is_stream("/dev/null"), is_stream("table.csv")
    (True, False)
    """
    link = os.path.abspath(path)  # noqa: PTH100 - Path.resolve() would follow the links
    for _ in range(40):
        if link.startswith(_OPEN_FILES):
            return True
        try:
            link = os.path.normpath(Path(link).parent / os.readlink(link))  # noqa: PTH115
        except OSError:
            break
    try:
        mode = os.stat(path).st_mode  # noqa: PTH116
    except OSError:
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


@contextmanager
def refusals(file: str | os.PathLike[str]) -> Iterator[None]:
    """Turn errors of the system about a path that is written into a FormatError."""
    try:
        yield
    except FileExistsError as error:
        raise FormatError.of(
            "the file exists already",
            "Name another path, or allow it to be replaced.",
            where=str(error.filename or os.fspath(file)),
            code="exists",
        ) from None
    except OSError as error:
        raise FormatError.of(
            f"the file cannot be written ({error.strerror or error})",
            "Check the path, its permissions, and the space on the disk.",
            where=str(error.filename or os.fspath(file)),
            code="unwritable",
        ) from None


def clear_leftovers(folder: Path) -> None:
    """Remove the scratch folders of this user's programs that were killed; those in use are locked, and stay."""
    if fcntl is None:
        return
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if not entry.name.startswith(SCRATCH) or not entry.is_dir(follow_symlinks=False):
                continue
            with suppress(OSError):
                if entry.stat(follow_symlinks=False).st_uid == os.getuid():
                    held = os.open(entry.path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
                    try:
                        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
                        shutil.rmtree(entry.path, ignore_errors=True)
                    finally:
                        os.close(held)


@contextmanager
def _scratch_folder(place: Path) -> Iterator[Path]:
    """A new folder in that place, locked as long as it is used and removed at the end."""
    if place not in _cleared:
        _cleared.add(place)
        clear_leftovers(place)
    # The name is known before the folder is there, so that an interrupt at any moment finds it.
    scratch, held = place / f"{SCRATCH}{secrets.token_hex(8)}", None
    try:
        scratch.mkdir(mode=0o700)
        held = _lock(scratch)
        while not scratch.exists():  # another program took it for a leftover before it was locked
            if held is not None:
                os.close(held)
            scratch.mkdir(mode=0o700)
            held = _lock(scratch)
        yield scratch
    finally:
        _remove(scratch)
        if held is not None:
            os.close(held)


def _remove(folder: Path) -> None:
    """Remove a folder, even if the program is interrupted meanwhile."""
    try:
        shutil.rmtree(folder, ignore_errors=True)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def _lock(folder: Path) -> int | None:
    """An open handle that holds the lock of a folder; None where the system has no such locks."""
    if fcntl is None:
        return None
    try:
        held = os.open(folder, os.O_RDONLY)
    except OSError:
        return None
    with suppress(OSError):
        fcntl.flock(held, fcntl.LOCK_EX)
    return held


def _check_target(target: Path, *, folder: bool) -> Path:
    """The folder in which scratch is made; OSError where the target cannot be written."""
    if folder:
        target.parent.mkdir(parents=True, exist_ok=True)
        if target.is_dir() and (target.is_mount() or not os.access(target.parent, os.W_OK)):
            return target  # it cannot be replaced: the files are moved into it one by one
        return target.parent
    if target.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if target.exists() and not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    if not target.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, "its folder does not exist")
    if not os.access(target.parent, os.W_OK):
        if not target.exists():
            raise PermissionError(errno.EACCES, "its folder may not be changed")
        return Path(tempfile.gettempdir())
    return target.parent


def _put_files(scratch: Path, target: Path, *, replace: bool) -> None:
    """Move every file to the folder of the target, the target last."""
    names = sorted((path.name for path in scratch.iterdir()), key=lambda name: (name == target.name, name))
    if not replace:
        for name in names:
            if os.path.lexists(target.parent / name):
                raise FileExistsError(errno.EEXIST, "", str(target.parent / name))
    for name in names:
        _keep_permissions(scratch / name, target.parent / name)
        if replace:
            _put_file(scratch / name, target.parent / name)
        else:
            _put_new(scratch / name, target.parent / name)


def _put_file(source: Path, goal: Path) -> None:
    """Move a file to its place; overwrite the file that is there if it may be written but not replaced."""
    try:
        source.replace(goal)
    except OSError as error:
        if error.errno not in _NOT_REPLACED or not goal.is_file() or not os.access(goal, os.W_OK):
            raise OSError(error.errno, error.strerror, str(goal)) from None
        _overwrite(source, goal)
        warnings.warn(
            f"{goal}: the file could not be replaced ({error.strerror}) and was overwritten: if this program had been "
            "killed at that moment, a part of the file would be lost",
            UnisonoWarning,
            stacklevel=2,
        )


def _overwrite(source: Path, goal: Path) -> None:
    """Give a file new content; after an error or an interrupt its old content is restored, if possible."""
    before = goal.read_bytes()
    with goal.open("r+b", buffering=0) as file:
        try:
            with source.open("rb") as content:
                while piece := content.read(2**20):
                    _write_all(file, piece)
            file.truncate()
            os.fsync(file.fileno())
        except BaseException:
            file.seek(0)
            _write_all(file, before)
            file.truncate()
            raise


def _write_all(file: FileIO, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[file.write(rest) :]


def _put_new(source: Path, goal: Path) -> None:
    """Move a file to a name that must not exist, even if two programs do it at once."""
    try:
        os.link(source, goal)
    except FileExistsError:
        raise FileExistsError(errno.EEXIST, "", str(goal)) from None
    except OSError:  # a file system without hard links
        if os.path.lexists(goal):
            raise FileExistsError(errno.EEXIST, "", str(goal)) from None
        source.replace(goal)
    else:
        source.unlink()


def _put_folder(source: Path, target: Path, place: Path) -> None:
    """Move a folder to its place, in which there may be an empty one."""
    if place == target:
        for path in sorted(source.iterdir()):
            path.replace(target / path.name)
        return
    if target.is_dir():
        _keep_permissions(source, target)
        if os.name == "nt":
            target.rmdir()
    source.replace(target)


def _keep_permissions(new: Path, old: Path) -> None:
    """Give a file the permissions and, if possible, the owner of the one it replaces."""
    try:
        before = old.stat()
    except OSError:
        return
    now = new.stat()
    if os.name == "posix" and (before.st_uid, before.st_gid) != (now.st_uid, now.st_gid):
        with suppress(OSError):
            os.chown(new, before.st_uid, before.st_gid)
    with suppress(OSError):
        new.chmod(stat.S_IMODE(before.st_mode))


def _copy_to_stream(source: Path, path: str | os.PathLike[str]) -> None:
    with source.open("rb") as content, Path(path).open("wb") as stream:
        shutil.copyfileobj(content, stream, 2**20)


def _sync_all(folder: Path) -> None:
    """Wait until the files of a folder are on the disk."""
    for path in folder.rglob("*"):
        if path.is_file():
            _sync(path)


def _sync(path: Path) -> None:
    if path.is_dir() and os.name != "posix":
        return
    held = os.open(path, os.O_RDONLY if os.name == "posix" else os.O_RDWR)
    try:
        os.fsync(held)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):  # a file system without fsync
            raise
    finally:
        os.close(held)


def _name_target(error: OSError, scratch: Path, path: str | os.PathLike[str]) -> OSError:
    """The error with the name of the target instead of that of the scratch folder."""
    if error.filename is not None and not str(error.filename).startswith(str(scratch)):
        return error
    return OSError(error.errno, error.strerror or str(error), os.fspath(path))
