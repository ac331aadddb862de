# SPDX-License-Identifier: MIT
"""Shuffling. Oracle: the reference itself at magnitude 0; the truth, replayed on it; other workers, other sets."""

from __future__ import annotations

import re
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass

import numpy as np
import pytest

import unisono
from unisono import Continuum, CorpusError, ParameterError, Unit, shuffle
from unisono.shuffling import (
    ERRORS,
    BoundaryErrors,
    BoundaryHabit,
    CategoryConfusion,
    CategoryErrors,
    Done,
    FalseNegatives,
    FalsePositives,
    Merges,
    PositionErrors,
    ReferenceModel,
    Sheet,
    Shuffled,
    Splits,
    describe_errors,
    errors_of,
    parse_errors,
    shuffled_corpus,
    shuffled_sets,
)

EVERY = (
    PositionErrors(),
    PositionErrors(keep_apart=True, shift_factor=1.5),
    PositionErrors(end_before_start="clip"),
    CategoryErrors(),
    CategoryErrors(law="square", to="uniform"),
    FalseNegatives(),
    FalsePositives(),
    Splits(),
    Splits(law="linear"),
    Splits(law="each", at_least=40),
    Merges(),
    BoundaryHabit(start=-0.5, end=0.25),
)
MODEL = ReferenceModel(units=25, nesting=0.1, overlap=0.1)
REFERENCE = MODEL.draw(seed=1, name="doc")


def marks(continuum: Continuum, annotator: str) -> list[tuple[object, ...]]:
    return [(unit.start, unit.end, unit.category) for unit in continuum.units_of(annotator)]


def whole(corpus: unisono.Corpus) -> list[list[Unit]]:
    return [list(continuum) for continuum in corpus]


# -- magnitude 0 -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("errors", [*EVERY, EVERY], ids=lambda e: getattr(e, "name", "all"))
@pytest.mark.parametrize("decimals", [False, True])
def test_magnitude_0_leaves_every_unit_untouched(errors, decimals: bool) -> None:
    reference = ReferenceModel(units=25, nesting=0.1, overlap=0.1, decimals=decimals).draw(seed=1, name="doc")
    made = shuffle(reference, errors, 0.0, annotators=4, seed=1)
    for annotator in made.continuum.annotators:
        assert marks(made.continuum, annotator) == marks(reference, "reference")
    assert set(made.truth.what) == {"kept"}
    assert made.continuum.extent == reference.extent


@pytest.mark.parametrize("errors", EVERY, ids=lambda e: e.name)
def test_a_magnitude_factor_of_0_is_a_magnitude_of_0(errors) -> None:
    quiet = type(errors)(magnitude_factor=0.0)
    made = shuffle(REFERENCE, quiet, 1.0, seed=1)
    assert set(made.truth.what) == {"kept"}


def test_magnitude_factors() -> None:
    half = shuffle(REFERENCE, FalseNegatives(magnitude_factor=0.5), 0.8, seed=3)
    assert list(half.continuum) == list(shuffle(REFERENCE, FalseNegatives(), 0.4, seed=3).continuum)
    cut = shuffle(REFERENCE, FalseNegatives(magnitude_factor=5), 0.8, seed=3)
    assert len(cut.continuum) == 0


# -- who, what, where --------------------------------------------------------------------------------------------------


def test_the_reference_is_not_among_the_annotators() -> None:
    made = shuffle(REFERENCE, PositionErrors(), 0.3, seed=1)
    assert made.continuum.annotators == ("annotator-1", "annotator-2", "annotator-3")
    assert made.continuum.name == "doc"
    assert made.reference is REFERENCE
    assert shuffle(REFERENCE, PositionErrors(), 0.3, annotators=["zoe", "ann"]).continuum.annotators == ("ann", "zoe")
    assert len(shuffle(REFERENCE, PositionErrors(), 0.3, annotators=12).continuum.annotators) == 12


def test_annotators_err_independently() -> None:
    made = shuffle(REFERENCE, PositionErrors(), 0.5, seed=1).continuum
    first, second, third = (marks(made, annotator) for annotator in made.annotators)
    assert first != second != third != first


