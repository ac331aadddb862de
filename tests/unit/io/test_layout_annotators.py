# SPDX-License-Identifier: MIT
"""Files, folders or tiers as annotators. Oracle: the truth that the inputs are generated from (tests/layouts.py)."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest
from tests.layouts import Case, Truth, all_cases, csv, eaf, make_truth, textgrid

import unisono
from unisono.errors import FormatError, InputError
from unisono.io import inspect, read
from unisono.model import Corpus

#: Every combination is one of thousands; each run takes those of a fixed stride, which meets every kind.
STRIDE = 97
#: Codes of problems that ask the user, and of those that say that nothing can be measured.
QUESTIONS = {"question-annotators", "which-layer"}


def shape_of_truth(truth: Truth) -> list[list[list[tuple[float, float, str | None]]]]:
    """Documents as sets of annotators' units, without names."""
    return sorted(
        sorted(sorted(unit for units in layers.values() for unit in units) for layers in annotators.values())
        for annotators in truth.values()
    )


def shape_of_corpus(corpus: Corpus) -> list[list[list[tuple[float, float, str | None]]]]:
    return sorted(
        sorted(
            sorted((u.start, u.end, u.category or "") for u in document.units_of(name)) for name in document.annotators
        )
        for document in corpus
    )


def judge(case: Case, folder: Path) -> str:
    """`right`, `question`, `nothing` (no document has two annotators, so that no number comes out) or `wrong`."""
    try:
        corpus = read(case.write(folder))
    except InputError as error:
        return "question" if {problem.code for problem in error.problems} <= QUESTIONS else "wrong"
    if all(len(document.annotators) < 2 for document in corpus):
        return "nothing"
    return "right" if shape_of_corpus(corpus) == shape_of_truth(case.truth) else f"wrong: {corpus!r}"


@pytest.mark.parametrize("case", all_cases()[::STRIDE], ids=lambda case: case.name)
def test_right_or_a_question_never_a_wrong_number(case: Case, tmp_path: Path) -> None:
    verdict = judge(case, tmp_path)
    assert verdict in ("right", "question", "nothing"), verdict


@pytest.mark.parametrize(
    ("names", "layers"),
    [
        (("talk_ann", "talk_bob"), ("S1", "S2")),
        (("ann/talk", "bob/talk"), ("Alice", "Carol")),
        (("talk_annotator1", "talk_annotator2"), ("Alice", "Carol")),
        (("doc1.ann", "doc1.bob"), ("words",)),
        (("ann-doc1", "bob-doc1"), ("tier",)),
    ],
)
@pytest.mark.parametrize("write", [textgrid, eaf])
def test_files_of_speakers_are_annotators(tmp_path: Path, names, layers, write) -> None:  # type: ignore[no-untyped-def]
    """The same units in both files: γ is 1, not what comparing the speakers gives."""
    truth = make_truth(("talk",), ("ann",), layers, noise=0, seed=5)["talk"]["ann"]
    for name in names:
        path = tmp_path / "data" / f"{name}.{'TextGrid' if write is textgrid else 'eaf'}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(write(truth))
    corpus = read(tmp_path / "data")
    assert len(corpus) == 1
    assert len(corpus.annotators) == 2
    assert unisono.measure(corpus, samples=10, seed=1)["gamma"].value == 1.0


def test_the_question_has_both_answers_to_copy(tmp_path: Path) -> None:
    """Numbered files whose tiers have nothing in common: nobody can tell."""
    layers = make_truth(("a",), ("x",), ("Alice", "Carol"), noise=0, seed=3)["a"]["x"]
    for number in (1, 2):
        (tmp_path / f"n{number}.TextGrid").write_text(textgrid(layers))
    with pytest.raises(FormatError) as caught:
        read(tmp_path)
    (problem,) = caught.value.problems
    assert problem.code == "question-annotators"
    assert str(problem) == (
        "it is not clear whether files or tiers are the annotators: 2 files (n1.TextGrid, n2.TextGrid) have the tiers "
        "Alice, Carol. If tiers are annotators and files are documents, give annotator_from='tier'. If files are "
        "annotators (n1, n2) and tiers are layers, give annotator_from='stem'. If all files are by one annotator, "
        "agreement cannot be measured: add the files of the others."
    )
    assert read(tmp_path, annotator_from="tier").annotators == ("Alice", "Carol")
    assert read(tmp_path, annotator_from="stem").annotators == ("n1", "n2")


def test_values_per_tier(tmp_path: Path) -> None:
    layers = make_truth(("a",), ("x",), ("Alice", "Carol"), noise=0, seed=3)["a"]["x"]
    for name in ("ann", "bob"):
        (tmp_path / f"talk_{name}.TextGrid").write_text(textgrid(layers))
    corpus = read(tmp_path, per_layer=True)
    assert [document.name for document in corpus] == ["talk/Alice", "talk/Carol"]
    assert {document.annotators for document in corpus} == {("ann", "bob")}
    (note,) = [problem for problem in read(tmp_path).problems if problem.code == "tiers-together"]
    assert "per_layer=True" in str(note)


def test_words_and_phones_are_not_mixed(tmp_path: Path) -> None:
    layers = make_truth(("a",), ("x",), ("words", "phones"), noise=0, seed=3)["a"]["x"]
    for name in ("ann", "bob"):
        (tmp_path / f"talk_{name}.TextGrid").write_text(textgrid(layers))
    (problem,) = inspect(tmp_path).problems
    assert problem.code == "which-layer"
    assert read(tmp_path, layer="words").n_units == 20


@pytest.mark.parametrize("pack", ["files", "folder", "zip"])
def test_one_table_for_each_annotator(tmp_path: Path, pack: str) -> None:
    """Tables without annotators that name the same documents."""
    paths = []
    for name in ("ann", "bob"):
        path = tmp_path / "data" / f"{name}.csv"
        path.parent.mkdir(exist_ok=True)
        path.write_text("document,start,end,category\nd1,0,5,X\nd2,1,4,Y\n")
        paths.append(path)
    source: object = paths if pack == "files" else tmp_path / "data"
    if pack == "zip":
        with zipfile.ZipFile(tmp_path / "data.zip", "w") as archive:
            for path in paths:
                archive.write(path, path.name)
        source = tmp_path / "data.zip"
    assert {c.name: c.annotators for c in read(source)} == {"d1": ("ann", "bob"), "d2": ("ann", "bob")}


def test_tables_that_say_nothing_about_annotators(tmp_path: Path) -> None:
    for name in ("berlin", "paris"):
        (tmp_path / f"{name}.csv").write_text(csv([(0, 5, "X")]))
    (problem,) = inspect(tmp_path).problems
    assert problem.code == "question-annotators"
    assert "annotator_from='stem' if berlin, paris are the annotators" in str(problem)
    assert read(tmp_path, annotator_from="stem").annotators == ("berlin", "paris")
