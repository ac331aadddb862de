# SPDX-License-Identifier: MIT
"""Oracle: the same corpus read into memory. What is measured in a stream is the same, to the last bit."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

import unisono
from unisono.io.stream import CorpusStream

_HEADER = ("document", "annotator", "start", "end", "category", "remark")
_NAMES = ("ann", "bob", "Zoë", "d, e")

rows_of_annotator = st.lists(
    st.tuples(
        st.one_of(st.integers(0, 30), st.sampled_from([0.5, 2.25])),
        st.integers(0, 9),
        st.sampled_from(["A", "B", 'with "quotes"', "two\nlines", ""]),
        st.sampled_from(["", "", "", "sure"]),
    ),
    max_size=4,
)
documents = st.lists(st.lists(rows_of_annotator, min_size=2, max_size=4), min_size=1, max_size=9)


@dataclass(frozen=True)
class Written:
    """Rows of documents in a random order of the documents."""

    rows: list[tuple[str, ...]]

    @classmethod
    def of(cls, made: list[list[Any]], order: list[int]) -> Written:
        rows: list[tuple[str, ...]] = []
        for number in order:
            for annotator, units in zip(_NAMES, made[number], strict=False):
                name = f"doc {number}"
                if not units:
                    rows.append((name, annotator, "", "", "", ""))
                rows += [(name, annotator, str(a), str(a + n), label, remark) for a, n, label, remark in units]
        return cls(rows)

    def as_csv(self, path: Path, rows: list[tuple[str, ...]] | None = None) -> Path:
        with path.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([_HEADER, *(self.rows if rows is None else rows)])
        return path

    def as_folder(self, folder: Path) -> Path:
        """A file for every two documents."""
        folder.mkdir()
        names = list(dict.fromkeys(row[0] for row in self.rows))
        for i in range(0, len(names), 2):
            self.as_csv(folder / f"part{i:03}.csv", [row for row in self.rows if row[0] in names[i : i + 2]])
        return folder

    def as_parquet(self, path: Path) -> Path:
        pyarrow = pytest.importorskip("pyarrow")
        parquet = pytest.importorskip("pyarrow.parquet")
        columns = list(zip(*self.rows, strict=True))
        numbers = {"start", "end"}
        table = {
            name: pyarrow.array([float(cell) if cell else None for cell in column] if name in numbers
                                else [cell or None for cell in column],
                                pyarrow.float64() if name in numbers else pyarrow.string())
            for name, column in zip(_HEADER, columns, strict=True)
        }  # fmt: skip
        parquet.write_table(pyarrow.table(table), path, row_group_size=3)
        return path


def _measured(data: Any, results: Path, **options: Any) -> tuple[dict[str, Any], list[Any], Any]:
    """What is said of the whole, of each document, and the random corpora."""
    names = ["gamma", "gamma-cat", "gamma-k"]
    result = unisono.measure(data, names, seed=1, samples=5, document_results=results, **options)
    whole = {key: value for key, value in result.to_dict().items() if key not in ("documents", "problems", "cautions")}
    lines = sorted(map(json.loads, results.read_text(encoding="utf-8").splitlines()), key=lambda line: line["name"])
    chance = result["gamma"].chance_disorders
    return whole, lines, None if chance is None else chance.tobytes()


@settings(max_examples=60, deadline=None, phases=(Phase.explicit, Phase.generate))  # a corpus is small anyway
@given(made=documents, data=st.data(), rows=st.integers(1, 12), kind=st.sampled_from(["csv", "folder", "parquet"]))
def test_a_stream_is_measured_as_the_corpus_in_memory(
    made: list[list[Any]], data: st.DataObject, rows: int, kind: str
) -> None:
    order = data.draw(st.permutations(range(len(made))))
    written = Written.of(made, order)
    options = data.draw(st.sampled_from([{}, {"categorial": "ordinal"}, {"beta": 0.0}, {"preset": "pygamma"}]))
    with TemporaryDirectory() as name:
        place = Path(name)
        path = {
            "csv": lambda: written.as_csv(place / "units.csv"),
            "folder": lambda: written.as_folder(place / "units"),
            "parquet": lambda: written.as_parquet(place / "units.parquet"),
        }[kind]()
        try:
            corpus = unisono.read(path)
            here = _measured(corpus, place / "here.jsonl", keep_samples=False, **options)
        except unisono.InputError as error:
            stream = unisono.stream(path)
            stream.rows = rows
            with pytest.raises(type(error)):
                _measured(stream, place / "there.jsonl", **options)
            return
        stream = unisono.stream(path)
        stream.rows = rows
        there = _measured(stream, place / "there.jsonl", **options)
    assert there[0] == here[0]
    assert there[1] == here[1]
    if len(corpus) > 1:
        assert there[2] == here[2]


def test_documents_of_a_stream_are_those_that_are_read(tmp_path: Path) -> None:
    made = [[[(i, 3, "A", ""), (i + 4, 2, "B", "")], [(i, 4, "A", "")]] for i in range(40)]
    made[33][0].append((0.5, 1, "C", "late"))  # the first fraction and the first remark come late
    path = Written.of(made, list(range(40))).as_csv(tmp_path / "units.csv")
    stream = unisono.stream(path)
    stream.rows = 7
    assert _all_of(stream) == list(unisono.read(path))


@pytest.mark.parametrize("rows", [1, 7, 1000])
@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-be", "utf-32", "latin-1"])
def test_a_stream_is_decoded_as_a_file_that_is_read(tmp_path: Path, encoding: str, rows: int) -> None:
    path = Written.of([[[(i, 3, "é", "")], [(i, 4, "à", "")]] for i in range(9)], list(range(9))).as_csv(
        tmp_path / "u.csv"
    )
    path.write_bytes(path.read_text(encoding="utf-8").replace("Zoë", "Zoe").encode(encoding))
    given = {"encoding": encoding} if encoding in ("utf-16-be", "latin-1") else {}  # the others have a mark
    stream = unisono.stream(path, **given)
    stream.rows = rows
    assert _all_of(stream) == list(unisono.read(path, **given))


@pytest.mark.parametrize("rows", [1, 2, 3, 5, 1000])
@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("d3,a,3,7,X", 'd3,a,3,7,5" X'),  # quotes that quote nothing
        ("d3,a,3,7,X", 'd3,a,3,7,X 5"'),
        ("d3,a,3,7,X", 'd3,a,3,7,"X" Y'),
        ("d3,a,3,7,X", 'd3,a,3,7,"X'),
        ("d3,a,3,7,X", "d3,a,3,7,X,Y"),
        ("d3,a,3,7,X", "d3,a,3,three,X"),
        ("d3,a,3,7,X", f"d3,a,3,7,{'long ' * 200}"),
        ("\n", "\r"),
        ("\n", "\r\n"),
        ("d6,a,6,10,X", "d6,a,6,10,\udce9"),  # a byte that is not UTF-8
    ],
)
def test_a_stream_is_cut_at_the_rows_that_are_read(tmp_path: Path, before: str, after: str, rows: int) -> None:
    """The same documents, or the same words about what cannot be read."""
    lines = ["document,annotator,start,end,category", *(f"d{i},{a},{i},{i + 4},X" for i in range(8) for a in "ab"), ""]
    text = "\n".join(lines).replace("d5,a,5,9,X", 'd5,a,5,9,"two, ""and\na half"" lines"').replace(before, after)
    path = tmp_path / "u.csv"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    stream = unisono.stream(path)
    stream.rows = rows
    assert _or_refusal(lambda: _all_of(stream)) == _or_refusal(lambda: list(unisono.read(path)))


def _or_refusal(read: Callable[[], list[unisono.Continuum]]) -> list[unisono.Continuum] | str:
    try:
        return read()
    except unisono.InputError as error:
        return str(error)


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_a_long_document_is_read_a_few_times_only(tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Oracle: a part twice as long as the one before is tried next, so that 200 pieces take 8 trials or so."""
    module = sys.modules[CorpusStream.__module__]
    trials: list[int] = []
    names = module._document_names

    def count(part: Any, plan: Any) -> Any:
        trials.append(part.n_rows)
        return names(part, plan)

    monkeypatch.setattr(module, "_document_names", count)
    made = [[[(i, 3, "A", "") for i in range(600)], [(i, 4, "A", "") for i in range(600)]]]
    written = Written.of(made, [0])
    path = written.as_csv(tmp_path / "u.csv") if kind == "csv" else written.as_parquet(tmp_path / "u.parquet")
    stream = unisono.stream(path)
    stream.rows = 6
    assert _all_of(stream) == list(unisono.read(path))
    assert len(trials) < 30
    assert trials[-1] == 1200


