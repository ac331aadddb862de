# SPDX-License-Identifier: MIT
"""Columns of numbers: the quick way and the careful one agree. Oracle: the cell-by-cell twin, Python."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from unisono.io.tables.cells import parse_numbers
from unisono.io.tables.numbers import fast_numbers, slow_numbers

cells = st.one_of(
    st.integers(-(2**53), 2**53).map(str),
    st.floats(-1e15, 1e15, allow_nan=False).map(repr),
    st.just(""),
)


@given(st.lists(cells))
def test_fast_equals_slow(column: list[str]) -> None:
    fast = fast_numbers(column)
    bad: dict[str, list[int]] = {}
    slow = slow_numbers(column, bad)
    assert fast is not None
    assert not bad
    assert fast.values.dtype == slow.values.dtype
    assert fast.values.tolist() == slow.values.tolist()
    assert fast.missing.tolist() == slow.missing.tolist()


@given(st.lists(st.one_of(cells, st.text(max_size=5), st.sampled_from(["nan", "-inf", "3,5", "1_0", " 7 ", "1e999"]))))
def test_a_cell_is_a_number_or_empty_or_bad(column: list[str]) -> None:
    parsed, bad = parse_numbers(column)
    culprits = {row for rows in bad.values() for row in rows}
    assert len(culprits) == sum(map(len, bad.values()))
    for row, cell in enumerate(column):
        if parsed.missing[row]:
            assert not cell.strip()
        elif row not in culprits:
            assert float(parsed.values[row]) == float(cell)
