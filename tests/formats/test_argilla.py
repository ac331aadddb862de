# SPDX-License-Identifier: MIT
"""Argilla. Oracle: our fixture by hand; the three shapes of export of the same data; the sample walked plainly."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from marks import LETTER_AND_NOTE, covered, marks, seen
from unisono.io import inspect, read

FIXTURE = Path(__file__).parent / "fixtures" / "argilla" / "records.json"


def test_fixture() -> None:
    found = inspect(FIXTURE)
    assert found.understood == (
        "Argilla records; 2 annotators (ann, bob) from user_id; 2 documents from records; layer entities; 4 units; "
        "category from feature label; integer positions"
    )
    assert found.corpus is not None
    assert covered(found.corpus) == LETTER_AND_NOTE
    assert seen(found.corpus) == {"letter": ("ann", "bob"), "note": ("ann", "bob")}
    (note,) = [problem for problem in found.problems if problem.code == "passed-over"]
    assert note.message == (
        "1 draft response and 1 response to mood without positions were left out: "
        "only submitted responses to span questions are read"
    )


def test_all_shapes_say_the_same(tmp_path: Path) -> None:
    """Flattened as argilla's to_list(flatten=True) does, and by user as the feedback records of 1.x."""
    records = json.loads(FIXTURE.read_text(encoding="utf-8"))
    flat, old = [], []
    for record in records:
        row: dict[str, Any] = {"id": record["id"], "status": "completed", "text": record["fields"]["text"]}
        by_user: dict[tuple[str, str], dict[str, Any]] = {}
        for question, answers in record["responses"].items():
            row[f"{question}.responses"] = [answer["value"] for answer in answers]
            row[f"{question}.responses.users"] = [answer["user_id"] for answer in answers]
            row[f"{question}.responses.status"] = [answer["status"] for answer in answers]
            for answer in answers:
                by_user.setdefault((answer["user_id"], answer["status"]), {})[question] = {"value": answer["value"]}
        flat.append(row)
        responses = [{"user_id": u, "status": s, "values": values} for (u, s), values in by_user.items()]
        old.append({"external_id": record["id"], "fields": record["fields"], "responses": responses})
    for name, rows in (("flat.json", flat), ("old.json", old)):
        (tmp_path / name).write_text(json.dumps(rows))
        corpus = read(tmp_path / name)
        assert marks(corpus) == marks(read(FIXTURE))
        assert seen(corpus) == seen(read(FIXTURE))


def test_records_of_1x_as_a_dataset(tmp_path: Path) -> None:
    """A column for each question and one for its suggestion, spans as a list or, as datasets store them, as lists."""
    records = json.loads(FIXTURE.read_text(encoding="utf-8"))
    for is_columnar in (False, True):
        rows = []
        for record in records:
            row: dict[str, Any] = {"external_id": record["id"], "metadata": "{}", "text": record["fields"]["text"]}
            for question, answers in record["responses"].items():
                row[question] = [dict(answer) for answer in answers]
                row[f"{question}-suggestion"] = None
                for answer in row[question]:
                    spans = answer["value"]
                    if is_columnar and isinstance(spans, list) and spans:
                        answer["value"] = {key: [span[key] for span in spans] for key in ("start", "end", "label")}
            rows.append(row)
        path = tmp_path / f"{is_columnar}.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
        found = inspect(path)
        assert found.corpus is not None, found.problems
        assert found.understood.startswith("Argilla records; 2 annotators (ann, bob) from user_id")
        assert marks(found.corpus) == marks(read(FIXTURE))
        assert seen(found.corpus) == seen(read(FIXTURE))


def test_token_classification_of_1x(tmp_path: Path) -> None:
    """The annotator is who annotated; the prediction is no annotator's; what was not validated was not annotated."""
    text = "Anna 😀 went to Rome."
    common = {"text": text, "tokens": text.split(), "prediction": [{"label": "X", "start": 0, "end": 1}],
              "prediction_agent": "model", "metadata": None}  # fmt: skip
    rows = [
        {**common, "id": "a", "status": "Validated", "annotation_agent": "ann",
         "annotation": [{"label": "Person", "start": 0, "end": 4}, {"label": "Place", "start": 15, "end": 19}]},
        {**common, "id": "a", "status": "Validated", "annotation_agent": "bob", "annotation": [["Person", 0, 6]]},
        {**common, "id": "b", "status": "Validated", "annotation_agent": "bob", "annotation": None},
        {**common, "id": "c", "status": "Default", "annotation_agent": None, "annotation": None},
        {**common, "id": "d", "status": "Discarded", "annotation_agent": "ann", "annotation": [["Person", 0, 6]]},
    ]  # fmt: skip
    path = tmp_path / "tokens.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    found = inspect(path)
    assert found.corpus is not None, found.problems
    assert covered(found.corpus) == [
        ("a", "ann", "Anna", "Person"),
        ("a", "ann", "Rome", "Place"),
        ("a", "bob", "Anna 😀", "Person"),
    ]
    assert seen(found.corpus) == {"a": ("ann", "bob"), "b": ("bob",)}
    (note,) = [problem for problem in found.problems if problem.code == "passed-over"]
    assert note.message.startswith("1 discarded response was left out")


def test_several_text_fields_leave_the_text_open(tmp_path: Path) -> None:
    row = {"id": 1, "fields": {"question": "abc", "answer": "abc"},
           "responses": {"s": [{"user_id": "a", "value": [{"start": 0, "end": 1, "label": "X"}]}]}}  # fmt: skip
    (tmp_path / "a.json").write_text(json.dumps([row]))
    assert read(tmp_path / "a.json")["1"].text is None


def test_sample(shared: Path) -> None:
    path = shared / "samples" / "argilla" / "derived_records.json"
    expected = [
        (record["id"], answer["user_id"], record["fields"]["text"][s["start"] : s["end"]], s["label"].strip())
        for record in json.loads(path.read_text(encoding="utf-8"))
        for answer in record["responses"]["spans"]
        for s in answer["value"]
    ]
    corpus = read(path)
    assert sorted(covered(corpus)) == sorted(expected)
    assert (len(expected), len(corpus), len(corpus.annotators)) == (21, 3, 21)
