# SPDX-License-Identifier: MIT
"""Writers. Oracle: reading gives the corpus back, within what the format can hold; other libraries that read it."""

from __future__ import annotations

import re
import tempfile
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from unisono.errors import FormatError, ParameterError
from unisono.io import FORMATS, WRITERS, read, write
from unisono.io.writers.elan import PATTERN
from unisono.model import Continuum, Corpus, Extent, Unit

#: Names that any file system and any format takes.
words = st.text("abcXYZ059äß_-😀", min_size=1, max_size=5).filter(lambda w: w[0] not in "-_" and w != "O")
#: Labels with what upsets formats: blanks, quotes, separators, escapes.
labels = st.text("aB ä\"'[]|_*;\\<&>,:", min_size=1, max_size=6).map(str.strip).filter(bool)
texts = st.lists(
    st.lists(st.text("abé😀.,-[|\\", min_size=1, max_size=4), min_size=1, max_size=4).map(" ".join),
    min_size=1,
    max_size=4,
).map("\n".join)


@st.composite
def corpora(
    draw: st.DrawFn,
    *,
    one: bool = False,
    label: st.SearchStrategy[Any] = labels,
    text: bool = True,
    features: bool = True,
    apart: bool = False,
    seen: bool = True,
    decimal: bool = False,
) -> Corpus:
    continua = []
    n = 1 if one else draw(st.integers(1, 2))
    everybody = draw(st.lists(words, min_size=1, max_size=3, unique_by=str.casefold))
    for name in draw(st.lists(words, min_size=n, max_size=n, unique_by=str.casefold)):
        content = draw(texts) if text else None
        length = len(content) if content is not None else 1000
        units: dict[str, list[Unit]] = {}
        for annotator in draw(st.lists(st.sampled_from(everybody), min_size=1, unique=True)):
            position = st.integers(0, length).map(lambda x: x / 8 if decimal else x)
            bounds = draw(st.lists(st.tuples(position, position).map(sorted), min_size=0 if seen else 1, max_size=4))
            if apart:
                edges = sorted({b for pair in bounds for b in pair})
                bounds = [list(pair) for pair in zip(edges[::2], edges[1::2], strict=False)]
            units[annotator] = [
                Unit(s, e, draw(label), features={"certainty": draw(st.none() | labels)} if features else {})
                for s, e in bounds
            ]
        continua.append(
            Continuum.of(units, name=name, text=content, extent=None if text else Extent(0, length, "documents"))
        )
    return Corpus(tuple(continua))


def contents(corpus: Corpus, *, text: bool = True) -> dict[str, object]:
    return {
        continuum.name: (
            continuum.annotators,
            continuum.text if text else None,
            sorted(
                ((u.annotator, u.start, u.end, u.category, u.features.get("certainty")) for u in continuum), key=repr
            ),
        )
        for continuum in corpus
    }


def round_trip(corpus: Corpus, name: str, ending: str = "", **options: Any) -> tuple[Corpus, list[str]]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"out{ending}"
        problems = write(corpus, path, format=name)
        return read(path, **options), [problem.found for problem in problems if problem.code == "not-written"]


def has_units(corpus: Corpus) -> bool:
    return corpus.n_units > 0


@settings(max_examples=60)
@given(corpora(label=st.none() | labels).filter(has_units))
def test_json_holds_everything(corpus: Corpus) -> None:
    again, lost = round_trip(corpus, "json", ".json")
    assert contents(again) == contents(corpus)
    assert {c.name: c.extent.end for c in again} == {c.name: c.extent.end for c in corpus}  # type: ignore[union-attr]
    assert not lost


