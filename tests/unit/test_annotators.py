# SPDX-License-Identifier: MIT
"""Who agrees with whom. Oracles: `measure` on sub-continua written out, sums done by hand, scipy's assignment."""

from __future__ import annotations

import itertools
import json

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

import unisono
from generators import tiny_continuum
from unisono.analysis.annotators import against_rest, leave_one_out, pairwise, with_reference
from unisono.analysis.label_mapping import _assignment, best_label_mapping, label_confidence
from unisono.errors import CorpusError, ParameterError
from unisono.intervals.ratios import document_ratios
from unisono.model import Continuum, Corpus, Unit
from unisono.text import TextVersions, Version

Rows = dict[str, dict[str, list[tuple[int, int, str]]]]

DOCUMENTS: Rows = {
    "one": {
        "ann": [(0, 6, "X"), (20, 27, "Y"), (40, 44, "X")],
        "bob": [(0, 6, "X"), (20, 26, "Y"), (41, 44, "X")],
        "cem": [(3, 9, "Y"), (29, 33, "X")],
    },
    "two": {"ann": [(5, 9, "X")], "bob": [(5, 9, "X"), (30, 36, "Y")], "cem": []},
    "three": {"ann": [(2, 8, "Y"), (20, 24, "X")], "dee": [(2, 9, "Y"), (20, 25, "X")]},
    "four": {"ann": [(1, 4, "X")], "bob": [(1, 5, "X")], "cem": [(30, 35, "Y")], "dee": [(1, 4, "X"), (20, 24, "X")]},
}
EXTENT = (0, 50)


def made(rows: Rows = DOCUMENTS) -> Corpus:
    return Corpus(tuple(Continuum.of(units, extent=EXTENT, name=name) for name, units in rows.items()))


def only(*names: str, documents: list[str] | None = None) -> Corpus:
    """The documents as these annotators made them, written anew."""
    return made(
        {
            document: {name: units[name] for name in names if name in units}
            for document, units in DOCUMENTS.items()
            if (documents is None and set(names) <= set(units)) or (documents is not None and document in documents)
        }
    )


def gamma(corpus: Corpus) -> unisono.MeasureValue:
    return unisono.measure(corpus, seed=4, samples=25, intervals=False)["gamma"]


def test_pairs_are_what_measure_gives() -> None:
    matrix = pairwise(made(), seed=4, samples=25)
    assert matrix.annotators == ("ann", "bob", "cem", "dee")
    assert list(matrix.values) == list(itertools.combinations(matrix.annotators, 2))
    for pair, value in matrix.values.items():
        assert value == gamma(only(*pair))
        assert matrix[pair[1], pair[0]] is value


def test_settings_describe_one_dissimilarity_for_all_pairs() -> None:
    """Oracle: the dissimilarity given as an object, which is fitted to everybody's categories."""
    ordinal = unisono.CombinedDissimilarity(categorial=unisono.dissimilarity.Ordinal(), alpha=3)
    given = pairwise(made(), "gamma-cat", seed=4, samples=5, dissimilarity=ordinal)
    assert pairwise(made(), "gamma_cat", seed=4, samples=5, alpha=3, categorial="ordinal").to_dict() == given.to_dict()


def test_a_pair_without_a_common_document() -> None:
    rows: Rows = {"one": {"a": [(0, 5, "X")], "b": [(0, 5, "X")]}, "two": {"a": [(0, 5, "X")], "c": [(0, 4, "X")]}}
    matrix = pairwise(made(rows), seed=1, samples=10)
    assert matrix["b", "c"].value is None
    assert matrix["b", "c"].reason == "no document was seen by both"
    assert list(matrix.values) == [("a", "b"), ("a", "c")]
    for strangers in (("a", "dee"), ("a", "a")):
        with pytest.raises(KeyError):
            matrix[strangers]


def test_against_the_rest_by_hand() -> None:
    """ann against the rest: the pairs (ann, bob), (ann, cem), (ann, dee) pooled; the others: pairs without ann."""
    rest = {each.annotator: each for each in against_rest(made(), seed=4, samples=25)}
    for name in ("ann", "cem"):
        top = {"own": 0.0, "others": 0.0}
        bottom = dict(top)
        for pair in itertools.combinations(("ann", "bob", "cem", "dee"), 2):
            found = document_ratios(unisono.measure(only(*pair), seed=4, samples=25), "gamma")
            kind = "own" if name in pair else "others"
            for document, n, d in zip(found.names, found.numerators, found.denominators, strict=True):
                if name in DOCUMENTS[document]:
                    top[kind] += n
                    bottom[kind] += d
        assert rest[name].value == pytest.approx(1 - top["own"] / bottom["own"])
        assert rest[name].others == pytest.approx(1 - top["others"] / bottom["others"])
        assert rest[name].gap == pytest.approx((rest[name].others or 0) - (rest[name].value or 0))


