# SPDX-License-Identifier: MIT
"""Prodigy. Oracle: our fixture by hand; the samples walked plainly with json, Prodigy's tokens and stored texts."""

from __future__ import annotations

import json
from pathlib import Path

from marks import covered, marks, seen
from unisono.io import inspect, read

FIXTURE = Path(__file__).parent / "fixtures" / "prodigy"


def test_fixture() -> None:
    found = inspect(FIXTURE)
    assert found.understood == (
        "Prodigy JSON lines; 2 annotators (notes-ann, notes-bob) from _annotator_id; 2 documents from _input_hash; "
        "5 units; category from feature label; feature certainty; integer positions"
    )
    assert found.corpus is not None
    assert covered(found.corpus) == [
        ("11", "notes-ann", "Anna", "Person"),
        ("11", "notes-ann", "New York", "Place"),
        ("11", "notes-bob", "Anna 😀", "Person"),
        ("11", "notes-bob", "Rome", "Place"),
        ("12", "notes-ann", "Nobody", "Person"),
    ]
    # Accepted without spans: seen. Rejected: nobody's annotation.
    assert seen(found.corpus)["12"] == ("notes-ann", "notes-bob")
    (note,) = found.problems
    assert note.message.startswith("1 task with the answer reject was left out")


def test_sound_in_seconds(tmp_path: Path) -> None:
    task = {"audio": "a.wav", "answer": "accept", "_input_hash": 1, "text": "a.wav"}
    path = tmp_path / "a.jsonl"
    rows = [
        task | {"_session_id": who, "audio_spans": [{"start": 0.5, "end": 9.25, "label": "S"}]} for who in ("a", "b")
    ]
    path.write_text("\n".join(map(json.dumps, rows)))
    assert marks(read(path)) == [("1", "a", 0.5, 9.25, "S"), ("1", "b", 0.5, 9.25, "S")]


def test_binary_tasks_make_one_annotation(tmp_path: Path) -> None:
    rows = [
        {"text": "abc", "_input_hash": 1, "_is_binary": True, "answer": answer, "_annotator_id": "a",
         "spans": [{"start": i, "end": i + 1, "label": "X"}]}
        for i, answer in enumerate(("accept", "reject", "accept"))
    ]  # fmt: skip
    path = tmp_path / "a.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)))
    assert marks(read(path)) == [("1", "a", 0, 1, "X"), ("1", "a", 2, 3, "X")]


def test_texts_without_a_hash_belong_together(tmp_path: Path) -> None:
    rows = [{"text": "abc", "spans": [], "answer": "accept", "_session_id": who} for who in ("a", "b")]
    rows.append({"text": "x", "spans": [{"start": 0, "end": 1}], "answer": "accept", "_session_id": "a"})
    path = tmp_path / "a.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)))
    assert sorted(seen(read(path)).values()) == [("a",), ("a", "b")]


def test_an_annotator_twice(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"text": "abc", "_input_hash": 1, "spans": [], "_annotator_id": "a"}\n' * 2)
    assert inspect(path).problems[0].code == "same-annotator"


def test_samples(shared: Path) -> None:
    folder = shared / "samples" / "prodigy"
    for name, n_units, n_documents in (("derived_multi_annotator", 21, 3),
                                       ("annotated_news_headlines-ORG-PERSON-LOCATION-ner", 303, 372)):  # fmt: skip
        path = folder / f"{name}.jsonl"
        tasks = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        tasks = [task for task in tasks if task["answer"] == "accept"]
        corpus = read(path)
        expected = [
            (str(task["_input_hash"]), task["text"][span["start"] : span["end"]], span["label"].strip())
            for task in tasks
            for span in task.get("spans", [])
        ]
        assert sorted((c[0], c[2], c[3]) for c in covered(corpus)) == sorted(expected)
        assert (len(expected), len(corpus)) == (n_units, n_documents)
        tokens = {
            (str(task["_input_hash"]), token["start"]) for task in tasks for token in task.get("tokens", [])
        }  # every unit begins where one of Prodigy's tokens does
        assert not tokens or {(m[0], m[2]) for m in marks(corpus)} <= tokens
