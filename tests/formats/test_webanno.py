# SPDX-License-Identifier: MIT
"""WebAnno TSV 3. Oracle: our fixture by hand; the tool's own suite of edge cases, read off its file names and cells."""

from __future__ import annotations

from pathlib import Path

import pytest

from unisono.io import inspect, read

FIXTURE = Path(__file__).parent / "fixtures" / "webanno-tsv"
SUITE = "samples/webanno_tsv3/inception-io-webanno-tsv/src/test/resources/tsv3-suite"


def test_fixture() -> None:
    found = inspect(FIXTURE)
    assert found.understood == (
        "3 files, WebAnno TSV; 3 annotators (ann, bob, cem) from file names; 1 document from folder names; "
        "layer NamedEntity; 6 units; category from feature value; feature identifier; integer positions"
    )
    assert found.corpus is not None
    letter = found.corpus["letter.txt"]
    assert letter.text == "Anna 😀 sings.\nIn Rome."
    assert [(u.annotator, letter.text[u.start : u.end], u.category, u.features["identifier"]) for u in letter] == [  # type: ignore[misc]
        ("ann", "Anna", "PER", "Q1"),
        ("ann", "Anna 😀", None, None),
        ("ann", "Rome", "A|B", None),
        ("bob", "Anna 😀", "PER", None),
        ("bob", "sing", "ZERO", None),
        ("bob", "In Rome", "_", None),
    ]


#: Start, end, category of every unit of the suite's files.
EXPECTED: dict[str, list[tuple[int, int, str | None]]] = {
    "testAnnotationWithLeadingWhitespace": [(5, 8, None)],
    "testAnnotationWithLeadingWhitespaceAtStart": [(1, 4, None)],
    "testAnnotationWithTrailingWhitespace": [(0, 3, None)],
    "testCrossSentenceSpanWithoutFeatureValue": [(0, 34, None)],
    "testMultiTokenSpanWithFeatureValue": [(0, 16, "PERSON")],
    "testMultiTokenSpanWithoutFeatureValue": [(0, 16, None)],
    "testMultiTokenStackedSpanWithFeatureValue": [(0, 16, "LOCATION"), (0, 16, "PERSON")],
    "testMultiTokenStackedSpanWithoutFeatureValue": [(0, 16, None), (0, 16, None)],
    "testSubMultiTokenSpanWithFeatureValue": [
        (0, 6, "1"),
        (0, 13, "2"),
        (9, 11, "3"),
        (7, 11, "4"),
        (9, 13, "5"),
        (3, 13, "6"),
        (0, 10, "7"),
        (3, 10, "8"),
        (3, 17, "9"),
        (10, 10, "10"),
        (7, 7, "11"),
        (13, 13, "12"),
    ],
    "testSubMultiTokenSpanWithoutFeatureValue": [(0, 6, None)],
    "testSubMultiTokenSpanWithoutFeatureValue2": [(1, 6, None)],
    "testSubMultiTokenSpanWithoutFeatureValue3": [(1, 6, None), (6, 12, None)],
    "testTokenBoundedSpanWithAsteriskFeatureValue": [
        (s, e, "*") for s, e in [(0, 4), (5, 7), (8, 9), (10, 14), (15, 16)]
    ],
    "testTokenBoundedSpanWithFeatureValue": [
        (s, e, f"NE {i}") for i, (s, e) in enumerate([(0, 4), (5, 7), (8, 9), (10, 14), (15, 16)])
    ],
    "testTokenBoundedSpanWithUnderscoreFeatureValue": [
        (s, e, "_") for s, e in [(0, 4), (5, 7), (8, 9), (10, 14), (15, 16)]
    ],
    "testTokenBoundedSpanWithoutFeatureValue": [(s, e, None) for s, e in [(0, 4), (5, 7), (8, 9), (10, 14), (15, 16)]],
    "testTokenBoundedStackedSpanWithFeatureValue": [
        (s, e, "NE") for s, e in [(0, 4), (5, 7), (8, 9), (10, 14), (15, 16)] for _ in range(2)
    ],
    "testZeroLengthSpanBetweenAdjacentTokens": [(4, 4, None)],
    "testZeroLengthSpansWithFeatureValues": [(0, 0, "PERSON"), (16, 16, "ORG")],
    "testZeroLengthSpansWithoutFeatureValues": [(0, 0, None), (16, 16, None)],
    "testZeroLengthSpansWithoutFeatures": [(0, 0, None), (16, 16, None)],
}


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_suite(shared: Path, name: str) -> None:
    (continuum,) = read(shared / SUITE / name / "reference.tsv")
    assert sorted(((u.start, u.end, u.category) for u in continuum), key=str) == sorted(EXPECTED[name], key=str)


def test_the_suite_is_complete(shared: Path) -> None:
    assert {path.name for path in (shared / SUITE).iterdir()} == set(EXPECTED)


def test_annotators_as_files(shared: Path) -> None:
    folder = shared / "samples/webanno_tsv3/inception-curation-legacy/src/test/resources/casdiff/relationLabelTest"
    assert "curator is named like a standard" in str(inspect(folder, layer="POS").problems[0])
    corpus = read(folder, layer="POS", annotator_from="stem")
    assert {c.name: c.annotators for c in corpus} == {"relationLabelTest": ("curator", "user1", "user2")}
    for path in folder.glob("*.tsv"):
        tokens = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines() if line[:1].isdigit()]
        ours = [
            (f"{u.start}-{u.end}", corpus[0].text[u.start : u.end], u.category) for u in corpus[0].units_of(path.stem)
        ]  # type: ignore
        assert ours == [(row[1], row[2], row[3]) for row in tokens if row[3] != "_"]


def test_old_versions_are_called_by_name(shared: Path) -> None:
    folder = shared / "samples/webanno_tsv3/inception-agreement/src/test/resources"
    for path in sorted(folder.glob("*.tsv")):
        (problem,) = inspect(path).problems
        assert str(problem) == (
            f"{path}:1: this cannot be read as WebAnno TSV 3: it is WebAnno TSV 1 or 2, which has no positions. "
            "Export it as WebAnno TSV 3."
        )


def test_a_line_that_is_no_token(tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    path.write_text("#FORMAT=WebAnno TSV 3.3\n#T_SP=x.Span|value\n\n\n#Text=a b\n1-1\t0-1\ta\tX\t\n1-2\tzero\tb\t_\t\n")
    (problem,) = inspect(path).problems
    assert str(problem).startswith(f"{path}:7: the line '1-2\\tzero\\tb\\t_\\t' is not a token of the form 1-1<TAB>0-4")
    assert read(path, skip_invalid=True).n_units == 1
