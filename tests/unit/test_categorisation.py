# SPDX-License-Identifier: MIT
"""Categorisation, discretised and on-alignment measures as the registry calls them: by hand, with edge cases."""

from __future__ import annotations

from importlib import import_module

import numpy as np
import pytest

from unisono.dissimilarity import CombinedDissimilarity, Interval, Matrix
from unisono.errors import ParameterError
from unisono.measures import chunks
from unisono.measures import kappa as family
from unisono.measures.aligned import WARNING, alpha_on_alignment, kappa_on_alignment
from unisono.measures.catalogue import aligned, discretised
from unisono.measures.catalogue import kappa as categorisation
from unisono.measures.discretised import alpha_d, kappa_d
from unisono.measures.items import Items, distance_of
from unisono.measures.kappa import ac2_of_items, kappa_of_items, weighted_kappa_of_items
from unisono.measures.observed_agreement import item_weights
from unisono.measures.resolved import Resolved
from unisono.model import Continuum, Unit

MEASURES = {info.name: info.load() for info in (*categorisation.MEASURES, *discretised.MEASURES, *aligned.MEASURES)}
ON_ITEMS = [info.name for info in categorisation.MEASURES]
SETTINGS = Resolved()


def items_as_units(rows: dict[str, str], *, name: str = "doc") -> Continuum:
    """One unit of length 10 for each letter; a dot is a missing value."""
    units = {
        annotator: [(10 * i, 10 * i + 10, label) for i, label in enumerate(labels) if label != "."]
        for annotator, labels in rows.items()
    }
    return Continuum.of(units, name=name)


def test_the_catalogue() -> None:
    """Names of the design; each entry says what it needs, what it means in two sentences or so, where it is from."""
    assert ON_ITEMS == ["percentage", "s", "kappa", "weighted-kappa", "pi", "fleiss-k", "multi-kappa", "ac1", "ac2"]
    assert set(MEASURES) - set(ON_ITEMS) == {"kappa-d", "alpha-d", "kappa-on-alignment", "alpha-on-alignment"}
    for info in (*categorisation.MEASURES, *discretised.MEASURES, *aligned.MEASURES):
        module, name = info.home.split(":")
        assert callable(getattr(import_module(module), name))
        assert info.needs
        assert info.explanation.rstrip(".").count(". ") == 1, info.explanation
        assert all(paper.reference for paper in info.papers)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("percentage", 0.75),
        ("s", 0.5),
        # Frequencies of A: 1/2 and 3/4; by chance they agree in half of the items.
        ("kappa", (0.75 - 0.5) / 0.5),
        ("weighted-kappa", 0.5),
        # Frequency of A: 5/8.
        ("pi", (0.75 - 34 / 64) / (30 / 64)),
        ("fleiss-k", (0.75 - 34 / 64) / (30 / 64)),
        ("multi-kappa", 0.5),
        ("ac1", (0.75 - 30 / 64) / (34 / 64)),
        ("ac2", (0.75 - 30 / 64) / (34 / 64)),
        # Units of one length without gaps: the atoms are the items, ten times over.
        ("kappa-d", 0.5),
        ("kappa-on-alignment", 0.5),
    ],
)
def test_by_hand(name: str, value: float) -> None:
    found = MEASURES[name]([items_as_units({"ann": "AABB", "bob": "AABA"})], SETTINGS)
    assert found.value == pytest.approx(value, abs=1e-12)
    assert found.reason is None


