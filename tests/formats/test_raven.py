# SPDX-License-Identifier: MIT
"""Raven selection tables. Oracle: our fixture by hand; the samples by csv.DictReader."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from unisono.io import inspect, read

FIXTURE = Path(__file__).parent / "fixtures" / "raven"


def test_selections() -> None:
    (dawn,) = read(FIXTURE)
    # The first selection has a line in each of two views; a table without lines was seen.
    assert dawn.annotators == ("ann", "bob")
    assert [(u.annotator, u.start, u.end, u.category, u.features["Sex"]) for u in dawn] == [
        ("ann", 0.5, 1.25, "wren 🐦", "m"),
        ("ann", 3.0, 4.0, "thrush", None),
    ]
    assert read(FIXTURE / "ann", document_from="field:Begin File")[0].name == "dawn.wav"


@pytest.mark.parametrize(
    ("columns", "category"),
    [
        ("Selection\tBegin Time (s)\tEnd Time (s)\tAvg Power Density (dB)\tNotes\tWho sings\tScore", "Who sings"),
        ("Selection\tBegin Time (s)\tEnd Time (s)\tWho sings\tAnnotation", "Annotation"),
        ("Selection\tBegin Time (s)\tEnd Time (s)", None),
    ],
)
def test_which_column_is_the_category(tmp_path: Path, columns: str, category: str | None) -> None:
    path = tmp_path / "a.txt"
    path.write_text(f"{columns}\n1\t0.5\t1.5" + "\tx" * (columns.count("\t") - 2) + "\n", encoding="utf-8")
    words = inspect(path).understood
    assert (f"category from column {category}" in words) if category else ("category from" not in words)


def test_samples(shared: Path) -> None:
    folder = shared / "samples" / "raven"
    corpus = read(folder)
    counts = {c.name: len(c) for c in corpus}
    assert counts == {f"Recording_1_Segment_0{i}.Table.1.selections": n for i, n in ((1, 0), (2, 6), (3, 44))}
    for c in corpus:
        with (folder / f"{c.name}.txt").open(encoding="utf-8", newline="") as lines:
            rows = list(csv.DictReader(lines, delimiter="\t"))
        expected = sorted((float(r["Begin Time (s)"]), float(r["End Time (s)"]), r["Species"]) for r in rows)
        assert sorted((u.start, u.end, str(u.category)) for u in c) == expected
    # Alone, a table without selections holds nothing to measure.
    assert inspect(folder / "Recording_1_Segment_01.Table.1.selections.txt").problems[0].code == "no-units"
