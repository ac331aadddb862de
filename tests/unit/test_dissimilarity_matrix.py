# SPDX-License-Identifier: MIT
"""The matrix of categorial distances: from dicts and from CSV files, and everything that can be wrong with one."""

from __future__ import annotations

import pickle
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest

from unisono.dissimilarity import CombinedDissimilarity, Matrix, Sporadic, read_matrix
from unisono.errors import FormatError, ParameterError
from unisono.model import Unit

TABLE = [0, 0.5, 1, 0.5, 0, 0.25, 1, 0.25, 0]
SAME = [
    {("A", "B"): 0.5, ("A", "C"): 1, ("B", "C"): 0.25},
    {("B", "A"): 0.5, ("C", "A"): 1.0, ("C", "B"): 0.25, ("A", "A"): 0},
    {"A": {"B": 0.5, "C": 1}, "B": {"C": np.float64(0.25)}},
    {"A": {"A": 0, "B": 0.5, "C": 1}, "B": {"A": 0.5, "B": 0, "C": 0.25}, "C": {"A": 1, "B": 0.25, "C": 0}},
]


@pytest.mark.parametrize("distances", SAME)
def test_every_spelling_gives_the_same_matrix(distances: dict) -> None:  # type: ignore[type-arg]
    matrix = Matrix(distances)
    kind, table = matrix.table(("A", "B", "C"))
    assert (kind, table.tolist()) == ("matrix", TABLE)
    assert matrix == Matrix(SAME[0])
    assert hash(matrix) == hash(Matrix(SAME[0]))
    assert matrix.signature == Matrix(SAME[0]).signature
    assert matrix.labels == ("A", "B", "C")
    assert pickle.loads(pickle.dumps(matrix)) == matrix


def test_the_order_of_the_labels_in_use_is_free_and_others_do_no_harm() -> None:
    assert Matrix(SAME[0]).table(("C", "A"))[1].tolist() == [0, 1, 1, 0]
    assert Matrix(SAME[0]).table(())[1].tolist() == []


def test_labels_are_text() -> None:
    assert Matrix({(1, 2): 0.5}) == Matrix({("1", "2"): 0.5})  # type: ignore[dict-item]


def test_the_signature_tells_matrices_apart() -> None:
    signatures = {
        Matrix(SAME[0]).signature,
        Matrix({**SAME[0], ("A", "B"): 0.4}).signature,  # type: ignore[dict-item]
        Matrix({("A", "B"): 0.5}).signature,
        Matrix({('A","B', "C"): 0.5}).signature,
        Matrix({}).signature,
        Matrix(SAME[0], f_cat="steep").signature,
    }
    assert len(signatures) == 6
    content = b'[["A","A","0"],["A","B","0.5"],["B","B","0"]]'
    assert Matrix({("A", "B"): 0.5}).signature == f"matrix(sha256={sha256(content).hexdigest()[:12]})"


def test_every_problem_is_told_at_once() -> None:
    distances = {
        ("A", "B"): 0.5,
        ("B", "A"): 0.6,
        ("C", "C"): 0.1,
        ("A", "C"): 3,
        ("B", "C"): -1,
        ("A", "D"): float("nan"),
        ("B", "D"): "near",
        ("C", "D"): True,
    }
    with pytest.raises(ParameterError) as caught:
        Matrix(distances)  # type: ignore[arg-type]
    assert str(caught.value).splitlines() == [
        "matrix: a symmetric matrix; found 0.5 for 'A', 'B' but 0.6 for 'B', 'A'; make both equal",
        "matrix: 0 on the diagonal; found 0.1 for 'C', 'C'; set it to 0",
        "matrix: distances from 0 to 1; found 3 for 'A', 'C'; divide all distances by the largest?",
        "matrix: distances from 0 to 1; found -1 for 'B', 'C'",
        "matrix: distances from 0 to 1; found nan for 'A', 'D'",
        "matrix: distances from 0 to 1; found 'near' for 'B', 'D'",
        "matrix: distances from 0 to 1; found True for 'C', 'D'",
    ]


def test_keys_must_be_two_labels() -> None:
    with pytest.raises(ParameterError) as caught:
        Matrix({"AB": 0.5, ("A", None): 1, ("A", "B", "C"): 1})  # type: ignore[dict-item]
    assert str(caught.value).splitlines() == [
        "matrix: two labels for each distance; found 'AB'",
        "matrix: two labels for each distance; found ('A', None); units without a category need no entry",
        "matrix: two labels for each distance; found ('A', 'B', 'C')",
    ]
    with pytest.raises(ParameterError, match="found list"):
        Matrix([[0, 1], [1, 0]])  # type: ignore[arg-type]


