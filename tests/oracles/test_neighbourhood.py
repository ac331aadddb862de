# SPDX-License-Identifier: MIT
"""Clusters dissolved and placed anew (neighbourhood.hpp). Oracle: the cost of all clusters, by its definition."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import pytest

PROGRAM = Path(__file__).with_name("neighbourhood.cpp")
CORE = Path(__file__).parents[2] / "src" / "unisono" / "_core"
FLAGS = ["-std=c++17", "-O1", "-ffp-contract=off", "-Wall", "-Wextra", "-Werror", "-Wno-unused-parameter"]


def _cost(label: list[int], weights: dict[tuple[int, int], float]) -> float | None:
    """The number of clusters less the weights in them; None where two units of a cluster cannot be together."""
    inside = [pair for pair in combinations(range(len(label)), 2) if label[pair[0]] == label[pair[1]]]
    if any(pair not in weights for pair in inside):
        return None
    return len(set(label)) - sum(weights[pair] for pair in inside)


def _cases(output: str) -> Iterator[list[list[str]]]:
    for case in output.split("part ")[1:]:
        yield [line.split() for line in ("part " + case).splitlines()]


@pytest.fixture(scope="module")
def output(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What the program prints."""
    compiler = shutil.which(os.environ.get("CXX", "g++"))
    if not compiler:
        pytest.skip("no C++ compiler here")
    built = tmp_path_factory.mktemp("neighbourhood") / "neighbourhood"
    subprocess.run([compiler, *FLAGS, f"-I{CORE}", PROGRAM, "-o", built], check=True)
    return subprocess.run([built], check=True, capture_output=True, text=True, timeout=60).stdout


def test_an_interruption_leaves_nothing_behind(output: str) -> None:
    """Oracle: the same search with clusters that were never interrupted."""
    again = [line.split()[1:] for line in output.splitlines() if line.startswith("again")]
    assert sum(1 for *_, is_interrupted in again if is_interrupted == "1") > 100
    assert all(cost == fresh for cost, fresh, _ in again)


def test_units_placed_anew_cost_what_is_said(output: str) -> None:
    n_joined = n_better = 0
    for (_, _, is_whole, before, after), _, label_line, dissolved_line, *rest in _cases(output):
        label = [int(k) for k in label_line[1:]]
        dissolved = {int(k) for k in dissolved_line[1:]}
        weights = {(int(u), int(v)): float(w) for u, v, w in (line[1:] for line in rest if line[0] == "pair")}
        free = {u for u, k in enumerate(label) if k in dissolved}
        placed, fresh = list(label), len(label)
        found: list[int] = []
        for kind, k, *units in rest:
            if kind != "place":
                continue
            n_joined += k != "-1"
            fresh += 1
            assert int(k) not in dissolved
            for u in map(int, units):
                found.append(u)
                placed[u] = fresh if k == "-1" else int(k)
        assert sorted(found) == sorted(free)
        was, now = _cost(label, weights), _cost(placed, weights)
        assert was is not None
        assert now is not None
        assert float(before) - float(after) == pytest.approx(was - now, abs=1e-12)
        n_better += now < was - 1e-9
        if is_whole == "1":  # no unit has a better place
            for u in free:
                for k in {*placed, fresh + 1} - {placed[u]}:
                    other = _cost([*placed[:u], k, *placed[u + 1 :]], weights)
                    assert other is None or other >= now - 2e-9
    assert n_joined > 100
    assert n_better > 100
