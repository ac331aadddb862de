# SPDX-License-Identifier: MIT
"""Habits of annotators in columns. Oracle: the slow twin (tests/reference/diagnosis.py) on random corpora; permutation
of the annotators by brute force; small corpora whose habits can be seen."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import unisono
from reference import diagnosis as twin
from unisono.alignment import best_alignment
from unisono.diagnosis.alignment_columns import AlignedUnits
from unisono.diagnosis.annotator_cells import HABITS, cells_of, median_of_others
from unisono.diagnosis.contrasts import contrast
from unisono.diagnosis.habits import HabitTable, compare_annotators
from unisono.diagnosis.pieces import Pieces
from unisono.shuffling import (
    CategoryErrors,
    FalseNegatives,
    FalsePositives,
    Merges,
    PositionErrors,
    ReferenceModel,
    Splits,
    shuffled_corpus,
)

ERRORS = [FalseNegatives(), FalsePositives(factor=1), PositionErrors(), CategoryErrors(), Splits(), Merges()]


def aligned(corpus: unisono.Corpus) -> AlignedUnits:
    return AlignedUnits.of_alignments([best_alignment(c) for c in corpus if c.n_annotators >= 2 and len(c)])


def random_corpus(seed: int, annotators: int, *, decimals: bool = False) -> unisono.Corpus:
    model = ReferenceModel(units=12, gap=(0, 25), nesting=0.1, overlap=0.1, decimals=decimals)
    return shuffled_corpus(model, ERRORS, 0.25, sets=3, annotators=annotators, seed=seed)


def groups_of(alignment: unisono.Alignment) -> list[dict[str, twin.Unit]]:
    return [
        {unit.annotator: (unit.start, unit.end, unit.category) for unit in unitary.units if unit is not None}
        for unitary in alignment
    ]


@pytest.mark.parametrize("annotators", [2, 3, 4, 7])
@pytest.mark.parametrize("decimals", [False, True])
def test_cells_are_those_of_the_twin(annotators: int, decimals: bool) -> None:
    seen = dict.fromkeys(HABITS, 0.0)
    for seed in range(8):
        for continuum in random_corpus(seed, annotators, decimals=decimals):
            alignment = best_alignment(continuum)
            units = AlignedUnits.of_alignments([alignment])
            cells = cells_of(units)
            expected = twin.habits(groups_of(alignment), continuum.annotators)
            for habit in HABITS:
                found = {
                    (int(group), continuum.annotators[seat]): value
                    for group, seat, value in zip(
                        cells[habit].group, cells[habit].seat, cells[habit].value.tolist(), strict=True
                    )
                }
                assert found == pytest.approx(expected.get(habit, {})), (seed, habit)
                seen[habit] += sum(map(abs, found.values()))
    assert all(seen.values()), seen  # every habit occurs


@pytest.mark.parametrize("annotators", [2, 4])
def test_excess_and_its_variance(annotators: int) -> None:
    """One document: the numbers are those of the twin; annotators of several documents are added up."""
    corpus = random_corpus(3, annotators)
    units = aligned(corpus)
    cells = cells_of(units)
    tests = compare_annotators(units, cells)
    for column, habit in enumerate(HABITS):
        total = np.zeros(annotators)
        for continuum in corpus:
            of = twin.excess(twin.habits(groups_of(best_alignment(continuum)), continuum.annotators).get(habit, {}))
            total += [of.get(name, (0.0, 0.0))[0] for name in units.annotators]
        assert tests.excess[:, column] == pytest.approx(total, abs=1e-9)


def test_the_test_is_the_permutation_test() -> None:
    """Three annotators, five places: p of the exact distribution over all exchanges of who did it in each place."""
    values = np.array([[1, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0], [1, 0, 0]], dtype=float)
    place, subject = (index.reshape(-1) for index in np.indices(values.shape))
    found = contrast(place, subject, np.zeros_like(place), values.reshape(-1), n_subjects=3, is_binary=True)
    draws = [sum(row[i] for row, i in zip(values, draw, strict=True)) for draw in product(range(3), repeat=5)]
    exact = np.mean([total >= 4 for total in draws])
    assert exact <= found.p_more[0] <= 2 * exact  # the binomial tail bounds it from above
    assert found.p_less[2] >= np.mean([total <= 0 for total in draws])


def test_pairs_of_different_documents_are_never_pieces() -> None:
    one = {"ann": [(0, 10, "A")], "bob": [(0, 5, "A")]}
    two = {"ann": [(0, 5, "A")], "bob": [(5, 10, "A"), (30, 40, "A")]}
    units = aligned(unisono.corpus({"1": one, "2": two}))
    assert len(Pieces.of(units).whole) == 0


def test_splits_and_merges_that_can_be_seen() -> None:
    whole = [(0, 10, "A"), (20, 24, "B")]
    split = [(0, 6, "A"), (6, 10, "A"), (20, 24, "B")]
    units = aligned(unisono.corpus({"d": {"ann": whole, "bob": whole, "cem": split}}))
    tables = {habit: HabitTable.of(units, cells, is_share=True) for habit, cells in cells_of(units).items()}
    assert tables["splits"].value.tolist() == [0, 0, 0.5]
    assert tables["adds"].value.tolist() == [0, 0, 0]
    assert tables["merges"].value.tolist() == [0, 0, 0]
    assert tables["misses"].value.tolist() == [0, 0, 0]
    units = aligned(unisono.corpus({"d": {"ann": split, "bob": split, "cem": whole}}))
    tables = {habit: HabitTable.of(units, cells, is_share=True) for habit, cells in cells_of(units).items()}
    assert tables["merges"].value.tolist() == [0, 0, 0.5]
    assert tables["misses"].value.tolist() == [0, 0, 0]


def test_a_nested_unit_that_is_missed_is_not_merged() -> None:
    nested = [(0, 20, "A"), (4, 8, "A")]
    units = aligned(unisono.corpus({"d": {"ann": nested, "bob": nested, "cem": [(0, 20, "A")]}}))
    tables = {habit: HabitTable.of(units, cells, is_share=True) for habit, cells in cells_of(units).items()}
    assert tables["merges"].count.tolist() == [0, 0, 0]
    assert tables["misses"].value.tolist() == [0, 0, 0.5]


def test_median_of_others_against_numpy() -> None:
    random = np.random.default_rng(1)
    size = random.integers(2, 9, 50)
    group = np.repeat(np.arange(50), size)
    values = random.integers(0, 6, len(group)).astype(float)
    expected = [np.median(np.delete(values[group == g], i)) for g in range(50) for i in range(int(size[g]))]
    assert median_of_others(values, group, size) == pytest.approx(np.array(expected))


@pytest.mark.parametrize("names", [("ann", "bob", "cem", "dee"), ("dee", "cem", "bob", "ann")])
def test_names_and_order_of_annotators_change_nothing(names: tuple[str, ...]) -> None:
    corpus = random_corpus(5, 4)
    place = dict(zip(corpus.annotators, names, strict=True))
    renamed = unisono.corpus(
        {
            c.name: {place[a]: [(u.start, u.end, u.category) for u in c.units_of(a)] for a in c.annotators}
            for c in corpus
        }
    )
    first, second = (compare_annotators(units, cells_of(units)) for units in (aligned(corpus), aligned(renamed)))
    order = [sorted(names).index(place[name]) for name in corpus.annotators]
    assert second.p[order] == pytest.approx(first.p)
    assert second.excess[order] == pytest.approx(first.excess)


def test_what_the_others_do_is_taken_from_elsewhere_where_it_is_undefined() -> None:
    """Beside somebody who marks nothing, the two others of three never have a majority of others to miss with."""
    units = [(0, 5, "A"), (9, 12, "A")]
    few = {"ann": units, "bob": units, "cem": []}
    full = {"ann": units, "bob": units[:1], "dee": units}
    found = aligned(unisono.corpus({"1": few, "2": full}))
    table = HabitTable.of(found, cells_of(found)["misses"], is_share=True)
    place = found.annotators.index("cem")
    assert table.value[place] == 1
    assert table.others[place] == pytest.approx(1 / 4)
