# SPDX-License-Identifier: MIT
"""Alignment of versions of a text. Oracle: the slow twin, which enumerates every optimal sequence alignment."""

from __future__ import annotations

import random
from functools import partial
from itertools import pairwise

import numpy as np
import pytest
from rapidfuzz.distance import Levenshtein

import unisono._core as core
from reference import text_gamma as twin
from reference.text_gamma import MarkedUnit
from reference.text_gamma import Version as Plain
from unisono.alignment import NO_LIMITS
from unisono.text import TextDissimilarity, TextUnit, TextVersions, Version, best_text_alignment
from unisono.text.core_text import core_text

FEATURES = ("f0", "f1")
TYPES = ("outer", "zinner")
GAPS = [(1, 1), (1, 2), (2, 1), (3, 2), (2, 3)]


def draw(dice: random.Random, *, types: int, features: int, length: int, letters: str = "ab") -> Plain:
    text = "".join(dice.choice(letters) for _ in range(dice.randint(0, length)))
    units: list[MarkedUnit] = []
    for kind in range(types):
        cuts = sorted(dice.sample(range(len(text) + 1), min(len(text) + 1, dice.randint(0, 4))))
        for start, end in pairwise(cuts):
            if dice.random() < 0.8:
                units.append((start, end, kind, labels(dice, features)))
        if dice.random() < 0.1:  # without length
            units.append((len(text), len(text), kind, labels(dice, features)))
    return text, sorted(units, key=lambda unit: (unit[2], unit[0], unit[1]))


def labels(dice: random.Random, features: int) -> tuple[str, ...]:
    return tuple(dice.choice("XY") for _ in range(features))


def version(plain: Plain) -> Version:
    return Version.of(
        plain[0],
        [TextUnit(s, e, TYPES[t], dict(zip(FEATURES, own, strict=False))) for s, e, t, own in plain[1]],
    )


def order(version: Plain) -> object:
    text, units = version
    return [ord(c) for c in text], *([unit[i] for unit in units] for i in range(3)), [unit[3] for unit in units]


def pairs_of(a: Plain, b: Plain, types: int, features: int, gaps: tuple[int, int]) -> list[tuple[int, int]]:
    """What the core says corresponds, types in the order of the twin whatever their lengths."""
    kernels = [
        core.Kernel(positional="sporadic", scale=1.0, categorial="nominal", table=np.empty(0), steep=False, alpha=0.0,
                    beta=1.0, delta_empty=1.0)
        for _ in range(features)
    ]  # fmt: skip
    kernel = core.TextKernel(False, 1.0, kernels, np.full(types * (features + 1), 1 / (features + 1)))
    _, opened, closed, limit = core.text_pair(encoded(a), encoded(b), kernel, *gaps, NO_LIMITS)
    assert limit == ""
    return [(u, v) for u, (v, w) in enumerate(zip(opened.tolist(), closed.tolist(), strict=True)) if v == w >= 0]


def encoded(plain: Plain) -> core.TextVersion:
    text, units = plain
    columns = [[ord(c) for c in text], *([unit[i] for unit in units] for i in range(3))]
    own = [ord(label) for unit in units for label in unit[3]]
    width = len(units[0][3]) if units else 0
    return core.TextVersion(*(np.array(c, dtype=np.int32) for c in columns), np.array(own, dtype=np.int32), width)


@pytest.mark.parametrize("seed", range(8))
def test_two_annotators_against_every_optimal_alignment(seed: int) -> None:
    dice = random.Random(seed)
    done = 0
    while done < 150:
        types, features, gaps = dice.randint(1, 2), dice.randint(0, 2), dice.choice(GAPS)
        a, b = (draw(dice, types=types, features=features, length=6) for _ in range(2))
        if not a[1] or not b[1]:
            continue
        found = pairs_of(a, b, types, features, gaps)
        least = twin.observed_disorder(a, b, gap_t=gaps[0], gap_b=gaps[1])
        assert twin.summed(a, b, found, twin.nominal) / (len(a[1] + b[1]) / 2) == pytest.approx(least, abs=1e-9)
        assert found == sorted(twin.correspondences(a, b, order, gap_t=gaps[0], gap_b=gaps[1])), "the tie rule"
        done += 1


def test_through_the_public_door() -> None:
    dice = random.Random(5)
    for _ in range(200):
        a, b = (draw(dice, types=1, features=1, length=6) for _ in range(2))
        if not (a[1] or b[1]):
            continue
        versions = TextVersions.of({"ann": version(a), "bob": version(b)})
        assert best_text_alignment(versions).disorder == pytest.approx(twin.observed_disorder(a, b), abs=1e-9)
        assert best_text_alignment(versions, gap_b=1.5).disorder == pytest.approx(
            twin.observed_disorder(a, b, gap_t=2, gap_b=3), abs=1e-9
        )


