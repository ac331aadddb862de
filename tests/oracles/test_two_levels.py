# SPDX-License-Identifier: MIT
"""Full searches of few samples, short ones of many. Oracles: the slow twin, a known expectation, plain sampling."""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import numpy as np
import pytest
from numpy.typing import NDArray

import unisono
from reference import two_levels as twin
from unisono import sampling
from unisono.alignment.observed import How
from unisono.model import Continuum
from unisono.sampling import Sampling, two_levels
from unisono.sampling.draws import Drawn
from unisono.sampling.estimate import Estimate, Expected
from unisono.sampling.two_levels import COST, TwoLevels

_Longs = NDArray[np.int64]
FULL, ROUGH = How(effort=400.0, near_enough=0.001), How(effort=1.0)
#: The mean of the disorders below.
TRUTH = 1.0


@dataclass
class Made:
    """Samples with a known expectation: normal disorders, and a short search that finds a few per cent more."""

    seed: int
    sd: float = 0.12
    noise: float = 0.02
    gap: float = 0.0005
    #: The share of the samples that a full search leaves open, and of those for which the short search finds more.
    open_share: float = 1.0
    worse_share: float = 1.0
    #: What the short search finds where it finds more.
    excess: float = 1.025
    #: The samples at which the time limit is reached, by full and by short searches.
    last: float = math.inf
    rough_last: float = math.inf
    counts: dict[float | None, int] = field(default_factory=dict)

    case_of: _Longs = field(default_factory=lambda: np.zeros(1, dtype=np.int64))
    labels: tuple[tuple[str | None, ...], ...] = ((),)
    identities: tuple[int, ...] = (0,)

    def sample(self, cases: _Longs, firsts: _Longs, counts: _Longs, how: How) -> Drawn:
        first, count = int(firsts[0]), int(counts[0])
        self.counts[how.effort] = self.counts.get(how.effort, 0) + count
        rngs = [np.random.default_rng([self.seed, first + i]) for i in range(count)]
        rows = np.array([[*rng.normal(size=2), *rng.random(2)] for rng in rngs])
        disorders = TRUTH + self.sd * rows[:, 0]
        bounds = np.where(rows[:, 2] < self.open_share, disorders * (1 - self.gap), disorders)
        if how.effort == ROUGH.effort:
            worse = self.excess * disorders + self.noise * rows[:, 1]
            disorders, bounds = np.where(rows[:, 3] < self.worse_share, worse, disorders), np.zeros(count)
        last = self.rough_last if how.effort == ROUGH.effort else self.last
        if first + count > last:
            disorders[max(0, int(last) - first) :] = np.nan
        return disorders, bounds, np.zeros(count, dtype=np.int64), np.empty(0), np.empty(0)


def measured(made: Made, plan: Sampling | None = None) -> Expected:
    afresh = sampling._Afresh(made, None, ROUGH)
    return sampling._sample_cases(made, plan or Sampling(), FULL, afresh)[0]


def test_the_estimate_is_that_of_the_twin() -> None:
    rng = np.random.default_rng(1)
    exact = rng.normal(1, 0.1, 30)
    rough = np.concatenate([exact * 1.02 + rng.normal(0, 0.01, 30), rng.normal(1.02, 0.1, 70)])
    levels = TwoLevels(Sampling(), None)
    levels.add(rough)
    found = levels.estimate(exact)
    mean, error, freedom = twin.estimate(exact.tolist(), rough.tolist())
    assert found.mean == pytest.approx(mean, abs=1e-14)
    assert found.sd / math.sqrt(found.n) == pytest.approx(error, rel=1e-12)
    assert found.df == math.floor(freedom)
    assert (found.n, found.n_rough, found.is_plain) == (30, 70, False)
    assert found.plain_sd == pytest.approx(np.std(exact, ddof=1))


@pytest.mark.parametrize(("s", "t"), [(0.02, 0.12), (0.06, 0.12), (0.2, 0.12), (0.001, 0.3)])
def test_the_numbers_of_searches_take_the_least_work(s: float, t: float) -> None:
    """Within the rounding of n up to a whole number; every n was tried."""
    plan = Sampling()
    n, others = two_levels._least_work(Estimate(5, 0.0, s), Estimate(5, 1.0, t), plan)
    both = two_levels._sum(Estimate(5, 0.0, s), Estimate(5, 1.0, t))
    allowed = (plan.precision / sampling.two_levels.student_quantile(0.975, both.df)) ** 2
    least = twin.least_work(s, t, allowed, COST, (5, 2))
    assert s**2 / n + t**2 / others <= allowed * (1 + 1e-12)
    assert n + COST * others <= (least[0] + COST * least[1]) * 1.02 + 1


