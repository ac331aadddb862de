# SPDX-License-Identifier: MIT
"""Everything `read` takes besides paths. Oracle: `unisono.corpus`, and the same annotations read from a file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import unisono
from unisono.errors import InputError, ParameterError
from unisono.io import inspect, read
from unisono.io.files.search import find_files
from unisono.io.read import as_corpus
from unisono.model import Continuum, Corpus, Unit

DOCUMENTS = {"d1": {"ann": [(0, 5, "PER"), (7, 9, "LOC")], "bob": [(0, 4, "PER")]}, "d2": {"ann": [], "bob": [(1, 2)]}}


def content(corpus: Corpus) -> list[tuple[str, tuple[str, ...], list[Unit]]]:
    return [(continuum.name, continuum.annotators, list(continuum)) for continuum in corpus]


def test_documents_by_name() -> None:
    assert content(read(DOCUMENTS)) == content(unisono.corpus(DOCUMENTS))
    assert content(as_corpus(DOCUMENTS)) == content(unisono.corpus(DOCUMENTS))
    assert inspect(DOCUMENTS).understood == ("a corpus in memory; 2 annotators (ann, bob); 2 documents; 4 units")


def test_annotators_of_one_document() -> None:
    (continuum,) = read(DOCUMENTS["d1"])
    assert list(continuum) == list(Continuum.of(DOCUMENTS["d1"]))
    (continuum,) = read({"ann": [Unit(0, 5, "PER")], "bob": []})
    assert (continuum.annotators, continuum.n_units) == (("ann", "bob"), 1)


def test_corpora_and_continua_are_taken_as_they_are() -> None:
    corpus = unisono.corpus(DOCUMENTS)
    assert read(corpus) is corpus
    assert content(read(corpus[0])) == content(corpus)[:1]
    assert content(read([corpus[0], corpus[1]])) == content(corpus)
    assert content(read({"d1": corpus[0]})) == content(corpus)[:1]


def test_files_by_annotator(tmp_path: Path) -> None:
    for name, units in (("one", "0,5,PER\n7,9,LOC\n"), ("two", "0,4,PER\n")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "d1.csv").write_text(f"start,end,category\n{units}")
    expected = content(unisono.corpus(DOCUMENTS))[:1]
    assert content(read({"ann": tmp_path / "one" / "d1.csv", "bob": tmp_path / "two" / "d1.csv"})) == expected
    assert content(read({"ann": tmp_path / "one", "bob": [tmp_path / "two"]})) == expected
    assert (
        "2 annotators (ann, bob) from the mapping"
        in inspect({"ann": tmp_path / "one", "bob": tmp_path / "two"}).understood
    )


def test_frames_by_annotator() -> None:
    polars = pytest.importorskip("polars")
    corpus = read(
        {
            "ann": polars.DataFrame({"start": [0, 7], "end": [5, 9], "label": ["PER", "LOC"]}),
            "bob": polars.DataFrame({"start": [0], "end": [4], "label": ["PER"]}),
        }
    )
    assert [units for _, _, units in content(corpus)] == [content(unisono.corpus(DOCUMENTS))[0][2]]


@pytest.mark.parametrize(
    "options",
    [
        {"columns": {"annotator": "initials", "start": 2}},
        {"columns": unisono.Columns(annotator="initials", start=2)},
        {"annotator_column": "initials", "start_column": 2},
        {"columns": {"annotator": "initials"}, "start_column": "a"},
    ],
)
def test_columns_of_a_frame(options: dict[str, Any]) -> None:
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame({"initials": ["ann"], "a": [1], "end": [2]})
    assert list(read(frame, **options)[0]) == [Unit(1, 2, None, "ann")]


REFUSED: list[tuple[Callable[[], Any], str]] = [
    (lambda: read({}), "there is nothing to read: the mapping is empty."),
    (lambda: read([]), "there is nothing to read: the list of inputs is empty."),
    (lambda: read({"ann": 3}), "the values of the mapping are neither units nor files."),
    (lambda: read({"annotator": ["a"], "start": [1], "end": [2]}), "make a data frame of columns."),
    (lambda: read([(0, 5, "PER")]), "annotations cannot be read from a value of type tuple."),
    (lambda: read(None), "annotations cannot be read from a value of type NoneType."),
    (lambda: read([unisono.corpus(DOCUMENTS), "a.csv"]), "cannot be combined with other inputs."),
    (lambda: read(DOCUMENTS, columns={"start": "a"}), "columns= is for files and data frames;"),
    (lambda: read(DOCUMENTS, layer="x"), "layer= is for files and data frames;"),
    (lambda: read("a.csv", columns={"who": "annotator"}), "a column has no role 'who'."),
    (lambda: read("a.csv", columns="who"), "columns= is of type str."),  # type: ignore[arg-type]
]


@pytest.mark.parametrize(("call", "message"), REFUSED, ids=[message for _, message in REFUSED])
def test_anything_else_is_a_clear_error(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(ParameterError) as caught:
        call()
    assert message in str(caught.value)


def test_an_unknown_keyword_is_a_type_error() -> None:
    with pytest.raises(TypeError, match="unexpected keyword argument 'colunms'"):
        read("a.csv", colunms=3)  # type: ignore[call-arg]


def test_each_file_is_opened_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Oracle: a count of the calls of Path.open; the CSV is longer than what is read to recognise it."""
    rows = "".join(f"ann,{i},{i + 1},X\n" for i in range(20_000))
    (tmp_path / "long.csv").write_text(f"annotator,start,end,category\n{rows}")
    for annotator in ("ann", "bob"):
        folder = tmp_path / "brat" / annotator
        folder.mkdir(parents=True)
        (folder / "letter.txt").write_text("Anna sings")
        (folder / "letter.ann").write_text("T1\tPerson 0 4\tAnna\n")
    opened: list[str] = []
    whole = Path.open

    def count(self: Path, *args: Any, **kwargs: Any) -> Any:
        opened.append(str(self))
        return whole(self, *args, **kwargs)

    monkeypatch.setattr(Path, "open", count)
    assert read(tmp_path / "long.csv").n_units == 20_000
    assert read(tmp_path / "brat").n_units == 2
    assert len(opened) == len(set(opened)) == 5


