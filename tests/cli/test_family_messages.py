# SPDX-License-Identifier: MIT
"""Bad input for γcat, γk and the chance models. Oracle: docs/command-line.md (exit codes), docs/messages.md (texts)."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.mark.parametrize(
    ("category", "remedy"),
    [("PERS", "did you mean 'PER'?"), ("Something", "it has: LOC, PER")],
    ids=["a near miss", "nothing like it"],
)
def test_a_category_nobody_used(run, table: Path, category: str, remedy: str) -> None:
    code, out, err = run("measure", table, "--measure", "gamma-k", "--category", category)
    assert (code, out) == (1, "")
    assert f"a category of the corpus; found '{category}'; {remedy}" in err
    assert "unknown-category" in err


def test_every_category_nobody_used(run, table: Path) -> None:
    categories = [word for name in ("X", "PER", "Y") for word in ("--category", name)]
    code, _, err = run("measure", table, "--measure", "gamma-k", *categories)
    assert code == 1
    assert "found 'X'" in err
    assert "found 'Y'" in err
    assert "found 'PER'" not in err


def test_the_chance_model_of_a_corpus_for_one_document(run, tmp_path: Path) -> None:
    path = tmp_path / "one.csv"
    path.write_text("annotator,start,end,category\nann,0,5,A\nbob,0,4,A\n", encoding="utf-8")
    code, out, err = run("measure", path, "--chance", "corpus")
    assert (code, out) == (1, "")
    assert (
        "at least two documents with an extent for the chance model of a corpus; found 1 of 1; "
        "use the chance model `shift`, which is made for a single continuum"
    ) in " ".join(err.split())
    assert "chance-corpus" in err


@pytest.mark.parametrize("precision", ["0", "2", "1", "-0.5", "nan"])
def test_a_precision_that_is_none(run, precision: str) -> None:
    """Refused before any file is looked at."""
    code, out, err = run("measure", "no-such-file.csv", "--precision", precision)
    assert (code, out) == (2, "")
    assert f"--precision: expected a number between 0 and 1, found {float(precision):g}" in err
    assert "no-such-file" not in err


@pytest.mark.parametrize("option", [("--chance", "dice"), ("--preset", "ours")])
def test_a_name_there_is_not(run, table: Path, option: tuple[str, str]) -> None:
    code, out, err = run("measure", table, *option)
    assert (code, out) == (2, "")
    assert option[0] in err
    assert option[1] in err


def test_categories_there_are_none_of(run, tmp_path: Path) -> None:
    """γcat of units without categories: undefined, said, and nothing else was asked for: exit code 1."""
    path = tmp_path / "bare.csv"
    path.write_text("annotator,start,end\nann,0,5\nbob,0,4\n", encoding="utf-8")
    code, _, err = run("measure", path, "--measure", "gamma-cat", "--samples", 5)
    assert code == 1
    assert "gamma-cat is undefined: no unit has a category" in err
