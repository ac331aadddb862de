# SPDX-License-Identifier: MIT
"""Positions as people write them. Oracle: the same positions written as plain numbers, converted by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import unisono
from unisono.errors import FormatError, InputError, ParameterError
from unisono.io import inspect, read
from unisono.report.view import view


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def table(rows: list[tuple[str, str]], separator: str = ";") -> str:
    """Units with these starts and ends, for two annotators."""
    lines = [separator.join((name, *row, "X")) for name in ("ann", "bob") for row in rows]
    return "\n".join([separator.join(("annotator", "start", "end", "category")), *lines, ""])


def bounds(rows: list[tuple[str, str]], **options: Any) -> list[tuple[float, float]]:
    Path("a.csv").write_text(table(rows), encoding="utf-8")
    return [(unit.start, unit.end) for unit in read("a.csv", **options)[0].units_of("ann")]


def problem_codes(**options: Any) -> list[str]:
    return [problem.code for problem in inspect("a.csv", **options).problems]


@pytest.mark.parametrize(
    ("rows", "options", "expected"),
    [
        ([("0:01:02.5", "0:01:03"), ("1:10:00", "1:10:00.250")], {}, [(62.5, 63.0), (4200.0, 4200.25)]),
        ([("1:02", "1:05"), ("75:00", "76:30")], {}, [(62, 65), (4500, 4590)]),
        ([("00:00:01,500", "00:00:02,000")], {"time_unit": "ms"}, [(1500, 2000)]),
        ([("00:00:01:12", "00:00:02:00")], {"fps": 25}, [(1.48, 2.0)]),
        ([("00:00:01:12", "00:00:02:00")], {"fps": 25, "time_unit": "frames"}, [(37, 50)]),
        ([("0:01", "0:02"), ("0:59.5", "70")], {"time_unit": "s"}, [(1.0, 2.0), (59.5, 70.0)]),
        ([("0:01", "0:02"), ("0:59.5", "70000")], {"time_unit": "ms"}, [(1000, 2000), (59500, 70000)]),
    ],
)
def test_time_codes(rows: list[tuple[str, str]], options: dict[str, Any], expected: list[tuple[float, float]]) -> None:
    assert bounds(rows, **options) == expected
    assert "time-codes" in problem_codes(**options)


def test_frames_need_their_number_per_second() -> None:
    with pytest.raises(InputError, match=r"time codes? with frames. Give the frames per second with fps=") as caught:
        bounds([("00:00:01:12", "00:00:02:12")])
    assert caught.value.problems[0].code == "time-code"
    with pytest.raises(InputError, match="must be fewer"):
        bounds([("00:00:01:29", "00:00:02:00")], fps=25)


def test_plain_numbers_beside_time_codes_are_asked_about() -> None:
    with pytest.raises(FormatError, match=r"time codes \(0:59.5\) and plain numbers \(70 in column end\)") as caught:
        bounds([("0:59.5", "70")])
    assert caught.value.problems[0].code == "question-time-unit"


@pytest.mark.parametrize(
    ("rows", "options", "expected"),
    [
        ([("1,000", "1,500")], {"thousands": ","}, [(1000, 1500)]),
        ([("1,000", "1,500")], {"decimal": ","}, [(1.0, 1.5)]),
        ([("1,000", "1,500"), ("1,234,567", "1,234,999")], {}, [(1000, 1500), (1_234_567, 1_234_999)]),
        ([("1,000.5", "1,500.25")], {}, [(1000.5, 1500.25)]),
        ([("1.000,5", "1.500,25")], {"decimal": ","}, [(1000.5, 1500.25)]),
        ([("1.000", "1.500")], {"decimal": ",", "thousands": "."}, [(1000, 1500)]),
        ([("1 000", "1\N{NARROW NO-BREAK SPACE}500")], {}, [(1000, 1500)]),
        ([("1'000", "1\N{RIGHT SINGLE QUOTATION MARK}500")], {}, [(1000, 1500)]),
        ([("950", "1.000"), ("1.050", "1.100")], {"thousands": ","}, [(1.05, 1.1)][:0]),
    ],
)
def test_signs_between_thousands(
    rows: list[tuple[str, str]], options: dict[str, Any], expected: list[tuple[float, float]]
) -> None:
    if expected:
        assert bounds(rows, **options) == expected
    else:
        with pytest.raises(InputError, match="ends"):
            bounds(rows, **options)


@pytest.mark.parametrize(
    ("rows", "options", "readings"),
    [
        ([("1,000", "1,500")], {}, "'1,000' in column start .* may be 1000 or 1[.]"),
        ([("1.000", "1.500")], {"decimal": ","}, "'1.000' in column start .* may be 1000 or 1[.]"),
        ([("950", "990"), ("1.000", "1.050")], {}, "'1.000' in column start .* may be 1000 or 1[.]"),
    ],
)
def test_a_thousand_or_one_is_asked(rows: list[tuple[str, str]], options: dict[str, Any], readings: str) -> None:
    with pytest.raises(FormatError, match=readings) as caught:
        bounds(rows, **options)
    assert [problem.code for problem in caught.value.problems] == ["question-number"]
    # Rows that are asked about are not skipped.
    with pytest.raises(FormatError):
        bounds(rows, skip_invalid=True, **options)


def test_ordinary_decimals_are_not_asked_about() -> None:
    assert bounds([("0.500", "1.000"), ("12.250", "13.125")]) == [(0.5, 1.0), (12.25, 13.125)]
    assert bounds([("1", "1.5"), ("2", "2.25")]) == [(1.0, 1.5), (2.0, 2.25)]


def test_inclusive_ends_and_counting_from_one() -> None:
    rows = [("1", "5"), ("6", "9"), ("10", "20")]
    assert bounds(rows) == [(1, 5), (6, 9), (10, 20)]
    warning = next(problem for problem in inspect("a.csv").problems if problem.code == "inclusive-ends")
    assert warning.severity == "warning"
    assert "give inclusive_ends=. If the first position is 1, give one_based= too." in str(warning)
    assert bounds(rows, inclusive_ends=True, one_based=True) == [(0, 5), (5, 9), (9, 20)]
    assert "inclusive-ends" not in problem_codes(inclusive_ends=True)
    bounds([("1", "5"), ("5", "9"), ("10", "20")])
    assert "inclusive-ends" not in problem_codes()


def test_durations_are_not_inclusive() -> None:
    Path("a.csv").write_text("annotator,start,duration,category\nann,1,5,X\nbob,1,5,X\n")
    assert [(unit.start, unit.end) for unit in read("a.csv", inclusive_ends=True, one_based=True)[0]] == [(0, 5)] * 2


def test_decimal_positions_cannot_be_inclusive() -> None:
    with pytest.raises(FormatError, match="inclusive_ends= is for whole positions"):
        bounds([("1.5", "5")], inclusive_ends=True)


def test_annotators_on_different_scales_are_noticed() -> None:
    seconds = [(0.5, 1.5), (3.0, 4.5), (8.0, 9.0)]
    rows = [f"ann,{s},{e},X" for s, e in seconds] + [f"bob,{1000 * s},{1000 * e},X" for s, e in seconds]
    Path("a.csv").write_text("\n".join(["annotator,start,end,category", *rows]))
    warning = next(problem for problem in inspect("a.csv").problems if problem.code == "mixed-scales")
    assert str(warning) == (
        "the positions of bob are about 1,000 times those of ann. Is one in milliseconds and the other in seconds? "
        "Convert one of them."
    )
    bounds([("0.5", "1.5"), ("3", "4.5")])
    assert "mixed-scales" not in problem_codes()


def test_ends_that_pass_the_extent_by_rounding() -> None:
    assert bounds([("0.5", "1.5"), ("3.0", "9.0004")], extent=(0, 9)) == [(0.5, 1.5), (3.0, 9.0)]
    assert "rounded-ends" in problem_codes(extent=(0, 9))
    with pytest.raises(InputError, match="not inside the extent"):
        bounds([("0.5", "1.5"), ("3.0", "9.4")], extent=(0, 9))
    with pytest.raises(InputError, match="not inside the extent"):
        bounds([("0", "10")], extent=(0, 9))


def test_the_axis_follows_the_unit_of_time() -> None:
    rows = [("1800.5", "2100"), ("9000", "14400.25")]
    bounds(rows)
    assert view(read("a.csv")[0])["axis"] == "decimals"
    assert view(read("a.csv", time_unit="ms")[0])["axis"] == "milliseconds"
    assert view(read("a.csv", time_unit="s")[0])["axis"] == "time"
    bounds([("0:01", "0:02")])
    assert view(read("a.csv")[0])["axis"] == "time"
    corpus = read("a.csv", time_unit="ms")
    unisono.io.write(read("a.csv"), "b.json")
    assert view(read("b.json")[0])["axis"] == "time"
    assert view(corpus[0].restrict(["ann"]))["axis"] == "milliseconds"


@pytest.mark.parametrize(
    "options",
    [
        {"extent": (-1e308, 1e308)},
        {"extent": (0, 2**53 + 2)},
        {"time_unit": "min"},
        {"fps": 0},
        {"fps": 1e308},
        {"thousands": ";"},
        {"thousands": ",", "decimal": ","},
    ],
)
def test_settings_that_cannot_be(options: dict[str, Any]) -> None:
    with pytest.raises(ParameterError):
        bounds([("0", "1")], **options)