def test_names_and_numbers_of_annotators_change_nothing() -> None:
    """The first annotator is the same in whatever company, and whatever the name."""
    three = shuffle(REFERENCE, EVERY[0], 0.5, seed=1).continuum
    named = shuffle(REFERENCE, EVERY[0], 0.5, annotators=["zoe", "ann"], seed=1).continuum
    assert marks(three, "annotator-1") == marks(named, "zoe")
    assert marks(three, "annotator-2") == marks(named, "ann")


def test_one_type_is_the_same_beside_others() -> None:
    alone = shuffle(REFERENCE, CategoryErrors(), 0.5, seed=1)
    both = shuffle(REFERENCE, [PositionErrors(), CategoryErrors()], 0.5, seed=1)
    rows = [{(row[1], row[2]): row[-1] for row in made.truth.rows()} for made in (alone, both)]
    assert rows[0] == rows[1]
    assert {row[3] for row in both.truth.rows()} >= {"moved", "moved+category"}


def test_the_order_of_types_is_theirs_not_the_callers() -> None:
    assert [kind.name for kind in sorted(ERRORS.values(), key=lambda kind: kind.order)] == list(ERRORS)
    single = [PositionErrors(), CategoryErrors(), FalseNegatives(), FalsePositives(), Splits(), Merges()]
    forward, backward = (shuffle(REFERENCE, errors, 0.5, seed=1).continuum for errors in (single, single[::-1]))
    assert list(forward) == list(backward)


def test_two_of_one_type_err_on_their_own() -> None:
    twice = shuffle(REFERENCE, [FalseNegatives(), FalseNegatives()], 0.5, annotators=200, seed=1)
    assert len(twice.continuum) / (200 * len(REFERENCE)) == pytest.approx(0.25, abs=0.02)


# -- end points and constraints ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("gap", [(0, 10), 0, (0, 100)])
@pytest.mark.parametrize("factor", [0.5, 1.5, 3.0])
@pytest.mark.parametrize("decimals", [False, True])
def test_units_kept_apart_do_not_overlap(gap, factor: float, decimals: bool) -> None:
    model = ReferenceModel(units=40, gap=gap, length=(2, 40), decimals=decimals)
    for magnitude in (0.05, 0.5, 1.0):
        errors = PositionErrors(keep_apart=True, shift_factor=factor)
        for continuum in shuffled_corpus(model, errors, magnitude, sets=5, seed=2):
            assert (continuum.ends > continuum.starts).all()
            same = continuum.annotator_codes[1:] == continuum.annotator_codes[:-1]
            assert (continuum.starts[1:] >= continuum.ends[:-1])[same].all()
            assert (continuum.counts == 40).all()


def test_units_stay_inside() -> None:
    model = ReferenceModel(units=20, gap=0, covering=True)
    for keep_apart in (False, True):
        errors = PositionErrors(stay_inside=True, keep_apart=keep_apart, shift_factor=2.0)
        for made in shuffled_sets(model, errors, 1.0, sets=10, seed=1):
            assert made.continuum.extent == made.reference.extent
    free = shuffled_corpus(model, PositionErrors(shift_factor=2.0), 1.0, sets=10, seed=1)
    assert any(continuum.starts.min() < 0 for continuum in free)
    assert all(c.extent is not None and c.extent.start == min(0, c.starts.min()) for c in free)


def test_units_stay_in_the_text_there_is() -> None:
    reference = Continuum.of({"reference": [(0, 3, "A"), (3, 8, "B"), (9, 12, "A")]}, text="so it goes on", name="t")
    made = shuffle(reference, PositionErrors(shift_factor=3.0), 1.0, annotators=50, seed=1).continuum
    assert made.text == reference.text
    assert 0 <= made.starts.min() < made.ends.max() <= 13


def test_no_room_is_said() -> None:
    reference = Continuum.of({"reference": [(i, i + 1, "A") for i in range(8)] * 2}, extent=(0, 8))
    with pytest.raises(ParameterError, match="there is no room left between 0 and 8 for units that may not overlap"):
        shuffle(reference, PositionErrors(keep_apart=True, stay_inside=True), 1.0)


@pytest.mark.parametrize("magnitude", [0.3, 1.0])
def test_immune_categories_suffer_nothing(magnitude: float) -> None:
    for kind in ERRORS.values():
        reference = ReferenceModel(units=60, covering=kind is BoundaryErrors).draw(seed=1, name="doc")
        originals = [mark for mark in marks(reference, "reference") if mark[2] == "D"]
        own = {"category": "A", "instead": "B"} if kind is CategoryConfusion else {}
        for made in (shuffle(reference, kind(immune=("D",), **own), magnitude, seed=s) for s in range(3)):
            for annotator in made.continuum.annotators:
                assert [mark for mark in marks(made.continuum, annotator) if mark[2] == "D"] == originals, kind.name
        if kind is not FalseNegatives or magnitude < 1:
            assert set(made.truth.what) != {"kept"}


