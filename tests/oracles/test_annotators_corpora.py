# SPDX-License-Identifier: MIT
"""Annotators of a real corpus. Oracles: labels renamed on purpose and found again, an annotator spoilt on purpose."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import unisono
from unisono.analysis.annotators import pairwise, with_reference
from unisono.analysis.label_mapping import best_label_mapping
from unisono.model import Continuum, Corpus

WORDS = {"LOC": "place", "MISC": "other", "ORG": "firm", "PER": "human"}


@pytest.fixture(scope="module")
def crowd(shared: Path) -> Corpus:
    folder = shared / "corpora" / "conll_mturk_ner"
    corpus = unisono.read(folder / "units.csv.gz", participation=folder / "participation.csv.gz")
    gold = unisono.read(folder / "gold.csv.gz")
    return corpus[:60].with_reference(gold, name="gold")


def test_renamed_labels_are_found_again(crowd: Corpus) -> None:
    renamed = crowd.relabel(WORDS, set(crowd.annotators) - {"gold"})
    assert best_label_mapping(renamed, "gold") == {word: label for label, word in sorted(WORDS.items(), key=_word)}
    mapped = with_reference(renamed, "gold", label_mapping="best", seed=1, samples=10)
    plain = with_reference(crowd, "gold", seed=1, samples=10)
    assert {name: v.observed for name, v in mapped.values.items()} == pytest.approx(
        {name: v.observed for name, v in plain.values.items()}
    )


def test_a_spoilt_annotator_shows(crowd: Corpus) -> None:
    """One more annotator, who marks the gold units of another document, anywhere: the outlier among the crowd."""
    rng = np.random.default_rng(1)
    spoilt = []
    for continuum, other in zip(crowd, [*crowd.continua[1:], crowd[0]], strict=True):
        assert continuum.extent is not None
        low, high = int(continuum.extent.start), int(continuum.extent.end)
        theirs = list(other.restrict(["gold"]))
        starts = rng.integers(low, high, len(theirs)).tolist()
        units = [(s, min(s + u.length, high), u.category) for s, u in zip(starts, theirs, strict=True)]
        wrong = Continuum.of({"wrong": units}, extent=continuum.extent, name=continuum.name)
        spoilt.append(continuum.restrict(set(continuum.annotators) - {"gold"}).join(wrong))
    matrix = pairwise(Corpus(tuple(spoilt)), seed=1, samples=5)
    assert matrix.outlier == "wrong"
    worst = next(each for each in matrix.against_rest if each.annotator == "wrong")
    assert worst.gap_interval is not None
    assert worst.gap_interval.low > 0.2


def _word(item: tuple[str, str]) -> str:
    return item[1]
