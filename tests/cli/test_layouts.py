# SPDX-License-Identifier: MIT
"""Layouts and selection on the command line. Oracle: the same units by two annotators, of whom γ is 1."""

from __future__ import annotations

from pathlib import Path

from tests.layouts import make_truth, textgrid


def grids(folder: Path, *names: str) -> Path:
    """The same tiers, of two speakers, in every file."""
    tiers = make_truth(("talk",), ("x",), ("Alice", "Carol"), noise=0, seed=3)["talk"]["x"]
    folder.mkdir()
    for name in names:
        (folder / f"{name}.TextGrid").write_text(textgrid(tiers))
    return folder


def test_files_whose_tiers_are_speakers(run, tmp_path: Path) -> None:
    """Reading tiers as annotators gave -0.252."""
    code, out, err = run("measure", grids(tmp_path / "in", "talk_ann", "talk_bob"), "--seed", "1", "--samples", "10")
    assert (code, out.split("\n")[0].split("  ")[0]) == (0, "γ = 1.000")
    assert "2 annotators (ann, bob) from parts of file names" in err
    assert "--per-layer" in err


def test_a_question_with_both_options(run, tmp_path: Path) -> None:
    folder = grids(tmp_path / "in", "n1", "n2")
    code, out, err = run("measure", folder, "--seed", "1")
    assert (code, out) == (1, "")
    assert (
        "give --annotator-from tier. If files are annotators (n1, n2) and tiers are layers, give --annotator-from stem."
        in (" ".join(err.split()))
    )
    assert run("validate", folder, "--annotator-from", "stem", "--per-layer").code == 0


def test_selection(run, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("annotator,start,end\nann,0,5\nann,7,9\nbob,0,5\nbob,7,9\ncem,,\n")
    code, _, err = run("measure", path, "--seed", "1", "--samples", "10")
    assert code == 0
    assert "cem has no unit in the whole corpus; γ is 1.000 without this annotator" in err
    assert "--exclude-annotators cem" in err
    code, out, _ = run("measure", path, "--seed", "1", "--samples", "10", "--exclude-annotators", "c*")
    assert (code, out.split("\n")[0].split("  ")[0]) == (0, "γ = 1.000")
    assert "|exclude-annotators:c*" in out
    code, _, err = run("measure", path, "--only-annotators", "Anne")
    assert code == 1
    assert "Did you mean 'ann'?" in err