def test_the_interval_holds_the_truth_and_the_mean_has_no_bias() -> None:
    """600 seeds of the whole procedure, sampling until the precision is reached."""
    seeds = 600
    held, means, errors = 0, [], []
    for seed in range(seeds):
        found = measured(Made(seed))
        assert found.disorder is not None
        assert found.disorder.n_rough > 0
        low, high = found.disorder.interval(0.95) or (0.0, 0.0)
        held += low <= TRUTH <= high
        means.append(found.disorder.mean)
        errors.append(found.disorder.sd / math.sqrt(found.disorder.n))
        assert found.is_precise
        assert found.disorder.margin(0.95) <= 0.02 * found.disorder.mean * (1 + 1e-9)
    assert 0.93 <= held / seeds <= 0.975
    assert abs(np.mean(means) - TRUTH) < 3.5 * np.mean(errors) / math.sqrt(seeds)


def test_it_takes_fewer_full_searches() -> None:
    both, alone = Made(3), Made(3)
    found = measured(both)
    plain = sampling._sample_cases(alone, Sampling(), FULL)[0]
    assert both.counts[FULL.effort] == found.n_samples == 30
    assert alone.counts[FULL.effort] == plain.n_samples > 100
    assert found.disorder is not None
    assert plain.disorder is not None
    assert abs(found.disorder.mean - plain.disorder.mean) < 0.04


def test_a_short_search_that_says_nothing_is_not_used() -> None:
    """Its disorders do not follow those of the full search: full searches alone take less work."""
    found = measured(Made(1, noise=0.5))
    assert found.disorder is not None
    assert found.disorder.n_rough == 0
    assert found.disorder.is_plain
    assert found.n_samples > 100


def test_more_full_searches_where_the_difference_varies() -> None:
    """Between the two: the difference needs more than the first batch, and still less than without short searches."""
    made = Made(2, noise=0.055)
    found = measured(made)
    assert found.disorder is not None
    assert found.disorder.n_rough > 0
    assert 30 < found.n_samples < sampling._sample_cases(Made(2, noise=0.055), Sampling(), FULL)[0].n_samples
    assert found.is_precise


def test_only_where_searches_are_left_open_and_samples_are_not_counted() -> None:
    for made, plan in ((Made(1, gap=0.0), Sampling()), (Made(1), Sampling(samples=60))):
        found = measured(made, plan)
        assert found.disorder is not None
        assert found.disorder.n_rough == 0
        assert ROUGH.effort not in made.counts


def test_the_range_is_that_of_the_full_searches() -> None:
    """Each disorder may be as low as its bound; the short searches' values are fixed."""
    found = measured(Made(5, gap=0.01))
    assert found.range is not None
    assert found.disorder is not None
    low, high = found.range
    assert high == pytest.approx(found.disorder.mean, abs=1e-12)
    assert high - low == pytest.approx(float(np.mean(found.disorders - found.bounds)), abs=1e-12)


def crowd(n_annotators: int = 34, n_places: int = 10, whole: int = 600) -> Continuum:
    """Many annotators of a short text, some with much and some with little zeal: hard to align for its size."""
    rng = np.random.default_rng(3)
    starts = np.sort(rng.integers(0, whole - 60, n_places)).tolist()
    zeal, appeal = rng.gamma(1.2, 0.6, n_annotators), rng.beta(0.6, 1.5, n_places)
    units: dict[str, list[tuple[int, int, str]]] = {}
    for a in range(n_annotators):
        marked = units[f"annotator {a}"] = []
        for place in np.flatnonzero(rng.random(n_places) < zeal[a] * appeal).tolist():
            start = int(starts[place] + rng.integers(0, 12))
            marked.append((start, start + int(rng.integers(5, 60)), "ABC"[rng.integers(3)]))
    return Continuum.of(units, extent=(0, whole))


