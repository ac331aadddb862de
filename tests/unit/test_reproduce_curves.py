# SPDX-License-Identifier: MIT
"""What statements look at on a curve. Oracle: small benchmarks written down by hand, and numpy."""

from __future__ import annotations

import math

import numpy as np
import pytest

from unisono.experiments.curves import spec_of, stated_quantity, summary
from unisono.experiments.experiment import Conditions, experiments, quantity_of, select_experiments
from unisono.experiments.grid import BenchmarkSpec
from unisono.experiments.responses import BenchmarkResult, Response

MAGNITUDES = (0.0, 0.25, 0.5, 0.75, 1.0)
#: Five magnitudes, three sets: down by 0.5, with sets 0.1 apart; the other measure is 0.2 below, without a last value.
VALUES = np.array([[1 - 2 * m + d for d in (-0.1, 0.0, 0.1)] for m in MAGNITUDES])


def response(curve: str, measure: str, values: np.ndarray) -> Response:
    cells = tuple(tuple((None, "no value") if math.isnan(v) else (v, None) for v in row) for row in values.tolist())
    return Response(curve, measure, measure, MAGNITUDES, cells)


@pytest.fixture(scope="module")
def result() -> BenchmarkResult:
    other = VALUES - 0.2
    other[-1] = math.nan
    spec = BenchmarkSpec.from_dict(
        {
            "title": "by hand",
            "magnitudes": list(MAGNITUDES),
            "sets": 3,
            "reference": {"units": 3},
            "errors": "position",
            "measures": ["gamma", "ser"],
            "curves": [{"name": "one"}, {"name": "two"}],
        }
    )
    return BenchmarkResult(
        spec,
        (
            response("one", "gamma", VALUES),
            response("one", "ser", other),
            response("two", "gamma", VALUES * 0.5 + 0.05),
            response("two", "ser", np.ones((5, 3))),
        ),
    )


ERROR = 0.1 / math.sqrt(3)


@pytest.mark.parametrize(
    ("look", "value", "error"),
    [
        ({"measure": "gamma", "curve": "one", "at": 0.75}, -0.5, ERROR),
        ({"measure": "gamma", "curve": "two", "at": 0.0}, 0.55, ERROR / 2),
        ({"measure": "gamma", "curve": "one", "over": [0.25, 0.75], "take": "highest"}, 0.5, ERROR),
        ({"measure": "gamma", "curve": "one", "over": [0.25, 0.75], "take": "lowest"}, -0.5, ERROR),
        ({"measure": "ser", "curve": "one", "take": "lowest"}, -0.7, ERROR),  # where there is a value
        ({"measure": "ser", "curve": "one", "at": 1.0}, None, 0.0),
        ({"measure": "ser", "curve": "one", "over": [0.75, 1.0], "take": "share without value"}, 0.5, 0.0),
        ({"measure": "gamma", "curve": "one", "minus": "ser", "take": "largest difference"}, 0.2, 0.0),
        ({"measure": "gamma", "curve": "two", "minus_curve": "one", "take": "largest difference"}, 0.55, ERROR / 2),
        ({"measure": "gamma", "curve": "one", "take": "linearity"}, 1.0, 0.0),
        ({"measure": "gamma", "curve": "one", "take": "crossing"}, 0.5, ERROR / 2),
        ({"measure": "ser", "curve": "two", "take": "crossing"}, None, 0.0),
        ({"measure": "gamma", "curve": "one", "take": "strictly decreasing"}, True, 0.0),
        ({"measure": "ser", "curve": "two", "take": "strictly decreasing"}, False, 0.0),
        ({"measure": "ser", "curve": "two", "take": "never below 0"}, True, 0.0),
        ({"measure": "gamma", "curve": "two", "take": "means strictly decreasing"}, True, 0.0),
        ({"measure": "ser", "curve": "two", "take": "means strictly decreasing"}, False, 0.0),
    ],
)
def test_looked_at(result: BenchmarkResult, look: dict, value: float | bool | None, error: float) -> None:
    found = stated_quantity(result, look)
    assert found.value == (pytest.approx(value, abs=1e-12) if isinstance(value, float) else value)
    assert found.error == pytest.approx(error, abs=1e-12)


def test_unknown_looks(result: BenchmarkResult) -> None:
    with pytest.raises(LookupError, match=r"no magnitude from 0\.1 to 0\.2 was measured"):
        stated_quantity(result, {"measure": "gamma", "curve": "one", "over": [0.1, 0.2], "take": "lowest"})
    with pytest.raises(ValueError, match="'median' is not a quantity of a curve"):
        stated_quantity(result, {"measure": "gamma", "curve": "one", "take": "median"})


def test_summary(result: BenchmarkResult) -> None:
    rows = summary(result)
    assert len(rows) == 4 * 5
    assert rows[9] == {
        "curve": "one",
        "measure": "ser",
        "magnitude": 1.0,
        "mean": None,
        "standard error": None,
        "n": 0,
    }


GRIDS = [name for name, experiment in experiments().items() if experiment.grid]


@pytest.mark.parametrize("name", GRIDS)
def test_every_curve_experiment_is_sound(name: str) -> None:
    """Full: 21 magnitudes, 40 sets, the papers' numbers. Quick has every magnitude that statements look at."""
    experiment = select_experiments([name])[0]
    full, quick = (spec_of(experiment, Conditions(quick=q)) for q in (False, True))
    assert (len(full.magnitudes), full.sets, {curve.annotators for curve in full.curves}) == (21, 40, {3})
    assert {m for item in experiment.asked for m in (item.get("at"), *item.get("over", ())) if m is not None} <= {
        *quick.magnitudes
    }
    known = {(curve.name, measure.name) for curve in full.curves for measure in curve.measures}
    for item in experiment.asked:
        curves = {item["curve"]} if "curve" in item else {curve.name for curve in full.curves}
        assert len(curves) == 1, "a statement must say which of several curves it is about"
        assert (*curves, item["measure"]) in known
        other = (item.get("minus_curve", *curves), item.get("minus", item["measure"]))
        assert other in known
    quantities = [quantity_of(item) for item in experiment.asked]
    assert len(set(quantities)) == len(quantities), "two statements on one quantity need different names"


def test_overview_shares_its_cells() -> None:
    """Figure 29 has the curves of the figures before it: what they have on disk is not measured again."""
    conditions = Conditions()
    overview = spec_of(select_experiments(["gamma-2015/29"])[0], conditions)
    for curve, name in zip(overview.curves, ("26a", "26b", "27", "28a", "28b"), strict=True):
        spec = spec_of(select_experiments([f"gamma-2015/{name}"])[0], conditions)
        assert curve.fingerprint(overview.seed, overview.sets) == spec.curves[0].fingerprint(spec.seed, spec.sets)
