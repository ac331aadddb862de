# SPDX-License-Identifier: MIT
"""Measures on paired units piece by piece: undefined cases, points, categories, histograms. Oracle: by hand."""

from __future__ import annotations

import pytest

from unisono.dissimilarity import CombinedDissimilarity, Nominal
from unisono.errors import CorpusError
from unisono.measures.catalogue.slot_error import MEASURES
from unisono.measures.resolved import Resolved
from unisono.measures.slot_error import BoundaryErrors, boundary_errors, f1_exact, f1_iou, f1_partial, f1_type, ser
from unisono.model import Continuum, Unit

ALL = {info.name: info.load() for info in MEASURES}


@pytest.mark.parametrize("name", ALL)
def test_undefined(name: str) -> None:
    measure = ALL[name]
    assert measure([], Resolved()).reason == "needs two annotators of the same document: there is none"
    alone = Continuum.of({"ann": [(0, 5)]}, name="doc")
    assert measure([alone], Resolved()).reason == "needs two annotators of the same document: there is only 'ann'"
    empty = Continuum.of({"ann": [], "bob": []}, name="doc")
    reason = "the reference has no units" if name == "ser" else "neither annotator marked any unit"
    assert measure([empty], Resolved()).reason == reason
    found = measure([Continuum.of({"ann": [(0, 5)], "bob": [(0, 5)]})], Resolved(reference="eve"))
    assert found.reason == "needs the reference 'eve' among the annotators: they are 'ann', 'bob'"


def test_annotators_who_never_meet() -> None:
    one, two = Continuum.of({"ann": [(0, 5)]}, name="one"), Continuum.of({"bob": [(0, 5)]}, name="two")
    reason = "needs two annotators of the same document: there are 'ann', 'bob', no two of them in one document"
    assert f1_exact([one, two], Resolved()).reason == reason


def test_an_annotator_without_units() -> None:
    """With bob as the reference there is nothing to divide by; with ann, all her units are missed."""
    continuum = Continuum.of({"ann": [(0, 5), (7, 9)], "bob": []})
    assert ser([continuum], Resolved(reference="bob")).reason == "the reference has no units"
    found = ser([continuum], Resolved())
    assert found.value == 0
    assert found.notes == ("1 of 2 comparisons left out: the reference has no units",)


def test_ser_has_no_lower_bound() -> None:
    continuum = Continuum.of({"ann": [(0, 1)], "bob": [(10, 11), (12, 13), (14, 15)]})
    assert ser([continuum], Resolved(reference="ann")).value == -3


def test_only_units_that_overlap_are_paired() -> None:
    touching = Continuum.of({"ann": [(0, 5, "A")], "bob": [(5, 9, "A")]})
    assert ser([touching], Resolved()).observed == 2
    assert f1_type([touching], Resolved()).value == 0
    assert f1_partial([touching], Resolved()).value == 0


def test_points() -> None:
    """A unit of length 0 meets its equal, and nobody else."""
    rows = {"ann": [(5, 5, "A"), (8, 8, "A")], "bob": [(5, 5, "A"), (7, 9, "A")]}
    continuum = Continuum.of(rows)
    for measure in (f1_exact, f1_partial, f1_type, f1_iou):
        assert measure([continuum], Resolved()).value == 0.5
    errors = boundary_errors([continuum])
    assert (errors.starts.tolist(), errors.unpaired) == ([0], 2)


def test_equal_units_are_paired_one_to_one() -> None:
    continuum = Continuum.of({"ann": [(0, 5, "A"), (0, 5, "A"), (0, 5, "A")], "bob": [(0, 5, "A"), (0, 5, "A")]})
    for measure in (f1_exact, f1_partial, f1_type, f1_iou):
        assert measure([continuum], Resolved()).value == pytest.approx(4 / 5)


def test_the_best_pairing_not_the_first() -> None:
    """bob's first unit could go to either of ann's: only one way pairs everybody."""
    continuum = Continuum.of({"ann": [(0, 4, "A"), (6, 20, "A")], "bob": [(0, 10, "A"), (3, 5, "A")]})
    assert f1_type([continuum], Resolved()).value == 1
    assert ser([continuum], Resolved()).observed == 0.5


