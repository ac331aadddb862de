# SPDX-License-Identifier: MIT
"""Selection on reading. Oracle: a small table by hand, and the same table with the rows left out."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import unisono
from unisono.errors import FormatError
from unisono.io import read
from unisono.sampling.draws import CoreDraws

ROWS = [
    "d1,ann,0,5,PER", "d1,bob,0,4,PER", "d1,cem,,,", "d2,ann,3,9,LOC", "d2,bob,3,8,LOC", "d2,bob,10,12,NOISE",
]  # fmt: skip


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "t.csv"
    path.write_text("document,annotator,start,end,category\n" + "\n".join(ROWS) + "\n")
    return path


@pytest.mark.parametrize(
    ("options", "left"),
    [
        ({"only_annotators": ["a*", "bob"]}, [0, 1, 3, 4, 5]),
        ({"exclude_annotators": "c?m"}, [0, 1, 3, 4, 5]),
        ({"only_documents": "d2"}, [3, 4, 5]),
        ({"exclude_documents": ["d2"], "exclude_annotators": ["cem"]}, [0, 1]),
    ],
)
def test_what_is_not_selected_was_never_there(table: Path, options: dict[str, str], left: list[int]) -> None:
    other = table.with_name("t.tsv.csv").with_stem("t")
    selected = read(table, **options)  # type: ignore[arg-type]
    other.write_text("document,annotator,start,end,category\n" + "\n".join(ROWS[i] for i in left) + "\n")
    assert selected == read(other)


def test_categories_before_ignore(table: Path) -> None:
    """Whoever marked another category has seen the document; names are those of the files, not of the map."""
    corpus = read(table, only_categories=["LOC", "N*"], ignore="NOISE", category_map={"LOC": "PLACE"})
    assert [(c.name, c.annotators, c.n_units) for c in corpus] == [
        ("d1", ("ann", "bob", "cem"), 0),
        ("d2", ("ann", "bob"), 2),
    ]
    assert corpus.labels() == ("PLACE",)


def test_a_selection_that_matches_nothing(table: Path) -> None:
    with pytest.raises(FormatError) as caught:
        read(table, only_annotators="Anna", exclude_documents="d9")
    assert [problem.code for problem in caught.value.problems] == ["selection"]
    assert str(caught.value) == (
        "no annotator matches 'Anna', which only_annotators= names. Did you mean 'ann'? "
        "The annotators are ann, bob, cem."
    )
    with pytest.raises(FormatError, match="no category matches 'PERS', which only_categories= names"):
        read(table, only_categories="PERS")


def test_the_signature_names_the_selection(table: Path) -> None:
    result = unisono.measure(read(table, exclude_annotators=["cem"], only_documents="d*"), samples=5, seed=1)
    assert "|exclude-annotators:cem|only-documents:d*" in result.signature
    assert "annotators:" not in unisono.measure(table, samples=5, seed=1).signature


def test_gamma_without_an_annotator_who_marked_nothing(table: Path) -> None:
    """The note's value is that of the corpus without the annotator."""
    result = unisono.measure(table, samples=5, seed=1)
    without = unisono.measure(read(table, exclude_annotators="cem"), samples=5, seed=1)
    (note,) = [problem for problem in result.problems if problem.code == "idle-annotators"]
    assert str(note).startswith(
        f"cem has no unit in the whole corpus; γ is {without['gamma'].value:.3f} without this annotator, "
        f"{result['gamma'].value:.3f} with this annotator."
    )
    assert "exclude_annotators='cem'" in str(note)


def test_a_rough_value_in_the_note(table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where γ took long, the note draws a few random continua of the documents that the annotator saw, here one."""
    monkeypatch.setattr("unisono.measures.idle_annotators.UNITS_AGAIN", 0)
    drawn: list[int] = []
    sample = CoreDraws.sample

    def count_samples(draws: CoreDraws, cases: Any, firsts: Any, counts: Any, how: Any) -> Any:
        drawn.append(int(counts.sum()))
        return sample(draws, cases, firsts, counts, how)

    monkeypatch.setattr(CoreDraws, "sample", count_samples)
    result = unisono.measure(table, seed=1, samples=200, intervals=False)
    now = result["gamma"]
    assert 0 < sum(drawn) - (now.n_samples or 0) <= 30
    without = unisono.measure(read(table, exclude_annotators="cem"), seed=1, samples=200, intervals=False)["gamma"]
    (note,) = [problem for problem in result.problems if problem.code == "idle-annotators"]
    found = re.search(r"γ is about (-?\d\.\d\d) without this annotator, (-?\d\.\d{3}) with", str(note))
    assert found is not None
    assert float(found[1]) == pytest.approx(without.value, abs=0.1)
    assert float(found[2]) == round(now.value or 0.0, 3)
