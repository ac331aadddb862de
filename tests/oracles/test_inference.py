# SPDX-License-Identifier: MIT
"""Bootstrap and permutation tests. Oracles: the slow twins, every permutation enumerated, closed forms."""

from __future__ import annotations

import math
import tracemalloc

import numpy as np
import pytest
from scipy import stats

from generators import spread_continuum, tiny_continuum
from reference import inference as twin
from unisono._core import resample_sums
from unisono.alignment import best_alignment
from unisono.errors import ParameterError
from unisono.intervals.bootstrap import (
    block_length,
    blocks_interval,
    difference_interval,
    stretches,
    stretches_interval,
)
from unisono.intervals.jackknife import MOST_GROUPS, compute_without_each, documents_interval, jackknife_interval
from unisono.intervals.permutation import exchange_test, split_test, swap_test
from unisono.intervals.random_words import CHUNK, RandomWords
from unisono.intervals.ratios import Ratios
from unisono.intervals.uncertainty import Uncertainty
from unisono.nouns import there_are
from unisono.results import UncertaintyCode


def pairs(rng: np.random.Generator, n: int) -> list[tuple[float, float]]:
    bottom = rng.gamma(2, 3, n) + 0.1
    return list(zip((bottom * rng.beta(1, 2, n)).tolist(), bottom.tolist(), strict=True))


def ratios(documents: list[tuple[float, float]]) -> Ratios:
    return Ratios.of([(f"d{i:03}", *pair) for i, pair in enumerate(documents)])


def bounds(found: Uncertainty) -> tuple[float, float]:
    assert found.interval is not None, found.reason
    return found.interval.low, found.interval.high


@pytest.mark.parametrize("n", [5, 10, 35])
def test_documents_interval_is_its_twin(n: int) -> None:
    documents = pairs(np.random.default_rng(n), n)
    side = ratios(documents)
    found = documents_interval(side.numerators, side.denominators, level=0.9)
    # The quantile between whole degrees of freedom is interpolated.
    assert bounds(found) == pytest.approx(twin.documents_interval(documents, 0.9), rel=2e-3)


@pytest.mark.parametrize("n", [5, 12])
def test_paired_difference_interval_is_its_twin(n: int) -> None:
    rng = np.random.default_rng(n)
    a, b = pairs(rng, n), pairs(rng, n)
    found = difference_interval(ratios(a), ratios(b), paired=True, level=0.9, seed=3, resamples=199)
    assert bounds(found) == pytest.approx(twin.paired_difference_interval(a, b, 0.9, 3, 199), rel=1e-9)


def test_sums_of_resamples() -> None:
    """Oracle: numpy, which picks the rows and adds them up."""
    rng = np.random.default_rng(3)
    table = rng.normal(size=(17, 5))
    picks = rng.integers(0, 17, size=(40, 9))
    found = resample_sums(table.ravel(), 5, picks.ravel(), 9).reshape(40, 5)
    np.testing.assert_allclose(found, table[picks].sum(axis=1), rtol=0, atol=1e-13)
    for wrong in ([17] * 9, [-1] * 9):
        with pytest.raises(ValueError, match="row out of range"):
            resample_sums(table.ravel(), 5, np.array(wrong), 9)
    with pytest.raises(ValueError, match="whole resamples"):
        resample_sums(table.ravel(), 5, picks.ravel()[:-1], 9)


def test_blocks_interval_is_its_twin() -> None:
    """Oracle: circular blocks drawn and measured one resample at a time."""
    documents = pairs(np.random.default_rng(6), 50)
    top, bottom = np.array(documents).T
    found = blocks_interval(top, bottom, level=0.9, seed=3, resamples=199)
    assert bounds(found) == pytest.approx(twin.blocks_interval(documents, 0.9, 3, 199), rel=1e-9)


def test_many_documents_of_one_size_give_students_interval() -> None:
    """With equal denominators the value is a mean, whose interval is known."""
    rng = np.random.default_rng(1)
    top = rng.normal(0.5, 0.1, 4000)
    low, high = bounds(documents_interval(top, np.ones(4000), level=0.95))
    known = stats.t.interval(0.95, 3999, loc=1 - top.mean(), scale=stats.sem(top))
    assert (low, high) == pytest.approx(known, abs=3e-4)