@pytest.mark.parametrize("name", MEASURES)
def test_reasons_instead_of_errors(name: str) -> None:
    """Data that a measure cannot take give None with the reason, whatever they are."""
    measure = MEASURES[name]
    nobody = Continuum.of({"ann": [], "bob": []}, name="nobody")
    alone = Continuum.of({"ann": [(0, 5, "A")]}, name="alone")
    point = Continuum.of({"ann": [(3, 3, "A")], "bob": []}, name="point")
    one_label = items_as_units({"ann": "AA", "bob": "AA"})
    apart = Continuum.of({"ann": [(0, 5, "A")], "bob": [(50, 55, "B")]}, name="apart")
    for continua in ([], [nobody], [alone], [point], [one_label], [apart]):
        found = measure(continua, SETTINGS)
        assert found.value is not None or found.reason
    assert measure([nobody], SETTINGS).value is None
    assert measure([alone], SETTINGS).value is None


@pytest.mark.parametrize("name", [name for name in MEASURES if name != "percentage"])
def test_one_category_is_undefined(name: str) -> None:
    """Agreement by chance is certain: neither 0 nor 1."""
    found = MEASURES[name]([items_as_units({"ann": "AAA", "bob": "AAA", "cem": "AAA"})], SETTINGS)
    assert found.value is None
    if "alpha" not in name:
        assert found.reason == "every value is 'A': agreement by chance is certain"


@pytest.mark.parametrize("name", ON_ITEMS)
def test_what_is_not_predefined_is_refused(name: str) -> None:
    continuum = Continuum.of({"ann": [(0, 9, "A"), (9, 12, "B")], "bob": [(0, 8, "A"), (9, 12, "B")]}, name="doc")
    found = MEASURES[name]([continuum], SETTINGS)
    assert found.value is None
    assert found.reason == (
        "needs predefined units, at the same positions for all annotators: in 'doc', 0-8 by 'bob' and 0-9 by 'ann' "
        "differ"
    )
    forced = MEASURES[name]([continuum], Resolved(predefined=True))
    assert forced.reason != found.reason


@pytest.mark.parametrize("name", ["kappa-d", "alpha-d"])
def test_overlap_is_refused_by_atoms_and_taken_by_alignments(name: str) -> None:
    continuum = Continuum.of({"ann": [(3, 9, "A"), (5, 12, "B")], "bob": [(3, 9, "A"), (5, 12, "B")]}, name="doc1")
    assert MEASURES[name]([continuum], SETTINGS).reason == (
        "needs units that do not overlap: annotator 'ann' in 'doc1' has 3-9 and 5-12"
    )
    assert kappa_on_alignment([continuum], SETTINGS).value == 1.0
    assert alpha_on_alignment([continuum], SETTINGS).value == 1.0


@pytest.mark.parametrize("name", MEASURES)
def test_documents_are_pooled(name: str) -> None:
    """All documents at once are one long document, as long as no item crosses a border; annotators by name."""
    one, two = {"ann": "AABBC", "bob": "AABBA"}, {"bob": "CAB", "ann": "CAC"}
    whole = items_as_units({annotator: one[annotator] + two[annotator] for annotator in one})
    apart = [items_as_units(one, name="one"), items_as_units(two, name="two")]
    assert MEASURES[name](apart, SETTINGS).value == pytest.approx(MEASURES[name]([whole], SETTINGS).value, abs=1e-12)


@pytest.mark.parametrize("name", MEASURES)
def test_other_annotators_in_other_documents(name: str) -> None:
    """A document of ann and bob, one of cem and dee: no pair in common but the pairs of each document."""
    first = items_as_units({"ann": "AABBC", "bob": "AABBA"}, name="one")
    second = items_as_units({"cem": "CABAC", "dee": "CABCC"}, name="two")
    assert MEASURES[name]([first, second], SETTINGS).value is not None


def test_more_than_two_annotators_are_pairs() -> None:
    rows = {"ann": "AABB", "bob": "AABA", "cem": "AAAA"}
    pairs = [{name: rows[name] for name in pair} for pair in (("ann", "bob"), ("ann", "cem"), ("bob", "cem"))]
    for name in ("kappa", "pi"):
        single = [MEASURES[name]([items_as_units(pair)], SETTINGS).value for pair in pairs]
        found = MEASURES[name]([items_as_units(rows)], SETTINGS)
        assert found.value == pytest.approx(float(np.mean(single)), abs=1e-12)
        assert found.notes == ("mean over 3 pairs of annotators",)
        assert found.observed is None


