# SPDX-License-Identifier: MIT
"""Predictions of models: counted, or read as annotators. Oracle: small exports by hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from unisono.io import inspect, read


def region(name: str, start: int, end: int, label: str) -> dict[str, Any]:
    value = {"start": start, "end": end, "labels": [label]}
    return {"id": name, "from_name": "label", "to_name": "text", "type": "labels", "value": value}


LABEL_STUDIO = [
    {
        "id": 1,
        "data": {"text": "Anna wrote to Rome."},
        "annotations": [{"id": 1, "completed_by": 7, "result": [region("a", 0, 4, "PER")]}],
        "predictions": [{"model_version": "ner-v2", "result": [region("p", 0, 4, "PER"), region("q", 14, 18, "LOC")]}],
    }
]
ARGILLA = [
    {
        "id": "r1",
        "fields": {"text": "Anna wrote to Rome."},
        "responses": {
            "spans": [{"user_id": "u1", "status": "submitted", "value": [{"start": 0, "end": 4, "label": "PER"}]}]
        },
        "suggestions": {"spans": {"agent": "ner-v2", "value": [{"start": 14, "end": 18, "label": "LOC"}]}},
    }
]
PRODIGY = [
    {
        "text": "Anna wrote to Rome.",
        "_input_hash": 5,
        "_annotator_id": "ann",
        "answer": answer,
        "spans": [{"start": start, "end": end, "label": label, "source": "ner-v2"}],
    }
    for answer, start, end, label in (("accept", 0, 4, "PER"), ("reject", 14, 18, "LOC"))
]


def write(folder: Path, data: list[dict[str, Any]], *, lines: bool = False) -> Path:
    path = folder / f"export.{'jsonl' if lines else 'json'}"
    path.write_text("\n".join(map(json.dumps, data)) if lines else json.dumps(data))
    return path


@pytest.mark.parametrize(
    ("data", "lines", "n_predictions", "annotator", "spans"),
    [
        (LABEL_STUDIO, False, 1, "7", [(0, 4), (14, 18)]),
        (ARGILLA, False, 1, "u1", [(14, 18)]),
        (PRODIGY, True, 2, "ann", [(0, 4), (14, 18)]),
    ],
    ids=["label-studio", "argilla", "prodigy"],
)
def test_predictions(
    tmp_path: Path, data: list[dict[str, Any]], lines: bool, n_predictions: int, annotator: str, spans: list[Any]
) -> None:
    path = write(tmp_path, data, lines=lines)
    inspection = inspect(path)
    assert inspection.corpus is not None
    assert inspection.corpus.annotators == (annotator,)
    (note,) = [problem for problem in inspection.problems if problem.code == "predictions"]
    verb, them = (
        ("prediction by model ner-v2 is", "it") if n_predictions == 1 else ("predictions by model ner-v2 are", "them")
    )
    assert str(note) == (
        f"{path}: {n_predictions} {verb} not read. Give predictions=True to read {them} as an annotator."
    )
    corpus = read(path, predictions=True)
    assert set(corpus.annotators) == {annotator, "ner-v2"}
    assert [(unit.start, unit.end) for unit in corpus[0].units_of("ner-v2")] == spans
    assert not [problem for problem in corpus.problems if problem.code == "predictions"]


def test_a_file_with_predictions_only(tmp_path: Path) -> None:
    path = write(tmp_path, [{**LABEL_STUDIO[0], "annotations": []}])
    (problem,) = inspect(path).problems
    assert problem.code == "no-annotations"
    assert "only 1 prediction" in problem.message
    assert read(path, predictions=True).annotators == ("ner-v2",)
