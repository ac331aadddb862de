# SPDX-License-Identifier: MIT
"""Every kind of bad input and the exact words about it. Oracle: the message is the contract."""

from __future__ import annotations

import gzip
import io
import random
import sys
import zipfile
from pathlib import Path

import pytest

from unisono.errors import CorpusError, FormatError, InputError, MissingDependencyError, ParameterError, UnitError
from unisono.io import Columns, inspect, read

HEADER = "annotator,start,end,category\n"
NOTHING = "leave start and end both empty if the annotator marked nothing"


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def messages(content: str | bytes, name: str = "a.csv", **options: object) -> list[str]:
    """What `read` has to say about a file of that content."""
    Path(name).write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(InputError) as caught:
        read(name, **options)
    # Reading and inspecting tell the same story.
    errors = tuple(problem for problem in inspect(name, **options).problems if problem.severity == "error")
    assert errors == caught.value.problems
    return [str(problem) for problem in caught.value.problems]


ROWS = [
    ("ann,31.2,30.9,X", "a unit must end after it starts; found start=31.2, end=30.9; swap the columns?"),
    ("ann,x,2,X", f"a number in column start; found 'x'; correct it; {NOTHING}"),
    ("ann,1_000,2_000,X", f"a number in column start; found '1_000'; correct it; {NOTHING}"),
    ("ann,٣,5,X", f"a number in column start; found '٣'; correct it; {NOTHING}"),
    ("ann,nan,2,X", f"a finite number in column start; found 'nan'; correct it; {NOTHING}"),
    ("ann,1,-Infinity,X", f"a finite number in column end; found '-Infinity'; correct it; {NOTHING}"),
    ("ann,NA,2,X", f"a number in column start; found 'NA'; correct it; {NOTHING}"),
    ("ann,0:01:02.5,90,X", "a number in column start; found '0:01:02.5'; write it as one number, e.g. 62.5 (seconds)"),
    ('ann,"3,5",4,X', "a number in column start; found '3,5'; write 3.5, or say --decimal ,"),
    ("ann,3,,X", f"both start and end, or neither; found start=3 without end; give the end; {NOTHING}"),
    ("ann,,3,X", f"both start and end, or neither; found end=3 without start; give the start; {NOTHING}"),
    (" ,3,4,X", "the annotator's name in column annotator; found an empty cell; name the annotator"),
    (
        "ann,3,9007199254740993,X",
        "a position between -2**53 and 2**53 in column end; found '9007199254740993'; count from a nearer origin",
    ),
    (
        "ann,3,1e300,X",
        "a position between -2**53 and 2**53 in column end; found '1e300'; count from a nearer origin",
    ),
    (
        "ann,3,4",
        "4 cells, one for each name in the header; found 3; check the separators and the quotes on this line",
    ),
    (
        "ann,3,4,X,Y",
        "4 cells, one for each name in the header; found 5; check the separators and the quotes on this line",
    ),
]


@pytest.mark.parametrize(("row", "message"), ROWS, ids=[row for row, _ in ROWS])
def test_row(row: str, message: str) -> None:
    assert messages(f"{HEADER}bob,1,2,X\n{row}\n")[0] == f"a.csv:3: {message}"


def test_all_problems_at_once_in_the_order_of_the_lines() -> None:
    text = f"{HEADER}ann,5,4,X\nann,1,2,X\n,x,2,X\nann,1\n\nbob,inf,9,X\n"
    found = messages(text)
    assert [message.split(": ")[0] for message in found] == ["a.csv:2", "a.csv:4", "a.csv:4", "a.csv:5", "a.csv:7"]


def test_physical_lines_are_counted_inside_quotes() -> None:
    text = f'{HEADER}ann,1,2,"X\nY"\r\nann,5,4,"a ""b"""\n'
    assert messages(text) == ["a.csv:4: a unit must end after it starts; found start=5, end=4; swap the columns?"]


def test_one_problem_for_a_column_that_is_not_what_it_was_taken_for() -> None:
    assert messages(f"{HEADER}ann,a,1,X\nbob,b,2,Y\n") == [
        "a.csv:2: numbers in column start; found text in every row, e.g. 'a'; "
        "is it the right column? if not, name it: --start-column, --end-column"
    ]


def test_decimal_commas_are_told_once_for_a_column() -> None:
    assert messages("annotator;start;end\na;1,5;2\nb;1,5;3\nb;2,5;4\n") == [
        "a.csv:2: numbers in column start; found '1,5' and 2 more with a comma; write 1.5, or say --decimal ,"
    ]


