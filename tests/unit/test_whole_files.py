# SPDX-License-Identifier: MIT
"""Files written whole. Oracle: what is on the disk after every way to end: the old content or the new, nothing else."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from privileges import obey_owners, obey_permissions
from unisono import whole_files
from unisono.errors import FormatError, UnisonoWarning
from unisono.whole_files import SCRATCH, _cleared, is_stream, replacement, write_whole

posix = pytest.mark.skipif(os.name != "posix", reason="links, permissions and signals as POSIX has them")


def leftovers(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir() if path.name.startswith(SCRATCH)]


def test_a_new_file_and_an_old_one(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    write_whole(path, "γ\r\n")
    assert path.read_bytes() == "γ\r\n".encode()
    write_whole(path, b"new")
    assert path.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("error", [RuntimeError, KeyboardInterrupt, MemoryError])
def test_after_an_exception_the_old_file_is_there(tmp_path: Path, error: type[BaseException]) -> None:
    path = tmp_path / "a.csv"
    path.write_text("old")

    def fail() -> None:
        with replacement(path) as draft:
            draft.write_text("ne")
            draft.with_name("beside.csv").write_text("too")
            raise error

    with pytest.raises(error):
        fail()
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


@posix
def test_a_full_disk(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("old")
    code = (
        "import resource, sys; from unisono.whole_files import write_whole\n"
        "from unisono.errors import FormatError\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (8192, 8192))\n"
        "try:\n    write_whole(sys.argv[1], b'x' * 100_000)\nexcept FormatError as error:\n    print(error)"
    )
    done = subprocess.run([sys.executable, "-c", code, path], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.startswith(f"{path}: the file cannot be written (File too large). Check the path")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


@posix
def test_the_next_program_removes_what_a_killed_one_left_and_nothing_in_use(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    code = (
        "import sys, time; from unisono.whole_files import replacement\n"
        "with replacement(sys.argv[1]) as draft:\n"
        "    draft.write_text('half'); print('ready', flush=True); time.sleep(60)"
    )
    running = [subprocess.Popen([sys.executable, "-c", code, path], stdout=subprocess.PIPE) for _ in range(2)]
    try:
        for process in running:
            assert process.stdout is not None
            assert process.stdout.readline() == b"ready\n"
        assert len(leftovers(tmp_path)) == 2
        running[0].send_signal(signal.SIGKILL)
        running[0].wait(60)
        assert len(leftovers(tmp_path)) == 2
        _cleared.discard(tmp_path)
        write_whole(path, "mine")
        assert path.read_text() == "mine"
        assert len(leftovers(tmp_path)) == 1  # of the one that still writes
    finally:
        for process in running:
            process.kill()
            process.communicate()


@posix
def test_links_stay_links_and_permissions_stay(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    real = tmp_path / "real" / "a.csv"
    real.write_text("old")
    real.chmod(0o640)
    link = tmp_path / "link.csv"
    link.symlink_to("real/a.csv")
    write_whole(link, "new")
    assert link.is_symlink()
    assert real.read_text() == "new"
    assert stat.S_IMODE(real.stat().st_mode) == 0o640
    dangling = tmp_path / "dangling.csv"
    dangling.symlink_to("real/b.csv")
    write_whole(dangling, "made")
    assert (tmp_path / "real" / "b.csv").read_text() == "made"
    before = os.umask(0o027)
    try:
        write_whole(tmp_path / "c.csv", "x")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "c.csv").stat().st_mode) == 0o640


@posix
def test_a_pipe_gets_the_whole(tmp_path: Path) -> None:
    fifo = tmp_path / "fifo.csv"
    os.mkfifo(fifo)
    assert is_stream(fifo)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(fifo.read_bytes()))
    reader.start()
    write_whole(fifo, "all of it")
    reader.join(60)
    assert read == [b"all of it"]
    assert stat.S_ISFIFO(fifo.stat().st_mode)


@posix
@pytest.mark.parametrize("name", ["/dev/stdout", "/proc/self/fd/1", "/dev/fd/1", "link"])
def test_standard_output_is_written_not_replaced(tmp_path: Path, name: str) -> None:
    """Also where it is a file: `> file` must hold what was printed before too."""
    if name == "link":
        (tmp_path / "link").symlink_to("/dev/stdout")
        name = str(tmp_path / "link")
    code = (
        "import sys; from unisono.whole_files import write_whole\n"
        "print('before', flush=True); write_whole(sys.argv[1], 'content'); print('after')"
    )
    piped = subprocess.run([sys.executable, "-c", code, name], capture_output=True, text=True, check=True, timeout=60)
    assert piped.stdout == "before\ncontentafter\n"
    with (tmp_path / "out.txt").open("wb") as out:
        number = os.fstat(out.fileno()).st_ino
        subprocess.run([sys.executable, "-c", code, name], stdout=out, check=True, timeout=60)
    assert (tmp_path / "out.txt").stat().st_ino == number


@posix
def test_a_device_that_is_full() -> None:
    with pytest.raises(FormatError, match=r"/dev/full: the file cannot be written \(No space left on device\)"):
        write_whole("/dev/full", "x" * 100_000)


def test_what_may_not_be_replaced_is_not(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    write_whole(path, "first", replace=False)
    with pytest.raises(FormatError, match="the file exists already"):
        write_whole(path, "second", replace=False)
    assert path.read_text() == "first"

    def beside() -> None:
        with replacement(tmp_path / "b.csv", replace=False) as draft:
            draft.write_text("b")
            draft.with_name("a.csv").write_text("third")

    with pytest.raises(FormatError, match=r"a\.csv: the file exists already"):
        beside()
    assert [file.name for file in tmp_path.iterdir()] == ["a.csv"]


@posix
def test_of_two_programs_that_may_not_replace_one_wins(tmp_path: Path) -> None:
    """They check together and put together: a barrier makes them do it at the same time."""
    path = tmp_path / "a.csv"
    barrier = threading.Barrier(8)
    ends: list[str] = []

    def put(number: int) -> None:
        try:
            with replacement(path, replace=False) as draft:
                draft.write_text(f"{number}" * 1000)
                barrier.wait(60)
            ends.append(f"{number}")
        except FormatError:
            pass

    threads = [threading.Thread(target=put, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(ends) == 1
    assert path.read_text() == ends[0] * 1000
    assert not leftovers(tmp_path)


def test_folders(tmp_path: Path) -> None:
    target = tmp_path / "out" / "deep"
    with replacement(target, folder=True) as draft:
        (draft / "inner").mkdir()
        (draft / "inner" / "a.txt").write_text("a")
        assert not target.exists()
    assert (target / "inner" / "a.txt").read_text() == "a"
    empty = tmp_path / "empty"
    empty.mkdir()
    with replacement(empty, folder=True) as draft:
        (draft / "b.txt").write_text("b")
    assert (empty / "b.txt").read_text() == "b"
    with pytest.raises(FormatError, match="not empty"), replacement(empty, folder=True) as draft:
        (draft / "c.txt").write_text("c")
    assert [file.name for file in empty.iterdir()] == ["b.txt"]
    assert sorted(file.name for file in tmp_path.iterdir()) == ["empty", "out"]


WRITE = """
import sys, warnings
from unisono.whole_files import replacement
from unisono import whole_files
from unisono.errors import FormatError, UnisonoWarning
warnings.simplefilter("always")
warnings.showwarning = lambda message, *_, **__: print("warning:", message)
try:
    with replacement(sys.argv[1], replace=sys.argv[3] != "new") as draft:
        draft.write_text(sys.argv[2])
        if len(sys.argv) > 4:
            draft.with_name(sys.argv[4]).write_text("beside")
