# SPDX-License-Identifier: MIT
"""Potato. Oracle: our fixture by hand, in each of the shapes Potato's versions write; the sample's own labels."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from marks import covered, marks, seen
from unisono.io import inspect, read

FIXTURE = Path(__file__).parent / "fixtures" / "potato"
MARKS = [
    ("r1", "ann", 0, 4, "Person"),
    ("r1", "ann", 17, 25, "Place"),
    ("r1", "bob", 0, 6, "Person"),
    ("r2", "bob", 0, 6, "Person"),
]


def test_fixture() -> None:
    found = inspect(FIXTURE)
    assert found.understood == (
        "2 files, Potato; 2 annotators (ann, bob) from user_id; 2 documents from instances; layer entity; 4 units; "
        "category from feature label; integer positions"
    )
    assert found.corpus is not None
    assert marks(found.corpus) == MARKS
    # Ann gave the second text a label and no span: seen. Nobody came to the third.
    assert seen(found.corpus) == {"r1": ("ann", "bob"), "r2": ("ann", "bob")}


def test_other_shapes(tmp_path: Path) -> None:
    """By schema, as exported; and lines of JSON with the displayed text."""
    text = "Anna 😀 went from New York to Rome."
    by_user: dict[str, dict[str, Any]] = {}
    rows = []
    for document, annotator, start, end, label in MARKS:
        spans = by_user.setdefault(annotator, {}).setdefault(document, {"entity": []})["entity"]
        spans.append({"start": start, "end": end, "label": label})
    for user, instances in by_user.items():
        (tmp_path / "state" / user).mkdir(parents=True)
        state = {"user_id": user, "instance_id_to_label_to_value": {}, "instance_id_to_span_to_value": instances}
        (tmp_path / "state" / user / "user_state.json").write_text(json.dumps(state))
        for instance, by_schema in instances.items():
            spans = [{"schema": "entity", "name": s["label"], "start": s["start"], "end": s["end"], "title": "t"}
                     for s in by_schema["entity"]]  # fmt: skip
            rows.append({"user_id": user, "instance_id": instance, "displayed_text": text,
                         "label_annotations": {}, "span_annotations": spans})  # fmt: skip
    (tmp_path / "annotated_instances.jsonl").write_text("\n".join(map(json.dumps, rows)))
    assert marks(read(tmp_path / "state")) == MARKS
    lines = read(tmp_path / "annotated_instances.jsonl")
    assert marks(lines) == MARKS
    assert ("r1", "ann", "New York", "Place") in covered(lines)
    # Potato 1: the words and the label under other names, positions in UTF-16 units.
    old = {"start": 18, "end": 26, "surface": "New York", "annotation": "Place"}
    row = {"id": "r1", "user_id": "ann", "displayed_text": text, "span_annotations": [old]}
    (tmp_path / "old.jsonl").write_text(json.dumps(row))
    assert covered(read(tmp_path / "old.jsonl")) == [("r1", "ann", "New York", "Place")]


def test_its_table_of_spans(tmp_path: Path) -> None:
    """The columns that Potato's exporter writes (as Parquet): instances are documents, users annotators."""
    head = "instance_id,user_id,schema_name,start,end,label,text"
    rows = [f"{doc},{user},entity,{start},{end},{label},x" for doc, user, start, end, label in MARKS]
    (tmp_path / "spans.csv").write_text("\n".join([head, *rows]))
    assert marks(read(tmp_path / "spans.csv")) == MARKS


def test_sample(shared: Path) -> None:
    """Labels of whole texts only: refused, and the labels counted."""
    folder = shared / "samples" / "potato" / "seed_annotations"
    counts = {
        path.parent.name: sum(
            map(len, json.loads(path.read_text(encoding="utf-8"))["instance_id_to_label_to_value"].values())
        )
        for path in folder.rglob("user_state.json")
    }
    assert counts == {"alice": 12, "bob": 10}
    problem, *notes = inspect(folder).problems
    assert problem.code == "no-units"
    assert sorted(note.message.partition(" were")[0] for note in notes) == [
        f"{count} labels of whole instances" for count in (10, 12)
    ]
