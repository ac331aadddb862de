# SPDX-License-Identifier: MIT
"""Reading, for any small corpus. Oracle: the corpus in memory, whose γ a command on files of it gives, or a question.

The corpus is written by our own writers and by the plain functions of tests/messy_inputs.py, in files, folders, tiers
and columns. Whatever the layout: the command prints the γ of the corpus, or it stops with exit code 1 and prints none.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.messy_inputs import Truth, brat, csv, eaf, textgrid

import unisono
from unisono.cli import main
from unisono.io.writers import write

NAMES = ("ann", "bob", "cem", "dora", "talk", "gold", "v1", "old", "S1", "words", "Berlin", "2024", "A1", "coder 2")


@st.composite
def truths(draw: st.DrawFn) -> Truth:
    """One or two documents, two or three annotators under any names, up to six units each that do not overlap."""
    documents = draw(st.lists(st.sampled_from(NAMES), min_size=1, max_size=2, unique=True))
    annotators = draw(st.lists(st.sampled_from(NAMES), min_size=2, max_size=3, unique=True))
    truth: Truth = {}
    for document in documents:
        truth[document] = {}
        for annotator in annotators:
            bounds = sorted(draw(st.sets(st.integers(0, 120), min_size=2, max_size=12)))
            truth[document][annotator] = [
                (start, end, draw(st.sampled_from("xy"))) for start, end in zip(bounds[::2], bounds[1::2], strict=False)
            ]
    return truth


Files = Callable[[Truth], dict[str, bytes]]


def in_files(pattern: str, ending: str, content: Callable[[list[tuple[int, int, str]]], bytes]) -> Files:
    return lambda truth: {
        f"{pattern.format(d=d, a=a)}.{ending}": content(units) for d, own in truth.items() for a, units in own.items()
    }


def in_tiers(ending: str, content: Callable[[dict[str, list[tuple[int, int, str]]]], bytes]) -> Files:
    return lambda truth: {f"{d}.{ending}": content(own) for d, own in truth.items()}


def in_columns(truth: Truth) -> dict[str, bytes]:
    rows = [(d, a, *unit) for d, own in truth.items() for a, units in own.items() for unit in units]
    return {"all.csv": csv(("document", "annotator", "start", "end", "label"), rows)}


def plain_csv(units: list[tuple[int, int, str]]) -> bytes:
    return csv(("start", "end", "label"), units)


LAYOUTS: dict[str, Files] = {
    "columns": in_columns,
    "csv folders": in_files("{a}/{d}", "csv", plain_csv),
    "csv names": in_files("{d}_{a}", "csv", plain_csv),
    "brat folders": in_files("{a}/{d}", "ann", brat),
    "brat names": in_files("{a}_{d}", "ann", brat),
    "TextGrid names": in_files("{d}_{a}", "TextGrid", lambda units: textgrid({"words": units})),
    "TextGrid tiers": in_tiers("TextGrid", textgrid),
    "ELAN folders": in_files("{a}/{d}", "eaf", lambda units: eaf({"words": units})),
    "ELAN tiers": in_tiers("eaf", eaf),
}
#: Our own writers, whose files say who the annotators are.
WRITERS = ("csv", "jsonl", "json")


def gamma(truth: Truth) -> float | None:
    """γ of the corpus in memory; names and guessed extents are those of the files."""
    return unisono.measure(unisono.corpus(truth), seed=1, samples=10, intervals=False)["gamma"].value


def outcome(path: Path, capsys: pytest.CaptureFixture[str], *options: str) -> tuple[int, float | None]:
    capsys.readouterr()
    code = main(["measure", str(path), "--json", "--seed", "1", "--samples", "10", *options])
    out = capsys.readouterr().out
    return code, json.loads(out)["measures"]["gamma"]["value"] if code == 0 else None


@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@pytest.mark.parametrize("layout", LAYOUTS)
@given(truth=truths())
def test_the_value_of_the_corpus_or_none(
    layout: str, truth: Truth, tmp_path_factory: pytest.TempPathFactory, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path_factory.mktemp("layout")
    for name, content in LAYOUTS[layout](truth).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    # The extent is given, because some formats know their duration and others do not.
    code, value = outcome(folder, capsys, "--extent", "0:1300")
    expected = unisono.read(
        {
            d: unisono.continuum(own, name=d, extent=(0, 1300))  # type: ignore[dict-item]
            for d, own in truth.items()
        }
    )
    ours = unisono.measure(expected, seed=1, samples=10, intervals=False)["gamma"].value
    assert code in (0, 1)
    if value is not None:
        assert value == pytest.approx(ours, abs=1e-12)


@settings(max_examples=4, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@pytest.mark.parametrize("ending", WRITERS)
@given(truth=truths())
def test_what_we_write_we_read(
    ending: str, truth: Truth, tmp_path_factory: pytest.TempPathFactory, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path_factory.mktemp("own") / f"corpus.{ending}"
    write(unisono.corpus(truth), path)
    assert outcome(path, capsys) == (0, gamma(truth))
