# SPDX-License-Identifier: MIT
"""The data model. Oracles: the data put in; Python's lists and tuples; the checking constructor for the quick one."""

from __future__ import annotations

import pickle
from collections.abc import Sequence

import numpy as np
import pytest

import unisono
from unisono.errors import CorpusError, ParameterError, UnitError
from unisono.model import CATEGORY, Continuum, Corpus, Extent, Feature, Unit, UnitaryAlignment


def codes(*values: int) -> np.ndarray:
    return np.array(values, dtype=np.int32)


@pytest.mark.parametrize(
    ("given", "labels", "found"),
    [
        (codes(0, 2), ("A", "B"), "the codes go from 0 to 2, but there are only 2 labels. Use codes from -1 to 1."),
        (codes(-2, 0), ("A",), "the codes go from -2 to 0, but there is only 1 label. Use codes from -1 to 0."),
        (codes(0), (), "the codes go from 0 to 0, but there is no label. Name every label."),
    ],
)
def test_codes_have_labels(given: np.ndarray, labels: tuple[str, ...], found: str) -> None:
    """The core does not check its indices."""
    with pytest.raises(ParameterError) as caught:
        Feature(given, labels)
    assert str(caught.value) == found


def test_codes_without_labels_and_labels_without_codes_are_fine() -> None:
    assert Feature(codes(-1, -1), ())[0] is None
    assert Feature(codes(), ("A",)).labels == ("A",)


@pytest.mark.parametrize(("given", "annotators"), [([0, 2], ["ann", "bob"]), ([-1], ["ann"]), ([0], [])])
def test_units_belong_to_annotators(given: list[int], annotators: list[str]) -> None:
    with pytest.raises(ParameterError, match=r"doc: the codes go from .*, but there (is|are) (no|only)"):
        Continuum(
            starts=[0] * len(given), ends=[5] * len(given), annotator_codes=given, annotators=annotators, name="doc"
        )


def columns() -> dict[str, object]:
    """Columns in canonical form."""
    return {
        "starts": np.array([0, 7, 3]),
        "ends": np.array([5, 9, 4]),
        "annotator_codes": codes(0, 0, 1),
        "annotators": ("ann", "bob"),
        "features": {CATEGORY: Feature(codes(1, 0, -1), ("LOC", "PER"))},
        "name": "doc",
    }


@pytest.mark.parametrize("options", [{}, {"extent": Extent(-1, 20)}, {"text": "0123456789"}], ids=str)
def test_the_quick_way_ends_where_the_constructor_does(options: dict[str, object]) -> None:
    quick = Continuum.canonical(**columns(), **options)
    slow = Continuum(**columns(), **options)
    assert quick == slow
    assert list(quick) == list(slow)
    for name in ("name", "text", "annotators", "extent"):
        assert getattr(quick, name) == getattr(slow, name)
    for continuum in (quick, slow):
        for column in (continuum.starts, continuum.ends, continuum.annotator_codes, continuum.category_codes):
            assert not column.flags.writeable


def test_an_extent_without_units_is_unknown() -> None:
    empty = {"starts": np.array([]), "ends": np.array([]), "annotator_codes": codes(), "annotators": ("ann",)}
    assert Continuum.canonical(**empty, features={CATEGORY: Feature(codes(), ())}).extent is None


def test_units_in_sets() -> None:
    unit = Unit(0, 5, "A", "ann", {"certain": "yes"})
    same = Unit(0.0, 5.0, "A", "ann", {"certain": "yes"})
    assert hash(unit) == hash(same)
    assert {unit, same} == {unit}
    assert len({unit, Unit(0, 5, "A", "ann"), Unit(0, 5, "B", "ann")}) == 3
    assert UnitaryAlignment((unit, None), 0.5) in {UnitaryAlignment((same, None), 0.5)}


UNITS = {"ann": [(0, 5, "A"), (7, 9, "B")], "bob": [Unit(0, 4, "A", features={"certain": "yes"})], "cem": []}


def test_equal_continua() -> None:
    one = Continuum.of(UNITS, name="d")
    other = Continuum.of(dict(reversed(UNITS.items())), name="d")
    assert one == other
    assert hash(one) == hash(other)
    assert one == pickle.loads(pickle.dumps(one))
    # Neither the type of positions nor the table of labels nor a feature that no unit has is content.
    floats = Continuum.of({name: [Unit(float(u.start), float(u.end), u.category, features=u.features)
                                  for u in one.units_of(name)] for name in UNITS}, name="d")  # fmt: skip
    assert floats == one
    assert hash(floats) == hash(one)
    wide = Feature(codes(2, 1, 2), ("Z", "B", "A"))
    more = {**one.features, CATEGORY: wide, "unused": Feature(codes(-1, -1, -1), ("x",))}
    assert one == Continuum.canonical(starts=one.starts, ends=one.ends, annotator_codes=one.annotator_codes,
                                      annotators=one.annotators, features=more, name="d")  # fmt: skip
    assert one == Continuum.of(UNITS, name="d", extent=(0, 9))
    assert one != "d"


