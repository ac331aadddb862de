# SPDX-License-Identifier: MIT
"""Reading asks instead of guessing. Oracle: tables whose wrong reading gives another number than the right one."""

from __future__ import annotations

from pathlib import Path

import pytest

import unisono
from unisono.cli import main
from unisono.errors import FormatError, ParameterError
from unisono.io import inspect, read

LABELS = "annotator,start,end,ner_label\nann,0,5,PER\nann,10,15,LOC\nbob,0,5,ORG\nbob,10,15,MISC\n"
GERMAN = """\
Annotator;Anfang;Ende;Kategorie;Dokument
ann;0;5;PER;d1
ann;10;15;LOC;d1
bob;0;5;PER;d1
bob;10;15;LOC;d1
ann;0;5;PER;d2
ann;10;15;LOC;d2
bob;0;5;PER;d2
bob;10;15;ORG;d2
"""


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def questions(content: str, **options: object) -> dict[str, str]:
    """The questions about a table, by code."""
    Path("a.csv").write_text(content, encoding="utf-8")
    problems = [problem for problem in inspect("a.csv", **options).problems if problem.severity == "error"]
    assert all(problem.code.startswith("question-") for problem in problems)
    return {problem.code: str(problem) for problem in problems}


def test_a_column_of_labels_is_asked_about() -> None:
    assert questions(LABELS) == {
        "question-category": "a.csv:1: no column was recognised as the category; a column that could be it is "
        "'ner_label' (PER, LOC, ORG, MISC). If it is the category, give category_column= ner_label; if the units have "
        "no category, give no_category=."
    }
    with pytest.raises(FormatError) as caught:
        read("a.csv")
    assert caught.value.problems[0].code == "question-category"
    assert read("a.csv", category_column="ner_label")[0].categories == ("LOC", "MISC", "ORG", "PER")
    assert read("a.csv", no_category=True)[0].categories == ()


def test_the_command_stops_with_both_answers(capsys: pytest.CaptureFixture[str]) -> None:
    Path("a.csv").write_text(LABELS)
    assert main(["measure", "a.csv"]) == 1
    error = capsys.readouterr().err
    assert "--category-column ner_label" in error
    assert "--no-category" in error


def test_results_of_units_without_category_say_so(capsys: pytest.CaptureFixture[str]) -> None:
    Path("a.csv").write_text(LABELS)
    assert main(["measure", "a.csv", "--no-category", "--seed", "1", "--samples", "10"]) == 0
    headline, *_ = capsys.readouterr().out.splitlines()
    assert headline == "γ = 1.000  a  positions only: the units have no category"
    result = unisono.measure(read("a.csv", no_category=True), samples=10, seed=1)
    assert "|category:none|" in result.signature
    assert result.to_dict()["data"]["categories"] == 0
    other = unisono.measure(read("a.csv", category_column="ner_label"), samples=10, seed=1)
    assert "category:none" not in other.signature
    assert other.data.categories == 4
    assert other["gamma"].value < 0.5


@pytest.mark.parametrize(
    "header",
    [
        "Annotator;Anfang;Ende;Kategorie;Dokument",
        "annotateur;début;fin;catégorie;fichier",
        "Anotador;Inicio;Fin;Categoría;Documento",
        "annotatore;inizio;fine;categoria;documento",
        "anotador;início;fim;categoria;arquivo",
        "codeerder;begintijd;eindtijd;categorie;bestand",
    ],
)
def test_headers_in_other_languages(header: str) -> None:
    Path("a.csv").write_text(GERMAN.replace("Annotator;Anfang;Ende;Kategorie;Dokument", header), encoding="utf-8")
    corpus = read("a.csv")
    assert [(document.name, document.categories) for document in corpus][1] == ("d2", ("LOC", "ORG", "PER"))


def test_category_and_document_are_asked_about_at_once() -> None:
    asked = questions(GERMAN.replace("Kategorie;Dokument", "art;quelle"))
    assert "category_column= art;" in asked["question-category"]
    assert "document_column= quelle;" in asked["question-document"]
    assert "one_document=" in asked["question-document"]
    assert len(read("a.csv", category_column="art", document_column="quelle")) == 2
    assert len(read("a.csv", category_column="art", one_document=True)) == 1


def test_a_document_is_asked_about_where_there_is_a_category() -> None:
    asked = questions(GERMAN.replace("Dokument", "Gespräch"))
    assert list(asked) == ["question-document"]
    assert "document_column= Gespräch;" in asked["question-document"]


