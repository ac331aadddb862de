# SPDX-License-Identifier: MIT
"""unisono.compat.pygamma beside pygamma-agreement 0.5.9 itself: the same programs, the same seeds, the same numbers.

Its answers were recorded by pygamma_compat_worker.py (pygamma_compat.json); where its environment is there
(`.venv-pygamma`, made by `make bench`), UNISONO_UPDATE_GOLD=1 records them anew, and the long test asks it again.
"""

from __future__ import annotations

import json
import os
import subprocess
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import unisono
from oracles.pygamma_examples import QUICKSTART, run, write_csv
from unisono.compat import pygamma as pa
from unisono.errors import FormatError, UnisonoWarning

HERE = Path(__file__).parent
RECORDED = HERE / "pygamma_compat.json"
PYTHON = HERE.parents[1] / ".venv-pygamma" / "bin" / "python"

#: 32-bit floats there.
CLOSE = 5e-5


def ask(target: Path) -> None:
    subprocess.run([PYTHON, HERE / "pygamma_compat_worker.py", target], check=True, capture_output=True, timeout=600)


@pytest.fixture(scope="module")
def theirs() -> dict[str, Any]:
    if os.environ.get("UNISONO_UPDATE_GOLD") and PYTHON.exists():
        ask(RECORDED)
    found = json.loads(RECORDED.read_text(encoding="utf-8"))
    assert found["version"] == "0.5.9"
    answers: dict[str, Any] = found["answers"]
    return answers


@pytest.fixture(scope="module")
def ours(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnisonoWarning)
        return run(pa, pa.Segment, tmp_path_factory.mktemp("compat"))


def test_every_program_gives_their_numbers(ours: dict[str, Any], theirs: dict[str, Any]) -> None:
    assert list(ours) == list(theirs)
    for name, answer in theirs.items():
        if not isinstance(answer, dict):
            assert ours[name] == pytest.approx(answer, abs=CLOSE) if "range" in name else ours[name] == answer, name
            continue
        for key, value in answer.items():
            assert ours[name][key] == pytest.approx(value, abs=CLOSE), (name, key)


@pytest.mark.long
def test_the_library_still_says_so(theirs: dict[str, Any], tmp_path: Path) -> None:
    if not PYTHON.exists():
        pytest.skip(f"no environment of pygamma-agreement at {PYTHON}; `make bench` makes it")
    ask(tmp_path / "answers.json")
    now = json.loads((tmp_path / "answers.json").read_text(encoding="utf-8"))["answers"]
    for name, answer in theirs.items():
        if isinstance(answer, dict):
            for key, value in answer.items():
                assert now[name][key] == pytest.approx(value, abs=CLOSE), (name, key)
        else:
            assert now[name] == answer


def continuum_of_the_quickstart(segment: Any = pa.Segment) -> pa.Continuum:
    continuum = pa.Continuum()
    for annotator, start, end, label in QUICKSTART:
        continuum.add(annotator, segment(start, end), label)
    return continuum


def test_segments_of_pyannote_are_welcome() -> None:
    core = pytest.importorskip("pyannote.core")
    theirs, ours = continuum_of_the_quickstart(core.Segment), continuum_of_the_quickstart()
    assert theirs == ours
    assert [unit for _, unit in theirs] == [unit for _, unit in ours]
    annotation = core.Annotation()
    for _, start, end, label in QUICKSTART[:4]:
        annotation[core.Segment(start, end)] = label
    timeline = core.Timeline([core.Segment(0, 3), core.Segment(4, 5)])
    continuum = pa.Continuum()
    continuum.add_annotation("Annotator1", annotation)
    continuum.add_timeline("timeline", timeline)
    assert continuum["Annotator1"] == ours["Annotator1"]
    assert [unit.annotation for unit in continuum["timeline"]] == [None, None]


