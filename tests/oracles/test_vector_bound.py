# SPDX-License-Identifier: MIT
"""Lower bounds from vectors (vector_bound.hpp). Oracles: brute force, numpy, the formula for any vectors."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from reference.vectors import Weights, duals, semidefinite_bound

PROGRAM = Path(__file__).with_name("vector_bound.cpp")
CORE = Path(__file__).parents[2] / "src" / "unisono" / "_core"
FLAGS = ["-std=c++17", "-O2", "-ffp-contract=off", "-Wall", "-Wextra", "-Werror", "-Wno-unused-parameter"]
Lines = list[list[str]]


def _output(folder: Path, *flags: str) -> str:
    compiler = shutil.which(os.environ.get("CXX", "g++"))
    if not compiler:
        pytest.skip("no C++ compiler here")
    built = folder / "vector_bound"
    subprocess.run([compiler, *FLAGS, *flags, f"-I{CORE}", PROGRAM, "-o", built], check=True)
    return subprocess.run([built], check=True, capture_output=True, text=True, timeout=120).stdout


@pytest.fixture(scope="module")
def output(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What the program prints."""
    return _output(tmp_path_factory.mktemp("vectors"))


def _blocks(output: str, name: str) -> Iterator[Lines]:
    """The lines from each one that begins with `name` to the next heading."""
    block: Lines = []
    for line in [*map(str.split, output.splitlines()), ["algebra"]]:
        if line[0] in ("algebra", "special", "part") and block:
            if block[0][0] == name:
                yield block
            block = []
        block.append(line)


def _matrix(block: Lines, name: str) -> np.ndarray:
    return np.array([[float(x) for x in line[1:]] for line in block if line[0] == name])


def _part(block: Lines) -> tuple[list[int], Weights]:
    """The annotators of the units, and the weights of pairs."""
    of = [int(line[1]) for line in block if line[0] == "unit"]
    return of, {(int(line[1]), int(line[2])): float(line[3]) for line in block if line[0] == "pair"}


def _columns(n_units: int, weights: Weights) -> dict[frozenset[int], float]:
    """Every set of units that can be together, with its cost."""
    costs = {frozenset([u]): 1.0 for u in range(n_units)}
    largest = list(costs)
    while largest:
        grown = {}
        for column in largest:
            for v in range(max(column) + 1, n_units):
                pairs = [(u, v) for u in column]
                if all(pair in weights for pair in pairs):
                    grown[column | {v}] = costs[column] - sum(weights[pair] for pair in pairs)
        costs.update(grown)
        largest = list(grown)
    return costs


def _least_cost(n_units: int, costs: dict[frozenset[int], float]) -> float:
    """Of all partitions into columns."""
    by_seed: list[list[tuple[frozenset[int], float]]] = [[] for _ in range(n_units)]
    for column, cost in costs.items():
        by_seed[min(column)].append((column, cost))

    @cache
    def rest(left: frozenset[int]) -> float:
        if not left:
            return 0.0
        return min(cost + rest(left - column) for column, cost in by_seed[min(left)] if column <= left)

    return rest(frozenset(range(n_units)))