def test_immune_units_are_in_nobodys_way() -> None:
    errors = PositionErrors(keep_apart=True, immune=("A",), shift_factor=1.5)
    for made in shuffled_sets(ReferenceModel(units=30), errors, 1.0, sets=5, seed=1):
        continuum = made.continuum
        same = continuum.annotator_codes[1:] == continuum.annotator_codes[:-1]
        assert (continuum.starts[1:] >= continuum.ends[:-1])[same].all()


def test_splits_cover_what_the_unit_covered() -> None:
    made = shuffle(REFERENCE, Splits(), 1.0, annotators=1, seed=1)
    assert len(made.continuum) == 6 * len(REFERENCE)
    for number, unit in enumerate(REFERENCE):
        pieces = sorted(made.truth.units[made.truth.references == number].tolist())
        starts, ends = made.continuum.starts[pieces], made.continuum.ends[pieces]
        assert (starts[0], ends[-1]) == (unit.start, unit.end)
        assert (starts[1:] == ends[:-1]).all()


def test_units_of_length_1_cannot_be_split() -> None:
    reference = Continuum.of({"reference": [(i, i + 1, "A") for i in range(10)] + [(20, 22, "B")]})
    made = shuffle(reference, Splits(), 1.0, annotators=1, seed=1)
    assert len(made.continuum) == 12
    assert made.truth.counts() == {"kept": 10, "split": 2} | dict.fromkeys(
        ("moved", "category", "merged", "missed", "added"), 0
    )


def test_merges_as_they_are_asked_for() -> None:
    reference = Continuum.of({"reference": [(0, 4, "A"), (4, 10, "A"), (15, 16, "B"), (16, 30, "B")]})
    always = Merges(factor=1.0)
    assert marks(shuffle(reference, always, 1.0, annotators=1).continuum, "annotator-1") == [(0, 30, "B")]
    near = Merges(factor=1.0, farthest=4)
    assert marks(shuffle(reference, near, 1.0, annotators=1).continuum, "annotator-1") == [(0, 10, "A"), (15, 30, "B")]
    like = Merges(factor=1.0, same_category=True)
    assert marks(shuffle(reference, like, 1.0, annotators=1).continuum, "annotator-1") == [(0, 10, "A"), (15, 30, "B")]
    first = Merges(factor=1.0, category="first")
    made = shuffle(reference, first, 1.0, annotators=1)
    assert marks(made.continuum, "annotator-1") == [(0, 30, "A")]
    assert made.truth.what == ("merged",) * 4
    assert made.truth.units.tolist() == [0] * 4


def test_other_features_go_along() -> None:
    reference = Continuum.of({"reference": [Unit(0, 9, "A", features={"size": "big"}), Unit(20, 22, "B")]}, name="d")
    made = shuffle(reference, [Splits(law="linear", limit=1), FalsePositives(factor=1)], 1.0, annotators=1, seed=1)
    for number, unit in zip(made.truth.references.tolist(), made.truth.units.tolist(), strict=True):
        wanted = "big" if number == 0 else None
        assert made.continuum[unit].features == {"size": wanted}


def test_a_reference_without_units() -> None:
    made = shuffle(Continuum.of({"reference": []}, extent=(0, 9), name="d"), list(EVERY[3:]), 1.0)
    assert len(made.continuum) == len(made.truth) == 0
    assert made.continuum.annotators == ("annotator-1", "annotator-2", "annotator-3")


def test_units_of_no_length_stay() -> None:
    reference = Continuum.of({"reference": [(5, 5, "A"), (7, 9, "B")]})
    for errors in (PositionErrors(), PositionErrors(keep_apart=True), Splits()):
        made = shuffle(reference, errors, 1.0, annotators=1, seed=1)
        assert (5, 5, "A") in marks(made.continuum, "annotator-1")


# -- the truth ---------------------------------------------------------------------------------------------------------