def test_three_types_against_every_optimal_alignment() -> None:
    dice = random.Random(11)
    done = 0
    while done < 60:
        a, b = (draw(dice, types=3, features=1, length=4) for _ in range(2))
        if not a[1] or not b[1] or len(a[1]) + len(b[1]) > 9:
            continue
        assert pairs_of(a, b, 3, 1, (1, 1)) == sorted(twin.correspondences(a, b, order))
        done += 1


def test_gaps_are_units_of_the_innermost_type() -> None:
    dice = random.Random(12)
    for _ in range(150):
        plain = [draw(dice, types=1, features=0, length=6) for _ in range(2)]
        if not any(units for _, units in plain):
            continue
        versions = TextVersions.of({name: version(item) for name, item in zip(("x", "y"), plain, strict=True)})
        explicit = []
        for text, units in plain:
            covered = {at for start, end, _, _ in units for at in range(start, end)}
            free = [at for at in range(len(text)) if at not in covered]
            firsts = [at for at in free if at == 0 or at - 1 in covered]
            gaps = [(s, next((e for e in range(s, len(text)) if e in covered), len(text)), 1, ()) for s in firsts]
            explicit.append((text, [*units, *gaps]))
        found = best_text_alignment(versions, count_gaps=True).disorder
        assert found == pytest.approx(twin.observed_disorder(*explicit), abs=1e-9)


@pytest.mark.parametrize("seed", range(3))
def test_three_annotators_against_every_partition(seed: int) -> None:
    dice = random.Random(seed)
    for _ in range(120):
        features = dice.randint(0, 1)
        plain = [draw(dice, types=1, features=features, length=4) for _ in range(3)]
        if not any(units for _, units in plain):
            continue
        versions = TextVersions.of({f"a{i}": version(item) for i, item in enumerate(plain)})
        expected = twin.observed_of_many(plain, order)
        assert best_text_alignment(versions).disorder == pytest.approx(expected, abs=1e-9)


def test_longer_texts_against_a_full_table() -> None:
    # Costs far above 256, so that waves are computed again from those that are kept.
    dice = random.Random(1)
    costs = []
    for letters, tokens in (("ab", 60), ("abcdefgh", 110), ("abcdefgh", 40)):
        plain = []
        for _ in range(2):
            text, units = "", []
            for _ in range(tokens):
                start = len(text)
                text += "".join(dice.choice(letters) for _ in range(dice.randint(1, 4)))
                units.append((start, len(text), 0, (dice.choice("XY"),)))
                text += " " * dice.randint(0, 1)
            plain.append((text, units))
        versions = TextVersions.of({name: version(item) for name, item in zip(("x", "y"), plain, strict=True)})
        found = best_text_alignment(versions)
        assert found.disorder == pytest.approx(twin.observed_by_table(*plain), abs=1e-9)
        assert found.disorder == pytest.approx(twin.observed_by_table(*reversed(plain)), abs=1e-9)
        costs.append(core.text_pair(*found.core.full, found.core.kernel, 1, 1, NO_LIMITS)[0])
    assert max(costs) > 256


def test_levenshtein_is_that_of_rapidfuzz() -> None:
    dice = random.Random(2)
    for _ in range(300):
        a, b = ("".join(dice.choice("abc") for _ in range(dice.randint(0, 12))) for _ in range(2))
        versions = TextVersions.of({"x": Version.of(a, [(0, len(a))]), "y": Version.of(b, [(0, len(b))])})
        made = core_text(versions, TextDissimilarity("levenshtein"))
        zero = np.zeros(1, dtype=np.int32)
        d = made.kernel.between(made.full[0], zero, made.full[1], zero)[0]
        assert d == pytest.approx(Levenshtein.normalized_distance(a, b))


def test_weights_and_levenshtein_against_the_twin() -> None:
    def d(a: Plain, u: int, b: Plain, v: int, weights: tuple[float, float]) -> float:
        (s, e, _, own), (t, f, _, others) = a[1][u], b[1][v]
        text = Levenshtein.normalized_distance(a[0][s:e], b[0][t:f])
        return (weights[0] * text + weights[1] * (own != others)) / sum(weights)

    dice = random.Random(3)
    checked = 0
    while checked < 150:
        a, b = (draw(dice, types=1, features=1, length=6) for _ in range(2))
        if not (a[1] and b[1]):
            continue
        weights = dice.choice([(1.0, 1.0), (2.0, 1.0), (0.5, 3.0)])
        measured = TextDissimilarity("levenshtein", text_weight=weights[0], weights={"f0": weights[1]})
        found = best_text_alignment(TextVersions.of({"x": version(a), "y": version(b)}), measured).disorder
        assert found == pytest.approx(twin.observed_disorder(a, b, partial(d, weights=weights)), abs=1e-9)
        checked += 1
