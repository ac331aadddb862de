# SPDX-License-Identifier: MIT
"""Small files made to keep a reader busy, or to fill the memory. Oracle: the message, which comes at once.

Each took minutes, hours or gigabytes when patterns tried every way to divide a line, or gaps were filled with blanks.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from unisono.io import inspect

N = 300_000


def brat(folder: Path) -> Path:
    (folder / "a.ann").write_text("T1\tP 0 1\tx\nE1\t" + ":" * N + "\t\n")
    return folder / "a.ann"


def chat(folder: Path) -> Path:
    (folder / "a.cha").write_text("@UTF8\n@Begin\n*CHI:\tx " + "[+ a" * N + " \x150_5\x15\n@End\n")
    return folder / "a.cha"


def factgenie(folder: Path) -> Path:
    row = {"annotations": [], "dataset": "d", "split": "s", "setup_id": "m", "example_idx": 0, "annotator_group": 0}
    (folder / "config.yaml").write_text("annotation_span_categories:\n- name: a" + " " * N + "b\n")
    (folder / "a.jsonl").write_text(json.dumps(row))
    return folder


def raven(folder: Path) -> Path:
    (folder / "a.txt").write_text("Begin Time (s)\tEnd Time (s)\t" + "(" * N + "\n0.1\t0.2\tx\n")
    return folder / "a.txt"


def tei(folder: Path) -> Path:
    target = "string-range( " * N
    text = '<TEI><text><body><p xml:id="a">hi</p></body></text>'
    (folder / "a.xml").write_text(f'{text}<standOff><span target="{target}"/></standOff></TEI>')
    return folder / "a.xml"


@pytest.mark.parametrize(
    ("make", "code"),
    [
        (brat, "malformed"),
        (chat, "one-annotator"),
        (factgenie, "no-units"),
        (raven, "one-annotator"),
        (tei, "missing-position"),
    ],
)
def test_long_lines_are_read_in_one_go(tmp_path: Path, make: Callable[[Path], Path], code: str) -> None:
    found = inspect(make(tmp_path))
    assert code in {problem.code for problem in found.problems}


def test_a_token_far_away_is_refused(tmp_path: Path) -> None:
    """The text before it would be a gigabyte of blanks."""
    (tmp_path / "a.tsv").write_text("form\tstart\tend\nso\t0\t2\nabcdefghi\t999999990\t999999999\n")
    found = inspect(tmp_path / "a.tsv", versions=True)
    assert [(problem.code, problem.where, problem.message) for problem in found.problems] == [
        (
            "token-columns",
            f"{tmp_path / 'a.tsv'}:3",
            "the token starts at 999999990, 999,999,988 characters after the end of the token above",
        )
    ]


def test_many_gaps_between_sentences_are_not_filled_without_end(tmp_path: Path) -> None:
    """Each is short enough, all of them would be a hundred million line ends; the units behind are outside the text."""
    lines = ["#FORMAT=WebAnno TSV 3.3", "#T_SP=x.Unit|label", "", ""]
    for i in range(1000):
        at = i * 100_000
        lines += ["", f"#Text=a{i}", f"{i + 1}-1\t{at}-{at + 1}\ta\tX\t"]
    (tmp_path / "ann.tsv").write_text("\n".join(lines) + "\n")
    found = inspect(tmp_path / "ann.tsv")
    assert {problem.code for problem in found.problems} == {"outside-extent"}
