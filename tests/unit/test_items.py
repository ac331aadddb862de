# SPDX-License-Identifier: MIT
"""Items from units, by hand: given positions, atoms, unitary alignments; what is refused, and how it is said."""

from __future__ import annotations

import numpy as np
import pytest

from unisono.alignment import best_alignment
from unisono.dissimilarity import CombinedDissimilarity, FunctionDissimilarity, Interval, Levenshtein, Nominal
from unisono.measures.items import Items, aligned_items, atoms, categorial_of, distance_of, nominal, predefined_items
from unisono.measures.resolved import Resolved
from unisono.measures.undefined import UndefinedError
from unisono.model import Continuum, Unit
from unisono.results import Reason, ReasonCode

ALONE = "needs two annotators of the same document: there is "


def rows(items: Items) -> list[dict[str, str | None]]:
    """Every item as {annotator: label}, one for each atom it stands for."""
    found: list[dict[str, str | None]] = [{} for _ in range(items.n_items)]
    for item, annotator, value in zip(items.item.tolist(), items.annotator.tolist(), items.value.tolist(), strict=True):
        found[item][items.annotators[annotator]] = items.labels[value]
    if items.is_continuous:
        return found
    return [row for row, n in zip(found, items.weights.tolist(), strict=True) for _ in range(int(n))]


def test_predefined_items() -> None:
    one = Continuum.of({"ann": [(0, 5, "A"), (5, 9, "B")], "bob": [(0, 5, "B")], "cem": []}, name="one")
    two = Continuum.of({"bob": [(0, 5, "C")], "dee": [(0, 5, "C")]}, name="two")
    items = predefined_items([one, two])
    assert rows(items) == [{"ann": "A", "bob": "B"}, {"ann": "B"}, {"bob": "C", "dee": "C"}]
    assert items.annotators == ("ann", "bob", "cem", "dee")
    assert items.values.tolist() == [[0, 1, -1], [1, -1, 2], [-1, -1, -1], [-1, -1, 2]]
    assert items.n_values.tolist() == [2, 1, 2]
    assert [column.tolist() for column in items.counts] == [[0, 0, 1, 2], [0, 1, 1, 2], [1, 1, 1, 2]]


def test_unit_without_label_is_missing() -> None:
    continuum = Continuum.of({"ann": [(0, 5, "A"), (5, 9)], "bob": [(0, 5, "A"), (5, 9, "B")]})
    items = predefined_items([continuum])
    assert rows(items) == [{"ann": "A", "bob": "A"}, {"bob": "B"}]
    assert items.notes == ("1 unit without a label: missing values",)


def test_labels_are_of_the_feature_and_only_those_in_use() -> None:
    units = [Unit(0, 5, "A", features={"colour": "red"}), Unit(5, 9, "B", features={"colour": "blue"})]
    continuum = Continuum.of({"ann": units, "bob": units[:1]})
    items = predefined_items([continuum], "colour")
    assert rows(items) == [{"ann": "red", "bob": "red"}, {"ann": "blue"}]
    with pytest.raises(UndefinedError) as caught:
        predefined_items([continuum], "size")
    assert caught.value.reason == Reason(
        ReasonCode.NO_FEATURE, "needs units with the feature 'size': '' has 'category', 'colour'"
    )


@pytest.mark.parametrize(
    ("units", "code", "sentence"),
    [
        (
            {"ann": [(3, 9, "A")], "bob": [(5, 12, "A")]},
            "not-predefined",
            "needs predefined units, at the same positions for all annotators: in 'doc', 3-9 by 'ann' and 5-12 by "
            "'bob' differ",
        ),
        (
            {"ann": [(0, 9, "A")], "bob": [(3, 5, "A")]},
            "not-predefined",
            "needs predefined units, at the same positions for all annotators: in 'doc', 0-9 by 'ann' and 3-5 by "
            "'bob' differ",
        ),
        (
            {"ann": [(0, 9, "A"), (0, 9, "B")], "bob": []},
            "same-position",
            "needs one unit of each annotator at a position: in 'doc', 0-9 by 'ann' and 0-9 by 'ann' are at the same "
            "one",
        ),
        ({"ann": [], "bob": []}, "no-units", "nobody marked any unit"),
        ({"ann": [(0, 4, "A")]}, "too-few-annotators", ALONE + "only 'ann'"),
        ({"ann": [(0, 4)], "bob": []}, "no-labels", "needs units with a category: none of the 1 units has it"),
    ],
)
def test_not_predefined(units: dict[str, list[tuple[int, int, str]]], code: str, sentence: str) -> None:
    with pytest.raises(UndefinedError) as caught:
        predefined_items([Continuum.of(units, name="doc")])
    assert (caught.value.reason.code, caught.value.reason.sentence) == (code, sentence)