def test_the_outlier_shows() -> None:
    """Three who agree but for small moves, one who marks at random: the outlier, and the gain of leaving them out."""
    rng = np.random.default_rng(3)
    rows: Rows = {}
    for i in range(15):
        starts = np.arange(4, 90, 16).tolist()
        rows[f"d{i}"] = {
            name: [(s + int(rng.integers(2)), s + 6 + int(rng.integers(2)), "X") for s in starts] for name in "abc"
        }
        rows[f"d{i}"]["x"] = [(int(s), int(s) + 6, "X") for s in rng.integers(0, 90, 6)]
    corpus = Corpus(tuple(Continuum.of(units, extent=(0, 100), name=name) for name, units in rows.items()))
    matrix = pairwise(corpus, seed=1, samples=20)
    assert matrix.outlier == "x"
    gap = {each.annotator: each.gap_interval for each in matrix.against_rest}
    assert gap["x"] is not None
    assert gap["x"].low > 0.3
    gains = {each.annotator: each for each in leave_one_out(corpus, seed=1, samples=20)}
    assert max(gains, key=lambda name: gains[name].gain or 0) == "x"
    assert all((gains[name].gain or 0) < 0 for name in "abc")


def test_two_annotators_have_no_outlier() -> None:
    matrix = pairwise(only("ann", "bob"), seed=1, samples=10)
    assert matrix.outlier is None
    assert {each.reason for each in matrix.against_rest} == {"no document was also seen by two others"}


def test_leave_one_out_is_what_measure_gives() -> None:
    """On the documents that cem saw with two others: one, two, four."""
    rows = {each.annotator: each for each in leave_one_out(made(), seed=4, samples=25)}
    names = ["one", "two", "four"]
    without = gamma(only("ann", "bob", "dee", documents=names))
    everybody = gamma(only("ann", "bob", "cem", "dee", documents=names))
    assert rows["cem"].without == pytest.approx(without.value, abs=1e-12)
    assert rows["cem"].everybody == pytest.approx(everybody.value, abs=1e-12)
    assert rows["cem"].gain == pytest.approx((without.value or 0) - (everybody.value or 0), abs=1e-12)
    assert rows["cem"].documents == 3
    assert rows["dee"].documents == 1


def test_nobody_to_leave_out() -> None:
    with pytest.raises(CorpusError, match="the data have only 'ann', 'bob'; at least three annotators are needed"):
        leave_one_out(only("ann", "bob"))
    with pytest.raises(CorpusError, match="the data have only 'ann'; at least two annotators are needed"):
        pairwise(only("ann"))
    rows: Rows = {"one": {"a": [(0, 5, "X")], "b": [(0, 5, "X")]}, "two": {"a": [(0, 5, "X")], "c": [(0, 4, "X")]}}
    assert {each.reason for each in leave_one_out(made(rows), seed=1, samples=5)} == {
        "no document was seen by this annotator and two others"
    }


def test_reference() -> None:
    found = with_reference(made(), "ann", seed=4, samples=25)
    assert list(found.values) == ["bob", "cem", "dee"]
    for name, value in found.values.items():
        assert value == gamma(only("ann", name))
    assert found.mean == pytest.approx(np.mean([value.value for value in found.values.values()]))
    assert found.mapping is None


def test_a_reference_that_does_not_exist() -> None:
    with pytest.raises(ParameterError) as caught:
        with_reference(made(), "anne")
    assert str(caught.value) == ("no annotator is called 'anne'. Did you mean 'ann'?")
    assert caught.value.problems[0].code == "unknown-annotator"


def test_a_reference_that_saw_nothing() -> None:
    rows: Rows = {"one": {"a": [(0, 5, "X")], "b": [(0, 5, "X")]}, "two": {"gold": [(0, 5, "X")]}}
    found = with_reference(made(rows), "gold", seed=1, samples=5)
    assert found.mean is None
    assert found.reason == "no annotator could be measured against the reference"
    assert found.values["a"].reason == "no document was seen by both"


