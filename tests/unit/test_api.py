# SPDX-License-Identifier: MIT
"""From data to result. Oracles: `gamma` document by document, the pooling formula of docs/json.md, properties."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import unisono
from unisono import parallel
from unisono.measures.gamma import gamma
from unisono.results import Result
from unisono.sampling import Sampling

DOCUMENTS = {
    "one": {"ann": [(0, 10, "PER"), (20, 30, "LOC"), (45, 50, "LOC")], "bob": [(0, 10, "PER"), (22, 30, "LOC")]},
    "two": {"ann": [(5, 15, "LOC")], "bob": [(5, 12, "LOC"), (31, 34, "PER")], "cem": [(6, 15, "LOC")]},
    "three": {"ann": [(0, 9, "X")], "bob": []},
}


def test_documents_are_measured_one_by_one() -> None:
    corpus = unisono.corpus(DOCUMENTS)
    result = unisono.measure(corpus, seed=5, samples=40)
    for document, continuum in zip(result.documents, corpus, strict=True):
        alone = gamma(
            continuum,
            dissimilarity=unisono.CombinedDissimilarity(),
            chance=unisono.chance.Shift(),
            sampling=Sampling(samples=40),
            seed=5,
        )
        assert document["gamma"] == alone
        assert (document.name, document.annotators, document.n_units) == (
            continuum.name,
            continuum.annotators,
            continuum.n_units,
        )


def test_a_document_alone_has_the_value_it_has_in_its_corpus() -> None:
    corpus = unisono.corpus(DOCUMENTS)
    together = unisono.measure(corpus, seed=5)
    alone = unisono.measure(corpus["two"], seed=5)
    assert alone.documents[0] == together.documents[1]
    value = alone["gamma"]
    assert (value.value, value.observed, value.intervals) == (
        together.documents[1]["gamma"].value,
        together.documents[1]["gamma"].observed,
        together.documents[1]["gamma"].intervals,
    )
    assert (value.mean_over_documents, value.documents_measured) == (value.value, 1)


def test_the_overall_value_weighs_by_units_per_annotator() -> None:
    corpus = unisono.corpus(DOCUMENTS)
    result = unisono.measure(corpus, seed=5, samples=40)
    values = [document["gamma"] for document in result.documents]
    weights = [5 / 2, 4 / 3, 1 / 2]
    observed = sum(w * v.observed for w, v in zip(weights, values, strict=True))
    expected = sum(w * v.expected for w, v in zip(weights, values, strict=True))
    overall = result["gamma"]
    assert overall.value == pytest.approx(1 - observed / expected, rel=1e-12)
    assert overall.observed == pytest.approx(observed / sum(weights), rel=1e-12)
    assert overall.expected == pytest.approx(expected / sum(weights), rel=1e-12)
    assert overall.value == pytest.approx(1 - overall.observed / overall.expected, rel=1e-12)
    assert overall.mean_over_documents == pytest.approx(sum(v.value for v in values) / 3, rel=1e-12)
    assert overall.documents_measured == 3
    assert overall.n_samples == 120
    assert overall.n_unitary_alignments == sum(v.n_unitary_alignments for v in values)
    assert overall.gap == 0
    interval = overall.intervals["chance"]
    assert interval.low < overall.value < interval.high


def test_documents_that_cannot_be_measured_have_a_reason() -> None:
    corpus = unisono.corpus({**DOCUMENTS, "lonely": {"ann": [(0, 5)]}, "bare": {"ann": [], "bob": []}})
    result = unisono.measure(corpus, seed=1, samples=5)
    by_name = {document.name: document["gamma"] for document in result.documents}
    assert by_name["lonely"].reason == "needs at least two annotators"
    assert "nobody marked any unit" in by_name["bare"].reason
    assert result["gamma"].documents_measured == 3
    assert result["gamma"].value == unisono.measure(unisono.corpus(DOCUMENTS), seed=1, samples=5)["gamma"].value


def test_nothing_to_measure() -> None:
    with pytest.raises(unisono.CorpusError, match="a: 'ann' is the only annotator") as caught:
        unisono.measure(unisono.corpus({"a": {"ann": [(0, 5)]}, "b": {"bob": [(0, 5)]}}))
    assert len(caught.value.problems) == 2
    with pytest.raises(unisono.CorpusError, match="the corpus has no documents"):
        unisono.measure(unisono.corpus({}))
    bare = unisono.measure(unisono.corpus({"a": {"ann": [], "bob": []}, "b": {"ann": [], "bob": []}}))
    assert bare["gamma"].value is None
    assert bare["gamma"].reason.startswith("no document could be measured: nobody marked any unit")


def test_data_of_every_kind(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    rows = [("ann", 0, 5, "A"), ("bob", 0, 4, "A"), ("bob", 9, 12, "B")]
    frame = pandas.DataFrame(rows, columns=["annotator", "start", "end", "category"])
    path = tmp_path / "doc.csv"
    frame.to_csv(path, index=False)
    continuum = unisono.continuum({"ann": [(0, 5, "A")], "bob": [(0, 4, "A"), (9, 12, "B")]}, name="doc")
    values = [unisono.measure(data, seed=1)["gamma"].observed for data in (frame, path, str(path), [path], continuum)]
    assert len(set(values)) == 1
    assert unisono.measure(path, seed=1).data == unisono.measure(continuum, seed=1).data


def test_the_seed() -> None:
    corpus = unisono.corpus(DOCUMENTS)
    drawn = unisono.measure(corpus, samples=5)
    assert unisono.measure(corpus, samples=5, seed=drawn.seed).to_dict() == drawn.to_dict()
    assert f"|seed:{drawn.seed}|" in drawn.signature
    for seed in (-1, 2**64):
        with pytest.raises(
            unisono.ParameterError, match=r"is not a valid value of seed=. Give a whole number from 0 to 2\*\*64-1."
        ):
            unisono.measure(corpus, seed=seed)


def test_signature_and_parameters() -> None:
    corpus = unisono.corpus(DOCUMENTS)
    result = unisono.measure(corpus, "gamma", seed=42)
    assert result.signature == (
        f"gamma|v:{unisono.__version__}|d:sporadic+nominal,alpha=1,beta=1,delta_empty=1|chance:shift(mean)"
        "|samples:precision=0.02,level=0.95|seed:42|extent:guessed"
    )
    assert result.parameters == {
        "preset": "paper",
        "measures": ["gamma"],
        "dissimilarity": "sporadic+nominal,alpha=1,beta=1,delta_empty=1",
        "alpha": 1.0,
        "beta": 1.0,
        "delta_empty": 1.0,
        "chance": "shift(mean)",
        "pairs": "once",
        "categories": None,
        "reference": None,
        "step": None,
        "atoms": "position",
        "predefined": None,
        "window": None,
        "lengths": None,
        "samples": None,
        "precision": 0.02,
        "plain_sampling": False,
        "level": 0.95,
        "extent": "guessed",
        "time_limit": None,
        "memory_limit": None,
        "effort": 20_000,
    }
    limited = unisono.measure(
        corpus, seed=1, samples=9, time_limit=90, memory_limit=10**9, chance=unisono.chance.Shift(4)
    )
    assert limited.signature.endswith(
        "|chance:shift(4)|samples:9|seed:1|extent:guessed|time-limit:90|memory-limit:1000000000"
    )


def test_extents_of_several_sources() -> None:
    given = unisono.continuum({"ann": [(0, 5)], "bob": [(0, 4)]}, name="given", extent=(0, 9))
    text = unisono.continuum({"ann": [(0, 5)], "bob": [(0, 4)]}, name="text", text="some words")
    result = unisono.measure(unisono.corpus({"given": given, "text": text}), samples=5)
    assert result.parameters["extent"] == "given+text"


def test_a_dissimilarity_is_fitted_to_the_corpus() -> None:
    corpus = unisono.corpus(
        {"a": {"x": [(0, 5, "1")], "y": [(0, 5, "3")]}, "b": {"x": [(0, 5, "5")], "y": [(0, 5, "5")]}}
    )
    dissimilarity = unisono.CombinedDissimilarity(categorial=unisono.dissimilarity.Interval())
    result = unisono.measure(corpus, dissimilarity=dissimilarity, samples=5)
    assert "interval(low=1,high=5)" in result.signature
    assert result.documents[0]["gamma"].observed == pytest.approx(0.5)


def test_a_users_own_dissimilarity() -> None:
    def f(u: unisono.Unit, v: unisono.Unit) -> float:
        return abs(u.start - v.start) / 10

    result = unisono.measure(
        unisono.corpus(DOCUMENTS), dissimilarity=unisono.dissimilarity.FunctionDissimilarity(f), samples=5
    )
    assert result.parameters["alpha"] is None
    assert result["gamma"].value is not None


def test_threads_change_nothing() -> None:
    corpus = unisono.corpus(DOCUMENTS)
    one, two = (unisono.measure(corpus, seed=1, threads=threads).to_dict() for threads in (1, 2))
    assert one == two


def test_progress() -> None:
    calls: list[tuple[int, int, str]] = []
    unisono.measure(unisono.corpus(DOCUMENTS), samples=2, progress=lambda *call: calls.append(call))
    assert calls[0] == (0, 3, "one")
    assert calls[-1] == (3, 3, "")


def test_unknown_measures() -> None:
    with pytest.raises(unisono.ParameterError, match=r"there is no measure 'delta'. There are: gamma, "):
        unisono.measure(unisono.corpus(DOCUMENTS), ["gamma", "delta"])
    with pytest.raises(unisono.ParameterError, match="no measure is named"):
        unisono.measure(unisono.corpus(DOCUMENTS), [])


def test_a_continuum_under_another_name() -> None:
    with pytest.raises(unisono.CorpusError, match="a: the continuum of the document 'a' is itself called 'b'"):
        unisono.corpus({"a": unisono.continuum({"ann": []}, name="b")})


def test_printing_a_result() -> None:
    text = str(unisono.measure(unisono.corpus(DOCUMENTS), seed=1))
    assert text.startswith("CAUTION: Chance is degenerate in 1 of 3 documents")
    assert "\nγ = " in text
    assert "over 3 of 3 documents" in text
    assert "\x1b" not in text
    again = Result.from_dict(unisono.measure(unisono.corpus(DOCUMENTS), seed=1).to_dict())
    assert str(again) == text


def test_threads_available() -> None:
    assert parallel.n_threads() == parallel.available_threads() >= 1
    assert parallel.n_threads(7) == 7
    with pytest.raises(unisono.ParameterError, match="the number of threads is 0, below 1"):
        parallel.n_threads(0)


def test_settings_are_keywords() -> None:
    """Oracle: the same dissimilarity and chance model given as objects."""
    corpus = unisono.corpus(DOCUMENTS)
    tree = unisono.CombinedDissimilarity(
        unisono.dissimilarity.Absolute(5), unisono.dissimilarity.Tree(":"), alpha=3, beta=0.5, delta_empty=2
    )
    objects = unisono.measure(corpus, seed=1, samples=5, dissimilarity=tree, chance=unisono.chance.Shift())
    named = unisono.measure(
        corpus, seed=1, samples=5, positional="absolute", scale=5, categorial="tree", category_separator=":",
        alpha=3, beta=0.5, delta_empty=2, chance="shift",
    )  # fmt: skip
    assert named.to_dict() == objects.to_dict()


def test_distances_of_categories_as_a_keyword() -> None:
    corpus = unisono.corpus(DOCUMENTS)
    labels = corpus.labels()
    distances = {a: {b: 0.5 for b in labels if b > a} for a in labels[:-1]}
    matrix = unisono.CombinedDissimilarity(categorial=unisono.dissimilarity.Matrix(distances))
    named = unisono.measure(corpus, seed=1, samples=5, category_distances=distances)
    assert named.to_dict() == unisono.measure(corpus, seed=1, samples=5, dissimilarity=matrix).to_dict()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (
            {"alpha": 1, "dissimilarity": unisono.CombinedDissimilarity()},
            "alpha= and dissimilarity= exclude each other",
        ),
        ({"precision": 0.1, "samples": 5}, "precision= and samples= exclude each other"),
        ({"alpha": -1}, "-1 is not a valid value of alpha="),
        ({"alpha": True}, "True is not a valid value of alpha="),
        ({"window": float("inf")}, "inf is not a valid value of window="),
        ({"chance": "dice"}, "'dice' is not a valid value of chance="),
        ({"positional": "boundary"}, "positional= boundary needs a length that counts as one"),
        ({"preset": "papre"}, "Did you mean 'paper'"),
    ],
)
def test_settings_that_cannot_be(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(unisono.ParameterError, match=message):
        unisono.measure(unisono.corpus(DOCUMENTS), **settings)


def test_a_keyword_there_is_not() -> None:
    with pytest.raises(TypeError, match=r"unexpected keyword argument 'aplha'. Did you mean 'alpha'"):
        unisono.measure(unisono.corpus(DOCUMENTS), aplha=3)


def test_both_spellings_of_measures() -> None:
    corpus = unisono.corpus(DOCUMENTS)
    result = unisono.measure(corpus, ["gamma_cat", "gamma-cat", "gamma"], samples=5)
    assert list(result.measures) == ["gamma-cat", "gamma"]
    with pytest.raises(unisono.ParameterError, match=r"there is no measure 'gamma_kat'. Did you mean 'gamma-cat'"):
        unisono.measure(corpus, "gamma_kat")
