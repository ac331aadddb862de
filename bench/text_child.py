# SPDX-License-Identifier: MIT
"""One case of bench/text.py in a process of its own: a request in JSON in, one JSON object out."""

from __future__ import annotations

import json
import random
import sys
import time
from itertools import combinations
from typing import Any

from measuring import peak_mb, reset_peak
from unisono import _core
from unisono.alignment import NO_LIMITS
from unisono.measures.text_gamma import text_gamma
from unisono.sampling import Sampling
from unisono.text import RandomEdits, TextVersions, Version
from unisono.text.core_text import core_text
from unisono.text.version_alignment import align_versions

LETTERS = "eeeeeeennnnniiiiisssssrrrrraaaattttddddhhhuuullcggmmoobwfkzpv"


def vocabulary(size: int, dice: random.Random) -> list[str]:
    return ["".join(dice.choices(LETTERS, k=dice.randint(1, 9))) for _ in range(size)]


def tokens(dice: random.Random, *, number: int | None = None, characters: int | None = None) -> list[str]:
    """Words with the frequencies of natural ones: the k-th is drawn about 1 / k as often as the first."""
    words = vocabulary(5_000, dice)
    weights = [1 / (rank + 2) for rank in range(len(words))]
    if number is not None:
        return dice.choices(words, weights, k=number)
    found: list[str] = []
    length = 0
    while length < (characters or 0):
        for word in dice.choices(words, weights, k=1000):
            found.append(word)
            length += len(word) + 1
            if length >= (characters or 0):
                break
    return found


def edited(words: list[str], share: float, dice: random.Random) -> tuple[Version, int]:
    """A version in which this share of the tokens differs; and how much disorder the edits leave if none is undone."""
    pieces: list[str] = []
    units: list[tuple[int, int, str]] = []
    at = 0
    left = 0
    glue = False
    for i, word in enumerate(words):
        label = f"L{hash_of(word) % 40}"
        if glue:  # merged with the one before, across the space
            start, _, before = units.pop()
            units.append((start, at + len(word), before))
            pieces.append(word)
            at += len(word)
            glue = False
        else:
            kind = dice.random() / share if share else 1.0
            if kind < 0.5:
                place = dice.randrange(len(word))
                word = word[:place] + dice.choice("xqy") + word[place + 1 :]
                left += 1
            if 0.5 <= kind < 0.75 and len(word) > 1:
                cut = dice.randint(1, len(word) - 1)
                units += [(at, at + cut, label), (at + cut, at + len(word), label)]
                left += 3
            else:
                units.append((at, at + len(word), label))
            if 0.75 <= kind < 1 and i + 1 < len(words):
                glue = True
                left += 3
            pieces.append(word)
            at += len(word)
        pieces.append(" ")
        at += 1
    return Version.of("".join(pieces), units), left


def hash_of(word: str) -> int:
    value = 7
    for character in word:
        value = (value * 31 + ord(character)) % 1_000_003
    return value


def pair(request: dict[str, Any]) -> dict[str, Any]:
    dice = random.Random(1)
    words = tokens(dice, characters=request["characters"])
    first, _ = edited(words, 0.0, dice)
    second, left = edited(words, request["share"], dice)
    versions = TextVersions.of({"ann": first, "bob": second})
    core = core_text(versions)
    _ = core.full, core.kernel
    before, began = reset_peak(), time.process_time()
    alignment = align_versions(core, time_limit=None, memory_limit=None)
    seconds, peak = time.process_time() - began, peak_mb()
    cost = _core.text_pair(*core.full, core.kernel, 1, 1, NO_LIMITS)[0]
    summed = alignment.disorder * versions.mean_units
    # `left` is the disorder of the edits that were made; the best alignment cannot have more.
    return {
        "seconds": seconds,
        "before_mb": before,
        "peak_mb": peak,
        "cost": cost,
        "disorder": alignment.disorder,
        "is_right": 0 < summed <= left + 1e-6 and alignment.limit is None,
    }


def many(request: dict[str, Any]) -> dict[str, Any]:
    dice = random.Random(2)
    words = tokens(dice, number=request["tokens"])
    made = [edited(words, request["share"], dice) for _ in range(request["annotators"])]
    versions = TextVersions.of({f"a{i}": version for i, (version, _) in enumerate(made)})
    core = core_text(versions)
    _ = core.full, core.kernel
    before, began = reset_peak(), time.process_time()
    alignment = align_versions(core, time_limit=None, memory_limit=None)
    seconds, peak = time.process_time() - began, peak_mb()
    # No alignment of all can leave less than the best alignments of the pairs do.
    pairs = list(combinations(core.full, 2))
    least = sum(_core.text_align(list(pair), core.kernel, 1, 1, NO_LIMITS)[3] for pair in pairs) / len(pairs)
    return {
        "seconds": seconds,
        "before_mb": before,
        "peak_mb": peak,
        "disorder": alignment.disorder,
        "is_right": alignment.limit is None and alignment.gap == 0 and alignment.disorders.sum() >= least - 1e-6,
    }


def gamma(request: dict[str, Any]) -> dict[str, Any]:
    dice = random.Random(3)
    words = tokens(dice, number=request["tokens"])
    base, _ = edited(words, 0.0, dice)
    versions = TextVersions.of({name: edited(words, 0.05, dice)[0] for name in ("ann", "bob")}, base=base)
    before, began = reset_peak(), time.process_time()
    found = text_gamma(
        versions, chance=RandomEdits(0.25, 0.04, 0.5), sampling=Sampling(precision=0.01), seed=1, threads=1
    ).value
    return {
        "seconds": time.process_time() - began,
        "before_mb": before,
        "peak_mb": peak_mb(),
        "disorder": found.observed,
        "samples": found.n_samples,
        "is_right": found.value is not None
        and 0 < found.value < 1
        and found.intervals["chance"].high - found.value < 0.01,
    }


if __name__ == "__main__":
    asked = json.loads(sys.argv[1])
    print(json.dumps({"pair": pair, "many": many, "gamma": gamma}[asked["kind"]](asked), default=float))
