# SPDX-License-Identifier: MIT
"""Columns of tokens. Oracle: our fixture and dialects by hand; a naive decoder; the samples by regular expressions."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unisono.io import inspect, read
from unisono.io.writers import write
from unisono.model import Continuum, Corpus

FIXTURE = Path(__file__).parent / "fixtures" / "conll"


def test_units_on_the_text_of_the_tokens() -> None:
    corpus = read(FIXTURE)
    first = corpus["d1"]
    assert first.text == "Eva Long left Rome 🙂\nTom Kim\n"
    assert [(u.annotator, first.text[u.start : u.end], u.category) for u in first] == [
        ("ann", "Eva Long", "PER"),
        ("ann", "Rome", "LOC"),
        ("ann", "Tom", "PER"),
        ("ann", "Kim", "PER"),
        ("bob", "Eva", "PER"),
        ("bob", "Long", "PER"),
        ("bob", "Tom Kim", "PER"),
    ]
    # Nothing but O: seen, nothing marked.
    assert corpus["d2"].annotators == ("ann", "bob")
    assert [u.annotator for u in corpus["d2"]] == ["ann"]


@pytest.mark.parametrize(
    "tags",
    [
        "O B-X I-X B-X O B-Y",  # IOB2
        "O I-X I-X B-X O I-Y",  # IOB1
        "O B-X E-X S-X O S-Y",  # BIOES
        "O B-X L-X U-X O U-Y",  # BILOU
        "O B_X I_X B_X O B_Y",
    ],
)
def test_dialects(tmp_path: Path, tags: str) -> None:
    (tmp_path / "a.conll").write_text("".join(f"{i} {tag}\n" for i, tag in enumerate(tags.split())), encoding="utf-8")
    (found,) = read(tmp_path / "a.conll")
    assert [(u.start, u.end, u.category) for u in found] == [(2, 5, "X"), (6, 7, "X"), (10, 11, "Y")]


def test_tags_without_labels_and_runs_at_the_end_of_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "a.conll").write_text("a B\nb I\n\nc I\nd O\n", encoding="utf-8")
    assert [(u.start, u.end, u.category) for u in read(tmp_path / "a.conll")[0]] == [(0, 3, None), (4, 5, None)]


def naive(tags: list[str]) -> list[tuple[int, int, str]]:
    """Tokens of one unit: the next continues the one before if it is an I or E of the same label."""
    units: list[tuple[int, int, str]] = []
    previous = "O"
    for i, tag in enumerate(tags):
        if tag != "O":
            goes_on = tag[0] in "IE" and previous != "O" and previous[0] not in "ES" and previous[2:] == tag[2:]
            if goes_on:
                units[-1] = (units[-1][0], i, tag[2:])
            else:
                units.append((i, i, tag[2:]))
        previous = tag
    return units


TAGS = st.sampled_from(["O", *(f"{kind}-{label}" for kind in "BIES" for label in ("X", "Y"))])


@given(st.lists(TAGS, min_size=1, max_size=12))
def test_any_tags(tmp_path_factory: pytest.TempPathFactory, tags: list[str]) -> None:
    path = tmp_path_factory.mktemp("conll") / "a.conll"
    # One letter a token: the token i stands at the place 2 i.
    path.write_text("".join(f"w\t{tag}\n" for tag in ["B-Z", "O", *tags]), encoding="utf-8")
    units = [(u.start // 2 - 2, u.end // 2 - 2, u.category) for u in read(path)[0]][1:]
    assert units == naive(tags)


def test_there_and_back(tmp_path: Path) -> None:
    units = {"ann": [(0, 9, "PER"), (15, 19, "LOC")], "bob": [(0, 4, "PER"), (5, 9, "PER")], "eva": []}
    corpus = Corpus((Continuum.of(units, name="news", text="Anna Lind left Rome\nSo long\n"),))
    assert write(corpus, tmp_path / "out", format="conll") == ()
    (again,) = read(tmp_path / "out")
    assert again.text == corpus[0].text
    assert {a: [(u.start, u.end, u.category) for u in again.units_of(a)] for a in again.annotators} == units


def test_a_header_names_layers(tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    path.write_text("word\tann\tbob\nEva\tB-PER\tO\nruns\tO\tB-EV\n", encoding="utf-8")
    assert inspect(path).problems[0].code == "which-layer"
    found = read(path, annotator_from="tier", layer="*")[0]
    assert [(u.annotator, u.start, u.end, u.category) for u in found] == [("ann", 0, 3, "PER"), ("bob", 4, 8, "EV")]


def test_documents_and_comments(tmp_path: Path) -> None:
    path = tmp_path / "news.txt"
    path.write_text("-DOCSTART- -X- O O\n\nEva NNP B-NP B-PER\n\n-DOCSTART- -X- O O\n\nRome NNP B-NP O\n", "utf-8")
    corpus = read(path, layer="column 4")
    assert [(c.name, c.text, len(c)) for c in corpus] == [("news_1", "Eva\n", 1), ("news_2", "Rome\n", 0)]


def test_named_units(tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    path.write_text("tok\tsaid\nSo\tdirect.1\nsaid\t-\nhe\t-\nlong\tdirect.1|odd.2.late\n", encoding="utf-8")
    found = read(path)[0]
    assert [(u.start, u.end, u.category, u.features["pieces"]) for u in found] == [
        (0, 15, "direct", "0-2 11-15"),
        (11, 15, "odd.late", None),
    ]


def test_universal_dependencies(tmp_path: Path) -> None:
    path = tmp_path / "a.conllu"
    rows = ["1-2\tZum\t" + "\t".join("_" * 8)]
    for i, (word, tag, misc) in enumerate(
        (("Zu", "ADP", "_"), ("dem", "DET", "_"), ("See", "NOUN", "SpaceAfter=No")), 1
    ):
        rows.append(f"{i}\t{word}\t{word.lower()}\t{tag}\tX\t_\t0\troot\t_\t{misc}")
    rows.append("4\t!\t!\tPUNCT\tX\t_\t0\tpunct\t_\t_")
    path.write_text("# sent_id = 1\n# text = Zum See!\n" + "\n".join(rows) + "\n\n", encoding="utf-8")
    assert inspect(path).problems[0].code == "which-layer"
    found = read(path, layer="token")[0]
    assert found.text == "Zu dem See!\n"
    assert [(found.text[u.start : u.end], u.category) for u in found] == [
        ("Zu", "ADP"),
        ("dem", "DET"),
        ("See", "NOUN"),
        ("!", "PUNCT"),
    ]


def test_samples_of_tokens(shared: Path) -> None:
    folder = shared / "samples" / "conll_columns" / "casdiff"
    paths = sorted(folder.rglob("*.conll"))
    assert len(paths) == 10
    for path in paths:
        rows = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines() if line]
        found = read(path, layer="token")[0]
        assert found.text is not None
        assert [(found.text[u.start : u.end], u.category) for u in found] == [(row[1], row[3]) for row in rows]
        assert len(found) == (1 if "single" in str(path) else 26)
    # A file for each user on the same text: the users are the annotators.
    corpus = read(folder / "someDifferences", layer="token")
    assert corpus[0].annotators == ("user1", "user2")


def test_samples_of_tags(shared: Path) -> None:
    folder = shared / "samples" / "doccano" / "data_import" / "tests" / "data" / "sequence_labeling"
    for name in ("example", "labeling.trailing"):
        path = folder / f"{name}.conll"
        assert read(path).n_units == 2 == len(re.findall(r"\tB-", path.read_text(encoding="utf-8")))
    (problem,) = inspect(folder / "labeling.invalid.conll").problems
    assert (problem.code, "the line 'SOCCERO SOCCERO SOCCERO' has" in problem.message) == ("malformed", True)


def test_samples_of_named_units(shared: Path) -> None:
    folder = shared / "samples" / "conll_columns" / "primary"
    for layer, column, counts in (("stwr", 6, (9, 13)), ("frame", 7, (4, 6)), ("speaker", 8, (4, 6))):
        corpus = read(folder, layer=layer)
        assert corpus[0].annotators == ("earth", "jupiter")
        for annotator, n_units in zip(("earth", "jupiter"), counts, strict=True):
            (path,) = (folder / annotator).rglob("*.tsv")
            rows = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()[1:] if line]
            names = {name for row in rows for name in row[column].split("|")} - {"-"}
            assert len(corpus[0].units_of(annotator)) == n_units == len(names)