def test_unpaired_difference_of_means() -> None:
    """With equal denominators the difference is one of means, whose interval is known."""
    rng = np.random.default_rng(4)
    a, b = rng.normal(0.4, 0.1, 3000), rng.normal(0.5, 0.2, 2000)
    sides = [ratios(list(zip(x.tolist(), [1.0] * len(x), strict=True))) for x in (a, b)]
    error = math.hypot(stats.sem(a), stats.sem(b))
    centre = b.mean() - a.mean()
    found = difference_interval(sides[0], sides[1], paired=False, level=0.95, seed=5)
    assert bounds(found) == pytest.approx((centre - 1.96 * error, centre + 1.96 * error), abs=8e-4)


def test_blocks_of_independent_stretches_give_students_interval() -> None:
    rng = np.random.default_rng(2)
    top = rng.normal(0.5, 0.1, 8000)
    low, high = bounds(blocks_interval(top, np.ones(8000), level=0.95, seed=2))
    known = stats.t.interval(0.95, 7999, loc=1 - top.mean(), scale=stats.sem(top))
    assert (low, high) == pytest.approx(known, abs=3e-4)


def test_blocks_see_that_neighbours_are_alike() -> None:
    """Runs of eight equal stretches: the error is that of an eighth as many independent ones."""
    rng = np.random.default_rng(3)
    top = np.repeat(rng.normal(0.5, 0.1, 1000), 8)
    low, high = bounds(blocks_interval(top, np.ones(8000), level=0.95, seed=2))
    # A block of length l sees 1 - (8 - 1/8)/(3l) of the variance for l above 8: here l = 20.
    seen = 1 - (8 - 1 / 8) / (3 * block_length(8000))
    known = 2 * 1.96 * 0.1 / math.sqrt(1000) * math.sqrt(seen)
    assert high - low == pytest.approx(known, rel=0.08)


def test_value_never_above_one() -> None:
    top = np.array([0.0] * 12 + [0.5, 0.2, 0.4, 0.3, 0.1, 0.6])
    _, high = bounds(documents_interval(top, np.ones(18), level=0.99))
    assert high <= 1


@pytest.mark.parametrize(
    ("top", "bottom", "reason"),
    [
        ([], [], "an interval over documents needs at least 5 documents with a value; there is none"),
        ([1.0], [2.0], "an interval over documents needs at least 5 documents with a value; there is 1"),
        ([1.0, 0.0], [2.0, 0.0], "an interval over documents needs at least 5 documents with a value; there is 1"),
        ([0.0] * 40, [1.0, 3.0] * 20, "all 40 documents agree fully: there is no spread to estimate it from"),
        ([0.3, 0.6] * 20, [1.0, 2.0] * 20, "all 40 documents are alike: there is no spread to estimate it from"),
        ([0.0] * 4 + [1.0], [1.0] * 5, "too few documents to say: an interval from these 5 would be wider than 2"),
    ],
)
def test_no_interval_without_spread(top: list[float], bottom: list[float], reason: str) -> None:
    found = documents_interval(np.array(top), np.array(bottom), level=0.95)
    assert (found.interval, found.reason) == (None, reason)


@pytest.mark.parametrize(("n", "k"), [(5, 2), (8, 3), (12, 3), (20, 3), (5, 1), (10, 1), (40, 1), (40, 39)])
def test_few_imperfect_documents(n: int, k: int) -> None:
    """These gave minus millions: resamples without spread were divided by rounding noise."""
    rng = np.random.default_rng(n + k)
    bottom = rng.uniform(1, 5, n)
    top = np.where(np.arange(n) < k, bottom * 0.3, 0.0)
    found = documents_interval(top, bottom, level=0.95)
    value = 1 - top.sum() / bottom.sum()
    if found.interval is None:
        assert found.code is UncertaintyCode.TOO_WIDE
        assert k == 1
    else:
        assert -1 < found.interval.low < value < found.interval.high < 1
    # Differences and stretches rest on the bootstrap, which had the same fault.
    side, perfect = ratios(list(zip(top, bottom, strict=True))), ratios([(0.0, each) for each in bottom])
    for either in (
        difference_interval(side, perfect, paired=True, level=0.95, seed=1),
        difference_interval(side, perfect, paired=False, level=0.95, seed=1),
        blocks_interval(np.tile(top, 4), np.tile(bottom, 4), level=0.95, seed=1),
    ):
        assert either.reason if either.interval is None else either.interval.high - either.interval.low <= 2


