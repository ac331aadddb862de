# SPDX-License-Identifier: MIT
"""Odd uses of the names of pygamma-agreement. Oracle: its documentation, what a notebook expects; no silent numbers."""

from __future__ import annotations

import sys
from math import inf
from pathlib import Path

import pytest

from unisono.compat.pygamma import (
    AbstractContinuumSampler,
    Alignment,
    CombinedCategoricalDissimilarity,
    Continuum,
    GammaResults,
    PrecomputedCategoricalDissimilarity,
    Segment,
    SoftAlignment,
    StatisticalContinuumSampler,
    Unit,
    UnitaryAlignment,
)
from unisono.errors import FormatError


def continuum() -> Continuum:
    made = Continuum()
    for annotator, end in (("ann", 5), ("bob", 6)):
        made.add(annotator, Segment(0, end), "X")
        made.add(annotator, Segment(8, 9), "Y")
    return made


@pytest.mark.parametrize("position", ["nan", "inf", "-inf", "soon"])
def test_positions_that_are_no_numbers_are_refused(tmp_path: Path, position: str) -> None:
    path = tmp_path / "a.csv"
    path.write_text(f"ann,X,0,5\nann,X,{position},9\n")
    with pytest.raises(FormatError, match=r"a\.csv:2: the row .* is not an annotator, a category, a start and an end"):
        Continuum.from_csv(path)


def test_a_category_without_distances_is_refused() -> None:
    """Its number would be -1, which numpy takes for the last row of the matrix."""
    dissimilarity = PrecomputedCategoricalDissimilarity(["X", "Z"], [[0, 1], [1, 0]])
    row = UnitaryAlignment([("ann", Unit(Segment(0, 5), "X")), ("bob", Unit(Segment(0, 5), "Y"))])
    with pytest.raises(ValueError, match="no distances for the categories Y"):
        row.compute_disorder(dissimilarity)


def test_what_notebooks_show(monkeypatch: pytest.MonkeyPatch) -> None:
    """A picture, or nothing, so that the object is shown as text; never an exception."""
    made = continuum()
    dissimilarity = CombinedCategoricalDissimilarity()
    assert Continuum()._repr_png_() is None
    assert SoftAlignment(made.get_best_soft_alignment(dissimilarity))._repr_png_() is None
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert made._repr_png_() is None
    assert made.get_best_alignment(dissimilarity)._repr_png_() is None


def test_gamma_k_where_no_disagreement_is_expected() -> None:
    class Fixed(Alignment):
        def __init__(self, value: float):
            self.value = value

        def gamma_k_disorder(self, dissimilarity: object, category: str | None) -> float:
            return self.value

    results = GammaResults(Fixed(0.5), [Fixed(0.0), Fixed(0.0)], CombinedCategoricalDissimilarity())
    assert results.gamma_k("X") == -inf
    assert results.gamma_cat == 0


def test_what_cannot_be_is_refused_with_its_value() -> None:
    """A word that is no precision, units that would be drawn for ever, a precision without any expected disorder."""
    given = continuum()
    with pytest.raises(ValueError, match="precision_level is 'hihg', not one of high, medium, low"):
        given.compute_gamma(precision_level="hihg")
    with pytest.raises(ValueError, match="have no length"):
        StatisticalContinuumSampler().init_sampling_custom(["ann", "bob"], 3, 0, 1, 0, 0, 0, ["X"])

    class Equal(AbstractContinuumSampler):
        """Random continua in which all agree."""

        @property
        def sample_from_continuum(self) -> Continuum:
            drawn = Continuum()
            for annotator in ("ann", "bob"):
                drawn.add(annotator, Segment(0, 5), "X")
            return drawn

    results = given.compute_gamma(n_samples=3, precision_level=0.1, sampler=Equal())
    assert (results.n_samples, results.gamma) == (3, -inf)