def test_predefined_by_the_users_word() -> None:
    """Items that overlap are taken when they are said to be given; that they are not given is taken as well."""
    nested = Continuum.of({"ann": [(0, 9, "A"), (3, 5, "B")], "bob": [(0, 9, "A"), (3, 5, "A")]})
    with pytest.raises(UndefinedError, match="at the same positions for all annotators"):
        predefined_items([nested])
    assert rows(predefined_items([nested], predefined=True)) == [{"ann": "A", "bob": "A"}, {"ann": "B", "bob": "A"}]
    with pytest.raises(UndefinedError, match="needs predefined units: the settings say that these are not"):
        predefined_items([nested], predefined=False)


def test_touching_units_and_points_do_not_overlap() -> None:
    continuum = Continuum.of({"ann": [(0, 5, "A"), (5, 5, "A")], "bob": [(5, 9, "A"), (5, 5, "B")]})
    assert rows(predefined_items([continuum])) == [{"ann": "A"}, {"ann": "A", "bob": "B"}, {"bob": "A"}]


def test_no_documents() -> None:
    for items in (predefined_items, aligned_items, lambda continua: atoms(continua, Resolved())):
        with pytest.raises(UndefinedError, match=f"{ALONE}none"):
            items([])


def test_atoms() -> None:
    one = Continuum.of({"ann": [(1, 3, "A")], "bob": [(2, 4)], "cem": []}, extent=(0, 5), name="one")
    two = Continuum.of({"bob": [(7, 8, "B")], "dee": []}, name="two")
    items = atoms([one, two], Resolved())
    assert rows(items) == [
        {"ann": "blank", "bob": "blank", "cem": "blank"},
        {"ann": "A", "bob": "blank", "cem": "blank"},
        {"ann": "A", "bob": None, "cem": "blank"},
        {"ann": "blank", "bob": None, "cem": "blank"},
        {"ann": "blank", "bob": "blank", "cem": "blank"},
        {"bob": "B", "dee": "blank"},
    ]
    assert items.labels == ("A", "B", None, "blank")
    assert items.blank == 3
    assert not items.is_continuous


def test_a_category_called_blank_is_not_blank() -> None:
    items = atoms([Continuum.of({"ann": [(0, 1, "blank")], "bob": []}, extent=(0, 2))], Resolved())
    assert items.labels == ("blank", "blank")
    assert items.values.tolist() == [[0, 1], [1, 1]]


def test_atoms_are_runs() -> None:
    """A continuum a million times as long has the same number of items."""
    short = {"ann": [(0, 40, "A")], "bob": [(30, 70, "A")]}
    for scale in (1, 10**6):
        units = {name: [(s * scale, e * scale, c) for s, e, c in rows] for name, rows in short.items()}
        items = atoms([Continuum.of(units, extent=(0, 100 * scale))], Resolved())
        assert items.weights.tolist() == [30 * scale, 10 * scale, 30 * scale, 30 * scale]


def test_atoms_of_a_step() -> None:
    """An atom belongs to the unit that holds its middle, counted from where the continuum begins."""
    continuum = Continuum.of({"ann": [(1.0, 1.26, "A"), (1.26, 1.9, "B")], "bob": [(1.04, 1.06, "A")]}, extent=(1, 2))
    items = atoms([continuum], Resolved(step=0.1))
    assert items.weights.tolist() == [1, 2, 6, 1]
    assert [row["ann"] for row in rows(items)] == ["A"] * 3 + ["B"] * 6 + ["blank"]
    assert [row["bob"] for row in rows(items)] == ["A"] + ["blank"] * 9  # 1.04 <= 1.05 < 1.06
    coarse = atoms([continuum], Resolved(step=0.5))
    assert coarse.notes == ("1 unit too short to hold an atom: not seen",)


