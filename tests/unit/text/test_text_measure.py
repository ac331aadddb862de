# SPDX-License-Identifier: MIT
"""text-γ as a measure of a corpus. Oracle: the formula by hand; the same document alone; measure_text."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

import unisono
from unisono.measures.text_gamma import text_gamma
from unisono.model.versions import OwnTexts
from unisono.one_text import measure_text
from unisono.sampling import Sampling
from unisono.text import RandomEdits, TextVersions, Version

MEASURE = "text-gamma"
TEXTS = ("so so la la", "so soo la", "s o so la la")


def versions_of(name: str, more: int) -> TextVersions:
    texts = [f"{text}{' x' * more}" for text in TEXTS]
    return TextVersions.of(
        {
            annotator: Version.of_tokens(
                text.split(), features={"pos": ["AB"[(len(word) + i) % 2] for word in text.split()]}
            )
            for i, (annotator, text) in enumerate(zip(("ann", "bob", "cem"), texts, strict=True))
        },
        name=name,
    )


def corpus_of(sizes: range) -> unisono.Corpus:
    return unisono.Corpus(tuple(unisono.Continuum.of_versions(versions_of(f"d{i}", i)) for i in sizes))


def measured(data: object, **settings: object) -> unisono.Result:
    return unisono.measure(data, MEASURE, **{"seed": 1, "samples": 30, **settings})  # type: ignore[arg-type]


def test_documents_are_pooled_by_their_mean_number_of_units() -> None:
    result = measured(corpus_of(range(2)))
    first, second = (document[MEASURE] for document in result.documents)
    assert (first.weight, second.weight) == (12 / 3, 15 / 3)
    assert first.observed is not None
    assert first.expected is not None
    assert second.observed is not None
    assert second.expected is not None
    by_hand = 1 - (4 * first.observed + 5 * second.observed) / (4 * first.expected + 5 * second.expected)
    assert result[MEASURE].value == pytest.approx(by_hand, abs=1e-12)
    assert result[MEASURE].documents_measured == 2
    assert result[MEASURE].text is not None
    assert first.text is not None
    assert second.text is not None
    for kind, n in result[MEASURE].text["differences"].items():
        assert n == first.text["differences"][kind] + second.text["differences"][kind]


def test_five_documents_have_an_interval() -> None:
    overall = measured(corpus_of(range(5)))[MEASURE]
    assert {"chance", "documents"} <= set(overall.intervals)
    interval = overall.intervals["documents"]
    assert overall.value is not None
    assert interval.low < overall.value < interval.high


def test_a_document_alone_is_itself_in_the_corpus() -> None:
    corpus = corpus_of(range(3))
    whole = measured(corpus)
    for document, continuum in zip(whole.documents, corpus, strict=True):
        assert measured(continuum).documents[0][MEASURE] == document[MEASURE]


def test_measure_text_is_measure() -> None:
    versions = versions_of("d", 1)
    short = measure_text(versions, seed=1, samples=30, memory_limit=None)
    result = measured(unisono.Continuum.of_versions(versions))
    assert short.to_dict() == result.to_dict()
    alone = text_gamma(versions, sampling=Sampling(samples=30), seed=1)
    assert alone.value.value == result[MEASURE].value
    assert short.alignment is not None
    assert alone.alignment is not None
    assert short.alignment.counts == alone.alignment.counts
    assert short.rates == alone.rates


def test_features_count_although_there_is_no_category() -> None:
    # Versions have a pos and no category: text-γ compares it, and γ beside it compares positions only.
    alone = measured(corpus_of(range(2)))
    assert "positions only" not in str(alone)
    assert not alone.has_only_positions
    assert unisono.measure(corpus_of(range(2)), ["gamma", MEASURE], seed=1, samples=30).has_only_positions


def test_parts_of_a_result_are_measured_with_its_objects() -> None:
    # Oracle: the same objects given with the data.
    corpus, objects = corpus_of(range(2)), {"chance": RandomEdits(0.2, 0.1), "seed": 1, "samples": 20}
    of_result = unisono.pairwise(measured(corpus, **objects), MEASURE)
    of_data = unisono.pairwise(corpus, MEASURE, **objects)
    assert of_result.signature == of_data.signature
    assert "p_text=0.2" in of_data.signature
    assert of_result["ann", "bob"].value == of_data["ann", "bob"].value


def test_names_change_no_bit() -> None:
    continuum = unisono.Continuum.of_versions(versions_of("d", 1))
    other = continuum.rename("e", annotators={"ann": "zoe"})
    assert measured(other)[MEASURE].value == measured(continuum)[MEASURE].value
    assert other.versions is not None
    assert other.versions["zoe"].text == TEXTS[0] + " x"


def test_mixed_with_other_measures() -> None:
    corpus = corpus_of(range(2))
    mixed = unisono.measure(corpus, ["gamma", MEASURE], seed=1, samples=30)
    assert mixed[MEASURE] == measured(corpus)[MEASURE]
    alone = unisono.measure(corpus, "gamma", seed=1, samples=30)
    assert mixed["gamma"] == alone["gamma"]
    assert mixed.signature.startswith(alone.signature.replace("gamma|", "gamma,text-gamma|", 1) + "|text-d:")
    assert "text" not in alone.parameters


def test_a_common_text_is_everybodys_version() -> None:
    units = {"ann": [(0, 2, "A"), (3, 5, "B")], "bob": [(0, 2, "A"), (3, 5, "A")]}
    shared = unisono.continuum(units, name="d", text="so so")
    own = unisono.Continuum.of_versions(
        TextVersions.of({name: Version.of("so so", rows) for name, rows in units.items()}, name="d")
    )
    assert shared.versions is None
    assert measured(shared)[MEASURE] == measured(own)[MEASURE]


@pytest.mark.parametrize(
    ("continuum", "code"),
    [
        (unisono.continuum({"a": [(0, 2)], "b": [(0, 2)]}), "no-text"),
        (unisono.continuum({"a": [(0, 3), (1, 4)], "b": [(0, 2)]}, text="so so"), "overlapping-units"),
        (unisono.continuum({"a": [(0.5, 2.5)], "b": [(0, 2)]}, text="so so"), "not-discrete"),
        (unisono.continuum({"a": [], "b": []}, text="so so"), "no-units"),
    ],
)
def test_undefined_with_a_reason(continuum: unisono.Continuum, code: str) -> None:
    value = measured(continuum)[MEASURE]
    assert (value.value, value.reason_code) == (None, code)
    assert value.reason


def test_too_many_types() -> None:
    units = [(i, i + 1, {}) for i in range(8)]
    version = Version.of("abcdefgh", [unisono.text.TextUnit(s, e, f"type{s}") for s, e, _ in units])
    continuum = unisono.Continuum.of_versions(TextVersions.of({"ann": version, "bob": version}))
    assert measured(continuum)[MEASURE].reason_code == "too-many-types"


def test_features_and_probabilities_are_settings() -> None:
    continuum = unisono.Continuum.of_versions(versions_of("d", 1))
    given = measured(continuum, p_text=0.25, p_seg=(0.04, 100), feature=["pos"], text_distance="levenshtein", gap_b=2)
    assert given.signature.split("|")[2:6] == [
        "d:text:levenshtein,pos:nominal,delta_empty=1",
        "gaps:1,2",
        "chance:edits(p_text=0.25,p_seg=map(0.04,100),p_label=estimated)",
        "base:annotators",
    ]
    with pytest.raises(unisono.ParameterError, match="no unit has the feature 'lemma'"):
        measured(continuum, feature=["lemma"])
    with pytest.raises(unisono.ParameterError, match="Give a number from 0 to 1"):
        measured(continuum, p_text=2)
    objects = unisono.measure(continuum, MEASURE, seed=1, samples=30, chance=RandomEdits(0.25, 0.5))  # type: ignore[arg-type]
    assert objects[MEASURE] == measured(continuum, p_text=0.25, p_seg=0.5)[MEASURE]


def test_annotators_and_comparisons_take_it() -> None:
    corpus = corpus_of(range(5))
    matrix = unisono.pairwise(corpus, MEASURE, seed=1, samples=20)
    pair = measured(corpus.restrict(["ann", "bob"]), samples=20)[MEASURE]
    assert matrix["bob", "ann"].value == pair.value
    assert all(not math.isnan(row.value or 0.0) for row in matrix.against_rest)
    left = unisono.leave_one_out(corpus, MEASURE, seed=1, samples=20)
    assert left[2].without == pytest.approx(pair.value, abs=1e-12)
    sides = corpus.restrict(["ann", "bob"]), corpus.restrict(["bob", "cem"])
    compared = unisono.compare(*sides, design="paired", measure=MEASURE, seed=1, samples=20)
    assert compared.a == pytest.approx(pair.value, abs=1e-12)
    assert compared.interval is not None


def test_gold_needs_one_text() -> None:
    with pytest.raises(unisono.CorpusError, match="the annotators have different texts"):
        unisono.gold(corpus_of(range(1)))


def test_reading_fills_versions_with_base(tmp_path: Path) -> None:
    for annotator, word in (("ann", "so"), ("bob", "soo")):
        (tmp_path / annotator).mkdir()
        (tmp_path / annotator / "d.tsv").write_text(f"form\tpos\n{word}\tADV\nla\tX\n")
    (tmp_path / "base.tsv").write_text("form\nso\nla\n")
    files = [tmp_path / name / "d.tsv" for name in ("ann", "bob")]
    corpus = unisono.read(files, versions=True, base=tmp_path / "base.tsv")
    (continuum,) = corpus
    assert continuum.versions is not None
    assert {name: continuum.versions[name].text for name in continuum.annotators} == {"ann": "so la", "bob": "soo la"}
    assert continuum.versions.base == Version.of_tokens(["so", "la"])
    assert continuum.versions.feature_names == ("pos",)
    assert isinstance(continuum.own_texts, OwnTexts)
    folder = unisono.read([tmp_path / "ann", tmp_path / "bob"])
    assert folder["d"].versions is not None
    assert measured(folder)[MEASURE].observed == measured(corpus)[MEASURE].observed
    assert measured(files)[MEASURE] == measured(folder)[MEASURE]
    target = tmp_path / "corpus.json"
    unisono.write(corpus, target)
    again = unisono.read(target)
    assert again[0].versions is not None
    assert again[0].versions.base == continuum.versions.base
    assert again[0].own_texts is not None
    assert again[0].own_texts.texts == continuum.own_texts.texts


def test_restricting_and_joining_keep_the_texts() -> None:
    continuum = unisono.Continuum.of_versions(versions_of("d", 0))
    part, rest = continuum.restrict(["ann", "cem"]), continuum.restrict(["bob"])
    assert part.versions is not None
    assert part.versions["cem"].text == TEXTS[2]
    assert part.join(rest) == continuum
    assert part != rest
