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
        "matrix: the distance of 'A' and 'B' is 0.5, and that of 'B' and 'A' is 0.6. Make both equal.",
        "matrix: the distance of 'C' and 'C' is 0.1, not 0 as on the whole diagonal. Set it to 0.",
        "matrix: the distance of 'A' and 'C' is 3, not a number from 0 to 1. Divide all distances by the largest?",
        "matrix: the distance of 'B' and 'C' is -1, not a number from 0 to 1.",
        "matrix: the distance of 'A' and 'D' is nan, not a number from 0 to 1.",
        "matrix: the distance of 'B' and 'D' is 'near', not a number from 0 to 1.",
        "matrix: the distance of 'C' and 'D' is True, not a number from 0 to 1.",
    ]


def test_keys_must_be_two_labels() -> None:
    with pytest.raises(ParameterError) as caught:
        Matrix({"AB": 0.5, ("A", None): 1, ("A", "B", "C"): 1})  # type: ignore[dict-item]
    assert str(caught.value).splitlines() == [
        "matrix: 'AB' is not a pair of labels.",
        "matrix: ('A', None) is not a pair of labels. Units without a category need no entry.",
        "matrix: ('A', 'B', 'C') is not a pair of labels.",
    ]
    with pytest.raises(ParameterError, match="the distances are a list, not a dictionary"):
        Matrix([[0, 1], [1, 0]])  # type: ignore[arg-type]


def test_missing_categories_and_distances_are_told_at_once() -> None:
    matrix = Matrix({("A", "B"): 0.5, ("C", "D"): 0.5})
    with pytest.raises(ParameterError) as caught:
        matrix.table(("A", "B", "C", "X", "Y"))
    assert str(caught.value).splitlines() == [
        "matrix: the category 'X' has no distances. Add a row and a column for it.",
        "matrix: the category 'Y' has no distances. Add a row and a column for it.",
        "matrix: the categories 'A' and 'C' have no distance. Give it a number from 0 to 1.",
        "matrix: the categories 'B' and 'C' have no distance. Give it a number from 0 to 1.",
    ]


def test_categories_that_do_not_count_need_no_entry() -> None:
    d = CombinedDissimilarity(Sporadic(), Matrix({("A", "B"): 0.5}), beta=0)
    assert d(Unit(0, 5, "X"), Unit(0, 5, "Y")) == 0


def test_too_many_labels() -> None:
    with pytest.raises(ParameterError, match="takes at most 10,000 labels, and there are 10,001"):
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
            [":2: the distance of 'A' and 'B' is 0.5, and that of 'B' and 'A' is 0.4. Make both equal."],
        ),
        (
            ",A,B\nA,1,far\nB,7,0\n",
            [
                ":2: the distance of 'A' and 'B' is 'far', not a number from 0 to 1.",
                ":2: the distance of 'A' and 'A' is 1.0, not 0 as on the whole diagonal. Set it to 0.",
                ":3: the distance of 'B' and 'A' is 7.0, not a number from 0 to 1. "
                "Divide all distances by the largest?",
            ],
        ),
        (
            ",A,B,A\nA,0,1,0\nB,1,0\nB,1,0,1\nC,1,1,1\n",
            [
                ":1: the header names 'A' 2 times. Name it once.",
                ":3: the row has 3 columns, and the header has 4.",
                ":4: the row of 'B' is there already, on line 3. Give it once.",
                ":5: the row 'C' has no column of that name. Add the column.",
            ],
        ),
        (",A,B\nA,0,1\n", [":1: the column 'B' has no row of that name. Add the row."]),
        (
            ",A,B,C\nA,0,1,\nB,1,0,\nC,,,\n",
            [
                ":2: the categories 'A' and 'C' have no distance. Give it a number from 0 to 1.",
                ":3: the categories 'B' and 'C' have no distance. Give it a number from 0 to 1.",
                ":4: the categories 'C' and 'C' have no distance. Give it a number from 0 to 1.",
            ],
        ),
        ("A\n", [": there is no square table of distances. "
                 "The first row and the first column hold the category names."]),
        ("", [": there is no square table of distances. "
                 "The first row and the first column hold the category names."]),
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
        (b",A\nA,\xe9\n", ": byte 5 is not text in UTF-8. Save it as UTF-8."),
        (b"\0\1\2", ": this is a binary file, not a CSV file."),
        (b',A\nA,"0', ":2: this is not a CSV file: unexpected end of data."),
    ],
)
def test_unreadable_files(content: bytes, expected: str, tmp_path: Path) -> None:
    path = tmp_path / "distances.csv"
    path.write_bytes(content)
    with pytest.raises(FormatError) as caught:
        read_matrix(path)
    assert str(caught.value) == f"{path}{expected}"


def test_missing_file_and_directory(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"nothing\.csv: the file cannot be read: No such file or directory"):
        read_matrix(tmp_path / "nothing.csv")
    with pytest.raises(FormatError, match="the file cannot be read: Is a directory"):
        read_matrix(tmp_path)
