# SPDX-License-Identifier: MIT
"""γ under other choices. Oracle: `measure` with that choice, on continua that keep the keys of their random numbers."""

from __future__ import annotations

import pytest

import unisono
from unisono.analysis import sensitivity
from unisono.chance import number_like
from unisono.model import Continuum, Corpus, Extent
from unisono.results import Variation


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return unisono.corpus(
        {
            "one": {"ann": [(0, 5, "A"), (8, 12, "B"), (20, 30, "A")], "bob": [(0, 6, "A"), (9, 12, "B")], "cem": []},
            "two": {"ann": [(3, 9, "B"), (11, 15, "A")], "bob": [(2, 9, "B"), (11, 14, "B"), (17, 19, "A")]},
        }
    )


@pytest.fixture(scope="module")
def rows(corpus: Corpus) -> dict[str, Variation]:
    return {row.choice: row for row in sensitivity(corpus, seed=3)}


def gamma(corpus: Corpus, **settings: object) -> float:
    value = unisono.measure(corpus, samples=30, seed=3, **settings)["gamma"].value  # type: ignore[arg-type]
    assert value is not None
    return value


def changed(corpus: Corpus, change) -> Corpus:  # type: ignore[no-untyped-def]
    return Corpus(tuple(number_like(change(continuum), continuum) for continuum in corpus))


@pytest.mark.parametrize(
    ("choice", "settings"),
    [
        ("as measured", {}),
        ("alpha = 0.5", {"alpha": 0.5}),
        ("alpha = 3", {"alpha": 3.0}),
        ("beta = 0", {"beta": 0.0}),
        ("beta = 2", {"beta": 2.0}),
        ("delta_empty = 2", {"delta_empty": 2.0}),
        ("chance model corpus", {"chance": "corpus"}),
        ("chance model statistical", {"chance": "statistical"}),
        ("chance model positions-kept", {"chance": "positions-kept"}),
    ],
)
def test_a_row_is_the_measurement_with_that_choice(
    corpus: Corpus, rows: dict[str, Variation], choice: str, settings: dict[str, object]
) -> None:
    assert rows[choice].value == gamma(corpus, **settings)
    base = rows["as measured"].value
    assert base is not None
    if choice != "as measured":
        assert rows[choice].difference == gamma(corpus, **settings) - base


def test_extents_a_tenth_longer(corpus: Corpus, rows: dict[str, Variation]) -> None:
    def longer(continuum: Continuum) -> Continuum:
        assert continuum.extent is not None
        start, end = continuum.extent.start, continuum.extent.end
        return continuum.with_extent(Extent(start, end + round((end - start) / 10), "guessed"))

    assert rows["extent a tenth longer"].value == gamma(changed(corpus, longer))


def test_without_empty_annotators(corpus: Corpus, rows: dict[str, Variation]) -> None:
    def marking(continuum: Continuum) -> Continuum:
        return continuum.restrict({"ann", "bob"})

    row = rows["without annotators who marked nothing in a document"]
    assert row.value == gamma(changed(corpus, marking))
    assert row.setting == "annotators"


def test_rows_depend_on_the_data(corpus: Corpus, rows: dict[str, Variation]) -> None:
    """Extents that are known are also guessed; nobody is empty in the second document; one document has no corpus."""
    known = Corpus((corpus[1].with_extent(Extent(0, 40)),))
    found = {row.choice: row for row in sensitivity(known, seed=3, alpha=2.0)}
    assert "extent guessed from the units" in found
    assert "extent guessed from the units" not in rows
    assert not {"alpha = 2", "chance model corpus"} & set(found)
    assert not any("nothing" in choice for choice in found)
    assert "alpha = 1" in found


def test_rows_are_part_of_the_json(corpus: Corpus, rows: dict[str, Variation]) -> None:
    result = unisono.measure(corpus, seed=3, sensitivity=True)
    assert [Variation(**row) for row in result.to_dict()["sensitivity"]] == list(rows.values())
    assert unisono.Result.from_dict(result.to_dict()).sensitivity == tuple(rows.values())
    assert unisono.measure(corpus, seed=3).to_dict()["sensitivity"] is None
    assert "sensitivity" not in result.signature


def test_the_computation_error_is_half_the_interval(corpus: Corpus, rows: dict[str, Variation]) -> None:
    interval = unisono.measure(corpus, samples=30, seed=3)["gamma"].intervals["chance"]
    assert rows["as measured"].error == pytest.approx((interval.high - interval.low) / 2)
