# SPDX-License-Identifier: MIT
"""The gold standard piece by piece. Oracle: cases worked out by hand; round trips through every writer."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import pytest

import unisono
from unisono.analysis.gold import REASONS, agreement_with_rest
from unisono.analysis.gold.vote import Ballots

LETTER = "Ann Lee met Bob at the University of Caen on Monday, and nobody knew."


def letter() -> unisono.Continuum:
    return unisono.continuum(
        {
            "ann": [(0, 7, "Person"), (23, 41, "Organisation"), (45, 51, "Place")],
            "bob": [(0, 7, "Person"), (23, 41, "Place")],
            "cem": [(0, 3, "Person"), (12, 15, "Person"), (23, 41, "Event")],
        },
        name="letter",
        text=LETTER,
    )


def rows(gold: unisono.Gold) -> list[tuple[object, ...]]:
    return [(u.start, u.end, u.category, u.support, u.look) for u in gold.units]


def test_by_hand() -> None:
    """23-41 has one vote for each category; Place is used most often in the letter (twice), so it wins, flagged."""
    gold = unisono.gold(letter())
    assert rows(gold) == [(0, 7, "Person", 2, ("apart",)), (23, 41, "Place", 3, ("tie",))]
    # Disorders 1, 1, 1 in the order of the continuum, then (0.16 + 0.16) / 3.
    assert [(u.start, u.look) for u in gold.adjudication()] == [
        (12, ("dropped",)), (23, ("tie",)), (45, ("dropped",)), (0, ("apart",)),
    ]  # fmt: skip
    assert gold.n_units == 2
    assert gold.n_to_look_at == 4
    assert next(gold.units).annotators == ("ann", "bob")  # 0-3 is less than half of 0-7
    assert dict(list(gold.units)[1].votes) == {"Place": 1, "Event": 1, "Organisation": 1}


def test_support_may_be_asked_for() -> None:
    everything = unisono.gold(letter(), min_annotators=1)
    assert everything.n_units == 4
    assert {u.start: u.look for u in everything.units}[12] == ("support",)
    assert unisono.gold(letter(), min_annotators=4).n_units == 0


def test_half_of_the_annotators_is_not_enough() -> None:
    pair = unisono.continuum({"ann": [(0, 5, "A"), (9, 12, "A")], "bob": [(0, 5, "A")]})
    assert rows(unisono.gold(pair)) == [(0, 5, "A", 2, ())]


def test_median_of_an_even_number() -> None:
    """Whole positions: the earlier start and the later end; decimal ones: halfway."""
    whole = unisono.continuum({"ann": [(10, 20, "A")], "bob": [(12, 23, "A")]})
    assert rows(unisono.gold(whole))[0][:2] == (10, 23)
    decimal = unisono.continuum({"ann": [(10.0, 20.0, "A")], "bob": [(12.0, 23.0, "A")]})
    assert rows(unisono.gold(decimal))[0][:2] == (11.0, 21.5)


def test_majority_of_boundaries() -> None:
    units = {"ann": [(10, 20, "A")], "bob": [(10, 24, "A")], "cem": [(11, 24, "A")]}
    assert rows(unisono.gold(unisono.continuum(units), boundaries="majority")) == [(10, 24, "A", 3, ())]
    spread = {"ann": [(10, 20, "A")], "bob": [(11, 22, "A")], "cem": [(13, 24, "A")]}
    made = unisono.gold(unisono.continuum(spread), boundaries="majority")
    assert rows(made) == [(11, 22, "A", 3, ("boundary-tie",))]  # nearest to the median: the median


def test_an_end_before_its_start_cannot_be() -> None:
    """By hand: starts 10, 10, 1, 2, 3 vote for 10, ends 30, 40, 5, 5, 7 for 5: the medians count, 3 and 7."""
    ballots = Ballots(
        number=np.zeros(5, dtype=np.int64),
        firsts=np.array([0, 5]),
        starts=np.array([10, 10, 1, 2, 3]),
        ends=np.array([30, 40, 5, 5, 7]),
        labels=np.zeros(5, dtype=np.int64),
        votes=np.ones(5, dtype=np.int64),
    )
    start, end, tied = ballots.boundaries("majority")
    assert (start.item(), end.item(), tied.item()) == (3, 7, True)


def test_far_units_do_not_count() -> None:
    """By hand: put together for want of better partners, 0-10 and 14-24 have their hull in common, 10/24 each."""
    apart = unisono.continuum({"ann": [(0, 10, "A")], "bob": [(14, 24, "A")]})
    assert len(unisono.best_alignment(apart)) == 1
    assert unisono.gold(apart).n_units == 0
    assert rows(unisono.gold(apart, overlap=0.4)) == [(0, 24, "A", 2, ())]
    assert rows(unisono.gold(apart, min_annotators=1)) == [(0, 10, "A", 1, ("support", "apart"))]


def test_same_category() -> None:
    """By hand: three votes for three categories: each alone is not more than half."""
    assert unisono.gold(letter(), same_category=True).n_units == 1
    two = unisono.continuum({"ann": [(0, 5, "A")], "bob": [(0, 6, "A")], "cem": [(2, 6, "B")]})
    assert rows(unisono.gold(two, same_category=True)) == [(0, 6, "A", 2, ())]


def test_weights_outvote_the_many() -> None:
    units = {"ann": [(0, 5, "A")], "bob": [(0, 5, "B")], "cem": [(0, 6, "B")]}
    weighted = unisono.gold(unisono.continuum(units), weights={"ann": 5, "bob": 1, "cem": 1})
    assert (weighted.parameters["vote"], rows(weighted)[0][:3]) == ("weighted", (0, 5, "A"))
    (unit,) = weighted.units
    assert unit.votes == (("A", 5.0), ("B", 2.0))
    assert rows(unisono.gold(unisono.continuum(units)))[0][2] == "B"


def test_weights_by_agreement() -> None:
    """By hand. ann and bob: one place, all of it shared. ann and cem: two places, 0-5 at d = 1, 20-22 cem's alone:
    nothing shared. So ann and bob share 1 of 3 places each, cem 0 of 4."""
    c = unisono.continuum({"ann": [(0, 5, "A")], "bob": [(0, 5, "A")], "cem": [(0, 5, "B"), (20, 22, "A")]})
    d = unisono.CombinedDissimilarity()
    found = agreement_with_rest([unisono.best_alignment(c, d)], d)
    assert found == pytest.approx({"ann": 1 / 3, "bob": 1 / 3, "cem": 0})
    gold = unisono.gold(c, vote="weighted")
    assert gold.weights == pytest.approx(found)
    assert rows(gold) == [(0, 5, "A", 3, ())]


def test_nobody_marked_anything() -> None:
    gold = unisono.gold(unisono.corpus({"one": {"ann": [], "bob": []}, "two": {"ann": [(0, 5)], "bob": [(0, 5)]}}))
    assert [document.n_kept for document in gold.documents] == [0, 1]
    made = gold.corpus()
    assert [(c.name, c.n_units, c.annotators) for c in made] == [("one", 0, ("gold",)), ("two", 1, ("gold",))]
    assert gold.to_dict()["documents"][0] == {
        "name": "one", "annotators": ["ann", "bob"], "disorder": None, "gap": None, "kept": 0, "units": [],
    }  # fmt: skip


def test_documents_of_one_annotator_have_no_consensus() -> None:
    corpus = unisono.corpus({"one": {"ann": [(0, 5)]}, "two": {"ann": [(0, 5)], "bob": [(0, 5)]}})
    gold = unisono.gold(corpus)
    assert [document.name for document in gold.documents] == ["two"]
    assert [problem.code for problem in gold.problems] == ["too-few-annotators"]
    with pytest.raises(unisono.CorpusError, match="'ann' is the only annotator"):
        unisono.gold(unisono.corpus({"one": {"ann": [(0, 5)]}}))


def test_equal_gold_units_are_flagged() -> None:
    """By hand: both annotators mark the same unit twice."""
    twice = unisono.continuum({"ann": [(0, 5, "A"), (0, 5, "A")], "bob": [(0, 5, "A"), (0, 5, "A")]})
    assert rows(unisono.gold(twice)) == [(0, 5, "A", 2, ("twice",))] * 2


def test_points() -> None:
    same = unisono.continuum({"ann": [(5, 5, "A")], "bob": [(5, 5, "A")]})
    assert rows(unisono.gold(same, dissimilarity=unisono.CombinedDissimilarity(unisono.dissimilarity.Absolute(3)))) == [
        (5, 5, "A", 2, ())
    ]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"vote": "plurality"}, "'plurality' is not a choice for vote. Choose vote= among majority, weighted"),
        ({"boundaries": "mean"}, "'mean' is not a choice for boundaries. Choose boundaries= among median, majority"),
        ({"overlap": 1.5}, "the overlap is 1.5. Give overlap= from 0 to 1"),
        ({"min_annotators": 0}, "the least number of annotators of a unit is 0"),
        ({"vote": "majority", "weights": {"ann": 1}}, "weights are given, but a majority vote ignores them"),
        ({"weights": {"ann": 1, "bob": -1, "cem": 1}}, "weights must not be negative or infinite: bob=-1"),
        ({"weights": {"ann": 0, "bob": 0, "cem": 0}}, "all weights are 0"),
        ({"weights": {"ann": 1, "bob": float("nan"), "cem": 1}}, "must not be negative or infinite: bob=nan"),
        ({"weights": {"ann": 1}}, "there is no weight for 'bob', 'cem'. Add them"),
    ],
)
def test_options_that_cannot_be_met(options: dict[str, object], message: str) -> None:
    with pytest.raises(unisono.ParameterError, match=message.replace("(", r"\(")):
        unisono.gold(letter(), **options)  # type: ignore[arg-type]


def test_signature_says_everything() -> None:
    line = unisono.gold(letter(), weights={"ann": 2, "bob": 1, "cem": 1}, min_annotators=2).signature
    assert line.endswith("|vote:weighted|boundaries:median|min:2|overlap:0.5|weights:ann=2,bob=1,cem=1")


def test_features_of_gold_units() -> None:
    (continuum,) = unisono.gold(letter()).corpus("agreed")
    assert continuum.annotators == ("agreed",)
    assert continuum.text == LETTER
    assert continuum[0].features == {"support": "2/3", "disorder": "0.107", "look": "apart"}


def test_beside_the_annotators() -> None:
    (both,) = unisono.gold(letter()).corpus(beside=True)
    assert both.annotators == ("ann", "bob", "cem", "gold")
    assert both.n_units == letter().n_units + 2
    with pytest.raises(unisono.ParameterError, match="an annotator is already called 'ann'"):
        unisono.gold(letter()).corpus("ann", beside=True)


@pytest.mark.parametrize("format", list(unisono.WRITERS))
def test_through_every_writer_and_back(format: str, tmp_path: Path) -> None:
    """What the formats can hold comes back: the units everywhere, support and reasons where there are features."""
    target = unisono.WRITERS[format]
    path = tmp_path / ("out" + (target.suffixes[0] if target.suffixes else ""))
    made = unisono.gold(letter()).corpus()
    unisono.write(made, path, format=format)
    documents = tmp_path / "out.documents.csv"
    options = {"documents": documents} if documents.exists() else {}
    back = unisono.read(path, **options)[0]
    # CorA-XML divides the whole text into tokens: those between the units come back without a category.
    kept = [u for u in back if u.category is not None] if format == "cora" else list(back)
    assert [(u.start, u.end, u.category) for u in kept] == [(u.start, u.end, u.category) for u in made[0]]
    if format in ("csv", "tsv", "jsonl", "parquet", "json", "brat", "webanno-tsv"):
        assert [u.features["support"] for u in back] == ["2/3", "3/3"]
        assert [u.features["look"] for u in back] == ["apart", "tie"]


def test_shown_as_text() -> None:
    text = str(unisono.gold(letter()))
    assert "(45-51 Place)" in text
    assert "2 gold units from 4 unitary alignments in 1 document; 2 dropped" in text
    assert repr(unisono.gold(letter())) == "<Gold: 2 units in 1 document, 4 to look at>"


def test_every_reason_is_explained() -> None:
    docs = (Path(__file__).parents[2] / "docs" / "gold.md").read_text(encoding="utf-8")
    for reason in REASONS:
        assert f"`{reason}`" in docs


def test_a_hundred_thousand_units() -> None:
    """Three annotators with 33,334 units each: nothing is done unit by unit."""
    rng = np.random.default_rng(0)
    n = 33_334
    base = np.arange(n) * 20
    columns = [np.sort(base + rng.integers(0, 4, n)) for _ in range(3)]
    starts = np.concatenate(columns)
    corpus = unisono.Continuum(
        starts=starts,
        ends=starts + np.tile(rng.integers(6, 14, n), 3),
        annotator_codes=np.repeat(np.arange(3), n),
        annotators=["ann", "bob", "cem"],
        features={"category": unisono.model.Feature(rng.integers(0, 3, 3 * n).astype(np.int32), ("A", "B", "C"))},
        name="long",
    )
    begin = time.process_time()
    gold = unisono.gold(corpus, boundaries="majority", vote="weighted")
    seconds = time.process_time() - begin
    assert n * 0.9 < gold.n_units <= n * 1.1
    assert seconds < 30, f"{seconds:.1f} s"