def test_products_rows_and_eigenvectors(output: str) -> None:
    """Oracle: numpy."""
    n_dependent = 0
    for block in _blocks(output, "algebra"):
        a, b, c = (_matrix(block, name) for name in "abc")
        np.testing.assert_allclose(_matrix(block, "ab"), a.T @ b, atol=1e-5)
        np.testing.assert_allclose(_matrix(block, "ac"), a.T @ c.T, atol=1e-5)
        np.testing.assert_allclose(_matrix(block, "some"), a.T[a.shape[1] // 2 :] @ c.T[:, 1:3], atol=1e-5)
        rows = _matrix(block, "orthonormal")
        lengths = np.round(np.linalg.norm(rows, axis=1))
        np.testing.assert_allclose(rows @ rows.T, np.diag(lengths), atol=1e-4)
        # What the given rows span, these do, too.
        given = c[:-1] if len(c) <= c.shape[1] else c[:0]
        np.testing.assert_allclose(given @ rows.T @ rows, given, atol=1e-3)
        n_dependent += int((lengths == 0).sum())
    assert n_dependent > 0
    for block in [*_blocks(output, "algebra"), *_blocks(output, "special")]:
        values, vectors = _matrix(block, "values")[0], _matrix(block, "vector")
        symmetric = _matrix(block, "symmetric").reshape(vectors.shape)
        np.testing.assert_allclose(np.sort(values), np.linalg.eigvalsh(symmetric), atol=1e-12)
        np.testing.assert_allclose(vectors @ symmetric, values[:, None] * vectors, atol=1e-12)
        np.testing.assert_allclose(vectors @ vectors.T, np.eye(len(values)), atol=1e-12)


def test_duals_of_small_parts(output: str) -> None:
    """Oracle: brute force over all sets of units and all partitions; also where a limit ended the search."""
    n_stopped, shares = 0, []
    for block in _blocks(output, "part"):
        of, weights = _part(block)
        found = _matrix(block, "duals")[0]
        np.testing.assert_array_equal(_matrix(block, "fresh")[0], found)  # nothing is left of an earlier part
        is_stopped = block[0][2] == "1"
        n_stopped += is_stopped
        if len(found) == 0 or len(of) > 16:
            continue
        bound = float(_matrix(block, "bound")[0, 0])
        assert found.sum() == pytest.approx(bound)
        costs = _columns(len(of), weights)
        assert all(sum(found[u] for u in column) <= cost + 1e-12 for column, cost in costs.items())
        least = _least_cost(len(of), costs)
        assert bound <= least + 1e-12
        if not is_stopped:
            shares.append(bound / least)
    assert n_stopped > 5
    assert len(shares) > 40
    # The semidefinite program itself has a gap on some; a bound without a search would leave much more.
    assert np.median(shares) > 0.99
    assert min(shares) > 0.7


def test_the_bound_is_that_of_the_program(output: str) -> None:
    """Oracle: the twin, which keeps all eigenvectors in double precision."""
    shares = []
    for block in list(_blocks(output, "part"))[:30]:
        of, weights = _part(block)
        if block[0][2] == "0":
            shares.append(float(_matrix(block, "bound")[0, 0]) / semidefinite_bound(of, weights, 1000))
    assert len(shares) > 20
    assert np.median(shares) > 0.9999
    assert min(shares) > 0.95  # where half of the eigenvectors do not suffice


def test_duals_of_given_vectors(output: str) -> None:
    """Oracle: the twin's formula, for vectors that were not chosen for anything."""
    for block in _blocks(output, "part"):
        of, weights = _part(block)
        first, *vectors = _matrix(block, "any").T.astype(np.float32).astype(float).tolist()
        length = float(np.linalg.norm(first))
        expected = duals([x / length for x in first], vectors, of, weights)
        np.testing.assert_allclose(_matrix(block, "proven")[0], expected, atol=1e-12)


def test_duals_of_a_part_of_fifty_annotators(output: str) -> None:
    """Oracle: the places are an alignment; no unit added to its columns, or taken away, makes one that is too cheap."""
    block = list(_blocks(output, "part"))[-1]
    of, weights = _part(block)
    found, bound = _matrix(block, "duals")[0], float(_matrix(block, "bound")[0, 0])
    place = [int(line[2]) for line in block if line[0] == "unit"]

    def cost(column: Sequence[int]) -> float:
        pairs = list(combinations(sorted(column), 2))
        return 1 - sum(weights[pair] for pair in pairs) if all(pair in weights for pair in pairs) else np.inf

    whole = [[u for u, k in enumerate(place) if k == wanted] for wanted in range(4)]
    least = sum(map(cost, whole))
    assert 0.9 * least < bound <= least + 1e-12
    for column in whole:
        near = [column, *([*column, v] for v in range(len(of)) if v not in column)]
        near += [[u for u in column if u != left] for left in column]
        for each in near:
            assert sum(found[u] for u in each) <= cost(each) + 1e-12


@pytest.mark.parametrize("seed", range(40))
def test_any_vectors_prove(seed: int) -> None:
    """Oracle: brute force. The twin's duals hold for vectors that were not chosen for anything."""
    rng = np.random.default_rng(seed)
    n, m = 3, 8
    of = rng.integers(n, size=m).tolist()
    weights = {(u, v): float(rng.normal(0, 0.5)) for u, v in combinations(range(m), 2) if of[u] != of[v]}
    vectors = rng.normal(0, rng.choice([0.1, 0.5, 2]), (m, 3)).tolist()
    found = duals([1.0, 0.0, 0.0], vectors, of, weights)
    assert all(sum(found[u] for u in column) <= cost + 1e-9 for column, cost in _columns(m, weights).items())


def test_no_bit_depends_on_the_processor(output: str, tmp_path: Path) -> None:
    """Oracle: the same program without wide vectors, compiled otherwise."""
    assert _output(tmp_path, "-DUNISONO_NARROW", "-O1") == output
