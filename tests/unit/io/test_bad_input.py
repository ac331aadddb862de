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
    ("ann,31.2,30.9,X", "the unit ends (30.9) before it starts (31.2). Are the two columns swapped?"),
    (
        "ann,x,2,X",
        (
            "'x' in column start is not a number. Correct it. Leave start and end both empty if the annotator "
            "marked nothing."
        ),
    ),
    (
        "ann,1_000,2_000,X",
        (
            "'1_000' in column start is not a number. Correct it. Leave start and end both empty if the "
            "annotator marked nothing."
        ),
    ),
    (
        "ann,٣,5,X",
        (
            "'٣' in column start is not a number. Correct it. Leave start and end both empty if the annotator "
            "marked nothing."
        ),
    ),
    (
        "ann,nan,2,X",
        (
            "'nan' in column start is not a finite number. Correct it. Leave start and end both empty if the "
            "annotator marked nothing."
        ),
    ),
    (
        "ann,1,-Infinity,X",
        (
            "'-Infinity' in column end is not a finite number. Correct it. Leave start and end both empty if the "
            "annotator marked nothing."
        ),
    ),
    (
        "ann,NA,2,X",
        (
            "'NA' in column start is not a number. Correct it. Leave start and end both empty if the annotator "
            "marked nothing."
        ),
    ),
    (
        "ann,0:61:02.5,90,X",
        (
            "'0:61:02.5' in column start is not a number. Write times as mm:ss, hh:mm:ss (each with decimals or not) "
            "or hh:mm:ss:ff. Leave start and end both empty if the annotator marked nothing."
        ),
    ),
    ('ann,"3,5",4,X', "'3,5' in column start has a decimal comma. Write 3.5, or give decimal= ,."),
    (
        "ann,3,,X",
        (
            "the unit has a start (3) but no end. Give the end. Leave start and end both empty if the annotator "
            "marked nothing."
        ),
    ),
    (
        "ann,,3,X",
        (
            "the unit has an end (3) but no start. Give the start. Leave start and end both empty if the "
            "annotator marked nothing."
        ),
    ),
    (" ,3,4,X", "the annotator's name is missing in column annotator. Fill it in."),
    (
        "ann,3,9007199254740993,X",
        (
            "'9007199254740993' in column end is beyond the largest position, 2**53 (9,007,199,254,740,992). "
            "Count from a nearer origin."
        ),
    ),
    (
        "ann,3,1e300,X",
        (
            "'1e300' in column end is beyond the largest position, 2**53 (9,007,199,254,740,992). Count from a "
            "nearer origin."
        ),
    ),
    (
        "ann,3,4",
        "the row has 3 cells, but the header has 4. Check the separators and the quotes on this line.",
    ),
    (
        "ann,3,4,X,Y",
        "the row has 5 cells, but the header has 4. Check the separators and the quotes on this line.",
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
    assert messages(text) == ["a.csv:4: the unit ends (4) before it starts (5). Are the two columns swapped?"]


def test_one_problem_for_a_column_that_is_not_what_it_was_taken_for() -> None:
    assert messages(f"{HEADER}ann,a,1,X\nbob,b,2,Y\n") == [
        "a.csv:2: no cell of column start is a number, beginning with 'a'. Is it the right column? "
        "If not, name the right one with start_column= or end_column=."
    ]


def test_decimal_commas_are_told_once_for_a_column() -> None:
    assert messages("annotator;start;end\na;1,5;2\nb;1,5;3\nb;2,5;4\n") == [
        "a.csv:2: '1,5' and 2 further cells of column start have a decimal comma. Write 1.5, or give decimal= ,."
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
    ("empty", "", "a.csv: the file is empty. Was it saved, and copied to its end?"),
    ("blank", " \n\n", "a.csv: the file is empty. Was it saved, and copied to its end?"),
    ("blank UTF-16", " \n".encode("utf-16"), "a.csv: the file is empty. Was it saved, and copied to its end?"),
    ("blank cells", '""\n\n', "a.csv: the file has only blank lines. Was it saved, and copied to its end?"),
    ("header only", HEADER, "a.csv: there are no rows of data. Is this the right file?"),
    (
        "nobody marked anything",
        f"{HEADER}ann,,,\nbob,,,\n",
        "a.csv: there are no units: 2 rows have neither start nor end. Is this the right file?",
    ),
    (
        "binary",
        b"\x89PNG\r\n\x1a\n\x00\x00",
        "a.csv: the file is binary, not text or Parquet. Export the annotations as a table.",
    ),
    (
        "spreadsheet",
        zipped({"[Content_Types].xml": b"<Types/>"}),
        (
            "a.csv: the file is a spreadsheet or a zip archive, not text or Parquet. Save the sheet as CSV, or "
            "unpack the archive."
        ),
    ),
    (
        "broken zip archive",
        b"PK\x03\x04\x14\x00",
        (
            "a.zip: the zip archive is damaged, incomplete or has a password (File is not a zip file). Fetch or "
            "pack it again, without a password."
        ),
    ),
    (
        "UTF-16 without mark",
        HEADER.encode("utf-16-le"),
        "a.csv: the file looks like UTF-16 without a byte order mark. Give utf-16-le as encoding=.",
    ),
    (
        "wrong encoding",
        (HEADER + "ann,1,2,Café\n").encode("latin-1"),
        (
            "a.csv:2: the text is not UTF-8: byte 0xe9 at offset 40 does not fit. Save the file as UTF-8, or "
            "name its encoding with encoding= (often cp1252 or latin-1)."
        ),
    ),
    (
        "broken gzip",
        gzip.compress(HEADER.encode() * 99)[:-9],
        (
            "a.csv: the gzip file is damaged or incomplete (Compressed file ended before the end-of-stream "
            "marker was reached). Fetch or pack it again."
        ),
    ),
    (
        "unclosed quote",
        f'{HEADER}ann,1,2,X\nann,1,2,"X\nbob,1,2,Y\n',
        (
            "a.csv:3: in the row that begins here a quote is never closed. Close the quote; inside a quoted cell "
            'write it twice ("").'
        ),
    ),
    (
        "text after a quote",
        f'{HEADER}ann,1,2,"X"Y\n',
        (
            "a.csv:2: in the row that begins here text follows a closing quote. Close the quote; inside a quoted "
            'cell write it twice ("").'
        ),
    ),
    (
        "duplicate header",
        "annotator,start,start ,end\na,1,2,3\n",
        "a.csv:1: several columns are named 'start'. Rename one of them.",
    ),
    (
        "no known column",
        "\nname,strat,closing\na,1,2\n",
        (
            "a.csv:2: no column was recognised for the annotator, the start and the end (or duration): the "
            "columns are name, strat, closing. Name them with annotator_column=, start_column= (maybe 'strat') and "
            "end_column=."
        ),
    ),
    (
        "ambiguous: four columns of numbers",
        "1,2,3,4\n5,6,7,8\n",
        (
            "a.csv: the table has 4 columns without a header, in no known order (numbers, numbers, numbers, "
            "numbers; known orders of 4 are (annotator, category, start, end) and (annotator, start, end, "
            "category)). Add a header line with names such as annotator, start, end, or give the numbers of the "
            "columns, from 1, with annotator_column=, start_column= and end_column=."
        ),
    ),
    (
        "ambiguous: six columns",
        "a,b,1,2,c,d\n",
        (
            "a.csv: the table has 6 columns without a header, in no known order (text, text, numbers, numbers, "
            "text, text). Add a header line with names such as annotator, start, end, or give the numbers of the "
            "columns, from 1, with annotator_column=, start_column= and end_column=."
        ),
    ),
    (
        "JSON array",
        '[{"annotator": "a"}]',
        (
            "a.jsonl:1: the file is one JSON array, and a table in JSON has one object per line. Write one "
            "object per line, for example with jq -c '.[]'."
        ),
    ),
    (
        "JSON that is none",
        '{"annotator": "a", "start": 1, "end": 2}\n{"annotator":\n',
        (
            "a.jsonl:2: '{\"annotator\":' is not JSON (expecting value at character 14). Write the row as one "
            'object, such as {"annotator": "ann", "start": 3, "end": 9}.'
        ),
    ),
    (
        "JSON but no object",
        '{"annotator": "a", "start": 1, "end": 2}\n[1]\n',
        (
            "a.jsonl:2: '[1]' is a JSON value but not an object. Write the row as one object, such as "
            '{"annotator": "ann", "start": 3, "end": 9}.'
        ),
    ),
    (
        "JSON text for a number",
        '{"annotator": "a", "start": 1, "end": 2}\n\n{"annotator": "a", "start": "x", "end": 2}\n',
        (
            "a.jsonl:3: 'x' in column start is not a number. Correct it. Leave start and end both empty if the "
            "annotator marked nothing."
        ),
    ),
    (
        "JSON number without end",
        '{"annotator": "a", "start": 1, "end": ' + "9" * 5000 + "}\n",
        (
            "a.jsonl:1: a number on the line has thousands of digits. Write the row as one object, such as "
            '{"annotator": "ann", "start": 3, "end": 9}.'
        ),
    ),
    (
        "cell without end",
        f"{HEADER}ann,1,{'9' * 50_000}x,X\nann,1,2,X\n",
        (
            "a.csv:2: '999999999999999999999999999999999999999999999999999999999...' in column end is not a "
            "number. Correct it. Leave start and end both empty if the annotator marked nothing."
        ),
    ),
    (
        "JSON NaN",
        '{"annotator": "a", "start": NaN, "end": 2}\n',
        (
            "a.jsonl:1: nan in column start is not a finite number. Correct it. Leave start and end both empty "
            "if the annotator marked nothing."
        ),
    ),
]


@pytest.mark.parametrize(("content", "message"), [case[1:] for case in FILES], ids=[case[0] for case in FILES])
def test_file(content: str | bytes, message: str) -> None:
    assert messages(content, message.split(":")[0]) == [message]


def test_parquet_that_is_none() -> None:
    pytest.importorskip("pyarrow")
    (message,) = messages(b"PAR1 and then nothing", "a.parquet")
    assert message.startswith("a.parquet: the Parquet file cannot be read (")
    assert message.endswith("). Write it again.")


def test_missing_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    Path("a.parquet").write_bytes(b"PAR1")
    with pytest.raises(MissingDependencyError) as caught:
        read("a.parquet")
    assert str(caught.value) == "reading Parquet needs an optional library: pip install 'unisono[tables]'"


def test_a_library_that_is_broken(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Oracle: `pip install` does nothing where the library is there; installing it again mends it."""
    (tmp_path / "pyarrow").mkdir()
    (tmp_path / "pyarrow" / "__init__.py").write_text("raise ImportError('libarrow.so: no such file')")
    for name in [each for each in sys.modules if each.partition(".")[0] == "pyarrow"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.syspath_prepend(str(tmp_path))
    Path("a.parquet").write_bytes(b"PAR1")
    with pytest.raises(MissingDependencyError) as caught:
        read("a.parquet")
    assert str(caught.value) == (
        "reading Parquet needs an optional library, which is installed but cannot be loaded "
        "(libarrow.so: no such file): pip install --force-reinstall 'unisono[tables]'"
    )


def test_directory_and_missing_files() -> None:
    Path("units.csv").write_text(f"{HEADER}a,1,2,X\n")
    Path("folder").mkdir()
    problems = inspect(["folder", "unit.csv", "other.txt", "nowhere/a.csv"]).problems
    assert [str(problem) for problem in problems] == [
        "folder: the folder has no files (other than hidden ones). Is it the right folder?",
        "unit.csv: there is no such file. Did you mean units.csv?",
        "other.txt: there is no such file. Check the path.",
        "nowhere/a.csv: there is no such file. There is no folder nowhere either.",
    ]


def test_impossible_path() -> None:
    (problem,) = inspect("a\0b.csv").problems
    assert problem.code == "unreadable"


def test_a_path_twice() -> None:
    Path("a.csv").write_text(f"{HEADER}a,1,2,X\n")
    (problem,) = inspect(["a.csv", "./a.csv"]).problems
    assert str(problem) == "./a.csv: the file is given twice. Give it only once."


def test_a_packed_file_beyond_the_size_limit_is_not_called_damaged() -> None:
    packed = gzip.compress(random.Random(1).randbytes(5000))
    assert messages(packed, "a.csv.gz", size_limit=1000) == [
        "a.csv.gz: there are more than 1,000 bytes to read (unpacked). "
        "Split the file, or raise size_limit= if you trust it."
    ]


def test_size_limit_counts_unpacked_bytes() -> None:
    bomb = gzip.compress(HEADER.encode() + b"ann,1,2,X\n" * 100_000)
    assert messages(bomb, "a.csv.gz", size_limit=100_000) == [
        "a.csv.gz: there are more than 100,000 bytes to read (unpacked). "
        "Split the file, or raise size_limit= if you trust it."
    ]


def test_unknown_columns_by_option() -> None:
    columns = "the columns are annotator, start, end, category"
    assert messages(f"{HEADER}a,1,2,X\n", columns=Columns(start="strt", category=9, end="zzz")) == [
        f"a.csv:1: there is no column 'strt' for the start: {columns}. Did you mean 'start'?",
        f"a.csv:1: there is no column 'zzz' for the end: {columns}. "
        "Give end_column= one of these names, or a number counted from 1.",
        f"a.csv:1: there is no column 9 for the category: {columns}. "
        "Give category_column= one of these names, or a number counted from 1.",
    ]


def test_one_column_for_two_roles() -> None:
    assert messages(f"{HEADER}a,1,2,X\n", columns=Columns(start="start", end=2)) == [
        "a.csv:1: column 2 is given both for the start and for the end. Give each a column of its own."
    ]


def test_negative_duration() -> None:
    assert messages("annotator,start,duration\na,1,-2\n") == [
        "a.csv:2: the unit has a negative duration (-2). Correct it."
    ]


def test_missing_document() -> None:
    assert messages("document,annotator,start,end\nd,a,1,2\n,a,1,2\n") == [
        "a.csv:3: the document's name is missing in column document. Fill it in."
    ]


def test_skip_invalid_counts_what_was_skipped() -> None:
    Path("a.csv").write_text(f"{HEADER}ann,5,4,X\nann,1,2,X\nbob,x,2,X\nbob,1,2,X\n,7,6,X\n,,,\n")
    corpus = read("a.csv", skip_invalid=True)
    assert corpus.n_units == 2
    assert [str(problem) for problem in corpus.problems if problem.severity == "warning"] == [
        "a.csv:2: 3 rows could not be read and were skipped (2 end-before-start, 1 missing-annotator, 1 not-a-number)."
    ]


def test_skip_invalid_leaves_nothing() -> None:
    assert messages(f"{HEADER}ann,5,4,X\n", skip_invalid=True)[0] == (
        "a.csv: there are no units: no row can be used. Is this the right file?"
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


def test_swapped_columns_are_told_once() -> None:
    assert messages(HEADER + "a,5,1,X\na,9,7,X\nb,5,2,X\n") == [
        "a.csv:2: every unit ends before it starts, beginning with 5 to 1. The two columns are swapped: give "
        "start_column= end and end_column= start."
    ]


def test_dates_are_no_positions() -> None:
    assert messages(HEADER + "a,2024-05-01 10:00,2,X\nb,2024-05-01 10:01,2,X\n") == [
        "a.csv:2: the cells of column start are dates, beginning with '2024-05-01 10:00'. Give positions as times from "
        "the beginning of the recording, in seconds or as hh:mm:ss."
    ]


def test_columns_separated_by_blanks() -> None:
    assert messages("ann 0 5 A\nbob 0 5 A\n") == [
        "a.csv: the table has 1 column. Are the columns separated by blanks? Separate them by commas, semicolons or "
        "tabs."
    ]


def test_a_header_of_another_table_names_what_is_missing() -> None:
    assert messages("annotator,category,words\nann,A,hello\nbob,A,hello\n") == [
        "a.csv:1: no column was recognised for the start and the end (or duration): the columns are annotator, "
        "category, words. Give a table with a row for each unit, and columns such as annotator, start, end, category."
    ]


@pytest.mark.parametrize("header", ["text,label", "sentence,Tag", "TEXT,words", "Who,words"])
def test_one_usual_name_makes_a_header_where_there_are_no_numbers(header: str) -> None:
    """A row of units has numbers, so this cannot be one."""
    (message,) = messages(f"{header}\nhello,A\n")
    assert "the start and the end (or duration): the columns are " + header.replace(",", ", ") in message


def test_one_column_is_asked_for_its_separator_whatever_it_is_called() -> None:
    (message,) = messages("label\nA\nB\n")
    assert message.startswith("a.csv: the table has 1 column.")


def test_words_of_a_name_are_suggested() -> None:
    assert messages("coder initials,begin at,end at,code\nann,0,5,A\nbob,0,5,A\n") == [
        "a.csv:1: no column was recognised for the annotator, the start and the end (or duration): the columns are "
        "coder initials, begin at, end at, code. Name them with annotator_column= (maybe 'coder initials'), "
        "start_column= (maybe 'begin at') and end_column= (maybe 'end at')."
    ]


@pytest.mark.parametrize("name", ["rater", "ann", "annotator_"])
def test_a_column_for_each_annotator(name: str) -> None:
    (message,) = messages(f"{name}1,{name}2,start,end\nA,A,0,5\nB,A,7,9\n")
    assert f"If {name}1 and {name}2 are one annotator each, make a row for each unit of each annotator" in message


def test_a_column_for_each_annotator_in_several_files() -> None:
    """The files are not taken for one annotator each, nor rater1 for the category."""
    Path("b.csv").write_text("rater1,rater2,start,end\nA,A,0,5\nB,A,7,9\n")
    Path("a.csv").write_text("rater1,rater2,start,end\nA,B,0,5\nA,A,7,9\n")
    problems = inspect(["a.csv", "b.csv"]).problems
    assert [problem.code for problem in problems] == ["annotators-in-columns"] * 2


def test_one_table_without_annotators_is_told_before_the_category_is_asked_for() -> None:
    (message,) = messages("start,end,what\n0,5,A\n7,9,B\n8,9,A\n")
    assert message.startswith("a.csv:1: no column was recognised for the annotator: the columns are start, end, what.")


def test_many_faults_of_a_kind_are_counted() -> None:
    Path("a.csv").write_text(HEADER + "a,2,1,X\n" * 10_002 + "a,1,2,X\n")
    problems = inspect("a.csv").problems
    assert len(problems) == 10_001
    assert str(problems[-1]) == (
        "a.csv:10002: from here on 2 more rows have the same problem (end-before-start). Are the two columns swapped?"
    )


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
        ({"format": "xml"}, "there is no format named 'xml'. `unisono formats` lists them."),
        (
            {"encoding": "klingon"},
            "there is no encoding named 'klingon'. Usual ones are utf-8, latin-1, cp1252 and utf-16.",
        ),
        ({"decimal": ";"}, "';' is not a valid value of decimal=. Give a point or a comma."),
        ({"extent": (5, 1)}, "extent= ends (1) before it starts (5). Are the two swapped?"),
        ({"extent": (0, float("nan"))}, "(0, nan) is not a valid value of extent=. Give START:END such as 0:1500."),
        ({"size_limit": 0}, "the size limit is 0. Give size_limit= a number above zero."),
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
        "annotations cannot be read from a value of type int. Give a path, several paths, a data frame, a Corpus, "
        "a Continuum, or a mapping {document: {annotator: [(start, end, category), ...]}}."
    )
    with pytest.raises(ParameterError):
        read([])
    with pytest.raises(ParameterError):
        Columns(start=0)


def test_standard_input_is_called_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(f"{HEADER}a,2,1,X\n".encode())))
    (problem,) = inspect("-").problems
    assert problem.where == "stdin:2"
