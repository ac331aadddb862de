# SPDX-License-Identifier: MIT
"""What holds for any reference, any errors and any model. Oracle: the truth replayed; the model read again."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from unisono import Continuum, Corpus, shuffle
from unisono.shuffling import (
    BoundaryHabit,
    CategoryConfusion,
    CategoryErrors,
    CategoryModel,
    Done,
    Empirical,
    FalseNegatives,
    FalsePositives,
    LogNormal,
    Merges,
    PositionErrors,
    ReferenceModel,
    Splits,
)

names = st.text(max_size=5)
positions = st.integers(-1000, 1000)
lengths = st.integers(0, 60)


@st.composite
def references(draw: st.DrawFn) -> Continuum:
    """Any units of one annotator: overlapping, nested, equal, empty, without a category."""
    units = draw(st.lists(st.tuples(positions, lengths, st.sampled_from(["A", "B", None])), max_size=12))
    scale = draw(st.sampled_from([1, 0.5]))
    rows = [(start * scale, (start + length) * scale, label) for start, length, label in units]
    return Continuum.of({"reference": rows}, name="d")


factors = st.floats(0, 3)
immune = st.sampled_from([(), ("A",), ("A", "B")])
errors = st.one_of(
    st.builds(PositionErrors, shift_factor=factors, immune=immune, stay_inside=st.booleans()),
    st.builds(PositionErrors, shift_factor=factors, end_before_start=st.just("clip")),
    st.builds(PositionErrors, shift_factor=factors, keep_apart=st.just(True), immune=immune),
    st.builds(CategoryErrors, law=st.sampled_from(["linear", "square"]), immune=immune),
    st.builds(FalseNegatives, immune=immune),
    st.builds(FalsePositives, factor=factors, immune=immune),
    st.builds(Splits, law=st.sampled_from(["odds", "linear"]), limit=factors, immune=immune),
    st.builds(Splits, law=st.just("each"), at_least=lengths),
    st.builds(Merges, same_category=st.booleans(), immune=immune),
    st.builds(CategoryConfusion, category=st.just("A"), instead=st.sampled_from("BC"), is_mutual=st.booleans()),
    st.builds(
        BoundaryHabit, start=st.floats(-3, 3), end=st.floats(-3, 3), positions=st.booleans(), share=st.floats(0, 1)
    ),
)
magnitudes = st.one_of(st.just(0.0), st.just(1.0), st.floats(0, 1))


@settings(max_examples=200, deadline=None)
@given(references(), st.lists(errors, min_size=1, max_size=4), magnitudes, st.integers(0, 2**64 - 1))
def test_every_unit_is_accounted_for(reference: Continuum, errors: list, magnitude: float, seed: int) -> None:
    made = shuffle(reference, errors, magnitude, annotators=2, seed=seed)
    continuum, truth = made.continuum, made.truth
    # A continuum like any other: the checks and the order of the constructor change nothing.
    again = Continuum(
        starts=continuum.starts.copy(),
        ends=continuum.ends.copy(),
        annotator_codes=continuum.annotator_codes.copy(),
        annotators=continuum.annotators,
        features=continuum.features,
        extent=continuum.extent,
        name=continuum.name,
    )
    assert list(again) == list(continuum)
    assert continuum.starts.dtype == reference.starts.dtype or not len(reference)
    for code in range(2):
        mine = truth.annotators == code
        assert set(truth.references[mine].tolist()) - {-1} == set(range(len(reference)))
        owned = np.flatnonzero(continuum.annotator_codes == code)
        assert set(truth.units[mine].tolist()) - {-1} == set(owned.tolist())
    assert (((truth.done & Done.MISSED) > 0) == (truth.units < 0)).all()
    assert (((truth.done & Done.ADDED) > 0) == (truth.references < 0)).all()
    for number, unit, done in zip(truth.references.tolist(), truth.units.tolist(), truth.done.tolist(), strict=True):
        if done == 0:
            before, after = reference[number], continuum[unit]
            assert (before.start, before.end, before.category) == (after.start, after.end, after.category)
    if magnitude == 0:
        assert not truth.done.any()


@settings(max_examples=100, deadline=None)
@given(references(), factors, magnitudes, st.integers(0, 100))
def test_kept_apart(reference: Continuum, factor: float, magnitude: float, seed: int) -> None:
    """Units that are moved overlap none, whatever the reference was like; those of no length are not moved."""
    errors = PositionErrors(keep_apart=True, shift_factor=factor)
    made = shuffle(reference, errors, magnitude, annotators=1, seed=seed)
    if factor * magnitude == 0:
        return
    lasting = made.continuum.ends > made.continuum.starts
    starts, ends = made.continuum.starts[lasting], made.continuum.ends[lasting]
    order = np.argsort(starts, kind="stable")
    assert (starts[order][1:] >= ends[order][:-1]).all()
    assert lasting.sum() == (reference.ends > reference.starts).sum()


numbers = st.one_of(st.integers(0, 40), st.floats(0, 40).map(lambda x: round(x, 3)))
laws = st.one_of(
    numbers,
    st.tuples(numbers, numbers).map(lambda pair: tuple(sorted(pair))),
    st.builds(LogNormal, st.integers(1, 50), st.floats(0, 1)),
    st.lists(numbers, min_size=1, max_size=5).map(lambda values: Empirical(tuple(values))),
)
models = st.builds(
    ReferenceModel,
    units=st.integers(0, 20),
    length=laws,
    gap=laws,
    categories=st.dictionaries(
        names, st.builds(CategoryModel, st.floats(0.01, 5), st.none() | laws, st.none() | laws), max_size=4
    ),
    exact_prevalence=st.booleans(),
    overlap=st.floats(0, 1),
    nesting=st.floats(0, 0.9),
    depth=st.integers(1, 3),
    decimals=st.booleans(),
)


@settings(max_examples=200, deadline=None)
@given(models, st.integers(0, 1000))
def test_any_model_can_be_written_read_and_drawn(model: ReferenceModel, seed: int) -> None:
    again = ReferenceModel.from_toml(model.to_toml())
    assert again == model
    drawn = model.draw(seed, name="d")
    assert list(again.draw(seed, name="d")) == list(drawn)
    assert drawn.has_integer_positions != model.decimals or not len(drawn)
    if not model.decimals:
        assert (drawn.ends > drawn.starts).all()
    if len(drawn):
        refitted = ReferenceModel.fitted(Corpus((drawn,)))
        assert set(refitted.categories) <= set(model.categories)
