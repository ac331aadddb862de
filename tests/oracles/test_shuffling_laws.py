# SPDX-License-Identifier: MIT
"""The error laws in columns against the slow twins (tests/reference/shuffling.py), exactly or by distribution; against
what follows from the laws: end points, α = (1 - f)², prevalences."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from scipy import stats

import unisono
from reference import shuffling as twin
from unisono import Continuum
from unisono.shuffling import (
    BoundaryHabit,
    CategoryConfusion,
    CategoryErrors,
    FalseNegatives,
    FalsePositives,
    Merges,
    PositionErrors,
    ReferenceModel,
    Sheet,
    Splits,
    Surroundings,
)

PREVALENCE = {"A": 0.4, "B": 0.3, "C": 0.2, "D": 0.1}
MODEL = ReferenceModel(units=40, length=(5, 60), gap=(0, 10), categories=PREVALENCE)
REFERENCE = MODEL.draw(seed=3, name="law")
#: The least p-value that is still taken for chance; seeds are fixed, so a test either holds or does not.
CHANCE = 0.001


def around(reference: Continuum, prevalence: dict[str, float] | None = None) -> Surroundings:
    labels = reference.categories
    shares = np.array([(prevalence or PREVALENCE)[label] for label in labels])
    assert reference.extent is not None
    return Surroundings(
        reference.starts, reference.ends, reference.category_codes, reference.extent, labels, shares / shares.sum()
    )


def applied(errors, magnitude: float, seed: int, reference: Continuum = REFERENCE) -> list[twin.Unit]:
    sheet = Sheet.of(reference.starts, reference.ends, reference.category_codes)
    made = errors.applied(sheet, magnitude, around(reference), np.random.default_rng(seed))
    labels = (*reference.categories, None)
    return [
        (start, end, labels[code])
        for start, end, code in zip(made.starts.tolist(), made.ends.tolist(), made.codes.tolist(), strict=True)
    ]


def units(reference: Continuum = REFERENCE) -> list[twin.Unit]:
    return [(unit.start, unit.end, unit.category) for unit in reference]


# -- with the same draws -----------------------------------------------------------------------------------------------

MAGNITUDES = (0.05, 0.3, 0.5, 0.8, 1.0)


@pytest.mark.parametrize("magnitude", MAGNITUDES)
@pytest.mark.parametrize("clip", [False, True])
@pytest.mark.parametrize("factor", [1.0, 2.0])
def test_position(magnitude: float, clip: bool, factor: float) -> None:
    errors = PositionErrors(shift_factor=factor, end_before_start="clip" if clip else "redraw")
    for seed in range(5):
        expected = twin.shifted(units(), magnitude, np.random.default_rng(seed), factor=factor, clip=clip)
        assert applied(errors, magnitude, seed) == expected


@pytest.mark.parametrize("magnitude", MAGNITUDES)
@pytest.mark.parametrize("law", ["linear", "square"])
@pytest.mark.parametrize("to", ["prevalence", "uniform"])
@pytest.mark.parametrize("immune", [(), ("D",), ("B", "D")])
@pytest.mark.parametrize("near", [False, True])
def test_category(magnitude: float, law, to, immune: tuple[str, ...], near: bool) -> None:
    overlap = {a: {b: 1 - abs(ord(a) - ord(b)) / 5 for b in PREVALENCE} for a in PREVALENCE} if near else None
    errors = CategoryErrors(law=law, to=to, immune=immune, overlap=overlap)
    matrix = twin.category_matrix(magnitude, PREVALENCE, law=law, to=to, immune=immune, overlap=overlap)
    assert errors.matrix(magnitude, PREVALENCE) == pytest.approx(np.array([[*row.values()] for row in matrix.values()]))
    assert applied(errors, magnitude, 7) == twin.recategorised(units(), matrix, np.random.default_rng(7))


@pytest.mark.parametrize("magnitude", MAGNITUDES)
def test_false_negatives_false_positives_merges(magnitude: float) -> None:
    assert REFERENCE.extent is not None
    extent = (int(REFERENCE.extent.start), int(REFERENCE.extent.end))
    for seed in range(5):
        assert applied(FalseNegatives(), magnitude, seed) == twin.missed(
            units(), magnitude, np.random.default_rng(seed)
        )
        more = twin.added(units(), magnitude, extent, np.random.default_rng(seed), factor=3.0)
        assert applied(FalsePositives(factor=3.0), magnitude, seed) == units() + more
        assert applied(Merges(), magnitude, seed) == twin.merged(units(), magnitude, np.random.default_rng(seed))


@pytest.mark.parametrize("magnitude", MAGNITUDES)
def test_systematic_errors_and_lengths(magnitude: float) -> None:
    for seed in range(5):
        for is_mutual in (False, True):
            confusion = CategoryConfusion(category="A", instead="C", is_mutual=is_mutual)
            assert applied(confusion, magnitude, seed) == twin.confused(
                units(), magnitude, "A", "C", np.random.default_rng(seed), is_mutual=is_mutual
            )
        assert sorted(applied(Splits(law="each", at_least=20), magnitude, seed)) == sorted(
            twin.split_each(units(), magnitude, np.random.default_rng(seed), at_least=20)
        )
        assert applied(FalseNegatives(at_most=20), magnitude, seed) == twin.missed_short(
            units(), magnitude, np.random.default_rng(seed), at_most=20
        )
    for start, end in ((-1, 0), (0.5, -0.5), (0, -2), (1.5, 0)):
        assert applied(BoundaryHabit(start=start, end=end), magnitude, 1) == twin.habit(units(), magnitude, start, end)


# -- by distribution ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("gap", [0, 30])
def test_positions_kept_apart_as_if_drawn_again_until_they_are(gap: int) -> None:
    """Every boundary has the distribution that rejection gives, and so has the order of the units."""
    reference = Continuum.of(
        {"reference": [(0, 20, "A"), (20 + gap, 60 + gap, "B"), (60 + 2 * gap, 75 + 2 * gap, "A")]}
    )
    errors = PositionErrors(shift_factor=1.5, keep_apart=True)
    ours = [[u[:2] for u in applied(errors, 1.0, seed, reference)] for seed in range(1500)]
    random = np.random.default_rng(99)
    theirs = [[u[:2] for u in twin.shifted_apart(units(reference), 1.0, random, factor=1.5)] for _ in range(1500)]
    a, b = np.array(ours), np.array(theirs)
    for unit in range(3):
        for boundary in range(2):
            assert stats.ks_2samp(a[:, unit, boundary], b[:, unit, boundary]).pvalue > CHANCE
        assert stats.ks_2samp(*(x[:, unit, 1] - x[:, unit, 0] for x in (a, b))).pvalue > CHANCE
    orders = [Counter(tuple(np.argsort(x[:, 0]).tolist()) for x in y) for y in (a, b)]
    table = np.array([[count[order] for order in sorted(set(orders[0]) | set(orders[1]))] for count in orders])
    assert stats.chi2_contingency(table[:, table.sum(0) >= 10]).pvalue > CHANCE


@pytest.mark.parametrize("number", [3, 20])
def test_splits(number: int) -> None:
    """Pieces of each unit, and their lengths, as the twin's; short units run out of places to be split at."""
    reference = Continuum.of({"reference": [(0, 3, "A"), (3, 10, "B"), (12, 40, "A"), (50, 51, "C")]})
    errors = Splits(law="linear", limit=number / 4)
    random = np.random.default_rng(5)
    pairs = [
        (sorted(applied(errors, 1.0, seed, reference)), sorted(twin.split(units(reference), number, random)))
        for seed in range(1500)
    ]
    for start, end, _ in units(reference):
        counts = [np.array([sum(start <= u[0] < end for u in x[side]) for x in pairs]) for side in (0, 1)]
        top = max(column.max() for column in counts)
        table = np.array([np.bincount(column, minlength=top + 1) for column in counts])
        table = table[:, table.sum(0) >= 10]
        if table.shape[1] > 1:
            assert stats.chi2_contingency(table).pvalue > CHANCE
    lengths = [np.array([u[1] - u[0] for x in pairs for u in x[side]]) for side in (0, 1)]
    table = np.array([np.bincount(column, minlength=30) for column in lengths])
    assert stats.chi2_contingency(table[:, table.sum(0) >= 20]).pvalue > CHANCE
    assert all(len(ours) == len(theirs) for ours, theirs in pairs)


