# SPDX-License-Identifier: MIT
"""text-γ. Oracle: examples (4)-(13) of Barteld et al. 2016, and the unit test of the authors' own program."""

from __future__ import annotations

from itertools import pairwise

import pytest

from reference.text_gamma import Version as Plain
from reference.text_gamma import optimal_paths, read_off, sequence
from unisono.text import TextVersions, Version, best_text_alignment, observed_disorder


def plain(marked: str) -> Plain:
    version = Version.marked(marked)
    return version.text, [(version[i].start, version[i].end, 0, ()) for i in range(len(version))]


def alignments(a: str, b: str) -> set[frozenset[tuple[int, int]]]:
    """What every optimal sequence alignment aligns."""
    first, second = sequence(plain(a)), sequence(plain(b))
    return {frozenset(read_off(first, second, moves)[0]) for moves in optimal_paths(first, second)}


def aligned(a: str, b: str, **gaps: float) -> set[tuple[str | None, ...]]:
    """What the best alignment aligns."""
    versions = TextVersions.of({"one": Version.marked(a), "other": Version.marked(b)})
    return {unitary.texts for unitary in best_text_alignment(versions, **gaps).unitary_alignments}


@pytest.mark.parametrize(
    ("a", "b", "all_alignments", "best"),
    [
        # (4), (5): both are optimal; the units hat and hatt are aligned in one of them.
        ("{hat}{s}", "{hatt}", {frozenset(), frozenset({(0, 0)})}, {("hat", "hatt"), ("s", None)}),
        # (6), (7): aligning the units and not aligning them are both optimal.
        ("{a}{bbc}", "{abb}{c}", {frozenset(), frozenset({(0, 0), (1, 1)})}, {("a", "abb"), ("bbc", "c")}),
        # (8), (9): only the variant in which the units are aligned is optimal.
        ("{a}{bc}", "{ab}{c}", {frozenset({(0, 0), (1, 1)})}, {("a", "ab"), ("bc", "c")}),
        # (10), (11): the other way round.
        ("{a}{bbbc}", "{abbb}{c}", {frozenset()}, {("a", None), ("bbbc", None), (None, "abbb"), (None, "c")}),
        # (13): only the second alignment is wanted.
        ("{ne}{mag}", "{mag}", {frozenset(), frozenset({(1, 0)})}, {("ne", None), ("mag", "mag")}),
    ],
    ids=["4-5", "6-7", "8-9", "10-11", "13"],
)
def test_examples(
    a: str, b: str, all_alignments: set[frozenset[tuple[int, int]]], best: set[tuple[str | None, ...]]
) -> None:
    found = alignments(a, b)
    # Alignments may also align some of the pairs: the two extremes are what the paper prints.
    assert {min(found, key=len), max(found, key=len)} == all_alignments
    assert aligned(a, b) == best
    assert aligned(b, a) == {tuple(reversed(pair)) for pair in best}


def test_example_12_has_three_optimal_alignments() -> None:
    paths = list(optimal_paths(sequence(plain("vins")), sequence(plain("vms"))))
    assert len(paths) == 3


@pytest.mark.parametrize(
    ("apart", "gap_b", "together"), [(1, 1, True), (3, 1, False), (3, 2, True), (5, 2, False), (1, 0.25, False)]
)
def test_how_far_boundaries_may_be_apart(apart: int, gap_b: float, together: bool) -> None:
    # Section 4: less than 2 gap_b characters apart they are always aligned, more than that never.
    a, b = "{a}{" + "b" * apart + "c}", "{a" + "b" * apart + "}{c}"
    assert (("a", "a" + "b" * apart) in aligned(a, b, gap_b=gap_b)) is together


def test_so_so_so() -> None:
    versions = TextVersions.of({"a": Version.marked("{so} {so} {so}"), "b": Version.marked("{so} {so}")})
    assert observed_disorder(versions) == pytest.approx(0.4, abs=1e-12)


def test_one_value_whatever_the_order() -> None:
    one, other = Version.marked("{aba}"), Version.marked("{a}{ab}")
    values = [
        observed_disorder(TextVersions.of({"x": one, "y": other})),
        observed_disorder(TextVersions.of({"x": other, "y": one})),
    ]
    # {aba} can be aligned with {a} or with {ab}: 1 for the texts, 1 for the unit left over, over 1.5 units.
    assert values[0] == values[1] == pytest.approx(2 / 1.5)


@pytest.mark.long
def test_figure_2() -> None:
    """Near-linear curves; the matching ones reach about 0 at magnitude 1 (section 7)."""
    from unisono.experiments.text_gamma_figure2 import PARAMETERS, points, reference_version

    reference = reference_version()
    assert reference.n_units == 608
    assert 3_500 < len(reference.text) < 3_900
    found = list(points(magnitudes=(0.0, 0.25, 0.5, 0.75, 1.0), repetitions=8, samples=10))
    for setting in PARAMETERS:
        curves = {
            name: [p.mean for p in found if (p.setting, p.measure) == (setting, f"text-gamma ({name})")]
            for name in PARAMETERS
        }
        for curve in curves.values():
            assert curve[0] == 1
            steps = [before - after for before, after in pairwise(curve)]
            assert min(steps) > 0.7 * max(steps), "near-linear"
        # Expecting less change always gives less, but in the case of perfect agreement.
        assert all(x < y < z for x, y, z in zip(*(curve[1:] for curve in curves.values()), strict=True))
        assert -0.15 < curves[setting][-1] < 0.05, "the matching curve: about 0, slightly below"
    beside = {name: [p.mean for p in found if p.measure == name] for name in ("alpha", "alpha-u-1995", "gamma")}
    matching = {
        setting: [p.mean for p in found if (p.setting, p.measure) == (setting, f"text-gamma ({setting})")]
        for setting in PARAMETERS
    }
    assert beside["alpha"] == pytest.approx(matching["Cat"], abs=0.03), "indistinguishable from α"
    assert beside["alpha-u-1995"] == pytest.approx(matching["Cat + Seg"], abs=0.15), "similar to αU"
    assert all(g > t for g, t in zip(beside["gamma"][1:], matching["Cat + Seg"][1:], strict=True)), "γ overestimates"