def _all_of(stream: CorpusStream) -> list[unisono.Continuum]:
    from unisono.io.stream import ReadAgain

    while True:
        try:
            return [continuum for part in stream.parts() for continuum in part]
        except ReadAgain:
            continue


@pytest.mark.parametrize("rows", [1, 5, 1000])
@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_a_document_that_comes_again_is_named(tmp_path: Path, rows: int, kind: str) -> None:
    made = [[[(i, 3, "A", "")], [(i, 4, "A", "")]] for i in range(9)]
    written = Written.of(made, [*range(9), 2])
    path = written.as_csv(tmp_path / "u.csv") if kind == "csv" else written.as_parquet(tmp_path / "u.parquet")
    stream = unisono.stream(path)
    stream.rows = rows
    with pytest.raises(unisono.FormatError, match="'doc 2' comes again here") as caught:
        unisono.measure(stream, samples=3, seed=1)
    assert caught.value.problems[0].where.endswith(("u.csv:20", "u.parquet row 19"))


def test_what_needs_the_corpus_in_memory_says_so(tmp_path: Path) -> None:
    path = Written.of([[[(0, 3, "A", "")], [(0, 4, "A", "")]]] * 2, [0, 1]).as_csv(tmp_path / "u.csv")
    for how in ({"chance": "corpus"}, {"sensitivity": True}, {"measures": ["f1-exact"]}):
        with pytest.raises(unisono.ParameterError, match="memory"):
            unisono.measure(unisono.stream(path), **how)  # type: ignore[arg-type]
    with pytest.raises(unisono.ParameterError, match="participation= cannot be used in a stream"):
        unisono.stream(path, participation=path)
    with pytest.raises(unisono.ParameterError, match="standard input cannot be read as a stream"):
        unisono.stream("-")


@pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError])
def test_an_interruption_leaves_the_results_of_documents_as_they_were(
    tmp_path: Path, error: type[BaseException]
) -> None:
    made = [[[(i, 3, "A", "")], [(i, 4, "A", "")]] for i in range(9)]
    path = Written.of(made, list(range(9))).as_csv(tmp_path / "u.csv")
    results = tmp_path / "results.jsonl"
    results.write_text("old\n", encoding="utf-8")
    stream = unisono.stream(path)
    stream.rows = 4

    def stop(done: int, total: int, name: str) -> None:
        if done > 4:
            raise error

    with pytest.raises(error):
        unisono.measure(stream, samples=3, seed=1, document_results=results, progress=stop)
    assert results.read_text(encoding="utf-8") == "old\n"
    assert {each.name for each in tmp_path.iterdir()} == {"u.csv", "results.jsonl"}
    unisono.measure(stream, samples=3, seed=1, document_results=results)
    lines = list(map(json.loads, results.read_text(encoding="utf-8").splitlines()))
    assert [line["name"] for line in lines] == [f"doc {i}" for i in range(9)]
