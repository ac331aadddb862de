# SPDX-License-Identifier: MIT
"""Sentences of the report. Oracle: the sentences themselves, and the registry of measures."""

from __future__ import annotations

import re

import pytest

import unisono
from unisono.measures import MEASURES
from unisono.report import notation, sentences
from unisono.results import Interval, MeasureValue


def value(x: float) -> MeasureValue:
    return MeasureValue(x, observed=1 - x, expected=1.0)


BETTER, LESS = "The annotators agree better than chance: their ", "The annotators agree less than by chance: their "


@pytest.mark.parametrize(
    ("measure", "found", "sentence"),
    [
        ("gamma", value(0.618), BETTER + "disorder is 38 % of what chance gives."),
        ("gamma", value(1.0), "The annotators agree on everything that this measure looks at."),
        ("gamma", value(0.998), BETTER + "disorder is 0.2 % of what chance gives."),
        (
            "gamma",
            value(0.0),
            "The annotators agree about as much as by chance: their disorder is 100 % of what chance gives.",
        ),
        ("gamma", value(-0.2), LESS + "disorder is 120 % of what chance gives."),
        ("kappa", value(0.5), BETTER + "disagreement is 50 % of what chance gives."),
        ("f1-exact", value(0.5), "50 % on a scale that ends at 100 %; chance is not taken into account."),
        ("gamma", MeasureValue(None, reason="nobody marked any unit"), "γ has no value here: nobody marked any unit."),
    ],
)
def test_what_a_value_means(measure: str, found: MeasureValue, sentence: str) -> None:
    assert sentences.meaning(measure, found) == sentence


def test_measures_without_chance_say_so() -> None:
    """Those whose 0 is not chance level are the ones whose explanation does not speak of chance level."""
    uncorrected = {name for name in MEASURES if not sentences.is_corrected(name)}
    assert len(uncorrected) == 12
    for name in uncorrected - {"segmentation-similarity", "percentage"}:
        assert "chance" in MEASURES[name].explanation
        assert re.search(r"not\s+taken into account", MEASURES[name].explanation)
    for name in set(MEASURES) - uncorrected:
        assert not re.search(r"chance (is|are) not taken into account", MEASURES[name].explanation), name


def test_the_interval_is_over_documents_never_the_computation_error() -> None:
    chance, documents = Interval("chance", 0.95, 0.5, 0.6), Interval("documents", 0.95, 0.3, 0.8)
    found = MeasureValue(0.54, intervals={"chance": chance, "documents": documents})
    assert sentences.main_interval(found) is documents
    assert sentences.main_interval(MeasureValue(0.55, intervals={"chance": chance})) is None
    assert sentences.certainty(found) == [
        "95 % interval 0.300 to 0.800: uncertainty over documents",
        "computation error ±0.060: other random samples may change the value by about this much",
    ]
    unknown = MeasureValue(0.54, intervals={"chance": chance}, uncertainty_reason="too few units to say")
    assert sentences.certainty(unknown)[0] == "uncertainty unknown: too few units to say"
    assert not any("interval" in line for line in sentences.certainty(unknown))


@pytest.mark.parametrize("name", MEASURES)
def test_every_citation_becomes_bibtex(name: str) -> None:
    for paper in MEASURES[name].papers:
        assert re.fullmatch(r"[a-z]+\d{4}[a-z]+", paper.key)
        for author in paper.authors:
            assert re.fullmatch(r"[\w.' -]+, [\w.' -]+", author), author
        needed = {
            "article": {"journal", "volume", "pages"},
            "book": {"publisher"},
            "phdthesis": {"school"},
            "inproceedings": {"booktitle"},
        }
        assert needed[paper.kind] <= set(paper.fields)
        assert ("Proceedings" in "".join(paper.fields.values())) <= (paper.kind == "inproceedings")
        entry = paper.bibtex
        assert entry.count("{") == entry.count("}")
        assert all(char not in entry for char in "γκα")
    # Nothing of the reference is lost: every word of it is in an entry.
    entries = " ".join(paper.bibtex for paper in MEASURES[name].papers)
    for word in re.findall(r"\w{5,}", MEASURES[name].citation):
        assert word in entries or word in {"chapter", "section", "edition", "thesis"} or "γ" in word, word