def test_files_that_are_not_read_are_closed(tmp_path: Path) -> None:
    """Oracle: ResourceWarnings are errors in tests; a second look at a file opens it again."""
    path = tmp_path / "a.csv"
    path.write_bytes(b"x" * 200_000)
    (file,) = find_files(path, unisono.io.ReadLimits())
    assert len(file.head()) == 65_536
    assert file.data() == path.read_bytes()
    assert file.data() == path.read_bytes()
    (file,) = find_files(path, unisono.io.ReadLimits())
    file.head()
    del file


def test_a_named_pipe_can_be_read(tmp_path: Path) -> None:
    """A file that can be opened only once, such as the output of a command. Oracle: the same rows in a file."""
    import os
    import threading

    pipe = tmp_path / "units.csv"
    os.mkfifo(pipe)
    text = "annotator,start,end\nann,1,2\nbob,1,3\n"
    writer = threading.Thread(target=lambda: pipe.write_text(text))
    writer.start()
    corpus = read(pipe)
    writer.join()
    assert corpus.n_units == 2


def test_sniffing_imports_no_reader(tmp_path: Path) -> None:
    """Oracle: the modules of a fresh interpreter that has read a CSV file."""
    import subprocess
    import sys

    path = tmp_path / "a.csv"
    path.write_text("annotator,start,end\nann,1,2\n")
    code = (
        f"import sys, unisono; unisono.read({str(path)!r}); "
        "print([m for m in sys.modules if m.startswith('unisono.io.formats.')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    helpers = {"sniff", "detection", "inception", "pyannote", "offsets"}
    names = {name.rpartition(".")[2] for name in eval(done.stdout)}
    assert names <= helpers


def test_problems_of_several_files_in_a_mapping(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        read({"ann": tmp_path / "a.csv", "bob": tmp_path / "b.csv"})
    assert [problem.code for problem in caught.value.problems] == ["missing-file", "missing-file"]
