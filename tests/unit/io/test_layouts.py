# SPDX-License-Identifier: MIT
"""Formats, headers, synonyms, separators, columns without a header. Oracle: one corpus in many dresses."""

from __future__ import annotations

import gzip
import io
import json
from pathlib import Path

import pytest

from unisono.io import Columns, inspect, read
from unisono.model import Corpus, Unit

ROWS = [("ann", 0, 5, "PER"), ("ann", 7, 9, "LOC"), ("bob", 0, 4, "PER")]


def units(corpus: Corpus) -> list[tuple[str, str | None, int | float, int | float, str | None]]:
    return [(c.name, unit.annotator, unit.start, unit.end, unit.category) for c in corpus for unit in c]


EXPECTED = [("a", *row) for row in ROWS]


def text(separator: str = ",", header: str | None = "annotator,start,end,category") -> str:
    lines = [] if header is None else [header.replace(",", separator)]
    lines += [separator.join(map(str, row)) for row in ROWS]
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize(
    "header",
    [
        "annotator,start,end,category",
        "Annotator ID,START,End,Label",
        "coder,begin,stop,type",
        "rater, onset ,offset,tag",
        "worker_id,from,to,class",
        "user,start_char,end_char,entity_type",
        "annotated by,tmin,tmax,code",
        "set,segment_onset,segment_offset,speaker_type",
    ],
)
def test_synonyms(tmp_path: Path, header: str) -> None:
    path = tmp_path / "a.csv"
    path.write_text(text(header=header))
    assert units(read(path)) == EXPECTED


@pytest.mark.parametrize(
    ("name", "separator", "kind"),
    [
        ("a.csv", ",", "CSV with header"),
        ("a.tsv", "\t", "TSV with header"),
        ("a.txt", "\t", "TSV with header"),
        ("a.csv", ";", "semicolon-separated CSV with header"),
        ("a.tsv", ",", "CSV with header"),
        ("a", "|", "bar-separated CSV with header"),
    ],
)
def test_separators(tmp_path: Path, name: str, separator: str, kind: str) -> None:
    path = tmp_path / name
    path.write_text(text(separator))
    inspection = inspect(path)
    assert inspection.corpus is not None
    assert units(inspection.corpus) == EXPECTED
    assert inspection.understood == (
        f"{kind}; 2 annotators (ann, bob) from column annotator; 1 document named after the file; 3 units; "
        "category from column category; integer positions"
    )


def test_a_separator_inside_the_cells_is_not_the_separator(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("annotator,start,end,category\nann,0,5,x;y;z;w|v\nbob,1,4,x;y;z;w|u\n")
    assert read(path).labels() == ("x;y;z;w|u", "x;y;z;w|v")


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("ann,3,16\nbob,4,17\n", [("ann", 3, 16, None), ("bob", 4, 17, None)]),
        ("ann,Noun,3,16\nbob,Verb,4,17\n", [("ann", 3, 16, "Noun"), ("bob", 4, 17, "Verb")]),
        ("ann,3,16,Noun\nbob,4,17,Verb\n", [("ann", 3, 16, "Noun"), ("bob", 4, 17, "Verb")]),
        # pygamma's layout with numbers for categories: its own test data look like that
        ("ann,1,2,9\nbob,2,11,17\n", [("ann", 2, 9, "1"), ("bob", 11, 17, "2")]),
        # the third column is smaller than the second: the category can only be the last
        ("ann,2,9,1\nbob,11,17,2\n", [("ann", 2, 9, "1"), ("bob", 11, 17, "2")]),
        ("7,3,16,Noun\n8,4,17,Verb\n", [("7", 3, 16, "Noun"), ("8", 4, 17, "Verb")]),
        ("ann,,,\nbob,3,16,Noun\n", [("bob", 3, 16, "Noun")]),
    ],
)
def test_without_header(tmp_path: Path, content: str, expected: list[tuple[object, ...]]) -> None:
    path = tmp_path / "a.csv"
    path.write_text(content)
    corpus = read(path)
    assert [row[1:] for row in units(corpus)] == expected
    assert any(problem.code == "guessed-columns" for problem in corpus.problems)


@pytest.mark.parametrize(
    "content",
    ["d1,ann,3,16,Noun\nd2,bob,4,17,Verb\n", "d1,ann,Noun,3,16\nd2,bob,Verb,4,17\n"],
)
def test_documents_without_header(tmp_path: Path, content: str) -> None:
    path = tmp_path / "a.csv"
    path.write_text(content)
    assert units(read(path)) == [("d1", "ann", 3, 16, "Noun"), ("d2", "bob", 4, 17, "Verb")]