def test_the_papers_of_gamma_are_cited_as_published() -> None:
    """Oracle: the publisher's pages of the articles."""
    assert (
        MEASURES["gamma"]
        .papers[0]
        .reference.endswith("Computational Linguistics 41(3), 437-479. doi:10.1162/COLI_a_00227")
    )
    assert (
        MEASURES["gamma-cat"]
        .papers[0]
        .reference.endswith("Computational Linguistics 43(3), 661-681. doi:10.1162/COLI_a_00296")
    )
    assert "doi = {10.1162/COLI_a_00296}," in MEASURES["gamma-k"].papers[0].bibtex


def test_surnames_of_several_words() -> None:
    (paper,) = MEASURES["f1-exact"].papers
    assert paper.short == "Tjong Kim Sang and De Meulder, 2003"
    assert "author = {Tjong Kim Sang, Erik F. and De Meulder, Fien}" in paper.bibtex
    assert paper.reference.startswith("Erik F. Tjong Kim Sang, Fien De Meulder (2003). ")


def test_two_papers_in_one_citation() -> None:
    assert [paper.short for paper in MEASURES["multi-kappa"].papers] == ["Davies and Fleiss, 1982", "Conger, 1980"]


@pytest.fixture(scope="module")
def result() -> unisono.Result:
    units = {"a": [(0, 5, "A & B"), (8, 12, "50%")], "b": [(0, 5, "A & B"), (9, 12, "50%")]}
    return unisono.measure(unisono.corpus({"d": units}), ["gamma", "gamma-cat", "gamma-k"], seed=42, samples=30)


def test_the_methods_sentence(result: unisono.Result) -> None:
    found = sentences.methods(result)
    gamma, cat = (notation.typeset(result[name].value) for name in ("gamma", "gamma-cat"))
    error = notation.typeset(sentences.computation_error(result["gamma"]))
    assert found.markdown == (
        f"Agreement of 2 annotators on 1 document (4 units): γ (Mathet et al., 2015) = {gamma} (computation error "
        f"±{error}), γcat (Mathet, 2017) = {cat} (computation error ±0.000) and γk = 1.000 (50%), "
        "1.000 (A & B); dissimilarity "
        "`sporadic+nominal,alpha=1,beta=1,delta_empty=1`, chance model `shift(mean)` over 30 random continua; "
        f"computed with unisono {unisono.__version__}, seed 42."
    )
    assert r"$\gamma$ \citep{mathet2015unified} = $" in found.latex
    assert r"$1.000$ (50\%), $1.000$ (A \& B)" in found.latex
    assert r"\texttt{sporadic+nominal,alpha=1,beta=1,delta\_empty=1}" in found.latex
    # No character that LaTeX would stumble over is left bare.
    assert not re.search(r"(?<!\\)[&%#]", found.latex)


def test_the_bibliography(result: unisono.Result) -> None:
    found = sentences.bibliography(result)
    assert re.findall(r"@\w+\{(\w+),", found) == ["mathet2015unified", "mathet2017agreement", "unisono"]


def test_nothing_to_say() -> None:
    empty = unisono.measure(unisono.corpus({"d": {"a": [], "b": []}}), seed=1)
    assert (
        sentences.methods(empty).markdown
        == "The agreement of 2 annotators on 1 document (0 units) could not be measured."
    )


@pytest.mark.parametrize("text", ["\\input{/etc/passwd}", "a_b^c~d", "{}", "x\ny\x1b"])
def test_latex_of_any_name(text: str) -> None:
    assert not re.search(r"(?<!\\)[&%$#_^~]|\\input|[\n\x1b]", sentences.tex(text).replace(r"\textbackslash{}", ""))