def test_half_is_enough_for_iou() -> None:
    for end, value in ((5, 1.0), (4, 0.0)):
        continuum = Continuum.of({"ann": [(0, 10)], "bob": [(0, end)]})
        assert f1_iou([continuum], Resolved()).value == value
    for end, value in ((0.7, 0.0), (0.5, 1.0)):  # 0.3 - 0.1 is a little less than half of 0.5 - 0.1 in binary
        tenths = Continuum.of({"ann": [(0.1, 0.3)], "bob": [(0.1, end)]})
        assert f1_iou([tenths], Resolved()).value == value


def test_units_without_a_category_have_none_in_common_with_the_others() -> None:
    continuum = Continuum.of({"ann": [(0, 5, "A"), (7, 9)], "bob": [(0, 5), (7, 9)]})
    found = f1_exact([continuum], Resolved())
    assert found.value == 0.5
    assert found.per_category is not None
    assert {label: value.value for label, value in found.per_category.items()} == {"A": 0, None: pytest.approx(2 / 3)}
    assert list(found.per_category) == ["A", None]


def test_another_feature() -> None:
    rows = {"ann": [Unit(0, 5, "A", features={"mood": "x"})], "bob": [Unit(0, 5, "B", features={"mood": "x"})]}
    continuum = Continuum.of(rows)
    mood = Resolved(dissimilarity=CombinedDissimilarity(categorial=Nominal(feature="mood")))
    assert f1_exact([continuum], Resolved()).value == 0
    assert f1_exact([continuum], mood).value == 1
    plain = Continuum.of({"ann": [(0, 5, "A")], "bob": [(0, 5, "B")]}, name="without moods")
    assert f1_exact([continuum, plain], mood).value == 1


def test_labels_of_several_documents_meet_by_name() -> None:
    one = Continuum.of({"ann": [(0, 5, "A")], "bob": [(0, 5, "B")]}, name="one")
    two = Continuum.of({"ann": [(0, 5, "B")], "bob": [(0, 5, "B")]}, name="two")
    found = f1_exact([one, two], Resolved())
    assert found.value == 0.5
    assert found.per_category is not None
    assert {label: value.value for label, value in found.per_category.items()} == {"A": 0, "B": pytest.approx(2 / 3)}


def test_documents_are_pooled() -> None:
    """Three units in one document, none right; one in the other, right: 2 of 8, not the mean of 0 and 1."""
    wrong = Continuum.of({"ann": [(0, 5), (10, 15), (20, 25)], "bob": [(1, 5), (11, 15), (21, 25)]}, name="wrong")
    right = Continuum.of({"ann": [(0, 5)], "bob": [(0, 5)]}, name="right")
    assert f1_exact([wrong, right], Resolved()).value == 0.25
    assert ser([wrong, right], Resolved()).observed == pytest.approx(3 * 0.5 / 4)


def test_boundary_errors() -> None:
    """Signed against a reference, distances without one; the best overlap wins, whatever the category."""
    rows = {"ann": [(0, 10, "A"), (20, 30, "B")], "bob": [(2, 10, "B"), (8, 12, "A"), (19, 33, "B")]}
    continuum = Continuum.of(rows)
    errors = boundary_errors([continuum], reference="ann")
    assert (errors.starts.tolist(), errors.ends.tolist(), errors.unpaired) == ([2, -1], [0, 3], 1)
    assert errors.histogram() == [(-1, 1, 0), (0, 0, 1), (2, 1, 0), (3, 0, 1)]
    assert errors.histogram(width=2) == [(0, 1, 1), (2, 1, 0), (4, 0, 1)]
    both = boundary_errors([continuum])
    assert (both.starts.tolist(), both.ends.tolist(), both.reference) == ([2, 1], [0, 3], None)
    message = "the comparison needs two annotators of the same document: there is only 'ann'"
    with pytest.raises(CorpusError, match=message):
        boundary_errors([Continuum.of({"ann": [(0, 5)]})])
    with pytest.raises(CorpusError, match="the reference 'eve' among the annotators: they are 'ann', 'bob'"):
        boundary_errors([continuum], reference="eve")
    assert BoundaryErrors(both.starts[:0], both.ends[:0], 3).histogram() == []