except FormatError as error:
    print(error)
"""


def write_as_a_user(path: Path, text: str = "new", *more: str, limit: int | None = None) -> str:
    """Write by a program for which permissions hold, even where the tests run as root; what it says."""

    def prepare() -> None:
        import resource

        obey_permissions()
        if limit is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    return subprocess.run(
        [sys.executable, "-c", WRITE, path, text, *(more or ("any",))],
        capture_output=True, text=True, check=True, timeout=60, preexec_fn=prepare,
    ).stdout  # fmt: skip


@pytest.fixture
def closed(tmp_path: Path) -> Iterator[Path]:
    """A folder that may not be changed, with a file that may."""
    folder = tmp_path / "closed"
    folder.mkdir()
    (folder / "a.csv").write_text("old")
    (folder / "a.csv").chmod(0o640)
    folder.chmod(0o555)
    yield folder
    folder.chmod(0o755)


@posix
def test_a_file_that_may_not_be_written_is_not_replaced_by_way_of_its_folder(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("old")
    path.chmod(0o444)
    assert f"{path}: the file cannot be written (Permission denied" in write_as_a_user(path)
    assert path.read_text() == "old"


@posix
@pytest.mark.parametrize("name", ["a.csv", "link.csv"])
def test_a_file_in_a_folder_that_may_not_be_changed_is_overwritten(closed: Path, tmp_path: Path, name: str) -> None:
    """As `cp` and editors do, with a word; the same file afterwards: number, permissions, other names."""
    path = closed / "a.csv"
    other = tmp_path / "other.csv"
    os.link(path, other)
    if name != "a.csv":
        (tmp_path / name).symlink_to(path)
    before = path.stat()
    said = write_as_a_user(path if name == "a.csv" else tmp_path / name)
    assert said.startswith(f"warning: {path}: the file could not be replaced (")
    assert path.read_text() == other.read_text() == "new"
    assert (path.stat().st_ino, path.stat().st_mode) == (before.st_ino, before.st_mode)
    assert [file.name for file in closed.iterdir()] == ["a.csv"]


@posix
def test_a_file_that_is_overwritten_gets_its_content_back_after_an_error(closed: Path) -> None:
    said = write_as_a_user(closed / "a.csv", "x" * 5_000, "any", limit=5_000)
    assert said.startswith("warning")
    assert (closed / "a.csv").read_text() == "x" * 5_000
    # The limit is reached while the file is overwritten, not while the draft is written.
    code = WRITE.replace(
        "try:", "import resource, unisono.whole_files as w\nwrite = w._overwrite\n"
        "def full(*a):\n    resource.setrlimit(resource.RLIMIT_FSIZE, (6_000, 6_000)); write(*a)\n"
        "w._overwrite = full\ntry:", 1,
    )  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-c", code, closed / "a.csv", "y" * 8_000, "any"],
        capture_output=True, text=True, check=True, timeout=60, preexec_fn=obey_permissions,
    )  # fmt: skip
    assert "the file cannot be written (File too large)" in done.stdout
    assert (closed / "a.csv").read_text() == "x" * 5_000


@posix
def test_nothing_new_in_a_folder_that_may_not_be_changed(closed: Path) -> None:
    assert "b.csv: the file cannot be written (its folder may not be changed)" in write_as_a_user(closed / "b.csv")
    assert "a.csv: the file exists already" in write_as_a_user(closed / "a.csv", "new", "new")
    said = write_as_a_user(closed / "a.csv", "new", "any", "beside.csv")
    assert "beside.csv: the file cannot be written (" in said
    assert (closed / "a.csv").read_text() == "old"


@posix
def test_a_file_that_is_a_mount_point_is_overwritten(tmp_path: Path) -> None:
    """As in a container that was given a single file."""
    (tmp_path / "outside.csv").write_text("old")
    path = tmp_path / "inside.csv"
    path.touch()
    if subprocess.run(["mount", "--bind", tmp_path / "outside.csv", path], capture_output=True, check=False).returncode:
        pytest.skip("needs the right to mount")
    try:
        with pytest.warns(UnisonoWarning, match="could not be replaced"):
            write_whole(path, "new")
        assert (tmp_path / "outside.csv").read_text() == "new"
    finally:
        subprocess.run(["umount", path], check=True)
    assert not leftovers(tmp_path)


@posix
def test_a_file_of_another_user_where_only_owners_may_replace(tmp_path: Path) -> None:
    """As in /tmp: a folder with the sticky bit."""
    if os.getuid():
        pytest.skip("needs root, to own files as another user")
    tmp_path.chmod(0o1777)
    path = tmp_path / "a.csv"
    path.write_text("old")
    path.chmod(0o666)
    for place in (tmp_path, path):
        os.chown(place, 4321, 4321)
    done = subprocess.run(
        [sys.executable, "-c", WRITE, path, "new", "any"], capture_output=True, text=True, check=True, timeout=60,
        preexec_fn=obey_owners,
    )  # fmt: skip
    assert done.stdout.startswith(f"warning: {path}: the file could not be replaced (Operation not permitted)")
    assert path.read_text() == "new"
    assert path.stat().st_uid == 4321


def test_names_as_long_as_they_may_be(tmp_path: Path) -> None:
    path = tmp_path / ("n" * 251 + ".csv")
    write_whole(path, "x")
    assert path.read_text() == "x"


@pytest.mark.parametrize("moment", ["made", "locked", "removed"])
def test_an_interrupt_at_the_worst_moment_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    """Just after the scratch folder was made, while it is locked, while it is removed."""
    owner, name = {
        "made": (Path, "mkdir"),
        "locked": (whole_files, "_lock"),
        "removed": (whole_files.shutil, "rmtree"),
    }[moment]
    plain = getattr(owner, name)
    calls = []

    def interrupt(*arguments: Any, **options: Any) -> Any:
        calls.append(arguments)
        if moment != "removed":
            plain(*arguments, **options)
        if len(calls) == 1:
            raise KeyboardInterrupt
        return plain(*arguments, **options)

    monkeypatch.setattr(owner, name, interrupt)
    with pytest.raises(KeyboardInterrupt):
        whole_files.write_whole(tmp_path / "out.txt", "new")
    assert calls
    assert [path.name for path in tmp_path.iterdir()] == (["out.txt"] if moment == "removed" else [])
