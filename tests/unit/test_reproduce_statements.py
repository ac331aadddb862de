# SPDX-License-Identifier: MIT
"""The rule of the verdicts. Oracle: the rule as issue and docs state it, on both sides of every bound."""

from __future__ import annotations

import pytest

from unisono.errors import ParameterError
from unisono.experiments.statements import Compared, Found, Stated, verdict


@pytest.mark.parametrize(
    ("value", "kind", "ours", "error", "word"),
    [
        # half the last digit
        ("0.405", "number", 0.4055, 0.0, "reproduced"),
        ("0.405", "number", 0.40551, 0.0, "not reproduced"),
        ("0.4", "number", 0.45, 0.0, "reproduced"),
        ("0.4", "number", 0.451, 0.0, "not reproduced"),
        ("22.2", "number", 22.224, 0.0, "reproduced"),
        ("3.22", "number", 3.24, 0.0, "not reproduced"),
        ("62", "number", 62.05, 0.0, "reproduced"),
        ("-0.34", "number", -0.3396, 0.0, "reproduced"),
        ("0.40", "number", 0.45, 0.0, "not reproduced"),  # a digit more is a narrower claim
        # plus two standard errors
        ("0.405", "number", 0.4255, 0.01, "reproduced"),
        ("0.405", "number", 0.4256, 0.01, "not reproduced"),
        # fractions are exact
        ("2/3", "number", 2 / 3, 0.0, "reproduced"),
        ("2/3", "number", 0.667, 0.0, "not reproduced"),
        # about: 0.03, plus two standard errors
        ("0.1", "about", 0.13, 0.0, "reproduced"),
        ("0.1", "about", 0.07, 0.0, "reproduced"),
        ("0.1", "about", 0.131, 0.0, "not reproduced"),
        ("0.1", "about", 0.15, 0.01, "reproduced"),
        ("0.1", "about", 0.151, 0.01, "not reproduced"),
        # read off a graph: 0.05, whatever the standard error
        ("0.5", "curve", 0.55, 0.0, "reproduced"),
        ("0.5", "curve", 0.551, 0.5, "not reproduced"),
        # bounds in words
        ("0.9", "above", 0.95, 0.0, "reproduced"),
        ("0.9", "above", 0.89, 0.0, "not reproduced"),
        ("0.9", "above", 0.89, 0.006, "reproduced"),
        ("0", "below", -0.1, 0.0, "reproduced"),
        ("0", "below", 0.01, 0.004, "not reproduced"),
        ("0", "below", 0.01, 0.005, "reproduced"),
        # undefined is a value like any other
        ("NA", "number", None, 0.0, "reproduced"),
        ("NA", "number", 0.3, 0.0, "not reproduced"),
        ("0.3", "number", None, 0.0, "not reproduced"),
        # claims
        ("yes", "claim", True, 0.0, "reproduced"),
        ("yes", "claim", False, 0.0, "not reproduced"),
        ("no", "claim", False, 0.0, "reproduced"),
        ("no", "claim", None, 0.0, "undecided"),
    ],
)
def test_rule(value: str, kind, ours, error: float, word: str) -> None:
    assert verdict(Stated("x", value, kind), Found(ours, error)).word == word


def test_difference() -> None:
    assert verdict(Stated("x", "0.1", "about"), Found(0.14, 0.0)).difference == pytest.approx(0.04)
    assert verdict(Stated("x", "0.1", "about"), Found(None)).difference is None
    assert verdict(Stated("x", "yes", "claim"), Found(True)).difference is None


@pytest.mark.parametrize(
    ("value", "kind", "message"),
    [
        (
            "0.1",
            "roughly",
            "'roughly' is not a kind of statement. Choose one of number, about, curve, above, below, claim",
        ),
        ("one", "number", "the value of a statement is 'one'. Give a number as printed, or NA"),
        ("0.1", "claim", "the value of a claim is '0.1'. Give yes or no"),
    ],
)
def test_messages(value: str, kind, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        Stated("x", value, kind)


def test_as_printed() -> None:
    kinds = ("number", "about", "above", "below", "curve")
    shown = [Stated("x", "0.90", kind).printed for kind in kinds]
    assert shown == ["0.90", "about 0.90", "> 0.90", "< 0.90", "≈ 0.90"]


def test_row() -> None:
    row = Compared.of(Stated("uα", "0.405", place="p. 462", note="as printed"), Found(0.4051)).to_dict()
    assert row == {
        "quantity": "uα",
        "place": "p. 462",
        "kind": "number",
        "published": "0.405",
        "ours": 0.4051,
        "standard_error": 0.0,
        "difference": 0.0001,
        "verdict": "reproduced",
        "note": "as printed",
    }