def test_atoms_without_a_step() -> None:
    items = atoms([Continuum.of({"ann": [(0.0, 0.5, "A")], "bob": [(0.25, 1.0, "A")]})], Resolved())
    assert items.is_continuous
    assert items.weights.tolist() == [0.25, 0.25, 0.5]
    assert items.notes == ("no step: lengths are compared, the limit of ever smaller atoms",)


def test_atoms_that_are_words() -> None:
    text = "Ann went to New York."  # words at 0-3 4-8 9-11 12-15 16-20, the full stop at 20
    units = {"ann": [(0, 3, "PER"), (12, 20, "LOC")], "bob": [(0, 6, "PER"), (13, 21, "LOC"), (8, 9, "ORG")]}
    items = atoms([Continuum.of(units, text=text, name="doc")], Resolved(atoms="word"))
    assert rows(items) == [
        {"ann": "PER", "bob": "PER"},
        {"ann": "blank", "bob": "blank"},  # bob's unit ends at the middle of "went"
        {"ann": "blank", "bob": "blank"},
        {"ann": "LOC", "bob": "LOC"},
        {"ann": "LOC", "bob": "LOC"},
        {"ann": "blank", "bob": "LOC"},
    ]
    assert items.notes == ("1 unit too short to hold an atom: not seen",)
    textless = Continuum.of(units, name="doc")
    with pytest.raises(UndefinedError, match="needs the text of every document, to find its words: 'doc' has none"):
        atoms([textless], Resolved(atoms="word"))


def test_atoms_refuse_overlap() -> None:
    continuum = Continuum.of({"ann": [(3, 9, "A"), (5, 12, "B")], "bob": []}, name="doc1")
    with pytest.raises(UndefinedError, match="do not overlap: annotator 'ann' in 'doc1' has 3-9 and 5-12"):
        atoms([continuum], Resolved())
    point = Continuum.of({"ann": [(3, 9, "A"), (5, 5, "B")], "bob": []})
    items = atoms([point], Resolved())
    assert items.notes == ("1 unit too short to hold an atom: not seen",)


def test_atoms_of_documents_without_units_or_extent() -> None:
    empty = Continuum.of({"ann": [], "bob": []}, name="empty")
    blank = Continuum.of({"ann": [], "bob": []}, extent=(0, 3), name="blank")
    full = Continuum.of({"ann": [(4, 6, "A")], "bob": []}, name="full")
    assert rows(atoms([empty, blank, full], Resolved())) == [
        *[{"ann": "blank", "bob": "blank"}] * 3,
        *[{"ann": "A", "bob": "blank"}] * 2,
    ]


def test_aligned_items() -> None:
    one = Continuum.of({"ann": [(0, 10, "A"), (20, 30, "B")], "bob": [(1, 11, "C")]}, name="one")
    two = Continuum.of({"bob": [(0, 10, "B")], "cem": [(0, 10)]}, name="two")
    alignments = [best_alignment(continuum) for continuum in (one, two)]
    assert rows(aligned_items(alignments)) == [{"ann": "A", "bob": "C"}, {"ann": "B"}, {"bob": "B"}]
    assert rows(aligned_items(alignments[0])) == [{"ann": "A", "bob": "C"}, {"ann": "B"}]


def test_distances() -> None:
    items = atoms([Continuum.of({"ann": [(0, 1, "1"), (1, 2, "3")], "bob": [(0, 1), (1, 2, "2")]})], Resolved())
    assert items.labels == ("1", "2", "3", None)
    codes = np.arange(4)
    distance = distance_of(Interval(), items)
    assert distance(np.zeros(4, dtype=int), codes).tolist() == [0, 0.5, 1, 1]
    assert distance(np.full(4, 3), codes).tolist() == [1, 1, 1, 0]
    edits = distance_of(Levenshtein(), items)
    assert edits(np.zeros(4, dtype=int), codes).tolist() == [0, 1, 1, 1]
    assert distance_of(Nominal(), items) is nominal
    nothing = atoms([Continuum.of({"ann": [(0, 1)], "bob": []})], Resolved())
    assert distance_of(Interval(), nothing) is nominal


def test_categorial_of() -> None:
    interval = Interval(feature="size")
    assert categorial_of(Resolved(dissimilarity=CombinedDissimilarity(categorial=interval))) is interval
    assert categorial_of(Resolved(dissimilarity=FunctionDissimilarity(lambda u, v: 0.0))) == Nominal()
