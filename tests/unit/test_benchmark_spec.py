# SPDX-License-Identifier: MIT
"""What a benchmark's file says. Oracle: docs/benchmark.md, the key by key contract."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import unisono
from unisono.experiments.benchmark_cells import blocks, measure_block
from unisono.experiments.candidates import candidate
from unisono.experiments.grid import KEYS, MAGNITUDES, Measuring
from unisono.model import Continuum
from unisono.results import MeasureValue
from unisono.shuffling import BoundaryHabit, PositionErrors, ReferenceModel

LEAST: dict[str, Any] = {"measures": "gamma", "errors": "position", "reference": {}}
DOCS = (Path(__file__).parents[2] / "docs" / "benchmark.md").read_text(encoding="utf-8")


def test_defaults_are_the_papers() -> None:
    spec = unisono.experiments.BenchmarkSpec.from_dict(LEAST)
    assert spec.magnitudes == MAGNITUDES == tuple(i / 20 for i in range(21))
    assert (spec.sets, spec.seed, len(spec.curves)) == (40, 0, 1)
    curve = spec.curves[0]
    assert (curve.annotators, curve.own_reference, curve.measuring) == (3, True, Measuring())
    assert curve.reference == ReferenceModel()
    assert curve.errors == (PositionErrors(),)


def test_every_key_is_documented() -> None:
    keys = ["measures", "errors", "reference", "magnitudes", "sets", "seed", "annotators", "own_reference", "title"]
    keys.append("unequal")
    for key in (*keys, *KEYS):
        assert f"`{key}`" in DOCS, key


def test_from_a_file_paths_are_relative_to_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "small.toml").write_text("units = 4\n", encoding="utf-8")
    path = tmp_path / "named.toml"
    path.write_text(
        'measures = ["gamma"]\nerrors = "position"\nreference = "models/small.toml"\nsets = 3\n', encoding="utf-8"
    )
    monkeypatch.chdir("/")
    spec = unisono.experiments.BenchmarkSpec.from_toml(path)
    assert (spec.title, spec.sets) == ("named", 3)
    assert spec.curves[0].reference == ReferenceModel(units=4)
    text = path.read_text(encoding="utf-8").replace('"models/small.toml"', "{units = 4}")
    assert unisono.experiments.BenchmarkSpec.from_toml(text).curves[0].reference == ReferenceModel(units=4)


def test_curves_change_only_what_they_say() -> None:
    spec = unisono.experiments.BenchmarkSpec.from_dict(
        LEAST
        | {
            "reference": {"units": 7, "categories": {"A": 1, "B": 1}},
            "alpha": 2,
            "curves": [
                {"name": "a"},
                {"name": "b", "alpha": 3, "reference": {"categories": {"B": {"prevalence": 4}}}},
                {"measures": ["ser"], "errors": ["category"]},
            ],
        }
    )
    a, b, c = spec.curves
    assert [curve.name for curve in spec.curves] == ["a", "b", "3"]
    assert (a.measuring.alpha, b.measuring.alpha, c.measuring.alpha) == (2, 3, 2)
    assert a.reference == ReferenceModel(units=7, categories={"A": 1, "B": 1})
    assert b.reference == ReferenceModel(units=7, categories={"A": 1, "B": 4})
    assert [item.name for item in c.measures] == ["ser"]
    assert c.errors[0].name == "category"


def test_blocks_are_whole_magnitudes_where_sets_share_chance() -> None:
    spec = unisono.experiments.BenchmarkSpec.from_dict(LEAST | {"sets": 25, "magnitudes": [0, 1]})
    assert [(b.magnitude, b.first, b.last) for b in blocks(spec)] == [
        (0, 0, 10), (0, 10, 20), (0, 20, 25), (1, 0, 10), (1, 10, 20), (1, 20, 25),
    ]  # fmt: skip
    shared = unisono.experiments.BenchmarkSpec.from_dict(LEAST | {"sets": 25, "magnitudes": [0, 1], "chance": "corpus"})
    assert [(b.magnitude, b.first, b.last) for b in blocks(shared)] == [(0, 0, 25), (1, 0, 25)]


def test_the_fingerprint_is_that_of_the_numbers() -> None:
    def fingerprint(**changes: Any) -> str:
        return unisono.experiments.BenchmarkSpec.from_dict(LEAST | changes).fingerprint

    base = fingerprint()
    assert fingerprint(title="another") != base  # the name of its only curve is in the table
    assert fingerprint(errors=[{"type": "position"}], annotators=3) == base
    for changes in ({"seed": 1}, {"sets": 41}, {"magnitudes": [0]}, {"beta": 0.5}, {"reference": {"units": 3}}):
        assert fingerprint(**changes) != base


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"sets": True}, "sets: True is not a valid value of sets. Give a whole number of at least 1."),
        ({"seed": -1}, r"seed: -1 is not a valid value of seed. Give a whole number from 0 to 2\*\*64-1."),
        ({"annotators": 1}, "annotators: 1 is not a valid value of annotators. Give a whole number of at least 2."),
        ({"magnitudes": []}, "magnitudes: an empty list cannot be magnitudes"),
        ({"magnitudes": [0, "x"]}, "magnitudes: 0, x cannot be magnitudes. Give numbers from 0 to 1"),
        ({"precision": 1}, "precision: 1 is not a valid value of precision. Give a number between 0 and 1."),
        (
            {"preset": "java"},
            "preset: 'java' is not a valid value of preset. Choose one of: paper, greyc, greyc-2017, pygamma.",
        ),
        ({"alpah": 1}, "a benchmark has no key 'alpah' here. Did you mean 'alpha'"),
        ({"measures": []}, "no measure is named. Name at least one."),
        ({"precision": 0.1, "samples": 30}, "precision and samples exclude each other"),
        ({"positional": "absolute"}, "positional absolute needs a length that counts as one"),
        ({"measures": [3]}, "3 is not a measure. Give the name of a measure, or `module:function`"),
        ({"measures": ["math:pi"]}, "'math:pi' is of type float, not a function"),
        ({"curves": []}, r"curves: \[\] is not a valid value of curves"),
        ({"curves": [{"name": "x"}, {"name": "x"}]}, "two curves have the same name"),
        ({"curves": [{"name": "x", "sets": 3}]}, "curve 'x': a benchmark has no key 'sets' here"),
        ({"reference": {"like": "none.csv"}}, "none.csv"),
    ],
)
def test_what_cannot_be_done_is_said(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(unisono.InputError, match=message):
        unisono.experiments.BenchmarkSpec.from_dict(LEAST | changes)


C = Continuum.of({"ann": [(0, 5, "A")], "bob": [(0, 4, "A")]})


@pytest.mark.parametrize(
    ("given", "value"),
    [
        (lambda _: 1, (1.0, None)),
        (lambda _: None, (None, "mine returned None")),
        (lambda _: float("nan"), (None, "mine returned nan")),
        (lambda _: MeasureValue(None, reason="no units"), (None, "no units")),
        (lambda _: MeasureValue(0.5), (0.5, None)),
        (lambda _: "much", (None, "ValueError: could not convert string to float: 'much'")),
        (lambda c: c.nothing, (None, "AttributeError: 'Continuum' object has no attribute 'nothing'")),
    ],
)
def test_what_a_function_gives(given: Any, value: tuple[float | None, str | None]) -> None:
    given.__name__ = "mine"
    assert candidate(given).value(C) == value


def test_what_our_measures_give() -> None:
    of_a = candidate("gamma-k:A")
    assert (of_a.symbol, candidate("gamma").symbol) == ("γk of A", "γ")
    per_category = {"A": MeasureValue(0.25)}
    assert of_a.pick(MeasureValue(None, reason="given per category", per_category=per_category)) == (0.25, None)
    assert candidate("gamma-k:B").pick(MeasureValue(None, reason="given per category", per_category=per_category)) == (
        None,
        "no unit of that category",
    )
    assert of_a.pick(MeasureValue(None, reason="no units")) == (None, "no units")
    assert candidate("gamma").pick(MeasureValue(0.5, gap=0.1))[0] is None  # not proven: no value


def test_annotators_of_unequal_skill() -> None:
    make = unisono.experiments.BenchmarkSpec.from_dict
    spec = make(LEAST | {"unequal": [1, 1, 2.5]})
    assert spec.curves[0].unequal == (1, 1, 2.5)
    assert make(LEAST | {"unequal": 0.5}).curves[0].unequal == 0.5
    assert (
        len({make(LEAST | {"unequal": u}).fingerprint for u in (0.5, 0.6, [1, 1, 1])} | {make(LEAST).fingerprint}) == 4
    )
    assert "unequal" not in make(LEAST).curves[0].to_dict()
    with pytest.raises(unisono.ParameterError, match="unequal has 2 factors for 3 annotators"):
        make(LEAST | {"unequal": [1, 2]})
    with pytest.raises(unisono.ParameterError, match="not a valid value of unequal"):
        make(LEAST | {"unequal": [1, "x", 2]})


def test_annotators_with_a_factor_of_0_make_no_errors() -> None:
    errors = {"errors": "false-negatives", "reference": {"units": 10}, "magnitudes": [0.5], "sets": 2}
    for unequal, is_perfect in (((0, 0, 0), True), ((0, 0, 1), False)):
        spec = unisono.experiments.BenchmarkSpec.from_dict(LEAST | errors | {"unequal": unequal, "samples": 10})
        (block,) = blocks(spec)
        values = [value for value, _ in measure_block(block)["gamma"]]
        assert (values == [1, 1]) is is_perfect


def test_systematic_errors_in_a_file() -> None:
    """Everybody takes A for B, always: all agree. One of three does: nobody agrees fully any more."""
    model = {"units": 10, "categories": {"A": 1, "B": 1}}
    for by, is_perfect in (([], True), (["annotator-1"], False)):
        errors = [{"type": "confusion", "category": "A", "instead": "B"} | ({"by": by} if by else {})]
        table = LEAST | {"errors": errors, "reference": model, "magnitudes": [1.0], "sets": 2, "samples": 10}
        (block,) = blocks(unisono.experiments.BenchmarkSpec.from_dict(table))
        values = [value for value, _ in measure_block(block)["gamma"]]
        assert (values == [1, 1]) is is_perfect
    habit = LEAST | {"errors": [{"type": "habit", "by": ["annotator-2"], "start": -1}]}
    (curve,) = unisono.experiments.BenchmarkSpec.from_dict(habit).curves
    assert curve.errors == (BoundaryHabit(by=("annotator-2",), start=-1),)
