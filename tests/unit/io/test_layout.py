# SPDX-License-Identifier: MIT
"""Layouts: names out of paths, fields and tiers; categories. Oracle: small folders laid out by hand."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest

from unisono.errors import FormatError, ParameterError
from unisono.io import Layout, inspect, read
from unisono.io.layout.rules import LayoutOptions


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def brat(path: str, text: str, *units: tuple[int, int, str]) -> None:
    file = Path(path)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.with_suffix(".txt").write_text(text)
    lines = [f"T{i}\t{c} {s} {e}\t{text[s:e]}\n" for i, (s, e, c) in enumerate(units, start=1)]
    file.write_text("".join(lines))


def who(path: str = "p", **options: object) -> dict[str, tuple[str, ...]]:
    return {c.name: c.annotators for c in read(path, **options)}  # type: ignore[arg-type]


def test_the_options_are_the_fields_of_a_layout() -> None:
    assert list(LayoutOptions.__annotations__) == [field.name for field in fields(Layout)]


def test_a_folder_for_each_annotator() -> None:
    for name in ("ann", "bob"):
        brat(f"p/{name}/d1.ann", "one", (0, 1, "X"))
        brat(f"p/{name}/d2.ann", "two", (0, 1, "X"))
    assert who() == {"d1": ("ann", "bob"), "d2": ("ann", "bob")}
    assert who("p/ann") == {"d1": ("ann",), "d2": ("ann",)}


def test_a_folder_for_each_document() -> None:
    for document in ("d1", "d2"):
        for name in ("ann", "bob"):
            brat(f"p/{document}/{name}.ann", document, (0, 1, "X"))
    assert who() == {"d1": ("ann", "bob"), "d2": ("ann", "bob")}


def test_the_annotator_two_folders_up() -> None:
    for name in ("ann", "bob"):
        for document in ("d1", "d2"):
            brat(f"p/{name}/ann/{document}.ann", document, (0, 1, "X"))
    assert who() == {"d1": ("ann", "bob"), "d2": ("ann", "bob")}


def test_documents_in_subfolders_of_an_annotator() -> None:
    for name in ("ann", "bob"):
        for part in ("news", "mail"):
            brat(f"p/{name}/{part}/1.ann", part, (0, 1, "X"))
    assert who() == {"mail": ("ann", "bob"), "news": ("ann", "bob")}


def test_one_annotator_only() -> None:
    brat("p/d1.ann", "one", (0, 1, "X"))
    brat("p/d2.ann", "two", (0, 1, "X"))
    assert who() == {"d1": ("p",), "d2": ("p",)}


def test_texts_that_differ() -> None:
    brat("p/ann/d.ann", "abcd", (0, 1, "X"))
    brat("p/bob/d.ann", "abcdefg", (0, 2, "X"))
    found = inspect("p")
    assert found.corpus is not None
    (warning,) = [problem for problem in found.problems if problem.severity == "warning"]
    assert str(warning) == (
        "the annotators of 1 document have different texts: d (ann, bob). "
        "Their positions may not mean the same. The measure text-gamma compares such texts."
    )
    assert found.corpus["d"].text is None
    assert found.corpus["d"].extent.end == 7  # type: ignore[union-attr]


def test_participation_survives_our_table() -> None:
    """Empty file: seen, nothing marked; no file: not assigned; both through the table and back."""
    from unisono.io import write_table

    brat("p/ann/d1.ann", "one", (0, 1, "X"))
    brat("p/bob/d1.ann", "one")
    brat("p/ann/d2.ann", "two", (0, 1, "X"))
    corpus = read("p")
    assert {c.name: (c.annotators, c.counts.tolist()) for c in corpus} == {
        "d1": (("ann", "bob"), [1, 0]),
        "d2": (("ann",), [1]),
    }
    write_table(corpus, "t.csv")
    assert who("t.csv") == who("p")


def test_rules_for_tables() -> None:
    for name in ("ann", "bob"):
        Path(name).mkdir()
        Path(name, "d.csv").write_text("start,end,category\n0,1,X\n")
    assert who(["ann/d.csv", "bob/d.csv"], annotator_from="parent") == {"d": ("ann", "bob")}  # type: ignore[arg-type]
    Path("d").mkdir()
    for name in ("ann", "bob"):
        Path("d", f"{name}.csv").write_text("0,1,X\n2,3,Y\n")
    assert who("d", annotator_from="stem") == {"d": ("ann", "bob")}
    Path("t.csv").write_text("annotator,start,end,group\na,0,1,g1\nb,0,1,g2\n")
    assert who("t.csv", annotator_from="field:group") == {"t": ("g1", "g2")}


def test_categories() -> None:
    for name in ("ann", "bob"):
        brat(f"p/{name}/d.ann", "abcdef", (0, 1, "City"), (1, 2, "Country"), (3, 4, "Noise"))
    Path("map.csv").write_text("from,to\nCity,Place\nCountry,Place\n")
    found = inspect("p", category_map="map.csv", ignore="Noise")
    assert found.corpus is not None
    assert [u.category for u in found.corpus["d"].units_of("ann")] == ["Place", "Place"]
    assert found.corpus.labels() == ("Place",)
    notes = [problem for problem in found.problems if problem.code == "ignored-units"]
    assert [note.message for note in notes] == ["1 unit of Noise was left out, as asked for with [[ignore]]"] * 2
    assert read("p", category_map={"City": "Noise"}, ignore=["Noise"])["d"].n_units == 2
    (problem,) = inspect("p", category_from="colour").problems
    assert str(problem) == (
        "there is no feature 'colour' for the category: the features are type. "
        "Give category_from= one of these, or two joined as one:other."
    )
    Path("map.csv").write_text("City,Place\nCity,Town\nCountry\n")
    with pytest.raises(FormatError, match="'City' has two new names, 'Place' and 'Town'"):
        read("p", category_map="map.csv")


def test_whoever_only_marked_what_is_ignored_has_seen_the_document() -> None:
    brat("p/ann/d.ann", "abcdef", (0, 1, "City"))
    brat("p/bob/d.ann", "abcdef", (0, 1, "Noise"))
    corpus = read("p", ignore="Noise")
    assert corpus["d"].annotators == ("ann", "bob")
    assert corpus["d"].n_units == 1


def test_the_same_annotator_twice() -> None:
    brat("p/a/d.ann", "abc", (0, 1, "X"))
    brat("p/b/d.ann", "abc", (0, 1, "X"))
    (problem,) = inspect("p", annotator_from="regex:/(p)/", document_from="stem").problems
    assert problem.code == "same-annotator"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"annotator_from": "folder"}, "Give annotator_from= one of parent, stem, tier, field:NAME and regex:PATTERN."),
        ({"document_from": "field:"}, "'field:' is not a rule for names. Give document_from= one of"),
        ({"annotator_from": "regex:("}, "'(' is not a regular expression"),
        ({"tier_pattern": "(.+)"}, "has no group named annotator, layer or document"),
        ({"discontinuous": "parts"}, "Give discontinuous= one of hull, pieces and skip."),
    ],
)
def test_rules_that_are_none(options: dict[str, str], message: str) -> None:
    brat("p/d.ann", "abc", (0, 1, "X"))
    with pytest.raises(ParameterError) as caught:
        read("p", **options)  # type: ignore[arg-type]
    assert message in str(caught.value)