def test_missing_categories_and_distances_are_told_at_once() -> None:
    matrix = Matrix({("A", "B"): 0.5, ("C", "D"): 0.5})
    with pytest.raises(ParameterError) as caught:
        matrix.table(("A", "B", "C", "X", "Y"))
    assert str(caught.value).splitlines() == [
        "matrix: an entry for every category in use; found none for 'X'; add a row and a column for it",
        "matrix: an entry for every category in use; found none for 'Y'; add a row and a column for it",
        "matrix: a distance for every two categories; found none for 'A', 'C'; give it a number from 0 to 1",
        "matrix: a distance for every two categories; found none for 'B', 'C'; give it a number from 0 to 1",
    ]


def test_categories_that_do_not_count_need_no_entry() -> None:
    d = CombinedDissimilarity(Sporadic(), Matrix({("A", "B"): 0.5}), beta=0)
    assert d(Unit(0, 5, "X"), Unit(0, 5, "Y")) == 0


def test_too_many_labels() -> None:
    with pytest.raises(ParameterError, match="at most 10,000 labels"):
        Matrix({}).table([str(i) for i in range(10_001)])


FILES = {
    "commas": ",A,B,C\nA,0,0.5,1\nB,0.5,0,0.25\nC,1,0.25,0\n",
    "semicolons, decimal commas": "\ufeffname;A;B;C\r\nA;0;0,5;1\r\nB;0,5;0;0,25\r\nC;1;0,25;0\r\n",
    "tabs, rows in another order": "\tA\tB\tC\nC\t1\t.25\t0\nA\t0\t5e-1\t1\nB\t0.5\t0\t0.25\n",
    "upper half, blank lines": "\n,A,B,C\nA,,0.5,1\n\nB,,,0.25\nC,,,\n",
    "quotes": '"","A","B","C"\n"A",0,"0,5",1\n"B",0.5,0,0.25\n"C",1,0.25,0',
}


@pytest.mark.parametrize("text", FILES.values(), ids=FILES.keys())
def test_read_matrix(text: str, tmp_path: Path) -> None:
    path = tmp_path / "distances.csv"
    path.write_bytes(text.encode())
    assert read_matrix(path) == Matrix(SAME[0])
    assert read_matrix(str(path), feature="sense", f_cat="steep") == Matrix(SAME[0], feature="sense", f_cat="steep")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            ",A,B\nA,0,0.5\nB,0.4,0\n",
            [":2: a symmetric matrix; found 0.5 for 'A', 'B' but 0.4 for 'B', 'A'; make both equal"],
        ),
        (
            ",A,B\nA,1,far\nB,7,0\n",
            [
                ":2: a number from 0 to 1 for 'A', 'B'; found 'far'",
                ":2: 0 on the diagonal; found 1.0 for 'A', 'A'; set it to 0",
                ":3: distances from 0 to 1; found 7.0 for 'B', 'A'; divide all distances by the largest?",
            ],
        ),
        (
            ",A,B,A\nA,0,1,0\nB,1,0\nB,1,0,1\nC,1,1,1\n",
            [
                ":1: each category once in the header; found 'A' more than once",
                ":3: 4 columns, as in the header; found 3",
                ":4: each category once in the first column; found 'B', as on line 3",
                ":5: a column for every row; found no column for 'C'; add it",
            ],
        ),
        (",A,B\nA,0,1\n", [":1: a row for every column; found no row for 'B'; add it"]),
        (
            ",A,B,C\nA,0,1,\nB,1,0,\nC,,,\n",
            [
                ":2: a distance for every two categories; found none for 'A', 'C'; give it a number from 0 to 1",
                ":3: a distance for every two categories; found none for 'B', 'C'; give it a number from 0 to 1",
                ":4: a distance for every two categories; found none for 'C', 'C'; give it a number from 0 to 1",
            ],
        ),
        ("A\n", [": a square table of distances; found no table; "
                 "the first row and the first column hold the category names"]),
        ("", [": a square table of distances; found no table; "
              "the first row and the first column hold the category names"]),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_file(text: str, expected: list[str], tmp_path: Path) -> None:
    path = tmp_path / "distances.csv"
    path.write_text(text)
    with pytest.raises(ParameterError) as caught:
        read_matrix(path)
    assert str(caught.value).splitlines() == [f"{path}{line}" for line in expected]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b",A\nA,\xe9\n", ": text in UTF-8; found byte 5 is not; save it as UTF-8"),
        (b"\0\1\2", ": a CSV file; found a binary file"),
        (b',A\nA,"0', ":2: a CSV file; found unexpected end of data"),
    ],
)
def test_unreadable_files(content: bytes, expected: str, tmp_path: Path) -> None:
    path = tmp_path / "distances.csv"
    path.write_bytes(content)
    with pytest.raises(FormatError) as caught:
        read_matrix(path)
    assert str(caught.value) == f"{path}{expected}"


def test_missing_file_and_directory(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"nothing\.csv: a file that can be read; found No such file or directory"):
        read_matrix(tmp_path / "nothing.csv")
    with pytest.raises(FormatError, match="a file that can be read; found Is a directory"):
        read_matrix(tmp_path)
