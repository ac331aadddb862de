# SPDX-License-Identifier: MIT
"""Shuffled texts. Oracle: Barteld et al. 2016, section 7 (numbers of changes); the truth, replayed on the reference."""

from __future__ import annotations

import re
from collections import Counter

import numpy as np
import pytest
from scipy import stats

from unisono import ParameterError
from unisono.experiments.text_gamma_figure2 import SETTINGS, reference_version, shuffle_version
from unisono.model.versions import TextUnit, Version
from unisono.shuffling import LabelErrors, PositionErrors, SegmentationErrors, TextErrors, shuffle_text
from unisono.shuffling.text_errors import ShuffledText, TextDone

REFERENCE = reference_version()
EVERY = (TextErrors(), SegmentationErrors(), LabelErrors())


def kept(version: Version) -> list[tuple[str, object]]:
    return [(version.covered(i), dict(version[i].features)) for i in range(len(version))]


@pytest.mark.parametrize("errors", [*EVERY, EVERY], ids=lambda e: getattr(e, "name", "all"))
def test_magnitude_0_leaves_every_unit_untouched(errors) -> None:
    made = shuffle_text(REFERENCE, errors, 0.0, annotators=2)
    for version in made.versions.versions:
        assert version.text == REFERENCE.text
        assert kept(version) == kept(REFERENCE)
    assert set(made.truth.what) == {"kept"}


@pytest.mark.parametrize("magnitude", [0.25, 0.5, 1.0])
def test_numbers_of_changes(magnitude: float) -> None:
    """mt = 0.5 m of the units have another text, ms = 0.1 m changes of segmentation, ml = m labels drawn anew."""
    text = shuffle_text(REFERENCE, TextErrors(), magnitude, seed=2)
    assert Counter(text.truth.what) == {"text": round(304 * magnitude), "kept": 608 - round(304 * magnitude)}
    assert text.versions.versions[0].n_units == 608
    labels = shuffle_text(REFERENCE, LabelErrors(), magnitude, seed=2)
    assert labels.versions.versions[0].text == REFERENCE.text
    changed = labels.truth.what.count("label")
    assert 0.6 * 608 * magnitude < changed < 608 * magnitude  # some get the label they had
    segments = shuffle_text(REFERENCE, SegmentationErrors(), magnitude, seed=2)
    version = segments.versions.versions[0]
    assert version.text == REFERENCE.text
    ours, theirs = (set(zip(v.starts.tolist(), v.ends.tolist(), strict=True)) for v in (version, REFERENCE))
    assert 0 < len(theirs - ours) <= 2 * round(60.8 * magnitude)


def test_labels_at_magnitude_1_come_as_often_as_in_the_reference() -> None:
    made = shuffle_text(REFERENCE, LabelErrors(), 1.0, annotators=20, seed=1)
    drawn = Counter(unit[1]["pos"] for version in made.versions.versions for unit in kept(version))
    observed = Counter(unit[1]["pos"] for unit in kept(REFERENCE))
    tags = [tag for tag, count in observed.items() if count >= 5]
    expected = np.array([observed[tag] * 20 for tag in tags], dtype=float)
    found = np.array([drawn[tag] for tag in tags], dtype=float)
    assert stats.chisquare(found, expected * found.sum() / expected.sum()).pvalue > 0.001


def check_truth(made: ShuffledText) -> None:
    """Every pair has text in common where text is kept; every unit of both sides is in some pair."""
    for code, version in enumerate(made.versions.versions):
        mine = made.truth.annotators == code
        assert set(made.truth.references[mine].tolist()) == set(range(len(made.reference)))
        assert set(made.truth.units[mine].tolist()) == set(range(len(version)))
    parts = Counter(zip(made.truth.annotators.tolist(), made.truth.references.tolist(), strict=True))
    sources = Counter(zip(made.truth.annotators.tolist(), made.truth.units.tolist(), strict=True))
    for row, annotator, number, unit, done in zip(
        made.truth.rows(),
        made.truth.annotators.tolist(),
        made.truth.references.tolist(),
        made.truth.units.tolist(),
        made.truth.done.tolist(),
        strict=True,
    ):
        _, _, what, text_before, labels_before, text_after, labels_after = row
        # Merged and split again is both, though there is one part of one source.
        again = done & TextDone.SPLIT and done & TextDone.MERGED
        assert again or bool(done & TextDone.SPLIT) == (parts[annotator, number] > 1)
        assert again or bool(done & TextDone.MERGED) == (sources[annotator, unit] > 1)
        if what == "kept":
            assert (text_before, labels_before) == (text_after, labels_after)
        if what == "text":
            assert text_before != text_after
            assert labels_before == labels_after
        if what == "label":
            assert text_before == text_after
            assert labels_before != labels_after
        if what == "split":
            assert text_after in text_before