def test_a_reference_from_another_corpus() -> None:
    gold = made().restrict(["ann"])
    others = made().restrict(set(made().annotators) - {"ann"})
    whole = others.with_reference(gold, name="gold")
    assert whole.annotators == ("bob", "cem", "dee", "gold")
    found = with_reference(whole, "gold", seed=4, samples=25)
    known = with_reference(made(), "ann", seed=4, samples=25)
    assert [v.observed for v in found.values.values()] == [v.observed for v in known.values.values()]
    with pytest.raises(CorpusError, match="one: the reference has 3 annotators in this document instead of one"):
        gold.with_reference(made())
    elsewhere = Corpus((gold[0].rename("elsewhere"),))
    with pytest.raises(CorpusError, match=r"no document has the name of a .*'elsewhere'"):
        others.with_reference(elsewhere)


def test_labels_are_mapped() -> None:
    rows: Rows = {
        "one": {
            "sys": [(0, 6, "PERSON"), (10, 16, "CITY"), (20, 26, "MISC"), (30, 36, "PERSON"), (40, 44, "LOC")],
            "gold": [(0, 6, "PER"), (10, 16, "LOC"), (20, 26, "PER"), (30, 36, "PER")],
        }
    }
    corpus = made(rows)
    assert best_label_mapping(corpus, "gold") == {"CITY": "LOC", "PERSON": "PER"}
    found = with_reference(corpus, "gold", label_mapping="best", seed=1, samples=10)
    assert found.mapping == {"CITY": "LOC", "PERSON": "PER"}
    assert found.notes == (
        "the mapping of categories was chosen to agree best on these data: the values are optimistic",
    )
    # LOC of the system is not mapped, and must not count as the reference's LOC.
    mapped = {"PERSON": "PER", "CITY": "LOC", "MISC": "MISC", "LOC": "LOC (not mapped)"}
    byhand: Rows = {
        "one": {
            "sys": [(s, e, mapped[c]) for s, e, c in rows["one"]["sys"]],
            "gold": rows["one"]["gold"],
        }
    }
    assert found.values["sys"].observed == pytest.approx(gamma(made(byhand)).observed)
    given = with_reference(corpus, "gold", label_mapping={"PERSON": "PER"}, seed=1, samples=10)
    assert given.mapping == {"PERSON": "PER"}
    assert given.notes == ()
    with pytest.raises(
        ParameterError,
        match=r"the label mapping is 'worst'. Give a mapping of categories, or 'best', as label_mapping=",
    ):
        with_reference(corpus, "gold", label_mapping="worst")


def test_confidence_by_hand() -> None:
    """0-10 and 1-10: d_pos = ((1 + 0) / (10 + 9))**2; the confidence is what is left of 1."""
    corpus = made({"one": {"sys": [(0, 10, "A")], "gold": [(1, 10, "B")]}})
    assert label_confidence(corpus, "gold") == {("A", "B"): pytest.approx(1 - (1 / 19) ** 2)}


