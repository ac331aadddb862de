# SPDX-License-Identifier: MIT
"""What people see, kept as files. Oracle: the files beside this one, looked at by a person when they were made.

After a change on purpose: `UNISONO_UPDATE_GOLD=1 pytest tests/gold`, then read the difference. What did not match is
saved under tests/actual. The version is replaced, and numbers of JSON and CSV are compared to nine digits.
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

import unisono
from unisono.cli import main
from unisono.data_summary import DataSummary
from unisono.report.alignment_table import add_alignment
from unisono.report.character_drawing import ASCII, UNICODE, Signs, add_drawing
from unisono.report.terminal import add_result
from unisono.report.text_page import Page
from unisono.results import DocumentResult, Interval, MeasureValue, Result

HERE = Path(__file__).parent
ROOT = HERE.parents[1]

COMMANDS = {
    "measure-entities.txt": "measure examples/entities.csv --seed 42",
    "measure-gestures.txt": "measure examples/gestures.csv --seed 42",
    "measure-entities.json": "measure examples/entities.csv --seed 42 --json",
    "align-entities.txt": "align examples/entities.csv",
    "align-entities.csv": "align examples/entities.csv --csv",
    "align-gestures.json": "align examples/gestures.csv --json",
    "align-entities-worst.txt": "align examples/entities.csv --disagreements --worst",
    "draw-entities.txt": "align examples/entities.csv --draw",
    "draw-gestures.txt": "align examples/gestures.csv --draw",
    "gold-entities.txt": "gold examples/entities.csv",
    "gold-gestures.json": "gold examples/gestures.csv --vote weighted --json",
    "validate-entities.txt": "validate examples/entities.csv",
    "validate-entities.json": "validate examples/entities.csv --json",
    "measures.txt": "measures",
    "measures.json": "measures --json",
    "formats.txt": "formats",
    "formats.json": "formats --json",
}


def scrubbed(text: str) -> str:
    """The text without what changes from release to release."""
    text = re.sub(rf'"unisono": "{re.escape(unisono.__version__)}"', '"unisono": "VERSION"', text)
    return text.replace(f"|v:{unisono.__version__}|", "|v:VERSION|")


def rounded(data: Any) -> Any:
    if isinstance(data, float):
        return float(f"{data:.9g}") if abs(data) > 1e-12 else 0.0
    if isinstance(data, dict):
        return {key: rounded(value) for key, value in data.items()}
    return [rounded(item) for item in data] if isinstance(data, list) else data


def compare(name: str, actual: str) -> None:
    gold = HERE / name
    actual = scrubbed(actual)
    if name.endswith(".json"):
        actual = json.dumps(rounded(json.loads(actual)), indent=2, ensure_ascii=False) + "\n"
    elif name.endswith(".csv"):
        actual = re.sub(r"\d+\.\d+(e-\d+)?", lambda number: str(rounded(float(number[0]))), actual)
    if os.environ.get("UNISONO_UPDATE_GOLD"):
        gold.write_text(actual, encoding="utf-8")
    if gold.exists() and gold.read_text(encoding="utf-8") == actual:
        return
    saved = HERE.parent / "actual" / name
    saved.parent.mkdir(exist_ok=True)
    saved.write_text(actual, encoding="utf-8")
    pytest.fail(f"{saved} differs from {gold}:\n{actual}")


@pytest.mark.parametrize("name", COMMANDS)
def test_commands(name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    assert main(COMMANDS[name].split()) == 0
    compare(name, capsys.readouterr().out)


def result_of_everything() -> Result:
    """All that a table can have to show: many documents, some undefined, some not proven, notes, nasty names."""

    def value(x: float, gap: float = 0.0, notes: tuple[str, ...] = ()) -> MeasureValue:
        return MeasureValue(
            x,
            observed=2 * (1 - x),
            expected=2.0,
            n_samples=30,
            intervals={"chance": Interval("chance", 0.95, x - 0.01, x + 0.01)},
            gap=gap,
            n_unitary_alignments=12,
            mean_over_documents=0.5,
            documents_measured=23,
            notes=notes,
        )

    documents = [
        DocumentResult(
            f"a-rather-long-name-of-a-document-{i}",
            ("ann", "bob"),
            20 + i,
            {
                "gamma": value(
                    i / 25 - 0.1,
                    0.02 if i == 3 else 0.0,
                    (f"{i} random draws had no unit and were repeated",) if i % 2 else (),
                )
            },
        )
        for i in range(23)
    ]
    documents += [
        DocumentResult(
            "[red]\x1b[31m", ("ann",), 3, {"gamma": MeasureValue(None, reason="needs at least two annotators")}
        ),
        DocumentResult("", ("ann", "bob"), 0, {"gamma": MeasureValue(None, reason="no unit at all")}),
    ]
    return Result(
        signature="gamma|v:VERSION|d:sporadic+nominal|seed:42",
        parameters={},
        seed=42,
        data=DataSummary("0123456789abcdef" * 4, 25, 2, 713),
        measures={"gamma": value(0.5, 0.001)},
        documents=tuple(documents),
        version="VERSION",
    )


@pytest.mark.parametrize("width", [40, 80, 120, None])
def test_tables_of_any_width(width: int | None) -> None:
    page = Page(width=width)
    add_result(page, result_of_everything())
    compare(f"corpus-{width or 'unlimited'}.txt", str(page))


def test_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("COLORTERM", raising=False)
    monkeypatch.delenv("NO_COLOR", raising=False)
    page = Page(width=100, colour=True)
    add_result(page, result_of_everything(), all_documents=True)
    compare("corpus-colour.txt", str(page))


@pytest.mark.parametrize("width", [40, 60])
def test_alignments_of_any_width(width: int) -> None:
    page = Page(width=width)
    continuum = unisono.read(ROOT / "examples" / "entities.csv")[0]
    add_alignment(page, "entities", unisono.best_alignment(continuum))
    compare(f"align-{width}.txt", str(page))


@pytest.mark.parametrize(("width", "signs"), [(24, UNICODE), (60, UNICODE), (60, ASCII)])
def test_drawings_of_any_width(width: int, signs: Signs) -> None:
    page = Page(width=width)
    continuum = unisono.read(ROOT / "examples" / "gestures.csv")[0]
    add_drawing(page, "gestures", unisono.best_alignment(continuum), signs=signs)
    compare(f"draw-{width}{'-ascii' if signs is ASCII else ''}.txt", str(page))


def test_a_drawing_in_colour(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("COLORTERM", raising=False)
    monkeypatch.delenv("NO_COLOR", raising=False)
    page = Page(width=60, colour=True)
    continuum = unisono.read(ROOT / "examples" / "entities.csv")[0]
    add_drawing(page, "entities", unisono.best_alignment(continuum), window=(0, 90))
    compare("draw-colour.txt", str(page))


def test_every_gold_file_is_used() -> None:
    made = {
        *COMMANDS,
        "corpus-colour.txt",
        *(f"corpus-{width}.txt" for width in (40, 80, 120, "unlimited")),
        "align-40.txt",
        "align-60.txt",
        "draw-24.txt",
        "draw-60.txt",
        "draw-60-ascii.txt",
        "draw-colour.txt",
    }
    assert {path.name for path in HERE.iterdir() if path.suffix in (".txt", ".json", ".csv")} == made
