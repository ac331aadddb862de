# SPDX-License-Identifier: MIT
"""Fig. 16 of Mathet 2017 under hypotheses about its program; oracles: the published values, and two programs agreeing.

One program enumerates every random continuum and every alignment of Fig. 3 with numpy alone; the other is the library.
"""

from __future__ import annotations

import pytest

import unisono
from unisono.chance import Shift
from unisono.dissimilarity import CombinedDissimilarity, Program2017Dissimilarity
from unisono.errors import ParameterError
from unisono.experiments import examples
from unisono.experiments.hypothesis_2017 import DISTANCES, GREYC_2017, Choice, values
from unisono.report.view import parts_of

HALF = DISTANCES["half-mean"]


def test_the_hypothesis_meets_most_of_what_is_published() -> None:
    """Published: γ 0.29, γcat 0.34 to 0.37, γk 0.335 and 0.484 (0.494 in Fig. 16), three unitary alignments."""
    found = values(GREYC_2017)
    assert found.n_random == 184_680
    assert found.n_unitary_alignments == 3
    assert found.gamma == pytest.approx(0.29, abs=0.005)
    assert 0.34 < found.gamma_cat < 0.37
    assert found.gamma_k["B"] == pytest.approx(0.484, abs=0.0005)
    assert found.gamma_k["A"] == pytest.approx(0.316, abs=0.001)  # not 0.335


@pytest.mark.parametrize(
    ("choice", "gamma", "cat", "k_a", "k_b"),
    [
        (GREYC_2017, 0.287, 0.361, 0.316, 0.484),
        (Choice(2.0, 0.0, "units", HALF), 0.280, 0.375, 0.324, 0.495),
        (Choice(3.0, 1.0, "units", HALF), 0.295, 0.393, 0.348, 0.502),
    ],
)
def test_the_table_of_the_docs(choice: Choice, gamma: float, cat: float, k_a: float, k_b: float) -> None:
    """docs/validity.md; the last row is the preset greyc, enumerated earlier by other code (0.295, 0.393)."""
    found = values(choice)
    assert (found.gamma, found.gamma_cat) == pytest.approx((gamma, cat), abs=6e-4)
    assert (found.gamma_k["A"], found.gamma_k["B"]) == pytest.approx((k_a, k_b), abs=6e-4)


def test_the_preset() -> None:
    """It is greyc with the other dissimilarity, and the signature says so; weights of the user's own are kept."""
    data = examples.lay_out(examples.FIGURE_3, examples.FIGURE_3_LENGTH, "fig3")
    by_name = unisono.measure(data, ["gamma", "gamma-k"], preset="greyc-2017", seed=1, samples=50)
    by_hand = unisono.measure(
        data, ["gamma", "gamma-k"], preset="greyc", dissimilarity=Program2017Dissimilarity(alpha=3), seed=1, samples=50
    )
    assert by_name["gamma"].value == by_hand["gamma"].value
    assert "|preset:greyc-2017|d:sporadic+nominal,alpha=3,beta=1,delta_empty=1,empty-pairs=0" in by_name.signature
    alpha_2 = unisono.measure(data, preset="greyc-2017", alpha=2, seed=1, samples=50)
    assert "alpha=2,beta=1,delta_empty=1,empty-pairs=0" in alpha_2.signature
    with pytest.raises(ParameterError, match="two empty units cost nothing"):
        unisono.measure(data, "gamma-cat", preset="greyc-2017", tie_range=True, seed=1, samples=5)


def test_what_depends_on_the_alignment_follows() -> None:
    """The parts of every disorder sum to it; soft-γ, which only the core has, says why it has no value."""
    data = examples.lay_out(examples.FIGURE_3, examples.FIGURE_3_LENGTH, "fig3")
    result = unisono.measure(data, ["gamma", "soft-gamma"], preset="greyc-2017", seed=1, samples=5)
    alignment = result["gamma"].alignment
    assert alignment is not None
    parts = parts_of(alignment, Program2017Dissimilarity(alpha=3))
    columns = (parts.positional, parts.categorial, parts.empty)
    sums = sum(column for column in columns if column is not None)
    assert sums == pytest.approx(alignment.disorders)
    assert "two empty units cost nothing" in str(result["soft-gamma"].reason)


@pytest.mark.parametrize(
    ("kind", "choice"),
    [(Program2017Dissimilarity, GREYC_2017), (CombinedDissimilarity, Choice(3.0, 1.0, "units", HALF))],
)
def test_the_library_samples_what_is_enumerated(kind: type[CombinedDissimilarity], choice: Choice) -> None:
    """The chance intervals of 2,000 samples at a level of 99.99 % hold the enumerated values."""
    continuum = examples.lay_out(examples.FIGURE_3, examples.FIGURE_3_LENGTH, "fig3")
    result = unisono.measure(
        continuum,
        ["gamma", "gamma-cat", "gamma-k"],
        preset="greyc",
        dissimilarity=kind(alpha=3),
        chance=Shift("half-mean"),
        samples=2000,
        seed=22,
        level=0.9999,
        intervals=False,
    )
    found = values(choice)
    per_category = result["gamma-k"].per_category
    assert per_category is not None
    for value, expected in (
        (result["gamma"], found.gamma),
        (result["gamma-cat"], found.gamma_cat),
        (per_category["A"], found.gamma_k["A"]),
        (per_category["B"], found.gamma_k["B"]),
    ):
        interval = value.intervals["chance"]
        assert interval.low < expected < interval.high
    assert per_category["C"].value is None