def test_gamma_of_a_hard_document() -> None:
    """With short searches, on any number of threads, and in other processes; held against plain sampling."""
    continuum = crowd()
    settings = {"seed": 1, "intervals": False, "effort": 5000.0, "precision": 0.015}
    one = unisono.measure(continuum, threads=1, **settings)["gamma"]
    assert one.rough_samples is not None
    assert one.n_samples is not None
    assert one.is_precise
    assert one.value is not None
    two = unisono.measure(continuum, threads=2, **settings)["gamma"]
    with ThreadPoolExecutor(2) as executor:
        spread = unisono.measure(continuum, executor=executor, **settings)["gamma"]
    assert one.value == two.value == spread.value
    assert one.rough_samples == two.rough_samples == spread.rough_samples
    plain = unisono.measure(continuum, plain_sampling=True, **settings)["gamma"]
    assert plain.rough_samples is None
    assert plain.n_samples is not None
    assert plain.n_samples > one.n_samples
    interval, its = one.intervals["chance"], plain.intervals["chance"]
    assert abs(one.value - (plain.value or 0.0)) < (interval.high - interval.low) + (its.high - its.low)
    with_categories = unisono.measure(continuum, ["gamma", "gamma-cat"], samples=30, threads=2, seed=1)
    assert with_categories["gamma"].rough_samples is None


def test_the_estimate_lies_in_its_range_when_full_searches_suffice_later() -> None:
    """A second batch of full searches may be precise by itself: then short searches play no part any more."""
    for seed in range(300):
        found = measured(Made(seed, sd=0.06, noise=0.06), Sampling(first=8))
        assert found.disorder is not None
        assert found.range is not None
        assert found.range[0] <= found.disorder.mean <= found.range[1] + 1e-12
        assert found.is_precise


def test_few_differences_that_are_not_zero_take_more_full_searches() -> None:
    """Where the short search found the best alignment for some samples, 30 full searches are made at least."""
    levels = TwoLevels(Sampling(), None)
    rng = np.random.default_rng(4)
    exact = rng.normal(1, 0.12, 16)
    rough = np.concatenate([exact, rng.normal(1, 0.12, 60)])
    rough[3] += 0.01
    levels.add(rough)
    assert levels.allocate(exact, required=1000.0).n_exact == 30
    levels.rough[:16] += 0.001
    assert levels.allocate(exact, required=1000.0).n_exact == 16


def test_an_outlier_among_few_differences_does_not_ask_for_many_searches() -> None:
    """Full searches are doubled at most before their number is estimated anew; short ones are kept ahead of them."""
    levels = TwoLevels(Sampling(), None)
    rng = np.random.default_rng(4)
    exact = rng.normal(1, 0.12, 8)
    levels.add(np.concatenate([exact + rng.normal(0.02, 0.002, 8), rng.normal(1.02, 0.12, 60)]))
    levels.rough[3] += 0.25
    difference, rough = levels._parts(exact)
    assert two_levels._least_work(difference, rough, Sampling())[0] > 80
    found = levels.allocate(exact, required=1000.0)
    assert (found.n_exact, found.n_rough, found.is_less) == (16, 76, True)


def test_full_searches_alone_are_doubled_at_most_where_short_ones_were_tried() -> None:
    """Short searches that say nothing: the precision takes more than a hundred full ones, and eight cannot tell."""
    made = Made(1, noise=0.5)
    counts: list[int] = []
    plain = made.sample

    def sample(cases: _Longs, firsts: _Longs, samples: _Longs, how: How) -> Drawn:
        if how.effort == FULL.effort:
            counts.append(int(samples[0]))
        return plain(cases, firsts, samples, how)

    made.sample = sample  # type: ignore[method-assign]
    found = measured(made, Sampling(first=8))
    assert found.is_precise
    assert sum(counts) > 100
    assert all(count <= sum(counts[:i]) for i, count in enumerate(counts) if i > 0)


@pytest.mark.parametrize("last", [70, 100, 119, 120, 150, 239, 400])
def test_a_time_limit_between_two_estimates(last: int) -> None:
    """Full searches that were finished before the limit count, and there are short ones beyond each of them."""
    found = measured(Made(1, sd=0.5, noise=0.2, last=last))
    assert found.is_cut
    assert found.n_samples == last
    assert found.disorder is not None
    assert found.disorder.n_rough >= two_levels.FIRST
    assert found.range is not None
    assert found.range[0] <= found.disorder.mean <= found.range[1] + 1e-12
    assert abs(found.disorder.mean - TRUTH) < 4 * found.disorder.sd / math.sqrt(found.disorder.n)


