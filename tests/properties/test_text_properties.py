# SPDX-License-Identifier: MIT
"""What must hold for any versions of a text (hypothesis): order, names, identity, threads, lower bounds by pairs."""

from __future__ import annotations

import json
import tempfile
from itertools import combinations, permutations
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from unisono.io.formats.text_versions import as_dict
from unisono.measures.text_gamma import text_gamma
from unisono.sampling import Sampling
from unisono.text import (
    RandomEdits,
    TextUnit,
    TextVersions,
    Version,
    best_text_alignment,
    observed_disorder,
    read_versions,
)


@st.composite
def versions_of(draw: st.DrawFn, *, letters: str = "ab ", longest: int = 14) -> Version:
    text = draw(st.text(letters, max_size=longest))
    units = []
    for kind in draw(st.sampled_from([("token",), ("token", "phrase")])):
        cuts = sorted(draw(st.sets(st.integers(0, len(text)), max_size=6)))
        for start, end in zip(cuts[::2], cuts[1::2], strict=False):
            labels = draw(st.fixed_dictionaries({"pos": st.sampled_from(["A", "B", None])}))
            units.append(TextUnit(start, end, kind, labels))
    return Version.of(text, units)


def texts(smallest: int = 2, largest: int = 4) -> st.SearchStrategy[list[Version]]:
    return st.lists(versions_of(), min_size=smallest, max_size=largest).filter(lambda vs: any(len(v) for v in vs))


def named(versions: list[Version]) -> TextVersions:
    return TextVersions.of({f"a{i}": version for i, version in enumerate(versions)})


@given(texts())
def test_order_and_names_do_not_matter(versions: list[Version]) -> None:
    disorders = [observed_disorder(named(list(order))) for order in permutations(versions)]
    assert disorders == pytest.approx([disorders[0]] * len(disorders), abs=1e-12)


@given(versions_of(), st.integers(2, 4))
def test_identical_versions_have_no_disorder(version: Version, n: int) -> None:
    if len(version):
        alignment = best_text_alignment(named([version] * n))
        assert alignment.disorder == 0
        assert len(alignment) == len(version)


@given(texts(3, 4))
def test_never_below_the_mean_of_the_pairs(versions: list[Version]) -> None:
    # Restricted to two annotators, an alignment of all is one of theirs. (With one type and no features: which
    # features a type has, and the order of the types, are taken from all versions.)
    versions = [
        Version(v.text, starts=v.starts[mine], ends=v.ends[mine])
        for v in versions
        for mine in [[i for i in range(len(v)) if v.types[i] == "token"]]
    ]
    assume(any(len(version) for version in versions))
    whole = best_text_alignment(named(versions)).disorders.sum()
    pairs = [
        best_text_alignment(named(list(pair))).disorders.sum() if any(map(len, pair)) else 0.0
        for pair in combinations(versions, 2)
    ]
    assert whole >= sum(pairs) / len(pairs) - 1e-9


@given(texts(2, 3), st.sampled_from([(1, 1), (1, 2), (2, 1)]))
def test_every_unit_is_somewhere_once_and_types_never_mix(versions: list[Version], gaps: tuple[int, int]) -> None:
    alignment = best_text_alignment(named(versions), gap_t=gaps[0], gap_b=gaps[1], count_gaps=True)
    for annotator, version in enumerate(versions):
        mine = [u.units[annotator] for u in alignment.unitary_alignments]
        real = [unit for unit in mine if unit is not None and unit.type != "gap"]
        assert sorted((u.start, u.end, u.type) for u in real) == sorted(
            (u.start, u.end, u.type) for u in (version[i] for i in range(len(version)))
        )
    for unitary in alignment.unitary_alignments:
        assert len({unit.type for unit in unitary.units if unit is not None}) == 1


@settings(max_examples=20)
@given(texts(2, 3), st.integers(0, 2**64 - 1))
def test_threads_and_longer_runs_change_nothing(versions: list[Version], seed: int) -> None:
    def disorders(samples: int, threads: int) -> list[float]:
        found = text_gamma(
            named(versions),
            chance=RandomEdits(0.3, 0.2),
            sampling=Sampling(samples=samples),
            seed=seed,
            threads=threads,
        ).value.chance_disorders
        assert found is not None
        return found.tolist()

    assert disorders(12, 1) == disorders(12, 3) == disorders(20, 2)[:12]


@given(texts())
def test_json_there_and_back(versions: list[Version]) -> None:
    before = named(versions)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "versions.json"
        path.write_text(json.dumps(as_dict(before)), encoding="utf-8")
        after = read_versions(path)
    assert observed_disorder(after) == observed_disorder(before)