def test_pairs_without_a_value_are_said() -> None:
    found = family.kappa([items_as_units({"ann": "AB", "bob": "AB", "cem": "A.", "dee": "A."})], SETTINGS)
    assert found.value == 1.0
    assert found.notes == (
        "mean over 1 of 6 pairs of annotators",
        "5 pairs have no value: one category only on their common items",
        "missing values: each pair of annotators on the items they share",
    )


def test_no_item_in_common() -> None:
    continuum = items_as_units({"ann": "AB..", "bob": "..AB"})
    for name in ON_ITEMS:
        assert MEASURES[name]([continuum], SETTINGS).reason == "no item has values of two annotators"


def test_distances_come_from_the_dissimilarity() -> None:
    continuum = items_as_units({"ann": "1123", "bob": "1133"})
    matrix = Matrix({("1", "2"): 1.0, ("1", "3"): 1.0, ("2", "3"): 0.0})
    same = Resolved(dissimilarity=CombinedDissimilarity(categorial=matrix))
    assert family.weighted_kappa([continuum], same).value == 1.0
    assert family.ac2([continuum], same).value == 1.0
    assert family.kappa([continuum], same).value != 1.0
    interval = Resolved(dissimilarity=CombinedDissimilarity(categorial=Interval()))
    # Distances 0, 0, 1/2, 0; by chance ann's 1, 1, 2, 3 with bob's 1, 1, 3, 3.
    expected = (2 * 2 * 1 + 1 * 2 * 0.5 + 1 * 2 * 0.5 + 1 * 2 * 1) / 16
    assert family.weighted_kappa([continuum], interval).value == pytest.approx(1 - 0.125 / expected, abs=1e-12)


def test_distance_that_cannot_take_the_labels() -> None:
    interval = Resolved(dissimilarity=CombinedDissimilarity(categorial=Interval()))
    found = family.weighted_kappa([items_as_units({"ann": "A1", "bob": "A2"})], interval)
    assert found.value is None
    assert "the label 'A' is not a number" in (found.reason or "")
    assert family.kappa([items_as_units({"ann": "A1", "bob": "A2"})], interval).value is not None


def test_all_labels_at_distance_0() -> None:
    zero = Resolved(dissimilarity=CombinedDissimilarity(categorial=Matrix({("A", "B"): 0.0})))
    found = family.weighted_kappa([items_as_units({"ann": "AB", "bob": "BA"})], zero)
    assert found.reason == "no disagreement is expected: agreement by chance is certain"


def test_features() -> None:
    """The labels are those of the feature that the categorial dissimilarity names."""
    units = {
        "ann": [Unit(0, 5, "A", features={"colour": "red"}), Unit(5, 9, "A", features={"colour": "blue"})],
        "bob": [Unit(0, 5, "A", features={"colour": "red"}), Unit(5, 9, "B", features={"colour": "blue"})],
    }
    colour = Resolved(dissimilarity=CombinedDissimilarity(categorial=Interval(feature="colour")))
    assert family.percentage([Continuum.of(units)], colour).value == 1.0
    assert family.percentage([Continuum.of(units)], SETTINGS).value == 0.5
    assert kappa_d([Continuum.of(units)], colour).value == 1.0


def test_categories() -> None:
    """Every category against the rest; a category that nobody could miss has no value."""
    found = family.fleiss_k([items_as_units({"ann": "AABBC", "bob": "AABCC"})], SETTINGS)
    assert found.per_category is not None
    assert list(found.per_category) == ["A", "B", "C"]
    assert found.per_category["A"].value == 1.0
    assert found.per_category["B"].value == pytest.approx(1 - 0.2 / (2 * 0.3 * 0.7), abs=1e-12)
    assert found.per_category["B"].observed == pytest.approx(0.2, abs=1e-12)
    # C was given by one annotator only, to an item that has no other value.
    lonely = family.percentage([items_as_units({"ann": "AAC", "bob": "AB."})], SETTINGS)
    assert lonely.per_category is not None
    assert lonely.per_category["C"].reason == "no item with two values has it"


