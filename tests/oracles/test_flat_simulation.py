# SPDX-License-Identifier: MIT
"""Oracle: the shuffling tool, document by document; columns of all documents at once follow the same laws.

Statistics of documents are compared by the largest difference of their distributions (Kolmogorov and Smirnov).
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
import pytest

from reference.simulation import errors_done, simulate
from unisono.diagnosis.assumed import Kind
from unisono.diagnosis.assumed_reference import Shape, reference_shape
from unisono.diagnosis.flat_errors import make_errors
from unisono.errors import ParameterError
from unisono.model import Continuum
from unisono.shuffling import CategoryModel, Empirical, FalseNegatives, Fixed, ReferenceModel, shuffled_corpus
from unisono.shuffling.apart import place_apart, place_groups_apart
from unisono.shuffling.distributions import Distribution
from unisono.shuffling.flat_references import Rows, draw_references

DOCUMENTS = 400


def _values(*values: float) -> Distribution:
    return Empirical(values)


MODELS = {
    "apart": ReferenceModel(
        units=_values(0, 1, 2, 5, 9),
        length=_values(1, 3, 8, 20),
        gap=_values(0, 0, 5, 30),
        categories={"A": CategoryModel(3, _values(2, 4, 6)), "B": CategoryModel(1, None, _values(1, 9))},
        uncategorised=0.2,
    ),
    "nested": ReferenceModel(
        units=_values(3, 8, 12),
        length=_values(2, 7, 15, 40),
        gap=_values(0, 3, 10),
        overlap=0.3,
        nesting=0.4,
        depth=3,
    ),
    "covering": ReferenceModel(
        units=_values(4, 7), length=_values(0.5, 1.25, 6.5), categories={}, covering=True, decimals=True
    ),
}
KINDS: list[tuple[Kind, float]] = [
    ("missed", 0.4),
    ("added", 0.7),
    ("boundaries", 0.5),
    ("categories", 0.6),
    ("splits", 1.2),
]


def _is_alike(ones: Iterable[float], others: Iterable[float]) -> bool:
    """Whether two samples of equal size may have one distribution; wrong once in some 20,000 times."""
    one, other = np.sort(list(ones)), np.sort(list(others))
    places = np.concatenate((one, other))
    distance = np.abs(
        np.searchsorted(one, places, side="right") / len(one)
        - np.searchsorted(other, places, side="right") / len(other)
    ).max()
    return bool(distance < 2.3 * math.sqrt(2 / len(one)))


def _statistics(continuum: Continuum) -> dict[str, float]:
    starts, ends, owners = continuum.starts, continuum.ends, continuum.annotator_codes
    lengths = ends - starts
    same = owners[1:] == owners[:-1]
    steps = (starts[1:] - ends[:-1])[same]
    return {
        "units": continuum.n_units,
        "length": float(lengths.sum()),
        "shortest": float(lengths.min(initial=99)),
        "squares": float((lengths.astype(float) ** 2).sum()),
        "overlaps": float((steps < 0).sum()),
        "touching": float((steps == 0).sum()),
        "gaps": float(np.maximum(steps, 0).sum()),
        "begin": float(starts.min(initial=-99)),
        "extent": -1.0 if continuum.extent is None else float(continuum.extent.length),
        "of the first category": float((continuum.category_codes == 0).sum()),
        "without a category": float((continuum.category_codes < 0).sum()),
    }


@pytest.mark.parametrize("name", MODELS)
def test_references_follow_the_law_of_the_model(name: str) -> None:
    model = MODELS[name]
    slow = [model.draw(5, name=str(i)) for i in range(DOCUMENTS)]
    annotators = np.ones(DOCUMENTS, dtype=np.int64)
    flat = make_errors("missed", 0.0, draw_references(model, DOCUMENTS, 5), annotators, 5).corpus(guessed=False)
    columns = [[_statistics(each) for each in side] for side in (slow, flat)]
    for what in columns[0][0]:
        assert _is_alike(*([row[what] for row in side] for side in columns)), what


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize(("kind", "magnitude"), KINDS)
def test_errors_follow_the_laws_of_the_shuffling_tool(name: str, kind: Kind, magnitude: float) -> None:
    model = MODELS[name]
    if kind == "categories" and not model.categories:
        pytest.skip("the model has no categories")
    is_linear = name == "apart"
    annotators = [2, 3] * (DOCUMENTS // 2)
    slow = simulate(model, kind, magnitude, annotators, seed=6, is_linear=is_linear)
    references = draw_references(model, DOCUMENTS, 7)
    flat = make_errors(kind, magnitude, references, np.array(annotators), 7, is_linear=is_linear)
    columns = [
        [_statistics(each) for each in side] for side in ([s.continuum for s in slow], flat.corpus(guessed=False))
    ]
    for what in columns[0][0]:
        assert _is_alike(*([row[what] for row in side] for side in columns)), what
    done, n_units = errors_done(kind, slow)
    assert _is_alike(done, flat.done)
    assert _is_alike(n_units, flat.n_units)
    if is_linear and kind == "boundaries":
        assert not any(_statistics(each)["overlaps"] for each in flat.corpus(guessed=False))


def test_a_corpus_of_columns_is_canonical_and_has_their_shape() -> None:
    for name, model in MODELS.items():
        references = draw_references(model, 50, 3)
        flat = make_errors("added", 0.5, references, np.full(50, 3), 3)
        for guessed in (False, True):
            for each in flat.corpus(guessed=guessed):
                again = Continuum(
                    starts=each.starts, ends=each.ends, annotator_codes=each.annotator_codes,
                    annotators=each.annotators, features=each.features, extent=each.extent, name=each.name,
                )  # fmt: skip
                assert again == each
                if guessed and each.n_units:
                    assert (each.extent.start, each.extent.end) == (each.starts.min(), each.ends.max()), name
        plain = make_errors("missed", 0.0, references, np.ones(50, dtype=np.int64), 3)
        assert reference_shape(references) == Shape.of(list(plain.corpus(guessed=False)))


def test_a_unit_keeps_its_numbers_when_others_change() -> None:
    few, many = Rows(np.array([2, 1, 3])), Rows(np.array([4, 1, 2]))
    one, other = few.draw(1, "x"), many.draw(1, "x")
    assert one[:2].tolist() == other[:2].tolist()
    assert one[2:5].tolist() == other[4:7].tolist()
    assert Rows(np.array([0, 0])).draw(1, "x").tolist() == []


def test_units_of_groups_are_placed_apart_as_one_by_one() -> None:
    """Near each other, alone, and without room: the distribution is that of `place_apart` on each group."""
    starts = np.array([0.0, 12.0, 200.0, 209.0, 218.0])
    ends = starts + np.array([10.0, 10.0, 9.0, 9.0, 9.0])
    least = np.ones(5)
    for share in (0.1, 0.6, 1.0):
        reach = share * (ends - starts)
        n = 600
        random = np.random.default_rng(1)
        slow = np.array(
            [np.concatenate(place_apart(starts, ends, reach, least, -np.inf, np.inf, random)) for _ in range(n)]
        )
        groups = np.repeat(np.arange(n), 5)
        tiled = (np.tile(each, n) for each in (starts, ends, reach, least))
        first, last = place_groups_apart(*tiled, groups, random)  # type: ignore[arg-type]
        fast = np.hstack((first.reshape(n, 5), last.reshape(n, 5)))
        for column in range(10):
            assert _is_alike(slow[:, column], fast[:, column]), (share, column)
        order = np.lexsort((first, groups))
        same = np.diff(groups[order]) == 0
        assert (first[order][1:] >= last[order][:-1])[same].all()


def test_models_that_no_corpus_gives_are_refused() -> None:
    for model in (
        ReferenceModel(extent=(0, 5000)),
        ReferenceModel(exact_prevalence=True),
        ReferenceModel(units=(3, 5)),
    ):
        with pytest.raises(ParameterError):
            draw_references(model, 3, 1)
    fitted = ReferenceModel.fitted(shuffled_corpus(ReferenceModel(), FalseNegatives(), 0.2, sets=3, seed=1))
    assert draw_references(fitted, 3, 1).rows.n_groups == 3
    assert draw_references(ReferenceModel(units=Fixed(0), length=Fixed(3), gap=Fixed(1)), 2, 1).starts.tolist() == []
