# SPDX-License-Identifier: MIT
"""Whether an explanation is quick, against candidates counted one by one; rough alignments against proven ones."""

from __future__ import annotations

import itertools
import random
from dataclasses import replace
from pathlib import Path

import pytest

import unisono
from unisono.api import plan_measurement
from unisono.diagnosis import equivalents, explanation_work
from unisono.diagnosis.explanation_work import count_candidates, is_quick_to_explain
from unisono.model import Continuum, Corpus


def random_continuum(generator: random.Random, *, annotators: int, units: int, longest: int) -> Continuum:
    def unit() -> tuple[int, int, str]:
        start = generator.randrange(60)
        return start, start + generator.randrange(longest), generator.choice("AB")

    return Continuum.of({f"a{i}": [unit() for _ in range(units)] for i in range(annotators)})


def listed_candidates(continuum: Continuum) -> int:
    """Every unit with every choice of at most one unit of each other annotator that it meets, written down."""
    total = 0
    for unit in continuum:
        choices = [
            [None] + [v for v in continuum if v.annotator == other and v.start <= unit.end and unit.start <= v.end]
            for other in continuum.annotators
            if other != unit.annotator
        ]
        total += sum(1 for _ in itertools.product(*choices))
    return total


@pytest.mark.parametrize("seed", range(20))
def test_candidates_are_those_listed_one_by_one(seed: int) -> None:
    generator = random.Random(seed)
    continuum = random_continuum(generator, annotators=generator.randrange(2, 5), units=4, longest=25)
    assert count_candidates(continuum) == listed_candidates(continuum)


def test_crowded_units_take_long_and_sparse_ones_do_not() -> None:
    generator = random.Random(7)
    crowded = Corpus((random_continuum(generator, annotators=5, units=50, longest=12),))
    sparse = Corpus((Continuum.of({name: [(10 * i, 10 * i + 5) for i in range(100)] for name in "ab"}),))
    assert not is_quick_to_explain(crowded)
    assert is_quick_to_explain(sparse)
    many = Corpus(tuple(replace_name(sparse[0], f"d{i}") for i in range(60)))
    assert count_candidates(many[0]) < explanation_work.MOST_CANDIDATES
    assert not is_quick_to_explain(many)  # 60 documents that are quick one by one


def replace_name(continuum: Continuum, name: str) -> Continuum:
    units = {each: [(u.start, u.end) for u in continuum if u.annotator == each] for each in continuum.annotators}
    return Continuum.of(units, name=name)


def test_simulated_documents_are_aligned_nearly_as_well_as_with_proofs() -> None:
    """A crowded document of five annotators, for which the effort of simulations is over before the proof."""
    corpus = Corpus((random_continuum(random.Random(3), annotators=5, units=16, longest=30),))
    expected, gaps = [], []
    for effort in (None, equivalents.EFFORT):
        _, plan = plan_measurement(corpus, ["gamma"], None, None, {"seed": 1, "samples": 4, "effort": effort})
        plan = replace(plan, resolved=replace(plan.resolved, is_rough=effort is not None))
        value = plan.compute(corpus, ["gamma"])["gamma"].overall
        expected.append(value.expected or 0.0)
        gaps.append(value.gap)
    assert gaps[0] == 0
    assert gaps[1]
    assert expected[0] <= expected[1] <= 1.01 * expected[0]


def test_a_report_shows_the_progress_of_its_explanation(tmp_path: Path) -> None:
    ann, bob = [(0, 5, "A"), (8, 12, "B"), (20, 26, "A")], [(0, 5, "A"), (8, 12, "A"), (21, 26, "A")]
    result = unisono.measure({"one": {"ann": ann, "bob": bob, "cem": ann}}, seed=1, samples=10)
    steps: list[tuple[int, int, str]] = []
    unisono.write_report(result, tmp_path / "report.html", progress=lambda *step: steps.append(step))
    assert {"boundaries", "missed"} <= {name for _, _, name in steps}
