# SPDX-License-Identifier: MIT
"""Categorial dissimilarities: worked examples by hand, fitting to a corpus, signatures, refusals with their texts."""

from __future__ import annotations

import pickle

import pytest

from unisono.dissimilarity import (
    Categorial,
    CombinedDissimilarity,
    FunctionCategorial,
    Interval,
    Levenshtein,
    Nominal,
    Ordinal,
    SetValued,
    Sporadic,
    Tree,
)
from unisono.errors import ParameterError
from unisono.model import Continuum, Corpus, Unit


def distance(categorial: Categorial, a: str, b: str) -> float:
    return CombinedDissimilarity(Sporadic(), categorial, alpha=0)(Unit(0, 1, a), Unit(7, 9, b))


def corpus_of(*labels: str) -> Corpus:
    """Each label in a document of its own."""
    return Corpus(tuple(Continuum.of({"a": [(0, 1, x)], "b": []}, name=str(i)) for i, x in enumerate(labels)))


@pytest.mark.parametrize(
    ("categorial", "a", "b", "expected"),
    [
        (Levenshtein(), "kitten", "sitting", 3 / 7),
        (Levenshtein(), "", "abc", 1),
        (Levenshtein(), "PER", "per", 1),
        (SetValued("jaccard"), "A|B", "B|C", 2 / 3),
        (SetValued("jaccard"), "A | B", "B|A", 0),
        (SetValued("jaccard"), "A", "B", 1),
        (SetValued("jaccard"), "", "A", 1),
        (SetValued("jaccard"), "", "|", 0),
        (SetValued("masi"), "A|B", "A|B|C|D", 1 - 1 / 2 * 2 / 3),
        (SetValued("masi"), "A|B", "B|C", 1 - 1 / 3 * 1 / 3),
        (SetValued("masi"), "A", "B", 1),
        (SetValued("masi", separator="+"), "A+B", "B+A", 0),
        (Tree(), "Location", "Location/City", 1 / 3),
        (Tree(), "Location/City", "Location/Country", 1 / 2),
        (Tree(), "Location/City/Capital", "Location/City/Port", 1 / 3),
        (Tree(), "Location/City", "Person", 1),
        (Tree(), "a/b", "b/a", 1),
        (Tree(), "x/b", "y/b", 1),
        (Tree(), "/Location/ City/", "Location/City", 0),
        (Tree(), "", "/", 0),
        (Tree(separator="::"), "a::b", "a::c", 1 / 2),
        (Ordinal(["low", "mid", "high"]), "low", "mid", 1 / 2),
        (Ordinal(["low", "mid", "high"]), "high", "low", 1),
        (Ordinal(["only"]), "only", "only", 0),
        (Interval(0, 10), "2.5", "+1e1", 0.75),
        (Interval(3, 3), "3", "3.0", 0),
        (FunctionCategorial(lambda a, b: 0.25), "x", "y", 0.25),
    ],
)
def test_worked_examples(categorial: Categorial, a: str, b: str, expected: float) -> None:
    assert distance(categorial, a, b) == pytest.approx(expected, abs=1e-12)
    assert distance(categorial, b, a) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("categorial", "signature"),
    [
        (Nominal(), "nominal"),
        (Nominal(feature="sense", f_cat="steep"), 'nominal(feature="sense",f_cat=steep)'),
        (Ordinal(), "ordinal(order=?)"),
        (Ordinal(["a,b", "c"]), 'ordinal(order=["a,b","c"])'),
        (Interval(), "interval(low=?,high=?)"),
        (Interval(high=5), "interval(low=?,high=5)"),
        (Interval(-0.5, 1e20, f_cat="steep"), "interval(low=-0.5,high=1e+20,f_cat=steep)"),
        (Levenshtein(), "levenshtein"),
        (SetValued(), "jaccard"),
        (SetValued("masi", "+"), 'masi(separator="+")'),
        (Tree(), "tree"),
        (Tree(":"), 'tree(separator=":")'),
        (FunctionCategorial(distance), "function(distance)"),
        (FunctionCategorial(lambda a, b: 0.0, name="zero"), "function(zero)"),
    ],
)
def test_signatures(categorial: Categorial, signature: str) -> None:
    assert categorial.signature == signature