def test_numbers_that_begin_anew_may_be_documents() -> None:
    rows = "".join(f"{who},{10 * i},{10 * i + 5},X,{trial}\n" for who in "ab" for trial in (1, 2) for i in range(3))
    assert list(questions("annotator,start,end,label,trial\n" + rows)) == ["question-document"]
    rows = "".join(f"{who},{10 * i},{10 * i + 5},X,{i // 2}\n" for who in "ab" for i in range(6))
    assert questions("annotator,start,end,label,quality\n" + rows) == {}


@pytest.mark.parametrize(
    "column",
    [
        ["high", "low", "high", "low", "low", "high", "high", "low"],  # a feature: its values do not stand together
        ["en"] * 8,
        [""] * 8,
        ["3.5", "2.5", "3.5", "1", "2", "3", "1", "3.5"],
    ],
)
def test_ordinary_features_are_not_asked_about(column: list[str]) -> None:
    rows = [f"{'ab'[i // 4]},{10 * i},{10 * i + 5},X,{value}" for i, value in enumerate(column)]
    assert questions("\n".join(["annotator,start,end,category,certainty", *rows])) == {}


@pytest.mark.parametrize(
    ("name", "values", "is_asked"),
    [
        ("dialogue_act", [1, 4, 2, 1, 2, 4], True),
        ("stance", [-1, 0, 1, 0, -1, 1], True),
        ("act", ["1.0", "3.0", "1.0", "2.0", "3.0", "2.0"], True),
        ("Klasse Nr", [1, 4, 2, 1, 2, 4], True),
        ("token_index", [0, 1, 2, 3, 4, 5], False),
        ("section", [1, 1, 2, 2, 3, 3], False),  # it only rises
        ("confidence", [5, 3, 5, 4, 3, 4], False),
        ("is_checked", [0, 1, 1, 0, 1, 0], False),
        ("unit_id", [7, 3, 9, 1, 2, 4], False),
        ("speed", [120, 431, 77, 350, 91, 266], False),  # nothing repeats
    ],
)
def test_categories_as_whole_numbers(name: str, values: list[object], is_asked: bool) -> None:
    rows = [f"{who},{10 * i},{10 * i + 5},{value}" for who in "ab" for i, value in enumerate(values)]
    if name in ("unit_id", "speed"):
        rows = rows[: len(values)] + [f"b,{10 * i},{10 * i + 5},{1000 + i}" for i in range(len(values))]
    found = questions("\n".join([f"annotator,start,end,{name}", *rows]))
    assert list(found) == (["question-category"] if is_asked else [])


def test_texts_and_remarks_are_not_asked_about() -> None:
    rows = "ann,0,5,Anna\nann,6,9,went\nbob,0,5,Anna\nbob,6,9,went\n"
    assert questions("annotator,start,end,text\n" + rows) == {}
    assert list(questions("annotator,start,end,word\n" + rows)) == ["question-category"]


def test_a_question_is_asked_once_for_many_files() -> None:
    for name in ("one.csv", "two.csv", "three.csv"):
        Path(name).write_text(LABELS)
    problems = inspect(["one.csv", "two.csv", "three.csv"]).problems
    assert len(problems) == 1
    assert "and likewise in 2 other files" in str(problems[0])


def test_answers_exclude_each_other() -> None:
    Path("a.csv").write_text(LABELS)
    with pytest.raises(ParameterError, match="no_category= and category_column= exclude each other"):
        read("a.csv", no_category=True, category_column="ner_label")


def test_a_name_with_blanks_can_be_copied() -> None:
    asked = questions(LABELS.replace("ner_label", "NER label 1"))
    assert 'category_column= "NER label 1";' in asked["question-category"]


@pytest.mark.parametrize(("values", "are_annotators"), [(("train", "Test"), False), (("its", "vtc"), True)])
def test_a_set_of_training_data_is_no_annotator(values: tuple[str, str], are_annotators: bool) -> None:
    rows = "".join(f"d,{value},{start},{start + 3},X\n" for value in values for start in (0, 5, 9))
    Path("a.csv").write_text(f"document,set,start,end,category\n{rows}")
    found = inspect("a.csv")
    if are_annotators:
        assert found.corpus is not None
        assert found.corpus.annotators == values
    else:
        assert found.corpus is None
        assert "annotator" in found.problems[0].message
    assert read("a.csv", columns={"annotator": "set"}).annotators == tuple(sorted(values))