def test_decimal_comma_on_request() -> None:
    Path("a.csv").write_text("annotator;start;end\na;1,5;2\nb;1,5;3\n")
    assert read("a.csv", decimal=",")[0].starts.tolist() == [1.5, 1.5]


def zipped(files: dict[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return stream.getvalue()


FILES: list[tuple[str, str | bytes, str]] = [
    ("empty", "", "a.csv: a table with rows; found an empty file; check that it was saved"),
    ("blank", " \n\n", "a.csv: a table with rows; found an empty file; check that it was saved"),
    ("blank UTF-16", " \n".encode("utf-16"), "a.csv: a table with rows; found an empty file; check that it was saved"),
    ("blank cells", '""\n\n', "a.csv: a table with rows; found only blank lines; check that it was saved"),
    ("header only", HEADER, "a.csv: at least one unit; found no row that can be used; is this the right file?"),
    (
        "nobody marked anything",
        f"{HEADER}ann,,,\nbob,,,\n",
        "a.csv: at least one unit; found 2 rows without start and end; is this the right file?",
    ),
    (
        "binary",
        b"\x89PNG\r\n\x1a\n\x00\x00",
        "a.csv: a table as text (CSV, TSV, JSON lines) or Parquet; found a binary file; "
        "export the annotations as a table",
    ),
    (
        "spreadsheet",
        zipped({"[Content_Types].xml": b"<Types/>"}),
        "a.csv: a table as text (CSV, TSV, JSON lines) or Parquet; found a zip archive or a spreadsheet; "
        "save the sheet as CSV, or unpack the archive",
    ),
    (
        "broken zip archive",
        b"PK\x03\x04\x14\x00",
        "a.zip: a complete zip archive without password; found one that cannot be unpacked (File is not a zip file); "
        "fetch or pack it again",
    ),
    (
        "UTF-16 without mark",
        HEADER.encode("utf-16-le"),
        "a.csv: a table as text (CSV, TSV, JSON lines) or Parquet; "
        "found what looks like UTF-16 without a byte order mark; try --encoding utf-16-le",
    ),
    (
        "wrong encoding",
        (HEADER + "ann,1,2,Café\n").encode("latin-1"),
        "a.csv:2: text in UTF-8; found byte 0xe9 at offset 40; "
        "save the file as UTF-8, or name its encoding, e.g. --encoding latin-1",
    ),
    (
        "broken gzip",
        gzip.compress(HEADER.encode() * 99)[:-9],
        "a.csv: a complete gzip file; found one that breaks off or is damaged "
        "(Compressed file ended before the end-of-stream marker was reached); fetch or pack it again",
    ),
    (
        "unclosed quote",
        f'{HEADER}ann,1,2,X\nann,1,2,"X\nbob,1,2,Y\n',
        "a.csv:3: quotes that are closed, and doubled inside a quoted cell; "
        "found a quote that is never closed, in the row that begins here; close the quote, or double it",
    ),
    (
        "text after a quote",
        f'{HEADER}ann,1,2,"X"Y\n',
        "a.csv:2: quotes that are closed, and doubled inside a quoted cell; "
        "found text after a closing quote, in the row that begins here; close the quote, or double it",
    ),
    (
        "duplicate header",
        "annotator,start,start ,end\na,1,2,3\n",
        "a.csv:1: column names that differ; found 'start' more than once; rename one of them",
    ),
    (
        "no known column",
        "\nname,strat,fin\na,1,2\n",
        "a.csv:2: a column for annotator and one for start and one for end (or duration); found name, strat, fin; "
        "say which: --annotator-column NAME --start-column 'strat' --end-column NAME",
    ),
    (
        "ambiguous: four columns of numbers",
        "1,2,3,4\n5,6,7,8\n",
        "a.csv: a header, or columns in a known order (annotator,category,start,end or annotator,start,end,category); "
        "found 4 columns without a header: numbers, numbers, numbers, numbers; "
        "add a header line, or say which: --annotator-column 1 --start-column 2 --end-column 3 (by number)",
    ),
    (
        "ambiguous: six columns",
        "a,b,1,2,c,d\n",
        "a.csv: a header, or columns in a known order; found 6 columns without a header: text, text, numbers, numbers, "
        "text, text; add a header line, or say which: --annotator-column 1 --start-column 2 --end-column 3 (by number)",
    ),
    (
        "JSON array",
        '[{"annotator": "a"}]',
        "a.jsonl:1: JSON lines: one object a line; found a JSON array; write one object a line, e.g. with: jq -c '.[]'",
    ),
    (
        "JSON that is none",
        '{"annotator": "a", "start": 1, "end": 2}\n{"annotator":\n',
        "a.jsonl:2: a JSON object on the line; found '{\"annotator\":' (expecting value at character 14); "
        'write the row as one object, e.g. {"annotator": "ann", "start": 3, "end": 9}',
    ),
    (
        "JSON but no object",
        '{"annotator": "a", "start": 1, "end": 2}\n[1]\n',
        "a.jsonl:2: a JSON object on the line; found '[1]', which is no object; "
        'write the row as one object, e.g. {"annotator": "ann", "start": 3, "end": 9}',
    ),
    (
        "JSON text for a number",
        '{"annotator": "a", "start": 1, "end": 2}\n\n{"annotator": "a", "start": "x", "end": 2}\n',
        f"a.jsonl:3: a number in column start; found 'x'; correct it; {NOTHING}",
    ),
    (
        "JSON number without end",
        '{"annotator": "a", "start": 1, "end": ' + "9" * 5000 + "}\n",
        "a.jsonl:1: a JSON object on the line; found a number of thousands of digits; "
        'write the row as one object, e.g. {"annotator": "ann", "start": 3, "end": 9}',
    ),
    (
        "cell without end",
        f"{HEADER}ann,1,{'9' * 50_000}x,X\nann,1,2,X\n",
        f"a.csv:2: a number in column end; found '{'9' * 57}...'; correct it; {NOTHING}",
    ),
    (
        "JSON NaN",
        '{"annotator": "a", "start": NaN, "end": 2}\n',
        f"a.jsonl:1: a finite number in column start; found nan; correct it; {NOTHING}",
    ),
]


@pytest.mark.parametrize(("content", "message"), [case[1:] for case in FILES], ids=[case[0] for case in FILES])
def test_file(content: str | bytes, message: str) -> None:
    assert messages(content, message.split(":")[0]) == [message]


def test_parquet_that_is_none() -> None:
    pytest.importorskip("pyarrow")
    (message,) = messages(b"PAR1 and then nothing", "a.parquet")
    assert message.startswith("a.parquet: a complete Parquet file; found one that cannot be read (")
    assert message.endswith("); write it again")


def test_missing_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    Path("a.parquet").write_bytes(b"PAR1")
    with pytest.raises(MissingDependencyError) as caught:
        read("a.parquet")
    assert str(caught.value) == "reading Parquet needs an optional library: pip install 'unisono[tables]'"


def test_directory_and_missing_files() -> None:
    Path("units.csv").write_text(f"{HEADER}a,1,2,X\n")
    Path("folder").mkdir()
    problems = inspect(["folder", "unit.csv", "other.txt", "nowhere/a.csv"]).problems
    assert [str(problem) for problem in problems] == [
        "folder: a folder with files; found an empty one; is it the right folder?",
        "unit.csv: a file; found nothing of that name; did you mean units.csv?",
        "other.txt: a file; found nothing of that name; check the path",
        "nowhere/a.csv: a file; found nothing of that name; there is no directory nowhere either",
    ]


def test_impossible_path() -> None:
    (problem,) = inspect("a\0b.csv").problems
    assert problem.code == "unreadable"


def test_a_path_twice() -> None:
    Path("a.csv").write_text(f"{HEADER}a,1,2,X\n")
    (problem,) = inspect(["a.csv", "./a.csv"]).problems
    assert str(problem) == "./a.csv: each file once; found it again; give it only once"


def test_a_packed_file_beyond_the_size_limit_is_not_called_damaged() -> None:
    packed = gzip.compress(random.Random(1).randbytes(5000))
    assert messages(packed, "a.csv.gz", size_limit=1000) == [
        "a.csv.gz: at most 1000 bytes (unpacked); found more; split the file, or raise --size-limit if you trust it"
    ]


def test_size_limit_counts_unpacked_bytes() -> None:
    bomb = gzip.compress(HEADER.encode() + b"ann,1,2,X\n" * 100_000)
    assert messages(bomb, "a.csv.gz", size_limit=100_000) == [
        "a.csv.gz: at most 100000 bytes (unpacked); found more; split the file, or raise --size-limit if you trust it"
    ]


def test_unknown_columns_by_option() -> None:
    found = messages(f"{HEADER}a,1,2,X\n", columns=Columns(start="strt", category=9, end="zzz"))
    assert found == [
        "a.csv:1: a column 'strt' for start; found columns annotator, start, end, category; did you mean 'start'?",
        "a.csv:1: a column 'zzz' for end; found columns annotator, start, end, category; "
        "give one of these, or its number counted from 1",
        "a.csv:1: a column 9 for category; found columns annotator, start, end, category; "
        "give one of these, or its number counted from 1",
    ]


def test_one_column_for_two_roles() -> None:
    assert messages(f"{HEADER}a,1,2,X\n", columns=Columns(start="start", end=2)) == [
        "a.csv:1: a column of its own for each role; found 2 for start and for end; give each its own column"
    ]


def test_negative_duration() -> None:
    assert messages("annotator,start,duration\na,1,-2\n") == [
        "a.csv:2: a unit must end after it starts; found start=1, duration=-2; a duration is not negative"
    ]


def test_missing_document() -> None:
    assert messages("document,annotator,start,end\nd,a,1,2\n,a,1,2\n") == [
        "a.csv:3: the document's name in column document; found an empty cell; name the document"
    ]


def test_skip_invalid_counts_what_was_skipped() -> None:
    Path("a.csv").write_text(f"{HEADER}ann,5,4,X\nann,1,2,X\nbob,x,2,X\nbob,1,2,X\n,7,6,X\n,,,\n")
    corpus = read("a.csv", skip_invalid=True)
    assert corpus.n_units == 2
    assert [str(problem) for problem in corpus.problems if problem.severity == "warning"] == [
        "a.csv:2: rows that can be read; found 3 rows that cannot "
        "(2 end-before-start, 1 missing-annotator, 1 not-a-number); skipped"
    ]


def test_skip_invalid_leaves_nothing() -> None:
    assert messages(f"{HEADER}ann,5,4,X\n", skip_invalid=True)[0] == (
        "a.csv: at least one unit; found no row that can be used; is this the right file?"
    )


def test_skip_invalid_does_not_skip_files() -> None:
    Path("good.csv").write_text(f"{HEADER}a,1,2,X\n")
    with pytest.raises(FormatError):
        read(["good.csv", "gone.csv"], skip_invalid=True)


def test_problems_of_all_files() -> None:
    Path("a.csv").write_text(f"{HEADER}a,2,1,X\n")
    Path("b.csv").write_text("")
    with pytest.raises(InputError) as caught:
        read(["a.csv", "b.csv", "c.csv"])
    assert {problem.where for problem in caught.value.problems} == {"a.csv:2", "b.csv", "c.csv"}


def test_many_faults_of_a_kind_are_counted() -> None:
    Path("a.csv").write_text(HEADER + "a,2,1,X\n" * 10_002)
    problems = inspect("a.csv").problems
    assert len(problems) == 10_001
    assert str(problems[-1]) == "a.csv:10002: a unit must end after it starts; found 2 more rows; swap the columns?"


@pytest.mark.parametrize(
    ("text", "kind"),
    [("a,2,1,X", UnitError), ("a,,,", CorpusError), ("a,2", InputError), ('a,1,2,"X', FormatError)],
)
def test_exception_fits_the_problem(text: str, kind: type[InputError]) -> None:
    Path("a.csv").write_text(f"{HEADER}a,9,8,X\n{text}\n" if text == "a,2" else f"{HEADER}{text}\n")
    with pytest.raises(InputError) as caught:
        read("a.csv")
    assert type(caught.value) is kind


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"format": "xml"}, "the name of a format; found 'xml'; unisono formats lists them"),
        (
            {"encoding": "klingon"},
            "the name of an encoding; found 'klingon'; for example utf-8, latin-1, cp1252",
        ),
        ({"decimal": ";"}, "a point or a comma as the decimal sign; found ';'"),
        ({"extent": (5, 1)}, "an extent that ends after it starts; found 5:1"),
        ({"extent": (0, float("nan"))}, "an extent that ends after it starts; found 0:nan"),
        ({"size_limit": 0}, "a size limit above zero; found 0"),
    ],
)
def test_options(options: dict[str, object], message: str) -> None:
    with pytest.raises(ParameterError) as caught:
        inspect("a.csv", **options)
    assert str(caught.value) == message


def test_neither_path_nor_frame() -> None:
    with pytest.raises(ParameterError) as caught:
        read(3)
    assert str(caught.value) == (
        "a path, several paths, or a data frame; found int; for mappings there is unisono.corpus()"
    )
    with pytest.raises(ParameterError):
        read([])
    with pytest.raises(ParameterError):
        Columns(start=0)


def test_standard_input_is_called_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(f"{HEADER}a,2,1,X\n".encode())))
    (problem,) = inspect("-").problems
    assert problem.where == "stdin:2"
