# SPDX-License-Identifier: MIT
"""Letters instead of names. Oracle: the same result under its names; no name may be left in any output."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import unisono
from unisono.io.anonymous import letters_of
from unisono.report.anonymous_result import anonymise_result
from unisono.report.chart_numbers import overview
from unisono.report.data import ReportData
from unisono.report.page import page

NAMES = ["Zoltan", "anneliese", "Berthold"]
TABLE = "document,annotator,start,end,category\n" + "".join(
    f"d{d},{name},{10 * k + d},{10 * k + 6 + i},{'XY'[(k + i * d) % 2]}\n"
    for d in range(3)
    for i, name in enumerate(NAMES)
    for k in range(5)
    if (k + i + d) % 4
)


@pytest.fixture
def table(tmp_path: Path) -> Path:
    folder = tmp_path / "Zoltan"
    folder.mkdir()
    path = folder / "units.csv"
    path.write_text(TABLE, encoding="utf-8")
    return path


def test_letters_follow_the_digests_of_the_names() -> None:
    ordered = sorted(NAMES, key=lambda name: hashlib.sha256(name.encode()).hexdigest())
    assert letters_of(NAMES) == {name: "ABC"[ordered.index(name)] for name in NAMES}
    many = letters_of(f"worker {i}" for i in range(700))
    assert len(set(many.values())) == 700
    assert {len(letter) for letter in many.values()} == {3}
    assert letters_of(reversed(list(many))) == many


def test_reading_under_letters_changes_no_number(table: Path) -> None:
    options: dict[str, Any] = {"seed": 3, "samples": 20}
    named = unisono.measure(unisono.read(table), ["gamma", "gamma-cat"], **options)
    hidden = unisono.measure(unisono.read(table, anonymise=True), ["gamma", "gamma-cat"], **options)
    assert hidden["gamma"].value == pytest.approx(named["gamma"].value, abs=1e-12)
    assert set(hidden.corpus.annotators) == {"A", "B", "C"}  # type: ignore[union-attr]
    text = json.dumps(hidden.to_dict())
    assert not any(name in text for name in NAMES)
    inspection = unisono.inspect(table, anonymise=True)
    assert not any(name in inspection.understood for name in NAMES)


def test_a_result_under_letters_has_the_same_numbers_and_no_name(table: Path) -> None:
    result = unisono.measure(unisono.read(table), ["gamma", "gamma-cat", "gamma-k"], seed=3, samples=20)
    hidden, key = anonymise_result(result)
    assert set(key.annotators) == set(NAMES)
    assert hidden["gamma"].value == result["gamma"].value
    before, after = (ReportData.of(each) for each in (result, hidden))
    numbers = [
        sorted(
            (key.annotators.get(row["annotator"], row["annotator"]), row["value"])
            for row in shown["annotators"]["rows"]
        )
        for shown in (overview(before), overview(after))
    ]
    assert numbers[0] == numbers[1]
    for one, other in zip(before.alignments, after.alignments, strict=True):
        assert one is not None
        assert other is not None
        np.testing.assert_array_equal(one.disorders, other.disorders)
        for old, new in zip(one, other, strict=True):
            theirs = dict(zip(one.continuum.annotators, old.units, strict=True))
            ours = dict(zip(other.continuum.annotators, new.units, strict=True))
            renamed = {key.annotators[name]: unit for name, unit in theirs.items()}
            assert {name: unit and (unit.start, unit.end, unit.category) for name, unit in renamed.items()} == {
                name: unit and (unit.start, unit.end, unit.category) for name, unit in ours.items()
            }
    html = page(after)
    assert not any(name in html for name in NAMES)
    assert all(name in page(before) for name in NAMES)


def test_the_command(table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from unisono.cli import main

    saved, html, key = (str(tmp_path / name) for name in ("r.unisono", "page.html", "key.csv"))
    assert main(["measure", str(table), "--seed", "1", "--samples", "5", "--save", saved]) == 0
    assert main(["report", saved, "-o", html, "--anonymise", "--anonymise-documents", "--key", key]) == 0
    text = Path(html).read_text(encoding="utf-8")
    assert not any(name in text for name in NAMES)
    assert "document 1" in text
    rows = Path(key).read_text(encoding="utf-8").splitlines()
    assert rows[0] == "kind,name,shown as"
    assert sum(row.startswith('"annotator"') for row in rows) == 3
    capsys.readouterr()
    assert main(["measure", str(table), "--seed", "1", "--samples", "5", "--anonymise", "--json"]) == 0
    assert not any(name in capsys.readouterr().out for name in NAMES)
    assert main(["report", saved, "-o", html, "--key", key]) == 2


def test_a_report_under_letters_computes_equivalents_once(
    table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They name nobody: those of the result as it was measured, and no others."""
    computed: list[unisono.Result] = []

    def counted(result: unisono.Result, **_: Any) -> tuple[Any, ...]:
        computed.append(result)
        return ()

    monkeypatch.setattr("unisono.diagnosis.equivalents.equivalents", counted)
    result = unisono.measure(unisono.read(table), seed=3, samples=20)
    unisono.write_report(result, tmp_path / "report.html", anonymise=True, explain=True)
    assert [each is result for each in computed] == [True]