def check_truth(made: Shuffled) -> None:
    """Every unit of the reference, of every annotator, is accounted for, and every unit of the annotators."""
    truth, continuum = made.truth, made.continuum
    for code in range(continuum.n_annotators):
        mine = truth.annotators == code
        assert set(truth.references[mine].tolist()) - {-1} == set(range(len(made.reference)))
        units = np.flatnonzero(continuum.annotator_codes == code)
        assert set(truth.units[mine].tolist()) - {-1} == set(units.tolist())
    missed = (truth.done & Done.MISSED) > 0
    assert (missed == (truth.units < 0)).all()
    added = (truth.done & Done.ADDED) > 0
    assert (added == (truth.references < 0)).all()
    for number, unit, done in zip(truth.references.tolist(), truth.units.tolist(), truth.done.tolist(), strict=True):
        if number < 0 or unit < 0:
            continue
        before, after = made.reference[number], continuum[unit]
        if not done & (Done.MOVED | Done.SPLIT | Done.MERGED):
            assert (before.start, before.end) == (after.start, after.end)
        if not done & (Done.CATEGORY | Done.MERGED):
            assert before.category == after.category
        if done == Done.MOVED:
            assert (before.start, before.end) != (after.start, after.end)
        if done == Done.CATEGORY:
            assert before.category != after.category


@pytest.mark.parametrize("errors", [*EVERY, EVERY], ids=lambda e: getattr(e, "name", "all"))
@pytest.mark.parametrize("magnitude", [0.0, 0.2, 0.7, 1.0])
def test_the_truth_accounts_for_every_unit(errors, magnitude: float) -> None:
    check_truth(shuffle(REFERENCE, errors, magnitude, annotators=2, seed=4))


def test_the_rows_of_the_truth() -> None:
    reference = Continuum.of({"reference": [(0, 4, "A"), (6, 10, "B")]}, name="d")
    made = shuffle(reference, FalseNegatives(), 1.0, annotators=["ann"])
    assert list(made.truth.rows()) == [
        ("d", "ann", 0, "missed", 0, 4, "A", None, None, None),
        ("d", "ann", 1, "missed", 6, 10, "B", None, None, None),
    ]
    made = shuffle(reference, FalsePositives(factor=1), 0.5, annotators=["ann"], seed=1)
    *kept, new = made.truth.rows()
    assert [row[3] for row in kept] == ["kept", "kept"]
    assert new[:7] == ("d", "ann", -1, "added", None, None, None)
    assert new[8] - new[7] == 4


# -- seeds, sets, workers ----------------------------------------------------------------------------------------------


def some_sets(numbers: list[int]) -> list[list[Unit]]:
    return whole(shuffled_corpus(MODEL, EVERY, 0.4, sets=numbers, seed=9))


def test_the_same_corpus_on_any_number_of_workers() -> None:
    together = some_sets(list(range(1, 9)))
    with ProcessPoolExecutor(2) as pool:
        apart = list(pool.map(some_sets, [[n] for n in range(1, 9)]))
    assert together == [sets[0] for sets in apart]
    assert together == whole(shuffled_corpus(MODEL, EVERY, 0.4, sets=8, seed=9))


def test_seeds_and_sets_differ() -> None:
    corpus = shuffled_corpus(MODEL, PositionErrors(), 0.4, sets=3, seed=9)
    assert [continuum.name for continuum in corpus] == ["set-0001", "set-0002", "set-0003"]
    assert len({tuple(continuum.starts.tolist()) for continuum in corpus}) == 3
    assert whole(corpus) != whole(shuffled_corpus(MODEL, PositionErrors(), 0.4, sets=3, seed=10))


def test_a_higher_magnitude_makes_the_same_annotators_err_more() -> None:
    low, high = (shuffle(REFERENCE, FalseNegatives(), m, seed=1).truth for m in (0.3, 0.6))
    missed_low, missed_high = ((truth.done & Done.MISSED) > 0 for truth in (low, high))
    assert missed_low.sum() < missed_high.sum()
    assert (missed_high | ~missed_low).all()


def test_references_own_or_common() -> None:
    own = list(shuffled_sets(MODEL, PositionErrors(), 0.4, sets=3, seed=9))
    common = list(shuffled_sets(MODEL, PositionErrors(), 0.4, sets=3, seed=9, own_reference=False))
    assert len({tuple(made.reference.starts.tolist()) for made in own}) == 3
    assert len({id(made.reference) for made in common}) == 1
    assert list(own[0].continuum) == list(common[0].continuum)
    assert [made.continuum.name for made in common] == ["set-0001", "set-0002", "set-0003"]
    assert len({tuple(made.continuum.starts.tolist()) for made in common}) == 3


