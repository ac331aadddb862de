# SPDX-License-Identifier: MIT
"""Folders, gzip and zip archives. Oracle: the same files read one by one; for what is refused, the exact words."""

from __future__ import annotations

import gzip
import io
import os
import zipfile
from pathlib import Path

import pytest

from mutations import mutated
from unisono.io import inspect, read
from unisono.io.files.opening import ReadLimits
from unisono.io.files.search import find_files

HEADER = "annotator,start,end,category\n"
FIXTURES = Path(__file__).parents[2] / "formats" / "fixtures"


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def zipped(files: dict[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return stream.getvalue()


def contents(path: object, **options: object) -> list[tuple[object, ...]]:
    return [
        (c.name, c.annotators, c.text, [(u.annotator, u.start, u.end, u.category) for u in c])
        for c in read(path, **options)  # type: ignore[arg-type]
    ]


def packed_brat() -> dict[str, bytes]:
    root = FIXTURES / "brat"
    return {str(path.relative_to(root)): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}


def test_a_folder_an_archive_and_an_archive_in_one_are_the_same() -> None:
    expected = contents(FIXTURES / "brat")
    Path("all.zip").write_bytes(zipped(packed_brat()))
    assert contents("all.zip") == expected
    Path("twice.zip").write_bytes(zipped({"inner/all.zip": Path("all.zip").read_bytes(), "readme.md": b"hello"}))
    assert contents("twice.zip") == expected
    Path("packed").mkdir()
    for name, data in packed_brat().items():
        path = Path("packed", f"{name}.gz" if name.endswith(".ann") else name)
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(gzip.compress(data) if name.endswith(".ann") else data)
    assert contents("packed") == expected


def test_a_table_in_an_archive() -> None:
    Path("a.zip").write_bytes(zipped({"units.csv": f"{HEADER}a,0,1,X\nb,0,2,X\n".encode()}))
    assert contents("a.zip") == [("units", ("a", "b"), None, [("a", 0, 1, "X"), ("b", 0, 2, "X")])]


def test_hidden_files_are_not_looked_at() -> None:
    for name in (".git/x.csv", "__MACOSX/x.csv", "~$x.csv", "units.csv"):
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text(f"{HEADER}a,0,1,X\n")
    assert [file.name for file in find_files(".", ReadLimits())] == ["units.csv"]


def refused(path: str, **options: object) -> str:
    (problem,) = inspect(path, **options).problems  # type: ignore[arg-type]
    return f"{problem.code}: {problem}"


@pytest.mark.parametrize("name", ["../x.csv", "/etc/x.csv", "a/../../x.csv", "C:x.csv", "a\\..\\x.csv"])
def test_no_path_outside_the_archive(name: str) -> None:
    data = zipped({"placeholder.csv": HEADER.encode()})
    Path("a.zip").write_bytes(data.replace(b"placeholder.csv", name.encode().ljust(15, b"x")))
    assert refused("a.zip").endswith("' in the archive points outside of it. Do not trust this archive.")


def test_limits() -> None:
    Path("big.zip").write_bytes(zipped({"a.csv": HEADER.encode() + b"a,0,1,X\n" * 100_000}))
    assert refused("big.zip", size_limit=10_000) == (
        "size-limit: big.zip: there are more than 10,000 bytes to read (unpacked). "
        "Split the file, or raise size_limit= if you trust it."
    )
    Path("many.zip").write_bytes(zipped({f"{i}.csv": HEADER.encode() for i in range(20)}))
    assert refused("many.zip", file_limit=10) == (
        "file-limit: many.zip: there are more than 10 files. Give a folder further down, or raise file_limit=."
    )
    data = f"{HEADER}a,0,1,X\n".encode()
    for _ in range(5):
        data = zipped({"inner.zip" if data.startswith(b"PK") else "a.csv": data})
    Path("deep.zip").write_bytes(data)
    assert refused("deep.zip").startswith("nesting-limit: deep.zip!/inner.zip")
    assert read("deep.zip", nesting_limit=5).n_units == 1


def test_declared_sizes_are_not_trusted() -> None:
    """A member that unpacks to more than it says is damaged, not unpacked."""
    data = bytearray(zipped({"a.csv": HEADER.encode() + b"a,0,1,X\n" * 100_000}))
    size = (800_029).to_bytes(4, "little")
    Path("lie.zip").write_bytes(bytes(data).replace(size, (50).to_bytes(4, "little")))
    assert refused("lie.zip").startswith(
        "archive: lie.zip!/a.csv: the zip archive is damaged, incomplete or has a password ("
    )


def test_all_members_together_are_limited() -> None:
    """Nested archives cannot each use the whole limit."""
    inner = zipped({"a.csv": HEADER.encode() + b"a,0,1,X\n" * 1000})
    Path("a.zip").write_bytes(zipped({f"{i}/x.zip": inner for i in range(20)}))
    assert refused("a.zip", size_limit=20_000).startswith("size-limit: ")


def test_broken_archives() -> None:
    """Read, or refused in words: a nested archive broken in 300 ways, always the same ones."""
    inner = zipped(packed_brat())
    whole = zipped({"p/inner.zip": inner, "p/readme.md": b"hello"})
    for seed in range(300):
        Path("a.zip").write_bytes(mutated(whole, seed))
        found = inspect("a.zip", size_limit=10**6)
        assert (found.corpus is None) == any(problem.severity == "error" for problem in found.problems)


def test_password() -> None:
    data = bytearray(zipped({"a.csv": b"x" * 50}))
    for signature, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(signature) + at] |= 1
    Path("a.zip").write_bytes(bytes(data))
    assert refused("a.zip").startswith(
        "archive: a.zip!/a.csv: the zip archive is damaged, incomplete or has a password ("
    )


def test_unknown_and_mixed_folders() -> None:
    Path("f").mkdir()
    Path("f/readme.md").write_text("hello")
    assert refused("f") == (
        "no-format: f: readme.md is not of a known format. "
        "`unisono formats` lists the formats that are read; name one with format=."
    )
    Path("f/a.csv").write_text(f"{HEADER}a,0,1,X\n")
    Path("f/d.ann").write_text("T1\tX 0 1\ta\n")
    assert refused("f") == (
        "mixed-formats: f: the files are of several formats (1 csv, 1 brat). Choose one with format=, for example csv."
    )
    assert read("f", format="csv").n_units == 1
    assert [p.code for p in inspect("f", format="brat").problems if p.code != "guessed-extent"] == [
        "one-annotator", "ignored-files", "no-text",
    ]  # fmt: skip


def test_pipes_are_not_opened() -> None:
    Path("f").mkdir()
    os.mkfifo("f/pipe.csv")
    Path("f/a.csv").write_text(f"{HEADER}a,0,1,X\n")
    assert read("f").n_units == 1
