# SPDX-License-Identifier: MIT
"""The results of the full run, kept as data in docs/results. Oracle: the experiments' files, and the run itself.

The whole run takes minutes of processor time; here some of its points are computed again.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest

from unisono.experiments.benchmark import benchmark
from unisono.experiments.curves import spec_of
from unisono.experiments.experiment import Conditions, experiments, select_experiments
from unisono.experiments.reproduction import markdown_table
from unisono.experiments.statements import Found, Stated, verdict

DOCS = Path(__file__).parents[2] / "docs"
RESULTS = DOCS / "results"
GRIDS = [name for name, experiment in experiments().items() if experiment.grid]


def rows(name: str) -> list[dict[str, str]]:
    with (RESULTS / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_every_statement_is_there() -> None:
    """In the order of the experiments, as the files state them: a statement that is changed needs another run."""
    kept = [
        (r["experiment"], r["quantity"], r["published"], r["kind"], r["place"], r["note"]) for r in rows("verdicts.csv")
    ]
    stated = [
        (name, s.quantity, s.value, s.kind, s.place, s.note)
        for name, experiment in experiments().items()
        for s in experiment.stated
    ]
    assert kept == stated


def test_verdicts_follow_the_rule() -> None:
    claims = {"yes": True, "no": False, "": None}
    for row in rows("verdicts.csv"):
        stated = Stated(row["quantity"], row["published"], row["kind"])  # type: ignore[arg-type]
        value = claims[row["ours"]] if row["kind"] == "claim" else float(row["ours"]) if row["ours"] else None
        if "/" in row["published"]:  # exact, and the data have six digits
            is_met = value == pytest.approx(float(Fraction(row["published"])), rel=1e-5)
            assert row["verdict"] == ("reproduced" if is_met else "not reproduced")
            continue
        found = verdict(stated, Found(value, float(row["standard_error"])))
        assert found.word == row["verdict"], row


@pytest.mark.parametrize("name", GRIDS)
def test_curves_are_whole(name: str) -> None:
    """21 magnitudes and 40 sets for every measure of every curve."""
    spec = spec_of(select_experiments([name])[0], Conditions())
    kept = rows(name.replace("/", "-") + ".csv")
    expected = [
        (curve.name if len(spec.curves) > 1 else None, measure.name, f"{magnitude:g}")
        for curve in spec.curves
        for measure in curve.measures
        for magnitude in spec.magnitudes
    ]
    assert [(r.get("curve"), r["measure"], r["magnitude"]) for r in kept] == expected
    assert all(0 <= int(r["n"]) <= 40 for r in kept)
    assert all(int(r["n"]) == 40 for r in kept if r["magnitude"] == "0" and r["measure"] == "gamma")


@pytest.mark.parametrize(
    ("name", "curve", "magnitude"),
    [("gamma-2015/26a", "positions", 1.0), ("gamma-2015/27", "splits", 0.5), ("gamma-cat-2017/12", "categories", 1.0)],
)
def test_some_points_again(name: str, curve: str, magnitude: float) -> None:
    spec = spec_of(select_experiments([name])[0], Conditions()).limited(magnitudes=[magnitude])
    one = next(c for c in spec.curves if c.name == curve)
    found = benchmark(type(spec)(title=spec.title, curves=(one,), magnitudes=spec.magnitudes, sets=40, seed=spec.seed))
    kept = {
        r["measure"]: float(r["mean"])
        for r in rows(name.replace("/", "-") + ".csv")
        if r["curve"] == curve and float(r["magnitude"]) == magnitude
    }
    for response in found.responses:
        assert response.points[0].mean == pytest.approx(kept[response.measure], rel=1e-5, abs=1e-6)


def test_validity_shows_them() -> None:
    """The tables of docs/validity.md are those of the data."""
    text = (DOCS / "validity.md").read_text(encoding="utf-8")
    kept = rows("verdicts.csv")
    curves = [r for r in kept if experiments()[r["experiment"]].grid or r["experiment"].startswith("text")]
    examples = [r for r in kept if r not in curves]
    assert markdown_table(curves) in text
    assert markdown_table(r for r in examples if r["verdict"] != "reproduced") in text
    words = Counter(r["verdict"] for r in examples)
    assert f"{words['reproduced']} of {len(examples)} statements on worked examples are reproduced" in text
    words = Counter(r["verdict"] for r in curves)
    said = re.search(r"Of (\d+) statements on curves (\d+) are reproduced, (\d+) are not, (\d+) are undecided", text)
    assert said
    assert [int(n) for n in said.groups()] == [
        len(curves), words["reproduced"], words["not reproduced"], words["undecided"]
    ]  # fmt: skip