def test_numbers_name_documents_and_annotators_too(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("2,5,0.464,14.38,Intro\n2,8,0.5,14.4,Intro\n")
    assert units(read(path)) == [("2", "5", 0.464, 14.38, "Intro"), ("2", "8", 0.5, 14.4, "Intro")]


def test_columns_by_number_without_header(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("3,16,ann,x,Noun,sure\n4,17,bob,y,Verb,unsure\n")
    corpus = read(path, columns=Columns(annotator=3, start="1", end=2, category=5))
    assert units(corpus) == [("a", "ann", 3, 16, "Noun"), ("a", "bob", 4, 17, "Verb")]
    assert corpus[0][0].features == {"column_4": "x", "column_6": "sure"}


def test_columns_by_name(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("initials,category,alpha,omega,what\nann,c1,0,5,PER\nann,c2,7,9,LOC\nbob,c3,0,4,PER\n")
    corpus = read(path, columns=Columns(annotator="initials", start="Alpha", end="omega", category="what"))
    assert units(corpus) == EXPECTED
    assert corpus[0][0].features == {"category_2": "c1"}


@pytest.mark.parametrize(
    "name", ["who", "Who", "RATER", "coder", "Labeler ID", "worker", "reviewer", "Coded by", "labelled_by", "Assessor"]
)
def test_names_of_the_annotators_column(tmp_path: Path, name: str) -> None:
    """What such columns are called in tables that people gave; case does not matter."""
    path = tmp_path / "a.csv"
    path.write_text(f"{name},start,end,category\nann,3,16,Noun\nbob,4,17,Verb\n")
    assert units(read(path)) == [("a", "ann", 3, 16, "Noun"), ("a", "bob", 4, 17, "Verb")]


def test_a_column_may_be_declared_absent(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("annotator,start,end,type\nann,0,5,PER\nbob,0,4,PER\n")
    corpus = read(path, columns=Columns(category=""))
    assert corpus.labels() == ()
    assert corpus.labels("type") == ("PER",)


def test_header_by_option(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("from,to,3,5\nann,PER,3,16\n")
    assert units(read(path, header=False)) == [("a", "ann", 3, 16, "PER"), ("a", "from", 3, 5, "to")]


def test_the_plain_name_wins_over_a_synonym(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("user,type,annotator,start,end,category\nu,t,ann,0,5,PER\n")
    unit = read(path)[0][0]
    assert unit == Unit(0, 5, "PER", "ann", {"type": "t", "user": "u"})


def test_a_choice_among_synonyms_is_told(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("worker,coder,start,end\nw,ann,0,5\n")
    corpus = read(path)
    assert corpus.annotators == ("ann",)
    (note,) = [problem for problem in corpus.problems if problem.code == "column-choice"]
    assert str(note) == (
        f"{path}:1: the columns coder and worker could be the annotator; coder was taken. "
        "Name another one with annotator_column= if that is wrong."
    )


def test_duration_instead_of_an_end(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("annotator,offset,length,label\nann,3,4,X\nann,,,\n")
    assert units(read(path)) == [("a", "ann", 3, 7, "X")]
    path.write_text("annotator,start,duration,end\nann,3,4,9\n")
    assert read(path)[0][0] == Unit(3, 9, None, "ann", {"duration": "4"})


def test_json_lines(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    rows = [dict(zip(("annotator", "start", "end", "label"), row, strict=True)) for row in ROWS]
    path.write_text("\n\n".join(json.dumps(row) for row in rows))
    inspection = inspect(path)
    assert inspection.corpus is not None
    assert units(inspection.corpus) == EXPECTED
    assert inspection.understood.startswith("JSON lines; 2 annotators (ann, bob) from column annotator;")


def test_json_values_of_every_type(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(
        '{"annotator": 1, "start": "3", "end": 4.5, "label": ["A", "B"], "sure": true, "more": {"b": 1, "a": null}}\n'
        '{"annotator": 2, "start": null, "end": null}\n'
    )
    (continuum,) = read(path)
    assert continuum.annotators == ("1", "2")
    assert list(continuum) == [Unit(3.0, 4.5, "A|B", "1", {"more": '{"a": null, "b": 1}', "sure": "true"})]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_marked_encodings(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes("annotator,start,end,category\nZoë,0,5,naïve\n".encode(encoding))
    assert units(read(path)) == [("a", "Zoë", 0, 5, "naïve")]


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252", "utf-16-le"])
def test_named_encodings(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes("annotator,start,end,category\nZoë,0,5,naïve\n".encode(encoding))
    assert units(read(path, encoding=encoding)) == [("a", "Zoë", 0, 5, "naïve")]


@pytest.mark.parametrize("end_of_line", ["\n", "\r\n", "\r"])
def test_line_ends(tmp_path: Path, end_of_line: str) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(text().replace("\n", end_of_line).encode())
    assert units(read(path)) == EXPECTED


def test_packed(tmp_path: Path) -> None:
    path = tmp_path / "a.csv.gz"
    path.write_bytes(gzip.compress(text().encode()))
    assert units(read(path)) == EXPECTED


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text().encode())))
    assert read("-")["stdin"].n_units == 3


def test_format_by_option(tmp_path: Path) -> None:
    path = tmp_path / "a.dat"
    path.write_text(text("\t"))
    assert units(read(path, format="tsv")) == EXPECTED


def test_quotes_that_mean_nothing_in_tab_separated_text(tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    path.write_text('annotator\tstart\tend\tcategory\nann\t0\t5\t"PER\nbob\t0\t4\t5" disk\n')
    assert read(path).labels() == ('"PER', '5" disk')


def test_several_files_are_several_documents(tmp_path: Path) -> None:
    for name in ("d10", "d9"):
        (tmp_path / f"{name}.csv").write_text(text())
    inspection = inspect([tmp_path / "d10.csv", tmp_path / "d9.csv"])
    assert inspection.corpus is not None
    assert [continuum.name for continuum in inspection.corpus] == ["d9", "d10"]
    assert inspection.understood == (
        "2 files, CSV with header; 2 annotators (ann, bob) from column annotator; 2 documents named after the files; "
        "6 units; category from column category; integer positions"
    )


def test_files_of_one_name_are_one_document(tmp_path: Path) -> None:
    for folder, annotator in (("x", "ann"), ("y", "bob")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "d.csv").write_text(f"annotator,start,end\n{annotator},1,2\n")
    corpus = read(tmp_path / folder / "d.csv" for folder in "xy")
    assert corpus["d"].annotators == ("ann", "bob")
    assert "merged-documents" in {problem.code for problem in corpus.problems}


def test_a_document_column_gathers_over_files(tmp_path: Path) -> None:
    for name in ("x", "y"):
        (tmp_path / f"{name}.csv").write_text(f"doc,annotator,start,end,{name}\nd1,{name},1,2,v\n")
    (continuum,) = read([tmp_path / "x.csv", tmp_path / "y.csv"])
    assert list(continuum) == [
        Unit(1, 2, None, "x", {"x": "v", "y": None}),
        Unit(1, 2, None, "y", {"x": None, "y": "v"}),
    ]


@pytest.mark.parametrize(
    ("cells", "kind", "value"),
    [
        (("3", "4"), "i", 3),
        (("+3", "4"), "i", 3),
        (("3.0", "4"), "f", 3.0),
        (("3", "4.5"), "f", 3.0),
        (("1000000003", "1000000004"), "i", 1_000_000_003),
        (("9007199254740991", "9007199254740992"), "i", 9_007_199_254_740_991),
        (("-5", "-3"), "i", -5),
        (("1e3", "2e3"), "f", 1000.0),
        ((" 3 ", "4"), "i", 3),
    ],
)
def test_integers_stay_integers(tmp_path: Path, cells: tuple[str, str], kind: str, value: float) -> None:
    path = tmp_path / "a.csv"
    path.write_text(f"annotator,start,end\nann,{cells[0]},{cells[1]}\n")
    (continuum,) = read(path)
    assert continuum.starts.dtype.kind == continuum.ends.dtype.kind == kind
    assert continuum.starts.tolist() == [value]


def test_one_fraction_makes_the_corpus_decimal(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("annotator,start,end\nann,1,2\n")
    (tmp_path / "b.csv").write_text("annotator,start,end\nann,1,2.5\n")
    corpus = read([tmp_path / "a.csv", tmp_path / "b.csv"])
    assert {continuum.starts.dtype.kind for continuum in corpus} == {"f"}


def test_what_is_kept(tmp_path: Path) -> None:
    """Equal units, points, units without category, annotators without units."""
    path = tmp_path / "a.csv"
    path.write_text("annotator,start,end,category\nann,1,2,X\nann,1,2,X\nann,5,5,\nbob,,,\n")
    (continuum,) = read(path)
    assert continuum.annotators == ("ann", "bob")
    assert list(continuum) == [Unit(1, 2, "X", "ann"), Unit(1, 2, "X", "ann"), Unit(5, 5, None, "ann")]


def test_all_documents_share_their_labels(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("document,annotator,start,end,category\nd1,ann,1,2,Y\nd2,ann,1,2,X\n")
    first, second = read(path)
    assert first.categories == ("X", "Y")
    assert first.categories is second.categories


def test_large_cells(tmp_path: Path) -> None:
    """The csv module alone refuses cells above 131072 characters."""
    path = tmp_path / "a.csv"
    path.write_text(f"annotator,start,end,note\nann,1,2,{'x' * 200_000}\n")
    assert len(read(path).labels("note")[0]) == 200_000
