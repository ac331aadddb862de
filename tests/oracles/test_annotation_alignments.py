# SPDX-License-Identifier: MIT
"""The number of alignments of annotations, held against the enumeration of every optimal sequence alignment."""

from __future__ import annotations

import numpy as np
import pytest

from reference.text_gamma import optimal_paths, read_off, sequence
from unisono.experiments.annotation_alignments import count_annotation_alignments
from unisono.model.versions import Version


def enumerated(one: Version, other: Version) -> int:
    """Different sets of aligned units among the optimal sequence alignments that align the most."""
    versions = [
        (v.text, [(s, e, 0, ()) for s, e in sorted(zip(v.starts.tolist(), v.ends.tolist(), strict=True))])
        for v in (one, other)
    ]
    a, b = sequence(versions[0]), sequence(versions[1])
    sets = {frozenset(read_off(a, b, moves)[0]) for moves in optimal_paths(a, b)}
    most = max(len(aligned) for aligned in sets)
    return sum(len(aligned) == most for aligned in sets)


def test_equal_to_the_enumeration() -> None:
    rng = np.random.default_rng(4)
    counts = []
    for _ in range(150):
        tokens = ["".join(rng.choice(list("ab"), rng.integers(1, 4))) for _ in range(rng.integers(1, 4))]
        changed = [t if rng.random() < 0.6 else "".join(rng.choice(list("ab"), rng.integers(1, 4))) for t in tokens]
        if rng.random() < 0.4:
            changed = changed[1:] or changed
        one, other = Version.of_tokens(tokens), Version.of_tokens(changed, separator=str(rng.choice([" ", ""])))
        counts.append(count_annotation_alignments(one, other))
        assert counts[-1] == enumerated(one, other), (tokens, changed)
    assert max(counts) > 1


@pytest.mark.parametrize(
    ("marked", "other"), [("{ne}{mag}", "{mag}"), ("{a}{b} {c}", "{a} {b}{c}"), ("{so} {so} {so}", "{so} {so}")]
)
def test_marked_texts(marked: str, other: str) -> None:
    versions = Version.marked(marked), Version.marked(other)
    assert count_annotation_alignments(*versions) == enumerated(*versions)
