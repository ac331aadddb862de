# SPDX-License-Identifier: MIT
"""Writers of Glozz and CorA-XML. Oracle: reading gives the corpus back; Glozz's own checksums; the loss by hand."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from unisono.io import read, write
from unisono.io.writers.glozz import text_checksum
from unisono.model import Continuum, Corpus, Unit

FIXTURES = Path(__file__).parent / "fixtures"


def contents(corpus: Corpus, *, left_out: frozenset[str] = frozenset()) -> dict[str, object]:
    """Annotators, text, units and features of each document."""
    return {
        continuum.name: (
            continuum.annotators,
            continuum.text,
            sorted(
                (
                    (
                        (u.annotator, u.start, u.end, u.category),
                        sorted((k, v) for k, v in u.features.items() if v is not None and k not in left_out),
                    )
                    for u in continuum
                ),
                key=repr,
            ),
        )
        for continuum in corpus
    }


def written_and_read(corpus: Corpus, folder: Path, name: str) -> tuple[Corpus, list[str]]:
    """The corpus as it comes back, and the messages of the writer."""
    problems = write(corpus, folder, format=name)
    return read(folder, format=name, annotator_from="parent"), [str(problem) for problem in problems]


@pytest.mark.parametrize("name", ["glozz", "cora"])
def test_our_fixtures_come_back(tmp_path: Path, name: str) -> None:
    corpus = read(FIXTURES / name, format=name)
    again, messages = written_and_read(corpus, tmp_path / "out", name)
    assert contents(again) == contents(corpus)
    assert messages == []


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("glozz", "glozz/stac-sample/s1-league2-game1/units"),
        ("glozz", "glozz/glozz-sample"),
        ("cora", "cora_xml/cora_ren.xml"),
        ("cora", "cora_xml/document.simple.xml"),
        ("cora", "cora_xml/XMLHandler_test_expected.xml"),
    ],
)
def test_the_sample_files_come_back(shared: Path, tmp_path: Path, name: str, path: str) -> None:
    corpus = read(shared / "samples" / path, format=name)
    again, messages = written_and_read(corpus, tmp_path / "out", name)
    assert corpus.n_units > 0
    assert contents(again) == contents(corpus)
    assert messages == []


def test_the_checksum_is_that_of_glozz(shared: Path) -> None:
    """Glozz stored it in every sample beside the text it belongs to."""
    folder = shared / "samples" / "glozz"
    checked = 0
    for path in [*folder.glob("glozz-sample/*.aa"), *folder.glob("stac-sample/*/unannotated/*.aa")]:
        text = path.with_suffix(".ac").read_bytes().decode()
        stored = re.search(r'corpusHashcode="([^"]*)"', path.read_text(encoding="utf-8"))
        assert stored is not None
        assert text_checksum(text) == stored[1]
        checked += 1
    assert checked == 7


words = st.text("abcXYZ059äß_-😀", min_size=1, max_size=5).filter(lambda w: w[0] not in "-_")
labels = st.text("aB ä\"'[]|_*;\\<&>,:", min_size=1, max_size=6).map(str.strip).filter(lambda x: x and x != "<none>")
values = st.fixed_dictionaries({"certainty": st.none() | labels, "author": words})


@st.composite
def corpora(draw: st.DrawFn, *, with_gaps: bool) -> Corpus:
    """Texts of words and single blanks; units anywhere, or (without gaps) each word a unit of everybody."""
    continua = []
    for name in draw(st.lists(words, min_size=1, max_size=2, unique_by=str.casefold)):
        tokens = draw(st.lists(words, min_size=1, max_size=5))
        text = " ".join(tokens)
        units: dict[str, list[Unit]] = {}
        for annotator in draw(st.lists(words, min_size=1, max_size=2, unique_by=str.casefold)):
            if with_gaps:
                position = st.integers(0, len(text))
                bounds = [(min(b), max(b)) for b in draw(st.lists(st.tuples(position, position), max_size=4))]
            else:
                starts = [sum(len(token) + 1 for token in tokens[:i]) for i in range(len(tokens))]
                bounds = [(start, start + len(token)) for start, token in zip(starts, tokens, strict=True)]
            units[annotator] = [Unit(s, e, draw(st.none() | labels), features=draw(values)) for s, e in bounds]
        continua.append(Continuum.of(units, name=name, text=text))
    return Corpus(tuple(continua))


@settings(max_examples=40)
@given(corpora(with_gaps=True).filter(lambda corpus: corpus.n_units > 0))
def test_glozz_holds_any_units(tmp_path_factory: pytest.TempPathFactory, corpus: Corpus) -> None:
    again, messages = written_and_read(corpus, tmp_path_factory.mktemp("glozz"), "glozz")
    assert contents(again) == contents(corpus)
    assert messages == []


@settings(max_examples=40)
@given(corpora(with_gaps=False))
def test_cora_holds_units_on_words(tmp_path_factory: pytest.TempPathFactory, corpus: Corpus) -> None:
    again, messages = written_and_read(corpus, tmp_path_factory.mktemp("cora"), "cora")
    assert contents(again) == contents(corpus)
    assert messages == []


@pytest.mark.parametrize(
    ("name", "units", "text", "message"),
    [
        ("glozz", [Unit(0, 4, "paragraph")], "Anna went", "1 unit of category paragraph"),
        ("glozz", [Unit(0, 4, "A", features={"note": " x"})], "Anna went", "1 value of note"),
        ("glozz", [Unit(0, 4, " A")], "Anna went", "1 set of blanks around a category"),
        ("cora", [Unit(0, 4, "A ")], "Anna", "1 set of blanks around a category"),
        ("glozz", [Unit(0, 4, "A")], "Anna went", "written with their annotator as author"),
        ("glozz", [Unit(0, 4, "A")], None, "1 text file not written, because the document has no text"),
        (
            "cora",
            [Unit(0, 4, "A"), Unit(2, 9, "B")],
            "Anna went",
            "1 unit on no word or overlapping another one was",
        ),
        ("cora", [Unit(0, 4, "--")], "Anna", "1 use of the category '--' (which stands for none in CorA) was left out"),
        ("cora", [Unit(0, 4, "A", features={"a b": "x"})], "Anna", "1 value of a b"),
        ("cora", [Unit(0, 4, "A")], "Anna went home", "2 words outside the units are written without tags"),
        (
            "cora",
            [Unit(0, 4, "A"), Unit(5, 9, "B")],
            "Anna\nwent",
            "white space other than a single blank (in 1 ",
        ),
    ],
)
def test_what_is_lost_is_said(tmp_path: Path, name: str, units: list[Unit], text: str | None, message: str) -> None:
    corpus = Corpus((Continuum.of({"ann": units}, name="d", text=text),))
    messages = [str(problem) for problem in write(corpus, tmp_path / "out", format=name)]
    assert any(message in text for text in messages), messages


def test_a_gold_standard_goes_back_to_glozz(tmp_path: Path) -> None:
    """Three annotators of two units each, the gold standard of their alignment, written and read again."""
    import unisono

    rows: Any = {a: [(0, 4, "Person"), (14, 18, "Place")] for a in ("ann", "bob", "cem")}
    gold = unisono.gold(unisono.continuum(rows, name="letter", text="Anna wrote to Rome.")).corpus()
    write(gold, tmp_path / "out", format="glozz")
    again = read(tmp_path / "out", format="glozz", annotator_from="parent")
    assert contents(again, left_out=frozenset({"author"})) == contents(gold)