@pytest.mark.parametrize("errors", [*EVERY, EVERY], ids=lambda e: getattr(e, "name", "all"))
@pytest.mark.parametrize("magnitude", [0.2, 1.0])
def test_the_truth_accounts_for_every_unit(errors, magnitude: float) -> None:
    check_truth(shuffle_text(REFERENCE, errors, magnitude, annotators=2, seed=5))


def test_all_kinds_come_up() -> None:
    made = shuffle_text(REFERENCE, [SegmentationErrors(factor=0.5), TextErrors(), LabelErrors()], 1.0, seed=1)
    words = {word for what in made.truth.what for word in what.split("+")}
    assert words == {"kept", "text", "split", "merged", "label"} - ({"kept"} - set(made.truth.what))


def test_units_in_units() -> None:
    """Outer units follow the characters of inner ones; the truth holds for both types."""
    words = [TextUnit(i * 5, i * 5 + 4, features={"pos": "AB"[i % 2]}) for i in range(12)]
    sentences = [TextUnit(i * 20, i * 20 + 19, "sentence") for i in range(3)]
    reference = Version.of(" ".join(["word"] * 12), [*words, *sentences])
    made = shuffle_text(reference, [SegmentationErrors(factor=0.4), TextErrors(), LabelErrors()], 1.0, seed=3)
    check_truth(made)


def test_one_step_is_the_same_beside_others() -> None:
    alone = shuffle_text(REFERENCE, TextErrors(), 0.5, seed=4)
    both = shuffle_text(REFERENCE, [LabelErrors(), TextErrors()], 0.5, seed=4)
    assert alone.versions.versions[0].text == both.versions.versions[0].text


def test_annotators_and_sets_differ() -> None:
    made = shuffle_text(REFERENCE, EVERY, 0.5, annotators=["zoe", "ann"], seed=1, name="d")
    again = shuffle_text(REFERENCE, EVERY, 0.5, annotators=2, seed=1, name="d")
    other = shuffle_text(REFERENCE, EVERY, 0.5, annotators=2, seed=1, name="d", number=1)
    assert made.versions.annotators == ("ann", "zoe")
    assert made.versions["zoe"].text == again.versions["annotator-1"].text
    texts = {version.text for which in (again, other) for version in which.versions.versions}
    assert len(texts) == 4
    assert made.versions.base is not None
    assert made.versions.base.features == {}
    assert made.versions.base.text == REFERENCE.text


def test_the_figure_uses_these_errors() -> None:
    for setting, errors in SETTINGS.items():
        version = shuffle_version(REFERENCE, 0.5, setting, seed=1, repetition=3)
        direct = shuffle_text(REFERENCE, errors, 0.5, seed=1, name=f"{setting} 0.5", number=3)
        assert version.text == direct.versions.versions[0].text
        assert (version.text == REFERENCE.text) == ("Text" not in setting)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: shuffle_text(REFERENCE, PositionErrors(), 0.5), "is not an error type of texts"),
        (lambda: shuffle_text(REFERENCE, ["text"], 0.5), "'text' is not an error type of texts"),
        (
            lambda: shuffle_text(REFERENCE, LabelErrors(features=("lemma",)), 0.5),
            "label errors: the reference has no feature lemma",
        ),
        (lambda: TextErrors(factor=2), "text errors: factor is 2, not a number from 0 to 1"),
        (lambda: SegmentationErrors(factor=-1), "segmentation errors: factor is -1, not a number from 0 to 1"),
        (lambda: LabelErrors(factor=True), "label errors: factor is True, not a number from 0 to 1"),
        (lambda: shuffle_text(REFERENCE, TextErrors(), 2), "the magnitude is 2, not a number from 0 to 1"),
    ],
)
def test_messages(call, message: str) -> None:
    with pytest.raises(ParameterError, match=re.escape(message)):
        call()