@pytest.mark.parametrize("seed", range(30))
def test_assignment_against_scipy(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, m = rng.integers(1, 9, 2).tolist()
    weights = rng.random((n, m)) * (rng.random((n, m)) < 0.6)
    table = {(f"s{i}", f"t{j}"): weights[i, j] for i in range(n) for j in range(m) if weights[i, j] > 0}
    mapping = _assignment(table)
    assert len(set(mapping.values())) == len(mapping)
    rows, columns = linear_sum_assignment(weights, maximize=True)
    assert sum(table[pair] for pair in mapping.items()) == pytest.approx(weights[rows, columns].sum())


@pytest.mark.parametrize("seed", range(20))
def test_restricted_and_joined_undo_each_other(seed: int) -> None:
    continuum = tiny_continuum(np.random.default_rng(seed))
    first = continuum.restrict(continuum.annotators[:1])
    rest = continuum.restrict(continuum.annotators[1:])
    assert list(first) == [unit for unit in continuum if unit.annotator == continuum.annotators[0]]
    whole = rest.join(first)
    assert list(whole) == list(continuum)
    assert (whole.annotators, whole.name) == (continuum.annotators, continuum.name)
    assert (whole.extent, rest.extent) == (continuum.extent, continuum.extent)


def test_restricted_to_strangers() -> None:
    with pytest.raises(ParameterError, match=r"one: no annotator is called 'dee'\. The .* 'ann', 'bob', 'cem'"):
        made()[0].restrict(["ann", "dee"])


def test_joined_keeps_features_apart() -> None:
    first = Continuum.of({"a": [Unit(0, 5, "X", features={"certain": "yes"})]}, name="d")
    second = Continuum.of({"b": [(2.5, 4.0, "Y")]}, name="d")
    units = list(first.join(second))
    assert [unit.features for unit in units] == [{"certain": "yes"}, {"certain": None}]
    with pytest.raises(ParameterError, match=r"d: 'a' annotated both .* joined\. Rename one of them"):
        first.join(first)


def test_relabelled() -> None:
    continuum = Continuum.of({"a": [(0, 5, "X"), (0, 5, "Y"), (7, 9)], "b": [(0, 5, "X")]})
    found = continuum.relabel({"X": "Z"}, ["a"])
    assert [(u.annotator, u.category) for u in found] == [("a", "Y"), ("a", "Z"), ("a", None), ("b", "X")]


def test_as_dictionary_and_as_text() -> None:
    matrix = pairwise(made(), seed=4, samples=25)
    data = json.loads(json.dumps(matrix.to_dict()))
    assert [pair["annotators"] for pair in data["pairs"]][:2] == [["ann", "bob"], ["ann", "cem"]]
    assert len(data["against_rest"]) == 4
    assert data["outlier"] == "cem"
    text = str(matrix)
    assert "γ of every two annotators" in text
    assert "cem is furthest below the others." in text
    found = with_reference(made(), "ann", label_mapping="best", seed=4, samples=25)
    assert json.loads(json.dumps(found.to_dict()))["reference"] == "ann"
    assert "γ with ann, the reference" in str(found)
    assert json.loads(json.dumps([each.to_dict() for each in leave_one_out(made(), seed=4, samples=5)]))


def test_progress_is_reported() -> None:
    calls: list[tuple[int, int, str]] = []
    pairwise(only("ann", "bob"), seed=1, samples=5, progress=lambda *call: calls.append(call))
    assert calls == [(0, 3, "one"), (3, 3, "")]
    calls.clear()
    pairwise(only("ann", "bob"), "percentage", progress=lambda *call: calls.append(call))
    assert calls == [(0, 1, "ann and bob")]


@pytest.mark.parametrize(("width", "shown"), [(200, "by name"), (60, "by number"), (30, "nothing")])
def test_the_matrix_fits_the_page(width: int, shown: str) -> None:
    """Long names: columns are numbered, and rows have the numbers; without room even for that, it says so."""
    from unisono.report.annotator_tables import add_matrix
    from unisono.report.text_page import Page

    names = [f"annotator-with-a-long-name-{i}" for i in range(4)]
    matrix = pairwise(unisono.corpus({"d": {name: [(0, 5), (8, 12)] for name in names}}), seed=1, samples=30)
    page = Page(width=width)
    add_matrix(page, matrix)
    first = str(page).partition("Each against the rest")[0].splitlines()
    assert all(len(line) <= width or "no room" in line for line in first)
    header = first[2].split()
    assert (header == names) == (shown == "by name")
    assert (header == ["1", "2", "3", "4"]) == (shown == "by number")
    assert ("no room for a table" in " ".join(first)) == (shown == "nothing")


def test_what_a_report_measured_is_not_measured_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """`pairwise` and `leave_one_out` of a result with details. Oracle: the same without details."""
    corpus = unisono.corpus({"d": {"a": [(0, 5, "X")], "b": [(1, 5, "X")], "c": [(0, 9, "Y")]}})
    plain = unisono.measure(corpus, samples=5, seed=1)
    expected = unisono.pairwise(plain), unisono.leave_one_out(plain)
    result = unisono.measure(corpus, samples=5, seed=1, annotators=True)

    def fail(*_: object, **__: object) -> None:
        raise AssertionError("measured again")

    monkeypatch.setattr("unisono.analysis.subsets.Subsets._measure", fail)
    assert unisono.pairwise(result).to_dict() == expected[0].to_dict()
    assert unisono.leave_one_out(result) == expected[1]
    with pytest.raises(AssertionError, match="measured again"):
        unisono.pairwise(result, "soft-gamma")


def test_tables_of_text_gamma_among_other_measures() -> None:
    """Oracle: the tables of text-γ measured alone."""
    versions = {"a": "so so", "b": "so sol", "c": "so"}
    document = Continuum.of_versions(
        TextVersions.of({name: Version.of_tokens(text.split()) for name, text in versions.items()}, name="d")
    )
    options = {"samples": 5, "seed": 1, "annotators": True}
    alone = unisono.measure(document, "text-gamma", **options)
    among = unisono.measure(document, ["text-gamma", "gamma-cat"], **options)
    tables = [result.details.annotators for result in (alone, among)]
    for table in tables:
        assert table["measure"] == "text-gamma"
        assert [pair["annotators"] for pair in table["pairs"]] == [["a", "b"], ["a", "c"], ["b", "c"]]
        assert len(table["leave_one_out"]) == 3
    assert [pair["value"] for pair in tables[0]["pairs"]] == [pair["value"] for pair in tables[1]["pairs"]]