def test_fixed_positions_in_all_sets() -> None:
    model = ReferenceModel(fixed_positions=True)
    corpus = shuffled_corpus(model, CategoryErrors(), 0.8, sets=5, seed=2)
    assert len({tuple(continuum.starts.tolist()) for continuum in corpus}) == 1


# -- a type of one's own -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Late:
    """Everything comes later."""

    by: int = 5
    name: str = "late"
    order: int = 35
    magnitude_factor: float = 1.0

    def applied(self, sheet: Sheet, magnitude: float, around, random) -> Sheet:
        shift = round(self.by * magnitude)
        return sheet.moved(sheet.starts + shift, sheet.ends + shift)


def test_a_type_of_ones_own() -> None:
    made = shuffle(REFERENCE, [Late(), FalseNegatives()], 1.0, annotators=1)
    assert len(made.continuum) == 0
    made = shuffle(REFERENCE, Late(), 1.0, annotators=1)
    assert made.continuum.starts.tolist() == (REFERENCE.starts + 5).tolist()
    assert set(made.truth.what) == {"moved"}


# -- by name -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("errors", EVERY, ids=lambda e: e.name)
def test_described_and_back(errors) -> None:
    assert errors_of(describe_errors(errors)) == errors


@pytest.mark.parametrize(
    ("text", "errors"),
    [
        ("position", PositionErrors()),
        (
            "position:shift_factor=1.5,keep_apart=true,magnitude-factor=0.5",
            PositionErrors(shift_factor=1.5, keep_apart=True, magnitude_factor=0.5),
        ),
        ("category:law=square,immune=C|D", CategoryErrors(law="square", immune=("C", "D"))),
        ("splits:law=linear,limit=3", Splits(law="linear", limit=3)),
        ("merges:same_category=false,farthest=2.5", Merges(farthest=2.5)),
    ],
)
def test_parsed(text: str, errors) -> None:
    assert parse_errors(text) == errors


def test_closeness_from_a_table_of_distances(tmp_path) -> None:
    path = tmp_path / "distances.csv"
    path.write_text(",A,B,C\nA,0,0.2,1\nB,0.2,0,1\nC,1,1,0\n", encoding="utf-8")
    errors = parse_errors(f"category:overlap={path}")
    assert isinstance(errors, CategoryErrors)
    assert errors.overlap == {
        "A": {"A": 1, "B": 0.8, "C": 0},
        "B": {"A": 0.8, "B": 1, "C": 0},
        "C": {"A": 0, "B": 0, "C": 1},
    }
    # At a low magnitude near categories are confused, far ones hardly ever.
    row = errors.matrix(0.2, {"A": 1, "B": 1, "C": 1})[0]
    assert row[1] > 20 * row[2] > 0


