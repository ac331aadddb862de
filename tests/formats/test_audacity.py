# SPDX-License-Identifier: MIT
"""Audacity labels. Oracle: our fixture by hand; the samples split plainly."""

from __future__ import annotations

from pathlib import Path

from unisono.io import read

FIXTURE = Path(__file__).parent / "fixtures" / "audacity"


def test_labels() -> None:
    (dawn,) = read(FIXTURE)
    assert [(u.annotator, u.start, u.end, u.category, u.features["low"], u.features["high"]) for u in dawn] == [
        ("ann", 0.5, 1.25, "call 🐦", "200.0", "900.5"),
        ("ann", 1.25, 1.25, "click", None, None),
        ("ann", 2.0, 3.5, None, None, None),
        ("bob", 0.6, 1.25, "call 🐦", None, None),
    ]


def test_an_empty_track_was_seen(tmp_path: Path) -> None:
    for name, text in (("ann", "0.5\t1.0\tcall\n"), ("bob", "")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "dawn.txt").write_text(text, encoding="utf-8")
    assert read(tmp_path, format="audacity")[0].annotators == ("ann", "bob")


def test_samples(shared: Path) -> None:
    folder = shared / "samples" / "audacity"
    for name, n_units in (("405_marron1_June_14_2016_69640887.audacity", 61), ("derived_per_annotator/annotator1", 15)):
        path = folder / f"{name}.txt"
        rows = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines() if line]
        units = list(read(path)[0])
        assert len(units) == n_units == len(rows)
        expected = sorted((float(row[0]), float(row[1]), row[2]) for row in rows)
        assert sorted((u.start, u.end, str(u.category)) for u in units) == expected
