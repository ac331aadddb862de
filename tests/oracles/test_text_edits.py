# SPDX-License-Identifier: MIT
"""Random edits. Oracle: the slow twin, version by version; the laws of section 6, counted; a closed form."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from reference.text_edits import Dice, Plain, random_version
from unisono.chance import key
from unisono.measures.text_gamma import text_gamma
from unisono.sampling import Sampling
from unisono.text import Prior, RandomEdits, Rates, TextUnit, TextVersions, Version
from unisono.text.core_text import core_text
from unisono.text.edits import Observations

BASE = Version.of_tokens(
    ["De", "hystorie", "van", "der", "duldicheyt", "x", "der", "vrowen"],
    features={"pos": ["D", "N", "A", "D", "N", "A", "D", "N"], "lemma": ["d", None, "v", "d", "d", "x", "d", "v"]},
)
OTHER = Version.of_tokens(
    ["De", "historie", "van", "der", "duldicheit", "x", "dervrowen"],
    features={"pos": ["D", "N", "A", "D", "V", "A", "N"], "lemma": ["d", "h", "v", "d", "d", "x", "v"]},
)


def observations(*, base: Version | None = BASE, count_gaps: bool = False) -> Observations:
    versions = TextVersions.of({"ann": BASE, "bob": OTHER}, base=base, name="griseldis")
    return Observations(core_text(versions, count_gaps=count_gaps))


@pytest.mark.parametrize("exact", [False, True], ids=["binomial", "exact"])
@pytest.mark.parametrize(
    ("p_text", "p_seg", "p_label", "p_further"),
    [(0.5, 0.0, 0.0, 0.0), (0.0, 0.6, 0.0, 0.0), (0.4, 0.5, 0.3, 0.0), (0.9, 0.9, 1.0, 0.4), (0.0, 0.0, 0.5, 0.0)],
)
def test_versions_are_those_of_the_twin(
    exact: bool, p_text: float, p_seg: float, p_label: float, p_further: float
) -> None:
    seen = observations()
    names = seen.core.dissimilarity.names
    rates = Rates(p_text, p_seg, dict.fromkeys(names, p_label), {})
    text, starts, ends, _, own = seen.bases[0].columns()
    rows = own.reshape(len(starts), len(names)).tolist()
    base: Plain = text.tolist(), list(zip(starts.tolist(), ends.tolist(), rows, strict=True))
    tables = [(values.tolist(), until.tolist()) for values, until in (seen.characters, *seen.labels)]
    for sample in range(60):
        drawn = seen.draw(rates, seed=7, sample=sample, annotator=1, p_further=p_further, is_exact=exact)
        expected_text, units = random_version(
            base,
            Dice(key(7, seen.core.digest).tolist(), [0, 1, sample, 1]),
            p_text=p_text,
            p_seg=p_seg,
            p_label=[p_label] * len(names),
            characters=tables[0],
            labels=tables[1:],
            p_further=p_further,
            exact=exact,
        )
        assert [ord(c) for c in drawn.text] == expected_text
        found = [(unit.start, unit.end) for unit in (drawn[i] for i in range(len(drawn)))]
        assert found == [(start, end) for start, end, _ in units]
        for place, name in enumerate(names):
            labels = seen.core.versions.labels(name)
            expected = [None if codes[place] < 0 else labels[codes[place]] for _, _, codes in units]
            assert [drawn.features[name][i] for i in range(len(drawn))] == expected


def test_the_number_of_edits_is_binomial() -> None:
    seen = observations()
    rates = Rates(0.3, 0.0, {"pos": 0.0, "lemma": 0.0}, {})
    changed = []
    for sample in range(3000):
        drawn = seen.draw(rates, seed=1, sample=sample)
        assert len(drawn) == len(BASE)
        changed.append(sum(drawn.covered(i) != BASE.covered(i) for i in range(len(BASE))))
    n, p = len(BASE), 0.3
    assert np.mean(changed) == pytest.approx(n * p, abs=4 * np.sqrt(n * p * (1 - p) / len(changed)))
    assert np.var(changed) == pytest.approx(n * p * (1 - p), rel=0.12)


def test_further_edits_come_with_decreasing_probability() -> None:
    base = Version.of("a" * 1000, [(0, 1000)])
    versions = TextVersions.of({"ann": base, "bob": Version.of("b" * 1000, [(0, 1000)])}, base=base)
    seen = Observations(core_text(versions))
    lengths = [
        abs(len(seen.draw(Rates(1.0, 0, {}, {}), seed=1, sample=i, p_further=p).text) - 1000)
        for p in (0.0, 0.9)
        for i in range(200)
    ]
    assert max(lengths[:200]) == 1
    assert max(lengths[200:]) > 3


def test_merging_takes_in_what_lies_between() -> None:
    base = Version.marked("{a} {b}")
    seen = Observations(core_text(TextVersions.of({"ann": base, "bob": base}, base=base)))
    drawn = {seen.draw(Rates(0.0, 0.5, {}, {}), seed=1, sample=i, is_exact=True).covered(0) for i in range(20)}
    assert drawn == {"a b"}  # neither can be split: every change is a merger


def test_labels_follow_the_observed_distribution() -> None:
    seen = observations(base=None)
    rates = seen.rates(RandomEdits(0.0, 0.0))
    assert rates.p_label == {}
    drawn = [seen.draw(rates, seed=3, sample=i) for i in range(400)]
    share = np.mean([version.features["pos"][i] == "D" for version in drawn for i in range(len(version))])
    assert share == pytest.approx(5 / 15, abs=0.03)  # 3 of 8 and 2 of 7


def test_expected_disorder_of_labels_alone() -> None:
    """With p_text = p_seg = 0 and one feature: (1 - sum of p squared) / 2, the paper's pure categorisation."""
    dice = np.random.default_rng(1)
    tags = dice.choice(list("ABCD"), p=[0.4, 0.3, 0.2, 0.1], size=(2, 400))
    words = [f"w{i}" for i in range(400)]
    versions = TextVersions.of(
        {
            name: Version.of_tokens(words, features={"pos": row.tolist()})
            for name, row in zip(("x", "y"), tags, strict=True)
        },
        base=Version.of_tokens(words),
    )
    found = text_gamma(versions, chance=RandomEdits(0.0, 0.0), sampling=Sampling(samples=2000), seed=1).value
    counts = np.unique(tags, return_counts=True)[1]
    shares = counts / counts.sum()
    assert found.expected == pytest.approx((1 - (shares**2).sum()) / 2, rel=0.003)
    # Krippendorff's α of the same labels: D_e has n (n - 1) in the denominator instead of n squared (n = 800).
    n = counts.sum()
    observed = np.mean(tags[0] != tags[1])
    alpha = 1 - observed * (n - 1) / n / (1 - (shares**2).sum())
    assert found.value == pytest.approx(alpha, abs=0.005)
    assert found.observed == pytest.approx(observed / 2)


