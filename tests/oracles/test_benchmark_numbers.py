# SPDX-License-Identifier: MIT
"""The numbers of a benchmark. Oracle: the same sets made and measured by hand; other libraries; one process."""

from __future__ import annotations

import multiprocessing
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import unisono
from unisono.experiments import benchmark_cells as cells
from unisono.experiments.stored_cells import Store
from unisono.model import Continuum
from unisono.shuffling import CategoryErrors, PositionErrors, ReferenceModel, shuffled_corpus

SPEC: dict[str, Any] = {
    "measures": ["gamma", "gamma-k:A", "cu-alpha", "ser"],
    "reference": {"units": 8, "length": [10, 20], "gap": [0, 5], "categories": ["A", "B"]},
    "errors": ["position", {"type": "category", "magnitude_factor": 0.5}],
    "magnitudes": [0, 0.4, 1],
    "sets": 12,
    "samples": 10,
    "seed": 7,
}


def by_hand(magnitude: float, **how: Any) -> unisono.Result:
    """All sets of a magnitude as one corpus, measured as anybody would."""
    model = ReferenceModel(units=8, length=(10, 20), gap=(0, 5), categories={"A": 1, "B": 1})
    errors = [PositionErrors(), CategoryErrors(magnitude_factor=0.5)]
    corpus = shuffled_corpus(model, errors, magnitude, sets=12, seed=7)
    return unisono.measure(corpus, ["gamma", "gamma-k", "cu-alpha", "ser"], samples=10, seed=7, **how)


@pytest.mark.parametrize("chance", ["shift", "corpus", "statistical"])
def test_a_cell_is_the_value_of_a_document(chance: str) -> None:
    result = unisono.benchmark(SPEC | {"chance": chance}, threads=1)
    for i, magnitude in enumerate(SPEC["magnitudes"]):
        documents = by_hand(magnitude, chance=chance).documents
        assert len(documents) == 12
        for name in ("gamma", "cu-alpha", "ser"):
            assert result[name].values[i].tolist() == [document[name].value for document in documents]
        of_a = [document["gamma-k"].per_category["A"].value for document in documents]
        assert [value for value, _ in result["gamma-k:A"].cells[i]] == of_a


def test_settings_reach_the_measure() -> None:
    result = unisono.benchmark(SPEC | {"preset": "greyc", "alpha": 2, "beta": 0.5, "delta_empty": 0.8}, threads=1)
    how = {"dissimilarity": unisono.CombinedDissimilarity(alpha=2, beta=0.5, delta_empty=0.8), "preset": "greyc"}
    assert result["gamma"].values[1].tolist() == [document["gamma"].value for document in by_hand(0.4, **how).documents]


def test_means_and_standard_errors() -> None:
    response = unisono.benchmark(SPEC, threads=1)["gamma"]
    for point, row in zip(response.points, response.values, strict=True):
        assert point.mean == pytest.approx(np.mean(row), abs=1e-15)
        assert point.error == pytest.approx(np.std(row, ddof=1) / np.sqrt(12), abs=1e-15)
        assert (point.n, point.n_undefined, point.reason) == (12, 0, None)


