# SPDX-License-Identifier: MIT
"""The aligner of `greyc-2017`, where two empty units cost nothing, held against brute force over all partitions."""

from __future__ import annotations

import numpy as np
import pytest

from generators import described, random_weights, tiny_continuum
from reference.alignment import members_of
from reference.dissimilarity import combined
from reference.program_2017 import brute_force
from unisono.alignment import align_2017, best_alignment
from unisono.alignment.observed import observe
from unisono.alignment.soft import best_soft_alignment
from unisono.alignment.ties import tied_optima
from unisono.dissimilarity import Program2017Dissimilarity
from unisono.dissimilarity.core_documents import CoreDocuments
from unisono.errors import ParameterError
from unisono.model import Continuum


def test_the_best_alignment_is_that_of_brute_force() -> None:
    """The least sum, among ties the most unitary alignments, and the mean of their disorders."""
    rng = np.random.default_rng(22)
    for _ in range(400):
        continuum = tiny_continuum(rng, most_units=7)
        w = random_weights(rng)
        alignment = best_alignment(
            continuum, Program2017Dissimilarity(alpha=w.alpha, beta=w.beta, delta_empty=w.delta_empty)
        )
        d = combined(alpha=w.alpha, beta=w.beta, delta_empty=w.delta_empty)
        best = brute_force(continuum, d, w.delta_empty)
        assert float(alignment.disorders.sum()) == pytest.approx(best.total, abs=1e-9), described(continuum)
        assert len(alignment) == best.most, described(continuum)
        assert tuple(sorted(members_of(alignment.group.tolist()))) in best.tied, described(continuum)
        assert alignment.disorder == pytest.approx(best.total / len(alignment), abs=1e-9)
        assert alignment.is_proven
        assert alignment.gap == 0


@pytest.mark.parametrize("n_annotators", [2, 3, 5])
def test_two_units_stay_together_up_to_twice_delta_empty(n_annotators: int) -> None:
    """d < 2 for any number of annotators (Eq. 6 with d(empty, empty) = 0); in 2015 it is d < C + 1."""
    units = {f"annotator {i}": [] for i in range(n_annotators)} | {"a": [(0, 10, "A")], "b": [(0, 10, "B")]}
    sizes = [
        len(best_alignment(Continuum.of(units), Program2017Dissimilarity(beta=beta))) for beta in (1.99, 2.0, 2.01)
    ]
    assert sizes == [1, 2, 2]


def test_a_stopped_search_says_so_and_its_bound_is_proven(monkeypatch: pytest.MonkeyPatch) -> None:
    """bound <= true optimum <= value, against brute force, when only two states are kept."""
    monkeypatch.setattr(align_2017, "MOST_STATES", 2)
    rng = np.random.default_rng(5)
    stopped = 0
    for _ in range(1500):
        continuum = tiny_continuum(rng, most_units=6, most_annotators=4)
        alignment = best_alignment(continuum, Program2017Dissimilarity())
        best = brute_force(continuum, combined(), 1.0)
        k = len(alignment)
        assert alignment.lower_bound <= best.total / best.most + 1e-9, described(continuum)
        assert best.total <= alignment.disorder * k + 1e-9
        stopped += alignment.limit == "memory"
    assert stopped > 5


def test_names_break_no_tie() -> None:
    """Property: at alpha 4 a unit moved by half its length is tied with another category at the same place."""
    dissimilarity = Program2017Dissimilarity(alpha=4.0)
    one = Continuum.of(
        {
            "p": [(5, 15, "A"), (5, 15, "C")],
            "q": [(10, 20, "A"), (15, 25, "A"), (15, 25, "A")],
            "r": [(5, 15, "B")],
        },
        extent=(0, 40),
    )
    labels = {"A": "l4", "B": "l5", "C": "l2"}
    names = {"p": "n2", "q": "n4", "r": "n3"}
    other = Continuum.of(
        {names[a]: [(u.start, u.end, labels[str(u.category)]) for u in one.units_of(a)] for a in one.annotators},
        extent=(0, 40),
    )
    first, second = (observe(CoreDocuments.of((c,), dissimilarity))[0] for c in (one, other))
    assert first.alignment.disorder == second.alignment.disorder
    assert first.categories is not None
    assert second.categories is not None
    assert first.categories.weight == second.categories.weight
    assert first.categories.disorder == second.categories.disorder


@pytest.mark.parametrize("time_limit", [0.0, -1.0])
def test_a_time_limit_that_is_none_is_refused(time_limit: float) -> None:
    """The same check as for every other dissimilarity."""
    continuum = Continuum.of({"ann": [(0, 10, "A")], "bob": [(2, 10, "A")]})
    with pytest.raises(ParameterError, match="not above 0"):
        best_alignment(continuum, Program2017Dissimilarity(), time_limit=time_limit)


def test_what_the_core_cannot_do_is_refused_with_the_reason() -> None:
    continuum = Continuum.of({"ann": [(0, 10, "A")], "bob": [(2, 10, "A")]})
    for search in (best_soft_alignment, tied_optima):
        with pytest.raises(ParameterError, match="two empty units cost nothing"):
            search(continuum, Program2017Dissimilarity())
