# SPDX-License-Identifier: MIT
"""The scanner of delimited text. Oracle: its slow twin (csv.reader, int, float), on any text whatever."""

from __future__ import annotations

import sys
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import unisono.io.tables.delimited
from reference import delimited as reference
from unisono._core import Delimited
from unisono.io import Inspection, inspect

SEPARATORS = [",", "\t", ";", "|"]

#: What upsets scanners, more of it than chance would give.
pieces = st.sampled_from(
    [",", ";", "\t", "|", '"', '""', "\n", "\r", "\r\n", " ", "a", "b c", "é", "😀", "\x00", "\x1c", "\x85", "\xa0",
     "\u2028", "\u3000", "\ud800", "0", "12", "-3", "+4", "1.5", ".5", "5.", "1,5", "1e3", "007", "1_0", "nan", "٣",
     "9007199254740992", "9007199254740993", "-9007199254740993", "0.30000000000000004", "123456789012345678901234",
     "1e-400", "1e400", "1e99999999", "2.2250738585072011e-308", "1.7976931348623157e308", "8.41e21", "\ufeff"]
)  # fmt: skip
texts = st.lists(st.one_of(pieces, st.text(max_size=3)), max_size=40).map("".join)


def both(text: str, separator: str, has_quotes: bool) -> tuple[Any, Any]:
    data = text.encode("utf-8", "surrogatepass")
    return Delimited(data, separator, has_quotes), reference.Delimited(data, separator, has_quotes)


@given(texts, st.sampled_from(SEPARATORS), st.booleans())
@example('a,"b\r\nc\n""d""",\r\n\n\r"",e', ",", True)
@example('a\n"b', ",", True)
@example('a\n"b"c', ",", True)
@example("a,", ",", True)
@example('"a""', ",", True)
@example("", ",", True)
def test_the_scanner_reads_what_csv_reads(text: str, separator: str, has_quotes: bool) -> None:
    fast, slow = both(text, separator, has_quotes)
    assert fast.fault == slow.fault
    if slow.fault:
        assert fast.fault_line == slow.fault_line
        return
    lengths = slow.lengths().tolist()
    assert fast.lengths().tolist() == lengths
    assert fast.lines().tolist() == slow.lines().tolist()
    assert [fast.row(i, n) for i, n in enumerate(lengths)] == [slow.row(i, n) for i, n in enumerate(lengths)]
    assert fast.cell(-1, 0) == fast.cell(len(lengths), 0) == fast.cell(0, 10**6) == ""
    rows = np.array([*range(len(lengths)), -1, 0, 0], dtype=np.int64)
    for column in range(max(lengths, default=0) + 1):
        assert fast.blank(column, rows).tolist() == slow.blank(column, rows).tolist()
        codes, cells = fast.coded(column, rows)
        slow_codes, slow_cells = slow.coded(column, rows)
        assert (codes.tolist(), cells) == (slow_codes.tolist(), slow_cells)


@given(st.lists(st.one_of(pieces, st.floats().map(repr), st.integers().map(str), st.just("")), max_size=8),
       st.sampled_from([".", ","]))  # fmt: skip
@example(["", "1", " 2 ", "+3"], ".")
@example(["0.1", "0.30000000000000004", "179.76931348623157", "5e-324"], ".")
@example(["1,5", "2"], ",")
@example(["123456789012345.67", "9007199254740992", "0.000000000000000000000001"], ".")
def test_numbers_are_those_of_python(cells: list[str], decimal: str) -> None:
    text = "\n".join(f"{cell}\tx" for cell in cells if not set(cell) & set('\t\n\r"')) + "\n"
    fast, slow = both(text, "\t", True)
    rows = np.arange(len(slow.lines()), dtype=np.int64)
    found, wanted = fast.numbers(0, rows, decimal), slow.numbers(0, rows, decimal)
    if found is None:
        # A closer look is always allowed; where every cell is a plain number there is no need of it.
        assert wanted is None or any(not cell.isascii() or "e" in cell.lower() for cell in cells)
        return
    assert wanted is not None
    assert found[0].dtype == wanted[0].dtype
    assert found[0].tolist() == wanted[0].tolist()
    assert found[1].tolist() == wanted[1].tolist()


def summary(found: Inspection) -> tuple[Any, ...]:
    units = [(c.name, c.annotators, c.extent, c.starts.dtype, list(c)) for c in found.corpus or ()]
    return found.understood, found.problems, units


tables = st.lists(
    st.lists(st.one_of(st.sampled_from(["ann", "bob", "X", "Y ", "", " ", "3", "7", "12.5", "x", '"q"', "d1"]), pieces),
             min_size=1, max_size=6),
    max_size=8,
)  # fmt: skip


ROWS = [["ann", "1", "2", "X"], ["bob", "1", "2"], ["", "", "", ""], ["bob", "2", "1", "X", "Y"]]


@pytest.mark.parametrize("separator", SEPARATORS)
@given(rows=tables, newline=st.sampled_from(["\n", "\r\n"]), skip=st.booleans(), decimal=st.sampled_from([".", ","]))
@example(rows=ROWS, newline="\n", skip=True, decimal=".")
def test_both_read_the_same_corpus(
    separator: str, rows: list[list[str]], newline: str, skip: bool, decimal: str, tmp_path_factory: Any
) -> None:
    """The same units, or the same problems, whichever of the two reads the table."""
    path = tmp_path_factory.getbasetemp() / f"table-{ord(separator)}.csv"
    head = separator.join(["annotator", "start", "end", "category"])
    text = newline.join([head, *(separator.join(row) for row in rows)])
    path.write_bytes(text.encode("utf-8", "replace"))
    fast = summary(inspect(path, skip_invalid=skip, decimal=decimal))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(unisono.io.tables.delimited, "Delimited", reference.Delimited)
        slow = summary(inspect(path, skip_invalid=skip, decimal=decimal))
    assert fast == slow


def test_the_lock_is_released(tmp_path: Path) -> None:
    """Another thread runs on while a long text is scanned."""
    data = b"ann,1,2,X\n" * 3_000_000
    ticks: list[float] = []
    done = threading.Event()

    def tick() -> None:
        while not done.is_set():
            ticks.append(time.perf_counter())

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-4)
    thread = threading.Thread(target=tick)
    thread.start()
    try:
        began = time.perf_counter()
        scan = Delimited(data, ",", True)
        ended = time.perf_counter()
    finally:
        done.set()
        thread.join()
        sys.setswitchinterval(interval)
    assert len(scan.lines()) == 3_000_000
    middle = [tick for tick in ticks if began + 0.25 * (ended - began) < tick < began + 0.75 * (ended - began)]
    assert middle
