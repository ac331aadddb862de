# SPDX-License-Identifier: MIT
"""doccano. Oracle: our fixture by hand; the samples walked plainly with json, their units cut out of their texts."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

from marks import covered, marks, seen
from unisono.io import inspect, read

FIXTURE = Path(__file__).parent / "fixtures" / "doccano"


def test_fixture() -> None:
    found = inspect(FIXTURE)
    assert found.understood == (
        "3 files, doccano JSON lines; 3 annotators (ann, bob, cem) from file names; 2 documents from id; 7 units; "
        "category from feature label; integer positions"
    )
    assert found.corpus is not None
    assert covered(found.corpus) == [
        ("1", "ann", "Anna", "Person"),
        ("1", "ann", "New York", "Place"),
        ("1", "ann", "Rome", "Place"),
        ("1", "bob", "Anna 😀", "Person"),
        ("1", "bob", "New York", "Place"),
        ("2", "bob", "Nobody", "Person"),
        ("2", "cem", "Nobody", "Person"),
    ]
    assert seen(found.corpus) == {"1": ("ann", "bob"), "2": ("ann", "bob", "cem")}
    (note,) = found.problems
    assert (note.code, note.message) == ("passed-over", "1 relation was left out: only units on a continuum are read")


def test_the_archive_of_an_export_is_the_same(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "export.zip", "w") as archive:
        for path in FIXTURE.iterdir():
            archive.write(path, path.name)
    assert marks(read(tmp_path / "export.zip")) == marks(read(FIXTURE))


def test_shared_work_is_named_by_the_folder(tmp_path: Path) -> None:
    for name in ("ann", "bob"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "all.jsonl").write_text('{"id": 1, "text": "abc", "label": [[0, 1, "X"]]}\n')
    assert read(tmp_path)["1"].annotators == ("ann", "bob")


def test_old_exports_name_the_user_of_each_unit(tmp_path: Path) -> None:
    units = [{"label": 3, "start_offset": i, "end_offset": i + 1, "user": user} for i, user in enumerate((7, 7, 8))]
    (tmp_path / "a.json").write_text(json.dumps([{"id": 1, "text": "abc", "annotations": units}]))
    assert marks(read(tmp_path / "a.json")) == [("1", "7", 0, 1, "3"), ("1", "7", 1, 2, "3"), ("1", "8", 2, 3, "3")]


def test_samples(shared: Path) -> None:
    folder = shared / "samples" / "doccano"
    expected = []
    for path in (folder / "derived_per_user").iterdir():
        row = json.loads(path.read_text(encoding="utf-8"))
        expected += [(str(row["id"]), path.stem, row["text"][s:e], label) for s, e, label in row["label"]]
    corpus = read(folder / "derived_per_user")
    assert sorted(covered(corpus)) == sorted(expected)
    assert (len(expected), len(corpus.annotators)) == (21, 21)
    exported = folder / "data_export" / "pipeline" / "examples"
    assert [c[2] for c in covered(read(exported / "sequence_labeling" / "example.jsonl"))] == [
        "EU",
        "German",
        "Peter Blackburn",
        "Obama",
    ]
    relations = json.loads((exported / "relation_extraction" / "example.jsonl").read_text())
    assert [m[2:5] for m in marks(read(exported / "relation_extraction" / "example.jsonl"))] == [
        (e["start_offset"], e["end_offset"], e["label"]) for e in relations["entities"]
    ]
    imported = folder / "data_import" / "tests" / "data" / "sequence_labeling"
    assert read(imported / "example.jsonl").n_units == 2
    assert read(imported / "example_overlapping.jsonl").n_units == 2