# -- messages ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: shuffle(REFERENCE, PositionErrors(), 1.5), "the magnitude is 1.5, not a number from 0 to 1"),
        (lambda: shuffle(REFERENCE, PositionErrors(), float("nan")), "the magnitude is nan, not a number from 0 to 1"),
        (
            lambda: shuffle(REFERENCE, PositionErrors(), 0.5, seed=-1),
            "the seed is -1, not a whole number from 0 to 2**64-1",
        ),
        (lambda: shuffle(REFERENCE, PositionErrors, 0.5), "PositionErrors'> is not an error type"),
        (lambda: shuffle(REFERENCE, ["position"], 0.5), "'position' is not an error type"),
        (
            lambda: shuffle(REFERENCE, PositionErrors(), 0.5, annotators=0),
            "0 is neither a number of annotators of 1 or more",
        ),
        (lambda: shuffle(REFERENCE, PositionErrors(), 0.5, annotators=["a", "a"]), "nor a list of different names"),
        (
            lambda: shuffle(REFERENCE, PositionErrors(), 0.5, annotators=["reference"]),
            "no annotator can be named 'reference'",
        ),
        (
            lambda: shuffle(REFERENCE, PositionErrors(), 0.5, prevalence={"A": -1}),
            "the prevalences {'A': -1} are not all 0 or more",
        ),
        (lambda: shuffled_corpus(MODEL, PositionErrors(), 0.5, sets=0), "0 is neither a number of sets of 1 or more"),
        (lambda: shuffled_corpus(MODEL, PositionErrors(), 0.5, sets=[2, 2]), "nor a list of different numbers of sets"),
        (lambda: PositionErrors(shift_factor=-1), "position errors: shift_factor is -1, not a number of 0 or more"),
        (lambda: PositionErrors(end_before_start="swap"), "end_before_start is 'swap', not redraw or clip"),
        (lambda: PositionErrors(keep_apart=True, end_before_start="clip"), "end_before_start is 'clip', not redraw"),
        (lambda: CategoryErrors(law="cubic"), "category errors: law is 'cubic', not linear or square"),
        (lambda: CategoryErrors(to="x"), "category errors: to is 'x', not prevalence or uniform"),
        (lambda: CategoryErrors(overlap={"A": {"B": 1.0}}), "category errors: overlap: the row of 'A' is {'B': 1.0}"),
        (lambda: CategoryErrors(immune="D"), "immune is 'D', which is not a sequence of names"),
        (lambda: FalsePositives(factor=float("inf")), "errors: factor is inf, not a number of 0 or more"),
        (lambda: Splits(law="x"), "splits errors: law is 'x', not odds or linear"),
        (lambda: Merges(factor=2), "merges errors: factor is 2, not a number from 0 to 1"),
        (lambda: FalseNegatives(magnitude_factor=-1), "magnitude_factor is -1, not a number of 0 or more"),
        (lambda: parse_errors("merge"), "'merge' is not a type of errors. Did you mean merges?"),
        (lambda: parse_errors("splits:limits=3"), "'limits' is not a parameter of splits errors. Did you mean limit?"),
        (lambda: parse_errors("splits:limit"), "in the errors 'splits:limit', 'limit' has no = sign"),
    ],
)
def test_messages(call, message: str) -> None:
    with pytest.raises(ParameterError, match=re.escape(message)):
        call()


def test_closeness_of_every_category_is_needed() -> None:
    errors = CategoryErrors(overlap={"A": {"A": 1.0, "B": 0.5}, "B": {"A": 0.5, "B": 1.0}})
    with pytest.raises(ParameterError, match="there is no closeness for 'C', 'D'"):
        shuffle(REFERENCE, errors, 0.5)


def test_a_reference_is_by_one_annotator() -> None:
    two = Continuum.of({"a": [(0, 5)], "b": [(0, 5)]}, name="two")
    with pytest.raises(CorpusError, match="two: the reference has 2 annotators instead of one"):
        shuffle(two, PositionErrors(), 0.5)


# -- systematic errors, lengths, unequal annotators --------------------------------------------------------------------


def test_one_annotator_alone_makes_an_error() -> None:
    errors = [FalseNegatives(by=("annotator-2",))]
    made = shuffle(REFERENCE, errors, 1.0, seed=1)
    assert made.continuum.counts.tolist() == [25, 0, 25]
    alone = shuffle(REFERENCE, FalseNegatives(), 0.5, seed=1).continuum
    named = shuffle(REFERENCE, FalseNegatives(by=("annotator-2",)), 0.5, seed=1).continuum
    assert marks(named, "annotator-2") == marks(alone, "annotator-2")
    with pytest.raises(ParameterError, match="'zoe' is not an annotator"):
        shuffle(REFERENCE, FalseNegatives(by=("zoe",)), 0.5)


def test_only_units_of_a_length_suffer() -> None:
    lengths = REFERENCE.ends - REFERENCE.starts
    short = shuffle(REFERENCE, FalseNegatives(at_most=45), 1.0, annotators=1, seed=1)
    assert sorted(short.truth.references[short.truth.units < 0].tolist()) == np.flatnonzero(lengths <= 45).tolist()
    long = shuffle(REFERENCE, Splits(law="each", at_least=55), 1.0, annotators=1, seed=1)
    split = np.unique(long.truth.references[(long.truth.done & Done.SPLIT) > 0])
    assert split.tolist() == np.flatnonzero(lengths >= 55).tolist()
    assert len(long.continuum) == len(REFERENCE) + len(split)
    odds = shuffle(REFERENCE, Splits(at_least=55), 1.0, annotators=1, seed=1)
    assert set(odds.truth.references[(odds.truth.done & Done.SPLIT) > 0].tolist()) == set(split.tolist())
    category = shuffle(REFERENCE, CategoryErrors(at_least=55, to="uniform"), 1.0, annotators=9, seed=1)
    assert set(category.truth.references[category.truth.done > 0].tolist()) == set(split.tolist())
    added = shuffle(REFERENCE, FalsePositives(at_most=45), 1.0, annotators=1, seed=1)
    new = added.truth.units[added.truth.references < 0]
    assert len(new) == 125
    assert (added.continuum.ends - added.continuum.starts)[new].max() <= 45