def test_groups_are_left_out_where_documents_are_many() -> None:
    """Each document is left out once, in groups that differ by one document at most."""
    for n, calls in ((6, 6), (MOST_GROUPS, MOST_GROUPS), (100, MOST_GROUPS)):
        kept = compute_without_each(set, range(n))
        assert len(kept) == calls
        missing = [set(range(n)) - each for each in kept]
        assert sorted(i for each in missing for i in each) == list(range(n))
        assert max(map(len, missing)) - min(map(len, missing)) <= 1


def test_groups_and_single_documents_give_like_intervals() -> None:
    documents = pairs(np.random.default_rng(1), 600)
    side = ratios(documents)
    single = bounds(documents_interval(side.numerators, side.denominators, level=0.95))
    left_out = compute_without_each(twin.value, documents)
    grouped = bounds(jackknife_interval(twin.value(documents), left_out, n=600, level=0.95))
    assert grouped[1] - grouped[0] == pytest.approx(single[1] - single[0], rel=0.3)
    assert grouped == pytest.approx(single, abs=0.02)


def test_a_word_below_thirty_documents() -> None:
    rng = np.random.default_rng(1)
    for n, warned in ((29, True), (30, False)):
        side = ratios(pairs(rng, n))
        notes = documents_interval(side.numerators, side.denominators, level=0.95).notes
        assert bool(notes) is warned
    assert notes == ()


def test_documents_without_expected_disorder_weigh_nothing() -> None:
    side = ratios(pairs(np.random.default_rng(1), 12))
    more = [np.concatenate([column, [0.0, 0.0]]) for column in (side.numerators, side.denominators)]
    assert documents_interval(*more, level=0.95) == documents_interval(side.numerators, side.denominators, level=0.95)


def test_sixteen_thousand_documents_in_bounded_memory() -> None:
    side = pairs(np.random.default_rng(1), 16_100)
    top, bottom = np.array(side).T
    tracemalloc.start()
    found = documents_interval(top, bottom, level=0.95)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert found.interval is not None
    assert peak < 80 * CHUNK


def test_parameters_are_checked() -> None:
    one = np.ones(3)
    with pytest.raises(ParameterError, match=r"the level 1\.5 is not between 0 and 1"):
        documents_interval(one, one, level=1.5)
    with pytest.raises(ParameterError, match=r"100 resamples are too few for a level of 0\.99\. Draw at least 199"):
        blocks_interval(one, one, level=0.99, seed=1, resamples=100)


def test_draws_are_uniform_and_keyed() -> None:
    draws = RandomWords(1, "bootstrap").integers(70_001, 7)
    assert stats.chisquare(np.bincount(draws, minlength=7)).pvalue > 1e-3
    assert (draws == RandomWords(1, "bootstrap").integers(70_001, 7)).all()
    assert (draws != RandomWords(2, "bootstrap").integers(70_001, 7)).any()
    assert (draws != RandomWords(1, "other").integers(70_001, 7)).any()


@pytest.mark.parametrize("seed", range(40))
def test_stretches_are_what_lies_between_the_cuts(seed: int) -> None:
    rng = np.random.default_rng(seed)
    continuum = tiny_continuum(rng) if seed % 2 else spread_continuum(3, 12, 1, seed=seed)
    alignment = best_alignment(continuum)
    cuts = twin.cut_positions(alignment)
    firsts = [min(u.start for u in ua.units if u is not None) for ua in alignment.unitary_alignments]
    assert stretches(alignment).tolist() == [sum(cut <= first for cut in cuts) for first in firsts]


def test_stretches_interval_adds_up_to_gamma() -> None:
    """The interval is around 1 - observed / expected, computed from the stretches' parts."""
    continuum = spread_continuum(3, 150, 1, seed=1)
    alignment = best_alignment(continuum)
    expected = 1.7
    found = stretches_interval(alignment, expected, level=0.95, seed=1)
    low, high = bounds(found)
    assert found.n == int(stretches(alignment).max()) + 1
    gamma = 1 - alignment.disorder / expected
    assert low < gamma < high
    narrow = bounds(stretches_interval(alignment, expected, level=0.1, seed=1))
    assert narrow[0] - 0.01 < gamma < narrow[1] + 0.01


def test_too_few_stretches() -> None:
    alignment = best_alignment(spread_continuum(2, 8, 1, seed=1))
    found = stretches_interval(alignment, 1.0, level=0.95, seed=1)
    assert found.interval is None
    assert found.reason == (
        f"an interval over stretches needs at least 20 that no unitary alignment crosses; {there_are(found.n)}"
    )
    assert stretches_interval(alignment, 0.0, level=0.95, seed=1).reason == "the expected disorder is 0"