def test_estimates_by_hand() -> None:
    seen = observations()
    rates = seen.rates(RandomEdits())
    # bob: hystorie, duldicheyt changed among the six aligned units; ann changed none of eight. One merger among 16.
    assert rates.counts["text"] == (2, 14)
    assert rates.counts["segmentation"] == (1, 16)
    assert rates.counts["pos"] == (1, 14)
    assert rates.p_text == pytest.approx(1 / 7)
    assert rates.p_seg == pytest.approx(1 / 16)
    given = seen.rates(RandomEdits(0.25, 0.04, 0.5))
    assert (given.p_text, given.p_seg, given.p_label) == (0.25, 0.04, {"lemma": 0.5, "pos": 0.5})
    with_prior = seen.rates(RandomEdits(Prior(0.25, 100), 0.04, 0.5))
    assert with_prior.p_text == pytest.approx((2 + 25 - 1) / (14 + 98))


def test_without_a_base_everyone_serves_in_turn() -> None:
    seen = observations(base=None)
    none = Rates(0.0, 0.0, {}, {})
    assert [seen.draw(none, seed=1, sample=i).text for i in range(4)] == [BASE.text, OTHER.text] * 2


def test_several_types_stay_nested_and_gaps_count() -> None:
    text = "Ene so. Twe na. Dre."
    units = [TextUnit(s, e) for s, e in ((0, 3), (4, 6), (6, 7), (8, 11), (12, 14), (14, 15), (16, 19), (19, 20))]
    sentences = [TextUnit(s, e, "sentence") for s, e in ((0, 7), (8, 15), (16, 20))]
    base = Version.of(text, [*units, *sentences])
    versions = TextVersions.of({"ann": base, "bob": base}, base=base)
    assert versions.types == ("sentence", "token")
    seen = Observations(core_text(versions, count_gaps=True))
    for sample in range(200):
        drawn = seen.draw(Rates(0.5, 0.5, {}, {}), seed=2, sample=sample)
        by_type = {
            name: [u for u in (drawn[i] for i in range(len(drawn))) if u.type == name]
            for name in ("sentence", "token", "gap")
        }
        for row in by_type.values():
            assert all(x.end <= y.start for x, y in pairwise(row))
        inside = {p for token in by_type["token"] for p in range(token.start + 1, token.end)}
        starts = {sentence.start for sentence in by_type["sentence"]}
        crossing = [s for s in starts if s in inside]
        # Tokens merge across sentences; a split of a sentence never falls into a token.
        assert len(crossing) <= 2
        covered = {p for row in by_type.values() for u in row for p in range(u.start, u.end)}
        assert covered == set(range(len(drawn.text)))


def test_seeds_threads_and_extension() -> None:
    versions = TextVersions.of({"ann": BASE, "bob": OTHER}, base=BASE, name="griseldis")
    runs = [
        text_gamma(versions, sampling=Sampling(samples=n), seed=5, threads=threads).value.chance_disorders
        for n, threads in ((40, 1), (40, 2), (80, 3))
    ]
    assert all(run is not None for run in runs)
    assert runs[0].tolist() == runs[1].tolist() == runs[2][:40].tolist()
