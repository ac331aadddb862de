# SPDX-License-Identifier: MIT
"""Oracle: corpora made with errors of a known size; curves whose inverse is known; the definitions of quantities."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import unisono
from reference.simulation import AddedUnits, SplitUnits, errors_of_kind, quantity_done
from unisono.diagnosis.assumed import Kind
from unisono.diagnosis.assumed_reference import Correction, References, Shape, reference_shape
from unisono.diagnosis.equivalents import Measured, equivalents, invert
from unisono.diagnosis.error_curves import FallingCurve, Point, Target, monotone_cubic, monotone_fall, walk
from unisono.diagnosis.plans import NOT_REPEATABLE
from unisono.dissimilarity.categorial import FunctionCategorial
from unisono.model.versions import Version
from unisono.shuffling import (
    CategoryErrors,
    Errors,
    FalseNegatives,
    FalsePositives,
    LabelErrors,
    PositionErrors,
    ReferenceModel,
    shuffle_text,
    shuffled_corpus,
    shuffled_sets,
)
from unisono.shuffling.text_errors import ShuffledText, TextErrorType

MODEL = ReferenceModel(units=(6, 14), length=(20, 60), gap=(5, 60))


def _line(*values: float, error: float = 0.01) -> list[Point]:
    return [Point(0.1 * i, value, error if i else 0.0, 50) for i, value in enumerate(values)]


@pytest.mark.parametrize(
    ("kind", "errors", "magnitude"),
    [
        ("missed", FalseNegatives(), 0.3),
        ("added", FalsePositives(), 0.1),
        ("boundaries", PositionErrors(), 0.5),
        ("categories", CategoryErrors(), 0.4),
        ("splits", SplitUnits(per_unit=0.3), 1.0),
    ],
)
def test_known_errors_are_found_again(kind: str, errors: Errors, magnitude: float) -> None:
    sets = list(shuffled_sets(MODEL, errors, magnitude, sets=30, annotators=3, seed=4))
    made = quantity_done(kind, sets)  # type: ignore[arg-type]
    result = unisono.measure(unisono.Corpus(tuple(each.continuum for each in sets)), seed=1, samples=30)
    (found,) = equivalents(result, kinds=[kind])  # type: ignore[list-item]
    assert found.quantity == pytest.approx(made, rel=0.2)
    assert found.low < found.quantity < found.high
    assert found.reason is None
    assert found.sentence.startswith("as if")


def test_quantities_by_definition() -> None:
    def sets(errors: Errors, magnitude: float) -> list[unisono.shuffling.Shuffled]:
        return list(shuffled_sets(MODEL, errors, magnitude, sets=10, annotators=3, seed=2))

    made = sets(FalseNegatives(), 0.3)
    missed = sum(word == "missed" for each in made for word in each.truth.what)
    assert quantity_done("missed", made) == missed / sum(3 * len(each.reference) for each in made)
    made = sets(PositionErrors(), 0.4)
    shifts = [
        (abs(row[7] - row[4]) + abs(row[8] - row[5])) / 2 / (row[5] - row[4])
        for each in made
        for row in each.truth.rows()
    ]
    assert quantity_done("boundaries", made) == pytest.approx(np.mean(shifts))
    made = sets(CategoryErrors(), 0.5)
    wrong = [row[6] != row[9] for each in made for row in each.truth.rows()]
    assert quantity_done("categories", made) == pytest.approx(np.mean(wrong))
    made = sets(AddedUnits(per_unit=0.25), 1.0)
    assert quantity_done("added", made) == pytest.approx(0.25, abs=0.05)
    made = sets(SplitUnits(per_unit=0.25), 1.0)
    assert quantity_done("splits", made) == pytest.approx(0.25, abs=0.05)


def test_numbers_of_errors_are_right_on_average_for_references_of_one_unit() -> None:
    one = ReferenceModel(units=1)
    made = list(shuffled_sets(one, AddedUnits(per_unit=0.3), 1.0, sets=300, annotators=2, seed=1))
    assert quantity_done("added", made) == pytest.approx(0.3, abs=0.06)


@pytest.mark.parametrize(("kind", "magnitude"), [("missed", 0.4), ("added", 0.6), ("boundaries", 0.6), ("splits", 0.5)])
def test_references_are_corrected_for_the_errors_assumed(kind: Kind, magnitude: float) -> None:
    """After correction the references have the shape of those that the corpus was made of, not that of the corpus."""
    errors, strength = errors_of_kind(kind, magnitude, is_linear=False)
    made = list(shuffled_sets(MODEL, errors, strength, sets=60, annotators=3, seed=3))
    references = References.of(unisono.Corpus(tuple(each.continuum for each in made)), documents=60, most_annotators=10)
    simulated, _ = references.simulate_alike(Correction(), kind, magnitude, seed=9)
    true = Shape.of([each.reference for each in made])
    found = reference_shape(simulated.copies.references)
    assert found.units == pytest.approx(true.units, rel=0.1)
    assert found.length == pytest.approx(true.length, rel=0.1)
    # The correction subtracts the variance that the errors add, so its error is a share of the variance of the corpus.
    tolerance = max(0.5 * true.length_spread**2, 0.2 * references.shape.length_spread**2)
    assert found.length_spread**2 == pytest.approx(true.length_spread**2, abs=tolerance)
    assert found.extent == pytest.approx(true.extent, rel=0.15)
    assert found.overlap < 0.15


def test_few_documents_take_the_spread_of_simulated_ones() -> None:
    corpus = shuffled_corpus(MODEL, FalseNegatives(), 0.3, sets=1, annotators=3, seed=8)
    (found,) = equivalents(unisono.measure(corpus, seed=1, samples=30), kinds=["missed"])
    many = shuffled_corpus(MODEL, FalseNegatives(), 0.3, sets=40, annotators=3, seed=8)
    (narrow,) = equivalents(unisono.measure(many, seed=1, samples=30), kinds=["missed"])
    assert found.quantity - found.low > 2 * (narrow.quantity - narrow.low)


def test_deterministic_and_as_a_method() -> None:
    result = unisono.measure(shuffled_corpus(MODEL, FalseNegatives(), 0.3, sets=4, seed=8), seed=1, samples=20)
    assert result.equivalents() == equivalents(result)
    assert [each.kind for each in result.equivalents()] == ["missed", "added", "boundaries", "categories", "splits"]
    keys = {"kind", "quantity", "low", "high", "sentence", "reason"}
    assert all(set(each.to_dict()) == keys for each in result.equivalents())


def test_gamma_cat_does_not_depend_on_missed_units() -> None:
    corpus = shuffled_corpus(MODEL, CategoryErrors(), 0.4, sets=12, annotators=3, seed=8)
    by_kind = {each.kind: each for each in equivalents(unisono.measure(corpus, "gamma-cat", seed=1, samples=30))}
    assert by_kind["categories"].quantity == pytest.approx(0.3, abs=0.06)
    assert by_kind["missed"].quantity is None
    assert by_kind["missed"].reason


def _shuffled_texts(errors: TextErrorType, magnitude: float) -> list[ShuffledText]:
    words = ["so", "it", "goes", "on", "and", "then", "ends"] * 10
    reference = Version.of_tokens(words, features={"pos": [word[0] for word in words]})
    return [shuffle_text(reference, errors, magnitude, annotators=3, seed=i, name=f"d{i}") for i in range(6)]


def _texts(errors: TextErrorType, magnitude: float) -> unisono.Corpus:
    made = _shuffled_texts(errors, magnitude)
    return unisono.Corpus(tuple(unisono.Continuum.of_versions(each.versions) for each in made))


def test_texts() -> None:
    made = _shuffled_texts(LabelErrors(), 0.2)
    corpus = _texts(LabelErrors(), 0.2)
    by_kind = {each.kind: each for each in unisono.measure(corpus, "text-gamma", seed=1, samples=20).equivalents()}
    wrong = np.mean([word == "label" for each in made for word in each.truth.what])
    assert by_kind["categories"].quantity == pytest.approx(wrong, rel=0.25)
    assert set(by_kind) == {"text", "splits", "categories"}
    assert "splits or mergers" in by_kind["splits"].sentence


def test_full_agreement_is_no_errors() -> None:
    result = unisono.measure(shuffled_corpus(MODEL, FalseNegatives(), 0.0, sets=6, seed=8), seed=1, samples=20)
    (found,) = equivalents(result, kinds=["missed"])
    assert (found.quantity, found.low, found.high) == (0.0, None, None)


def test_full_agreement_has_no_interval() -> None:
    full = invert("missed", _line(1.0, 0.8, 0.6), Measured("γ", 1.0, None, None, 1))
    assert (full.quantity, full.low, full.high) == (0.0, None, None)
    assert full.sentence == "as if each annotator missed 0 % of the units"


def test_points_have_no_boundaries_to_move_and_nothing_to_split() -> None:
    points = [(10 * i, 10 * i, "AB"[i % 2]) for i in range(6)]
    result = unisono.measure(unisono.corpus({"d": {"ann": points, "bob": points[1:]}}), seed=1, samples=10)
    found = equivalents(result, kinds=["boundaries", "splits"])
    assert {each.reason for each in found} == {"units have no length"}


def test_a_parabola_is_inverted_exactly_and_a_line_nearly() -> None:
    """Small shifts of boundaries cost their square; the last stretch of the curve has no point behind it."""
    quantities = [0.0, 0.04, 0.1, 0.175]
    points = [Point(each, 1 - each**2, 1e-9 if each else 0.0, 50) for each in quantities]
    found = invert("boundaries", points, Measured("γ", 1 - 0.147**2, 1 - 0.15**2, 1 - 0.07**2, 50))
    assert (found.quantity, found.low, found.high) == pytest.approx((0.147, 0.07, 0.15), abs=1e-6)
    measured = Measured("γ", 0.75, 0.7, 0.8, 50)
    found = invert("missed", _line(1.0, 0.9, 0.8, 0.7, 0.6, error=1e-9), measured)
    assert (found.quantity, found.low, found.high) == pytest.approx((0.25, 0.2, 0.3), abs=2e-4)


def test_both_uncertainties_widen_the_interval() -> None:
    measured = Measured("γ", 0.75, 0.7, 0.8, 50)
    found = invert("missed", _line(1.0, 0.9, 0.8, 0.7, 0.6, error=0.03), measured)
    half = np.hypot(0.05, 1.6449 * 0.03)
    assert found.low == pytest.approx(0.25 - half, abs=5e-4)
    assert found.high == pytest.approx(0.25 + half, abs=5e-4)


def test_the_stretch_in_which_the_curve_passes_the_target_has_a_point_in_its_middle() -> None:
    tried = []

    def point_at(size: float) -> Point | None:
        tried.append(size)
        return None if size > 0.7 else Point(size, 1 - size, 0.01, 50)

    assert [point.quantity for point in walk((0.1, 0.2, 0.4, 0.6, 0.8), point_at, Target(0.7, 0.65, 50))] == (
        pytest.approx([0.0, 0.1, 0.2, 0.3, 0.4])
    )
    assert tried == pytest.approx([0.1, 0.2, 0.4, 0.3])
    # It ends where there is no point, and has no middle where it never passes the target.
    assert len(walk((0.6, 0.8), point_at, Target(0.1, 0.0, 50))) == 2
    # Without a lowest value the spread of the simulated documents counts.
    assert len(walk((0.1, 0.2, 0.3), point_at, Target(0.95, None, 50))) == 3


def test_only_the_falling_branch_counts() -> None:
    measured = Measured("γ", 0.7, 0.65, 0.75, 50)
    found = invert("splits", _line(1.0, 0.8, 0.6, 0.5, 0.6, 0.8, 0.9), measured)
    assert 0.1 < found.quantity < 0.2
    assert 0.1 < found.low < found.quantity
    assert found.high is None  # 0.45 to 0.5 of errors would give the value as well
    assert "at least" in found.sentence
    low = invert("splits", _line(1.0, 0.8, 0.6, 0.5, 0.6), measured)
    assert low.high is not None


def test_a_flat_curve_has_a_reason() -> None:
    found = invert("missed", _line(1.0, 0.99, 1.0, 0.98), Measured("γcat", 0.9, 0.85, 0.95, 50))
    assert found.quantity is None
    assert found.reason == "γcat hardly depends on errors of this kind"
    constant = invert("boundaries", _line(1.0, 1.0, 1.0, error=0.0), Measured("γcat", 0.9, 0.85, 0.95, 50))
    assert constant.reason == found.reason


def test_a_value_that_is_never_reached_has_a_reason_or_one_side() -> None:
    never = invert("boundaries", _line(1.0, 0.9, 0.8, 0.75), Measured("γ", 0.4, 0.35, 0.45, 50))
    assert (never.quantity, never.low, never.high) == (None, None, None)
    assert "stays above 0.75" in never.reason
    hardly = invert("boundaries", _line(1.0, 0.9, 0.8, 0.75), Measured("γ", 0.74, 0.68, 0.79, 50))
    assert hardly.quantity is None
    assert 0.1 < hardly.low < 0.3
    assert "more than" in hardly.sentence
    open_end = invert("boundaries", _line(1.0, 0.9, 0.8, 0.75), Measured("γ", 0.76, 0.7, 0.81, 50))
    assert open_end.high is None
    assert "at least" in open_end.sentence


def test_a_loaded_result_without_its_settings_has_a_reason() -> None:
    corpus = shuffled_corpus(MODEL, FalseNegatives(), 0.2, sets=3, seed=8)
    own = unisono.CombinedDissimilarity(categorial=FunctionCategorial(lambda one, other: float(one != other)))
    result = unisono.measure(corpus, seed=1, samples=20, dissimilarity=own)
    assert {each.reason for each in equivalents(replace(result, plan=None))} == {NOT_REPEATABLE}


def test_a_saved_result_is_explained_like_the_one_that_was_saved(tmp_path: Path) -> None:
    """The same rows, whatever settings it was measured with."""
    corpus = shuffled_corpus(MODEL, FalseNegatives(), 0.2, sets=3, seed=8)
    for settings in (
        {},
        {"positional": "absolute", "scale": 30},
        {"categorial": "ordinal", "category_order": ["B", "A", "C", "D"], "f_cat": "steep"},
        {"preset": "greyc"},
        {"chance": "statistical", "beta": 0.5},
    ):
        result = unisono.measure(corpus, seed=1, samples=10, **settings)
        unisono.save(result, tmp_path / "one.unisono")
        loaded = unisono.load_result(tmp_path / "one.unisono")
        assert equivalents(loaded, kinds=["missed"]) == equivalents(result, kinds=["missed"]), settings
        assert equivalents(loaded, kinds=["missed"])[0].reason is None


def test_a_saved_text_result_is_explained_like_the_one_that_was_saved(tmp_path: Path) -> None:
    corpus = _texts(LabelErrors(), 0.2)
    for settings in (
        {},
        {"p_text": 0.1, "p_seg": (0.1, 50), "p_further": 0.2},
        {"text_distance": "levenshtein", "gap_t": 2.0, "count_gaps": True, "delta_empty": 2.0},
        {"feature": ("pos",)},
    ):
        result = unisono.measure(corpus, "text-gamma", seed=1, samples=10, **settings)
        unisono.save(result, tmp_path / "one.unisono")
        loaded = unisono.load_result(tmp_path / "one.unisono")
        explained = unisono.explain(loaded)
        assert explained.to_dict() == unisono.explain(result).to_dict(), settings
        assert {row.settled for row in explained.what_if if row.gamma is not None} == {"annotator"}


def test_monotone_regression_by_definition() -> None:
    """No falling sequence is nearer: those on a grid of steps are tried."""
    values, weights = np.array([1.0, 0.4, 0.7, 0.5, 0.2]), np.array([1.0, 2.0, 1.0, 1.0, 3.0])
    fallen = monotone_fall(values, weights)
    assert np.all(np.diff(fallen) <= 1e-12)
    best = (weights * (fallen - values) ** 2).sum()
    random = np.random.default_rng(1)
    for _ in range(300):
        other = np.sort(fallen + random.normal(0, 0.1, 5))[::-1]
        assert (weights * (other - values) ** 2).sum() >= best - 1e-12


def test_the_cubic_rises_between_rising_points() -> None:
    x, y = np.array([0.0, 0.2, 0.5, 1.0]), np.array([0.0, 0.05, 0.8, 1.0])
    values = [monotone_cubic(x, y, at) for at in np.linspace(0, 1, 101)]
    assert np.all(np.diff(values) >= -1e-12)
    assert [monotone_cubic(x, y, at) for at in x.tolist()] == pytest.approx(y.tolist())


def test_levels_are_inverted_in_their_middle() -> None:
    curve = FallingCurve(np.array([0.0, 0.1, 0.2, 0.3]), np.array([1.0, 0.8, 0.8, 0.6]), np.full(4, 0.01))
    assert curve.quantity_at(0.8) == pytest.approx(0.15)
