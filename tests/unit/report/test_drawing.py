# SPDX-License-Identifier: MIT
"""Drawings in characters. Oracles: the widths they are given; what must be seen in them."""

from __future__ import annotations

import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

import unisono
from properties.strategies import continua
from unisono.model import Continuum
from unisono.report.character_drawing import ASCII, MOST_ROWS, UNICODE, Signs, add_drawing, signs_for
from unisono.report.text_page import Page


def drawn(continuum: Continuum, width: int = 80, **options: object) -> list[str]:
    page = Page(width=width)
    add_drawing(page, "", unisono.best_alignment(continuum), **options)  # type: ignore[arg-type]
    return str(page).splitlines()


@given(continua(), st.integers(20, 120), st.sampled_from([UNICODE, ASCII]))
def test_no_line_is_too_wide(continuum: Continuum, width: int, signs: Signs) -> None:
    *lines, _proof = (line for line in drawn(continuum, width, signs=signs) if line)
    assert max(map(cell_len, lines)) <= width
    if signs is ASCII:
        assert all(line.isascii() for line in lines)


@given(continua())
def test_every_unit_has_a_box(continuum: Continuum) -> None:
    """As many boxes begin as there are units, where a cell is a position and no unit is shorter than three."""
    units = {a: [(u.start * 3, u.end * 3 + 3) for u in continuum.units_of(a)] for a in continuum.annotators}
    wide = Continuum.of(units)
    lines = drawn(wide, width=200, window=(0, 190))
    assert sum(line.count("├") for line in lines) == len(wide)


def test_long_continua_show_the_worst_rows() -> None:
    rng = np.random.default_rng(1)
    starts = np.arange(400) * 30
    units = {name: [(int(s), int(s + rng.integers(8, 12)), "A") for s in starts] for name in ("ann", "bob")}
    units["bob"][200] = (6000, 6010, "B")  # the one that differs in its category
    lines = drawn(Continuum.of(units), 80)
    assert sum(line.startswith("ann") for line in lines) == MOST_ROWS
    assert any("not drawn (--window START:END shows any place)" in line for line in lines)
    assert any("201 " in line for line in lines if line.startswith("bob"))


def test_a_window() -> None:
    units = {"ann": [(0, 10, "A"), (100, 110, "B")], "bob": [(0, 10, "A"), (100, 112, "C")]}
    text = "\n".join(drawn(Continuum.of(units), 60, window=(95, 115)))
    assert "2 B" in text
    assert "1 A" not in text
    assert "worst: 2 (1.008)" in text


def test_nothing_to_complain_of() -> None:
    text = "\n".join(drawn(Continuum.of({"ann": [(0, 10, "A")], "bob": [(0, 10, "A")]})))
    assert "no disorder anywhere" in text


def test_names_of_two_cells() -> None:
    lines = drawn(Continuum.of({"研究者一": [(0, 40, "日本語")], "bob": [(0, 40, "日本語")]}), 40)
    boxes = [line for line in lines if "├" in line]
    assert {cell_len(line) for line in boxes} == {40}


def test_what_an_encoding_can_show(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert [signs_for(name) is UNICODE for name in ("utf-8", "ascii", "latin-1", None, "no-such")] == [
        True, False, False, False, False,
    ]  # fmt: skip
    from unisono.cli import main

    stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr("sys.stdout", stream)
    assert main(["align", "examples/gestures.csv", "--draw"]) == 0
    stream.flush()
    text = stream.buffer.getvalue().decode("ascii")  # type: ignore[attr-defined]
    assert "[1 be~]" in text
    assert "\\u" not in text
