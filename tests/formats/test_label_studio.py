# SPDX-License-Identifier: MIT
"""Label Studio. Oracle: our fixture by hand; the sample walked plainly; the text stored with every region."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from unisono.io import inspect, read

FIXTURE = Path(__file__).parent / "fixtures" / "label-studio" / "export.json"


def test_fixture() -> None:
    found = inspect(FIXTURE)
    assert found.understood == (
        "Label Studio JSON; 2 annotators (2, ann@example.org) from completed_by; 2 documents from tasks; layer entity; "
        "4 units; category from feature label; feature certainty; integer positions"
    )
    corpus = found.corpus
    assert corpus is not None
    assert [(u.annotator, u.start, u.end, u.category, u.features["certainty"]) for u in corpus["1"]] == [
        ("2", 0, 6, "Person", None),
        ("ann@example.org", 0, 4, "Person", "low"),
        ("ann@example.org", 16, 20, "Place|City", None),
    ]
    assert corpus["2"].annotators == ("2", "ann@example.org")
    assert corpus["2"].counts.tolist() == [1, 0]
    (note,) = [problem for problem in found.problems if problem.code == "passed-over"]
    assert note.message.startswith(
        "1 cancelled annotation and 1 result of type choices without a position were left out"
    )


def export(path: Path, data: dict[str, Any], *results: dict[str, Any], **more: Any) -> Path:
    annotations = [
        {"completed_by": name, "result": [{"id": f"r{i}", "from_name": "l", **r} for i, r in enumerate(results)]}
        for name in (1, 2)
    ]
    path.write_text(json.dumps([{"id": 7, "data": data, "annotations": annotations, **more}]))
    return path


def test_positions_in_utf16(tmp_path: Path) -> None:
    """Exports before 2022 count UTF-16 units (label-studio issue 1347)."""
    value = {"start": 13, "end": 23, "text": "annotation", "labels": ["A"]}
    path = export(tmp_path / "a.json", {"text": "💩This is an annotation."}, {"type": "labels", "value": value})
    found = inspect(path)
    assert found.corpus is not None
    assert {(u.start, u.end) for u in found.corpus["7"]} == {(12, 22)}
    assert "utf-16-offsets" in {problem.code for problem in found.problems}


def test_sound_in_seconds(tmp_path: Path) -> None:
    value = {"start": 0.5, "end": 1.25, "channel": 0, "labels": ["speech"]}
    path = export(tmp_path / "a.json", {"audio": "/data/a.wav"}, {"type": "labels", "value": value})
    (first, _) = read(path)["7"]
    assert (first.start, first.end, first.category) == (0.5, 1.25, "speech")


def test_the_minimal_export(tmp_path: Path) -> None:
    """JSON_MIN: a row for each annotation, regions under their control's name."""
    common = {"text": "Anna sings", "id": 7, "created_at": "2026", "updated_at": "2026", "lead_time": 3.5}
    region = {"start": 0, "end": 4, "text": "Anna", "labels": ["Person"]}
    tasks = [
        {**common, "label": [region], "sentiment": "good", "annotator": 1, "annotation_id": 1},
        {**common, "annotator": 2, "annotation_id": 2},
    ]
    (tmp_path / "min.json").write_text(json.dumps(tasks))
    found = inspect(tmp_path / "min.json")
    assert found.understood.startswith(
        "Label Studio JSON; 2 annotators (1, 2) from completed_by; 1 document from tasks"
    )
    assert found.corpus is not None
    (unit,) = found.corpus["7"]
    assert (unit.annotator, unit.start, unit.end, unit.category) == ("1", 0, 4, "Person")
    assert found.corpus["7"].text == "Anna sings"


def test_paragraphs(tmp_path: Path) -> None:
    data = {"dialogue": [{"author": "A", "text": "Hello you"}, {"author": "B", "text": "And you"}]}
    value = {"start": "1", "end": "1", "startOffset": 4, "endOffset": 7, "text": "you", "paragraphlabels": ["P"]}
    continuum = read(export(tmp_path / "a.json", data, {"type": "paragraphlabels", "value": value}))["7"]
    assert continuum.text == "Hello you\nAnd you"
    assert {continuum.text[u.start : u.end] for u in continuum} == {"you"}  # type: ignore[misc]
    assert {u.start for u in continuum} == {14}


def test_two_layers_must_be_chosen(tmp_path: Path) -> None:
    value = {"start": 0, "end": 1, "text": "a", "labels": ["X"]}
    path = export(
        tmp_path / "a.json",
        {"text": "abc"},
        {"type": "labels", "value": value},
        {"type": "labels", "value": value, "from_name": "other"},
    )
    (problem,) = inspect(path).problems
    assert problem.message == "there are units on 2 layers: l (2 units), other (2 units)"
    assert read(path, layer="other").n_units == 2
    # Who marked nothing on the layer asked for has still seen the document.
    assert read(path, layer="l")["7"].annotators == ("1", "2")


def test_an_annotator_twice(tmp_path: Path) -> None:
    value = {"start": 0, "end": 1, "text": "a", "labels": ["X"]}
    path = export(tmp_path / "a.json", {"text": "abc"}, {"type": "labels", "value": value})
    tasks = json.loads(path.read_text())
    tasks[0]["annotations"][1]["completed_by"] = 1
    for i, annotation in enumerate(tasks[0]["annotations"]):
        annotation["id"] = 40 + i
    path.write_text(json.dumps(tasks))
    assert {problem.code for problem in inspect(path).problems} == {"same-annotator"}
    assert read(path, annotator_from="field:id")["7"].annotators == ("40", "41")


def test_sample(shared: Path) -> None:
    path = shared / "samples" / "label_studio" / "derived_multi_annotator.json"
    corpus = read(path)
    regions = [
        (
            str(task["id"]),
            str(annotation["completed_by"]),
            value["start"],
            value["end"],
            value["text"],
            value["labels"][0],
        )
        for task in json.loads(path.read_text(encoding="utf-8"))
        for annotation in task["annotations"]
        for value in (result["value"] for result in annotation["result"])
    ]
    ours = [
        (c.name, u.annotator, u.start, u.end, c.text[u.start : u.end], u.category)  # type: ignore[index,misc]
        for c in corpus
        for u in c
    ]
    assert sorted(ours) == sorted((*r[:5], r[5].strip()) for r in regions)
    assert len(ours) == 21
    tasks = json.loads(path.read_text(encoding="utf-8"))
    assert {c.name: c.n_annotators for c in corpus} == {str(t["id"]): len(t["annotations"]) for t in tasks}


@pytest.mark.parametrize("name", ["csv_test", "csv_test_colliding_keys", "csv_test_colliding_keys_mixed", "data"])
def test_images_and_choices_are_refused(shared: Path, name: str) -> None:
    """Boxes and choices of a whole text mark no units on a continuum."""
    problems = inspect(shared / "samples" / "label_studio" / f"{name}.json").problems
    assert [problem.code for problem in problems] == ["no-units", "passed-over"]