@settings(max_examples=40)
@given(corpora(label=st.none() | labels).filter(has_units), st.sampled_from(["csv", "tsv", "jsonl"]))
def test_tables_with_documents_beside(corpus: Corpus, kind: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"out.{kind}"
        write(corpus, path)
        again = read(path, documents=Path(folder) / "out.documents.csv")
    assert contents(again) == contents(corpus)


@settings(max_examples=60)
@given(corpora(label=words).filter(has_units))
def test_brat(corpus: Corpus) -> None:
    again, lost = round_trip(corpus, "brat", annotator_from="parent")
    assert contents(again) == contents(corpus)
    assert not lost


@settings(max_examples=150)
@given(corpora(label=st.none() | labels).filter(has_units))
def test_webanno(corpus: Corpus) -> None:
    """Units that begin and end on words come back; others lose their blanks, or are counted."""
    expected = {}
    n_lost = 0
    for continuum in corpus:
        assert continuum.text is not None
        rows = []
        for unit in continuum:
            trimmed = _on_words(continuum.text, int(unit.start), int(unit.end))
            if trimmed is None:
                n_lost += 1
            else:
                rows.append((unit.annotator, *trimmed, unit.category, unit.features.get("certainty")))
        expected[continuum.name] = (continuum.annotators, sorted(rows, key=repr))
    assume(any(rows for _, rows in expected.values()))
    again, lost = round_trip(corpus, "webanno-tsv", annotator_from="stem", document_from="parent", format="webanno-tsv")
    found = {name: (value[0], value[2]) for name, value in contents(again, text=False).items()}  # type: ignore[index]
    assert found == expected
    assert lost == ([f"{n_lost} unit{'s' * (n_lost > 1)} on blanks only"] if n_lost else [])


def _on_words(text: str, start: int, end: int) -> tuple[int, int] | None:
    if start == end:
        around = text[max(start - 1, 0) : start + 1]
        return (start, end) if around.strip() else None
    while start < end and text[start].isspace():
        start += 1
    while start < end and text[end - 1].isspace():
        end -= 1
    return (start, end) if start < end else None


@settings(max_examples=60)
@given(corpora(one=True, text=False, label=st.none() | labels).filter(has_units))
def test_elan(corpus: Corpus) -> None:
    again, lost = round_trip(corpus, "elan", ".eaf", tier_pattern=PATTERN)
    mine, theirs = contents(corpus)[corpus[0].name], next(iter(contents(again).values()))
    assert theirs == mine
    assert all("extent" in what for what in lost)


@settings(max_examples=60)
@given(corpora(one=True, text=False, features=False, decimal=True).filter(has_units))
def test_textgrid(corpus: Corpus) -> None:
    again, lost = round_trip(corpus, "textgrid", ".TextGrid", annotator_from="tier")
    assert next(iter(contents(again).values())) == contents(corpus)[corpus[0].name]
    assert again[0].extent == replace(corpus[0].extent, source="duration")  # type: ignore[type-var]
    assert not lost


@settings(max_examples=60)
@given(corpora(text=False, features=False, label=words, decimal=True).filter(has_units))
def test_rttm(corpus: Corpus) -> None:
    again, lost = round_trip(corpus, "rttm", annotator_from="parent")
    assert contents(again) == contents(corpus)
    assert all("extent" in what for what in lost)


#: Words of letters, a blank between them: the text that tokens make is then the text itself.
plain_texts = st.lists(
    st.lists(st.text("abé", min_size=1, max_size=4), min_size=1, max_size=4).map(" ".join), min_size=1, max_size=4
).map(lambda lines: "\n".join(lines) + "\n")


@settings(max_examples=80)
@given(st.data(), plain_texts)
def test_conll(data: st.DataObject, text: str) -> None:
    """Units on whole words of one line that do not overlap."""
    units: dict[str, list[Unit]] = {"ann": [], "bob": [], "eva": []}
    for annotator in units:
        for line in re.finditer(r".+", text):
            spots = [m.span() for m in re.finditer(r"\w+", line[0])]
            edges = sorted(data.draw(st.sets(st.integers(0, len(spots) - 1), max_size=4)))
            for first, last in zip(edges[::2], edges[1::2], strict=False):
                start, end = line.start() + spots[first][0], line.start() + spots[last][1]
                units[annotator].append(Unit(start, end, data.draw(words)))
    corpus = Corpus((Continuum.of(units, name="doc", text=text),))
    assume(has_units(corpus))
    again, lost = round_trip(corpus, "conll", annotator_from="parent")
    assert contents(again) == contents(corpus)
    assert not lost


@settings(max_examples=60)
@given(corpora(one=True, text=False, features=False, label=labels.map(lambda x: x.replace('"', "'"))).filter(has_units))
def test_textgrid_against_praatio(corpus: Corpus) -> None:
    textgrid = pytest.importorskip("praatio.textgrid")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "out.TextGrid"
        write(corpus, path)
        theirs = textgrid.openTextgrid(str(path), includeEmptyIntervals=False, duplicateNamesMode="rename")
    found = []
    for tier in theirs.tiers:
        # praatio renames tiers of the same name: name, name_2, ...
        name = max(
            (a for a in corpus[0].annotators if tier.name == a or re.fullmatch(re.escape(a) + r"_\d+", tier.name)),
            key=len,
        )
        for entry in tier.entries:
            bounds = (entry.start, entry.end) if hasattr(entry, "start") else (entry.time, entry.time)
            found.append((name, *bounds, entry.label))
    assert sorted(found) == sorted((u.annotator, u.start, u.end, u.category) for u in corpus[0])


@settings(max_examples=40)
@given(corpora(text=False, features=False, label=words, decimal=True).filter(has_units))
def test_rttm_by_its_columns(corpus: Corpus) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "out"
        write(corpus, path, format="rttm")
        found = []
        for file in path.rglob("*.rttm"):
            for line in file.read_text(encoding="utf-8").splitlines():
                cells = line.split()
                assert (cells[0], len(cells)) == ("SPEAKER", 10)
                end = float(Fraction(cells[3]) + Fraction(cells[4]))
                found.append((cells[1], file.parent.name, float(cells[3]), end, cells[7]))
        seen = {(file.stem, file.parent.name) for file in path.rglob("*.rttm")}
    assert sorted(found) == sorted((c.name, u.annotator, u.start, u.end, u.category) for c in corpus for u in c)
    assert seen == {(c.name, a) for c in corpus for a in c.annotators}


@settings(max_examples=60)
@given(corpora(features=False, label=words, apart=True).filter(has_units))
def test_conll_by_its_tags(corpus: Corpus) -> None:
    """Tags decoded plainly: the same words under the same categories, or counted as lost."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "out"
        problems = write(corpus, path, format="conll")
        n_written = 0
        for continuum in corpus:
            for annotator in continuum.annotators:
                lines = (path / annotator / f"{continuum.name}.conll").read_text(encoding="utf-8").splitlines()
                rows = [line.split("\t") for line in lines if line]
                found, current = [], None
                for token, tag in rows:
                    if tag.startswith("B-"):
                        current = [tag[2:], token]
                        found.append(current)
                    elif tag.startswith("I-"):
                        assert current is not None
                        assert current[0] == tag[2:]
                        current.append(token)
                    else:
                        current = None
                n_written += len(found)
                assert continuum.text is not None
                whole = {
                    (u.category, "".join(continuum.text[u.start : u.end].split()))  # type: ignore[misc]
                    for u in continuum.units_of(annotator)
                }
                assert {(c, "".join(parts)) for c, *parts in found} <= whole
                assert "".join(token for token, _ in rows) == "".join(continuum.text.split())
    lost = sum(int(problem.found.split()[0]) for problem in problems if problem.code == "not-written")
    assert n_written + lost == corpus.n_units


@settings(max_examples=40)
@given(
    corpora(text=False, features=False, seen=False, label=words.filter(lambda w: not w.isdigit()), decimal=True).filter(
        has_units
    )
)
def test_pygamma(corpus: Corpus) -> None:
    again, lost = round_trip(corpus, "pygamma", header=False, columns=None)
    kept = {name: (value[0], value[2]) for name, value in contents(again, text=False).items()}  # type: ignore[index]
    expected = {}
    for continuum in corpus:
        marked = tuple(a for a, n in zip(continuum.annotators, continuum.counts, strict=True) if n)
        rows = sorted(((u.annotator, u.start, u.end, u.category, None) for u in continuum), key=repr)
        if rows:
            expected[continuum.name] = (marked, rows)
    assert kept == expected
    assert all("who marked nothing" in what or "extent" in what for what in lost)


def test_quotes_are_doubled_for_praat(tmp_path: Path) -> None:
    """As Praat's manual has it; praatio leaves doubled quotes of points as they are, hence not above."""
    write(corpus_of(Unit(0, 4, 'a "b"'), text=None), tmp_path / "a.TextGrid")
    assert 'text = "a ""b"""' in (tmp_path / "a.TextGrid").read_text()


def corpus_of(*units: Unit, text: str | None = "Anna sings", name: str = "d") -> Corpus:
    return Corpus((Continuum.of({"ann": units, "bob": []}, name=name, text=text),))


def test_losses_are_said(tmp_path: Path) -> None:
    problems = write(corpus_of(Unit(0, 4), Unit(5, 10, "a b"), Unit(0, 1, "X")), tmp_path / "b", format="brat")
    assert [str(problem) for problem in problems] == [
        f"{tmp_path / 'b'}: 2 units without a category, or with one that has blanks, were left out: brat cannot hold "
        "them. The formats json, csv, tsv, jsonl and parquet keep all units and features."
    ]


def test_names_that_are_no_file_names(tmp_path: Path) -> None:
    problems = write(corpus_of(Unit(0, 4, "X"), name="../up/a:b"), tmp_path / "b", format="brat")
    assert sorted(path.name for path in (tmp_path / "b" / "ann").iterdir()) == [
        "%2E.%2Fup%2Fa%3Ab.ann", "%2E.%2Fup%2Fa%3Ab.txt",
    ]  # fmt: skip
    assert [problem.message for problem in problems] == [
        "'../up/a:b' cannot be the name of a file; it is written as %2E.%2Fup%2Fa%3Ab"
    ]


def test_refusals(tmp_path: Path) -> None:
    decimals = corpus_of(Unit(0.5, 4.0, "X"), text=None)
    with pytest.raises(FormatError, match="ELAN takes only whole positions, and d has decimal ones"):
        write(decimals, tmp_path / "a.eaf")
    assert write(decimals, tmp_path / "a.eaf", scale=1000) == ()
    assert next(iter(read(tmp_path / "a.eaf")[0])).start == 500
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "x").touch()
    with pytest.raises(FormatError, match=r"the folder is not empty\. Name a folder that is new or empty"):
        write(corpus_of(Unit(0, 4, "X")), tmp_path / "full", format="brat")
    with pytest.raises(
        ParameterError, match=r"a\.xlsx names no format that can be written. Use one of the endings \.csv, \.csv\.gz"
    ):
        write(corpus_of(Unit(0, 4, "X")), tmp_path / "a.xlsx")
    with pytest.raises(
        FormatError, match=r"no document has a text, and conll needs one\. Give the texts with documents="
    ):
        write(corpus_of(Unit(0, 4, "X"), text=None), tmp_path / "c", format="conll")
    two = Corpus((*corpus_of(Unit(0, 1, "X")), *corpus_of(Unit(0, 1, "X"), name="e")))
    with pytest.raises(FormatError, match="a file of ELAN holds one document, and the corpus has 2"):
        write(two, tmp_path / "two.eaf")
    with pytest.raises(FormatError, match="the file cannot be written"):
        write(two, tmp_path / "nowhere" / "a.csv")


def test_every_target_is_told_apart() -> None:
    endings = [suffix for target in WRITERS.values() for suffix in target.suffixes]
    assert len(endings) == len(set(endings))
    assert {"csv", "tsv", "jsonl", "parquet", "json", "brat", "webanno-tsv", "elan"} <= set(FORMATS) & set(WRITERS)