def test_atoms_say_which_generalisation() -> None:
    continuum = Continuum.of({"ann": [(0, 4, "A")], "bob": [(0, 3, "A")], "cem": [(1, 4, "A")]}, extent=(0, 8))
    assert kappa_d([continuum], SETTINGS).notes == ("Fleiss' K, for 3 annotators",)
    two = Continuum.of({"ann": [(0, 4, "A")], "bob": [(0, 3, "A")]}, extent=(0, 8))
    assert kappa_d([two], SETTINGS).notes == ()


def test_what_atoms_cannot_see() -> None:
    """2015, section 3.4.1: one unit is two that touch; a false positive is a small shift; blanks are agreement."""
    one = Continuum.of({"ann": [(0, 4, "A")], "bob": [(0, 2, "A"), (2, 4, "A")]}, extent=(0, 20))
    assert kappa_d([one], SETTINGS).value == alpha_d([one], SETTINGS).value == 1.0
    shifted = Continuum.of({"ann": [(5, 9, "A")], "bob": [(5, 8, "A")]}, extent=(0, 20))
    additional = Continuum.of({"ann": [(5, 8, "A"), (12, 13, "A")], "bob": [(5, 8, "A")]}, extent=(0, 20))
    assert kappa_d([shifted], SETTINGS).value == kappa_d([additional], SETTINGS).value
    longer = Continuum.of({"ann": [(5, 9, "A")], "bob": [(5, 8, "A")]}, extent=(0, 2000))
    assert (kappa_d([longer], SETTINGS).value or 0) > (kappa_d([shifted], SETTINGS).value or 0)


def test_on_alignment_warns() -> None:
    continuum = Continuum.of({"ann": [(0, 5, "A"), (9, 14, "B")], "bob": [(1, 6, "A"), (9, 15, "B")]}, name="doc")
    for measure in (kappa_on_alignment, alpha_on_alignment):
        assert measure([continuum], SETTINGS).notes == (WARNING,)
    nobody = Continuum.of({"ann": [], "bob": []})
    assert kappa_on_alignment([continuum, nobody], SETTINGS).value == 1.0
    assert kappa_on_alignment([nobody], SETTINGS).reason == "needs a document with two annotators and a unit"


def test_blocks_of_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Many pairs of values are counted block by block, with the same outcome."""
    rng = np.random.default_rng(1)
    table = Items.of(rng.choice(list("1234"), (6, 50)).tolist())
    distance = distance_of(Interval(), table)

    def values() -> list[float | None]:
        weighted = [measure(table, distance).value for measure in (weighted_kappa_of_items, ac2_of_items)]
        return [kappa_of_items(table).value, *weighted]

    whole = values()
    monkeypatch.setattr(chunks, "BLOCK", 7)
    assert values() == pytest.approx(whole, abs=1e-14)


def test_atoms_need_a_step_above_0() -> None:
    continuum = items_as_units({"ann": "AB", "bob": "AB"})
    assert kappa_d([continuum], Resolved(step=0)).reason == "needs a step above 0: it is 0"


def test_unknown_conception() -> None:
    with pytest.raises(ParameterError, match="'XL' is not a conception of missing values"):
        item_weights(Items.of(["AB", "AB"]), "XL")  # type: ignore[arg-type]


def test_nominal_distance_is_said() -> None:
    found = family.weighted_kappa([items_as_units({"ann": "AAB", "bob": "ABB"})], SETTINGS)
    assert found.notes == ("nominal distance: the same as kappa",)