# -- what follows from the laws ----------------------------------------------------------------------------------------


def test_categories_at_magnitude_1_have_their_prevalences() -> None:
    corpus = unisono.shuffling.shuffled_corpus(MODEL, CategoryErrors(), 1.0, sets=100, seed=5)
    found = Counter(unit.category for continuum in corpus for unit in continuum)
    expected = [share * corpus.n_units for share in PREVALENCE.values()]
    assert stats.chisquare([found[label] for label in PREVALENCE], expected).pvalue > CHANCE
    uniform = unisono.shuffling.shuffled_corpus(MODEL, CategoryErrors(to="uniform"), 1.0, sets=100, seed=5)
    counts = Counter(unit.category for continuum in uniform for unit in continuum)
    assert stats.chisquare([counts[label] for label in PREVALENCE]).pvalue > CHANCE


@pytest.mark.parametrize("law", ["linear", "square"])
@pytest.mark.parametrize("magnitude", [0.2, 0.5, 0.9])
def test_two_annotators_have_alpha_one_minus_f_squared(law, magnitude: float) -> None:
    """Krippendorff's α of predefined units, which have nothing but their categories to differ in."""
    model = ReferenceModel(units=20_000, length=10, gap=2, categories=PREVALENCE)
    made = unisono.shuffle(
        model.draw(1), CategoryErrors(law=law), magnitude, annotators=2, seed=1, prevalence=PREVALENCE
    )
    a, b = (made.continuum.category_codes[made.continuum.annotator_codes == i] for i in (0, 1))
    shares = np.bincount(np.concatenate((a, b))) / (2 * len(a))
    alpha = 1 - np.mean(a != b) / (1 - (shares**2).sum())
    f = magnitude if law == "linear" else magnitude**2
    assert alpha == pytest.approx((1 - f) ** 2, abs=0.02)