def test_the_preset_of_measure_has_the_same_law() -> None:
    """The observed disorders of γ and γcat agree exactly, the values within the error of 400 samples."""
    continuum = continuum_of_the_quickstart()
    np.random.seed(1)
    results = continuum.compute_gamma(n_samples=400)
    measured = unisono.measure(continuum.to_unisono(), ["gamma", "gamma-cat"], preset="pygamma", samples=400, seed=1)
    gamma, cat = measured["gamma"], measured["gamma-cat"]
    assert results.observed_disorder == pytest.approx(gamma.observed, abs=1e-12)
    observed = results.best_alignment.gamma_k_disorder(results.dissimilarity, None)
    assert observed == pytest.approx(cat.observed, abs=1e-12)
    low, high = gamma.intervals["chance"].low, gamma.intervals["chance"].high
    assert results.gamma == pytest.approx(gamma.value, abs=2 * (high - low))
    assert results.gamma_cat == pytest.approx(cat.value, abs=0.05)


def test_the_notebook_as_it_stands(tmp_path: Path) -> None:
    """Its cells, which pygamma-agreement 0.5.9 itself refuses: CategoricalDissimilarity is abstract there."""
    continuum = pa.Continuum.from_csv(write_csv(tmp_path / "notebook.csv", 3, 12, seed=1))
    cat_dissim = pa.CategoricalDissimilarity(continuum.categories, delta_empty=1)
    dissimilarity = pa.CombinedCategoricalDissimilarity(cat_dissim=cat_dissim)
    np.random.seed(3)
    named = continuum.compute_gamma(dissimilarity, n_samples=30).gamma
    np.random.seed(3)
    assert continuum.compute_gamma(n_samples=30).gamma == named
    best = continuum.get_best_alignment(dissimilarity)
    assert best.disorder == pytest.approx(sum(row.disorder for row in best) / (continuum.num_units / 3))
    assert continuum.get_fast_alignment(dissimilarity, 3).disorder == best.disorder


def test_pictures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("matplotlib").use("Agg")
    continuum = continuum_of_the_quickstart()
    best = continuum.get_best_alignment(pa.CombinedCategoricalDissimilarity())
    for shown in (continuum, best):
        png = shown._repr_png_()
        assert png is not None
        assert png.startswith(b"\x89PNG")
    pa.show_continuum(continuum, labelled=True)
    pa.show_alignment(best, labelled=True)
    pa.show_alignment(pa.Alignment(best.unitary_alignments, continuum))
    import matplotlib.pyplot as plt

    plt.close("all")
    with pytest.raises(TypeError, match="no picture"):
        pa.show_alignment(continuum.get_best_soft_alignment(pa.CombinedCategoricalDissimilarity()))
    plt.close("all")


def test_alignments_are_checked() -> None:
    continuum = continuum_of_the_quickstart()
    dissimilarity = pa.CombinedCategoricalDissimilarity()
    best = continuum.get_best_alignment(dissimilarity)
    best.check()
    continuum.get_best_soft_alignment(dissimilarity).check()
    with pytest.raises(pa.SetPartitionError, match="in no unitary alignment"):
        pa.Alignment(best.unitary_alignments[1:], continuum, check_validity=True)
    with pytest.raises(pa.SetPartitionError, match="in more than one"):
        pa.Alignment([*best, best[0]], continuum, check_validity=True)
    with pytest.raises(ValueError, match="no continuum"):
        pa.Alignment(best.unitary_alignments).check()
    copy = pa.Alignment([pa.UnitaryAlignment(row.n_tuple) for row in best], continuum)
    with pytest.raises(ValueError, match="compute_disorder"):
        _ = copy.disorder
    assert copy.compute_disorder(dissimilarity) == pytest.approx(best.disorder)
    assert copy[0].compute_disorder(dissimilarity) == pytest.approx(best[0].disorder)
    assert best[0, "Annotator2"][0] == "Annotator2"
    own = copy.to_unisono()
    assert own.disorder == pytest.approx(best.disorder)
    with pytest.raises(TypeError, match="PositionalSporadicDissimilarity"):
        best.gamma_k_disorder(pa.PositionalSporadicDissimilarity(), None)


