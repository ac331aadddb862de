# SPDX-License-Identifier: MIT
"""Random annotations have no agreement but by chance. Oracle: the law they are drawn by, hence a value of 0."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from scipy import stats

from unisono.experiments.random_annotations import CATEGORIES, CORPORA, MODELS, means, random_document, report


def test_the_law_of_a_document() -> None:
    """N units each; starts, lengths and categories uniform, independent of the annotator (chi-square)."""
    rng = np.random.default_rng(1)
    documents = [random_document(rng, 10, str(d)) for d in range(400)]
    assert all(document.counts.tolist() == [10, 10, 10] for document in documents)
    units = [unit for document in documents for unit in document]
    starts = np.array([unit.start for unit in units])
    assert stats.chisquare(np.bincount(starts // 30, minlength=10)).pvalue > 1e-3
    assert starts.max() < 300
    lengths = Counter(unit.length for unit in units)
    assert sorted(lengths) == list(range(5, 16))
    assert stats.chisquare(list(lengths.values())).pvalue > 1e-3
    by_annotator = [
        [sum(u.category == k and u.annotator == a for u in units) for k in CATEGORIES] for a in documents[0].annotators
    ]
    assert stats.chi2_contingency(by_annotator).pvalue > 1e-3
    assert all(document.extent.end == max(300, document.ends.max()) for document in documents)


@pytest.mark.parametrize("model", MODELS)
def test_chance_is_0_on_average(model: str) -> None:
    """A few corpora: within 0.02 and 4 standard errors from 10 units on; `statistical`, whose law is another, 0.05."""
    for found in means(10, model, n_corpora=6):
        bias = 0.05 if model == "statistical" else 0.02
        assert abs(found.mean) < bias + 4 * found.error, found
        assert found.n_documents == 120


def test_the_report() -> None:
    table = report(models=("shift",), corpora={3: 2}).splitlines()
    assert len(table) == 3
    assert table[2].split()[:3] == ["shift", "3", "40"]
    assert table == report(models=("shift",), corpora={3: 2}).splitlines(), "the same every time"


@pytest.mark.long
@pytest.mark.parametrize("n_units", CORPORA)
@pytest.mark.parametrize("model", MODELS)
def test_chance_is_0(model: str, n_units: int) -> None:
    """The table of docs/validity.md: standard errors of at most 0.005; within 0.02 of 0 from 10 units on.

    Not so `statistical`, which draws units one after the other with normal gaps: 0.03 above 0 at 10 units.
    """
    for found in means(n_units, model, n_corpora=CORPORA[n_units]):
        assert found.error <= 0.005, found
        if n_units >= 10 and (model != "statistical" or n_units >= 100):
            assert abs(found.mean) < 0.02, found
