# SPDX-License-Identifier: MIT
"""Bad input for γcat, γk and the chance models. Oracle: docs/command-line.md (exit codes), docs/messages.md (texts)."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.mark.parametrize(
    ("category", "remedy"),
    [("PERS", "Did you mean 'PER'?"), ("Something", "There are: LOC, PER.")],
    ids=["a near miss", "nothing like it"],
)
def test_a_category_nobody_used(run, table: Path, category: str, remedy: str) -> None:
    code, out, err = run("measure", table, "--measure", "gamma-k", "--category", category)
    assert (code, out) == (1, "")
    assert f"no unit of the corpus has the category '{category}'. {remedy}" in err
    assert "unknown-category" in err


def test_every_category_nobody_used(run, table: Path) -> None:
    categories = [word for name in ("X", "PER", "Y") for word in ("--category", name)]
    code, _, err = run("measure", table, "--measure", "gamma-k", *categories)
    assert code == 1
    assert "category 'X'" in err
    assert "category 'Y'" in err
    assert "category 'PER'" not in err


def test_the_chance_model_of_a_corpus_for_one_document(run, tmp_path: Path) -> None:
    path = tmp_path / "one.csv"
    path.write_text("annotator,start,end,category\nann,0,5,A\nbob,0,4,A\n", encoding="utf-8")
    code, out, err = run("measure", path, "--chance", "corpus")
    assert (code, out) == (1, "")
    assert (
        "the chance model of a corpus needs at least two documents with an extent; the corpus has 1. "
        "Use the chance model `shift`"
    ) in " ".join(err.split())
    assert "chance-corpus" in err


@pytest.mark.parametrize("precision", ["0", "2", "1", "-0.5", "nan"])
def test_a_precision_that_is_none(run, precision: str) -> None:
    """Refused before any file is looked at."""
    code, out, err = run("measure", "no-such-file.csv", "--precision", precision)
    assert (code, out) == (2, "")
    assert f"{float(precision):g} is not a valid value of --precision." in err
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
