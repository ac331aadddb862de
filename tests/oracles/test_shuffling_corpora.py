# SPDX-License-Identifier: MIT
"""Models fitted to real corpora. Oracle: the corpora's own means, shares and distributions, counted here."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import unisono
from unisono import Corpus
from unisono.shuffling import ReferenceModel

REFERENCES = 1000


def statistics(corpus: Corpus) -> dict[str, float]:
    """Counted annotator by annotator, without the code that fits."""
    units, lengths, gaps, overlapping, nested, candidates, labels = [], [], [], [], 0, 0, Counter()
    for continuum in corpus:
        labels.update(unit.category for unit in continuum if unit.category is not None)
        for code in range(continuum.n_annotators):
            mine = continuum.annotator_codes == code
            if not mine.any():
                continue
            pairs = sorted(
                zip(continuum.starts[mine].tolist(), continuum.ends[mine].tolist(), strict=True),
                key=lambda pair: (pair[0], -pair[1]),
            )
            units.append(len(pairs))
            lengths += [end - start for start, end in pairs]
            candidates += len(pairs) - 1
            until, top = -np.inf, []
            for start, end in pairs:
                if end <= until:
                    nested += 1
                else:
                    top.append((start, end))
                    until = end
            for (_, before), (after, _) in pairwise(top):
                overlapping.append(after < before)
                if after >= before:
                    gaps.append(after - before)
    total = sum(labels.values())
    return {
        "units": float(np.mean(units)),
        "length": float(np.mean(lengths)),
        "median length": float(np.median(lengths)),
        "gap": float(np.mean(gaps)),
        "median gap": float(np.median(gaps)),
        "overlap": float(np.mean(overlapping)),
        "nesting": nested / candidates,
        **{f"share of {label}": count / total for label, count in labels.most_common(5)},
    }


@pytest.mark.long
@pytest.mark.parametrize(
    "name",
    [
        "conll_mturk_ner/units.csv.gz",
        "llm_span_annotation/propaganda.csv.gz",
        "llm_span_annotation/d2t_test.csv.gz",
        "salami/functions.csv.gz",
    ],
)
def test_references_are_like_the_corpus(shared: Path, name: str) -> None:
    """Means and medians within a tenth (gaps a fifth: they have long tails), shares within 0.02."""
    corpus = unisono.inspect(shared / "corpora" / name, skip_invalid=True).corpus
    assert corpus is not None
    model = ReferenceModel.fitted(corpus)
    assert ReferenceModel.from_toml(model.to_toml()) == model
    drawn = Corpus(tuple(model.draw(seed=1, name=f"{i}") for i in range(REFERENCES)))
    wanted, found = statistics(corpus), statistics(drawn)
    for what, value in wanted.items():
        if what in ("overlap", "nesting") or what.startswith("share"):
            assert found[what] == pytest.approx(value, abs=0.02), what
        elif what.endswith("gap"):
            assert found[what] == pytest.approx(value, rel=0.2, abs=0.05), what
        else:
            assert found[what] == pytest.approx(value, rel=0.1), what
