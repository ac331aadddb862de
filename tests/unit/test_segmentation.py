# SPDX-License-Identifier: MIT
"""Measures of segmentation piece by piece: needs that are not met, atoms, windows, notes. Oracle: by hand."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from segmented import segmented
from unisono.measures import segmentation as measures
from unisono.measures.catalogue.segmentation import MEASURES
from unisono.measures.resolved import Resolved
from unisono.model import Continuum

ALL = {info.name: info.load() for info in MEASURES}
EDITS = [name for name in ALL if "similarity" in name]
Rows = dict[str, list[tuple[float, float]]]

CANNOT: dict[str, tuple[Rows, str]] = {
    "overlap": (
        {"ann": [(0, 4), (3, 10)], "bob": [(0, 10)]},
        "needs units that do not overlap: annotator 'ann' in 'doc' has 0-4 and 3-10",
    ),
    "hole": (
        {"ann": [(0, 10)], "bob": [(0, 4), (5, 10)]},
        "needs units that cover the whole continuum: annotator 'bob' in 'doc' left some of it unmarked "
        "between 0-4 and 5-10",
    ),
    "begins late": (
        {"ann": [(0, 10)], "bob": [(2, 10)]},
        "needs units that cover the whole continuum: annotator 'bob' in 'doc' left some of it unmarked before 2-10",
    ),
    "ends early": (
        {"ann": [(0, 4), (4, 8)], "bob": [(0, 10)]},
        "needs units that cover the whole continuum: annotator 'ann' in 'doc' left some of it unmarked after 4-8",
    ),
    "nothing marked": (
        {"ann": [(0, 10)], "bob": []},
        "needs units that cover the whole continuum: annotator 'bob' in 'doc' has none",
    ),
    "a point": (
        {"ann": [(0, 4), (4, 4), (4, 10)], "bob": [(0, 10)]},
        "needs units of at least one atom: annotator 'ann' in 'doc' has 4-4",
    ),
    "alone": ({"ann": [(0, 10)]}, "needs two annotators of the same document: there is only 'ann'"),
}


@pytest.mark.parametrize("case", CANNOT)
@pytest.mark.parametrize("name", ALL)
def test_needs_that_are_not_met(name: str, case: str) -> None:
    rows, reason = CANNOT[case]
    bad = Continuum.of(rows, name="doc")
    found = ALL[name]([bad], Resolved())
    assert (found.value, found.reason) == (None, reason)
    # Beside a document that can be measured, it is left out.
    good = segmented(40, {"ann": [3, 20], "bob": [4, 20]}, name="good")
    alone, both = (ALL[name](documents, Resolved()) for documents in ([good], [bad, good]))
    assert both.value == alone.value is not None
    assert (alone.documents_measured, both.documents_measured) == (None, 1)
    why = "without two annotators" if case == "alone" else reason
    assert both.notes == (f"1 of 2 documents left out: {why}",)
    # An annotator who is not compared with anybody may mark what she likes.
    if case != "alone":
        also = Continuum.of({"ann": rows["ann"]}, name="also")
        assert ALL[name]([also, good], Resolved()).value == alone.value


@pytest.mark.parametrize("name", ALL)
def test_nobody_marked_anything(name: str) -> None:
    found = ALL[name]([Continuum.of({"ann": [], "bob": []}, name="doc")], Resolved())
    assert found.reason == "needs units that cover the whole continuum: 'doc' has none"


@pytest.mark.parametrize("name", ALL)
def test_no_document_at_all(name: str) -> None:
    assert ALL[name]([], Resolved()).reason == "needs two annotators of the same document: there is none"


@pytest.mark.parametrize("name", ALL)
def test_a_reference_that_is_not_there(name: str) -> None:
    found = ALL[name]([segmented(9, {"ann": [3], "bob": [4]})], Resolved(reference="eve"))
    assert found.reason == "needs the reference 'eve' among the annotators: they are 'ann', 'bob'"


@pytest.mark.parametrize("name", ALL)
def test_parameters_that_make_no_sense(name: str) -> None:
    continuum = segmented(9, {"ann": [3], "bob": [4]})
    assert ALL[name]([continuum], Resolved(window=0)).reason == "needs a window above 0: it is 0"
    assert ALL[name]([continuum], Resolved(step=-1)).reason == "needs a step above 0: it is -1"


NOTHING = "neither annotator placed a boundary inside the continuum"
UNCUT = {
    "window-diff": (1.0, None),
    "pk": (1.0, None),
    "ghd": (None, NOTHING),
    "boundary-similarity": (None, NOTHING),
    "boundary-similarity-pi": (None, NOTHING),
    "boundary-similarity-kappa": (None, NOTHING),
    "segmentation-similarity": (1.0, None),
    "segmentation-similarity-pi": (1.0, None),
    "segmentation-similarity-kappa": (1.0, None),
}


@pytest.mark.parametrize("name", ALL)
def test_one_unit_each(name: str) -> None:
    """Nothing to compare where boundaries are counted; agreement wherever windows or places are."""
    found = ALL[name]([segmented(10, {"ann": [], "bob": []})], Resolved())
    assert (found.value, found.reason) == UNCUT[name]


@pytest.mark.parametrize("name", ALL)
def test_a_continuum_of_one_atom(name: str) -> None:
    found = ALL[name]([segmented(1, {"ann": [], "bob": []})], Resolved())
    assert found.value is None
    assert found.reason in {NOTHING, "no document is longer than the window", "no document has room for a boundary"}


@pytest.mark.parametrize("name", [name for name in ALL if name.endswith(("pi", "kappa"))])
def test_boundaries_everywhere(name: str) -> None:
    found = ALL[name]([segmented(4, {"ann": [1, 2, 3], "bob": [1, 2, 3]})], Resolved())
    assert found.reason == "everybody placed a boundary wherever one could be: chance would agree as well"
    assert (found.observed, found.expected) == (0, 0)


FLOATS = {"ann": [(0.0, 2.0), (2.0, 9.5)], "bob": [(0.0, 2.6), (2.6, 9.5)]}


@pytest.mark.parametrize("name", EDITS)
def test_edits_need_atoms(name: str) -> None:
    found = ALL[name]([Continuum.of(FLOATS)], Resolved())
    assert found.reason is not None
    assert found.reason.startswith("needs positions that are integers, or a step")


@pytest.mark.parametrize("name", ["window-diff", "pk", "ghd"])
def test_the_limit_of_small_steps(name: str) -> None:
    """Without a step, the value that ever smaller steps come close to; a note says so."""
    rows = {"ann": [(0.0, 2.0), (2.0, 5.3), (5.3, 9.5)], "bob": [(0.0, 2.6), (2.6, 7.25), (7.25, 9.5)]}
    continuum = Continuum.of(rows)
    limit = ALL[name]([continuum], Resolved())
    assert limit.notes == ("positions that are not integers are taken as they are, without a step",)
    steps = [ALL[name]([continuum], Resolved(step=step)) for step in (0.5, 0.01, 0.0001)]
    assert not steps[-1].notes
    errors = [abs(value.value - limit.value) for value in steps]
    assert errors[0] > errors[1] > errors[2]
    assert errors[-1] < 1e-4


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("scale", [1, 3])
def test_a_step_is_an_atom(name: str, scale: int) -> None:
    """Positions times three with a step of three are the positions."""
    cuts = {"ann": [3, 9, 15], "bob": [4, 9, 12], "cem": [3, 10]}
    one = segmented(20, cuts)
    other = segmented(20 * scale, {name: [b * scale for b in row] for name, row in cuts.items()}, start=7)
    for window in (None, 3):
        settings = Resolved(step=scale, window=window and window * scale)
        assert ALL[name]([other], settings).value == ALL[name]([one], Resolved(window=window)).value


def test_a_step_closes_small_holes() -> None:
    """Steps of a half: 3.9 and 4.1 are the same place, of which 2.6 is three steps away."""
    rows = {"ann": [(0.0, 3.9), (4.1, 9.0)], "bob": [(0.0, 2.6), (2.6, 9.0)]}
    continuum = Continuum.of(rows, name="doc")
    assert measures.pk([continuum], Resolved()).value is None
    assert measures.boundary_similarity([continuum], Resolved(step=0.5, window=2)).value == pytest.approx(1 - 3 / 4)
    assert measures.boundary_similarity([continuum], Resolved(step=0.5)).value == 0


def test_a_unit_shorter_than_the_step() -> None:
    continuum = Continuum.of({"ann": [(0.0, 4.0), (4.0, 4.2), (4.2, 9.0)], "bob": [(0.0, 9.0)]}, name="doc")
    found = measures.pk([continuum], Resolved(step=1))
    assert found.reason == "needs units of at least one atom: annotator 'ann' in 'doc' has 4.0-4.2"


def test_words() -> None:
    """Six words and marks; boundaries in the blanks around them are the same, and holes of blanks are none."""
    text = "One, two three. Four"
    rows = {"ann": [(0, 8), (9, 20)], "bob": [(0, 9), (9, 15), (16, 20)]}
    continuum = Continuum.of(rows, text=text, name="doc")
    assert measures.segmentation_similarity([continuum], Resolved()).value is None
    found = measures.segmentation_similarity([continuum], Resolved(atoms="word"))
    assert found.value == pytest.approx(1 - 1 / 5)
    found = measures.segmentation_similarity([Continuum.of(rows, name="doc")], Resolved(atoms="word"))
    assert found.reason == "needs the text of every document, to find its words: 'doc' has none"


def test_the_reference_sets_the_window() -> None:
    """Half the mean unit of the reference: 5 or 2 atoms here, so that the directions differ."""
    continuum = segmented(20, {"ann": [10], "bob": [4, 8, 12, 16]})
    one, other = (measures.window_diff([continuum], Resolved(reference=name)).observed for name in ("ann", "bob"))
    both = measures.window_diff([continuum], Resolved())
    assert one != other
    assert both.observed == pytest.approx((one + other) / 2)
    assert both.notes == ()


def test_notes_say_what_the_mean_is_over() -> None:
    first = segmented(20, {"ann": [10], "bob": [9], "cem": []}, name="first")
    alone = segmented(20, {"ann": [10]}, name="alone")
    found = measures.pk([first, alone], Resolved())
    assert found.notes == (
        "1 of 2 documents left out: without two annotators",
        "mean over 3 pairs of annotators in both directions",
    )
    found = measures.pk([first, alone], Resolved(reference="bob"))
    assert found.notes == (
        "1 of 2 documents left out: without the reference 'bob' and somebody else",
        "mean over 2 pairs of annotators",
    )
    uncut = segmented(20, {"ann": [10], "bob": [], "cem": []})
    found = measures.boundary_similarity([uncut], Resolved())
    assert found.value == 0
    assert found.notes == ("mean over 3 pairs of annotators", f"1 of 3 comparisons left out: {NOTHING}")


def test_no_shift_is_free_of_charge_but_where_it_costs_nothing() -> None:
    distance: Callable[..., float] = measures.generalized_hamming_distance
    assert distance([1, 2], [90], shift=0) == 1
    assert distance([], [], shift=1) == 0
    assert distance([5], [], shift=1) == 1
