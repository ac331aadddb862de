# SPDX-License-Identifier: MIT
"""pygamma-agreement 0.5.9 beside the laws we have of it: its random continua, γcat, γk and soft-γ, number for number.

Its answers were recorded (pygamma_family.json), so that they are compared wherever the tests run; where its environment
is there (`.venv-pygamma`, see bench/README.md), the long tests ask it again. UNISONO_UPDATE_GOLD=1 records anew.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.optimize import Bounds, LinearConstraint, milp

from generators import Weights
from oracles.checks import fast, slow
from reference import pygamma
from reference.alignment import costs
from unisono.alignment import best_alignment
from unisono.model import Continuum, Unit

HERE = Path(__file__).parent
RECORDED = HERE / "pygamma_family.json"
WORKER = HERE / "pygamma_family_worker.py"
PYTHON = HERE.parents[1] / ".venv-pygamma" / "bin" / "python"

#: 32-bit floats there.
CLOSE = 2e-5

UNITS: dict[str, dict[str, list[tuple[float, float, str]]]] = {
    "three": {
        "a": [(1, 10, "A"), (13, 17, "B")],
        "b": [(1, 10, "B"), (14, 18, "B")],
        "c": [(2, 12, "A"), (16, 24, "C")],
    },
    "far from 0": {
        "a": [(1000.5, 1004, "A"), (1004, 1010.25, "B"), (1020, 1021, "A")],
        "b": [(1001, 1004, "A"), (1003.5, 1009, "B")],
    },
    "overlaps": {
        "b": [(0, 8, "X"), (2, 5, "Y"), (4, 12, "X"), (20, 26, "Z")],
        "a": [(1, 8, "X"), (3, 5, "Y"), (21, 25, "Y")],
        "d": [(0, 5, "Y"), (5, 12, "X"), (19, 26, "Z"), (30, 33, "Z")],
        "c": [],
    },
    "one against silence": {"a": [(0, 3, "A"), (5, 9, "B")], "b": []},
    "nothing in common": {"a": [(0, 2, "A")], "b": [(50, 52, "A")]},
    "agreed": {"a": [(0, 4, "A"), (10, 14, "B")], "b": [(0, 4, "A"), (10, 14, "B")]},
    "crowded": {
        "a": [(0, 30, "A"), (0, 10, "B"), (20, 30, "B")],
        "b": [(0, 15, "A"), (15, 30, "A")],
        "c": [(0, 30, "A"), (2, 11, "C")],
    },
}
WEIGHTS = ((1.0, 1.0), (3.0, 1.0), (1.0, 2.0))  # alpha, delta_empty
CASES = [
    {"name": name, "units": units, "alpha": alpha, "delta_empty": delta_empty, "seed": 7, "samples": 8}
    for name, units in UNITS.items()
    for alpha, delta_empty in WEIGHTS
]


def asked() -> dict[str, Any]:
    """The answers of the library itself."""
    ran = subprocess.run([PYTHON, WORKER], input=json.dumps(CASES), capture_output=True, text=True, timeout=300)
    assert ran.returncode == 0, ran.stderr
    answers: dict[str, Any] = json.loads(ran.stdout)
    return answers


@pytest.fixture(scope="module")
def recorded() -> dict[str, Any]:
    if os.environ.get("UNISONO_UPDATE_GOLD"):
        RECORDED.write_text(json.dumps({"cases": CASES, **asked()}), encoding="utf-8")
    found: dict[str, Any] = json.loads(RECORDED.read_text(encoding="utf-8"))
    assert found["version"] == "0.5.9"
    assert found["cases"] == json.loads(json.dumps(CASES)), "cases have changed: record their answers anew"
    return found


def both(recorded: dict[str, Any]) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    return zip(recorded["cases"], recorded["answers"], strict=True)


def as_units(rows: dict[str, list[list[Any]]]) -> dict[str, list[Unit]]:
    return {name: [Unit(*row) for row in units] for name, units in rows.items()}


@pytest.mark.long
def test_the_library_still_says_so(recorded: dict[str, Any]) -> None:
    """Oracle: the library, run beside. Ties may be broken another way: only what does not rest on them is compared."""
    if not PYTHON.exists():
        pytest.skip(f"no environment of pygamma-agreement at {PYTHON}; `make bench` makes it")
    answers = asked()
    assert answers["version"] == recorded["version"]
    for now, then in zip(answers["answers"], recorded["answers"], strict=True):
        assert now["drawn"] == then["drawn"]
        for kind in ("best", "soft"):
            assert now[kind]["disorder"] == pytest.approx(then[kind]["disorder"], abs=CLOSE)
        for kind in ("gamma", "soft_gamma"):
            assert now[kind]["expected"] == pytest.approx(then[kind]["expected"], abs=CLOSE)


@pytest.mark.parametrize("model", ["statistical", "shuffle", "shuffle-float"])
def test_random_continua(recorded: dict[str, Any], model: str) -> None:
    """Both chance models: the same random continua from the same seed, so the law is theirs to the last detail."""
    compared = 0
    for case, answer in both(recorded):
        random = np.random.RandomState(case["seed"])
        real = as_units(case["units"])
        for theirs in answer["drawn"][model]:
            if model == "statistical":
                drawn = pygamma.statistical(real, random)
            else:
                drawn = pygamma.shuffle(real, random, whole=model == "shuffle")
            expected = as_units(theirs)
            assert list(drawn) == list(expected)
            for units, others in zip(drawn.values(), expected.values(), strict=True):
                assert [unit.category for unit in units] == [unit.category for unit in others]
                np.testing.assert_allclose(
                    [(unit.start, unit.end) for unit in units],
                    [(unit.start, unit.end) for unit in others],
                    rtol=0,
                    atol=1e-9,
                )
                compared += len(units)
    assert compared > 500


def test_shuffle_keeps_its_distance_from_the_last_shift_only() -> None:
    """Why its model is not ours: of three shifts, the first and the third may be as near as they like."""
    random = np.random.RandomState(1)
    units = as_units({name: [[0.0, 7.0, name]] for name in "abc"}) | {"d": [Unit(23.0, 30.0, "d")]}
    gaps = {(0, 1): [], (1, 2): [], (0, 2): []}
    for _ in range(1200):
        drawn = list(pygamma.shuffle(units, random, whole=False).values())
        if any(rows[0].category == "d" for rows in drawn[:3]):
            continue  # began elsewhere: its start is not its shift
        for i, j in gaps:
            gaps[i, j].append(abs(drawn[i][0].start - drawn[j][0].start))
    assert min(map(len, gaps.values())) > 400
    assert min(gaps[0, 1]) >= 3.5
    assert min(gaps[1, 2]) >= 3.5
    assert np.mean(np.array(gaps[0, 2]) < 3.5) > 0.05


@pytest.mark.parametrize("kind", ["best", "soft"])
def test_gamma_cat_and_gamma_k_disorders(recorded: dict[str, Any], kind: str) -> None:
    """Its Algorithm 1: alpha in the confidence, empty units counted, 0 and 1 where ours is undefined."""
    special = set()
    for case, answer in both(recorded):
        alignment = [[unit and Unit(*unit) for unit in row] for row in answer[kind]["rows"]]
        weights = {"alpha": case["alpha"], "delta_empty": case["delta_empty"]}
        for k, theirs in [(None, answer[kind]["gamma_cat"]), *answer[kind]["gamma_k"].items()]:
            ours = pygamma.categorial_disorder(alignment, k, **weights)
            assert ours == pytest.approx(theirs, abs=CLOSE), (case["name"], weights, k)
            special.add(ours if ours in (0, 1) else None)
    assert special == {0, 1, None}, "the special cases must have been met"


def test_gamma_cat(recorded: dict[str, Any]) -> None:
    """1 without observed disorder; otherwise over the mean of all random continua."""
    for case, answer in both(recorded):
        for kind, result in (("best", "gamma"), ("soft", "soft_gamma")):
            ours = pygamma.agreement(answer[kind]["gamma_cat"], answer[result]["expected_cat"])
            assert ours == pytest.approx(answer[result]["gamma_cat"], abs=CLOSE), case["name"]
            mean = sum(answer[result]["expected"]) / case["samples"]
            gamma = 1 - answer[kind]["disorder"] / mean if answer[kind]["disorder"] else 1.0
            assert gamma == pytest.approx(answer[result]["gamma"], abs=CLOSE)


def its_weights(case: dict[str, Any]) -> Weights:
    """Its categorial part is compiled before it is told delta_empty: 1 for another category, whatever that is."""
    return Weights(case["alpha"], 1 / case["delta_empty"], case["delta_empty"])


def test_observed_disorders_are_ours(recorded: dict[str, Any]) -> None:
    """The same best disorder, on the continuum and on its own random continua."""
    for case, answer in both(recorded):
        weights = its_weights(case)
        drawn = [as_units(case["units"]), *map(as_units, answer["drawn"]["statistical"])]
        theirs = [answer["best"]["disorder"], *answer["gamma"]["expected"]]
        ours = [best_alignment(Continuum.of(units), fast(weights)).disorder for units in drawn]
        np.testing.assert_allclose(ours, theirs, rtol=CLOSE, atol=CLOSE, err_msg=f"{case['name']} {weights}")


def soft_disorder(continuum: Continuum, weights: Weights) -> float:
    """Each unit in at least one unitary alignment, at the least cost, over the mean number of units (milp)."""
    cost = costs(continuum, slow(weights), weights.delta_empty)
    finite = {members: value for members, value in cost.items() if value < 1e6}
    covers = np.array([[unit in members for members in finite] for unit in range(len(continuum))], dtype=float)
    found = milp(
        list(finite.values()),
        constraints=LinearConstraint(covers, lb=1),
        bounds=Bounds(0, 1),
        integrality=np.ones(len(finite)),
    )
    assert found.success
    return float(found.fun) / continuum.mean_units


def test_soft_disorders(recorded: dict[str, Any]) -> None:
    """Its soft-γ: "at least one" in place of "exactly one", the same mean number of units; random continua too."""
    lower = 0
    for case, answer in both(recorded):
        weights = its_weights(case)
        drawn = [as_units(case["units"]), *map(as_units, answer["drawn"]["statistical"][:4])]
        theirs = [answer["soft"]["disorder"], *answer["soft_gamma"]["expected"][:4]]
        ours = [soft_disorder(Continuum.of(units), weights) for units in drawn]
        np.testing.assert_allclose(ours, theirs, rtol=CLOSE, atol=CLOSE, err_msg=f"{case['name']} {weights}")
        lower += answer["soft"]["disorder"] < answer["best"]["disorder"] - CLOSE
    assert lower, "some case must be better off softly"


def test_equal_units_are_merged() -> None:
    """Its continuum is a set: equal units of one annotator count once; ours are kept apart."""
    twice = {"a": [Unit(0, 5, "A"), Unit(0, 5, "A"), Unit(0, 5, "B")], "b": [Unit(0, 5, "A")]}
    assert [len(units) for units in pygamma.kept(twice).values()] == [2, 1]
    assert Continuum.of(twice).counts.tolist() == [3, 1]
