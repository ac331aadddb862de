# SPDX-License-Identifier: MIT
"""Lists of units in the manner of Hugging Face. Oracle: our fixture by hand; the same rows written by pyarrow."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from marks import LETTER_AND_NOTE, covered, marks, seen
from unisono.io import inspect, read

FIXTURE = Path(__file__).parent / "fixtures" / "hugging-face" / "train.jsonl"
ROWS: list[dict[str, Any]] = [json.loads(line) for line in FIXTURE.read_text(encoding="utf-8").splitlines()]


def parquet(path: Path, rows: list[dict[str, Any]], features: dict[str, Any] | None = None) -> Path:
    pyarrow = pytest.importorskip("pyarrow")
    pq = pytest.importorskip("pyarrow.parquet")
    table = pyarrow.Table.from_pylist(rows)
    if features is not None:
        table = table.replace_schema_metadata({"huggingface": json.dumps({"info": {"features": features}})})
    pq.write_table(table, path)
    return path


def test_fixture() -> None:
    found = inspect(FIXTURE)
    assert found.understood == (
        "JSON with lists of units; 2 annotators (ann, bob) from column annotator; 2 documents from column id; "
        "layer entities; 4 units; category from feature label; integer positions"
    )
    assert found.corpus is not None
    assert covered(found.corpus) == LETTER_AND_NOTE
    assert seen(found.corpus) == {"letter": ("ann", "bob"), "note": ("ann", "bob")}


def test_parquet(tmp_path: Path) -> None:
    found = inspect(parquet(tmp_path / "train.parquet", ROWS))
    assert found.corpus is not None
    assert marks(found.corpus) == marks(read(FIXTURE))
    assert seen(found.corpus) == seen(read(FIXTURE))
    assert found.understood.startswith("Parquet with lists of units; 2 annotators (ann, bob) from column annotator")


def test_objects_of_lists_and_names_of_labels(tmp_path: Path) -> None:
    """As `datasets` keeps a Sequence of objects with a ClassLabel."""
    names = ["Person", "Place"]
    rows = [
        row
        | {
            "entities": {
                "start": [unit["start"] for unit in row["entities"]],
                "end": [unit["end"] for unit in row["entities"]],
                "label": [names.index(unit["label"]) for unit in row["entities"]],
            }
        }
        for row in ROWS
    ]
    description = {"entities": {"feature": {"label": {"names": names, "_type": "ClassLabel"}}, "_type": "Sequence"}}
    assert marks(read(parquet(tmp_path / "a.parquet", rows, description))) == marks(read(FIXTURE))
    assert {m[4] for m in marks(read(parquet(tmp_path / "b.parquet", rows)))} == {"0", "1"}


TAGS = ["O", "B-Person", "I-Person", "B-Place", "I-Place"]
TAGGED = [
    {"id": "letter", "annotator": "ann", "tokens": ["Anna", "went", "to", "New", "York"], "ner_tags": [1, 0, 0, 3, 4],
     "pos_tags": ["PROPN", "VERB", "ADP", "PROPN", "PROPN"]},
    {"id": "letter", "annotator": "bob", "tokens": ["Anna", "went", "to", "New", "York"], "ner_tags": [0, 0, 0, 0, 0],
     "pos_tags": ["PROPN", "VERB", "ADP", "PROPN", "PROPN"]},
]  # fmt: skip


def test_tokens_and_tags(tmp_path: Path) -> None:
    """Tags by name in JSON, by number in Parquet that describes them."""
    description = {"ner_tags": {"feature": {"names": TAGS, "_type": "ClassLabel"}, "_type": "Sequence"}}
    by_name = [row | {"ner_tags": [TAGS[code] for code in row["ner_tags"]]} for row in TAGGED]  # type: ignore[attr-defined]
    (tmp_path / "a.jsonl").write_text("\n".join(map(json.dumps, by_name)))
    for path in (tmp_path / "a.jsonl", parquet(tmp_path / "a.parquet", TAGGED, description)):
        found = inspect(path)
        assert found.corpus is not None
        assert covered(found.corpus) == [("letter", "ann", "Anna", "Person"), ("letter", "ann", "New York", "Place")]
        assert seen(found.corpus) == {"letter": ("ann", "bob")}
        assert "layer ner_tags" in found.understood
    # Numbers without names are no tags.
    (problem,) = inspect(parquet(tmp_path / "b.parquet", TAGGED)).problems
    assert "tags such as B-PER (numbers need names)" in problem.remedy


def test_a_table_of_units_stays_a_table(tmp_path: Path) -> None:
    rows = [{"document": "d", "annotator": who, "start": 0, "end": 1, "category": "X"} for who in ("a", "b")]
    assert marks(read(parquet(tmp_path / "a.parquet", rows))) == [("d", "a", 0, 1, "X"), ("d", "b", 0, 1, "X")]


def test_rows_without_names(tmp_path: Path) -> None:
    """Annotators by their files, documents by the number of the row."""
    for who in ("ann", "bob"):
        (tmp_path / who).mkdir()
        rows = [{"text": "abc", "spans": [{"start": start, "end": 3}]} for start in (0, 1)]
        parquet(tmp_path / who / "train.parquet", rows)
    assert seen(read(tmp_path)) == {"1": ("ann", "bob"), "2": ("ann", "bob")}


def test_stretches_of_a_recording_stand_on_no_text(tmp_path: Path) -> None:
    rows = [
        {"id": 1, "user": who, "text": "Hi", "segments": [{"start": 0.5, "end": 9.0, "label": "S", "text": "Hi"}]}
        for who in ("a", "b")
    ]
    (tmp_path / "a.jsonl").write_text("\n".join(map(json.dumps, rows)))
    assert marks(read(tmp_path / "a.jsonl")) == [("1", "a", 0.5, 9.0, "S"), ("1", "b", 0.5, 9.0, "S")]


def test_broken_parquet(tmp_path: Path) -> None:
    whole = parquet(tmp_path / "a.parquet", ROWS).read_bytes()
    for end in (4, 40, len(whole) // 2, len(whole) - 1):
        path = tmp_path / "broken.parquet"
        path.write_bytes(whole[:end])
        assert [problem.code for problem in inspect(path).problems] == ["parquet"]
        assert [problem.code for problem in inspect(path, format="hugging-face").problems] == ["parquet"]