def test_a_habit_shifts_every_boundary_alike() -> None:
    reference = Continuum.of({"reference": [(10, 20, "A"), (30, 35, "B"), (50, 51, "A")]})
    made = shuffle(reference, BoundaryHabit(end=0.5), 0.2, annotators=1).continuum
    assert marks(made, "annotator-1") == [(8, 21, "A"), (29, 36, "B"), (50, 51, "A")]
    late = shuffle(reference, BoundaryHabit(start=3, positions=True), 1.0, annotators=1).continuum
    assert marks(late, "annotator-1") == [(13, 20, "A"), (33, 35, "B"), (50, 51, "A")]
    text = Continuum.of({"reference": [(0, 4, "A")]}, text="abcdef")
    assert marks(shuffle(text, BoundaryHabit(), 0.5, annotators=1).continuum, "annotator-1") == [(0, 4, "A")]
    some = shuffle(REFERENCE, BoundaryHabit(share=0.3), 0.2, annotators=100, seed=1)
    assert np.mean(some.truth.done > 0) == pytest.approx(0.3, abs=0.03)


def test_a_category_that_the_reference_does_not_have() -> None:
    reference = Continuum.of({"reference": [(10, 20, "A"), (30, 35, "B"), (50, 51, None)]})
    made = shuffle(reference, CategoryConfusion(category="A", instead="C"), 1.0, annotators=1).continuum
    assert [unit.category for unit in made] == ["C", "B", None]
    mutual = shuffle(reference, CategoryConfusion(category="A", instead="B", is_mutual=True), 1.0, annotators=1)
    assert [unit.category for unit in mutual.continuum] == ["B", "A", None]


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ({"type": "confusion", "category": "A"}, "not the names of two categories"),
        ({"type": "confusion", "category": "A", "instead": "B", "is_mutual": 1}, "is_mutual is 1"),
        ({"type": "habit", "start": "early"}, "start is 'early'"),
        ({"type": "habit", "share": 2}, "share is 2"),
        ({"type": "splits", "at_least": -1}, "at_least is -1"),
        ({"type": "splits", "by": "ann"}, "by is 'ann'"),
    ],
)
def test_parameters_of_systematic_errors(keys: dict, words: str) -> None:
    with pytest.raises(ParameterError, match=re.escape(words)):
        errors_of(keys)


def test_annotators_of_unequal_skill() -> None:
    made = shuffle(REFERENCE, FalseNegatives(), 0.5, unequal=(0, 1, 2), seed=1)
    even = shuffle(REFERENCE, FalseNegatives(), 0.5, seed=1)
    counts = made.continuum.counts.tolist()
    assert (counts[0], counts[2]) == (25, 0)
    assert marks(made.continuum, "annotator-2") == marks(even.continuum, "annotator-2")
    spread = [
        made.continuum.counts
        for made in shuffled_sets(MODEL, FalseNegatives(), 0.2, sets=40, annotators=6, unequal=1.0, seed=1)
    ]
    missed = 1 - np.mean(spread, axis=0) / 25
    factors = np.minimum(1, 0.2 * np.array(unisono.shuffling.error_factors(1.0, 6, 1)))
    assert missed == pytest.approx(factors, abs=0.05)
    for unequal in ((1, 2), (1, 2, -1), -1.0, "1,2,3"):
        with pytest.raises(ParameterError, match="unequal"):
            shuffle(REFERENCE, FalseNegatives(), 0.5, unequal=unequal)


def test_systematic_errors_as_text() -> None:
    errors = parse_errors("confusion:category=1,instead=2,is_mutual=true,by=ann|bob")
    assert errors == CategoryConfusion(category="1", instead="2", is_mutual=True, by=("ann", "bob"))
    assert errors_of(describe_errors(errors)) == errors
    assert parse_errors("habit:start=-0.5,at-least=3") == BoundaryHabit(start=-0.5, at_least=3)