@pytest.mark.parametrize("open_share", [0.25, 0.33, 0.5])
def test_about_a_third_of_the_searches_is_left_open(open_share: float) -> None:
    """A document may be hard by its first samples and not by all: its short searches go on."""
    n_used = 0
    for seed in range(40):
        found = measured(Made(seed, noise=0.055, open_share=open_share), Sampling(precision=0.01))
        assert found.disorder is not None
        assert found.is_precise
        if found.disorder.n_rough:
            n_used += 1
            assert found.disorder.margin(0.95) <= 0.01 * found.disorder.mean * (1 + 1e-9)
    assert n_used > 0


@pytest.mark.parametrize(("n_open", "is_hard"), [(0, False), (9, False), (10, True), (30, True)])
def test_short_searches_are_tried_from_a_third_of_open_ones_on(n_open: int, is_hard: bool) -> None:
    samples = sampling._CaseSamples((), Sampling(), None)
    disorders = np.ones(30)
    bounds = np.where(np.arange(30) < n_open, 0.999, 1.0)
    samples.add(disorders, bounds, 0, None, None)
    assert samples.is_hard is is_hard


@pytest.mark.parametrize("rough_last", [0, 40, 89, 90, 130])
def test_a_time_limit_during_short_searches(rough_last: int) -> None:
    """The full searches are kept; short ones count as far as all that were asked for were finished."""
    found = measured(Made(1, rough_last=rough_last))
    assert found.is_cut
    assert found.n_samples == 30
    assert found.disorder is not None
    assert found.disorder.n_rough in (0, two_levels.FIRST)
    assert abs(found.disorder.mean - TRUTH) < 4 * found.disorder.sd / math.sqrt(found.disorder.n)


def test_a_case_beside_one_that_was_cut_is_cut_where_it_is_not_precise() -> None:
    """Its full searches are enough, its short ones were never finished."""
    made = Made(1)
    samples = sampling._CaseSamples((), Sampling(), None)
    zero = np.zeros(1, dtype=np.int64)
    disorders, bounds, *_ = made.sample(zero, zero, zero + 30, FULL)
    samples.add(disorders, bounds, 0, None, None)
    while samples.n_rough < (count := samples.rough_wanted()) and not (samples.levels and samples.levels.is_used):
        samples.add_rough(made.sample(zero, zero + samples.n_rough, zero + count - samples.n_rough, ROUGH)[0])
    assert samples.levels is not None
    assert samples.levels.is_used
    found = samples.cut_short()
    assert not found.is_precise
    assert found.is_cut


@pytest.mark.parametrize(("excess", "sd"), [(1.25, 0.12), (1.25, 0.06), (1.05, 0.12)])
def test_rare_differences_between_the_two_searches(excess: float, sd: float) -> None:
    """In a tenth of the samples the short search finds far more: intervals hold nearly as often as they say."""
    held, seeds = 0, 300
    for seed in range(seeds):
        found = measured(Made(seed, sd=sd, noise=0.0, worse_share=0.1, excess=excess), Sampling(first=8))
        assert found.disorder is not None
        low, high = found.disorder.interval(0.95) or (0.0, 0.0)
        held += low <= TRUTH <= high
    assert held / seeds > 0.88


def test_zeros_among_the_differences() -> None:
    """Differences that are nearly all 0 seem precise, and are not: eight others are needed, or 30 in all."""
    held, n_used, seeds = 0, 0, 300
    for seed in range(seeds):
        found = measured(Made(seed, sd=0.06, noise=0.0, worse_share=0.15), Sampling(first=8))
        assert found.disorder is not None
        if found.disorder.n_rough:
            n_used += 1
            made = Made(seed, sd=0.06, noise=0.0, worse_share=0.15)
            zero = np.zeros(1, dtype=np.int64)
            full, short = (made.sample(zero, zero, zero + found.n_samples, how)[0] for how in (FULL, ROUGH))
            n_different = np.count_nonzero(full != short)
            assert n_different >= two_levels.FEWEST_DIFFERENT or found.n_samples >= two_levels.FEWEST_IF_EQUAL
        low, high = found.disorder.interval(0.95) or (0.0, 0.0)
        held += low <= TRUTH <= high
    assert n_used > 0
    assert held / seeds > 0.92