@pytest.mark.parametrize(
    "other",
    [
        Continuum.of(UNITS, name="e"),
        Continuum.of(UNITS, name="d", extent=(0, 10)),
        Continuum.of(UNITS, name="d", text="012345678"),
        Continuum.of({**UNITS, "dee": []}, name="d"),
        Continuum.of({**UNITS, "ann": [(0, 5, "A"), (7, 9, "C")]}, name="d"),
        Continuum.of({**UNITS, "ann": [(0, 5, "A"), (7, 9)]}, name="d"),
        Continuum.of({**UNITS, "ann": [(0, 5, "A"), (6, 9, "B")]}, name="d"),
        Continuum.of({**UNITS, "bob": [(0, 4, "A")]}, name="d"),
        Continuum.of({**UNITS, "bob": [], "cem": UNITS["bob"]}, name="d"),
    ],
    ids=["name", "extent", "text", "annotator", "category", "no category", "position", "feature", "owner"],
)
def test_unequal_continua(other: Continuum) -> None:
    assert Continuum.of(UNITS, name="d") != other


def check_sequence(items: Sequence[object], same: list[object]) -> None:
    """The sequence behaves as the list of its items does."""
    assert isinstance(items, Sequence)
    assert (len(items), list(items), list(reversed(items))) == (len(same), same, same[::-1])
    assert [items[i] for i in range(-len(same), len(same))] == same + same
    assert list(items[1:]) == same[1:]
    assert list(items[::-1]) == same[::-1]
    assert same[-1] in items
    assert items.index(same[-1]) == same.index(same[-1])
    for out in (len(same), -len(same) - 1):
        with pytest.raises(IndexError):
            items[out]


def test_sequences() -> None:
    corpus = unisono.corpus({"one": UNITS, "two": {"ann": [(0, 5)], "bob": [(1, 4)]}})
    check_sequence(corpus, list(corpus.continua))
    check_sequence(corpus[0], list(corpus[0]))
    alignment = unisono.best_alignment(corpus[0])
    check_sequence(alignment, list(alignment.unitary_alignments))
    check_sequence(unisono.best_soft_alignment(corpus[0]), list(alignment.unitary_alignments))
    assert isinstance(alignment[0], UnitaryAlignment)


def test_corpora() -> None:
    one, two = Continuum.of(UNITS, name="one"), Continuum.of({"ann": [(0, 5)]}, name="two")
    corpus = Corpus((one, two))
    assert corpus == Corpus((two, one))
    assert hash(corpus) == hash(Corpus((two, one)))
    assert corpus[:1] == Corpus((one,)) != corpus
    assert ("one" in corpus, "three" in corpus, one in corpus, one.rename("x") in corpus) == (True, False, True, False)
    assert corpus.select(["two"]) == corpus[1:] == corpus.select("two")
    assert corpus.restrict(["bob"]) == Corpus((one.restrict(["bob"]),))
    assert corpus.relabel({"A": "B"}, ["ann"])["one"] == one.relabel({"A": "B"}, ["ann"])
    assert corpus.relabel({"A": "C"}).labels() == ("B", "C")
    with pytest.raises(ParameterError, match=r"no document is called 'three'\. The documents are 'one', 'two'\."):
        corpus.select(["three"])
    with pytest.raises(ParameterError, match=r"no annotator is called 'bb'\. Did you mean 'bob'\?"):
        corpus.restrict(["ann", "bb"])
    with pytest.raises(CorpusError, match=r"several documents are called 'one'\. Give each document a name of its own"):
        Corpus((one, one))


def test_labels_that_no_unit_has_are_dropped() -> None:
    """A part of a corpus has the labels of its units. Oracle: the same units, written down alone."""
    table = {
        "one": {"ann": [(0, 5, "1"), (7, 9, "2")], "bob": [(0, 5, "2"), (7, 9, "1")], "cem": [(0, 5, "9")]},
        "two": {"ann": [(0, 5, "1"), (6, 8, "9")], "bob": [(0, 5, "2"), (6, 8, "1")]},
    }
    corpus = unisono.read(unisono.corpus(table).to_frame())
    assert corpus["one"].categories is corpus["two"].categories  # documents that were read together share the table
    without_cem = {name: who for name, who in table["one"].items() if name != "cem"}
    parts = {
        "restricted": (corpus.select(["one"]).restrict(["ann", "bob"]), {"one": without_cem}),
        "sliced": (corpus[1:], {"two": table["two"]}),
        "relabelled": (
            corpus.relabel({"9": "2"}),
            {
                name: {who: [(s, e, "2" if c == "9" else c) for s, e, c in units] for who, units in document.items()}
                for name, document in table.items()
            },
        ),
    }
    for name, (part, expected) in parts.items():
        alone = unisono.corpus(expected)
        assert part == alone, name
        assert part.labels() == alone.labels(), name
        ordinal = {"categorial": "ordinal", "samples": 5, "seed": 1}
        measured, again = unisono.measure(part, **ordinal), unisono.measure(alone, **ordinal)
        assert measured["gamma"] == again["gamma"], name
        assert measured.signature.partition("|extent")[0] == again.signature.partition("|extent")[0]
    # An order that names the labels in use is complete.
    unisono.measure(parts["relabelled"][0], categorial="ordinal", category_order=["1", "2"], samples=5)


