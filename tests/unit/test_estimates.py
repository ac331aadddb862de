# SPDX-License-Identifier: MIT
"""Early estimates on the page. Oracle: a measurement with that many samples; one kind of interval throughout."""

from __future__ import annotations

from typing import Any

import unisono
from generators import spread_continuum
from unisono.model import Corpus
from unisono.web.estimates import FIRST, measure_with_estimates


def test_every_estimate_has_the_interval_over_documents() -> None:
    corpus = Corpus(tuple(spread_continuum(3, 6, 1, seed=seed) for seed in range(8)))
    events: list[dict[str, Any]] = []
    arguments = {"measures": ["gamma"], "seed": 5, "level": 0.95, "precision": 0.005}
    found = measure_with_estimates(
        corpus, arguments, samples=None, estimates=True, threads=1, tell=events.append
    ).result["gamma"]
    estimates = [event for event in events if event["event"] == "estimate"]
    assert estimates
    for event in estimates:
        words = event["words"]["gamma"]
        assert words["interval"]["kind"] == "documents"
        assert words["certainty"][1].startswith("computation error ±")
        assert sum("interval" in line for line in words["certainty"]) == 1
    first = unisono.measure(corpus, seed=5, samples=FIRST)["gamma"].intervals["documents"]
    assert estimates[0]["words"]["gamma"]["interval"]["low"] == first.low
    # The interval hardly moves while the computation error shrinks.
    last = found.intervals["documents"]
    assert abs(last.low - first.low) < 0.3 * (last.high - last.low)