def test_a_long_order_stands_as_a_digest() -> None:
    labels = [f"label {i}" for i in range(100)]
    one, other = Ordinal(labels), Ordinal(labels[::-1])
    assert one.signature.startswith("ordinal(order=100 labels,sha256=")
    assert len(one.signature) < 60
    assert one.signature != other.signature
    assert one.signature == Ordinal(tuple(labels)).signature


def test_ordinal_takes_its_order_from_the_corpus() -> None:
    d = CombinedDissimilarity(Sporadic(), Ordinal(), alpha=0).fitted(corpus_of("10", "9", "2"))
    assert d.categorial == Ordinal(["2", "9", "10"])
    assert d(Unit(0, 1, "9"), Unit(0, 1, "10")) == 0.5
    words = CombinedDissimilarity(Sporadic(), Ordinal()).fitted(corpus_of("b", "10", "a"))
    assert words.categorial == Ordinal(["10", "a", "b"])
    assert words.fitted(corpus_of("x")) is words


def test_ordinal_does_not_rank_two_spellings_of_a_number() -> None:
    with pytest.raises(ParameterError) as caught:
        CombinedDissimilarity(Sporadic(), Ordinal()).fitted(corpus_of("1", "2", "1.0"))
    assert str(caught.value) == ("ordinal distance: the labels '1' and '1.0' are the same number. Write them alike.")


def test_interval_takes_its_range_from_the_corpus() -> None:
    d = CombinedDissimilarity(Sporadic(), Interval(low=0), alpha=0).fitted(corpus_of("5", "20"))
    assert d.categorial == Interval(0, 20)
    assert d.signature == "sporadic+interval(low=0,high=20),alpha=0,beta=1,delta_empty=1"
    assert d(Unit(0, 1, "5"), Unit(0, 1, "10")) == 0.25


def test_fitting_to_a_corpus_without_labels_leaves_the_scale_open() -> None:
    corpus = Corpus((Continuum.of({"a": [(0, 5)], "b": [(0, 5)]}),))
    for categorial in (Interval(), Ordinal()):
        d = CombinedDissimilarity(Sporadic(), categorial).fitted(corpus)
        assert d.categorial == categorial
        assert d.between(corpus[0], [0], [1]) == [0]


def test_only_the_scales_of_the_data_are_fitted() -> None:
    d = CombinedDissimilarity()
    assert d.fitted(corpus_of("a")) is d
    unused = CombinedDissimilarity(Sporadic(), Interval(), beta=0)
    assert unused.fitted(corpus_of("not a number")) is unused


def test_a_scale_is_not_made_up_for_two_units() -> None:
    with pytest.raises(ParameterError) as caught:
        CombinedDissimilarity(Sporadic(), Interval())(Unit(0, 1, "3"), Unit(0, 1, "4"))
    assert str(caught.value) == (
        "interval(low=?,high=?) has no scale to compare two units on their own. "
        "Give the scale, or take it from a corpus: dissimilarity.fitted(corpus)."
    )


def test_interval_lists_every_label_that_is_no_number() -> None:
    labels = ["3", "n/a", "1_000", "nan", "inf", "1e999", "٣"]
    with pytest.raises(ParameterError) as caught:
        Interval().table(labels)
    assert [problem.found for problem in caught.value.problems] == [repr(x) for x in labels[1:]]
    assert str(caught.value).splitlines()[0] == (
        "interval distance: the label 'n/a' is not a number. Correct it, or choose another categorial dissimilarity."
    )
    with pytest.raises(ParameterError, match=r"\.\.\. and 10 more"):
        Interval().table([f"x{i}" for i in range(30)])


def test_interval_refuses_labels_outside_the_range_given() -> None:
    with pytest.raises(ParameterError) as caught:
        Interval(0, 5).table(["-1", "3", "6"])
    assert str(caught.value).splitlines() == [
        "interval distance: the label '-1' is outside the range, which is 0 to 5. Widen the range.",
        "interval distance: the label '6' is outside the range, which is 0 to 5. Widen the range.",
    ]