def executors() -> list[Executor]:
    return [ThreadPoolExecutor(3), ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn"))]


def test_the_same_table_wherever_it_is_measured() -> None:
    alone = unisono.benchmark(SPEC, threads=1).csv()
    assert unisono.benchmark(SPEC, threads=2).csv() == alone
    for executor in executors():
        with executor:
            assert unisono.benchmark(SPEC, executor=executor).csv() == alone


def test_blocks_change_no_number(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = unisono.benchmark(SPEC, threads=1).csv()
    monkeypatch.setattr(cells, "SETS_AT_ONCE", 5)
    assert unisono.benchmark(SPEC, threads=1).csv() == whole


def test_fewer_sets_and_magnitudes_are_a_part_of_the_whole() -> None:
    whole = unisono.benchmark(SPEC, threads=1)
    part = unisono.benchmark(
        unisono.experiments.BenchmarkSpec.from_dict(SPEC).limited(sets=5, magnitudes=[1, 0.4]), threads=1
    )
    assert part.spec.magnitudes == (0.4, 1.0)
    assert part["gamma"].values.tolist() == whole["gamma"].values[1:, :5].tolist()


def test_a_benchmark_goes_on_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = unisono.benchmark(SPEC, threads=1).csv()
    made: list[cells.Block] = []
    measured = cells.measure_block

    def counted(block: cells.Block, **how: Any) -> Any:
        made.append(block)
        if len(made) == 3:
            raise KeyboardInterrupt
        return measured(block, **how)

    monkeypatch.setattr(cells, "measure_block", counted)
    with pytest.raises(KeyboardInterrupt):
        unisono.benchmark(SPEC, out=tmp_path, threads=1)
    assert len(list(tmp_path.rglob("*.json"))) == 2
    assert unisono.benchmark(SPEC, out=tmp_path, threads=1).csv() == whole
    assert len(made) == 3 + 4  # six blocks in all, two of them were there
    assert unisono.benchmark(SPEC, out=tmp_path, threads=1).csv() == whole
    assert len(made) == 7  # nothing left to do


def test_what_is_no_whole_block_is_measured_again(tmp_path: Path) -> None:
    whole = unisono.benchmark(SPEC, out=tmp_path, threads=1).csv()
    files = sorted(tmp_path.rglob("*.json"))
    files[0].write_bytes(files[0].read_bytes()[:-30])
    files[1].write_text("{}", encoding="utf-8")
    files[2].write_text(files[2].read_text(encoding="utf-8").replace('"first": 0, "cells": {"gamma": [[',
                        '"first": 0, "cells": {"gamma": [["x", null], ['), encoding="utf-8")  # fmt: skip
    assert unisono.benchmark(SPEC, out=tmp_path, threads=1).csv() == whole
    block = next(iter(cells.blocks(unisono.experiments.BenchmarkSpec.from_dict(SPEC))))
    assert Store(tmp_path / "cells").load(block) is not None


@pytest.mark.parametrize(
    "change",
    [{"seed": 8}, {"samples": 11}, {"alpha": 2}, {"errors": "position"}, {"reference": {"units": 8}},
     {"annotators": 4}, {"own_reference": False}, {"measures": ["gamma"]}],
    ids=lambda change: next(iter(change)),
)  # fmt: skip
def test_another_benchmark_takes_nothing_of_this_one(tmp_path: Path, change: dict[str, Any]) -> None:
    small = SPEC | {"magnitudes": [0.4], "sets": 2}
    unisono.benchmark(small, out=tmp_path, threads=1)
    unisono.benchmark(small | change, out=tmp_path, threads=1)
    assert len(list((tmp_path / "cells").iterdir())) == 2


def krippendorffs_alpha(continuum: Continuum) -> float:
    """α by the library `krippendorff`, of units at fixed places."""
    import krippendorff

    places = sorted(set(continuum.starts.tolist()))
    table = np.full((continuum.n_annotators, len(places)), np.nan)
    table[continuum.annotator_codes, np.searchsorted(places, continuum.starts)] = continuum.category_codes
    return float(krippendorff.alpha(reliability_data=table, level_of_measurement="nominal"))


def test_a_peers_measure_beside_ours() -> None:
    """Pure categorisation (2015, section 6.3.3): the α of another library, cell by cell."""
    result = unisono.benchmark(
        {
            "measures": ["alpha", krippendorffs_alpha],
            "reference": {"units": 24, "length": 10, "gap": 2, "fixed_positions": True},
            "errors": "category",
            "magnitudes": [0, 0.3, 0.6, 1],
            "sets": 15,
        },
        threads=1,
    )
    assert result["krippendorffs_alpha"].values == pytest.approx(result["alpha"].values, abs=1e-12)


def test_category_errors_and_the_law_of_alpha() -> None:
    """Without overlap of categories two annotators have α = (1 - m)² on average, whatever the prevalences."""
    result = unisono.benchmark(
        {
            "measures": ["alpha"],
            "reference": {"units": 200, "length": 10, "gap": 2, "fixed_positions": True,
                          "categories": {"A": 5, "B": 3, "C": 2}},
            "errors": "category",
            "magnitudes": [0, 0.25, 0.5, 0.75, 1],
            "annotators": 2,
            "sets": 40,
        },
        threads=1,
    )["alpha"]  # fmt: skip
    for point in result.points:
        assert point.mean is not None
        assert point.error is not None
        assert abs(point.mean - (1 - point.magnitude) ** 2) <= 3.5 * point.error + 1e-12


def test_nothing_left_is_no_value() -> None:
    """False negatives at magnitude 1: no units, so no value, with the reason, also where chance is a corpus's."""
    for chance in ("shift", "corpus"):
        spec = SPEC | {"errors": "false-negatives", "magnitudes": [0.5, 1], "sets": 4, "chance": chance}
        result = unisono.benchmark(spec, threads=1)
        for name in ("gamma", "ser"):
            assert np.isnan(result[name].values[1]).all()
            assert all(reason for _, reason in result[name].cells[1])
        point = result["gamma"].at(1)
        assert (point.mean, point.n, point.n_undefined) == (None, 0, 4)
        assert not np.isnan(result["gamma"].values[0]).all()


def test_curves_differ_in_what_they_say() -> None:
    """Two curves in one benchmark are those of two benchmarks."""
    curves = [{"name": "short", "reference": {"length": [5, 8]}}, {"name": "alone", "errors": "category"}]
    result = unisono.benchmark(SPEC | {"curves": curves}, threads=1)
    short = SPEC | {"reference": SPEC["reference"] | {"length": [5, 8]}}
    assert result["short", "gamma"].cells == unisono.benchmark(short, threads=1)["gamma"].cells
    alone = unisono.benchmark(SPEC | {"errors": "category"}, threads=1)
    assert result["alone", "ser"].cells == alone["ser"].cells
    with pytest.raises(KeyError, match="in several curves"):
        result["gamma"]
