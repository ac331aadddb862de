# SPDX-License-Identifier: MIT
"""Where units begin and end, in files in which that could be lost. Oracle: written by hand."""

from __future__ import annotations

from pathlib import Path

from unisono import Corpus
from unisono.io import read


def bounds(corpus: Corpus) -> list[tuple[float, float]]:
    return [(unit.start, unit.end) for continuum in corpus for unit in continuum]


def test_cutting_at_the_extent_keeps_other_fractions(tmp_path: Path) -> None:
    """One end passes the extent by rounding; starts are whole numbers, the other ends are not."""
    table = tmp_path / "a.csv"
    table.write_text("annotator,start,end,category\nann,0,1.5,A\nann,2,3.7,A\nbob,4,10.0005,B\n")
    corpus = read(table, extent=(0, 10))
    assert bounds(corpus) == [(0, 1.5), (2, 3.7), (4, 10)]
    assert "rounded-ends" in {problem.code for problem in corpus.problems}


def test_pieces_are_moved_with_their_unit(tmp_path: Path) -> None:
    for who in ("ann", "bob"):
        (tmp_path / who).mkdir()
        (tmp_path / who / "letter.ann").write_text("T1\tPerson 1 4;6 9\tx\n")
    corpus = read(tmp_path, one_based=True, inclusive_ends=True)
    assert bounds(corpus) == [(0, 9), (0, 9)]
    assert corpus[0][0].features == {"pieces": "0-4 5-9"}
    pieces = read(tmp_path, one_based=True, inclusive_ends=True, discontinuous="pieces")
    assert bounds(pieces) == [(0, 4), (5, 9)] * 2
