# SPDX-License-Identifier: MIT
"""Bounds of the settings are the same everywhere. Oracle: values that gave nan, tracebacks or wrong numbers before."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import unisono
from unisono.cli import main
from unisono.errors import InputError, ParameterError

TABLE = "annotator,start,end,category\nann,0,5,A\nann,7,9,B\nbob,0,5,A\nbob,7,9,A\n"

SETTINGS: list[tuple[list[str], dict[str, Any]]] = [
    (["--delta-empty", "1e308"], {"delta_empty": 1e308}),
    (["--alpha", "1e308", "--beta", "1e308"], {"alpha": 1e308, "beta": 1e308}),
    (["--samples", str(10**20)], {"samples": 10**20}),
    (["--scale", "1e308", "--positional", "absolute"], {"scale": 1e308, "positional": "absolute"}),
    (["--seed", str(2**64)], {"seed": 2**64}),
]


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.csv").write_text(TABLE)


@pytest.mark.parametrize(("options", "keywords"), SETTINGS)
def test_a_measurement_refuses_them(
    options: list[str], keywords: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    for command in (["measure", "a.csv"], ["measure", "a.csv", "--json"], ["align", "a.csv"]):
        if command[0] == "align" and options[0] in ("--samples", "--seed"):
            continue
        assert main([*command, *options]) == 2
        printed = capsys.readouterr()
        assert "is not a valid value" in " ".join(printed.err.replace("│", " ").split())
        assert "Traceback" not in printed.err
    with pytest.raises(ParameterError, match="is not a valid value"):
        unisono.measure("a.csv", **keywords)


@pytest.mark.parametrize("extent", ["-1e308:1e308", "0:9007199254740994", "0:inf", "9:0"])
def test_an_extent_beyond_the_positions_is_refused(extent: str, capsys: pytest.CaptureFixture[str]) -> None:
    for command in ("measure", "validate", "align"):
        assert main([command, "a.csv", "--extent", extent]) == 2
        assert "Traceback" not in capsys.readouterr().err


@pytest.mark.parametrize("extent", [(-1e308, 1e308), (0, 2**53 + 2), (0, float("inf")), (9, 0)])
def test_python_refuses_it_too(extent: tuple[float, float]) -> None:
    with pytest.raises(ParameterError):
        unisono.read("a.csv", extent=extent)
    with pytest.raises(InputError):
        unisono.continuum({"ann": [(1, 2, "A")], "bob": []}, extent=extent)


@pytest.mark.parametrize("measure", ["gamma", "gamma,gamma-cat,gamma-k,soft-gamma"])
def test_a_time_limit_ends_the_most_samples_there_may_be(measure: str, capsys: pytest.CaptureFixture[str]) -> None:
    """10,000,000 samples would take minutes; more than that are refused. Oracle: fewer samples, and exit code 3."""
    assert main(["measure", "a.csv", "--samples", str(10**9), "--time-limit", "3"]) == 2
    assert "Give a whole number from 2 to 10,000,000" in " ".join(capsys.readouterr().err.replace("│", " ").split())
    assert main(["measure", "a.csv", "--measure", measure, "--samples", str(10**7), "--time-limit", "0.5"]) == 3
    err = capsys.readouterr().err
    for name in measure.replace("gamma-k", "gamma-k of A").split(","):
        assert f"the time limit ended the sampling of {name} before there were enough random continua" in err


def test_a_time_limit_ends_the_samples_of_a_users_function() -> None:
    own = unisono.dissimilarity.FunctionDissimilarity(lambda u, v: abs(u.start - v.start) / 9, name="own")
    with pytest.warns(unisono.errors.PrecisionWarning):
        result = unisono.measure("a.csv", "gamma", dissimilarity=own, samples=10**7, time_limit=0.5)
    assert 0 < (result["gamma"].n_samples or 0) < 10**6