@pytest.mark.parametrize("n", [5, 8])
def test_swaps_enumerated(n: int) -> None:
    rng = np.random.default_rng(n)
    a, b = pairs(rng, n), pairs(rng, n)
    found = swap_test(ratios(a), ratios(b), permutations=9999, seed=1)
    assert (found.is_exact, found.n_permutations) == (True, 2**n - 1)
    assert found.p == pytest.approx(twin.all_swaps(a, b), abs=1e-12)


@pytest.mark.parametrize(("n", "m"), [(3, 5), (4, 4), (6, 3)])
def test_exchanges_enumerated(n: int, m: int) -> None:
    rng = np.random.default_rng(n)
    a, b = pairs(rng, n), pairs(rng, m)
    found = exchange_test(ratios(a), ratios(b), permutations=9999, seed=1)
    assert (found.is_exact, found.n_permutations) == (True, math.comb(n + m, n) - 1)
    assert found.p == pytest.approx(twin.all_exchanges(a, b), abs=1e-12)


def test_random_permutations_approach_the_enumeration() -> None:
    """Drawn p against exact p: within four standard errors of a binomial."""
    rng = np.random.default_rng(5)
    a, b = pairs(rng, 9), pairs(rng, 9)
    for test, exact in ((swap_test, twin.all_swaps(a, b)), (exchange_test, twin.all_exchanges(a, b))):
        found = test(ratios(a), ratios(b), permutations=400, seed=11)
        assert found.p is not None
        assert not found.is_exact
        assert found.p == pytest.approx(exact, abs=4 * math.sqrt(exact * (1 - exact) / 400) + 1 / 401)


def test_p_of_equal_sides_is_uniform() -> None:
    """Under exchangeability p is (nearly) uniform: Kolmogorov and Smirnov's test, for both designs."""
    rng = np.random.default_rng(6)
    for test in (swap_test, exchange_test):
        found = [
            test(ratios(pairs(rng, 12)), ratios(pairs(rng, 12)), permutations=199, seed=seed).p for seed in range(300)
        ]
        assert stats.kstest([p - 1 / 400 for p in found if p is not None], "uniform").pvalue > 1e-3


def test_a_clear_difference_has_a_small_p() -> None:
    rng = np.random.default_rng(6)
    b = pairs(rng, 30)
    a = [(n / 4, d) for n, d in b]
    assert swap_test(ratios(a), ratios(b), permutations=999, seed=1).p == 1 / 1000


def test_too_few_distinct_permutations() -> None:
    rng = np.random.default_rng(1)
    a, b = pairs(rng, 4), pairs(rng, 4)
    found = swap_test(ratios(a), ratios(b), permutations=999, seed=1)
    assert found.p is None
    assert found.reason == (
        "only 16 distinct permutations exist (the sides differ in 4 of 4 documents); a test needs at least 20"
    )
    same = swap_test(ratios(b), ratios(b), permutations=999, seed=1)
    assert same.reason is not None
    assert same.reason.startswith("only 1 distinct permutation exists (the sides differ in 0 of 4 documents)")
    found = exchange_test(ratios(a[:2]), ratios(b), permutations=999, seed=1)
    assert found.reason is not None
    assert found.reason.startswith("only 15 distinct permutations exist (2 documents against 4)")


@pytest.mark.parametrize("seed", range(20))
def test_equal_documents_make_no_distinct_permutations(seed: int) -> None:
    rng = np.random.default_rng(seed)
    kinds = [(1.0, 2.0), (0.0, 1.0), (3.0, 4.0)][: int(rng.integers(1, 4))]
    whole = [kinds[i] for i in rng.integers(0, len(kinds), int(rng.integers(4, 9)))]
    size = int(rng.integers(1, len(whole)))
    found = exchange_test(ratios(whole[:size]), ratios(whole[size:]), permutations=999, seed=1)
    known = twin.distinct_choices(whole, size)
    if known < 20:
        assert found.reason is not None
        assert found.reason.startswith(f"only {known} distinct")
    else:
        assert found.p is not None


def test_an_undefined_permutation_counts_as_extreme() -> None:
    """A side without any expected disorder has no value; such a permutation must not make p smaller."""
    tables = [np.array([[1.0, 2.0, 0.1, 2.0], [0.0, 0.0, 1.0, 2.0]])]
    picks = np.zeros((39, 1), dtype=np.int64)
    picks[:3] = 1
    found = split_test(tables, picks, is_exact=False)
    assert found.p == 1.0