def test_a_reference_keeps_the_selection() -> None:
    corpus = unisono.read(unisono.corpus({"d": UNITS}).to_frame(), only_documents="d")
    gold = unisono.corpus({"d": {"gold": [(0, 5, "A")]}})
    assert corpus.selection
    assert corpus.with_reference(gold).selection == corpus.selection


def test_renamed() -> None:
    continuum = Continuum.of(UNITS, name="d", text="012345678", extent=Extent(0, 9, "text"))
    assert continuum.rename("e") == Continuum.of(UNITS, name="e", text="012345678")
    swapped = continuum.rename(annotators={"ann": "bob", "bob": "ann"})
    assert swapped == Continuum.of({**UNITS, "ann": UNITS["bob"], "bob": UNITS["ann"]}, name="d", text="012345678")
    with pytest.raises(ParameterError, match="several annotators are called 'bob'"):
        continuum.rename(annotators={"ann": "bob"})
    with pytest.raises(ParameterError, match="no annotator is called 'dee'"):
        continuum.rename(annotators={"dee": "bob"})


@pytest.mark.parametrize(
    ("unit", "problem"),
    [
        ((5, 3), "d: the unit ends (3) before it starts (5). Are start and end swapped?"),
        ((0.0, float("nan")), "d: the unit from 0.0 to nan has a bound that is not finite. Give finite positions."),
        ((0, 2**54), f"d: the unit from 0 to {2**54} has a bound beyond 2**53."),
        (("a", 3), "d: some positions are not numbers"),
        ((1,), "(1,) is not a unit. Give a unit as (start, end) or (start, end, category)."),
    ],
)
def test_units_that_cannot_be(unit: tuple[object, ...], problem: str) -> None:
    with pytest.raises(UnitError) as caught:
        Continuum.of({"ann": [unit]}, name="d")
    assert str(caught.value).startswith(problem)


def test_columns_that_do_not_fit() -> None:
    with pytest.raises(ParameterError, match=r"the columns have different lengths \(1, 2\)\. Give one value"):
        Continuum(starts=[0, 1], ends=[5], annotator_codes=[0], annotators=["ann"])
    with pytest.raises(UnitError, match=r"the unit 0-5 of ann is not inside the extent \[0, 4\)\. Widen extent=, or"):
        Continuum.of({"ann": [(0, 5)]}, extent=(0, 4))


def test_numbers_agree_with_nouns() -> None:
    one = Continuum.of({"ann": [(0, 5)], "bob": [(0, 5)]}, name="d")
    assert repr(one) == "<Continuum 'd': 2 units by 2 annotators>"
    assert repr(one.restrict("ann")) == "<Continuum 'd': 1 unit by 1 annotator>"
    assert repr(Corpus((one,))) == "<Corpus: 1 document, 2 units, 2 annotators>"
    assert repr(unisono.best_alignment(one)) == "<Alignment: 1 unitary alignment, disorder 0, gap 0>"


def test_one_document_however_it_is_given(tmp_path: object) -> None:
    pandas = pytest.importorskip("pandas")
    corpus = unisono.corpus({"one": UNITS, "two": {"ann": [(0, 5)], "bob": [(1, 4)]}})
    known = unisono.best_alignment(corpus["two"])
    frame = corpus.select("two").to_frame(backend="pandas")
    assert isinstance(frame, pandas.DataFrame)
    for data in (corpus[1:], frame):
        assert list(unisono.best_alignment(data)) == list(known)
        assert unisono.best_soft_alignment(data).disorder == known.disorder
        assert unisono.tied_optima(data).number == 1
    with pytest.raises(ParameterError, match=r"the data have 2 documents, and one is needed\. .* corpus\[.one.\]"):
        unisono.best_alignment(corpus)
    with pytest.raises(ParameterError, match="the data have 0 documents"):
        unisono.best_alignment(corpus[:0])
    mapping = unisono.best_label_mapping(corpus.select("one").to_frame(), "bob")
    assert mapping == {"A": "A"}