def test_a_continuum_that_changes(tmp_path: Path) -> None:
    continuum = continuum_of_the_quickstart()
    copy = continuum.copy()
    unit = continuum["Annotator1", 0]
    continuum.remove("Annotator1", unit)
    assert continuum != copy
    assert (continuum.num_units, copy.num_units) == (10, 11)
    continuum.add("Annotator1", unit.segment, unit.annotation)
    continuum.add("Annotator1", unit.segment, unit.annotation)  # the same unit again is the same unit
    assert continuum == copy
    assert continuum.bounds == (0.0, 17.1)
    continuum.reset_bounds()
    assert continuum.bounds == (2.3, 17.1)
    other = pa.Continuum()
    other.add_annotator("silent")
    other.add("Annotator1", pa.Segment(20, 21))
    merged = continuum + other
    assert list(merged.annotators) == ["Annotator1", "Annotator2", "Annotator3", "silent"]
    assert merged.num_units == 12
    assert merged.category_weights[None] == pytest.approx(1 / 12)
    assert continuum.num_units == 11
    continuum.merge(other, in_place=True)
    assert continuum == merged
    copy.to_csv(tmp_path / "units.csv")
    assert pa.Continuum.from_csv(tmp_path / "units.csv") == copy
    np.random.seed(1)
    assert merged.compute_gamma(n_samples=3).gamma < 1  # an annotator without units, a unit without a category
    with pytest.raises(KeyError):
        _ = merged["nobody"]
    with pytest.raises(IndexError):
        _ = merged["silent", 0]


def test_what_is_wrong_is_said(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="has no length"):
        pa.Continuum().add("a", pa.Segment(3, 3), "X")
    (tmp_path / "header.csv").write_text("annotator,category,start,end\na,X,0,1\n")
    with pytest.raises(FormatError, match=r"header\.csv:1: .*must not have a header"):
        pa.Continuum.from_csv(tmp_path / "header.csv")
    (tmp_path / "swapped.csv").write_text("a,X,5,1\na,X,0,1\n")
    with pytest.warns(UnisonoWarning, match=r"swapped\.csv:1: the row is left out"):
        assert pa.Continuum.from_csv(tmp_path / "swapped.csv").num_units == 1
    with pytest.raises(ValueError, match="has no length"):
        pa.Continuum.from_csv(tmp_path / "swapped.csv", discard_invalid_rows=False)
    with pytest.warns(UnisonoWarning, match="delta_empty is 2"):
        pa.CombinedCategoricalDissimilarity(delta_empty=2)
    with pytest.warns(UnisonoWarning, match="alphabetical order"):
        pa.OrdinalCategoricalDissimilarity(["low", "high"])
    with pytest.raises(ValueError, match="not all labels are numbers"):
        pa.NumericalCategoricalDissimilarity(["one"])
    with pytest.raises(ValueError, match="not symmetric"):
        pa.PrecomputedCategoricalDissimilarity(["a", "b"], [[0, 1], [0.5, 0]])
    with pytest.raises(NotImplementedError, match="soft"):
        continuum_of_the_quickstart().compute_gamma(fast=True, soft=True)
    with pytest.raises(ValueError, match="precision_level"):
        continuum_of_the_quickstart().compute_gamma(precision_level=2.0)
    with pytest.raises(ValueError, match="init_sampling"):
        _ = pa.StatisticalContinuumSampler().sample_from_continuum


def test_the_names_are_all_there() -> None:
    """Every public name of pygamma-agreement 0.5.9 but the corpus shuffling tool, which unisono.shuffling replaces."""
    names = {
        *("Continuum", "GammaResults", "Unit", "Alignment", "UnitaryAlignment", "AbstractDissimilarity"),
        *("PositionalSporadicDissimilarity", "CategoricalDissimilarity", "AbsoluteCategoricalDissimilarity"),
        *("PrecomputedCategoricalDissimilarity", "LambdaCategoricalDissimilarity", "dissimilarity_dec"),
        *("LevenshteinCategoricalDissimilarity", "OrdinalCategoricalDissimilarity"),
        *("NumericalCategoricalDissimilarity", "CombinedCategoricalDissimilarity", "AbstractContinuumSampler"),
        *("ShuffleContinuumSampler", "StatisticalContinuumSampler", "show_continuum", "show_alignment"),
    }
    assert names <= set(pa.__all__)
