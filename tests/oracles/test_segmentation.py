# SPDX-License-Identifier: MIT
"""Measures of segmentation. Oracles: their slow twins, nltk and segeval, on random segmentations."""

from __future__ import annotations

import math
import warnings
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import unisono
from reference import segmentation as slow
from segmented import masses, random_segmentations, string
from unisono.measures import segmentation as fast
from unisono.measures.resolved import Resolved
from unisono.model import Continuum

SEEDS = range(150)


def one_document(seed: int) -> Continuum:
    """A document of two annotators, long enough for a window."""
    rng = np.random.default_rng([7, seed])
    while True:
        continuum = random_segmentations(rng, documents=1, annotators=2)[0]
        if continuum.extent is not None and continuum.extent.length > 12:
            return continuum


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("window", [None, 1, 4])
def test_the_twins(seed: int, window: int | None) -> None:
    continua = random_segmentations(np.random.default_rng(seed), documents=4, annotators=4)
    for reference in (None, continua[0].annotators[-1]):
        settings = Resolved(window=window, reference=reference)
        options = {"window": window, "reference": reference}
        n_t = 2 if window is None else window
        expected = {
            fast.window_diff: slow.window_diff(continua, **options),
            fast.pk: slow.pk(continua, **options),
            fast.ghd: slow.ghd(continua, **options),
        }
        for measure, distance in expected.items():
            found = measure(continua, settings)
            assert found.observed == (None if distance is None else pytest.approx(distance, abs=1e-12))
            assert found.value == (None if distance is None else pytest.approx(1 - distance, abs=1e-12))
        for measure, parts in ((fast.boundary_similarity, slow.b_parts), (fast.segmentation_similarity, slow.s_parts)):
            agreement = slow.similarity(continua, parts, n_t=n_t, reference=reference)
            found = measure(continua, settings)
            assert found.value == (None if agreement is None else pytest.approx(agreement, abs=1e-12))
            assert (found.reason is None) is (agreement is not None)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_twins_of_the_corrected_ones(seed: int) -> None:
    continua = random_segmentations(np.random.default_rng(seed), documents=4, annotators=4)
    for n_t in (2, 3, 5):
        for measure, parts, own in (
            (fast.boundary_similarity_pi, slow.b_parts, False),
            (fast.boundary_similarity_kappa, slow.b_parts, True),
            (fast.segmentation_similarity_pi, slow.s_parts, False),
            (fast.segmentation_similarity_kappa, slow.s_parts, True),
        ):
            found = measure(continua, Resolved(window=n_t))
            try:
                expected = slow.corrected(continua, parts, n_t=n_t, own_shares=own)
            except ZeroDivisionError:
                assert found.value is None
                continue
            assert found.value == pytest.approx(expected, abs=1e-12)
            assert found.observed is not None
            assert found.expected is not None
            assert found.value == pytest.approx(1 - found.observed / found.expected, abs=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_nltk(seed: int) -> None:
    """nltk's strings are the potential boundaries; its GHD is the one before the division by the boundaries."""
    nltk = pytest.importorskip("nltk.metrics.segmentation", reason="nltk is not installed")
    continuum = one_document(seed)
    reference, other = (string(continuum, name) for name in ("ann", "bob"))
    for k in (2, 3, 5):
        settings = Resolved(window=k, reference="ann")
        assert fast.window_diff([continuum], settings).observed == pytest.approx(
            nltk.windowdiff(reference, other, k), abs=1e-9
        )
        assert fast.pk([continuum], settings).observed == pytest.approx(nltk.pk(reference, other, k), abs=1e-9)
        n = reference.count("1") + other.count("1")
        if n:
            distance = nltk.ghd(reference, other, 1.0, 1.0, 2 / k)
            assert fast.ghd([continuum], settings).observed == pytest.approx(distance / n, abs=1e-9)


@pytest.mark.parametrize("seed", range(40))
def test_nltk_ghd_with_other_costs(seed: int) -> None:
    nltk = pytest.importorskip("nltk.metrics.segmentation", reason="nltk is not installed")
    rng = np.random.default_rng([9, seed])
    continuum = one_document(seed)
    reference, other = (string(continuum, name) for name in ("ann", "bob"))
    insertion, deletion, shift = rng.choice([0.5, 1.0, 2.0, 3.0], 3).tolist()
    found = fast.generalized_hamming_distance(
        [i for i, x in enumerate(reference) if x == "1"],
        [i for i, x in enumerate(other) if x == "1"],
        insertion=insertion,
        deletion=deletion,
        shift=shift,
    )
    assert found == pytest.approx(nltk.ghd(reference, other, insertion, deletion, shift), abs=1e-9)


@pytest.fixture(scope="module")
def segeval():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # its docstrings have escapes that Python frowns on
        return pytest.importorskip("segeval", reason="segeval is not installed")


@pytest.mark.parametrize("seed", SEEDS)
def test_segeval_pairs(segeval, seed: int) -> None:
    """The window too is segeval's: half the mean unit of the reference, rounded, two at least."""
    continuum = one_document(seed)
    reference, other = (masses(continuum, name) for name in ("ann", "bob"))
    settings = Resolved(reference="ann")
    found = fast.window_diff([continuum], settings)
    assert found.observed == pytest.approx(float(segeval.window_diff(other, reference)), abs=1e-12)
    found = fast.pk([continuum], settings)
    assert found.observed == pytest.approx(float(segeval.pk(other, reference)), abs=1e-12)
    if len(reference) + len(other) > 2:  # with no boundary at all segeval's S fails, and its B is 1
        for n_t in (2, 3, 6):
            settings = Resolved(window=n_t)
            b = fast.boundary_similarity([continuum], settings).value
            assert b == pytest.approx(float(segeval.boundary_similarity(reference, other, n_t=n_t)), abs=1e-12)
            s = fast.segmentation_similarity([continuum], settings).value
            assert s == pytest.approx(float(segeval.segmentation_similarity(reference, other, n_t=n_t)), abs=1e-12)


def dataset(continua: list[Continuum]) -> dict[str, dict[str, list[int]]]:
    return {c.name: {name: masses(c, name) for name in c.annotators} for c in continua}


def all_by_all(seed: int, documents: int) -> list[Continuum]:
    """Documents of the same three annotators, each with a boundary: what segeval's coefficients take."""
    rng = np.random.default_rng([11, seed])
    continua: list[Continuum] = []
    while len(continua) < documents:
        continuum = random_segmentations(rng, documents=1, annotators=3)[0]
        if continuum.n_annotators == 3 and min(continuum.counts) > 1:
            continuum.name = f"d{len(continua)}"
            continua.append(continuum)
    return continua


@pytest.mark.parametrize("seed", range(60))
def test_segeval_coefficients(segeval, seed: int) -> None:
    """One document: π* and κ* of B and S. Several: κ*, and π* with segeval's mean of shares put in its place."""
    for documents in (1, 3):
        continua = all_by_all(seed, documents)
        data = dataset(continua)
        for compare, pi, kappa in (
            (segeval.boundary_similarity, fast.boundary_similarity_pi, fast.boundary_similarity_kappa),
            (segeval.segmentation_similarity, fast.segmentation_similarity_pi, fast.segmentation_similarity_kappa),
        ):
            theirs = float(segeval.fleiss_kappa_linear(data, fnc_compare=compare))
            assert kappa(continua, Resolved()).value == pytest.approx(theirs, abs=1e-12)
            theirs = float(segeval.fleiss_pi_linear(data, fnc_compare=compare))
            found = pi(continua, Resolved())
            if documents > 1:  # segeval issue 2: it takes the mean of the documents' shares, not the pooled share
                shares = [len(slow.boundaries(c, a)) / (slow.length(c) - 1) for c in continua for a in c.annotators]
                assert found.observed is not None
                expected = 1 - np.mean(shares) ** 2
                assert 1 - found.observed / expected == pytest.approx(theirs, abs=1e-12)
            else:
                assert found.value == pytest.approx(theirs, abs=1e-12)


def test_salami(segeval, shared: Path) -> None:
    """Music cut into sections by two people, in seconds: steps of half a second, then segeval on the lengths."""
    corpus = unisono.read(shared / "corpora" / "salami" / "uppercase.csv.gz")
    compared = 0
    for continuum in list(corpus)[:120]:
        if continuum.n_annotators < 2:
            continue
        rows, extent = [], continuum.extent
        assert extent is not None
        for annotator in continuum.annotators:
            edges = [extent.start, *(unit.start for unit in continuum.units_of(annotator)[1:]), extent.end]
            atoms = [math.ceil((edge - extent.start) / 0.5 - 0.5) for edge in edges]
            rows.append([b - a for a, b in pairwise(atoms)])
        found = fast.window_diff([continuum], Resolved(step=0.5, reference=continuum.annotators[0]))
        if found.value is None:
            assert found.reason_code in {"not-covering", "overlapping-units", "no-length"}
            continue
        compared += 1
        assert found.observed == pytest.approx(float(segeval.window_diff(rows[1], rows[0])), abs=1e-12)
        b = fast.boundary_similarity([continuum], Resolved(step=0.5, window=3)).value
        assert b == pytest.approx(float(segeval.boundary_similarity(*rows, n_t=6)), abs=1e-12)
    assert compared > 20