def test_ordinal_lists_every_label_that_is_not_in_the_order() -> None:
    with pytest.raises(ParameterError) as caught:
        Ordinal(["low", "high"]).table(["high", "mid", "top"])
    assert str(caught.value).splitlines() == [
        "ordinal distance: the label 'mid' is not in the order. Add it to the order, which is low < high.",
        "ordinal distance: the label 'top' is not in the order. Add it to the order, which is low < high.",
    ]


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda: Nominal(f_cat="cubic"), "f_cat: 'cubic' is not 'identity' or 'steep'."),
        (lambda: Nominal(feature=""), "feature: '' is not the name of a feature."),
        (lambda: Ordinal("abc"), "order: 'abc' is not a sequence of labels, lowest first."),
        (lambda: Ordinal([]), "order: [] is not a sequence of labels, lowest first."),
        (lambda: Ordinal(["a", "b", "a"]), "order: the label 'a' is listed 2 times. Name it once."),
        (lambda: Interval(5, 1), "interval distance: low (5) is above high (1)."),
        (lambda: Interval(low=float("nan")), "low: nan is not a finite number."),
        (lambda: Interval(-1.7e308, 1.7e308), "interval distance: the range from -1.7e+308 to 1.7e+308 is too "
         "large for a number."),
        (lambda: SetValued("dice"), "kind: 'dice' is not 'jaccard' or 'masi'."),
        (lambda: SetValued(separator=""), "separator: '' is not a text of at least one character."),
        (lambda: Tree(""), "separator: '' is not a text of at least one character."),
        (lambda: FunctionCategorial(0.5), "categorial: 0.5 is not a function."),
    ],
)  # fmt: skip
def test_bad_parameters(make: object, text: str) -> None:
    with pytest.raises(ParameterError) as caught:
        make()  # type: ignore[operator]
    assert str(caught.value) == text


def test_two_bad_parameters_are_told_at_once() -> None:
    with pytest.raises(ParameterError) as caught:
        Nominal(feature="", f_cat="cubic")
    assert len(caught.value.problems) == 2


def test_a_function_is_called_once_for_each_pair_in_alphabetical_order() -> None:
    calls = []

    def own(a: str, b: str) -> float:
        calls.append((a, b))
        return 0.5

    FunctionCategorial(own).table(["b", "c", "a"])
    assert calls == [("a", "b"), ("a", "c"), ("b", "c")]


def test_what_a_function_returns_is_checked() -> None:
    bad = {"a": 2, "b": None, "c": float("nan"), "d": -0.1, "e": "0.5"}
    with pytest.raises(ParameterError) as caught:
        FunctionCategorial(lambda x, y: bad[x], name="own").table([*bad, "z"])
    assert len(caught.value.problems) == 15
    assert str(caught.value).splitlines()[0] == (
        "function own: the distance of 'a' and 'b' is 2, not a number from 0 to 1."
    )


@pytest.mark.parametrize("categorial", [Levenshtein(), SetValued(), Tree(), FunctionCategorial(distance)])
def test_a_table_of_pairs_over_too_many_labels_is_refused(categorial: Categorial) -> None:
    with pytest.raises(ParameterError) as caught:
        categorial.table([str(i) for i in range(10_001)])
    assert str(caught.value) == (
        "a table of all pairs of labels takes at most 10,000 labels, and there are 10,001. "
        "Use the nominal, ordinal or interval distance, which take any number of labels, or merge rare labels."
    )


@pytest.mark.parametrize("categorial", [Nominal(), Ordinal(), Interval(), Levenshtein(), SetValued(), Tree()])
def test_no_labels_at_all(categorial: Categorial) -> None:
    kind, table = categorial.table([])
    assert kind in ("nominal", "values", "matrix")
    assert table.shape == (0,)
    assert pickle.loads(pickle.dumps(categorial)) == categorial
    assert hash(categorial) == hash(pickle.loads(pickle.dumps(categorial)))
