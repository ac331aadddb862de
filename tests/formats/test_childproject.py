# SPDX-License-Identifier: MIT
"""ChildProject. Oracle: our fixture by hand; the samples are tables with their sets in a column."""

from __future__ import annotations

from pathlib import Path

from unisono.io import inspect, read

FIXTURE = Path(__file__).parent / "fixtures" / "childproject"


def test_sets_are_annotators() -> None:
    (kitchen,) = read(FIXTURE)
    assert (kitchen.name, kitchen.annotators) == ("kitchen_0_5000", ("ann", "bob"))
    assert [(u.annotator, u.start, u.end, u.category, u.features["vcm_type"]) for u in kitchen] == [
        ("ann", 100, 900, "CHI", "C 🙂"),
        ("ann", 950, 1800, "FEM", None),
        ("bob", 120, 880, "CHI", "N"),
    ]


def test_nothing_heard(tmp_path: Path) -> None:
    for name, line in (("ann", "100,900,CHI\n"), ("bob", "")):
        folder = tmp_path / "annotations" / name / "converted"
        folder.mkdir(parents=True)
        (folder / "kitchen.csv").write_text(f"segment_onset,segment_offset,speaker_type\n{line}", encoding="utf-8")
    assert read(tmp_path)[0].annotators == ("ann", "bob")


def test_samples(shared: Path) -> None:
    folder = shared / "samples" / "childproject_csv"
    for name, n_units, n_annotators in (("gamma", 16, 3), ("alpha", 41, 4)):
        path = folder / f"{name}.csv"
        rows = [line.split(",") for line in path.read_text(encoding="utf-8").split()[1:]]
        (found,) = read(path)
        assert (len(found), found.n_annotators) == (n_units, n_annotators) == (len(rows), len({r[0] for r in rows}))
        assert [(u.annotator, u.start, u.end, u.category) for u in found] == sorted(
            (r[0], int(r[1]), int(r[2]), r[3]) for r in rows
        )
    # Clips to be annotated: nobody has, yet.
    assert inspect(folder / "segments.csv").problems[0].code == "unknown-column"
