# SPDX-License-Identifier: MIT
"""Samples that are kept change no number and are drawn once. Oracle: the same measurements without the memory."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import unisono
from unisono.sampling import kept_samples as samples
from unisono.sampling.kept_samples import share_samples

ENTITIES = Path(__file__).parents[2] / "examples" / "entities.csv"


@pytest.mark.parametrize("measures", [["gamma"], ["gamma", "gamma-cat", "gamma-k"], ["gamma", "soft-gamma"]])
@pytest.mark.parametrize("chance", ["shift", "corpus", "statistical"])
def test_the_same_numbers(measures: list[str], chance: str) -> None:
    corpus = unisono.corpus(
        {
            "one": {"ann": [(0, 5, "A"), (8, 12, "B")], "bob": [(0, 6, "A"), (9, 12, "B")], "cem": [(0, 5, "B")]},
            "two": {"ann": [(3, 9, "B")], "bob": [(2, 9, "A"), (20, 25, "B")], "cem": []},
        }
    )
    runs: list[dict[str, Any]] = [{"samples": 10}, {"samples": 40}, {"samples": 25}, {"precision": 0.2}]
    plain = [unisono.measure(corpus, measures, chance=chance, seed=5, **run) for run in runs]
    with share_samples():
        kept = [unisono.measure(corpus, measures, chance=chance, seed=5, **run) for run in runs]
    assert [result.to_dict() for result in kept] == [result.to_dict() for result in plain]


def test_every_sample_is_drawn_once() -> None:
    with share_samples() as memory:
        for n in (10, 30, 20, 100):
            unisono.measure(ENTITIES, samples=n, seed=1, intervals=False)
        assert memory.n_drawn == 100
        unisono.measure(ENTITIES, samples=50, seed=2, intervals=False)
        assert memory.n_drawn == 150


def test_other_settings_have_other_samples() -> None:
    with share_samples():
        for alpha in (1.0, 3.0):
            d = unisono.CombinedDissimilarity(alpha=alpha)
            kept = unisono.measure(ENTITIES, samples=20, seed=1, dissimilarity=d)
            assert kept["gamma"].value == unisono.measure(ENTITIES, samples=20, seed=1, dissimilarity=d)["gamma"].value
        first = unisono.measure(ENTITIES, samples=20, seed=1)
    assert first["gamma"].value == unisono.measure(ENTITIES, samples=20, seed=1)["gamma"].value


def test_what_has_no_room_is_drawn_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(samples, "LARGEST", 10)
    with share_samples() as memory:
        values = [unisono.measure(ENTITIES, samples=20, seed=1, intervals=False)["gamma"].value for _ in range(2)]
        assert memory.n_drawn == 40
    assert values[0] == values[1]