def test_false_negatives_leave_nothing_at_magnitude_1_and_half_at_a_half() -> None:
    assert unisono.shuffling.shuffled_corpus(MODEL, FalseNegatives(), 1.0, sets=20, seed=1).n_units == 0
    half = unisono.shuffling.shuffled_corpus(MODEL, FalseNegatives(), 0.5, sets=100, seed=1).n_units
    assert stats.binomtest(half, 100 * 3 * 40, 0.5).pvalue > CHANCE


def test_numbers_of_splits_and_false_positives() -> None:
    for magnitude, splits, linear, positives in ((0.5, 30, 100, 100), (0.9, 200, 180, 180), (1.0, 200, 200, 200)):
        made = {
            n: len(unisono.shuffle(REFERENCE, errors, magnitude, annotators=1, seed=2).continuum) - 40
            for n, errors in enumerate((Splits(), Splits(law="linear"), FalsePositives()))
        }
        assert list(made.values()) == [splits, linear, positives]
    assert Splits().number(0.75, 40) == round(0.75 * 3 * 40)


def test_merges_at_magnitude_1_join_every_second_pair() -> None:
    corpus = unisono.shuffling.shuffled_corpus(MODEL, Merges(), 1.0, sets=100, seed=1)
    assert stats.binomtest(40 * 300 - corpus.n_units, 39 * 300, 0.5).pvalue > CHANCE


def test_false_positives_lie_anywhere() -> None:
    reference = Continuum.of({"reference": [(0, 10, "A"), (90, 100, "B")]}, extent=(0, 1000))
    made = unisono.shuffle(reference, FalsePositives(factor=1000), 1.0, annotators=1, seed=4)
    new = made.truth.units[made.truth.references < 0]
    starts = made.continuum.starts[new]
    assert (starts.min(), starts.max()) == (0, 990)
    assert stats.kstest(starts, stats.uniform(0, 991).cdf).pvalue > CHANCE
    assert set((made.continuum.ends - made.continuum.starts).tolist()) == {10}


def test_shifts_are_uniform_and_proportional_to_length() -> None:
    reference = ReferenceModel(units=5000, length=(100, 900), gap=0, decimals=True).draw(1)
    made = unisono.shuffle(reference, PositionErrors(shift_factor=0.8), 0.5, annotators=1, seed=1)
    order = np.argsort(made.truth.references)
    unit = made.truth.units[order]
    lengths = reference.ends - reference.starts
    for new, old in ((made.continuum.starts[unit], reference.starts), (made.continuum.ends[unit], reference.ends)):
        shift = (new - old) / lengths
        assert stats.kstest(shift, stats.uniform(-0.4, 0.8).cdf).pvalue > CHANCE
